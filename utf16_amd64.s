// Well-formed prefix and lengths of UTF-16 and UTF-32 text, and the order of bytes in code units.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes, counts of any length by masks).
// Bounds: loads within [src, src+left), stores within [dst, dst+left); what a mask leaves out is not touched. Clobbers: AX, CX, SI, DI,
// R8 to R13, vectors, masks. VZEROUPPER before each RET.

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

// BEYOND_TWO_BYTES and so on mark the code units of v above 7F in k1, above 7FF in k2, above FFFF in k3, or these alone in k1.
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
