package tests

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// rawEncode encodes r by the pattern of e without looking at whether that is allowed. ok is false where e has no pattern for r.
func rawEncode(r uint32, e transcode.Encoding) (b []byte, ok bool) {
	switch e {
	case transcode.UTF8:
		return oracle.RawUTF8(r), true
	case transcode.UTF16LE, transcode.UTF16BE:
		if r > 0x10FFFF {
			return nil, false
		}
		return oracle.Bytes16(oracle.Units(rune(r)), e), true
	case transcode.UTF32LE, transcode.UTF32BE:
		return oracle.Bytes32([]rune{rune(r)}, e), true
	}
	return []byte{byte(r)}, r <= 0xFF
}

// boundaryCharacters has the code points around the class boundaries in every encoding's own pattern.
func boundaryCharacters(e transcode.Encoding) [][]byte {
	var out [][]byte
	for _, r := range []uint32{'a', 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 0x110000} {
		if b, ok := rawEncode(r, e); ok {
			out = append(out, b)
		}
	}
	return out
}

// configurations calls fn with every combination of target, policies and AddBOM for a source encoding.
func configurations(from transcode.Encoding, fn func(tr transcode.Transcoder)) {
	for _, to := range check.Encodings {
		for _, p := range check.Policies {
			for _, b := range check.BOMPolicies {
				fn(transcode.Transcoder{From: from, To: to, OnError: p, BOM: b, AddBOM: false})
				fn(transcode.Transcoder{From: from, To: to, OnError: p, BOM: b, AddBOM: true})
			}
		}
	}
}

// shortSources returns short texts in encoding e with everything that a stream must keep apart: characters of every length,
// faults of every kind, and byte order marks of every encoding at the start, doubled, cut short, and further behind.
func shortSources(e transcode.Encoding) [][]byte {
	out := [][]byte{nil}
	for _, s := range []string{
		"\xEF\xBB\xBF", "\xEF\xBB", "\xEF", "\xFF\xFE", "\xFF", "\xFE\xFF", "\xFE", "\xFF\xFE\x00\x00", "\xFF\xFE\x00",
		"\x00\x00\xFE\xFF", "\x00\x00\xFE", "\x00\x00", "\x00", "\xEF\xBB\xBFa\xEF\xBB\xBF", "\xEF\xBB\xBF\xEF\xBB\xBFa",
		"\xFF\xFE\xFF\xFEa\x00", "\xFE\xFF\xFE\xFF\x00a", "\x00\x00\xFE\xFF\x00\x00\xFE\xFF", "\xEF\xBB\xBE", "\xFF\xFE\x00\x01",
	} {
		out = append(out, []byte(s))
	}
	for _, row := range oracle.FaultTable {
		if transcode.Encoding(row.From) == e {
			out = append(out, []byte(row.Src))
		}
	}
	chars := boundaryCharacters(e)
	for i, a := range chars {
		out = append(out, a, slices.Concat(a, chars[(i+5)%len(chars)], chars[(i+8)%len(chars)]))
	}
	// A dropped or replaced sequence in front of U+FEFF, which AddBOM must look at.
	for _, bad := range []string{"\x80", "\xFF", "\x00\xDC", "\xDC\x00", "\x00\xDC\x00\x00", "\x00\x11\x00\x00"} {
		out = append(out, slices.Concat([]byte(bad), oracle.BOM(e), []byte("a\x00\x00\x00")))
	}
	return out
}

// TestEveryConfiguration takes short texts through every pair of encodings, policy, byte order mark policy and AddBOM.
func TestEveryConfiguration(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		for k, src := range shortSources(from) {
			if k%texts.Thin(1, 4) != 0 {
				continue
			}
			configurations(from, func(tr transcode.Transcoder) {
				check.Pair(t, tr, src)
				check.Text(t, tr, src)
			})
		}
	})
}

// TestPairsOfBoundaryCharacters takes all pairs and triples of characters around the class boundaries in each encoding.
func TestPairsOfBoundaryCharacters(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		n := 0
		texts.EveryWord(boundaryCharacters(from), texts.Thin(3, 2), func(chars [][]byte) {
			src := slices.Concat(chars...)
			for _, to := range check.Encodings {
				check.Pair(t, transcode.Transcoder{From: from, To: to}, src)
				check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: check.Policies[1+n%3]}, src)
				n++
			}
			check.Text(t, transcode.Transcoder{From: from, OnError: transcode.Replace}, src)
			if from == transcode.UTF8 {
				check.UTF8(t, src)
			}
		})
	})
}

// TestIdentityPairs: the same encoding on both sides checks and copies, and swaps nothing.
func TestIdentityPairs(t *testing.T) {
	for _, e := range check.Encodings {
		for _, script := range texts.Scripts {
			src, err := transcode.Transcoder{To: e, OnError: transcode.Replace}.Append(nil, []byte(texts.Of(script, 333)))
			require.NoError(t, err)
			got, err := transcode.Append([]byte("x"), e, src, e)
			require.NoError(t, err)
			require.Equal(t, "x"+string(src), string(got))
			got[1] ^= 0xFF
			require.NotEqual(t, got[1], src[0], "the result must not share memory with the source")
		}
	}
	for _, pair := range [][2]transcode.Encoding{{transcode.UTF16LE, transcode.UTF16BE}, {transcode.UTF32LE, transcode.UTF32BE}} {
		src, err := transcode.Append(nil, pair[0], texts.Of("mixed", 333), transcode.UTF8)
		require.NoError(t, err)
		swapped, err := transcode.Append(nil, pair[1], src, pair[0])
		require.NoError(t, err)
		require.NotEqual(t, src, swapped)
		back, err := transcode.Append(nil, pair[0], swapped, pair[1])
		require.NoError(t, err)
		require.Equal(t, src, back)
	}
}

// TestRoundTrips: text that both encodings hold comes back, for every script and length.
func TestRoundTrips(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		for _, script := range texts.Scripts {
			for n := 0; n < 140; n += texts.Thin(5, 37) {
				text := texts.Of(script, n)
				src, err := transcode.Append(nil, from, text, transcode.UTF8)
				if err != nil {
					require.ErrorIs(t, err, transcode.ErrUnencodable)
					continue
				}
				for _, to := range check.Encodings {
					check.Pair(t, transcode.Transcoder{From: from, To: to}, src)
				}
				back, err := transcode.Append(nil, transcode.UTF8, src, from)
				require.NoError(t, err)
				require.Equal(t, text, string(back))
			}
		}
	})
}

// TestLargePairs passes texts that are larger than any buffer inside, with a fault far behind.
func TestLargePairs(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		n := texts.Thin(70000, 3000)
		src, err := transcode.Transcoder{To: from, OnError: transcode.Skip}.Append(nil, []byte(texts.Of("ascii", n/2)+texts.Of("latin1", n/4)+texts.Of("mixed", n/4)))
		require.NoError(t, err)
		for _, to := range check.Encodings {
			check.Pair(t, transcode.Transcoder{From: from, To: to}, src)
			tr := transcode.Transcoder{From: from, To: to, OnError: transcode.Replace}
			check.Pair(t, tr, append(src[:len(src)-7:len(src)-7], 0xFF, 0xDC, 0x80, 0xDC, 0x80))
			check.Stream(t, tr.NewStream(), tr, check.Transcode(tr, src[:1500]), src[:1500], []int{1000, 1001, 1499}, []int{64})
		}
	})
}

// TestStreamSplits passes short texts in two and three pieces, at every place.
func TestStreamSplits(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		sources := shortSources(from)
		n := 0
		configurations(from, func(tr transcode.Transcoder) {
			s := tr.NewStream()
			for k, src := range sources {
				if (n+k)%texts.Thin(2, 41) != 0 {
					continue
				}
				v := check.Transcode(tr, src)
				dstLens := []int{8 + (n+k)%9}
				check.Stream(t, s, tr, v, src, nil, dstLens)
				var every []int
				for first := 0; first <= len(src); first++ {
					every = append(every, first)
					for second := first; second <= len(src); second++ {
						check.Stream(t, s, tr, v, src, []int{first, second}, dstLens)
					}
				}
				check.Stream(t, s, tr, v, src, every, dstLens) // byte by byte, an empty piece first
			}
			n++
		})
	})
}

// TestStreamDestinations converts into destinations of 0 to 16 bytes, the source whole, halved and byte by byte.
func TestStreamDestinations(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		sources := shortSources(from)
		n := 0
		configurations(from, func(tr transcode.Transcoder) {
			s := tr.NewStream()
			for k, src := range sources {
				if (n+k)%texts.Thin(2, 53) != 0 {
					continue
				}
				v := check.Transcode(tr, src)
				var every []int
				for at := range src {
					every = append(every, at)
				}
				for size := range 17 {
					check.Stream(t, s, tr, v, src, nil, []int{size})
					check.Stream(t, s, tr, v, src, []int{len(src) / 2}, []int{size, 0, 3})
					check.Stream(t, s, tr, v, src, every, []int{size})
				}
			}
			n++
		})
	})
}

// TestStreamTexts passes longer texts, damaged ones too, in random pieces.
func TestStreamTexts(t *testing.T) {
	inParallel(t, len(check.Encodings), func(t *testing.T, i int) {
		from := check.Encodings[i]
		r := texts.Rand(i)
		for range texts.Thin(3000, 150) {
			text := texts.Mutate(&r, texts.Of(texts.Pick(&r, texts.Scripts), r.Intn(120)), r.Intn(4))
			src, err := transcode.Transcoder{To: from, OnError: transcode.Skip}.Append(nil, text)
			require.NoError(t, err)
			src = texts.Mutate(&r, string(src), r.Intn(3))
			tr := transcode.Transcoder{From: from, To: texts.Pick(&r, check.Encodings), OnError: texts.Pick(&r, check.Policies), BOM: texts.Pick(&r, check.BOMPolicies), AddBOM: r.Intn(2) == 0}
			var cuts []int
			for at := 0; at < len(src); at += 1 + r.Intn(40) {
				cuts = append(cuts, at)
			}
			check.Stream(t, tr.NewStream(), tr, check.Transcode(tr, src), src, cuts, []int{r.Intn(64), r.Intn(64), 1 + r.Intn(20)})
		}
	})
}

// TestStreamCapacityExhaustedExactly: a destination that holds exactly the text is enough, one byte less is not.
func TestStreamCapacityExhaustedExactly(t *testing.T) {
	for _, from := range check.Encodings {
		for _, to := range check.Encodings {
			for _, script := range texts.Scripts {
				src, err := transcode.Transcoder{To: from, OnError: transcode.Replace}.Append(nil, []byte(texts.Of(script, 61)))
				require.NoError(t, err)
				tr := transcode.Transcoder{From: from, To: to, OnError: transcode.Replace}
				v := check.Transcode(tr, src)
				dst := make([]byte, len(v.Out))
				nDst, nSrc, err := tr.NewStream().Transform(dst, src, true)
				require.NoError(t, err)
				require.Equal(t, len(src), nSrc)
				require.Equal(t, v.Out, dst[:nDst])
				if len(dst) > 0 {
					nDst, nSrc, err = tr.NewStream().Transform(dst[:len(dst)-1], src, true)
					require.Equal(t, transcode.ErrShortDst, err)
					last := v.Steps[len(v.Steps)-1]
					require.Equal(t, last.Off, nSrc, "all but the last character")
					require.Equal(t, len(v.Out)-len(last.Out), nDst)
				}
			}
		}
	}
}

func TestUnknownConfiguration(t *testing.T) {
	const e = transcode.Encoding(7)
	plainError := func(err error, message string) {
		t.Helper()
		require.EqualError(t, err, message)
		require.NotErrorAs(t, err, new(*transcode.Error))
	}
	for _, value := range []transcode.Encoding{7, 9, 255} {
		message := fmt.Sprintf("transcode: unknown encoding %d", value)
		plainError(transcode.Check("a", value), message)
		_, err := transcode.Append(nil, value, "a", transcode.UTF8)
		plainError(err, message)
		got, err := transcode.Append([]byte("x"), transcode.UTF8, "a", value)
		plainError(err, message)
		require.Equal(t, "x", string(got))
		require.Zero(t, transcode.Len(value, "a", transcode.UTF8))
		require.Zero(t, transcode.Len(transcode.UTF8, "a", value))
	}
	for _, tr := range []transcode.Transcoder{{From: e}, {To: e}, {OnError: 4}, {OnError: 255}, {BOM: 3}, {BOM: 255}, {From: e, OnError: transcode.Skip, BOM: transcode.BOMOverride}} {
		for _, src := range []string{"", "a", "\xFF\xFEa\x00"} {
			got, err := tr.Append([]byte("x"), []byte(src))
			require.ErrorContains(t, err, "transcode: unknown ", "%+v", tr)
			require.NotErrorAs(t, err, new(*transcode.Error))
			require.Equal(t, "x", string(got))
			_, err = tr.AppendString(nil, src)
			require.ErrorContains(t, err, "transcode: unknown ")
			text, err := tr.String([]byte(src))
			require.ErrorContains(t, err, "transcode: unknown ")
			require.Empty(t, text)
			nDst, nSrc, err := tr.NewStream().Transform(make([]byte, 9), []byte(src), true)
			require.ErrorContains(t, err, "transcode: unknown ")
			require.Zero(t, nDst)
			require.Zero(t, nSrc)
			if tr.To != e { // Text does not look at To
				text, n, err := tr.Text([]byte(src))
				require.ErrorContains(t, err, "transcode: unknown ")
				require.Zero(t, text)
				require.Zero(t, n)
			}
		}
	}
}

// transformCall is one call, for the tests below.
type transformCall struct {
	src   string
	dst   int // bytes of room
	atEOF bool
	out   string
	nSrc  int
	err   error
}

func runTransforms(t *testing.T, s *transcode.Stream, calls ...transformCall) {
	t.Helper()
	for i, c := range calls {
		dst := make([]byte, c.dst)
		nDst, nSrc, err := s.Transform(dst, []byte(c.src), c.atEOF)
		require.Equal(t, c.err, err, "call %d", i)
		require.Equal(t, c.out, string(dst[:nDst]), "call %d", i)
		require.Equal(t, c.nSrc, nSrc, "call %d", i)
	}
}

// TestKnownTroublesStream has what went wrong where other decoders take text in pieces.
func TestKnownTroublesStream(t *testing.T) {
	t.Run("character split at each inner position", func(t *testing.T) {
		for _, from := range check.Encodings {
			for _, char := range []string{"é", "中", "😀"} {
				enc, err := transcode.Append(nil, from, char, transcode.UTF8)
				if err != nil {
					continue // ASCII and Latin-1
				}
				for cut := 1; cut < len(enc); cut++ {
					s := transcode.Transcoder{From: from}.NewStream()
					runTransforms(t, s,
						transformCall{string(enc[:cut]), 8, false, "", 0, transcode.ErrShortSrc},
						transformCall{string(enc), 8, true, char, len(enc), nil})
				}
			}
		}
	})
	t.Run("surrogate pair split in the middle and inside its units", func(t *testing.T) {
		for _, from := range []transcode.Encoding{transcode.UTF16LE, transcode.UTF16BE} {
			pair := oracle.Bytes16([]uint16{0xD83D, 0xDE00}, from)
			for cut := 1; cut < 4; cut++ {
				runTransforms(t, transcode.Transcoder{From: from}.NewStream(),
					transformCall{string(pair[:cut]), 8, false, "", 0, transcode.ErrShortSrc},
					transformCall{string(pair), 8, true, "😀", 4, nil})
			}
		}
	})
	t.Run("high surrogate last before the end", func(t *testing.T) {
		s := transcode.Transcoder{From: transcode.UTF16LE, OnError: transcode.Replace}.NewStream()
		runTransforms(t, s,
			transformCall{"a\x00\x3D\xD8", 8, false, "a", 2, transcode.ErrShortSrc},
			transformCall{"\x3D\xD8", 8, true, "\uFFFD", 2, nil})
		require.EqualValues(t, 1, s.Replaced())
	})
	t.Run("unit of four bytes is not rebuilt from the wrong bytes", func(t *testing.T) { // iconv-lite#393
		runTransforms(t, transcode.Transcoder{From: transcode.UTF32BE}.NewStream(),
			transformCall{"\x00\x00\x00a\x00\x01", 8, false, "a", 4, transcode.ErrShortSrc},
			transformCall{"\x00\x01\xF6\x00\x00", 8, false, "😀", 4, transcode.ErrShortSrc},
			transformCall{"\x00\x00\x00b", 8, true, "b", 4, nil})
	})
	t.Run("unfinished character at the end is flushed", func(t *testing.T) { // dotnet/runtime#69888
		s := transcode.Transcoder{OnError: transcode.Replace}.NewStream()
		runTransforms(t, s,
			transformCall{"a\xE2\x82", 8, false, "a", 1, transcode.ErrShortSrc},
			transformCall{"\xE2\x82", 8, true, "\uFFFD", 2, nil})
		require.EqualValues(t, 1, s.Replaced())
	})
	t.Run("nothing in, nothing out, no error, no spinning", func(t *testing.T) {
		for _, from := range check.Encodings {
			configurations(from, func(tr transcode.Transcoder) {
				s := tr.NewStream()
				for range 3 {
					runTransforms(t, s, transformCall{"", 16, false, "", 0, nil}, transformCall{"", 0, false, "", 0, nil})
				}
				require.Zero(t, s.InputOffset())
			})
		}
	})
	t.Run("destination smaller than a character", func(t *testing.T) {
		for size := range 4 {
			s := transcode.Transcoder{}.NewStream()
			runTransforms(t, s,
				transformCall{"😀", size, true, "", 0, transcode.ErrShortDst},
				transformCall{"😀", 4, true, "😀", 4, nil})
		}
		runTransforms(t, transcode.Transcoder{OnError: transcode.Replace}.NewStream(),
			transformCall{"\xFF", 2, true, "", 0, transcode.ErrShortDst},
			transformCall{"\xFF", 3, true, "\uFFFD", 1, nil})
		s := transcode.Transcoder{OnError: transcode.Skip}.NewStream()
		runTransforms(t, s, transformCall{"\xFF\xFF", 0, true, "", 2, nil})
		require.EqualValues(t, 2, s.Replaced())
	})
	t.Run("replacement that does not fit is not counted twice", func(t *testing.T) {
		s := transcode.Transcoder{OnError: transcode.Replace}.NewStream()
		runTransforms(t, s,
			transformCall{"a\xFFb", 3, true, "a", 1, transcode.ErrShortDst},
			transformCall{"\xFFb", 2, true, "", 0, transcode.ErrShortDst},
			transformCall{"\xFFb", 4, true, "\uFFFDb", 2, nil})
		require.EqualValues(t, 1, s.Replaced())
	})
	t.Run("replacing byte by byte makes progress with 8 bytes of room", func(t *testing.T) {
		for _, to := range check.Encodings {
			s := transcode.Transcoder{To: to, OnError: transcode.ReplaceBytes}.NewStream()
			src := "\xF0\x9F\x98a" // three replacements, 12 bytes of UTF-32
			for calls := 0; src != "a"; calls++ {
				require.Less(t, calls, 4)
				_, n, err := s.Transform(make([]byte, 8), []byte(src), true)
				if err == nil {
					break
				}
				require.Equal(t, transcode.ErrShortDst, err)
				require.NotZero(t, n)
				src = src[n:]
			}
			require.EqualValues(t, 3, s.Replaced())
		}
	})
	t.Run("capacity exhausted before an ASCII unit", func(t *testing.T) { // simdutf#911
		runTransforms(t, transcode.Transcoder{From: transcode.UTF16LE}.NewStream(),
			transformCall{"\x2DN\x2DNa\x00", 6, true, "中中", 4, transcode.ErrShortDst},
			transformCall{"a\x00", 1, true, "a", 2, nil})
	})
	t.Run("byte order mark split over pieces", func(t *testing.T) { // deno#10846, bun#25495
		for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
			text, err := transcode.Append(nil, e, "aé", transcode.UTF8)
			require.NoError(t, err)
			src := slices.Concat(oracle.BOM(e), text)
			for _, tr := range []transcode.Transcoder{{From: e, BOM: transcode.BOMStrip}, {From: transcode.Latin1, BOM: transcode.BOMOverride}, {From: e, BOM: transcode.BOMOverride, To: transcode.UTF16LE, AddBOM: true}} {
				v := check.Transcode(tr, src)
				require.Equal(t, e, v.From)
				for first := 0; first <= len(src); first++ {
					for second := first; second <= len(src); second++ {
						check.Stream(t, tr.NewStream(), tr, v, src, []int{0, first, second}, []int{16})
					}
				}
			}
		}
	})
	t.Run("empty first piece does not lose the byte order mark", func(t *testing.T) {
		s := transcode.Transcoder{From: transcode.UTF16LE, BOM: transcode.BOMOverride}.NewStream()
		runTransforms(t, s,
			transformCall{"", 8, false, "", 0, nil},
			transformCall{"\xFE", 8, false, "", 0, transcode.ErrShortSrc},
			transformCall{"\xFE\xFF\x00a", 8, true, "a", 4, nil})
		require.Equal(t, transcode.UTF16BE, s.Encoding())
	})
	t.Run("second byte order mark is text", func(t *testing.T) {
		for _, p := range []transcode.BOMPolicy{transcode.BOMStrip, transcode.BOMOverride} {
			got, err := transcode.Transcoder{BOM: p}.String([]byte("\uFEFF\uFEFFa\uFEFF"))
			require.NoError(t, err)
			require.Equal(t, "\uFEFFa\uFEFF", got)
			got, err = transcode.Transcoder{From: transcode.UTF16LE, BOM: p}.String([]byte("\xFF\xFE\xFE\xFFa\x00"))
			require.NoError(t, err)
			require.Equal(t, "\uFFFEa", got, "the other order's mark behind one's own")
		}
	})
	t.Run("bytes like a mark behind a pending surrogate are text", func(t *testing.T) { // bun#32837
		got, err := transcode.Transcoder{From: transcode.UTF16LE, OnError: transcode.Replace, BOM: transcode.BOMOverride}.String([]byte("\x3D\xD8\xFF\xFEa\x00"))
		require.NoError(t, err)
		require.Equal(t, "\uFFFD\uFEFFa", got)
		got, err = transcode.Transcoder{From: transcode.UTF16LE, BOM: transcode.BOMStrip}.String([]byte("a\x00\xFF\xFE"))
		require.NoError(t, err)
		require.Equal(t, "a\uFEFF", got)
	})
	t.Run("input shorter than the mark that it begins like", func(t *testing.T) { // encoding_rs#122
		for _, src := range []string{"\xEF", "\xEF\xBB", "\xFF", "\xFE", "\x00", "\x00\x00", "\x00\x00\xFE", "\xFF\xFE\x00"} {
			for _, from := range check.Encodings {
				for _, p := range check.Policies {
					tr := transcode.Transcoder{From: from, OnError: p, BOM: transcode.BOMOverride}
					v := check.Transcode(tr, []byte(src))
					check.Pair(t, tr, []byte(src))
					for cut := range len(src) + 1 {
						check.Stream(t, tr.NewStream(), tr, v, []byte(src), []int{cut}, []int{16})
					}
				}
			}
		}
		s := transcode.Transcoder{BOM: transcode.BOMOverride, OnError: transcode.Replace}.NewStream()
		runTransforms(t, s, transformCall{"\xEF\xBB", 16, false, "", 0, transcode.ErrShortSrc})
		require.Zero(t, s.InputOffset(), "held bytes are not consumed")
		runTransforms(t, s, transformCall{"\xEF\xBB", 16, true, "\uFFFD", 2, nil})
	})
	t.Run("mark of UTF-32LE wins over that of UTF-16LE", func(t *testing.T) {
		s := transcode.Transcoder{BOM: transcode.BOMOverride}.NewStream()
		runTransforms(t, s, transformCall{"\xFF\xFE\x00\x00a\x00\x00\x00", 8, true, "a", 8, nil})
		require.Equal(t, transcode.UTF32LE, s.Encoding())
		// With one's own mark only, U+0000 is text.
		got, err := transcode.Transcoder{From: transcode.UTF16LE, BOM: transcode.BOMStrip}.String([]byte("\xFF\xFE\x00\x00a\x00"))
		require.NoError(t, err)
		require.Equal(t, "\x00a", got)
		s = transcode.Transcoder{BOM: transcode.BOMOverride}.NewStream()
		runTransforms(t, s,
			transformCall{"\xFF\xFE", 8, false, "", 0, transcode.ErrShortSrc},
			transformCall{"\xFF\xFEa", 8, false, "", 2, transcode.ErrShortSrc},
			transformCall{"a\x00", 8, true, "a", 2, nil})
		require.Equal(t, transcode.UTF16LE, s.Encoding())
	})
	t.Run("strip takes the own mark only", func(t *testing.T) {
		_, err := transcode.Transcoder{BOM: transcode.BOMStrip}.String([]byte("\xFF\xFEa\x00"))
		require.Equal(t, &transcode.Error{Offset: 0, Len: 1, Kind: transcode.KindBadLead}, err)
		got, err := transcode.Transcoder{From: transcode.Latin1, BOM: transcode.BOMStrip}.String([]byte("\xEF\xBB\xBFa"))
		require.NoError(t, err)
		require.Equal(t, "ï»¿a", got)
	})
	t.Run("bytes of a mark at the end and inside stay", func(t *testing.T) { // a cut set took them off both ends
		for _, p := range check.BOMPolicies {
			got, err := transcode.Transcoder{BOM: p}.String([]byte("»a¿ï\uFEFF»"))
			require.NoError(t, err)
			require.Equal(t, "»a¿ï\uFEFF»", got)
		}
	})
	t.Run("UTF-8 mark and nothing else", func(t *testing.T) { // simdutf#818 wanted four bytes
		e, n, ok := transcode.Detect([]byte("\xEF\xBB\xBF"))
		require.Equal(t, transcode.UTF8, e)
		require.Equal(t, 3, n)
		require.True(t, ok)
		got, err := transcode.Transcoder{BOM: transcode.BOMStrip}.String([]byte("\xEF\xBB\xBF"))
		require.NoError(t, err)
		require.Empty(t, got)
	})
	t.Run("reset expects a mark again and counts from 0", func(t *testing.T) { // dotnet/runtime#63789
		s := transcode.Transcoder{BOM: transcode.BOMOverride, OnError: transcode.Replace}.NewStream()
		for range 2 {
			runTransforms(t, s, transformCall{"\xFE\xFF\x00a\xDC\x00", 8, true, "a\uFFFD", 6, nil})
			require.Equal(t, transcode.UTF16BE, s.Encoding())
			require.EqualValues(t, 1, s.Replaced())
			require.EqualValues(t, 6, s.InputOffset())
			s.Reset()
			require.Equal(t, transcode.UTF8, s.Encoding())
			require.Zero(t, s.Replaced())
			require.Zero(t, s.InputOffset())
		}
	})
	t.Run("reset after an error", func(t *testing.T) {
		s := transcode.Transcoder{}.NewStream()
		want := &transcode.Error{Offset: 1, Len: 1, Kind: transcode.KindBadLead}
		runTransforms(t, s,
			transformCall{"a\xFF", 8, true, "a", 1, want},
			transformCall{"\xFF", 8, true, "", 0, want})
		s.Reset()
		runTransforms(t, s, transformCall{"b", 8, true, "b", 1, nil})
	})
	t.Run("offsets count the mark", func(t *testing.T) { // ripgrep#1627
		_, err := transcode.Transcoder{BOM: transcode.BOMStrip}.String([]byte("\uFEFFab\xFF"))
		require.Equal(t, &transcode.Error{Offset: 5, Len: 1, Kind: transcode.KindBadLead}, err)
		_, err = transcode.Transcoder{BOM: transcode.BOMOverride}.String([]byte("\xFF\xFEa\x00\x00\xDC"))
		require.Equal(t, &transcode.Error{Encoding: transcode.UTF16LE, Offset: 4, Len: 2, Kind: transcode.KindSurrogate}, err)
	})
	t.Run("offset behind a replacement", func(t *testing.T) { // U+FFFD has 3 bytes, what it stands for 1 to 3
		s := transcode.Transcoder{OnError: transcode.Replace}.NewStream()
		runTransforms(t, s, transformCall{"\xFFa\xE2\x82b\xF0\x9F\x98", 64, false, "\uFFFDa\uFFFDb", 5, transcode.ErrShortSrc})
		require.EqualValues(t, 5, s.InputOffset())
		require.EqualValues(t, 2, s.Replaced())
	})
	t.Run("error offsets go on from piece to piece", func(t *testing.T) {
		s := transcode.Transcoder{From: transcode.UTF16BE}.NewStream()
		runTransforms(t, s,
			transformCall{"\x00a\x00b\x00", 8, false, "ab", 4, transcode.ErrShortSrc},
			transformCall{"\x00c\xD8\x00", 8, false, "c", 2, transcode.ErrShortSrc},
			transformCall{"\xD8\x00\x00d", 8, true, "", 0, &transcode.Error{Encoding: transcode.UTF16BE, Offset: 6, Len: 2, Kind: transcode.KindSurrogate}})
	})
	t.Run("ill-formed for good is not unfinished", func(t *testing.T) {
		for _, src := range []string{"\xE0\x80", "\xED\xA0", "\xF0\x8F", "\xF4\x90", "\xC0", "\xF5", "\x80"} {
			_, n, err := transcode.Transcoder{}.NewStream().Transform(make([]byte, 8), []byte(src), false)
			require.Zero(t, n)
			require.ErrorIs(t, err, transcode.ErrInvalid, "% x", src)
		}
	})
	t.Run("skip joins what stood on both sides", func(t *testing.T) {
		got, err := transcode.Transcoder{OnError: transcode.Skip}.String([]byte("<scr\x80ipt>"))
		require.NoError(t, err)
		require.Equal(t, "<script>", got)
		got, err = transcode.Transcoder{OnError: transcode.Replace}.String([]byte("<scr\x80ipt>"))
		require.NoError(t, err)
		require.Equal(t, "<scr\uFFFDipt>", got)
	})
	t.Run("U+FFFD in the source", func(t *testing.T) {
		s := transcode.Transcoder{OnError: transcode.Replace, To: transcode.UTF16BE}.NewStream()
		runTransforms(t, s, transformCall{"\uFFFD", 8, true, "\xFF\xFD", 3, nil})
		require.Zero(t, s.Replaced(), "is text")
		s = transcode.Transcoder{OnError: transcode.Replace, To: transcode.Latin1}.NewStream()
		runTransforms(t, s, transformCall{"\uFFFD", 8, true, "?", 3, nil})
		require.EqualValues(t, 1, s.Replaced(), "is a character that Latin-1 does not have")
	})
	t.Run("ASCII replacement is a question mark", func(t *testing.T) {
		for _, to := range []transcode.Encoding{transcode.ASCII, transcode.Latin1} {
			got, err := transcode.Transcoder{To: to, OnError: transcode.Replace}.String([]byte("中\xFF"))
			require.NoError(t, err)
			require.Equal(t, "??", got)
			got, err = transcode.Transcoder{To: to, OnError: transcode.ReplaceBytes}.String([]byte("中\xE4\xB8"))
			require.NoError(t, err)
			require.Equal(t, "???", got, "one for the character, two for the bytes")
		}
	})
}

// TestAddBOM: exactly one byte order mark begins the output, for empty text too, and none for ASCII and Latin-1.
func TestAddBOM(t *testing.T) {
	for _, from := range check.Encodings {
		for _, to := range check.Encodings {
			for _, text := range []string{"", "a", "\uFEFF", "\uFEFFa", "\uFEFF\uFEFF", "a\uFEFF"} {
				src, err := transcode.Append(nil, from, text, transcode.UTF8)
				if err != nil {
					continue
				}
				got, err := transcode.Transcoder{From: from, To: to, AddBOM: true, OnError: transcode.Skip}.Append(nil, src)
				require.NoError(t, err)
				want := text
				switch {
				case to == transcode.ASCII || to == transcode.Latin1:
					want = strings.ReplaceAll(text, "\uFEFF", "")
				case !strings.HasPrefix(text, "\uFEFF"):
					want = "\uFEFF" + text
				}
				enc, err := transcode.Append(nil, to, want, transcode.UTF8)
				require.NoError(t, err)
				require.Equal(t, string(enc), string(got), "%v to %v: %q", from, to, text)
			}
		}
	}
	t.Run("empty text gets it at the end of the input", func(t *testing.T) {
		s := transcode.Transcoder{To: transcode.UTF16BE, AddBOM: true}.NewStream()
		runTransforms(t, s,
			transformCall{"", 8, false, "", 0, nil},
			transformCall{"", 1, true, "", 0, transcode.ErrShortDst},
			transformCall{"", 8, true, "\xFE\xFF", 0, nil})
	})
	t.Run("stripped mark is replaced by the target's", func(t *testing.T) {
		got, err := transcode.Transcoder{BOM: transcode.BOMOverride, To: transcode.UTF16LE, AddBOM: true}.Append(nil, []byte("\xFE\xFF\x00a"))
		require.NoError(t, err)
		require.Equal(t, "\xFF\xFEa\x00", string(got))
	})
	t.Run("dropped bytes in front of U+FEFF", func(t *testing.T) {
		tr := transcode.Transcoder{OnError: transcode.Skip, AddBOM: true}
		src := []byte("\x80\xE2\x82\uFEFFa")
		check.Pair(t, tr, src)
		for cut := range src {
			check.Stream(t, tr.NewStream(), tr, check.Transcode(tr, src), src, []int{cut}, []int{8})
		}
		got, err := tr.String(src)
		require.NoError(t, err)
		require.Equal(t, "\uFEFFa", got)
	})
}

// TestTranscoderValue: a Transcoder is a plain value, whose zero value checks and copies UTF-8.
func TestTranscoderValue(t *testing.T) {
	var tr transcode.Transcoder
	got, err := tr.Append([]byte("x"), []byte("héllo"))
	require.NoError(t, err)
	require.Equal(t, "xhéllo", string(got))
	_, err = tr.Append(nil, []byte("h\xE9llo"))
	require.ErrorIs(t, err, transcode.ErrInvalid)
	require.Equal(t, transcode.Transcoder{From: transcode.UTF8, To: transcode.UTF8, OnError: transcode.Strict, BOM: transcode.BOMKeep, AddBOM: false}, tr)
	src := []byte("shared?")
	s, err := tr.String(src)
	require.NoError(t, err)
	src[0] = 'S'
	require.Equal(t, "shared?", s, "String must not share memory with its source")
}

// TestResultsAreFresh: what a replaced piece of memory held before must not show behind a result.
func TestResultsAreFresh(t *testing.T) {
	secret := bytes.Repeat([]byte("secret"), 5000)
	for _, n := range []int{10, 100, 5000} {
		_ = append([]byte(nil), secret[:n]...) // garbage that the next allocation may reuse
		got, err := transcode.Append(nil, transcode.UTF8, texts.Of("latin1", n), transcode.Latin1)
		require.NoError(t, err)
		require.True(t, check.AllZero(got[len(got):cap(got)]))
		got = transcode.AppendValidUTF8(make([]byte, 0, 1), texts.Of("mixed", n)+"\xFF")
		require.True(t, check.AllZero(got[len(got):cap(got)]))
	}
}
