package asmcheck

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
	"unicode"
)

// pos is a place in a file, and the macro whose expansion there is meant.
type pos struct {
	file  string
	line  int
	macro *macro
}

func (p pos) via() string {
	if p.macro == nil {
		return ""
	}
	return " (macro " + p.macro.name + ", " + p.macro.file + ":" + strconv.Itoa(p.macro.line) + ")"
}

// A lexeme is what the assembler calls a token. In the expansion of a macro its place is that of the outermost use.
type lexeme struct {
	kind rune
	text string
	pos
	glued bool // to the lexeme before it
}

type macro struct {
	name, file string
	line       int
	isFunction bool
	params     []string
	body       []lexeme
}

// known are headers of the Go tree, without instructions in them.
var known = []string{"textflag.h", "funcdata.h", "go_asm.h"}

// raw are the directives that emit an instruction byte by byte, so that nobody can tell what it is. Only the header for
// instructions that the assembler lacks has them.
var raw = []string{"BYTE", "WORD", "LONG", "QUAD"}

const rawHeader = "neon_arm64.h"

// A source is an assembly file with all that it includes.
type source struct {
	*checker
	macros map[string]*macro
	out    []lexeme // expanded
	name   string
	lines  []string // of the file itself
	depth  int
}

// isIdent is the assembler's notion of an identifier.
func isIdent(ch rune, i int) bool {
	return unicode.IsLetter(ch) || ch == '_' || ch == '·' || ch == '∕' || i > 0 && unicode.IsDigit(ch)
}

// readSource reads an assembly file.
func (c *checker) readSource(name string) (*source, error) {
	s := &source{checker: c, macros: map[string]*macro{}, name: name}
	text, err := os.ReadFile(filepath.Join(c.Dir, name))
	if err != nil {
		return nil, err
	}
	s.lines = strings.Split(string(text), "\n")
	return s, s.read(name, text)
}

func (s *source) read(name string, text []byte) error {
	lexemes := s.scan(name, text)
	for len(lexemes) > 0 {
		var line []lexeme
		line, lexemes = cutLine(lexemes)
		if line[0].text == "#" && len(line) > 1 {
			if err := s.directive(line[1:]); err != nil {
				return err
			}
			continue
		}
		s.out = append(s.out, s.expand(line)...)
	}
	return nil
}

func (s *source) scan(name string, text []byte) (all []lexeme) {
	var sc scanner.Scanner
	sc.Init(bytes.NewReader(text))
	sc.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanChars | scanner.ScanStrings |
		scanner.ScanComments | scanner.SkipComments
	sc.Whitespace = 1<<' ' | 1<<'\t' | 1<<'\r'
	sc.IsIdentRune = isIdent
	sc.Error = func(sc *scanner.Scanner, msg string) { s.find(pos{name, sc.Pos().Line, nil}, "%s", msg) }
	end := -1
	for kind := sc.Scan(); kind != scanner.EOF; kind = sc.Scan() {
		l := lexeme{kind, sc.TokenText(), pos{name, sc.Position.Line, nil}, sc.Position.Offset == end}
		end = sc.Position.Offset + len(l.text)
		if why, ok := s.arch.forbidden[l.text]; ok {
			s.find(l.pos, "%s must not be used: %s", l.text, why)
		}
		if slices.Contains(raw, l.text) && name != rawHeader {
			s.find(l.pos, "%s hides an instruction", l.text)
		}
		all = append(all, l)
	}
	return append(all, lexeme{kind: '\n', text: "\n"})
}

// cutLine returns a line with its end. A backslash continues it, and stays where the line was broken as a line's end: the
// assembler takes it for one within a macro.
func cutLine(lexemes []lexeme) (line, rest []lexeme) {
	for i := 0; i < len(lexemes); i++ {
		switch l := lexemes[i]; {
		case l.kind == '\\' && i+1 < len(lexemes) && lexemes[i+1].kind == '\n':
			i++
			line = append(line, lexemes[i])
		case l.kind == '\n':
			return append(line, l), lexemes[i+1:]
		default:
			line = append(line, l)
		}
	}
	return line, nil
}

func (s *source) directive(line []lexeme) error {
	at := line[0].pos
	switch name := line[0].text; {
	case name == "include" && len(line) > 1:
		file, err := strconv.Unquote(line[1].text)
		if err != nil || slices.Contains(known, file) {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(s.Dir, file))
		if err != nil {
			s.find(at, "cannot read what is included: %v", err)
			return nil
		}
		if s.depth++; s.depth > 10 {
			s.find(at, "files include each other")
			return nil
		}
		defer func() { s.depth-- }()
		return s.read(file, text)
	case name == "define" && len(line) > 1:
		s.define(line[1], line[2:len(line)-1])
	case name == "undef" && len(line) > 1:
		delete(s.macros, line[1].text)
	case !slices.Contains([]string{"ifdef", "ifndef", "else", "endif"}, name):
		s.find(at, "directive #%s is not understood", name)
	}
	return nil
}

func (s *source) define(name lexeme, body []lexeme) {
	m := &macro{name: name.text, file: name.file, line: name.line}
	if len(body) > 0 && body[0].text == "(" && body[0].glued {
		m.isFunction = true
		end := slices.IndexFunc(body, func(l lexeme) bool { return l.text == ")" })
		for _, l := range body[1:max(end, 1)] {
			if l.kind == scanner.Ident {
				m.params = append(m.params, l.text)
			}
		}
		body = body[end+1:]
	}
	m.body = body
	if old := s.macros[m.name]; old != nil && (old.file != m.file || old.line != m.line) {
		s.find(name.pos, "macro %s is defined twice (%s:%d): put the conditional around its uses", m.name, old.file, old.line)
	}
	s.macros[m.name] = m
}

// expand replaces macros by their bodies.
func (s *source) expand(in []lexeme) (out []lexeme) {
	if s.depth++; s.depth > 100 {
		s.find(in[0].pos, "macros expand each other")
		return in
	}
	defer func() { s.depth-- }()
	for i := 0; i < len(in); i++ {
		l := in[i]
		m := s.macros[l.text]
		if m == nil || m.isFunction && (i+1 == len(in) || in[i+1].text != "(") {
			out = append(out, l)
			continue
		}
		var args [][]lexeme
		if m.isFunction {
			var end int
			if args, end = arguments(in, i+2); end < 0 || len(args) != len(m.params) {
				s.find(l.pos, "macro %s is used with other than %d arguments", m.name, len(m.params))
				return out
			}
			i = end
		}
		var body []lexeme
		for _, b := range m.body {
			if p := slices.Index(m.params, b.text); p >= 0 {
				body = append(body, args[p]...)
				continue
			}
			b.pos = pos{l.file, l.line, m}
			body = append(body, b)
		}
		if len(body) > 0 {
			out = append(out, s.expand(body)...)
		}
	}
	return out
}

// arguments returns what is between commas from start on, and where the closing parenthesis is, or -1.
func arguments(in []lexeme, start int) (args [][]lexeme, end int) {
	nesting, from := 0, start
	for i := start; i < len(in); i++ {
		switch text := in[i].text; {
		case text == "(":
			nesting++
		case text == ")" && nesting > 0:
			nesting--
		case text == "," && nesting == 0:
			args, from = append(args, in[from:i]), i+1
		case text == ")":
			if i > start {
				args = append(args, in[from:i])
			}
			return args, i
		}
	}
	return nil, -1
}
