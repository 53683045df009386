/* SPDX-License-Identifier: MIT */
#include "read/text/box.h"

#include <string.h>

struct tm_small_field tm_box_trim(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct tm_small_field) { p, (size_t)(end - p) };
}

bool tm_box_inner(const char **p, const char **end)
{
	struct tm_small_field f = tm_box_trim(*p, *end);

	if (f.n && f.p[f.n - 1] == '\r')
		f = tm_box_trim(f.p, f.p + f.n - 1);
	if (f.n < 3 || f.p[0] != '|' || f.p[f.n - 1] != '|' || f.p[1] == '-')
		return false;
	*p = f.p + 1;
	*end = f.p + f.n - 1;
	return true;
}

bool tm_box_begins(const char *p, size_t n)
{
	struct tm_small_field f = tm_box_trim(p, p + n);

	return f.n && *f.p == '|';
}

size_t tm_box_cells(const char *p, const char *end, struct tm_small_field *cell, size_t max)
{
	size_t n = 0;

	if (!tm_box_inner(&p, &end))
		return 0;
	while (p <= end && n < max) {
		const char *bar = memchr(p, '|', (size_t)(end - p));

		cell[n++] = tm_box_trim(p, bar ? bar : end);
		p = bar ? bar + 1 : end + 1;
	}
	return n;
}

bool tm_box_split(const char *p, const char *end, size_t cells, struct tm_small_field *cell)
{
	if (!tm_box_inner(&p, &end))
		return false;
	for (size_t i = cells; i-- > 1;) {
		const char *bar = memrchr(p, '|', (size_t)(end - p));

		if (!bar)
			return false;
		cell[i] = tm_box_trim(bar + 1, end);
		end = bar;
	}
	cell[0] = tm_box_trim(p, end);
	return true;
}
