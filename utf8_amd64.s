// Well-formed prefix and class, number of characters, and length in UTF-16 of UTF-8 text, and its conversion to UTF-16 and UTF-32.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes, any length by masks).
// Bounds: loads within [src, src+left), stores within [dst, dstEnd) and within the result; what a mask leaves out is not touched.
// Clobbers: AX to DX, SI, DI, R8 to R14, vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// Bytes to be broadcast.
DATA utf8Bytes<>+0(SB)/4, $0x40404040 // C0 - 80: less that, with saturation, lead bytes have their top bit, and no others
DATA utf8Bytes<>+4(SB)/4, $0x60606060 // E0 - 80: the same for lead bytes of three or more
DATA utf8Bytes<>+8(SB)/4, $0x70707070 // F0 - 80: the same for lead bytes of four
DATA utf8Bytes<>+12(SB)/4, $0x80808080 // the bit that marks trouble
DATA utf8Bytes<>+16(SB)/4, $0xC4C4C4C4 // the first lead byte beyond Latin-1
DATA utf8Bytes<>+20(SB)/4, $0xF0F0F0F0 // the first lead byte of four
DATA utf8Bytes<>+24(SB)/4, $0xC0C0C0C0 // behind the continuation bytes
DATA utf8Bytes<>+28(SB)/4, $0x0F0F0F0F // the lower half
DATA utf8Bytes<>+32(SB)/4, $0xBFBFBFBF // the last continuation byte
DATA utf8Bytes<>+36(SB)/4, $0x3F3F3F3F // what a continuation byte has of its character
DATA utf8Bytes<>+40(SB)/4, $0xE0E0E0E0 // the first lead byte of three
DATA utf8Bytes<>+44(SB)/4, $0x03030303 // the lowest two bits
DATA utf8Bytes<>+48(SB)/4, $0xD8D8D8D8 // the upper byte of the first high surrogate
DATA utf8Bytes<>+52(SB)/4, $0xDCDCDCDC // the upper byte of the first low surrogate
DATA utf8Bytes<>+56(SB)/4, $0x90909090 // the first second byte of a character whose high surrogate is not one of 64 lower ones
DATA utf8Bytes<>+60(SB)/4, $0x01010101 // a carry
DATA utf8Bytes<>+64(SB)/4, $0x20202020 // half a block further
DATA utf8Bytes<>+68(SB)/4, $0x1F1F1F1F // the bits of a code point above 16
DATA utf8Bytes<>+72(SB)/4, $0x10101010 // a quarter of a block further
DATA utf8Bytes<>+76(SB)/4, $0x00FF0000 // the third byte of a doubleword
GLOBL utf8Bytes<>(SB), RODATA|NOPTR, $80

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

// The tables of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2021 (https://arxiv.org/abs/2010.03090), for
// the two bytes of a pair. A bit that all three entries have is trouble: 01 a lead byte without continuation byte, 02 the reverse, 04 and 20
// overlong in three and two bytes, 40 in four or above U+10FFFF, 08 above U+10FFFF, 10 a surrogate. 80, two continuation bytes, is trouble
// unless a lead byte of three or four is before them.
DATA pairTables<>+0x00(SB)/8, $0x0202020202020202 // by the upper half of the first byte
DATA pairTables<>+0x08(SB)/8, $0x4915012180808080
DATA pairTables<>+0x10(SB)/8, $0xCBCBCB8B8383A3E7 // by its lower half
DATA pairTables<>+0x18(SB)/8, $0xCBCBDBCBCBCBCBCB
DATA pairTables<>+0x20(SB)/8, $0x0101010101010101 // by the upper half of the second byte
DATA pairTables<>+0x28(SB)/8, $0x01010101BABAAEE6
GLOBL pairTables<>(SB), RODATA|NOPTR, $48

// PAIR_TROUBLE leaves in t0 the trouble in a block: v0 to v3 are its bytes and those one, two and three before each; t1 may be v0. all60, all70 and all80
// are vectors of that byte. Uses: t0, t1, v1 to v3. Requires: AVX2.
#define PAIR_TROUBLE(v0, v1, v2, v3, t0, t1, all80, all60, all70) \
	VPSRLW   $4, v1, t0    \
	VPAND    Y15, v1, v1   \
	VPAND    Y15, t0, t0   \
	VPSHUFB  v1, Y13, v1   \
	VPSHUFB  t0, Y12, t0   \
	VPSRLW   $4, v0, t1    \
	VPSUBUSB all60, v2, v2   \
	VPAND    Y15, t1, t1   \
	VPSUBUSB all70, v3, v3   \
	VPSHUFB  t1, Y14, t1   \
	VPAND    v1, t0, t0    \
	VPOR     v3, v2, v2    \
	VPAND    t1, t0, t0    \
	VPAND    all80, v2, v2    \
	VPXOR    v2, t0, t0

// CHECK_UTF8_AVX2 adds to err the trouble in a block: v0 to v3 are its bytes and those one, two and three before each. Uses: t0, t1, v1 to
// v3. Requires: AVX2.
#define CHECK_UTF8_AVX2(v0, v1, v2, v3, t0, t1, err) \
	PAIR_TROUBLE(v0, v1, v2, v3, t0, t1, Y9, Y10, Y11) \
	VPOR t0, err, err

// func validUTF8PrefixAVX2(src []byte) (n int, class Class)
//
// As validUTF8PrefixAVX512, in blocks of 32 bytes, of which a text of 8 or more gets at least one.
TEXT ·validUTF8PrefixAVX2(SB), NOSPLIT, $0-33
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	LEAQ -32(left), AX
	CMPQ AX, $(256-32)
	JA   any
	FROM_BOTH_ENDS_AVX2(whole)

	// Perhaps it is ASCII.
whole:
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       any
	MOVQ      left, n+24(FP)
	MOVB      $0, class+32(FP) // ASCII
	VZEROUPPER
	RET

any:
	MOVQ           src, start
	VBROADCASTI128 pairTables<>+0(SB), Y12
	VBROADCASTI128 pairTables<>+16(SB), Y13
	VBROADCASTI128 pairTables<>+32(SB), Y14
	VPBROADCASTD   utf8Bytes<>+12(SB), Y9
	VPBROADCASTD   utf8Bytes<>+4(SB), Y10
	VPBROADCASTD   utf8Bytes<>+8(SB), Y11
	VPBROADCASTD   utf8Bytes<>+28(SB), Y15
	VPXOR          X7, X7, X7               // the trouble so far
	VPXOR          X6, X6, X6               // the highest of the bytes before src - 3
	VPXOR          X8, X8, X8               // the same before the last step
	CMPQ           left, $32
	JLT            short

	// The first block has nothing before it.
	VMOVDQU    (src), Y0
	VPMOVMSKB  Y0, AX
	TESTL      AX, AX
	JEQ        first
	VPERM2I128 $0x08, Y0, Y0, Y4 // its lower half above zeros
	VPALIGNR   $15, Y4, Y0, Y1
	VPALIGNR   $14, Y4, Y0, Y2
	VPALIGNR   $13, Y4, Y0, Y3
	VMOVDQA    Y3, Y6
	CHECK_UTF8_AVX2(Y0, Y1, Y2, Y3, Y4, Y5, Y7)
	VPTEST     Y7, Y7
	JNE        trouble

first:
	ADDQ $32, src
	SUBQ $32, left
	CMPQ left, $64
	JLT  rest

	// Two blocks a step. ASCII behind ASCII is passed.
loop:
	VMOVDQU   (src), Y0
	VMOVDQU   -3(src), Y3
	VPOR      Y0, Y3, Y1
	VPOR      29(src), Y1, Y1
	VPOR      32(src), Y1, Y1
	VPMOVMSKB Y1, AX
	TESTL     AX, AX
	JEQ       ascii
	VMOVDQU   -1(src), Y1
	VMOVDQU   -2(src), Y2
	VMOVDQA   Y6, Y8
	VPMAXUB   Y3, Y6, Y6
	CHECK_UTF8_AVX2(Y0, Y1, Y2, Y3, Y4, Y5, Y7)
	VMOVDQU   32(src), Y0
	VMOVDQU   31(src), Y1
	VMOVDQU   30(src), Y2
	VMOVDQU   29(src), Y3
	VPMAXUB   Y3, Y6, Y6
	CHECK_UTF8_AVX2(Y0, Y1, Y2, Y3, Y4, Y5, Y7)
	VPTEST    Y7, Y7
	JNE       trouble
	ADDQ      $64, src
	SUBQ      $64, left
	CMPQ      left, $64
	JGE       loop
	JMP       rest

ascii:
	ADDQ      $64, src
	SUBQ      $64, left
	CMPQ      left, $128
	JLT       asciiEnd
	ANY_AVX2(src)
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       loop
	ADDQ      $64, src
	SUBQ      $64, left
	JMP       ascii

asciiEnd:
	CMPQ left, $64
	JGE  loop

	// What is left of less than two blocks: one block, and then that which ends the text, if it has three bytes before it.
rest:
	VMOVDQA Y6, Y8
	MOVQ    src, R9
	CMPQ    left, $32
	JGE     block
	TESTQ   left, left
	JEQ     end
	LEAQ    -32(src)(left*1), R9
	LEAQ    -3(R9), R10
	CMPQ    R10, start
	JB      trouble
	MOVL    $32, left

block:
	VMOVDQU   (R9), Y0
	VMOVDQU   -3(R9), Y3
	VPOR      Y0, Y3, Y1
	VPMOVMSKB Y1, AX
	TESTL     AX, AX
	JEQ       blockDone
	VMOVDQU   -1(R9), Y1
	VMOVDQU   -2(R9), Y2
	VPMAXUB   Y3, Y6, Y6
	CHECK_UTF8_AVX2(Y0, Y1, Y2, Y3, Y4, Y5, Y7)
	VPTEST    Y7, Y7
	JNE       trouble

blockDone:
	LEAQ 32(R9), src
	SUBQ $32, left
	JMP  rest

	// Less than a block: the zeros that stand for what is missing make a character unfinished.
short:
	CMPQ        left, $8
	JLT         done
	LEAQ        ascending16<>(SB), R9
	SUBQ        left, R9
	CMPQ        left, $16
	JLT         half
	VMOVDQU     -16(src)(left*1), X0
	VMOVDQU     32(R9), X1
	VPSHUFB     X1, X0, X1
	VMOVDQU     (src), X0
	VINSERTI128 $1, X1, Y0, Y0

padded:
	VPERM2I128 $0x08, Y0, Y0, Y4
	VPALIGNR   $15, Y4, Y0, Y1
	VPALIGNR   $14, Y4, Y0, Y2
	VPALIGNR   $13, Y4, Y0, Y3
	CHECK_UTF8_AVX2(Y0, Y1, Y2, Y3, Y4, Y5, Y7)
	VPTEST     Y7, Y7
	JNE        done
	ADDQ       left, src
	VMOVDQA    Y0, Y8
	JMP        done

	// Eight to 15 bytes.
half:
	VMOVQ       -8(src)(left*1), X0
	VMOVDQU     16(R9), X1
	VPSHUFB     X1, X0, X1
	VMOVQ       (src), X0
	VPUNPCKLQDQ X1, X0, X0
	JMP         padded

	// Nothing of the text is unfinished.
end:
	CMPB    -1(src), $0xC0
	JAE     trouble
	CMPB    -2(src), $0xE0
	JAE     trouble
	CMPB    -3(src), $0xF0
	JAE     trouble
	VPMAXUB -32(src), Y8, Y8
	JMP     done

	// All is well-formed before src, but what the last three bytes may begin.
trouble:
	SUBQ    $3, src
	CMPQ    src, start
	CMOVQCS start, src

done:
	VPBROADCASTD utf8Bytes<>+16(SB), Y0
	VPBROADCASTD utf8Bytes<>+20(SB), Y1
	VPMAXUB      Y0, Y8, Y0
	VPMAXUB      Y1, Y8, Y1
	VPCMPEQB     Y0, Y8, Y0
	VPCMPEQB     Y1, Y8, Y1
	VPMOVMSKB    Y8, AX
	VPMOVMSKB    Y0, R10
	VPMOVMSKB    Y1, R11
	NEGL         AX                     // carry if not zero
	SBBL         AX, AX
	NEGL         R10
	SBBL         $0, AX
	NEGL         R11
	SBBL         $0, AX
	NEGL         AX
	SUBQ         start, src
	MOVQ         src, n+24(FP)
	MOVB         AX, class+32(FP)
	VZEROUPPER
	RET

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
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	LEAQ -64(left), AX
	CMPQ AX, $(256-64)
	JA   any
	FROM_BOTH_ENDS_AVX512(whole)

	// Perhaps it is ASCII.
whole:
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1
	JNE      any
	MOVQ     left, n+24(FP)
	MOVB     $0, class+32(FP) // ASCII
	VZEROUPPER
	RET

any:
	MOVQ         src, start
	VPBROADCASTD utf8Bytes<>+0(SB), Z16
	VPBROADCASTD utf8Bytes<>+4(SB), Z17
	VPBROADCASTD utf8Bytes<>+8(SB), Z18
	VMOVDQU64    secondByte<>(SB), Z22
	VPBROADCASTD utf8Bytes<>+12(SB), Z23
	VPXOR        X10, X10, X10           // the trouble so far, in top bits
	VPXOR        X11, X11, X11           // the highest of the bytes before src - 3
	VPXOR        X12, X12, X12           // the same before the last step
	CMPQ         left, $64
	JLT          short

	// The first block has nothing before it.
	VMOVDQU64 (src), Z0
	VPTESTMB  Z23, Z0, K1
	KORTESTQ  K1, K1
	JEQ       first
	SHIFTED(Z0, Z10, Z4, Z1, Z2, Z3)
	VMOVDQA64 Z3, Z11
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z4, Z5, Z10)
	VPTESTMB  Z23, Z10, K1
	KORTESTQ  K1, K1
	MOVQ      src, R9
	JNE       trouble

first:
	ADDQ $64, src
	SUBQ $64, left
	CMPQ left, $128
	JLT  rest

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
	JNE        stepTrouble
	ADDQ       $128, src
	SUBQ       $128, left
	CMPQ       left, $128
	JGE        loop
	JMP        rest

ascii:
	ADDQ     $128, src
	SUBQ     $128, left
	CMPQ     left, $256
	JLT      asciiEnd
	ANY_AVX512(src)
	VPTESTMB Z23, Z0, K1
	KORTESTQ K1, K1
	JNE      loop
	ADDQ     $128, src
	SUBQ     $128, left
	JMP      ascii

asciiEnd:
	CMPQ left, $128
	JGE  loop

	// What is left of less than two blocks: one block, and then that which ends the text, if it has three bytes before it.
rest:
	VMOVDQA64 Z11, Z12
	MOVQ      src, R9
	CMPQ      left, $64
	JGE       block
	TESTQ     left, left
	JEQ       end
	LEAQ      -64(src)(left*1), R9
	LEAQ      -3(R9), R10
	CMPQ      R10, start
	JB        unfinished
	MOVL      $64, left

block:
	VMOVDQU64 (R9), Z0
	VMOVDQU64 -3(R9), Z3
	VPORQ     Z0, Z3, Z1
	VPTESTMB  Z23, Z1, K1
	KORTESTQ  K1, K1
	JEQ       blockDone
	VMOVDQU64 -1(R9), Z1
	VMOVDQU64 -2(R9), Z2
	VPMAXUB   Z3, Z11, Z11
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z4, Z5, Z10)
	VPTESTMB  Z23, Z10, K1
	KORTESTQ  K1, K1
	JNE       trouble

blockDone:
	LEAQ 64(R9), src
	SUBQ $64, left
	JMP  rest

	// Nothing of the text is unfinished.
end:
	CMPB    -1(src), $0xC0
	JAE     unfinished
	CMPB    -2(src), $0xE0
	JAE     unfinished
	CMPB    -3(src), $0xF0
	JAE     unfinished
	VPMAXUB -64(src), Z12, Z12
	JMP     done

	// Less than a block: the zeros that stand for what is missing make a character unfinished.
short:
	FIRST_BITS(left, AX)
	KMOVQ      AX, K1
	VMOVDQU8.Z (src), K1, Z0
	SHIFTED(Z0, Z10, Z4, Z1, Z2, Z3)
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z4, Z5, Z10)
	VPTESTMB   Z23, Z10, K1
	MOVQ       src, R9
	KORTESTQ   K1, K1
	JNE        trouble
	ADDQ       left, src
	VMOVDQA64  Z0, Z12
	JMP        done

	// In which of two blocks is it?
stepTrouble:
	VPXOR     X10, X10, X10
	VMOVDQU64 -3(src), Z3
	VMOVDQU64 -2(src), Z2
	VMOVDQU64 -1(src), Z1
	VPMAXUB   Z3, Z12, Z11
	CHECK_UTF8(Z0, Z1, Z2, Z3, Z5, Z6, Z10)
	VPTESTMB  Z23, Z10, K2
	MOVQ      src, R9
	KORTESTQ  K2, K2
	JNE       firstBlock
	VMOVDQA64 Z11, Z12
	ADDQ      $64, R9
	JMP       trouble

firstBlock:
	KMOVQ K2, K1

	// All is well-formed before the first byte that K1 marks in the block at R9, but what the last three bytes before it may begin. Those that come
	// before these are looked at for the highest byte.
trouble:
	KMOVQ      K1, AX
	TZCNTQ     AX, AX
	LEAQ       -3(R9)(AX*1), src
	CMPQ       src, start
	CMOVQLS    start, src
	JLS        done
	FIRST_BITS(AX, R10)
	LEAQ       -3(R9), R11
	MOVQ       R10, R13
	SHRQ       $3, R13
	CMPQ       R9, start
	CMOVQEQ    R9, R11           // nothing is before the first block, perhaps not even a page
	CMOVQEQ    R13, R10
	KMOVQ      R10, K1
	VMOVDQU8.Z (R11), K1, Z3
	VPMAXUB    Z3, Z12, Z12
	JMP        done

	// The same, but that there is no block behind src.
unfinished:
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

// CLASS_OF gets into BX the class that the greatest byte of X0 tells. Uses: X1, AX, CX, DX.
#define CLASS_OF \
	VPSRLDQ $8, X0, X1    \
	VPMAXUB X1, X0, X0    \
	VPSRLQ  $32, X0, X1   \
	VPMAXUB X1, X0, X0    \
	VPSRLQ  $16, X0, X1   \
	VPMAXUB X1, X0, X0    \
	VPSRLQ  $8, X0, X1    \
	VPMAXUB X1, X0, X0    \
	VMOVD   X0, AX        \
	MOVBLZX AX, AX        \
	XORL    BX, BX        \
	XORL    CX, CX        \
	XORL    DX, DX        \
	CMPL    AX, $0x80     \
	SETCC   BX            \
	CMPL    AX, $0xC4     \
	SETCC   CX            \
	CMPL    AX, $0xF0     \
	SETCC   DX            \
	ADDL    CX, BX        \
	ADDL    DX, BX

// func classOfUTF8AVX2(src []byte) Class
//
// The last vector overlaps those before.
TEXT ·classOfUTF8AVX2(SB), NOSPLIT, $0-25
	MOVQ    src_base+0(FP), src
	MOVQ    src_len+8(FP), left
	VMOVDQU -32(src)(left*1), Y0
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	SUBQ    $128, left
	JLT     vectors

rounds:
	VPMAXUB (src), Y0, Y0
	VPMAXUB 32(src), Y1, Y1
	VPMAXUB 64(src), Y2, Y2
	VPMAXUB 96(src), Y3, Y3
	ADDQ    $128, src
	SUBQ    $128, left
	JGE     rounds

vectors:
	ADDQ $96, left // less than a vector is left if that is below zero
	JLT  total

vector:
	VPMAXUB (src), Y0, Y0
	ADDQ    $32, src
	SUBQ    $32, left
	JGE     vector

total:
	VPMAXUB      Y1, Y0, Y0
	VPMAXUB      Y2, Y3, Y3
	VPMAXUB      Y3, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUB      X1, X0, X0
	CLASS_OF
	MOVB         BX, ret+24(FP)
	VZEROUPPER
	RET

// func classOfUTF8AVX512(src []byte) Class
//
// The last vector overlaps those before.
TEXT ·classOfUTF8AVX512(SB), NOSPLIT, $0-25
	MOVQ      src_base+0(FP), src
	MOVQ      src_len+8(FP), left
	VMOVDQU64 -64(src)(left*1), Z0
	VMOVDQA64 Z0, Z1
	VMOVDQA64 Z0, Z2
	VMOVDQA64 Z0, Z3
	SUBQ      $256, left
	JLT       vectors

rounds:
	VPMAXUB (src), Z0, Z0
	VPMAXUB 64(src), Z1, Z1
	VPMAXUB 128(src), Z2, Z2
	VPMAXUB 192(src), Z3, Z3
	ADDQ    $256, src
	SUBQ    $256, left
	JGE     rounds

vectors:
	ADDQ $192, left // less than a vector is left if that is below zero
	JLT  total

vector:
	VPMAXUB (src), Z0, Z0
	ADDQ    $64, src
	SUBQ    $64, left
	JGE     vector

total:
	VPMAXUB       Z1, Z0, Z0
	VPMAXUB       Z2, Z3, Z3
	VPMAXUB       Z3, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXUB       Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPMAXUB       X1, X0, X0
	CLASS_OF
	MOVB          BX, ret+24(FP)
	VZEROUPPER
	RET

// NOT_CONTINUATIONS counts in acc those of the bytes of v that are no continuation bytes; LENGTHS16_AVX2 also those that begin two code
// units of UTF-16.
#define NOT_CONTINUATIONS(v, t, acc) \
	VPCMPGTB Y8, v, t   \
	VPSUBB   t, acc, acc

#define LENGTHS16_AVX2(v, t, acc) \
	NOT_CONTINUATIONS(v, t, acc) \
	VPMAXUB  Y9, v, t   \
	VPCMPEQB v, t, t    \
	VPSUBB   t, acc, acc

// func runeCountAVX2(src []byte) (n int64)
//
// Zeros, which stand for what the last vector does not count, are counted as well.
TEXT ·runeCountAVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	VPBROADCASTD utf8Bytes<>+32(SB), Y8
	COUNT_AVX2(NOT_CONTINUATIONS)
	LEAQ         -32(sum)(left*1), sum
	MOVQ         sum, n+24(FP)
	VZEROUPPER
	RET

// func utf16LenFromUTF8AVX2(src []byte) (n int64)
//
// Zeros, which stand for what the last vector does not count, are counted as well.
TEXT ·utf16LenFromUTF8AVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	VPBROADCASTD utf8Bytes<>+32(SB), Y8
	VPBROADCASTD utf8Bytes<>+20(SB), Y9
	COUNT_AVX2(LENGTHS16_AVX2)
	LEAQ         -32(sum)(left*1), sum
	MOVQ         sum, n+24(FP)
	VZEROUPPER
	RET

// CONTINUATIONS marks the continuation bytes of v in k1.
#define CONTINUATIONS(v, k1, k2, k3) \
	VPCMPB $1, Z16, v, k1

// NOTHING marks nothing: ADD_LENGTHS16 looks the length in UTF-16 up, which the upper six bits of a byte tell.
#define NOTHING(v, k1, k2, k3)

#define ADD_LENGTHS16(v, k1, k2, k3, acc1, acc2) \
	VPSRLW $2, v, v       \
	VPERMB Z18, v, v      \
	VPADDB v, acc1, acc1

// POPCOUNT_LENGTHS16 and TOTAL_LENGTHS16 add to sum by how much that is less than the number of bytes.
#define POPCOUNT_LENGTHS16(v, k1, k2, k3) \
	VPCMPB  $1, Z16, v, k1 \
	VPCMPUB $5, Z17, v, k2 \
	POPCOUNT_BYTES1(v, k1, k2, k3) \
	KMOVQ   k2, AX         \
	POPCNTQ AX, AX         \
	SUBQ    AX, sum

#define TOTAL_LENGTHS16(a0, a1, a2, a3, b0, b1, b2, b3) \
	TOTAL1(a0, a1, a2, a3, b0, b1, b2, b3) \
	ADDQ left, sum                         \
	NEGQ sum                               \
	ADDQ R9, sum

// func runeCountAVX512(src []byte) (n int64)
TEXT ·runeCountAVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	VPBROADCASTD utf8Bytes<>+24(SB), Z16
	COUNT_AVX512(MASKED_ROUND(CONTINUATIONS, ADD_BYTES1), CONTINUATIONS, POPCOUNT_BYTES1, TOTAL1)
	SUBQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// For the upper six bits of a byte, the length in UTF-16 of what it begins.
DATA lengths16<>+0x00(SB)/8, $0x0101010101010101 // ASCII
DATA lengths16<>+0x08(SB)/8, $0x0101010101010101
DATA lengths16<>+0x10(SB)/8, $0x0101010101010101
DATA lengths16<>+0x18(SB)/8, $0x0101010101010101
DATA lengths16<>+0x20(SB)/8, $0x0000000000000000 // continuation bytes
DATA lengths16<>+0x28(SB)/8, $0x0000000000000000
DATA lengths16<>+0x30(SB)/8, $0x0101010101010101 // C0 to DF
DATA lengths16<>+0x38(SB)/8, $0x0202020201010101 // E0 to EF, F0 to FF
GLOBL lengths16<>(SB), RODATA|NOPTR, $64

// func utf16LenFromUTF8AVX512(src []byte) (n int64)
//
// Of 32768 bytes at most, so that accumulators of up to two in a round suffice.
TEXT ·utf16LenFromUTF8AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	VPBROADCASTD utf8Bytes<>+24(SB), Z16
	VPBROADCASTD utf8Bytes<>+20(SB), Z17
	VMOVDQU64    lengths16<>(SB), Z18
	COUNT_AVX512(MASKED_ROUND(NOTHING, ADD_LENGTHS16), NOTHING, POPCOUNT_LENGTHS16, TOTAL_LENGTHS16)
	SUBQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// The conversions to code units of two and four bytes work on blocks of 64 bytes, wherever characters begin, and put each character out at its
// last byte: where the next byte is no continuation byte. So a block needs no state of the one before, and takes as long whatever the script is.
// A block is loaded four times besides: from one byte on, and from one, two and three before.

// CHECK_NEXT says of the bytes of a block which are the last of their characters, in those bits of last that lanes has. v0 are the bytes, vn
// those one after each, v1 to v3 those one to three before. Expected gets the top bit where the next byte is to be a continuation byte, err where
// there is trouble, by the rules of CHECK_UTF8 for the next byte; four2 where the byte two before is a lead byte of four, four3 where that is
// three before. Uses: t. Requires: AVX-512 VBMI.
#define CHECK_NEXT(v0, vn, v1, v2, v3, lanes, expected, err, four2, four3, t, last) \
	VPERMB     Z22, v0, err           \
	VPSUBUSB   Z16, v0, expected      \
	VPSUBUSB   Z17, v1, t             \
	VPSUBUSB   Z18, v2, four2         \
	VPADDB     vn, err, err           \
	VPSUBUSB   Z18, v3, four3         \
	VPANDQ     expected, err, err     \
	VPTERNLOGQ $0xFE, four2, t, expected \
	VPADDSB    Z16, vn, t             \
	VPTESTNMB  Z23, expected, lanes, last \
	VPTERNLOGQ $0xF6, expected, t, err

// UNIT_PLANES makes of v0, v1 and v2 the lower and the upper byte of the code unit of UTF-16 whose character ends with a byte, if it has up to three:
// the lower has six bits of the last byte and two of the one before, the upper the other four of that, and four of the third last, if that
// is a lead byte. ASCII, which nonASCII does not mark, is its own lower byte. Uses: t, upper, v2, k. Requires: AVX-512 BW.
#define UNIT_PLANES(v0, v1, v2, nonASCII, lower, upper, t, k) \
	VPCMPUB    $5, Z26, v2, nonASCII, k \
	VPSLLW     $6, v1, t            \
	VPSRLW     $2, v1, upper        \
	VPSLLW     $4, v2, v2           \
	VMOVDQA64  v0, lower            \
	VPTERNLOGQ $0xB8, v0, Z24, t    \
	VMOVDQU8.Z upper, nonASCII, upper \
	VMOVDQU8.Z v2, k, v2            \
	VMOVDQU8   t, nonASCII, lower   \
	VPTERNLOGQ $0xE4, Z25, v2, upper

// UNFINISHED takes src, if that is not the start but at least three bytes behind it, back to the begin of the character that it is in, of which
// one to three bytes are before. Behind it, label whole.
#define UNFINISHED(t1) \
	CMPQ    src, start         \
	JEQ     whole              \
	LEAQ    -1(src), t1        \
	CMPB    -1(src), $0xC0     \
	CMOVQCC t1, src            \
	JCC     whole              \
	LEAQ    -2(src), t1        \
	CMPB    -2(src), $0xE0     \
	CMOVQCC t1, src            \
	JCC     whole              \
	LEAQ    -3(src), t1        \
	CMPB    -3(src), $0xF0     \
	CMOVQCC t1, src            \
whole:

// Doublewords to be broadcast, for characters of four bytes.
DATA fourBytes<>+0(SB)/4, $0x3F3F3F07 // what their bytes have of the code point
DATA fourBytes<>+4(SB)/4, $0x01400140 // 64 and 1: a byte is six bits above the next
DATA fourBytes<>+8(SB)/4, $0x00011000 // 4096 and 1: two bytes are twelve bits above the next two
DATA fourBytes<>+12(SB)/4, $0x03FF0000 // what a low surrogate has of the code point
DATA fourBytes<>+16(SB)/4, $0xDC00D7C0 // the marks of surrogates, less 10000 >> 10
GLOBL fourBytes<>(SB), RODATA|NOPTR, $20

// CODE_POINTS makes of the 16 characters of four bytes that are all of v0, Z0, their code points in Z8. Uses: Z9. Requires: AVX-512 BW.
#define CODE_POINTS \
	VPBROADCASTD fourBytes<>+0(SB), Z8 \
	VPBROADCASTD fourBytes<>+4(SB), Z9 \
	VPANDD       Z8, Z0, Z8            \
	VPMADDUBSW   Z9, Z8, Z8            \
	VPBROADCASTD fourBytes<>+8(SB), Z9 \
	VPMADDWD     Z9, Z8, Z8

// SIXTEEN_PAIRS stores the code points in Z8 as pairs of surrogates, SIXTEEN_DOUBLEWORDS as they are. R10 gets the place behind; if there is no room,
// label done is next. Uses: R10, Z8, Z9, Z13. Requires: AVX-512 F.
#define SIXTEEN_PAIRS \
	LEAQ         64(dst), R10           \
	CMPQ         R10, dstEnd            \
	JA           done                   \
	VPBROADCASTD fourBytes<>+12(SB), Z13 \
	VPSRLD       $10, Z8, Z9            \
	VPSLLD       $16, Z8, Z8            \
	VPTERNLOGD   $0xF8, Z13, Z8, Z9     \
	VPBROADCASTD fourBytes<>+16(SB), Z13 \
	VPADDD       Z13, Z9, Z9            \
	VPSHUFB      Z7, Z9, Z9             \
	VMOVDQU64    Z9, (dst)

#define SIXTEEN_DOUBLEWORDS \
	LEAQ      64(dst), R10 \
	CMPQ      R10, dstEnd  \
	JA        done         \
	VPSHUFB   Z7, Z8, Z8   \
	VMOVDQU64 Z8, (dst)

// UTF8_TO_UNITS converts left bytes at src to code units of size bytes at dst, where dstEnd fit. ASCII stores 64 bytes of ASCII in Z0, with the mask BX in K3; STORE the characters of a block from the planes of
// their lower and upper bytes in Z11 and Z12, of which last, K2, marks what counts: R10 gets the place behind the result, and if there is no room
// for it the label done is next. SIXTEEN deals with blocks of 16 characters of four bytes, FOUR with others that have such. Uses: all. Requires: AVX-512 VBMI2, BMI2.
#define UTF8_TO_UNITS(size, ASCII, SIXTEEN, FOUR, STORE) \
	MOVQ         src, start             \
	MOVQ         dst, R9                \
	LEAQ         (dst)(dstEnd*size), dstEnd \
	VPBROADCASTD utf8Bytes<>+0(SB), Z16 \
	VPBROADCASTD utf8Bytes<>+4(SB), Z17 \
	VPBROADCASTD utf8Bytes<>+8(SB), Z18 \
	VPBROADCASTD utf8Bytes<>+12(SB), Z23 \
	VMOVDQU64    secondByte<>(SB), Z22  \
	VPBROADCASTD utf8Bytes<>+36(SB), Z24 \
	VPBROADCASTD utf8Bytes<>+28(SB), Z25 \
	VPBROADCASTD utf8Bytes<>+40(SB), Z26 \
	VPXOR        X10, X10, X10          \
	KXNORQ       K7, K7, K7             \ // the bytes of a block that count
	XORL         R13, R13               \ // how many do not, at the start
	MOVBQSX      (src), AX              \
	CMPQ         AX, $-64               \ // below, a continuation byte
	JLT          whole                  \
	CMPQ         left, $64              \
	JLE          short                  \
	VMOVDQU64    (src), Z0              \ // the first block has nothing before it
	VMOVDQU64    1(src), Z4             \
	MOVL         $64, R12               \
	VPMOVB2M     Z0, K1                 \
	KORTESTQ     K1, K1                 \
	JEQ          ascii                  \
	SHIFTED(Z0, Z10, Z13, Z1, Z2, Z3)   \
	JMP          block                  \
loop: \
	VMOVDQU64 (src), Z0                 \
	MOVL      $64, R12                  \
	VPMOVB2M  Z0, K1                    \
	KORTESTQ  K1, K1                    \
	JEQ       ascii                     \
other: \
	VMOVDQU64 1(src), Z4                \
	VMOVDQU64 -1(src), Z1               \
	VMOVDQU64 -2(src), Z2               \
	VMOVDQU64 -3(src), Z3               \
block: \
	CHECK_NEXT(Z0, Z4, Z1, Z2, Z3, K7, Z6, Z5, Z8, Z9, Z13, K2) \
	VMOVDQA64  Z5, Z13                  \
	VPTERNLOGQ $0xFE, Z9, Z8, Z13       \
	VPTESTMB   Z23, Z13, K3             \
	KORTESTQ   K3, K3                   \
	JNE        four                     \
planes: \
	UNIT_PLANES(Z0, Z1, Z2, K1, Z11, Z12, Z13, K3) \
	STORE                               \
next: \
	MOVQ R10, dst                       \
	ADDQ R12, src                       \
	SUBQ R12, left                      \
	CMPQ left, $64                      \
	JGT  loop                           \
	TESTQ left, left                    \
	JEQ   whole                         \
last: \
	LEAQ  -64(src)(left*1), R13         \ // the last block begins where it has 64 bytes, without what was there before
	LEAQ  -3(R13), R10                  \
	CMPQ  R10, start                    \
	JB    done                          \
	VMOVDQU64 (R13), Z0                 \
	VMOVDQU64 -1(R13), Z1               \
	VMOVDQU64 -2(R13), Z2               \
	VMOVDQU64 -3(R13), Z3               \
	MOVL  $64, R10                      \
	SUBQ  left, R10                     \
	MOVQ  $-1, AX                       \
	SHLXQ R10, AX, AX                   \
	MOVQ  R10, R13                      \
	JMP   lanes                         \
short: \
	FIRST_BITS(left, AX)                \
	KMOVQ      AX, K7                   \
	VMOVDQU8.Z (src), K7, Z0            \
	SHIFTED(Z0, Z10, Z13, Z1, Z2, Z3)   \
lanes: \
	KMOVQ    AX, K7                     \
	MOVQ     left, R12                  \
	VALIGND  $4, Z0, Z10, Z4            \ // the bytes behind, with a zero for what is not there
	VPALIGNR $1, Z0, Z4, Z4             \
	VPMOVB2M Z0, K1                     \
	JMP      block                      \
ascii: \
	KMOVQ BX, K3                        \
asciiRun: \ // as long as there is nothing else
	LEAQ (64*size)(dst), R10            \
	CMPQ R10, dstEnd                    \
	JA   done                           \
	ASCII                               \
	MOVQ R10, dst                       \
	ADDQ $64, src                       \
	SUBQ $64, left                      \
	CMPQ left, $64                      \
	JLE  asciiEnd                       \
	VMOVDQU64 (src), Z0                 \
	VPMOVB2M  Z0, K1                    \
	KORTESTQ  K1, K1                    \
	JEQ  asciiRun                       \
	CMPB (src), $-64                    \ // below, a continuation byte, which nothing has been asked for
	JLT  whole                          \
	MOVL $64, R12                       \
	JMP  other                          \
asciiEnd: \
	TESTQ left, left                    \
	JEQ  whole                          \
	CMPB (src), $-64                    \
	JLT  whole                          \
	JMP  last                           \
four: \
	VPTESTMB Z23, Z5, K3                \
	KORTESTQ K3, K3                     \
	JNE      trouble                    \
	VPMOVB2M Z8, K4                     \
	VPMOVB2M Z9, K5                     \
	KMOVQ    K4, AX                     \
	MOVQ     $0x4444444444444444, R10   \
	CMPQ     AX, R10                    \
	JNE      fourAndOthers              \
	CMPQ     R12, $64                   \
	JNE      fourAndOthers              \
	CODE_POINTS                         \
	SIXTEEN                             \
	JMP      next                       \
fourAndOthers: \ // the next block begins with a character that this one would cut
	CMPQ  left, $64                     \
	JLE   uncut                         \
	MOVL  $61, R12                      \
	CMPB  61(src), $0xF0                \
	JCC   cut                           \
	MOVL  $62, R12                      \
	CMPB  62(src), $0xF0                \
	JCC   cut                           \
	MOVL  $63, R12                      \
	CMPB  63(src), $0xF0                \
	JCC   cut                           \
	MOVL  $64, R12                      \
	JMP   uncut                         \
cut: \
	FIRST_BITS(R12, AX)                 \
	KMOVQ AX, K3                        \
	KANDQ K3, K2, K2                    \
	KANDQ K3, K4, K4                    \
uncut: \
	FOUR                                \
	JMP      next                       \
trouble: \ // in the byte after the first marked one: characters that end two before that are put out
	KMOVQ    K3, AX                     \
	TZCNTQ   AX, AX                     \
	DECQ     AX                         \
	MOVQ     AX, R12                    \
	SUBQ     R13, R12                   \
	CMPQ     R12, $3                    \
	JLT      done                       \
	FIRST_BITS(AX, R10)                 \
	KMOVQ    R10, K3                    \
	KANDQ    K3, K2, K2                 \
	VPORQ    Z8, Z9, Z13                \
	VPTESTMB Z23, Z13, K3, K4           \
	KORTESTQ K4, K4                     \
	JEQ      planes                     \
	VPMOVB2M Z8, K4                     \
	VPMOVB2M Z9, K5                     \
	KSHIFTRQ $1, K3, K3                 \ // a high surrogate goes with its low one
	KANDQ    K3, K4, K4                 \
	JMP      uncut                      \
done: \
	UNFINISHED(R10)

// FIRST_UNITS loads into k the mask of the first n of up to 32 code units.
#define FIRST_UNITS(n, t, k) \
	MOVL  $-1, t  \
	BZHIL n, t, t \
	KMOVD t, k

// ASCII_WORDS spreads the bytes of Z0, and leaves one of two that K3 marks.
#define ASCII_WORDS \
	VPERMB.Z  Z0, Z20, K3, Z1 \
	VMOVDQU64 Z1, (dst)       \
	VPERMB.Z  Z0, Z21, K3, Z2 \
	VMOVDQU64 Z2, 64(dst)

// STORE_WORDS interleaves the planes of lower and upper bytes, in the order of Z20 and Z21.
#define STORE_WORDS(twoVectors, stored) \
	KMOVQ         K2, AX              \
	VPXOR         X14, X14, X14       \
	VPXOR         X15, X15, X15       \
	POPCNTQ       AX, AX              \
	VPCOMPRESSB.Z Z11, K2, Z14        \
	VPCOMPRESSB.Z Z12, K2, Z15        \
	LEAQ          (dst)(AX*2), R10    \
	CMPQ          R10, dstEnd         \
	JA            done                \
	VMOVDQA64     Z20, Z0             \
	VPERMI2B      Z15, Z14, Z0        \
	CMPL          AX, $32             \
	JA            twoVectors          \
	FIRST_UNITS(AX, R11, K1)          \
	VMOVDQU16     Z0, K1, (dst)       \
	JMP           stored              \
twoVectors: \
	VMOVDQU64     Z0, (dst)           \
	VMOVDQA64     Z21, Z0             \
	VPERMI2B      Z15, Z14, Z0        \
	SUBL          $32, AX             \
	FIRST_UNITS(AX, R11, K1)          \
	VMOVDQU16     Z0, K1, 64(dst)     \
stored:

// FOUR_WORDS lets characters of four bytes put out a low surrogate at the last byte and a high surrogate at the one before. High surrogates are
// D7C0 + code point >> 10, which has three bits of the first byte, six of the second, two of the third; low ones DC00 + ten bits.
#define FOUR_WORDS \
	VPBROADCASTD utf8Bytes<>+44(SB), Z27 \
	VPBROADCASTD utf8Bytes<>+24(SB), Z28 \
	VPBROADCASTD utf8Bytes<>+48(SB), Z29 \
	VPBROADCASTD utf8Bytes<>+56(SB), Z30 \
	VPBROADCASTD utf8Bytes<>+60(SB), Z31 \
	VPSLLW       $2, Z1, Z8              \
	VPSRLW       $4, Z0, Z9              \
	VPTERNLOGQ   $0xE4, Z27, Z8, Z9      \
	VPADDB       Z28, Z9, Z9             \
	VPANDQ       Z25, Z2, Z8             \
	VPADDB       Z29, Z8, Z8             \
	VPCMPUB      $1, Z30, Z1, K6         \
	VPSUBB       Z31, Z8, K6, Z8         \
	UNIT_PLANES(Z0, Z1, Z2, K1, Z11, Z12, Z13, K3) \
	VMOVDQU8     Z9, K4, Z11             \
	VMOVDQU8     Z8, K4, Z12             \
	VPBROADCASTD utf8Bytes<>+52(SB), Z28 \
	VPANDQ       Z27, Z12, Z13           \
	VPORQ        Z28, Z13, Z13           \
	VMOVDQU8     Z13, K5, Z12            \
	KANDQ        K7, K4, K4              \
	KORQ         K4, K2, K2              \
	STORE_WORDS(fourTwoVectors, fourStored)

// func utf8ToUTF16AVX512(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)
//
// All of the source, but for up to two bytes behind the first 64, up to two characters before trouble, and what has no room.
TEXT ·utf8ToUTF16AVX512(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	INDEX_OF_WORDS(to+48(FP), Z7)
	INDEX_IN_ORDER(·interleave(SB), to+48(FP), Z20)
	MASK_IN_ORDER(0, to+48(FP), K3)
	MOVQ         (AX), BX
	VPBROADCASTD utf8Bytes<>+64(SB), Z21
	VPADDB       Z21, Z20, Z21           // the same for the last 32
	UTF8_TO_UNITS(2, ASCII_WORDS, SIXTEEN_PAIRS, FOUR_WORDS, STORE_WORDS(twoVectors, stored))
	SUBQ         start, src
	SUBQ         R9, dst
	SHRQ         $1, dst
	MOVQ         dst, nDst+56(FP)
	MOVQ         src, nSrc+64(FP)
	VZEROUPPER
	RET

// ASCII_DOUBLEWORDS spreads the bytes of Z0, and leaves one of four that K3 marks.
#define ASCII_DOUBLEWORDS \
	VPERMB.Z  Z0, Z20, K3, Z1 \
	VMOVDQU64 Z1, (dst)       \
	VPERMB.Z  Z0, Z29, K3, Z2 \
	VMOVDQU64 Z2, 64(dst)     \
	VPERMB.Z  Z0, Z30, K3, Z3 \
	VMOVDQU64 Z3, 128(dst)    \
	VPERMB.Z  Z0, Z31, K3, Z4 \
	VMOVDQU64 Z4, 192(dst)

// COUNT_DOUBLEWORDS leaves in AX how many characters there are, in R10 the place behind them; if that is outside, done is next.
#define COUNT_DOUBLEWORDS \
	KMOVQ         K2, AX              \
	VPXOR         X14, X14, X14       \
	VPXOR         X15, X15, X15       \
	POPCNTQ       AX, AX              \
	VPCOMPRESSB.Z Z11, K2, Z14        \
	VPCOMPRESSB.Z Z12, K2, Z15        \
	LEAQ          (dst)(AX*4), R10    \
	CMPQ          R10, dstEnd         \
	JA            done                \
	VMOVDQA64     Z20, Z4             // where the bytes of the next 16 are

// STORE_DOUBLEWORDS puts the planes of lower and upper bytes into doublewords, 16 at a time, in the order of Z20; K6 marks where they go.
#define STORE_DOUBLEWORDS \
	COUNT_DOUBLEWORDS                 \
sixteen: \
	VMOVDQA64  Z4, Z0                 \
	VPADDB     Z21, Z4, Z4            \
	VPERMI2B.Z Z15, Z14, K6, Z0       \
	SUBL       $16, AX                \
	JLE        lastSixteen            \
	VMOVDQU64  Z0, (dst)              \
	ADDQ       $64, dst               \
	JMP        sixteen                \
lastSixteen: \
	ADDL       $16, AX                \
	FIRST_UNITS(AX, R11, K1)          \
	VMOVDQU32  Z0, K1, (dst)

// FOUR_DOUBLEWORDS makes a third plane, with three bits of the first of four bytes and two of the second; the upper byte has the other four of that.
// Z19 has the bits of the bytes where it goes.
#define FOUR_DOUBLEWORDS \
	VPBROADCASTD utf8Bytes<>+44(SB), Z27 \
	VPSRLW       $4, Z2, Z8              \
	VPSLLW       $2, Z3, Z9              \
	VPTERNLOGQ   $0xE4, Z27, Z9, Z8      \
	VPBROADCASTD utf8Bytes<>+68(SB), Z28 \
	VPANDQ       Z28, Z8, Z8             \
	VPSLLW       $4, Z2, Z9              \
	VPSRLW       $2, Z1, Z3              \
	VPTERNLOGQ   $0xE4, Z25, Z9, Z3      \
	UNIT_PLANES(Z0, Z1, Z2, K1, Z11, Z12, Z13, K3) \
	VMOVDQU8     Z3, K5, Z12             \
	VMOVDQU8.Z   Z8, K5, Z8              \
	VPXOR        X5, X5, X5              \
	VPCOMPRESSB.Z Z8, K2, Z5             \
	COUNT_DOUBLEWORDS                    \
fourSixteen: \
	VMOVDQA64  Z4, Z0                 \
	VPERMB     Z5, Z4, Z1             \
	VPADDB     Z21, Z4, Z4            \
	VPERMI2B.Z Z15, Z14, K6, Z0       \
	VPTERNLOGQ $0xF8, Z19, Z1, Z0     \
	SUBL       $16, AX                \
	JLE        fourLastSixteen        \
	VMOVDQU64  Z0, (dst)              \
	ADDQ       $64, dst               \
	JMP        fourSixteen            \
fourLastSixteen: \
	ADDL       $16, AX                \
	FIRST_UNITS(AX, R11, K1)          \
	VMOVDQU32  Z0, K1, (dst)

// func utf8ToUTF32AVX512(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)
//
// All of the source, but for up to two bytes behind the first 64, up to two characters before trouble, and what has no room.
TEXT ·utf8ToUTF32AVX512(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	INDEX_OF_DOUBLEWORDS(to+48(FP), Z7)
	INDEX_IN_ORDER(·quadruple(SB), to+48(FP), Z20)
	MASK_IN_ORDER(16, to+48(FP), K6)
	MOVQ         8(AX), BX
	VPBROADCASTD utf8Bytes<>+76(SB), Z19
	VPSHUFB      Z7, Z19, Z19
	VPBROADCASTD utf8Bytes<>+72(SB), Z21 // to those of the next 16
	VPADDB       Z21, Z20, Z29
	VPADDB       Z21, Z29, Z30
	VPADDB       Z21, Z30, Z31
	UTF8_TO_UNITS(4, ASCII_DOUBLEWORDS, SIXTEEN_DOUBLEWORDS, FOUR_DOUBLEWORDS, STORE_DOUBLEWORDS)
	SUBQ         start, src
	SUBQ         R9, dst
	SHRQ         $2, dst
	MOVQ         dst, nDst+56(FP)
	MOVQ         src, nSrc+64(FP)
	VZEROUPPER
	RET

// The same with AVX2, in blocks of 32 bytes. Code units of up to 16 bits are made as words, of three planes of bytes: L and M, which has the bits from
// the seventh on, and A, which has those from the 13th on at the upper end of its bytes. A table tells where the words that count go, eight at a
// time.
//
// Of eight words at least two count, and eight are stored; those behind overwrite what is too much. There are enough of them in the next 16: where
// characters have up to three bytes, two of eight that count stand as far apart as can be, and so do the next ones, at least six; where they have
// four, no more than three are stored too much. The last 16 words of a block have no next ones yet: they are held back until the next block is
// known to be in order, and stored to the byte when there is none.

VECTOR(all03, $0x0303030303030303)        // the lowest two bits
VECTOR(all1C, $0x1C1C1C1C1C1C1C1C)        // what a lead byte of four has of the code point, above two bits of the next byte
VECTOR(all30, $0x3030303030303030)        // what the third byte of four has of the high surrogate
VECTOR(all3F, $0x3F3F3F3F3F3F3F3F)        // what a continuation byte has of its character
VECTOR(all42, $0x4242424242424242)        // C2 - 80: less that, with saturation, lead bytes have their top bit, but for C0 and C1
VECTOR(all60, $0x6060606060606060)        // E0 - 80
VECTOR(all70, $0x7070707070707070)        // F0 - 80
VECTOR(all7F, $0x7F7F7F7F7F7F7F7F)        // ASCII, and what a continuation byte has
VECTOR(all80, $0x8080808080808080)
VECTOR(all8F, $0x8F8F8F8F8F8F8F8F)        // the last second byte of a character whose high surrogate is one of 64 lower ones
VECTOR(allC0, $0xC0C0C0C0C0C0C0C0)        // the first lead byte, and the lower byte of D7C0
VECTOR(allD7, $0xD7D7D7D7D7D7D7D7)        // the upper byte of D7C0
VECTOR(allDC, $0xDCDCDCDCDCDCDCDC)        // the upper byte of the first low surrogate
VECTOR(allE0, $0xE0E0E0E0E0E0E0E0)        // the first lead byte of three
VECTOR(allEF, $0xEFEFEFEFEFEFEFEF)        // the last one
VECTOR(allF0, $0xF0F0F0F0F0F0F0F0)        // the first lead byte of four
VECTOR(allFC, $0xFCFCFCFCFCFCFCFC)        // all but the lowest two bits
VECTOR(allFE, $0xFEFEFEFEFEFEFEFE)        // all but the lowest bit
VECTOR(factors, $0x4001400140014001)      // for the lower byte and the one six bits above
VECTOR(threeFactors, $0x0001400100014001) // for the last, second and first byte of three: the lower two make a word,
VECTOR(wordFactors, $0x1000000110000001)  // and that and the first byte the character
VECTOR(threeMarks, $0x00E0808000E08080)   // the marker bits of the last, second and first byte
VECTOR(threeMarkers, $0x00F0C0C000F0C0C0) // where these are
VECTOR(upperFive, $0xF800F800F800F800)    // of a character: zero below U+0800,
VECTOR(surrogates, $0xD800D800D800D800)   // and this for surrogates

DATA reversedThrees<>+0x00(SB)/8, $0x8003040580000102 // four times three bytes, each from the last to the first
DATA reversedThrees<>+0x08(SB)/8, $0x80090A0B80060708
DATA reversedThrees<>+0x10(SB)/8, $0x8003040580000102
DATA reversedThrees<>+0x18(SB)/8, $0x80090A0B80060708
GLOBL reversedThrees<>(SB), RODATA|NOPTR, $32

// Indexes, and 80, which gives zeros: from n on, those that move 16 bytes n places down.
DATA ascending16<>+0x00(SB)/8, $0x0706050403020100
DATA ascending16<>+0x08(SB)/8, $0x0F0E0D0C0B0A0908
DATA ascending16<>+0x10(SB)/8, $0x8080808080808080
DATA ascending16<>+0x18(SB)/8, $0x8080808080808080
GLOBL ascending16<>(SB), RODATA|NOPTR, $32

// UNIT_WORDS makes of the planes L, M and A in Y6, Y9 and Y10 the words of the first and third eight bytes in Y0, of the second and fourth in Y1.
// Uses: Y2, Y3, Y5. Requires: AVX2.
#define UNIT_WORDS \
	VPXOR      X5, X5, X5              \
	VPUNPCKLBW Y9, Y6, Y0              \
	VPUNPCKHBW Y9, Y6, Y1              \
	VPUNPCKLBW Y10, Y5, Y2             \
	VPUNPCKHBW Y10, Y5, Y3             \
	VPMADDUBSW factors<>(SB), Y0, Y0   \
	VPMADDUBSW factors<>(SB), Y1, Y1   \
	VPOR       Y2, Y0, Y0              \
	VPOR       Y3, Y1, Y1

// FLUSH stores what was held back of the block before: Y7 at R10, Y8 at R11.
#define FLUSH(STORE) \
	STORE(X7, Y7, (R10)) \
	STORE(X8, Y8, (R11))

// PUT_HELD stores what was held back, without what is too much. Room is 96 bytes. From the label copy on, it copies AX bytes from R9 to R10, up to
// dst: eight or more, up to 128. Labels quarters, eighths, sixteenths and out are for nothing else. Uses: AX, R9, Y0 to Y3.
#define PUT_HELD(room, STORE, copy, quarters, eighths, sixteenths, out) \
	MOVQ    dst, AX            \
	SUBQ    R10, AX            \
	JEQ     out                \
	LEAQ    room, R9           \
	SUBQ    R10, R11           \
	STORE(X7, Y7, (R9))        \
	STORE(X8, Y8, (R9)(R11*1)) \
copy: \
	CMPL    AX, $32            \
	JLT     eighths            \
	CMPL    AX, $64            \
	JLE     quarters           \
	VMOVDQU 32(R9), Y2         \
	VMOVDQU -64(R9)(AX*1), Y3  \
	VMOVDQU Y2, 32(R10)        \
	VMOVDQU Y3, -64(dst)       \
quarters: \
	VMOVDQU (R9), Y0           \
	VMOVDQU -32(R9)(AX*1), Y1  \
	VMOVDQU Y0, (R10)          \
	VMOVDQU Y1, -32(dst)       \
	JMP     out                \
eighths: \
	CMPL    AX, $16            \
	JLT     sixteenths         \
	VMOVDQU (R9), X0           \
	VMOVDQU -16(R9)(AX*1), X1  \
	VMOVDQU X0, (R10)          \
	VMOVDQU X1, -16(dst)       \
	JMP     out                \
sixteenths: \
	VMOVQ   (R9), X0           \
	VMOVQ   -8(R9)(AX*1), X1   \
	VMOVQ   X0, (R10)          \
	VMOVQ   X1, -8(dst)        \
out:

// INDEXES leaves in i1 and i2 where the table has the entries for two times eight bits of BX, which are rotated so that the lowest is bit 4.
#define INDEXES(rotate1, rotate2, i1, i2) \
	RORXL $rotate1, BX, i1 \
	RORXL $rotate2, BX, i2 \
	ANDL  $0xFF0, i1       \
	ANDL  $0xFF0, i2

// PUT_WORDS stores the words in Y0 and Y1 that BX marks: those of the first 16 bytes at dst, those of the others it holds back. Uses: AX, R9, Y2,
// Y3. Requires: AVX2, BMI2, POPCNT.
#define PUT_WORDS(size, PACK, STORE) \
	INDEXES(28, 4, AX, R9)               \
	VEXTRACTI128 $1, Y0, X2              \
	VEXTRACTI128 $1, Y1, X3              \
	PACK(X0, AX, X0, Y0)                 \
	PACK(X1, R9, X1, Y1)                 \
	POPCNTL AX, AX                       \
	POPCNTL R9, R9                       \
	STORE(X0, Y0, (dst))                 \
	LEAQ    (dst)(AX*size), dst          \
	STORE(X1, Y1, (dst))                 \
	LEAQ    (dst)(R9*size), R10          \
	INDEXES(12, 20, AX, R9)              \
	PACK(X2, AX, X7, Y7)                 \
	PACK(X3, R9, X8, Y8)                 \
	POPCNTL AX, AX                       \
	POPCNTL R9, R9                       \
	LEAQ    (R10)(AX*size), R11          \
	LEAQ    (R11)(R9*size), dst

// ROOM goes to the label none if not all units that BX marks have room. Uses: t.
#define ROOM(size, t, none) \
	POPCNTL BX, t            \
	LEAQ    (dst)(t*size), t \
	CMPQ    t, dstEnd        \
	JA      none

// UTF8_TO_UNITS_AVX2 converts left bytes at src to code units of size bytes at dst, where dstEnd fit. A block in which nothing has more than two
// bytes has a shorter way, and one that looks like characters of three bytes, if there are 16 of them, a much shorter one.
//
// PACK makes code units of those of eight words that an entry of the table keeps, STORE stores them. ASCII stores 32 bytes of ASCII at R13 by way of the
// index spread; ASCII64 those in Y0 and Y1 in host order, SWAPPED64 the 64 at src by way of the index. THREES stores the 16 words in Y0. FOUR deals with a
// block that has characters of four bytes. BACK goes back over what third bytes put out in the AX lanes of the last block that are done again. SPLIT finishes a character of which AX bytes are done and something is put out; src is
// where it begins, and R13 gets how much is put out behind dst.
//
// On the stack there are room for 96 bytes, oldDst for a pointer, and shortResult for the result of less than a block, which is 160 bytes with what
// is stored too much. Uses: all. Requires: AVX2, BMI1, BMI2, POPCNT.
#define UTF8_TO_UNITS_AVX2(size, spread, TO_ORDER, room, oldDst, shortResult, PACK, STORE, ASCII, ASCII64, SWAPPED64, THREES, FOUR, BACK, SPLIT) \
	MOVQ           src, start              \
	LEAQ           (dst)(dstEnd*size), dstEnd \
	VBROADCASTI128 pairTables<>+0(SB), Y12 \
	VBROADCASTI128 pairTables<>+16(SB), Y13 \
	VBROADCASTI128 pairTables<>+32(SB), Y14 \
	VPBROADCASTD   utf8Bytes<>+32(SB), Y11 \
	VPBROADCASTD   utf8Bytes<>+28(SB), Y15 \
	MOVQ           dst, R10                \ // nothing is held back
	MOVQ           dst, R11                \
	CMPQ           left, $32               \
	JLE            short                   \
	MOVQ           src, R13                \
	VMOVDQU        (src), Y1               \ // the first block has nothing before it
	VMOVDQU        1(src), Y0              \
	CMPB           (src), $-64             \ // below, a continuation byte
	JLT            end                     \
	VPCMPGTB       Y11, Y0, Y5             \
	VPMOVMSKB      Y5, BX                  \
	VPMOVMSKB      Y1, AX                  \
	CMPL           BX, $-1                 \
	JNE            first                   \
	TESTL          AX, AX                  \
	JEQ            ascii32                 \
first: \
	LEAQ           room, R13               \ // where it is needed again, it is read from a copy behind zeros
	ADDQ           $32, R13                \
	VPXOR          X2, X2, X2              \
	VMOVDQU        Y2, -32(R13)            \
	VMOVDQU        Y1, (R13)               \
	VPERM2I128     $0x08, Y1, Y1, Y4       \
	VPALIGNR       $15, Y4, Y1, Y2         \
	VPALIGNR       $14, Y4, Y1, Y3         \
	VPALIGNR       $13, Y4, Y1, Y4         \
	VPMAXUB        Y4, Y1, Y4              \
	VPSUBUSB       all60<>(SB), Y4, Y6     \
	JMP            other                   \
loop: \
	MOVQ      src, R13                     \
	VMOVDQU   1(R13), Y0                   \
	VMOVDQU   (R13), Y1                    \
	VMOVDQU   -1(R13), Y2                  \
	VMOVDQU   -2(R13), Y3                  \
	VPCMPGTB  Y11, Y0, Y5                  \ // the last bytes of characters
	VPMOVMSKB Y5, BX                       \
	VPMAXUB   -3(R13), Y1, Y4              \
	VPSUBUSB  all60<>(SB), Y4, Y6          \
	CMPL      BX, $-1                      \
	JEQ       ascii                        \
other: \
	VPMOVMSKB Y6, AX                       \
	ROOM(size, R9, done)                   \
	TESTL     AX, AX                       \
	JNE       three                        \
	VPSUBUSB  all42<>(SB), Y1, Y6          \ // no more than two bytes: each is a lead byte from C2 on, or the last of its character
	VPAND     allFE<>(SB), Y1, Y3          \
	VPXOR     Y5, Y6, Y6                   \
	VPCMPEQB  allC0<>(SB), Y3, Y3          \
	VPANDN    Y6, Y3, Y6                   \
	VPMOVMSKB Y6, AX                       \
	CMPL      AX, $-1                      \
	JNE       done                         \
	VPAND     all7F<>(SB), Y1, Y1          \
	VPSUBUSB  allC0<>(SB), Y2, Y2          \
	FLUSH(STORE)                           \
	VPUNPCKLBW Y2, Y1, Y0                  \
	VPUNPCKHBW Y2, Y1, Y1                  \
	VPMADDUBSW factors<>(SB), Y0, Y0       \
	VPMADDUBSW factors<>(SB), Y1, Y1       \
	PUT_WORDS(size, PACK, STORE)           \
next: \
	ADDQ $32, src                          \
	SUBQ $32, left                         \
	CMPQ left, $32                         \
	JGT  loop                              \
rest: \
	TESTQ left, left                       \
	JLE   ended                            \
	LEAQ  -32(src)(left*1), R13            \ // the block that ends the text, if it has three bytes before it
	LEAQ  -3(R13), AX                      \
	CMPQ  AX, start                        \
	JB    end                              \
	PUT_HELD(room, STORE, copyBefore, quartersBefore, eighthsBefore, sixteenthsBefore, before) \
	MOVQ  dst, oldDst                      \
	VMOVDQU    (R13), Y1                   \
	VPERM2I128 $0x81, Y1, Y1, Y0           \ // its upper half below zeros
	VPALIGNR   $1, Y1, Y0, Y0              \
	VMOVDQU    -1(R13), Y2                 \
	VMOVDQU    -2(R13), Y3                 \
	VPCMPGTB   Y11, Y0, Y5                 \
	VPMOVMSKB  Y5, BX                      \
	MOVL  $32, AX                          \ // what is done of it is done again
	SUBL  left, AX                         \
	BZHIL AX, BX, R9                       \
	POPCNTL R9, R9                         \
	LEAQ  (R9*size), R9                    \
	SUBQ  R9, dst                          \
	BACK                                   \
	MOVQ  dst, R10                         \
	MOVQ  dst, R11                         \
	CMPQ  dst, dst_base+0(FP)              \ // so it is if dst is not where src is
	JCS   done                             \
	VPMAXUB   -3(R13), Y1, Y4              \
	VPSUBUSB  all60<>(SB), Y4, Y6          \
	CMPL  BX, $-1                          \
	JEQ   ascii                            \
	JMP   other                            \
short: \
	CMPQ        left, $16                  \ // less than a block: zeros behind, and a result that is copied to its place
	JLT         end                        \
	CMPB        (src), $-64                \
	JLT         end                        \
	LEAQ        ascending16<>(SB), R9      \
	SUBQ        left, R9                   \
	VMOVDQU     -16(src)(left*1), X0       \
	VMOVDQU     32(R9), X1                 \
	VPSHUFB     X1, X0, X0                 \
	VMOVDQU     (src), X1                  \
	VINSERTI128 $1, X0, Y1, Y1             \
	VPERM2I128  $0x81, Y1, Y1, Y0          \
	VPALIGNR    $1, Y1, Y0, Y0             \
	VPCMPGTB    Y11, Y0, Y5                \
	VPMOVMSKB   Y5, BX                     \
	BZHIL       left, BX, BX               \
	MOVQ        dst, oldDst                \
	SUBQ        dst, dstEnd                \
	LEAQ        shortResult, dst           \
	ADDQ        dst, dstEnd                \
	MOVQ        dst, R10                   \
	MOVQ        dst, R11                   \
	JMP         first                      \
three: \
	VPSUBUSB allEF<>(SB), Y4, Y4           \
	VPXOR    X5, X5, X5                    \
	VPCMPGTB Y1, Y5, Y5                    \
	VPAND    all7F<>(SB), Y1, Y6           \
	VPAND    all3F<>(SB), Y5, Y5           \
	VPSUBUSB allE0<>(SB), Y3, Y10          \
	VPAND    Y2, Y5, Y9                    \
	PAIR_TROUBLE(Y0, Y1, Y2, Y3, Y5, Y0, all80<>(SB), all60<>(SB), all70<>(SB)) \
	VPOR     Y5, Y4, Y4                    \
	VPTEST   Y4, Y4                        \
	JNE      four                          \
	RORXL    $3, BX, AX                    \
	XORL     BX, AX                        \
	TESTL    $0x1FFFFFFF, AX               \
	JEQ      threes                        \
words: \
	VPSLLW $4, Y10, Y10                    \
planes: \
	FLUSH(STORE)                           \
	UNIT_WORDS                             \
	PUT_WORDS(size, PACK, STORE)           \
	JMP next                               \
threes: \
	TZCNTL BX, AX                          \ // the block looks like characters of three bytes: go back to the begin of the first
	LEAQ   -2(src)(AX*1), R13              \
	CMPQ   R13, start                      \
	JB     words                           \
	NEGQ   AX                              \
	LEAQ   2(left)(AX*1), AX               \
sixteen: \
	CMPQ       AX, $52                     \ // what 16 characters are read with
	JLT        other3                      \
	LEAQ       (16*size)(dst), R9          \
	CMPQ       R9, dstEnd                  \
	JA         other3                      \
	VMOVDQU    (R13), X0                   \
	VMOVDQU    12(R13), X1                 \
	VINSERTI128 $1, 24(R13), Y0, Y0        \
	VINSERTI128 $1, 36(R13), Y1, Y1        \
	VPSHUFB    reversedThrees<>(SB), Y0, Y0 \
	VPSHUFB    reversedThrees<>(SB), Y1, Y1 \
	VPXOR      threeMarks<>(SB), Y0, Y0    \
	VPXOR      threeMarks<>(SB), Y1, Y1    \
	VPOR       Y0, Y1, Y2                  \
	VPTEST     threeMarkers<>(SB), Y2      \
	JNE        other3                      \
	VPMADDUBSW threeFactors<>(SB), Y0, Y0  \
	VPMADDUBSW threeFactors<>(SB), Y1, Y1  \
	VPMADDWD   wordFactors<>(SB), Y0, Y0   \
	VPMADDWD   wordFactors<>(SB), Y1, Y1   \
	VPACKUSDW  Y1, Y0, Y0                  \
	VPAND      upperFive<>(SB), Y0, Y1     \
	VPXOR      X2, X2, X2                  \
	VPCMPEQW   Y1, Y2, Y2                  \
	VPCMPEQW   surrogates<>(SB), Y1, Y1    \
	VPOR       Y1, Y2, Y2                  \
	VPTEST     Y2, Y2                      \
	JNE        other3                      \
	FLUSH(STORE)                           \
	THREES                                 \
	MOVQ       R9, dst                     \
	MOVQ       R9, R10                     \
	MOVQ       R9, R11                     \
	ADDQ       $48, R13                    \
	SUBQ       $48, AX                     \
	MOVQ       R13, src                    \
	MOVQ       AX, left                    \
	XORL       BX, BX                      \
	JMP        sixteen                     \
other3: \
	TESTL BX, BX                           \
	JNE   words                            \
more: \
	TESTQ left, left                       \
	JLE   ended                            \
	CMPB  (src), $-64                      \ // a continuation byte is trouble
	JLT   end                              \
	CMPQ  left, $32                        \
	JGT   loop                             \
	JMP   rest                             \
ascii: \
	VPMOVMSKB Y1, AX                       \
	TESTL AX, AX                           \
	JNE   other                            \
ascii32: \
	LEAQ  (32*size)(dst), R9               \
	CMPQ  R9, dstEnd                       \
	JA    done                             \
	FLUSH(STORE)                           \
	VMOVDQU spread, Y4                     \
	TO_ORDER(order, Y4)                    \
	ASCII                                  \
	MOVQ  R9, dst                          \
	ADDQ  $32, src                         \
	SUBQ  $32, left                        \
ascii64: \
	CMPQ  left, $64                        \
	JLE   asciiEnd                         \
	LEAQ  (64*size)(dst), R9               \
	CMPQ  R9, dstEnd                       \
	JA    asciiEnd                         \
	VMOVDQU (src), Y0                      \
	VMOVDQU 32(src), Y1                    \
	VPOR    Y1, Y0, Y2                     \
	VPMOVMSKB Y2, AX                       \
	TESTL AX, AX                           \
	JNE   asciiEnd                         \
	TESTQ order, order                     \
	JNE   swapped64                        \
	ASCII64                                \
next64: \
	MOVQ  R9, dst                          \
	ADDQ  $64, src                         \
	SUBQ  $64, left                        \
	JMP   ascii64                          \
swapped64: \
	SWAPPED64                              \
	JMP   next64                           \
asciiEnd: \
	MOVQ dst, R10                          \
	MOVQ dst, R11                          \
	JMP  more                              \
four: \
	VPTEST Y5, Y5                          \ // trouble?
	JNE    done                            \
	FOUR                                   \
done: \
	CMPQ left, $32                         \
	JGT  end                               \
	MOVQ oldDst, dst                       \
	MOVQ dst, R10                          \
	JMP  end                               \
ended: \
	ADDQ left, src                         \ // the last block was short of so much
	XORL R13, R13                          \
	CMPQ src_len+32(FP), $32               \
	JGT  held                              \
	FLUSH(STORE)                           \
	LEAQ shortResult, R9                   \
	MOVQ dst, AX                           \
	SUBQ R9, AX                            \
	MOVQ oldDst, R10                       \
	LEAQ (R10)(AX*1), dst                  \
	JMP  copy                              \
end: \
	MOVQ src, AX                           \
	UNFINISHED(R9)                         \
	SUBQ src, AX                           \
	XORL R13, R13                          \
	SPLIT                                  \
held: \
	PUT_HELD(room, STORE, copy, quarters, eighths, sixteenths, out) \
	ADDQ R13, dst

#define PACK_WORDS(x, index, xo, yo) \
	VPSHUFB (R12)(index*1), x, xo

#define STORE_X(x, y, place) \
	VMOVDQU x, place

// ASCII_WORDS_AVX2 and ASCII_DOUBLEWORDS_AVX2 spread 32 bytes by the index in Y4.
#define ASCII_WORDS_AVX2(place, offset) \
	VBROADCASTI128 offset+0(place), Y0  \
	VBROADCASTI128 offset+16(place), Y1 \
	VPSHUFB   Y4, Y0, Y0                \
	VPSHUFB   Y4, Y1, Y1                \
	VMOVDQU   Y0, (2*offset+0)(dst)     \
	VMOVDQU   Y1, (2*offset+32)(dst)

#define ASCII64_WORDS_AVX2 \
	WIDEN_TO_WORDS(Y0, X0, Y2, 0) \
	WIDEN_TO_WORDS(Y1, X1, Y2, 64)

#define SWAPPED64_WORDS_AVX2 \
	ASCII_WORDS_AVX2(src, 0) \
	ASCII_WORDS_AVX2(src, 32)

#define THREES_WORDS \
	ORDER_WORDS(order, Y0) \
	VMOVDQU Y0, (dst)

// FOUR_WORDS_AVX2 does what FOUR_WORDS does, but lets a high surrogate end a block, if there is room for the low one. Y4 marks third bytes, Y5
// fourth bytes.
#define FOUR_WORDS_AVX2 \
	VMOVDQU   -2(R13), Y3           \
	VMOVDQU   -3(R13), Y0           \
	VPMAXUB   allF0<>(SB), Y3, Y4   \
	VPMAXUB   allF0<>(SB), Y0, Y5   \
	VPCMPEQB  Y3, Y4, Y4            \
	VPCMPEQB  Y0, Y5, Y5            \
	VPMOVMSKB Y4, AX                \
	ORL       AX, BX                \
	POPCNTL   BX, R9                \
	LEAQ      (dst)(R9*2), R9       \
	SHRL      $31, AX               \
	LEAQ      (R9)(AX*2), R9        \
	CMPQ      R9, dstEnd            \
	JA        done                  \
	VMOVDQU   (R13), Y1             \
	VMOVDQU   -1(R13), Y2           \
	VPSLLW    $2, Y2, Y0            \
	VPSRLW    $4, Y1, Y1            \
	VPAND     allFC<>(SB), Y0, Y0   \
	VPAND     all03<>(SB), Y1, Y1   \
	VPOR      Y1, Y0, Y0            \
	VPADDB    allC0<>(SB), Y0, Y0   \
	VPBLENDVB Y4, Y0, Y6, Y6        \
	VPCMPGTB  all8F<>(SB), Y2, Y1   \
	VPAND     Y15, Y3, Y3           \
	VPADDB    allD7<>(SB), Y3, Y3   \
	VPSUBB    Y1, Y3, Y3            \
	VPAND     Y15, Y10, Y10         \
	VPSLLW    $4, Y10, Y10          \
	VPBLENDVB Y4, Y3, Y10, Y10      \
	VPAND     allDC<>(SB), Y5, Y1   \
	VPOR      Y1, Y10, Y10          \
	VPAND     all30<>(SB), Y5, Y1   \
	VPOR      Y1, Y4, Y4            \
	VPANDN    Y9, Y4, Y9            \
	JMP       planes

// SPLIT_WORDS adds the low surrogate where the high one is put out, which is if three bytes are done.
#define SPLIT_WORDS \
	CMPQ    AX, $3            \
	JNE     held              \
	CMPQ    dst, dstEnd       \
	JEQ     held              \
	ADDQ    $4, src           \
	MOVBLZX -2(src), AX       \
	MOVBLZX -1(src), R9       \
	ANDL    $0x0F, AX         \
	SHLL    $6, AX            \
	ANDL    $0x3F, R9         \
	LEAL    0xDC00(AX)(R9*1), AX \
	VMOVD   AX, X0            \
	ORDER_WORDS(order, X0) \
	VMOVD   X0, AX            \
	MOVW    AX, (dst)         \
	MOVL    $2, R13

// BACK_WORDS goes back over the high surrogates of the lanes below AX, which third bytes put out. Uses: R9, Y3, Y4.
#define BACK_WORDS \
	VMOVDQU   -2(R13), Y3         \
	VPMAXUB   allF0<>(SB), Y3, Y4 \
	VPCMPEQB  Y3, Y4, Y4          \
	VPMOVMSKB Y4, R9              \
	BZHIL     AX, R9, R9          \
	POPCNTL   R9, R9              \
	ADDQ      R9, R9              \
	SUBQ      R9, dst

// func utf8ToUTF16AVX2(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)
//
// All of a source of 16 bytes or more, but for up to two bytes behind the first 32, and a block that has trouble or no room.
TEXT ·utf8ToUTF16AVX2(SB), NOSPLIT, $264-72
	MOVQ  dst_base+0(FP), dst
	MOVQ  dst_len+8(FP), dstEnd
	MOVQ  src_base+24(FP), src
	MOVQ  src_len+32(FP), left
	BYTE_ORDER(to+48(FP), order)
	LEAQ  ·packedWords(SB), R12
	TESTQ order, order
	JEQ   2(PC)
	ADDQ  $4096, R12            // the same for swapped words
	UTF8_TO_UNITS_AVX2(2, ·spreadWords(SB), ORDER_WORDS, room-264(SP), oldDst-168(SP), shortResult-160(SP), PACK_WORDS, STORE_X, ASCII_WORDS_AVX2(R13, 0), ASCII64_WORDS_AVX2, SWAPPED64_WORDS_AVX2, THREES_WORDS, FOUR_WORDS_AVX2, BACK_WORDS, SPLIT_WORDS)
	SUBQ  start, src
	SUBQ  dst_base+0(FP), dst
	SHRQ  $1, dst
	MOVQ  dst, nDst+56(FP)
	MOVQ  src, nSrc+64(FP)
	VZEROUPPER
	RET

#define PACK_DOUBLEWORDS(x, index, xo, yo) \
	VPSHUFB   (R12)(index*1), x, xo \
	VPMOVZXWD xo, yo                \
	ORDER_DOUBLEWORDS(order, yo)

#define STORE_Y(x, y, place) \
	VMOVDQU y, place

#define ASCII_DOUBLEWORDS_AVX2(place, offset) \
	VPBROADCASTQ offset+0(place), Y0 \
	VPBROADCASTQ offset+8(place), Y1 \
	VPBROADCASTQ offset+16(place), Y2 \
	VPBROADCASTQ offset+24(place), Y3 \
	VPSHUFB   Y4, Y0, Y0             \
	VPSHUFB   Y4, Y1, Y1             \
	VPSHUFB   Y4, Y2, Y2             \
	VPSHUFB   Y4, Y3, Y3             \
	VMOVDQU   Y0, (4*offset+0)(dst)  \
	VMOVDQU   Y1, (4*offset+32)(dst) \
	VMOVDQU   Y2, (4*offset+64)(dst) \
	VMOVDQU   Y3, (4*offset+96)(dst)

#define ASCII64_DOUBLEWORDS_AVX2 \
	WIDEN_TO_DOUBLEWORDS(Y0, X0, Y2, X2, 0) \
	WIDEN_TO_DOUBLEWORDS(Y1, X1, Y2, X2, 128)

#define SWAPPED64_DOUBLEWORDS_AVX2 \
	ASCII_DOUBLEWORDS_AVX2(src, 0) \
	ASCII_DOUBLEWORDS_AVX2(src, 32)

#define THREES_DOUBLEWORDS \
	VPMOVZXWD    X0, Y1      \
	VEXTRACTI128 $1, Y0, X0  \
	VPMOVZXWD    X0, Y2      \
	ORDER_DOUBLEWORDS(order, Y1)        \
	ORDER_DOUBLEWORDS(order, Y2)        \
	VMOVDQU      Y1, (dst)   \
	VMOVDQU      Y2, 32(dst)

// DOUBLEWORDS puts together the lower words in x and the upper ones in h that the entry of the table at an index says: the first four in h, the others in x.
// Uses: t.
#define DOUBLEWORDS(x, h, index, t) \
	VMOVDQU    (R12)(index*1), t \
	VPSHUFB    t, x, x           \
	VPSHUFB    t, h, h           \
	VPUNPCKLWD h, x, t           \
	VPUNPCKHWD h, x, x           \
	VMOVDQA    t, h              \
	ORDER_DOUBLEWORDS(order, h)             \
	ORDER_DOUBLEWORDS(order, x)

// PUT_DOUBLEWORDS stores at dst what DOUBLEWORDS gives, up to three too many, and leaves in place where it ends. Label one is for nothing else.
#define PUT_DOUBLEWORDS(x, h, index, t, one, place) \
	DOUBLEWORDS(x, h, index, t) \
	POPCNTL index, index        \
	VMOVDQU h, (dst)            \
	CMPL    index, $4           \
	JLE     one                 \
	VMOVDQU x, 16(dst)          \
one: \
	LEAQ    (dst)(index*4), place

// FOUR_DOUBLEWORDS_AVX2 does what FOUR_DOUBLEWORDS does. Y5 marks fourth bytes.
#define FOUR_DOUBLEWORDS_AVX2 \
	VMOVDQU   -2(R13), Y3         \
	VMOVDQU   -3(R13), Y0         \
	VPMAXUB   allF0<>(SB), Y0, Y5 \
	VPCMPEQB  Y0, Y5, Y5          \
	VPSLLW    $2, Y0, Y0          \
	VPSRLW    $4, Y3, Y1          \
	VPAND     all1C<>(SB), Y0, Y0 \
	VPAND     all03<>(SB), Y1, Y1 \
	VPOR      Y1, Y0, Y0          \
	VPAND     Y5, Y0, Y4          \
	VPAND     Y5, Y3, Y3          \
	VPOR      Y3, Y10, Y10        \
	VPAND     Y15, Y10, Y10       \
	VPSLLW    $4, Y10, Y10        \
	FLUSH(STORE_Y)                \
	UNIT_WORDS                    \
	VPXOR      X5, X5, X5         \
	VPUNPCKLBW Y5, Y4, Y2         \
	VPUNPCKHBW Y5, Y4, Y3         \
	VEXTRACTI128 $1, Y0, X5       \
	VEXTRACTI128 $1, Y2, X6       \
	VEXTRACTI128 $1, Y1, X9       \
	VEXTRACTI128 $1, Y3, X10      \
	INDEXES(28, 4, AX, R9)        \
	PUT_DOUBLEWORDS(X0, X2, AX, X4, firstEight, dst) \
	PUT_DOUBLEWORDS(X1, X3, R9, X4, secondEight, R10) \
	INDEXES(12, 20, AX, R9)       \
	DOUBLEWORDS(X5, X6, AX, X4)   \
	DOUBLEWORDS(X9, X10, R9, X4)  \
	POPCNTL AX, AX                \
	POPCNTL R9, R9                \
	VINSERTI128 $1, X5, Y6, Y7    \
	VINSERTI128 $1, X9, Y10, Y8   \
	LEAQ    (R10)(AX*4), R11      \
	LEAQ    (R11)(R9*4), dst      \
	JMP     next

#define NO_CODE

// func utf8ToUTF32AVX2(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)
//
// All of a source of 16 bytes or more, but for up to two bytes behind the first 32, and a block that has trouble or no room.
TEXT ·utf8ToUTF32AVX2(SB), NOSPLIT, $264-72
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), dstEnd
	MOVQ src_base+24(FP), src
	MOVQ src_len+32(FP), left
	BYTE_ORDER(to+48(FP), order)
	LEAQ ·packedWords(SB), R12
	UTF8_TO_UNITS_AVX2(4, ·spreadDoublewords(SB), ORDER_DOUBLEWORDS, room-264(SP), oldDst-168(SP), shortResult-160(SP), PACK_DOUBLEWORDS, STORE_Y, ASCII_DOUBLEWORDS_AVX2(R13, 0), ASCII64_DOUBLEWORDS_AVX2, SWAPPED64_DOUBLEWORDS_AVX2, THREES_DOUBLEWORDS, FOUR_DOUBLEWORDS_AVX2, NO_CODE, NO_CODE)
	SUBQ start, src
	SUBQ dst_base+0(FP), dst
	SHRQ $2, dst
	MOVQ dst, nDst+56(FP)
	MOVQ src, nSrc+64(FP)
	VZEROUPPER
	RET
