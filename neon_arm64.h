// Registers by role, the same in every kernel and with the same names as on amd64, the short steps that kernels share, and instructions.
//
// R16 to R18 and R27 to R30 are not touched.

#define src    R0 // the next code unit of the source
#define left   R1 // how many code units of the source are left
#define start  R2 // where the source began
#define dst    R3 // where the next code unit of the result goes
#define dstEnd R4 // the end of the room for the result
#define sum    R5 // what a kernel that counts has counted
#define order  R6 // 0 for host order, or a byteOrder
#define order2 R7 // the same for the result, where the source has order

// ANY_HIGH jumps to label if a byte of vector v, which is V0 for 0, has its top bit set. Uses: V31, t.
#define ANY_HIGH(v, t, label) \
	UMAXV_B16(v, 31)  \
	FMOVS F31, t      \
	TBNZ  $7, t, label

// FIRST_HIGH gets into n the number of the first byte of V0 that has its top bit set, as one has. Uses: t.
#define FIRST_HIGH(n, t) \
	VMOV V0.D[0], n                    \
	ANDS $0x8080808080808080, n, n     \
	VMOV V0.D[1], t                    \
	AND  $0x8080808080808080, t, t     \
	CSEL EQ, t, n, t                   \
	RBIT t, t                          \
	CLZ  t, t                          \
	LSR  $3, t, t                      \
	ADD  $8, t, n                      \
	CSEL EQ, n, t, n

// BITS gets into v the mask of the bytes of V4 to V7 that are all ones, eight bits a byte; BITS1 that of V4, in the lowest two bytes. V18 has a bit for
// each of eight bytes, the lowest for the first, twice. Uses: V4 to V7.
#define BITS(v) \
	VAND  V18.B16, V4.B16, V4.B16  \
	VAND  V18.B16, V5.B16, V5.B16  \
	VAND  V18.B16, V6.B16, V6.B16  \
	VAND  V18.B16, V7.B16, V7.B16  \
	VADDP V5.B16, V4.B16, V4.B16   \
	VADDP V7.B16, V6.B16, V6.B16   \
	VADDP V6.B16, V4.B16, V4.B16   \
	VADDP V4.B16, V4.B16, v.B16

#define BITS1(v) \
	VAND  V18.B16, V4.B16, V4.B16  \
	VADDP V4.B16, V4.B16, V4.B16   \
	VADDP V4.B16, V4.B16, V4.B16   \
	VADDP V4.B16, V4.B16, v.B16

// TOTAL adds the bytes of acc to sum. Uses: V30, R10.
#define TOTAL(acc) \
	VUADDLV acc.B16, V30 \
	FMOVS   F30, R10     \
	ADD     R10, sum

// COUNT leaves in sum the total of what ADD4 adds to the bytes of V24 and V25 for V0 to V3, and ADD1 to those of V24 for V0; zeros must add
// none, or be made up for: -R9 is how many of them were counted. In parts of so many rounds of 64 bytes that no byte exceeds 255. The last vector
// begins where it has 16 bytes, without what was there before. Left counts bytes, and is 16 or more. Uses: R9 to R11, left, V0, V1, V24, V25, V30.
#define COUNT(ADD4, ADD1, rounds) \
	MOVD $0, sum                      \
	VEOR V24.B16, V24.B16, V24.B16    \
	LSR  $6, left, R9                 \
	CBZ  R9, vectors                  \
part: \
	MOVD $rounds, R10                 \
	VEOR V25.B16, V25.B16, V25.B16    \
	CMP  R9, R10                      \
	CSEL LO, R10, R9, R10             \
	SUB  R10, R9, R9                  \
	ADD  R10<<6, src, R10             \
round: \
	VLD1.P 64(src), [V0.B16, V1.B16, V2.B16, V3.B16] \
	ADD4                              \
	CMP  R10, src                     \
	BLO  round                        \
	TOTAL(V24)                        \
	TOTAL(V25)                        \
	VEOR V24.B16, V24.B16, V24.B16    \
	CBNZ R9, part                     \
	ANDS $63, left, left              \
	BEQ  done                         \
vectors: \
	SUBS $16, left, left              \
	BLT  last                         \
vector: \
	VLD1.P 16(src), [V0.B16]          \
	ADD1                              \
	SUBS $16, left, left              \
	BGE  vector                       \
last: \
	ADDS $16, left, left              \
	BEQ  total                        \
	SUB  $16, left, R9                \
	ADD  R9, src, src                 \
	VLD1 (src), [V0.B16]              \
	MOVD $·lastBytes+16(SB), R11      \
	ADD  left, R11, R11               \
	VLD1 (R11), [V1.B16]              \
	VAND V1.B16, V0.B16, V0.B16       \
	ADD1                              \
total: \
	TOTAL(V24)                        \
done:

// COPY_OUT copies n bytes from place, which end at end, to to, where they end at toEnd. Uses: place, n, to, t, V0, V1.
#define COPY_OUT(place, end, n, to, toEnd, t) \
	CMP     $16, n         \
	BLO     copy8          \
	FMOVQ   -16(end), F1   \
copy16: \
	FMOVQ.P 16(place), F0  \
	FMOVQ.P F0, 16(to)     \
	SUB     $16, n         \
	CMP     $16, n         \
	BHI     copy16         \
	FMOVQ   F1, -16(toEnd) \
	B       copied         \
copy8: \
	TBZ     $3, n, copy4   \
	MOVD.P  8(place), t    \
	MOVD.P  t, 8(to)       \
copy4: \
	TBZ     $2, n, copy2   \
	MOVWU.P 4(place), t    \
	MOVW.P  t, 4(to)       \
copy2: \
	TBZ     $1, n, copy1   \
	MOVHU.P 2(place), t    \
	MOVH.P  t, 2(to)       \
copy1: \
	TBZ     $0, n, copied  \
	MOVBU   (place), t     \
	MOVB    t, (to)        \
copied:

// Instructions that the assembler of Go 1.26 lacks, by macros. Operands are numbers of registers, in the assembler's order: what is read
// before what is written. Above each stands the instruction as other assemblers write it, which a test compares with what a disassembler
// makes of the macro. With Go 1.27 as the least version most of this can go.

// cmhi Vd.16b, Vn.16b, Vm.16b: all ones where n is above m. CMHI_H8 and CMHI_S4 do this for lanes of two and four bytes.
#define CMHI_B16(m, n, d) WORD $(0x6E203400 | (m)<<16 | (n)<<5 | (d))
// cmhi Vd.8h, Vn.8h, Vm.8h
#define CMHI_H8(m, n, d) WORD $(0x6E603400 | (m)<<16 | (n)<<5 | (d))
// cmhi Vd.4s, Vn.4s, Vm.4s
#define CMHI_S4(m, n, d) WORD $(0x6EA03400 | (m)<<16 | (n)<<5 | (d))
// cmhs Vd.16b, Vn.16b, Vm.16b: all ones where n is not below m.
#define CMHS_B16(m, n, d) WORD $(0x6E203C00 | (m)<<16 | (n)<<5 | (d))
// cmhs Vd.8h, Vn.8h, Vm.8h
#define CMHS_H8(m, n, d) WORD $(0x6E603C00 | (m)<<16 | (n)<<5 | (d))
// cmgt Vd.16b, Vn.16b, Vm.16b: the same, signed.
#define CMGT_B16(m, n, d) WORD $(0x4E203400 | (m)<<16 | (n)<<5 | (d))
// uqsub Vd.16b, Vn.16b, Vm.16b: n - m, or 0 where that is negative.
#define UQSUB_B16(m, n, d) WORD $(0x6E202C00 | (m)<<16 | (n)<<5 | (d))
// bic Vd.16b, Vn.16b, Vm.16b: n without the bits of m.
#define BIC_B16(m, n, d) WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))
// clz Vd.4s, Vn.4s: how many leading bits are zero.
#define CLZ_S4(n, d) WORD $(0x6EA04800 | (n)<<5 | (d))
// sshr Vd.16b, Vn.16b, #7: all ones where the top bit is set.
#define SIGNS_B16(n, d) WORD $(0x4F090400 | (n)<<5 | (d))

// umaxv bd, Vn.16b: the highest lane.
#define UMAXV_B16(n, d) WORD $(0x6E30A800 | (n)<<5 | (d))
// umaxv hd, Vn.8h
#define UMAXV_H8(n, d) WORD $(0x6E70A800 | (n)<<5 | (d))
// umaxv sd, Vn.4s
#define UMAXV_S4(n, d) WORD $(0x6EB0A800 | (n)<<5 | (d))
// uminv bd, Vn.16b: the lowest lane.
#define UMINV_B16(n, d) WORD $(0x6E31A800 | (n)<<5 | (d))
// uminv hd, Vn.8h
#define UMINV_H8(n, d) WORD $(0x6E71A800 | (n)<<5 | (d))

// uqxtn Vd.8b, Vn.8h: lanes of half the size, or the highest number of these; UQXTN2 fills the upper half of d.
#define UQXTN_B8(n, d) WORD $(0x2E214800 | (n)<<5 | (d))
// uqxtn2 Vd.16b, Vn.8h
#define UQXTN2_B16(n, d) WORD $(0x6E214800 | (n)<<5 | (d))
// uqxtn Vd.4h, Vn.4s
#define UQXTN_H4(n, d) WORD $(0x2E614800 | (n)<<5 | (d))
// uqxtn2 Vd.8h, Vn.4s
#define UQXTN2_H8(n, d) WORD $(0x6E614800 | (n)<<5 | (d))

// ldr qd, [Xn,Xm,lsl #4]: entry m of a table of 16 bytes each.
#define LDR_Q_INDEXED(m, n, d) WORD $(0x3CE07800 | (m)<<16 | (n)<<5 | (d))
