package asmcheck

import (
	"encoding/binary"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

var encoding = regexp.MustCompile(`^#define [A-Z0-9_]+\(([a-z, ]+)\) WORD \$\((.*)\)$`)

// The header of instructions that the assembler lacks: each macro gives, for all registers, what stands above it.
func TestEncodings(t *testing.T) {
	text, err := os.ReadFile("../../" + rawHeader)
	if err != nil {
		t.Fatal(err)
	}
	seen, comment := 0, ""
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "// ") && comment == "":
			comment, _, _ = strings.Cut(line[3:], ":")
			continue
		case !strings.Contains(line, "WORD"):
			if !strings.HasPrefix(line, "//") {
				comment = ""
			}
			continue
		}
		m := encoding.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("line %d: not understood: %s", i+1, line)
			continue
		}
		seen++
		parameters := strings.Split(m[1], ", ")
		for first := range 32 {
			word, want := m[2], comment
			for k, p := range parameters {
				n := strconv.Itoa((first + 11*k) % 32)
				word = replaceWord(word, p, n)
				want = regexp.MustCompile(`\b([VXbhsdq])`+p+`\b`).ReplaceAllStringFunc(want, func(r string) string { return strings.ToLower(r[:1]) + n })
			}
			want = strings.NewReplacer("[x31", "[sp", "x31", "xzr").Replace(want)
			if got := disassemble(t, word); got != want {
				t.Errorf("line %d: %s is %q", i+1, want, got)
			}
		}
		comment = ""
	}
	if seen == 0 {
		t.Error("no macros")
	}
}

func disassemble(t *testing.T, word string) string {
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, word)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := constant.Uint64Val(v.Value)
	in, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(w)))
	if err != nil {
		return err.Error()
	}
	return arm64asm.GNUSyntax(in)
}
