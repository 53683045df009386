/* SPDX-License-Identifier: MIT
 * The problem parser: any text is a problem or is none, the same twice, and its key is one line of
 * words. Out of the same bytes a command line is made, in two orders and spellings: one key. */
#include "model/problem.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

enum { TM_LINE_MAX_BYTES = 64 * 1024, LINES = 200 };

static struct tm_problem one, other;
static struct tm_buf key, again;

static enum tm_status parse(struct tm_problem *p, struct tm_buf *k, enum tm_lib lib, const char *s,
                            size_t n)
{
	struct tm_diag d = { 0 };
	enum tm_status st = tm_problem_parse(p, lib, s, n, &d);

	LAW(st == TM_ST_OK || st == TM_ST_SKIP);
	LAW((st == TM_ST_SKIP) == (*d.text != 0));
	tm_buf_clear(k);
	LAW(tm_buf_str(k, "") && tm_problem_key(p, k));
	LAW(strlen(p->op.p) == p->op.n && strlen(p->shape.p) == p->shape.n);
	LAW((st == TM_ST_OK) == (p->op.n != 0));
	if (st == TM_ST_SKIP)
		LAW(!k->n && !p->has_flops && !p->has_bytes);
	return st;
}

static void any_text(const char *s, size_t n)
{
	if (parse(&one, &key, TM_LIB_N, s, n) != TM_ST_OK)
		return;
	LAW(parse(&other, &again, one.lib, s, n) == TM_ST_OK);
	LAW(key.n == again.n && !memcmp(key.p, again.p, key.n));
	LAW(one.flops == other.flops && one.bytes == other.bytes);
	LAW(one.settings.n == other.settings.n);
	for (size_t i = 0; i < key.n; i++) {
		LAW((unsigned char)key.p[i] >= ' ');
		LAW(key.p[i] != ' ' || (i && i + 1 < key.n && key.p[i - 1] != ' '));
	}
	/* What a key says is no call, but no trouble either. */
	parse(&other, &again, TM_LIB_N, key.p, key.n);
}

/* ---- the same options in another order ---- */

static const struct {
	const char *word, *also;
	bool flag;
} blas[] = {
	{ "-m", "--sizem", false },
	{ "-n", "--sizen", false },
	{ "-k", "--sizek", false },
	{ "--transposeA", "--transA", false },
	{ "--lda", "--lda", false },
	{ "--ldb", "--ldb", false },
	{ "--ldc", "--ldc", false },
	{ "--ldd", "--ldd", false },
	{ "--stride_a", "--stride_a", false },
	{ "--stride_d", "--stride_d", false },
	{ "--batch_count", "--batch_count", false },
	{ "--alpha", "--alpha", false },
	{ "--beta", "--beta", false },
	{ "-r", "--precision", false },
	{ "--bias_vector", "--bias_vector", true },
	{ "--bias_type", "--bias_type", false },
	{ "--activation_type", "--activation_type", false },
	{ "-i", "--iters", false },
	{ "--unheard", "--unheard", false },
}, conv[] = {
	{ "-n", "--batchsize", false },  { "-c", "--in_channels", false },
	{ "-H", "--in_h", false },       { "-W", "--in_w", false },
	{ "-k", "--out_channels", false }, { "-y", "--fil_h", false },
	{ "-x", "--fil_w", false },      { "-p", "--pad_h", false },
	{ "-u", "--conv_stride_h", false }, { "-g", "--group_count", false },
	{ "-F", "--forw", false },       { "-m", "--mode", false },
	{ "-I", "--in_layout", false },  { "-V", "--verify", false },
};

static const char *const values[] = { "0",     "1",      "1.0",   "2",    "3",
	                              "8",     "64",     "128",   "T",    "N",
	                              "f16_r", "bf16_r", "trans", "NHWC", "none",
	                              "gelu",  "0.5",    "-1.5",  "1e3",  "99999999999999999999" };

static void put_option(struct tm_buf *b, bool is_conv, uint8_t pick, uint8_t value, bool also)
{
	const size_t n = is_conv ? sizeof conv / sizeof *conv : sizeof blas / sizeof *blas;
	const size_t i = pick % n;

	tm_buf_fmt(b, " %s",
	           is_conv ? (also ? conv[i].also : conv[i].word)
	                   : (also ? blas[i].also : blas[i].word));
	if (is_conv || !blas[i].flag)
		tm_buf_fmt(b, "%s%s", also ? "  " : " ",
		           values[value % (sizeof values / sizeof *values)]);
}

static void two_orders(const uint8_t *data, size_t n)
{
	static struct tm_buf forth, back;
	static const char *const programs[] = { "./rocblas-bench -f gemm_strided_batched_ex",
		                                "hipblaslt-bench", "./bin/MIOpenDriver conv",
		                                "rocblas-bench -f gemv" };
	const char *program = programs[*data % 4];
	const bool is_conv = *data % 4 == 2;
	bool seen[256] = { false };
	uint8_t pick[32], value[32];
	size_t picks = 0;

	for (size_t i = 1; i + 1 < n && picks < 32; i += 2) {
		uint8_t p = (uint8_t)(data[i] % (is_conv ? sizeof conv / sizeof *conv
		                                         : sizeof blas / sizeof *blas));

		if (seen[p])
			continue;
		seen[p] = true;
		pick[picks] = p;
		value[picks++] = data[i + 1];
	}
	tm_buf_clear(&forth);
	tm_buf_clear(&back);
	tm_buf_str(&forth, program);
	tm_buf_str(&back, program);
	for (size_t i = 0; i < picks; i++) {
		put_option(&forth, is_conv, pick[i], value[i], false);
		put_option(&back, is_conv, pick[picks - 1 - i], value[picks - 1 - i], true);
	}
	LAW(!forth.failed && !back.failed);
	LAW(parse(&one, &key, TM_LIB_N, forth.p, forth.n) ==
	    parse(&other, &again, TM_LIB_N, back.p, back.n));
	LAW(key.n == again.n && !memcmp(key.p, again.p, key.n));
	LAW(one.settings.n == other.settings.n &&
	    !memcmp(one.settings.p, other.settings.p, one.settings.n));
	LAW(one.has_flops == other.has_flops && one.flops == other.flops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *p = (const char *)data, *end = p + n;

	if (!n)
		return 0;
	two_orders(data, n);
	any_text(p, n < 4 * TM_LINE_MAX_BYTES ? n : 4 * TM_LINE_MAX_BYTES);
	for (int lines = 0; p < end && lines < LINES; lines++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl ? nl : end) - p);

		any_text(p, len < TM_LINE_MAX_BYTES ? len : TM_LINE_MAX_BYTES);
		p += len + 1;
	}
	return 0;
}
