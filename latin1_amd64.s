// Conversions between Latin-1 and UTF-8, UTF-16 and UTF-32, and the length of Latin-1 in UTF-8.
//
// Levels: AVX2 (16 or 32 bytes a step), AVX512 (64 bytes).
// Bounds: loads within [src, src+left), stores within [dst, dstEnd) and within the result; what a mask leaves out is not touched.
// Clobbers: AX to DX, SI, DI, R8 to R13, vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// Bytes to be broadcast.
DATA latin1Bytes<>+0(SB)/4, $0xBFBFBFBF  // the last continuation byte
DATA latin1Bytes<>+4(SB)/4, $0xC0C0C0C0  // 0x80 - 0xC0: takes lead bytes to 80 and above, BF to 7F; also the first lead byte
DATA latin1Bytes<>+8(SB)/4, $0xC3C3C3C3  // lead byte of U+00C0 to U+00FF
DATA latin1Bytes<>+12(SB)/4, $0x40404040 // what lacks a continuation byte behind C3
DATA latin1Bytes<>+16(SB)/4, $0xC2C2C2C2 // lead byte of U+0080 to U+00BF
DATA latin1Bytes<>+20(SB)/4, $0x01010101
DATA latin1Bytes<>+24(SB)/4, $0x00010001 // what a lead byte and a trail byte at least are
DATA latin1Bytes<>+28(SB)/4, $0x80808080
GLOBL latin1Bytes<>(SB), RODATA|NOPTR, $32

// For the low six bits of a lead byte: 80 unless Latin-1 has its characters.
DATA beyondLatin1<>+0x00(SB)/8, $0x8080808000008080 // C2 and C3 are good
DATA beyondLatin1<>+0x08(SB)/8, $0x8080808080808080
DATA beyondLatin1<>+0x10(SB)/8, $0x8080808080808080
DATA beyondLatin1<>+0x18(SB)/8, $0x8080808080808080
DATA beyondLatin1<>+0x20(SB)/8, $0x8080808080808080
DATA beyondLatin1<>+0x28(SB)/8, $0x8080808080808080
DATA beyondLatin1<>+0x30(SB)/8, $0x8080808080808080
DATA beyondLatin1<>+0x38(SB)/8, $0x8080808080808080
GLOBL beyondLatin1<>(SB), RODATA|NOPTR, $64

// LATIN1_OF_UTF8 makes of v0, a block of UTF-8, and v1, the bytes before each of its bytes, the characters in their last bytes, and in
// k the mask of these. The top bits of err get the trouble. Uses: t0 to t2, v0, v1, k3. Requires: AVX-512 VBMI.
#define LATIN1_OF_UTF8(v0, v1, t0, t1, t2, err, k, k3) \
	VPCMPUB    $1, Z17, v0, k      \
	VPCMPUB    $0, Z18, v1, k3     \
	VPMAXUB    Z16, v1, t0         \
	VPADDB     v0, v0, t1          \
	VPERMB     Z20, v0, t2         \
	VPADDB     Z17, t0, t0         \
	VPTERNLOGQ $0x80, t1, v0, t2   \
	VPTERNLOGQ $0xB4, t1, v0, t0   \
	VPADDB     Z19, v0, k3, v0     \
	VPTERNLOGQ $0xFE, t2, t0, err

// func utf8ToLatin1AVX512(dst, src []byte) (nDst, nSrc int)
TEXT ·utf8ToLatin1AVX512(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVQ         src, start
	MOVQ         dst, R9
	ADDQ         dst, dstEnd
	VPBROADCASTD latin1Bytes<>+0(SB), Z16
	VPBROADCASTD latin1Bytes<>+4(SB), Z17
	VPBROADCASTD latin1Bytes<>+8(SB), Z18
	VPBROADCASTD latin1Bytes<>+12(SB), Z19
	VMOVDQU64    beyondLatin1<>(SB), Z20
	VPXOR        X10, X10, X10
	CMPQ         left, $64
	JLT          short

	// The first block has nothing before it.
	VMOVDQU64 (src), Z0
	VALIGND   $12, Z10, Z0, Z1
	VPALIGNR  $15, Z1, Z0, Z1
	LEAQ      64(dst), R10
	CMPQ      R10, dstEnd
	JA        allLanes
	JMP       convert

loop:
	VMOVDQU64 (src), Z0
	VMOVDQU64 -1(src), Z1
	LEAQ      64(dst), R10
	CMPQ      R10, dstEnd
	JA        allLanes
	VPORQ     Z0, Z1, Z2
	VPMOVB2M  Z2, K1
	KORTESTQ  K1, K1
	JEQ       ascii

convert:
	LATIN1_OF_UTF8(Z0, Z1, Z3, Z4, Z5, Z10, K1, K2)
	VPMOVB2M     Z10, K2
	KORTESTQ     K2, K2
	JNE          done
	VPXOR        X6, X6, X6
	VPCOMPRESSB.Z Z0, K1, Z6
	KMOVQ        K1, AX
	POPCNTQ      AX, AX
	FIRST_BITS(AX, R11)
	KMOVQ        R11, K2
	VMOVDQU8     Z6, K2, (dst)
	ADDQ         AX, dst
	ADDQ         $64, src
	SUBQ         $64, left
	CMPQ         left, $64
	JGE          loop

rest:
	// Less than a block: that which ends the text, without what was there before.
	TESTQ     left, left
	JEQ       done
	VMOVDQU64 -64(src)(left*1), Z0
	LEAQ      -65(src)(left*1), R10
	CMPQ      R10, start
	JB        done
	VMOVDQU64 (R10), Z1
	MOVQ      $64, R10
	SUBQ      left, R10
	MOVQ      $-1, AX
	SHLXQ     R10, AX, AX
	JMP       lanes

ascii:
	VMOVDQU64 Z0, (dst)
	ADDQ      $64, dst
	ADDQ      $64, src
	SUBQ      $64, left
	CMPQ      left, $256
	JLT       asciiEnd
	LEAQ      256(dst), R10
	CMPQ      R10, dstEnd
	JA        loop
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VMOVDQU64 128(src), Z2
	VMOVDQU64 192(src), Z3
	VPORQ     Z0, Z1, Z4
	VPORQ     Z2, Z3, Z5
	VPORQ     Z4, Z5, Z4
	VPMOVB2M  Z4, K1
	KORTESTQ  K1, K1
	JNE       loop
	VMOVDQU64 Z0, (dst)
	VMOVDQU64 Z1, 64(dst)
	VMOVDQU64 Z2, 128(dst)
	VMOVDQU64 Z3, 192(dst)
	ADDQ      $192, dst
	ADDQ      $192, src
	SUBQ      $192, left
	VMOVDQA64 Z3, Z0
	JMP       ascii2
ascii2:
	ADDQ      $64, dst
	ADDQ      $64, src
	SUBQ      $64, left
	JMP       asciiEnd
asciiEnd:
	CMPQ left, $64
	JGE  loop
	JMP  rest

short:
	FIRST_BITS(left, AX)
	KMOVQ      AX, K1
	VMOVDQU8.Z (src), K1, Z0
	VALIGND    $12, Z10, Z0, Z1
	VPALIGNR   $15, Z1, Z0, Z1
	JMP        lanes

allLanes:
	MOVQ $-1, AX

	// A block that has room for no more than its result.
lanes:
	LATIN1_OF_UTF8(Z0, Z1, Z3, Z4, Z5, Z10, K1, K2)
	VPMOVB2M      Z10, K2
	KORTESTQ      K2, K2
	JNE           done
	KMOVQ         AX, K2
	KANDQ         K1, K2, K1
	KMOVQ         K1, AX
	POPCNTQ       AX, AX
	LEAQ          (dst)(AX*1), R10
	CMPQ          R10, dstEnd
	JA            done
	VPXOR         X6, X6, X6
	VPCOMPRESSB.Z Z0, K1, Z6
	FIRST_BITS(AX, R11)
	KMOVQ         R11, K2
	VMOVDQU8      Z6, K2, (dst)
	MOVQ          R10, dst
	MOVL          $64, R10
	CMPQ          left, R10
	CMOVQLT       left, R10
	ADDQ          R10, src
	SUBQ          R10, left
	CMPQ          left, $64
	JGE           loop
	JMP           rest

done:
	// A lead byte that waits for its continuation byte is not done.
	CMPQ src, start
	JEQ  out
	CMPB -1(src), $0xC0
	CMC
	SBBQ $0, src
out:
	SUBQ start, src
	SUBQ R9, dst
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET
