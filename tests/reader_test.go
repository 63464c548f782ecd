package tests

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/race"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

func TestReaderEverySplit(t *testing.T) {
	cases := 0
	for _, e := range check.Encodings {
		for _, text := range texts.Faulty(e) {
			for _, to := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.Latin1} {
				for _, policy := range check.Policies {
					tr := transcode.Transcoder{From: e, To: to, OnError: policy}
					x := check.Expect(t, tr, text.Src)
					r := tr.NewReader(nil)
					for parts := range texts.Splits(text.Src) {
						for range texts.Thin(len(check.ReadRoutes), 3) {
							// One way after the other, so that each meets about every kind of split.
							way := check.ReadRoutes[cases%len(check.ReadRoutes)]
							if !texts.Every(&cases, 37) || way.UTF8 && to != transcode.UTF8 {
								continue
							}
							r.Reset(&texts.Pieces{Rest: slices.Clone(parts), With: cases%2 == 0})
							if err := way.Read(r, x, io.EOF); err != nil {
								t.Fatalf("%+v, fault %s, % .80x, %s: %v", tr, text.Name, parts, way.Name, err)
							}
						}
					}
				}
			}
		}
	}
}

// Every pair of encodings, with a source that gives one byte a time.
func TestReaderEveryPair(t *testing.T) {
	cases := 0
	for _, from := range check.Encodings {
		for _, to := range check.Encodings {
			for _, policy := range check.Policies {
				for _, add := range []bool{false, true} {
					tr := transcode.Transcoder{From: from, To: to, OnError: policy, AddBOM: add}
					for _, src := range [][]byte{texts.Torture(from), texts.Encoded(from, "plain\n"), nil} {
						x := check.Expect(t, tr, src)
						for _, way := range check.ReadRoutes {
							if way.UTF8 && to != transcode.UTF8 || !texts.Every(&cases, 7) {
								continue
							}
							if err := way.Read(tr.NewReader(iotest.OneByteReader(bytes.NewReader(src))), x, io.EOF); err != nil {
								t.Fatalf("%+v, % .80x, %s: %v", tr, src, way.Name, err)
							}
							if err := way.Read(tr.NewReader(bytes.NewReader(src)), x, io.EOF); err != nil {
								t.Fatalf("%+v, % .80x, %s: %v", tr, src, way.Name, err)
							}
						}
					}
				}
			}
		}
	}
}

// Byte order marks of every encoding before a text in every other, under each policy: whole, doubled, cut by reads at every
// place, cut short by the end, and as the source's own text.
func TestReaderBOM(t *testing.T) {
	var sources [][]byte
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
		mark := oracle.BOM(e)
		for n := range len(mark) + 1 {
			sources = append(sources, mark[:n:n], append(mark[:n:n], 'a'), append(mark[:n:n], 0, 'a'))
		}
		sources = append(sources, slices.Concat(mark, texts.Encoded(e, "é")), slices.Concat(mark, mark, texts.Encoded(e, "b")),
			slices.Concat(texts.Encoded(e, "a"), mark), slices.Concat(mark, []byte{0xD8}), slices.Concat(mark, mark[:1]))
	}
	for _, s := range []string{"\xFF\xFE\x00\x00\x00\x00", "\xFE\xFF\xD8\x00", "\xFF\xFE\xFF\xFE\x00\x00", "\x80\xEF\xBB\xBFa", "\x80\xEF\xBB", "\x00\x00\xFE\xFF\x00\x11\x00\x00"} {
		sources = append(sources, []byte(s))
	}
	cases := 0
	for _, policy := range check.BOMPolicies {
		for _, from := range check.Encodings {
			for _, onError := range check.Policies {
				for _, add := range []bool{false, true} {
					tr := transcode.Transcoder{From: from, OnError: onError, BOM: policy, AddBOM: add}
					if add {
						tr.To = transcode.UTF16BE
					}
					r := tr.NewReader(nil)
					for _, src := range sources {
						x := check.Expect(t, tr, src)
						for parts := range texts.Splits(src) {
							for range texts.Thin(len(check.ReadRoutes), 3) {
								way := check.ReadRoutes[cases%len(check.ReadRoutes)]
								if !texts.Every(&cases, 37) || way.UTF8 && tr.To != transcode.UTF8 {
									continue
								}
								r.Reset(&texts.Pieces{Rest: slices.Clone(parts)})
								if err := way.Read(r, x, io.EOF); err != nil {
									t.Fatalf("%+v, % .80x, %s: %v", tr, parts, way.Name, err)
								}
							}
						}
					}
				}
			}
		}
	}
}

// What a few of these amount to, in plain words.
func TestReaderBOMByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		from     transcode.Encoding
		src      []string // reads
		text     string
		encoding transcode.Encoding
		replaced int64
	}{
		{"UTF-8, 1|2", transcode.UTF8, []string{"\xEF", "\xBB\xBF", "a"}, "a", transcode.UTF8, 0},
		{"UTF-8, 2|1", transcode.UTF8, []string{"\xEF\xBB", "\xBFa"}, "a", transcode.UTF8, 0},
		{"UTF-8, 1|1|1", transcode.Latin1, []string{"\xEF", "\xBB", "\xBF", "\xC3\xA9"}, "é", transcode.UTF8, 0},
		{"UTF-8, an empty read first", transcode.UTF8, []string{"", "\xEF", "", "\xBB\xBFa"}, "a", transcode.UTF8, 0},
		{"UTF-16LE, 1|1", transcode.UTF8, []string{"\xFF", "\xFE", "a", "\x00"}, "a", transcode.UTF16LE, 0},
		{"UTF-16BE, 1|1", transcode.UTF8, []string{"\xFE", "\xFF", "\x00", "a"}, "a", transcode.UTF16BE, 0},
		{"UTF-32LE, 1|3", transcode.UTF8, []string{"\xFF", "\xFE\x00\x00", "a\x00\x00\x00"}, "a", transcode.UTF32LE, 0},
		{"UTF-32LE, 2|2", transcode.UTF8, []string{"\xFF\xFE", "\x00\x00", "a\x00\x00\x00"}, "a", transcode.UTF32LE, 0},
		{"UTF-32BE, 3|1", transcode.UTF8, []string{"\x00\x00\xFE", "\xFF\x00\x00\x00", "a"}, "a", transcode.UTF32BE, 0},
		{"the second one is text", transcode.UTF8, []string{"\xEF\xBB\xBF\xEF\xBB", "\xBFa"}, "\uFEFFa", transcode.UTF8, 0},
		{"another one is text", transcode.UTF8, []string{"\xEF\xBB\xBF\xFF\xFE"}, "\uFFFD\uFFFD", transcode.UTF8, 2},
		{"one behind the start is text", transcode.UTF8, []string{"a\xEF\xBB\xBF"}, "a\uFEFF", transcode.UTF8, 0},
		{"one byte of three", transcode.UTF8, []string{"\xEF"}, "\uFFFD", transcode.UTF8, 1},
		{"two bytes of three", transcode.UTF8, []string{"\xEF\xBB"}, "\uFFFD", transcode.UTF8, 1},
		{"one byte of two", transcode.UTF8, []string{"\xFF"}, "\uFFFD", transcode.UTF8, 1},
		{"one byte of two, in Latin-1", transcode.Latin1, []string{"\xFF"}, "ÿ", transcode.Latin1, 0},
		{"UTF-16LE and the end", transcode.UTF8, []string{"\xFF\xFE"}, "", transcode.UTF16LE, 0},
		{"UTF-16LE and half a unit", transcode.UTF8, []string{"\xFF\xFE\x00"}, "\uFFFD", transcode.UTF16LE, 1},
		{"UTF-16LE and U+0000 is UTF-32LE", transcode.UTF16LE, []string{"\xFF\xFE", "\x00\x00"}, "", transcode.UTF32LE, 0},
		{"a high surrogate before one", transcode.UTF16LE, []string{"\x00\xD8", "\xFF\xFE"}, "\uFFFD\uFEFF", transcode.UTF16LE, 1},
		{"nothing", transcode.UTF8, nil, "", transcode.UTF8, 0},
		{"one byte", transcode.UTF8, []string{"a"}, "a", transcode.UTF8, 0},
	} {
		var parts [][]byte
		for _, s := range c.src {
			parts = append(parts, []byte(s))
		}
		r := transcode.NewReader(&texts.Pieces{Rest: parts}, c.from)
		text, err := io.ReadAll(r)
		require.NoError(t, err, c.name)
		require.Equal(t, c.text, string(text), c.name)
		require.Equal(t, c.encoding, r.Encoding(), c.name)
		require.Equal(t, c.replaced, r.Replaced(), c.name)
		require.Equal(t, int64(len(strings.Join(c.src, ""))), r.InputOffset(), c.name)
	}
}

// scripts has a text in several scripts, with every length of character, in lines of every length.
const scripts = "The quick brown fox\nПоезд ушёл в 5 утра, а мы остались.\r\nגשם ירד כל הלילה\n火星是太阳系八大行星之一。\n" +
	"\n๑๒๓ สวัสดีชาวโลก\n😀😃 emoji 👩‍🚀 and flags 🇫🇷\n àéîõü ÿ\nlast, without an end"

// longText returns about n bytes of text in the encoding e with faults among them.
func longText(e transcode.Encoding, n int, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 17))
	anywhere, _ := texts.Faults(e)
	lines := strings.SplitAfter(scripts, "\n")
	var b []byte
	for len(b) < n {
		line := lines[rnd.IntN(len(lines))]
		if e == transcode.ASCII || e == transcode.Latin1 {
			line = lines[0]
		}
		b = append(b, texts.Encoded(e, line)...)
		if len(anywhere) > 0 && rnd.IntN(8) == 0 {
			b = append(b, anywhere[rnd.IntN(len(anywhere))]...)
		}
	}
	return b
}

func TestReaderLongTexts(t *testing.T) {
	size := texts.Thin(30<<10, 5<<10)
	cases := 0
	for _, e := range check.Encodings {
		src := longText(e, size, 1)
		for _, tr := range []transcode.Transcoder{
			{From: e, OnError: transcode.Replace, BOM: transcode.BOMOverride},
			{From: e, OnError: transcode.Skip, AddBOM: true},
			{From: e, To: transcode.UTF32BE, OnError: transcode.ReplaceBytes},
			{From: e, To: transcode.Latin1, OnError: transcode.Replace},
			{From: e},
		} {
			x := check.Expect(t, tr, src)
			rnd := rand.New(rand.NewPCG(uint64(e), 3))
			for _, way := range check.ReadRoutes {
				if way.UTF8 && tr.To != transcode.UTF8 || !texts.Every(&cases, 5) {
					continue
				}
				for name, r := range map[string]io.Reader{
					"whole":    bytes.NewReader(src),
					"halves":   iotest.HalfReader(bytes.NewReader(src)),
					"data+EOF": iotest.DataErrReader(bytes.NewReader(src)),
					"random":   &texts.Pieces{Rest: randomPieces(rnd, src, 5000)},
				} {
					if err := way.Read(tr.NewReader(r), x, io.EOF); err != nil {
						t.Fatalf("%+v, %s, %s: %v", tr, name, way.Name, err)
					}
				}
			}
		}
	}
}

// randomPieces cuts src into pieces of up to most bytes, empty ones among them.
func randomPieces(rnd *rand.Rand, src []byte, most int) (cut [][]byte) {
	for len(src) > 0 {
		n := min(len(src), rnd.IntN(most+1))
		if rnd.IntN(4) == 0 {
			n = min(n, rnd.IntN(4))
		}
		cut = append(cut, src[:n])
		src = src[n:]
	}
	return cut
}

// A Reader passes the standard library's test of readers.
func TestReaderIsAReader(t *testing.T) {
	for _, e := range check.Encodings {
		for _, to := range []transcode.Encoding{transcode.UTF8, transcode.UTF16BE} {
			tr := transcode.Transcoder{From: e, To: to, OnError: transcode.Replace, BOM: transcode.BOMOverride}
			for _, src := range [][]byte{texts.Torture(e), longText(e, 9000, 2), nil} {
				x := check.Expect(t, tr, src)
				require.NoError(t, iotest.TestReader(tr.NewReader(bytes.NewReader(src)), x.Text))
				require.NoError(t, iotest.TestReader(tr.NewReader(iotest.OneByteReader(bytes.NewReader(src))), x.Text))
			}
		}
	}
}

// The rules of UnreadByte and UnreadRune are those of bufio.Reader, which is also the yardstick for what comes next.
func TestReaderLikeBufio(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for i := range texts.Thin(400, 30) {
		src := longText(transcode.UTF8, 200, uint64(i))
		x := check.Expect(t, transcode.Transcoder{OnError: transcode.Replace}, src)
		r := transcode.NewReader(&texts.Pieces{Rest: randomPieces(rnd, src, 1+i%30)}, transcode.UTF8)
		b := bufio.NewReaderSize(bytes.NewReader(x.Text), len(x.Text)+16)
		begun := false
		var calls []string
		for {
			var got, want string
			var err, wantErr error
			switch rnd.IntN(6) {
			case 0:
				var c, d byte
				c, err = r.ReadByte()
				d, wantErr = b.ReadByte()
				got, want = fmt.Sprint("ReadByte ", c), fmt.Sprint("ReadByte ", d)
			case 1:
				var c, d rune
				var n, m int
				c, n, err = r.ReadRune()
				d, m, wantErr = b.ReadRune()
				got, want = fmt.Sprint("ReadRune ", c, n), fmt.Sprint("ReadRune ", d, m)
			case 2:
				p := make([]byte, 1+rnd.IntN(6))
				var n int
				n, err = r.Read(p)
				// How many come is up to the Reader.
				q := make([]byte, max(n, 1))
				var m int
				m, wantErr = b.Read(q)
				got, want = fmt.Sprint("Read ", p[:n]), fmt.Sprint("Read ", q[:m])
			case 3, 4:
				err, wantErr = r.UnreadByte(), b.UnreadByte()
				got, want = "UnreadByte", "UnreadByte"
			case 5:
				err, wantErr = r.UnreadRune(), b.UnreadRune()
				got, want = "UnreadRune", "UnreadRune"
			}
			calls = append(calls, got)
			if got != want || err != wantErr {
				t.Fatalf("%v: %v, want %s, %v", calls, err, want, wantErr)
			}
			if begun = begun || err == nil; begun {
				if err := x.CheckOffset(r, len(x.Text)-b.Buffered()); err != nil {
					t.Fatalf("%v: %v", calls, err)
				}
			}
			if err == io.EOF {
				break
			}
		}
	}
}

func TestReaderUnread(t *testing.T) {
	t.Run("nothing read", func(t *testing.T) {
		r := transcode.NewReader(strings.NewReader("a"), transcode.UTF8)
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
	})
	t.Run("once", func(t *testing.T) {
		r := transcode.NewReader(strings.NewReader("aé"), transcode.UTF8)
		_, err := r.ReadByte()
		require.NoError(t, err)
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
		require.NoError(t, r.UnreadByte())
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
		c, _, err := r.ReadRune()
		require.NoError(t, err)
		require.Equal(t, 'a', c)
		require.NoError(t, r.UnreadRune())
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
	})
	t.Run("a byte of a character", func(t *testing.T) {
		r := transcode.NewReader(strings.NewReader("é"), transcode.UTF8)
		_, _, err := r.ReadRune()
		require.NoError(t, err)
		require.NoError(t, r.UnreadByte())
		require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune())
		require.Equal(t, int64(0), r.InputOffset())
		b, err := r.ReadByte()
		require.NoError(t, err)
		require.Equal(t, byte(0xA9), b)
	})
	t.Run("not after Next, WriteTo or a record", func(t *testing.T) {
		for name, read := range map[string]func(r *transcode.Reader){
			"Next":    func(r *transcode.Reader) { r.Next() },
			"WriteTo": func(r *transcode.Reader) { r.WriteTo(io.Discard) },
			"Lines": func(r *transcode.Reader) {
				for range r.Lines() {
					break
				}
			},
		} {
			r := transcode.NewReader(strings.NewReader("ab\nc"), transcode.UTF8)
			_, _, err := r.ReadRune()
			require.NoError(t, err)
			read(r)
			require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte(), name)
			require.Equal(t, bufio.ErrInvalidUnreadRune, r.UnreadRune(), name)
		}
	})
	t.Run("over the end of a chunk", func(t *testing.T) {
		r := transcode.NewReader(iotest.OneByteReader(strings.NewReader("éab")), transcode.UTF8)
		for _, want := range "éab" {
			c, _, err := r.ReadRune()
			require.NoError(t, err)
			require.Equal(t, want, c)
			require.NoError(t, r.UnreadRune())
			c, _, err = r.ReadRune()
			require.NoError(t, err)
			require.Equal(t, want, c)
			require.NoError(t, r.UnreadByte())
			b, err := r.ReadByte()
			require.NoError(t, err)
			require.Equal(t, string(want)[len(string(want))-1], b)
		}
	})
}

// A destination without room for a character, or without any room.
func TestReaderTinyReads(t *testing.T) {
	r := transcode.NewReader(strings.NewReader("é"), transcode.UTF8)
	for _, p := range [][]byte{nil, {}} {
		n, err := r.Read(p)
		require.Equal(t, 0, n)
		require.NoError(t, err)
	}
	require.Equal(t, int64(0), r.InputOffset())
	p := make([]byte, 1)
	n, err := r.Read(p)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(0), r.InputOffset(), "the character has not been returned as a whole")
	n, err = r.Read(p)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(2), r.InputOffset())
	n, err = r.Read(p)
	require.Equal(t, io.EOF, err)
	require.Equal(t, 0, n)
}

// Next takes up what Read left of a character.
func TestReaderNextAfterCutCharacter(t *testing.T) {
	r := transcode.NewReader(strings.NewReader("\xFF\xFEa\x00\x00\xD8\x00\xDCb\x00\x00\xDC"), transcode.UTF8) // a, U+10000, b, unpaired
	p := make([]byte, 3)
	_, err := io.ReadFull(r, p)
	require.NoError(t, err)
	require.Equal(t, "a\xF0\x90", string(p))
	require.Equal(t, int64(4), r.InputOffset())
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "\x80\x80b\uFFFD", string(c.Text))
	require.Equal(t, transcode.Chunk{Text: c.Text, Class: transcode.ClassSupplementary, Offset: 4, Len: 8, Replaced: 1}, c)
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
}

// Offsets stay right where Skip drops what stands before a character, and a byte order mark is added.
func TestReaderOffsetsUnderSkip(t *testing.T) {
	for _, src := range []string{"\x80éab", "\x80\x80€\xFF\xFEé\x80", "a\x80é\x80\x80b", "\x80"} {
		for _, add := range []bool{false, true} {
			tr := transcode.Transcoder{OnError: transcode.Skip, AddBOM: add}
			x := check.Expect(t, tr, []byte(src))
			for _, source := range []io.Reader{strings.NewReader(src), iotest.OneByteReader(strings.NewReader(src))} {
				require.NoError(t, check.ReadBytes(tr.NewReader(source), x, io.EOF), "%q", src)
			}
			r := tr.NewReader(strings.NewReader(src))
			for k := range x.Text {
				require.NoError(t, x.CheckOffset(r, k))
				b, err := r.ReadByte()
				require.NoError(t, err)
				require.Equal(t, x.Text[k], b)
				require.NoError(t, x.CheckOffset(r, k+1), "%q", src)
				require.NoError(t, x.CheckOffset(r, k+1), "%q, asked twice", src)
			}
		}
	}
}

// What is dropped at the end of the stream is counted, in a chunk without text if need be.
func TestReaderSkipAtTheEnd(t *testing.T) {
	tr := transcode.Transcoder{OnError: transcode.Skip}
	r := tr.NewReader(iotest.OneByteReader(strings.NewReader("a\x80\xE2\x82")))
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "a", string(c.Text))
	c, err = r.Next()
	require.NoError(t, err)
	require.Equal(t, transcode.Chunk{Text: c.Text, Offset: 1, Len: 3, Replaced: 2}, c)
	require.Empty(t, c.Text)
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
	require.Equal(t, int64(2), r.Replaced())

	r.Reset(iotest.OneByteReader(strings.NewReader("a\x80\xE2\x82")))
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "a", string(text))
	require.Equal(t, int64(4), r.InputOffset())
}

// Errors of the source come as they are, behind the text before them, and stay.
func TestReaderSourceErrors(t *testing.T) {
	broken := errors.New("broken")
	cases := 0
	for _, e := range check.Encodings {
		for _, text := range texts.Faulty(e) {
			for _, bom := range []transcode.BOMPolicy{transcode.BOMKeep, transcode.BOMOverride} {
				for _, policy := range check.Policies {
					tr := transcode.Transcoder{From: e, OnError: policy, BOM: bom}
					x := check.ExpectUnfinished(tr, text.Src)
					r := tr.NewReader(nil)
					for at := range len(text.Src) + 1 {
						way := check.ReadRoutes[cases%len(check.ReadRoutes)]
						if !texts.Every(&cases, 7) {
							continue
						}
						r.Reset(&texts.Pieces{Rest: texts.CutAt(text.Src, at), Err: broken, With: cases%2 == 0})
						if err := way.Read(r, x, broken); err != nil {
							t.Fatalf("%+v, fault %s, % .80x at %d, %s: %v", tr, text.Name, text.Src, at, way.Name, err)
						}
					}
				}
			}
		}
	}
}

func TestReaderUnfinishedBOMBeforeAnError(t *testing.T) {
	for _, s := range []string{"\xEF\xBB", "\xFF", "\xFF\xFE", "\xFF\xFE\x00", "\x00\x00\xFE"} {
		r := transcode.NewReader(io.MultiReader(strings.NewReader(s), iotest.ErrReader(io.ErrUnexpectedEOF)), transcode.UTF8)
		c, err := r.Next()
		require.Equal(t, io.ErrUnexpectedEOF, err)
		require.Empty(t, c.Text)
		require.Equal(t, int64(0), r.InputOffset())
	}
}

func TestReaderIotestErrors(t *testing.T) {
	r := transcode.NewReader(iotest.TimeoutReader(strings.NewReader(strings.Repeat("é", 5000))), transcode.UTF8)
	text, err := io.ReadAll(r)
	require.Equal(t, iotest.ErrTimeout, err)
	require.Equal(t, strings.Repeat("é", 2048), string(text), "the first read of 4 KiB")

	r = transcode.NewReader(iotest.ErrReader(io.ErrClosedPipe), transcode.UTF16LE)
	for range 3 {
		_, err = r.Next()
		require.Equal(t, io.ErrClosedPipe, err)
	}
	n := 0
	for c, err := range r.Chunks() {
		require.Equal(t, io.ErrClosedPipe, err)
		require.Empty(t, c.Text)
		n++
	}
	require.Equal(t, 1, n)
	n = 0
	for _, err := range r.Lines() {
		require.Equal(t, io.ErrClosedPipe, err)
		n++
	}
	require.Equal(t, 1, n)
}

// emptyReads gives neither bytes nor an error for some calls before each byte.
type emptyReads struct {
	text   string
	before int
	done   int
}

func (r *emptyReads) Read(p []byte) (int, error) {
	if r.done++; r.done <= r.before {
		return 0, nil
	}
	r.done = 0
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:1], r.text)
	r.text = r.text[n:]
	return n, nil
}

func TestReaderEmptyReads(t *testing.T) {
	for _, n := range []int{1, 3, 99} {
		text, err := io.ReadAll(transcode.NewReader(&emptyReads{text: "aé😀\xE2\x82", before: n}, transcode.UTF8))
		require.NoError(t, err)
		require.Equal(t, "aé😀\uFFFD", string(text))
	}
	source := &emptyReads{text: "ab", before: 100}
	r := transcode.NewReader(source, transcode.UTF8)
	_, err := r.Next()
	require.Equal(t, io.ErrNoProgress, err)
	require.Equal(t, 100, source.done)
	_, err = r.ReadByte()
	require.Equal(t, io.ErrNoProgress, err, "it stays")
	require.Equal(t, 100, source.done, "the source is not asked again")
}

// badReader returns an impossible count.
type badReader int

func (n badReader) Read(p []byte) (int, error) {
	if n > 0 {
		return len(p) + int(n), nil
	}
	return int(n), nil
}

func TestReaderBadCounts(t *testing.T) {
	for _, n := range []int{-1, 1, 1 << 20, math.MinInt32} {
		r := transcode.NewReader(badReader(n), transcode.UTF8)
		_, err := r.Next()
		require.Error(t, err)
		require.NotEqual(t, io.EOF, err)
		_, again := r.ReadByte()
		require.Equal(t, err, again)
		w := transcode.NewWriter(io.Discard, transcode.UTF8)
		_, err = w.ReadFrom(badReader(n))
		require.Error(t, err)

		// Beside bytes that were kept.
		r = transcode.NewReader(io.MultiReader(strings.NewReader("a\xC3"), badReader(n)), transcode.UTF8)
		c, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, "a", string(c.Text))
		_, err = r.Next()
		require.Equal(t, again, err)
	}
}

// After an error in the text the source is left alone.
func TestReaderLeavesTheSourceAfterAnError(t *testing.T) {
	reads := 0
	source := readerFunc(func(p []byte) (int, error) {
		reads++
		return copy(p, "ab\xFFc"), nil
	})
	r := transcode.Transcoder{}.NewReader(source)
	text, err := io.ReadAll(r)
	require.Equal(t, "ab", string(text))
	require.Equal(t, &transcode.Error{Offset: 2, Len: 1, Kind: transcode.KindBadLead}, err)
	for range 3 {
		_, again := r.Next()
		require.Equal(t, err, again)
	}
	require.Equal(t, 1, reads)
	require.Equal(t, int64(2), r.InputOffset())
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Next returns as soon as there is a whole character, and never waits for more.
func TestReaderDoesNotWait(t *testing.T) {
	inParts := map[transcode.Encoding][]string{
		transcode.UTF8:    {"a", "\xC3", "\xA9b\xE2\x82", "\xAC"},
		transcode.UTF16LE: {"a\x00", "\x3D", "\xD8", "\x00\xDEb\x00c", "\x00"},
		transcode.UTF32BE: {"\x00\x00\x00a\x00", "\x01\xF6\x00"},
		transcode.Latin1:  {"a", "\xE9"},
	}
	for e, parts := range inParts {
		stream := transcode.Transcoder{From: e}.NewStream()
		source := &texts.Pieces{Err: errors.New("read although there was a whole character")}
		r := transcode.Transcoder{From: e}.NewReader(source)
		var pending []byte
		for _, part := range parts {
			source.Rest = append(source.Rest, []byte(part))
			pending = append(pending, part...)
			want := make([]byte, 16)
			n, m, err := stream.Transform(want, pending, false)
			require.True(t, err == nil || err == transcode.ErrShortSrc)
			pending = pending[m:]
			if n == 0 { // Next needs the next piece too
				continue
			}
			c, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, string(want[:n]), string(c.Text))
		}
		require.Empty(t, pending)
	}
}

// Buffers begin small, grow while reads fill them, and stop at 256 KiB.
func TestReaderBuffers(t *testing.T) {
	source := &texts.SizeReader{Most: 1 << 30, Left: 4 << 20}
	_, err := io.Copy(io.Discard, transcode.NewReader(source, transcode.Latin1))
	require.NoError(t, err)
	require.Equal(t, []int{4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10}, source.Asked[:7])
	require.Equal(t, 256<<10, slices.Max(source.Asked))

	source = &texts.SizeReader{Most: 1000, Left: 1 << 20}
	r := transcode.NewReader(source, transcode.UTF8)
	for c, err := range r.Chunks() {
		require.NoError(t, err)
		require.LessOrEqual(t, len(c.Text), 1000)
	}
	require.Equal(t, 4<<10, slices.Max(source.Asked), "reads that do not fill the buffer")

	// A target whose text is longer than the source.
	source = &texts.SizeReader{Most: 1 << 30, Left: 1 << 20}
	r = transcode.Transcoder{From: transcode.Latin1, To: transcode.UTF32LE}.NewReader(source)
	total := 0
	for c, err := range r.Chunks() {
		require.NoError(t, err)
		require.LessOrEqual(t, len(c.Text), 1<<20)
		total += len(c.Text)
	}
	require.Equal(t, 4<<20, total)
	require.Equal(t, 256<<10, slices.Max(source.Asked))
}

// In a steady state a chunk, a line or a byte costs no memory, offsets included.
func TestReaderAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	text := strings.Repeat("a line of text, é and 😀 and more\r\n", 3000)
	for _, tr := range []transcode.Transcoder{
		{OnError: transcode.Replace, BOM: transcode.BOMOverride},
		{From: transcode.UTF16LE, OnError: transcode.Replace, BOM: transcode.BOMOverride},
		{From: transcode.UTF16BE, To: transcode.UTF16LE},
		{From: transcode.UTF32LE},
		{From: transcode.UTF8, To: transcode.ASCII, OnError: transcode.Skip},
	} {
		src := texts.Encoded(tr.From, text)
		source := bytes.NewReader(nil)
		r := tr.NewReader(source)
		drain := map[string]func(){
			"Next": func() {
				for {
					if _, err := r.Next(); err != nil {
						return
					}
					r.InputOffset()
				}
			},
			"ReadByte": func() {
				for range 10000 {
					r.ReadByte()
					if r.InputOffset(); r.UnreadByte() == nil {
						r.ReadByte()
					}
				}
			},
			"Chunks": func() {
				for range r.Chunks() {
				}
			},
		}
		if tr.To == transcode.UTF8 {
			drain["Lines"] = func() {
				for range r.Lines() {
				}
			}
		}
		for name, f := range drain {
			once := func() {
				source.Reset(src)
				r.Reset(source)
				f()
			}
			once() // lets the buffers grow
			if n := testing.AllocsPerRun(3, once); n > 2 {
				t.Errorf("%+v, %s: %v allocations in a text of %d bytes", tr, name, n, len(src))
			}
		}
	}
}

type shortWriter struct {
	bytes.Buffer
	most int   // bytes it takes in a call
	err  error // what it returns when it takes fewer
	lie  int   // added to the count
}

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(w.most, len(p))
	w.Buffer.Write(p[:n])
	if n < len(p) {
		return n + w.lie, w.err
	}
	return n + w.lie, nil
}

func TestReaderWriteTo(t *testing.T) {
	broken := errors.New("broken")
	src := "aé€😀\xFF."
	text := "aé€😀\uFFFD."
	x := check.Expect(t, transcode.Transcoder{OnError: transcode.Replace}, []byte(src))
	for most := range len(text) + 1 {
		for _, err := range []error{nil, broken} {
			r := transcode.NewReader(strings.NewReader(src), transcode.UTF8)
			w := &shortWriter{most: most, err: err}
			n, got := r.WriteTo(w)
			require.Equal(t, int64(w.Len()), n)
			want := err
			switch {
			case most == len(text):
				want = nil
			case err == nil:
				want = io.ErrShortWrite
			}
			require.Equal(t, want, got)
			require.Equal(t, text[:most], w.String())
			require.NoError(t, x.CheckOffset(r, most))
			// The rest is still there.
			rest, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, text[most:], string(rest))
		}
	}
	for _, lie := range []int{-1 << 20, 1} {
		r := transcode.NewReader(strings.NewReader(src), transcode.UTF8)
		n, err := r.WriteTo(&shortWriter{most: 1 << 20, lie: lie})
		require.Error(t, err)
		require.Equal(t, int64(0), n)
	}
	// The text before an error is written.
	r := transcode.Transcoder{}.NewReader(strings.NewReader("ab\xFF"))
	var b bytes.Buffer
	n, err := io.Copy(&b, r)
	require.Equal(t, int64(2), n)
	require.Equal(t, "ab", b.String())
	require.ErrorIs(t, err, transcode.ErrInvalid)
}

func TestReaderReadText(t *testing.T) {
	for _, c := range []struct {
		src   string
		class transcode.Class
	}{{"", transcode.ClassASCII}, {"abc", transcode.ClassASCII}, {"é\xFF", transcode.ClassBMP}, {"aé", transcode.ClassLatin1}, {"日本", transcode.ClassBMP}, {"a😀", transcode.ClassSupplementary}} {
		for _, to := range []transcode.Encoding{transcode.UTF8, transcode.UTF16BE, transcode.UTF32LE} {
			want, _ := transcode.Decode(c.src)
			text, err := transcode.Transcoder{OnError: transcode.Replace, To: to}.NewReader(iotest.OneByteReader(strings.NewReader(c.src))).ReadText()
			require.NoError(t, err)
			require.Equal(t, want, text)
			require.Equal(t, c.class, text.Class())
		}
	}
	// The rest of the stream.
	r := transcode.NewReader(strings.NewReader("12\n3é"), transcode.Latin1)
	_, err := r.ReadByte()
	require.NoError(t, err)
	text, err := r.ReadText()
	require.NoError(t, err)
	require.Equal(t, "2\n3Ã©", text.String())
	text, err = r.ReadText()
	require.NoError(t, err)
	require.Equal(t, transcode.Text{}, text)

	text, err = transcode.Transcoder{}.NewReader(strings.NewReader("ab\x80")).ReadText()
	require.Equal(t, &transcode.Error{Offset: 2, Len: 1, Kind: transcode.KindTooLong}, err)
	require.Equal(t, transcode.Text{}, text)
}

func TestReaderReset(t *testing.T) {
	tr := transcode.Transcoder{From: transcode.Latin1, OnError: transcode.Replace, BOM: transcode.BOMOverride}
	mark := "\xFE\xFF"
	r := tr.NewReader(strings.NewReader(mark + "\x00a\xD8\x00"))
	_, err := r.ReadByte()
	require.NoError(t, err)
	require.Equal(t, transcode.UTF16BE, r.Encoding())
	for range 2 { // in the middle, then after the end and an error
		r.Reset(strings.NewReader("\xE9\x80"))
		require.Equal(t, int64(0), r.InputOffset())
		require.Equal(t, int64(0), r.Replaced())
		require.Equal(t, transcode.ClassASCII, r.Class())
		require.Equal(t, transcode.Latin1, r.Encoding())
		require.Equal(t, bufio.ErrInvalidUnreadByte, r.UnreadByte())
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "é\u0080", string(text))
		require.Equal(t, int64(2), r.InputOffset())
	}
	// A byte order mark is looked for again.
	r.Reset(strings.NewReader(mark + "\x00b"))
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "b", string(text))
	require.Equal(t, transcode.UTF16BE, r.Encoding())
	// An error is forgotten.
	r = transcode.Transcoder{}.NewReader(strings.NewReader("\xFF"))
	_, err = r.Next()
	require.Error(t, err)
	r.Reset(iotest.ErrReader(io.ErrClosedPipe))
	_, err = r.Next()
	require.Equal(t, io.ErrClosedPipe, err)
	r.Reset(strings.NewReader("\xC3\xA9"))
	c, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "é", string(c.Text))
	require.Equal(t, int64(0), c.Offset)
	// So is a record that an error cut.
	r.Reset(strings.NewReader("ab\xFF"))
	for range r.Lines() {
	}
	require.Equal(t, int64(0), r.InputOffset())
	r.Reset(strings.NewReader("abc"))
	_, err = r.Next()
	require.NoError(t, err)
	require.Equal(t, int64(3), r.InputOffset())
}

func TestReaderProgress(t *testing.T) {
	r := transcode.NewReader(&texts.Pieces{Rest: [][]byte{[]byte("\xEF\xBB\xBFa"), []byte("\xC3\xA9"), []byte("\x80\xFF"), []byte("\xF0\x9F\x98"), []byte("\x80b")}}, transcode.UTF16LE)
	require.Equal(t, transcode.UTF16LE, r.Encoding(), "From, before anything is read")
	for i, want := range []struct {
		text     string
		class    transcode.Class // of all so far
		offset   int64
		replaced int64
	}{{"a", transcode.ClassASCII, 4, 0}, {"é", transcode.ClassLatin1, 6, 0}, {"\uFFFD\uFFFD", transcode.ClassBMP, 8, 2}, {"😀b", transcode.ClassSupplementary, 13, 2}} {
		c, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, want.text, string(c.Text))
		require.Equal(t, want.class, r.Class(), i)
		require.Equal(t, want.offset, r.InputOffset())
		require.Equal(t, want.replaced, r.Replaced())
		require.Equal(t, transcode.UTF8, r.Encoding())
	}
}

// Strict errors are those of decoding at once, which are those of Check, on every route and under every split.
func TestReaderStrictErrors(t *testing.T) {
	for _, e := range check.Encodings {
		for _, text := range texts.Faulty(e) {
			want := transcode.Check(text.Src, e)
			for parts := range texts.Splits(text.Src) {
				_, err := transcode.Transcoder{From: e}.NewReader(&texts.Pieces{Rest: slices.Clone(parts)}).WriteTo(io.Discard)
				if !check.SameError(err, want) {
					t.Fatalf("%v, % .80x: %v, want %v", e, parts, err, want)
				}
			}
		}
	}
	// An offset counts a byte order mark.
	_, err := io.ReadAll(transcode.Transcoder{BOM: transcode.BOMOverride}.NewReader(strings.NewReader("\xFE\xFF\x00a\xDC\x00")))
	require.Equal(t, &transcode.Error{Encoding: transcode.UTF16BE, Offset: 4, Len: 2, Kind: transcode.KindSurrogate}, err)
	_, err = io.ReadAll(transcode.Transcoder{To: transcode.ASCII}.NewReader(strings.NewReader("a€")))
	require.Equal(t, &transcode.Error{Offset: 1, Len: 3, Kind: transcode.KindUnencodable, Rune: '€'}, err)
	require.ErrorIs(t, err, transcode.ErrUnencodable)
}

func TestReaderUnknownConfiguration(t *testing.T) {
	for _, tr := range []transcode.Transcoder{{From: 9}, {To: 7}, {OnError: 4}, {BOM: 3}} {
		r := tr.NewReader(strings.NewReader("abc"))
		c, err := r.Next()
		require.ErrorContains(t, err, "transcode: unknown", "%+v", tr)
		require.Empty(t, c.Text)
		var e *transcode.Error
		require.False(t, errors.As(err, &e))
		_, again := r.ReadByte()
		require.Equal(t, err, again)
		_, err = tr.NewReader(strings.NewReader("")).Read(make([]byte, 1))
		require.ErrorContains(t, err, "transcode: unknown")
	}
}

// ReadRune, Lines and Records are for UTF-8.
func TestReaderOtherTargets(t *testing.T) {
	for _, to := range check.Encodings[1:] {
		r := transcode.Transcoder{To: to}.NewReader(strings.NewReader("ab\n"))
		_, _, err := r.ReadRune()
		require.ErrorContains(t, err, to.String())
		n := 0
		for _, err := range r.Lines() {
			require.ErrorContains(t, err, to.String())
			n++
		}
		require.Equal(t, 1, n)
		// Nothing is lost by the attempt.
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, texts.Encoded(to, "ab\n"), text)

		// Nor does it help that the end of the source is known.
		r.Reset(iotest.DataErrReader(strings.NewReader("ab\n")))
		_, err = r.ReadByte()
		require.NoError(t, err)
		_, _, err = r.ReadRune()
		require.ErrorContains(t, err, to.String())
		for line, err := range r.Lines() {
			require.ErrorContains(t, err, to.String())
			require.Empty(t, line.Text)
		}
	}
}

func TestCharsetReader(t *testing.T) {
	for _, label := range []string{"ISO-8859-1", "latin1", " L1 "} {
		r, err := transcode.CharsetReader(label, strings.NewReader("\xE9"))
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "é", string(text))
	}
	r, err := transcode.CharsetReader("windows-1252", strings.NewReader(""))
	require.ErrorContains(t, err, "windows-1252")
	require.Nil(t, r)

	d := xml.NewDecoder(strings.NewReader(`<?xml version="1.0" encoding="ISO-8859-1"?><a>` + "\xE9" + `</a>`))
	d.CharsetReader = transcode.CharsetReader
	var s string
	require.NoError(t, d.Decode(&s))
	require.Equal(t, "é", s)
}

// TestChunksMayBeAppendedTo: what a caller appends to a chunk does not change what comes next.
func TestChunksMayBeAppendedTo(t *testing.T) {
	src := strings.Repeat("a", 4095) + "é" + strings.Repeat("b", 9000) + "\xFFc"
	r := transcode.Transcoder{OnError: transcode.Replace}.NewReader(strings.NewReader(src))
	var got []byte
	for c, err := range r.Chunks() {
		require.NoError(t, err)
		got = append(got, append(c.Text, '|')[:len(c.Text)]...)
	}
	require.Equal(t, strings.ToValidUTF8(src, "\uFFFD"), string(got))
	require.EqualValues(t, 1, r.Replaced())
}

// TestUnknownConfigurationBehindTheStart: what is unknown is an error at any offset.
func TestUnknownConfigurationBehindTheStart(t *testing.T) {
	src := strings.NewReader(strings.Repeat("text ", 100))
	for _, c := range []transcode.Transcoder{{From: 9}, {From: transcode.Latin1, OnError: 7}, {To: 9}, {From: transcode.Latin1, To: 9, AddBOM: true}} {
		_, err := c.NewRangeReader(src, transcode.Range{Lo: 100, Hi: 200, Encoding: c.From}).Next()
		require.Error(t, err)
		require.NotErrorIs(t, err, io.EOF)
	}
	_, err := transcode.Transcoder{}.NewRangeReader(src, transcode.Range{Lo: 100, Hi: 200, Encoding: 9}).Next()
	require.Error(t, err)
}
