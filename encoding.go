package transcode

import (
	"fmt"
	"strings"
)

// An Encoding names one of the seven encodings that this package converts between.
// The zero value is UTF8.
type Encoding uint8

const (
	UTF8    Encoding = iota
	ASCII            // bytes below 0x80 only
	Latin1           // ISO-8859-1: every byte is the code point of the same value, C1 controls included
	UTF16LE          // two-byte code units, the low byte first
	UTF16BE          // two-byte code units, the high byte first
	UTF32LE          // four-byte code units, the low byte first
	UTF32BE          // four-byte code units, the high byte first

	numEncodings = int(iota)
)

// encodings has what differs between encodings as data.
var encodings = [numEncodings]struct {
	name        string
	bom         string // the encoded U+FEFF that may stand at the start, "" where there is no such custom
	replacement string // the encoded U+FFFD, or '?'
	aliases     []string
}{
	UTF8:    {"UTF-8", "\xEF\xBB\xBF", "\xEF\xBF\xBD", []string{"utf8", "unicode-1-1-utf-8", "csutf8", "cp65001"}},
	ASCII:   {"US-ASCII", "", "?", []string{"ascii", "ansi_x3.4-1968", "ansi_x3.4-1986", "iso646-us", "iso_646.irv:1991", "iso-ir-6", "us", "ibm367", "cp367", "csascii", "646"}},
	Latin1:  {"ISO-8859-1", "", "?", []string{"latin1", "latin-1", "iso_8859-1", "iso_8859-1:1987", "iso8859-1", "iso88591", "iso-ir-100", "l1", "ibm819", "cp819", "csisolatin1"}},
	UTF16LE: {"UTF-16LE", "\xFF\xFE", "\xFD\xFF", []string{"utf-16", "utf16", "utf16le", "csutf16", "csutf16le", "ucs-2", "ucs2", "ucs-2le", "ucs2le", "iso-10646-ucs-2", "csunicode", "unicode"}},
	UTF16BE: {"UTF-16BE", "\xFE\xFF", "\xFF\xFD", []string{"utf16be", "csutf16be", "ucs-2be", "ucs2be", "unicodefffe"}},
	UTF32LE: {"UTF-32LE", "\xFF\xFE\x00\x00", "\xFD\xFF\x00\x00", []string{"utf-32", "utf32", "utf32le", "csutf32", "csutf32le", "ucs-4le", "ucs4le"}},
	UTF32BE: {"UTF-32BE", "\x00\x00\xFE\xFF", "\x00\x00\xFF\xFD", []string{"utf32be", "csutf32be", "ucs-4", "ucs4", "ucs-4be", "ucs4be", "iso-10646-ucs-4", "csucs4"}},
}

// encodingByLabel maps each lower-case name and alias to its encoding.
var encodingByLabel = func() map[string]Encoding {
	m := make(map[string]Encoding)
	for e := range encodings {
		m[strings.ToLower(encodings[e].name)] = Encoding(e)
		for _, a := range encodings[e].aliases {
			m[a] = Encoding(e)
		}
	}
	return m
}()

// String returns the IANA name of e, such as "UTF-16LE".
func (e Encoding) String() string {
	if !e.known() {
		return fmt.Sprintf("Encoding(%d)", uint8(e))
	}
	return encodings[e].name
}

// Aliases returns the other labels of e that [LookupEncoding] knows, in lower case. Those of Latin1 begin with "latin1".
func (e Encoding) Aliases() []string {
	if !e.known() {
		return nil
	}
	return append([]string(nil), encodings[e].aliases...)
}

// MarshalText returns the IANA name of e, such as "UTF-16LE", so that JSON and flags carry encodings by name. An unknown
// value is an error.
func (e Encoding) MarshalText() ([]byte, error) {
	if !e.known() {
		return nil, errUnknownEncoding(e)
	}
	return []byte(e.String()), nil
}

// UnmarshalText accepts every label that [LookupEncoding] knows; another is an error that names it. "utf16be" gives UTF16BE.
func (e *Encoding) UnmarshalText(label []byte) error {
	found, ok := LookupEncoding(string(label))
	if !ok {
		return errUnknownLabel(string(label))
	}
	*e = found
	return nil
}

// LookupEncoding returns the encoding with the given IANA name or alias, in any case and with surrounding space ignored.
//
// "latin1" is ISO-8859-1, not the windows-1252 of web pages, and "windows-1252" is unknown.
// "utf-16", "ucs-2" and "utf-32" without a byte order are the little-endian forms; read them with
// [BOMOverride], so that a byte order mark decides. "ucs-4" is big-endian, as in iconv.
func LookupEncoding(label string) (Encoding, bool) {
	e, ok := encodingByLabel[strings.ToLower(strings.TrimSpace(label))]
	return e, ok
}

func (e Encoding) known() bool { return int(e) < numEncodings }

// unitSize returns the bytes in a code unit of e.
func (e Encoding) unitSize() int {
	switch {
	case e < UTF16LE:
		return 1
	case e < UTF32LE:
		return 2
	}
	return 4
}

// bom returns the byte order mark of e, "" for ASCII and Latin-1.
func (e Encoding) bom() string { return encodings[e].bom }

// bigEndian reports whether e stores the high byte of a code unit first.
func (e Encoding) bigEndian() bool { return e == UTF16BE || e == UTF32BE }

// limit returns the first code point that ASCII or Latin-1 does not have.
func (e Encoding) limit() uint32 {
	if e == ASCII {
		return 0x80
	}
	return 0x100
}

// replacement returns the encoded U+FFFD, or '?' where e cannot hold it.
func (e Encoding) replacement() string { return encodings[e].replacement }

func errUnknownLabel(label string) error { return fmt.Errorf("transcode: unknown encoding %q", label) }

func errUnknownEncoding(e Encoding) error {
	return fmt.Errorf("transcode: unknown encoding %d", uint8(e))
}

// bomOverrides lists the byte order marks that BOMOverride acts on. UTF-32LE stands before UTF-16LE, whose mark
// is a prefix of its own.
var bomOverrides = [...]Encoding{UTF32LE, UTF32BE, UTF16LE, UTF16BE, UTF8}

// leadingBOM returns the encoding whose byte order mark begins src, and the length of the mark in bytes.
func leadingBOM(src []byte) (e Encoding, n int, ok bool) {
	for _, e := range bomOverrides {
		if bom := e.bom(); len(src) >= len(bom) && string(src[:len(bom)]) == bom {
			return e, len(bom), true
		}
	}
	return UTF8, 0, false
}
