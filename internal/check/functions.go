package check

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
)

// Each check here takes one input and compares every function that can take it with the oracle, in several shapes of
// destination. It compares first and formats only what differs, so that sweeps of millions of inputs stay fast.

// A failFunc reports what differs and ends the test.
type failFunc func(format string, args ...any)

// place copies src into the middle of a larger buffer, between elements that would change the answer if they were taken for
// part of it. The position of the copy depends on its content, so that a sweep meets all alignments.
func place[E byte | uint16 | rune](src []E, before, after []E) []E {
	pad := len(src) % 8
	if len(src) > 0 {
		pad = (7*len(src) + 3*int(src[0]&0x7F) + int(src[len(src)-1]&0x7F)) % 64
	}
	buf := make([]E, 0, pad+len(before)+len(src)+len(after))
	for range pad {
		buf = append(buf, before[0])
	}
	buf = append(buf, before...)
	at := len(buf)
	buf = append(buf, src...)
	buf = append(buf, after...)
	// The capacity keeps what lies behind, as a slice of a larger buffer does.
	return buf[at : at+len(src)]
}

// placeBytes places src between an unfinished UTF-8 character and what would finish one (80 BF ...). For UTF-16 and UTF-32
// the neighbours are high surrogates before and low surrogates behind, in both byte orders.
func placeBytes(src []byte, e transcode.Encoding) []byte {
	before, after := "\xF0\x9F\x98", "\x80\xBF\x80\xBF\x80\xBF\x80\xBF"
	if oracle.UnitSize(e) > 1 {
		before, after = "\xD8\xD8\xD8\xD8\xD8", "\xDC\xDC\xDC\xDC\xDC\xDC\xDC\xDC"
	}
	return place(src, []byte(before), []byte(after))
}

// AliasString returns the bytes of src as a string, without a copy, so that strings have the same neighbours.
func AliasString(src []byte) string { return unsafe.String(unsafe.SliceData(src), len(src)) }

// checkAppend calls f, an append function bound to its source, with dst nil, with exactly the room that it needs, with more,
// and with one element too few. Only elements of the result may change on success, and nothing past the capacity ever.
func checkAppend[E byte | uint16 | rune](fail failFunc, name string, want []E, wantErr *transcode.Error, f func(dst []E) ([]E, error)) {
	got, err := f(nil)
	if !slices.Equal(got, want) || !IsError(err, wantErr) {
		fail("%s to a nil slice gives %x, %+v, want %x, %+v", name, got, err, want, wantErr)
	}
	if err == nil && !AllZero(got[len(got):cap(got)]) {
		fail("%s to a nil slice leaves %x behind its result", name, got[len(got):cap(got)])
	}
	const ahead, more, beyond = 3, 37, 8 // elements before dst, of extra room, and past the capacity
	arena := make([]E, ahead+len(want)+more+beyond)
	for _, room := range [...]int{0, more, -1} {
		n := ahead + len(want) + room
		if n < ahead {
			continue
		}
		canary := [...]E{0x5A, 0x25}[(room+1)%2] // two values: one of them may be in the text
		for i := range arena {
			arena[i] = canary
		}
		arena[0], arena[1], arena[2] = 1, 2, 3
		got, err := f(arena[:ahead:n])
		if !IsError(err, wantErr) {
			fail("%s with %d more room than needed: error %+v, want %+v", name, room, err, wantErr)
		}
		if len(got) < ahead || got[0] != 1 || got[1] != 2 || got[2] != 3 || !slices.Equal(got[ahead:], want) {
			fail("%s with %d more room than needed gives %x, want %x after 1 2 3", name, room, got, want)
		}
		switch untouched := arena[n:]; {
		case err == nil && room >= 0:
			if &got[0] != &arena[0] {
				fail("%s reallocates a slice with %d more room than needed", name, room)
			}
			untouched = arena[len(got):]
			fallthrough
		default:
			if i := slices.IndexFunc(untouched, func(e E) bool { return e != canary }); i >= 0 {
				fail("%s with %d more room than needed, error %v, writes %x at %d elements behind the result or the capacity",
					name, room, err, untouched[i], i)
			}
		}
		if room < 0 && err == nil && !AllZero(got[len(got):cap(got)]) {
			fail("%s grows a slice and leaves %x behind its result", name, got[len(got):cap(got)])
		}
	}
}

func AllZero[E byte | uint16 | rune](s []E) bool {
	for _, e := range s {
		if e != 0 {
			return false
		}
	}
	return true
}

// UTF8 compares every function whose source is UTF-8 with the oracle.
func UTF8(t testing.TB, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("UTF-8 % x: "+format, append([]any{text}, args...)...)
	}
	src := placeBytes(text, transcode.UTF8)
	str := AliasString(src)
	items := oracle.DecodeUTF8(text)

	checkUTF8Facts(fail, src, items)
	checkUTF8Facts(fail, str, items)
	UTF8Lengths(fail, str, items)

	latin1, latin1Err := goodPrefix(items, transcode.UTF8, transcode.Latin1)
	good, err := goodPrefix(items, transcode.UTF8, transcode.UTF32LE)
	checkAppend(fail, "AppendLatin1FromUTF8", oracle.EncodeRunes(latin1, transcode.Latin1), latin1Err, func(dst []byte) ([]byte, error) { return transcode.AppendLatin1FromUTF8(dst, src) })
	checkAppend(fail, "AppendUTF16FromUTF8", oracle.EncodeUnits(good), err, func(dst []uint16) ([]uint16, error) { return transcode.AppendUTF16FromUTF8(dst, src) })
	checkAppend(fail, "AppendUTF32FromUTF8", good, err, func(dst []rune) ([]rune, error) { return transcode.AppendUTF32FromUTF8(dst, src) })
	checkOnce(fail, "AppendLatin1FromUTF8 of a string", oracle.EncodeRunes(latin1, transcode.Latin1), latin1Err)(transcode.AppendLatin1FromUTF8(nil, str))
	checkOnce(fail, "AppendUTF16FromUTF8 of a string", oracle.EncodeUnits(good), err)(transcode.AppendUTF16FromUTF8(nil, str))
	checkOnce(fail, "AppendUTF32FromUTF8 of a string", good, err)(transcode.AppendUTF32FromUTF8(nil, str))

	replaced := oracle.Runes(items)
	checkAppend(fail, "AppendValidUTF8", oracle.EncodeRunes(replaced, transcode.UTF8), nil, func(dst []byte) ([]byte, error) { return transcode.AppendValidUTF8(dst, src), nil })
	checkAppend(fail, "AppendValidUTF16FromUTF8", oracle.EncodeUnits(replaced), nil, func(dst []uint16) ([]uint16, error) { return transcode.AppendValidUTF16FromUTF8(dst, src), nil })
	checkAppend(fail, "AppendValidUTF32FromUTF8", replaced, nil, func(dst []rune) ([]rune, error) { return transcode.AppendValidUTF32FromUTF8(dst, src), nil })
	checkOnce(fail, "AppendValidUTF8 of a string", oracle.EncodeRunes(replaced, transcode.UTF8), nil)(transcode.AppendValidUTF8(nil, str), nil)
	checkOnce(fail, "AppendValidUTF16FromUTF8 of a string", oracle.EncodeUnits(replaced), nil)(transcode.AppendValidUTF16FromUTF8(nil, str), nil)
	checkOnce(fail, "AppendValidUTF32FromUTF8 of a string", replaced, nil)(transcode.AppendValidUTF32FromUTF8(nil, str), nil)

	if !bytes.Equal(src, text) {
		fail("source modified to % x", src)
	}
}

// checkOnce returns a function that compares a single result, as f(args) gives it.
func checkOnce[E byte | uint16 | rune](fail failFunc, name string, want []E, wantErr *transcode.Error) func(got []E, err error) {
	return func(got []E, err error) {
		if !slices.Equal(got, want) || !IsError(err, wantErr) {
			fail("%s gives %x, %+v, want %x, %+v", name, got, err, want, wantErr)
		}
	}
}

// checkUTF8Facts compares what validates, classifies and finds errors.
func checkUTF8Facts[Bytes ~[]byte | ~string](fail failFunc, src Bytes, items []oracle.Item) {
	err := FirstFault(items, transcode.UTF8)
	class := ClassOfItems(items)
	prefix, goodLen := items, len(src)
	if err != nil {
		goodLen = int(err.Offset)
		prefix = items[:slices.IndexFunc(items, func(it oracle.Item) bool { return it.Kind != 0 })]
	}
	ascii := 0
	for ascii < len(src) && src[ascii] < 0x80 {
		ascii++
	}
	if got := transcode.ValidUTF8(src); got != (err == nil) {
		fail("ValidUTF8 of %T: %v", src, got)
	}
	if got := transcode.CheckUTF8(src); !IsError(got, err) {
		fail("CheckUTF8 of %T: %+v, want %+v", src, got, err)
	}
	if got := transcode.Check(src, transcode.UTF8); !IsError(got, err) {
		fail("Check of %T: %+v, want %+v", src, got, err)
	}
	if got := transcode.Classify(src); got != class {
		fail("Classify of %T: %v, want %v", src, got, class)
	}
	if c, n := transcode.ClassifyPrefix(src); c != ClassOfItems(prefix) || n != goodLen {
		fail("ClassifyPrefix of %T: %v, %d, want %v, %d", src, c, n, ClassOfItems(prefix), goodLen)
	}
	if got := transcode.ASCIIPrefixLen(src); got != ascii {
		fail("ASCIIPrefixLen of %T: %d, want %d", src, got, ascii)
	}
	if got := transcode.IsASCII(src); got != (ascii == len(src)) {
		fail("IsASCII of %T: %v", src, got)
	}
}

// UTF8Lengths compares counts and lengths with their formulas, and for well-formed text with what they stand for.
func UTF8Lengths(fail failFunc, src string, items []oracle.Item) {
	starts, long := 0, 0 // bytes outside 80..BF, and bytes from F0
	for i := range len(src) {
		if src[i] < 0x80 || src[i] > 0xBF {
			starts++
		}
		if src[i] >= 0xF0 {
			long++
		}
	}
	if FirstFault(items, transcode.UTF8) == nil && (starts != len(items) || starts+long != len(oracle.EncodeUnits(oracle.Runes(items)))) {
		fail("the formulas of the test are wrong")
	}
	b := []byte(src)
	equal := func(name string, got [2]int, want int) {
		if got != [2]int{want, want} {
			fail("%s of string and []byte: %d, want %d", name, got, want)
		}
	}
	equal("RuneCount", [2]int{transcode.RuneCount(src), transcode.RuneCount(b)}, starts)
	equal("Latin1LenFromUTF8", [2]int{transcode.Latin1LenFromUTF8(src), transcode.Latin1LenFromUTF8(b)}, starts)
	equal("UTF32LenFromUTF8", [2]int{transcode.UTF32LenFromUTF8(src), transcode.UTF32LenFromUTF8(b)}, starts)
	equal("UTF16LenFromUTF8", [2]int{transcode.UTF16LenFromUTF8(src), transcode.UTF16LenFromUTF8(b)}, starts+long)
	for i, to := range Encodings {
		want := lengths{len(src), starts, 2 * (starts + long), 4 * starts}.in(to)
		equal(lenNames[i], [2]int{transcode.Len(to, src, transcode.UTF8), transcode.Len(to, b, transcode.UTF8)}, want)
	}
}

// lenNames has what a call of Len to each encoding is called, since a sweep has no time for making names up.
var lenNames = func() (names []string) {
	for _, e := range Encodings {
		names = append(names, "Len to "+e.String())
	}
	return names
}()

// lengths has the lengths of a text in bytes: in UTF-8, in one-byte encodings, in UTF-16 and in UTF-32.
type lengths struct{ utf8, one, utf16, utf32 int }

func (l lengths) in(e transcode.Encoding) int {
	switch e {
	case transcode.UTF8:
		return l.utf8
	case transcode.UTF16LE, transcode.UTF16BE:
		return l.utf16
	case transcode.UTF32LE, transcode.UTF32BE:
		return l.utf32
	}
	return l.one
}

// UTF16 compares every function whose source is a []uint16 with the oracle.
func UTF16(t testing.TB, units []uint16) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("UTF-16 %04x: "+format, append([]any{units}, args...)...)
	}
	src := place(units, []uint16{0xD83D}, []uint16{0xDE00, 0xDE00, 0xDE00, 0xDE00})
	items := oracle.DecodeUTF16(units)
	good, err := goodPrefix(items, transcode.UTF16LE, transcode.UTF32LE)
	latin1, latin1Err := goodPrefix(items, transcode.UTF16LE, transcode.Latin1)

	if got := transcode.ValidUTF16(src); got != (err == nil) {
		fail("ValidUTF16: %v", got)
	}
	if got := transcode.CheckUTF16(src); !IsError(got, err) {
		fail("CheckUTF16: %+v, want %+v", got, err)
	}
	utf8Len, low := len(units), 0
	for _, u := range units {
		if u >= 0x80 {
			utf8Len++
		}
		if u >= 0x800 {
			utf8Len++
		}
		if u >= 0xD800 && u <= 0xDFFF {
			utf8Len--
		}
		if u >= 0xDC00 && u <= 0xDFFF {
			low++
		}
	}
	if err == nil && (utf8Len != len(string(good)) || len(units)-low != len(good)) {
		fail("the formulas of the test are wrong")
	}
	if got := transcode.RuneCountUTF16(src); got != len(units)-low {
		fail("RuneCountUTF16: %d, want %d", got, len(units)-low)
	}
	if got := transcode.UTF32LenFromUTF16(src); got != len(units)-low {
		fail("UTF32LenFromUTF16: %d, want %d", got, len(units)-low)
	}
	if got := transcode.UTF8LenFromUTF16(src); got != utf8Len {
		fail("UTF8LenFromUTF16: %d, want %d", got, utf8Len)
	}

	checkAppend(fail, "AppendUTF8FromUTF16", oracle.EncodeRunes(good, transcode.UTF8), err, func(dst []byte) ([]byte, error) { return transcode.AppendUTF8FromUTF16(dst, src) })
	checkAppend(fail, "AppendLatin1FromUTF16", oracle.EncodeRunes(latin1, transcode.Latin1), latin1Err, func(dst []byte) ([]byte, error) { return transcode.AppendLatin1FromUTF16(dst, src) })
	checkAppend(fail, "AppendUTF32FromUTF16", good, err, func(dst []rune) ([]rune, error) { return transcode.AppendUTF32FromUTF16(dst, src) })
	replaced := oracle.EncodeRunes(oracle.Runes(items), transcode.UTF8)
	checkAppend(fail, "AppendValidUTF8FromUTF16", replaced, nil, func(dst []byte) ([]byte, error) { return transcode.AppendValidUTF8FromUTF16(dst, src), nil })

	faults := 0
	for _, it := range items {
		if it.Kind != 0 {
			faults++
		}
	}
	own := place(units, []uint16{0xD83D}, []uint16{0xDE00, 0xDE00, 0xDE00, 0xDE00})
	if n := transcode.ToWellFormedUTF16(own); n != faults || !slices.Equal(own, oracle.EncodeUnits(oracle.Runes(items))) {
		fail("ToWellFormedUTF16 gives %04x, %d, want %04x, %d", own, n, oracle.EncodeUnits(oracle.Runes(items)), faults)
	}
	if !slices.Equal(own, utf16.Encode(utf16.Decode(units))) {
		fail("ToWellFormedUTF16 gives %04x, unicode/utf16 says %04x", own, utf16.Encode(utf16.Decode(units)))
	}
	if behind := own[len(own):cap(own)][:4]; !slices.Equal(behind, []uint16{0xDE00, 0xDE00, 0xDE00, 0xDE00}) {
		fail("ToWellFormedUTF16 writes %04x behind its argument", behind)
	}
	if !slices.Equal(src, units) {
		fail("source modified to %04x", src)
	}
}

// UTF32 compares every function whose source is a []rune with the oracle.
func UTF32(t testing.TB, runes []rune) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("UTF-32 %x: "+format, append([]any{runes}, args...)...)
	}
	src := place(runes, []rune{0xD800}, []rune{0x110000, 0x41})
	items := oracle.DecodeUTF32(runes)
	good, err := goodPrefix(items, transcode.UTF32LE, transcode.UTF16LE)
	latin1, latin1Err := goodPrefix(items, transcode.UTF32LE, transcode.Latin1)

	if got := transcode.ValidUTF32(src); got != (err == nil) {
		fail("ValidUTF32: %v", got)
	}
	if got := transcode.CheckUTF32(src); !IsError(got, err) {
		fail("CheckUTF32: %+v, want %+v", got, err)
	}
	utf8Len, utf16Len := len(runes), len(runes)
	for _, r := range runes {
		for _, limit := range []uint32{0x80, 0x800, 0x10000} {
			if uint32(r) >= limit {
				utf8Len++
			}
		}
		if uint32(r) >= 0x10000 {
			utf16Len++
		}
	}
	if err == nil && (utf8Len != len(string(runes)) || utf16Len != len(utf16.Encode(runes))) {
		fail("the formulas of the test are wrong")
	}
	if got := transcode.UTF8LenFromUTF32(src); got != utf8Len {
		fail("UTF8LenFromUTF32: %d, want %d", got, utf8Len)
	}
	if got := transcode.UTF16LenFromUTF32(src); got != utf16Len {
		fail("UTF16LenFromUTF32: %d, want %d", got, utf16Len)
	}

	checkAppend(fail, "AppendUTF8FromUTF32", oracle.EncodeRunes(good, transcode.UTF8), err, func(dst []byte) ([]byte, error) { return transcode.AppendUTF8FromUTF32(dst, src) })
	checkAppend(fail, "AppendLatin1FromUTF32", oracle.EncodeRunes(latin1, transcode.Latin1), latin1Err, func(dst []byte) ([]byte, error) { return transcode.AppendLatin1FromUTF32(dst, src) })
	checkAppend(fail, "AppendUTF16FromUTF32", oracle.EncodeUnits(good), err, func(dst []uint16) ([]uint16, error) { return transcode.AppendUTF16FromUTF32(dst, src) })
	if !slices.Equal(src, runes) {
		fail("source modified to %x", src)
	}
}

// Latin1 compares every function whose source is Latin-1 with the oracle.
func Latin1(t testing.TB, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("Latin-1 % x: "+format, append([]any{text}, args...)...)
	}
	src := placeBytes(text, transcode.Latin1)
	str := AliasString(src)
	runes := oracle.Runes(oracle.Decode(text, transcode.Latin1))
	utf8Text := []byte(string(runes))

	for name, got := range map[string]int{"string": transcode.UTF8LenFromLatin1(str), "[]byte": transcode.UTF8LenFromLatin1(src)} {
		if got != len(utf8Text) {
			fail("UTF8LenFromLatin1 of %s: %d, want %d", name, got, len(utf8Text))
		}
	}
	for _, to := range Encodings {
		want := lengths{len(utf8Text), len(src), 2 * len(src), 4 * len(src)}.in(to)
		for _, from := range []transcode.Encoding{transcode.ASCII, transcode.Latin1} {
			if a, b := transcode.Len(to, src, from), transcode.Len(to, str, from); a != want || b != want {
				fail("Len from %v to %v: %d, %d, want %d", from, to, a, b, want)
			}
		}
	}
	checkAppend(fail, "AppendUTF8FromLatin1", utf8Text, nil, func(dst []byte) ([]byte, error) { return transcode.AppendUTF8FromLatin1(dst, src), nil })
	checkAppend(fail, "AppendUTF16FromLatin1", oracle.EncodeUnits(runes), nil, func(dst []uint16) ([]uint16, error) { return transcode.AppendUTF16FromLatin1(dst, src), nil })
	checkAppend(fail, "AppendUTF32FromLatin1", runes, nil, func(dst []rune) ([]rune, error) { return transcode.AppendUTF32FromLatin1(dst, src), nil })
	checkOnce(fail, "AppendUTF8FromLatin1 of a string", utf8Text, nil)(transcode.AppendUTF8FromLatin1(nil, str), nil)
	checkOnce(fail, "AppendUTF16FromLatin1 of a string", oracle.EncodeUnits(runes), nil)(transcode.AppendUTF16FromLatin1(nil, str), nil)
	checkOnce(fail, "AppendUTF32FromLatin1 of a string", runes, nil)(transcode.AppendUTF32FromLatin1(nil, str), nil)
	if !bytes.Equal(src, text) {
		fail("source modified to % x", src)
	}
}

// Pair compares the whole-text functions of a Transcoder, and Append where it says the same, with the oracle.
func Pair(t testing.TB, tr transcode.Transcoder, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%+v % x: "+format, append([]any{tr, text}, args...)...)
	}
	src := placeBytes(text, tr.From)
	str := AliasString(src)
	v := Transcode(tr, text)

	checkAppend(fail, "Transcoder.Append", v.Out, v.Err, func(dst []byte) ([]byte, error) { return tr.Append(dst, src) })
	// Nothing takes more than four bytes in the target for one of the source; allocators round up by a quarter at most.
	got, err := tr.AppendString(nil, str)
	checkOnce(fail, "Transcoder.AppendString", v.Out, v.Err)(got, err)
	if cap(got) > 5*len(text)+64 {
		fail("Transcoder.AppendString takes memory for %d bytes", cap(got))
	}
	wantString := string(v.Out)
	if v.Err != nil {
		wantString = ""
	}
	if got, err := tr.String(src); got != wantString || !IsError(err, v.Err) {
		fail("Transcoder.String gives %q, %+v, want %q, %+v", got, err, wantString, v.Err)
	}
	if tr.OnError == transcode.Strict && tr.BOM == transcode.BOMKeep && !tr.AddBOM {
		checkAppend(fail, "Append", v.Out, v.Err, func(dst []byte) ([]byte, error) { return transcode.Append(dst, tr.To, src, tr.From) })
		checkOnce(fail, "Append of a string", v.Out, v.Err)(transcode.Append(nil, tr.To, str, tr.From))
		items := oracle.Decode(text, tr.From)
		if want, got := FirstFault(items, tr.From), transcode.Check(src, tr.From); !IsError(got, want) {
			fail("Check: %+v, want %+v", got, want)
		}
		if want, got := FirstFault(items, tr.From), transcode.Check(str, tr.From); !IsError(got, want) {
			fail("Check of a string: %+v, want %+v", got, want)
		}
		if got, again := transcode.Len(tr.To, src, tr.From), transcode.Len(tr.To, str, tr.From); got != again || v.Err == nil && got != len(v.Out) {
			fail("Len of []byte and string: %d, %d, want %d", got, again, len(v.Out))
		}
	}
	if !bytes.Equal(src, text) {
		fail("source modified to % x", src)
	}
}

// Text compares the Text that a Transcoder gives with the oracle.
func Text(t testing.TB, tr transcode.Transcoder, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%+v % x: "+format, append([]any{tr, text}, args...)...)
	}
	toUTF8 := tr
	toUTF8.To, toUTF8.AddBOM = transcode.UTF8, false // Text ignores both
	v := Transcode(toUTF8, text)
	got, replaced, err := tr.Text(text)
	if !IsError(err, v.Err) {
		fail("Transcoder.Text: error %+v, want %+v", err, v.Err)
	}
	if err != nil {
		if got != (transcode.Text{}) || replaced != 0 {
			fail("Transcoder.Text gives %q, %d with an error", got.String(), replaced)
		}
		return
	}
	if int64(replaced) != v.Replaced {
		fail("Transcoder.Text replaces %d, want %d", replaced, v.Replaced)
	}
	TextIs(fail, got, string(v.Out))
}

// TextIs checks that text holds want in its smallest form.
func TextIs(fail failFunc, text transcode.Text, want string) {
	items := oracle.DecodeUTF8([]byte(want))
	class := ClassOfItems(items)
	units := oracle.EncodeUnits(oracle.Runes(items))
	if got := text.Class(); got != class {
		fail("Text %q has class %v, want %v", want, got, class)
	}
	if got := text.String(); got != want {
		fail("Text %q has String %q", want, got)
	}
	if got := text.Len(); got != len(units) {
		fail("Text %q has Len %d, want %d", want, got, len(units))
	}
	for i, u := range units {
		if got := text.At(i); got != u {
			fail("Text %q has %04x at %d, want %04x", want, got, i, u)
		}
	}
	latin1, narrow := text.Latin1()
	wide, isWide := text.UTF16()
	if class <= transcode.ClassLatin1 {
		if !narrow || isWide || wide != nil || latin1 != string(oracle.EncodeRunes(oracle.Runes(items), transcode.Latin1)) {
			fail("Text %q has Latin1 %q, %v and UTF16 %04x, %v", want, latin1, narrow, wide, isWide)
		}
	} else if narrow || latin1 != "" || !isWide || !slices.Equal(wide, units) {
		fail("Text %q has Latin1 %q, %v and UTF16 %04x, %v", want, latin1, narrow, wide, isWide)
	}
	checkAppend(fail, "Text.AppendUTF8", []byte(want), nil, func(dst []byte) ([]byte, error) { return text.AppendUTF8(dst), nil })
	checkAppend(fail, "Text.AppendUTF16", units, nil, func(dst []uint16) ([]uint16, error) { return text.AppendUTF16(dst), nil })
}

// offsetsByDefinition returns, for every character of src, where it begins in bytes and in UTF-16 code units, and the ends of
// both. A character begins at a byte outside 80..BF.
func offsetsByDefinition(src string) (in8, in16 []int) {
	units := 0
	for i := range len(src) {
		if src[i] >= 0x80 && src[i] <= 0xBF {
			continue
		}
		in8, in16 = append(in8, i), append(in16, units)
		units++
		if src[i] >= 0xF0 {
			units++
		}
	}
	return append(in8, len(src)), append(in16, units)
}

func Offsets(t testing.TB, src string) {
	t.Helper()
	in8, in16 := offsetsByDefinition(src)
	k := 0
	for off := -2; off <= len(src)+2; off++ {
		for k+1 < len(in8) && in8[k+1] <= off {
			k++
		}
		want := in16[k]
		if off < in8[k] {
			want = 0 // before the first character
		}
		if got := transcode.UTF16Offset(src, off); got != want {
			t.Fatalf("UTF16Offset of % x, %d: %d, want %d", src, off, got, want)
		}
		if got := transcode.UTF16Offset([]byte(src), off); got != want {
			t.Fatalf("UTF16Offset of []byte % x, %d: %d, want %d", src, off, got, want)
		}
	}
	k = 0
	total := in16[len(in16)-1]
	for off := -2; off <= total+2; off++ {
		for k+1 < len(in16) && in16[k+1] <= off {
			k++
		}
		want := in8[k]
		if off <= 0 {
			want = 0
		}
		if got := transcode.UTF8Offset(src, off); got != want {
			t.Fatalf("UTF8Offset of % x, %d: %d, want %d", src, off, got, want)
		}
		if got := transcode.UTF8Offset([]byte(src), off); got != want {
			t.Fatalf("UTF8Offset of []byte % x, %d: %d, want %d", src, off, got, want)
		}
	}
	if utf8.ValidString(src) {
		for i := range in8 {
			if transcode.UTF16Offset(src, in8[i]) != in16[i] || transcode.UTF8Offset(src, in16[i]) != in8[i] {
				t.Fatalf("offsets of % x do not come back at %d", src, in8[i])
			}
		}
	}
}

// Detect holds Detect to what its answer says about the sample, whatever the answer is.
func Detect(t testing.TB, sample []byte) {
	t.Helper()
	saved := slices.Clone(sample)
	e, bomLen, ok := transcode.Detect(sample)
	if !slices.Equal(sample, saved) {
		t.Fatalf("Detect modifies % x", saved)
	}
	wantBOM, want := 0, transcode.UTF8
	for _, candidate := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
		if bom := oracle.BOM(candidate); len(bom) > wantBOM && slices.Equal(sample[:min(len(bom), len(sample))], bom) {
			want, wantBOM = candidate, len(bom)
		}
	}
	if wantBOM > 0 {
		if e != want || bomLen != wantBOM || !ok {
			t.Fatalf("Detect of % x: %v, %d, %v, want %v, %d, true", sample, e, bomLen, ok, want, wantBOM)
		}
		return
	}
	if bomLen != 0 {
		t.Fatalf("Detect of % x: %v with a byte order mark of %d bytes, which is not there", sample, e, bomLen)
	}
	if !ok {
		if e != transcode.UTF8 || WellFormedButCut(sample, transcode.UTF8) {
			t.Fatalf("Detect of % x: %v, not ok", sample, e)
		}
		return
	}
	if e == transcode.ASCII || e == transcode.Latin1 || int(e) >= len(Encodings) {
		t.Fatalf("Detect of % x: %v", sample, e)
	}
	if !WellFormedButCut(sample, e) {
		t.Fatalf("Detect of % x: %v, in which it is ill-formed", sample, e)
	}
}

// WellFormedButCut reports whether only the end of sample may be ill-formed in e, as an unfinished character.
func WellFormedButCut(sample []byte, e transcode.Encoding) bool {
	err := FirstFault(oracle.Decode(sample, e), e)
	return err == nil || err.Kind == transcode.KindTruncated
}

// Decode compares Decode and DecodeStrict of UTF-8 with the oracle.
func Decode(t testing.TB, src []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("Decode of % x: "+format, append([]any{src}, args...)...)
	}
	items := oracle.DecodeUTF8(src)
	faults := 0
	for _, it := range items {
		if it.Kind != 0 {
			faults++
		}
	}
	text, replaced := transcode.Decode(src)
	if replaced != faults {
		fail("%d replaced, want %d", replaced, faults)
	}
	TextIs(fail, text, string(oracle.Runes(items)))
	if other, n := transcode.Decode(string(src)); other != text || n != replaced {
		fail("a string gives %q, %d", other.String(), n)
	}
	strict, err := transcode.DecodeStrict(src)
	if !IsError(err, FirstFault(items, transcode.UTF8)) {
		fail("DecodeStrict gives %+v, want %+v", err, FirstFault(items, transcode.UTF8))
	}
	if faults > 0 && strict != (transcode.Text{}) || faults == 0 && strict != text {
		fail("DecodeStrict gives %q", strict.String())
	}
	if other, otherErr := transcode.DecodeStrict(string(src)); other != strict || !IsError(otherErr, FirstFault(items, transcode.UTF8)) {
		fail("DecodeStrict of a string gives %q, %+v", other.String(), otherErr)
	}
}
