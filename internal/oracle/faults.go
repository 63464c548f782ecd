package oracle

// Substitutions are the examples of the Unicode Standard, section 3.9, and a few of the WHATWG Encoding Standard's tests.
var Substitutions = []struct{ Name, Src, Want string }{
	{"non-shortest forms", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82A", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"surrogates", "\xED\xA0\x80\xED\xBF\xBF\xED\xAFA", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"other ill-formed sequences", "\xF4\x91\x92\x93\xFFA\x80\xBFB", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB"},
	{"truncated sequences", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA", "\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"mixture", "a\xF1\x80\x80\xE1\x80\xC2b\x80c\x80\xBFd", "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd"},
	{"U+FFFD in the source is text", "\uFFFD\xFF\uFFFD", "\uFFFD\uFFFD\uFFFD"},
	{"lead byte then ASCII keeps the ASCII", "\xE2<script>", "\uFFFD<script>"},
	{"cut at the end", "abc\xF0\x9F\x98", "abc\uFFFD"},
	{"five and six byte forms", "\xF8\x88\x80\x80\x80\xFC\x84\x80\x80\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
}

// FaultTable spells out the table of error kinds, row by row: the sequence at Off in Src is the first ill-formed one.
var FaultTable = []struct {
	From   Encoding
	Src    string
	Off, N int
	Kind   Kind
}{
	// The input ends inside a sequence that could still be completed.
	{UTF8, "\xC2", 0, 1, KindTruncated},
	{UTF8, "a\xDF", 1, 1, KindTruncated},
	{UTF8, "\xE0", 0, 1, KindTruncated},
	{UTF8, "\xE0\xA0", 0, 2, KindTruncated},
	{UTF8, "\xED\x9F", 0, 2, KindTruncated},
	{UTF8, "\xEF\xBF", 0, 2, KindTruncated},
	{UTF8, "\xF0", 0, 1, KindTruncated},
	{UTF8, "\xF0\x90", 0, 2, KindTruncated},
	{UTF8, "\xF0\x90\x80", 0, 3, KindTruncated},
	{UTF8, "abc\xF4\x8F\xBF", 3, 3, KindTruncated},
	{UTF16LE, "\x3D\xD8", 0, 2, KindTruncated},
	{UTF16BE, "\xD8\x3D", 0, 2, KindTruncated},
	{UTF16LE, "\x3D\xD8\x00", 0, 3, KindTruncated},
	{UTF16BE, "\xD8\x3D\xDE", 0, 3, KindTruncated},
	{UTF16BE, "\xD8\x3D\x41", 0, 3, KindTruncated}, // whatever the odd byte is
	{UTF16LE, "a\x00b", 2, 1, KindTruncated},
	{UTF16BE, "\xD8", 0, 1, KindTruncated},
	{UTF32LE, "a", 0, 1, KindTruncated},
	{UTF32LE, "a\x00", 0, 2, KindTruncated},
	{UTF32BE, "\x00\x00\x00", 0, 3, KindTruncated},
	{UTF32BE, "\x00\x00\x00a\xFF\xFF\xFF", 4, 3, KindTruncated},
	// 80..BF where a character should begin.
	{UTF8, "\x80", 0, 1, KindTooLong},
	{UTF8, "a\xBF", 1, 1, KindTooLong},
	{UTF8, "é\x80", 2, 1, KindTooLong},
	{UTF8, "中\x80\x80", 3, 1, KindTooLong},
	{UTF8, "😀\xBF", 4, 1, KindTooLong},
	// C0, C1; E0 then 80..9F; F0 then 80..8F.
	{UTF8, "\xC0", 0, 1, KindOverlong},
	{UTF8, "\xC0\x80", 0, 1, KindOverlong},
	{UTF8, "\xC1\xBFa", 0, 1, KindOverlong},
	{UTF8, "\xC0a", 0, 1, KindOverlong},
	{UTF8, "\xE0\x80", 0, 1, KindOverlong}, // not truncated: nothing can complete it
	{UTF8, "\xE0\x9F\xBF", 0, 1, KindOverlong},
	{UTF8, "\xF0\x80\x80\x80", 0, 1, KindOverlong},
	{UTF8, "\xF0\x8F", 0, 1, KindOverlong},
	// ED then A0..BF; unpaired surrogates.
	{UTF8, "\xED\xA0\x80", 0, 1, KindSurrogate},
	{UTF8, "\xED\xBF\xBF", 0, 1, KindSurrogate},
	{UTF8, "\xED\xA0", 0, 1, KindSurrogate},
	{UTF16LE, "\x00\xD8a\x00", 0, 2, KindSurrogate},
	{UTF16LE, "\x00\xDC", 0, 2, KindSurrogate},
	{UTF16LE, "\x00\xD8\x00\xD8\x00\xDC", 0, 2, KindSurrogate},
	{UTF16BE, "\x00a\xDF\xFF\xDC\x00", 2, 2, KindSurrogate},
	{UTF16BE, "\xDB\xFF\xE0\x00", 0, 2, KindSurrogate},
	{UTF32LE, "\x00\xD8\x00\x00", 0, 4, KindSurrogate},
	{UTF32BE, "\x00\x00\xDF\xFF", 0, 4, KindSurrogate},
	// F4 then 90..BF; UTF-32 above 10FFFF; ASCII source byte >= 80.
	{UTF8, "\xF4\x90\x80\x80", 0, 1, KindTooLarge},
	{UTF8, "\xF4\xBF", 0, 1, KindTooLarge},
	{UTF32LE, "\x00\x00\x11\x00", 0, 4, KindTooLarge},
	{UTF32BE, "\x00\x11\x00\x00", 0, 4, KindTooLarge},
	{UTF32LE, "\x20\x00\x00\x80", 0, 4, KindTooLarge}, // the sign bit of a rune
	{UTF32BE, "\xFF\xFF\xFF\xFF", 0, 4, KindTooLarge},
	{ASCII, "a\x80", 1, 1, KindTooLarge},
	{ASCII, "\xFF", 0, 1, KindTooLarge},
	// F5..FF.
	{UTF8, "\xF5\x80\x80\x80", 0, 1, KindBadLead},
	{UTF8, "\xF8", 0, 1, KindBadLead},
	{UTF8, "ab\xFF", 2, 1, KindBadLead},
	// A lead byte short of continuations, then no continuation.
	{UTF8, "\xC2a", 0, 1, KindTooShort},
	{UTF8, "\xC2\xC2\x80", 0, 1, KindTooShort},
	{UTF8, "\xE0a", 0, 1, KindTooShort},
	{UTF8, "\xE2\x82a", 0, 2, KindTooShort},
	{UTF8, "\xE2\x82\xE2\x82\xAC", 0, 2, KindTooShort},
	{UTF8, "\xEDa", 0, 1, KindTooShort},
	{UTF8, "\xF0a", 0, 1, KindTooShort},
	{UTF8, "\xF0\x9Fa", 0, 2, KindTooShort},
	{UTF8, "\xF0\x9F\x98\xF0", 0, 3, KindTooShort},
	{UTF8, "\xF4\x8F\xBF\xC0", 0, 3, KindTooShort},
	{UTF8, "\xF4\xFF", 0, 1, KindTooShort},
}
