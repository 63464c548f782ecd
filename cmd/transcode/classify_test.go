package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClassifyTable(t *testing.T) {
	folder(t, "ascii", "plain", "latin1", bom8+"aé", "bmp", bom16be+utf16be("aé€"), "supplementary", "aé€😀", "empty", "",
		"bad", "some aé\xC0b and \xFFc", "cut", "é€\xF0\x9F", "two words", "x")
	got := do("", "classify", "ascii", "latin1", "bmp", "supplementary", "empty", "two words")
	assert.Equal(t, result{got.stdout, "", exitOK}, got)
	assert.Equal(t, ""+
		"FILE           BYTES  ENCODING  CLASS          CHARACTERS  ERROR\n"+
		"ascii          5      UTF-8     ASCII          5           \n"+
		"latin1         6      UTF-8     Latin-1        2           \n"+
		"bmp            8      UTF-16BE  BMP            3           \n"+
		"supplementary  10     UTF-8     supplementary  4           \n"+
		"empty          0      UTF-8     ASCII          0           \n"+
		"two words      1      UTF-8     ASCII          1           \n", got.stdout)

	got = do("pi\x80ped", "classify", "bad", "missing", "-", "ascii", "cut", "missing\n")
	assert.Equal(t, exitFailed, got.code)
	assert.Equal(t, "transcode: missing: "+failure("missing")+"\ntranscode: \"missing\\n\": "+failure("missing\n")+"\n", got.stderr)
	assert.Equal(t, ""+
		"FILE         BYTES  ENCODING  CLASS    CHARACTERS  ERROR\n"+
		"bad          17     unknown   invalid  14          byte 8: overlong form (1 byte)\n"+
		"missing      -      -         -        -           "+failure("missing")+"\n"+
		"-            6      unknown   invalid  5           byte 2: unexpected continuation byte (1 byte)\n"+
		"ascii        5      UTF-8     ASCII    5           \n"+
		"cut          7      UTF-8     invalid  2           byte 5: truncated character (2 bytes)\n"+
		"\"missing\\n\"  -      -         -        -           "+failure("missing")+"\n", got.stdout)

	for _, code := range []struct {
		args string
		want int
	}{{"ascii", exitOK}, {"bad", exitFailed}, {"missing", exitFailed}, {". ascii", exitFailed}, {"ascii bad ascii", exitFailed}} {
		for _, form := range []string{"classify ", "classify --json "} {
			assert.Equal(t, code.want, do("", strings.Fields(form+code.args)...).code, form+code.args)
		}
	}
}

func TestClassifyJSON(t *testing.T) {
	folder(t, "bad", "plain words: aé\xE2\x82é<&>", "good", utf16le("some words"), "classify", "x")
	for _, tt := range []struct {
		args, stdin, want string
		code              int
	}{
		{"good", "", `{"file":"good","bytes":20,"encoding":"UTF-16LE","class":"ASCII","characters":10}`, 0},
		{"", "aé", `{"file":"-","bytes":3,"encoding":"UTF-8","class":"Latin-1","characters":2}`, 0},
		{"-", "aé", `{"file":"-","bytes":3,"encoding":"UTF-8","class":"Latin-1","characters":2}`, 0},
		{"-f latin1 -", "aé", `{"file":"-","bytes":3,"encoding":"ISO-8859-1","class":"Latin-1","characters":3}`, 0},
		{"-f utf-16be good", "", `{"file":"good","bytes":20,"encoding":"UTF-16BE","class":"BMP","characters":10}`, 0},
		{"--from-code=ascii -", "aé", `{"file":"-","bytes":3,"encoding":"US-ASCII","class":"invalid","characters":1,"error":{"offset":1,"length":1,"kind":"value too large","message":"value too large (1 byte)"}}`, 1},
		{"-", "\xFF", `{"file":"-","bytes":1,"encoding":"unknown","class":"invalid","characters":0,"error":{"offset":0,"length":1,"kind":"byte that never occurs","message":"byte that never occurs (1 byte)"}}`, 1},
		{"bad", "", `{"file":"bad","bytes":23,"encoding":"unknown","class":"invalid","characters":19,"error":{"offset":16,"length":2,"kind":"too few continuation bytes","message":"too few continuation bytes (2 bytes)"}}`, 1},
		{"-", bom16be + "\xD8\x00\x00a", `{"file":"-","bytes":6,"encoding":"UTF-16BE","class":"invalid","characters":1,"error":{"offset":2,"length":2,"kind":"unpaired surrogate","message":"unpaired surrogate (2 bytes)"}}`, 1},
		{"classify", "", `{"file":"classify","bytes":1,"encoding":"UTF-8","class":"ASCII","characters":1}`, 0},
	} {
		args := append([]string{"classify", "--json"}, strings.Fields(tt.args)...)
		assert.Equal(t, result{tt.want + "\n", "", tt.code}, do(tt.stdin, args...), tt.args)
	}

	got := do("", "classify", "--json", "good", "missing", "bad")
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	require.Len(t, lines, 3)
	for _, line := range lines {
		assert.True(t, json.Valid([]byte(line)), line)
	}
	assert.Equal(t, `{"file":"missing","bytes":0,"characters":0,"error":{"message":"`+failure("missing")+`"}}`, lines[1])
	assert.Equal(t, "transcode: missing: "+failure("missing")+"\n", got.stderr)
}

// TestClassifyPieces has the class and the counts of texts of several buffers, where what decides is far behind.
func TestClassifyPieces(t *testing.T) {
	long := strings.Repeat("aé", bufferSize)
	for _, tt := range []struct{ name, text, want string }{
		{"class grows at the end", long + "😀", `"bytes":786436,"encoding":"UTF-8","class":"supplementary","characters":524289}`},
		{"class does not shrink", "€" + long, `"bytes":786435,"encoding":"UTF-8","class":"BMP","characters":524289}`},
		{"counts after an error", long + "\xFF" + long + "\x80", `"bytes":1572866,"encoding":"UTF-8","class":"invalid","characters":1048576,"error":{"offset":786432,"length":1,"kind":"byte that never occurs","message":"byte that never occurs (1 byte)"}}`},
		{"UTF-16", bom16le + utf16le(long), `"bytes":1048578,"encoding":"UTF-16LE","class":"Latin-1","characters":524288}`},
	} {
		for _, size := range []int{bufferSize - 1, 1 << 30} {
			got := doReader(&slowReader{tt.text, size}, "classify", "--json")
			assert.Equal(t, `{"file":"-",`+tt.want+"\n", got.stdout, tt.name)
		}
	}
	got := doReader(&failingReader{long, assert.AnError}, "classify")
	assert.Equal(t, exitFailed, got.code)
	assert.Contains(t, got.stderr, assert.AnError.Error())
	assert.Contains(t, got.stdout, "-     -      -         -      -           "+assert.AnError.Error())
}
