/* SPDX-License-Identifier: MIT */
#include "stream/watch.h"

#include "base/base.h"
#include "read/read.h"
#include "stream/rank.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Is it "pmc_12" or "pass_12", up to one of the characters `ends`? */
static bool is_pass(const char *p, const char *ends, uint64_t *n)
{
	static const char *const words[] = { "pmc_", "pass_" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t word = strlen(words[i]), digits;

		if (strncmp(p, words[i], word) != 0)
			continue;
		digits = strspn(p + word, "0123456789");
		if (digits && p[word + digits] && strchr(ends, p[word + digits]) &&
		    tm_num_u64(p + word, digits, n))
			return true;
	}
	return false;
}

/* Where the name of a member begins, in the component of a path of n bytes: "o.tgz:pmc_1/". */
static const char *member_of(const char *p, size_t n)
{
	const char *colon = memrchr(p, ':', n);

	return colon ? colon + 1 : p;
}

/* Is that component of n bytes of no place of its own: a pass, or the top of an archive, be it that
 * of a pass?  As is the archive whose member it ends with. */
static bool says_nothing(const char *p, size_t n, uint64_t *pass)
{
	const char *member = member_of(p, n);
	const bool top = member > p && !strncmp(member, "./", 2);

	if (top)
		is_pass(p, ".", pass);
	return top || is_pass(member, "/", pass);
}

char *tm_watch_place_of(const char *run, uint64_t *pass)
{
	const char *slash = strrchr(run, '/'), *end = slash ? slash + 1 : run;
	struct tm_buf b = { 0 };

	*pass = UINT64_MAX;
	for (const char *p = run; p < end;) {
		const char *next = strchr(p, '/') + 1;

		if (!says_nothing(p, (size_t)(next - p), pass))
			tm_buf_add(&b, p, (size_t)(next - p));
		p = next;
	}
	/* What tm_run_of_path leaves of "pmc_1.tgz:out_results.db". */
	if (strchr(end, ':'))
		is_pass(end, "_", pass);
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

size_t tm_watch_unpacked(const char *path)
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
	uint32_t had = w->files.n, id = tm_names_add(&w->files, path, tm_watch_unpacked(path));

	*again = w->files.n == had;
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&w->head, &w->head_cap, w->files.n, sizeof *w->head))
		return TM_NAME_NONE;
	if (!*again)
		w->head[id] = TM_NAME_NONE;
	return id;
}

bool tm_watch_is_packed(const char *path)
{
	return tm_watch_unpacked(path) < strlen(path);
}

uint32_t tm_watch_file(const struct tm_watch *w, const char *path)
{
	return tm_names_find(&w->files, path, tm_watch_unpacked(path));
}

uint32_t tm_watch_head(const struct tm_watch *w, const char *path)
{
	uint32_t id = tm_watch_file(w, path);

	return id == TM_NAME_NONE ? TM_NAME_NONE : w->head[id];
}

uint64_t tm_watch_start(const unsigned char *p, size_t n)
{
	uint64_t hash = n ? tm_hash_bytes(tm_hash_own(), p, n) : 0;

	return n && !hash ? 1 : hash;
}

uint32_t tm_watch_start_of(const struct tm_watch *w, const char *path)
{
	uint32_t id = tm_names_find(&w->paths, path, strlen(path));

	return id == TM_NAME_NONE ? TM_NAME_NONE : w->start_of[id];
}

bool tm_watch_copied(const struct tm_watch *w, const char *path)
{
	uint32_t start = tm_watch_start_of(w, path);

	return (start != TM_NAME_NONE && w->start[start].again) ||
	       (w->guids_again &&
	        tm_names_find(&w->with_guids, path, strlen(path)) != TM_NAME_NONE);
}

/* The path noted last begins like this; `place` is TM_NAME_NONE for what lies beside the runs.
 * False when out of memory. */
static bool note_start(struct tm_watch *w, uint64_t start, uint32_t place)
{
	uint32_t path = w->paths.n - 1, had = w->starts.n, id;
	struct tm_watch_start *s;

	if (!start)
		return true;
	id = tm_names_add(&w->starts, (const char *)&start, sizeof start);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&w->start, &w->start_cap, w->starts.n, sizeof *w->start))
		return false;
	w->start_of[path] = id;
	s = &w->start[id];
	if (id == had) {
		*s = (struct tm_watch_start) { .place = place };
		return true;
	}
	s->again = true;
	if (s->place != TM_NAME_NONE)
		w->place[s->place].copied = true;
	if (place != TM_NAME_NONE)
		w->place[place].copied = true;
	w->fresh = true;
	return true;
}

/* A run holds that process.  False when out of memory. */
static bool note_guid(struct tm_watch *w, uint64_t run, const char *guid, size_t n)
{
	uint32_t had = w->guids.n, id = tm_names_add(&w->guids, guid, n);

	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&w->guid_run, &w->guid_run_cap, w->guids.n, sizeof *w->guid_run))
		return false;
	if (w->guids.n > had)
		w->guid_run[id] = run;
	w->guids_again |= w->guid_run[id] != run;
	return true;
}

/* The id in the first row of a table of rocpd convert, of *n bytes: its first column; NULL: it is
 * none. */
static const char *first_guid(const struct tm_watched *t, size_t *n)
{
	static const char head[] = "\"Guid\",";
	const unsigned char *end = t->p ? t->p + t->n : NULL, *p;

	if (!t->p || t->n < sizeof head || memcmp(t->p, head, sizeof head - 1) != 0)
		return NULL;
	p = memchr(t->p, '\n', t->n);
	if (!p || ++p == end || *p++ != '"')
		return NULL;
	end = memchr(p, '"', (size_t)(end - p));
	*n = end ? (size_t)(end - p) : 0;
	return end ? (const char *)p : NULL;
}

/* The trace holds some process: whoever else holds it may hold what it holds. */
static bool note_holder(struct tm_watch *w, const char *path, bool was)
{
	uint32_t had = w->with_guids.n;

	if (tm_names_add(&w->with_guids, path, strlen(path)) == TM_NAME_NONE)
		return false;
	w->fresh |= w->guids_again && (!was || w->with_guids.n > had);
	return true;
}

bool tm_watch_processes(struct tm_watch *w, const char *path, const struct tm_names *names,
                        const uint32_t *guid, size_t n)
{
	const uint64_t run = tm_hash_bytes(tm_hash_own(), path, strlen(path));
	const bool was = w->guids_again;

	for (size_t i = 0; i < n; i++) {
		const struct tm_name *nm = &names->v[guid[i]];

		if (!note_guid(w, run, nm->text, nm->len))
			return false;
	}
	return !n || note_holder(w, path, was);
}

/* A table says in its first row which process it is of, or one of them. */
static bool note_first_guid(struct tm_watch *w, const struct tm_watched *t)
{
	const bool was = w->guids_again;
	size_t n;
	const char *guid = t->run && t->path ? first_guid(t, &n) : NULL;

	return !guid ||
	       (note_guid(w, tm_hash_bytes(tm_hash_own(), t->run, strlen(t->run)), guid, n) &&
	        note_holder(w, t->path, was));
}

/* One more path; *known: it was noted before.  False when out of memory. */
static bool note_path(struct tm_watch *w, const char *path, bool *known)
{
	uint32_t had = w->paths.n, id = tm_names_add(&w->paths, path, strlen(path));

	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&w->start_of, &w->start_of_cap, w->paths.n, sizeof *w->start_of))
		return false;
	*known = id != had;
	if (!*known)
		w->start_of[id] = TM_NAME_NONE;
	return true;
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
static void close_set(struct tm_watch_sets *p)
{
	if (p->set && !p->first)
		p->first = p->set;
	p->differ |= p->set && p->set != p->first;
	p->set = 0;
}

/* A trace of a database. */
static void note_stored(struct tm_watch_sets *p, const struct tm_watched *t, uint64_t format)
{
	if (p->stored && p->input != t->input)
		close_set(p);
	p->input = t->input;
	p->stored = true;
	p->set |= format;
}

/* It may be one of the passes over the same dispatches. */
static void note_stored_table(struct tm_watch_place *p, const struct tm_watched *t)
{
	if (!strstr(t->table, "counter") && !is_wide(t->format))
		return;
	p->counters |= p->wide || p->counting || (p->counted && p->counted != t->input + 1);
	p->counted = t->input + 1;
}

size_t tm_watch_place_above(const char *place, size_t n)
{
	while (n && place[n - 1] == '/')
		n--;
	while (n && place[n - 1] != '/')
		n--;
	return n;
}

/* What tracecat drew is a format of its own: there may be what it was drawn of, in any format. */
#define DRAWN (UINT64_C(1) << 63)

static bool several(uint64_t formats)
{
	return (formats & (formats - 1)) != 0;
}

/* May what is given be of one run in two formats?  These may lie anywhere: people sort files by
 * format, a converter writes into a directory of its own.  What a database holds was compared when
 * it was merged. */
static bool mixed(const struct tm_watch_sets *s)
{
	return s->alone || s->differ || several(s->formats) ||
	       (s->formats && s->stored && several(s->formats | s->first | s->set));
}

static bool contested(const struct tm_watch_place *p)
{
	return p->counters || (p->counting && p->runs > 1) || p->heads || p->passes || p->packed ||
	       p->copied || p->sums || (p->parts && p->merged);
}

/* GPUs of one machine are told alike by all of its runs: only of one run that is a copy. */
static uint64_t start_in_run(uint64_t start, const char *run)
{
	const uint64_t both[] = { start, tm_hash_bytes(tm_hash_own(), run, strlen(run)) };

	return start ? tm_hash_words(tm_hash_own(), both, 2) : 0;
}

/* A database in an archive, whose traces nobody has seen, may be of whatever else there is. */
static bool beside_packed_runs(const struct tm_watch *w)
{
	return w->packed_runs && w->paths.n > 1;
}

/* Something was noted of a place; was: what is given was mixed. */
static void note_contested(struct tm_watch *w, const struct tm_watch_place *p, bool was)
{
	const bool now = mixed(&w->sets);

	w->fresh |= (now && !was) || (!p->decided && (now || contested(p)));
}

bool tm_watch_add(struct tm_watch *w, const struct tm_watched *t)
{
	struct tm_format_facts f = tm_reader_facts(t->format);
	const bool gpus = f.holds == TM_HOLDS_GPUS;
	struct tm_watch_place *at;
	uint32_t file = TM_NAME_NONE, had;
	uint64_t pass, format;
	bool again = false, was, known = false;

	if (t->path && !note_path(w, t->path, &known))
		return false;
	if (known)
		return true;
	w->packed_runs |= t->run && t->path && f.holds == TM_HOLDS_RUNS;
	w->fresh |= beside_packed_runs(w);
	if (!note_first_guid(w, t))
		return false;
	if (!t->run || f.holds == TM_HOLDS_ASIDE || gpus || f.holds == TM_HOLDS_RUNS)
		return !t->path ||
		       note_start(w, t->run && gpus ? start_in_run(t->start, t->run) : t->start,
		                  TM_NAME_NONE);
	at = place_of(w, t->run, &pass);
	if (t->path)
		file = note_file(w, t->path, &again);
	had = w->traced.n;
	if (!at || (t->path &&
	            (file == TM_NAME_NONE || !note_start(w, t->start, (uint32_t)(at - w->place)))))
		return false;
	if (f.holds == TM_HOLDS_SUMS) {
		at->packed |= again;
		note_contested(w, at, mixed(&w->sets));
		return tm_names_add(&w->summed, t->run, strlen(t->run)) != TM_NAME_NONE;
	}
	if (tm_names_add(&w->traced, t->run, strlen(t->run)) == TM_NAME_NONE)
		return false;
	was = mixed(&w->sets);
	if (t->path) {
		at->parts |= tm_whole_beside(t->path) != NULL;
		at->merged |= tm_whole_by_name(t->path);
	}
	format = t->drawn ? DRAWN : UINT64_C(1) << (f.place & 63);
	if (!t->path) {
		note_stored(&w->sets, t, format);
		note_stored_table(at, t);
		return true;
	}
	w->sets.formats |= format;
	at->events = true;
	at->packed |= again;
	at->runs += w->traced.n - had;
	if (pass != UINT64_MAX) {
		at->passes |= at->passed && at->pass != pass;
		at->pass = pass;
		at->passed = true;
	}
	if (!note_table(w, at, file, t))
		return false;
	note_contested(w, at, was);
	return true;
}

bool tm_watch_all_seen(struct tm_watch *w)
{
	close_set(&w->sets);
	for (uint32_t i = 0; i < w->summed.n && w->traced.n; i++) {
		const struct tm_name *run = &w->summed.v[i];

		w->sets.alone |= tm_names_find(&w->traced, run->text, run->len) == TM_NAME_NONE;
	}
	for (uint32_t i = 0; i < w->places.n; i++) {
		w->fresh |= (mixed(&w->sets) || contested(&w->place[i])) && !w->place[i].decided;
		w->place[i].summed = false;
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
		at->sums |= at->events || at->summed;
		at->summed = true;
		w->fresh |= at->sums && !at->decided;
	}
	return true;
}

static const struct tm_watch_place *place_at(const struct tm_watch *w, const char *text, size_t n)
{
	uint32_t id = tm_names_find(&w->places, text, n);

	return id == TM_NAME_NONE ? NULL : &w->place[id];
}

bool tm_watch_contested(const struct tm_watch *w, const char *run)
{
	uint64_t pass;
	char *text = tm_watch_place_of(run, &pass);
	const struct tm_watch_place *p = text ? place_at(w, text, strlen(text)) : NULL;
	bool may = !text || beside_packed_runs(w) || (p && (mixed(&w->sets) || contested(p)));

	free(text);
	return may;
}

bool tm_watch_passes(const struct tm_watch *w, const char *run)
{
	uint64_t pass;
	char *text = tm_watch_place_of(run, &pass);
	const struct tm_watch_place *p = text ? place_at(w, text, strlen(text)) : NULL;
	/* Nothing counts twice if it is compared for nothing. */
	bool may = !text ||
	           (p && (p->passes || p->heads || p->counters || (p->counting && p->runs > 1)));

	free(text);
	return may;
}

void tm_watch_decided(struct tm_watch *w)
{
	for (uint32_t i = 0; i < w->places.n; i++)
		w->place[i].decided |= mixed(&w->sets) || contested(&w->place[i]);
	w->fresh = false;
}

void tm_watch_fini(struct tm_watch *w)
{
	tm_names_fini(&w->places);
	free(w->place);
	tm_names_fini(&w->paths);
	free(w->start_of);
	tm_names_fini(&w->starts);
	free(w->start);
	tm_names_fini(&w->files);
	tm_names_fini(&w->guids);
	free(w->guid_run);
	tm_names_fini(&w->with_guids);
	tm_names_fini(&w->tables);
	free(w->head);
	tm_names_fini(&w->traced);
	tm_names_fini(&w->summed);
	*w = (struct tm_watch) { 0 };
}
