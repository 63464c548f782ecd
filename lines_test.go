package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// A record is what a record of a text must be.
type record struct {
	text       string
	class      Class
	offset     int
	len        int
	terminated bool // by a delimiter
}

// newRecord returns the record that is the text from a to b and reaches to end, delimiter included. All of its source belongs to it,
// sequences that Skip drops too, from where the last one ended: ranges begin there as well.
func (x *expectation) newRecord(a, b, end int) record {
	at, _ := x.after(a)
	upTo, _ := x.after(end)
	if end == len(x.text) && end == b {
		upTo = x.end
	}
	return record{string(x.text[a:b]), naiveClass(x.text[a:b], UTF8), at, upTo - at, end > b}
}

// records splits the text naively. A record longer than most, if that is above 0, is dealt with as long says; tooLong reports that one ended
// the rest. begun is where the record that an error cut begins in the source, or where decoding ended.
func (x *expectation) records(delim byte, most int, long LongLine, failed bool) (list []record, tooLong bool, begun int) {
	for a := 0; a < len(x.text); {
		n := bytes.IndexByte(x.text[a:], delim)
		b := a + n
		end := b + 1
		if n < 0 {
			b, end = len(x.text), len(x.text)
		}
		longer := most > 0 && b-a > most
		switch {
		case longer && long == LongError:
			begun, _ = x.after(a)
			return list, true, begun
		case longer && long == LongSkip:
			if n < 0 && failed {
				begun, _ = x.after(a)
				return list, false, begun
			}
		case longer:
			for b-a > most {
				cut := a + most
				for cut > a && x.text[cut]&0xC0 == 0x80 {
					cut--
				}
				if cut == a {
					for cut++; cut < b && x.text[cut]&0xC0 == 0x80; cut++ {
					}
				}
				if cut == b && n >= 0 {
					break
				}
				list = append(list, x.newRecord(a, cut, cut))
				a = cut
			}
			if a == b {
				return list, false, x.end
			}
			fallthrough
		default:
			if n < 0 && failed {
				begun, _ = x.after(a)
				return list, false, begun
			}
			list = append(list, x.newRecord(a, b, end))
		}
		a = end
	}
	return list, false, x.end
}

// readRecords requires that the records of r are those of the text. want is the error of the source.
func readRecords(r *Reader, x *expectation, want error, delim byte, most int, long LongLine) error {
	if x.err != nil {
		want = x.err
	}
	list, tooLong, begun := x.records(delim, most, long, want != io.EOF)
	i := 0
	var last error
	for line, err := range r.Records(delim, most, long) {
		if last != nil {
			return fmt.Errorf("yielded behind the error %v: %+v, %v", last, line, err)
		}
		if last = err; err != nil {
			if len(line.Text) > 0 || line.Len > 0 {
				return fmt.Errorf("a record %+v with the error %v", line, err)
			}
			continue
		}
		if i == len(list) {
			return fmt.Errorf("record %d: %q at %d+%d, want no more", i, line.Text, line.Offset, line.Len)
		}
		if got := (record{string(line.Text), line.Class, int(line.Offset), line.Len, list[i].terminated}); got != list[i] {
			return fmt.Errorf("record %d: %+v, want %+v", i, got, list[i])
		}
		if at := line.Offset + int64(line.Len); r.InputOffset() != at && (x.t.OnError != Skip || r.InputOffset() < at) {
			return fmt.Errorf("record %d: InputOffset %d behind it, want %d", i, r.InputOffset(), at)
		}
		i++
	}
	switch {
	case i < len(list):
		return fmt.Errorf("%d records, want %d: %+v; %v", i, len(list), list[i], last)
	case tooLong && !errors.Is(last, ErrLineTooLong):
		return fmt.Errorf("error %v, want ErrLineTooLong", last)
	case !tooLong && last == io.EOF, !tooLong && !sameError(last, want) && !(want == io.EOF && last == nil):
		return fmt.Errorf("error %v, want %v", last, want)
	case r.InputOffset() != int64(begun) && (x.t.OnError != Skip || r.InputOffset() < int64(begun)):
		return fmt.Errorf("InputOffset %d at the end, want %d", r.InputOffset(), begun)
	}
	if want := last; want != nil {
		// It stays.
		if _, err := r.Next(); !sameError(err, want) {
			return fmt.Errorf("%v after %v", err, want)
		}
		for line, err := range r.Lines() {
			if !sameError(err, want) || len(line.Text) > 0 {
				return fmt.Errorf("%v, %v after %v", line, err, want)
			}
		}
	}
	return nil
}

// recordTexts are texts of an encoding with delimiters in all places.
func recordTexts(e Encoding) (list [][]byte) {
	for _, s := range []string{"", "\n", "\n\n", "a", "a\n", "a\n\n", "\na", "ab\ncd", "ab\r\ncd\r\n", "a\r\r\nb", "a\rb\r", "\r\n\r\n", "\r", "é\n€\n😀", "abcdefg\nh\n", "\x00\n\x00"} {
		if b := encoded(e, s); b != nil {
			list = append(list, b)
		}
	}
	list = append(list, torture(e))
	anywhere, atEnd := faults(e)
	nl := encoded(e, "\n")
	for _, f := range anywhere {
		list = append(list, slices.Concat(f, nl, encoded(e, "a"), f, nl, f, f, nl, nl, f, encoded(e, "b")), slices.Concat(nl, f))
	}
	for _, f := range atEnd {
		list = append(list, slices.Concat(encoded(e, "a\nb"), f), slices.Concat(nl, f))
	}
	return list
}

// Every kind of record under every kind of read: the delimiter first, last and alone in a chunk, CR and LF apart.
func TestRecordsSmallReads(t *testing.T) {
	broken := errors.New("broken")
	cases := 0
	for _, e := range everyEncoding {
		for _, text := range recordTexts(e) {
			for _, tr := range []Transcoder{{From: e}, {From: e, OnError: Replace, BOM: BOMOverride}, {From: e, OnError: ReplaceBytes, AddBOM: true}, {From: e, OnError: Skip}} {
				x := expect(t, tr, text)
				r := tr.NewReader(nil)
				for size := 1; size <= len(text)+1; size += 1 + size/16*16 { // each size up to 16, then few
					if !every(&cases, 11) {
						continue
					}
					for _, delim := range []byte{'\n', 'a', 0} {
						for _, most := range []int{0, 1, 2, 3, 4, 7} {
							for long := range LongSkip + 1 {
								if most == 0 && long > 0 {
									continue
								}
								var parts [][]byte
								for part := range slices.Chunk(text, size) {
									parts = append(parts, part)
								}
								r.Reset(&pieces{rest: parts})
								if err := readRecords(r, x, io.EOF, delim, most, long); err != nil {
									t.Fatalf("%+v, % .80x in reads of %d, delimiter %q, max %d, policy %d: %v", tr, text, size, delim, most, long, err)
								}
							}
						}
					}
				}
				// A source that fails at the end.
				unfinished := expectUnfinished(tr, text)
				r.Reset(&pieces{rest: cutAt(text, len(text)/2), err: broken, with: true})
				if err := readRecords(r, unfinished, broken, '\n', 0, LongError); err != nil {
					t.Fatalf("%+v, % .80x and an error: %v", tr, text, err)
				}
			}
		}
	}
}

// The delimiter at every place relative to the end of a chunk, which is a text of 16 bytes here.
func TestRecordsDelimiterPlaces(t *testing.T) {
	for _, e := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE} {
		for at := range 40 {
			text := strings.Repeat("x", at) + "\n" + strings.Repeat("é", 40-at)
			src := encoded(e, text)
			x := expect(t, Transcoder{From: e}, src)
			var parts [][]byte
			for part := range slices.Chunk(src, 16) {
				parts = append(parts, part)
			}
			for _, most := range []int{0, at - 1, at, at + 1, 16, 2 * (40 - at), 2*(40-at) - 1} {
				for long := range LongSkip + 1 {
					r := Transcoder{From: e}.NewReader(&pieces{rest: slices.Clone(parts)})
					if err := readRecords(r, x, io.EOF, '\n', most, long); err != nil {
						t.Fatalf("%v, delimiter at %d, max %d, policy %d: %v", e, at, most, long, err)
					}
				}
			}
		}
	}
}

// lines returns the lines of a text as Lines gives them.
func lines(t *testing.T, r *Reader) (list []string) {
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
		for _, e := range everyEncoding {
			src := encoded(e, c.text)
			require.Equal(t, c.want, lines(t, NewReader(bytes.NewReader(src), e)), "%q in %v", c.text, e)
			require.Equal(t, c.want, lines(t, NewReader(iotest.OneByteReader(bytes.NewReader(src)), e)), "%q in %v", c.text, e)
			require.Equal(t, c.want, lines(t, NewReader(iotest.DataErrReader(bytes.NewReader(src)), e)), "%q in %v", c.text, e)
		}
	}
}

// A byte 0A or 0D inside a code unit ends no line.
func TestLinesUnitsWithNewlineBytes(t *testing.T) {
	const text = "\u0A0D\u010A\u0A0A\u0D0A\u0A00\n\u0A0A\r\nx\u000A\U000A0A0A"
	for _, e := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
		for _, r := range []io.Reader{bytes.NewReader(encoded(e, text)), iotest.OneByteReader(bytes.NewReader(encoded(e, text)))} {
			require.Equal(t, []string{"\u0A0D\u010A\u0A0A\u0D0A\u0A00", "\u0A0A", "x", "\U000A0A0A"}, lines(t, NewReader(r, e)), "%v", e)
		}
	}
}

// Lines and their lengths tile the source, whatever is removed, replaced or dropped, and however it comes.
func TestLinesTile(t *testing.T) {
	size := thin(40<<10, 8<<10)
	for _, e := range everyEncoding {
		src := slices.Concat(oracleBOM(e), longText(e, size, 7))
		for _, policy := range []Policy{Replace, ReplaceBytes, Skip} {
			tr := Transcoder{From: e, OnError: policy, BOM: BOMStrip}
			var want []Line
			for _, source := range []io.Reader{
				bytes.NewReader(src),
				iotest.OneByteReader(bytes.NewReader(src)),
				iotest.HalfReader(bytes.NewReader(src)),
				&pieces{rest: randomPieces(rand.New(rand.NewPCG(1, 1)), src, 100)},
			} {
				r := tr.NewReader(source)
				var got []Line
				at := int64(len(oracleBOM(e)))
				for line, err := range r.Lines() {
					require.NoError(t, err)
					require.Equal(t, at, line.Offset)
					require.Equal(t, naiveClass(line.Text, UTF8), line.Class)
					// What is dropped behind the last line feed opens no line.
					at += int64(line.Len)
					line.Text = bytes.Clone(line.Text)
					got = append(got, line)
				}
				require.Equal(t, int64(len(src)), r.InputOffset())
				if policy != Skip {
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

// What Skip drops belongs to the line in which it stands, as it does to a range that begins there.
func TestLinesUnderSkip(t *testing.T) {
	for _, places := range [][]int{nil, {2}, {3}, {5}, {2, 3, 4, 5}} {
		r := Transcoder{OnError: Skip}.NewReader(&pieces{rest: cutAt([]byte("a\n\x80\x80b\x80\n\x80"), places...)})
		var got []Line
		for line, err := range r.Lines() {
			require.NoError(t, err)
			line.Text = bytes.Clone(line.Text)
			got = append(got, line)
		}
		require.Equal(t, []Line{{Text: []byte("a"), Len: 2}, {Text: []byte("b"), Offset: 2, Len: 5}}, got, "reads cut at %v", places)
	}
}

func TestRecordsMaximum(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		long LongLine
		want []string
		err  bool
	}{
		{"abcd\nef", 4, LongError, []string{"abcd", "ef"}, false},
		{"abcd\nef", 3, LongError, nil, true},
		{"ab\nabcd\nef", 3, LongError, []string{"ab"}, true},
		{"ab\nabcd", 3, LongError, []string{"ab"}, true},
		{"abcd\nef", 4, LongSplit, []string{"abcd", "ef"}, false},
		{"abcd\nef", 3, LongSplit, []string{"abc", "d", "ef"}, false},
		{"abcdef\ng", 3, LongSplit, []string{"abc", "def", "g"}, false},
		{"abcdefg", 3, LongSplit, []string{"abc", "def", "g"}, false},
		{"aé€b\n", 3, LongSplit, []string{"aé", "€", "b"}, false},
		{"aé€b\n", 4, LongSplit, []string{"aé", "€b"}, false},
		{"a😀é\n\nb", 1, LongSplit, []string{"a", "😀", "é", "", "b"}, false},
		{"abcd\nef\nghij", 3, LongSkip, []string{"ef"}, false},
		{"abc\nefgh\nij\n", 3, LongSkip, []string{"abc", "ij"}, false},
		{"ab\r\n", 3, LongError, []string{"ab\r"}, false},
		{"ab\r\n", 2, LongError, nil, true},
		{"abc", math.MaxInt, LongError, []string{"abc"}, false},
		{"abc", math.MaxInt - 1, LongSplit, []string{"abc"}, false},
		{"abc", math.MinInt, LongSkip, []string{"abc"}, false},
	} {
		for _, source := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.HalfReader(strings.NewReader(c.text))} {
			r := NewReader(source, UTF8)
			var got []string
			var last error
			for line, err := range r.Records('\n', c.max, c.long) {
				if last = err; err == nil {
					got = append(got, string(line.Text))
				}
			}
			require.Equal(t, c.want, got, "%+v", c)
			require.Equal(t, c.err, errors.Is(last, ErrLineTooLong), "%+v: %v", c, last)
			if !c.err {
				require.NoError(t, last)
			}
		}
	}
}

// Pieces of a long record tile it; the delimiter counts into the last one's Len.
func TestRecordsPieces(t *testing.T) {
	r := NewReader(strings.NewReader("\xEF\xBB\xBFabé\xFFc;d"), UTF8)
	var got []Line
	for line, err := range r.Records(';', 4, LongSplit) {
		require.NoError(t, err)
		line.Text = bytes.Clone(line.Text)
		got = append(got, line)
	}
	want := []Line{{[]byte("abé"), ClassLatin1, 3, 4}, {[]byte("\uFFFDc"), ClassBMP, 7, 3}, {[]byte("d"), ClassASCII, 10, 1}}
	require.Equal(t, want, got)
}

// An error about a long record is sticky, names no text, and leaves InputOffset where the record begins.
func TestRecordsTooLong(t *testing.T) {
	for _, source := range []io.Reader{strings.NewReader("ab\nsecret and\nmore"), iotest.OneByteReader(strings.NewReader("ab\nsecret and\nmore"))} {
		r := NewReader(source, UTF8)
		var last error
		n := 0
		for line, err := range r.Records('\n', 5, LongError) {
			n++
			if last = err; err != nil {
				require.Empty(t, line.Text)
			}
		}
		require.Equal(t, 2, n)
		require.ErrorIs(t, last, ErrLineTooLong)
		require.True(t, strings.HasPrefix(last.Error(), "transcode: "))
		require.NotContains(t, last.Error(), "secret")
		require.Equal(t, int64(3), r.InputOffset())
		_, err := r.Next()
		require.Equal(t, last, err)
		_, err = r.ReadByte()
		require.Equal(t, last, err)
		for _, err := range r.Records('\n', 0, LongError) {
			require.Equal(t, last, err)
		}
	}
}

// A long record takes no more memory than the maximum allows.
func TestRecordsMemory(t *testing.T) {
	const most = 10000
	for long := range LongSkip + 1 {
		source := &sizeReader{most: 1 << 10, left: 4 << 20}
		r := NewReader(source, UTF8)
		for line, err := range r.Records('\n', most, long) {
			if long == LongError {
				require.ErrorIs(t, err, ErrLineTooLong)
				require.Greater(t, source.left, 4<<20-2*most, "no more is read than it takes to see that the record is too long")
				break
			}
			require.NoError(t, err)
			require.LessOrEqual(t, len(line.Text), most)
		}
		require.LessOrEqual(t, cap(r.carry), 2*most)
	}
}

// A record of many reads is carried over once: memory grows in proportion, and it comes whole.
func TestRecordsLongRecord(t *testing.T) {
	const size = 4 << 20
	source := &sizeReader{most: 1 << 10, left: size}
	r := NewReader(io.MultiReader(source, strings.NewReader("\nb")), UTF8)
	var sizes []int
	for line, err := range r.Lines() {
		require.NoError(t, err)
		sizes = append(sizes, len(line.Text))
		require.Equal(t, ClassASCII, line.Class)
	}
	require.Equal(t, []int{size, 1}, sizes)
	require.LessOrEqual(t, cap(r.carry), 2*size)
}

func TestRecordsClass(t *testing.T) {
	text := "ascii\né\n日本\n😀 é\nascii again\n\xFF\nlast"
	want := []Class{ClassASCII, ClassLatin1, ClassBMP, ClassSupplementary, ClassASCII, ClassBMP, ClassASCII}
	for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		var got []Class
		for line, err := range NewReader(source, UTF8).Lines() {
			require.NoError(t, err)
			got = append(got, line.Class)
		}
		require.Equal(t, want, got)
	}
}

func TestRecordsBadArguments(t *testing.T) {
	r := NewReader(strings.NewReader("a\nb"), UTF8)
	for name, records := range map[string]func(func(Line, error) bool){
		"0x80":   r.Records(0x80, 0, LongError),
		"0xff":   r.Records(0xFF, 0, LongError),
		"policy": r.Records('\n', 0, LongSkip+1),
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
	r := NewReader(iotest.HalfReader(strings.NewReader("a\nbc,de\r\nf\ng")), UTF8)
	next := func(records func(func(Line, error) bool)) string {
		for line, err := range records {
			require.NoError(t, err)
			return string(line.Text)
		}
		return "end"
	}
	require.Equal(t, "a", next(r.Lines()))
	require.Equal(t, int64(2), r.InputOffset())
	require.Equal(t, "bc", next(r.Records(',', 0, LongError)))
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

// A line is not to be written over by what comes next, as far as append goes.
func TestLinesCapacity(t *testing.T) {
	r := NewReader(strings.NewReader("a\nb\nc\n"), UTF8)
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
		r := Transcoder{}.NewReader(source)
		var got []string
		var last error
		for line, err := range r.Lines() {
			if last = err; err == nil {
				got = append(got, string(line.Text))
			}
		}
		require.Equal(t, []string{"ab"}, got)
		require.Equal(t, &Error{Offset: 5, Len: 1, Kind: KindBadLead}, last)
		require.Equal(t, int64(3), r.InputOffset(), "where the line begins that is not handed out")
	}
}
