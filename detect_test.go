package transcode

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkDetect holds Detect to what its answer says about the sample, whatever the answer is.
func checkDetect(t testing.TB, sample []byte) {
	t.Helper()
	saved := slices.Clone(sample)
	e, bomLen, ok := Detect(sample)
	if !slices.Equal(sample, saved) {
		t.Fatalf("Detect modifies % x", saved)
	}
	wantBOM, want := 0, UTF8
	for _, candidate := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
		if bom := oracleBOM(candidate); len(bom) > wantBOM && slices.Equal(sample[:min(len(bom), len(sample))], bom) {
			want, wantBOM = candidate, len(bom)
		}
	}
	if wantBOM > 0 {
		if e != want || bomLen != wantBOM || !ok {
			t.Fatalf("Detect of % x: %v, %d, %v, want %v, %d, true", sample, e, bomLen, ok, want, wantBOM)
		}
		return
	}
	if bomLen != 0 {
		t.Fatalf("Detect of % x: %v with a byte order mark of %d bytes, which is not there", sample, e, bomLen)
	}
	if !ok {
		if e != UTF8 || wellFormedButCut(sample, UTF8) {
			t.Fatalf("Detect of % x: %v, not ok", sample, e)
		}
		return
	}
	if e == ASCII || e == Latin1 || int(e) >= len(everyEncoding) {
		t.Fatalf("Detect of % x: %v", sample, e)
	}
	if !wellFormedButCut(sample, e) {
		t.Fatalf("Detect of % x: %v, in which it is ill-formed", sample, e)
	}
}

// wellFormedButCut reports whether only the end of sample may be ill-formed in e, as an unfinished character.
func wellFormedButCut(sample []byte, e Encoding) bool {
	err := oracleCheck(oracleDecode(sample, e), e)
	return err == nil || err.Kind == KindTruncated
}

func TestDetectBOM(t *testing.T) {
	for _, c := range []struct {
		sample string
		e      Encoding
		bomLen int
	}{
		{"\xEF\xBB\xBF", UTF8, 3}, {"\xEF\xBB\xBFabc", UTF8, 3}, {"\xEF\xBB\xBF\xFF", UTF8, 3},
		{"\xFF\xFE", UTF16LE, 2}, {"\xFF\xFEa", UTF16LE, 2}, {"\xFF\xFEa\x00", UTF16LE, 2}, {"\xFF\xFE\x00", UTF16LE, 2},
		{"\xFE\xFF", UTF16BE, 2}, {"\xFE\xFF\x00a", UTF16BE, 2}, {"\xFE\xFF\x00\x00", UTF16BE, 2},
		{"\xFF\xFE\x00\x00", UTF32LE, 4}, {"\xFF\xFE\x00\x00a\x00\x00\x00", UTF32LE, 4},
		{"\x00\x00\xFE\xFF", UTF32BE, 4}, {"\x00\x00\xFE\xFF\x00\x00\x00a", UTF32BE, 4},
	} {
		e, n, ok := Detect([]byte(c.sample))
		require.True(t, ok, "% x", c.sample)
		require.Equal(t, c.e, e, "% x", c.sample)
		require.Equal(t, c.bomLen, n, "% x", c.sample)
		checkDetect(t, []byte(c.sample))
	}
}

func TestDetectWithoutBOM(t *testing.T) {
	for _, c := range []struct {
		name, sample string
		e            Encoding
		ok           bool
	}{
		{"empty", "", UTF8, true},
		{"one ASCII byte", "a", UTF8, true},
		{"ASCII", "hello, world\n", UTF8, true},
		{"UTF-8", "où l'été", UTF8, true},
		{"UTF-8 cut inside a character", "où l'ét\xC3", UTF8, true}, // tree-sitter#5456: was taken for Latin-1
		{"UTF-8 cut inside a long character", "a😀"[:4], UTF8, true},
		{"Latin-1 is never guessed", "o\xF9 l'\xE9t\xE9 d\xE9j\xE0 fini", UTF8, false},
		{"four Latin-1 bytes", "caf\xE9s", UTF8, false},
		{"stray continuation byte", "abc\x80def", UTF8, false},
		{"UTF-16LE of ASCII", "h\x00e\x00l\x00l\x00o\x00\n\x00", UTF16LE, true},
		{"UTF-16BE of ASCII", "\x00h\x00e\x00l\x00l\x00o\x00\n", UTF16BE, true},
		{"UTF-16LE of ASCII cut inside a unit", "h\x00e\x00l\x00l\x00o", UTF16LE, true},
		{"UTF-32LE of ASCII", "h\x00\x00\x00i\x00\x00\x00", UTF32LE, true},
		{"UTF-32BE of ASCII", "\x00\x00\x00h\x00\x00\x00i", UTF32BE, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, n, ok := Detect([]byte(c.sample))
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.e, e)
			require.Zero(t, n)
			checkDetect(t, []byte(c.sample))
		})
	}
	t.Run("surrogates are not UTF-32", func(t *testing.T) { // simdutf#516
		for _, sample := range []string{"\x20\xD8\x00\x00", "\x00\xD8\x00\x00\x00\xDC\x00\x00", "\x00\x00\xD8\x20"} {
			e, _, ok := Detect([]byte(sample))
			require.False(t, ok && (e == UTF32LE || e == UTF32BE), "% x", sample)
			checkDetect(t, []byte(sample))
		}
	})
	t.Run("fault behind the first block counts", func(t *testing.T) { // simdutf#519: state lost between blocks
		for _, e := range []Encoding{UTF32LE, UTF32BE, UTF16LE, UTF16BE} {
			units := []uint16(nil)
			for range 40 {
				units = append(units, 'a')
			}
			sample := bytes16(append(units, 0xDC00, 'a'), e)
			if oracleUnitSize(e) == 4 {
				sample = bytes32(append([]rune(strings.Repeat("a", 40)), 0xD800, 'a'), e)
			}
			got, _, ok := Detect(sample)
			require.False(t, ok && got == e, e)
			checkDetect(t, sample)
		}
	})
	t.Run("flag of England in UTF-32", func(t *testing.T) { // it is spelled with characters of plane 14
		sample := bytes32([]rune("go \U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!"), UTF32BE)
		e, _, ok := Detect(sample)
		require.True(t, ok)
		require.Equal(t, UTF32BE, e)
	})
	t.Run("half of a byte order mark is none", func(t *testing.T) {
		for _, sample := range []string{"\xEF\xBB", "\xEF\xBBa", "\xFE", "\xFF", "\x00\x00\xFE", "a\xEF\xBB\xBF"} {
			_, n, _ := Detect([]byte(sample))
			require.Zero(t, n, "% x", sample)
			checkDetect(t, []byte(sample))
		}
	})
}

// TestDetectScripts: texts of a few hundred bytes are recognised in every encoding that detection covers.
func TestDetectScripts(t *testing.T) {
	for _, script := range textScripts {
		if script == "latin1" || script == "mixed" {
			continue // no language: C1 controls, and scripts that change from word to word
		}
		text := genText(script, 400)
		for _, want := range []Encoding{UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE} {
			sample, err := Append(nil, want, text, UTF8)
			require.NoError(t, err)
			for _, n := range []int{256, len(sample)} {
				e, bomLen, ok := Detect(sample[:n])
				require.True(t, ok, "%s in %v", script, want)
				require.Equal(t, want.String(), e.String(), "%s, %d bytes", script, n)
				require.Zero(t, bomLen)
			}
		}
		if sample, err := Append(nil, Latin1, text, UTF8); err == nil && script != "ascii" {
			_, _, ok := Detect(sample)
			require.False(t, ok, "%s in Latin-1", script)
		}
	}
}

// TestDetectAnything: whatever the bytes, the answer must hold for them.
func TestDetectAnything(t *testing.T) {
	t.Parallel()
	for n := range thin(5, 4) {
		everyWord([]byte{0x00, 0x0A, 0x20, 0x41, 0x80, 0xBB, 0xBF, 0xC3, 0xD8, 0xDC, 0xEF, 0xFE, 0xFF}, n, func(sample []byte) { checkDetect(t, sample) })
	}
	r := rng(5)
	for range thin(30000, 1000) {
		text := mutate(&r, genText(pick(&r, textScripts), r.intn(80)), r.intn(3))
		sample, err := Transcoder{To: pick(&r, everyEncoding), OnError: Replace}.Append(nil, text)
		require.NoError(t, err)
		sample = mutate(&r, string(sample), r.intn(3))
		checkDetect(t, sample)
		checkDetect(t, sample[:r.intn(len(sample)+1)])
	}
}
