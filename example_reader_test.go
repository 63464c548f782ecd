package transcode_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1959eab6/transcode"
)

// A byte order mark overrides the encoding that is asked for.
func ExampleNewReader() {
	source := strings.NewReader("\xFF\xFEh\x00\xE9\x00\n\x00")
	r := transcode.NewReader(source, transcode.UTF8)
	text, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q, was %v, %v\n", text, r.Encoding(), r.Class())
	// Output: "hé\n", was UTF-16LE, Latin-1
}

// Chunks gives the text as it comes, and where each piece stood in the source.
func ExampleReader_Chunks() {
	source := io.MultiReader(strings.NewReader("caf\xE9, "), strings.NewReader("th\xE9"))
	r := transcode.NewReader(source, transcode.Latin1)
	for c, err := range r.Chunks() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q from %d bytes at %d\n", c.Text, c.Len, c.Offset)
	}
	// Output:
	// "café, " from 6 bytes at 0
	// "thé" from 3 bytes at 6
}

// Lines of UTF-16, with their places in bytes of the source.
func ExampleReader_Lines() {
	source := strings.NewReader("\xFE\xFF\x00o\x00n\x00e\x00\r\x00\n\x4E\x8C")
	for line, err := range transcode.NewReader(source, transcode.UTF8).Lines() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q at %d, %v\n", line.Text, line.Offset, line.Class)
	}
	// Output:
	// "one" at 2, ASCII
	// "二" at 12, BMP
}

// An error about the text comes behind the lines before it.
func ExampleReader_Lines_strict() {
	r := transcode.Transcoder{}.NewReader(strings.NewReader("fine\nnot \xC3\x28 fine\n"))
	for line, err := range r.Lines() {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%s\n", line.Text)
	}
	// Output:
	// fine
	// transcode: UTF-8: incomplete character at offset 9
}

// A limit for records that are too long to be true.
func ExampleReader_Records() {
	r := transcode.NewReader(strings.NewReader("red;green;#00FF00FF00;blue"), transcode.UTF8)
	for record, err := range r.Records(';', 5, transcode.LongSkip) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", record.Text)
	}
	// Output:
	// red
	// green
	// blue
}

func ExampleNewWriter() {
	var out bytes.Buffer
	w := transcode.NewWriter(&out, transcode.UTF16LE)
	fmt.Fprint(w, "h\xC3") // a character may come in pieces
	fmt.Fprint(w, "\xA9")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("% x\n", out.Bytes())
	// Output: 68 00 e9 00
}

// Close tells that the text ends inside a character.
func ExampleWriter_Close() {
	w := transcode.NewWriter(io.Discard, transcode.UTF16LE)
	fmt.Fprint(w, "caf\xC3")
	err := w.Close()
	fmt.Println(err, errors.Is(err, io.ErrUnexpectedEOF))
	// Output: transcode: UTF-8: truncated character at offset 3 true
}

func ExampleReadFileString() {
	name := exampleFile("hello.txt", "\xFF\xFEh\x00i\x00")
	defer os.RemoveAll(filepath.Dir(name))

	text, err := transcode.ReadFileString(name, transcode.UTF8)
	fmt.Println(text, err)
	// Output: hi <nil>
}

// Many files at once, in order.
func ExampleReadFiles() {
	names := []string{exampleFile("a.txt", "un caf\xE9"), exampleFile("b.txt", "deux"), "missing.txt"}
	defer os.RemoveAll(filepath.Dir(names[0]))
	defer os.RemoveAll(filepath.Dir(names[1]))

	options := transcode.FilesOptions{Transcoder: transcode.Transcoder{From: transcode.Latin1}, InOrder: true}
	err := transcode.ReadFiles(context.Background(), names, options, func(i int, f transcode.FileText) error {
		if f.Err != nil {
			fmt.Println(filepath.Base(f.Name), "cannot be read:", errors.Is(f.Err, os.ErrNotExist))
			return nil // go on with the others
		}
		fmt.Printf("%s: %s, %v\n", filepath.Base(f.Name), f.Text, f.Class)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// a.txt: un café, Latin-1
	// b.txt: deux, ASCII
	// missing.txt cannot be read: true
}

// Parts of a file, with the offsets of the file.
func ExampleFile_NewReader() {
	name := exampleFile("log.txt", "first\nsecond\nth\xFFrd\n")
	defer os.RemoveAll(filepath.Dir(name))
	f, err := transcode.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	for line, err := range f.NewReader(transcode.Transcoder{}, 6, -1).Lines() {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%s at %d of %d\n", line.Text, line.Offset, f.Size())
	}
	// Output:
	// second at 6 of 19
	// transcode: UTF-8: byte that never occurs at offset 15
}

// Ranges of whole lines, which can be read at the same time.
func ExamplePlan() {
	text := strings.NewReader("\xEF\xBB\xBFone\ntwo\nthree\nfour\n")
	ranges, err := transcode.Plan(text, text.Size(), transcode.PlanOptions{BOM: transcode.BOMOverride, Unit: transcode.UnitLine, Size: 10})
	if err != nil {
		log.Fatal(err)
	}
	t := transcode.Transcoder{OnError: transcode.Replace}
	for _, rg := range ranges {
		b, err := json.Marshal(rg)
		if err != nil {
			log.Fatal(err)
		}
		part, err := io.ReadAll(t.NewRangeReader(text, rg))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %q\n", b, part)
	}
	// Output:
	// {"lo":3,"hi":11,"encoding":"UTF-8"} "one\ntwo\n"
	// {"lo":11,"hi":22,"encoding":"UTF-8"} "three\nfour\n"
}

func ExampleCharsetReader() {
	d := xml.NewDecoder(strings.NewReader(`<?xml version="1.0" encoding="ISO-8859-1"?><drink>caf` + "\xE9" + `</drink>`))
	d.CharsetReader = transcode.CharsetReader
	var drink string
	if err := d.Decode(&drink); err != nil {
		log.Fatal(err)
	}
	fmt.Println(drink)
	// Output: café
}

// exampleFile writes a file in a new folder.
func exampleFile(name, text string) string {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	name = filepath.Join(folder, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	return name
}
