package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"time"
)

// A tempFile is a new file that either takes another's place or is removed: also when a signal ends the process.
type tempFile struct {
	*os.File
	mu      sync.Mutex // a signal that ends the process takes it and keeps it
	exists  bool       // under the name it was created with
	signals chan os.Signal
	done    chan struct{}
}

// createTemp creates a file of a new name in dir, which ends in a separator or is "" for the current folder.
func createTemp(dir string, mode os.FileMode) (*tempFile, error) {
	t := &tempFile{signals: make(chan os.Signal, 1), done: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watch()
	for range 100 {
		f, err := os.OpenFile(dir+".transcode-"+strconv.FormatUint(rand.Uint64(), 36)+".tmp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			t.File, t.exists = f, true
			return t, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			t.unwatch()
			return nil, err
		}
	}
	t.unwatch()
	return nil, fs.ErrExist
}

// replace closes the file and puts it in the place of target; flush makes sure first that its text is on the disk.
func (t *tempFile) replace(target string, flush bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if flush {
		if err := t.Sync(); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	if err := os.Rename(t.Name(), target); err != nil {
		return err
	}
	t.exists = false
	t.unwatch()
	return nil
}

// remove closes and removes the file if it has not replaced another.
func (t *tempFile) remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.exists {
		return
	}
	t.Close() // again, perhaps: what was written is given up
	os.Remove(t.Name())
	t.exists = false
	t.unwatch()
}

// watch waits for the signals that end a process, but for those that it was started to ignore.
func (t *tempFile) watch() {
	for _, s := range fatalSignals {
		if !signal.Ignored(s) {
			signal.Notify(t.signals, s)
		}
	}
	go func() {
		select {
		case s := <-t.signals:
			t.mu.Lock() // for good: the run is to find no file missing, and report that
			if t.exists && os.Remove(t.Name()) != nil {
				t.Close() // some systems remove closed files only
				os.Remove(t.Name())
			}
			die(s)
		case <-t.done:
		}
	}()
}

func (t *tempFile) unwatch() {
	signal.Stop(t.signals)
	close(t.done)
}

// die ends the process by s where the system can, so that a shell sees what a signal did.
func die(s os.Signal) {
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // another thread may take it, a moment later
	}
	os.Exit(exitFailed)
}
