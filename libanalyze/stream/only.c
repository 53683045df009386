/* SPDX-License-Identifier: MIT */
#include "stream/only.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *tm_only_option(enum tm_only_by by)
{
	static const char *const text[TM_ONLY_N] = {
		[TM_ONLY_AGENT] = "--agent",   [TM_ONLY_STREAM] = "--stream",
		[TM_ONLY_THREAD] = "--thread", [TM_ONLY_RANK] = "--rank",
		[TM_ONLY_KERNEL] = "-k",       [TM_ONLY_CLASS] = "--class",
		[TM_ONLY_REGION] = "--region",
	};

	return text[by];
}

unsigned tm_only_given(const struct tm_only_words *w)
{
	unsigned by = 0;

	for (int i = 0; i < TM_ONLY_N; i++)
		by |= w->word[i] ? TM_ONLY_BIT(i) : 0;
	return by;
}

/* ---- options ---- */

/* "2" or "2-5" up to end; false when it is neither. */
static bool range(const char *p, const char *end, struct tm_only_range *r)
{
	const char *dash = memchr(p, '-', (size_t)(end - p));

	if (!tm_num_u64(p, (size_t)((dash ? dash : end) - p), &r->lo))
		return false;
	r->hi = r->lo;
	return !dash || (tm_num_u64(dash + 1, (size_t)(end - dash - 1), &r->hi) && r->lo <= r->hi);
}

/* The same of agents: "4", "4-7", "GPU 0", "GPU 0-3". */
static bool agents(const char *p, const char *end, struct tm_only_range *r)
{
	enum tm_agent_numbering how = TM_AGENT_NODE;

	if (end - p > 3 && !strncasecmp(p, "gpu", 3))
		how = TM_AGENT_GPU;
	else if (end - p > 3 && !strncasecmp(p, "cpu", 3))
		how = TM_AGENT_CPU;
	p += how == TM_AGENT_NODE ? 0 : 3;
	while (how != TM_AGENT_NODE && p < end && *p == ' ')
		p++;
	if (!range(p, end, r) || r->hi > UINT32_MAX)
		return false;
	r->lo = tm_agent_pack(how, (uint32_t)r->lo);
	r->hi = tm_agent_pack(how, (uint32_t)r->hi);
	return true;
}

static bool read_list(struct tm_only *f, enum tm_only_by by, struct tm_diag *d)
{
	struct tm_only_list *l = &f->list[by];
	const char *p = f->words.word[by];

	for (bool more = p != NULL; more;) {
		const char *end = p + strcspn(p, ",");
		struct tm_only_range r;

		if (!(by == TM_ONLY_AGENT ? agents : range)(p, end, &r)) {
			tm_diag_set(d, 0,
			            "%s: '%.*s' is not a number or a range of numbers%s: 0,2-5",
			            tm_only_option(by), (int)(end - p < 100 ? end - p : 100), p,
			            by == TM_ONLY_AGENT ? ", nor an agent such as GPU 0" : "");
			return false;
		}
		if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v)) {
			tm_diag_oom(d);
			return false;
		}
		l->v[l->n++] = r;
		more = *end == ',';
		p = end + 1;
	}
	return true;
}

static bool read_kernel(struct tm_only *f, struct tm_diag *d)
{
	const char *text = f->words.word[TM_ONLY_KERNEL];
	char why[128];
	int bad;

	if (!text)
		return true;
	bad = regcomp(&f->kernel, text, REG_EXTENDED | REG_NOSUB);
	if (!bad) {
		f->by |= TM_ONLY_BIT(TM_ONLY_KERNEL);
		return true;
	}
	regerror(bad, &f->kernel, why, sizeof why);
	if (bad == REG_ESPACE)
		tm_diag_oom(d);
	else
		tm_diag_set(d, 0, "-k '%.100s' is not a valid regular expression: %s", text, why);
	return false;
}

static bool read_classes(struct tm_only *f, struct tm_diag *d)
{
	const char *p = f->words.word[TM_ONLY_CLASS];
	size_t n;

	if (!p)
		return true;
	f->classes = f->words.classes ? tm_classes_load(f->words.classes, d)
	                              : tm_classes_builtin(d);
	if (!f->classes)
		return false;
	n = tm_classes_count(f->classes);
	f->class_kept = calloc(n, sizeof *f->class_kept);
	if (!f->class_kept) {
		tm_diag_oom(d);
		return false;
	}
	for (bool more = true; more;) {
		size_t len = strcspn(p, ","), i = 0;

		while (i < n && (strlen(tm_classes_name(f->classes, i)) != len ||
		                 memcmp(tm_classes_name(f->classes, i), p, len) != 0))
			i++;
		if (i == n) {
			tm_diag_set(d, 0, "--class: no class '%.*s'; kstats classes prints them",
			            (int)(len < 100 ? len : 100), p);
			return false;
		}
		f->class_kept[i] = true;
		more = p[len] == ',';
		p += len + 1;
	}
	f->by |= TM_ONLY_BIT(TM_ONLY_CLASS);
	return true;
}

/* A path of regions has no empty part: "a/b", "/a"; "\\/" joins nothing. */
static bool read_region(const struct tm_only *f, struct tm_diag *d)
{
	const char *text = f->words.word[TM_ONLY_REGION];
	bool empty = true, ok = true;

	for (const char *p = text ? text + (*text == '/') : NULL; p && *p && ok; p++) {
		ok = *p != '/' || !empty;
		empty = *p == '/';
		p += *p == '\\' && (p[1] == '/' || p[1] == '\\');
	}
	if (!text || (ok && !empty))
		return true;
	tm_diag_set(d, 0, "--region '%.100s': empty region name; use NAME or OUTER/INNER", text);
	return false;
}

bool tm_only_init(struct tm_only *f, const struct tm_only_words *w, struct tm_diag *d)
{
	*f = (struct tm_only) { .words = *w };
	for (int i = 0; i < TM_ONLY_LISTS; i++) {
		if (!read_list(f, (enum tm_only_by)i, d))
			return false;
		f->by |= f->list[i].n ? TM_ONLY_BIT(i) : 0;
	}
	return read_kernel(f, d) && read_classes(f, d) && read_region(f, d);
}

void tm_only_ask_inside(struct tm_only *f,
                        enum tm_only_inside (*inside)(const void *arg, const struct tm_piece *p,
                                                      const struct tm_batch *b, uint32_t i),
                        const void *arg, tm_ev_set want)
{
	f->inside = inside;
	f->inside_arg = arg;
	f->inside_want = want;
	f->by |= TM_ONLY_BIT(TM_ONLY_REGION);
}

void tm_only_fini(struct tm_only *f)
{
	for (int i = 0; i < TM_ONLY_LISTS; i++)
		free(f->list[i].v);
	if (f->by & TM_ONLY_BIT(TM_ONLY_KERNEL))
		regfree(&f->kernel);
	tm_classes_free(f->classes);
	free(f->class_kept);
	*f = (struct tm_only) { 0 };
}

/* ---- rows ---- */

static bool listed(const struct tm_only_list *l, uint64_t v)
{
	for (size_t i = 0; i < l->n; i++)
		if (v >= l->v[i].lo && v <= l->v[i].hi)
			return true;
	return false;
}

bool tm_only_rank(const struct tm_only *f, uint64_t rank)
{
	return !f || !(f->by & TM_ONLY_BIT(TM_ONLY_RANK)) || listed(&f->list[TM_ONLY_RANK], rank);
}

bool tm_only_agent(const struct tm_only *f, uint64_t agent)
{
	return !f || !(f->by & TM_ONLY_BIT(TM_ONLY_AGENT)) ||
	       listed(&f->list[TM_ONLY_AGENT], agent);
}

enum { BY_KERNEL = TM_ONLY_BIT(TM_ONLY_KERNEL) | TM_ONLY_BIT(TM_ONLY_CLASS) };

enum {
	BY_LISTS = TM_ONLY_BIT(TM_ONLY_AGENT) | TM_ONLY_BIT(TM_ONLY_STREAM) |
	           TM_ONLY_BIT(TM_ONLY_THREAD)
};

tm_ev_set tm_only_want(const struct tm_only *f, tm_ev_set want)
{
	if (!f)
		return want;
	if (f->by & BY_KERNEL)
		want |= TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_COUNTER) |
		        TM_EV_BIT(TM_EVC_DOMAIN);
	if (f->by & BY_LISTS)
		want = (want | TM_EV_BIT(TM_EVC_DOMAIN)) & ~TM_EV_BIT(TM_EVC_SKETCH);
	if (f->inside)
		want = (want | f->inside_want) & ~TM_EV_BIT(TM_EVC_SKETCH);
	if (f->by & TM_ONLY_BIT(TM_ONLY_AGENT))
		want |= TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_SRC) | TM_EV_BIT(TM_EVC_DST);
	if (f->by & TM_ONLY_BIT(TM_ONLY_STREAM))
		want |= TM_EV_BIT(TM_EVC_STREAM);
	if (f->by & TM_ONLY_BIT(TM_ONLY_THREAD))
		want |= TM_EV_BIT(TM_EVC_TID);
	return want;
}

void tm_only_count_add(struct tm_only_count *into, const struct tm_only_count *c)
{
	into->rows += c->rows;
	into->kept += c->kept;
	for (int i = 0; i < TM_ONLY_LISTS; i++)
		into->blind[i] += c->blind[i];
	into->unknown += c->unknown;
	into->guessed += c->guessed;
	into->totals |= c->totals;
	into->traces += c->traces;
	into->ranks += c->ranks;
}

/* Is a kernel of that name kept? */
static bool name_kept(const struct tm_only *f, struct tm_only_rows *s, const struct tm_name *name,
                      bool *kept)
{
	struct tm_class_match m;
	int no = 0;

	tm_buf_clear(&s->text);
	if (!tm_kernel_name(&s->text, name->text, name->len, TM_NAME_FULL) ||
	    !tm_buf_reserve(&s->text, 1))
		return false;
	s->text.p[s->text.n] = '\0';
	/* glibc says "no match" when memory ran out; only errno tells. */
	errno = 0;
	if (f->by & TM_ONLY_BIT(TM_ONLY_KERNEL))
		no = regexec(&f->kernel, s->text.p, 0, NULL, 0);
	if (no && (no != REG_NOMATCH || errno == ENOMEM))
		return false;
	*kept = !no;
	if (!*kept || !f->classes)
		return true;
	if (!tm_classes_match(f->classes, s->text.p, &m))
		return false;
	*kept = f->class_kept[m.id];
	return true;
}

bool tm_only_kernel(const struct tm_only *f, const char *name, size_t len, bool *kept)
{
	const struct tm_name nm = { .text = name, .len = (uint32_t)len };
	struct tm_only_rows s = { 0 };
	bool ok = true;

	*kept = true;
	if (f && f->by & BY_KERNEL)
		ok = name_kept(f, &s, &nm, kept);
	tm_only_rows_fini(&s);
	return ok;
}

/* Each name is looked at once.  False when out of memory. */
static bool know_name(const struct tm_only *f, struct tm_only_rows *s, const struct tm_batch *b,
                      uint64_t id)
{
	bool kept;

	if (!tm_grow_known(&s->known, &s->n, &s->cap, b->names->n, sizeof *s->known))
		return false;
	if (s->known[id])
		return true;
	if (!name_kept(f, s, &b->names->v[id], &kept))
		return false;
	s->known[id] = kept ? 2 : 1;
	return true;
}

/* Is the row of a kernel? */
static bool of_kernel(const struct tm_batch *b, uint32_t i)
{
	enum tm_trace_part part;

	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP)
		return tm_batch_has(b, i, TM_EVC_DOMAIN) &&
		       b->col[TM_EVC_DOMAIN][i] == TM_DOMAIN_KERNEL;
	part = tm_part_of_row(b, i);
	return part == (enum tm_trace_part)TM_DOMAIN_KERNEL || part == TM_PART_COUNTER;
}

/* What one option makes of row i: kept, left out, or left out because it does not say. */
enum verdict { KEPT, OUT, BLIND };

static enum verdict by_column(const struct tm_only_list *l, const struct tm_batch *b, uint32_t i,
                              enum tm_ev_col c)
{
	if (!tm_batch_has(b, i, c))
		return BLIND;
	return listed(l, b->col[c][i]) ? KEPT : OUT;
}

static enum verdict by_agent(const struct tm_only_list *l, const struct tm_batch *b, uint32_t i)
{
	static const enum tm_ev_col columns[] = { TM_EVC_AGENT, TM_EVC_SRC, TM_EVC_DST };
	enum verdict all = BLIND;

	/* The sum of copies is of one of the two agents at most. */
	if (b->kind == TM_EV_ROLLUP && tm_batch_domain(b, i) == TM_DOMAIN_COPY)
		return BLIND;
	for (size_t c = 0; c < (b->kind == TM_EV_COPY ? 3 : 1); c++) {
		enum verdict v = by_column(l, b, i, columns[c]);

		if (v == KEPT)
			return KEPT;
		all = v == OUT ? OUT : all;
	}
	return all;
}

/* Work on a GPU, or on the host? */
static bool on_host(const struct tm_batch *b, uint32_t i)
{
	enum tm_domain d = tm_batch_domain(b, i);

	if (b->kind == TM_EV_API)
		return true;
	if (b->kind != TM_EV_STAT && b->kind != TM_EV_ROLLUP)
		return false;
	return d != TM_DOMAIN_KERNEL && d != TM_DOMAIN_COPY && d != TM_DOMAIN_ALLOC &&
	       d != TM_DOMAIN_SCRATCH && d != TM_DOMAIN_DOMAINS;
}

static uint64_t events_of(const struct tm_batch *b, uint32_t i)
{
	return b->kind == TM_EV_ROLLUP && tm_batch_has(b, i, TM_EVC_CALLS) ? b->col[TM_EVC_CALLS][i]
	                                                                   : 1;
}

static bool lists_keep(const struct tm_only *f, const struct tm_batch *b, uint32_t i,
                       struct tm_only_count *count)
{
	for (int by = TM_ONLY_AGENT; by <= TM_ONLY_THREAD; by++) {
		const struct tm_only_list *l = &f->list[by];
		enum verdict v;

		if (!l->n || (by != TM_ONLY_THREAD && on_host(b, i)))
			continue;
		v = by == TM_ONLY_AGENT
		            ? by_agent(l, b, i)
		            : by_column(l, b, i, by == TM_ONLY_STREAM ? TM_EVC_STREAM : TM_EVC_TID);
		if (v == BLIND && b->kind == TM_EV_ROLLUP &&
		    (by != TM_ONLY_AGENT || tm_batch_domain(b, i) == TM_DOMAIN_COPY))
			count->totals |= TM_ONLY_BIT(by);
		else if (v == BLIND)
			count->blind[by] += events_of(b, i);
		if (v != KEPT)
			return false;
	}
	return true;
}

static bool inside_keeps(const struct tm_only *f, const struct tm_piece *p,
                         const struct tm_batch *b, uint32_t i, struct tm_only_count *count)
{
	enum tm_only_inside in = TM_ONLY_UNKNOWN;

	if (!f->inside)
		return true;
	/* Totals are of no region. */
	if (b->kind == TM_EV_ROLLUP) {
		count->totals |= TM_ONLY_BIT(TM_ONLY_REGION);
		return false;
	}
	if (b->kind != TM_EV_STAT)
		in = f->inside(f->inside_arg, p, b, i);
	count->unknown += in == TM_ONLY_UNKNOWN;
	count->guessed += in == TM_ONLY_GUESSED;
	return in == TM_ONLY_INSIDE || in == TM_ONLY_GUESSED;
}

bool tm_only_batch(const struct tm_only *f, struct tm_only_rows *s, const struct tm_batch *b,
                   const struct tm_batch **out, struct tm_only_count *count)
{
	uint16_t row[TM_BATCH_ROWS];
	uint32_t n = 0, beside = 0;
	bool percent;

	*out = b;
	/* Agents are what events happen on, not events. */
	if (b->kind == TM_EV_AGENT || f->by == TM_ONLY_BIT(TM_ONLY_RANK)) {
		count->rows += b->kind != TM_EV_AGENT ? b->n : 0;
		count->kept += b->kind != TM_EV_AGENT ? b->n : 0;
		return true;
	}
	/* Answers are of all events, and no events. */
	if (b->kind == TM_EV_STATE) {
		*out = NULL;
		return true;
	}
	for (uint32_t i = 0; i < b->n; i++) {
		bool other = false;

		if (f->by & BY_KERNEL && !(f->host && (on_host(b, i) || b->kind == TM_EV_SAMPLE))) {
			uint64_t id;

			if (!of_kernel(b, i) || !tm_batch_has(b, i, TM_EVC_NAME))
				continue;
			id = b->col[TM_EVC_NAME][i];
			if (!know_name(f, s, b, id))
				return false;
			other = s->known[id] != 2;
			if (other && !(f->counted && b->kind == TM_EV_COUNTER))
				continue;
		}
		if (lists_keep(f, b, i, count) && inside_keeps(f, s->piece, b, i, count)) {
			row[n++] = (uint16_t)i;
			beside += other;
		}
	}
	count->rows += b->n;
	count->kept += n - beside;
	/* A percentage of a file says nothing of the total of what is kept. */
	percent = b->kind == TM_EV_STAT && f->by & BY_KERNEL && b->some & TM_EV_BIT(TM_EVC_PCT_ERR);
	if (n == b->n && !percent)
		return true;
	*out = n ? tm_sieve_rows(&s->sieve, b, row, n) : NULL;
	if (*out && percent)
		tm_sieve_forget(&s->sieve, TM_EV_BIT(TM_EVC_PCT_ERR));
	return !n || *out;
}

void tm_only_rows_fini(struct tm_only_rows *s)
{
	tm_sieve_fini(&s->sieve);
	free(s->known);
	tm_buf_fini(&s->text);
	*s = (struct tm_only_rows) { 0 };
}

/* ---- what there is to say ---- */

/* The options as they were given. */
static void put_options(const struct tm_only *f, struct tm_buf *b)
{
	for (int i = TM_ONLY_N - 1; i >= 0; i--)
		if (f->words.word[i])
			tm_buf_fmt(b, "%s%s %.100s", b->n ? " " : "",
			           tm_only_option((enum tm_only_by)i), f->words.word[i]);
}

void tm_only_tell(const struct tm_only *f, const struct tm_only_count *c, struct tm_report *rep)
{
	static const char *const what[TM_ONLY_LISTS] = { [TM_ONLY_AGENT] = "an agent",
		                                         [TM_ONLY_STREAM] = "a stream",
		                                         [TM_ONLY_THREAD] = "a thread" };
	const char *kernel = f->words.word[TM_ONLY_KERNEL];
	struct tm_buf all = { 0 };

	for (int i = 0; i < TM_ONLY_LISTS; i++)
		if (c->blind[i])
			tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
			              "%" PRIu64 " event%s without %s skipped (%s)", c->blind[i],
			              c->blind[i] == 1 ? "" : "s", what[i],
			              tm_only_option((enum tm_only_by)i));
	if (c->totals & TM_ONLY_BIT(TM_ONLY_AGENT))
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "totals of copies (tracemerge --stats-only) skipped: they do not "
		              "record agents (--agent); give the traces");
	for (int i = 0; i < TM_ONLY_N; i++)
		if (i != TM_ONLY_AGENT && c->totals & TM_ONLY_BIT(i))
			tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
			              "totals (tracemerge --stats-only) do not record what %s "
			              "selects: give the traces",
			              i == TM_ONLY_REGION && !f->words.word[i]
			                      ? "-w marker"
			                      : tm_only_option((enum tm_only_by)i));
	if (c->unknown)
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "%" PRIu64 " event%s without a time skipped (%s)", c->unknown,
		              c->unknown == 1 ? "" : "s",
		              f->words.word[TM_ONLY_REGION] ? "--region" : "-w marker");
	if (c->guessed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " GPU operation%s without an API call of the same correlation id %s "
		              "kept because %s started while the region was open",
		              c->guessed, c->guessed == 1 ? "" : "s",
		              c->guessed == 1 ? "was" : "were", c->guessed == 1 ? "it" : "they");
	put_options(f, &all);
	rep->lost |= all.failed;
	if (!all.failed && c->traces && !c->ranks)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no input has one of these ranks: --rank %s",
		              f->words.word[TM_ONLY_RANK]);
	else if (!all.failed && c->rows && !c->kept && all.n)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "none of %" PRIu64 " events matches the options: %s%s", c->rows,
		              all.p,
		              kernel && strchr(kernel, '(')
		                      ? " (a regular expression: \\( and \\* stand for ( and *)"
		                      : "");
	tm_buf_fini(&all);
}
