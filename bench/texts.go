package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode/internal/texts"
)

// whole is the size that stands for all of a text.
const whole = -1

var (
	sizes    = []int{140, 1 << 10, 4 << 10, 64 << 10, whole}
	builtins = []string{"ascii", "latin1", "french", "russian", "hindi", "chinese", "emoji", "mixed"}
)

type namedText struct {
	name string
	utf8 []byte
}

// corpus returns the texts of the folder that TRANSCODE_CORPUS names, by folder and name, else made-up ones in several scripts.
func corpus() ([]namedText, error) {
	dir := os.Getenv("TRANSCODE_CORPUS")
	if dir == "" {
		return madeUp(), nil
	}
	var found []namedText
	for _, end := range []string{".utf8.txt", ".utflatin8.txt"} {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*"+end))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if !utf8.Valid(b) {
				return nil, fmt.Errorf("%s is not UTF-8", file)
			}
			folder := strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "wikipedia_")
			name := strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), end), "-Lipsum"))
			if end == ".utflatin8.txt" {
				name += "-latin1"
			}
			found = append(found, namedText{folder + "-" + name, b})
		}
	}
	if found == nil {
		return nil, fmt.Errorf("no */*.utf8.txt in TRANSCODE_CORPUS, %s", dir)
	}
	slices.SortFunc(found, func(a, b namedText) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

// madeUp returns texts for which no corpus is needed.
func madeUp() (made []namedText) {
	for _, script := range builtins {
		made = append(made, namedText{script, []byte(texts.Of(script, 100_000))})
	}
	return made
}

// cut returns about the first n bytes of b, whole characters only, and false if b is shorter.
func cut(b []byte, n int) ([]byte, bool) {
	if n == whole {
		return b, true
	}
	if n > len(b) {
		return nil, false
	}
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n], true
}

func sizeName(n int) string {
	switch {
	case n == whole:
		return "whole"
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%dKiB", n>>10)
	}
	return fmt.Sprint(n)
}

// short64 returns the sizes from 0 to 64.
func short64() (sizes []int) {
	for n := range 65 {
		sizes = append(sizes, n)
	}
	return sizes
}

// shortOf returns what short texts are cut from: b from a little before its first character that is not ASCII.
func shortOf(b []byte) []byte {
	if n := stdASCIIPrefixLen(b); n < len(b) {
		return b[max(0, n-4):]
	}
	return b
}
