// Insns does one operation on one text so many times, for a counter of instructions: the difference of two runs is the cost of the rounds by
// which they differ. See arm64.md in the folder above.
//
//	insns OP FILE N [LEN]
//
// FILE is UTF-8; it is taken to the encoding that OP begins with. LEN cuts the text to the whole characters that fit in so many bytes, and
// fills it up with 'a'. With N = 0 it prints the length of the source in bytes, and the result of the operation.
package main

import (
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 4 {
		log.Fatal("usage: insns OP FILE N [LEN]")
	}
	n, err := strconv.Atoi(os.Args[3])
	check(err)
	text, err := os.ReadFile(os.Args[2])
	check(err)
	op := os.Args[1]
	src := source(op, text)
	if len(os.Args) > 4 {
		size, err := strconv.Atoi(os.Args[4])
		check(err)
		src = cut(src, op, size)
	}
	run := operation(op, src)
	debug.SetGCPercent(-1) // what the collector does would count
	if n == 0 {
		fmt.Println(len(src), run())
		return
	}
	for range n {
		run()
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

var encodings = map[string]transcode.Encoding{
	"utf8": transcode.UTF8, "latin1": transcode.Latin1, "utf16": transcode.UTF16LE, "utf16be": transcode.UTF16BE, "utf32": transcode.UTF32LE,
	"utf32be": transcode.UTF32BE,
}

func encoding(op string) transcode.Encoding {
	name, _, _ := strings.Cut(op, "-")
	e, ok := encodings[name]
	if !ok {
		log.Fatalf("no encoding %q", name)
	}
	return e
}

func source(op string, text []byte) []byte {
	b, err := transcode.Append(nil, encoding(op), text, transcode.UTF8)
	check(err)
	return b
}

func cut(src []byte, op string, size int) []byte {
	e := encoding(op)
	if len(src) > size {
		src = src[:size]
		for transcode.Check(src, e) != nil {
			src = src[:len(src)-1]
		}
	}
	a := source(op, []byte("a"))
	for len(src)+len(a) <= size {
		src = append(src[:len(src):len(src)], a...)
	}
	return src
}

// units returns b as code units of another size.
func units[U uint16 | rune](b []byte) []U {
	var u U
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(u)))
}

// operation returns the operation on src. Results go to the same room each time, and their length, or the answer, is returned.
func operation(op string, src []byte) func() int {
	aligned := append([]rune(nil), make([]rune, len(src)/4+1)...)
	src = unsafe.Slice((*byte)(unsafe.Pointer(&aligned[0])), copy(unsafe.Slice((*byte)(unsafe.Pointer(&aligned[0])), 4*len(aligned)), src))
	s16, s32 := units[uint16](src), units[rune](src)
	d8, d16, d32 := make([]byte, 4*len(src)+64), make([]uint16, len(src)+64), make([]rune, len(src)+64)
	count := func(n int, _ error) int { return n }
	yes := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case "utf8-utf16":
		return func() int { d, err := transcode.AppendUTF16FromUTF8(d16[:0], src); return count(len(d), err) }
	case "utf8-utf32":
		return func() int { d, err := transcode.AppendUTF32FromUTF8(d32[:0], src); return count(len(d), err) }
	case "utf8-latin1":
		return func() int { d, err := transcode.AppendLatin1FromUTF8(d8[:0], src); return count(len(d), err) }
	case "utf16-utf8":
		return func() int { d, err := transcode.AppendUTF8FromUTF16(d8[:0], s16); return count(len(d), err) }
	case "utf16-utf32":
		return func() int { d, err := transcode.AppendUTF32FromUTF16(d32[:0], s16); return count(len(d), err) }
	case "utf16-latin1":
		return func() int { d, err := transcode.AppendLatin1FromUTF16(d8[:0], s16); return count(len(d), err) }
	case "utf32-utf8":
		return func() int { d, err := transcode.AppendUTF8FromUTF32(d8[:0], s32); return count(len(d), err) }
	case "utf32-utf16":
		return func() int { d, err := transcode.AppendUTF16FromUTF32(d16[:0], s32); return count(len(d), err) }
	case "utf32-latin1":
		return func() int { d, err := transcode.AppendLatin1FromUTF32(d8[:0], s32); return count(len(d), err) }
	case "latin1-utf8":
		return func() int { return len(transcode.AppendUTF8FromLatin1(d8[:0], src)) }
	case "latin1-utf16":
		return func() int { return len(transcode.AppendUTF16FromLatin1(d16[:0], src)) }
	case "latin1-utf32":
		return func() int { return len(transcode.AppendUTF32FromLatin1(d32[:0], src)) }
	case "utf8-valid":
		return func() int { return yes(transcode.ValidUTF8(src)) }
	case "utf8-classify":
		return func() int { return int(transcode.Classify(src)) }
	case "utf8-ascii":
		return func() int { return yes(transcode.IsASCII(src)) }
	case "utf8-asciiprefix":
		return func() int { return transcode.ASCIIPrefixLen(src) }
	case "utf16-valid":
		return func() int { return yes(transcode.ValidUTF16(s16)) }
	case "utf32-valid":
		return func() int { return yes(transcode.ValidUTF32(s32)) }
	case "utf8-runecount":
		return func() int { return transcode.RuneCount(src) }
	case "utf8-utf16len":
		return func() int { return transcode.UTF16LenFromUTF8(src) }
	case "utf16-utf8len":
		return func() int { return transcode.UTF8LenFromUTF16(s16) }
	case "utf16-utf32len":
		return func() int { return transcode.UTF32LenFromUTF16(s16) }
	case "utf32-utf8len":
		return func() int { return transcode.UTF8LenFromUTF32(s32) }
	case "utf32-utf16len":
		return func() int { return transcode.UTF16LenFromUTF32(s32) }
	case "latin1-utf8len":
		return func() int { return transcode.UTF8LenFromLatin1(src) }
	case "utf8-utf16offset":
		return func() int { return transcode.UTF16Offset(src, len(src)) }
	case "utf8-utf8offset":
		return func() int { return transcode.UTF8Offset(src, 2*len(src)) }
	case "utf16-wellformed":
		return func() int { return transcode.ToWellFormedUTF16(s16) }
	}
	// Any pair of encodings, by bytes, such as utf16be-utf8.
	name, to, _ := strings.Cut(op, "-")
	if _, ok := encodings[to]; !ok {
		log.Fatalf("no operation %q", op)
	}
	return func() int {
		d, err := transcode.Append(d8[:0], encodings[to], src, encodings[name])
		return count(len(d), err)
	}
}
