package asmcheck

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The assembler's own tests have a file for each set of EVEX instructions, with all operands there are.
func TestFeatures(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src/cmd/asm/internal/asm/testdata/avx512enc")
	for file, want := range map[string]string{
		"avx512f.s":            "AVX512F",
		"avx512bw.s":           "AVX512BW",
		"avx512dq.s":           "AVX512DQ",
		"avx512cd.s":           "AVX512CD",
		"avx512_vbmi.s":        "AVX512VBMI",
		"avx512_vbmi2.s":       "AVX512VBMI2",
		"avx512_bitalg.s":      "AVX512BITALG",
		"avx512_vpopcntdq.s":   "AVX512VPOPCNTDQ",
		"avx512_ifma.s":        "AVX512IFMA",
		"avx512_vnni.s":        "AVX512VNNI",
		"gfni_avx512f.s":       "GFNI",
		"vpclmulqdq_avx512f.s": "VPCLMULQDQ",
		"aes_avx512f.s":        "VAES",
		"avx512_4vnniw.s":      "", // on no processor of a level
	} {
		c := &checker{Config: Config{Dir: dir}, arch: arches["amd64"]}
		s, err := c.readSource(file)
		if err != nil {
			t.Skip("the tests of the assembler are not here: ", err)
		}
		known := 0
		for _, in := range s.instructions() {
			if in.mnemonic == "" || in.is("TEXT", "RET") {
				continue
			}
			got := featureAMD64(in)
			if got == "" && strings.HasPrefix(in.mnemonic, "VP") && !isFloat(in.mnemonic) && want != "" || got != "" && got != want {
				t.Errorf("%s: %s is of %q", file, in, got)
			}
			if got != "" {
				known++
			}
		}
		if (known == 0) != (want == "") {
			t.Errorf("%s: %d instructions are known", file, known)
		}
	}
}

// Floating point is of no use here, and not in the tables as a whole.
func isFloat(mnemonic string) bool {
	return strings.HasSuffix(mnemonic, "PS") || strings.HasSuffix(mnemonic, "PD")
}
