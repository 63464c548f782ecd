// Package level tells which of the assembly kernels this machine can run. A level is a bundle: it is on only when the
// processor has every feature that its kernels may use. The features come from golang.org/x/sys/cpu, so that for instance
// GODEBUG=cpu.avx512f=off steps down a level.
package level
