package transcode

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// inParallel runs fn(i) for i below n as parallel subtests, for sweeps that are worth several cores.
func inParallel(t *testing.T, n int, fn func(t *testing.T, i int)) {
	t.Parallel()
	for i := range n {
		t.Run(fmt.Sprintf("%x", i), func(t *testing.T) {
			t.Parallel()
			fn(t, i)
		})
	}
}

// TestUTF8AllShortStrings takes all strings of one and two bytes through every function with a UTF-8 source.
func TestUTF8AllShortStrings(t *testing.T) {
	t.Parallel()
	checkUTF8(t, nil)
	for a := range 256 {
		checkUTF8(t, []byte{byte(a)})
		if testing.Short() && !bytes.Contains(boundaryBytes, []byte{byte(a)}) {
			continue
		}
		for b := range 256 {
			checkUTF8(t, []byte{byte(a), byte(b)})
		}
	}
}

// TestUTF8AllThreeByteStrings takes all strings of three bytes, alone and in front of ASCII, through what answers questions.
func TestUTF8AllThreeByteStrings(t *testing.T) {
	inParallel(t, 16, func(t *testing.T, i int) {
		for a := 16 * i; a < 16*i+16; a++ {
			if testing.Short() && !bytes.Contains(boundaryBytes, []byte{byte(a)}) {
				continue
			}
			for b := range 256 {
				if testing.Short() && !bytes.Contains(boundaryBytes, []byte{byte(b)}) {
					continue
				}
				for c := range 256 {
					buf := [11]byte{byte(a), byte(b), byte(c), 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'}
					checkAnswers(t, buf[:3])
					checkAnswers(t, buf[:])
				}
			}
		}
	})
}

// checkAnswers compares the functions that validate, classify and name the first fault. It stops decoding there, unlike
// checkUTF8.
func checkAnswers(t *testing.T, src []byte) {
	var err *Error
	class, off := ClassASCII, 0
	for off < len(src) {
		it := oracleUTF8At(src, off)
		if it.kind != 0 {
			err = oracleFault(it, UTF8)
			break
		}
		class = max(class, runeClass(it.r))
		off += it.n
	}
	whole := class
	if err != nil {
		whole = ClassInvalid
	}
	if got := ValidUTF8(src); got != (err == nil) || got != utf8.Valid(src) {
		t.Fatalf("ValidUTF8 of % x: %v, unicode/utf8 says %v", src, got, utf8.Valid(src))
	}
	if got := CheckUTF8(src); !isError(got, err) {
		t.Fatalf("CheckUTF8 of % x: %+v, want %+v", src, got, err)
	}
	if got := Classify(src); got != whole {
		t.Fatalf("Classify of % x: %v, want %v", src, got, whole)
	}
	if c, n := ClassifyPrefix(src); c != class || n != off {
		t.Fatalf("ClassifyPrefix of % x: %v, %d, want %v, %d", src, c, n, class, off)
	}
}

func runeClass(r rune) Class {
	switch {
	case r < 0x80:
		return ClassASCII
	case r < 0x100:
		return ClassLatin1
	case r < 0x10000:
		return ClassBMP
	}
	return ClassSupplementary
}

// TestUTF8BoundaryStrings takes all strings over the ends of the ranges of table 3-7.
func TestUTF8BoundaryStrings(t *testing.T) {
	inParallel(t, len(boundaryBytes), func(t *testing.T, i int) {
		buf := make([]byte, 0, 8)
		for n := range thin(4, 3) {
			everyWord(boundaryBytes, n, func(tail []byte) {
				checkUTF8(t, append(append(buf, boundaryBytes[i]), tail...))
			})
		}
		if testing.Short() || boundaryBytes[i] < 0xF0 {
			return
		}
		everyWord(boundaryBytes, 4, func(tail []byte) { // the longest characters, and what follows them
			checkAnswers(t, append(append(buf, boundaryBytes[i]), tail...))
		})
	})
}

// TestUTF8FaultAtEveryPosition puts each fault behind and before fillers of every class and length.
func TestUTF8FaultAtEveryPosition(t *testing.T) {
	var faults []string
	for _, row := range faultRows {
		if row.from == UTF8 {
			faults = append(faults, row.src[row.off:])
		}
	}
	inParallel(t, len(fillers), func(t *testing.T, i int) {
		filler := fillers[i]
		char := string(filler[:1])
		for before := 0; before*len(char) <= 80; before += thin(1, 3) {
			text := string(fill(filler, before))
			for _, after := range []int{0, 1, 3, 7, 8, 15, 33, 64} {
				for k, fault := range faults {
					if (k+before+after)%thin(2, 8) != 0 {
						continue
					}
					checkUTF8(t, []byte(text+fault+string(fill(filler, after))))
				}
			}
			// ASCII in front of another class, and behind it.
			for _, fault := range faults {
				checkUTF8(t, []byte(strings.Repeat("a", before)+char+fault))
				checkUTF8(t, []byte(strings.Repeat("a", before)+fault+char))
			}
		}
	})
}

// TestUTF8TwoFaults puts two faults into one block: the first one counts.
func TestUTF8TwoFaults(t *testing.T) {
	faults := []string{"\x80", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xE2\x82", "\xF0\x9F\x98", "\xC3"}
	inParallel(t, len(fillers), func(t *testing.T, i int) {
		for _, first := range faults {
			for _, second := range faults {
				for gap := range thin(10, 3) {
					for before := 0; before < 40; before += thin(3, 13) {
						checkUTF8(t, []byte(strings.Repeat("a", before)+first+string(fill(fillers[i], gap))+second+strings.Repeat("a", 5)))
					}
				}
			}
		}
	})
}

// TestUTF8Texts takes texts of every script, whole, cut at every byte, and damaged.
func TestUTF8Texts(t *testing.T) {
	t.Parallel()
	for _, script := range textScripts {
		for n := 0; n <= 200; n += shortThin(n, 17) {
			checkUTF8(t, []byte(genText(script, n)))
		}
		text := genText(script, 150)
		for n := 0; n < len(text); n += thin(1, 7) {
			checkUTF8(t, []byte(text[:n]))
			checkUTF8(t, []byte(text[n:]))
		}
		for _, n := range []int{1000, 4099, 70001} {
			checkUTF8(t, []byte(genText(script, n)))
			checkUTF8(t, []byte(genText(script, n)+"\x80"))
		}
		r := rng(len(script) + 100)
		for range thin(400, 20) {
			checkUTF8(t, mutate(&r, genText(script, r.intn(200)), 3))
		}
	}
}

// TestUTF8LengthsTimesAlignments takes every length and every alignment of the source.
func TestUTF8LengthsTimesAlignments(t *testing.T) {
	t.Parallel()
	text := []byte(genText("mixed", 400))
	buf := make([]byte, 0, 600)
	base := int(uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % 64)
	for n := 0; n <= 300; n += thin(1, 13) {
		end := n
		for !utf8.RuneStart(text[end]) {
			end++
		}
		units, _ := AppendUTF16FromUTF8(nil, text[:end])
		for align := range 64 {
			src := buf[:600][(64-base+align)%64:][:end]
			copy(src, text)
			if !ValidUTF8(src) || ASCIIPrefixLen(src) != ASCIIPrefixLen(text[:end]) || UTF16LenFromUTF8(src) != len(units) {
				t.Fatalf("%d bytes at alignment %d", end, align)
			}
			if c, n := ClassifyPrefix(src); n != end || c != Classify(text[:end]) {
				t.Fatalf("ClassifyPrefix of %d bytes at alignment %d: %v, %d", end, align, c, n)
			}
			if got, err := AppendUTF16FromUTF8(nil, src); err != nil || !slices.Equal(got, units) {
				t.Fatalf("AppendUTF16FromUTF8 of %d bytes at alignment %d: %x, %v", end, align, got, err)
			}
		}
	}
}

// TestEveryCodePoint converts every Unicode scalar value, and every surrogate on its own, through all typed functions.
func TestEveryCodePoint(t *testing.T) {
	t.Parallel()
	step := rune(thin(1, 61))
	var all []rune
	for r := rune(0); r <= 0x10FFFF; r += step {
		if r&^0x7FF == 0xD800 {
			want := &Error{Encoding: UTF8, Len: 1, Kind: KindSurrogate}
			require.True(t, isError(CheckUTF8(rawUTF8(uint32(r))), want), "%U", r)
			continue
		}
		all = append(all, r)
	}
	text := string(all)
	got8, err := AppendUTF8FromUTF32(nil, all)
	require.NoError(t, err)
	require.True(t, text == string(got8))
	got32, err := AppendUTF32FromUTF8(nil, text)
	require.NoError(t, err)
	require.True(t, string(got32) == text)
	got16, err := AppendUTF16FromUTF8(nil, text)
	require.NoError(t, err)
	from32, err := AppendUTF16FromUTF32(nil, all)
	require.NoError(t, err)
	want16 := encodeUnits(all)
	require.True(t, slices.Equal(got16, want16))
	require.True(t, slices.Equal(from32, want16))
	back8, err := AppendUTF8FromUTF16(nil, got16)
	require.NoError(t, err)
	require.True(t, string(back8) == text)
	back32, err := AppendUTF32FromUTF16(nil, got16)
	require.NoError(t, err)
	require.True(t, string(back32) == text)
	require.Equal(t, len(all), RuneCount(text))
	require.Equal(t, len(all), RuneCountUTF16(got16))
	require.Equal(t, len(got16), UTF16LenFromUTF8(text))
	require.Equal(t, len(text), UTF8LenFromUTF16(got16))
}

// TestClassBoundaries spells the classes out, since everything that picks a smaller form relies on them.
func TestClassBoundaries(t *testing.T) {
	for _, c := range []struct {
		text string
		want Class
	}{
		{"", ClassASCII}, {"\x00", ClassASCII}, {"\u007F", ClassASCII}, {"\u0080", ClassLatin1}, {"\u00FF", ClassLatin1},
		{"\u0100", ClassBMP}, {"\u07FF", ClassBMP}, {"\u0800", ClassBMP}, {"\uD7FF", ClassBMP}, {"\uE000", ClassBMP},
		{"\uFEFF", ClassBMP}, {"\uFFFD", ClassBMP}, {"\uFFFF", ClassBMP}, {"\U00010000", ClassSupplementary}, {"\U0010FFFF", ClassSupplementary},
		{"\xED\xA0\x80", ClassInvalid}, {"\xF4\x90\x80\x80", ClassInvalid}, {"\xE9", ClassInvalid}, {"a\xC3", ClassInvalid},
	} {
		for _, pad := range []int{0, 1, 7, 8, 31, 32, 63, 64, 65} {
			for _, text := range []string{c.text, strings.Repeat("a", pad) + c.text, c.text + strings.Repeat("a", pad), strings.Repeat("a", pad) + c.text + strings.Repeat("b", pad)} {
				require.Equal(t, c.want, Classify(text), "%q", text)
				require.Equal(t, c.want, Classify([]byte(text)), "%q", text)
				require.Equal(t, c.want == ClassASCII, IsASCII(text), "%q", text)
			}
		}
	}
	texts := []string{"", "a", "é", "ÿÿ", "Ā", "中a", "😀", "\xFF"}
	for _, a := range texts {
		for _, b := range texts {
			require.Equal(t, max(Classify(a), Classify(b)), Classify(a+b), "%q %q", a, b)
		}
	}
	for c, name := range map[Class]string{ClassASCII: "ASCII", ClassLatin1: "Latin-1", ClassBMP: "BMP", ClassSupplementary: "supplementary", ClassInvalid: "invalid"} {
		require.Equal(t, name, c.String())
	}
}

// TestASCIIPrefixEveryPosition puts one byte that is not ASCII at every position of every length.
func TestASCIIPrefixEveryPosition(t *testing.T) {
	t.Parallel()
	for n := range 140 {
		text := []byte(genText("ascii", n))
		require.Equal(t, n, ASCIIPrefixLen(text))
		require.True(t, IsASCII(text))
		for at := range text {
			for _, b := range []byte{0x80, 0xC3, 0xFF} {
				old := text[at]
				text[at] = b
				if got := ASCIIPrefixLen(text); got != at {
					t.Fatalf("ASCIIPrefixLen of %d bytes with %02x at %d: %d", n, b, at, got)
				}
				if IsASCII(text) {
					t.Fatalf("IsASCII of %d bytes with %02x at %d", n, b, at)
				}
				if at+1 < n {
					text[at+1] |= 0x80 // a second one behind it must not matter
					if got := ASCIIPrefixLen(aliasString(text)); got != at {
						t.Fatalf("ASCIIPrefixLen of %d bytes with %02x at %d and another behind it: %d", n, b, at, got)
					}
					text[at+1] &= 0x7F
				}
				text[at] = old
			}
		}
	}
}

// TestCountsOfUniformBytes: counts that are kept in the bytes of a word must not overflow there, however long the text.
func TestCountsOfUniformBytes(t *testing.T) {
	t.Parallel()
	for _, n := range []int{7, 8, 1016, 1017, 1024, 2039, 2040, 2041, 2048, 4080, 8200, 300000} {
		for _, b := range []byte{'a', 0x80, 0xBF, 0xC2, 0xEF, 0xF0, 0xFF} {
			checkUTF8Lengths(func(format string, args ...any) {
				t.Helper()
				t.Fatalf("%d times %02x: "+format, append([]any{n, b}, args...)...)
			},
				strings.Repeat(string([]byte{b}), n), []item{{kind: KindTooLong}})
			want := n
			if b >= 0x80 {
				want = 2 * n
			}
			require.Equal(t, want, UTF8LenFromLatin1(bytes.Repeat([]byte{b}, n)))
		}
		for _, u := range []uint16{0, 0x7F, 0x80, 0x7FF, 0x800, 0xD000, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF} {
			units := make([]uint16, n)
			runes := make([]rune, n)
			for i := range units {
				units[i], runes[i] = u, rune(u)<<5|rune(u)
			}
			per, low := 1, 0
			switch {
			case u >= 0xDC00 && u <= 0xDFFF:
				per, low = 2, 1
			case u >= 0xD800 && u <= 0xDBFF:
				per = 2
			case u >= 0x800:
				per = 3
			case u >= 0x80:
				per = 2
			}
			require.Equal(t, per*n, UTF8LenFromUTF16(units), "%x", u)
			require.Equal(t, n-low*n, RuneCountUTF16(units), "%x", u)
			require.Equal(t, per*n, Len(UTF8, bytes16(units, UTF16BE), UTF16BE), "%x", u)
			require.Equal(t, n-low*n, Len(Latin1, bytes16(units, UTF16BE), UTF16BE), "%x", u)
			require.Equal(t, n*UTF8LenFromUTF32(runes[:1]), UTF8LenFromUTF32(runes), "%x", u)
			require.Equal(t, n*UTF16LenFromUTF32(runes[:1]), UTF16LenFromUTF32(runes), "%x", u)
		}
	}
}

// TestLengthsSaturate: a length that an int of 32 bits cannot hold is the largest int. A text with such a length is too
// large for a test.
func TestLengthsSaturate(t *testing.T) {
	require.Equal(t, math.MaxInt, saturate(math.MaxInt64))
	require.Equal(t, math.MaxInt, saturate(math.MaxInt))
	require.Equal(t, 7, saturate(7))
	require.Zero(t, saturate(0))
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

func checkOffsets(t testing.TB, src string) {
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
		if got := UTF16Offset(src, off); got != want {
			t.Fatalf("UTF16Offset of % x, %d: %d, want %d", src, off, got, want)
		}
		if got := UTF16Offset([]byte(src), off); got != want {
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
		if got := UTF8Offset(src, off); got != want {
			t.Fatalf("UTF8Offset of % x, %d: %d, want %d", src, off, got, want)
		}
		if got := UTF8Offset([]byte(src), off); got != want {
			t.Fatalf("UTF8Offset of []byte % x, %d: %d, want %d", src, off, got, want)
		}
	}
	if utf8.ValidString(src) {
		for i := range in8 {
			if UTF16Offset(src, in8[i]) != in16[i] || UTF8Offset(src, in16[i]) != in8[i] {
				t.Fatalf("offsets of % x do not come back at %d", src, in8[i])
			}
		}
	}
}

func TestOffsets(t *testing.T) {
	t.Parallel()
	for _, script := range textScripts {
		for n := 0; n <= 200; n += thin(3, 23) {
			checkOffsets(t, genText(script, n))
		}
		r := rng(len(script))
		for range thin(50, 5) {
			checkOffsets(t, string(mutate(&r, genText(script, r.intn(150)), 6)))
		}
	}
	everyWord([]byte{'a', 0x80, 0xC3, 0xE2, 0xF0, 0xFF}, thin(5, 3), func(src []byte) { checkOffsets(t, string(src)) })
	const farthest = int(^uint(0) >> 1)
	require.Equal(t, 3, UTF16Offset("a😀", farthest))
	require.Equal(t, 5, UTF8Offset("a😀", farthest))
	require.Zero(t, UTF16Offset("a😀", -farthest-1))
	require.Zero(t, UTF8Offset("a😀", -farthest-1))
}

// TestOffsetsOfLanguageServer: positions of an editor, in the three code units.
func TestOffsetsOfLanguageServer(t *testing.T) {
	const line = "s := \"é中😀\" // x"
	require.Equal(t, strings.Index(line, "//")-1-2-2, UTF16Offset(line, strings.Index(line, "//")))
	require.Equal(t, strings.Index(line, "😀"), UTF8Offset(line, UTF16Offset(line, strings.Index(line, "😀"))+1), "the middle of a pair is its start")
	require.Equal(t, UTF16Offset(line, strings.Index(line, "中")), UTF16Offset(line, strings.Index(line, "中")+2), "the middle of a character is its start")
}

// TestValidAppendKnownAnswers holds the replacing functions to the examples of the Unicode Standard.
func TestValidAppendKnownAnswers(t *testing.T) {
	for _, c := range knownSubstitutions {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, string(AppendValidUTF8(nil, c.src)))
			require.Equal(t, []rune(c.want), AppendValidUTF32FromUTF8(nil, c.src))
			require.Equal(t, encodeUnits([]rune(c.want)), AppendValidUTF16FromUTF8(nil, c.src))
			text, _ := Decode(c.src)
			require.Equal(t, c.want, text.String())
			checkUTF8(t, []byte(c.src))
		})
	}
}

// TestKnownTroublesUTF8 has inputs that other libraries got wrong, with what is right. Most come from the issues of simdutf.
func TestKnownTroublesUTF8(t *testing.T) {
	ascii := func(n int) string { return strings.Repeat("a", n) }
	two := func(n int) string { return strings.Repeat("é", n) }
	four := func(n int) string { return strings.Repeat("😀", n) }
	for _, c := range []struct {
		name   string
		src    string
		off, n int // of the first fault; n is 0 for none
		kind   ErrorKind
	}{
		{"three-byte character then ASCII near the end", ascii(16) + "中" + ascii(7), 0, 0, 0},
		{"sparse lead bytes then many continuation bytes at the end", ascii(40) + "é" + strings.Repeat("\x80", 30), 42, 1, KindTooLong},
		{"run of continuation bytes predicts no output", strings.Repeat("\xBF", 70), 0, 1, KindTooLong},
		{"run of FF at the end", ascii(50) + strings.Repeat("\xFF", 20), 50, 1, KindBadLead},
		{"lone continuation byte", "\x80", 0, 1, KindTooLong},
		{"three-byte lead then three continuation bytes", "\xE6\x94\x94\x9F", 3, 1, KindTooLong},
		{"FF then three continuation bytes", "\xFF\xBF\xBF\xBF", 0, 1, KindBadLead},
		{"stray continuation byte first in a block of 64", ascii(64) + "\x80" + ascii(63), 64, 1, KindTooLong},
		{"stray continuation byte first in a block of 32", ascii(32) + "\x80" + ascii(63), 32, 1, KindTooLong},
		{"stray continuation byte first in a block of 16", ascii(16) + "\xBF" + ascii(63), 16, 1, KindTooLong},
		{"lead byte is byte 63 of a block otherwise ASCII", ascii(63) + "é" + ascii(63), 0, 0, 0},
		{"three-byte lead is byte 63 of a block otherwise ASCII", ascii(63) + "中" + ascii(63), 0, 0, 0},
		{"four-byte lead is byte 31 of a block otherwise ASCII", ascii(31) + "😀" + ascii(63), 0, 0, 0},
		{"lead byte at the end of a block before an ASCII block", ascii(63) + "\xC2" + ascii(64), 63, 1, KindTooShort},
		{"lead byte at the end of a block and of the input", strings.Repeat(" ", 63) + "\xC2", 63, 1, KindTruncated},
		{"two of three bytes at the end of a block and of the input", strings.Repeat(" ", 62) + "\xE2\x82", 62, 2, KindTruncated},
		{"FF is byte 63 of 64", ascii(63) + "\xFF", 63, 1, KindBadLead},
		{"FF is byte 7 of 8", ascii(7) + "\xFF", 7, 1, KindBadLead},
		{"64 good bytes then a stray continuation byte", two(32) + "\x80", 64, 1, KindTooLong},
		{"four continuation bytes in a row", ascii(60) + "\x80\x80\x80\x80", 60, 1, KindTooLong},
		{"end of a four-byte character at a block border is none", four(15) + "\xF0\x9F\xA8\xA4\xA8\xA4", 64, 1, KindTooLong},
		{"fault at byte 64 after dense two-byte text", two(32) + "\xFF" + two(20), 64, 1, KindBadLead},
		{"fault at byte 64 after dense four-byte text", four(16) + "\xC0\x80" + four(16), 64, 1, KindOverlong},
		{"fault at byte 63 after dense text", two(31) + "a\xED\xA0\x80" + two(31), 63, 1, KindSurrogate},
		{"31 bytes", two(15) + "a", 0, 0, 0},
		{"33 bytes with the fault last", two(16) + "\xE9", 32, 1, KindTruncated},
		{"length 64 with no tail", two(32), 0, 0, 0},
		{"overlong before a bad lead in one block", "ab\xE0\x80\x80" + ascii(5) + "\xFF", 2, 1, KindOverlong},
		{"truncated sequence is not overlong", "\xE0\xA0", 0, 2, KindTruncated},
		{"overlong sequence is not truncated", "\xE0\x80", 0, 1, KindOverlong},
		{"surrogate cut short is not truncated", "\xED\xA0", 0, 1, KindSurrogate},
		{"CESU-8 pair", "\xED\xA0\xBD\xED\xB8\x80", 0, 1, KindSurrogate},
		{"overlong NUL of Java", "a\xC0\x80", 1, 1, KindOverlong},
		{"Latin-1 taken for UTF-8", "caf\xE9 au lait", 3, 1, KindTooShort},
		{"Latin-1 taken for UTF-8, at the end", "caf\xE9", 3, 1, KindTruncated},
		{"bad lead must not swallow the next byte", "\xE2A\x82\xAC", 0, 1, KindTooShort},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *Error
			if c.n > 0 {
				want = &Error{Encoding: UTF8, Offset: int64(c.off), Len: c.n, Kind: c.kind}
			}
			if got := CheckUTF8(c.src); !isError(got, want) {
				t.Fatalf("CheckUTF8: %+v, want %+v", got, want)
			}
			checkUTF8(t, []byte(c.src))
			for _, to := range everyEncoding {
				checkRoutes(t, []byte(c.src), UTF8, to)
				for _, p := range everyPolicy {
					checkPair(t, Transcoder{From: UTF8, To: to, OnError: p}, []byte(c.src))
				}
			}
		})
	}
	t.Run("bytes behind the length complete the character", func(t *testing.T) {
		stale := []byte("a\xE2\x82\xAC")
		want := &Error{Encoding: UTF8, Offset: 1, Len: 2, Kind: KindTruncated}
		require.True(t, isError(CheckUTF8(stale[:3]), want))
		require.False(t, ValidUTF8(stale[:3]))
		got, err := AppendUTF16FromUTF8(nil, stale[:3])
		require.Equal(t, []uint16{'a'}, got)
		require.True(t, isError(err, want))
	})
}

// TestOverlap: a source that overlaps the room behind dst gives unspecified text, but no panic and no write outside.
func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"ascii", "latin1", "mixed"} {
		text := genText(script, 60)
		for at := range 24 {
			for dstAt := range 24 {
				buf := bytes.Repeat([]byte{0xEE}, 200)
				copy(buf[60+at:], text)
				before := bytes.Clone(buf)
				lo, hi := 60+dstAt, 140
				dst := buf[lo:lo:hi]
				src := buf[60+at : 60+at+len(text)]
				for _, to := range everyEncoding {
					_, _ = Append(dst, to, src, UTF8)
					_, _ = Transcoder{To: to, OnError: Replace}.Append(dst, src)
				}
				_ = AppendUTF8FromLatin1(dst, src)
				_ = AppendValidUTF8(dst, src)
				if !bytes.Equal(buf[:lo], before[:lo]) || !bytes.Equal(buf[hi:], before[hi:]) {
					t.Fatalf("overlap of %d and %d writes outside", at, dstAt)
				}
			}
		}
	}
}

// TestEmptyInputs: nil, empty and "" are texts like any other, for every function.
func TestEmptyInputs(t *testing.T) {
	type myBytes []byte
	type myString string
	for _, src := range [][]byte{nil, {}, make([]byte, 0, 9)} {
		checkUTF8(t, src)
		checkLatin1(t, src)
		checkUTF16(t, unitsOf16(src))
		checkUTF32(t, unitsOf32(src))
		require.Equal(t, ClassASCII, Classify(myBytes(src)))
		require.Equal(t, ClassASCII, Classify(myString(src)))
		require.NoError(t, Check(src, UTF16LE))
		for _, from := range everyEncoding {
			for _, to := range everyEncoding {
				got, err := Append(nil, to, src, from)
				require.NoError(t, err)
				require.Empty(t, got)
				require.Zero(t, Len(to, src, from))
				for _, p := range everyPolicy {
					for _, b := range everyBOMPolicy {
						checkPair(t, Transcoder{from, to, p, b, false}, src)
						checkPair(t, Transcoder{from, to, p, b, true}, src)
						checkText(t, Transcoder{from, to, p, b, true}, src)
					}
				}
			}
		}
		require.Zero(t, UTF16Offset(src, 1))
		require.Zero(t, UTF8Offset(src, 1))
	}
	require.True(t, ValidUTF16(nil))
	require.True(t, ValidUTF32(nil))
	require.NoError(t, CheckUTF16(nil))
	require.NoError(t, CheckUTF32(nil))
	require.Zero(t, ToWellFormedUTF16(nil))
	for _, got := range [][]byte{AppendUTF8FromLatin1(nil, ""), AppendValidUTF8(nil, ""), AppendValidUTF8FromUTF16(nil, nil)} {
		require.Empty(t, got)
	}
	dst := []byte("kept")
	for _, e := range everyEncoding {
		got, err := Append(dst, e, "", UTF8)
		require.NoError(t, err)
		require.Equal(t, "kept", string(got))
	}
}

func TestLevel(t *testing.T) {
	require.Contains(t, []string{"generic", "avx2", "avx512", "neon"}, Level())
}
