package transcode

import "unsafe"

// A Text is an immutable string in its smallest form: bytes, one for each character, up to ClassLatin1, else UTF-16 code units in
// host order. It is always the narrowest form that its characters allow, so == and map keys compare content. The zero value is
// the empty text.
type Text struct {
	class Class
	units string // bytes; of UTF-16 the memory of the code units, at an address that suits uint16
}

// Decode returns UTF-8 text in its smallest form, with U+FFFD for each maximal subpart that is ill-formed, and their number. The
// Text of an ASCII string shares its memory; otherwise one block of the result's size is allocated, and another on the way if text is ill-formed.
func Decode[Bytes ~[]byte | ~string](src Bytes) (t Text, replaced int) {
	if t, ok := decodeWide(asString(src)); ok {
		return t, 0
	}
	if class, n := ClassifyPrefix(src); n == len(src) {
		return newText(src, class), 0
	}
	t, replaced, _ = Transcoder{OnError: Replace}.Text(view(src)) // nothing else can fail
	return t, replaced
}

// DecodeStrict returns well-formed UTF-8 text in its smallest form. For other text it returns the zero Text and an *Error.
// DecodeStrict("\xFF") fails at offset 0.
func DecodeStrict[Bytes ~[]byte | ~string](src Bytes) (Text, error) {
	if t, ok := decodeWide(asString(src)); ok {
		return t, nil
	}
	class, n := ClassifyPrefix(src)
	if n < len(src) {
		return Text{}, faultAt(view(src), n, UTF8, UTF8)
	}
	return newText(src, class), nil
}

// decodeWide returns the Text of well-formed UTF-8 that is long and shows soon that it needs UTF-16. It is not classified: the conversion, which
// validates it too, and its lengths tell the class. That is a quarter faster than classification and conversion.
func decodeWide(src string) (t Text, ok bool) {
	const long, head = 4 << 10, 512
	if len(src) < long {
		return Text{}, false
	}
	if _, class := validUTF8Prefix(src[:head]); class < ClassBMP {
		return Text{}, false
	}
	s := bytesOf(src)
	n := saturate(utf16LenFromUTF8(src))
	if n > maxInt/2 {
		return Text{}, false
	}
	units := grow[uint16](nil, n)[:n]
	if _, k := utf8ToUTF16(units, s); k < len(s) {
		return Text{}, false
	}
	class := ClassBMP
	if runeCount(src) < int64(n) {
		class = ClassSupplementary
	}
	return Text{class, stringOf(unitBytes(units))}, true
}

// Text returns src, text in the encoding t.From, in its smallest form, and how many replacements were made or sequences
// dropped on the way. t.To and t.AddBOM play no part. On error it returns the zero Text. Transcoder{From: Latin1}.Text(b)
// holds one byte for each character.
func (t Transcoder) Text(src []byte) (Text, int, error) {
	t.To, t.AddBOM = hostEncoding(2), false
	s := Stream{t: t, from: t.From}
	units, err := appendStream[uint16](nil, &s, src)
	if err != nil {
		return Text{}, 0, err
	}
	return textOfUnits(units), int(s.replaced), nil
}

// A textBuilder makes a Text of a source that comes in pieces, with U+FFFD for what is ill-formed. It keeps one byte for each character
// as long as that suffices, and then widens what it has.
type textBuilder struct {
	s       Stream  // of the source, to hostEncoding(2)
	l       *loader // what follows the piece at hand, nil if that is not known
	one     []byte
	wide    []uint16
	class   Class // of what has been added
	counted bool  // one was made for a text that is not ASCII
}

// add decodes src, which nothing follows if atEOF, and returns how much of it: all but an unfinished character or byte order mark.
func (b *textBuilder) add(src []byte, atEOF bool) (n int) {
	if !b.s.begun {
		var err error
		if n, err = b.s.beginSource(src, atEOF); err != nil || !b.s.begun {
			return 0
		}
	}
	if b.class <= ClassLatin1 {
		k, narrow := b.addNarrow(src[n:], atEOF)
		n += k
		if narrow {
			return n
		}
		b.wide = grow[uint16](nil, len(b.one)+saturate(b.room(src[n:], hostEncoding(2))/2))[:len(b.one)]
		latin1ToUTF16(b.wide, b.one)
		b.one = nil
		b.class = ClassBMP
	}
	for {
		nDst, nSrc, err := b.s.Transform(spare(b.wide), src[n:], atEOF)
		at := len(b.wide)
		b.wide = b.wide[:at+nDst/2]
		n += nSrc
		if b.class < ClassSupplementary && utf32LenFromUTF16(b.wide[at:]) < int64(nDst/2) {
			b.class = ClassSupplementary
		}
		if err != ErrShortDst {
			return n
		}
		// What is ill-formed takes more than the formula says: it is decoded once to see how much.
		if b.l == nil {
			b.wide = growFor(b.wide, int64(b.s.room(src[n:])/2))
		} else {
			b.l.src = src[n:]
			b.wide = growFor(b.wide, b.l.decodedLen(b.s)/2)
		}
	}
}

// addNarrow decodes what one byte for each character suffices for. It returns how much of src that is, and whether nothing
// but an unfinished character is left.
func (b *textBuilder) addNarrow(src []byte, atEOF bool) (n int, narrow bool) {
	from := b.s.from
	if from.unitSize() == 1 {
		if n = asciiPrefix(stringOf(src)); n == len(src) {
			if cap(b.one)-len(b.one) < n {
				b.one = growFor(b.one, int64(n)+b.unread()) // more ASCII
			}
			b.one = append(b.one, src...)
			return n, true
		}
	}
	// Most texts tell soon that they need more: nothing is made for these yet.
	var probe [128]byte
	_, k := convert(probe[:], Latin1, src[n:], from)
	if wide, _ := b.needs(src[n+k:], atEOF); wide {
		return 0, false
	}
	at := len(b.one)
	if !b.counted { // what there is was made for ASCII, and may be too large
		b.counted = true
		room := int64(at) + b.room(src, Latin1)
		if have := int64(cap(b.one)); have < room || have-room > room/4 {
			b.one = append(grow[byte](nil, saturate(room)), b.one...)
		}
	}
	b.one = append(b.one, src[:n]...)
	wide := false
	for n < len(src) {
		d, k := convert(spare(b.one), Latin1, src[n:], from)
		b.one = b.one[:len(b.one)+d]
		if n += k; n == len(src) {
			break
		}
		var unfinished bool
		if wide, unfinished = b.needs(src[n:], atEOF); wide || unfinished {
			break
		}
		b.one = growFor(b.one, b.room(src[n:], Latin1))
	}
	if b.class == ClassASCII && !isASCII(stringOf(b.one[at:])) {
		b.class = ClassLatin1
	}
	return n, !wide
}

// needs tells of src whether one byte is not enough for what it begins with, or whether that is not finished.
func (b *textBuilder) needs(src []byte, atEOF bool) (wide, unfinished bool) {
	if len(src) == 0 {
		return false, true
	}
	_, _, kind := inspect(src, b.s.from, Latin1)
	unfinished = kind == KindTruncated && !atEOF
	return kind != 0 && !unfinished, unfinished
}

// room returns how many bytes src, and what is known to follow it, takes in the encoding to, if it is in order.
func (b *textBuilder) room(src []byte, to Encoding) int64 {
	if b.l == nil {
		return encodedLen(to, src, b.s.from)
	}
	b.l.s.from = b.s.from
	b.l.src = src
	return b.l.count(to)
}

// unread returns how many bytes are known to follow.
func (b *textBuilder) unread() int64 {
	if b.l == nil {
		return 0
	}
	return max(b.l.unread(), 0)
}

// text returns the Text of all that has been added.
func (b *textBuilder) text() Text {
	if b.class <= ClassLatin1 {
		return Text{b.class, stringOf(fit(b.one))}
	}
	return Text{b.class, stringOf(unitBytes(fit(b.wide)))}
}

// newText returns the Text of well-formed UTF-8 of the given class.
func newText[Bytes ~[]byte | ~string](src Bytes, class Class) Text {
	switch class {
	case ClassASCII:
		if unsafe.Sizeof(src) == unsafe.Sizeof("") { // it is a string
			return Text{ClassASCII, asString(src)}
		}
		return Text{ClassASCII, string(src)}
	case ClassLatin1:
		s := view(src)
		n := int(runeCount(stringOf(s)))
		b := grow[byte](nil, n)[:n]
		utf8ToLatin1(b, s)
		return Text{ClassLatin1, stringOf(b)}
	}
	s := view(src)
	n := int(utf16LenFromUTF8(stringOf(s)))
	units := grow[uint16](nil, n)[:n]
	utf8ToUTF16(units, s)
	return Text{class, stringOf(unitBytes(units))}
}

// textOfUnits returns the Text of well-formed UTF-16, which it takes over.
func textOfUnits(units []uint16) Text {
	class := classOfUTF16(units)
	if class > ClassLatin1 {
		return Text{class, stringOf(unitBytes(units))}
	}
	b := grow[byte](nil, len(units))[:len(units)]
	utf16ToLatin1(b, units, 0x100)
	return Text{class, stringOf(b)}
}

// Class returns the class of t, never ClassInvalid. That of "naïve" is ClassLatin1.
func (t Text) Class() Class { return t.class }

// wide reports whether t is stored as UTF-16.
func (t Text) wide() bool { return t.class > ClassLatin1 }

// Len returns the length of t in UTF-16 code units. That of "😀" is 2.
func (t Text) Len() int {
	if t.wide() {
		return len(t.units) / 2
	}
	return len(t.units)
}

// At returns the UTF-16 code unit at index i. It panics if i is not in [0, t.Len()). That of "naïve" at 2 is 0xEF.
func (t Text) At(i int) uint16 {
	if t.wide() {
		return t.wideUnits()[i]
	}
	return uint16(t.units[i])
}

// wideUnits returns the code units of a wide t.
func (t Text) wideUnits() []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.StringData(t.units))), len(t.units)/2)
}

// Latin1 returns the characters of t as bytes, one for each, if its class is at most ClassLatin1. Nothing is copied. That of
// "naïve" is "na\xEFve".
func (t Text) Latin1() (string, bool) {
	if t.wide() {
		return "", false
	}
	return t.units, true
}

// UTF16 returns the code units of t if its class is above ClassLatin1. They are not copied and must not be modified. That of
// "火星" is []uint16{0x706B, 0x661F}.
func (t Text) UTF16() ([]uint16, bool) {
	if !t.wide() {
		return nil, false
	}
	return t.wideUnits(), true
}

// AppendUTF16 appends t to dst as UTF-16. "é" adds 0xE9.
func (t Text) AppendUTF16(dst []uint16) []uint16 {
	if t.wide() {
		return append(dst, t.wideUnits()...)
	}
	return AppendUTF16FromLatin1(dst, t.units)
}

// AppendUTF8 appends t to dst as UTF-8. "é" adds "\xC3\xA9".
func (t Text) AppendUTF8(dst []byte) []byte {
	if t.wide() {
		dst, _ = AppendUTF8FromUTF16(dst, t.wideUnits()) // always well-formed
		return dst
	}
	return AppendUTF8FromLatin1(dst, t.units)
}

// String returns t as UTF-8. That of ASCII shares the memory of t; otherwise there is one allocation. It gives back "naïve".
func (t Text) String() string {
	if t.class == ClassASCII {
		return t.units
	}
	return stringOf(t.AppendUTF8(nil))
}
