/* SPDX-License-Identifier: MIT */
#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

static const char *const rule_words[TM_RANK_RULES] = { [TM_RANK_GIVEN] = "given",
	                                               [TM_RANK_REGEX] = "regex",
	                                               [TM_RANK_TRACE] = "trace",
	                                               [TM_RANK_PATH] = "path",
	                                               [TM_RANK_ENVIRONMENT] = "environment",
	                                               [TM_RANK_ORDER] = "order" };

const char *tm_rank_rule_text(enum tm_rank_rule rule)
{
	return rule_words[rule];
}

bool tm_rank_rule_find(const char *word, enum tm_rank_rule *rule)
{
	for (int i = 0; i < TM_RANK_RULES; i++)
		if (!strcmp(rule_words[i], word)) {
			*rule = (enum tm_rank_rule)i;
			return true;
		}
	return false;
}

void tm_realtime_add(struct tm_realtime *r, uint64_t real_ns, uint64_t trace_ns)
{
	uint64_t ns = real_ns - trace_ns;

	if (real_ns < trace_ns || ns >> 63)
		return;
	if (!r->readings || ns < r->low_ns)
		r->low_ns = ns;
	if (!r->readings || ns > r->high_ns)
		r->high_ns = ns;
	r->readings++;
}

void tm_realtime_merge(struct tm_realtime *into, const struct tm_realtime *r)
{
	if (!r->readings)
		return;
	if (!into->readings || r->low_ns < into->low_ns)
		into->low_ns = r->low_ns;
	if (!into->readings || r->high_ns > into->high_ns)
		into->high_ns = r->high_ns;
	into->readings += r->readings;
}

uint64_t tm_realtime_middle(const struct tm_realtime *r)
{
	return r->low_ns + (r->high_ns - r->low_ns) / 2;
}

uint64_t tm_realtime_error(const struct tm_realtime *r)
{
	return r->high_ns - tm_realtime_middle(r);
}

/* The texts of a trace, which tm_trace_id_copy makes its own. */
enum { ID_TEXTS = 8, ID_FACTS = 3 };

static void texts_of(struct tm_trace_id *t, const char **at[ID_TEXTS])
{
	const char **const all[ID_TEXTS] = { &t->producer, &t->clock,   &t->host,   &t->path,
		                             &t->run,      &t->own_run, &t->format, &t->table };

	memcpy(at, all, sizeof all);
}

/* Those of a copy are ours; the structure only promises not to write them. */
static void free_text(const char *text)
{
	char *own;

	memcpy(&own, &text, sizeof own);
	free(own);
}

/* Each of the first n texts becomes a copy of what it points to. */
static bool own_texts(const char **at[ID_TEXTS], int n)
{
	bool ok = true;

	for (int i = 0; i < n; i++) {
		const char *text = *at[i];

		*at[i] = text ? strdup(text) : NULL;
		ok = ok && (*at[i] || !text);
	}
	return ok;
}

bool tm_trace_id_copy(struct tm_trace_id *to, const struct tm_trace_id *from)
{
	const char **at[ID_TEXTS];

	*to = *from;
	texts_of(to, at);
	return own_texts(at, ID_TEXTS);
}

bool tm_trace_id_learn(struct tm_trace_id *to, const struct tm_trace_id *from)
{
	const char **at[ID_TEXTS];

	free_text(to->producer);
	free_text(to->clock);
	free_text(to->host);
	to->producer = from->producer;
	to->clock = from->clock;
	to->host = from->host;
	to->realtime = from->realtime;
	texts_of(to, at);
	return own_texts(at, ID_FACTS);
}

void tm_trace_id_fini(struct tm_trace_id *t)
{
	const char **at[ID_TEXTS];

	texts_of(t, at);
	for (int i = 0; i < ID_TEXTS; i++)
		free_text(*at[i]);
	*t = (struct tm_trace_id) { 0 };
}
