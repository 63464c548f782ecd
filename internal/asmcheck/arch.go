package asmcheck

import "strings"

// A level is a bundle of instruction sets that a kernel may rely on.
type level struct {
	name     string
	features []string
}

// An arch has the rules that differ by architecture.
type arch struct {
	levels    []level
	forbidden map[string]string // registers, and why

	// feature returns the instruction set of an instruction, "" if it is not known. Where it is nil, nothing is checked.
	feature func(in *instruction) string

	// clear are the instructions that clear the upper halves of wide registers, where that is needed.
	clear  []string
	isWide func(register string) bool

	// jump reports whether a mnemonic jumps, and always.
	jump func(mnemonic string) (jumps, always bool)
}

var arches = map[string]*arch{
	"amd64": {
		levels: []level{
			{"AVX2", levelAVX2},
			{"AVX512", append(levelAVX2[:len(levelAVX2):len(levelAVX2)],
				"AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL", "AVX512VBMI", "AVX512VBMI2", "AVX512BITALG")},
		},
		forbidden: map[string]string{
			"BP":  "it is the frame pointer",
			"BPB": "it is the frame pointer",
			"R15": "it holds the GOT in dynamically linked code",
		},
		feature: featureAMD64,
		clear:   []string{"VZEROUPPER", "VZEROALL"},
		isWide:  wide.MatchString,
		jump:    func(m string) (jumps, always bool) { return m[0] == 'J', m == "JMP" },
	},
	"arm64": {
		levels: []level{{"NEON", []string{"A64", "NEON"}}},
		forbidden: map[string]string{
			"R18_PLATFORM": "it belongs to the system",
			"R27":          "it is the assembler's",
			"g":            "it is the goroutine",
			"R29":          "it is the frame pointer",
			"R30":          "it is the link register",
		},
		feature: featureARM64,
		jump:    jumpARM64,
	},
}

// level returns the level that a function is of by its name, nil if of none, and the name without it.
func (a *arch) level(name string) (operation string, l *level) {
	for i := range a.levels {
		if operation, ok := strings.CutSuffix(name, a.levels[i].name); ok && operation != "" {
			return operation, &a.levels[i]
		}
	}
	return name, nil
}
