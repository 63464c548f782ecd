package transcode_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
