/* SPDX-License-Identifier: MIT */
#include "counters/gather_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_ev_set tm_counters_want(void)
{
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE) |
	       TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_PID) |
	       TM_EV_BIT(TM_EVC_DISPATCH_ID) | tm_agents_want();
}

void tm_counters_init(struct tm_counters *c)
{
	*c = (struct tm_counters) {
		.runs = { .words = RUN_WORDS },
		.passes = { .words = PASS_WORDS },
		.executed = { .words = EXEC_WORDS },
	};
}

static uint32_t intern(struct tm_counters *c, const char *text)
{
	return tm_names_add(&c->names, text ? text : "", text ? strlen(text) : 0);
}

bool tm_counters_piece(struct tm_counters *c, const struct tm_piece *p)
{
	uint32_t name = intern(c, p->id.run);
	uint64_t key[RUN_WORDS] = { [RUN_RANK] = p->id.rank, [RUN_NAME] = name };

	c->nknown = 0;
	c->rank = p->id.rank;
	c->path = intern(c, p->id.path);
	if (name == TM_NAME_NONE || c->path == TM_NAME_NONE)
		return false;
	c->run = tm_groups_add(&c->runs, key, NULL);
	return c->run != TM_GROUP_NONE;
}

bool tm_counters_agents(struct tm_counters *c, const struct tm_batch *b)
{
	return tm_agents_take(&c->agents, c->rank, b);
}

/* The id here of a text of the piece; TM_NAME_NONE when out of memory. */
static uint32_t own(struct tm_counters *c, const struct tm_names *names, uint64_t id)
{
	if (!tm_grow_known(&c->norm, &c->nknown, &c->norm_cap, names->n, sizeof *c->norm))
		return TM_NAME_NONE;
	if (!c->norm[id]) {
		uint32_t n = tm_names_add(&c->names, names->v[id].text, names->v[id].len);

		if (n == TM_NAME_NONE)
			return n;
		c->norm[id] = n + 1;
	}
	return c->norm[id] - 1;
}

static void set(uint64_t *key, const struct tm_batch *b, uint32_t i, unsigned word,
                enum tm_ev_col col)
{
	const uint64_t *cell = tm_batch_cell(b, i, col);

	if (!cell)
		return;
	key[word] = *cell;
	key[EXEC_HAS] |= TM_MASK_BIT(word);
}

/* The pass that row i is of; TM_GROUP_NONE when out of memory. */
static uint32_t pass_of(struct tm_counters *c, const struct tm_batch *b, uint32_t i)
{
	uint64_t pass[PASS_WORDS] = { [PASS_RUN] = c->run, [PASS_PATH] = c->path };
	const uint64_t *pid = tm_batch_cell(b, i, TM_EVC_PID);

	pass[PASS_HAS_PID] = pid != NULL;
	pass[PASS_PID] = pid ? *pid : 0;
	return tm_groups_add(&c->passes, pass, NULL);
}

/* Which execution is row i of?  TM_GROUP_NONE when out of memory. */
static uint32_t execution(struct tm_counters *c, const struct tm_batch *b, uint32_t i)
{
	uint64_t key[EXEC_WORDS] = { 0 };
	uint32_t kernel = own(c, b->names, b->col[TM_EVC_NAME][i]), at = pass_of(c, b, i);

	if (at == TM_GROUP_NONE || kernel == TM_NAME_NONE)
		return TM_GROUP_NONE;
	key[EXEC_PASS] = at;
	key[EXEC_KERNEL] = kernel;
	set(key, b, i, EXEC_ID, TM_EVC_DISPATCH_ID);
	set(key, b, i, EXEC_AGENT, TM_EVC_AGENT);
	if (tm_batch_has(b, i, TM_EVC_END)) {
		set(key, b, i, EXEC_START, TM_EVC_START);
		set(key, b, i, EXEC_END, TM_EVC_END);
	}
	if (!exec_has(key, EXEC_ID) && !exec_has(key, EXEC_START))
		key[EXEC_LOOSE] = ++c->loose;
	return tm_groups_add(&c->executed, key, NULL);
}

bool tm_counters_take_times(struct tm_counters *c, const struct tm_batch *b, uint32_t i)
{
	return !tm_batch_has(b, i, TM_EVC_NAME) ||
	       (!tm_batch_has(b, i, TM_EVC_DISPATCH_ID) && !tm_batch_has(b, i, TM_EVC_START)) ||
	       execution(c, b, i) != TM_GROUP_NONE;
}

bool tm_counters_keep_times(struct tm_counters *c, const struct tm_batch *b, uint32_t i)
{
	const uint64_t *id = tm_batch_cell(b, i, TM_EVC_DISPATCH_ID),
	               *agent = tm_batch_cell(b, i, TM_EVC_AGENT),
	               *start = tm_batch_cell(b, i, TM_EVC_START),
	               *end = tm_batch_cell(b, i, TM_EVC_END);
	uint32_t pass, kernel;

	/* By its number alone is it known to be that which was counted. */
	if (!id || !start || !end || !tm_batch_has(b, i, TM_EVC_NAME))
		return true;
	pass = pass_of(c, b, i);
	kernel = own(c, b->names, b->col[TM_EVC_NAME][i]);
	if (pass == TM_GROUP_NONE || kernel == TM_NAME_NONE ||
	    !tm_grow_array(&c->times, &c->times_cap, c->ntimes + 1, sizeof *c->times))
		return false;
	c->times[c->ntimes++] = (struct tm_counter_times) { .pass = pass,
		                                            .kernel = kernel,
		                                            .has_agent = agent != NULL,
		                                            .agent = agent ? *agent : 0,
		                                            .id = *id,
		                                            .start = *start,
		                                            .end = *end };
	return true;
}

bool tm_counters_use_times(struct tm_counters *c)
{
	for (size_t i = 0; c->timeless && i < c->ntimes; i++) {
		const struct tm_counter_times *t = &c->times[i];
		uint64_t key[EXEC_WORDS] = {
			[EXEC_PASS] = t->pass,   [EXEC_KERNEL] = t->kernel, [EXEC_ID] = t->id,
			[EXEC_AGENT] = t->agent, [EXEC_START] = t->start,   [EXEC_END] = t->end
		};

		key[EXEC_HAS] = TM_MASK_BIT(EXEC_ID) | TM_MASK_BIT(EXEC_START) |
		                TM_MASK_BIT(EXEC_END) |
		                (t->has_agent ? TM_MASK_BIT(EXEC_AGENT) : 0);
		if (tm_groups_add(&c->executed, key, NULL) == TM_GROUP_NONE)
			return false;
	}
	free(c->times);
	c->times = NULL;
	c->ntimes = c->times_cap = 0;
	return true;
}

/* Do its values count?  False when out of memory. */
static bool choose(struct tm_counters *c, uint32_t kernel, bool *chosen)
{
	const struct tm_name *nm = &c->names.v[kernel];

	*chosen = true;
	if (!c->only)
		return true;
	if (!tm_grow_known(&c->chosen, &c->nchosen, &c->chosen_cap, c->names.n, sizeof *c->chosen))
		return false;
	if (!c->chosen[kernel]) {
		if (!tm_only_kernel(c->only, nm->text, nm->len, chosen))
			return false;
		c->chosen[kernel] = *chosen ? 2 : 1;
	}
	*chosen = c->chosen[kernel] == 2;
	return true;
}

bool tm_counters_take(struct tm_counters *c, const struct tm_batch *b, uint32_t i)
{
	const tm_ev_set need = TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	struct tm_counter_read *v;
	uint32_t at, counter, kernel;
	bool chosen;
	double value;

	if (!tm_batch_has(b, i, TM_EVC_NAME)) {
		c->samples += b->kind == TM_EV_COUNTER;
		return true;
	}
	if (b->kind == TM_EV_DISPATCH)
		return tm_counters_take_times(c, b, i);
	if (!tm_batch_has_all(b, i, need))
		return true;
	kernel = own(c, b->names, b->col[TM_EVC_NAME][i]);
	if (kernel == TM_NAME_NONE || !choose(c, kernel, &chosen))
		return false;
	if (!chosen)
		return !tm_batch_has(b, i, TM_EVC_DISPATCH_ID) ||
		       execution(c, b, i) != TM_GROUP_NONE;
	value = tm_cell_real(b->col[TM_EVC_VALUE][i]);
	if (!isfinite(value)) {
		c->odd++;
		return true;
	}
	at = execution(c, b, i);
	counter = own(c, b->names, b->col[TM_EVC_COUNTER][i]);
	if (at == TM_GROUP_NONE || counter == TM_NAME_NONE ||
	    !tm_grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
		return false;
	v = &c->v[c->n++];
	*v = (struct tm_counter_read) { at, counter, value };
	c->timeless |= !exec_has(exec_key(c, at), EXEC_START);
	return true;
}

/* The groups of `from` here: new numbers, to be freed; NULL when out of memory.  In each key word
 * `w` goes by map[w], where that is not NULL. */
static uint32_t *move(struct tm_groups *into, const struct tm_groups *from,
                      const uint32_t *const *map, uint64_t loose)
{
	uint32_t *to = malloc(((size_t)from->n + 1) * sizeof *to);

	for (uint32_t i = 0; to && i < from->n; i++) {
		uint64_t key[EXEC_WORDS];

		memcpy(key, from->key + (size_t)i * from->words, from->words * sizeof *key);
		for (unsigned w = 0; w < from->words; w++)
			if (map[w])
				key[w] = map[w][key[w]];
		if (from->words == EXEC_WORDS && key[EXEC_LOOSE])
			key[EXEC_LOOSE] += loose;
		to[i] = tm_groups_add(into, key, NULL);
		if (to[i] == TM_GROUP_NONE) {
			free(to);
			return NULL;
		}
	}
	return to;
}

bool tm_counters_merge(struct tm_counters *c, const struct tm_counters *from)
{
	uint32_t *names = tm_names_add_all(&c->names, &from->names);
	uint32_t *runs = names ? move(&c->runs, &from->runs,
	                              (const uint32_t *const[EXEC_WORDS]) { [RUN_NAME] = names }, 0)
	                       : NULL;
	uint32_t *passes = runs ? move(&c->passes, &from->passes,
	                               (const uint32_t *const[EXEC_WORDS]) {
	                                       [PASS_RUN] = runs, [PASS_PATH] = names },
	                               0)
	                        : NULL;
	uint32_t *executed = passes ? move(&c->executed, &from->executed,
	                                   (const uint32_t *const[EXEC_WORDS]) {
	                                           [EXEC_PASS] = passes, [EXEC_KERNEL] = names },
	                                   c->loose)
	                            : NULL;
	bool ok = executed && tm_agents_merge(&c->agents, &from->agents) &&
	          tm_grow_array(&c->v, &c->cap, c->n + from->n, sizeof *c->v) &&
	          tm_grow_array(&c->times, &c->times_cap, c->ntimes + from->ntimes,
	                        sizeof *c->times);

	for (size_t i = 0; ok && i < from->ntimes; i++) {
		struct tm_counter_times t = from->times[i];

		t.pass = passes[t.pass];
		t.kernel = names[t.kernel];
		c->times[c->ntimes++] = t;
	}
	c->timeless |= from->timeless;
	for (size_t i = 0; ok && i < from->n; i++)
		c->v[c->n++] = (struct tm_counter_read) { executed[from->v[i].at],
			                                  names[from->v[i].counter],
			                                  from->v[i].value };
	c->loose += from->loose;
	c->samples += from->samples;
	c->odd += from->odd;
	free(names);
	free(runs);
	free(passes);
	free(executed);
	return ok;
}

void tm_counters_fini(struct tm_counters *c)
{
	tm_names_fini(&c->names);
	tm_groups_fini(&c->runs);
	tm_groups_fini(&c->passes);
	tm_groups_fini(&c->executed);
	tm_agents_fini(&c->agents);
	free(c->v);
	free(c->times);
	free(c->norm);
	free(c->chosen);
	tm_counters_init(c);
}
