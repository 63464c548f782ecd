package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-1959eab6/transcode"
)

const (
	bufferSize = 256 << 10 // of the one input and the one output buffer
	sampleMin  = 4 << 10   // detection waits for this much of a slow input
	sampleMax  = 64 << 10  // and looks at no more than this
)

// An input is a file or standard input, read piece by piece into a buffer that all inputs of a run share.
type input struct {
	name   string // for messages
	r      io.Reader
	info   os.FileInfo // nil when the stream is not a file
	closer io.Closer   // nil for standard input

	buf    []byte
	lo, hi int  // buf[lo:hi] is read and not yet used
	eof    bool // nothing follows buf[lo:hi]
	onRead func(n int)
}

// open opens name and reads a first piece, so that what cannot be read at all, such as a folder, fails here.
func (c *command) open(name string, buf []byte, onRead func(n int)) (*input, error) {
	in := &input{name: name, buf: buf, onRead: onRead}
	if name == "-" {
		in.name, in.r = stdinName, c.stdin
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, ioError(name, err)
		}
		in.r, in.closer = f, f
	}
	in.info = fileInfo(in.r)
	if err := in.fill(); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// fileInfo returns what is known of the file behind stream, nil if there is none.
func fileInfo(stream any) os.FileInfo {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}

func (in *input) close() {
	if in.closer != nil {
		in.closer.Close() // nothing was written to it
	}
}

// pending returns what is read and not yet used.
func (in *input) pending() []byte { return in.buf[in.lo:in.hi] }

// use marks n bytes of pending as used.
func (in *input) use(n int) { in.lo += n }

// fill reads once more, behind what is pending. At the end of the input it sets eof.
func (in *input) fill() error {
	in.lo, in.hi = 0, copy(in.buf, in.pending())
	for range 100 {
		n, err := in.r.Read(in.buf[in.hi:])
		in.hi += n
		if in.onRead != nil && n > 0 {
			in.onRead(n)
		}
		switch {
		case errors.Is(err, io.EOF):
			in.eof = true
			return nil
		case err != nil:
			return ioError(in.name, err)
		case n > 0:
			return nil
		}
	}
	return ioError(in.name, io.ErrNoProgress)
}

// peek returns what is pending, at least n bytes unless the input ends before.
func (in *input) peek(n int) ([]byte, error) {
	for in.hi-in.lo < n && !in.eof {
		if err := in.fill(); err != nil {
			return nil, err
		}
	}
	return in.pending(), nil
}

// encoding returns the encoding of the input, which cs names or its first bytes show; ok is false if they do not.
func (in *input) encoding(cs charset) (e transcode.Encoding, ok bool, err error) {
	switch {
	case !cs.named:
		sample, err := in.peek(sampleMin)
		if err != nil {
			return 0, false, err
		}
		e, _, ok := transcode.Detect(sample[:min(len(sample), sampleMax)])
		return e, ok, nil
	case cs.bare:
		// The byte order mark decides the order under every BOM policy.
		sample, err := in.peek(4)
		if err != nil {
			return 0, false, err
		}
		if e, bomLen, _ := transcode.Detect(sample); bomLen > 0 && e == bigEndian[cs.encoding] {
			return e, true, nil
		}
	}
	return cs.encoding, true, nil
}

// knownEncoding is encoding where there must be one.
func (in *input) knownEncoding(cs charset) (transcode.Encoding, error) {
	e, ok, err := in.encoding(cs)
	if err == nil && !ok {
		err = fmt.Errorf("%s: cannot tell the encoding; name it with -f", printable(in.name))
	}
	return e, err
}

// bigEndian has the other order of the encodings that a bare name stands for.
var bigEndian = map[transcode.Encoding]transcode.Encoding{
	transcode.UTF16LE: transcode.UTF16BE,
	transcode.UTF32LE: transcode.UTF32BE,
}

// pump sends what is left of in through s and hands the text out, piece by piece, in dst. What comes before a fault is
// handed out first.
func pump(s *transcode.Stream, in *input, dst []byte, emit func(text []byte) error) error {
	for {
		nDst, nSrc, err := s.Transform(dst, in.pending(), in.eof)
		in.use(nSrc)
		if nDst > 0 {
			if err := emit(dst[:nDst]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, transcode.ErrShortDst):
			continue
		case err != nil && !errors.Is(err, transcode.ErrShortSrc):
			return err
		case in.eof:
			return nil
		}
		if err := in.fill(); err != nil {
			return err
		}
	}
}
