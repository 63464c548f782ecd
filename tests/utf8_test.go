package tests

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
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
	check.UTF8(t, nil)
	for a := range 256 {
		check.UTF8(t, []byte{byte(a)})
		if testing.Short() && !bytes.Contains(texts.BoundaryBytes, []byte{byte(a)}) {
			continue
		}
		for b := range 256 {
			check.UTF8(t, []byte{byte(a), byte(b)})
		}
	}
}

// TestUTF8AllThreeByteStrings takes all strings of three bytes, alone and in front of ASCII, through what answers questions.
func TestUTF8AllThreeByteStrings(t *testing.T) {
	inParallel(t, 16, func(t *testing.T, i int) {
		for a := 16 * i; a < 16*i+16; a++ {
			if testing.Short() && !bytes.Contains(texts.BoundaryBytes, []byte{byte(a)}) {
				continue
			}
			for b := range 256 {
				if testing.Short() && !bytes.Contains(texts.BoundaryBytes, []byte{byte(b)}) {
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
// check.UTF8.
func checkAnswers(t *testing.T, src []byte) {
	var err *transcode.Error
	class, off := transcode.ClassASCII, 0
	for off < len(src) {
		it := oracle.DecodeUTF8At(src, off)
		if it.Kind != 0 {
			err = check.Fault(it, transcode.UTF8)
			break
		}
		class = max(class, runeClass(it.R))
		off += it.N
	}
	whole := class
	if err != nil {
		whole = transcode.ClassInvalid
	}
	if got := transcode.ValidUTF8(src); got != (err == nil) || got != utf8.Valid(src) {
		t.Fatalf("ValidUTF8 of % x: %v, unicode/utf8 says %v", src, got, utf8.Valid(src))
	}
	if got := transcode.CheckUTF8(src); !check.IsError(got, err) {
		t.Fatalf("CheckUTF8 of % x: %+v, want %+v", src, got, err)
	}
	if got := transcode.Classify(src); got != whole {
		t.Fatalf("Classify of % x: %v, want %v", src, got, whole)
	}
	if c, n := transcode.ClassifyPrefix(src); c != class || n != off {
		t.Fatalf("ClassifyPrefix of % x: %v, %d, want %v, %d", src, c, n, class, off)
	}
}

func runeClass(r rune) transcode.Class {
	switch {
	case r < 0x80:
		return transcode.ClassASCII
	case r < 0x100:
		return transcode.ClassLatin1
	case r < 0x10000:
		return transcode.ClassBMP
	}
	return transcode.ClassSupplementary
}

// TestUTF8BoundaryStrings takes all strings over the ends of the ranges of table 3-7.
func TestUTF8BoundaryStrings(t *testing.T) {
	inParallel(t, len(texts.BoundaryBytes), func(t *testing.T, i int) {
		buf := make([]byte, 0, 8)
		for n := range texts.Thin(4, 3) {
			texts.EveryWord(texts.BoundaryBytes, n, func(tail []byte) {
				check.UTF8(t, append(append(buf, texts.BoundaryBytes[i]), tail...))
			})
		}
		if testing.Short() || texts.BoundaryBytes[i] < 0xF0 {
			return
		}
		texts.EveryWord(texts.BoundaryBytes, 4, func(tail []byte) { // the longest characters, and what follows them
			checkAnswers(t, append(append(buf, texts.BoundaryBytes[i]), tail...))
		})
	})
}

// TestUTF8FaultAtEveryPosition puts each fault behind and before fillers of every class and length.
func TestUTF8FaultAtEveryPosition(t *testing.T) {
	var faults []string
	for _, row := range oracle.FaultTable {
		if row.From == oracle.UTF8 {
			faults = append(faults, row.Src[row.Off:])
		}
	}
	inParallel(t, len(texts.Fillers), func(t *testing.T, i int) {
		filler := texts.Fillers[i]
		char := string(filler[:1])
		for before := 0; before*len(char) <= 80; before += texts.Thin(1, 3) {
			text := string(texts.Fill(filler, before))
			for _, after := range []int{0, 1, 3, 7, 8, 15, 33, 64} {
				for k, fault := range faults {
					if (k+before+after)%texts.Thin(2, 8) != 0 {
						continue
					}
					check.UTF8(t, []byte(text+fault+string(texts.Fill(filler, after))))
				}
			}
			// ASCII in front of another class, and behind it.
			for _, fault := range faults {
				check.UTF8(t, []byte(strings.Repeat("a", before)+char+fault))
				check.UTF8(t, []byte(strings.Repeat("a", before)+fault+char))
			}
		}
	})
}

// TestUTF8TwoFaults puts two faults into one block: the first one counts.
func TestUTF8TwoFaults(t *testing.T) {
	faults := []string{"\x80", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xE2\x82", "\xF0\x9F\x98", "\xC3"}
	inParallel(t, len(texts.Fillers), func(t *testing.T, i int) {
		for _, first := range faults {
			for _, second := range faults {
				for gap := range texts.Thin(10, 3) {
					for before := 0; before < 40; before += texts.Thin(3, 13) {
						check.UTF8(t, []byte(strings.Repeat("a", before)+first+string(texts.Fill(texts.Fillers[i], gap))+second+strings.Repeat("a", 5)))
					}
				}
			}
		}
	})
}

// TestUTF8Texts takes texts of every script, whole, cut at every byte, and damaged.
func TestUTF8Texts(t *testing.T) {
	t.Parallel()
	for _, script := range texts.Scripts {
		for n := 0; n <= 200; n += texts.ShortThin(n, 17) {
			check.UTF8(t, []byte(texts.Of(script, n)))
		}
		text := texts.Of(script, 150)
		for n := 0; n < len(text); n += texts.Thin(1, 7) {
			check.UTF8(t, []byte(text[:n]))
			check.UTF8(t, []byte(text[n:]))
		}
		for _, n := range []int{1000, 4099, 70001} {
			check.UTF8(t, []byte(texts.Of(script, n)))
			check.UTF8(t, []byte(texts.Of(script, n)+"\x80"))
		}
		r := texts.Rand(len(script) + 100)
		for range texts.Thin(400, 20) {
			check.UTF8(t, texts.Mutate(&r, texts.Of(script, r.Intn(200)), 3))
		}
	}
}

// TestUTF8LengthsTimesAlignments takes every length and every alignment of the source.
func TestUTF8LengthsTimesAlignments(t *testing.T) {
	t.Parallel()
	text := []byte(texts.Of("mixed", 400))
	buf := make([]byte, 0, 600)
	base := int(uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % 64)
	for n := 0; n <= 300; n += texts.Thin(1, 13) {
		end := n
		for !utf8.RuneStart(text[end]) {
			end++
		}
		units, _ := transcode.AppendUTF16FromUTF8(nil, text[:end])
		for align := range 64 {
			src := buf[:600][(64-base+align)%64:][:end]
			copy(src, text)
			if !transcode.ValidUTF8(src) || transcode.ASCIIPrefixLen(src) != transcode.ASCIIPrefixLen(text[:end]) || transcode.UTF16LenFromUTF8(src) != len(units) {
				t.Fatalf("%d bytes at alignment %d", end, align)
			}
			if c, n := transcode.ClassifyPrefix(src); n != end || c != transcode.Classify(text[:end]) {
				t.Fatalf("ClassifyPrefix of %d bytes at alignment %d: %v, %d", end, align, c, n)
			}
			if got, err := transcode.AppendUTF16FromUTF8(nil, src); err != nil || !slices.Equal(got, units) {
				t.Fatalf("AppendUTF16FromUTF8 of %d bytes at alignment %d: %x, %v", end, align, got, err)
			}
		}
	}
}

// TestEveryCodePoint converts every Unicode scalar value, and every surrogate on its own, through all typed functions.
func TestEveryCodePoint(t *testing.T) {
	t.Parallel()
	step := rune(texts.Thin(1, 61))
	var all []rune
	for r := rune(0); r <= 0x10FFFF; r += step {
		if r&^0x7FF == 0xD800 {
			want := &transcode.Error{Encoding: transcode.UTF8, Len: 1, Kind: transcode.KindSurrogate}
			require.True(t, check.IsError(transcode.CheckUTF8(oracle.RawUTF8(uint32(r))), want), "%U", r)
			continue
		}
		all = append(all, r)
	}
	text := string(all)
	got8, err := transcode.AppendUTF8FromUTF32(nil, all)
	require.NoError(t, err)
	require.True(t, text == string(got8))
	got32, err := transcode.AppendUTF32FromUTF8(nil, text)
	require.NoError(t, err)
	require.True(t, string(got32) == text)
	got16, err := transcode.AppendUTF16FromUTF8(nil, text)
	require.NoError(t, err)
	from32, err := transcode.AppendUTF16FromUTF32(nil, all)
	require.NoError(t, err)
	want16 := oracle.EncodeUnits(all)
	require.True(t, slices.Equal(got16, want16))
	require.True(t, slices.Equal(from32, want16))
	back8, err := transcode.AppendUTF8FromUTF16(nil, got16)
	require.NoError(t, err)
	require.True(t, string(back8) == text)
	back32, err := transcode.AppendUTF32FromUTF16(nil, got16)
	require.NoError(t, err)
	require.True(t, string(back32) == text)
	require.Equal(t, len(all), transcode.RuneCount(text))
	require.Equal(t, len(all), transcode.RuneCountUTF16(got16))
	require.Equal(t, len(got16), transcode.UTF16LenFromUTF8(text))
	require.Equal(t, len(text), transcode.UTF8LenFromUTF16(got16))
}

// TestClassBoundaries spells the classes out, since everything that picks a smaller form relies on them.
func TestClassBoundaries(t *testing.T) {
	for _, c := range []struct {
		text string
		want transcode.Class
	}{
		{"", transcode.ClassASCII}, {"\x00", transcode.ClassASCII}, {"\u007F", transcode.ClassASCII}, {"\u0080", transcode.ClassLatin1}, {"\u00FF", transcode.ClassLatin1},
		{"\u0100", transcode.ClassBMP}, {"\u07FF", transcode.ClassBMP}, {"\u0800", transcode.ClassBMP}, {"\uD7FF", transcode.ClassBMP}, {"\uE000", transcode.ClassBMP},
		{"\uFEFF", transcode.ClassBMP}, {"\uFFFD", transcode.ClassBMP}, {"\uFFFF", transcode.ClassBMP}, {"\U00010000", transcode.ClassSupplementary}, {"\U0010FFFF", transcode.ClassSupplementary},
		{"\xED\xA0\x80", transcode.ClassInvalid}, {"\xF4\x90\x80\x80", transcode.ClassInvalid}, {"\xE9", transcode.ClassInvalid}, {"a\xC3", transcode.ClassInvalid},
	} {
		for _, pad := range []int{0, 1, 7, 8, 31, 32, 63, 64, 65} {
			for _, text := range []string{c.text, strings.Repeat("a", pad) + c.text, c.text + strings.Repeat("a", pad), strings.Repeat("a", pad) + c.text + strings.Repeat("b", pad)} {
				require.Equal(t, c.want, transcode.Classify(text), "%q", text)
				require.Equal(t, c.want, transcode.Classify([]byte(text)), "%q", text)
				require.Equal(t, c.want == transcode.ClassASCII, transcode.IsASCII(text), "%q", text)
			}
		}
	}
	texts := []string{"", "a", "é", "ÿÿ", "Ā", "中a", "😀", "\xFF"}
	for _, a := range texts {
		for _, b := range texts {
			require.Equal(t, max(transcode.Classify(a), transcode.Classify(b)), transcode.Classify(a+b), "%q %q", a, b)
		}
	}
	for c, name := range map[transcode.Class]string{transcode.ClassASCII: "ASCII", transcode.ClassLatin1: "Latin-1", transcode.ClassBMP: "BMP", transcode.ClassSupplementary: "supplementary", transcode.ClassInvalid: "invalid"} {
		require.Equal(t, name, c.String())
	}
}

// TestASCIIPrefixEveryPosition puts one byte that is not ASCII at every position of every length.
func TestASCIIPrefixEveryPosition(t *testing.T) {
	t.Parallel()
	for n := range 140 {
		text := []byte(texts.Of("ascii", n))
		require.Equal(t, n, transcode.ASCIIPrefixLen(text))
		require.True(t, transcode.IsASCII(text))
		for at := range text {
			for _, b := range []byte{0x80, 0xC3, 0xFF} {
				old := text[at]
				text[at] = b
				if got := transcode.ASCIIPrefixLen(text); got != at {
					t.Fatalf("ASCIIPrefixLen of %d bytes with %02x at %d: %d", n, b, at, got)
				}
				if transcode.IsASCII(text) {
					t.Fatalf("IsASCII of %d bytes with %02x at %d", n, b, at)
				}
				if at+1 < n {
					text[at+1] |= 0x80 // a second one behind it must not matter
					if got := transcode.ASCIIPrefixLen(check.AliasString(text)); got != at {
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
			check.UTF8Lengths(func(format string, args ...any) {
				t.Helper()
				t.Fatalf("%d times %02x: "+format, append([]any{n, b}, args...)...)
			},
				strings.Repeat(string([]byte{b}), n), []oracle.Item{{Kind: oracle.KindTooLong}})
			want := n
			if b >= 0x80 {
				want = 2 * n
			}
			require.Equal(t, want, transcode.UTF8LenFromLatin1(bytes.Repeat([]byte{b}, n)))
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
			require.Equal(t, per*n, transcode.UTF8LenFromUTF16(units), "%x", u)
			require.Equal(t, n-low*n, transcode.RuneCountUTF16(units), "%x", u)
			require.Equal(t, per*n, transcode.Len(transcode.UTF8, oracle.Bytes16(units, transcode.UTF16BE), transcode.UTF16BE), "%x", u)
			require.Equal(t, n-low*n, transcode.Len(transcode.Latin1, oracle.Bytes16(units, transcode.UTF16BE), transcode.UTF16BE), "%x", u)
			require.Equal(t, n*transcode.UTF8LenFromUTF32(runes[:1]), transcode.UTF8LenFromUTF32(runes), "%x", u)
			require.Equal(t, n*transcode.UTF16LenFromUTF32(runes[:1]), transcode.UTF16LenFromUTF32(runes), "%x", u)
		}
	}
}

func TestOffsets(t *testing.T) {
	t.Parallel()
	for _, script := range texts.Scripts {
		for n := 0; n <= 200; n += texts.Thin(3, 23) {
			check.Offsets(t, texts.Of(script, n))
		}
		r := texts.Rand(len(script))
		for range texts.Thin(50, 5) {
			check.Offsets(t, string(texts.Mutate(&r, texts.Of(script, r.Intn(150)), 6)))
		}
	}
	texts.EveryWord([]byte{'a', 0x80, 0xC3, 0xE2, 0xF0, 0xFF}, texts.Thin(5, 3), func(src []byte) { check.Offsets(t, string(src)) })
	const farthest = int(^uint(0) >> 1)
	require.Equal(t, 3, transcode.UTF16Offset("a😀", farthest))
	require.Equal(t, 5, transcode.UTF8Offset("a😀", farthest))
	require.Zero(t, transcode.UTF16Offset("a😀", -farthest-1))
	require.Zero(t, transcode.UTF8Offset("a😀", -farthest-1))
}

// TestOffsetsOfLanguageServer: positions of an editor, in the three code units.
func TestOffsetsOfLanguageServer(t *testing.T) {
	const line = "s := \"é中😀\" // x"
	require.Equal(t, strings.Index(line, "//")-1-2-2, transcode.UTF16Offset(line, strings.Index(line, "//")))
	require.Equal(t, strings.Index(line, "😀"), transcode.UTF8Offset(line, transcode.UTF16Offset(line, strings.Index(line, "😀"))+1), "the middle of a pair is its start")
	require.Equal(t, transcode.UTF16Offset(line, strings.Index(line, "中")), transcode.UTF16Offset(line, strings.Index(line, "中")+2), "the middle of a character is its start")
}

// TestValidAppendKnownAnswers holds the replacing functions to the examples of the Unicode Standard.
func TestValidAppendKnownAnswers(t *testing.T) {
	for _, c := range oracle.Substitutions {
		t.Run(c.Name, func(t *testing.T) {
			require.Equal(t, c.Want, string(transcode.AppendValidUTF8(nil, c.Src)))
			require.Equal(t, []rune(c.Want), transcode.AppendValidUTF32FromUTF8(nil, c.Src))
			require.Equal(t, oracle.EncodeUnits([]rune(c.Want)), transcode.AppendValidUTF16FromUTF8(nil, c.Src))
			text, _ := transcode.Decode(c.Src)
			require.Equal(t, c.Want, text.String())
			check.UTF8(t, []byte(c.Src))
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
		kind   transcode.ErrorKind
	}{
		{"three-byte character then ASCII near the end", ascii(16) + "中" + ascii(7), 0, 0, 0},
		{"sparse lead bytes then many continuation bytes at the end", ascii(40) + "é" + strings.Repeat("\x80", 30), 42, 1, transcode.KindTooLong},
		{"run of continuation bytes predicts no output", strings.Repeat("\xBF", 70), 0, 1, transcode.KindTooLong},
		{"run of FF at the end", ascii(50) + strings.Repeat("\xFF", 20), 50, 1, transcode.KindBadLead},
		{"lone continuation byte", "\x80", 0, 1, transcode.KindTooLong},
		{"three-byte lead then three continuation bytes", "\xE6\x94\x94\x9F", 3, 1, transcode.KindTooLong},
		{"FF then three continuation bytes", "\xFF\xBF\xBF\xBF", 0, 1, transcode.KindBadLead},
		{"stray continuation byte first in a block of 64", ascii(64) + "\x80" + ascii(63), 64, 1, transcode.KindTooLong},
		{"stray continuation byte first in a block of 32", ascii(32) + "\x80" + ascii(63), 32, 1, transcode.KindTooLong},
		{"stray continuation byte first in a block of 16", ascii(16) + "\xBF" + ascii(63), 16, 1, transcode.KindTooLong},
		{"lead byte is byte 63 of a block otherwise ASCII", ascii(63) + "é" + ascii(63), 0, 0, 0},
		{"three-byte lead is byte 63 of a block otherwise ASCII", ascii(63) + "中" + ascii(63), 0, 0, 0},
		{"four-byte lead is byte 31 of a block otherwise ASCII", ascii(31) + "😀" + ascii(63), 0, 0, 0},
		{"lead byte at the end of a block before an ASCII block", ascii(63) + "\xC2" + ascii(64), 63, 1, transcode.KindTooShort},
		{"lead byte at the end of a block and of the input", strings.Repeat(" ", 63) + "\xC2", 63, 1, transcode.KindTruncated},
		{"two of three bytes at the end of a block and of the input", strings.Repeat(" ", 62) + "\xE2\x82", 62, 2, transcode.KindTruncated},
		{"FF is byte 63 of 64", ascii(63) + "\xFF", 63, 1, transcode.KindBadLead},
		{"FF is byte 7 of 8", ascii(7) + "\xFF", 7, 1, transcode.KindBadLead},
		{"64 good bytes then a stray continuation byte", two(32) + "\x80", 64, 1, transcode.KindTooLong},
		{"four continuation bytes in a row", ascii(60) + "\x80\x80\x80\x80", 60, 1, transcode.KindTooLong},
		{"end of a four-byte character at a block border is none", four(15) + "\xF0\x9F\xA8\xA4\xA8\xA4", 64, 1, transcode.KindTooLong},
		{"fault at byte 64 after dense two-byte text", two(32) + "\xFF" + two(20), 64, 1, transcode.KindBadLead},
		{"fault at byte 64 after dense four-byte text", four(16) + "\xC0\x80" + four(16), 64, 1, transcode.KindOverlong},
		{"fault at byte 63 after dense text", two(31) + "a\xED\xA0\x80" + two(31), 63, 1, transcode.KindSurrogate},
		{"31 bytes", two(15) + "a", 0, 0, 0},
		{"33 bytes with the fault last", two(16) + "\xE9", 32, 1, transcode.KindTruncated},
		{"length 64 with no tail", two(32), 0, 0, 0},
		{"overlong before a bad lead in one block", "ab\xE0\x80\x80" + ascii(5) + "\xFF", 2, 1, transcode.KindOverlong},
		{"truncated sequence is not overlong", "\xE0\xA0", 0, 2, transcode.KindTruncated},
		{"overlong sequence is not truncated", "\xE0\x80", 0, 1, transcode.KindOverlong},
		{"surrogate cut short is not truncated", "\xED\xA0", 0, 1, transcode.KindSurrogate},
		{"CESU-8 pair", "\xED\xA0\xBD\xED\xB8\x80", 0, 1, transcode.KindSurrogate},
		{"overlong NUL of Java", "a\xC0\x80", 1, 1, transcode.KindOverlong},
		{"Latin-1 taken for UTF-8", "caf\xE9 au lait", 3, 1, transcode.KindTooShort},
		{"Latin-1 taken for UTF-8, at the end", "caf\xE9", 3, 1, transcode.KindTruncated},
		{"bad lead must not swallow the next byte", "\xE2A\x82\xAC", 0, 1, transcode.KindTooShort},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *transcode.Error
			if c.n > 0 {
				want = &transcode.Error{Encoding: transcode.UTF8, Offset: int64(c.off), Len: c.n, Kind: c.kind}
			}
			if got := transcode.CheckUTF8(c.src); !check.IsError(got, want) {
				t.Fatalf("CheckUTF8: %+v, want %+v", got, want)
			}
			check.UTF8(t, []byte(c.src))
			for _, to := range check.Encodings {
				check.Errors(t, []byte(c.src), transcode.UTF8, to)
				for _, p := range check.Policies {
					check.Pair(t, transcode.Transcoder{From: transcode.UTF8, To: to, OnError: p}, []byte(c.src))
				}
			}
		})
	}
	t.Run("bytes behind the length complete the character", func(t *testing.T) {
		stale := []byte("a\xE2\x82\xAC")
		want := &transcode.Error{Encoding: transcode.UTF8, Offset: 1, Len: 2, Kind: transcode.KindTruncated}
		require.True(t, check.IsError(transcode.CheckUTF8(stale[:3]), want))
		require.False(t, transcode.ValidUTF8(stale[:3]))
		got, err := transcode.AppendUTF16FromUTF8(nil, stale[:3])
		require.Equal(t, []uint16{'a'}, got)
		require.True(t, check.IsError(err, want))
	})
}

// TestOverlap: a source that overlaps the room behind dst gives unspecified text, but no panic and no write outside.
func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"ascii", "latin1", "mixed"} {
		text := texts.Of(script, 60)
		for at := range 24 {
			for dstAt := range 24 {
				buf := bytes.Repeat([]byte{0xEE}, 200)
				copy(buf[60+at:], text)
				before := bytes.Clone(buf)
				lo, hi := 60+dstAt, 140
				dst := buf[lo:lo:hi]
				src := buf[60+at : 60+at+len(text)]
				for _, to := range check.Encodings {
					_, _ = transcode.Append(dst, to, src, transcode.UTF8)
					_, _ = transcode.Transcoder{To: to, OnError: transcode.Replace}.Append(dst, src)
				}
				_ = transcode.AppendUTF8FromLatin1(dst, src)
				_ = transcode.AppendValidUTF8(dst, src)
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
		check.UTF8(t, src)
		check.Latin1(t, src)
		check.UTF16(t, oracle.Units16(src))
		check.UTF32(t, oracle.Units32(src))
		require.Equal(t, transcode.ClassASCII, transcode.Classify(myBytes(src)))
		require.Equal(t, transcode.ClassASCII, transcode.Classify(myString(src)))
		require.NoError(t, transcode.Check(src, transcode.UTF16LE))
		for _, from := range check.Encodings {
			for _, to := range check.Encodings {
				got, err := transcode.Append(nil, to, src, from)
				require.NoError(t, err)
				require.Empty(t, got)
				require.Zero(t, transcode.Len(to, src, from))
				for _, p := range check.Policies {
					for _, b := range check.BOMPolicies {
						check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: p, BOM: b, AddBOM: false}, src)
						check.Pair(t, transcode.Transcoder{From: from, To: to, OnError: p, BOM: b, AddBOM: true}, src)
						check.Text(t, transcode.Transcoder{From: from, To: to, OnError: p, BOM: b, AddBOM: true}, src)
					}
				}
			}
		}
		require.Zero(t, transcode.UTF16Offset(src, 1))
		require.Zero(t, transcode.UTF8Offset(src, 1))
	}
	require.True(t, transcode.ValidUTF16(nil))
	require.True(t, transcode.ValidUTF32(nil))
	require.NoError(t, transcode.CheckUTF16(nil))
	require.NoError(t, transcode.CheckUTF32(nil))
	require.Zero(t, transcode.ToWellFormedUTF16(nil))
	for _, got := range [][]byte{transcode.AppendUTF8FromLatin1(nil, ""), transcode.AppendValidUTF8(nil, ""), transcode.AppendValidUTF8FromUTF16(nil, nil)} {
		require.Empty(t, got)
	}
	dst := []byte("kept")
	for _, e := range check.Encodings {
		got, err := transcode.Append(dst, e, "", transcode.UTF8)
		require.NoError(t, err)
		require.Equal(t, "kept", string(got))
	}
}

func TestLevel(t *testing.T) {
	require.Contains(t, []string{"generic", "avx2", "avx512", "neon"}, transcode.Level())
}

// Long texts are looked at in pieces of 64 KiB: stray continuation bytes where one ends do not tear the character before them.
func TestUTF8StrayBytesAtTheEndOfPieces(t *testing.T) {
	for _, character := range []string{"é", "火", "😀"} {
		for at := 65525; at <= 65540; at++ {
			good := strings.Repeat("a", at) + character
			text := good + strings.Repeat("\x80", 5) + strings.Repeat("b", 200000)
			err := transcode.CheckUTF8(text)
			var e *transcode.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, int64(len(good)), e.Offset)
			class, n := transcode.ClassifyPrefix(text)
			require.Equal(t, len(good), n)
			require.Equal(t, transcode.Classify(character), class)

			dst := make([]byte, 3*len(text))
			nDst, nSrc, err := transcode.Transcoder{OnError: transcode.Replace}.NewStream().Transform(dst, []byte(text), true)
			require.NoError(t, err)
			require.Equal(t, len(text), nSrc)
			require.Equal(t, len(text)+5*2, nDst)
			units, err := transcode.AppendUTF16FromUTF8(make([]uint16, 0, len(text)), text)
			require.Error(t, err)
			require.Equal(t, transcode.UTF16LenFromUTF8(good), len(units))
			require.Equal(t, len(text), cap(units))
		}
	}
}
