package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	sonic "github.com/bytedance/sonic/utf8"
	"github.com/seed-1959eab6/transcode"
	"github.com/segmentio/asm/ascii"
	segmentio "github.com/segmentio/asm/utf8"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// text is a text in every form that an operation may start from.
type text struct {
	utf8   []byte
	utf16  []uint16
	utf32  []rune
	latin1 []byte // nil if the text does not fit
}

// newText returns the forms of well-formed UTF-8.
func newText(b []byte) text {
	t := text{utf8: b, utf32: []rune(string(b)), utf16: utf16.Encode([]rune(string(b)))}
	if largest, _ := stdLargestRune(string(b)); largest <= 0xFF {
		t.latin1 = stdLatin1FromUTF8([]byte{}, string(b))
	}
	return t
}

// A way is one way to do an operation with a text.
type way struct {
	name string
	call func() int         // returns the answer, or the length of the result
	out  func(n int) any    // a copy of the result of that length, if there is one
	room []byte             // where the result is, if the way does not allocate it
	as   func(ours int) int // what our answer comes down to if the question of this way is weaker
}

// An op is an operation. ways returns nil if the text does not suit, and the size of its source in bytes. Our way is the first.
type op struct {
	name string
	ill  bool // takes ill-formed text, and all ways agree on it
	ways func(t text) (size int, ways []way)
}

// What the ways that allocate return escapes to here, as it would in a program that uses it.
var (
	keptBytes  []byte
	keptString string
	keptUnits  []uint16
	keptRunes  []rune
)

func answer(name string, call func() int) way { return way{name: name, call: call} }

// result is for a way that writes to dst, which all ways of an operation share.
func result[E any](name string, dst []E, call func() int) way {
	return way{name: name, call: call, out: func(n int) any { return slices.Clone(dst[:n]) }, room: bytesOf(dst[:cap(dst)])}
}

// alloc is for the one-liners of the standard library, which allocate what they return.
func alloc[E any](call func() int, kept func() []E) way {
	return way{name: "alloc", call: call, out: func(n int) any { return slices.Clone(kept()[:n]) }}
}

// xtext is for a transformer of golang.org/x/text that writes to dst.
func xtext[E any](t transform.Transformer, dst []E, src []byte) way {
	switch e := t.(type) {
	case *encoding.Decoder:
		t = e.Transformer
	case *encoding.Encoder:
		t = e.Transformer
	}
	size := int(unsafe.Sizeof(*new(E)))
	room := bytesOf(dst[:cap(dst)])
	return result("xtext", dst, func() int {
		t.Reset()
		n, _, err := t.Transform(room, src, true)
		if err != nil {
			return -1
		}
		return n / size
	})
}

// bytesOf is a view of s as bytes in the host's order.
func bytesOf[E any](s []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(E))))
}

func hostUTF16() encoding.Encoding {
	if x := uint16(1); *(*byte)(unsafe.Pointer(&x)) == 1 {
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	}
	return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
}

func hostUTF32() encoding.Encoding {
	if x := uint16(1); *(*byte)(unsafe.Pointer(&x)) == 1 {
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	}
	return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
}

// buffer returns an empty slice with room for n elements, and for what x/text asks to spare.
func buffer[E any](n int) []E { return make([]E, 0, n+16) }

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// looked returns how much of b must be looked at to know whether it is ASCII.
func looked(b []byte) int { return min(stdASCIIPrefixLen(b)+1, len(b)) }

var ops = []op{
	{"IsASCII", true, func(t text) (int, []way) {
		return looked(t.utf8), []way{
			answer("ours", func() int { return toInt(transcode.IsASCII(t.utf8)) }),
			answer("std", func() int { return toInt(stdIsASCII(t.utf8)) }),
			answer("segmentio", func() int { return toInt(ascii.Valid(t.utf8)) }),
		}
	}},
	{"ASCIIPrefixLen", true, func(t text) (int, []way) {
		return looked(t.utf8), []way{
			answer("ours", func() int { return transcode.ASCIIPrefixLen(t.utf8) }),
			answer("std", func() int { return stdASCIIPrefixLen(t.utf8) }),
		}
	}},
	{"ValidUTF8", true, func(t text) (int, []way) {
		dst := buffer[byte](len(t.utf8))
		room := dst[:cap(dst)]
		return len(t.utf8), []way{
			answer("ours", func() int { return toInt(transcode.ValidUTF8(t.utf8)) }),
			answer("std", func() int { return toInt(utf8.Valid(t.utf8)) }),
			answer("segmentio", func() int { return toInt(segmentio.Valid(t.utf8)) }),
			answer("sonic", func() int { return toInt(sonic.Validate(t.utf8)) }),
			answer("xtext", func() int { // copies, too
				_, _, err := encoding.UTF8Validator.Transform(room, t.utf8, true)
				return toInt(err == nil)
			}),
		}
	}},
	{"Classify", true, func(t text) (int, []way) {
		s := string(t.utf8)
		valid := func(n int) int { return toInt(transcode.Class(n) != transcode.ClassInvalid) }
		return len(t.utf8), []way{
			answer("ours", func() int { return int(transcode.Classify(t.utf8)) }),
			answer("std", func() int {
				switch largest, ok := stdLargestRune(s); {
				case !ok:
					return int(transcode.ClassInvalid)
				case largest < 0x80:
					return int(transcode.ClassASCII)
				case largest < 0x100:
					return int(transcode.ClassLatin1)
				case largest < 0x10000:
					return int(transcode.ClassBMP)
				}
				return int(transcode.ClassSupplementary)
			}),
			// These tell ill-formed text only, segmentio ASCII too.
			{name: "std.Valid", call: func() int { return toInt(utf8.Valid(t.utf8)) }, as: valid},
			{name: "segmentio", call: func() int { return int(segmentio.Validate(t.utf8)) }, as: func(n int) int {
				switch transcode.Class(n) {
				case transcode.ClassInvalid:
					return segmentio.Invalid
				case transcode.ClassASCII:
					return segmentio.ASCII
				}
				return segmentio.UTF8
			}},
			{name: "sonic", call: func() int { return toInt(sonic.Validate(t.utf8)) }, as: valid},
		}
	}},
	{"ValidUTF16", true, func(t text) (int, []way) {
		return 2 * len(t.utf16), []way{
			answer("ours", func() int { return toInt(transcode.ValidUTF16(t.utf16)) }),
			answer("std", func() int { return toInt(stdValidUTF16(t.utf16)) }),
		}
	}},
	{"ValidUTF32", true, func(t text) (int, []way) {
		return 4 * len(t.utf32), []way{
			answer("ours", func() int { return toInt(transcode.ValidUTF32(t.utf32)) }),
			answer("std", func() int { return toInt(stdValidUTF32(t.utf32)) }),
		}
	}},
	{"RuneCount", false, func(t text) (int, []way) {
		s := string(t.utf8)
		return len(s), []way{
			answer("ours", func() int { return transcode.RuneCount(s) }),
			answer("std", func() int { return utf8.RuneCountInString(s) }),
		}
	}},
	{"Latin1LenFromUTF8", false, func(t text) (int, []way) {
		s := string(t.utf8)
		return len(s), []way{
			answer("ours", func() int { return transcode.Latin1LenFromUTF8(s) }),
			answer("std", func() int { return utf8.RuneCountInString(s) }),
		}
	}},
	{"UTF32LenFromUTF8", false, func(t text) (int, []way) {
		s := string(t.utf8)
		return len(s), []way{
			answer("ours", func() int { return transcode.UTF32LenFromUTF8(s) }),
			answer("std", func() int { return utf8.RuneCountInString(s) }),
		}
	}},
	{"RuneCountUTF16", true, func(t text) (int, []way) {
		return 2 * len(t.utf16), []way{
			answer("ours", func() int { return transcode.RuneCountUTF16(t.utf16) }),
			answer("std", func() int { return stdRuneCountUTF16(t.utf16) }),
		}
	}},
	{"UTF32LenFromUTF16", true, func(t text) (int, []way) {
		return 2 * len(t.utf16), []way{
			answer("ours", func() int { return transcode.UTF32LenFromUTF16(t.utf16) }),
			answer("std", func() int { return stdRuneCountUTF16(t.utf16) }),
		}
	}},
	{"UTF16LenFromUTF8", false, func(t text) (int, []way) {
		s := string(t.utf8)
		return len(s), []way{
			answer("ours", func() int { return transcode.UTF16LenFromUTF8(s) }),
			answer("std", func() int { return stdUTF16LenFromUTF8(s) }),
		}
	}},
	{"UTF8LenFromLatin1", true, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		return len(t.latin1), []way{
			answer("ours", func() int { return transcode.UTF8LenFromLatin1(t.latin1) }),
			answer("std", func() int { return stdUTF8LenFromLatin1(t.latin1) }),
		}
	}},
	{"UTF8LenFromUTF16", false, func(t text) (int, []way) {
		return 2 * len(t.utf16), []way{
			answer("ours", func() int { return transcode.UTF8LenFromUTF16(t.utf16) }),
			answer("std", func() int { return stdUTF8LenFromUTF16(t.utf16) }),
		}
	}},
	{"UTF8LenFromUTF32", false, func(t text) (int, []way) {
		return 4 * len(t.utf32), []way{
			answer("ours", func() int { return transcode.UTF8LenFromUTF32(t.utf32) }),
			answer("std", func() int { return stdUTF8LenFromUTF32(t.utf32) }),
		}
	}},
	{"UTF16LenFromUTF32", false, func(t text) (int, []way) {
		return 4 * len(t.utf32), []way{
			answer("ours", func() int { return transcode.UTF16LenFromUTF32(t.utf32) }),
			answer("std", func() int { return stdUTF16LenFromUTF32(t.utf32) }),
		}
	}},
	{"UTF16Offset", false, func(t text) (int, []way) {
		s := string(t.utf8)
		return len(s), []way{
			answer("ours", func() int { return transcode.UTF16Offset(s, len(s)) }),
			answer("std", func() int { return stdUTF16Offset(s, len(s)) }),
		}
	}},
	{"UTF8Offset", false, func(t text) (int, []way) {
		s, at := string(t.utf8), max(0, len(t.utf16)-1) // not the end, which an implementation may know from the length
		return len(s), []way{
			answer("ours", func() int { return transcode.UTF8Offset(s, at) }),
			answer("std", func() int { return stdUTF8Offset(s, at) }),
		}
	}},
	{"AppendUTF8FromLatin1", false, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		dst := buffer[byte](2 * len(t.latin1))
		return len(t.latin1), []way{
			result("ours", dst, func() int { return len(transcode.AppendUTF8FromLatin1(dst, t.latin1)) }),
			result("std", dst, func() int { return len(stdUTF8FromLatin1(dst, t.latin1)) }),
			xtext(charmap.ISO8859_1.NewDecoder(), dst, t.latin1),
		}
	}},
	{"AppendUTF16FromLatin1", false, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		dst := buffer[uint16](len(t.latin1))
		return len(t.latin1), []way{
			result("ours", dst, func() int { return len(transcode.AppendUTF16FromLatin1(dst, t.latin1)) }),
			result("std", dst, func() int { return len(stdUTF16FromLatin1(dst, t.latin1)) }),
		}
	}},
	{"AppendUTF32FromLatin1", false, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		dst := buffer[rune](len(t.latin1))
		return len(t.latin1), []way{
			result("ours", dst, func() int { return len(transcode.AppendUTF32FromLatin1(dst, t.latin1)) }),
			result("std", dst, func() int { return len(stdUTF32FromLatin1(dst, t.latin1)) }),
		}
	}},
	{"AppendLatin1FromUTF8", false, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		s, dst := string(t.utf8), buffer[byte](len(t.utf8))
		return len(s), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendLatin1FromUTF8(dst, s); return len(d) }),
			result("std", dst, func() int { return len(stdLatin1FromUTF8(dst, s)) }),
			xtext(charmap.ISO8859_1.NewEncoder(), dst, t.utf8),
		}
	}},
	{"AppendLatin1FromUTF16", false, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		dst := buffer[byte](len(t.utf16))
		return 2 * len(t.utf16), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendLatin1FromUTF16(dst, t.utf16); return len(d) }),
			result("std", dst, func() int { return len(stdLatin1FromUTF16(dst, t.utf16)) }),
		}
	}},
	{"AppendLatin1FromUTF32", false, func(t text) (int, []way) {
		if t.latin1 == nil {
			return 0, nil
		}
		dst := buffer[byte](len(t.utf32))
		return 4 * len(t.utf32), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendLatin1FromUTF32(dst, t.utf32); return len(d) }),
			result("std", dst, func() int { return len(stdLatin1FromUTF32(dst, t.utf32)) }),
		}
	}},
	{"AppendUTF16BEFromUTF16LE", false, func(t text) (int, []way) {
		var src []byte
		for _, u := range t.utf16 {
			src = binary.LittleEndian.AppendUint16(src, u)
		}
		dst := buffer[byte](len(src))
		return len(src), []way{
			result("ours", dst, func() int {
				d, _ := transcode.Append(dst, transcode.UTF16BE, src, transcode.UTF16LE)
				return len(d)
			}),
			result("std", dst, func() int { return len(stdSwap(dst, src)) }),
		}
	}},
	{"AppendUTF16BEFromUTF8", false, func(t text) (int, []way) {
		s, dst := string(t.utf8), buffer[byte](2*len(t.utf8))
		return len(s), []way{
			result("ours", dst, func() int { d, _ := transcode.Append(dst, transcode.UTF16BE, s, transcode.UTF8); return len(d) }),
			result("std", dst, func() int { return len(stdUTF16BEFromUTF8(dst, s)) }),
			xtext(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder(), dst, t.utf8),
		}
	}},
	{"AppendUTF8FromUTF16BE", false, func(t text) (int, []way) {
		var src []byte
		for _, u := range t.utf16 {
			src = binary.BigEndian.AppendUint16(src, u)
		}
		dst := buffer[byte](3 * len(t.utf16))
		return len(src), []way{
			result("ours", dst, func() int { d, _ := transcode.Append(dst, transcode.UTF8, src, transcode.UTF16BE); return len(d) }),
			result("std", dst, func() int { return len(stdUTF8FromUTF16BE(dst, src)) }),
			xtext(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder(), dst, src),
		}
	}},
	{"AppendUTF16FromUTF8", false, func(t text) (int, []way) {
		s, dst := string(t.utf8), buffer[uint16](len(t.utf8))
		return len(s), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendUTF16FromUTF8(dst, s); return len(d) }),
			result("std", dst, func() int { return len(stdUTF16FromUTF8(dst, s)) }),
			alloc(func() int { keptUnits = utf16.Encode([]rune(s)); return len(keptUnits) }, func() []uint16 { return keptUnits }),
			xtext(hostUTF16().NewEncoder(), dst, t.utf8),
		}
	}},
	{"AppendUTF32FromUTF8", false, func(t text) (int, []way) {
		s, dst := string(t.utf8), buffer[rune](len(t.utf8))
		return len(s), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendUTF32FromUTF8(dst, s); return len(d) }),
			result("std", dst, func() int { return len(stdUTF32FromUTF8(dst, s)) }),
			alloc(func() int { keptRunes = []rune(s); return len(keptRunes) }, func() []rune { return keptRunes }),
			xtext(hostUTF32().NewEncoder(), dst, t.utf8),
		}
	}},
	{"AppendUTF8FromUTF16", false, func(t text) (int, []way) {
		dst := buffer[byte](3 * len(t.utf16))
		return 2 * len(t.utf16), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendUTF8FromUTF16(dst, t.utf16); return len(d) }),
			result("std", dst, func() int { return len(stdUTF8FromUTF16(dst, t.utf16)) }),
			alloc(func() int { keptString = string(utf16.Decode(t.utf16)); return len(keptString) }, func() []byte { return []byte(keptString) }),
			xtext(hostUTF16().NewDecoder(), dst, bytesOf(t.utf16)),
		}
	}},
	{"AppendUTF32FromUTF16", false, func(t text) (int, []way) {
		dst := buffer[rune](len(t.utf16))
		return 2 * len(t.utf16), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendUTF32FromUTF16(dst, t.utf16); return len(d) }),
			result("std", dst, func() int { return len(stdUTF32FromUTF16(dst, t.utf16)) }),
			alloc(func() int { keptRunes = utf16.Decode(t.utf16); return len(keptRunes) }, func() []rune { return keptRunes }),
		}
	}},
	{"AppendUTF8FromUTF32", false, func(t text) (int, []way) {
		dst := buffer[byte](4 * len(t.utf32))
		return 4 * len(t.utf32), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendUTF8FromUTF32(dst, t.utf32); return len(d) }),
			result("std", dst, func() int { return len(stdUTF8FromUTF32(dst, t.utf32)) }),
			alloc(func() int { keptString = string(t.utf32); return len(keptString) }, func() []byte { return []byte(keptString) }),
			xtext(hostUTF32().NewDecoder(), dst, bytesOf(t.utf32)),
		}
	}},
	{"AppendUTF16FromUTF32", false, func(t text) (int, []way) {
		dst := buffer[uint16](2 * len(t.utf32))
		return 4 * len(t.utf32), []way{
			result("ours", dst, func() int { d, _ := transcode.AppendUTF16FromUTF32(dst, t.utf32); return len(d) }),
			result("std", dst, func() int { return len(stdUTF16FromUTF32(dst, t.utf32)) }),
			alloc(func() int { keptUnits = utf16.Encode(t.utf32); return len(keptUnits) }, func() []uint16 { return keptUnits }),
		}
	}},
	{"AppendValidUTF8", false, func(t text) (int, []way) {
		dst := buffer[byte](len(t.utf8))
		return len(t.utf8), []way{
			result("ours", dst, func() int { return len(transcode.AppendValidUTF8(dst, t.utf8)) }),
			result("std", dst, func() int { return len(stdAppendValidUTF8(dst, t.utf8)) }),
			alloc(func() int { keptBytes = bytes.ToValidUTF8(t.utf8, []byte("\uFFFD")); return len(keptBytes) }, func() []byte { return keptBytes }),
			xtext(unicode.UTF8.NewDecoder(), dst, t.utf8),
			result("sonic", dst, func() int { return len(sonic.CorrectWith(dst, t.utf8, "\uFFFD")) }),
		}
	}},
}

// check compares the results of all ways of an operation.
func check(ways []way) error {
	var want int
	var wantOut any
	for i, w := range ways {
		for j := range w.room { // what the way before left there must not pass for this way's result
			w.room[j] = 0xA5
		}
		n, out := w.call(), any(nil)
		if n >= 0 && w.out != nil {
			out = w.out(n)
		}
		if i == 0 {
			want, wantOut = n, out
			continue
		}
		want := want
		if w.as != nil {
			want = w.as(want)
		}
		if n != want || !reflect.DeepEqual(out, wantOut) {
			return fmt.Errorf("%s gives %d, not %d as %s, or another text", w.name, n, want, ways[0].name)
		}
	}
	return nil
}
