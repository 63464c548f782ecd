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
	"unicode/utf16"

	"github.com/seed-1959eab6/transcode"
)

func ExampleClassify() {
	for _, text := range []string{"plain", "café", "中文", "😀", "caf\xE9"} {
		fmt.Println(transcode.Classify(text))
	}
	// Output:
	// ASCII
	// Latin-1
	// BMP
	// supplementary
	// invalid
}

// A buffer that was filled from a file may end inside a character.
func ExampleClassifyPrefix() {
	buf := []byte("naïve caf\xC3")
	class, n := transcode.ClassifyPrefix(buf)
	fmt.Println(class, n)

	err := transcode.CheckUTF8(buf[n:])
	fmt.Println("needs more input:", errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// Latin-1 10
	// needs more input: true
}

func ExampleIsASCII() {
	fmt.Println(transcode.IsASCII("GET / HTTP/1.1"), transcode.IsASCII("naïve"))
	// Output: true false
}

func ExampleValidUTF8() {
	fmt.Println(transcode.ValidUTF8("中文"), transcode.ValidUTF8([]byte("\xED\xA0\x80")))
	// Output: true false
}

func ExampleCheckUTF8() {
	err := transcode.CheckUTF8("prix : 5 \x80")
	fmt.Println(err)

	var e *transcode.Error
	if errors.As(err, &e) {
		fmt.Println(e.Offset, e.Len, e.Kind == transcode.KindTooLong)
	}
	// Output:
	// transcode: UTF-8: unexpected continuation byte at offset 9
	// 9 1 true
}

func ExampleDetect() {
	for _, sample := range []string{"\xEF\xBB\xBFtext", "\xFF\xFEt\x00", "t\x00e\x00x\x00t\x00", "déjà", "d\xE9j\xE0 vu"} {
		fmt.Println(transcode.Detect([]byte(sample)))
	}
	// Output:
	// UTF-8 3 true
	// UTF-16LE 2 true
	// UTF-16LE 0 true
	// UTF-8 0 true
	// UTF-8 0 false
}

func ExampleLookupEncoding() {
	for _, label := range []string{"latin1", "UTF-16", "us-ascii", "windows-1252"} {
		fmt.Println(transcode.LookupEncoding(label))
	}
	// Output:
	// ISO-8859-1 true
	// UTF-16LE true
	// US-ASCII true
	// UTF-8 false
}

// Encodings travel by name in JSON, flags and configuration files.
func ExampleEncoding_UnmarshalText() {
	var config struct{ Encoding transcode.Encoding }
	fmt.Println(json.Unmarshal([]byte(`{"encoding":"latin1"}`), &config), config.Encoding)
	// Output: <nil> ISO-8859-1
}

func ExampleAppendUTF16FromUTF8() {
	var stack [64]uint16 // no allocation as long as the result fits
	units, err := transcode.AppendUTF16FromUTF8(stack[:0], "a😀")
	fmt.Printf("%04x %v\n", units, err)
	// Output: [0061 d83d de00] <nil>
}

func ExampleAppendUTF8FromUTF16() {
	text, err := transcode.AppendUTF8FromUTF16(nil, []uint16{'o', 'k', 0xDC00})
	fmt.Printf("%s, %v\n", text, err)
	// Output: ok, transcode: UTF-16LE: unpaired surrogate at offset 2
}

func ExampleAppendUTF8FromLatin1() {
	fmt.Printf("%s\n", transcode.AppendUTF8FromLatin1(nil, "d\xE9j\xE0 vu"))
	// Output: déjà vu
}

func ExampleAppendLatin1FromUTF8() {
	text, err := transcode.AppendLatin1FromUTF8(nil, "5 € l'été")
	fmt.Printf("%q\n%v\n", text, err)
	fmt.Println(errors.Is(err, transcode.ErrUnencodable))
	// Output:
	// "5 "
	// transcode: UTF-8: U+20AC at offset 2 is not in the target encoding
	// true
}

func ExampleAppendUTF32FromUTF8() {
	runes, err := transcode.AppendUTF32FromUTF8(nil, "aé😀")
	fmt.Printf("%U %v\n", runes, err)
	// Output: [U+0061 U+00E9 U+1F600] <nil>
}

func ExampleAppendValidUTF8() {
	fmt.Printf("%s\n", transcode.AppendValidUTF8([]byte("log: "), "caf\xE9 \xE2\x82 noir"))
	// Output: log: caf� � noir
}

func ExampleToWellFormedUTF16() {
	units := []uint16{'a', 0xD800, 'b'}
	fmt.Println(transcode.ToWellFormedUTF16(units), string(utf16.Decode(units)))
	// Output: 1 a�b
}

func ExampleAppend() {
	out, err := transcode.Append(nil, transcode.UTF16BE, "né", transcode.UTF8)
	fmt.Printf("% x %v\n", out, err)
	// Output: 00 6e 00 e9 <nil>
}

func ExampleLen() {
	const text = "né 😀"
	fmt.Println(transcode.Len(transcode.UTF16LE, text, transcode.UTF8), "bytes in UTF-16")
	// Output: 10 bytes in UTF-16
}

// A language server counts columns in UTF-16 code units.
func ExampleUTF16Offset() {
	const line = `fmt.Println("😀", x)`
	fmt.Println(transcode.UTF16Offset(line, 20))
	fmt.Println(transcode.UTF8Offset(line, 18))
	// Output:
	// 18
	// 20
}

func ExampleTranscoder_Append() {
	t := transcode.Transcoder{
		From:    transcode.UTF16LE,
		OnError: transcode.Replace,
		BOM:     transcode.BOMOverride,
	}
	out, err := t.Append(nil, []byte("\xFE\xFF\x00o\x00k\xD8\x00")) // its mark says UTF-16BE
	fmt.Printf("%s %v\n", out, err)
	// Output: ok� <nil>
}

func ExampleTranscoder_String() {
	s, err := transcode.Transcoder{To: transcode.ASCII, OnError: transcode.Replace}.String([]byte("naïve"))
	fmt.Println(s, err)
	// Output: na?ve <nil>
}

// Pieces of a text may be cut anywhere.
func ExampleStream_Transform() {
	s := transcode.Transcoder{From: transcode.UTF8, To: transcode.UTF16LE}.NewStream()
	var dst [32]byte
	var rest []byte
	for _, piece := range []string{"a\xC3", "\xA9", ""} {
		src := append(rest, piece...)
		n, m, err := s.Transform(dst[:], src, piece == "")
		fmt.Printf("% x, %d consumed, %v\n", dst[:n], m, err)
		rest = src[m:]
	}
	// Output:
	// 61 00, 1 consumed, transcode: source ends inside a character
	// e9 00, 2 consumed, <nil>
	// , 0 consumed, <nil>
}

func ExampleDecode() {
	text, replaced := transcode.Decode("déjà vu")
	latin1, ok := text.Latin1()
	fmt.Println(text.Class(), text.Len(), replaced)
	fmt.Printf("%q %v %s\n", latin1, ok, text)
	// Output:
	// Latin-1 7 0
	// "d\xe9j\xe0 vu" true déjà vu
}

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
	// transcode: UTF-8: too few continuation bytes at offset 9
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
