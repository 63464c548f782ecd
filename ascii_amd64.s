// Whether a text is ASCII, and the length of its ASCII prefix.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes; the prefix of any length by masks).
// Method: the top bits of the bytes as a mask; long runs by the disjunction of four vectors.
// Bounds: loads within [src, src+left). Clobbers: AX, CX, SI, R8, R10, vectors, masks. VZEROUPPER before each RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

// func isASCIIAVX2(src []byte) (all bool)
//
// For 32 bytes or more. Up to 256, vectors from both ends, which may overlap; of more, the first 128, those from a multiple of 32 on, and the last 128.
TEXT ·isASCIIAVX2(SB), NOSPLIT, $0-25
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	CMPQ left, $256
	JA   long
	FROM_BOTH_ENDS_AVX2(last)
	JMP  last

long:
	LEAQ      -128(src)(left*1), R10 // where the last ones begin
	ANY_AVX2(src)
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       answer
	ADDQ      $128, src
	ANDQ      $~31, src

rounds:
	CMPQ      src, R10
	JAE       end
	ANY_AVX2(src)
	ADDQ      $128, src
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JEQ       rounds
	JMP       answer

end:
	ANY_AVX2(R10)

last:
	VPMOVMSKB Y0, AX
	TESTL     AX, AX

answer:
	SETEQ all+24(FP)
	VZEROUPPER
	RET

// func isASCIIAVX512(src []byte) (all bool)
//
// For 64 bytes or more, as isASCIIAVX2.
TEXT ·isASCIIAVX512(SB), NOSPLIT, $0-25
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	CMPQ left, $256
	JA   long
	FROM_BOTH_ENDS_AVX512(last)
	JMP  last

long:
	LEAQ     -256(src)(left*1), R10 // where the last ones begin
	ANY_AVX512(src)
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1
	JNE      answer
	ADDQ     $256, src
	ANDQ     $~63, src

rounds:
	CMPQ     src, R10
	JAE      end
	ANY_AVX512(src)
	ADDQ     $256, src
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1
	JEQ      rounds
	JMP      answer

end:
	ANY_AVX512(R10)

last:
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1

answer:
	SETEQ all+24(FP)
	VZEROUPPER
	RET

// func asciiPrefixAVX2(src []byte) (n int)
//
// The last vector overlaps the one before. A source of less than a vector is left over.
TEXT ·asciiPrefixAVX2(SB), NOSPLIT, $0-32
	MOVQ src_base+0(FP), src
	MOVQ src_len+8(FP), left
	MOVQ src, start
	CMPQ left, $32
	JLT  done
	SUBQ $128, left
	JLT  vectors

rounds:
	ANY_AVX2(src)
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

	// All in one look.
	FROM_BOTH_ENDS_AVX512(whole)

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
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       found
	ADDQ      src, left
	ADDQ      $64, src
	ANDQ      $~63, src
	SUBQ      src, left

rounds:
	ANY_AVX512(src)
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1
	JNE      blocks
	ADDQ     $256, src
	SUBQ     $256, left
	CMPQ     left, $256
	JAE      rounds

blocks:
	CMPQ      left, $64
	JB        tail
	VMOVDQU64 (src), Z0
	VPMOVB2M  Z0, K1
	KMOVQ     K1, AX
	TESTQ     AX, AX
	JNE       found
	ADDQ      $64, src
	SUBQ      $64, left
	JMP       blocks

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
	KMOVQ      AX, K1
	VMOVDQU8.Z (src), K1, Z0
	VPMOVB2M   Z0, K1
	KMOVQ      K1, AX
	TESTQ      AX, AX
	JNE        found
	ADDQ       left, src
	JMP        done

found:
	TZCNTQ AX, AX
	ADDQ   AX, src

done:
	SUBQ start, src
	MOVQ src, n+24(FP)
	VZEROUPPER
	RET
