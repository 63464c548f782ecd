package transcode

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLatin1AllShortStrings takes all strings of one and two bytes through every function with a Latin-1 source.
func TestLatin1AllShortStrings(t *testing.T) {
	t.Parallel()
	for a := range 256 {
		checkLatin1(t, []byte{byte(a)})
		for b := 0; b < 256; b += thin(1, 51) {
			checkLatin1(t, []byte{byte(a), byte(b)})
		}
	}
}

// TestLatin1EveryPosition puts a byte from 80 on at every position of every length, alone and next to another.
func TestLatin1EveryPosition(t *testing.T) {
	t.Parallel()
	for n := 0; n <= 80; n += thin(1, 9) {
		for at := range n {
			text := []byte(strings.Repeat("a", n))
			for _, b := range []byte{0x80, 0xBF, 0xC0, 0xFF} {
				text[at] = b
				checkLatin1(t, text)
			}
			if at+1 < n {
				text[at+1] = 0xE9
				checkLatin1(t, text)
			}
		}
	}
}

// TestLatin1Texts takes longer texts, from none to all of their characters above U+007F.
func TestLatin1Texts(t *testing.T) {
	t.Parallel()
	r := rng(7)
	for n := 0; n <= 300; n += shortThin(n, 29) {
		for _, share := range []int{0, 3, 25, 50, 100} {
			text := make([]byte, n)
			for i := range text {
				text[i] = byte(r.next()) & 0x7F
				if r.intn(100) < share {
					text[i] |= 0x80
				}
			}
			checkLatin1(t, text)
			checkUTF8(t, AppendUTF8FromLatin1(nil, text))
		}
	}
	long := make([]byte, 200001)
	for i := range long {
		long[i] = byte(i * 7)
	}
	checkLatin1(t, long)
}

// TestLatin1RoundTrip: every byte survives the way through every encoding that holds it.
func TestLatin1RoundTrip(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, via := range everyEncoding {
		if via == ASCII {
			continue
		}
		there, err := Append(nil, via, all, Latin1)
		require.NoError(t, err)
		back, err := Append(nil, Latin1, there, via)
		require.NoError(t, err)
		require.Equal(t, all, back, via)
	}
	utf16, err := AppendLatin1FromUTF16(nil, AppendUTF16FromLatin1(nil, all))
	require.NoError(t, err)
	require.Equal(t, all, utf16)
	utf32, err := AppendLatin1FromUTF32(nil, AppendUTF32FromLatin1(nil, all))
	require.NoError(t, err)
	require.Equal(t, all, utf32)
}

// TestLatin1Unencodable puts a character that Latin-1 cannot hold, and one fault, at every position of a text, in every
// order: the first of them counts, and at one place ill-formed counts.
func TestLatin1Unencodable(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"a", "é"} {
		for n := 0; n <= 70; n += thin(1, 11) {
			for _, wide := range []string{"Ā", "\u07FF", "\u0800", "中", "\uFFFF", "😀", "\U00050005", "\U000CFFFF", "\U0010FFFF"} {
				text := strings.Repeat(filler, n)
				for _, src := range []string{text + wide, text + wide + text, text + wide + "\xFF", text + "\xFF" + wide, text + wide[:1], text + wide[:1] + "a"} {
					checkUTF8(t, []byte(src))
					checkPair(t, Transcoder{To: Latin1}, []byte(src))
					checkPair(t, Transcoder{To: ASCII}, []byte(src))
				}
				units := AppendValidUTF16FromUTF8(nil, text+wide+text)
				checkUTF16(t, units)
				units[n] = 0xDC00
				checkUTF16(t, units)
				runes := []rune(text + wide + text)
				checkUTF32(t, runes)
				runes[n] = -0xFF
				checkUTF32(t, runes)
			}
		}
	}
}

// TestKnownTroublesLatin1 has mix-ups of the one-byte encodings that other programs shipped.
func TestKnownTroublesLatin1(t *testing.T) {
	t.Run("Latin-1 is not ASCII", func(t *testing.T) { // bytes from 80 on copied as they are
		require.Equal(t, "caf\xC3\xA9", string(AppendUTF8FromLatin1(nil, "caf\xE9")))
		require.False(t, IsASCII("caf\xE9"))
		_, err := Append(nil, UTF8, "caf\xE9", ASCII)
		require.Equal(t, &Error{Encoding: ASCII, Offset: 3, Len: 1, Kind: KindTooLarge}, err)
	})
	t.Run("UTF-8 that fits Latin-1 is not Latin-1", func(t *testing.T) {
		got, err := AppendLatin1FromUTF8(nil, "café")
		require.NoError(t, err)
		require.Equal(t, "caf\xE9", string(got))
		require.Equal(t, "cafÃ©", string(AppendUTF8FromLatin1(nil, "café")))
	})
	t.Run("Latin-1 is not windows-1252", func(t *testing.T) {
		require.Equal(t, "\u0080\u0085\u009F", string(AppendUTF8FromLatin1(nil, "\x80\x85\x9F")))
		_, err := AppendLatin1FromUTF8(nil, "€")
		require.Equal(t, &Error{Encoding: UTF8, Offset: 0, Len: 3, Kind: KindUnencodable, Rune: '€'}, err)
	})
	t.Run("low byte of a wide character is not taken", func(t *testing.T) {
		got, err := AppendLatin1FromUTF16(nil, []uint16{'a', 0x0141, 'b'})
		require.Equal(t, "a", string(got))
		require.Equal(t, &Error{Encoding: UTF16LE, Offset: 1, Len: 1, Kind: KindUnencodable, Rune: 0x141}, err)
	})
	t.Run("big-endian units keep their order", func(t *testing.T) { // simdutf#461: 20 20 came out of 00 20
		got, err := Append(nil, Latin1, "\x00 \x00\xE9\x00 ", UTF16BE)
		require.NoError(t, err)
		require.Equal(t, " \xE9 ", string(got))
		_, err = Append(nil, Latin1, "\x20\x00", UTF16BE)
		require.Equal(t, &Error{Encoding: UTF16BE, Len: 2, Kind: KindUnencodable, Rune: 0x2000}, err)
	})
	t.Run("question mark in the source is not counted", func(t *testing.T) {
		s := Transcoder{To: Latin1, OnError: Replace}.NewStream()
		dst := make([]byte, 16)
		n, _, err := s.Transform(dst, []byte("??中"), true)
		require.NoError(t, err)
		require.Equal(t, "???", string(dst[:n]))
		require.EqualValues(t, 1, s.Replaced())
	})
}
