package tests

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
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
				dst := place(make([]byte, len(want)+8), k+1)[:0]
				got, err := transcode.Append(dst, to, src, from)
				where := fmt.Sprintf("%v to %v, %q, case %d", from, to, script, k)
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
	anywhere, _ := texts.Faults(e)
	if len(anywhere) == 0 {
		return nil
	}
	return anywhere[0]
}
