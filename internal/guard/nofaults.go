//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package guard

// Faults says that every access to a guard faults. Here only writes are noticed, by canaries in the guards.
const Faults = false

// near is how much of each guard is filled and looked at, next to the usable memory: all of it would be slow.
const near = 256

func reserve(guard, usable int) (mem []byte, free func(), err error) {
	mem = make([]byte, guard+usable+guard)
	Fill(mem[guard-near : guard])
	Fill(mem[guard+usable:][:near])
	return mem, func() {}, nil
}

// damage finds what was written to the guards, and mends it.
func damage(arenas []*Arena) (err error) {
	for _, a := range arenas {
		for _, start := range []int{guardSize - near, guardSize + a.usable()} {
			part := a.mem[start:][:near]
			if i := Spoilt(part, 0, 0); i >= 0 {
				err = locate(a.low+uintptr(start+i), arenas)
				Fill(part)
			}
		}
	}
	return err
}
