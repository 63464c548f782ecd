//go:build linux && !race

package tests

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// What a process of its own shows: how much memory reading takes at most, and which system calls it makes. The test binary is that
// process, with the name of a task in its environment and the name of a file as argument.
const taskVariable = "TRANSCODE_TEST_TASK"

var tasks = map[string]func(name string, e transcode.Encoding) (result int){
	"ReadFileString": func(name string, e transcode.Encoding) int {
		s, err := transcode.ReadFileString(name, e)
		io.Copy(seen, struct{ io.Reader }{strings.NewReader(s)}) // without a copy of it
		return sizeOf(len(s), err)
	},
	"ReadFileText": func(name string, e transcode.Encoding) int {
		text, _, err := transcode.ReadFileText(name, e)
		kept = text
		size := text.Len()
		if text.Class() > transcode.ClassLatin1 {
			size *= 2
		}
		return sizeOf(size, err)
	},
	"AppendFile": func(name string, e transcode.Encoding) int {
		buf := make([]byte, 0, 600<<10)
		for range 3 {
			b, err := transcode.AppendFile(buf, name, e)
			seen.Write(b)
			sizeOf(len(b), err)
		}
		return 0
	},
	"os.ReadFile": func(name string, _ transcode.Encoding) int {
		for range 3 {
			b, err := os.ReadFile(name)
			sizeOf(len(b), err)
		}
		return 0
	},
	"stream": func(name string, e transcode.Encoding) int {
		f, err := transcode.Open(name)
		sizeOf(0, err)
		defer f.Close()
		_, err = io.Copy(seen, f.NewReader(transcode.Transcoder{From: e, OnError: transcode.Replace}, 0, -1))
		return sizeOf(0, err)
	},
	"Lines": func(name string, e transcode.Encoding) int {
		f, err := os.Open(name)
		sizeOf(0, err)
		defer f.Close()
		for line, err := range transcode.NewReader(f, e).Lines() {
			seen.Write(line.Text)
			sizeOf(0, err)
		}
		return 0
	},
}

func init() {
	// What memory of a size costs without anything that is done with it.
	tasks["memory"] = func(size string, _ transcode.Encoding) int {
		n, err := strconv.Atoi(size)
		b := make([]byte, sizeOf(n, err))
		for i := 0; i < n; i += 4 << 10 {
			b[i] = 1
		}
		runtime.KeepAlive(b)
		return n
	}
}

var kept transcode.Text

// seen is a checksum of what tasks have read.
var seen = crc32.NewIEEE()

func sizeOf(n int, err error) int {
	if err != nil {
		panic(err)
	}
	return n
}

func TestMain(m *testing.M) {
	task := os.Getenv(taskVariable)
	if task == "" {
		os.Exit(m.Run())
	}
	name, label, _ := strings.Cut(task, " ")
	e, ok := transcode.LookupEncoding(label)
	if !ok {
		panic(task)
	}
	runtime.GC() // what the first collection takes is not the task's
	before := peak()
	result := tasks[name](os.Args[1], e)
	fmt.Println(peak()-before, result, seen.Sum32())
}

// peak returns the most memory that this process has had so far, in bytes.
func peak() int {
	status, err := os.ReadFile("/proc/self/status")
	sizeOf(0, err)
	kib, err := strconv.Atoi(string(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)[1]))
	return sizeOf(kib<<10, err)
}

// child returns a process that does a task with files, behind the words of another command if there are any.
func child(t *testing.T, task string, e transcode.Encoding, file string, behind ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	args := append(behind, self, file)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), taskVariable+"="+task+" "+e.String())
	return cmd
}

// bigFile writes a file of about so many MiB and returns its name. Its text is not held in memory.
func bigFile(t *testing.T, e transcode.Encoding, line string, mib int) string {
	piece, err := transcode.Append(nil, e, strings.Repeat(line, 1<<20/len(line)), transcode.UTF8)
	require.NoError(t, err)
	name := writeFile(t, "big", nil)
	f, err := os.Create(name)
	require.NoError(t, err)
	defer f.Close()
	w := bufio.NewWriter(f)
	for range max(1, mib<<20/len(piece)) {
		_, err := w.Write(piece)
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	return name
}

// A whole file takes the memory of its result and 1 MiB, a stream 4 MiB.
func TestFileMemory(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("an emulator's memory is not the program's")
	}
	for _, c := range []struct {
		task string
		e    transcode.Encoding
		line string
	}{
		{"ReadFileString", transcode.UTF8, "plain ASCII\n"},
		{"ReadFileString", transcode.UTF8, "日本語\n"},
		{"ReadFileString", transcode.Latin1, "été à la forêt\n"},
		{"ReadFileString", transcode.UTF16LE, "plain ASCII\n"},
		{"ReadFileString", transcode.UTF16BE, "日本語\n"},
		{"ReadFileText", transcode.UTF8, "plain ASCII\n"},
		{"ReadFileText", transcode.UTF8, "été à la forêt\n"},
		{"ReadFileText", transcode.UTF8, "Русский\n"},
		{"ReadFileText", transcode.UTF8, "日本語 and 😀\n"},
		{"ReadFileText", transcode.Latin1, "été à la forêt\n"},
		{"ReadFileText", transcode.UTF16LE, "été à la forêt\n"},
		{"ReadFileText", transcode.UTF16LE, "日本語\n"},
		{"stream", transcode.UTF8, "日本語\n"},
		{"stream", transcode.UTF16LE, "日本語\n"},
		{"Lines", transcode.Latin1, "été à la forêt\n"},
	} {
		name := bigFile(t, c.e, c.line, 24)
		took, result := memoryOf(t, c.task, c.e, name)
		most := 4 << 20
		if result > 0 {
			alone, _ := memoryOf(t, "memory", c.e, fmt.Sprint(result))
			const code = 256 << 10 // of the program, which a process that reads nothing does not run
			most = alone + 1<<20 + code
		}
		for n := 0; n < 10 && took > most; n++ { // what else goes on in a process may take more, never less
			again, _ := memoryOf(t, c.task, c.e, name)
			took = min(took, again)
		}
		t.Logf("%s from %v, %q: %d KiB, %d KiB under the limit", c.task, c.e, c.line, took>>10, (most-took)>>10)
		require.LessOrEqual(t, took, most, "%s from %v of %q", c.task, c.e, c.line)
	}
}

// memoryOf returns how much memory a task takes at most, and the size of its result.
func memoryOf(t *testing.T, task string, e transcode.Encoding, name string) (took, result int) {
	t.Helper()
	out, err := child(t, task, e, name).Output()
	require.NoError(t, err)
	_, err = fmt.Sscan(string(out), &took, &result)
	require.NoError(t, err)
	return took, result
}

// traced returns the system calls that a task makes between the open and the close of a file, each with its arguments and result.
func traced(t *testing.T, task string, e transcode.Encoding, name string) (calls []string) {
	t.Helper()
	log := writeFile(t, "strace", nil)
	out, err := child(t, task, e, name, "strace", "-f", "-qq", "-o", log).CombinedOutput()
	require.NoError(t, err, string(out))
	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	var fd string
	opened := regexp.MustCompile(`openat\(.*"` + regexp.QuoteMeta(name) + `".*= (\d+)$`)
	begun := map[string]string{} // calls that those of another thread interrupt in the log, by thread
	for line := range bytes.Lines(lines) {
		thread, call, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		call = strings.TrimSpace(call)
		if part, ok := strings.CutSuffix(call, "<unfinished ...>"); ok {
			begun[thread] = strings.TrimSpace(part)
			continue
		}
		if strings.HasPrefix(call, "<... ") {
			_, part, _ := strings.Cut(call, "resumed>")
			call = begun[thread] + part
		}
		if m := opened.FindStringSubmatch(call); m != nil {
			fd = m[1]
			calls = append(calls, "open")
			continue
		}
		name, rest, _ := strings.Cut(call, "(")
		switch {
		case fd == "" || !regexp.MustCompile(`^(\d+, \w+, )?`+fd+`[,)]`).MatchString(rest):
		case name == "read" || name == "pread64":
			calls = append(calls, name+rest[strings.LastIndex(rest, " "):])
		default:
			calls = append(calls, name)
			if name == "close" {
				fd = ""
			}
		}
	}
	return calls
}

// A small file costs four system calls: open, read, the read that sees the end, close. No file is ever seeked in.
func TestFileSystemCalls(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no strace")
	}
	for _, size := range []int{1 << 10, 4 << 10, 64 << 10, 512 << 10} {
		name := writeFile(t, "text", bytes.Repeat([]byte("a"), size))
		once := []string{"open", fmt.Sprint("read ", size), "read 0", "close"}
		inPieces := once
		if size > 64<<10 { // the first piece is not read into the result: a byte order mark may go
			inPieces = []string{"open", "read 65544", "read 262144", fmt.Sprint("read ", size-65544-262144), "read 0", "close"}
		}
		require.Equal(t, slices.Repeat(inPieces, 3), traced(t, "AppendFile", transcode.UTF8, name), "%d bytes", size)
		if size < 256<<10 {
			require.Equal(t, slices.Repeat(once, 3), traced(t, "AppendFile", transcode.Latin1, name), "%d bytes", size)
		}
		if size < 64<<10 {
			require.Equal(t, once, traced(t, "ReadFileString", transcode.UTF8, name))
			require.Equal(t, once, traced(t, "ReadFileText", transcode.UTF8, name))
		}
	}
	// What the test would see if there were more.
	small := writeFile(t, "text", []byte("a"))
	require.Greater(t, len(traced(t, "os.ReadFile", transcode.UTF8, small)), 3*4)

	// A large file: once its size, then a read for each piece.
	large := writeFile(t, "text", bytes.Repeat([]byte("a\x00"), 512<<10))
	calls := traced(t, "ReadFileText", transcode.UTF8, large)
	require.LessOrEqual(t, len(calls), 1+1+2+4+1+1)
	calls = traced(t, "stream", transcode.UTF16LE, large)
	require.NotContains(t, calls, "lseek")
	require.NotContains(t, calls, "read")
	require.Equal(t, 4, strings.Count(strings.Join(calls, " "), "pread64 262144"))
}

// A system call that a signal interrupts is made again.
func TestFileInterrupted(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no strace")
	}
	for _, size := range []int{1 << 10, 2 << 20} {
		for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE} {
			src := texts.Encoded(e, strings.Repeat("und so weiter; и так далее\n", size/64))
			name := writeFile(t, "text", src)
			for _, task := range []string{"AppendFile", "ReadFileString", "ReadFileText", "stream", "Lines"} {
				whole, err := child(t, task, e, name).Output()
				require.NoError(t, err)
				log := writeFile(t, "strace", nil)
				cmd := child(t, task, e, name, "strace", "-f", "-qq", "-o", log, "-P", name, "-e", "inject=openat,fstat,read,pread64:error=EINTR:when=1+2")
				out, err := cmd.Output()
				require.NoError(t, err, "%s of %d bytes of %v", task, len(src), e)
				require.Equal(t, strings.Fields(string(whole))[1:], strings.Fields(string(out))[1:], "%s of %d bytes of %v", task, len(src), e)
				calls, err := os.ReadFile(log)
				require.NoError(t, err)
				require.GreaterOrEqual(t, bytes.Count(calls, []byte("EINTR (Interrupted system call) (INJECTED)")), 2, "%s of %d bytes of %v", task, len(src), e)
			}
		}
	}
}
