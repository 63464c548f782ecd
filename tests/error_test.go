package tests

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// faultySources returns sources in encoding e: texts of every class, faults of every kind behind and before a filler of every
// class, at positions around the ends of 8-, 16-, 32- and 64-byte blocks, and characters that Latin-1 and ASCII cannot hold.
func faultySources(e transcode.Encoding) [][]byte {
	var faults [][]byte
	for _, row := range oracle.FaultTable {
		if transcode.Encoding(row.From) == e {
			faults = append(faults, []byte(row.Src[row.Off:]))
		}
	}
	for _, r := range texts.BoundaryRunes {
		if r >= 0 && r < 0x110000 && !utf16.IsSurrogate(r) {
			if b, ok := oracle.Encode(r, e); ok {
				faults = append(faults, b)
			}
		}
	}
	positions := []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}
	if testing.Short() {
		positions = []int{0, 1, 7, 8, 31, 64}
	}
	var out [][]byte
	for _, filler := range texts.Fillers {
		if _, ok := oracle.Encode(slices.Max(filler), e); !ok {
			continue
		}
		for _, n := range positions {
			head := oracle.EncodeRunes(texts.Fill(filler, n), e)
			for i, fault := range faults {
				tail := oracle.EncodeRunes(texts.Fill(filler, positions[i%len(positions)]), e)
				out = append(out, slices.Concat(head, fault, tail))
			}
		}
	}
	for _, script := range texts.Scripts {
		if b, err := (transcode.Transcoder{To: e, OnError: transcode.Skip}).Append(nil, []byte(texts.Of(script, 100))); err == nil {
			out = append(out, b)
		}
	}
	return out
}

// TestSameErrorOnEveryRoute: the same input gives the same offset, length and kind whichever way it takes.
func TestSameErrorOnEveryRoute(t *testing.T) {
	t.Parallel()
	for _, from := range check.Encodings {
		for _, src := range faultySources(from) {
			for _, to := range check.Encodings {
				check.Errors(t, src, from, to)
			}
		}
	}
}

// TestSameErrorOnEveryRouteShort takes all short strings over the bytes that matter to any of the encodings.
func TestSameErrorOnEveryRouteShort(t *testing.T) {
	t.Parallel()
	alphabet := []byte{0x00, 0x10, 0x41, 0x80, 0xA0, 0xC2, 0xD8, 0xDC, 0xE0, 0xED, 0xF0, 0xF4, 0xFE, 0xFF}
	i := 0
	for n := range texts.Thin(5, 4) {
		texts.EveryWord(alphabet, n, func(src []byte) {
			for _, from := range check.Encodings {
				check.Errors(t, src, from, check.Encodings[i%len(check.Encodings)])
				i++
			}
			i++
		})
	}
}

// TestTruncatedMatchesUnexpectedEOF: callers can tell text that goes on from text that is wrong, on every route.
func TestTruncatedMatchesUnexpectedEOF(t *testing.T) {
	for _, row := range oracle.FaultTable {
		for _, r := range check.ErrorRoutes {
			err := r.Err([]byte(row.Src[:row.Off+row.N]), transcode.Encoding(row.From), transcode.UTF32LE)
			if err == check.ErrNotTold {
				continue
			}
			require.ErrorIs(t, err, transcode.ErrInvalid, "%s % x", r.Name, row.Src)
			var e *transcode.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, e.Kind == transcode.KindTruncated, errors.Is(err, io.ErrUnexpectedEOF), "%s % x", r.Name, row.Src)
		}
	}
}

// TestErrorKinds goes through the table of kinds row by row, with text before and behind.
func TestErrorKinds(t *testing.T) {
	for _, row := range oracle.FaultTable {
		from := transcode.Encoding(row.From)
		want := &transcode.Error{Encoding: from, Offset: int64(row.Off), Len: row.N, Kind: transcode.ErrorKind(row.Kind)}
		t.Run(fmt.Sprintf("%v % x", from, row.Src), func(t *testing.T) {
			if got := transcode.Check(row.Src, from); !check.IsError(got, want) {
				t.Fatalf("Check: %+v, want %+v", got, want)
			}
			for _, to := range check.Encodings {
				_, err := transcode.Append(nil, to, row.Src, from)
				if e, ok := err.(*transcode.Error); ok && e.Kind == transcode.KindUnencodable {
					require.Less(t, e.Offset, want.Offset, "ill-formed wins at one offset")
					continue
				}
				if !check.IsError(err, want) {
					t.Fatalf("Append to %v: %+v, want %+v", to, err, want)
				}
			}
			unit := strings.Repeat("\x00", oracle.UnitSize(from))
			shifted := *want
			shifted.Offset += 5 * int64(len(unit))
			if got := transcode.Check(strings.Repeat(unit, 5)+row.Src, from); !check.IsError(got, &shifted) {
				t.Fatalf("Check behind five units: %+v, want %+v", got, shifted)
			}
		})
	}
}

// TestErrorOfUnits: errors of []uint16 and []rune count elements and have the same Encoding on every architecture.
func TestErrorOfUnits(t *testing.T) {
	_, err := transcode.AppendUTF8FromUTF16(nil, []uint16{'a', 0xD83D, 0xDE00, 0xDC00})
	require.Equal(t, &transcode.Error{Encoding: transcode.UTF16LE, Offset: 3, Len: 1, Kind: transcode.KindSurrogate}, err)
	_, err = transcode.AppendLatin1FromUTF16(nil, []uint16{'a', 0xD83D, 0xDE00})
	require.Equal(t, &transcode.Error{Encoding: transcode.UTF16LE, Offset: 1, Len: 2, Kind: transcode.KindUnencodable, Rune: 0x1F600}, err)
	require.Equal(t, &transcode.Error{Encoding: transcode.UTF16LE, Offset: 1, Len: 1, Kind: transcode.KindTruncated}, transcode.CheckUTF16([]uint16{'a', 0xD83D}))
	_, err = transcode.AppendUTF16FromUTF32(nil, []rune{'a', 0x1F600, 0x110000})
	require.Equal(t, &transcode.Error{Encoding: transcode.UTF32LE, Offset: 2, Len: 1, Kind: transcode.KindTooLarge}, err)
	_, err = transcode.AppendLatin1FromUTF32(nil, []rune{0x100})
	require.Equal(t, &transcode.Error{Encoding: transcode.UTF32LE, Offset: 0, Len: 1, Kind: transcode.KindUnencodable, Rune: 0x100}, err)
}

// TestErrorSentinels: errors.Is and errors.As find their way, through wrapping too.
func TestErrorSentinels(t *testing.T) {
	for kind := transcode.KindTruncated; kind <= transcode.KindUnencodable; kind++ {
		var err error = fmt.Errorf("reading: %w", &transcode.Error{Encoding: transcode.UTF8, Offset: 1, Len: 1, Kind: kind})
		require.Equal(t, kind != transcode.KindUnencodable, errors.Is(err, transcode.ErrInvalid), kind)
		require.Equal(t, kind == transcode.KindUnencodable, errors.Is(err, transcode.ErrUnencodable), kind)
		require.Equal(t, kind == transcode.KindTruncated, errors.Is(err, io.ErrUnexpectedEOF), kind)
		require.NotErrorIs(t, err, io.EOF)
		require.NotErrorIs(t, err, transcode.ErrShortSrc)
		var e *transcode.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, kind, e.Kind)
	}
	require.NotErrorIs(t, transcode.ErrInvalid, transcode.ErrUnencodable)
}

// TestErrorMessages: messages begin with the package's name, say where and what, and never quote the input.
func TestErrorMessages(t *testing.T) {
	seen := make(map[string]bool)
	for kind := transcode.KindTruncated; kind <= transcode.KindUnencodable; kind++ {
		e := &transcode.Error{Encoding: transcode.UTF16BE, Offset: 1234567890123, Len: 2, Kind: kind, Rune: 0x20AC}
		message := e.Error()
		require.True(t, strings.HasPrefix(message, "transcode: "), message)
		require.Contains(t, message, "1234567890123")
		require.Contains(t, message, "UTF-16BE")
		require.NotContains(t, message, "€")
		require.NotEmpty(t, kind.String())
		require.False(t, seen[message] || seen[kind.String()], "%s is not told from another kind", message)
		seen[message], seen[kind.String()] = true, true
	}
	for _, secret := range []string{"swordfish\xFF\xFEswordfish", "swordfish\xE2\x82", "swordfish€swordfish"} {
		for _, to := range check.Encodings {
			if _, err := transcode.Append(nil, to, secret, transcode.UTF8); err != nil {
				require.NotContains(t, err.Error(), "swordfish")
				require.NotContains(t, err.Error(), "€")
				require.NotContains(t, err.Error(), "\xFF")
			}
		}
	}
	for _, err := range []error{transcode.ErrInvalid, transcode.ErrUnencodable, transcode.ErrShortDst, transcode.ErrShortSrc} {
		require.True(t, strings.HasPrefix(err.Error(), "transcode: "), err)
	}
	for value := range 256 { // no value of any type makes a message panic
		require.NotEmpty(t, transcode.ErrorKind(value).String())
		require.NotEmpty(t, transcode.Class(value).String())
		require.NotEmpty(t, transcode.Encoding(value).String())
		require.NotEmpty(t, (&transcode.Error{Encoding: transcode.Encoding(value), Kind: transcode.ErrorKind(value)}).Error())
	}
}

// TestIllFormedWinsOverUnencodable: at one offset the sequence is ill-formed, whatever a careless decoder makes of it.
func TestIllFormedWinsOverUnencodable(t *testing.T) {
	for _, c := range []struct {
		from transcode.Encoding
		src  string
		kind transcode.ErrorKind
	}{
		{transcode.UTF8, "\xED\xA0\x80", transcode.KindSurrogate}, {transcode.UTF8, "\xF0\x80\x80\x80", transcode.KindOverlong}, {transcode.UTF8, "\xC4", transcode.KindTruncated}, {transcode.UTF8, "\xE4\xB8a", transcode.KindTooShort},
		{transcode.UTF16LE, "\x00\xD8\x00\xD8", transcode.KindSurrogate}, {transcode.UTF16BE, "\xD8\x00", transcode.KindTruncated},
		{transcode.UTF32LE, "\x00\xD8\x00\x00", transcode.KindSurrogate}, {transcode.UTF32BE, "\x00\x11\x00\x00", transcode.KindTooLarge}, {transcode.UTF32BE, "\x00\x01\x00", transcode.KindTruncated},
		{transcode.ASCII, "\xE9", transcode.KindTooLarge},
	} {
		for _, to := range []transcode.Encoding{transcode.ASCII, transcode.Latin1} {
			_, err := transcode.Append(nil, to, c.src, c.from)
			var e *transcode.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, "%v % x", c.from, c.src)
			require.Zero(t, e.Rune)
		}
	}
}
