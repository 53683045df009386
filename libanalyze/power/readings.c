/* SPDX-License-Identifier: MIT */
#include "power/readings.h"

#include "power/sensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, SMALL_WATT = 10, LARGE_WATT = 10000 };

/* ---- columns ---- */

/* Of both tables. */
enum {
	COL_DEVICE,
	COL_SAMPLES,
	COL_NA,
	COL_GAPS,
	COL_DURATION,
	COL_MEAN_W,
	COL_P95_W,
	COL_PEAK_W,
	COL_ENERGY,
	COL_MEAN_PCT,
	COL_P95_PCT,
	COL_PEAK_PCT,
	COL_NODE,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_DEVICE] = { .name = "device",
	                 .title = "DEVICE",
	                 .unit = TM_UNIT_ID,
	                 .about = "GPU number: n of GPUn" },
	[COL_SAMPLES] = { .name = "samples",
	                  .title = "SAMPLES",
	                  .unit = TM_UNIT_COUNT,
	                  .spare = 2,
	                  .about = "readings" },
	[COL_NA] = { .name = "na",
	             .title = "N/A",
	             .unit = TM_UNIT_COUNT,
	             .about = "rows without a reading" },
	[COL_GAPS] = { .name = "gaps",
	               .title = "GAPS",
	               .unit = TM_UNIT_COUNT,
	               .about = "stretches without a reading longer than --gap" },
	[COL_DURATION] = { .name = "duration_s",
	                   .title = "SECONDS",
	                   .unit = TM_UNIT_RATIO,
	                   .about = "time between readings, without gaps" },
	[COL_MEAN_W] = { .name = "mean_w",
	                 .title = "MEAN W",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "energy_j / duration_s" },
	[COL_P95_W] = { .name = "p95_w",
	                .title = "P95 W",
	                .unit = TM_UNIT_RATIO,
	                .spare = 1,
	                .about = "95th percentile" },
	[COL_PEAK_W] = { .name = "peak_w",
	                 .title = "PEAK W",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "largest reading" },
	[COL_ENERGY] = { .name = "energy_j",
	                 .title = "JOULES",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "integral over duration_s, by the trapezoid rule" },
	[COL_MEAN_PCT] = { .name = "mean_pct",
	                   .title = "MEAN",
	                   .unit = TM_UNIT_PCT,
	                   .about = "mean over duration_s" },
	[COL_P95_PCT] = { .name = "p95_pct",
	                  .title = "P95",
	                  .unit = TM_UNIT_PCT,
	                  .about = "95th percentile" },
	[COL_PEAK_PCT] = { .name = "peak_pct",
	                   .title = "PEAK",
	                   .unit = TM_UNIT_PCT,
	                   .bar = true,
	                   .about = "largest reading" },
	[COL_NODE] = { .name = "node",
	               .title = "NODE",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "number before the file, or its name; only with several nodes" },
	[COL_N] = { .name = NULL },
};

/* The columns of each table in order, ending with COL_NODE. */
static const unsigned char layout[TM_POWER_WHATS][COL_N] = {
	[TM_POWER_WATT] = { COL_DEVICE, COL_SAMPLES, COL_NA, COL_GAPS, COL_DURATION, COL_MEAN_W,
	                    COL_P95_W, COL_PEAK_W, COL_ENERGY, COL_NODE },
	[TM_POWER_VRAM] = { COL_DEVICE, COL_SAMPLES, COL_NA, COL_DURATION, COL_MEAN_PCT,
	                    COL_P95_PCT, COL_PEAK_PCT, COL_NODE },
};

/* A table's columns into `out`, which has room for COL_N + 1. */
static void lay_out(enum tm_power_what what, bool node, struct tm_column *out)
{
	const unsigned char *col = layout[what];

	for (; *col != COL_NODE; col++)
		*out++ = columns[*col];
	if (node)
		*out++ = columns[COL_NODE];
	*out = columns[COL_N];
}

const struct tm_column *tm_power_columns(unsigned what)
{
	const struct tm_column *const more[] = { tm_energy_columns, tm_energy_by_columns,
		                                 tm_metric_sensors.views[0].columns,
		                                 tm_metric_sensors.views[1].columns };
	static struct tm_column all[TM_TABLE_COLUMNS + 1];
	size_t n = COL_N;

	if (what > TM_POWER_WHATS)
		return more[what - TM_POWER_WHATS - 1];
	if (what) {
		lay_out((enum tm_power_what)(what - 1), true, all);
		return all;
	}
	memcpy(all, columns, sizeof columns);
	for (size_t k = 0; k < sizeof more / sizeof *more; k++)
		for (const struct tm_column *c = more[k]; c->name; c++) {
			size_t i = 0;

			while (i < n && strcmp(all[i].name, c->name) != 0)
				i++;
			if (i == n)
				all[n++] = *c;
		}
	all[n] = columns[COL_N];
	return all;
}

/* ---- reading ---- */

struct power {
	const struct tm_power_opts *o;
	struct tm_power_files files;
	bool both;               /* files of both kinds, and nobody chose */
	enum tm_power_what what; /* after tm_power_view */
	bool nodes;              /* ... and a column for the node */
	struct tm_column own[COL_N + 1];
	const struct tm_column *view;
};

static bool power_init(void *acc, const void *o)
{
	((struct power *)acc)->o = o;
	return true;
}

static void power_fini(void *acc)
{
	tm_power_files_fini(&((struct power *)acc)->files);
}

const struct tm_power_files *tm_power_tables(const void *acc)
{
	return &((const struct power *)acc)->files;
}

/* What the reader left out. */
static void tell_lost(const struct tm_power_csv *t, const char *where, struct tm_report *rep)
{
	if (t->rows.n)
		tm_report_add(rep, TM_SEV_SKIP, where, t->rows.line,
		              "%" PRIu64
		              " row%s skipped that do%s not fit the table (the first is here)",
		              t->rows.n, t->rows.n == 1 ? "" : "s", t->rows.n == 1 ? "es" : "");
	if (t->cells.n)
		tm_report_add(rep, TM_SEV_SKIP, where, t->cells.line,
		              "%" PRIu64
		              " cell%s treated as N/A that %s not a number (the first is here)",
		              t->cells.n, t->cells.n == 1 ? "" : "s",
		              t->cells.n == 1 ? "is" : "are");
	tm_report_loss(rep, where, &t->tail);
}

static enum tm_status power_take(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
                                 struct tm_diag *d)
{
	struct power *a = acc;
	struct tm_power_csv t = { 0 };
	enum tm_status st = tm_power_files_read(&a->files, &t, s, side, d);

	if (st == TM_ST_OK || st == TM_ST_WARN)
		tell_lost(&t, tm_source_name(s), rep);
	tm_power_csv_fini(&t);
	return st;
}

/* ---- which table ---- */

static bool several_nodes(const struct power *a)
{
	for (size_t i = 1; i < a->files.n; i++)
		if (!a->files.v[i].node || a->files.v[i].node != a->files.v[0].node)
			return true;
	return false;
}

const struct tm_column *tm_power_view(void *acc, bool every, const char **name)
{
	static const char *const names[] = { "power", "vram" };
	struct power *a = acc;
	unsigned kinds = tm_power_files_kinds(&a->files);

	a->both = !a->o->what && kinds == 3;
	a->what = a->o->what ? (enum tm_power_what)(a->o->what - 1)
	                     : (kinds == 1u << TM_POWER_VRAM ? TM_POWER_VRAM : TM_POWER_WATT);
	a->nodes = every || several_nodes(a);
	lay_out(a->what, a->nodes, a->own);
	*name = a->o->energy ? "energy" : names[a->what];
	a->view = !a->o->energy      ? a->own
	          : a->o->energy->by ? tm_energy_by_columns
	                             : tm_energy_columns;
	return a->view;
}

/* ---- one device ---- */

/* What its readings add up to. */
struct sums {
	uint64_t n, na, zeros, gaps;
	uint64_t gap_ns, covered_ns;
	tm_u128 twice;   /* tm_power_twice of all covered stretches */
	uint64_t *value; /* n of them, ascending */
};

/* `room` holds a value for every row of the node; those of s.value stay in the order of time. */
static struct sums add_up(struct tm_power_walk *w, uint64_t *room)
{
	struct sums s = { .value = room };

	while (tm_power_walk_next(w)) {
		room[s.n++] = w->v;
		if (w->link == TM_POWER_COVERED) {
			s.covered_ns += w->t - w->t0;
			s.twice += tm_power_twice(w);
		} else if (w->link == TM_POWER_GAP) {
			s.gaps++;
			s.gap_ns += w->t - w->t0;
		}
	}
	s.na = w->na;
	s.zeros = w->zeros;
	return s;
}

/* All readings of a device, one after the other, for people; then in order of size. */
static bool draw(const struct power *a, const struct tm_power_node *node, const struct sums *s,
                 uint64_t device, struct tm_table *t)
{
	const char *unit = a->what == TM_POWER_WATT ? "W" : "%";
	struct tm_buf label = { 0 };
	char about[96], text[24];
	bool ok = true;

	if (s->n > 1) {
		uint64_t least = UINT64_MAX, most = 0;

		for (size_t i = 0; i < s->n; i++) {
			least = s->value[i] < least ? s->value[i] : least;
			most = s->value[i] > most ? s->value[i] : most;
		}
		tm_buf_fmt(&label, a->nodes ? "%s/%" PRIu64 : "device%.0s %" PRIu64,
		           tm_power_node_name(node, text), device);
		snprintf(about, sizeof about, "%" PRIu64 " to %" PRIu64 " %s, %zu readings",
		         (least + MILLION / 2) / MILLION, (most + MILLION / 2) / MILLION, unit,
		         (size_t)s->n);
		ok = !label.failed && tm_table_series(t, s->value, s->n, label.p, about);
		tm_buf_fini(&label);
	}
	qsort(s->value, s->n, sizeof *s->value, tm_power_by_number);
	return ok;
}

static struct tm_cell value_cell(uint64_t v)
{
	return tm_cell_ratio(0, v, MILLION);
}

/* A cell where the table has that column. */
static void put(const struct power *a, struct tm_cell *row, unsigned col, struct tm_cell v)
{
	for (size_t i = 0; a->view[i].name; i++)
		if (layout[a->what][i] == col)
			row[i] = v;
}

static void fill_cells(const struct power *a, struct tm_cell *c, const struct sums *s)
{
	bool pct = a->what == TM_POWER_VRAM;

	put(a, c, COL_SAMPLES, tm_cell_u64(s->n));
	put(a, c, COL_NA, tm_cell_u64(s->na));
	put(a, c, COL_GAPS, tm_cell_u64(s->gaps));
	if (!s->n)
		return;
	put(a, c, COL_DURATION, tm_cell_ratio(0, s->covered_ns, 1000000000));
	put(a, c, pct ? COL_MEAN_PCT : COL_MEAN_W, tm_power_mean_cell(s->twice, s->covered_ns));
	put(a, c, pct ? COL_P95_PCT : COL_P95_W, value_cell(s->value[tm_power_p95_at(s->n)]));
	put(a, c, pct ? COL_PEAK_PCT : COL_PEAK_W, value_cell(s->value[s->n - 1]));
	if (s->covered_ns)
		put(a, c, COL_ENERGY, tm_power_energy_cell(s->twice));
}

/* ---- what there is to say ---- */

/* Devices a finding is about: "GPU0, GPU2". */
static void name_device(struct tm_buf *b, uint64_t device)
{
	tm_buf_fmt(b, "%sGPU%" PRIu64, b->n ? ", " : "", device);
}

/* Found on the way through the devices of a node. */
struct found {
	struct tm_buf gaps, small, large, none; /* names of devices */
	uint64_t ngaps, gap_ns, zeros, most;
};

static void found_fini(struct found *f)
{
	tm_buf_fini(&f->gaps);
	tm_buf_fini(&f->small);
	tm_buf_fini(&f->large);
	tm_buf_fini(&f->none);
}

static void find(struct found *f, const struct power *a, const struct sums *s, uint64_t device)
{
	uint64_t peak = s->n ? s->value[s->n - 1] : 0;

	if (!s->n)
		name_device(&f->none, device);
	if (s->gaps)
		name_device(&f->gaps, device);
	f->ngaps += s->gaps;
	f->gap_ns = s->gap_ns > f->gap_ns ? s->gap_ns : f->gap_ns;
	f->zeros += s->zeros;
	f->most = peak > f->most ? peak : f->most;
	if (a->what != TM_POWER_WATT || a->o->scaled || !peak)
		return;
	if (peak < SMALL_WATT * MILLION)
		name_device(&f->small, device);
	if (peak > (uint64_t)LARGE_WATT * MILLION)
		name_device(&f->large, device);
}

/* Numbers that are missing between the devices. */
static void tell_missing(const struct tm_power_node *node, const char *where, struct tm_report *rep)
{
	struct tm_buf b = { 0 };

	for (size_t i = 1; i < node->ndevice; i++)
		for (uint64_t k = node->device[i - 1] + 1; k < node->device[i] && b.n < 60; k++)
			name_device(&b, k);
	if (b.n)
		tm_report_add(rep, TM_SEV_NOTE, where, 0, "no column for %s%s%s", b.p,
		              b.n < 60 ? "" : " ...",
		              tm_power_node_packages(node)
		                      ? ": if these are MI200, only the first die of a package has "
		                        "a sensor, which covers both"
		                      : "");
	rep->lost |= b.failed;
	tm_buf_fini(&b);
}

static const char *words_of(struct tm_buf *b, uint64_t ns)
{
	tm_buf_clear(b);
	tm_buf_ns(b, ns);
	return b->p ? b->p : "";
}

void tm_power_tell_zeros(uint64_t zeros, const char *where, struct tm_report *rep)
{
	if (zeros)
		tm_report_add(rep, TM_SEV_NOTE, where, 0,
		              "%" PRIu64 " reading%s of 0 %% treated as failed, as gpu_info writes "
		              "them; --keep-zero counts them",
		              zeros, zeros == 1 ? "" : "s");
}

void tm_power_tell_unread(bool keep_zero, bool scaled, struct tm_report *rep)
{
	if (keep_zero)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "--keep-zero does nothing: no table of VRAM is shown");
	if (scaled)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0, "--scale does nothing: no power is shown");
}

static void tell_rows(const struct tm_power_node *node, const char *where, struct tm_report *rep)
{
	if (node->back)
		tm_report_add(rep, TM_SEV_WARN, where, 0,
		              "times go back %" PRIu64 " time%s (clock set, or daylight saving "
		              "time ended): nothing is counted across",
		              node->back, node->back == 1 ? "" : "s");
	if (node->same)
		tm_report_add(rep, TM_SEV_NOTE, where, 0,
		              "%" PRIu64
		              " row%s the time of the previous row: no time is counted there",
		              node->same, node->same == 1 ? " has" : "s have");
}

static void tell_found(const struct found *f, const struct tm_power_node *node, const char *where,
                       struct tm_report *rep)
{
	struct tm_buf limit = { 0 }, most = { 0 };

	if (f->gaps.n)
		tm_report_add(rep, TM_SEV_NOTE, where, 0,
		              "%s: %" PRIu64
		              " gap%s of more than %s between readings, %s on the device "
		              "with most: that time and its energy are not counted",
		              f->gaps.p, f->ngaps, f->ngaps == 1 ? "" : "s",
		              words_of(&limit, node->gap_ns), words_of(&most, f->gap_ns));
	if (f->none.n)
		tm_report_add(rep, TM_SEV_NOTE, where, 0, "%s: no readings", f->none.p);
	if (f->small.n)
		tm_report_add(rep, TM_SEV_WARN, where, 0,
		              "%s: never reaches 10 W: gpu_info of ROCm 6.4 and later divides "
		              "watts by 1000; if so, --scale 1000 corrects it",
		              f->small.p);
	if (f->large.n)
		tm_report_add(rep, TM_SEV_WARN, where, 0,
		              "%s: more than 10 kW: power may be in thousandths or millionths of "
		              "a watt; if so, --scale 0.001 corrects it",
		              f->large.p);
	tm_power_tell_zeros(f->zeros, where, rep);
	rep->lost |= f->gaps.failed || f->none.failed || f->small.failed || f->large.failed ||
	             limit.failed || most.failed;
	tm_buf_fini(&limit);
	tm_buf_fini(&most);
}

/* Of all devices of all nodes. */
struct totals {
	uint64_t samples, devices; /* readings; devices of which something is covered */
	tm_u128 twice;
};

/* Is there a table that does not say what its percentages are of? */
static bool percent_of_what(const struct power *a)
{
	for (size_t i = 0; i < a->files.n; i++)
		if (!a->files.v[i].tall)
			return true;
	return false;
}

static void tell_all(const struct power *a, const struct totals *all, struct tm_report *rep)
{
	struct tm_cell joule = tm_power_energy_cell(all->twice);

	if (a->what == TM_POWER_VRAM) {
		if (percent_of_what(a))
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "vram(%%) is memory in use (amd-smi) or memory controller "
			              "load (rocm_smi of ROCm 6): the file does not record which");
	} else if (all->devices > 1 && joule.type == TM_CELL_FIXED)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 ".%04" PRIu64 " J in total, %" PRIu64 " devices",
		              joule.v.u / 10000, joule.v.u % 10000, all->devices);
	if (a->what == TM_POWER_WATT && !a->o->windowed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "all rows count, even those before and after the program's own work; "
		              "select with -w");
}

/* ---- the table ---- */

static bool fill_node(const struct power *a, const struct tm_power_node *node, struct totals *all,
                      struct tm_table *t, struct tm_report *rep)
{
	uint64_t *room = malloc((size_t)(node->rows + 1) * sizeof *room);
	char text[24];
	const char *name = tm_power_node_name(node, text), *where = node->file->name;
	struct found f = { 0 };
	bool ok = room != NULL;

	for (size_t i = 0; ok && i < node->ndevice; i++) {
		struct tm_power_walk w = { .node = node,
			                   .what = a->what,
			                   .device = node->device[i],
			                   .scale = a->what == TM_POWER_WATT ? a->o->scale : 10000,
			                   .zero_is_none = a->what == TM_POWER_VRAM &&
			                                   !a->o->keep_zero };
		struct sums s = add_up(&w, room);
		struct tm_cell *c = tm_table_row(t);

		ok = c && draw(a, node, &s, node->device[i], t);
		if (!ok)
			break;
		fill_cells(a, c, &s);
		put(a, c, COL_DEVICE, tm_cell_u64(node->device[i]));
		if (a->nodes)
			put(a, c, COL_NODE, tm_table_own(t, name, strlen(name)));
		find(&f, a, &s, node->device[i]);
		all->samples += s.n;
		all->devices += s.covered_ns > 0;
		all->twice += s.twice;
	}
	if (ok) {
		tell_rows(node, where, rep);
		tell_found(&f, node, where, rep);
		if (a->what == TM_POWER_WATT)
			tell_missing(node, where, rep);
	}
	found_fini(&f);
	free(room);
	return ok;
}

/* Readings past what sums are made for; false with an error in *rep. */
static bool scale_fits(const struct power *a, struct tm_report *rep)
{
	uint64_t most = 0;

	for (size_t i = 0; i < a->files.n; i++)
		for (size_t k = 0; k < a->files.v[i].n * a->files.v[i].ncol; k++)
			if (a->files.v[i].value[k] <= TM_POWER_MOST &&
			    a->files.v[i].value[k] > most)
				most = a->files.v[i].value[k];
	if (a->what == TM_POWER_VRAM || (tm_u128)most * a->o->scale / 10000 <= TM_POWER_MOST)
		return true;
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "with this --scale a reading exceeds a megawatt: nothing shown");
	return false;
}

/* Why there is no table, in *rep; false when there is one. */
static bool nothing(const struct power *a, struct tm_report *rep)
{
	if (a->both)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "the input contains both power and VRAM: choose --what power or "
		              "--what vram");
	else if (a->files.n && !(tm_power_files_kinds(&a->files) & 1u << a->what))
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: the files contain no %s",
		              a->what == TM_POWER_WATT ? "power" : "VRAM");
	else if (a->o->energy && a->what != TM_POWER_WATT)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--trace attributes energy: give a power table");
	else
		return !a->files.n || !scale_fits(a, rep);
	return true;
}

static enum tm_status fill_nodes(const struct power *a, struct tm_power_node *node, size_t n,
                                 struct tm_table *t, struct tm_report *rep)
{
	struct totals all = { 0 };
	uint64_t rows = 0;

	for (size_t i = 0; i < n; i++) {
		if (a->o->windowed && node[i].rows)
			tm_power_node_window(&node[i], a->what,
			                     tm_window_resolve(&a->o->window, node[i].first_ns,
			                                       node[i].last_ns + 1));
		rows += node[i].rows;
	}
	if (!rows) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: a header and no rows");
		return TM_ST_END;
	}
	if (a->o->energy) {
		if (n > 1) {
			tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
			              "--trace needs the power of one node, not %zu: give the "
			              "files of one, or give all the same number (0=FILE)",
			              n);
			return TM_ST_END;
		}
		return tm_energy_fill(a->o->energy, &a->o->align, node, a->o->scale, t, rep);
	}
	for (size_t i = 0; i < n; i++)
		if (!fill_node(a, &node[i], &all, t, rep))
			return TM_ST_FATAL;
	if (all.samples) {
		tell_all(a, &all, rep);
		return TM_ST_OK;
	}
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "nothing to show: %" PRIu64 " row%s%s and no readings", rows,
	              rows == 1 ? "" : "s", a->o->windowed ? ", few or none in the window," : "");
	return TM_ST_END;
}

static enum tm_status power_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	struct power *a = acc;
	struct tm_power_node *node;
	enum tm_status st;
	size_t n;

	tm_table_init_list(t, a->view);
	if (nothing(a, rep))
		return TM_ST_END;
	tm_power_tell_unread(a->o->keep_zero && a->what != TM_POWER_VRAM,
	                     a->o->scaled && a->what != TM_POWER_WATT, rep);
	if (!tm_power_nodes(&a->files, a->what, a->o->gap_ns, &node, &n))
		return TM_ST_FATAL;
	st = fill_nodes(a, node, n, t, rep);
	tm_power_nodes_free(node, n);
	return st;
}

const struct tm_question tm_power_question = {
	.name = "powerstats",
	.about = "power and energy of each device, or its use of memory",
	.columns = columns,
	.whole = true,
	.numbered = true,
	.tables = true,
	.size = sizeof(struct power),
	.init = power_init,
	.take = power_take,
	.fill = power_fill,
	.fini = power_fini,
};
