//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package tests

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

	"github.com/seed-1959eab6/transcode"
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
	f, err := transcode.Open(name)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, int64(-1), f.Size())
	_, err = f.NewReader(transcode.Transcoder{}, 1, -1).Next()
	require.ErrorContains(t, err, "transcode: ", "a pipe has no offset 1")
	r := f.NewReader(transcode.Transcoder{BOM: transcode.BOMOverride}, 0, -1)
	_, err = f.NewReader(transcode.Transcoder{}, 0, -1).Next()
	require.ErrorContains(t, err, "transcode: ", "a pipe has one reader")
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "ab", string(text))
	require.Equal(t, int64(6), r.InputOffset())
}

func TestFileFIFOPart(t *testing.T) {
	f, err := transcode.Open(newFIFO(t, "abcdef"))
	require.NoError(t, err)
	defer f.Close()
	text, err := io.ReadAll(f.NewReader(transcode.Transcoder{}, 0, 3))
	require.NoError(t, err)
	require.Equal(t, "abc", string(text))
}

func TestFileFunctionsOnFIFO(t *testing.T) {
	s, err := transcode.ReadFileString(newFIFO(t, "é"), transcode.UTF8)
	require.NoError(t, err)
	require.Equal(t, "é", s)
	text, _, err := transcode.ReadFileText(newFIFO(t, strings.Repeat("é", 100000)), transcode.UTF8)
	require.NoError(t, err)
	require.Equal(t, 100000, text.Len())
	name := newFIFO(t, "ab\xFF")
	_, err = transcode.ReadFileString(name, transcode.UTF8)
	requireDecodeError(t, err, name, &transcode.Error{Offset: 2, Len: 1, Kind: transcode.KindBadLead})
}

func TestFileFolder(t *testing.T) {
	folder := t.TempDir()
	_, err := transcode.ReadFileString(folder, transcode.UTF8)
	requirePathError(t, err, "read", folder, syscall.EISDIR)
	f, err := transcode.Open(folder)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, int64(-1), f.Size())
	_, err = f.NewReader(transcode.Transcoder{}, 0, -1).Next()
	require.ErrorIs(t, err, syscall.EISDIR)
}

func TestFilePermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	name := writeFile(t, "secret", []byte("a"))
	require.NoError(t, os.Chmod(name, 0))
	_, err := transcode.ReadFileString(name, transcode.UTF8)
	requirePathError(t, err, "open", name, fs.ErrPermission)
	_, err = transcode.Open(name)
	requirePathError(t, err, "open", name, fs.ErrPermission)
}

// Files of procfs say that they have no size.
func TestFileWithoutSize(t *testing.T) {
	const name = "/proc/self/status"
	info, err := os.Stat(name)
	if err != nil || info.Size() != 0 {
		t.Skip("no procfs")
	}
	s, err := transcode.ReadFileString(name, transcode.UTF8)
	require.NoError(t, err)
	require.Contains(t, s, "Pid:")
	text, _, err := transcode.ReadFileText(name, transcode.UTF8)
	require.NoError(t, err)
	require.Contains(t, text.String(), "Pid:")
	b, err := transcode.AppendFile(nil, name, transcode.UTF8)
	require.NoError(t, err)
	require.Contains(t, string(b), "Pid:")
	f, err := transcode.Open(name)
	require.NoError(t, err)
	defer f.Close()
	for range 2 {
		b, err = io.ReadAll(f.NewReader(transcode.Transcoder{}, 0, -1))
		require.NoError(t, err)
		require.Contains(t, string(b), "Pid:")
	}
}

// Files of sysfs say that they have 4096 bytes, and have fewer.
func TestFileShorterThanItsSize(t *testing.T) {
	for _, name := range []string{"/sys/kernel/mm/transparent_hugepage/enabled", "/sys/kernel/uevent_seqnum", "/sys/power/state"} {
		want, err := os.ReadFile(name)
		if err != nil || len(want) == 0 {
			continue
		}
		s, err := transcode.ReadFileString(name, transcode.UTF8)
		require.NoError(t, err)
		require.Equal(t, string(want), s)
		b, err := transcode.AppendFile(nil, name, transcode.UTF8)
		require.NoError(t, err)
		require.Equal(t, string(want), string(b))
		require.LessOrEqual(t, cap(b), len(b)*5/4)
		text, _, err := transcode.ReadFileText(name, transcode.UTF8)
		require.NoError(t, err)
		require.Equal(t, string(want), text.String())
		return
	}
	t.Skip("no sysfs")
}

// A pipe gives less than a read asks for, in the middle of a text and of a character, and tells no size.
func TestFileFIFOInPieces(t *testing.T) {
	want := strings.Repeat("日本語 text\n", 60_000)
	for _, task := range []func(name string) string{
		func(name string) string {
			s, err := transcode.ReadFileString(name, transcode.UTF8)
			require.NoError(t, err)
			return s
		},
		func(name string) string {
			text, _, err := transcode.ReadFileText(name, transcode.UTF8)
			require.NoError(t, err)
			return text.String()
		},
		func(name string) string {
			f, err := transcode.Open(name)
			require.NoError(t, err)
			defer f.Close()
			b, err := io.ReadAll(f.NewReader(transcode.Transcoder{}, 0, -1))
			require.NoError(t, err)
			return string(b)
		},
	} {
		name := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip("no FIFO: ", err)
		}
		go func() {
			w, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return
			}
			defer w.Close()
			for rest, n := want, 1; rest != ""; n = n*7%9973 + 1 {
				n = min(n, len(rest))
				w.WriteString(rest[:n])
				rest = rest[n:]
			}
		}()
		require.True(t, want == task(name))
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
	large := writeFile(t, "large", append(make([]byte, 1<<20), 0xFF))
	pipe := func() string { return newFIFO(t, "a\xFF") }
	names = append(names, bad, large, t.TempDir(), filepath.Join(t.TempDir(), "missing"))
	before := open()
	for range 5 {
		transcode.ReadFileString(bad, transcode.UTF8)
		transcode.ReadFileText(bad, transcode.UTF8)
		transcode.AppendFile(nil, bad, transcode.UTF8)
		transcode.ReadFileString(t.TempDir(), transcode.UTF8)
		if f, err := transcode.Open(bad); err == nil {
			f.NewReader(transcode.Transcoder{}, 0, -1).Next()
			f.Close()
		}
		for _, name := range []func() string{func() string { return large }, pipe} {
			transcode.ReadFileString(name(), transcode.UTF8)
			transcode.ReadFileText(name(), transcode.UTF8)
			transcode.AppendFile(nil, name(), transcode.UTF16LE)
		}
		if f, err := transcode.Open(large); err == nil {
			for range f.NewReader(transcode.Transcoder{}, 0, -1).Chunks() {
				break
			}
			f.Close()
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		transcode.ReadFiles(ended, names, transcode.FilesOptions{}, func(i int, f transcode.FileText) error { return nil })
		func() {
			defer func() { recover() }()
			transcode.ReadFiles(context.Background(), names, transcode.FilesOptions{}, func(i int, f transcode.FileText) error { panic("in the callback") })
		}()
		for _, workers := range []int{1, 5} {
			calls := 0
			transcode.ReadFiles(context.Background(), names, transcode.FilesOptions{Workers: workers}, func(i int, f transcode.FileText) error { return nil })
			transcode.ReadFiles(context.Background(), names, transcode.FilesOptions{Workers: workers}, func(i int, f transcode.FileText) error {
				if calls++; calls == 3 {
					return errors.New("enough")
				}
				return nil
			})
		}
	}
	require.Equal(t, before, open(), "at once, since ReadFiles waits for what is being read")
}
