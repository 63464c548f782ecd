//go:build !linux && !darwin

package transcode

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// A descriptor is an open file with one user.
type descriptor struct{ f *os.File }

// openDescriptor opens a file for reading.
func openDescriptor(name string) (descriptor, error) {
	f, err := os.Open(name)
	return descriptor{f}, err
}

// read reads once, into p which is not empty: 0 bytes and no error at the end.
func (d descriptor) read(p []byte) (int, error) {
	n, err := d.f.Read(p)
	return n, bare(err)
}

// readAt reads from off on, and does not move the position of read.
func (d descriptor) readAt(p []byte, off int64) (int, error) {
	n, err := d.f.ReadAt(p, off)
	return n, bare(err)
}

// stat returns the size of the file, and whether it is a regular one.
func (d descriptor) stat() (size int64, regular bool, err error) {
	info, err := d.f.Stat()
	if err != nil {
		return 0, false, bare(err)
	}
	return info.Size(), info.Mode().IsRegular(), nil
}

func (d descriptor) close() { d.f.Close() } // nothing was written to it

// bare returns an error of package os without the file's name. The end of a file is none.
func bare(err error) error {
	var path *fs.PathError
	switch {
	case err == io.EOF:
		return nil
	case errors.As(err, &path):
		return path.Err
	}
	return err
}
