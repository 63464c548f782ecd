// Well-formed prefix of UTF-16 and UTF-32, the lengths of such text in other encodings, and the order of bytes.
//
// Level: NEON (64 bytes a step).
// Bounds: loads within [src, src+left), stores within [dst, dst+left). Clobbers: R0 to R15, vectors.

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

// LOWEST16 gets into V0 the upper bytes of 16 code units, in V0 and V1, without D8: those of surrogates are the lowest. V16 has their indexes,
// V17 is 100 - D8 throughout.
#define LOWEST16 \
	VTBL V16.B16, [V0.B16, V1.B16], V0.B16 \
	VADD V17.B16, V0.B16, V0.B16

// IF_SURROGATES jumps to label if V0 is below 8 somewhere. Uses: R9, V0.
#define IF_SURROGATES(label) \
	UMINV_B16(0, 0) \
	FMOVS F0, R9    \
	CMP   $8, R9    \
	BLO   label

// func validUTF16PrefixNEON(src []uint16, from byteOrder) (n int)
//
// By upper bytes, in blocks of 32 code units, of which each begins with a character; then in halves of a block as long as there are no surrogates, of
// which the last one overlaps the one before. Less than a half is left over, or a block or half with trouble.
TEXT ·validUTF16PrefixNEON(SB), NOSPLIT, $0-40
	LDP   src_base+0(FP), (src, left)
	MOVD  from+24(FP), order
	MOVD  src, start
	MOVD  $·lowerBytes(SB), R9
	VLD1  (R9), [V16.B16]
	VMOVI $1, V17.B16
	CBNZ  order, 2(PC)
	VADD  V17.B16, V16.B16, V16.B16 // the indexes of upper bytes
	VMOVI $0x28, V17.B16
	VMOVI $0xFC, V18.B16
	VMOVI $0xD8, V19.B16
	VMOVI $0xDC, V20.B16
	VEOR  V21.B16, V21.B16, V21.B16
	SUBS  $32, left, left
	BLT   halves

block:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VTBL   V16.B16, [V0.B16, V1.B16], V4.B16
	VTBL   V16.B16, [V2.B16, V3.B16], V5.B16
	VADD   V17.B16, V4.B16, V0.B16
	VADD   V17.B16, V5.B16, V1.B16
	VUMIN  V1.B16, V0.B16, V0.B16
	IF_SURROGATES(surrogates)
	SUBS   $32, left, left
	BGE    block
	B      halves

	// Low surrogates are where high surrogates are one before.
surrogates:
	VAND  V18.B16, V4.B16, V4.B16
	VAND  V18.B16, V5.B16, V5.B16
	VCMEQ V19.B16, V4.B16, V0.B16
	VCMEQ V19.B16, V5.B16, V1.B16
	VCMEQ V20.B16, V4.B16, V4.B16
	VCMEQ V20.B16, V5.B16, V5.B16
	VEXT  $15, V0.B16, V21.B16, V2.B16
	VEXT  $15, V1.B16, V0.B16, V3.B16
	VEOR  V2.B16, V4.B16, V4.B16
	VEOR  V3.B16, V5.B16, V5.B16
	VORR  V5.B16, V4.B16, V4.B16
	UMAXV_B16(4, 4)
	FMOVS F4, R9
	CBNZW R9, trouble

	// A high surrogate that ends the block begins the next one.
	VMOV  V1.B[15], R9
	AND   $1, R9, R9
	SUB   R9<<1, src, src
	ADD   R9, left, left
	SUBS  $32, left, left
	BGE   block

halves:
	ADDS   $16, left, left
	BLT    last

half:
	VLD1.P 32(src), [V0.B16, V1.B16]
	LOWEST16
	IF_SURROGATES(back)
	SUBS   $16, left, left
	BGE    half

last:
	ADDS  $16, left, left
	BEQ   done
	ADD   left<<1, src, R10
	SUB   $32, R10, R9
	CMP   start, R9
	BLO   done
	VLD1  (R9), [V0.B16, V1.B16]
	LOWEST16
	IF_SURROGATES(done)
	MOVD  R10, src
	B     done

back:
	SUB $32, src
	B   done

trouble:
	SUB $64, src

done:
	SUB  start, src
	LSR  $1, src, src
	MOVD src, n+32(FP)
	RET

// RANKS takes the code units in v to numbers, of which those below 10F800 are for scalar values. V16 is D800 throughout, V17 800.
#define RANKS(v) \
	VEOR V16.B16, v.B16, v.B16 \
	VSUB V17.S4, v.S4, v.S4

// HIGHEST4 gets into V0 the highest of the ranks of V0 to V3, which are in order after label.
#define HIGHEST4(label) \
	CBZ    order, label              \
	VREV32 V0.B16, V0.B16            \
	VREV32 V1.B16, V1.B16            \
	VREV32 V2.B16, V2.B16            \
	VREV32 V3.B16, V3.B16            \
label: \
	RANKS(V0)                        \
	RANKS(V1)                        \
	RANKS(V2)                        \
	RANKS(V3)                        \
	VUMAX  V1.S4, V0.S4, V0.S4       \
	VUMAX  V3.S4, V2.S4, V2.S4       \
	VUMAX  V2.S4, V0.S4, V0.S4

// func validUTF32PrefixNEON(src []rune, from byteOrder) (n int)
//
// In rounds of 32 code units, then the rest in vectors of four, of which the last one overlaps the one before. Less than a vector is left over, or a round
// or rest with trouble.
TEXT ·validUTF32PrefixNEON(SB), NOSPLIT, $0-40
	LDP  src_base+0(FP), (src, left)
	MOVD from+24(FP), order
	MOVD src, start
	MOVD $0xD800, R9
	VDUP R9, V16.S4
	MOVD $0x800, R9
	VDUP R9, V17.S4
	MOVD $0x10F800, R10
	SUBS $32, left, left
	BLT  rest

round:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	HIGHEST4(first)
	VORR   V0.B16, V0.B16, V4.B16
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	HIGHEST4(second)
	VUMAX  V4.S4, V0.S4, V0.S4
	UMAXV_S4(0, 0)
	FMOVS  F0, R9
	CMP    R10, R9
	BHS    back
	SUBS   $32, left, left
	BGE    round

	// R11 is where the rest ends, or whole vectors do that have none before them.
rest:
	MOVD  src, R11
	VEOR  V4.B16, V4.B16, V4.B16
	ADDS  $28, left, left
	BLT   last

vector:
	VLD1.P 16(R11), [V0.B16]
	CBZ    order, 2(PC)
	VREV32 V0.B16, V0.B16
	RANKS(V0)
	VUMAX  V0.S4, V4.S4, V4.S4
	SUBS   $4, left, left
	BGE    vector

last:
	ADDS   $4, left, left
	BEQ    decide
	ADD    left<<2, R11, R9
	SUB    $16, R9, R12
	CMP    start, R12
	BLO    decide
	MOVD   R9, R11
	VLD1   (R12), [V0.B16]
	CBZ    order, 2(PC)
	VREV32 V0.B16, V0.B16
	RANKS(V0)
	VUMAX  V0.S4, V4.S4, V4.S4

decide:
	UMAXV_S4(4, 4)
	FMOVS F4, R9
	CMP   R10, R9
	CSEL  LO, R11, src, src
	B     done

back:
	SUB $128, src

done:
	SUB  start, src
	LSR  $2, src, src
	MOVD src, n+32(FP)
	RET

// SWAP copies src to dst, which has R9 bytes, with the bytes of its code units in reverse, by vectors; less than one is left over. Dst may be
// src.
#define SWAP(REVERSE) \
	MOVD   src, start                 \
	CMP    R9, left                   \
	CSEL   LT, left, R9, left         \
	SUBS   $64, left, left            \
	BLT    vectors                    \
block: \
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	REVERSE V0.B16, V0.B16            \
	REVERSE V1.B16, V1.B16            \
	REVERSE V2.B16, V2.B16            \
	REVERSE V3.B16, V3.B16            \
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(dst) \
	SUBS   $64, left, left            \
	BGE    block                      \
vectors: \
	ADDS   $48, left, left            \
	BLT    done                       \
vector: \
	VLD1.P 16(src), [V0.B16]          \
	REVERSE V0.B16, V0.B16            \
	VST1.P [V0.B16], 16(dst)          \
	SUBS   $16, left, left            \
	BGE    vector                     \
done: \
	SUB    start, src

// func swap16NEON(dst, src []byte) (n int)
TEXT ·swap16NEON(SB), NOSPLIT, $0-56
	LDP  dst_base+0(FP), (dst, R9)
	LDP  src_base+24(FP), (src, left)
	SWAP(VREV16)
	MOVD src, n+48(FP)
	RET

// func swap32NEON(dst, src []byte) (n int)
TEXT ·swap32NEON(SB), NOSPLIT, $0-56
	LDP  dst_base+0(FP), (dst, R9)
	LDP  src_base+24(FP), (src, left)
	SWAP(VREV32)
	MOVD src, n+48(FP)
	RET
