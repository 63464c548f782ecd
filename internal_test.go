package transcode

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// TestLengthsSaturate: a length that an int of 32 bits cannot hold is the largest int. A text with such a length is too
// large for a test.
func TestLengthsSaturate(t *testing.T) {
	require.Equal(t, math.MaxInt, saturate(math.MaxInt64))
	require.Equal(t, math.MaxInt, saturate(math.MaxInt))
	require.Equal(t, 7, saturate(7))
	require.Zero(t, saturate(0))
}

// A long record takes no more memory than the maximum allows.
func TestRecordsMemory(t *testing.T) {
	const most = 10000
	for long := range LongSkip + 1 {
		source := &texts.SizeReader{Most: 1 << 10, Left: 4 << 20}
		r := NewReader(source, UTF8)
		for line, err := range r.Records('\n', most, long) {
			if long == LongError {
				require.ErrorIs(t, err, ErrLineTooLong)
				require.Greater(t, source.Left, 4<<20-2*most, "no more is read than it takes to see that the record is too long")
				break
			}
			require.NoError(t, err)
			require.LessOrEqual(t, len(line.Text), most)
		}
		require.LessOrEqual(t, len(r.in), 2*most)
	}
}

// Long records take their memory once, wherever they have to be.
func TestRecordsMemoryOnce(t *testing.T) {
	const size, most = 3 << 20, 5 << 20
	long, short := strings.Repeat("é", size/2), strings.Repeat("short\n", maxReadSize/3)
	r := NewReader(strings.NewReader(strings.Repeat(long+"\n"+short+long[:size/2]+"\xFF"+long+"\n"+short, 3)), UTF8)
	n := 0
	for line, err := range r.Records('\n', most, LongError) {
		require.NoError(t, err)
		require.LessOrEqual(t, len(r.in)+len(r.out), most+4*maxReadSize)
		if len(line.Text) >= size {
			n++
		}
	}
	require.Equal(t, 6, n)
}

// A record of many reads is carried over once: memory grows in proportion, and it comes whole.
func TestRecordsLongRecord(t *testing.T) {
	const size = 4 << 20
	source := &texts.SizeReader{Most: 1 << 10, Left: size}
	r := NewReader(io.MultiReader(source, strings.NewReader("\nb")), UTF8)
	var sizes []int
	for line, err := range r.Lines() {
		require.NoError(t, err)
		sizes = append(sizes, len(line.Text))
		require.Equal(t, ClassASCII, line.Class)
	}
	require.Equal(t, []int{size, 1}, sizes)
	require.LessOrEqual(t, len(r.in), 2*size+maxReadSize)
}
