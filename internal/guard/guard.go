// Package guard gives tests memory in which an access beside a slice is noticed.
//
// An arena is memory between two guards. Tail and Head place slices against one of them: every byte read or written
// behind a tail, or before a head, lies in the guard. Neither the race detector nor the address sanitizer sees what
// assembly does; a guard does. Canaries find what guards cannot: writes inside the slice, beside the allowed result.
package guard

import (
	"fmt"
	"runtime/debug"
	"testing"
	"unsafe"
)

// guardSize is the size of each guard: more than a kernel that runs away in strides can jump over.
const guardSize = 64 << 10

// Element is a unit of text.
type Element interface{ ~byte | ~uint16 | ~int32 }

// An Arena is memory between two guards. It serves one slice after another, and each shares its memory with those before.
type Arena struct {
	name string
	mem  []byte // low guard, usable memory, high guard
	low  uintptr
}

// New returns an arena for slices of at most size bytes. Its name appears in errors. It lives until the end of the test.
func New(tb testing.TB, name string, size int) *Arena {
	tb.Helper()
	const page = guardSize // no system has larger pages
	usable := (max(size, 1) + page - 1) / page * page
	mem, free, err := reserve(guardSize, usable)
	if err != nil {
		tb.Fatalf("guard: no memory for %s: %v", name, err)
	}
	tb.Cleanup(free)
	return &Arena{name, mem, uintptr(unsafe.Pointer(&mem[0]))}
}

// usable returns how many bytes lie between the guards.
func (a *Arena) usable() int { return len(a.mem) - 2*guardSize }

// Tail returns n elements whose end is the begin of the high guard. Their values are those that the arena had last.
func Tail[T Element](a *Arena, n int) []T {
	return place[T](a, n, a.usable()-a.bytes(n, unsafe.Sizeof(T(0))))
}

// Head returns n elements whose begin is the end of the low guard. Their values are those that the arena had last.
func Head[T Element](a *Arena, n int) []T {
	a.bytes(n, unsafe.Sizeof(T(0)))
	return place[T](a, n, 0)
}

// bytes returns the size of n elements and panics if the arena has no room for them.
func (a *Arena) bytes(n int, size uintptr) int {
	if n < 0 || n > a.usable()/int(size) {
		panic(fmt.Sprintf("guard: %d elements of %d bytes in %d bytes of %s", n, size, a.usable(), a.name))
	}
	return n * int(size)
}

// place does not slice a.mem: an empty slice would then point to its begin instead of to the guard.
func place[T Element](a *Arena, n, offset int) []T {
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(&a.mem[0]), guardSize+offset)), n)
}

// TailCopy returns a copy of s as a tail.
func TailCopy[T Element](a *Arena, s []T) []T { return copyTo(Tail[T](a, len(s)), s) }

// HeadCopy returns a copy of s as a head.
func HeadCopy[T Element](a *Arena, s []T) []T { return copyTo(Head[T](a, len(s)), s) }

func copyTo[T Element](dst, src []T) []T {
	copy(dst, src)
	return dst
}

// A Fault is an access to a guard.
type Fault struct {
	Arena  string  // its name, empty if the address is in no guard of those given
	Addr   uintptr // the first byte concerned as far as the processor tells: it may name the page instead
	Before bool    // in the low guard, else in the high one
	Offset int     // of Addr from the usable memory: -1 is the last byte of the low guard, 0 the first of the high one
}

func (f *Fault) Error() string {
	switch {
	case f.Arena == "":
		return fmt.Sprintf("fault at %#x, in no guard", f.Addr)
	case f.Before:
		return fmt.Sprintf("fault at %#x, %d bytes before the begin of %s", f.Addr, -f.Offset, f.Arena)
	}
	return fmt.Sprintf("fault at %#x, %d bytes after the end of %s", f.Addr, f.Offset, f.Arena)
}

// locate says where an address is.
func locate(addr uintptr, arenas []*Arena) *Fault {
	for _, a := range arenas {
		switch offset := addr - a.low; {
		case addr < a.low || offset >= uintptr(len(a.mem)):
		case offset < guardSize:
			return &Fault{a.name, addr, true, int(offset) - guardSize}
		case offset >= uintptr(guardSize+a.usable()):
			return &Fault{a.name, addr, false, int(offset) - guardSize - a.usable()}
		}
	}
	return &Fault{Addr: addr}
}

// Run calls f and returns a *Fault if f touches a guard. The arenas are those it may touch; a fault elsewhere is
// returned too. Other panics go on. Without Faults only writes are noticed, and only after f.
func Run(f func(), arenas ...*Arena) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // what the runtime panics with after a fault, and nothing else
			err = locate(p.Addr(), arenas)
		default:
			panic(p)
		}
	}()
	f()
	return damage(arenas)
}
