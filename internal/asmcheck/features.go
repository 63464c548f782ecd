package asmcheck

import (
	"slices"
	"strconv"
	"strings"
)

// checkFeatures checks that each instruction is of the level.
func (c *checker) checkFeatures(f *function) {
	if c.arch.feature == nil || f.level == nil {
		return
	}
	var legacy, vex *instruction
	for _, in := range f.body {
		if in.mnemonic == "" {
			continue
		}
		feature := c.arch.feature(in)
		switch {
		case feature == "":
			c.find(in.pos, "%s is not in the table of instructions", in)
		case !slices.Contains(f.level.features, feature):
			c.find(in.pos, "%s needs %s, which %s lacks", in, feature, f.level.name)
		}
		if in.mnemonic[0] != 'V' && isLegacy(feature) && legacy == nil {
			legacy = in
		}
		if strings.HasPrefix(feature, "AVX") && in.mnemonic[0] == 'V' && vex == nil {
			vex = in
		}
	}
	if legacy != nil && vex != nil {
		c.find(legacy.pos, "%s is a legacy SSE instruction in a function with VEX instructions (%s)", legacy, vex)
	}
}

func (in *instruction) String() string {
	name := strings.Join(append([]string{in.mnemonic}, in.suffixes...), ".")
	var operands []string
	for _, o := range in.operands {
		operands = append(operands, join(o))
	}
	return strings.TrimSpace(name + " " + strings.Join(operands, ", "))
}

// checkFlow follows the paths through a function. Processors slow down, or worse, keep the halves of registers that
// later code does not expect, when a function returns with upper halves in use; so where a path has touched a wide
// register, what clears them stands right before the return.
func (c *checker) checkFlow(f *function) {
	labels := map[string]int{}
	for i, in := range f.body {
		if in.label != "" {
			labels[in.label] = i
		}
	}
	type state struct {
		at             int
		touched, dirty bool
	}
	seen, work := map[state]bool{}, []state{{}}
	leave := func(s state) {
		if in := f.body[s.at]; s.dirty || s.touched && !previous(f.body[:s.at]).is(c.arch.clear...) {
			c.find(in.pos, "%s leaves %s without %s right before it", in.mnemonic, f.name, c.arch.clear[0])
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		if s.at == len(f.body) {
			c.find(f.pos, "%s ends without RET", f.name)
			continue
		}
		in := f.body[s.at]
		next := state{s.at + 1, s.touched, s.dirty}
		if in.mnemonic == "" {
			work = append(work, next)
			continue
		}
		if c.arch.isWide != nil && slices.ContainsFunc(in.names(), c.arch.isWide) {
			next.touched, next.dirty = true, true
		}
		if in.is(c.arch.clear...) {
			next.dirty = false
		}
		if in.is("RET") {
			leave(s)
			continue
		}
		if jumps, always := c.arch.jump(in.mnemonic); jumps && len(in.operands) > 0 {
			target := in.operands[len(in.operands)-1]
			if at, ok := labels[join(target)]; ok {
				work = append(work, state{at, s.touched, s.dirty})
			} else if at, ok := ahead(f.body, s.at, join(target)); ok {
				work = append(work, state{at, s.touched, s.dirty})
			} else if _, ok := functionName(target); ok {
				leave(s)
			} else {
				c.find(in.pos, "%s jumps to no label and no function", in)
			}
			if always {
				continue
			}
		}
		work = append(work, next)
	}
}

// ahead returns the index of the instruction that a jump at an index goes to whose target is so many instructions ahead: 2(PC) is the next but one.
func ahead(body []*instruction, at int, target string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(target, "(PC)"))
	if err != nil || n < 1 || !strings.HasSuffix(target, "(PC)") {
		return 0, false
	}
	for at++; at < len(body); at++ {
		if body[at].mnemonic == "" {
			continue
		}
		if n--; n == 0 {
			return at, true
		}
	}
	return 0, false
}

// previous returns the last instruction that is no label.
func previous(body []*instruction) *instruction {
	for _, in := range slices.Backward(body) {
		if in.mnemonic != "" {
			return in
		}
	}
	return &instruction{}
}
