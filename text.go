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
// Text of an ASCII string shares its memory; otherwise one block of the result's size is allocated.
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
	n := int(utf16LenFromUTF8(src))
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
