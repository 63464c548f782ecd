//go:build linux && !race

package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// statusFile in the environment names a file that the command leaves its /proc/self/status in.
const statusFile = "TRANSCODE_TEST_STATUS"

func init() {
	atCommandExit = func() {
		if name := os.Getenv(statusFile); name != "" {
			status, err := os.ReadFile("/proc/self/status")
			if err == nil {
				err = os.WriteFile(name, status, 0o600)
			}
			if err != nil {
				panic(err)
			}
		}
	}
}

// TestMemory converts and cuts files of very different size: the most memory ever in use is under 16 MiB for both.
func TestMemory(t *testing.T) {
	needProcess(t)
	folder(t, "small", "x", "large", "")
	require.NoError(t, os.Truncate("large", 256<<20)) // of NULs, which take no disk
	for _, args := range []string{
		"-f utf-8 -t utf-8 small", "-f utf-8 -t utf-16 large", "-f utf-16le --replace large", "-f utf-32 -o out large", "-t utf-8", "classify -f utf-8 large",
		"plan --size=1M large", "plan -f utf-16le --characters --size=64K large", "cat -t utf-16 --range=0:268435456 large",
	} {
		cmd := child(strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		large, err := os.Open("large")
		require.NoError(t, err)
		defer large.Close()
		cmd.Stdin = large
		cmd.Env = append(cmd.Env, statusFile+"=status")
		require.NoError(t, cmd.Run(), stderr.String())
		peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(content(t, "status"))
		require.NotNil(t, peak)
		kib, err := strconv.Atoi(peak[1])
		require.NoError(t, err)
		t.Logf("%s: %d KiB", args, kib)
		assert.Less(t, kib, 16<<10, args)
	}
}
