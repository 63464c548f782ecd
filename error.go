package transcode

import (
	"errors"
	"fmt"
	"io"
)

// An Error says where a text is ill-formed, or where it has a character that the target encoding cannot hold.
//
// src[Offset : Offset+Len] is the offending sequence. Both count elements of the source as it was passed: bytes of a
// []byte, string, file or stream (a byte order mark included), code units of a []uint16 or []rune.
type Error struct {
	Encoding Encoding  // of the source; UTF16LE for []uint16 and UTF32LE for []rune on every architecture
	Offset   int64     // where the offending sequence begins
	Len      int       // its length: the maximal subpart, the left-over bytes, or the unencodable character
	Kind     ErrorKind // what is wrong
	Rune     rune      // the character that the target cannot hold, for KindUnencodable
}

// Every *Error matches one of these with errors.Is: ErrUnencodable for well-formed characters that the target
// cannot hold, ErrInvalid for ill-formed text. Ill-formed text that ends inside a character (KindTruncated) also matches
// io.ErrUnexpectedEOF.
var (
	ErrInvalid     = errors.New("transcode: ill-formed text")
	ErrUnencodable = errors.New("transcode: character not in the target encoding")
)

// An ErrorKind says what is wrong at Error.Offset.
type ErrorKind uint8

const (
	KindTruncated   ErrorKind = iota + 1 // the input ends inside a sequence that could still be completed
	KindTooLong                          // continuation byte where a character should begin
	KindOverlong                         // UTF-8 lead byte of a longer form than the character needs
	KindSurrogate                        // surrogate in UTF-8 or UTF-32, or unpaired in UTF-16
	KindTooLarge                         // above U+10FFFF, or above U+007F in an ASCII source
	KindBadLead                          // F5..FF, which never occur in UTF-8
	KindTooShort                         // lead byte with too few continuation bytes
	KindUnencodable                      // a well-formed character that the target cannot hold
)

var kindNames = [...]string{
	KindTruncated:   "truncated character",
	KindTooLong:     "unexpected continuation byte",
	KindOverlong:    "overlong form",
	KindSurrogate:   "unpaired surrogate",
	KindTooLarge:    "value too large",
	KindBadLead:     "byte that never occurs",
	KindTooShort:    "too few continuation bytes",
	KindUnencodable: "character not in the target encoding",
}

// String returns what is wrong in a few words, such as "truncated character".
func (k ErrorKind) String() string {
	if int(k) >= len(kindNames) || k == 0 {
		return fmt.Sprintf("ErrorKind(%d)", uint8(k))
	}
	return kindNames[k]
}

// Error returns a message that begins with "transcode: " and never quotes the input.
func (e *Error) Error() string {
	if e.Kind == KindUnencodable {
		return fmt.Sprintf("transcode: %v: %U at offset %d is not in the target encoding", e.Encoding, e.Rune, e.Offset)
	}
	return fmt.Sprintf("transcode: %v: %v at offset %d", e.Encoding, e.Kind, e.Offset)
}

// Is reports whether e belongs to target: ErrInvalid, ErrUnencodable or io.ErrUnexpectedEOF. errors.Is(err, ErrInvalid) calls
// it.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrInvalid:
		return e.Kind != KindUnencodable
	case ErrUnencodable:
		return e.Kind == KindUnencodable
	case io.ErrUnexpectedEOF:
		return e.Kind == KindTruncated
	}
	return false
}
