// The length of the ASCII prefix of a text.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes, any length by masks).
// Method: the top bits of the bytes as a mask; long runs by the disjunction of four vectors, which are aligned.
// Bounds: loads within [src, src+left). Clobbers: AX, CX, SI, R8, vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// func asciiPrefixAVX2(src []byte) (n int)
//
// The last vector overlaps the one before. Less than a vector is left over.
TEXT ·asciiPrefixAVX2(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	MOVQ src, start
	CMPQ left, $32
	JLT  done
	SUBQ $128, left
	JLT  vectors

rounds:
	VMOVDQU   (src), Y0
	VMOVDQU   64(src), Y1
	VPOR      32(src), Y0, Y0
	VPOR      96(src), Y1, Y1
	VPOR      Y1, Y0, Y0
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       vectors
	ADDQ      $128, src
	SUBQ      $128, left
	JGE       rounds

vectors:
	ADDQ $128, left

vector:
	CMPQ      left, $32
	JLT       last
	VMOVDQU   (src), Y0
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       found
	ADDQ      $32, src
	SUBQ      $32, left
	JMP       vector

last:
	LEAQ      -32(src)(left*1), src
	VMOVDQU   (src), Y0
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       found
	ADDQ      $32, src
	JMP       done

found:
	TZCNTL AX, AX
	ADDQ   AX, src

done:
	SUBQ start, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET

// func asciiPrefixAVX512(src []byte) (n int)
TEXT ·asciiPrefixAVX512(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	MOVQ src, start
	CMPQ left, $320
	JAE  long
	CMPQ left, $64
	JB   short
	CMPQ left, $256
	JA   blocks

	// All in one look: the first and the last block, or two of each.
	VMOVDQU64 (src), Z0
	VPORQ     -64(src)(left*1), Z0, Z0
	CMPQ      left, $128
	JBE       whole
	VMOVDQU64 64(src), Z1
	VPTERNLOGQ $0xFE, -128(src)(left*1), Z1, Z0

whole:
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1
	JNE      blocks
	ADDQ     left, src
	JMP      done

long:
	// The first block, then on from the next multiple of 64, some bytes for the second time.
	VMOVDQU64 (src), Z0
	VPMOVB2M  Z0, K1
	KMOVQ    K1, AX
	TESTQ    AX, AX
	JNE      found
	ADDQ     src, left
	ADDQ     $64, src
	ANDQ     $~63, src
	SUBQ     src, left

rounds:
	VMOVDQA64  (src), Z0
	VMOVDQA64  128(src), Z1
	VPORQ      64(src), Z0, Z0
	VPTERNLOGQ $0xFE, 192(src), Z1, Z0
	VPMOVB2M   Z0, K1
	KORTESTQ   K1, K1
	JNE        blocks
	ADDQ       $256, src
	SUBQ       $256, left
	CMPQ       left, $256
	JAE        rounds

blocks:
	CMPQ left, $64
	JB   tail
	VMOVDQU64 (src), Z0
	VPMOVB2M Z0, K1
	KMOVQ    K1, AX
	TESTQ    AX, AX
	JNE      found
	ADDQ     $64, src
	SUBQ     $64, left
	JMP      blocks

	// The last block begins where it has 64 bytes.
tail:
	LEAQ      -64(src)(left*1), src
	VMOVDQU64 (src), Z0
	VPMOVB2M  Z0, K1
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       found
	ADDQ      $64, src
	JMP       done

short:
	FIRST_BITS(left, AX)
	KMOVQ     AX, K1
	VMOVDQU8.Z (src), K1, Z0
	VPMOVB2M  Z0, K1
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       found
	ADDQ      left, src
	JMP       done

found:
	TZCNTQ AX, AX
	ADDQ   AX, src

done:
	SUBQ start, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET
