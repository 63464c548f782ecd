package tests

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// recordTexts are texts of an encoding with delimiters in all places.
func recordTexts(e transcode.Encoding) (list [][]byte) {
	for _, s := range []string{"", "\n", "\n\n", "a", "a\n", "a\n\n", "\na", "ab\ncd", "ab\r\ncd\r\n", "a\r\r\nb", "a\rb\r", "\r\n\r\n", "\r", "é\n€\n😀", "abcdefg\nh\n", "\x00\n\x00"} {
		if b := texts.Encoded(e, s); b != nil {
			list = append(list, b)
		}
	}
	list = append(list, texts.Torture(e))
	anywhere, atEnd := texts.Faults(e)
	nl := texts.Encoded(e, "\n")
	for _, f := range anywhere {
		list = append(list, slices.Concat(f, nl, texts.Encoded(e, "a"), f, nl, f, f, nl, nl, f, texts.Encoded(e, "b")), slices.Concat(nl, f))
	}
	for _, f := range atEnd {
		list = append(list, slices.Concat(texts.Encoded(e, "a\nb"), f), slices.Concat(nl, f))
	}
	return list
}

// Every kind of record under every kind of read: the delimiter first, last and alone in a chunk, CR and LF apart.
func TestRecordsSmallReads(t *testing.T) {
	broken := errors.New("broken")
	cases := 0
	for _, e := range check.Encodings {
		for _, text := range recordTexts(e) {
			for _, tr := range []transcode.Transcoder{{From: e}, {From: e, OnError: transcode.Replace, BOM: transcode.BOMOverride}, {From: e, OnError: transcode.ReplaceBytes, AddBOM: true}, {From: e, OnError: transcode.Skip}} {
				x := check.Expect(t, tr, text)
				r := tr.NewReader(nil)
				for size := 1; size <= len(text)+1; size += 1 + size/16*16 { // each size up to 16, then few
					if !texts.Every(&cases, 11) {
						continue
					}
					for _, delim := range []byte{'\n', 'a', 0} {
						for _, most := range []int{0, 1, 2, 3, 4, 7} {
							for long := range transcode.LongSkip + 1 {
								if most == 0 && long > 0 {
									continue
								}
								var parts [][]byte
								for part := range slices.Chunk(text, size) {
									parts = append(parts, part)
								}
								r.Reset(&texts.Pieces{Rest: parts})
								if err := check.Records(r, x, io.EOF, delim, most, long); err != nil {
									t.Fatalf("%+v, % .80x in reads of %d, delimiter %q, max %d, policy %d: %v", tr, text, size, delim, most, long, err)
								}
							}
						}
					}
				}
				// A source that fails at the end.
				unfinished := check.ExpectUnfinished(tr, text)
				r.Reset(&texts.Pieces{Rest: texts.CutAt(text, len(text)/2), Err: broken, With: true})
				if err := check.Records(r, unfinished, broken, '\n', 0, transcode.LongError); err != nil {
					t.Fatalf("%+v, % .80x and an error: %v", tr, text, err)
				}
			}
		}
	}
}

// The delimiter at every place relative to the end of a chunk, which is a text of 16 bytes here.
func TestRecordsDelimiterPlaces(t *testing.T) {
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE} {
		for at := range 40 {
			text := strings.Repeat("x", at) + "\n" + strings.Repeat("é", 40-at)
			src := texts.Encoded(e, text)
			x := check.Expect(t, transcode.Transcoder{From: e}, src)
			var parts [][]byte
			for part := range slices.Chunk(src, 16) {
				parts = append(parts, part)
			}
			for _, most := range []int{0, at - 1, at, at + 1, 16, 2 * (40 - at), 2*(40-at) - 1} {
				for long := range transcode.LongSkip + 1 {
					r := transcode.Transcoder{From: e}.NewReader(&texts.Pieces{Rest: slices.Clone(parts)})
					if err := check.Records(r, x, io.EOF, '\n', most, long); err != nil {
						t.Fatalf("%v, delimiter at %d, max %d, policy %d: %v", e, at, most, long, err)
					}
				}
			}
		}
	}
}

// lines returns the lines of a text as Lines gives them.
func lines(t *testing.T, r *transcode.Reader) (list []string) {
	t.Helper()
	for line, err := range r.Lines() {
		require.NoError(t, err)
		list = append(list, string(line.Text))
	}
	return list
}

func TestLinesEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"\n", []string{""}},
		{"\r\n", []string{""}},
		{"\r", []string{"\r"}},
		{"a", []string{"a"}},
		{"a\n", []string{"a"}},
		{"a\r\n", []string{"a"}},
		{"a\r", []string{"a\r"}},
		{"a\rb\n", []string{"a\rb"}},
		{"a\r\r\n", []string{"a\r"}},
		{"a\n\r\n\nb", []string{"a", "", "", "b"}},
		{"a\n\n", []string{"a", ""}},
		{"\n\r", []string{"", "\r"}},
	} {
		for _, e := range check.Encodings {
			src := texts.Encoded(e, c.text)
			require.Equal(t, c.want, lines(t, transcode.NewReader(bytes.NewReader(src), e)), "%q in %v", c.text, e)
			require.Equal(t, c.want, lines(t, transcode.NewReader(iotest.OneByteReader(bytes.NewReader(src)), e)), "%q in %v", c.text, e)
			require.Equal(t, c.want, lines(t, transcode.NewReader(iotest.DataErrReader(bytes.NewReader(src)), e)), "%q in %v", c.text, e)
		}
	}
}

// A byte 0A or 0D inside a code unit ends no line.
func TestLinesUnitsWithNewlineBytes(t *testing.T) {
	const text = "\u0A0D\u010A\u0A0A\u0D0A\u0A00\n\u0A0A\r\nx\u000A\U000A0A0A"
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
		for _, r := range []io.Reader{bytes.NewReader(texts.Encoded(e, text)), iotest.OneByteReader(bytes.NewReader(texts.Encoded(e, text)))} {
			require.Equal(t, []string{"\u0A0D\u010A\u0A0A\u0D0A\u0A00", "\u0A0A", "x", "\U000A0A0A"}, lines(t, transcode.NewReader(r, e)), "%v", e)
		}
	}
}

// Lines and their lengths tile the source, whatever is removed, replaced or dropped, and however it comes.
func TestLinesTile(t *testing.T) {
	size := texts.Thin(40<<10, 8<<10)
	for _, e := range check.Encodings {
		src := slices.Concat(oracle.BOM(e), longText(e, size, 7))
		for _, policy := range []transcode.Policy{transcode.Replace, transcode.ReplaceBytes, transcode.Skip} {
			tr := transcode.Transcoder{From: e, OnError: policy, BOM: transcode.BOMStrip}
			var want []transcode.Line
			for _, source := range []io.Reader{
				bytes.NewReader(src),
				iotest.OneByteReader(bytes.NewReader(src)),
				iotest.HalfReader(bytes.NewReader(src)),
				&texts.Pieces{Rest: randomPieces(rand.New(rand.NewPCG(1, 1)), src, 100)},
			} {
				r := tr.NewReader(source)
				var got []transcode.Line
				at := int64(len(oracle.BOM(e)))
				for line, err := range r.Lines() {
					require.NoError(t, err)
					require.Equal(t, at, line.Offset)
					require.Equal(t, check.ClassOf(line.Text, transcode.UTF8), line.Class)
					// What is dropped behind the last line feed opens no line.
					at += int64(line.Len)
					line.Text = bytes.Clone(line.Text)
					got = append(got, line)
				}
				require.Equal(t, int64(len(src)), r.InputOffset())
				if policy != transcode.Skip {
					require.Equal(t, int64(len(src)), at)
				}
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "%+v", tr)
			}
		}
	}
}

// TestLinesManyAndLong: lines by thousands in a few KiB, and lines of many KiB, one behind the other, with their classes and places.
func TestLinesManyAndLong(t *testing.T) {
	parts := []string{"\n", "a\n", "é\n", "火\r\n", "😀\n", "line\n", "façade\n", "a line of some length, in ASCII\n", "и по-русски\n", "x"}
	var b strings.Builder
	r := rand.New(rand.NewPCG(5, 5))
	for b.Len() < texts.Thin(600<<10, 150<<10) {
		if r.IntN(3) == 0 {
			b.WriteString(strings.Repeat(parts[r.IntN(len(parts))], 1+r.IntN(20<<10)/8))
			continue
		}
		for range 1 + r.IntN(1500) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
	}
	for _, text := range []string{b.String(), strings.Map(func(c rune) rune { return c & 0x7F }, b.String())} {
		for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF32BE} {
			src := texts.Encoded(e, text)
			at, rest := int64(0), text
			for line, err := range (transcode.Transcoder{From: e}).NewReader(bytes.NewReader(src)).Lines() {
				require.NoError(t, err)
				n := strings.IndexByte(rest, '\n') + 1
				if n == 0 {
					n = len(rest)
				}
				want := strings.TrimSuffix(rest[:n], "\n")
				class := check.ClassOf([]byte(want), transcode.UTF8)
				want = strings.TrimSuffix(want, "\r")
				size := transcode.Len(e, rest[:n], transcode.UTF8)
				if string(line.Text) != want || line.Class != class || line.Offset != at || line.Len != size {
					t.Fatalf("%v: line %.40q, class %v, at %d+%d; want %.40q, %v, %d+%d", e, line.Text, line.Class, line.Offset, line.Len, want, class, at, size)
				}
				at += int64(size)
				rest = rest[n:]
			}
			require.Empty(t, rest)
		}
	}
}

// What Skip drops belongs to the line in which it stands, as it does to a range that begins there.
func TestLinesUnderSkip(t *testing.T) {
	for _, places := range [][]int{nil, {2}, {3}, {5}, {2, 3, 4, 5}} {
		r := transcode.Transcoder{OnError: transcode.Skip}.NewReader(&texts.Pieces{Rest: texts.CutAt([]byte("a\n\x80\x80b\x80\n\x80"), places...)})
		var got []transcode.Line
		for line, err := range r.Lines() {
			require.NoError(t, err)
			line.Text = bytes.Clone(line.Text)
			got = append(got, line)
		}
		require.Equal(t, []transcode.Line{{Text: []byte("a"), Len: 2}, {Text: []byte("b"), Offset: 2, Len: 5}}, got, "reads cut at %v", places)
	}
}

func TestRecordsMaximum(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		long transcode.LongLine
		want []string
		err  bool
	}{
		{"abcd\nef", 4, transcode.LongError, []string{"abcd", "ef"}, false},
		{"abcd\nef", 3, transcode.LongError, nil, true},
		{"ab\nabcd\nef", 3, transcode.LongError, []string{"ab"}, true},
		{"ab\nabcd", 3, transcode.LongError, []string{"ab"}, true},
		{"abcd\nef", 4, transcode.LongSplit, []string{"abcd", "ef"}, false},
		{"abcd\nef", 3, transcode.LongSplit, []string{"abc", "d", "ef"}, false},
		{"abcdef\ng", 3, transcode.LongSplit, []string{"abc", "def", "g"}, false},
		{"abcdefg", 3, transcode.LongSplit, []string{"abc", "def", "g"}, false},
		{"aé€b\n", 3, transcode.LongSplit, []string{"aé", "€", "b"}, false},
		{"aé€b\n", 4, transcode.LongSplit, []string{"aé", "€b"}, false},
		{"a😀é\n\nb", 1, transcode.LongSplit, []string{"a", "😀", "é", "", "b"}, false},
		{"abcd\nef\nghij", 3, transcode.LongSkip, []string{"ef"}, false},
		{"abc\nefgh\nij\n", 3, transcode.LongSkip, []string{"abc", "ij"}, false},
		{"ab\r\n", 3, transcode.LongError, []string{"ab\r"}, false},
		{"ab\r\n", 2, transcode.LongError, nil, true},
		{"abc", math.MaxInt, transcode.LongError, []string{"abc"}, false},
		{"abc", math.MaxInt - 1, transcode.LongSplit, []string{"abc"}, false},
		{"abc", math.MinInt, transcode.LongSkip, []string{"abc"}, false},
	} {
		for _, source := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.HalfReader(strings.NewReader(c.text))} {
			r := transcode.NewReader(source, transcode.UTF8)
			var got []string
			var last error
			for line, err := range r.Records('\n', c.max, c.long) {
				if last = err; err == nil {
					got = append(got, string(line.Text))
				}
			}
			require.Equal(t, c.want, got, "%+v", c)
			require.Equal(t, c.err, errors.Is(last, transcode.ErrLineTooLong), "%+v: %v", c, last)
			if !c.err {
				require.NoError(t, last)
			}
		}
	}
}

// Pieces of a long record tile it; the delimiter counts into the last one's Len.
func TestRecordsPieces(t *testing.T) {
	r := transcode.NewReader(strings.NewReader("\xEF\xBB\xBFabé\xFFc;d"), transcode.UTF8)
	var got []transcode.Line
	for line, err := range r.Records(';', 4, transcode.LongSplit) {
		require.NoError(t, err)
		line.Text = bytes.Clone(line.Text)
		got = append(got, line)
	}
	want := []transcode.Line{{Text: []byte("abé"), Class: transcode.ClassLatin1, Offset: 3, Len: 4}, {Text: []byte("\uFFFDc"), Class: transcode.ClassBMP, Offset: 7, Len: 3}, {Text: []byte("d"), Class: transcode.ClassASCII, Offset: 10, Len: 1}}
	require.Equal(t, want, got)
}

// An error about a long record is sticky, names no text, and leaves InputOffset where the record begins.
func TestRecordsTooLong(t *testing.T) {
	for _, source := range []io.Reader{strings.NewReader("ab\nsecret and\nmore"), iotest.OneByteReader(strings.NewReader("ab\nsecret and\nmore"))} {
		r := transcode.NewReader(source, transcode.UTF8)
		var last error
		n := 0
		for line, err := range r.Records('\n', 5, transcode.LongError) {
			n++
			if last = err; err != nil {
				require.Empty(t, line.Text)
			}
		}
		require.Equal(t, 2, n)
		require.ErrorIs(t, last, transcode.ErrLineTooLong)
		require.True(t, strings.HasPrefix(last.Error(), "transcode: "))
		require.NotContains(t, last.Error(), "secret")
		require.Equal(t, int64(3), r.InputOffset())
		_, err := r.Next()
		require.Equal(t, last, err)
		_, err = r.ReadByte()
		require.Equal(t, last, err)
		for _, err := range r.Records('\n', 0, transcode.LongError) {
			require.Equal(t, last, err)
		}
	}
}

func TestRecordsClass(t *testing.T) {
	text := "ascii\né\n日本\n😀 é\nascii again\n\xFF\nlast"
	want := []transcode.Class{transcode.ClassASCII, transcode.ClassLatin1, transcode.ClassBMP, transcode.ClassSupplementary, transcode.ClassASCII, transcode.ClassBMP, transcode.ClassASCII}
	for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		var got []transcode.Class
		for line, err := range transcode.NewReader(source, transcode.UTF8).Lines() {
			require.NoError(t, err)
			got = append(got, line.Class)
		}
		require.Equal(t, want, got)
	}
}

func TestRecordsBadArguments(t *testing.T) {
	r := transcode.NewReader(strings.NewReader("a\nb"), transcode.UTF8)
	for name, records := range map[string]func(func(transcode.Line, error) bool){
		"0x80":   r.Records(0x80, 0, transcode.LongError),
		"0xff":   r.Records(0xFF, 0, transcode.LongError),
		"policy": r.Records('\n', 0, transcode.LongSkip+1),
	} {
		n := 0
		for line, err := range records {
			n++
			require.ErrorContains(t, err, name)
			require.Empty(t, line.Text)
		}
		require.Equal(t, 1, n)
	}
	require.Equal(t, []string{"a", "b"}, lines(t, r), "nothing has been read")
}

// After a break the next call goes on where it stopped, whatever it is.
func TestRecordsBreak(t *testing.T) {
	r := transcode.NewReader(iotest.HalfReader(strings.NewReader("a\nbc,de\r\nf\ng")), transcode.UTF8)
	next := func(records func(func(transcode.Line, error) bool)) string {
		for line, err := range records {
			require.NoError(t, err)
			return string(line.Text)
		}
		return "end"
	}
	require.Equal(t, "a", next(r.Lines()))
	require.Equal(t, int64(2), r.InputOffset())
	require.Equal(t, "bc", next(r.Records(',', 0, transcode.LongError)))
	require.Equal(t, int64(5), r.InputOffset())
	c, _, err := r.ReadRune()
	require.NoError(t, err)
	require.Equal(t, 'd', c)
	require.NoError(t, r.UnreadRune())
	b, err := r.ReadByte()
	require.NoError(t, err)
	require.Equal(t, byte('d'), b)
	require.Equal(t, "e", next(r.Lines()))
	p := make([]byte, 1)
	_, err = io.ReadFull(r, p)
	require.NoError(t, err)
	require.Equal(t, "", next(r.Lines()))
	require.Equal(t, "g", next(r.Lines()))
	require.Equal(t, "end", next(r.Lines()))
	require.Equal(t, "end", next(r.Lines()))
}

// TestRecordsInterleaved: iterators that take turns each go on where the last stopped, with their own delimiters and maxima.
func TestRecordsInterleaved(t *testing.T) {
	const text = "a,b\nc,d\ne,f\nlong one\ng,h\ni"
	for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.HalfReader(strings.NewReader(text))} {
		r := transcode.NewReader(source, transcode.UTF8)
		var got []string
		for line, err := range r.Lines() {
			require.NoError(t, err)
			got = append(got, string(line.Text))
			for field, err := range r.Records(',', 0, transcode.LongError) {
				require.NoError(t, err)
				got = append(got, string(field.Text))
				break
			}
		}
		require.Equal(t, []string{"a,b", "c", "d", "e", "f", "long one\ng", "h", "i"}, got)
	}

	r := transcode.NewReader(strings.NewReader(text), transcode.UTF8)
	lines, stopLines := iter.Pull2(r.Lines())
	defer stopLines()
	pieces, stopPieces := iter.Pull2(r.Records('\n', 3, transcode.LongSplit))
	defer stopPieces()
	var got []string
	for i := 0; ; i++ {
		next := lines
		if i%4 == 3 {
			next = pieces
		}
		line, err, ok := next()
		if !ok {
			break
		}
		require.NoError(t, err)
		got = append(got, string(line.Text))
	}
	require.Equal(t, []string{"a,b", "c,d", "e,f", "lon", "g one", "g,h", "i"}, got)
}

// A line is not to be written over by what comes next, as far as append goes.
func TestLinesCapacity(t *testing.T) {
	r := transcode.NewReader(strings.NewReader("a\nb\nc\n"), transcode.UTF8)
	var got []string
	for line, err := range r.Lines() {
		require.NoError(t, err)
		got = append(got, string(append(line.Text, "xyz"...)))
	}
	require.Equal(t, []string{"axyz", "bxyz", "cxyz"}, got)
}

// A Strict error in the middle of a line ends the lines before it.
func TestLinesStrictError(t *testing.T) {
	for _, source := range []io.Reader{strings.NewReader("ab\ncd\xFFe\nf"), iotest.OneByteReader(strings.NewReader("ab\ncd\xFFe\nf"))} {
		r := transcode.Transcoder{}.NewReader(source)
		var got []string
		var last error
		for line, err := range r.Lines() {
			if last = err; err == nil {
				got = append(got, string(line.Text))
			}
		}
		require.Equal(t, []string{"ab"}, got)
		require.Equal(t, &transcode.Error{Offset: 5, Len: 1, Kind: transcode.KindBadLead}, last)
		require.Equal(t, int64(3), r.InputOffset(), "where the line begins that is not handed out")
	}
}

// TestLinesBehindHalfACharacter: a line that begins within a character, of which Read gave a part, begins with that character in the source.
func TestLinesBehindHalfACharacter(t *testing.T) {
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.Latin1, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE} {
		src := oracle.EncodeRunes([]rune("é\nabc\nxy\nlast"), e)
		r := transcode.NewReader(bytes.NewReader(src), e)
		_, err := r.Read(make([]byte, 1))
		require.NoError(t, err)
		var at int64
		var texts []string
		for line, err := range r.Lines() {
			require.NoError(t, err)
			require.Equal(t, at, line.Offset, "%v", e)
			at += int64(line.Len)
			texts = append(texts, string(line.Text))
		}
		require.Equal(t, []string{"\xA9", "abc", "xy", "last"}, texts)
		require.EqualValues(t, len(src), at)
	}
}
