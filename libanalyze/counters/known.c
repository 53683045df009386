/* SPDX-License-Identifier: MIT */
#include "counters/known.h"

#include "counters/known_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { F_NAME, F_KIND, F_UNIT, F_ARCHS, F_FORMULA, F_ABOUT, FIELDS };
enum { MOST_BYTES = 1 << 20 };

static const char *const kinds[] = {
	[TM_KNOWN_TOTAL] = "total",     [TM_KNOWN_PART] = "part",       [TM_KNOWN_MEAN] = "mean",
	[TM_KNOWN_LONG] = "long",       [TM_KNOWN_UNKNOWN] = "unknown", [TM_KNOWN_WRONG] = "wrong",
	[TM_KNOWN_COUNTER] = "counter", [TM_KNOWN_AVERAGE] = "average", [TM_KNOWN_MOST] = "most",
};

static bool keep_text(struct tm_known *k, char *text, struct tm_diag *d)
{
	if (!text || !tm_grow_array(&k->text, &k->text_cap, k->ntext + 1, sizeof *k->text)) {
		free(text);
		tm_diag_oom(d);
		return false;
	}
	k->text[k->ntext++] = text;
	return true;
}

/* Split a line at tabs; how many fields it has. */
static size_t split(char *line, const char *field[FIELDS])
{
	size_t n = 0;

	for (char *p = line; p; n++) {
		char *tab = strchr(p, '\t');

		if (n < FIELDS)
			field[n] = p;
		if (tab)
			*tab++ = '\0';
		p = tab;
	}
	return n;
}

/* Does that kind have a formula? */
static bool computed(enum tm_known_kind kind)
{
	return kind != TM_KNOWN_WRONG && kind != TM_KNOWN_COUNTER && kind != TM_KNOWN_AVERAGE;
}

static bool parse_line(struct tm_known_row *row, char *line, uint64_t at, struct tm_diag *d)
{
	const char *field[FIELDS] = { 0 };
	size_t n = split(line, field), kind = 0;
	struct tm_diag why = { 0 };

	if (n < F_ABOUT || n > FIELDS || !*field[F_NAME]) {
		tm_diag_set(d, at,
		            "%zu tab-separated fields: expected name, kind, unit, architectures, "
		            "formula and about",
		            n);
		return false;
	}
	while (kind < sizeof kinds / sizeof *kinds && strcmp(field[F_KIND], kinds[kind]))
		kind++;
	if (kind == sizeof kinds / sizeof *kinds) {
		tm_diag_set(
		        d, at,
		        "'%.40s' is not a kind: total, part, mean, long, unknown, wrong, counter, "
		        "average or most",
		        field[F_KIND]);
		return false;
	}
	*row = (struct tm_known_row) { .name = field[F_NAME],
		                       .unit = strcmp(field[F_UNIT], "-") ? field[F_UNIT] : NULL,
		                       .archs = field[F_ARCHS],
		                       .text = field[F_FORMULA],
		                       .about = n > F_ABOUT ? field[F_ABOUT] : "",
		                       .kind = (enum tm_known_kind)kind };
	if (!computed(row->kind) ||
	    tm_formula_parse(&row->formula, row->text, strlen(row->text), &why))
		return true;
	tm_formula_fini(&row->formula);
	if (why.status == TM_ST_NOMEM)
		tm_diag_oom(d);
	else
		tm_diag_set(d, at, "%s", why.text);
	return false;
}

/* `text` is the table's from here on. */
static bool parse(struct tm_known *k, char *text, struct tm_diag *d)
{
	size_t from = k->n;
	uint64_t at = 0;

	if (!keep_text(k, text, d))
		return false;
	for (char *p = text, *next; p && *p; p = next) {
		size_t len = strcspn(p, "\r\n");
		char *nl = strchr(p, '\n');

		next = nl ? nl + 1 : NULL;
		p[len] = '\0';
		at++;
		if (!*p || *p == '#')
			continue;
		if (!tm_grow_array(&k->v, &k->cap, k->n + 1, sizeof *k->v)) {
			tm_diag_oom(d);
			return false;
		}
		if (!parse_line(&k->v[k->n], p, at, d))
			return false;
		k->n++;
	}
	/* What came last counts first. */
	if (from && k->n > from) {
		size_t n = k->n - from;
		struct tm_known_row *v = malloc(n * sizeof *v);

		if (!v) {
			tm_diag_oom(d);
			return false;
		}
		memcpy(v, k->v + from, n * sizeof *v);
		memmove(k->v + n, k->v, from * sizeof *v);
		memcpy(k->v, v, n * sizeof *v);
		free(v);
	}
	return true;
}

bool tm_known_builtin(struct tm_known *k, struct tm_diag *d)
{
	const size_t had = k->n;
	bool ok = parse(k, strdup(tm_counters_tsv), d);

	for (size_t i = 0; i < k->n - had; i++)
		k->v[i].built_in = true;
	return ok;
}

/* All of a file; NULL with *d. */
static char *slurp(const char *path, struct tm_diag *d)
{
	FILE *f = fopen(path, "rb");
	struct tm_buf b = { 0 };
	size_t n = 1;

	if (!f) {
		tm_diag_set(d, 0, "cannot open: %s", strerror(errno));
		return NULL;
	}
	while (n && b.n <= MOST_BYTES && tm_buf_reserve(&b, 4096)) {
		n = fread(b.p + b.n, 1, 4096, f);
		b.n += n;
	}
	if (b.p)
		b.p[b.n] = '\0';
	if (b.failed)
		tm_diag_oom(d);
	else if (ferror(f))
		tm_diag_set(d, 0, "cannot read: %s", strerror(errno));
	else if (b.n > MOST_BYTES)
		tm_diag_set(d, 0, "table of formulas is larger than 1 MiB");
	else if (memchr(b.p, '\0', b.n))
		tm_diag_set(d, 0, "NUL byte in table of formulas: not a text file");
	else {
		fclose(f);
		return b.p;
	}
	tm_buf_fini(&b);
	fclose(f);
	return NULL;
}

bool tm_known_load(struct tm_known *k, const char *path, struct tm_diag *d)
{
	char *text = slurp(path, d);

	if (!text)
		return false;
	/* A byte order mark would become part of the first name. */
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		memmove(text, text + 3, strlen(text + 3) + 1);
	return parse(k, text, d);
}

/* Is the word one for such a GPU: "gfx942", "gfx11*", "*", "gfx1151/40", "gfx1151/!40"? */
static bool word_fits(const char *word, size_t len, const char *gfx, uint64_t cus)
{
	const char *slash = memchr(word, '/', len);
	size_t n = slash ? (size_t)(slash - word) : len;
	bool open = n && word[n - 1] == '*', other;
	uint64_t want;

	n -= open;
	if (strncmp(gfx, word, n) || (!open && gfx[n]))
		return false;
	if (!slash)
		return true;
	other = slash + 1 < word + len && slash[1] == '!';
	slash += 1 + other;
	return tm_num_u64(slash, (size_t)(word + len - slash), &want) && (cus == want) != other;
}

bool tm_known_fits(const struct tm_known_row *row, uint64_t gfx, uint64_t cus)
{
	char name[64]; /* as tm_gpu_put_gfx has it, without memory */

	if (!gfx)
		return !strcmp(row->archs, "*");
	snprintf(name, sizeof name, "gfx%" PRIu64 "%" PRIx64 "%" PRIx64, gfx / 10000,
	         gfx / 100 % 100, gfx % 100);
	for (const char *p = row->archs; *p;) {
		size_t n = strcspn(p, " ");

		if (n && word_fits(p, n, name, cus))
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

const struct tm_known_row *tm_known_wrong(const struct tm_known *k, const char *name, size_t len,
                                          uint64_t gfx, uint64_t cus)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct tm_known_row *r = &k->v[i];
		size_t n = strlen(r->name);
		bool open = r->name[n - 1] == '*';

		if (r->kind != TM_KNOWN_WRONG)
			continue;
		n -= open;
		if (len >= n && !memcmp(name, r->name, n) && (open || len == n) &&
		    tm_known_fits(r, gfx, cus))
			return r;
	}
	return NULL;
}

void tm_known_fini(struct tm_known *k)
{
	for (size_t i = 0; i < k->n; i++)
		tm_formula_fini(&k->v[i].formula);
	for (size_t i = 0; i < k->ntext; i++)
		free(k->text[i]);
	free(k->text);
	free(k->v);
	*k = (struct tm_known) { 0 };
}
