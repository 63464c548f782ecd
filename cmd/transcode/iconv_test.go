package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-1959eab6/transcode"
)

// needIconv skips the test where glibc's iconv is not installed, and fails it if CI is set.
func needIconv(t *testing.T) {
	t.Helper()
	out, err := exec.Command("iconv", "--version").CombinedOutput()
	if err == nil && bytes.Contains(out, []byte("GLIBC")) || bytes.Contains(out, []byte("GNU libc")) {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("glibc's iconv is not installed")
	}
	t.Skip("glibc's iconv is not installed")
}

// iconv runs the system's iconv.
func iconv(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("iconv", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// dropped matches the counts, which iconv does not print.
var dropped = regexp.MustCompile(`(?m)^.* dropped\n`)

// TestLikeIconv runs both commands: they write the same and succeed together.
func TestLikeIconv(t *testing.T) {
	needIconv(t)
	const mixed = "aé€😀"
	folder(t, "8", mixed, "le", utf16le(mixed), "be", bom16be+utf16be(mixed), "32be", bom32be+utf32be(mixed),
		"l1", latin1("aé\x00"), "bad", "aé\xFFb", "cut", "aé\xE2\x82", "lone", utf16le("a")+"\x00\xDC", "bom8", bom8+"é", "empty", "")
	require.NoError(t, os.Mkdir("dir", 0o755))
	for _, tt := range []struct{ args, stdin string }{
		{"-f utf-16le -t utf-8 le", ""},
		{"-f utf-16 -t utf-8 le be", ""},
		{"-f utf-32 -t utf-8 32be", ""},
		{"-f utf-8 -t utf-16 8", ""},
		{"-f utf-8 -t UTF16 8", ""},
		{"-f utf-8 -t unicode", "aé€"},
		{"-f utf-8 -t utf-32 8", ""},
		{"-f utf-16 -t utf-16 be", ""},
		{"-f utf-16 -t utf-16be be", ""},
		{"-f utf-8 -t utf-16le 8", ""},
		{"-f utf-8 -t utf-16be 8 8", ""},
		{"-f utf-8 -t utf-32le 8", ""},
		{"-f utf-8 -t utf-32be 8", ""},
		{"-f utf-8 -t ucs-2", "aé€"},
		{"-f ucs-2 -t utf-8", utf16le("aé€")},
		{"-f latin1 -t utf-16le l1", ""},
		{"-f ISO_8859-1 -t utf-8// l1", ""},
		{"--from-code=latin1 --to-code utf-8 l1", ""},
		{"-futf8 -tutf16le 8", ""},
		{"-f utf-8 -t utf-8 bom8 --bom=keep", ""},
		{"-f utf-8 -t utf-16le bom8 --bom=keep", ""},
		{"-f utf-16le -t utf-8 - --bom=keep", bom16le + utf16le("é")},
		{"-f utf-8 -t utf-8", "stdin"},
		{"-f utf-8 -t utf-8 8 - empty", "stdin"},
		{"8 -f utf-8 -t utf-16le", ""},
		{"-f utf-8 -t utf-8 -- 8", ""},

		{"-f utf-8 -t utf-8 bad 8", ""},
		{"-f utf-8 -t utf-16le bad", ""},
		{"-f utf-8 -t utf-8 cut", ""},
		{"-f utf-16le -t utf-8 lone", ""},
		{"-f utf-8 -t latin1 8", ""},
		{"-s -f utf-8 -t ascii 8", ""},
		{"-f utf-8 -t ascii -c 8", ""},
		{"-f utf-8 -t utf-8 -c bad", ""},
		{"-f utf-8 -t latin1 8 missing 8 -c", ""},
		{"-f utf-8 -t utf-8 missing 8", ""},
		{"-f utf-8 -t utf-8 8 missing", ""},
		{"-f utf-8 -t utf-99 8", ""},
		{"-f utf-99 -t utf-8 8", ""},
		{"-f utf-8 --nonsense 8", ""},
	} {
		t.Run(tt.args, func(t *testing.T) {
			args := strings.Fields(tt.args)
			got := do(tt.stdin, args...)
			if last := len(args) - 1; strings.HasPrefix(args[last], "--bom") {
				args = args[:last]
			}
			want := iconv(t, tt.stdin, args...)
			assert.Equal(t, want.stdout, got.stdout)
			assert.Equal(t, want.code == 0, got.code == 0, "iconv: %d %s", want.code, want.stderr)
			assert.Equal(t, want.stderr == "", dropped.ReplaceAllString(got.stderr, "") == "", got.stderr)
		})
	}
}

// TestLikeIconvOutputFile compares what -o leaves.
func TestLikeIconvOutputFile(t *testing.T) {
	needIconv(t)
	folder(t, "in", "aé€", "old", "a longer text than the new one")
	for _, out := range []string{"new", "old"} {
		require.Equal(t, 0, iconv(t, "", "-f", "utf-8", "-t", "utf-16le", "-o", out+".iconv", "in").code)
		require.Equal(t, result{}, do("", "-f", "utf-8", "-t", "utf-16le", "-o", out, "in"))
		assert.Equal(t, content(t, out+".iconv"), content(t, out))
	}
}

// corpusEncodings tells the encoding of a file of the corpus from its name.
var corpusEncodings = []struct {
	suffix   string
	encoding transcode.Encoding
}{
	{".latin1.txt", transcode.Latin1},
	{".utf16.txt", transcode.UTF16LE},
	{".utf16be.txt", transcode.UTF16BE},
	{".utf8.txt", transcode.UTF8},
	{".utflatin8.txt", transcode.UTF8},
}

// TestCorpus converts the files in the folder TRANSCODE_CORPUS to all encodings, as iconv does, and back.
func TestCorpus(t *testing.T) {
	root := os.Getenv("TRANSCODE_CORPUS")
	if root == "" {
		t.Skip("TRANSCODE_CORPUS names no folder")
	}
	needIconv(t)
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		for _, c := range corpusEncodings {
			if err == nil && strings.HasSuffix(path, c.suffix) {
				files++
				t.Run(filepath.Base(path), func(t *testing.T) { testCorpusFile(t, path, c.encoding) })
			}
		}
		return err
	}))
	assert.NotZero(t, files, root)
}

func testCorpusFile(t *testing.T, path string, from transcode.Encoding) {
	original := content(t, path)
	held := 0
	for to := transcode.UTF8; to <= transcode.UTF32BE; to++ {
		want := iconv(t, "", "-f", from.String(), "-t", to.String(), path)
		got := do("", "--bom=keep", "-f", from.String(), "-t", to.String(), path)
		if got.stdout != want.stdout || (got.code == 0) != (want.code == 0) {
			t.Errorf("to %v: %d bytes, exit %d; iconv: %d bytes, exit %d: %s", to, len(got.stdout), got.code, len(want.stdout), want.code, want.stderr)
			continue
		}
		if got.code != exitOK {
			assert.Contains(t, got.stderr, " cannot hold U+")
			continue
		}
		held++
		back := do(got.stdout, "--bom=keep", "-f", to.String(), "-t", from.String())
		assert.Equal(t, exitOK, back.code, back.stderr)
		if back.stdout != original {
			t.Errorf("from %v to %v and back: %d bytes, were %d", from, to, len(back.stdout), len(original))
		}
	}
	assert.GreaterOrEqual(t, held, 5, "UTF-8, UTF-16 and UTF-32 hold every text")

	// What is not Latin-1 is detected, and one byte order mark removed.
	if from != transcode.Latin1 {
		want := strings.TrimPrefix(do("", "--bom=keep", "-f", from.String(), path).stdout, bom8)
		got := do("", path)
		assert.Equal(t, exitOK, got.code, got.stderr)
		if got.stdout != want {
			t.Errorf("detected: %d bytes, want %d", len(got.stdout), len(want))
		}
	}
}
