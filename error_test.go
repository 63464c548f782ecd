package transcode

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrorKinds goes through the table of kinds row by row, with text before and behind.
func TestErrorKinds(t *testing.T) {
	for _, row := range faultRows {
		want := &Error{Encoding: row.from, Offset: int64(row.off), Len: row.n, Kind: row.kind}
		t.Run(fmt.Sprintf("%v % x", row.from, row.src), func(t *testing.T) {
			if got := Check(row.src, row.from); !isError(got, want) {
				t.Fatalf("Check: %+v, want %+v", got, want)
			}
			for _, to := range everyEncoding {
				_, err := Append(nil, to, row.src, row.from)
				if e, ok := err.(*Error); ok && e.Kind == KindUnencodable {
					require.Less(t, e.Offset, want.Offset, "ill-formed wins at one offset")
					continue
				}
				if !isError(err, want) {
					t.Fatalf("Append to %v: %+v, want %+v", to, err, want)
				}
			}
			unit := strings.Repeat("\x00", oracleUnitSize(row.from))
			shifted := *want
			shifted.Offset += 5 * int64(len(unit))
			if got := Check(strings.Repeat(unit, 5)+row.src, row.from); !isError(got, &shifted) {
				t.Fatalf("Check behind five units: %+v, want %+v", got, shifted)
			}
		})
	}
}

// TestErrorOfUnits: errors of []uint16 and []rune count elements and have the same Encoding on every architecture.
func TestErrorOfUnits(t *testing.T) {
	_, err := AppendUTF8FromUTF16(nil, []uint16{'a', 0xD83D, 0xDE00, 0xDC00})
	require.Equal(t, &Error{Encoding: UTF16LE, Offset: 3, Len: 1, Kind: KindSurrogate}, err)
	_, err = AppendLatin1FromUTF16(nil, []uint16{'a', 0xD83D, 0xDE00})
	require.Equal(t, &Error{Encoding: UTF16LE, Offset: 1, Len: 2, Kind: KindUnencodable, Rune: 0x1F600}, err)
	require.Equal(t, &Error{Encoding: UTF16LE, Offset: 1, Len: 1, Kind: KindTruncated}, CheckUTF16([]uint16{'a', 0xD83D}))
	_, err = AppendUTF16FromUTF32(nil, []rune{'a', 0x1F600, 0x110000})
	require.Equal(t, &Error{Encoding: UTF32LE, Offset: 2, Len: 1, Kind: KindTooLarge}, err)
	_, err = AppendLatin1FromUTF32(nil, []rune{0x100})
	require.Equal(t, &Error{Encoding: UTF32LE, Offset: 0, Len: 1, Kind: KindUnencodable, Rune: 0x100}, err)
}

// TestErrorSentinels: errors.Is and errors.As find their way, through wrapping too.
func TestErrorSentinels(t *testing.T) {
	for kind := KindTruncated; kind <= KindUnencodable; kind++ {
		var err error = fmt.Errorf("reading: %w", &Error{Encoding: UTF8, Offset: 1, Len: 1, Kind: kind})
		require.Equal(t, kind != KindUnencodable, errors.Is(err, ErrInvalid), kind)
		require.Equal(t, kind == KindUnencodable, errors.Is(err, ErrUnencodable), kind)
		require.Equal(t, kind == KindTruncated, errors.Is(err, io.ErrUnexpectedEOF), kind)
		require.NotErrorIs(t, err, io.EOF)
		require.NotErrorIs(t, err, ErrShortSrc)
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, kind, e.Kind)
	}
	require.NotErrorIs(t, ErrInvalid, ErrUnencodable)
}

// TestErrorMessages: messages begin with the package's name, say where and what, and never quote the input.
func TestErrorMessages(t *testing.T) {
	seen := make(map[string]bool)
	for kind := KindTruncated; kind <= KindUnencodable; kind++ {
		e := &Error{Encoding: UTF16BE, Offset: 1234567890123, Len: 2, Kind: kind, Rune: 0x20AC}
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
		for _, to := range everyEncoding {
			if _, err := Append(nil, to, secret, UTF8); err != nil {
				require.NotContains(t, err.Error(), "swordfish")
				require.NotContains(t, err.Error(), "€")
				require.NotContains(t, err.Error(), "\xFF")
			}
		}
	}
	for _, err := range []error{ErrInvalid, ErrUnencodable, ErrShortDst, ErrShortSrc} {
		require.True(t, strings.HasPrefix(err.Error(), "transcode: "), err)
	}
	for value := range 256 { // no value of any type makes a message panic
		require.NotEmpty(t, ErrorKind(value).String())
		require.NotEmpty(t, Class(value).String())
		require.NotEmpty(t, Encoding(value).String())
		require.NotEmpty(t, (&Error{Encoding: Encoding(value), Kind: ErrorKind(value)}).Error())
	}
}

// TestIllFormedWinsOverUnencodable: at one offset the sequence is ill-formed, whatever a careless decoder makes of it.
func TestIllFormedWinsOverUnencodable(t *testing.T) {
	for _, c := range []struct {
		from Encoding
		src  string
		kind ErrorKind
	}{
		{UTF8, "\xED\xA0\x80", KindSurrogate}, {UTF8, "\xF0\x80\x80\x80", KindOverlong}, {UTF8, "\xC4", KindTruncated}, {UTF8, "\xE4\xB8a", KindTooShort},
		{UTF16LE, "\x00\xD8\x00\xD8", KindSurrogate}, {UTF16BE, "\xD8\x00", KindTruncated},
		{UTF32LE, "\x00\xD8\x00\x00", KindSurrogate}, {UTF32BE, "\x00\x11\x00\x00", KindTooLarge}, {UTF32BE, "\x00\x01\x00", KindTruncated},
		{ASCII, "\xE9", KindTooLarge},
	} {
		for _, to := range []Encoding{ASCII, Latin1} {
			_, err := Append(nil, to, c.src, c.from)
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, "%v % x", c.from, c.src)
			require.Zero(t, e.Rune)
		}
	}
}
