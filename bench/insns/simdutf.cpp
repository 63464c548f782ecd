//go:build ignore

// simdutf OPS LENGTHS ROUNDS FILE...: what the Go program in the folder calls does, with simdutf.
#include "simdutf.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

using std::string;
using std::vector;

static const simdutf::implementation *impl;
static volatile size_t sink;

static vector<string> split(const string &list) {
	std::istringstream s(list);
	return {std::istream_iterator<string>(s), {}};
}

// source takes text to an encoding; it is empty if that cannot hold it.
static string source(const string &encoding, const string &text) {
	string src(4 * text.size() + 64, 0);
	size_t n = 0;
	if (encoding == "utf8")
		return text;
	else if (encoding == "utf16")
		n = 2 * impl->convert_utf8_to_utf16le(text.data(), text.size(), (char16_t *)src.data());
	else if (encoding == "utf16be")
		n = 2 * impl->convert_utf8_to_utf16be(text.data(), text.size(), (char16_t *)src.data());
	else if (encoding == "utf32")
		n = 4 * impl->convert_utf8_to_utf32(text.data(), text.size(), (char32_t *)src.data());
	else if (encoding == "latin1")
		n = impl->convert_utf8_to_latin1(text.data(), text.size(), (char *)src.data());
	src.resize(n);
	return src;
}

// cut takes the whole characters of src that fit in size bytes, and fills up with 'a'.
static string cut(const string &encoding, string src, size_t size) {
	string a = source(encoding, "a");
	if (src.size() > size) {
		size_t n = size / a.size() * a.size();
		if (encoding == "utf8")
			while (n > 0 && (src[n] & 0xC0) == 0x80)
				n--;
		if (a.size() == 2 && n > 0 && ((unsigned char)src[n - (encoding == "utf16" ? 1 : 2)] & 0xFC) == 0xD8)
			n -= 2;
		src.resize(n);
	}
	while (src.size() + a.size() <= size)
		src += a;
	return src;
}

static void measure(const string &op, const string &name, size_t length, size_t rounds, string src, size_t unit) {
	vector<char32_t> in(src.size() / 4 + 32), out(src.size() + 64);
	memcpy((void *)in.data(), src.data(), src.size());
	size_t bytes = src.size(), len = bytes / unit;
	auto s8 = (const char *)in.data();
	auto s16 = (const char16_t *)in.data();
	auto s32 = in.data();
	auto d8 = (char *)out.data();
	auto d16 = (char16_t *)out.data();
	auto d32 = out.data();
	std::map<string, std::function<size_t()>> ops = {
		{"utf8-utf16", [&] { return impl->convert_utf8_to_utf16le(s8, len, d16); }},
		{"utf8-utf16be", [&] { return impl->convert_utf8_to_utf16be(s8, len, d16); }},
		{"utf8-utf32", [&] { return impl->convert_utf8_to_utf32(s8, len, d32); }},
		{"utf8-latin1", [&] { return impl->convert_utf8_to_latin1(s8, len, d8); }},
		{"utf16-utf8", [&] { return impl->convert_utf16le_to_utf8(s16, len, d8); }},
		{"utf16-utf32", [&] { return impl->convert_utf16le_to_utf32(s16, len, d32); }},
		{"utf16-latin1", [&] { return impl->convert_utf16le_to_latin1(s16, len, d8); }},
		{"utf16-utf16be", [&] { impl->change_endianness_utf16(s16, len, d16); return (size_t)impl->validate_utf16le(s16, len); }},
		{"utf16be-utf8", [&] { return impl->convert_utf16be_to_utf8(s16, len, d8); }},
		{"utf16be-utf32", [&] { return impl->convert_utf16be_to_utf32(s16, len, d32); }},
		{"utf16be-latin1", [&] { return impl->convert_utf16be_to_latin1(s16, len, d8); }},
		{"utf32-utf8", [&] { return impl->convert_utf32_to_utf8(s32, len, d8); }},
		{"utf32-utf16", [&] { return impl->convert_utf32_to_utf16le(s32, len, d16); }},
		{"utf32-utf16be", [&] { return impl->convert_utf32_to_utf16be(s32, len, d16); }},
		{"utf32-latin1", [&] { return impl->convert_utf32_to_latin1(s32, len, d8); }},
		{"latin1-utf8", [&] { return impl->convert_latin1_to_utf8(s8, len, d8); }},
		{"latin1-utf16", [&] { return impl->convert_latin1_to_utf16le(s8, len, d16); }},
		{"latin1-utf16be", [&] { return impl->convert_latin1_to_utf16be(s8, len, d16); }},
		{"latin1-utf32", [&] { return impl->convert_latin1_to_utf32(s8, len, d32); }},
		{"utf8-valid", [&] { return (size_t)impl->validate_utf8(s8, len); }},
		{"utf8-ascii", [&] { return (size_t)impl->validate_ascii(s8, len); }},
		{"utf16-valid", [&] { return (size_t)impl->validate_utf16le(s16, len); }},
		{"utf16be-valid", [&] { return (size_t)impl->validate_utf16be(s16, len); }},
		{"utf32-valid", [&] { return (size_t)impl->validate_utf32(s32, len); }},
		{"utf8-runecount", [&] { return impl->count_utf8(s8, len); }},
		{"utf8-utf16len", [&] { return impl->utf16_length_from_utf8(s8, len); }},
		{"utf16-runecount", [&] { return impl->count_utf16le(s16, len); }},
		{"utf16-utf8len", [&] { return impl->utf8_length_from_utf16le(s16, len); }},
		{"utf32-utf8len", [&] { return impl->utf8_length_from_utf32(s32, len); }},
		{"utf32-utf16len", [&] { return impl->utf16_length_from_utf32(s32, len); }},
		{"latin1-utf8len", [&] { return impl->utf8_length_from_latin1(s8, len); }},
		{"utf16-wellformed", [&] { impl->to_well_formed_utf16le(s16, len, d16); return len; }},
	};
	auto call = ops.find(op);
	if (call == ops.end() || (call->second() == 0 && len > 0 && op.substr(op.find('-')) == "-latin1"))
		return;
	auto write = [&] {
		char line[200];
		size_t n = snprintf(line, sizeof line, "%s %s %zu %zu %zu\n", op.c_str(), name.c_str(), length, bytes, rounds);
		if (::write(1, line, n) < 0)
			exit(1);
	};
	write();
	for (int k = 0; k < 3; k++) {
		for (size_t i = 0; i < rounds; i++)
			sink = call->second();
		write();
		for (size_t i = 0; i < 2 * rounds; i++)
			sink = call->second();
		write();
	}
}

int main(int argc, char **argv) {
	impl = simdutf::get_available_implementations()["arm64"];
	if (argc < 5 || !impl)
		return 2;
	std::map<string, size_t> units = {{"utf16", 2}, {"utf16be", 2}, {"utf32", 4}};
	for (auto op : split(argv[1]))
		for (int i = 4; i < argc; i++) {
			string path = argv[i], encoding = op.substr(0, op.find('-'));
			std::ifstream f(path, std::ios::binary);
			string text((std::istreambuf_iterator<char>(f)), {}), whole = source(encoding, text);
			if (whole.empty())
				continue;
			for (auto l : split(argv[2])) {
				size_t length = atol(l.c_str()), rounds = atol(argv[3]);
				string src = l == "whole" ? whole : cut(encoding, whole, length);
				if (rounds == 0)
					rounds = std::min<size_t>(1000, 1 + 500000 / (src.size() + 1));
				measure(op, path.substr(path.rfind('/') + 1), length, rounds, src, std::max<size_t>(1, units[encoding]));
			}
		}
	return 0;
}
