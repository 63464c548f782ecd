package tests

import (
	"encoding"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/ianaindex"
)

func TestEncodingNames(t *testing.T) {
	for e, name := range map[transcode.Encoding]string{
		transcode.UTF8: "UTF-8", transcode.ASCII: "US-ASCII", transcode.Latin1: "ISO-8859-1",
		transcode.UTF16LE: "UTF-16LE", transcode.UTF16BE: "UTF-16BE", transcode.UTF32LE: "UTF-32LE", transcode.UTF32BE: "UTF-32BE",
	} {
		require.Equal(t, name, e.String())
		got, ok := transcode.LookupEncoding(name)
		require.True(t, ok, name)
		require.Equal(t, e, got)
	}
	require.Equal(t, transcode.UTF8, transcode.Encoding(0), "the zero value is UTF-8")
	for _, e := range []transcode.Encoding{7, 100, 255} {
		for _, known := range check.Encodings {
			require.NotEqual(t, known.String(), e.String())
		}
	}
}

// knownLabels has the names and aliases of the IANA registry, the labels of the WHATWG Encoding Standard for UTF-8 and UTF-16,
// and what iconv and Python call these encodings.
var knownLabels = map[transcode.Encoding][]string{
	transcode.UTF8:    {"UTF-8", "utf8", "csUTF8", "unicode-1-1-utf-8"},
	transcode.ASCII:   {"US-ASCII", "ascii", "ANSI_X3.4-1968", "ANSI_X3.4-1986", "ISO_646.irv:1991", "ISO646-US", "iso-ir-6", "us", "IBM367", "cp367", "csASCII"},
	transcode.Latin1:  {"ISO-8859-1", "ISO_8859-1", "ISO_8859-1:1987", "ISO8859-1", "iso-ir-100", "latin1", "l1", "IBM819", "CP819", "csISOLatin1"},
	transcode.UTF16LE: {"UTF-16LE", "csUTF16LE", "UTF-16", "utf16", "csUTF16", "UCS-2", "ucs2", "ISO-10646-UCS-2", "csUnicode"},
	transcode.UTF16BE: {"UTF-16BE", "csUTF16BE"},
	transcode.UTF32LE: {"UTF-32LE", "csUTF32LE", "UTF-32", "utf32", "csUTF32"},
	transcode.UTF32BE: {"UTF-32BE", "csUTF32BE", "UCS-4", "ISO-10646-UCS-4", "csUCS4"},
}

func TestLookupEncoding(t *testing.T) {
	for e, labels := range knownLabels {
		for _, label := range labels {
			for _, form := range []string{label, strings.ToLower(label), strings.ToUpper(label), strings.ToUpper(label[:1]) + strings.ToLower(label[1:])} {
				got, ok := transcode.LookupEncoding(form)
				require.True(t, ok, form)
				require.Equal(t, e, got, form)
			}
		}
	}
	for _, label := range []string{
		"", " ", "windows-1252", "cp1252", "iso-8859-15", "latin9", "latin2", "utf-7", "utf-80", "utf", "8", "gbk", "utf-16xe", "utf-8\x00",
		"UTF-8//IGNORE", "macintosh", "x-user-defined", "\xFF", strings.Repeat("utf-8", 1000), "\u017Futf-8", "utf\u20108",
	} {
		_, ok := transcode.LookupEncoding(label)
		require.False(t, ok, "%q", label)
	}
}

// TestLookupEncodingAgainstIANA holds the labels to the registry as golang.org/x/text has it.
func TestLookupEncodingAgainstIANA(t *testing.T) {
	for e, labels := range knownLabels {
		for _, label := range append(labels, e.Aliases()...) {
			enc, err := ianaindex.IANA.Encoding(label)
			if err != nil || enc == nil {
				continue // not registered, or x/text has no such encoding (ASCII, UCS-2)
			}
			name, err := ianaindex.IANA.Name(enc)
			require.NoError(t, err)
			got, ok := transcode.LookupEncoding(name)
			require.True(t, ok, name)
			require.Equal(t, e, got, "%s is %s", label, name)
		}
	}
}

func TestAliases(t *testing.T) {
	seen := make(map[string]transcode.Encoding)
	for _, e := range check.Encodings {
		for _, label := range e.Aliases() {
			require.Equal(t, strings.ToLower(label), label)
			other, dup := seen[label]
			require.False(t, dup, "%s is both %v and %v", label, e, other)
			seen[label] = e
			got, ok := transcode.LookupEncoding(label)
			require.True(t, ok)
			require.Equal(t, e, got)
		}
	}
	require.Nil(t, transcode.Encoding(7).Aliases())
	names := transcode.UTF8.Aliases()
	names[0] = "broken"
	require.NotContains(t, transcode.UTF8.Aliases(), "broken", "a caller must not reach the table")
}

func TestEncodingText(t *testing.T) {
	var (
		_ encoding.TextMarshaler   = transcode.UTF8
		_ encoding.TextUnmarshaler = new(transcode.Encoding)
	)
	for _, e := range check.Encodings {
		out, err := json.Marshal(e)
		require.NoError(t, err)
		require.Equal(t, `"`+e.String()+`"`, string(out))
		back := transcode.Encoding(200)
		require.NoError(t, json.Unmarshal(out, &back))
		require.Equal(t, e, back)
	}
	out, err := json.Marshal(map[transcode.Encoding]transcode.Encoding{transcode.UTF16LE: transcode.Latin1})
	require.NoError(t, err)
	require.Equal(t, `{"UTF-16LE":"ISO-8859-1"}`, string(out))

	var e transcode.Encoding
	require.NoError(t, json.Unmarshal([]byte(`"Latin1"`), &e))
	require.Equal(t, transcode.Latin1, e)
	for _, bad := range []string{`"windows-1252"`, `""`, `3`, `{}`} {
		e = transcode.UTF16BE
		require.Error(t, json.Unmarshal([]byte(bad), &e), bad)
		require.Equal(t, transcode.UTF16BE, e, "%s must not change it", bad)
	}
	_, err = json.Marshal(transcode.Encoding(9))
	require.ErrorContains(t, err, "transcode: unknown encoding 9")
}
