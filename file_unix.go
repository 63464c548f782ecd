//go:build linux || darwin

package transcode

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// A descriptor is an open file without what package os adds, which costs a small file more than its bytes: it is not known to the
// poller, and nobody closes it but its one user.
type descriptor int

// openDescriptor opens a file for reading. It fails as os.Open does.
func openDescriptor(name string) (descriptor, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			return descriptor(fd), nil
		}
		if err != unix.EINTR {
			return -1, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
}

// read reads once, into p which is not empty: 0 bytes and no error at the end.
func (d descriptor) read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(d), p)
		switch err {
		case nil:
			return n, nil
		case unix.EINTR:
		case unix.EAGAIN: // somebody else has made it non-blocking
			unix.Poll([]unix.PollFd{{Fd: int32(d), Events: unix.POLLIN}}, -1)
		default:
			return 0, err
		}
	}
}

// readAt reads once, from off on, and does not move the position of read.
func (d descriptor) readAt(p []byte, off int64) (int, error) {
	for {
		n, err := unix.Pread(int(d), p, off)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

// stat returns the size of the file, and whether it is a regular one.
func (d descriptor) stat() (size int64, regular bool, err error) {
	var st unix.Stat_t
	for {
		if err = unix.Fstat(int(d), &st); err != unix.EINTR {
			return st.Size, st.Mode&unix.S_IFMT == unix.S_IFREG, err
		}
	}
}

func (d descriptor) close() { unix.Close(int(d)) } // nothing was written to it
