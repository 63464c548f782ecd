package texts

import (
	"io"
	"iter"
	"math"
	"slices"

	"github.com/seed-1959eab6/transcode/internal/oracle"
)

// Pieces is a source that gives a piece for each call of Read.
type Pieces struct {
	Rest [][]byte
	Err  error // what follows the last piece, io.EOF if nil
	With bool  // it comes with the last piece
}

func (p *Pieces) Read(b []byte) (n int, err error) {
	if len(p.Rest) > 0 {
		n = copy(b, p.Rest[0])
		p.Rest[0] = p.Rest[0][n:]
		if len(p.Rest[0]) == 0 {
			p.Rest = p.Rest[1:]
		}
		if len(p.Rest) > 0 || !p.With {
			return n, nil
		}
	}
	if p.Err == nil {
		return n, io.EOF
	}
	return n, p.Err
}

// CutAt returns src in pieces that end at the given places.
func CutAt(src []byte, places ...int) [][]byte {
	var cut [][]byte
	from := 0
	for _, at := range append(places, len(src)) {
		cut = append(cut, src[from:at])
		from = at
	}
	return cut
}

// Splits yields src whole, in every two and three pieces, empty ones among them, and byte for byte.
func Splits(src []byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		if !yield(CutAt(src)) {
			return
		}
		for i := range len(src) + 1 {
			for j := i; j <= len(src); j++ {
				if !yield(CutAt(src, i, j)) {
					return
				}
			}
		}
		var each [][]byte
		for i := range src {
			each = append(each, src[i:i+1])
		}
		yield(each)
	}
}

// A Source is a short text with something wrong in it, named for where that is.
type Source struct {
	Name string
	Src  []byte
}

func utf16Units[E ~uint8](e E, units ...uint16) []byte { return oracle.Bytes16(units, e) }

func utf32Units[E ~uint8](e E, units ...rune) []byte { return oracle.Bytes32(units, e) }

// Faults lists every kind of ill-formed sequence of an encoding; what a text may end with only, last.
func Faults[E ~uint8](e E) (anywhere, atEnd [][]byte) {
	switch oracle.Encoding(e) {
	case oracle.UTF8:
		for _, s := range []string{"\x80", "\xBF\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xE0\x9F", "\xE0\xA0", "\xE2\x82", "\xED\xA0\x80",
			"\xED\xBF", "\xEF\xBB", "\xF0\x80\x80\x80", "\xF0\x8F", "\xF0\x90", "\xF0\x9F\x98", "\xF4\x8F\xBF", "\xF4\x90\x80\x80", "\xF5\x80", "\xFF", "\xFE\xFF"} {
			anywhere = append(anywhere, []byte(s))
		}
	case oracle.ASCII:
		anywhere = [][]byte{{0x80}, {0xE9}, {0xFF, 0xFE}}
	case oracle.UTF16LE, oracle.UTF16BE:
		anywhere = [][]byte{utf16Units(e, 0xD800), utf16Units(e, 0xDBFF), utf16Units(e, 0xDC00), utf16Units(e, 0xDFFF), utf16Units(e, 0xDE00, 0xD83D),
			utf16Units(e, 0xD800, 0xD800), utf16Units(e, 0xDC00, 0xDC00)}
		atEnd = [][]byte{{0x61}, {0xD8}, append(utf16Units(e, 0xD800), 0xDC), append(utf16Units(e, 0xD800), 0), append(utf16Units(e, 0xDC00), 0xD8)}
	case oracle.UTF32LE, oracle.UTF32BE:
		anywhere = [][]byte{utf32Units(e, 0xD800), utf32Units(e, 0xDFFF), utf32Units(e, 0x110000), utf32Units(e, -1), utf32Units(e, 0xDC00, math.MinInt32)}
		atEnd = [][]byte{{0x61}, {0, 0xD8}, {0, 0, 0x11}, {0xFF, 0xFE}}
	}
	return anywhere, atEnd
}

// Faulty returns short texts with each fault at the start, in the middle and at the end.
func Faulty[E ~uint8](e E) []Source {
	before, behind := Encoded(e, "é\n"), Encoded(e, "€😀a")
	switch oracle.Encoding(e) {
	case oracle.ASCII:
		before, behind = []byte("ab\n"), []byte("cde")
	case oracle.Latin1:
		before, behind = []byte("a\xE9\n"), []byte("\xFF\x80b")
	}
	list := []Source{{"good", slices.Concat(before, behind)}, {"empty", nil}}
	anywhere, atEnd := Faults(e)
	for _, f := range anywhere {
		list = append(list,
			Source{"first", slices.Concat(f, before)},
			Source{"between", slices.Concat(before, f, behind)},
			Source{"alone", f})
	}
	for _, f := range append(anywhere, atEnd...) {
		list = append(list, Source{"last", slices.Concat(behind, f)})
	}
	return list
}

// Torture returns a text with every fault beside every other.
func Torture[E ~uint8](e E) []byte {
	anywhere, atEnd := Faults(e)
	b := Encoded(e, "a€\n")
	for i, f := range anywhere {
		for _, g := range anywhere[i:] {
			b = slices.Concat(b, f, g)
		}
		b = append(b, Encoded(e, []string{"é", "\n", "😀", "\r\n", "\uFEFF"}[i%5])...)
	}
	for _, f := range atEnd[:min(1, len(atEnd))] {
		b = append(b, f...)
	}
	return b
}

// Encoded returns s in the encoding e, nil if e cannot hold it.
func Encoded[E ~uint8](e E, s string) []byte {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		b, ok := oracle.Encode(r, e)
		if !ok {
			return nil
		}
		out = append(out, b...)
	}
	return out
}

// SizeReader notes how much it is asked for, and fills that up to Most bytes.
type SizeReader struct {
	Most  int
	Left  int
	Asked []int
}

func (r *SizeReader) Read(p []byte) (int, error) {
	r.Asked = append(r.Asked, len(p))
	n := min(len(p), r.Most, r.Left)
	if r.Left -= n; n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = 'a'
	}
	return n, nil
}
