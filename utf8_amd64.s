// Well-formed prefix and class, number of characters, and length in UTF-16 of UTF-8 text.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes, any length by masks).
// Bounds: loads within [src, src+left); what a mask leaves out is not read. Clobbers: AX, CX, SI, R8 to R13, vectors, masks.
// VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// Bytes to be broadcast.
DATA utf8Bytes<>+0(SB)/4, $0x40404040  // C0 - 80: less that, with saturation, lead bytes have their top bit, and no others
DATA utf8Bytes<>+4(SB)/4, $0x60606060  // E0 - 80: the same for lead bytes of three or more
DATA utf8Bytes<>+8(SB)/4, $0x70707070  // F0 - 80: the same for lead bytes of four
DATA utf8Bytes<>+12(SB)/4, $0x80808080 // the bit that marks trouble
DATA utf8Bytes<>+16(SB)/4, $0xC4C4C4C4 // the first lead byte beyond Latin-1
DATA utf8Bytes<>+20(SB)/4, $0xF0F0F0F0 // the first lead byte of four
DATA utf8Bytes<>+24(SB)/4, $0xC0C0C0C0 // behind the continuation bytes
GLOBL utf8Bytes<>(SB), RODATA|NOPTR, $28

// For the low six bits of a lead byte, what to add to the byte behind it, so that the sum is below 80 if that may follow.
// A continuation byte (80 to BF) behind E0 must be A0 or more, behind ED below A0, behind F0 90 or more, behind F4 below 90; behind
// C0, C1 and F5 to FF there is none. Sums of other bytes mean nothing.
DATA secondByte<>+0x00(SB)/8, $0x8080808080800000 // C0 to C7
DATA secondByte<>+0x08(SB)/8, $0x8080808080808080
DATA secondByte<>+0x10(SB)/8, $0x8080808080808080
DATA secondByte<>+0x18(SB)/8, $0x8080808080808080
DATA secondByte<>+0x20(SB)/8, $0x8080808080808060 // E0 to E7
DATA secondByte<>+0x28(SB)/8, $0x8080E08080808080 // E8 to EF
DATA secondByte<>+0x30(SB)/8, $0x000000F080808070 // F0 to F7
DATA secondByte<>+0x38(SB)/8, $0x0000000000000000
GLOBL secondByte<>(SB), RODATA|NOPTR, $64

// CHECK_UTF8 adds to the top bits of err the trouble in a block: v0 to v3 are its bytes and those one, two and three before each.
// A byte is to be a continuation byte if the one before begins two or more, or the one before that three or more, or the third four;
// and it is one if it is below C0, as signed numbers go. What may follow a lead byte is looked up. Uses: t0, t1, v1 to v3. Requires:
// AVX-512 VBMI.
#define CHECK_UTF8(v0, v1, v2, v3, t0, t1, err) \
	VPERMB     Z22, v1, t1      \
	VPSUBUSB   Z16, v1, v1      \
	VPSUBUSB   Z17, v2, v2      \
	VPSUBUSB   Z18, v3, v3      \
	VPADDSB    Z16, v0, t0      \
	VPADDB     v0, t1, t1       \
	VPTERNLOGQ $0xFE, v1, v2, v3 \
	VPTERNLOGQ $0xF8, t1, v1, err \
	VPTERNLOGQ $0xF6, t0, v3, err

// SHIFTED gives the bytes one, two and three before those of v0, with zeros before the first. Uses: t. Requires: AVX-512 BW.
#define SHIFTED(v0, zero, t, v1, v2, v3) \
	VALIGND  $12, zero, v0, t \
	VPALIGNR $15, t, v0, v1   \
	VPALIGNR $14, t, v0, v2   \
	VPALIGNR $13, t, v0, v3

// func validUTF8PrefixAVX512(src []byte) (n int, class Class)
//
// In blocks of 64 bytes, each loaded four times: from its first byte, and from one, two and three before that. So no state is
// carried from block to block, but the trouble and the highest byte, which gives the class.
TEXT ·validUTF8PrefixAVX512(SB), NOSPLIT, $0-33
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	VPBROADCASTD utf8Bytes<>+0(SB), Z16
	VPBROADCASTD utf8Bytes<>+4(SB), Z17
	VPBROADCASTD utf8Bytes<>+8(SB), Z18
	VMOVDQU64    secondByte<>(SB), Z22
	VPBROADCASTD utf8Bytes<>+12(SB), Z23
	VPXOR        X10, X10, X10 // the trouble so far, in top bits
	VPXOR        X11, X11, X11 // the highest of the bytes before src - 3
	VPXOR        X12, X12, X12 // the same before the last step
	CMPQ         left, $64
	JLT          short

	// The first block has nothing before it.
	VMOVDQU64 (src), Z0
	SHIFTED(Z0, Z10, Z4, Z1, Z2, Z3)
	VMOVDQA64 Z3, Z11
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z4, Z5, Z10)
	VPTESTMB  Z23, Z10, K1
	KORTESTQ  K1, K1
	JNE       trouble
	ADDQ      $64, src
	SUBQ      $64, left
	CMPQ      left, $128
	JLT       rest

	// Two blocks a step. ASCII behind ASCII is passed.
loop:
	VMOVDQU64  (src), Z0
	VMOVDQU64  -3(src), Z3
	VMOVDQU64  64(src), Z4
	VPORQ      Z0, Z3, Z1
	VPTERNLOGQ $0xFE, 61(src), Z4, Z1
	VPTESTMB   Z23, Z1, K1
	KORTESTQ   K1, K1
	JEQ        ascii
	VMOVDQU64  -1(src), Z1
	VMOVDQU64  -2(src), Z2
	VMOVDQA64  Z11, Z12
	VPMAXUB    Z3, Z11, Z11
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z5, Z6, Z10)
	VMOVDQU64  63(src), Z1
	VMOVDQU64  62(src), Z2
	VMOVDQU64  61(src), Z3
	VPMAXUB    Z3, Z11, Z11
	CHECK_UTF8(Z4, Z1, Z2, Z3, Z5, Z6, Z10)
	VPTESTMB   Z23, Z10, K1
	KORTESTQ   K1, K1
	JNE        trouble
	ADDQ       $128, src
	SUBQ       $128, left
	CMPQ       left, $128
	JGE        loop
	JMP        rest

ascii:
	ADDQ       $128, src
	SUBQ       $128, left
	CMPQ       left, $256
	JLT        asciiEnd
	VMOVDQU64  (src), Z0
	VMOVDQU64  64(src), Z1
	VPORQ      128(src), Z0, Z0
	VPTERNLOGQ $0xFE, 192(src), Z1, Z0
	VPTESTMB   Z23, Z0, K1
	KORTESTQ   K1, K1
	JNE        loop
	ADDQ       $128, src
	SUBQ       $128, left
	JMP        ascii

asciiEnd:
	CMPQ left, $128
	JGE  loop

	// What is left of less than two blocks: one block, and then that which ends the text, if it has three bytes before it.
rest:
	VMOVDQA64 Z11, Z12
	MOVQ  src, R9
	CMPQ  left, $64
	JGE   block
	TESTQ left, left
	JEQ   end
	LEAQ  -64(src)(left*1), R9
	LEAQ  -3(R9), R10
	CMPQ  R10, start
	JB    trouble
	MOVL  $64, left

block:
	VMOVDQU64 (R9), Z0
	VMOVDQU64 -1(R9), Z1
	VMOVDQU64 -2(R9), Z2
	VMOVDQU64 -3(R9), Z3
	VPMAXUB   Z3, Z11, Z11
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z4, Z5, Z10)
	VPTESTMB  Z23, Z10, K1
	KORTESTQ  K1, K1
	JNE       trouble
	LEAQ      64(R9), src
	SUBQ      $64, left
	JMP       rest

	// Nothing of the text is unfinished.
end:
	CMPB      -1(src), $0xC0
	JAE       trouble
	CMPB      -2(src), $0xE0
	JAE       trouble
	CMPB      -3(src), $0xF0
	JAE       trouble
	VPMAXUB   -64(src), Z12, Z12
	JMP       done

	// Less than a block: the zeros that stand for what is missing make a character unfinished.
short:
	FIRST_BITS(left, AX)
	KMOVQ      AX, K1
	VMOVDQU8.Z (src), K1, Z0
	SHIFTED(Z0, Z10, Z4, Z1, Z2, Z3)
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z4, Z5, Z10)
	VPTESTMB   Z23, Z10, K1
	KORTESTQ   K1, K1
	JNE        done
	ADDQ       left, src
	VMOVDQA64  Z0, Z12
	JMP        done

	// All is well-formed before src, but what the last three bytes may begin.
trouble:
	SUBQ    $3, src
	CMPQ    src, start
	CMOVQCS start, src

done:
	VPBROADCASTD utf8Bytes<>+16(SB), Z0
	VPBROADCASTD utf8Bytes<>+20(SB), Z1
	XORL         AX, AX
	XORL         R10, R10
	XORL         R11, R11
	VPMOVB2M     Z12, K1
	VPCMPUB      $5, Z0, Z12, K2
	VPCMPUB      $5, Z1, Z12, K3
	KORTESTQ     K1, K1
	SETNE        AX
	KORTESTQ     K2, K2
	SETNE        R10
	KORTESTQ     K3, K3
	SETNE        R11
	ADDL         R10, AX
	ADDL         R11, AX
	SUBQ         start, src
	MOVQ         src, n+24(FP)
	MOVB         AX, class+32(FP)
	VZEROUPPER
	RET

// CONTINUATIONS marks the continuation bytes of v in k1, LENGTHS16 also those that begin two code units of UTF-16 in k2.
#define CONTINUATIONS(v, k1, k2, k3) \
	VPCMPB $1, Z16, v, k1

#define LENGTHS16(v, k1, k2, k3) \
	VPCMPB  $1, Z16, v, k1 \
	VPCMPUB $5, Z17, v, k2

// The second property counts against the first.
#define POPCOUNT_LENGTHS16(k1, k2, k3) \
	POPCOUNT_BYTES1(k1, k2, k3) \
	KMOVQ   k2, AX \
	POPCNTQ AX, AX \
	SUBQ    AX, sum

#define TOTAL_LENGTHS16(a0, a1, a2, a3, b0, b1, b2, b3) \
	TOTAL1(b0, b1, b2, b3, a0, a1, a2, a3) \
	NEGQ sum                               \
	TOTAL1(a0, a1, a2, a3, b0, b1, b2, b3)

// func runeCountAVX512(src []byte) (n int64)
TEXT ·runeCountAVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	VPBROADCASTD utf8Bytes<>+24(SB), Z16
	COUNT_AVX512(CONTINUATIONS, ADD_BYTES1, POPCOUNT_BYTES1, TOTAL1)
	SUBQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func utf16LenFromUTF8AVX512(src []byte) (n int64)
//
// The bytes but for the continuation bytes, and those that begin four.
TEXT ·utf16LenFromUTF8AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	VPBROADCASTD utf8Bytes<>+24(SB), Z16
	VPBROADCASTD utf8Bytes<>+20(SB), Z17
	COUNT_AVX512(LENGTHS16, ADD_BYTES2, POPCOUNT_LENGTHS16, TOTAL_LENGTHS16)
	SUBQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET
