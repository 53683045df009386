/* SPDX-License-Identifier: MIT */
#include "stream/rank.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool tm_rank_regex_init(struct tm_rank_regex *r, const char *text, struct tm_diag *d)
{
	int code = regcomp(&r->re, text, REG_EXTENDED);
	char why[200];

	r->set = code == 0;
	if (!r->set) {
		regerror(code, &r->re, why, sizeof why);
		tm_diag_set(d, 0, "--rank-from '%s': %s", text, why);
	}
	return r->set;
}

bool tm_run_ranks_find(const struct tm_run_ranks *r, const char *run, uint64_t *rank,
                       enum tm_rank_rule *rule)
{
	uint32_t id = tm_names_find(&r->runs, run, strlen(run));

	if (id == TM_NAME_NONE || r->v[id].differ)
		return false;
	*rank = r->v[id].rank;
	*rule = r->v[id].rule;
	return true;
}

/* The run of that name, added if new (*fresh); NULL when out of memory. */
static struct tm_run_rank *run_of(struct tm_run_ranks *r, const char *run, bool *fresh)
{
	uint32_t had = r->runs.n, id;

	if (!tm_grow_array(&r->v, &r->cap, r->runs.n + (size_t)1, sizeof *r->v))
		return NULL;
	id = tm_names_add(&r->runs, run, strlen(run));
	*fresh = r->runs.n > had;
	return id == TM_NAME_NONE ? NULL : &r->v[id];
}

static int by_number(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Sort what came since the last time. */
static void settle(struct tm_run_ranks *r)
{
	size_t n = 0;

	if (r->sorted == r->ntaken)
		return;
	qsort(r->taken, r->ntaken, sizeof *r->taken, by_number);
	for (size_t i = 0; i < r->ntaken; i++)
		if (!n || r->taken[n - 1] != r->taken[i])
			r->taken[n++] = r->taken[i];
	r->ntaken = r->sorted = n;
}

bool tm_run_ranks_take(struct tm_run_ranks *r, const char *run, uint64_t rank,
                       enum tm_rank_rule rule)
{
	struct tm_run_rank *known;
	bool fresh;

	if (!tm_grow_array(&r->taken, &r->taken_cap, r->ntaken + 1, sizeof *r->taken))
		return false;
	if (!r->ntaken || r->taken[r->ntaken - 1] != rank)
		r->taken[r->ntaken++] = rank;
	known = run_of(r, run, &fresh);
	if (!known)
		return false;
	if (fresh) {
		*known = (struct tm_run_rank) { .rank = rank, .rule = rule };
		return true;
	}
	known->differ |= known->rank != rank;
	known->rule = rule < known->rule ? rule : known->rule;
	return true;
}

uint64_t tm_run_ranks_place(struct tm_run_ranks *r, uint64_t rank)
{
	size_t lo = 0, hi;

	settle(r);
	hi = r->ntaken;
	TM_BISECT(lo, hi, mid, r->taken[mid] < rank);
	return rank - lo;
}

/* The number at that place among those that are not taken: of those taken, the i-th has taken[i] -
 * i free ones before it. */
static uint64_t number_at(struct tm_run_ranks *r, uint64_t place)
{
	size_t lo = 0, hi;

	settle(r);
	hi = r->ntaken;
	TM_BISECT(lo, hi, mid, r->taken[mid] - mid <= place);
	return place + lo;
}

bool tm_run_ranks_deal(struct tm_run_ranks *r, const char *run, uint64_t place, uint64_t *rank,
                       enum tm_rank_rule *rule)
{
	struct tm_run_rank *known;
	bool fresh;

	if (tm_run_ranks_find(r, run, rank, rule))
		return true;
	*rank = number_at(r, place);
	*rule = TM_RANK_ORDER;
	r->next = place >= r->next ? place + 1 : r->next;
	known = run_of(r, run, &fresh);
	if (known)
		*known = (struct tm_run_rank) { .rank = *rank, .rule = *rule };
	return known != NULL;
}

void tm_run_ranks_fini(struct tm_run_ranks *r)
{
	tm_names_fini(&r->runs);
	free(r->v);
	free(r->taken);
	*r = (struct tm_run_ranks) { 0 };
}

void tm_rank_regex_fini(struct tm_rank_regex *r)
{
	if (r->set)
		regfree(&r->re);
	r->set = false;
}

static bool by_regex(const struct tm_rank_regex *r, const char *path, uint64_t *rank)
{
	regmatch_t m[10];

	if (regexec(&r->re, path, 10, m, 0))
		return false;
	for (int i = 1; i < 10; i++)
		if (m[i].rm_so >= 0)
			return tm_num_u64(path + m[i].rm_so, (size_t)(m[i].rm_eo - m[i].rm_so),
			                  rank);
	return tm_num_u64(path + m[0].rm_so, (size_t)(m[0].rm_eo - m[0].rm_so), rank);
}

static bool alnum(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Words in front of "rank": what a number counts in a part of the job (a node, one dimension of its
 * parallelism) is as a rule not the rank in the job. */
static const char *const part_words[] = { "local", "node", "group", "role", "tp", "pp",
	                                  "dp",    "ep",   "cp",    "sp",   "mp", NULL };
static const char *const job_words[] = { "global", "world", "mpi", NULL };

/* Does the path up to `end` end with one of the words, as a whole word?  Its place, or SIZE_MAX. */
static size_t word_before(const char *path, const char *end, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		size_t n = strlen(words[i]);
		const char *at = end - n;

		if ((size_t)(end - path) >= n && !strncasecmp(at, words[i], n) &&
		    (at == path || !alnum(at[-1])))
			return i;
	}
	return SIZE_MAX;
}

/* Of which kind is the word "rank" at p?  False: it is the end of another word. */
static bool kind_of(const char *path, const char *p, size_t *part)
{
	const char *end = p - (p > path && strchr("_-", p[-1]) != NULL);

	*part = word_before(path, end, part_words);
	return p == path || !alnum(p[-1]) || *part != SIZE_MAX ||
	       word_before(path, p, job_words) != SIZE_MAX;
}

/* "rank", an optional separator, digits, then no letter; the last such in the path counts.  A
 * "local_rank" and the like count only where there is nothing else: two of different kinds are
 * coordinates, of which none is the rank. */
static bool by_word(const char *path, uint64_t *rank)
{
	bool found = false, several = false;
	size_t part = SIZE_MAX, last = SIZE_MAX;
	uint64_t n, of_part = 0;

	for (const char *p = path; *p; p++) {
		const char *q = p + 4;
		size_t len;

		if (strncasecmp(p, "rank", 4) != 0 || !kind_of(path, p, &part))
			continue;
		q += *q == '_' || *q == '-' || *q == '=' || *q == '.';
		len = strspn(q, "0123456789");
		if (!len || alnum(q[len]) || !tm_num_u64(q, len, &n))
			continue;
		if (part == SIZE_MAX) {
			found = true;
			*rank = n;
			continue;
		}
		several |= last != SIZE_MAX && last != part;
		last = part;
		of_part = n;
	}
	if (found || last == SIZE_MAX || several)
		return found;
	*rank = of_part;
	return true;
}

/* ".3." in the last part of the path; five digits at most, longer ones are process ids and dates.
 */
static bool by_dots(const char *path, uint64_t *rank)
{
	const char *p = strrchr(path, '/');

	for (p = p ? p + 1 : path; (p = strchr(p, '.')); p++) {
		size_t n = strspn(p + 1, "0123456789");

		if (n && n <= 5 && p[1 + n] == '.')
			return tm_num_u64(p + 1, n, rank);
	}
	return false;
}

bool tm_rank_of_path(const struct tm_rank_regex *r, const char *path, uint64_t *rank,
                     enum tm_rank_rule *rule)
{
	*rule = TM_RANK_REGEX;
	if (r && r->set) {
		const bool found = by_regex(r, path, rank);

		if (r->use)
			__atomic_fetch_or(r->use, TM_RANK_APPLIED | (found ? TM_RANK_MATCHED : 0),
			                  __ATOMIC_RELAXED);
		if (found)
			return true;
	}
	*rule = TM_RANK_PATH;
	return by_word(path, rank) || by_dots(path, rank);
}

void tm_rank_anew(struct tm_trace_id *id, const struct tm_trace_id *of,
                  const struct tm_rank_regex *regex, const struct tm_run_ranks *order,
                  const char *run)
{
	enum tm_rank_rule rule;
	uint64_t rank;

	if (of->rule == TM_RANK_GIVEN) {
		id->rank = of->rank;
		id->rule = of->rule;
	} else if ((regex && regex->set && tm_rank_of_path(regex, id->path, &rank, &rule) &&
	            rule == TM_RANK_REGEX) ||
	           (id->rule == TM_RANK_ORDER && order &&
	            tm_run_ranks_find(order, run ? run : id->run, &rank, &rule))) {
		id->rank = rank;
		id->rule = rule;
	}
}

static bool table_word(const char *p, size_t n)
{
	static const char *const words[] = {
		"kernel",  "hip",     "hsa",   "api",        "trace",      "stats",
		"marker",  "memory",  "copy",  "scratch",    "allocation", "counter",
		"info",    "rccl",    "agent", "results",    "domain",     "ops",
		"hcc",     "async",   "roctx", "rocdecode",  "rocjpeg",    "regions",
		"compile", "runtime", "core",  "collection", "summary",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(p, words[i], n))
			return true;
	return false;
}

/* Bytes of a table's name of rocprof-sys at the beginning of a file name: "wall_clock-1234.txt" and
 * "perfetto-trace-1234.proto" are one run. */
static size_t table_phrase(const char *base)
{
	static const char *const phrases[] = {
		"sampling_wall_clock", "sampling_cpu_clock", "sampling_percent",
		"wall_clock_evt",      "wall_clock",         "cpu_clock",
		"process_cpu_clock",   "thread_cpu_clock",   "trip_count",
		"roctracer",           "perfetto-trace",
	};

	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		size_t n = strlen(phrases[i]);

		if (!strncmp(base, phrases[i], n) && strchr("-.", base[n]))
			return n;
	}
	return 0;
}

static bool extension(const char *p, size_t n)
{
	static const char *const words[] = { "csv",  "txt", "pftrace", "proto", "db",  "rpd",
		                             "json", "gz",  "zst",     "xz",    "bz2", "lz4" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(p, words[i], n))
			return true;
	return false;
}

/* Bytes of a table's name of rocprofv3 whose words alone may be anybody's. */
static size_t sampling_phrase(const char *p)
{
	static const char *const phrases[] = { "pc_sampling_host_trap", "pc_sampling_stochastic" };

	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		size_t n = strlen(phrases[i]);

		if (!strncmp(p, phrases[i], n) && strchr("_.-", p[n]))
			return n;
	}
	return 0;
}

char *tm_run_of_path(const char *path)
{
	const char *base = strrchr(path, '/');
	struct tm_buf b = { 0 };

	base = base ? base + 1 : path;
	tm_buf_add(&b, path, (size_t)(base - path));
	base += table_phrase(base);
	while (*base) {
		size_t phrase = sampling_phrase(base), n = phrase ? phrase : strcspn(base, "_.-");

		if (n && !phrase && !table_word(base, n) && !extension(base, n)) {
			tm_buf_add(&b, base, n);
			tm_buf_chr(&b, '_');
		}
		base += n + (base[n] != '\0');
	}
	tm_buf_add(&b, "", 0);
	if (b.failed) {
		tm_buf_fini(&b);
		return NULL;
	}
	return b.p;
}

const char *tm_path_base(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
	           *colon = strrchr(base, ':');

	return colon ? colon + 1 : base;
}

/* Is a file of that name, of rocprof (v1), for all processes? */
static bool is_whole(const char *base)
{
	static const char *const wholes[] = { "hip_api_trace.txt", "hsa_api_trace.txt",
		                              "kfd_api_trace.txt", "hcc_ops_trace.txt",
		                              "roctx_trace.txt",   "async_copy_trace.txt",
		                              "results.txt" };

	for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
		if (!strcmp(base, wholes[i]))
			return true;
	return false;
}

const char *tm_whole_of_part(const char *path)
{
	const char *base = tm_path_base(path);
	size_t n = strspn(base, "0123456789");

	return n && base[n] == '_' && is_whole(base + n + 1) ? base + n + 1 : NULL;
}

static const char merged_proto[] = "merged.proto";

const char *tm_whole_beside(const char *path)
{
	const char *whole = tm_whole_of_part(path), *base = tm_path_base(path);
	const char *dot = strrchr(base, '.');

	if (whole || !dot || strcmp(dot, ".proto") != 0 || !strcmp(base, merged_proto))
		return whole;
	return merged_proto;
}

bool tm_whole_by_name(const char *path)
{
	const char *base = tm_path_base(path);

	return is_whole(base) || !strcmp(base, merged_proto);
}

const char *tm_run_of_rank(char **own, const char *run, uint64_t rank)
{
	struct tm_buf b = { 0 };

	if (!tm_buf_fmt(&b, "%s:rank %" PRIu64, run, rank))
		tm_buf_fini(&b);
	free(*own);
	return *own = b.p;
}

/* A path without components that say nothing: "a/./b", "a//b" and "a/c/../b" are "a/b". */
static void fold_path(char *path)
{
	const bool whole = *path == '/';
	char *out = path + whole, *const least = out;

	for (char *s = path + whole; *s;) {
		const size_t n = strcspn(s, "/"), all = n + (s[n] == '/');
		const bool up = n == 2 && s[0] == '.' && s[1] == '.';
		char *last = out > least ? out - 1 : out; /* its slash */

		while (last > least && last[-1] != '/')
			last--;
		if (up && out > least && strncmp(last, "../", 3) != 0) {
			out = last;
		} else if (n && !(n == 1 && *s == '.') && !(up && whole)) {
			memmove(out, s, all);
			out += all;
		}
		s += all;
	}
	*out = '\0';
}

bool tm_run_number(const char *run, size_t n, uint64_t *number)
{
	size_t from;

	/* tm_run_of_path ends each part that it keeps so. */
	if (!n || run[n - 1] != '_')
		return false;
	for (from = --n; from && run[from - 1] != '/';)
		from--;
	return tm_num_u64(run + from, n - from, number);
}

char *tm_run_identity(const char *here, const char *path)
{
	const char *colon = here ? strchr(here, ':') : NULL;
	char *run = tm_run_of_path(path);
	struct tm_buf b = { 0 };

	if (!here || !run)
		return run;
	/* An absolute path needs the host only. */
	tm_buf_add(&b, here, *path == '/' && colon ? (size_t)(colon + 1 - here) : strlen(here));
	tm_buf_str(&b, run);
	free(run);
	if (b.failed) {
		tm_buf_fini(&b);
		return NULL;
	}
	fold_path(strchr(b.p, ':') ? strchr(b.p, ':') + 1 : b.p);
	return b.p;
}
