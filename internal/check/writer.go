package check

import (
	"bytes"
	"fmt"

	"github.com/seed-1959eab6/transcode"
)

// Write writes a text in pieces and requires what decoding at once gives: the text, the error, and the counts of each Write. With
// flush, each piece is flushed, and all whole characters must be there.
func Write(t transcode.Transcoder, w *transcode.Writer, b *bytes.Buffer, x *Expectation, parts [][]byte, flush bool) error {
	written := 0
	var src []byte
	for i, part := range parts {
		src = append(src, part...)
		n, err := w.Write(part)
		fault, _ := x.Err.(*transcode.Error)
		if fault != nil && err == nil && ExpectUnfinished(t, src).Err != nil {
			return fmt.Errorf("piece %d has all of the fault, but no error", i)
		}
		switch {
		case err == nil && n != len(part):
			return fmt.Errorf("piece %d: %d of %d bytes without an error", i, n, len(part))
		case err != nil && !SameError(err, x.Err):
			return fmt.Errorf("piece %d: %v, want %v", i, err, x.Err)
		case err != nil && n != max(0, int(fault.Offset)-written):
			return fmt.Errorf("piece %d at %d: %d bytes before the fault at %d", i, written, n, fault.Offset)
		}
		written += len(part)
		if !flush {
			continue
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("error of Flush: %w", err)
		}
		if want := ExpectUnfinished(t, src).Text; !bytes.Equal(b.Bytes(), want) {
			return fmt.Errorf("% x flushed after piece %d, want % x", b.Bytes(), i, want)
		}
	}
	if err := w.Close(); !SameError(err, x.Err) {
		return fmt.Errorf("error of Close: %v, want %v", err, x.Err)
	}
	if !bytes.Equal(b.Bytes(), x.Text) {
		return fmt.Errorf("% x, want % x", b.Bytes(), x.Text)
	}
	if n, err := w.Write([]byte("a")); n != 0 || err == nil {
		return fmt.Errorf("after Close Write gives %d, %v", n, err)
	}
	return nil
}
