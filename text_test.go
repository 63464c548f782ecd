package transcode

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// checkDecode compares Decode and DecodeStrict of UTF-8 with the oracle.
func checkDecode(t testing.TB, src []byte) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("Decode of % x: "+format, append([]any{src}, args...)...)
	}
	items := oracleUTF8(src)
	faults := 0
	for _, it := range items {
		if it.kind != 0 {
			faults++
		}
	}
	text, replaced := Decode(src)
	if replaced != faults {
		fail("%d replaced, want %d", replaced, faults)
	}
	checkTextIs(fail, text, string(runesOf(items)))
	if other, n := Decode(string(src)); other != text || n != replaced {
		fail("a string gives %q, %d", other.String(), n)
	}
	strict, err := DecodeStrict(src)
	if !isError(err, oracleCheck(items, UTF8)) {
		fail("DecodeStrict gives %+v, want %+v", err, oracleCheck(items, UTF8))
	}
	if faults > 0 && strict != (Text{}) || faults == 0 && strict != text {
		fail("DecodeStrict gives %q", strict.String())
	}
	if other, otherErr := DecodeStrict(string(src)); other != strict || !isError(otherErr, oracleCheck(items, UTF8)) {
		fail("DecodeStrict of a string gives %q, %+v", other.String(), otherErr)
	}
}

func TestTextShortStrings(t *testing.T) {
	t.Parallel()
	for n := range thin(4, 3) {
		everyWord(boundaryBytes, n, func(src []byte) { checkDecode(t, src) })
	}
}

func TestTextOfScripts(t *testing.T) {
	t.Parallel()
	for _, script := range textScripts {
		for n := 0; n <= 100; n += thin(1, 9) {
			checkDecode(t, []byte(genText(script, n)))
		}
		r := rng(len(script))
		for range thin(200, 10) {
			checkDecode(t, mutate(&r, genText(script, r.intn(100)), 3))
		}
		checkDecode(t, []byte(genText(script, 5000)))
		for _, from := range everyEncoding {
			src, err := Transcoder{To: from, OnError: Replace}.Append(nil, []byte(genText(script, 200)))
			require.NoError(t, err)
			checkText(t, Transcoder{From: from}, src)
			checkText(t, Transcoder{From: from, OnError: Skip, BOM: BOMOverride}, append(oracleBOM(from), src[:len(src)-1]...))
		}
	}
}

// TestTextEveryPositionOfWideCharacter: one wide character anywhere makes a text wide, from whatever encoding it comes.
func TestTextEveryPositionOfWideCharacter(t *testing.T) {
	for _, wide := range []string{"é", "Ā", "中", "😀"} {
		for _, n := range []int{1, 2, 8, 9, 33, 64} {
			for at := range n {
				src := strings.Repeat("a", at) + wide + strings.Repeat("a", n-1-at)
				text, _ := Decode(src)
				require.Equal(t, Classify(src), text.Class())
				units, err := Append(nil, UTF16LE, src, UTF8)
				require.NoError(t, err)
				fromUnits, _, err := Transcoder{From: UTF16LE}.Text(units)
				require.NoError(t, err)
				require.Equal(t, text, fromUnits)
			}
		}
	}
}

// TestTextNarrowest: == and map keys compare content, so one content must have one form, wherever it came from.
func TestTextNarrowest(t *testing.T) {
	for _, content := range []string{"", "a", "plain ASCII", "é", "ÿ\u0080", "Ā", "中文", "a😀", "\uFFFD"} {
		seen := make(map[Text]bool)
		for _, from := range everyEncoding {
			src, err := Append(nil, from, content, UTF8)
			if err != nil {
				continue // the encoding does not hold it
			}
			for _, p := range everyPolicy {
				text, n, err := Transcoder{From: from, OnError: p, To: ASCII, AddBOM: true}.Text(src)
				require.NoError(t, err)
				require.Zero(t, n)
				require.Equal(t, content, text.String())
				seen[text] = true
			}
		}
		text, _ := Decode(content)
		seen[text] = true
		text, err := DecodeStrict([]byte(content))
		require.NoError(t, err)
		seen[text] = true
		if content == "\uFFFD" {
			text, n := Decode("\xFF")
			require.Equal(t, 1, n)
			seen[text] = true
		}
		require.Len(t, seen, 1, "%q", content)
	}
	a, _ := Decode("ab")
	b, _ := Decode("\u6261") // the same two bytes in memory, in little-endian order
	c, _ := Decode("\u6162")
	require.False(t, a == b || a == c)
	require.Equal(t, Text{}, func() Text { text, _ := Decode(""); return text }())
	require.Equal(t, Text{}, func() Text { text, _, _ := Transcoder{OnError: Skip}.Text([]byte("\xFF")); return text }())
}

// TestTextMixtures: what a policy makes decides the form, not what the source had.
func TestTextMixtures(t *testing.T) {
	for _, c := range []struct {
		src      string
		p        Policy
		want     string
		class    Class
		replaced int
	}{
		{"a\xFF", Skip, "a", ClassASCII, 1},
		{"é\xFF\xC3", Skip, "é", ClassLatin1, 2},
		{"a\xFF", Replace, "a\uFFFD", ClassBMP, 1},
		{"a\xE2\x82", Replace, "a\uFFFD", ClassBMP, 1},
		{"a\xE2\x82", ReplaceBytes, "a\uFFFD\uFFFD", ClassBMP, 2},
		{"😀\xFF", Replace, "😀\uFFFD", ClassSupplementary, 1},
		{"中", Replace, "中", ClassBMP, 0},
	} {
		text, n, err := Transcoder{OnError: c.p}.Text([]byte(c.src))
		require.NoError(t, err)
		require.Equal(t, c.replaced, n)
		require.Equal(t, c.class, text.Class())
		require.Equal(t, c.want, text.String())
	}
}

func TestTextAtPanics(t *testing.T) {
	for _, content := range []string{"", "abc", "é", "中", "😀"} {
		text, _ := Decode(content)
		for _, i := range []int{-1, text.Len(), text.Len() + 1, math.MaxInt, math.MinInt} {
			require.Panics(t, func() { text.At(i) }, "%q at %d", content, i)
		}
	}
}

// TestTextShares: what the documentation says about memory. An ASCII string is not copied, a []byte always is.
func TestTextShares(t *testing.T) {
	ascii := strings.Repeat("plain", 3)
	text, _ := Decode(ascii)
	require.Equal(t, unsafe.StringData(ascii), unsafe.StringData(text.String()))
	latin1, ok := text.Latin1()
	require.True(t, ok)
	require.Equal(t, unsafe.StringData(ascii), unsafe.StringData(latin1))

	for _, content := range []string{"plain", "é", "中", "😀"} {
		src := []byte(content)
		text, _ := Decode(src)
		strict, err := DecodeStrict(src)
		require.NoError(t, err)
		other, _, err := Transcoder{}.Text(src)
		require.NoError(t, err)
		for i := range src {
			src[i] = 'X'
		}
		require.Equal(t, content, text.String())
		require.Equal(t, content, strict.String())
		require.Equal(t, content, other.String())
	}

	wide, _ := Decode("中文")
	one, _ := wide.UTF16()
	two, _ := wide.UTF16()
	require.Same(t, &one[0], &two[0], "the code units are not copied")
	require.Equal(t, len(one), cap(one), "an append must not write behind them")
	copied := wide.AppendUTF16(nil)
	copied[0] = 'x'
	require.Equal(t, "中文", wide.String())
}

// TestTextAligned: the code units of a Text stand at an address that suits uint16, whatever the source's alignment.
func TestTextAligned(t *testing.T) {
	buf := []byte("中文字" + strings.Repeat("中", 50))
	for off := 0; off < 9; off += 3 {
		text, _ := Decode(buf[off:])
		units, ok := text.UTF16()
		require.True(t, ok)
		require.Zero(t, uintptr(unsafe.Pointer(&units[0]))%2)
	}
}
