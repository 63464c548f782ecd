package tests

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

func TestTextShortStrings(t *testing.T) {
	t.Parallel()
	for n := range texts.Thin(4, 3) {
		texts.EveryWord(texts.BoundaryBytes, n, func(src []byte) { check.Decode(t, src) })
	}
}

func TestTextOfScripts(t *testing.T) {
	t.Parallel()
	for _, script := range texts.Scripts {
		for n := 0; n <= 100; n += texts.Thin(1, 9) {
			check.Decode(t, []byte(texts.Of(script, n)))
		}
		r := texts.Rand(len(script))
		for range texts.Thin(200, 10) {
			check.Decode(t, texts.Mutate(&r, texts.Of(script, r.Intn(100)), 3))
		}
		check.Decode(t, []byte(texts.Of(script, 5000)))
		for _, from := range check.Encodings {
			src, err := transcode.Transcoder{To: from, OnError: transcode.Replace}.Append(nil, []byte(texts.Of(script, 200)))
			require.NoError(t, err)
			check.Text(t, transcode.Transcoder{From: from}, src)
			check.Text(t, transcode.Transcoder{From: from, OnError: transcode.Skip, BOM: transcode.BOMOverride}, append(oracle.BOM(from), src[:len(src)-1]...))
		}
	}
}

// TestTextEveryPositionOfWideCharacter: one wide character anywhere makes a text wide, from whatever encoding it comes.
func TestTextEveryPositionOfWideCharacter(t *testing.T) {
	for _, wide := range []string{"é", "Ā", "中", "😀"} {
		for _, n := range []int{1, 2, 8, 9, 33, 64} {
			for at := range n {
				src := strings.Repeat("a", at) + wide + strings.Repeat("a", n-1-at)
				text, _ := transcode.Decode(src)
				require.Equal(t, transcode.Classify(src), text.Class())
				units, err := transcode.Append(nil, transcode.UTF16LE, src, transcode.UTF8)
				require.NoError(t, err)
				fromUnits, _, err := transcode.Transcoder{From: transcode.UTF16LE}.Text(units)
				require.NoError(t, err)
				require.Equal(t, text, fromUnits)
			}
		}
	}
}

// TestTextNarrowest: == and map keys compare content, so one content must have one form, wherever it came from.
func TestTextNarrowest(t *testing.T) {
	for _, content := range []string{"", "a", "plain ASCII", "é", "ÿ\u0080", "Ā", "中文", "a😀", "\uFFFD"} {
		seen := make(map[transcode.Text]bool)
		for _, from := range check.Encodings {
			src, err := transcode.Append(nil, from, content, transcode.UTF8)
			if err != nil {
				continue // the encoding does not hold it
			}
			for _, p := range check.Policies {
				text, n, err := transcode.Transcoder{From: from, OnError: p, To: transcode.ASCII, AddBOM: true}.Text(src)
				require.NoError(t, err)
				require.Zero(t, n)
				require.Equal(t, content, text.String())
				seen[text] = true
			}
		}
		text, _ := transcode.Decode(content)
		seen[text] = true
		text, err := transcode.DecodeStrict([]byte(content))
		require.NoError(t, err)
		seen[text] = true
		if content == "\uFFFD" {
			text, n := transcode.Decode("\xFF")
			require.Equal(t, 1, n)
			seen[text] = true
		}
		require.Len(t, seen, 1, "%q", content)
	}
	a, _ := transcode.Decode("ab")
	b, _ := transcode.Decode("\u6261") // the same two bytes in memory, in little-endian order
	c, _ := transcode.Decode("\u6162")
	require.False(t, a == b || a == c)
	require.Equal(t, transcode.Text{}, func() transcode.Text { text, _ := transcode.Decode(""); return text }())
	require.Equal(t, transcode.Text{}, func() transcode.Text {
		text, _, _ := transcode.Transcoder{OnError: transcode.Skip}.Text([]byte("\xFF"))
		return text
	}())
}

// TestTextMixtures: what a policy makes decides the form, not what the source had.
func TestTextMixtures(t *testing.T) {
	for _, c := range []struct {
		src      string
		p        transcode.Policy
		want     string
		class    transcode.Class
		replaced int
	}{
		{"a\xFF", transcode.Skip, "a", transcode.ClassASCII, 1},
		{"é\xFF\xC3", transcode.Skip, "é", transcode.ClassLatin1, 2},
		{"a\xFF", transcode.Replace, "a\uFFFD", transcode.ClassBMP, 1},
		{"a\xE2\x82", transcode.Replace, "a\uFFFD", transcode.ClassBMP, 1},
		{"a\xE2\x82", transcode.ReplaceBytes, "a\uFFFD\uFFFD", transcode.ClassBMP, 2},
		{"😀\xFF", transcode.Replace, "😀\uFFFD", transcode.ClassSupplementary, 1},
		{"中", transcode.Replace, "中", transcode.ClassBMP, 0},
	} {
		text, n, err := transcode.Transcoder{OnError: c.p}.Text([]byte(c.src))
		require.NoError(t, err)
		require.Equal(t, c.replaced, n)
		require.Equal(t, c.class, text.Class())
		require.Equal(t, c.want, text.String())
	}
}

func TestTextAtPanics(t *testing.T) {
	for _, content := range []string{"", "abc", "é", "中", "😀"} {
		text, _ := transcode.Decode(content)
		for _, i := range []int{-1, text.Len(), text.Len() + 1, math.MaxInt, math.MinInt} {
			require.Panics(t, func() { text.At(i) }, "%q at %d", content, i)
		}
	}
}

// TestTextShares: what the documentation says about memory. An ASCII string is not copied, a []byte always is.
func TestTextShares(t *testing.T) {
	ascii := strings.Repeat("plain", 3)
	text, _ := transcode.Decode(ascii)
	require.Equal(t, unsafe.StringData(ascii), unsafe.StringData(text.String()))
	latin1, ok := text.Latin1()
	require.True(t, ok)
	require.Equal(t, unsafe.StringData(ascii), unsafe.StringData(latin1))

	for _, content := range []string{"plain", "é", "中", "😀"} {
		src := []byte(content)
		text, _ := transcode.Decode(src)
		strict, err := transcode.DecodeStrict(src)
		require.NoError(t, err)
		other, _, err := transcode.Transcoder{}.Text(src)
		require.NoError(t, err)
		for i := range src {
			src[i] = 'X'
		}
		require.Equal(t, content, text.String())
		require.Equal(t, content, strict.String())
		require.Equal(t, content, other.String())
	}

	wide, _ := transcode.Decode("中文")
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
		text, _ := transcode.Decode(buf[off:])
		units, ok := text.UTF16()
		require.True(t, ok)
		require.Zero(t, uintptr(unsafe.Pointer(&units[0]))%2)
	}
}
