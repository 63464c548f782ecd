package check

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sort"
	"testing"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
)

// The yardstick of all that reads and writes is decoding at once: what becomes of each character or ill-formed sequence of the whole
// source, by the oracle. However a text comes, a Reader must return these, with their offsets.

// A Span is a character of the source, or a sequence that is none, and what becomes of it.
type Span struct {
	At, N    int    // source[At:At+N]; N is 0 for a byte order mark that is added
	Text     []byte // in the target encoding; nothing under Skip
	Replaced bool   // or dropped
}

// An Expectation is what decoding at once gives.
type Expectation struct {
	Transcoder transcode.Transcoder
	Encoding   transcode.Encoding // of the source, as a byte order mark has it
	TextAt     int                // behind a byte order mark that is removed
	End        int                // where decoding ends: at the end of the source, or at an error
	Spans      []Span
	ends       []int // ends[i] is where the text of Spans[i] ends in Text
	Text       []byte
	Replaced   int
	Err        error // *Error under Strict
}

// Expect decodes src at once.
func Expect(tb testing.TB, t transcode.Transcoder, src []byte) *Expectation {
	tb.Helper()
	x := decodeAtOnce(t, src, false)
	// The yardstick itself must be right.
	if got, err := t.Append(nil, src); !bytes.Equal(got, x.Text) || !SameError(err, x.Err) {
		tb.Fatalf("%+v at once of % .80x:\n got % .80x, %v\nwant % .80x, %v", t, src, got, err, x.Text, x.Err)
	}
	return x
}

// ExpectUnfinished is expect for a source that fails behind src, so that what is unfinished there stays out.
func ExpectUnfinished(t transcode.Transcoder, src []byte) *Expectation {
	if undecided(t, src) {
		return &Expectation{Transcoder: t, Encoding: t.From}
	}
	return decodeAtOnce(t, src, true)
}

func decodeAtOnce(t transcode.Transcoder, src []byte, unfinished bool) *Expectation {
	x := &Expectation{Transcoder: t}
	x.Encoding, x.TextAt = MarkOf(t, src)
	x.End = x.TextAt
	mark := oracle.BOM(t.To)
	addMark := t.AddBOM && mark != nil
	add := func(s Span) {
		if addMark && len(s.Text) > 0 {
			addMark = false
			if !bytes.Equal(s.Text, mark) {
				x.add(Span{At: s.At, Text: mark})
			}
		}
		x.add(s)
	}
	replacement, ok := oracle.Encode(0xFFFD, t.To)
	if !ok {
		replacement = []byte("?")
	}
	for _, it := range oracle.Decode(src[x.TextAt:], x.Encoding) {
		it.Off += x.TextAt
		if it.Kind == oracle.KindTruncated && unfinished {
			return x
		}
		text, ok := oracle.Encode(it.R, t.To)
		if it.Kind == 0 && !ok {
			it.Kind = oracle.KindUnencodable
		}
		step := it.N
		switch {
		case it.Kind == 0:
			add(Span{At: it.Off, N: it.N, Text: text})
			x.End += it.N
			continue
		case t.OnError == transcode.Strict:
			x.Err = Fault(it, x.Encoding)
			if it.Kind == oracle.KindUnencodable {
				x.Err.(*transcode.Error).Rune = it.R
			}
			return x
		case t.OnError == transcode.ReplaceBytes && it.Kind != oracle.KindUnencodable:
			step = oracle.UnitSize(x.Encoding)
		}
		for end := it.Off + it.N; x.End < end; x.End += step {
			step = min(step, end-x.End)
			s := Span{At: x.End, N: step, Text: replacement, Replaced: true}
			if t.OnError == transcode.Skip {
				s.Text = nil
			}
			add(s)
		}
	}
	if addMark && !unfinished {
		x.add(Span{At: x.End, Text: mark})
	}
	return x
}

func (x *Expectation) add(s Span) {
	x.Spans = append(x.Spans, s)
	x.Text = append(x.Text, s.Text...)
	x.ends = append(x.ends, len(x.Text))
	if s.Replaced {
		x.Replaced++
	}
}

// undecided reports whether src may be the beginning of a byte order mark that t removes.
func undecided(t transcode.Transcoder, src []byte) bool {
	for _, e := range Encodings {
		mark := oracle.BOM(e)
		if t.BOM != transcode.BOMKeep && (t.BOM == transcode.BOMOverride || e == t.From) && len(src) < len(mark) && bytes.HasPrefix(mark, src) {
			return true
		}
	}
	return false
}

// MarkOf tells which encoding and how long a byte order mark at the start of src is, as t deals with it.
func MarkOf(t transcode.Transcoder, src []byte) (transcode.Encoding, int) {
	if t.BOM == transcode.BOMStrip && oracle.BOM(t.From) != nil && bytes.HasPrefix(src, oracle.BOM(t.From)) {
		return t.From, len(oracle.BOM(t.From))
	}
	if t.BOM == transcode.BOMOverride {
		for _, e := range []transcode.Encoding{transcode.UTF32LE, transcode.UTF32BE, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF8} {
			if bytes.HasPrefix(src, oracle.BOM(e)) {
				return e, len(oracle.BOM(e))
			}
		}
	}
	return t.From, 0
}

// SameError reports whether two errors are the same: equal in all fields if they are about a text, else one value.
func SameError(a, b error) bool {
	x, ok := a.(*transcode.Error)
	y, too := b.(*transcode.Error)
	if ok && too {
		return *x == *y
	}
	return a == b
}

// After returns between which source offsets a Reader stands that has returned k bytes of the text: behind the last character
// returned, and before the first that is not. Sequences that Skip drops lie between these.
func (x *Expectation) After(k int) (lo, hi int) {
	i := sort.Search(len(x.Spans), func(i int) bool { return x.ends[i] > k })
	hi = x.End
	if i < len(x.Spans) {
		hi = x.Spans[i].At
	}
	for i--; i >= 0 && len(x.Spans[i].Text) == 0; i-- {
	}
	if i < 0 {
		return x.TextAt, hi
	}
	return x.Spans[i].At + x.Spans[i].N, hi
}

// CheckOffset requires that r stands where one that has returned k bytes does.
func (x *Expectation) CheckOffset(r *transcode.Reader, k int) error {
	if lo, hi := x.After(k); r.InputOffset() < int64(lo) || r.InputOffset() > int64(hi) {
		return fmt.Errorf("InputOffset %d after %d bytes, want %d to %d", r.InputOffset(), k, lo, hi)
	}
	return nil
}

// CheckChunk requires that c is a piece of the text behind its first k bytes, and returns where that ends.
func (x *Expectation) CheckChunk(c transcode.Chunk, k int) (int, error) {
	lo, hi := x.After(k)
	i := sort.Search(len(x.Spans), func(i int) bool { return x.ends[i] > k })
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
	for cut == 0 && i > 0 && len(x.Spans[i-1].Text) == 0 && x.Spans[i-1].At >= int(c.Offset) {
		i--
	}
	end := int(c.Offset) + c.Len
	at, replaced := int(c.Offset), 0
	var text []byte
	for ; i < len(x.Spans) && x.Spans[i].At+x.Spans[i].N <= end; i++ {
		at = x.Spans[i].At + x.Spans[i].N
		text = append(text, x.Spans[i].Text...)
		if x.Spans[i].Replaced {
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
	case c.Class != ClassOf(text, x.Transcoder.To):
		return 0, fmt.Errorf("chunk %d+%d of % .80x: class %v", c.Offset, c.Len, text, c.Class)
	case len(c.Text) == 0 && (c.Len == 0 || end != x.End):
		return 0, fmt.Errorf("chunk %d+%d without text before the end", c.Offset, c.Len)
	}
	return k + len(c.Text), nil
}

// CheckEnd requires that r, which returned n bytes and then err, has returned all, and that err stays.
func (x *Expectation) CheckEnd(r *transcode.Reader, n int, err, want error) error {
	if x.Err != nil {
		want = x.Err
	}
	switch {
	case n != len(x.Text):
		return fmt.Errorf("%d bytes of text, want %d; %v", n, len(x.Text), err)
	case !SameError(err, want):
		return fmt.Errorf("error %v, want %v", err, want)
	case r.InputOffset() != int64(x.End):
		return fmt.Errorf("InputOffset %d at the end, want %d", r.InputOffset(), x.End)
	case r.Replaced() != int64(x.Replaced):
		return fmt.Errorf("%d replaced at the end, want %d", r.Replaced(), x.Replaced)
	case r.Class() != ClassOf(x.Text, x.Transcoder.To):
		return fmt.Errorf("class %v at the end, want %v", r.Class(), ClassOf(x.Text, x.Transcoder.To))
	case r.Encoding() != x.Encoding:
		return fmt.Errorf("encoding %v at the end, want %v", r.Encoding(), x.Encoding)
	}
	if c, err := r.Next(); !SameError(err, want) || len(c.Text) > 0 {
		return fmt.Errorf("after the end Next gives %v, %v", c, err)
	}
	if n, err := r.Read(make([]byte, 3)); !SameError(err, want) || n != 0 {
		return fmt.Errorf("after the end Read gives %d, %v", n, err)
	}
	if _, err := r.ReadByte(); !SameError(err, want) {
		return fmt.Errorf("after the end ReadByte gives %v", err)
	}
	if _, err := r.WriteTo(io.Discard); !SameError(err, want) && !(want == io.EOF && err == nil) {
		return fmt.Errorf("after the end WriteTo gives %v", err)
	}
	return nil
}

// A ReadRoute is a way to read all of a text. It returns what is wrong; want is the error of the source.
type ReadRoute struct {
	Name string
	UTF8 bool // for UTF-8 only
	Read func(r *transcode.Reader, x *Expectation, want error) error
}

var ReadRoutes = []ReadRoute{
	{"Next", false, ReadNext},
	{"Chunks", false, readChunks},
	{"Read 1", false, func(r *transcode.Reader, x *Expectation, want error) error { return readInto(r, x, want, 1) }},
	{"Read 3", false, func(r *transcode.Reader, x *Expectation, want error) error { return readInto(r, x, want, 3) }},
	{"ReadByte", false, ReadBytes},
	{"ReadRune", true, readRunes},
	{"WriteTo", false, readWriteTo},
	{"mixed 1", false, func(r *transcode.Reader, x *Expectation, want error) error { return readMixed(r, x, want, 1) }},
	{"mixed 2", false, func(r *transcode.Reader, x *Expectation, want error) error { return readMixed(r, x, want, 2) }},
}

func ReadNext(r *transcode.Reader, x *Expectation, want error) error {
	k, at := 0, int64(x.TextAt)
	for {
		c, err := r.Next()
		if err != nil {
			if at != int64(x.End) {
				return fmt.Errorf("the chunks end at %d, want %d", at, x.End)
			}
			return x.CheckEnd(r, k, err, want)
		}
		if c.Offset != at {
			return fmt.Errorf("chunk at %d, want %d", c.Offset, at)
		}
		if k, err = x.CheckChunk(c, k); err != nil {
			return err
		}
		at += int64(c.Len)
		if r.InputOffset() != at {
			return fmt.Errorf("InputOffset %d behind the chunk, want %d", r.InputOffset(), at)
		}
	}
}

// readChunks breaks off after each chunk.
func readChunks(r *transcode.Reader, x *Expectation, want error) error {
	k := 0
	last := io.EOF
	for going := true; going; {
		going = false
		for c, err := range r.Chunks() {
			if err != nil {
				if going || err == io.EOF {
					return fmt.Errorf("yielded by Chunks: %v", err)
				}
				last = err
				continue // the iterator must end here
			}
			if k, err = x.CheckChunk(c, k); err != nil {
				return err
			}
			going = true
			break
		}
	}
	return x.CheckEnd(r, k, last, want)
}

func readInto(r *transcode.Reader, x *Expectation, want error, size int) error {
	p := make([]byte, size)
	for k := 0; ; {
		n, err := r.Read(p)
		if err != nil {
			if n != 0 {
				return fmt.Errorf("%d bytes from Read with %v", n, err)
			}
			return x.CheckEnd(r, k, err, want)
		}
		if n <= 0 || k+n > len(x.Text) || !bytes.Equal(p[:n], x.Text[k:k+n]) {
			return fmt.Errorf("got % .80x from Read at byte %d of the text", p[:n], k)
		}
		k += n
		if err := x.CheckOffset(r, k); err != nil {
			return err
		}
	}
}

// ReadBytes takes back one byte in three, and in long texts few.
func ReadBytes(r *transcode.Reader, x *Expectation, want error) error {
	back := 3
	if len(x.Text) > 1000 {
		back = 1000
	}
	for k := 0; ; {
		b, err := r.ReadByte()
		if err != nil {
			return x.CheckEnd(r, k, err, want)
		}
		if k == len(x.Text) || b != x.Text[k] {
			return fmt.Errorf("ReadByte % .80x at byte %d of the text", b, k)
		}
		k++
		if err := x.CheckOffset(r, k); err != nil {
			return err
		}
		if k%back != 0 {
			continue
		}
		if err := r.UnreadByte(); err != nil {
			return err
		}
		if err := x.CheckOffset(r, k-1); err != nil {
			return fmt.Errorf("after UnreadByte: %w", err)
		}
		if again, err := r.ReadByte(); again != b || err != nil {
			return fmt.Errorf("ReadByte after UnreadByte: % .80x, %v, want % .80x", again, err, b)
		}
	}
}

// readRunes takes back one character in two, and in long texts few.
func readRunes(r *transcode.Reader, x *Expectation, want error) error {
	back := rune(2)
	if len(x.Text) > 1000 {
		back = 1000
	}
	for k := 0; ; {
		c, size, err := r.ReadRune()
		if err != nil {
			return x.CheckEnd(r, k, err, want)
		}
		if want, n := utf8.DecodeRune(x.Text[k:]); c != want || size != n {
			return fmt.Errorf("ReadRune %U, %d at byte %d of the text, want %U", c, size, k, want)
		}
		k += size
		if err := x.CheckOffset(r, k); err != nil {
			return err
		}
		if c%back != 0 {
			continue
		}
		if err := r.UnreadRune(); err != nil {
			return err
		}
		if err := x.CheckOffset(r, k-size); err != nil {
			return fmt.Errorf("after UnreadRune: %w", err)
		}
		if again, _, err := r.ReadRune(); again != c || err != nil {
			return fmt.Errorf("ReadRune after UnreadRune: %U, %v, want %U", again, err, c)
		}
	}
}

func readWriteTo(r *transcode.Reader, x *Expectation, want error) error {
	var b bytes.Buffer
	n, err := r.WriteTo(&b)
	if n != int64(b.Len()) || !bytes.HasPrefix(x.Text, b.Bytes()) {
		return fmt.Errorf("WriteTo %d: % .80x", n, b.Bytes())
	}
	if err == nil {
		err = io.EOF
	}
	return x.CheckEnd(r, b.Len(), err, want)
}

// readMixed reads size bytes, asks for the offset, and lets Next take the rest of the chunk.
func readMixed(r *transcode.Reader, x *Expectation, want error, size int) error {
	p := make([]byte, size)
	for k := 0; ; {
		n, err := r.Read(p)
		if err != nil {
			return x.CheckEnd(r, k, err, want)
		}
		if k+n > len(x.Text) || !bytes.Equal(p[:n], x.Text[k:k+n]) {
			return fmt.Errorf("got % .80x from Read at byte %d of the text", p[:n], k)
		}
		k += n
		if err := x.CheckOffset(r, k); err != nil {
			return err
		}
		c, err := r.Next()
		if err != nil {
			return x.CheckEnd(r, k, err, want)
		}
		if k, err = x.CheckChunk(c, k); err != nil {
			return err
		}
	}
}

// Shifted returns what is expected where the source begins at an offset.
func (x *Expectation) Shifted(by int) *Expectation {
	y := *x
	y.TextAt += by
	y.End += by
	y.Spans = slices.Clone(x.Spans)
	for i := range y.Spans {
		y.Spans[i].At += by
	}
	if e, ok := x.Err.(*transcode.Error); ok {
		moved := *e
		moved.Offset += int64(by)
		y.Err = &moved
	}
	return &y
}
