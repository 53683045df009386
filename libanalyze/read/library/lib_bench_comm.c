/* SPDX-License-Identifier: MIT
 * Tables of rccl-tests and nccl-tests: a line for each size, which holds two measurements, out of
 * place and in place.
 *
 *     # Collective test starting: all_reduce_perf
 *     #  Rank  0 Group  0 Pid 117883 on host device  0 [0000:05:00] AMD Instinct MI355X
 *     #       size         count      type   redop    root     time   algbw   busbw #wrong     time
 *             algbw ...
 *             1024           256     float     sum      -1    48.81    0.02    0.02      0    48.81
 *                            0.02 ...
 *
 * Older ones have "error" for "#wrong" and no name of the test; columns that an operation has no
 * use for are missing in the header or empty in the lines.  On request there is "cputime" for
 * "time", and more columns after each "#wrong" or at the end of the line.
 *
 * rccl-tests -x writes a file of it, with a record for each measurement and without count and root;
 * a build without MPI has "gpus" for "nodes" to "gpusPerRank":
 *
 *     numCycle,collective,nodes,ranks,ranksPerNode,gpusPerRank,size,type,redop,inplace,time,algbw,
 *             busbw,#wrong
 *     0,"AllReduce",1,8,8,1,1024,"float","sum",0,48.810000,0.020979,0.036714,"0"
 *     {"numCycle":0, "name":"AllReduce", ... "inPlace":0, "time":48.810000, ... "wrong":"0"}, */
#include "base/base.h"
#include "read/library/lib_bench_parts.h"

#include <string.h>
#include <strings.h>

enum { WORDS = 32, FIRST = 3, HALF = 4, HALVES = 2 };

static const char starting[] = "# Collective test starting:";

struct word {
	const char *p;
	size_t n;
};

/* Words of a line, WORDS + 1 when there are more. */
static size_t cut(const char *p, size_t n, struct word w[WORDS])
{
	size_t words = 0;

	for (size_t i = 0; i < n;) {
		size_t from;

		while (i < n && tm_text_blank(p[i]))
			i++;
		if (i == n)
			break;
		if (words == WORDS)
			return WORDS + 1;
		for (from = i; i < n && !tm_text_blank(p[i]);)
			i++;
		w[words++] = (struct word) { p + from, i - from };
	}
	return words;
}

static bool is(const struct word *w, const char *text)
{
	return w->n == strlen(text) && !memcmp(w->p, text, w->n);
}

static const struct {
	const char *name;
	double all, one; /* (all x ranks - one) / ranks */
} factors[] = {
	{ "all_reduce", 2, 2 }, { "reduce", 1, 0 },     { "broadcast", 1, 0 },
	{ "sendrecv", 1, 0 },   { "all_gather", 1, 1 }, { "reduce_scatter", 1, 1 },
	{ "alltoall", 1, 1 },   { "alltoallv", 1, 1 },  { "gather", 1, 1 },
	{ "scatter", 1, 1 },
};

/* What a byte of the operation is to its buses; 0 = not known. */
static double bus_factor(const char *op, size_t n, double ranks)
{
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
		if (strlen(factors[i].name) == n && !memcmp(factors[i].name, op, n))
			return (factors[i].all * ranks - factors[i].one) / ranks;
	return 0;
}

/* ---- what comments say ---- */

/* "all_reduce_perf": which test, by the end of its program's name. */
static void take_operation(struct tm_bench *b, const char *p, size_t n)
{
	static const char tail[] = "_perf";

	tm_text_trim(&p, &n);
	if (n > sizeof tail - 1 && !memcmp(p + n - (sizeof tail - 1), tail, sizeof tail - 1))
		n -= sizeof tail - 1;
	tm_buf_clear(&b->v->comm_operation);
	b->no_memory |= !tm_buf_add(&b->v->comm_operation, p, n);
	b->v->comm.named = true;
}

void tm_bench_comm_command(struct tm_bench *b, const char *p, size_t n)
{
	static const char tail[] = "_perf -";
	const char *at = tm_text_find(p, n, tail), *from = at;

	while (from && from > p && !tm_text_blank(from[-1]) && from[-1] != '/')
		from--;
	if (at && bus_factor(from, (size_t)(at - from), 2) > 0)
		take_operation(b, from, (size_t)(at - from));
}

static bool is_time(const struct word *w)
{
	return is(w, "time") || is(w, "cputime");
}

/* Words of the values below that word of a header. */
static size_t width(const struct word *w)
{
	return is(w, "timestamp") ? 2 : 1; /* "2026-11-29 10:00:00" */
}

/* The measurements of a header, from its i-th word on; those behind the first are alike. */
static bool take_halves(struct comm_table *t, const struct word *w, size_t n, size_t i)
{
	for (; i < n && t->halves < HALVES && is_time(&w[i]); t->halves++) {
		if (i + HALF > n || !is(&w[i + 1], "algbw") || !is(&w[i + 2], "busbw"))
			return false;
		t->errors = is(&w[i + 3], "error");
		t->cpu = is(&w[i], "cputime");
		i += HALF;
		for (t->tail = 0; i < n && !is_time(&w[i]); i++)
			t->tail += width(&w[i]);
		if (!t->halves && i < n)
			t->half = HALF + t->tail;
	}
	if (t->half > HALF + t->tail)
		return false;
	t->tail -= t->half - HALF;
	return t->halves && i == n;
}

/* The words of the header after its '#'; false when it is none. */
static bool take_header(struct tm_bench *b, const struct word *w, size_t n)
{
	struct comm_table t = { .named = b->v->comm.named,
		                .ranks = b->v->comm.ranks,
		                .half = HALF };
	size_t i = FIRST;

	if (n < FIRST + HALF || n > WORDS || !is(&w[0], "size") || !is(&w[1], "count") ||
	    !is(&w[2], "type"))
		return false;
	for (; i < n && i < FIRST + 2 && !is_time(&w[i]); i++)
		t.middle++;
	if (!take_halves(&t, w, n, i))
		return false;
	b->v->comm = t;
	b->v->comm.header = true;
	return true;
}

static bool is_header(const char *p, size_t n)
{
	if (!tm_text_begins(p, n, "#") || !tm_text_find(p, n, "busbw") ||
	    !tm_text_find(p, n, "algbw"))
		return false;
	p++;
	n--;
	tm_text_trim(&p, &n);
	return tm_text_begins(p, n, "size");
}

bool tm_bench_comm_begins(const char *p, size_t n)
{
	return tm_text_begins(p, n, starting) || tm_text_begins(p, n, "# nThread") ||
	       is_header(p, n);
}

static const char bounds[] = "# Out of bounds values :";

/* "#  Rank  0 Group ..." */
static bool is_rank(const struct word *w, size_t words, uint64_t *rank)
{
	return words > 3 && is(&w[0], "Rank") && tm_num_u64(w[1].p, w[1].n, rank);
}

bool tm_bench_comm_tells(const char *p, size_t n)
{
	struct word w[WORDS];
	uint64_t rank;

	return tm_text_begins(p, n, bounds) || is_rank(w, cut(p + 1, n - 1, w), &rank);
}

void tm_bench_comm_comment(struct tm_bench *b, const char *p, size_t n)
{
	struct word w[WORDS];
	size_t words;
	uint64_t rank, out;

	if (tm_text_begins(p, n, bounds)) {
		p += sizeof bounds - 1;
		n -= sizeof bounds - 1;
		tm_text_trim(&p, &n);
		if (tm_text_number(p, p + n, &out) && out)
			tm_lost_line(&b->comm.bounds, b->lines.line);
		return;
	}
	if (tm_text_begins(p, n, starting)) {
		take_operation(b, p + sizeof starting - 1, n - (sizeof starting - 1));
		b->v->comm.header = false;
		return;
	}
	words = cut(p + 1, n - 1, w);
	if (words && is(&w[0], "nThread")) {
		/* Another test begins; older ones do not say which. */
		if (!b->v->comm.named)
			tm_buf_clear(&b->v->comm_operation);
		b->v->comm = (struct comm_table) { 0 };
	} else if (is_rank(w, words, &rank)) {
		b->v->comm.ranks += rank == b->v->comm.ranks;
	} else if (is_header(p, n) && !take_header(b, w, words)) {
		b->v->comm.header = false;
		tm_bench_misfit(b, b->lines.line);
	}
}

/* ---- values ---- */

/* Does what was printed fit what it is computed from?  `what` = 1e9 bytes times a factor; time in
 * us, with the digits that were printed. */
static bool fits(double bytes, const struct word *time, const struct word *rate)
{
	const char *dot = memchr(time->p, '.', time->n);
	size_t decimals = dot ? (size_t)(time->p + time->n - dot - 1) : 0;
	double half = 0.5, us, gb, low, high, cent = 0.005;

	for (; decimals; decimals--)
		half /= 10;
	dot = memchr(rate->p, '.', rate->n);
	for (decimals = dot ? (size_t)(rate->p + rate->n - dot - 1) : 0, cent = 0.5; decimals;
	     decimals--)
		cent /= 10;
	if (!tm_num_real(time->p, time->n, &us) || !tm_num_real(rate->p, rate->n, &gb) ||
	    us <= half)
		return true;
	low = bytes / ((us + half) * 1000) - cent;
	high = bytes / ((us - half) * 1000) + cent;
	/* A last digit that is rounded to even, and floating point. */
	return gb >= low - 1e-9 * low - 1e-9 && gb <= high + 1e-9 * high + 1e-9;
}

/* Is the half of the line what its own time says? */
static void check(struct tm_bench *b, struct word op, uint64_t ranks, const struct word *size,
                  const struct word *half)
{
	double bytes, factor = 0;
	bool good;

	if (!tm_num_real(size->p, size->n, &bytes))
		return;
	if (op.n && ranks > 0)
		factor = bus_factor(op.p, op.n, (double)ranks);
	good = fits(bytes, &half[0], &half[1]) &&
	       (factor <= 0 || fits(bytes * factor, &half[0], &half[2]));
	if (!good)
		tm_lost_line(&b->comm.unlike, b->v->comm.line);
}

/* "12", or "3*" where it is more than is allowed: wrong results? */
static bool is_wrong(const struct tm_bench *b, const struct word *w)
{
	double v;

	if (w->n && w->p[w->n - 1] == '*')
		return true;
	return !b->v->comm.errors && tm_num_real(w->p, w->n, &v) && v > 0;
}

static bool good_half(const struct word *w)
{
	size_t n = w[3].n && w[3].p[w[3].n - 1] == '*' ? w[3].n - 1 : w[3].n;

	for (int i = 0; i < 3; i++)
		if (!tm_text_numberish(w[i].p, w[i].n))
			return false;
	return tm_text_numberish(w[3].p, n);
}

/* Does the line begin as values do? */
static bool begins(const struct word *w, size_t n)
{
	uint64_t v;

	return n > FIRST && tm_num_u64(w[0].p, w[0].n, &v) && tm_num_u64(w[1].p, w[1].n, &v) &&
	       ((*w[2].p >= 'a' && *w[2].p <= 'z') || (*w[2].p >= 'A' && *w[2].p <= 'Z'));
}

/* Words of a line but for those between type and time. */
static size_t least_words(const struct comm_table *t)
{
	return FIRST + t->half * t->halves + t->tail;
}

/* Does it have as many words as the header says, and numbers where they are to be? */
static bool fits_header(const struct comm_table *t, const struct word *w, size_t words)
{
	size_t least = least_words(t), middle = words - least;
	bool good = words <= WORDS && words >= least && middle <= t->middle;

	for (size_t i = 0; good && i < t->halves; i++)
		good = good_half(&w[FIRST + middle + t->half * i]);
	return good;
}

bool tm_bench_comm_fits(const struct tm_bench *b, const char *p, size_t n)
{
	struct word w[WORDS];
	size_t i = 0, words;

	/* Most numbers in a log are seen to be something else by their first byte that is no digit.
	 */
	while (i < n && p[i] >= '0' && p[i] <= '9')
		i++;
	words = b->v->comm.header && i < n && tm_text_blank(p[i]) ? cut(p, n, w) : 0;
	return words && begins(w, words) && fits_header(&b->v->comm, w, words);
}

bool tm_bench_comm_values(struct tm_bench *b, const char *p, size_t n)
{
	const struct comm_table *t = &b->v->comm;
	struct word w[WORDS];
	size_t words;

	if (!t->header || !n || *p < '0' || *p > '9')
		return false;
	words = cut(p, n, w);
	if (!begins(w, words))
		return false;
	if (b->open_end) {
		tm_loss_line(&b->loss, TM_LOSS_LINE_UNENDED, b->lines.line);
		return true;
	}
	if (!fits_header(t, w, words)) {
		tm_bench_misfit(b, b->lines.line);
		return true;
	}
	tm_buf_clear(&b->v->comm_line);
	if (!tm_buf_add(&b->v->comm_line, p, n)) {
		b->no_memory = true;
		return true;
	}
	b->v->comm.left = t->halves;
	b->v->comm.line = b->lines.line;
	return true;
}

static void put(struct tm_bench *b, const char *name, const struct word *w)
{
	tm_bench_add_field(b, name, strlen(name), w->p, w->n);
}

void tm_bench_comm_row(struct tm_bench *b)
{
	static const char *const places[HALVES] = { "out", "in" };
	struct comm_table *t = &b->v->comm;
	struct word w[WORDS];
	size_t words = cut(b->v->comm_line.p, b->v->comm_line.n, w), at = t->halves - t->left--;
	size_t middle = words - least_words(t);
	const struct word *half = &w[FIRST + middle + t->half * at];
	uint64_t root;

	if (!tm_bench_begin_row(b, TM_BENCH_COMM))
		return;
	b->v->next.line = t->line;
	if (b->v->comm_operation.n)
		tm_bench_add_field(b, "operation", 9, b->v->comm_operation.p,
		                   b->v->comm_operation.n);
	put(b, "bytes", &w[0]);
	put(b, "count", &w[1]);
	put(b, "type", &w[2]);
	/* One of the two may be left empty: a root is a number, an operation is none. */
	for (size_t i = 0; i < middle; i++) {
		bool number = tm_num_u64(w[FIRST + i].p, w[FIRST + i].n, &root) ||
		              is(&w[FIRST + i], "-1");

		put(b, number ? "root" : "redop", &w[FIRST + i]);
	}
	tm_bench_add_field(b, "place", 5, places[at], strlen(places[at]));
	put(b, t->cpu ? "cputime_us" : "time_us", &half[0]);
	put(b, "algbw_GB/s", &half[1]);
	put(b, "busbw_GB/s", &half[2]);
	put(b, t->errors ? "error" : "wrong", &half[3]);
	if (t->ranks) {
		size_t n = (size_t)(tm_num_put_u64(t->ranks_text, t->ranks) - t->ranks_text);

		tm_bench_add_field(b, "ranks", 5, t->ranks_text, n);
	}
	check(b, (struct word) { b->v->comm_operation.p, b->v->comm_operation.n }, t->ranks, &w[0],
	      half);
	if (is_wrong(b, &half[3]))
		tm_lost_line(&b->comm.wrong, t->line);
}

/* ---- files of rccl-tests ---- */

enum key {
	NAME,
	RANKS,
	PER_RANK,
	GPUS,
	SIZE,
	TYPE,
	REDOP,
	IN_PLACE,
	TIME,
	ALGBW,
	BUSBW,
	WRONG,
	KEYS
};

/* Which of them is that?  KEYS = none. */
static enum key key_of(const char *p, size_t n)
{
	static const struct {
		const char *name;
		enum key key;
	} names[] = {
		{ "collective", NAME },  { "name", NAME },
		{ "ranks", RANKS },      { "gpusPerRank", PER_RANK },
		{ "gpus", GPUS },        { "size", SIZE },
		{ "type", TYPE },        { "redop", REDOP },
		{ "inPlace", IN_PLACE }, { "time", TIME },
		{ "algBw", ALGBW },      { "busBw", BUSBW },
		{ "#wrong", WRONG },     { "wrong", WRONG },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].name) == n && !strncasecmp(names[i].name, p, n))
			return names[i].key;
	return KEYS;
}

static bool begins_csv(const char *p, size_t n)
{
	return tm_text_begins(p, n, "numCycle,collective,");
}

static bool begins_json(const char *p, size_t n)
{
	return tm_text_begins(p, n, "{\"numCycle\":");
}

/* `"key":value, ` of a record: what is left of the line, or NULL where it is none. */
static const char *cut_pair(const char *p, const char *end, struct word *key, struct word *value)
{
	const char *q;

	if (p == end || *p != '"' || !(q = memchr(p + 1, '"', (size_t)(end - p - 1))))
		return NULL;
	*key = (struct word) { p + 1, (size_t)(q - p - 1) };
	if (++q == end || *q++ != ':' || q == end)
		return NULL;
	p = q;
	if (*p == '"') {
		p++;
		q = memchr(p, '"', (size_t)(end - p));
		if (!q)
			return NULL;
		*value = (struct word) { p, (size_t)(q - p) };
		q++;
	} else {
		while (q < end && *q != ',' && *q != '}')
			q++;
		*value = (struct word) { p, (size_t)(q - p) };
	}
	while (q < end && (*q == ',' || *q == ' '))
		q++;
	return q;
}

static bool cut_json(const char *p, size_t n, struct word v[KEYS])
{
	const char *end = p + n;

	for (p++; p && p < end && *p != '}';) {
		struct word key, value;
		enum key k;

		p = cut_pair(p, end, &key, &value);
		k = p ? key_of(key.p, key.n) : KEYS;
		if (k != KEYS)
			v[k] = value;
	}
	return p && p < end;
}

static bool cut_csv(struct tm_bench *b, struct word v[KEYS])
{
	const struct fields *names = &b->v->comm_header, *f = &b->v->values;

	for (size_t i = 0; i < f->n && f->n == names->n; i++) {
		enum key k = key_of(names->v[i].p, names->v[i].n);

		if (k != KEYS)
			v[k] = (struct word) { f->v[i].p, f->v[i].n };
	}
	return f->n == names->n;
}

/* "AllReduce" as the tests call it themselves: all_reduce. */
static struct word operation_of(struct word name)
{
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
		const char *known = factors[i].name;
		size_t at = 0;

		for (; at < name.n && *known; known++)
			if (*known != '_' && (name.p[at++] | 0x20) != *known)
				break;
		if (at == name.n && !*known)
			return (struct word) { factors[i].name, strlen(factors[i].name) };
	}
	return name;
}

static uint64_t ranks_of(const struct word v[KEYS])
{
	uint64_t ranks, each;

	if (v[GPUS].n)
		return tm_num_u64(v[GPUS].p, v[GPUS].n, &ranks) ? ranks : 0;
	if (!tm_num_u64(v[RANKS].p, v[RANKS].n, &ranks) ||
	    !tm_num_u64(v[PER_RANK].p, v[PER_RANK].n, &each) ||
	    __builtin_mul_overflow(ranks, each, &ranks))
		return 0;
	return ranks;
}

/* A record becomes the row that waits. */
static void put_record(struct tm_bench *b, const struct word v[KEYS])
{
	struct comm_table *t = &b->v->comm;
	struct word op = operation_of(v[NAME]),
	            half[HALF] = { v[TIME], v[ALGBW], v[BUSBW], v[WRONG] };
	const uint64_t ranks = ranks_of(v);
	const bool in = v[IN_PLACE].n == 1 && *v[IN_PLACE].p == '1';

	if (!tm_bench_begin_row(b, TM_BENCH_COMM))
		return;
	t->line = b->lines.line;
	put(b, "operation", &op);
	put(b, "bytes", &v[SIZE]);
	put(b, "type", &v[TYPE]);
	if (v[REDOP].n)
		put(b, "redop", &v[REDOP]);
	tm_bench_add_field(b, "place", 5, in ? "in" : "out", in ? 2 : 3);
	put(b, "time_us", &half[0]);
	put(b, "algbw_GB/s", &half[1]);
	put(b, "busbw_GB/s", &half[2]);
	put(b, "wrong", &half[3]);
	if (ranks) {
		size_t n = (size_t)(tm_num_put_u64(t->ranks_text, ranks) - t->ranks_text);

		tm_bench_add_field(b, "ranks", 5, t->ranks_text, n);
	}
	check(b, op, ranks, &v[SIZE], half);
	if (is_wrong(b, &half[3]))
		tm_lost_line(&b->comm.wrong, t->line);
}

static bool keep_line(struct fields *f, const char *p, size_t n, bool json)
{
	if (!json)
		return tm_fields_cut(f, p, n);
	tm_buf_clear(&f->text);
	return tm_buf_add(&f->text, p, n);
}

bool tm_bench_comm_record(struct tm_bench *b, const char *p, size_t n)
{
	const bool json = begins_json(p, n);
	struct word v[KEYS] = { { NULL, 0 } };
	uint64_t bytes;
	bool good;

	if (begins_csv(p, n)) {
		b->no_memory |= !tm_fields_cut(&b->v->comm_header, p, n);
		b->v->comm_csv = true;
		return true;
	}
	if (!json && (!b->v->comm_csv || *p < '0' || *p > '9' || !memchr(p, ',', n)))
		return false;
	/* The row that waited was handed out: these are the texts of the next. */
	if (!keep_line(&b->v->values, p, n, json)) {
		b->no_memory = true;
		return true;
	}
	good = json ? cut_json(b->v->values.text.p, n, v) : cut_csv(b, v);
	good = good && v[NAME].n && tm_num_u64(v[SIZE].p, v[SIZE].n, &bytes) && v[TYPE].n &&
	       v[IN_PLACE].n;
	for (int k = TIME; good && k <= WRONG; k++)
		good = tm_text_numberish(v[k].p, v[k].n);
	if (good)
		put_record(b, v);
	else
		tm_bench_misfit(b, b->lines.line);
	return true;
}
