package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlan has the lines that plan prints.
func TestPlan(t *testing.T) {
	folder(t, "a", "one\ntwo\nthree\n", "b", bom16be+utf16be("é;ü;\n"), "empty", "", "mark", bom32le, "old", latin1("Größe: 3 m"),
		"nul", "ab\x00cd", "R&D notes", "x", "plan", "x")
	require.NoError(t, os.Mkdir("dir", 0o755))
	for _, tt := range []struct {
		args string
		want result
	}{
		{"a", result{`{"file":"a","lo":0,"hi":14,"encoding":"UTF-8","unit":"line"}` + "\n", "", 0}},
		{"--size=5 a", result{"" +
			`{"file":"a","lo":0,"hi":8,"encoding":"UTF-8","unit":"line"}` + "\n" +
			`{"file":"a","lo":8,"hi":14,"encoding":"UTF-8","unit":"line"}` + "\n", "", 0}},
		{"--characters --size=1K plan a", result{"" +
			`{"file":"plan","lo":0,"hi":1,"encoding":"UTF-8","unit":"character"}` + "\n" +
			`{"file":"a","lo":0,"hi":14,"encoding":"UTF-8","unit":"character"}` + "\n", "", 0}},
		{"-f latin1 --size 3 -d ; b", result{"" +
			`{"file":"b","lo":2,"hi":6,"encoding":"UTF-16BE","unit":"record","delimiter":";"}` + "\n" +
			`{"file":"b","lo":6,"hi":10,"encoding":"UTF-16BE","unit":"record","delimiter":";"}` + "\n" +
			`{"file":"b","lo":10,"hi":12,"encoding":"UTF-16BE","unit":"record","delimiter":";"}` + "\n", "", 0}},
		{`--size=1 --delimiter=\0 nul`, result{"" +
			`{"file":"nul","lo":0,"hi":3,"encoding":"UTF-8","unit":"record","delimiter":"\u0000"}` + "\n" +
			`{"file":"nul","lo":3,"hi":5,"encoding":"UTF-8","unit":"record","delimiter":"\u0000"}` + "\n", "", 0}},
		{`-d \x62 --size=1 nul`, result{"" +
			`{"file":"nul","lo":0,"hi":2,"encoding":"UTF-8","unit":"record","delimiter":"b"}` + "\n" +
			`{"file":"nul","lo":2,"hi":5,"encoding":"UTF-8","unit":"record","delimiter":"b"}` + "\n", "", 0}},
		{`-d \ nul`, result{`{"file":"nul","lo":0,"hi":5,"encoding":"UTF-8","unit":"record","delimiter":"\\"}` + "\n", "", 0}},
		{"-f utf-16be empty", result{`{"file":"empty","lo":0,"hi":0,"encoding":"UTF-16BE","unit":"line"}` + "\n", "", 0}},
		{"-f ascii mark", result{`{"file":"mark","lo":4,"hi":4,"encoding":"UTF-32LE","unit":"line"}` + "\n", "", 0}},
		{"-f latin1 old", result{`{"file":"old","lo":0,"hi":10,"encoding":"ISO-8859-1","unit":"line"}` + "\n", "", 0}},

		{"missing old a", result{`{"file":"a","lo":0,"hi":14,"encoding":"UTF-8","unit":"line"}` + "\n",
			"transcode: missing: " + failure("missing") + "\ntranscode: old: cannot tell the encoding; name it with -f\n", 1}},
		{"dir", result{"", "transcode: dir: not a regular file, so it has no ranges\n", 1}},
		{"-", result{"", "transcode: standard input: not a regular file, so it has no ranges\n", 1}},
		{"a\xFF", result{"", "transcode: \"a\\xff\": JSON cannot hold the name, which is not UTF-8\n", 1}},
	} {
		assert.Equal(t, tt.want, do("text", append([]string{"plan"}, strings.Fields(tt.args)...)...), tt.args)
	}
	assert.Equal(t, result{`{"file":"R&D notes","lo":0,"hi":1,"encoding":"UTF-8","unit":"line"}` + "\n", "", 0}, do("", "plan", "R&D notes"))
}

// TestRanges has all ranges of a file, one after the other, equal to the file in every encoding, well-formed or not, however it is cut
// and whatever it is converted to: read by --range, and by their lines.
func TestRanges(t *testing.T) {
	const text = "\uFEFFaé\n;üx\r\n\x00;;\n\n"
	const wide = text + "€😀;\n\uFEFF😀"
	for name, src := range map[string]string{
		"UTF-8":      wide + "\xF0\x9F\n\xFF;\x80\xE2\x82",
		"US-ASCII":   "some;\nwords\x80\n\xFF;",
		"ISO-8859-1": latin1(text[len("\uFEFF"):]),
		"UTF-16LE":   utf16le(wide) + "\x00\xD8;\x00\x00\xDC\n\x00\x00\xDC\x01\xD8\x0A",
		"UTF-16BE":   utf16be(wide) + "\xD8\x00\x00;\xDC\x00\x00\n\xDC\x00\xD8\x0A\x00",
		"UTF-32LE":   utf32le(wide) + "\x00\xD8\x00\x00;\x00\x00\x00\xFF\xFF\xFF\xFF\n\x00\x00",
		"UTF-32BE":   utf32be(wide) + "\x00\x00\xD8\x00\x00\x00\x00;\xFF\xFF\xFF\xFF\x00\x00\x00",
		"no text":    "",
		"mark only":  bom16le,
	} {
		t.Run(name, func(t *testing.T) {
			folder(t, "in", src)
			from := name
			if len(src) < 4 {
				from = "utf-8"
			}
			for _, cut := range []string{"--characters", "--size=1", "-d=;", `-d=\0`} {
				for _, size := range []string{"1", "2", "3", "7", "1K"} {
					planned := do("", "plan", "-f", from, cut, "--size="+size, "in")
					require.Equal(t, result{planned.stdout, "", 0}, planned)
					for _, how := range []string{"--replace", "--replace -t utf-16", "-c -t latin1", "-c -t utf-32be"} {
						options := append([]string{"-s"}, strings.Fields(how)...)
						want := do("", append(options, "-f", from, "in")...)
						require.Equal(t, exitOK, want.code)
						got := do(planned.stdout, append([]string{"cat"}, options...)...)
						require.Equal(t, want, got, "%s %s %s", cut, size, how)

						var apart strings.Builder
						for line := range strings.Lines(planned.stdout) {
							var r struct{ Lo, Hi int64 }
							require.NoError(t, json.Unmarshal([]byte(line), &r))
							one := do("", append([]string{"cat", "-f", from, fmt.Sprintf("--range=%d:%d", r.Lo, r.Hi), "in"}, options...)...)
							require.Equal(t, result{one.stdout, "", 0}, one)
							apart.WriteString(one.stdout)
						}
						require.Equal(t, want.stdout, apart.String(), "%s %s %s", cut, size, how)
					}
				}
			}
		})
	}
}

// TestRangesCutUnits has ranges begin behind what they are cut at.
func TestRangesCutUnits(t *testing.T) {
	for _, tt := range []struct{ cut, want string }{
		{"--size=1", "a;é\n|b;\r\n|;c"},
		{"-d=;", "a;|é\nb;|\r\n;|c"},
		{"--characters", "a|;|é|\n|b|;|\r|\n|;|c"},
	} {
		folder(t, "in", bom16be+utf16be("a;é\nb;\r\n;c"))
		var got []string
		for line := range strings.Lines(do("", "plan", "--size=1", tt.cut, "in").stdout) {
			got = append(got, do(line, "cat").stdout)
		}
		assert.Equal(t, tt.want, strings.Join(got, "|"))
	}
}

func TestCat(t *testing.T) {
	folder(t, "in", "one é\ntwo\n", "bad", "a\xFFb\nc\xFEd\n", "bom", bom8+"é\n", "le", utf16le("some words"), "cat", "text", "-", "dash")
	require.NoError(t, os.Mkdir("dir", 0o755))
	const line = `{"file":"in","lo":0,"hi":7,"encoding":"UTF-8","unit":"line"}` + "\n"
	const wrong = "transcode: standard input: range 2 of the plan: "
	for _, tt := range []struct {
		args, stdin string
		want        result
	}{
		{"--range=7:11 in", "", result{"two\n", "", 0}},
		{"--range 0:7 -t utf-16be in", "", result{utf16be("one é\n"), "", 0}},
		{"--range=10:20 le", "", result{"words", "", 0}}, // detected at the start of the file
		{"--range=0:5 -t utf-16 bom", "", result{utf16le("\uFEFFé"), "", 0}},
		{"--range=3:5 -f latin1 -t utf-16 bom", "", result{utf16le("\uFEFFé"), "", 0}},
		{"--range=5:6 -t utf-16 bom", "", result{utf16le("\n"), "", 0}},
		{"--range=4:4 in", "", result{"", "", 0}},
		{"--range=0:4 cat", "", result{"text", "", 0}},
		{"--range=0:4 ./-", "", result{"dash", "", 0}},
		{"", "", result{}},
		{"", line + "\n" + line, result{"one é\none é\n", "", 0}},
		{"-t utf-16", line + line, result{utf16le("\uFEFFone é\none é\n"), "", 0}}, // one byte order mark
		{"--replace --range=0:4 -f utf-8 bad", "", result{"a\uFFFDb\n", "transcode: bad: 1 ill-formed or unencodable sequence replaced\n", 0}},
		{"-t ascii//IGNORE", line, result{"one \n", "transcode: in: 1 ill-formed or unencodable sequence dropped\n", 0}},

		{"--range=4:8 -f utf-8 bad", "", result{"c", "transcode: bad: byte 5: UTF-8: byte that never occurs (1 byte); use --replace or -c to go on\n", 1}},
		{"--range=0:8 -f utf-8 bad", "", result{"a", "transcode: bad: byte 1: UTF-8: byte that never occurs (1 byte); use --replace or -c to go on\n", 1}},
		{"--range=4:6 -t ascii bom", "", result{"", "transcode: bom: byte 4: UTF-8: unexpected continuation byte (1 byte); use --replace or -c to go on, or name another encoding with -f\n", 1}},
		{"--range=0:5 -t ascii bom", "", result{"", "transcode: bom: byte 3: US-ASCII cannot hold U+00E9; use --replace or -c to go on\n", 1}},
		{"--range=4:8 bad", "", result{"", "transcode: bad: cannot tell the encoding; name it with -f\n", 1}},
		{"--range=7:12 in", "", result{"", "transcode: in: has 11 bytes, not the range 7:12\n", 1}},
		{"--range=0:1 missing", "", result{"", "transcode: missing: " + failure("missing") + "\n", 1}},
		{"--range=0:1 dir", "", result{"", "transcode: dir: not a regular file, so it has no ranges\n", 1}},
		{"--range=0:1 -", "text", result{"", "transcode: standard input: not a regular file, so it has no ranges\n", 1}},
		{"", line + `{"lo":0,"hi":7,"encoding":"UTF-8"}`, result{"one é\n", wrong + "file, lo, hi or encoding is missing or wrong\n", 1}},
		{"", line + `{"file":"in","hi":7,"encoding":"UTF-8"}`, result{"one é\n", wrong + "file, lo, hi or encoding is missing or wrong\n", 1}},
		{"", line + `{"file":"in","lo":7,"hi":6,"encoding":"UTF-8"}`, result{"one é\n", wrong + "file, lo, hi or encoding is missing or wrong\n", 1}},
		{"", line + `{"file":"in","lo":7,"hi":11}`, result{"one é\n", wrong + "file, lo, hi or encoding is missing or wrong\n", 1}},
		{"", line + `{"file":"in"`, result{"one é\n", wrong + "unexpected EOF\n", 1}},
		{"", line + "text", result{"one é\n", wrong + "invalid character 'e' in literal true (expecting 'r')\n", 1}},
	} {
		assert.Equal(t, tt.want, do(tt.stdin, append([]string{"cat"}, strings.Fields(tt.args)...)...), tt.args+tt.stdin)
	}
	assert.Equal(t, exitFailed, do(line+`{"file":"in","lo":0,"hi":7,"encoding":"UTF-17"}`, "cat").code)
	assert.Contains(t, do(`{"file":"in","lo":0,"hi":7,"encoding":"UTF-17"}`, "cat").stderr, "UTF-17")

	// A failure leaves no partial output.
	before := entries(t)
	assert.Equal(t, exitFailed, do("", "cat", "-f", "utf-8", "--range=4:8", "-o", "out", "bad").code)
	assert.Equal(t, exitFailed, do(line+"text", "cat", "-o", "out").code)
	assert.Equal(t, before, entries(t))
	assert.Equal(t, result{}, do(line, "cat", "-t", "utf-16be", "-o", "in"))
	assert.Equal(t, utf16be("one é\n"), content(t, "in"))
}
