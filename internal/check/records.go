package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1959eab6/transcode"
)

// A record is what a record of a text must be.
type record struct {
	text       string
	class      transcode.Class
	offset     int
	len        int
	terminated bool // by a delimiter
}

// newRecord returns the record that is the text from a to b and reaches to end, delimiter included. All of its source belongs to it,
// sequences that Skip drops too, from where the last one ended: ranges begin there as well.
func (x *Expectation) newRecord(a, b, end int) record {
	at, _ := x.After(a)
	upTo, _ := x.After(end)
	if end == len(x.Text) && end == b {
		upTo = x.End
	}
	return record{string(x.Text[a:b]), ClassOf(x.Text[a:b], transcode.UTF8), at, upTo - at, end > b}
}

// records splits the text naively. A record longer than most, if that is above 0, is dealt with as long says; tooLong reports that one ended
// the rest. begun is where the record that an error cut begins in the source, or where decoding ended.
func (x *Expectation) records(delim byte, most int, long transcode.LongLine, failed bool) (list []record, tooLong bool, begun int) {
	for a := 0; a < len(x.Text); {
		n := bytes.IndexByte(x.Text[a:], delim)
		b := a + n
		end := b + 1
		if n < 0 {
			b, end = len(x.Text), len(x.Text)
		}
		longer := most > 0 && b-a > most
		switch {
		case longer && long == transcode.LongError:
			begun, _ = x.After(a)
			return list, true, begun
		case longer && long == transcode.LongSkip:
			if n < 0 && failed {
				begun, _ = x.After(a)
				return list, false, begun
			}
		case longer:
			for b-a > most {
				cut := a + most
				for cut > a && x.Text[cut]&0xC0 == 0x80 {
					cut--
				}
				if cut == a {
					for cut++; cut < b && x.Text[cut]&0xC0 == 0x80; cut++ {
					}
				}
				if cut == b && n >= 0 {
					break
				}
				list = append(list, x.newRecord(a, cut, cut))
				a = cut
			}
			if a == b {
				return list, false, x.End
			}
			fallthrough
		default:
			if n < 0 && failed {
				begun, _ = x.After(a)
				return list, false, begun
			}
			list = append(list, x.newRecord(a, b, end))
		}
		a = end
	}
	return list, false, x.End
}

// Records requires that the records of r are those of the text. want is the error of the source.
func Records(r *transcode.Reader, x *Expectation, want error, delim byte, most int, long transcode.LongLine) error {
	if x.Err != nil {
		want = x.Err
	}
	list, tooLong, begun := x.records(delim, most, long, want != io.EOF)
	i := 0
	var last error
	for line, err := range r.Records(delim, most, long) {
		if last != nil {
			return fmt.Errorf("yielded behind the error %v: %+v, %v", last, line, err)
		}
		if last = err; err != nil {
			if len(line.Text) > 0 || line.Len > 0 {
				return fmt.Errorf("a record %+v with the error %v", line, err)
			}
			continue
		}
		if i == len(list) {
			return fmt.Errorf("record %d: %q at %d+%d, want no more", i, line.Text, line.Offset, line.Len)
		}
		if got := (record{string(line.Text), line.Class, int(line.Offset), line.Len, list[i].terminated}); got != list[i] {
			return fmt.Errorf("record %d: %+v, want %+v", i, got, list[i])
		}
		if at := line.Offset + int64(line.Len); r.InputOffset() != at && (x.Transcoder.OnError != transcode.Skip || r.InputOffset() < at) {
			return fmt.Errorf("record %d: InputOffset %d behind it, want %d", i, r.InputOffset(), at)
		}
		i++
	}
	switch {
	case i < len(list):
		return fmt.Errorf("%d records, want %d: %+v; %v", i, len(list), list[i], last)
	case tooLong && !errors.Is(last, transcode.ErrLineTooLong):
		return fmt.Errorf("error %v, want ErrLineTooLong", last)
	case !tooLong && last == io.EOF, !tooLong && !SameError(last, want) && !(want == io.EOF && last == nil):
		return fmt.Errorf("error %v, want %v", last, want)
	case r.InputOffset() != int64(begun) && (x.Transcoder.OnError != transcode.Skip || r.InputOffset() < int64(begun)):
		return fmt.Errorf("InputOffset %d at the end, want %d", r.InputOffset(), begun)
	}
	if want := last; want != nil {
		// It stays.
		if _, err := r.Next(); !SameError(err, want) {
			return fmt.Errorf("%v after %v", err, want)
		}
		for line, err := range r.Lines() {
			if !SameError(err, want) || len(line.Text) > 0 {
				return fmt.Errorf("%v, %v after %v", line, err, want)
			}
		}
	}
	return nil
}
