/* SPDX-License-Identifier: MIT */
#include "cli/rules/findings.h"

#include "cli/rules/findings_parts.h"
#include "metric/metric.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FINDING(id, kind, held, where, saves, title, advice, command, page)                        \
	{ id, kind, held, where, saves, title, advice, command, page },
static const struct finding_rule defs[] = {
#include "schemas/findings.def"
};
#undef FINDING

enum { RULES = sizeof defs / sizeof *defs };
_Static_assert((int)RULES <= (int)FINDING_RULES, "room for all");

#define shared "gaps(--shared)[*].alone_ns"

/* What savings are limited to, by the reference that they come from.  In a call that waits for work
 * which is there and does not start, no time is lost by the wait.  Where ranks compute while others
 * are late, that costs nothing.  Where ranks share a GPU, what one gains another may lose, but for
 * the time in which it is idle.  A rank that is replayed by itself gains what it waits for others,
 * too: together they do not.  Work that is shared equally leaves the mean. */
static const struct {
	const char *saves; /* how it begins */
	const char *limit;
	bool many; /* only where ranks are replayed apart */
} limits[FINDING_LIMITS] = {
	{ "sync(--kinds)", "gaps[*].sync_ns", false },
	{ "gaps", shared, false },
	{ "sync", shared, false },
	{ "steps", shared, false },
	{ "whatif[\"no ", shared, false },
	{ "whatif[\"launches", shared, false },
	{ "whatif[\"first", shared, false },
	{ "whatif[\"graph", shared, false },
	{ "whatif[\"building", shared, false },
	{ "whatif[\"host", shared, false },
	{ "whatif[\"polling", shared, false },
	{ "whatif[\"allocations", shared, false },
	{ "whatif[\"pinning", shared, false },
	{ "whatif[\"loading", shared, false },
	{ "whatif[\"streams", shared, false },
	{ "collectives(--ranks)[*].longer", "ranks(--imbalance)[compute_ns].over_mean_ns", false },
	{ "collectives(--ranks)[pattern=often].late",
	  "collectives(--ranks)[pattern=often].late_cost_ns", true },
	{ "collectives", "timeline[*].exposed_comm_ns", false },
	{ "whatif[\"collectives", "collectives(--ranks)[*].transfer_ns", true },
};

/* So many ranks at most are replayed together, as they wait for each other.  Of more each is
 * replayed by itself: in the memory of one at a time, and as files of totals keep it. */
enum { TOGETHER = 64 };

const char *const *tm_findings_words(void)
{
	static const char *words[RULES + 1];

	for (size_t i = 0; i < RULES; i++)
		words[i] = defs[i].id;
	return words;
}

/* ---- rules ---- */

/* Add one rule, made of a text and what is to follow it; its place into *at, SIZE_MAX for "". */
static bool add_rule(struct finding_job *j, const char *text, size_t n, const char *more,
                     size_t *at)
{
	struct tm_buf b = { 0 };
	bool ok;

	*at = SIZE_MAX;
	if (!n)
		return true;
	*at = j->rules.n;
	tm_buf_add(&b, text, n);
	tm_buf_str(&b, more);
	ok = !b.failed && tm_rules_parse(&j->rules, NULL, b.p, b.n, &j->rep);
	tm_buf_fini(&b);
	return ok;
}

/* What separates the references of SAVES. */
static const char between[] = ";|~&";

/* The same of each part of a text with one of those between them, `room` at most.  `mark` may be
 * NULL; else it gets the '?' or '!' before the parts that have one. */
static bool add_rules(struct finding_job *j, const char *text, const char *more, size_t *at,
                      char *mark, size_t room)
{
	for (size_t i = 0; i < room; i++) {
		size_t n;

		text += strspn(text, " ");
		if (mark)
			mark[i] = *text == '?' || *text == '!' ? *text++ : 0;
		n = strcspn(text, between);

		if (!add_rule(j, text, n, more, &at[i]))
			return false;
		text += n + (text[n] != '\0');
	}
	return true;
}

/* A share of the time of all ranks, "gaps.host_pct": the time of each, "gaps[*].host_ns", if the
 * table has that; it says on which ranks that is spent.  False when out of memory. */
static bool add_who(struct finding_job *j, size_t i, const char *most)
{
	static const char pct[] = "_pct";
	const struct tm_rule *r = &j->rules.v[j->of[i].held];
	const size_t n = strlen(r->column), cut = n - (sizeof pct - 1);
	const struct tm_metric *m = r->plain ? tm_metric_find(r->table) : NULL;
	struct tm_buf column = { 0 }, ref = { 0 };
	bool ok = true;

	j->of[i].who = SIZE_MAX;
	if (!m || n < sizeof pct || strcmp(r->column + cut, pct) != 0)
		return true;
	tm_buf_fmt(&column, "%.*s_ns", (int)cut, r->column);
	tm_buf_fmt(&ref, "%s[*].%s", r->table, column.p ? column.p : "");
	ok = !column.failed && !ref.failed;
	for (const struct tm_column *c = m->views->columns; ok && c->name; c++)
		if (!strcmp(c->name, column.p))
			ok = add_rule(j, ref.p, ref.n, most, &j->of[i].who);
	tm_buf_fini(&column);
	tm_buf_fini(&ref);
	return ok;
}

/* The replay is asked last, for what was found, and not at all where that has no scenario. */
static bool is_replay(const char *text)
{
	return !strncmp(text, "whatif", 6);
}

/* The replay is told which columns are read: what nobody reads is not to be found out.  False when
 * out of memory. */
static bool name_columns(struct finding_job *j)
{
	for (size_t i = 0; i < j->rules.n; i++) {
		const struct asked_rule *a = &j->asked[i];
		struct ask_page *page = j->pages.v[a->page];

		if (!page->late || !a->ask.column)
			continue;
		if (!tm_option_list_add(&page->read, a->ask.column->name))
			return false;
		page->o.columns = page->read.v;
		page->o.ncolumns = page->read.n;
	}
	return true;
}

/* Where SAVES is another column of the rows that HELD is about, a finding is about the row that
 * could save most of those that violate the rule: what is said of it is all of one row. */
static void weigh_rows(struct finding_job *j)
{
	for (size_t i = 0; i < RULES; i++) {
		struct asked_rule *held = &j->asked[j->of[i].held];
		const size_t at = j->of[i].saves[0];
		const struct asked_rule *saves = at == SIZE_MAX ? NULL : &j->asked[at];
		const struct tm_rule *r = held->ask.rule;
		const size_t n = strlen(r->ref) - strlen(r->column);

		if (saves && !r->plain && !strncmp(r->ref, saves->ask.rule->ref, n) &&
		    !strcmp(saves->ask.rule->ref + n, saves->ask.rule->column))
			held->ask.weight = saves->ask.column;
	}
}

/* All rules, and the tables that they ask for.  TM_ST_SKIP: the table of findings is wrong, and
 * j->rep says where. */
static enum tm_status find_tables(struct finding_job *j)
{
	/* What no number fulfils: the row that is worst is that of the largest. */
	static const char most[] = " < 0";
	static const char windows[] = "timeline.window_ns;ranks[*].window_ns;whatif[*].window_ns";
	bool ok = add_rules(j, windows, most, j->window, NULL, FINDING_WINDOWS) &&
	          add_rules(j, "ranks", most, &j->ranks, NULL, 1);

	for (size_t i = 0; ok && i < FINDING_LIMITS; i++)
		ok = add_rules(j, limits[i].limit, most, &j->limit[i], NULL, 1);
	for (size_t i = 0; ok && i < RULES; i++)
		ok = add_rule(j, defs[i].held, strlen(defs[i].held), "", &j->of[i].held) &&
		     add_rules(j, defs[i].saves, most, j->of[i].saves, NULL, SAVED_BY) &&
		     add_rules(j, defs[i].where, "", j->of[i].where, j->of[i].mark, WHERES) &&
		     add_who(j, i, most);
	j->asked = ok ? calloc(j->rules.n + 1, sizeof *j->asked) : NULL;
	if (!j->asked)
		return TM_ST_FATAL;
	for (size_t i = 0; i < j->rules.n; i++)
		if (!tm_ask_rule(&j->pages, &j->asked[i], &j->rules.v[i], &j->rep))
			return TM_ST_FATAL;
	for (size_t i = 0; i < j->pages.n; i++)
		j->pages.v[i]->late = is_replay(j->pages.v[i]->word);
	if (!name_columns(j))
		return TM_ST_FATAL;
	weigh_rows(j);
	return j->rep.n ? TM_ST_SKIP : TM_ST_OK;
}

/* ---- numbers ---- */

bool tm_findings_judge(struct finding_job *j, size_t at, struct tm_check_result *r)
{
	struct asked_rule *a = &j->asked[at];
	const struct ask_page *page = j->pages.v[a->page];

	*r = (struct tm_check_result) { .rule = a->ask.rule, .verdict = TM_CHECK_ERROR };
	tm_ask_late(a, page);
	if (!page->table[ASK_NOW].t.nrows || !a->ask.column)
		return true;
	return tm_check_value(r, &a->ask, &page->table[ASK_NOW].t, NULL);
}

/* The whole number of a rule that asks for one. */
static bool number(struct finding_job *j, size_t at, bool *known, uint64_t *value)
{
	struct tm_check_result r;
	bool ok = true;

	*known = false;
	if (at == SIZE_MAX)
		return true;
	ok = tm_findings_judge(j, at, &r);
	if (ok && r.value.n)
		*known = tm_num_u64(r.value.p, strcspn(r.value.p, "."), value);
	tm_check_result_fini(&r);
	return ok;
}

/* What a finding about one row could save: as that row says. */
static void number_there(const struct finding_job *j, const struct found *f, bool *known,
                         uint64_t *value)
{
	const struct asked_rule *a = &j->asked[f->asked];
	const struct tm_table *t = &j->pages.v[a->page]->table[ASK_NOW].t;
	const size_t col = tm_table_find(t, a->ask.weight->name);
	const struct tm_cell *c = &t->cells[f->held.at * t->ncols + col];

	*known = col < t->ncols && f->held.value.n && c->type == TM_CELL_U64;
	*value = *known ? c->v.u : 0;
}

/* Do the conditions of a rule hold, without which it says nothing?  *no: one is known not to.
 * False when out of memory. */
static bool applies(struct finding_job *j, size_t i, bool *yes, bool *no)
{
	const struct asked_for *of = &j->of[i];

	*yes = true;
	*no = false;
	for (size_t k = 0; *yes && k < WHERES && of->where[k] != SIZE_MAX; k++) {
		struct tm_check_result r;
		bool ok = tm_findings_judge(j, of->where[k], &r);

		*no = r.verdict == (of->mark[k] == '!' ? TM_CHECK_PASS : TM_CHECK_FAIL);
		*yes = of->mark[k] ? !*no : r.verdict == TM_CHECK_PASS;
		tm_check_result_fini(&r);
		if (!ok)
			return false;
	}
	return true;
}

/* Is it a finding?  *out is what became of the rule. */
static bool find(struct finding_job *j, size_t i, bool *yes, struct tm_check_result *out)
{
	bool no;

	if (!applies(j, i, yes, &no) || !tm_findings_judge(j, j->of[i].held, out))
		return false;
	/* A scenario of what does not apply was not asked for. */
	j->judged += out->verdict != TM_CHECK_ERROR || (no && is_replay(defs[i].held));
	*yes = *yes && (out->verdict == TM_CHECK_FAIL ||
	                (out->verdict == TM_CHECK_ABSENT && defs[i].kind == TRUST_ABSENT));
	return true;
}

static bool is_doubt(const struct finding_rule *def)
{
	return def->kind == TRUST || def->kind == TRUST_ABSENT;
}

static enum severity severity_of(const struct found *f, uint64_t window)
{
	tm_u128 pct = (tm_u128)f->saves * 100;

	if (is_doubt(f->def))
		return SEV_TRUST;
	if (f->def->kind == HINT || !f->saved || pct < (tm_u128)window * MEDIUM)
		return SEV_NOTE;
	return pct < (tm_u128)window * HIGH ? SEV_MEDIUM : SEV_HIGH;
}

/* Worst first; of equals that of the larger saving, then as the table has them. */
static int by_severity(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;

	if (a->severity != b->severity)
		return a->severity < b->severity ? -1 : 1;
	if (a->saves != b->saves)
		return a->saves > b->saves ? -1 : 1;
	return (a->def > b->def) - (a->def < b->def);
}

/* The window that savings are shares of: the longest of the ranks, whose GPUs may work at different
 * times, or else that of the replay; 0 = not known. */
static bool find_window(struct finding_job *j, uint64_t *window)
{
	*window = 0;
	for (int i = 0; i < FINDING_WINDOWS; i++) {
		uint64_t ns = 0;
		bool known;

		if (*window && i == WINDOW_REPLAY)
			break;
		if (!number(j, j->window[i], &known, &ns))
			return false;
		*window = known && ns > *window ? ns : *window;
	}
	return true;
}

/* What was found by rules about the replay, or by those about anything else, after the *n of v. */
static bool find_some(struct finding_job *j, bool replay, struct found *v, size_t *n)
{
	for (size_t i = 0; i < RULES; i++) {
		struct found *f = &v[*n];
		bool yes;

		if (is_replay(defs[i].held) != replay)
			continue;
		*f = (struct found) { .def = &defs[i],
			              .asked = j->of[i].held,
			              .who = j->of[i].who };
		if (!find(j, i, &yes, &f->held))
			return false;
		if (yes)
			++*n;
		else
			tm_check_result_fini(&f->held);
	}
	return true;
}

/* The scenario that a rule asks the replay for: of whatif["NAME"].saved_gpu_ns. */
static void want_scenario(struct finding_job *j, size_t rule)
{
	const struct tm_rule *r = rule == SIZE_MAX ? NULL : &j->rules.v[rule];

	if (r && is_replay(r->table) && r->nselect && strcmp(r->select[0].glob, "*") != 0)
		tm_buf_fmt(&j->scenarios, "%s%s", j->scenarios.n ? ";" : "", r->select[0].glob);
}

/* May the scenario of a rule save anything, by the calls there are?  True where nobody knows. */
static bool may_save(const struct finding_job *j, size_t rule)
{
	const struct tm_rule *r = &j->rules.v[rule];
	const struct tm_table *calls = NULL;
	size_t name, longest;

	for (size_t i = 0; i < j->pages.n; i++)
		if (!strcmp(j->pages.v[i]->word, "top") && j->pages.v[i]->options &&
		    !strcmp(j->pages.v[i]->options, "--domain hip"))
			calls = &j->pages.v[i]->table[ASK_NOW].t;
	if (!calls || !calls->nrows || !r->nselect)
		return true;
	name = tm_table_find(calls, "name");
	longest = tm_table_find(calls, "max_ns");
	for (size_t i = 0; i < calls->nrows; i++) {
		const struct tm_cell *c = &calls->cells[i * calls->ncols];
		char call[80]; /* longer than any name of those */

		if (name == calls->ncols || longest == calls->ncols ||
		    c[name].type != TM_CELL_TEXT || c[longest].type != TM_CELL_U64)
			return true;
		snprintf(call, sizeof call, "%.*s", (int)(c[name].len < 79 ? c[name].len : 79),
		         c[name].v.s);
		if (tm_whatif_may(r->select[0].glob, call, c[longest].v.u))
			return true;
	}
	return false;
}

/* Have the replay answer for what v could save, and for the rules that apply and are about a
 * scenario.  False when out of memory. */
static bool replay(struct finding_job *j, const struct found *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < SAVED_BY; k++)
			want_scenario(j, j->of[v[i].def - defs].saves[k]);
	for (size_t i = 0; i < RULES; i++) {
		bool yes = false, no;

		if (is_replay(defs[i].held) && !applies(j, i, &yes, &no))
			return false;
		if (yes && may_save(j, j->of[i].held))
			want_scenario(j, j->of[i].held);
	}
	for (size_t i = 0; i < j->pages.n && j->scenarios.n && !j->scenarios.failed; i++)
		if (j->pages.v[i]->late &&
		    (!tm_ask_option(j->pages.v[i], "only", j->scenarios.p) ||
		     !tm_ask_option(j->pages.v[i], "likely", NULL) ||
		     !tm_ask_fill_late(&j->side, j->pages.v[i], j->apart ? "apart" : NULL)))
			return false;
	return !j->scenarios.failed;
}

/* All findings into v, which has room for RULES. */
static bool find_all(struct finding_job *j, struct found *v, size_t *n)
{
	if (!find_some(j, false, v, n) || !replay(j, v, *n))
		return false;
	return !j->scenarios.n || find_some(j, true, v, n);
}

/* The number of a reference that savings come from, no more than there is of that to be saved.
 * False when out of memory. */
static bool limited(struct finding_job *j, size_t saves, bool *saved, uint64_t *value)
{
	const char *ref = *saved ? j->rules.v[saves].ref : "";

	for (size_t i = 0; i < FINDING_LIMITS; i++) {
		uint64_t most;
		bool known;

		if (strncmp(ref, limits[i].saves, strlen(limits[i].saves)) != 0 ||
		    (limits[i].many && !j->many))
			continue;
		if (!number(j, j->limit[i], &known, &most))
			return false;
		*value = known && most < *value ? most : *value;
	}
	return true;
}

/* What is left of a saving without another one, if that is all but nothing; else all of it. */
static uint64_t left_of(uint64_t saves, uint64_t other, uint64_t window)
{
	enum { LEFT_PCT = 5 };
	const uint64_t left = saves > other ? saves - other : 0;

	return (tm_u128)left * 100 < (tm_u128)window * LEFT_PCT ? left : saves;
}

/* What a saving cannot exceed, where that is known: a reference, or another one that is larger.
 * False when out of memory. */
static bool bound_of(struct finding_job *j, const struct found *f, bool *known, uint64_t *most)
{
	const size_t *saves = j->of[f->def - defs].saves;
	bool also;
	uint64_t other;

	if (!number(j, saves[1], known, most) || !limited(j, saves[1], known, most) ||
	    !number(j, saves[2], &also, &other))
		return false;
	*most = also && other > *most ? other : *most;
	return true;
}

/* What one could save: by the first of its references that is known, or the larger, or as above;
 * and no more than the window.  False when out of memory. */
static bool weigh_one(struct finding_job *j, uint64_t window, struct found *f)
{
	const size_t *saves = j->of[f->def - defs].saves;
	const bool bounded = strchr(f->def->saves, '&') != NULL;
	uint64_t more;
	bool known = false;

	if (j->asked[f->asked].ask.weight)
		number_there(j, f, &f->saved, &f->saves);
	else if (!number(j, saves[0], &f->saved, &f->saves))
		return false;
	more = f->saves;
	if (!limited(j, saves[0], &f->saved, &f->saves))
		return false;
	f->little = f->saves < more / 2;
	f->replayed = f->saved && is_replay(f->def->saves);
	if (f->saved && bounded) {
		if (!bound_of(j, f, &known, &more))
			return false;
		f->saves = known && more < f->saves ? more : f->saves;
	}
	for (size_t i = 1;
	     i < SAVED_BY && (!f->saved || (i == 1 && !bounded && strpbrk(f->def->saves, "|~")));
	     i++) {
		if (!number(j, saves[i], &known, &more) || !limited(j, saves[i], &known, &more))
			return false;
		if (known && strchr(f->def->saves, '~')) {
			f->saves = left_of(f->saves, more, window);
		} else if (known && (!f->saved || more > f->saves)) {
			f->replayed = false;
			f->saved = true;
			f->saves = more;
		}
	}
	/* Totals have no window: what share of the time a saving would be is unknown. */
	f->saved &= window > 0;
	f->saves = !f->saved ? 0 : f->saves > window ? window : f->saves;
	return true;
}

/* What is about all waits together adds something only where it saves more than all kinds one by
 * one. */
static bool adds_nothing(const struct found *v, size_t n, const struct found *f)
{
	static const char front[] = "whatif[\"no ", joint[] = "whatif[\"no waits\"]";
	enum { MORE_PCT = 120 };
	tm_u128 sum = 0;

	if (strncmp(f->def->saves, joint, sizeof joint - 1) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (&v[i] != f && !strncmp(v[i].def->saves, front, sizeof front - 1))
			sum += v[i].saves;
	return (tm_u128)f->saves * 100 < sum * MORE_PCT;
}

/* What the replay alone notices is said already where a measurement shows it, with that saving. */
static bool said_already(const struct found *v, size_t n, const struct found *f)
{
	const size_t len = strcspn(f->def->saves, between);

	for (size_t i = 0; is_replay(f->def->held) && i < n; i++) {
		const struct finding_rule *def = v[i].def;

		if (!is_replay(def->held) && !strncmp(def->saves, f->def->saves, len) &&
		    strcspn(def->saves, between) == len)
			return true;
	}
	return false;
}

/* Leave those of v that are kept. */
static void keep_some(struct found *v, size_t *n, const bool *kept)
{
	size_t k = 0;

	for (size_t i = 0; i < *n; i++)
		if (kept[i])
			v[k++] = v[i];
		else
			tm_check_result_fini(&v[i].held);
	for (size_t i = k; i < *n; i++)
		v[i] = (struct found) { 0 };
	*n = k;
}

/* What the replay alone notices, and most of which is not to be had, is no finding.  Whether it can
 * be trusted is of interest where something large was found by it. */
static void drop_some(struct found *v, size_t *n)
{
	bool kept[RULES], trusted = true;

	for (size_t i = 0; i < *n; i++) {
		kept[i] = !adds_nothing(v, *n, &v[i]) && !said_already(v, *n, &v[i]) &&
		          !(v[i].little && is_replay(v[i].def->held));
		if (kept[i] && !is_doubt(v[i].def) && v[i].severity != SEV_NOTE &&
		    (is_replay(v[i].def->held) || v[i].replayed))
			trusted = false;
	}
	for (size_t i = 0; i < *n; i++)
		kept[i] = kept[i] && !(trusted && is_doubt(v[i].def) && is_replay(v[i].def->held));
	keep_some(v, n, kept);
}

/* What they could save, and their order. */
static bool weigh(struct finding_job *j, uint64_t window, struct found *v, size_t *n)
{
	for (size_t i = 0; i < *n; i++) {
		if (!weigh_one(j, window, &v[i]))
			return false;
		v[i].severity = severity_of(&v[i], window);
	}
	drop_some(v, n);
	if (*n)
		qsort(v, *n, sizeof *v, by_severity);
	return true;
}

/* ---- words ---- */

struct ask_page *tm_findings_summary(const struct finding_job *j)
{
	return j->pages.v[j->asked[j->window[WINDOW_AGENTS]].page];
}

/* Files of sums alone answer a few tables; of others the first of these is what they have. */
static const char *of_sums(struct finding_job *j, const char *command)
{
	static const char *const answered[] = { "top", "classes", "gemm", "summary" };
	const size_t n = strcspn(command, " ");
	uint64_t window;
	bool known;

	if (!number(j, j->window[WINDOW_AGENTS], &known, &window) || known)
		return command;
	for (size_t i = 0; i < sizeof answered / sizeof *answered; i++)
		if (n == strlen(answered[i]) && !memcmp(command, answered[i], n))
			return command;
	return answered[0];
}

void tm_findings_command(struct tm_buf *b, struct finding_job *j, const char *command)
{
	command = of_sums(j, command);
	tm_buf_fmt(b, "kstats %s", command);
	tm_findings_options(b, j->c, command);
	tm_findings_operands(b, j->c);
}

/* ---- all of it ---- */

static size_t rules_of_replay(void)
{
	size_t n = 0;

	for (size_t i = 0; i < RULES; i++)
		n += is_replay(defs[i].held);
	return n;
}

size_t tm_findings_asked(const struct finding_job *j)
{
	return RULES - (j->scenarios.n ? 0 : rules_of_replay());
}

void tm_findings_free(struct found *v)
{
	for (size_t i = 0; v && i < RULES; i++)
		tm_check_result_fini(&v[i].held);
	free(v);
}

bool tm_findings_all(struct finding_job *j, struct found **v, size_t *n, uint64_t *window)
{
	*n = 0;
	*window = 0;
	*v = calloc(RULES + 1, sizeof **v);
	return *v && find_all(j, *v, n) && find_window(j, window) && weigh(j, *window, *v, n);
}

static size_t place_of(const char *id)
{
	size_t i = 0;

	while (i < RULES && strcmp(defs[i].id, id) != 0)
		i++;
	return i;
}

bool tm_findings_one(struct finding_job *j, const char *id, struct found **v, size_t *place)
{
	*place = place_of(id);
	*v = calloc(RULES + 1, sizeof **v);
	if (*v)
		(*v)->def = &defs[*place];
	return *v && replay(j, *v, 1);
}

static void close_job(struct finding_job *j)
{
	tm_ask_pages_fini(&j->pages);
	tm_ask_side_fini(&j->side);
	for (size_t i = 0; j->asked && i < j->rules.n; i++)
		free(j->asked[i].metric);
	free(j->asked);
	tm_rules_fini(&j->rules);
	tm_buf_fini(&j->scenarios);
	tm_classes_free(j->classes);
	tm_report_fini(&j->rep);
}

/* The options that all share. */
static bool options(struct finding_job *j, struct tm_diag *d)
{
	struct common *c = j->c;
	struct tm_window window;

	if (!c->out.format)
		c->out.format = "text";
	return tm_show_options(&j->show, &c->out, d) &&
	       (!c->in.window || tm_window_parse(&window, c->in.window, d));
}

/* A table that the filters leave no honest answer of is not asked. */
static void leave_out(struct finding_job *j)
{
	const unsigned given = tm_only_given(&j->c->in.filter);

	for (size_t i = 0; i < j->pages.n; i++)
		if (j->pages.v[i]->m && given & j->pages.v[i]->m->whole)
			j->pages.v[i]->side[ASK_NOW] = false;
}

int tm_findings_refuse(struct finding_job *j, const char *what)
{
	if (j->silent)
		return EXIT_DONE;
	tm_report_add(&j->rep, TM_SEV_ERROR, j->side.totals, 0,
	              "contains totals only (tracemerge --stats-only), but %s needs events: give "
	              "the traces",
	              what);
	return tm_tell(j->c, &j->rep);
}

/* How savings are to be found, of the ranks that were read.  False when out of memory. */
static bool choose_replay(struct finding_job *j)
{
	const bool totals = j->side.totals != NULL;
	uint64_t ranks;
	bool known, one, ok = number(j, j->ranks, &known, &ranks);

	/* A summary that counts no rank is of no work of any GPU: there is nothing to replay. */
	one = known ? ranks == 1 : tm_findings_summary(j)->table[ASK_NOW].t.nrows > 0;
	j->apart = ok && ((known && ranks > TOGETHER) || (totals && one));
	j->many = j->apart && !one;
	j->events = totals && !j->apart;
	return ok;
}

int tm_findings_drive(struct finding_job *j, const struct finding_use *use, void *arg)
{
	struct common *c = j->c;
	struct tm_diag d = { 0 };
	enum tm_status st;
	int status = EXIT_TROUBLE;

	if (!options(j, &d))
		return tm_usage_error(c, &d);
	j->classes = c->in.classes ? tm_classes_load(c->in.classes, &d) : tm_classes_builtin(&d);
	if (!j->classes) {
		tm_say(c, TM_SEV_ERROR, c->in.classes, d.line, d.text);
		return EXIT_TROUBLE;
	}
	st = find_tables(j);
	j->side = (struct ask_side) {
		.c = c, .side = ASK_NOW, .classes = j->classes, .aside = true
	};
	if (st == TM_ST_OK && use->ready)
		st = use->ready(j, arg, &d);
	leave_out(j);
	if (st == TM_ST_OK)
		st = tm_ask_read(&j->side, &j->pages, &d);
	if (st == TM_ST_OK && !choose_replay(j))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK && use->needs && j->side.totals)
		status = tm_findings_refuse(j, use->needs);
	else if (st == TM_ST_OK)
		status = use->answer(j, arg);
	else if (j->silent && st == TM_ST_SKIP)
		status = EXIT_DONE;
	else if (j->rep.n)
		status = tm_tell(c, &j->rep);
	else if (st == TM_ST_SKIP)
		status = tm_usage_error(c, &d);
	else
		tm_say(c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	close_job(j);
	return status;
}
