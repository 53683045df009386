/* SPDX-License-Identifier: MIT
 * Scenarios: the usual ones. */
#include "metric/whatif/parts.h"

#include "metric/whatif/whatif.h"
#include "stack/stack.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = 10, HALF = 500000, COMM = 700000, MUST_CALL_PCT = 50, MAY_LACK_PCT = 10 };

static void one_fini(struct whatif_one *w)
{
	tm_buf_fini(&w->text);
	free(w->scale);
	free(w->set);
	for (size_t k = 0; k < w->nsets; k++)
		free(w->sets[k]);
	free(w->sets);
}

/* What calls set up. */
enum setup_kind {
	SETUP_POLL,
	SETUP_PIN,
	SETUP_ALLOC,
	SETUP_LOAD,
	SETUP_GRAPH,
	SETUP_STREAM,
	SETUP_KINDS
};

/* The usual scenarios, but those of classes and of kernels. */
enum {
	FREE_LAUNCHES,
	FREE_GRAPH_LAUNCHES,
	LOADED,
	NO_SYNCS,
	NO_COPY_WAITS,
	NO_FREE_WAITS,
	NO_HOST_FREE_WAITS,
	NO_FILL_WAITS,
	NO_ASYNC_WAITS,
	NO_WAITS,
	FREE_SETUP,
	HALF_HOST = FREE_SETUP + SETUP_KINDS,
	OVERLAPPED,
	HIDDEN_COPIES,
	FASTER_COMM,
	BALANCED,
	NO_SLOWER,
	EVEN_COMM,
	PROMPT,
	USUAL
};

static const char *const usual[USUAL] = {
	[FREE_LAUNCHES] = "launches free",
	[FREE_GRAPH_LAUNCHES] = "graph launches free",
	[LOADED] = "first launches usual",
	[NO_SYNCS] = "no host syncs",
	[NO_COPY_WAITS] = "no blocking copies",
	[NO_FREE_WAITS] = "no blocking frees",
	[NO_HOST_FREE_WAITS] = "no blocking host frees",
	[NO_FILL_WAITS] = "no blocking fills",
	[NO_ASYNC_WAITS] = "no blocking async copies",
	[NO_WAITS] = "no waits",
	[FREE_SETUP + SETUP_POLL] = "polling free",
	[FREE_SETUP + SETUP_PIN] = "pinning free",
	[FREE_SETUP + SETUP_ALLOC] = "allocations free",
	[FREE_SETUP + SETUP_LOAD] = "loading free",
	[FREE_SETUP + SETUP_GRAPH] = "building graphs free",
	[FREE_SETUP + SETUP_STREAM] = "streams and events free",
	[HALF_HOST] = "host x 0.5",
	[OVERLAPPED] = "queues overlap",
	[HIDDEN_COPIES] = "copies hidden",
	[FASTER_COMM] = "collectives x 0.7",
	[BALANCED] = "ranks balanced",
	[NO_SLOWER] = "slow stages usual",
	[EVEN_COMM] = "slow communicators usual",
	[PROMPT] = "late ranks on time",
};

static const char class_front[] = "class ", kernel_front[] = "kernel ";
static const char *const ends[] = { " x 0.5", " x 0" }; /* by whether it takes no time */

/* Take the next of several names; false when there is none. */
static bool next_name(const char **names, const char **name, size_t *n)
{
	*name = *names + strspn(*names, ";");
	*n = strcspn(*name, ";");
	*names = *name + *n;
	return *n != 0;
}

bool tm_whatif_is_named(const char *only, const char *name, size_t len)
{
	const char *one;
	size_t n;

	while (next_name(&only, &one, &n))
		if (n == len && !memcmp(one, name, n))
			return true;
	return false;
}

/* Is it `front`, a name, and the end of a factor?  The name; NULL = no. */
static const char *between(const char *name, size_t n, const char *front, bool zero, size_t *len)
{
	const size_t a = strlen(front), b = strlen(ends[zero]);

	if (n <= a + b || memcmp(name, front, a) != 0 || memcmp(name + n - b, ends[zero], b) != 0)
		return NULL;
	*len = n - a - b;
	return name + a;
}

static bool is_known(const char *name, size_t n, const struct tm_classes *c, enum whatif_of of)
{
	size_t len;

	for (size_t i = 0; of != WHATIF_SWEEP && i < USUAL; i++)
		if (strlen(usual[i]) == n && !memcmp(usual[i], name, n))
			return true;
	for (int zero = 0; zero < 2; zero++) {
		const char *of_class = between(name, n, class_front, zero, &len);

		if (of == WHATIF_ALL && between(name, n, kernel_front, zero, &len))
			return true;
		for (size_t i = 0;
		     of_class && (!zero || of == WHATIF_SWEEP) && i < tm_classes_count(c); i++)
			if (strlen(tm_classes_name(c, i)) == len &&
			    !memcmp(tm_classes_name(c, i), of_class, len))
				return true;
	}
	return false;
}

/* In lines of their own, as a message has room for some only. */
static void tell_usual(enum whatif_of of, struct tm_report *rep)
{
	enum { A_LINE = 8 };

	for (size_t i = 0, end; of != WHATIF_SWEEP && i < USUAL; i = end) {
		struct tm_buf b = { 0 };

		end = i + A_LINE < USUAL ? i + A_LINE : USUAL;
		for (size_t k = i; k < end; k++)
			tm_buf_fmt(&b, "%s%s", k > i ? "; " : "", usual[k]);
		rep->lost |= b.failed;
		if (!b.failed)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "usual scenarios: %s", b.p);
		tm_buf_fini(&b);
	}
}

enum tm_status tm_whatif_names(const char *only, const struct tm_classes *c, enum whatif_of of,
                               struct tm_report *rep)
{
	const char *name, *rest = only;
	struct tm_buf b = { 0 };
	size_t n = 0, kinds = of == WHATIF_ALL ? 2 : 1;
	bool known = true, any = false;

	while (known && next_name(&rest, &name, &n)) {
		any = true;
		known = is_known(name, n, c, of);
	}
	if (known && any)
		return TM_ST_OK;
	tm_buf_fmt(&b, "%sCLASS%s", class_front, ends[0]);
	if (of == WHATIF_SWEEP)
		tm_buf_fmt(&b, "; %sCLASS%s", class_front, ends[1]);
	for (int zero = 0; kinds > 1 && zero < 2; zero++)
		tm_buf_fmt(&b, "; %sNAME%s", kernel_front, ends[zero]);
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "--only: unknown scenario \"%.*s\"; use: %s%s",
	              known ? 0 : (int)(n < 100 ? n : 100), known ? "" : name, b.p ? b.p : "",
	              of == WHATIF_SWEEP ? "" : "; or a usual scenario");
	tell_usual(of, rep);
	n = b.failed;
	tm_buf_fini(&b);
	return n ? TM_ST_FATAL : TM_ST_END;
}

enum tm_status tm_whatif_absent(const char *only,
                                bool (*has)(void *arg, const char *name, size_t n), void *arg,
                                struct tm_report *rep)
{
	const char *name, *rest = only;
	struct tm_buf b = { 0 };
	bool any = false, failed;
	size_t n;

	while (next_name(&rest, &name, &n))
		if (has(arg, name, n)) {
			any = true;
		} else {
			tm_buf_str(&b, b.n ? "; " : "");
			tm_buf_add(&b, name, n);
		}
	if (b.n)
		tm_report_add(rep, any ? TM_SEV_NOTE : TM_SEV_ERROR, NULL, 0,
		              "%sthese scenarios change nothing in the input: %s",
		              any ? "" : "nothing to show: ", b.p);
	failed = b.failed;
	tm_buf_fini(&b);
	return failed ? TM_ST_FATAL : any ? TM_ST_OK : TM_ST_END;
}

static bool is_in(void *arg, const char *name, size_t n)
{
	const struct whatif_list *l = arg;

	for (size_t i = 0; i < l->n; i++)
		if (n == l->v[i].text.n && !memcmp(name, l->v[i].text.p, n))
			return true;
	return false;
}

/* Has any agent kernels of more than one queue or stream? */
static bool has_queues(const struct tm_replay_rows *rows)
{
	const struct tm_replay_track *t = rows->track;

	for (uint32_t i = 0; i < rows->tracks.n; i++)
		for (uint32_t k = i + 1; !t[i].copy && k < rows->tracks.n; k++)
			if (!t[k].copy && t[k].rank == t[i].rank &&
			    t[k].has_agent == t[i].has_agent && t[k].agent == t[i].agent)
				return true;
	return false;
}

/* A scenario of the host needs calls, and one of ranks needs ranks; all others may be there. */
static bool may_be(const struct tm_replay_rows *rows, const char *name, size_t n)
{
	size_t calls = 0;

	for (uint32_t i = 0; i < rows->ranks.n; i++)
		calls += rows->rank[i].ncall;
	if (strlen(usual[OVERLAPPED]) == n && !memcmp(usual[OVERLAPPED], name, n))
		return calls && has_queues(rows);
	for (int i = 0; i < USUAL; i++)
		if (strlen(usual[i]) == n && !memcmp(usual[i], name, n))
			return i <= HALF_HOST ? calls != 0 : i < BALANCED || rows->ranks.n > 1;
	return true;
}

static bool none(void *arg, const char *name, size_t n)
{
	(void)arg, (void)name, (void)n;
	return false;
}

enum tm_status tm_whatif_possible(const char *only, const struct tm_replay_rows *rows,
                                  struct tm_report *rep)
{
	const char *name, *rest = only;
	size_t n;

	while (next_name(&rest, &name, &n))
		if (may_be(rows, name, n))
			return TM_ST_OK;
	return tm_whatif_absent(only, none, NULL, rep);
}

enum tm_status tm_whatif_absent_of(struct whatif_list *l, const char *only, struct tm_report *rep)
{
	return tm_whatif_absent(only, is_in, l, rep);
}

void tm_whatif_only(struct whatif_list *l, const char *only)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (tm_whatif_is_named(only, l->v[i].text.p, l->v[i].text.n))
			l->v[n++] = l->v[i];
		else
			one_fini(&l->v[i]);
	l->n = n;
}

void tm_whatif_list_fini(struct whatif_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		one_fini(&l->v[i]);
	free(l->v);
	*l = (struct whatif_list) { 0 };
}

struct whatif_one *tm_whatif_add(struct whatif_list *l, const char *text)
{
	struct whatif_one *w;

	if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v))
		return NULL;
	w = &l->v[l->n++];
	*w = (struct whatif_one) { .s = tm_replay_same() };
	return tm_buf_str(&w->text, text) ? w : NULL;
}

bool tm_whatif_add_scale(struct whatif_one *w, struct tm_replay_scale s)
{
	if (!tm_grow_array(&w->scale, &w->scale_cap, w->nscale + 1, sizeof *w->scale))
		return false;
	w->scale[w->nscale++] = s;
	w->s.scale = w->scale;
	w->s.nscale = w->nscale;
	return true;
}

/* ---- what can be asked ---- */

const char *tm_whatif_no_host(const struct tm_replay *r)
{
	const struct tm_replay_counts *c = &r->counts;

	if (!c->calls)
		return "no API calls; trace with --hip-trace";
	if ((c->kernels - c->uncalled_kernels) * 100 < c->kernels * MUST_CALL_PCT)
		return "launch calls are known for less than half of the kernels";
	return NULL;
}

const char *tm_whatif_no_ranks(const struct tm_replay *r)
{
	if (r->nrank < 2)
		return "only one rank";
	if (r->counts.collectives && !r->ngroup)
		return r->counts.lacking
		               ? "the traces of some ranks lack collectives"
		               : "the clocks of the ranks are not comparable; use tracemerge "
		                 "--align collectives";
	return NULL;
}

const char *tm_whatif_no_balance(const struct tm_replay *r)
{
	const char *why = tm_whatif_no_ranks(r);

	/* A rank that receives may have waited for the one that is relieved. */
	if (!why && r->counts.unmatched)
		return "who sends to whom is not known";
	/* They may wait for each other by way of their hosts, as with MPI. */
	return !why && !r->ngroup ? "there are no collectives, nor sends and receives, by which "
	                            "ranks wait for each other"
	                          : why;
}

/* Without a change of its work a rank that receives ends when it did, for all that is known.  Where
 * that is much of what ranks exchange, no time of the host is saved, however much others wait. */
const char *tm_whatif_no_usual_host(const struct tm_replay *r)
{
	const struct tm_replay_counts *c = &r->counts;
	const char *why = tm_whatif_no_host(r);

	if (!why && r->nrank > 1 && c->unmatched * 100 > c->comm_ops * MAY_LACK_PCT)
		return "who sends to whom is not known";
	return why;
}

/* Which names are calls that only wait for the GPU, or match one of the names in `list`. */
bool tm_whatif_nosync(struct whatif_one *w, const struct tm_replay *r, const char *list)
{
	static const char *const waits[] = { "DeviceSynchronize", "StreamSynchronize",
		                             "EventSynchronize", "CtxSynchronize" };
	const struct tm_names *names = &r->rows->names;

	w->set = calloc((size_t)names->n + 1, 1);
	for (uint32_t i = 0; w->set && i < names->n; i++) {
		const char *text = names->v[i].text;

		/* Kernels of other ranks are many, and looked at again for each. */
		if ((!list && !r->does[i]) || !tm_wait_of(text))
			continue;
		for (size_t k = 0; !list && k < sizeof waits / sizeof *waits; k++)
			w->set[i] |= strstr(text, waits[k]) != NULL;
		for (const char *at = list, *end; at && *at; at = *end ? end + 1 : end) {
			end = at + strcspn(at, ",");
			w->set[i] |= (size_t)(end - at) == names->v[i].len &&
			             !memcmp(at, text, names->v[i].len);
		}
	}
	w->s.nosync = w->set;
	return w->set != NULL;
}

/* ---- the usual ones ---- */

/* Names of calls: that there are, and copies that need not block and did. */
struct calls {
	uint8_t *any, *blocking;
};

/* Kinds of waits, more: such copies; all kinds. */
enum { WAIT_ASYNC = TM_WAIT_KINDS, WAIT_ALL };

/* Calls of a kind return at once; WAIT_ALL: of every kind, where there are several.  Of a rank
 * without such calls there is no scenario. */
static bool add_nonblocking(struct whatif_list *l, const struct tm_replay *r,
                            const struct calls *calls, const char *text, unsigned kind)
{
	const struct tm_names *names = &r->rows->names;
	uint8_t *set = calloc((size_t)names->n + 1, 1);
	unsigned kinds = 0, least = kind == WAIT_ALL ? 2 : 1;
	struct whatif_one *w;

	for (uint32_t i = 0; set && i < names->n; i++) {
		const struct tm_wait *wait = calls->any[i] ? tm_wait_of(names->v[i].text) : NULL;
		const unsigned of = wait ? wait->kind : WAIT_ASYNC;

		set[i] = (wait || calls->blocking[i]) && (kind == WAIT_ALL || of == kind);
		kinds |= set[i] ? 1u << of : 0;
	}
	if (!set || __builtin_popcount(kinds) < (int)least) {
		free(set);
		return set != NULL;
	}
	w = tm_whatif_add(l, text);
	if (!w) {
		free(set);
		return false;
	}
	w->s.nosync = w->set = set;
	return true;
}

/* What a call of that name sets up; SETUP_KINDS = nothing. */
static enum setup_kind setup_of(const char *name)
{
	static const struct {
		enum setup_kind kind;
		const char *name;
	} calls[] = {
#define SETUP(kind, name) { SETUP_##kind, name },
#include "schemas/setup_calls.def"
#undef SETUP
	};

	if (tm_call_kind_of_text(name) != TM_CALL_OTHER)
		return SETUP_KINDS;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (tm_name_like(calls[i].name, name))
			return calls[i].kind;
	return SETUP_KINDS;
}

bool tm_whatif_may(const char *scenario, const char *call, uint64_t longest)
{
	if (!strcmp(scenario, usual[NO_ASYNC_WAITS]))
		return longest >= TM_REPLAY_BLOCKS_NS && strstr(call, "emcpy") && !tm_wait_of(call);
	for (int k = 0; k < SETUP_KINDS; k++)
		if (!strcmp(scenario, usual[FREE_SETUP + k]))
			return setup_of(call) == (enum setup_kind)k;
	return strcmp(scenario, usual[LOADED]) != 0 ||
	       (longest >= TM_REPLAY_LOADS_NS && tm_call_kind_of_text(call) == TM_CALL_LAUNCH);
}

/* Calls of each kind that set something up take no time: a scenario for each kind there is. */
static bool add_setups(struct whatif_list *l, const struct tm_replay *r, const uint8_t *called)
{
	const size_t n = r->rows->names.n;
	uint8_t *kind = calloc(n + 1, 1);
	unsigned kinds = 0;
	bool ok = kind != NULL;

	for (uint32_t i = 0; ok && i < n; i++) {
		kind[i] = called[i] ? (uint8_t)setup_of(r->rows->names.v[i].text) : SETUP_KINDS;
		kinds |= 1u << kind[i];
	}
	for (unsigned k = 0; ok && k < SETUP_KINDS; k++) {
		struct whatif_one *w;

		if (!(kinds >> k & 1))
			continue;
		w = tm_whatif_add(l, usual[FREE_SETUP + k]);
		ok = w && (w->s.nosync = w->set = calloc(n + 1, 1)) != NULL;
		if (ok)
			w->s.polling = k == SETUP_POLL;
		for (size_t i = 0; ok && i < n; i++)
			w->set[i] = kind[i] == k;
	}
	free(kind);
	return ok;
}

static bool launches_graphs(const struct tm_replay *r, const uint8_t *called)
{
	for (uint32_t i = 0; i < r->rows->names.n; i++)
		if (called[i] && tm_call_kind_of_text(r->rows->names.v[i].text) == TM_CALL_GRAPH)
			return true;
	return false;
}

/* A kernel or a class, and how long it ran in all. */
struct share {
	uint32_t id;
	tm_u128 ns;
};

static int by_share(const void *pa, const void *pb, void *arg)
{
	const struct share *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return order[a->id] > order[b->id] ? 1 : -1;
}

static bool add_factor(struct whatif_list *l, const char *what, const char *name, bool zero,
                       struct tm_replay_scale s)
{
	struct whatif_one *w = tm_whatif_add(l, what);

	if (!w)
		return false;
	tm_buf_str(&w->text, name);
	tm_buf_str(&w->text, ends[zero]);
	s.factor = zero ? 0 : HALF;
	return tm_whatif_add_scale(w, s) && !w->text.failed;
}

static bool add_classes(struct whatif_list *l, const struct tm_replay *r,
                        const struct tm_classes *c, const tm_u128 *ns, bool sweep)
{
	size_t n = tm_classes_count(c);
	bool *has = calloc(n + 2, sizeof *has), ok = has != NULL;

	for (uint32_t i = 0; ok && i < r->rows->names.n; i++)
		if (ns[i] && r->class_of[i] && r->class_of[i] <= n)
			has[r->class_of[i]] = true;
	for (size_t i = 1; ok && i <= n && i < UINT16_MAX; i++) {
		struct tm_replay_scale s = { .class_of = (uint16_t)i, .name = TM_REPLAY_NONE };

		for (int zero = 0; ok && has[i] && zero <= sweep; zero++)
			ok = add_factor(l, class_front, tm_classes_name(c, i - 1), zero, s);
	}
	free(has);
	return ok;
}

static bool add_kernels(struct whatif_list *l, const struct tm_replay *r, const tm_u128 *ns)
{
	const struct tm_names *names = &r->rows->names;
	struct share *v = malloc(((size_t)names->n + 1) * sizeof *v);
	size_t n = 0;
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < names->n; i++)
		if (ns[i])
			v[n++] = (struct share) { i, ns[i] };
	if (ok && n)
		qsort_r(v, n, sizeof *v, by_share, r->order);
	for (size_t i = 0; ok && i < n && i < TOP; i++) {
		struct tm_replay_scale s = { .name = v[i].id };

		ok = add_factor(l, kernel_front, names->v[v[i].id].text, false, s) &&
		     add_factor(l, kernel_front, names->v[v[i].id].text, true, s);
	}
	free(v);
	return ok;
}

/* Can collectives begin without the late ranks?  Not where these may keep others waiting by what
 * they send, and nobody knows whom.  What was launched before the window waits for the host after
 * all, which the calls that are inside do not say. */
static bool can_be_prompt(const struct tm_replay *r)
{
	const struct tm_replay_counts *c = &r->counts;

	return !tm_whatif_no_ranks(r) && c->coupled && !c->unmatched &&
	       (!c->calls || c->uncalled_kernels * 100 <= c->kernels * MAY_LACK_PCT);
}

bool tm_whatif_usual(struct whatif_list *l, const struct tm_replay *r, const struct tm_classes *c,
                     enum whatif_of of)
{
	const bool sweep = of == WHATIF_SWEEP;
	tm_u128 *ns = calloc((size_t)r->rows->names.n + 1, sizeof *ns);
	struct calls calls = { calloc((size_t)r->rows->names.n + 1, 1),
		               calloc((size_t)r->rows->names.n + 1, 1) };
	struct whatif_one *w;
	bool ok = ns && calls.any && calls.blocking, host = !tm_whatif_no_usual_host(r),
	     ranks = !tm_whatif_no_balance(r);

	if (ok) {
		tm_replay_kernels(r, ns);
		tm_replay_called(r, calls.any);
		tm_replay_blocking(r, calls.blocking);
	}
	if (ok && !sweep && host) {
		ok = (w = tm_whatif_add(l, usual[FREE_LAUNCHES])) != NULL;
		if (ok)
			w->s.launch = 0;
		ok = ok && (w = tm_whatif_add(l, usual[NO_SYNCS])) != NULL &&
		     tm_whatif_nosync(w, r, NULL) &&
		     add_nonblocking(l, r, &calls, usual[NO_COPY_WAITS], TM_WAIT_COPY) &&
		     add_nonblocking(l, r, &calls, usual[NO_FREE_WAITS], TM_WAIT_FREE) &&
		     add_nonblocking(l, r, &calls, usual[NO_HOST_FREE_WAITS], TM_WAIT_HOST_FREE) &&
		     add_nonblocking(l, r, &calls, usual[NO_FILL_WAITS], TM_WAIT_FILL) &&
		     add_nonblocking(l, r, &calls, usual[NO_ASYNC_WAITS], WAIT_ASYNC) &&
		     add_nonblocking(l, r, &calls, usual[NO_WAITS], WAIT_ALL) &&
		     add_setups(l, r, calls.any);
		if (ok && launches_graphs(r, calls.any)) {
			ok = (w = tm_whatif_add(l, usual[FREE_GRAPH_LAUNCHES])) != NULL;
			if (ok)
				w->s.graph = 0;
		}
		if (ok && tm_replay_has_loads(r)) {
			ok = (w = tm_whatif_add(l, usual[LOADED])) != NULL;
			if (ok)
				w->s.loaded = true;
		}
		ok = ok && (w = tm_whatif_add(l, usual[HALF_HOST])) != NULL;
		if (ok)
			w->s.host = TM_REPLAY_UNIT / 2;
		if (ok && tm_replay_has_turns(r)) {
			ok = (w = tm_whatif_add(l, usual[OVERLAPPED])) != NULL;
			if (ok)
				w->s.overlap = true;
		}
	}
	if (ok && !sweep && r->counts.ops > r->counts.kernels) {
		ok = (w = tm_whatif_add(l, usual[HIDDEN_COPIES])) != NULL;
		if (ok)
			w->s.copy = 0;
	}
	if (ok && !sweep && r->counts.comm_ops && !r->counts.unmatched &&
	    (r->nrank < 2 || !tm_whatif_no_ranks(r))) {
		ok = (w = tm_whatif_add(l, usual[FASTER_COMM])) != NULL;
		if (ok)
			w->s.comm = COMM;
	}
	if (ok && !sweep && ranks) {
		ok = (w = tm_whatif_add(l, usual[BALANCED])) != NULL;
		if (ok)
			w->s.balance = true;
	}
	if (ok && !sweep && ranks && r->counts.pairs) {
		ok = (w = tm_whatif_add(l, usual[NO_SLOWER])) != NULL;
		if (ok)
			w->s.no_slower = true;
	}
	if (ok && !sweep && ranks && r->counts.slow) {
		ok = (w = tm_whatif_add(l, usual[EVEN_COMM])) != NULL;
		if (ok)
			w->s.even = true;
	}
	if (ok && !sweep && can_be_prompt(r)) {
		ok = (w = tm_whatif_add(l, usual[PROMPT])) != NULL;
		if (ok)
			w->s.prompt = true;
	}
	ok = ok && add_classes(l, r, c, ns, sweep) && (of != WHATIF_ALL || add_kernels(l, r, ns));
	free(ns);
	free(calls.any);
	free(calls.blocking);
	return ok;
}
