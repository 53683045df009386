/* SPDX-License-Identifier: MIT */
#include "stream/process.h"

#include "base/base.h"
#include "stream/contained_rows.h"
#include "stream/drive.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A run of a rank. */
struct run_of_rank {
	uint64_t rank;
	uint64_t pid;  /* of its rows, the first */
	uint64_t pids; /* how many there are */
	bool given;    /* its rank is */
	/* after settle: */
	bool known;  /* its process is */
	uint64_t id; /* that, else its place among the runs of the rank */
};

struct tm_processes {
	pthread_mutex_t lock;
	unsigned shared;
	struct tm_names keys; /* bytes of a rank, then the text of a run: */
	struct run_of_rank *run;
	size_t run_cap;
	struct tm_names pairs; /* bytes of the number of a run and of a process that it names */
	struct tm_executed executed;
	struct tm_contained contained[TM_CONTAINED_KINDS];
	/* after settle: */
	bool settled, mixed; /* settled: nothing is new; mixed: some run is of several */
	uint32_t *order;     /* norder runs by rank and text: all there were then */
	size_t norder;
};

struct tm_processes *tm_processes_new(void)
{
	struct tm_processes *p = calloc(1, sizeof *p);

	if (p) {
		pthread_mutex_init(&p->lock, NULL);
		p->shared = 1;
	}
	return p;
}

struct tm_processes *tm_processes_share(struct tm_processes *p)
{
	if (!p)
		return NULL;
	pthread_mutex_lock(&p->lock);
	p->shared++;
	pthread_mutex_unlock(&p->lock);
	return p;
}

static void forget(struct tm_processes *p)
{
	tm_names_fini(&p->keys);
	tm_names_fini(&p->pairs);
	tm_executed_fini(&p->executed);
	for (int k = 0; k < TM_CONTAINED_KINDS; k++)
		tm_contained_fini(&p->contained[k]);
	free(p->run);
	free(p->order);
	p->run = NULL;
	p->order = NULL;
	p->run_cap = p->norder = 0;
	p->settled = p->mixed = false;
}

void tm_processes_free(struct tm_processes *p)
{
	bool last;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	last = !--p->shared;
	pthread_mutex_unlock(&p->lock);
	if (!last)
		return;
	forget(p);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void tm_processes_clear(struct tm_processes *p)
{
	pthread_mutex_lock(&p->lock);
	forget(p);
	pthread_mutex_unlock(&p->lock);
}

/* The lock is held. */
static bool add_run(struct tm_processes *p, const struct tm_buf *key, uint64_t rank, bool given,
                    uint32_t *number)
{
	const uint32_t had = p->keys.n;

	*number = tm_names_add(&p->keys, key->p, key->n);
	if (*number == TM_NAME_NONE ||
	    !tm_grow_array(&p->run, &p->run_cap, p->keys.n, sizeof *p->run))
		return false;
	if (p->keys.n == had)
		return true;
	p->run[*number] = (struct run_of_rank) { .rank = rank, .given = given };
	p->settled = false;
	return true;
}

bool tm_processes_run(struct tm_processes *p, uint64_t rank, const char *run, bool given,
                      uint32_t *number)
{
	struct tm_buf key = { 0 };
	bool ok = tm_buf_add(&key, &rank, sizeof rank) && tm_buf_str(&key, run ? run : "");

	pthread_mutex_lock(&p->lock);
	ok = ok && add_run(p, &key, rank, given, number);
	pthread_mutex_unlock(&p->lock);
	tm_buf_fini(&key);
	return ok;
}

/* The key of a pair. */
struct pair {
	uint64_t run, pid;
};

static bool names_process(const struct tm_processes *p, uint32_t run, uint64_t pid)
{
	const struct pair key = { run, pid };

	return tm_names_find(&p->pairs, (const char *)&key, sizeof key) != TM_NAME_NONE;
}

bool tm_processes_note(struct tm_processes *p, uint32_t number, uint64_t pid)
{
	const struct pair key = { number, pid };
	struct run_of_rank *r;
	uint32_t had;
	bool ok;

	pthread_mutex_lock(&p->lock);
	had = p->pairs.n;
	r = &p->run[number];
	ok = tm_names_add(&p->pairs, (const char *)&key, sizeof key) != TM_NAME_NONE;
	if (ok && p->pairs.n > had) {
		r->pid = r->pids++ ? r->pid : pid;
		p->settled = false;
	}
	pthread_mutex_unlock(&p->lock);
	return ok;
}

bool tm_processes_rows(struct tm_process_notes *n, const struct tm_piece *p,
                       const struct tm_batch *b)
{
	const uint64_t *pid = b->col[TM_EVC_PID];

	if ((int)b->kind < TM_CONTAINED_KINDS) {
		n->contained[b->kind].kind = b->kind;
		if (!tm_contained_rows(&n->contained[b->kind], p, b, n->one))
			return false;
	}
	if (p->processes && !p->origin && !tm_executed_rows(&n->executed, p, b))
		return false;
	if (!p->processes || !(b->some & TM_EV_BIT(TM_EVC_PID)) ||
	    (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COPY && b->kind != TM_EV_API))
		return true;
	if (n->any && n->run == p->process && tm_batch_all(b, TM_EVC_PID, n->pid))
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		struct pair key = { p->process, pid[i] };

		if ((n->any && n->run == key.run && n->pid == key.pid) ||
		    !tm_batch_has(b, i, TM_EVC_PID))
			continue;
		if (tm_names_add(&n->pairs, (const char *)&key, sizeof key) == TM_NAME_NONE)
			return false;
		n->any = true;
		n->run = key.run;
		n->pid = key.pid;
	}
	return true;
}

static bool take_runs(struct tm_processes *p, const struct tm_process_notes *n)
{
	bool ok;

	pthread_mutex_lock(&p->lock);
	ok = tm_executed_take(&p->executed, &n->executed);
	for (int k = 0; ok && k < TM_CONTAINED_KINDS; k++)
		ok = tm_contained_take(&p->contained[k], &n->contained[k]);
	pthread_mutex_unlock(&p->lock);
	return ok;
}

bool tm_processes_take(struct tm_processes *p, const struct tm_process_notes *n)
{
	for (uint32_t i = 0; i < n->pairs.n; i++) {
		struct pair key;

		memcpy(&key, n->pairs.v[i].text, sizeof key);
		if (!tm_processes_note(p, (uint32_t)key.run, key.pid))
			return false;
	}
	return !p || take_runs(p, n);
}

/* Does who wants this add up more than kernels: events of that kind?  Else it changes nothing that
 * some are there twice. */
static bool asks_for(tm_ev_set want, int kind)
{
	static const tm_ev_set tell[TM_CONTAINED_KINDS] = {
		[TM_EV_DISPATCH] = TM_EV_ALL,
		[TM_EV_COPY] = TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_SRC) |
		               TM_EV_BIT(TM_EVC_DST) | TM_EV_BIT(TM_EVC_BYTES),
		[TM_EV_API] = TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_PID) |
		              TM_EV_BIT(TM_EVC_TID),
		[TM_EV_ALLOC] = TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_ADDRESS) |
		                TM_EV_BIT(TM_EVC_BYTES),
	};

	return want & tell[kind];
}

/* Nobody reads meanwhile: no lock is needed. */
bool tm_processes_tell(struct tm_processes *p, const struct tm_drive *d, const struct tm_input *in,
                       size_t nin, struct tm_report *rep)
{
	for (int k = 0; k < TM_CONTAINED_KINDS && !rep->lost; k++)
		if (asks_for(d->want, k) && tm_contained_tell(&p->contained[k], d, in, nin, rep))
			return true;
	return tm_executed_tell(&p->executed, rep);
}

void tm_process_notes_fini(struct tm_process_notes *n)
{
	tm_names_fini(&n->pairs);
	tm_executed_fini(&n->executed);
	for (int k = 0; k < TM_CONTAINED_KINDS; k++)
		tm_contained_fini(&n->contained[k]);
	*n = (struct tm_process_notes) { 0 };
}

/* ---- when everything was read ---- */

static int by_text(const void *pa, const void *pb, void *arg)
{
	const struct tm_processes *p = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int c = tm_u64_cmp(p->run[a].rank, p->run[b].rank);

	return c ? c : tm_name_cmp(&p->keys.v[a], &p->keys.v[b]);
}

/* Is the name of the files of a run a number? */
static bool numbered(const struct tm_processes *p, uint32_t run, uint64_t *number)
{
	const char *text = p->keys.v[run].text + sizeof(uint64_t), *slash = strrchr(text, '/');
	size_t n;

	text = slash ? slash + 1 : text;
	n = strlen(text);
	/* tm_run_of_path ends each part that it keeps so. */
	return n > 1 && text[n - 1] == '_' && tm_num_u64(text, n - 1, number);
}

/* Are the names of the runs [from, to) of a rank their processes, as far as both are known? */
static bool names_tell(const struct tm_processes *p, size_t from, size_t to)
{
	bool some = false;
	uint64_t n;

	for (size_t i = from; i < to; i++) {
		const uint32_t run = p->order[i];

		if (!p->run[run].pids || !numbered(p, run, &n))
			continue;
		if (!names_process(p, run, n))
			return false;
		some |= p->run[run].pids == 1;
	}
	return some;
}

static struct run_of_rank *at(const struct tm_processes *p, size_t i)
{
	return &p->run[p->order[i]];
}

/* Rules 1 and 2; how many processes are known of the runs [from, to) of a rank, 2 = several, and
 * the first of them. */
static unsigned tell_runs(struct tm_processes *p, size_t from, size_t to, uint64_t *first)
{
	const bool tell = names_tell(p, from, to);
	unsigned n = 0;

	for (size_t i = from; i < to; i++) {
		struct run_of_rank *r = at(p, i);

		r->known = r->pids == 1;
		r->id = r->known ? r->pid : i - from;
		p->mixed |= r->pids > 1;
		if (!r->pids && tell && numbered(p, p->order[i], &r->id))
			r->known = true;
		if (r->known && !n)
			*first = r->id;
		if (r->pids > 1 || (r->known && n && r->id != *first))
			n = 2;
		else if (r->known && !n)
			n = 1;
	}
	return n;
}

static void settle_rank(struct tm_processes *p, size_t from, size_t to)
{
	uint64_t one = 0;
	const unsigned n = tell_runs(p, from, to, &one);
	const struct run_of_rank *first = NULL;

	for (size_t i = from; i < to && n < 2; i++) {
		struct run_of_rank *r = at(p, i);

		if (r->known || !r->given)
			continue;
		first = first ? first : r;
		r->known = n == 1;
		r->id = r->known ? one : first->id;
	}
}

/* The lock is held. */
static bool settle(struct tm_processes *p)
{
	uint32_t *order = tm_array((size_t)p->keys.n + 1, sizeof *order);

	free(p->order);
	p->order = order;
	p->norder = order ? p->keys.n : 0;
	if (!order)
		return false;
	for (uint32_t i = 0; i < p->keys.n; i++)
		order[i] = i;
	if (p->keys.n)
		qsort_r(order, p->keys.n, sizeof *order, by_text, p);
	p->mixed = false;
	for (size_t i = 0, end; i < p->keys.n; i = end) {
		for (end = i + 1;
		     end < p->keys.n && p->run[order[end]].rank == p->run[order[i]].rank;)
			end++;
		settle_rank(p, i, end);
	}
	return p->settled = true;
}

/* Of p->order: where the runs of a rank begin. */
static size_t first_of(const struct tm_processes *p, uint64_t rank)
{
	size_t lo = 0, hi = p->norder;

	TM_BISECT(lo, hi, mid, p->run[p->order[mid]].rank < rank);
	return lo;
}

/* Is that place one of a run of the rank? */
static bool is_of(const struct tm_processes *p, uint64_t rank, size_t place)
{
	return place < p->norder && p->run[p->order[place]].rank == rank;
}

/* ---- stores ---- */

void tm_whose_piece(struct tm_whose *w, const struct tm_piece *p)
{
	if (!w->all)
		w->all = tm_processes_share(p->processes);
	w->run = p->process;
}

void tm_whose_merge(struct tm_whose *w, const struct tm_whose *from)
{
	if (!w->all)
		w->all = tm_processes_share(from->all);
}

bool tm_whose_settle(struct tm_whose *w)
{
	bool ok = true;

	if (!w->all)
		return true;
	pthread_mutex_lock(&w->all->lock);
	if (!w->all->settled)
		ok = settle(w->all);
	pthread_mutex_unlock(&w->all->lock);
	return ok;
}

void tm_whose_tell(const struct tm_whose *w, bool *has_pid, uint64_t *pid)
{
	if (*has_pid || !w->all)
		return;
	pthread_mutex_lock(&w->all->lock);
	*has_pid = w->all->run[*pid].known;
	*pid = w->all->run[*pid].id;
	pthread_mutex_unlock(&w->all->lock);
}

void tm_whose_fini(struct tm_whose *w)
{
	tm_processes_free(w->all);
	*w = (struct tm_whose) { 0 };
}

/* Is a process one of several of the run at that place of its rank? */
static bool one_of(struct tm_processes *p, uint64_t rank, uint64_t place, uint64_t pid)
{
	bool found;
	size_t at;

	pthread_mutex_lock(&p->lock);
	at = first_of(p, rank) + place;
	found = is_of(p, rank, at) && names_process(p, p->order[at], pid);
	pthread_mutex_unlock(&p->lock);
	return found;
}

bool tm_process_same(const struct tm_whose *w, uint64_t rank, bool has_a, uint64_t a, bool has_b,
                     uint64_t b)
{
	if (has_a == has_b)
		return a == b;
	return w->all && w->all->mixed && one_of(w->all, rank, has_a ? b : a, has_a ? a : b);
}

void tm_processes_see(struct tm_processes_seen *s, bool has_pid, uint64_t pid)
{
	if (!s->any)
		*s = (struct tm_processes_seen) { .any = true, .has_pid = has_pid, .pid = pid };
	s->several |= s->has_pid != has_pid || s->pid != pid;
}

/* Is there but one run of the rank? */
static bool is_alone(const struct tm_whose *w, uint64_t rank)
{
	bool alone;

	if (!w->all)
		return true;
	pthread_mutex_lock(&w->all->lock);
	alone = !is_of(w->all, rank, first_of(w->all, rank) + 1);
	pthread_mutex_unlock(&w->all->lock);
	return alone;
}

enum tm_process_of tm_process_of_several(const struct tm_whose *w, uint64_t rank, bool has_pid)
{
	return has_pid || !is_alone(w, rank) ? TM_PROCESS_OWN : TM_PROCESS_ANY;
}
