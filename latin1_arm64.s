// Conversions between Latin-1 and UTF-8, UTF-16 and UTF-32, and the length of Latin-1 in UTF-8.
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

// func latin1ToUTF16NEON(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)
//
// The last vector overlaps the one before. Less than a vector is left over.
TEXT ·latin1ToUTF16NEON(SB), NOSPLIT, $0-72
	LDP    dst_base+0(FP), (dst, R9)
	LDP    src_base+24(FP), (src, left)
	MOVD   to+48(FP), order
	MOVD   $·spreadWords(SB), R10
	VLD1   (R10), [V16.B16, V17.B16]
	CBZ    order, 3(PC)
	VREV16 V16.B16, V16.B16
	VREV16 V17.B16, V17.B16
	CMP    R9, left
	CSEL   LT, left, R9, left
	MOVD   $0, sum
	CMP    $16, left
	BLT    done
	MOVD   left, sum
	SUBS   $64, left, left
	BLT    vectors

block:
	VLD1.P  64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VTBL    V16.B16, [V0.B16], V4.B16
	VTBL    V17.B16, [V0.B16], V5.B16
	VTBL    V16.B16, [V1.B16], V6.B16
	VTBL    V17.B16, [V1.B16], V7.B16
	VTBL    V16.B16, [V2.B16], V20.B16
	VTBL    V17.B16, [V2.B16], V21.B16
	VTBL    V16.B16, [V3.B16], V22.B16
	VTBL    V17.B16, [V3.B16], V23.B16
	FSTPQ.P (F4, F5), 32(dst)
	FSTPQ.P (F6, F7), 32(dst)
	FSTPQ.P (F20, F21), 32(dst)
	FSTPQ.P (F22, F23), 32(dst)
	SUBS    $64, left, left
	BGE     block

vectors:
	ADDS $48, left, left
	BLT  last

vector:
	VLD1.P 16(src), [V0.B16]
	VTBL   V16.B16, [V0.B16], V4.B16
	VTBL   V17.B16, [V0.B16], V5.B16
	VST1.P [V4.B16, V5.B16], 32(dst)
	SUBS   $16, left, left
	BGE    vector

last:
	CMN  $16, left
	BEQ  done
	ADD  left, src
	ADD  left<<1, dst
	VLD1 (src), [V0.B16]
	VTBL V16.B16, [V0.B16], V4.B16
	VTBL V17.B16, [V0.B16], V5.B16
	VST1 [V4.B16, V5.B16], (dst)

done:
	MOVD sum, nDst+56(FP)
	MOVD sum, nSrc+64(FP)
	RET

// QUADRUPLE spreads the bytes of v over V20 to V23. V16 to V19 are the indexes.
#define QUADRUPLE(v) \
	VTBL V16.B16, [v.B16], V20.B16 \
	VTBL V17.B16, [v.B16], V21.B16 \
	VTBL V18.B16, [v.B16], V22.B16 \
	VTBL V19.B16, [v.B16], V23.B16

// func latin1ToUTF32NEON(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)
//
// The last vector overlaps the one before. Less than a vector is left over.
TEXT ·latin1ToUTF32NEON(SB), NOSPLIT, $0-72
	LDP    dst_base+0(FP), (dst, R9)
	LDP    src_base+24(FP), (src, left)
	MOVD   to+48(FP), order
	MOVD   $·spreadDoublewords(SB), R10
	VLD1   (R10), [V16.B16, V17.B16]
	CBZ    order, 3(PC)
	VREV32 V16.B16, V16.B16
	VREV32 V17.B16, V17.B16
	VMOVI  $8, V20.B16
	VADD   V20.B16, V16.B16, V18.B16
	VADD   V20.B16, V17.B16, V19.B16
	CMP    R9, left
	CSEL   LT, left, R9, left
	MOVD   $0, sum
	CMP    $16, left
	BLT    done
	MOVD   left, sum
	SUBS   $64, left, left
	BLT    vectors

block:
	VLD1.P  64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	QUADRUPLE(V0)
	FSTPQ.P (F20, F21), 32(dst)
	FSTPQ.P (F22, F23), 32(dst)
	QUADRUPLE(V1)
	FSTPQ.P (F20, F21), 32(dst)
	FSTPQ.P (F22, F23), 32(dst)
	QUADRUPLE(V2)
	FSTPQ.P (F20, F21), 32(dst)
	FSTPQ.P (F22, F23), 32(dst)
	QUADRUPLE(V3)
	FSTPQ.P (F20, F21), 32(dst)
	FSTPQ.P (F22, F23), 32(dst)
	SUBS    $64, left, left
	BGE     block

vectors:
	ADDS $48, left, left
	BLT  last

vector:
	VLD1.P  16(src), [V0.B16]
	QUADRUPLE(V0)
	FSTPQ.P (F20, F21), 32(dst)
	FSTPQ.P (F22, F23), 32(dst)
	SUBS    $16, left, left
	BGE     vector

last:
	CMN  $16, left
	BEQ  done
	ADD  left, src
	ADD  left<<2, dst
	VLD1 (src), [V0.B16]
	QUADRUPLE(V0)
	VST1 [V20.B16, V21.B16, V22.B16, V23.B16], (dst)

done:
	MOVD sum, nDst+56(FP)
	MOVD sum, nSrc+64(FP)
	RET

// func utf16ToLatin1NEON(dst []byte, src []uint16, limit uint32, from byteOrder) (nDst, nSrc int)
//
// In blocks of 32 code units, then vectors of 16, of which the last one overlaps the one before. Less than a vector is left over, or a block
// with trouble.
TEXT ·utf16ToLatin1NEON(SB), NOSPLIT, $0-80
	LDP    dst_base+0(FP), (dst, R9)
	LDP    src_base+24(FP), (src, left)
	MOVWU  limit+48(FP), R10
	MOVD   from+56(FP), order
	NEG    R10, R10
	VDUP   R10, V17.H8                  // the bits that no character has
	MOVD   $·lowerBytes(SB), R10
	VLD1   (R10), [V16.B16]
	CBZ    order, 4(PC)
	VREV16 V17.B16, V17.B16
	VMOVI  $1, V18.B16
	VADD   V18.B16, V16.B16, V16.B16
	CMP    R9, left
	CSEL   LT, left, R9, left
	MOVD   dst, start
	CMP    $16, left
	BLT    done
	SUBS   $32, left, left
	BLT    vectors

block:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VTBL   V16.B16, [V0.B16, V1.B16], V4.B16
	VTBL   V16.B16, [V2.B16, V3.B16], V5.B16
	VORR   V1.B16, V0.B16, V0.B16
	VORR   V3.B16, V2.B16, V2.B16
	VORR   V2.B16, V0.B16, V0.B16
	VAND   V17.B16, V0.B16, V0.B16
	UMAXV_S4(0, 0)
	FMOVS  F0, R9
	CBNZW  R9, done
	VST1.P [V4.B16, V5.B16], 32(dst)
	SUBS   $32, left, left
	BGE    block

vectors:
	ADDS $16, left, left
	BLT  last

vector:
	VLD1.P 32(src), [V0.B16, V1.B16]
	VTBL   V16.B16, [V0.B16, V1.B16], V4.B16
	VORR   V1.B16, V0.B16, V0.B16
	VAND   V17.B16, V0.B16, V0.B16
	UMAXV_S4(0, 0)
	FMOVS  F0, R9
	CBNZW  R9, done
	VST1.P [V4.B16], 16(dst)
	SUBS   $16, left, left
	BGE    vector

last:
	CMN    $16, left
	BEQ    done
	ADD    left<<1, src
	VLD1   (src), [V0.B16, V1.B16]
	VTBL   V16.B16, [V0.B16, V1.B16], V4.B16
	VORR   V1.B16, V0.B16, V0.B16
	VAND   V17.B16, V0.B16, V0.B16
	UMAXV_S4(0, 0)
	FMOVS  F0, R9
	CBNZW  R9, done
	ADD    left, dst
	VST1.P [V4.B16], 16(dst)

done:
	SUB  start, dst
	MOVD dst, nDst+64(FP)
	MOVD dst, nSrc+72(FP)
	RET

// func utf32ToLatin1NEON(dst []byte, src []rune, limit uint32, from byteOrder) (nDst, nSrc int)
//
// In blocks of 16 code units, of which the last one overlaps the one before. Less than a block is left over, or one with trouble.
TEXT ·utf32ToLatin1NEON(SB), NOSPLIT, $0-80
	LDP    dst_base+0(FP), (dst, R9)
	LDP    src_base+24(FP), (src, left)
	MOVWU  limit+48(FP), R10
	MOVD   from+56(FP), order
	NEG    R10, R10
	VDUP   R10, V17.S4                  // the bits that no character has
	MOVD   $·lowestBytes(SB), R10
	VLD1   (R10), [V16.B16]
	CBZ    order, 4(PC)
	VREV32 V17.B16, V17.B16
	VMOVI  $3, V18.B16
	VADD   V18.B16, V16.B16, V16.B16
	CMP    R9, left
	CSEL   LT, left, R9, left
	MOVD   dst, start
	SUBS   $16, left, left
	BLT    done

block:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VTBL   V16.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V4.B16
	VORR   V1.B16, V0.B16, V0.B16
	VORR   V3.B16, V2.B16, V2.B16
	VORR   V2.B16, V0.B16, V0.B16
	VAND   V17.B16, V0.B16, V0.B16
	UMAXV_S4(0, 0)
	FMOVS  F0, R9
	CBNZW  R9, done
	VST1.P [V4.B16], 16(dst)
	SUBS   $16, left, left
	BGE    block
	CMN    $16, left
	BEQ    done
	ADD    left<<2, src
	ADD    left, dst, R10
	VLD1   (src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VTBL   V16.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V4.B16
	VORR   V1.B16, V0.B16, V0.B16
	VORR   V3.B16, V2.B16, V2.B16
	VORR   V2.B16, V0.B16, V0.B16
	VAND   V17.B16, V0.B16, V0.B16
	UMAXV_S4(0, 0)
	FMOVS  F0, R9
	CBNZW  R9, done
	VST1   [V4.B16], (R10)
	ADD    $16, R10, dst

done:
	SUB  start, dst
	MOVD dst, nDst+64(FP)
	MOVD dst, nSrc+72(FP)
	RET

// A bit for each of eight bytes, twice.
DATA bitOfByte<>+0(SB)/8, $0x8040201008040201
DATA bitOfByte<>+8(SB)/8, $0x8040201008040201
GLOBL bitOfByte<>(SB), RODATA|NOPTR, $16

// ASCII_RUN copies blocks of 64 bytes as long as they are ASCII and have room. Labels: vectors is next, or blocks if something else comes. Uses: R9,
// V0 to V4, V31.
#define ASCII_RUN \
run: \
	CMP    $64, left               \
	BLT    vectors                 \
	SUB    dst, dstEnd, R9         \
	CMP    $64, R9                 \
	BLT    vectors                 \
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	VORR   V1.B16, V0.B16, V4.B16  \
	VORR   V3.B16, V2.B16, V5.B16  \
	VORR   V5.B16, V4.B16, V4.B16  \
	ANY_HIGH(4, R9, back)          \
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(dst) \
	SUB    $64, left               \
	B      run                     \
back: \
	SUB    $64, src                \
	B      blocks

// WIDEN16 appends the UTF-8 of the 16 bytes of v, of which R9 has a bit for each that is not ASCII, and R10 a byte for each eight: the length of
// what they become. Pairs of lead byte and trail byte are put together by a table, without the lead bytes of ASCII. V16 is C0 throughout, V17 is 40.
// STORE appends what V23 has of the last eight. Uses: V20 to V23, R14.
#define WIDEN16(n, v, f, ascii, next, STORE) \
	TSTW  $0xFFFF, R9                    \
	BEQ   ascii                          \
	VUSHR $1, v.B16, V20.B16             \
	VUSHR $6, v.B16, V21.B16             \
	VAND  V17.B16, V20.B16, V20.B16      \
	VORR  V16.B16, V21.B16, V21.B16      \
	BIC_B16(20, n, 20)                   \
	VZIP1 V20.B16, V21.B16, V22.B16      \
	VZIP2 V20.B16, V21.B16, V23.B16      \
	ADD   R9.UXTB<<4, R12, R14           \
	FMOVQ (R14), F21                     \
	VTBL  V21.B16, [V22.B16], V22.B16    \
	FMOVQ F22, (dst)                     \
	ADD   R10.UXTB, dst, dst             \
	LSR   $8, R9, R9                     \
	LSR   $8, R10, R10                   \
	ADD   R9.UXTB<<4, R12, R14           \
	FMOVQ (R14), F21                     \
	VTBL  V21.B16, [V23.B16], V23.B16    \
	STORE                                \
	LSR   $8, R9, R9                     \
	LSR   $8, R10, R10                   \
	B     next                           \
ascii: \
	FMOVQ f, (dst)                       \
	ADD   $16, dst                       \
	LSR   $16, R9, R9                    \
	LSR   $16, R10, R10                  \
next:

// WIDE_MORE writes up to eight bytes too many, which others follow; WIDE_LAST the last eight apart.
#define WIDE_MORE \
	FMOVQ F23, (dst)                     \
	ADD   R10.UXTB, dst, dst

#define WIDE_LAST \
	FMOVD F23, (dst)                     \
	ADD   R10.UXTB, R13, R14             \
	FMOVD (R14), F21                     \
	ADD   R10.UXTB, dst, dst             \
	VTBL  V21.B16, [V23.B16], V21.B16    \
	FMOVD F21, -8(dst)

// NO_ROOM jumps to label if what R10 has the lengths of, of eight bytes each, does not fit. Uses: R14.
#define NO_ROOM(label) \
	UBFX $8, R10, $8, R14          \
	ADD  R10.UXTB, R14, R14        \
	ADD  dst, R14, R14             \
	CMP  dstEnd, R14               \
	BHI  label

// AGAIN counts in R11 the bits of R9 that stand for bytes before src, where a vector begins -left bytes before it. Uses: V5.
#define AGAIN \
	LSL     left, R9, R11          \
	FMOVD   R11, F5                \
	VCNT    V5.B8, V5.B8           \
	VUADDLV V5.B8, V5              \
	FMOVD   F5, R11

// func latin1ToUTF8NEON(dst, src []byte) (nDst, nSrc int)
//
// In blocks of 64 bytes that have room for 128, then in vectors, of which the last one overlaps the one before: what it gives of the bytes before src is
// written again. Less than a vector is left over, or one that has no room.
TEXT ·latin1ToUTF8NEON(SB), NOSPLIT, $0-64
	LDP   dst_base+0(FP), (dst, dstEnd)
	LDP   src_base+24(FP), (src, left)
	MOVD  src, start
	MOVD  dst, R8
	ADD   dst, dstEnd
	MOVD  $·packedPairs(SB), R12
	MOVD  $·lastEight(SB), R13
	SUB   $8, R13
	MOVD  $bitOfByte<>(SB), R9
	VLD1  (R9), [V18.B16]
	VMOVI $0xC0, V16.B16
	VMOVI $0x40, V17.B16
	VMOVI $8, V19.B16

blocks:
	CMP    $64, left
	BLT    vectors
	SUB    dst, dstEnd, R9
	CMP    $128, R9
	BLT    vectors
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	SIGNS_B16(0, 4)
	SIGNS_B16(1, 5)
	SIGNS_B16(2, 6)
	SIGNS_B16(3, 7)
	BITS(V4)
	SUB    $64, left
	FMOVD  F4, R9
	CBZ    R9, ascii
	VCNT   V4.B8, V4.B8
	VADD   V19.B8, V4.B8, V4.B8
	FMOVD  F4, R10
	WIDEN16(0, V0, F0, ascii0, next0, WIDE_MORE)
	WIDEN16(1, V1, F1, ascii1, next1, WIDE_MORE)
	WIDEN16(2, V2, F2, ascii2, next2, WIDE_MORE)
	WIDEN16(3, V3, F3, ascii3, next3, WIDE_LAST)
	B      blocks

ascii:
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(dst)
	ASCII_RUN

vectors:
	SUBS  $16, left, left
	BLT   last
	VLD1  (src), [V0.B16]
	SIGNS_B16(0, 4)
	BITS1(V4)
	FMOVS F4, R9
	VCNT  V4.B8, V4.B8
	VADD  V19.B8, V4.B8, V4.B8
	FMOVS F4, R10
	NO_ROOM(done)
	ADD   $16, src
	WIDEN16(0, V0, F0, ascii4, next4, WIDE_LAST)
	B     vectors

last:
	CMN   $16, left
	BEQ   done
	ADD   left, src, R9
	CMP   start, R9
	BLO   done
	VLD1  (R9), [V0.B16]
	SIGNS_B16(0, 4)
	BITS1(V4)
	FMOVS F4, R9
	AGAIN
	VCNT  V4.B8, V4.B8
	VADD  V19.B8, V4.B8, V4.B8
	FMOVS F4, R10
	MOVD  dst, R15
	ADD   left, dst
	SUB   R11, dst
	NO_ROOM(full)
	ADD   $16, left
	ADD   left, src
	WIDEN16(0, V0, F0, ascii5, next5, WIDE_LAST)
	B     done

full:
	MOVD R15, dst

done:
	SUB  R8, dst
	SUB  start, src
	MOVD dst, nDst+48(FP)
	MOVD src, nSrc+56(FP)
	RET

// LEADS gets into l the mask of the lead bytes of v: C2 and C3. V16 is C3 throughout, V17 is 1.
#define LEADS(v, l) \
	VORR  V17.B16, v.B16, l.B16  \
	VCMEQ V16.B16, l.B16, l.B16

// JOIN makes characters of pairs in v, in their last bytes, and adds trouble to V24: where a byte is not ASCII, but no lead byte and behind none, and
// where a continuation byte is not behind a lead byte or something else is. Before is the vector before, l and lBefore are the masks of lead
// bytes. V19 is C0 throughout. Uses: V20 to V23.
#define JOIN(n, v, before, l, lBefore) \
	VEXT  $15, l.B16, lBefore.B16, V20.B16 \
	CMGT_B16(n, 19, 21)                    \
	SIGNS_B16(n, 22)                       \
	VORR  l.B16, V20.B16, V23.B16          \
	VEOR  V20.B16, V21.B16, V21.B16        \
	VEOR  V22.B16, V23.B16, V23.B16        \
	VORR  V21.B16, V24.B16, V24.B16        \
	VEXT  $15, v.B16, before.B16, V21.B16  \
	VORR  V23.B16, V24.B16, V24.B16        \
	VSHL  $6, V21.B16, V21.B16             \
	VAND  V20.B16, V21.B16, V21.B16        \
	VORR  V21.B16, v.B16, v.B16

// NARROW16 appends the bytes of v without those that R9 has a bit for; R10 has a byte for each eight: how many of them stay. STORE appends what V20
// has of the last eight. Uses: V20, V21, R14.
#define NARROW16(v, f, ascii, next, STORE) \
	TSTW  $0xFFFF, R9                      \
	BEQ   ascii                            \
	SUB   R9.UXTB<<3, R12, R14             \
	FMOVD (R14), F20                       \
	VTBL  V20.B16, [v.B16], V20.B16        \
	VEXT  $8, v.B16, v.B16, V21.B16        \
	FMOVD F20, (dst)                       \
	ADD   R10.UXTB, dst, dst               \
	LSR   $8, R9, R9                       \
	LSR   $8, R10, R10                     \
	SUB   R9.UXTB<<3, R12, R14             \
	FMOVD (R14), F20                       \
	VTBL  V20.B16, [V21.B16], V20.B16      \
	STORE                                  \
	LSR   $8, R9, R9                       \
	LSR   $8, R10, R10                     \
	B     next                             \
ascii: \
	FMOVQ f, (dst)                         \
	ADD   $16, dst                         \
	LSR   $16, R9, R9                      \
	LSR   $16, R10, R10                    \
next:

// NARROW_MORE writes up to four bytes too many, which others follow; NARROW_LAST the last four apart.
#define NARROW_MORE \
	FMOVD F20, (dst)                       \
	ADD   R10.UXTB, dst, dst

#define NARROW_LAST \
	FMOVD F20, R11                         \
	UBFIZ $3, R10, $4, R14                 \
	MOVW  R11, (dst)                       \
	SUB   $32, R14                         \
	ADD   R10.UXTB, dst, dst               \
	LSR   R14, R11, R11                    \
	MOVW  R11, -4(dst)

// func utf8ToLatin1NEON(dst, src []byte) (nDst, nSrc int)
//
// In blocks of 64 bytes that have room for as many, then in vectors, each beginning with a character, but for the last one, which overlaps the one before.
// Less than a vector is left over, one that has no room, and a block with trouble.
TEXT ·utf8ToLatin1NEON(SB), NOSPLIT, $0-64
	LDP   dst_base+0(FP), (dst, dstEnd)
	LDP   src_base+24(FP), (src, left)
	MOVD  src, start
	MOVD  dst, R8
	ADD   dst, dstEnd
	MOVD  $·packedBytes+2040(SB), R12   // for the mask of all, from which those of lead bytes are taken
	MOVD  $bitOfByte<>(SB), R9
	VLD1  (R9), [V18.B16]
	VMOVI $0xC3, V16.B16
	VMOVI $1, V17.B16
	VMOVI $0xC0, V19.B16
	VMOVI $8, V25.B16
	VEOR  V24.B16, V24.B16, V24.B16
	VEOR  V26.B16, V26.B16, V26.B16

blocks:
	CMP    $64, left
	BLT    vectors
	SUB    dst, dstEnd, R9
	CMP    $64, R9
	BLT    vectors
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	LEADS(V0, V4)
	LEADS(V1, V5)
	LEADS(V2, V6)
	LEADS(V3, V7)
	VMOV   V7.B[15], R11
	JOIN(3, V3, V2, V7, V6)
	JOIN(2, V2, V1, V6, V5)
	JOIN(1, V1, V0, V5, V4)
	JOIN(0, V0, V26, V4, V26)
	UMAXV_B16(24, 20)
	FMOVS  F20, R9
	CBNZW  R9, back64
	BITS(V4)
	SUB    $64, left
	FMOVD  F4, R9
	CBZ    R9, ascii
	VCNT   V4.B8, V4.B8
	VSUB   V4.B8, V25.B8, V4.B8
	FMOVD  F4, R10
	NARROW16(V0, F0, ascii0, next0, NARROW_MORE)
	NARROW16(V1, F1, ascii1, next1, NARROW_MORE)
	NARROW16(V2, F2, ascii2, next2, NARROW_MORE)
	AND    $1, R11, R15
	NARROW16(V3, F3, ascii3, next3, NARROW_LAST)
	SUB    R15, src
	ADD    R15, left
	B      blocks

ascii:
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(dst)
	ASCII_RUN

vectors:
	SUBS  $16, left, left
	BLT   last
	VLD1  (src), [V0.B16]
	LEADS(V0, V4)
	VMOV  V4.B[15], R15
	JOIN(0, V0, V26, V4, V26)
	UMAXV_B16(24, 20)
	FMOVS F20, R9
	CBNZW R9, done
	BITS1(V4)
	AND   $1, R15
	FMOVS F4, R9
	VCNT  V4.B8, V4.B8
	VSUB  V4.B8, V25.B8, V4.B8
	FMOVS F4, R10
	NO_ROOM(done)
	ADD   $16, src
	NARROW16(V0, F0, ascii4, next4, NARROW_LAST)
	SUB   R15, src
	ADD   R15, left
	B     vectors

	// V1 ends with the byte before the last vector.
last:
	CMN   $16, left
	BEQ   done
	ADD   left, src, R9
	CMP   start, R9
	BLS   done
	VLD1  (R9), [V0.B16]
	SUB   $1, R9
	VLD1  (R9), V1.B[15]
	LEADS(V0, V4)
	LEADS(V1, V5)
	VMOV  V4.B[15], R15
	JOIN(0, V0, V1, V4, V5)
	UMAXV_B16(24, 20)
	FMOVS F20, R9
	CBNZW R9, done
	BITS1(V4)
	AND   $1, R15
	FMOVS F4, R9
	AGAIN
	VCNT  V4.B8, V4.B8
	VSUB  V4.B8, V25.B8, V4.B8
	FMOVS F4, R10
	MOVD  dst, R13
	ADD   left, dst
	ADD   R11, dst
	NO_ROOM(full)
	ADD   $16, left
	SUB   R15, left
	ADD   left, src
	NARROW16(V0, F0, ascii5, next5, NARROW_LAST)
	B     done

full:
	MOVD R13, dst
	B    done

back64:
	SUB $64, src

done:
	SUB  R8, dst
	SUB  start, src
	MOVD dst, nDst+48(FP)
	MOVD src, nSrc+56(FP)
	RET
