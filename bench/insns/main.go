// Insns counts the arm64 instructions that operations take, of package transcode, of its portable code and of simdutf, under qemu on any machine, and
// prints the tables of arm64.md in the folder above. What it needs stands there.
package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Operations by the texts that suit them, as calls and simdutf.cpp name them.
const (
	anyTexts = `utf8-utf16 utf8-utf32 utf16-utf8 utf32-utf8 utf16-utf32 utf32-utf16 utf8-utf16be utf16be-utf8 utf16be-utf32 utf32-utf16be utf16-utf16be
		utf8-valid utf8-classify utf8-ascii utf8-asciiprefix utf16-valid utf16be-valid utf32-valid utf8-runecount utf8-utf16len utf16-runecount
		utf16-utf8len utf32-utf8len utf32-utf16len utf8-utf16offset utf8-utf8offset utf16-wellformed`
	latin1Texts = `latin1-utf8 latin1-utf16 latin1-utf32 latin1-utf16be utf8-latin1 utf16-latin1 utf32-latin1 utf16be-latin1 latin1-utf8len`
)

const (
	whole       = 0 // the length of a whole text
	someSizes   = "8 16 32 64 140"
	tracedBytes = "2048" // of the texts whose instructions go to llvm-mca
)

var (
	tables   = flag.String("tables", "whole,short,cycles", "which tables")
	ops      = flag.String("ops", ".", "regexp of operations")
	names    = flag.String("names", ".", "regexp of texts")
	textsDir = flag.String("texts", "", "folder with lipsum and wikipedia_mars of lemire/unicode_lipsum")
	simdutf  = flag.String("simdutf", "", "folder with the sources of simdutf")
	dir      = flag.String("dir", "", "folder for what is built, which is used again (without it, a temporary one)")
	mca      = flag.String("llvm", "-19", "suffix of the commands llvm-mc and llvm-mca")
	cpus     = flag.String("cpus", "neoverse-n1 neoverse-v1 apple-m1", "processors for llvm-mca")
	write    = flag.String("write", "", "file in which the tables replace those there are")
)

// A cell is an operation on a text, cut to a length.
type cell struct {
	op, text string
	length   int
}

// A result has the bytes of the source, and what one call takes, by program.
type result struct {
	bytes int
	cost  map[string]float64
}

var programs = []string{"ours", "portable", "simdutf"}

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *dir == "" {
		temporary, err := os.MkdirTemp("", "insns")
		check(err)
		defer os.RemoveAll(temporary)
		*dir = temporary
	}
	build()
	var out bytes.Buffer
	for table := range strings.SplitSeq(*tables, ",") {
		switch table {
		case "whole":
			printWhole(&out, count(programs, "whole", "."))
		case "short":
			printShort(&out, count(programs, someSizes, shortTexts))
			var sizes []string
			for n := range 65 {
				sizes = append(sizes, strconv.Itoa(n))
			}
			printLosses(&out, count(programs[:2], strings.Join(sizes, " "), shortTexts))
		case "cycles":
			printCycles(&out)
		default:
			log.Fatalf("no table %q", table)
		}
	}
	if *write == "" {
		os.Stdout.Write(out.Bytes())
		return
	}
	const begin, end = "<!-- begin tables -->\n", "<!-- end tables -->\n"
	text, err := os.ReadFile(*write)
	check(err)
	before, rest, ok := bytes.Cut(text, []byte(begin))
	_, behind, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		log.Fatalf("%s has no place for tables", *write)
	}
	check(os.WriteFile(*write, slices.Concat(before, []byte(begin), out.Bytes(), []byte(end), behind), 0o644))
}

// shortTexts are those that are cut: ASCII, and characters of two, three and four bytes; in Latin-1 a text with accents.
const shortTexts = `^(Latin|Russian|Chinese|Emoji|french)$`

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func run(env []string, name string, args ...string) []byte {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		log.Fatalf("%s: %v", c, err)
	}
	return out
}

func path(name string) string { return filepath.Join(*dir, name) }

// build makes the programs and the plugin; simdutf, which takes a minute, once for a folder.
func build() {
	here := run(nil, "go", "list", "-f", "{{.Dir}}", "./insns")
	source := strings.TrimSpace(string(here))
	run([]string{"GOARCH=arm64"}, "go", "build", "-o", path("ours"), "./insns/calls")
	run([]string{"GOARCH=arm64"}, "go", "build", "-tags", "purego", "-o", path("portable"), "./insns/calls")
	run(nil, "cc", "-O2", "-shared", "-fPIC", "-o", path("insncount.so"), filepath.Join(source, "insncount.c"))
	compiler := []string{"aarch64-linux-gnu-g++", "-O3", "-std=c++17", "-I", filepath.Join(*simdutf, "include"), "-I", filepath.Join(*simdutf, "src")}
	if _, err := os.Stat(path("simdutf.o")); err != nil {
		if *simdutf == "" {
			log.Print("without simdutf")
			programs = programs[:2]
			return
		}
		run(nil, compiler[0], append(compiler[1:], "-c", "-o", path("simdutf.o"), filepath.Join(*simdutf, "src/simdutf.cpp"))...)
	}
	if *simdutf != "" {
		run(nil, compiler[0], append(compiler[1:], "-static", "-o", path("simdutf"), filepath.Join(source, "simdutf.cpp"), path("simdutf.o"))...)
	}
}

// textName returns the name of a text in the tables: those of lipsum begin with a capital letter.
func textName(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	return strings.TrimSuffix(name, "-Lipsum")
}

func files(suffix, pattern string) (list []string) {
	for _, folder := range []string{"lipsum", "wikipedia_mars"} {
		found, err := filepath.Glob(filepath.Join(*textsDir, folder, "*"+suffix))
		check(err)
		list = append(list, found...)
	}
	if suffix == ".utflatin8.txt" {
		list = append(list, filepath.Join(*textsDir, "lipsum/Latin-Lipsum.utf8.txt"))
	}
	list = slices.DeleteFunc(list, func(f string) bool {
		return !regexp.MustCompile(pattern).MatchString(textName(f)) || !regexp.MustCompile(*names).MatchString(textName(f))
	})
	if len(list) == 0 {
		log.Printf("no texts %s in %q", suffix, *textsDir)
	}
	return list
}

// operations returns those of a list that are asked for.
func operations(list string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(list), func(op string) bool { return !regexp.MustCompile(*ops).MatchString(op) }), " ")
}

// emulate runs a program under the counter, and returns the lines that it writes.
func emulate(program, plugin, operations, lengths, rounds string, files []string) [][]string {
	args := append([]string{"-plugin", path("insncount.so") + plugin, "-d", "plugin", path(program), operations, lengths, rounds}, files...)
	var lines [][]string
	if operations == "" || len(files) == 0 {
		return nil
	}
	for line := range strings.Lines(string(run([]string{"GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1"}, "qemu-aarch64", args...))) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	check(err)
	return x
}

// cellLines is how many lines a program writes for a cell.
const cellLines = 7

// count returns what all operations take on texts of these lengths, in instructions: the median of what three pairs of lines tell.
func count(programs []string, lengths, texts string) map[cell]result {
	results := make(map[cell]result)
	var lock sync.Mutex
	type part struct{ program, op, suffix string }
	var parts []part
	for _, p := range programs {
		for op := range strings.FieldsSeq(operations(anyTexts)) {
			parts = append(parts, part{p, op, ".utf8.txt"})
		}
		for op := range strings.FieldsSeq(operations(latin1Texts)) {
			parts = append(parts, part{p, op, ".utflatin8.txt"})
		}
	}
	parallel(len(parts), func(i int) {
		p := parts[i]
		lines := emulate(p.program, "", p.op, lengths, "0", files(p.suffix, texts))
		lock.Lock()
		defer lock.Unlock()
		for ; len(lines) >= cellLines; lines = lines[cellLines:] {
			c := cell{lines[0][1], textName(lines[0][2]), int(number(lines[0][3]))}
			r, ok := results[c]
			if !ok {
				r = result{int(number(lines[0][4])), make(map[string]float64)}
				results[c] = r
			}
			if bytes := int(number(lines[0][4])); bytes != r.bytes {
				log.Fatalf("%s has %d bytes of %v, others %d", p.program, bytes, c, r.bytes)
			}
			var costs []float64
			for i := 2; i < cellLines; i += 2 {
				costs = append(costs, (number(lines[i][0])-2*number(lines[i-1][0])+number(lines[i-2][0]))/number(lines[0][5]))
			}
			slices.Sort(costs)
			r.cost[p.program] = costs[len(costs)/2]
		}
	})
	return results
}

// parallel calls f for 0 to n-1, by as many goroutines as there are processors.
func parallel(n int, f func(i int)) {
	var wait sync.WaitGroup
	turns := make(chan int)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := range turns {
				f(i)
			}
		})
	}
	for i := range n {
		turns <- i
	}
	close(turns)
	wait.Wait()
}

// inOrder returns the cells by operation, text and length, as these are listed.
func inOrder(results map[cell]result) []cell {
	var cells []cell
	for c := range results {
		cells = append(cells, c)
	}
	order := strings.Fields(anyTexts + " " + latin1Texts)
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(slices.Index(order, a.op)-slices.Index(order, b.op), strings.Compare(a.text, b.text), a.length-b.length)
	})
	return cells
}

// most returns the ratio to simdutf up to which a cell holds what is promised.
func most(op string) float64 {
	if strings.HasSuffix(op, "-valid") || op == "utf8-ascii" {
		return 1
	}
	return 1.05
}

// perByte formats what a program takes for a byte, or nothing if it does not have the operation.
func (r result) perByte(program string) string {
	x, ok := r.cost[program]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.3g", x/float64(r.bytes))
}

func (r result) ratio(a, b string) string {
	x, ok := r.cost[b]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.2f", r.cost[a]/x)
}

func printWhole(out *bytes.Buffer, results map[cell]result) {
	cells := inOrder(results)
	var misses []cell
	logs, n := make(map[string]float64), make(map[string]float64)
	for _, c := range cells {
		r := results[c]
		if s, ok := r.cost["simdutf"]; ok {
			ratio := r.cost["ours"] / s
			if ratio > most(c.op)+0.0005 {
				misses = append(misses, c)
			}
			if c.text != "Latin" && c.text[0] < 'a' {
				logs[c.op] += math.Log(ratio)
				n[c.op]++
			}
		}
	}
	fmt.Fprintf(out, "### Whole texts\n\nInstructions per byte of the source. Of %d cells %d miss their limit:\n\n", len(cells), len(misses))
	fmt.Fprint(out, "| operation | text | ours | portable | simdutf | ours / simdutf |\n| --- | --- | --: | --: | --: | --: |\n")
	printRow := func(c cell) {
		r := results[c]
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", c.op, c.text, r.perByte("ours"), r.perByte("portable"), r.perByte("simdutf"), r.ratio("ours", "simdutf"))
	}
	for _, c := range misses {
		printRow(c)
	}
	fmt.Fprint(out, "\nGeometric means of ours / simdutf over the lipsum texts that are not ASCII:\n\n| operation | mean |\n| --- | --: |\n")
	sum, all := 0.0, 0.0
	for op := range strings.FieldsSeq(anyTexts) {
		if n[op] > 0 {
			fmt.Fprintf(out, "| %s | %.3f |\n", op, math.Exp(logs[op]/n[op]))
		}
		if op == "utf8-utf16" || op == "utf8-utf32" || op == "utf16-utf8" || op == "utf32-utf8" {
			sum, all = sum+logs[op], all+n[op]
		}
	}
	if all > 0 {
		fmt.Fprintf(out, "| the first four | %.3f |\n", math.Exp(sum/all))
	}
	fmt.Fprint(out, "\nAll cells:\n\n| operation | text | ours | portable | simdutf | ours / simdutf |\n| --- | --- | --: | --: | --: | --: |\n")
	for _, c := range cells {
		printRow(c)
	}
}

func printShort(out *bytes.Buffer, results map[cell]result) {
	fmt.Fprintf(out, "\n### Short texts\n\nInstructions per call, of ours / portable / simdutf, by the bytes of the source.\n\n| operation | text")
	sizes := strings.Fields(someSizes)
	fmt.Fprintf(out, " | %s |\n| --- | ---%s |\n", strings.Join(sizes, " | "), strings.Repeat(" | --:", len(sizes)))
	for _, c := range inOrder(results) {
		if strconv.Itoa(c.length) != sizes[0] {
			continue
		}
		fmt.Fprintf(out, "| %s | %s", c.op, c.text)
		for _, s := range sizes {
			c.length, _ = strconv.Atoi(s)
			var costs []string
			for _, p := range programs {
				if x, ok := results[c].cost[p]; ok {
					costs = append(costs, fmt.Sprintf("%.0f", x))
				}
			}
			fmt.Fprint(out, " | ", strings.Join(costs, " / "))
		}
		fmt.Fprint(out, " |\n")
	}
}

// printLosses lists where ours takes more than ten instructions more than the portable code.
func printLosses(out *bytes.Buffer, results map[cell]result) {
	lost := inOrder(results)
	n := len(lost)
	lost = slices.DeleteFunc(lost, func(c cell) bool { return results[c].cost["ours"] <= results[c].cost["portable"]+10.5 })
	fmt.Fprintf(out, "\nOf %d cells with 0 to 64 bytes %d take over ten instructions more than the portable code:\n\n", n, len(lost))
	fmt.Fprint(out, "| operation | text | cells | bytes | more instructions |\n| --- | --- | --: | --: | --: |\n")
	for len(lost) > 0 {
		first, n := lost[0], 0
		low, high := math.Inf(1), math.Inf(-1)
		for ; n < len(lost) && lost[n].op == first.op && lost[n].text == first.text; n++ {
			r := results[lost[n]]
			low, high = min(low, r.cost["ours"]-r.cost["portable"]), max(high, r.cost["ours"]-r.cost["portable"])
		}
		fmt.Fprintf(out, "| %s | %s | %d | %d to %d | %.0f to %.0f |\n", first.op, first.text, n, first.length, lost[n-1].length, low, high)
		lost = lost[n:]
	}
}

// A trace is what an operation on a text executes: the instructions of one call, and of two.
type trace struct {
	op, text string
	bytes    float64
	calls    [2][]uint32
}

// printCycles has llvm-mca take the instructions that a call executes, one after the other.
func printCycles(out *bytes.Buffer) {
	processors := strings.Fields(*cpus)
	var cells []trace
	cycles := make(map[string]float64) // by operation, text, program and processor
	for _, p := range []string{"ours", "simdutf"} {
		if !slices.Contains(programs, p) {
			continue
		}
		traces := append(traced(p, anyTexts, ".utf8.txt"), traced(p, latin1Texts, ".utflatin8.txt")...)
		if p == "ours" {
			cells = traces
		}
		assembly := disassembled(traces)
		var lock sync.Mutex
		parallel(len(traces), func(i int) {
			t := traces[i]
			for _, cpu := range processors {
				c := (simulated(t.calls[1], assembly, cpu) - simulated(t.calls[0], assembly, cpu)) / t.bytes
				lock.Lock()
				cycles[t.op+t.text+p+cpu] = c
				lock.Unlock()
			}
		})
	}
	version, _, _ := strings.Cut(string(run(nil, "llvm-mca"+*mca, "--version")), "\n  Opt")
	fmt.Fprintf(out, "\n### Cycles\n\nCycles per byte of the source, of ours / simdutf, by the models of %s; texts of %s bytes.\n\n", version[strings.LastIndex(version, "\n")+1:], tracedBytes)
	fmt.Fprintf(out, "| operation | text | %s |\n| --- | ---%s |\n", strings.Join(processors, " | "), strings.Repeat(" | --:", len(processors)))
	for _, t := range cells {
		fmt.Fprintf(out, "| %s | %s", t.op, t.text)
		for _, cpu := range processors {
			fmt.Fprintf(out, " | %.3f", cycles[t.op+t.text+"ours"+cpu])
			if c, ok := cycles[t.op+t.text+"simdutf"+cpu]; ok {
				fmt.Fprintf(out, " / %.3f", c)
			}
		}
		fmt.Fprint(out, " |\n")
	}
}

// traced returns the traces of a program: in the plugin's file a zero stands for each line that is written.
func traced(program, list, suffix string) (traces []trace) {
	lines := emulate(program, ",trace="+path("trace"), operations(list), tracedBytes, "1", files(suffix, shortTexts))
	b, err := os.ReadFile(path("trace"))
	check(err)
	var parts [][]uint32
	var part []uint32
	for ; len(b) >= 4; b = b[4:] {
		if word := binary.LittleEndian.Uint32(b); word != 0 {
			part = append(part, word)
			continue
		}
		parts = append(parts, part)
		part = nil
	}
	for i := 0; i < len(lines); i += cellLines {
		line := lines[i]
		traces = append(traces, trace{line[1], textName(line[2]), number(line[4]), [2][]uint32{parts[i+1], parts[i+2]}})
	}
	return traces
}

// disassembled returns the instructions of traces as assembly.
func disassembled(traces []trace) map[uint32]string {
	assembly := make(map[uint32]string)
	var words []uint32
	var in strings.Builder
	for _, t := range traces {
		for _, w := range t.calls[1] {
			if _, ok := assembly[w]; !ok {
				assembly[w] = ""
				words = append(words, w)
				fmt.Fprintf(&in, "0x%02x 0x%02x 0x%02x 0x%02x\n", w&0xFF, w>>8&0xFF, w>>16&0xFF, w>>24)
			}
		}
	}
	i := 0
	for line := range strings.Lines(pipe(in.String(), "llvm-mc"+*mca, "-triple=aarch64", "-mattr=+all", "-disassemble")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '.' {
			assembly[words[i]] = line
			i++
		}
	}
	if i != len(words) {
		log.Fatalf("%d instructions, %d disassembled", len(words), i)
	}
	return assembly
}

var totalCycles = regexp.MustCompile(`Total Cycles: +(\d+)`)

// simulated returns how many cycles llvm-mca takes for instructions.
func simulated(words []uint32, assembly map[uint32]string, cpu string) float64 {
	var in strings.Builder
	for _, w := range words {
		switch name, _, _ := strings.Cut(assembly[w], "\t"); name {
		case "svc":
		case "bl", "blr", "ret": // which it takes for 100 cycles
			in.WriteString("b #4\n")
		default:
			in.WriteString(assembly[w] + "\n")
		}
	}
	m := totalCycles.FindStringSubmatch(pipe(in.String(), "llvm-mca"+*mca, "-mtriple=aarch64", "-mattr=+all", "-mcpu="+cpu, "-iterations=1", "-skip-unsupported-instructions=lack-sched",
		"-instruction-info=false", "-resource-pressure=false"))
	if m == nil {
		log.Fatal("llvm-mca said nothing")
	}
	return number(m[1])
}

// pipe runs a command on an input.
func pipe(in, name string, args ...string) string {
	c := exec.Command(name, args...)
	c.Stdin = strings.NewReader(in)
	var errors bytes.Buffer
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil {
		log.Fatalf("%s: %v: %s", c, err, errors.String()[:min(errors.Len(), 1000)])
	}
	return string(out)
}
