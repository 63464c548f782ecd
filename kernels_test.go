package transcode

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/seed-1959eab6/transcode/internal/asmcheck"
	"github.com/seed-1959eab6/transcode/internal/guard"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

// Every kernel, and every dispatcher before the kernels, is held to the specification in generic.go by the tests in this file, which
// range over one registry: operations, here, and the kernels of a platform, in kernels_GOARCH_test.go. What a kernel must do is said
// at the top of the dispatchers; tester.check says it once more.
//
// Levels that this machine lacks are skipped, unless TRANSCODE_REQUIRE names them:
//
//	TRANSCODE_REQUIRE=avx2,avx512 go test -run Kernel .
//
// Dispatchers use the highest level. What they do with another, a run with GODEBUG=cpu.avx512f=off or cpu.avx2=off tells.
//
// In short mode each mix has every seventh of the lengths above 17, alignments come in steps of 13 code units, and of the other cases there is
// one in so many, as texts.Every says.

// An operation has a specification, a dispatcher, and kernels for the levels of a platform.
type operation struct {
	name           string
	from           Encoding // of the texts that it is tested with
	limit          uint32   // for those that take one
	inPlace        bool     // dst may be src
	spec, dispatch function
}

// A kernelTier is a level: a bundle of features of the processor that kernels are written for.
type kernelTier struct {
	name      string
	available bool // on this machine
}

// A kernel is a function in assembly.
type kernel struct {
	operation string
	level     kernelTier
	slack     int              // it leaves less than so many code units of the source to the specification
	min       int              // the bytes of the source that it needs
	whole     func(n int) bool // whether it leaves nothing to the specification of n bytes that are in order and have ample room; nil if it may
	order     int              // counts the rows of a kernel, one for each order of the bytes of code units that it is tested with
	function
}

// from is for kernels that leave nothing of so many bytes or more.
func from(least int) func(int) bool { return func(n int) bool { return n >= least } }

// A function is an operation, or a kernel for one, in the form that tests call: texts and results are bytes in host order.
type function struct {
	srcUnit, dstUnit int // sizes of code units; dstUnit is 0 for those that write nothing
	most             int // the longest source in bytes, if that is not longestKernel
	run              func(dst, src []byte, limit uint32) outcome
	spill            int                                                       // what lies behind the result may be overwritten by so many bytes, if there is room
	finish           func(dst, src []byte, limit uint32, part outcome) outcome // how a dispatcher goes on behind a kernel, if not by the specification
	answer           func(done []byte) int64                                   // of a kernel that handled so much
}

// An outcome is what a function says: how many bytes it wrote and read, and its answer, a number or a class.
type outcome struct {
	nDst, nSrc int
	answer     int64
}

// operations lists all. New ones go to the end, since the seeds of FuzzKernels count them.
var operations = []operation{
	{"asciiPrefix", UTF8, 0, false, prefix(asciiPrefixGeneric), prefix(ofString(asciiPrefix))},
	{"isASCII", UTF8, 0, false, decision(isASCIIGeneric), decision(ofString(isASCII))},
	{"validUTF8Prefix", UTF8, 0, false, classed(validUTF8PrefixGeneric), classed(func(src []byte) (int, Class) { return validUTF8Prefix(stringOf(src)) })},
	{"validUTF16Prefix", host16, 0, false, prefix(validUTF16PrefixGeneric), prefix(validUTF16Prefix)},
	{"validUTF32Prefix", host32, 0, false, prefix(validUTF32PrefixGeneric), prefix(validUTF32Prefix)},
	{"runeCount", UTF8, 0, false, count(runeCountGeneric), count(ofString(runeCount))},
	{"utf16LenFromUTF8", UTF8, 0, false, count(utf16LenFromUTF8Generic), count(ofString(utf16LenFromUTF8))},
	{"utf8LenFromLatin1", Latin1, 0, false, count(utf8LenFromLatin1Generic), count(ofString(utf8LenFromLatin1))},
	{"utf8LenFromUTF16", host16, 0, false, count(utf8LenFromUTF16Generic), count(utf8LenFromUTF16)},
	{"utf32LenFromUTF16", host16, 0, false, count(utf32LenFromUTF16Generic), count(utf32LenFromUTF16)},
	{"utf8LenFromUTF32", host32, 0, false, count(utf8LenFromUTF32Generic), count(utf8LenFromUTF32)},
	{"utf16LenFromUTF32", host32, 0, false, count(utf16LenFromUTF32Generic), count(utf16LenFromUTF32)},
	{"latin1ToUTF8", Latin1, 0, false, conversion(latin1ToUTF8Generic), conversion(latin1ToUTF8)},
	{"latin1ToUTF16", Latin1, 0, false, conversion(latin1ToUTF16Generic), conversion(latin1ToUTF16)},
	{"latin1ToUTF32", Latin1, 0, false, conversion(latin1ToUTF32Generic), conversion(latin1ToUTF32)},
	{"utf8ToLatin1", UTF8, 0, false, conversion(utf8ToLatin1Generic), conversion(utf8ToLatin1)},
	{"utf16ToLatin1", host16, 0x100, false, limited(utf16ToLatin1Generic), limited(utf16ToLatin1)},
	{"utf16ToLatin1", host16, 0x80, false, limited(utf16ToLatin1Generic), limited(utf16ToLatin1)},
	{"utf32ToLatin1", host32, 0x100, false, limited(utf32ToLatin1Generic), limited(utf32ToLatin1)},
	{"utf32ToLatin1", host32, 0x80, false, limited(utf32ToLatin1Generic), limited(utf32ToLatin1)},
	{"swap16", host16, 0, true, swap(swap16Generic), swap(swap16)},
	{"swap32", host32, 0, true, swap(swap32Generic), swap(swap32)},
	{"utf8ToUTF16", UTF8, 0, false, conversion(utf8ToUTF16Generic), conversion(utf8ToUTF16)},
	{"utf8ToUTF32", UTF8, 0, false, conversion(utf8ToUTF32Generic), conversion(utf8ToUTF32)},
	{"utf16ToUTF8", host16, 0, false, conversion(utf16ToUTF8Generic), conversion(utf16ToUTF8)},
	{"utf32ToUTF8", host32, 0, false, conversion(utf32ToUTF8Generic), conversion(utf32ToUTF8)},
	{"utf16ToUTF32", host16, 0, false, conversion(utf16ToUTF32Generic), conversion(utf16ToUTF32)},
	{"utf32ToUTF16", host32, 0, false, conversion(utf32ToUTF16Generic), conversion(utf32ToUTF16)},
	{"listRecords", UTF8, records('e', ClassASCII, ClassASCII), false, listing(listRecordsGeneric), listing(listRecords)},
	{"listRecords", UTF8, records('e', ClassASCII, ClassLatin1), false, listing(listRecordsGeneric), listing(listRecords)},
	{"listRecords", UTF8, records('e', ClassLatin1, ClassBMP), false, listing(listRecordsGeneric), listing(listRecords)},
	{"listRecords", UTF8, records('e', ClassASCII, ClassSupplementary), false, listing(listRecordsGeneric), listing(listRecords)},
	{"listRecords", UTF8, records('a', ClassBMP, ClassSupplementary), false, listing(listRecordsGeneric), listing(listRecords)},
	{"classOfUTF8", UTF8, 0, false, classOnly(classOfUTF8Generic), classOnly(func(src []byte) Class { return classOfUTF8(stringOf(src)) })},
}

// Code units as functions see them.
var host16, host32 = hostEncoding(2), hostEncoding(4)

// ofString takes a dispatcher for text in bytes to what kernels take.
func ofString[R any](f func(string) R) func([]byte) R {
	return func(src []byte) R { return f(stringOf(src)) }
}

// The forms of functions.

func prefix[S unit](f func([]S) int) function {
	size := sizeOf[S]()
	return function{srcUnit: size, run: func(_, src []byte, _ uint32) outcome { return outcome{nSrc: size * f(bytesAs[S](src))} }}
}

func decision(f func([]byte) bool) function {
	return function{srcUnit: 1, run: func(_, src []byte, _ uint32) outcome {
		if f(src) {
			return outcome{nSrc: len(src), answer: 1}
		}
		return outcome{nSrc: len(src)}
	}}
}

func classed(f func([]byte) (int, Class)) function {
	return function{
		srcUnit: 1,
		run: func(_, src []byte, _ uint32) outcome {
			n, c := f(src)
			return outcome{nSrc: n, answer: int64(c)}
		},
		answer: func(done []byte) int64 {
			if len(done) == 0 {
				return int64(ClassASCII)
			}
			return int64(classOfLead(uint32(slices.Max(done))))
		},
	}
}

func count[S unit](f func([]S) int64) function {
	return function{srcUnit: sizeOf[S](), run: func(_, src []byte, _ uint32) outcome {
		return outcome{nSrc: len(src), answer: f(bytesAs[S](src))}
	}}
}

func conversion[D, S unit](f func([]D, []S) (int, int)) function {
	return limited(func(dst []D, src []S, _ uint32) (int, int) { return f(dst, src) })
}

func limited[D, S unit](f func([]D, []S, uint32) (int, int)) function {
	d, s := sizeOf[D](), sizeOf[S]()
	return function{srcUnit: s, dstUnit: d, run: func(dst, src []byte, limit uint32) outcome {
		nDst, nSrc := f(bytesAs[D](dst), bytesAs[S](src), limit)
		return outcome{nDst: nDst * d, nSrc: nSrc * s}
	}}
}

// classOnly takes a function that tells a class of any text.
func classOnly(f func([]byte) Class) function {
	return count(func(src []byte) int64 { return int64(f(src)) })
}

// records makes a limit of what listRecords takes: a delimiter, the class of the record before the text, and the largest class.
func records(delim byte, class, most Class) uint32 {
	return uint32(delim) | uint32(class)<<8 | uint32(most)<<16
}

// listing takes records for its limit. The result may be followed by what is left of room for 64 records.
func listing(f func(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class)) function {
	return function{
		srcUnit: 1,
		dstUnit: 2,
		spill:   64 * 2,
		run: func(dst, src []byte, limit uint32) outcome {
			nDst, nSrc, after := f(bytesAs[uint16](dst), src, byte(limit), Class(limit>>8&0xFF), Class(limit>>16))
			return outcome{nDst: 2 * nDst, nSrc: nSrc, answer: int64(after)}
		},
	}
}

// swap takes texts of any length and alignment.
func swap(f func(dst, src []byte) int) function {
	return function{srcUnit: 1, dstUnit: 1, run: func(dst, src []byte, _ uint32) outcome {
		n := f(dst, src)
		return outcome{nDst: n, nSrc: n}
	}}
}

// The forms of kernels that take a byteOrder, and which functions each makes: for code units in host order, then for others.

func prefixOfUnits[S unit](f func([]S, byteOrder) int) []function {
	return inOrders(func(from, _ byteOrder) function {
		return prefix(func(src []S) int { return f(src, from) })
	}, 0b01)
}

func toUnits[D, S unit](f func([]D, []S, byteOrder) (int, int)) []function {
	return inOrders(func(_, to byteOrder) function {
		return conversion(func(dst []D, src []S) (int, int) { return f(dst, src, to) })
	}, 0b10)
}

func fromUnits[D, S unit](f func([]D, []S, byteOrder) (int, int)) []function {
	return inOrders(func(from, _ byteOrder) function {
		return conversion(func(dst []D, src []S) (int, int) { return f(dst, src, from) })
	}, 0b01)
}

func fromUnitsLimited[D, S unit](f func([]D, []S, uint32, byteOrder) (int, int)) []function {
	return inOrders(func(from, _ byteOrder) function {
		return limited(func(dst []D, src []S, limit uint32) (int, int) { return f(dst, src, limit, from) })
	}, 0b01)
}

func betweenUnits[D, S unit](f func([]D, []S, byteOrder, byteOrder) (int, int)) []function {
	return inOrders(func(from, to byteOrder) function {
		return conversion(func(dst []D, src []S) (int, int) { return f(dst, src, from, to) })
	}, 0b01, 0b10, 0b11)
}

// inOrders returns what make makes of host order, and of each of the others: bit 0 swaps the source, bit 1 the result. The functions take and give host
// order in any case.
func inOrders(make func(from, to byteOrder) function, swaps ...int) []function {
	functions := []function{make(hostOrder, hostOrder)}
	for _, s := range swaps {
		from, to := s&1 != 0, s&2 != 0
		f := functions[0]
		inner := make(byteOrder(s&1)*swappedOrder, byteOrder(s>>1)*swappedOrder).run
		f.run = func(dst, src []byte, limit uint32) outcome {
			swapUnits(src, f.srcUnit, from)
			o := inner(dst, src, limit)
			swapUnits(src, f.srcUnit, from)
			swapUnits(dst[:o.nDst], f.dstUnit, to)
			return o
		}
		functions = append(functions, f)
	}
	return functions
}

func swapUnits(b []byte, size int, swapped bool) {
	switch {
	case swapped && size == 2:
		swap16Generic(b, b)
	case swapped && size == 4:
		swap32Generic(b, b)
	}
}

// classedKernel is classed for a kernel, behind which a dispatcher goes on by finish.
func classedKernel(f func([]byte) (int, Class), finish func([]byte, int, Class) (int, Class)) function {
	k := classed(f)
	k.finish = func(_, src []byte, _ uint32, part outcome) outcome {
		n, c := finish(src, part.nSrc, Class(part.answer))
		return outcome{nSrc: n, answer: int64(c)}
	}
	return k
}

func sizeOf[U unit]() int { return len(unitBytes(make([]U, 1))) }

func bytesAs[U unit](b []byte) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/sizeOf[U]())
}

// The registry.

// What a platform has, if anything: levels, each of which has all that those before it have, and kernels for them.
var (
	kernelTiers     []kernelTier
	platformKernels = func() []kernel { return nil }
)

// longestKernel is how many bytes of the source a kernel sees at most.
const longestKernel = 64 << 10

// A row is what a test calls: a kernel, or the dispatcher of an operation, which has no level.
type row struct {
	operation
	kernel
}

func (r row) name() string {
	name := r.operation.name + r.level.name
	if r.limit > 0 && r.limit != 0x100 {
		name += fmt.Sprintf("/%#x", r.limit)
	}
	if r.order > 0 {
		name += "/swapped" + strconv.Itoa(r.order)
	}
	return name
}

// rows returns the dispatcher and the kernels of an operation: nothing on a platform without kernels, where the dispatcher is the
// specification.
func (op operation) rows() (rows []row) {
	if len(platformKernels()) == 0 {
		return nil
	}
	rows = append(rows, row{op, kernel{slack: 1, function: op.dispatch}})
	rows[0].level.available = true
	for _, k := range platformKernels() {
		if k.operation == op.name {
			rows = append(rows, row{op, k})
		}
	}
	return rows
}

// kernelNames returns the names of the functions in the registry.
func kernelNames() (names []string) {
	for _, k := range platformKernels() {
		names = append(names, k.operation+k.level.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// operationNames returns the names of the operations that FuzzKernels covers.
func operationNames() (names []string) {
	for _, op := range operations {
		names = append(names, op.name)
	}
	return slices.Compact(names)
}

// requireAssembly holds the assembly, its declarations and the calls of kernels to the rules of package asmcheck.
func requireAssembly(t *testing.T, goarch string, maxKernel int) {
	require.Equal(t, longestKernel, maxKernel)
	hasNoKernel := func(operation string) bool {
		return !slices.ContainsFunc(platformKernels(), func(k kernel) bool { return k.operation == operation })
	}
	findings, err := asmcheck.Check(asmcheck.Config{
		Dir:        ".",
		GOARCH:     goarch,
		Registered: kernelNames(),
		Fuzzed:     slices.DeleteFunc(operationNames(), hasNoKernel),
		MaxKernel:  "maxKernel",
		ExtraType:  "byteOrder",
	})
	require.NoError(t, err)
	for _, f := range findings {
		t.Error(f)
	}
}

func TestPuregoHasNoAssembly(t *testing.T) {
	files, err := asmcheck.PuregoAssembly(".")
	require.NoError(t, err)
	require.Empty(t, files)
}

func TestKernelRegistry(t *testing.T) {
	var names []string
	for _, k := range platformKernels() {
		names = append(names, fmt.Sprint(k.operation, k.level.name, k.order))
	}
	slices.Sort(names)
	require.Len(t, slices.Compact(names), len(platformKernels()), "a kernel has one row for an order")
	for _, k := range platformKernels() {
		require.Contains(t, operationNames(), k.operation)
		require.Contains(t, kernelTiers, k.level)
		require.Positive(t, k.slack, k.operation)
		for _, op := range operations {
			if op.name == k.operation {
				require.Equal(t, []int{op.spec.srcUnit, op.spec.dstUnit}, []int{k.srcUnit, k.dstUnit}, op.name)
			}
		}
	}
}

// Level names the highest level of this machine, which has all below. What TRANSCODE_REQUIRE lists is available.
func TestKernelLevels(t *testing.T) {
	highest, all := "generic", true
	available := map[string]bool{"generic": true}
	for _, l := range kernelTiers {
		name := strings.ToLower(l.name)
		available[name] = l.available
		if l.available {
			highest = name
			require.True(t, all, "%s without the level below", name)
		}
		all = all && l.available
	}
	require.Equal(t, highest, Level())
	for name := range strings.SplitSeq(os.Getenv("TRANSCODE_REQUIRE"), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			require.True(t, available[name], "this machine has no level %s", name)
		}
	}
}

// A tester runs one row on texts, in memory where every access that is not allowed is noticed: reading beside src by guards, writing
// outside the result by guards or canaries.
type tester struct {
	row
	tb       testing.TB
	src, dst *guard.Arena
	srcSize  int
	dstSize  int
	srcMem   []byte // all that lies between the guards
	dstMem   []byte // the same; holds blank between runs
	blank    []byte // canaries
	scratch  []byte

	// The case at hand.
	what         string
	text         []byte
	room         int    // for the result, in bytes
	result       []byte // what the specification writes,
	want         outcome
	srcAt, dstAt int
}

// arenaSize returns size in whole guarded areas.
func arenaSize(size int) int { return (size + 1<<16 - 1) &^ (1<<16 - 1) }

// ample is room for everything: four bytes for each byte, and more.
func ample(n int) int { return 4*n + 256 }

func newTester(tb testing.TB, r row, longest int) *tester {
	tb.Helper()
	x := &tester{row: r, tb: tb, srcSize: arenaSize(longest + 128), dstSize: arenaSize(ample(longest) + 1024)}
	x.src, x.dst = guard.New(tb, "src", x.srcSize), guard.New(tb, "dst", x.dstSize)
	x.srcMem, x.dstMem = guard.Head[byte](x.src, x.srcSize), guard.Head[byte](x.dst, x.dstSize)
	guard.Fill(x.dstMem)
	x.blank = bytes.Clone(x.dstMem)
	x.text = unitBytes(make([]rune, longest/4+1))
	x.scratch = unitBytes(make([]rune, ample(longest)/4))
	return x
}

// do runs f, in which a fault is the end of the test.
func (x *tester) do(f func()) {
	x.tb.Helper()
	if err := guard.Run(f, x.src, x.dst); err != nil {
		x.fail("%v", err)
	}
}

func (x *tester) fail(format string, args ...any) {
	x.tb.Helper()
	x.tb.Fatalf("%s: %s\n%s; src at %d of %d, dst at %d of %d, room %d; the specification: %+v\nsrc (%d bytes): % x", x.name(), fmt.Sprintf(format, args...),
		x.what, x.srcAt, x.srcSize, x.dstAt, x.dstSize, x.room, x.want, len(x.text), x.text[:min(len(x.text), 200)])
}

// set makes src the text of the next runs, and asks the specification what its result is where room is no object.
func (x *tester) set(src []byte, what string, args ...any) {
	x.what = what
	if len(args) > 0 {
		x.what = fmt.Sprintf(what, args...)
	}
	x.text = append(x.text[:0], src[:len(src)/x.srcUnit*x.srcUnit]...)
	x.setRoom(ample(len(x.text)))
}

// setMix sets a text of n code units. Functions that take any bytes get some that end within one.
func (x *tester) setMix(m mix, r *texts.Rand, n int) {
	text := m.make(r, x.from, n)
	if size := x.from.unitSize(); x.srcUnit < size {
		text = text[:max(0, len(text)-n%size)]
	}
	x.set(text, "%d of %s", n, m.name)
}

// setRoom changes the room for the result.
func (x *tester) setRoom(room int) {
	if x.dstUnit == 0 {
		room = 0
	}
	x.room = room
	x.want = x.spec.run(x.scratch[:room], x.text, x.limit)
	x.result = x.scratch[:x.want.nDst]
}

// rooms returns the rooms that matter for the text: ample, none too much, and one code unit too little.
func (x *tester) rooms() []int {
	exact := x.want.nDst
	switch {
	case x.dstUnit == 0:
		return []int{0}
	case exact == 0:
		return []int{ample(len(x.text)), 0}
	}
	return []int{ample(len(x.text)), exact, exact - x.dstUnit}
}

// srcTail and dstTail are where the text and the room for the result end at a guard.
func (x *tester) srcTail() int { return x.srcSize - len(x.text) }
func (x *tester) dstTail() int { return x.dstSize - x.room }

// at does not slice mem: an empty slice would not point there.
func at(mem []byte, offset, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(mem)), offset)), n)
}

// unfit reports whether no dispatcher gives the kernel a text of this length.
func (x *tester) unfit() bool { return len(x.text) < x.min || x.most > 0 && len(x.text) > x.most }

// run calls the function for a copy of the text at one place, with room for the result at another.
func (x *tester) run(srcAt, dstAt int) {
	if x.unfit() {
		return
	}
	x.srcAt, x.dstAt = srcAt, dstAt
	src, dst := at(x.srcMem, srcAt, len(x.text)), at(x.dstMem, dstAt, x.room)
	copy(src, x.text)
	got := x.kernel.run(dst, src, x.limit)
	if !bytes.Equal(src, x.text) {
		x.fail("changed src")
	}
	x.check(got, dst, src)
	copy(x.dstMem[dstAt:], x.blank[dstAt:dstAt+min(x.want.nDst+x.spill, x.room)])
}

// runInPlace does what run does, with the result over the source.
func (x *tester) runInPlace(dstAt int) {
	n := min(x.room, len(x.text))
	if x.unfit() || n < len(x.text) {
		return
	}
	x.srcAt, x.dstAt = 0, dstAt
	dst := at(x.dstMem, dstAt, n)
	copy(dst, x.text)
	got := x.kernel.run(dst, dst, x.limit)
	if !bytes.Equal(dst[got.nDst:], x.text[got.nDst:]) {
		x.fail("changed the source behind the result")
	}
	copy(dst[got.nDst:], x.blank[dstAt+got.nDst:dstAt+n])
	x.check(got, dst, x.text)
	copy(x.dstMem[dstAt:], x.blank[dstAt:dstAt+n])
}

// check says what a function must have done, which said got.
func (x *tester) check(got outcome, dst, src []byte) {
	if x.level.name == "" && got != x.want {
		x.fail("is %+v", got)
	}
	if got.nSrc < 0 || got.nSrc > x.want.nSrc || got.nDst < 0 || got.nDst > x.want.nDst {
		x.fail("goes beyond the specification: %+v", got)
	}
	if x.whole != nil && x.whole(len(src)) && x.want.nSrc == len(src) && (x.dstUnit == 0 || x.room >= ample(len(src))) && got.nSrc < x.want.nSrc {
		x.fail("leaves over something: %+v", got)
	}
	if x.want.nSrc-got.nSrc >= x.slack*x.srcUnit {
		x.fail("does too little: %+v", got)
	}
	if x.dstUnit == 0 {
		if x.answer != nil && got.answer != x.answer(src[:got.nSrc]) && x.level.name != "" {
			x.fail("is %+v, not the answer for what it handled", got)
		}
	} else {
		if i := diff(dst[:got.nDst], x.result[:got.nDst]); i >= 0 {
			x.fail("is %+v, and wrong from %d on: % x", got, i, dst[i:min(got.nDst, i+400)])
		}
		const near = 512 // farther than any kernel can write at once
		behind, before := x.dstAt+min(got.nDst+x.spill, x.room), max(0, x.dstAt-near)
		end := min(behind+max(near, x.room-got.nDst), x.dstSize)
		if i := diff(x.dstMem[behind:end], x.blank[behind:end]); i >= 0 {
			x.fail("is %+v, and changed what lies %d bytes behind the result: % x", got, i, x.dstMem[behind:][:min(i+1, 400)])
		}
		if i := diff(x.dstMem[before:x.dstAt], x.blank[before:x.dstAt]); i >= 0 {
			x.fail("is %+v, and changed what lies before dst", got)
		}
	}
	if got == x.want {
		return
	}
	// The specification must be able to go on from here.
	whole := got
	if x.finish != nil {
		whole = x.finish(dst, src, x.limit, got)
	} else {
		rest := x.spec.run(dst[got.nDst:], src[got.nSrc:], x.limit)
		whole.nDst += rest.nDst
		whole.nSrc += rest.nSrc
		whole.answer += rest.answer
	}
	if whole != x.want || !bytes.Equal(dst[:whole.nDst], x.result) {
		x.fail("is %+v, from where the specification comes to %+v: % x", got, whole, dst[:min(whole.nDst, 400)])
	}
}

// diff returns the index of the first difference, or -1.
func diff(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// everywhere runs the text against every guard, in every room that matters.
func (x *tester) everywhere() {
	for _, room := range x.rooms() {
		x.setRoom(room)
		x.run(x.srcTail(), x.dstTail())
		x.run(0, 0)
		if x.inPlace {
			x.runInPlace(x.dstTail())
			x.runInPlace(0)
		}
	}
}

// forKernels runs a test for every row, with texts of up to so many bytes.
func forKernels(t *testing.T, longest int, test func(x *tester)) {
	for _, op := range operations {
		for _, r := range op.rows() {
			t.Run(r.name(), func(t *testing.T) {
				t.Parallel()
				if !r.level.available {
					t.Skipf("this machine has no level %s", r.level.name)
				}
				x := newTester(t, r, longest)
				x.do(func() { test(x) })
			})
		}
	}
}

// A mix tells how a text is made: the longest run of characters from each of texts.Fillers, which have one to four bytes in UTF-8, two
// among them twice: of Latin-1 and others.
type mix struct {
	name string
	runs [5]int
}

var mixes = []mix{
	{"ASCII", [5]int{1, 0, 0, 0, 0}},
	{"Latin-1", [5]int{0, 1, 0, 0, 0}},
	{"two bytes", [5]int{0, 0, 1, 0, 0}},
	{"three bytes", [5]int{0, 0, 0, 1, 0}},
	{"four bytes", [5]int{0, 0, 0, 0, 1}},
	{"ASCII and Latin-1", [5]int{20, 3, 0, 0, 0}},
	{"a little Latin-1", [5]int{99, 1, 0, 0, 0}},
	{"mostly Latin-1", [5]int{1, 40, 0, 0, 0}},
	{"BMP", [5]int{9, 3, 9, 9, 0}},
	{"mostly ASCII", [5]int{99, 1, 1, 1, 1}},
	{"mostly three bytes", [5]int{1, 1, 1, 30, 1}},
	{"all", [5]int{9, 9, 9, 9, 9}},
	{"random bytes", [5]int{}},
	{"boundaries", [5]int{}},
}

// make returns n code units of text in e. Where the last character does not fit it is cut off, in every second text filled up.
func (m mix) make(r *texts.Rand, e Encoding, n int) []byte {
	size := n * e.unitSize()
	b := make([]byte, 0, size+8)
	switch {
	case m.name == "random bytes":
		for range size {
			b = append(b, byte(r.Next()))
		}
		return b
	case m.name == "boundaries":
		for len(b) < size {
			b = append(b, texts.Pick(r, boundaries(e))...)
		}
		return b[:size]
	}
	kinds := m.runs[:]
	if e == Latin1 {
		kinds = kinds[:2]
	}
	if slices.Max(kinds) == 0 {
		kinds = []int{5, 5}
	}
	chars := encodedFillers()[e.unitSize()]
	if e == Latin1 {
		chars = encodedFillers()[0]
	}
	for {
		for k, most := range kinds {
			if most == 0 {
				continue
			}
			first := r.Intn(len(chars[k]))
			for i := range 1 + r.Intn(most) {
				before := len(b)
				b = append(b, chars[k][(first+i)%len(chars[k])]...)
				if len(b) < size {
					continue
				}
				if len(b) > size && n%2 == 0 {
					for b = b[:before]; len(b) < size; {
						b = append(b, chars[0][0]...)
					}
				}
				return b[:size]
			}
		}
	}
}

// encodedFillers returns texts.Fillers, each character by itself, by size of code units; for Latin-1 by 0.
var encodedFillers = sync.OnceValue(func() map[int][5][][]byte {
	all := make(map[int][5][][]byte)
	for size, e := range map[int]Encoding{0: Latin1, 1: UTF8, 2: host16, 4: host32} {
		var list [5][][]byte
		for k, filler := range texts.Fillers {
			for _, r := range filler {
				list[k] = append(list[k], oracle.EncodeRunes([]rune{r}, e))
			}
		}
		all[size] = list
	}
	return all
})

// boundaries has the code units of e around which something changes.
func boundaries(e Encoding) (units [][]byte) {
	switch e.unitSize() {
	case 2:
		for _, u := range texts.BoundaryUnits {
			units = append(units, oracle.Bytes16([]uint16{u}, e))
		}
	case 4:
		for _, u := range texts.BoundaryRunes {
			units = append(units, oracle.Bytes32([]rune{u}, e))
		}
	default:
		for _, b := range texts.BoundaryBytes {
			units = append(units, []byte{b})
		}
	}
	return units
}

// troubles has every kind of ill-formed sequence of e, and characters that some other encoding lacks.
func troubles(e Encoding) (list [][]byte) {
	anywhere, atEnd := texts.Faults(e)
	for _, f := range slices.Concat(anywhere, atEnd) {
		if len(f)%e.unitSize() == 0 {
			list = append(list, f)
		}
	}
	for _, r := range []rune{0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF} {
		if e != Latin1 || r < 0x100 {
			list = append(list, oracle.EncodeRunes([]rune{r}, e))
		}
	}
	return list
}

// lengths yields 0 to 300. In short mode the mixes share those above 17.
func lengths(mix int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := range 301 {
			if (n < 18 || (n+mix)%texts.Thin(1, 7) == 0) && !yield(n) {
				return
			}
		}
	}
}

// Texts of every length, wherever src and dst begin.
func TestKernelLengths(t *testing.T) {
	forKernels(t, 300*4, func(x *tester) {
		for i, m := range mixes {
			r := texts.Rand(1)
			for n := range lengths(i) {
				x.setMix(m, &r, n)
				for _, room := range x.rooms() {
					x.setRoom(room)
					for a := 0; a < 64; a += x.srcUnit * texts.Thin(1, 13) {
						d := (37*a + 11*n) % 64
						if x.dstUnit > 0 {
							d &^= x.dstUnit - 1
						}
						x.run(a, 512+d)
						if x.inPlace {
							x.runInPlace(512 + a)
						}
					}
				}
			}
		}
	})
}

// Texts of every length against every guard.
func TestKernelGuards(t *testing.T) {
	forKernels(t, 300*4, func(x *tester) {
		for i, m := range mixes {
			r := texts.Rand(2)
			for n := range lengths(i) {
				x.setMix(m, &r, n)
				x.everywhere()
			}
		}
	})
}

// Every room for the result, from none to more than enough.
func TestKernelRooms(t *testing.T) {
	forKernels(t, 700*4, func(x *tester) {
		if x.dstUnit == 0 {
			return
		}
		nth := 0
		for _, m := range mixes {
			r := texts.Rand(3)
			for _, n := range []int{60, 77, 94, 111, 128, 145, 162, 179, 196, 213, 230, 247, 264, 281, 298, 700} {
				if n < 700 && !texts.Every(&nth, 4) {
					continue
				}
				x.setMix(m, &r, n)
				most := x.want.nDst + 130*x.dstUnit
				for room := nth % texts.Thin(1, 5) * x.dstUnit; room <= most; room += x.dstUnit * texts.Thin(1, 5) {
					x.setRoom(room)
					x.run(x.srcTail(), x.dstTail())
				}
			}
		}
	})
}

// No memory for the result, and none for the text.
func TestKernelNothing(t *testing.T) {
	forKernels(t, 300*4, func(x *tester) {
		for _, m := range mixes {
			r := texts.Rand(5)
			for n := range 301 {
				x.setMix(m, &r, n)
				x.setRoom(0)
				if x.dstUnit > 0 && !x.unfit() {
					if got := x.kernel.run(nil, x.text, x.limit); got != x.want {
						x.fail("is %+v without room", got)
					}
				}
			}
		}
		if x.set(nil, "nothing"); !x.unfit() {
			if got := x.kernel.run(nil, nil, x.limit); got != x.want {
				x.fail("is %+v", got)
			}
		}
	})
}

// Every trouble at every position, behind every kind of character; alone and with another, at the end and in the middle.
func TestKernelTroubles(t *testing.T) {
	forKernels(t, 512*4, func(x *tester) {
		size := x.from.unitSize()
		list := troubles(x.from)
		nth := 0
		for k, filler := range texts.Fillers {
			if x.from == Latin1 && k > 1 {
				break
			}
			text := oracle.EncodeRunes(texts.Fill(filler, 300), x.from)
			one := len(oracle.EncodeRunes(filler[:1], x.from))
			pad := oracle.EncodeRunes([]rune("abc"), x.from)
			for i, trouble := range list {
				for pos := 0; pos <= 200*size; pos += size {
					if !texts.Every(&nth, 19) {
						continue
					}
					lead := slices.Concat(pad[:pos%one], text[:pos-pos%one], trouble)
					another := list[(i+pos)%len(list)]
					near := (pos / size * 7 % 66) * size / one * one
					for c, src := range [][]byte{lead, slices.Concat(lead, text[:150/one*one*size]), slices.Concat(lead, text[:near], another, text[:90/one*one*size])} {
						x.set(src, "% x at %d behind %U, case %d", trouble, pos, filler[0], c)
						for _, room := range x.rooms() {
							x.setRoom(room)
							x.run(x.srcTail(), x.dstTail())
						}
					}
				}
			}
		}
	})
}

// Troubles at every position behind a run of one kind of character, which kernels take in larger steps when it is long.
func TestKernelInterruptedRuns(t *testing.T) {
	const longest = 1100
	forKernels(t, 1200*4, func(x *tester) {
		size, nth := x.from.unitSize(), 0
		list := troubles(x.from)
		for k, filler := range texts.Fillers {
			if x.from == Latin1 && k > 1 {
				break
			}
			text := oracle.EncodeRunes(texts.Fill(filler, 1200), x.from)[:1200*size]
			one := len(oracle.EncodeRunes(filler[:1], x.from))
			for pos := 0; pos <= longest*size; pos += one {
				for step := range 2 {
					if !texts.Every(&nth, 13) {
						continue
					}
					trouble := list[(pos/one*2+step)%len(list)]
					src := append(append(x.scratch[:0], text[:pos]...), trouble...)
					src = append(src, text[pos:(1200-8)*size/one*one]...)
					x.set(src, "% x at %d behind %U", trouble, pos, filler[0])
					x.run(x.srcTail(), x.dstTail())
				}
			}
		}
	})
}

// Every code unit of one or two bytes in front of several others, and every word of three code units at which something changes; in
// bytes all words of two, and four at which something changes. They stand across the edge of a block and within one.
func TestKernelWords(t *testing.T) {
	forKernels(t, 256*4, func(x *tester) {
		size := x.from.unitSize()
		fill := oracle.EncodeRunes(texts.Fill([]rune("text"), 192), x.from)
		nth, places := 0, []int{61, 20, 126, 62, 63, 0}
		put := func(word []byte) {
			if !texts.Every(&nth, 97) {
				return
			}
			src := append(x.scratch[:0], fill...)
			place := places[nth/7%len(places)] * size
			copy(src[place:], word)
			x.set(src, "% x at %d", word, place)
			x.run(x.srcTail(), x.dstTail())
			if nth%16 == 0 && x.dstUnit > 0 {
				x.setRoom(x.want.nDst)
				x.run(x.srcTail(), x.dstTail())
			}
		}
		n := 3
		switch {
		case x.from == Latin1: // each byte is a character by itself
			n = 2
		case size == 1:
			n = 4
			for w := range 1 << 16 {
				put([]byte{byte(w >> 8), byte(w), 0x80, 0xBF})
				put([]byte{byte(w >> 8), byte(w)})
				put([]byte{0xE1, byte(w >> 8), byte(w)})
				put([]byte{0xF1, 0x80, byte(w >> 8), byte(w)})
			}
		case size == 2:
			for w := range 1 << 16 {
				for _, u := range []uint16{'a', 0xDC00, 0xDBFF} {
					put(oracle.Bytes16([]uint16{uint16(w), u}, x.from))
				}
			}
		}
		var word []byte
		texts.EveryWord(boundaries(x.from), n, func(units [][]byte) {
			word = word[:0]
			for _, u := range units {
				word = append(word, u...)
			}
			put(word)
		})
	})
}

// Every sequence of short and long characters, beginning anywhere in eight bytes: kernels look up where the bytes of each go.
func TestKernelPatterns(t *testing.T) {
	forKernels(t, 128*4, func(x *tester) {
		nth := 0
		try := func(kinds []int, offset int) {
			runes := []rune("abcdefgh")[:offset]
			for i, k := range kinds {
				runes = append(runes, texts.Fillers[k][(i+nth)%6])
			}
			runes = append(runes, texts.Fill([]rune("text"), 100)...)
			x.set(oracle.EncodeRunes(runes, x.from), "%v from %d on", kinds, offset)
			x.run(x.srcTail(), x.dstTail())
		}
		for offset := range 8 {
			texts.EveryWord([]int{0, 1}, 9, func(kinds []int) {
				if texts.Every(&nth, 3) {
					try(kinds, offset)
				}
			})
		}
		if x.from == Latin1 {
			return
		}
		texts.EveryWord([]int{0, 1, 2, 3, 4}, 5, func(kinds []int) {
			if texts.Every(&nth, 7) {
				try(kinds, nth%8)
			}
		})
	})
}

// Every character, in texts of 150.
func TestKernelCharacters(t *testing.T) {
	forKernels(t, 150*4, func(x *tester) {
		last := rune(0x10FFFF)
		if x.from == Latin1 {
			last = 0xFF
		}
		nth := 0
		var runes []rune
		for r := rune(0); r <= last; r++ {
			if r&^0x7FF != 0xD800 {
				runes = append(runes, r)
			}
			if len(runes) < 150 && r < last {
				continue
			}
			if texts.Every(&nth, 53) || r < 0x1000 {
				x.set(oracle.EncodeRunes(runes, x.from), "%U to %U", runes[0], r)
				for _, room := range x.rooms()[:min(2, len(x.rooms()))] {
					x.setRoom(room)
					x.run(x.srcTail(), x.dstTail())
				}
			}
			runes = runes[:0]
		}
	})
}

// The longest text that a kernel sees, of one code unit throughout: no count overflows. A dispatcher gets a longer one.
func TestKernelRuns(t *testing.T) {
	forKernels(t, longestKernel+longestKernel/2, func(x *tester) {
		n := longestKernel
		switch {
		case x.level.name == "":
			n += n / 2
		case x.most > 0:
			n = x.most
		}
		nth := 0
		for _, u := range boundaries(x.from) {
			for cut := range 3 {
				if texts.Every(&nth, 5) {
					x.set(bytes.Repeat(u, n/len(u)-cut*7), "%d times % x", n/len(u), u)
					x.run(x.srcTail(), x.dstTail())
				}
			}
		}
	})
}

// Every number of one byte in a block, at its ends or anywhere, in every room: kernels that list where a byte is.
func TestKernelManyOfOneByte(t *testing.T) {
	forKernels(t, 6*64, func(x *tester) {
		if x.spill == 0 {
			return
		}
		r := texts.Rand(6)
		for _, other := range []string{"x", "é", "😀"} {
			for n := range 65 {
				var text []byte
				for block := range 6 {
					b := append(bytes.Repeat([]byte{byte(x.limit)}, n), string(texts.Fill([]rune(other), 64))...)[:64]
					switch block % 3 {
					case 1:
						slices.Reverse(b)
					case 2:
						for i := range b {
							j := r.Intn(i + 1)
							b[i], b[j] = b[j], b[i]
						}
					}
					text = append(text, b...)
				}
				x.set(text, "%d in a block of %s", n, other)
				x.everywhere()
				for room := 0; room <= 2*len(text)+2*64; room += 2 * texts.Thin(1, 9) {
					x.setRoom(room)
					x.run(x.srcTail(), x.dstTail())
				}
			}
		}
	})
}

// Nothing but one ill-formed sequence, or one character, again and again: all lanes of a vector are the same.
func TestKernelRepetitions(t *testing.T) {
	forKernels(t, 70*8, func(x *tester) {
		nth := 0
		for _, u := range slices.Concat(troubles(x.from), boundaries(x.from)) {
			for n := 1; n <= 70; n++ {
				if texts.Every(&nth, 7) && len(u)*n <= 70*8 {
					x.set(bytes.Repeat(u, n), "%d times % x", n, u)
					x.run(x.srcTail(), x.dstTail())
				}
			}
		}
	})
}

// However many kernel calls a text takes, they are made one behind the other, not one in the other.
func TestLongTextsTakeNoStack(t *testing.T) {
	text := make([]byte, 128<<20) // never written to, and so no memory
	for name, f := range map[string]func(){
		"IsASCII":        func() { IsASCII(text) },
		"ASCIIPrefixLen": func() { ASCIIPrefixLen(text) },
		"ValidUTF8":      func() { ValidUTF8(text) },
		"ValidUTF16":     func() { ValidUTF16(units16(text)) },
		"RuneCount":      func() { RuneCount(text) },
	} {
		grown := make(chan uint64)
		go func() {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f()
			runtime.ReadMemStats(&after)
			grown <- max(after.StackInuse, before.StackInuse) - before.StackInuse
		}()
		require.LessOrEqual(t, <-grown, uint64(64<<10), name)
	}
}

// Texts around the longest that a kernel sees, and twice that, of every kind.
func TestKernelLongTexts(t *testing.T) {
	forKernels(t, 2*longestKernel+3*4, func(x *tester) {
		size, nth := x.from.unitSize(), 0
		for _, m := range mixes {
			r := texts.Rand(4)
			long := bytes.Repeat(m.make(&r, x.from, 4100), 2*longestKernel/4100+1) // which begins elsewhere in a block each time
			for _, cut := range []int{longestKernel, 2 * longestKernel} {
				for d := -3 * size; d <= 3*size; d += size {
					if x.level.name != "" && cut+d > longestKernel || !texts.Every(&nth, 5) {
						continue
					}
					x.set(long[:cut+d], "%d of %s", cut+d, m.name)
					for _, room := range x.rooms() {
						x.setRoom(room)
						x.run(x.srcTail(), x.dstTail())
					}
				}
			}
		}
	})
}

// Whatever stands where a dispatcher cuts a long text, and wherever the room for the result ends there.
func TestKernelCuts(t *testing.T) {
	forKernels(t, 2*longestKernel+300, func(x *tester) {
		if x.level.name != "" {
			return
		}
		size, nth := x.from.unitSize(), 0
		fill := oracle.EncodeRunes(texts.Fill([]rune("text"), (2*longestKernel+300)/size), x.from)
		long := bytes.Clone(fill)
		whats := append(troubles(x.from), fill[:size])
		if x.from == UTF8 { // a character, or its begin, with continuation bytes behind it: there is no place between characters near the cut
			for _, character := range []string{"a", "é", "火", "😀"} {
				for k := range len(character) {
					for n := 1; n <= 6; n++ {
						whats = append(whats, append([]byte(character[:k+1]), bytes.Repeat([]byte{0x80}, n)...))
					}
				}
			}
		}
		for _, what := range whats {
			for _, cut := range []int{longestKernel, 2 * longestKernel} {
				for d := -9 * size; d <= 2*size; d += size {
					if !texts.Every(&nth, 11) {
						continue
					}
					n := cut + d + len(what)
					copy(long, fill)
					copy(long[cut+d:], what)
					x.set(long, "% x at %d", what, cut+d)
					x.run(x.srcTail(), x.dstTail())
					x.set(long[:n], "% x at %d, the end", what, cut+d)
					x.run(x.srcTail(), x.dstTail())
					if x.dstUnit > 0 {
						x.set(long, "% x at %d", what, cut+d)
						x.setRoom(max(0, x.want.nDst-nth%(300/size)*x.dstUnit))
						x.run(x.srcTail(), x.dstTail())
					}
				}
			}
		}
	})
}

// TestLengthsSaturate: a length that an int of 32 bits cannot hold is the largest int. A text with such a length is too
// large for a test.
func TestLengthsSaturate(t *testing.T) {
	require.Equal(t, math.MaxInt, saturate(math.MaxInt64))
	require.Equal(t, math.MaxInt, saturate(math.MaxInt))
	require.Equal(t, 7, saturate(7))
	require.Zero(t, saturate(0))
}

// Mutated text in the scripts of the world, with random lengths, rooms and places. TRANSCODE_RANDOM is how many texts each row gets, if not some
// thousands.
func TestKernelRandom(t *testing.T) {
	n := texts.Thin(4000, 400)
	if s := os.Getenv("TRANSCODE_RANDOM"); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	const longest = 800
	long := make(map[string]string)
	for _, script := range texts.Scripts {
		long[script] = texts.Of(script, 3*longest)
	}
	forKernels(t, longest, func(x *tester) {
		r := texts.Rand(len(x.name()))
		for range n {
			var text []byte
			for range 1 + r.Intn(3) {
				script := long[texts.Pick(&r, texts.Scripts)]
				at := r.Intn(len(script))
				text = append(text, script[at:min(len(script), at+r.Intn(longest/6))]...)
			}
			if x.from != UTF8 { // ill-formed parts become U+FFFD, or are left out
				text, _ = Transcoder{To: x.from, OnError: texts.Pick(&r, []Policy{Replace, Skip})}.Append(nil, text)
			}
			if r.Intn(4) > 0 {
				text = texts.Mutate(&r, string(text), 1+len(text)/200)
			}
			x.set(text[:min(len(text), longest)], "random")
			if r.Intn(2) == 0 {
				x.setRoom(x.want.nDst)
			} else if x.dstUnit > 0 {
				x.setRoom(r.Intn(ample(len(x.text))/x.dstUnit) * x.dstUnit)
			}
			srcAt, dstAt := x.srcTail(), x.dstTail()
			if r.Intn(4) > 0 {
				srcAt = r.Intn(64) &^ (x.srcUnit - 1)
				dstAt = 512 + r.Intn(64)&^(max(x.dstUnit, 1)-1)
			}
			x.run(srcAt, dstAt)
		}
	})
}

// FuzzKernels takes the input through every row of an operation, at any alignment, with any room.
func FuzzKernels(f *testing.F) {
	const longest = 4 << 10
	testers := make(map[int][]*tester)
	for i, op := range operations {
		for _, r := range op.rows() {
			if r.level.available {
				testers[i] = append(testers[i], newTester(f, r, longest))
			}
		}
	}
	f.Fuzz(func(t *testing.T, op, align byte, room uint16, src []byte) {
		src = src[:min(len(src), longest)]
		for _, x := range testers[int(op)%len(operations)] {
			x.tb = t
			x.do(func() {
				x.set(src, "fuzzed")
				x.everywhere()
				x.setRoom(min(int(room), ample(len(x.text))) / max(x.dstUnit, 1) * x.dstUnit)
				x.run(int(align)%64&^(x.srcUnit-1), 512+int(align)*37%64&^(max(x.dstUnit, 1)-1))
				x.run(x.srcTail(), x.dstTail())
			})
		}
	})
}
