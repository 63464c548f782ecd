package transcode

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rawEncode encodes r by the pattern of e without looking at whether that is allowed. ok is false where e has no pattern for r.
func rawEncode(r uint32, e Encoding) (b []byte, ok bool) {
	switch e {
	case UTF8:
		return rawUTF8(r), true
	case UTF16LE, UTF16BE:
		if r > 0x10FFFF {
			return nil, false
		}
		return bytes16(oracleUnits(rune(r)), e), true
	case UTF32LE, UTF32BE:
		return bytes32([]rune{rune(r)}, e), true
	}
	return []byte{byte(r)}, r <= 0xFF
}

// boundaryCharacters has the code points around the class boundaries in every encoding's own pattern.
func boundaryCharacters(e Encoding) [][]byte {
	var out [][]byte
	for _, r := range []uint32{'a', 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 0x110000} {
		if b, ok := rawEncode(r, e); ok {
			out = append(out, b)
		}
	}
	return out
}

// configurations calls fn with every combination of target, policies and AddBOM for a source encoding.
func configurations(from Encoding, fn func(tr Transcoder)) {
	for _, to := range everyEncoding {
		for _, p := range everyPolicy {
			for _, b := range everyBOMPolicy {
				fn(Transcoder{from, to, p, b, false})
				fn(Transcoder{from, to, p, b, true})
			}
		}
	}
}

// shortSources returns short texts in encoding e with everything that a stream must keep apart: characters of every length,
// faults of every kind, and byte order marks of every encoding at the start, doubled, cut short, and further behind.
func shortSources(e Encoding) [][]byte {
	out := [][]byte{nil}
	for _, s := range []string{
		"\xEF\xBB\xBF", "\xEF\xBB", "\xEF", "\xFF\xFE", "\xFF", "\xFE\xFF", "\xFE", "\xFF\xFE\x00\x00", "\xFF\xFE\x00",
		"\x00\x00\xFE\xFF", "\x00\x00\xFE", "\x00\x00", "\x00", "\xEF\xBB\xBFa\xEF\xBB\xBF", "\xEF\xBB\xBF\xEF\xBB\xBFa",
		"\xFF\xFE\xFF\xFEa\x00", "\xFE\xFF\xFE\xFF\x00a", "\x00\x00\xFE\xFF\x00\x00\xFE\xFF", "\xEF\xBB\xBE", "\xFF\xFE\x00\x01",
	} {
		out = append(out, []byte(s))
	}
	for _, row := range faultRows {
		if row.from == e {
			out = append(out, []byte(row.src))
		}
	}
	chars := boundaryCharacters(e)
	for i, a := range chars {
		out = append(out, a, slices.Concat(a, chars[(i+5)%len(chars)], chars[(i+8)%len(chars)]))
	}
	// A dropped or replaced sequence in front of U+FEFF, which AddBOM must look at.
	for _, bad := range []string{"\x80", "\xFF", "\x00\xDC", "\xDC\x00", "\x00\xDC\x00\x00", "\x00\x11\x00\x00"} {
		out = append(out, slices.Concat([]byte(bad), oracleBOM(e), []byte("a\x00\x00\x00")))
	}
	return out
}

// TestEveryConfiguration takes short texts through every pair of encodings, policy, byte order mark policy and AddBOM.
func TestEveryConfiguration(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		for k, src := range shortSources(from) {
			if k%thin(1, 4) != 0 {
				continue
			}
			configurations(from, func(tr Transcoder) {
				checkPair(t, tr, src)
				checkText(t, tr, src)
			})
		}
	})
}

// TestPairsOfBoundaryCharacters takes all pairs and triples of characters around the class boundaries in each encoding.
func TestPairsOfBoundaryCharacters(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		n := 0
		everyWord(boundaryCharacters(from), thin(3, 2), func(chars [][]byte) {
			src := slices.Concat(chars...)
			for _, to := range everyEncoding {
				checkPair(t, Transcoder{From: from, To: to}, src)
				checkPair(t, Transcoder{From: from, To: to, OnError: everyPolicy[1+n%3]}, src)
				n++
			}
			checkText(t, Transcoder{From: from, OnError: Replace}, src)
			if from == UTF8 {
				checkUTF8(t, src)
			}
		})
	})
}

// TestIdentityPairs: the same encoding on both sides checks and copies, and swaps nothing.
func TestIdentityPairs(t *testing.T) {
	for _, e := range everyEncoding {
		for _, script := range textScripts {
			src, err := Transcoder{To: e, OnError: Replace}.Append(nil, []byte(genText(script, 333)))
			require.NoError(t, err)
			got, err := Append([]byte("x"), e, src, e)
			require.NoError(t, err)
			require.Equal(t, "x"+string(src), string(got))
			got[1] ^= 0xFF
			require.NotEqual(t, got[1], src[0], "the result must not share memory with the source")
		}
	}
	for _, pair := range [][2]Encoding{{UTF16LE, UTF16BE}, {UTF32LE, UTF32BE}} {
		src, err := Append(nil, pair[0], genText("mixed", 333), UTF8)
		require.NoError(t, err)
		swapped, err := Append(nil, pair[1], src, pair[0])
		require.NoError(t, err)
		require.NotEqual(t, src, swapped)
		back, err := Append(nil, pair[0], swapped, pair[1])
		require.NoError(t, err)
		require.Equal(t, src, back)
	}
}

// TestRoundTrips: text that both encodings hold comes back, for every script and length.
func TestRoundTrips(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		for _, script := range textScripts {
			for n := 0; n < 140; n += thin(5, 37) {
				text := genText(script, n)
				src, err := Append(nil, from, text, UTF8)
				if err != nil {
					require.ErrorIs(t, err, ErrUnencodable)
					continue
				}
				for _, to := range everyEncoding {
					checkPair(t, Transcoder{From: from, To: to}, src)
				}
				back, err := Append(nil, UTF8, src, from)
				require.NoError(t, err)
				require.Equal(t, text, string(back))
			}
		}
	})
}

// TestLargePairs passes texts that are larger than any buffer inside, with a fault far behind.
func TestLargePairs(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		n := thin(70000, 3000)
		src, err := Transcoder{To: from, OnError: Skip}.Append(nil, []byte(genText("ascii", n/2)+genText("latin1", n/4)+genText("mixed", n/4)))
		require.NoError(t, err)
		for _, to := range everyEncoding {
			checkPair(t, Transcoder{From: from, To: to}, src)
			tr := Transcoder{From: from, To: to, OnError: Replace}
			checkPair(t, tr, append(src[:len(src)-7:len(src)-7], 0xFF, 0xDC, 0x80, 0xDC, 0x80))
			checkStream(t, tr.NewStream(), tr, oracleTranscode(tr, src[:1500]), src[:1500], []int{1000, 1001, 1499}, []int{64})
		}
	})
}

// TestStreamSplits passes short texts in two and three pieces, at every place.
func TestStreamSplits(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		sources := shortSources(from)
		n := 0
		configurations(from, func(tr Transcoder) {
			s := tr.NewStream()
			for k, src := range sources {
				if (n+k)%thin(2, 41) != 0 {
					continue
				}
				v := oracleTranscode(tr, src)
				dstLens := []int{8 + (n+k)%9}
				checkStream(t, s, tr, v, src, nil, dstLens)
				var every []int
				for first := 0; first <= len(src); first++ {
					every = append(every, first)
					for second := first; second <= len(src); second++ {
						checkStream(t, s, tr, v, src, []int{first, second}, dstLens)
					}
				}
				checkStream(t, s, tr, v, src, every, dstLens) // byte by byte, an empty piece first
			}
			n++
		})
	})
}

// TestStreamDestinations converts into destinations of 0 to 16 bytes, the source whole, halved and byte by byte.
func TestStreamDestinations(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		sources := shortSources(from)
		n := 0
		configurations(from, func(tr Transcoder) {
			s := tr.NewStream()
			for k, src := range sources {
				if (n+k)%thin(2, 53) != 0 {
					continue
				}
				v := oracleTranscode(tr, src)
				var every []int
				for at := range src {
					every = append(every, at)
				}
				for size := range 17 {
					checkStream(t, s, tr, v, src, nil, []int{size})
					checkStream(t, s, tr, v, src, []int{len(src) / 2}, []int{size, 0, 3})
					checkStream(t, s, tr, v, src, every, []int{size})
				}
			}
			n++
		})
	})
}

// TestStreamTexts passes longer texts, damaged ones too, in random pieces.
func TestStreamTexts(t *testing.T) {
	inParallel(t, len(everyEncoding), func(t *testing.T, i int) {
		from := everyEncoding[i]
		r := rng(i)
		for range thin(3000, 150) {
			text := mutate(&r, genText(pick(&r, textScripts), r.intn(120)), r.intn(4))
			src, err := Transcoder{To: from, OnError: Skip}.Append(nil, text)
			require.NoError(t, err)
			src = mutate(&r, string(src), r.intn(3))
			tr := Transcoder{from, pick(&r, everyEncoding), pick(&r, everyPolicy), pick(&r, everyBOMPolicy), r.intn(2) == 0}
			var cuts []int
			for at := 0; at < len(src); at += 1 + r.intn(40) {
				cuts = append(cuts, at)
			}
			checkStream(t, tr.NewStream(), tr, oracleTranscode(tr, src), src, cuts, []int{r.intn(64), r.intn(64), 1 + r.intn(20)})
		}
	})
}

// TestStreamCapacityExhaustedExactly: a destination that holds exactly the text is enough, one byte less is not.
func TestStreamCapacityExhaustedExactly(t *testing.T) {
	for _, from := range everyEncoding {
		for _, to := range everyEncoding {
			for _, script := range textScripts {
				src, err := Transcoder{To: from, OnError: Replace}.Append(nil, []byte(genText(script, 61)))
				require.NoError(t, err)
				tr := Transcoder{From: from, To: to, OnError: Replace}
				v := oracleTranscode(tr, src)
				dst := make([]byte, len(v.out))
				nDst, nSrc, err := tr.NewStream().Transform(dst, src, true)
				require.NoError(t, err)
				require.Equal(t, len(src), nSrc)
				require.Equal(t, v.out, dst[:nDst])
				if len(dst) > 0 {
					nDst, nSrc, err = tr.NewStream().Transform(dst[:len(dst)-1], src, true)
					require.Equal(t, ErrShortDst, err)
					last := v.steps[len(v.steps)-1]
					require.Equal(t, last.off, nSrc, "all but the last character")
					require.Equal(t, len(v.out)-len(last.out), nDst)
				}
			}
		}
	}
}

func TestUnknownConfiguration(t *testing.T) {
	const e = Encoding(7)
	plainError := func(err error, message string) {
		t.Helper()
		require.EqualError(t, err, message)
		require.NotErrorAs(t, err, new(*Error))
	}
	for _, value := range []Encoding{7, 9, 255} {
		message := fmt.Sprintf("transcode: unknown encoding %d", value)
		plainError(Check("a", value), message)
		_, err := Append(nil, value, "a", UTF8)
		plainError(err, message)
		got, err := Append([]byte("x"), UTF8, "a", value)
		plainError(err, message)
		require.Equal(t, "x", string(got))
		require.Zero(t, Len(value, "a", UTF8))
		require.Zero(t, Len(UTF8, "a", value))
	}
	for _, tr := range []Transcoder{{From: e}, {To: e}, {OnError: 4}, {OnError: 255}, {BOM: 3}, {BOM: 255}, {From: e, OnError: Skip, BOM: BOMOverride}} {
		for _, src := range []string{"", "a", "\xFF\xFEa\x00"} {
			got, err := tr.Append([]byte("x"), []byte(src))
			require.ErrorContains(t, err, "transcode: unknown ", "%+v", tr)
			require.NotErrorAs(t, err, new(*Error))
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

func runTransforms(t *testing.T, s *Stream, calls ...transformCall) {
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
		for _, from := range everyEncoding {
			for _, char := range []string{"é", "中", "😀"} {
				enc, err := Append(nil, from, char, UTF8)
				if err != nil {
					continue // ASCII and Latin-1
				}
				for cut := 1; cut < len(enc); cut++ {
					s := Transcoder{From: from}.NewStream()
					runTransforms(t, s,
						transformCall{string(enc[:cut]), 8, false, "", 0, ErrShortSrc},
						transformCall{string(enc), 8, true, char, len(enc), nil})
				}
			}
		}
	})
	t.Run("surrogate pair split in the middle and inside its units", func(t *testing.T) {
		for _, from := range []Encoding{UTF16LE, UTF16BE} {
			pair := bytes16([]uint16{0xD83D, 0xDE00}, from)
			for cut := 1; cut < 4; cut++ {
				runTransforms(t, Transcoder{From: from}.NewStream(),
					transformCall{string(pair[:cut]), 8, false, "", 0, ErrShortSrc},
					transformCall{string(pair), 8, true, "😀", 4, nil})
			}
		}
	})
	t.Run("high surrogate last before the end", func(t *testing.T) {
		s := Transcoder{From: UTF16LE, OnError: Replace}.NewStream()
		runTransforms(t, s,
			transformCall{"a\x00\x3D\xD8", 8, false, "a", 2, ErrShortSrc},
			transformCall{"\x3D\xD8", 8, true, "\uFFFD", 2, nil})
		require.EqualValues(t, 1, s.Replaced())
	})
	t.Run("unit of four bytes is not rebuilt from the wrong bytes", func(t *testing.T) { // iconv-lite#393
		runTransforms(t, Transcoder{From: UTF32BE}.NewStream(),
			transformCall{"\x00\x00\x00a\x00\x01", 8, false, "a", 4, ErrShortSrc},
			transformCall{"\x00\x01\xF6\x00\x00", 8, false, "😀", 4, ErrShortSrc},
			transformCall{"\x00\x00\x00b", 8, true, "b", 4, nil})
	})
	t.Run("unfinished character at the end is flushed", func(t *testing.T) { // dotnet/runtime#69888
		s := Transcoder{OnError: Replace}.NewStream()
		runTransforms(t, s,
			transformCall{"a\xE2\x82", 8, false, "a", 1, ErrShortSrc},
			transformCall{"\xE2\x82", 8, true, "\uFFFD", 2, nil})
		require.EqualValues(t, 1, s.Replaced())
	})
	t.Run("nothing in, nothing out, no error, no spinning", func(t *testing.T) {
		for _, from := range everyEncoding {
			configurations(from, func(tr Transcoder) {
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
			s := Transcoder{}.NewStream()
			runTransforms(t, s,
				transformCall{"😀", size, true, "", 0, ErrShortDst},
				transformCall{"😀", 4, true, "😀", 4, nil})
		}
		runTransforms(t, Transcoder{OnError: Replace}.NewStream(),
			transformCall{"\xFF", 2, true, "", 0, ErrShortDst},
			transformCall{"\xFF", 3, true, "\uFFFD", 1, nil})
		s := Transcoder{OnError: Skip}.NewStream()
		runTransforms(t, s, transformCall{"\xFF\xFF", 0, true, "", 2, nil})
		require.EqualValues(t, 2, s.Replaced())
	})
	t.Run("replacement that does not fit is not counted twice", func(t *testing.T) {
		s := Transcoder{OnError: Replace}.NewStream()
		runTransforms(t, s,
			transformCall{"a\xFFb", 3, true, "a", 1, ErrShortDst},
			transformCall{"\xFFb", 2, true, "", 0, ErrShortDst},
			transformCall{"\xFFb", 4, true, "\uFFFDb", 2, nil})
		require.EqualValues(t, 1, s.Replaced())
	})
	t.Run("replacing byte by byte makes progress with 8 bytes of room", func(t *testing.T) {
		for _, to := range everyEncoding {
			s := Transcoder{To: to, OnError: ReplaceBytes}.NewStream()
			src := "\xF0\x9F\x98a" // three replacements, 12 bytes of UTF-32
			for calls := 0; src != "a"; calls++ {
				require.Less(t, calls, 4)
				_, n, err := s.Transform(make([]byte, 8), []byte(src), true)
				if err == nil {
					break
				}
				require.Equal(t, ErrShortDst, err)
				require.NotZero(t, n)
				src = src[n:]
			}
			require.EqualValues(t, 3, s.Replaced())
		}
	})
	t.Run("capacity exhausted before an ASCII unit", func(t *testing.T) { // simdutf#911
		runTransforms(t, Transcoder{From: UTF16LE}.NewStream(),
			transformCall{"\x2DN\x2DNa\x00", 6, true, "中中", 4, ErrShortDst},
			transformCall{"a\x00", 1, true, "a", 2, nil})
	})
	t.Run("byte order mark split over pieces", func(t *testing.T) { // deno#10846, bun#25495
		for _, e := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
			text, err := Append(nil, e, "aé", UTF8)
			require.NoError(t, err)
			src := slices.Concat(oracleBOM(e), text)
			for _, tr := range []Transcoder{{From: e, BOM: BOMStrip}, {From: Latin1, BOM: BOMOverride}, {From: e, BOM: BOMOverride, To: UTF16LE, AddBOM: true}} {
				v := oracleTranscode(tr, src)
				require.Equal(t, e, v.from)
				for first := 0; first <= len(src); first++ {
					for second := first; second <= len(src); second++ {
						checkStream(t, tr.NewStream(), tr, v, src, []int{0, first, second}, []int{16})
					}
				}
			}
		}
	})
	t.Run("empty first piece does not lose the byte order mark", func(t *testing.T) {
		s := Transcoder{From: UTF16LE, BOM: BOMOverride}.NewStream()
		runTransforms(t, s,
			transformCall{"", 8, false, "", 0, nil},
			transformCall{"\xFE", 8, false, "", 0, ErrShortSrc},
			transformCall{"\xFE\xFF\x00a", 8, true, "a", 4, nil})
		require.Equal(t, UTF16BE, s.Encoding())
	})
	t.Run("second byte order mark is text", func(t *testing.T) {
		for _, p := range []BOMPolicy{BOMStrip, BOMOverride} {
			got, err := Transcoder{BOM: p}.String([]byte("\uFEFF\uFEFFa\uFEFF"))
			require.NoError(t, err)
			require.Equal(t, "\uFEFFa\uFEFF", got)
			got, err = Transcoder{From: UTF16LE, BOM: p}.String([]byte("\xFF\xFE\xFE\xFFa\x00"))
			require.NoError(t, err)
			require.Equal(t, "\uFFFEa", got, "the other order's mark behind one's own")
		}
	})
	t.Run("bytes like a mark behind a pending surrogate are text", func(t *testing.T) { // bun#32837
		got, err := Transcoder{From: UTF16LE, OnError: Replace, BOM: BOMOverride}.String([]byte("\x3D\xD8\xFF\xFEa\x00"))
		require.NoError(t, err)
		require.Equal(t, "\uFFFD\uFEFFa", got)
		got, err = Transcoder{From: UTF16LE, BOM: BOMStrip}.String([]byte("a\x00\xFF\xFE"))
		require.NoError(t, err)
		require.Equal(t, "a\uFEFF", got)
	})
	t.Run("input shorter than the mark that it begins like", func(t *testing.T) { // encoding_rs#122
		for _, src := range []string{"\xEF", "\xEF\xBB", "\xFF", "\xFE", "\x00", "\x00\x00", "\x00\x00\xFE", "\xFF\xFE\x00"} {
			for _, from := range everyEncoding {
				for _, p := range everyPolicy {
					tr := Transcoder{From: from, OnError: p, BOM: BOMOverride}
					v := oracleTranscode(tr, []byte(src))
					checkPair(t, tr, []byte(src))
					for cut := range len(src) + 1 {
						checkStream(t, tr.NewStream(), tr, v, []byte(src), []int{cut}, []int{16})
					}
				}
			}
		}
		s := Transcoder{BOM: BOMOverride, OnError: Replace}.NewStream()
		runTransforms(t, s, transformCall{"\xEF\xBB", 16, false, "", 0, ErrShortSrc})
		require.Zero(t, s.InputOffset(), "held bytes are not consumed")
		runTransforms(t, s, transformCall{"\xEF\xBB", 16, true, "\uFFFD", 2, nil})
	})
	t.Run("mark of UTF-32LE wins over that of UTF-16LE", func(t *testing.T) {
		s := Transcoder{BOM: BOMOverride}.NewStream()
		runTransforms(t, s, transformCall{"\xFF\xFE\x00\x00a\x00\x00\x00", 8, true, "a", 8, nil})
		require.Equal(t, UTF32LE, s.Encoding())
		// With one's own mark only, U+0000 is text.
		got, err := Transcoder{From: UTF16LE, BOM: BOMStrip}.String([]byte("\xFF\xFE\x00\x00a\x00"))
		require.NoError(t, err)
		require.Equal(t, "\x00a", got)
		s = Transcoder{BOM: BOMOverride}.NewStream()
		runTransforms(t, s,
			transformCall{"\xFF\xFE", 8, false, "", 0, ErrShortSrc},
			transformCall{"\xFF\xFEa", 8, false, "", 2, ErrShortSrc},
			transformCall{"a\x00", 8, true, "a", 2, nil})
		require.Equal(t, UTF16LE, s.Encoding())
	})
	t.Run("strip takes the own mark only", func(t *testing.T) {
		_, err := Transcoder{BOM: BOMStrip}.String([]byte("\xFF\xFEa\x00"))
		require.Equal(t, &Error{Offset: 0, Len: 1, Kind: KindBadLead}, err)
		got, err := Transcoder{From: Latin1, BOM: BOMStrip}.String([]byte("\xEF\xBB\xBFa"))
		require.NoError(t, err)
		require.Equal(t, "ï»¿a", got)
	})
	t.Run("bytes of a mark at the end and inside stay", func(t *testing.T) { // a cut set took them off both ends
		for _, p := range everyBOMPolicy {
			got, err := Transcoder{BOM: p}.String([]byte("»a¿ï\uFEFF»"))
			require.NoError(t, err)
			require.Equal(t, "»a¿ï\uFEFF»", got)
		}
	})
	t.Run("UTF-8 mark and nothing else", func(t *testing.T) { // simdutf#818 wanted four bytes
		e, n, ok := Detect([]byte("\xEF\xBB\xBF"))
		require.Equal(t, UTF8, e)
		require.Equal(t, 3, n)
		require.True(t, ok)
		got, err := Transcoder{BOM: BOMStrip}.String([]byte("\xEF\xBB\xBF"))
		require.NoError(t, err)
		require.Empty(t, got)
	})
	t.Run("reset expects a mark again and counts from 0", func(t *testing.T) { // dotnet/runtime#63789
		s := Transcoder{BOM: BOMOverride, OnError: Replace}.NewStream()
		for range 2 {
			runTransforms(t, s, transformCall{"\xFE\xFF\x00a\xDC\x00", 8, true, "a\uFFFD", 6, nil})
			require.Equal(t, UTF16BE, s.Encoding())
			require.EqualValues(t, 1, s.Replaced())
			require.EqualValues(t, 6, s.InputOffset())
			s.Reset()
			require.Equal(t, UTF8, s.Encoding())
			require.Zero(t, s.Replaced())
			require.Zero(t, s.InputOffset())
		}
	})
	t.Run("reset after an error", func(t *testing.T) {
		s := Transcoder{}.NewStream()
		want := &Error{Offset: 1, Len: 1, Kind: KindBadLead}
		runTransforms(t, s,
			transformCall{"a\xFF", 8, true, "a", 1, want},
			transformCall{"\xFF", 8, true, "", 0, want})
		s.Reset()
		runTransforms(t, s, transformCall{"b", 8, true, "b", 1, nil})
	})
	t.Run("offsets count the mark", func(t *testing.T) { // ripgrep#1627
		_, err := Transcoder{BOM: BOMStrip}.String([]byte("\uFEFFab\xFF"))
		require.Equal(t, &Error{Offset: 5, Len: 1, Kind: KindBadLead}, err)
		_, err = Transcoder{BOM: BOMOverride}.String([]byte("\xFF\xFEa\x00\x00\xDC"))
		require.Equal(t, &Error{Encoding: UTF16LE, Offset: 4, Len: 2, Kind: KindSurrogate}, err)
	})
	t.Run("offset behind a replacement", func(t *testing.T) { // U+FFFD has 3 bytes, what it stands for 1 to 3
		s := Transcoder{OnError: Replace}.NewStream()
		runTransforms(t, s, transformCall{"\xFFa\xE2\x82b\xF0\x9F\x98", 64, false, "\uFFFDa\uFFFDb", 5, ErrShortSrc})
		require.EqualValues(t, 5, s.InputOffset())
		require.EqualValues(t, 2, s.Replaced())
	})
	t.Run("error offsets go on from piece to piece", func(t *testing.T) {
		s := Transcoder{From: UTF16BE}.NewStream()
		runTransforms(t, s,
			transformCall{"\x00a\x00b\x00", 8, false, "ab", 4, ErrShortSrc},
			transformCall{"\x00c\xD8\x00", 8, false, "c", 2, ErrShortSrc},
			transformCall{"\xD8\x00\x00d", 8, true, "", 0, &Error{Encoding: UTF16BE, Offset: 6, Len: 2, Kind: KindSurrogate}})
	})
	t.Run("ill-formed for good is not unfinished", func(t *testing.T) {
		for _, src := range []string{"\xE0\x80", "\xED\xA0", "\xF0\x8F", "\xF4\x90", "\xC0", "\xF5", "\x80"} {
			_, n, err := Transcoder{}.NewStream().Transform(make([]byte, 8), []byte(src), false)
			require.Zero(t, n)
			require.ErrorIs(t, err, ErrInvalid, "% x", src)
		}
	})
	t.Run("skip joins what stood on both sides", func(t *testing.T) {
		got, err := Transcoder{OnError: Skip}.String([]byte("<scr\x80ipt>"))
		require.NoError(t, err)
		require.Equal(t, "<script>", got)
		got, err = Transcoder{OnError: Replace}.String([]byte("<scr\x80ipt>"))
		require.NoError(t, err)
		require.Equal(t, "<scr\uFFFDipt>", got)
	})
	t.Run("U+FFFD in the source", func(t *testing.T) {
		s := Transcoder{OnError: Replace, To: UTF16BE}.NewStream()
		runTransforms(t, s, transformCall{"\uFFFD", 8, true, "\xFF\xFD", 3, nil})
		require.Zero(t, s.Replaced(), "is text")
		s = Transcoder{OnError: Replace, To: Latin1}.NewStream()
		runTransforms(t, s, transformCall{"\uFFFD", 8, true, "?", 3, nil})
		require.EqualValues(t, 1, s.Replaced(), "is a character that Latin-1 does not have")
	})
	t.Run("ASCII replacement is a question mark", func(t *testing.T) {
		for _, to := range []Encoding{ASCII, Latin1} {
			got, err := Transcoder{To: to, OnError: Replace}.String([]byte("中\xFF"))
			require.NoError(t, err)
			require.Equal(t, "??", got)
			got, err = Transcoder{To: to, OnError: ReplaceBytes}.String([]byte("中\xE4\xB8"))
			require.NoError(t, err)
			require.Equal(t, "???", got, "one for the character, two for the bytes")
		}
	})
}

// TestAddBOM: exactly one byte order mark begins the output, for empty text too, and none for ASCII and Latin-1.
func TestAddBOM(t *testing.T) {
	for _, from := range everyEncoding {
		for _, to := range everyEncoding {
			for _, text := range []string{"", "a", "\uFEFF", "\uFEFFa", "\uFEFF\uFEFF", "a\uFEFF"} {
				src, err := Append(nil, from, text, UTF8)
				if err != nil {
					continue
				}
				got, err := Transcoder{From: from, To: to, AddBOM: true, OnError: Skip}.Append(nil, src)
				require.NoError(t, err)
				want := text
				switch {
				case to == ASCII || to == Latin1:
					want = strings.ReplaceAll(text, "\uFEFF", "")
				case !strings.HasPrefix(text, "\uFEFF"):
					want = "\uFEFF" + text
				}
				enc, err := Append(nil, to, want, UTF8)
				require.NoError(t, err)
				require.Equal(t, string(enc), string(got), "%v to %v: %q", from, to, text)
			}
		}
	}
	t.Run("empty text gets it at the end of the input", func(t *testing.T) {
		s := Transcoder{To: UTF16BE, AddBOM: true}.NewStream()
		runTransforms(t, s,
			transformCall{"", 8, false, "", 0, nil},
			transformCall{"", 1, true, "", 0, ErrShortDst},
			transformCall{"", 8, true, "\xFE\xFF", 0, nil})
	})
	t.Run("stripped mark is replaced by the target's", func(t *testing.T) {
		got, err := Transcoder{BOM: BOMOverride, To: UTF16LE, AddBOM: true}.Append(nil, []byte("\xFE\xFF\x00a"))
		require.NoError(t, err)
		require.Equal(t, "\xFF\xFEa\x00", string(got))
	})
	t.Run("dropped bytes in front of U+FEFF", func(t *testing.T) {
		tr := Transcoder{OnError: Skip, AddBOM: true}
		src := []byte("\x80\xE2\x82\uFEFFa")
		checkPair(t, tr, src)
		for cut := range src {
			checkStream(t, tr.NewStream(), tr, oracleTranscode(tr, src), src, []int{cut}, []int{8})
		}
		got, err := tr.String(src)
		require.NoError(t, err)
		require.Equal(t, "\uFEFFa", got)
	})
}

// TestTranscoderValue: a Transcoder is a plain value, whose zero value checks and copies UTF-8.
func TestTranscoderValue(t *testing.T) {
	var tr Transcoder
	got, err := tr.Append([]byte("x"), []byte("héllo"))
	require.NoError(t, err)
	require.Equal(t, "xhéllo", string(got))
	_, err = tr.Append(nil, []byte("h\xE9llo"))
	require.ErrorIs(t, err, ErrInvalid)
	require.Equal(t, Transcoder{UTF8, UTF8, Strict, BOMKeep, false}, tr)
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
		got, err := Append(nil, UTF8, genText("latin1", n), Latin1)
		require.NoError(t, err)
		require.True(t, allZero(got[len(got):cap(got)]))
		got = AppendValidUTF8(make([]byte, 0, 1), genText("mixed", n)+"\xFF")
		require.True(t, allZero(got[len(got):cap(got)]))
	}
}
