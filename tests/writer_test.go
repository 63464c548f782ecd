package tests

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/race"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

func TestWriterEverySplit(t *testing.T) {
	cases := 0
	for _, e := range check.Encodings {
		for _, text := range texts.Faulty(e) {
			for _, to := range []transcode.Encoding{transcode.UTF8, transcode.UTF16BE, transcode.ASCII} {
				for _, policy := range check.Policies {
					for _, bom := range []transcode.BOMPolicy{transcode.BOMKeep, transcode.BOMOverride} {
						tr := transcode.Transcoder{From: e, To: to, OnError: policy, BOM: bom, AddBOM: bom == transcode.BOMKeep}
						x := check.Expect(t, tr, text.Src)
						w := tr.NewWriter(nil)
						for parts := range texts.Splits(text.Src) {
							if !texts.Every(&cases, 31) {
								continue
							}
							var b bytes.Buffer
							w.Reset(&b)
							if err := check.Write(tr, w, &b, x, parts, cases%4 == 0); err != nil {
								t.Fatalf("%+v, fault %s, % x: %v", tr, text.Name, parts, err)
							}
						}
					}
				}
			}
		}
	}
}

// Every pair of encodings, with whole and with tiny writes, and byte order marks cut and doubled.
func TestWriterEveryPair(t *testing.T) {
	for _, from := range check.Encodings {
		sources := [][]byte{texts.Torture(from), texts.Encoded(from, "plain"), nil, slices.Concat(oracle.BOM(from), oracle.BOM(from), texts.Encoded(from, "é")), slices.Concat(oracle.BOM(from), []byte{0xD8})}
		for _, to := range check.Encodings {
			for _, policy := range check.Policies {
				for _, bom := range check.BOMPolicies {
					for _, add := range []bool{false, true} {
						tr := transcode.Transcoder{From: from, To: to, OnError: policy, BOM: bom, AddBOM: add}
						for _, src := range sources {
							x := check.Expect(t, tr, src)
							for _, size := range []int{1, 2, 3, 5, len(src) + 1} {
								if testing.Short() && size > 1 && len(src) > 100 {
									continue
								}
								var b bytes.Buffer
								if err := check.Write(tr, tr.NewWriter(&b), &b, x, slices.Collect(slices.Chunk(src, size)), false); err != nil {
									t.Fatalf("%+v, % .80x in pieces of %d: %v", tr, src, size, err)
								}
							}
						}
					}
				}
			}
		}
	}
}

// Flush keeps an unfinished character, and an unfinished byte order mark; Close does not.
func TestWriterFlush(t *testing.T) {
	var b bytes.Buffer
	w := transcode.Transcoder{To: transcode.UTF16BE, OnError: transcode.Replace, BOM: transcode.BOMOverride}.NewWriter(&b)
	for _, step := range []struct{ piece, want string }{
		{"", ""}, {"\xEF\xBB", ""}, {"\xBF", ""}, {"a", "\x00a"}, {"\xF0\x9F", "\x00a"}, {"\x98", "\x00a"}, {"\x80b\xE2\x82", "\x00a\xD8\x3D\xDE\x00\x00b"},
	} {
		n, err := w.WriteString(step.piece)
		require.NoError(t, err)
		require.Equal(t, len(step.piece), n)
		require.NoError(t, w.Flush())
		require.Equal(t, step.want, b.String())
	}
	require.NoError(t, w.Close())
	require.Equal(t, "\x00a\xD8\x3D\xDE\x00\x00b\xFF\xFD", b.String())
}

// Nothing is written before it is needed.
func TestWriterBuffers(t *testing.T) {
	var b bytes.Buffer
	w := transcode.NewWriter(&b, transcode.UTF16LE)
	_, err := w.WriteString("abc")
	require.NoError(t, err)
	require.Zero(t, b.Len())
	require.NoError(t, w.Flush())
	require.Equal(t, 6, b.Len())
	require.NoError(t, w.Close())
	require.Equal(t, 6, b.Len())
}

func TestWriterClose(t *testing.T) {
	for _, c := range []struct {
		policy transcode.Policy
		want   string
		err    error
	}{
		{transcode.Strict, "a", &transcode.Error{Offset: 1, Len: 2, Kind: transcode.KindTruncated}},
		{transcode.Replace, "a\uFFFD", nil},
		{transcode.ReplaceBytes, "a\uFFFD\uFFFD", nil},
		{transcode.Skip, "a", nil},
	} {
		var b bytes.Buffer
		w := transcode.Transcoder{OnError: c.policy}.NewWriter(&b)
		n, err := w.WriteString("a\xE2\x82")
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.Equal(t, c.err, w.Close())
		require.Equal(t, c.want, b.String())
		_, err = w.WriteString("b")
		require.Error(t, err)
		_, err = w.Write(nil)
		require.Error(t, err)
		_, err = w.ReadFrom(strings.NewReader("b"))
		require.Error(t, err)
		require.Equal(t, c.err, w.Close(), "again")
		require.NoError(t, w.Flush())
		require.Equal(t, c.want, b.String())
	}
}

// An error in the text stays; what stands before it is written.
func TestWriterTextErrors(t *testing.T) {
	for _, flush := range []bool{true, false} {
		var b bytes.Buffer
		w := transcode.NewWriter(&b, transcode.Latin1)
		n, err := w.WriteString("aé")
		require.NoError(t, err)
		require.Equal(t, 3, n)
		n, err = w.WriteString("b€c")
		require.Equal(t, &transcode.Error{Offset: 4, Len: 3, Kind: transcode.KindUnencodable, Rune: '€'}, err)
		require.Equal(t, 1, n)
		n, again := w.WriteString("d")
		require.Equal(t, err, again)
		require.Equal(t, 0, n)
		_, again = w.ReadFrom(strings.NewReader("d"))
		require.Equal(t, err, again)
		if flush {
			require.NoError(t, w.Flush())
			require.Equal(t, "a\xE9b", b.String())
		}
		require.Equal(t, err, w.Close())
		require.Equal(t, err, w.Close(), "again")
		require.Equal(t, "a\xE9b", b.String())
	}
	// A fault that an earlier piece began: none of this piece was taken.
	w := transcode.NewWriter(io.Discard, transcode.UTF16LE)
	_, err := w.WriteString("a\xE2\x82")
	require.NoError(t, err)
	n, err := w.WriteString("bc")
	require.Equal(t, &transcode.Error{Offset: 1, Len: 2, Kind: transcode.KindTooShort}, err)
	require.Equal(t, 0, n)
}

// Errors of the writer below stay, and what it took is not written again.
func TestWriterBelow(t *testing.T) {
	broken := errors.New("broken")
	for most := range 4 {
		for _, c := range []struct{ err, want error }{{broken, broken}, {nil, io.ErrShortWrite}} {
			below := &shortWriter{most: most, err: c.err}
			w := transcode.NewWriter(below, transcode.UTF8)
			_, err := w.WriteString("abcd")
			require.NoError(t, err)
			require.Equal(t, c.want, w.Flush())
			below.most = 100
			require.Equal(t, c.want, w.Flush())
			n, err := w.WriteString("e")
			require.Equal(t, c.want, err)
			require.Equal(t, 0, n)
			require.Equal(t, c.want, w.Close())
			require.Equal(t, "abcd"[:most], below.String())
		}
	}
	for _, lie := range []int{-100, 1, 1 << 30} {
		w := transcode.NewWriter(&shortWriter{most: 100, lie: lie}, transcode.UTF8)
		_, err := w.WriteString("abc")
		require.NoError(t, err)
		err = w.Flush()
		require.Error(t, err)
		require.NotEqual(t, io.ErrShortWrite, err)
		require.Equal(t, err, w.Close())
	}
	// In the middle of a large write.
	below := &shortWriter{most: 3000, err: broken}
	w := transcode.NewWriter(below, transcode.UTF16LE)
	n, err := w.Write(bytes.Repeat([]byte("a"), 1<<20))
	require.Equal(t, broken, err)
	require.Less(t, n, 1<<20)
	require.Equal(t, 3000, below.Len())
}

// Large writes go through a buffer of at most 64 KiB.
func TestWriterLarge(t *testing.T) {
	src := longText(transcode.UTF8, texts.Thin(300<<10, 150<<10), 11)
	for _, to := range []transcode.Encoding{transcode.UTF8, transcode.Latin1, transcode.UTF16LE, transcode.UTF32BE} {
		tr := transcode.Transcoder{To: to, OnError: transcode.Replace}
		want, err := tr.Append(nil, src)
		require.NoError(t, err)
		for _, most := range []int{1 << 20, 70000, 65536, 4097, 100} {
			var b bytes.Buffer
			var sizes []int
			w := tr.NewWriter(writerFunc(func(p []byte) (int, error) {
				sizes = append(sizes, len(p))
				return b.Write(p)
			}))
			rnd := rand.New(rand.NewPCG(uint64(most), 1))
			for _, part := range randomPieces(rnd, src, most) {
				n, err := w.Write(part)
				require.NoError(t, err)
				require.Equal(t, len(part), n)
			}
			require.NoError(t, w.Close())
			require.True(t, bytes.Equal(want, b.Bytes()), "%v, pieces of up to %d", to, most)
			require.LessOrEqual(t, slices.Max(sizes), 64<<10)
			require.Less(t, len(sizes), len(want)/(32<<10)+8, "the buffer grows")
		}
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriterReadFrom(t *testing.T) {
	src := longText(transcode.UTF16BE, 20<<10, 3)
	tr := transcode.Transcoder{From: transcode.UTF16BE, OnError: transcode.Replace}
	want, err := tr.Append(nil, src)
	require.NoError(t, err)
	for name, r := range map[string]io.Reader{
		"whole":    bytes.NewReader(src),
		"one":      iotest.OneByteReader(bytes.NewReader(src)),
		"halves":   iotest.HalfReader(bytes.NewReader(src)),
		"data+EOF": iotest.DataErrReader(bytes.NewReader(src)),
		"empty":    &emptyReads{text: string(src[:2000]), before: 99},
	} {
		src, want := src, want
		if name == "empty" {
			src = src[:2000]
			want, _ = tr.Append(nil, src)
		}
		var b bytes.Buffer
		w := tr.NewWriter(&b)
		n, err := w.ReadFrom(r)
		require.NoError(t, err, name)
		require.Equal(t, int64(len(src)), n, name)
		require.NoError(t, w.Close())
		require.True(t, bytes.Equal(want, b.Bytes()), name)
	}
	// An unfinished character stays for what follows.
	var b bytes.Buffer
	w := transcode.NewWriter(&b, transcode.Latin1)
	for _, s := range []string{"a\xC3", "", "\xA9"} {
		_, err := io.Copy(w, strings.NewReader(s))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.Equal(t, "a\xE9", b.String())
}

func TestWriterReadFromErrors(t *testing.T) {
	// What comes before an error of the source is taken, and the Writer goes on.
	var b bytes.Buffer
	w := transcode.NewWriter(&b, transcode.UTF8)
	n, err := w.ReadFrom(&texts.Pieces{Rest: [][]byte{[]byte("ab"), []byte("c")}, Err: io.ErrClosedPipe, With: true})
	require.Equal(t, int64(3), n)
	require.Equal(t, io.ErrClosedPipe, err)
	n, err = w.ReadFrom(&emptyReads{text: "de", before: 100})
	require.Equal(t, int64(0), n)
	require.Equal(t, io.ErrNoProgress, err)
	_, err = w.WriteString("d")
	require.NoError(t, err)
	require.NoError(t, w.Flush())
	require.Equal(t, "abcd", b.String())
	// A fault ends it.
	_, err = w.ReadFrom(strings.NewReader("e\xFFf"))
	require.Equal(t, &transcode.Error{Offset: 5, Len: 1, Kind: transcode.KindBadLead}, err)
	w.Close()
	require.Equal(t, "abcde", b.String())
	// So does the writer below.
	w = transcode.NewWriter(&shortWriter{err: io.ErrClosedPipe}, transcode.UTF8)
	_, err = w.ReadFrom(&texts.SizeReader{Most: 1 << 20, Left: 1 << 20})
	require.Equal(t, io.ErrClosedPipe, err)
}

// places notes where what is written lies in memory.
type places struct {
	bytes.Buffer
	at []*byte
}

func (p *places) Write(b []byte) (int, error) {
	p.at = append(p.at, unsafe.SliceData(b))
	return p.Buffer.Write(b)
}

// A large text that needs no conversion is written from where it is, behind what was written before, and up to an unfinished character.
func TestWriterDirect(t *testing.T) {
	for _, e := range check.Encodings {
		tail := map[transcode.Encoding]string{transcode.UTF8: "\xE2\x82", transcode.UTF16LE: "\x3D", transcode.UTF32BE: "\x00\x00"}[e]
		src := append(slices.Concat(oracle.BOM(e), slices.Repeat(texts.Encoded(e, "abc\n"), 20<<10)), tail...)
		for _, tr := range []transcode.Transcoder{{From: e, To: e, OnError: transcode.Replace, BOM: transcode.BOMStrip}, {From: e, To: e, OnError: transcode.Replace}} {
			for _, before := range []string{"", "a"} {
				var p places
				w := tr.NewWriter(&p)
				start := len(oracle.BOM(e))
				if tr.BOM == transcode.BOMKeep || before != "" {
					start = 0
				}
				_, err := w.Write(texts.Encoded(e, before))
				require.NoError(t, err)
				n, err := w.Write(src)
				require.NoError(t, err)
				require.Equal(t, len(src), n)
				require.Equal(t, &src[start], p.at[len(p.at)-1], "%v", e)
				require.NoError(t, w.Close())
				want, err := tr.Append(nil, append(texts.Encoded(e, before), src...))
				require.NoError(t, err)
				require.True(t, bytes.Equal(want, p.Bytes()), "%+v", tr)
			}
		}
	}
	// Not what is written below.
	broken := errors.New("broken")
	for _, most := range []int{0, 1, 20 << 10} {
		w := transcode.NewWriter(&shortWriter{most: most, err: broken}, transcode.UTF8)
		_, err := w.Write(make([]byte, 30<<10))
		require.Equal(t, broken, err)
		_, err = w.Write(make([]byte, 30<<10))
		require.Equal(t, broken, err)
		require.Equal(t, broken, w.Close())
	}
}

func TestWriterReset(t *testing.T) {
	tr := transcode.Transcoder{To: transcode.UTF16LE, BOM: transcode.BOMOverride, AddBOM: true}
	var a, b bytes.Buffer
	w := tr.NewWriter(&a)
	_, err := w.WriteString("\xFE\xFF\x00a\x00")
	require.NoError(t, err)
	for i := range 3 { // with an unfinished character, an error in the text, closed and with an error below
		w.Reset(&b)
		b.Reset()
		_, err = w.WriteString("b\xC3")
		require.NoError(t, err)
		_, err = w.WriteString("\xA9")
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		require.Equal(t, "\xFF\xFEb\x00\xE9\x00", b.String())
		switch i {
		case 0:
			_, err = w.WriteString("\xFF")
			require.Equal(t, &transcode.Error{Offset: 3, Len: 1, Kind: transcode.KindBadLead}, err)
			require.Error(t, w.Close())
		case 1:
			w.Reset(&shortWriter{})
			_, err = w.WriteString("x")
			require.NoError(t, err)
			require.Error(t, w.Flush())
		}
	}
	require.Zero(t, a.Len(), "what was not flushed is lost")
}

func TestWriterAddBOM(t *testing.T) {
	for _, to := range check.Encodings {
		for _, s := range []string{"", "a", "\uFEFF", "\uFEFFa", "\uFEFF\uFEFFa"} {
			if to == transcode.ASCII || to == transcode.Latin1 {
				s = strings.ReplaceAll(s, "\uFEFF", "")
			}
			for _, size := range []int{1, 100} {
				var b bytes.Buffer
				w := transcode.Transcoder{To: to, AddBOM: true}.NewWriter(&b)
				for part := range slices.Chunk([]byte(s), size) {
					_, err := w.Write(part)
					require.NoError(t, err)
				}
				require.NoError(t, w.Close())
				want := slices.Concat(oracle.BOM(to), texts.Encoded(to, strings.TrimPrefix(s, "\uFEFF")))
				require.Equal(t, string(want), b.String(), "%q to %v", s, to)
			}
		}
	}
}

func TestWriterUnknownConfiguration(t *testing.T) {
	for _, tr := range []transcode.Transcoder{{From: 9}, {To: 7}, {OnError: 4}, {BOM: 3}} {
		w := tr.NewWriter(io.Discard)
		n, err := w.WriteString("abc")
		require.ErrorContains(t, err, "transcode: unknown", "%+v", tr)
		require.Equal(t, 0, n)
		require.Equal(t, err, w.Close())
		require.ErrorContains(t, tr.NewWriter(io.Discard).Close(), "transcode: unknown")
	}
}

// What a Writer wrote, a Reader reads.
func TestWriterRoundTrip(t *testing.T) {
	text, _ := transcode.Transcoder{OnError: transcode.Replace}.Append(nil, longText(transcode.UTF8, 20<<10, 5))
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
		for _, add := range []bool{false, true} {
			r, w := io.Pipe()
			go func() {
				writer := transcode.Transcoder{To: e, AddBOM: add}.NewWriter(w)
				rnd := rand.New(rand.NewPCG(uint64(e), 2))
				for _, part := range randomPieces(rnd, text, 777) {
					writer.Write(part)
				}
				w.CloseWithError(writer.Close())
			}()
			from := e
			if add {
				from = transcode.Latin1 // the mark tells
			}
			got, err := io.ReadAll(transcode.Transcoder{From: from, BOM: transcode.BOMOverride}.NewReader(r))
			require.NoError(t, err)
			require.True(t, bytes.Equal(text, got), "%v", e)
		}
	}
}

func TestWriterAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	text := []byte(strings.Repeat("some text, é and 😀 ", 100))
	for _, to := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF32BE} {
		w := transcode.NewWriter(io.Discard, to)
		write := func() {
			w.Write(text[:1000])
			w.Write(text[1000:])
			w.Flush()
		}
		for range 100 {
			write() // lets the buffer grow
		}
		require.Zero(t, testing.AllocsPerRun(100, write), "%v", to)
	}
}
