/* SPDX-License-Identifier: MIT */
#include "read/ranked.h"

#include "base/base.h"
#include "io/io.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 256 * 1024, RECORD = sizeof(uint64_t) + sizeof(uint32_t) };

size_t tm_ranked_keep = TM_RANKED_KEEP;

/* ---- rows of a source ---- */

static bool fail(struct tm_ranked_in *in)
{
	in->dead = true;
	tm_diag_oom(&in->why);
	return false;
}

/* More bytes after those that are unread.  False when there are none, or out of memory. */
static bool more(struct tm_ranked_in *in)
{
	enum tm_status st;
	size_t got = 0;

	if (in->eof || in->dead)
		return false;
	if (in->pos)
		memmove(in->buf.p, in->buf.p + in->pos, in->buf.n - in->pos);
	in->buf.n -= in->pos;
	in->pos = 0;
	if (in->buf.n > TM_RANKED_ROW) {
		in->dead = true;
		tm_diag_set(&in->why, in->lines + 1, "a row of more than %d bytes", TM_RANKED_ROW);
		return false;
	}
	if (!tm_buf_reserve(&in->buf, BLOCK))
		return fail(in);
	st = tm_source_read(in->src, in->buf.p + in->buf.n, BLOCK, &got, &in->why);
	in->buf.n += got;
	in->eof = st != TM_ST_OK;
	in->broken = st == TM_ST_FATAL;
	return st == TM_ST_OK;
}

/* The end of the row, after its newline, from *at on; NULL = it is not there.  *quoted, *lines: of
 * what was seen. */
static const char *end_of(const char *p, size_t n, bool quotes, size_t *at, bool *quoted,
                          uint64_t *lines)
{
	const char *nl;

	if (!quotes) {
		nl = memchr(p + *at, '\n', n - *at);
		*at = n;
		*lines = nl != NULL;
		return nl ? nl + 1 : NULL;
	}
	for (; *at < n; ++*at) {
		*quoted ^= p[*at] == '"';
		if (p[*at] != '\n')
			continue;
		++*lines;
		if (!*quoted)
			return p + *at + 1;
	}
	return NULL;
}

/* The next row without its line end.  False at the end; what is left there is tail(). */
static bool next_row(struct tm_ranked_in *in, bool quotes, const char **p, size_t *n, bool *quoted)
{
	const char *end = NULL;
	uint64_t lines = 0;
	size_t at = 0;

	*quoted = false;
	do {
		if (in->buf.n > in->pos)
			end = end_of(in->buf.p + in->pos, in->buf.n - in->pos, quotes, &at, quoted,
			             &lines);
	} while (!end && more(in));
	if (!end)
		return false;
	*p = in->buf.p + in->pos;
	*n = (size_t)(end - *p) - 1;
	*n -= *n && (*p)[*n - 1] == '\r';
	in->pos = (size_t)(end - in->buf.p);
	in->line = in->lines + 1;
	in->lines += lines;
	return true;
}

/* What stands after the last line end: a row that is whole, or the loss of one. */
static bool tail(struct tm_reader *r, struct tm_ranked_in *in, const struct tm_ranked_form *form,
                 bool quoted, const char **p, size_t *n)
{
	struct tm_loss *loss = &r->loss;

	*p = in->buf.p + in->pos;
	*n = in->buf.n - in->pos;
	if (in->ended || !*n || in->dead || in->broken)
		return false;
	in->ended = true;
	in->line = in->lines + 1;
	switch (form->tail(r, *p, *n, quoted)) {
	case TM_RANKED_WHOLE:
		tm_loss_line(loss, TM_LOSS_LINE_OPEN_END, in->line);
		return true;
	case TM_RANKED_UNENDED:
		tm_loss_line(loss, TM_LOSS_LINE_UNENDED, in->line);
		return false;
	case TM_RANKED_CUT:
		break;
	}
	tm_loss_line(loss, TM_LOSS_LINE_CUT, in->line);
	return false;
}

/* The next row that is not empty. */
static bool row_of(struct tm_reader *r, struct tm_ranked_in *in, const struct tm_ranked_form *form,
                   const char **p, size_t *n)
{
	bool quoted;

	while (next_row(in, form->quotes, p, n, &quoted))
		if (*n)
			return true;
	return tail(r, in, form, quoted, p, n);
}

/* ---- which ranks there are ---- */

/* The rows of a rank, none if it is new; NULL when out of memory. */
static struct tm_ranked_rows *rows_of(struct tm_ranked *k, uint64_t rank)
{
	uint32_t n = k->ids.n, id;

	/* Room first: of every id there is a row list. */
	if (!tm_grow_array(&k->v, &k->cap, (size_t)n + 1, sizeof *k->v))
		return NULL;
	id = tm_names_add(&k->ids, (const char *)&rank, sizeof rank);
	if (id == TM_NAME_NONE)
		return NULL;
	if (id == n)
		k->v[id] = (struct tm_ranked_rows) { .rank = rank };
	return &k->v[id];
}

/* Go through another source of the same bytes.  With `two` it ends where a second rank is found.
 * False when out of memory. */
static bool look(struct tm_reader *r, struct tm_source *again, bool two)
{
	struct tm_ranked *k = r->priv;
	struct tm_ranked_in in = { .src = again };
	const struct tm_loss before = r->loss;
	const char *p;
	uint64_t rank, last = 0;
	bool ok = true, quoted;
	size_t n;

	if (k->form->head)
		next_row(&in, k->form->quotes, &p, &n, &quoted);
	while (ok && !(two && k->ids.n > 1) && row_of(r, &in, k->form, &p, &n)) {
		if (!k->form->rank(r, p, n, &rank) || (k->ids.n && rank == last))
			continue;
		last = rank;
		ok = rows_of(k, rank) != NULL;
	}
	ok = ok && in.why.status != TM_ST_NOMEM;
	tm_buf_fini(&in.buf);
	/* It is all told when it is read. */
	r->loss = before;
	return ok;
}

/* ---- gathering ---- */

static bool write_all(int fd, const char *p, size_t n, uint64_t at)
{
	while (n) {
		ssize_t k = pwrite(fd, p, n, (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			errno = k ? errno : EIO;
			return false;
		}
		p += k;
		n -= (size_t)k;
		at += (size_t)k;
	}
	return true;
}

static bool no_file(struct tm_ranked_in *in, const char *what)
{
	in->dead = true;
	tm_diag_set(&in->why, 0, "cannot %s a temporary file in %s: %s", what, tm_temp_place(),
	            strerror(errno));
	return false;
}

static bool put_rows_aside(struct tm_ranked *k, struct tm_ranked_rows *v)
{
	if (!v->rows.n)
		return true;
	if (!tm_grow_array(&v->chunk, &v->cap, v->nchunk + 1, sizeof *v->chunk))
		return fail(&k->in);
	if (!write_all(k->fd - 1, v->rows.p, v->rows.n, k->size))
		return no_file(&k->in, "write");
	v->chunk[v->nchunk++] = (struct tm_ranked_chunk) { .at = k->size, .n = v->rows.n };
	k->size += v->rows.n;
	tm_buf_fini(&v->rows);
	return true;
}

/* What is in memory goes into the file. */
static bool put_aside(struct tm_ranked *k)
{
	int fd = k->fd ? k->fd - 1 : tm_temp_open();

	if (fd < 0)
		return no_file(&k->in, "make");
	k->fd = fd + 1;
	k->kept = 0;
	for (uint32_t i = 0; i < k->ids.n; i++)
		if (!put_rows_aside(k, &k->v[i]))
			return false;
	return put_rows_aside(k, &k->none);
}

static bool gather_row(struct tm_ranked *k, struct tm_ranked_rows *v, const char *p, size_t n)
{
	uint32_t len = (uint32_t)n;

	if (!v || !tm_buf_add(&v->rows, &k->in.line, sizeof k->in.line) ||
	    !tm_buf_add(&v->rows, &len, sizeof len) || !tm_buf_add(&v->rows, p, n))
		return fail(&k->in);
	k->kept += RECORD + n;
	return k->kept < tm_ranked_keep || put_aside(k);
}

/* Read everything.  False with k->in.why. */
static bool gather(struct tm_reader *r)
{
	struct tm_ranked *k = r->priv;
	uint64_t rank;
	const char *p;
	size_t n;

	k->gathered = true;
	while (row_of(r, &k->in, k->form, &p, &n)) {
		bool has = k->form->rank(r, p, n, &rank);

		if (!has)
			tm_lost_line(&k->unranked, k->in.line);
		if (!gather_row(k, has ? rows_of(k, rank) : &k->none, p, n))
			return false;
	}
	r->lines = k->in.lines;
	return !k->in.dead;
}

/* ---- opening ---- */

static int by_rank(const void *pa, const void *pb)
{
	const struct tm_ranked_rows *a = *(struct tm_ranked_rows *const *)pa;
	const struct tm_ranked_rows *b = *(struct tm_ranked_rows *const *)pb;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* What is given out, in order. */
static bool put_in_order(struct tm_ranked *k)
{
	k->give = malloc(((size_t)k->ids.n + 1) * sizeof(struct tm_ranked_rows *));
	if (!k->give)
		return false;
	for (uint32_t i = 0; i < k->ids.n; i++)
		k->give[k->ngive++] = &k->v[i];
	if (k->ngive > 1)
		qsort(k->give, k->ngive, sizeof *k->give, by_rank);
	if (!k->ngive && k->unranked.n)
		k->give[k->ngive++] = &k->none;
	return true;
}

/* A trace for each rank. */
static bool make_origins(struct tm_reader *r)
{
	struct tm_ranked *k = r->priv;
	uint64_t size = 0;
	int fd;

	k->origin = calloc(k->ngive, sizeof *k->origin);
	if (!k->origin)
		return false;
	tm_source_regular(r->src, &fd, &size);
	for (size_t i = 0; i < k->ngive; i++) {
		struct tm_buf b = { 0 };

		tm_buf_fmt(&b, "%s:rank %" PRIu64, tm_source_name(r->src), k->give[i]->rank);
		k->give[i]->path = b.p;
		if (b.failed || !b.p)
			return false;
		k->origin[i] = (struct tm_origin) { .id.path = b.p,
			                            .id.run = b.p,
			                            .id.rank = k->give[i]->rank,
			                            .id.rule = TM_RANK_TRACE,
			                            .id.format = r->ops->name,
			                            .id.table = r->table,
			                            .id.producer = r->producer,
			                            .id.bytes = size,
			                            .live = true };
	}
	r->origins = k->origin;
	r->norigins = k->ngive;
	return true;
}

/* All ranks are known.  Where others have one, a row without is none.  False when out of memory. */
static bool know_ranks(struct tm_reader *r)
{
	struct tm_ranked *k = r->priv;

	if (!put_in_order(k))
		return false;
	k->cells.ranked = k->ids.n > 0;
	k->cells.rank = k->cells.ranked ? k->give[0]->rank : 0;
	if (k->cells.ranked && k->unranked.n)
		tm_loss_count(&r->loss, TM_LOSS_LINE_MALFORMED, k->unranked.n, k->unranked.at);
	if (k->ids.n > 1)
		return make_origins(r);
	r->has_rank = k->ids.n == 1;
	r->rank = r->has_rank ? k->v[0].rank : 0;
	return true;
}

/* The head, if there is to be one. */
static bool read_head(struct tm_reader *r, struct tm_diag *d)
{
	struct tm_ranked *k = r->priv;
	bool quoted;
	const char *p = "";
	size_t n = 0;

	if (!k->form->head)
		return true;
	if (!next_row(&k->in, k->form->quotes, &p, &n, &quoted)) {
		p = "";
		n = 0;
	}
	r->lines = k->in.lines;
	if (n && k->form->head(r, p, n, d))
		return true;
	if (k->in.dead || k->in.broken)
		*d = k->in.why;
	else if (!n)
		k->form->head(r, p, n, d);
	return false;
}

/* Ranks from another source of the same bytes; all rows from this one where there is none, or where
 * there are several ranks. */
static bool find_ranks(struct tm_reader *r)
{
	struct tm_ranked *k = r->priv;
	struct tm_diag why;
	struct tm_source *again = tm_source_again(r->src, &why);
	bool ok = !again || look(r, again, r->want != 0);

	tm_source_close(again);
	if (!ok)
		return fail(&k->in);
	/* Who wants no event is told of the ranks alone. */
	if (!again || (k->ids.n > 1 && r->want))
		gather(r);
	if (k->in.why.status == TM_ST_NOMEM)
		return false;
	return know_ranks(r) || fail(&k->in);
}

enum tm_status tm_ranked_open(struct tm_reader *r, const struct tm_ranked_form *form,
                              struct tm_diag *d)
{
	struct tm_ranked *k = r->priv;

	k->form = form;
	k->in.src = r->src;
	tm_cells_init(&k->cells);
	r->table = form->table;
	r->producer = "tracecat";
	if (!read_head(r, d))
		return TM_ST_FATAL;
	if (find_ranks(r))
		return TM_ST_OK;
	*d = k->in.why;
	return TM_ST_FATAL;
}

/* ---- reading ---- */

/* A row into the cells.  False when the reader is dead. */
static bool add_row(struct tm_reader *r, const char *p, size_t n, uint64_t line)
{
	struct tm_ranked *k = r->priv;
	struct tm_cell_row row = { .bad = false };

	if (k->form->take(r, p, n, &row))
		return tm_cells_add(&k->cells, r, &row, line);
	k->cells.dead = true;
	tm_diag_oom(&k->cells.why);
	return false;
}

/* What ended the reading ends the cells. */
static void end(struct tm_ranked *k)
{
	if ((k->in.dead || k->in.broken) && !k->cells.dead) {
		k->cells.dead = true;
		k->cells.why = k->in.why;
	}
}

/* Rows of the source as they come. */
static void fill(struct tm_reader *r)
{
	struct tm_ranked *k = r->priv;
	const char *p;
	size_t n;

	while (tm_cells_room(&k->cells)) {
		bool has = row_of(r, &k->in, k->form, &p, &n);

		r->lines = k->in.lines;
		if (!has) {
			end(k);
			return;
		}
		if (!add_row(r, p, n, k->in.line))
			return;
	}
}

/* The next chunk of the rank at hand; false after its last one, or with k->in.why. */
static bool next_chunk(struct tm_ranked *k, struct tm_ranked_rows *v)
{
	const struct tm_ranked_chunk *c;

	k->pos = 0;
	if (k->chunk++ >= v->nchunk) {
		tm_buf_fini(&k->block);
		k->block = v->rows;
		v->rows = (struct tm_buf) { 0 };
		return k->block.n > 0;
	}
	c = &v->chunk[k->chunk - 1];
	tm_buf_clear(&k->block);
	if (!tm_buf_reserve(&k->block, c->n))
		return fail(&k->in);
	while (k->block.n < c->n) {
		ssize_t n = pread(k->fd - 1, k->block.p + k->block.n, c->n - k->block.n,
		                  (off_t)(c->at + k->block.n));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : EIO;
			tm_buf_clear(&k->block);
			return no_file(&k->in, "read");
		}
		k->block.n += (size_t)n;
	}
	return true;
}

/* Rows of the rank at hand, until there are enough, or no more. */
static void fill_gathered(struct tm_reader *r, struct tm_ranked_rows *v)
{
	struct tm_ranked *k = r->priv;

	while (tm_cells_room(&k->cells)) {
		const char *p;
		uint64_t line;
		uint32_t n;

		if (k->pos == k->block.n) {
			if (!next_chunk(k, v))
				return;
			continue;
		}
		p = k->block.p + k->pos;
		memcpy(&line, p, sizeof line);
		memcpy(&n, p + sizeof line, sizeof n);
		k->pos += RECORD + n;
		if (!add_row(r, p + RECORD, n, line))
			return;
	}
}

/* All rows of the rank at hand were given out. */
static void next_rank(struct tm_reader *r)
{
	struct tm_ranked *k = r->priv;

	if (k->origin) {
		k->origin[k->at].loss = r->loss;
		r->loss = (struct tm_loss) { 0 };
	}
	k->at++;
	k->chunk = k->pos = 0;
	tm_buf_clear(&k->block);
	if (k->at < k->ngive) {
		k->cells.rank = k->give[k->at]->rank;
		return;
	}
	for (size_t i = 0; k->origin && i < k->ngive; i++)
		tm_loss_add(&r->loss, &k->origin[i].loss, 0);
	end(k);
}

static enum tm_status next_gathered(struct tm_reader *r, const struct tm_batch **b,
                                    struct tm_diag *d)
{
	struct tm_ranked *k = r->priv;

	if (!k->ngive)
		end(k);
	for (;;) {
		enum tm_status st;

		if (k->at < k->ngive)
			fill_gathered(r, k->give[k->at]);
		st = tm_cells_next(&k->cells, r, b, d);
		if (st == TM_ST_OK && k->origin)
			r->origin = &k->origin[k->at];
		if (st != TM_ST_END || k->at >= k->ngive)
			return st;
		next_rank(r);
	}
}

enum tm_status tm_ranked_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct tm_ranked *k = r->priv;

	if (k->gathered)
		return next_gathered(r, b, d);
	/* Nobody wanted events when it was opened. */
	if (k->origin)
		return TM_ST_END;
	fill(r);
	return tm_cells_next(&k->cells, r, b, d);
}

static void rows_fini(struct tm_ranked_rows *v)
{
	free(v->chunk);
	free(v->path);
	tm_buf_fini(&v->rows);
}

void tm_ranked_fini(struct tm_ranked *k)
{
	for (uint32_t i = 0; i < k->ids.n && k->v; i++)
		rows_fini(&k->v[i]);
	rows_fini(&k->none);
	if (k->fd)
		close(k->fd - 1);
	tm_cells_fini(&k->cells);
	tm_buf_fini(&k->in.buf);
	tm_buf_fini(&k->block);
	tm_names_fini(&k->ids);
	free(k->v);
	free(k->give);
	free(k->origin);
}
