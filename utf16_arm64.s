// Well-formed prefix of UTF-16 and UTF-32, the lengths of such text in other encodings, the order of bytes in code units, and conversions from UTF-16
// and UTF-32 to each other and to UTF-8.
//
// Level: NEON (64 bytes a step, validation 128, conversions 8 to 32 code units).
// Bounds: loads within [src, src+left) or [src, srcEnd), stores within [dst, dst+left), or within the result of what is loaded. Clobbers: R0 to R15,
// R19 to R26, vectors.

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

// UPPER gets into v the upper bytes of 16 code units, in two vectors, and adds 28: those of high surrogates are 0 to 3, of low ones 4 to 7. V16 has their
// indexes, V17 is 28 throughout.
#define UPPER(v0, v1, v) \
	VTBL V16.B16, [v0.B16, v1.B16], v.B16 \
	VADD V17.B16, v.B16, v.B16

// IF_SURROGATES jumps to label if v is below 8 somewhere. Uses: V24, R9.
#define IF_SURROGATES(n, label) \
	UMINV_B16(n, 24) \
	FMOVS F24, R9    \
	CMP   $8, R9     \
	BLO   label

// SURROGATES makes of what UPPER gives the masks of all surrogates, and of the high ones in h. V18 is 4 throughout, V19 8.
#define SURROGATES(n, nh) \
	CMHI_B16(n, 18, nh) \
	CMHI_B16(n, 19, n)

// PAIRED gets ones into v where surrogates are not in pairs: they must be those of h, and those behind them, and none may be both. Before has the high
// surrogates of the vector before. Uses: V24.
#define PAIRED(v, h, before) \
	VEXT $15, h.B16, before.B16, V24.B16 \
	VADD h.B16, V24.B16, V24.B16         \
	VEOR V24.B16, v.B16, v.B16

// IF_UNPAIRED jumps to label if there are ones in v. If the last code unit of h is a high surrogate, it begins the next step. Uses: R9.
#define IF_UNPAIRED(n, v, h, label) \
	UMAXV_B16(n, n)         \
	VMOV v.S[0], R9         \
	CBNZW R9, label         \
	VMOV h.B[15], R9        \
	AND  $1, R9, R9         \
	SUB  R9<<1, src, src    \
	ADD  R9, left, left

// func validUTF16PrefixNEON(src []uint16, from byteOrder) (n int)
//
// By upper bytes, in steps of 64, 32 and 16 code units, of which each begins with a character, but for the last one, which overlaps the one before. A source
// of less than 16 code units is left over, or a step with trouble.
TEXT ·validUTF16PrefixNEON(SB), NOSPLIT, $0-40
	LDP   src_base+0(FP), (src, left)
	MOVD  from+24(FP), order
	MOVD  src, start
	MOVD  $·lowerBytes(SB), R9
	VLD1  (R9), [V16.B16]
	VMOVI $1, V17.B16
	CBNZ  order, 2(PC)
	VADD  V17.B16, V16.B16, V16.B16   // the indexes of upper bytes
	VMOVI $0x28, V17.B16
	VMOVI $4, V18.B16
	VMOVI $8, V19.B16
	VEOR  V21.B16, V21.B16, V21.B16
	SUBS  $64, left, left
	BLT   rest

block:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(src), [V4.B16, V5.B16, V6.B16, V7.B16]
	UPPER(V0, V1, V0)
	UPPER(V2, V3, V1)
	UPPER(V4, V5, V2)
	UPPER(V6, V7, V3)
	VUMIN  V1.B16, V0.B16, V4.B16
	VUMIN  V3.B16, V2.B16, V5.B16
	VUMIN  V5.B16, V4.B16, V4.B16
	IF_SURROGATES(4, surrogates)
	SUBS   $64, left, left
	BGE    block
	B      rest

surrogates:
	SURROGATES(0, 4)
	SURROGATES(1, 5)
	SURROGATES(2, 6)
	SURROGATES(3, 7)
	PAIRED(V0, V4, V21)
	PAIRED(V1, V5, V4)
	PAIRED(V2, V6, V5)
	PAIRED(V3, V7, V6)
	VORR V1.B16, V0.B16, V0.B16
	VORR V3.B16, V2.B16, V2.B16
	VORR V2.B16, V0.B16, V0.B16
	IF_UNPAIRED(0, V0, V7, back64)
	SUBS $64, left, left
	BGE  block

rest:
	ADDS   $32, left, left
	BLT    rest16
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	UPPER(V0, V1, V0)
	UPPER(V2, V3, V1)
	VUMIN  V1.B16, V0.B16, V4.B16
	IF_SURROGATES(4, surrogates32)

next16:
	SUB $32, left

rest16:
	ADDS   $16, left, left
	BLT    last
	VLD1.P 32(src), [V0.B16, V1.B16]
	UPPER(V0, V1, V0)
	IF_SURROGATES(0, surrogates16)

nextLast:
	SUB $16, left

	// R10 is the end of the text.
last:
	ADDS $16, left, left
	BEQ  done
	ADD  left<<1, src, R10
	SUB  $32, R10, R11
	CMP  start, R11
	BLO  done
	VLD1 (R11), [V0.B16, V1.B16]
	UPPER(V0, V1, V0)
	IF_SURROGATES(0, surrogatesLast)
	MOVD R10, src
	B    done

surrogates32:
	SURROGATES(0, 4)
	SURROGATES(1, 5)
	PAIRED(V0, V4, V21)
	PAIRED(V1, V5, V4)
	VORR V1.B16, V0.B16, V0.B16
	IF_UNPAIRED(0, V0, V5, back32)
	CMP  $32, left
	BLT  next16
	SUB  $64, left
	B    rest

surrogates16:
	SURROGATES(0, 4)
	PAIRED(V0, V4, V21)
	IF_UNPAIRED(0, V0, V4, back16)
	CMP $16, left
	BLT nextLast
	SUB $32, left
	B   rest16

	// The first code unit is before src, and so in order.
surrogatesLast:
	SURROGATES(0, 4)
	PAIRED(V0, V4, V21)
	VMOV  ZR, V0.B[0]
	UMAXV_B16(0, 0)
	VMOV  V0.S[0], R9
	CBNZW R9, done
	VMOV  V4.B[15], R9
	CBNZW R9, done
	MOVD  R10, src
	B     done

back64:
	SUB $64, src

back32:
	SUB $32, src

back16:
	SUB $32, src

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
	MOVD src, R11
	VEOR V4.B16, V4.B16, V4.B16
	ADDS $28, left, left
	BLT  last

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

// Registers of the conversions to UTF-8.
#define srcEnd      R1
#define last16      R5  // the last place for 16 code units
#define last32      R7  // and for 32
#define entries     R8  // packedCharacters
#define lengths     R9  // characterLengths
#define mask        R10 // the classes of 16 characters, or which of 32 are not ASCII
#define held1       R12 // where the last three of four groups of bytes go, which are held back
#define held2       R13
#define held3       R25
#define limit16     R14 // the last place for what 16 code units give
#define limit32     R15 // and for what 32 of up to two bytes or 16 of four give
#define stop        R19 // 0 if the text stops to be in order
#define out         R20 // where the result of a part is put together
#define pairEntries R23 // packedPairs
#define pairLengths R24

DATA utf8Vectors<>+0x00(SB)/8, $0x00FF00FF00FF00FF // the lower bytes of words
DATA utf8Vectors<>+0x08(SB)/8, $0x00FF00FF00FF00FF
DATA utf8Vectors<>+0x10(SB)/8, $0x8040201008040201 // the bits of a byte
DATA utf8Vectors<>+0x18(SB)/8, $0x8040201008040201
DATA utf8Vectors<>+0x20(SB)/8, $0x8020080280200802 // the upper bits of classes
DATA utf8Vectors<>+0x28(SB)/8, $0x8020080280200802
DATA utf8Vectors<>+0x30(SB)/8, $0x4010040140100401 // the lower ones
DATA utf8Vectors<>+0x38(SB)/8, $0x4010040140100401
DATA utf8Vectors<>+0x40(SB)/8, $0x00C000C000C000C0 // the marks of lead bytes of two
DATA utf8Vectors<>+0x48(SB)/8, $0x00C000C000C000C0
DATA utf8Vectors<>+0x50(SB)/8, $0x00E000E000E000E0 // and of three
DATA utf8Vectors<>+0x58(SB)/8, $0x00E000E000E000E0
DATA utf8Vectors<>+0x60(SB)/8, $0x0080008000800080 // the first code unit beyond ASCII
DATA utf8Vectors<>+0x68(SB)/8, $0x0080008000800080
GLOBL utf8Vectors<>(SB), RODATA|NOPTR, $112

DATA pairVectors<>+0x00(SB)/8, $0x80C080C080C080C0 // the marks of two bytes
DATA pairVectors<>+0x08(SB)/8, $0x80C080C080C080C0
DATA pairVectors<>+0x10(SB)/8, $0xC0E0C0E0C0E0C0E0 // and where they are
DATA pairVectors<>+0x18(SB)/8, $0xC0E0C0E0C0E0C0E0
GLOBL pairVectors<>(SB), RODATA|NOPTR, $32

DATA fourVectors<>+0x00(SB)/8, $0xF0808080F0808080 // the marks of four bytes
DATA fourVectors<>+0x08(SB)/8, $0xF0808080F0808080
DATA fourVectors<>+0x10(SB)/8, $0xF8C0C0C0F8C0C0C0 // and where they are
DATA fourVectors<>+0x18(SB)/8, $0xF8C0C0C0F8C0C0C0
GLOBL fourVectors<>(SB), RODATA|NOPTR, $32

// GROUP stores at place the bytes of the characters of v, which eight bits of mask tell; behind is where they end.
#define GROUP(lsb, table, lens, v, f, place, behind) \
	UBFX  $lsb, mask, $8, R11             \
	LDR_Q_INDEXED(11, table, 12)          \
	MOVBU (lens)(R11), R11                \
	VTBL  V12.B16, [v.B16], v.B16         \
	FMOVQ f, (place)                      \
	ADD   R11, place, behind

// HOLD holds them back in h.
#define HOLD(lsb, table, lens, v, nth, h, place, behind) \
	UBFX  $lsb, mask, $8, R11             \
	LDR_Q_INDEXED(11, table, nth)         \
	MOVBU (lens)(R11), R11                \
	VTBL  h.B16, [v.B16], h.B16           \
	ADD   R11, place, behind

// FLUSH stores what is held back, behind which room is certain. With NOTHING_HELD it stores what does not count, where the next bytes go.
#define FLUSH \
	FMOVQ F13, (held1) \
	FMOVQ F14, (held2) \
	FMOVQ F15, (held3)

#define NOTHING_HELD \
	MOVD dst, held1 \
	MOVD dst, held2 \
	MOVD dst, held3

// PAIR makes of the words of v, below 800, pairs of lead and trail byte in p; ASCII is a trail byte. M marks what is not ASCII. Uses: t.
#define PAIR(v, p, m, t) \
	VUSHR $6, v.H8, p.H8                  \
	VSLI  $8, v.H8, p.H8                  \
	VAND  V18.B16, m.B16, t.B16           \
	VBIT  t.B16, V17.B16, p.B16

// TRAILS makes of the words of v the third, in the lower half, and the second of three bytes.
#define TRAILS(v, trails) \
	VSHL  $2, v.H8, trails.H8             \
	VBIT  V28.B16, v.B16, trails.B16      \
	VBIT  V23.B16, V24.B16, trails.B16

// FIRSTS makes of the words of v the first of their bytes, which is C0 or C1 for ASCII. The lesser one of what would be the first of two bytes and of three
// is right. Uses: t.
#define FIRSTS(v, t, firsts) \
	VUSHR $12, v.H8, firsts.H8            \
	VUSHR $6, v.H8, t.H8                  \
	VADD  V26.H8, firsts.H8, firsts.H8    \
	VADD  V25.H8, t.H8, t.H8              \
	VUMIN t.H8, firsts.H8, firsts.H8

// CLASSES makes a mask of marks for 16 code units: V8 those from 80 on, V6 those from 800 on. Uses: V6, V7.
#define CLASSES \
	VAND  V31.B16, V8.B16, V7.B16         \
	VAND  V30.B16, V6.B16, V6.B16         \
	VORR  V6.B16, V7.B16, V7.B16          \
	VADDP V7.B16, V7.B16, V7.B16          \
	VADDP V7.B16, V7.B16, V7.B16          \
	VMOV  V7.S[0], mask

// CHARACTERS makes of firsts, w and trails doublewords with the bytes of each character, in d1 and d2: third, second, ASCII, first. Uses: firsts.
#define CHARACTERS(trails, firsts, w, d1, d2) \
	VSLI  $8, w.H8, firsts.H8             \
	VZIP1 firsts.H8, trails.H8, d1.H8     \
	VZIP2 firsts.H8, trails.H8, d2.H8

// UTF8 is the body of a kernel that converts code units of 1<<log bytes to UTF-8.
//
// Each character gets a doubleword with all bytes that it may have, and two bits of mask, its class: how many they are. The eight bits for four characters
// have an entry in packedCharacters that leaves out the other bytes. These have shorter ways: ASCII; 32 of up to two bytes, by pairs in words and
// packedPairs; 16 of three bytes, put together by VST3; surrogate pairs and code units of more than 16 bits, if there are enough of them.
//
// A store of 16 bytes may exceed the result where the text ends. So the last three of four such groups are held back, in V13 to V15, until more follows, and the
// last ones go by way of the stack. So do, by 16 code units at a time, surrogates among other characters, and where room or source end (exact).
//
// It begins with ASCII, and only behind it gets what all else takes. What depends on the size of code units are macros, ASCII8 to ANY: see those for UTF-16.
#define UTF8(log, partial, room, ASCII8, ASCII16, LOAD16, CHECK16, LOAD32, SPECIAL, ANY) \
	MOVD  src, start                   \
	ADD   srcEnd<<log, src, srcEnd     \
	ADD   dst, dstEnd                  \
	SUB   $(16<<log), srcEnd, last16   \
	SUB   $(32<<log), srcEnd, last32   \
	SUB   $48, dstEnd, limit16         \
	SUB   $64, dstEnd, limit32         \
	MOVD  ZR, entries                  \
	B     ascii32                      \
begin: \
	MOVD  $·packedCharacters(SB), entries \
	MOVD  $·characterLengths(SB), lengths \
	MOVD  $·packedPairs(SB), pairEntries \
	MOVD  $·pairLengths(SB), pairLengths \
	MOVD  $1, stop                     \
	MOVD  $utf8Vectors<>(SB), R11      \
	VLD1.P 64(R11), [V28.B16, V29.B16, V30.B16, V31.B16] \
	VLD1  (R11), [V25.B16, V26.B16, V27.B16] \
	MOVD  $pairVectors<>(SB), R11      \
	VLD1  (R11), [V17.B16, V18.B16]    \
	VMOVI $0x80, V24.B16               \
	VMOVI $0xC0, V23.B16               \
	VMOVI $0xF8, V22.B16               \
	VMOVI $0xD8, V21.B16               \
	VMOVI $0x08, V20.B16               \
	VMOVI $0xE0, V19.B16               \
	B     asciiEnd                     \
loop: \ // 32 code units, of up to two bytes
	CMP   limit32, dst                 \
	BGT   block                        \
	CMP   last32, src                  \
	BGT   block                        \
	LOAD32                             \
	VUMAX V0.H8, V1.H8, V4.H8          \
	VUMAX V2.H8, V3.H8, V5.H8          \
	VUMAX V4.H8, V5.H8, V4.H8          \
	UMAXV_H8(4, 4)                     \
	VMOV  V4.H[0], R11                 \
	CMPW  $0x80, R11                   \
	BLO   ascii                        \
	CMPW  $0x800, R11                  \
	BHS   block                        \
	FLUSH                              \
	ADD   $(32<<log), src              \
	CMHS_H8(27, 0, 4)                  \
	CMHS_H8(27, 1, 5)                  \
	CMHS_H8(27, 2, 6)                  \
	CMHS_H8(27, 3, 7)                  \
	PAIR(V0, V8, V4, V12)              \
	PAIR(V1, V9, V5, V12)              \
	PAIR(V2, V10, V6, V12)             \
	PAIR(V3, V11, V7, V12)             \
	VUZP1 V5.B16, V4.B16, V4.B16       \
	VUZP1 V7.B16, V6.B16, V6.B16       \
	VAND  V29.B16, V4.B16, V4.B16      \
	VAND  V29.B16, V6.B16, V6.B16      \
	VADDP V6.B16, V4.B16, V4.B16       \
	VADDP V4.B16, V4.B16, V4.B16       \
	VADDP V4.B16, V4.B16, V4.B16       \
	VMOV  V4.S[0], mask                \
	GROUP(0, 23, pairLengths, V8, F8, dst, held1) \
	HOLD(8, 23, pairLengths, V9, 13, V13, held1, held2) \
	HOLD(16, 23, pairLengths, V10, 14, V14, held2, held3) \
	HOLD(24, 23, pairLengths, V11, 15, V15, held3, dst) \
	B     loop                         \
ascii: \ // 32 code units, and what follows them
	FLUSH                              \
store32: \
	VUZP1 V1.B16, V0.B16, V0.B16       \
	VUZP1 V3.B16, V2.B16, V1.B16       \
	ADD   $(32<<log), src              \
	FSTPQ.P (F0, F1), 32(dst)          \
ascii32: \
	CMP   limit32, dst                 \
	BGT   asciiShort                   \
	CMP   last32, src                  \
	BGT   asciiShort                   \
	LOAD32                             \
	VORR  V0.B16, V1.B16, V4.B16       \
	VORR  V2.B16, V3.B16, V5.B16       \
	VORR  V4.B16, V5.B16, V4.B16       \
	UMAXV_H8(4, 4)                     \
	VMOV  V4.H[0], R11                 \
	CMPW  $0x80, R11                   \
	BLO   store32                      \
asciiEnd: \ // no more of them
	CBZ   entries, begin               \
	NOTHING_HELD                       \
	B     loop                         \
asciiShort: \ // less than 32
	SUB   src, srcEnd, R22             \
	SUB   dst, dstEnd, R11             \
	CMP   R22>>log, R11                \
	BLO   asciiEnd                     \
	CMP   $(16<<log), R22              \
	BLO   asciiTail                    \
	ASCII16(src, asciiEnd)             \
	ADD   $(16<<log), src              \
	FMOVQ.P F2, 16(dst)                \
	SUB   $(16<<log), R22              \
	CMP   $(16<<log), R22              \
	BHS   asciiShort                   \
asciiTail: \
	CBZ   R22, done                    \
	CMP   start, src                   \
	BEQ   asciiEights                  \
	ASCII16(last16, asciiEnd)          \ // behind ASCII: those that end the text, of which some are converted already
	ADD   R22>>log, dst                \
	FMOVQ F2, -16(dst)                 \
	MOVD  srcEnd, src                  \
	B     done                         \
asciiEights: \ // all of the text is eight to 15
	CMP   $(8<<log), R22               \
	BLO   asciiEnd                     \
	SUB   $(8<<log), srcEnd, R12       \
	ASCII8(src, R13, asciiEnd)         \
	ASCII8(R12, R11, asciiEnd)         \
	MOVD  R13, (dst)                   \
	ADD   R22>>log, dst                \
	MOVD  R11, -8(dst)                 \
	MOVD  srcEnd, src                  \
	B     done                         \
block: \ // 16 code units, of up to three bytes
	CMP   limit16, dst                 \
	BGT   exact                        \
	CMP   last16, src                  \
	BGT   exact                        \
	LOAD16(special)                    \
	CMHS_H8(27, 0, 4)                  \
	CMHS_H8(27, 1, 5)                  \
	VUZP1 V5.B16, V4.B16, V8.B16       \
	CMHS_B16(20, 2, 6)                 \
	CLASSES                            \
	TSTW  $0xAAAAAAAA, mask            \
	BEQ   upToTwo                      \
	CHECK16(special)                   \
	ADD   $(16<<log), src              \
	CMNW  $1, mask                     \
	BEQ   triples                      \
	TRAILS(V0, V2)                     \
	TRAILS(V1, V3)                     \
	FIRSTS(V0, V5, V4)                 \
	FIRSTS(V1, V7, V6)                 \
	FLUSH                              \
	CHARACTERS(V2, V4, V0, V8, V9)     \
	CHARACTERS(V3, V6, V1, V10, V11)   \
	GROUP(0, 8, lengths, V8, F8, dst, held1) \
	HOLD(8, 8, lengths, V9, 13, V13, held1, held2) \
	HOLD(16, 8, lengths, V10, 14, V14, held2, held3) \
	HOLD(24, 8, lengths, V11, 15, V15, held3, dst) \
	B     block                        \
upToTwo: \ // of up to two
	FLUSH                              \
	ADD   $(16<<log), src              \
	CBNZW mask, sixteenPairs           \
	VUZP1 V1.B16, V0.B16, V0.B16       \
	FMOVQ.P F0, 16(dst)                \
	NOTHING_HELD                       \
	B     loop                         \
sixteenPairs: \
	VAND  V29.B16, V8.B16, V8.B16      \
	VADDP V8.B16, V8.B16, V8.B16       \
	VADDP V8.B16, V8.B16, V8.B16       \
	VADDP V8.B16, V8.B16, V8.B16       \
	VMOV  V8.S[0], mask                \
	PAIR(V0, V8, V4, V12)              \
	PAIR(V1, V9, V5, V12)              \
	GROUP(0, 23, pairLengths, V8, F8, dst, held1) \
	HOLD(8, 23, pairLengths, V9, 13, V13, held1, dst) \
	MOVD  dst, held2                   \
	MOVD  dst, held3                   \
	B     loop                         \
triples: \
	FLUSH                              \
triple: \ // 16 of three bytes
	VUZP1 V1.B16, V0.B16, V2.B16       \
	VUZP2 V1.B16, V0.B16, V0.B16       \
	VUSHR $6, V2.B16, V1.B16           \
	VBIT  V23.B16, V24.B16, V2.B16     \
	VSLI  $2, V0.B16, V1.B16           \
	VUSHR $4, V0.B16, V0.B16           \
	VBIT  V23.B16, V24.B16, V1.B16     \
	VORR  V19.B16, V0.B16, V0.B16      \
	VST3.P [V0.B16, V1.B16, V2.B16], 48(dst) \
	CMP   limit16, dst                 \
	BGT   tripleEnd                    \
	CMP   last16, src                  \
	BGT   tripleEnd                    \
	LOAD16(tripleEnd)                  \
	VUMIN V0.H8, V1.H8, V4.H8          \
	CHECK16(tripleEnd)                 \
	UMINV_H8(4, 4)                     \
	VMOV  V4.H[0], R11                 \
	CMPW  $0x800, R11                  \
	BLO   tripleEnd                    \
	ADD   $(16<<log), src              \
	B     triple                       \
tripleEnd: \
	NOTHING_HELD                       \
	B     block                        \
special: \ // code units of which some are surrogates or more than 16 bits
	SPECIAL(exact)                     \
exact: \ // up to 16 code units by way of the stack, behind what is held back
	MOVD  src, R21                     \
	MOVD  $room, out                   \
	FMOVQ F13, (out)                   \
	SUB   held1, held2, R11            \
	ADD   R11, out, R11                \
	FMOVQ F14, (R11)                   \
	SUB   held1, held3, R11            \
	ADD   R11, out, R11                \
	FMOVQ F15, (R11)                   \
	SUB   held1, dst, R11              \
	ADD   R11, out                     \
	SUB   src, srcEnd, R22             \
	CBZ   R22, put                     \
	ANY(partial)                       \
	SUB   R22, out                     \
	B     put                          \
trouble: \
	MOVD  ZR, stop                     \
put: \ // the result, if it has room
	MOVD  $room, R22                   \
	SUB   R22, out, R11                \
	ADD   R11, held1, R26              \
	CMP   dstEnd, R26                  \
	BLS   fits                         \
	SUB   held1, dst, R11              \ // only what was held back
	ADD   R11, R22, out                \
	MOVD  dst, R26                     \
	MOVD  R21, src                     \
	MOVD  ZR, stop                     \
fits: \
	COPY_OUT(R22, out, R11, held1, R26, R21) \
	MOVD  R26, dst                     \
	CBZ   stop, done                   \
	NOTHING_HELD                       \
	CMP   srcEnd, src                  \
	BNE   loop                         \
done:

// SWAP_WORDS and SWAP_DOUBLEWORDS take vectors to the other order, or from it, if order is not 0.
#define SWAP_WORDS2(order, a, b) \
	CBZ    order, 3(PC)   \
	VREV16 a.B16, a.B16   \
	VREV16 b.B16, b.B16

#define SWAP_WORDS4(order, a, b, c, d) \
	CBZ    order, 5(PC)   \
	VREV16 a.B16, a.B16   \
	VREV16 b.B16, b.B16   \
	VREV16 c.B16, c.B16   \
	VREV16 d.B16, d.B16

#define SWAP_DOUBLEWORDS2(order, a, b) \
	CBZ    order, 3(PC)   \
	VREV32 a.B16, a.B16   \
	VREV32 b.B16, b.B16

#define SWAP_DOUBLEWORDS4(order, a, b, c, d) \
	CBZ    order, 5(PC)   \
	VREV32 a.B16, a.B16   \
	VREV32 b.B16, b.B16   \
	VREV32 c.B16, c.B16   \
	VREV32 d.B16, d.B16

// LOAD16 gets the next 16 code units as words in V0 and V1, and their upper bytes in V2; if some do not fit, label special is next. LOAD32 gets 32 in V0 to V3,
// where those that do not fit become the highest number. Uses: V4 to V7.
#define LOAD16_UTF16(special) \
	FLDPQ  (src), (F0, F1)                \
	SWAP_WORDS2(order, V0, V1)            \
	VUZP2  V1.B16, V0.B16, V2.B16

// CHECK16 comes behind LOAD16, for what that left open: if there are surrogates, special is next.
#define CHECK16_UTF16(special) \
	VAND   V22.B16, V2.B16, V2.B16        \
	VCMEQ  V21.B16, V2.B16, V2.B16        \
	UMAXV_B16(2, 2)                       \
	VMOV   V2.B[0], R11                   \
	CBNZW  R11, special

// ASCII16 gets 16 code units as bytes in V2, ASCII8 eight in bytes; if some are not ASCII, label is next. Uses: V0 to V3, R11.
#define ASCII16_UTF16(place, label) \
	FLDPQ (place), (F0, F1)               \
	SWAP_WORDS2(order, V0, V1)            \
	UQXTN_B8(0, 2)                        \
	UQXTN2_B16(1, 2)                      \
	UMAXV_B16(2, 3)                       \
	FMOVS F3, R11                         \
	TBNZ  $7, R11, label

#define ASCII8_UTF16(place, bytes, label) \
	FMOVQ (place), F0                     \
	CBZ   order, 2(PC)                    \
	VREV16 V0.B16, V0.B16                 \
	UQXTN_B8(0, 0)                        \
	FMOVD F0, bytes                       \
	TST   $0x8080808080808080, bytes      \
	BNE   label

#define ASCII16_UTF32(place, label) \
	VLD1  (place), [V0.B16, V1.B16, V2.B16, V3.B16] \
	SWAP_DOUBLEWORDS4(order, V0, V1, V2, V3) \
	UQXTN_H4(0, 0)                        \
	UQXTN2_H8(1, 0)                       \
	UQXTN_H4(2, 1)                        \
	UQXTN2_H8(3, 1)                       \
	UQXTN_B8(0, 2)                        \
	UQXTN2_B16(1, 2)                      \
	UMAXV_B16(2, 3)                       \
	FMOVS F3, R11                         \
	TBNZ  $7, R11, label

#define ASCII8_UTF32(place, bytes, label) \
	FLDPQ (place), (F0, F1)               \
	SWAP_DOUBLEWORDS2(order, V0, V1)      \
	UQXTN_H4(0, 0)                        \
	UQXTN2_H8(1, 0)                       \
	UQXTN_B8(0, 0)                        \
	FMOVD F0, bytes                       \
	TST   $0x8080808080808080, bytes      \
	BNE   label

#define LOAD32_UTF16 \
	VLD1   (src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	SWAP_WORDS4(order, V0, V1, V2, V3)

#define LOAD16_UTF32(special) \
	VLD1   (src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	SWAP_DOUBLEWORDS4(order, V0, V1, V2, V3) \
	VUZP2  V1.H8, V0.H8, V4.H8            \
	VUZP2  V3.H8, V2.H8, V5.H8            \
	VUZP1  V1.H8, V0.H8, V0.H8            \
	VUZP1  V3.H8, V2.H8, V1.H8            \
	VORR   V4.B16, V5.B16, V4.B16         \
	VUZP2  V1.B16, V0.B16, V2.B16         \
	VAND   V22.B16, V2.B16, V5.B16        \
	VCMEQ  V21.B16, V5.B16, V5.B16        \
	VORR   V4.B16, V5.B16, V5.B16         \
	UMAXV_B16(5, 5)                       \
	VMOV   V5.B[0], R11                   \
	CBNZW  R11, special

// NO_CHECK16: LOAD16_UTF32 leaves nothing open.
#define NO_CHECK16(special)

#define LOAD32_UTF32 \
	VLD1   (src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	ADD    $64, src, R11                  \
	VLD1   (R11), [V4.B16, V5.B16, V6.B16, V7.B16] \
	CBZ    order, 9(PC)                   \
	VREV32 V0.B16, V0.B16                 \
	VREV32 V1.B16, V1.B16                 \
	VREV32 V2.B16, V2.B16                 \
	VREV32 V3.B16, V3.B16                 \
	VREV32 V4.B16, V4.B16                 \
	VREV32 V5.B16, V5.B16                 \
	VREV32 V6.B16, V6.B16                 \
	VREV32 V7.B16, V7.B16                 \
	UQXTN_H4(0, 0)                        \
	UQXTN2_H8(1, 0)                       \
	UQXTN_H4(2, 1)                        \
	UQXTN2_H8(3, 1)                       \
	UQXTN_H4(4, 2)                        \
	UQXTN2_H8(5, 2)                       \
	UQXTN_H4(6, 3)                        \
	UQXTN2_H8(7, 3)

// SPECIAL_UTF16 converts surrogate pairs, as long as there are eight. Fours are stored as words: the first and second byte, and the third and fourth.
#define SPECIAL_UTF16(exact) \
	MOVD  $surrogateVectors<>(SB), R11    \
	VLD1  (R11), [V8.B16, V9.B16, V10.B16, V11.B16] \
	MOVD  $0x2840, R11                    \ // 10000 >> 10, less D800
	VDUP  R11, V5.H8                      \
	MOVD  $1, R22                         \
eightPairs: \
	CMP   limit32, dst                    \
	BGT   pairsEnd                        \
	CMP   last16, src                     \
	BGT   pairsEnd                        \
	VLD2  (src), [V0.H8, V1.H8]           \
	SWAP_WORDS2(order, V0, V1)            \
	VEOR  V8.B16, V0.B16, V2.B16          \
	VEOR  V9.B16, V1.B16, V3.B16          \
	VORR  V2.B16, V3.B16, V2.B16          \
	UMAXV_H8(2, 2)                        \
	VMOV  V2.H[0], R11                    \
	CMPW  $0x400, R11                     \
	BHS   pairsEnd                        \
	CBZ   R22, 5(PC)                      \
	FLUSH                                 \
	MOVD  ZR, R22                         \
	VADD  V5.H8, V0.H8, V0.H8             \ // the code point without its last ten bits
	VUSHR $8, V0.H8, V2.H8                \
	VSHL  $6, V0.H8, V4.H8                \
	VUSHR $6, V1.H8, V3.H8                \
	VSHL  $8, V1.H8, V1.H8                \
	VBIF  V28.B16, V4.B16, V2.B16         \
	VSLI  $4, V0.H8, V3.H8                \
	VBIT  V11.B16, V10.B16, V2.B16        \
	VBIF  V28.B16, V1.B16, V3.B16         \
	VBIT  V23.B16, V24.B16, V3.B16        \
	VST2.P [V2.H8, V3.H8], 32(dst)        \
	ADD   $32, src                        \
	B     eightPairs                      \
pairsEnd: \
	CBNZ  R22, exact                      \
	NOTHING_HELD                          \
	B     loop

DATA surrogateVectors<>+0x00(SB)/8, $0xD800D800D800D800 // the first high surrogate
DATA surrogateVectors<>+0x08(SB)/8, $0xD800D800D800D800
DATA surrogateVectors<>+0x10(SB)/8, $0xDC00DC00DC00DC00 // the first low surrogate
DATA surrogateVectors<>+0x18(SB)/8, $0xDC00DC00DC00DC00
DATA surrogateVectors<>+0x20(SB)/8, $0x80F080F080F080F0 // the marks of the first two of four bytes
DATA surrogateVectors<>+0x28(SB)/8, $0x80F080F080F080F0
DATA surrogateVectors<>+0x30(SB)/8, $0xC0F8C0F8C0F8C0F8 // and where they are
DATA surrogateVectors<>+0x38(SB)/8, $0xC0F8C0F8C0F8C0F8
GLOBL surrogateVectors<>(SB), RODATA|NOPTR, $64

// ANY_UTF16 gets groups of the next 16 code units, R22 bytes or less of them, with zeros behind the text, and in R22 how many bytes are too much.
#define ANY_UTF16(partial) \
	CMP   $32, R22                        \
	BLO   part                            \
	FLDPQ (src), (F0, F1)                 \
	MOVD  ZR, R22                         \
	ADD   $32, src                        \
	B     loaded                          \
part: \
	MOVD  $partial, R26                   \
	VEOR  V0.B16, V0.B16, V0.B16          \
	FSTPQ (F0, F0), 16(R26)               \
	CMP   $16, R22                        \
	BLO   3(PC)                           \
	FMOVQ (src), F0                       \
	FMOVQ F0, 16(R26)                     \
	ADD   R22, R26, R11                   \
	FMOVQ -16(srcEnd), F0                 \
	FMOVQ F0, (R11)                       \
	FLDPQ 16(R26), (F0, F1)               \
	MOVD  srcEnd, src                     \
	MOVD  $32, R11                        \
	SUB   R22, R11, R22                   \
	LSR   $1, R22                         \
loaded: \
	SWAP_WORDS2(order, V0, V1)            \
	CMHS_H8(27, 0, 4)                     \
	CMHS_H8(27, 1, 5)                     \
	VUZP1 V5.B16, V4.B16, V8.B16          \
	VUZP2 V1.B16, V0.B16, V12.B16         \
	CMHS_B16(20, 12, 6)                   \
	VAND  V22.B16, V12.B16, V2.B16        \
	VCMEQ V21.B16, V2.B16, V2.B16         \
	VEOR  V2.B16, V6.B16, V6.B16          \ // surrogates put out two bytes each
	UMAXV_B16(2, 3)                       \
	VMOV  V3.B[0], R26                    \
	CLASSES                               \
	TRAILS(V0, V2)                        \
	TRAILS(V1, V3)                        \
	FIRSTS(V0, V5, V4)                    \
	FIRSTS(V1, V7, V6)                    \
	CBZ   R26, noSurrogates               \
	VMOVI $0xFC, V7.B16                   \
	VMOVI $0xDC, V8.B16                   \
	VAND  V7.B16, V12.B16, V12.B16        \
	VCMEQ V8.B16, V12.B16, V8.B16         \ // low ones
	VCMEQ V21.B16, V12.B16, V12.B16       \ // high ones
	VEOR  V10.B16, V10.B16, V10.B16       \
	VEXT  $15, V12.B16, V10.B16, V11.B16  \
	VEOR  V11.B16, V8.B16, V11.B16        \
	UMAXV_B16(11, 11)                     \
	VMOV  V11.B[0], R11                   \
	CBNZW R11, trouble16                  \
	VEXT  $14, V0.B16, V10.B16, V5.B16    \ // the code units before
	VEXT  $14, V1.B16, V0.B16, V7.B16     \
	VUSHR $6, V0.H8, V9.H8                \ // low ones: 80, two bits of the high one before, and four of their own
	VUSHR $6, V1.H8, V10.H8               \
	VSLI  $4, V5.H8, V9.H8                \
	VSLI  $4, V7.H8, V10.H8               \
	VBIT  V23.B16, V24.B16, V9.B16        \
	VBIT  V23.B16, V24.B16, V10.B16       \
	VZIP1 V8.B16, V8.B16, V5.B16          \
	VZIP2 V8.B16, V8.B16, V7.B16          \
	VAND  V28.B16, V5.B16, V5.B16         \
	VAND  V28.B16, V7.B16, V7.B16         \
	VBIT  V5.B16, V9.B16, V4.B16          \
	VBIT  V7.B16, V10.B16, V6.B16         \
	MOVD  $0x2840, R11                    \ // 10000 >> 10, less D800
	VDUP  R11, V8.H8                      \
	VADD  V8.H8, V0.H8, V9.H8             \ // high ones: F0 and three bits, 80 and six bits, of the code point without its last ten
	VADD  V8.H8, V1.H8, V10.H8            \
	VZIP1 V12.B16, V12.B16, V5.B16        \
	VZIP2 V12.B16, V12.B16, V7.B16        \
	VAND  V28.B16, V5.B16, V5.B16         \
	VAND  V28.B16, V7.B16, V7.B16         \
	VMOVI $0xF0, V11.B16                  \
	VUSHR $8, V9.H8, V8.H8                \
	VORR  V11.B16, V8.B16, V8.B16         \
	VBIT  V5.B16, V8.B16, V4.B16          \
	VUSHR $8, V10.H8, V8.H8               \
	VORR  V11.B16, V8.B16, V8.B16         \
	VBIT  V7.B16, V8.B16, V6.B16          \
	VUSHR $2, V9.H8, V9.H8                \
	VUSHR $2, V10.H8, V10.H8              \
	VBIT  V23.B16, V24.B16, V9.B16        \
	VBIT  V23.B16, V24.B16, V10.B16       \
	VBIT  V5.B16, V9.B16, V2.B16          \
	VBIT  V7.B16, V10.B16, V3.B16         \
	VMOV  V12.B[15], R11                  \
	CBZW  R11, noSurrogates               \
	SUB   $2, src                         \ // the last high one goes with the next block
	MOVD  $2, R22                         \
noSurrogates: \
	CHARACTERS(V2, V4, V0, V8, V9)        \
	CHARACTERS(V3, V6, V1, V10, V11)      \
	GROUP(0, 8, lengths, V8, F8, out, out)   \
	GROUP(8, 8, lengths, V9, F9, out, out)   \
	GROUP(16, 8, lengths, V10, F10, out, out) \
	GROUP(24, 8, lengths, V11, F11, out, out) \
	B     grouped                         \
trouble16: \
	MOVD  R21, src                        \
	B     trouble                         \
grouped:

// Frame: the last code units, with zeros behind them; the result of what is held back and of 16 code units.
//
// func utf16ToUTF8NEON(dst []byte, src []uint16, from byteOrder) (nDst, nSrc int)
TEXT ·utf16ToUTF8NEON(SB), NOSPLIT, $208-72
	LDP  dst_base+0(FP), (dst, dstEnd)
	LDP  src_base+24(FP), (src, srcEnd)
	MOVD from+48(FP), order
	CMP  $8, srcEnd
	BHS  enough
	MOVD ZR, nDst+56(FP)
	MOVD ZR, nSrc+64(FP)
	RET

enough:
	UTF8(1, partial-48(SP), room-208(SP), ASCII8_UTF16, ASCII16_UTF16, LOAD16_UTF16, CHECK16_UTF16, LOAD32_UTF16, SPECIAL_UTF16, ANY_UTF16)
	MOVD dst_base+0(FP), R11
	SUB  R11, dst
	SUB  start, src
	LSR  $1, src
	MOVD dst, nDst+56(FP)
	MOVD src, nSrc+64(FP)
	RET

// SPECIAL_UTF32 converts code units of more than 16 bits, as long as there are 16.
#define SPECIAL_UTF32(exact) \
	MOVD  $1, R22                         \
	VMOVI $0x01, V8.B16                   \
	VMOVI $0xF0, V9.B16                   \
sixteen: \
	CMP   limit32, dst                    \
	BGT   sixteenEnd                      \
	CMP   last16, src                     \
	BGT   sixteenEnd                      \
	VLD4  (src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	CBZ   order, 7(PC)                    \
	VORR  V0.B16, V0.B16, V4.B16          \
	VORR  V3.B16, V3.B16, V0.B16          \
	VORR  V4.B16, V4.B16, V3.B16          \
	VORR  V1.B16, V1.B16, V4.B16          \
	VORR  V2.B16, V2.B16, V1.B16          \
	VORR  V4.B16, V4.B16, V2.B16          \
	VSUB  V8.B16, V2.B16, V4.B16          \
	VAND  V9.B16, V4.B16, V4.B16          \
	VORR  V3.B16, V4.B16, V4.B16          \
	UMAXV_B16(4, 4)                       \
	VMOV  V4.B[0], R11                    \
	CBNZW R11, sixteenEnd                 \
	CBZ   R22, 5(PC)                      \
	FLUSH                                 \
	MOVD  ZR, R22                         \
	VUSHR $2, V2.B16, V4.B16              \
	VUSHR $4, V1.B16, V5.B16              \
	VUSHR $6, V0.B16, V6.B16              \
	VORR  V0.B16, V0.B16, V7.B16          \
	VORR  V9.B16, V4.B16, V4.B16          \
	VSLI  $4, V2.B16, V5.B16              \
	VSLI  $2, V1.B16, V6.B16              \
	VBIT  V23.B16, V24.B16, V5.B16        \
	VBIT  V23.B16, V24.B16, V6.B16        \
	VBIT  V23.B16, V24.B16, V7.B16        \
	VST4.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(dst) \
	ADD   $64, src                        \
	B     sixteen                         \
sixteenEnd: \
	CBNZ  R22, exact                      \
	NOTHING_HELD                          \
	B     loop

// GROUP_OF_ANY puts the four characters of v, number n, at out. Uses: V4, V11, V12, V15, v.
#define GROUP_OF_ANY(v, n) \
	CMHI_S4(5, n, 4)                      \
	CMHI_S4(6, n, 11)                     \
	CMHI_S4(7, n, 15)                     \
	VEOR  V15.B16, V4.B16, V4.B16         \
	VAND  V10.B16, V11.B16, V11.B16       \
	VAND  V9.B16, V4.B16, V4.B16          \
	VORR  V11.B16, V4.B16, V4.B16         \
	VADDV V4.S4, V4                       \
	VMOV  V4.S[0], mask                   \
	VUSHR $12, v.S4, V4.S4                \
	VUSHR $6, v.S4, V11.S4                \
	VORR  v.B16, v.B16, V12.B16           \
	VSLI  $8, V11.S4, V12.S4              \
	VSLI  $16, V4.S4, V12.S4              \
	VADD  V16.S4, V4.S4, V4.S4            \
	VADD  V8.S4, V11.S4, V11.S4           \
	VUMIN V11.S4, V4.S4, V4.S4            \
	VSLI  $8, v.S4, V4.S4                 \
	VUSHR $18, v.S4, v.S4                 \
	VSLI  $24, v.S4, V12.S4               \
	VBIT  V14.B16, V13.B16, V12.B16       \
	VORR  V12.B16, V12.B16, V11.B16       \
	VSLI  $16, V4.S4, V11.S4              \
	VBIT  V15.B16, V12.B16, V11.B16       \
	GROUP(0, 8, lengths, V11, F11, out, out)

// For each of four characters the lower bit of its class, then the upper one.
DATA classVectors<>+0x00(SB)/8, $0x0000000400000001
DATA classVectors<>+0x08(SB)/8, $0x0000004000000010
DATA classVectors<>+0x10(SB)/8, $0x0000000800000002
DATA classVectors<>+0x18(SB)/8, $0x0000008000000020
GLOBL classVectors<>(SB), RODATA|NOPTR, $32

// ANY_UTF32 does what ANY_UTF16 does.
#define ANY_UTF32(partial) \
	CMP   $64, R22                        \
	BLO   part                            \
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	MOVD  ZR, R22                         \
	B     loaded                          \
part: \
	MOVD  $partial, R26                   \
	VEOR  V0.B16, V0.B16, V0.B16          \
	FSTPQ (F0, F0), 16(R26)               \
	FSTPQ (F0, F0), 48(R26)               \
	CMP   $16, R22                        \
	BLO   lastUnits                       \
	FMOVQ (src), F0                       \
	FMOVQ F0, 16(R26)                     \
	CMP   $32, R22                        \
	BLO   lastUnits                       \
	FMOVQ 16(src), F0                     \
	FMOVQ F0, 32(R26)                     \
	CMP   $48, R22                        \
	BLO   lastUnits                       \
	FMOVQ 32(src), F0                     \
	FMOVQ F0, 48(R26)                     \
lastUnits: \
	ADD   R22, R26, R11                   \
	FMOVQ -16(srcEnd), F0                 \
	FMOVQ F0, (R11)                       \
	ADD   $16, R26                        \
	VLD1  (R26), [V0.B16, V1.B16, V2.B16, V3.B16] \
	MOVD  srcEnd, src                     \
	MOVD  $64, R11                        \
	SUB   R22, R11, R22                   \
	LSR   $2, R22                         \
loaded: \
	SWAP_DOUBLEWORDS4(order, V0, V1, V2, V3) \
	MOVD  $0xD800, R11                    \
	VDUP  R11, V8.S4                      \
	MOVD  $0x800, R11                     \
	VDUP  R11, V9.S4                      \
	VEOR  V8.B16, V0.B16, V4.B16          \ // surrogates are below 800 then,
	VEOR  V8.B16, V1.B16, V5.B16          \
	VEOR  V8.B16, V2.B16, V6.B16          \
	VEOR  V8.B16, V3.B16, V7.B16          \
	VSUB  V9.S4, V4.S4, V4.S4             \ // and beyond all then
	VSUB  V9.S4, V5.S4, V5.S4             \
	VSUB  V9.S4, V6.S4, V6.S4             \
	VSUB  V9.S4, V7.S4, V7.S4             \
	VUMAX V4.S4, V5.S4, V4.S4             \
	VUMAX V6.S4, V7.S4, V6.S4             \
	VUMAX V4.S4, V6.S4, V4.S4             \
	UMAXV_S4(4, 4)                        \
	VMOV  V4.S[0], R11                    \
	MOVD  $(0x10FFFF-0x800), R26          \
	CMPW  R26, R11                        \
	BHI   trouble16                       \
	MOVD  $0x7F, R11                      \
	VDUP  R11, V5.S4                      \
	MOVD  $0x7FF, R11                     \
	VDUP  R11, V6.S4                      \
	MOVD  $0xFFFF, R11                    \
	VDUP  R11, V7.S4                      \
	MOVD  $0xC0, R11                      \
	VDUP  R11, V8.S4                      \
	MOVD  $0xE0, R11                      \
	VDUP  R11, V16.S4                     \
	MOVD  $classVectors<>(SB), R11        \
	VLD1  (R11), [V9.B16, V10.B16]        \
	MOVD  $fourVectors<>(SB), R11         \
	VLD1  (R11), [V13.B16, V14.B16]       \
	GROUP_OF_ANY(V0, 0)                   \
	GROUP_OF_ANY(V1, 1)                   \
	GROUP_OF_ANY(V2, 2)                   \
	GROUP_OF_ANY(V3, 3)                   \
	B     grouped                         \
trouble16: \
	MOVD  R21, src                        \
	B     trouble                         \
grouped:

// Frame: as that of utf16ToUTF8NEON.
//
// func utf32ToUTF8NEON(dst []byte, src []rune, from byteOrder) (nDst, nSrc int)
TEXT ·utf32ToUTF8NEON(SB), NOSPLIT, $256-72
	LDP  dst_base+0(FP), (dst, dstEnd)
	LDP  src_base+24(FP), (src, srcEnd)
	MOVD from+48(FP), order
	CMP  $4, srcEnd
	BHS  enough
	MOVD ZR, nDst+56(FP)
	MOVD ZR, nSrc+64(FP)
	RET

enough:
	UTF8(2, partial-80(SP), room-256(SP), ASCII8_UTF32, ASCII16_UTF32, LOAD16_UTF32, NO_CHECK16, LOAD32_UTF32, SPECIAL_UTF32, ANY_UTF32)
	MOVD dst_base+0(FP), R11
	SUB  R11, dst
	SUB  start, src
	LSR  $2, src
	MOVD dst, nDst+56(FP)
	MOVD src, nSrc+64(FP)
	RET

#define lastBlock R8 // the last place for a block
#define last8  R9  // the last place for eight code units
#define limit  R12 // the last place for the result of a block
#define limit8 R13 // and of eight code units
#define fresh  R14 // 0 behind surrogate pairs
#define packed R15 // packedWords; LDR_Q_INDEXED takes its number
#define buf    R19
#define zeros  R22 // how many zeros stand for code units behind the text

// ENDS gets the places behind which less is left than 64 bytes or eight code units of the source, and than the room for the result of a block or of eight
// code units; and what OF_SURROGATES takes. Code units have 1<<srcLog and 1<<dstLog bytes.
#define ENDS(srcLog, dstLog, room) \
	MOVD  src, start                \
	ADD   dstEnd<<dstLog, dst, dstEnd \
	ADD   srcEnd<<srcLog, src, srcEnd \
	SUB   $64, srcEnd, lastBlock    \
	SUB   $(8<<srcLog), srcEnd, last8 \
	SUB   $room, dstEnd, limit      \
	SUB   $(8<<dstLog), dstEnd, limit8 \
	VMOVI $0xF8, V31.B16            \
	VMOVI $0xD8, V30.B16

// OF_SURROGATES marks in v those of the upper bytes of code units there that surrogates have.
#define OF_SURROGATES(v) \
	VAND  V31.B16, v.B16, v.B16     \
	VCMEQ V30.B16, v.B16, v.B16

// WIDEN_EIGHT gets the eight words at place in V0, and as doublewords for the result in V4 and V5; if there are surrogates, label is next. Uses: t.
#define WIDEN_EIGHT(place, t, label) \
	FMOVQ  (place), F0              \
	CBZ    order, 2(PC)             \
	VREV16 V0.B16, V0.B16           \
	VUZP2  V0.B16, V0.B16, V4.B16   \
	OF_SURROGATES(V4)                  \
	VMOV   V4.D[0], t               \
	CBNZ   t, label                 \
	VUXTL  V0.H4, V4.S4             \
	VUXTL2 V0.H8, V5.S4             \
	SWAP_DOUBLEWORDS2(order2, V4, V5)

// NARROW_EIGHT gets the eight doublewords at place in V0 and V1, and as words for the result in V4; if one does not fit, or is a surrogate, label is next.
// Uses: t, V6, V16.
#define NARROW_EIGHT(place, t, label) \
	FLDPQ  (place), (F0, F1)        \
	SWAP_DOUBLEWORDS2(order, V0, V1) \
	VUZP1  V1.H8, V0.H8, V4.H8      \
	VUZP2  V1.H8, V0.H8, V6.H8      \
	VUZP2  V4.B16, V4.B16, V16.B16  \
	OF_SURROGATES(V16)                 \
	VORR   V6.B16, V16.B16, V6.B16  \
	UMAXV_B16(6, 6)                 \
	VMOV   V6.B[0], t               \
	CBNZW  t, label                 \
	CBZ    order2, 2(PC)            \
	VREV16 V4.B16, V4.B16

// PAIR_VECTORS gets what surrogate pairs take: the first high and the first low surrogate in V28 and V29, and in V27 10000 >> 10, less D800.
#define PAIR_VECTORS \
	MOVD $surrogateVectors<>(SB), R10 \
	VLD1 (R10), [V28.B16, V29.B16] \
	MOVD $0x2840, R10 \
	VDUP R10, V27.H8

// func utf16ToUTF32NEON(dst []rune, src []uint16, from, to byteOrder) (nDst, nSrc int)
TEXT ·utf16ToUTF32NEON(SB), NOSPLIT, $48-80
	LDP dst_base+0(FP), (dst, dstEnd)
	LDP src_base+24(FP), (src, srcEnd)
	LDP from+48(FP), (order, order2)
	ENDS(1, 2, 128)

	// Blocks of 32 without surrogates.
loop:
	CMP    limit, dst
	BGT    eight
	CMP    lastBlock, src
	BGT    eight
	VLD1   (src), [V0.B16, V1.B16, V2.B16, V3.B16]
	SWAP_WORDS4(order, V0, V1, V2, V3)
	VUZP2  V1.B16, V0.B16, V4.B16
	VUZP2  V3.B16, V2.B16, V5.B16
	OF_SURROGATES(V4)
	OF_SURROGATES(V5)
	VORR   V4.B16, V5.B16, V4.B16
	UMAXV_B16(4, 4)
	VMOV   V4.B[0], R11
	CBNZW  R11, eight
	VUXTL  V0.H4, V4.S4
	VUXTL2 V0.H8, V5.S4
	VUXTL  V1.H4, V6.S4
	VUXTL2 V1.H8, V7.S4
	VUXTL  V2.H4, V16.S4
	VUXTL2 V2.H8, V17.S4
	VUXTL  V3.H4, V18.S4
	VUXTL2 V3.H8, V19.S4
	ADD    $64, src
	CBZ    order2, 9(PC)
	VREV32 V4.B16, V4.B16
	VREV32 V5.B16, V5.B16
	VREV32 V6.B16, V6.B16
	VREV32 V7.B16, V7.B16
	VREV32 V16.B16, V16.B16
	VREV32 V17.B16, V17.B16
	VREV32 V18.B16, V18.B16
	VREV32 V19.B16, V19.B16
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(dst)
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(dst)
	B      loop

	// Eight.
eight:
	CMP     last8, src
	BGT     last
	CMP     limit8, dst
	BGT     done
	WIDEN_EIGHT(src, R11, surrogates)
	ADD     $16, src
	FSTPQ.P (F4, F5), 32(dst)
	CMP     lastBlock, src
	BGT     eight
	B       loop

	// Less than eight, behind those that complete a block. Where none of these is a surrogate they give one code unit each.
last:
	SUB     src, srcEnd, R11
	CBZ     R11, done
	SUB     dst, dstEnd, R10
	CMP     R11<<1, R10
	BLO     done
	SUB     $16, R11
	ADD     R11, src, R10
	CMP     start, R10
	BLO     done
	WIDEN_EIGHT(R10, R10, lastMixed)
	ADD     R11<<1, dst, dst
	FSTPQ.P (F4, F5), 32(dst)
	MOVD    srcEnd, src
	B       done

	// Else they are dealt with as eight, with zeros behind them.
lastMixed:
	NEG   R11, R11
	LSR   $1, R11, zeros
	MOVD  $room-48(SP), buf
	VEOR  V4.B16, V4.B16, V4.B16
	FSTPQ (F0, F4), (buf)
	ADD   R11, buf, R11
	FMOVQ (R11), F0
	PAIR_VECTORS
	B     mixedUnits

	// Eight pairs, as long as there are some.
surrogates:
	PAIR_VECTORS
	MOVD $1, fresh
	MOVD ZR, zeros

pairs:
	ADD     $16, src, R11
	CMP     last8, R11
	BGT     mixed
	CMP     limit8, dst
	BGT     done
	VLD2    (src), [V0.H8, V1.H8]
	SWAP_WORDS2(order, V0, V1)
	VEOR    V28.B16, V0.B16, V2.B16
	VEOR    V29.B16, V1.B16, V1.B16
	VORR    V2.B16, V1.B16, V2.B16
	UMAXV_H8(2, 2)
	VMOV    V2.H[0], R11
	CMPW    $0x400, R11
	BHS     mixed
	VADD    V27.H8, V0.H8, V0.H8
	MOVD    ZR, fresh
	ADD     $32, src
	VUSHLL  $10, V0.H4, V4.S4
	VUSHLL2 $10, V0.H8, V5.S4
	VUADDW  V1.H4, V4.S4, V4.S4
	VUADDW2 V1.H8, V5.S4, V5.S4
	SWAP_DOUBLEWORDS2(order2, V4, V5)
	FSTPQ.P (F4, F5), 32(dst)
	B       pairs

	// Of eight code units, low surrogates give the character of their pair, high ones nothing. Four or more count. If the last one is a high one it is left
	// to the next block.
mixed:
	CBZ    fresh, loop
	FMOVQ  (src), F0
	CBZ    order, 2(PC)
	VREV16 V0.B16, V0.B16

mixedUnits:
	VMOVI $0xFC, V7.B16
	VMOVI $0xDC, V6.B16
	VUZP2 V0.B16, V0.B16, V4.B16
	VAND  V7.B16, V4.B16, V4.B16
	VCMEQ V30.B16, V4.B16, V3.B16                      // high ones
	VCMEQ V6.B16, V4.B16, V4.B16                       // low ones
	VEOR  V7.B16, V7.B16, V7.B16
	VEXT  $15, V3.B16, V7.B16, V5.B16
	VEOR  V4.B16, V5.B16, V5.B16
	VMOV  V5.D[0], R11
	CBNZ  R11, done
	VEXT  $14, V0.B16, V7.B16, V1.B16                  // the code units before
	VADD  V27.H8, V1.H8, V1.H8
	VZIP1 V4.B16, V4.B16, V4.B16
	VSHL  $10, V1.H8, V2.H8
	VUSHR $6, V1.H8, V1.H8                             // above 16 bits
	VEOR  V29.B16, V0.B16, V5.B16
	VORR  V5.B16, V2.B16, V2.B16
	VBIT  V4.B16, V2.B16, V0.B16
	VAND  V4.B16, V1.B16, V1.B16
	MOVD  $·packedWords(SB), packed
	VMOVQ $0x8040201008040201, $0x8040201008040201, V6
	VMOV  V3.B[7], R11
	ANDW  $2, R11
	VAND  V6.B16, V3.B16, V3.B16
	VADDP V3.B16, V3.B16, V3.B16
	VADDP V3.B16, V3.B16, V3.B16
	VADDP V3.B16, V3.B16, V3.B16
	VMOV  V3.B[0], mask
	EOR   $0xFF, mask
	LDR_Q_INDEXED(10, 15, 2)
	MOVD  $·bitCounts(SB), R20
	MOVBU (R20)(mask), mask
	VTBL  V2.B16, [V0.B16], V0.B16
	VTBL  V2.B16, [V1.B16], V1.B16
	VZIP1 V1.H8, V0.H8, V4.H8
	VZIP2 V1.H8, V0.H8, V5.H8
	SWAP_DOUBLEWORDS2(order2, V4, V5)
	MOVD  $room-48(SP), buf
	FSTPQ (F4, F5), 16(buf)
	SUB   zeros, mask
	ADD   mask<<2, dst, R20
	CMP   dstEnd, R20
	BHI   done
	CBZ   zeros, 3(PC)
	FMOVQ -16(dst), F6                                 // what is before the result is written once more, if that is short
	FMOVQ F6, (buf)
	CMP   $4, mask
	BLO   2(PC)
	FMOVQ F4, (dst)
	ADD   mask<<2, buf
	FMOVQ (buf), F5
	FMOVQ F5, -16(R20)
	MOVD  R20, dst
	ADD   $16, src
	SUB   R11, src
	SUB   zeros<<1, src
	B     eight

done:
	MOVD dst_base+0(FP), R11
	SUB  R11, dst
	SUB  start, src
	LSR  $2, dst
	LSR  $1, src
	MOVD dst, nDst+64(FP)
	MOVD src, nSrc+72(FP)
	RET

// func utf32ToUTF16NEON(dst []uint16, src []rune, from, to byteOrder) (nDst, nSrc int)
TEXT ·utf32ToUTF16NEON(SB), NOSPLIT, $64-80
	LDP dst_base+0(FP), (dst, dstEnd)
	LDP src_base+24(FP), (src, srcEnd)
	LDP from+48(FP), (order, order2)
	ENDS(2, 1, 32)

	// Blocks of 16 of one code unit each.
loop:
	CMP     limit, dst
	BGT     eight
	CMP     lastBlock, src
	BGT     eight
	VLD1    (src), [V0.B16, V1.B16, V2.B16, V3.B16]
	SWAP_DOUBLEWORDS4(order, V0, V1, V2, V3)
	VUZP1   V1.H8, V0.H8, V4.H8
	VUZP1   V3.H8, V2.H8, V5.H8
	VUZP2   V1.H8, V0.H8, V6.H8
	VUZP2   V3.H8, V2.H8, V7.H8
	VUZP2   V5.B16, V4.B16, V16.B16
	VORR    V6.B16, V7.B16, V6.B16
	OF_SURROGATES(V16)
	VORR    V6.B16, V16.B16, V6.B16
	UMAXV_B16(6, 6)
	VMOV    V6.B[0], R11
	CBNZW   R11, eight
	SWAP_WORDS2(order2, V4, V5)
	ADD     $64, src
	FSTPQ.P (F4, F5), 32(dst)
	B       loop

	// Eight.
eight:
	CMP     last8, src
	BGT     last
	CMP     limit8, dst
	BGT     done
	NARROW_EIGHT(src, R11, beyond)
	ADD     $32, src
	FMOVQ.P F4, 16(dst)
	CMP     lastBlock, src
	BGT     eight
	B       loop

	// Less than eight, behind those that complete a block, which give one code unit each.
last:
	SUB     src, srcEnd, R11
	CBZ     R11, done
	SUB     dst, dstEnd, R10
	CMP     R11>>1, R10
	BLO     done
	SUB     $32, R11
	ADD     R11, src, R10
	CMP     start, R10
	BLO     done
	NARROW_EIGHT(R10, R10, lastMixed)
	ASR     $1, R11
	ADD     R11, dst
	FMOVQ.P F4, 16(dst)
	MOVD    srcEnd, src
	B       done

	// Or not: then they are dealt with as eight, with zeros behind them.
lastMixed:
	NEG   R11, R11
	LSR   $2, R11, zeros
	MOVD  $room-64(SP), buf
	VEOR  V4.B16, V4.B16, V4.B16
	FSTPQ (F0, F1), (buf)
	FSTPQ (F4, F4), 32(buf)
	ADD   R11, buf, R11
	FLDPQ (R11), (F0, F1)
	B     beyondVectors

	// Eight, some of which may give a surrogate pair.
beyond:
	MOVD ZR, zeros

beyondVectors:
	MOVD $0x10000, R11
	VDUP R11, V29.S4
	MOVD $0xDC00D7C0, R11          // the marks of surrogates, less 10000 >> 10
	VDUP R11, V28.S4
	MOVD $0x3FF, R11               // what a low surrogate has of the code point
	VDUP R11, V27.S4
	MOVD $0xD800, R11
	VDUP R11, V26.S4
	MOVD $0x800, R11
	VDUP R11, V25.S4
	MOVD $0xFFFF, R11
	VDUP R11, V24.S4
	MOVD $unitBits<>(SB), R11
	VLD1 (R11), [V23.B16]
	MOVD $·packedUnits(SB), packed
	MOVD $(0x10FFFF-0x800), R21

mixed:
	VUSHR   $10, V0.S4, V2.S4
	VUSHR   $10, V1.S4, V3.S4
	VAND    V27.B16, V0.B16, V4.B16
	VAND    V27.B16, V1.B16, V5.B16
	VSLI    $16, V4.S4, V2.S4
	VSLI    $16, V5.S4, V3.S4
	VADD    V28.S4, V2.S4, V2.S4
	VADD    V28.S4, V3.S4, V3.S4
	VSUB    V29.S4, V0.S4, V4.S4
	VSUB    V29.S4, V1.S4, V5.S4
	VUMAX   V4.S4, V5.S4, V4.S4
	UMAXV_S4(4, 4)
	VMOV    V4.S[0], R11
	LSRW    $20, R11
	CBNZW   R11, some
	CMP     limit, dst
	BGT     done
	SWAP_WORDS2(order2, V2, V3)
	FSTPQ.P (F2, F3), 32(dst)
	ADD     $32, src
	B       following

some:
	VEOR  V26.B16, V0.B16, V4.B16  // surrogates are below 800 then,
	VEOR  V26.B16, V1.B16, V5.B16
	VSUB  V25.S4, V4.S4, V4.S4     // and beyond all then
	VSUB  V25.S4, V5.S4, V5.S4
	VUMAX V4.S4, V5.S4, V4.S4
	UMAXV_S4(4, 4)
	VMOV  V4.S[0], R11
	CMPW  R21, R11
	BHI   done
	CMHI_S4(24, 0, 4)
	CMHI_S4(24, 1, 5)
	VBIT  V4.B16, V2.B16, V0.B16
	VBIT  V5.B16, V3.B16, V1.B16
	VAND  V23.B16, V4.B16, V4.B16
	VAND  V23.B16, V5.B16, V5.B16
	VADDV V4.S4, V4
	VADDV V5.S4, V5
	VMOV  V4.S[0], R10
	VMOV  V5.S[0], R11
	LDR_Q_INDEXED(10, 15, 4)
	LDR_Q_INDEXED(11, 15, 5)
	MOVD  $·bitCounts(SB), R20
	MOVBU (R20)(R10), R10
	MOVBU (R20)(R11), R11
	VTBL  V4.B16, [V0.B16], V0.B16
	VTBL  V5.B16, [V1.B16], V1.B16
	SWAP_WORDS2(order2, V0, V1)
	MOVD  $room-64(SP), buf
	FMOVQ F0, 16(buf)
	ADD   R10<<1, buf, R20
	FMOVQ F1, 24(R20)
	ADD   R11, R10, R11
	ADD   $8, R11
	SUB   zeros, R11               // the length of the result
	ADD   R11<<1, dst, R10
	CMP   dstEnd, R10
	BHI   done
	CBZ   zeros, 3(PC)
	FMOVQ -16(dst), F2             // what is before the result is written once more, if that is short
	FMOVQ F2, (buf)
	FMOVQ 16(buf), F0
	CMP   $8, R11
	BLO   2(PC)
	FMOVQ F0, (dst)
	ADD   R11<<1, buf, R20
	FMOVQ (R20), F1
	FMOVQ F1, -16(R10)
	MOVD  R10, dst
	ADD   $32, src
	SUB   zeros<<2, src

following:
	CMP   last8, src
	BGT   last
	CMP   limit8, dst
	BGT   done
	FLDPQ (src), (F0, F1)
	SWAP_DOUBLEWORDS2(order, V0, V1)
	VUMAX V0.S4, V1.S4, V4.S4
	UMAXV_S4(4, 4)
	VMOV  V4.S[0], R11
	LSRW  $16, R11
	CBNZW R11, mixed
	B     loop

done:
	MOVD dst_base+0(FP), R11
	SUB  R11, dst
	SUB  start, src
	LSR  $1, dst
	LSR  $2, src
	MOVD dst, nDst+64(FP)
	MOVD src, nSrc+72(FP)
	RET

DATA unitBits<>+0x00(SB)/8, $0x0000000200000001
DATA unitBits<>+0x08(SB)/8, $0x0000000800000004
GLOBL unitBits<>(SB), RODATA|NOPTR, $16
