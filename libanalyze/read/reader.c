/* SPDX-License-Identifier: MIT */
#include "read/reader.h"

#include "read/batch.h"
#include "read/csv/csv.h"

#include "read/formats.h"
#include "read/library/library.h"
#include "read/sqlite/sqlite.h"

#include <stdlib.h>
#include <string.h>

const struct reader_ops *const reader_formats[] = {
#define FORMAT(id, profilers, holds, times) &reader_##id,
#include "read/formats.def"
#undef FORMAT
	NULL,
};

static const struct format_facts facts[] = {
#define FORMAT(id, profilers, holds, times) { profilers, holds, times, 0 },
#include "read/formats.def"
#undef FORMAT
};

const struct reader_ops *reader_find(const char *name)
{
	for (size_t i = 0; reader_formats[i]; i++)
		if (!strcmp(reader_formats[i]->name, name))
			return reader_formats[i];
	return NULL;
}

struct format_facts reader_facts(const char *name)
{
	struct format_facts f = { .profilers = BY_ANY, .place = sizeof facts / sizeof *facts };

	for (unsigned i = 0; name && reader_formats[i]; i++)
		if (!strcmp(reader_formats[i]->name, name)) {
			f = facts[i];
			f.place = i;
			break;
		}
	return f;
}

const char *reader_article(const char *table)
{
	size_t n = strlen(table);

	if (n && table[n - 1] == 's')
		return "";
	return strchr("AEIOaeio", *table) ? "an " : "a ";
}

/* The first line as far as it can be shown, for "not a trace this tool knows". */
static void first_line(const unsigned char *p, size_t n, char out[64])
{
	size_t i = 0;

	for (; i < 60 && i < n && p[i] >= ' ' && p[i] < 127; i++)
		out[i] = (char)p[i];
	if (i == 60) {
		memcpy(out + 57, "...", 4);
		return;
	}
	out[i] = '\0';
}

/* Are they told apart only after opening? */
static bool same_family(const struct reader_ops *a, const struct reader_ops *b)
{
	return a->dialect && a->dialect == b->dialect;
}

const struct reader_ops *reader_choose(const unsigned char *p, size_t n, bool whole, unsigned *bits,
                                       struct diag *d)
{
	const struct reader_ops *best = NULL, *rival = NULL;
	unsigned most = 0;
	char line[64];

	if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3)) {
		p += 3;
		n -= 3;
	}
	header_no_memory = false;
	for (size_t i = 0; reader_formats[i]; i++) {
		unsigned b = reader_formats[i]->bid(p, n, whole);

		if (b && b == most && !same_family(best, reader_formats[i]))
			rival = reader_formats[i];
		if (b > most) {
			most = b;
			best = reader_formats[i];
			rival = NULL;
		}
	}
	if (bits)
		*bits = header_no_memory ? 0 : most;
	if (header_no_memory) {
		diag_oom(d);
		return NULL;
	}
	if (best && rival) {
		diag_set(d, 0, "could be %s or %s; choose with --from", best->name, rival->name);
		return NULL;
	}
	if (best)
		return best;
	for (size_t i = 0; reader_formats[i]; i++) {
		char missing[HEADER_NAME];
		const char *label;

		if (!reader_formats[i]->nearly || !reader_formats[i]->nearly(p, n, &label, missing))
			continue;
		diag_set(d, 1, "looks like %s%s of %s, but has no column %s", reader_article(label),
		         label, reader_formats[i]->name, missing);
		return NULL;
	}
	if (header_no_memory) {
		diag_oom(d);
		return NULL;
	}
	first_line(p, n, line);
	if (!n)
		diag_set(d, 0, "empty file");
	else if (*line)
		diag_set(
		        d, 1,
		        "unknown format: begins with '%s'; --list-formats lists the supported ones",
		        line);
	else
		diag_set(d, 0,
		         "unknown format: binary data; --list-formats lists the supported ones");
	return NULL;
}

/* Text whose first bytes are no known format: may what is looked for begin later?  More than that
 * of a file that is not text is not read. */
static bool goes_on(const unsigned char *p, size_t n)
{
	return n == SOURCE_PEEK && !memchr(p, 0, n);
}

const struct reader_ops *reader_choose_in(struct source *src, const unsigned char *p, size_t n,
                                          bool *unknown, struct diag *d)
{
	const struct reader_ops *ops;
	struct diag no = { 0 };
	struct source *again;
	uint64_t line = 0;
	unsigned bits;
	bool found;

	ops = reader_choose(p, n, n < SOURCE_PEEK, &bits, d);
	*unknown = !ops && !header_no_memory;
	/* `bits` of one that is not chosen: several bid the same. */
	if (ops || bits || header_no_memory || !goes_on(p, n))
		return ops;
	again = source_again(src, &no);
	found = no.status != ST_NOMEM && rccl_log_begins(again ? again : src, &line, &no);
	if (no.status == ST_NOMEM)
		diag_oom(d);
	else if (found && again)
		ops = &reader_rccl_log;
	else if (found) /* what can be read only once was read by now */
		diag_set(d, line,
		         "RCCL's lines begin here, after more than 64 KiB of other text: use "
		         "--from rccl-log");
	*unknown = !found && no.status != ST_NOMEM;
	/* What was looked for may stand behind the fault. */
	if (*unknown && source_failed(again ? again : src, &no)) {
		*d = no;
		*unknown = false;
	}
	source_close(again);
	return ops;
}

void realtime_add(struct realtime *r, uint64_t real_ns, uint64_t trace_ns)
{
	uint64_t ns = real_ns - trace_ns;

	if (real_ns < trace_ns || ns >> 63)
		return;
	if (!r->readings || ns < r->low_ns)
		r->low_ns = ns;
	if (!r->readings || ns > r->high_ns)
		r->high_ns = ns;
	r->readings++;
}

void realtime_merge(struct realtime *into, const struct realtime *r)
{
	if (!r->readings)
		return;
	if (!into->readings || r->low_ns < into->low_ns)
		into->low_ns = r->low_ns;
	if (!into->readings || r->high_ns > into->high_ns)
		into->high_ns = r->high_ns;
	into->readings += r->readings;
}

uint64_t realtime_middle(const struct realtime *r)
{
	return r->low_ns + (r->high_ns - r->low_ns) / 2;
}

uint64_t realtime_error(const struct realtime *r)
{
	return r->high_ns - realtime_middle(r);
}

void loss_count(struct loss *l, enum loss_reason why, uint64_t n, uint64_t at)
{
	struct lost *o = &l->other[why];

	if (n && (!o->n || at < o->at))
		o->at = at;
	o->n += n;
}

void loss_add(struct loss *into, const struct loss *from, uint64_t lines)
{
	const struct {
		uint64_t *count, *line, n, at;
	} part[] = {
		{ &into->malformed, &into->malformed_line, from->malformed, from->malformed_line },
		{ &into->reversed, &into->reversed_line, from->reversed, from->reversed_line },
		{ &into->recovered, &into->recovered_line, from->recovered, from->recovered_line },
		{ &into->cut, &into->cut_line, from->cut, from->cut_line },
		{ &into->unended, &into->unended_line, from->unended, from->unended_line },
		{ &into->open_end, &into->open_end_line, from->open_end, from->open_end_line },
	};

	into->rows += from->rows;
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		if (!*part[i].count && part[i].n)
			*part[i].line = part[i].at + lines;
		*part[i].count += part[i].n;
	}
	for (int i = 0; i < LOSS_REASONS; i++)
		loss_count(into, (enum loss_reason)i, from->other[i].n,
		           from->other[i].at + (loss_has_line((enum loss_reason)i) ? lines : 0));
}

bool loss_any(const struct loss *l)
{
	bool any = l->malformed || l->reversed || l->recovered || l->cut || l->unended ||
	           l->open_end;

	for (int i = 0; i < LOSS_REASONS; i++)
		any |= l->other[i].n > 0;
	return any;
}

struct reader *reader_open(struct source *src, const struct reader_ops *ops, ev_set want,
                           bool *unknown, struct diag *d)
{
	const unsigned char *p;
	struct reader *r;
	bool by_content = !ops, nobody;
	struct diag broken;
	enum status st;
	size_t n;

	if (unknown)
		*unknown = false;
	st = source_peek(src, &p, &n, &broken);
	if (st == ST_FATAL) {
		if (d)
			*d = broken;
		return NULL;
	}
	if (!ops) {
		ops = reader_choose_in(src, p, n, &nobody, d);
		/* Half a header looks like nothing: what broke it is the news. */
		if (!ops && st == ST_WARN && d)
			*d = broken;
		if (!ops) {
			if (unknown)
				*unknown = st == ST_OK && nobody;
			return NULL;
		}
	}
	r = calloc(1, sizeof *r);
	if (!r) {
		diag_oom(d);
		return NULL;
	}
	r->src = src;
	r->want = want;
	st = by_content && ops->dialect ? ops->dialect(r, &ops, d) : ST_OK;
	if (st == ST_OK) {
		r->ops = ops;
		r->priv = calloc(1, ops->priv_size ? ops->priv_size : 1);
		if (!r->priv) {
			reader_close(r);
			diag_oom(d);
			return NULL;
		}
		st = ops->open(r, d);
	}
	if (st != ST_OK) {
		/* A format the caller named is not unknown, it is wrong. */
		if (unknown)
			*unknown = st == ST_SKIP && by_content;
		reader_close(r);
		return NULL;
	}
	return r;
}

enum status reader_next(struct reader *r, const struct batch **b, struct diag *d)
{
	return r->ops->next(r, b, d);
}

bool reader_can_split(const struct reader *r)
{
	return r->ops->split != NULL;
}

struct reader *reader_split(const struct reader *r, int fd, uint64_t begin, uint64_t end,
                            bool exact, struct diag *d)
{
	return r->ops->split ? r->ops->split(r, fd, begin, end, exact, d) : NULL;
}

bool reader_host(struct reader *r, const char *name, size_t len)
{
	uint32_t id;

	if (!len || r->hosts || (r->host && strlen(r->host) == len && !memcmp(r->host, name, len)))
		return true;
	r->hosts = r->host != NULL;
	r->host = NULL;
	if (r->hosts)
		return true;
	id = names_add(&r->names, name, len);
	if (id != NAME_NONE)
		r->host = r->names.v[id].text;
	return id != NAME_NONE;
}

_Static_assert(EVC_N < 127, "UNUSED_WANT is no column");

bool reader_unused(struct reader *r, enum unused_kind kind, const char *name, size_t len)
{
	static const char more[] = "(more)";
	struct names *of = &r->unused.of[kind];

	if (!(r->want & UNUSED_WANT))
		return true;
	/* Keys and domains may be another one in every event of a hostile file. */
	if (kind >= UNUSED_DOMAIN && of->n >= UNUSED_MOST &&
	    names_find(of, name, len) == NAME_NONE) {
		name = more;
		len = sizeof more - 1;
	}
	return names_add(of, name, len) != NAME_NONE;
}

void reader_close(struct reader *r)
{
	if (!r)
		return;
	if (r->priv)
		r->ops->close(r);
	free(r->priv);
	sqlite_file_close(r->file);
	for (int i = 0; i < UNUSED_KINDS; i++)
		names_fini(&r->unused.of[i]);
	names_fini(&r->names);
	free(r);
}
