package texts_test

import (
	"testing"
	"unicode/utf8"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// textClass returns the class that a long text of the script has.
func textClass(script string) transcode.Class {
	switch script {
	case "ascii":
		return transcode.ClassASCII
	case "german", "latin1":
		return transcode.ClassLatin1
	case "emoji", "mixed":
		return transcode.ClassSupplementary
	}
	return transcode.ClassBMP // French too: its œ is U+0153
}

func TestOf(t *testing.T) {
	for _, script := range texts.Scripts {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 16, 140, 4096, 70000} {
			text := texts.Of(script, n)
			require.Len(t, text, n, script)
			require.True(t, utf8.ValidString(text), "%s %d", script, n)
			require.Equal(t, text, texts.Of(script, n))
			if n >= 4096 {
				require.Equal(t, textClass(script), transcode.Classify(text), script)
			}
		}
	}
}
