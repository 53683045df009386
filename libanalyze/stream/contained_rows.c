/* SPDX-License-Identifier: MIT */
#include "stream/contained_rows.h"

#include "read/read.h"
#include "stream/drive.h"

#include <stdlib.h>
#include <string.h>

/* What tells kernels apart, besides when they run. */
static const enum tm_ev_col telling[] = { TM_EVC_NAME,   TM_EVC_AGENT,      TM_EVC_QUEUE,
	                                  TM_EVC_STREAM, TM_EVC_PID,        TM_EVC_TID,
	                                  TM_EVC_CORR,   TM_EVC_DISPATCH_ID };

enum { TELLING = sizeof telling / sizeof *telling };

/* Rows that are not compared have these instead of a hash. */
enum { WAS_READ, HAS_COUNTERS, HAS_KERNELS };

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

/* A kernel, or whatever is compared, of that hash. */
struct row {
	uint64_t hash, start;
	uint32_t run;
	unsigned has; /* bits of telling[] */
	uint64_t cell[TELLING];
};

/* The kernels to look for: n hashes, ascending. */
struct sought {
	const struct tm_contained *c;
	uint64_t *hash;
	size_t n;
};

struct found {
	const struct sought *of;
	uint32_t run;  /* the one that is read; TM_NAME_NONE: of another nothing is asked */
	uint8_t *seen; /* was there a counter of name n: [n + 1]; of no name: [0] */
	size_t nseen;
	struct row *v;
	size_t n, cap;
};

static bool found_init(void *acc, const void *arg)
{
	*(struct found *)acc = (struct found) { .of = arg, .run = TM_NAME_NONE };
	return true;
}

static void found_fini(void *acc)
{
	struct found *f = acc;

	free(f->seen);
	free(f->v);
}

static bool add(struct found *f, const struct row *r)
{
	if (!tm_grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v))
		return false;
	f->v[f->n++] = *r;
	return true;
}

static bool found_piece(void *acc, const struct tm_piece *p)
{
	struct found *f = acc;

	if (f->nseen)
		memset(f->seen, 0, f->nseen);
	f->run = p->id.run ? tm_names_find(&f->of->c->runs, p->id.run, strlen(p->id.run))
	                   : TM_NAME_NONE;
	return f->run == TM_NAME_NONE || add(f, &(struct row) { .run = f->run, .hash = WAS_READ });
}

static bool is_sought(const struct sought *s, uint64_t hash)
{
	size_t lo = 0, hi = s->n;

	TM_BISECT(lo, hi, mid, s->hash[mid] < hash);
	return lo < s->n && s->hash[lo] == hash;
}

static struct row row_of(const struct tm_batch *b, uint32_t i)
{
	struct row r = { .start = b->col[TM_EVC_START][i] };

	for (unsigned k = 0; k < TELLING; k++) {
		const uint64_t *cell = tm_batch_cell(b, i, telling[k]);

		if (!cell)
			continue;
		r.has |= 1U << k;
		r.cell[k] = telling[k] == TM_EVC_NAME ? b->names->v[*cell].hash : *cell;
	}
	return r;
}

/* Which counters the run has: a row for each. */
static bool add_counters(struct found *f, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t *cell = tm_batch_cell(b, i, TM_EVC_COUNTER);
		const size_t at = cell ? (size_t)*cell + 1 : 0;
		const struct row r = { .run = f->run,
			               .hash = HAS_COUNTERS,
			               .cell = { cell ? b->names->v[*cell].hash : 0 } };

		if (!tm_grow_zeroed(&f->seen, &f->nseen, at + 1, 1))
			return false;
		if (!f->seen[at] && !add(f, &r))
			return false;
		f->seen[at] = 1;
	}
	return true;
}

static bool found_take(void *acc, const struct tm_batch *b)
{
	struct found *f = acc;

	if (f->run != TM_NAME_NONE && b->kind == TM_EV_COUNTER)
		return add_counters(f, b);
	if (f->run != TM_NAME_NONE && b->kind == TM_EV_DISPATCH && f->of->c->kind != b->kind)
		return add(f, &(struct row) { .run = f->run, .hash = HAS_KERNELS });
	if (f->run == TM_NAME_NONE || b->kind != f->of->c->kind || (b->some & TIMED) != TIMED)
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		struct row r;
		uint64_t h;

		if (!tm_batch_has_all(b, i, TIMED))
			continue;
		h = tm_contained_hash(b, i);
		if (!is_sought(f->of, h))
			continue;
		r = row_of(b, i);
		r.hash = h;
		r.run = f->run;
		if (!add(f, &r))
			return false;
	}
	return true;
}

static bool found_merge(void *into, void *from)
{
	struct found *f = into;
	const struct found *o = from;

	if (!o->n)
		return true;
	if (!tm_grow_array(&f->v, &f->cap, f->n + o->n, sizeof *f->v))
		return false;
	memcpy(f->v + f->n, o->v, o->n * sizeof *o->v);
	f->n += o->n;
	return true;
}

static const struct tm_event_sink found_sink = {
	.size = sizeof(struct found),
	.init = found_init,
	.piece = found_piece,
	.take = found_take,
	.merge = found_merge,
	.fini = found_fini,
};

static int by_hash(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* ---- which kernels are sought ---- */

/* Which runs are parts, and is there one? */
struct parts {
	bool *is;
	bool any;
};

static bool mark(void *arg, uint32_t whole, struct tm_contained_part *v, size_t n)
{
	struct parts *p = arg;

	(void)whole;
	for (size_t i = 0; i < n; i++)
		p->is[v[i].run] = true;
	return p->any = true;
}

static void mark_pair(void *arg, uint32_t a, uint32_t b)
{
	struct parts *p = arg;

	p->any = p->is[a] = p->is[b] = true;
}

/* All that are to be compared.  False when out of memory. */
static bool mark_all(const struct tm_contained *c, struct parts *p)
{
	for (uint32_t i = 0; i < c->runs.n && c->kind == TM_EV_DISPATCH; i++)
		if (tm_contained_repeats(&c->v[i]))
			p->any = p->is[i] = true;
	return tm_contained_each(c, mark, p) && tm_contained_pairs(c, mark_pair, p);
}

/* What was kept of all of these.  False when out of memory. */
static bool seek(struct sought *s, const struct parts *p)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < s->c->runs.n; i++) {
		const struct tm_contained_run *r = &s->c->v[i];

		if (!p->is[i])
			continue;
		if (!tm_grow_array(&s->hash, &cap, s->n + r->nleast, sizeof *s->hash))
			return false;
		memcpy(s->hash + s->n, r->least, r->nleast * sizeof *r->least);
		s->n += r->nleast;
	}
	if (s->n)
		qsort(s->hash, s->n, sizeof *s->hash, by_hash);
	return true;
}

/* ---- what was found ---- */

static int by_run(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->run != b->run)
		return a->run > b->run ? 1 : -1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

/* By all that is in them: equal ones are neighbors. */
static int by_row(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	int c = by_run(a, b);

	if (c || a->has != b->has)
		return c ? c : a->has > b->has ? 1 : -1;
	for (unsigned k = 0; !c && k < TELLING; k++)
		c = (a->cell[k] > b->cell[k]) - (a->cell[k] < b->cell[k]);
	return c;
}

/* The rows of a run with a hash. */
static const struct row *rows_of(const struct found *f, uint32_t run, uint64_t hash, size_t *n)
{
	const struct row key = { .run = run, .hash = hash };
	size_t lo = 0, hi = f->n;

	TM_BISECT(lo, hi, mid, by_run(&f->v[mid], &key) < 0);
	for (hi = lo; hi < f->n && !by_run(&f->v[hi], &key);)
		hi++;
	*n = hi - lo;
	return f->v + lo;
}

/* In what both have. */
static bool same(const struct row *a, const struct row *b)
{
	for (unsigned k = 0; k < TELLING; k++)
		if ((a->has & b->has) >> k & 1 && a->cell[k] != b->cell[k])
			return false;
	return true;
}

static bool has_row(const struct found *f, uint32_t run, uint64_t hash)
{
	size_t n;

	(void)rows_of(f, run, hash, &n);
	return n > 0;
}

/* Has run b a counter that a lacks? */
static bool lacks_counter(const struct found *f, uint32_t a, uint32_t b)
{
	size_t na, nb, i = 0;
	const struct row *v = rows_of(f, a, HAS_COUNTERS, &na);
	const struct row *w = rows_of(f, b, HAS_COUNTERS, &nb);

	/* Both are in order of their hashes: by_row(). */
	for (size_t k = 0; k < nb; k++) {
		while (i < na && v[i].cell[0] < w[k].cell[0])
			i++;
		if (i == na || v[i].cell[0] != w[k].cell[0])
			return true;
	}
	return false;
}

/* Would counters be lost with the part?  Of equal ones that may be either. */
static bool has_counters(const struct tm_contained *c, const struct found *f, uint32_t part,
                         uint32_t whole)
{
	return lacks_counter(f, whole, part) ||
	       (c->v[part].kernels == c->v[whole].kernels && lacks_counter(f, part, whole));
}

/* Is the k-th of the least also one of those before it? */
static bool is_again(const struct tm_contained_run *r, uint32_t k)
{
	for (uint32_t i = 0; i < k; i++)
		if (r->least[i] == r->least[k])
			return true;
	return false;
}

/* Has the whole none like one that was kept of the part?  Not known if one was not read. */
static bool is_other(const struct tm_contained *c, const struct found *f, uint32_t part,
                     uint32_t whole)
{
	const struct tm_contained_run *r = &c->v[part];
	const struct row *a, *b;
	size_t na, nb, i;

	if (has_counters(c, f, part, whole))
		return true;
	for (uint32_t k = 0; k < r->nleast; k++) {
		if (is_again(r, k))
			continue;
		a = rows_of(f, part, r->least[k], &na);
		b = rows_of(f, whole, r->least[k], &nb);
		/* Of many at the same time, as if no clock ran, some will do. */
		for (size_t j = 0; j < na; j += 1 + na / TM_CONTAINED_LEAST) {
			for (i = 0; i < nb && !same(&a[j], &b[i]);)
				i++;
			if (i == nb)
				return true;
		}
	}
	return false;
}

/* Has the row a number there?  0 is none. */
static bool has_cell(const struct row *r, enum tm_ev_col col)
{
	for (unsigned k = 0; k < TELLING; k++)
		if (telling[k] == col)
			return r->cell[k] != 0;
	return false;
}

/* Does a number tell that kernel from any other of its run?  The correlation id does not: all
 * kernels of a graph have that of its launch. */
static bool has_number(const struct row *r)
{
	return has_cell(r, TM_EVC_DISPATCH_ID);
}

/* Is the row told from those of other processes, by more than when it was? */
static bool is_told(const struct row *r, enum tm_ev_kind kind)
{
	return has_number(r) ||
	       (kind != TM_EV_DISPATCH && (has_cell(r, TM_EVC_CORR) || has_cell(r, TM_EVC_TID)));
}

/* Does a run have kernels more than once: many, or all of few?  Then how many, *of those that were
 * kept; else 0.  A dispatch with counters may have a row for each.  *bare: all have equal ones, and
 * no number tells whether they are others. */
static size_t repeated(const struct found *f, uint32_t run, size_t *of, bool *bare)
{
	const struct row key = { .run = run };
	size_t lo = 0, hi = f->n, n = 0, alike = 0, first;
	bool twice = false, numbers = false;

	TM_BISECT(lo, hi, mid, by_run(&f->v[mid], &key) < 0);
	*of = 0;
	*bare = false;
	for (first = lo; lo < f->n && f->v[lo].run == run; lo++) {
		const struct row *r = &f->v[lo];

		if (r->hash == HAS_COUNTERS)
			return 0;
		if (r->hash == WAS_READ)
			continue;
		numbers |= has_number(r) || has_cell(r, TM_EVC_CORR);
		if (lo == first || r[-1].hash != r->hash) {
			twice = false;
			++*of;
		} else if (!twice && !by_row(&r[-1], r)) {
			twice = true;
			alike++;
			n += has_number(r);
		}
	}
	*bare = !numbers && alike == *of && alike >= TM_CONTAINED_FEW;
	return n >= TM_CONTAINED_FEW || (n > 1 && n == *of) ? n : 0;
}

/* Kernels of two runs, as far as all of them are known: how many are the same and when they start,
 * and when those do that only one has. */
struct common {
	size_t n;
	uint64_t first, last;
	uint64_t from[2], to[2]; /* to < from: it has no others */
};

static bool is_in(const struct row *r, const struct row *v, size_t n, enum tm_ev_kind kind)
{
	for (size_t i = 0; i < n; i++)
		if (is_told(r, kind) && same(r, &v[i]))
			return true;
	return false;
}

/* Those of run a, seen from b.  Of many at the same time, as if no clock ran, nobody asks which. */
static void compare(struct common *m, const struct found *f, uint32_t a, uint32_t b, uint64_t limit,
                    int side)
{
	const struct row key = { .run = a }, *of = NULL;
	size_t lo = 0, hi = f->n, n = 0, first;

	TM_BISECT(lo, hi, mid, by_run(&f->v[mid], &key) < 0);
	for (first = lo; lo < f->n && f->v[lo].run == a && f->v[lo].hash <= limit; lo++) {
		const struct row *r = &f->v[lo];
		uint64_t *from = &m->from[side], *to = &m->to[side];

		if (lo == first || r[-1].hash != r->hash)
			of = rows_of(f, b, r->hash, &n);
		if (r->hash <= HAS_KERNELS || n > TM_CONTAINED_LEAST)
			continue;
		if (is_in(r, of, n, f->of->c->kind)) {
			m->n += !side;
			from = &m->first;
			to = &m->last;
		}
		*from = r->start < *from ? r->start : *from;
		*to = r->start > *to ? r->start : *to;
	}
}

/* Are the runs two pieces of one table: one of them ends with what the other begins with?  Of two
 * that began alike and then did other work, as a program before and after a change, the others come
 * after. */
static bool overlap(const struct common *m)
{
	return m->from[0] <= m->to[0] && m->from[1] <= m->to[1] &&
	       ((m->to[0] < m->first && m->from[1] > m->last) ||
	        (m->to[1] < m->first && m->from[0] > m->last));
}

/* What two runs have in common.  False: too little, or counters would be lost with one of them. */
static bool have_common(const struct tm_contained *c, const struct found *f, uint32_t a, uint32_t b,
                        struct common *m)
{
	const uint64_t x = tm_contained_limit(&c->v[a]), y = tm_contained_limit(&c->v[b]);

	*m = (struct common) { .first = UINT64_MAX, .from = { UINT64_MAX, UINT64_MAX } };
	compare(m, f, a, b, x < y ? x : y, 0);
	compare(m, f, b, a, x < y ? x : y, 1);
	return m->n >= TM_CONTAINED_FEW &&
	       (c->kind != TM_EV_DISPATCH ||
	        (!has_row(f, a, HAS_COUNTERS) && !has_row(f, b, HAS_COUNTERS)));
}

/* Files only: a pipe gives nothing a second time, or keeps us waiting.  NULL when out of memory. */
static struct tm_input *files_of(const struct tm_input *in, size_t nin, size_t *n)
{
	struct tm_input *v = malloc((nin + 1) * sizeof *v);

	*n = 0;
	for (size_t i = 0; v && i < nin; i++)
		if (in[i].size)
			v[(*n)++] = in[i];
	return v;
}

/* Read the files again for what is sought.  False when out of memory. */
static bool find(struct found *f, const struct sought *s, const struct tm_drive *d,
                 const struct tm_input *in, size_t nin)
{
	struct tm_event_sink sink = found_sink;
	struct tm_drive again = *d;
	struct tm_report rep = { 0 };
	size_t n;
	struct tm_input *files = files_of(in, nin, &n);
	bool ok;

	sink.arg = s;
	again.want = TIMED | TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	for (unsigned k = 0; k < TELLING; k++)
		again.want |= TM_EV_BIT(telling[k]);
	again.progress = NULL;
	again.twice = NULL;
	again.watch = NULL;
	again.processes = NULL;
	again.whole = false;
	again.filter = NULL;
	ok = files && tm_drive_run(&again, files, n, &sink, f, &rep) == TM_ST_OK;
	/* What is not read for want of memory would not be known. */
	for (size_t i = 0; i < rep.n; i++)
		ok &= !rep.v[i].no_memory;
	if (ok && f->n)
		qsort(f->v, f->n, sizeof *f->v, by_row);
	free(files);
	tm_report_fini(&rep);
	return ok;
}

/* ---- what is said ---- */

static const char *word(const struct tm_contained *c)
{
	static const char *const words[TM_CONTAINED_KINDS] = { "kernels", "copies", "calls",
		                                               "allocations" };

	return words[c->kind];
}

static void tell(const struct tm_contained *c, uint32_t whole, uint32_t part, size_t n,
                 struct tm_report *rep)
{
	const char *of = c->paths.v[c->v[whole].path].text, *one = c->paths.v[c->v[part].path].text;

	if (c->v[whole].kernels == c->v[part].kernels)
		tm_report_add(rep, TM_SEV_ERROR, one, 0,
		              "has the same kernels as %.300s, which would count twice; give one "
		              "of the two",
		              of);
	else if (n == 1)
		tm_report_add(rep, TM_SEV_ERROR, of, 0,
		              "contains the kernels of %.300s, which would count twice; give one "
		              "of the two",
		              one);
	else
		tm_report_add(rep, TM_SEV_ERROR, of, 0,
		              "contains the kernels of %.300s and %zu more, which would count "
		              "twice; give one of the two",
		              one, n - 1);
}

struct judge {
	const struct tm_contained *c;
	const struct found *f;
	struct tm_report *rep;
	bool told;
};

/* Nobody knows whether these are the same kernels: one of the two is read from a pipe. */
static bool is_unread(const struct judge *j, uint32_t part, uint32_t whole)
{
	if (has_row(j->f, part, WAS_READ) && has_row(j->f, whole, WAS_READ))
		return false;
	tm_report_add(j->rep, TM_SEV_WARN, j->c->paths.v[j->c->v[part].path].text, 0,
	              "may have the same kernels as %.300s; standard input cannot be read again to "
	              "compare them: both count",
	              j->c->paths.v[j->c->v[whole].path].text);
	return true;
}

/* Those that tell only together do so if none is another. */
static bool judge(void *arg, uint32_t whole, struct tm_contained_part *v, size_t n)
{
	struct judge *j = arg;
	size_t same = 0, k = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_unread(j, v[i].run, whole) && !is_other(j->c, j->f, v[i].run, whole))
			v[same++] = v[i];
	for (size_t i = 0; i < same; i++)
		if (same == n || !v[i].few)
			v[k++] = v[i];
	j->told = k > 0;
	if (k)
		tell(j->c, whole, v[0].run, k, j->rep);
	return !k;
}

/* The first run that has kernels more than once. */
static bool tell_repeats(const struct judge *j)
{
	const struct tm_contained *c = j->c;
	uint32_t first = TM_NAME_NONE;
	size_t n = 0, of = 0;

	for (uint32_t i = 0; i < c->runs.n; i++) {
		size_t some, all;
		bool bare;

		if (!tm_contained_repeats(&c->v[i]))
			continue;
		if (!has_row(j->f, i, WAS_READ)) {
			tm_report_add(j->rep, TM_SEV_WARN, c->paths.v[c->v[i].path].text, 0,
			              "may have rows more than once; standard input cannot be read "
			              "again to compare them: all count");
			continue;
		}
		some = repeated(j->f, i, &all, &bare);
		if (bare)
			tm_report_add(j->rep, TM_SEV_WARN, c->paths.v[c->v[i].path].text, 0,
			              "may have rows more than once: each of the %zu kernels that "
			              "were compared is there again, and no id tells them apart: "
			              "all count",
			              all);
		if (!some || (first != TM_NAME_NONE && tm_name_cmp(&c->paths.v[c->v[first].path],
		                                                   &c->paths.v[c->v[i].path]) < 0))
			continue;
		first = i;
		n = some;
		of = all;
	}
	if (!n)
		return false;
	tm_report_add(j->rep, TM_SEV_ERROR, c->paths.v[c->v[first].path].text, 0,
	              "has rows more than once, which count, too: %zu of %zu kernels that were "
	              "compared; remove the repeated rows",
	              n, of);
	return true;
}

/* Have both runs kernels, which are other ones?  Processes in step may do the rest at one time. */
static bool have_kernels(const struct found *f, uint32_t a, uint32_t b)
{
	return has_row(f, a, HAS_KERNELS) && has_row(f, b, HAS_KERNELS);
}

/* The first two runs that overlap, or of which one is a part: if nothing was found that only that
 * one has.  Of kernels, parts are known already. */
static void tell_common(void *arg, uint32_t a, uint32_t b)
{
	struct judge *j = arg;
	const struct tm_contained *c = j->c;
	const char *of = c->paths.v[c->v[a].path].text, *one = c->paths.v[c->v[b].path].text;
	struct common m;

	if (j->told || have_kernels(j->f, a, b) || !have_common(c, j->f, a, b, &m))
		return;
	j->told = true;
	if (overlap(&m))
		tm_report_add(
		        j->rep, TM_SEV_ERROR, one, 0,
		        "overlaps with %.300s: of the %s that were compared, %zu are in both, "
		        "and count twice; give pieces that do not overlap",
		        of, word(c), m.n);
	else if (c->kind != TM_EV_DISPATCH && (m.from[0] > m.to[0] || m.from[1] > m.to[1]))
		tm_report_add(j->rep, TM_SEV_ERROR, one, 0,
		              "of the %s that were compared, %zu are also in %.300s, and count "
		              "twice; give one of the two",
		              word(c), m.n, of);
	else
		j->told = false;
}

bool tm_contained_tell(const struct tm_contained *c, const struct tm_drive *d,
                       const struct tm_input *in, size_t nin, struct tm_report *rep)
{
	struct sought s = { .c = c };
	struct parts parts = { .is = calloc(c->runs.n + 1u, sizeof *parts.is) };
	struct found f;
	struct judge j = { .c = c, .f = &f, .rep = rep };
	bool ok = found_init(&f, &s) && parts.is && mark_all(c, &parts);

	if (ok && parts.any)
		ok = seek(&s, &parts) && find(&f, &s, d, in, nin) &&
		     tm_contained_each(c, judge, &j);
	j.told = j.told || (ok && c->kind == TM_EV_DISPATCH && tell_repeats(&j));
	ok = ok && (j.told || !parts.any || tm_contained_pairs(c, tell_common, &j));
	rep->lost |= !ok;
	found_fini(&f);
	free(s.hash);
	free(parts.is);
	return j.told;
}
