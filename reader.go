package transcode

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"
)

const (
	minReadSize = 4 << 10   // a Reader's first buffer for its source
	maxReadSize = 256 << 10 // its largest, which stays in a second-level cache together with its text
	maxNoReads  = 100       // how often a source may return neither bytes nor an error

	cacheLine  = 64      // system calls copy faster between places that are the same within a cache line
	readMargin = 4 << 10 // how much larger a Reader's buffer is than a read, for what is left of the text before
)

// A Reader reads a text and converts each piece as it comes. It belongs to one goroutine.
//
// Text before an error comes first, with a nil error; the error follows and stays. The source's own errors come as they are,
// bad text under Strict as an *Error whose offset counts the bytes of the source. An unknown encoding or policy is an error of the first
// read. NewReader and the like make Readers; the zero value is none.
type Reader struct {
	src io.Reader
	s   Stream
	err error // what follows the text that is decoded

	in         []byte
	inLo, inHi int   // in[inLo:inHi] is not yet decoded
	left       int64 // how much the source is known to have, at the start
	srcErr     error // what the source returned with its last bytes
	readSize   int   // how much a read asks for
	grow       bool  // it gets as much

	out     []byte
	text    []byte // what is decoded: in out, or in in where it is its own conversion
	inPlace bool   // it is in in
	textAt  int    // where it begins there
	lo      int    // text[lo:] is not yet returned
	class   Class
	chunk   Chunk // of text

	// For the source offset of a place in text: the stream as it was at text[0], at text[mark] and behind text, and what in held
	// for it. Sequences that are dropped belong to what follows them.
	first, at      Stream
	firstIn, atIn  int
	mark           int
	behind         Stream
	before         Stream // as it was at out[beforeMark], a place before mark that is gone back to when something is taken back
	beforeIn       int
	beforeMark     int
	lastByte       bool // UnreadByte is possible
	lastRuneLength int  // what UnreadRune takes back, 0 if nothing

	// Of Lines and Records.
	index          *recordIndex // of text; nil before it is wanted
	heldLo, heldHi int          // the beginning of a record that the next text continues right behind it, in in if inPlace, in out if not
	heldMost       int          // how long that may become
	cutRecord      bool         // an error cut a record short
	recordAt       int64        // where that record begins in the source
}

// A Chunk is a piece of text as a Reader decodes it.
type Chunk struct {
	Text     []byte // UTF-8, or what To says: whole characters only, lent until the next call of the Reader
	Class    Class  // of Text
	Offset   int64  // where its source bytes begin in the stream, a removed byte order mark counted
	Len      int    // how many source bytes
	Replaced int    // replacements written and sequences dropped in it
}

// NewReader returns a Reader that decodes r to UTF-8. Ill-formed input becomes U+FFFD, and a byte order mark overrides from: it
// is Transcoder{From: from, OnError: Replace, BOM: BOMOverride}.NewReader(r).
func NewReader(r io.Reader, from Encoding) *Reader {
	return Transcoder{From: from, OnError: Replace, BOM: BOMOverride}.NewReader(r)
}

// CharsetReader returns a NewReader for the encoding with the given label, or an error that names a label it does not know. It suits
// xml.Decoder.CharsetReader.
func CharsetReader(label string, r io.Reader) (io.Reader, error) {
	e, ok := LookupEncoding(label)
	if !ok {
		return nil, errUnknownLabel(label)
	}
	return NewReader(r, e), nil
}

// NewReader returns a Reader that converts r. Transcoder{From: UTF16LE}.NewReader(r) stops at the first unpaired surrogate.
func (t Transcoder) NewReader(r io.Reader) *Reader { return t.newReaderAt(r, 0) }

// newReaderAt returns a Reader of a source that begins at the given offset of what the caller counts in.
func (t Transcoder) newReaderAt(r io.Reader, offset int64) *Reader {
	s := Stream{t: t, from: t.From, offset: offset}
	return &Reader{src: r, s: s, behind: s}
}

// failingReader returns a Reader that gives nothing but err until it is reset.
func (t Transcoder) failingReader(err error) *Reader {
	r := t.NewReader(nil)
	r.err = err
	return r
}

// Reset makes r read another source from its start with the same configuration. It keeps the buffers. One Reader can so serve
// many files.
func (r *Reader) Reset(src io.Reader) {
	r.s.Reset()
	*r = Reader{src: src, s: r.s, behind: r.s, in: r.in, out: r.out, readSize: r.readSize, index: r.index}
	r.index.drop()
}

// Encoding returns the encoding of the source: From, or what a byte order mark chose.
func (r *Reader) Encoding() Encoding { return r.s.from }

// Class returns the class of all text decoded so far.
func (r *Reader) Class() Class { return r.class }

// Replaced returns how many replacements have been written, or sequences dropped, in the text decoded so far. It is 2 after
// "a\xFFb\xFE" under Replace.
func (r *Reader) Replaced() int64 { return r.s.replaced }

// InputOffset returns the offset in the source, in bytes, of the first character that has not been returned as a whole. After
// three bytes of ASCII text from UTF-16 it is 6.
func (r *Reader) InputOffset() int64 {
	switch {
	case r.cutRecord:
		return r.recordAt
	case r.lo == len(r.text):
		return r.behind.offset
	case r.lo == 0:
		return r.chunk.Offset
	}
	r.locate()
	return r.at.offset
}

// Next returns the next piece of text as soon as the source has given a whole character. At the end it returns io.EOF.
//
// Where Read cut a character, the piece begins with what is left of it. Under Skip the last piece may have no text, but
// source bytes that were dropped. See Chunks for a loop over it.
func (r *Reader) Next() (Chunk, error) {
	r.lastByte, r.lastRuneLength = false, 0
	if r.lo == len(r.text) {
		if err := r.fill(); err != nil {
			return Chunk{}, err
		}
	}
	c := r.chunk
	if r.lo > 0 {
		r.locate()
		c = Chunk{
			Text:     r.text[r.lo:],
			Class:    classOf(r.text[r.mark:], r.s.t.To),
			Offset:   r.at.offset,
			Len:      int(r.behind.offset - r.at.offset),
			Replaced: int(r.behind.replaced - r.at.replaced),
		}
	}
	r.lo = len(r.text)
	return c, nil
}

// Chunks returns an iterator over what Next returns. An error is yielded once, as the last; io.EOF is not.
func (r *Reader) Chunks() iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for {
			c, err := r.Next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// Read reads text into p as io.Reader says. It may cut a character if p ends in its middle. io.ReadAll(r) gives the whole
// text.
func (r *Reader) Read(p []byte) (int, error) {
	r.lastByte, r.lastRuneLength = false, 0
	if len(p) == 0 {
		return 0, nil
	}
	if err := r.more(); err != nil {
		return 0, err
	}
	n := copy(p, r.text[r.lo:])
	r.lo += n
	r.lastByte = true
	return n, nil
}

// WriteTo writes the rest of the text to w. io.Copy(w, r) calls it.
func (r *Reader) WriteTo(w io.Writer) (written int64, err error) {
	r.lastByte, r.lastRuneLength = false, 0
	for {
		if err := r.more(); err == io.EOF {
			return written, nil
		} else if err != nil {
			return written, err
		}
		text := r.text[r.lo:]
		n, err := w.Write(text)
		if n < 0 || n > len(text) {
			return written, errBadCount
		}
		r.lo += n
		written += int64(n)
		if err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return written, err
		}
	}
}

// ReadByte returns the next byte of the text. binary.ReadUvarint and others need it.
func (r *Reader) ReadByte() (byte, error) {
	r.lastByte, r.lastRuneLength = false, 0
	if err := r.more(); err != nil {
		return 0, err
	}
	r.lo++
	r.lastByte = true
	return r.text[r.lo-1], nil
}

// UnreadByte takes back the last byte that ReadByte, ReadRune or Read returned, if one of these was the last call to read.
// ReadByte, UnreadByte and ReadByte give the same byte twice.
func (r *Reader) UnreadByte() error {
	if !r.lastByte {
		return bufio.ErrInvalidUnreadByte
	}
	r.lo--
	r.lastByte, r.lastRuneLength = false, 0
	return nil
}

// ReadRune returns the next character of the text and its length in bytes. A target encoding other than UTF-8 is an error.
// fmt.Fscan needs it.
func (r *Reader) ReadRune() (c rune, size int, err error) {
	r.lastByte, r.lastRuneLength = false, 0
	if err := r.needUTF8(); err != nil {
		return 0, 0, err
	}
	if err := r.more(); err != nil {
		return 0, 0, err
	}
	c, size = utf8.DecodeRune(r.text[r.lo:])
	r.lo += size
	r.lastByte, r.lastRuneLength = true, size
	return c, size, nil
}

// UnreadRune takes back the character that ReadRune returned, if that was the last call to read. ReadRune, UnreadRune and
// ReadRune give the same character twice.
func (r *Reader) UnreadRune() error {
	if r.lastRuneLength == 0 {
		return bufio.ErrInvalidUnreadRune
	}
	r.lo -= r.lastRuneLength
	r.lastByte, r.lastRuneLength = false, 0
	return nil
}

// ReadText returns the rest of the text, as it is after conversion to To, in its smallest form. On error it returns the zero
// Text. NewReader(r, UTF8).ReadText() is Decode for a stream.
func (r *Reader) ReadText() (Text, error) {
	to := r.s.t.To
	b := textBuilder{s: Stream{t: Transcoder{From: to, To: hostEncoding(2), OnError: Replace}, from: to}}
	for c, err := range r.Chunks() {
		if err != nil {
			return Text{}, err
		}
		b.add(c.Text, true) // whole characters, but what is left of one that Read cut is ill-formed
	}
	return b.text(), nil
}

func (r *Reader) needUTF8() error {
	if err := r.s.t.check(); err != nil {
		return err
	}
	if r.s.t.To != UTF8 {
		return fmt.Errorf("transcode: characters and lines are read from UTF-8, not from %v: set To", r.s.t.To)
	}
	return nil
}

// more makes sure that there is text to return.
func (r *Reader) more() error {
	for r.lo == len(r.text) {
		if err := r.fill(); err != nil {
			return err
		}
	}
	return nil
}

var errBadCount = errors.New("transcode: impossible count from Read or Write")

// fill decodes the next chunk, after all of the last has been returned, behind what is held of that. At the end of the stream the chunk may have no text.
func (r *Reader) fill() error {
	r.text, r.lo = nil, 0
	r.index.drop()
	for r.err == nil {
		r.first, r.firstIn = r.s, r.inLo
		text, nSrc, class, err := r.decode()
		r.inLo += nSrc
		switch {
		case err == ErrShortDst:
		case err != nil && err != ErrShortSrc:
			r.err = err
		case r.srcErr != nil:
			r.err = r.srcErr
		case len(text) == 0:
			r.read()
			continue
		}
		if len(text) > 0 {
			r.beginChunk(text, class)
			return nil
		}
	}
	if r.s.offset > max(r.behind.offset, r.s.textAt) {
		r.beginChunk(nil, ClassASCII) // dropped sequences with no text behind them
		return nil
	}
	r.behind = r.s
	return r.err
}

// decode decodes what is in the buffer, and returns the text, its class, and how much it has consumed. The error is that of
// Transform. Text that is its own conversion stays where it is, unless there is much trouble between little of it.
func (r *Reader) decode() (text []byte, nSrc int, class Class, err error) {
	src, atEOF := r.in[r.inLo:r.inHi], r.srcErr == io.EOF
	if len(src) == 0 && r.s.begun && r.s.marked {
		return nil, 0, ClassASCII, nil
	}
	s := r.s
	lo, hi, class := s.pass(src, atEOF)
	good := hi > 0 && hi == len(src) || hi >= minReadSize
	if hi < len(src) {
		err = ErrShortDst // something is left
		_, _, kind := inspect(src[hi:], s.from, s.from)
		switch unfinished := kind == KindTruncated && !atEOF; {
		case unfinished && hi > 0:
			good = true
		case unfinished && r.s.begun && r.s.marked:
			return nil, 0, ClassASCII, ErrShortSrc
		}
	}
	held := r.held()
	if good && (held == 0 || r.inPlace && r.heldHi == r.inLo) {
		r.s = s
		r.inPlace, r.textAt = true, r.inLo+lo
		return src[lo:hi], hi, class, err
	}
	out := r.out
	if size := 2 * (r.readSize + readMargin); len(out) < held+size {
		if len(src) < 4 {
			size = 64 // for what is unfinished
		}
		if len(out) < held+size {
			out = make([]byte, r.roomFor(held, size))
		}
	}
	if !r.inPlace {
		copy(out, r.out[r.heldLo:r.heldHi])
		r.heldLo, r.heldHi = 0, held
	}
	r.out = out
	nDst, nSrc, err := r.s.Transform(out[held:], src, atEOF)
	if nDst > 0 && r.inPlace {
		copy(out, r.in[r.heldLo:r.heldHi])
		r.heldLo, r.heldHi = 0, held
		r.inPlace = false
		if held > maxReadSize { // so much memory once is enough
			r.in, r.inLo, r.inHi, r.firstIn = append([]byte(nil), src...), 0, len(src), 0
		}
	}
	r.textAt = held
	text = out[held : held+nDst]
	return text, nSrc, r.classOfOut(text, nSrc), err
}

// roomFor returns how much memory to make for what is held and size bytes more: for twice as much as is held where that may become so long.
func (r *Reader) roomFor(held, size int) int { return max(held, min(2*held, r.heldMost)) + size }

// classOfOut returns the class of text, which Transform has made of so many bytes of the source.
func (r *Reader) classOfOut(text []byte, nSrc int) Class {
	from, to := r.s.from, r.s.t.To
	switch {
	case to != UTF8:
		return classOf(text, to)
	case from != UTF8 && len(text)*from.unitSize() == nSrc && r.first.begun && r.first.marked && r.first.replaced == r.s.replaced:
		return ClassASCII // every code unit has become a byte
	case from == Latin1 && len(text) > nSrc && r.first.marked:
		return ClassLatin1
	}
	return classOfUTF8(stringOf(text))
}

// beginChunk makes a chunk of text.
func (r *Reader) beginChunk(text []byte, class Class) {
	if !r.first.begun { // leave out a byte order mark
		r.firstIn += int(r.s.textAt - r.first.offset)
		marked := r.first.marked || !r.s.t.AddBOM
		r.first = Stream{t: r.s.t, from: r.s.from, checked: true, begun: true, marked: marked, offset: r.s.textAt, textAt: r.s.textAt}
	}
	r.first.stops = true
	r.at, r.atIn, r.mark = r.first, r.firstIn, 0
	r.before, r.beforeIn, r.beforeMark = r.first, r.firstIn, 0

	text = slices.Clip(text) // behind it may be what is not decoded yet
	r.text, r.lo = text, len(text)
	before := r.behind
	r.behind = r.s
	if len(text) > 0 && r.s.t.OnError == Skip && r.s.replaced > before.replaced {
		r.locate()
		r.behind = r.at
	}
	r.lo = 0
	offset := max(before.offset, r.s.textAt)
	r.chunk = Chunk{
		Text:     text,
		Class:    class,
		Offset:   offset,
		Len:      int(r.behind.offset - offset),
		Replaced: int(r.behind.replaced - before.replaced),
	}
	r.class = max(r.class, class)
}

// read reads from the source what follows in[inLo:inHi], the beginning of a character at most, and what is held right before that.
func (r *Reader) read() {
	switch {
	case len(r.in) == 0:
		r.readSize = int(min(max(r.left+1, minReadSize), maxReadSize))
	case r.grow:
		r.readSize = min(2*r.readSize, maxReadSize)
	}
	lo := r.inLo
	held := r.inPlace && r.held() > 0
	if held {
		lo = r.heldLo
	}
	n := r.inHi - lo
	if lo >= max(n, cacheLine) || len(r.in)-r.inHi < r.readSize {
		in := r.in
		if len(in) < cacheLine+n+r.readSize {
			in = make([]byte, r.roomFor(n, r.readSize)+readMargin)
			if held && n > maxReadSize {
				r.out = nil // so much memory once is enough
			}
		}
		at := int(uint64(r.s.offset-int64(r.inLo-lo)) % cacheLine)
		copy(in[at:], r.in[lo:r.inHi])
		r.in = in
		r.inLo += at - lo
		r.inHi += at - lo
		if held {
			r.heldLo += at - lo
			r.heldHi += at - lo
		}
	}
	p := r.in[r.inHi:][:r.readSize]
	for range maxNoReads {
		n, err := r.src.Read(p)
		if n < 0 || n > len(p) {
			r.srcErr = errBadCount
			return
		}
		r.inHi += n
		r.srcErr = err
		r.grow = n == len(p)
		if n > 0 || err != nil {
			return
		}
	}
	r.srcErr = io.ErrNoProgress
}

// locate finds the source offset of the character at text[lo], or that lo is in: it moves mark there, and at and atIn with
// it.
func (r *Reader) locate() {
	if r.mark > r.lo { // something was taken back
		if r.beforeMark > r.lo {
			r.before, r.beforeIn, r.beforeMark = r.first, r.firstIn, 0
		}
		r.at, r.atIn, r.mark = r.before, r.beforeIn, r.beforeMark
	} else if r.mark < r.lo {
		r.before, r.beforeIn, r.beforeMark = r.at, r.atIn, r.mark
	}
	whole := r.lo == len(r.text) || utf8.RuneStart(r.text[r.lo])
	if r.s.t.To == UTF8 && r.at.marked && whole && r.at.replaced == r.s.replaced {
		// The text before lo has its source's characters and no others.
		n := encodedLen(r.s.from, r.text[r.mark:r.lo], UTF8)
		r.at.offset += n
		r.atIn += int(n)
		r.mark = r.lo
		return
	}
	var scratch [512]byte
	for r.mark < r.lo {
		dst := scratch[:min(len(scratch), r.lo-r.mark)]
		nDst, nSrc, _ := r.at.Transform(dst, r.in[r.atIn:r.inLo], true) // decodes again what it could decode before
		r.mark += nDst
		r.atIn += nSrc
		if nDst == 0 {
			return
		}
	}
}
