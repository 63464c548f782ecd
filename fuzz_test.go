package transcode

import (
	"testing"
	"unicode/utf8"
)

// The seeds are in testdata/fuzz, a folder for each target, each file named for the trouble that it is about. Run one with
//
//	go test -run '^$' -fuzz '^FuzzUTF8$' -fuzztime 100000x

// FuzzUTF8 takes the input for UTF-8: validation, classes, counts, offsets and every conversion, under every policy.
func FuzzUTF8(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		if ValidUTF8(src) != utf8.Valid(src) {
			t.Fatalf("ValidUTF8 of % x: %v", src, ValidUTF8(src))
		}
		if utf8.Valid(src) && RuneCount(src) != utf8.RuneCount(src) {
			t.Fatalf("RuneCount of % x: %d", src, RuneCount(src))
		}
		checkUTF8(t, src)
		checkOffsets(t, string(src[:min(len(src), 500)]))
		fuzzSource(t, src, UTF8)
	})
}

// FuzzUTF16 takes the input for UTF-16: its whole code units for the functions of []uint16, and all bytes in both orders.
func FuzzUTF16(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		checkUTF16(t, unitsOf16(src))
		fuzzSource(t, src, UTF16LE)
		fuzzSource(t, src, UTF16BE)
	})
}

// FuzzUTF32 takes the input for UTF-32: its whole code units for the functions of []rune, and all bytes in both orders.
func FuzzUTF32(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		checkUTF32(t, unitsOf32(src))
		fuzzSource(t, src, UTF32LE)
		fuzzSource(t, src, UTF32BE)
	})
}

// FuzzLatin1 takes the input for Latin-1 and for ASCII.
func FuzzLatin1(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		checkLatin1(t, src)
		checkUTF8(t, AppendUTF8FromLatin1(nil, src))
		fuzzSource(t, src, Latin1)
		fuzzSource(t, src, ASCII)
	})
}

// fuzzSource converts src from one encoding to all, under every policy, and holds all errorRoutes to one error.
func fuzzSource(t *testing.T, src []byte, from Encoding) {
	for _, to := range everyEncoding {
		for _, p := range everyPolicy {
			checkPair(t, Transcoder{From: from, To: to, OnError: p}, src)
		}
		checkRoutes(t, src, from, to)
	}
}

// FuzzAppendPairs takes any configuration through all at once and through a Stream, in pieces and destinations that seed chooses.
func FuzzAppendPairs(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, from, to, policy, bom byte, addBOM bool, seed uint64) {
		tr := Transcoder{
			From:    everyEncoding[int(from)%len(everyEncoding)],
			To:      everyEncoding[int(to)%len(everyEncoding)],
			OnError: everyPolicy[int(policy)%len(everyPolicy)],
			BOM:     everyBOMPolicy[int(bom)%len(everyBOMPolicy)],
			AddBOM:  addBOM,
		}
		checkPair(t, tr, src)
		checkText(t, tr, src)
		r := rng(seed)
		var cuts []int
		for at := r.intn(5); at < len(src); at += r.intn(1 + r.intn(40)) {
			if cuts = append(cuts, at); len(cuts) > 2*len(src)+2 {
				break // pieces may be empty, but not for ever
			}
		}
		dstLens := []int{r.intn(17), r.intn(64), r.intn(9)}
		checkStream(t, tr.NewStream(), tr, oracleTranscode(tr, src), src, cuts, dstLens)
	})
}

// FuzzDetect holds Detect to what its answer says about the sample.
func FuzzDetect(f *testing.F) {
	f.Fuzz(func(t *testing.T, sample []byte) {
		checkDetect(t, sample)
	})
}

// FuzzText decodes to the smallest form, from every encoding.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte, policy, bom byte) {
		checkDecode(t, src)
		for _, from := range everyEncoding {
			checkText(t, Transcoder{From: from, OnError: everyPolicy[int(policy)%len(everyPolicy)], BOM: everyBOMPolicy[int(bom)%len(everyBOMPolicy)]}, src)
		}
	})
}
