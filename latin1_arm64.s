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
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VTBL   V16.B16, [V0.B16], V4.B16
	VTBL   V17.B16, [V0.B16], V5.B16
	VTBL   V16.B16, [V1.B16], V6.B16
	VTBL   V17.B16, [V1.B16], V7.B16
	VTBL   V16.B16, [V2.B16], V20.B16
	VTBL   V17.B16, [V2.B16], V21.B16
	VTBL   V16.B16, [V3.B16], V22.B16
	VTBL   V17.B16, [V3.B16], V23.B16
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(dst)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(dst)
	SUBS   $64, left, left
	BGE    block

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
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	QUADRUPLE(V0)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(dst)
	QUADRUPLE(V1)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(dst)
	QUADRUPLE(V2)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(dst)
	QUADRUPLE(V3)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(dst)
	SUBS   $64, left, left
	BGE    block

vectors:
	ADDS $48, left, left
	BLT  last

vector:
	VLD1.P 16(src), [V0.B16]
	QUADRUPLE(V0)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(dst)
	SUBS   $16, left, left
	BGE    vector

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
	VDUP   R10, V17.H8 // the bits that no character has
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
	CMN   $16, left
	BEQ   done
	ADD   left<<1, src
	VLD1  (src), [V0.B16, V1.B16]
	VTBL  V16.B16, [V0.B16, V1.B16], V4.B16
	VORR  V1.B16, V0.B16, V0.B16
	VAND  V17.B16, V0.B16, V0.B16
	UMAXV_S4(0, 0)
	FMOVS F0, R9
	CBNZW R9, done
	ADD   left, dst
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
	VDUP   R10, V17.S4 // the bits that no character has
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
