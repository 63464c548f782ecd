package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var lengths = flag.Bool("lengths", false, "benchmark each size from 0 to 64")

// TestWaysAgree finds adapters that do not do what they are compared with.
func TestWaysAgree(t *testing.T) {
	all, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range all {
		for _, n := range slices.Concat(short64(), sizes) {
			if b, ok := cut(text.utf8, n); ok {
				waysAgree(t, text.name, newText(slices.Clone(b)), true)
			}
		}
	}
}

// TestWaysAgreeOnIllFormedText finds validators that let all pass.
func TestWaysAgreeOnIllFormedText(t *testing.T) {
	for _, bad := range []string{"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82", "\xF4\x90\x80\x80", "\xF0\x9F\x98", "\xFF"} {
		for _, n := range []int{0, 1, 2, 5, 10, 11, 20, 21, 22, 43, 50, 1000} {
			good := newText([]byte(strings.Repeat("aé", n)))
			ill := text{
				utf8:   append(slices.Clone(good.utf8), bad+"z"...),
				utf16:  append(slices.Clone(good.utf16), 0xDC00, 'z', 0xD800),
				utf32:  append(slices.Clone(good.utf32), 0xD800, 'z'),
				latin1: good.latin1,
			}
			if utf8.Valid(ill.utf8) {
				t.Fatal("well-formed")
			}
			waysAgree(t, "ill-formed", ill, false)
		}
	}
}

func TestFileWaysAgree(t *testing.T) {
	all, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	f := &files{dir: t.TempDir()}
	for _, op := range fileOps {
		count := 0
		for _, text := range all[:2] {
			if _, ways := op.ways(f, text, op.sizes[0]); ways != nil {
				count++
				if err := agree(ways); err != nil {
					t.Errorf("%s of %s: %v", op.name, text.name, err)
				}
			}
		}
		if count == 0 {
			t.Error(op.name, " suits no text")
		}
	}
}

func waysAgree(t *testing.T, name string, text text, wellFormed bool) {
	t.Helper()
	for _, op := range ops {
		if _, ways := op.ways(text); wellFormed || op.ill {
			if err := check(ways); err != nil {
				t.Errorf("%s of %d bytes of %s: %v", op.name, len(text.utf8), name, err)
			}
		}
	}
}

func TestEachOperationHasABenchmark(t *testing.T) {
	source, err := os.ReadFile("bench_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		if !strings.Contains(string(source), "func Benchmark"+op.name+"(b *testing.B)") {
			t.Error("no benchmark of ", op.name)
		}
	}
}

var sink int

// benchmark runs the operation that the benchmark is named after.
func benchmark(b *testing.B) {
	i := slices.IndexFunc(ops, func(o op) bool { return "Benchmark"+o.name == b.Name() })
	all, err := corpus()
	if err != nil {
		b.Fatal(err)
	}
	sizes := sizes
	if *lengths {
		sizes = short64()
	}
	for _, text := range all {
		from := text.utf8
		if *lengths {
			from = shortOf(from)
		}
		for _, n := range sizes {
			part, ok := cut(from, n)
			if !ok {
				continue
			}
			size, ways := ops[i].ways(newText(part))
			for _, w := range ways {
				b.Run("text="+text.name+"/size="+sizeName(n)+"/way="+w.name, func(b *testing.B) {
					b.SetBytes(int64(size))
					b.ReportAllocs()
					for b.Loop() {
						sink += w.call()
					}
				})
			}
		}
	}
}

func BenchmarkIsASCII(b *testing.B)                  { benchmark(b) }
func BenchmarkASCIIPrefixLen(b *testing.B)           { benchmark(b) }
func BenchmarkValidUTF8(b *testing.B)                { benchmark(b) }
func BenchmarkClassify(b *testing.B)                 { benchmark(b) }
func BenchmarkValidUTF16(b *testing.B)               { benchmark(b) }
func BenchmarkValidUTF32(b *testing.B)               { benchmark(b) }
func BenchmarkRuneCount(b *testing.B)                { benchmark(b) }
func BenchmarkLatin1LenFromUTF8(b *testing.B)        { benchmark(b) }
func BenchmarkUTF32LenFromUTF8(b *testing.B)         { benchmark(b) }
func BenchmarkRuneCountUTF16(b *testing.B)           { benchmark(b) }
func BenchmarkUTF32LenFromUTF16(b *testing.B)        { benchmark(b) }
func BenchmarkUTF16LenFromUTF8(b *testing.B)         { benchmark(b) }
func BenchmarkUTF8LenFromLatin1(b *testing.B)        { benchmark(b) }
func BenchmarkUTF8LenFromUTF16(b *testing.B)         { benchmark(b) }
func BenchmarkUTF8LenFromUTF32(b *testing.B)         { benchmark(b) }
func BenchmarkUTF16LenFromUTF32(b *testing.B)        { benchmark(b) }
func BenchmarkUTF16Offset(b *testing.B)              { benchmark(b) }
func BenchmarkUTF8Offset(b *testing.B)               { benchmark(b) }
func BenchmarkAppendUTF8FromLatin1(b *testing.B)     { benchmark(b) }
func BenchmarkAppendUTF16FromLatin1(b *testing.B)    { benchmark(b) }
func BenchmarkAppendUTF32FromLatin1(b *testing.B)    { benchmark(b) }
func BenchmarkAppendLatin1FromUTF8(b *testing.B)     { benchmark(b) }
func BenchmarkAppendLatin1FromUTF16(b *testing.B)    { benchmark(b) }
func BenchmarkAppendLatin1FromUTF32(b *testing.B)    { benchmark(b) }
func BenchmarkAppendUTF16BEFromUTF16LE(b *testing.B) { benchmark(b) }
func BenchmarkAppendUTF16BEFromUTF8(b *testing.B)    { benchmark(b) }
func BenchmarkAppendUTF8FromUTF16BE(b *testing.B)    { benchmark(b) }
func BenchmarkAppendUTF16FromUTF8(b *testing.B)      { benchmark(b) }
func BenchmarkAppendUTF32FromUTF8(b *testing.B)      { benchmark(b) }
func BenchmarkAppendUTF8FromUTF16(b *testing.B)      { benchmark(b) }
func BenchmarkAppendUTF32FromUTF16(b *testing.B)     { benchmark(b) }
func BenchmarkAppendUTF8FromUTF32(b *testing.B)      { benchmark(b) }
func BenchmarkAppendUTF16FromUTF32(b *testing.B)     { benchmark(b) }
func BenchmarkAppendValidUTF8(b *testing.B)          { benchmark(b) }
