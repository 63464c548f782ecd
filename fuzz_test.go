package transcode_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
)

// The seeds are in testdata/fuzz, a folder for each target, each file named for the trouble that it is about. Run one with
//
//	go test -run '^$' -fuzz '^FuzzUTF8$' -fuzztime 100000x

// FuzzUTF8 takes the input for UTF-8: validation, classes, counts, offsets and every conversion, under every policy.
func FuzzUTF8(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		if transcode.ValidUTF8(src) != utf8.Valid(src) {
			t.Fatalf("ValidUTF8 of % x: %v", src, transcode.ValidUTF8(src))
		}
		if utf8.Valid(src) && transcode.RuneCount(src) != utf8.RuneCount(src) {
			t.Fatalf("RuneCount of % x: %d", src, transcode.RuneCount(src))
		}
		check.UTF8(t, src)
		check.Offsets(t, string(src[:min(len(src), 500)]))
		fuzzSource(t, src, transcode.UTF8)
	})
}

// FuzzUTF16 takes the input for UTF-16: its whole code units for the functions of []uint16, and all bytes in both orders.
func FuzzUTF16(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		check.UTF16(t, oracle.Units16(src))
		fuzzSource(t, src, transcode.UTF16LE)
		fuzzSource(t, src, transcode.UTF16BE)
	})
}

// FuzzUTF32 takes the input for UTF-32: its whole code units for the functions of []rune, and all bytes in both orders.
func FuzzUTF32(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		check.UTF32(t, oracle.Units32(src))
		fuzzSource(t, src, transcode.UTF32LE)
		fuzzSource(t, src, transcode.UTF32BE)
	})
}

// FuzzLatin1 takes the input for Latin-1 and for ASCII.
func FuzzLatin1(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		check.Latin1(t, src)
		check.UTF8(t, transcode.AppendUTF8FromLatin1(nil, src))
		fuzzSource(t, src, transcode.Latin1)
		fuzzSource(t, src, transcode.ASCII)
	})
}

// fuzzSource converts src from one encoding to all, under every policy, and holds all check.ErrorRoutes to one error.
func fuzzSource(t *testing.T, src []byte, from transcode.Encoding) {
	for _, to := range check.Encodings {
		for _, p := range check.Policies {
			check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: p}, src)
		}
		check.Errors(t, src, from, to)
	}
}

// FuzzAppendPairs takes any configuration through all at once and through a Stream, in pieces and destinations that seed chooses.
func FuzzAppendPairs(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, from, to, policy, bom byte, addBOM bool, seed uint64) {
		tr := transcode.Transcoder{
			From:    check.Encodings[int(from)%len(check.Encodings)],
			To:      check.Encodings[int(to)%len(check.Encodings)],
			OnError: check.Policies[int(policy)%len(check.Policies)],
			BOM:     check.BOMPolicies[int(bom)%len(check.BOMPolicies)],
			AddBOM:  addBOM,
		}
		check.Pair(t, tr, src)
		check.Text(t, tr, src)
		r := texts.Rand(seed)
		var cuts []int
		for at := r.Intn(5); at < len(src); at += r.Intn(1 + r.Intn(40)) {
			if cuts = append(cuts, at); len(cuts) > 2*len(src)+2 {
				break // pieces may be empty, but not for ever
			}
		}
		dstLens := []int{r.Intn(17), r.Intn(64), r.Intn(9)}
		check.Stream(t, tr.NewStream(), tr, check.Transcode(tr, src), src, cuts, dstLens)
	})
}

// FuzzDetect holds Detect to what its answer says about the sample.
func FuzzDetect(f *testing.F) {
	f.Fuzz(func(t *testing.T, sample []byte) {
		check.Detect(t, sample)
	})
}

// FuzzText decodes to the smallest form, from every encoding.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, policy, bom byte) {
		check.Decode(t, src)
		for _, from := range check.Encodings {
			check.Text(t, transcode.Transcoder{From: from, OnError: check.Policies[int(policy)%len(check.Policies)], BOM: check.BOMPolicies[int(bom)%len(check.BOMPolicies)]}, src)
		}
	})
}

// The targets below hold every way to read and write to decoding at once (see check.Expectation). Their seeds in testdata/fuzz are written to be read:
// a letter is a call, a digit a number of bytes.

// configuration makes a Transcoder of any bytes.
func configuration(from, to, policy, bom byte, add bool) transcode.Transcoder {
	return transcode.Transcoder{From: transcode.Encoding(from % 7), To: transcode.Encoding(to % 7), OnError: transcode.Policy(policy % 4), BOM: transcode.BOMPolicy(bom % 3), AddBOM: add}
}

// sizedPieces cuts src as sizes says, in pieces that may be empty: a digit is that many bytes, another byte up to 255, and the rest is one piece.
func sizedPieces(src []byte, sizes string) (cut [][]byte) {
	for _, c := range []byte(sizes[:min(len(sizes), 90)]) { // a Reader gives up after 100 empty reads
		n := int(c)
		if c >= '0' && c <= '9' {
			n = int(c - '0')
		}
		n = min(n, len(src))
		cut = append(cut, src[:n])
		src = src[n:]
	}
	if len(src) > 0 {
		cut = append(cut, src)
	}
	return cut
}

// exerciser keeps what a Reader must do next.
type exerciser struct {
	r       *transcode.Reader
	x       *check.Expectation
	want    error // of the source
	k       int   // bytes of text returned
	byteOK  bool  // UnreadByte must succeed
	runeLen int   // what UnreadRune must take back, 0 if it must fail
}

var errDone = errors.New("all is read")

// failed requires that the text ends here, with err.
func (e *exerciser) failed(err error) error {
	if err := e.x.CheckEnd(e.r, e.k, err, e.want); err != nil {
		return err
	}
	return errDone
}

// took requires that p comes next.
func (e *exerciser) took(p []byte) error {
	if e.k+len(p) > len(e.x.Text) || !bytes.Equal(p, e.x.Text[e.k:e.k+len(p)]) {
		return fmt.Errorf("% x at byte %d of the text", p, e.k)
	}
	e.k += len(p)
	return nil
}

// call makes the call that a letter stands for. It returns errDone at the end of the text.
func (e *exerciser) call(letter byte) error {
	byteOK, runeLen := e.byteOK, e.runeLen
	if letter != 'o' {
		e.byteOK, e.runeLen = false, 0
	}
	switch letter {
	case 'b':
		b, err := e.r.ReadByte()
		if err != nil {
			return e.failed(err)
		}
		e.byteOK = true
		return e.took([]byte{b})
	case 'r':
		c, size, err := e.r.ReadRune()
		if e.x.Transcoder.To != transcode.UTF8 {
			if err == nil {
				return errors.New("ReadRune of another encoding than UTF-8")
			}
			return nil
		}
		if err != nil {
			return e.failed(err)
		}
		// In the middle of a character it is as in any ill-formed text.
		want, n, _ := bufio.NewReader(bytes.NewReader(e.x.Text[e.k:])).ReadRune()
		if c != want || size != n {
			return fmt.Errorf("ReadRune %U, %d at byte %d, want %U, %d", c, size, e.k, want, n)
		}
		e.byteOK, e.runeLen = true, size
		e.k += size
	case 'B':
		if err := e.r.UnreadByte(); byteOK != (err == nil) || err != nil && err != bufio.ErrInvalidUnreadByte {
			return fmt.Errorf("UnreadByte: %v", err)
		}
		if byteOK {
			e.k--
		}
	case 'R':
		if err := e.r.UnreadRune(); (runeLen > 0) != (err == nil) || err != nil && err != bufio.ErrInvalidUnreadRune {
			return fmt.Errorf("UnreadRune: %v", err)
		}
		e.k -= runeLen
		if runeLen == 0 {
			e.byteOK = byteOK // nothing happened
		}
	case 'n', 'c':
		var c transcode.Chunk
		var err error
		if letter == 'n' {
			c, err = e.r.Next()
		} else {
			err = io.EOF
			for c, err = range e.r.Chunks() {
				break
			}
		}
		if err != nil {
			return e.failed(err)
		}
		e.k, err = e.x.CheckChunk(c, e.k)
		return err
	case 'l':
		if e.x.Transcoder.To != transcode.UTF8 {
			e.byteOK, e.runeLen = byteOK, runeLen // nothing happens
		}
		return e.line()
	case 'w':
		var b bytes.Buffer
		_, err := e.r.WriteTo(&b)
		if took := e.took(b.Bytes()); took != nil {
			return took
		}
		if err == nil {
			err = io.EOF
		}
		return e.failed(err)
	case 'o':
		if e.k == 0 && e.r.InputOffset() == 0 {
			return nil // perhaps before a byte order mark has been seen
		}
		return e.x.CheckOffset(e.r, e.k)
	default:
		p := make([]byte, letter%10)
		if len(p) == 0 {
			p = make([]byte, letter)
		}
		n, err := e.r.Read(p)
		if err != nil {
			return e.failed(err)
		}
		if e.byteOK = n > 0; !e.byteOK && len(p) > 0 {
			return errors.New("Read returned neither bytes nor an error")
		}
		return e.took(p[:n])
	}
	return nil
}

// line reads a line.
func (e *exerciser) line() error {
	rest := e.x.Text[e.k:]
	n := bytes.IndexByte(rest, '\n')
	want, taken := rest, len(rest)
	if n >= 0 {
		want, taken = bytes.TrimSuffix(rest[:n], []byte{'\r'}), n+1
	}
	lo, hi := e.x.After(e.k)
	var line transcode.Line
	err := io.EOF
	for line, err = range e.r.Lines() {
		break
	}
	fails := e.x.Err != nil || e.want != io.EOF
	switch {
	case e.x.Transcoder.To != transcode.UTF8:
		if err == nil {
			return errors.New("Lines of another encoding than UTF-8")
		}
		return nil
	case len(rest) == 0:
		return e.failed(err)
	case n < 0 && fails:
		// The record is cut short, and InputOffset says where it began.
		if e.x.Err != nil && !check.SameError(err, e.x.Err) || e.x.Err == nil && err != e.want {
			return fmt.Errorf("Lines: %v", err)
		}
		if at := e.r.InputOffset(); at < int64(lo) || at > int64(hi) {
			return fmt.Errorf("InputOffset %d of a cut line, want %d to %d", at, lo, hi)
		}
		return errDone
	case err != nil || !bytes.Equal(line.Text, want):
		return fmt.Errorf("line % x, %v at byte %d, want % x", line.Text, err, e.k, want)
	case line.Offset < int64(lo) || line.Offset > int64(hi):
		return fmt.Errorf("line at %d, want %d to %d", line.Offset, lo, hi)
	}
	e.k += taken
	if lo, hi := e.x.After(e.k); line.Offset+int64(line.Len) < int64(lo) || line.Offset+int64(line.Len) > int64(hi) {
		return fmt.Errorf("line at %d+%d, want it to end at %d to %d", line.Offset, line.Len, lo, hi)
	}
	return nil
}

func FuzzReader(f *testing.F) {
	broken := errors.New("broken")
	f.Fuzz(func(t *testing.T, src []byte, from, to, policy, bom byte, add, fails bool, reads, calls string) {
		if len(src) > 2000 || len(calls) > 2000 {
			return
		}
		tr := configuration(from, to, policy, bom, add)
		x, want := check.Expect(t, tr, src), io.EOF
		source := &texts.Pieces{Rest: sizedPieces(src, reads), With: len(reads)%2 == 1}
		if fails {
			x, want = check.ExpectUnfinished(tr, src), broken
			source.Err = broken
		}
		e := &exerciser{r: tr.NewReader(source), x: x, want: want}
		for i := range len(calls) {
			if err := e.call(calls[i]); err == errDone {
				return
			} else if err != nil {
				t.Fatalf("%+v, call %d: %v", tr, i, err)
			}
			if err := e.call('o'); err != nil {
				t.Fatalf("%+v, after call %d: %v", tr, i, err)
			}
		}
		for {
			if err := e.call('n'); err == errDone {
				return
			} else if err != nil {
				t.Fatalf("%+v, Next at the end: %v", tr, err)
			}
		}
	})
}

func FuzzRecords(f *testing.F) {
	broken := errors.New("broken")
	f.Fuzz(func(t *testing.T, src []byte, from, policy, bom byte, add, fails bool, delim byte, most int, long byte, reads string) {
		if len(src) > 2000 {
			return
		}
		tr := configuration(from, 0, policy, bom, add)
		x, want := check.Expect(t, tr, src), io.EOF
		source := &texts.Pieces{Rest: sizedPieces(src, reads), With: len(reads)%2 == 1}
		if fails {
			x, want = check.ExpectUnfinished(tr, src), broken
			source.Err = broken
		}
		if err := check.Records(tr.NewReader(source), x, want, delim%0x80, most, transcode.LongLine(long%3)); err != nil {
			t.Fatalf("%+v, delimiter %#x, max %d, policy %d: %v", tr, delim%0x80, most, long%3, err)
		}
	})
}

func FuzzWriter(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, from, to, policy, bom byte, add, flush bool, writes string) {
		if len(src) > 2000 || flush && len(writes) > 100 {
			return
		}
		tr := configuration(from, to, policy, bom, add)
		var b bytes.Buffer
		if err := check.Write(tr, tr.NewWriter(&b), &b, check.Expect(t, tr, src), sizedPieces(src, writes), flush); err != nil {
			t.Fatalf("%+v: %v", tr, err)
		}
	})
}

// FuzzFiles reads the input, over and over up to a size, from a file and from a stream in large pieces.
func FuzzFiles(f *testing.F) {
	name := filepath.Join(f.TempDir(), "text")
	f.Fuzz(func(t *testing.T, src []byte, from, to, policy, bom byte, add bool, size, room uint32) {
		most := uint32(4 << 10)
		if size%16 == 0 { // few are large, since those take long
			most = 600 << 10
		}
		if n := int(size % most); len(src) > 0 {
			src = slices.Repeat(src, max(1, n/len(src)))
		}
		if err := os.WriteFile(name, src, 0o600); err != nil {
			t.Fatal(err)
		}
		tr := configuration(from, to, policy, bom, add)
		want, wantErr := tr.Append(nil, src)
		got, err := tr.AppendFile(make([]byte, 0, room%(1<<20)), name)
		var cause *transcode.Error
		if errors.As(err, &cause) {
			err = cause
		}
		if !bytes.Equal(got, want) || !check.SameError(err, wantErr) {
			t.Fatalf("%+v: file of %d bytes, room for %d: %d bytes, %v; want %d, %v", tr, len(src), room%(1<<20), len(got), err, len(want), wantErr)
		}
		if got, err := io.ReadAll(tr.NewReader(bytes.NewReader(src))); !bytes.Equal(got, want) || !check.SameError(err, wantErr) {
			t.Fatalf("%+v: stream of %d bytes: %d bytes, %v; want %d, %v", tr, len(src), len(got), err, len(want), wantErr)
		}
		text, replaced, err := transcode.ReadFileText(name, tr.From)
		if want, n, _ := (transcode.Transcoder{From: tr.From, OnError: transcode.Replace, BOM: transcode.BOMOverride}).Text(src); text != want || replaced != n || err != nil {
			t.Fatalf("%v of %d bytes to Text: class %v, %d replaced, %v; want %v, %d", tr.From, len(src), text.Class(), replaced, err, want.Class(), n)
		}
	})
}

func FuzzPlan(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, from, policy, bom, unit, delim byte, size uint16) {
		if len(src) > 100 {
			return
		}
		o := transcode.PlanOptions{From: transcode.Encoding(from % 7), BOM: transcode.BOMPolicy(bom % 3), Unit: transcode.Unit(unit % 3), Delim: delim % 0x80, Size: int64(size)%int64(len(src)+2) + 1}
		if err := check.Plan(t, src, o, transcode.Policy(policy%4)); err != nil {
			t.Fatalf("%+v, policy %d: %v", o, policy%4, err)
		}
	})
}
