/* SPDX-License-Identifier: MIT */
#include "read/text/box.h"

#include <string.h>

struct small_field box_trim(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct small_field) { p, (size_t)(end - p) };
}

bool box_inner(const char **p, const char **end)
{
	struct small_field f = box_trim(*p, *end);

	if (f.n && f.p[f.n - 1] == '\r')
		f = box_trim(f.p, f.p + f.n - 1);
	if (f.n < 3 || f.p[0] != '|' || f.p[f.n - 1] != '|' || f.p[1] == '-')
		return false;
	*p = f.p + 1;
	*end = f.p + f.n - 1;
	return true;
}

bool box_begins(const char *p, size_t n)
{
	struct small_field f = box_trim(p, p + n);

	return f.n && *f.p == '|';
}

size_t box_cells(const char *p, const char *end, struct small_field *cell, size_t max)
{
	size_t n = 0;

	if (!box_inner(&p, &end))
		return 0;
	while (p <= end && n < max) {
		const char *bar = memchr(p, '|', (size_t)(end - p));

		cell[n++] = box_trim(p, bar ? bar : end);
		p = bar ? bar + 1 : end + 1;
	}
	return n;
}

bool box_split(const char *p, const char *end, size_t cells, struct small_field *cell)
{
	if (!box_inner(&p, &end))
		return false;
	for (size_t i = cells; i-- > 1;) {
		const char *bar = memrchr(p, '|', (size_t)(end - p));

		if (!bar)
			return false;
		cell[i] = box_trim(bar + 1, end);
		end = bar;
	}
	cell[0] = box_trim(p, end);
	return true;
}
