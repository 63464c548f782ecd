package transcode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// ReadFileText returns the text of a file in its smallest form. A byte order mark overrides from. Ill-formed text becomes
// U+FFFD; replaced counts these. ReadFileText("notes.txt", Latin1) reads notes.txt as Latin-1 unless it has a byte order
// mark.
//
// This and the other functions for whole files read a small file at once, and one above 512 KiB in pieces of 256 KiB, each converted
// while it is in cache. A result is made once, by the file's size or by a count that reads the file twice, and takes at most a quarter more
// memory than its length; a text that turns out late to need UTF-16 is widened once. On Linux and macOS one of up to 64 KiB costs four system
// calls. Since package os is not asked there, go test does not see that such a file has changed when it reuses an old result.
func ReadFileText(name string, from Encoding) (t Text, replaced int, err error) {
	l := loader{name: name, s: Stream{t: Transcoder{From: from, OnError: Replace, BOM: BOMOverride}, from: from}}
	defer l.close()
	if err := l.open(); err != nil {
		return Text{}, 0, err
	}
	return l.text()
}

// ReadFileString returns the text of a file as UTF-8. A byte order mark overrides from. For ill-formed text it returns "" and an
// error in which errors.As finds an *Error.
func ReadFileString(name string, from Encoding) (string, error) {
	return Transcoder{From: from, BOM: BOMOverride}.ReadFile(name)
}

// AppendFile appends the text of a file to dst as UTF-8. A byte order mark overrides from. For ill-formed text it returns dst
// with what stands before it, and an error in which errors.As finds an *Error. AppendFile(buf[:0], "notes.txt", UTF16LE)
// reuses buf.
func AppendFile(dst []byte, name string, from Encoding) ([]byte, error) {
	return Transcoder{From: from, BOM: BOMOverride}.AppendFile(dst, name)
}

// ReadFile returns the converted text of a file. On error it returns "". Transcoder{To: UTF16LE, AddBOM:
// true}.ReadFile("notes.txt") is what a Windows program expects.
func (t Transcoder) ReadFile(name string) (string, error) {
	b, err := t.AppendFile(nil, name)
	if err != nil {
		return "", err
	}
	return stringOf(b), nil
}

// AppendFile appends the converted text of a file to dst. On error it returns dst with what was converted before. It suits a
// buffer that is used again for many files.
func (t Transcoder) AppendFile(dst []byte, name string) ([]byte, error) {
	l := loader{name: name, s: Stream{t: t, from: t.From}}
	defer l.close()
	if err := l.open(); err != nil {
		return dst, err
	}
	return l.append(dst)
}

// inFile returns an error about the text of a file with the file's name.
func inFile(err error, name string) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: "decode", Path: name, Err: err}
}

// FilesOptions says how ReadFiles reads.
type FilesOptions struct {
	Transcoder
	Workers int  // how many files are read at once; 0 means runtime.GOMAXPROCS(0)
	InOrder bool // deliver in the order of the names; at most Workers results wait
}

// A FileText is what ReadFiles read from a file.
type FileText struct {
	Name     string   // as it was given
	Text     []byte   // converted, lent until the callback returns; under Strict what stands before the error
	Class    Class    // of Text
	Encoding Encoding // of the file: From, or what a byte order mark chose
	Replaced int      // replacements written and sequences dropped
	Err      error    // of opening, reading or decoding; nil if all went well
}

// ReadFiles reads and converts many files at once, and calls fn with the index and the text of each. Calls of fn do not overlap, and
// happen in the goroutine of the caller. What goes wrong with a file is in FileText.Err; an error that fn returns stops all and is
// returned. When ctx is done no file is begun any more and a large one is not read on, and the error names one that was not read
// and wraps ctx.Err(). None is open when ReadFiles returns.
func ReadFiles(ctx context.Context, names []string, o FilesOptions, fn func(i int, f FileText) error) error {
	if err := o.check(); err != nil {
		return err
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(names))

	type result struct {
		i    int
		text FileText
		done chan struct{} // tells the worker that fn has returned
	}
	// Neither side waits for the other to take what it sends: a worker has one result at most.
	results := make(chan result, workers)
	stop := make(chan struct{})
	var reading sync.WaitGroup
	defer func() {
		close(stop)
		reading.Wait()
	}()
	var next atomic.Int64 // the next file to read
	for range workers {
		reading.Go(func() {
			done := make(chan struct{}, 1)
			var buf []byte
			for {
				i := int(next.Add(1) - 1)
				if i >= len(names) {
					return
				}
				r := result{i: i, done: done}
				if err := ctx.Err(); err != nil {
					r.text.Err = &notReadError{names[i], err}
				} else {
					r.text = o.readFile(ctx, buf[:0], names[i])
					buf = r.text.Text
				}
				results <- r
				select {
				case <-done:
				case <-stop:
					return
				}
			}
		})
	}

	waiting := make(map[int]result) // results before their turn
	for turn := 0; turn < len(names); {
		r, ok := waiting[turn]
		if !ok {
			r = <-results
			if o.InOrder && r.i != turn {
				waiting[r.i] = r
				continue
			}
		}
		delete(waiting, r.i)
		turn++
		if err, ok := r.text.Err.(*notReadError); ok {
			return err
		}
		if err := fn(r.i, r.text); err != nil {
			return err
		}
		r.done <- struct{}{}
	}
	return nil
}

// readFile appends the converted text of a file to buf, which is empty.
func (t Transcoder) readFile(ctx context.Context, buf []byte, name string) (f FileText) {
	f = FileText{Name: name, Text: buf, Encoding: t.From}
	l := loader{ctx: ctx, name: name, s: Stream{t: t, from: t.From}, classify: true}
	defer l.close()
	if f.Err = l.open(); f.Err != nil {
		return f
	}
	f.Text, f.Err = l.append(buf)
	f.Class = l.class
	f.Encoding = l.s.from
	f.Replaced = int(l.s.replaced)
	return f
}

// A File is an open file for reading, from Open. Each of its Readers keeps its own position in memory and never seeks, so
// that any number of them may read at once, each in one goroutine.
type File struct {
	f        *os.File
	size     int64
	seekable bool
	taken    atomic.Bool // the one Reader of a file that is not seekable has been given out
}

// Open opens a file for reading.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	file := &File{f: f, size: -1, seekable: info.Mode().IsRegular()}
	if file.seekable {
		file.size = info.Size()
	}
	return file, nil
}

// Size returns the size of the file when it was opened, in bytes, or -1 if it is not a regular file. Plan needs it.
func (f *File) Size() int64 { return f.size }

// ReadAt reads bytes of the file as io.ReaderAt says. Plan takes a File for this.
func (f *File) ReadAt(p []byte, off int64) (int, error) { return f.f.ReadAt(p, off) }

// Close closes the file. Its Readers fail from then on. Close it when its Readers are done.
func (f *File) Close() error { return f.f.Close() }

var errNotSeekable = errors.New("transcode: file without positions can be read once, from its start")

// NewReader returns a Reader of at most n bytes of the file from offset off, or of all that follow if n < 0. Offsets that
// it reports are the file's. At an offset above 0 a byte order mark is text. Of what has no positions, such as a pipe,
// there is one Reader, from 0; a second one, and a negative offset, are errors of the first read.
func (f *File) NewReader(t Transcoder, off, n int64) *Reader {
	if off < 0 {
		return t.failingReader(fmt.Errorf("transcode: negative offset %d", off))
	}
	if off > 0 {
		t.BOM = BOMKeep
	}
	end := int64(math.MaxInt64)
	if n >= 0 && n <= end-off {
		end = off + n
	}
	if f.seekable {
		r := t.newReaderAt(&section{r: f.f, off: off, end: end}, off)
		r.left = min(f.size, end) - off
		return r
	}
	if off > 0 || f.taken.Swap(true) {
		return t.failingReader(errNotSeekable)
	}
	if n < 0 {
		return t.NewReader(f.f)
	}
	return t.NewReader(io.LimitReader(f.f, n))
}

// A section reads r from off to end, or to where r ends before that.
type section struct {
	r        io.ReaderAt
	off, end int64
	whole    bool // it is an error if r ends before end
}

func (s *section) Read(p []byte) (int, error) {
	if s.off >= s.end {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), s.end-s.off)]
	n, err := s.r.ReadAt(p, s.off)
	s.off += int64(max(n, 0))
	switch {
	case s.off == s.end && (err == nil || err == io.EOF):
		return n, io.EOF
	case err == io.EOF && s.whole:
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}
