// Well-formed prefix and class, number of characters, and length in UTF-16 of UTF-8 text.
//
// Level: NEON (64 bytes a step).
// Bounds: loads within [src, src+left). Clobbers: R0 to R15, vectors.

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Code units of UTF-16 by the upper half of a byte: characters count in their lead bytes.
DATA unitsOfNibble<>+0(SB)/8, $0x0101010101010101
DATA unitsOfNibble<>+8(SB)/8, $0x0201010100000000
GLOBL unitsOfNibble<>(SB), RODATA|NOPTR, $16

// CONTINUATIONS counts the continuation bytes of v in acc. V16 is C0 throughout. Uses: V4.
#define CONTINUATIONS(n, v, acc) \
	CMGT_B16(n, 16, 4)              \
	VSUB V4.B16, acc.B16, acc.B16

#define CONTINUATIONS1 \
	CONTINUATIONS(0, V0, V24)

#define CONTINUATIONS4 \
	CONTINUATIONS(0, V0, V24) \
	CONTINUATIONS(1, V1, V25) \
	CONTINUATIONS(2, V2, V24) \
	CONTINUATIONS(3, V3, V25)

// func runeCountNEON(src []byte) (n int64)
TEXT ·runeCountNEON(SB), NOSPLIT, $0-32
	LDP   src_base+0(FP), (src, left)
	MOVD  left, start
	VMOVI $0xC0, V16.B16
	COUNT(CONTINUATIONS4, CONTINUATIONS1, 127)
	SUB   sum, start, sum
	MOVD  sum, n+24(FP)
	RET

// UNITS16 counts the code units of UTF-16 for v in acc. V16 is unitsOfNibble. Uses: v.
#define UNITS16(v, acc) \
	VUSHR $4, v.B16, v.B16        \
	VTBL  v.B16, [V16.B16], v.B16 \
	VADD  v.B16, acc.B16, acc.B16

#define UNITS16_1 \
	UNITS16(V0, V24)

#define UNITS16_4 \
	UNITS16(V0, V24) \
	UNITS16(V1, V25) \
	UNITS16(V2, V24) \
	UNITS16(V3, V25)

// func utf16LenFromUTF8NEON(src []byte) (n int64)
//
// A zero counts as one.
TEXT ·utf16LenFromUTF8NEON(SB), NOSPLIT, $0-32
	LDP  src_base+0(FP), (src, left)
	MOVD $unitsOfNibble<>(SB), R9
	VLD1 (R9), [V16.B16]
	COUNT(UNITS16_4, UNITS16_1, 63)
	SUB  R9, sum, sum
	MOVD sum, n+24(FP)
	RET
