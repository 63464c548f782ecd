// Calls does operations on texts for a counter of instructions: it writes a line, does some calls, writes the line again, does twice as many, writes it
// again; so three times, since now and then something else comes in between. What the writing costs cancels out.
//
//	calls OPS LENGTHS ROUNDS FILE...
//
// Each FILE is UTF-8; it is taken to the encoding that an operation begins with, or left out if that cannot hold it. A length cuts it to the whole
// characters that fit in so many bytes, and fills it up with 'a'; "whole" leaves it. ROUNDS is how many "some" is; with 0 it depends on the length. A line
// has the operation, the name of the text, the length as asked for, the bytes of the source, and the rounds.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
)

// The counter looks at one thread.
func init() { runtime.LockOSThread() }

func main() {
	log.SetFlags(0)
	if len(os.Args) < 5 {
		log.Fatal("usage: calls OPS LENGTHS ROUNDS FILE...")
	}
	rounds, err := strconv.Atoi(os.Args[3])
	check(err)
	for op := range strings.FieldsSeq(os.Args[1]) {
		for _, file := range os.Args[4:] {
			text, err := os.ReadFile(file)
			check(err)
			whole, ok := source(op, text)
			for l := range strings.FieldsSeq(os.Args[2]) {
				length, src := 0, whole
				if l != "whole" {
					length, err = strconv.Atoi(l)
					check(err)
					src = cut(whole, op, length)
				}
				n := rounds
				if n == 0 {
					n = min(1000, 1+500_000/(len(src)+1))
				}
				if ok {
					measure(fmt.Sprintln(op, filepath.Base(file), length, len(src), n), n, operation(op, src))
				}
			}
		}
	}
}

// measure works without the collector, which would count, but for what earlier calls left.
func measure(line string, rounds int, run func(n int)) {
	runtime.GC()
	debug.SetGCPercent(-1)
	if run(1); result < 0 {
		log.Fatal("no result")
	}
	write := func() {
		_, err := os.Stdout.WriteString(line)
		check(err)
	}
	write()
	for range 3 {
		run(rounds)
		write()
		run(2 * rounds)
		write()
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

// source takes text to the encoding of op, and reports whether that and the result's can hold it.
func source(op string, text []byte) ([]byte, bool) {
	b, err := transcode.Append(nil, encoding(op), text, transcode.UTF8)
	if _, to, _ := strings.Cut(op, "-"); err == nil && to == "latin1" {
		_, err = transcode.Append(nil, transcode.Latin1, text, transcode.UTF8)
	}
	return b, err == nil
}

// cut takes the whole characters of src that fit in size bytes, and fills up with 'a'.
func cut(src []byte, op string, size int) []byte {
	e := encoding(op)
	if len(src) > size {
		src = src[:size]
		for transcode.Check(src, e) != nil {
			src = src[:len(src)-1]
		}
	}
	a, _ := source(op, []byte("a"))
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

// result has the answer of an operation, or the length of what it made.
var result int

// operation returns a function that does the operation on src so often. Results go to the same room each time.
func operation(op string, src []byte) func(n int) {
	aligned := append([]rune(nil), make([]rune, len(src)/4+1)...)
	src = unsafe.Slice((*byte)(unsafe.Pointer(&aligned[0])), copy(unsafe.Slice((*byte)(unsafe.Pointer(&aligned[0])), 4*len(aligned)), src))
	s16, s32 := units[uint16](src), units[rune](src)
	d8, d16, d32 := make([]byte, 4*len(src)+64), make([]uint16, len(src)+64), make([]rune, len(src)+64)
	yes := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case "utf8-utf16":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendUTF16FromUTF8(d16[:0], src)
				result = len(d)
			}
		}
	case "utf8-utf32":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendUTF32FromUTF8(d32[:0], src)
				result = len(d)
			}
		}
	case "utf8-latin1":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendLatin1FromUTF8(d8[:0], src)
				result = len(d)
			}
		}
	case "utf16-utf8":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendUTF8FromUTF16(d8[:0], s16)
				result = len(d)
			}
		}
	case "utf16-utf32":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendUTF32FromUTF16(d32[:0], s16)
				result = len(d)
			}
		}
	case "utf16-latin1":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendLatin1FromUTF16(d8[:0], s16)
				result = len(d)
			}
		}
	case "utf32-utf8":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendUTF8FromUTF32(d8[:0], s32)
				result = len(d)
			}
		}
	case "utf32-utf16":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendUTF16FromUTF32(d16[:0], s32)
				result = len(d)
			}
		}
	case "utf32-latin1":
		return func(n int) {
			for range n {
				d, _ := transcode.AppendLatin1FromUTF32(d8[:0], s32)
				result = len(d)
			}
		}
	case "latin1-utf8":
		return func(n int) {
			for range n {
				result = len(transcode.AppendUTF8FromLatin1(d8[:0], src))
			}
		}
	case "latin1-utf16":
		return func(n int) {
			for range n {
				result = len(transcode.AppendUTF16FromLatin1(d16[:0], src))
			}
		}
	case "latin1-utf32":
		return func(n int) {
			for range n {
				result = len(transcode.AppendUTF32FromLatin1(d32[:0], src))
			}
		}
	case "utf8-valid":
		return func(n int) {
			for range n {
				result = yes(transcode.ValidUTF8(src))
			}
		}
	case "utf8-classify":
		return func(n int) {
			for range n {
				result = int(transcode.Classify(src))
			}
		}
	case "utf8-ascii":
		return func(n int) {
			for range n {
				result = yes(transcode.IsASCII(src))
			}
		}
	case "utf8-asciiprefix":
		return func(n int) {
			for range n {
				result = transcode.ASCIIPrefixLen(src)
			}
		}
	case "utf16-valid":
		return func(n int) {
			for range n {
				result = yes(transcode.ValidUTF16(s16))
			}
		}
	case "utf32-valid":
		return func(n int) {
			for range n {
				result = yes(transcode.ValidUTF32(s32))
			}
		}
	case "utf8-runecount":
		return func(n int) {
			for range n {
				result = transcode.RuneCount(src)
			}
		}
	case "utf8-utf16len":
		return func(n int) {
			for range n {
				result = transcode.UTF16LenFromUTF8(src)
			}
		}
	case "utf16-utf8len":
		return func(n int) {
			for range n {
				result = transcode.UTF8LenFromUTF16(s16)
			}
		}
	case "utf16-runecount":
		return func(n int) {
			for range n {
				result = transcode.RuneCountUTF16(s16)
			}
		}
	case "utf32-utf8len":
		return func(n int) {
			for range n {
				result = transcode.UTF8LenFromUTF32(s32)
			}
		}
	case "utf32-utf16len":
		return func(n int) {
			for range n {
				result = transcode.UTF16LenFromUTF32(s32)
			}
		}
	case "latin1-utf8len":
		return func(n int) {
			for range n {
				result = transcode.UTF8LenFromLatin1(src)
			}
		}
	case "utf8-utf16offset":
		return func(n int) {
			for range n {
				result = transcode.UTF16Offset(src, len(src))
			}
		}
	case "utf8-utf8offset":
		return func(n int) {
			for range n {
				result = transcode.UTF8Offset(src, 2*len(src))
			}
		}
	case "utf16-wellformed":
		return func(n int) {
			for range n {
				result = transcode.ToWellFormedUTF16(s16)
			}
		}
	}
	// Validation in any encoding, and any pair of encodings, by bytes, such as utf16be-utf8.
	_, to, _ := strings.Cut(op, "-")
	from := encoding(op)
	if to == "valid" {
		return func(n int) {
			for range n {
				result = yes(transcode.Check(src, from) == nil)
			}
		}
	}
	target, ok := encodings[to]
	if !ok {
		log.Fatalf("no operation %q", op)
	}
	return func(n int) {
		for range n {
			d, _ := transcode.Append(d8[:0], target, src, from)
			result = len(d)
		}
	}
}
