/* SPDX-License-Identifier: MIT
 * The scanner of logs: any bytes, the same twice; and the same where they are at the seam of two
 * blocks of the input.  What it takes for a call can be parsed without trouble. */
#include "model/problem.h"
#include "read/library/lib_log.h"

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

enum { BLOCK = 1024 * 1024, MOST = 600 * 1024 };

static enum status scan(struct lib_calls *c, const void *p, size_t n)
{
	struct diag d = { 0 };
	struct source *s = source_memory("fuzz", p, n, &d);
	enum status st;

	if (!s)
		return ST_SKIP;
	st = lib_log_read(c, s, &d);
	LAW(st == ST_OK || st == ST_SKIP);
	LAW((st == ST_SKIP) == (*d.text != 0));
	source_close(s);
	return st;
}

static void same(const struct lib_calls *a, const struct lib_calls *b)
{
	LAW(a->torn == b->torn && a->echoes == b->echoes && a->chosen == b->chosen);
	LAW(a->unknown == b->unknown);
	for (int k = 0; k < CALL_KINDS; k++) {
		LAW(a->set[k].texts.n == b->set[k].texts.n);
		for (uint32_t i = 0; i < a->set[k].texts.n; i++) {
			LAW(!name_cmp(&a->set[k].texts.v[i], &b->set[k].texts.v[i]));
			LAW(a->set[k].calls[i] == b->set[k].calls[i]);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static unsigned char *padded;
	struct lib_calls plain = { 0 }, seam = { 0 };
	struct problem p = { 0 };
	struct diag d;
	size_t pad;

	if (!n || n > MOST)
		return 0;
	if (!padded)
		padded = malloc(BLOCK + MOST);
	LAW(padded);
	/* Lines of nothing, so that the seam is somewhere in the data. */
	pad = BLOCK - (data[0] * 257u + data[n / 2]) % n;
	for (size_t i = 0; i < pad; i++)
		padded[i] = i % 16 ? ' ' : '\n';
	padded[pad - 1] = '\n';
	memcpy(padded + pad, data, n);
	/* Wrapped data is another matter. */
	if (scan(&plain, data, n) == ST_OK && data[0] != 0x1f && data[0] != 0x28) {
		LAW(scan(&seam, padded, pad + n) == ST_OK);
		same(&plain, &seam);
	}
	for (int k = 0; k < CALL_KINDS; k++)
		for (uint32_t i = 0; i < plain.set[k].texts.n; i++) {
			const struct name *t = &plain.set[k].texts.v[i];
			enum status st = problem_parse(&p, LIB_N, t->text, t->len, &d);

			LAW(st == ST_OK || st == ST_SKIP);
			/* Only such trace lines are taken that say a problem. */
			LAW(k != CALL_ROCBLAS_TRACE || (st == ST_OK && p.lib == LIB_ROCBLAS_TRACE));
		}
	problem_fini(&p);
	lib_calls_fini(&plain);
	lib_calls_fini(&seam);
	return 0;
}
