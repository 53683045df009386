/* SPDX-License-Identifier: MIT */
#include "read/lines.h"

#include "base/base.h"

#include <string.h>

enum { READ_BYTES = 256 * 1024 };

/* More bytes after l->buf, moved to its beginning.  False at the end, with l->eof or l->dead. */
static bool fill(struct tm_lines *l, struct tm_source *src)
{
	enum tm_status st;
	size_t got = 0;

	if (l->eof || l->dead)
		return false;
	if (l->pos) {
		memmove(l->buf.p, l->buf.p + l->pos, l->buf.n - l->pos);
		l->buf.n -= l->pos;
		l->base += l->pos;
		l->pos = 0;
	}
	if (!tm_buf_reserve(&l->buf, READ_BYTES)) {
		l->dead = true;
		tm_diag_oom(&l->why);
		return false;
	}
	st = tm_source_read(src, l->buf.p + l->buf.n, l->buf.cap - l->buf.n - 1, &got, &l->why);
	l->buf.n += got;
	if (st == TM_ST_OK)
		return true;
	l->eof = true;
	if (st == TM_ST_FATAL)
		l->dead = true;
	return false;
}

enum tm_line_kind tm_lines_next(struct tm_lines *l, struct tm_source *src, const char **p,
                                size_t *n)
{
	size_t longest = l->longest ? l->longest : TM_LINE_MAX_BYTES;

	for (;;) {
		const char *line = l->buf.p ? l->buf.p + l->pos : NULL;
		size_t left = l->buf.n - l->pos;
		const char *nl = left > l->seen ? memchr(line + l->seen, '\n', left - l->seen)
		                                : NULL;

		if (!nl && left <= longest) {
			l->seen = left;
			if (fill(l, src))
				continue;
			if (!left || l->overlong || !l->eof)
				return TM_LINE_NONE;
		}
		/* What fill() moved is at the beginning now. */
		*p = l->buf.p + l->pos;
		*n = nl ? (size_t)(nl - line) : left;
		l->at = l->base + l->pos;
		l->pos += nl ? *n + 1 : left;
		l->seen = 0;
		if (nl && l->overlong) {
			l->overlong = false;
			continue;
		}
		if (l->overlong)
			continue;
		if (!l->line++ && *n >= 3 && !memcmp(*p, "\xef\xbb\xbf", 3)) {
			*p += 3;
			*n -= 3;
			l->at += 3;
		}
		/* Too long is too long, however much of it was read at a time. */
		if (*n <= longest)
			return nl || (*n && (*p)[*n - 1] == '\r') ? TM_LINE_WHOLE : TM_LINE_CUT;
		l->overlong = !nl;
		return TM_LINE_LONG;
	}
}

static const char *digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* " 3: " */
static bool srun_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	const char *from = p, *stop;

	while (from < end && *from == ' ')
		from++;
	stop = digits(from, end);
	if (end - stop < 2 || stop[0] != ':' || stop[1] != ' ' ||
	    !tm_num_u64(from, (size_t)(stop - from), &t->rank))
		return false;
	*t = (struct tm_line_tag) { .n = (size_t)(stop + 2 - p),
		                    .who = from,
		                    .nwho = (size_t)(stop - from),
		                    .has_rank = true,
		                    .rank = t->rank };
	return true;
}

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

static const char *name(const char *p, const char *end)
{
	while (p < end && name_byte(*p))
		p++;
	return p;
}

/* The tag from p to `stop`, and the blank after it; what tells the process ends at `who`. */
static bool tag_is(struct tm_line_tag *t, const char *p, const char *who, const char *stop,
                   const char *end)
{
	t->n = (size_t)(stop - p);
	t->n += stop < end && *stop == ' ';
	t->who = p;
	t->nwho = (size_t)(who - p);
	return true;
}

/* "[1,3]<stdout>:", "[prterun-node-12@1,3]<stderr>: " */
static bool mpirun_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	static const char out[] = "]<stdout>:", err[] = "]<stderr>:";
	const char *job = name(p + 1, end), *first = job < end && *job == '@' ? job + 1 : p + 1,
	           *comma = digits(first, end), *stop;

	if (*p != '[' || comma == first || comma == end || *comma != ',')
		return false;
	stop = digits(comma + 1, end);
	if ((size_t)(end - stop) < sizeof out - 1 ||
	    (memcmp(stop, out, sizeof out - 1) != 0 && memcmp(stop, err, sizeof err - 1) != 0) ||
	    !tm_num_u64(comma + 1, (size_t)(stop - comma - 1), &t->rank))
		return false;
	t->has_rank = true;
	return tag_is(t, p, stop, stop + sizeof out - 1, end);
}

/* "[3] " */
static bool mpiexec_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	const char *stop = digits(p + 1, end);

	if (*p != '[' || end - stop < 2 || stop[0] != ']' || stop[1] != ' ' ||
	    !tm_num_u64(p + 1, (size_t)(stop - p - 1), &t->rank))
		return false;
	t->has_rank = true;
	return tag_is(t, p, stop, stop + 1, end);
}

/* "[default3]:" */
static bool torchrun_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	const char *role = p + 1, *number, *stop;

	for (number = role; number < end && ((*number >= 'a' && *number <= 'z') ||
	                                     (*number >= 'A' && *number <= 'Z') || *number == '_');)
		number++;
	stop = digits(number, end);
	if (*p != '[' || number == role || stop == number || end - stop < 2 || stop[0] != ']' ||
	    stop[1] != ':')
		return false;
	return tag_is(t, p, stop, stop + 2, end);
}

/* "(Worker pid=12) ", "(Worker pid=12, ip=10.0.0.2) " */
static bool ray_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	static const char pid[] = " pid=";
	const char *close = *p == '(' ? memchr(p, ')', (size_t)(end - p)) : NULL, *at;

	at = close ? memmem(p, (size_t)(close - p), pid, sizeof pid - 1) : NULL;
	if (!at || digits(at + sizeof pid - 1, close) == at + sizeof pid - 1 || close + 1 == end ||
	    close[1] != ' ')
		return false;
	return tag_is(t, p, close, close + 1, end);
}

/* "[pod/worker-0/pytorch] " */
static bool kubectl_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	static const char pod[] = "[pod/";
	const char *close = end - p > 5 && !memcmp(p, pod, 5) ? memchr(p, ']', (size_t)(end - p))
	                                                      : NULL;

	return close && close + 1 < end && close[1] == ' ' &&
	       !memchr(p, ' ', (size_t)(close - p)) && tag_is(t, p, close, close + 1, end);
}

/* "node1: " */
static bool pdsh_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	const char *stop = name(p, end), *digit = p;

	while (digit < stop && (*digit < '0' || *digit > '9'))
		digit++;
	if (digit == p || digit == stop || end - stop < 2 || stop[0] != ':' || stop[1] != ' ')
		return false;
	return tag_is(t, p, stop, stop + 1, end);
}

/* "worker-0  | " */
static bool compose_tag(const char *p, const char *end, struct tm_line_tag *t)
{
	const char *stop = name(p, end), *bar = stop;

	while (bar < end && *bar == ' ')
		bar++;
	if (stop == p || bar == stop || end - bar < 2 || bar[0] != '|' || bar[1] != ' ')
		return false;
	return tag_is(t, p, stop, bar + 1, end);
}

/* After "Z", "+01:00" or "-0500"; p when it is none of them. */
static const char *after_zone(const char *p, const char *end)
{
	const char *q = p + 1, *stop;

	if (p == end || (*p != '+' && *p != '-'))
		return p < end && *p == 'Z' ? q : p;
	stop = digits(q, end);
	if (stop - q == 4)
		return stop;
	return stop - q == 2 && end - stop >= 3 && *stop == ':' && digits(stop + 1, end) >= stop + 3
	               ? stop + 3
	               : p;
}

/* What a log of lines that were cut says of each, after its time: "stdout F ", "00O ", "01E+". */
static const char *after_stream(const char *p, const char *end)
{
	if (end - p > 9 && (!memcmp(p, "stdout ", 7) || !memcmp(p, "stderr ", 7)) &&
	    (p[7] == 'F' || p[7] == 'P') && p[8] == ' ')
		return p + 9;
	return end - p > 4 && digits(p, p + 2) == p + 2 && (p[2] == 'O' || p[2] == 'E') &&
	                       (p[3] == ' ' || p[3] == '+')
	               ? p + 4
	               : p;
}

/* After digits where the form has d, and bytes as in it; p when it is none. */
static const char *after_form(const char *p, const char *end, const char *form)
{
	const char *q = p;

	for (const char *f = form; *f; f++, q++)
		if (q == end ||
		    (*f == 'd' ? *q < '0' || *q > '9' : *q != *f && (*f != ' ' || *q != 'T')))
			return p;
	return q;
}

/* Where the text after one time begins; p when there is no time. */
static const char *after_one_time(const char *p, const char *end)
{
	bool bracket = p < end && *p == '[';
	const char *q = after_form(p + bracket, end, "dddd-dd-dd dd:dd:dd");

	if (q == p + bracket)
		q = after_form(q, end, "dd:dd:dd");
	if (q == p + bracket)
		return p;
	if (q < end && (*q == '.' || *q == ','))
		q = digits(q + 1, end);
	q = after_zone(q, end);
	if (end - q < 2 + bracket || (bracket && *q++ != ']') || *q != ' ')
		return p;
	return after_stream(q + 1, end);
}

/* After all times: what a container writes may have one of its own after that of its log. */
static const char *after_time(const char *p, const char *end)
{
	const char *from;

	do {
		from = p;
		p = after_one_time(p, end);
	} while (p != from);
	return p;
}

struct tm_line_tag tm_line_tag(const char *p, size_t n)
{
	static bool (*const tags[])(const char *, const char *,
	                            struct tm_line_tag *) = { srun_tag,     mpirun_tag, mpiexec_tag,
		                                              torchrun_tag, ray_tag,    kubectl_tag,
		                                              pdsh_tag,     compose_tag };
	const char *end = p + n, *text = after_time(p, end);

	for (size_t i = 0; text < end && i < sizeof tags / sizeof *tags; i++) {
		struct tm_line_tag t = { 0 };

		if (tags[i](text, end, &t)) {
			t.n += (size_t)(text - p);
			t.n = (size_t)(after_time(p + t.n, end) - p);
			return t;
		}
	}
	return (struct tm_line_tag) { .n = (size_t)(text - p) };
}

size_t tm_line_escape(const char *p, const char *end)
{
	const char *q = p;

	if (end - p < 3 || q[0] != '' || q[1] != '[')
		return 0;
	for (q += 2; q < end && *q >= ' ' && *q <= '?'; q++)
		continue;
	return q < end && *q >= '@' && *q <= '~' ? (size_t)(q + 1 - p) : 0;
}

bool tm_lines_step(struct tm_lines *l, struct tm_reader *r, tm_line_take *take)
{
	enum tm_line_kind kind;
	const char *p;
	size_t n;

	if (l->dead)
		return false;
	kind = tm_lines_next(l, r->src, &p, &n);
	r->lines = l->line;
	return kind != TM_LINE_NONE && take(r, kind, p, n);
}

enum tm_status tm_lines_rows(struct tm_lines *l, struct tm_reader *r, tm_line_take *take,
                             struct tm_ev_rows *out, size_t n, const struct tm_batch **b,
                             struct tm_diag *d)
{
	/* The kinds may take turns in the input: each fills a batch of its own. */
	while (tm_ev_rows_room(out, n, 1) && tm_lines_step(l, r, take))
		continue;
	return tm_ev_rows_next(out, n, &r->names, l->dead ? &l->why : NULL, b, d);
}

bool tm_lines_oom(struct tm_lines *l)
{
	l->dead = true;
	tm_diag_oom(&l->why);
	return false;
}

void tm_lines_fini(struct tm_lines *l)
{
	tm_buf_fini(&l->buf);
}
