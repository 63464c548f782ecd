package asmcheck

import (
	"bytes"
	"errors"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// All systems and architectures that Go compiles for.
var (
	gooses = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd",
		"plan9", "solaris", "wasip1", "windows"}
	goarches = []string{"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
		"riscv64", "s390x", "wasm"}
)

// PuregoAssembly returns the assembly files of a directory that some system would build with the tag purego, each with
// the first such system: "ascii_amd64.s (linux/amd64)". A directory without any assembly is an error.
func PuregoAssembly(dir string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.s"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("asmcheck: no assembly in " + dir)
	}
	var built []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		platform, err := puregoPlatform(filepath.Base(name), text)
		if err != nil {
			return nil, err
		}
		if platform != "" {
			built = append(built, filepath.Base(name)+" ("+platform+")")
		}
	}
	slices.Sort(built)
	return built, nil
}

// puregoPlatform returns the first platform that builds the file with the tag purego, or "".
func puregoPlatform(name string, text []byte) (string, error) {
	context := build.Context{
		Compiler:    "gc",
		ReleaseTags: build.Default.ReleaseTags,
		BuildTags:   []string{"purego"},
		OpenFile:    func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}
	for _, context.GOOS = range gooses {
		for _, context.GOARCH = range goarches {
			for _, context.CgoEnabled = range []bool{false, true} {
				if match, err := context.MatchFile("", name); err != nil || match {
					return context.GOOS + "/" + context.GOARCH, err
				}
			}
		}
	}
	return "", nil
}
