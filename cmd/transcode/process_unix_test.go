//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startsItself runs the test binary as the command, once.
var startsItself = sync.OnceValue(func() error { return child("--version").Run() })

// needProcess skips the test where the binary is emulated, and so cannot start itself.
func needProcess(t *testing.T) {
	t.Helper()
	err := startsItself()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip(err)
	}
	require.NoError(t, err)
}

// child returns the command as a process that is not yet started.
func child(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// mode returns the permissions of the file.
func mode(t *testing.T, name string) os.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	return info.Mode()
}

func TestOutputMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	folder(t, "in", "é", "old", "old")
	assert.Equal(t, result{}, do("", "-o", "new", "in"))
	assert.Equal(t, os.FileMode(0o640), mode(t, "new"), "as the umask leaves it")

	for _, m := range []os.FileMode{0o600, 0o666, 0o755} {
		require.NoError(t, os.Chmod("old", m))
		assert.Equal(t, result{}, do("", "-t", "utf-16le", "-o", "old", "in"))
		assert.Equal(t, utf16le("é"), content(t, "old"))
		assert.Equal(t, m, mode(t, "old"))
	}

	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown("old", 12, 34))
		assert.Equal(t, result{}, do("", "-o", "old", "in"))
		info, err := os.Stat("old")
		require.NoError(t, err)
		owner := info.Sys().(*syscall.Stat_t)
		assert.Equal(t, [2]uint32{12, 34}, [2]uint32{owner.Uid, owner.Gid})
	}
}

func TestOutputWriteProtected(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is protected from root")
	}
	folder(t, "in", "é", "out", "old")
	require.NoError(t, os.Chmod("out", 0o444))
	assert.Equal(t, result{"", "transcode: out: permission denied\n", exitFailed}, do("", "-o", "out", "in"))
	assert.Equal(t, "old", content(t, "out"))
}

func TestOutputSymlink(t *testing.T) {
	link := func(t *testing.T, to, name string) {
		t.Helper()
		require.NoError(t, os.Symlink(to, name))
	}
	check := func(t *testing.T, target string, links ...string) {
		t.Helper()
		assert.Equal(t, result{}, do("", "-t", "utf-16le", "-o", links[0], "in"))
		for _, l := range links {
			info, err := os.Lstat(l)
			require.NoError(t, err)
			assert.NotZero(t, info.Mode()&os.ModeSymlink, "%s is no link any more", l)
		}
		info, err := os.Lstat(target)
		require.NoError(t, err)
		assert.True(t, info.Mode().IsRegular())
		assert.Equal(t, utf16le("é"), content(t, target))
	}
	t.Run("chain into another folder", func(t *testing.T) {
		folder(t, "in", "é")
		require.NoError(t, os.Mkdir("sub", 0o755))
		require.NoError(t, os.WriteFile("sub/target", []byte("old"), 0o600))
		link(t, "target", "sub/second")
		link(t, "sub/second", "first")
		check(t, "sub/target", "first", "sub/second")
		assert.Equal(t, os.FileMode(0o600), mode(t, "sub/target"))
		assert.Equal(t, []string{"first", "in", "sub"}, entries(t))
	})
	t.Run("absolute", func(t *testing.T) {
		folder(t, "in", "é", "target", "old")
		target, err := filepath.Abs("target")
		require.NoError(t, err)
		link(t, target, "link")
		check(t, "target", "link")
	})
	t.Run("to nothing yet", func(t *testing.T) {
		folder(t, "in", "é")
		link(t, "target", "link")
		check(t, "target", "link")
	})
	t.Run("up from a linked folder", func(t *testing.T) {
		folder(t, "in", "é")
		require.NoError(t, os.MkdirAll("a/b", 0o755))
		require.NoError(t, os.WriteFile("a/target", []byte("old"), 0o600))
		link(t, "a/b", "folder")
		link(t, "../target", "a/b/link")
		check(t, "a/target", "folder/link")
		assert.Equal(t, []string{"a", "folder", "in"}, entries(t))
	})
	t.Run("the link is an input too", func(t *testing.T) {
		folder(t, "in", "é", "target", "é")
		link(t, "target", "link")
		assert.Equal(t, result{}, do("", "-t", "utf-16le", "-o", "target", "link"))
		assert.Equal(t, utf16le("é"), content(t, "link"))
	})
	t.Run("in a circle", func(t *testing.T) {
		folder(t, "in", "é")
		link(t, "a", "b")
		link(t, "b", "a")
		assert.Equal(t, exitFailed, do("", "-o", "a", "in").code)
		assert.Equal(t, []string{"a", "b", "in"}, entries(t))
	})
}

// device returns the name of a device: /dev/null or /dev/full, or for root, who may rename files in /dev, a node like it in
// the current folder. A broken command is to break no system.
func device(t *testing.T, name, minor string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		name = filepath.Join("/dev", name)
		if _, err := os.Stat(name); err != nil {
			t.Skip(err)
		}
		return name
	}
	if runtime.GOOS != "linux" {
		t.Skip("device numbers are not Linux's")
	}
	if out, err := exec.Command("mknod", name, "c", "1", minor).CombinedOutput(); err != nil {
		t.Skipf("no device can be made: %v: %s", err, out)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("the file system has no devices: %v", err)
	}
	f.Close()
	return name
}

func TestOutputDevice(t *testing.T) {
	t.Run("null", func(t *testing.T) {
		folder(t, "in", "é", "bad", "\xFF")
		null := device(t, "null", "3")
		before := mode(t, null)
		assert.NotZero(t, before&os.ModeDevice)
		assert.Equal(t, result{}, do("", "-o", null, "in"))
		assert.Equal(t, before, mode(t, null))
		assert.Equal(t, exitFailed, do("", "-f", "utf-8", "-o", null, "bad").code)
		assert.Equal(t, before, mode(t, null))
	})
	t.Run("full", func(t *testing.T) {
		folder(t, "in", "é")
		full := device(t, "full", "7")
		before := mode(t, full)
		assert.Equal(t, result{"", "transcode: " + full + ": no space left on device\n", exitFailed}, do("", "-o", full, "in"))
		assert.Equal(t, before, mode(t, full))

		f, err := os.OpenFile(full, os.O_WRONLY, 0)
		require.NoError(t, err)
		defer f.Close()
		var stderr bytes.Buffer
		assert.Equal(t, exitFailed, run([]string{"in"}, nil, f, &stderr))
		assert.Equal(t, "transcode: standard output: no space left on device\n", stderr.String())
	})
}

// mkfifo makes a named pipe: by the command, since not every syscall package has it.
func mkfifo(t *testing.T, name string) {
	t.Helper()
	out, err := exec.Command("mkfifo", name).CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestOutputFIFO(t *testing.T) {
	folder(t, "in", "é", "bad", "é\xFF")
	mkfifo(t, "fifo")
	for _, tt := range []struct {
		in   string
		code int
	}{{"in", exitOK}, {"bad", exitFailed}} { // the good prefix is written: nothing is replaced
		read := make(chan string)
		go func() {
			b, _ := os.ReadFile("fifo")
			read <- string(b)
		}()
		assert.Equal(t, tt.code, do("", "-f", "utf-8", "-t", "utf-16le", "-o", "fifo", tt.in).code)
		assert.Equal(t, utf16le("é"), <-read)
		assert.NotZero(t, mode(t, "fifo")&os.ModeNamedPipe)
	}
}

// TestInputFIFO has a named pipe as input: it has no size and comes in pieces.
func TestInputFIFO(t *testing.T) {
	folder(t)
	mkfifo(t, "fifo")
	text := strings.Repeat("é", bufferSize)
	go os.WriteFile("fifo", []byte(text), 0)
	got := do("", "-t", "utf-16be", "fifo")
	assert.Equal(t, exitOK, got.code, got.stderr)
	if got.stdout != utf16be(text) {
		t.Errorf("%d bytes, want %d", len(got.stdout), 2*bufferSize)
	}
}

// TestSignals ends a conversion in the middle: the target is as it was and no temporary file is left.
func TestSignals(t *testing.T) {
	needProcess(t)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			if signal.Ignored(s) {
				t.Skip("the tests were started to ignore it, in the background perhaps, and so is the command")
			}
			folder(t, "in", "new", "out", "old")
			for subcommand, input := range map[string]string{"-futf-8": "new", "cat": `{"file":"in","lo":0,"hi":3,"encoding":"UTF-8"}`} {
				cmd, stdin := startWithTemp(t, nil, input, subcommand)
				require.NoError(t, cmd.Process.Signal(s))
				require.Error(t, cmd.Wait())
				stdin.Close()
				status := cmd.ProcessState.Sys().(syscall.WaitStatus)
				assert.True(t, status.Signaled() && status.Signal() == s, "ended by %v", cmd.ProcessState)
				assert.Equal(t, []string{"in", "out"}, entries(t))
				assert.Equal(t, "old", content(t, "out"))
				assert.Empty(t, cmd.Stderr.(*bytes.Buffer).String())
			}
		})
	}
}

// TestIgnoredSignal has a process that was started to ignore a signal, as nohup does: it goes on.
func TestIgnoredSignal(t *testing.T) {
	needProcess(t)
	folder(t, "out", "old")
	cmd, stdin := startWithTemp(t, []string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, "new", "-f", "utf-8")
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	time.Sleep(50 * time.Millisecond) // were it not ignored, it would end here
	stdin.Close()
	require.NoError(t, cmd.Wait())
	assert.Equal(t, "new", content(t, "out"))
}

// startWithTemp starts the command, by the words in through if any, on an input whose text is "new", and returns when its temporary
// file is there.
func startWithTemp(t *testing.T, through []string, input string, args ...string) (*exec.Cmd, io.Closer) {
	t.Helper()
	cmd := child(append(args, "-o", "out")...)
	if through != nil {
		wrapped := exec.Command(through[0], append(through[1:], cmd.Args...)...)
		wrapped.Env = cmd.Env
		cmd = wrapped
	}
	cmd.Stderr = new(bytes.Buffer)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	_, err = io.WriteString(stdin, input)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		names, _ := filepath.Glob(".transcode-*.tmp")
		return len(names) == 1 && content(t, names[0]) == "new"
	}, time.Minute, time.Millisecond)
	return cmd, stdin
}

// TestBrokenPipe writes to a pipe that nobody reads.
func TestBrokenPipe(t *testing.T) {
	needProcess(t)
	folder(t, "in", strings.Repeat("x", bufferSize))
	for _, args := range []string{"in", "classify in", "plan --size=1 in", "cat --range=0:9 in", "--help"} {
		cmd := child(strings.Fields(args)...)
		r, w, err := os.Pipe()
		require.NoError(t, err)
		r.Close()
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &stderr
		require.Error(t, cmd.Run(), args)
		w.Close()
		assert.Equal(t, exitFailed, cmd.ProcessState.ExitCode(), "%s: %v", args, cmd.ProcessState)
		assert.Empty(t, stderr.String(), args)
	}
}

// TestProgressBrokenPipe has a progress bar when the reader goes: no message follows, but the bar is wiped.
func TestProgressBrokenPipe(t *testing.T) {
	folder(t, "big", strings.Repeat("x", 3*bufferSize))
	screen, code := onTerminal(0, nil, &failingWriter{bufferSize, syscall.EPIPE}, "-f", "utf-8", "big")
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, `%.*\r +\r$`, screen)
}

// asTranscode puts the command in the PATH as transcode.
func asTranscode(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "transcode")))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(asCommand, "1")
}

// TestRangesExample runs the example that the help has.
func TestRangesExample(t *testing.T) {
	needProcess(t)
	asTranscode(t)
	text := strings.Repeat("some words, déjà vu 😀\n", 200_000)
	folder(t, "log.txt", bom16le+utf16le(text))
	out, err := exec.Command("sh", "-e", "-c", planExample).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Empty(t, string(out))
	parts, err := filepath.Glob("*.part")
	require.NoError(t, err)
	assert.Len(t, parts, (2+len(utf16le(text)))>>20+1)
	if content(t, "log.utf8.txt") != text {
		t.Error("the parts are not the text")
	}
}

// TestRangesOfNoFile has inputs that are not cut: one has no end yet, the size of the other is unknown.
func TestRangesOfNoFile(t *testing.T) {
	folder(t)
	mkfifo(t, "fifo")
	for _, args := range []string{"plan fifo", "cat --range=0:1 fifo"} {
		assert.Equal(t, result{"", "transcode: fifo: not a regular file, so it has no ranges\n", exitFailed}, do("", strings.Fields(args)...))
	}
	if runtime.GOOS == "linux" {
		const proc = "/proc/self/status"
		assert.Equal(t, result{"", "transcode: " + proc + ": longer than the system says\n", exitFailed}, do("", "plan", proc))
	}
}

// TestRangesPipe gives each worker ranges on its standard input, as Spark and Hadoop do.
func TestRangesPipe(t *testing.T) {
	needProcess(t)
	asTranscode(t)
	folder(t, "bad", latin1("aé\n\n")+"\xFFb\n\xE2\x82\nlast")
	for _, script := range []string{
		"transcode plan --size=2 -f utf-8 bad | transcode cat -s --replace",
		"transcode plan --characters --size=5 -f utf-8 bad | while read -r line; do echo \"$line\" | transcode cat -s --replace; done",
	} {
		out, err := exec.Command("sh", "-e", "-c", script).CombinedOutput()
		require.NoError(t, err, string(out))
		assert.Equal(t, "a\uFFFD\n\n\uFFFDb\n\uFFFD\nlast", string(out), script)
	}
}
