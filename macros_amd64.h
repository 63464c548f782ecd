// Registers by role, the same in every kernel, and the short steps that kernels share.
//
// R14 and X15 are free in assembly (the compiler restores them behind a call), BP and R15 are not touched.

#define src    SI // the next code unit of the source
#define left   CX // how many code units of the source are left
#define start  R8 // where the source began
#define dst    DI // where the next code unit of the result goes
#define dstEnd DX // the end of the room for the result

// FIRST_BITS sets the low n bits of mask, 0 <= n <= 64. Uses: mask. Requires: BMI2.
#define FIRST_BITS(n, mask) \
	MOVQ  $-1, mask     \
	BZHIQ n, mask, mask
