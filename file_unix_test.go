//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package transcode

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// newFIFO makes a named pipe through which the given text comes once.
func newFIFO(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip("no FIFO: ", err)
	}
	go func() {
		w, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		io.WriteString(w, text)
		w.Close()
	}()
	return name
}

func TestFileFIFO(t *testing.T) {
	name := newFIFO(t, "\xFE\xFF\x00a\x00b")
	f, err := Open(name)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, int64(-1), f.Size())
	_, err = f.NewReader(Transcoder{}, 1, -1).Next()
	require.ErrorContains(t, err, "transcode: ", "a pipe has no offset 1")
	r := f.NewReader(Transcoder{BOM: BOMOverride}, 0, -1)
	_, err = f.NewReader(Transcoder{}, 0, -1).Next()
	require.ErrorContains(t, err, "transcode: ", "a pipe has one reader")
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "ab", string(text))
	require.Equal(t, int64(6), r.InputOffset())
}

func TestFileFIFOPart(t *testing.T) {
	f, err := Open(newFIFO(t, "abcdef"))
	require.NoError(t, err)
	defer f.Close()
	text, err := io.ReadAll(f.NewReader(Transcoder{}, 0, 3))
	require.NoError(t, err)
	require.Equal(t, "abc", string(text))
}

func TestFileFunctionsOnFIFO(t *testing.T) {
	s, err := ReadFileString(newFIFO(t, "é"), UTF8)
	require.NoError(t, err)
	require.Equal(t, "é", s)
	text, _, err := ReadFileText(newFIFO(t, strings.Repeat("é", 100000)), UTF8)
	require.NoError(t, err)
	require.Equal(t, 100000, text.Len())
	name := newFIFO(t, "ab\xFF")
	_, err = ReadFileString(name, UTF8)
	requireDecodeError(t, err, name, &Error{Offset: 2, Len: 1, Kind: KindBadLead})
}

func TestFileFolder(t *testing.T) {
	folder := t.TempDir()
	_, err := ReadFileString(folder, UTF8)
	requirePathError(t, err, "read", folder, syscall.EISDIR)
	f, err := Open(folder)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, int64(-1), f.Size())
	_, err = f.NewReader(Transcoder{}, 0, -1).Next()
	require.ErrorIs(t, err, syscall.EISDIR)
}

func TestFilePermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	name := writeFile(t, "secret", []byte("a"))
	require.NoError(t, os.Chmod(name, 0))
	_, err := ReadFileString(name, UTF8)
	requirePathError(t, err, "open", name, fs.ErrPermission)
	_, err = Open(name)
	requirePathError(t, err, "open", name, fs.ErrPermission)
}

// Files of procfs say that they have no size.
func TestFileWithoutSize(t *testing.T) {
	const name = "/proc/self/status"
	info, err := os.Stat(name)
	if err != nil || info.Size() != 0 {
		t.Skip("no procfs")
	}
	s, err := ReadFileString(name, UTF8)
	require.NoError(t, err)
	require.Contains(t, s, "Pid:")
	text, _, err := ReadFileText(name, UTF8)
	require.NoError(t, err)
	require.Contains(t, text.String(), "Pid:")
	b, err := AppendFile(nil, name, UTF8)
	require.NoError(t, err)
	require.Contains(t, string(b), "Pid:")
	f, err := Open(name)
	require.NoError(t, err)
	defer f.Close()
	for range 2 {
		b, err = io.ReadAll(f.NewReader(Transcoder{}, 0, -1))
		require.NoError(t, err)
		require.Contains(t, string(b), "Pid:")
	}
}

// No file stays open, on whatever path.
func TestFilesAreClosed(t *testing.T) {
	const table = "/proc/self/fd"
	if runtime.GOOS != "linux" {
		t.Skip("no ", table)
	}
	open := func() int {
		entries, err := os.ReadDir(table)
		require.NoError(t, err)
		return len(entries)
	}
	names, _ := manyFiles(t, 20)
	bad := writeFile(t, "bad", []byte("a\xFF"))
	names = append(names, bad, t.TempDir(), filepath.Join(t.TempDir(), "missing"))
	before := open()
	for range 5 {
		ReadFileString(bad, UTF8)
		ReadFileText(bad, UTF8)
		AppendFile(nil, bad, UTF8)
		ReadFileString(t.TempDir(), UTF8)
		if f, err := Open(bad); err == nil {
			f.NewReader(Transcoder{}, 0, -1).Next()
			f.Close()
		}
		for _, workers := range []int{1, 5} {
			calls := 0
			ReadFiles(context.Background(), names, FilesOptions{Workers: workers}, func(i int, f FileText) error { return nil })
			ReadFiles(context.Background(), names, FilesOptions{Workers: workers}, func(i int, f FileText) error {
				if calls++; calls == 3 {
					return errors.New("enough")
				}
				return nil
			})
		}
	}
	require.Equal(t, before, open(), "at once, since ReadFiles waits for what is being read")
}
