package asmcheck

import (
	"go/parser"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// good is a package without findings. Tests put a mistake into it.
var good = map[string]string{
	"generic.go": `package p

func countGeneric(src []byte) (n int64) { return int64(len(src)) }

func widenGeneric(dst []uint16, src []byte) (nDst, nSrc int) { return widen(dst, src) }

func widen[U uint16 | rune](d []U, s []byte) (int, int) { return 0, 0 }
`,
	"kernels_amd64.go": `//go:build !purego

package p

type Class uint8

// countAVX2 counts.
//
//go:noescape
func countAVX2(src []byte) (n int64)

// countAVX512 counts.
//
//go:noescape
func countAVX512(src []byte) (n int64)

// widenAVX2 widens.
//
//go:noescape
func widenAVX2(dst []uint16, src []byte) (nDst, nSrc int)

// widenAVX512 widens.
//
//go:noescape
func widenAVX512(dst []uint16, src []byte) (nDst, nSrc int)
`,
	"dispatch_amd64.go": `//go:build !purego

package p

const maxKernel = 64 << 10

var hasAVX2, hasAVX512 bool

func count(src []byte) int64 {
	if len(src) > maxKernel {
		return countLong(src)
	}
	if hasAVX512 {
		return countAVX512(src)
	}
	if hasAVX2 {
		return countAVX2(src)
	}
	return countGeneric(src)
}

func countLong(src []byte) (n int64) {
	for len(src) > maxKernel {
		n += count(src[:maxKernel])
		src = src[maxKernel:]
	}
	return n + count(src)
}

func toUTF16(dst []uint16, src []byte) (int, int) {
	if x := dst; maxKernel/2 < len(x) || len(src) > maxKernel {
		return 0, 0
	}
	switch {
	case hasAVX512:
		return widenAVX512(dst, src)
	}
	return widenAVX2(dst, src)
}
`,
	"macros_amd64.h": `#define srcPtr SI
#define text   (srcPtr)
#define num AX

// A macro of several lines.
#define LOADPAIR(off, a, b) \
	VMOVDQU off(srcPtr), a; \
	VMOVDQU off+32(srcPtr), b

#define SUM(a, b) \
	VPADDB a, b, b
	
#define BOTH(a, b, r) LOADPAIR(0, a, b); SUM(a, b) ; VPMOVMSKB b, r
`,
	"count_amd64.s": `//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

#define len CX

// func countAVX2(src []byte) (n int64)
TEXT ·countAVX2(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), srcPtr
	MOVQ src_len+8(FP), len
	XORL num, num
	CMPQ len, $64
	JLT  done // no wide register yet
loop:
	BOTH(Y0, Y1, DX)
	POPCNTL DX, DX
	ADDQ DX, num
	SUBQ $64, len
	CMPQ len, $64
	JGE  loop
	MOVQ num, n+24(FP)
	VZEROUPPER
	RET
done:
	MOVQ num, n+24(FP)
	RET

// func countAVX512(src []byte) (n int64)
TEXT ·countAVX512(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), srcPtr
	VMOVDQU8 text, Z16
	VPMOVB2M Z16, K1
	VPCOMPRESSB.Z Z16, K1, Z17
	KMOVQ K1, num
#ifdef GOAMD64_v3
	SHLXQ CX, num, num
#else
	SHLQ CX, num
#endif
	/* the result
	of both */
	MOVQ num, n+24(FP)
	VZEROUPPER
end:
	RET

DATA table<>+0(SB)/8, $0x0706050403020100
GLOBL table<>(SB), RODATA|NOPTR, $8
`,
	"widen_amd64.s": `//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// func widenAVX2(dst []uint16, src []byte) (nDst, nSrc int)
TEXT ·widenAVX2(SB), NOSPLIT, $0-64
	VPXOR X1, X1, X1
	VPMOVZXBW (srcPtr), X2
	JMP storeAVX2<>(SB)

// func storeAVX2(dst []uint16, src []byte) (nDst, nSrc int)
TEXT storeAVX2<>(SB), NOSPLIT, $0-64
	MOVQ num, nDst+48(FP)
	MOVQ num, nSrc+56(FP)
	RET

// func widenAVX512(dst []uint16, src []byte) (nDst, nSrc int)
TEXT ·widenAVX512(SB), NOSPLIT, $8-64
	MOVQ num, nDst+48(FP); MOVQ num, nSrc+56(FP)
	RET
`,
	// Files that are for others.
	"tables.s":         "//go:build arm64\n\nTEXT ·stray(SB), 7, $0\n",
	"kernels_arm64.go": "package p\n\n//go:noescape\nfunc countNEON(src []byte) (n int64)\n",
	"count_test.go":    "package p\n\nfunc tested() { for { countAVX2(nil) } }\n",
	"linked.go":        "package p\n\nimport _ \"unsafe\"\n\n//go:linkname linked runtime.linked\nfunc linked()\n",
}

func goodConfig() Config {
	return Config{
		GOARCH:     "amd64",
		Registered: []string{"countAVX2", "countAVX512", "widenAVX2", "widenAVX512"},
		Fuzzed:     []string{"count", "widen"},
		MaxKernel:  "maxKernel",
	}
}

// check writes the files and checks them.
func check(t *testing.T, files map[string]string, config Config) []Finding {
	t.Helper()
	config.Dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(config.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	findings, err := Check(config)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func requireFindings(t *testing.T, findings []Finding, want ...string) {
	t.Helper()
	for i := range max(len(findings), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("unexpected: %v", findings[i])
		case i >= len(findings):
			t.Errorf("missing: %s", want[i])
		case !strings.Contains(findings[i].String(), want[i]):
			t.Errorf("got %v, want %s", findings[i], want[i])
		}
	}
}

func TestGood(t *testing.T) {
	requireFindings(t, check(t, good, goodConfig()))
}

// Each case puts a mistake into one file, and wants exactly these findings.
func TestMistakes(t *testing.T) {
	const count, widen, header = "count_amd64.s", "widen_amd64.s", "macros_amd64.h"
	const stubs, dispatch, generic = "kernels_amd64.go", "dispatch_amd64.go", "generic.go"
	const guard = "if len(src) > maxKernel {\n\t\treturn countLong(src)\n\t}"
	for name, test := range map[string]struct {
		file, old, new string
		want           []string
	}{
		// Declarations.
		"noescape missing": {stubs, "//go:noescape\nfunc countAVX2", "func countAVX2", []string{
			"kernels_amd64.go:9: countAVX2 has no //go:noescape"}},
		"noescape not adjacent": {stubs, "//go:noescape\nfunc countAVX2", "//go:noescape\n\nfunc countAVX2", []string{
			"countAVX2 has no //go:noescape", "countAVX2 has no comment"}},
		"comment missing": {stubs, "// countAVX2 counts.\n//\n", "", []string{
			"kernels_amd64.go:8: countAVX2 has no comment"}},
		"declaration without TEXT": {widen, "TEXT ·widenAVX512", "TEXT ·widen2AVX512", []string{
			"kernels_amd64.go:25: widenAVX512 has no TEXT",
			"widen_amd64.s:19: widen2AVX512 has 64 bytes of arguments and results, its declaration 0",
			"widen_amd64.s:19: widen2AVX512 has no declaration",
			"widen_amd64.s:20: nDst is no argument or result of widen2AVX512", "nSrc is no argument"}},
		"TEXT twice": {widen, "TEXT ·widenAVX512(SB), NOSPLIT, $8-64", "TEXT ·widenAVX2(SB), NOSPLIT, $8-64", []string{
			"kernels_amd64.go:25: widenAVX512 has no TEXT",
			"widen_amd64.s:19: the comment above TEXT lacks // func widenAVX2(", "widen_amd64.s:19: widenAVX2 is defined twice"}},
		"prototype missing": {count, "// func countAVX2(src []byte) (n int64)\n", "", []string{
			"count_amd64.s:8: the comment above TEXT lacks // func countAVX2(src []byte) (n int64)"}},
		"prototype differs": {count, "// func countAVX2(src []byte) (n int64)",
			"// func countAVX2(src []byte) (n int)", []string{
				"count_amd64.s:9: the comment above TEXT lacks"}},
		"prototype not adjacent": {count, "(n int64)\nTEXT ·countAVX2", "(n int64)\n\nTEXT ·countAVX2", []string{
			"count_amd64.s:10: the comment above TEXT lacks"}},
		"prototype and text": {count, "(n int64)\nTEXT ·countAVX2", "(n int64)\n//\n// By eights.\nTEXT ·countAVX2", nil},
		"two prototypes": {count, "// func countAVX2",
			"// func countAVX2(src []byte) (n int64)\n// func countAVX2", []string{
				"lacks // func countAVX2(src"}},
		"spaces in prototype": {count, "// func countAVX2(src []byte) (n", "// func  countAVX2(src []byte)  (n", nil},
		"twin missing": {generic, "func countGeneric", "func countPlain", []string{
			"countAVX2 has no twin countGeneric", "countAVX512 has no twin countGeneric"}},
		"twin differs": {generic, "func countGeneric(src []byte)", "func countGeneric(src []byte, x int)", []string{
			"countAVX2 has parameters (src []byte), its twin countGeneric (src []byte, x int)", "countAVX512 has parameters"}},
		"stub for another architecture": {generic, "package p\n",
			"package p\n\n// countNEON is.\n//\n//go:noescape\nfunc countNEON(src []byte) (n int64)\n", nil},
		"stub for another architecture in a file of this one": {stubs, "type Class uint8", "func countNEON(src []byte) (n int64)", []string{
			"kernels_amd64.go:5: the name of countNEON does not end in a level"}},
		"stub of no architecture": {generic, "package p\n", "package p\n\nfunc countSSE(src []byte) (n int64)\n", []string{
			"generic.go:3: the name of countSSE does not end in a level"}},
		"stub without level": {stubs, "type Class uint8", "func cpuid() int", []string{
			"kernels_amd64.go:5: the name of cpuid does not end in a level"}},
		"type unknown": {stubs, "func widenAVX2(dst []uint16, src []byte) (nDst, nSrc int)",
			"func widenAVX2(dst []uint16, src []byte) (nDst, nSrc error)", []string{
				"kernels_amd64.go:20: type error in a declaration is not understood",
				"widen_amd64.s:7: the comment above", "widenAVX2 has 64 bytes of arguments and results, its declaration 48"}},

		// Instructions of other levels.
		"AVX-512 in AVX2": {count, "POPCNTL DX, DX", "VPERMB Y0, Y1, Y2", []string{
			"count_amd64.s:17: VPERMB Y0, Y1, Y2 needs AVX512VBMI, which AVX2 lacks"}},
		"mask in AVX2":   {count, "POPCNTL DX, DX", "VPCMPEQB Y0, Y1, K1", []string{"VPCMPEQB Y0, Y1, K1 needs AVX512BW"}},
		"high Y in AVX2": {count, "POPCNTL DX, DX", "VPADDB Y0, Y16, Y1", []string{"VPADDB Y0, Y16, Y1 needs AVX512BW"}},
		"high X in AVX2": {count, "POPCNTL DX, DX", "VPXOR X31, X0, X1", []string{"VPXOR X31, X0, X1 is not in the table"}},
		"Z in AVX2": {count, "BOTH(Y0, Y1, DX)", "SUM(Z0, Z1)", []string{
			"VPADDB Z0, Z1, Z1 needs AVX512BW, which AVX2 lacks (macro SUM, macros_amd64.h:10)"}},
		"suffix in AVX2": {count, "POPCNTL DX, DX", "VPADDD.BCST (SI), Y0, Y1", []string{
			"VPADDD.BCST (SI), Y0, Y1 needs AVX512F"}},
		"general broadcast": {count, "POPCNTL DX, DX", "VPBROADCASTB AX, Y0", []string{"VPBROADCASTB AX, Y0 needs AVX512BW"}},
		"vector broadcast":  {count, "POPCNTL DX, DX", "VPBROADCASTB X0, Y0; VPBROADCASTD (SI), Y0", nil},
		"VPERMQ indexes":    {count, "POPCNTL DX, DX", "VPERMQ Y0, Y1, Y2", []string{"needs AVX512F"}},
		"VPERMQ constant":   {count, "POPCNTL DX, DX", "VPERMQ $0xD8, Y1, Y2", nil},
		"shift of memory":   {count, "POPCNTL DX, DX", "VPSRLW $4, text, Y2", []string{"VPSRLW $4, (SI), Y2 needs AVX512BW"}},
		"LZCNT":             {count, "POPCNTL DX, DX", "LZCNTL DX, DX", []string{"LZCNTL DX, DX needs LZCNT, which AVX2 lacks"}},
		"FMA":               {count, "POPCNTL DX, DX", "VFMADD213PS Y0, Y1, Y2", []string{"needs FMA"}},
		"GFNI": {count, "KMOVQ K1, num", "KMOVQ K1, num; VGF2P8AFFINEQB $0, Z0, Z1, Z2", []string{
			"needs GFNI, which AVX512 lacks"}},
		"VPOPCNTDQ": {count, "KMOVQ K1, num", "KMOVQ K1, num; VPOPCNTQ Z0, Z1", []string{
			"needs AVX512VPOPCNTDQ, which AVX512 lacks"}},
		"BITALG": {count, "KMOVQ K1, num",
			"KMOVQ K1, num; VPOPCNTB Z0, Z1; VPMULTISHIFTQB Z0, Z1, Z2; KTESTB K1, K2", nil},
		"CD":             {count, "KMOVQ K1, num", "KMOVQ K1, num; VPLZCNTD Z0, Z1", []string{"needs AVX512CD"}},
		"AVX2 in AVX512": {count, "KMOVQ K1, num", "KMOVQ K1, num; VEXTRACTI128 $1, Y0, X0; ANDNQ AX, BX, CX", nil},
		"unknown": {count, "POPCNTL DX, DX", "FROB DX, DX", []string{
			"count_amd64.s:17: FROB DX, DX is not in the table"}},
		"call": {count, "POPCNTL DX, DX", "CALL ·f(SB)", []string{"CALL ·f(SB) is not in the table"}},
		"legacy SSE": {count, "POPCNTL DX, DX", "PXOR X0, X0", []string{
			"PXOR X0, X0 is a legacy SSE instruction in a function with VEX instructions (VMOVDQU 0(SI), Y0)"}},
		"legacy move": {count, "POPCNTL DX, DX", "MOVQ DX, X0", []string{"MOVQ DX, X0 is a legacy SSE"}},
		"legacy alone": {widen, "MOVQ num, nDst+48(FP); MOVQ",
			"PXOR X0, X0; MOVQ AX, X1; MOVQ num, nDst+48(FP); MOVQ", nil},
		"SSSE3": {widen, "MOVQ num, nDst+48(FP); MOVQ", "PSHUFB X0, X0; MOVQ num, nDst+48(FP); MOVQ", []string{
			"needs SSSE3"}},
		"in a macro, in a macro": {header, "VMOVDQU off(srcPtr), a", "VMOVDQU8 off(srcPtr), a", []string{
			"count_amd64.s:16: VMOVDQU8 0(SI), Y0 needs AVX512BW, which AVX2 lacks (macro LOADPAIR, macros_amd64.h:6)"}},
		"in a conditional": {count, "SHLXQ CX, num, num", "LZCNTQ num, num", []string{
			"count_amd64.s:37: LZCNTQ AX, AX needs LZCNT"}},
		"in the other": {count, "SHLQ CX, num", "LZCNTQ num, num", []string{"count_amd64.s:39: LZCNTQ AX, AX needs LZCNT"}},

		// Upper halves.
		"VZEROUPPER missing": {count, "VZEROUPPER\n\tRET\ndone", "RET\ndone", []string{
			"count_amd64.s:23: RET leaves countAVX2 without VZEROUPPER"}},
		"VZEROUPPER passed by": {count, "JGE  loop\n\tMOVQ num, n+24(FP)\n\tVZEROUPPER\n\tRET",
			"JGE  loop\n\tJMP done", []string{
				"count_amd64.s:25: RET leaves countAVX2"}},
		"VZEROUPPER not adjacent": {count, "VZEROUPPER\n\tRET\ndone",
			"VZEROUPPER\n\tADDQ AX, AX\n\tRET\ndone", []string{
				"count_amd64.s:25: RET leaves"}},
		"VZEROUPPER before a label that others jump to": {count, "VPCOMPRESSB.Z", "JNE end\n\tVPCOMPRESSB.Z", []string{
			"count_amd64.s:47: RET leaves countAVX512"}},
		"VZEROUPPER before a tail jump": {widen, "VPMOVZXBW (srcPtr), X2", "VPMOVZXBW (srcPtr), Y2", []string{
			"widen_amd64.s:10: JMP leaves widenAVX2"}},
		"VZEROUPPER there": {widen, "VPMOVZXBW (srcPtr), X2",
			"VPMOVZXBW (srcPtr), Y2; VZEROUPPER", nil},
		"no RET": {widen, "nSrc+56(FP)\n\tRET\n\n", "nSrc+56(FP)\n\n", []string{
			"widen_amd64.s:13: storeAVX2<> ends without RET"}},
		"jump by a count": {count, "JGE  loop", "JGE 2(PC)", nil},
		"jump by a count over VZEROUPPER": {count, "JGE  loop", "JGE 3(PC)", []string{
			"count_amd64.s:24: RET leaves countAVX2"}},
		"jump back by a count": {count, "JGE  loop", "JGE -2(PC)", []string{
			"count_amd64.s:21: JGE -2(PC) jumps to no label"}},
		"jump by a count out of the function": {count, "JGE  loop", "JGE 20(PC)", []string{
			"count_amd64.s:21: JGE 20(PC) jumps to no label"}},

		// Frames, arguments, results.
		"not NOSPLIT": {count, "·countAVX2(SB), NOSPLIT,", "·countAVX2(SB), NOFRAME,", []string{
			"count_amd64.s:9: countAVX2 is not NOSPLIT"}},
		"numeric flag": {count, "·countAVX2(SB), NOSPLIT,", "·countAVX2(SB), NOSPLIT|8,", []string{
			"count_amd64.s:9: flag 8 has a name"}},
		"numeric flag of data": {count, "RODATA|NOPTR", "24", []string{"flag 24 has a name"}},
		"size": {count, "·countAVX2(SB), NOSPLIT, $0-32", "·countAVX2(SB), NOSPLIT, $0-40", []string{
			"countAVX2 has 40 bytes of arguments and results, its declaration 32"}},
		"size missing": {count, "·countAVX2(SB), NOSPLIT, $0-32", "·countAVX2(SB), NOSPLIT, $0", []string{
			"countAVX2 has sizes $0, want $<frame>-32"}},
		"flags missing": {count, "·countAVX2(SB), NOSPLIT, $0-32", "·countAVX2(SB), $0-32", []string{
			"count_amd64.s:9: TEXT has no flags or no sizes", "count_amd64.s:9: countAVX2 has sizes , want", "countAVX2 is not NOSPLIT", "flag 0",
			"flag 32"}},
		"result missing": {widen, "nSrc+56(FP)\n\tRET\n\n", "AX\n\tRET\n\n", []string{
			"widen_amd64.s:7: widenAVX2 never stores its result nSrc+56(FP)"}},
		"result compared": {widen, "MOVQ num, nSrc+56(FP)\n\tRET\n\n", "CMPQ num, nSrc+56(FP)\n\tRET\n\n", []string{
			"widenAVX2 never stores its result nSrc"}},
		"result read": {widen, "MOVQ num, nSrc+56(FP)\n\tRET\n\n", "MOVQ nSrc+56(FP), num\n\tRET\n\n", []string{
			"widenAVX2 never stores its result nSrc"}},
		"wrong offset": {count, "src_len+8(FP)", "src_len+16(FP)", []string{
			"count_amd64.s:11: src_len is at 8(FP), not 16"}},
		"no part": {count, "src_len+8(FP)", "src+0(FP)", []string{
			"count_amd64.s:11: src is no argument or result of countAVX2"}},
		"offset in a macro": {header, "#define num AX",
			"#define num AX\n#define srcPtr2 src_cap+24(FP)\n#define MOVSRC MOVQ srcPtr2, SI", nil},
		"offset in a used macro": {count, "#define len CX", "#define len src_len+16(FP)", []string{
			"count_amd64.s:11: src_len is at 8(FP), not 16", "count_amd64.s:13: src_len", "count_amd64.s:19: src_len",
			"count_amd64.s:20: src_len"}},
		"reference": {count, "src_len+8(FP)", "src_len+(8)(FP)", []string{"src_len+(8)(FP) is not understood"}},
		"local prototype": {widen, "// func storeAVX2(dst []uint16, src []byte)",
			"// func storeAVX2(dst []uint16, src string)", []string{
				"widen_amd64.s:13: storeAVX2<> has 64 bytes of arguments and results, its declaration 56", "nDst is at 40(FP), not 48",
				"nSrc is at 48(FP), not 56"}},
		"no local prototype": {widen, "// func storeAVX2", "// storeAVX2", []string{
			"storeAVX2<> has 64 bytes", "nDst is no argument", "nSrc is no argument"}},
		"bad local prototype": {widen, "// func storeAVX2(dst", "// func storeAVX2(((dst", []string{
			"storeAVX2<> has 64", "the comment above TEXT has no declaration", "nDst", "nSrc"}},
		"local level": {widen, "storeAVX2<>(SB), NOSPLIT", "store<>(SB), NOSPLIT", []string{
			"widen_amd64.s:7: widenAVX2 never stores its result nDst", "widen_amd64.s:7: widenAVX2 never stores its result nSrc",
			"widen_amd64.s:13: the name of store<> does not end in a level"}},

		// What must not be used.
		"raw": {count, "POPCNTL DX, DX", "LONG $0xD2B80FF3", []string{
			"count_amd64.s:17: LONG $0xD2B80FF3 is not in the table", "count_amd64.s:17: LONG hides an instruction"}},
		"raw in a header": {header, "#define num AX", "#define num AX\n#define UNUSED BYTE $0x90", []string{
			"macros_amd64.h:4: BYTE hides an instruction"}},
		"BP": {header, "#define srcPtr SI", "#define srcPtr BP", []string{
			"macros_amd64.h:1: BP must not be used: it is the frame pointer"}},
		"R15": {count, "#define len CX", "#define len R15", []string{"count_amd64.s:6: R15 must not be used"}},
		"label": {count, "loop:", "Loop:", []string{
			"count_amd64.s:15: label Loop does not begin with a small letter", "JGE loop jumps to no label"}},

		// What the reader of the sources does not understand.
		"include": {count, `#include "macros_amd64.h"`, `#include "macros_amd64.h"` + "\n#include \"other.h\"", []string{
			"count_amd64.s:5: cannot read what is included"}},
		"includes itself": {header, "#define num AX", "#include \"macros_amd64.h\"", []string{
			"macros_amd64.h:3: files include each other"}},
		"directive": {count, "#ifdef GOAMD64_v3", "#if GOAMD64_v3", []string{
			"count_amd64.s:36: directive #if is not understood"}},
		"macro twice": {count, "#define len CX", "#define len CX\n#define num DX", []string{
			"count_amd64.s:7: macro num is defined twice (macros_amd64.h:3)"}},
		"macro again": {count, "#define len CX", "#define len CX\n#undef num\n#define num DX", nil},
		"macro of itself": {count, "#define len CX", "#define len len", []string{
			"macros expand each other", "macros expand", "macros expand", "macros expand"}},
		"macro arguments": {count, "BOTH(Y0, Y1, DX)", "BOTH(Y0, Y1)", []string{
			"count_amd64.s:16: macro BOTH is used with other than 3 arguments"}},
		"no function": {count, "#define len CX", "#define len CX\nNOP", []string{"count_amd64.s:7: NOP is in no function"}},

		// Dispatch.
		"loop": {dispatch, "if hasAVX2 {", "for hasAVX2 {", []string{"dispatch_amd64.go:17: countAVX2 is called in a loop"}},
		"range": {dispatch, "if hasAVX2 {", "for range src {", []string{
			"dispatch_amd64.go:17: countAVX2 is called in a loop"}},
		"literal": {dispatch, "return countAVX2(src)", "return func() int64 { return countAVX2(src) }()", []string{
			"countAVX2 is called in a function literal"}},
		"goto": {dispatch, "if hasAVX2 {", "again:\n\tif hasAVX2 {\n\t\tgoto again", []string{
			"countAVX512 is called in a function with goto", "countAVX2 is called in a function with goto"}},
		"no guard": {dispatch, guard, "", []string{
			"dispatch_amd64.go:12: countAVX512 is called where no length has been compared with maxKernel",
			"countAVX2 is called where"}},
		"guard with another bound": {dispatch, "if len(src) > maxKernel {", "if len(src) > maxLength {", []string{
			"countAVX512 is called where", "countAVX2 is called where"}},
		"guard of another kind": {dispatch, "if len(src) > maxKernel {", "if len(src) < maxKernel {", []string{
			"countAVX512 is called where", "countAVX2 is called where"}},
		"guard with another condition": {dispatch, "if len(src) > maxKernel {", "if len(src) > maxKernel && hasAVX2 {", []string{
			"countAVX512 is called where", "countAVX2 is called where"}},
		"guard without bound": {dispatch, "maxKernel/2 < len(x) || len(src) > maxKernel", "2 < len(x) || len(src) > 2", []string{
			"widenAVX512 is called where", "widenAVX2 is called where"}},
		"loop for a guard": {dispatch, guard, "for len(src)-7 > maxKernel {\n\t\tsrc = src[1:]\n\t}", nil},
		"loop that breaks": {dispatch, guard, "for len(src) > maxKernel {\n\t\tbreak\n\t}", []string{
			"countAVX512 is called where", "countAVX2 is called where"}},
		"endless loop for a guard": {dispatch, guard, "for {\n\t\tsrc = src[1:]\n\t}", []string{
			"countAVX512 is called where", "countAVX2 is called where"}},
		"case for a guard": {dispatch, "return countAVX2(src)\n\t}", "return 0\n\t}\n\tx := dst\n\tswitch n := len(x); {\n\tcase n > maxKernel:\n\tcase hasAVX2:\n\t\treturn countAVX2(x)\n\t}", nil},
		"length set again": {
			dispatch, "if len(src) > maxKernel {", "n := len(src)\n\tn++\n\tif n > maxKernel {", []string{
				"countAVX512 is called where", "countAVX2 is called where"}},
		"length in a variable": {dispatch, "if len(src) > maxKernel {", "if n := len(src); n > maxKernel {", nil},
		"case of another bound": {
			dispatch, "if x := dst; maxKernel/2 < len(x) || len(src) > maxKernel {\n\t\treturn 0, 0\n\t}\n\tswitch {",
			"switch {\n\tcase len(src) > 7:", []string{"widenAVX512 is called where", "widenAVX2 is called where"}},
		"case that falls through to a kernel": {
			dispatch, "if x := dst; maxKernel/2 < len(x) || len(src) > maxKernel {\n\t\treturn 0, 0\n\t}\n\tswitch {",
			"switch {\n\tcase len(src) > maxKernel:\n\t\tfallthrough", []string{
				"widenAVX512 is called where", "widenAVX2 is called where"}},
		"guard with a choice": {dispatch, "if len(src) > maxKernel {",
			"if hasAVX2 || (2*len(src) >= maxKernel) {", nil},
		"guard that goes on": {dispatch, "\t\treturn countLong(src)\n", "\t\tcountLong(src)\n", []string{
			"countAVX512 is called where", "countAVX2 is called where"}},
		"guard too late": {dispatch, "\treturn countGeneric(src)",
			"\tif len(src) > maxKernel {\n\t\treturn 0\n\t}\n\treturn countGeneric(src) + countAVX2(src)", nil},
		"guard not on each path": {dispatch, guard,
			"if hasAVX2 {\n\t\tif len(src) > maxKernel {\n\t\t\treturn countLong(src)\n\t\t}\n\t}", []string{
				"countAVX512 is called where", "countAVX2 is called where"}},
		"value": {dispatch, "func countLong(", "var counter = countAVX2\n\nfunc countLong(", []string{
			"countAVX2 is used other than by a call"}},
		"argument": {dispatch, "return countAVX2(src)", "return run(countAVX2, src)", []string{
			"countAVX2 is used other than by a call"}},
		"variable": {dispatch, "func countLong(", "var counter = countAVX2(nil)\n\nfunc countLong(", []string{
			"countAVX2 is called outside a function"}},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(good[test.file], test.old) != 1 {
				t.Fatalf("%q is in %s %d times", test.old, test.file, strings.Count(good[test.file], test.old))
			}
			files := maps.Clone(good)
			files[test.file] = strings.Replace(files[test.file], test.old, test.new, 1)
			requireFindings(t, check(t, files, goodConfig()), test.want...)
		})
	}
}

func TestLists(t *testing.T) {
	config := goodConfig()
	config.Registered = []string{"countAVX2", "countAVX512", "widenAVX2", "gone"}
	config.Fuzzed = []string{"count", "went"}
	config.Twins = map[string]string{"other": "widen"}
	requireFindings(t, check(t, good, config),
		"generic.go: the table of twins has other, which is no operation of a kernel",
		"list of what is fuzzed: operation widen is missing",
		"list of what is fuzzed: went is no operation of amd64",
		"list of what is registered with the tests: gone is no kernel of amd64",
		"list of what is registered with the tests: kernel widenAVX512 is missing")
}

func TestGenericTwin(t *testing.T) {
	files := maps.Clone(good)
	for name := range files {
		files[name] = strings.NewReplacer("widenAVX", "widen8AVX", "storeAVX2", "storeAVX2").Replace(files[name])
	}
	files["generic.go"] = strings.Replace(files["generic.go"], "(d []U, s []byte)", "(dst []U, src []byte)", 1)
	config := goodConfig()
	config.Registered = []string{"countAVX2", "countAVX512", "widen8AVX2", "widen8AVX512"}
	config.Fuzzed = []string{"count", "widen8"}
	config.Twins = map[string]string{"widen8": "widen[uint16]"}
	requireFindings(t, check(t, files, config))
	config.Twins = map[string]string{"widen8": "widen[rune]"}
	requireFindings(t, check(t, files, config), "its twin widen (dst []rune, src []byte)", "its twin widen (dst []rune")
	config.Twins = map[string]string{"widen8": "widen"}
	requireFindings(t, check(t, files, config), "its twin widen (dst []", "its twin widen (dst []")
}

// A kernel of one level needs a sister in the other.
func TestSisters(t *testing.T) {
	files := maps.Clone(good)
	s := files["kernels_amd64.go"]
	files["kernels_amd64.go"] = s[:strings.Index(s, "// widenAVX512")]
	s = files["widen_amd64.s"]
	files["widen_amd64.s"] = s[:strings.Index(s, "// func widenAVX512")]
	files["dispatch_amd64.go"] = strings.Replace(files["dispatch_amd64.go"], "widenAVX512(dst, src)", "0, 0", 1)
	config := goodConfig()
	config.Registered = config.Registered[:3]
	requireFindings(t, check(t, files, config), "kernels_amd64.go:20: widenAVX2 has no sister widenAVX512")
	config.Lacking = []string{"widenAVX512"}
	requireFindings(t, check(t, files, config))
	config.Lacking = []string{"widenAVX512", "widenAVX2"}
	requireFindings(t, check(t, files, config), "kernels_amd64.go:20: widenAVX2 is not lacking")
}

func TestNoKernels(t *testing.T) {
	requireFindings(t, check(t, nil, Config{GOARCH: "amd64"}), "for amd64: no kernels")
	if _, err := Check(Config{GOARCH: "sparc"}); err == nil {
		t.Error("no error for an architecture without rules")
	}
	if _, err := Check(Config{GOARCH: "amd64", Dir: "nowhere"}); err == nil {
		t.Error("no error without a directory")
	}
}

func TestARM64(t *testing.T) {
	files := map[string]string{
		"generic.go": "package p\n\nfunc countGeneric(src []byte) (n, m int) { return 0, 0 }\n",
		"kernels_arm64.go": `package p

// countNEON counts.
//
//go:noescape
func countNEON(src []byte) (n, m int)
`,
		"neon_arm64.h": "#define UMAXV16B(d, n) WORD $(0x6E30A800 | (n)<<5 | (d))\n",
		"count_arm64.s": `#include "textflag.h"
#include "neon_arm64.h"

// func countNEON(src []byte) (n, m int)
TEXT ·countNEON(SB), NOSPLIT, $0-40
	LDP   src_base+0(FP), (R0, R1)
	CBZ   R1, done
loop:
	VLD1.P 16(R0), [V0.B16]
	UMAXV16B(1, 0)
	BEQ   loop
	B     done
done:
	STP   (R0, R1), n+24(FP)
	RET
`,
	}
	config := Config{GOARCH: "arm64", Registered: []string{"countNEON"}, Fuzzed: []string{"count"}, MaxKernel: "maxKernel"}
	requireFindings(t, check(t, files, config))
	unlisted := config
	unlisted.Registered, unlisted.Fuzzed = nil, nil
	requireFindings(t, check(t, files, unlisted), "operation count is missing", "kernel countNEON is missing")
	bare := maps.Clone(files)
	bare["generic.go"] = "package p\n"
	bare["kernels_arm64.go"] = strings.Replace(bare["kernels_arm64.go"], "//\n//go:noescape\n", "", 1)
	requireFindings(t, check(t, bare, config), "countNEON has no //go:noescape", "countNEON has no twin countGeneric")
	files["count_arm64.s"] = strings.Replace(files["count_arm64.s"], "UMAXV16B(1, 0)", "WORD $0x6E30A801", 1)
	files["count_arm64.s"] = strings.Replace(files["count_arm64.s"], "B     done", "MOVD g, R2", 1)
	requireFindings(t, check(t, files, config), "count_arm64.s:10: WORD hides", "count_arm64.s:12: g must not be used")
	for old, new := range map[string]string{"MOVD g, R2": "VEOR3 V0.B16, V1.B16, V2.B16, V3.B16", "BEQ   loop": "BLX   loop"} {
		files["count_arm64.s"] = strings.Replace(files["count_arm64.s"], old, new, 1)
	}
	requireFindings(t, check(t, files, config), "count_arm64.s:10: WORD hides",
		"count_arm64.s:11: BLX loop is not in the table", "count_arm64.s:12: VEOR3 V0.B16, V1.B16, V2.B16, V3.B16 needs SHA3, which NEON lacks")
}

func TestExtraParameters(t *testing.T) {
	files := maps.Clone(good)
	for _, name := range []string{"kernels_amd64.go", "count_amd64.s"} {
		files[name] = strings.Replace(files[name], "countAVX2(src []byte)", "countAVX2(src []byte, from, to order)", 1)
	}
	files["kernels_amd64.go"] += "\ntype order uint64\n"
	files["dispatch_amd64.go"] = strings.Replace(files["dispatch_amd64.go"], "countAVX2(src)", "countAVX2(src, 0, 1)", 1)
	files["count_amd64.s"] = strings.Replace(files["count_amd64.s"], "NOSPLIT, $0-32\n\tMOVQ src_base", "NOSPLIT, $0-48\n\tMOVQ from+24(FP), num\n\tMOVQ to+32(FP), num\n\tMOVQ src_base", 1)
	files["count_amd64.s"] = strings.Replace(files["count_amd64.s"], "n+24(FP)", "n+40(FP)", 2)
	config := goodConfig()
	requireFindings(t, check(t, files, config), "countAVX2 has parameters (src []byte, from order, to order), its twin")
	config.ExtraType = "order"
	requireFindings(t, check(t, files, config))
}

func TestLayout(t *testing.T) {
	files := maps.Clone(good)
	for old, new := range map[string]string{
		"kernels_amd64.go": "(a bool, b uint16, c *[4]rune, d string, _ Class, e unsafe.Pointer, x bool) (f Class, g uint32, h []byte)",
		"count_amd64.s":    "(a bool, b uint16, c *[4]rune, d string, _ Class, e unsafe.Pointer, x bool) (f Class, g uint32, h []byte)",
	} {
		files[old] = strings.Replace(files[old], "countAVX2(src []byte) (n int64)", "countAVX2"+new, 1)
	}
	files["count_amd64.s"] = strings.Replace(files["count_amd64.s"], "NOSPLIT, $0-32\n\tMOVQ src_base+0(FP), srcPtr\n\tMOVQ src_len+8(FP), len",
		`NOSPLIT, $0-88
	MOVB a+0(FP), AX
	MOVW b+2(FP), AX
	MOVQ c+8(FP), AX
	MOVQ d_len+24(FP), AX
	MOVQ e+40(FP), AX
	MOVB AX, f+56(FP)
	MOVL AX, g+60(FP)
	MOVQ AX, h_base+64(FP)
	MOVQ AX, h_len+72(FP)
	MOVQ AX, h_cap+80(FP)`, 1)
	files["count_amd64.s"] = strings.Replace(files["count_amd64.s"], "MOVQ num, n+24(FP)", "NOP", 2)
	requireFindings(t, check(t, files, goodConfig()), "countAVX2 has parameters (a bool, b uint16, c *[4]rune, d string")
}

// A file's own functions may have the name of another file's.
func TestStaticNames(t *testing.T) {
	files := maps.Clone(good)
	files["count_amd64.s"] += "\nTEXT storeAVX2<>(SB), NOSPLIT, $0\n\tRET\n\nTEXT countAVX2<>(SB), NOSPLIT, $0\n\tRET\n"
	requireFindings(t, check(t, files, goodConfig()))
	files["count_amd64.s"] += "\nTEXT storeAVX2<>(SB), NOSPLIT, $0\n\tRET\n"
	requireFindings(t, check(t, files, goodConfig()), "storeAVX2<> is defined twice")
}

// The bound is in bytes, lengths are in code units.
func TestBoundOfUnits(t *testing.T) {
	for expr, largest := range map[string]int{"maxKernel": 1, "maxKernel / 2": 2, "maxKernel / 4": 4, "maxKernel / 0": 0, "maxKernel / n": 0, "other / 4": 0, "maxKernel * 4": 0} {
		e, err := parser.ParseExpr(expr)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 2, 4} {
			c := checker{Config: Config{MaxKernel: "maxKernel"}, unitSize: size}
			if got := c.isBound(e); got != (size <= largest) {
				t.Errorf("%s for units of %d bytes: %v", expr, size, got)
			}
		}
	}
}
