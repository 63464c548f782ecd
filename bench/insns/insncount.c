//go:build ignore

// insncount is a plugin for qemu's user mode. Before whatever the program's first thread writes to its standard output, it prints there how many
// instructions that thread has executed. So a program that writes something before and behind a piece of work has that piece counted. The counts are
// exact and repeatable.
//
// With the argument trace=FILE, FILE gets the instructions themselves: four bytes each, as they were executed, and zeros for each write.
//
// The declarations are those of version 1 of the plugins' interface, so that no header is needed.
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { no_registers };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int flags, void *);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t,
	uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 1;

// A block is code that is executed from its first instruction to its last.
struct block {
	size_t n;
	uint32_t instructions[];
};

static uint64_t count;
static FILE *trace;

static void executed(unsigned thread, void *p) {
	const struct block *b = p;
	if (thread != 0)
		return;
	count += b->n;
	if (trace)
		fwrite(b->instructions, 4, b->n, trace);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *b = malloc(sizeof *b + 4 * n);
	(void)id;
	b->n = n;
	for (size_t i = 0; i < n; i++)
		memcpy(&b->instructions[i], qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), 4);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, no_registers, b);
}

static void called(qemu_plugin_id_t id, unsigned thread, int64_t number, uint64_t file, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
	uint64_t a7, uint64_t a8) {
	enum { write = 64 };
	const uint32_t separator = 0;
	(void)id, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (thread != 0 || number != write || file != 1)
		return;
	printf("%" PRIu64 " ", count);
	fflush(stdout);
	if (trace)
		fwrite(&separator, 4, 1, trace);
}

static void ended(qemu_plugin_id_t id, void *p) {
	(void)id, (void)p;
	if (trace)
		fclose(trace);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
	(void)info;
	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], "trace=", 6) == 0 && !(trace = fopen(argv[i] + 6, "wb")))
			return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
