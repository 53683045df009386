/* SPDX-License-Identifier: MIT */
#include "read/library/lib_bench_parts.h"

#include "base/base.h"

#include <string.h>
#include <strings.h>

enum { COMPLEX_MAX = 64 }; /* bytes of a complex number */

bool tm_text_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool tm_text_begins(const char *p, size_t n, const char *text)
{
	size_t len = strlen(text);

	return n >= len && !memcmp(p, text, len);
}

void tm_text_trim(const char **p, size_t *n)
{
	while (*n && tm_text_blank(**p)) {
		++*p;
		--*n;
	}
	while (*n && tm_text_blank((*p)[*n - 1]))
		--*n;
}

/* Where `text` stands in p[0..n), or NULL. */
const char *tm_text_find(const char *p, size_t n, const char *text)
{
	return n ? memmem(p, n, text, strlen(text)) : NULL;
}

size_t tm_text_count(const char *p, size_t n, char c)
{
	size_t k = 0;

	for (const char *end = p + n; (p = n ? memchr(p, c, (size_t)(end - p)) : NULL); p++)
		k++;
	return k;
}

/* The whole number at p, and where it ends; NULL when there is none. */
const char *tm_text_number(const char *p, const char *end, uint64_t *v)
{
	const char *q = p;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	return tm_num_u64(p, (size_t)(q - p), v) ? q : NULL;
}

/* A number, or what stands where one should and there is none. */
bool tm_text_numberish(const char *p, size_t n)
{
	static const char *const words[] = { "nan", "-nan", "inf", "-inf", "n/a", "-", "failed" };
	double v;

	if (tm_num_real(p, n, &v))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(p, words[i], n))
			return true;
	return false;
}

/* The comma that ends the field p, or end.  "(1,0)" is one number. */
static char *field_end(char *p, char *end)
{
	char *comma = memchr(p, ',', (size_t)(end - p)), *close;
	size_t reach = (size_t)(end - p);

	if (!comma)
		return end;
	if (*p != '(')
		return comma;
	if (reach > COMPLEX_MAX)
		reach = COMPLEX_MAX;
	close = memchr(p, ')', reach);
	if (!close || close < comma)
		return comma;
	for (const char *c = p; c < close; c++)
		if (!*c || !strchr("(0123456789+-.eE, ", *c))
			return comma;
	comma = memchr(close, ',', (size_t)(end - close));
	return comma ? comma : end;
}

/* Cut a line into fields, blanks and quotes taken off; the text is a copy.  False when out of
 * memory. */
bool tm_fields_cut(struct fields *f, const char *line, size_t n)
{
	char *p, *end;

	tm_buf_clear(&f->text);
	f->n = 0;
	if (!tm_buf_add(&f->text, line, n) || !tm_buf_reserve(&f->text, 1))
		return false;
	p = f->text.p;
	end = p + n;
	*end = '\0';
	for (;;) {
		char *stop, *to;

		while (p < end && tm_text_blank(*p))
			p++;
		if (!tm_grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v))
			return false;
		f->v[f->n].p = to = p;
		if (p < end && *p == '"') {
			f->v[f->n].p = to = ++p;
			while (p < end && (*p != '"' || (p + 1 < end && p[1] == '"'))) {
				p += *p == '"';
				*to++ = *p++;
			}
			stop = p < end ? field_end(p, end) : end;
		} else {
			stop = p < end ? field_end(p, end) : end;
			for (to = stop; to > p && tm_text_blank(to[-1]); to--)
				;
		}
		f->v[f->n].n = (uint32_t)(to - f->v[f->n].p);
		f->n++;
		if (stop == end)
			return true;
		p = stop + 1;
	}
}

bool tm_fields_same(const struct fields *a, const struct fields *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].n != b->v[i].n || memcmp(a->v[i].p, b->v[i].p, a->v[i].n) != 0)
			return false;
	return true;
}

bool tm_field_is(const struct field_of_line *f, const char *name)
{
	return f->n == strlen(name) && !memcmp(f->p, name, f->n);
}

bool tm_fields_have(const struct fields *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (tm_field_is(&f->v[i], name))
			return true;
	return false;
}

/* "[1]:transA,...": the number, and *p after it; 0 where there is none. */
uint64_t tm_text_strip_number(const char **p, size_t *n)
{
	const char *q = *p, *end = q + *n;
	uint64_t v;

	q = q < end && *q == '[' ? tm_text_number(q + 1, end, &v) : NULL;
	if (!q || q == end || *q != ']')
		return 0;
	q++;
	q += q < end && *q == ':';
	*n = (size_t)(end - q);
	*p = q;
	return v;
}

/* "axpy,f32_c,...": a function and a type? */
static bool names_type(const char *p, size_t n)
{
	const char *from = memchr(p, ',', n),
	           *to = from ? memchr(from + 1, ',', n - (size_t)(from + 1 - p)) : NULL;

	return to && from > p && to - from > 4 && to - from < 8 && to[-2] == '_' &&
	       (to[-1] == 'r' || to[-1] == 'c');
}

/* "T,N,..." or "gemm_ex,bf16_r,...": how the values of a BLAS client begin. */
bool tm_text_like_values(const char *p, size_t n)
{
	return n > 4 &&
	       ((memchr("NTC", p[0], 3) && p[1] == ',' && memchr("NTC", p[2], 3) && p[3] == ',') ||
	        names_type(p, n)) &&
	       tm_text_count(p, n, ',') >= VALUES_COMMAS;
}
