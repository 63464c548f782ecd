// Conversions between Latin-1 and UTF-8, UTF-16 and UTF-32, the length of Latin-1 in UTF-8, and the order of bytes.
//
// Level: NEON (64 bytes a step).
// Bounds: loads within [src, src+left), stores within [dst, dstEnd) and within the result. Clobbers: R0 to R15, vectors.

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// NON_ASCII1 and NON_ASCII4 count the bytes from 80 on.
#define NON_ASCII1 \
	VUSRA $7, V0.B16, V24.B16

#define NON_ASCII4 \
	VUSRA $7, V0.B16, V24.B16 \
	VUSRA $7, V1.B16, V25.B16 \
	VUSRA $7, V2.B16, V24.B16 \
	VUSRA $7, V3.B16, V25.B16

// func utf8LenFromLatin1NEON(src []byte) (n int64)
TEXT ·utf8LenFromLatin1NEON(SB), NOSPLIT, $0-32
	LDP  src_base+0(FP), (src, left)
	MOVD left, start
	COUNT(NON_ASCII4, NON_ASCII1, 127)
	ADD  start, sum, sum
	MOVD sum, n+24(FP)
	RET
