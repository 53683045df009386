/* SPDX-License-Identifier: MIT */
#include "libperf/lib_take.h"

#include "base/base.h"
#include "read/library/library.h"

#include <inttypes.h>
#include <string.h>

/* madengine of before 2025-12-24 wrote 1 whatever the number of calls was: such a table looks like
 * this. */
static void tell_ones(const struct tm_lib_calls *c, const char *name, struct tm_report *rep)
{
	if (c->table_miopen_rows > 1 && c->table_miopen_most <= 1)
		tm_report_add(
		        rep, TM_SEV_NOTE, name, 0,
		        "every miopen row has 1 call: madengine before 2025-12-24 always wrote 1");
}

struct tm_seen {
	uint64_t torn, echoes, unknown;
};

/* What was left out of a log, beside what was before; `st`: what reading it returned. */
static void tell_log(const struct tm_lib_calls *c, const struct tm_seen *before, enum tm_status st,
                     const char *name, struct tm_report *rep)
{
	uint64_t torn = c->torn - before->torn, echoes = c->echoes - before->echoes,
	         unknown = c->unknown - before->unknown;

	if (torn)
		tm_report_add(rep, TM_SEV_SKIP, name, 0,
		              "%" PRIu64
		              " call%s skipped: broken by other output in the line, or truncated",
		              torn, torn == 1 ? "" : "s");
	if (st != TM_ST_SKIP)
		tm_report_loss(rep, name, &c->last);
	if (unknown)
		tm_report_add(rep, TM_SEV_NOTE, name, 0,
		              "%" PRIu64
		              " trace line%s of rocBLAS skipped: functions with unknown arguments",
		              unknown, unknown == 1 ? "" : "s");
	if (echoes)
		tm_report_add(rep, TM_SEV_NOTE, name, 0,
		              "%" PRIu64 " line%s of a shell's own trace (set -x) skipped", echoes,
		              echoes == 1 ? "" : "s");
}

enum tm_status tm_lib_calls_take(struct tm_lib_calls *c, struct tm_source *s, const char *from,
                                 struct tm_report *rep, struct tm_diag *d)
{
	const unsigned char *p;
	size_t n;
	const struct tm_seen before = { .torn = c->torn,
		                        .echoes = c->echoes,
		                        .unknown = c->unknown };
	struct tm_loss loss = { 0 };
	enum tm_status st = tm_source_peek(s, &p, &n, d);

	if (st == TM_ST_FATAL)
		return TM_ST_SKIP;
	if (from ? strcmp(from, TM_LIB_TRACE_NAME) != 0
	         : !tm_lib_calls_is_table(p, n, n < TM_SOURCE_PEEK)) {
		st = tm_lib_log_read(c, s, d);
		tell_log(c, &before, st, tm_source_name(s), rep);
		return st;
	}
	st = tm_lib_calls_read(c, s, &loss, d);
	tm_report_loss(rep, tm_source_name(s), &loss);
	if (st != TM_ST_FATAL)
		tell_ones(c, tm_source_name(s), rep);
	return st;
}

/* Kinds that record the same calls; ends with TM_CALL_KINDS. */
enum { TELLINGS_MAX = 4 };

static const enum tm_lib_call_kind tellings[][TELLINGS_MAX] = {
	{ TM_CALL_ROCBLAS, TM_CALL_ROCBLAS_FUNCTION, TM_CALL_ROCBLAS_TRACE, TM_CALL_KINDS },
	{ TM_CALL_HIPBLASLT, TM_CALL_HIPBLASLT_FUNCTION, TM_CALL_KINDS },
};

enum { SAME = sizeof tellings / sizeof *tellings };

/* Those of them that there are, into v: how many. */
static int present(const struct tm_lib_calls *c, const enum tm_lib_call_kind *kinds,
                   enum tm_lib_call_kind *v)
{
	int n = 0;

	for (; *kinds != TM_CALL_KINDS; kinds++)
		if (c->set[*kinds].texts.n)
			v[n++] = *kinds;
	return n;
}

/* "a and b", "a, b and c". */
static void put_and(struct tm_buf *b, int i, int n)
{
	if (i)
		tm_buf_str(b, i + 1 < n ? ", " : " and ");
}

static void put_words(struct tm_buf *b, const enum tm_lib_call_kind *v, int n)
{
	for (int i = 0; i < n; i++) {
		put_and(b, i, n);
		tm_buf_str(b, tm_call_words[v[i]]);
	}
}

static uint64_t calls_of(const struct tm_call_set *set)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < set->texts.n; i++)
		n = set->calls[i] > UINT64_MAX - n ? UINT64_MAX : n + set->calls[i];
	return n;
}

/* Among as many, profile lines say most surely what is one problem, then command lines. */
static bool better(const struct tm_lib_calls *c, enum tm_lib_call_kind a,
                   enum tm_lib_call_kind than)
{
	uint64_t x = calls_of(&c->set[a]), y = calls_of(&c->set[than]);

	return x > y || (x == y && a != TM_CALL_ROCBLAS_TRACE);
}

uint32_t tm_lib_calls_others(const struct tm_lib_calls *c, struct tm_report *rep)
{
	uint32_t out = 0;

	for (int k = 0; k < SAME; k++) {
		enum tm_lib_call_kind v[TELLINGS_MAX], best;
		struct tm_buf words = { 0 }, counts = { 0 };
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
			tm_buf_u64(&counts, calls_of(&c->set[v[i]]));
		}
		rep->lost |= words.failed || counts.failed;
		if (!rep->lost)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "%s log the same calls; using the %" PRIu64
			              " of %s, not the %s of the other%s",
			              words.p, calls_of(&c->set[best]), tm_call_words[best],
			              counts.p, n > 2 ? "s" : "");
		tm_buf_fini(&words);
		tm_buf_fini(&counts);
	}
	return out;
}

enum tm_lib_call_kind tm_lib_calls_shown_as(enum tm_lib_call_kind kind)
{
	for (int k = 0; k < SAME; k++)
		for (int i = 1; tellings[k][i] != TM_CALL_KINDS; i++)
			if (tellings[k][i] == kind)
				return tellings[k][0];
	return kind;
}

static void tell_same(const struct tm_lib_calls *c, struct tm_report *rep)
{
	for (int k = 0; k < SAME; k++) {
		enum tm_lib_call_kind v[TELLINGS_MAX];
		struct tm_buf words = { 0 };
		int n = present(c, tellings[k], v);

		put_words(&words, v, n);
		if (n > 1)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "%s log the same calls: do not add them up",
			              words.failed ? "some libraries" : words.p);
		tm_buf_fini(&words);
	}
}

/* A table next to the logs that it was made of counts their calls again.  One of another node has
 * the same texts, so nobody knows. */
static void tell_tabled(const struct tm_lib_calls *c, struct tm_report *rep)
{
	bool tabled = false;

	for (int k = 0; k < TM_CALL_KINDS; k++) {
		const struct tm_call_set *set = &c->set[k];

		for (uint32_t i = 0; i < set->texts.n && i < set->tabled_cap; i++) {
			if (set->tabled[i] && set->tabled[i] == set->calls[i])
				return;
			tabled |= set->tabled[i] != 0;
		}
	}
	if (tabled)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "all calls of the tables are also in the logs: if a table was made "
		              "of these logs, they count twice; leave it out");
}

void tm_lib_calls_tell(const struct tm_lib_calls *c, bool kinds, struct tm_report *rep)
{
	tell_tabled(c, rep);
	if (kinds)
		tell_same(c, rep);
	if (c->chosen && c->chosen < c->rocblas)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " rocblas lines record how a call was computed (# source=): such a "
		              "call may also have its own line",
		              c->chosen, c->rocblas);
	if (c->handed_on && c->set[TM_CALL_HIPBLASLT].texts.n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "rocBLAS shared %" PRIu64
		              " calls with hipBLASLt (fallback_from=hipblaslt): they may be "
		              "counted in both",
		              c->handed_on);
}
