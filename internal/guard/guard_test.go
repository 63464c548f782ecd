package guard

import (
	"errors"
	"os"
	"testing"
	"unsafe"
)

var sink int

// at returns the element of s at any index, checked by nobody.
func at[T Element](s []T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), i*int(unsafe.Sizeof(T(0)))))
}

// accesses are the ways to touch one element.
func accesses[T Element]() map[string]func(p *T) {
	all := map[string]func(p *T){"write": func(p *T) { *p = ^*p }}
	if Faults {
		all = map[string]func(p *T){
			"read":  func(p *T) { sink += int(*p) },
			"write": func(p *T) { *p = 42 },
		}
	}
	return all
}

// requireFault wants the address of the access, or that of its page, which is all that some processors tell.
func requireFault(t *testing.T, err error, before bool, low, high int) {
	t.Helper()
	var fault *Fault
	if !errors.As(err, &fault) || fault.Arena != "src" || fault.Before != before ||
		(fault.Offset < low || fault.Offset >= high) && fault.Offset != -os.Getpagesize() {
		t.Fatalf("got %v, want a fault at %d to %d, before: %v", err, low, high, before)
	}
}

func testPlacements[T Element](t *testing.T) {
	const most = 300
	size := int(unsafe.Sizeof(T(0)))
	a := New(t, "src", most*size)
	other := New(t, "dst", 1)
	for kind, access := range accesses[T]() {
		for n := range most + 1 {
			tail, head := Tail[T](a, n), Head[T](a, n)
			if len(tail) != n || cap(tail) != n || len(head) != n || cap(head) != n {
				t.Fatalf("%d elements: lengths %d, %d, capacities %d, %d", n, len(tail), len(head), cap(tail), cap(head))
			}
			for i := range n {
				if err := Run(func() { access(at(tail, i)); access(at(head, i)) }, other, a); err != nil {
					t.Fatalf("%s at %d of %d: %v", kind, i, n, err)
				}
			}
			requireFault(t, Run(func() { access(at(tail, n)) }, other, a), false, 0, size)
			requireFault(t, Run(func() { access(at(head, -1)) }, other, a), true, -size, 0)
		}
	}
}

func TestPlacements(t *testing.T) {
	t.Run("byte", testPlacements[byte])
	t.Run("uint16", testPlacements[uint16])
	t.Run("rune", testPlacements[rune])
}

// An access that begins inside and ends outside is a fault too.
func TestStraddling(t *testing.T) {
	a := New(t, "src", 64)
	tail, head := Tail[byte](a, 10), Head[byte](a, 10)
	requireFault(t, Run(func() { *(*uint64)(unsafe.Pointer(at(tail, 3))) = 0xEE << 56 }, a), false, 0, 1)
	requireFault(t, Run(func() { *(*uint64)(unsafe.Pointer(at(head, -1))) = 0xEE }, a), true, -1, 0)
	if err := Run(func() { *(*uint64)(unsafe.Pointer(at(tail, 2))) = 0xEE << 56 }, a); err != nil {
		t.Fatal(err)
	}
}

func TestFaultElsewhere(t *testing.T) {
	if !Faults {
		t.Skip("no faults on this system")
	}
	a := New(t, "src", 1)
	err := Run(func() { sink += int(*at(Tail[byte](a, 1), 1)) })
	var fault *Fault
	if !errors.As(err, &fault) || fault.Arena != "" {
		t.Fatalf("got %v", err)
	}
}

func TestOtherPanicsGoOn(t *testing.T) {
	for name, f := range map[string]func(){
		"value": func() { panic("value") },
		"nil":   func() { var p *int; sink += *p },
		"index": func() { sink += make([]int, 1)[len(name0)] },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			t.Errorf("%s: returned %v", name, Run(f))
		}()
	}
}

var name0 = "a name"

func TestNoRoom(t *testing.T) {
	a := New(t, "src", 100)
	for _, n := range []int{-1, a.usable() + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d elements: no panic", n)
				}
			}()
			Tail[byte](a, n)
		}()
	}
}

func TestCopies(t *testing.T) {
	a := New(t, "src", 100)
	if got := string(TailCopy(a, []byte("tail"))); got != "tail" {
		t.Error(got)
	}
	if got := HeadCopy(a, []rune("head")); string(got) != "head" {
		t.Error(got)
	}
	if got := string(Tail[byte](a, 3)); got != "ail" {
		t.Error("the arena forgot its bytes:", got)
	}
}

func testCanaries[T Element](t *testing.T) {
	s := make([]T, 400)
	Fill(s)
	if i := Spoilt(s, 0, 0); i != -1 {
		t.Fatalf("%d is spoilt", i)
	}
	for i := range s {
		for name, v := range map[string]T{"zero": 0, "all ones": ^T(0), "neighbour": s[(i+1)%len(s)]} {
			was := s[i]
			if v == was {
				t.Fatalf("the canary at %d is its %s", i, name)
			}
			s[i] = v
			if got := Spoilt(s, 0, 0); got != i {
				t.Fatalf("%s at %d: %d is spoilt", name, i, got)
			}
			if got := Spoilt(s, i, i+1); got != -1 {
				t.Fatalf("%s at %d, allowed: %d is spoilt", name, i, got)
			}
			if got := Spoilt(s, i+1, i+1); got != i {
				t.Fatalf("%s at %d, before the allowed: %d is spoilt", name, i, got)
			}
			s[i] = was
		}
	}
}

func TestCanaries(t *testing.T) {
	t.Run("byte", testCanaries[byte])
	t.Run("uint16", testCanaries[uint16])
	t.Run("rune", testCanaries[rune])
}
