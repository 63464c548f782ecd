// Package asmcheck finds in assembly what the assembler, go vet and tests on one machine do not: an instruction that a
// level's processors may lack, upper halves left dirty, a kernel that no test knows or that runs without bound.
//
// A kernel is an assembly function, named after its operation and its level: asciiPrefixAVX512. The sources are read as
// the assembler reads them, macros expanded; where there are conditionals, both branches count. What the package does not
// understand is a finding too.
package asmcheck

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Config says what to check, and what the tests of the package claim to cover.
type Config struct {
	Dir    string // of the one package to check
	GOARCH string // amd64 or arm64

	// The kernels that the tests range over, and the operations that fuzz targets cover.
	Registered, Fuzzed []string

	// Twins has the specification of an operation where that is not the function in generic.go named operation+"Generic":
	// the name of another function there, with type arguments if it is generic ("latin1ToUnits[uint16]").
	Twins map[string]string

	// Lacking are the kernels that a level may lack, though another has them.
	Lacking []string

	// MaxKernel is the name of the constant with which dispatchers compare the length of what they pass on.
	MaxKernel string

	// ExtraType is the type of parameters that kernels may have behind those of their specifications.
	ExtraType string
}

// A Finding is one thing to mend. Line is 0 where it is about the whole file or about a list in the Config.
type Finding struct {
	File    string
	Line    int
	Message string
}

func (f Finding) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
}

// A kernel is an assembly function with its declaration in Go.
type kernel struct {
	name, operation string
	level           *level
	decl            *ast.FuncDecl
	layout          layout
}

type checker struct {
	Config
	unitSize int // of the source of the kernel whose call is looked at
	arch     *arch
	fset     *token.FileSet
	files    map[string]*ast.File // by name, without tests
	types    map[string]ast.Expr  // declared types
	kernels  []*kernel
	lengths  map[string]bool // variables of the function at hand that hold a length
	findings []Finding
}

func (c *checker) find(p pos, format string, args ...any) {
	c.findings = append(c.findings, Finding{p.file, p.line, fmt.Sprintf(format, args...) + p.via()})
}

// Check returns what is wrong, in the order of files and lines.
func Check(config Config) ([]Finding, error) {
	c := &checker{Config: config, arch: arches[config.GOARCH], fset: token.NewFileSet()}
	if c.arch == nil {
		return nil, fmt.Errorf("asmcheck: no rules for GOARCH %q", config.GOARCH)
	}
	if err := c.parseGo(); err != nil {
		return nil, err
	}
	c.findKernels()
	functions, err := c.parseAssembly()
	if err != nil {
		return nil, err
	}
	c.checkStubs()
	c.checkLists()
	c.checkDispatch()
	c.checkFunctions(functions)
	slices.SortFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(c.findings), nil // a header is read once for each file that includes it
}

// checkLists compares the kernels with what the tests say they cover.
func (c *checker) checkLists() {
	var names, operations []string
	for _, k := range c.kernels {
		names = append(names, k.name)
		operations = append(operations, k.operation)
	}
	c.compare("registered with the tests", "kernel", names, c.Registered)
	c.compare("fuzzed", "operation", operations, c.Fuzzed)
	for operation := range c.Twins {
		if !slices.Contains(operations, operation) {
			c.find(pos{file: "generic.go"}, "the table of twins has %s, which is no operation of a kernel", operation)
		}
	}
}

func (c *checker) compare(done, what string, have, listed []string) {
	list := pos{file: "list of what is " + done}
	for _, name := range have {
		if !slices.Contains(listed, name) {
			c.find(list, "%s %s is missing", what, name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(have, name) {
			c.find(list, "%s is no %s of %s", name, what, c.GOARCH)
		}
	}
}
