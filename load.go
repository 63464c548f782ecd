package transcode

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sync"
)

const (
	loadBuffer  = 512<<10 + 8 // a file that does not fill it is decoded in one piece
	directRead  = 64<<10 + 8  // text that needs no conversion is read into the result from here on; a shorter one is copied
	countBuffer = 64 << 10
)

// loadBuffers has buffers of loadBuffer bytes. They are not cleared: what is not read into takes no memory of the machine.
var loadBuffers = sync.Pool{New: func() any {
	b := grow[byte](nil, loadBuffer)[:loadBuffer]
	return &b
}}

// A loader reads a whole file, from start to end, and converts it: a small one in one piece, a larger one in pieces, each while
// it is in cache. Open, a read, the read that sees the end, and close are all the system calls that a small file costs.
type loader struct {
	ctx  context.Context // ends reading between two pieces; may be nil
	name string
	d    descriptor
	s    Stream
	buf  *[]byte
	src  []byte // what is read and not yet converted, in buf or in the destination
	off  int64  // how much has been read
	eof  bool
	err  error // of reading; the text before it comes first

	classify bool  // class is wanted
	class    Class // of the text so far
	counted  bool  // a formula has told once how much room the text takes
}

// open opens the file and lends a buffer. Whatever it returns, close must follow.
func (l *loader) open() (err error) {
	if err := l.s.t.check(); err != nil {
		return err
	}
	if l.d, err = openDescriptor(l.name); err == nil {
		l.buf = loadBuffers.Get().(*[]byte)
	}
	return err
}

func (l *loader) close() {
	if l.buf != nil {
		l.d.close()
		loadBuffers.Put(l.buf)
	}
}

// read reads once into p, which is not empty.
func (l *loader) read(p []byte) int {
	n, err := l.d.read(p)
	l.off += int64(n)
	switch {
	case err != nil:
		l.err = &fs.PathError{Op: "read", Path: l.name, Err: err}
	case n == 0:
		l.eof = true
	}
	return n
}

// ended reports whether nothing more comes.
func (l *loader) ended() bool { return l.eof || l.err != nil }

// fill reads into p, behind what is in src, which is there already, until p is full or the file ends. A short read is not the
// end: files of procfs and pipes give less than there is.
func (l *loader) fill(p []byte) {
	n := len(l.src)
	for n < len(p) && !l.ended() {
		n += l.read(p[n:])
	}
	l.src = p[:n]
}

// begin reads the first piece, which is all of a small file.
func (l *loader) begin() {
	l.fill((*l.buf)[:max(maxReadSize+8, len(l.src))])
	if unread := l.unread(); unread >= 0 && l.off+unread < loadBuffer {
		l.fill(*l.buf)
	}
}

// more reads the next piece behind what is left of src, both near the start of the buffer.
func (l *loader) more() {
	if l.ctx != nil && l.ctx.Err() != nil {
		l.err = &notReadError{l.name, l.ctx.Err()}
		return
	}
	buf := (*l.buf)[uint64(l.off-int64(len(l.src)))%cacheLine:][:maxReadSize] // where it lies within a cache line of the file
	n := copy(buf, l.src)
	l.src = buf[:n+l.read(buf[n:])]
}

// append appends the converted text of the file to dst. The error names the file.
func (l *loader) append(dst []byte) ([]byte, error) {
	fresh := cap(dst) == 0
	same := l.s.t.From == l.s.t.To && !l.s.t.AddBOM
	if same {
		l.fill((*l.buf)[:directRead])
		dst = l.appendSame(dst, fresh)
	} else {
		l.begin()
	}
	for {
		nDst, nSrc, err := l.s.Transform(spare(dst), l.src, l.eof)
		n := len(dst)
		dst = dst[:n+nDst]
		l.src = l.src[nSrc:]
		if l.classify && nDst > 0 {
			if l.s.t.To == UTF8 {
				l.class = max(l.class, classOfUTF8(stringOf(dst[n:])))
			} else {
				l.class = max(l.class, classOf(dst[n:], l.s.t.To))
			}
		}
		switch {
		case err == ErrShortDst:
			dst = growFor(dst, l.room())
			continue
		case err != nil && err != ErrShortSrc:
			err = inFile(err, l.name)
		case l.ended():
			err = l.err
		default:
			l.more()
			continue
		}
		if fresh {
			dst = fit(dst)
		}
		return dst, err
	}
}

// appendSame appends text that is its own conversion, as long as nothing is wrong with it. What is left is in src.
func (l *loader) appendSame(dst []byte, fresh bool) []byte {
	for {
		// A piece in the buffer.
		if len(l.src) > 0 {
			lo, hi, class := l.s.pass(l.src, l.eof)
			l.class = max(l.class, class)
			need := hi - lo
			if !l.ended() {
				need = len(l.src) - lo // an unfinished character will be finished
			}
			if cap(dst)-len(dst) < need {
				dst = growFor(dst, int64(need)+max(l.unread(), 0))
			}
			dst = append(dst, l.src[lo:hi]...)
			l.src = l.src[hi:]
		}
		// Pieces read into the memory behind dst, each behind the unfinished character of the one before. What is read there stays there, unless an
		// error ends all, or dst is ours.
		stays := l.s.begun && l.s.marked && l.s.from == l.s.t.To && l.s.t.OnError == Strict
		for len(l.src) < 4 && !l.ended() && (fresh || stays) {
			room := spare(dst)
			k := copy(room, l.src)
			if room = room[:min(len(room), maxReadSize)]; k == len(room) || l.ctx != nil && l.ctx.Err() != nil {
				break
			}
			k += l.read(room[k:])
			lo, hi, class := l.s.pass(room[:k], l.eof)
			l.class = max(l.class, class)
			if lo > 0 {
				copy(room, room[lo:hi])
			}
			dst = dst[:len(dst)+hi-lo]
			l.src = (*l.buf)[:copy(*l.buf, room[hi:k])]
		}
		if len(l.src) >= 4 || l.ended() {
			return dst
		}
		l.more() // sees the end of a file that is as long as it said
	}
}

// unread returns how many bytes of the file have not been read, -1 if it does not tell.
func (l *loader) unread() int64 {
	if l.ended() {
		return -1
	}
	size, regular, err := l.d.stat()
	if err != nil || !regular || size < l.off {
		return -1
	}
	return size - l.off
}

// room returns how many bytes the conversion of the rest of the file takes. For text in order, and files that tell their size,
// that is exact; where it turns out too little it is counted by decoding.
func (l *loader) room() int64 {
	if l.s.t.OnError != Strict && l.counted {
		return l.decodedLen(l.s)
	}
	l.counted = true
	n := l.count(l.s.t.To)
	if !l.s.marked {
		n += int64(len(l.s.t.To.bom()))
	}
	return n
}

// decodedLen returns how many bytes s makes of the rest of the file.
func (l *loader) decodedLen(s Stream) int64 {
	var scratch [1024]byte
	return l.eachUnread(func(src []byte, atEOF bool) (room int64, nSrc int) {
		for {
			nDst, n, err := s.Transform(scratch[:], src[nSrc:], atEOF)
			room += int64(nDst)
			nSrc += n
			if err != ErrShortDst {
				return room, nSrc
			}
		}
	})
}

// count returns how long the rest of the file is in the encoding to, by formula.
func (l *loader) count(to Encoding) int64 {
	from := l.s.from
	unit := int64(from.unitSize())
	linear := from == to
	if to != UTF8 {
		switch unit {
		case 1:
			linear = linear || from != UTF8
		case 2:
			linear = to.unitSize() <= 2 // Latin-1 has no pairs
		case 4:
			linear = to.unitSize() != 2
		}
	}
	if linear {
		return encodedLen(to, l.src, from) + (max(l.unread(), 0)+unit-1)/unit*int64(to.unitSize())
	}
	return l.eachUnread(func(src []byte, atEOF bool) (int64, int) {
		n := len(src) / int(unit) * int(unit)
		return encodedLen(to, src[:n], from), n
	})
}

// eachUnread adds up what f returns for what is in src and for the rest of the file, which it reads for that. f returns how much of
// a piece it has dealt with too; at most 8 bytes may be left.
func (l *loader) eachUnread(f func(src []byte, atEOF bool) (n int64, nSrc int)) int64 {
	unread := l.unread()
	n, nSrc := f(l.src, unread <= 0)
	if unread <= 0 {
		if !l.ended() {
			n += int64(len(l.src)) // of a pipe, which may give as much again
		}
		return n
	}
	buf := l.src[len(l.src):cap(l.src)] // behind src there is room but for a first piece
	if len(buf) < countBuffer {
		buf = make([]byte, countBuffer)
	}
	kept := copy(buf, l.src[nSrc:])
	for off := l.off; ; {
		k, err := l.d.readAt(buf[kept:countBuffer], off)
		off += int64(k)
		piece := buf[:kept+k]
		more, nSrc := f(piece, k == 0)
		n += more
		if kept = copy(piece, piece[nSrc:]); k == 0 || err != nil {
			return n
		}
	}
}

// growFor makes room for n more bytes. Memory that grows a second time grows by more than it must, so that a file that goes
// on and on is not copied each time.
func growFor[U unit](dst []U, n int64) []U {
	if len(dst) == 0 {
		return grow(dst, saturate(n))
	}
	return slices.Grow(dst, saturate(n))
}

// fit returns s in memory that is not much larger. It cannot be appended to without a copy.
func fit[U unit](s []U) []U {
	if cap(s)-len(s) > len(s)/4 {
		s = append(grow[U](nil, len(s)), s...)
	}
	return slices.Clip(s)
}

// text returns the text of the file in its smallest form, with U+FFFD for what is ill-formed.
func (l *loader) text() (Text, int, error) {
	b := textBuilder{s: l.s, l: l}
	b.s.t.To = hostEncoding(2)
	l.fill((*l.buf)[:directRead])
	if l.s.from == UTF8 && !l.ended() && isASCII(stringOf(l.src)) {
		b.one = l.appendASCII()
		b.s.begun = true
	}
	l.begin()
	for {
		src := l.src
		n := b.add(src, l.eof)
		l.src = src[n:]
		switch {
		case l.err != nil:
			return Text{}, 0, l.err
		case l.eof:
			return b.text(), int(b.s.replaced), nil
		}
		l.more()
	}
}

// appendASCII returns the beginning of the file as far as it is ASCII, as src is. What is behind it is in src.
func (l *loader) appendASCII() []byte {
	b := growFor([]byte(nil), int64(len(l.src))+max(l.unread(), 0))
	b = append(b, l.src...)
	l.src = nil
	for len(b) < cap(b) && !l.ended() {
		room := spare(b)
		room = room[:min(len(room), maxReadSize)]
		room = room[:l.read(room)]
		n := asciiPrefix(stringOf(room))
		b = b[:len(b)+n]
		if n < len(room) {
			l.src = (*l.buf)[:copy(*l.buf, room[n:])]
			break
		}
	}
	return b
}

// A notReadError says that a file was not read, or not to its end, since a context ended.
type notReadError struct {
	name string
	err  error
}

func (e *notReadError) Error() string {
	return fmt.Sprintf("transcode: %s not read: %v", e.name, e.err)
}

func (e *notReadError) Unwrap() error { return e.err }
