// Package check holds the library to the oracle: the checks that the tests by subject and the fuzz targets share. It imports
// the library, so that only tests outside it can use it.
package check

import (
	"bytes"
	"slices"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
)

// Encodings and Policies and BOMPolicies are what the sweeps range over.
var (
	Encodings   = []transcode.Encoding{transcode.UTF8, transcode.ASCII, transcode.Latin1, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE}
	Policies    = []transcode.Policy{transcode.Strict, transcode.Replace, transcode.ReplaceBytes, transcode.Skip}
	BOMPolicies = []transcode.BOMPolicy{transcode.BOMKeep, transcode.BOMStrip, transcode.BOMOverride}
)

// Fault returns the *Error for the ill-formed sequence it, nil for a character.
func Fault(it oracle.Item, e transcode.Encoding) *transcode.Error {
	if it.Kind == 0 {
		return nil
	}
	return &transcode.Error{Encoding: e, Offset: int64(it.Off), Len: it.N, Kind: transcode.ErrorKind(it.Kind)}
}

// FirstFault returns the error of the first ill-formed item.
func FirstFault(items []oracle.Item, e transcode.Encoding) *transcode.Error {
	if it := oracle.FirstFault(items); it != nil {
		return Fault(*it, e)
	}
	return nil
}

// A Step is what one item of the source becomes in the output.
type Step struct {
	Off, N int    // the bytes of the source
	Out    []byte // what they become
}

// A Verdict is what the oracle says about a whole conversion.
type Verdict struct {
	From     transcode.Encoding // the source encoding, after a byte order mark had its say
	BOMLen   int                // bytes of a removed byte order mark
	Steps    []Step             // after the byte order mark; the steps of the good prefix when Err is not nil
	Out      []byte
	Replaced int64
	Err      *transcode.Error
}

// Transcode converts src as the documentation of Transcoder says.
func Transcode(t transcode.Transcoder, src []byte) Verdict {
	v := Verdict{From: t.From}
	switch t.BOM {
	case transcode.BOMStrip:
		if bom := oracle.BOM(t.From); bytes.HasPrefix(src, bom) {
			v.BOMLen = len(bom)
		}
	case transcode.BOMOverride:
		for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
			// The longest mark wins: that of UTF-32LE begins with that of UTF-16LE.
			if bom := oracle.BOM(e); bytes.HasPrefix(src, bom) && len(bom) > v.BOMLen {
				v.From, v.BOMLen = e, len(bom)
			}
		}
	}
	replacement, ok := oracle.Encode(0xFFFD, t.To)
	if !ok {
		replacement = []byte("?")
	}
	for _, it := range oracle.Decode(src[v.BOMLen:], v.From) {
		it.Off += v.BOMLen
		out, encodable := oracle.Encode(it.R, t.To)
		err := Fault(it, v.From)
		if err == nil && !encodable {
			err = &transcode.Error{Encoding: v.From, Offset: int64(it.Off), Len: it.N, Kind: transcode.KindUnencodable, Rune: it.R}
		}
		switch {
		case err == nil:
			v.Steps = append(v.Steps, Step{it.Off, it.N, out})
		case t.OnError == transcode.Strict:
			v.Err = err
		case t.OnError == transcode.Replace, t.OnError == transcode.ReplaceBytes && err.Kind == transcode.KindUnencodable:
			v.Steps = append(v.Steps, Step{it.Off, it.N, replacement})
			v.Replaced++
		case t.OnError == transcode.ReplaceBytes:
			for n := 0; n < it.N; n += oracle.UnitSize(v.From) {
				v.Steps = append(v.Steps, Step{it.Off + n, min(oracle.UnitSize(v.From), it.N-n), replacement})
				v.Replaced++
			}
		case t.OnError == transcode.Skip:
			v.Steps = append(v.Steps, Step{it.Off, it.N, nil})
			v.Replaced++
		}
		if v.Err != nil {
			break
		}
	}
	for _, s := range v.Steps {
		v.Out = append(v.Out, s.Out...)
	}
	// An error where the text begins leaves an empty good prefix, without a byte order mark.
	if bom := oracle.BOM(t.To); t.AddBOM && !bytes.HasPrefix(v.Out, bom) && (v.Err == nil || len(v.Out) > 0) {
		v.Out = append(slices.Clone(bom), v.Out...)
	}
	return v
}

// IsError reports whether got is exactly want, not wrapped, and a nil interface where want is nil.
func IsError(got error, want *transcode.Error) bool {
	if want == nil {
		return got == nil
	}
	e, ok := got.(*transcode.Error)
	return ok && e != nil && *e == *want
}

// goodPrefix returns the characters of items that a strict conversion to an encoding converts, and where it stops.
func goodPrefix(items []oracle.Item, from, to transcode.Encoding) (good []rune, err *transcode.Error) {
	limit := rune(0x10FFFF)
	switch to {
	case transcode.ASCII:
		limit = 0x7F
	case transcode.Latin1:
		limit = 0xFF
	}
	good = make([]rune, 0, len(items))
	for _, it := range items {
		if it.Kind != 0 {
			return good, Fault(it, from)
		}
		if it.R > limit {
			return good, &transcode.Error{Encoding: from, Offset: int64(it.Off), Len: it.N, Kind: transcode.KindUnencodable, Rune: it.R}
		}
		good = append(good, it.R)
	}
	return good, nil
}

// ClassOfItems returns the class of items by definition.
func ClassOfItems(items []oracle.Item) transcode.Class {
	c := transcode.ClassASCII
	for _, it := range items {
		switch {
		case it.Kind != 0:
			return transcode.ClassInvalid
		case it.R > 0xFFFF:
			c = max(c, transcode.ClassSupplementary)
		case it.R > 0xFF:
			c = max(c, transcode.ClassBMP)
		case it.R > 0x7F:
			c = max(c, transcode.ClassLatin1)
		}
	}
	return c
}

// ClassOf returns the class of a text.
func ClassOf(text []byte, e transcode.Encoding) transcode.Class {
	return ClassOfItems(oracle.Decode(text, e))
}
