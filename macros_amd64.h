// Registers by role, the same in every kernel, and the short steps that kernels share.
//
// R14 and X15 are free in assembly (the compiler restores them behind a call), BP and R15 are not touched.

#define src    SI // the next code unit of the source
#define left   CX // how many code units of the source are left
#define start  R8 // where the source began
#define dst    DI // where the next code unit of the result goes
#define dstEnd DX // the end of the room for the result
#define sum    R8 // what a kernel that counts has counted
#define order  R14 // 0 for host order, or where byteOrders has the indexes of VPSHUFB that take words, and doublewords behind, to the other order
#define order2 BX  // the same for the result, where the source has order

// BYTE_ORDER gets into to what order says of arg, a byteOrder. Uses: AX.
#define BYTE_ORDER(arg, to) \
	MOVQ  arg, to             \
	LEAQ  ·byteOrders(SB), AX \
	TESTQ to, to              \
	JEQ   2(PC)               \
	ADDQ  AX, to

// ORDER_WORDS and ORDER_DOUBLEWORDS take v to the order that place says, or from it. The index is not kept in a register where these are
// scarce, and it is not read for host order, since that would wait for stores to places whose lower twelve bits are the same. Requires: AVX2, or
// AVX-512 BW for a Z register.
#define ORDER_WORDS(place, v) \
	TESTQ   place, place \
	JEQ     2(PC)        \
	VPSHUFB (place), v, v

#define ORDER_DOUBLEWORDS(place, v) \
	TESTQ   place, place \
	JEQ     2(PC)        \
	VPSHUFB 64(place), v, v

// INDEX_OF_WORDS and INDEX_OF_DOUBLEWORDS get into v the index of VPSHUFB for arg, a byteOrder, and leave AX where it is. Kernels that work by indexes
// and masks take these to the other order, not the text: what is like the text by VPSHUFB, what says where something is in the text by exclusive or
// with the first byte of the index. Requires: AVX-512 F.
#define INDEX_OF_WORDS(arg, v) \
	LEAQ      ·byteOrders(SB), AX \
	ADDQ      arg, AX             \
	VMOVDQU64 (AX), v

#define INDEX_OF_DOUBLEWORDS(arg, v) \
	LEAQ      ·byteOrders(SB), AX \
	ADDQ      arg, AX             \
	ADDQ      arg, AX             \
	VMOVDQU64 (AX), v

// INDEX_IN_ORDER gets into v, and MASK_IN_ORDER into k, what a table has for arg, a byteOrder: the index of a permutation in table, and in byteMasks
// the mask at n. AX is left where that is. Requires: AVX-512 BW.
#define INDEX_IN_ORDER(table, arg, v) \
	LEAQ      table, AX \
	ADDQ      arg, AX   \
	VMOVDQU64 (AX), v

#define MASK_IN_ORDER(n, arg, k) \
	LEAQ  ·byteMasks(SB), AX \
	ADDQ  arg, AX            \
	KMOVQ n(AX), k

// FIRST_BITS sets the low n bits of mask, 0 <= n <= 64. Uses: mask. Requires: BMI2.
#define FIRST_BITS(n, mask) \
	MOVQ  $-1, mask     \
	BZHIQ n, mask, mask

// SUM_QUADWORDS adds the quadwords of z to total; y and x are its lower parts. Uses: z, yt, xt, t. Requires: AVX-512 F.
#define SUM_QUADWORDS(z, y, x, yt, xt, t, total) \
	VEXTRACTI64X4 $1, z, yt \
	VPADDQ        yt, y, y  \
	VEXTRACTI128  $1, y, xt \
	VPADDQ        xt, x, x  \
	VPSRLDQ       $8, x, xt \
	VPADDQ        xt, x, x  \
	VMOVQ         x, t      \
	ADDQ          t, total

// COUNT_AVX512 leaves in sum how often the code units of src have the properties that MASKS marks in three masks; zeros must have none.
// In rounds of 256 bytes, less than 256 of them, ROUND adds what is marked in Z0 to Z3 to accumulators, Z4 to Z11, and TOTAL adds these up;
// single vectors are dealt with by POPCOUNT. Of these the last one begins where it has 64 bytes, if the source does, without what was
// there before. Left counts bytes, and is 1 to 65536. Uses: AX, R9, R10, left, vectors, masks. Requires: AVX-512 BW, BMI1, BMI2, POPCNT.
#define COUNT_AVX512(ROUND, MASKS, POPCOUNT, TOTAL) \
	XORL       sum, sum             \
	MOVQ       left, R9             \
	CMPQ       left, $256           \
	JLE        vectors              \
	VPXOR      X4, X4, X4           \
	VPXOR      X5, X5, X5           \
	VPXOR      X6, X6, X6           \
	VPXOR      X7, X7, X7           \
	VPXOR      X8, X8, X8           \
	VPXOR      X9, X9, X9           \
	VPXOR      X10, X10, X10        \
	VPXOR      X11, X11, X11        \
	VPTERNLOGD $0xFF, Z15, Z15, Z15 \
rounds: \
	VMOVDQU64 (src), Z0             \
	VMOVDQU64 64(src), Z1           \
	VMOVDQU64 128(src), Z2          \
	VMOVDQU64 192(src), Z3          \
	ROUND                           \
	ADDQ $256, src                  \
	SUBQ $256, left                 \
	CMPQ left, $256                 \
	JGT  rounds                     \
	TOTAL(Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11) \
vectors: \
	CMPQ left, $64                  \
	JLT  last                       \
	VMOVDQU64 (src), Z0             \
	MASKS(Z0, K1, K2, K3)           \
	POPCOUNT(Z0, K1, K2, K3)        \
	ADDQ $64, src                   \
	SUBQ $64, left                  \
	JMP  vectors                    \
last: \
	TESTQ left, left                \
	JEQ   done                      \
	CMPQ  R9, $64                   \
	JLT   partial                   \
	LEAQ  -64(src)(left*1), src     \
	MOVL  $64, R10                  \
	SUBQ  left, R10                 \
	MOVQ  $-1, AX                   \
	SHLXQ R10, AX, AX               \
	JMP   masked                    \
partial: \
	FIRST_BITS(left, AX)            \
masked: \
	KMOVQ      AX, K1               \
	VMOVDQU8.Z (src), K1, Z0        \
	MASKS(Z0, K1, K2, K3)           \
	POPCOUNT(Z0, K1, K2, K3)        \
done:

// MASKED_ROUND is a round in which ADD adds what MASKS marks in a vector to two accumulators.
#define MASKED_ROUND(MASKS, ADD) \
	MASKS(Z0, K1, K2, K3)           \
	MASKS(Z1, K4, K5, K6)           \
	ADD(Z0, K1, K2, K3, Z4, Z8)     \
	ADD(Z1, K4, K5, K6, Z5, Z9)     \
	MASKS(Z2, K1, K2, K3)           \
	MASKS(Z3, K4, K5, K6)           \
	ADD(Z2, K1, K2, K3, Z6, Z10)    \
	ADD(Z3, K4, K5, K6, Z7, Z11)

// Parts of kernels that count. ADD_… adds what the masks of bytes, words or doublewords mark to accumulators, POPCOUNT_… to sum, by
// the number of masks; the others are not used. Z15 is all ones.
#define ADD_BYTES1(v, k1, k2, k3, acc1, acc2) \
	VPSUBB Z15, acc1, k1, acc1

#define ADD_WORDS1(v, k1, k2, k3, acc1, acc2) \
	VPSUBW Z15, acc1, k1, acc1

#define ADD_DOUBLEWORDS1(v, k1, k2, k3, acc1, acc2) \
	VPSUBD Z15, acc1, k1, acc1

#define POPCOUNT_BYTES1(v, k1, k2, k3) \
	KMOVQ   k1, AX \
	POPCNTQ AX, AX \
	ADDQ    AX, sum

#define POPCOUNT_UNITS1(v, k1, k2, k3) \
	KMOVD   k1, AX \
	POPCNTL AX, AX \
	ADDQ    AX, sum

#define POPCOUNT_UNITS2(v, k1, k2, k3) \
	POPCOUNT_UNITS1(v, k1, k2, k3) \
	POPCOUNT_UNITS1(v, k2, k2, k3)

#define POPCOUNT_UNITS3(v, k1, k2, k3) \
	POPCOUNT_UNITS2(v, k1, k2, k3) \
	POPCOUNT_UNITS1(v, k3, k2, k3)

// TOTAL1 adds to sum the accumulators a, whose units are below 256: so the sums of their bytes are theirs.
#define TOTAL1(a0, a1, a2, a3, b0, b1, b2, b3) \
	VPXOR   X12, X12, X12 \
	VPSADBW Z12, a0, a0   \
	VPSADBW Z12, a1, a1   \
	VPSADBW Z12, a2, a2   \
	VPSADBW Z12, a3, a3   \
	VPADDQ  a1, a0, a0    \
	VPADDQ  a3, a2, a2    \
	VPADDQ  a2, a0, Z0    \
	SUM_QUADWORDS(Z0, Y0, X0, Y1, X1, AX, sum)

// TOTAL_DOUBLEWORDS adds to sum the accumulators of doublewords.
#define TOTAL_DOUBLEWORDS(a0, a1, a2, a3, b0, b1, b2, b3) \
	VPADDD a1, a0, a0 \
	VPADDD a3, a2, a2 \
	VPADDD b1, b0, b0 \
	VPADDD b3, b2, b2 \
	VPADDD a2, a0, a0 \
	VPADDD b2, b0, b0 \
	VPADDD b0, a0, Z0 \
	VPSRLQ $32, Z0, Z1 \
	VPSLLQ $32, Z0, Z0 \
	VPSRLQ $32, Z0, Z0 \
	VPADDQ Z1, Z0, Z0 \
	SUM_QUADWORDS(Z0, Y0, X0, Y1, X1, AX, sum)

// SUM_QUADWORDS_Y adds the quadwords of y to total; x is its lower half. Uses: y, xt, t. Requires: AVX2.
#define SUM_QUADWORDS_Y(y, x, xt, t, total) \
	VEXTRACTI128 $1, y, xt  \
	VPADDQ       xt, x, x   \
	VPSRLDQ      $8, x, xt  \
	VPADDQ       xt, x, x   \
	VMOVQ        x, t       \
	ADDQ         t, total

// COUNT_AVX2 leaves in sum the total of what COUNT adds to the units of an accumulator for each vector of src; zeros must add none. In
// rounds of 256 bytes, so that no unit of the accumulator exceeds 255. The last vector begins where it has 32 bytes, without what was
// there before, and if there are less, 16 and what is behind these make one. Left counts bytes, and is 16 or more. Uses: AX, R9, left, Y0 to Y7. Requires: AVX2.
#define COUNT_AVX2(COUNT) \
	XORL    sum, sum           \
	MOVQ    left, R9           \
	VPXOR   X5, X5, X5         \
	VPXOR   X6, X6, X6         \
	VPXOR   X7, X7, X7         \
	SUBQ    $256, left         \
	JLT     single             \
rounds: \
	VMOVDQU (src), Y0          \
	VMOVDQU 32(src), Y1        \
	VMOVDQU 64(src), Y2        \
	VMOVDQU 96(src), Y3        \
	COUNT(Y0, Y4, Y6)          \
	COUNT(Y1, Y4, Y6)          \
	COUNT(Y2, Y4, Y6)          \
	COUNT(Y3, Y4, Y6)          \
	VMOVDQU 128(src), Y0       \
	VMOVDQU 160(src), Y1       \
	VMOVDQU 192(src), Y2       \
	VMOVDQU 224(src), Y3       \
	COUNT(Y0, Y4, Y6)          \
	COUNT(Y1, Y4, Y6)          \
	COUNT(Y2, Y4, Y6)          \
	COUNT(Y3, Y4, Y6)          \
	VPSADBW Y7, Y6, Y6         \
	VPADDQ  Y6, Y5, Y5         \
	VPXOR   X6, X6, X6         \
	ADDQ    $256, src          \
	SUBQ    $256, left         \
	JGE     rounds             \
single: \
	ADDQ    $256, left         \
vectors: \
	CMPQ    left, $32          \
	JLT     last               \
	VMOVDQU (src), Y0          \
	COUNT(Y0, Y4, Y6)          \
	ADDQ    $32, src           \
	SUBQ    $32, left          \
	JMP     vectors            \
last: \
	LEAQ    ·lastBytes(SB), AX     \
	CMPQ    R9, $32                \
	JLT     short                  \
	VMOVDQU -32(src)(left*1), Y0   \
	VPAND   (AX)(left*1), Y0, Y0   \
	JMP     lastVector             \
short: \
	VMOVDQU (src), X0              \
	VMOVDQU -16(src)(left*1), X1   \
	VPAND   (AX)(left*1), X1, X1   \
	VINSERTI128 $1, X1, Y0, Y0     \
lastVector: \
	COUNT(Y0, Y4, Y6)              \
	VPSADBW Y7, Y6, Y6             \
	VPADDQ  Y6, Y5, Y5             \
	SUM_QUADWORDS_Y(Y5, X5, X0, AX, sum)

// WIDEN_TO_WORDS and WIDEN_TO_DOUBLEWORDS store the 32 bytes of y, of which x is the lower half, as code units in host order from place(dst) on.
// The text is read but once, a store follows each vector that is made, and the upper halves are taken by VPSHUFD: with loads among the stores, all
// stores last, or VPSRLDQ, it takes up to twice as long (measured on Zen 5). Uses: x, t, whose lower half is tx. Requires: AVX2.
#define WIDEN_TO_WORDS(y, x, t, place) \
	VPMOVZXBW    x, t            \
	VMOVDQU      t, place(dst)   \
	VEXTRACTI128 $1, y, x        \
	VPMOVZXBW    x, t            \
	VMOVDQU      t, place+32(dst)

#define WIDEN_TO_DOUBLEWORDS(y, x, t, tx, place) \
	VPMOVZXBD    x, t              \
	VMOVDQU      t, place(dst)     \
	VPSHUFD      $0xEE, x, tx      \
	VPMOVZXBD    tx, t             \
	VMOVDQU      t, place+32(dst)  \
	VEXTRACTI128 $1, y, x          \
	VPMOVZXBD    x, t              \
	VMOVDQU      t, place+64(dst)  \
	VPSHUFD      $0xEE, x, tx      \
	VPMOVZXBD    tx, t             \
	VMOVDQU      t, place+96(dst)

// PACK_LOWER and PACK_UPPER store those bytes of x that keep has a bit for: of a vector of 16 bytes the lower and the upper eight, of which
// it has four or more. What PACK_LOWER writes too much, up to four bytes, the next bytes overwrite; PACK_LAST, for the upper eight of the last
// x, writes no byte too much. PACKED puts the bytes into place before. Uses: t, n1, n2, keep, dst. Requires: AVX2, BMI2, POPCNT.
#define PACKED(x, keep, table, eights, t, n1, n2) \
	MOVBLZX keep, n1                     \
	SHRL    $8, keep                     \
	MOVBLZX keep, n2                     \
	SHRL    $8, keep                     \
	VMOVQ   (table)(n1*8), t             \
	VMOVHPS (table)(n2*8), t, t          \
	VPOR    eights, t, t                 \
	VPSHUFB t, x, t                      \
	POPCNTL n1, n1                       \
	POPCNTL n2, n2

#define PACK_LOWER(t, n) \
	VMOVQ t, (dst)  \
	ADDQ  n, dst

#define PACK_UPPER(t, n) \
	VMOVHPS t, (dst) \
	ADDQ    n, dst

#define PACK_LAST(t, n, word, shift) \
	VPEXTRQ $1, t, word         \
	LEAL    (n*8), shift        \
	SUBL    $32, shift          \
	MOVL    word, (dst)         \
	SHRXQ   shift, word, word   \
	MOVL    word, -4(dst)(n*1)  \
	ADDQ    n, dst

// ANY_AVX2 and ANY_AVX512 get the disjunction of the four vectors at place in Y0 or Z0. Uses: Y1 or Z1.
#define ANY_AVX2(place) \
	VMOVDQU (place), Y0       \
	VMOVDQU 64(place), Y1     \
	VPOR    32(place), Y0, Y0 \
	VPOR    96(place), Y1, Y1 \
	VPOR    Y1, Y0, Y0

#define ANY_AVX512(place) \
	VMOVDQU64  (place), Z0       \
	VMOVDQU64  128(place), Z1    \
	VPORQ      64(place), Z0, Z0 \
	VPTERNLOGQ $0xFE, 192(place), Z1, Z0

// HALVES_AVX2 gets the disjunction of all of src, 32 to 256 bytes, in Y0, and HALVES_AVX512 that of 64 to 256 bytes in Z0: vectors from its start on and
// as many up to its end, which may overlap. If those suffice, label done is next, which may be behind the macro. Uses: R10, Y1 or Z1.
#define HALVES_AVX2(done) \
	LEAQ    -128(src)(left*1), R10 \
	VMOVDQU (src), Y0              \
	VPOR    96(R10), Y0, Y0        \
	CMPQ    left, $64              \
	JBE     done                   \
	VMOVDQU 32(src), Y1            \
	VPOR    64(R10), Y1, Y1        \
	VPOR    Y1, Y0, Y0             \
	CMPQ    left, $128             \
	JBE     done                   \
	VMOVDQU 64(src), Y1            \
	VPOR    32(R10), Y1, Y1        \
	VPOR    Y1, Y0, Y0             \
	VMOVDQU 96(src), Y1            \
	VPOR    (R10), Y1, Y1          \
	VPOR    Y1, Y0, Y0

#define HALVES_AVX512(done) \
	LEAQ       -128(src)(left*1), R10 \
	VMOVDQU64  (src), Z0              \
	VPORQ      64(R10), Z0, Z0        \
	CMPQ       left, $128             \
	JBE        done                   \
	VMOVDQU64  64(src), Z1            \
	VPTERNLOGQ $0xFE, (R10), Z1, Z0
