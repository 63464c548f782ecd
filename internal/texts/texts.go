// Package texts holds what the tests of package transcode are fed with: texts of many scripts, boundary values, damaged texts,
// and sources that give them piece by piece. It does not import the library, so that tests inside it can use it too.
package texts

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Scripts lists the scripts that Of knows. The classes of their texts are textClass's.
var Scripts = []string{
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
	for _, s := range Scripts {
		if s != "mixed" {
			textWords["mixed"] = append(textWords["mixed"], textWords[s]...)
		}
	}
}

// unspaced has the scripts that are written without spaces between words.
var unspaced = map[string]bool{"chinese": true, "japanese": true, "emoji": true, "latin1": true}

// Of returns n bytes of text in the given script, the same at every call: whole UTF-8 characters, filled up with
// ASCII where the next character would not fit.
func Of(script string, n int) string {
	words := textWords[script]
	if words == nil {
		panic("texts: unknown script " + script)
	}
	var b strings.Builder
	b.Grow(n)
	r := Rand(len(script))
	for b.Len() < n {
		word := words[r.Intn(len(words))]
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

// Rand is a small deterministic generator (splitmix64), so that inputs never change with the Go release.
type Rand uint64

// Next returns the next value.
func (r *Rand) Next() uint64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Intn returns a value from 0 to n-1.
func (r *Rand) Intn(n int) int { return int(r.Next() % uint64(n)) }

// Pick returns one of the values of list.
func Pick[E any](r *Rand, list []E) E { return list[r.Intn(len(list))] }

// Mutate returns a copy of text with up to n of its bytes replaced, dropped or doubled: mostly well-formed text with
// faults in it.
func Mutate(r *Rand, text string, n int) []byte {
	b := []byte(text)
	for range r.Intn(n + 1) {
		if len(b) == 0 {
			break
		}
		i := r.Intn(len(b))
		switch r.Intn(4) {
		case 0:
			b[i] = byte(r.Next())
		case 1:
			b[i] = Pick(r, BoundaryBytes)
		case 2:
			b = append(b[:i], b[i+1:]...)
		case 3:
			b = append(b[:i+1], b[i:]...)
		}
	}
	return b
}

// BoundaryBytes has the first and last byte of every range in table 3-7 of the Unicode Standard, and the bytes next
// to them.
var BoundaryBytes = []byte{
	0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
	0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
}

// BoundaryUnits has the UTF-16 code units around the class boundaries, and those of byte order marks.
var BoundaryUnits = []uint16{
	0x0000, 0x0041, 0x007F, 0x0080, 0x00FF, 0x0100, 0x07FF, 0x0800,
	0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF,
}

// BoundaryRunes has the code points around the class boundaries, and values that are none.
var BoundaryRunes = []rune{
	0x00, 0x41, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000,
	0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0xCFFFF, 0x10FFFF, 0x110000, 0x7FFFFFFF, -0x80000000, -0x7FFFFFE0, -1,
}

// Fillers has characters of each UTF-8 length, those of two bytes with and without Latin-1. Even ones come first, in runs, then odd
// ones: a kernel that judges several characters at once by the wrong bits is found out by one or the other.
var Fillers = [][]rune{
	{'b', '@', 0x00, 'p', 'a', 0x7F},
	{0xEA, 0xC0, 0x80, 0xFE, 0xE9, 0xFF},
	{0x100, 0x416, 0x7FE, 0x2C0, 0x101, 0x7FF},
	{0x4E00, 0x3042, 0x800, 0xFFFE, 0x4E2D, 0xD7FF},
	{0x1F600, 0x10000, 0x10FFFE, 0x1F680, 0x1D11F, 0x10FFFF},
}

// Fill returns n characters of filler.
func Fill(filler []rune, n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = filler[i%len(filler)]
	}
	return out
}

// EveryWord calls fn with every string of exactly n elements of alphabet. fn must not keep its argument.
func EveryWord[E any](alphabet []E, n int, fn func(word []E)) {
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

// Thin returns full, or short under -short. Runs under the race detector and under emulators use -short.
func Thin(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// ShortThin is the step from length n to the next: 1 for short texts, which have ways of their own, and else as Thin says.
func ShortThin(n, short int) int {
	if n < 18 {
		return 1
	}
	return Thin(1, short)
}

// Every reports whether case n takes part: each in a full run, one in so many in short mode.
func Every(n *int, so int) bool {
	*n++
	return !testing.Short() || *n%so == 0
}
