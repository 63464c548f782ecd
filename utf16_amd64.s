// Well-formed prefix and lengths of UTF-16 and UTF-32 text, the order of bytes in code units, and conversions from UTF-16 and UTF-32 to each other
// and to UTF-8.
//
// Levels: AVX2 (32 bytes a step, conversions 16 or 32 code units), AVX512 (64 bytes, counts of any length by masks).
// Bounds: loads within [src, src+left), or before src where the last code units are taken together with those before; stores within
// [dst, dst+left), or [dst, dstEnd) and within the result; what a mask leaves out is not touched. Clobbers: AX to DX, SI, DI, R8 to R14,
// vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// Words and doublewords to be broadcast.
DATA utf16Units<>+0(SB)/4, $0xD800D800 // the first surrogate
DATA utf16Units<>+4(SB)/4, $0xF800F800 // the bits that tell surrogates, and units from 800 on
DATA utf16Units<>+8(SB)/4, $0xDC00DC00 // the first low surrogate
DATA utf16Units<>+12(SB)/4, $0xFC00FC00 // the bits that tell low surrogates
DATA utf16Units<>+16(SB)/4, $0xFF80FF80 // the bits that ASCII lacks
DATA utf16Units<>+20(SB)/4, $0xD8D8D8D8 // the upper byte of the first high surrogate
DATA utf16Units<>+24(SB)/4, $0xDCDCDCDC // the upper byte of the first low surrogate
DATA utf16Units<>+28(SB)/4, $0x04040404 // how many upper bytes high and low surrogates have
DATA utf16Units<>+32(SB)/4, $0x00800080 // the first unit of two bytes in UTF-8
DATA utf16Units<>+36(SB)/4, $0x08000800 // the first of three
DATA utf16Units<>+40(SB)/4, $0xFCFCFCFC // the bits of an upper byte that tell surrogates
DATA utf16Units<>+44(SB)/4, $0x7F7F7F7F // added to upper bytes, with saturation, top bits for all but 0
DATA utf16Units<>+48(SB)/4, $0x80808080 // top bits
GLOBL utf16Units<>(SB), RODATA|NOPTR, $52
DATA utf32Units<>+0(SB)/4, $0x0000007F // the last code point of one byte in UTF-8
DATA utf32Units<>+4(SB)/4, $0x000007FF // of two
DATA utf32Units<>+8(SB)/4, $0x0000FFFF // of three, and of one code unit in UTF-16
DATA utf32Units<>+12(SB)/4, $0x0000D800 // the first surrogate
DATA utf32Units<>+16(SB)/4, $0x00000800 // how many surrogates there are
DATA utf32Units<>+20(SB)/4, $0x0010F7FF // the last code point less that
DATA utf32Units<>+24(SB)/4, $0x00010000 // the first code point of two code units in UTF-16
DATA utf32Units<>+28(SB)/4, $0x000027FF // makes, by exclusive or, the surrogates the highest code points up to FFFF
DATA utf32Units<>+32(SB)/4, $0x0000F7FF // the highest that is not one of them
GLOBL utf32Units<>(SB), RODATA|NOPTR, $36

// SWAP copies the bytes of src to dst in the order of index, in steps of two vectors of size bytes, which MOVE loads and stores. Less than one is left over.
#define SWAP(index, MOVE, size, v0, v1, places) \
	MOVQ    dst_base+0(FP), dst  \
	MOVQ    dst_len+8(FP), AX    \
	MOVQ    src_base+24(FP), src \
	MOVQ    src_len+32(FP), left \
	CMPQ    AX, left             \
	CMOVQLT AX, left             \
	MOVQ    src, start           \
	MOVE    index, places        \
	SUBQ    $(2*size), left      \
	JLT     rest                 \
loop: \
	MOVE    (src), v0            \
	MOVE    size(src), v1        \
	VPSHUFB places, v0, v0        \
	VPSHUFB places, v1, v1        \
	MOVE    v0, (dst)            \
	MOVE    v1, size(dst)        \
	ADDQ    $(2*size), src       \
	ADDQ    $(2*size), dst       \
	SUBQ    $(2*size), left      \
	JGE     loop                 \
rest: \
	ADDQ    $size, left          \
	JLT     done                 \
	MOVE    (src), v0            \
	VPSHUFB places, v0, v0        \
	MOVE    v0, (dst)            \
	ADDQ    $size, src           \
done: \
	SUBQ start, src

// CHECK_UTF16_AVX2 adds to err the trouble in 32 code units, a and b, before which p and q stand: one before which a high surrogate stands
// is to be a low surrogate, and no others are. Uses: a, b, p, q. Requires: AVX2.
#define CHECK_UTF16_AVX2(a, b, p, q, err) \
	TESTQ     order, order \
	JEQ       5(PC)        \
	VPSLLW    $8, a, a     \ // the lower byte comes first
	VPSLLW    $8, b, b     \
	VPSLLW    $8, p, p     \
	VPSLLW    $8, q, q     \
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

// func validUTF16PrefixAVX2(src []uint16, from byteOrder) (n int)
//
// In steps of 64 and then of 32 code units, up to the first with trouble. Each step looks at the code units behind the first of the step
// before: src is one behind the last that is known to be in order, but that it may be a high surrogate.
TEXT ·validUTF16PrefixAVX2(SB), NOSPLIT, $0-40
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	BYTE_ORDER(from+24(FP), order)
	VPBROADCASTD utf16Units<>+20(SB), Y13
	VPBROADCASTD utf16Units<>+24(SB), Y14
	VPBROADCASTD utf16Units<>+40(SB), Y15
	VPXOR        X8, X8, X8               // the trouble so far
	CMPQ         left, $33
	JLT          out
	MOVWLZX      (src), AX
	TESTQ        order, order
	JEQ          2(PC)
	ROLW         $8, AX
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
	JLT     last
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y1
	VMOVDQU -2(src), Y2
	VMOVDQU 30(src), Y3
	CHECK_UTF16_AVX2(Y0, Y1, Y2, Y3, Y8)
	VPTEST  Y8, Y8
	JNE     done
	ADDQ    $64, src
	SUBQ    $32, left

	// The last 32, of which some are known to be in order.
last:
	ADDQ    $32, left
	JEQ     done
	LEAQ    -64(src)(left*2), R10
	VMOVDQU (R10), Y0
	VMOVDQU 32(R10), Y1
	VMOVDQU -2(R10), Y2
	VMOVDQU 30(R10), Y3
	CHECK_UTF16_AVX2(Y0, Y1, Y2, Y3, Y8)
	VPTEST  Y8, Y8
	JNE     done
	LEAQ    (src)(left*2), src

	// A high surrogate that waits for its low surrogate is not done.
done:
	MOVWLZX -2(src), AX
	TESTQ   order, order
	JEQ     2(PC)
	ROLW    $8, AX
	ANDL    $0xFC00, AX
	LEAQ    -2(src), R10
	CMPL    AX, $0xD800
	CMOVQEQ R10, src

out:
	SUBQ start, src
	SHRQ $1, src
	MOVQ src, n+32(FP)
	VZEROUPPER
	RET

// func validUTF32PrefixAVX2(src []rune, from byteOrder) (n int)
//
// As validUTF32PrefixAVX512, in steps of 32 and then of 8 code units.
TEXT ·validUTF32PrefixAVX2(SB), NOSPLIT, $0-40
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	BYTE_ORDER(from+24(FP), order)
	VPBROADCASTD utf32Units<>+12(SB), Y13
	VPBROADCASTD utf32Units<>+16(SB), Y14
	VPBROADCASTD utf32Units<>+20(SB), Y15
	ORDER_DOUBLEWORDS(order, Y13)
	SUBQ         $32, left
	JLT          rest

loop:
	VPXOR (src), Y13, Y0
	VPXOR 32(src), Y13, Y1
	VPXOR 64(src), Y13, Y2
	VPXOR 96(src), Y13, Y3
	TESTQ order, order
	JNE   swapped

loaded:
	VPSUBD  Y14, Y0, Y0
	VPSUBD  Y14, Y1, Y1
	VPSUBD  Y14, Y2, Y2
	VPSUBD  Y14, Y3, Y3
	VPMAXUD Y1, Y0, Y0
	VPMAXUD Y3, Y2, Y2
	VPMAXUD Y15, Y0, Y0
	VPMAXUD Y2, Y0, Y0
	VPXOR   Y15, Y0, Y0
	VPTEST  Y0, Y0
	JNE     done
	ADDQ    $128, src
	SUBQ    $32, left
	JGE     loop

rest:
	ADDQ    $24, left
	JLT     done
	VPXOR   (src), Y13, Y0
	ORDER_DOUBLEWORDS(order, Y0)
	VPSUBD  Y14, Y0, Y0
	VPMAXUD Y15, Y0, Y0
	VPXOR   Y15, Y0, Y0
	VPTEST  Y0, Y0
	JNE     done
	ADDQ    $32, src
	SUBQ    $32, left      // 8 less, and the 24 of the next turn
	JMP     rest

done:
	SUBQ start, src
	SHRQ $2, src
	MOVQ src, n+32(FP)
	VZEROUPPER
	RET

swapped:
	VPSHUFB 64(order), Y0, Y0
	VPSHUFB 64(order), Y1, Y1
	VPSHUFB 64(order), Y2, Y2
	VPSHUFB 64(order), Y3, Y3
	JMP     loaded

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

// CHECK_UPPER sets bits of err, among them those of Z18 where there is trouble, for upper bytes a of code units and t of those before. Uses: a, t.
#define CHECK_UPPER(a, t, err) \
	VPXORQ     Z17, a, a \
	VPXORQ     Z16, t, t \
	VPMINUB    Z18, a, a \
	VPMINUB    Z18, t, t \
	VPTERNLOGQ $0xF6, a, t, err

// CHECK_UTF16 adds to bit 2 of the bytes of err the trouble in 64 code units, a and b: one before which a high surrogate stands is to be a
// low surrogate, and no others are. The upper bytes tell, and those of the 64 before, in upper, which gets the new ones. Uses: a, t, upper.
// Requires: AVX-512 VBMI.
#define CHECK_UTF16(a, b, t, upper, err) \
	VPERMT2B   b, Z19, a         \
	VMOVDQA64  upper, t          \
	VMOVDQA64  a, upper          \
	VPERMT2B   a, Z20, t         \
	CHECK_UPPER(a, t, err)

// func validUTF16PrefixAVX512(src []uint16, from byteOrder) (n int)
//
// In steps of 128 code units, up to the first trouble, and then of 64. What has no surrogates is passed, if it is in host order.
TEXT ·validUTF16PrefixAVX512(SB), NOSPLIT, $0-40
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	BYTE_ORDER(from+24(FP), order)
	VPBROADCASTD utf16Units<>+20(SB), Z16
	VPBROADCASTD utf16Units<>+24(SB), Z17
	VPBROADCASTD utf16Units<>+28(SB), Z18
	VMOVDQU64    upperBytes<>(SB), Z19
	VMOVDQU64    bytesBefore<>(SB), Z20
	VPBROADCASTD utf16Units<>+0(SB), Z21
	VPBROADCASTD utf16Units<>+36(SB), Z22
	VPXOR        X10, X10, X10            // the trouble so far
	VPXOR        X11, X11, X11            // upper bytes of the 64 code units before
	ADDQ         from+24(FP), AX          // where byteOrders is
	VPBROADCASTB (AX), Z0
	VPXORQ       Z0, Z19, Z19
	SUBQ         $128, left
	JLT          rest
	TESTQ        order, order
	JNE          check

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
	MOVL  $8, R9       // steps until the next look for surrogates
	TESTQ order, order
	JEQ   2(PC)
	MOVL  $0x1000, R9  // none: a kernel gets less

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VMOVDQU64 128(src), Z2
	VMOVDQU64 192(src), Z3
	VMOVDQA64 Z11, Z12
	CHECK_UTF16(Z0, Z1, Z4, Z11, Z10)
	CHECK_UTF16(Z2, Z3, Z4, Z11, Z10)
	VPTESTMB  Z18, Z10, K1
	KORTESTQ  K1, K1
	JNE       trouble
	ADDQ      $256, src
	SUBQ      $128, left
	JLT       rest
	DECL      R9
	JGT       loop
	MOVWLZX   -2(src), AX   // a high surrogate is to be looked at with what follows
	ANDL      $0xFC00, AX
	CMPL      AX, $0xD800
	JEQ       loop
	VPXOR     X11, X11, X11
	JMP       pass

rest:
	ADDQ      $64, left
	JLT       last
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	CHECK_UTF16(Z0, Z1, Z4, Z11, Z10)
	VPTESTMB  Z18, Z10, K1
	KORTESTQ  K1, K1
	JNE       exact
	ADDQ      $128, src
	SUBQ      $64, left

	// The last 64, of which some are known to be in order, with those before each.
last:
	ADDQ      $64, left
	JEQ       done
	LEAQ      -128(src)(left*2), R10
	CMPQ      R10, start
	JBE       short
	MOVQ      R10, src
	VMOVDQU64 (src), Z0
	VMOVDQU64 -2(src), Z1
	VPERMT2B  64(src), Z19, Z0
	VPERMT2B  62(src), Z19, Z1
	CHECK_UPPER(Z0, Z1, Z10)
	VPTESTMB  Z18, Z10, K1
	KORTESTQ  K1, K1
	JNE       exact
	ADDQ      $128, src
	JMP       done

	// Less than 64 in all, and zeros behind.
short:
	FIRST_BITS(left, AX)
	KMOVD       AX, K1
	SHRQ        $32, AX
	KMOVD       AX, K2
	VMOVDQU16.Z (src), K1, Z0
	VMOVDQU16.Z 64(src), K2, Z1
	CHECK_UTF16(Z0, Z1, Z4, Z11, Z10)
	VPTESTMB    Z18, Z10, K1
	KORTESTQ    K1, K1
	JNE         exact
	LEAQ        (src)(left*2), src
	JMP         done

	// In which 64 of the 128 it is, and at which code unit of these.
trouble:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VPXOR     X10, X10, X10
	CHECK_UTF16(Z0, Z1, Z4, Z12, Z10)
	VPTESTMB  Z18, Z10, K2
	KORTESTQ  K2, K2
	JNE       firstHalf
	ADDQ      $128, src
	JMP       exact

firstHalf:
	KMOVQ K2, K1

exact:
	KMOVQ  K1, AX
	TZCNTQ AX, AX
	LEAQ   (src)(AX*2), src

	// A high surrogate that waits for its low surrogate is not done.
done:
	CMPQ    src, start
	JEQ     out
	MOVWLZX -2(src), AX
	TESTQ   order, order
	JEQ     2(PC)
	ROLW    $8, AX
	ANDL    $0xFC00, AX
	LEAQ    -2(src), R10
	CMPL    AX, $0xD800
	CMOVQEQ R10, src

out:
	SUBQ start, src
	SHRQ $1, src
	MOVQ src, n+32(FP)
	VZEROUPPER
	RET

// func validUTF32PrefixAVX512(src []rune, from byteOrder) (n int)
//
// In steps of 64 code units and then of 16, up to the first with trouble. With the first surrogate taken from each by exclusive or, the surrogates are the
// lowest values; less their number, they are the highest. Code points up to FFFF pass by a shorter test.
TEXT ·validUTF32PrefixAVX512(SB), NOSPLIT, $0-40
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	MOVQ         src, start
	BYTE_ORDER(from+24(FP), order)
	VPBROADCASTD utf32Units<>+12(SB), Z16
	ORDER_DOUBLEWORDS(order, Z16)
	VPBROADCASTD utf32Units<>+16(SB), Z17
	VPBROADCASTD utf32Units<>+20(SB), Z18
	VPBROADCASTD utf32Units<>+28(SB), Z19
	VPBROADCASTD utf32Units<>+32(SB), Z20
	SUBQ         $64, left
	JLT          rest
	TESTQ        order, order
	JNE          check

	// By exclusive or, the surrogates become the highest up to FFFF.
pass:
	VPXORD   (src), Z19, Z0
	VPXORD   64(src), Z19, Z1
	VPXORD   128(src), Z19, Z2
	VPXORD   192(src), Z19, Z3
	VPMAXUD  Z1, Z0, Z0
	VPMAXUD  Z3, Z2, Z2
	VPMAXUD  Z2, Z0, Z0
	VPCMPUD  $6, Z20, Z0, K1
	KORTESTW K1, K1
	JNE      check
	ADDQ     $256, src
	SUBQ     $64, left
	JGE      pass
	JMP      rest

check:
	MOVL  $8, R9       // steps until the next try without
	TESTQ order, order
	JEQ   2(PC)
	MOVL  $0x1000, R9  // none: a kernel gets less

loop:
	VPXORD (src), Z16, Z0
	VPXORD 64(src), Z16, Z1
	VPXORD 128(src), Z16, Z2
	VPXORD 192(src), Z16, Z3
	TESTQ  order, order
	JNE    swapped

loaded:
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
	JLT      rest
	DECL     R9
	JGT      loop
	JMP      pass

rest:
	ADDQ $48, left

vectors:
	JLT      last
	VPXORD   (src), Z16, Z0
	ORDER_DOUBLEWORDS(order, Z0)
	VPSUBD   Z17, Z0, Z0
	VPCMPUD  $6, Z18, Z0, K1
	KORTESTW K1, K1
	JNE      done
	ADDQ     $64, src
	SUBQ     $16, left
	JMP      vectors

	// The last vector begins where it has 16 code units, if the source does.
last:
	ADDQ  $16, left
	JEQ   done
	LEAQ  -64(src)(left*4), R10
	MOVL  $-1, AX
	CMPQ  R10, start
	JAE   masked
	MOVQ  src, R10
	BZHIL left, AX, AX

masked:
	KMOVW       AX, K1
	VMOVDQU32.Z (R10), K1, Z0
	VPXORD      Z16, Z0, Z0
	ORDER_DOUBLEWORDS(order, Z0)
	VPSUBD      Z17, Z0, Z0
	VPCMPUD     $6, Z18, Z0, K1, K2
	KORTESTW    K2, K2
	JNE         done
	LEAQ        (src)(left*4), src

done:
	SUBQ start, src
	SHRQ $2, src
	MOVQ src, n+32(FP)
	VZEROUPPER
	RET

swapped:
	VPSHUFB 64(order), Z0, Z0
	VPSHUFB 64(order), Z1, Z1
	VPSHUFB 64(order), Z2, Z2
	VPSHUFB 64(order), Z3, Z3
	JMP     loaded

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
	SHRQ         $1, R9
	SUBQ         sum, R9
	MOVQ         R9, n+24(FP)
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
	SHRQ         $1, R9
	ADDQ         sum, R9
	MOVQ         R9, n+24(FP)
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
	SHRQ         $2, R9
	ADDQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// func utf16LenFromUTF32AVX2(src []rune) (n int64)
TEXT ·utf16LenFromUTF32AVX2(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+24(SB), Y8
	COUNT_AVX2(SUPPLEMENTARY_AVX2)
	SHRQ         $2, R9
	ADDQ         sum, R9
	MOVQ         R9, n+24(FP)
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
	COUNT_AVX512(MASKED_ROUND(LOW_SURROGATES, ADD_WORDS1), LOW_SURROGATES, POPCOUNT_UNITS1, TOTAL1)
	SHRQ         $1, R9
	SUBQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// LENGTHS8 marks the code units of v from 80 on in k1, those of them in k2 that have three bytes in UTF-8.
#define LENGTHS8(v, k1, k2, k3) \
	VPTESTMW Z18, v, k1     \
	VPTESTMW Z17, v, k2     \
	VPXORQ   Z16, v, v      \
	VPTESTMW Z17, v, k2, k2

// For the upper five bits of a code unit, and any bit above: 1 if it has three bytes in UTF-8, which surrogates have not; then the same with these.
DATA threeBytes<>+0x00(SB)/8, $0x0101010101010100
DATA threeBytes<>+0x08(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x10(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x18(SB)/8, $0x0101010100010101
DATA threeBytes<>+0x20(SB)/8, $0x0101010101010100
DATA threeBytes<>+0x28(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x30(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x38(SB)/8, $0x0101010100010101
DATA threeBytes<>+0x40(SB)/8, $0x0101010101010100 // with surrogates
DATA threeBytes<>+0x48(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x50(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x58(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x60(SB)/8, $0x0101010101010100
DATA threeBytes<>+0x68(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x70(SB)/8, $0x0101010101010101
DATA threeBytes<>+0x78(SB)/8, $0x0101010101010101
GLOBL threeBytes<>(SB), RODATA|NOPTR, $128

// ADD_LENGTHS8 adds to the bytes of acc3 which of 64 code units, a and b, have three bytes, to those of acc2 which are 80 or above. Uses: a, b, t.
// Requires: AVX-512 VBMI.
#define ADD_LENGTHS8(a, b, t, acc3, acc2) \
	VMOVDQA64  Z19, t       \
	VPERMI2B   b, a, t      \ // upper bytes
	VPERMT2B   b, Z20, a    \ // lower bytes
	VPSRLW     $3, t, b     \
	VPADDUSB   Z22, t, t    \
	VPERMB     Z21, b, b    \
	VPTERNLOGQ $0xA8, Z23, a, t \
	VPADDB     b, acc3, acc3 \
	VPSRLW     $7, t, t     \
	VPADDB     t, acc2, acc2

#define LENGTHS8_ROUND \
	ADD_LENGTHS8(Z0, Z1, Z12, Z4, Z5) \
	ADD_LENGTHS8(Z2, Z3, Z13, Z6, Z7)

// func utf8LenFromUTF16AVX512(src []uint16) (n int64)
TEXT ·utf8LenFromUTF16AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	ADDQ         left, left
	VPBROADCASTD utf16Units<>+0(SB), Z16
	VPBROADCASTD utf16Units<>+4(SB), Z17
	VPBROADCASTD utf16Units<>+16(SB), Z18
	VMOVDQU64    upperBytes<>(SB), Z19
	VMOVDQU64    ·lowerBytes(SB), Z20
	VMOVDQU64    threeBytes<>(SB), Z21
	VPBROADCASTD utf16Units<>+44(SB), Z22
	VPBROADCASTD utf16Units<>+48(SB), Z23
	COUNT_AVX512(LENGTHS8_ROUND, LENGTHS8, POPCOUNT_UNITS2, TOTAL1)
	SHRQ         $1, R9
	ADDQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// ABOVE_ONE_TWO_THREE_BYTES marks the code units of v above 7F in k1, above 7FF in k2, above FFFF in k3, SUPPLEMENTARY the last alone in k1.
#define ABOVE_ONE_TWO_THREE_BYTES(v, k1, k2, k3) \
	VPCMPUD $6, Z16, v, k1 \
	VPCMPUD $6, Z17, v, k2 \
	VPCMPUD $6, Z18, v, k3

#define SUPPLEMENTARY(v, k1, k2, k3) \
	VPCMPUD $6, Z18, v, k1

// LENGTHS8_OF_UTF32_ROUND does for 64 code units in Z0 to Z3 what LENGTHS8_ROUND does; those from 10000 on become 10000, of which the lower word counts
// nothing, and are added up in the doublewords of Z6 and Z7. Uses: Z12. Requires: AVX-512 VBMI.
#define LENGTHS8_OF_UTF32_ROUND \
	VPMINUD  Z24, Z0, Z0  \
	VPMINUD  Z24, Z1, Z1  \
	VPMINUD  Z24, Z2, Z2  \
	VPMINUD  Z24, Z3, Z3  \
	VPSRLD   $16, Z0, Z12 \
	VPSRLD   $16, Z1, Z13 \
	VPADDD   Z12, Z6, Z6  \
	VPADDD   Z13, Z7, Z7  \
	VPSRLD   $16, Z2, Z12 \
	VPSRLD   $16, Z3, Z13 \
	VPADDD   Z12, Z6, Z6  \
	VPADDD   Z13, Z7, Z7  \
	VPERMT2W Z1, Z25, Z0  \
	VPERMT2W Z3, Z25, Z2  \
	ADD_LENGTHS8(Z0, Z2, Z12, Z4, Z5)

// TOTAL_LENGTHS8_OF_UTF32 adds to sum the bytes of a0 and a1, and three times the doublewords of a2 and a3. The others are zero.
#define TOTAL_LENGTHS8_OF_UTF32(a0, a1, a2, a3, b0, b1, b2, b3) \
	VPADDD a3, a2, a2 \
	VPADDD a2, a2, a3 \
	TOTAL1(a0, a1, b0, b1, b0, b1, b2, b3) \
	TOTAL_DOUBLEWORDS(a2, a3, b0, b1, b2, b3, b2, b3)

// func utf8LenFromUTF32AVX512(src []rune) (n int64)
TEXT ·utf8LenFromUTF32AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+0(SB), Z16
	VPBROADCASTD utf32Units<>+4(SB), Z17
	VPBROADCASTD utf32Units<>+8(SB), Z18
	VMOVDQU64    upperBytes<>(SB), Z19
	VMOVDQU64    ·lowerBytes(SB), Z20
	VMOVDQU64    threeBytes<>+64(SB), Z21
	VPBROADCASTD utf16Units<>+44(SB), Z22
	VPBROADCASTD utf16Units<>+48(SB), Z23
	VPBROADCASTD utf32Units<>+24(SB), Z24
	VMOVDQU64    lowerWords<>(SB), Z25
	COUNT_AVX512(LENGTHS8_OF_UTF32_ROUND, ABOVE_ONE_TWO_THREE_BYTES, POPCOUNT_UNITS3, TOTAL_LENGTHS8_OF_UTF32)
	SHRQ         $2, R9
	ADDQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// func utf16LenFromUTF32AVX512(src []rune) (n int64)
TEXT ·utf16LenFromUTF32AVX512(SB), NOSPLIT, $0-32
	MOVQ         src_base+0(FP), src
	MOVQ         src_len+8(FP), left
	SHLQ         $2, left
	VPBROADCASTD utf32Units<>+8(SB), Z18
	COUNT_AVX512(MASKED_ROUND(SUPPLEMENTARY, ADD_DOUBLEWORDS1), SUPPLEMENTARY, POPCOUNT_UNITS1, TOTAL1)
	SHRQ         $2, R9
	ADDQ         sum, R9
	MOVQ         R9, n+24(FP)
	VZEROUPPER
	RET

// func swap16AVX2(dst, src []byte) (n int)
TEXT ·swap16AVX2(SB), NOSPLIT, $0-56
	SWAP(·byteOrders+64(SB), VMOVDQU, 32, Y0, Y1, Y15)
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// func swap32AVX2(dst, src []byte) (n int)
TEXT ·swap32AVX2(SB), NOSPLIT, $0-56
	SWAP(·byteOrders+128(SB), VMOVDQU, 32, Y0, Y1, Y15)
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// func swap16AVX512(dst, src []byte) (n int)
TEXT ·swap16AVX512(SB), NOSPLIT, $0-56
	SWAP(·byteOrders+64(SB), VMOVDQU64, 64, Z0, Z1, Z16)
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

// func swap32AVX512(dst, src []byte) (n int)
TEXT ·swap32AVX512(SB), NOSPLIT, $0-56
	SWAP(·byteOrders+128(SB), VMOVDQU64, 64, Z0, Z1, Z16)
	MOVQ src, n+48(FP)
	VZEROUPPER
	RET

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
DATA utf8Marks<>+0(SB)/4, $0xFF80FF80 // the bits that ASCII lacks
DATA utf8Marks<>+4(SB)/4, $0xF800F800 // those that characters of two bytes lack
DATA utf8Marks<>+8(SB)/4, $0x3F3F3F3F // six bits
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

// The conversions to UTF-8 work on 64 words that are code points up to U+FFFF, in Z0 and Z1, in the order of the source. Those that are missing at the
// end of a text are zeros: they put out a zero each, and these, at the end of the result, are not stored. R12 is how many count.

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
	VMOVDQU64    ·lowerBytes(SB), Z26   \
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

// PAIRS makes of v, 32 characters of up to two bytes in the order of the source, pairs of lead byte and trail byte, and packs them without the lead
// bytes of ASCII; n gets how many bytes that gives. Uses: v, t, K1, K2. Requires: AVX-512 VBMI2.
#define PAIRS(v, t, packed, packedX, n) \
	VPTESTNMW     Z16, v, K1           \
	ORDER_WORDS(order, v)           \
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

// func utf16ToUTF8AVX512(dst []byte, src []uint16, from byteOrder) (nDst, nSrc int)
//
// All of the source, but for what has no room.
TEXT ·utf16ToUTF8AVX512(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	BYTE_ORDER(from+48(FP), order)
	MOVQ         src, start
	MOVQ         dst, R9
	ADDQ         dst, dstEnd
	MARKS
	INDEX_OF_WORDS(from+48(FP), Z9)
	VPSHUFB      Z9, Z16, Z16
	VPSHUFB      Z9, Z17, Z17
	VPBROADCASTB (AX), Z9
	VPXORQ       Z9, Z25, Z25
	VPXORQ       Z9, Z26, Z26
	CMPQ         left, $64
	JLT          last

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	MOVL      $64, R12

	// By the longest character.
block:
	VPORQ     Z0, Z1, Z2
	VPTESTMW  Z16, Z2, K1
	KORTESTD  K1, K1
	JEQ       ascii
	VPTESTMW  Z17, Z2, K1
	KORTESTD  K1, K1
	JEQ       pairs
	VMOVDQA64 Z0, Z2
	VMOVDQA64 Z0, Z3
	VPERMT2B  Z1, Z25, Z2
	VPERMT2B  Z1, Z26, Z3
	VPXORQ    Z30, Z2, Z8
	PLANES
	VPCMPUB   $1, Z22, Z8, K5
	KORTESTQ  K5, K5
	JNE       surrogates

store:
	STORE_PLANES

next:
	LEAQ (src)(R12*2), src
	SUBQ R12, left
	CMPQ left, $64
	JGE  loop

	// Less than a block, with zeros behind it.
last:
	TESTQ left, left
	JEQ   done
	MOVQ  left, R12

first:
	FIRST_BITS(R12, AX)
	KMOVD       AX, K1
	VMOVDQU16.Z (src), K1, Z0
	VPXOR       X1, X1, X1
	SHRQ        $32, AX
	JEQ         block           // what is not there is not loaded by a mask either: that takes long where memory ends
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
	VPCMPUB      $1, Z9, Z8, K2         // high ones
	KANDNQ       K5, K2, K5             // low ones
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
	JNE  trouble
	MOVQ $0xAAAAAAAAAAAAAAAA, R11
	CMPQ R10, R11
	JEQ  nothingElse

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
	VMOVDQU64  bytesBefore<>(SB), Z8
	VPERMB     Z3, Z8, Z8
	VPSLLW     $4, Z8, Z8
	VPSRLW     $6, Z3, Z0
	VPSLLW     $2, Z2, Z1
	VPTERNLOGQ $0xD8, Z23, Z0, Z1
	VPTERNLOGQ $0xD8, Z24, Z1, Z8
	VPTERNLOGQ $0xEA, Z19, Z18, Z8
	VMOVDQU8   Z8, K5, Z6

	// The first place is for neither.
	VPCMPUB    $5, Z22, Z2, K3
	KORQ       K2, K5, K5
	KANDNQ     K3, K5, K3
	VMOVDQU8.Z Z5, K3, Z5
	VMOVDQU8.Z Z6, K1, Z6
	JMP        store

	// 32 pairs are doublewords, each of which gives four bytes.
nothingElse:
	ORDER_WORDS(order, Z0)
	ORDER_WORDS(order, Z1)
	LEAQ           128(dst), R13
	CMPQ           R13, dstEnd
	JA             done
	VPBROADCASTD   pairBase<>+0(SB), Z5
	VPBROADCASTQ   sixBits<>(SB), Z6
	VPBROADCASTD   wideMarks<>+4(SB), Z7
	VPSLLD         $16, Z0, Z2
	VPSLLD         $16, Z1, Z3
	VPSRLD         $16, Z0, Z0
	VPSRLD         $16, Z1, Z1
	VPSRLD         $6, Z2, Z2
	VPSRLD         $6, Z3, Z3
	VPADDD         Z5, Z0, Z0
	VPADDD         Z5, Z1, Z1
	VPADDD         Z2, Z0, Z0
	VPADDD         Z3, Z1, Z1
	VPMULTISHIFTQB Z0, Z6, Z0
	VPMULTISHIFTQB Z1, Z6, Z1
	VPTERNLOGQ     $0xEA, Z7, Z18, Z0
	VPTERNLOGQ     $0xEA, Z7, Z18, Z1
	VMOVDQU64      Z0, (dst)
	VMOVDQU64      Z1, 64(dst)
	MOVQ           R13, dst
	JMP            next

	// AX and R10 differ where a low surrogate is missing, or where one is that should not be. What is before that, and before a high surrogate that
	// lacks it, is a block with zeros behind it.
trouble:
	XORQ   AX, R10
	TZCNTQ R10, R12
	BTQ    R12, AX
	SBBQ   $0, R12
	JNE    first

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $1, src
	MOVQ dst, nDst+56(FP)
	MOVQ src, nSrc+64(FP)
	VZEROUPPER
	RET

// Lower words of the doublewords of two vectors; then upper ones, which are the lower ones of swapped doublewords.
DATA lowerWords<>+0x00(SB)/8, $0x0006000400020000
DATA lowerWords<>+0x08(SB)/8, $0x000E000C000A0008
DATA lowerWords<>+0x10(SB)/8, $0x0016001400120010
DATA lowerWords<>+0x18(SB)/8, $0x001E001C001A0018
DATA lowerWords<>+0x20(SB)/8, $0x0026002400220020
DATA lowerWords<>+0x28(SB)/8, $0x002E002C002A0028
DATA lowerWords<>+0x30(SB)/8, $0x0036003400320030
DATA lowerWords<>+0x38(SB)/8, $0x003E003C003A0038
DATA lowerWords<>+0x40(SB)/8, $0x0007000500030001
DATA lowerWords<>+0x48(SB)/8, $0x000F000D000B0009
DATA lowerWords<>+0x50(SB)/8, $0x0017001500130011
DATA lowerWords<>+0x58(SB)/8, $0x001F001D001B0019
DATA lowerWords<>+0x60(SB)/8, $0x0027002500230021
DATA lowerWords<>+0x68(SB)/8, $0x002F002D002B0029
DATA lowerWords<>+0x70(SB)/8, $0x0037003500330031
DATA lowerWords<>+0x78(SB)/8, $0x003F003D003B0039
GLOBL lowerWords<>(SB), RODATA|NOPTR, $128

// Doublewords to be broadcast, for the conversion of characters of four bytes among others.
DATA wideMarks<>+0(SB)/4, $0xFFFF0000 // the bits that code points up to U+FFFF lack
DATA wideMarks<>+4(SB)/4, $0x808080F0 // marks of four bytes, the first in the lowest
DATA wideMarks<>+8(SB)/4, $0x8080E000 // of three
DATA wideMarks<>+12(SB)/4, $0x80C00000 // of two
DATA wideMarks<>+16(SB)/4, $0x00010101 // what the four bytes of a doubleword have at least, if they are kept
GLOBL wideMarks<>(SB), RODATA|NOPTR, $20
DATA sixBits<>+0(SB)/8, $0x20262C3200060C12 // where three, six, six and six bits of a code point begin, for two doublewords
GLOBL sixBits<>(SB), RODATA|NOPTR, $8

// func utf32ToUTF8AVX512(dst []byte, src []rune, from byteOrder) (nDst, nSrc int)
//
// All of the source, but for what has no room.
TEXT ·utf32ToUTF8AVX512(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	BYTE_ORDER(from+48(FP), order)
	MOVQ         src, start
	ADDQ         dst, dstEnd
	MARKS
	INDEX_OF_WORDS(from+48(FP), Z9)
	VPSHUFB      Z9, Z16, Z16
	VPSHUFB      Z9, Z17, Z17
	VPBROADCASTB (AX), Z9
	VPXORQ       Z9, Z25, Z25
	VPXORQ       Z9, Z26, Z26
	LEAQ         lowerWords<>(SB), R9
	TESTQ        order, order
	JEQ          2(PC)
	ADDQ         $64, R9
	CMPQ         left, $64
	JLT          last

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
	ORDER_DOUBLEWORDS(order, Z4)
	VPTESTMD     Z8, Z4, K1
	KORTESTW     K1, K1
	JNE          wide
	VMOVDQU64    (R9), Z8
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
	VPTESTMW  Z17, Z2, K1
	KORTESTD  K1, K1
	JEQ       pairs
	VMOVDQA64 Z0, Z2
	VMOVDQA64 Z0, Z3
	VPERMT2B  Z1, Z25, Z2
	VPERMT2B  Z1, Z26, Z3
	VPXORQ    Z30, Z2, Z8
	PLANES
	VPCMPUB   $1, Z22, Z8, K5
	KORTESTQ  K5, K5
	JNE       done            // surrogates
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
	JEQ         block            // what is not there is not loaded by a mask either: that takes long where memory ends
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
	ORDER_WORDS(order, Z0)
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
	ORDER_DOUBLEWORDS(order, Z0)
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
	LEAQ           -16(AX)(R12*1), AX        // without the zeros for what is missing
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
	VMOVDQU64      (src), Z0
	ORDER_DOUBLEWORDS(order, Z0)
	VPTESTMD       Z0, Z8, K1
	KORTESTW       K1, K1
	JNE            wide
	CMPQ           left, $64
	JGE            loop
	JMP            last

done:
	SUBQ start, src
	SUBQ dst_base+0(FP), dst
	SHRQ $2, src
	MOVQ dst, nDst+56(FP)
	MOVQ src, nSrc+64(FP)
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
DATA pairBase<>+16(SB)/4, $0x20202020 // 16 words further
GLOBL pairBase<>(SB), RODATA|NOPTR, $20

// func utf16ToUTF32AVX512(dst []rune, src []uint16, from, to byteOrder) (nDst, nSrc int)
//
// In blocks of 32 code units, of which the last may be partial. All of the source, but for what has no room.
TEXT ·utf16ToUTF32AVX512(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	INDEX_OF_WORDS(from+48(FP), Z30)
	INDEX_OF_DOUBLEWORDS(to+56(FP), Z31)
	INDEX_IN_ORDER(·doublewords(SB), to+56(FP), Z28)
	MASK_IN_ORDER(16, to+56(FP), K7)
	VPBROADCASTD pairBase<>+16(SB), Z29
	VPADDB       Z29, Z28, Z29
	MOVQ         src, start
	MOVQ         dst, R9
	LEAQ         (dst)(dstEnd*4), dstEnd
	VPBROADCASTD utf16Units<>+0(SB), Z16
	VPBROADCASTD utf16Units<>+36(SB), Z17
	VPBROADCASTD pairBase<>+12(SB), Z18
	VPBROADCASTD pairBase<>+0(SB), Z19
	VPXOR        X10, X10, X10
	XORL         BX, BX
	CMPQ         left, $8192
	SETLS        BX                       // the result fits in the first cache: then wider steps are faster, and slower otherwise
	SUBQ         $64, left
	JLT          few
	TESTL        BX, BX
	JEQ          few

	// 64 at a time, as long as there are no surrogates.
pass:
	LEAQ      256(dst), R13
	CMPQ      R13, dstEnd
	JA        few
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VPSHUFB   Z30, Z0, Z0
	VPSHUFB   Z30, Z1, Z1
	VPXORQ    Z16, Z0, Z2
	VPXORQ    Z16, Z1, Z3
	VPMINUW   Z3, Z2, Z2
	VPCMPUW   $1, Z17, Z2, K1
	KORTESTD  K1, K1
	JNE       few
	VPERMB.Z  Z0, Z28, K7, Z2
	VMOVDQU64 Z2, (dst)
	VPERMB.Z  Z0, Z29, K7, Z3
	VMOVDQU64 Z3, 64(dst)
	VPERMB.Z  Z1, Z28, K7, Z4
	VMOVDQU64 Z4, 128(dst)
	VPERMB.Z  Z1, Z29, K7, Z5
	VMOVDQU64 Z5, 192(dst)
	MOVQ      R13, dst
	ADDQ      $128, src
	SUBQ      $64, left
	JGE       pass

few:
	ADDQ $64, left
	CMPQ left, $32
	JLT  last

loop:
	VMOVDQU64 (src), Z0
	VPSHUFB   Z30, Z0, Z0
	MOVL      $32, R12

block:
	VPXORQ    Z16, Z0, Z1
	VPERMB.Z  Z0, Z28, K7, Z2
	VPCMPUW   $1, Z17, Z1, K1
	VPERMB.Z  Z0, Z29, K7, Z3
	KORTESTD  K1, K1
	JNE       surrogates
	LEAQ      (dst)(R12*4), R13
	CMPQ      R13, dstEnd
	JA        done
	CMPL      R12, $32
	JLT       partial
	VMOVDQU64 Z2, (dst)
	VMOVDQU64 Z3, 64(dst)
	TESTL     BX, BX
	JEQ       next
	MOVQ      R13, dst
	ADDQ      $64, src
	SUBQ      $96, left
	JGE       pass
	JMP       few

next:
	MOVQ R13, dst
	LEAQ (src)(R12*2), src
	SUBQ R12, left
	CMPQ left, $32
	JGE  loop

last:
	TESTQ left, left
	JEQ   done
	MOVQ  left, R12

first:
	MOVL        $-1, AX
	BZHIL       R12, AX, AX
	KMOVD       AX, K1
	VMOVDQU16.Z (src), K1, Z0
	VPSHUFB     Z30, Z0, Z0
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
	JNE  trouble
	CMPL R10, $0xAAAAAAAA
	JEQ  nothingElse

	// Each high one is joined with the next code unit, and the low ones are left out.
	VEXTRACTI64X4 $1, Z0, Y3
	VPMOVZXWD     Y0, Z2
	VPMOVZXWD     Y3, Z3
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
	SUBL          R10, R11            // characters
	LEAQ          (dst)(R11*4), R13
	CMPQ          R13, dstEnd
	JA            done
	NEGL          AX
	ADDL          $16, AX             // in the first half
	CMPL          AX, R11
	CMOVLHI       R11, AX
	SUBL          AX, R11
	MOVL          $-1, R10
	BZHIL         AX, R10, R10
	KMOVW         R10, K1
	MOVL          $-1, R10
	BZHIL         R11, R10, R10
	KMOVW         R10, K2
	VPSHUFB       Z31, Z8, Z8
	VPSHUFB       Z31, Z9, Z9
	VMOVDQU32     Z8, K1, (dst)
	VMOVDQU32     Z9, K2, (dst)(AX*4)
	JMP           next

	// Sixteen pairs are doublewords.
nothingElse:
	LEAQ      64(dst), R13
	CMPQ      R13, dstEnd
	JA        done
	VPSLLD    $16, Z0, Z2
	VPSRLD    $16, Z0, Z3
	VPSRLD    $6, Z2, Z2
	VPADDD    Z19, Z3, Z3
	VPADDD    Z3, Z2, Z2
	VPSHUFB   Z31, Z2, Z2
	VMOVDQU64 Z2, (dst)
	JMP       next

	// As in utf16ToUTF8AVX512.
trouble:
	XORL   AX, R10
	TZCNTL R10, R12
	BTL    R12, AX
	SBBL   $0, R12
	JNE    first

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $1, src
	SHRQ $2, dst
	MOVQ dst, nDst+64(FP)
	MOVQ src, nSrc+72(FP)
	VZEROUPPER
	RET

// The bytes of the lower words of the doublewords of two vectors.
DATA lowerWordBytes<>+0x00(SB)/8, $0x0D0C090805040100
DATA lowerWordBytes<>+0x08(SB)/8, $0x1D1C191815141110
DATA lowerWordBytes<>+0x10(SB)/8, $0x2D2C292825242120
DATA lowerWordBytes<>+0x18(SB)/8, $0x3D3C393835343130
DATA lowerWordBytes<>+0x20(SB)/8, $0x4D4C494845444140
DATA lowerWordBytes<>+0x28(SB)/8, $0x5D5C595855545150
DATA lowerWordBytes<>+0x30(SB)/8, $0x6D6C696865646160
DATA lowerWordBytes<>+0x38(SB)/8, $0x7D7C797875747170
GLOBL lowerWordBytes<>(SB), RODATA|NOPTR, $64

// func utf32ToUTF16AVX512(dst []uint16, src []rune, from, to byteOrder) (nDst, nSrc int)
//
// In blocks of 32 code units, or of 16 that have surrogates in the result; the last may be partial. All of the source, but for what has no room, and
// what is before trouble in a block.
TEXT ·utf32ToUTF16AVX512(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	INDEX_OF_DOUBLEWORDS(from+48(FP), Z30)
	VPBROADCASTB (AX), Z20
	VPXORQ       lowerWordBytes<>(SB), Z20, Z20
	INDEX_OF_WORDS(to+56(FP), Z31)
	MOVQ         src, start
	MOVQ         dst, R9
	LEAQ         (dst)(dstEnd*2), dstEnd
	VPBROADCASTD utf32Units<>+12(SB), Z16
	VPBROADCASTD utf32Units<>+16(SB), Z17
	VPBROADCASTD utf32Units<>+20(SB), Z18
	VPBROADCASTD wideMarks<>+0(SB), Z19
	VPBROADCASTD utf16Units<>+0(SB), Z23
	VPBROADCASTD utf16Units<>+4(SB), Z24
	VPSHUFB      Z30, Z19, Z19
	VPSHUFB      Z31, Z23, Z23
	VPSHUFB      Z31, Z24, Z24
	VPSHUFB      Z31, Z20, Z20
	VPBROADCASTD pairBase<>+4(SB), Z21
	VPBROADCASTD pairBase<>+8(SB), Z22
	CMPQ         left, $32
	JLT          last

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	MOVL      $32, R12

	// Words in the order of the result, if doublewords are no more and words are no surrogates.
block:
	VMOVDQA64 Z20, Z2
	VPORQ     Z0, Z1, Z4
	VPERMI2B  Z1, Z0, Z2
	VPTESTMD  Z19, Z4, K2
	VPANDQ    Z24, Z2, Z3
	VPCMPEQW  Z23, Z3, K1
	KORTESTD  K2, K1
	JNE       wide
	LEAQ      (dst)(R12*2), R13
	CMPQ      R13, dstEnd
	JA        done
	CMPL      R12, $32
	JLT       partial
	VMOVDQU64 Z2, (dst)

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
	JEQ         block           // what is not there is not loaded by a mask either: that takes long where memory ends
	KMOVW       AX, K1
	VMOVDQU32.Z 64(src), K1, Z1
	JMP         block

partial:
	MOVL      $-1, AX
	BZHIL     R12, AX, AX
	KMOVD     AX, K1
	VMOVDQU16 Z2, K1, (dst)
	JMP       next

	// 16 code units with trouble or with characters of two, which take a doubleword, of which others keep the lower word.
wide:
	MOVL          $16, AX
	CMPL          R12, AX
	CMOVLHI       AX, R12
	VPTESTMD      Z19, Z0, K3
	VPSHUFB       Z30, Z0, Z0
	VPXORD        Z16, Z0, Z2
	VPSUBD        Z17, Z2, Z2
	VPCMPUD       $6, Z18, Z2, K1
	KORTESTW      K1, K1
	JNE           done
	VPSRLD        $10, Z0, Z2
	VPSLLD        $16, Z0, Z3
	KMOVW         K3, AX
	VPTERNLOGD    $0xF8, Z22, Z3, Z2
	POPCNTL       AX, R10
	VPADDD        Z21, Z2, K3, Z0
	ADDL          R12, R10
	LEAQ          (dst)(R10*2), R13
	CMPQ          R13, dstEnd
	JA            done
	CMPL          R10, $32
	JEQ           allWide
	MOVL          $0xAAAAAAAA, R11
	PDEPL         R11, AX, AX
	ORL           $0x55555555, AX
	KMOVD         AX, K1
	VPXOR         X5, X5, X5
	VPCOMPRESSW.Z Z0, K1, Z5
	VPSHUFB       Z31, Z5, Z5
	MOVL          $-1, R11
	BZHIL         R10, R11, R11
	KMOVD         R11, K1
	VMOVDQU16     Z5, K1, (dst)

	// Are there more of them?
wideNext:
	LEAQ      (src)(R12*4), src
	SUBQ      R12, left
	MOVQ      R13, dst
	CMPQ      left, $16
	JLT       last
	VMOVDQU64 (src), Z0
	MOVL      $16, R12
	VPTESTMD  Z19, Z0, K1
	KORTESTW  K1, K1
	JNE       wide
	CMPQ      left, $32
	JGE       loop
	JMP       last

allWide:
	VPSHUFB   Z31, Z0, Z0
	VMOVDQU64 Z0, (dst)
	JMP       wideNext

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $2, src
	SHRQ $1, dst
	MOVQ dst, nDst+64(FP)
	MOVQ src, nSrc+72(FP)
	VZEROUPPER
	RET

// Doublewords to be broadcast, for UTF-8 by AVX2.
DATA utf8Units<>+0(SB)/4, $0x3F003F00 // six bits, of the second trail byte from the end
DATA utf8Units<>+4(SB)/4, $0x003F003F // of the last
DATA utf8Units<>+8(SB)/4, $0x80808080 // marks of trail bytes
DATA utf8Units<>+12(SB)/4, $0x60426042 // where the first bytes of two, and those of three, begin, less 80
DATA utf8Units<>+16(SB)/4, $0x007F007F // the last character of one byte
DATA utf8Units<>+20(SB)/4, $0x00F000F0 // mark of the first byte of four
DATA utf8Units<>+24(SB)/4, $0x28402840 // 40, for 10000 >> 10, less the first high surrogate
DATA utf8Units<>+28(SB)/4, $0x00800080 // mark of a trail byte
DATA utf8Units<>+32(SB)/4, $0x00300030 // two bits that a high surrogate gives to a byte,
DATA utf8Units<>+36(SB)/4, $0x000F000F // and four that a low one gives to it
DATA utf8Units<>+40(SB)/4, $0x0000003F // the bits of the bytes of four, the first in the highest
DATA utf8Units<>+44(SB)/4, $0x00003F00
DATA utf8Units<>+48(SB)/4, $0x003F0000
DATA utf8Units<>+52(SB)/4, $0x07000000
DATA utf8Units<>+56(SB)/4, $0xF0808080 // and their marks
GLOBL utf8Units<>(SB), RODATA|NOPTR, $60

// Doublewords to be broadcast, for surrogates by AVX2.
DATA pairUnits<>+0(SB)/4, $0xDC00D800 // the first pair
DATA pairUnits<>+4(SB)/4, $0x00010400 // what high and low ones count in a code point
DATA pairUnits<>+8(SB)/4, $0x00A12400 // what their sum lacks to be one, where they are signed
DATA pairUnits<>+12(SB)/4, $0xFFFF0000 // the first code point of two units, negative
DATA pairUnits<>+16(SB)/4, $0x000FFFFF // how many there are, less one
DATA pairUnits<>+20(SB)/4, $0xA8A8A8A8 // added, makes the upper bytes of surrogates the lowest bytes where they are signed
DATA pairUnits<>+24(SB)/4, $0x78787878 // added then, with saturation, leaves them alone negative
GLOBL pairUnits<>(SB), RODATA|NOPTR, $28

// The bits that ASCII lacks in words; and those that doublewords lack with ASCII, with code points of two bytes in UTF-8, and of one code unit in UTF-16.
VECTOR(beyondASCII, $0xFF80FF80FF80FF80)
VECTOR(beyondOne, $0xFFFFFF80FFFFFF80)
VECTOR(beyondTwo, $0xFFFFF800FFFFF800)
VECTOR(beyondWords, $0xFFFF0000FFFF0000)

// Marks of two bytes in a word, the first in the lower.
VECTOR(twoBytes, $0x80C080C080C080C0)

// The lower bytes of words, twice.
DATA lowerTwice<>+0(SB)/8, $0x0606040402020000
DATA lowerTwice<>+8(SB)/8, $0x0E0E0C0C0A0A0808
GLOBL lowerTwice<>(SB), RODATA|NOPTR, $16

// For doublewords that have three bytes, the last in the lowest: the twelve bytes of four; and the last eight of them, before the first four.
DATA twelve<>+0x00(SB)/8, $0x090A040506000102
DATA twelve<>+0x08(SB)/8, $0x808080800C0D0E08
DATA twelve<>+0x10(SB)/8, $0x090A040506000102
DATA twelve<>+0x18(SB)/8, $0x808080800C0D0E08
GLOBL twelve<>(SB), RODATA|NOPTR, $32
DATA eightAndFour<>+0x00(SB)/8, $0x0C0D0E08090A0405
DATA eightAndFour<>+0x08(SB)/8, $0x0600010280808080
DATA eightAndFour<>+0x10(SB)/8, $0x0C0D0E08090A0405
DATA eightAndFour<>+0x18(SB)/8, $0x0600010280808080
GLOBL eightAndFour<>(SB), RODATA|NOPTR, $32

// Marks of the first byte of two, and of three, in words.
VECTOR(firstOfTwo, $0x00C000C000C000C0)
VECTOR(firstOfThree, $0x00E000E000E000E0)

// UTF8_MARKS sets the constants for UTF-8 by AVX2: Y9, unless it is host order, to the index at i(order), Y10 to the bits that ASCII lacks. Most of
// what blocks need is in registers, since what is read from memory waits for stores to places whose lower twelve bits are the same; there are none
// left for firstOfTwo and firstOfThree.
// Uses: R13, Y7 to Y15. Requires: AVX2.
#define UTF8_MARKS(i) \
	VBROADCASTI128 lowerTwice<>(SB), Y7  \
	VPBROADCASTD utf8Units<>+12(SB), Y8  \
	VMOVDQU      beyondASCII<>(SB), Y10  \
	VPBROADCASTD utf8Units<>+8(SB), Y11  \
	VPBROADCASTD utf8Units<>+4(SB), Y12  \
	VPBROADCASTD utf8Units<>+0(SB), Y13  \
	VPBROADCASTD utf16Units<>+0(SB), Y14 \
	VPBROADCASTD utf16Units<>+4(SB), Y15 \
	LEAQ         ·packedCharacters(SB), R13 \
	TESTQ        order, order            \
	JEQ          2(PC)                   \
	VMOVDQU      i(order), Y9

// LOAD16 gets 16 code units as words in Y0. If one does not fit, label beyond is next. SWAP16 has the step between for code units in the other order:
// it comes from label swapped of LOAD16 and goes back to loaded. Uses: Y1, Y4. Requires: AVX2.
#define LOAD16_UTF16(beyond, swapped, loaded) \
	VMOVDQU (src), Y0    \
	TESTQ   order, order \
	JNE     swapped      \
loaded:

#define SWAP16_UTF16(swapped, loaded) \
swapped: \
	VPSHUFB Y9, Y0, Y0 \
	JMP     loaded

#define LOAD16_UTF32(beyond, swapped, loaded) \
	VMOVDQU   (src), Y0             \
	VMOVDQU   32(src), Y1           \
	TESTQ     order, order          \
	JNE       swapped               \
loaded: \
	VPOR      Y0, Y1, Y4            \
	VPTEST    beyondWords<>(SB), Y4 \
	JNE       beyond                \
	VPACKUSDW Y1, Y0, Y0            \
	VPERMQ    $0xD8, Y0, Y0

#define SWAP16_UTF32(swapped, loaded) \
swapped: \
	VPSHUFB Y9, Y0, Y0 \
	VPSHUFB Y9, Y1, Y1 \
	JMP     loaded

// LOAD32 gets 32 code units as words in Y0 and Y1. If all are ASCII, label ascii is next, pairs if all have up to two bytes in UTF-8, beyond if one
// does not fit. SWAP32 is to it as SWAP16 to LOAD16. Uses: Y3 to Y6. Requires: AVX2.
#define LOAD32_UTF16(ascii, pairs, beyond, swapped, loaded) \
	VMOVDQU (src), Y0             \
	VMOVDQU 32(src), Y1           \
	TESTQ   order, order          \
	JNE     swapped               \
loaded: \
	VPOR    Y0, Y1, Y3            \
	VPTEST  Y10, Y3 \
	JEQ     ascii                 \
	VPTEST  Y15, Y3               \
	JEQ     pairs

#define SWAP32_UTF16(swapped, loaded) \
swapped: \
	VPSHUFB Y9, Y0, Y0 \
	VPSHUFB Y9, Y1, Y1 \
	JMP     loaded

#define LOAD32_UTF32(ascii, pairs, beyond, swapped, loaded) \
	VMOVDQU   (src), Y0             \
	VMOVDQU   32(src), Y3           \
	VMOVDQU   64(src), Y1           \
	VMOVDQU   96(src), Y4           \
	TESTQ     order, order          \
	JNE       swapped               \
loaded: \
	VPOR      Y0, Y1, Y5            \
	VPOR      Y3, Y4, Y6            \
	VPOR      Y5, Y6, Y5            \
	VPACKUSDW Y3, Y0, Y0            \
	VPACKUSDW Y4, Y1, Y1            \
	VPERMQ    $0xD8, Y0, Y0         \
	VPERMQ    $0xD8, Y1, Y1         \
	VPTEST    beyondOne<>(SB), Y5   \
	JEQ       ascii                 \
	VPTEST    beyondTwo<>(SB), Y5   \
	JEQ       pairs                 \
	VPTEST    beyondWords<>(SB), Y5 \
	JNE       beyond

#define SWAP32_UTF32(swapped, loaded) \
swapped: \
	VPSHUFB Y9, Y0, Y0 \
	VPSHUFB Y9, Y3, Y3 \
	VPSHUFB Y9, Y1, Y1 \
	VPSHUFB Y9, Y4, Y4 \
	JMP     loaded

// SURROGATES gets a mask of the surrogates among the 16 words in Y0 in AX. Uses: Y1. Requires: AVX2.
#define SURROGATES \
	VPAND     Y15, Y0, Y1 \
	VPCMPEQW  Y14, Y1, Y1 \
	VPMOVMSKB Y1, AX

// TRAILS makes of the words of v the second and the third of three bytes of UTF-8, the third in the lower half. Uses: t. Requires: AVX2.
#define TRAILS(v, t, trails) \
	VPSLLW $2, v, trails       \
	VPAND  Y12, v, t           \
	VPAND  Y13, trails, trails \
	VPOR   Y11, t, t           \
	VPOR   t, trails, trails

// FIRSTS makes of the words of v the first of their bytes in UTF-8, which is C0 or C1 for ASCII. Classes gets two bits for each word: 0 for ASCII,
// 1 for two bytes, 3 for three. The lesser one of what would be the first of two bytes, and of three, is right: that of two is below E0 up to 7FF.
// Uses: t. Requires: AVX2.
#define FIRSTS(v, t, firsts, classes) \
	VPSRLW    $12, v, firsts      \
	VPSRLW    $6, v, t            \
	VPADDW    firstOfThree<>(SB), firsts, firsts \
	VPADDW    firstOfTwo<>(SB), t, t \
	VPMINUW   t, firsts, firsts   \
	VPSHUFB   Y7, firsts, t       \
	VPSUBUSB  Y8, t, t            \
	VPMOVMSKB t, classes

// HOLD makes a doubleword of each word of v, which packedCharacters is for: the third byte, the second, the first, the word as ASCII. Y2 gets the
// first and the third four, Y3 the others. Uses: Y6, firsts. Requires: AVX2.
#define HOLD(v, trails, firsts) \
	VPSLLW     $8, v, Y6          \
	VPOR       Y6, firsts, firsts \
	VPUNPCKLWD firsts, trails, Y2 \
	VPUNPCKHWD firsts, trails, Y3

// GROUP stores the bytes of the four characters of x, whose classes are where rotation takes them to bits 4 to 11 of BX. It writes 16 bytes. They
// are at bytes behind dst, to which it adds what exceeds one byte for each. Uses: R10, x. Requires: AVX2, BMI2, POPCNT.
#define GROUP(rotation, x, at) \
	RORXL   $rotation, BX, R10 \
	ANDL    $0xFF0, R10        \
	VPSHUFB (R13)(R10*1), x, x \
	POPCNTL R10, R10           \
	VMOVDQU x, at(dst)         \
	ADDQ    R10, dst

// GROUP_OF_FOUR is GROUP where characters have up to four bytes, with class 2. For these, AX has a bit where BX has the lower one of the class;
// it is shifted to the next group. Uses: AX, R10, x. Requires: AVX2, BMI2, POPCNT.
#define GROUP_OF_FOUR(rotation, x, at) \
	GROUP(rotation, x, at) \
	MOVBLZX AX, R10        \
	POPCNTL R10, R10       \
	SHRL    $8, AX         \
	LEAQ    (dst)(R10*2), dst

// RELEASE stores what is held in Y2 and Y3, with the classes in BX. It writes up to twelve bytes too much. Uses: R10, X1 to X4. Requires: AVX2,
// BMI2, POPCNT.
#define RELEASE(STORE) \
	VEXTRACTI128 $1, Y2, X1 \
	VEXTRACTI128 $1, Y3, X4 \
	STORE(28, X2, 0)        \
	STORE(4, X3, 4)         \
	STORE(12, X1, 8)        \
	STORE(20, X4, 12)       \
	ADDQ $16, dst

// PAIRS_AVX2 makes of the words of v, below 800, pairs of lead and trail byte; ASCII is a trail byte. M marks what is not ASCII. Y2 has the
// last word of one byte. Uses: t1, t2. Requires: AVX2.
#define PAIRS_AVX2(v, m, t1, t2) \
	VPSLLW    $8, v, t1            \
	VPCMPGTW  Y2, v, m             \
	VPSRLW    $6, v, v             \
	VPAND     Y13, t1, t2          \
	VPOR      twoBytes<>(SB), v, v \
	VPOR      t2, v, v             \
	VPBLENDVB m, v, t1, v

// PAIR_GROUP is GROUP for the eight pairs of x, with the mask of those that are not ASCII in AX. Uses: R10, x. Requires: AVX2, BMI2, POPCNT.
#define PAIR_GROUP(rotation, x, at) \
	RORXL   $rotation, AX, R10 \
	ANDL    $0xFF0, R10        \
	VPSHUFB (R12)(R10*1), x, x \
	POPCNTL R10, R10           \
	VMOVDQU x, at(dst)         \
	ADDQ    R10, dst

// UTF8_AVX2 converts code units of size bytes to UTF-8. Label done is next when there is nothing left, or less than a block, or room for one.
//
// A block of 32 goes by its longest character: ASCII; pairs of lead and trail byte; otherwise its first 16 are a block, and the next ones too, until
// there are none of three bytes. Of these blocks, those of ASCII go by themselves; label heldASCII has room for one. Where all have three, that is simple. Others are held, in Y2, Y3 and BX, until the next block is known to be in order:
// then it overwrites what they write too much. Label flush stores them where none follows, by way of the stack; label exact does so without the
// last AX bytes, or, for code units of four bytes, with AX for GROUP_OF_FOUR. Less than 16 are taken with those before.
//
// The kernel has label surrogates, for a block in Y0 with some, and label beyond, for the next 16 code units, of which some do not fit into words. Uses:
// AX, BX, R9 to R13, Y0 to Y6. Requires: AVX2, BMI2, POPCNT.
#define UTF8_AVX2(size, LOAD16, SWAP16, LOAD32, SWAP32, GROUP_OF_ANY) \
loop: \
	CMPQ left, $32            \
	JLT  few                  \
	LOAD32(ascii, pairs, few, swappedBlock, loadedBlock) \
half: \ // 16 words in Y0, perhaps ASCII
	VPTEST Y10, Y0 \
	JEQ    ascii16               \
block: \
	LEAQ  48(dst), R10      \
	CMPQ  R10, dstEnd       \
	JA    done              \
	SURROGATES              \
	TESTL AX, AX            \
	JNE   surrogates        \
	FIRSTS(Y0, Y6, Y5, R11) \
	CMPL  R11, $-1          \
	JEQ   triples           \
hold: \ // 16 words in Y0, their first bytes in Y5, their classes in R11
	TRAILS(Y0, Y6, Y4)          \
	HOLD(Y0, Y4, Y5)            \
	MOVL    R11, BX             \
	ADDQ    $(16*size), src     \
	SUBQ    $16, left           \
	CMPQ    left, $16           \
	JLT     flush               \
	POPCNTL BX, R10             \
	LEAQ    64(dst)(R10*1), R10 \
	CMPQ    R10, dstEnd         \
	JA      flush               \
	LOAD16(flush, swappedNext, loadedNext) \
	VPTEST  Y10, Y0 \
	JEQ     heldASCII           \
	SURROGATES                  \
	TESTL   AX, AX              \
	JNE     flush               \
	FIRSTS(Y0, Y6, Y5, R11)     \
	RELEASE(GROUP)              \
	TESTL   $0xAAAAAAAA, R11    \
	JEQ     loop                \
	CMPL    R11, $-1            \
	JNE     hold                \
triples: \ // the first 16 bytes of each half, with the first four of the upper doublewords, and the other eight of these
	TRAILS(Y0, Y6, Y4)                      \
	VPUNPCKLWD   Y5, Y4, Y2                 \
	VPUNPCKHWD   Y5, Y4, Y3                 \
	VPSHUFB      twelve<>(SB), Y2, Y2       \
	VPSHUFB      eightAndFour<>(SB), Y3, Y3 \
	VPBLENDD     $0x88, Y3, Y2, Y2          \
	VMOVDQU      X2, (dst)                  \
	VMOVQ        X3, 16(dst)                \
	VEXTRACTI128 $1, Y2, 24(dst)            \
	VEXTRACTI128 $1, Y3, X3                 \
	VMOVQ        X3, 40(dst)                \
	ADDQ         $48, dst                   \
	ADDQ         $(16*size), src            \
	SUBQ         $16, left                  \
few: \ // less than 32, or those before others that are no pairs
	CMPQ   left, $16             \
	JLT    last                  \
	LOAD16(beyond, swappedFew, loadedFew) \
	JMP    half                  \
heldASCII: \ // behind what is held
	RELEASE(GROUP)               \
ascii16: \ // 16 words in Y0
	LEAQ   16(dst), R10          \
	CMPQ   R10, dstEnd           \
	JA     done                  \
lastASCII: \
	VEXTRACTI128 $1, Y0, X1      \
	VPACKUSWB    X1, X0, X0      \
	VMOVDQU      X0, (dst)       \
	ADDQ         $16, dst        \
	ADDQ         $(16*size), src \
	SUBQ         $16, left       \
	JMP          loop            \
last: \ // less than 16, behind those that complete a block
	TESTQ  left, left                      \
	JEQ    done                            \
	LEAQ   -(16*size)(src)(left*size), R10 \
	CMPQ   R10, start                      \
	JB     done                            \
	MOVQ   src, R9                        \
	MOVQ   R10, src                        \
	LOAD16(whole, swappedLast, loadedLast) \
	VPTEST Y10, Y0           \
	JNE    lastAny                         \
	LEAQ   (dst)(left*1), R10              \
	CMPQ   R10, dstEnd                     \
	JA     whole                           \
	LEAQ   -16(R10), dst                   \
	MOVL   $16, left                       \
	JMP    lastASCII                       \
lastAny: \
	CMPQ    left, $6          \
	JLT     whole             \
	SURROGATES                \
	TESTL   AX, AX            \
	JNE     whole             \
	FIRSTS(Y0, Y6, Y5, R11)   \
	MOVL    $16, R12          \
	SUBL    left, R12         \
	LEAL    (R12)(R12*1), R10 \
	BZHIL   R10, R11, R10     \
	POPCNTL R10, R10          \
	ADDL    R12, R10          \ // what those before have given
	MOVQ    dst, R12          \
	SUBQ    R10, R12          \
	LEAQ    48(R12), R10      \
	CMPQ    R10, dstEnd       \
	JA      whole             \
	MOVQ    R12, dst          \
	TRAILS(Y0, Y6, Y4)        \
	HOLD(Y0, Y4, Y5)          \
	MOVL    R11, BX           \
	ADDQ    $(16*size), src   \
	XORL    left, left        \
	JMP     flush             \
whole: \ // not so
	MOVQ R9, src \
	JMP  done     \
ascii: \ // 32 words in Y0 and Y1
	LEAQ      32(dst), R10    \
	CMPQ      R10, dstEnd     \
	JA        done            \
	VPACKUSWB Y1, Y0, Y0      \
	VPERMQ    $0xD8, Y0, Y0   \
	VMOVDQU   Y0, (dst)       \
	MOVQ      R10, dst        \
	ADDQ      $(32*size), src \
	SUBQ      $32, left       \
	JMP       loop            \
pairs: \
	VPBROADCASTD utf8Units<>+16(SB), Y2 \
	LEAQ         ·packedPairs(SB), R12  \
	LEAQ         ·lastEight(SB), BX    \
pair: \ // 32 words in Y0 and Y1
	LEAQ         64(dst), R10          \
	CMPQ         R10, dstEnd           \
	JA           few                   \
	PAIRS_AVX2(Y0, Y4, Y6, Y5)         \
	PAIRS_AVX2(Y1, Y5, Y6, Y3)         \
	VPACKSSWB    Y5, Y4, Y4            \
	VEXTRACTI128 $1, Y0, X5            \
	VEXTRACTI128 $1, Y1, X6            \
	VPMOVMSKB    Y4, AX                \
	PAIR_GROUP(28, X0, 0)              \
	PAIR_GROUP(12, X5, 8)              \
	PAIR_GROUP(4, X1, 16)              \
	RORXL        $20, AX, R10          \
	ANDL         $0xFF0, R10           \
	VPSHUFB      (R12)(R10*1), X6, X6  \
	POPCNTL      R10, R10              \
	VMOVQ        (BX)(R10*1), X5       \
	VMOVQ        X6, 24(dst)           \ // the last eight bytes of the last group apart, so that none is written behind them
	VPSHUFB      X5, X6, X6            \
	ADDQ         R10, dst              \
	VMOVQ        X6, 24(dst)           \
	ADDQ         $32, dst              \
	ADDQ         $(32*size), src       \
	SUBQ         $32, left             \
	CMPQ         left, $32             \
	JLT          few                   \
	LOAD32(ascii, pair, few, swappedPair, loadedPair) \
	JMP          block                 \
	SWAP32(swappedBlock, loadedBlock)  \
	SWAP32(swappedPair, loadedPair)    \
	SWAP16(swappedNext, loadedNext)    \
	SWAP16(swappedFew, loadedFew)      \
	SWAP16(swappedLast, loadedLast)    \
flush: \
	XORL AX, AX \
exact: \
	MOVQ    dst, R9            \
	LEAQ    buf-64(SP), R12     \
	MOVQ    R12, dst            \
	RELEASE(GROUP_OF_ANY)       \
	SUBQ    AX, dst             \
	SUBQ    R12, dst            \
	CMPQ    dst, $16            \
	JLT     eights              \
	VMOVDQU (R12), X4           \
	VMOVDQU -16(R12)(dst*1), X5 \
	VMOVDQU X4, (R9)           \
	VMOVDQU X5, -16(R9)(dst*1) \
	CMPQ    dst, $32            \
	JLE     stored              \
	VMOVDQU 16(R12), X4         \
	VMOVDQU -32(R12)(dst*1), X5 \
	VMOVDQU X4, 16(R9)         \
	VMOVDQU X5, -32(R9)(dst*1) \
stored: \
	ADDQ R9, dst \
	JMP  loop     \
eights: \
	MOVQ (R12), R10          \
	MOVQ -8(R12)(dst*1), R11 \
	MOVQ R10, (R9)          \
	MOVQ R11, -8(R9)(dst*1) \
	JMP  stored

// FOUR_BYTES makes of the code points of v the four bytes of UTF-8, the first in the highest. Uses: t1, t2. Requires: AVX2.
#define FOUR_BYTES(v, t1, t2, bytes) \
	VPBROADCASTD utf8Units<>+40(SB), t1 \
	VPAND        t1, v, bytes           \
	VPBROADCASTD utf8Units<>+44(SB), t1 \
	VPSLLD       $2, v, t2              \
	VPAND        t1, t2, t2             \
	VPOR         t2, bytes, bytes       \
	VPBROADCASTD utf8Units<>+48(SB), t1 \
	VPSLLD       $4, v, t2              \
	VPAND        t1, t2, t2             \
	VPOR         t2, bytes, bytes       \
	VPBROADCASTD utf8Units<>+52(SB), t1 \
	VPSLLD       $6, v, t2              \
	VPAND        t1, t2, t2             \
	VPBROADCASTD utf8Units<>+56(SB), t1 \
	VPOR         t2, bytes, bytes       \
	VPOR         t1, bytes, bytes

// func utf16ToUTF8AVX2(dst []byte, src []uint16, from byteOrder) (nDst, nSrc int)
TEXT ·utf16ToUTF8AVX2(SB), NOSPLIT, $64-72
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), dstEnd
	MOVQ src_base+24(FP), src
	MOVQ src_len+32(FP), left
	BYTE_ORDER(from+48(FP), order)
	MOVQ src, start
	ADDQ dst, dstEnd
	UTF8_MARKS(0)
	UTF8_AVX2(2, LOAD16_UTF16, SWAP16_UTF16, LOAD32_UTF16, SWAP32_UTF16, GROUP)

	// A block of pairs gives doublewords.
surrogates:
	VPBROADCASTD utf16Units<>+12(SB), Y1
	VPBROADCASTD pairUnits<>+0(SB), Y2
	VPAND        Y1, Y0, Y1
	VPCMPEQD     Y2, Y1, Y2
	VPMOVMSKB    Y2, AX
	CMPL         AX, $-1
	JNE          paired
	VPBROADCASTD pairUnits<>+4(SB), Y1
	VPBROADCASTD pairUnits<>+8(SB), Y2
	VPMADDWD     Y1, Y0, Y0
	VPADDD       Y2, Y0, Y0
	FOUR_BYTES(Y0, Y1, Y2, Y3)
	VMOVDQU      ·byteOrders+128(SB), Y1
	VPSHUFB      Y1, Y3, Y3
	VMOVDQU      Y3, (dst)
	ADDQ         $32, dst
	ADDQ         $32, src
	SUBQ         $16, left
	JMP          few

	// Otherwise surrogates put out two bytes each. They are in pairs; if the last code unit of the block is a high one, it is left to the next block.
paired:
	VPBROADCASTD utf16Units<>+8(SB), Y2
	VPCMPEQW     Y14, Y1, Y3            // high ones
	VPCMPEQW     Y2, Y1, Y2             // low ones
	VPMOVMSKB    Y3, AX
	VPMOVMSKB    Y2, R11
	LEAL         (AX*4), R10
	CMPL         R10, R11
	JNE          done
	ORL          AX, R11
	SHRL         $31, AX
	TRAILS(Y0, Y6, Y4)
	FIRSTS(Y0, Y6, Y5, BX)
	ANDL         $0xAAAAAAAA, R11
	XORL         R11, BX

	// Low ones: 80, two bits of the high one before, and four of their own; the last byte is as that of others.
	VPERM2I128   $0x08, Y0, Y0, Y1      // its lower half above zeros
	VPALIGNR     $14, Y1, Y0, Y1
	VPBROADCASTD utf8Units<>+32(SB), Y6
	VPSLLW       $4, Y1, Y1
	VPAND        Y6, Y1, Y1
	VPBLENDVB    Y2, Y1, Y5, Y5
	VPBROADCASTD utf8Units<>+36(SB), Y6
	VPSRLW       $6, Y0, Y1
	VPAND        Y6, Y1, Y1
	VPBROADCASTD utf8Units<>+28(SB), Y6
	VPOR         Y6, Y1, Y1
	VPAND        Y2, Y1, Y1
	VPOR         Y1, Y5, Y5

	// High ones: F0 and three bits, 80 and six bits, of the code point less its last ten.
	VPBROADCASTD utf8Units<>+24(SB), Y1
	VPADDW       Y1, Y0, Y1
	VPSRLW       $2, Y1, Y2
	VPAND        Y12, Y2, Y2
	VPOR         Y6, Y2, Y2
	VPBLENDVB    Y3, Y2, Y4, Y4
	VPBROADCASTD utf8Units<>+20(SB), Y6
	VPSRLW       $8, Y1, Y1
	VPOR         Y6, Y1, Y1
	VPBLENDVB    Y3, Y1, Y5, Y5
	HOLD(Y0, Y4, Y5)
	MOVL         $16, R10
	SUBL         AX, R10
	LEAQ         (src)(R10*2), src
	SUBQ         R10, left
	ADDL         AX, AX                 // the two bytes of the last high one
	JMP          exact

done:
	SUBQ start, src
	SUBQ dst_base+0(FP), dst
	SHRQ $1, src
	MOVQ dst, nDst+56(FP)
	MOVQ src, nSrc+64(FP)
	VZEROUPPER
	RET

// CHARACTERS makes of the eight code points in v doublewords as they are held, but that characters of four bytes have theirs from the highest on back.
// K1 to k3 get masks of those above 7F, 7FF, FFFF. Uses: Y4, Y5, Y6. Requires: AVX2.
#define CHARACTERS(v, bytes, k1, k2, k3) \
	FOUR_BYTES(v, Y4, Y5, bytes)        \
	VPSRLD       $12, v, Y4             \
	VPSRLD       $6, v, Y5              \
	VPADDW       firstOfThree<>(SB), Y4, Y4 \
	VPADDW       firstOfTwo<>(SB), Y5, Y5 \
	VPMINUW      Y5, Y4, Y4             \
	VPSLLD       $16, Y4, Y4            \
	VPSLLD       $24, v, Y5             \
	VPOR         Y5, Y4, Y4             \
	VPBLENDW     $0xAA, Y4, bytes, Y4   \
	VPBROADCASTD utf32Units<>+8(SB), Y5 \
	VPCMPGTD     Y5, v, Y5              \
	VPBLENDVB    Y5, bytes, Y4, bytes   \
	VMOVMSKPS    Y5, k3                 \
	VPBROADCASTD utf32Units<>+4(SB), Y5 \
	VPCMPGTD     Y5, v, Y5              \
	VMOVMSKPS    Y5, k2                 \
	VPBROADCASTD utf32Units<>+0(SB), Y5 \
	VPCMPGTD     Y5, v, Y5              \
	VMOVMSKPS    Y5, k1

// func utf32ToUTF8AVX2(dst []byte, src []rune, from byteOrder) (nDst, nSrc int)
TEXT ·utf32ToUTF8AVX2(SB), NOSPLIT, $64-72
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), dstEnd
	MOVQ src_base+24(FP), src
	MOVQ src_len+32(FP), left
	BYTE_ORDER(from+48(FP), order)
	MOVQ src, start
	ADDQ dst, dstEnd
	UTF8_MARKS(64)
	UTF8_AVX2(4, LOAD16_UTF32, SWAP16_UTF32, LOAD32_UTF32, SWAP32_UTF32, GROUP_OF_FOUR)

	// Eight characters of four bytes give doublewords.
beyond:
	LEAQ         64(dst), R10
	CMPQ         R10, dstEnd
	JA           done
	VMOVDQU      (src), Y0
	ORDER_DOUBLEWORDS(order, Y0)
	VPBROADCASTD pairUnits<>+12(SB), Y1
	VPBROADCASTD pairUnits<>+16(SB), Y2
	VPADDD       Y1, Y0, Y1
	VPMINUD      Y2, Y1, Y2
	VPCMPEQD     Y1, Y2, Y2
	VPMOVMSKB    Y2, AX
	CMPL         AX, $-1
	JNE          any
	FOUR_BYTES(Y0, Y1, Y2, Y3)
	VMOVDQU      ·byteOrders+128(SB), Y1
	VPSHUFB      Y1, Y3, Y3
	VMOVDQU      Y3, (dst)
	ADDQ         $32, dst
	ADDQ         $32, src
	SUBQ         $8, left
	JMP          loop

	// 16 of any.
any:
	VMOVDQU      32(src), Y1
	ORDER_DOUBLEWORDS(order, Y1)
	VPBROADCASTD utf32Units<>+12(SB), Y4
	VPBROADCASTD utf32Units<>+16(SB), Y5
	VPBROADCASTD utf32Units<>+20(SB), Y6
	VPXOR        Y4, Y0, Y2
	VPXOR        Y4, Y1, Y3
	VPSUBD       Y5, Y2, Y2
	VPSUBD       Y5, Y3, Y3
	VPMAXUD      Y3, Y2, Y2
	VPMAXUD      Y6, Y2, Y2
	VPXOR        Y6, Y2, Y2
	VPTEST       Y2, Y2
	JNE          done
	CHARACTERS(Y0, Y2, AX, R10, R11)
	CHARACTERS(Y1, Y3, BX, R12, R9)
	SHLL         $8, BX
	SHLL         $8, R12
	SHLL         $8, R9
	ORL          BX, AX
	ORL          R12, R10
	ORL          R9, R11
	XORL         R11, AX
	MOVL         $0x55555555, R12
	PDEPL        R12, AX, BX
	PDEPL        R12, R10, R10
	PDEPL        R12, R11, AX
	LEAL         (BX)(R10*2), BX
	VPERM2I128   $0x31, Y3, Y2, Y4
	VPERM2I128   $0x20, Y3, Y2, Y2
	VMOVDQA      Y4, Y3
	ADDQ         $64, src
	SUBQ         $16, left
	JMP          exact

surrogates:
done:
	SUBQ start, src
	SUBQ dst_base+0(FP), dst
	SHRQ $2, src
	MOVQ dst, nDst+56(FP)
	MOVQ src, nSrc+64(FP)
	VZEROUPPER
	RET

// For the words of the lower and of the upper half of 16 bytes, doublewords.
DATA spreadUnits2<>+0x00(SB)/8, $0x8080030280800100
DATA spreadUnits2<>+0x08(SB)/8, $0x8080070680800504
DATA spreadUnits2<>+0x10(SB)/8, $0x80800B0A80800908
DATA spreadUnits2<>+0x18(SB)/8, $0x80800F0E80800D0C
GLOBL spreadUnits2<>(SB), RODATA|NOPTR, $32

// ANY_SURROGATES tells by the flags, NE, whether v or w has surrogates. Where their upper bytes are, upper says. The constants are in Y4 and Y15.
// Uses: t, u, r. Requires: AVX2.
#define ANY_SURROGATES(v, w, upper, t, u, r) \
	VPADDB    Y4, v, t  \
	VPADDB    Y4, w, u  \
	VPMINSB   u, t, t   \
	VPADDSB   Y15, t, t \
	VPMOVMSKB t, r      \
	TESTL     upper, r

// func utf16ToUTF32AVX2(dst []rune, src []uint16, from, to byteOrder) (nDst, nSrc int)
//
// In blocks of 32 code units, of 16, which may be eight pairs, and of eight with any. The last ones, less than eight, go with those before if there are
// no surrogates. They are left over otherwise, and what has no room for as many characters.
TEXT ·utf16ToUTF32AVX2(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), dstEnd
	MOVQ src_base+24(FP), src
	MOVQ src_len+32(FP), left
	MOVQ src, start
	MOVQ dst, R9
	LEAQ (dst)(dstEnd*4), dstEnd
	BYTE_ORDER(from+48(FP), order)
	BYTE_ORDER(to+56(FP), order2)

	// Y6 is the index that takes words to host order, Y7 and Y5 are those of the doublewords of eight bytes, as they are stored. R13 tells where the
	// upper bytes of the words of src are.
	ADDQ           from+48(FP), AX           // where byteOrders is
	VMOVDQU        (AX), Y6
	VBROADCASTI128 spreadUnits2<>+0(SB), Y7
	VBROADCASTI128 spreadUnits2<>+16(SB), Y5
	VPSHUFB        Y6, Y7, Y7
	VPSHUFB        Y6, Y5, Y5
	ORDER_DOUBLEWORDS(order2, Y7)
	ORDER_DOUBLEWORDS(order2, Y5)
	MOVL           $0xAAAAAAAA, R13
	TESTQ          order, order
	JEQ            2(PC)
	SHRL           $1, R13
	VPBROADCASTD   utf16Units<>+0(SB), Y14
	VPBROADCASTD   utf16Units<>+12(SB), Y13
	VPBROADCASTD   utf16Units<>+8(SB), Y12
	VPBROADCASTD   pairUnits<>+0(SB), Y11
	VPBROADCASTD   pairUnits<>+4(SB), Y10
	VPBROADCASTD   pairUnits<>+8(SB), Y9
	VPBROADCASTD   pairBase<>+0(SB), Y8
	VPBROADCASTD   pairUnits<>+20(SB), Y4
	VPBROADCASTD   pairUnits<>+24(SB), Y15
	LEAQ           ·packedBytes(SB), R12

	// 32 at a time, as long as there are no surrogates and room for them.
loop:
	MOVQ    dstEnd, AX
	SUBQ    dst, AX
	SHRQ    $2, AX
	CMPQ    left, AX
	CMOVQLT left, AX
	SUBQ    $32, AX
	JLT     few

pass:
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y1
	ANY_SURROGATES(Y0, Y1, R13, Y2, Y3, R10)
	JNE     few
	VPERMQ  $0xD8, Y0, Y0
	VPSHUFB Y7, Y0, Y2
	VMOVDQU Y2, (dst)
	VPSHUFB Y5, Y0, Y3
	VMOVDQU Y3, 32(dst)
	VPERMQ  $0xD8, Y1, Y1
	VPSHUFB Y7, Y1, Y2
	VMOVDQU Y2, 64(dst)
	VPSHUFB Y5, Y1, Y3
	VMOVDQU Y3, 96(dst)
	ADDQ    $128, dst
	ADDQ    $64, src
	SUBQ    $32, left
	SUBQ    $32, AX
	JGE     pass

few:
	CMPQ      left, $16
	JLT       eight
	LEAQ      64(dst), R10
	CMPQ      R10, dstEnd
	JA        eight
	VMOVDQU   (src), Y0
	VPSHUFB   Y6, Y0, Y0
	VPAND     Y13, Y0, Y1
	VPCMPEQD  Y11, Y1, Y1
	VPMOVMSKB Y1, AX
	CMPL      AX, $-1
	JNE       notPairs
	VPMADDWD  Y10, Y0, Y0
	VPADDD    Y9, Y0, Y0
	ORDER_DOUBLEWORDS(order2, Y0)
	VMOVDQU   Y0, (dst)
	ADDQ      $32, dst
	ADDQ      $32, src
	SUBQ      $16, left
	JMP       few

	// The words are in host order.
notPairs:
	ANY_SURROGATES(Y0, Y0, $0xAAAAAAAA, Y2, Y3, AX)
	JNE     eight
	VPERMQ  $0xD8, (src), Y0
	VPSHUFB Y7, Y0, Y2
	VMOVDQU Y2, (dst)
	VPSHUFB Y5, Y0, Y3
	VMOVDQU Y3, 32(dst)
	MOVQ    R10, dst
	ADDQ    $32, src
	SUBQ    $16, left
	JMP     loop

	// Surrogates are in pairs; if the last code unit is a high one, it is left to the next block.
eight:
	CMPQ      left, $8
	JLT       last
	LEAQ      32(dst), R10
	CMPQ      R10, dstEnd
	JA        done
	VMOVDQU   (src), X0
	VPSHUFB   X6, X0, X0
	VPAND     X13, X0, X1
	VPCMPEQW  X14, X1, X2  // high ones
	VPCMPEQW  X12, X1, X1  // low ones
	VPMOVMSKB X2, AX
	VPMOVMSKB X1, R11
	LEAL      (AX*4), R10
	MOVWLZX   R10, R10
	CMPL      R10, R11
	JNE       done
	ORL       AX, R10
	JEQ       plain
	VPSRLDQ   $2, X0, X1
	VPMOVZXWD X0, Y0

	// Each high one is joined with the next code unit, and the low ones are left out.
	VPMOVZXWD X1, Y1
	VPMOVSXWD X2, Y2
	VPSLLD    $10, Y0, Y3
	VPADDD    Y8, Y1, Y1
	VPADDD    Y3, Y1, Y1
	VPBLENDVB Y2, Y1, Y0, Y0
	ORDER_DOUBLEWORDS(order2, Y0)
	SHRL      $15, AX
	SHLL      $15, AX
	ORL       AX, R11             // nor is the last unit in
	NOTL      R11
	MOVL      $0xAAAA, R10
	PEXTL     R10, R11, R11
	LEAQ      (R12)(R11*8), R10
	POPCNTL   R11, R11
	VPMOVZXBD (R10), Y1
	VPMOVZXBD -4(R10)(R11*1), X2
	VPERMD    Y0, Y1, Y1
	VPERMD    Y0, Y2, Y2
	VMOVDQU   X1, (dst)
	VMOVDQU   X2, -16(dst)(R11*4)
	LEAQ      (dst)(R11*4), dst
	SHRL      $15, AX
	MOVL      $8, R10
	SUBL      AX, R10
	LEAQ      (src)(R10*2), src
	SUBQ      R10, left
	JMP       few

plain:
	VMOVDQU (src), X0
	VPERMQ  $0x10, Y0, Y0
	VPSHUFB Y7, Y0, Y0
	VMOVDQU Y0, (dst)
	ADDQ    $32, dst
	ADDQ    $16, src
	SUBQ    $8, left
	JMP     few

	// Less than eight, with those before, if there are no surrogates.
last:
	TESTQ   left, left
	JEQ     done
	LEAQ    -16(src)(left*2), R10
	CMPQ    R10, start
	JB      done
	LEAQ    (dst)(left*4), R11
	CMPQ    R11, dstEnd
	JA      done
	VMOVDQU (R10), X0
	ANY_SURROGATES(Y0, Y0, R13, Y2, Y3, AX)
	JNE     done
	VPERMQ  $0x10, Y0, Y0
	VPSHUFB Y7, Y0, Y0
	VMOVDQU Y0, -32(R11)
	LEAQ    (src)(left*2), src
	MOVQ    R11, dst

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $1, src
	SHRQ $2, dst
	MOVQ dst, nDst+64(FP)
	MOVQ src, nSrc+72(FP)
	VZEROUPPER
	RET

// func utf32ToUTF16AVX2(dst []uint16, src []rune, from, to byteOrder) (nDst, nSrc int)
//
// In blocks of 32 code units that give one each, and of eight with any. Less than eight are left over, or room for less than eight pairs.
TEXT ·utf32ToUTF16AVX2(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	BYTE_ORDER(from+48(FP), order)
	BYTE_ORDER(to+56(FP), order2)
	MOVQ         src, start
	MOVQ         dst, R9
	LEAQ         (dst)(dstEnd*2), dstEnd
	VPBROADCASTD utf16Units<>+0(SB), Y14
	VPBROADCASTD utf16Units<>+4(SB), Y15
	VPBROADCASTD utf32Units<>+8(SB), Y13
	VPBROADCASTD utf32Units<>+12(SB), Y12
	VPBROADCASTD utf32Units<>+16(SB), Y11
	VPBROADCASTD utf32Units<>+20(SB), Y10
	VPBROADCASTD pairBase<>+4(SB), Y9
	VPBROADCASTD pairBase<>+8(SB), Y8
	LEAQ         ·packedUnits(SB), R12
	LEAQ         ·lastEight(SB), R13

loop:
	CMPQ    left, $32
	JLT     eight
	LEAQ    64(dst), R10
	CMPQ    R10, dstEnd
	JA      eight
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y3
	VMOVDQU 64(src), Y1
	VMOVDQU 96(src), Y4
	TESTQ   order, order
	JNE     swapped

loaded:
	VPOR      Y0, Y1, Y5
	VPOR      Y3, Y4, Y6
	VPOR      Y5, Y6, Y5
	VPTEST    beyondWords<>(SB), Y5
	JNE       eight
	VPACKUSDW Y3, Y0, Y0
	VPACKUSDW Y4, Y1, Y1
	VPERMQ    $0xD8, Y0, Y0
	VPERMQ    $0xD8, Y1, Y1
	VPAND     Y15, Y0, Y2
	VPAND     Y15, Y1, Y3
	VPCMPEQW  Y14, Y2, Y2
	VPCMPEQW  Y14, Y3, Y3
	VPOR      Y2, Y3, Y2
	VPMOVMSKB Y2, AX
	TESTL     AX, AX
	JNE       eight
	ORDER_WORDS(order2, Y0)
	ORDER_WORDS(order2, Y1)
	VMOVDQU   Y0, (dst)
	VMOVDQU   Y1, 32(dst)
	MOVQ      R10, dst
	ADDQ      $128, src
	SUBQ      $32, left
	JMP       loop

	// As validUTF32PrefixAVX2 does, for trouble.
eight:
	CMPQ    left, $8
	JLT     last
	LEAQ    32(dst), R10
	CMPQ    R10, dstEnd
	JA      done
	VMOVDQU (src), Y0
	ORDER_DOUBLEWORDS(order, Y0)
	VPXOR   Y12, Y0, Y1
	VPSUBD  Y11, Y1, Y1
	VPMAXUD Y10, Y1, Y1
	VPXOR   Y10, Y1, Y1
	VPTEST  Y1, Y1
	JNE     done

	// Characters of two take a doubleword, of which others keep the lower word.
	VPCMPGTD  Y13, Y0, Y1
	VPSRLD    $10, Y0, Y2
	VPSLLD    $16, Y0, Y3
	VMOVMSKPS Y1, AX
	VPAND     Y8, Y3, Y3
	VPADDD    Y9, Y2, Y2
	VPOR      Y3, Y2, Y2
	CMPL      AX, $0xFF
	JNE       notPairs
	ORDER_WORDS(order2, Y2)
	VMOVDQU   Y2, (dst)
	MOVQ      R10, dst
	ADDQ      $32, src
	SUBQ      $8, left
	JMP       eight

notPairs:
	VPBLENDVB    Y1, Y2, Y0, Y0
	ORDER_WORDS(order2, Y0)
	MOVL         AX, R11
	SHLL         $4, AX
	ANDL         $0xF0, AX
	ANDL         $0xF0, R11
	VEXTRACTI128 $1, Y0, X1
	VPSHUFB      (R12)(AX*1), X0, X0
	VPSHUFB      (R12)(R11*1), X1, X1
	POPCNTL      AX, AX
	POPCNTL      R11, R11
	VMOVDQU      X0, (dst)
	LEAQ         8(dst)(AX*2), dst
	VMOVQ        (R13)(R11*2), X2
	VPSHUFB      X2, X1, X2
	VMOVQ        X1, (dst)
	VMOVQ        X2, (dst)(R11*2)
	LEAQ         8(dst)(R11*2), dst
	ADDQ         $32, src
	SUBQ         $8, left
	JMP          loop

	// Less than eight, with those before, if each gives one.
last:
	TESTQ        left, left
	JEQ          done
	LEAQ         -32(src)(left*4), R10
	CMPQ         R10, start
	JB           done
	LEAQ         (dst)(left*2), R11
	CMPQ         R11, dstEnd
	JA           done
	VMOVDQU      (R10), Y0
	ORDER_DOUBLEWORDS(order, Y0)
	VPTEST       beyondWords<>(SB), Y0
	JNE          done
	VEXTRACTI128 $1, Y0, X1
	VPACKUSDW    X1, X0, X0
	VPAND        X15, X0, X1
	VPCMPEQW     X14, X1, X1
	VPMOVMSKB    X1, AX
	TESTL        AX, AX
	JNE          done
	ORDER_WORDS(order2, X0)
	VMOVDQU      X0, -16(R11)
	LEAQ         (src)(left*4), src
	MOVQ         R11, dst

done:
	SUBQ start, src
	SUBQ R9, dst
	SHRQ $2, src
	SHRQ $1, dst
	MOVQ dst, nDst+64(FP)
	MOVQ src, nSrc+72(FP)
	VZEROUPPER
	RET

swapped:
	VPSHUFB 64(order), Y0, Y0
	VPSHUFB 64(order), Y3, Y3
	VPSHUFB 64(order), Y1, Y1
	VPSHUFB 64(order), Y4, Y4
	JMP     loaded
