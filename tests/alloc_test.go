package tests

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/race"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// Named types, which a type switch or a conversion to an interface would make allocate.
type (
	myBytes  []byte
	myString string
)

// allocSink takes what the functions return, so that calls are not optimised away. It keeps no pointer: a result that
// escapes would move the buffer of the caller to the heap.
var allocSink int

// requireAllocs runs each function and compares its allocations per call.
func requireAllocs(t *testing.T, want int, calls map[string]func()) {
	t.Helper()
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			if race.Enabled {
				call()
				return
			}
			if got := testing.AllocsPerRun(20, call); got != float64(want) {
				t.Errorf("%v allocations, want %d", got, want)
			}
		})
	}
}

// bytesCalls has a call for each exported function that takes bytes or a string, into buffers on the stack. latin1 is text in
// Latin-1, utf8 the same text in UTF-8, and wide is UTF-8 text of every class.
func bytesCalls[Bytes ~[]byte | ~string](latin1, utf8, wide Bytes) map[string]func() {
	calls := map[string]func(){
		"Classify":          func() { allocSink += int(transcode.Classify(wide)) },
		"ClassifyPrefix":    func() { _, n := transcode.ClassifyPrefix(wide); allocSink += n },
		"IsASCII":           func() { allocSink += len(truth(transcode.IsASCII(wide))) },
		"ASCIIPrefixLen":    func() { allocSink += transcode.ASCIIPrefixLen(wide) },
		"ValidUTF8":         func() { allocSink += len(truth(transcode.ValidUTF8(wide))) },
		"CheckUTF8":         func() { allocSink += len(truth(transcode.CheckUTF8(wide) == nil)) },
		"Check":             func() { allocSink += len(truth(transcode.Check(latin1, transcode.Latin1) == nil)) },
		"RuneCount":         func() { allocSink += transcode.RuneCount(wide) },
		"UTF16LenFromUTF8":  func() { allocSink += transcode.UTF16LenFromUTF8(wide) },
		"UTF32LenFromUTF8":  func() { allocSink += transcode.UTF32LenFromUTF8(wide) },
		"Latin1LenFromUTF8": func() { allocSink += transcode.Latin1LenFromUTF8(wide) },
		"UTF8LenFromLatin1": func() { allocSink += transcode.UTF8LenFromLatin1(latin1) },
		"Len":               func() { allocSink += transcode.Len(transcode.UTF16BE, wide, transcode.UTF8) },
		"UTF16Offset":       func() { allocSink += transcode.UTF16Offset(wide, 50) },
		"UTF8Offset":        func() { allocSink += transcode.UTF8Offset(wide, 20) },
		"AppendLatin1FromUTF8": func() {
			var buf [300]byte
			out, err := transcode.AppendLatin1FromUTF8(buf[:0], utf8)
			keep(out, err)
		},
		"AppendUTF16FromUTF8": func() {
			var buf [300]uint16
			out, err := transcode.AppendUTF16FromUTF8(buf[:0], wide)
			keep(out, err)
		},
		"AppendUTF32FromUTF8": func() {
			var buf [300]rune
			out, err := transcode.AppendUTF32FromUTF8(buf[:0], wide)
			keep(out, err)
		},
		"AppendUTF8FromLatin1": func() {
			var buf [300]byte
			keep(transcode.AppendUTF8FromLatin1(buf[:0], latin1), nil)
		},
		"AppendUTF16FromLatin1": func() {
			var buf [300]uint16
			keep(transcode.AppendUTF16FromLatin1(buf[:0], latin1), nil)
		},
		"AppendUTF32FromLatin1": func() {
			var buf [300]rune
			keep(transcode.AppendUTF32FromLatin1(buf[:0], latin1), nil)
		},
		"AppendValidUTF8": func() {
			var buf [300]byte
			keep(transcode.AppendValidUTF8(buf[:0], wide), nil)
		},
		"AppendValidUTF16FromUTF8": func() {
			var buf [300]uint16
			keep(transcode.AppendValidUTF16FromUTF8(buf[:0], wide), nil)
		},
		"AppendValidUTF32FromUTF8": func() {
			var buf [300]rune
			keep(transcode.AppendValidUTF32FromUTF8(buf[:0], wide), nil)
		},
		"AppendValid of ill-formed text": func() { // Latin-1 is that in UTF-8
			var buf [300]byte
			keep(transcode.AppendValidUTF8(buf[:0], latin1), nil)
		},
	}
	for _, to := range check.Encodings {
		calls["Append to "+to.String()] = func() {
			var buf [1200]byte
			out, err := transcode.Append(buf[:0], to, latin1[:8], transcode.Latin1)
			keep(out, err)
		}
	}
	return calls
}

func truth(b bool) string {
	if b {
		return "+"
	}
	return ""
}

// keep uses a result without letting it escape.
func keep[E byte | uint16 | rune](out []E, err error) {
	if err != nil {
		panic(err)
	}
	allocSink += len(out)
	if len(out) > 0 {
		allocSink += int(out[len(out)-1])
	}
}

const (
	allocLatin1 = "ascii at first, then \xE9\xE8\xE0\xFF and so on, for more than sixty-four bytes \xE9t\xE9"
	allocWide   = "ascii at first, then éèàÿ, 中文字, Привет, 😀🚀 and so on, for more than sixty-four bytes été"
)

func TestAllocsNoneWithRoom(t *testing.T) {
	latin1, utf8, wide := allocLatin1, string(transcode.AppendUTF8FromLatin1(nil, allocLatin1)), allocWide
	t.Run("string", func(t *testing.T) { requireAllocs(t, 0, bytesCalls(latin1, utf8, wide)) })
	t.Run("[]byte", func(t *testing.T) { requireAllocs(t, 0, bytesCalls([]byte(latin1), []byte(utf8), []byte(wide))) })
	t.Run("named string", func(t *testing.T) {
		requireAllocs(t, 0, bytesCalls(myString(latin1), myString(utf8), myString(wide)))
	})
	t.Run("named []byte", func(t *testing.T) {
		requireAllocs(t, 0, bytesCalls(myBytes(latin1), myBytes(utf8), myBytes(wide)))
	})
}

// TestAllocsNoneFromStackToStack has source and destination on the stack.
func TestAllocsNoneFromStackToStack(t *testing.T) {
	requireAllocs(t, 0, map[string]func(){
		"UTF-8": func() {
			src := [...]byte{'a', 0xC3, 0xA9, 0xE4, 0xB8, 0xAD, 0xF0, 0x9F, 0x98, 0x80, 'z'}
			var buf8 [16]byte
			var buf16 [16]uint16
			var buf32 [16]rune
			out16, err := transcode.AppendUTF16FromUTF8(buf16[:0], src[:])
			keep(out16, err)
			out32, err := transcode.AppendUTF32FromUTF8(buf32[:0], myBytes(src[:]))
			keep(out32, err)
			keep(transcode.AppendValidUTF8(buf8[:0], src[:]), nil)
			out8, err := transcode.AppendLatin1FromUTF8(buf8[:0], src[:3])
			keep(out8, err)
			allocSink += int(transcode.Classify(src[:])) + transcode.RuneCount(src[:]) + transcode.UTF16Offset(src[:], 3)
		},
		"Latin-1": func() {
			src := [...]byte{'a', 0xE9, 0xFF, 'z'}
			var buf8 [16]byte
			var buf16 [16]uint16
			var buf32 [16]rune
			keep(transcode.AppendUTF8FromLatin1(buf8[:0], src[:]), nil)
			keep(transcode.AppendUTF16FromLatin1(buf16[:0], src[:]), nil)
			keep(transcode.AppendUTF32FromLatin1(buf32[:0], src[:]), nil)
		},
		"UTF-16": func() {
			src := [...]uint16{'a', 0xE9, 0x4E2D, 0xD83D, 0xDE00, 'z'}
			var buf8 [32]byte
			var buf32 [16]rune
			out8, err := transcode.AppendUTF8FromUTF16(buf8[:0], src[:])
			keep(out8, err)
			out8, err = transcode.AppendLatin1FromUTF16(buf8[:0], src[:2])
			keep(out8, err)
			out32, err := transcode.AppendUTF32FromUTF16(buf32[:0], src[:])
			keep(out32, err)
			keep(transcode.AppendValidUTF8FromUTF16(buf8[:0], src[1:4]), nil)
			allocSink += transcode.RuneCountUTF16(src[:]) + transcode.UTF8LenFromUTF16(src[:]) + transcode.UTF32LenFromUTF16(src[:]) + len(truth(transcode.ValidUTF16(src[:]))) + len(truth(transcode.CheckUTF16(src[:]) == nil))
			allocSink += transcode.ToWellFormedUTF16(src[1:4])
		},
		"UTF-32": func() {
			src := [...]rune{'a', 0xE9, 0x4E2D, 0x1F600, 'z'}
			var buf8 [32]byte
			var buf16 [16]uint16
			out8, err := transcode.AppendUTF8FromUTF32(buf8[:0], src[:])
			keep(out8, err)
			out8, err = transcode.AppendLatin1FromUTF32(buf8[:0], src[:2])
			keep(out8, err)
			out16, err := transcode.AppendUTF16FromUTF32(buf16[:0], src[:])
			keep(out16, err)
			allocSink += transcode.UTF8LenFromUTF32(src[:]) + transcode.UTF16LenFromUTF32(src[:]) + len(truth(transcode.ValidUTF32(src[:]))) + len(truth(transcode.CheckUTF32(src[:]) == nil))
		},
		"Append": func() {
			src := [...]byte{'a', 0x00, 0x3D, 0xD8, 0x00, 0xDE}
			var buf [16]byte
			out, err := transcode.Append(buf[:0], transcode.UTF8, src[:], transcode.UTF16LE)
			keep(out, err)
			out, err = transcode.Append(buf[:0], transcode.UTF32BE, myBytes(src[:]), transcode.UTF16LE)
			keep(out, err)
		},
		"Transcoder": func() {
			src := [...]byte{0xFF, 0xFE, 'a', 0x00, 0x3D, 0xD8}
			var buf [16]byte
			out, err := transcode.Transcoder{From: transcode.UTF16LE, OnError: transcode.Replace, BOM: transcode.BOMOverride, AddBOM: true}.Append(buf[:0], src[:])
			keep(out, err)
			out, err = transcode.Transcoder{}.AppendString(buf[:0], "été")
			keep(out, err)
		},
		"Detect": func() {
			src := [...]byte{'a', 0x00, 'b', 0x00}
			e, _, _ := transcode.Detect(src[:])
			allocSink += int(e)
		},
	})
}

// TestAllocsOfStream: a Stream allocates nothing but itself.
func TestAllocsOfStream(t *testing.T) {
	s := transcode.Transcoder{From: transcode.UTF8, To: transcode.UTF16LE, OnError: transcode.Replace, BOM: transcode.BOMOverride, AddBOM: true}.NewStream()
	src := []byte(allocWide + "\xFF")
	requireAllocs(t, 0, map[string]func(){"Transform": func() {
		var dst [32]byte
		s.Reset()
		for pos := 0; ; {
			_, n, err := s.Transform(dst[:], src[pos:], true)
			if pos += n; err == nil {
				break
			}
		}
	}})
}

// TestAllocsOfText: the methods of a Text allocate nothing, but for String of a text that is not ASCII.
func TestAllocsOfText(t *testing.T) {
	ascii, _ := transcode.Decode("plain ASCII of some length, for more than one word")
	latin1, _ := transcode.Decode("été " + strings.Repeat("à", 30))
	wide, _ := transcode.Decode(allocWide)
	for _, text := range []transcode.Text{ascii, latin1, wide} {
		requireAllocs(t, 0, map[string]func(){text.Class().String(): func() {
			var buf8 [300]byte
			var buf16 [300]uint16
			keep(text.AppendUTF8(buf8[:0]), nil)
			keep(text.AppendUTF16(buf16[:0]), nil)
			units, _ := text.UTF16()
			s, _ := text.Latin1()
			allocSink += text.Len() + int(text.At(1)) + len(units) + len(s)
		}})
	}
	requireAllocs(t, 0, map[string]func(){
		"String of ASCII": func() { allocSink += len(ascii.String()) },
		"Decode of an ASCII string": func() {
			text, _ := transcode.Decode("plain ASCII")
			allocSink += text.Len()
		},
		"Decode of an ASCII string of a named type": func() {
			text, err := transcode.DecodeStrict(myString("plain ASCII"))
			allocSink += text.Len() + len(truth(err == nil))
		},
	})
	bytesASCII, bytesLatin1, bytesWide := []byte("plain ASCII of some length"), []byte(strings.Repeat("é", 40)), []byte(allocWide)
	requireAllocs(t, 1, map[string]func(){
		"String of Latin-1": func() { allocSink += len(latin1.String()) },
		"String of UTF-16":  func() { allocSink += len(wide.String()) },
		"Decode of ASCII":   func() { text, _ := transcode.Decode(bytesASCII); allocSink += text.Len() },
		"Decode of Latin-1": func() { text, _ := transcode.Decode(bytesLatin1); allocSink += text.Len() },
		"Decode of others":  func() { text, _ := transcode.Decode(bytesWide); allocSink += text.Len() },
		"DecodeStrict":      func() { text, _ := transcode.DecodeStrict(myBytes(bytesWide)); allocSink += text.Len() },
		"Decode of ill-formed text": func() {
			text, _ := transcode.Decode(allocWide + "\xFF")
			allocSink += text.Len()
		},
	})
}

// TestAllocsOfError: an error costs the *Error and nothing else where there is room.
func TestAllocsOfError(t *testing.T) {
	bad := []byte(allocWide + "\xFF")
	units := []uint16{'a', 0xDC00}
	requireAllocs(t, 1, map[string]func(){
		"CheckUTF8":  func() { allocSink += len(truth(transcode.CheckUTF8(bad) != nil)) },
		"CheckUTF16": func() { allocSink += len(truth(transcode.CheckUTF16(units) != nil)) },
		"AppendUTF16FromUTF8": func() {
			var buf [300]uint16
			out, err := transcode.AppendUTF16FromUTF8(buf[:0], bad)
			allocSink += len(out) + len(truth(err != nil))
		},
		"AppendUTF8FromUTF16": func() {
			var buf [30]byte
			out, err := transcode.AppendUTF8FromUTF16(buf[:0], units)
			allocSink += len(out) + len(truth(err != nil))
		},
		"Transcoder.Append": func() {
			var buf [300]byte
			out, err := transcode.Transcoder{}.Append(buf[:0], bad)
			allocSink += len(out) + len(truth(err != nil))
		},
	})
}

// growth has, for a size, the length and the capacity of what each append function makes of nil.
func growth(n int) map[string]func() (length, capacity, size int) {
	latin1 := []byte(texts.Of("ascii", n/2) + strings.Repeat("\xE9", n-n/2))
	utf8 := texts.Of("mixed", n)
	fits := transcode.AppendUTF8FromLatin1(nil, latin1)
	utf16 := transcode.AppendValidUTF16FromUTF8(nil, utf8)
	utf32 := transcode.AppendValidUTF32FromUTF8(nil, utf8)
	bytes16 := oracle.Bytes16(utf16, transcode.UTF16LE)
	latin16 := transcode.AppendUTF16FromLatin1(nil, latin1)
	latin32 := transcode.AppendUTF32FromLatin1(nil, latin1)
	faulty := utf8[:n-1] + "\xFF"
	text, _ := transcode.Decode(fits)
	return map[string]func() (int, int, int){
		"AppendLatin1FromUTF8":     func() (int, int, int) { return sized(transcode.AppendLatin1FromUTF8(nil, fits)) },
		"AppendUTF16FromUTF8":      func() (int, int, int) { return sized(transcode.AppendUTF16FromUTF8(nil, utf8)) },
		"AppendUTF32FromUTF8":      func() (int, int, int) { return sized(transcode.AppendUTF32FromUTF8(nil, utf8)) },
		"AppendUTF8FromLatin1":     func() (int, int, int) { return sized(transcode.AppendUTF8FromLatin1(nil, latin1), nil) },
		"AppendUTF16FromLatin1":    func() (int, int, int) { return sized(transcode.AppendUTF16FromLatin1(nil, latin1), nil) },
		"AppendUTF32FromLatin1":    func() (int, int, int) { return sized(transcode.AppendUTF32FromLatin1(nil, latin1), nil) },
		"AppendUTF8FromUTF16":      func() (int, int, int) { return sized(transcode.AppendUTF8FromUTF16(nil, utf16)) },
		"AppendLatin1FromUTF16":    func() (int, int, int) { return sized(transcode.AppendLatin1FromUTF16(nil, latin16)) },
		"AppendUTF32FromUTF16":     func() (int, int, int) { return sized(transcode.AppendUTF32FromUTF16(nil, utf16)) },
		"AppendUTF8FromUTF32":      func() (int, int, int) { return sized(transcode.AppendUTF8FromUTF32(nil, utf32)) },
		"AppendLatin1FromUTF32":    func() (int, int, int) { return sized(transcode.AppendLatin1FromUTF32(nil, latin32)) },
		"AppendUTF16FromUTF32":     func() (int, int, int) { return sized(transcode.AppendUTF16FromUTF32(nil, utf32)) },
		"AppendValidUTF8":          func() (int, int, int) { return sized(transcode.AppendValidUTF8(nil, faulty), nil) },
		"AppendValidUTF16FromUTF8": func() (int, int, int) { return sized(transcode.AppendValidUTF16FromUTF8(nil, faulty), nil) },
		"AppendValidUTF32FromUTF8": func() (int, int, int) { return sized(transcode.AppendValidUTF32FromUTF8(nil, faulty), nil) },
		"AppendValidUTF8FromUTF16": func() (int, int, int) { return sized(transcode.AppendValidUTF8FromUTF16(nil, utf16[1:]), nil) },
		"Append":                   func() (int, int, int) { return sized(transcode.Append(nil, transcode.UTF32BE, utf8, transcode.UTF8)) },
		"Transcoder.Append": func() (int, int, int) {
			return sized(transcode.Transcoder{From: transcode.UTF16LE, AddBOM: true, OnError: transcode.Replace}.Append(nil, bytes16))
		},
		"Transcoder.AppendString": func() (int, int, int) {
			return sized(transcode.Transcoder{To: transcode.UTF16BE}.AppendString(nil, utf8))
		},
		"Transcoder.String": func() (int, int, int) {
			s, err := transcode.Transcoder{From: transcode.Latin1}.String(latin1)
			return sized([]byte(nil), err, len(s))
		},
		"Transcoder.String with a policy": func() (int, int, int) {
			s, err := transcode.Transcoder{From: transcode.Latin1, To: transcode.ASCII, OnError: transcode.Replace}.String(latin1)
			return sized([]byte(nil), err, len(s))
		},
		"Text.AppendUTF8": func() (int, int, int) { return sized(text.AppendUTF8(nil), nil) },
	}
}

// sized returns what growth wants of a result; n stands for the length and capacity of a string.
func sized[E byte | uint16 | rune](out []E, err error, n ...int) (length, capacity, size int) {
	if err != nil {
		panic(err)
	}
	var e E
	size = int(unsafe.Sizeof(e))
	if len(n) > 0 {
		return n[0], n[0], size
	}
	return len(out), cap(out), size
}

// TestAllocsOneToGrow: when dst must grow it grows once, to the size of the result and not to a worst case. Allocators round
// sizes up, by at most an eighth or a page.
func TestAllocsOneToGrow(t *testing.T) {
	for _, n := range []int{10, 100, 5000, 100000} {
		for name, grow := range growth(n) {
			length, capacity, size := grow()
			require.NotZero(t, length)
			if waste := (capacity - length) * size; waste > max(16, length*size/8+16, 8192*min(1, length*size/32768)) {
				t.Errorf("%s of %d bytes: capacity %d for length %d of %d-byte elements", name, n, capacity, length, size)
			}
			requireAllocs(t, 1, map[string]func(){fmt.Sprintf("%s %d", name, n): func() {
				length, _, _ := grow()
				allocSink += length
			}})
		}
	}
}

// TestAllocsNoneForNothing: no text, no memory.
func TestAllocsNoneForNothing(t *testing.T) {
	requireAllocs(t, 0, map[string]func(){
		"Append":              func() { out, err := transcode.Append(nil, transcode.UTF16LE, "", transcode.UTF8); keep(out, err) },
		"AppendUTF16FromUTF8": func() { out, err := transcode.AppendUTF16FromUTF8(nil, ""); keep(out, err) },
		"AppendValidUTF8":     func() { keep(transcode.AppendValidUTF8(nil, ""), nil) },
		"Transcoder.String":   func() { s, _ := transcode.Transcoder{}.String(nil); allocSink += len(s) },
		"Decode":              func() { text, _ := transcode.Decode([]byte(nil)); allocSink += text.Len() },
	})
}

// A result that is appended to nothing has one allocation of its exact size; large ones have no capacity besides, in which old contents of the
// heap could be, not on an error either.
func TestAllocationsOfExactSize(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	latin1 := strings.Repeat("caf\xE9 na\xEFve ", 1000)
	text := string(transcode.AppendUTF8FromLatin1(nil, latin1))
	units, _ := transcode.AppendUTF16FromUTF8(nil, text)
	runes := []rune(text)
	for name, f := range map[string]func() (length, capacity int){
		"AppendUTF8FromLatin1":  func() (int, int) { b := transcode.AppendUTF8FromLatin1(nil, latin1); return len(b), cap(b) },
		"AppendUTF16FromLatin1": func() (int, int) { b := transcode.AppendUTF16FromLatin1(nil, latin1); return len(b), cap(b) },
		"AppendUTF32FromLatin1": func() (int, int) { b := transcode.AppendUTF32FromLatin1(nil, latin1); return len(b), cap(b) },
		"AppendLatin1FromUTF8":  func() (int, int) { b, _ := transcode.AppendLatin1FromUTF8(nil, text); return len(b), cap(b) },
		"AppendLatin1FromUTF16": func() (int, int) { b, _ := transcode.AppendLatin1FromUTF16(nil, units); return len(b), cap(b) },
		"AppendLatin1FromUTF32": func() (int, int) { b, _ := transcode.AppendLatin1FromUTF32(nil, runes); return len(b), cap(b) },
		"AppendUTF16FromUTF8":   func() (int, int) { b, _ := transcode.AppendUTF16FromUTF8(nil, text); return len(b), cap(b) },
		"AppendUTF32FromUTF8":   func() (int, int) { b, _ := transcode.AppendUTF32FromUTF8(nil, text); return len(b), cap(b) },
		"AppendUTF8FromUTF16":   func() (int, int) { b, _ := transcode.AppendUTF8FromUTF16(nil, units); return len(b), cap(b) },
		"AppendUTF8FromUTF32":   func() (int, int) { b, _ := transcode.AppendUTF8FromUTF32(nil, runes); return len(b), cap(b) },
	} {
		length, capacity := f()
		require.Equal(t, length, capacity, name)
		require.Equal(t, 1.0, testing.AllocsPerRun(20, func() { f() }), name)
	}

	bad := text + "\xFF" + text
	u, err := transcode.AppendUTF16FromUTF8(nil, bad)
	require.Error(t, err)
	require.Equal(t, len(u), cap(u))
	b, err := transcode.Append(nil, transcode.UTF16BE, bad, transcode.UTF8)
	require.Error(t, err)
	require.Equal(t, len(b), cap(b))
	b, err = transcode.Transcoder{To: transcode.UTF32LE}.Append(nil, []byte(bad))
	require.Error(t, err)
	require.Equal(t, len(b), cap(b))
}

// allocated returns how many bytes f allocates. Tests that call it do not run beside others.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A long record takes no more memory than the maximum allows.
func TestRecordsMemory(t *testing.T) {
	const size, most = 4 << 20, 10000
	for long := range transcode.LongSkip + 1 {
		source := &texts.SizeReader{Most: 1 << 10, Left: size}
		require.LessOrEqual(t, allocated(func() {
			r := transcode.NewReader(source, transcode.UTF8)
			for line, err := range r.Records('\n', most, long) {
				if long == transcode.LongError {
					require.ErrorIs(t, err, transcode.ErrLineTooLong)
					require.Greater(t, source.Left, size-2*most, "no more is read than it takes to see that the record is too long")
					break
				}
				require.NoError(t, err)
				if len(line.Text) > most {
					t.Fatalf("a record of %d bytes", len(line.Text))
				}
			}
		}), uint64(size/8))
	}
}

// A record of many reads is carried over once: memory grows in proportion, and it comes whole.
func TestRecordsLongRecord(t *testing.T) {
	const size = 4 << 20
	source := &texts.SizeReader{Most: 1 << 10, Left: size}
	var sizes []int
	require.LessOrEqual(t, allocated(func() {
		r := transcode.NewReader(io.MultiReader(source, strings.NewReader("\nb")), transcode.UTF8)
		for line, err := range r.Lines() {
			require.NoError(t, err)
			sizes = append(sizes, len(line.Text))
			require.Equal(t, transcode.ClassASCII, line.Class)
		}
	}), uint64(6*size))
	require.Equal(t, []int{size, 1}, sizes)
}

// Long records take their memory once, wherever they have to be: as they are read, or converted.
func TestRecordsMemoryOnce(t *testing.T) {
	const size, most = 3 << 20, 5 << 20
	long, short := strings.Repeat("é", size/2), strings.Repeat("short\n", 100000)
	source := strings.NewReader(strings.Repeat(long+"\n"+short+long[:size/2]+"\xFF"+long+"\n"+short, 3))
	before := inUse()
	n := 0
	for line, err := range transcode.NewReader(source, transcode.UTF8).Records('\n', most, transcode.LongError) {
		require.NoError(t, err)
		if len(line.Text) >= size {
			n++
			require.LessOrEqual(t, inUse(), before+most+1<<20)
		}
	}
	require.Equal(t, 6, n)
}

// inUse returns how many bytes of memory are reachable.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
