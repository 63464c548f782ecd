// Package transcode finds out what a text is made of and converts it between UTF-8, ASCII, Latin-1, UTF-16 and UTF-32, in
// memory, in streams and in files.
//
// # Classes
//
// [Classify] tells in one pass over UTF-8 what its widest character needs: [ClassASCII], [ClassLatin1], [ClassBMP],
// [ClassSupplementary], or [ClassInvalid] for ill-formed text. Classes are ordered; that of a concatenation is the maximum.
// They say which form is the smallest: one byte for each character up to [ClassLatin1], one UTF-16 code unit up to
// [ClassBMP]. [Decode] puts a text into that form, a [Text].
//
// # Conversions and what they cost
//
// The Append functions append the converted text to a buffer. Where its capacity suffices for the exact result they
// allocate nothing, and stack buffers stay on the stack; otherwise they count the rest once and grow the buffer once. Text
// in UTF-8 and Latin-1 may be []byte or string, named types included, and is not copied. [Append] converts between bytes of any two of the
// seven encodings; a [Transcoder] adds a policy for ill-formed input and one for byte order marks, and makes a [Stream] for
// text that comes in pieces, a [Reader] or a [Writer].
//
// Every function is linear in the length of its input. Counts and lengths ([RuneCount], [UTF16LenFromUTF8], [Len] and the
// others) are formulas over bytes or code units: exact for well-formed text, and the same number for any other on every
// machine.
//
// # Policies
//
// [Strict], the zero value, stops at the first ill-formed or unencodable character with an [*Error] that has its offset,
// length and kind; what was converted before it is returned too. [Replace] writes U+FFFD once per maximal subpart, as the
// Unicode standard and the WHATWG recommend, [ReplaceBytes] once per byte, as a range loop over a Go string does. [Skip]
// drops what is wrong, which joins what stood on both sides: never use it on text that was or will be filtered.
//
// Byte order marks are text ([BOMKeep]), removed ([BOMStrip]), or removed and obeyed ([BOMOverride]).
//
// # Guarantees
//
// With one configuration the same input gives the same output, offset, length and kind of error on every route (whole, in
// pieces, from a file, in ranges) and on every architecture. No input makes a function panic, but for an index that
// Text.At does not have and a result that no slice can hold, and memory asked for is bounded by the documented maximum for
// the input's length. Functions read no byte outside src and write none outside the result; what lies behind the result in
// a buffer does not change unless an [*Error] is returned. src must not overlap the spare capacity of dst; if it does the
// text is unspecified.
package transcode

//go:generate go run ./internal/gentables

import (
	"fmt"
	"unsafe"
)

// A Policy says what becomes of ill-formed sequences, and of characters that the target encoding cannot hold.
type Policy uint8

const (
	// Strict stops at the first of them with an *Error.
	Strict Policy = iota
	// Replace writes U+FFFD once per maximal subpart (Unicode 3.9, WHATWG), or '?' where the target cannot hold U+FFFD
	// or the character.
	Replace
	// ReplaceBytes is Replace, but once per byte of ill-formed UTF-8 (as a range loop does) or ill-formed code unit.
	ReplaceBytes
	// Skip drops them. It joins what stood on both sides ("<scr\x80ipt>" becomes "<script>"), so never use it on text
	// that was or will be filtered (Unicode Technical Report 36, 3.5).
	Skip

	numPolicies = int(iota)
)

// A BOMPolicy says what becomes of a byte order mark at the start of the source.
type BOMPolicy uint8

const (
	// BOMKeep treats a byte order mark as text, the character U+FEFF.
	BOMKeep BOMPolicy = iota
	// BOMStrip removes one byte order mark of From itself.
	BOMStrip
	// BOMOverride removes any byte order mark, and decodes what follows in its encoding (WHATWG "decode").
	// FF FE 00 00 is that of UTF-32LE.
	BOMOverride

	numBOMPolicies = int(iota)
)

// A Transcoder is the configuration of a conversion: a plain value, safe for concurrent use. The zero value checks UTF-8
// and copies it. Each method fails if a field has an unknown value.
type Transcoder struct {
	From    Encoding  // of the source, unless a byte order mark decides
	To      Encoding  // of the result
	OnError Policy    // what becomes of ill-formed and unencodable characters
	BOM     BOMPolicy // what becomes of a byte order mark in the source
	// AddBOM lets the output begin with one byte order mark, that of an empty text too. A text that itself begins with
	// U+FEFF gets no second one, ASCII and Latin-1 none at all.
	AddBOM bool
}

// check reports a configuration with a value that this package does not know.
func (t *Transcoder) check() error {
	switch {
	case !t.From.known():
		return errUnknownEncoding(t.From)
	case !t.To.known():
		return errUnknownEncoding(t.To)
	case int(t.OnError) >= numPolicies:
		return fmt.Errorf("transcode: unknown policy %d", uint8(t.OnError))
	case int(t.BOM) >= numBOMPolicies:
		return fmt.Errorf("transcode: unknown byte order mark policy %d", uint8(t.BOM))
	}
	return nil
}

// Append appends src, converted from t.From to t.To, to dst. With t.OnError Strict an error comes with what was converted
// before it. Under the other policies a conversion that lacks room is done twice, first to count.
func (t Transcoder) Append(dst, src []byte) ([]byte, error) {
	s := Stream{t: t, from: t.From}
	return appendStream(dst, &s, src)
}

// AppendString is like Append for a string. Transcoder{To: ASCII, OnError: Replace}.AppendString(nil, "naïve") gives "na?ve".
func (t Transcoder) AppendString(dst []byte, src string) ([]byte, error) {
	return t.Append(dst, view(src))
}

// String returns src, converted from t.From to t.To, in one allocation of about the result's size. On error it returns "".
// Transcoder{From: UTF16LE}.String(b) decodes what a driver has read.
func (t Transcoder) String(src []byte) (string, error) {
	s := Stream{t: t, from: t.From}
	// Without room the stream takes a byte order mark and tells whether there is text.
	_, n, err := s.Transform(nil, src, true)
	if err != ErrShortDst {
		return "", err
	}
	src = src[n:]
	dst := grow[byte](nil, s.room(src))
	if dst, err = appendStream(dst, &s, src); err != nil {
		return "", err
	}
	return stringOf(dst), nil
}

// Append appends src, converted between any two encodings, to dst. A byte order mark is text. On error, an *Error for bad
// text, it returns dst with what was converted before; an unknown encoding is another error.
func Append[Bytes ~[]byte | ~string](dst []byte, to Encoding, src Bytes, from Encoding) ([]byte, error) {
	if !from.known() || !to.known() {
		t := Transcoder{From: from, To: to}
		return dst, t.check()
	}
	s := view(src)
	nDst, nSrc := convert(dst[len(dst):cap(dst)], to, s, from)
	dst = dst[:len(dst)+nDst]
	if nSrc == len(s) {
		return dst, nil
	}
	return appendRest(dst, to, s, nSrc, from)
}

// Check returns nil if src is well-formed in e, else an *Error; an unknown encoding is another error. Check("\x00\xD8",
// UTF16LE) tells of a truncated character of 2 bytes at offset 0.
func Check[Bytes ~[]byte | ~string](src Bytes, e Encoding) error {
	if !e.known() {
		return errUnknownEncoding(e)
	}
	s := view(src)
	if n := wellFormedPrefix(s, e); n < len(s) {
		return faultAt(s, n, e, e)
	}
	return nil
}

// Len returns the length in bytes that src, in the encoding from, has in the encoding to. It is exact for well-formed text
// whose characters the target can hold, and a formula over the code units of any other: each character counts one byte in
// ASCII and Latin-1; an unfinished code unit at the end does not count. It is 0 for an unknown encoding.
func Len[Bytes ~[]byte | ~string](to Encoding, src Bytes, from Encoding) int {
	if !to.known() || !from.known() {
		return 0
	}
	return saturate(encodedLen(to, view(src), from))
}

// Level names the kernels in use: "avx512", "avx2", "neon", or "generic" for portable code. transcode --version prints it.
func Level() string { return kernelLevel() }

// asString returns src as a string without a copy, whatever its type: the header of a slice begins as that of a string does. src is
// not changed while the string is in use.
func asString[Bytes ~[]byte | ~string](src Bytes) string { return *(*string)(unsafe.Pointer(&src)) }

// bytesOf returns the bytes of s, which must not be written to.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// stringOf returns b, which nobody may write to from now on, as a string.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// view returns src as bytes that must not be written to. Nothing is copied and nothing escapes.
func view[Bytes ~[]byte | ~string](src Bytes) []byte { return bytesOf(asString(src)) }
