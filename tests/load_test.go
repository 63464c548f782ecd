package tests

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/race"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// Lengths in bytes about which files are read in another way: in a piece or in several, by way of a buffer or not.
var pieceEnds = []int{64 << 10, 64<<10 + 8, 256 << 10, 320<<10 + 8, 512 << 10, 512<<10 + 8, 768<<10 + 8}

// goodText returns n bytes of text in order, in the encoding e, the last character perhaps cut.
func goodText(e transcode.Encoding, line string, n int) []byte {
	b := texts.Encoded(e, line)
	return slices.Repeat(b, n/len(b)+1)[:n]
}

// requireFile requires that every function gives for a file what decoding at once gives.
func requireFile(t *testing.T, name string, src []byte, e transcode.Encoding, buf []byte) {
	t.Helper()
	for _, tr := range []transcode.Transcoder{
		{From: e, BOM: transcode.BOMOverride},
		{From: e, OnError: transcode.Replace, BOM: transcode.BOMOverride},
		{From: e, To: e, OnError: transcode.Skip, AddBOM: true},
		{From: e, To: transcode.UTF16BE, OnError: transcode.ReplaceBytes},
	} {
		want, wantErr := tr.Append(nil, src)
		s, err := tr.ReadFile(name)
		grown, grownErr := tr.AppendFile(nil, name)
		reused, reusedErr := tr.AppendFile(append(buf[:0], 'x'), name)
		if wantErr != nil {
			requireDecodeError(t, err, name, wantErr)
			requireDecodeError(t, grownErr, name, wantErr)
			requireDecodeError(t, reusedErr, name, wantErr)
			require.Empty(t, s)
		} else {
			require.NoError(t, err)
			require.NoError(t, grownErr)
			require.NoError(t, reusedErr)
			require.True(t, string(want) == s, "%+v", tr)
		}
		require.True(t, slices.Equal(want, grown), "%+v", tr)
		require.True(t, slices.Equal(append([]byte{'x'}, want...), reused), "%+v, room for %d", tr, cap(buf))
		require.LessOrEqual(t, cap(grown), len(grown)*5/4)

		require.NoError(t, transcode.ReadFiles(context.Background(), []string{name}, transcode.FilesOptions{Transcoder: tr}, func(_ int, f transcode.FileText) error {
			r := tr.NewReader(bytes.NewReader(src))
			io.Copy(io.Discard, r) // its error is wantErr
			utf8, err := transcode.Append(nil, transcode.UTF8, want, tr.To)
			require.NoError(t, err)
			require.True(t, slices.Equal(want, f.Text))
			require.Equal(t, transcode.Classify(utf8), f.Class, "%+v", tr)
			require.Equal(t, r.Class(), f.Class, "%+v", tr)
			require.Equal(t, r.Replaced(), int64(f.Replaced))
			require.Equal(t, r.Encoding(), f.Encoding)
			return nil
		}))
	}
	replacing := transcode.Transcoder{From: e, OnError: transcode.Replace, BOM: transcode.BOMOverride}
	want, wantReplaced, err := replacing.Text(src)
	require.NoError(t, err)
	text, replaced, err := transcode.ReadFileText(name, e)
	require.NoError(t, err)
	require.True(t, want == text, "%v of class %v, want %v", e, text.Class(), want.Class())
	require.Equal(t, wantReplaced, replaced)
}

// Files of every length about the ends of pieces, and characters and faults across these.
func TestFilePieces(t *testing.T) {
	cases := 0
	for _, e := range check.Encodings {
		anywhere, _ := texts.Faults(e)
		for _, line := range []string{"plain ASCII\n", "\u00E9t\u00E9 \u00FC", "日本語 and é", "a😀"} {
			if texts.Encoded(e, line) == nil {
				continue
			}
			for _, end := range pieceEnds {
				for i, n := range []int{end - 1, end, end + 1, end + 2, end + 7} {
					if cases++; cases%texts.Thin(2, 11) > 0 {
						continue
					}
					src := goodText(e, line, n)
					if len(anywhere) > 0 && i > 1 { // a fault right before the end, at it, or a little behind
						fault := anywhere[(cases+i)%len(anywhere)]
						copy(src[(n-8+i)/4*4:], fault)
					}
					if i == 3 && oracle.BOM(e) != nil {
						copy(src, oracle.BOM(e))
					}
					name := writeFile(t, "text", src)
					requireFile(t, name, src, e, make([]byte, 0, []int{0, 100, end, 2 * end, 64<<10 + 1}[i]))
					require.NoError(t, os.Remove(name))
				}
			}
		}
	}
}

// A text that turns out late to need more: non-ASCII, wide and ill-formed, each in another piece.
func TestFileTurns(t *testing.T) {
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.Latin1} {
		ascii := strings.Repeat("plain ASCII text\n", 20<<10)
		for _, turns := range [][]string{{"é"}, {"é", "€"}, {"€"}, {"é", "", "😀"}, {"\uFFFD"}, {"", "", "", "é"}, {"é", "é", "é", "日"}} {
			src := texts.Encoded(e, ascii)
			for _, turn := range turns {
				more := texts.Encoded(e, strings.Repeat(turn, 100_000)+ascii)
				if more == nil {
					src = nil
					break
				}
				src = append(src, more...)
			}
			if src != nil {
				requireFile(t, writeFile(t, "text", src), src, e, nil)
			}
		}
	}
}

// A byte order mark of another encoding than that of the file's name, before texts of one piece and of several.
func TestFileBOMOverrides(t *testing.T) {
	for _, e := range check.Encodings {
		if oracle.BOM(e) == nil {
			continue
		}
		for _, n := range []int{10, 70 << 10, 600 << 10} {
			src := slices.Concat(oracle.BOM(e), goodText(e, "a 日本語 text\n", n))
			name := writeFile(t, "text", src)
			for _, from := range check.Encodings {
				requireFile(t, name, src, from, make([]byte, 0, 80<<10))
			}
		}
	}
}

// A result keeps at most a quarter more memory than its length, whatever was thought of it before it was decoded.
func TestFileResultsKeepLittle(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector takes memory of its own")
	}
	heap := func() int {
		var m runtime.MemStats
		for range 3 { // pools empty in two steps
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for name, src := range map[string]string{
		"counted as pairs":      strings.Repeat("\xF5", 2<<20),
		"counted as nothing":    strings.Repeat("\x80", 2<<20),
		"ASCII before accents":  strings.Repeat("a", 100<<10) + strings.Repeat("é", 1<<20),
		"accents":               strings.Repeat("é", 1<<20),
		"accents before others": strings.Repeat("é", 1<<20) + "€",
		"ASCII":                 strings.Repeat("a", 2<<20),
	} {
		file := writeFile(t, "text", []byte(src))
		before := heap()
		text, _, err := transcode.ReadFileText(file, transcode.UTF8)
		require.NoError(t, err)
		took, size := heap()-before, text.Len()
		if text.Class() > transcode.ClassLatin1 {
			size *= 2
		}
		require.LessOrEqual(t, took, size*5/4+64<<10, name)

		before = heap()
		s, err := transcode.Transcoder{OnError: transcode.Replace, To: transcode.UTF16LE}.ReadFile(file)
		require.NoError(t, err)
		require.LessOrEqual(t, heap()-before, len(s)*5/4+64<<10, name)
		runtime.KeepAlive(s)
		runtime.KeepAlive(text)
	}
}

// An ended context ends the reading of a large file, and the error names it.
func TestReadFilesContextInAFile(t *testing.T) {
	names := []string{writeFile(t, "large", make([]byte, 8<<20)), writeFile(t, "second", nil)}
	for _, from := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE} {
		ctx := &countedContext{Context: context.Background(), left: 5}
		o := transcode.FilesOptions{Transcoder: transcode.Transcoder{From: from}, Workers: 1}
		err := transcode.ReadFiles(ctx, names, o, func(int, transcode.FileText) error {
			t.Error("called")
			return nil
		})
		require.ErrorIs(t, err, errCounted)
		require.ErrorContains(t, err, names[0])
	}
}

var errCounted = errors.New("asked often enough")

// A countedContext has ended after it was asked so many times.
type countedContext struct {
	context.Context
	left int
}

func (c *countedContext) Err() error {
	if c.left--; c.left < 0 {
		return errCounted
	}
	return nil
}

// The buffers of a Reader of a file suit what is left of that from the first read on.
func TestFileReaderBuffers(t *testing.T) {
	for _, c := range []struct {
		size, off, n int64
		want         int // the first piece
	}{{300 << 10, 0, -1, 256 << 10}, {100 << 10, 0, -1, 100 << 10}, {100 << 10, 40 << 10, 50 << 10, 50 << 10}, {10, 0, -1, 10}, {0, 0, -1, 0}} {
		f := openFile(t, make([]byte, c.size))
		chunk, err := f.NewReader(transcode.Transcoder{}, c.off, c.n).Next()
		if c.want == 0 {
			require.Equal(t, io.EOF, err)
			continue
		}
		require.NoError(t, err)
		require.Len(t, chunk.Text, c.want)
	}
}

// TestAppendFileLeavesTheRest: what lies behind the result in the caller's memory does not change, whatever the file needs.
func TestAppendFileLeavesTheRest(t *testing.T) {
	long := strings.Repeat("plain text, é. ", 20<<10)
	for name, c := range map[string]struct {
		src string
		t   transcode.Transcoder
	}{
		"in order":                 {long, transcode.Transcoder{}},
		"byte order mark":          {"\uFEFF" + long[:1000], transcode.Transcoder{BOM: transcode.BOMOverride}},
		"long, byte order mark":    {"\uFEFF" + long, transcode.Transcoder{BOM: transcode.BOMStrip}},
		"other byte order mark":    {string(oracle.Bytes16(oracle.EncodeUnits([]rune("\uFEFF"+long)), transcode.UTF16LE)), transcode.Transcoder{BOM: transcode.BOMOverride}},
		"dropped":                  {long[:1000] + strings.Repeat("\xFF", 100<<10), transcode.Transcoder{OnError: transcode.Skip}},
		"replaced at the end":      {long + "\xE4\xBA", transcode.Transcoder{OnError: transcode.Replace}},
		"dropped far behind":       {long + strings.Repeat("\xFF", 300<<10) + "end", transcode.Transcoder{OnError: transcode.Skip}},
		"UTF-16, truncated at end": {strings.Repeat("a\x00", 60<<10) + "\x00\xD8a", transcode.Transcoder{From: transcode.UTF16LE, To: transcode.UTF16LE, OnError: transcode.Skip}},
	} {
		t.Run(name, func(t *testing.T) {
			file := writeFile(t, "text", []byte(c.src))
			dst := bytes.Repeat([]byte{0x5A}, 2*len(c.src)+700<<10)
			got, err := c.t.AppendFile(dst[:10], file)
			require.NoError(t, err)
			want, err := c.t.AppendString(nil, c.src)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got[10:]))
			require.Same(t, &dst[0], &got[0])
			for i, b := range dst[len(got):] {
				require.EqualValues(t, 0x5A, b, "%d bytes behind the result", i)
			}
		})
	}
}
