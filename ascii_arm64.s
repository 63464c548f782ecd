// Whether a text is ASCII, and the length of its ASCII prefix.
//
// Level: NEON (16 bytes a step, 128 in long runs).
// Method: the highest byte of a vector tells whether all are ASCII; long runs by the highest bytes of eight vectors.
// Bounds: loads within [src, src+left). Clobbers: R0 to R2, R9, R10, vectors.

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// ANY4 gets the disjunction of the 64 bytes at src in V0 and goes on behind them, ANY8 that of 128. Uses: V1 to V3, or V1 to V7.
#define ANY4 \
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	VORR   V1.B16, V0.B16, V0.B16                    \
	VORR   V3.B16, V2.B16, V2.B16                    \
	VORR   V2.B16, V0.B16, V0.B16

#define ANY8 \
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	VLD1.P 64(src), [V4.B16, V5.B16, V6.B16, V7.B16] \
	VORR   V1.B16, V0.B16, V0.B16                    \
	VORR   V3.B16, V2.B16, V2.B16                    \
	VORR   V5.B16, V4.B16, V4.B16                    \
	VORR   V7.B16, V6.B16, V6.B16                    \
	VORR   V2.B16, V0.B16, V0.B16                    \
	VORR   V6.B16, V4.B16, V4.B16                    \
	VORR   V4.B16, V0.B16, V0.B16

// func isASCIINEON(src []byte) (all bool)
//
// For 64 bytes or more: the first 64, then 128 at a time, and the last, some of them twice.
TEXT ·isASCIINEON(SB), NOSPLIT, $0-25
	LDP  src_base+0(FP), (src, left)
	ADD  left, src, R10
	SUB  $64, R10                    // where the last 64 begin
	ANY4
	ANY_HIGH(0, R9, no)
	SUBS $192, left, left
	BLT  rest

rounds:
	ANY8
	ANY_HIGH(0, R9, no)
	SUBS $128, left, left
	BGE  rounds

rest:
	CMP $-64, left
	BLT last
	ANY4
	ANY_HIGH(0, R9, no)

last:
	MOVD R10, src
	ANY4
	ANY_HIGH(0, R9, no)
	MOVD $1, R9
	MOVB R9, all+24(FP)
	RET

no:
	MOVB ZR, all+24(FP)
	RET

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
	ANY8
	ANY_HIGH(0, R9, back)
	SUBS $128, left, left
	BGE  rounds
	B    vectors

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
