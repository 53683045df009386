/* SPDX-License-Identifier: MIT
 * Of files that are alike, which is the one that counts?
 *
 * Not the one that was named first: a copy by itself says nothing of the run it is of, while that
 * beside a database says that both are of one run. */
#include "base/base.h"
#include "cli/operands/inputs_parts.h"

#include <stdlib.h>
#include <string.h>

/* A file that is no copy, and where it lies. */
struct lying {
	char *place; /* tm_watch_place_of */
	size_t file; /* of the walk */
};

struct layout {
	const struct inputs *in;
	struct lying *v; /* n of them, by place and then name */
	size_t n;
};

static const char *base_of(const struct inputs *in, size_t file)
{
	return tm_path_base(in->walk.v[file].path);
}

static char *place_of(const struct inputs *in, size_t file)
{
	char *run = tm_run_identity(in->here, in->walk.v[file].path), *place;
	uint64_t pass;

	place = run ? tm_watch_place_of(run, &pass) : NULL;
	free(run);
	return place;
}

static int by_place(const void *pa, const void *pb, void *arg)
{
	const struct lying *a = pa, *b = pb;
	int c = strcmp(a->place, b->place);

	return c ? c : strcmp(base_of(arg, a->file), base_of(arg, b->file));
}

static void layout_fini(struct layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].place);
	free(l->v);
}

static bool layout_init(struct layout *l, struct inputs *in)
{
	*l = (struct layout) { .in = in, .v = calloc(in->walk.n + 1, sizeof *l->v) };
	if (!l->v)
		return false;
	for (size_t i = 0; i < in->walk.n; i++) {
		if (in->walk.v[i].duplicate || in->walk.v[i].ignored)
			continue;
		l->v[l->n] = (struct lying) { .place = place_of(in, i), .file = i };
		if (!l->v[l->n].place)
			return false;
		l->n++;
	}
	qsort_r(l->v, l->n, sizeof *l->v, by_place, in);
	return true;
}

/* The first in that place, or after where it would be. */
static size_t first_in(const struct layout *l, const char *place, size_t len)
{
	size_t lo = 0, hi = l->n;

	TM_BISECT(lo, hi, mid, strncmp(l->v[mid].place, place, len) < 0);
	return lo;
}

static bool is_database(const struct inputs *in, size_t file)
{
	const char *path = in->walk.v[file].path, *dot = strrchr(path, '.');

	return dot && !strcmp(dot, ".db");
}

/* Is there anything but file `but` that may be of the run of `file`, which lies in that place?
 * Beside it; and what is made of a database may be below or above. */
static bool has_company(const struct layout *l, const char *place, size_t file, size_t but)
{
	size_t len = strlen(place);
	bool db = is_database(l->in, file);

	for (size_t i = first_in(l, place, len); i < l->n; i++) {
		const struct lying *v = &l->v[i];

		if (strncmp(v->place, place, len) != 0)
			break;
		if (v->file != but && (!v->place[len] || db || is_database(l->in, v->file)))
			return true;
	}
	while ((len = tm_watch_place_above(place, len)) > 0)
		for (size_t i = first_in(l, place, len); i < l->n; i++) {
			const struct lying *v = &l->v[i];

			if (strncmp(v->place, place, len) != 0 || v->place[len])
				break;
			if (v->file != but && (db || is_database(l->in, v->file)))
				return true;
		}
	return false;
}

/* Does it describe GPUs?  Then it is no trace, and there is one for each run. */
static bool describes(const struct layout *l, size_t file)
{
	return l->in->walk.v[file].of != 0;
}

/* Has one place a file called as one of the other, which is another trace then? */
static bool share_names(const struct layout *l, const char *a, const char *b, size_t but)
{
	size_t i = first_in(l, a, strlen(a)), k = first_in(l, b, strlen(b));

	while (i < l->n && k < l->n && !strcmp(l->v[i].place, a) && !strcmp(l->v[k].place, b)) {
		int c = strcmp(base_of(l->in, l->v[i].file), base_of(l->in, l->v[k].file));

		if (!c && l->v[i].file != but && l->v[k].file != but && !describes(l, l->v[i].file))
			return true;
		i += c <= 0;
		k += c >= 0;
	}
	return false;
}

/* Count it instead of the one it is the same as. */
static void swap(struct inputs *in, size_t file)
{
	struct tm_walk_file *v = in->walk.v;
	size_t other = v[file].same_as;

	for (size_t i = 0; i < in->walk.n; i++)
		if (v[i].duplicate && v[i].same_as == other)
			v[i].same_as = file;
	v[file].duplicate = false;
	v[other].duplicate = true;
	v[other].same_as = file;
}

/* A copy that lies beside others: it counts if that which would has nothing beside it.  Have both,
 * both are read (runs/sources.h), unless there is another trace of one name in both places: those
 * of two processes may be alike where they did nothing. */
static bool judge_copy(const struct layout *l, struct inputs *in, size_t file)
{
	struct tm_walk_file *f = &in->walk.v[file], *other = &in->walk.v[f->same_as];
	char *here = place_of(in, file), *there = place_of(in, f->same_as);
	bool ok = here && there;

	if (ok && strcmp(here, there) != 0 && has_company(l, here, file, f->same_as)) {
		bool alone = !has_company(l, there, f->same_as, f->same_as);

		if (alone && !tm_operand_number(in->operand, other->operand))
			swap(in, file);
		else if (alone || (!strcmp(base_of(in, file), base_of(in, f->same_as)) &&
		                   !share_names(l, here, there, f->same_as)))
			f->duplicate = false;
	}
	free(here);
	free(there);
	return ok;
}

bool tm_inputs_judge_copies(struct inputs *in)
{
	struct layout l = { 0 };
	bool any = false, ok;

	for (size_t i = 0; i < in->walk.n; i++)
		any |= in->walk.v[i].duplicate && strcmp(in->walk.v[i].path, "-") != 0;
	/* Who asks what is in the files is told of each content once. */
	if (!any || in->files)
		return true;
	ok = layout_init(&l, in);
	for (size_t i = 0; ok && i < in->walk.n; i++)
		ok = !in->walk.v[i].duplicate || judge_copy(&l, in, i);
	layout_fini(&l);
	return ok;
}
