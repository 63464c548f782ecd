package check

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/seed-1959eab6/transcode"
)

// naivePlan cuts a text, which was decoded at once with replacements, where its units begin.
func naivePlan(x *Expectation, unit transcode.Unit, delim byte, srcLen, size int) (ranges []transcode.Range) {
	starts := []int{x.TextAt}
	for _, s := range x.Spans {
		switch {
		case unit == transcode.UnitCharacter:
			starts = append(starts, s.At)
		case !s.Replaced && len(s.Text) == 1 && s.Text[0] == delim:
			starts = append(starts, s.At+s.N)
		}
	}
	begins := []int{x.TextAt}
	for at := size; at < srcLen; at += size {
		for _, s := range starts {
			if s >= at && s < srcLen {
				begins = append(begins, s)
				break
			}
		}
	}
	begins = append(slices.Compact(slices.Sorted(slices.Values(begins))), srcLen)
	for i, lo := range begins[:len(begins)-1] {
		if lo < begins[i+1] {
			ranges = append(ranges, transcode.Range{Lo: int64(lo), Hi: int64(begins[i+1]), Encoding: x.Encoding})
		}
	}
	return ranges
}

// Plan requires of the ranges of a text that they are where they must be and read as the whole does.
func Plan(tb testing.TB, src []byte, o transcode.PlanOptions, policy transcode.Policy) error {
	tr := transcode.Transcoder{From: o.From, OnError: policy, BOM: o.BOM}
	ranges, err := transcode.Plan(bytes.NewReader(src), int64(len(src)), o)
	if err != nil {
		return err
	}
	delim := byte('\n')
	if o.Unit == transcode.UnitRecord {
		delim = o.Delim
	}
	replacing := tr
	replacing.OnError = transcode.Replace
	want := naivePlan(Expect(tb, replacing, src), o.Unit, delim, len(src), int(o.Size))
	if !slices.Equal(ranges, want) {
		return fmt.Errorf("ranges %v, want %v", ranges, want)
	}

	x := Expect(tb, tr, src)
	at := int64(x.TextAt)
	replaced := 0
	var text []byte
	var spans []Span
	var records []transcode.Line
	var first error // Strict's
	for _, rg := range ranges {
		if rg.Lo != at || rg.Hi <= rg.Lo {
			return fmt.Errorf("%v does not begin at %d", rg, at)
		}
		at = rg.Hi
		part := Expect(tb, transcode.Transcoder{From: rg.Encoding, OnError: policy}, src[rg.Lo:rg.Hi]).Shifted(int(rg.Lo))
		if err := ReadNext(tr.NewRangeReader(bytes.NewReader(src), rg), part, io.EOF); err != nil {
			return fmt.Errorf("%v: %w", rg, err)
		}
		if first == nil {
			text, spans, first = append(text, part.Text...), append(spans, part.Spans...), part.Err
		}
		replaced += part.Replaced
		if o.Unit != transcode.UnitCharacter {
			for line, err := range tr.NewRangeReader(bytes.NewReader(src), rg).Records(delim, 0, transcode.LongError) {
				if err != nil {
					break
				}
				line.Text = bytes.Clone(line.Text)
				records = append(records, line)
			}
		}
	}
	if len(ranges) > 0 && at != int64(len(src)) || len(ranges) == 0 && x.TextAt != len(src) {
		return fmt.Errorf("%v do not tile %d to %d", ranges, x.TextAt, len(src))
	}
	sameSpan := func(a, b Span) bool {
		return a.At == b.At && a.N == b.N && a.Replaced == b.Replaced && bytes.Equal(a.Text, b.Text)
	}
	switch {
	case !bytes.Equal(text, x.Text):
		return fmt.Errorf("%v together give % x, want % x", ranges, text, x.Text)
	case !samePlace(first, x.Err):
		return fmt.Errorf("%v together give %v, want %v", ranges, first, x.Err)
	case x.Err == nil && replaced != x.Replaced:
		return fmt.Errorf("%v together replace %d, want %d", ranges, replaced, x.Replaced)
	case !slices.EqualFunc(spans, x.Spans, sameSpan):
		return fmt.Errorf("%v cut other sequences than one reader", ranges)
	}
	if o.Unit == transcode.UnitCharacter || policy == transcode.Strict {
		return nil
	}
	i := 0
	for line := range tr.NewReader(bytes.NewReader(src)).Records(delim, 0, transcode.LongError) {
		if i == len(records) || !bytes.Equal(line.Text, records[i].Text) || line.Offset != records[i].Offset || line.Len != records[i].Len || line.Class != records[i].Class {
			return fmt.Errorf("record %d, %+v, is not among those of %v: %+v", i, line, ranges, records[min(i, len(records)):])
		}
		i++
	}
	if i != len(records) {
		return fmt.Errorf("%d records, in the ranges %d", i, len(records))
	}
	return nil
}

// samePlace reports whether two errors, or none, are about the same sequence. What is wrong with it may differ, since a range ends behind
// what another Reader sees the next byte of: that is why ranges are not for Strict.
func samePlace(a, b error) bool {
	x, ok := a.(*transcode.Error)
	y, too := b.(*transcode.Error)
	if ok && too {
		return x.Offset == y.Offset && x.Len == y.Len
	}
	return a == b
}
