/* SPDX-License-Identifier: MIT */
#include "stream/twice.h"

#include "base/buf.h"
#include "stream/rank.h"

#include <stdlib.h>
#include <string.h>

unsigned twice_kinds(const struct batch *b)
{
	if (b->kind == EV_DISPATCH || b->kind == EV_COPY)
		return 1u << b->kind;
	/* Rollups stand for the events they are made of. */
	for (uint32_t i = 0; b->kind == EV_ROLLUP && i < b->n; i++)
		if (batch_has(b, i, EVC_DOMAIN) && b->col[EVC_DOMAIN][i] == DOMAIN_KERNEL &&
		    !batch_has(b, i, EVC_COUNTER))
			return 1u << EV_DISPATCH;
	return 0;
}

static void entry_fini(struct twice_entry *e)
{
	free(e->run);
	free(e->format);
	free(e->path);
}

/* The same for the first n bytes of the run's name. */
static bool note(struct twice *t, const struct piece *p, size_t n, unsigned kinds)
{
	struct twice_entry e;

	for (size_t i = 0; i < t->n; i++)
		if (!strncmp(t->v[i].run, p->run, n) && !t->v[i].run[n] &&
		    !strcmp(t->v[i].format, p->format)) {
			t->v[i].kinds |= kinds;
			return true;
		}
	if (!grow_array(&t->v, &t->cap, t->n + 1, sizeof *t->v))
		return false;
	e = (struct twice_entry) { .run = strndup(p->run, n),
		                   .format = strdup(p->format),
		                   .path = strdup(p->path ? p->path : ""),
		                   .kinds = kinds };
	if (!e.run || !e.format || !e.path) {
		entry_fini(&e);
		return false;
	}
	t->v[t->n++] = e;
	return true;
}

bool twice_note(struct twice *t, const struct piece *p, unsigned kinds)
{
	const char *whole = p->path ? whole_of_part(p->path) : NULL;
	const char *id;
	size_t n;

	if (!kinds || !p->run || !p->format)
		return true;
	n = strlen(p->run);
	if (!note(t, p, n, kinds))
		return false;
	/* What one process has is also of the run of all of them: "d/4242_" and "d/". */
	for (id = whole; id && id > p->path && id[-1] != '/'; id--)
		;
	return !id || n < (size_t)(whole - id) ||
	       memcmp(p->run + n - (size_t)(whole - id), id, (size_t)(whole - id)) != 0 ||
	       note(t, p, n - (size_t)(whole - id), kinds);
}

static int by_run(const void *pa, const void *pb)
{
	const struct twice_entry *a = pa, *b = pb;
	int c = strcmp(a->run, b->run);

	return c ? c : strcmp(a->format, b->format);
}

void twice_tell(struct twice *t, enum severity severity, struct report *rep)
{
	if (t->n)
		qsort(t->v, t->n, sizeof *t->v, by_run);
	for (size_t i = 1; i < t->n; i++) {
		const struct twice_entry *a = &t->v[i - 1], *b = &t->v[i];

		if (!strcmp(a->run, b->run) && a->kinds & b->kinds)
			report_add(rep, severity, b->path, 0,
			           "%s of this run as %s and as %s: they count twice; give one of "
			           "the two",
			           a->kinds & b->kinds & 1u << EV_DISPATCH ? "kernels" : "copies",
			           a->format, b->format);
	}
}

void twice_fini(struct twice *t)
{
	for (size_t i = 0; i < t->n; i++)
		entry_fini(&t->v[i]);
	free(t->v);
	*t = (struct twice) { 0 };
}
