/* SPDX-License-Identifier: MIT
 * The table of sensors, a row each, and the same over time. */
#include "power/energy_parts.h"
#include "power/readings.h"
#include "power/sensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, BILLION = 1000000000, ONE = 10000, BINS = 120, POINTS = 256 };

enum {
	COL_RANK,
	COL_AGENT,
	COL_SENSOR,
	COL_UNIT,
	COL_SAMPLES,
	COL_NA,
	COL_GAPS,
	COL_SPAN,
	COL_DURATION,
	COL_MEAN,
	COL_MIN,
	COL_P95,
	COL_MAX,
	COL_ENERGY,
	COL_SOURCE,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank whose trace has the readings; absent for tables" },
	[COL_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "GPU as the producer numbers it" },
	[COL_SENSOR] = { .name = "sensor",
	                 .title = "SENSOR",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "power, sclk, mclk, temperature, busy, memory_busy or vram" },
	[COL_UNIT] = { .name = "unit",
	               .title = "UNIT",
	               .unit = TM_UNIT_TEXT,
	               .about = "unit of mean, min, p95 and max" },
	[COL_SAMPLES] = { .name = "samples",
	                  .title = "SAMPLES",
	                  .unit = TM_UNIT_COUNT,
	                  .spare = 2,
	                  .about = "readings" },
	[COL_NA] = { .name = "na",
	             .title = "N/A",
	             .unit = TM_UNIT_COUNT,
	             .spare = 3,
	             .about = "readings that are not valid for the sensor" },
	[COL_GAPS] = { .name = "gaps",
	               .title = "GAPS",
	               .unit = TM_UNIT_COUNT,
	               .spare = 2,
	               .about = "stretches without readings, not counted in duration_s" },
	[COL_SPAN] = { .name = "span_s",
	               .title = "SPAN s",
	               .unit = TM_UNIT_RATIO,
	               .spare = 1,
	               .about = "from the first reading to the last, gaps included" },
	[COL_DURATION] = { .name = "duration_s",
	                   .title = "SECONDS",
	                   .unit = TM_UNIT_RATIO,
	                   .about = "time in which the value is known" },
	[COL_MEAN] = { .name = "mean",
	               .title = "MEAN",
	               .unit = TM_UNIT_RATIO,
	               .about = "mean over duration_s, weighted by time" },
	[COL_MIN] = { .name = "min",
	              .title = "MIN",
	              .unit = TM_UNIT_RATIO,
	              .about = "smallest reading" },
	[COL_P95] = { .name = "p95",
	              .title = "P95",
	              .unit = TM_UNIT_RATIO,
	              .about = "value not exceeded in 95 % of the readings, or of the time if "
	                       "values hold" },
	[COL_MAX] = { .name = "max",
	              .title = "MAX",
	              .unit = TM_UNIT_RATIO,
	              .about = "largest reading" },
	[COL_ENERGY] = { .name = "energy_j",
	                 .title = "JOULES",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "power only: energy in duration_s" },
	[COL_SOURCE] = { .name = "source",
	                 .title = "SOURCE",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 1,
	                 .about = "trace, or the node of the table" },
	[COL_N] = { .name = NULL },
};

enum { BIN_RANK, BIN_AGENT, BIN_SENSOR, BIN_UNIT, BIN_FROM, BIN_TO, BIN_MEAN, BIN_MAX, BIN_N };

static const struct tm_column bins[] = {
	[BIN_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank whose trace has the readings" },
	[BIN_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "GPU as the producer numbers it" },
	[BIN_SENSOR] = { .name = "sensor",
	                 .title = "SENSOR",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "as without --chart" },
	[BIN_UNIT] = { .name = "unit",
	               .title = "UNIT",
	               .unit = TM_UNIT_TEXT,
	               .about = "unit of mean and max" },
	[BIN_FROM] = { .name = "from_ns",
	               .title = "FROM",
	               .unit = TM_UNIT_TIME,
	               .about = "start of the interval" },
	[BIN_TO] = { .name = "to_ns",
	             .title = "TO",
	             .unit = TM_UNIT_TIME,
	             .about = "end of the interval" },
	[BIN_MEAN] = { .name = "mean",
	               .title = "MEAN",
	               .unit = TM_UNIT_RATIO,
	               .bar = true,
	               .about = "mean in the interval, weighted by time; absent in a gap" },
	[BIN_MAX] = { .name = "max",
	              .title = "MAX",
	              .unit = TM_UNIT_RATIO,
	              .about = "largest reading that starts in the interval" },
	[BIN_N] = { .name = NULL },
};

/* ---- one sensor ---- */

/* What it adds up to. */
struct sums {
	uint64_t gaps, gap_ns, covered_ns;
	tm_u128 twice;
	uint64_t least, most, p95;
	uint64_t first, last;
	bool no_p95; /* values hold, and none for any time */
};

/* A value and how long it holds. */
struct weighed {
	uint64_t value, ns;
};

static int by_value(const void *pa, const void *pb)
{
	const struct weighed *a = pa, *b = pb;

	return a->value != b->value ? tm_u64_cmp(a->value, b->value) : tm_u64_cmp(a->ns, b->ns);
}

/* The smallest value at or below which are 95 % of the time; of n values in order. */
static uint64_t p95_by_time(const struct weighed *v, size_t n, uint64_t whole)
{
	tm_u128 upto = 0;

	for (size_t i = 0; i < n; i++) {
		upto += v[i].ns;
		if (upto * 20 >= (tm_u128)whole * 19)
			return v[i].value;
	}
	return v[n - 1].value;
}

static uint64_t scale_of(const struct tm_sensors_own *own, enum tm_sensor sensor)
{
	return own && own->scale && sensor == TM_SENSOR_POWER ? own->scale : ONE;
}

/* False when out of memory. */
static bool add_up(const struct tm_sensor_series *s, uint64_t scale, struct sums *out)
{
	struct tm_power_walk w = tm_sensor_walk(s, scale);
	const bool held = s->files.v->held;
	struct weighed *v = calloc(s->files.v->n + 1, sizeof *v);
	size_t n = 0;

	*out = (struct sums) { .least = UINT64_MAX };
	while (v && tm_power_walk_next(&w)) {
		const bool end = held && !(w.row & 1);

		if (!n)
			out->first = w.t;
		out->last = w.t > out->last ? w.t : out->last;
		if (w.link == TM_POWER_COVERED) {
			out->covered_ns += w.t - w.t0;
			out->twice += tm_power_twice(&w);
		} else if (w.link == TM_POWER_GAP) {
			out->gaps++;
			out->gap_ns += w.t - w.t0;
		}
		if (end) {
			v[n - 1].ns = w.t - w.t0;
			continue;
		}
		v[n++].value = w.v;
		out->least = w.v < out->least ? w.v : out->least;
		out->most = w.v > out->most ? w.v : out->most;
	}
	if (v && n) {
		qsort(v, n, sizeof *v, by_value);
		out->p95 = held ? p95_by_time(v, n, out->covered_ns) : v[tm_power_p95_at(n)].value;
		out->no_p95 = held && !out->covered_ns;
	}
	free(v);
	return v != NULL;
}

/* The line of a sensor for people, as high as its share of `most`: the readings, or what held at
 * moments of equal distance. */
static bool draw(const struct tm_sensor_series *s, const struct sums *sum, uint64_t scale,
                 uint64_t most, struct tm_table *t)
{
	struct tm_power_walk w = tm_sensor_walk(s, scale);
	const struct tm_power_file *f = s->files.v;
	const uint64_t step = f->held ? (sum->last - sum->first) / POINTS + 1 : 0;
	uint64_t *v = calloc(f->n + POINTS + 2, sizeof *v), next = sum->first;
	char label[64], about[96], agent[16];
	size_t n = 0;
	bool ok = v != NULL;

	while (ok && tm_power_walk_next(&w)) {
		if (!f->held)
			v[n++] = w.v;
		for (; f->held && !(w.row & 1) && next < w.t; next += step)
			if (next >= w.t0)
				v[n++] = w.v;
	}
	for (size_t i = 0; i < n && most; i++)
		v[i] = (uint64_t)((tm_u128)v[i] * BILLION / most);
	snprintf(label, sizeof label, "%" PRIu64 "/%s %s", s->rank, tm_agent_text(s->agent, agent),
	         tm_sensor_word(s->sensor));
	snprintf(about, sizeof about, "%" PRIu64 " to %" PRIu64 " %s, %" PRIu64 " reading%s",
	         (sum->least + MILLION / 2) / MILLION, (sum->most + MILLION / 2) / MILLION,
	         tm_sensor_unit(s->sensor), s->samples, s->samples == 1 ? "" : "s");
	t->apart = true;
	ok = ok && (n < 2 || tm_table_series(t, v, n, label, about));
	free(v);
	return ok;
}

static struct tm_cell value_cell(uint64_t v)
{
	return tm_cell_ratio(0, v, MILLION);
}

static struct tm_cell word_cell(const char *s)
{
	return tm_cell_text(s, strlen(s));
}

/* Cells from samples on. */
static void put_sums(struct tm_cell *c, uint64_t samples, uint64_t na, const struct sums *sum)
{
	c[COL_SAMPLES] = tm_cell_u64(samples);
	c[COL_NA] = tm_cell_u64(na);
	c[COL_GAPS] = tm_cell_u64(sum->gaps);
	if (!samples)
		return;
	c[COL_SPAN] = tm_cell_ratio(0, sum->last - sum->first, BILLION);
	c[COL_DURATION] = tm_cell_ratio(0, sum->covered_ns, BILLION);
	c[COL_MEAN] = tm_power_mean_cell(sum->twice, sum->covered_ns);
	c[COL_MIN] = value_cell(sum->least);
	if (!sum->no_p95)
		c[COL_P95] = value_cell(sum->p95);
	c[COL_MAX] = value_cell(sum->most);
}

static bool put_row(const struct tm_sensor_series *s, const struct sums *sum, struct tm_table *t)
{
	struct tm_cell *c = tm_table_row(t);
	char agent[16];

	if (!c)
		return false;
	tm_agent_text(s->agent, agent);
	c[COL_RANK] = tm_cell_u64(s->rank);
	c[COL_AGENT] = tm_table_own(t, agent, strlen(agent));
	c[COL_SENSOR] = word_cell(tm_sensor_word(s->sensor));
	c[COL_UNIT] = word_cell(tm_sensor_unit(s->sensor));
	put_sums(c, s->samples, s->na, sum);
	if (s->sensor == TM_SENSOR_POWER && sum->covered_ns)
		c[COL_ENERGY] = tm_power_energy_cell(sum->twice);
	c[COL_SOURCE] = word_cell("trace");
	return !t->failed;
}

/* ---- what there is to say ---- */

struct found {
	uint64_t gaps, gap_ns, ended, na;
	bool small, large, hot, fast; /* units that are most likely others */
	uint64_t shared;              /* sensors that another rank has under the same number */
};

static void find(struct found *f, const struct tm_sensor_series *s, const struct sums *sum,
                 bool scaled)
{
	const uint64_t most = sum->most / MILLION;

	f->gaps += sum->gaps;
	f->gap_ns = sum->gap_ns > f->gap_ns ? sum->gap_ns : f->gap_ns;
	f->ended += s->ended;
	f->na += s->na;
	if (!s->samples)
		return;
	f->small |= s->sensor == TM_SENSOR_POWER && !scaled && sum->most && most < 10;
	f->large |= s->sensor == TM_SENSOR_POWER && !scaled && most >= 10000;
	f->hot |= s->sensor == TM_SENSOR_TEMPERATURE && most >= 200;
	f->fast |= (s->sensor == TM_SENSOR_SCLK || s->sensor == TM_SENSOR_MCLK) && most >= 10000;
}

static void tell_units(const struct found *f, struct tm_report *rep)
{
	if (f->small)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "power never reaches 10 W: it may be 1000 times too small; if so, "
		              "--scale 1000 corrects it");
	if (f->large)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "power of more than 10 kW: it may be in thousandths or millionths of "
		              "a watt; if so, --scale 0.001 corrects it");
	if (f->hot)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "a temperature of more than 200 C: it may be in thousandths of a "
		              "degree");
	if (f->fast)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "a clock of more than 10 GHz: it may be in kHz or Hz");
}

static void tell(const struct found *f, const struct tm_sensors *s, struct tm_report *rep)
{
	struct tm_buf gap = { 0 };

	tm_buf_ns(&gap, f->gap_ns);
	if (f->gaps)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " gap%s between readings, %s on the sensor with most: that time does "
		              "not count",
		              f->gaps, f->gaps == 1 ? "" : "s", gap.p ? gap.p : "");
	rep->lost |= gap.failed;
	tm_buf_fini(&gap);
	if (f->ended)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "the last reading of %" PRIu64
		              " sensor%s is skipped: rocprof-sys ends every track with a 0",
		              f->ended, f->ended == 1 ? "" : "s");
	if (f->na)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " reading%s impossible for the sensor (below 0, or beyond "
		              "a million) treated as N/A",
		              f->na, f->na == 1 ? "" : "s");
	if (s->of_cpu)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " reading%s skipped that %s of a CPU", s->of_cpu,
		              s->of_cpu == 1 ? "" : "s", s->of_cpu == 1 ? "is" : "are");
	if (s->nameless)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " reading%s skipped that name%s no GPU and may be of any: "
		              "rpd2tracing omits it, the .rpd file has it",
		              s->nameless, s->nameless == 1 ? "" : "s",
		              s->nameless == 1 ? "s" : "");
	tm_report_untimed(rep, s->untimed);
	if (f->shared)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " sensor%s of the same number in several ranks: ranks on "
		              "one host read the same GPUs, do not add them up",
		              f->shared, f->shared == 1 ? " is" : "s are");
	tell_units(f, rep);
}

/* ---- tables that were read beside ---- */

static enum tm_sensor sensor_of(enum tm_power_what what)
{
	return what == TM_POWER_WATT ? TM_SENSOR_POWER : TM_SENSOR_VRAM;
}

/* A device of a node as a row of this table; *zeros grows by its readings that failed as 0. */
static bool put_device(const struct tm_power_node *node, enum tm_power_what what, uint64_t device,
                       const struct tm_sensors_own *own, struct tm_table *t, uint64_t *zeros)
{
	struct tm_power_walk w = { .node = node,
		                   .what = what,
		                   .device = device,
		                   .scale = scale_of(own, sensor_of(what)),
		                   .zero_is_none = what == TM_POWER_VRAM && !own->keep_zero };
	uint64_t *v = calloc(node->rows + 1, sizeof *v), n = 0;
	struct sums sum = { .least = UINT64_MAX };
	struct tm_cell *c = v ? tm_table_row(t) : NULL;
	const char *unit = what == TM_POWER_WATT ? "W" : "%";
	char text[24], name[32];
	const char *source = tm_power_node_name(node, text);

	while (c && tm_power_walk_next(&w)) {
		sum.first = n ? sum.first : w.t;
		sum.last = w.t > sum.last ? w.t : sum.last;
		sum.gaps += w.link == TM_POWER_GAP;
		if (w.link == TM_POWER_COVERED) {
			sum.covered_ns += w.t - w.t0;
			sum.twice += tm_power_twice(&w);
		}
		v[n++] = w.v;
	}
	if (c && n) {
		qsort(v, n, sizeof *v, tm_power_by_number);
		sum.least = v[0];
		sum.most = v[n - 1];
		sum.p95 = v[tm_power_p95_at(n)];
	}
	*zeros += w.zeros;
	free(v);
	if (!c)
		return false;
	snprintf(name, sizeof name, "GPU %" PRIu64, device);
	put_sums(c, n, w.na, &sum);
	c[COL_AGENT] = tm_table_own(t, name, strlen(name));
	c[COL_SENSOR] = word_cell(tm_sensor_word(sensor_of(what)));
	c[COL_UNIT] = word_cell(unit);
	if (what == TM_POWER_WATT && sum.covered_ns)
		c[COL_ENERGY] = tm_power_energy_cell(sum.twice);
	c[COL_SOURCE] = tm_table_own(t, source, strlen(source));
	return !t->failed;
}

static bool put_node(const struct tm_power_node *node, enum tm_power_what what,
                     const struct tm_sensors_own *own, struct tm_table *t, struct tm_report *rep)
{
	uint64_t zeros = 0;
	char text[24];
	bool ok = true;

	for (size_t i = 0; ok && i < node->ndevice; i++)
		ok = put_device(node, what, node->device[i], own, t, &zeros);
	tm_power_tell_zeros(zeros, tm_power_node_name(node, text), rep);
	return ok;
}

static bool put_tables(const struct tm_sensors_own *own, struct tm_table *t, struct tm_report *rep)
{
	struct tm_power_files all = *own->tables;
	bool ok = true;

	for (int k = 0; ok && k < TM_POWER_WHATS; k++) {
		const enum tm_power_what what = (enum tm_power_what)k;
		struct tm_power_node *node;
		size_t n;

		if (own->what && own->what != (unsigned)k + 1)
			continue;
		ok = tm_power_nodes(&all, what, own->gap_ns, &node, &n);
		for (size_t i = 0; ok && i < n; i++)
			ok = put_node(&node[i], what, own, t, rep);
		tm_power_nodes_free(node, n);
	}
	return ok;
}

/* ---- the answer ---- */

/* Options for what is not among the sensors of `l` and, where they are shown, the tables. */
static void tell_unread(const struct tm_sensors_own *own, const struct tm_sensor_list *l,
                        bool tables, struct tm_report *rep)
{
	bool shown[TM_POWER_WHATS] = { false };

	for (size_t i = 0; i < l->n; i++)
		shown[TM_POWER_WATT] |= l->v[i].sensor == TM_SENSOR_POWER;
	for (int k = 0; tables && k < TM_POWER_WHATS; k++)
		shown[k] |= (!own->what || own->what == (unsigned)k + 1) &&
		            (tm_power_files_kinds(own->tables) & 1u << k);
	tm_power_tell_unread(own->keep_zero && !shown[TM_POWER_VRAM],
	                     own->scaled && !shown[TM_POWER_WATT], rep);
}

static unsigned which_of(const struct tm_sensors_own *own)
{
	const unsigned all = (1u << TM_SENSORS) - 1;

	return !own || !own->what ? all : 1u << sensor_of((enum tm_power_what)(own->what - 1));
}

/* How many sensors there are of which another rank has one with the same number; false when out of
 * memory. */
static bool count_shared(const struct tm_sensor_list *l, uint64_t *n)
{
	struct tm_groups g = { .words = 2 };
	uint64_t *of = NULL;
	size_t cap = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < l->n; i++) {
		const uint64_t key[] = { l->v[i].agent, l->v[i].sensor };
		const uint32_t at = tm_groups_item(&g, key, &of, &cap, sizeof *of, NULL);

		ok = at != TM_GROUP_NONE;
		if (ok)
			of[at]++;
	}
	*n = 0;
	for (uint32_t i = 0; ok && i < g.n; i++)
		*n += of[i] > 1 ? of[i] : 0;
	tm_groups_fini(&g);
	free(of);
	return ok;
}

static void explain_nothing(const struct tm_sensors *s, struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (s->nameless || s->of_cpu)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: the sensor readings %s",
		              !s->of_cpu     ? "name no GPU"
		              : !s->nameless ? "are of CPUs"
		                             : "are of CPUs or name no GPU");
	else
		tm_report_add(
		        rep, TM_SEV_ERROR, NULL, 0,
		        "nothing to show: the input has no sensor readings%s: " TM_SENSORS_HOW,
		        s->o->windowed ? " in the window" : "");
}

static bool fill_rows(const struct tm_sensors *s, const struct tm_sensors_own *own,
                      const struct tm_sensor_list *l, struct tm_table *t, struct tm_report *rep)
{
	struct found f = { 0 };
	struct sums *sum = calloc(l->n + 1, sizeof *sum);
	uint64_t most[TM_SENSORS] = { 0 }; /* of all sensors of a kind */
	bool ok = sum && count_shared(l, &f.shared);

	for (size_t i = 0; ok && i < l->n; i++) {
		uint64_t *top = &most[l->v[i].sensor];

		ok = add_up(&l->v[i], scale_of(own, l->v[i].sensor), &sum[i]);
		*top = sum[i].most > *top ? sum[i].most : *top;
	}
	for (size_t i = 0; ok && i < l->n; i++) {
		ok = put_row(&l->v[i], &sum[i], t) &&
		     draw(&l->v[i], &sum[i], scale_of(own, l->v[i].sensor), most[l->v[i].sensor],
		          t);
		find(&f, &l->v[i], &sum[i], own && own->scaled);
	}
	free(sum);
	ok = ok && (!own || !own->tables || put_tables(own, t, rep));
	if (ok)
		tell(&f, s, rep);
	return ok;
}

static enum tm_status fill_table(struct tm_sensors *s, const struct tm_sensors_own *own,
                                 const struct tm_sensor_list *l, struct tm_table *t,
                                 struct tm_report *rep)
{
	tm_table_init_list(t, columns);
	if (!fill_rows(s, own, l, t, rep))
		return TM_ST_FATAL;
	if (t->nrows)
		return TM_ST_OK;
	explain_nothing(s, rep);
	return TM_ST_END;
}

/* ---- over time ---- */

/* What is known of part of the time. */
struct bin {
	tm_u128 twice;
	uint64_t ns, most;
	bool begun;
};

/* [first, last) in n parts of equal length, of a sensor. */
struct parts {
	uint64_t first, len;
	size_t n;
	struct bin *v;
};

static size_t part_at(const struct parts *p, uint64_t t)
{
	const size_t i = (size_t)((t - p->first) / p->len);

	return i < p->n ? i : p->n - 1;
}

/* A covered stretch to the parts that it meets. */
static void add_stretch(struct parts *p, const struct tm_power_walk *w)
{
	tm_u128 before = 0;

	for (uint64_t x = w->t0, next; x < w->t; x = next) {
		const size_t i = part_at(p, x);
		const uint64_t end = i + 1 < p->n ? p->first + (i + 1) * p->len : UINT64_MAX;
		tm_u128 upto;

		next = end < w->t ? end : w->t;
		upto = tm_energy_to(w, next);
		p->v[i].twice += upto - before;
		p->v[i].ns += next - x;
		before = upto;
	}
}

static bool put_bins(const struct tm_sensor_series *s, const struct parts *p, struct tm_table *t)
{
	char agent[16];

	tm_agent_text(s->agent, agent);
	for (size_t i = 0; i < p->n; i++) {
		struct tm_cell *c = tm_table_row(t);

		if (!c)
			return false;
		c[BIN_RANK] = tm_cell_u64(s->rank);
		c[BIN_AGENT] = tm_table_own(t, agent, strlen(agent));
		c[BIN_SENSOR] = word_cell(tm_sensor_word(s->sensor));
		c[BIN_UNIT] = word_cell(tm_sensor_unit(s->sensor));
		c[BIN_FROM] = tm_cell_u64(p->first + i * p->len);
		c[BIN_TO] = tm_cell_u64(p->first + (i + 1) * p->len);
		c[BIN_MEAN] = tm_power_mean_cell(p->v[i].twice, p->v[i].ns);
		if (p->v[i].begun)
			c[BIN_MAX] = value_cell(p->v[i].most);
	}
	return !t->failed;
}

static bool fill_series(const struct tm_sensor_series *s, const struct tm_sensors_own *own,
                        struct tm_table *t)
{
	const uint64_t scale = scale_of(own, s->sensor);
	struct tm_power_walk w = tm_sensor_walk(s, scale);
	struct parts p = { .n = BINS };
	struct sums sum;
	bool ok = add_up(s, scale, &sum);

	if (!ok || sum.last <= sum.first)
		return ok;
	p.first = sum.first;
	p.len = (sum.last - sum.first) / p.n + 1;
	p.n = (size_t)((sum.last - sum.first - 1) / p.len) + 1;
	p.v = calloc(p.n, sizeof *p.v);
	while (p.v && tm_power_walk_next(&w)) {
		struct bin *b = &p.v[part_at(&p, w.t)];

		if (w.link == TM_POWER_COVERED)
			add_stretch(&p, &w);
		if (s->files.v->held && !(w.row & 1))
			continue;
		b->most = w.v > b->most ? w.v : b->most;
		b->begun = true;
	}
	ok = p.v && put_bins(s, &p, t);
	free(p.v);
	return ok;
}

static enum tm_status fill_bins(const struct tm_sensors *s, const struct tm_sensors_own *own,
                                const struct tm_sensor_list *l, struct tm_table *t,
                                struct tm_report *rep)
{
	tm_table_init_list(t, bins);
	for (size_t i = 0; i < l->n; i++)
		if (!fill_series(&l->v[i], own, t))
			return TM_ST_FATAL;
	if (t->nrows)
		return TM_ST_OK;
	explain_nothing(s, rep);
	return TM_ST_END;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	const struct tm_sensors_own *own = o->own;
	struct tm_sensor_list l;
	enum tm_status st = TM_ST_FATAL;

	if (tm_sensors_settle(acc, own ? own->gap_ns : 0, which_of(own), &l))
		st = o->view ? fill_bins(acc, own, &l, t, rep) : fill_table(acc, own, &l, t, rep);
	if (st == TM_ST_OK && own)
		tell_unread(own, &l, own->tables && !o->view, rep);
	tm_sensor_list_fini(&l);
	return st;
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_sensors_want();
}

static const struct tm_metric_view views[] = {
	{ .columns = columns, .whole = true },
	{ .option = "chart",
	  .about = "each sensor over time instead",
	  .columns = bins,
	  .whole = true },
	{ 0 },
};

const struct tm_metric tm_metric_sensors = {
	.name = "sensors",
	.about = "power, clocks, temperature and use of GPUs, from sensors in traces",
	.views = views,
	.own = sizeof(struct tm_sensors_own),
	.whole = TM_WHOLE_RANKS,
	.sink = { .size = sizeof(struct tm_sensors),
	          .init = tm_sensors_init,
	          .piece = tm_sensors_piece,
	          .take = tm_sensors_take,
	          .merge = tm_sensors_merge,
	          .fini = tm_sensors_fini },
	.want = want,
	.fill = fill,
};
