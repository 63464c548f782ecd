package transcode

import (
	"errors"
	"slices"
	"unsafe"
)

// Transform returns these where the next call needs a larger dst, or more of the source.
var (
	ErrShortDst = errors.New("transcode: destination too short")
	ErrShortSrc = errors.New("transcode: source ends inside a character")
)

// A Stream converts a text that comes in pieces. It holds what must survive between these: the position, the encoding that a
// byte order mark chose, and counts. It belongs to one goroutine.
type Stream struct {
	t       Transcoder
	from    Encoding // t.From, or what a byte order mark chose
	checked bool     // t is known to be sound
	begun   bool     // a byte order mark of the source has been dealt with
	marked  bool     // the output has its byte order mark, or needs none
	stops   bool     // nothing is dropped behind the last character that fits

	offset   int64
	textAt   int64 // offset behind a byte order mark that was removed
	replaced int64
}

// NewStream returns a Stream at offset 0. See Transform.
func (t Transcoder) NewStream() *Stream { return &Stream{t: t, from: t.From} }

// Reset makes s ready for another text with the same configuration. One Stream can so serve many texts.
func (s *Stream) Reset() { *s = Stream{t: s.t, from: s.t.From} }

// InputOffset returns how many bytes of the source have been consumed, byte order mark included. After a byte order mark and
// one letter of UTF-16 it is 4.
func (s *Stream) InputOffset() int64 { return s.offset }

// Encoding returns the encoding of the source: From, or what a byte order mark chose. It is UTF16BE after FE FF under
// BOMOverride.
func (s *Stream) Encoding() Encoding { return s.from }

// Replaced returns how many replacements have been written, or sequences dropped. It is 1 after "a\xFFb" under Skip.
func (s *Stream) Replaced() int64 { return s.replaced }

// Transform converts from src to dst and returns how many bytes it wrote and consumed: whole characters only. atEOF says that
// nothing follows src.
//
// A nil error means that all of src is consumed. ErrShortDst means that the next character does not fit in dst[nDst:]; with
// len(dst) >= 8 progress is certain. ErrShortSrc, which does not occur at EOF, means that src[nSrc:], at most 3 bytes, is an
// unfinished character or perhaps an unfinished byte order mark: pass it again, with what follows. An *Error counts its
// offset from NewStream or Reset; nDst and nSrc are those of the good prefix.
func (s *Stream) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	if !s.begun || !s.marked {
		nDst, nSrc, err = s.begin(dst, src, atEOF)
		if err != nil || !s.begun || !s.marked {
			s.offset += int64(nSrc)
			return nDst, nSrc, err
		}
	}
	to := s.t.To
	good, dense := nSrc, false // where the text since the last trouble begins, and whether that was close to the one before
	for {
		piece := src[nSrc:]
		if dense && len(piece) > shortText {
			piece = piece[:shortText-1] // too short for kernels, which would stop at once
		}
		d, n := convert(dst[nDst:], to, piece, s.from)
		nDst += d
		nSrc += n
		if nSrc == len(src) || s.stops && nDst == len(dst) {
			break
		}
		r, n, kind := inspect(src[nSrc:], s.from, to)
		if kind == 0 {
			if dense {
				dense = false
				continue
			}
			err = ErrShortDst
			break
		}
		dense = nSrc-good < 64
		next := nSrc == good // to the last trouble
		for kind != 0 {
			d, n, err = s.resolve(dst[nDst:], r, n, kind, int64(nSrc), atEOF)
			nDst += d
			nSrc += n
			if err != nil || nSrc == len(src) || !next {
				break
			}
			r, n, kind = inspect(src[nSrc:], s.from, to)
		}
		good = nSrc
		if err != nil || nSrc == len(src) {
			break
		}
	}
	s.offset += int64(nSrc)
	return nDst, nSrc, err
}

// pass consumes the longest prefix of src that is its own conversion: src[lo:hi], behind a byte order mark that is removed. It returns
// the class of that. Between encodings that differ only beyond ASCII, that is the ASCII text; there is none where the output is to begin with a byte order
// mark.
func (s *Stream) pass(src []byte, atEOF bool) (lo, hi int, class Class) {
	if !s.begun || !s.marked {
		if s.t.AddBOM {
			return 0, 0, ClassASCII
		}
		var err error
		if _, lo, err = s.begin(nil, src, atEOF); err != nil {
			return 0, 0, ClassASCII
		}
	}
	n := 0
	switch {
	case !s.begun:
	case s.from == UTF8 && s.t.To == UTF8:
		n, class = validUTF8Prefix(stringOf(src[lo:]))
	case s.from == s.t.To:
		n = wellFormedPrefix(src[lo:], s.from)
		class = classOf(src[lo:lo+n], s.from)
	case s.from.unitSize() == 1 && s.t.To.unitSize() == 1:
		n = asciiPrefix(stringOf(src[lo:]))
	}
	hi = lo + n
	s.offset += int64(hi)
	return lo, hi, class
}

// resolve deals with what is not convertible, n bytes at nSrc of the piece at hand, as the policy has it. It returns how much
// it wrote and consumed.
func (s *Stream) resolve(dst []byte, r rune, n int, kind ErrorKind, nSrc int64, atEOF bool) (nDst, consumed int, err error) {
	if kind == KindTruncated && !atEOF {
		return 0, 0, ErrShortSrc
	}
	switch s.t.OnError {
	case Strict:
		return 0, 0, newError(r, n, kind, s.from, s.offset+nSrc)
	case Skip:
		s.replaced++
		return 0, n, nil
	case ReplaceBytes:
		if kind != KindUnencodable {
			// What is left of the sequence is ill-formed for itself.
			n = min(n, s.from.unitSize())
		}
	}
	repl := s.t.To.replacement()
	if len(dst) < len(repl) {
		return 0, 0, ErrShortDst
	}
	s.replaced++
	for i := range len(repl) { // faster than a copy of so few bytes
		dst[i] = repl[i]
	}
	return len(repl), n, nil
}

// begin deals with the byte order mark of the source and with that of the output. It leaves s.begun or s.marked false as long
// as it cannot tell.
func (s *Stream) begin(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	if !s.checked {
		if err := s.t.check(); err != nil {
			return 0, 0, err
		}
		s.checked = true
	}
	if !s.begun {
		if nSrc, err = s.beginSource(src, atEOF); err != nil || !s.begun {
			return 0, nSrc, err
		}
	}
	if !s.marked {
		bom := s.t.To.bom()
		if s.t.AddBOM && bom != "" {
			nSrc, err = s.skipToText(src, nSrc, atEOF)
			rest := src[nSrc:]
			if err != nil || len(rest) == 0 && !atEOF {
				return 0, nSrc, err
			}
			if !s.startsWithBOM(rest) {
				if len(dst) < len(bom) {
					return 0, nSrc, ErrShortDst
				}
				nDst = copy(dst, bom)
			}
		}
		s.marked = true
	}
	return nDst, nSrc, nil
}

// beginSource takes a byte order mark from the start of the source and returns its length.
func (s *Stream) beginSource(src []byte, atEOF bool) (n int, err error) {
	candidates := bomOverrides[:]
	switch s.t.BOM {
	case BOMKeep:
		candidates = nil
	case BOMStrip:
		candidates = []Encoding{s.t.From}
	}
	for _, e := range candidates {
		bom := e.bom()
		if k := min(len(bom), len(src)); string(src[:k]) != bom[:k] {
			continue
		} else if k == len(bom) {
			s.from, n = e, k
			break
		} else if !atEOF {
			if k == 0 {
				return 0, nil
			}
			return 0, ErrShortSrc
		}
	}
	s.begun = true
	s.textAt = s.offset + int64(n)
	return n, nil
}

// skipToText passes over sequences at the start of the text that the policy drops, so that a U+FEFF behind them is found. It
// returns the new position.
func (s *Stream) skipToText(src []byte, nSrc int, atEOF bool) (int, error) {
	replacing := s.t.OnError == Replace || s.t.OnError == ReplaceBytes
	for nSrc < len(src) {
		r, n, kind := inspect(src[nSrc:], s.from, s.t.To)
		unfinished := kind == KindTruncated && !atEOF
		if kind == 0 || replacing && !unfinished {
			break
		}
		_, n, err := s.resolve(nil, r, n, kind, int64(nSrc), atEOF)
		if err != nil {
			return nSrc, err
		}
		nSrc += n
	}
	return nSrc, nil
}

// startsWithBOM reports whether the first character of src is U+FEFF.
func (s *Stream) startsWithBOM(src []byte) bool {
	if len(src) == 0 {
		return false
	}
	r, _, kind := inspect(src, s.from, s.t.To)
	return kind == 0 && r == 0xFEFF
}

// appendStream appends the conversion of src, the whole rest of the text, to dst, whose memory has the encoding s.t.To.
func appendStream[U unit](dst []U, s *Stream, src []byte) ([]U, error) {
	var u U
	size := int(unsafe.Sizeof(u))
	fresh := cap(dst) == 0
	for {
		nDst, nSrc, err := s.Transform(spare(dst), src, true)
		dst = dst[:len(dst)+nDst/size]
		if err != ErrShortDst {
			if fresh {
				dst = slices.Clip(dst)
			}
			return dst, err
		}
		src = src[nSrc:]
		dst = grow(dst, s.room(src)/size)
	}
}

// room returns how many bytes the conversion of src, the whole rest of the text, takes. Under Strict, ill-formed text may
// take fewer.
func (s *Stream) room(src []byte) int {
	if s.t.OnError == Strict {
		n := encodedLen(s.t.To, src, s.from)
		if !s.marked {
			n += int64(len(s.t.To.bom()))
		}
		return saturate(n)
	}
	var scratch [1024]byte
	probe := *s
	n := 0
	for {
		nDst, nSrc, err := probe.Transform(scratch[:], src, true)
		n += nDst
		if err != ErrShortDst {
			return n
		}
		src = src[nSrc:]
	}
}

// appendReplacing appends src to dst with U+FFFD for what is ill-formed. The target holds every character.
func appendReplacing[U unit](dst []U, to Encoding, src []byte, from Encoding) []U {
	s := Stream{t: Transcoder{From: from, To: to, OnError: Replace}, from: from}
	dst, _ = appendStream(dst, &s, src) // nothing can fail
	return dst
}
