package transcode

import (
	"bytes"
	"fmt"
	"io"
)

// A Range is a part of a text that can be read for itself: its bytes from Lo up to, but not including, Hi, in the given
// encoding. In JSON it is {"lo":0,"hi":1048576,"encoding":"UTF-8"}.
type Range struct {
	Lo       int64    `json:"lo"` // in bytes, where a unit begins
	Hi       int64    `json:"hi"` // in bytes, where the next range begins or the text ends
	Encoding Encoding `json:"encoding"`
}

// A Unit is what a Range has whole numbers of.
type Unit uint8

const (
	UnitCharacter Unit = iota
	UnitLine           // what '\n' ends
	UnitRecord         // what PlanOptions.Delim ends

	numUnits = int(iota)
)

// PlanOptions says how Plan cuts.
type PlanOptions struct {
	From  Encoding  // of the text, unless a byte order mark decides
	BOM   BOMPolicy // what becomes of a byte order mark
	Unit  Unit      // what is not cut
	Delim byte      // of UnitRecord, below 0x80
	Size  int64     // cuts are at the first unit from each multiple of so many bytes on; 64 MiB if 0 or less
}

const defaultRangeSize = 64 << 20

// Plan cuts the size bytes of r into ranges of about o.Size bytes, of whole units. A unit belongs to the range in which its first byte
// lies. The ranges tile the text behind a byte order mark that o.BOM removes: read with NewRangeReader, one after the other, they give the
// same text as a single Reader, under every policy but Strict, whatever the text. It reads a few bytes at each cut, or up to the next
// line. Unknown options, a negative size and what reading r gives are errors; io.ErrUnexpectedEOF says that r is shorter than size.
func Plan(r io.ReaderAt, size int64, o PlanOptions) ([]Range, error) {
	t := Transcoder{From: o.From, BOM: o.BOM}
	if err := t.check(); err != nil {
		return nil, err
	}
	delim := byte('\n')
	switch {
	case int(o.Unit) >= numUnits:
		return nil, fmt.Errorf("transcode: unknown unit %d", uint8(o.Unit))
	case size < 0:
		return nil, fmt.Errorf("transcode: negative size %d", size)
	case o.Unit == UnitRecord:
		delim = o.Delim
		if err := checkDelim(delim); err != nil {
			return nil, err
		}
	}
	if o.Size <= 0 {
		o.Size = defaultRangeSize
	}
	p := planner{r: r, size: size, unit: 1}
	head, err := p.read(0, 4)
	if err != nil {
		return nil, err
	}
	s := t.NewStream()
	n, err := s.beginSource(head, true)
	if err != nil {
		return nil, err
	}
	p.lo = int64(n)
	p.encoding = s.from
	p.unit = int64(s.from.unitSize())

	var ranges []Range
	for lo := p.lo; lo < size; {
		hi := size
		// The first multiple of o.Size behind lo, if there is one before the end.
		if cut := lo/o.Size + 1; cut <= (size-1)/o.Size {
			if o.Unit == UnitCharacter {
				hi, err = p.nextCharacter(cut * o.Size)
			} else {
				hi, err = p.nextRecord(cut*o.Size, delim)
			}
			if err != nil {
				return nil, err
			}
		}
		ranges = append(ranges, Range{lo, hi, p.encoding})
		lo = hi
	}
	return ranges, nil
}

// NewRangeReader returns a Reader of one range. Offsets that it reports are those of r. rg.Encoding takes the place of
// t.From, a byte order mark is text, and none is added. If r ends before the range does, io.ErrUnexpectedEOF follows the
// text. A range that is none is an error of the first read.
func (t Transcoder) NewRangeReader(r io.ReaderAt, rg Range) *Reader {
	if rg.Lo < 0 || rg.Hi < rg.Lo {
		return t.failingReader(fmt.Errorf("transcode: no range from %d to %d", rg.Lo, rg.Hi))
	}
	t.From, t.BOM, t.AddBOM = rg.Encoding, BOMKeep, false
	return t.newReaderAt(&section{r: r, off: rg.Lo, end: rg.Hi, whole: true}, rg.Lo)
}

// A planner finds where units begin in the bytes lo to size of r.
type planner struct {
	r        io.ReaderAt
	lo, size int64
	encoding Encoding
	unit     int64 // bytes in a code unit
	buf      []byte
}

// read returns n bytes from off on, or as many as there are before size. They are lent until the next call.
func (p *planner) read(off, n int64) ([]byte, error) {
	n = min(n, p.size-off)
	if int64(cap(p.buf)) < n {
		p.buf = make([]byte, n)
	}
	b := p.buf[:n]
	k, err := p.r.ReadAt(b, off)
	switch {
	case int64(k) == n:
		return b, nil
	case k < 0 || int64(k) > n:
		err = errBadCount
	case err == nil || err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

// align returns the first boundary of code units at or after off.
func (p *planner) align(off int64) int64 {
	if over := off % p.unit; over > 0 {
		off += min(p.unit-over, p.size-off)
	}
	return min(off, p.size)
}

// nextCharacter returns where the first character at or after off begins, or ill-formed sequence.
func (p *planner) nextCharacter(off int64) (int64, error) {
	off = max(p.align(off), p.lo)
	back := int64(0) // a sequence that reaches over off begins at most this much before it
	switch p.encoding {
	case UTF8:
		back = min(3, off-p.lo)
	case UTF16LE, UTF16BE:
		back = min(2, off-p.lo)
	}
	b, err := p.read(off-back, back+4)
	if err != nil {
		return 0, err
	}
	for k := p.unit; k <= back; k += p.unit {
		before := b[back-k:]
		if p.encoding == UTF8 && isContinuation(before[0]) {
			continue
		}
		// Sequential decoding comes to a stop here too: nothing but a continuation byte or a low surrogate is ever in the middle of a
		// sequence, and a low surrogate alone ends where its pair would.
		_, n, _ := inspect(before, p.encoding, p.encoding)
		return max(off, off-k+int64(n)), nil
	}
	return off, nil
}

// nextRecord returns where the first record at or after off begins: at the start, or behind a delimiter.
func (p *planner) nextRecord(off int64, delim byte) (int64, error) {
	const step = 64 << 10
	mark, err := Append(nil, p.encoding, []byte{delim}, ASCII)
	if err != nil {
		return 0, err
	}
	// A delimiter that ends at off counts too.
	for off = max(p.align(off)-p.unit, p.lo); off < p.size; {
		b, err := p.read(off, step)
		if err != nil {
			return 0, err
		}
		for i := 0; ; i++ {
			n := bytes.Index(b[i:], mark)
			if n < 0 {
				break
			}
			if i += n; int64(i)%p.unit == 0 {
				return off + int64(i) + p.unit, nil
			}
		}
		off += min(step, p.size-off)
	}
	return p.size, nil
}
