package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A fileOp is an operation on files. ways returns nil if the text does not suit. Our way is the first.
type fileOp struct {
	name   string
	sizes  []int
	ways   func(f *files, t namedText, n int) (size int, ways []way)
	floors int // how many of the last ways are not rivals, but what no way can do without
}

const (
	largeFile  = 64 << 20  // of lines
	streamFile = 256 << 20 // that is streamed
)

var (
	fileSizes = []int{64, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 512 << 10, 4 << 20, 32 << 20}
	fileTexts = `^(ascii|latin1|russian|mixed)$`
)

// files makes the files that are read, once each.
type files struct{ dir string }

// of returns the name of a file with about n bytes of t over and over, in the encoding e, and the size of the file. An error says that t has
// characters that e has not.
func (f *files) of(t namedText, n int, e transcode.Encoding) (name string, size int, err error) {
	name = filepath.Join(f.dir, fmt.Sprintf("%s-%d-%v", t.name, n, e))
	if info, err := os.Stat(name); err == nil {
		return name, int(info.Size()), nil
	}
	text, _ := cut(bytes.Repeat(t.utf8, n/len(t.utf8)+1), n)
	text, err = transcode.Append(nil, e, text, transcode.UTF8)
	if err != nil {
		return "", 0, err
	}
	if err = os.WriteFile(name, text, 0o600); err != nil {
		panic(err)
	}
	return name, len(text), nil
}

// lines returns the name of a file of lines of t, each as long as characters have room in length.
func (f *files) lines(t namedText, length int, e transcode.Encoding) (name string, size int, err error) {
	words := bytes.Join(bytes.Fields(t.utf8), []byte{' '})
	text := bytes.Repeat(words, 1+(64<<10)/len(words))
	var lines []byte
	for len(text) > length {
		line, _ := cut(text, length)
		lines = append(append(lines, line...), '\n')
		text = text[len(line):]
	}
	return f.of(namedText{fmt.Sprint(t.name, "-lines", length), lines}, largeFile, e)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var decoders = map[transcode.Encoding]encoding.Encoding{
	transcode.UTF8:    unicode.UTF8,
	transcode.Latin1:  charmap.ISO8859_1,
	transcode.UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	transcode.UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// stringOp reads a file of an encoding to a string of UTF-8.
func stringOp(e transcode.Encoding) fileOp {
	return fileOp{name: "ReadFileString from " + e.String(), sizes: fileSizes, ways: func(f *files, t namedText, n int) (int, []way) {
		name, size, err := f.of(t, n, e)
		if err != nil {
			return 0, nil
		}
		ways := []way{answer("ours", func() int {
			keptString = must(transcode.ReadFileString(name, e))
			return len(keptString)
		})}
		if e == transcode.UTF8 {
			ways = append(ways, answer("std", func() int {
				b := must(os.ReadFile(name))
				if !utf8.Valid(b) {
					panic("ill-formed")
				}
				keptString = string(b)
				return len(keptString)
			}))
		} else {
			ways = append(ways, answer("xtext", func() int {
				keptString = string(must(decoders[e].NewDecoder().Bytes(must(os.ReadFile(name)))))
				return len(keptString)
			}))
		}
		return size, ways
	}}
}

// keptText is what Text results escape to.
var keptText transcode.Text

// streamOp converts a large file to UTF-8 and drops it. The ways "read" and "convert" are what no reader can do without.
func streamOp(e transcode.Encoding) fileOp {
	return fileOp{name: "streaming from " + e.String(), sizes: []int{streamFile}, floors: 2, ways: func(f *files, t namedText, n int) (int, []way) {
		name, size, err := f.of(t, n, e)
		if err != nil {
			return 0, nil
		}
		in, out := make([]byte, 256<<10), make([]byte, 0, 512<<10)
		read := func(each func([]byte)) int {
			file := must(os.Open(name))
			defer file.Close()
			for {
				k, err := file.Read(in)
				if k > 0 {
					each(in[:k])
				}
				if err != nil {
					return size
				}
			}
		}
		first, _ := cut(bytes.Repeat(t.utf8, (256<<10)/len(t.utf8)+2), 128<<10)
		first, _ = transcode.Append(nil, e, first, transcode.UTF8)
		return size, []way{
			answer("ours", func() int {
				file := must(transcode.Open(name))
				defer file.Close()
				must(io.Copy(io.Discard, file.NewReader(transcode.Transcoder{From: e, OnError: transcode.Replace}, 0, -1)))
				return size
			}),
			answer("xtext", func() int {
				file := must(os.Open(name))
				defer file.Close()
				r := transform.NewReader(file, decoders[e].NewDecoder())
				for {
					if _, err := r.Read(in[:64<<10]); err != nil {
						return size
					}
				}
			}),
			answer("read", func() int { return read(func([]byte) {}) }),
			answer("convert", func() int {
				for range size / len(first) {
					if e == transcode.UTF8 {
						if !transcode.ValidUTF8(first) {
							panic("ill-formed")
						}
						continue
					}
					out = must(transcode.Append(out[:0], transcode.UTF8, first, e))
				}
				return size
			}),
		}
	}}
}

// lineOp reads a file line by line.
func lineOp(e transcode.Encoding) fileOp {
	return fileOp{name: "lines of " + e.String(), sizes: []int{8, 32, 100, 300, 1000}, ways: func(f *files, t namedText, n int) (int, []way) {
		if t.name != "ascii" && e != transcode.UTF8 {
			return 0, nil
		}
		name, size, err := f.lines(t, n, e)
		if err != nil {
			return 0, nil
		}
		scan := func(buffer int) func() int {
			return func() (count int) {
				file := must(os.Open(name))
				defer file.Close()
				var r io.Reader = file
				if e != transcode.UTF8 {
					r = transform.NewReader(file, decoders[e].NewDecoder())
				}
				s := bufio.NewScanner(r)
				if buffer > 0 {
					s.Buffer(make([]byte, buffer), buffer)
				}
				for s.Scan() {
					count += len(s.Bytes())
				}
				return count
			}
		}
		return size, []way{
			answer("ours", func() (count int) {
				file := must(transcode.Open(name))
				defer file.Close()
				for line, err := range file.NewReader(transcode.Transcoder{From: e}, 0, -1).Lines() {
					if err != nil {
						panic(err)
					}
					count += len(line.Text)
				}
				return count
			}),
			answer("scanner", scan(0)),
			answer("scanner-256KiB", scan(256<<10)),
		}
	}}
}

// recordReader gives records of ASCII of a length, so many bytes a read, out of a small memory.
type recordReader struct {
	letters []byte
	length  int // of a record, its LF included
	at      int // in the record
	most    int
	left    int
}

func (r *recordReader) Read(p []byte) (int, error) {
	n := min(len(p), r.most, r.left, r.length-r.at)
	if n == 0 {
		return 0, io.EOF
	}
	n = copy(p[:n], r.letters)
	r.left -= n
	if r.at += n; r.at == r.length {
		p[n-1], r.at = '\n', 0
	}
	return n, nil
}

// recordOp reads long records under reads of a size.
func recordOp(read int) fileOp {
	return fileOp{name: "records under reads of " + sizeName(read), floors: 1, sizes: []int{64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20}, ways: func(f *files, t namedText, n int) (int, []way) {
		if t.name != "ascii" {
			return 0, nil
		}
		source := &recordReader{letters: bytes.Repeat([]byte{'a'}, 64<<10), length: n, most: read}
		const total = 32 << 20
		r := transcode.NewReader(source, transcode.UTF8)
		memory := make([]byte, n)
		return total, []way{
			answer("ours", func() (count int) {
				source.at, source.left = 0, total
				r.Reset(source)
				for line, err := range r.Records('\n', 0, transcode.LongError) {
					if err != nil {
						panic(err)
					}
					count += len(line.Text)
				}
				return count
			}),
			answer("ReadBytes", func() (count int) {
				source.at, source.left = 0, total
				b := bufio.NewReaderSize(source, 64<<10)
				for {
					line, err := b.ReadBytes('\n')
					if err != nil {
						return count
					}
					count += len(line) - 1
				}
			}),
			answer("read", func() int { // into memory of a record's length
				source.at, source.left = 0, total
				for count := 0; count < total; {
					count += must(io.ReadFull(source, memory))
				}
				return total - total/n
			}),
		}
	}}
}

var fileOps = []fileOp{
	stringOp(transcode.UTF8), stringOp(transcode.Latin1), stringOp(transcode.UTF16LE),
	{name: "ReadFileText", sizes: fileSizes, ways: func(f *files, t namedText, n int) (int, []way) {
		name, size, err := f.of(t, n, transcode.UTF8)
		if err != nil {
			return 0, nil
		}
		return size, []way{
			answer("ours", func() int {
				text, _, err := transcode.ReadFileText(name, transcode.UTF8)
				keptText = must(text, err)
				return keptText.Len()
			}),
			answer("std", func() int {
				keptUnits = utf16.Encode([]rune(string(must(os.ReadFile(name)))))
				return len(keptUnits)
			}),
		}
	}},
	{name: "AppendFile", sizes: fileSizes, ways: func(f *files, t namedText, n int) (int, []way) {
		name, size, err := f.of(t, n, transcode.UTF8)
		if err != nil {
			return 0, nil
		}
		var buf []byte
		return size, []way{
			answer("ours", func() int {
				buf = must(transcode.AppendFile(buf[:0], name, transcode.UTF8))
				return len(buf)
			}),
			answer("os.ReadFile", func() int {
				keptBytes = must(os.ReadFile(name))
				return len(keptBytes)
			}),
		}
	}},
	streamOp(transcode.UTF8), streamOp(transcode.Latin1), streamOp(transcode.UTF16LE), streamOp(transcode.UTF16BE),
	lineOp(transcode.UTF8), lineOp(transcode.UTF16LE),
	recordOp(4 << 10), recordOp(64 << 10),
	{name: "reading at positions", sizes: []int{512, 4 << 10}, ways: func(f *files, t namedText, n int) (int, []way) {
		name, size, err := f.of(t, 4<<20, transcode.UTF8)
		if err != nil || t.name != "ascii" {
			return 0, nil
		}
		ours, std := must(transcode.Open(name)), must(os.Open(name)) // closed with the program
		p := make([]byte, n)
		at, next := int64(0), func(at int64) int64 { return (at*5 + 4099) % int64(size-n) }
		return n, []way{
			answer("ours", func() int { at = next(at); return must(ours.ReadAt(p, at)) }),
			answer("seek", func() int { at = next(at); must(std.Seek(at, io.SeekStart)); return must(std.Read(p)) }),
			answer("os.ReadAt", func() int { at = next(at); return must(std.ReadAt(p, at)) }),
		}
	}},
	{name: "1000 files by 64 goroutines", floors: 1, sizes: []int{1 << 10, 4 << 10, 64 << 10}, ways: func(f *files, t namedText, n int) (int, []way) {
		if t.name != "ascii" {
			return 0, nil
		}
		names := make([]string, 1000)
		for i := range names {
			name, _, err := f.of(namedText{fmt.Sprint("small", i), t.utf8}, n, transcode.UTF8)
			if err != nil {
				return 0, nil
			}
			names[i] = name
		}
		each := func(read func(buf []byte, name string) []byte) func() int {
			return func() int {
				var sum, at atomic.Int64
				var reading sync.WaitGroup
				for range 64 {
					reading.Go(func() {
						var buf []byte
						for i := at.Add(1) - 1; i < int64(len(names)); i = at.Add(1) - 1 {
							buf = read(buf, names[i])
							sum.Add(int64(len(buf)))
						}
					})
				}
				reading.Wait()
				return int(sum.Load())
			}
		}
		return n * len(names), []way{
			answer("ours", each(func(buf []byte, name string) []byte { return must(transcode.AppendFile(buf[:0], name, transcode.UTF8)) })),
			answer("os.ReadFile", each(func(_ []byte, name string) []byte { return must(os.ReadFile(name)) })),
			answer("ours.ReadFiles", func() (sum int) {
				err := transcode.ReadFiles(context.Background(), names, transcode.FilesOptions{Workers: 64}, func(_ int, f transcode.FileText) error {
					sum += len(f.Text)
					return f.Err
				})
				return must(sum, err)
			}),
		}
	}},
}

// agree compares what the ways count.
func agree(ways []way) error {
	for _, w := range ways[1:] {
		if got, want := w.call(), ways[0].call(); got != want {
			return fmt.Errorf("%s gives %d, ours %d", w.name, got, want)
		}
	}
	return nil
}

// runFiles measures every cell of the operations on files.
func runFiles(all []namedText, s settings) ([]cell, error) {
	dir, err := os.MkdirTemp("", "transcode-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	f := &files{dir: dir}
	var cells []cell
	for _, op := range fileOps {
		if !s.ops.MatchString(op.name) {
			continue
		}
		for _, text := range all {
			if !s.texts.MatchString(text.name) {
				continue
			}
			for _, n := range op.sizes {
				size, ways := op.ways(f, text, n)
				if ways == nil {
					continue
				}
				c := cell{op: op.name, text: text.name, size: n, bytes: size, floors: op.floors}
				if err := agree(ways); err != nil {
					return nil, fmt.Errorf("%s of %s, %d: %w", op.name, text.name, n, err)
				}
				for _, w := range ways {
					c.names, c.ns = append(c.names, w.name), append(c.ns, 1e18)
				}
				for range s.passes {
					measure(ways, s.rounds, c.ns)
				}
				cells = append(cells, c)
			}
		}
	}
	return cells, nil
}
