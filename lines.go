package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// ErrLineTooLong is what the error for a line or record longer than the maximum matches with errors.Is.
var ErrLineTooLong = errors.New("transcode: line longer than the maximum")

// A LongLine says what becomes of a record that is longer than the maximum.
type LongLine uint8

const (
	LongError LongLine = iota // an error that matches ErrLineTooLong ends the iteration
	LongSplit                 // it comes in pieces of at most the maximum, but of one character at least
	LongSkip                  // it is passed over

	numLongLines = int(iota)
)

// maxLine is the maximum of Lines, in bytes.
const maxLine = 64 << 20

// A Line is a line or record of a text.
type Line struct {
	Text   []byte // UTF-8 without the delimiter, lent until the next step
	Class  Class  // of Text
	Offset int64  // where its source bytes begin in the stream
	Len    int    // how many source bytes, the delimiter's included
}

// Lines returns an iterator over the lines of the text: Records('\n', 64 MiB, LongError), without a CR that stands before the LF.
func (r *Reader) Lines() iter.Seq2[Line, error] {
	return r.records('\n', maxLine, LongError, true)
}

// Records returns an iterator over the records of the text, which delim, below 0x80, ends. A final delimiter opens no empty
// record. max is in bytes of Line.Text; a record that is longer is dealt with as long says, and takes no more memory than that.
// A max of 0 or less means no limit. A target encoding other than UTF-8, a delimiter from 0x80 on and an unknown
// policy are errors.
//
// After a break the next call goes on where it stopped. An error is yielded once, as the last; io.EOF is not. A record that an
// error cuts short is not yielded; InputOffset is then where it begins.
func (r *Reader) Records(delim byte, max int, long LongLine) iter.Seq2[Line, error] {
	return r.records(delim, max, long, false)
}

// records is small enough to be taken into the function that ranges over it, and so is the body of the loop, as long as there is one call of yield.
// What a record costs there is to take it from the index.
func (r *Reader) records(delim byte, limit int, long LongLine, dropCR bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		x := r.recordIndex()
		for {
			var err error
			if x.next == x.count || x.lo != r.lo || x.delim != delim || x.limit != limit {
				err = r.nextRecord(delim, limit, long, dropCR)
			}
			text, class, offset, size := x.alone.Text, x.alone.Class, x.alone.Offset, x.alone.Len
			if i := x.next; i < x.count { // the next record of the index
				lo, end := x.lo, x.base+int(x.ends[i]>>2)
				text, class, offset, size = r.text[lo:end:end], Class(x.ends[i]&3), x.offset, (end+1-lo)*x.scale
				if x.scale == 0 {
					size = int(x.sizes[i])
				}
				if dropCR && lo < end && r.text[end-1] == '\r' {
					text = r.text[lo : end-1 : end-1]
				}
				x.next = i + 1
				x.offset = offset + int64(size)
				x.lo = end + 1
				r.lo = end + 1
			}
			if err == io.EOF || !yield(Line{text, class, offset, size}, err) || err != nil {
				return
			}
		}
	}
}

// nextRecord makes the next record the first of the index or, where it does not end in the chunk at hand or needs particular care, that which is alone.
func (r *Reader) nextRecord(delim byte, limit int, long LongLine, dropCR bool) error {
	x := r.index
	if x.of(r, delim, limit) && x.fill(r) {
		return nil
	}
	x.next, x.count, x.alone = 0, 0, Line{}
	err := r.needUTF8()
	switch {
	case err != nil:
		return err
	case checkDelim(delim) != nil:
		return checkDelim(delim)
	case int(long) >= numLongLines:
		return fmt.Errorf("transcode: unknown policy %d for long lines", uint8(long))
	}
	most := limit
	if most <= 0 {
		most = maxInt
	}
	r.lastByte, r.lastRuneLength = false, 0
	r.drop()
	if err := r.more(); err != nil {
		return err
	}
	indexed := most >= len(r.text) && r.chunk.Replaced == 0 && r.first.marked && !isContinuation(r.text[r.lo])
	if indexed && !x.of(r, delim, limit) {
		x.begin(r, delim, limit)
		if x.fill(r) {
			return nil
		}
	}
	line, ended, err := r.record(delim, most, long, indexed)
	if n := len(line.Text); dropCR && ended && n > 0 && line.Text[n-1] == '\r' {
		line.Text = line.Text[:n-1]
	}
	x.alone = line
	return err
}

// A recordIndex lists records that end in the chunk of a Reader, some at a time. A list is made by kernels that take as long for records of any length, so
// that branches which no processor can predict are neither there nor in the loop over the list.
type recordIndex struct {
	next, count int
	ends        [1024]uint16 // of ends[next:count]: where each is in the text from base on, times 4, and the class of the record
	sizes       []int32      // in the source, if these are no multiples
	alone       Line         // the next record, if ends[next:count] is empty

	lo     int   // where the next record begins in the text of the Reader
	offset int64 // and in the source
	scale  int   // how many bytes of the source a byte of text is, 0 if they differ in that

	delim      byte
	limit      int   // as it was given
	base, read int   // ends are those in the text from base to read
	class      Class // of the record at read, as far as that
}

// recordIndex returns the index of r.
func (r *Reader) recordIndex() *recordIndex {
	if r.index == nil {
		r.index = &recordIndex{lo: -1}
	}
	return r.index
}

// drop makes the index empty, before the text changes.
func (x *recordIndex) drop() {
	if x != nil {
		x.next, x.count, x.lo = 0, 0, -1
	}
}

// of reports whether the index is of the next text of r.
func (x *recordIndex) of(r *Reader, delim byte, limit int) bool {
	return x.lo == r.lo && x.delim == delim && x.limit == limit
}

// begin begins the index at the next text of r.
func (x *recordIndex) begin(r *Reader, delim byte, limit int) {
	x.delim, x.limit = delim, limit
	x.lo, x.base, x.read, x.offset, x.class = r.lo, r.lo, r.lo, r.InputOffset(), ClassASCII
	x.scale = 0
	if r.chunk.Class == ClassASCII || r.s.from == UTF8 {
		x.scale = r.s.from.unitSize()
	}
}

// fill lists the next records, after all of the last have been returned. It reports whether there are any.
func (x *recordIndex) fill(r *Reader) bool {
	for x.next, x.count = 0, 0; x.count == 0 && x.read < len(r.text); {
		var n int
		x.base = x.read
		x.count, n, x.class = listRecords(x.ends[:], r.text[x.read:], x.delim, x.class, r.chunk.Class)
		x.read += n
	}
	if x.scale == 0 && x.count > 0 {
		if x.sizes == nil {
			x.sizes = make([]int32, len(x.ends))
		}
		lo := x.lo
		for i, end := range x.ends[:x.count] {
			hi := x.base + int(end>>2) + 1
			x.sizes[i] = int32(encodedLen(r.s.from, r.text[lo:hi], UTF8))
			lo = hi
		}
	}
	return x.count > 0
}

// search returns where the first delimiter is in the text, or -1. The index must be empty.
func (x *recordIndex) search(text []byte, delim byte) int {
	near := text
	if kernelsList() { // one record is wanted, and kernels list all that there are
		near = text[:min(len(text), 512)]
	}
	if n := bytes.IndexByte(near, delim); n >= 0 {
		return n
	}
	for at := len(near); at < len(text); {
		count, n, _ := listRecords(x.ends[:], text[at:], delim, ClassASCII, ClassASCII)
		if count > 0 {
			return at + int(x.ends[0]>>2)
		}
		at += n
	}
	return -1
}

// checkDelim reports a delimiter that could stand inside a character.
func checkDelim(delim byte) error {
	if delim >= 0x80 {
		return fmt.Errorf("transcode: delimiter %#x is not ASCII", delim)
	}
	return nil
}

// record returns the next record, or a piece of a long one, and whether a delimiter ended it. Only bytes that are new are
// searched for the delimiter; searched says that the chunk at hand has been, and has none.
func (r *Reader) record(delim byte, limit int, long LongLine, searched bool) (line Line, ended bool, err error) {
	defer r.drop()
	r.heldMost = limit
	for {
		if err := r.more(); err != nil {
			if r.held() > 0 && err == io.EOF {
				break
			}
			if r.held() > 0 {
				r.cutRecord, r.recordAt = true, line.Offset
			}
			return Line{}, false, err
		}
		if r.held() == 0 {
			line = Line{Offset: r.InputOffset()}
		}
		text := r.text[r.lo:]
		room := limit - r.held()
		n := -1
		if !searched {
			n = r.index.search(text[:min(len(text)-1, room)+1], delim)
		}
		searched = false
		if ended = n >= 0; ended {
			r.hold(&line, n)
			r.lo++
			break
		}
		if len(text) <= room {
			r.hold(&line, len(text))
			continue
		}
		switch long {
		case LongError:
			r.err = fmt.Errorf("%w of %d bytes at offset %d", ErrLineTooLong, limit, line.Offset)
			r.cutRecord, r.recordAt = true, line.Offset
			r.lo, r.behind = len(r.text), r.s // nothing follows
			return Line{}, false, r.err
		case LongSkip:
			r.drop()
			if err := r.skipPast(delim); err != nil {
				if err != io.EOF {
					r.cutRecord, r.recordAt = true, line.Offset
				}
				return Line{}, false, err
			}
			continue
		}
		n = r.pieceLen(text, room)
		r.hold(&line, n)
		// A character longer than the maximum may end the record.
		if n > room && r.more() == nil && r.text[r.lo] == delim {
			ended = true
			r.lo++
		}
		break
	}
	memory := r.out
	if r.inPlace {
		memory = r.in
	}
	line.Text = memory[r.heldLo:r.heldHi:r.heldHi] // behind it may be text that is not yet returned
	line.Len = int(r.InputOffset() - line.Offset)
	return line, ended, nil
}

// hold makes the next n bytes of text a part of the line.
func (r *Reader) hold(line *Line, n int) {
	line.Class = max(line.Class, r.classOfPart(r.text[r.lo:r.lo+n]))
	if r.held() == 0 {
		r.heldLo = r.textAt + r.lo
	}
	r.lo += n
	r.heldHi = r.textAt + r.lo
}

// held returns how many bytes are held of a record.
func (r *Reader) held() int { return r.heldHi - r.heldLo }

// drop ends what is held.
func (r *Reader) drop() { r.heldLo, r.heldHi = 0, 0 }

// classOfPart returns the class of a part of the chunk. Mostly its first character that is not ASCII tells, together with the class of
// the chunk.
func (r *Reader) classOfPart(text []byte) Class {
	c := r.chunk.Class
	if c == ClassASCII {
		return c
	}
	n := asciiPrefix(stringOf(text))
	switch {
	case n == len(text):
		return ClassASCII
	case isContinuation(text[n]): // of a character that Read cut
		return Classify(text[n:])
	case c == ClassLatin1, c == ClassBMP && text[n] > 0xC3, text[n] >= 0xF0:
		return c
	}
	return classOfUTF8(stringOf(text[n:]))
}

// pieceLen returns how much of text, the beginning of a long record's rest, makes a piece together with what is carried over,
// which leaves room for so many bytes.
func (r *Reader) pieceLen(text []byte, room int) int {
	n := room
	for n > 0 && isContinuation(text[n]) {
		n--
	}
	if n > 0 || r.held() > 0 {
		return n
	}
	for n++; n < len(text) && isContinuation(text[n]); n++ { // one character at least
	}
	return n
}

// skipPast passes over text up to and including the next delimiter.
func (r *Reader) skipPast(delim byte) error {
	for {
		if err := r.more(); err != nil {
			return err
		}
		if n := r.index.search(r.text[r.lo:], delim); n >= 0 {
			r.lo += n + 1
			return nil
		}
		r.lo = len(r.text)
	}
}
