/* SPDX-License-Identifier: MIT */
#include "read/text/rocprofv1.h"

#include "base/base.h"

#include <string.h>

enum { V1_DIGITS = 6 }; /* of a time, for it to be evidence */

static const struct {
	const char *text;
	bool begins;
} working_calls[] = {
#define CALL(t, b) { t, b },
#include "schemas/rocprofv1_text.def"
};

static const struct {
	const char *text;
	enum v1_what what;
} operations[] = {
#define OPERATION(t, w) { t, OP_##w },
#include "schemas/rocprofv1_text.def"
};

static const struct {
	const char *text;
	enum tm_domain domain;
} prefixes[] = {
#define PREFIX(t, d) { t, TM_DOMAIN_##d },
#include "schemas/rocprofv1_text.def"
};

/* A run of digits as a number, and `then` after it. */
static bool number(const char **p, const char *end, char then, uint64_t *v)
{
	const char *q = *p;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	if (q == end || *q != then || !tm_num_u64(*p, (size_t)(q - *p), v))
		return false;
	*p = q + 1;
	return true;
}

/* The number behind the last `mark` of the text, if nothing else is there: *n is then what is left.
 */
static bool last_number(const char *p, size_t *n, char mark, uint64_t *v)
{
	const char *q = memrchr(p, mark, *n);

	if (!q || !tm_num_u64(q + 1, *n - (size_t)(q + 1 - p), v))
		return false;
	*n = (size_t)(q - p);
	return true;
}

static bool copy_parse(const char *p, const char *end, struct v1_record *rec)
{
	static const char word[] = "async-copy:";
	size_t n = (size_t)(end - p), at = sizeof word - 1;

	if (n < at || memcmp(p, word, at) != 0)
		return false;
	/* A release puts a blank before the process. */
	if (!last_number(p, &n, ':', &rec->pid) && !last_number(p, &n, ' ', &rec->pid))
		return false;
	if (!tm_num_u64(p + at, n > at ? n - at : 0, &rec->corr))
		return false;
	rec->form = FORM_COPY;
	rec->name = (struct tm_small_field) { p, at - 1 };
	rec->has_corr = rec->has_pid = true;
	return true;
}

static bool operation_parse(const char *p, const char *end, struct v1_record *rec)
{
	size_t n = (size_t)(end - p);

	if (!last_number(p, &n, ':', &rec->corr) || !n || p[n - 1] == ' ')
		return false;
	rec->pid = rec->corr;
	rec->has_pid = last_number(p, &n, ':', &rec->corr);
	if (!n)
		return false;
	rec->form = FORM_OPERATION;
	rec->name = (struct tm_small_field) { p, n };
	rec->has_corr = true;
	return true;
}

static bool call_parse(const char *p, const char *end, struct v1_record *rec)
{
	static const char kernel[] = " kernel=";
	size_t n = (size_t)(end - p);
	const char *open, *k;

	rec->has_corr = last_number(p, &n, ':', &rec->corr);
	if (rec->has_corr && (!n || p[n - 1] != ' ')) {
		rec->has_corr = false;
		n = (size_t)(end - p);
	}
	while (n && p[n - 1] == ' ')
		n--;
	open = n ? memchr(p, '(', n) : NULL;
	/* A call whose name the tracer does not know has no arguments. */
	if (!open && !(n == 7 && !memcmp(p, "unknown", 7)))
		return false;
	rec->form = FORM_CALL;
	rec->name = (struct tm_small_field) { p, open ? (size_t)(open - p) : n };
	if (!rec->name.n || memchr(p, ' ', rec->name.n))
		return false;
	k = open ? memmem(open, (size_t)(p + n - open), kernel, sizeof kernel - 1) : NULL;
	if (open)
		rec->args = (struct tm_small_field) { open, (size_t)((k ? k : p + n) - open) };
	if (k) {
		k += sizeof kernel - 1;
		rec->kernel = (struct tm_small_field) { k, (size_t)(p + n - k) };
	}
	return true;
}

static bool marker_parse(const char *p, const char *end, struct v1_record *rec)
{
	if (!number(&p, end, ':', &rec->first) || !number(&p, end, ' ', &rec->second) ||
	    !number(&p, end, ':', &rec->corr) || !number(&p, end, ':', &rec->pid) || p == end ||
	    *p++ != '"')
		return false;
	rec->form = FORM_MARKER;
	rec->unclosed = p == end || end[-1] != '"';
	rec->name = (struct tm_small_field) { p, (size_t)(end - p) - !rec->unclosed };
	return true;
}

void tm_v1_parse(const char *p, const char *end, struct v1_record *rec)
{
	const char *q = p;

	memset(rec, 0, sizeof *rec);
	if (number(&q, end, ' ', &rec->begin)) {
		if (!marker_parse(q, end, rec))
			rec->form = FORM_NONE;
		return;
	}
	q = p;
	if (!number(&q, end, ':', &rec->begin) || !number(&q, end, ' ', &rec->end) ||
	    copy_parse(q, end, rec))
		return;
	if (number(&q, end, ':', &rec->first) && number(&q, end, ' ', &rec->second) &&
	    !operation_parse(q, end, rec) && !call_parse(q, end, rec))
		rec->form = FORM_NONE;
}

bool tm_v1_begins(const char *p, const char *end, bool cut)
{
	const char *q = p;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	if (q == end)
		return cut && q > p;
	if (q - p < V1_DIGITS || (*q != ':' && *q != ' '))
		return false;
	return ++q < end ? *q >= '0' && *q <= '9' : cut;
}

static bool begins_with(const struct tm_small_field *f, const char *text)
{
	size_t n = strlen(text);

	return f->n >= n && !memcmp(f->p, text, n);
}

enum tm_domain tm_v1_domain(const struct tm_small_field *name)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (begins_with(name, prefixes[i].text))
			return prefixes[i].domain;
	return TM_DOMAIN_N;
}

bool tm_v1_works(const struct tm_small_field *name)
{
	for (size_t i = 0; i < sizeof working_calls / sizeof *working_calls; i++) {
		const char *text = working_calls[i].text;

		if (working_calls[i].begins ? begins_with(name, text)
		                            : memmem(name->p, name->n, text, strlen(text)) != NULL)
			return true;
	}
	return false;
}

bool tm_v1_argument(const struct tm_small_field *args, const char *name,
                    struct tm_small_field *value)
{
	size_t n = strlen(name);
	bool found = false;

	for (const char *p = args->p, *end = p + args->n; p && p < end; p++) {
		const char *q;

		p = memmem(p, (size_t)(end - p), name, n);
		if (!p)
			break;
		q = p + n;
		if (p == args->p || (p[-1] != '(' && p[-1] != ' ') || q == end || *q != '=')
			continue;
		value->p = ++q;
		while (q < end && *q != ',' && *q != ')')
			q++;
		value->n = (size_t)(q - value->p);
		found = true;
	}
	return found;
}

enum v1_what tm_v1_operation(const struct tm_small_field *name)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (memmem(name->p, name->n, operations[i].text, strlen(operations[i].text)))
			return operations[i].what;
	return OP_OTHER;
}
