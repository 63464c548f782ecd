package oracle_test

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// TestOracleKnownAnswers holds the oracle to the examples that the Unicode Standard prints for U+FFFD substitution of maximal
// subparts (tables 3-8 to 3-11 of version 15).
func TestOracleKnownAnswers(t *testing.T) {
	for _, c := range oracle.Substitutions {
		require.Equal(t, []rune(c.Want), oracle.Runes(oracle.DecodeUTF8([]byte(c.Src))), "% x", c.Src)
	}
}

func TestOracleUTF8AgainstStandardLibrary(t *testing.T) {
	r := texts.Rand(1)
	var cut []byte
	compare := func(src []byte) {
		items := oracle.DecodeUTF8(src)
		if got, want := oracle.FirstFault(items) == nil, utf8.Valid(src); got != want {
			t.Fatalf("oracle: % x well-formed: %v, utf8.Valid says %v", src, got, want)
		}
		// unicode/utf8 steps over one byte at a time, so it tells the characters and the total of ill-formed bytes.
		var perByte []rune
		for _, it := range items {
			if it.Kind == 0 {
				perByte = append(perByte, it.R)
			}
			for n := 0; it.Kind != 0 && n < it.N; n++ {
				perByte = append(perByte, 0xFFFD)
			}
		}
		if want := []rune(string(src)); !slices.Equal(perByte, want) {
			t.Fatalf("oracle: % x decodes to %x, a range loop says %x", src, perByte, want)
		}
		// An item is truncated exactly if utf8.FullRune waits for more. FullRune takes E0 80 for a whole, wrong, one.
		if k := len(items); k > 0 {
			last := items[k-1]
			if got, want := last.Kind == oracle.KindTruncated, !utf8.FullRune(src[last.Off:]); got != want {
				t.Fatalf("oracle: % x ends truncated: %v, utf8.FullRune says %v", src, got, want)
			}
		}
		// The UTF-8 decoder of x/text substitutes maximal subparts.
		want, err := unicode.UTF8.NewDecoder().Bytes(src)
		if got := string(oracle.Runes(items)); err != nil || got != string(want) {
			t.Fatalf("oracle: % x becomes %q, x/text says %q, %v", src, got, want, err)
		}
	}
	for n := range texts.Thin(5, 4) {
		texts.EveryWord(texts.BoundaryBytes, n, compare)
	}
	for range texts.Thin(20000, 1000) {
		cut = texts.Mutate(&r, texts.Of(texts.Pick(&r, texts.Scripts), r.Intn(40)), 4)
		compare(cut)
	}
}

func TestOracleUTF16AgainstStandardLibrary(t *testing.T) {
	compare := func(units []uint16) {
		items := oracle.DecodeUTF16(units)
		if got, want := oracle.Runes(items), utf16.Decode(units); !slices.Equal(got, want) {
			t.Fatalf("oracle: %x decodes to %x, utf16.Decode says %x", units, got, want)
		}
		if oracle.FirstFault(items) != nil {
			// The decoder of x/text takes a high surrogate together with the unit after it, whatever that is, and
			// gives one U+FFFD for two low surrogates (golang/go#39492). It is right for well-formed text only.
			return
		}
		for _, e := range []oracle.Encoding{oracle.UTF16LE, oracle.UTF16BE} {
			b := oracle.Bytes16(units, e)
			require.Equal(t, oracle.Runes(items), oracle.Runes(oracle.Decode(b, e)))
			compareXText(t, b, e, items)
		}
	}
	for n := range texts.Thin(5, 3) {
		texts.EveryWord(texts.BoundaryUnits, n, compare)
	}
}

func TestOracleUTF32AgainstXText(t *testing.T) {
	for n := range texts.Thin(4, 3) {
		texts.EveryWord(texts.BoundaryRunes, n, func(runes []rune) {
			items := oracle.DecodeUTF32(runes)
			for _, e := range []oracle.Encoding{oracle.UTF32LE, oracle.UTF32BE} {
				b := oracle.Bytes32(runes, e)
				if got, want := oracle.Runes(oracle.Decode(b, e)), oracle.Runes(items); !slices.Equal(got, want) {
					t.Fatalf("oracle: %x as bytes decodes to %x, want %x", runes, got, want)
				}
				// Out of range and surrogates become U+FFFD in the same way as in a string of runes.
				if got, want := string(oracle.Runes(items)), string(runes); got != want {
					t.Fatalf("oracle: %x decodes to %q, string(runes) says %q", runes, got, want)
				}
				if oracle.FirstFault(items) == nil && len(b) < 64 {
					compareXText(t, b, e, items)
				}
			}
		})
	}
}

func TestOracleLatin1AgainstXText(t *testing.T) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	compareXText(t, all, oracle.Latin1, oracle.Decode(all, oracle.Latin1))
	require.Equal(t, &oracle.Item{Off: 128, N: 1, Kind: oracle.KindTooLarge}, oracle.FirstFault(oracle.Decode(all, oracle.ASCII)))
}

// xtext has the encodings of golang.org/x/text, which keep byte order marks as text.
var xtext = map[oracle.Encoding]encoding.Encoding{
	oracle.UTF8:    unicode.UTF8,
	oracle.Latin1:  charmap.ISO8859_1,
	oracle.UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	oracle.UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	oracle.UTF32LE: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	oracle.UTF32BE: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// compareXText holds items, the oracle's decoding of the well-formed b, and its encoding back to x/text.
func compareXText(t *testing.T, b []byte, e oracle.Encoding, items []oracle.Item) {
	t.Helper()
	text, err := xtext[e].NewDecoder().Bytes(b)
	if got := string(oracle.Runes(items)); err != nil || got != string(text) {
		t.Fatalf("oracle: %v % x decodes to %q, x/text says %q, %v", e, b, got, text, err)
	}
	back, err := xtext[e].NewEncoder().Bytes(text)
	if err != nil || !bytes.Equal(back, b) {
		t.Fatalf("x/text: %v % x does not come back: % x, %v", e, b, back, err)
	}
	var encoded []byte
	for _, it := range items {
		r, ok := oracle.Encode(it.R, e)
		if !ok {
			t.Fatalf("oracle: %v cannot hold %U", e, it.R)
		}
		encoded = append(encoded, r...)
	}
	if !bytes.Equal(encoded, b) {
		t.Fatalf("oracle: %v %x encodes to % x, want % x", e, oracle.Runes(items), encoded, b)
	}
}

// TestOracleNumbers: what the oracle and the library call by a number has the same one in both.
func TestOracleNumbers(t *testing.T) {
	for e, want := range map[oracle.Encoding]transcode.Encoding{
		oracle.UTF8: transcode.UTF8, oracle.ASCII: transcode.ASCII, oracle.Latin1: transcode.Latin1, oracle.UTF16LE: transcode.UTF16LE,
		oracle.UTF16BE: transcode.UTF16BE, oracle.UTF32LE: transcode.UTF32LE, oracle.UTF32BE: transcode.UTF32BE,
	} {
		require.Equal(t, want, transcode.Encoding(e))
	}
	for k, want := range map[oracle.Kind]transcode.ErrorKind{
		oracle.KindTruncated: transcode.KindTruncated, oracle.KindTooLong: transcode.KindTooLong, oracle.KindOverlong: transcode.KindOverlong,
		oracle.KindSurrogate: transcode.KindSurrogate, oracle.KindTooLarge: transcode.KindTooLarge, oracle.KindBadLead: transcode.KindBadLead,
		oracle.KindTooShort: transcode.KindTooShort, oracle.KindUnencodable: transcode.KindUnencodable,
	} {
		require.Equal(t, want, transcode.ErrorKind(k))
	}
}

// TestOracleKinds pins the kind and length that the documentation of Error gives for each UTF-8 fault, which no other library
// can vouch for.
func TestOracleKinds(t *testing.T) {
	for _, row := range oracle.FaultTable {
		items := oracle.Decode([]byte(row.Src), row.From)
		at := slices.IndexFunc(items, func(it oracle.Item) bool { return it.Off == row.Off })
		require.GreaterOrEqual(t, at, 0, "%v % x", row.From, row.Src)
		require.Equal(t, oracle.Item{Off: row.Off, N: row.N, Kind: row.Kind}, items[at], "%v % x", row.From, row.Src)
	}
}
