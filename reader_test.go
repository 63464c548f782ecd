package transcode

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The yardstick of all tests here is decoding at once: what becomes of each character or ill-formed sequence of the whole source, by
// the oracle. However a text comes, a Reader must return these, with their offsets.

// A span is a character of the source, or a sequence that is none, and what becomes of it.
type span struct {
	at, n    int    // source[at:at+n]; n is 0 for a byte order mark that is added
	text     []byte // in the target encoding; nothing under Skip
	replaced bool   // or dropped
}

// An expectation is what decoding at once gives.
type expectation struct {
	t        Transcoder
	encoding Encoding // of the source, as a byte order mark has it
	textAt   int      // behind a byte order mark that is removed
	end      int      // where decoding ends: at the end of the source, or at an error
	spans    []span
	ends     []int // ends[i] is where the text of spans[i] ends in text
	text     []byte
	replaced int
	err      error // *Error under Strict
}

// expect decodes src at once.
func expect(tb testing.TB, t Transcoder, src []byte) *expectation {
	tb.Helper()
	x := decodeAtOnce(t, src, false)
	// The yardstick itself must be right.
	if got, err := t.Append(nil, src); !bytes.Equal(got, x.text) || !sameError(err, x.err) {
		tb.Fatalf("%+v at once of % .80x:\n got % .80x, %v\nwant % .80x, %v", t, src, got, err, x.text, x.err)
	}
	return x
}

// expectUnfinished is expect for a source that fails behind src, so that what is unfinished there stays out.
func expectUnfinished(t Transcoder, src []byte) *expectation {
	if undecided(t, src) {
		return &expectation{t: t, encoding: t.From}
	}
	return decodeAtOnce(t, src, true)
}

func decodeAtOnce(t Transcoder, src []byte, unfinished bool) *expectation {
	x := &expectation{t: t}
	x.encoding, x.textAt = markOf(t, src)
	x.end = x.textAt
	mark := oracleBOM(t.To)
	addMark := t.AddBOM && mark != nil
	add := func(s span) {
		if addMark && len(s.text) > 0 {
			addMark = false
			if !bytes.Equal(s.text, mark) {
				x.add(span{at: s.at, text: mark})
			}
		}
		x.add(s)
	}
	replacement, ok := oracleEncode(0xFFFD, t.To)
	if !ok {
		replacement = []byte("?")
	}
	for _, it := range oracleDecode(src[x.textAt:], x.encoding) {
		it.off += x.textAt
		if it.kind == KindTruncated && unfinished {
			return x
		}
		text, ok := oracleEncode(it.r, t.To)
		if it.kind == 0 && !ok {
			it.kind = KindUnencodable
		}
		step := it.n
		switch {
		case it.kind == 0:
			add(span{at: it.off, n: it.n, text: text})
			x.end += it.n
			continue
		case t.OnError == Strict:
			x.err = oracleFault(it, x.encoding)
			if it.kind == KindUnencodable {
				x.err.(*Error).Rune = it.r
			}
			return x
		case t.OnError == ReplaceBytes && it.kind != KindUnencodable:
			step = oracleUnitSize(x.encoding)
		}
		for end := it.off + it.n; x.end < end; x.end += step {
			step = min(step, end-x.end)
			s := span{at: x.end, n: step, text: replacement, replaced: true}
			if t.OnError == Skip {
				s.text = nil
			}
			add(s)
		}
	}
	if addMark && !unfinished {
		x.add(span{at: x.end, text: mark})
	}
	return x
}

func (x *expectation) add(s span) {
	x.spans = append(x.spans, s)
	x.text = append(x.text, s.text...)
	x.ends = append(x.ends, len(x.text))
	if s.replaced {
		x.replaced++
	}
}

// undecided reports whether src may be the beginning of a byte order mark that t removes.
func undecided(t Transcoder, src []byte) bool {
	for _, e := range everyEncoding {
		mark := oracleBOM(e)
		if t.BOM != BOMKeep && (t.BOM == BOMOverride || e == t.From) && len(src) < len(mark) && bytes.HasPrefix(mark, src) {
			return true
		}
	}
	return false
}

// encoded returns s in the encoding e, which can hold it.
func encoded(e Encoding, s string) []byte {
	b, err := Append(nil, e, s, UTF8)
	if err != nil {
		return nil
	}
	return b
}

// markOf tells which encoding and how long a byte order mark at the start of src is, as t deals with it.
func markOf(t Transcoder, src []byte) (Encoding, int) {
	if t.BOM == BOMStrip && oracleBOM(t.From) != nil && bytes.HasPrefix(src, oracleBOM(t.From)) {
		return t.From, len(oracleBOM(t.From))
	}
	if t.BOM == BOMOverride {
		for _, e := range []Encoding{UTF32LE, UTF32BE, UTF16LE, UTF16BE, UTF8} {
			if bytes.HasPrefix(src, oracleBOM(e)) {
				return e, len(oracleBOM(e))
			}
		}
	}
	return t.From, 0
}

// naiveClass returns the class of a text.
func naiveClass(text []byte, e Encoding) Class { return oracleClass(oracleDecode(text, e)) }

// sameError reports whether two errors are the same: equal in all fields if they are about a text, else one value.
func sameError(a, b error) bool {
	x, ok := a.(*Error)
	y, too := b.(*Error)
	if ok && too {
		return *x == *y
	}
	return a == b
}

// after returns between which source offsets a Reader stands that has returned k bytes of the text: behind the last character
// returned, and before the first that is not. Sequences that Skip drops lie between these.
func (x *expectation) after(k int) (lo, hi int) {
	i := sort.Search(len(x.spans), func(i int) bool { return x.ends[i] > k })
	hi = x.end
	if i < len(x.spans) {
		hi = x.spans[i].at
	}
	for i--; i >= 0 && len(x.spans[i].text) == 0; i-- {
	}
	if i < 0 {
		return x.textAt, hi
	}
	return x.spans[i].at + x.spans[i].n, hi
}

// checkOffset requires that r stands where one that has returned k bytes does.
func (x *expectation) checkOffset(r *Reader, k int) error {
	if lo, hi := x.after(k); r.InputOffset() < int64(lo) || r.InputOffset() > int64(hi) {
		return fmt.Errorf("InputOffset %d after %d bytes, want %d to %d", r.InputOffset(), k, lo, hi)
	}
	return nil
}

// checkChunk requires that c is a piece of the text behind its first k bytes, and returns where that ends.
func (x *expectation) checkChunk(c Chunk, k int) (int, error) {
	lo, hi := x.after(k)
	i := sort.Search(len(x.spans), func(i int) bool { return x.ends[i] > k })
	cut := 0 // bytes of the character at k that have been returned before
	if i > 0 {
		cut = k - x.ends[i-1]
	} else {
		cut = k
	}
	if cut > 0 {
		lo = hi
	}
	if c.Offset < int64(lo) || c.Offset > int64(hi) {
		return 0, fmt.Errorf("chunk at %d after %d bytes, want %d to %d", c.Offset, k, lo, hi)
	}
	for cut == 0 && i > 0 && len(x.spans[i-1].text) == 0 && x.spans[i-1].at >= int(c.Offset) {
		i--
	}
	end := int(c.Offset) + c.Len
	at, replaced := int(c.Offset), 0
	var text []byte
	for ; i < len(x.spans) && x.spans[i].at+x.spans[i].n <= end; i++ {
		at = x.spans[i].at + x.spans[i].n
		text = append(text, x.spans[i].text...)
		if x.spans[i].replaced {
			replaced++
		}
	}
	switch {
	case at != end:
		return 0, fmt.Errorf("chunk %d+%d does not end with a character", c.Offset, c.Len)
	case cut > len(text) || !bytes.Equal(c.Text, text[cut:]):
		return 0, fmt.Errorf("chunk %d+%d: text % .80x, want % .80x without %d bytes", c.Offset, c.Len, c.Text, text, cut)
	case c.Replaced != replaced:
		return 0, fmt.Errorf("chunk %d+%d: %d replaced, want %d", c.Offset, c.Len, c.Replaced, replaced)
	case c.Class != naiveClass(text, x.t.To):
		return 0, fmt.Errorf("chunk %d+%d of % .80x: class %v", c.Offset, c.Len, text, c.Class)
	case len(c.Text) == 0 && (c.Len == 0 || end != x.end):
		return 0, fmt.Errorf("chunk %d+%d without text before the end", c.Offset, c.Len)
	}
	return k + len(c.Text), nil
}

// checkEnd requires that r, which returned n bytes and then err, has returned all, and that err stays.
func (x *expectation) checkEnd(r *Reader, n int, err, want error) error {
	if x.err != nil {
		want = x.err
	}
	switch {
	case n != len(x.text):
		return fmt.Errorf("%d bytes of text, want %d; %v", n, len(x.text), err)
	case !sameError(err, want):
		return fmt.Errorf("error %v, want %v", err, want)
	case r.InputOffset() != int64(x.end):
		return fmt.Errorf("InputOffset %d at the end, want %d", r.InputOffset(), x.end)
	case r.Replaced() != int64(x.replaced):
		return fmt.Errorf("%d replaced at the end, want %d", r.Replaced(), x.replaced)
	case r.Class() != naiveClass(x.text, x.t.To):
		return fmt.Errorf("class %v at the end, want %v", r.Class(), naiveClass(x.text, x.t.To))
	case r.Encoding() != x.encoding:
		return fmt.Errorf("encoding %v at the end, want %v", r.Encoding(), x.encoding)
	}
	if c, err := r.Next(); !sameError(err, want) || len(c.Text) > 0 {
		return fmt.Errorf("Next after the end: %v, %v", c, err)
	}
	if n, err := r.Read(make([]byte, 3)); !sameError(err, want) || n != 0 {
		return fmt.Errorf("Read after the end: %d, %v", n, err)
	}
	if _, err := r.ReadByte(); !sameError(err, want) {
		return fmt.Errorf("ReadByte after the end: %v", err)
	}
	if _, err := r.WriteTo(io.Discard); !sameError(err, want) && !(want == io.EOF && err == nil) {
		return fmt.Errorf("WriteTo after the end: %v", err)
	}
	return nil
}

// A route is a way to read all of a text. It returns what is wrong; want is the error of the source.
type route struct {
	name string
	utf8 bool // for UTF-8 only
	read func(r *Reader, x *expectation, want error) error
}

var routes = []route{
	{"Next", false, readNext},
	{"Chunks", false, readChunks},
	{"Read 1", false, func(r *Reader, x *expectation, want error) error { return readInto(r, x, want, 1) }},
	{"Read 3", false, func(r *Reader, x *expectation, want error) error { return readInto(r, x, want, 3) }},
	{"ReadByte", false, readBytes},
	{"ReadRune", true, readRunes},
	{"WriteTo", false, readWriteTo},
	{"mixed 1", false, func(r *Reader, x *expectation, want error) error { return readMixed(r, x, want, 1) }},
	{"mixed 2", false, func(r *Reader, x *expectation, want error) error { return readMixed(r, x, want, 2) }},
}

func readNext(r *Reader, x *expectation, want error) error {
	k, at := 0, int64(x.textAt)
	for {
		c, err := r.Next()
		if err != nil {
			if at != int64(x.end) {
				return fmt.Errorf("the chunks end at %d, want %d", at, x.end)
			}
			return x.checkEnd(r, k, err, want)
		}
		if c.Offset != at {
			return fmt.Errorf("chunk at %d, want %d", c.Offset, at)
		}
		if k, err = x.checkChunk(c, k); err != nil {
			return err
		}
		at += int64(c.Len)
		if r.InputOffset() != at {
			return fmt.Errorf("InputOffset %d behind the chunk, want %d", r.InputOffset(), at)
		}
	}
}

// readChunks breaks off after each chunk.
func readChunks(r *Reader, x *expectation, want error) error {
	k := 0
	last := io.EOF
	for going := true; going; {
		going = false
		for c, err := range r.Chunks() {
			if err != nil {
				if going || err == io.EOF {
					return fmt.Errorf("Chunks yielded %v", err)
				}
				last = err
				continue // the iterator must end here
			}
			if k, err = x.checkChunk(c, k); err != nil {
				return err
			}
			going = true
			break
		}
	}
	return x.checkEnd(r, k, last, want)
}

func readInto(r *Reader, x *expectation, want error, size int) error {
	p := make([]byte, size)
	for k := 0; ; {
		n, err := r.Read(p)
		if err != nil {
			if n != 0 {
				return fmt.Errorf("Read: %d, %v", n, err)
			}
			return x.checkEnd(r, k, err, want)
		}
		if n <= 0 || k+n > len(x.text) || !bytes.Equal(p[:n], x.text[k:k+n]) {
			return fmt.Errorf("Read % .80x at byte %d of the text", p[:n], k)
		}
		k += n
		if err := x.checkOffset(r, k); err != nil {
			return err
		}
	}
}

// readBytes takes back one byte in three, and in long texts few.
func readBytes(r *Reader, x *expectation, want error) error {
	back := 3
	if len(x.text) > 1000 {
		back = 1000
	}
	for k := 0; ; {
		b, err := r.ReadByte()
		if err != nil {
			return x.checkEnd(r, k, err, want)
		}
		if k == len(x.text) || b != x.text[k] {
			return fmt.Errorf("ReadByte % .80x at byte %d of the text", b, k)
		}
		k++
		if err := x.checkOffset(r, k); err != nil {
			return err
		}
		if k%back != 0 {
			continue
		}
		if err := r.UnreadByte(); err != nil {
			return err
		}
		if err := x.checkOffset(r, k-1); err != nil {
			return fmt.Errorf("after UnreadByte: %w", err)
		}
		if again, err := r.ReadByte(); again != b || err != nil {
			return fmt.Errorf("ReadByte after UnreadByte: % .80x, %v, want % .80x", again, err, b)
		}
	}
}

// readRunes takes back one character in two, and in long texts few.
func readRunes(r *Reader, x *expectation, want error) error {
	back := rune(2)
	if len(x.text) > 1000 {
		back = 1000
	}
	for k := 0; ; {
		c, size, err := r.ReadRune()
		if err != nil {
			return x.checkEnd(r, k, err, want)
		}
		if want, n := utf8.DecodeRune(x.text[k:]); c != want || size != n {
			return fmt.Errorf("ReadRune %U, %d at byte %d of the text, want %U", c, size, k, want)
		}
		k += size
		if err := x.checkOffset(r, k); err != nil {
			return err
		}
		if c%back != 0 {
			continue
		}
		if err := r.UnreadRune(); err != nil {
			return err
		}
		if err := x.checkOffset(r, k-size); err != nil {
			return fmt.Errorf("after UnreadRune: %w", err)
		}
		if again, _, err := r.ReadRune(); again != c || err != nil {
			return fmt.Errorf("ReadRune after UnreadRune: %U, %v, want %U", again, err, c)
		}
	}
}

func readWriteTo(r *Reader, x *expectation, want error) error {
	var b bytes.Buffer
	n, err := r.WriteTo(&b)
	if n != int64(b.Len()) || !bytes.HasPrefix(x.text, b.Bytes()) {
		return fmt.Errorf("WriteTo %d: % .80x", n, b.Bytes())
	}
	if err == nil {
		err = io.EOF
	}
	return x.checkEnd(r, b.Len(), err, want)
}

// readMixed reads size bytes, asks for the offset, and lets Next take the rest of the chunk.
func readMixed(r *Reader, x *expectation, want error, size int) error {
	p := make([]byte, size)
	for k := 0; ; {
		n, err := r.Read(p)
		if err != nil {
			return x.checkEnd(r, k, err, want)
		}
		if k+n > len(x.text) || !bytes.Equal(p[:n], x.text[k:k+n]) {
			return fmt.Errorf("Read % .80x at byte %d of the text", p[:n], k)
		}
		k += n
		if err := x.checkOffset(r, k); err != nil {
			return err
		}
		c, err := r.Next()
		if err != nil {
			return x.checkEnd(r, k, err, want)
		}
		if k, err = x.checkChunk(c, k); err != nil {
			return err
		}
	}
}

func TestReaderEverySplit(t *testing.T) {
	cases := 0
	for _, e := range everyEncoding {
		for _, text := range faultyTexts(e) {
			for _, to := range []Encoding{UTF8, UTF16LE, Latin1} {
				for _, policy := range everyPolicy {
					tr := Transcoder{From: e, To: to, OnError: policy}
					x := expect(t, tr, text.src)
					r := tr.NewReader(nil)
					for parts := range splits(text.src) {
						for range thin(len(routes), 3) {
							// One way after the other, so that each meets about every kind of split.
							way := routes[cases%len(routes)]
							if !every(&cases, 37) || way.utf8 && to != UTF8 {
								continue
							}
							r.Reset(&pieces{rest: slices.Clone(parts), with: cases%2 == 0})
							if err := way.read(r, x, io.EOF); err != nil {
								t.Fatalf("%+v, fault %s, % .80x, %s: %v", tr, text.name, parts, way.name, err)
							}
						}
					}
				}
			}
		}
	}
}

// Every pair of encodings, with a source that gives one byte a time.
func TestReaderEveryPair(t *testing.T) {
	cases := 0
	for _, from := range everyEncoding {
		for _, to := range everyEncoding {
			for _, policy := range everyPolicy {
				for _, add := range []bool{false, true} {
					tr := Transcoder{From: from, To: to, OnError: policy, AddBOM: add}
					for _, src := range [][]byte{torture(from), encoded(from, "plain\n"), nil} {
						x := expect(t, tr, src)
						for _, way := range routes {
							if way.utf8 && to != UTF8 || !every(&cases, 7) {
								continue
							}
							if err := way.read(tr.NewReader(iotest.OneByteReader(bytes.NewReader(src))), x, io.EOF); err != nil {
								t.Fatalf("%+v, % .80x, %s: %v", tr, src, way.name, err)
							}
							if err := way.read(tr.NewReader(bytes.NewReader(src)), x, io.EOF); err != nil {
								t.Fatalf("%+v, % .80x, %s: %v", tr, src, way.name, err)
							}
						}
					}
				}
			}
		}
	}
}

// Byte order marks of every encoding before a text in every other, under each policy: whole, doubled, cut by reads at every
// place, cut short by the end, and as the source's own text.
func TestReaderBOM(t *testing.T) {
	var sources [][]byte
	for _, e := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
		mark := oracleBOM(e)
		for n := range len(mark) + 1 {
			sources = append(sources, mark[:n:n], append(mark[:n:n], 'a'), append(mark[:n:n], 0, 'a'))
		}
		sources = append(sources, slices.Concat(mark, encoded(e, "é")), slices.Concat(mark, mark, encoded(e, "b")),
			slices.Concat(encoded(e, "a"), mark), slices.Concat(mark, []byte{0xD8}), slices.Concat(mark, mark[:1]))
	}
	for _, s := range []string{"\xFF\xFE\x00\x00\x00\x00", "\xFE\xFF\xD8\x00", "\xFF\xFE\xFF\xFE\x00\x00", "\x80\xEF\xBB\xBFa", "\x80\xEF\xBB", "\x00\x00\xFE\xFF\x00\x11\x00\x00"} {
		sources = append(sources, []byte(s))
	}
	cases := 0
	for _, policy := range everyBOMPolicy {
		for _, from := range everyEncoding {
			for _, onError := range everyPolicy {
				for _, add := range []bool{false, true} {
					tr := Transcoder{From: from, OnError: onError, BOM: policy, AddBOM: add}
					if add {
						tr.To = UTF16BE
					}
					r := tr.NewReader(nil)
					for _, src := range sources {
						x := expect(t, tr, src)
						for parts := range splits(src) {
							for range thin(len(routes), 3) {
								way := routes[cases%len(routes)]
								if !every(&cases, 37) || way.utf8 && tr.To != UTF8 {
									continue
								}
								r.Reset(&pieces{rest: slices.Clone(parts)})
								if err := way.read(r, x, io.EOF); err != nil {
									t.Fatalf("%+v, % .80x, %s: %v", tr, parts, way.name, err)
								}
							}
						}
					}
				}
			}
		}
	}
}

// What a few of these amount to, in plain words.
func TestReaderBOMByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		from     Encoding
		src      []string // reads
		text     string
		encoding Encoding
		replaced int64
	}{
		{"UTF-8, 1|2", UTF8, []string{"\xEF", "\xBB\xBF", "a"}, "a", UTF8, 0},
		{"UTF-8, 2|1", UTF8, []string{"\xEF\xBB", "\xBFa"}, "a", UTF8, 0},
		{"UTF-8, 1|1|1", Latin1, []string{"\xEF", "\xBB", "\xBF", "\xC3\xA9"}, "é", UTF8, 0},
		{"UTF-8, an empty read first", UTF8, []string{"", "\xEF", "", "\xBB\xBFa"}, "a", UTF8, 0},
		{"UTF-16LE, 1|1", UTF8, []string{"\xFF", "\xFE", "a", "\x00"}, "a", UTF16LE, 0},
		{"UTF-16BE, 1|1", UTF8, []string{"\xFE", "\xFF", "\x00", "a"}, "a", UTF16BE, 0},
		{"UTF-32LE, 1|3", UTF8, []string{"\xFF", "\xFE\x00\x00", "a\x00\x00\x00"}, "a", UTF32LE, 0},
		{"UTF-32LE, 2|2", UTF8, []string{"\xFF\xFE", "\x00\x00", "a\x00\x00\x00"}, "a", UTF32LE, 0},
		{"UTF-32BE, 3|1", UTF8, []string{"\x00\x00\xFE", "\xFF\x00\x00\x00", "a"}, "a", UTF32BE, 0},
		{"the second one is text", UTF8, []string{"\xEF\xBB\xBF\xEF\xBB", "\xBFa"}, "\uFEFFa", UTF8, 0},
		{"another one is text", UTF8, []string{"\xEF\xBB\xBF\xFF\xFE"}, "\uFFFD\uFFFD", UTF8, 2},
		{"one behind the start is text", UTF8, []string{"a\xEF\xBB\xBF"}, "a\uFEFF", UTF8, 0},
		{"one byte of three", UTF8, []string{"\xEF"}, "\uFFFD", UTF8, 1},
		{"two bytes of three", UTF8, []string{"\xEF\xBB"}, "\uFFFD", UTF8, 1},
		{"one byte of two", UTF8, []string{"\xFF"}, "\uFFFD", UTF8, 1},
		{"one byte of two, in Latin-1", Latin1, []string{"\xFF"}, "ÿ", Latin1, 0},
		{"UTF-16LE and the end", UTF8, []string{"\xFF\xFE"}, "", UTF16LE, 0},
		{"UTF-16LE and half a unit", UTF8, []string{"\xFF\xFE\x00"}, "\uFFFD", UTF16LE, 1},
		{"UTF-16LE and U+0000 is UTF-32LE", UTF16LE, []string{"\xFF\xFE", "\x00\x00"}, "", UTF32LE, 0},
		{"a high surrogate before one", UTF16LE, []string{"\x00\xD8", "\xFF\xFE"}, "\uFFFD\uFEFF", UTF16LE, 1},
		{"nothing", UTF8, nil, "", UTF8, 0},
		{"one byte", UTF8, []string{"a"}, "a", UTF8, 0},
	} {
		var parts [][]byte
		for _, s := range c.src {
			parts = append(parts, []byte(s))
		}
		r := NewReader(&pieces{rest: parts}, c.from)
		text, err := io.ReadAll(r)
		require.NoError(t, err, c.name)
		require.Equal(t, c.text, string(text), c.name)
		require.Equal(t, c.encoding, r.Encoding(), c.name)
		require.Equal(t, c.replaced, r.Replaced(), c.name)
		require.Equal(t, int64(len(strings.Join(c.src, ""))), r.InputOffset(), c.name)
	}
}

// scripts has a text in several scripts, with every length of character, in lines of every length.
const scripts = "The quick brown fox\nПоезд ушёл в 5 утра, а мы остались.\r\nגשם ירד כל הלילה\n火星是太阳系八大行星之一。\n" +
	"\n๑๒๓ สวัสดีชาวโลก\n😀😃 emoji 👩‍🚀 and flags 🇫🇷\n àéîõü ÿ\nlast, without an end"

// longText returns about n bytes of text in the encoding e with faults among them.
func longText(e Encoding, n int, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 17))
	anywhere, _ := faults(e)
	lines := strings.SplitAfter(scripts, "\n")
	var b []byte
	for len(b) < n {
		line := lines[rnd.IntN(len(lines))]
		if e == ASCII || e == Latin1 {
			line = lines[0]
		}
		b = append(b, encoded(e, line)...)
		if len(anywhere) > 0 && rnd.IntN(8) == 0 {
			b = append(b, anywhere[rnd.IntN(len(anywhere))]...)
		}
	}
	return b
}

func TestReaderLongTexts(t *testing.T) {
	size := thin(30<<10, 5<<10)
	cases := 0
	for _, e := range everyEncoding {
		src := longText(e, size, 1)
		for _, tr := range []Transcoder{
			{From: e, OnError: Replace, BOM: BOMOverride},
			{From: e, OnError: Skip, AddBOM: true},
			{From: e, To: UTF32BE, OnError: ReplaceBytes},
			{From: e, To: Latin1, OnError: Replace},
			{From: e},
		} {
			x := expect(t, tr, src)
			rnd := rand.New(rand.NewPCG(uint64(e), 3))
			for _, way := range routes {
				if way.utf8 && tr.To != UTF8 || !every(&cases, 5) {
					continue
				}
				for name, r := range map[string]io.Reader{
					"whole":    bytes.NewReader(src),
					"halves":   iotest.HalfReader(bytes.NewReader(src)),
					"data+EOF": iotest.DataErrReader(bytes.NewReader(src)),
					"random":   &pieces{rest: randomPieces(rnd, src, 5000)},
				} {
					if err := way.read(tr.NewReader(r), x, io.EOF); err != nil {
						t.Fatalf("%+v, %s, %s: %v", tr, name, way.name, err)
					}
				}
			}
		}
	}
}

// randomPieces cuts src into pieces of up to most bytes, empty ones among them.
func randomPieces(rnd *rand.Rand, src []byte, most int) (cut [][]byte) {
	for len(src) > 0 {
		n := min(len(src), rnd.IntN(most+1))
		if rnd.IntN(4) == 0 {
			n = min(n, rnd.IntN(4))
		}
		cut = append(cut, src[:n])
		src = src[n:]
	}
	return cut
}

// A Reader passes the standard library's test of readers.
func TestReaderIsAReader(t *testing.T) {
	for _, e := range everyEncoding {
		for _, to := range []Encoding{UTF8, UTF16BE} {
			tr := Transcoder{From: e, To: to, OnError: Replace, BOM: BOMOverride}
			for _, src := range [][]byte{torture(e), longText(e, 9000, 2), nil} {
				x := expect(t, tr, src)
				require.NoError(t, iotest.TestReader(tr.NewReader(bytes.NewReader(src)), x.text))
				require.NoError(t, iotest.TestReader(tr.NewReader(iotest.OneByteReader(bytes.NewReader(src))), x.text))
			}
		}
	}
}

// The rules of UnreadByte and UnreadRune are those of bufio.Reader, which is also the yardstick for what comes next.
func TestReaderLikeBufio(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for i := range thin(400, 30) {
		src := longText(UTF8, 200, uint64(i))
		x := expect(t, Transcoder{OnError: Replace}, src)
		r := NewReader(&pieces{rest: randomPieces(rnd, src, 1+i%30)}, UTF8)
		b := bufio.NewReaderSize(bytes.NewReader(x.text), len(x.text)+16)
		begun := false
		var calls []string
		for {
			var got, want string
			var err, wantErr error
			switch rnd.IntN(6) {
			case 0:
				var c, d byte
				c, err = r.ReadByte()
				d, wantErr = b.ReadByte()
				got, want = fmt.Sprint("ReadByte ", c), fmt.Sprint("ReadByte ", d)
			case 1:
				var c, d rune
				var n, m int
				c, n, err = r.ReadRune()
				d, m, wantErr = b.ReadRune()
				got, want = fmt.Sprint("ReadRune ", c, n), fmt.Sprint("ReadRune ", d, m)
			case 2:
				p := make([]byte, 1+rnd.IntN(6))
				var n int
				n, err = r.Read(p)
				// How many come is up to the Reader.
				q := make([]byte, max(n, 1))
				var m int
				m, wantErr = b.Read(q)
				got, want = fmt.Sprint("Read ", p[:n]), fmt.Sprint("Read ", q[:m])
			case 3, 4:
				err, wantErr = r.UnreadByte(), b.UnreadByte()
				got, want = "UnreadByte", "UnreadByte"
			case 5:
				err, wantErr = r.UnreadRune(), b.UnreadRune()
				got, want = "UnreadRune", "UnreadRune"
			}
			calls = append(calls, got)
			if got != want || err != wantErr {
				t.Fatalf("%v: %v, want %s, %v", calls, err, want, wantErr)
			}
			if begun = begun || err == nil; begun {
				if err := x.checkOffset(r, len(x.text)-b.Buffered()); err != nil {
					t.Fatalf("%v: %v", calls, err)
				}
			}
			if err == io.EOF {
				break
			}
		}
	}
}

func TestReaderUnread(t *testing.T) {
	t.Run("nothing read", func(t *testing.T) {
		r := NewReader(strings.NewReader("a"), UTF8)
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
	})
	t.Run("once", func(t *testing.T) {
		r := NewReader(strings.NewReader("aé"), UTF8)
		_, err := r.ReadByte()
		require.NoError(t, err)
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
		require.NoError(t, r.UnreadByte())
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
		c, _, err := r.ReadRune()
		require.NoError(t, err)
		require.Equal(t, 'a', c)
		require.NoError(t, r.UnreadRune())
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
	})
	t.Run("a byte of a character", func(t *testing.T) {
		r := NewReader(strings.NewReader("é"), UTF8)
		_, _, err := r.ReadRune()
		require.NoError(t, err)
		require.NoError(t, r.UnreadByte())
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
		require.Equal(t, int64(0), r.InputOffset())
		b, err := r.ReadByte()
		require.NoError(t, err)
		require.Equal(t, byte(0xA9), b)
	})
	t.Run("not after Next, WriteTo or a record", func(t *testing.T) {
		for name, read := range map[string]func(r *Reader){
			"Next":    func(r *Reader) { r.Next() },
			"WriteTo": func(r *Reader) { r.WriteTo(io.Discard) },
			"Lines": func(r *Reader) {
				for range r.Lines() {
					break
				}
			},
		} {
			r := NewReader(strings.NewReader("ab\nc"), UTF8)
			_, _, err := r.ReadRune()
			require.NoError(t, err)
			read(r)
			require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte(), name)
			require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune(), name)
		}
	})
	t.Run("over the end of a chunk", func(t *testing.T) {
		r := NewReader(iotest.OneByteReader(strings.NewReader("éab")), UTF8)
		for _, want := range "éab" {
			c, _, err := r.ReadRune()
			require.NoError(t, err)
			require.Equal(t, want, c)
			require.NoError(t, r.UnreadRune())
			c, _, err = r.ReadRune()
			require.NoError(t, err)
			require.Equal(t, want, c)
			require.NoError(t, r.UnreadByte())
			b, err := r.ReadByte()
			require.NoError(t, err)
			require.Equal(t, string(want)[len(string(want))-1], b)
		}
	})
}

// A destination without room for a character, or without any room.
func TestReaderTinyReads(t *testing.T) {
	r := NewReader(strings.NewReader("é"), UTF8)
	for _, p := range [][]byte{nil, {}} {
		n, err := r.Read(p)
		require.Equal(t, 0, n)
		require.NoError(t, err)
	}
	require.Equal(t, int64(0), r.InputOffset())
	p := make([]byte, 1)
	n, err := r.Read(p)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(0), r.InputOffset(), "the character has not been returned as a whole")
	n, err = r.Read(p)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(2), r.InputOffset())
	n, err = r.Read(p)
	require.Equal(t, io.EOF, err)
	require.Equal(t, 0, n)
}

// Next takes up what Read left of a character.
func TestReaderNextAfterCutCharacter(t *testing.T) {
	r := NewReader(strings.NewReader("\xFF\xFEa\x00\x00\xD8\x00\xDCb\x00\x00\xDC"), UTF8) // a, U+10000, b, unpaired
	p := make([]byte, 3)
	_, err := io.ReadFull(r, p)
	require.NoError(t, err)
	require.Equal(t, "a\xF0\x90", string(p))
	require.Equal(t, int64(4), r.InputOffset())
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "\x80\x80b\uFFFD", string(c.Text))
	require.Equal(t, Chunk{Text: c.Text, Class: ClassSupplementary, Offset: 4, Len: 8, Replaced: 1}, c)
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
}

// Offsets stay right where Skip drops what stands before a character, and a byte order mark is added.
func TestReaderOffsetsUnderSkip(t *testing.T) {
	for _, src := range []string{"\x80éab", "\x80\x80€\xFF\xFEé\x80", "a\x80é\x80\x80b", "\x80"} {
		for _, add := range []bool{false, true} {
			tr := Transcoder{OnError: Skip, AddBOM: add}
			x := expect(t, tr, []byte(src))
			for _, source := range []io.Reader{strings.NewReader(src), iotest.OneByteReader(strings.NewReader(src))} {
				require.NoError(t, readBytes(tr.NewReader(source), x, io.EOF), "%q", src)
			}
			r := tr.NewReader(strings.NewReader(src))
			for k := range x.text {
				require.NoError(t, x.checkOffset(r, k))
				b, err := r.ReadByte()
				require.NoError(t, err)
				require.Equal(t, x.text[k], b)
				require.NoError(t, x.checkOffset(r, k+1), "%q", src)
				require.NoError(t, x.checkOffset(r, k+1), "%q, asked twice", src)
			}
		}
	}
}

// What is dropped at the end of the stream is counted, in a chunk without text if need be.
func TestReaderSkipAtTheEnd(t *testing.T) {
	tr := Transcoder{OnError: Skip}
	r := tr.NewReader(iotest.OneByteReader(strings.NewReader("a\x80\xE2\x82")))
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "a", string(c.Text))
	c, err = r.Next()
	require.NoError(t, err)
	require.Equal(t, Chunk{Text: c.Text, Offset: 1, Len: 3, Replaced: 2}, c)
	require.Empty(t, c.Text)
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
	require.Equal(t, int64(2), r.Replaced())

	r.Reset(iotest.OneByteReader(strings.NewReader("a\x80\xE2\x82")))
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "a", string(text))
	require.Equal(t, int64(4), r.InputOffset())
}

// Errors of the source come as they are, behind the text before them, and stay.
func TestReaderSourceErrors(t *testing.T) {
	broken := errors.New("broken")
	cases := 0
	for _, e := range everyEncoding {
		for _, text := range faultyTexts(e) {
			for _, bom := range []BOMPolicy{BOMKeep, BOMOverride} {
				for _, policy := range everyPolicy {
					tr := Transcoder{From: e, OnError: policy, BOM: bom}
					x := expectUnfinished(tr, text.src)
					r := tr.NewReader(nil)
					for at := range len(text.src) + 1 {
						way := routes[cases%len(routes)]
						if !every(&cases, 7) {
							continue
						}
						r.Reset(&pieces{rest: cutAt(text.src, at), err: broken, with: cases%2 == 0})
						if err := way.read(r, x, broken); err != nil {
							t.Fatalf("%+v, fault %s, % .80x at %d, %s: %v", tr, text.name, text.src, at, way.name, err)
						}
					}
				}
			}
		}
	}
}

func TestReaderUnfinishedBOMBeforeAnError(t *testing.T) {
	for _, s := range []string{"\xEF\xBB", "\xFF", "\xFF\xFE", "\xFF\xFE\x00", "\x00\x00\xFE"} {
		r := NewReader(io.MultiReader(strings.NewReader(s), iotest.ErrReader(io.ErrUnexpectedEOF)), UTF8)
		c, err := r.Next()
		require.Equal(t, io.ErrUnexpectedEOF, err)
		require.Empty(t, c.Text)
		require.Equal(t, int64(0), r.InputOffset())
	}
}

func TestReaderIotestErrors(t *testing.T) {
	r := NewReader(iotest.TimeoutReader(strings.NewReader(strings.Repeat("é", 5000))), UTF8)
	text, err := io.ReadAll(r)
	require.Equal(t, iotest.ErrTimeout, err)
	require.Equal(t, strings.Repeat("é", 2048), string(text), "the first read of 4 KiB")

	r = NewReader(iotest.ErrReader(io.ErrClosedPipe), UTF16LE)
	for range 3 {
		_, err = r.Next()
		require.Equal(t, io.ErrClosedPipe, err)
	}
	n := 0
	for c, err := range r.Chunks() {
		require.Equal(t, io.ErrClosedPipe, err)
		require.Empty(t, c.Text)
		n++
	}
	require.Equal(t, 1, n)
	n = 0
	for _, err := range r.Lines() {
		require.Equal(t, io.ErrClosedPipe, err)
		n++
	}
	require.Equal(t, 1, n)
}

// emptyReads gives neither bytes nor an error for some calls before each byte.
type emptyReads struct {
	text   string
	before int
	done   int
}

func (r *emptyReads) Read(p []byte) (int, error) {
	if r.done++; r.done <= r.before {
		return 0, nil
	}
	r.done = 0
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:1], r.text)
	r.text = r.text[n:]
	return n, nil
}

func TestReaderEmptyReads(t *testing.T) {
	for _, n := range []int{1, 3, 99} {
		text, err := io.ReadAll(NewReader(&emptyReads{text: "aé😀\xE2\x82", before: n}, UTF8))
		require.NoError(t, err)
		require.Equal(t, "aé😀\uFFFD", string(text))
	}
	source := &emptyReads{text: "ab", before: 100}
	r := NewReader(source, UTF8)
	_, err := r.Next()
	require.Equal(t, io.ErrNoProgress, err)
	require.Equal(t, 100, source.done)
	_, err = r.ReadByte()
	require.Equal(t, io.ErrNoProgress, err, "it stays")
	require.Equal(t, 100, source.done, "the source is not asked again")
}

// badReader returns an impossible count.
type badReader int

func (n badReader) Read(p []byte) (int, error) {
	if n > 0 {
		return len(p) + int(n), nil
	}
	return int(n), nil
}

func TestReaderBadCounts(t *testing.T) {
	for _, n := range []int{-1, 1, 1 << 20, math.MinInt32} {
		r := NewReader(badReader(n), UTF8)
		_, err := r.Next()
		require.Error(t, err)
		require.NotEqual(t, io.EOF, err)
		_, again := r.ReadByte()
		require.Equal(t, err, again)
		w := NewWriter(io.Discard, UTF8)
		_, err = w.ReadFrom(badReader(n))
		require.Error(t, err)

		// Beside bytes that were kept.
		r = NewReader(io.MultiReader(strings.NewReader("a\xC3"), badReader(n)), UTF8)
		c, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, "a", string(c.Text))
		_, err = r.Next()
		require.Equal(t, again, err)
	}
}

// After an error in the text the source is left alone.
func TestReaderLeavesTheSourceAfterAnError(t *testing.T) {
	reads := 0
	source := readerFunc(func(p []byte) (int, error) {
		reads++
		return copy(p, "ab\xFFc"), nil
	})
	r := Transcoder{}.NewReader(source)
	text, err := io.ReadAll(r)
	require.Equal(t, "ab", string(text))
	require.Equal(t, &Error{Offset: 2, Len: 1, Kind: KindBadLead}, err)
	for range 3 {
		_, again := r.Next()
		require.Equal(t, err, again)
	}
	require.Equal(t, 1, reads)
	require.Equal(t, int64(2), r.InputOffset())
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Next returns as soon as there is a whole character, and never waits for more.
func TestReaderDoesNotWait(t *testing.T) {
	inParts := map[Encoding][]string{
		UTF8:    {"a", "\xC3", "\xA9b\xE2\x82", "\xAC"},
		UTF16LE: {"a\x00", "\x3D", "\xD8", "\x00\xDEb\x00c", "\x00"},
		UTF32BE: {"\x00\x00\x00a\x00", "\x01\xF6\x00"},
		Latin1:  {"a", "\xE9"},
	}
	for e, parts := range inParts {
		stream := Transcoder{From: e}.NewStream()
		source := &pieces{err: errors.New("read although there was a whole character")}
		r := Transcoder{From: e}.NewReader(source)
		var pending []byte
		for _, part := range parts {
			source.rest = append(source.rest, []byte(part))
			pending = append(pending, part...)
			want := make([]byte, 16)
			n, m, err := stream.Transform(want, pending, false)
			require.True(t, err == nil || err == ErrShortSrc)
			pending = pending[m:]
			if n == 0 { // Next needs the next piece too
				continue
			}
			c, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, string(want[:n]), string(c.Text))
		}
		require.Empty(t, pending)
	}
}

// sizeReader notes how much it is asked for, and fills that up to most bytes.
type sizeReader struct {
	most  int
	left  int
	asked []int
}

func (r *sizeReader) Read(p []byte) (int, error) {
	r.asked = append(r.asked, len(p))
	n := min(len(p), r.most, r.left)
	if r.left -= n; n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = 'a'
	}
	return n, nil
}

// Buffers begin small, grow while reads fill them, and stop at 256 KiB.
func TestReaderBuffers(t *testing.T) {
	source := &sizeReader{most: 1 << 30, left: 4 << 20}
	_, err := io.Copy(io.Discard, NewReader(source, Latin1))
	require.NoError(t, err)
	require.Equal(t, []int{4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10}, source.asked[:7])
	require.Equal(t, 256<<10, slices.Max(source.asked))

	source = &sizeReader{most: 1000, left: 1 << 20}
	r := NewReader(source, UTF8)
	for c, err := range r.Chunks() {
		require.NoError(t, err)
		require.LessOrEqual(t, len(c.Text), 1000)
	}
	require.Equal(t, 4<<10, slices.Max(source.asked), "reads that do not fill the buffer")

	// A target whose text is longer than the source.
	source = &sizeReader{most: 1 << 30, left: 1 << 20}
	r = Transcoder{From: Latin1, To: UTF32LE}.NewReader(source)
	total := 0
	for c, err := range r.Chunks() {
		require.NoError(t, err)
		require.LessOrEqual(t, len(c.Text), 1<<20)
		total += len(c.Text)
	}
	require.Equal(t, 4<<20, total)
	require.Equal(t, 256<<10, slices.Max(source.asked))
}

// In a steady state a chunk, a line or a byte costs no memory, offsets included.
func TestReaderAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	text := strings.Repeat("a line of text, é and 😀 and more\r\n", 3000)
	for _, tr := range []Transcoder{
		{OnError: Replace, BOM: BOMOverride},
		{From: UTF16LE, OnError: Replace, BOM: BOMOverride},
		{From: UTF16BE, To: UTF16LE},
		{From: UTF32LE},
		{From: UTF8, To: ASCII, OnError: Skip},
	} {
		src := encoded(tr.From, text)
		source := bytes.NewReader(nil)
		r := tr.NewReader(source)
		drain := map[string]func(){
			"Next": func() {
				for {
					if _, err := r.Next(); err != nil {
						return
					}
					r.InputOffset()
				}
			},
			"ReadByte": func() {
				for range 10000 {
					r.ReadByte()
					if r.InputOffset(); r.UnreadByte() == nil {
						r.ReadByte()
					}
				}
			},
			"Chunks": func() {
				for range r.Chunks() {
				}
			},
		}
		if tr.To == UTF8 {
			drain["Lines"] = func() {
				for range r.Lines() {
				}
			}
		}
		for name, f := range drain {
			once := func() {
				source.Reset(src)
				r.Reset(source)
				f()
			}
			once() // lets the buffers grow
			if n := testing.AllocsPerRun(3, once); n > 2 {
				t.Errorf("%+v, %s: %v allocations in a text of %d bytes", tr, name, n, len(src))
			}
		}
	}
}

type shortWriter struct {
	bytes.Buffer
	most int   // bytes it takes in a call
	err  error // what it returns when it takes fewer
	lie  int   // added to the count
}

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(w.most, len(p))
	w.Buffer.Write(p[:n])
	if n < len(p) {
		return n + w.lie, w.err
	}
	return n + w.lie, nil
}

func TestReaderWriteTo(t *testing.T) {
	broken := errors.New("broken")
	src := "aé€😀\xFF."
	text := "aé€😀\uFFFD."
	x := expect(t, Transcoder{OnError: Replace}, []byte(src))
	for most := range len(text) + 1 {
		for _, err := range []error{nil, broken} {
			r := NewReader(strings.NewReader(src), UTF8)
			w := &shortWriter{most: most, err: err}
			n, got := r.WriteTo(w)
			require.Equal(t, int64(w.Len()), n)
			want := err
			switch {
			case most == len(text):
				want = nil
			case err == nil:
				want = io.ErrShortWrite
			}
			require.Equal(t, want, got)
			require.Equal(t, text[:most], w.String())
			require.NoError(t, x.checkOffset(r, most))
			// The rest is still there.
			rest, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, text[most:], string(rest))
		}
	}
	for _, lie := range []int{-1 << 20, 1} {
		r := NewReader(strings.NewReader(src), UTF8)
		n, err := r.WriteTo(&shortWriter{most: 1 << 20, lie: lie})
		require.Error(t, err)
		require.Equal(t, int64(0), n)
	}
	// The text before an error is written.
	r := Transcoder{}.NewReader(strings.NewReader("ab\xFF"))
	var b bytes.Buffer
	n, err := io.Copy(&b, r)
	require.Equal(t, int64(2), n)
	require.Equal(t, "ab", b.String())
	require.ErrorIs(t, err, ErrInvalid)
}

func TestReaderReadText(t *testing.T) {
	for _, c := range []struct {
		src   string
		class Class
	}{{"", ClassASCII}, {"abc", ClassASCII}, {"é\xFF", ClassBMP}, {"aé", ClassLatin1}, {"日本", ClassBMP}, {"a😀", ClassSupplementary}} {
		for _, to := range []Encoding{UTF8, UTF16BE, UTF32LE} {
			want, _ := Decode(c.src)
			text, err := Transcoder{OnError: Replace, To: to}.NewReader(iotest.OneByteReader(strings.NewReader(c.src))).ReadText()
			require.NoError(t, err)
			require.Equal(t, want, text)
			require.Equal(t, c.class, text.Class())
		}
	}
	// The rest of the stream.
	r := NewReader(strings.NewReader("12\n3é"), Latin1)
	_, err := r.ReadByte()
	require.NoError(t, err)
	text, err := r.ReadText()
	require.NoError(t, err)
	require.Equal(t, "2\n3Ã©", text.String())
	text, err = r.ReadText()
	require.NoError(t, err)
	require.Equal(t, Text{}, text)

	text, err = Transcoder{}.NewReader(strings.NewReader("ab\x80")).ReadText()
	require.Equal(t, &Error{Offset: 2, Len: 1, Kind: KindTooLong}, err)
	require.Equal(t, Text{}, text)
}

func TestReaderReset(t *testing.T) {
	tr := Transcoder{From: Latin1, OnError: Replace, BOM: BOMOverride}
	mark := "\xFE\xFF"
	r := tr.NewReader(strings.NewReader(mark + "\x00a\xD8\x00"))
	_, err := r.ReadByte()
	require.NoError(t, err)
	require.Equal(t, UTF16BE, r.Encoding())
	for range 2 { // in the middle, then after the end and an error
		r.Reset(strings.NewReader("\xE9\x80"))
		require.Equal(t, int64(0), r.InputOffset())
		require.Equal(t, int64(0), r.Replaced())
		require.Equal(t, ClassASCII, r.Class())
		require.Equal(t, Latin1, r.Encoding())
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "é\u0080", string(text))
		require.Equal(t, int64(2), r.InputOffset())
	}
	// A byte order mark is looked for again.
	r.Reset(strings.NewReader(mark + "\x00b"))
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "b", string(text))
	require.Equal(t, UTF16BE, r.Encoding())
	// An error is forgotten.
	r = Transcoder{}.NewReader(strings.NewReader("\xFF"))
	_, err = r.Next()
	require.Error(t, err)
	r.Reset(iotest.ErrReader(io.ErrClosedPipe))
	_, err = r.Next()
	require.Equal(t, io.ErrClosedPipe, err)
	r.Reset(strings.NewReader("\xC3\xA9"))
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "é", string(c.Text))
	require.Equal(t, int64(0), c.Offset)
	// So is a record that an error cut.
	r.Reset(strings.NewReader("ab\xFF"))
	for range r.Lines() {
	}
	require.Equal(t, int64(0), r.InputOffset())
	r.Reset(strings.NewReader("abc"))
	_, err = r.Next()
	require.NoError(t, err)
	require.Equal(t, int64(3), r.InputOffset())
}

func TestReaderProgress(t *testing.T) {
	r := NewReader(&pieces{rest: [][]byte{[]byte("\xEF\xBB\xBFa"), []byte("\xC3\xA9"), []byte("\x80\xFF"), []byte("\xF0\x9F\x98"), []byte("\x80b")}}, UTF16LE)
	require.Equal(t, UTF16LE, r.Encoding(), "From, before anything is read")
	for i, want := range []struct {
		text     string
		class    Class // of all so far
		offset   int64
		replaced int64
	}{{"a", ClassASCII, 4, 0}, {"é", ClassLatin1, 6, 0}, {"\uFFFD\uFFFD", ClassBMP, 8, 2}, {"😀b", ClassSupplementary, 13, 2}} {
		c, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, want.text, string(c.Text))
		require.Equal(t, want.class, r.Class(), i)
		require.Equal(t, want.offset, r.InputOffset())
		require.Equal(t, want.replaced, r.Replaced())
		require.Equal(t, UTF8, r.Encoding())
	}
}

// Strict errors are those of decoding at once, which are those of Check, on every route and under every split.
func TestReaderStrictErrors(t *testing.T) {
	for _, e := range everyEncoding {
		for _, text := range faultyTexts(e) {
			want := Check(text.src, e)
			for parts := range splits(text.src) {
				_, err := Transcoder{From: e}.NewReader(&pieces{rest: slices.Clone(parts)}).WriteTo(io.Discard)
				if !sameError(err, want) {
					t.Fatalf("%v, % .80x: %v, want %v", e, parts, err, want)
				}
			}
		}
	}
	// An offset counts a byte order mark.
	_, err := io.ReadAll(Transcoder{BOM: BOMOverride}.NewReader(strings.NewReader("\xFE\xFF\x00a\xDC\x00")))
	require.Equal(t, &Error{Encoding: UTF16BE, Offset: 4, Len: 2, Kind: KindSurrogate}, err)
	_, err = io.ReadAll(Transcoder{To: ASCII}.NewReader(strings.NewReader("a€")))
	require.Equal(t, &Error{Offset: 1, Len: 3, Kind: KindUnencodable, Rune: '€'}, err)
	require.ErrorIs(t, err, ErrUnencodable)
}

func TestReaderUnknownConfiguration(t *testing.T) {
	for _, tr := range []Transcoder{{From: 9}, {To: 7}, {OnError: 4}, {BOM: 3}} {
		r := tr.NewReader(strings.NewReader("abc"))
		c, err := r.Next()
		require.ErrorContains(t, err, "transcode: unknown", "%+v", tr)
		require.Empty(t, c.Text)
		var e *Error
		require.False(t, errors.As(err, &e))
		_, again := r.ReadByte()
		require.Equal(t, err, again)
		_, err = tr.NewReader(strings.NewReader("")).Read(make([]byte, 1))
		require.ErrorContains(t, err, "transcode: unknown")
	}
}

// ReadRune, Lines and Records are for UTF-8.
func TestReaderOtherTargets(t *testing.T) {
	for _, to := range everyEncoding[1:] {
		r := Transcoder{To: to}.NewReader(strings.NewReader("ab\n"))
		_, _, err := r.ReadRune()
		require.ErrorContains(t, err, to.String())
		n := 0
		for _, err := range r.Lines() {
			require.ErrorContains(t, err, to.String())
			n++
		}
		require.Equal(t, 1, n)
		// Nothing is lost by the attempt.
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, encoded(to, "ab\n"), text)

		// Nor does it help that the end of the source is known.
		r.Reset(iotest.DataErrReader(strings.NewReader("ab\n")))
		_, err = r.ReadByte()
		require.NoError(t, err)
		_, _, err = r.ReadRune()
		require.ErrorContains(t, err, to.String())
		for line, err := range r.Lines() {
			require.ErrorContains(t, err, to.String())
			require.Empty(t, line.Text)
		}
	}
}

func TestCharsetReader(t *testing.T) {
	for _, label := range []string{"ISO-8859-1", "latin1", " L1 "} {
		r, err := CharsetReader(label, strings.NewReader("\xE9"))
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "é", string(text))
	}
	r, err := CharsetReader("windows-1252", strings.NewReader(""))
	require.ErrorContains(t, err, "windows-1252")
	require.Nil(t, r)

	d := xml.NewDecoder(strings.NewReader(`<?xml version="1.0" encoding="ISO-8859-1"?><a>` + "\xE9" + `</a>`))
	d.CharsetReader = CharsetReader
	var s string
	require.NoError(t, d.Decode(&s))
	require.Equal(t, "é", s)
}
