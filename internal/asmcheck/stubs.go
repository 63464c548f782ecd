package asmcheck

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A word is an argument or a result as assembly names it. A slice is three: x_base, x_len, x_cap.
type word struct {
	name     string
	offset   int
	isResult bool
}

// A layout is where the caller of a function puts its arguments and finds its results.
type layout struct {
	words []word
	size  int
}

func (c *checker) parseGo() error {
	c.files, c.types = map[string]*ast.File{}, map[string]ast.Expr{}
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(c.Dir, name))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(c.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		c.files[name] = file
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				c.types[spec.Name.Name] = spec.Type
			}
			return true
		})
	}
	return nil
}

func (c *checker) position(n ast.Node) pos {
	p := c.fset.Position(n.Pos())
	return pos{p.Filename, p.Line, nil}
}

// source returns the text of an expression or the head of a function, with single spaces.
func (c *checker) source(n ast.Node) string {
	if f, ok := n.(*ast.FuncDecl); ok {
		n = &ast.FuncDecl{Name: f.Name, Type: f.Type} // without the comment
	}
	var b strings.Builder
	printer.Fprint(&b, c.fset, n)
	return normal(b.String())
}

func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

// hasDirective reports whether the last line of the comment is the directive.
func hasDirective(doc *ast.CommentGroup, directive string) bool {
	return doc != nil && strings.HasPrefix(doc.List[len(doc.List)-1].Text, "//go:"+directive)
}

// findKernels lists the functions without a body that are of a level of the architecture. A file of two architectures may declare kernels of
// both.
func (c *checker) findKernels() {
	for _, name := range sortedKeys(c.files) {
		bound := archSuffix(name)
		if bound != "" && bound != c.GOARCH {
			continue
		}
		for _, d := range c.files[name].Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body != nil || hasDirective(f.Doc, "linkname") {
				continue
			}
			operation, level := c.arch.level(f.Name.Name)
			switch {
			case level != nil:
				c.kernels = append(c.kernels, &kernel{f.Name.Name, operation, level, f, c.layout(c.position(f), f.Type)})
			case bound != "" || !isOfOtherLevel(f.Name.Name, c.arch):
				c.find(c.position(f), "the name of %s does not end in a level", f.Name.Name)
			}
		}
	}
	if len(c.kernels) == 0 {
		c.find(pos{file: "for " + c.GOARCH}, "no kernels") // so that nobody checks nothing
	}
}

// isOfOtherLevel reports whether the name ends in a level of some other architecture.
func isOfOtherLevel(name string, a *arch) bool {
	for _, other := range arches {
		if _, level := other.level(name); other != a && level != nil {
			return true
		}
	}
	return false
}

// archSuffix returns the architecture that a name of a file binds it to.
func archSuffix(name string) string {
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	if i := strings.LastIndexByte(stem, '_'); i >= 0 && slices.Contains(goarches, stem[i+1:]) {
		return stem[i+1:]
	}
	return ""
}

// checkStubs checks the declarations of the kernels.
func (c *checker) checkStubs() {
	for _, k := range c.kernels {
		at := c.position(k.decl)
		if !hasDirective(k.decl.Doc, "noescape") {
			c.find(at, "%s has no //go:noescape right above it", k.name)
		}
		if strings.TrimSpace(k.decl.Doc.Text()) == "" {
			c.find(at, "%s has no comment", k.name)
		}
		for _, l := range c.arch.levels {
			if !slices.ContainsFunc(c.kernels, func(k2 *kernel) bool { return k2.name == k.operation+l.name }) {
				if !slices.Contains(c.Lacking, k.operation+l.name) {
					c.find(at, "%s has no sister %s", k.name, k.operation+l.name)
				}
			} else if slices.Contains(c.Lacking, k.operation+l.name) {
				c.find(at, "%s is not lacking", k.operation+l.name)
			}
		}
		c.checkTwin(k)
	}
}

// checkTwin compares the parameters of a kernel with those of its specification.
func (c *checker) checkTwin(k *kernel) {
	at := c.position(k.decl)
	twin, listed := c.Twins[k.operation]
	if !listed {
		twin = k.operation + "Generic"
	}
	name, arguments, _ := strings.Cut(strings.TrimSuffix(twin, "]"), "[")
	f := c.function("generic.go", name)
	if f == nil {
		c.find(at, "%s has no twin %s in generic.go", k.name, name)
		return
	}
	want := c.parameters(f.Type)
	if f.Type.TypeParams != nil {
		given := strings.Split(arguments, ",")
		var i int
		for _, field := range f.Type.TypeParams.List {
			for _, id := range field.Names {
				if i < len(given) {
					want = replaceWord(want, id.Name, strings.TrimSpace(given[i]))
				}
				i++
			}
		}
	}
	got := c.parameters(k.decl.Type)
	for c.ExtraType != "" && strings.HasSuffix(got, " "+c.ExtraType) {
		got = got[:max(0, strings.LastIndex(got, ", "))]
	}
	if got != want {
		c.find(at, "%s has parameters (%s), its twin %s (%s)", k.name, got, name, want)
	}
}

func replaceWord(s, old, new string) string {
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(old)+`\b`).ReplaceAllLiteralString(s, new)
}

func (c *checker) function(file, name string) *ast.FuncDecl {
	if c.files[file] == nil {
		return nil
	}
	for _, d := range c.files[file].Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
			return f
		}
	}
	return nil
}

// parameters returns the parameters, each with its type.
func (c *checker) parameters(f *ast.FuncType) string {
	var all []string
	for _, field := range f.Params.List {
		for _, id := range field.Names {
			all = append(all, id.Name+" "+c.source(field.Type))
		}
	}
	return strings.Join(all, ", ")
}

// layoutOf returns the layout of a function that only a comment declares.
func (c *checker) layoutOf(at pos, prototype string) layout {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+prototype, parser.SkipObjectResolution)
	if err != nil {
		c.find(at, "the comment above TEXT has no declaration: %v", err)
		return layout{}
	}
	return c.layout(at, file.Decls[0].(*ast.FuncDecl).Type)
}

// layout lays out arguments and results as Go does on 64-bit systems.
func (c *checker) layout(at pos, f *ast.FuncType) (l layout) {
	add := func(fields *ast.FieldList, isResult bool) {
		if fields == nil {
			return
		}
		n := 0
		for _, field := range fields.List {
			parts, size, ok := c.parts(field.Type)
			if !ok {
				c.find(at, "type %s in a declaration is not understood", c.source(field.Type))
				continue
			}
			names := field.Names
			if names == nil {
				names = []*ast.Ident{{Name: "ret"}}
				if n > 0 {
					names[0].Name += strconv.Itoa(n)
				}
			}
			for _, id := range names {
				n++
				for _, part := range parts {
					l.size = (l.size + size - 1) / size * size
					if id.Name != "_" {
						l.words = append(l.words, word{id.Name + part, l.size, isResult})
					}
					l.size += size
				}
			}
		}
	}
	add(f.Params, false)
	if f.Results != nil && len(f.Results.List) > 0 {
		l.size = (l.size + 7) / 8 * 8
		add(f.Results, true)
	}
	return l
}

// parts returns the endings of the names of a type's words, and the size of each.
func (c *checker) parts(t ast.Expr) (endings []string, size int, ok bool) {
	whole := []string{""}
	switch t := t.(type) {
	case *ast.StarExpr, *ast.SelectorExpr:
		_, isPointer := t.(*ast.StarExpr)
		return whole, 8, isPointer || c.source(t) == "unsafe.Pointer"
	case *ast.ArrayType:
		return []string{"_base", "_len", "_cap"}, 8, t.Len == nil
	case *ast.Ident:
		switch t.Name {
		case "bool", "byte", "int8", "uint8":
			return whole, 1, true
		case "int16", "uint16":
			return whole, 2, true
		case "int32", "uint32", "rune", "float32":
			return whole, 4, true
		case "int", "uint", "int64", "uint64", "uintptr", "float64":
			return whole, 8, true
		case "string":
			return []string{"_base", "_len"}, 8, true
		}
		if named := c.types[t.Name]; named != nil {
			return c.parts(named)
		}
	}
	return nil, 0, false
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
