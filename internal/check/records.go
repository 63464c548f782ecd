package check

import (
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
