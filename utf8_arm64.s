// Well-formed prefix and class, number of characters, and length in UTF-16 of UTF-8 text.
//
// Level: NEON (64 bytes a step).
// Bounds: loads within [src, src+left). Clobbers: R0 to R15, vectors.

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Code units of UTF-16 by the upper half of a byte: characters count in their lead bytes.
DATA unitsOfNibble<>+0(SB)/8, $0x0101010101010101
DATA unitsOfNibble<>+8(SB)/8, $0x0201010100000000
GLOBL unitsOfNibble<>(SB), RODATA|NOPTR, $16

// The tables of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2021 (https://arxiv.org/abs/2010.03090), for
// the two bytes of a pair. A bit that all three entries have is trouble: 80 a lead byte without continuation byte, 02 the reverse, 04 and 20
// overlong in three and two bytes, 40 in four or above U+10FFFF, 08 above U+10FFFF, 10 a surrogate. 01, two continuation bytes, is trouble
// unless a lead byte of three or four is before them; it is a number too, from which such a lead byte takes one.
DATA pairTables<>+0x00(SB)/8, $0x0202020202020202 // by the upper half of the first byte
DATA pairTables<>+0x08(SB)/8, $0xC89480A001010101
DATA pairTables<>+0x10(SB)/8, $0xCBCBCB8B8383A3E7 // by its lower half
DATA pairTables<>+0x18(SB)/8, $0xCBCBDBCBCBCBCBCB
DATA pairTables<>+0x20(SB)/8, $0x8080808080808080 // by the upper half of the second byte
DATA pairTables<>+0x28(SB)/8, $0x808080803B3B2F67
GLOBL pairTables<>(SB), RODATA|NOPTR, $48

// UTF8_TABLES gets what CHECK_UTF8 takes into V16 to V22. Uses: t.
#define UTF8_TABLES(t) \
	MOVD  $pairTables<>(SB), t              \
	VLD1  (t), [V16.B16, V17.B16, V18.B16]  \
	VMOVI $0x0F, V19.B16                    \
	VMOVI $0xE0, V20.B16                    \
	VMOVI $0xF0, V21.B16                    \
	VEOR  V22.B16, V22.B16, V22.B16

// CHECK_UTF8 adds to V22 the trouble in a vector: v0 to v3 are its bytes and those one, two and three before each; n2 and n3 are the
// numbers of v2 and v3. Uses: v1 to v3, V30.
#define CHECK_UTF8(v0, v1, v2, v3, n2, n3) \
	VUSHR $4, v1.B16, V30.B16                    \
	VAND  V19.B16, v1.B16, v1.B16                \
	VTBL  V30.B16, [V16.B16], V30.B16            \
	VTBL  v1.B16, [V17.B16], v1.B16              \
	VAND  v1.B16, V30.B16, V30.B16               \
	VUSHR $4, v0.B16, v1.B16                     \
	CMHS_B16(20, n2, n2)                         \
	VTBL  v1.B16, [V18.B16], v1.B16              \
	CMHS_B16(21, n3, n3)                         \
	VAND  v1.B16, V30.B16, V30.B16               \
	VADD  v3.B16, v2.B16, v2.B16                 \
	VADD  v2.B16, V30.B16, V30.B16               \
	VORR  V30.B16, V22.B16, V22.B16

// FIRST_VECTOR checks V0, which has nothing before it, and gets into V24 its bytes but the last three. If there is trouble, bad is next. Uses: V4, V8,
// V12, V30, R9.
#define FIRST_VECTOR(bad) \
	VEXT  $15, V0.B16, V22.B16, V4.B16           \
	VEXT  $14, V0.B16, V22.B16, V8.B16           \
	VEXT  $13, V0.B16, V22.B16, V12.B16          \
	VORR  V12.B16, V12.B16, V24.B16              \
	CHECK_UTF8(V0, V4, V8, V12, 8, 12)           \
	UMAXV_B16(22, 30)                            \
	FMOVS F30, R9                                \
	CBNZW R9, bad

// func validUTF8PrefixNEON(src []byte) (n int, class Class)
//
// In blocks of 64 bytes, each loaded four times: from its first byte, and from one, two and three before that. So no state is
// carried from block to block, but the trouble and the highest byte, which gives the class: V23 has the highest of those before src - 3.
TEXT ·validUTF8PrefixNEON(SB), NOSPLIT, $0-33
	LDP  src_base+0(FP), (src, left)
	MOVD src, start
	UTF8_TABLES(R9)
	VEOR V23.B16, V23.B16, V23.B16
	CMP  $64, left
	BGE  first64
	SUBS $16, left, left
	BLT  short

	// The first vector has nothing before it.
	VLD1 (src), [V0.B16]
	FIRST_VECTOR(done)
	VORR V24.B16, V24.B16, V23.B16
	ADD  $16, src
	B    rest

	// From eight to 15 bytes, and zeros, which make a character unfinished.
short:
	ADDS  $8, left, R9
	BLT   done
	MOVD  (src), R10
	ADD   R9, src, R12
	MOVD  (R12), R11
	NEG   left<<3, R9
	LSR   R9, R11, R11
	FMOVD R10, F0
	VMOV  R11, V0.D[1]
	FIRST_VECTOR(done)
	VORR  V0.B16, V0.B16, V23.B16
	ADD   $8, R12, src
	B     done

	// The first block has nothing before it.
first64:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	SUB    $64, left
	VUMAX  V1.B16, V0.B16, V24.B16
	VUMAX  V3.B16, V2.B16, V25.B16
	VUMAX  V25.B16, V24.B16, V24.B16
	UMAXV_B16(24, 25)
	FMOVS  F25, R9
	TBZ    $7, R9, ascii
	VEXT   $13, V0.B16, V22.B16, V12.B16
	VEXT   $13, V1.B16, V0.B16, V13.B16
	VEXT   $13, V2.B16, V1.B16, V14.B16
	VEXT   $13, V3.B16, V2.B16, V15.B16
	VUMAX  V13.B16, V12.B16, V24.B16
	VUMAX  V15.B16, V14.B16, V25.B16
	VEXT   $15, V0.B16, V22.B16, V4.B16
	VEXT   $15, V1.B16, V0.B16, V5.B16
	VEXT   $15, V2.B16, V1.B16, V6.B16
	VEXT   $15, V3.B16, V2.B16, V7.B16
	VUMAX  V25.B16, V24.B16, V24.B16
	VEXT   $14, V0.B16, V22.B16, V8.B16
	VEXT   $14, V1.B16, V0.B16, V9.B16
	VEXT   $14, V2.B16, V1.B16, V10.B16
	VEXT   $14, V3.B16, V2.B16, V11.B16
	CHECK_UTF8(V0, V4, V8, V12, 8, 12)
	CHECK_UTF8(V1, V5, V9, V13, 9, 13)
	CHECK_UTF8(V2, V6, V10, V14, 10, 14)
	CHECK_UTF8(V3, V7, V11, V15, 11, 15)
	UMAXV_B16(22, 30)
	FMOVS  F30, R9
	CBNZW  R9, none
	VORR   V24.B16, V24.B16, V23.B16

blocks:
	CMP $64, left
	BLT rest
	SUB $1, src, R12
	SUB $2, src, R13
	SUB $3, src, R14

	// ASCII behind ASCII is passed.
block:
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(R14), [V12.B16, V13.B16, V14.B16, V15.B16]
	VLD1.P 64(R12), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1.P 64(R13), [V8.B16, V9.B16, V10.B16, V11.B16]
	VUMAX  V13.B16, V12.B16, V24.B16
	VUMAX  V15.B16, V14.B16, V25.B16
	VUMAX  V25.B16, V24.B16, V24.B16
	VUMAX  V3.B16, V24.B16, V25.B16
	SUB    $64, left
	UMAXV_B16(25, 25)
	FMOVS  F25, R9
	TBZ    $7, R9, ascii
	CHECK_UTF8(V0, V4, V8, V12, 8, 12)
	CHECK_UTF8(V1, V5, V9, V13, 9, 13)
	CHECK_UTF8(V2, V6, V10, V14, 10, 14)
	CHECK_UTF8(V3, V7, V11, V15, 11, 15)
	UMAXV_B16(22, 30)
	FMOVS  F30, R9
	CBNZW  R9, blockTrouble
	VUMAX  V24.B16, V23.B16, V23.B16
	CMP    $64, left
	BGE    block
	B      rest

ascii:
	SUBS  $64, left, left
	BLT   asciiEnd
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR  V1.B16, V0.B16, V0.B16
	VORR  V3.B16, V2.B16, V2.B16
	VORR  V2.B16, V0.B16, V0.B16
	UMAXV_B16(0, 0)
	FMOVS F0, R9
	TBZ   $7, R9, ascii
	SUB   $64, src
	ADD   $64, left
	B     blocks

asciiEnd:
	ADD $64, left

	// What is left of less than a block: vectors, and then the one that ends the text, if it has three bytes before it.
rest:
	MOVD src, R12
	SUBS $16, left, left
	BGE  vector
	CMN  $16, left
	BEQ  end
	ADD  left, src, R12
	SUB  $3, R12, R9
	CMP  start, R9
	BLO  trouble
	MOVD $0, left

vector:
	FMOVQ (R12), F0
	FMOVQ -3(R12), F12
	VUMAX V12.B16, V0.B16, V24.B16
	UMAXV_B16(24, 30)
	FMOVS F30, R9
	TBZ   $7, R9, passed
	FMOVQ -1(R12), F4
	FMOVQ -2(R12), F8
	VORR  V12.B16, V12.B16, V24.B16
	CHECK_UTF8(V0, V4, V8, V12, 8, 12)
	UMAXV_B16(22, 30)
	FMOVS F30, R9
	CBNZW R9, trouble
	VUMAX V24.B16, V23.B16, V23.B16

passed:
	ADD   $16, R12, src
	B     rest

	// Nothing of the text is unfinished.
end:
	MOVBU -1(src), R9
	MOVBU -2(src), R10
	MOVBU -3(src), R11
	CMP   $0xC0, R9
	BHS   trouble
	CMP   $0xE0, R10
	BHS   trouble
	CMP   $0xF0, R11
	BHS   trouble
	FMOVQ -16(src), F0
	VUMAX V0.B16, V23.B16, V23.B16
	B     done

none:
	MOVD start, src
	B    done

	// All is well-formed before src, but what the last three bytes may begin.
blockTrouble:
	SUB $64, src

trouble:
	SUB $3, src

done:
	UMAXV_B16(23, 23)
	FMOVS F23, R9
	CMP   $0x80, R9
	CSET  HS, R10
	CMP   $0xC4, R9
	CINC  HS, R10, R10
	CMP   $0xF0, R9
	CINC  HS, R10, R10
	SUB   start, src
	MOVD  src, n+24(FP)
	MOVB  R10, class+32(FP)
	RET

// CONTINUATIONS counts the continuation bytes of v in acc. V16 is C0 throughout. Uses: V4.
#define CONTINUATIONS(n, v, acc) \
	CMGT_B16(n, 16, 4)              \
	VSUB V4.B16, acc.B16, acc.B16

#define CONTINUATIONS1 \
	CONTINUATIONS(0, V0, V24)

#define CONTINUATIONS4 \
	CONTINUATIONS(0, V0, V24) \
	CONTINUATIONS(1, V1, V25) \
	CONTINUATIONS(2, V2, V24) \
	CONTINUATIONS(3, V3, V25)

// func runeCountNEON(src []byte) (n int64)
TEXT ·runeCountNEON(SB), NOSPLIT, $0-32
	LDP   src_base+0(FP), (src, left)
	MOVD  left, start
	VMOVI $0xC0, V16.B16
	COUNT(CONTINUATIONS4, CONTINUATIONS1, 127)
	SUB   sum, start, sum
	MOVD  sum, n+24(FP)
	RET

// UNITS16 counts the code units of UTF-16 for v in acc. V16 is unitsOfNibble. Uses: v.
#define UNITS16(v, acc) \
	VUSHR $4, v.B16, v.B16        \
	VTBL  v.B16, [V16.B16], v.B16 \
	VADD  v.B16, acc.B16, acc.B16

#define UNITS16_1 \
	UNITS16(V0, V24)

#define UNITS16_4 \
	UNITS16(V0, V24) \
	UNITS16(V1, V25) \
	UNITS16(V2, V24) \
	UNITS16(V3, V25)

// func utf16LenFromUTF8NEON(src []byte) (n int64)
//
// A zero counts as one.
TEXT ·utf16LenFromUTF8NEON(SB), NOSPLIT, $0-32
	LDP  src_base+0(FP), (src, left)
	MOVD $unitsOfNibble<>(SB), R9
	VLD1 (R9), [V16.B16]
	COUNT(UNITS16_4, UNITS16_1, 63)
	ADD  R9, sum, sum
	MOVD sum, n+24(FP)
	RET
