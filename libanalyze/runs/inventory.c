/* SPDX-License-Identifier: MIT
 * What is in these files?  The facts of each trace, before anybody asks what they mean. */
#include "runs/inventory.h"

#include "agg/agg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Distinct numbers in ascending order. */
struct set {
	uint64_t *v;
	size_t n, cap;
};

/* One trace. */
struct entry {
	struct tm_trace_id id; /* a copy */
	bool more;             /* goes on with the trace before: its next range */
	const char *method;    /* how a database aligned its clock, static; NULL = nobody tried */
	uint64_t shift, shift_error;
	int64_t rate;    /* struct tm_clock_line */
	uint64_t *error; /* nerrors of them: of the parts of the time */
	size_t nerrors;
	bool has_shift_error;
	uint64_t first, last; /* first > last: no times */
	uint64_t rows, kinds[TM_EV_NKINDS], domains[TM_DOMAIN_N];
	struct set agents, pids;
	struct tm_agents gpus;
	struct tm_loss loss;
	char *why;    /* it was not read whole */
	char *unused; /* what is in it that nobody takes, or NULL */
};

struct inventory {
	const struct tm_metric_opts *o;
	struct entry *v;
	size_t n, cap;
};

enum {
	COL_PATH,
	COL_FORMAT,
	COL_TABLE,
	COL_PRODUCER,
	COL_RANK,
	COL_RULE,
	COL_HOST,
	COL_PIDS,
	COL_AGENTS,
	COL_CLOCK,
	COL_FIRST,
	COL_LAST,
	COL_ROWS,
	COL_KINDS,
	COL_DOMAINS,
	COL_SKIPPED,
	COL_SKIPPED_WHY,
	COL_LOST,
	COL_LOST_WHY,
	COL_SNAPSHOTS,
	COL_REALTIME,
	COL_REALTIME_ERROR,
	COL_ALIGNED,
	COL_SHIFT,
	COL_SHIFT_ERROR,
	COL_DRIFT,
	COL_ERROR_PARTS,
	COL_UNUSED,
	COL_GPUS,
	COL_COUNT,
};

static const struct tm_column columns[COL_COUNT + 1] = {
	[COL_PATH] = { .name = "path",
	               .title = "PATH",
	               .about = "file, followed by the archive member",
	               .elastic = true },
	[COL_FORMAT] = { .name = "format",
	                 .title = "FORMAT",
	                 .about = "format name, as for --from",
	                 .spare = 2 },
	[COL_TABLE] = { .name = "table",
	                .title = "TABLE",
	                .about = "table of the format",
	                .spare = 7 },
	[COL_PRODUCER] = { .name = "producer",
	                   .title = "PRODUCER",
	                   .about = "program and release, as shown by the header",
	                   .spare = 4 },
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the process",
	               .unit = TM_UNIT_ID },
	[COL_RULE] = { .name = "rank_rule",
	               .title = "BY",
	               .about = "source of the rank: given, regex, trace, path, environment, order",
	               .spare = 8 },
	[COL_HOST] = { .name = "host", .title = "HOST", .about = "host that recorded the trace" },
	[COL_PIDS] = { .name = "pids", .title = "PIDS", .about = "process ids seen", .spare = 5 },
	[COL_AGENTS] = { .name = "agents", .title = "AGENTS", .about = "agents seen", .spare = 3 },
	[COL_CLOCK] = { .name = "clock",
	                .title = "CLOCK",
	                .about = "clock of the times",
	                .spare = 9 },
	[COL_FIRST] = { .name = "first_ns",
	                .title = "FIRST",
	                .about = "first start",
	                .unit = TM_UNIT_ID,
	                .spare = 10 },
	[COL_LAST] = { .name = "last_ns",
	               .title = "LAST",
	               .about = "last end",
	               .unit = TM_UNIT_ID,
	               .spare = 11 },
	[COL_ROWS] = { .name = "rows",
	               .title = "ROWS",
	               .about = "rows read",
	               .unit = TM_UNIT_COUNT,
	               .spare = 6 },
	[COL_KINDS] = { .name = "kinds",
	                .title = "KINDS",
	                .about = "rows of each kind",
	                .spare = 1 },
	[COL_DOMAINS] = { .name = "domains",
	                  .title = "DOMAINS",
	                  .about = "rows of each domain",
	                  .spare = 12 },
	[COL_SKIPPED] = { .name = "skipped",
	                  .title = "SKIPPED",
	                  .about = "rows skipped",
	                  .unit = TM_UNIT_COUNT },
	[COL_SKIPPED_WHY] = { .name = "skipped_why",
	                      .title = "WHY",
	                      .about = "why, and the line of the first",
	                      .elastic = true,
	                      .spare = 20 },
	[COL_LOST] = { .name = "lost",
	               .title = "LOST",
	               .about = "1 when data is missing from the input",
	               .unit = TM_UNIT_COUNT },
	[COL_LOST_WHY] = { .name = "lost_why",
	                   .title = "WHY LOST",
	                   .about = "why",
	                   .elastic = true,
	                   .spare = 19 },
	[COL_SNAPSHOTS] = { .name = "snapshots",
	                    .title = "SNAPSHOTS",
	                    .about = "readings of CLOCK_REALTIME together with the clock",
	                    .unit = TM_UNIT_COUNT,
	                    .spare = 16 },
	[COL_REALTIME] = { .name = "realtime_offset_ns",
	                   .title = "REALTIME",
	                   .about = "CLOCK_REALTIME - clock",
	                   .unit = TM_UNIT_ID,
	                   .spare = 13 },
	[COL_REALTIME_ERROR] = { .name = "realtime_error_ns",
	                         .title = "+-",
	                         .about = "largest distance of a snapshot from that offset",
	                         .unit = TM_UNIT_NS,
	                         .spare = 15 },
	[COL_ALIGNED] = { .name = "aligned",
	                  .title = "ALIGNED",
	                  .about = "how tracemerge aligned its clock: none, shared, realtime, "
	                           "collectives",
	                  .spare = 14 },
	[COL_SHIFT] = { .name = "shift_ns",
	                .title = "SHIFT",
	                .about = "number added to its times",
	                .unit = TM_UNIT_NS,
	                .spare = 17 },
	[COL_SHIFT_ERROR] = { .name = "shift_error_ns",
	                      .title = "SHIFT +-",
	                      .about = "error that may remain",
	                      .unit = TM_UNIT_NS,
	                      .spare = 18 },
	[COL_DRIFT] = { .name = "drift_ppm",
	                .title = "DRIFT",
	                .about = "how much faster the common clock runs, in ppm",
	                .unit = TM_UNIT_RATIO,
	                .spare = 20 },
	[COL_ERROR_PARTS] = { .name = "shift_error_parts_ns",
	                      .title = "SHIFT +- OVER TIME",
	                      .about = "error that may remain in each part of the compared time",
	                      .spare = 21 },
	[COL_UNUSED] = { .name = "not_used",
	                 .title = "NOT USED",
	                 .about = "tables, columns, domains and keys that are not read",
	                 .elastic = true,
	                 .spare = 3 },
	[COL_GPUS] = { .name = "gpus",
	               .title = "GPUS",
	               .about = "GPUs in the file, by product or architecture",
	               .spare = 3 },
	{ 0 },
};

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
	       TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_SRC) |
	       TM_EV_BIT(TM_EVC_DST) | TM_EV_BIT(TM_EVC_PID) | TM_UNUSED_WANT | tm_agents_want() |
	       TM_EV_BIT(TM_EVC_VALUE); /* counters of rows of dispatches are there for who wants
	                                 * them */
}

static bool init(void *acc, const void *arg)
{
	struct inventory *inv = acc;

	*inv = (struct inventory) { .o = arg };
	return true;
}

static void entry_fini(struct entry *e)
{
	tm_trace_id_fini(&e->id);
	free(e->agents.v);
	tm_agents_fini(&e->gpus);
	free(e->pids.v);
	free(e->why);
	free(e->unused);
	free(e->error);
}

static void fini(void *acc)
{
	struct inventory *inv = acc;

	for (size_t i = 0; i < inv->n; i++)
		entry_fini(&inv->v[i]);
	free(inv->v);
}

/* What else is known of a trace of a database. */
static bool own_origin(struct entry *e, const struct tm_origin *o)
{
	/* A method of a later version has no word here. */
	static const char *const methods[] = { "none", "shared", "realtime", "collectives" };

	for (size_t i = 0; o->method && i < sizeof methods / sizeof *methods; i++)
		if (!strcmp(o->method, methods[i]))
			e->method = methods[i];
	e->shift = o->line.offset_ns;
	e->shift_error = o->residual_ns;
	e->has_shift_error = o->has_residual;
	e->rate = o->line.rate;
	e->error = calloc(o->parts + 1, sizeof *e->error);
	e->nerrors = o->parts;
	for (size_t i = 0; e->error && i < o->parts; i++)
		e->error[i] = o->part[i].error_ns;
	return e->error != NULL;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct inventory *inv = acc;
	struct entry *e;

	if (!tm_grow_array(&inv->v, &inv->cap, inv->n + 1, sizeof *inv->v))
		return false;
	e = &inv->v[inv->n];
	*e = (struct entry) { .more = p->more, .first = UINT64_MAX };
	inv->n++;
	return tm_trace_id_copy(&e->id, &p->id) && (!p->origin || own_origin(e, p->origin));
}

static bool set_add(struct set *s, uint64_t v)
{
	size_t lo = 0, hi = s->n;

	TM_BISECT(lo, hi, mid, s->v[mid] < v);
	if (lo < s->n && s->v[lo] == v)
		return true;
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	memmove(s->v + lo + 1, s->v + lo, (s->n - lo) * sizeof *s->v);
	s->v[lo] = v;
	s->n++;
	return true;
}

/* The distinct values of a column; most rows repeat the one before. */
static bool gather(struct set *s, const struct tm_batch *b, enum tm_ev_col c)
{
	uint64_t last = 0;
	bool any = false;

	if (!(b->some & TM_EV_BIT(c)))
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		if (!tm_batch_has(b, i, c) || (any && b->col[c][i] == last))
			continue;
		last = b->col[c][i];
		any = true;
		if (!set_add(s, last))
			return false;
	}
	return true;
}

/* Events that only their sums are left of. */
static bool take_rollups(struct entry *e, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		e->rows += b->col[TM_EVC_CALLS][i];
		e->domains[b->col[TM_EVC_DOMAIN][i]] += b->col[TM_EVC_CALLS][i];
	}
	return gather(&e->agents, b, TM_EVC_AGENT);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct inventory *inv = acc;
	struct entry *e = &inv->v[inv->n - 1];
	bool event = b->kind != TM_EV_STAT && b->kind != TM_EV_AGENT && b->kind != TM_EV_SAMPLE;

	e->kinds[b->kind] += b->n;
	if (b->kind == TM_EV_ROLLUP)
		return take_rollups(e, b);
	e->rows += b->n;
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = tm_batch_domain(b, i);

		if (tm_batch_has(b, i, TM_EVC_START) && b->col[TM_EVC_START][i] < e->first)
			e->first = b->col[TM_EVC_START][i];
		if (tm_batch_has(b, i, TM_EVC_END) && b->col[TM_EVC_END][i] > e->last)
			e->last = b->col[TM_EVC_END][i];
		e->domains[d] += event || tm_batch_has(b, i, TM_EVC_DOMAIN);
	}
	return tm_agents_take(&e->gpus, 0, b) && gather(&e->agents, b, TM_EVC_AGENT) &&
	       gather(&e->agents, b, TM_EVC_SRC) && gather(&e->agents, b, TM_EVC_DST) &&
	       gather(&e->pids, b, TM_EVC_PID);
}

/* A name as it stands among others: in quotes where it could be taken for several. */
static void put_name(struct tm_buf *b, const struct tm_name *nm)
{
	bool plain = nm->len && nm->text[0] != ' ' && nm->text[nm->len - 1] != ' ';

	for (uint32_t i = 0; plain && i < nm->len; i++)
		plain = !strchr(",;\"", nm->text[i]);
	if (!plain)
		tm_buf_chr(b, '"');
	for (uint32_t i = 0; i < nm->len; i++) {
		if (nm->text[i] == '"')
			tm_buf_chr(b, '"');
		tm_buf_chr(b, nm->text[i]);
	}
	if (!plain)
		tm_buf_chr(b, '"');
}

/* "tables A, B; columns X": *out, or NULL where all is used.  False when out of memory. */
static bool unused_text(const struct tm_unused *u, char **out)
{
	static const char *const words[TM_UNUSED_KINDS][2] = {
		[TM_UNUSED_TABLE] = { "table ", "tables " },
		[TM_UNUSED_COLUMN] = { "column ", "columns " },
		[TM_UNUSED_DOMAIN] = { "domain ", "domains " },
		[TM_UNUSED_KEY] = { "key ", "keys " },
	};
	struct tm_buf b = { 0 };

	for (int k = 0; u && k < TM_UNUSED_KINDS; k++) {
		const struct tm_names *of = &u->of[k];

		if (of->n)
			tm_buf_fmt(&b, "%s%s", b.n ? "; " : "", words[k][of->n > 1]);
		for (uint32_t i = 0; i < of->n; i++) {
			tm_buf_str(&b, i ? ", " : "");
			put_name(&b, &of->v[i]);
		}
	}
	*out = b.p;
	return !b.failed;
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct inventory *inv = acc;
	struct entry *e = &inv->v[inv->n - 1];

	e->loss = *l;
	e->why = why ? strdup(why->text) : NULL;
	if (!unused_text(p->unused, &e->unused))
		return false;
	return (!why || e->why) && (p->origin || tm_trace_id_learn(&e->id, &p->id));
}

/* The next range of a file. */
static bool join(struct entry *e, const struct entry *from)
{
	bool ok = true;

	e->rows += from->rows;
	for (int i = 0; i < TM_EV_NKINDS; i++)
		e->kinds[i] += from->kinds[i];
	for (int i = 0; i < TM_DOMAIN_N; i++)
		e->domains[i] += from->domains[i];
	e->first = from->first < e->first ? from->first : e->first;
	e->last = from->last > e->last ? from->last : e->last;
	for (size_t i = 0; ok && i < from->agents.n; i++)
		ok = set_add(&e->agents, from->agents.v[i]);
	for (size_t i = 0; ok && i < from->pids.n; i++)
		ok = set_add(&e->pids, from->pids.v[i]);
	return ok && tm_agents_merge(&e->gpus, &from->gpus);
}

static bool merge(void *into, void *acc)
{
	struct inventory *inv = into, *from = acc;

	for (size_t i = 0; i < from->n; i++) {
		if (from->v[i].more && inv->n) {
			if (!join(&inv->v[inv->n - 1], &from->v[i]))
				return false;
			continue;
		}
		if (!tm_grow_array(&inv->v, &inv->cap, inv->n + 1, sizeof *inv->v))
			return false;
		inv->v[inv->n++] = from->v[i];
		from->v[i] = (struct entry) { 0 };
	}
	return true;
}

/* What is in b as a cell; b->failed when out of memory. */
static struct tm_cell own(struct tm_table *t, struct tm_buf *b)
{
	struct tm_cell c = b->n ? tm_table_own(t, b->p, b->n) : tm_cell_none();

	b->failed |= b->n && c.type == TM_CELL_NONE;
	return c;
}

static struct tm_cell static_text(const char *s)
{
	return s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static struct tm_cell agents_cell(struct tm_table *t, const struct set *s, struct tm_buf *b)
{
	char text[16];

	tm_buf_clear(b);
	for (size_t i = 0; i < s->n; i++)
		tm_buf_fmt(b, "%s%s", i ? ", " : "", tm_agent_text(s->v[i], text));
	return own(t, b);
}

static struct tm_cell numbers_cell(struct tm_table *t, const struct set *s, struct tm_buf *b)
{
	tm_buf_clear(b);
	for (size_t i = 0; i < s->n; i++)
		tm_buf_fmt(b, "%s%" PRIu64, i ? ", " : "", s->v[i]);
	return own(t, b);
}

static struct tm_cell kinds_cell(struct tm_table *t, const struct entry *e, struct tm_buf *b)
{
	tm_buf_clear(b);
	for (int i = 0; i < TM_EV_NKINDS; i++)
		if (e->kinds[i])
			tm_buf_fmt(b, "%s%" PRIu64 " %s", b->n ? ", " : "", e->kinds[i],
			           tm_ev_kind_text((enum tm_ev_kind)i, e->kinds[i] != 1));
	return own(t, b);
}

static struct tm_cell domains_cell(struct tm_table *t, const struct entry *e, struct tm_buf *b)
{
	tm_buf_clear(b);
	for (int i = 0; i < TM_DOMAIN_N; i++)
		if (e->domains[i])
			tm_buf_fmt(b, "%s%" PRIu64 " %s", b->n ? ", " : "", e->domains[i],
			           tm_domain_text((enum tm_domain)i));
	return own(t, b);
}

/* What standard error says of these losses, in one cell; `more` may be NULL. */
static struct tm_cell losses_cell(struct tm_table *t, const struct tm_loss *l, const char *more,
                                  struct tm_buf *b)
{
	struct tm_report rep = { 0 };

	tm_buf_clear(b);
	tm_report_loss(&rep, NULL, l);
	for (size_t i = 0; i < rep.n; i++) {
		tm_buf_str(b, b->n ? "; " : "");
		if (rep.v[i].line)
			tm_buf_fmt(b, "line %" PRIu64 ": ", rep.v[i].line);
		tm_buf_str(b, rep.v[i].text);
	}
	if (more)
		tm_buf_fmt(b, "%s%s", b->n ? "; " : "", more);
	b->failed |= rep.lost;
	tm_report_fini(&rep);
	return own(t, b);
}

static void loss_cells(struct tm_table *t, const struct entry *e, struct tm_cell *c,
                       struct tm_buf *b)
{
	/* Rows or events left out; the others are pieces of the input. */
	const unsigned skipped = 1U << TM_LOSS_IS_SKIPPED,
	               lost = 1U << TM_LOSS_IS_BROKEN | 1U << TM_LOSS_IS_ENDED |
	                      1U << TM_LOSS_IS_GONE | 1U << TM_LOSS_IS_UNTRACED |
	                      1U << TM_LOSS_IS_THINNED | 1U << TM_LOSS_IS_STRIPPED;
	struct tm_loss out = tm_loss_of_kinds(&e->loss, skipped);
	struct tm_loss bad = tm_loss_of_kinds(&e->loss, lost);

	c[COL_SKIPPED] = tm_cell_u64(tm_loss_sum(&out, skipped));
	c[COL_SKIPPED_WHY] = losses_cell(t, &out, NULL, b);
	c[COL_LOST] = tm_cell_u64(e->why || tm_loss_any(&bad));
	c[COL_LOST_WHY] = losses_cell(t, &bad, e->why, b);
}

/* A rate in millionths, four decimals, rounded half away from 0. */
static struct tm_cell ppm_cell(int64_t rate)
{
	tm_u128 size = rate < 0 ? -(tm_u128)rate : (tm_u128)rate;
	struct tm_cell c = { .type = TM_CELL_FIXED, .neg = rate < 0 };

	c.v.u = (uint64_t)((size * 10000000000 + ((tm_u128)1 << (TM_CLOCK_RATE_BITS - 1))) >>
	                   TM_CLOCK_RATE_BITS);
	return c;
}

static void clock_cells(struct tm_table *t, const struct entry *e, struct tm_cell *c,
                        struct tm_buf *b)
{
	const struct tm_realtime *r = &e->id.realtime;
	bool timed = e->first <= e->last;

	c[COL_CLOCK] = static_text(timed ? e->id.clock : NULL);
	c[COL_FIRST] = timed ? tm_cell_u64(e->first) : tm_cell_none();
	c[COL_LAST] = timed ? tm_cell_u64(e->last) : tm_cell_none();
	c[COL_SNAPSHOTS] = r->readings ? tm_cell_u64(r->readings) : tm_cell_none();
	c[COL_REALTIME] = r->readings ? tm_cell_u64(tm_realtime_middle(r)) : tm_cell_none();
	/* One says nothing of its own error. */
	c[COL_REALTIME_ERROR] = r->readings > 1 ? tm_cell_u64(tm_realtime_error(r))
	                                        : tm_cell_none();
	c[COL_ALIGNED] = static_text(e->method);
	c[COL_SHIFT] = e->method ? tm_cell_u64(e->shift) : tm_cell_none();
	c[COL_SHIFT_ERROR] = e->has_shift_error ? tm_cell_u64(e->shift_error) : tm_cell_none();
	c[COL_DRIFT] = e->rate ? ppm_cell(e->rate) : tm_cell_none();
	tm_buf_clear(b);
	for (size_t i = 0; i < e->nerrors; i++)
		tm_buf_fmt(b, "%s%" PRIu64, i ? ", " : "", e->error[i]);
	c[COL_ERROR_PARTS] = own(t, b);
}

static void cells_of(struct tm_table *t, const struct entry *e, struct tm_cell *c, struct tm_buf *b)
{
	c[COL_PATH] = static_text(e->id.path);
	c[COL_FORMAT] = static_text(e->id.format);
	c[COL_TABLE] = static_text(e->id.table);
	c[COL_PRODUCER] = static_text(e->id.producer);
	c[COL_RANK] = tm_cell_u64(e->id.rank);
	c[COL_RULE] = static_text(tm_rank_rule_text(e->id.rule));
	c[COL_HOST] = static_text(e->id.host);
	c[COL_PIDS] = numbers_cell(t, &e->pids, b);
	c[COL_AGENTS] = agents_cell(t, &e->agents, b);
	clock_cells(t, e, c, b);
	c[COL_ROWS] = tm_cell_u64(e->rows);
	c[COL_KINDS] = kinds_cell(t, e, b);
	c[COL_DOMAINS] = domains_cell(t, e, b);
	loss_cells(t, e, c, b);
	c[COL_UNUSED] = static_text(e->unused);
	tm_buf_clear(b);
	b->failed |= !tm_agents_put(&e->gpus, b);
	c[COL_GPUS] = own(t, b);
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct inventory *inv = acc;
	struct tm_buf b = { 0 };
	bool ok = true;

	(void)o;
	tm_table_init_list(t, columns);
	for (size_t r = 0; ok && r < inv->n; r++) {
		struct tm_cell row[COL_COUNT], *cells;

		cells_of(t, &inv->v[r], row, &b);
		cells = tm_table_row(t);
		ok = cells && !b.failed;
		if (ok)
			memcpy(cells, row, sizeof row);
	}
	tm_buf_fini(&b);
	if (!ok)
		return TM_ST_FATAL;
	if (inv->n)
		return TM_ST_OK;
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no trace in the input");
	return TM_ST_END;
}

static const struct tm_metric_view views[] = { { .columns = columns, .whole = true }, { 0 } };

const struct tm_metric tm_inventory_metric = {
	.name = "info",
	.about = "what is in these files: format, producer, rank, agents, rows, losses",
	.views = views,
	.files = true,
	.clock = TM_DRIVE_COMMON,
	.sink = { .size = sizeof(struct inventory),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .done = done,
	          .fini = fini },
	.want = want,
	.fill = fill,
};
