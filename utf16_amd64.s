// Well-formed prefix and lengths of UTF-16 and UTF-32 text, its conversion to UTF-8 and into each other, and the order of bytes in code units.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes and more, any length by masks).
// Bounds: loads within the source, stores within the result; what a mask leaves out is not touched. Clobbers: AX to DX, SI, DI, R8 to R13,
// vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// Words and doublewords to be broadcast.
DATA utf16Units<>+0(SB)/4, $0xD800D800  // the first surrogate
DATA utf16Units<>+4(SB)/4, $0xF800F800  // the bits that tell surrogates, and units from 800 on
DATA utf16Units<>+8(SB)/4, $0xDC00DC00  // the first low surrogate
DATA utf16Units<>+12(SB)/4, $0xFC00FC00 // the bits that tell low surrogates
DATA utf16Units<>+16(SB)/4, $0xFF80FF80 // the bits that ASCII lacks
DATA utf16Units<>+20(SB)/4, $0xD8D8D8D8 // the upper byte of the first high surrogate
DATA utf16Units<>+24(SB)/4, $0xDCDCDCDC // the upper byte of the first low surrogate
DATA utf16Units<>+28(SB)/4, $0x04040404 // how many upper bytes high and low surrogates have
DATA utf16Units<>+32(SB)/4, $0x00800080 // the first unit of two bytes in UTF-8
DATA utf16Units<>+36(SB)/4, $0x08000800 // the first of three
DATA utf16Units<>+40(SB)/4, $0xFCFCFCFC // the bits of an upper byte that tell surrogates
GLOBL utf16Units<>(SB), RODATA|NOPTR, $44
DATA utf32Units<>+0(SB)/4, $0x0000007F  // the last code point of one byte in UTF-8
DATA utf32Units<>+4(SB)/4, $0x000007FF  // of two
DATA utf32Units<>+8(SB)/4, $0x0000FFFF  // of three, and of one code unit in UTF-16
DATA utf32Units<>+12(SB)/4, $0x0000D800 // the first surrogate
DATA utf32Units<>+16(SB)/4, $0x00000800 // how many surrogates there are
DATA utf32Units<>+20(SB)/4, $0x0010F7FF // the last code point less that
DATA utf32Units<>+24(SB)/4, $0x00010000 // the first code point of two code units in UTF-16
GLOBL utf32Units<>(SB), RODATA|NOPTR, $28

// CHECK_UTF16_AVX2 adds to err the trouble in 32 code units, a and b, before which p and q stand: one before which a high surrogate stands
// is to be a low surrogate, and no others are. Uses: a, b, p, q. Requires: AVX2.
#define CHECK_UTF16_AVX2(a, b, p, q, err) \
	VPSRLW    $8, a, a     \
	VPSRLW    $8, b, b     \
	VPSRLW    $8, p, p     \
	VPSRLW    $8, q, q     \
	VPACKUSWB b, a, a      \
	VPACKUSWB q, p, p      \
	VPAND     Y15, a, a    \
	VPAND     Y15, p, p    \
	VPCMPEQB  Y14, a, a    \
	VPCMPEQB  Y13, p, p    \
	VPXOR     p, a, a      \
	VPOR      a, err, err

// func validUTF16PrefixAVX2(src []uint16) (n int)
//
// In steps of 64 and then of 32 code units, up to the first with trouble. Each step looks at the code units behind the first of the step
// before: src is one behind the last that is known to be in order, but that it may be a high surrogate. Less than 32 are left over.
TEXT ·validUTF16PrefixAVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	VPBROADCASTD utf16Units<>+20(SB), Y13
	VPBROADCASTD utf16Units<>+24(SB), Y14
	VPBROADCASTD utf16Units<>+40(SB), Y15
	VPXOR        X8, X8, X8 // the trouble so far
	CMPQ         left, $33
	JLT          out
	MOVWLZX      (src), AX
	ANDL         $0xFC00, AX
	CMPL         AX, $0xDC00
	JEQ          out
	ADDQ         $2, src
	SUBQ         $65, left
	JLT          rest

loop:
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y1
	VMOVDQU -2(src), Y2
	VMOVDQU 30(src), Y3
	VMOVDQU 64(src), Y4
	VMOVDQU 96(src), Y5
	VMOVDQU 62(src), Y6
	VMOVDQU 94(src), Y7
	CHECK_UTF16_AVX2(Y0, Y1, Y2, Y3, Y8)
	CHECK_UTF16_AVX2(Y4, Y5, Y6, Y7, Y8)
	VPTEST  Y8, Y8
	JNE     done
	ADDQ    $128, src
	SUBQ    $64, left
	JGE     loop

rest:
	ADDQ    $32, left
	JLT     done
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y1
	VMOVDQU -2(src), Y2
	VMOVDQU 30(src), Y3
	CHECK_UTF16_AVX2(Y0, Y1, Y2, Y3, Y8)
	VPTEST  Y8, Y8
	JNE     done
	ADDQ    $64, src

	// A high surrogate that waits for its low surrogate is not done.
done:
	MOVWLZX -2(src), AX
	ANDL    $0xFC00, AX
	LEAQ    -2(src), R10
	CMPL    AX, $0xD800
	CMOVQEQ R10, src

out:
	SUBQ start, src
	SHRQ $1, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET

// func validUTF32PrefixAVX2(src []rune) (n int)
//
// As validUTF32PrefixAVX512, in steps of 32 and then of 8 code units.
TEXT ·validUTF32PrefixAVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	VPBROADCASTD utf32Units<>+12(SB), Y13
	VPBROADCASTD utf32Units<>+16(SB), Y14
	VPBROADCASTD utf32Units<>+20(SB), Y15
	SUBQ         $32, left
	JLT          rest

loop:
	VPXOR    (src), Y13, Y0
	VPXOR    32(src), Y13, Y1
	VPXOR    64(src), Y13, Y2
	VPXOR    96(src), Y13, Y3
	VPSUBD   Y14, Y0, Y0
	VPSUBD   Y14, Y1, Y1
	VPSUBD   Y14, Y2, Y2
	VPSUBD   Y14, Y3, Y3
	VPMAXUD  Y1, Y0, Y0
	VPMAXUD  Y3, Y2, Y2
	VPMAXUD  Y15, Y0, Y0
	VPMAXUD  Y2, Y0, Y0
	VPXOR    Y15, Y0, Y0
	VPTEST   Y0, Y0
	JNE      done
	ADDQ     $128, src
	SUBQ     $32, left
	JGE      loop

rest:
	ADDQ     $24, left
	JLT      done
	VPXOR    (src), Y13, Y0
	VPSUBD   Y14, Y0, Y0
	VPMAXUD  Y15, Y0, Y0
	VPXOR    Y15, Y0, Y0
	VPTEST   Y0, Y0
	JNE      done
	ADDQ     $32, src
	SUBQ     $32, left // 8 less, and the 24 of the next turn
	JMP      rest

done:
	SUBQ start, src
	SHRQ $2, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET

// Upper bytes of the words of two vectors; bytes of the second, each with the one before it, the first with the last of the first.
DATA upperBytes<>+0x00(SB)/8, $0x0F0D0B0907050301
DATA upperBytes<>+0x08(SB)/8, $0x1F1D1B1917151311
DATA upperBytes<>+0x10(SB)/8, $0x2F2D2B2927252321
DATA upperBytes<>+0x18(SB)/8, $0x3F3D3B3937353331
DATA upperBytes<>+0x20(SB)/8, $0x4F4D4B4947454341
DATA upperBytes<>+0x28(SB)/8, $0x5F5D5B5957555351
DATA upperBytes<>+0x30(SB)/8, $0x6F6D6B6967656361
DATA upperBytes<>+0x38(SB)/8, $0x7F7D7B7977757371
GLOBL upperBytes<>(SB), RODATA|NOPTR, $64
DATA bytesBefore<>+0x00(SB)/8, $0x464544434241403F
DATA bytesBefore<>+0x08(SB)/8, $0x4E4D4C4B4A494847
DATA bytesBefore<>+0x10(SB)/8, $0x565554535251504F
DATA bytesBefore<>+0x18(SB)/8, $0x5E5D5C5B5A595857
DATA bytesBefore<>+0x20(SB)/8, $0x666564636261605F
DATA bytesBefore<>+0x28(SB)/8, $0x6E6D6C6B6A696867
DATA bytesBefore<>+0x30(SB)/8, $0x767574737271706F
DATA bytesBefore<>+0x38(SB)/8, $0x7E7D7C7B7A797877
GLOBL bytesBefore<>(SB), RODATA|NOPTR, $64

// CHECK_UTF16 adds to bit 2 of the bytes of err the trouble in 64 code units, a and b: one before which a high surrogate stands is to be a
// low surrogate, and no others are. The upper bytes tell, and those of the 64 before, in upper, which gets the new ones. Uses: a, t, upper.
// Requires: AVX-512 VBMI.
#define CHECK_UTF16(a, b, t, upper, err) \
	VPERMT2B   b, Z19, a         \
	VMOVDQA64  upper, t          \
	VMOVDQA64  a, upper          \
	VPERMT2B   a, Z20, t         \
	VPXORQ     Z17, a, a         \
	VPXORQ     Z16, t, t         \
	VPMINUB    Z18, a, a         \
	VPMINUB    Z18, t, t         \
	VPTERNLOGQ $0xF6, a, t, err

// func validUTF16PrefixAVX512(src []uint16) (n int)
//
// In steps of 128 code units, up to the first with trouble, and then of 64. Less than that is left over. What has no surrogates is passed.
TEXT ·validUTF16PrefixAVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	VPBROADCASTD utf16Units<>+20(SB), Z16
	VPBROADCASTD utf16Units<>+24(SB), Z17
	VPBROADCASTD utf16Units<>+28(SB), Z18
	VMOVDQU64    upperBytes<>(SB), Z19
	VMOVDQU64    bytesBefore<>(SB), Z20
	VPBROADCASTD utf16Units<>+0(SB), Z21
	VPBROADCASTD utf16Units<>+36(SB), Z22
	VPXOR        X10, X10, X10 // the trouble so far
	VPXOR        X11, X11, X11 // upper bytes of the 64 code units before
	SUBQ         $128, left
	JLT          rest

	// By exclusive or with the first, the surrogates become the lowest code units.
pass:
	VPXORQ   (src), Z21, Z0
	VPXORQ   64(src), Z21, Z1
	VPXORQ   128(src), Z21, Z2
	VPXORQ   192(src), Z21, Z3
	VPMINUW  Z1, Z0, Z0
	VPMINUW  Z3, Z2, Z2
	VPMINUW  Z2, Z0, Z0
	VPCMPUW  $1, Z22, Z0, K1
	KORTESTD K1, K1
	JNE      check
	ADDQ     $256, src
	SUBQ     $128, left
	JGE      pass
	JMP      rest

check:
	MOVL $8, R9 // steps until the next look for surrogates

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VMOVDQU64 128(src), Z2
	VMOVDQU64 192(src), Z3
	CHECK_UTF16(Z0, Z1, Z4, Z11, Z10)
	CHECK_UTF16(Z2, Z3, Z4, Z11, Z10)
	VPTESTMB  Z18, Z10, K1
	KORTESTQ  K1, K1
	JNE       done
	ADDQ      $256, src
	SUBQ      $128, left
	JLT       rest
	DECL      R9
	JGT       loop
	MOVWLZX   -2(src), AX // a high surrogate is to be looked at with what follows
	ANDL      $0xFC00, AX
	CMPL      AX, $0xD800
	JEQ       loop
	VPXOR     X11, X11, X11
	JMP       pass

rest:
	ADDQ      $64, left
	JLT       done
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	CHECK_UTF16(Z0, Z1, Z4, Z11, Z10)
	VPTESTMB  Z18, Z10, K1
	KORTESTQ  K1, K1
	JNE       done
	ADDQ      $128, src

	// A high surrogate that waits for its low surrogate is not done.
done:
	CMPQ    src, start
	JEQ     out
	MOVWLZX -2(src), AX
	ANDL    $0xFC00, AX
	LEAQ    -2(src), R10
	CMPL    AX, $0xD800
	CMOVQEQ R10, src

out:
	SUBQ start, src
	SHRQ $1, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET

// func validUTF32PrefixAVX512(src []rune) (n int)
//
// In steps of 64 code units and then of 16, up to the first with trouble. With the first surrogate taken from each by exclusive or, the surrogates are the
// lowest values; less their number, they are the highest.
TEXT ·validUTF32PrefixAVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	VPBROADCASTD utf32Units<>+12(SB), Z16
	VPBROADCASTD utf32Units<>+16(SB), Z17
	VPBROADCASTD utf32Units<>+20(SB), Z18
	SUBQ         $64, left
	JLT          rest

loop:
	VPXORD   (src), Z16, Z0
	VPXORD   64(src), Z16, Z1
	VPXORD   128(src), Z16, Z2
	VPXORD   192(src), Z16, Z3
	VPSUBD   Z17, Z0, Z0
	VPSUBD   Z17, Z1, Z1
	VPSUBD   Z17, Z2, Z2
	VPSUBD   Z17, Z3, Z3
	VPMAXUD  Z1, Z0, Z0
	VPMAXUD  Z3, Z2, Z2
	VPMAXUD  Z2, Z0, Z0
	VPCMPUD  $6, Z18, Z0, K1
	KORTESTW K1, K1
	JNE      done
	ADDQ     $256, src
	SUBQ     $64, left
	JGE      loop

rest:
	ADDQ     $48, left

vectors:
	JLT      last
	VPXORD   (src), Z16, Z0
	VPSUBD   Z17, Z0, Z0
	VPCMPUD  $6, Z18, Z0, K1
	KORTESTW K1, K1
	JNE      done
	ADDQ     $64, src
	SUBQ     $16, left
	JMP      vectors

	// The last vector begins where it has 16 code units, if the source does.
last:
	ADDQ        $16, left
	JEQ         done
	LEAQ        -64(src)(left*4), R10
	MOVL        $-1, AX
	CMPQ        R10, start
	JAE         masked
	MOVQ        src, R10
	BZHIL       left, AX, AX

masked:
	KMOVW       AX, K1
	VMOVDQU32.Z (R10), K1, Z0
	VPXORD      Z16, Z0, Z0
	VPSUBD      Z17, Z0, Z0
	VPCMPUD     $6, Z18, Z0, K1, K2
	KORTESTW    K2, K2
	JNE         done
	LEAQ        (src)(left*4), src

done:
	SUBQ start, src
	SHRQ $2, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET

// What kernels that count add to acc for the units of v: LOW_SURROGATES_AVX2 one for low surrogates; LENGTHS8_AVX2 one for code units from 80
// on, and one for those that have three bytes in UTF-8; LENGTHS8_OF_UTF32_AVX2 one for those from 80, 800 and 10000 on; SUPPLEMENTARY_AVX2
// one for those from 10000 on.
#define LOW_SURROGATES_AVX2(v, t, acc) \
	VPAND    Y9, v, v    \
	VPCMPEQW Y8, v, v    \
	VPSUBW   v, acc, acc

#define LENGTHS8_AVX2(v, t, acc) \
	VPMAXUW  Y10, v, t    \
	VPCMPEQW v, t, t      \
	VPSUBW   t, acc, acc  \
	VPMAXUW  Y11, v, t    \
	VPCMPEQW v, t, t      \
	VPSUBW   t, acc, acc  \
	VPAND    Y9, v, v     \
	VPCMPEQW Y8, v, v     \
	VPADDW   v, acc, acc

#define LENGTHS8_OF_UTF32_AVX2(v, t, acc) \
	VPMINUD  Y10, v, v    \
	VPCMPGTD Y8, v, t     \
	VPSUBD   t, acc, acc  \
	VPCMPGTD Y9, v, t     \
	VPSUBD   t, acc, acc  \
	VPCMPEQD Y10, v, t    \
	VPSUBD   t, acc, acc

#define SUPPLEMENTARY_AVX2(v, t, acc) \
	VPMAXUD  Y8, v, t     \
	VPCMPEQD v, t, t      \
	VPSUBD   t, acc, acc

// func utf32LenFromUTF16AVX2(src []uint16) (n int64)
TEXT ·utf32LenFromUTF16AVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	ADDQ         left, left
	VPBROADCASTD utf16Units<>+8(SB), Y8
	VPBROADCASTD utf16Units<>+12(SB), Y9
	COUNT_AVX2(LOW_SURROGATES_AVX2)
	SHRQ $1, R9
	SUBQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func utf8LenFromUTF16AVX2(src []uint16) (n int64)
TEXT ·utf8LenFromUTF16AVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	ADDQ         left, left
	VPBROADCASTD utf16Units<>+0(SB), Y8
	VPBROADCASTD utf16Units<>+4(SB), Y9
	VPBROADCASTD utf16Units<>+32(SB), Y10
	VPBROADCASTD utf16Units<>+36(SB), Y11
	COUNT_AVX2(LENGTHS8_AVX2)
	SHRQ $1, R9
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func utf8LenFromUTF32AVX2(src []rune) (n int64)
TEXT ·utf8LenFromUTF32AVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+0(SB), Y8
	VPBROADCASTD utf32Units<>+4(SB), Y9
	VPBROADCASTD utf32Units<>+24(SB), Y10
	COUNT_AVX2(LENGTHS8_OF_UTF32_AVX2)
	SHRQ $2, R9
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func utf16LenFromUTF32AVX2(src []rune) (n int64)
TEXT ·utf16LenFromUTF32AVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+24(SB), Y8
	COUNT_AVX2(SUPPLEMENTARY_AVX2)
	SHRQ $2, R9
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// LOW_SURROGATES marks the low surrogates of v in k1.
#define LOW_SURROGATES(v, k1, k2, k3) \
	VPXORQ    Z16, v, v     \
	VPTESTNMW Z17, v, k1

// func utf32LenFromUTF16AVX512(src []uint16) (n int64)
TEXT ·utf32LenFromUTF16AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	ADDQ         left, left
	VPBROADCASTD utf16Units<>+8(SB), Z16
	VPBROADCASTD utf16Units<>+12(SB), Z17
	COUNT_AVX512(LOW_SURROGATES, ADD_WORDS1, POPCOUNT_UNITS1, TOTAL1)
	SHRQ $1, R9
	SUBQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// LENGTHS8 marks the code units of v from 80 on in k1, those of them in k2 that have three bytes in UTF-8.
#define LENGTHS8(v, k1, k2, k3) \
	VPTESTMW Z18, v, k1     \
	VPTESTMW Z17, v, k2     \
	VPXORQ   Z16, v, v      \
	VPTESTMW Z17, v, k2, k2

// func utf8LenFromUTF16AVX512(src []uint16) (n int64)
TEXT ·utf8LenFromUTF16AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	ADDQ         left, left
	VPBROADCASTD utf16Units<>+0(SB), Z16
	VPBROADCASTD utf16Units<>+4(SB), Z17
	VPBROADCASTD utf16Units<>+16(SB), Z18
	COUNT_AVX512(LENGTHS8, ADD_WORDS2, POPCOUNT_UNITS2, TOTAL2)
	SHRQ $1, R9
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// ABOVE_ONE_TWO_THREE_BYTES marks the code units of v above 7F in k1, above 7FF in k2, above FFFF in k3, SUPPLEMENTARY the last alone in k1.
#define ABOVE_ONE_TWO_THREE_BYTES(v, k1, k2, k3) \
	VPCMPUD $6, Z16, v, k1 \
	VPCMPUD $6, Z17, v, k2 \
	VPCMPUD $6, Z18, v, k3

#define SUPPLEMENTARY(v, k1, k2, k3) \
	VPCMPUD $6, Z18, v, k1

// func utf8LenFromUTF32AVX512(src []rune) (n int64)
TEXT ·utf8LenFromUTF32AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+0(SB), Z16
	VPBROADCASTD utf32Units<>+4(SB), Z17
	VPBROADCASTD utf32Units<>+8(SB), Z18
	COUNT_AVX512(ABOVE_ONE_TWO_THREE_BYTES, ADD_DOUBLEWORDS3, POPCOUNT_UNITS3, TOTAL_DOUBLEWORDS)
	SHRQ $2, R9
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func utf16LenFromUTF32AVX512(src []rune) (n int64)
TEXT ·utf16LenFromUTF32AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+8(SB), Z18
	COUNT_AVX512(SUPPLEMENTARY, ADD_DOUBLEWORDS1, POPCOUNT_UNITS1, TOTAL1)
	SHRQ $2, R9
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// The bytes of words and of doublewords in the other order.
DATA swapWords<>+0(SB)/8, $0x0607040502030001
DATA swapWords<>+8(SB)/8, $0x0E0F0C0D0A0B0809
GLOBL swapWords<>(SB), RODATA|NOPTR, $16
DATA swapDoublewords<>+0(SB)/8, $0x0405060700010203
DATA swapDoublewords<>+8(SB)/8, $0x0C0D0E0F08090A0B
GLOBL swapDoublewords<>(SB), RODATA|NOPTR, $16

// SWAP_AVX2 copies the bytes of src to dst in the order of order. Less than 32 are left over.
#define SWAP_AVX2(order) \
	MOVQ           dst_base+0(FP), dst  \
	MOVQ           dst_len+8(FP), AX    \
	MOVQ           src_base+24(FP), src \
	MOVQ           src_len+32(FP), left \
	CMPQ           AX, left             \
	CMOVQLT        AX, left             \
	MOVQ           src, start           \
	VBROADCASTI128 order, Y15           \
	SUBQ           $64, left            \
	JLT            rest                 \
loop: \
	VMOVDQU (src), Y0                   \
	VMOVDQU 32(src), Y1                 \
	VPSHUFB Y15, Y0, Y0                 \
	VPSHUFB Y15, Y1, Y1                 \
	VMOVDQU Y0, (dst)                   \
	VMOVDQU Y1, 32(dst)                 \
	ADDQ    $64, src                    \
	ADDQ    $64, dst                    \
	SUBQ    $64, left                   \
	JGE     loop                        \
rest: \
	ADDQ    $32, left                   \
	JLT     done                        \
	VMOVDQU (src), Y0                   \
	VPSHUFB Y15, Y0, Y0                 \
	VMOVDQU Y0, (dst)                   \
	ADDQ    $32, src                    \
done: \
	SUBQ start, src

// func swap16AVX2(dst, src []byte) (n int)
TEXT ·swap16AVX2(SB), NOSPLIT, $0-56
	SWAP_AVX2(swapWords<>(SB))
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// func swap32AVX2(dst, src []byte) (n int)
TEXT ·swap32AVX2(SB), NOSPLIT, $0-56
	SWAP_AVX2(swapDoublewords<>(SB))
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// SWAP_AVX512 copies the bytes of src to dst in the order of order. Less than 64 are left over.
#define SWAP_AVX512(order) \
	MOVQ            dst_base+0(FP), dst  \
	MOVQ            dst_len+8(FP), AX    \
	MOVQ            src_base+24(FP), src \
	MOVQ            src_len+32(FP), left \
	CMPQ            AX, left             \
	CMOVQLT         AX, left             \
	MOVQ            src, start           \
	VBROADCASTI32X4 order, Z16           \
	SUBQ            $128, left           \
	JLT             rest                 \
loop: \
	VMOVDQU64 (src), Z0                  \
	VMOVDQU64 64(src), Z1                \
	VPSHUFB   Z16, Z0, Z0                \
	VPSHUFB   Z16, Z1, Z1                \
	VMOVDQU64 Z0, (dst)                  \
	VMOVDQU64 Z1, 64(dst)                \
	ADDQ      $128, src                  \
	ADDQ      $128, dst                  \
	SUBQ      $128, left                 \
	JGE       loop                       \
rest: \
	ADDQ      $64, left                  \
	JLT       done                       \
	VMOVDQU64 (src), Z0                  \
	VPSHUFB   Z16, Z0, Z0                \
	VMOVDQU64 Z0, (dst)                  \
	ADDQ      $64, src                   \
done: \
	SUBQ start, src

// func swap16AVX512(dst, src []byte) (n int)
TEXT ·swap16AVX512(SB), NOSPLIT, $0-56
	SWAP_AVX512(swapWords<>(SB))
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// func swap32AVX512(dst, src []byte) (n int)
TEXT ·swap32AVX512(SB), NOSPLIT, $0-56
	SWAP_AVX512(swapDoublewords<>(SB))
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// Lower bytes of the words of two vectors.
DATA lowerBytes<>+0x00(SB)/8, $0x0E0C0A0806040200
DATA lowerBytes<>+0x08(SB)/8, $0x1E1C1A1816141210
DATA lowerBytes<>+0x10(SB)/8, $0x2E2C2A2826242220
DATA lowerBytes<>+0x18(SB)/8, $0x3E3C3A3836343230
DATA lowerBytes<>+0x20(SB)/8, $0x4E4C4A4846444240
DATA lowerBytes<>+0x28(SB)/8, $0x5E5C5A5856545250
DATA lowerBytes<>+0x30(SB)/8, $0x6E6C6A6866646260
DATA lowerBytes<>+0x38(SB)/8, $0x7E7C7A7876747270
GLOBL lowerBytes<>(SB), RODATA|NOPTR, $64

// Three bytes for each character, from two planes: of the first byte in the first table, of the second in the second. The third, whose places
// have the index too, comes from a third plane.
DATA triples0<>+0x00(SB)/8, $0x4202014101004000
DATA triples0<>+0x08(SB)/8, $0x0504440403430302
DATA triples0<>+0x10(SB)/8, $0x0747070646060545
DATA triples0<>+0x18(SB)/8, $0x4A0A094909084808
DATA triples0<>+0x20(SB)/8, $0x0D0C4C0C0B4B0B0A
DATA triples0<>+0x28(SB)/8, $0x0F4F0F0E4E0E0D4D
DATA triples0<>+0x30(SB)/8, $0x5212115111105010
DATA triples0<>+0x38(SB)/8, $0x1514541413531312
GLOBL triples0<>(SB), RODATA|NOPTR, $64
DATA triples1<>+0x00(SB)/8, $0x1757171656161555
DATA triples1<>+0x08(SB)/8, $0x5A1A195919185818
DATA triples1<>+0x10(SB)/8, $0x1D1C5C1C1B5B1B1A
DATA triples1<>+0x18(SB)/8, $0x1F5F1F1E5E1E1D5D
DATA triples1<>+0x20(SB)/8, $0x6222216121206020
DATA triples1<>+0x28(SB)/8, $0x2524642423632322
DATA triples1<>+0x30(SB)/8, $0x2767272666262565
DATA triples1<>+0x38(SB)/8, $0x6A2A296929286828
GLOBL triples1<>(SB), RODATA|NOPTR, $64
DATA triples2<>+0x00(SB)/8, $0x2D2C6C2C2B6B2B2A
DATA triples2<>+0x08(SB)/8, $0x2F6F2F2E6E2E2D6D
DATA triples2<>+0x10(SB)/8, $0x7232317131307030
DATA triples2<>+0x18(SB)/8, $0x3534743433733332
DATA triples2<>+0x20(SB)/8, $0x3777373676363575
DATA triples2<>+0x28(SB)/8, $0x7A3A397939387838
DATA triples2<>+0x30(SB)/8, $0x3D3C7C3C3B7B3B3A
DATA triples2<>+0x38(SB)/8, $0x3F7F3F3E7E3E3D7D
GLOBL triples2<>(SB), RODATA|NOPTR, $64

// Masks of the third bytes.
DATA thirdBytes<>+0(SB)/8, $0x4924924924924924
DATA thirdBytes<>+8(SB)/8, $0x2492492492492492
DATA thirdBytes<>+16(SB)/8, $0x9249249249249249
GLOBL thirdBytes<>(SB), RODATA|NOPTR, $24

// Bytes and words to be broadcast, for the conversion to UTF-8.
DATA utf8Marks<>+0(SB)/4, $0xFF80FF80  // the bits that ASCII lacks
DATA utf8Marks<>+4(SB)/4, $0xF800F800  // those that characters of two bytes lack
DATA utf8Marks<>+8(SB)/4, $0x3F3F3F3F  // six bits
DATA utf8Marks<>+12(SB)/4, $0x80808080 // what a continuation byte has besides; also the bit that ASCII lacks
DATA utf8Marks<>+16(SB)/4, $0xC0C0C0C0 // what a lead byte of two has
DATA utf8Marks<>+20(SB)/4, $0xE0E0E0E0 // what a lead byte of three has
DATA utf8Marks<>+24(SB)/4, $0x08080808 // the first upper byte of characters of three
DATA utf8Marks<>+28(SB)/4, $0x03030303 // two bits
DATA utf8Marks<>+32(SB)/4, $0x0F0F0F0F // four bits
DATA utf8Marks<>+36(SB)/4, $0x80C080C0 // marks of two bytes in a word
DATA utf8Marks<>+40(SB)/4, $0x3F003F00 // the bits of the second of two bytes in a word
DATA utf8Marks<>+44(SB)/4, $0x00010001 // what the two bytes of a word have at least, if they are kept
DATA utf8Marks<>+48(SB)/4, $0xD8D8D8D8 // the upper byte of the first surrogate
DATA utf8Marks<>+52(SB)/4, $0x01010101 // what bytes that are kept have at least; a carry
DATA utf8Marks<>+56(SB)/4, $0xF0F0F0F0 // what a lead byte of four has
DATA utf8Marks<>+60(SB)/4, $0x04040404 // how many upper bytes high surrogates have
DATA utf8Marks<>+64(SB)/4, $0x40404040 // 10000 >> 10, by how much high surrogates lack
GLOBL utf8Marks<>(SB), RODATA|NOPTR, $68

// The conversions to UTF-8 work on 64 code units that are code points up to U+FFFF, in Z0 and Z1. Those that are missing at the end of a text
// are zeros: they put out a zero each, and these, at the end of the result, are not stored. R12 is how many count.

// MARKS loads what the steps below need: words and bytes to be broadcast, places of bytes, masks.
#define MARKS \
	VPBROADCASTD utf8Marks<>+0(SB), Z16  \
	VPBROADCASTD utf8Marks<>+4(SB), Z17  \
	VPBROADCASTD utf8Marks<>+8(SB), Z18  \
	VPBROADCASTD utf8Marks<>+12(SB), Z19 \
	VPBROADCASTD utf8Marks<>+16(SB), Z20 \
	VPBROADCASTD utf8Marks<>+20(SB), Z21 \
	VPBROADCASTD utf8Marks<>+24(SB), Z22 \
	VPBROADCASTD utf8Marks<>+28(SB), Z23 \
	VPBROADCASTD utf8Marks<>+32(SB), Z24 \
	VMOVDQU64    upperBytes<>(SB), Z25   \
	VMOVDQU64    lowerBytes<>(SB), Z26   \
	VMOVDQU64    triples0<>(SB), Z27     \
	VMOVDQU64    triples1<>(SB), Z28     \
	VMOVDQU64    triples2<>(SB), Z29     \
	VPBROADCASTD utf8Marks<>+48(SB), Z30 \
	VPBROADCASTD utf8Marks<>+52(SB), Z31 \
	VPBROADCASTD utf8Marks<>+36(SB), Z13 \
	VPBROADCASTD utf8Marks<>+40(SB), Z14 \
	VPBROADCASTD utf8Marks<>+44(SB), Z15 \
	KMOVQ        thirdBytes<>+0(SB), K4  \
	KMOVQ        thirdBytes<>+8(SB), K6  \
	KMOVQ        thirdBytes<>+16(SB), K7 \
	KNOTQ        K4, K1                  \
	KNOTQ        K6, K2                  \
	KNOTQ        K7, K3                  \
	VMOVDQU8.Z   Z31, K1, Z10            \
	VMOVDQU8.Z   Z31, K2, Z11            \
	VMOVDQU8.Z   Z31, K3, Z12

// PLANES makes of the upper and lower bytes, Z2 and Z3, planes of first, second and third bytes in Z5 to Z7: characters end in the third, and what
// a character does not have is zero. K1 gets the mask of those with two or three bytes, K3 that of those with three. Uses: Z4. Requires: AVX-512 BW.
#define PLANES \
	VMOVDQA64  Z3, Z4              \
	VPCMPUB    $5, Z22, Z2, K3     \
	VPTERNLOGQ $0xEA, Z2, Z19, Z4  \
	VPSLLW     $2, Z2, Z6          \
	VPTESTMB   Z4, Z4, K1          \
	VPSRLW     $6, Z3, Z4          \
	VPSRLW     $4, Z2, Z5          \
	VPTERNLOGQ $0xD8, Z23, Z4, Z6  \
	VMOVDQA64  Z20, Z4             \
	VPTERNLOGQ $0xEA, Z21, Z24, Z5 \
	VMOVDQU8   Z19, K3, Z4         \
	VMOVDQU8.Z Z5, K3, Z5          \
	VPTERNLOGQ $0xEA, Z4, Z18, Z6  \
	VMOVDQA64  Z3, Z4              \
	VMOVDQA64  Z3, Z7              \
	VPTERNLOGQ $0xEA, Z19, Z18, Z4 \
	VMOVDQU8.Z Z6, K1, Z6          \
	VMOVDQU8   Z4, K1, Z7

// TRIPLE puts 64 of the bytes in the planes in their order, and those that characters have together in packed. Uses: Z0, K2. Requires: AVX-512 VBMI2.
#define TRIPLE(places, thirds, least, packed, packedX) \
	VMOVDQA64     places, Z0             \
	VPERMI2B      Z6, Z5, Z0             \
	VPERMB        Z7, places, thirds, Z0 \
	VPXOR         packedX, packedX, packedX \
	VPCMPUB       $5, least, Z0, K2      \
	VPCOMPRESSB.Z Z0, K2, packed

// STORE_FIRST stores the first n bytes of v. Uses: t, K2. Requires: BMI2.
#define STORE_FIRST(v, n, t, to) \
	FIRST_BITS(n, t)    \
	KMOVQ    t, K2      \
	VMOVDQU8 v, K2, to

// STORE_PLANES stores what the planes have, by way of three vectors. Of the 192 places, the first 64 are those of 21 characters and the first of the
// 22nd, the first 128 those of 42 and two of the 43rd. If there is no room, label done is next. Uses: AX, R10, R11, R13, BX, Z0, Z8, Z9, Z1, K2.
#define STORE_PLANES \
	KMOVQ   K1, AX         \
	KMOVQ   K3, R10        \
	MOVQ    AX, R11        \
	MOVQ    R10, R13       \
	POPCNTQ AX, BX         \
	SHLQ    $21, R11       \
	SHLQ    $21, R13       \
	ADDQ    R12, BX        \
	SHLQ    $43, AX        \
	POPCNTQ R11, R11       \
	POPCNTQ R13, R13       \
	LEAQ    42(R11)(R13*1), R11 \ // the end of the second vector
	POPCNTQ R10, R13       \
	SHLQ    $42, R10       \
	POPCNTQ AX, AX         \
	POPCNTQ R10, R10       \
	ADDQ    R13, BX        \ // the end of the third
	LEAQ    21(AX)(R10*1), AX \ // the end of the first
	LEAQ    (dst)(BX*1), R13 \
	CMPQ    R13, dstEnd    \
	JA      done           \
	CMPQ    AX, BX         \
	CMOVQHI BX, AX         \
	CMPQ    R11, BX        \
	CMOVQHI BX, R11        \
	TRIPLE(Z27, K4, Z10, Z8, X8)   \
	TRIPLE(Z28, K6, Z11, Z9, X9)   \
	TRIPLE(Z29, K7, Z12, Z1, X1)   \
	STORE_FIRST(Z8, AX, R10, (dst)) \
	SUBQ    R11, BX        \
	SUBQ    AX, R11        \
	ADDQ    AX, dst        \
	STORE_FIRST(Z9, R11, R10, (dst)) \
	ADDQ    R11, dst       \
	STORE_FIRST(Z1, BX, R10, (dst)) \
	MOVQ    R13, dst

// PAIRS makes of v, 32 characters of up to two bytes, pairs of lead byte and trail byte, and packs them without the lead bytes of ASCII; n gets
// how many bytes that gives. Uses: v, t, K1, K2. Requires: AVX-512 VBMI2.
#define PAIRS(v, t, packed, packedX, n) \
	VPTESTNMW     Z16, v, K1           \
	VPSLLW        $8, v, t             \
	VPSRLW        $6, v, v             \
	KMOVD         K1, n                \
	VMOVDQA64     t, packed            \
	VPTERNLOGQ    $0xEA, v, Z14, packed \
	POPCNTL       n, n                 \
	VPORQ         Z13, packed, v       \
	NEGQ          n                    \
	VMOVDQU16     t, K1, v             \
	ADDQ          $64, n               \
	VPXOR         packedX, packedX, packedX \
	VPCMPUB       $5, Z15, v, K2       \
	VPCOMPRESSB.Z v, K2, packed

// STORE_PAIRS stores 64 characters of up to two bytes. If there is no room, label done is next. Uses: AX, R10, R11, R13, Z0, Z1, Z2 to Z5, K1, K2.
#define STORE_PAIRS \
	PAIRS(Z0, Z2, Z3, X3, AX)      \
	PAIRS(Z1, Z2, Z4, X4, R11)     \
	LEAQ  -64(R11)(AX*1), R11      \
	ADDQ  R12, R11                 \ // without the zeros for what is missing
	LEAQ  (dst)(R11*1), R13        \
	CMPQ  R13, dstEnd              \
	JA    done                     \
	CMPQ  AX, R11                  \
	CMOVQHI R11, AX                \
	STORE_FIRST(Z3, AX, R10, (dst)) \
	SUBQ  AX, R11                  \
	STORE_FIRST(Z4, R11, R10, (dst)(AX*1)) \
	MOVQ  R13, dst

// STORE_ASCII stores 64 characters of ASCII. If there is no room, label done is next. Uses: R10, R13, Z0, Z1, K2.
#define STORE_ASCII \
	LEAQ      (dst)(R12*1), R13       \
	CMPQ      R13, dstEnd             \
	JA        done                    \
	VPERMT2B  Z1, Z26, Z0             \
	STORE_FIRST(Z0, R12, R10, (dst))  \
	MOVQ      R13, dst

// func utf16ToUTF8AVX512(dst []byte, src []uint16) (nDst, nSrc int)
//
// All of the source, but for what has no room.
TEXT ·utf16ToUTF8AVX512(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), dstEnd
	MOVQ src_base+24(FP), src
	MOVQ src_len+32(FP), left
	MOVQ src, start
	MOVQ dst, R9
	ADDQ dst, dstEnd
	MARKS
	CMPQ left, $64
	JLT  last

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	MOVL      $64, R12

	// By the longest character.
block:
	VPORQ    Z0, Z1, Z2
	VPTESTMW Z16, Z2, K1
	KORTESTD K1, K1
	JEQ      ascii
	VPTESTMW Z17, Z2, K1
	KORTESTD K1, K1
	JEQ      pairs
	VMOVDQA64 Z0, Z2
	VMOVDQA64 Z0, Z3
	VPERMT2B Z1, Z25, Z2
	VPERMT2B Z1, Z26, Z3
	VPXORQ   Z30, Z2, Z8
	PLANES
	VPCMPUB  $1, Z22, Z8, K5
	KORTESTQ K5, K5
	JNE      surrogates

store:
	STORE_PLANES

next:
	LEAQ (src)(R12*2), src
	SUBQ R12, left
	CMPQ left, $64
	JGE  loop

	// Less than a block, with zeros behind it.
last:
	TESTQ       left, left
	JEQ         done
	MOVQ        left, R12
	FIRST_BITS(left, AX)
	KMOVD       AX, K1
	VMOVDQU16.Z (src), K1, Z0
	VPXOR       X1, X1, X1
	SHRQ        $32, AX
	JEQ         block // what is not there is not loaded by a mask either: that takes long where memory ends
	KMOVD       AX, K1
	VMOVDQU16.Z 64(src), K1, Z1
	JMP         block

ascii:
	STORE_ASCII
	JMP next

pairs:
	STORE_PAIRS
	JMP next

	// Surrogates put out two bytes each, the second and the third of the three places. They are in pairs; if the last code unit of a block is a high
	// one, it is left to the next block.
surrogates:
	VPBROADCASTD utf8Marks<>+60(SB), Z9
	VPCMPUB      $1, Z9, Z8, K2 // high ones
	KANDNQ       K5, K2, K5     // low ones
	KMOVQ        K2, AX
	KMOVQ        K5, R10
	CMPQ         R12, $64
	JNE          paired
	BTQ          $63, AX
	JCC          paired
	BTRQ         $63, AX
	MOVL         $63, R12
	KSHIFTLQ     $1, K1, K1
	KSHIFTRQ     $1, K1, K1

paired:
	ADDQ AX, AX
	CMPQ AX, R10
	JNE  done

	// High ones: F0 and three bits, 80 and six bits, of the code point, which is 10000 more than what they and low ones have: 40 more than they have.
	VPBROADCASTD utf8Marks<>+56(SB), Z1
	VPANDQ       Z23, Z2, Z8
	VPORQ        Z1, Z8, Z8
	VPCMPUB      $5, Z20, Z3, K3
	VPADDB       Z31, Z8, K3, Z8
	VPBROADCASTD utf8Marks<>+64(SB), Z0
	VPADDB       Z0, Z3, Z0
	VPSRLW       $2, Z0, Z0
	VPTERNLOGQ   $0xEA, Z19, Z18, Z0
	VMOVDQU8     Z8, K2, Z6
	VMOVDQU8     Z0, K2, Z7

	// Low ones: 80 and two bits of the one before and four of their own, 80 and six bits.
	VMOVDQU64    bytesBefore<>(SB), Z8
	VPERMB       Z3, Z8, Z8
	VPSLLW       $4, Z8, Z8
	VPSRLW       $6, Z3, Z0
	VPSLLW       $2, Z2, Z1
	VPTERNLOGQ   $0xD8, Z23, Z0, Z1
	VPTERNLOGQ   $0xD8, Z24, Z1, Z8
	VPTERNLOGQ   $0xEA, Z19, Z18, Z8
	VMOVDQU8     Z8, K5, Z6

	// The first place is for neither.
	VPCMPUB    $5, Z22, Z2, K3
	KORQ       K2, K5, K5
	KANDNQ     K3, K5, K3
	VMOVDQU8.Z Z5, K3, Z5
	VMOVDQU8.Z Z6, K1, Z6
	JMP        store

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $1, src
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET

// Lower words of the doublewords of two vectors.
DATA lowerWords<>+0x00(SB)/8, $0x0006000400020000
DATA lowerWords<>+0x08(SB)/8, $0x000E000C000A0008
DATA lowerWords<>+0x10(SB)/8, $0x0016001400120010
DATA lowerWords<>+0x18(SB)/8, $0x001E001C001A0018
DATA lowerWords<>+0x20(SB)/8, $0x0026002400220020
DATA lowerWords<>+0x28(SB)/8, $0x002E002C002A0028
DATA lowerWords<>+0x30(SB)/8, $0x0036003400320030
DATA lowerWords<>+0x38(SB)/8, $0x003E003C003A0038
GLOBL lowerWords<>(SB), RODATA|NOPTR, $64

// Doublewords to be broadcast, for the conversion of characters of four bytes among others.
DATA wideMarks<>+0(SB)/4, $0xFFFF0000  // the bits that code points up to U+FFFF lack
DATA wideMarks<>+4(SB)/4, $0x808080F0  // marks of four bytes, the first in the lowest
DATA wideMarks<>+8(SB)/4, $0x8080E000  // of three
DATA wideMarks<>+12(SB)/4, $0x80C00000 // of two
DATA wideMarks<>+16(SB)/4, $0x00010101 // what the four bytes of a doubleword have at least, if they are kept
GLOBL wideMarks<>(SB), RODATA|NOPTR, $20
DATA sixBits<>+0(SB)/8, $0x20262C3200060C12 // where three, six, six and six bits of a code point begin, for two doublewords
GLOBL sixBits<>(SB), RODATA|NOPTR, $8

// func utf32ToUTF8AVX512(dst []byte, src []rune) (nDst, nSrc int)
//
// All of the source, but for what has no room.
TEXT ·utf32ToUTF8AVX512(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), dstEnd
	MOVQ src_base+24(FP), src
	MOVQ src_len+32(FP), left
	MOVQ src, start
	MOVQ dst, R9
	ADDQ dst, dstEnd
	MARKS
	CMPQ left, $64
	JLT  last

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z2
	VMOVDQU64 128(src), Z1
	VMOVDQU64 192(src), Z3
	MOVL      $64, R12

	// Characters up to U+FFFF are made words.
block:
	VPBROADCASTD wideMarks<>+0(SB), Z8
	VPORQ        Z0, Z1, Z4
	VPTERNLOGQ   $0xFE, Z2, Z3, Z4
	VPTESTMD     Z8, Z4, K1
	KORTESTW     K1, K1
	JNE          wide
	VMOVDQU64    lowerWords<>(SB), Z8
	VPERMT2W     Z2, Z8, Z0
	VPERMT2W     Z3, Z8, Z1
	VPORQ        Z0, Z1, Z2
	VPTESTMW     Z16, Z2, K1
	KORTESTD     K1, K1
	JEQ          ascii
	VPTESTMW     Z16, Z0, K1
	KORTESTD     K1, K1
	JEQ          asciiHalf

mixed:
	VPTESTMW     Z17, Z2, K1
	KORTESTD     K1, K1
	JEQ          pairs
	VMOVDQA64    Z0, Z2
	VMOVDQA64    Z0, Z3
	VPERMT2B     Z1, Z25, Z2
	VPERMT2B     Z1, Z26, Z3
	VPXORQ       Z30, Z2, Z8
	PLANES
	VPCMPUB      $1, Z22, Z8, K5
	KORTESTQ     K5, K5
	JNE          done // surrogates
	STORE_PLANES

next:
	LEAQ (src)(R12*4), src
	SUBQ R12, left
	CMPQ left, $64
	JGE  loop

	// Less than a block, with zeros behind it.
last:
	TESTQ       left, left
	JEQ         done
	MOVQ        left, R12
	FIRST_BITS(left, AX)
	KMOVW       AX, K1
	VMOVDQU32.Z (src), K1, Z0
	VPXOR       X1, X1, X1
	VPXOR       X2, X2, X2
	VPXOR       X3, X3, X3
	SHRQ        $16, AX
	JEQ         block // what is not there is not loaded by a mask either: that takes long where memory ends
	KMOVW       AX, K1
	VMOVDQU32.Z 64(src), K1, Z2
	SHRQ        $16, AX
	JEQ         block
	KMOVW       AX, K1
	VMOVDQU32.Z 128(src), K1, Z1
	SHRQ        $16, AX
	JEQ         block
	KMOVW       AX, K1
	VMOVDQU32.Z 192(src), K1, Z3
	JMP         block

ascii:
	STORE_ASCII
	JMP next

	// The first half of a whole block is: the next block begins with the other half.
asciiHalf:
	CMPL    R12, $64
	JNE     mixed
	LEAQ    32(dst), R13
	CMPQ    R13, dstEnd
	JA      done
	VPMOVWB Z0, (dst)
	MOVQ    R13, dst
	MOVL    $32, R12
	JMP     next

pairs:
	STORE_PAIRS
	JMP next

	// 16 code units with any character, four bytes for each, of which those that it has are kept.
wide:
	MOVL           $16, R12
	CMPQ           left, R12
	CMOVQLT        left, R12
	FIRST_BITS(R12, AX)
	KMOVW          AX, K1
	VMOVDQU32.Z    (src), K1, Z0
	VPBROADCASTD   utf32Units<>+12(SB), Z1
	VPBROADCASTD   utf32Units<>+16(SB), Z2
	VPBROADCASTD   utf32Units<>+20(SB), Z3
	VPBROADCASTQ   sixBits<>(SB), Z4
	VPXORD         Z1, Z0, Z1
	VPSUBD         Z2, Z1, Z1
	VPCMPUD        $6, Z3, Z1, K1
	KORTESTW       K1, K1
	JNE            done
	VPBROADCASTD   utf32Units<>+0(SB), Z1
	VPBROADCASTD   utf32Units<>+4(SB), Z2
	VPBROADCASTD   utf32Units<>+8(SB), Z3
	VPCMPUD        $2, Z1, Z0, K1
	VPCMPUD        $6, Z2, Z0, K2
	VPCMPUD        $6, Z3, Z0, K3
	VPMULTISHIFTQB Z0, Z4, Z4
	VPBROADCASTD   wideMarks<>+12(SB), Z5
	VPBROADCASTD   wideMarks<>+8(SB), K2, Z5
	VPBROADCASTD   wideMarks<>+4(SB), K3, Z5
	VPBROADCASTD   wideMarks<>+16(SB), Z6
	VPTERNLOGQ     $0xEA, Z5, Z18, Z4
	VPSLLD         $24, Z0, K1, Z4
	VPCMPUB        $5, Z6, Z4, K2
	VPXOR          X8, X8, X8
	VPCOMPRESSB.Z  Z4, K2, Z8
	KMOVQ          K2, AX
	POPCNTQ        AX, AX
	LEAQ           -16(AX)(R12*1), AX // without the zeros for what is missing
	LEAQ           (dst)(AX*1), R13
	CMPQ           R13, dstEnd
	JA             done
	STORE_FIRST(Z8, AX, R10, (dst))
	MOVQ           R13, dst
	LEAQ           (src)(R12*4), src
	SUBQ           R12, left
	CMPQ           left, $16
	JLT            last
	VPBROADCASTD   wideMarks<>+0(SB), Z8
	VPTESTMD       (src), Z8, K1
	KORTESTW       K1, K1
	JNE            wide
	CMPQ           left, $64
	JGE            loop
	JMP            last

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $2, src
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET

// STORE_FIRST_DOUBLEWORDS stores the first n of 32 doublewords in lo and hi. Uses: t, K1, K2. Requires: AVX-512 BW, BMI2.
#define STORE_FIRST_DOUBLEWORDS(n, lo, hi, t) \
	MOVL      $-1, t          \
	BZHIL     n, t, t         \
	KMOVD     t, K1           \
	KSHIFTRD  $16, K1, K2     \
	VMOVDQU32 lo, K1, (dst)   \
	VMOVDQU32 hi, K2, 64(dst)

// Doublewords to be broadcast.
DATA pairBase<>+0(SB)/4, $0xFCA02400 // 10000 - (D800 << 10) - DC00: what lacks a high surrogate shifted by 10 and a low one to be a code point
DATA pairBase<>+4(SB)/4, $0xDC00D7C0 // the marks of surrogates, less 10000 >> 10
DATA pairBase<>+8(SB)/4, $0x03FF0000 // what a low surrogate has of a code point
DATA pairBase<>+12(SB)/4, $0x04000400 // how many high surrogates there are
GLOBL pairBase<>(SB), RODATA|NOPTR, $16

// func utf16ToUTF32AVX512(dst []rune, src []uint16) (nDst, nSrc int)
//
// In blocks of 32 code units, of which the last may be partial. All of the source, but for what has no room.
TEXT ·utf16ToUTF32AVX512(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVQ         src, start
	MOVQ         dst, R9
	LEAQ         (dst)(dstEnd*4), dstEnd
	VPBROADCASTD utf16Units<>+0(SB), Z16
	VPBROADCASTD utf16Units<>+36(SB), Z17
	VPBROADCASTD pairBase<>+12(SB), Z18
	VPBROADCASTD pairBase<>+0(SB), Z19
	VPXOR        X10, X10, X10
	CMPQ         left, $32
	JLT          last

loop:
	VMOVDQU64 (src), Z0
	MOVL      $32, R12

block:
	VPXORQ        Z16, Z0, Z1
	VEXTRACTI64X4 $1, Z0, Y3
	VPMOVZXWD     Y0, Z2
	VPCMPUW       $1, Z17, Z1, K1
	VPMOVZXWD     Y3, Z3
	KORTESTD      K1, K1
	JNE           surrogates
	LEAQ          (dst)(R12*4), R13
	CMPQ          R13, dstEnd
	JA            done
	CMPL          R12, $32
	JLT           partial
	VMOVDQU64     Z2, (dst)
	VMOVDQU64     Z3, 64(dst)

next:
	MOVQ R13, dst
	LEAQ (src)(R12*2), src
	SUBQ R12, left
	CMPQ left, $32
	JGE  loop

last:
	TESTQ       left, left
	JEQ         done
	MOVQ        left, R12
	MOVL        $-1, AX
	BZHIL       R12, AX, AX
	KMOVD       AX, K1
	VMOVDQU16.Z (src), K1, Z0
	JMP         block

partial:
	STORE_FIRST_DOUBLEWORDS(R12, Z2, Z3, AX)
	JMP next

	// They are in pairs; if the last code unit of a block is a high one, it is left to the next block.
surrogates:
	VPCMPUW $1, Z18, Z1, K2 // high ones
	KANDND  K1, K2, K3      // low ones
	KMOVD   K2, AX
	KMOVD   K3, R10
	CMPL    R12, $32
	JNE     paired
	BTL     $31, AX
	JCC     paired
	MOVL    $31, R12

paired:
	ADDL AX, AX
	CMPL AX, R10
	JNE  done

	// Each high one is joined with the next code unit, and the low ones are left out.
	VALIGND       $1, Z2, Z3, Z4
	VALIGND       $1, Z3, Z10, Z5
	VPADDD        Z19, Z4, Z4
	VPADDD        Z19, Z5, Z5
	VPSLLD        $10, Z2, Z6
	VPSLLD        $10, Z3, Z7
	KSHIFTRD      $16, K2, K4
	VPADDD        Z6, Z4, K2, Z2
	VPADDD        Z7, Z5, K4, Z3
	KNOTD         K3, K3
	KSHIFTRD      $16, K3, K4
	VPXOR         X8, X8, X8
	VPXOR         X9, X9, X9
	VPCOMPRESSD.Z Z2, K3, Z8
	VPCOMPRESSD.Z Z3, K4, Z9
	MOVWLZX       R10, AX
	POPCNTL       R10, R10
	POPCNTL       AX, AX
	MOVL          R12, R11
	SUBL          R10, R11 // characters
	LEAQ          (dst)(R11*4), R13
	CMPQ          R13, dstEnd
	JA            done
	NEGL          AX
	ADDL          $16, AX  // in the first half
	CMPL          AX, R11
	CMOVLHI       R11, AX
	SUBL          AX, R11
	MOVL          $-1, R10
	BZHIL         AX, R10, R10
	KMOVW         R10, K1
	MOVL          $-1, R10
	BZHIL         R11, R10, R10
	KMOVW         R10, K2
	VMOVDQU32     Z8, K1, (dst)
	VMOVDQU32     Z9, K2, (dst)(AX*4)
	JMP           next

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $1, src
	SHRQ $2, dst
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET

// func utf32ToUTF16AVX512(dst []uint16, src []rune) (nDst, nSrc int)
//
// In blocks of 32 code units, or of 16 that have surrogates in the result; the last may be partial. All of the source, but for what has no room, and
// what is before trouble in a block.
TEXT ·utf32ToUTF16AVX512(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVQ         src, start
	MOVQ         dst, R9
	LEAQ         (dst)(dstEnd*2), dstEnd
	VPBROADCASTD utf32Units<>+12(SB), Z16
	VPBROADCASTD utf32Units<>+16(SB), Z17
	VPBROADCASTD utf32Units<>+20(SB), Z18
	VPBROADCASTD wideMarks<>+0(SB), Z19
	VMOVDQU64    lowerWords<>(SB), Z20
	VPBROADCASTD pairBase<>+4(SB), Z21
	VPBROADCASTD pairBase<>+8(SB), Z22
	CMPQ         left, $32
	JLT          last

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	MOVL      $32, R12

block:
	VPXORD   Z16, Z0, Z2
	VPXORD   Z16, Z1, Z3
	VPSUBD   Z17, Z2, Z2
	VPSUBD   Z17, Z3, Z3
	VPORQ    Z0, Z1, Z4
	VPMAXUD  Z3, Z2, Z2
	VPTESTMD Z19, Z4, K2
	VPCMPUD  $6, Z18, Z2, K1
	KORTESTW K2, K1
	JNE      wide
	LEAQ     (dst)(R12*2), R13
	CMPQ     R13, dstEnd
	JA       done
	VPERMT2W Z1, Z20, Z0
	CMPL     R12, $32
	JLT      partial
	VMOVDQU64 Z0, (dst)

next:
	MOVQ R13, dst
	LEAQ (src)(R12*4), src
	SUBQ R12, left
	CMPQ left, $32
	JGE  loop

last:
	TESTQ       left, left
	JEQ         done
	MOVQ        left, R12
	MOVL        $-1, AX
	BZHIL       R12, AX, AX
	KMOVD       AX, K1
	VMOVDQU32.Z (src), K1, Z0
	VPXOR       X1, X1, X1
	SHRL        $16, AX
	JEQ         block // what is not there is not loaded by a mask either: that takes long where memory ends
	KMOVW       AX, K1
	VMOVDQU32.Z 64(src), K1, Z1
	JMP         block

partial:
	MOVL      $-1, AX
	BZHIL     R12, AX, AX
	KMOVD     AX, K1
	VMOVDQU16 Z0, K1, (dst)
	JMP       next

	// 16 code units with trouble or with characters of two, which take a doubleword, of which others keep the lower word.
wide:
	MOVL     $16, AX
	CMPL     R12, AX
	CMOVLHI  AX, R12
	VPXORD   Z16, Z0, Z2
	VPSUBD   Z17, Z2, Z2
	VPCMPUD  $6, Z18, Z2, K1
	KORTESTW K1, K1
	JNE      done
	VPTESTMD Z19, Z0, K1
	VPSRLD   $10, Z0, Z2
	VPSLLD   $16, Z0, Z3
	KMOVW    K1, AX
	VPTERNLOGD $0xF8, Z22, Z3, Z2
	POPCNTL  AX, R10
	VPADDD   Z21, Z2, K1, Z0
	ADDL     R12, R10
	LEAQ     (dst)(R10*2), R13
	CMPQ     R13, dstEnd
	JA       done
	MOVL     $0xAAAAAAAA, R11
	PDEPL    R11, AX, AX
	ORL      $0x55555555, AX
	KMOVD    AX, K1
	VPXOR    X5, X5, X5
	VPCOMPRESSW.Z Z0, K1, Z5
	MOVL     $-1, R11
	BZHIL    R10, R11, R11
	KMOVD    R11, K1
	VMOVDQU16 Z5, K1, (dst)
	JMP      next

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $2, src
	SHRQ $1, dst
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET
