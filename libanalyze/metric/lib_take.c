/* SPDX-License-Identifier: MIT */
#include "metric/lib_take.h"

#include "read/lib_log.h"

#include <inttypes.h>

/* madengine of before 2025-12-24 wrote 1 whatever the number of calls was: such a table looks like this. */
static void tell_ones(const struct lib_calls *c, const char *name, struct report *rep)
{
	if (c->table_miopen_rows > 1 && c->table_miopen_most <= 1)
		report_add(rep, SEV_NOTE, name, 0,
		           "every row of miopen has 1 call: madengine of before 2025-12-24 counted "
		           "so, "
		           "whatever the calls were");
}

/* What was left out of a log, beside what was before. */
static void tell_log(const struct lib_calls *c, uint64_t torn, uint64_t echoes, const char *name,
                     struct report *rep)
{
	torn = c->torn - torn;
	echoes = c->echoes - echoes;
	if (torn)
		report_add(rep, SEV_SKIP, name, 0,
		           "%" PRIu64 " call%s left out: torn by other output in the line, or cut",
		           torn, torn == 1 ? "" : "s");
	if (echoes)
		report_add(rep, SEV_NOTE, name, 0,
		           "%" PRIu64 " line%s of a shell that says what it runs (set -x) left out",
		           echoes, echoes == 1 ? "" : "s");
}

enum status lib_calls_take(struct lib_calls *c, struct source *s, struct report *rep,
                           struct diag *d)
{
	const unsigned char *p;
	size_t n;
	uint64_t torn = c->torn, echoes = c->echoes;
	struct loss loss = { 0 };
	enum status st = source_peek(s, &p, &n, d);

	if (st == ST_FATAL)
		return ST_SKIP;
	if (!lib_calls_is_table(p, n, n < SOURCE_PEEK)) {
		st = lib_log_read(c, s, d);
		tell_log(c, torn, echoes, source_name(s), rep);
		return st;
	}
	st = lib_calls_read(c, s, &loss, d);
	report_loss(rep, source_name(s), &loss);
	if (st != ST_FATAL)
		tell_ones(c, source_name(s), rep);
	return st;
}

static bool both(const struct lib_calls *c, enum call_kind a, enum call_kind b)
{
	return c->set[a].texts.n && c->set[b].texts.n;
}

void lib_calls_tell(const struct lib_calls *c, bool kinds, struct report *rep)
{
	if (kinds && both(c, CALL_ROCBLAS, CALL_ROCBLAS_FUNCTION))
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "rocblas and rocblas_function tell of the same calls: do not add them up");
	if (kinds && both(c, CALL_HIPBLASLT, CALL_HIPBLASLT_FUNCTION))
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "hipblaslt and hipblaslt_function tell of the same calls: do not add them "
		        "up");
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

static uint64_t calls_of(const struct call_set *set)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < set->texts.n; i++)
		n = set->calls[i] > UINT64_MAX - n ? UINT64_MAX : n + set->calls[i];
	return n;
}

enum call_kind lib_calls_less_of(const struct lib_calls *c, enum call_kind lines,
                                 enum call_kind profile, struct report *rep)
{
	uint64_t a = calls_of(&c->set[lines]), b = calls_of(&c->set[profile]);
	bool more = b >= a;

	if (!c->set[lines].texts.n || !c->set[profile].texts.n)
		return CALL_KINDS;
	report_add(rep, SEV_NOTE, NULL, 0,
	           "%s and %s tell of the same calls: counted are the %" PRIu64
	           " of %s, not the %" PRIu64 " of the other",
	           call_words[lines], call_words[profile], more ? b : a,
	           call_words[more ? profile : lines], more ? a : b);
	return more ? lines : profile;
}
