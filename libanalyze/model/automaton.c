/* SPDX-License-Identifier: MIT
 *
 * Thompson's construction, determinised where texts lead: a state is the set of the operations that
 * may take the next symbol.  Those that begin a match may do so anywhere, so they are in no set but
 * after all of them: most symbols lead from every state to the same as from the first. */
#include "model/automaton.h"

#include "base/base.h"
#include "model/ere.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPS = 8192,   /* of an expression */
	STATES = 254, /* remembered, with none; then all are forgotten */

	/* A state is the place of its row in `next`, which so is found without a multiplication. */
	UNKNOWN = 0,         /* no state yet */
	MATCH = 1,           /* the end */
	FIRST = ERE_SYMBOLS, /* no match has begun */
};

_Static_assert(STATES *ERE_SYMBOLS <= UINT16_MAX, "states are 16 bits");

enum op_kind { OP_SYMBOL, OP_SET, OP_FORK, OP_MATCH };

/* What takes a symbol goes on with the next operation. */
struct op {
	enum op_kind kind;
	uint32_t value; /* symbol, set, or where else to go on: a jump is a fork without a next */
	bool jump;
};

struct state {
	size_t at, n; /* in `sets` */
	uint32_t hash;
};

struct automaton {
	struct op *op;
	size_t n, cap;
	struct ere_set *set;
	uint32_t *begin; /* nbegin operations that begin a match */
	size_t nbegin;
	bool always; /* the empty text matches */

	struct state *state; /* 0 is none */
	uint16_t *next;      /* where each symbol leads: a row for each state */
	size_t nstates, states_cap, next_cap;
	uint32_t *sets;
	size_t nsets, sets_cap;

	/* The set that is being made. */
	uint32_t *todo, *found, *seen; /* n each; seen[op] == round: it was looked at */
	uint32_t round;
	size_t nfound;
	bool matched;
};

/* ---- operations ---- */

static bool add_op(struct automaton *a, enum op_kind kind, uint32_t value, bool jump)
{
	if (a->n >= OPS || !tm_grow_array(&a->op, &a->cap, a->n + 1, sizeof *a->op))
		return false;
	a->op[a->n++] = (struct op) { .kind = kind, .value = value, .jump = jump };
	return true;
}

static bool add_choice(struct automaton *a, const struct ere *e, uint32_t at);

static bool add_once(struct automaton *a, const struct ere *e, uint32_t at)
{
	const struct ere_node *node = &e->node[at];

	if (node->kind == ERE_CHOICE)
		return add_choice(a, e, at);
	return add_op(a, node->kind == ERE_SET ? OP_SET : OP_SYMBOL, node->value, false);
}

static bool add_item(struct automaton *a, const struct ere *e, uint32_t at)
{
	const struct ere_node *node = &e->node[at];
	size_t fork;

	for (unsigned i = 0; i < node->min; i++)
		if (!add_once(a, e, at))
			return false;
	for (unsigned i = node->min; i < node->max; i++) {
		fork = a->n;
		if (!add_op(a, OP_FORK, 0, false) || !add_once(a, e, at))
			return false;
		if (node->max == ERE_MANY) {
			if (!add_op(a, OP_FORK, (uint32_t)fork, true))
				return false;
			i = ERE_MANY;
		}
		a->op[fork].value = (uint32_t)a->n;
	}
	return true;
}

static bool add_choice(struct automaton *a, const struct ere *e, uint32_t at)
{
	uint32_t last = UINT32_MAX; /* jumps to the end, each of which knows the one before */

	for (at = e->node[at].child; at; at = e->node[at].next) {
		size_t fork = a->n;

		if (e->node[at].next && !add_op(a, OP_FORK, 0, false))
			return false;
		for (uint32_t item = e->node[at].child; item; item = e->node[item].next)
			if (!add_item(a, e, item))
				return false;
		if (!e->node[at].next)
			break;
		if (!add_op(a, OP_FORK, last, true))
			return false;
		last = (uint32_t)a->n - 1;
		a->op[fork].value = (uint32_t)a->n;
	}
	while (last != UINT32_MAX) {
		uint32_t before = a->op[last].value;

		a->op[last].value = (uint32_t)a->n;
		last = before;
	}
	return true;
}

/* ---- sets of operations ---- */

static void new_set(struct automaton *a)
{
	a->nfound = 0;
	a->matched = false;
	if (!++a->round) {
		memset(a->seen, 0, a->n * sizeof *a->seen);
		a->round = 1;
	}
}

/* All that may come next where `op` does. */
static void reach(struct automaton *a, uint32_t op)
{
	size_t n = 0;

	a->todo[n++] = op;
	while (n) {
		op = a->todo[--n];
		/* Along forks both ways; each operation is put off once at most. */
		while (a->seen[op] != a->round) {
			const struct op *o = &a->op[op];

			a->seen[op] = a->round;
			if (o->kind != OP_FORK) {
				a->matched |= o->kind == OP_MATCH;
				if (o->kind != OP_MATCH)
					a->found[a->nfound++] = op;
				break;
			}
			if (!o->jump)
				a->todo[n++] = op + 1;
			op = o->value;
		}
	}
}

static bool takes(const struct automaton *a, uint32_t op, unsigned symbol)
{
	const struct op *o = &a->op[op];

	if (o->kind == OP_SYMBOL)
		return o->value == symbol;
	return symbol < 256 && a->set[o->value].bit[symbol / 64] >> (symbol % 64) & 1;
}

/* Anchors say something about a place and take nothing, here they take a symbol: the same as long
 * as
 * '^' is where a match begins and '$' where it ends.  Elsewhere regexec has ideas of its own. */
static bool anchors_outside(struct automaton *a)
{
	for (uint32_t i = 0; i < a->n; i++) {
		const struct op *o = &a->op[i];

		if (o->kind != OP_SYMBOL && o->kind != OP_SET)
			continue;
		new_set(a);
		reach(a, i + 1);
		if (o->kind == OP_SYMBOL && o->value == ERE_END && a->nfound)
			return false;
		for (size_t k = 0; k < a->nfound; k++)
			if (takes(a, a->found[k], ERE_BEGIN))
				return false;
	}
	return true;
}

/* ---- states ---- */

static const struct state *set_of(const struct automaton *a, uint16_t state)
{
	return &a->state[state / ERE_SYMBOLS];
}

/* The state that is the set just made; UNKNOWN when out of memory. */
static uint16_t state_of(struct automaton *a)
{
	uint32_t hash = (uint32_t)tm_hash_bytes(tm_hash_own(), a->found,
	                                        a->nfound * sizeof *a->found);
	size_t row = a->nstates * ERE_SYMBOLS;
	struct state *s;

	for (size_t i = 1; i < a->nstates; i++)
		if (a->state[i].hash == hash && a->state[i].n == a->nfound &&
		    !memcmp(a->sets + a->state[i].at, a->found, a->nfound * sizeof *a->found))
			return (uint16_t)(i * ERE_SYMBOLS);
	if (!tm_grow_array(&a->state, &a->states_cap, a->nstates + 1, sizeof *a->state) ||
	    !tm_grow_array(&a->next, &a->next_cap, row + ERE_SYMBOLS, sizeof *a->next) ||
	    !tm_grow_array(&a->sets, &a->sets_cap, a->nsets + a->nfound + 1, sizeof *a->sets))
		return UNKNOWN;
	memset(a->next + row, 0, ERE_SYMBOLS * sizeof *a->next);
	s = &a->state[a->nstates++];
	*s = (struct state) { .at = a->nsets, .n = a->nfound, .hash = hash };
	memcpy(a->sets + s->at, a->found, s->n * sizeof *a->found);
	a->nsets += s->n;
	return (uint16_t)row;
}

/* Forget all states but the first, which is the empty set, and one; its new number, UNKNOWN when
 * out of memory. */
static uint16_t restart(struct automaton *a, uint16_t keep)
{
	size_t n = a->nstates ? set_of(a, keep)->n : 0;

	if (n)
		memcpy(a->found, a->sets + set_of(a, keep)->at, n * sizeof *a->found);
	a->nstates = 1;
	a->nsets = a->nfound = 0;
	if (state_of(a) != FIRST)
		return UNKNOWN;
	a->nfound = n;
	return state_of(a);
}

/* Where a symbol leads from the first state; UNKNOWN when out of memory. */
static uint16_t step_first(struct automaton *a, unsigned symbol)
{
	uint16_t to = a->next[FIRST + symbol];

	if (to != UNKNOWN)
		return to;
	new_set(a);
	for (size_t i = 0; i < a->nbegin; i++)
		if (takes(a, a->begin[i], symbol))
			reach(a, a->begin[i] + 1);
	to = a->matched ? MATCH : state_of(a);
	a->next[FIRST + symbol] = to;
	return to;
}

/* Where a symbol leads: at most two new states.  UNKNOWN when out of memory. */
static uint16_t step(struct automaton *a, uint16_t from, unsigned symbol)
{
	uint16_t to = a->next[from + symbol];
	const struct state *s, *first;
	size_t i = 0;

	if (to != UNKNOWN)
		return to;
	to = step_first(a, symbol);
	if (to <= MATCH)
		return to;
	s = set_of(a, from);
	first = set_of(a, to);
	while (i < s->n && !takes(a, a->sets[s->at + i], symbol))
		i++;
	if (i < s->n) {
		new_set(a);
		for (size_t k = 0; k < first->n; k++) {
			a->found[a->nfound++] = a->sets[first->at + k];
			a->seen[a->sets[first->at + k]] = a->round;
		}
		for (; i < s->n; i++)
			if (takes(a, a->sets[s->at + i], symbol))
				reach(a, a->sets[s->at + i] + 1);
		to = a->matched ? MATCH : state_of(a);
	}
	a->next[from + symbol] = to;
	return to;
}

/* Everything there is at the beginning; false when out of memory or it cannot be done. */
static bool prepare(struct automaton *a, bool *oom)
{
	a->todo = malloc((a->n + 1) * sizeof *a->todo);
	a->found = malloc((a->n + 1) * sizeof *a->found);
	a->begin = malloc((a->n + 1) * sizeof *a->begin);
	a->seen = calloc(a->n + 1, sizeof *a->seen);
	*oom = !a->todo || !a->found || !a->begin || !a->seen;
	if (*oom || !anchors_outside(a))
		return false;
	new_set(a);
	reach(a, 0);
	a->always = a->matched;
	a->nbegin = a->nfound;
	memcpy(a->begin, a->found, a->nfound * sizeof *a->found);
	*oom = !restart(a, FIRST);
	return !*oom;
}

struct automaton *tm_automaton_make(const struct ere *e, bool *oom)
{
	struct automaton *a = calloc(1, sizeof *a);
	size_t bytes = e->nsets * sizeof *e->set;
	bool ok;

	*oom = !a;
	if (!a)
		return NULL;
	a->set = malloc(bytes + 1);
	ok = a->set && add_choice(a, e, 0) && add_op(a, OP_MATCH, 0, false);
	*oom = !ok && a->n < OPS;
	if (ok && bytes)
		memcpy(a->set, e->set, bytes);
	if (ok && prepare(a, oom))
		return a;
	tm_automaton_free(a);
	return NULL;
}

/* step() that has room. */
static uint16_t learn(struct automaton *a, uint16_t from, unsigned symbol)
{
	if (a->nstates + 2 > STATES)
		from = restart(a, from);
	return from ? step(a, from, symbol) : UNKNOWN;
}

int tm_automaton_match(struct automaton *a, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	uint16_t at = a->always ? MATCH : step_first(a, ERE_BEGIN);

	while (at > MATCH) {
		const uint16_t *next = a->next;
		uint16_t to;

		/* The NUL leads nowhere, so it ends this, too. */
		while ((to = next[at + *p]) > MATCH) {
			at = to;
			p++;
		}
		if (to == MATCH)
			return 1;
		if (!*p)
			break;
		at = learn(a, at, *p++);
	}
	if (at > MATCH)
		at = learn(a, at, ERE_END);
	return at == MATCH ? 1 : at == UNKNOWN ? -1 : 0;
}

void tm_automaton_free(struct automaton *a)
{
	if (!a)
		return;
	free(a->op);
	free(a->set);
	free(a->begin);
	free(a->state);
	free(a->next);
	free(a->sets);
	free(a->todo);
	free(a->found);
	free(a->seen);
	free(a);
}
