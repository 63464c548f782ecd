package transcode

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// This file holds the oracle that the other tests compare with: decoding and encoding by the definition of each encoding,
// written for the tests and sharing nothing with the library but the types of its interface. It is slow and obvious. The
// tests at its end hold it to unicode/utf8, unicode/utf16 and golang.org/x/text.

// An item is one step of decoding: the character r, or an ill-formed sequence when kind is not 0. off and n count
// elements of the source.
type item struct {
	off, n int
	r      rune
	kind   ErrorKind
}

// table37 is table 3-7 of the Unicode Standard, "Well-Formed UTF-8 Byte Sequences": a range for each byte of a row.
var table37 = [][][2]byte{
	{{0x00, 0x7F}},
	{{0xC2, 0xDF}, {0x80, 0xBF}},
	{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}},
	{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}},
	{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}},
}

// oracleUTF8 decodes src. An ill-formed sequence is the maximal subpart of definition D93b: the longest prefix of any row of
// table 3-7, or one byte where no row has a prefix.
func oracleUTF8(src []byte) []item {
	items := make([]item, 0, len(src))
	for off := 0; off < len(src); {
		it := oracleUTF8At(src, off)
		items = append(items, it)
		off += it.n
	}
	return items
}

func oracleUTF8At(src []byte, off int) item {
	longest := 0
	for _, row := range table37 {
		n := 0
		for n < len(row) && off+n < len(src) && row[n][0] <= src[off+n] && src[off+n] <= row[n][1] {
			n++
		}
		if n == len(row) {
			// The bits after the length marker of the lead byte, then six of each continuation byte.
			r := rune(src[off]) & [...]rune{0x7F, 0x1F, 0x0F, 0x07}[n-1]
			for _, b := range src[off+1 : off+n] {
				r = r<<6 | rune(b&0x3F)
			}
			return item{off: off, n: n, r: r}
		}
		longest = max(longest, n)
	}
	if longest > 0 && off+longest == len(src) {
		return item{off: off, n: longest, kind: KindTruncated}
	}
	it := item{off: off, n: max(longest, 1), kind: KindTooShort}
	lead, second := src[off], byte(0)
	if off+1 < len(src) {
		second = src[off+1]
	}
	in := func(b, lo, hi byte) bool { return lo <= b && b <= hi }
	switch {
	case in(lead, 0x80, 0xBF):
		it.kind = KindTooLong
	case in(lead, 0xC0, 0xC1), lead == 0xE0 && in(second, 0x80, 0x9F), lead == 0xF0 && in(second, 0x80, 0x8F):
		it.kind = KindOverlong
	case lead == 0xED && in(second, 0xA0, 0xBF):
		it.kind = KindSurrogate
	case lead == 0xF4 && in(second, 0x90, 0xBF):
		it.kind = KindTooLarge
	case in(lead, 0xF5, 0xFF):
		it.kind = KindBadLead
	}
	return it
}

// oracleUTF16 decodes code units: a high surrogate and a low one are a character, any other surrogate is ill-formed.
func oracleUTF16(src []uint16) []item {
	items := make([]item, 0, len(src))
	for off := 0; off < len(src); {
		it := item{off: off, n: 1, r: rune(src[off])}
		if src[off]>>11 == 0xD8>>3 {
			switch high := src[off] < 0xDC00; {
			case high && off+1 == len(src):
				it = item{off: off, n: 1, kind: KindTruncated}
			case high && src[off+1] >= 0xDC00 && src[off+1] <= 0xDFFF:
				it.n = 2
				it.r = 0x10000 + (rune(src[off])-0xD800)*0x400 + rune(src[off+1]) - 0xDC00
			default:
				it = item{off: off, n: 1, kind: KindSurrogate}
			}
		}
		items = append(items, it)
		off += it.n
	}
	return items
}

// oracleUTF32 decodes code units, which are code points unless they are surrogates or above U+10FFFF.
func oracleUTF32(src []rune) []item {
	items := make([]item, 0, len(src))
	for off, r := range src {
		it := item{off: off, n: 1, r: r}
		switch {
		case r < 0 || r > 0x10FFFF:
			it = item{off: off, n: 1, kind: KindTooLarge}
		case r >= 0xD800 && r <= 0xDFFF:
			it = item{off: off, n: 1, kind: KindSurrogate}
		}
		items = append(items, it)
	}
	return items
}

// oracleDecode decodes bytes in encoding e; offsets are bytes.
func oracleDecode(src []byte, e Encoding) []item {
	switch e {
	case UTF8:
		return oracleUTF8(src)
	case ASCII, Latin1:
		items := make([]item, 0, len(src))
		for off, b := range src {
			it := item{off: off, n: 1, r: rune(b)}
			if e == ASCII && b > 0x7F {
				it = item{off: off, n: 1, kind: KindTooLarge}
			}
			items = append(items, it)
		}
		return items
	case UTF16LE, UTF16BE:
		var units []uint16
		for i := 0; i+2 <= len(src); i += 2 {
			lo, hi := src[i], src[i+1]
			if e == UTF16BE {
				lo, hi = hi, lo
			}
			units = append(units, uint16(lo)+0x100*uint16(hi))
		}
		items := oracleUTF16(units)
		for i := range items {
			items[i].off *= 2
			items[i].n *= 2
		}
		if len(src)%2 == 1 {
			// An odd byte at the end belongs to a high surrogate before it; else it stands alone.
			if k := len(items); k > 0 && items[k-1].kind == KindTruncated {
				items[k-1].n++
			} else {
				items = append(items, item{off: len(src) - 1, n: 1, kind: KindTruncated})
			}
		}
		return items
	case UTF32LE, UTF32BE:
		var units []rune
		for i := 0; i+4 <= len(src); i += 4 {
			var u uint32
			for k := range 4 {
				b := src[i+3-k]
				if e == UTF32BE {
					b = src[i+k]
				}
				u = u<<8 | uint32(b)
			}
			units = append(units, rune(u))
		}
		items := oracleUTF32(units)
		for i := range items {
			items[i].off *= 4
			items[i].n *= 4
		}
		if rest := len(src) % 4; rest > 0 {
			items = append(items, item{off: len(src) - rest, n: rest, kind: KindTruncated})
		}
		return items
	}
	panic("oracle: unknown encoding")
}

// oracleEncode returns the bytes of the character r in encoding e; ok is false if e cannot hold it.
func oracleEncode(r rune, e Encoding) (b []byte, ok bool) {
	switch e {
	case UTF8:
		return rawUTF8(uint32(r)), true
	case ASCII:
		return []byte{byte(r)}, r <= 0x7F
	case Latin1:
		return []byte{byte(r)}, r <= 0xFF
	case UTF16LE, UTF16BE:
		return bytes16(oracleUnits(r), e), true
	case UTF32LE, UTF32BE:
		return bytes32([]rune{r}, e), true
	}
	panic("oracle: unknown encoding")
}

// oracleUnits returns the UTF-16 code units of the character r.
func oracleUnits(r rune) []uint16 {
	if r < 0x10000 {
		return []uint16{uint16(r)}
	}
	return []uint16{0xD800 + uint16((r-0x10000)/0x400), 0xDC00 + uint16((r-0x10000)%0x400)}
}

// oracleUnitSize returns the bytes in a code unit of e.
func oracleUnitSize(e Encoding) int {
	switch e {
	case UTF16LE, UTF16BE:
		return 2
	case UTF32LE, UTF32BE:
		return 4
	}
	return 1
}

// oracleBOM returns the byte order mark of e, nil for the encodings that have none.
func oracleBOM(e Encoding) []byte {
	if e == ASCII || e == Latin1 {
		return nil
	}
	b, _ := oracleEncode(0xFEFF, e)
	return b
}

// oracleFault returns the *Error for the ill-formed sequence it, nil for a character.
func oracleFault(it item, e Encoding) *Error {
	if it.kind == 0 {
		return nil
	}
	return &Error{Encoding: e, Offset: int64(it.off), Len: it.n, Kind: it.kind}
}

// oracleCheck returns the error of the first ill-formed item.
func oracleCheck(items []item, e Encoding) *Error {
	for _, it := range items {
		if it.kind != 0 {
			return oracleFault(it, e)
		}
	}
	return nil
}

// A step is what one item of the source becomes in the output.
type step struct {
	off, n int    // the bytes of the source
	out    []byte // what they become
}

// A verdict is what the oracle says about a whole conversion.
type verdict struct {
	from     Encoding // the source encoding, after a byte order mark had its say
	bomLen   int      // bytes of a removed byte order mark
	steps    []step   // after the byte order mark; the steps of the good prefix when err is not nil
	out      []byte
	replaced int64
	err      *Error
}

// oracleTranscode converts src as the documentation of Transcoder says.
func oracleTranscode(t Transcoder, src []byte) verdict {
	v := verdict{from: t.From}
	switch t.BOM {
	case BOMStrip:
		if bom := oracleBOM(t.From); bytes.HasPrefix(src, bom) {
			v.bomLen = len(bom)
		}
	case BOMOverride:
		for _, e := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
			// The longest mark wins: that of UTF-32LE begins with that of UTF-16LE.
			if bom := oracleBOM(e); bytes.HasPrefix(src, bom) && len(bom) > v.bomLen {
				v.from, v.bomLen = e, len(bom)
			}
		}
	}
	replacement, ok := oracleEncode(0xFFFD, t.To)
	if !ok {
		replacement = []byte("?")
	}
	for _, it := range oracleDecode(src[v.bomLen:], v.from) {
		it.off += v.bomLen
		out, encodable := oracleEncode(it.r, t.To)
		err := oracleFault(it, v.from)
		if err == nil && !encodable {
			err = &Error{Encoding: v.from, Offset: int64(it.off), Len: it.n, Kind: KindUnencodable, Rune: it.r}
		}
		switch {
		case err == nil:
			v.steps = append(v.steps, step{it.off, it.n, out})
		case t.OnError == Strict:
			v.err = err
		case t.OnError == Replace, t.OnError == ReplaceBytes && err.Kind == KindUnencodable:
			v.steps = append(v.steps, step{it.off, it.n, replacement})
			v.replaced++
		case t.OnError == ReplaceBytes:
			for n := 0; n < it.n; n += oracleUnitSize(v.from) {
				v.steps = append(v.steps, step{it.off + n, min(oracleUnitSize(v.from), it.n-n), replacement})
				v.replaced++
			}
		case t.OnError == Skip:
			v.steps = append(v.steps, step{it.off, it.n, nil})
			v.replaced++
		}
		if v.err != nil {
			break
		}
	}
	for _, s := range v.steps {
		v.out = append(v.out, s.out...)
	}
	// An error where the text begins leaves an empty good prefix, without a byte order mark.
	if bom := oracleBOM(t.To); t.AddBOM && !bytes.HasPrefix(v.out, bom) && (v.err == nil || len(v.out) > 0) {
		v.out = append(slices.Clone(bom), v.out...)
	}
	return v
}

// everyEncoding and everyPolicy and everyBOMPolicy are what the sweeps range over.
var (
	everyEncoding  = []Encoding{UTF8, ASCII, Latin1, UTF16LE, UTF16BE, UTF32LE, UTF32BE}
	everyPolicy    = []Policy{Strict, Replace, ReplaceBytes, Skip}
	everyBOMPolicy = []BOMPolicy{BOMKeep, BOMStrip, BOMOverride}
)

// isError reports whether got is exactly want, not wrapped, and a nil interface where want is nil.
func isError(got error, want *Error) bool {
	if want == nil {
		return got == nil
	}
	e, ok := got.(*Error)
	return ok && e != nil && *e == *want
}

// runesOf returns the characters of items with U+FFFD once per ill-formed item.
func runesOf(items []item) []rune {
	out := make([]rune, 0, len(items))
	for _, it := range items {
		if it.kind != 0 {
			it.r = 0xFFFD
		}
		out = append(out, it.r)
	}
	return out
}

// TestOracleKnownAnswers holds the oracle to the examples that the Unicode Standard prints for U+FFFD substitution of maximal
// subparts (tables 3-8 to 3-11 of version 15).
func TestOracleKnownAnswers(t *testing.T) {
	for _, c := range knownSubstitutions {
		require.Equal(t, []rune(c.want), runesOf(oracleUTF8([]byte(c.src))), "% x", c.src)
	}
}

// knownSubstitutions are the examples of the Unicode Standard, section 3.9, and a few of the WHATWG Encoding Standard's tests.
var knownSubstitutions = []struct{ name, src, want string }{
	{"non-shortest forms", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82A", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"surrogates", "\xED\xA0\x80\xED\xBF\xBF\xED\xAFA", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"other ill-formed sequences", "\xF4\x91\x92\x93\xFFA\x80\xBFB", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB"},
	{"truncated sequences", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA", "\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"mixture", "a\xF1\x80\x80\xE1\x80\xC2b\x80c\x80\xBFd", "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd"},
	{"U+FFFD in the source is text", "\uFFFD\xFF\uFFFD", "\uFFFD\uFFFD\uFFFD"},
	{"lead byte then ASCII keeps the ASCII", "\xE2<script>", "\uFFFD<script>"},
	{"cut at the end", "abc\xF0\x9F\x98", "abc\uFFFD"},
	{"five and six byte forms", "\xF8\x88\x80\x80\x80\xFC\x84\x80\x80\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
}

func TestOracleUTF8AgainstStandardLibrary(t *testing.T) {
	r := rng(1)
	var cut []byte
	compare := func(src []byte) {
		items := oracleUTF8(src)
		if got, want := oracleCheck(items, UTF8) == nil, utf8.Valid(src); got != want {
			t.Fatalf("oracle: % x well-formed: %v, utf8.Valid says %v", src, got, want)
		}
		// unicode/utf8 steps over one byte at a time, so it tells the characters and the total of ill-formed bytes.
		var perByte []rune
		for _, it := range items {
			if it.kind == 0 {
				perByte = append(perByte, it.r)
			}
			for n := 0; it.kind != 0 && n < it.n; n++ {
				perByte = append(perByte, 0xFFFD)
			}
		}
		if want := []rune(string(src)); !slices.Equal(perByte, want) {
			t.Fatalf("oracle: % x decodes to %x, a range loop says %x", src, perByte, want)
		}
		// An item is truncated exactly if utf8.FullRune waits for more. FullRune takes E0 80 for a whole, wrong, one.
		if k := len(items); k > 0 {
			last := items[k-1]
			if got, want := last.kind == KindTruncated, !utf8.FullRune(src[last.off:]); got != want {
				t.Fatalf("oracle: % x ends truncated: %v, utf8.FullRune says %v", src, got, want)
			}
		}
		// The UTF-8 decoder of x/text substitutes maximal subparts.
		want, err := unicode.UTF8.NewDecoder().Bytes(src)
		if got := string(runesOf(items)); err != nil || got != string(want) {
			t.Fatalf("oracle: % x becomes %q, x/text says %q, %v", src, got, want, err)
		}
	}
	for n := range thin(5, 4) {
		everyWord(boundaryBytes, n, compare)
	}
	for range thin(20000, 1000) {
		cut = mutate(&r, genText(pick(&r, textScripts), r.intn(40)), 4)
		compare(cut)
	}
}

func TestOracleUTF16AgainstStandardLibrary(t *testing.T) {
	compare := func(units []uint16) {
		items := oracleUTF16(units)
		if got, want := runesOf(items), utf16.Decode(units); !slices.Equal(got, want) {
			t.Fatalf("oracle: %x decodes to %x, utf16.Decode says %x", units, got, want)
		}
		if oracleCheck(items, UTF16LE) != nil {
			// The decoder of x/text takes a high surrogate together with the unit after it, whatever that is, and
			// gives one U+FFFD for two low surrogates (golang/go#39492). It is right for well-formed text only.
			return
		}
		for _, e := range []Encoding{UTF16LE, UTF16BE} {
			b := bytes16(units, e)
			require.Equal(t, runesOf(items), runesOf(oracleDecode(b, e)))
			compareXText(t, b, e, items)
		}
	}
	for n := range thin(5, 3) {
		everyWord(boundaryUnits, n, compare)
	}
}

func TestOracleUTF32AgainstXText(t *testing.T) {
	for n := range thin(4, 3) {
		everyWord(boundaryRunes, n, func(runes []rune) {
			items := oracleUTF32(runes)
			for _, e := range []Encoding{UTF32LE, UTF32BE} {
				b := bytes32(runes, e)
				if got, want := runesOf(oracleDecode(b, e)), runesOf(items); !slices.Equal(got, want) {
					t.Fatalf("oracle: %x as bytes decodes to %x, want %x", runes, got, want)
				}
				// Out of range and surrogates become U+FFFD in the same way as in a string of runes.
				if got, want := string(runesOf(items)), string(runes); got != want {
					t.Fatalf("oracle: %x decodes to %q, string(runes) says %q", runes, got, want)
				}
				if oracleCheck(items, e) == nil && len(b) < 64 {
					compareXText(t, b, e, items)
				}
			}
		})
	}
}

func TestOracleLatin1AgainstXText(t *testing.T) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	compareXText(t, all, Latin1, oracleDecode(all, Latin1))
	require.Equal(t, &Error{Encoding: ASCII, Offset: 128, Len: 1, Kind: KindTooLarge}, oracleCheck(oracleDecode(all, ASCII), ASCII))
}

// xtext has the encodings of golang.org/x/text, which keep byte order marks as text.
var xtext = map[Encoding]encoding.Encoding{
	UTF8:    unicode.UTF8,
	Latin1:  charmap.ISO8859_1,
	UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	UTF32LE: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	UTF32BE: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// compareXText holds items, the oracle's decoding of the well-formed b, and its encoding back to x/text.
func compareXText(t *testing.T, b []byte, e Encoding, items []item) {
	t.Helper()
	text, err := xtext[e].NewDecoder().Bytes(b)
	if got := string(runesOf(items)); err != nil || got != string(text) {
		t.Fatalf("oracle: %v % x decodes to %q, x/text says %q, %v", e, b, got, text, err)
	}
	back, err := xtext[e].NewEncoder().Bytes(text)
	if err != nil || !bytes.Equal(back, b) {
		t.Fatalf("x/text: %v % x does not come back: % x, %v", e, b, back, err)
	}
	var encoded []byte
	for _, it := range items {
		r, ok := oracleEncode(it.r, e)
		if !ok {
			t.Fatalf("oracle: %v cannot hold %U", e, it.r)
		}
		encoded = append(encoded, r...)
	}
	if !bytes.Equal(encoded, b) {
		t.Fatalf("oracle: %v %x encodes to % x, want % x", e, runesOf(items), encoded, b)
	}
}

// TestOracleKinds pins the kind and length that the documentation of Error gives for each UTF-8 fault, which no other library
// can vouch for.
func TestOracleKinds(t *testing.T) {
	for _, row := range faultRows {
		items := oracleDecode([]byte(row.src), row.from)
		at := slices.IndexFunc(items, func(it item) bool { return it.off == row.off })
		require.GreaterOrEqual(t, at, 0, "%v % x", row.from, row.src)
		require.Equal(t, item{off: row.off, n: row.n, kind: row.kind}, items[at], "%v % x", row.from, row.src)
	}
}

// faultRows spells out the table of error kinds, row by row: the sequence at off in src is the first ill-formed one.
var faultRows = []struct {
	from   Encoding
	src    string
	off, n int
	kind   ErrorKind
}{
	// The input ends inside a sequence that could still be completed.
	{UTF8, "\xC2", 0, 1, KindTruncated},
	{UTF8, "a\xDF", 1, 1, KindTruncated},
	{UTF8, "\xE0", 0, 1, KindTruncated},
	{UTF8, "\xE0\xA0", 0, 2, KindTruncated},
	{UTF8, "\xED\x9F", 0, 2, KindTruncated},
	{UTF8, "\xEF\xBF", 0, 2, KindTruncated},
	{UTF8, "\xF0", 0, 1, KindTruncated},
	{UTF8, "\xF0\x90", 0, 2, KindTruncated},
	{UTF8, "\xF0\x90\x80", 0, 3, KindTruncated},
	{UTF8, "abc\xF4\x8F\xBF", 3, 3, KindTruncated},
	{UTF16LE, "\x3D\xD8", 0, 2, KindTruncated},
	{UTF16BE, "\xD8\x3D", 0, 2, KindTruncated},
	{UTF16LE, "\x3D\xD8\x00", 0, 3, KindTruncated},
	{UTF16BE, "\xD8\x3D\xDE", 0, 3, KindTruncated},
	{UTF16BE, "\xD8\x3D\x41", 0, 3, KindTruncated}, // whatever the odd byte is
	{UTF16LE, "a\x00b", 2, 1, KindTruncated},
	{UTF16BE, "\xD8", 0, 1, KindTruncated},
	{UTF32LE, "a", 0, 1, KindTruncated},
	{UTF32LE, "a\x00", 0, 2, KindTruncated},
	{UTF32BE, "\x00\x00\x00", 0, 3, KindTruncated},
	{UTF32BE, "\x00\x00\x00a\xFF\xFF\xFF", 4, 3, KindTruncated},
	// 80..BF where a character should begin.
	{UTF8, "\x80", 0, 1, KindTooLong},
	{UTF8, "a\xBF", 1, 1, KindTooLong},
	{UTF8, "é\x80", 2, 1, KindTooLong},
	{UTF8, "中\x80\x80", 3, 1, KindTooLong},
	{UTF8, "😀\xBF", 4, 1, KindTooLong},
	// C0, C1; E0 then 80..9F; F0 then 80..8F.
	{UTF8, "\xC0", 0, 1, KindOverlong},
	{UTF8, "\xC0\x80", 0, 1, KindOverlong},
	{UTF8, "\xC1\xBFa", 0, 1, KindOverlong},
	{UTF8, "\xC0a", 0, 1, KindOverlong},
	{UTF8, "\xE0\x80", 0, 1, KindOverlong}, // not truncated: nothing can complete it
	{UTF8, "\xE0\x9F\xBF", 0, 1, KindOverlong},
	{UTF8, "\xF0\x80\x80\x80", 0, 1, KindOverlong},
	{UTF8, "\xF0\x8F", 0, 1, KindOverlong},
	// ED then A0..BF; unpaired surrogates.
	{UTF8, "\xED\xA0\x80", 0, 1, KindSurrogate},
	{UTF8, "\xED\xBF\xBF", 0, 1, KindSurrogate},
	{UTF8, "\xED\xA0", 0, 1, KindSurrogate},
	{UTF16LE, "\x00\xD8a\x00", 0, 2, KindSurrogate},
	{UTF16LE, "\x00\xDC", 0, 2, KindSurrogate},
	{UTF16LE, "\x00\xD8\x00\xD8\x00\xDC", 0, 2, KindSurrogate},
	{UTF16BE, "\x00a\xDF\xFF\xDC\x00", 2, 2, KindSurrogate},
	{UTF16BE, "\xDB\xFF\xE0\x00", 0, 2, KindSurrogate},
	{UTF32LE, "\x00\xD8\x00\x00", 0, 4, KindSurrogate},
	{UTF32BE, "\x00\x00\xDF\xFF", 0, 4, KindSurrogate},
	// F4 then 90..BF; UTF-32 above 10FFFF; ASCII source byte >= 80.
	{UTF8, "\xF4\x90\x80\x80", 0, 1, KindTooLarge},
	{UTF8, "\xF4\xBF", 0, 1, KindTooLarge},
	{UTF32LE, "\x00\x00\x11\x00", 0, 4, KindTooLarge},
	{UTF32BE, "\x00\x11\x00\x00", 0, 4, KindTooLarge},
	{UTF32LE, "\x20\x00\x00\x80", 0, 4, KindTooLarge}, // the sign bit of a rune
	{UTF32BE, "\xFF\xFF\xFF\xFF", 0, 4, KindTooLarge},
	{ASCII, "a\x80", 1, 1, KindTooLarge},
	{ASCII, "\xFF", 0, 1, KindTooLarge},
	// F5..FF.
	{UTF8, "\xF5\x80\x80\x80", 0, 1, KindBadLead},
	{UTF8, "\xF8", 0, 1, KindBadLead},
	{UTF8, "ab\xFF", 2, 1, KindBadLead},
	// A lead byte short of continuations, then no continuation.
	{UTF8, "\xC2a", 0, 1, KindTooShort},
	{UTF8, "\xC2\xC2\x80", 0, 1, KindTooShort},
	{UTF8, "\xE0a", 0, 1, KindTooShort},
	{UTF8, "\xE2\x82a", 0, 2, KindTooShort},
	{UTF8, "\xE2\x82\xE2\x82\xAC", 0, 2, KindTooShort},
	{UTF8, "\xEDa", 0, 1, KindTooShort},
	{UTF8, "\xF0a", 0, 1, KindTooShort},
	{UTF8, "\xF0\x9Fa", 0, 2, KindTooShort},
	{UTF8, "\xF0\x9F\x98\xF0", 0, 3, KindTooShort},
	{UTF8, "\xF4\x8F\xBF\xC0", 0, 3, KindTooShort},
	{UTF8, "\xF4\xFF", 0, 1, KindTooShort},
}
