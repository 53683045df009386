/* SPDX-License-Identifier: MIT */
#include "libperf/lib_take.h"

#include "base/base.h"
#include "read/library/library.h"

#include <inttypes.h>

/* madengine of before 2025-12-24 wrote 1 whatever the number of calls was: such a table looks like
 * this. */
static void tell_ones(const struct lib_calls *c, const char *name, struct report *rep)
{
	if (c->table_miopen_rows > 1 && c->table_miopen_most <= 1)
		report_add(rep, SEV_NOTE, name, 0,
		           "every row of miopen has 1 call: madengine of before 2025-12-24 counted "
		           "so, "
		           "whatever the calls were");
}

struct seen {
	uint64_t torn, echoes, unknown;
};

/* What was left out of a log, beside what was before; `st`: what reading it returned. */
static void tell_log(const struct lib_calls *c, const struct seen *before, enum status st,
                     const char *name, struct report *rep)
{
	uint64_t torn = c->torn - before->torn, echoes = c->echoes - before->echoes,
	         unknown = c->unknown - before->unknown;

	if (torn)
		report_add(rep, SEV_SKIP, name, 0,
		           "%" PRIu64
		           " call%s skipped: broken by other output in the line, or truncated",
		           torn, torn == 1 ? "" : "s");
	if (st != ST_SKIP)
		report_loss(rep, name, &c->last);
	if (unknown)
		report_add(rep, SEV_NOTE, name, 0,
		           "%" PRIu64
		           " trace line%s of rocBLAS skipped: functions with unknown arguments",
		           unknown, unknown == 1 ? "" : "s");
	if (echoes)
		report_add(rep, SEV_NOTE, name, 0,
		           "%" PRIu64 " line%s of a shell's own trace (set -x) skipped", echoes,
		           echoes == 1 ? "" : "s");
}

enum status lib_calls_take(struct lib_calls *c, struct source *s, struct report *rep,
                           struct diag *d)
{
	const unsigned char *p;
	size_t n;
	const struct seen before = { .torn = c->torn, .echoes = c->echoes, .unknown = c->unknown };
	struct loss loss = { 0 };
	enum status st = source_peek(s, &p, &n, d);

	if (st == ST_FATAL)
		return ST_SKIP;
	if (!lib_calls_is_table(p, n, n < SOURCE_PEEK)) {
		st = lib_log_read(c, s, d);
		tell_log(c, &before, st, source_name(s), rep);
		return st;
	}
	st = lib_calls_read(c, s, &loss, d);
	report_loss(rep, source_name(s), &loss);
	if (st != ST_FATAL)
		tell_ones(c, source_name(s), rep);
	return st;
}

/* Kinds that tell of the same calls; ends with CALL_KINDS. */
enum { TELLINGS_MAX = 4 };

static const enum lib_call_kind tellings[][TELLINGS_MAX] = {
	{ CALL_ROCBLAS, CALL_ROCBLAS_FUNCTION, CALL_ROCBLAS_TRACE, CALL_KINDS },
	{ CALL_HIPBLASLT, CALL_HIPBLASLT_FUNCTION, CALL_KINDS },
};

enum { SAME = sizeof tellings / sizeof *tellings };

/* Those of them that there are, into v: how many. */
static int present(const struct lib_calls *c, const enum lib_call_kind *kinds,
                   enum lib_call_kind *v)
{
	int n = 0;

	for (; *kinds != CALL_KINDS; kinds++)
		if (c->set[*kinds].texts.n)
			v[n++] = *kinds;
	return n;
}

/* "a and b", "a, b and c". */
static void put_and(struct buf *b, int i, int n)
{
	if (i)
		buf_str(b, i + 1 < n ? ", " : " and ");
}

static void put_words(struct buf *b, const enum lib_call_kind *v, int n)
{
	for (int i = 0; i < n; i++) {
		put_and(b, i, n);
		buf_str(b, call_words[v[i]]);
	}
}

static uint64_t calls_of(const struct call_set *set)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < set->texts.n; i++)
		n = set->calls[i] > UINT64_MAX - n ? UINT64_MAX : n + set->calls[i];
	return n;
}

/* Among as many, profile lines say most surely what is one problem, then command lines. */
static bool better(const struct lib_calls *c, enum lib_call_kind a, enum lib_call_kind than)
{
	uint64_t x = calls_of(&c->set[a]), y = calls_of(&c->set[than]);

	return x > y || (x == y && a != CALL_ROCBLAS_TRACE);
}

uint32_t lib_calls_others(const struct lib_calls *c, struct report *rep)
{
	uint32_t out = 0;

	for (int k = 0; k < SAME; k++) {
		enum lib_call_kind v[TELLINGS_MAX], best;
		struct buf words = { 0 }, counts = { 0 };
		int n = present(c, tellings[k], v), others = 0;

		if (n < 2)
			continue;
		best = v[0];
		for (int i = 1; i < n; i++)
			if (better(c, v[i], best))
				best = v[i];
		put_words(&words, v, n);
		for (int i = 0; i < n; i++) {
			if (v[i] == best)
				continue;
			out |= 1u << v[i];
			put_and(&counts, others++, n - 1);
			buf_u64(&counts, calls_of(&c->set[v[i]]));
		}
		rep->lost |= words.failed || counts.failed;
		if (!rep->lost)
			report_add(rep, SEV_NOTE, NULL, 0,
			           "%s log the same calls; using the %" PRIu64
			           " of %s, not the %s of the other%s",
			           words.p, calls_of(&c->set[best]), call_words[best], counts.p,
			           n > 2 ? "s" : "");
		buf_fini(&words);
		buf_fini(&counts);
	}
	return out;
}

enum lib_call_kind lib_calls_shown_as(enum lib_call_kind kind)
{
	for (int k = 0; k < SAME; k++)
		for (int i = 1; tellings[k][i] != CALL_KINDS; i++)
			if (tellings[k][i] == kind)
				return tellings[k][0];
	return kind;
}

static void tell_same(const struct lib_calls *c, struct report *rep)
{
	for (int k = 0; k < SAME; k++) {
		enum lib_call_kind v[TELLINGS_MAX];
		struct buf words = { 0 };
		int n = present(c, tellings[k], v);

		put_words(&words, v, n);
		if (n > 1)
			report_add(rep, SEV_NOTE, NULL, 0,
			           "%s log the same calls: do not add them up",
			           words.failed ? "some libraries" : words.p);
		buf_fini(&words);
	}
}

void lib_calls_tell(const struct lib_calls *c, bool kinds, struct report *rep)
{
	if (kinds)
		tell_same(c, rep);
	if (c->chosen && c->chosen < c->rocblas)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " of %" PRIu64 " lines of rocblas say how a call was "
		           "computed (# source=): such a call may "
		           "have a line of its own too",
		           c->chosen, c->rocblas);
	if (c->handed_on && c->set[CALL_HIPBLASLT].texts.n)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "rocBLAS shared %" PRIu64
		           " calls with hipBLASLt (fallback_from=hipblaslt): they may be in both",
		           c->handed_on);
}
