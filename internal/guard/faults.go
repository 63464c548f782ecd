//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package guard

import "golang.org/x/sys/unix"

// Faults says that every access to a guard faults. Elsewhere only writes are noticed.
const Faults = true

// reserve maps memory with guards that nobody may access.
func reserve(guard, usable int) (mem []byte, free func(), err error) {
	mem, err = unix.Mmap(-1, 0, guard+usable+guard, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	free = func() { unix.Munmap(mem) }
	if err = unix.Mprotect(mem[guard:guard+usable], unix.PROT_READ|unix.PROT_WRITE); err != nil {
		free()
		return nil, nil, err
	}
	return mem, free, nil
}

func damage([]*Arena) error { return nil }
