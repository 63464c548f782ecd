package transcode

import (
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// TestUTF16BoundaryStrings takes all strings of code units around the class boundaries.
func TestUTF16BoundaryStrings(t *testing.T) {
	inParallel(t, len(boundaryUnits), func(t *testing.T, i int) {
		checkUTF16(t, nil)
		buf := make([]uint16, 0, 8)
		for n := range thin(4, 2) {
			everyWord(boundaryUnits, n, func(tail []uint16) {
				checkUTF16(t, append(append(buf, boundaryUnits[i]), tail...))
			})
		}
	})
}

// TestUTF16EveryUnit takes every code unit, alone, in ASCII, and behind a high and before a low surrogate.
func TestUTF16EveryUnit(t *testing.T) {
	t.Parallel()
	for u := 0; u <= 0xFFFF; u += thin(1, 257) {
		checkUTF16(t, []uint16{uint16(u)})
		if u%thin(4, 16) == 0 {
			checkUTF16(t, []uint16{'a', 'b', 'c', 'd', uint16(u), 'e', 'f', 'g', 'h'})
			checkUTF16(t, []uint16{0xD83D, uint16(u), 0xDE00})
		}
	}
}

// TestUTF16PairClassesAtEveryPosition puts each pair of classes of code units at every position of fillers of each class.
func TestUTF16PairClassesAtEveryPosition(t *testing.T) {
	classes := []uint16{'a', 0xE9, 0x07FF, 0x4E2D, 0xD83D, 0xDE00}
	inParallel(t, len(fillers), func(t *testing.T, i int) {
		for before := 0; before <= 70; before += thin(1, 7) {
			head := encodeUnits(fill(fillers[i], before))
			for _, after := range []int{0, 1, 3, 31, 32} {
				tail := encodeUnits(fill(fillers[i], after))
				for _, a := range classes {
					for _, b := range classes {
						checkUTF16(t, slices.Concat(head, []uint16{a, b}, tail))
					}
				}
			}
		}
	})
}

// TestUTF16PairsAsBytes does the same with bytes in both orders, where a byte too few and one too many matter too.
func TestUTF16PairsAsBytes(t *testing.T) {
	classes := []uint16{'a', 0xE9, 0x4E2D, 0xD83D, 0xDE00}
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		to := everyEncoding[i]
		for _, from := range []Encoding{UTF16LE, UTF16BE} {
			for before := 0; before < 40; before += thin(1, 9) {
				for _, a := range classes {
					for _, b := range classes {
						units := append(slices.Repeat([]uint16{'a'}, before), a, b, 'z')
						src := bytes16(units, from)
						for cut := range 6 {
							if (before+cut)%thin(1, 3) == 0 {
								checkPair(t, Transcoder{From: from, To: to}, src[:len(src)-cut])
							}
						}
						checkPair(t, Transcoder{From: from, To: to, OnError: Replace}, src[:len(src)-3])
						checkPair(t, Transcoder{From: from, To: to, OnError: ReplaceBytes}, src[:len(src)-3])
					}
				}
			}
		}
	})
}

// TestUTF16Texts takes texts of every script, cut at every unit, and damaged.
func TestUTF16Texts(t *testing.T) {
	t.Parallel()
	for _, script := range textScripts {
		units := utf16.Encode([]rune(genText(script, 160)))
		for n := 0; n <= len(units); n += shortThin(n, 13) {
			checkUTF16(t, units[:n])
			checkUTF16(t, units[n:])
		}
		r := rng(len(script) + 200)
		for range thin(400, 20) {
			damaged := slices.Clone(units[:r.intn(len(units))])
			for range r.intn(4) {
				if len(damaged) > 0 {
					damaged[r.intn(len(damaged))] = pick(&r, boundaryUnits)
				}
			}
			checkUTF16(t, damaged)
		}
		checkUTF16(t, utf16.Encode([]rune(genText(script, 70001))))
	}
}

// TestKnownTroublesUTF16 has inputs that other libraries got wrong, with what is right.
func TestKnownTroublesUTF16(t *testing.T) {
	for _, c := range []struct {
		name  string
		units []uint16
		want  []rune // with U+FFFD for what is ill-formed
		off   int64  // of the first fault
		kind  ErrorKind
	}{
		{"two low surrogates are two faults", []uint16{0xDC00, 0xDC01}, []rune{0xFFFD, 0xFFFD}, 0, KindSurrogate}, // golang/go#39492
		{"high surrogate keeps the unit behind it", []uint16{0xD800, 'a'}, []rune{0xFFFD, 'a'}, 0, KindSurrogate},
		{"high surrogate before a pair", []uint16{0xD83D, 0xD83D, 0xDE00}, []rune{0xFFFD, 0x1F600}, 0, KindSurrogate},
		{"low surrogate behind a pair", []uint16{0xD83D, 0xDE00, 0xDE00}, []rune{0x1F600, 0xFFFD}, 2, KindSurrogate},
		{"single high surrogate", []uint16{0xDBFF}, []rune{0xFFFD}, 0, KindTruncated},
		{"high surrogate last", []uint16{'a', 0xD83D}, []rune{'a', 0xFFFD}, 1, KindTruncated},
		{"lone low surrogate in two units", []uint16{'a', 0xDC00}, []rune{'a', 0xFFFD}, 1, KindSurrogate}, // simdutf#445
		{"byte order mark behind a high surrogate is text", []uint16{0xD800, 0xFEFF}, []rune{0xFFFD, 0xFEFF}, 0, KindSurrogate},
		{"noncharacters are text", []uint16{0xFFFE, 0xFFFF, 0xFDD0}, []rune{0xFFFE, 0xFFFF, 0xFDD0}, -1, 0},
		{"31 units and a pair", append(slices.Repeat([]uint16{'a'}, 31), 0xD83D, 0xDE00), append(slices.Repeat([]rune{'a'}, 31), 0x1F600), -1, 0},
		{"pair across the 32nd unit, low one missing", append(slices.Repeat([]uint16{0x4E2D}, 31), 0xD83D, 0x4E2D),
			append(slices.Repeat([]rune{0x4E2D}, 31), 0xFFFD, 0x4E2D), 31, KindSurrogate},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *Error
			if c.kind != 0 {
				want = &Error{Encoding: UTF16LE, Offset: c.off, Len: 1, Kind: c.kind}
			}
			if got := CheckUTF16(c.units); !isError(got, want) {
				t.Fatalf("CheckUTF16: %+v, want %+v", got, want)
			}
			require.Equal(t, string(c.want), string(AppendValidUTF8FromUTF16(nil, c.units)))
			checkUTF16(t, c.units)
			for _, from := range []Encoding{UTF16LE, UTF16BE} {
				got, err := Transcoder{From: from, OnError: Replace}.Append(nil, bytes16(c.units, from))
				require.NoError(t, err)
				require.Equal(t, string(c.want), string(got))
				for _, to := range everyEncoding {
					checkRoutes(t, bytes16(c.units, from), from, to)
				}
			}
		})
	}
	replaced := func(t *testing.T, src string, from Encoding) (string, int64) {
		t.Helper()
		v := oracleTranscode(Transcoder{From: from, OnError: Replace}, []byte(src))
		s := Transcoder{From: from, OnError: Replace}.NewStream()
		dst := make([]byte, 64)
		n, _, err := s.Transform(dst, []byte(src), true)
		require.NoError(t, err)
		require.Equal(t, string(v.out), string(dst[:n]))
		return string(dst[:n]), s.Replaced()
	}
	t.Run("odd byte at the end is never dropped", func(t *testing.T) {
		for _, from := range []Encoding{UTF16LE, UTF16BE} {
			src := bytes16([]uint16{'a', 'b'}, from)
			got, n := replaced(t, string(src[:3]), from)
			require.Equal(t, "a\uFFFD", got)
			require.EqualValues(t, 1, n)
			require.Equal(t, &Error{Encoding: from, Offset: 2, Len: 1, Kind: KindTruncated}, Check(src[:3], from))
		}
	})
	t.Run("high surrogate and odd byte are one sequence", func(t *testing.T) {
		got, n := replaced(t, "\xD8\x3D\xDE", UTF16BE)
		require.Equal(t, "\uFFFD", got)
		require.EqualValues(t, 1, n)
		require.Equal(t, &Error{Encoding: UTF16BE, Len: 3, Kind: KindTruncated}, Check("\xD8\x3D\xDE", UTF16BE))
		s := Transcoder{From: UTF16BE, OnError: ReplaceBytes}
		out, err := s.String([]byte("\xD8\x3D\xDE"))
		require.NoError(t, err)
		require.Equal(t, "\uFFFD\uFFFD", out)
	})
	t.Run("both orders give the same text", func(t *testing.T) {
		for _, script := range textScripts {
			units := utf16.Encode([]rune(genText(script, 97)))
			le, err := Append(nil, UTF8, bytes16(units, UTF16LE), UTF16LE)
			require.NoError(t, err)
			be, err := Append(nil, UTF8, bytes16(units, UTF16BE), UTF16BE)
			require.NoError(t, err)
			require.Equal(t, string(le), string(be))
		}
	})
	t.Run("odd alignment of the bytes", func(t *testing.T) {
		src := append([]byte{0xFF}, bytes16(utf16.Encode([]rune(genText("mixed", 300))), UTF16LE)...)
		got, err := Append(nil, UTF8, src[1:], UTF16LE)
		require.NoError(t, err)
		require.Equal(t, genText("mixed", 300), string(got))
		room := make([]byte, 1, 2000) // and of the destination
		got, err = Append(room, UTF16BE, src[1:], UTF16LE)
		require.NoError(t, err)
		back, err := Append(room, UTF16LE, slices.Clone(got[1:]), UTF16BE)
		require.NoError(t, err)
		require.Equal(t, src[1:], back[1:])
	})
}
