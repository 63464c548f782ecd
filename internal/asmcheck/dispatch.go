package asmcheck

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// checkDispatch checks that kernels run only for a bounded time: nothing can stop a goroutine within assembly. A kernel
// is called by dispatchers alone: functions that have no loop around the call, and that have dealt otherwise with a text
// longer than one call may take. So every call has a frame of Go code around it, and a loop in yet another.
func (c *checker) checkDispatch() {
	kernels := map[string]*kernel{}
	for _, k := range c.kernels {
		kernels[k.name] = k
	}
	for _, name := range sortedKeys(c.files) {
		var stack []ast.Node
		ast.Inspect(c.files[name], func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if id, ok := n.(*ast.Ident); ok && kernels[id.Name] != nil {
				c.unitSize = sourceUnit(kernels[id.Name].decl)
				c.checkUse(id, stack)
			}
			stack = append(stack, n)
			return true
		})
	}
}

// checkUse checks an occurrence of the name of a kernel, inside the nodes of the stack.
func (c *checker) checkUse(id *ast.Ident, stack []ast.Node) {
	switch parent := stack[len(stack)-1].(type) {
	case *ast.FuncDecl:
		return
	case *ast.CallExpr:
		if parent.Fun == id {
			c.checkCall(id, stack)
			return
		}
	}
	c.find(c.position(id), "%s is used other than by a call", id.Name)
}

func (c *checker) checkCall(id *ast.Ident, stack []ast.Node) {
	at := c.position(id)
	guarded, inFunction := false, false
	for i, n := range stack {
		var statements []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			inFunction = true
			c.findLengths(n)
			if hasBranch(n, token.GOTO) {
				c.find(at, "%s is called in a function with goto", id.Name)
			}
		case *ast.ForStmt, *ast.RangeStmt:
			c.find(at, "%s is called in a loop", id.Name)
		case *ast.FuncLit:
			c.find(at, "%s is called in a function literal", id.Name)
		case *ast.BlockStmt:
			statements = n.List
		case *ast.CaseClause:
			statements = n.Body
		}
		// What stands before the call in a list around it has run before, or has been a case before.
		for _, s := range statements {
			if i+1 < len(stack) && s == stack[i+1] {
				break
			}
			guarded = guarded || c.isGuard(s)
		}
	}
	switch {
	case !inFunction:
		c.find(at, "%s is called outside a function", id.Name)
	case !guarded:
		c.find(at, "%s is called where no length has been compared with %s", id.Name, c.MaxKernel)
	}
}

func hasBranch(n ast.Node, kind token.Token) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == kind {
			found = true
		}
		return true
	})
	return found
}

// isGuard reports whether what comes after the statement, or case, runs only if a length is not above the bound:
//
//	if len(src) > maxKernel { ...; return }
//	for len(src)-n > maxKernel { ... }
//	case n > maxKernel:
func (c *checker) isGuard(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		if len(s.Body.List) == 0 {
			return false
		}
		_, returns := s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt)
		return returns && c.isAbove(s.Cond)
	case *ast.ForStmt:
		return c.isAbove(s.Cond) && !hasBranch(s.Body, token.BREAK)
	case *ast.CaseClause:
		return slices.ContainsFunc(s.List, c.isAbove) && !hasBranch(s, token.FALLTHROUGH)
	}
	return false
}

// isAbove reports whether a condition holds for every length above the bound.
func (c *checker) isAbove(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.isAbove(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LOR:
			return c.isAbove(e.X) || c.isAbove(e.Y)
		case token.GTR, token.GEQ:
			return c.isLength(e.X) && c.isBound(e.Y)
		case token.LSS, token.LEQ:
			return c.isBound(e.X) && c.isLength(e.Y)
		}
	}
	return false
}

// isLength reports whether e is len(...) or a variable that holds it, also times something, or without what is done.
func (c *checker) isLength(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.MUL && (c.isLength(e.X) || c.isLength(e.Y)) || e.Op == token.SUB && c.isLength(e.X)
	case *ast.Ident:
		return c.lengths[e.Name]
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		return ok && name.Name == "len"
	}
	return false
}

// isBound reports whether e is the bound, which is in bytes, divided by the size of the code units of the source, or by more.
func (c *checker) isBound(e ast.Expr) bool {
	divisor := 1
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.QUO {
		lit, ok := b.Y.(*ast.BasicLit)
		if !ok {
			return false
		}
		divisor, _ = strconv.Atoi(lit.Value)
		e = b.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.Name == c.MaxKernel && divisor >= c.unitSize
}

// sourceUnit returns the size of the code units of the last slice that a kernel takes.
func sourceUnit(f *ast.FuncDecl) (size int) {
	for _, field := range f.Type.Params.List {
		if slice, ok := field.Type.(*ast.ArrayType); ok {
			if id, ok := slice.Elt.(*ast.Ident); ok {
				size = map[string]int{"byte": 1, "uint8": 1, "uint16": 2, "rune": 4, "int32": 4, "uint32": 4}[id.Name]
			}
		}
	}
	return size
}

// findLengths lists the variables of a function that are set once: to a length.
func (c *checker) findLengths(f *ast.FuncDecl) {
	c.lengths = map[string]bool{}
	set := map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			set[c.source(n.X)]++
		case *ast.UnaryExpr:
			if n.Op == token.AND { // who has the address can set it
				set[c.source(n.X)]++
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				set[c.source(left)]++
				if id, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) && c.isLength(n.Rhs[i]) {
					c.lengths[id.Name] = true
				}
			}
		}
		return true
	})
	for name, times := range set {
		if times > 1 {
			delete(c.lengths, name)
		}
	}
}
