package transcode

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"unicode/utf8"
)

// The seeds are in testdata/fuzz, a folder for each target, each file named for the trouble that it is about. Run one with
//
//	go test -run '^$' -fuzz '^FuzzUTF8$' -fuzztime 100000x

// FuzzUTF8 takes the input for UTF-8: validation, classes, counts, offsets and every conversion, under every policy.
func FuzzUTF8(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		if ValidUTF8(src) != utf8.Valid(src) {
			t.Fatalf("ValidUTF8 of % x: %v", src, ValidUTF8(src))
		}
		if utf8.Valid(src) && RuneCount(src) != utf8.RuneCount(src) {
			t.Fatalf("RuneCount of % x: %d", src, RuneCount(src))
		}
		checkUTF8(t, src)
		checkOffsets(t, string(src[:min(len(src), 500)]))
		fuzzSource(t, src, UTF8)
	})
}

// FuzzUTF16 takes the input for UTF-16: its whole code units for the functions of []uint16, and all bytes in both orders.
func FuzzUTF16(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		checkUTF16(t, unitsOf16(src))
		fuzzSource(t, src, UTF16LE)
		fuzzSource(t, src, UTF16BE)
	})
}

// FuzzUTF32 takes the input for UTF-32: its whole code units for the functions of []rune, and all bytes in both orders.
func FuzzUTF32(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		checkUTF32(t, unitsOf32(src))
		fuzzSource(t, src, UTF32LE)
		fuzzSource(t, src, UTF32BE)
	})
}

// FuzzLatin1 takes the input for Latin-1 and for ASCII.
func FuzzLatin1(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		checkLatin1(t, src)
		checkUTF8(t, AppendUTF8FromLatin1(nil, src))
		fuzzSource(t, src, Latin1)
		fuzzSource(t, src, ASCII)
	})
}

// fuzzSource converts src from one encoding to all, under every policy, and holds all errorRoutes to one error.
func fuzzSource(t *testing.T, src []byte, from Encoding) {
	for _, to := range everyEncoding {
		for _, p := range everyPolicy {
			checkPair(t, Transcoder{From: from, To: to, OnError: p}, src)
		}
		checkRoutes(t, src, from, to)
	}
}

// FuzzAppendPairs takes any configuration through all at once and through a Stream, in pieces and destinations that seed chooses.
func FuzzAppendPairs(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, from, to, policy, bom byte, addBOM bool, seed uint64) {
		tr := Transcoder{
			From:    everyEncoding[int(from)%len(everyEncoding)],
			To:      everyEncoding[int(to)%len(everyEncoding)],
			OnError: everyPolicy[int(policy)%len(everyPolicy)],
			BOM:     everyBOMPolicy[int(bom)%len(everyBOMPolicy)],
			AddBOM:  addBOM,
		}
		checkPair(t, tr, src)
		checkText(t, tr, src)
		r := rng(seed)
		var cuts []int
		for at := r.intn(5); at < len(src); at += r.intn(1 + r.intn(40)) {
			if cuts = append(cuts, at); len(cuts) > 2*len(src)+2 {
				break // pieces may be empty, but not for ever
			}
		}
		dstLens := []int{r.intn(17), r.intn(64), r.intn(9)}
		checkStream(t, tr.NewStream(), tr, oracleTranscode(tr, src), src, cuts, dstLens)
	})
}

// FuzzDetect holds Detect to what its answer says about the sample.
func FuzzDetect(f *testing.F) {
	f.Fuzz(func(t *testing.T, sample []byte) {
		checkDetect(t, sample)
	})
}

// FuzzText decodes to the smallest form, from every encoding.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, policy, bom byte) {
		checkDecode(t, src)
		for _, from := range everyEncoding {
			checkText(t, Transcoder{From: from, OnError: everyPolicy[int(policy)%len(everyPolicy)], BOM: everyBOMPolicy[int(bom)%len(everyBOMPolicy)]}, src)
		}
	})
}

// The targets below hold every way to read and write to decoding at once (see expectation). Their seeds in testdata/fuzz are written to be read:
// a letter is a call, a digit a number of bytes.

// configuration makes a Transcoder of any bytes.
func configuration(from, to, policy, bom byte, add bool) Transcoder {
	return Transcoder{From: Encoding(from % 7), To: Encoding(to % 7), OnError: Policy(policy % 4), BOM: BOMPolicy(bom % 3), AddBOM: add}
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
	r       *Reader
	x       *expectation
	want    error // of the source
	k       int   // bytes of text returned
	byteOK  bool  // UnreadByte must succeed
	runeLen int   // what UnreadRune must take back, 0 if it must fail
}

var errDone = errors.New("all is read")

// failed requires that the text ends here, with err.
func (e *exerciser) failed(err error) error {
	if err := e.x.checkEnd(e.r, e.k, err, e.want); err != nil {
		return err
	}
	return errDone
}

// took requires that p comes next.
func (e *exerciser) took(p []byte) error {
	if e.k+len(p) > len(e.x.text) || !bytes.Equal(p, e.x.text[e.k:e.k+len(p)]) {
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
		if e.x.t.To != UTF8 {
			if err == nil {
				return errors.New("ReadRune of another encoding than UTF-8")
			}
			return nil
		}
		if err != nil {
			return e.failed(err)
		}
		// In the middle of a character it is as in any ill-formed text.
		want, n, _ := bufio.NewReader(bytes.NewReader(e.x.text[e.k:])).ReadRune()
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
		var c Chunk
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
		e.k, err = e.x.checkChunk(c, e.k)
		return err
	case 'l':
		if e.x.t.To != UTF8 {
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
		return e.x.checkOffset(e.r, e.k)
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
	rest := e.x.text[e.k:]
	n := bytes.IndexByte(rest, '\n')
	want, taken := rest, len(rest)
	if n >= 0 {
		want, taken = bytes.TrimSuffix(rest[:n], []byte{'\r'}), n+1
	}
	lo, hi := e.x.after(e.k)
	var line Line
	err := io.EOF
	for line, err = range e.r.Lines() {
		break
	}
	fails := e.x.err != nil || e.want != io.EOF
	switch {
	case e.x.t.To != UTF8:
		if err == nil {
			return errors.New("Lines of another encoding than UTF-8")
		}
		return nil
	case len(rest) == 0:
		return e.failed(err)
	case n < 0 && fails:
		// The record is cut short, and InputOffset says where it began.
		if e.x.err != nil && !sameError(err, e.x.err) || e.x.err == nil && err != e.want {
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
	if lo, hi := e.x.after(e.k); line.Offset+int64(line.Len) < int64(lo) || line.Offset+int64(line.Len) > int64(hi) {
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
		x, want := expect(t, tr, src), io.EOF
		source := &pieces{rest: sizedPieces(src, reads), with: len(reads)%2 == 1}
		if fails {
			x, want = expectUnfinished(tr, src), broken
			source.err = broken
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
		x, want := expect(t, tr, src), io.EOF
		source := &pieces{rest: sizedPieces(src, reads), with: len(reads)%2 == 1}
		if fails {
			x, want = expectUnfinished(tr, src), broken
			source.err = broken
		}
		if err := readRecords(tr.NewReader(source), x, want, delim%0x80, most, LongLine(long%3)); err != nil {
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
		if err := writePieces(tr, tr.NewWriter(&b), &b, expect(t, tr, src), sizedPieces(src, writes), flush); err != nil {
			t.Fatalf("%+v: %v", tr, err)
		}
	})
}

func FuzzPlan(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, from, policy, bom, unit, delim byte, size uint16) {
		if len(src) > 100 {
			return
		}
		o := PlanOptions{From: Encoding(from % 7), BOM: BOMPolicy(bom % 3), Unit: Unit(unit % 3), Delim: delim % 0x80, Size: int64(size)%int64(len(src)+2) + 1}
		if err := checkPlan(t, src, o, Policy(policy%4)); err != nil {
			t.Fatalf("%+v, policy %d: %v", o, policy%4, err)
		}
	})
}
