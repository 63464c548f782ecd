// Command transcode converts text between encodings, as iconv does, says what a text is made of, and cuts files into ranges that can be
// converted apart.
//
//	transcode -f utf-16le -t utf-8 -o out.txt in.txt
//	transcode classify *.csv
//	transcode plan log.txt
//	transcode cat --range=0:67108864 log.txt
//
// transcode --help lists the options.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/seed-1959eab6/transcode"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // bad text, or reading or writing failed
	exitUsage  = 2 // bad options, unknown encoding
)

func main() { os.Exit(process()) }

// process is the command as a process, but for its end.
func process() int {
	reportBrokenPipes()
	return run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// run is the command without its process: it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &command{stdin: stdin, stdout: stdout, stderr: stderr, isTerminal: isTerminal, barFrom: 64 << 20}
	return c.run(args)
}

// A command is one run with its streams.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	isTerminal     func(stream any) bool
	barFrom        int64 // inputs above this many bytes in all get a progress bar
	bar            *progressbar.ProgressBar
}

func (c *command) run(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "classify":
			return c.exit(c.classify(args[1:]))
		case "plan":
			return c.exit(c.plan(args[1:]))
		case "cat":
			return c.exit(c.cat(args[1:]))
		}
	}
	return c.exit(c.transcode(args))
}

// errReported ends the run with exitFailed after the messages were printed.
var errReported = errors.New("reported")

// exit prints err and returns its exit code.
func (c *command) exit(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		c.say(usage.message)
		if usage.hint != "" {
			fmt.Fprintln(c.stderr, usage.hint)
		}
		return exitUsage
	case errors.Is(err, errReported), isBrokenPipe(err):
		return exitFailed // the reader at the other end has gone and wants to hear nothing
	}
	c.say(err.Error())
	return exitFailed
}

// say prints one message on standard error, where the progress bar may stand.
func (c *command) say(message string) {
	c.clearBar()
	fmt.Fprintf(c.stderr, "transcode: %s\n", message)
}

// print writes text that was asked for, such as the help, to standard output.
func (c *command) print(text string) error {
	if _, err := io.WriteString(c.stdout, text); err != nil {
		return ioError(stdoutName, err)
	}
	return nil
}

// A usageError is a fault of the command line: one line, and one that says where to read more.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

const (
	tryHelp         = "try 'transcode --help'"
	tryClassifyHelp = "try 'transcode classify --help'"
	tryPlanHelp     = "try 'transcode plan --help'"
	tryCatHelp      = "try 'transcode cat --help'"
)

const (
	stdinName  = "standard input"
	stdoutName = "standard output"
)

// ioError says what failed on the file or stream called name.
func ioError(name string, err error) error {
	return fmt.Errorf("%s: %w", printable(name), cause(err))
}

// cause returns err without the operation and the name that the os package adds.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// printable returns name as it is, or quoted if it would disturb a terminal or a table.
func printable(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// quantity returns n and noun, in the plural where it belongs.
func quantity[Int int | int64](n Int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// isTerminal reports whether stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// version returns the line that --version prints.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("transcode %s, kernels: %s\n", v, transcode.Level())
}
