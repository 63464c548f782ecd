package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
)

const planHelp = `Usage: transcode plan [OPTION]... FILE...
Cut each FILE into ranges that can be converted apart, and print a JSON object for each
on a line: file, lo and hi in bytes, encoding, unit and the delimiter of records. All
that transcode cat writes of them, in this order, is what transcode writes of the FILE.
FILE is a regular file; one without text has one empty range.

  -f, --from-code=NAME  encoding of the input; when absent each input's encoding is
                        detected. A byte order mark decides, and is in no range
      --size=BYTES      cut at the first line from each multiple of so many bytes on;
                        K, M and G stand for 1024 and its powers. Default 64M
  -d, --delimiter=CHAR  cut behind CHAR, not behind lines: an ASCII character, or an
                        escape as \t, \0, \x1e
      --characters      cut between any two characters
  -h, --help            print this text

A FILE that cannot be read is reported and passed over.
Exit status: 0 done, 1 some FILE not planned or a failure to write, 2 bad usage.

Examples: eight processes share a file
` + planExample

// planExample is run by a test.
const planExample = `  transcode plan --size=1M log.txt |
    sed 's/.*"lo":\([0-9]*\),"hi":\([0-9]*\).*/\1:\2/' |
    xargs -P 8 -I {} transcode cat --range={} -o {}.part log.txt
  ls *.part | sort -n | xargs cat > log.utf8.txt
`

const catHelp = `Usage: transcode cat [OPTION]... --range=LO:HI FILE
       transcode cat [OPTION]... < PLAN
Convert the bytes from LO up to HI of FILE, as transcode plan has cut it, to UTF-8 or to
the encoding that -t names. Without --range and FILE, convert the ranges that standard
input has in the form of transcode plan.

      --range=LO:HI     in bytes; one that begins at the byte order mark or right
                        behind it begins the text
  -f, --from-code=NAME  encoding of FILE, as plan was given it; when absent it is
                        detected at its start. A byte order mark decides
  -t, -o, --replace, -c, -s are those of transcode --help; -t UTF-16 and UTF-32 write a
                        byte order mark where the text begins
  -h, --help            print this text

Exit status: 0 done, 1 bad text or a failure to read or write, 2 bad usage.

Examples:
  transcode cat -f utf-16le --range=1048576:2097152 log.txt
  transcode plan log.txt | split -n r/8 --filter='transcode cat | grep -c error'
Spark: sc.textFile("plan", 64).pipe("transcode cat --replace")
Hadoop Streaming: -D stream.map.input.ignoreKey=true -input plan
  -inputformat org.apache.hadoop.mapred.lib.NLineInputFormat
  -mapper "transcode cat --replace"
`

// A plannedRange is a line of a plan: what a worker needs to read its range as the others read theirs.
type plannedRange struct {
	File string `json:"file"`
	transcode.Range
	Unit      string `json:"unit"`                // character, line or record
	Delimiter string `json:"delimiter,omitempty"` // of records
}

// plan is the subcommand of that name.
func (c *command) plan(args []string) error {
	fs := newFlagSet()
	from := fs.StringP("from-code", "f", "", "")
	size := fs.String("size", "64M", "")
	delim := fs.StringP("delimiter", "d", "", "")
	characters := fs.Bool("characters", false, "")
	showHelp := fs.BoolP("help", "h", false, "")
	if err := parse(fs, args, tryPlanHelp); err != nil {
		return err
	}
	if *showHelp {
		return c.print(planHelp)
	}
	cs, ignore, err := parseCharset(*from)
	if err != nil {
		return err
	}
	o := transcode.PlanOptions{BOM: transcode.BOMOverride, Unit: transcode.UnitLine}
	line := plannedRange{Unit: "line"}
	var sizeOK, delimOK bool
	o.Size, sizeOK = parseSize(*size)
	o.Delim, delimOK = parseDelimiter(*delim)
	separated := fs.Changed("delimiter")
	switch {
	case ignore:
		return &usageError{"plan drops nothing: no //IGNORE", tryPlanHelp}
	case !sizeOK:
		return &usageError{fmt.Sprintf("--size=%s: it is a number of bytes, as 1000000 or 64M", printable(*size)), tryPlanHelp}
	case separated && *characters:
		return &usageError{"-d and --characters exclude each other", tryPlanHelp}
	case separated && !delimOK:
		return &usageError{fmt.Sprintf(`-d %s: it is one ASCII character, or an escape as \t`, printable(*delim)), tryPlanHelp}
	case fs.NArg() == 0:
		return &usageError{"plan needs a FILE", tryPlanHelp}
	case separated:
		o.Unit, line.Unit, line.Delimiter = transcode.UnitRecord, "record", string(rune(o.Delim))
	case *characters:
		o.Unit, line.Unit = transcode.UnitCharacter, "character"
	}

	failed := false
	lines := json.NewEncoder(c.stdout)
	lines.SetEscapeHTML(false)
	for _, name := range fs.Args() {
		ranges, err := c.planFile(name, cs, o)
		if err != nil {
			c.say(err.Error())
			failed = true
			continue
		}
		for _, line.Range = range ranges {
			line.File = name
			if err := lines.Encode(line); err != nil {
				return ioError(stdoutName, err)
			}
		}
	}
	if failed {
		return errReported
	}
	return nil
}

// planFile returns the ranges of the file, one at least.
func (c *command) planFile(name string, cs charset, o transcode.PlanOptions) ([]transcode.Range, error) {
	if !utf8.ValidString(name) {
		return nil, fmt.Errorf("%s: JSON cannot hold the name, which is not UTF-8", printable(name))
	}
	f, err := c.openRanges(name, cs)
	if err != nil {
		return nil, err
	}
	defer f.close()
	o.From = f.encoding
	ranges, err := transcode.Plan(f, f.info.Size(), o)
	if err != nil {
		return nil, ioError(name, err)
	}
	if len(ranges) == 0 {
		ranges = []transcode.Range{{Lo: f.start, Hi: f.start, Encoding: f.encoding}}
	}
	return ranges, nil
}

// A rangeFile is an input that can be read at any place.
type rangeFile struct {
	*input
	io.ReaderAt
	encoding transcode.Encoding // as its byte order mark, the command line or its first bytes have it
	start    int64              // where the text begins, behind the byte order mark
}

var errNotRegular = errors.New("not a regular file, so it has no ranges")

// openRanges opens the file to be read in ranges.
func (c *command) openRanges(name string, cs charset) (*rangeFile, error) {
	if name == "-" {
		return nil, ioError(stdinName, errNotRegular)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait
		return nil, ioError(name, errNotRegular)
	}
	in, err := c.open(name, make([]byte, sampleMax), nil)
	if err != nil {
		return nil, err
	}
	f := &rangeFile{input: in, ReaderAt: in.r.(io.ReaderAt)}
	if err := f.begin(cs); err != nil {
		in.close()
		return nil, err
	}
	return f, nil
}

// begin finds out the encoding and where the text begins.
func (f *rangeFile) begin(cs charset) error {
	sample, err := f.peek(4)
	switch {
	case err != nil:
		return err
	case f.info == nil:
		return ioError(f.name, errors.New("its size is unknown"))
	case f.info.Size() == 0 && len(sample) > 0: // as in /proc
		return ioError(f.name, errors.New("longer than the system says"))
	}
	if f.encoding, err = f.knownEncoding(cs); err != nil {
		return err
	}
	if e, bomLen, _ := transcode.Detect(sample[:min(len(sample), 4)]); bomLen > 0 {
		f.encoding, f.start = e, int64(bomLen)
	}
	return nil
}

// cat is the subcommand of that name.
func (c *command) cat(args []string) error {
	fs := newFlagSet()
	converting := addConversionFlags(fs)
	lohi := fs.String("range", "", "")
	showHelp := fs.BoolP("help", "h", false, "")
	if err := parse(fs, args, tryCatHelp); err != nil {
		return err
	}
	if *showHelp {
		return c.print(catHelp)
	}
	o, err := converting()
	if err != nil {
		return err
	}
	var one plannedRange
	ok := true
	if fs.Changed("range") {
		one.Range, ok = parseRange(*lohi)
	}
	switch {
	case !ok:
		return &usageError{fmt.Sprintf("--range=%s: it is LO:HI, in bytes", printable(*lohi)), tryCatHelp}
	case fs.Changed("range") && fs.NArg() != 1:
		return &usageError{"cat --range needs one FILE", tryCatHelp}
	case !fs.Changed("range") && fs.NArg() > 0:
		return &usageError{"cat needs the --range of a FILE", tryCatHelp}
	case !fs.Changed("range") && o.from.named:
		return &usageError{"cat without --range takes -f from the plan", tryCatHelp}
	}

	out, err := c.openOutput(o.output)
	if err != nil {
		return err
	}
	defer out.discard()
	cv := &converter{command: c, options: o, out: out}
	if fs.Changed("range") {
		one.File = fs.Arg(0)
		err = cv.textRange(one)
	} else {
		err = cv.planned(c.stdin)
	}
	if err != nil {
		return err
	}
	return out.commit()
}

// planned converts the ranges that plan has.
func (cv *converter) planned(plan io.Reader) error {
	lines := json.NewDecoder(plan)
	for n := 1; ; n++ {
		line := plannedRange{Range: transcode.Range{Lo: -1, Hi: -1, Encoding: math.MaxUint8}} // none of which is right
		err := lines.Decode(&line)
		switch {
		case err == io.EOF:
			return nil
		case err == nil && (line.File == "" || line.Lo < 0 || line.Hi < line.Lo || line.Encoding > transcode.UTF32BE):
			err = errors.New("file, lo, hi or encoding is missing or wrong")
		}
		if err != nil {
			return ioError(stdinName, fmt.Errorf("range %d of the plan: %w", n, err))
		}
		cv.from = charset{encoding: line.Encoding, named: true}
		if err := cv.textRange(line); err != nil {
			return err
		}
	}
}

// textRange converts one range.
func (cv *converter) textRange(line plannedRange) error {
	f, err := cv.openRanges(line.File, cv.from)
	if err != nil {
		return err
	}
	defer f.close()
	if err := cv.out.check(f.input); err != nil {
		return err
	}
	if size := f.info.Size(); line.Hi > size {
		return ioError(f.name, fmt.Errorf("has %s, not the range %d:%d", quantity(size, "byte"), line.Lo, line.Hi))
	}

	t := transcode.Transcoder{From: f.encoding, To: cv.to.encoding, OnError: cv.policy, BOM: transcode.BOMOverride, AddBOM: cv.to.bare && !cv.begun}
	cv.begun = true
	var r *transcode.Reader
	if line.Lo <= f.start { // as the whole file begins
		r = t.NewReader(io.NewSectionReader(f, 0, line.Hi))
	} else {
		r = t.NewRangeReader(f, transcode.Range{Lo: line.Lo, Hi: line.Hi, Encoding: f.encoding})
	}
	for chunk, err := range r.Chunks() {
		if err == nil {
			err = cv.out.write(chunk.Text)
		} else {
			err = ioError(f.name, err)
		}
		if err != nil {
			return cv.outcome(f.input, 0, err)
		}
	}
	if r.InputOffset() < line.Hi { // the file has become shorter
		return cv.outcome(f.input, 0, ioError(f.name, io.ErrUnexpectedEOF))
	}
	return cv.outcome(f.input, r.Replaced(), nil)
}

// parseSize parses a positive number of bytes, which may end in K, M or G.
func parseSize(s string) (size int64, ok bool) {
	shift := 0
	if i := len(s) - 1; i >= 0 {
		if k := strings.IndexByte("KMG", s[i]); k >= 0 {
			s, shift = s[:i], 10*(k+1)
		}
	}
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n) << shift, err == nil && 0 < n && n <= math.MaxInt64>>shift
}

// parseDelimiter parses an ASCII character or an escape that stands for one.
func parseDelimiter(s string) (delim byte, ok bool) {
	switch s {
	case `\0`:
		return 0, true
	case `\`:
		return '\\', true
	}
	r, _, tail, err := strconv.UnquoteChar(s, 0)
	return byte(r), err == nil && tail == "" && r < utf8.RuneSelf
}

// parseRange parses LO:HI.
func parseRange(s string) (r transcode.Range, ok bool) {
	lo, hi, _ := strings.Cut(s, ":")
	from, errLo := strconv.ParseUint(lo, 10, 63)
	to, errHi := strconv.ParseUint(hi, 10, 63)
	return transcode.Range{Lo: int64(from), Hi: int64(to)}, errLo == nil && errHi == nil && from <= to
}
