// Well-formed prefix and class, number of characters, and length in UTF-16 of UTF-8 text, and conversions from it to UTF-16 and UTF-32.
//
// Level: NEON (64 bytes a step, conversions 32, or 48 and 64 of characters of one length).
// Bounds: loads within [src, src+left) or [src, srcEnd), stores within the result, and what is put together on the stack. Clobbers: R0 to R15,
// R19 to R26, vectors.

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

	// From nine to 15 bytes, and zeros, which make a character unfinished; of eight the same eight again, which cannot finish one.
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
	SUBS   $64, left, left
	BLT    asciiEnd
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR   V1.B16, V0.B16, V0.B16
	VORR   V3.B16, V2.B16, V2.B16
	VORR   V2.B16, V0.B16, V0.B16
	UMAXV_B16(0, 0)
	FMOVS  F0, R9
	TBZ    $7, R9, ascii
	SUB    $64, src
	ADD    $64, left
	B      blocks

asciiEnd:
	ADD $64, left

	// What is left of less than a block: vectors, and then the one that ends the text.
rest:
	MOVD src, R12
	SUBS $16, left, left
	BGE  vector
	CMN  $16, left
	BEQ  end
	ADD  left, src, R12
	SUB  $3, R12, R9
	MOVD $0, left
	CMP  start, R9
	BLO  eight

vector:
	FMOVQ (R12), F0
	FMOVQ -3(R12), F12
	VUMAX V12.B16, V0.B16, V24.B16
	UMAXV_B16(24, 30)
	FMOVS F30, R9
	TBZ   $7, R9, passed
	FMOVQ -1(R12), F4
	FMOVQ -2(R12), F8

check:
	VORR  V12.B16, V12.B16, V24.B16
	CHECK_UTF8(V0, V4, V8, V12, 8, 12)
	UMAXV_B16(22, 30)
	FMOVS F30, R9
	CBNZW R9, trouble
	VUMAX V24.B16, V23.B16, V23.B16

passed:
	ADD $16, R12, src
	B   rest

	// Of 17 or 18 bytes the last eight have three before them.
eight:
	FMOVD 8(R12), F0
	FMOVD 5(R12), F12
	FMOVD 7(R12), F4
	FMOVD 6(R12), F8
	B     check

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

#define srcEnd    R1
#define next      R5  // src + 1
#define prev      R7  // src - 1
#define packed    R8  // packedWords, for the order of the result; LDR_Q_INDEXED takes its number
#define counts    R9  // bitCounts
#define mask      R10 // a bit for each byte of a block that is the last of its character
#define held1     R12 // where the third
#define held2     R13 // and the last eight of a block go that are held back
#define limit     R14 // the last place for the result of a block
#define lastBlock R15 // the last place for a block and the byte behind it
#define stop      R19 // where a part of the source ends
#define out       R20 // where its result is put together
#define from      R23 // where characters of one length are read,
#define fresh     R24 // which is 0 if some are converted

// PAIR_TROUBLE leaves in t0 what pairTables says of pairs of bytes: v0, and those behind each, v. Where the byte before v0 is a lead byte of three or more,
// and where the one before that is a lead byte of four, ones are still to be added. Uses: t1.
#define PAIR_TROUBLE(v, v0, t0, t1) \
	VUSHR $4, v0.B16, t0.B16           \
	VAND  V25.B16, v0.B16, t1.B16      \
	VTBL  t0.B16, [V22.B16], t0.B16    \
	VTBL  t1.B16, [V23.B16], t1.B16    \
	VAND  t1.B16, t0.B16, t0.B16       \
	VUSHR $4, v.B16, t1.B16            \
	VTBL  t1.B16, [V24.B16], t1.B16    \
	VAND  t1.B16, t0.B16, t0.B16

// UNIT_PLANES makes of a block of bytes, v0, with those before each, v1, and what the ones before these have above E0, three, the lower bytes of the code
// units that end there in low, the upper ones in high. Uses: t.
#define UNIT_PLANES(v0, v1, three, low, high, t) \
	VCMTST V20.B16, v0.B16, t.B16      \
	VAND   v1.B16, t.B16, t.B16        \
	VUSHR  $2, t.B16, high.B16         \
	VSHL   $6, t.B16, t.B16            \
	VAND   V15.B16, v0.B16, low.B16    \
	VSLI   $4, three.B16, high.B16     \
	VORR   t.B16, low.B16, low.B16

// LAST_BYTES16 makes a mask of 16 bits of V8, which is used.
#define LAST_BYTES16(to) \
	VAND  V31.B16, V8.B16, V8.B16 \
	VADDP V8.B16, V8.B16, V8.B16  \
	VADDP V8.B16, V8.B16, V8.B16  \
	VADDP V8.B16, V8.B16, V8.B16  \
	VMOV  V8.H[0], to

// GROUP stores at place those of the eight words of v that eight bits of mask from lsb on mark; behind is where they end.
#define GROUP(log, STORE, lsb, v, place, behind) \
	UBFX  $lsb, mask, $8, R11             \
	LDR_Q_INDEXED(11, 8, 14)              \
	MOVBU (counts)(R11), R11              \
	VTBL  V14.B16, [v.B16], V14.B16       \
	STORE(F14, V14, place)                \
	ADD   R11<<log, place, behind

// HOLD holds them back in h.
#define HOLD(log, lsb, v, nth, h, place, behind) \
	UBFX  $lsb, mask, $8, R11             \
	LDR_Q_INDEXED(11, 8, nth)             \
	MOVBU (counts)(R11), R11              \
	VTBL  h.B16, [v.B16], h.B16           \
	ADD   R11<<log, place, behind

// FLUSH stores what is held back, which is so far behind dst that room is certain.
#define FLUSH(STORE) \
	STORE(F16, V16, held1) \
	STORE(F17, V17, held2)

// UTF8_TO_UNITS is the body of a kernel that converts UTF-8 to code units of 1<<log bytes, of which a block of 32 bytes gives block bytes at most.
//
// It cuts the text into blocks wherever characters begin. Four loads, each one byte before the last, show each byte those that its character may have; the last
// byte of a character, which no continuation byte follows, gives the code unit, and the others are left out by packedWords. All of a block is checked, with
// the bytes before it, by pairTables as in validUTF8PrefixNEON; what the last character still lacks the next block tells. These have shorter ways: blocks of
// ASCII, of no more than two bytes, and runs of characters of three bytes and of four, which are taken apart by VLD3 and VLD4 (in host order by VST2 and VST4
// put together again).
//
// A store of eight code units may exceed the result where the text ends. So those for the last 16 bytes of a block are held back, in V16 and V17, until more
// follows, and the last ones go by way of the stack. So do, by 16 bytes at a time, what is not in order as a block (exact): the first bytes of the text, which
// have none before them, characters of four bytes among others, trouble, and where room or source end.
//
// What depends on the size of code units are macros: STORE stores eight; ASCII_INDEX gets what ASCII16 and ASCII64 take, which store 16 and 64; THREES and
// FOURS store 16 of three and four bytes; FOUR gives what characters of four bytes need, among others; GROUP_OF_ANY stores 16 in out; UNDO takes back the first half
// of an unfinished character.
#define UTF8_TO_UNITS(log, block, partial, room, STORE, ASCII_INDEX, ASCII16, ASCII64, THREES, FOURS, FOUR, GROUP_OF_ANY, UNDO) \
	MOVD  src, start                   \
	ADD   dstEnd<<log, dst, dstEnd     \
	ADD   src, srcEnd, srcEnd          \
	MOVD  dst, held1                   \ // nothing is held back
	MOVD  dst, held2                   \
	SUB   src, srcEnd, R11             \
	CMP   $16, R11                     \
	BLO   done                         \
	MOVD  ZR, counts                   \
	MOVD  src, from                    \
	ASCII_INDEX                        \
	B     ascii64                      \
begin: \ // the text is not ASCII: what blocks take
	SUB   $block, dstEnd, limit        \
	SUB   $33, srcEnd, lastBlock       \
	MOVD  $·bitCounts(SB), counts      \
	MOVD  $pairTables<>(SB), R11       \
	VLD1  (R11), [V22.B16, V23.B16, V24.B16] \
	VMOVQ $0x8040201008040201, $0x8040201008040201, V31 \
	VMOVI $0xBF, V30.B16               \
	VMOVI $0xC2, V29.B16               \
	VMOVI $0x42, V28.B16               \
	VMOVI $0xFE, V27.B16               \
	VMOVI $0xC0, V26.B16               \
	VMOVI $0x0F, V25.B16               \
	VMOVI $0x80, V20.B16               \
	VMOVI $0xE0, V19.B16               \
	VMOVI $0xF0, V18.B16               \
	VMOVI $0x7F, V15.B16               \
more: \ // from a character on, behind which nothing is held back
	MOVD  from, src                    \
	MOVD  dst, held1                   \
	MOVD  dst, held2                   \
	CMP   srcEnd, src                  \
	BEQ   done                         \
	MOVB  (src), R11                   \
	CMPW  $-64, R11                    \ // a continuation byte is trouble
	BLT   end                          \
	CMP   start, src                   \
	BEQ   exact                        \
resume: \
	ADD   $1, src, next                \
	SUB   $1, src, prev                \
loop: \ // a block, and the highest byte of those that its characters have
	CMP   limit, dst                   \
	BGT   exact                        \
	CMP   lastBlock, src               \
	BGT   exact                        \
	FLDPQ.P 32(next), (F0, F1)         \
	FLDPQ.P 32(src), (F2, F3)          \
	FLDPQ.P 32(prev), (F4, F5)         \
	FMOVQ -35(src), F6                 \
	CMGT_B16(30, 0, 8)                 \ // the last bytes of characters
	CMGT_B16(30, 1, 9)                 \
	VUMAX V2.B16, V6.B16, V10.B16      \
	VUMAX V3.B16, V10.B16, V10.B16     \
	UMAXV_B16(10, 10)                  \
	VAND  V31.B16, V8.B16, V11.B16     \
	VAND  V31.B16, V9.B16, V12.B16     \
	VADDP V12.B16, V11.B16, V11.B16    \
	VADDP V11.B16, V11.B16, V11.B16    \
	VADDP V11.B16, V11.B16, V11.B16    \
	VMOV  V10.B[0], R11                \
	VMOV  V11.S[0], mask               \
	CMPW  $0x80, R11                   \
	BLO   ascii                        \
	CMPW  $0xE0, R11                   \
	BHS   three                        \
	UQSUB_B16(29, 4, 4)                \ // no more than two bytes: each is a lead byte from C2 on, or the last of its character
	UQSUB_B16(29, 5, 5)                \
	UQSUB_B16(28, 2, 10)               \
	UQSUB_B16(28, 3, 11)               \
	VAND  V27.B16, V2.B16, V12.B16     \
	VAND  V27.B16, V3.B16, V13.B16     \
	VEOR  V8.B16, V10.B16, V10.B16     \
	VEOR  V9.B16, V11.B16, V11.B16     \
	VCMEQ V26.B16, V12.B16, V12.B16    \
	VCMEQ V26.B16, V13.B16, V13.B16    \
	VBIT  V12.B16, V25.B16, V10.B16    \
	VBIT  V13.B16, V25.B16, V11.B16    \
	VAND  V10.B16, V11.B16, V10.B16    \
	UMINV_B16(10, 10)                  \
	VMOV  V10.B[0], R11                \
	TBZ   $7, R11, back                \
	VUSHLL  $6, V4.B8, V0.H8           \
	VUSHLL2 $6, V4.B16, V1.H8          \
	VUADDW  V2.B8, V0.H8, V0.H8        \
	VUADDW2 V2.B16, V1.H8, V1.H8       \
	VUSHLL  $6, V5.B8, V2.H8           \
	VUSHLL2 $6, V5.B16, V4.H8          \
	VUADDW  V3.B8, V2.H8, V2.H8        \
	VUADDW2 V3.B16, V4.H8, V3.H8       \
put: \ // 32 words, of which those that mask has a bit for are code units
	FLUSH(STORE)                       \
	GROUP(log, STORE, 0, V0, dst, dst)    \
	GROUP(log, STORE, 8, V1, dst, held1)  \
	HOLD(log, 16, V2, 16, V16, held1, held2) \
	HOLD(log, 24, V3, 17, V17, held2, dst)   \
	B     loop                         \
three: \ // no more than three bytes
	CMPW  $0xF0, R11                   \
	BHS   four                         \
	FMOVQ -34(src), F6                 \
	FMOVQ -18(src), F7                 \
	PAIR_TROUBLE(V0, V2, V10, V11)     \
	PAIR_TROUBLE(V1, V3, V12, V13)     \
	CMHS_B16(19, 4, 0)                 \
	CMHS_B16(19, 5, 1)                 \
	VADD  V0.B16, V10.B16, V10.B16     \
	VADD  V1.B16, V12.B16, V12.B16     \
	VORR  V10.B16, V12.B16, V10.B16    \
	UMAXV_B16(10, 10)                  \
	VMOV  V10.B[0], R11                \
	CBNZW R11, back                    \
	EORW  mask>>3, mask, R11           \
	TSTW  $0x1FFFFFFF, R11             \
	BEQ   threes                       \
words: \ // planes of lower and upper bytes
	UQSUB_B16(19, 6, 6)                \
	UQSUB_B16(19, 7, 7)                \
	UNIT_PLANES(V2, V4, V6, V11, V10, V8)  \
	UNIT_PLANES(V3, V5, V7, V13, V12, V9)  \
	VZIP1 V10.B16, V11.B16, V0.B16     \
	VZIP2 V10.B16, V11.B16, V1.B16     \
	VZIP1 V12.B16, V13.B16, V2.B16     \
	VZIP2 V12.B16, V13.B16, V3.B16     \
	B     put                          \
threes: \
	RBITW mask, R11                    \ // the block looks like characters of three bytes: go back to the begin of the first
	CLZW  R11, R11                     \
	CMPW  $2, R11                      \
	BHI   words                        \
	ADD   R11, src, from               \
	SUB   $34, from                    \
	MOVD  $1, fresh                    \
	SUB   $48, srcEnd, stop            \
	VEOR  V9.B16, V9.B16, V9.B16       \
	VMOVI $0x1B, V8.B16                \ // the upper five bits of surrogates
sixteen: \ // characters of three bytes
	CMP   stop, from                   \
	BGT   other                        \
	CMP   limit, dst                   \
	BGT   other                        \
	VLD3  (from), [V10.B16, V11.B16, V12.B16] \
	VEOR  V19.B16, V10.B16, V10.B16    \
	VEOR  V20.B16, V11.B16, V11.B16    \
	VEOR  V20.B16, V12.B16, V12.B16    \
	VORR  V11.B16, V12.B16, V0.B16     \ // trouble: marks that are not those, code units below 800, surrogates
	VUSHR $4, V10.B16, V1.B16          \
	VUSHR $2, V11.B16, V13.B16         \
	VAND  V26.B16, V0.B16, V0.B16      \
	VSLI  $4, V10.B16, V13.B16         \
	VORR  V0.B16, V1.B16, V0.B16       \
	VUSHR $3, V13.B16, V1.B16          \
	VCMEQ V9.B16, V1.B16, V14.B16      \
	VCMEQ V8.B16, V1.B16, V1.B16       \
	VORR  V14.B16, V0.B16, V0.B16      \
	VORR  V1.B16, V0.B16, V0.B16       \
	UMAXV_B16(0, 0)                    \
	VMOV  V0.B[0], R11                 \
	CBNZW R11, other                   \
	VSLI  $6, V11.B16, V12.B16         \
	CBZ   fresh, store16               \
	FLUSH(STORE)                       \
	MOVD  ZR, fresh                    \
store16: \
	THREES                             \
	ADD   $48, from                    \
	B     sixteen                      \
other: \ // something else
	CBNZ  fresh, words                 \
	B     more                         \
ascii: \ // a block, and what follows it
	FLUSH(STORE)                       \
	ASCII_INDEX                        \
	ASCII16(V2, dst)                   \
	ASCII16(V3, dst)                   \
	MOVD  src, from                    \
ascii64: \
	SUB   from, srcEnd, R11            \
	SUB   dst, dstEnd, R24             \
	CMP   $64, R11                     \
	BLO   ascii16                      \
	CMP   $(2*block), R24              \
	BLO   ascii16                      \
	VLD1  (from), [V0.B16, V1.B16, V2.B16, V3.B16] \
	VORR  V0.B16, V1.B16, V4.B16       \
	VORR  V2.B16, V3.B16, V5.B16       \
	VORR  V4.B16, V5.B16, V4.B16       \
	UMAXV_B16(4, 4)                    \
	VMOV  V4.B[0], R11                 \
	TBNZ  $7, R11, ascii16             \
	ASCII64                            \
	ADD   $64, from                    \
	B     ascii64                      \
ascii16: \
	SUB   from, srcEnd, R11            \
	SUB   dst, dstEnd, R24             \
	CMP   $16, R11                     \
	BLS   asciiTail                    \
	CMP   $(block/2), R24              \
	BLO   asciiEnd                     \
	FMOVQ (from), F2                   \
	UMAXV_B16(2, 4)                    \
	VMOV  V4.B[0], R11                 \
	TBNZ  $7, R11, asciiEnd            \
	ASCII16(V2, dst)                   \
	ADD   $16, from                    \
	B     ascii16                      \
asciiTail: \ // the last 16 bytes, of which some are converted already
	CMP   R11<<log, R24                \
	BLO   asciiEnd                     \
	FMOVQ -16(srcEnd), F2              \
	UMAXV_B16(2, 4)                    \
	VMOV  V4.B[0], R24                 \
	TBNZ  $7, R24, asciiEnd            \
	SUB   $16, R11                     \
	ADD   R11<<log, dst, dst           \
	ASCII16(V2, dst)                   \
	MOVD  srcEnd, src                  \
	B     done                         \
asciiEnd: \
	CBNZ  counts, more                 \
	B     begin                        \
four: \
	RBITW mask, R11                    \ // characters of four bytes, perhaps of nothing else
	CLZW  R11, R11                     \
	CMPW  $3, R11                      \
	BHI   back                         \
	ADD   R11, src, from               \
	SUB   $35, from                    \
	MOVD  $1, fresh                    \
	SUB   $64, srcEnd, stop            \
	VMOVI $0x01, V9.B16                \
	VMOVI $0xD8, V7.B16                \
	VMOVI $0xDC, V6.B16                \
fours: \ // 16 of them
	CMP   stop, from                   \
	BGT   otherFour                    \
	CMP   limit, dst                   \
	BGT   otherFour                    \
	VLD4  (from), [V10.B16, V11.B16, V12.B16, V13.B16] \
	VSUB  V18.B16, V10.B16, V10.B16    \
	VEOR  V20.B16, V11.B16, V11.B16    \
	VEOR  V20.B16, V12.B16, V12.B16    \
	VEOR  V20.B16, V13.B16, V13.B16    \
	VORR  V11.B16, V12.B16, V0.B16     \
	VUSHR $4, V11.B16, V2.B16          \
	VORR  V13.B16, V0.B16, V0.B16      \
	VSLI  $2, V10.B16, V2.B16          \ // bits 16 to 20
	VAND  V26.B16, V0.B16, V0.B16      \
	VSUB  V9.B16, V2.B16, V3.B16       \ // is 0 to 15
	VORR  V3.B16, V10.B16, V1.B16      \
	VAND  V18.B16, V1.B16, V1.B16      \
	VORR  V1.B16, V0.B16, V0.B16       \
	UMAXV_B16(0, 0)                    \
	VMOV  V0.B[0], R11                 \
	CBNZW R11, otherFour               \
	CBZ   fresh, store64               \
	FLUSH(STORE)                       \
	MOVD  ZR, fresh                    \
store64: \
	FOURS                              \
	ADD   $64, from                    \
	B     fours                        \
otherFour: \
	CBZ   fresh, more                  \
back: \ // the block is none of these
	SUB   $32, src                     \
exact: \ // by way of the stack: 48 bytes, the first 16, or the last ones
	SUB   src, srcEnd, R11             \
	CMP   $49, R11                     \
	BLO   rest                         \
	MOVD  src, R23                     \
	ADD   $48, src, stop               \
	CMP   start, src                   \
	BNE   convert                      \
	MOVD  $partial, R23                \ // the first 16, with zeros before them
	VEOR  V0.B16, V0.B16, V0.B16       \
	FMOVQ (src), F1                    \
	FMOVQ 1(src), F2                   \
	FMOVQ.P F0, 16(R23)                \
	FMOVQ F1, (R23)                    \
	FMOVQ F2, 1(R23)                   \
	ADD   $16, R23, stop               \
	B     convert                      \
rest: \ // up to 48 that end the text, with those before them and zeros behind
	MOVD  $partial, R23                \
	VEOR  V0.B16, V0.B16, V0.B16       \
	FMOVQ F0, (R23)                    \
	FSTPQ (F0, F0), 16(R23)            \
	FSTPQ (F0, F0), 48(R23)            \
	ADD   $16, R23                     \
	CMP   start, src                   \
	BEQ   3(PC)                        \
	MOVWU -4(src), R21                 \
	MOVW  R21, -4(R23)                 \
	CMP   $16, R11                     \
	BLS   lastBytes                    \
	FMOVQ (src), F0                    \
	FMOVQ F0, (R23)                    \
	CMP   $32, R11                     \
	BLS   lastBytes                    \
	FMOVQ 16(src), F0                  \
	FMOVQ F0, 16(R23)                  \
lastBytes: \
	ADD   R11, R23, stop               \
	FMOVQ -16(srcEnd), F0              \
	FMOVQ F0, -16(stop)                \
convert: \ // behind what is held back, from R23 to stop
	MOVD  src, R22                     \
	MOVD  $room, out                   \
	STORE(F16, V16, out)               \
	SUB   held1, held2, R11            \
	ADD   R11, out, R11                \
	STORE(F17, V17, R11)               \
	SUB   held1, dst, R11              \
	ADD   R11, out                     \
	SUB   R23, src, R21                \ // from there to the source
	ASCII_INDEX                        \
convert16: \
	FMOVQ 1(R23), F0                   \
	FMOVQ (R23), F2                    \
	FMOVQ -1(R23), F4                  \
	FMOVQ -2(R23), F6                  \
	FMOVQ -3(R23), F7                  \
	CMGT_B16(30, 0, 8)                 \
	VUMAX V2.B16, V7.B16, V9.B16       \
	UMAXV_B16(9, 9)                    \
	VMOV  V9.B[0], R11                 \
	CMPW  $0x80, R11                   \
	BHS   any16                        \
	MOVB  16(R23), R24                 \
	CMPW  $-64, R24                    \
	BLT   any16                        \
	ASCII16(V2, out)                   \
next16: \
	ADD   $16, R23                     \
	CMP   stop, R23                    \
	BLO   convert16                    \
	B     converted                    \
any16: \ // as a block, of characters of any length
	PAIR_TROUBLE(V0, V2, V10, V11)     \
	CMHS_B16(19, 4, 11)                \
	CMHS_B16(18, 6, 1)                 \
	VADD  V11.B16, V10.B16, V10.B16    \
	VADD  V1.B16, V10.B16, V10.B16     \
	UMAXV_B16(10, 10)                  \
	VMOV  V10.B[0], R24                \
	CBNZW R24, trouble                 \
	UQSUB_B16(19, 6, 5)                \
	UNIT_PLANES(V2, V4, V5, V11, V10, V9)  \
	FOUR                               \
	LAST_BYTES16(mask)                 \
	VZIP1 V10.B16, V11.B16, V0.B16     \
	VZIP2 V10.B16, V11.B16, V1.B16     \
	GROUP_OF_ANY                       \
	B     next16                       \
trouble: \ // in the last 16: they are left
	ADD   R23, R21, src                \
	MOVD  ZR, stop                     \
	B     back4                        \
converted: \ // the zeros behind the text gave a code unit each
	SUB   stop, R23, R11               \
	SUB   R11<<log, out                \
	ADD   stop, R21, src               \
	SUB   R11, R23                     \
back4: \ // the result, if it has room
	UNDO                               \
	MOVD  $room, R23                   \
	SUB   R23, out, R11                \
	ADD   R11, held1, R24              \
	CMP   dstEnd, R24                  \
	BHI   full                         \
copy: \
	COPY_OUT(R23, out, R11, held1, R24, R21) \
	MOVD  R24, dst                     \
	MOVD  dst, held1                   \
	MOVD  dst, held2                   \
	CBZ   stop, end                    \
	CMP   srcEnd, src                  \
	BNE   resume                       \
	B     done                         \
full: \ // only what was held back
	SUB   held1, dst, R11              \
	ADD   R11, R23, out                \
	MOVD  dst, R24                     \
	MOVD  R22, src                     \
	MOVD  ZR, stop                     \
	B     copy                         \
end: \ // what is done must end with a whole character
	CMP   start, src                   \
	BEQ   done                         \
	MOVBU -1(src), R11                 \
	CMPW  $0xC0, R11                   \
	BHS   less1                        \
	MOVBU -2(src), R11                 \
	CMPW  $0xE0, R11                   \
	BHS   less2                        \
	MOVBU -3(src), R11                 \
	CMPW  $0xF0, R11                   \
	BLO   done                         \
	SUB   $1, src                      \
less2: \
	SUB   $1, src                      \
less1: \
	SUB   $1, src                      \
done:

// STORE_WORDS stores the words of v, which are in order by packedWords.
#define STORE_WORDS(f, v, place) FMOVQ f, (place)

// ASCII_INDEX_WORDS gets the index that makes words of bytes, in V12 and V13.
#define ASCII_INDEX_WORDS \
	MOVD  $·spreadWords(SB), R11         \
	VLD1  (R11), [V12.B16, V13.B16]      \
	CBZ   order, 3(PC)                   \
	VREV16 V12.B16, V12.B16              \
	VREV16 V13.B16, V13.B16

// ASCII16_WORDS and ASCII64_WORDS store the bytes of v, and of V0 to V3, as words.
#define ASCII16_WORDS(v, place) \
	VTBL    V12.B16, [v.B16], V4.B16     \
	VTBL    V13.B16, [v.B16], V5.B16     \
	VST1.P  [V4.B16, V5.B16], 32(place)

#define ASCII64_WORDS \
	VTBL    V12.B16, [V0.B16], V4.B16    \
	VTBL    V13.B16, [V0.B16], V5.B16    \
	VTBL    V12.B16, [V1.B16], V6.B16    \
	VTBL    V13.B16, [V1.B16], V7.B16    \
	VST1.P  [V4.B16, V5.B16, V6.B16, V7.B16], 64(dst) \
	VTBL    V12.B16, [V2.B16], V4.B16    \
	VTBL    V13.B16, [V2.B16], V5.B16    \
	VTBL    V12.B16, [V3.B16], V6.B16    \
	VTBL    V13.B16, [V3.B16], V7.B16    \
	VST1.P  [V4.B16, V5.B16, V6.B16, V7.B16], 64(dst)

// THREES_WORDS stores what V12 and V13 have of 16 code units.
#define THREES_WORDS \
	CBNZ  order, 3(PC)                   \
	VST2.P [V12.B16, V13.B16], 32(dst)   \
	B     3(PC)                          \
	VORR  V12.B16, V12.B16, V14.B16      \
	VST2.P [V13.B16, V14.B16], 32(dst)

// FOURS_WORDS stores the surrogates of 16 characters of four bytes.
#define FOURS_WORDS \
	VUSHR $4, V12.B16, V0.B16            \
	VUSHR $2, V3.B16, V1.B16             \
	VUSHR $2, V12.B16, V4.B16            \
	VSLI  $2, V11.B16, V0.B16            \
	VORR  V7.B16, V1.B16, V1.B16         \
	VSLI  $6, V3.B16, V0.B16             \
	VORR  V13.B16, V13.B16, V2.B16       \
	VORR  V6.B16, V4.B16, V3.B16         \
	VSLI  $6, V12.B16, V2.B16            \
	CBZ   order, 7(PC)                   \
	VORR  V0.B16, V0.B16, V4.B16         \
	VORR  V1.B16, V1.B16, V0.B16         \
	VORR  V4.B16, V4.B16, V1.B16         \
	VORR  V2.B16, V2.B16, V4.B16         \
	VORR  V3.B16, V3.B16, V2.B16         \
	VORR  V4.B16, V4.B16, V3.B16         \
	VST4.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(dst)

// FOUR_WORDS makes code units of characters of four bytes too: the third byte puts out the high surrogate, the fourth the low one.
#define FOUR_WORDS \
	CMPW  $0xF0, R11                     \
	BLO   upToThree                      \
	CMHS_B16(18, 6, 0)                   \ // third bytes
	CMHS_B16(18, 7, 1)                   \ // fourth bytes
	VMOVI $0xDC, V9.B16                  \
	VAND  V9.B16, V1.B16, V1.B16         \
	VORR  V1.B16, V10.B16, V10.B16       \
	VMOVI $0x90, V9.B16                  \
	CMHS_B16(9, 4, 1)                    \ // a carry
	VMOVI $0xE7, V9.B16                  \ // D7 - F0
	VADD  V9.B16, V6.B16, V6.B16         \
	VSUB  V1.B16, V6.B16, V6.B16         \
	VBIT  V0.B16, V6.B16, V10.B16        \
	VUSHR $4, V2.B16, V6.B16             \
	VSLI  $2, V4.B16, V6.B16             \
	VADD  V26.B16, V6.B16, V6.B16        \
	VBIT  V0.B16, V6.B16, V11.B16        \
	VORR  V0.B16, V8.B16, V8.B16         \
upToThree:

// GROUP_OF_WORDS puts 16 words out, of which those that mask has a bit for are code units.
#define GROUP_OF_WORDS \
	GROUP(1, STORE_WORDS, 0, V0, out, out) \
	GROUP(1, STORE_WORDS, 8, V1, out, out)

// UNDO_WORDS takes back the high surrogate of a character whose fourth byte is not there yet. R23 is where the source goes on.
#define UNDO_WORDS \
	MOVBU -3(R23), R11                   \
	CMPW  $0xF0, R11                     \
	BLO   3(PC)                          \
	SUB   $2, out                        \
	SUB   $3, src

// NO_CODE is for a step that the other kernel has.
#define NO_CODE

// STORE_DOUBLEWORDS stores the words of v as doublewords. Uses: V4, V5.
#define STORE_DOUBLEWORDS(f, v, place) \
	VUXTL  v.H4, V4.S4                   \
	VUXTL2 v.H8, V5.S4                   \
	CBZ    order, 3(PC)                  \
	VREV32 V4.B16, V4.B16                \
	VREV32 V5.B16, V5.B16                \
	FSTPQ  (F4, F5), (place)

// ASCII_INDEX_DOUBLEWORDS gets the indexes that make doublewords of the first eight bytes, in V12 and V13, and of the others, in V10 and V11.
#define ASCII_INDEX_DOUBLEWORDS \
	MOVD   $·spreadDoublewords(SB), R11  \
	VLD1   (R11), [V12.B16, V13.B16]     \
	VMOVI  $8, V10.B16                   \
	CBZ    order, 3(PC)                  \
	VREV32 V12.B16, V12.B16              \
	VREV32 V13.B16, V13.B16              \
	VADD   V10.B16, V13.B16, V11.B16     \
	VADD   V10.B16, V12.B16, V10.B16

// ASCII16_DOUBLEWORDS and ASCII64_DOUBLEWORDS store the bytes of v, and of V0 to V3, as doublewords.
#define ASCII16_DOUBLEWORDS(v, place) \
	VTBL    V12.B16, [v.B16], V4.B16     \
	VTBL    V13.B16, [v.B16], V5.B16     \
	VEXT    $8, v.B16, v.B16, V8.B16     \
	VTBL    V12.B16, [V8.B16], V6.B16    \
	VTBL    V13.B16, [V8.B16], V7.B16    \
	VST1.P  [V4.B16, V5.B16, V6.B16, V7.B16], 64(place)

// SIXTEEN_DOUBLEWORDS stores the bytes of v, with the indexes for all of them in registers.
#define SIXTEEN_DOUBLEWORDS(v) \
	VTBL    V12.B16, [v.B16], V4.B16     \
	VTBL    V13.B16, [v.B16], V5.B16     \
	VTBL    V10.B16, [v.B16], V6.B16     \
	VTBL    V11.B16, [v.B16], V7.B16     \
	VST1.P  [V4.B16, V5.B16, V6.B16, V7.B16], 64(dst)

#define ASCII64_DOUBLEWORDS \
	SIXTEEN_DOUBLEWORDS(V0) \
	SIXTEEN_DOUBLEWORDS(V1) \
	SIXTEEN_DOUBLEWORDS(V2) \
	SIXTEEN_DOUBLEWORDS(V3)

// THREES_DOUBLEWORDS stores 16 code units, of which V12 and V13 have the lower and the upper bytes.
#define THREES_DOUBLEWORDS \
	CBNZ  order, 6(PC)                   \
	VORR  V12.B16, V12.B16, V11.B16      \
	VORR  V13.B16, V13.B16, V12.B16      \
	VEOR  V13.B16, V13.B16, V13.B16      \
	VEOR  V14.B16, V14.B16, V14.B16      \
	B     4(PC)                          \
	VORR  V12.B16, V12.B16, V14.B16      \
	VEOR  V11.B16, V11.B16, V11.B16      \
	VEOR  V12.B16, V12.B16, V12.B16      \
	VST4.P [V11.B16, V12.B16, V13.B16, V14.B16], 64(dst)

// FOURS_DOUBLEWORDS stores 16 characters of four bytes.
#define FOURS_DOUBLEWORDS \
	VORR  V13.B16, V13.B16, V0.B16       \
	VUSHR $2, V12.B16, V1.B16            \
	VSLI  $6, V12.B16, V0.B16            \
	VSLI  $4, V11.B16, V1.B16            \
	VEOR  V3.B16, V3.B16, V3.B16         \
	CBZ   order, 6(PC)                   \
	VORR  V0.B16, V0.B16, V3.B16         \
	VORR  V1.B16, V1.B16, V4.B16         \
	VORR  V2.B16, V2.B16, V1.B16         \
	VORR  V4.B16, V4.B16, V2.B16         \
	VEOR  V0.B16, V0.B16, V0.B16         \
	VST4.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(dst)

// FOUR_DOUBLEWORDS gets a third plane, V3, for the bits above 16.
#define FOUR_DOUBLEWORDS \
	VEOR  V3.B16, V3.B16, V3.B16         \
	CMPW  $0xF0, R11                     \
	BLO   upToThree                      \
	CMHS_B16(18, 7, 1)                   \ // fourth bytes
	VMOVI $0x1F, V9.B16                  \
	VUSHR $4, V6.B16, V3.B16             \
	VSHL  $4, V6.B16, V6.B16             \
	VSLI  $2, V7.B16, V3.B16             \
	VAND  V1.B16, V6.B16, V6.B16         \
	VAND  V1.B16, V9.B16, V9.B16         \
	VORR  V6.B16, V10.B16, V10.B16       \
	VAND  V9.B16, V3.B16, V3.B16         \
upToThree:

// GROUP_OF_DOUBLEWORDS is GROUP for words and what is above them.
#define GROUP_OF_DOUBLEWORDS(lsb, words, above) \
	UBFX  $lsb, mask, $8, R11             \
	LDR_Q_INDEXED(11, 8, 14)              \
	MOVBU (counts)(R11), R11              \
	VTBL  V14.B16, [words.B16], V6.B16    \
	VTBL  V14.B16, [above.B16], V7.B16    \
	VZIP1 V7.H8, V6.H8, V10.H8            \
	VZIP2 V7.H8, V6.H8, V11.H8            \
	CBZ    order, 3(PC)                   \
	VREV32 V10.B16, V10.B16               \
	VREV32 V11.B16, V11.B16               \
	FSTPQ (F10, F11), (out)               \
	ADD   R11<<2, out

// GROUPS_OF_DOUBLEWORDS does so for 16, with V3 above V0 and V1.
#define GROUPS_OF_DOUBLEWORDS \
	VEOR  V9.B16, V9.B16, V9.B16          \
	VZIP1 V9.B16, V3.B16, V4.B16          \
	VZIP2 V9.B16, V3.B16, V5.B16          \
	GROUP_OF_DOUBLEWORDS(0, V0, V4)       \
	GROUP_OF_DOUBLEWORDS(8, V1, V5)

// func utf8ToUTF16NEON(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)
TEXT ·utf8ToUTF16NEON(SB), NOSPLIT, $272-72
	LDP  dst_base+0(FP), (dst, dstEnd)
	LDP  src_base+24(FP), (src, srcEnd)
	MOVD to+48(FP), order
	MOVD $·packedWords(SB), packed
	ADD  order<<6, packed
	UTF8_TO_UNITS(1, 64, partial-96(SP), room-272(SP), STORE_WORDS, ASCII_INDEX_WORDS, ASCII16_WORDS, ASCII64_WORDS, THREES_WORDS, FOURS_WORDS, FOUR_WORDS, GROUP_OF_WORDS, UNDO_WORDS)
	MOVD dst_base+0(FP), R11
	SUB  R11, dst
	LSR  $1, dst
	SUB  start, src
	MOVD dst, nDst+56(FP)
	MOVD src, nSrc+64(FP)
	RET

// func utf8ToUTF32NEON(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)
TEXT ·utf8ToUTF32NEON(SB), NOSPLIT, $384-72
	LDP  dst_base+0(FP), (dst, dstEnd)
	LDP  src_base+24(FP), (src, srcEnd)
	MOVD to+48(FP), order
	MOVD $·packedWords(SB), packed
	UTF8_TO_UNITS(2, 128, partial-96(SP), room-384(SP), STORE_DOUBLEWORDS, ASCII_INDEX_DOUBLEWORDS, ASCII16_DOUBLEWORDS, ASCII64_DOUBLEWORDS, THREES_DOUBLEWORDS, FOURS_DOUBLEWORDS, FOUR_DOUBLEWORDS, GROUPS_OF_DOUBLEWORDS, NO_CODE)
	MOVD dst_base+0(FP), R11
	SUB  R11, dst
	LSR  $2, dst
	SUB  start, src
	MOVD dst, nDst+56(FP)
	MOVD src, nSrc+64(FP)
	RET
