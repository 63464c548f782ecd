// Well-formed prefix of UTF-16 and UTF-32, and the lengths of such text in other encodings.
//
// Level: NEON (64 bytes a step).
// Bounds: loads within [src, src+left). Clobbers: R0 to R15, vectors.

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// By the upper five bits of a code unit: whether it has more than two bytes in UTF-8, and is no surrogate.
DATA threeBytes<>+0(SB)/8, $0x0101010101010100
DATA threeBytes<>+8(SB)/8, $0x0101010101010101
DATA threeBytes<>+16(SB)/8, $0x0101010101010101
DATA threeBytes<>+24(SB)/8, $0x0101010100010101
GLOBL threeBytes<>(SB), RODATA|NOPTR, $32

// By how many of the 32 bits of a code unit are zero before the first that is not: how many bytes beyond one it has in UTF-8.
DATA moreBytes<>+0(SB)/8, $0x0303030303030303
DATA moreBytes<>+8(SB)/8, $0x0303030303030303
DATA moreBytes<>+16(SB)/8, $0x0101010202020202
DATA moreBytes<>+24(SB)/8, $0x0000000000000001
GLOBL moreBytes<>(SB), RODATA|NOPTR, $32

// LENGTHS8 adds to acc how many bytes beyond one the code units of two vectors have in UTF-8, of a surrogate without one. What is from 80 on
// has its top bit set when the unit is cut down to a byte, or FF. V16 and V17 are threeBytes. Uses: t1, t2.
#define LENGTHS8(n0, n1, v0, v1, t1, t2, m1, acc) \
	UQXTN_B8(n0, m1)                                \
	UQXTN2_B16(n1, m1)                              \
	VUZP2 v1.B16, v0.B16, t2.B16                    \
	VUSHR $3, t2.B16, t2.B16                        \
	VUSRA $7, t1.B16, acc.B16                       \
	VTBL  t2.B16, [V16.B16, V17.B16], t2.B16        \
	VADD  t2.B16, acc.B16, acc.B16

#define LENGTHS8_1 \
	LENGTHS8(0, 18, V0, V18, V4, V5, 4, V24)

#define LENGTHS8_4 \
	LENGTHS8(0, 1, V0, V1, V4, V5, 4, V24) \
	LENGTHS8(2, 3, V2, V3, V6, V7, 6, V25)

// func utf8LenFromUTF16NEON(src []uint16) (n int64)
TEXT ·utf8LenFromUTF16NEON(SB), NOSPLIT, $0-32
	LDP  src_base+0(FP), (src, left)
	MOVD left, start
	LSL  $1, left, left
	MOVD $threeBytes<>(SB), R9
	VLD1 (R9), [V16.B16, V17.B16]
	VEOR V18.B16, V18.B16, V18.B16
	COUNT(LENGTHS8_4, LENGTHS8_1, 127)
	ADD  start, sum, sum
	MOVD sum, n+24(FP)
	RET

// LOW_SURROGATES counts in acc those of two vectors. V16 is FC throughout, V17 DC. Uses: t.
#define LOW_SURROGATES(v0, v1, t, acc) \
	VUZP2 v1.B16, v0.B16, t.B16  \
	VAND  V16.B16, t.B16, t.B16  \
	VCMEQ V17.B16, t.B16, t.B16  \
	VSUB  t.B16, acc.B16, acc.B16

#define LOW_SURROGATES1 \
	LOW_SURROGATES(V0, V18, V4, V24)

#define LOW_SURROGATES4 \
	LOW_SURROGATES(V0, V1, V4, V24) \
	LOW_SURROGATES(V2, V3, V5, V25)

// func utf32LenFromUTF16NEON(src []uint16) (n int64)
TEXT ·utf32LenFromUTF16NEON(SB), NOSPLIT, $0-32
	LDP   src_base+0(FP), (src, left)
	MOVD  left, start
	LSL   $1, left, left
	VMOVI $0xFC, V16.B16
	VMOVI $0xDC, V17.B16
	VEOR  V18.B16, V18.B16, V18.B16
	COUNT(LOW_SURROGATES4, LOW_SURROGATES1, 255)
	SUB   sum, start, sum
	MOVD  sum, n+24(FP)
	RET

// MORE_BYTES_1 and MORE_BYTES_4 add to V24 how many bytes beyond one the code units of V0, and of V0 to V3, have in UTF-8. V16 and V17 are
// moreBytes, V18 is beyond its indexes. Uses: V0 to V3.
#define MORE_BYTES_1 \
	CLZ_S4(0, 0)                               \
	VUZP1 V18.H8, V0.H8, V0.H8                 \
	VUZP1 V18.B16, V0.B16, V0.B16              \
	VTBL  V0.B16, [V16.B16, V17.B16], V0.B16   \
	VADD  V0.B16, V24.B16, V24.B16

#define MORE_BYTES_4 \
	CLZ_S4(0, 0)                               \
	CLZ_S4(1, 1)                               \
	CLZ_S4(2, 2)                               \
	CLZ_S4(3, 3)                               \
	VUZP1 V1.H8, V0.H8, V0.H8                  \
	VUZP1 V3.H8, V2.H8, V2.H8                  \
	VUZP1 V2.B16, V0.B16, V0.B16               \
	VTBL  V0.B16, [V16.B16, V17.B16], V0.B16   \
	VADD  V0.B16, V24.B16, V24.B16

// func utf8LenFromUTF32NEON(src []rune) (n int64)
TEXT ·utf8LenFromUTF32NEON(SB), NOSPLIT, $0-32
	LDP   src_base+0(FP), (src, left)
	MOVD  left, start
	LSL   $2, left, left
	MOVD  $moreBytes<>(SB), R9
	VLD1  (R9), [V16.B16, V17.B16]
	VMOVI $32, V18.B16
	COUNT(MORE_BYTES_4, MORE_BYTES_1, 85)
	ADD   start, sum, sum
	MOVD  sum, n+24(FP)
	RET

// LARGE1 and LARGE4 count in V24 those code units of V0, and of V0 to V3, that are 10000 or more. V18 is zero. Uses: V0, V2.
#define LARGE1 \
	VUZP2  V18.H8, V0.H8, V0.H8      \
	VCMTST V0.H8, V0.H8, V0.H8       \
	VUZP1  V18.B16, V0.B16, V0.B16   \
	VSUB   V0.B16, V24.B16, V24.B16

#define LARGE4 \
	VUZP2  V1.H8, V0.H8, V0.H8       \
	VUZP2  V3.H8, V2.H8, V2.H8       \
	VCMTST V0.H8, V0.H8, V0.H8       \
	VCMTST V2.H8, V2.H8, V2.H8       \
	VUZP1  V2.B16, V0.B16, V0.B16    \
	VSUB   V0.B16, V24.B16, V24.B16

// func utf16LenFromUTF32NEON(src []rune) (n int64)
TEXT ·utf16LenFromUTF32NEON(SB), NOSPLIT, $0-32
	LDP  src_base+0(FP), (src, left)
	MOVD left, start
	LSL  $2, left, left
	VEOR V18.B16, V18.B16, V18.B16
	COUNT(LARGE4, LARGE1, 255)
	ADD  start, sum, sum
	MOVD sum, n+24(FP)
	RET
