package main

import (
	"errors"
	"fmt"

	"github.com/seed-1959eab6/transcode"
)

// A converter writes the inputs of one run, one after the other, to its output.
type converter struct {
	*command
	*options
	out    *output
	src    []byte // buffer of the input
	dst    []byte // buffer of the output
	begun  bool   // an input has been begun: the output has its byte order mark
	failed bool   // some input could not be read
}

// convert converts all inputs that o names.
func (c *command) convert(o *options) error {
	out, err := c.openOutput(o.output)
	if err != nil {
		return err
	}
	defer out.discard()
	c.startBar(o, out)
	defer c.clearBar()

	cv := &converter{command: c, options: o, out: out, src: make([]byte, bufferSize), dst: make([]byte, bufferSize)}
	for _, name := range o.files {
		if err := cv.input(name); err != nil {
			return err
		}
	}
	if cv.failed {
		return errReported
	}
	return out.commit()
}

// input converts one input. One that cannot be read at all is reported and passed over, as iconv does; every other
// failure ends the run.
func (cv *converter) input(name string) error {
	in, err := cv.open(name, cv.src, cv.advanceBar)
	if err != nil {
		cv.pass(err)
		return nil
	}
	defer in.close()
	if err := cv.out.check(in); err != nil {
		cv.pass(err)
		return nil
	}
	from, err := in.knownEncoding(cv.from)
	if err != nil {
		return err
	}

	t := transcode.Transcoder{From: from, To: cv.to.encoding, OnError: cv.policy, BOM: cv.bom, AddBOM: cv.addBOM && !cv.begun}
	cv.begun = true
	s := t.NewStream()
	err = pump(s, in, cv.dst, cv.out.write)
	return cv.outcome(in, s.Replaced(), err)
}

// outcome explains what ended the conversion of in too early, or counts what the policy has dealt with.
func (cv *converter) outcome(in *input, replaced int64, err error) error {
	var bad *transcode.Error
	switch {
	case errors.As(err, &bad):
		return cv.explain(in, bad)
	case err != nil:
		return err
	case replaced > 0 && !cv.silent:
		cv.say(fmt.Sprintf("%s: %s", printable(in.name), counted(cv.policy, replaced)))
	}
	return nil
}

// pass reports an input that is passed over.
func (cv *converter) pass(err error) {
	cv.say(err.Error())
	cv.failed = true
}

// explain says where and what the fault is, and what can be done.
func (cv *converter) explain(in *input, bad *transcode.Error) error {
	advice := "use --replace or -c to go on"
	if !cv.from.named && bad.Kind != transcode.KindUnencodable {
		advice += ", or name another encoding with -f"
	}
	return fmt.Errorf("%s: %s; %s", printable(in.name), describe(bad, cv.to.encoding), advice)
}

// describe says where in the input and what the fault is.
func describe(bad *transcode.Error, to transcode.Encoding) string {
	if bad.Kind == transcode.KindUnencodable {
		return fmt.Sprintf("byte %d: %v cannot hold %U", bad.Offset, to, bad.Rune)
	}
	return fmt.Sprintf("byte %d: %v: %s", bad.Offset, bad.Encoding, faultText(bad))
}

// faultText says what is ill-formed.
func faultText(bad *transcode.Error) string {
	return fmt.Sprintf("%v (%s)", bad.Kind, quantity(bad.Len, "byte"))
}

// counted says how many faults the policy has dealt with.
func counted(p transcode.Policy, n int64) string {
	what := "ill-formed or unencodable sequence"
	if p == transcode.Skip {
		return quantity(n, what) + " dropped"
	}
	return quantity(n, what) + " replaced"
}
