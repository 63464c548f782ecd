package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/seed-1959eab6/transcode"
)

const classifyHelp = `Usage: transcode classify [OPTION]... [FILE]...
Say what the text of each FILE is made of. Without FILE, or where FILE is -, read
standard input.

  -f, --from-code=NAME  encoding of the input; when absent each input's encoding is
                        detected. A byte order mark always decides
      --json            print one JSON object per file, each on a line
  -h, --help            print this text

The columns are:
  FILE        the name
  BYTES       its length
  ENCODING    as -f or the first bytes have it; unknown is examined as UTF-8
  CLASS       what the text needs: ASCII, Latin-1 (up to U+00FF), BMP (up to U+FFFF),
              supplementary, or invalid
  CHARACTERS  how many well-formed ones there are, without the byte order mark
  ERROR       where it is ill-formed first, and how

Exit status: 0 all well-formed, 1 some file ill-formed or unreadable, 2 bad usage.

Examples:
  transcode classify *.csv
  transcode classify --json *.csv | jq -r 'select(.class == "invalid").file'
`

// A report is what classify says of one input.
type report struct {
	File       string `json:"file"`
	Bytes      int64  `json:"bytes"`
	Encoding   string `json:"encoding,omitempty"`
	Class      string `json:"class,omitempty"`
	Characters int64  `json:"characters"`
	Error      *fault `json:"error,omitempty"`
}

// A fault is the first error in an input, or the reason why it cannot be read.
type fault struct {
	Offset  *int64 `json:"offset,omitempty"` // nil if reading failed
	Length  int    `json:"length,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Message string `json:"message"`
}

// classify is the subcommand of that name.
func (c *command) classify(args []string) error {
	fs := newFlagSet()
	from := fs.StringP("from-code", "f", "", "")
	asJSON := fs.Bool("json", false, "")
	showHelp := fs.BoolP("help", "h", false, "")
	if err := parse(fs, args, tryClassifyHelp); err != nil {
		return err
	}
	if *showHelp {
		return c.print(classifyHelp)
	}
	cs, ignore, err := parseCharset(*from)
	switch {
	case err != nil:
		return err
	case ignore:
		return &usageError{"classify drops nothing: no //IGNORE", tryClassifyHelp}
	}

	return c.list(inputNames(fs.Args()), cs, newListing(c.stdout, *asJSON))
}

// list examines the inputs and lists their reports.
func (c *command) list(names []string, from charset, l listing) error {
	cl := &classifier{command: c, from: from, src: make([]byte, bufferSize), dst: make([]byte, bufferSize)}
	failed := false
	for _, name := range names {
		r, err := cl.input(name)
		if err != nil {
			c.say(err.Error())
			r.Error = &fault{Message: errors.Unwrap(err).Error()}
		}
		failed = failed || r.Error != nil
		if err := l.add(r); err != nil {
			return ioError(stdoutName, err)
		}
	}
	if err := l.end(); err != nil {
		return ioError(stdoutName, err)
	}
	if failed {
		return errReported
	}
	return nil
}

// A classifier examines the inputs of one run.
type classifier struct {
	*command
	from     charset
	src, dst []byte // buffers of the input and of its text
}

// input examines one input to its end.
func (cl *classifier) input(name string) (report, error) {
	r := report{File: name}
	in, err := cl.open(name, cl.src, func(n int) { r.Bytes += int64(n) })
	if err != nil {
		return r, err
	}
	defer in.close()
	e, known, err := in.encoding(cl.from)
	if err != nil {
		return r, err
	}
	// UTF-8 as the output can hold everything, and has the class of the text as its own.
	s := transcode.Transcoder{From: e, BOM: transcode.BOMOverride}.NewStream()
	class, err := cl.transform(s, in, &r)
	var bad *transcode.Error
	if errors.As(err, &bad) {
		r.fault(bad)
		class = transcode.ClassInvalid
		// The rest is counted only.
		rest := transcode.Transcoder{From: s.Encoding(), OnError: transcode.Skip, BOM: transcode.BOMKeep}.NewStream()
		_, err = cl.transform(rest, in, &r)
	}
	if err != nil {
		return r, err
	}
	r.Class = class.String()
	if r.Encoding = s.Encoding().String(); !known {
		r.Encoding = "unknown"
	}
	return r, nil
}

// transform runs in through s, counts the characters into r and returns their class.
func (cl *classifier) transform(s *transcode.Stream, in *input, r *report) (transcode.Class, error) {
	class := transcode.ClassASCII
	err := pump(s, in, cl.dst, func(text []byte) error {
		class = max(class, transcode.Classify(text))
		r.Characters += int64(transcode.RuneCount(text))
		return nil
	})
	return class, err
}

// fault sets the error of r.
func (r *report) fault(bad *transcode.Error) {
	r.Error = &fault{
		Offset:  &bad.Offset,
		Length:  bad.Len,
		Kind:    bad.Kind.String(),
		Message: faultText(bad),
	}
}

func (f *fault) String() string {
	switch {
	case f == nil:
		return ""
	case f.Offset == nil:
		return f.Message
	}
	return fmt.Sprintf("byte %d: %s", *f.Offset, f.Message)
}

// A listing prints reports.
type listing struct {
	add func(r report) error
	end func() error
}

// newListing returns a listing on w: JSON objects, or a table.
func newListing(w io.Writer, asJSON bool) listing {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return listing{
			add: func(r report) error { return enc.Encode(r) },
			end: func() error { return nil },
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(cells ...any) error {
		_, err := fmt.Fprintf(table, "%v\t%v\t%v\t%v\t%v\t%v\n", cells...)
		return err
	}
	headErr := row("FILE", "BYTES", "ENCODING", "CLASS", "CHARACTERS", "ERROR")
	return listing{
		add: func(r report) error {
			if r.Class == "" { // not read to its end
				return row(printable(r.File), "-", "-", "-", "-", r.Error)
			}
			return row(printable(r.File), r.Bytes, r.Encoding, r.Class, r.Characters, r.Error)
		},
		end: func() error { return errors.Join(headErr, table.Flush()) },
	}
}
