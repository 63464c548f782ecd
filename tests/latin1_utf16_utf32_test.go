package tests

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// TestLatin1AllShortStrings takes all strings of one and two bytes through every function with a Latin-1 source.
func TestLatin1AllShortStrings(t *testing.T) {
	t.Parallel()
	for a := range 256 {
		check.Latin1(t, []byte{byte(a)})
		for b := 0; b < 256; b += texts.Thin(1, 51) {
			check.Latin1(t, []byte{byte(a), byte(b)})
		}
	}
}

// TestLatin1EveryPosition puts a byte from 80 on at every position of every length, alone and next to another.
func TestLatin1EveryPosition(t *testing.T) {
	t.Parallel()
	for n := 0; n <= 80; n += texts.Thin(1, 9) {
		for at := range n {
			text := []byte(strings.Repeat("a", n))
			for _, b := range []byte{0x80, 0xBF, 0xC0, 0xFF} {
				text[at] = b
				check.Latin1(t, text)
			}
			if at+1 < n {
				text[at+1] = 0xE9
				check.Latin1(t, text)
			}
		}
	}
}

// TestLatin1Texts takes longer texts, from none to all of their characters above U+007F.
func TestLatin1Texts(t *testing.T) {
	t.Parallel()
	r := texts.Rand(7)
	for n := 0; n <= 300; n += texts.ShortThin(n, 29) {
		for _, share := range []int{0, 3, 25, 50, 100} {
			text := make([]byte, n)
			for i := range text {
				text[i] = byte(r.Next()) & 0x7F
				if r.Intn(100) < share {
					text[i] |= 0x80
				}
			}
			check.Latin1(t, text)
			check.UTF8(t, transcode.AppendUTF8FromLatin1(nil, text))
		}
	}
	long := make([]byte, 200001)
	for i := range long {
		long[i] = byte(i * 7)
	}
	check.Latin1(t, long)
}

// TestLatin1RoundTrip: every byte survives the way through every encoding that holds it.
func TestLatin1RoundTrip(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, via := range check.Encodings {
		if via == transcode.ASCII {
			continue
		}
		there, err := transcode.Append(nil, via, all, transcode.Latin1)
		require.NoError(t, err)
		back, err := transcode.Append(nil, transcode.Latin1, there, via)
		require.NoError(t, err)
		require.Equal(t, all, back, via)
	}
	utf16, err := transcode.AppendLatin1FromUTF16(nil, transcode.AppendUTF16FromLatin1(nil, all))
	require.NoError(t, err)
	require.Equal(t, all, utf16)
	utf32, err := transcode.AppendLatin1FromUTF32(nil, transcode.AppendUTF32FromLatin1(nil, all))
	require.NoError(t, err)
	require.Equal(t, all, utf32)
}

// TestLatin1Unencodable puts a character that Latin-1 cannot hold, and one fault, at every position of a text, in every
// order: the first of them counts, and at one place ill-formed counts.
func TestLatin1Unencodable(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"a", "é"} {
		for n := 0; n <= 70; n += texts.Thin(1, 11) {
			for _, wide := range []string{"Ā", "\u07FF", "\u0800", "中", "\uFFFF", "😀", "\U00050005", "\U000CFFFF", "\U0010FFFF"} {
				text := strings.Repeat(filler, n)
				for _, src := range []string{text + wide, text + wide + text, text + wide + "\xFF", text + "\xFF" + wide, text + wide[:1], text + wide[:1] + "a"} {
					check.UTF8(t, []byte(src))
					check.Pair(t, transcode.Transcoder{To: transcode.Latin1}, []byte(src))
					check.Pair(t, transcode.Transcoder{To: transcode.ASCII}, []byte(src))
				}
				units := transcode.AppendValidUTF16FromUTF8(nil, text+wide+text)
				check.UTF16(t, units)
				units[n] = 0xDC00
				check.UTF16(t, units)
				runes := []rune(text + wide + text)
				check.UTF32(t, runes)
				runes[n] = -0xFF
				check.UTF32(t, runes)
			}
		}
	}
}

// TestKnownTroublesLatin1 has mix-ups of the one-byte encodings that other programs shipped.
func TestKnownTroublesLatin1(t *testing.T) {
	t.Run("Latin-1 is not ASCII", func(t *testing.T) { // bytes from 80 on copied as they are
		require.Equal(t, "caf\xC3\xA9", string(transcode.AppendUTF8FromLatin1(nil, "caf\xE9")))
		require.False(t, transcode.IsASCII("caf\xE9"))
		_, err := transcode.Append(nil, transcode.UTF8, "caf\xE9", transcode.ASCII)
		require.Equal(t, &transcode.Error{Encoding: transcode.ASCII, Offset: 3, Len: 1, Kind: transcode.KindTooLarge}, err)
	})
	t.Run("UTF-8 that fits Latin-1 is not Latin-1", func(t *testing.T) {
		got, err := transcode.AppendLatin1FromUTF8(nil, "café")
		require.NoError(t, err)
		require.Equal(t, "caf\xE9", string(got))
		require.Equal(t, "cafÃ©", string(transcode.AppendUTF8FromLatin1(nil, "café")))
	})
	t.Run("Latin-1 is not windows-1252", func(t *testing.T) {
		require.Equal(t, "\u0080\u0085\u009F", string(transcode.AppendUTF8FromLatin1(nil, "\x80\x85\x9F")))
		_, err := transcode.AppendLatin1FromUTF8(nil, "€")
		require.Equal(t, &transcode.Error{Encoding: transcode.UTF8, Offset: 0, Len: 3, Kind: transcode.KindUnencodable, Rune: '€'}, err)
	})
	t.Run("low byte of a wide character is not taken", func(t *testing.T) {
		got, err := transcode.AppendLatin1FromUTF16(nil, []uint16{'a', 0x0141, 'b'})
		require.Equal(t, "a", string(got))
		require.Equal(t, &transcode.Error{Encoding: transcode.UTF16LE, Offset: 1, Len: 1, Kind: transcode.KindUnencodable, Rune: 0x141}, err)
	})
	t.Run("big-endian units keep their order", func(t *testing.T) { // simdutf#461: 20 20 came out of 00 20
		got, err := transcode.Append(nil, transcode.Latin1, "\x00 \x00\xE9\x00 ", transcode.UTF16BE)
		require.NoError(t, err)
		require.Equal(t, " \xE9 ", string(got))
		_, err = transcode.Append(nil, transcode.Latin1, "\x20\x00", transcode.UTF16BE)
		require.Equal(t, &transcode.Error{Encoding: transcode.UTF16BE, Len: 2, Kind: transcode.KindUnencodable, Rune: 0x2000}, err)
	})
	t.Run("question mark in the source is not counted", func(t *testing.T) {
		s := transcode.Transcoder{To: transcode.Latin1, OnError: transcode.Replace}.NewStream()
		dst := make([]byte, 16)
		n, _, err := s.Transform(dst, []byte("??中"), true)
		require.NoError(t, err)
		require.Equal(t, "???", string(dst[:n]))
		require.EqualValues(t, 1, s.Replaced())
	})
}

// TestUTF16BoundaryStrings takes all strings of code units around the class boundaries.
func TestUTF16BoundaryStrings(t *testing.T) {
	inParallel(t, len(texts.BoundaryUnits), func(t *testing.T, i int) {
		check.UTF16(t, nil)
		buf := make([]uint16, 0, 8)
		for n := range texts.Thin(4, 2) {
			texts.EveryWord(texts.BoundaryUnits, n, func(tail []uint16) {
				check.UTF16(t, append(append(buf, texts.BoundaryUnits[i]), tail...))
			})
		}
	})
}

// TestUTF16EveryUnit takes every code unit, alone, in ASCII, and behind a high and before a low surrogate.
func TestUTF16EveryUnit(t *testing.T) {
	t.Parallel()
	for u := 0; u <= 0xFFFF; u += texts.Thin(1, 257) {
		check.UTF16(t, []uint16{uint16(u)})
		if u%texts.Thin(4, 16) == 0 {
			check.UTF16(t, []uint16{'a', 'b', 'c', 'd', uint16(u), 'e', 'f', 'g', 'h'})
			check.UTF16(t, []uint16{0xD83D, uint16(u), 0xDE00})
		}
	}
}

// TestUTF16PairClassesAtEveryPosition puts each pair of classes of code units at every position of fillers of each class.
func TestUTF16PairClassesAtEveryPosition(t *testing.T) {
	classes := []uint16{'a', 0xE9, 0x07FF, 0x4E2D, 0xD83D, 0xDE00}
	inParallel(t, len(texts.Fillers), func(t *testing.T, i int) {
		for before := 0; before <= 70; before += texts.Thin(1, 7) {
			head := oracle.EncodeUnits(texts.Fill(texts.Fillers[i], before))
			for _, after := range []int{0, 1, 3, 31, 32} {
				tail := oracle.EncodeUnits(texts.Fill(texts.Fillers[i], after))
				for _, a := range classes {
					for _, b := range classes {
						check.UTF16(t, slices.Concat(head, []uint16{a, b}, tail))
					}
				}
			}
		}
	})
}

// TestUTF16PairsAsBytes does the same with bytes in both orders, where a byte too few and one too many matter too.
func TestUTF16PairsAsBytes(t *testing.T) {
	classes := []uint16{'a', 0xE9, 0x4E2D, 0xD83D, 0xDE00}
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		to := check.Encodings[i]
		for _, from := range []transcode.Encoding{transcode.UTF16LE, transcode.UTF16BE} {
			for before := 0; before < 40; before += texts.Thin(1, 9) {
				for _, a := range classes {
					for _, b := range classes {
						units := append(slices.Repeat([]uint16{'a'}, before), a, b, 'z')
						src := oracle.Bytes16(units, from)
						for cut := range 6 {
							if (before+cut)%texts.Thin(1, 3) == 0 {
								check.Pair(t, transcode.Transcoder{From: from, To: to}, src[:len(src)-cut])
							}
						}
						check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: transcode.Replace}, src[:len(src)-3])
						check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: transcode.ReplaceBytes}, src[:len(src)-3])
					}
				}
			}
		}
	})
}

// TestUTF16Texts takes texts of every script, cut at every unit, and damaged.
func TestUTF16Texts(t *testing.T) {
	t.Parallel()
	for _, script := range texts.Scripts {
		units := utf16.Encode([]rune(texts.Of(script, 160)))
		for n := 0; n <= len(units); n += texts.ShortThin(n, 13) {
			check.UTF16(t, units[:n])
			check.UTF16(t, units[n:])
		}
		r := texts.Rand(len(script) + 200)
		for range texts.Thin(400, 20) {
			damaged := slices.Clone(units[:r.Intn(len(units))])
			for range r.Intn(4) {
				if len(damaged) > 0 {
					damaged[r.Intn(len(damaged))] = texts.Pick(&r, texts.BoundaryUnits)
				}
			}
			check.UTF16(t, damaged)
		}
		check.UTF16(t, utf16.Encode([]rune(texts.Of(script, 70001))))
	}
}

// TestKnownTroublesUTF16 has inputs that other libraries got wrong, with what is right.
func TestKnownTroublesUTF16(t *testing.T) {
	for _, c := range []struct {
		name  string
		units []uint16
		want  []rune // with U+FFFD for what is ill-formed
		off   int64  // of the first fault
		kind  transcode.ErrorKind
	}{
		{"two low surrogates are two faults", []uint16{0xDC00, 0xDC01}, []rune{0xFFFD, 0xFFFD}, 0, transcode.KindSurrogate}, // golang/go#39492
		{"high surrogate keeps the unit behind it", []uint16{0xD800, 'a'}, []rune{0xFFFD, 'a'}, 0, transcode.KindSurrogate},
		{"high surrogate before a pair", []uint16{0xD83D, 0xD83D, 0xDE00}, []rune{0xFFFD, 0x1F600}, 0, transcode.KindSurrogate},
		{"low surrogate behind a pair", []uint16{0xD83D, 0xDE00, 0xDE00}, []rune{0x1F600, 0xFFFD}, 2, transcode.KindSurrogate},
		{"single high surrogate", []uint16{0xDBFF}, []rune{0xFFFD}, 0, transcode.KindTruncated},
		{"high surrogate last", []uint16{'a', 0xD83D}, []rune{'a', 0xFFFD}, 1, transcode.KindTruncated},
		{"lone low surrogate in two units", []uint16{'a', 0xDC00}, []rune{'a', 0xFFFD}, 1, transcode.KindSurrogate}, // simdutf#445
		{"byte order mark behind a high surrogate is text", []uint16{0xD800, 0xFEFF}, []rune{0xFFFD, 0xFEFF}, 0, transcode.KindSurrogate},
		{"noncharacters are text", []uint16{0xFFFE, 0xFFFF, 0xFDD0}, []rune{0xFFFE, 0xFFFF, 0xFDD0}, -1, 0},
		{"31 units and a pair", append(slices.Repeat([]uint16{'a'}, 31), 0xD83D, 0xDE00), append(slices.Repeat([]rune{'a'}, 31), 0x1F600), -1, 0},
		{"pair across the 32nd unit, low one missing", append(slices.Repeat([]uint16{0x4E2D}, 31), 0xD83D, 0x4E2D),
			append(slices.Repeat([]rune{0x4E2D}, 31), 0xFFFD, 0x4E2D), 31, transcode.KindSurrogate},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *transcode.Error
			if c.kind != 0 {
				want = &transcode.Error{Encoding: transcode.UTF16LE, Offset: c.off, Len: 1, Kind: c.kind}
			}
			if got := transcode.CheckUTF16(c.units); !check.IsError(got, want) {
				t.Fatalf("CheckUTF16: %+v, want %+v", got, want)
			}
			require.Equal(t, string(c.want), string(transcode.AppendValidUTF8FromUTF16(nil, c.units)))
			check.UTF16(t, c.units)
			for _, from := range []transcode.Encoding{transcode.UTF16LE, transcode.UTF16BE} {
				got, err := transcode.Transcoder{From: from, OnError: transcode.Replace}.Append(nil, oracle.Bytes16(c.units, from))
				require.NoError(t, err)
				require.Equal(t, string(c.want), string(got))
				for _, to := range check.Encodings {
					check.Errors(t, oracle.Bytes16(c.units, from), from, to)
				}
			}
		})
	}
	replaced := func(t *testing.T, src string, from transcode.Encoding) (string, int64) {
		t.Helper()
		v := check.Transcode(transcode.Transcoder{From: from, OnError: transcode.Replace}, []byte(src))
		s := transcode.Transcoder{From: from, OnError: transcode.Replace}.NewStream()
		dst := make([]byte, 64)
		n, _, err := s.Transform(dst, []byte(src), true)
		require.NoError(t, err)
		require.Equal(t, string(v.Out), string(dst[:n]))
		return string(dst[:n]), s.Replaced()
	}
	t.Run("odd byte at the end is never dropped", func(t *testing.T) {
		for _, from := range []transcode.Encoding{transcode.UTF16LE, transcode.UTF16BE} {
			src := oracle.Bytes16([]uint16{'a', 'b'}, from)
			got, n := replaced(t, string(src[:3]), from)
			require.Equal(t, "a\uFFFD", got)
			require.EqualValues(t, 1, n)
			require.Equal(t, &transcode.Error{Encoding: from, Offset: 2, Len: 1, Kind: transcode.KindTruncated}, transcode.Check(src[:3], from))
		}
	})
	t.Run("high surrogate and odd byte are one sequence", func(t *testing.T) {
		got, n := replaced(t, "\xD8\x3D\xDE", transcode.UTF16BE)
		require.Equal(t, "\uFFFD", got)
		require.EqualValues(t, 1, n)
		require.Equal(t, &transcode.Error{Encoding: transcode.UTF16BE, Len: 3, Kind: transcode.KindTruncated}, transcode.Check("\xD8\x3D\xDE", transcode.UTF16BE))
		s := transcode.Transcoder{From: transcode.UTF16BE, OnError: transcode.ReplaceBytes}
		out, err := s.String([]byte("\xD8\x3D\xDE"))
		require.NoError(t, err)
		require.Equal(t, "\uFFFD\uFFFD", out)
	})
	t.Run("both orders give the same text", func(t *testing.T) {
		for _, script := range texts.Scripts {
			units := utf16.Encode([]rune(texts.Of(script, 97)))
			le, err := transcode.Append(nil, transcode.UTF8, oracle.Bytes16(units, transcode.UTF16LE), transcode.UTF16LE)
			require.NoError(t, err)
			be, err := transcode.Append(nil, transcode.UTF8, oracle.Bytes16(units, transcode.UTF16BE), transcode.UTF16BE)
			require.NoError(t, err)
			require.Equal(t, string(le), string(be))
		}
	})
	t.Run("odd alignment of the bytes", func(t *testing.T) {
		src := append([]byte{0xFF}, oracle.Bytes16(utf16.Encode([]rune(texts.Of("mixed", 300))), transcode.UTF16LE)...)
		got, err := transcode.Append(nil, transcode.UTF8, src[1:], transcode.UTF16LE)
		require.NoError(t, err)
		require.Equal(t, texts.Of("mixed", 300), string(got))
		room := make([]byte, 1, 2000) // and of the destination
		got, err = transcode.Append(room, transcode.UTF16BE, src[1:], transcode.UTF16LE)
		require.NoError(t, err)
		back, err := transcode.Append(room, transcode.UTF16LE, slices.Clone(got[1:]), transcode.UTF16BE)
		require.NoError(t, err)
		require.Equal(t, src[1:], back[1:])
	})
}

// TestUTF32BoundaryStrings takes all strings of values around the class boundaries, code points or not.
func TestUTF32BoundaryStrings(t *testing.T) {
	inParallel(t, len(texts.BoundaryRunes), func(t *testing.T, i int) {
		check.UTF32(t, nil)
		buf := make([]rune, 0, 8)
		for n := range texts.Thin(4, 2) {
			texts.EveryWord(texts.BoundaryRunes, n, func(tail []rune) {
				check.UTF32(t, append(append(buf, texts.BoundaryRunes[i]), tail...))
			})
		}
	})
}

// TestUTF32EveryPosition puts each boundary value at every position of fillers of every class.
func TestUTF32EveryPosition(t *testing.T) {
	inParallel(t, len(texts.Fillers), func(t *testing.T, i int) {
		for before := 0; before <= 40; before += texts.Thin(1, 7) {
			for _, after := range []int{0, 1, 3, 16} {
				for k, r := range texts.BoundaryRunes {
					check.UTF32(t, slices.Concat(texts.Fill(texts.Fillers[i], before), []rune{r}, texts.Fill(texts.Fillers[i], after)))
					if (before+after)%texts.Thin(1, 4) == 0 { // and another one in the same block
						other := texts.BoundaryRunes[(k*7+before)%len(texts.BoundaryRunes)]
						check.UTF32(t, slices.Concat(texts.Fill(texts.Fillers[i], before), []rune{r}, texts.Fill(texts.Fillers[i], after%4), []rune{other}))
					}
				}
			}
		}
	})
}

// TestUTF32AsBytes takes bytes in both orders, with 0 to 3 bytes too few.
func TestUTF32AsBytes(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		to := check.Encodings[i]
		for _, from := range []transcode.Encoding{transcode.UTF32LE, transcode.UTF32BE} {
			for before := 0; before <= 20; before += texts.Thin(1, 6) {
				for _, r := range texts.BoundaryRunes {
					src := oracle.Bytes32(append(slices.Repeat([]rune{'a'}, before), r, 'z'), from)
					for cut := range 8 {
						check.Pair(t, transcode.Transcoder{From: from, To: to}, src[:len(src)-cut])
					}
					for _, p := range []transcode.Policy{transcode.Replace, transcode.ReplaceBytes, transcode.Skip} {
						check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: p}, src[:len(src)-before%4])
					}
				}
			}
		}
	})
}

func TestUTF32Texts(t *testing.T) {
	t.Parallel()
	for _, script := range texts.Scripts {
		for n := 0; n <= 160; n += texts.ShortThin(n, 23) {
			check.UTF32(t, []rune(texts.Of(script, n)))
		}
		check.UTF32(t, []rune(texts.Of(script, 70001)))
	}
}

// TestKnownTroublesUTF32 has inputs that other libraries got wrong, with what is right.
func TestKnownTroublesUTF32(t *testing.T) {
	for _, c := range []struct {
		name  string
		runes []rune
		off   int64
		kind  transcode.ErrorKind
	}{
		{"bit 31 set", []rune{-0x7FFFFFE0}, 0, transcode.KindTooLarge}, // simdutf#453: a signed pack made it small
		{"all bits set", []rune{'a', -1}, 1, transcode.KindTooLarge},
		{"surrogate before a value too large", []rune{'a', 0xD800, 'b', 0x110000}, 1, transcode.KindSurrogate}, // simdutf#438
		{"value too large before a surrogate", []rune{'a', 0x110000, 'b', 0xD800}, 1, transcode.KindTooLarge},
		{"surrogates do not pair", []rune{0xD83D, 0xDE00}, 0, transcode.KindSurrogate},
		{"last code point", []rune{0x10FFFF}, -1, 0},
		{"low 16 bits of a value are not the value", []rune{0x20041}, -1, 0},
		{"low 21 bits of a value are not the value", []rune{0x200041}, 0, transcode.KindTooLarge},
		{"one bad unit behind dense text", append([]rune(strings.Repeat("é", 16)), 0xDFFF), 16, transcode.KindSurrogate},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *transcode.Error
			if c.kind != 0 {
				want = &transcode.Error{Encoding: transcode.UTF32LE, Offset: c.off, Len: 1, Kind: c.kind}
			}
			if got := transcode.CheckUTF32(c.runes); !check.IsError(got, want) {
				t.Fatalf("CheckUTF32: %+v, want %+v", got, want)
			}
			check.UTF32(t, c.runes)
			for _, from := range []transcode.Encoding{transcode.UTF32LE, transcode.UTF32BE} {
				for _, to := range check.Encodings {
					check.Errors(t, oracle.Bytes32(c.runes, from), from, to)
				}
			}
		})
	}
	t.Run("1 to 3 bytes at the end are one sequence", func(t *testing.T) {
		for _, from := range []transcode.Encoding{transcode.UTF32LE, transcode.UTF32BE} {
			src := oracle.Bytes32([]rune{'a', 'b'}, from)
			for n := 5; n < 8; n++ {
				require.Equal(t, &transcode.Error{Encoding: from, Offset: 4, Len: n - 4, Kind: transcode.KindTruncated}, transcode.Check(src[:n], from))
				for p, want := range map[transcode.Policy]string{transcode.Replace: "a\uFFFD", transcode.ReplaceBytes: "a\uFFFD", transcode.Skip: "a"} {
					got, err := transcode.Transcoder{From: from, OnError: p}.String(src[:n])
					require.NoError(t, err)
					require.Equal(t, want, got)
				}
			}
		}
	})
	t.Run("string(runes) and Replace agree", func(t *testing.T) {
		got, err := transcode.Transcoder{From: transcode.UTF32LE, OnError: transcode.Replace}.String(oracle.Bytes32(texts.BoundaryRunes, transcode.UTF32LE))
		require.NoError(t, err)
		require.Equal(t, string(texts.BoundaryRunes), got)
	})
}
