package transcode

// Detect tells the encoding of a text from its first bytes, and the length of the byte order mark that begins it. A few
// hundred bytes suffice; the sample may end inside a character. It tries, in this order:
//
//  1. a byte order mark;
//  2. UTF-32, which its zero bytes give away;
//  3. UTF-16, if it is well-formed and the bytes speak for it: zero bytes and control characters that no text has, and high
//     bytes that keep to a few values, as those of legacy East Asian encodings do not;
//  4. UTF-8, ASCII included; the empty sample too.
//
// Otherwise ok is false. Latin-1 is never guessed, since any text passes for it. UTF-16 without a mark whose scripts lie from U+A000 on,
// such as Yi, and that has neither spaces nor line ends, is not recognised where it could be legacy East Asian text. No more than the
// first MiB is looked at.
func Detect(sample []byte) (e Encoding, bomLen int, ok bool) {
	if e, n, ok := leadingBOM(sample); ok {
		return e, n, true
	}
	sample = sample[:min(len(sample), maxSample)]
	for _, e := range []Encoding{UTF32LE, UTF32BE} {
		if looksLikeUTF32(sample, e.bigEndian()) {
			return e, 0, true
		}
	}
	validUTF8 := wellFormedButForTail(sample, UTF8)
	le, be := judgeUTF16(sample, UTF16LE), judgeUTF16(sample, UTF16BE)
	switch {
	case le.score() >= be.score() && le.convincing(be, validUTF8):
		return UTF16LE, 0, true
	case be.score() >= le.score() && be.convincing(le, validUTF8):
		return UTF16BE, 0, true
	}
	return UTF8, 0, validUTF8
}

// maxSample keeps the numbers below, and the time, in bounds.
const maxSample = 1 << 20

// wellFormedButForTail reports whether sample is well-formed, apart from an unfinished character at its end.
func wellFormedButForTail(sample []byte, e Encoding) bool {
	n := wellFormedPrefix(sample, e)
	if n == len(sample) {
		return true
	}
	_, _, kind := inspect(sample[n:], e, e)
	return kind == KindTruncated
}

// looksLikeUTF32 reports whether sample is well-formed UTF-32 and nearly all of it may stand in a text, of the planes in use.
func looksLikeUTF32(sample []byte, be bool) bool {
	units, plausibles := 0, 0
	for i := 0; len(sample)-i >= 4; i += 4 {
		u := unit32(sample[i:], be)
		if !isScalar(u) {
			return false
		}
		units++
		if plausible(rune(u)) && (u <= 0x3FFFF || u>>12 == 0xE0) {
			plausibles++
		}
	}
	return units > 0 && nearlyAll(plausibles, units)
}

// nearlyAll reports whether n of total are at least fifteen in sixteen.
func nearlyAll(n, total int) bool { return (total-n)*16 <= total }

// plausible reports whether r may stand in a text: neither a control character that no text has, nor a noncharacter, nor for
// private use, nor a surrogate.
func plausible(r rune) bool {
	switch {
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == 0x1B
	case r < 0x7F:
		return true
	case r < 0xA0:
		return r == 0x85
	case r < 0xD800:
		return true
	case r < 0xF900:
		return false
	case r < 0x10000:
		return r < 0xFDD0 || r > 0xFDEF && r < 0xFFF0 || r == 0xFFFC || r == 0xFFFD
	}
	return r < 0x110000 && r&0xFFFE != 0xFFFE
}

// utf16Evidence says how much a sample looks like UTF-16 of one byte order.
type utf16Evidence struct {
	possible  bool // well-formed, and nearly all of it may stand in a text
	units     int
	pairs     int   // surrogate pairs
	spaces    int   // spaces, tabs, line ends, and ideographic punctuation
	low       int   // units below U+2000, whose high byte is below 20
	repeats   int64 // how many ordered pairs of units have the same high byte
	printable int   // bytes of printable ASCII
	controls  int   // bytes that no text of one-byte units has, zero bytes above all
	ideograph int   // units of Chinese and Japanese: ideographs, kana, their punctuation
	below80   int   // high bytes below 80
}

func judgeUTF16(sample []byte, e Encoding) (v utf16Evidence) {
	be := e.bigEndian()
	var counts [256]int64
	plausibles := 0
	for i := 0; len(sample)-i >= 2; i += 2 {
		u := unit16(sample[i:], be)
		v.units++
		if isSurrogate(uint32(u)) || plausible(rune(u)) {
			plausibles++
		}
		if isHighSurrogate(u) {
			v.pairs++
		}
		switch u {
		case ' ', '\t', '\n', '\r', 0x3001, 0x3002, 0xFF0C:
			v.spaces++
		}
		if u < 0x2000 {
			v.low++
		}
		if u < 0x8000 {
			v.below80++
		}
		if u >= 0x3000 && u < 0x3100 || u >= 0x3400 && u < 0xA000 || u >= 0xF900 && u < 0xFB00 || u >= 0xFF00 {
			v.ideograph++
		}
		counts[u>>8]++
	}
	for _, n := range counts {
		v.repeats += n * (n - 1)
	}
	for _, b := range sample {
		switch {
		case b >= 0x20 && b < 0x7F, b == '\n', b == '\r':
			v.printable++
		case b < 0x20 && !plausible(rune(b)):
			v.controls++
		}
	}
	v.possible = v.units > 0 && nearlyAll(plausibles, v.units) && wellFormedButForTail(sample, e)
	return v
}

// score orders the two byte orders.
func (v utf16Evidence) score() int64 {
	if !v.possible {
		return -1
	}
	return 2*int64(v.pairs+v.spaces)*int64(v.units) + v.repeats
}

// convincing reports whether the sample is UTF-16 of this byte order rather than of the other or of a one-byte encoding.
func (v utf16Evidence) convincing(other utf16Evidence, validUTF8 bool) bool {
	switch {
	case !v.possible:
		return false
	case v.low*8 >= v.units*5 && v.controls*16 >= v.units:
		return true
	case validUTF8, v.units < 8:
		return false
	}
	// Without controls it could be text of a legacy East Asian encoding, whose pairs of bytes look like syllables of Hangul or like the
	// ideographs from 8000 on. Enough UTF-16 has some.
	characteristic := nearlyAll(v.ideograph, v.units) && v.below80*4 >= v.units || v.pairs*4 >= v.units
	if v.controls*32 < v.units && !characteristic {
		return false
	}
	// Ideographs and syllables: their bytes are of all kinds, or their high bytes repeat as low bytes never do.
	return v.printable*4 < v.units*2*3 || v.repeats > 4*(other.repeats+int64(v.units))
}
