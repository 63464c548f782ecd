//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// fatalSignals end the process; a temporary file is removed first.
var fatalSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// reportBrokenPipes lets a write to a pipe that nobody reads fail with an error, instead of the signal that ends the process.
func reportBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// isBrokenPipe reports whether err is a write to a pipe that nobody reads.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// keepOwner gives f the owner and group of the file that it will replace, as far as the process may.
func keepOwner(f *os.File, replaced os.FileInfo) {
	if st, ok := replaced.Sys().(*syscall.Stat_t); ok {
		f.Chown(int(st.Uid), int(st.Gid)) // only root can give files away
	}
}
