package transcode

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"unicode/utf16"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// This file holds the checks that the tests by subject and the fuzz targets share. Each takes one input and compares every
// function that can take it with the oracle, in several shapes of destination. A check compares first and formats only what
// differs, so that sweeps of millions of inputs stay fast.

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
func placeBytes(src []byte, e Encoding) []byte {
	before, after := "\xF0\x9F\x98", "\x80\xBF\x80\xBF\x80\xBF\x80\xBF"
	if oracleUnitSize(e) > 1 {
		before, after = "\xD8\xD8\xD8\xD8\xD8", "\xDC\xDC\xDC\xDC\xDC\xDC\xDC\xDC"
	}
	return place(src, []byte(before), []byte(after))
}

// aliasString returns the bytes of src as a string, without a copy, so that strings have the same neighbours.
func aliasString(src []byte) string { return unsafe.String(unsafe.SliceData(src), len(src)) }

// checkAppend calls f, an append function bound to its source, with dst nil, with exactly the room that it needs, with more,
// and with one element too few. Only elements of the result may change on success, and nothing past the capacity ever.
func checkAppend[E byte | uint16 | rune](fail failFunc, name string, want []E, wantErr *Error, f func(dst []E) ([]E, error)) {
	got, err := f(nil)
	if !slices.Equal(got, want) || !isError(err, wantErr) {
		fail("%s to a nil slice gives %x, %+v, want %x, %+v", name, got, err, want, wantErr)
	}
	if err == nil && !allZero(got[len(got):cap(got)]) {
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
		if !isError(err, wantErr) {
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
		if room < 0 && err == nil && !allZero(got[len(got):cap(got)]) {
			fail("%s grows a slice and leaves %x behind its result", name, got[len(got):cap(got)])
		}
	}
}

func allZero[E byte | uint16 | rune](s []E) bool {
	for _, e := range s {
		if e != 0 {
			return false
		}
	}
	return true
}

// goodPrefix returns the characters of items that a strict conversion to an encoding converts, and where it stops.
func goodPrefix(items []item, from, to Encoding) (good []rune, err *Error) {
	limit := rune(0x10FFFF)
	switch to {
	case ASCII:
		limit = 0x7F
	case Latin1:
		limit = 0xFF
	}
	good = make([]rune, 0, len(items))
	for _, it := range items {
		if it.kind != 0 {
			return good, oracleFault(it, from)
		}
		if it.r > limit {
			return good, &Error{Encoding: from, Offset: int64(it.off), Len: it.n, Kind: KindUnencodable, Rune: it.r}
		}
		good = append(good, it.r)
	}
	return good, nil
}

// encodeRunes returns characters in an encoding, as bytes.
func encodeRunes(runes []rune, e Encoding) []byte {
	out := make([]byte, 0, 4*len(runes))
	for _, r := range runes {
		if r < 0x80 && oracleUnitSize(e) == 1 {
			out = append(out, byte(r))
			continue
		}
		b, _ := oracleEncode(r, e)
		out = append(out, b...)
	}
	return out
}

// encodeUnits returns characters as UTF-16 code units.
func encodeUnits(runes []rune) []uint16 {
	out := make([]uint16, 0, len(runes))
	for _, r := range runes {
		out = append(out, oracleUnits(r)...)
	}
	return out
}

// oracleClass returns the class of items by definition.
func oracleClass(items []item) Class {
	c := ClassASCII
	for _, it := range items {
		switch {
		case it.kind != 0:
			return ClassInvalid
		case it.r > 0xFFFF:
			c = max(c, ClassSupplementary)
		case it.r > 0xFF:
			c = max(c, ClassBMP)
		case it.r > 0x7F:
			c = max(c, ClassLatin1)
		}
	}
	return c
}

// checkUTF8 compares every function whose source is UTF-8 with the oracle.
func checkUTF8(t testing.TB, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("UTF-8 % x: "+format, append([]any{text}, args...)...)
	}
	src := placeBytes(text, UTF8)
	str := aliasString(src)
	items := oracleUTF8(text)

	checkUTF8Facts(fail, src, items)
	checkUTF8Facts(fail, str, items)
	checkUTF8Lengths(fail, str, items)

	latin1, latin1Err := goodPrefix(items, UTF8, Latin1)
	good, err := goodPrefix(items, UTF8, UTF32LE)
	checkAppend(fail, "AppendLatin1FromUTF8", encodeRunes(latin1, Latin1), latin1Err, func(dst []byte) ([]byte, error) { return AppendLatin1FromUTF8(dst, src) })
	checkAppend(fail, "AppendUTF16FromUTF8", encodeUnits(good), err, func(dst []uint16) ([]uint16, error) { return AppendUTF16FromUTF8(dst, src) })
	checkAppend(fail, "AppendUTF32FromUTF8", good, err, func(dst []rune) ([]rune, error) { return AppendUTF32FromUTF8(dst, src) })
	checkOnce(fail, "AppendLatin1FromUTF8 of a string", encodeRunes(latin1, Latin1), latin1Err)(AppendLatin1FromUTF8(nil, str))
	checkOnce(fail, "AppendUTF16FromUTF8 of a string", encodeUnits(good), err)(AppendUTF16FromUTF8(nil, str))
	checkOnce(fail, "AppendUTF32FromUTF8 of a string", good, err)(AppendUTF32FromUTF8(nil, str))

	replaced := runesOf(items)
	checkAppend(fail, "AppendValidUTF8", encodeRunes(replaced, UTF8), nil, func(dst []byte) ([]byte, error) { return AppendValidUTF8(dst, src), nil })
	checkAppend(fail, "AppendValidUTF16FromUTF8", encodeUnits(replaced), nil, func(dst []uint16) ([]uint16, error) { return AppendValidUTF16FromUTF8(dst, src), nil })
	checkAppend(fail, "AppendValidUTF32FromUTF8", replaced, nil, func(dst []rune) ([]rune, error) { return AppendValidUTF32FromUTF8(dst, src), nil })
	checkOnce(fail, "AppendValidUTF8 of a string", encodeRunes(replaced, UTF8), nil)(AppendValidUTF8(nil, str), nil)
	checkOnce(fail, "AppendValidUTF16FromUTF8 of a string", encodeUnits(replaced), nil)(AppendValidUTF16FromUTF8(nil, str), nil)
	checkOnce(fail, "AppendValidUTF32FromUTF8 of a string", replaced, nil)(AppendValidUTF32FromUTF8(nil, str), nil)

	if !bytes.Equal(src, text) {
		fail("source modified to % x", src)
	}
}

// checkOnce returns a function that compares a single result, as f(args) gives it.
func checkOnce[E byte | uint16 | rune](fail failFunc, name string, want []E, wantErr *Error) func(got []E, err error) {
	return func(got []E, err error) {
		if !slices.Equal(got, want) || !isError(err, wantErr) {
			fail("%s gives %x, %+v, want %x, %+v", name, got, err, want, wantErr)
		}
	}
}

// checkUTF8Facts compares what validates, classifies and finds errors.
func checkUTF8Facts[Bytes ~[]byte | ~string](fail failFunc, src Bytes, items []item) {
	err := oracleCheck(items, UTF8)
	class := oracleClass(items)
	prefix, goodLen := items, len(src)
	if err != nil {
		goodLen = int(err.Offset)
		prefix = items[:slices.IndexFunc(items, func(it item) bool { return it.kind != 0 })]
	}
	ascii := 0
	for ascii < len(src) && src[ascii] < 0x80 {
		ascii++
	}
	if got := ValidUTF8(src); got != (err == nil) {
		fail("ValidUTF8 of %T: %v", src, got)
	}
	if got := CheckUTF8(src); !isError(got, err) {
		fail("CheckUTF8 of %T: %+v, want %+v", src, got, err)
	}
	if got := Check(src, UTF8); !isError(got, err) {
		fail("Check of %T: %+v, want %+v", src, got, err)
	}
	if got := Classify(src); got != class {
		fail("Classify of %T: %v, want %v", src, got, class)
	}
	if c, n := ClassifyPrefix(src); c != oracleClass(prefix) || n != goodLen {
		fail("ClassifyPrefix of %T: %v, %d, want %v, %d", src, c, n, oracleClass(prefix), goodLen)
	}
	if got := ASCIIPrefixLen(src); got != ascii {
		fail("ASCIIPrefixLen of %T: %d, want %d", src, got, ascii)
	}
	if got := IsASCII(src); got != (ascii == len(src)) {
		fail("IsASCII of %T: %v", src, got)
	}
}

// checkUTF8Lengths compares counts and lengths with their formulas, and for well-formed text with what they stand for.
func checkUTF8Lengths(fail failFunc, src string, items []item) {
	starts, long := 0, 0 // bytes outside 80..BF, and bytes from F0
	for i := range len(src) {
		if src[i] < 0x80 || src[i] > 0xBF {
			starts++
		}
		if src[i] >= 0xF0 {
			long++
		}
	}
	if oracleCheck(items, UTF8) == nil && (starts != len(items) || starts+long != len(encodeUnits(runesOf(items)))) {
		fail("the formulas of the test are wrong")
	}
	b := []byte(src)
	equal := func(name string, got [2]int, want int) {
		if got != [2]int{want, want} {
			fail("%s of string and []byte: %d, want %d", name, got, want)
		}
	}
	equal("RuneCount", [2]int{RuneCount(src), RuneCount(b)}, starts)
	equal("Latin1LenFromUTF8", [2]int{Latin1LenFromUTF8(src), Latin1LenFromUTF8(b)}, starts)
	equal("UTF32LenFromUTF8", [2]int{UTF32LenFromUTF8(src), UTF32LenFromUTF8(b)}, starts)
	equal("UTF16LenFromUTF8", [2]int{UTF16LenFromUTF8(src), UTF16LenFromUTF8(b)}, starts+long)
	for i, to := range everyEncoding {
		want := lengths{len(src), starts, 2 * (starts + long), 4 * starts}.in(to)
		equal(lenNames[i], [2]int{Len(to, src, UTF8), Len(to, b, UTF8)}, want)
	}
}

// lenNames has what a call of Len to each encoding is called, since a sweep has no time for making names up.
var lenNames = func() (names []string) {
	for _, e := range everyEncoding {
		names = append(names, "Len to "+e.String())
	}
	return names
}()

// lengths has the lengths of a text in bytes: in UTF-8, in one-byte encodings, in UTF-16 and in UTF-32.
type lengths struct{ utf8, one, utf16, utf32 int }

func (l lengths) in(e Encoding) int {
	switch e {
	case UTF8:
		return l.utf8
	case UTF16LE, UTF16BE:
		return l.utf16
	case UTF32LE, UTF32BE:
		return l.utf32
	}
	return l.one
}

// checkUTF16 compares every function whose source is a []uint16 with the oracle.
func checkUTF16(t testing.TB, units []uint16) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("UTF-16 %04x: "+format, append([]any{units}, args...)...)
	}
	src := place(units, []uint16{0xD83D}, []uint16{0xDE00, 0xDE00, 0xDE00, 0xDE00})
	items := oracleUTF16(units)
	good, err := goodPrefix(items, UTF16LE, UTF32LE)
	latin1, latin1Err := goodPrefix(items, UTF16LE, Latin1)

	if got := ValidUTF16(src); got != (err == nil) {
		fail("ValidUTF16: %v", got)
	}
	if got := CheckUTF16(src); !isError(got, err) {
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
	if got := RuneCountUTF16(src); got != len(units)-low {
		fail("RuneCountUTF16: %d, want %d", got, len(units)-low)
	}
	if got := UTF32LenFromUTF16(src); got != len(units)-low {
		fail("UTF32LenFromUTF16: %d, want %d", got, len(units)-low)
	}
	if got := UTF8LenFromUTF16(src); got != utf8Len {
		fail("UTF8LenFromUTF16: %d, want %d", got, utf8Len)
	}

	checkAppend(fail, "AppendUTF8FromUTF16", encodeRunes(good, UTF8), err, func(dst []byte) ([]byte, error) { return AppendUTF8FromUTF16(dst, src) })
	checkAppend(fail, "AppendLatin1FromUTF16", encodeRunes(latin1, Latin1), latin1Err, func(dst []byte) ([]byte, error) { return AppendLatin1FromUTF16(dst, src) })
	checkAppend(fail, "AppendUTF32FromUTF16", good, err, func(dst []rune) ([]rune, error) { return AppendUTF32FromUTF16(dst, src) })
	replaced := encodeRunes(runesOf(items), UTF8)
	checkAppend(fail, "AppendValidUTF8FromUTF16", replaced, nil, func(dst []byte) ([]byte, error) { return AppendValidUTF8FromUTF16(dst, src), nil })

	faults := 0
	for _, it := range items {
		if it.kind != 0 {
			faults++
		}
	}
	own := place(units, []uint16{0xD83D}, []uint16{0xDE00, 0xDE00, 0xDE00, 0xDE00})
	if n := ToWellFormedUTF16(own); n != faults || !slices.Equal(own, encodeUnits(runesOf(items))) {
		fail("ToWellFormedUTF16 gives %04x, %d, want %04x, %d", own, n, encodeUnits(runesOf(items)), faults)
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

// checkUTF32 compares every function whose source is a []rune with the oracle.
func checkUTF32(t testing.TB, runes []rune) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("UTF-32 %x: "+format, append([]any{runes}, args...)...)
	}
	src := place(runes, []rune{0xD800}, []rune{0x110000, 0x41})
	items := oracleUTF32(runes)
	good, err := goodPrefix(items, UTF32LE, UTF16LE)
	latin1, latin1Err := goodPrefix(items, UTF32LE, Latin1)

	if got := ValidUTF32(src); got != (err == nil) {
		fail("ValidUTF32: %v", got)
	}
	if got := CheckUTF32(src); !isError(got, err) {
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
	if got := UTF8LenFromUTF32(src); got != utf8Len {
		fail("UTF8LenFromUTF32: %d, want %d", got, utf8Len)
	}
	if got := UTF16LenFromUTF32(src); got != utf16Len {
		fail("UTF16LenFromUTF32: %d, want %d", got, utf16Len)
	}

	checkAppend(fail, "AppendUTF8FromUTF32", encodeRunes(good, UTF8), err, func(dst []byte) ([]byte, error) { return AppendUTF8FromUTF32(dst, src) })
	checkAppend(fail, "AppendLatin1FromUTF32", encodeRunes(latin1, Latin1), latin1Err, func(dst []byte) ([]byte, error) { return AppendLatin1FromUTF32(dst, src) })
	checkAppend(fail, "AppendUTF16FromUTF32", encodeUnits(good), err, func(dst []uint16) ([]uint16, error) { return AppendUTF16FromUTF32(dst, src) })
	if !slices.Equal(src, runes) {
		fail("source modified to %x", src)
	}
}

// checkLatin1 compares every function whose source is Latin-1 with the oracle.
func checkLatin1(t testing.TB, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("Latin-1 % x: "+format, append([]any{text}, args...)...)
	}
	src := placeBytes(text, Latin1)
	str := aliasString(src)
	runes := runesOf(oracleDecode(text, Latin1))
	utf8Text := []byte(string(runes))

	for name, got := range map[string]int{"string": UTF8LenFromLatin1(str), "[]byte": UTF8LenFromLatin1(src)} {
		if got != len(utf8Text) {
			fail("UTF8LenFromLatin1 of %s: %d, want %d", name, got, len(utf8Text))
		}
	}
	for _, to := range everyEncoding {
		want := lengths{len(utf8Text), len(src), 2 * len(src), 4 * len(src)}.in(to)
		for _, from := range []Encoding{ASCII, Latin1} {
			if a, b := Len(to, src, from), Len(to, str, from); a != want || b != want {
				fail("Len from %v to %v: %d, %d, want %d", from, to, a, b, want)
			}
		}
	}
	checkAppend(fail, "AppendUTF8FromLatin1", utf8Text, nil, func(dst []byte) ([]byte, error) { return AppendUTF8FromLatin1(dst, src), nil })
	checkAppend(fail, "AppendUTF16FromLatin1", encodeUnits(runes), nil, func(dst []uint16) ([]uint16, error) { return AppendUTF16FromLatin1(dst, src), nil })
	checkAppend(fail, "AppendUTF32FromLatin1", runes, nil, func(dst []rune) ([]rune, error) { return AppendUTF32FromLatin1(dst, src), nil })
	checkOnce(fail, "AppendUTF8FromLatin1 of a string", utf8Text, nil)(AppendUTF8FromLatin1(nil, str), nil)
	checkOnce(fail, "AppendUTF16FromLatin1 of a string", encodeUnits(runes), nil)(AppendUTF16FromLatin1(nil, str), nil)
	checkOnce(fail, "AppendUTF32FromLatin1 of a string", runes, nil)(AppendUTF32FromLatin1(nil, str), nil)
	if !bytes.Equal(src, text) {
		fail("source modified to % x", src)
	}
}

// checkPair compares the whole-text functions of a Transcoder, and Append where it says the same, with the oracle.
func checkPair(t testing.TB, tr Transcoder, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%+v % x: "+format, append([]any{tr, text}, args...)...)
	}
	src := placeBytes(text, tr.From)
	str := aliasString(src)
	v := oracleTranscode(tr, text)

	checkAppend(fail, "Transcoder.Append", v.out, v.err, func(dst []byte) ([]byte, error) { return tr.Append(dst, src) })
	// Nothing takes more than four bytes in the target for one of the source; allocators round up by a quarter at most.
	got, err := tr.AppendString(nil, str)
	checkOnce(fail, "Transcoder.AppendString", v.out, v.err)(got, err)
	if cap(got) > 5*len(text)+64 {
		fail("Transcoder.AppendString takes memory for %d bytes", cap(got))
	}
	wantString := string(v.out)
	if v.err != nil {
		wantString = ""
	}
	if got, err := tr.String(src); got != wantString || !isError(err, v.err) {
		fail("Transcoder.String gives %q, %+v, want %q, %+v", got, err, wantString, v.err)
	}
	if tr.OnError == Strict && tr.BOM == BOMKeep && !tr.AddBOM {
		checkAppend(fail, "Append", v.out, v.err, func(dst []byte) ([]byte, error) { return Append(dst, tr.To, src, tr.From) })
		checkOnce(fail, "Append of a string", v.out, v.err)(Append(nil, tr.To, str, tr.From))
		items := oracleDecode(text, tr.From)
		if want, got := oracleCheck(items, tr.From), Check(src, tr.From); !isError(got, want) {
			fail("Check: %+v, want %+v", got, want)
		}
		if want, got := oracleCheck(items, tr.From), Check(str, tr.From); !isError(got, want) {
			fail("Check of a string: %+v, want %+v", got, want)
		}
		if got, again := Len(tr.To, src, tr.From), Len(tr.To, str, tr.From); got != again || v.err == nil && got != len(v.out) {
			fail("Len of []byte and string: %d, %d, want %d", got, again, len(v.out))
		}
	}
	if !bytes.Equal(src, text) {
		fail("source modified to % x", src)
	}
}

// checkText compares the Text that a Transcoder gives with the oracle.
func checkText(t testing.TB, tr Transcoder, text []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%+v % x: "+format, append([]any{tr, text}, args...)...)
	}
	toUTF8 := tr
	toUTF8.To, toUTF8.AddBOM = UTF8, false // Text ignores both
	v := oracleTranscode(toUTF8, text)
	got, replaced, err := tr.Text(text)
	if !isError(err, v.err) {
		fail("Transcoder.Text: error %+v, want %+v", err, v.err)
	}
	if err != nil {
		if got != (Text{}) || replaced != 0 {
			fail("Transcoder.Text gives %q, %d with an error", got.String(), replaced)
		}
		return
	}
	if int64(replaced) != v.replaced {
		fail("Transcoder.Text replaces %d, want %d", replaced, v.replaced)
	}
	checkTextIs(fail, got, string(v.out))
}

// checkTextIs checks that text holds want in its smallest form.
func checkTextIs(fail failFunc, text Text, want string) {
	items := oracleUTF8([]byte(want))
	class := oracleClass(items)
	units := encodeUnits(runesOf(items))
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
	if class <= ClassLatin1 {
		if !narrow || isWide || wide != nil || latin1 != string(encodeRunes(runesOf(items), Latin1)) {
			fail("Text %q has Latin1 %q, %v and UTF16 %04x, %v", want, latin1, narrow, wide, isWide)
		}
	} else if narrow || latin1 != "" || !isWide || !slices.Equal(wide, units) {
		fail("Text %q has Latin1 %q, %v and UTF16 %04x, %v", want, latin1, narrow, wide, isWide)
	}
	checkAppend(fail, "Text.AppendUTF8", []byte(want), nil, func(dst []byte) ([]byte, error) { return text.AppendUTF8(dst), nil })
	checkAppend(fail, "Text.AppendUTF16", units, nil, func(dst []uint16) ([]uint16, error) { return text.AppendUTF16(dst), nil })
}

// checkStream passes text to s, whose configuration is tr, in pieces that end at cuts, into destinations whose lengths
// come from dstLens in turn, and compares with the verdict v of the whole text. It resets s first.
func checkStream(t testing.TB, s *Stream, tr Transcoder, v verdict, text []byte, cuts, dstLens []int) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%+v % x in pieces at %v into %v bytes: "+format, append([]any{tr, text, cuts, dstLens}, args...)...)
	}
	s.Reset()
	const canary = 0xA5
	var (
		out      = make([]byte, 0, len(v.out))
		pos, end int // text[pos:end] is what Transform sees next
		dstBuf   [64 + 8]byte
		calls    int
		larger   int // bytes added to the next destination, after one that was too small for the next character
	)
	for {
		atEOF := len(cuts) == 0
		if atEOF {
			end = len(text)
		} else {
			end = max(pos, min(cuts[0], len(text)))
		}
		room := min(dstLens[calls%len(dstLens)]+larger, 64)
		calls++
		if calls > 20*(len(text)+10)+len(cuts) {
			fail("does not end")
		}
		for i := range dstBuf {
			dstBuf[i] = canary
		}
		// The bytes behind the piece are those of the text: a stream that looks at them is found out.
		nDst, nSrc, err := s.Transform(dstBuf[:room], text[pos:end], atEOF)
		if nDst < 0 || nDst > room || nSrc < 0 || nSrc > end-pos {
			fail("call %d: nDst %d, nSrc %d", calls, nDst, nSrc)
		}
		for _, b := range dstBuf[room:] {
			if b != canary {
				fail("call %d writes behind dst", calls)
			}
		}
		if err == nil {
			for _, b := range dstBuf[nDst:room] {
				if b != canary {
					fail("call %d writes behind its result", calls)
				}
			}
		}
		out = append(out, dstBuf[:nDst]...)
		if !bytes.HasPrefix(v.out, out) {
			fail("call %d: output so far % x, want % x", calls, out, v.out)
		}
		if oracleCheck(oracleDecode(dstBuf[:nDst], tr.To), tr.To) != nil {
			fail("call %d writes % x, no whole characters", calls, dstBuf[:nDst])
		}
		pos += nSrc
		if got := s.InputOffset(); got != int64(pos) {
			fail("call %d: InputOffset %d, want %d", calls, got, pos)
		}
		larger = 0
		switch {
		case err == nil:
			if pos != end {
				fail("call %d takes %d bytes of %d, no error", calls, nSrc, nSrc+end-pos)
			}
			if atEOF {
				if v.err != nil || len(out) != len(v.out) {
					fail("output % x, no error, want % x, %+v", out, v.out, v.err)
				}
				if got := s.Replaced(); got != v.replaced {
					fail("Replaced %d, want %d", got, v.replaced)
				}
				if got := s.Encoding(); got != v.from {
					fail("Encoding %v, want %v", got, v.from)
				}
				return
			}
			cuts = cuts[1:]
		case err == ErrShortDst:
			if room >= 8 && nDst == 0 && nSrc == 0 {
				fail("call %d: no progress with %d bytes of room", calls, room)
			}
			if next := nextOutput(tr, v, pos, len(out)); room-nDst >= next {
				fail("call %d: ErrShortDst with %d bytes of room for %d", calls, room-nDst, next)
			}
			if nDst == 0 {
				larger = 8
			}
		case err == ErrShortSrc:
			if atEOF || pos == end || end-pos > 3 {
				fail("call %d: ErrShortSrc, %d bytes left, atEOF %v", calls, end-pos, atEOF)
			}
			rest := oracleDecode(text[pos:end], v.from)[0]
			if rest.kind != KindTruncated && (pos > 0 || !beginsBOM(tr, text[:end])) {
				fail("call %d: ErrShortSrc at %d, where nothing is unfinished", calls, pos)
			}
			cuts = cuts[1:]
		default:
			if !isError(err, v.err) {
				fail("error %+v, want %+v", err, v.err)
			}
			if int64(pos) != v.err.Offset || len(out) != len(v.out) {
				fail("error with %d bytes taken and output % x, want %d and % x", pos, out, v.err.Offset, v.out)
			}
			nDst, nSrc, again := s.Transform(dstBuf[:64], text[pos:], true)
			if nDst != 0 || nSrc != 0 || !isError(again, v.err) {
				fail("the call after an error gives %d, %d, %+v", nDst, nSrc, again)
			}
			return
		}
	}
}

// beginsBOM reports whether src is the beginning of a byte order mark that tr would act on.
func beginsBOM(tr Transcoder, src []byte) bool {
	if tr.BOM == BOMStrip {
		return bytes.HasPrefix(oracleBOM(tr.From), src)
	}
	return tr.BOM == BOMOverride && slices.ContainsFunc(everyEncoding, func(e Encoding) bool { return bytes.HasPrefix(oracleBOM(e), src) })
}

// nextOutput returns how many bytes the stream must have room for to go on at pos, having written n bytes: those of the next step,
// or of the byte order mark.
func nextOutput(tr Transcoder, v verdict, pos, n int) int {
	bom := oracleBOM(tr.To)
	if tr.AddBOM && len(bom) > 0 && n == 0 {
		return len(bom)
	}
	for _, s := range v.steps {
		if s.off >= pos && len(s.out) > 0 {
			return len(s.out)
		}
	}
	return 0
}

// An errorRoute is a way through the library that reports the error of a strict conversion from bytes in one encoding to another.
type errorRoute struct {
	name       string
	sourceOnly bool // it tells whether the source is well-formed, not whether the target can hold it
	err        func(src []byte, from, to Encoding) error
}

// errorRoutes are the ways that must give the same error for the same input. Append to this list in an init function of another
// test file to hold a further way to it.
var errorRoutes = []errorRoute{
	{"Append", false, func(src []byte, from, to Encoding) error {
		_, err := Append(nil, to, src, from)
		return err
	}},
	{"Append of a string", false, func(src []byte, from, to Encoding) error {
		_, err := Append(make([]byte, 0, 8*len(src)), to, string(src), from)
		return err
	}},
	{"Transcoder.Append", false, func(src []byte, from, to Encoding) error {
		_, err := Transcoder{From: from, To: to}.Append(nil, src)
		return err
	}},
	{"Transcoder.String", false, func(src []byte, from, to Encoding) error {
		_, err := Transcoder{From: from, To: to}.String(src)
		return err
	}},
	{"Stream whole", false, func(src []byte, from, to Encoding) error {
		_, _, err := Transcoder{From: from, To: to}.NewStream().Transform(make([]byte, 8*len(src)+8), src, true)
		return err
	}},
	{"Stream byte by byte", false, func(src []byte, from, to Encoding) error { return streamError(src, from, to, 1, 8) }},
	{"Stream in pieces of 3", false, func(src []byte, from, to Encoding) error { return streamError(src, from, to, 3, 9) }},
	{"Stream in pieces of 7", false, func(src []byte, from, to Encoding) error { return streamError(src, from, to, 7, 16) }},
	{"Stream in pieces of 32", false, func(src []byte, from, to Encoding) error { return streamError(src, from, to, 32, 64) }},
	{"Check", true, func(src []byte, from, _ Encoding) error { return Check(src, from) }},
	{"Text", true, func(src []byte, from, _ Encoding) error {
		_, _, err := Transcoder{From: from}.Text(src)
		return err
	}},
	{"typed functions", false, typedError},
}

// errNotTold is what a route gives that does not lead from this source to this target.
var errNotTold = errors.New("no such route")

// streamError passes src in pieces of n bytes and returns the error.
func streamError(src []byte, from, to Encoding, n, dstLen int) error {
	s := Transcoder{From: from, To: to}.NewStream()
	dst := make([]byte, dstLen)
	for pos, end := 0, 0; ; {
		_, nSrc, err := s.Transform(dst, src[pos:end], end == len(src))
		pos += nSrc
		switch {
		case err == nil && end == len(src):
			return nil
		case err == nil, err == ErrShortSrc:
			end = min(end+n, len(src))
		case err != ErrShortDst:
			return err
		}
	}
}

// typedError converts by the function for the pair that takes or gives code units, if there is one, and returns its error with
// the offset in bytes.
func typedError(src []byte, from, to Encoding) (err error) {
	size := 1
	switch {
	case from == UTF8 && to == Latin1:
		_, err = AppendLatin1FromUTF8(nil, src)
	case from == UTF8 && to == UTF16LE:
		_, err = AppendUTF16FromUTF8(nil, src)
	case from == UTF8 && to == UTF32LE:
		_, err = AppendUTF32FromUTF8(nil, src)
	case from == UTF8 && to == UTF8:
		_, err = DecodeStrict(src)
	case from == UTF8 && to != ASCII:
		err = CheckUTF8(src)
	case from == UTF16LE && len(src)%2 == 0:
		size = 2
		switch to {
		case UTF8:
			_, err = AppendUTF8FromUTF16(nil, unitsOf16(src))
		case Latin1:
			_, err = AppendLatin1FromUTF16(nil, unitsOf16(src))
		case UTF32LE:
			_, err = AppendUTF32FromUTF16(nil, unitsOf16(src))
		case ASCII:
			return errNotTold
		default:
			err = CheckUTF16(unitsOf16(src))
		}
	case from == UTF32LE && len(src)%4 == 0:
		size = 4
		switch to {
		case UTF8:
			_, err = AppendUTF8FromUTF32(nil, unitsOf32(src))
		case Latin1:
			_, err = AppendLatin1FromUTF32(nil, unitsOf32(src))
		case UTF16LE:
			_, err = AppendUTF16FromUTF32(nil, unitsOf32(src))
		case ASCII:
			return errNotTold
		default:
			err = CheckUTF32(unitsOf32(src))
		}
	default:
		return errNotTold
	}
	if e, ok := err.(*Error); ok {
		inBytes := *e
		inBytes.Offset *= int64(size)
		inBytes.Len *= size
		return &inBytes
	}
	return err
}

// checkRoutes holds all routes to the oracle's error for src.
func checkRoutes(t testing.TB, src []byte, from, to Encoding) {
	t.Helper()
	items := oracleDecode(src, from)
	_, strict := goodPrefix(items, from, to)
	for _, r := range errorRoutes {
		want := strict
		if r.sourceOnly {
			want = oracleCheck(items, from)
		}
		if got := r.err(src, from, to); got != errNotTold && !isError(got, want) {
			t.Fatalf("%s of % x from %v to %v: error %+v, want %+v", r.name, src, from, to, got, want)
		}
	}
}

// faultySources returns sources in encoding e: texts of every class, faults of every kind behind and before a filler of every
// class, at positions around the ends of 8-, 16-, 32- and 64-byte blocks, and characters that Latin-1 and ASCII cannot hold.
func faultySources(e Encoding) [][]byte {
	var faults [][]byte
	for _, row := range faultRows {
		if row.from == e {
			faults = append(faults, []byte(row.src[row.off:]))
		}
	}
	for _, r := range boundaryRunes {
		if r >= 0 && r < 0x110000 && !utf16.IsSurrogate(r) {
			if b, ok := oracleEncode(r, e); ok {
				faults = append(faults, b)
			}
		}
	}
	positions := []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}
	if testing.Short() {
		positions = []int{0, 1, 7, 8, 31, 64}
	}
	var out [][]byte
	for _, filler := range fillers {
		if _, ok := oracleEncode(slices.Max(filler), e); !ok {
			continue
		}
		for _, n := range positions {
			head := encodeRunes(fill(filler, n), e)
			for i, fault := range faults {
				tail := encodeRunes(fill(filler, positions[i%len(positions)]), e)
				out = append(out, slices.Concat(head, fault, tail))
			}
		}
	}
	for _, script := range textScripts {
		if b, err := (Transcoder{To: e, OnError: Skip}).Append(nil, []byte(genText(script, 100))); err == nil {
			out = append(out, b)
		}
	}
	return out
}

// TestSameErrorOnEveryRoute: the same input gives the same offset, length and kind whichever way it takes.
func TestSameErrorOnEveryRoute(t *testing.T) {
	t.Parallel()
	for _, from := range everyEncoding {
		for _, src := range faultySources(from) {
			for _, to := range everyEncoding {
				checkRoutes(t, src, from, to)
			}
		}
	}
}

// TestSameErrorOnEveryRouteShort takes all short strings over the bytes that matter to any of the encodings.
func TestSameErrorOnEveryRouteShort(t *testing.T) {
	t.Parallel()
	alphabet := []byte{0x00, 0x10, 0x41, 0x80, 0xA0, 0xC2, 0xD8, 0xDC, 0xE0, 0xED, 0xF0, 0xF4, 0xFE, 0xFF}
	i := 0
	for n := range thin(5, 4) {
		everyWord(alphabet, n, func(src []byte) {
			for _, from := range everyEncoding {
				checkRoutes(t, src, from, everyEncoding[i%len(everyEncoding)])
				i++
			}
			i++
		})
	}
}

// TestTruncatedMatchesUnexpectedEOF: callers can tell text that goes on from text that is wrong, on every route.
func TestTruncatedMatchesUnexpectedEOF(t *testing.T) {
	for _, row := range faultRows {
		for _, r := range errorRoutes {
			err := r.err([]byte(row.src[:row.off+row.n]), row.from, UTF32LE)
			if err == errNotTold {
				continue
			}
			require.ErrorIs(t, err, ErrInvalid, "%s % x", r.name, row.src)
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, e.Kind == KindTruncated, errors.Is(err, io.ErrUnexpectedEOF), "%s % x", r.name, row.src)
		}
	}
}
