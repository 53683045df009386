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

static enum tm_status scan(struct tm_lib_calls *c, const void *p, size_t n)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("fuzz", p, n, &d);
	enum tm_status st;

	if (!s)
		return TM_ST_SKIP;
	st = tm_lib_log_read(c, s, &d);
	LAW(st == TM_ST_OK || st == TM_ST_SKIP);
	LAW((st == TM_ST_SKIP) == (*d.text != 0));
	tm_source_close(s);
	return st;
}

static void same(const struct tm_lib_calls *a, const struct tm_lib_calls *b)
{
	LAW(a->torn == b->torn && a->echoes == b->echoes && a->chosen == b->chosen);
	LAW(a->unknown == b->unknown);
	for (int k = 0; k < TM_CALL_KINDS; k++) {
		LAW(a->set[k].texts.n == b->set[k].texts.n);
		for (uint32_t i = 0; i < a->set[k].texts.n; i++) {
			LAW(!tm_name_cmp(&a->set[k].texts.v[i], &b->set[k].texts.v[i]));
			LAW(a->set[k].calls[i] == b->set[k].calls[i]);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static unsigned char *padded;
	struct tm_lib_calls plain = { 0 }, seam = { 0 };
	struct tm_problem p = { 0 };
	struct tm_diag d;
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
	if (scan(&plain, data, n) == TM_ST_OK && data[0] != 0x1f && data[0] != 0x28) {
		LAW(scan(&seam, padded, pad + n) == TM_ST_OK);
		same(&plain, &seam);
	}
	for (int k = 0; k < TM_CALL_KINDS; k++)
		for (uint32_t i = 0; i < plain.set[k].texts.n; i++) {
			const struct tm_name *t = &plain.set[k].texts.v[i];
			enum tm_status st = tm_problem_parse(&p, TM_LIB_N, t->text, t->len, &d);

			LAW(st == TM_ST_OK || st == TM_ST_SKIP);
			/* Only such trace lines are taken that say a problem. */
			LAW(k != TM_CALL_ROCBLAS_TRACE ||
			    (st == TM_ST_OK && p.lib == TM_LIB_ROCBLAS_TRACE));
		}
	tm_problem_fini(&p);
	tm_lib_calls_fini(&plain);
	tm_lib_calls_fini(&seam);
	return 0;
}
