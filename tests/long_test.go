package tests

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/stretchr/testify/require"
)

// TestLongTextsOfEveryPair converts texts longer than what is converted at once between any two encodings, from and to any address, with and without
// a fault about its end: the result and the place of the error are those of the oracle.
func TestLongTextsOfEveryPair(t *testing.T) {
	encodings := []transcode.Encoding{transcode.UTF8, transcode.ASCII, transcode.Latin1, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE}
	scripts := []string{"plain ASCII, word for word. ", "façade, naïve; ", "Съешь ещё этих мягких булок. ", "人人生而自由，", "😀 a 𝄞é中", "<b>ж</b> and a long run of ASCII behind it, as in markup "}
	const piece = 64 << 10
	inParallel(t, len(encodings)*len(encodings), func(t *testing.T, i int) {
		from, to := encodings[i/len(encodings)], encodings[i%len(encodings)]
		for s, script := range scripts {
			if !encodable(script, from) {
				continue
			}
			unit := oracle.EncodeRunes([]rune(script), from)
			text := bytes.Repeat(unit, 2*piece/len(unit)+3)
			for k, at := range []int{-1, piece - 2, piece, piece + 6, 2*piece + 1} {
				src := place(text, s+k)
				if at >= 0 {
					at -= at % oracle.UnitSize(from)
					copy(src[at:], faultOf(from))
					src = src[:len(src)-k%4] // perhaps within a character
				}
				items := oracle.Decode(src, from)
				var want []byte
				bad := len(src)
				for _, it := range items {
					b, ok := oracle.Encode(it.R, to)
					if it.Kind != 0 || !ok {
						bad = it.Off
						break
					}
					want = append(want, b...)
				}
				where := fmt.Sprintf("%v to %v, %q, case %d", from, to, script, k)
				require.True(t, at < 0 || faultOf(from) == nil || bad < len(src), where)
				for _, room := range []int{len(want) + 8, len(want), max(0, len(want)-1)} {
					dst := place(make([]byte, room), k+1)[:0:room]
					got, err := transcode.Append(dst, to, src, from)
					require.Equal(t, len(want), len(got), where)
					require.True(t, bytes.Equal(want, got), where)
					if bad == len(src) {
						require.NoError(t, err, where)
						continue
					}
					var e *transcode.Error
					require.ErrorAs(t, err, &e, where)
					require.EqualValues(t, bad, e.Offset, where)
				}
			}
		}
	})
}

func encodable(s string, e transcode.Encoding) bool {
	for _, r := range s {
		if _, ok := oracle.Encode(r, e); !ok {
			return false
		}
	}
	return true
}

// place returns a copy of b at an address that is offset more than a multiple of 8.
func place(b []byte, offset int) []byte {
	offset %= 8
	return append(make([]byte, offset, offset+len(b)+8), b...)[offset:]
}

// faultOf returns bytes that are ill-formed in e wherever they are, or none.
func faultOf(e transcode.Encoding) []byte {
	switch e {
	case transcode.Latin1:
		return nil
	case transcode.UTF16LE, transcode.UTF16BE:
		return oracle.Bytes16([]uint16{0xDBFF, 0xD800}, e) // the second of them at least
	case transcode.UTF32LE, transcode.UTF32BE:
		return oracle.Bytes32([]rune{0xD800}, e)
	}
	return []byte{0xFF}
}

// TestDecodeLong decodes texts about as long as those that are not classified first, of which the beginning tells that they need UTF-16 or does not, in
// order and with a fault at the start, at the end of what is looked at first, of a piece, or of the text.
func TestDecodeLong(t *testing.T) {
	for _, unit := range []string{"Съешь ещё этих булок ", "人人生而自由，", "😀é", "façade ", "ASCII "} {
		for _, head := range []string{"", strings.Repeat("a", 511), strings.Repeat("é", 300)} {
			for _, n := range []int{4095, 4096, 4097, 4 << 10, 70 << 10} {
				text := head + strings.Repeat(unit, n/len(unit)+1)[:max(0, n-len(head))]
				checkDecode(t, strings.ToValidUTF8(text, ""))
				for _, at := range []int{0, 1, 510, 512, 4094, 64<<10 - 1, len(text) - 1} {
					if at < len(text) {
						checkDecode(t, text[:at]+"\xFF"+text[at+1:])
						checkDecode(t, text[:at])
					}
				}
			}
		}
	}
}

func checkDecode(t *testing.T, text string) {
	t.Helper()
	items := oracle.DecodeUTF8([]byte(text))
	runes := oracle.Runes(items)
	bad := 0
	for _, it := range items {
		if it.Kind != 0 {
			bad++
		}
	}
	got, replaced := transcode.Decode(text)
	require.Equal(t, bad, replaced)
	require.True(t, slices.Equal(oracle.EncodeUnits(runes), got.AppendUTF16(nil)), "%d bytes that begin with %.20q", len(text), text)
	require.Equal(t, transcode.Classify(string(runes)), got.Class())
	strict, err := transcode.DecodeStrict(text)
	if bad == 0 {
		require.NoError(t, err)
		require.True(t, strict == got)
		return
	}
	var e *transcode.Error
	require.ErrorAs(t, err, &e)
	require.EqualValues(t, oracle.FirstFault(items).Off, e.Offset)
	require.Zero(t, strict)
}
