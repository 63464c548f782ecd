package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"
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

func (r *Reader) records(delim byte, max int, long LongLine, dropCR bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		err := r.needUTF8()
		switch {
		case err != nil:
		case checkDelim(delim) != nil:
			err = checkDelim(delim)
		case int(long) >= numLongLines:
			err = fmt.Errorf("transcode: unknown policy %d for long lines", uint8(long))
		}
		if max <= 0 {
			max = maxInt
		}
		for err == nil {
			if !r.wholeRecords(delim, max, dropCR, yield) {
				return
			}
			var line Line
			var ended bool
			line, ended, err = r.record(delim, max, long)
			if err != nil {
				break
			}
			if n := len(line.Text); dropCR && ended && n > 0 && line.Text[n-1] == '\r' {
				line.Text = line.Text[:n-1]
			}
			if !yield(line, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(Line{}, err)
		}
	}
}

// wholeRecords yields the records that end in the chunk at hand, and begin there at or behind lo, as long as that needs no
// particular care. It reports whether to go on.
func (r *Reader) wholeRecords(delim byte, limit int, dropCR bool, yield func(Line, error) bool) bool {
	if r.lo == len(r.text) || limit < len(r.text) || r.chunk.Replaced > 0 || !r.first.marked || isContinuation(r.text[r.lo]) {
		return true
	}
	r.lastByte, r.lastRuneLength = false, 0
	c := recordsOfChunk{r: r, fills: r.fills, text: r.text, lo: r.lo, offset: r.InputOffset(), dropCR: dropCR, yield: yield}
	switch {
	case r.chunk.Class == ClassASCII:
		c.ascii, c.scale = true, r.s.from.unitSize()
	case r.s.from == UTF8:
		c.scale = 1
	}
	return c.each(delim)
}

// recordsOfChunk is the loop over the records of a chunk. It is in memory since a call of the loop's body takes all registers.
type recordsOfChunk struct {
	r      *Reader
	text   []byte // the chunk
	lo     int    // where the next record begins in it
	offset int64  // and in the source
	scale  int    // how many bytes of the source a byte of text is, 0 if they differ in that
	ascii  bool
	dropCR bool
	fills  int
	yield  func(Line, error) bool
}

// each yields the records. It reports whether to go on behind them: not if the body of the loop has ended that.
func (c *recordsOfChunk) each(delim byte) bool {
	searched, near := c.lo, true // near: the next delimiter is likely to be
	for {
		// Bit i of marks is for text[base+i].
		marks, base := uint64(1), searched
		if near && searched+64 <= len(c.text) {
			marks = equalBytes((*[64]byte)(c.text[searched:]), uint64(delim)*ones)
			searched += 64
			near = bits.OnesCount64(marks) > 64/nearDelimiter
		} else {
			n := bytes.IndexByte(c.text[searched:], delim)
			if n < 0 {
				return true
			}
			base += n
			searched = base + 1
			near = base-c.lo < nearDelimiter
		}
		for ; marks != 0; marks &= marks - 1 {
			n := base + bits.TrailingZeros64(marks)
			line := c.text[c.lo:n]
			line = line[:len(line):len(line)]
			size := (len(line) + 1) * c.scale
			if size == 0 {
				size = int(encodedLen(c.r.s.from, c.text[c.lo:n+1], UTF8))
			}
			class := ClassASCII
			if !c.ascii {
				class = c.r.classOfPart(line)
			}
			if c.dropCR && len(line) > 0 && line[len(line)-1] == '\r' {
				line = line[:len(line)-1]
			}
			c.lo = n + 1
			c.r.lo = n + 1
			offset := c.offset
			c.offset += int64(size)
			if !c.yield(Line{line, class, offset, size}, nil) {
				return false
			}
			if c.r.lo != c.lo || c.r.fills != c.fills {
				return true // it has read on its own
			}
		}
	}
}

// nearDelimiter is from which length of a record on a search for the next delimiter alone is faster than one for all in the next 64 bytes.
const nearDelimiter = 24

// equalBytes returns a bit for each byte of b: whether it is that which every consists of.
func equalBytes(b *[64]byte, every uint64) uint64 {
	return equal8(b[0:], every) | equal8(b[8:], every)<<8 | equal8(b[16:], every)<<16 | equal8(b[24:], every)<<24 |
		equal8(b[32:], every)<<32 | equal8(b[40:], every)<<40 | equal8(b[48:], every)<<48 | equal8(b[56:], every)<<56
}

func equal8(b []byte, every uint64) uint64 {
	const low = ^uint64(high)
	x := load64(b, 0) ^ every
	zero := ^((x&low + low) | x | low) // its top bits mark the bytes of x that are 0
	return zero >> 7 * 0x0102040810204080 >> 56
}

// checkDelim reports a delimiter that could stand inside a character.
func checkDelim(delim byte) error {
	if delim >= 0x80 {
		return fmt.Errorf("transcode: delimiter %#x is not ASCII", delim)
	}
	return nil
}

// record returns the next record, or a piece of a long one, and whether a delimiter ended it. Only bytes that are new are
// searched for the delimiter.
func (r *Reader) record(delim byte, limit int, long LongLine) (line Line, ended bool, err error) {
	r.lastByte, r.lastRuneLength = false, 0
	r.carry = r.carry[:0]
	for {
		if err := r.more(); err != nil {
			if len(r.carry) > 0 && err == io.EOF {
				break
			}
			if len(r.carry) > 0 {
				r.cutRecord, r.recordAt = true, line.Offset
			}
			return Line{}, false, err
		}
		if len(r.carry) == 0 {
			line = Line{Offset: r.InputOffset()}
		}
		text := r.text[r.lo:]
		room := limit - len(r.carry)
		n := bytes.IndexByte(text[:min(len(text)-1, room)+1], delim)
		if ended = n >= 0; ended {
			r.take(&line, text[:n])
			r.lo++
			break
		}
		if len(text) <= room {
			r.keep(&line, text)
			continue
		}
		switch long {
		case LongError:
			r.err = fmt.Errorf("%w of %d bytes at offset %d", ErrLineTooLong, limit, line.Offset)
			r.cutRecord, r.recordAt = true, line.Offset
			r.lo, r.behind = len(r.text), r.s // nothing follows
			return Line{}, false, r.err
		case LongSkip:
			if err := r.skipPast(delim); err != nil {
				if err != io.EOF {
					r.cutRecord, r.recordAt = true, line.Offset
				}
				return Line{}, false, err
			}
			r.carry = r.carry[:0]
			continue
		}
		n = r.pieceLen(text, room)
		if n <= room {
			r.take(&line, text[:n])
			break
		}
		// A character longer than the maximum may end the record.
		r.keep(&line, text[:n])
		if r.more() == nil && r.text[r.lo] == delim {
			ended = true
			r.lo++
		}
		break
	}
	if line.Text == nil {
		line.Text = r.carry
	}
	line.Len = int(r.InputOffset() - line.Offset)
	return line, ended, nil
}

// keep moves text, the beginning of what is left of the chunk, to the part of the line that is carried over to the next chunk.
func (r *Reader) keep(line *Line, text []byte) {
	line.Class = max(line.Class, r.classOfPart(text))
	r.carry = append(r.carry, text...)
	r.lo += len(text)
}

// take completes the line with text, without a copy if nothing was carried over.
func (r *Reader) take(line *Line, text []byte) {
	if len(r.carry) > 0 {
		r.keep(line, text)
		return
	}
	line.Text = text[:len(text):len(text)]
	line.Class = r.classOfPart(text)
	r.lo += len(text)
}

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
	case c == ClassLatin1, c == ClassBMP && text[n] > 0xC3, text[n] >= 0xF0:
		return c
	}
	return Classify(text[n:])
}

// pieceLen returns how much of text, the beginning of a long record's rest, makes a piece together with what is carried over,
// which leaves room for so many bytes.
func (r *Reader) pieceLen(text []byte, room int) int {
	n := room
	for n > 0 && isContinuation(text[n]) {
		n--
	}
	if n > 0 || len(r.carry) > 0 {
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
		if n := bytes.IndexByte(r.text[r.lo:], delim); n >= 0 {
			r.lo += n + 1
			return nil
		}
		r.lo = len(r.text)
	}
}
