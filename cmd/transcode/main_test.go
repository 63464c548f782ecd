package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-1959eab6/transcode"
)

// asCommand in the environment makes the test binary the command, for the tests that need a process of their own.
const asCommand = "TRANSCODE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		code := process()
		atCommandExit()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// atCommandExit runs at the end of a process that is the command; system-dependent tests set it.
var atCommandExit = func() {}

// A result is what a run of the command leaves.
type result struct {
	stdout, stderr string
	code           int
}

// do runs the command in this process on the given standard input.
func do(stdin string, args ...string) result {
	return doReader(strings.NewReader(stdin), args...)
}

func doReader(stdin io.Reader, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := run(args, stdin, &stdout, &stderr)
	return result{stdout.String(), stderr.String(), code}
}

// failure returns why the file or folder of that name cannot be read, in the words of this system.
func failure(name string) string {
	_, err := os.ReadFile(name)
	return cause(err).Error()
}

// folder makes a new current folder with the given files: name, content, name, content...
func folder(t *testing.T, namesAndContents ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for i := 0; i < len(namesAndContents); i += 2 {
		require.NoError(t, os.WriteFile(namesAndContents[i], []byte(namesAndContents[i+1]), 0o644))
	}
}

// content returns what the file holds.
func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(b)
}

// entries returns the names in the current folder.
func entries(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir(".")
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// utf16le, utf16be, utf32le and utf32be encode well-formed text by definition.
func utf16le(s string) string { return swap(utf16be(s), 2) }
func utf32le(s string) string { return swap(utf32be(s), 4) }

func utf16be(s string) string {
	var b []byte
	for _, r := range s {
		if r >= 0x10000 {
			hi, lo := 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF
			b = append(b, byte(hi>>8), byte(hi), byte(lo>>8), byte(lo))
			continue
		}
		b = append(b, byte(r>>8), byte(r))
	}
	return string(b)
}

func utf32be(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r>>24), byte(r>>16), byte(r>>8), byte(r))
	}
	return string(b)
}

// swap reverses each unit of size bytes.
func swap(s string, size int) string {
	b := []byte(s)
	for i := 0; i < len(b); i += size {
		for j, k := i, i+size-1; j < k; j, k = j+1, k-1 {
			b[j], b[k] = b[k], b[j]
		}
	}
	return string(b)
}

// latin1 encodes text up to U+00FF.
func latin1(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

const (
	bom8    = "\xEF\xBB\xBF"
	bom16le = "\xFF\xFE"
	bom16be = "\xFE\xFF"
	bom32le = "\xFF\xFE\x00\x00"
	bom32be = "\x00\x00\xFE\xFF"
)

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"-h"}, {"classify", "--help"}, {"plan", "--help"}, {"cat", "-h"}, {"--help", "--version", "-f", "nonsense"}} {
		got := do("", args...)
		assert.Equal(t, exitOK, got.code, args)
		assert.Empty(t, got.stderr)
		lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
		assert.Less(t, len(lines), 45, "one screen")
		for _, line := range lines {
			assert.LessOrEqual(t, len(line), 88, line)
		}
		assert.Contains(t, got.stdout, "Examples:")
	}
	text := do("", "--help").stdout
	for _, must := range []string{
		"-f, --from-code", "-t, --to-code", "-o, --output", "-c ", "-l, --list", "-s, --silent", "--replace", "--bom", "--version",
		"Never use it on text", "<scr\\x80ipt>", "//IGNORE", "transcode -- plan",
	} {
		assert.Contains(t, text, must)
	}
}

func TestVersion(t *testing.T) {
	for _, flag := range []string{"--version", "-V"} {
		got := do("", flag)
		assert.Equal(t, result{got.stdout, "", exitOK}, got)
		assert.Regexp(t, `^transcode \S+, kernels: \S+\n$`, got.stdout)
		assert.Contains(t, got.stdout, transcode.Level())
	}
}

func TestList(t *testing.T) {
	for _, flag := range []string{"-l", "--list"} {
		got := do("", flag)
		assert.Equal(t, exitOK, got.code)
		assert.Empty(t, got.stderr)
		lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
		require.Len(t, lines, 7)
		for _, line := range lines {
			labels := strings.Fields(line)
			want, ok := transcode.LookupEncoding(labels[0])
			require.True(t, ok, labels[0])
			assert.Equal(t, want.String(), labels[0])
			assert.Greater(t, len(labels), 1, line)
			for _, label := range labels {
				e, ok := transcode.LookupEncoding(label)
				assert.True(t, ok && e == want, label)
			}
		}
	}
}

func TestUsageErrors(t *testing.T) {
	folder(t, "in", "text", "out", "old")
	const help, classifyHelp = "try 'transcode --help'\n", "try 'transcode classify --help'\n"
	const planHelp, catHelp = "try 'transcode plan --help'\n", "try 'transcode cat --help'\n"
	for _, tt := range []struct {
		args    string
		message string // after "transcode: "
		hint    string
	}{
		{"--nonsense", "unknown flag: --nonsense", help},
		{"-z", "unknown shorthand flag: 'z' in -z", help},
		{"-f", "flag needs an argument: 'f' in -f", help},
		{"-f utf-8 --output", "flag needs an argument: --output", help},
		{"-f utf-17", `unknown encoding "utf-17"; 'transcode -l' lists those there are`, ""},
		{"-t windows-1252", `unknown encoding "windows-1252"; 'transcode -l' lists those there are`, ""},
		{"-t utf-8/x", `unknown encoding "utf-8/x"; 'transcode -l' lists those there are`, ""},
		{"-t ascii//TRANSLIT", "//TRANSLIT is not supported; --replace writes ? for what the output cannot hold", help},
		{"-f ascii//translit", "//TRANSLIT is not supported; --replace writes ? for what the output cannot hold", help},
		{"-t ascii//IGNORE//TRANSLIT", "//TRANSLIT is not supported; --replace writes ? for what the output cannot hold", help},
		{"-t ascii//IGNORE,TRANSLIT", "//TRANSLIT is not supported; --replace writes ? for what the output cannot hold", help},
		{"-t ascii//IGNOER", "ascii//IGNOER: unknown suffix //IGNOER", help},
		{"-c --replace", "--replace and -c (or //IGNORE) exclude each other", help},
		{"-t ascii//IGNORE --replace", "--replace and -c (or //IGNORE) exclude each other", help},
		{"--bom=remove", "--bom=remove: it is keep, strip, override or add", help},
		{"--output= in", "-o needs the name of a file", help},
		{"classify --nonsense", "unknown flag: --nonsense", classifyHelp},
		{"classify -f utf-17 in", `unknown encoding "utf-17"; 'transcode -l' lists those there are`, ""},
		{"classify -f utf-8//IGNORE in", "classify drops nothing: no //IGNORE", classifyHelp},
		{"plan", "plan needs a FILE", planHelp},
		{"plan --nonsense", "unknown flag: --nonsense", planHelp},
		{"plan -f utf-17 in", `unknown encoding "utf-17"; 'transcode -l' lists those there are`, ""},
		{"plan -f utf-8//IGNORE in", "plan drops nothing: no //IGNORE", planHelp},
		{"plan --size=0 in", "--size=0: it is a number of bytes, as 1000000 or 64M", planHelp},
		{"plan --size= in", "--size=: it is a number of bytes, as 1000000 or 64M", planHelp},
		{"plan --size=K in", "--size=K: it is a number of bytes, as 1000000 or 64M", planHelp},
		{"plan --size=-1 in", "--size=-1: it is a number of bytes, as 1000000 or 64M", planHelp},
		{"plan --size=1T in", "--size=1T: it is a number of bytes, as 1000000 or 64M", planHelp},
		{"plan --size=8589934592G in", "--size=8589934592G: it is a number of bytes, as 1000000 or 64M", planHelp},
		{"plan -d é in", `-d é: it is one ASCII character, or an escape as \t`, planHelp},
		{"plan -d ab in", `-d ab: it is one ASCII character, or an escape as \t`, planHelp},
		{"plan -d \\x80 in", `-d \x80: it is one ASCII character, or an escape as \t`, planHelp},
		{"plan --delimiter= in", `-d : it is one ASCII character, or an escape as \t`, planHelp},
		{"plan -d x --characters in", "-d and --characters exclude each other", planHelp},
		{"cat --nonsense", "unknown flag: --nonsense", catHelp},
		{"cat --range=0:1", "cat --range needs one FILE", catHelp},
		{"cat --range=0:1 in in", "cat --range needs one FILE", catHelp},
		{"cat in", "cat needs the --range of a FILE", catHelp},
		{"cat -f latin1", "cat without --range takes -f from the plan", catHelp},
		{"cat --range= in", "--range=: it is LO:HI, in bytes", catHelp},
		{"cat --range=1 in", "--range=1: it is LO:HI, in bytes", catHelp},
		{"cat --range=2:1 in", "--range=2:1: it is LO:HI, in bytes", catHelp},
		{"cat --range=-1:1 in", "--range=-1:1: it is LO:HI, in bytes", catHelp},
		{"cat --range=0:1:2 in", "--range=0:1:2: it is LO:HI, in bytes", catHelp},
		{"cat --range=0:9223372036854775808 in", "--range=0:9223372036854775808: it is LO:HI, in bytes", catHelp},
		{"cat -c --replace --range=0:1 in", "--replace and -c (or //IGNORE) exclude each other", help},
	} {
		args := strings.Fields(tt.args)
		if subcommand := slices.Contains([]string{"classify", "plan", "cat"}, args[0]); !subcommand && !strings.Contains(tt.args, "-o") && !strings.Contains(tt.args, "--output") {
			args = append([]string{"-o", "out", "in"}, args...)
		}
		assert.Equal(t, result{"", "transcode: " + tt.message + "\n" + tt.hint, exitUsage}, do("text", args...), tt.args)
	}
	assert.Equal(t, []string{"in", "out"}, entries(t))
	assert.Equal(t, "old", content(t, "out"))
}

// TestConvert has what becomes of inputs on standard output.
func TestConvert(t *testing.T) {
	const mixed = "aé€😀"
	folder(t,
		"utf8", mixed, "le", utf16le(mixed), "be", utf16be(mixed), "l1", latin1("aé"), "cut", "aé\xE2\x82", "bad", "a\xFFé\x80b",
		"words.le", utf16le("some words"), "words.be", utf16be("some words"), "old", latin1("Les élèves naïfs à la plage"), "empty", "", "classify", "text", "plan", "a plan", "cat", "a cat", "-f", "dash", "bom8", bom8+"é", "bombe", bom16be+utf16be("é"), "mixedbom", bom8+mixed)
	require.NoError(t, os.Mkdir("dir", 0o755))
	for _, tt := range []struct {
		name  string
		args  string
		stdin string
		want  result
	}{
		{"mixed scripts, utf-16le to utf-8", "-f utf-16le -t utf-8 le", "", result{mixed, "", 0}},
		{"long options", "--from-code=utf-16le --to-code utf-16be le", "", result{utf16be(mixed), "", 0}},
		{"joined short options", "-futf-16le -tutf-16be le", "", result{utf16be(mixed), "", 0}},
		{"options after files", "le -f utf-16le", "", result{mixed, "", 0}},
		{"output to -", "-o - utf8", "", result{mixed, "", 0}},
		{"standard input by default", "-t utf-32be", mixed, result{utf32be(mixed), "", 0}},
		{"standard input by name among files", "-f utf8 empty - utf8", "stdin", result{"stdin" + mixed, "", 0}},
		{"standard input twice is empty the second time", "-f utf8 - -", "stdin", result{"stdin", "", 0}},
		{"default output is UTF-8", "-f latin1 l1", "", result{"aé", "", 0}},
		{"empty names are the defaults", "--from-code= --to-code= words.le bom8", "", result{"some wordsé", "", 0}},
		{"an alias in any case, with slashes", "-f Latin1// -t ISO_8859-1/ l1", "", result{latin1("aé"), "", 0}},
		{"empty input", "-t utf-16le empty", "", result{"", "", 0}},
		{"each input is detected", "utf8 words.le words.be bom8", "", result{mixed + "some wordssome wordsé", "", 0}},
		{"a file called classify", "-- classify", "", result{"text", "", 0}},
		{"a file called classify in its folder", "./classify", "", result{"text", "", 0}},
		{"files called plan and cat", "-- plan cat", "", result{"a plana cat", "", 0}},
		{"files called plan and cat in their folder", "./plan ./cat", "", result{"a plana cat", "", 0}},
		{"files called plan and cat behind an option", "-s plan cat", "", result{"a plana cat", "", 0}},
		{"a file that begins with a dash", "-- -f", "", result{"dash", "", 0}},

		{"detection allows a cut at the end", "utf8 l1 utf8", "",
			result{mixed + "a", "transcode: l1: byte 1: UTF-8: truncated character (1 byte); use --replace or -c to go on, or name another encoding with -f\n", 1}},
		{"not to be detected", "old", "", result{"", "transcode: old: cannot tell the encoding; name it with -f\n", 1}},
		{"not to be detected on standard input", "", latin1("Größe: 3 m"), result{"", "transcode: standard input: cannot tell the encoding; name it with -f\n", 1}},
		{"the run ends there", "utf8 old utf8", "", result{mixed, "transcode: old: cannot tell the encoding; name it with -f\n", 1}},

		{"good prefix, then the error", "-f utf-8 bad", "",
			result{"a", "transcode: bad: byte 1: UTF-8: byte that never occurs (1 byte); use --replace or -c to go on\n", 1}},
		{"truncated", "-f utf-8 cut", "",
			result{"aé", "transcode: cut: byte 3: UTF-8: truncated character (2 bytes); use --replace or -c to go on\n", 1}},
		{"truncated and detected", "cut", "",
			result{"aé", "transcode: cut: byte 3: UTF-8: truncated character (2 bytes); use --replace or -c to go on, or name another encoding with -f\n", 1}},
		{"unencodable", "-t latin1 utf8", "",
			result{latin1("aé"), "transcode: utf8: byte 3: ISO-8859-1 cannot hold U+20AC; use --replace or -c to go on\n", 1}},
		{"unencodable supplementary", "-t us-ascii", "\U0010FFFF",
			result{"", "transcode: standard input: byte 0: US-ASCII cannot hold U+10FFFF; use --replace or -c to go on\n", 1}},
		{"unpaired surrogate", "-f utf-16be -t utf-16be", utf16be("a") + "\xDC\x00b",
			result{utf16be("a"), "transcode: standard input: byte 2: UTF-16BE: unpaired surrogate (2 bytes); use --replace or -c to go on\n", 1}},
		{"offsets count the byte order mark", "-f utf-8 -t ascii mixedbom", "",
			result{"a", "transcode: mixedbom: byte 4: US-ASCII cannot hold U+00E9; use --replace or -c to go on\n", 1}},
		{"the encoding of the byte order mark is named", "-f utf-8", bom16le + "a",
			result{"", "transcode: standard input: byte 2: UTF-16LE: truncated character (1 byte); use --replace or -c to go on\n", 1}},
		{"offsets begin anew with each input", "-f utf-8 utf8 bad", "",
			result{mixed + "a", "transcode: bad: byte 1: UTF-8: byte that never occurs (1 byte); use --replace or -c to go on\n", 1}},
		{"the first failing conversion ends the run", "-f utf-8 bad utf8", "",
			result{"a", "transcode: bad: byte 1: UTF-8: byte that never occurs (1 byte); use --replace or -c to go on\n", 1}},

		{"--replace", "-f utf-8 --replace bad", "", result{"a\uFFFDé\uFFFDb", "transcode: bad: 2 ill-formed or unencodable sequences replaced\n", 0}},
		{"--replace of the unencodable", "-t latin1 --replace utf8", "", result{latin1("aé??"), "transcode: utf8: 2 ill-formed or unencodable sequences replaced\n", 0}},
		{"--replace with nothing to do", "--replace utf8", "", result{mixed, "", 0}},
		{"--replace --silent", "-f utf-8 --replace --silent bad", "", result{"a\uFFFDé\uFFFDb", "", 0}},
		{"-c", "-f utf-8 -c bad cut", "", result{"aébaé", "transcode: bad: 2 ill-formed or unencodable sequences dropped\ntranscode: cut: 1 ill-formed or unencodable sequence dropped\n", 0}},
		{"-cs", "-f utf-8 -cs bad", "", result{"aéb", "", 0}},
		{"//IGNORE on the output", "-f utf-8 -t ascii//IGNORE bad", "", result{"ab", "transcode: bad: 3 ill-formed or unencodable sequences dropped\n", 0}},
		{"//ignore on the input", "-f utf-8//ignore bad", "", result{"aéb", "transcode: bad: 2 ill-formed or unencodable sequences dropped\n", 0}},
		{"-s hides no error", "-s -f utf-8 bad", "",
			result{"a", "transcode: bad: byte 1: UTF-8: byte that never occurs (1 byte); use --replace or -c to go on\n", 1}},

		{"a missing file is passed over", "utf8 missing bom8", "", result{mixed + "é", "transcode: missing: " + failure("missing") + "\n", 1}},
		{"a folder is passed over", "dir utf8", "", result{mixed, "transcode: dir: " + failure("dir") + "\n", 1}},
		{"names that are no text are quoted", "missing\xFF", "", result{"", "transcode: \"missing\\xff\": " + failure("missing\xFF") + "\n", 1}},
		{"names that disturb are quoted", "missing\x1b[31m", "", result{"", "transcode: \"missing\\x1b[31m\": " + failure("missing") + "\n", 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, do(tt.stdin, strings.Fields(tt.args)...))
		})
	}
}

// TestBOM has the byte order mark policies on inputs with and without a mark.
func TestBOM(t *testing.T) {
	folder(t, "8", bom8+"é", "le", bom16le+utf16le("é"), "be", bom16be+utf16be("é"), "none", "é", "32le", bom32le+utf32le("é"), "32be", bom32be+utf32be("é"), "empty", "")
	for _, tt := range []struct {
		args string
		want string // in UTF-8, but for the last column's encoding
		enc  func(string) string
	}{
		{"8", "é", nil},
		{"--bom=override 8 le be 32le 32be none", "éééééé", nil},
		{"-f latin1 le", "é", nil}, // the mark overrides the name
		{"--bom=keep 8 none le", "\uFEFFéé\uFEFFé", nil},
		{"--bom=keep -f latin1 8", "ï»¿Ã©", nil},
		{"--bom=strip 8 le", "éé", nil},
		{"--bom=strip -f latin1 8", "ï»¿Ã©", nil},
		{"--bom=strip -f utf-16be be", "é", nil},
		{"--bom=strip -f utf-16be le", "\uFFFE\ue900", nil},
		{"--bom=add none", "\uFEFFé", nil},
		{"--bom=add 8 8 le", "\uFEFFééé", nil},
		{"--bom=add -t utf-16be 8 none", "\uFEFFéé", utf16be},
		{"--bom=add -t latin1 8 none", "éé", latin1},
		{"--bom=add empty", "\uFEFF", nil},
		{"--bom=add empty none", "\uFEFFé", nil},
		{"--bom=add missing none", "\uFEFFé", nil},

		{"-t utf-16 none 8 be", "\uFEFFééé", utf16le},
		{"-t UTF-32 none none", "\uFEFFéé", utf32le},
		{"-t utf-16 empty", "\uFEFF", utf16le},
		{"-t Utf16 none", "\uFEFFé", utf16le},
		{"-t unicode none", "\uFEFFé", utf16le},
		{"-t ucs-2 none", "é", utf16le},
		{"-t utf-16le none", "é", utf16le},
		{"-t utf-16be none", "é", utf16be},
		{"-t utf-32le none", "é", utf32le},
		{"-t utf-32be none", "é", utf32be},
		{"--bom=keep -t utf-16 8", "\uFEFFé", utf16le},
		{"--bom=keep -t utf-16 none", "\uFEFFé", utf16le},
		{"--bom=strip -t utf-16 8", "\uFEFFé", utf16le},
		{"--bom=add -t utf-16 8", "\uFEFFé", utf16le},

		{"-f utf-16 le be", "éé", nil},
		{"-f utf-32 32le 32be", "éé", nil},
		{"--bom=strip -f utf-16 le be", "éé", nil},
		{"--bom=keep -f utf-16 le be", "\uFEFFé\uFEFFé", nil},
		{"--bom=keep -f utf-32 32le 32be", "\uFEFFé\uFEFFé", nil},
		{"--bom=keep -f utf-16le be", "\uFFFE\ue900", nil},
	} {
		t.Run(tt.args, func(t *testing.T) {
			got := do("", strings.Fields(tt.args)...)
			if tt.enc != nil {
				tt.want = tt.enc(tt.want)
			}
			assert.Equal(t, tt.want, got.stdout)
			if !strings.Contains(tt.args, "missing") {
				assert.Equal(t, result{got.stdout, "", exitOK}, got)
			}
		})
	}
	assert.Equal(t, result{"é", "", 0}, do(utf16le("é"), "-f", "utf-16"), "without a mark it is little-endian")
}

// slowReader hands out n bytes a read, with the error io.EOF of the last as late as possible.
type slowReader struct {
	s string
	n int
}

func (r *slowReader) Read(p []byte) (int, error) {
	if r.s == "" {
		return 0, io.EOF
	}
	n := copy(p, r.s[:min(r.n, len(r.s))])
	r.s = r.s[n:]
	return n, nil
}

// eagerReader has io.EOF together with the last bytes.
type eagerReader struct{ s string }

func (r *eagerReader) Read(p []byte) (int, error) {
	n := copy(p, r.s)
	if r.s = r.s[n:]; r.s == "" {
		return n, io.EOF
	}
	return n, nil
}

// TestPieces has texts of several buffers between all encodings, with characters and marks across the seams.
func TestPieces(t *testing.T) {
	text := strings.Repeat("aé€😀", 1+bufferSize/8) // more than a buffer in every encoding
	encoders := map[string]func(string) string{"utf-8": func(s string) string { return s }, "utf-16le": utf16le, "utf-16be": utf16be, "utf-32le": utf32le, "utf-32be": utf32be}
	for from, encodeFrom := range encoders {
		src := encodeFrom("\uFEFF" + text)
		for to, encodeTo := range encoders {
			want := encodeTo(text)
			for size, args := range map[int][]string{bufferSize - 1: {"-t", to}, 1 << 30: {"-f", from, "-t", to}} {
				got := doReader(&slowReader{src, size}, args...)
				if got.stdout != want { // not printed: it is long
					t.Fatalf("%s to %s, %d bytes a read: %d bytes, want %d: %s", from, to, size, len(got.stdout), len(want), got.stderr)
				}
				require.Equal(t, exitOK, got.code)
			}
		}
	}

	t.Run("bytes", func(t *testing.T) {
		for from, encodeFrom := range encoders {
			got := doReader(&slowReader{encodeFrom("\uFEFFaé€😀"), 1}, "-f", "utf-8")
			assert.Equal(t, result{"aé€😀", "", 0}, got, from)
		}
	})
	t.Run("end at the end of the output buffer", func(t *testing.T) {
		for n := bufferSize/4 - 4; n <= bufferSize/4+4; n++ {
			text := strings.Repeat("x", n)
			if got := doReader(&eagerReader{text}, "-f", "utf-8", "-t", "utf-32le"); got.stdout != utf32le(text) {
				t.Errorf("%d characters: %d bytes", n, len(got.stdout))
			}
		}
	})
	t.Run("offset far behind", func(t *testing.T) {
		src := strings.Repeat("é", bufferSize) + "\xC0" + "tail"
		got := do(src, "-f", "utf-8", "-t", "latin1")
		assert.Equal(t, latin1(strings.Repeat("é", bufferSize)), got.stdout)
		assert.Equal(t, "transcode: standard input: byte 524288: UTF-8: overlong form (1 byte); use --replace or -c to go on\n", got.stderr)
	})
}

// TestPipe reads what a conversation has: output must come before more input is awaited.
func TestPipe(t *testing.T) {
	converse := func(args []string, encode func(string) string, first string) {
		in, toCommand := io.Pipe()
		fromCommand, out := io.Pipe()
		code := make(chan int)
		go func() {
			c := run(args, in, out, io.Discard)
			out.Close()
			code <- c
		}()
		for _, line := range []string{first, "more\n", "end\n"} {
			_, err := io.WriteString(toCommand, line)
			require.NoError(t, err)
			want := encode(line)
			got := make([]byte, len(want))
			_, err = io.ReadFull(fromCommand, got) // for ever if the command waits for more
			require.NoError(t, err)
			require.True(t, want == string(got))
		}
		toCommand.Close()
		rest, err := io.ReadAll(fromCommand)
		require.NoError(t, err)
		assert.Empty(t, rest)
		assert.Equal(t, exitOK, <-code)
	}
	converse([]string{"-f", "utf-8", "-t", "utf-16be"}, utf16be, "first\n")
	converse([]string{"-t", "utf-16be"}, utf16be, strings.Repeat("x", sampleMin))                 // detection has seen enough
	converse([]string{"-f", "utf-8", "-t", "utf-32be"}, utf32be, strings.Repeat("x", bufferSize)) // longer than the output buffer
}

// failingReader fails after s.
type failingReader struct {
	s   string
	err error
}

func (r *failingReader) Read(p []byte) (int, error) {
	if r.s == "" {
		return 0, r.err
	}
	n := copy(p, r.s)
	r.s = r.s[n:]
	return n, nil
}

func TestReadErrors(t *testing.T) {
	folder(t, "good", "good", "out", "old")
	broken := errors.New("medium is broken")
	text := strings.Repeat("x", sampleMin)

	t.Run("at the first read the input is passed over", func(t *testing.T) {
		assert.Equal(t, result{"good", "transcode: standard input: medium is broken\n", exitFailed}, doReader(&failingReader{"", broken}, "-", "good"))
	})
	t.Run("later the run ends", func(t *testing.T) {
		assert.Equal(t, result{text, "transcode: standard input: medium is broken\n", exitFailed}, doReader(&failingReader{text, broken}, "-", "good"))
	})
	t.Run("during detection", func(t *testing.T) {
		assert.Equal(t, result{"", "transcode: standard input: medium is broken\n", exitFailed}, doReader(&failingReader{"x", broken}, "-", "good"))
		assert.Equal(t, result{"", "transcode: standard input: medium is broken\n", exitFailed}, doReader(&failingReader{"x", broken}, "-f", "utf-16"))
	})
	t.Run("with -o", func(t *testing.T) {
		assert.Equal(t, exitFailed, doReader(&failingReader{text, broken}, "-o", "out").code)
		assert.Equal(t, "old", content(t, "out"))
	})
	t.Run("a reader without progress", func(t *testing.T) {
		assert.Equal(t, result{"", "transcode: standard input: multiple Read calls return no data or error\n", exitFailed}, doReader(&failingReader{"", nil}))
	})
	t.Run("an error that goes by is none", func(t *testing.T) {
		assert.Equal(t, result{"", "", exitOK}, doReader(&failingReader{"", io.EOF}))
	})
}

// failingWriter fails after n bytes.
type failingWriter struct {
	n   int
	err error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.n {
		return w.n, w.err
	}
	w.n -= len(p)
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	full := errors.New("disk is full")
	for _, args := range []string{"", "--help", "--version", "-l", "classify", "classify --json", "classify --help"} {
		var stderr bytes.Buffer
		code := run(strings.Fields(args), strings.NewReader("text"), &failingWriter{0, full}, &stderr)
		assert.Equal(t, exitFailed, code, args)
		assert.Equal(t, "transcode: standard output: disk is full\n", stderr.String(), args)
	}
}

func TestOutputFile(t *testing.T) {
	t.Run("new", func(t *testing.T) {
		folder(t, "in", utf16le("é"))
		assert.Equal(t, result{}, do("", "-f", "utf-16le", "-o", "out", "in"))
		assert.Equal(t, "é", content(t, "out"))
		assert.Equal(t, []string{"in", "out"}, entries(t))
	})
	t.Run("in another folder", func(t *testing.T) {
		folder(t, "in", "é")
		require.NoError(t, os.Mkdir("sub", 0o755))
		assert.Equal(t, result{}, do("", "--output", filepath.Join("sub", "out"), "in"))
		assert.Equal(t, "é", content(t, filepath.Join("sub", "out")))
	})
	t.Run("several inputs", func(t *testing.T) {
		folder(t, "in", "é")
		assert.Equal(t, result{}, do("x", "-t", "utf-16", "-o", "out", "in", "-", "in"))
		assert.Equal(t, bom16le+utf16le("éxé"), content(t, "out"))
	})
	t.Run("input and output the same", func(t *testing.T) {
		text := strings.Repeat("é", bufferSize)
		folder(t, "file", text)
		assert.Equal(t, result{}, do("", "-t", "utf-32be", "-o", "file", "file", "file"))
		if content(t, "file") != utf32be(text+text) {
			t.Error("the file was written while it was read")
		}
		assert.Equal(t, []string{"file"}, entries(t))
	})
	t.Run("nothing happens to it on failure", func(t *testing.T) {
		for _, args := range []string{
			"-f utf-8 bad", "-f utf-8 good bad", "bad", "missing", "good missing", "missing good", ". good", "-t ascii good",
		} {
			folder(t, "out", "old", "good", "é", "bad", latin1("Größe: 3 m"))
			got := do("", append(strings.Fields(args), "-o", "out")...)
			assert.Equal(t, exitFailed, got.code, args)
			assert.NotEmpty(t, got.stderr)
			assert.Empty(t, got.stdout)
			assert.Equal(t, "old", content(t, "out"))
			assert.Equal(t, []string{"bad", "good", "out"}, entries(t))

			got = do("", append(strings.Fields(args), "-o", "new")...)
			assert.Equal(t, exitFailed, got.code, args)
			assert.Equal(t, []string{"bad", "good", "out"}, entries(t))
		}
	})
	t.Run("a folder", func(t *testing.T) {
		folder(t, "in", "é")
		require.NoError(t, os.Mkdir("dir", 0o755))
		got := do("", "-o", "dir", "in")
		assert.Equal(t, exitFailed, got.code)
		assert.Contains(t, got.stderr, "transcode: dir: ")
	})
	t.Run("in no folder", func(t *testing.T) {
		folder(t, "in", "é")
		got := do("", "-o", filepath.Join("missing", "out"), "in")
		assert.Equal(t, exitFailed, got.code)
		assert.Contains(t, got.stderr, "transcode: "+filepath.Join("missing", "out")+": no temporary file in its folder: ")
	})
}

// TestOutputIsInput has standard output that an input is redirected to: without a check it would grow for ever.
func TestOutputIsInput(t *testing.T) {
	folder(t, "log", "old", "in", "é")
	log, err := os.OpenFile("log", os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	defer log.Close()
	var stderr bytes.Buffer
	assert.Equal(t, exitFailed, run([]string{"log", "in"}, nil, log, &stderr))
	assert.Equal(t, "transcode: log: is the output as well; use -o\n", stderr.String())
	assert.Equal(t, "oldé", content(t, "log"))

	// The file that standard output is may be named, too: it is appended to as the redirection says.
	assert.Equal(t, exitOK, run([]string{"-o", "log", "in"}, nil, log, &stderr))
	assert.Equal(t, "oldéé", content(t, "log"))
}

// A terminal is a writer that the command takes for one.
type terminal struct{ bytes.Buffer }

// onTerminal runs the command with a terminal as standard error.
func onTerminal(barFrom int64, stdin io.Reader, stdout io.Writer, args ...string) (screen string, code int) {
	var stderr terminal
	c := &command{stdin: stdin, stdout: stdout, stderr: &stderr, barFrom: barFrom, isTerminal: func(stream any) bool {
		_, ok := stream.(*terminal)
		return ok
	}}
	code = c.run(args)
	return stderr.String(), code
}

func TestProgress(t *testing.T) {
	folder(t, "big", strings.Repeat("x", 3*bufferSize), "bad", strings.Repeat("x", 2*bufferSize)+"\xFF")
	const bar = `\d+% \|.*[KMG]iB/s\) \[\d+m?s:\d+m?s\]`

	screen, code := onTerminal(2*bufferSize, nil, io.Discard, "-f", "utf-8", "big")
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, bar, screen)
	assert.Regexp(t, `\r +\r$`, screen, "the bar is wiped in the end")

	screen, code = onTerminal(2*bufferSize, nil, io.Discard, "-f", "utf-8", "bad", "missing")
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, bar, screen)
	assert.Regexp(t, `\r +\rtranscode: bad: byte 524288: .*\n$`, screen, "the message has a line of its own")

	screen, code = onTerminal(2*bufferSize, nil, io.Discard, "-f", "utf-8", "--replace", "bad", "missing", "big")
	assert.Equal(t, exitFailed, code)
	for _, message := range []string{"bad: 1 ill-formed or unencodable sequence replaced", "missing: .*"} {
		assert.Regexp(t, `\r +\rtranscode: `+message+`\n`, screen, "the bar goes on after it")
	}

	f, err := os.Open("big")
	require.NoError(t, err)
	defer f.Close()
	screen, _ = onTerminal(2*bufferSize, f, io.Discard, "-f", "utf-8")
	assert.Regexp(t, bar, screen, "redirected standard input has a size")

	for name, got := range map[string]func() (string, int){
		"short":                 func() (string, int) { return onTerminal(3*bufferSize, nil, io.Discard, "big") },
		"silent":                func() (string, int) { return onTerminal(0, nil, io.Discard, "-s", "big") },
		"standard input, piped": func() (string, int) { return onTerminal(0, strings.NewReader("x"), io.Discard, "big", "-") },
		"text on the terminal":  func() (string, int) { return onTerminal(0, nil, &terminal{}, "big") },
	} {
		screen, code := got()
		assert.Equal(t, exitOK, code, name)
		assert.Empty(t, screen, name)
	}
	var stderr bytes.Buffer
	c := &command{stdout: io.Discard, stderr: &stderr, isTerminal: isTerminal}
	assert.Equal(t, exitOK, c.run([]string{"big"}))
	assert.Empty(t, stderr.String(), "not on a terminal")
}
