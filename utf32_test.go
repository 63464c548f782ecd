package transcode

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUTF32BoundaryStrings takes all strings of values around the class boundaries, code points or not.
func TestUTF32BoundaryStrings(t *testing.T) {
	inParallel(t, len(boundaryRunes), func(t *testing.T, i int) {
		checkUTF32(t, nil)
		buf := make([]rune, 0, 8)
		for n := range thin(4, 2) {
			everyWord(boundaryRunes, n, func(tail []rune) {
				checkUTF32(t, append(append(buf, boundaryRunes[i]), tail...))
			})
		}
	})
}

// TestUTF32EveryPosition puts each boundary value at every position of fillers of every class.
func TestUTF32EveryPosition(t *testing.T) {
	inParallel(t, len(fillers), func(t *testing.T, i int) {
		for before := 0; before <= 40; before += thin(1, 7) {
			for _, after := range []int{0, 1, 3, 16} {
				for k, r := range boundaryRunes {
					checkUTF32(t, slices.Concat(fill(fillers[i], before), []rune{r}, fill(fillers[i], after)))
					if (before+after)%thin(1, 4) == 0 { // and another one in the same block
						other := boundaryRunes[(k*7+before)%len(boundaryRunes)]
						checkUTF32(t, slices.Concat(fill(fillers[i], before), []rune{r}, fill(fillers[i], after%4), []rune{other}))
					}
				}
			}
		}
	})
}

// TestUTF32AsBytes takes bytes in both orders, with 0 to 3 bytes too few.
func TestUTF32AsBytes(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		to := everyEncoding[i]
		for _, from := range []Encoding{UTF32LE, UTF32BE} {
			for before := 0; before <= 20; before += thin(1, 6) {
				for _, r := range boundaryRunes {
					src := bytes32(append(slices.Repeat([]rune{'a'}, before), r, 'z'), from)
					for cut := range 8 {
						checkPair(t, Transcoder{From: from, To: to}, src[:len(src)-cut])
					}
					for _, p := range []Policy{Replace, ReplaceBytes, Skip} {
						checkPair(t, Transcoder{From: from, To: to, OnError: p}, src[:len(src)-before%4])
					}
				}
			}
		}
	})
}

func TestUTF32Texts(t *testing.T) {
	t.Parallel()
	for _, script := range textScripts {
		for n := 0; n <= 160; n += shortThin(n, 23) {
			checkUTF32(t, []rune(genText(script, n)))
		}
		checkUTF32(t, []rune(genText(script, 70001)))
	}
}

// TestKnownTroublesUTF32 has inputs that other libraries got wrong, with what is right.
func TestKnownTroublesUTF32(t *testing.T) {
	for _, c := range []struct {
		name  string
		runes []rune
		off   int64
		kind  ErrorKind
	}{
		{"bit 31 set", []rune{-0x7FFFFFE0}, 0, KindTooLarge}, // simdutf#453: a signed pack made it small
		{"all bits set", []rune{'a', -1}, 1, KindTooLarge},
		{"surrogate before a value too large", []rune{'a', 0xD800, 'b', 0x110000}, 1, KindSurrogate}, // simdutf#438
		{"value too large before a surrogate", []rune{'a', 0x110000, 'b', 0xD800}, 1, KindTooLarge},
		{"surrogates do not pair", []rune{0xD83D, 0xDE00}, 0, KindSurrogate},
		{"last code point", []rune{0x10FFFF}, -1, 0},
		{"low 16 bits of a value are not the value", []rune{0x20041}, -1, 0},
		{"low 21 bits of a value are not the value", []rune{0x200041}, 0, KindTooLarge},
		{"one bad unit behind dense text", append([]rune(strings.Repeat("é", 16)), 0xDFFF), 16, KindSurrogate},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *Error
			if c.kind != 0 {
				want = &Error{Encoding: UTF32LE, Offset: c.off, Len: 1, Kind: c.kind}
			}
			if got := CheckUTF32(c.runes); !isError(got, want) {
				t.Fatalf("CheckUTF32: %+v, want %+v", got, want)
			}
			checkUTF32(t, c.runes)
			for _, from := range []Encoding{UTF32LE, UTF32BE} {
				for _, to := range everyEncoding {
					checkRoutes(t, bytes32(c.runes, from), from, to)
				}
			}
		})
	}
	t.Run("1 to 3 bytes at the end are one sequence", func(t *testing.T) {
		for _, from := range []Encoding{UTF32LE, UTF32BE} {
			src := bytes32([]rune{'a', 'b'}, from)
			for n := 5; n < 8; n++ {
				require.Equal(t, &Error{Encoding: from, Offset: 4, Len: n - 4, Kind: KindTruncated}, Check(src[:n], from))
				for p, want := range map[Policy]string{Replace: "a\uFFFD", ReplaceBytes: "a\uFFFD", Skip: "a"} {
					got, err := Transcoder{From: from, OnError: p}.String(src[:n])
					require.NoError(t, err)
					require.Equal(t, want, got)
				}
			}
		}
	})
	t.Run("string(runes) and Replace agree", func(t *testing.T) {
		got, err := Transcoder{From: UTF32LE, OnError: Replace}.String(bytes32(boundaryRunes, UTF32LE))
		require.NoError(t, err)
		require.Equal(t, string(boundaryRunes), got)
	})
}
