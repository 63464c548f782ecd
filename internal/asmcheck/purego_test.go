package asmcheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPuregoAssembly(t *testing.T) {
	dir := t.TempDir()
	if _, err := PuregoAssembly(dir); err == nil {
		t.Error("no error without assembly")
	}
	for name, constraint := range map[string]string{
		"count_amd64.s":   "!purego",
		"tables.s":        "(amd64 || arm64) && !purego",
		"forgot_amd64.s":  "amd64",
		"forgot_arm64.s":  "",
		"forgot_s390x.s":  "linux && !puregoo",
		"everywhere.s":    "",
		"inverted.s":      "purego && plan9 && arm",
		"count_windows.s": "cgo",
	} {
		text := "TEXT ·f(SB), NOSPLIT, $0\n\tRET\n"
		if constraint != "" {
			text = "// What it does.\n\n//go:build " + constraint + "\n\n" + text
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := PuregoAssembly(dir)
	want := []string{"count_windows.s (windows/386)", "everywhere.s (aix/386)", "forgot_amd64.s (aix/amd64)", "forgot_arm64.s (aix/arm64)",
		"forgot_s390x.s (android/s390x)", "inverted.s (plan9/arm)"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

// The tables of platforms are those of the tool chain.
func TestPlatforms(t *testing.T) {
	list, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	for _, platform := range strings.Fields(string(list)) {
		goos, goarch, _ := strings.Cut(platform, "/")
		if !slices.Contains(gooses, goos) || !slices.Contains(goarches, goarch) {
			t.Errorf("%s is missing", platform)
		}
	}
}
