package tests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// writeFile writes a file in a folder of the test and returns its name.
func writeFile(tb testing.TB, name string, text []byte) string {
	tb.Helper()
	name = filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(name, text, 0o600))
	return name
}

// requireDecodeError requires that err is about the text of a file.
func requireDecodeError(tb testing.TB, err error, name string, want error) {
	tb.Helper()
	var path *fs.PathError
	require.ErrorAs(tb, err, &path)
	require.Equal(tb, "decode", path.Op)
	require.Equal(tb, name, path.Path)
	var e *transcode.Error
	require.ErrorAs(tb, err, &e)
	require.Equal(tb, want, e)
	require.ErrorIs(tb, err, transcode.ErrInvalid)
}

func TestFileFunctions(t *testing.T) {
	for _, e := range check.Encodings {
		for _, src := range [][]byte{nil, texts.Encoded(e, "a"), texts.Encoded(e, "plain\r\ntext"), slices.Concat(oracle.BOM(e), texts.Encoded(e, "b")), oracle.BOM(e), texts.Torture(e)} {
			name := writeFile(t, "text", src)
			for _, from := range []transcode.Encoding{e, transcode.Latin1} {
				strict := check.Expect(t, transcode.Transcoder{From: from, BOM: transcode.BOMOverride}, src)
				s, err := transcode.ReadFileString(name, from)
				b, appendErr := transcode.AppendFile([]byte("x"), name, from)
				require.Equal(t, "x"+string(strict.Text), string(b))
				if strict.Err != nil {
					require.Empty(t, s)
					requireDecodeError(t, err, name, strict.Err)
					requireDecodeError(t, appendErr, name, strict.Err)
				} else {
					require.NoError(t, err)
					require.NoError(t, appendErr)
					require.Equal(t, string(strict.Text), s)
				}

				text, replaced, err := transcode.ReadFileText(name, from)
				x := check.Expect(t, transcode.Transcoder{From: from, OnError: transcode.Replace, BOM: transcode.BOMOverride}, src)
				require.NoError(t, err)
				require.Equal(t, string(x.Text), text.String())
				require.Equal(t, x.Replaced, replaced)
				want, _ := transcode.Decode(x.Text)
				require.Equal(t, want, text)
			}
			// The methods do what their Transcoder says.
			for _, tr := range []transcode.Transcoder{{From: e, To: transcode.UTF16LE, OnError: transcode.Skip, AddBOM: true}, {From: e, To: transcode.ASCII, OnError: transcode.Replace, BOM: transcode.BOMStrip}} {
				x := check.Expect(t, tr, src)
				s, err := tr.ReadFile(name)
				require.NoError(t, err)
				require.Equal(t, string(x.Text), s)
				b, err := tr.AppendFile([]byte{1, 2}, name)
				require.NoError(t, err)
				require.Equal(t, append([]byte{1, 2}, x.Text...), b)
			}
		}
	}
}

// Errors of the system come as package os gives them.
func TestFileFunctionsWithoutAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "missing")
	_, _, err := transcode.ReadFileText(name, transcode.UTF8)
	requirePathError(t, err, "open", name, fs.ErrNotExist)
	_, err = transcode.ReadFileString(name, transcode.UTF8)
	requirePathError(t, err, "open", name, fs.ErrNotExist)
	b, err := transcode.AppendFile([]byte("x"), name, transcode.UTF8)
	requirePathError(t, err, "open", name, fs.ErrNotExist)
	require.Equal(t, "x", string(b))
	_, err = transcode.Open(name)
	requirePathError(t, err, "open", name, fs.ErrNotExist)

	_, err = transcode.ReadFileString(t.TempDir(), transcode.UTF8)
	var path *fs.PathError
	require.ErrorAs(t, err, &path, "a folder")
	require.NotEqual(t, "decode", path.Op)
}

func requirePathError(tb testing.TB, err error, op, name string, is error) {
	tb.Helper()
	var path *fs.PathError
	require.ErrorAs(tb, err, &path)
	require.Equal(tb, op, path.Op)
	require.Equal(tb, name, path.Path)
	if is != nil {
		require.ErrorIs(tb, err, is)
	}
}

func TestFileFunctionsUnknownEncoding(t *testing.T) {
	name := writeFile(t, "text", []byte("abc"))
	_, _, err := transcode.ReadFileText(name, 9)
	require.ErrorContains(t, err, "unknown encoding 9")
	_, err = transcode.ReadFileString(name, 9)
	require.ErrorContains(t, err, "unknown encoding 9")
	_, err = transcode.AppendFile(nil, name, 9)
	require.ErrorContains(t, err, "unknown encoding 9")
	err = transcode.ReadFiles(context.Background(), []string{name}, transcode.FilesOptions{Transcoder: transcode.Transcoder{From: 9}}, func(int, transcode.FileText) error { return nil })
	require.ErrorContains(t, err, "unknown encoding 9")
}

// manyFiles writes n small files in several encodings and returns their names and texts.
func manyFiles(tb testing.TB, n int) (names, contents []string) {
	folder := tb.TempDir()
	for i := range n {
		e := []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE}[i%5]
		text := strings.Repeat(fmt.Sprintf("file %d, é€😀\n", i), 1+i%7*100)
		name := filepath.Join(folder, fmt.Sprint(i))
		require.NoError(tb, os.WriteFile(name, append(oracle.BOM(e), texts.Encoded(e, text)...), 0o600))
		names, contents = append(names, name), append(contents, text)
	}
	return names, contents
}

// requireNoneLeft requires that no goroutine stays behind a function that has returned.
func requireNoneLeft(tb testing.TB, before int) {
	tb.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	tb.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func TestReadFiles(t *testing.T) {
	names, texts := manyFiles(t, 40)
	before := runtime.NumGoroutine()
	for _, workers := range []int{-1, 0, 1, 2, 7, 100} {
		for _, inOrder := range []bool{false, true} {
			var running atomic.Int32
			var got []int // without a lock: calls do not overlap
			o := transcode.FilesOptions{Transcoder: transcode.Transcoder{BOM: transcode.BOMOverride}, Workers: workers, InOrder: inOrder}
			err := transcode.ReadFiles(context.Background(), names, o, func(i int, f transcode.FileText) error {
				if running.Add(1) != 1 {
					t.Error("calls overlap")
				}
				defer running.Add(-1)
				got = append(got, i)
				runtime.Gosched() // lets the workers go on while the text is lent
				require.NoError(t, f.Err)
				require.Equal(t, names[i], f.Name)
				require.Equal(t, texts[i], string(f.Text))
				require.Equal(t, transcode.ClassSupplementary, f.Class)
				require.Equal(t, []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE}[i%5], f.Encoding)
				require.Zero(t, f.Replaced)
				return nil
			})
			require.NoError(t, err)
			if !inOrder {
				slices.Sort(got)
			}
			want := make([]int, len(names))
			for i := range want {
				want[i] = i
			}
			require.Equal(t, want, got)
		}
	}
	requireNoneLeft(t, before)
	require.NoError(t, transcode.ReadFiles(context.Background(), nil, transcode.FilesOptions{}, nil))
}

// What is wrong with a file is in its Err, and the others come all the same.
func TestReadFilesErrors(t *testing.T) {
	folder := t.TempDir()
	var names []string
	for i, text := range []string{"good é", "ab\xFFc", "", "\xFE\xFF\x00a\xD8\x00", "last"} {
		names = append(names, filepath.Join(folder, fmt.Sprint(i)))
		require.NoError(t, os.WriteFile(names[i], []byte(text), 0o600))
	}
	names = slices.Insert(names, 2, filepath.Join(folder, "missing"))
	for _, workers := range []int{1, 3} {
		var got []transcode.FileText
		collect := func(i int, f transcode.FileText) error {
			f.Text = bytes.Clone(f.Text)
			got = append(got, f)
			return nil
		}
		o := transcode.FilesOptions{Transcoder: transcode.Transcoder{BOM: transcode.BOMOverride}, Workers: workers, InOrder: true}
		require.NoError(t, transcode.ReadFiles(context.Background(), names, o, collect))
		require.Len(t, got, 6)
		require.Equal(t, "good é", string(got[0].Text))
		require.Equal(t, transcode.ClassLatin1, got[0].Class)
		require.Equal(t, "ab", string(got[1].Text), "what stands before the error")
		requireDecodeError(t, got[1].Err, names[1], &transcode.Error{Offset: 2, Len: 1, Kind: transcode.KindBadLead})
		requirePathError(t, got[2].Err, "open", names[2], fs.ErrNotExist)
		require.Empty(t, got[2].Text)
		require.NoError(t, got[3].Err)
		require.Empty(t, got[3].Text)
		require.Equal(t, transcode.ClassASCII, got[3].Class)
		requireDecodeError(t, got[4].Err, names[4], &transcode.Error{Encoding: transcode.UTF16BE, Offset: 4, Len: 2, Kind: transcode.KindTruncated})
		require.Equal(t, transcode.UTF16BE, got[4].Encoding)
		require.Equal(t, "last", string(got[5].Text))

		got = nil
		o.OnError = transcode.Replace
		require.NoError(t, transcode.ReadFiles(context.Background(), names, o, collect))
		require.Equal(t, "ab\uFFFDc", string(got[1].Text))
		require.Equal(t, 1, got[1].Replaced)
		require.Equal(t, transcode.ClassBMP, got[1].Class)
		require.NoError(t, got[1].Err)
	}
}

// An error of the callback stops all and is returned as it is.
func TestReadFilesCallbackError(t *testing.T) {
	names, _ := manyFiles(t, 30)
	before := runtime.NumGoroutine()
	stop := errors.New("stop")
	for _, workers := range []int{1, 4, 50} {
		for _, inOrder := range []bool{false, true} {
			calls := 0
			err := transcode.ReadFiles(context.Background(), names, transcode.FilesOptions{Workers: workers, InOrder: inOrder}, func(i int, f transcode.FileText) error {
				if calls++; calls == 5 {
					return stop
				}
				return nil
			})
			require.Equal(t, stop, err)
			require.Equal(t, 5, calls)
		}
	}
	require.Panics(t, func() {
		transcode.ReadFiles(context.Background(), names, transcode.FilesOptions{Workers: 3}, func(i int, f transcode.FileText) error { panic("in the callback") })
	})
	requireNoneLeft(t, before)
}

func TestReadFilesContext(t *testing.T) {
	names, _ := manyFiles(t, 30)
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 4} {
		for _, inOrder := range []bool{false, true} {
			o := transcode.FilesOptions{Transcoder: transcode.Transcoder{BOM: transcode.BOMOverride}, Workers: workers, InOrder: inOrder}
			// Before anything.
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			err := transcode.ReadFiles(ctx, names, o, func(i int, f transcode.FileText) error {
				t.Error("called although nothing was read")
				return nil
			})
			require.ErrorIs(t, err, context.Canceled)
			if inOrder || workers == 1 {
				require.ErrorContains(t, err, names[0])
			}

			// In the middle: what has been begun may still come, no more.
			ctx, cancel = context.WithCancel(context.Background())
			calls := 0
			err = transcode.ReadFiles(ctx, names, o, func(i int, f transcode.FileText) error {
				require.NoError(t, f.Err)
				if calls++; calls == 3 {
					cancel()
				}
				return nil
			})
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorContains(t, err, filepath.Dir(names[0]), "it names a file")
			require.LessOrEqual(t, calls, 3+workers)
			if workers == 1 {
				require.Equal(t, 3, calls)
				require.ErrorContains(t, err, names[3])
			}
		}
	}
	// When it is too late to matter.
	ctx, cancel := context.WithCancel(context.Background())
	err := transcode.ReadFiles(ctx, names[:1], transcode.FilesOptions{}, func(i int, f transcode.FileText) error {
		cancel()
		return nil
	})
	require.NoError(t, err)
	deadline, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	err = transcode.ReadFiles(deadline, names, transcode.FilesOptions{}, func(i int, f transcode.FileText) error { return nil })
	require.ErrorIs(t, err, context.DeadlineExceeded)
	requireNoneLeft(t, before)
}

// openFile opens a file with the given text.
func openFile(t *testing.T, text []byte) *transcode.File {
	t.Helper()
	f, err := transcode.Open(writeFile(t, "text", text))
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// Every part of a file, with the offsets of the file.
func TestFileParts(t *testing.T) {
	for _, src := range [][]byte{[]byte("\xEF\xBB\xBFaé\xFF\n€"), []byte("\xFF\xFEa\x00\x00\xD8b\x00"), []byte("a\xEF\xBB\xBFb\xFF\xFE"), []byte("a"), {}} {
		f := openFile(t, src)
		require.Equal(t, int64(len(src)), f.Size())
		for off := range len(src) + 3 {
			for n := -1; n < len(src)+3; n++ {
				part := src[min(off, len(src)):]
				if n >= 0 {
					part = part[:min(n, len(part))]
				}
				for _, tr := range []transcode.Transcoder{{BOM: transcode.BOMOverride}, {BOM: transcode.BOMOverride, OnError: transcode.Replace}, {From: transcode.Latin1, To: transcode.UTF16BE, BOM: transcode.BOMOverride}} {
					alone := tr
					if off > 0 {
						alone.BOM = transcode.BOMKeep
					}
					x := check.Expect(t, alone, part).Shifted(off)
					for _, way := range check.ReadRoutes {
						if way.UTF8 && tr.To != transcode.UTF8 {
							continue
						}
						require.NoError(t, way.Read(f.NewReader(tr, int64(off), int64(n)), x, io.EOF), "% x from %d, %d bytes, %+v, %s", src, off, n, tr, way.Name)
					}
				}
			}
		}
	}
}

func TestFileArguments(t *testing.T) {
	f := openFile(t, []byte("abcdef"))
	for _, c := range []struct {
		off, n int64
		want   string
	}{{0, math.MaxInt64, "abcdef"}, {2, math.MaxInt64, "cdef"}, {5, math.MinInt64, "f"}, {math.MaxInt64, 1, ""}, {math.MaxInt64, math.MaxInt64, ""}, {3, 0, ""}} {
		text, err := io.ReadAll(f.NewReader(transcode.Transcoder{}, c.off, c.n))
		require.NoError(t, err)
		require.Equal(t, c.want, string(text))
	}
	_, err := f.NewReader(transcode.Transcoder{}, -1, 1).Next()
	require.ErrorContains(t, err, "transcode: ")
	_, err = f.NewReader(transcode.Transcoder{To: 9}, 0, 1).Next()
	require.ErrorContains(t, err, "unknown encoding 9")
	// A Reader that failed from the start may be reset, and still knows its configuration.
	r := f.NewReader(transcode.Transcoder{From: transcode.Latin1}, -1, 1)
	for _, err := range r.Lines() {
		require.ErrorContains(t, err, "negative offset")
	}
	r.Reset(strings.NewReader("\xE9"))
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "é", string(text))

	p := make([]byte, 4)
	n, err := f.ReadAt(p, 1)
	require.NoError(t, err)
	require.Equal(t, "bcde", string(p[:n]))
	n, err = f.ReadAt(p, 4)
	require.Equal(t, io.EOF, err)
	require.Equal(t, "ef", string(p[:n]))
}

// The Readers of a File do not disturb each other.
func TestFileReadersApart(t *testing.T) {
	src := longText(transcode.UTF16LE, 60<<10, 4)
	f := openFile(t, src)
	tr := transcode.Transcoder{From: transcode.UTF16LE, OnError: transcode.Replace}
	half := len(src) / 4 * 2
	whole, second := check.Expect(t, tr, src), check.Expect(t, tr, src[half:]).Shifted(half)

	// In turn.
	a, b := f.NewReader(tr, 0, -1), f.NewReader(tr, int64(half), -1)
	k, l := 0, 0
	for {
		c, errA := a.Next()
		if errA == nil {
			var err error
			k, err = whole.CheckChunk(c, k)
			require.NoError(t, err)
		}
		d, errB := b.Next()
		if errB == nil {
			var err error
			l, err = second.CheckChunk(d, l)
			require.NoError(t, err)
		}
		if errA != nil && errB != nil {
			break
		}
	}
	require.NoError(t, whole.CheckEnd(a, k, io.EOF, io.EOF))
	require.NoError(t, second.CheckEnd(b, l, io.EOF, io.EOF))

	// At once.
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			off, x := 0, whole
			if i%2 == 1 {
				off, x = half, second
			}
			if err := check.ReadNext(f.NewReader(tr, int64(off), -1), x, io.EOF); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
}

// A Reader goes on to where the file ends when it is read.
func TestFileGrowsAndShrinks(t *testing.T) {
	name := writeFile(t, "text", []byte("abc"))
	f, err := transcode.Open(name)
	require.NoError(t, err)
	defer f.Close()
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("def")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	text, err := io.ReadAll(f.NewReader(transcode.Transcoder{}, 0, -1))
	require.NoError(t, err)
	require.Equal(t, "abcdef", string(text))
	require.Equal(t, int64(3), f.Size(), "the size when it was opened")

	require.NoError(t, os.Truncate(name, 1))
	text, err = io.ReadAll(f.NewReader(transcode.Transcoder{}, 0, 3))
	require.NoError(t, err)
	require.Equal(t, "a", string(text))
}

func TestFileClosed(t *testing.T) {
	f, err := transcode.Open(writeFile(t, "text", []byte("abc")))
	require.NoError(t, err)
	r := f.NewReader(transcode.Transcoder{}, 0, -1)
	require.NoError(t, f.Close())
	_, err = r.Next()
	require.ErrorIs(t, err, fs.ErrClosed)
	require.Error(t, f.Close())
}
