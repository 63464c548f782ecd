// Command bench compares package transcode with what else Go programs can use, without cgo, and prints Markdown tables.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	"github.com/seed-1959eab6/transcode"
)

const (
	slice = 100 * time.Microsecond // long against the clock's resolution, short against what disturbs a shared machine

	smallest = 8    // up to so many bytes ours may take noSlower more nanoseconds, beyond them
	noSlower = 1.0  // the ratio must be
	atLeast  = 0.97 // this

	tableTexts = `^(lipsum-(latin|arabic|russian|hindi|chinese|emoji)|mars-(english|french|french-latin1)|ascii|latin1|french|russian|hindi|chinese|emoji|mixed)$`
	shortTexts = `^(lipsum-(latin|russian|chinese)|mars-french-latin1|ascii|latin1|russian|chinese)$`
)

// A cell is an operation on a text of a size, measured.
type cell struct {
	op, text string
	size     int // as asked for
	bytes    int // of the source
	names    []string
	ns       []float64 // least time of a call, by way
	floors   int       // how many of the last ways are not rivals, but parts of the work
}

// best returns the fastest rival.
func (c cell) best() (i int) {
	i = 1
	for j := range c.ns[:len(c.ns)-c.floors] {
		if j > 0 && c.ns[j] < c.ns[i] {
			i = j
		}
	}
	return i
}

func (c cell) ratio() float64 { return c.ns[c.best()] / c.ns[0] }

func (c cell) loses() bool {
	if c.bytes <= smallest {
		return c.ns[0] > c.ns[c.best()]+noSlower
	}
	return c.ratio() < atLeast
}

func (c cell) rate(i int) float64 { return float64(c.bytes) / c.ns[i] }

// measure alternates the ways, so that what slows the machine down for a while slows all of them, and lowers least.
func measure(ways []way, rounds int, least []float64) {
	calls := make([]int, len(ways))
	for i, w := range ways {
		for calls[i] = 1; ; calls[i] *= 2 {
			if t := timed(w, calls[i]); t >= slice/2 {
				break
			}
		}
	}
	for range rounds {
		for i, w := range ways {
			ns := float64(timed(w, calls[i]).Nanoseconds()) / float64(calls[i])
			least[i] = min(least[i], ns)
		}
	}
}

func timed(w way, calls int) time.Duration {
	call, sum := w.call, 0
	start := time.Now()
	for range calls {
		sum += call()
	}
	t := time.Since(start)
	runtime.KeepAlive(sum)
	return t
}

type settings struct {
	ops, texts     *regexp.Regexp
	sizes          []int
	short          bool
	rounds, passes int
}

// run measures every cell in each pass anew, with other buffers and at another time.
func run(all []namedText, s settings) ([]cell, error) {
	var cells []cell
	for pass := range s.passes {
		k := 0
		for _, op := range ops {
			if !s.ops.MatchString(op.name) {
				continue
			}
			fmt.Fprintf(os.Stderr, "\rpass %d of %d: %-30s", pass+1, s.passes, op.name)
			for _, text := range all {
				if !s.texts.MatchString(text.name) {
					continue
				}
				from := text.utf8
				if s.short {
					from = shortOf(from)
				}
				before := -1
				for _, n := range s.sizes {
					part, ok := cut(from, n)
					if !ok {
						continue
					}
					size, ways := op.ways(newText(part))
					if ways == nil || size == before && !s.short && n != whole { // more text behind the answer
						continue
					}
					before = size
					if pass == 0 {
						if err := check(ways); err != nil {
							return nil, fmt.Errorf("%s of %d bytes of %s: %w", op.name, n, text.name, err)
						}
						c := cell{op: op.name, text: text.name, size: n, bytes: size}
						for _, w := range ways {
							c.names, c.ns = append(c.names, w.name), append(c.ns, 1e18)
						}
						cells = append(cells, c)
					}
					measure(ways, s.rounds, cells[k].ns)
					k++
				}
			}
		}
	}
	fmt.Fprintf(os.Stderr, "\r%60s\r", "")
	return cells, nil
}

func number(x float64) string {
	switch {
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

func emphasis(loses bool, s string) string {
	if loses {
		return "**" + s + "**"
	}
	return s
}

func row(w io.Writer, columns ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(columns, " | ")) }

func header(w io.Writer, left int, columns ...string) {
	row(w, columns...)
	lines := slices.Repeat([]string{"--:"}, len(columns))
	for i := range left {
		lines[i] = "---"
	}
	row(w, lines...)
}

// groups cuts cells where key changes.
func groups(cells []cell, key func(cell) string) (g [][]cell) {
	for i, c := range cells {
		if i == 0 || key(c) != key(cells[i-1]) {
			g = append(g, nil)
		}
		g[len(g)-1] = append(g[len(g)-1], c)
	}
	return g
}

func byOp(c cell) string { return c.op }

// printCells prints a table for each operation with all ways.
func printCells(w io.Writer, cells []cell, short bool) {
	for _, g := range groups(cells, byOp) {
		unit := "GB/s of input"
		if short {
			unit = "ns"
		}
		fmt.Fprintf(w, "\n### %s, %s\n\n", g[0].op, unit)
		header(w, 2, append(append([]string{"text", "size"}, g[0].names...), "ratio to the best rival")...)
		for _, c := range g {
			columns := []string{c.text, sizeName(c.size)}
			for i := range c.ns {
				if short {
					columns = append(columns, number(c.ns[i]))
				} else {
					columns = append(columns, number(c.rate(i)))
				}
			}
			row(w, append(columns, emphasis(c.loses(), number(c.ratio())))...)
		}
	}
}

// printMatrix prints a table of operations and texts for some sizes: all would be too much to read.
func printMatrix(w io.Writer, cells []cell) {
	var texts []string
	var sizes []int
	for _, c := range cells {
		if !slices.Contains(texts, c.text) {
			texts = append(texts, c.text)
		}
		if !slices.Contains(sizes, c.size) && (c.size == 140 || c.size == 4<<10 || c.size == whole) {
			sizes = append(sizes, c.size)
		}
	}
	for _, size := range sizes {
		fmt.Fprintf(w, "\n#### %s: GB/s of input (ratio to the best rival)\n\n", sizeTitle(size))
		header(w, 1, append([]string{"operation"}, texts...)...)
		for _, g := range groups(cells, byOp) {
			columns := []string{g[0].op}
			for _, text := range texts {
				column := ""
				for _, c := range g {
					if c.text == text && c.size == size {
						column = emphasis(c.loses(), number(c.rate(0))+" ("+number(c.ratio())+")")
					}
				}
				columns = append(columns, column)
			}
			row(w, columns...)
		}
	}
}

func sizeTitle(n int) string {
	switch {
	case n == whole:
		return "Whole texts"
	case n < 1<<10:
		return sizeName(n) + " bytes of UTF-8"
	}
	return sizeName(n) + " of UTF-8"
}

// printShort prints a table of operations and lengths for each text.
func printShort(w io.Writer, cells []cell) {
	lengths := []int{0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64}
	var texts []string
	for _, c := range cells {
		if !slices.Contains(texts, c.text) {
			texts = append(texts, c.text)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(w, "\n#### %s, by bytes of UTF-8: ns a call / the best rival's\n\n", text)
		columns := []string{"operation"}
		for _, n := range lengths {
			columns = append(columns, fmt.Sprint(n))
		}
		header(w, 1, columns...)
		for _, g := range groups(cells, byOp) {
			columns, any := []string{g[0].op}, false
			for _, n := range lengths {
				column := ""
				for _, c := range g {
					if c.text == text && c.size == n {
						column, any = emphasis(c.loses(), number(c.ns[0])+" / "+number(c.ns[c.best()])), true
					}
				}
				columns = append(columns, column)
			}
			if any {
				row(w, columns...)
			}
		}
	}
}

// printLosses lists the cells where ours loses, those of short texts in ranges of sizes.
func printLosses(w io.Writer, cells []cell, short bool) {
	var lost []cell
	for _, c := range cells {
		if c.loses() {
			lost = append(lost, c)
		}
	}
	what := "cells"
	if short {
		what = "cells of 0 to 64 bytes"
	}
	fmt.Fprintf(w, "\n#### Ours loses %d of %d %s\n\n", len(lost), len(cells), what)
	if len(lost) == 0 {
		return
	}
	if !short {
		header(w, 3, "operation", "text", "size", "ours, GB/s", "best rival, GB/s", "rival", "ratio")
		for _, c := range lost {
			row(w, c.op, c.text, sizeName(c.size), number(c.rate(0)), number(c.rate(c.best())), c.names[c.best()], number(c.ratio()))
		}
		return
	}
	header(w, 3, "operation", "text", "sizes", "worst: ours, ns", "best rival, ns", "rival", "at size", "ratio")
	for _, g := range groups(lost, func(c cell) string { return c.op + " " + c.text }) {
		worst := slices.MinFunc(g, func(a, b cell) int { return cmp.Compare(a.ratio(), b.ratio()) })
		row(w, worst.op, worst.text, ranges(g), number(worst.ns[0]), number(worst.ns[worst.best()]),
			worst.names[worst.best()], fmt.Sprint(worst.size), number(worst.ratio()))
	}
}

func ranges(cells []cell) string {
	var parts []string
	for i := 0; i < len(cells); i++ {
		lo := cells[i].size
		for i+1 < len(cells) && cells[i+1].size == cells[i].size+1 {
			i++
		}
		if hi := cells[i].size; hi > lo {
			parts = append(parts, fmt.Sprintf("%d–%d", lo, hi))
		} else {
			parts = append(parts, fmt.Sprint(lo))
		}
	}
	return strings.Join(parts, ", ")
}

func printMachine(w io.Writer) {
	wanted := "AVX2 BMI1 BMI2 POPCNT AVX512F AVX512BW AVX512DQ AVX512VL AVX512VBMI AVX512VBMI2 AVX512BITALG ASIMD SVE SVE2"
	var features []string
	for _, f := range cpuid.CPU.FeatureSet() {
		if slices.Contains(strings.Fields(wanted), f) {
			features = append(features, f)
		}
	}
	level := transcode.Level()
	if debug := os.Getenv("GODEBUG"); debug != "" {
		level += ", by GODEBUG=" + debug
	}
	fmt.Fprintf(w, "- Level: %s\n- Processor: %s, %d threads (%s)\n- %s %s/%s", level, cmp.Or(cpuid.CPU.BrandName, "unnamed"),
		runtime.NumCPU(), strings.Join(features, " "), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" || s.Key == "GOARM64" {
				fmt.Fprintf(w, ", %s=%s", s.Key, s.Value)
			}
		}
		for _, name := range []string{"golang.org/x/text", "github.com/segmentio/asm", "github.com/bytedance/sonic"} {
			for _, d := range info.Deps {
				if d.Path == name {
					fmt.Fprintf(w, ", %s %s", d.Path, d.Version)
				}
			}
		}
	}
	fmt.Fprintln(w)
}

// replaceSection puts text between the two marks of a section in the file.
func replaceSection(file, section string, text []byte) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- begin "+section+" -->\n", "<!-- end "+section+" -->\n"
	i, j := bytes.Index(old, []byte(begin)), bytes.Index(old, []byte(end))
	if i < 0 || j < i {
		return fmt.Errorf("no %q and %q in %s", begin, end, file)
	}
	return os.WriteFile(file, slices.Concat(old[:i+len(begin)], text, old[j:]), 0o666)
}

func parseSizes(s string) (sizes []int, err error) {
	for field := range strings.SplitSeq(s, ",") {
		n := whole
		if field != "whole" {
			if n, err = strconv.Atoi(field); err != nil || n < 0 {
				return nil, fmt.Errorf("size %q is neither a number of bytes nor \"whole\"", field)
			}
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

var errNoCell = errors.New("nothing to measure: no operation, text and size is what -ops, -texts and -sizes ask for")

func bench() error {
	opsFlag := flag.String("ops", "", "operations to measure: a `regexp`")
	textsFlag := flag.String("texts", "", "texts to measure: a `regexp` (default a choice; \".\" for all)")
	sizesFlag := flag.String("sizes", "140,1024,4096,65536,whole", "`sizes` in bytes of UTF-8")
	shortFlag := flag.Bool("short", false, "each size from 0 to 64 instead, in ns")
	rounds := flag.Int("rounds", 10, "slices of each way in a pass; the fastest counts")
	passes := flag.Int("passes", 3, "passes over all cells")
	level := flag.String("level", "", "fail unless transcode runs at this `level`")
	filesFlag := flag.Bool("files", false, "operations on files and streams instead")
	readme := flag.Bool("readme", false, "write the tables, of long and of short texts, into the section of this level in README.md, or with -files into that of files")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if *level != "" && *level != transcode.Level() {
		return fmt.Errorf("the level is %s, not %s", transcode.Level(), *level)
	}
	all, err := corpus()
	if err != nil {
		return err
	}
	opsRegexp, err := regexp.Compile(*opsFlag)
	if err != nil {
		return err
	}
	measured := func(short bool) ([]cell, error) {
		s := settings{ops: opsRegexp, short: short, rounds: *rounds, passes: *passes}
		choice := tableTexts
		if short {
			s.sizes, choice = short64(), shortTexts
		} else if s.sizes, err = parseSizes(*sizesFlag); err != nil {
			return nil, err
		}
		if s.texts, err = regexp.Compile(cmp.Or(*textsFlag, choice)); err != nil {
			return nil, err
		}
		cells, err := run(all, s)
		if err == nil && len(cells) == 0 {
			err = errNoCell
		}
		return cells, err
	}
	if *filesFlag {
		texts, err := regexp.Compile(cmp.Or(*textsFlag, fileTexts))
		if err != nil {
			return err
		}
		if *textsFlag == "" {
			all = madeUp()
		}
		cells, err := runFiles(all, settings{ops: opsRegexp, texts: texts, rounds: *rounds, passes: *passes})
		if err != nil {
			return err
		}
		if len(cells) == 0 {
			return errNoCell
		}
		var b bytes.Buffer
		printMachine(&b)
		printCells(&b, cells, false)
		if *readme {
			return replaceSection("README.md", "files", append(b.Bytes(), '\n'))
		}
		_, err = b.WriteTo(os.Stdout)
		return err
	}
	if *readme {
		long, err := measured(false)
		if err != nil {
			return err
		}
		short, err := measured(true)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		printMachine(&b)
		printLosses(&b, long, false)
		printLosses(&b, short, true)
		printMatrix(&b, long)
		printShort(&b, short)
		fmt.Fprintln(&b)
		return replaceSection("README.md", transcode.Level(), b.Bytes())
	}
	printMachine(os.Stdout)
	cells, err := measured(*shortFlag)
	if err != nil {
		return err
	}
	printCells(os.Stdout, cells, *shortFlag)
	printLosses(os.Stdout, cells, *shortFlag)
	return nil
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	if err := bench(); err != nil {
		log.Fatal(err)
	}
}
