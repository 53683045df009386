/* SPDX-License-Identifier: MIT
 * What a log puts in front of the lines of a client, whatever it is: "10:00:00 [INFO] stats: ...".
 * Headers and values of the BLAS clients are found by their commas instead. */
#include "base/base.h"
#include "read/library/lib_bench_parts.h"

#include <string.h>

enum { FRONT_WORDS = 24 }; /* before what the client says, at most */

/* How lines of clients begin, unlike anything else. */
static const char *const begins[] = {
	"stats: name,", "stats: bnorm", "GPU Kernel Time ", "Query device success", "Device ID ",
#define SAYS(scope_, text_, name_) text_,
#include "schemas/lib_bench.def"
};

static bool is_client(const struct tm_bench *b, const char *p, size_t n)
{
	if (*p == '#')
		return tm_bench_comm_begins(p, n) || tm_bench_comm_tells(p, n);
	if (*p >= '0' && *p <= '9')
		return tm_bench_comm_fits(b, p, n);
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (*p == *begins[i] && tm_text_begins(p, n, begins[i]))
			return true;
	/* Programs have other statistics. */
	if (*p == 's')
		return b->v->has_header && b->v->client == TM_BENCH_MIOPEN &&
		       tm_text_begins(p, n, "stats: ");
	return *p == 'M' ? tm_text_begins(p, n, "MIOpen ") && tm_text_find(p, n, "Algorithm:")
	                 : *p == 'W' && n == 7 && !memcmp(p, "Winner:", n);
}

/* As tm_text_blank, where each byte of a log is asked. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Is the colon one of a time: "10:00:00"? */
static bool in_time(const char *begin, const char *at, const char *end)
{
	return at > begin && at + 1 < end && at[-1] >= '0' && at[-1] <= '9' && at[1] >= '0' &&
	       at[1] <= '9';
}

/* Does a log end what it puts in front with this word, which `after` follows: by a sign, or as a
 * time or a level?  After any other word comes a sentence that quotes a client. */
static bool ends_front(const char *word, const char *end, char after)
{
	static const char signs[] = ")]|>-}", *const levels[] = {
		"TRACE", "DEBUG", "INFO",   "NOTICE", "WARN",  "WARNING", "ERROR",
		"FATAL", "CRIT",  "stdout", "stderr", "F",     "P",       "I",
		"W",     "E",     "out",    "err",    "trace", "debug",   "info",
	};
	const size_t n = (size_t)(end - word);
	bool time = false, number = n > 0;

	if (after == ':' || (n && strchr(signs, end[-1])))
		return true;
	for (const char *c = word; number && c < end; c++) {
		const bool digit = *c >= '0' && *c <= '9';

		number = digit || strchr("#.,:/+-TZ", *c);
		time |= !digit;
	}
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (strlen(levels[i]) == n && !memcmp(levels[i], word, n))
			return true;
	return number && time;
}

void tm_bench_drop_front(const struct tm_bench *b, const char **p, size_t *n)
{
	const char *at = *p, *end = *p + *n, *last = at, *last_end = at;

	for (int word = 0; word <= FRONT_WORDS && at < end; word++) {
		if (is_client(b, at, (size_t)(end - at)) &&
		    (!word || ends_front(last, last_end, *last_end))) {
			*p = at;
			*n = (size_t)(end - at);
			return;
		}
		/* Python's logging ends them with colons: "INFO:root:stats: ...". */
		last = at;
		while (at < end && !is_blank(*at) && (*at != ':' || in_time(last, at, end)))
			at++;
		last_end = at;
		while (at < end && (is_blank(*at) || *at == ':'))
			at++;
	}
}
