// The length of the ASCII prefix of a text.
//
// Level: NEON (16 bytes a step, 128 in long runs).
// Method: the highest byte of a vector tells whether all are ASCII; long runs by the highest bytes of eight vectors.
// Bounds: loads within [src, src+left). Clobbers: R0 to R2, R9, R10, vectors.

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func asciiPrefixNEON(src []byte) (n int)
//
// The last vector overlaps the one before. A source of less than a vector is left over.
TEXT ·asciiPrefixNEON(SB), NOSPLIT, $0-32
	LDP  src_base+0(FP), (src, left)
	MOVD src, start
	CMP  $16, left
	BLT  done
	SUBS $128, left, left
	BLT  vectors

rounds:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(src), [V4.B16, V5.B16, V6.B16, V7.B16]
	VORR   V1.B16, V0.B16, V0.B16
	VORR   V3.B16, V2.B16, V2.B16
	VORR   V5.B16, V4.B16, V4.B16
	VORR   V7.B16, V6.B16, V6.B16
	VORR   V2.B16, V0.B16, V0.B16
	VORR   V6.B16, V4.B16, V4.B16
	VORR   V4.B16, V0.B16, V0.B16
	ANY_HIGH(0, R9, back)
	SUBS   $128, left, left
	BGE    rounds
	B      vectors

back:
	SUB $128, src

vectors:
	ADD $128, left

vector:
	SUBS   $16, left, left
	BLT    last
	VLD1.P 16(src), [V0.B16]
	ANY_HIGH(0, R9, found)
	B      vector

last:
	CMP    $-16, left
	BEQ    done
	ADD    left, src
	VLD1.P 16(src), [V0.B16]
	ANY_HIGH(0, R9, found)
	B      done

found:
	FIRST_HIGH(R9, R10)
	SUB $16, src
	ADD R9, src

done:
	SUB  start, src
	MOVD src, n+24(FP)
	RET
