package transcode

import (
	"encoding/binary"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// textScripts lists the scripts that genText knows. The classes of their texts are textClass's.
var textScripts = []string{
	"ascii", "french", "german", "latin1", "russian", "greek", "arabic", "hebrew",
	"hindi", "thai", "chinese", "japanese", "korean", "emoji", "mixed",
}

// textWords holds a few words of each script; "mixed" draws from all of them.
var textWords = map[string][]string{
	"ascii":    strings.Fields("the quick brown fox jumps over 13 lazy dogs, and then? {\"key\": -0.5e3} sleeps; GET /index.html HTTP/1.1"),
	"french":   strings.Fields("où l'été déjà fini, garçon naïf a été à Noël; un cœur? non: côté forêt, façade, même à l'école"),
	"german":   strings.Fields("über größere Straßen fährt schön müde Bär, Öl und Ähre, 12 Züge für Köln nach München"),
	"latin1":   {"ÀÉÎÕÜ", "ßàéîõüÿ", "÷×§©®", "\u0080\u009F\u00A0", "¡¿", "ÆØÅæøå"},
	"russian":  strings.Fields("Привет, мир! Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."),
	"greek":    strings.Fields("Μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην, ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκε"),
	"arabic":   strings.Fields("يولد جميع الناس أحراراً متساوين في الكرامة والحقوق، وقد وهبوا عقلاً وضميراً"),
	"hebrew":   strings.Fields("בראשית ברא אלהים את השמים ואת הארץ, והארץ היתה תהו ובהו"),
	"hindi":    strings.Fields("सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।"),
	"thai":     strings.Fields("มนุษย์ทั้งหลายเกิดมามีอิสระ และเสมอภาคกันในเกียรติศักดิ์ และสิทธิ"),
	"chinese":  {"人人生而自由", "在尊严和权利上一律平等", "。", "他们赋有理性和良心", "，", "并应以兄弟关系的精神相对待"},
	"japanese": {"すべての人間は", "生まれながらにして自由であり", "、", "尊厳と権利とについて平等である", "。", "ヴィクトル"},
	"korean":   strings.Fields("모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."),
	"emoji":    {"😀😃😄", "🚀🛰", "𝄞𝄢", "👩🏽", "🏴🇫🇷", "𐍈𒀀", "🥐🧀🍷"},
}

func init() {
	for _, s := range textScripts {
		if s != "mixed" {
			textWords["mixed"] = append(textWords["mixed"], textWords[s]...)
		}
	}
}

// unspaced has the scripts that are written without spaces between words.
var unspaced = map[string]bool{"chinese": true, "japanese": true, "emoji": true, "latin1": true}

// genText returns n bytes of text in the given script, the same at every call: whole UTF-8 characters, filled up with
// ASCII where the next character would not fit.
func genText(script string, n int) string {
	words := textWords[script]
	if words == nil {
		panic("genText: unknown script " + script)
	}
	var b strings.Builder
	b.Grow(n)
	r := rng(len(script))
	for b.Len() < n {
		word := words[r.intn(len(words))]
		if b.Len() > 0 && !unspaced[script] {
			b.WriteByte(' ')
		}
		room := n - b.Len()
		if len(word) <= room {
			b.WriteString(word)
			continue
		}
		for room > 0 && !utf8.RuneStart(word[room]) {
			room--
		}
		b.WriteString(word[:room])
		for b.Len() < n {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// textClass returns the class that a long text of the script has.
func textClass(script string) Class {
	switch script {
	case "ascii":
		return ClassASCII
	case "german", "latin1":
		return ClassLatin1
	case "emoji", "mixed":
		return ClassSupplementary
	}
	return ClassBMP // French too: its œ is U+0153
}

// rng is a small deterministic generator (splitmix64), so that inputs never change with the Go release.
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (r *rng) intn(n int) int { return int(r.next() % uint64(n)) }

// pick returns one of the values of list.
func pick[E any](r *rng, list []E) E { return list[r.intn(len(list))] }

// mutate returns a copy of text with up to n of its bytes replaced, dropped or doubled: mostly well-formed text with
// faults in it.
func mutate(r *rng, text string, n int) []byte {
	b := []byte(text)
	for range r.intn(n + 1) {
		if len(b) == 0 {
			break
		}
		i := r.intn(len(b))
		switch r.intn(4) {
		case 0:
			b[i] = byte(r.next())
		case 1:
			b[i] = pick(r, boundaryBytes)
		case 2:
			b = append(b[:i], b[i+1:]...)
		case 3:
			b = append(b[:i+1], b[i:]...)
		}
	}
	return b
}

// boundaryBytes has the first and last byte of every range in table 3-7 of the Unicode Standard, and the bytes next
// to them.
var boundaryBytes = []byte{
	0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
	0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
}

// boundaryUnits has the UTF-16 code units around the class boundaries, and those of byte order marks.
var boundaryUnits = []uint16{
	0x0000, 0x0041, 0x007F, 0x0080, 0x00FF, 0x0100, 0x07FF, 0x0800,
	0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF,
}

// boundaryRunes has the code points around the class boundaries, and values that are none.
var boundaryRunes = []rune{
	0x00, 0x41, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000,
	0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0xCFFFF, 0x10FFFF, 0x110000, 0x7FFFFFFF, -0x80000000, -0x7FFFFFE0, -1,
}

// fillers has characters of each UTF-8 length, those of two bytes with and without Latin-1. Even ones come first, in runs, then odd
// ones: a kernel that judges several characters at once by the wrong bits is found out by one or the other.
var fillers = [][]rune{
	{'b', '@', 0x00, 'p', 'a', 0x7F},
	{0xEA, 0xC0, 0x80, 0xFE, 0xE9, 0xFF},
	{0x100, 0x416, 0x7FE, 0x2C0, 0x101, 0x7FF},
	{0x4E00, 0x3042, 0x800, 0xFFFE, 0x4E2D, 0xD7FF},
	{0x1F600, 0x10000, 0x10FFFE, 0x1F680, 0x1D11F, 0x10FFFF},
}

// fill returns n characters of filler.
func fill(filler []rune, n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = filler[i%len(filler)]
	}
	return out
}

// rawUTF8 encodes r by the pattern of UTF-8 without looking at whether that is allowed, so that surrogates and values
// above U+10FFFF get the bytes that a careless encoder gives them.
func rawUTF8(r uint32) []byte {
	switch {
	case r < 0x80:
		return []byte{byte(r)}
	case r < 0x800:
		return []byte{0xC0 | byte(r>>6), 0x80 | byte(r&0x3F)}
	case r < 0x10000:
		return []byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)}
	}
	return []byte{0xF0 | byte(r>>18&7), 0x80 | byte(r>>12&0x3F), 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)}
}

// bytes16 stores units in the byte order of e.
func bytes16(units []uint16, e Encoding) []byte {
	order := binary.AppendByteOrder(binary.LittleEndian)
	if e == UTF16BE {
		order = binary.BigEndian
	}
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		out = order.AppendUint16(out, u)
	}
	return out
}

// bytes32 stores runes in the byte order of e.
func bytes32(runes []rune, e Encoding) []byte {
	order := binary.AppendByteOrder(binary.LittleEndian)
	if e == UTF32BE {
		order = binary.BigEndian
	}
	out := make([]byte, 0, 4*len(runes))
	for _, r := range runes {
		out = order.AppendUint32(out, uint32(r))
	}
	return out
}

// unitsOf16 reads whole little-endian units from b.
func unitsOf16(b []byte) []uint16 {
	out := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		out = append(out, binary.LittleEndian.Uint16(b))
	}
	return out
}

// unitsOf32 reads whole little-endian units from b.
func unitsOf32(b []byte) []rune {
	out := make([]rune, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, rune(binary.LittleEndian.Uint32(b)))
	}
	return out
}

// everyWord calls fn with every string of exactly n elements of alphabet. fn must not keep its argument.
func everyWord[E any](alphabet []E, n int, fn func(word []E)) {
	word := make([]E, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			fn(word)
			return
		}
		for _, e := range alphabet {
			word[i] = e
			fill(i + 1)
		}
	}
	fill(0)
}

// thin returns full, or short under -short. Runs under the race detector and under emulators use -short.
func thin(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// shortThin is the step from length n to the next: 1 for short texts, which have ways of their own, and else as thin says.
func shortThin(n, short int) int {
	if n < 18 {
		return 1
	}
	return thin(1, short)
}

func TestGenText(t *testing.T) {
	for _, script := range textScripts {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 16, 140, 4096, 70000} {
			text := genText(script, n)
			require.Len(t, text, n, script)
			require.True(t, utf8.ValidString(text), "%s %d", script, n)
			require.Equal(t, text, genText(script, n))
			if n >= 4096 {
				require.Equal(t, textClass(script), Classify(text), script)
			}
		}
	}
}

// Sources for what reads: in pieces, with every kind of trouble.

// pieces is a source that gives a piece for each call of Read.
type pieces struct {
	rest [][]byte
	err  error // what follows the last piece, io.EOF if nil
	with bool  // it comes with the last piece
}

func (p *pieces) Read(b []byte) (n int, err error) {
	if len(p.rest) > 0 {
		n = copy(b, p.rest[0])
		p.rest[0] = p.rest[0][n:]
		if len(p.rest[0]) == 0 {
			p.rest = p.rest[1:]
		}
		if len(p.rest) > 0 || !p.with {
			return n, nil
		}
	}
	if p.err == nil {
		return n, io.EOF
	}
	return n, p.err
}

// cutAt returns src in pieces that end at the given places.
func cutAt(src []byte, places ...int) [][]byte {
	var cut [][]byte
	from := 0
	for _, at := range append(places, len(src)) {
		cut = append(cut, src[from:at])
		from = at
	}
	return cut
}

// splits yields src whole, in every two and three pieces, empty ones among them, and byte for byte.
func splits(src []byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		if !yield(cutAt(src)) {
			return
		}
		for i := range len(src) + 1 {
			for j := i; j <= len(src); j++ {
				if !yield(cutAt(src, i, j)) {
					return
				}
			}
		}
		var each [][]byte
		for i := range src {
			each = append(each, src[i:i+1])
		}
		yield(each)
	}
}

// A sourceText is a short text of the encoding e, with something wrong in it.
type sourceText struct {
	name string
	e    Encoding
	src  []byte
}

func utf16Units(e Encoding, units ...uint16) []byte { return bytes16(units, e) }

func utf32Units(e Encoding, units ...rune) []byte { return bytes32(units, e) }

// faults lists every kind of ill-formed sequence of an encoding; what a text may end with only, last.
func faults(e Encoding) (anywhere, atEnd [][]byte) {
	switch e {
	case UTF8:
		for _, s := range []string{"\x80", "\xBF\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xE0\x9F", "\xE0\xA0", "\xE2\x82", "\xED\xA0\x80",
			"\xED\xBF", "\xEF\xBB", "\xF0\x80\x80\x80", "\xF0\x8F", "\xF0\x90", "\xF0\x9F\x98", "\xF4\x8F\xBF", "\xF4\x90\x80\x80", "\xF5\x80", "\xFF", "\xFE\xFF"} {
			anywhere = append(anywhere, []byte(s))
		}
	case ASCII:
		anywhere = [][]byte{{0x80}, {0xE9}, {0xFF, 0xFE}}
	case UTF16LE, UTF16BE:
		anywhere = [][]byte{utf16Units(e, 0xD800), utf16Units(e, 0xDBFF), utf16Units(e, 0xDC00), utf16Units(e, 0xDFFF), utf16Units(e, 0xDE00, 0xD83D),
			utf16Units(e, 0xD800, 0xD800), utf16Units(e, 0xDC00, 0xDC00)}
		atEnd = [][]byte{{0x61}, {0xD8}, append(utf16Units(e, 0xD800), 0xDC), append(utf16Units(e, 0xD800), 0), append(utf16Units(e, 0xDC00), 0xD8)}
	case UTF32LE, UTF32BE:
		anywhere = [][]byte{utf32Units(e, 0xD800), utf32Units(e, 0xDFFF), utf32Units(e, 0x110000), utf32Units(e, -1), utf32Units(e, 0xDC00, math.MinInt32)}
		atEnd = [][]byte{{0x61}, {0, 0xD8}, {0, 0, 0x11}, {0xFF, 0xFE}}
	}
	return anywhere, atEnd
}

// faultyTexts returns short texts with each fault at the start, in the middle and at the end.
func faultyTexts(e Encoding) []sourceText {
	before, behind := encoded(e, "é\n"), encoded(e, "€😀a")
	switch e {
	case ASCII:
		before, behind = []byte("ab\n"), []byte("cde")
	case Latin1:
		before, behind = []byte("a\xE9\n"), []byte("\xFF\x80b")
	}
	texts := []sourceText{{"good", e, slices.Concat(before, behind)}, {"empty", e, nil}}
	anywhere, atEnd := faults(e)
	for _, f := range anywhere {
		texts = append(texts,
			sourceText{"first", e, slices.Concat(f, before)},
			sourceText{"between", e, slices.Concat(before, f, behind)},
			sourceText{"alone", e, f})
	}
	for _, f := range append(anywhere, atEnd...) {
		texts = append(texts, sourceText{"last", e, slices.Concat(behind, f)})
	}
	return texts
}

// torture returns a text with every fault beside every other.
func torture(e Encoding) []byte {
	anywhere, atEnd := faults(e)
	b := encoded(e, "a€\n")
	for i, f := range anywhere {
		for _, g := range anywhere[i:] {
			b = slices.Concat(b, f, g)
		}
		b = append(b, encoded(e, []string{"é", "\n", "😀", "\r\n", "\uFEFF"}[i%5])...)
	}
	for _, f := range atEnd[:min(1, len(atEnd))] {
		b = append(b, f...)
	}
	return b
}

// every reports whether case n takes part: each in a full run, one in so many in short mode.
func every(n *int, so int) bool {
	*n++
	return !testing.Short() || *n%so == 0
}
