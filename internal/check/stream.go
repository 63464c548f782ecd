package check

import (
	"bytes"
	"slices"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
)

// Stream passes text to s, whose configuration is tr, in pieces that end at cuts, into destinations whose lengths
// come from dstLens in turn, and compares with the verdict v of the whole text. It resets s first.
func Stream(t testing.TB, s *transcode.Stream, tr transcode.Transcoder, v Verdict, text []byte, cuts, dstLens []int) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%+v % x in pieces at %v into %v bytes: "+format, append([]any{tr, text, cuts, dstLens}, args...)...)
	}
	s.Reset()
	const canary = 0xA5
	var (
		out      = make([]byte, 0, len(v.Out))
		pos, end int // text[pos:end] is what Transform sees next
		dstBuf   [64 + 8]byte
		calls    int
		larger   int // bytes added to the next destination, after one that was too small for the next character
	)
	for {
		atEOF := len(cuts) == 0
		if atEOF {
			end = len(text)
		} else {
			end = max(pos, min(cuts[0], len(text)))
		}
		room := min(dstLens[calls%len(dstLens)]+larger, 64)
		calls++
		if calls > 20*(len(text)+10)+len(cuts) {
			fail("does not end")
		}
		for i := range dstBuf {
			dstBuf[i] = canary
		}
		// The bytes behind the piece are those of the text: a stream that looks at them is found out.
		nDst, nSrc, err := s.Transform(dstBuf[:room], text[pos:end], atEOF)
		if nDst < 0 || nDst > room || nSrc < 0 || nSrc > end-pos {
			fail("call %d: nDst %d, nSrc %d", calls, nDst, nSrc)
		}
		for _, b := range dstBuf[room:] {
			if b != canary {
				fail("call %d writes behind dst", calls)
			}
		}
		if err == nil {
			for _, b := range dstBuf[nDst:room] {
				if b != canary {
					fail("call %d writes behind its result", calls)
				}
			}
		}
		out = append(out, dstBuf[:nDst]...)
		if !bytes.HasPrefix(v.Out, out) {
			fail("call %d: output so far % x, want % x", calls, out, v.Out)
		}
		if FirstFault(oracle.Decode(dstBuf[:nDst], tr.To), tr.To) != nil {
			fail("call %d writes % x, no whole characters", calls, dstBuf[:nDst])
		}
		pos += nSrc
		if got := s.InputOffset(); got != int64(pos) {
			fail("call %d: InputOffset %d, want %d", calls, got, pos)
		}
		larger = 0
		switch {
		case err == nil:
			if pos != end {
				fail("call %d takes %d bytes of %d, no error", calls, nSrc, nSrc+end-pos)
			}
			if atEOF {
				if v.Err != nil || len(out) != len(v.Out) {
					fail("output % x, no error, want % x, %+v", out, v.Out, v.Err)
				}
				if got := s.Replaced(); got != v.Replaced {
					fail("Replaced %d, want %d", got, v.Replaced)
				}
				if got := s.Encoding(); got != v.From {
					fail("Encoding %v, want %v", got, v.From)
				}
				return
			}
			cuts = cuts[1:]
		case err == transcode.ErrShortDst:
			if room >= 8 && nDst == 0 && nSrc == 0 {
				fail("call %d: no progress with %d bytes of room", calls, room)
			}
			if next := nextOutput(tr, v, pos, len(out)); room-nDst >= next {
				fail("call %d: ErrShortDst with %d bytes of room for %d", calls, room-nDst, next)
			}
			if nDst == 0 {
				larger = 8
			}
		case err == transcode.ErrShortSrc:
			if atEOF || pos == end || end-pos > 3 {
				fail("call %d: ErrShortSrc, %d bytes left, atEOF %v", calls, end-pos, atEOF)
			}
			rest := oracle.Decode(text[pos:end], v.From)[0]
			if rest.Kind != oracle.KindTruncated && (pos > 0 || !beginsBOM(tr, text[:end])) {
				fail("call %d: ErrShortSrc at %d, where nothing is unfinished", calls, pos)
			}
			cuts = cuts[1:]
		default:
			if !IsError(err, v.Err) {
				fail("error %+v, want %+v", err, v.Err)
			}
			if int64(pos) != v.Err.Offset || len(out) != len(v.Out) {
				fail("error with %d bytes taken and output % x, want %d and % x", pos, out, v.Err.Offset, v.Out)
			}
			nDst, nSrc, again := s.Transform(dstBuf[:64], text[pos:], true)
			if nDst != 0 || nSrc != 0 || !IsError(again, v.Err) {
				fail("the call after an error gives %d, %d, %+v", nDst, nSrc, again)
			}
			return
		}
	}
}

// beginsBOM reports whether src is the beginning of a byte order mark that tr would act on.
func beginsBOM(tr transcode.Transcoder, src []byte) bool {
	if tr.BOM == transcode.BOMStrip {
		return bytes.HasPrefix(oracle.BOM(tr.From), src)
	}
	return tr.BOM == transcode.BOMOverride && slices.ContainsFunc(Encodings, func(e transcode.Encoding) bool { return bytes.HasPrefix(oracle.BOM(e), src) })
}

// nextOutput returns how many bytes the stream must have room for to go on at pos, having written n bytes: those of the next step,
// or of the byte order mark.
func nextOutput(tr transcode.Transcoder, v Verdict, pos, n int) int {
	bom := oracle.BOM(tr.To)
	if tr.AddBOM && len(bom) > 0 && n == 0 {
		return len(bom)
	}
	for _, s := range v.Steps {
		if s.Off >= pos && len(s.Out) > 0 {
			return len(s.Out)
		}
	}
	return 0
}
