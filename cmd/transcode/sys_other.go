//go:build !unix

package main

import (
	"os"
	"syscall"
)

// fatalSignals end the process; a temporary file is removed first.
var fatalSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// reportBrokenPipes is for systems where such a write raises a signal.
func reportBrokenPipes() {}

// isBrokenPipe is for systems that have one error for it.
func isBrokenPipe(error) bool { return false }

// keepOwner is for systems where a file's owner is a number.
func keepOwner(*os.File, os.FileInfo) {}
