package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// barInterval is the least time between two pictures of the bar.
const barInterval = 100 * time.Millisecond

// startBar shows a progress bar when the inputs are long and somebody is watching.
func (c *command) startBar(o *options, out *output) {
	if o.silent || !c.isTerminal(c.stderr) || c.isTerminal(out.w) {
		return
	}
	total := c.totalSize(o.files)
	if total <= c.barFrom {
		return
	}
	c.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(c.stderr),
		progressbar.OptionShowBytes(true),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(barInterval),
		progressbar.OptionClearOnFinish(),
	)
	c.bar.StartWithoutRender() // else the first rate counts from the first picture
}

// totalSize returns the sum of the inputs' sizes, or 0 if one of them has none, such as a pipe. Files that do not exist
// will be reported, and have nothing to read.
func (c *command) totalSize(names []string) (total int64) {
	for _, name := range names {
		info := fileInfo(c.stdin)
		if name != "-" {
			var err error
			if info, err = os.Stat(name); err != nil {
				continue
			}
		}
		if info == nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}

// advanceBar counts n bytes read.
func (c *command) advanceBar(n int) {
	if c.bar != nil {
		c.bar.Add(n) // fails when a file has grown since: nothing to be done
	}
}

// clearBar takes the bar off the terminal.
func (c *command) clearBar() {
	if c.bar != nil {
		c.bar.Clear()
	}
}
