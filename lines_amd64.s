// Where the records of a text end, and their classes.
//
// Levels: AVX2 (32 bytes a step), AVX512 (64 bytes).
// Method: comparisons of the bytes of a block give masks. Added to the complement of the delimiters, a mark of a byte that tells a class becomes a carry up
// to the delimiter that ends its record. AVX512 compresses the places of the delimiters, with the classes added to them; AVX2 takes one after the other.
// Bounds: loads within [src, src+64*left), stores within [dst, dstEnd+128). Clobbers: AX to DX, SI, DI, R8 to R14, vectors, masks. VZEROUPPER before each
// RET.

//go:build !purego

#include "textflag.h"
#include "macros_amd64.h"

#define ends       AX  // the delimiters of a block
#define base       BX  // four times the place of the block
#define place      CX  // of a record's end in the block
#define notEnds    R8  // all but the delimiters, then where a record ends and its class
#define latin1     R9  // bytes above 7F, then the ends of their records
#define bmp        R10 // lead bytes of characters above U+00FF, then the ends of their records
#define pairs      R11 // the same for U+FFFF
#define openLatin1 R12 // whether there is one of latin1 in the record that is not ended: -1 or 0
#define openBMP    R13
#define openPairs  R14
#define singles    BX  // how many blocks are left to be dealt with one by one

#define LAST_BLOCK nSrc+64(FP) // where the blocks end
#define ALL_OPEN   nDst+56(FP) // what openLatin1, openBMP and openPairs add up to when no more is to be known of a record than most

// Bytes to be broadcast, and the places in a block, times four.
DATA leastLeads<>+0(SB)/4, $0xC4C4C4C4 // the first lead byte of characters above U+00FF
DATA leastLeads<>+4(SB)/4, $0xF0F0F0F0 // and of those above U+FFFF
GLOBL leastLeads<>(SB), RODATA|NOPTR, $8
DATA places<>+0(SB)/8, $0x1C1814100C080400
DATA places<>+8(SB)/8, $0x3C3834302C282420
DATA places<>+16(SB)/8, $0x5C5854504C484440
DATA places<>+24(SB)/8, $0x7C7874706C686460
DATA places<>+32(SB)/8, $0x9C9894908C888480
DATA places<>+40(SB)/8, $0xBCB8B4B0ACA8A4A0
DATA places<>+48(SB)/8, $0xDCD8D4D0CCC8C4C0
DATA places<>+56(SB)/8, $0xFCF8F4F0ECE8E4E0
GLOBL places<>(SB), RODATA|NOPTR, $64

// BEGIN loads the arguments. DstEnd is the last place of dst with room for 64 records. Uses: AX.
#define BEGIN \
	MOVQ    ends_base+0(FP), dst       \
	MOVQ    ends_len+8(FP), AX         \
	LEAQ    -128(dst)(AX*2), dstEnd    \
	MOVQ    src_base+24(FP), src       \
	MOVBQZX class+49(FP), AX           \
	NEGQ    AX                         \
	LEAQ    0(AX), openLatin1          \
	LEAQ    1(AX), openBMP             \
	LEAQ    2(AX), openPairs           \
	SARQ    $63, openLatin1            \
	SARQ    $63, openBMP               \
	SARQ    $63, openPairs             \
	MOVBQZX most+50(FP), AX            \
	NEGQ    AX                         \
	MOVQ    AX, ALL_OPEN

// END stores the results.
#define END \
	SUBQ ends_base+0(FP), dst        \
	SHRQ $1, dst                     \
	MOVQ dst, nDst+56(FP)            \
	SUBQ src_base+24(FP), src        \
	MOVQ src, nSrc+64(FP)            \
	ADDQ openBMP, openLatin1         \
	ADDQ openPairs, openLatin1       \
	NEGQ openLatin1                  \
	MOVB openLatin1, after+72(FP)

// CARRY takes marks to the ends of their records, from before the block to behind it as open says.
#define CARRY(marks, open) \
	ADDQ open, open     \
	ADCQ notEnds, marks \
	SBBQ open, open

// MARK_AVX2 gets into mask which bytes of lo and hi have their top bits set. Uses: t.
#define MARK_AVX2(lo, hi, mask, t) \
	VPMOVMSKB lo, t    \
	VPMOVMSKB hi, mask \
	SHLQ      $32, mask \
	ORQ       t, mask

// AT_LEAST_AVX2 marks the bytes of Y0 and Y1 that are not below those of v. Uses: Y2, Y3, t.
#define AT_LEAST_AVX2(v, mask, t) \
	VPMAXUB  v, Y0, Y2  \
	VPMAXUB  v, Y1, Y3  \
	VPCMPEQB Y2, Y0, Y2 \
	VPCMPEQB Y3, Y1, Y3 \
	MARK_AVX2(Y2, Y3, mask, t)

// func listRecordsAVX2(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class)
TEXT ·listRecordsAVX2(SB), NOSPLIT, $0-73
	BEGIN
	MOVQ         src_len+32(FP), AX
	ANDQ         $~63, AX
	ADDQ         src, AX
	MOVQ         AX, LAST_BLOCK          // where the last block ends
	XORL         base, base
	VPBROADCASTB delim+48(FP), Y15
	VPBROADCASTD leastLeads<>+0(SB), Y14
	VPBROADCASTD leastLeads<>+4(SB), Y13

block:
	CMPQ     dst, dstEnd
	JGT      done
	CMPQ     src, LAST_BLOCK
	JGE      done
	VMOVDQU  (src), Y0
	VMOVDQU  32(src), Y1
	VPCMPEQB Y0, Y15, Y2
	VPCMPEQB Y1, Y15, Y3
	MARK_AVX2(Y2, Y3, ends, place)
	LEAQ     (openLatin1)(openBMP*1), place
	ADDQ     openPairs, place
	CMPQ     place, ALL_OPEN
	JNE      classes
	TESTQ    ends, ends
	JEQ      nothing
	CMPB     most+50(FP), $0
	JEQ      nextASCII

classes:
	MARK_AVX2(Y0, Y1, latin1, place)
	MOVQ latin1, place
	ORQ  openLatin1, place
	JNE  notASCII

	TESTQ ends, ends
	JEQ   next

nextASCII:
	TZCNTQ ends, place
	LEAQ   (base)(place*4), place
	MOVW   place, (dst)
	ADDQ   $2, dst
	BLSRQ  ends, ends
	JNE    nextASCII

next:
	ADDQ $256, base
	ADDQ $64, src
	JMP  block

	// No record ends: mostly none does in the next two blocks either.
nothing:
	ADDQ      $256, base
	ADDQ      $64, src
	LEAQ      128(src), place
	CMPQ      place, LAST_BLOCK
	JGT       block
	VPCMPEQB  (src), Y15, Y0
	VPCMPEQB  32(src), Y15, Y1
	VPCMPEQB  64(src), Y15, Y2
	VPCMPEQB  96(src), Y15, Y3
	VPOR      Y0, Y1, Y0
	VPOR      Y2, Y3, Y2
	VPOR      Y0, Y2, Y0
	VPMOVMSKB Y0, place
	TESTL     place, place
	JNE       block
	ADDQ      $256, base
	ADDQ      $64, src
	JMP       nothing

notASCII:
	MOVQ ends, notEnds
	NOTQ notEnds
	CARRY(latin1, openLatin1)
	XORL bmp, bmp
	XORL pairs, pairs
	CMPB most+50(FP), $1
	JEQ  carried
	AT_LEAST_AVX2(Y14, bmp, place)
	CARRY(bmp, openBMP)
	CMPB most+50(FP), $2
	JEQ  carried
	AT_LEAST_AVX2(Y13, pairs, place)
	CARRY(pairs, openPairs)

carried:
	TESTQ ends, ends
	JEQ   next

nextOther:
	TZCNTQ ends, place
	BTQ    place, latin1
	LEAQ   (base)(place*4), notEnds
	ADCQ   $0, notEnds
	BTQ    place, bmp
	ADCQ   $0, notEnds
	BTQ    place, pairs
	ADCQ   $0, notEnds
	MOVW   notEnds, (dst)
	ADDQ   $2, dst
	BLSRQ  ends, ends
	JNE    nextOther
	JMP    next

done:
	END
	VZEROUPPER
	RET

// COMPRESS stores those of z, which has the places in a block, times four, and classes, where K1 has bits. Z9 is four times the place of the block. Uses:
// AX, Z6, Z7. Requires: AVX512 VBMI2.
#define COMPRESS(z) \
	KMOVQ         K1, ends      \
	POPCNTQ       ends, ends    \
	VPCOMPRESSB.Z z, K1, Z6     \
	VPMOVZXBW     Y6, Z7        \
	VPADDW        Z9, Z7, Z7    \
	VMOVDQU64     Z7, (dst)     \
	CMPQ          ends, $32     \
	JLS           5(PC)         \
	VEXTRACTI64X4 $1, Z6, Y6    \
	VPMOVZXBW     Y6, Z7        \
	VPADDW        Z9, Z7, Z7    \
	VMOVDQU64     Z7, 64(dst)   \
	LEAQ          (dst)(ends*2), dst \
	VPADDW        Z10, Z9, Z9

// BASE_AVX512 gets four times the place of src in the text. Uses: AX.
#define BASE_AVX512 \
	MOVQ         src, AX              \
	SUBQ         src_base+24(FP), AX  \
	SHLQ         $2, AX               \
	VPBROADCASTW AX, Z9

// SEARCH_GROUP gets Z0 to Z3, the exclusive or of four blocks with the delimiter, and K1, which is zero if none of these is. Uses: Z4, Z6.
#define SEARCH_GROUP \
	VPXORQ    (src), Z15, Z0    \
	VPXORQ    64(src), Z15, Z1  \
	VPXORQ    128(src), Z15, Z2 \
	VPXORQ    192(src), Z15, Z3 \
	VPMINUB   Z0, Z1, Z4        \
	VPMINUB   Z2, Z3, Z6        \
	VPMINUB   Z4, Z6, Z4        \
	VPTESTNMB Z4, Z4, K1

// OPEN_AVX512 notes what Z0 tells of a record that does not end there. Uses: K3, K4.
#define OPEN_AVX512 \
	MOVQ     $-1, openLatin1       \
	VPCMPUB  $5, Z14, Z0, K5, K3   \
	VPCMPUB  $5, Z13, Z0, K6, K4   \
	KORTESTQ K3, K3                \
	CMOVQNE  openLatin1, openBMP   \
	KORTESTQ K4, K4                \
	CMOVQNE  openLatin1, openPairs

// func listRecordsAVX512(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class)
TEXT ·listRecordsAVX512(SB), NOSPLIT, $0-73
	BEGIN
	MOVQ         src_len+32(FP), left
	SHRQ         $6, left
	VPBROADCASTB delim+48(FP), Z15
	VPBROADCASTD leastLeads<>+0(SB), Z14
	VPBROADCASTD leastLeads<>+4(SB), Z13
	VMOVDQU64    places<>(SB), Z12
	VPTERNLOGD   $0xFF, Z11, Z11, Z11    // -1
	VPSLLW       $15, Z11, Z10
	VPSRLW       $7, Z10, Z10            // how far a block is from the next, times four
	MOVBQZX      most+50(FP), AX
	CMPQ         AX, $2
	SBBQ         notEnds, notEnds
	CMPQ         AX, $3
	SBBQ         bmp, bmp
	NOTQ         notEnds
	NOTQ         bmp
	KMOVQ        notEnds, K5             // all, if most is BMP or more
	KMOVQ        bmp, K6                 // all, if it is Supplementary

group:
	CMPQ dst, dstEnd
	JGT  done
	CMPQ left, $4
	JLT  singly
	SEARCH_GROUP
	LEAQ (openLatin1)(openBMP*1), ends
	ADDQ openPairs, ends
	CMPQ ends, ALL_OPEN
	JEQ  known

	// The record's class is to be found.
	VPORQ      Z0, Z1, Z4
	VPTERNLOGQ $0xFE, Z2, Z3, Z4
	VPMOVB2M   Z4, K2
	KORTESTQ   K1, K1
	JNE        groupEnds
	KORTESTQ   K2, K2
	JEQ        nextGroup
	VMOVDQU64  (src), Z0
	VMOVDQU64  64(src), Z1
	VPMAXUB    128(src), Z0, Z0
	VPMAXUB    192(src), Z1, Z1
	VPMAXUB    Z0, Z1, Z0
	OPEN_AVX512

nextGroup:
	ADDQ $256, src
	SUBQ $4, left
	JMP  group

known:
	KORTESTQ K1, K1
	JNE      knownEnds
	ADDQ     $256, src
	SUBQ     $4, left
	CMPQ     left, $4
	JLT      singly
	SEARCH_GROUP
	JMP      known

knownEnds:
	CMPB most+50(FP), $0
	JNE  singly
	JMP  groupASCII

groupEnds:
	KMOVQ K2, latin1
	ORQ   openLatin1, latin1
	JNE   singly

groupASCII:
	LEAQ      384(dst), ends
	CMPQ      ends, dstEnd
	JGT       singly
	BASE_AVX512
	VPTESTNMB Z0, Z0, K1
	COMPRESS(Z12)
	VPTESTNMB Z1, Z1, K1
	COMPRESS(Z12)
	VPTESTNMB Z2, Z2, K1
	COMPRESS(Z12)
	VPTESTNMB Z3, Z3, K1
	COMPRESS(Z12)
	JMP       nextGroup

singly:
	MOVL $4, singles
	BASE_AVX512

	// A single block.
block:
	CMPQ      dst, dstEnd
	JGT       done
	SUBQ      $1, left
	JLT       done
	VMOVDQU64 (src), Z0
	VMOVDQA64 Z12, Z1
	VPCMPEQB  Z15, Z0, K1
	CMPB      most+50(FP), $0
	JEQ       list
	VPMOVB2M  Z0, K2
	KMOVQ     K2, latin1
	MOVQ      latin1, ends
	ORQ       openLatin1, ends
	JEQ       list
	KMOVQ     K1, notEnds
	TESTQ     notEnds, notEnds
	JEQ       noEnds

	// Its classes.
	NOTQ    notEnds
	CARRY(latin1, openLatin1)
	KMOVQ   latin1, K2
	VPSUBB  Z11, Z1, K2, Z1
	CMPB    most+50(FP), $1
	JEQ     list
	VPCMPUB $5, Z14, Z0, K3
	KMOVQ   K3, bmp
	CARRY(bmp, openBMP)
	KMOVQ   bmp, K3
	VPSUBB  Z11, Z1, K3, Z1
	CMPB    most+50(FP), $2
	JEQ     list
	VPCMPUB $5, Z13, Z0, K4
	KMOVQ   K4, pairs
	CARRY(pairs, openPairs)
	KMOVQ   pairs, K4
	VPSUBB  Z11, Z1, K4, Z1

list:
	COMPRESS(Z1)

next:
	ADDQ $64, src
	SUBQ $1, singles
	JNE  block
	JMP  group

noEnds:
	OPEN_AVX512
	VPADDW Z10, Z9, Z9
	JMP    next

done:
	END
	VZEROUPPER
	RET
