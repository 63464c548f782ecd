package transcode

import (
	"cmp"
	"errors"
	"io"
)

// A Writer converts a text that is written in pieces, of any size, and writes it on. It keeps a character that a piece leaves
// unfinished until the next. It buffers: call Flush or Close. It belongs to one goroutine.
//
// An error in the text stays, for Write and Close; what stands before it is still written by Flush and Close. An unknown
// encoding or policy is such an error. NewWriter makes Writers; the zero value is none.
type Writer struct {
	w       io.Writer
	s       Stream
	pending []byte // an unfinished character; its memory is tail
	tail    [8]byte
	buf     []byte // buf[:n] is to be written
	n       int
	in      []byte // what ReadFrom reads into
	closed  bool
	err     error // in the text
	wErr    error // of w
}

const (
	maxWriteSize = 64 << 10
	directWrite  = 16 << 10 // from here on text that is its own conversion is written from where it is
)

var errClosed = errors.New("transcode: write to a closed Writer")

// NewWriter returns a Writer that takes UTF-8 and writes it to w in the encoding to: Transcoder{To: to}.NewWriter(w).
func NewWriter(w io.Writer, to Encoding) *Writer { return Transcoder{To: to}.NewWriter(w) }

// NewWriter returns a Writer that converts what is written to it and writes it to w. Transcoder{To: UTF16LE, AddBOM:
// true}.NewWriter(w) writes what a Windows program expects.
func (t Transcoder) NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, s: Stream{t: t, from: t.From}}
}

// Reset makes w write another text to dst with the same configuration. It keeps the buffers; what was not flushed is lost.
// One Writer can so serve many texts.
func (w *Writer) Reset(dst io.Writer) {
	w.s.Reset()
	*w = Writer{w: dst, s: w.s, buf: w.buf, in: w.in}
}

// Write converts p. It returns how many bytes of p it took before the error, if there is one. A character may be written in
// two halves.
func (w *Writer) Write(p []byte) (n int, err error) { return w.write(p, false) }

// WriteString is like Write. io.WriteString(w, s) calls it.
func (w *Writer) WriteString(s string) (n int, err error) { return w.write(view(s), false) }

// ReadFrom converts all that r gives. It returns how many bytes it took from r. io.Copy(w, r) calls it.
func (w *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	if w.in == nil {
		w.in = make([]byte, maxWriteSize)
	}
	for empty := 0; empty < maxNoReads; {
		k, err := r.Read(w.in)
		if k < 0 || k > len(w.in) {
			return n, errBadCount
		}
		n += int64(k)
		if _, err := w.Write(w.in[:k]); err != nil {
			return n, err
		}
		if err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		if empty++; k > 0 {
			empty = 0
		}
	}
	return n, io.ErrNoProgress
}

// Flush writes what has been converted. An unfinished character stays. Call it where the other side waits for what was
// written.
func (w *Writer) Flush() error {
	if w.wErr != nil || w.n == 0 {
		return w.wErr
	}
	n := w.send(w.buf[:w.n])
	w.n = copy(w.buf, w.buf[n:w.n])
	return w.wErr
}

// send writes p and returns how much of it was written. The error stays in wErr.
func (w *Writer) send(p []byte) int {
	n, err := w.w.Write(p)
	if n < 0 || n > len(p) {
		n, err = 0, errBadCount
	}
	if n < len(p) && err == nil {
		err = io.ErrShortWrite
	}
	w.wErr = err
	return n
}

// Close ends the text, which makes an unfinished character an error or a replacement, and flushes. It does not close what it
// writes to. Defer it and mind its error: it is the only call that tells of a truncated end.
func (w *Writer) Close() error {
	if !w.closed {
		w.write(nil, true) // its error stays
		w.Flush()
		w.closed = true
	}
	return cmp.Or(w.err, w.wErr)
}

// write converts p, which nothing follows if atEOF.
func (w *Writer) write(p []byte, atEOF bool) (n int, err error) {
	for {
		switch err := cmp.Or(w.err, w.wErr); {
		case err != nil:
			return n, err
		case w.closed:
			return n, errClosed
		}
		if len(w.pending) == 0 && len(p)-n >= directWrite && w.writeDirectly(p, &n) {
			continue
		}
		// An unfinished character goes first, with as much of p as completes it.
		src, old := p[n:], len(w.pending)
		if old > 0 {
			added := copy(w.tail[old:], src)
			src = w.tail[:old+added]
		}
		nDst, nSrc, err := w.s.Transform(w.buf[w.n:], src, atEOF)
		w.n += nDst
		switch {
		case err == ErrShortSrc && (old == 0 || nSrc < old):
			// What is left is an unfinished character, and the end of p.
			w.pending = w.tail[:copy(w.tail[:], src[nSrc:])]
			return len(p), nil
		case nSrc < old:
			w.pending = w.tail[:copy(w.tail[:], w.tail[nSrc:old])]
		default:
			n += nSrc - old
			w.pending = nil
		}
		switch {
		case err == ErrShortDst:
			w.makeRoom()
		case err == ErrShortSrc: // perhaps not without the rest of p
		case err != nil:
			w.err = err
		case n == len(p) && len(w.pending) == 0:
			return n, nil
		}
	}
}

// writeDirectly writes what of p[*n:] is its own conversion, behind what is in the buffer, and advances *n. It reports whether
// that was worth a call.
func (w *Writer) writeDirectly(p []byte, n *int) bool {
	s := w.s
	lo, hi, _ := s.pass(p[*n:], false)
	if hi < directWrite {
		return false
	}
	if w.Flush() != nil {
		return true
	}
	w.s = s
	w.send(p[*n+lo : *n+hi])
	*n += hi
	return true
}

// makeRoom empties the buffer, or makes it larger.
func (w *Writer) makeRoom() {
	if w.n > 0 {
		w.Flush() // its error stays in wErr
	}
	if size := len(w.buf); size < maxWriteSize {
		w.buf = make([]byte, max(minReadSize, 2*size))
	}
}
