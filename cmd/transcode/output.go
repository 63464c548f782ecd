package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// An output takes the converted text. It is standard output, a device or pipe that is written directly, or a temporary
// file that takes the place of its target when all has gone well.
type output struct {
	w    io.Writer
	name string      // for messages
	info os.FileInfo // of the file that is written or replaced, nil if there is none

	direct *os.File // a device or pipe opened here, else nil

	temp   *tempFile // nil where the output is written directly
	target string    // the name that temp takes in the end
	sync   bool      // the target is also an input: its text is nowhere else
}

// openOutput opens the output that -o names.
func (c *command) openOutput(name string) (*output, error) {
	stdout := &output{w: c.stdout, name: stdoutName, info: fileInfo(c.stdout)}
	if name == "-" {
		return stdout, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return openTemp(name, nil)
	case err != nil:
		return nil, ioError(name, err)
	case stdout.info != nil && os.SameFile(info, stdout.info):
		return stdout, nil // /dev/stdout, or the target of a redirection
	case info.Mode().IsRegular():
		return openTemp(name, info)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return nil, ioError(name, err)
	}
	return &output{w: f, direct: f, name: name, info: info}, nil
}

// openTemp opens a temporary file in the folder of name, which info describes if it exists.
func openTemp(name string, info os.FileInfo) (*output, error) {
	target, err := followLinks(name)
	if err != nil {
		return nil, ioError(name, err)
	}
	mode := os.FileMode(0o666) // less the umask, as for every new file
	if info != nil {
		if err := checkWritable(target); err != nil {
			return nil, ioError(name, err)
		}
		mode = info.Mode().Perm()
	}
	dir, _ := filepath.Split(target)
	temp, err := createTemp(dir, mode)
	if err != nil {
		return nil, ioError(name, fmt.Errorf("no temporary file in its folder: %w", cause(err)))
	}
	if err := takeAfter(temp.File, info); err != nil {
		temp.remove()
		return nil, ioError(name, err)
	}
	return &output{w: temp, name: name, info: info, temp: temp, target: target}, nil
}

// followLinks returns the name that the chain of symbolic links beginning at name ends at; it need not exist.
// Names are not cleaned: "a/.." is not "." where a is a link.
func followLinks(name string) (string, error) {
	for range 255 {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(name)
			to = dir + to
		}
		name = to
	}
	return "", errors.New("too many symbolic links")
}

// checkWritable reports whether name may be written: a rename would replace a write-protected file too.
func checkWritable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// takeAfter gives f the owner, as far as permitted, and the mode of the file that it will replace.
func takeAfter(f *os.File, replaced os.FileInfo) error {
	if replaced == nil {
		return nil
	}
	keepOwner(f, replaced)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if mode := replaced.Mode().Perm(); info.Mode().Perm() != mode {
		return f.Chmod(mode)
	}
	return nil
}

// check reports an input that the output would be appended to for ever, and remembers one that it replaces.
func (o *output) check(in *input) error {
	if o.info == nil || in.info == nil || !o.info.Mode().IsRegular() || !os.SameFile(o.info, in.info) {
		return nil
	}
	if o.temp == nil && in.info.Size() > 0 {
		return fmt.Errorf("%s: is the output as well; use -o", printable(in.name))
	}
	o.sync = true
	return nil
}

func (o *output) write(p []byte) error {
	if _, err := o.w.Write(p); err != nil {
		return ioError(o.name, err)
	}
	return nil
}

// commit ends the output after success: a temporary file takes the place of its target.
func (o *output) commit() error {
	var err error
	switch {
	case o.temp != nil:
		err = o.temp.replace(o.target, o.sync)
	case o.direct != nil:
		err = o.direct.Close()
	}
	if err != nil {
		return ioError(o.name, err)
	}
	return nil
}

// discard gives the output up; after commit it does nothing.
func (o *output) discard() {
	switch {
	case o.temp != nil:
		o.temp.remove()
	case o.direct != nil:
		o.direct.Close() // the failure that led here is reported already
	}
}
