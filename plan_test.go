package transcode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// naivePlan cuts a text, which was decoded at once with replacements, where its units begin.
func naivePlan(x *expectation, unit Unit, delim byte, srcLen, size int) (ranges []Range) {
	starts := []int{x.textAt}
	for _, s := range x.spans {
		switch {
		case unit == UnitCharacter:
			starts = append(starts, s.at)
		case !s.replaced && len(s.text) == 1 && s.text[0] == delim:
			starts = append(starts, s.at+s.n)
		}
	}
	begins := []int{x.textAt}
	for at := size; at < srcLen; at += size {
		for _, s := range starts {
			if s >= at && s < srcLen {
				begins = append(begins, s)
				break
			}
		}
	}
	begins = append(slices.Compact(slices.Sorted(slices.Values(begins))), srcLen)
	for i, lo := range begins[:len(begins)-1] {
		if lo < begins[i+1] {
			ranges = append(ranges, Range{int64(lo), int64(begins[i+1]), x.encoding})
		}
	}
	return ranges
}

// checkPlan requires of the ranges of a text that they are where they must be and read as the whole does.
func checkPlan(tb testing.TB, src []byte, o PlanOptions, policy Policy) error {
	tr := Transcoder{From: o.From, OnError: policy, BOM: o.BOM}
	ranges, err := Plan(bytes.NewReader(src), int64(len(src)), o)
	if err != nil {
		return err
	}
	delim := byte('\n')
	if o.Unit == UnitRecord {
		delim = o.Delim
	}
	replacing := tr
	replacing.OnError = Replace
	want := naivePlan(expect(tb, replacing, src), o.Unit, delim, len(src), int(o.Size))
	if !slices.Equal(ranges, want) {
		return fmt.Errorf("ranges %v, want %v", ranges, want)
	}

	x := expect(tb, tr, src)
	at := int64(x.textAt)
	replaced := 0
	var text []byte
	var spans []span
	var records []Line
	var first error // Strict's
	for _, rg := range ranges {
		if rg.Lo != at || rg.Hi <= rg.Lo {
			return fmt.Errorf("%v does not begin at %d", rg, at)
		}
		at = rg.Hi
		part := expect(tb, Transcoder{From: rg.Encoding, OnError: policy}, src[rg.Lo:rg.Hi]).shifted(int(rg.Lo))
		if err := readNext(tr.NewRangeReader(bytes.NewReader(src), rg), part, io.EOF); err != nil {
			return fmt.Errorf("%v: %w", rg, err)
		}
		if first == nil {
			text, spans, first = append(text, part.text...), append(spans, part.spans...), part.err
		}
		replaced += part.replaced
		if o.Unit != UnitCharacter {
			for line, err := range tr.NewRangeReader(bytes.NewReader(src), rg).Records(delim, 0, LongError) {
				if err != nil {
					break
				}
				line.Text = bytes.Clone(line.Text)
				records = append(records, line)
			}
		}
	}
	if len(ranges) > 0 && at != int64(len(src)) || len(ranges) == 0 && x.textAt != len(src) {
		return fmt.Errorf("%v do not tile %d to %d", ranges, x.textAt, len(src))
	}
	sameSpan := func(a, b span) bool {
		return a.at == b.at && a.n == b.n && a.replaced == b.replaced && bytes.Equal(a.text, b.text)
	}
	switch {
	case !bytes.Equal(text, x.text):
		return fmt.Errorf("%v together give % x, want % x", ranges, text, x.text)
	case !samePlace(first, x.err):
		return fmt.Errorf("%v together give %v, want %v", ranges, first, x.err)
	case x.err == nil && replaced != x.replaced:
		return fmt.Errorf("%v together replace %d, want %d", ranges, replaced, x.replaced)
	case !slices.EqualFunc(spans, x.spans, sameSpan):
		return fmt.Errorf("%v cut other sequences than one reader", ranges)
	}
	if o.Unit == UnitCharacter || policy == Strict {
		return nil
	}
	i := 0
	for line := range tr.NewReader(bytes.NewReader(src)).Records(delim, 0, LongError) {
		if i == len(records) || !bytes.Equal(line.Text, records[i].Text) || line.Offset != records[i].Offset || line.Len != records[i].Len || line.Class != records[i].Class {
			return fmt.Errorf("record %d, %+v, is not among those of %v: %+v", i, line, ranges, records[min(i, len(records)):])
		}
		i++
	}
	if i != len(records) {
		return fmt.Errorf("%d records, in the ranges %d", i, len(records))
	}
	return nil
}

// samePlace reports whether two errors, or none, are about the same sequence. What is wrong with it may differ, since a range ends behind
// what another Reader sees the next byte of: that is why ranges are not for Strict.
func samePlace(a, b error) bool {
	x, ok := a.(*Error)
	y, too := b.(*Error)
	if ok && too {
		return x.Offset == y.Offset && x.Len == y.Len
	}
	return a == b
}

// planTexts returns texts of an encoding with every fault beside others, in turns.
func planTexts(e Encoding) (list [][]byte) {
	rnd := rand.New(rand.NewPCG(uint64(e), 1))
	anywhere, atEnd := faults(e)
	for i := range 8 {
		var b []byte
		for _, k := range rnd.Perm(len(anywhere)) {
			b = append(b, anywhere[k]...)
			switch rnd.IntN(4) {
			case 0:
				b = append(b, encoded(e, []string{"é", "\n", "😀", "\n\n", "a"}[rnd.IntN(5)])...)
			case 1:
				b = append(b, anywhere[k]...)
			}
		}
		if len(atEnd) > 0 {
			b = append(b, atEnd[i%len(atEnd)]...)
		}
		list = append(list, b)
	}
	for _, text := range faultyTexts(e) {
		list = append(list, text.src)
	}
	list = append(list, encoded(e, "\nab\n\ncd\r\ne"), encoded(e, "\n"), encoded(e, "\n\n\n"), encoded(e, "abcdefghijk\nl"))
	if e != UTF8 && e != ASCII && e != Latin1 {
		list = append(list, encoded(e, "\u0A0A\u0A00\u000A\u010A\u0A0D\n\u0A0A"))
	}
	return list
}

// Every size of range.
func TestPlanEverySize(t *testing.T) {
	cases := 0
	for _, e := range everyEncoding {
		for _, text := range planTexts(e) {
			for size := 1; size <= len(text)+2; size++ {
				for _, o := range []PlanOptions{{Unit: UnitCharacter}, {Unit: UnitLine}, {Unit: UnitRecord, Delim: 'a'}} {
					for _, policy := range everyPolicy {
						if !every(&cases, 23) {
							continue
						}
						o.From, o.Size = e, int64(size)
						if err := checkPlan(t, text, o, policy); err != nil {
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
	for _, mark := range everyEncoding {
		for _, from := range everyEncoding {
			for _, bom := range everyBOMPolicy {
				texts := [][]byte{oracleBOM(mark), slices.Concat(oracleBOM(mark), encoded(mark, "a\nb")), slices.Concat(oracleBOM(mark), oracleBOM(mark), encoded(mark, "\n"))}
				for n := range len(oracleBOM(mark)) {
					texts = append(texts, oracleBOM(mark)[:n], append(oracleBOM(mark)[:n:n], '\n', 0, 'a'))
				}
				for _, text := range texts {
					for size := 1; size <= len(text)+1; size++ {
						for _, unit := range []Unit{UnitCharacter, UnitLine} {
							o := PlanOptions{From: from, BOM: bom, Unit: unit, Size: int64(size)}
							if err := checkPlan(t, text, o, Replace); err != nil {
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
		o    PlanOptions
		want []int64 // where ranges begin and the last one ends
	}{
		{"nothing", "", PlanOptions{Size: 1}, nil},
		{"a byte order mark alone", "\xEF\xBB\xBF", PlanOptions{BOM: BOMStrip, Size: 1}, nil},
		{"one range", "abcdef", PlanOptions{}, []int64{0, 6}},
		{"a negative size", "abcdef", PlanOptions{Size: -1}, []int64{0, 6}},
		{"characters", "abcdef", PlanOptions{Size: 4}, []int64{0, 4, 6}},
		{"inside a character", "ab€cd", PlanOptions{Size: 3}, []int64{0, 5, 6, 7}},
		{"behind a mark", "\xEF\xBB\xBFabcdef", PlanOptions{BOM: BOMOverride, Size: 4}, []int64{3, 4, 8, 9}},
		{"a pair", "\x00a\xD8\x00\xDC\x00\x00b", PlanOptions{From: UTF16BE, Size: 4}, []int64{0, 6, 8}},
		{"an odd size", "\x00a\x00b\x00c", PlanOptions{From: UTF16BE, Size: 3}, []int64{0, 4, 6}},
		{"UTF-32 units", "a\x00\x00\x00b\x00\x00\x00c\x00", PlanOptions{From: UTF32LE, Size: 5}, []int64{0, 8, 10}},
		{"lines", "ab\ncdef\ng", PlanOptions{Unit: UnitLine, Size: 3}, []int64{0, 3, 8, 9}},
		{"a line longer than ranges", "abcdefghij\nk", PlanOptions{Unit: UnitLine, Size: 2}, []int64{0, 11, 12}},
		{"a last line without an end", "ab\ncdefg", PlanOptions{Unit: UnitLine, Size: 4}, []int64{0, 8}},
		{"records", "ab;cd;", PlanOptions{Unit: UnitRecord, Delim: ';', Size: 2}, []int64{0, 3, 6}},
		{"a newline byte in a unit", "\x0A\x0A\x00a\x00\x0A\x00b", PlanOptions{From: UTF16BE, Unit: UnitLine, Size: 2}, []int64{0, 6, 8}},
		{"CR LF is not cut", "a\r\nb", PlanOptions{Unit: UnitLine, Size: 2}, []int64{0, 3, 4}},
	} {
		ranges, err := Plan(bytes.NewReader([]byte(c.src)), int64(len(c.src)), c.o)
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
		o    PlanOptions
	}{
		"unknown encoding 9": {8, PlanOptions{From: 9}},
		"unknown byte order": {8, PlanOptions{BOM: 3}},
		"unknown unit 3":     {8, PlanOptions{Unit: 3}},
		"negative size":      {-1, PlanOptions{}},
		"delimiter 0x80":     {8, PlanOptions{Unit: UnitRecord, Delim: 0x80}},
	} {
		ranges, err := Plan(src, c.size, c.o)
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "transcode: ")
		require.Nil(t, ranges)
	}
	// The delimiter of records does not matter to other units.
	_, err := Plan(src, 8, PlanOptions{Unit: UnitLine, Delim: 0xFF})
	require.NoError(t, err)
}

// A source that ends before its size, or fails.
func TestPlanSourceErrors(t *testing.T) {
	for _, c := range []struct {
		size int64
		o    PlanOptions
	}{{9, PlanOptions{Size: 8}}, {100, PlanOptions{Size: 50}}, {100, PlanOptions{Size: 6, Unit: UnitLine}}, {1, PlanOptions{}}} {
		src := bytes.NewReader([]byte("abcdefgh"))
		if c.size == 1 {
			src = bytes.NewReader(nil)
		}
		ranges, err := Plan(src, c.size, c.o)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%+v", c)
		require.Nil(t, ranges)
	}
	broken := errors.New("broken")
	for after := range int64(3) {
		calls := int64(0)
		_, err := Plan(readerAtFunc(func(p []byte, off int64) (int, error) {
			if calls++; calls > after {
				return 0, broken
			}
			for i := range p {
				p[i] = 'a'
			}
			return len(p), nil
		}), 1000, PlanOptions{Size: 100})
		require.Equal(t, broken, err)
	}
	for _, n := range []int{-1, 0, 1, 3, 5, math.MaxInt32, math.MinInt32} { // of four bytes
		_, err := Plan(readerAtFunc(func(p []byte, off int64) (int, error) { return n, nil }), 4, PlanOptions{})
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
	ranges, err := Plan(v, v.size, PlanOptions{Size: 1<<40 + 1})
	require.NoError(t, err)
	require.Len(t, ranges, 1024)
	require.Equal(t, Range{1<<40 + 1, 2<<40 + 2, UTF8}, ranges[1])
	require.Equal(t, v.size, ranges[1023].Hi)
	require.Less(t, v.read, int64(1024*16))

	r := Transcoder{}.NewRangeReader(v, ranges[1023])
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, ranges[1023].Lo, c.Offset)
	require.Equal(t, ranges[1023].Lo+int64(c.Len), r.InputOffset())

	v = &virtual{size: 200 << 20}
	for _, size := range []int64{0, -1, math.MinInt64} {
		ranges, err = Plan(v, v.size, PlanOptions{Size: size})
		require.NoError(t, err)
		require.Equal(t, []Range{{0, 64 << 20, UTF8}, {64 << 20, 128 << 20, UTF8}, {128 << 20, 192 << 20, UTF8}, {192 << 20, 200 << 20, UTF8}}, ranges)
	}

	ranges, err = Plan(v, v.size, PlanOptions{Size: math.MaxInt64, Unit: UnitLine})
	require.NoError(t, err)
	require.Equal(t, []Range{{0, 200 << 20, UTF8}}, ranges)
}

// Places near the largest offset do not overflow.
func TestPlanLargestOffsets(t *testing.T) {
	const size = math.MaxInt64
	for _, e := range []Encoding{UTF8, UTF16LE, UTF32BE} {
		unit := int64(oracleUnitSize(e))
		for off := size - 2*unit; off >= 0 && off < size; off++ {
			cut := int64(size) // the boundary of units at or after off
			if off%unit == 0 {
				cut = off
			} else if off/unit < size/unit {
				cut = (off/unit + 1) * unit
			}
			want := []Range{{0, cut, e}, {cut, size, e}}
			if cut == size {
				want = want[:1]
			}
			ranges, err := Plan(&virtual{size: size}, size, PlanOptions{From: e, Size: off})
			require.NoError(t, err)
			require.Equal(t, want, ranges, "%v at %d", e, off)
		}
		ranges, err := Plan(&virtual{size: size}, size, PlanOptions{From: e, Unit: UnitLine, Size: size - 10})
		require.NoError(t, err)
		require.Equal(t, []Range{{0, size, e}}, ranges)
	}
}

// A delimiter is found wherever it stands relative to the pieces in which Plan searches, and only on the boundary of a unit.
func TestPlanLongRecords(t *testing.T) {
	const piece = 64 << 10
	for _, e := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
		unit := oracleUnitSize(e)
		filler := encoded(e, "\u0A00")
		if e == UTF8 {
			filler = []byte("\x0D") // each byte a character
		}
		nl := encoded(e, "\n")
		for _, at := range []int{piece - 3*unit, piece - 2*unit, piece - unit, piece, piece + unit, 2 * piece} {
			src := bytes.Repeat(filler, 3*piece/len(filler))
			copy(src[at:], nl)
			ranges, err := Plan(bytes.NewReader(src), int64(len(src)), PlanOptions{From: e, Unit: UnitLine, Size: 1})
			require.NoError(t, err)
			require.Equal(t, []Range{{0, int64(at + unit), e}, {int64(at + unit), int64(len(src)), e}}, ranges, "%v, a line feed at %d", e, at)
		}
	}
}

func TestRangeJSON(t *testing.T) {
	b, err := json.Marshal(Range{0, 1048576, UTF8})
	require.NoError(t, err)
	require.Equal(t, `{"lo":0,"hi":1048576,"encoding":"UTF-8"}`, string(b))
	for _, e := range everyEncoding {
		want := Range{math.MaxInt64 - 1, math.MaxInt64, e}
		b, err := json.Marshal(want)
		require.NoError(t, err)
		var got Range
		require.NoError(t, json.Unmarshal(b, &got))
		require.Equal(t, want, got)
	}
	var rg Range
	require.NoError(t, json.Unmarshal([]byte(`{"lo":3,"hi":4,"encoding":"latin1"}`), &rg))
	require.Equal(t, Range{3, 4, Latin1}, rg)
	require.Error(t, json.Unmarshal([]byte(`{"encoding":"windows-1252"}`), &rg))
	_, err = json.Marshal(Range{Encoding: 9})
	require.Error(t, err)
}

func TestRangeReader(t *testing.T) {
	src := bytes.NewReader([]byte("\xEF\xBB\xBFab\n€\xFFz"))
	// The range says what the text is, not the Transcoder.
	tr := Transcoder{From: UTF16LE, OnError: Replace, BOM: BOMOverride, AddBOM: true}
	text, err := io.ReadAll(tr.NewRangeReader(src, Range{0, 5, UTF8}))
	require.NoError(t, err)
	require.Equal(t, "\uFEFFab", string(text))
	text, err = io.ReadAll(tr.NewRangeReader(src, Range{3, 5, UTF8}))
	require.NoError(t, err)
	require.Equal(t, "ab", string(text))
	text, err = io.ReadAll(tr.NewRangeReader(src, Range{3, 5, Latin1}))
	require.NoError(t, err)
	require.Equal(t, "ab", string(text))
	// Errors have the offset of the source.
	_, err = io.ReadAll(Transcoder{}.NewRangeReader(src, Range{6, 11, UTF8}))
	require.Equal(t, &Error{Offset: 9, Len: 1, Kind: KindBadLead}, err)
	// A character that the range cuts is truncated.
	_, err = io.ReadAll(Transcoder{}.NewRangeReader(src, Range{5, 8, UTF8}))
	require.Equal(t, &Error{Offset: 6, Len: 2, Kind: KindTruncated}, err)
	text, err = io.ReadAll(tr.NewRangeReader(src, Range{7, 9, UTF8}))
	require.NoError(t, err)
	require.Equal(t, "\uFFFD\uFFFD", string(text))
	// Nothing.
	for _, at := range []int64{0, 11, math.MaxInt64} {
		r := tr.NewRangeReader(src, Range{at, at, UTF8})
		_, err = r.Next()
		require.Equal(t, io.EOF, err)
		require.Equal(t, at, r.InputOffset())
	}
}

// The source must have all of a range.
func TestRangeReaderSourceErrors(t *testing.T) {
	src := bytes.NewReader([]byte("abc\xE2\x82"))
	r := Transcoder{}.NewRangeReader(src, Range{1, 6, UTF8})
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "bc", string(c.Text))
	for range 2 {
		_, err = r.Next()
		require.Equal(t, io.ErrUnexpectedEOF, err, "not that a character is truncated")
	}
	_, err = Transcoder{}.NewRangeReader(src, Range{100, 101, UTF8}).Next()
	require.Equal(t, io.ErrUnexpectedEOF, err)
	for _, rg := range []Range{{-1, 3, UTF8}, {3, 2, UTF8}, {-5, -5, UTF8}} {
		_, err = Transcoder{}.NewRangeReader(src, rg).Next()
		require.ErrorContains(t, err, "transcode: ")
	}
	_, err = Transcoder{}.NewRangeReader(src, Range{0, 1, 9}).Next()
	require.ErrorContains(t, err, "unknown encoding 9")
	// An error of the source, with bytes and without.
	broken := errors.New("broken")
	for n := range 3 {
		text, err := io.ReadAll(Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return copy(p, "ab"[:n]), broken }), Range{0, 2, UTF8}))
		require.Equal(t, broken, err)
		require.Equal(t, "ab"[:n], string(text))
	}
	// A source that gives less than it is asked for, without an error.
	text, err := io.ReadAll(Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return copy(p, "abcdef"[off:off+1]), nil }), Range{1, 4, UTF8}))
	require.NoError(t, err)
	require.Equal(t, "bcd", string(text))
	_, err = Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return 0, nil }), Range{1, 4, UTF8}).Next()
	require.Equal(t, io.ErrNoProgress, err)
	_, err = Transcoder{}.NewRangeReader(readerAtFunc(func(p []byte, off int64) (int, error) { return -1, nil }), Range{1, 4, UTF8}).Next()
	require.ErrorContains(t, err, "transcode: ")
}
