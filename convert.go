package transcode

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"unsafe"
)

// This file takes the conversions of generic.go, which work on bytes and on code units in host order, to texts that are stored as
// bytes: in any byte order, at any alignment.

// unit is a code unit or byte: what the typed functions take and give.
type unit interface{ byte | uint16 | rune }

// unitBytes returns the memory of s as bytes.
func unitBytes[U unit](s []U) []byte {
	var u U
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(u)))
}

// spare returns the memory between the length and the capacity of s as bytes, as many as a slice can have.
func spare[U unit](s []U) []byte {
	var u U
	s = s[len(s):cap(s)]
	return unitBytes(s[:min(len(s), maxInt/int(unsafe.Sizeof(u)))])
}

// hostBE reports whether this machine stores the high byte of a code unit first.
var hostBE = func() bool {
	u := uint16(1)
	return *(*byte)(unsafe.Pointer(&u)) == 0
}()

// hostEncoding returns the encoding of the memory of a []byte (UTF-8), []uint16 or []rune.
func hostEncoding(unitSize int) Encoding {
	switch {
	case unitSize == 1:
		return UTF8
	case unitSize == 2 && hostBE:
		return UTF16BE
	case unitSize == 2:
		return UTF16LE
	case hostBE:
		return UTF32BE
	}
	return UTF32LE
}

// units16 returns the memory of b, which is aligned, as code units of two bytes.
func units16(b []byte) []uint16 {
	if len(b) < 2 { // a pointer to one would reach beyond the memory
		return nil
	}
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2)
}

// units32 returns the memory of b, which is aligned, as code units of four bytes.
func units32(b []byte) []rune {
	if len(b) < 4 {
		return nil
	}
	return unsafe.Slice((*rune)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// aligned reports whether the memory of b suits code units of e.
func aligned(b []byte, e Encoding) bool {
	return anyAlignment || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(e.unitSize()) == 0
}

// swapped reports whether e stores code units in another order than this machine.
func (e Encoding) swapped() bool { return e.unitSize() > 1 && e.bigEndian() != hostBE }

// plain reports whether b can be used as code units of e where it is.
func plain(b []byte, e Encoding) bool { return !e.swapped() && aligned(b, e) }

// copyUnits copies the whole code units of e from src to dst, which may be the same memory, as many as fit, and changes
// their order if it is not the host's: in either direction. It returns how many bytes.
func copyUnits(dst, src []byte, e Encoding) int {
	size := e.unitSize()
	n := min(len(dst), len(src)) / size * size
	if !e.swapped() {
		return copy(dst, src[:n])
	}
	if size == 2 {
		return swap16(dst[:n], src[:n])
	}
	return swap32(dst[:n], src[:n])
}

// copyBetween copies whole code units from src to dst, which has room, between encodings that differ in the order of bytes or in nothing.
func copyBetween(dst []byte, to Encoding, src []byte, from Encoding) int {
	switch {
	case to == from:
		return copy(dst, src)
	case to.swapped():
		return copyUnits(dst, src, to)
	}
	return copyUnits(dst, src, from)
}

// Most texts are short. The functions behind the typed append functions deal with them in their own body, since a further call costs
// more than the work: below these lengths, in bytes and in code units, one character at a time. What is longer, and what is not in
// order, they leave to generic.go. The exported functions over them that take []byte or string do nothing else, and so disappear into
// their callers; they write asString out, since a call more would cost more than inlining allows.
const (
	shortText   = 16
	shortUnits  = 8
	shortASCII  = 48 // ASCII is widened up to here eight bytes at a time
	shortNarrow = 24 // code units are made bytes one at a time
)

// pieceUnits is the length of the buffers that code units go through which are not plain. They are cleared each time.
const pieceUnits = 512

// swapPiece is how many bytes of the source are converted before the order of the result is changed, while that is in cache.
const swapPiece = 8 << 10

// convert converts the longest prefix of src that is well-formed, whole, encodable in to, and fits in dst.
func convert(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	if plain(src, from) && plain(dst, to) {
		return convertUnits(dst, to, src, from)
	}
	if len(dst) < to.unitSize() || len(src) < from.unitSize() {
		return 0, 0
	}
	switch {
	case to.unitSize() == from.unitSize():
		return copyWellFormed(dst, to, src, from)
	case to == UTF8 && from.unitSize() == 2 && len(src) <= shortText:
		nDst, nSrc = shortUTF8FromUTF16(dst, src, from.bigEndian())
	case from == UTF8 && to.unitSize() == 2 && len(src) < shortText:
		nDst, nSrc = shortUTF16FromUTF8(dst, src, to.bigEndian())
	}
	for nSrc < len(src) {
		d, n := convertSwapped(dst[nDst:], to, src[nSrc:], from)
		nDst += d
		nSrc += n
		// The kernels, if there are any, have left less than this, or stopped for what stops here too.
		rest := src[nSrc:]
		if kernelsSwap() {
			rest = rest[:min(len(rest), leftOver)]
		}
		if len(rest) == 0 {
			break
		}
		d, n = convertRest(dst[nDst:], to, rest, from)
		nDst += d
		nSrc += n
		if n == 0 || !kernelsSwap() {
			break
		}
	}
	return nDst, nSrc
}

// shortUTF8FromUTF16 does what convert does from UTF-16 in either order to UTF-8, up to the first surrogate.
func shortUTF8FromUTF16(dst, src []byte, bigEndian bool) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	upper := upperByte(bigEndian)
	for ; i+2 <= n; i += 2 {
		r := uint32(src[i+upper])<<8 | uint32(src[i+1-upper])
		switch {
		case r < 0x80 && j < m:
			dst[j] = byte(r)
			j++
		case r-0x80 < 0x800-0x80 && j+2 <= m:
			dst[j], dst[j+1] = byte(0xC0|r>>6), byte(0x80|r&0x3F)
			j += 2
		case r >= 0x800 && !isSurrogate(r) && j+3 <= m:
			dst[j], dst[j+1], dst[j+2] = byte(0xE0|r>>12), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F)
			j += 3
		default:
			return int(j), int(i)
		}
	}
	return int(j), int(i)
}

// shortUTF16FromUTF8 does what convert does from UTF-8 to UTF-16 in either order, up to the first character of four bytes.
func shortUTF16FromUTF8(dst, src []byte, bigEndian bool) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	upper := upperByte(bigEndian)
	for ; i < n && j+2 <= m; j += 2 {
		r := uint32(src[i])
		if r < 0x80 {
			i++
		} else {
			w := r
			if i+4 <= n {
				w = load32(src, i)
			} else {
				w |= tail32(src, i)
			}
			switch {
			case isTwoByte(w):
				r = twoByteRune(w)
				i += 2
			case isThreeByte(w):
				r = threeByteRune(w)
				i += 3
			default:
				return int(j), int(i)
			}
		}
		dst[j+upper], dst[j+1-upper] = byte(r>>8), byte(r)
	}
	return int(j), int(i)
}

// upperByte returns where in a code unit of two bytes the upper one is.
func upperByte(bigEndian bool) uint {
	if bigEndian {
		return 0
	}
	return 1
}

// leftOver is how many bytes suffice for what kernels leave over: a block.
const leftOver = 256

// convertRest does what convert does, without kernels that swap.
func convertRest(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	if !plain(src, from) || !aligned(dst, to) {
		return convertThrough(dst, to, src, from)
	}
	for {
		d, n := convertUnits(dst[nDst:], to, src[nSrc:min(len(src), nSrc+swapPiece)], from)
		copyUnits(dst[nDst:nDst+d], dst[nDst:nDst+d], to)
		nDst += d
		nSrc += n
		if n == 0 || nSrc == len(src) {
			return nDst, nSrc
		}
	}
}

// copyWellFormed does what convert does between encodings that differ in the order of bytes or in nothing. Each piece is in cache when it is copied.
func copyWellFormed(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	const piece = 32 << 10
	n := 0
	if to != from && to.unitSize() == 2 && len(src) <= 64 {
		if n = swapWellFormed(dst, src, from.bigEndian()); n == len(src) {
			return n, n
		}
	}
	for {
		next := src[n:min(len(src), n+min(len(dst)-n, piece))]
		k := copyBetween(dst[n:], to, next[:wellFormedPrefix(next, from)], from)
		if n += k; k < len(next)-3 || k == 0 || n == len(src) { // an unfinished pair goes on in the next piece
			return n, n
		}
	}
}

// swapWellFormed copies code units of UTF-16 with their bytes swapped, as long as there are no surrogates. It returns how many bytes.
func swapWellFormed(dst, src []byte, bigEndian bool) int {
	i, n := uint(0), uint(min(len(dst), len(src)))
	upper := upperByte(bigEndian)
	for ; i+8 <= n; i += 8 {
		w := load64(src, i)
		swapped := w>>8&even | w&even<<8
		units := w
		if bigEndian {
			units = swapped
		}
		if notSurrogates(units) != 0x8000*lanes {
			return int(i)
		}
		binary.LittleEndian.PutUint64(dst[i:i+8:i+8], swapped)
	}
	for ; i+2 <= n && src[i+upper]&0xF8 != 0xD8; i += 2 {
		dst[i], dst[i+1] = src[i+1], src[i]
	}
	return int(i)
}

// convertThrough does what convert does, by way of buffers on both sides. Those of short texts are small, since it takes time to
// clear them.
func convertThrough(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	switch {
	case len(src) <= 64:
		var in, out [16]rune
		return convertPieces(unitBytes(in[:]), unitBytes(out[:]), dst, to, src, from)
	case len(src) <= leftOver:
		var in, out [leftOver / 4]rune
		return convertPieces(unitBytes(in[:]), unitBytes(out[:]), dst, to, src, from)
	case len(src) <= 8<<10:
		var in, out [256]rune
		return convertPieces(unitBytes(in[:]), unitBytes(out[:]), dst, to, src, from)
	}
	var in, out [2048]rune
	return convertPieces(unitBytes(in[:]), unitBytes(out[:]), dst, to, src, from)
}

// convertPieces does what convert does, piece by piece through in and out, or into dst itself where its code units are plain.
func convertPieces(in, out, dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	direct := !to.swapped() && aligned(dst, to)
	for {
		d, n := 0, copyUnits(in, src[nSrc:], from)
		if direct {
			d, n = convertUnits(dst[nDst:], to, in[:n], from)
		} else {
			room := min(len(out), (len(dst)-nDst)/to.unitSize()*to.unitSize())
			d, n = convertUnits(out[:room], to, in[:n], from)
			d = copyUnits(dst[nDst:], out[:d], to)
		}
		nDst += d
		nSrc += n
		if n == 0 || nSrc == len(src) {
			return nDst, nSrc
		}
	}
}

// convertUnits does what convert does, with code units in host order on both sides.
func convertUnits(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	switch from {
	case UTF8:
		switch to {
		case UTF8:
			n, _ := validUTF8Prefix(stringOf(src[:min(len(src), len(dst))]))
			copy(dst, src[:n])
			return n, n
		case ASCII:
			n := copy(dst, src[:asciiPrefix(stringOf(src[:min(len(src), len(dst))]))])
			return n, n
		case Latin1:
			return utf8ToLatin1(dst, src)
		case UTF16LE, UTF16BE:
			nDst, nSrc = utf8ToUTF16(units16(dst), src)
			return 2 * nDst, nSrc
		default:
			nDst, nSrc = utf8ToUTF32(units32(dst), src)
			return 4 * nDst, nSrc
		}
	case ASCII, Latin1:
		if from == ASCII && to != ASCII {
			src = src[:asciiPrefix(stringOf(src[:min(len(src), len(dst))]))]
		}
		switch to {
		case UTF8:
			return latin1ToUTF8(dst, src)
		case ASCII:
			n := copy(dst, src[:asciiPrefix(stringOf(src[:min(len(src), len(dst))]))])
			return n, n
		case Latin1:
			n := copy(dst, src)
			return n, n
		case UTF16LE, UTF16BE:
			nDst, nSrc = latin1ToUTF16(units16(dst), src)
			return 2 * nDst, nSrc
		default:
			nDst, nSrc = latin1ToUTF32(units32(dst), src)
			return 4 * nDst, nSrc
		}
	case UTF16LE, UTF16BE:
		s := units16(src)
		switch to {
		case UTF8:
			nDst, nSrc = utf16ToUTF8(dst, s)
		case ASCII, Latin1:
			nDst, nSrc = utf16ToLatin1(dst, s, to.limit())
		case UTF16LE, UTF16BE:
			n := copy(units16(dst), s[:validUTF16Prefix(s[:min(len(s), len(dst)/2)])])
			nDst, nSrc = 2*n, n
		default:
			nDst, nSrc = utf16ToUTF32(units32(dst), s)
			nDst *= 4
		}
		return nDst, 2 * nSrc
	default:
		s := units32(src)
		switch to {
		case UTF8:
			nDst, nSrc = utf32ToUTF8(dst, s)
		case ASCII, Latin1:
			nDst, nSrc = utf32ToLatin1(dst, s, to.limit())
		case UTF16LE, UTF16BE:
			nDst, nSrc = utf32ToUTF16(units16(dst), s)
			nDst *= 2
		default:
			n := copy(units32(dst), s[:validUTF32Prefix(s[:min(len(s), len(dst)/4)])])
			nDst, nSrc = 4*n, n
		}
		return nDst, 4 * nSrc
	}
}

// inspect returns the character at the start of src, which is not empty, and its length in bytes, or what is wrong with it:
// ill-formed, or not in the encoding to.
func inspect(src []byte, from, to Encoding) (r rune, n int, kind ErrorKind) {
	switch from {
	case UTF8:
		r, n, kind = decodeUTF8(src)
	case ASCII, Latin1:
		r, n, kind = decodeByte(src, from.limit())
	case UTF16LE, UTF16BE:
		r, n, kind = decodeUTF16(src, from.bigEndian())
	default:
		r, n, kind = decodeUTF32(src, from.bigEndian())
	}
	if kind == 0 && (to == ASCII || to == Latin1) && uint32(r) >= to.limit() {
		kind = KindUnencodable
	}
	return r, n, kind
}

// wellFormedPrefix returns the length in bytes of the longest prefix of src that is well-formed in e.
func wellFormedPrefix(src []byte, e Encoding) (n int) {
	if plain(src, e) {
		return wellFormedPrefixPlain(src, e)
	}
	if !kernelsSwap() {
		var buf [pieceUnits]rune
		return wellFormedThrough(unitBytes(buf[:]), src, e)
	}
	var buf [leftOver / 4]rune
	for {
		n += wellFormedSwapped(src[n:], e)
		rest := src[n:min(len(src), n+leftOver)]
		k := wellFormedThrough(unitBytes(buf[:]), rest, e)
		if n += k; k == 0 || n == len(src) {
			return n
		}
	}
}

// wellFormedThrough does what wellFormedPrefix does, by way of a buffer.
func wellFormedThrough(buf, src []byte, e Encoding) (n int) {
	for {
		k := wellFormedPrefixPlain(buf[:copyUnits(buf, src[n:], e)], e)
		if n += k; k == 0 || n == len(src) {
			return n
		}
	}
}

// wellFormedPrefixPlain is wellFormedPrefix for code units in host order.
func wellFormedPrefixPlain(src []byte, e Encoding) int {
	switch e {
	case UTF8:
		n, _ := validUTF8Prefix(stringOf(src))
		return n
	case ASCII:
		return asciiPrefix(stringOf(src))
	case Latin1:
		return len(src)
	case UTF16LE, UTF16BE:
		return 2 * validUTF16Prefix(units16(src))
	default:
		return 4 * validUTF32Prefix(units32(src))
	}
}

// encodedLen is Len without its limits.
func encodedLen(to Encoding, src []byte, from Encoding) (n int64) {
	if plain(src, from) {
		return encodedLenPlain(to, src, from)
	}
	var buf [pieceUnits]rune
	b := unitBytes(buf[:])
	for {
		k := copyUnits(b, src, from)
		if k == 0 {
			return n
		}
		n += encodedLenPlain(to, b[:k], from)
		src = src[k:]
	}
}

// encodedLenPlain is encodedLen for code units in host order.
func encodedLenPlain(to Encoding, src []byte, from Encoding) int64 {
	switch to {
	case UTF8:
		switch from {
		case UTF8:
			return int64(len(src))
		case ASCII, Latin1:
			return utf8LenFromLatin1(stringOf(src))
		case UTF16LE, UTF16BE:
			return utf8LenFromUTF16(units16(src))
		default:
			return utf8LenFromUTF32(units32(src))
		}
	case UTF16LE, UTF16BE:
		switch from {
		case UTF8:
			return 2 * utf16LenFromUTF8(stringOf(src))
		case ASCII, Latin1:
			return 2 * int64(len(src))
		case UTF16LE, UTF16BE:
			return int64(len(src) &^ 1)
		default:
			return 2 * utf16LenFromUTF32(units32(src))
		}
	default:
		size := int64(to.unitSize())
		switch from {
		case UTF8:
			return size * runeCount(stringOf(src))
		case ASCII, Latin1:
			return size * int64(len(src))
		case UTF16LE, UTF16BE:
			return size * utf32LenFromUTF16(units16(src))
		default:
			return size * int64(len(src)/4)
		}
	}
}

// classOf returns the class of well-formed text in the encoding e.
func classOf(text []byte, e Encoding) (c Class) {
	if plain(text, e) {
		return classOfPlain(text, e)
	}
	var buf [pieceUnits]rune
	b := unitBytes(buf[:])
	for {
		n := copyUnits(b, text, e)
		if n == 0 {
			return c
		}
		c = max(c, classOfPlain(b[:n], e))
		text = text[n:]
	}
}

// classOfPlain is classOf for code units in host order.
func classOfPlain(text []byte, e Encoding) Class {
	switch e {
	case UTF8:
		return Classify(text)
	case ASCII, Latin1:
		if isASCII(stringOf(text)) {
			return ClassASCII
		}
		return ClassLatin1
	case UTF16LE, UTF16BE:
		return classOfUTF16(units16(text))
	}
	return classOfUTF32(units32(text))
}

// classOfUTF16 and classOfUTF32 return the class of well-formed text by its lengths in other encodings, which are counted faster than code units are
// compared.

func classOfUTF16(src []uint16) Class {
	n := int64(len(src))
	if utf32LenFromUTF16(src) < n {
		return ClassSupplementary
	}
	return classOfBMP(src, utf8LenFromUTF16(src) == n)
}

func classOfUTF32(src []rune) Class {
	n := int64(len(src))
	if utf16LenFromUTF32(src) > n {
		return ClassSupplementary
	}
	return classOfBMP(src, utf8LenFromUTF32(src) == n)
}

// classOfBMP tells Latin-1 from what has characters beyond, of which the first mostly comes soon.
func classOfBMP[U uint16 | rune](src []U, ascii bool) Class {
	if ascii {
		return ClassASCII
	}
	for _, u := range src {
		if u > 0xFF {
			return ClassBMP
		}
	}
	return ClassLatin1
}

// saturate returns n as an int, or the largest int where that is smaller.
func saturate(n int64) int { return int(min(n, int64(maxInt))) }

const maxInt = int(^uint(0) >> 1)

// faultAt returns the error for what is wrong at src[at:].
func faultAt(src []byte, at int, from, to Encoding) error {
	r, n, kind := inspect(src[at:], from, to)
	if kind == 0 {
		return errOverlap
	}
	return newError(r, n, kind, from, int64(at))
}

// errOverlap is for a source that was in order before the conversion wrote over it.
var errOverlap = errors.New("transcode: source overlaps destination")

// newError returns the *Error for what inspect found at offset.
func newError(r rune, n int, kind ErrorKind, from Encoding, offset int64) *Error {
	e := &Error{Encoding: from, Offset: offset, Len: n, Kind: kind}
	if kind == KindUnencodable {
		e.Rune = r
	}
	return e
}

// grow returns dst with room for n more code units. If it had no capacity the new memory is not cleared, and has old contents of the heap: what is
// not overwritten must be clipped before the caller gets it.
func grow[U unit](dst []U, n int) []U {
	var u U
	if cap(dst) > 0 || n < minUncleared || n > maxInt/int(unsafe.Sizeof(u)) {
		return slices.Grow(dst, n)
	}
	var b strings.Builder // the one that the library has for memory that is not cleared
	b.Grow(n * int(unsafe.Sizeof(u)))
	b.WriteByte(0)
	p := (*U)(unsafe.Pointer(unsafe.StringData(b.String())))
	return unsafe.Slice(p, n)[:0]
}

// minUncleared is from how many code units on it pays to leave memory uncleared.
const minUncleared = 1024

// appendRest finishes a strict conversion that stopped at src[at:]: for want of room, which is then counted and made once,
// or because of an error.
func appendRest[U unit](dst []U, to Encoding, src []byte, at int, from Encoding) ([]U, error) {
	if r, n, kind := inspect(src[at:], from, to); kind != 0 {
		return dst, newError(r, n, kind, from, int64(at))
	}
	var u U
	size := int(unsafe.Sizeof(u))
	fresh := cap(dst) == 0
	dst = grow(dst, saturate(encodedLen(to, src[at:], from))/size)
	nDst, nSrc := convert(spare(dst), to, src[at:], from)
	dst = dst[:len(dst)+nDst/size]
	if at += nSrc; at == len(src) {
		return dst, nil
	}
	if fresh {
		dst = slices.Clip(dst)
	}
	return dst, faultAt(src, at, from, to)
}

// maxPiece is how many code units are taken for bytes at once, so that their number suits an int of 32 bits.
const maxPiece = 1 << 28

// appendUnits is appendRest for a source of code units in host order: at and the errors count these.
func appendUnits[U unit, S uint16 | rune](dst []U, to Encoding, src []S, at int) ([]U, error) {
	var s S
	size := int(unsafe.Sizeof(s))
	for at < len(src) {
		piece := src[at:min(len(src), at+maxPiece)]
		out, err := appendRest(dst, to, unitBytes(piece), 0, hostEncoding(size))
		dst = out
		at += len(piece)
		if e, ok := err.(*Error); ok {
			at += int(e.Offset)/size - len(piece)
			if e.Kind == KindTruncated && at < len(src)-1 {
				continue // a pair reaches into the next piece
			}
			return dst, inUnits(e, at, size)
		} else if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// unitFault returns the error for what is wrong at src[at:], which counts code units.
func unitFault[S uint16 | rune](src []S, at int) error {
	var s S
	size := int(unsafe.Sizeof(s))
	from := hostEncoding(size)
	_, n, kind := inspect(unitBytes(src[at:min(len(src), at+2)]), from, from)
	return inUnits(&Error{Len: n, Kind: kind}, at, size)
}

// inUnits makes e count code units of the given size.
func inUnits(e *Error, at, size int) *Error {
	e.Offset = int64(at)
	e.Len /= size
	e.Encoding = [...]Encoding{2: UTF16LE, 4: UTF32LE}[size]
	return e
}
