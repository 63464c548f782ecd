package guard

import "testing"

func BenchmarkPlacement(b *testing.B) {
	a := New(b, "src", 64<<10)
	text := make([]byte, 300)
	for i := 0; b.Loop(); i++ {
		s := TailCopy(a, text[:i%300])
		if err := Run(func() { sink += len(s) }, a); err != nil {
			b.Fatal(err)
		}
	}
}
