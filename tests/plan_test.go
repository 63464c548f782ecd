package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// between returns the Range from lo to hi.
func between(lo, hi int64, e transcode.Encoding) transcode.Range {
	return transcode.Range{Lo: lo, Hi: hi, Encoding: e}
}

// planTexts returns texts of an encoding with every fault beside others, in turns.
func planTexts(e transcode.Encoding) (list [][]byte) {
	rnd := rand.New(rand.NewPCG(uint64(e), 1))
	anywhere, atEnd := texts.Faults(e)
	for i := range 8 {
		var b []byte
		for _, k := range rnd.Perm(len(anywhere)) {
			b = append(b, anywhere[k]...)
			switch rnd.IntN(4) {
			case 0:
				b = append(b, texts.Encoded(e, []string{"é", "\n", "😀", "\n\n", "a"}[rnd.IntN(5)])...)
			case 1:
				b = append(b, anywhere[k]...)
			}
		}
		if len(atEnd) > 0 {
			b = append(b, atEnd[i%len(atEnd)]...)
		}
		list = append(list, b)
	}
	for _, text := range texts.Faulty(e) {
		list = append(list, text.Src)
	}
	list = append(list, texts.Encoded(e, "\nab\n\ncd\r\ne"), texts.Encoded(e, "\n"), texts.Encoded(e, "\n\n\n"), texts.Encoded(e, "abcdefghijk\nl"))
	if e != transcode.UTF8 && e != transcode.ASCII && e != transcode.Latin1 {
		list = append(list, texts.Encoded(e, "\u0A0A\u0A00\u000A\u010A\u0A0D\n\u0A0A"))
	}
	return list
}

// Every size of range.
func TestPlanEverySize(t *testing.T) {
	cases := 0
	for _, e := range check.Encodings {
		for _, text := range planTexts(e) {
			for size := 1; size <= len(text)+2; size++ {
				for _, o := range []transcode.PlanOptions{{Unit: transcode.UnitCharacter}, {Unit: transcode.UnitLine}, {Unit: transcode.UnitRecord, Delim: 'a'}} {
					for _, policy := range check.Policies {
						if !texts.Every(&cases, 23) {
							continue
						}
						o.From, o.Size = e, int64(size)
						if err := check.Plan(t, text, o, policy); err != nil {
							t.Fatalf("%+v, policy %d, % .80x: %v", o, policy, text, err)
						}
					}
				}
			}
		}
	}
}

// Byte order marks, and what is left of them.
func TestPlanBOM(t *testing.T) {
	for _, mark := range check.Encodings {
		for _, from := range check.Encodings {
			for _, bom := range check.BOMPolicies {
				texts := [][]byte{oracle.BOM(mark), slices.Concat(oracle.BOM(mark), texts.Encoded(mark, "a\nb")), slices.Concat(oracle.BOM(mark), oracle.BOM(mark), texts.Encoded(mark, "\n"))}
				for n := range len(oracle.BOM(mark)) {
					texts = append(texts, oracle.BOM(mark)[:n], append(oracle.BOM(mark)[:n:n], '\n', 0, 'a'))
				}
				for _, text := range texts {
					for size := 1; size <= len(text)+1; size++ {
						for _, unit := range []transcode.Unit{transcode.UnitCharacter, transcode.UnitLine} {
							o := transcode.PlanOptions{From: from, BOM: bom, Unit: unit, Size: int64(size)}
							if err := check.Plan(t, text, o, transcode.Replace); err != nil {
								t.Fatalf("%+v, % x: %v", o, text, err)
							}
						}
					}
				}
			}
		}
	}
}

// A few plans in plain words.
func TestPlanByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		src  string
		o    transcode.PlanOptions
		want []int64 // where ranges begin and the last one ends
	}{
		{"nothing", "", transcode.PlanOptions{Size: 1}, nil},
		{"a byte order mark alone", "\xEF\xBB\xBF", transcode.PlanOptions{BOM: transcode.BOMStrip, Size: 1}, nil},
		{"one range", "abcdef", transcode.PlanOptions{}, []int64{0, 6}},
		{"a negative size", "abcdef", transcode.PlanOptions{Size: -1}, []int64{0, 6}},
		{"characters", "abcdef", transcode.PlanOptions{Size: 4}, []int64{0, 4, 6}},
		{"inside a character", "ab€cd", transcode.PlanOptions{Size: 3}, []int64{0, 5, 6, 7}},
		{"behind a mark", "\xEF\xBB\xBFabcdef", transcode.PlanOptions{BOM: transcode.BOMOverride, Size: 4}, []int64{3, 4, 8, 9}},
		{"a pair", "\x00a\xD8\x00\xDC\x00\x00b", transcode.PlanOptions{From: transcode.UTF16BE, Size: 4}, []int64{0, 6, 8}},
		{"an odd size", "\x00a\x00b\x00c", transcode.PlanOptions{From: transcode.UTF16BE, Size: 3}, []int64{0, 4, 6}},
		{"UTF-32 units", "a\x00\x00\x00b\x00\x00\x00c\x00", transcode.PlanOptions{From: transcode.UTF32LE, Size: 5}, []int64{0, 8, 10}},
		{"lines", "ab\ncdef\ng", transcode.PlanOptions{Unit: transcode.UnitLine, Size: 3}, []int64{0, 3, 8, 9}},
		{"a line longer than ranges", "abcdefghij\nk", transcode.PlanOptions{Unit: transcode.UnitLine, Size: 2}, []int64{0, 11, 12}},
		{"a last line without an end", "ab\ncdefg", transcode.PlanOptions{Unit: transcode.UnitLine, Size: 4}, []int64{0, 8}},
		{"records", "ab;cd;", transcode.PlanOptions{Unit: transcode.UnitRecord, Delim: ';', Size: 2}, []int64{0, 3, 6}},
		{"a newline byte in a unit", "\x0A\x0A\x00a\x00\x0A\x00b", transcode.PlanOptions{From: transcode.UTF16BE, Unit: transcode.UnitLine, Size: 2}, []int64{0, 6, 8}},
		{"CR LF is not cut", "a\r\nb", transcode.PlanOptions{Unit: transcode.UnitLine, Size: 2}, []int64{0, 3, 4}},
	} {
		ranges, err := transcode.Plan(bytes.NewReader([]byte(c.src)), int64(len(c.src)), c.o)
		require.NoError(t, err, c.name)
		var got []int64
		for i, rg := range ranges {
			if i > 0 {
				require.Equal(t, ranges[i-1].Hi, rg.Lo, c.name)
			}
			got = append(got, rg.Lo)
		}
		if len(ranges) > 0 {
			got = append(got, ranges[len(ranges)-1].Hi)
		}
		require.Equal(t, c.want, got, c.name)
	}
}

func TestPlanBadArguments(t *testing.T) {
	src := bytes.NewReader([]byte("abcdefgh"))
	for name, c := range map[string]struct {
		size int64
		o    transcode.PlanOptions
	}{
		"unknown encoding 9": {8, transcode.PlanOptions{From: 9}},
		"unknown byte order": {8, transcode.PlanOptions{BOM: 3}},
		"unknown unit 3":     {8, transcode.PlanOptions{Unit: 3}},
		"negative size":      {-1, transcode.PlanOptions{}},
		"delimiter 0x80":     {8, transcode.PlanOptions{Unit: transcode.UnitRecord, Delim: 0x80}},
	} {
		ranges, err := transcode.Plan(src, c.size, c.o)
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "transcode: ")
		require.Nil(t, ranges)
	}
	// The delimiter of records does not matter to other units.
	_, err := transcode.Plan(src, 8, transcode.PlanOptions{Unit: transcode.UnitLine, Delim: 0xFF})
	require.NoError(t, err)
}

// A source that ends before its size, or fails.
func TestPlanSourceErrors(t *testing.T) {
	for _, c := range []struct {
		size int64
		o    transcode.PlanOptions
	}{{9, transcode.PlanOptions{Size: 8}}, {100, transcode.PlanOptions{Size: 50}}, {100, transcode.PlanOptions{Size: 6, Unit: transcode.UnitLine}}, {1, transcode.PlanOptions{}}} {
		src := bytes.NewReader([]byte("abcdefgh"))
		if c.size == 1 {
			src = bytes.NewReader(nil)
		}
		ranges, err := transcode.Plan(src, c.size, c.o)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%+v", c)
		require.Nil(t, ranges)
	}
	broken := errors.New("broken")
	for after := range int64(3) {
		calls := int64(0)
		_, err := transcode.Plan(readerAtFunc(func(p []byte, off int64) (int, error) {
			if calls++; calls > after {
				return 0, broken
			}
			for i := range p {
				p[i] = 'a'
			}
			return len(p), nil
		}), 1000, transcode.PlanOptions{Size: 100})
		require.Equal(t, broken, err)
	}
	for _, n := range []int{-1, 0, 1, 3, 5, math.MaxInt32, math.MinInt32} { // of four bytes
		_, err := transcode.Plan(readerAtFunc(func(p []byte, off int64) (int, error) { return n, nil }), 4, transcode.PlanOptions{})
		require.Error(t, err, n)
		if n >= 0 && n < 4 {
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
	}
}

type readerAtFunc func(p []byte, off int64) (int, error)

func (f readerAtFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// virtual is a source of the letter a in a size that no machine has, which counts what is read.
type virtual struct {
	size int64
	read int64
}

func (v *virtual) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), v.size-off))
	for i := range p[:n] {
		p[i] = 'a'
	}
	v.read += int64(n)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Offsets have 64 bits everywhere, and cutting between characters reads next to nothing.
func TestPlanHugeSource(t *testing.T) {
	v := &virtual{size: 1<<50 + 5}
	ranges, err := transcode.Plan(v, v.size, transcode.PlanOptions{Size: 1<<40 + 1})
	require.NoError(t, err)
	require.Len(t, ranges, 1024)
	require.Equal(t, between(1<<40+1, 2<<40+2, transcode.UTF8), ranges[1])
	require.Equal(t, v.size, ranges[1023].Hi)
	require.Less(t, v.read, int64(1024*16))

	r := transcode.Transcoder{}.NewRangeReader(v, ranges[1023])
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, ranges[1023].Lo, c.Offset)
	require.Equal(t, ranges[1023].Lo+int64(c.Len), r.InputOffset())

	v = &virtual{size: 200 << 20}
	for _, size := range []int64{0, -1, math.MinInt64} {
		ranges, err = transcode.Plan(v, v.size, transcode.PlanOptions{Size: size})
		require.NoError(t, err)
		require.Equal(t, []transcode.Range{between(0, 64<<20, transcode.UTF8), between(64<<20, 128<<20, transcode.UTF8), between(128<<20, 192<<20, transcode.UTF8), between(192<<20, 200<<20, transcode.UTF8)}, ranges)
	}

	ranges, err = transcode.Plan(v, v.size, transcode.PlanOptions{Size: math.MaxInt64, Unit: transcode.UnitLine})
	require.NoError(t, err)
	require.Equal(t, []transcode.Range{between(0, 200<<20, transcode.UTF8)}, ranges)
}

// Places near the largest offset do not overflow.
func TestPlanLargestOffsets(t *testing.T) {
	const size = math.MaxInt64
	source := func() readerAtFunc {
		reads := 0
		return func(p []byte, off int64) (int, error) {
			if reads++; reads > 20 {
				return 0, errors.New("read again and again") // from an offset that came out small
			}
			return (&virtual{size: size}).ReadAt(p, off)
		}
	}
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF32BE} {
		unit := int64(oracle.UnitSize(e))
		for off := size - 2*unit; off >= 0 && off < size; off++ {
			cut := int64(size) // the boundary of units at or after off
			if off%unit == 0 {
				cut = off
			} else if off/unit < size/unit {
				cut = (off/unit + 1) * unit
			}
			want := []transcode.Range{between(0, cut, e), between(cut, size, e)}
			if cut == size {
				want = want[:1]
			}
			ranges, err := transcode.Plan(source(), size, transcode.PlanOptions{From: e, Size: off})
			require.NoError(t, err)
			require.Equal(t, want, ranges, "%v at %d", e, off)
		}
		ranges, err := transcode.Plan(source(), size, transcode.PlanOptions{From: e, Unit: transcode.UnitLine, Size: size - 10})
		require.NoError(t, err)
		require.Equal(t, []transcode.Range{between(0, size, e)}, ranges)
	}
}

// A delimiter is found wherever it stands relative to the pieces in which Plan searches, and only on the boundary of a unit.
func TestPlanLongRecords(t *testing.T) {
	const piece = 64 << 10
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
		unit := oracle.UnitSize(e)
		filler := texts.Encoded(e, "\u0A00")
		if e == transcode.UTF8 {
			filler = []byte("\x0D") // each byte a character
		}
		nl := texts.Encoded(e, "\n")
		for _, at := range []int{piece - 3*unit, piece - 2*unit, piece - unit, piece, piece + unit, 2 * piece} {
			src := bytes.Repeat(filler, 3*piece/len(filler))
			copy(src[at:], nl)
			ranges, err := transcode.Plan(bytes.NewReader(src), int64(len(src)), transcode.PlanOptions{From: e, Unit: transcode.UnitLine, Size: 1})
			require.NoError(t, err)
			require.Equal(t, []transcode.Range{between(0, int64(at+unit), e), between(int64(at+unit), int64(len(src)), e)}, ranges, "%v, a line feed at %d", e, at)
		}
	}
}

func TestRangeJSON(t *testing.T) {
	b, err := json.Marshal(between(0, 1048576, transcode.UTF8))
	require.NoError(t, err)
	require.Equal(t, `{"lo":0,"hi":1048576,"encoding":"UTF-8"}`, string(b))
	for _, e := range check.Encodings {
		want := between(math.MaxInt64-1, math.MaxInt64, e)
		b, err := json.Marshal(want)
		require.NoError(t, err)
		var got transcode.Range
		require.NoError(t, json.Unmarshal(b, &got))
		require.Equal(t, want, got)
	}
	var rg transcode.Range
	require.NoError(t, json.Unmarshal([]byte(`{"lo":3,"hi":4,"encoding":"latin1"}`), &rg))
	require.Equal(t, between(3, 4, transcode.Latin1), rg)
	require.Error(t, json.Unmarshal([]byte(`{"encoding":"windows-1252"}`), &rg))
	_, err = json.Marshal(transcode.Range{Encoding: 9})
	require.Error(t, err)
}

func TestRangeReader(t *testing.T) {
	src := bytes.NewReader([]byte("\xEF\xBB\xBFab\n€\xFFz"))
	// The range says what the text is, not the Transcoder.
	tr := transcode.Transcoder{From: transcode.UTF16LE, OnError: transcode.Replace, BOM: transcode.BOMOverride, AddBOM: true}
	text, err := io.ReadAll(tr.NewRangeReader(src, between(0, 5, transcode.UTF8)))
	require.NoError(t, err)
	require.Equal(t, "\uFEFFab", string(text))
	text, err = io.ReadAll(tr.NewRangeReader(src, between(3, 5, transcode.UTF8)))
	require.NoError(t, err)
	require.Equal(t, "ab", string(text))
	text, err = io.ReadAll(tr.NewRangeReader(src, between(3, 5, transcode.Latin1)))
	require.NoError(t, err)
	require.Equal(t, "ab", string(text))
	// Errors have the offset of the source.
	_, err = io.ReadAll(transcode.Transcoder{}.NewRangeReader(src, between(6, 11, transcode.UTF8)))
	require.Equal(t, &transcode.Error{Offset: 9, Len: 1, Kind: transcode.KindBadLead}, err)
	// A character that the range cuts is truncated.
	_, err = io.ReadAll(transcode.Transcoder{}.NewRangeReader(src, between(5, 8, transcode.UTF8)))
	require.Equal(t, &transcode.Error{Offset: 6, Len: 2, Kind: transcode.KindTruncated}, err)
	text, err = io.ReadAll(tr.NewRangeReader(src, between(7, 9, transcode.UTF8)))
	require.NoError(t, err)
	require.Equal(t, "\uFFFD\uFFFD", string(text))
	// Nothing.
	for _, at := range []int64{0, 11, math.MaxInt64} {
		r := tr.NewRangeReader(src, between(at, at, transcode.UTF8))
		_, err = r.Next()
		require.Equal(t, io.EOF, err)
		require.Equal(t, at, r.InputOffset())
	}
}

// The source must have all of a range.
func TestRangeReaderSourceErrors(t *testing.T) {
	src := bytes.NewReader([]byte("abc\xE2\x82"))
	r := transcode.Transcoder{}.NewRangeReader(src, between(1, 6, transcode.UTF8))
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "bc", string(c.Text))
	for range 2 {
		_, err = r.Next()
		require.Equal(t, io.ErrUnexpectedEOF, err, "not that a character is truncated")
	}
	_, err = transcode.Transcoder{}.NewRangeReader(src, between(100, 101, transcode.UTF8)).Next()
	require.Equal(t, io.ErrUnexpectedEOF, err)
	for _, rg := range []transcode.Range{between(-1, 3, transcode.UTF8), between(3, 2, transcode.UTF8), between(-5, -5, transcode.UTF8)} {
		_, err = transcode.Transcoder{}.NewRangeReader(src, rg).Next()
		require.ErrorContains(t, err, "transcode: ")
	}
	_, err = transcode.Transcoder{}.NewRangeReader(src, between(0, 1, 9)).Next()
	require.ErrorContains(t, err, "unknown encoding 9")
	// An error of the source, with bytes and without.
	broken := errors.New("broken")
	for n := range 3 {
		text, err := io.ReadAll(transcode.Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return copy(p, "ab"[:n]), broken }), between(0, 2, transcode.UTF8)))
		require.Equal(t, broken, err)
		require.Equal(t, "ab"[:n], string(text))
	}
	// A source that gives less than it is asked for, without an error.
	text, err := io.ReadAll(transcode.Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return copy(p, "abcdef"[off:off+1]), nil }), between(1, 4, transcode.UTF8)))
	require.NoError(t, err)
	require.Equal(t, "bcd", string(text))
	_, err = transcode.Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return 0, nil }), between(1, 4, transcode.UTF8)).Next()
	require.Equal(t, io.ErrNoProgress, err)
	_, err = transcode.Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return -1, nil }), between(1, 4, transcode.UTF8)).Next()
	require.ErrorContains(t, err, "transcode: ")
}
