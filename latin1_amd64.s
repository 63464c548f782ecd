// Conversions between Latin-1 and UTF-8, UTF-16 and UTF-32, and the length of Latin-1 in UTF-8.
//
// Levels: AVX2 (16 or 32 bytes a step), AVX512 (64 bytes).
// Bounds: loads within [src, src+left), stores within [dst, dstEnd) and within the result; what a mask leaves out is not touched.
// Clobbers: AX to DX, SI, DI, R8 to R14, vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// Bytes to be broadcast.
DATA latin1Bytes<>+0(SB)/4, $0xC0C0C0C0 // the first lead byte, and the first character of those behind C3
DATA latin1Bytes<>+4(SB)/4, $0xC2C2C2C2 // lead byte of U+0080 to U+00BF
DATA latin1Bytes<>+8(SB)/4, $0xC3C3C3C3 // lead byte of U+00C0 to U+00FF
DATA latin1Bytes<>+12(SB)/4, $0x40404040 // what a continuation byte behind C3 lacks, and a trail byte; C0 - 80, which leaves top bits to lead bytes alone
DATA latin1Bytes<>+16(SB)/4, $0x01010101 // C3 - C2
DATA latin1Bytes<>+20(SB)/4, $0x03030303 // the upper bits of a character, at the end of a lead byte
DATA latin1Bytes<>+24(SB)/4, $0x20202020 // half a block further
DATA latin1Bytes<>+28(SB)/4, $0x10101010 // a quarter of a block further
GLOBL latin1Bytes<>(SB), RODATA|NOPTR, $32
DATA upperEight<>+0(SB)/8, $0
DATA upperEight<>+8(SB)/8, $0x0808080808080808 // added to indexes in the upper half of a vector
GLOBL upperEight<>(SB), RODATA|NOPTR, $16

// ASCII_RUN_AVX2 copies the 32 bytes in Y0, which are ASCII, and what follows of that, as long as there are 128 bytes and room for them. Label loop is
// next, or what stands behind if less than a block is left. Left counts what is behind the block. Uses: AX, R10, Y0 to Y5. Requires: AVX2.
#define ASCII_RUN_AVX2 \
nextRun: \
	VMOVDQU   Y0, (dst)         \
	ADDQ      $32, dst          \
	ADDQ      $32, src          \
	SUBQ      $32, left         \
	CMPQ      left, $96         \
	JLT       runEnd            \
	LEAQ      128(dst), R10     \
	CMPQ      R10, dstEnd       \
	JA        runEnd            \
	VMOVDQU   (src), Y0         \
	VMOVDQU   32(src), Y1       \
	VMOVDQU   64(src), Y2       \
	VMOVDQU   96(src), Y3       \
	VPOR      Y0, Y1, Y4        \
	VPOR      Y2, Y3, Y5        \
	VPOR      Y4, Y5, Y4        \
	VPMOVMSKB Y4, AX            \
	TESTL     AX, AX            \
	JNE       loop              \
	VMOVDQU   Y0, (dst)         \
	VMOVDQU   Y1, 32(dst)       \
	VMOVDQU   Y2, 64(dst)       \
	VMOVDQA   Y3, Y0            \
	ADDQ      $96, dst          \
	ADDQ      $96, src          \
	SUBQ      $96, left         \
	JMP       nextRun           \
runEnd: \
	TESTQ left, left            \
	JGE   loop

// LEAD_BYTES gets in R11 the mask of the lead bytes among 32 of UTF-8 in Y0, of which BX says whether a lead byte is before them, and sets the flags to "not
// equal" if there is trouble: what is not ASCII is C2 or C3, or a continuation byte, and these are where one of those is before. Y13 to Y15 have constants.
// Uses: AX, R10, R13, Y2, Y3. Requires: AVX2.
#define LEAD_BYTES \
	VPOR      Y0, Y15, Y2    \
	VPCMPEQB  Y14, Y2, Y2    \
	VPCMPGTB  Y0, Y13, Y3    \
	VPMOVMSKB Y2, R11        \
	VPMOVMSKB Y3, R10        \
	VPMOVMSKB Y0, R13        \
	LEAL      (BX)(R11*2), AX \
	XORL      R10, AX        \
	ORL       R11, R10       \
	XORL      R13, R10       \
	ORL       AX, R10

// func utf8ToLatin1AVX2(dst, src []byte) (nDst, nSrc int)
//
// In blocks of 32 bytes that have room for 32. The last one ends the text, and does again what is done of it. A source of less than 32 bytes is left over.
TEXT ·utf8ToLatin1AVX2(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVQ         src, start
	MOVQ         dst, R9
	ADDQ         dst, dstEnd
	VPBROADCASTD latin1Bytes<>+0(SB), Y13
	VPBROADCASTD latin1Bytes<>+8(SB), Y14
	VPBROADCASTD latin1Bytes<>+12(SB), Y12
	VPBROADCASTD latin1Bytes<>+16(SB), Y15
	VMOVDQU      upperEight<>(SB), X11
	LEAQ         ·packedBytes(SB), R12
	XORL         BX, BX                    // 1 if a lead byte is before src
	SUBQ         $32, left
	JLT          out

	// The first block has nothing before it.
	VMOVDQU    (src), Y0
	VPERM2I128 $0x08, Y0, Y0, Y1 // its lower half above zeros
	VPALIGNR   $15, Y1, Y0, Y1
	JMP        block

loop:
	VMOVDQU (src), Y0
	VMOVDQU -1(src), Y1

block:
	LEAQ      32(dst), R10
	CMPQ      R10, dstEnd
	JA        done
	VPOR      Y0, Y1, Y2
	VPMOVMSKB Y2, AX
	TESTL     AX, AX
	JEQ       ascii

	LEAD_BYTES
	JNE  done
	MOVL R11, BX
	SHRL $31, BX

	// The characters are in the last bytes.
characters:
	VPCMPEQB     Y14, Y1, Y1
	VPAND        Y12, Y1, Y1
	VPADDB       Y1, Y0, Y0
	NOTL         R11
	VEXTRACTI128 $1, Y0, X1
	PACKED(X0, R11, R12, X11, X2, AX, R10)
	PACK_LOWER(X2, AX)
	PACK_UPPER(X2, R10)
	PACKED(X1, R11, R12, X11, X2, AX, R10)
	PACK_LOWER(X2, AX)
	PACK_LAST(X2, R10, R13, AX)
	ADDQ         $32, src
	SUBQ         $32, left
	JGE          loop
	JMP          rest

ascii:
	ASCII_RUN_AVX2

	// Less than a block: that which ends the text, from where the characters of its bytes before src went.
rest:
	ADDQ    $32, left
	JEQ     done
	LEAQ    -32(src)(left*1), R10
	CMPQ    R10, start
	JBE     done
	MOVBLZX -1(R10), BX
	ADDL    $0x40, BX
	SHRL    $8, BX                // 1 for a lead byte
	VMOVDQU (R10), Y0
	VMOVDQU -1(R10), Y1
	MOVQ    R10, R14
	LEAD_BYTES
	JNE     done
	MOVL    R11, R10
	NOTL    R10
	MOVL    $32, AX
	SUBL    left, AX
	BZHIL   AX, R10, AX
	POPCNTL AX, AX
	POPCNTL R10, R10
	SUBQ    AX, R10               // how many more there are
	ADDQ    dst, R10
	CMPQ    R10, dstEnd
	JA      done
	SUBQ    AX, dst
	MOVQ    R14, src
	XORL    left, left
	JMP     characters

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

// func latin1ToUTF8AVX2(dst, src []byte) (nDst, nSrc int)
//
// In blocks of 32 bytes that have room for 64. The last one ends the text, and does again what is done of it. A source of less than 32 is left over. Of each eight characters, pairs of lead byte and trail byte are put
// together by a table, without the lead bytes of ASCII.
TEXT ·latin1ToUTF8AVX2(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVQ         src, start
	MOVQ         dst, R9
	ADDQ         dst, dstEnd
	VPBROADCASTD latin1Bytes<>+0(SB), Y13
	VPBROADCASTD latin1Bytes<>+12(SB), Y12
	VPBROADCASTD latin1Bytes<>+20(SB), Y14
	LEAQ         ·packedPairs(SB), R12
	LEAQ         ·lastEight(SB), BX
	SUBQ         $32, left
	JLT          done

loop:
	LEAQ      64(dst), R10
	CMPQ      R10, dstEnd
	JA        done
	VMOVDQU   (src), Y0
	VPMOVMSKB Y0, R11
	TESTL     R11, R11
	JEQ       ascii

pairs:
	// Lead bytes have the upper bits of the character, trail bytes lack the one that the lead byte has.
	VPSRLW     $6, Y0, Y1
	VPSRLW     $1, Y0, Y2
	VPAND      Y14, Y1, Y1
	VPAND      Y12, Y2, Y2
	VPOR       Y13, Y1, Y1
	VPANDN     Y0, Y2, Y0
	VPUNPCKHBW Y0, Y1, Y2
	VPUNPCKLBW Y0, Y1, Y0

	// Two times the masks of eight characters; the third eight are beside the first, the last beside the second.
	LEAL         (R11)(R11*1), AX
	RORXL        $15, R11, R13
	RORXL        $7, R11, R10
	RORXL        $23, R11, R11
	ANDL         $0x1FE, AX
	ANDL         $0x1FE, R13
	ANDL         $0x1FE, R10
	ANDL         $0x1FE, R11
	VMOVDQU      (R12)(AX*8), X1
	VINSERTI128  $1, (R12)(R13*8), Y1, Y1
	VMOVDQU      (R12)(R10*8), X3
	VINSERTI128  $1, (R12)(R11*8), Y3, Y3
	VPSHUFB      Y1, Y0, Y0
	VPSHUFB      Y3, Y2, Y2
	POPCNTL      AX, AX
	POPCNTL      R10, R10
	POPCNTL      R13, R13
	POPCNTL      R11, R11
	ADDL         AX, R10
	ADDL         R10, R13
	VMOVDQU      X0, (dst)
	VMOVDQU      X2, 8(dst)(AX*1)
	VEXTRACTI128 $1, Y0, 16(dst)(R10*1)
	LEAQ         24(dst)(R13*1), dst

	// The last eight bytes of the last vector apart, so that none is written behind them.
	VEXTRACTI128 $1, Y2, X0
	VMOVQ        (BX)(R11*1), X1
	VPSHUFB      X1, X0, X1
	VMOVQ        X0, (dst)
	VMOVQ        X1, (dst)(R11*1)
	LEAQ         8(dst)(R11*1), dst
	ADDQ         $32, src
	SUBQ         $32, left
	JGE          loop
	JMP          rest

ascii:
	ASCII_RUN_AVX2

	// Less than a block: that which ends the text, from where the characters before src went.
rest:
	ADDQ      $32, left
	JEQ       done
	LEAQ      -32(src)(left*1), R10
	CMPQ      R10, start
	JB        done
	VMOVDQU   (R10), Y0
	VPMOVMSKB Y0, R11
	MOVL      $32, AX
	SUBL      left, AX
	BZHIL     AX, R11, R13
	POPCNTL   R13, R13
	ADDQ      R13, AX
	POPCNTL   R11, R13
	ADDQ      $32, R13
	SUBQ      AX, R13               // how many more bytes there are
	ADDQ      dst, R13
	CMPQ      R13, dstEnd
	JA        done
	SUBQ      AX, dst
	MOVQ      R10, src
	XORL      left, left
	TESTL     R11, R11
	JNE       pairs
	JMP       ascii

done:
	SUBQ start, src
	SUBQ R9, dst
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET

// NON_ASCII_AVX2 counts in acc the bytes of v from 80 on.
#define NON_ASCII_AVX2(v, t, acc) \
	VPCMPGTB v, Y7, t   \
	VPSUBB   t, acc, acc

// func utf8LenFromLatin1AVX2(src []byte) (n int64)
TEXT ·utf8LenFromLatin1AVX2(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	COUNT_AVX2(NON_ASCII_AVX2)
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func latin1ToUTF16AVX2(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)
//
// The last vector overlaps the one before. A source of less than a vector is left over.
TEXT ·latin1ToUTF16AVX2(SB), NOSPLIT, $0-72
	MOVQ    dst_base+0(FP), dst
	MOVQ    src_base+24(FP), src
	MOVQ    src_len+32(FP), left
	BYTE_ORDER(to+48(FP), order)
	VMOVDQU ·spreadWords(SB), Y15
	ORDER_WORDS(order, Y15)
	MOVQ    dst_len+8(FP), AX
	CMPQ    AX, left
	CMOVQLT AX, left
	XORL    R9, R9
	CMPQ    left, $16
	JLT     done
	MOVQ    left, R9
	SUBQ    $64, left
	JLT     vectors
	TESTQ   order, order
	JNE     vectors

	// Where nothing is to be tested, words are widened fastest as they are read; doublewords are not.
loop:
	VPMOVZXBW (src), Y0
	VMOVDQU   Y0, (dst)
	VPMOVZXBW 16(src), Y0
	VMOVDQU   Y0, 32(dst)
	VPMOVZXBW 32(src), Y0
	VMOVDQU   Y0, 64(dst)
	VPMOVZXBW 48(src), Y0
	VMOVDQU   Y0, 96(dst)
	ADDQ      $64, src
	ADDQ      $128, dst
	SUBQ      $64, left
	JGE       loop

vectors:
	ADDQ $32, left
	JLT  last

spread:
	VBROADCASTI128 (src), Y0
	VPSHUFB        Y15, Y0, Y0
	VMOVDQU        Y0, (dst)
	VBROADCASTI128 16(src), Y1
	VPSHUFB        Y15, Y1, Y1
	VMOVDQU        Y1, 32(dst)
	ADDQ           $32, src
	ADDQ           $64, dst
	SUBQ           $32, left
	JGE            spread

last:
	CMPQ           left, $-16
	JLT            overlap
	VBROADCASTI128 (src), Y0
	VPSHUFB        Y15, Y0, Y0
	VMOVDQU        Y0, (dst)

overlap:
	VBROADCASTI128 16(src)(left*1), Y0
	VPSHUFB        Y15, Y0, Y0
	VMOVDQU        Y0, 32(dst)(left*2)

done:
	MOVQ R9, nDst+56(FP)
	MOVQ R9, nSrc+64(FP)
	VZEROUPPER
	RET

// func latin1ToUTF32AVX2(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)
//
// The last vector overlaps the one before. A source of less than a vector is left over.
TEXT ·latin1ToUTF32AVX2(SB), NOSPLIT, $0-72
	MOVQ    dst_base+0(FP), dst
	MOVQ    src_base+24(FP), src
	MOVQ    src_len+32(FP), left
	BYTE_ORDER(to+48(FP), order)
	VMOVDQU ·spreadDoublewords(SB), Y15
	ORDER_DOUBLEWORDS(order, Y15)
	MOVQ    dst_len+8(FP), AX
	CMPQ    AX, left
	CMOVQLT AX, left
	XORL    R9, R9
	CMPQ    left, $8
	JLT     done
	MOVQ    left, R9
	SUBQ    $32, left
	JLT     vectors
	TESTQ   order, order
	JNE     vectors

loop:
	VMOVDQU (src), Y0
	WIDEN_TO_DOUBLEWORDS(Y0, X0, Y2, X2, 0)
	ADDQ    $32, src
	ADDQ    $128, dst
	SUBQ    $32, left
	JGE     loop

vectors:
	ADDQ $16, left
	JLT  last

spread:
	VPBROADCASTQ (src), Y0
	VPSHUFB      Y15, Y0, Y0
	VMOVDQU      Y0, (dst)
	VPBROADCASTQ 8(src), Y1
	VPSHUFB      Y15, Y1, Y1
	VMOVDQU      Y1, 32(dst)
	ADDQ         $16, src
	ADDQ         $64, dst
	SUBQ         $16, left
	JGE          spread

last:
	CMPQ         left, $-8
	JLT          overlap
	VPBROADCASTQ (src), Y0
	VPSHUFB      Y15, Y0, Y0
	VMOVDQU      Y0, (dst)

overlap:
	VPBROADCASTQ 8(src)(left*1), Y0
	VPSHUFB      Y15, Y0, Y0
	VMOVDQU      Y0, 32(dst)(left*4)

done:
	MOVQ R9, nDst+56(FP)
	MOVQ R9, nSrc+64(FP)
	VZEROUPPER
	RET

// REST_OF_32 prepares what remains of a source of code units of size bytes, left - 32, for a step of 16 to 32: if it is less than 16, src and dst go back
// to where it is 16, and R11 gets by how much; otherwise 0. If nothing remains, label done is next; failed, with dst less by R11, if there are not 16.
// Uses: R10, left.
#define REST_OF_32(size) \
	XORL R11, R11        \
	ADDQ $32, left       \
	JEQ  done            \
	CMPQ left, $16       \
	JGE  enough          \
	MOVL $16, R11        \
	SUBQ left, R11       \
	SUBQ R11, dst        \
	CMPQ dst, start      \
	JB   failed          \
	LEAQ (R11*size), R10 \
	SUBQ R10, src        \
	ADDQ R11, left       \
enough:

// func utf16ToLatin1AVX2(dst []byte, src []uint16, limit uint32, from byteOrder) (nDst, nSrc int)
//
// In blocks of 32 code units, up to the first with one that does not fit. What remains is the first 16 of it and its last 16, which overlap, if need be
// with what is done. A source of less than 16 is left over.
TEXT ·utf16ToLatin1AVX2(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	BYTE_ORDER(from+56(FP), order)
	MOVL         limit+48(FP), R10
	MOVQ         dst_len+8(FP), AX
	CMPQ         AX, left
	CMOVQLT      AX, left
	MOVQ         dst, start
	NEGL         R10
	VMOVD        R10, X15
	VPBROADCASTW X15, Y15             // the bits that no code unit may have
	SUBQ         $32, left
	JLT          rest

loop:
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y1
	TESTQ   order, order
	JNE     swapped

loaded:
	VPOR      Y0, Y1, Y2
	VPTEST    Y15, Y2
	JNE       done
	VPACKUSWB Y1, Y0, Y0
	VPERMQ    $0xD8, Y0, Y0
	VMOVDQU   Y0, (dst)
	ADDQ      $64, src
	ADDQ      $32, dst
	SUBQ      $32, left
	JGE       loop

rest:
	REST_OF_32(2)
	VMOVDQU      (src), Y0
	VMOVDQU      -32(src)(left*2), Y1
	ORDER_WORDS(order, Y0)
	ORDER_WORDS(order, Y1)
	VPOR         Y0, Y1, Y2
	VPTEST       Y15, Y2
	JNE          failed
	VPACKUSWB    Y1, Y0, Y0
	VPERMQ       $0xD8, Y0, Y0
	VMOVDQU      X0, (dst)
	VEXTRACTI128 $1, Y0, -16(dst)(left*1)
	ADDQ         left, dst
	JMP          done

failed:
	ADDQ R11, dst

done:
	SUBQ start, dst
	MOVQ dst, nDst+64(FP)
	MOVQ dst, nSrc+72(FP)
	VZEROUPPER
	RET

swapped:
	VPSHUFB (order), Y0, Y0
	VPSHUFB (order), Y1, Y1
	JMP     loaded

// func utf32ToLatin1AVX2(dst []byte, src []rune, limit uint32, from byteOrder) (nDst, nSrc int)
//
// As utf16ToLatin1AVX2.
TEXT ·utf32ToLatin1AVX2(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	BYTE_ORDER(from+56(FP), order)
	MOVL         limit+48(FP), R10
	MOVQ         dst_len+8(FP), AX
	CMPQ         AX, left
	CMOVQLT      AX, left
	MOVQ         dst, start
	NEGL         R10
	VMOVD        R10, X15
	VPBROADCASTD X15, Y15                  // the bits that no code unit may have
	VMOVDQU      packedQuarters<>(SB), Y14
	SUBQ         $32, left
	JLT          rest

loop:
	VMOVDQU (src), Y0
	VMOVDQU 32(src), Y1
	VMOVDQU 64(src), Y2
	VMOVDQU 96(src), Y3
	TESTQ   order, order
	JNE     swapped

loaded:
	VPOR      Y0, Y1, Y4
	VPOR      Y2, Y3, Y5
	VPOR      Y4, Y5, Y4
	VPTEST    Y15, Y4
	JNE       done
	VPACKUSDW Y1, Y0, Y0
	VPACKUSDW Y3, Y2, Y2
	VPACKUSWB Y2, Y0, Y0
	VPERMD    Y0, Y14, Y0
	VMOVDQU   Y0, (dst)
	ADDQ      $128, src
	ADDQ      $32, dst
	SUBQ      $32, left
	JGE       loop

rest:
	REST_OF_32(4)
	VMOVDQU      (src), Y0
	VMOVDQU      32(src), Y1
	VMOVDQU      -64(src)(left*4), Y2
	VMOVDQU      -32(src)(left*4), Y3
	ORDER_DOUBLEWORDS(order, Y0)
	ORDER_DOUBLEWORDS(order, Y1)
	ORDER_DOUBLEWORDS(order, Y2)
	ORDER_DOUBLEWORDS(order, Y3)
	VPOR         Y0, Y1, Y4
	VPOR         Y2, Y3, Y5
	VPOR         Y4, Y5, Y4
	VPTEST       Y15, Y4
	JNE          failed
	VPACKUSDW    Y1, Y0, Y0
	VPACKUSDW    Y3, Y2, Y2
	VPACKUSWB    Y2, Y0, Y0
	VPERMD       Y0, Y14, Y0
	VMOVDQU      X0, (dst)
	VEXTRACTI128 $1, Y0, -16(dst)(left*1)
	ADDQ         left, dst
	JMP          done

failed:
	ADDQ R11, dst

done:
	SUBQ start, dst
	MOVQ dst, nDst+64(FP)
	MOVQ dst, nSrc+72(FP)
	VZEROUPPER
	RET

swapped:
	VPSHUFB 64(order), Y0, Y0
	VPSHUFB 64(order), Y1, Y1
	VPSHUFB 64(order), Y2, Y2
	VPSHUFB 64(order), Y3, Y3
	JMP     loaded

// For packed doublewords, of which two lanes give pieces of 4 bytes: back to the order of the source.
DATA packedQuarters<>+0x00(SB)/8, $0x0000000400000000
DATA packedQuarters<>+0x08(SB)/8, $0x0000000500000001
DATA packedQuarters<>+0x10(SB)/8, $0x0000000600000002
DATA packedQuarters<>+0x18(SB)/8, $0x0000000700000003
GLOBL packedQuarters<>(SB), RODATA|NOPTR, $32

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
// k the mask of these. The top bits of err get the trouble: a byte is to be a continuation byte if the one before is a lead byte, and
// lead bytes are C2 and C3. Uses: t0 to t2, v0, v1, k3. Requires: AVX-512 VBMI.
#define LATIN1_OF_UTF8(v0, v1, t0, t1, t2, err, k, k3) \
	VPCMPUB    $1, Z16, v0, k   \
	VPCMPUB    $0, Z18, v1, k3  \
	VPSUBUSB   Z19, v1, v1      \
	VPADDSB    Z19, v0, t0      \
	VPSUBUSB   Z19, v0, t1      \
	VPERMB     Z20, v0, t2      \
	VPADDB     Z19, v0, k3, v0  \
	VPTERNLOGQ $0xF6, t0, v1, err \
	VPTERNLOGQ $0xF8, t2, t1, err

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

convert:
	LATIN1_OF_UTF8(Z0, Z1, Z3, Z4, Z5, Z10, K1, K2)
	KMOVQ K1, AX
	CMPQ  AX, $-1
	JEQ   noLead

	VPMOVB2M      Z10, K2
	KORTESTQ      K2, K2
	JNE           done
	VPXOR         X6, X6, X6
	VPCOMPRESSB.Z Z0, K1, Z6
	POPCNTQ       AX, AX
	FIRST_BITS(AX, R11)
	KMOVQ         R11, K2
	VMOVDQU8      Z6, K2, (dst)
	ADDQ          AX, dst
	ADDQ          $64, src
	SUBQ          $64, left
	CMPQ          left, $64
	JGE           loop

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

	// No lead byte: ASCII, but perhaps the continuation byte of the lead byte before.
noLead:
	VPMOVB2M  Z10, K2
	KORTESTQ  K2, K2
	JNE       done
	VMOVDQU64 Z0, (dst)

ascii:
	ADDQ    $64, dst
	ADDQ    $64, src
	SUBQ    $64, left
	MOVQ    dstEnd, R12
	SUBQ    dst, R12
	CMPQ    left, R12
	CMOVQLT left, R12
	SUBQ    $128, R12
	JLT     asciiEnd

	// Two blocks at a time, of which R12 + 128 bytes have room.
asciiOnly:
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VPORQ     Z0, Z1, Z2
	VPMOVB2M  Z2, K1
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       half
	VMOVDQU64 Z0, (dst)
	VMOVDQU64 Z1, 64(dst)
	ADDQ      $128, dst
	ADDQ      $128, src
	SUBQ      $128, left
	SUBQ      $128, R12
	JGE       asciiOnly

asciiEnd:
	CMPQ left, $64
	JGE  loop
	JMP  rest

	// The first of them may be ASCII.
half:
	VPMOVB2M  Z0, K1
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       loop
	VMOVDQU64 Z0, (dst)
	ADDQ      $64, dst
	ADDQ      $64, src
	SUBQ      $64, left
	JMP       loop

	// Less than a block by a mask.
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

// Quadwords in the order in which unpacking the lower halves of the 16-byte lanes gives the first 32 bytes, the upper halves the others.
DATA halves<>+0x00(SB)/8, $0
DATA halves<>+0x08(SB)/8, $4
DATA halves<>+0x10(SB)/8, $1
DATA halves<>+0x18(SB)/8, $5
DATA halves<>+0x20(SB)/8, $2
DATA halves<>+0x28(SB)/8, $6
DATA halves<>+0x30(SB)/8, $3
DATA halves<>+0x38(SB)/8, $7
GLOBL halves<>(SB), RODATA|NOPTR, $64

// UTF8_OF_LATIN1 makes of v, a block of Latin-1 with its quadwords in the order of halves, pairs of lead and trail byte: of its first half in
// lo, of its second half in hi. ASCII is a trail byte. Uses: v, t, k. Requires: AVX-512 BW.
#define UTF8_OF_LATIN1(v, t, k, lo, hi) \
	VPCMPUB    $5, Z17, v, k \
	VMOVDQA64  Z16, t        \
	VPSUBB     Z18, v, k, v  \
	VPADDB     Z19, t, k, t  \
	VPUNPCKLBW v, t, lo      \
	VPUNPCKHBW v, t, hi

// PAIR_MASK makes of the low half of mask, which has a bit for each character, one that has the bit of its trail byte where it is in odd and
// that of its lead byte too if the character is not ASCII. Requires: BMI2.
#define PAIR_MASK(nonASCII, even, odd, mask) \
	PDEPQ even, nonASCII, mask \
	ORQ   odd, mask

// PAIRS_OF_LATIN1 makes of 64 characters at src UTF-8 in Z4 and Z5, 32 bytes in each and R10 and R11 more. If all are ASCII, label ascii is next, with
// the halves of the block in Y0 and Y1. The constants are in BX, R13, Z16 to Z20. Uses: AX, R12, Z0 to Z3, K2 to K4. Requires: AVX-512 VBMI2, BMI2, POPCNT.
#define PAIRS_OF_LATIN1 \
	VMOVDQU   (src), Y0                    \
	VMOVDQU   32(src), Y1                  \
	VPMOVMSKB Y0, R10                      \
	VPMOVMSKB Y1, R11                      \
	MOVL      R10, AX                      \
	ORL       R11, AX                      \
	JEQ       ascii                        \
	VPERMQ    (src), Z20, Z0               \
	UTF8_OF_LATIN1(Z0, Z1, K2, Z2, Z3)     \
	PAIR_MASK(R10, BX, R13, AX)            \
	PAIR_MASK(R11, BX, R13, R12)           \
	KMOVQ     AX, K3                       \
	KMOVQ     R12, K4                      \
	VPXOR     X4, X4, X4                   \
	VPXOR     X5, X5, X5                   \
	VPCOMPRESSB.Z Z2, K3, Z4               \
	VPCOMPRESSB.Z Z3, K4, Z5               \
	POPCNTL   R10, R10                     \
	POPCNTL   R11, R11

// func latin1ToUTF8AVX512(dst, src []byte) (nDst, nSrc int)
//
// In blocks of 64 bytes: pairs of bytes, without the lead bytes that ASCII does not have.
TEXT ·latin1ToUTF8AVX512(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), dstEnd
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVQ         src, start
	MOVQ         dst, R9
	ADDQ         dst, dstEnd
	VPBROADCASTD latin1Bytes<>+4(SB), Z16
	VPBROADCASTD latin1Bytes<>+0(SB), Z17
	VPBROADCASTD latin1Bytes<>+12(SB), Z18
	VPBROADCASTD latin1Bytes<>+16(SB), Z19
	VMOVDQU64    halves<>(SB), Z20
	MOVQ         $0x5555555555555555, BX   // the lead bytes of pairs
	MOVQ         $0xAAAAAAAAAAAAAAAA, R13  // the trail bytes
	CMPQ         left, $64
	JLT          rest

	// Blocks with room for the worst case. What the first store writes too much, the second one overwrites; what that one does, up to 32 bytes, the
	// next block, if there is one that has room as well. Otherwise it goes by a mask, which takes a tenth more time.

loop:
	LEAQ      256(dst), R10
	CMPQ      R10, dstEnd
	JA        near
	CMPQ      left, $128
	JLT       near
	PAIRS_OF_LATIN1
	VMOVDQU64 Z4, (dst)
	VMOVDQU64 Z5, 32(dst)(R10*1)
	ADDQ      R11, R10
	LEAQ      64(dst)(R10*1), dst
	ADDQ      $64, src
	SUBQ      $64, left
	JMP       loop

near:
	CMPQ      left, $64
	JLT       rest
	LEAQ      128(dst), R10
	CMPQ      R10, dstEnd
	JA        block
	PAIRS_OF_LATIN1
	ADDL      $32, R11
	FIRST_BITS(R11, AX)
	KMOVQ     AX, K1
	VMOVDQU64 Z4, (dst)
	VMOVDQU8  Z5, K1, 32(dst)(R10*1)
	ADDQ      R11, R10
	LEAQ      32(dst)(R10*1), dst
	ADDQ      $64, src
	SUBQ      $64, left
	JMP       near

	// As long as there is nothing else, and room. R12 is how many more bytes may be taken.
ascii:
	VMOVDQU Y0, (dst)
	VMOVDQU Y1, 32(dst)
	ADDQ    $64, dst
	ADDQ    $64, src
	SUBQ    $64, left
	MOVQ    dstEnd, R12
	SUBQ    dst, R12
	CMPQ    left, R12
	CMOVQLT left, R12
	SUBQ    $64, R12
	JLT     asciiEnd

asciiOnly:
	VMOVDQU64 (src), Z0
	VPMOVB2M  Z0, K1
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       loop
	VMOVDQU64 Z0, (dst)
	ADDQ      $64, dst
	ADDQ      $64, src
	SUBQ      $64, left
	SUBQ      $64, R12
	JGE       asciiOnly

asciiEnd:
	CMPQ left, $64
	JGE  loop

	// What is left, or has less room: blocks of which nothing but the result is written. The last one begins where it has 64 bytes, if
	// the text does, without what was there before.
rest:
	TESTQ left, left
	JEQ   done

block:
	MOVQ $-1, AX
	MOVQ src, R10
	MOVQ left, R11
	CMPQ left, $64
	JLT  partial
	MOVL $64, R11
	JMP  masked

partial:
	LEAQ  -64(src)(left*1), R12
	CMPQ  R12, start
	JB    short
	MOVQ  R12, R10
	MOVL  $64, R12
	SUBQ  left, R12
	SHLXQ R12, AX, AX
	JMP   masked

short:
	BZHIQ left, AX, AX

masked:
	KMOVQ      AX, K2
	VMOVDQU8.Z (R10), K2, Z0
	VPMOVB2M   Z0, K1
	KMOVQ      K1, R10
	POPCNTQ    R10, R12
	ADDQ       R11, R12
	ADDQ       dst, R12
	CMPQ       R12, dstEnd
	JA         done
	VPERMQ     Z0, Z20, Z0
	UTF8_OF_LATIN1(Z0, Z1, K2, Z2, Z3)

	// The trail bytes of the characters that count, and the lead bytes of those that are not ASCII.
	KMOVQ         K1, R10
	PDEPQ         BX, AX, R13
	ADDQ          R13, R13
	PAIR_MASK(R10, BX, R13, R12)
	KMOVQ         R12, K3
	SHRQ          $32, AX
	SHRQ          $32, R10
	PDEPQ         BX, AX, R13
	ADDQ          R13, R13
	PAIR_MASK(R10, BX, R13, R12)
	KMOVQ         R12, K4
	VPXOR         X4, X4, X4
	VPXOR         X5, X5, X5
	VPCOMPRESSB.Z Z2, K3, Z4
	VPCOMPRESSB.Z Z3, K4, Z5
	KMOVQ         K3, R12
	POPCNTQ       R12, R12
	FIRST_BITS(R12, R13)
	KMOVQ         R13, K2
	VMOVDQU8      Z4, K2, (dst)
	ADDQ          R12, dst
	KMOVQ         K4, R12
	POPCNTQ       R12, R12
	FIRST_BITS(R12, R13)
	KMOVQ         R13, K2
	VMOVDQU8      Z5, K2, (dst)
	ADDQ          R12, dst
	ADDQ          R11, src
	SUBQ          R11, left
	JMP           rest

done:
	SUBQ start, src
	SUBQ R9, dst
	MOVQ dst, nDst+48(FP)
	MOVQ src, nSrc+56(FP)
	VZEROUPPER
	RET

// NON_ASCII marks the bytes of v from 80 on in k1.
#define NON_ASCII(v, k1, k2, k3) \
	VPMOVB2M v, k1

// func utf8LenFromLatin1AVX512(src []byte) (n int64)
TEXT ·utf8LenFromLatin1AVX512(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	COUNT_AVX512(MASKED_ROUND(NON_ASCII, ADD_BYTES1), NON_ASCII, POPCOUNT_BYTES1, TOTAL1)
	ADDQ sum, R9
	MOVQ R9, n+24(FP)
	VZEROUPPER
	RET

// func latin1ToUTF16AVX512(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)
//
// The last vector overlaps the one before.
TEXT ·latin1ToUTF16AVX512(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), dst
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	INDEX_IN_ORDER(·interleave(SB), to+48(FP), Z20)
	MASK_IN_ORDER(0, to+48(FP), K1)
	VPBROADCASTD latin1Bytes<>+24(SB), Z16 // to those of the next 32
	VPADDB       Z16, Z20, Z21
	MOVQ         dst_len+8(FP), AX
	CMPQ         AX, left
	CMOVQLT      AX, left
	MOVQ         left, R9
	CMPQ         left, $32
	JLT          nothing
	SUBQ         $64, left
	JLT          rest
	CMPQ         to+48(FP), $0
	JNE          swapped

loop:
	VPMOVZXBW (src), Z1
	VMOVDQU64 Z1, (dst)
	VPMOVZXBW 32(src), Z1
	VMOVDQU64 Z1, 64(dst)
	ADDQ      $64, src
	ADDQ      $128, dst
	SUBQ      $64, left
	JGE       loop
	JMP       rest

swapped:
	VMOVDQU64 (src), Z0
	VPERMB.Z  Z0, Z20, K1, Z1
	VMOVDQU64 Z1, (dst)
	VPERMB.Z  Z0, Z21, K1, Z2
	VMOVDQU64 Z2, 64(dst)
	ADDQ      $64, src
	ADDQ      $128, dst
	SUBQ      $64, left
	JGE       swapped

rest:
	ADDQ $64, left

vectors:
	CMPQ      left, $32
	JLT       last
	VMOVDQU   (src), Y0
	VPERMB.Z  Z0, Z20, K1, Z1
	VMOVDQU64 Z1, (dst)
	ADDQ      $32, src
	ADDQ      $64, dst
	SUBQ      $32, left
	JMP       vectors

last:
	VMOVDQU   -32(src)(left*1), Y0
	VPERMB.Z  Z0, Z20, K1, Z1
	VMOVDQU64 Z1, -64(dst)(left*2)

done:
	MOVQ R9, nDst+56(FP)
	MOVQ R9, nSrc+64(FP)
	VZEROUPPER
	RET

nothing:
	XORL R9, R9
	JMP  done

// func latin1ToUTF32AVX512(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)
//
// The last vector overlaps the one before.
TEXT ·latin1ToUTF32AVX512(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), dst
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	INDEX_IN_ORDER(·quadruple(SB), to+48(FP), Z20)
	MASK_IN_ORDER(8, to+48(FP), K1)
	VPBROADCASTD latin1Bytes<>+28(SB), Z16 // to those of the next 16
	VPADDB       Z16, Z20, Z21
	VPADDB       Z16, Z21, Z22
	VPADDB       Z16, Z22, Z23
	MOVQ         dst_len+8(FP), AX
	CMPQ         AX, left
	CMOVQLT      AX, left
	MOVQ         left, R9
	CMPQ         left, $16
	JLT          nothing
	SUBQ         $64, left
	JLT          rest

loop:
	VMOVDQU64 (src), Z0
	VPERMB.Z  Z0, Z20, K1, Z1
	VMOVDQU64 Z1, (dst)
	VPERMB.Z  Z0, Z21, K1, Z2
	VMOVDQU64 Z2, 64(dst)
	VPERMB.Z  Z0, Z22, K1, Z3
	VMOVDQU64 Z3, 128(dst)
	VPERMB.Z  Z0, Z23, K1, Z4
	VMOVDQU64 Z4, 192(dst)
	ADDQ      $64, src
	ADDQ      $256, dst
	SUBQ      $64, left
	JGE       loop

rest:
	ADDQ $64, left

vectors:
	CMPQ      left, $16
	JLT       last
	VMOVDQU   (src), X0
	VPERMB.Z  Z0, Z20, K1, Z1
	VMOVDQU64 Z1, (dst)
	ADDQ      $16, src
	ADDQ      $64, dst
	SUBQ      $16, left
	JMP       vectors

last:
	VMOVDQU   -16(src)(left*1), X0
	VPERMB.Z  Z0, Z20, K1, Z1
	VMOVDQU64 Z1, -64(dst)(left*4)

done:
	MOVQ R9, nDst+56(FP)
	MOVQ R9, nSrc+64(FP)
	VZEROUPPER
	RET

nothing:
	XORL R9, R9
	JMP  done

// REST_OF_64 prepares what remains of a source of code units of size bytes, left - 64, for a step of up to 64: K1 gets the mask of the first 32, K2 that
// of the others, K3 both. If the source has 64, src goes back to where the last are, and all are in the masks. R10 gets where the result goes. If
// nothing remains, label done is next. Uses: AX, left. Requires: AVX-512 BW, BMI2.
#define REST_OF_64(size) \
	ADDQ  $64, left            \
	JEQ   done                 \
	MOVQ  $-1, AX              \
	LEAQ  -64(dst)(left*1), R10 \
	CMPQ  R10, start           \
	JB    few                  \
	LEAQ  -(64*size)(src)(left*size), src \
	JMP   masks                \
few: \
	BZHIQ left, AX, AX         \
	MOVQ  dst, R10             \
masks: \
	KMOVQ AX, K3               \
	KMOVD AX, K1               \
	SHRQ  $32, AX              \
	KMOVD AX, K2

// func utf16ToLatin1AVX512(dst []byte, src []uint16, limit uint32, from byteOrder) (nDst, nSrc int)
//
// In steps of 128 code units and one of 64, up to the first with one that does not fit. What remains goes by masks.
TEXT ·utf16ToLatin1AVX512(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), AX
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVL         limit+48(FP), R10
	CMPQ         AX, left
	CMOVQLT      AX, left
	MOVQ         dst, start
	NEGL         R10
	VPBROADCASTW R10, Z16                  // the bits that no code unit may have
	INDEX_OF_WORDS(from+56(FP), Z17)
	VPSHUFB      Z17, Z16, Z16
	VPBROADCASTB (AX), Z17
	VPXORQ       ·lowerBytes(SB), Z17, Z17
	SUBQ         $128, left
	JLT          block

loop:
	VMOVDQU64  (src), Z0
	VMOVDQU64  64(src), Z1
	VMOVDQU64  128(src), Z2
	VMOVDQU64  192(src), Z3
	VPORQ      Z0, Z1, Z4
	VPTERNLOGQ $0xFE, Z2, Z3, Z4
	VPTESTMW   Z16, Z4, K1
	KORTESTD   K1, K1
	JNE        block
	VPERMT2B   Z1, Z17, Z0
	VPERMT2B   Z3, Z17, Z2
	VMOVDQU64  Z0, (dst)
	VMOVDQU64  Z2, 64(dst)
	ADDQ       $256, src
	ADDQ       $128, dst
	SUBQ       $128, left
	JGE        loop

block:
	ADDQ      $64, left
	JLT       rest
	VMOVDQU64 (src), Z0
	VMOVDQU64 64(src), Z1
	VPORQ     Z0, Z1, Z4
	VPTESTMW  Z16, Z4, K1
	KORTESTD  K1, K1
	JNE       done
	VPERMT2B  Z1, Z17, Z0
	VMOVDQU64 Z0, (dst)
	ADDQ      $128, src
	ADDQ      $64, dst
	SUBQ      $64, left
	JGE       done        // the others have the one that does not fit

rest:
	REST_OF_64(2)
	VMOVDQU16.Z (src), K1, Z0
	VMOVDQU16.Z 64(src), K2, Z1
	VPORQ       Z0, Z1, Z4
	VPTESTMW    Z16, Z4, K1
	KORTESTD    K1, K1
	JNE         done
	VPERMT2B    Z1, Z17, Z0
	VMOVDQU8    Z0, K3, (R10)
	ADDQ        left, dst

done:
	SUBQ start, dst
	MOVQ dst, nDst+64(FP)
	MOVQ dst, nSrc+72(FP)
	VZEROUPPER
	RET

// func utf32ToLatin1AVX512(dst []byte, src []rune, limit uint32, from byteOrder) (nDst, nSrc int)
//
// In blocks of 64 code units, up to the first with one that does not fit. What remains goes by masks.
TEXT ·utf32ToLatin1AVX512(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), dst
	MOVQ         dst_len+8(FP), AX
	MOVQ         src_base+24(FP), src
	MOVQ         src_len+32(FP), left
	MOVL         limit+48(FP), R10
	CMPQ         AX, left
	CMOVQLT      AX, left
	MOVQ         dst, start
	NEGL         R10
	VPBROADCASTD R10, Z16                   // the bits that no code unit may have
	INDEX_OF_DOUBLEWORDS(from+56(FP), Z17)
	VPSHUFB      Z17, Z16, Z16
	VPBROADCASTB (AX), Y17
	VPXORQ       ·lowestBytes(SB), Y17, Y17
	SUBQ         $64, left
	JLT          rest

loop:
	VMOVDQU64  (src), Z0
	VMOVDQU64  64(src), Z1
	VMOVDQU64  128(src), Z2
	VMOVDQU64  192(src), Z3
	VPORQ      Z0, Z1, Z4
	VPTERNLOGQ $0xFE, Z2, Z3, Z4
	VPTESTMD   Z16, Z4, K1
	KORTESTW   K1, K1
	JNE        done
	VPERMT2B   Z1, Z17, Z0
	VPERMT2B   Z3, Z17, Z2
	VMOVDQU    Y0, (dst)
	VMOVDQU    Y2, 32(dst)
	ADDQ       $256, src
	ADDQ       $64, dst
	SUBQ       $64, left
	JGE        loop

rest:
	REST_OF_64(4)
	KSHIFTRQ     $16, K1, K4
	KSHIFTRQ     $16, K2, K5
	VMOVDQU32.Z  (src), K1, Z0
	VMOVDQU32.Z  64(src), K4, Z1
	VMOVDQU32.Z  128(src), K2, Z2
	VMOVDQU32.Z  192(src), K5, Z3
	VPORQ        Z0, Z1, Z4
	VPTERNLOGQ   $0xFE, Z2, Z3, Z4
	VPTESTMD     Z16, Z4, K1
	KORTESTW     K1, K1
	JNE          done
	VPERMT2B     Z1, Z17, Z0
	VPERMT2B     Z3, Z17, Z2
	VINSERTI64X4 $1, Y2, Z0, Z0
	VMOVDQU8     Z0, K3, (R10)
	ADDQ         left, dst

done:
	SUBQ start, dst
	MOVQ dst, nDst+64(FP)
	MOVQ dst, nSrc+72(FP)
	VZEROUPPER
	RET
