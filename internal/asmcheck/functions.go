package asmcheck

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// An instruction is one with its operands, or a label if it has no mnemonic.
type instruction struct {
	pos
	label    string
	mnemonic string
	suffixes []string   // BCST, Z, ...
	operands [][]lexeme // without the commas
	all      []lexeme   // the operands with the commas
}

// A function is what follows a TEXT.
type function struct {
	pos
	name   string // with <> if only its file knows it
	layout layout
	body   []*instruction
	level  *level
}

func (in *instruction) is(mnemonics ...string) bool { return slices.Contains(mnemonics, in.mnemonic) }

// registers returns the identifiers among the operands: registers, and other names.
func (in *instruction) names() (names []string) {
	for _, l := range in.all {
		if l.kind == scanner.Ident {
			names = append(names, l.text)
		}
	}
	return names
}

// parseAssembly reads the assembly files that are built for the architecture.
func (c *checker) parseAssembly() (all []*function, err error) {
	context := build.Context{GOARCH: c.GOARCH, GOOS: "linux", Compiler: "gc", ReleaseTags: build.Default.ReleaseTags}
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".s" {
			continue
		}
		if match, err := context.MatchFile(c.Dir, e.Name()); err != nil {
			return nil, err
		} else if !match {
			continue
		}
		s, err := c.readSource(e.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, s.functions()...)
	}
	return all, nil
}

// functions splits what the assembler sees into functions.
func (s *source) functions() (all []*function) {
	var f *function
	for _, in := range s.instructions() {
		switch {
		case in.is("TEXT"):
			f = s.text(in)
			all = append(all, f)
		case in.is("GLOBL"):
			if len(in.operands) == 3 {
				s.checkFlags(in, in.operands[1])
			}
		case in.is("DATA", "FUNCDATA", "PCDATA", "PCALIGN", "NO_LOCAL_POINTERS"):
		case f != nil:
			f.body = append(f.body, in)
		case in.mnemonic != "":
			s.find(in.pos, "%s is in no function", in.mnemonic)
		}
	}
	return all
}

func (s *source) instructions() (all []*instruction) {
	for rest := s.out; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(l lexeme) bool { return l.kind == ';' || l.kind == '\n' })
		line := rest[:end]
		rest = rest[end+1:]
		for len(line) > 1 && line[1].kind == ':' {
			all = append(all, &instruction{pos: line[0].pos, label: line[0].text})
			line = line[2:]
		}
		if len(line) == 0 {
			continue
		}
		in := &instruction{pos: line[0].pos, mnemonic: line[0].text}
		for line = line[1:]; len(line) > 1 && line[0].kind == '.'; line = line[2:] {
			in.suffixes = append(in.suffixes, line[1].text)
		}
		in.all, in.operands = line, split(line)
		all = append(all, in)
	}
	return all
}

// split returns what is between the commas outside parentheses.
func split(line []lexeme) (operands [][]lexeme) {
	nesting, from := 0, 0
	for i, l := range line {
		switch l.kind {
		case '(', '[':
			nesting++
		case ')', ']':
			nesting--
		case ',':
			if nesting == 0 {
				operands, from = append(operands, line[from:i]), i+1
			}
		}
	}
	if len(line) > 0 {
		operands = append(operands, line[from:])
	}
	return operands
}

func join(lexemes []lexeme) string {
	var b strings.Builder
	for _, l := range lexemes {
		b.WriteString(l.text)
	}
	return b.String()
}

var frameSize = regexp.MustCompile(`^\$[0-9]+-([0-9]+)$`)

// text reads the head of a function: the comment above it, its name, flags and sizes.
func (s *source) text(in *instruction) *function {
	f := &function{pos: in.pos}
	if len(in.operands) != 3 {
		s.find(in.pos, "TEXT has no flags or no sizes")
		in.operands = append(in.operands, nil, nil, nil)
	}
	flags, sizes := in.operands[1], join(in.operands[2])
	f.name, _ = functionName(in.operands[0])
	name, static := strings.CutSuffix(f.name, "<>")
	if _, f.level = s.arch.level(name); f.level == nil {
		s.find(in.pos, "the name of %s does not end in a level", f.name)
	}
	s.checkFlags(in, flags)
	if !slices.ContainsFunc(flags, func(l lexeme) bool { return l.text == "NOSPLIT" }) {
		s.find(in.pos, "%s is not NOSPLIT", f.name)
	}

	prototype := s.prototype(in.pos)
	k := slices.IndexFunc(s.kernels, func(k *kernel) bool { return k.name == f.name })
	switch {
	case k >= 0:
		f.layout = s.kernels[k].layout
		if want := s.source(s.kernels[k].decl); normal(prototype) != want {
			s.find(in.pos, "the comment above TEXT lacks // %s", want)
		}
	case !static:
		s.find(in.pos, "%s has no declaration for %s", f.name, s.GOARCH)
	case prototype != "":
		f.layout = s.layoutOf(in.pos, prototype)
	}

	size := frameSize.FindStringSubmatch(sizes)
	if size == nil {
		if sizes != "$0" || f.layout.size != 0 {
			s.find(in.pos, "%s has sizes %s, want $<frame>-%d", f.name, sizes, f.layout.size)
		}
	} else if size[1] != strconv.Itoa(f.layout.size) {
		s.find(in.pos, "%s has %s bytes of arguments and results, its declaration %d", f.name, size[1], f.layout.size)
	}
	return f
}

// prototype returns the declaration in the comment right above a line, "" if there is none or more than one.
func (s *source) prototype(at pos) (found string) {
	if at.file != s.name {
		return ""
	}
	for _, line := range slices.Backward(s.lines[:at.line-1]) {
		if !strings.HasPrefix(line, "//") {
			break
		}
		if declaration, ok := strings.CutPrefix(line, "// func "); ok {
			if found != "" {
				return ""
			}
			found = "func " + declaration
		}
	}
	return found
}

func (s *source) checkFlags(in *instruction, flags []lexeme) {
	for _, l := range flags {
		if l.kind == scanner.Int {
			s.find(in.pos, "flag %s has a name, use it", l.text)
		}
	}
}

// checkFunctions checks the code of each function.
func (c *checker) checkFunctions(all []*function) {
	byName := map[string]*function{}
	for _, f := range all {
		if byName[f.key(f.name)] != nil {
			c.find(f.pos, "%s is defined twice", f.name)
		}
		byName[f.key(f.name)] = f
		c.checkLabels(f)
		c.checkReferences(f)
		c.checkFeatures(f)
		c.checkFlow(f)
	}
	for _, k := range c.kernels {
		f := byName[k.name]
		if f == nil {
			c.find(c.position(k.decl), "%s has no TEXT", k.name)
			continue
		}
		stored := map[int]bool{}
		results(f, byName, stored, map[*function]bool{})
		for _, w := range k.layout.words {
			if w.isResult && !stored[w.offset] {
				c.find(f.pos, "%s never stores its result %s+%d(FP)", f.name, w.name, w.offset)
			}
		}
	}
}

var labelName = regexp.MustCompile(`^[a-z][A-Za-z0-9_]*$`)

func (c *checker) checkLabels(f *function) {
	for _, in := range f.body {
		if in.label != "" && !labelName.MatchString(in.label) {
			c.find(in.pos, "label %s does not begin with a small letter", in.label)
		}
	}
}

// reference returns the name and offset of the argument or result that the operand is: x+8(FP).
func reference(operand []lexeme) (name string, offset int, ok bool) {
	if len(operand) != 6 || operand[1].kind != '+' || join(operand[3:]) != "(FP)" {
		return "", 0, false
	}
	offset, err := strconv.Atoi(operand[2].text)
	return operand[0].text, offset, err == nil
}

func isReference(operand []lexeme) bool {
	return slices.ContainsFunc(operand, func(l lexeme) bool { return l.text == "FP" })
}

// checkReferences compares the arguments and results that the code names with the declaration.
func (c *checker) checkReferences(f *function) {
	for _, in := range f.body {
		for _, operand := range in.operands {
			if !isReference(operand) {
				continue
			}
			name, offset, ok := reference(operand)
			i := slices.IndexFunc(f.layout.words, func(w word) bool { return w.name == name })
			switch {
			case !ok:
				c.find(in.pos, "%s is not understood", join(operand))
			case i < 0:
				c.find(in.pos, "%s is no argument or result of %s, or no part of one", name, f.name)
			case f.layout.words[i].offset != offset:
				c.find(in.pos, "%s is at %d(FP), not %d", name, f.layout.words[i].offset, offset)
			}
		}
	}
}

// key tells functions apart that have the same name in different files, as seen from f.
func (f *function) key(name string) string {
	if strings.HasSuffix(name, "<>") {
		return f.file + ":" + name
	}
	return name
}

// results collects the offsets that a function stores to, or those that it ends in a jump to.
func results(f *function, byName map[string]*function, stored map[int]bool, seen map[*function]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
	for _, in := range f.body {
		if len(in.operands) == 0 {
			continue
		}
		last := in.operands[len(in.operands)-1]
		if name, ok := functionName(last); ok {
			results(byName[f.key(name)], byName, stored, seen)
		}
		compares := strings.HasPrefix(in.mnemonic, "CMP") || strings.HasPrefix(in.mnemonic, "TEST")
		if _, offset, ok := reference(last); ok && !compares {
			stored[offset] = true
			if in.is("STP") {
				stored[offset+8] = true
			}
		}
	}
}

// functionName returns the name of the function that the operand is.
func functionName(operand []lexeme) (name string, ok bool) {
	name, ok = strings.CutSuffix(join(operand), "(SB)")
	return strings.TrimPrefix(name, "·"), ok
}
