package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1959eab6/transcode"
)

const help = `Usage: transcode [OPTION]... [FILE]...
       transcode classify [OPTION]... [FILE]...     say what the text is made of
       transcode plan [OPTION]... FILE...           cut it into ranges
       transcode cat [OPTION]... --range=LO:HI FILE convert one; each has its --help
Convert each FILE to UTF-8, or to the encoding that -t names, on standard output.
Without FILE, or where FILE is -, read standard input.

  -f, --from-code=NAME  encoding of the input; when absent each input's encoding is
                        detected, never guessed
  -t, --to-code=NAME    encoding of the output; UTF-16 and UTF-32 (without LE or BE)
                        are little-endian with a byte order mark. Default UTF-8
  -o, --output=FILE     write to FILE, which is replaced only when all went well;
                        it may be an input too
      --replace         write U+FFFD for what is ill-formed, ? for what the output
                        cannot hold, and go on
  -c                    drop it and go on, as NAME//IGNORE does. Never use it on text
                        that was or will be filtered: dropping joins what stood on
                        both sides, <scr\x80ipt> becomes <script>
      --bom=POLICY      byte order mark at the start of each input:
                        override  removed, and decides the encoding (default)
                        strip     removed if it is that of the input's encoding
                        keep      text, as iconv has it
                        add       override, and the output begins with one
  -s, --silent          print no counts and no progress
  -l, --list            list the encodings
  -V, --version         print the version
  -h, --help            print this text

Detection waits for the first 4 KiB of an input, or its end. Bad text ends the run; a
FILE that cannot be read is reported and passed over.
Exit status: 0 done, 1 bad text or a failure to read or write, 2 bad usage.

Examples:
  transcode -f utf-16le notes.txt > notes.utf8.txt
  transcode -t utf-16 -o notes.txt notes.txt
  zcat access.log.gz | transcode -f latin1 --replace | less
A file called classify, plan or cat: transcode ./plan, or transcode -- plan.
`

// options is what the command line of a conversion asks for.
type options struct {
	from, to charset
	output   string // "" and "-" are standard output
	policy   transcode.Policy
	bom      transcode.BOMPolicy
	addBOM   bool
	silent   bool
	files    []string
}

// transcode is the command without a subcommand: it converts.
func (c *command) transcode(args []string) error {
	fs := newFlagSet()
	converting := addConversionFlags(fs)
	bom := fs.String("bom", "override", "")
	list := fs.BoolP("list", "l", false, "")
	showVersion := fs.BoolP("version", "V", false, "")
	showHelp := fs.BoolP("help", "h", false, "")
	if err := parse(fs, args, tryHelp); err != nil {
		return err
	}
	switch {
	case *showHelp:
		return c.print(help)
	case *showVersion:
		return c.print(version())
	case *list:
		return c.print(encodingList())
	}

	o, err := converting()
	if err != nil {
		return err
	}
	o.files = inputNames(fs.Args())
	if err := o.setBOM(*bom); err != nil {
		return err
	}
	return c.convert(o)
}

// addConversionFlags adds the flags of every conversion to fs. What it returns gives their options once they are parsed.
func addConversionFlags(fs *pflag.FlagSet) func() (*options, error) {
	from := fs.StringP("from-code", "f", "", "")
	to := fs.StringP("to-code", "t", "", "")
	output := fs.StringP("output", "o", "-", "")
	replace := fs.Bool("replace", false, "")
	skip := fs.BoolP("c", "c", false, "")
	silent := fs.BoolP("silent", "s", false, "")
	return func() (*options, error) {
		o := &options{output: *output, silent: *silent}
		if o.output == "" {
			return nil, &usageError{"-o needs the name of a file", tryHelp}
		}
		if err := o.setCharsets(*from, *to, skip); err != nil {
			return nil, err
		}
		return o, o.setPolicy(*replace, *skip)
	}
}

// setCharsets sets from and to, and *skip when one of them asks for it.
func (o *options) setCharsets(from, to string, skip *bool) error {
	for _, set := range []struct {
		label string
		dst   *charset
	}{{from, &o.from}, {to, &o.to}} {
		var ignore bool
		var err error
		if *set.dst, ignore, err = parseCharset(set.label); err != nil {
			return err
		}
		*skip = *skip || ignore
	}
	return nil
}

func (o *options) setPolicy(replace, skip bool) error {
	switch {
	case replace && skip:
		return &usageError{"--replace and -c (or //IGNORE) exclude each other", tryHelp}
	case replace:
		o.policy = transcode.Replace
	case skip:
		o.policy = transcode.Skip
	}
	return nil
}

func (o *options) setBOM(how string) error {
	o.addBOM = o.to.bare
	switch how {
	case "keep":
		o.bom = transcode.BOMKeep
	case "strip":
		o.bom = transcode.BOMStrip
	case "override":
		o.bom = transcode.BOMOverride
	case "add":
		o.bom = transcode.BOMOverride
		o.addBOM = true
	default:
		return &usageError{fmt.Sprintf("--bom=%s: it is keep, strip, override or add", printable(how)), tryHelp}
	}
	return nil
}

// newFlagSet returns a flag set that leaves all printing to the command.
func newFlagSet() *pflag.FlagSet {
	fs := pflag.NewFlagSet("transcode", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse parses args; a fault becomes a usageError with hint.
func parse(fs *pflag.FlagSet, args []string, hint string) error {
	if err := fs.Parse(args); err != nil {
		return &usageError{err.Error(), hint}
	}
	return nil
}

// inputNames returns the inputs that the arguments name: standard input when there are none.
func inputNames(args []string) []string {
	if len(args) == 0 {
		return []string{"-"}
	}
	return args
}

// A charset is an encoding as a command line names it.
type charset struct {
	encoding transcode.Encoding
	named    bool // there was a name
	bare     bool // the name leaves the byte order open: UTF-16, UTF-32
}

// parseCharset parses NAME, NAME// and NAME//IGNORE. As in iconv, an empty name stands for the default.
func parseCharset(label string) (cs charset, ignore bool, err error) {
	name, suffixes, _ := strings.Cut(label, "//")
	for _, s := range strings.FieldsFunc(suffixes, func(r rune) bool { return r == '/' || r == ',' }) {
		switch strings.ToUpper(s) {
		case "IGNORE":
			ignore = true
		case "TRANSLIT":
			return charset{}, false, &usageError{"//TRANSLIT is not supported; --replace writes ? for what the output cannot hold", tryHelp}
		default:
			return charset{}, false, &usageError{fmt.Sprintf("%s: unknown suffix //%s", printable(label), printable(s)), tryHelp}
		}
	}
	if name = strings.TrimSuffix(name, "/"); name == "" {
		return charset{}, ignore, nil
	}
	e, ok := transcode.LookupEncoding(name)
	if !ok {
		return charset{}, false, &usageError{fmt.Sprintf("unknown encoding %q; 'transcode -l' lists those there are", name), ""}
	}
	return charset{encoding: e, named: true, bare: isBare(name)}, ignore, nil
}

// isBare reports whether name is one that glibc's iconv writes with a byte order mark. It has UCS-2 without.
func isBare(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "utf-16", "utf16", "csutf16", "unicode", "csunicode", "utf-32", "utf32", "csutf32":
		return true
	}
	return false
}

// encodingList returns what -l prints: each encoding on a line, its IANA name first.
func encodingList() string {
	var b strings.Builder
	for _, e := range []transcode.Encoding{
		transcode.UTF8, transcode.ASCII, transcode.Latin1,
		transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE,
	} {
		b.WriteString(e.String())
		for _, alias := range e.Aliases() {
			b.WriteString(" " + strings.ToUpper(alias))
		}
		b.WriteString("\n")
	}
	return b.String()
}
