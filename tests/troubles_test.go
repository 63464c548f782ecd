package tests

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// decoded reads a text that comes in the given reads, with U+FFFD for what is ill-formed and byte order marks obeyed.
func decoded(t *testing.T, from transcode.Encoding, reads ...string) (string, *transcode.Reader) {
	t.Helper()
	source := &texts.Pieces{}
	for _, s := range reads {
		source.Rest = append(source.Rest, []byte(s))
	}
	r := transcode.NewReader(source, from)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(b), r
}

// TestKnownTroublesReading has what went wrong where others read texts: each class of mistakes by its name, with one of those who
// made it.
func TestKnownTroublesReading(t *testing.T) {
	utf8, utf16le, utf16be, utf32le := transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE
	type reads = []string
	for _, c := range []struct {
		name     string
		from     transcode.Encoding
		reads    reads
		text     string
		replaced int64
	}{
		{"character split over reads, 1|2", utf8, reads{"a\xE2", "\x82\xACb"}, "a€b", 0},                                                                                   // voiden#521
		{"character split over reads, 2|1", utf8, reads{"a\xE2\x82", "\xACb"}, "a€b", 0},                                                                                   // modelcontextprotocol/servers#4667
		{"character split over reads, 1|1|1|1", utf8, reads{"\xF0", "\x9F", "\x98", "\x80"}, "😀", 0},                                                                       //
		{"unit split over reads", utf16le, reads{"a", "\x00b", "\x00"}, "ab", 0},                                                                                           //
		{"pair split over reads, 1|3", utf16le, reads{"\x3D", "\xD8\x00\xDE"}, "😀", 0},                                                                                     // text-encode-transform-polyfill#8
		{"pair split over reads, 2|2", utf16be, reads{"\xD8\x3D", "\xDE\x00"}, "😀", 0},                                                                                     //
		{"pair split over reads, 3|1", utf16le, reads{"\x3D\xD8\x00", "\xDE"}, "😀", 0},                                                                                     // node StringDecoder
		{"high surrogate last", utf16le, reads{"a\x00", "\x3D\xD8"}, "a\uFFFD", 1},                                                                                         //
		{"unit of four bytes split", utf32le, reads{"\x00\xF6", "\x01", "\x00"}, "😀", 0},                                                                                   // iconv-lite#393
		{"two low surrogates are two", utf16le, reads{"\x00\xDC\x00\xDC"}, "\uFFFD\uFFFD", 2},                                                                              // go#39492
		{"high surrogate and odd byte are one", utf16le, reads{"\x00\xD8", "\x00"}, "\uFFFD", 1},                                                                           // go#39492
		{"odd byte at the end is one", utf16be, reads{"\x00a\x00"}, "a\uFFFD", 1},                                                                                          // bounty-challenge#53050
		{"unfinished character at the end is flushed", utf8, reads{"a\xE2", "\x82"}, "a\uFFFD", 1},                                                                         // dotnet/runtime#69888
		{"byte order mark split, 1|2, after an empty read", utf8, reads{"", "\xEF", "\xBB\xBFa"}, "a", 0},                                                                  // deno#10846
		{"byte order mark split, 1|1", utf8, reads{"\xFF", "\xFE", "a\x00"}, "a", 0},                                                                                       // bun#25495
		{"second byte order mark is text", utf8, reads{"\xEF\xBB\xBF\xEF\xBB\xBF"}, "\uFEFF", 0},                                                                           // bun#25495
		{"byte order mark behind an unfinished pair is text", utf16le, reads{"\x3D\xD8", "\xFF\xFE"}, "\uFFFD\uFEFF", 1},                                                   // bun#32837
		{"input that begins as a byte order mark does", utf8, reads{"\xEF", "\xBB"}, "\uFFFD", 1},                                                                          // encoding_rs#122
		{"characters made of a byte order mark's bytes", utf8, reads{"\u00BF\uFEFBx\u00EF\u00BB\u00BF"}, "\u00BF\uFEFBx\u00EF\u00BB\u00BF", 0},                             // beats#2351
		{"one replacement for each maximal subpart", utf8, reads{"\xC0\x80\xED\xA0\x80\xF5\xE2\x82a\xF0\x9F\x98"}, "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDa\uFFFD", 8}, // bun#35306
	} {
		t.Run(c.name, func(t *testing.T) {
			text, r := decoded(t, c.from, c.reads...)
			require.Equal(t, c.text, text)
			require.Equal(t, c.replaced, r.Replaced())
			require.Equal(t, int64(len(strings.Join(c.reads, ""))), r.InputOffset())
			// The same text as a file.
			name := writeFile(t, "text", []byte(strings.Join(c.reads, "")))
			whole, replaced, err := transcode.ReadFileText(name, c.from)
			require.NoError(t, err)
			require.Equal(t, c.text, whole.String())
			require.Equal(t, int(c.replaced), replaced)
		})
	}

	t.Run("what a buffer held before completes nothing", func(t *testing.T) { // go-json#600
		r := transcode.NewReader(strings.NewReader(strings.Repeat("€", 1000)), utf8)
		_, err := io.Copy(io.Discard, r)
		require.NoError(t, err)
		r.Reset(strings.NewReader("\xE2"))
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "\uFFFD", string(b))
		buf := make([]byte, 100)
		copy(buf, strings.Repeat("€", 30))
		buf, err = transcode.AppendFile(buf[:0], writeFile(t, "text", []byte("a\xE2")), utf8)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Equal(t, "a", string(buf))
	})
	t.Run("a source that gives nothing does not spin", func(t *testing.T) { // go#39490, x/text
		_, err := transcode.NewReader(readerFunc(func([]byte) (int, error) { return 0, nil }), utf8).Next()
		require.Equal(t, io.ErrNoProgress, err)
	})
	t.Run("destination smaller than a character", func(t *testing.T) { // encoding_rs#32, ripgrep#1052
		for size := 1; size < 4; size++ {
			r := transcode.NewReader(bytes.NewReader(texts.Encoded(utf16le, "😀é")), utf16le)
			require.NoError(t, iotest.TestReader(io.MultiReader(r), []byte("😀é")))
			r.Reset(bytes.NewReader(texts.Encoded(utf16le, "😀é")))
			var got []byte
			p := make([]byte, size)
			for {
				n, err := r.Read(p)
				got = append(got, p[:n]...)
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
			}
			require.Equal(t, "😀é", string(got))
		}
	})
	t.Run("each text has a byte order mark of its own", func(t *testing.T) { // dotnet/runtime#63789, filebeat#205
		r := transcode.NewReader(strings.NewReader("\xEF\xBB\xBFa"), utf8)
		for range 2 {
			b, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, "a", string(b))
			_, err = r.Next()
			require.Equal(t, io.EOF, err)
			r.Reset(strings.NewReader("\xEF\xBB\xBFa"))
		}
	})
	t.Run("a removed byte order mark counts in offsets, on every route", func(t *testing.T) { // ripgrep#1627, #1163
		src := []byte("\xEF\xBB\xBFab\n\xFFc\n")
		f := openFile(t, src)
		for _, r := range []*transcode.Reader{transcode.NewReader(bytes.NewReader(src), utf8), f.NewReader(transcode.Transcoder{OnError: transcode.Replace, BOM: transcode.BOMOverride}, 0, -1)} {
			var at []int64
			for line, err := range r.Lines() {
				require.NoError(t, err)
				at = append(at, line.Offset, int64(line.Len))
			}
			require.Equal(t, []int64{3, 3, 6, 3}, at, "after a replacement too") // bun#36027
		}
		_, err := transcode.ReadFileString(writeFile(t, "text", src), utf8)
		var e *transcode.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, int64(6), e.Offset)
	})
	t.Run("classes at their boundaries", func(t *testing.T) { // bun#739, #1031, #26647, node#54521
		for s, want := range map[string]transcode.Class{"\u007F": transcode.ClassASCII, "\u0080": transcode.ClassLatin1, "\u00FF": transcode.ClassLatin1, "\u0100": transcode.ClassBMP,
			"\u07FF": transcode.ClassBMP, "\u0800": transcode.ClassBMP, "\uFFFF": transcode.ClassBMP, "\U00010000": transcode.ClassSupplementary} {
			for _, e := range check.Encodings {
				for _, long := range []string{"", strings.Repeat("a", 700<<10)} {
					src := texts.Encoded(e, long+s)
					if src == nil || e == transcode.ASCII {
						continue
					}
					text, _, err := transcode.ReadFileText(writeFile(t, "text", src), e)
					require.NoError(t, err)
					require.Equal(t, want, text.Class(), "%q in %v", s, e)
					r := transcode.NewReader(bytes.NewReader(src), e)
					_, err = io.Copy(io.Discard, r)
					require.NoError(t, err)
					require.Equal(t, want, r.Class(), "%q in %v", s, e)
				}
			}
		}
	})
	t.Run("a faster way is no less lenient", func(t *testing.T) { // deno#14454, node#54525
		for _, n := range []int{10, 64 << 10, 600 << 10} {
			src := []byte(strings.Repeat("é", n/2) + "\xFF" + strings.Repeat("a", n))
			text, replaced, err := transcode.ReadFileText(writeFile(t, "text", src), utf8)
			require.NoError(t, err)
			require.Equal(t, 1, replaced)
			require.Equal(t, n/2+1+n, text.Len())
		}
	})
	t.Run("a file that grows and shrinks has no bytes that were never in it", func(t *testing.T) {
		name := writeFile(t, "text", bytes.Repeat([]byte("a"), 800<<10))
		stop := make(chan struct{})
		var changing sync.WaitGroup
		changing.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if i%2 == 0 {
					os.Truncate(name, int64(i*7919%(800<<10)))
				} else if f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0); err == nil {
					f.Write(bytes.Repeat([]byte("a"), 400<<10))
					f.Close()
				}
			}
		})
		other := writeFile(t, "text", bytes.Repeat([]byte("b"), 800<<10)) // what buffers and freed memory hold
		for range 100 {
			_, err := transcode.ReadFileString(other, utf8)
			require.NoError(t, err)
			s, err := transcode.ReadFileString(name, utf8)
			require.NoError(t, err)
			text, _, err := transcode.ReadFileText(name, transcode.Latin1)
			require.NoError(t, err)
			for _, s := range []string{s, text.String()} {
				// The system itself gives NULs for what is cut off while it reads.
				require.Equal(t, len(s), strings.Count(s, "a")+strings.Count(s, "\x00"))
			}
		}
		close(stop)
		changing.Wait()
	})
	t.Run("no read is longer than a buffer", func(t *testing.T) { // rust#38590, go#26923
		source := &texts.SizeReader{Most: math.MaxInt, Left: 2 << 20}
		_, err := io.Copy(io.Discard, transcode.NewReader(source, utf8))
		require.NoError(t, err)
		for _, n := range source.Asked {
			require.LessOrEqual(t, n, 256<<10)
		}
	})
	t.Run("a stream begins where it stands", func(t *testing.T) { // node#9671
		f, err := os.Open(writeFile(t, "text", []byte("abcdef")))
		require.NoError(t, err)
		defer f.Close()
		_, err = f.Seek(2, io.SeekStart)
		require.NoError(t, err)
		r := transcode.NewReader(f, utf8)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "cdef", string(b))
		require.Equal(t, int64(4), r.InputOffset())
	})
	t.Run("reading creates and changes no file", func(t *testing.T) { // node#52079
		name := filepath.Join(t.TempDir(), "missing")
		_, err := transcode.ReadFileString(name, utf8)
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = os.Stat(name)
		require.ErrorIs(t, err, fs.ErrNotExist)
		name = writeFile(t, "text", []byte("a"))
		require.NoError(t, os.Chmod(name, 0o400))
		s, err := transcode.ReadFileString(name, utf8)
		require.NoError(t, err)
		require.Equal(t, "a", s)
	})
	t.Run("results do not share the buffers", func(t *testing.T) { // deno#34246
		for _, n := range []int{10, 100 << 10, 600 << 10} {
			var strs []string
			var ts []transcode.Text
			for _, c := range []string{"a", "b", "é", "日"} {
				name := writeFile(t, "text", []byte(strings.Repeat(c, n)))
				s, err := transcode.ReadFileString(name, utf8)
				require.NoError(t, err)
				text, _, err := transcode.ReadFileText(name, utf8)
				require.NoError(t, err)
				strs, ts = append(strs, s), append(ts, text)
			}
			for i, c := range []string{"a", "b", "é", "日"} {
				require.Equal(t, n, strings.Count(strs[i], c))
				require.Equal(t, n, strings.Count(ts[i].String(), c))
			}
		}
	})
	t.Run("lengths near the largest", func(t *testing.T) { // JDK-8320570
		f := openFile(t, []byte("abc"))
		b, err := io.ReadAll(f.NewReader(transcode.Transcoder{}, 1, math.MaxInt64))
		require.NoError(t, err)
		require.Equal(t, "bc", string(b))
	})
	t.Run("nothing, and one byte", func(t *testing.T) { // bun#4603
		for _, e := range check.Encodings {
			for _, src := range []string{"", "a"} {
				name := writeFile(t, "text", []byte(src))
				text, replaced, err := transcode.ReadFileText(name, e)
				require.NoError(t, err)
				require.Equal(t, len(src), text.Len())
				require.Equal(t, len(src) == 1 && len(oracle.BOM(e)) > 0 && e != utf8, replaced == 1)
				got, _ := decoded(t, e, src)
				require.Equal(t, text.String(), got)
			}
		}
	})
	t.Run("CR and LF in different reads", func(t *testing.T) { // node#45992, byline#23
		source := &texts.Pieces{Rest: [][]byte{[]byte("a\r"), []byte("\nb\r\r"), []byte("\n"), []byte("c\r")}}
		require.Equal(t, []string{"a", "b\r", "c\r"}, lines(t, transcode.NewReader(source, utf8)))
	})
	t.Run("no part of a record that is too long", func(t *testing.T) { // go#9568, beats#19500
		for line, err := range transcode.NewReader(strings.NewReader("abcdef\ng\n"), utf8).Records('\n', 3, transcode.LongError) {
			require.ErrorIs(t, err, transcode.ErrLineTooLong)
			require.Empty(t, line.Text)
		}
	})
	t.Run("a newline's byte inside a code unit", func(t *testing.T) { // doccmd#1215, perl5#10916
		src := texts.Encoded(utf16le, "\u010A\u0A0D\n\u0A0A")
		require.Equal(t, []string{"\u010A\u0A0D", "\u0A0A"}, lines(t, transcode.NewReader(bytes.NewReader(src), utf16le)))
	})
	t.Run("last record without an end, and at a range's end", func(t *testing.T) { // duckdb#25825, #24237
		src := []byte("ab\ncdef\ngh")
		for size := int64(1); size < 12; size++ {
			ranges, err := transcode.Plan(bytes.NewReader(src), int64(len(src)), transcode.PlanOptions{Unit: transcode.UnitLine, Size: size})
			require.NoError(t, err)
			var got []string
			for _, rg := range ranges {
				got = append(got, lines(t, transcode.Transcoder{}.NewRangeReader(bytes.NewReader(src), rg))...)
			}
			require.Equal(t, []string{"ab", "cdef", "gh"}, got, "ranges of %d", size) // HADOOP-18321
		}
	})
	t.Run("a position is the decoder's, not that of what was read ahead", func(t *testing.T) { // spark-xml#468
		f := openFile(t, []byte("ab\ncd\nef\n"))
		r := f.NewReader(transcode.Transcoder{}, 3, -1)
		for line, err := range r.Lines() {
			require.NoError(t, err)
			require.Equal(t, "cd", string(line.Text))
			break
		}
		require.Equal(t, int64(6), r.InputOffset())
	})
	t.Run("the rest of one file is not the beginning of the next", func(t *testing.T) { // coroot-node-agent#315
		broken := errors.New("broken")
		r := transcode.NewReader(&texts.Pieces{Rest: [][]byte{[]byte("a\nhalf a li\xE2")}, Err: broken}, utf8)
		for _, err := range r.Lines() {
			if err != nil {
				require.Equal(t, broken, err)
			}
		}
		r.Reset(strings.NewReader("new\n"))
		require.Equal(t, []string{"new"}, lines(t, r))
	})
	t.Run("nothing is read after an end", func(t *testing.T) { // bun#36259
		source := &texts.SizeReader{Most: 1 << 30, Left: 64 << 20}
		for range transcode.NewReader(source, utf8).Chunks() {
			break
		}
		require.Len(t, source.Asked, 1)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		source = &texts.SizeReader{Most: 1 << 30, Left: 64 << 20}
		r := transcode.NewReader(readerFunc(func(p []byte) (int, error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			return source.Read(p)
		}), utf8)
		for _, err := range r.Chunks() {
			if err != nil {
				require.Equal(t, context.Canceled, err)
			}
			cancel()
		}
		require.Len(t, source.Asked, 1)
	})
	t.Run("the body of a loop may read up to the same place in another chunk", func(t *testing.T) {
		r := transcode.NewReader(&texts.Pieces{Rest: [][]byte{[]byte("a\nbb\nc\n"), []byte("vwxyz"), []byte("d\n")}}, utf8)
		var got []string
		for line, err := range r.Lines() {
			require.NoError(t, err)
			if got = append(got, string(line.Text)); len(got) == 2 {
				for _, want := range []string{"c\n", "vwxyz"} {
					c, err := r.Next()
					require.NoError(t, err)
					require.Equal(t, want, string(c.Text))
				}
			}
		}
		require.Equal(t, []string{"a", "bb", "d"}, got)
	})
	t.Run("the body of a loop may read on", func(t *testing.T) {
		r := transcode.NewReader(iotest.HalfReader(strings.NewReader("a\nb\nc\nd\n"+strings.Repeat("e\n", 5000))), utf8)
		var got []string
		for line, err := range r.Lines() {
			require.NoError(t, err)
			if got = append(got, string(line.Text)); len(got) == 2 {
				b, err := r.ReadByte()
				require.NoError(t, err)
				require.Equal(t, byte('c'), b)
			} else if len(got) == 4 {
				c, err := r.Next()
				require.NoError(t, err)
				require.Equal(t, byte('e'), c.Text[0])
			}
		}
		require.Equal(t, []string{"a", "b", "", "d"}, got[:4])
		require.Less(t, len(got), 5004)
		for _, s := range got[4:] {
			require.Contains(t, []string{"e", ""}, s)
		}
	})
}
