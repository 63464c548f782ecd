package check

import (
	"errors"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/oracle"
)

// An ErrorRoute is a way through the library that reports the error of a strict conversion from bytes in one encoding to another.
type ErrorRoute struct {
	Name       string
	SourceOnly bool // it tells whether the source is well-formed, not whether the target can hold it
	Err        func(src []byte, from, to transcode.Encoding) error
}

// ErrorRoutes are the ways that must give the same error for the same input.
var ErrorRoutes = []ErrorRoute{
	{"Append", false, func(src []byte, from, to transcode.Encoding) error {
		_, err := transcode.Append(nil, to, src, from)
		return err
	}},
	{"Append of a string", false, func(src []byte, from, to transcode.Encoding) error {
		_, err := transcode.Append(make([]byte, 0, 8*len(src)), to, string(src), from)
		return err
	}},
	{"Transcoder.Append", false, func(src []byte, from, to transcode.Encoding) error {
		_, err := transcode.Transcoder{From: from, To: to}.Append(nil, src)
		return err
	}},
	{"Transcoder.String", false, func(src []byte, from, to transcode.Encoding) error {
		_, err := transcode.Transcoder{From: from, To: to}.String(src)
		return err
	}},
	{"Stream whole", false, func(src []byte, from, to transcode.Encoding) error {
		_, _, err := transcode.Transcoder{From: from, To: to}.NewStream().Transform(make([]byte, 8*len(src)+8), src, true)
		return err
	}},
	{"Stream byte by byte", false, func(src []byte, from, to transcode.Encoding) error { return streamError(src, from, to, 1, 8) }},
	{"Stream in pieces of 3", false, func(src []byte, from, to transcode.Encoding) error { return streamError(src, from, to, 3, 9) }},
	{"Stream in pieces of 7", false, func(src []byte, from, to transcode.Encoding) error { return streamError(src, from, to, 7, 16) }},
	{"Stream in pieces of 32", false, func(src []byte, from, to transcode.Encoding) error { return streamError(src, from, to, 32, 64) }},
	{"Check", true, func(src []byte, from, _ transcode.Encoding) error { return transcode.Check(src, from) }},
	{"Text", true, func(src []byte, from, _ transcode.Encoding) error {
		_, _, err := transcode.Transcoder{From: from}.Text(src)
		return err
	}},
	{"typed functions", false, typedError},
}

// ErrNotTold is what a route gives that does not lead from this source to this target.
var ErrNotTold = errors.New("no such route")

// streamError passes src in pieces of n bytes and returns the error.
func streamError(src []byte, from, to transcode.Encoding, n, dstLen int) error {
	s := transcode.Transcoder{From: from, To: to}.NewStream()
	dst := make([]byte, dstLen)
	for pos, end := 0, 0; ; {
		_, nSrc, err := s.Transform(dst, src[pos:end], end == len(src))
		pos += nSrc
		switch {
		case err == nil && end == len(src):
			return nil
		case err == nil, err == transcode.ErrShortSrc:
			end = min(end+n, len(src))
		case err != transcode.ErrShortDst:
			return err
		}
	}
}

// typedError converts by the function for the pair that takes or gives code units, if there is one, and returns its error with
// the offset in bytes.
func typedError(src []byte, from, to transcode.Encoding) (err error) {
	size := 1
	switch {
	case from == transcode.UTF8 && to == transcode.Latin1:
		_, err = transcode.AppendLatin1FromUTF8(nil, src)
	case from == transcode.UTF8 && to == transcode.UTF16LE:
		_, err = transcode.AppendUTF16FromUTF8(nil, src)
	case from == transcode.UTF8 && to == transcode.UTF32LE:
		_, err = transcode.AppendUTF32FromUTF8(nil, src)
	case from == transcode.UTF8 && to == transcode.UTF8:
		_, err = transcode.DecodeStrict(src)
	case from == transcode.UTF8 && to != transcode.ASCII:
		err = transcode.CheckUTF8(src)
	case from == transcode.UTF16LE && len(src)%2 == 0:
		size = 2
		switch to {
		case transcode.UTF8:
			_, err = transcode.AppendUTF8FromUTF16(nil, oracle.Units16(src))
		case transcode.Latin1:
			_, err = transcode.AppendLatin1FromUTF16(nil, oracle.Units16(src))
		case transcode.UTF32LE:
			_, err = transcode.AppendUTF32FromUTF16(nil, oracle.Units16(src))
		case transcode.ASCII:
			return ErrNotTold
		default:
			err = transcode.CheckUTF16(oracle.Units16(src))
		}
	case from == transcode.UTF32LE && len(src)%4 == 0:
		size = 4
		switch to {
		case transcode.UTF8:
			_, err = transcode.AppendUTF8FromUTF32(nil, oracle.Units32(src))
		case transcode.Latin1:
			_, err = transcode.AppendLatin1FromUTF32(nil, oracle.Units32(src))
		case transcode.UTF16LE:
			_, err = transcode.AppendUTF16FromUTF32(nil, oracle.Units32(src))
		case transcode.ASCII:
			return ErrNotTold
		default:
			err = transcode.CheckUTF32(oracle.Units32(src))
		}
	default:
		return ErrNotTold
	}
	if e, ok := err.(*transcode.Error); ok {
		inBytes := *e
		inBytes.Offset *= int64(size)
		inBytes.Len *= size
		return &inBytes
	}
	return err
}

// Errors holds all routes to the oracle's error for src.
func Errors(t testing.TB, src []byte, from, to transcode.Encoding) {
	t.Helper()
	items := oracle.Decode(src, from)
	_, strict := goodPrefix(items, from, to)
	for _, r := range ErrorRoutes {
		want := strict
		if r.SourceOnly {
			want = FirstFault(items, from)
		}
		if got := r.Err(src, from, to); got != ErrNotTold && !IsError(got, want) {
			t.Fatalf("%s of % x from %v to %v: error %+v, want %+v", r.Name, src, from, to, got, want)
		}
	}
}
