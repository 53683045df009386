/* SPDX-License-Identifier: MIT */
#include "stream/watch.h"

#include "base/base.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "pmc_12" and how long that is; 0 = it is none. */
static size_t pass_part(const char *p, uint64_t *n)
{
	size_t digits;

	if (strncmp(p, "pmc_", 4) != 0)
		return 0;
	digits = strspn(p + 4, "0123456789");
	return digits && p[4 + digits] == '/' && tm_num_u64(p + 4, digits, n) ? 4 + digits : 0;
}

char *tm_watch_place_of(const char *run, uint64_t *pass)
{
	const char *slash = strrchr(run, '/'), *end = slash ? slash + 1 : run;
	struct tm_buf b = { 0 };

	*pass = UINT64_MAX;
	for (const char *p = run; p < end;) {
		const char *next = strchr(p, '/') + 1;

		if (!pass_part(p, pass))
			tm_buf_add(&b, p, (size_t)(next - p));
		p = next;
	}
	tm_buf_add(&b, "", 0);
	if (b.failed)
		tm_buf_fini(&b);
	return b.p;
}

static struct tm_watch_place *place_of(struct tm_watch *w, const char *run, uint64_t *pass)
{
	char *text = tm_watch_place_of(run, pass);
	uint32_t n = w->places.n;
	uint32_t id = text ? tm_names_add(&w->places, text, strlen(text)) : TM_NAME_NONE;

	free(text);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&w->place, &w->place_cap, w->places.n, sizeof *w->place))
		return NULL;
	if (w->places.n > n)
		w->place[id] = (struct tm_watch_place) { 0 };
	return &w->place[id];
}

/* The length of a path without what says how the file is compressed. */
static size_t unpacked(const char *path)
{
	static const char *const packed[] = { ".gz", ".zst", ".xz", ".bz2", ".lz4" };
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
		size_t k = strlen(packed[i]);

		if (n > k && !strcasecmp(path + n - k, packed[i]))
			return n - k;
	}
	return n;
}

/* The number of a file; *again: one of that name has been noted. */
static uint32_t note_file(struct tm_watch *w, const char *path, bool *again)
{
	uint32_t had = w->files.n, id = tm_names_add(&w->files, path, unpacked(path));

	*again = w->files.n == had;
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&w->head, &w->head_cap, w->files.n, sizeof *w->head))
		return TM_NAME_NONE;
	if (!*again)
		w->head[id] = TM_NAME_NONE;
	return id;
}

uint32_t tm_watch_file(const struct tm_watch *w, const char *path)
{
	return tm_names_find(&w->files, path, unpacked(path));
}

uint32_t tm_watch_head(const struct tm_watch *w, const char *path)
{
	uint32_t id = tm_watch_file(w, path);

	return id == TM_NAME_NONE ? TM_NAME_NONE : w->head[id];
}

static bool is_wide(const char *format)
{
	return !strcmp(format, "rocprofv1-csv") || !strcmp(format, "rocprofv2-csv");
}

/* Tables that may be passes over the same dispatches: with a column for each counter, or a row.
 * False when out of memory. */
static bool note_table(struct tm_watch *w, struct tm_watch_place *at, uint32_t file,
                       const struct tm_watched *t)
{
	static const char counter[] = "counter_name";
	const unsigned char *nl = t->p ? memchr(t->p, '\n', t->n) : NULL;
	size_t n = nl ? (size_t)(nl - t->p) : t->n, k = sizeof counter - 1;
	uint32_t head;

	if (!t->p || file == TM_NAME_NONE)
		return true;
	for (size_t i = 0; n >= k && i <= n - k; i++)
		if (!strncasecmp((const char *)t->p + i, counter, k)) {
			at->counting = true;
			return true;
		}
	if (!is_wide(t->format))
		return true;
	head = tm_names_add(&w->tables, (const char *)t->p, n);
	at->heads |= at->wide && at->head != head;
	at->head = head;
	at->wide = true;
	w->head[file] = head;
	return head != TM_NAME_NONE;
}

/* The formats of a database are known. */
static void close_set(struct tm_watch_place *p)
{
	if (p->set && !p->first)
		p->first = p->set;
	p->differ |= p->set && p->set != p->first;
	p->set = 0;
}

/* A trace of a database. */
static void note_stored(struct tm_watch_place *p, const struct tm_watched *t, uint64_t format)
{
	bool counts = strstr(t->table, "counter") || is_wide(t->format);

	if (p->stored && p->input != t->input)
		close_set(p);
	p->input = t->input;
	p->stored = true;
	p->set |= format;
	if (!counts)
		return;
	p->counters |= p->wide || p->counting || (p->counted && p->counted != t->input + 1);
	p->counted = t->input + 1;
}

static bool contested(const struct tm_watch_place *p)
{
	uint64_t all = p->formats | p->first | p->set;

	if (p->differ || p->counters || (p->formats && p->stored && (all & (all - 1))))
		return true;
	return (p->formats & (p->formats - 1)) || (p->counting && p->runs > 1) || p->heads ||
	       p->passes || p->packed || p->sums;
}

bool tm_watch_add(struct tm_watch *w, const struct tm_watched *t)
{
	struct tm_format_facts f = tm_reader_facts(t->format);
	struct tm_watch_place *at;
	uint32_t file = TM_NAME_NONE, had = w->paths.n;
	uint64_t pass;
	bool again = false, was;

	if (f.holds == TM_HOLDS_ASIDE || f.holds == TM_HOLDS_RUNS)
		return true;
	if (t->path && tm_names_add(&w->paths, t->path, strlen(t->path)) == TM_NAME_NONE)
		return false;
	if (t->path && w->paths.n == had)
		return true;
	at = place_of(w, t->run, &pass);
	if (t->path)
		file = note_file(w, t->path, &again);
	had = w->traced.n;
	if (!at || (t->path && file == TM_NAME_NONE))
		return false;
	if (f.holds == TM_HOLDS_SUMS) {
		was = contested(at);
		at->packed |= again;
		w->fresh |= !was && contested(at) && !at->decided;
		return tm_names_add(&w->summed, t->run, strlen(t->run)) != TM_NAME_NONE;
	}
	if (tm_names_add(&w->traced, t->run, strlen(t->run)) == TM_NAME_NONE)
		return false;
	was = contested(at);
	if (!t->path) {
		note_stored(at, t, UINT64_C(1) << (f.place & 63));
		return true;
	}
	at->formats |= UINT64_C(1) << (f.place & 63);
	at->packed |= again;
	at->runs += w->traced.n - had;
	if (pass != UINT64_MAX) {
		at->passes |= at->passed && at->pass != pass;
		at->pass = pass;
		at->passed = true;
	}
	if (!note_table(w, at, file, t))
		return false;
	w->fresh |= !was && contested(at) && !at->decided;
	return true;
}

bool tm_watch_all_seen(struct tm_watch *w)
{
	for (uint32_t i = 0; i < w->places.n; i++) {
		close_set(&w->place[i]);
		w->fresh |= w->place[i].stored && contested(&w->place[i]) && !w->place[i].decided;
	}
	for (uint32_t i = 0; i < w->summed.n; i++) {
		const struct tm_name *run = &w->summed.v[i];
		struct tm_watch_place *at;
		uint64_t pass;

		if (tm_names_find(&w->traced, run->text, run->len) != TM_NAME_NONE)
			continue;
		at = place_of(w, run->text, &pass);
		if (!at)
			return false;
		at->sums |= at->formats != 0;
		w->fresh |= at->sums && !at->decided;
	}
	return true;
}

static const struct tm_watch_place *find_place(const struct tm_watch *w, const char *run)
{
	uint64_t pass;
	char *text = tm_watch_place_of(run, &pass);
	uint32_t id = text ? tm_names_find(&w->places, text, strlen(text)) : TM_NAME_NONE;

	free(text);
	return id == TM_NAME_NONE ? NULL : &w->place[id];
}

bool tm_watch_contested(const struct tm_watch *w, const char *run)
{
	const struct tm_watch_place *p = find_place(w, run);

	return p && contested(p);
}

bool tm_watch_passes(const struct tm_watch *w, const char *run)
{
	const struct tm_watch_place *p = find_place(w, run);

	return p && (p->passes || p->heads || p->counters || (p->counting && p->runs > 1));
}

void tm_watch_decided(struct tm_watch *w)
{
	for (uint32_t i = 0; i < w->places.n; i++)
		w->place[i].decided = true;
	w->fresh = false;
}

void tm_watch_fini(struct tm_watch *w)
{
	tm_names_fini(&w->places);
	free(w->place);
	tm_names_fini(&w->paths);
	tm_names_fini(&w->files);
	tm_names_fini(&w->tables);
	free(w->head);
	tm_names_fini(&w->traced);
	tm_names_fini(&w->summed);
	*w = (struct tm_watch) { 0 };
}
