package tests

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// Benchmarks are named Ops/operation/text/size/way=…. The ways are "ours", "std" (the best that the standard library offers, into a
// reused buffer) and "xtext" (golang.org/x/text, into a reused buffer): both sides of a comparison stand in one run. Rates are of the
// text's size in the source encoding.
//
// The texts are made up, in several scripts; if TRANSCODE_CORPUS names a folder, the files */*.utf8.txt in it are measured too, whole.
//
//	go test -run '^$' -bench 'Ops/AppendUTF16FromUTF8/(ascii|russian)' -count 6 ./tests > new.txt && benchstat -col /way new.txt

// benchSizes are the sizes in bytes of UTF-8. Most texts in practice are short.
var benchSizes = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64, 140, 4 << 10, 64 << 10, 1 << 20}

var benchScripts = []string{"ascii", "french", "russian", "chinese", "emoji", "mixed"}

// benchText is a text in every form that an operation may start from.
type benchText struct {
	utf8  []byte
	utf16 []uint16
	utf32 []rune
}

// benchWay is one way to do an operation with a text.
type benchWay struct {
	name string
	run  func()
}

// benchOp is an operation. ways returns nil if the text does not suit, and the size of its source in bytes.
type benchOp struct {
	name string
	ways func(t benchText) (size int, ways []benchWay)
}

var benchSink int

var benchOps = []benchOp{
	{"IsASCII", func(t benchText) (int, []benchWay) {
		return len(t.utf8), []benchWay{
			{"ours", func() { benchSink += b2i(transcode.IsASCII(t.utf8)) }},
			{"std", func() { benchSink += b2i(stdIsASCII(t.utf8)) }},
		}
	}},
	{"ValidUTF8", func(t benchText) (int, []benchWay) {
		return len(t.utf8), []benchWay{
			{"ours", func() { benchSink += b2i(transcode.ValidUTF8(t.utf8)) }},
			{"std", func() { benchSink += b2i(utf8.Valid(t.utf8)) }},
		}
	}},
	{"Classify", func(t benchText) (int, []benchWay) {
		return len(t.utf8), []benchWay{{"ours", func() { benchSink += int(transcode.Classify(t.utf8)) }}}
	}},
	{"RuneCount", func(t benchText) (int, []benchWay) {
		s := string(t.utf8)
		return len(t.utf8), []benchWay{
			{"ours", func() { benchSink += transcode.RuneCount(s) }},
			{"std", func() { benchSink += utf8.RuneCountInString(s) }},
		}
	}},
	{"UTF16LenFromUTF8", func(t benchText) (int, []benchWay) {
		s := string(t.utf8)
		return len(t.utf8), []benchWay{
			{"ours", func() { benchSink += transcode.UTF16LenFromUTF8(s) }},
			{"std", func() { benchSink += stdUTF16Len(s) }},
		}
	}},
	{"UTF8LenFromUTF16", func(t benchText) (int, []benchWay) {
		return 2 * len(t.utf16), []benchWay{
			{"ours", func() { benchSink += transcode.UTF8LenFromUTF16(t.utf16) }},
			{"std", func() { benchSink += stdUTF8Len(t.utf16) }},
		}
	}},
	{"UTF8LenFromUTF32", func(t benchText) (int, []benchWay) {
		return 4 * len(t.utf32), []benchWay{
			{"ours", func() { benchSink += transcode.UTF8LenFromUTF32(t.utf32) }},
			{"std", func() { benchSink += stdUTF8LenRunes(t.utf32) }},
		}
	}},
	{"ValidUTF16", func(t benchText) (int, []benchWay) {
		return 2 * len(t.utf16), []benchWay{{"ours", func() { benchSink += b2i(transcode.ValidUTF16(t.utf16)) }}}
	}},
	{"ValidUTF32", func(t benchText) (int, []benchWay) {
		return 4 * len(t.utf32), []benchWay{
			{"ours", func() { benchSink += b2i(transcode.ValidUTF32(t.utf32)) }},
			{"std", func() { benchSink += b2i(stdValidRunes(t.utf32)) }},
		}
	}},
	{"AppendUTF16FromUTF8", func(t benchText) (int, []benchWay) {
		s, dst := string(t.utf8), make([]uint16, 0, len(t.utf8))
		return len(s), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendUTF16FromUTF8(dst[:0], s) }},
			{"std", func() { dst = stdUTF16FromUTF8(dst[:0], s) }},
		}
	}},
	{"AppendUTF32FromUTF8", func(t benchText) (int, []benchWay) {
		s, dst := string(t.utf8), make([]rune, 0, len(t.utf8))
		return len(s), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendUTF32FromUTF8(dst[:0], s) }},
			{"std", func() { dst = stdUTF32FromUTF8(dst[:0], s) }},
		}
	}},
	{"AppendUTF8FromUTF16", func(t benchText) (int, []benchWay) {
		dst := make([]byte, 0, 3*len(t.utf16))
		return 2 * len(t.utf16), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendUTF8FromUTF16(dst[:0], t.utf16) }},
			{"std", func() { dst = stdUTF8FromUTF16(dst[:0], t.utf16) }},
		}
	}},
	{"AppendUTF32FromUTF16", func(t benchText) (int, []benchWay) {
		dst := make([]rune, 0, len(t.utf16))
		return 2 * len(t.utf16), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendUTF32FromUTF16(dst[:0], t.utf16) }},
			{"std", func() { dst = stdUTF32FromUTF16(dst[:0], t.utf16) }},
		}
	}},
	{"AppendUTF8FromUTF32", func(t benchText) (int, []benchWay) {
		dst := make([]byte, 0, 4*len(t.utf32))
		return 4 * len(t.utf32), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendUTF8FromUTF32(dst[:0], t.utf32) }},
			{"std", func() { dst = stdUTF8FromUTF32(dst[:0], t.utf32) }},
		}
	}},
	{"AppendUTF16FromUTF32", func(t benchText) (int, []benchWay) {
		dst := make([]uint16, 0, 2*len(t.utf32))
		return 4 * len(t.utf32), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendUTF16FromUTF32(dst[:0], t.utf32) }},
			{"std", func() { dst = stdUTF16FromUTF32(dst[:0], t.utf32) }},
		}
	}},
	{"AppendLatin1FromUTF8", func(t benchText) (int, []benchWay) {
		s, dst := string(t.utf8), make([]byte, 0, len(t.utf8))
		if transcode.Classify(s) > transcode.ClassLatin1 {
			return 0, nil
		}
		return len(s), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendLatin1FromUTF8(dst[:0], s) }},
			{"std", func() { dst = stdLatin1FromUTF8(dst[:0], s) }},
			xtextWay(charmap.ISO8859_1.NewEncoder(), t.utf8),
		}
	}},
	{"AppendLatin1FromUTF16", func(t benchText) (int, []benchWay) {
		dst := make([]byte, 0, len(t.utf16))
		if transcode.Classify(t.utf8) > transcode.ClassLatin1 {
			return 0, nil
		}
		return 2 * len(t.utf16), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendLatin1FromUTF16(dst[:0], t.utf16) }},
			{"std", func() { dst = stdLatin1FromUTF16(dst[:0], t.utf16) }},
		}
	}},
	{"AppendLatin1FromUTF32", func(t benchText) (int, []benchWay) {
		dst := make([]byte, 0, len(t.utf32))
		if transcode.Classify(t.utf8) > transcode.ClassLatin1 {
			return 0, nil
		}
		return 4 * len(t.utf32), []benchWay{
			{"ours", func() { dst, _ = transcode.AppendLatin1FromUTF32(dst[:0], t.utf32) }},
			{"std", func() { dst = stdLatin1FromUTF32(dst[:0], t.utf32) }},
		}
	}},
	{"AppendUTF8FromLatin1", func(t benchText) (int, []benchWay) {
		src, err := transcode.AppendLatin1FromUTF8(nil, t.utf8)
		if err != nil {
			return 0, nil
		}
		dst := make([]byte, 0, 2*len(src))
		return len(src), []benchWay{
			{"ours", func() { dst = transcode.AppendUTF8FromLatin1(dst[:0], src) }},
			{"std", func() { dst = stdUTF8FromLatin1(dst[:0], src) }},
			xtextWay(charmap.ISO8859_1.NewDecoder(), src),
		}
	}},
	{"AppendUTF16FromLatin1", func(t benchText) (int, []benchWay) {
		src, err := transcode.AppendLatin1FromUTF8(nil, t.utf8)
		if err != nil {
			return 0, nil
		}
		dst := make([]uint16, 0, len(src))
		return len(src), []benchWay{
			{"ours", func() { dst = transcode.AppendUTF16FromLatin1(dst[:0], src) }},
			{"std", func() { dst = stdUTF16FromLatin1(dst[:0], src) }},
		}
	}},
	{"AppendUTF32FromLatin1", func(t benchText) (int, []benchWay) {
		src, err := transcode.AppendLatin1FromUTF8(nil, t.utf8)
		if err != nil {
			return 0, nil
		}
		dst := make([]rune, 0, len(src))
		return len(src), []benchWay{
			{"ours", func() { dst = transcode.AppendUTF32FromLatin1(dst[:0], src) }},
			{"std", func() { dst = stdUTF32FromLatin1(dst[:0], src) }},
		}
	}},
	{"AppendValidUTF8", func(t benchText) (int, []benchWay) {
		dst := make([]byte, 0, len(t.utf8))
		return len(t.utf8), []benchWay{
			{"ours", func() { dst = transcode.AppendValidUTF8(dst[:0], t.utf8) }},
			{"std", func() { benchSink += len(bytes.ToValidUTF8(t.utf8, []byte("\uFFFD"))) }},
			xtextWay(unicode.UTF8.NewDecoder(), t.utf8),
		}
	}},
	{"Append/UTF-16LE-UTF-8", func(t benchText) (int, []benchWay) {
		src, dst := benchBytes(transcode.UTF16LE, t), make([]byte, 0, 3*len(t.utf16))
		return len(src), []benchWay{
			{"ours", func() { dst, _ = transcode.Append(dst[:0], transcode.UTF8, src, transcode.UTF16LE) }},
			{"std", func() { dst = stdUTF8FromUTF16LE(dst[:0], src) }},
			xtextWay(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder(), src),
		}
	}},
	{"Append/UTF-8-UTF-16BE", func(t benchText) (int, []benchWay) {
		dst := make([]byte, 0, 2*len(t.utf8))
		return len(t.utf8), []benchWay{
			{"ours", func() { dst, _ = transcode.Append(dst[:0], transcode.UTF16BE, t.utf8, transcode.UTF8) }},
			{"std", func() { dst = stdUTF16BEFromUTF8(dst[:0], t.utf8) }},
			xtextWay(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder(), t.utf8),
		}
	}},
	{"Append/UTF-32LE-UTF-8", func(t benchText) (int, []benchWay) {
		src, dst := benchBytes(transcode.UTF32LE, t), make([]byte, 0, 4*len(t.utf32))
		return len(src), []benchWay{
			{"ours", func() { dst, _ = transcode.Append(dst[:0], transcode.UTF8, src, transcode.UTF32LE) }},
			{"std", func() { dst = stdUTF8FromUTF32LE(dst[:0], src) }},
			xtextWay(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM).NewDecoder(), src),
		}
	}},
	{"Decode", func(t benchText) (int, []benchWay) {
		return len(t.utf8), []benchWay{{"ours", func() { text, _ := transcode.Decode(t.utf8); benchSink += text.Len() }}}
	}},
	{"UTF16Offset", func(t benchText) (int, []benchWay) {
		s := string(t.utf8)
		return len(s), []benchWay{
			{"ours", func() { benchSink += transcode.UTF16Offset(s, len(s)) }},
			{"std", func() { benchSink += stdUTF16Len(s) }},
		}
	}},
	{"Read/UTF-16LE", func(t benchText) (int, []benchWay) {
		src := benchBytes(transcode.UTF16LE, t)
		in, r, buf := bytes.NewReader(src), transcode.NewReader(nil, transcode.UTF16LE), make([]byte, 32<<10)
		return len(src), []benchWay{
			{"ours", func() { in.Reset(src); r.Reset(in); io.CopyBuffer(onlyWriter{io.Discard}, r, buf) }},
			{"xtext", func() {
				in.Reset(src)
				x := transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
				io.CopyBuffer(onlyWriter{io.Discard}, x, buf)
			}},
		}
	}},
	{"Lines", func(t benchText) (int, []benchWay) {
		src := slices.Clone(t.utf8)
		for i := 0; i < len(src); i++ { // lines of about 80 bytes
			if src[i] == ' ' && i%80 > 72 {
				src[i] = '\n'
			}
		}
		in, r := bytes.NewReader(src), transcode.NewReader(nil, transcode.UTF8)
		return len(src), []benchWay{
			{"ours", func() {
				in.Reset(src)
				r.Reset(in)
				for line := range r.Lines() {
					benchSink += len(line.Text)
				}
			}},
			{"std", func() { in.Reset(src); benchSink += stdLines(in) }},
		}
	}},
}

// onlyWriter hides every method but Write.
type onlyWriter struct{ io.Writer }

func BenchmarkOps(b *testing.B) {
	corpus := benchCorpus(b)
	for _, op := range benchOps {
		b.Run(op.name, func(b *testing.B) {
			for _, script := range benchScripts {
				for _, n := range benchSizes {
					benchOneText(b, op, fmt.Sprintf("%s/%d", script, n), []byte(texts.Of(script, n)))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(corpus)) {
				benchOneText(b, op, name+"/whole", corpus[name])
			}
		})
	}
}

func benchOneText(b *testing.B, op benchOp, name string, text []byte) {
	units, err := transcode.AppendUTF16FromUTF8(nil, text)
	if err != nil {
		b.Fatal(name, err)
	}
	runes, _ := transcode.AppendUTF32FromUTF8(nil, text)
	size, ways := op.ways(benchText{text, units, runes})
	for _, way := range ways {
		b.Run(name+"/way="+way.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				way.run()
			}
		})
	}
}

// benchCorpus returns the texts of the folder that TRANSCODE_CORPUS names, by folder and name.
func benchCorpus(b *testing.B) map[string][]byte {
	corpus := make(map[string][]byte)
	dir := os.Getenv("TRANSCODE_CORPUS")
	if dir == "" {
		return corpus
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.utf8.txt"))
	if err != nil || len(files) == 0 {
		b.Fatal("no texts in TRANSCODE_CORPUS: ", dir, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file)) + "-" + strings.TrimSuffix(filepath.Base(file), ".utf8.txt")
		corpus[name] = text
	}
	return corpus
}

// benchBytes returns t in the encoding e.
func benchBytes(e transcode.Encoding, t benchText) []byte {
	b, _ := transcode.Append(nil, e, t.utf8, transcode.UTF8)
	return b
}

// xtextWay runs a transformer of x/text into a buffer that is large enough.
func xtextWay(t transform.Transformer, src []byte) benchWay {
	if d, ok := t.(*encoding.Decoder); ok {
		t = d.Transformer
	}
	if e, ok := t.(*encoding.Encoder); ok {
		t = e.Transformer
	}
	dst := make([]byte, 4*len(src)+16)
	return benchWay{"xtext", func() {
		t.Reset()
		n, _, err := t.Transform(dst, src, true)
		if err != nil {
			panic(err)
		}
		benchSink += n
	}}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The standard library's ways. They are called out of line, as ours are.

//go:noinline
func stdIsASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

//go:noinline
func stdUTF16Len(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF8Len(units []uint16) (n int) {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		}
		n += utf8.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF8LenRunes(runes []rune) (n int) {
	for _, r := range runes {
		n += utf8.RuneLen(r)
	}
	return n
}

//go:noinline
func stdValidRunes(runes []rune) bool {
	for _, r := range runes {
		if !utf8.ValidRune(r) {
			return false
		}
	}
	return true
}

//go:noinline
func stdUTF16FromUTF8(dst []uint16, s string) []uint16 {
	for _, r := range s {
		dst = utf16.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF32FromUTF8(dst []rune, s string) []rune {
	for _, r := range s {
		dst = append(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF16(dst []byte, units []uint16) []byte {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF32FromUTF16(dst []rune, units []uint16) []rune {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		}
		dst = append(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF32(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF16FromUTF32(dst []uint16, runes []rune) []uint16 {
	for _, r := range runes {
		dst = utf16.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdLatin1FromUTF8(dst []byte, s string) []byte {
	for _, r := range s {
		if r > 0xFF {
			return dst
		}
		dst = append(dst, byte(r))
	}
	return dst
}

//go:noinline
func stdLatin1FromUTF16(dst []byte, units []uint16) []byte {
	for _, u := range units {
		if u > 0xFF {
			return dst
		}
		dst = append(dst, byte(u))
	}
	return dst
}

//go:noinline
func stdLatin1FromUTF32(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		if r > 0xFF {
			return dst
		}
		dst = append(dst, byte(r))
	}
	return dst
}

//go:noinline
func stdUTF8FromLatin1(dst, src []byte) []byte {
	for _, c := range src {
		dst = utf8.AppendRune(dst, rune(c))
	}
	return dst
}

//go:noinline
func stdUTF16FromLatin1(dst []uint16, src []byte) []uint16 {
	for _, c := range src {
		dst = append(dst, uint16(c))
	}
	return dst
}

//go:noinline
func stdUTF32FromLatin1(dst []rune, src []byte) []rune {
	for _, c := range src {
		dst = append(dst, rune(c))
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF16LE(dst, src []byte) []byte {
	for i := 0; i+1 < len(src); i += 2 {
		r := rune(binary.LittleEndian.Uint16(src[i:]))
		if utf16.IsSurrogate(r) && i+3 < len(src) {
			r = utf16.DecodeRune(r, rune(binary.LittleEndian.Uint16(src[i+2:])))
			i += 2
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF16BEFromUTF8(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		i += n
		if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
			dst = binary.BigEndian.AppendUint16(dst, uint16(r1))
			r = r2
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(r))
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF32LE(dst, src []byte) []byte {
	for i := 0; i+3 < len(src); i += 4 {
		dst = utf8.AppendRune(dst, rune(binary.LittleEndian.Uint32(src[i:])))
	}
	return dst
}

//go:noinline
func stdLines(r io.Reader) (n int) {
	for sc := bufio.NewScanner(r); sc.Scan(); {
		n += len(sc.Bytes())
	}
	return n
}
