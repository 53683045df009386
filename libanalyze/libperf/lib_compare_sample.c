/* SPDX-License-Identifier: MIT */
#include "libperf/lib_compare_sample.h"

#include "base/base.h"
#include "libperf/lib_compare_comm.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that say what the client measured with, ids in rows.names. */
enum column_id {
	ID_SOURCE,
	ID_LIBRARY,
	ID_CONFIG,
	ID_COMMAND,
	ID_NAME,
	ID_OP,
	ID_PARAMS,
	ID_SOLUTION,
	ID_SOLUTION_INDEX,
	ID_SOLUTION_NAME,
	ID_KERNEL_NAME,
	ID_RESULT,
	ID_FUNCTION,
	ID_METRIC,
	ID_UNIT,
	ID_PERFORMANCE,
	ID_CALLS,
	ID_STATUS,
	ID_SAMPLES,
	ID_ARCH,
	ID_DEVICE,
	ID_CUS,
	ID_FLOPS,
	ID_ROCBLAS,
	ID_ROCBLAS_BYTES,
	ID_ROCBLAS_US,
	ID_HIPBLASLT,
	ID_HIPBLASLT_BYTES,
	ID_BUSBW,
	ID_N,
};

static const char *const id_names[ID_N] = {
	[ID_SOURCE] = "source",
	[ID_LIBRARY] = "library",
	[ID_CONFIG] = "config",
	[ID_COMMAND] = "command",
	[ID_NAME] = "name",
	[ID_OP] = "op",
	[ID_PARAMS] = "params",
	[ID_SOLUTION] = "solution",
	[ID_SOLUTION_INDEX] = "solution_index",
	[ID_SOLUTION_NAME] = "solution_name",
	[ID_KERNEL_NAME] = "kernel_name",
	[ID_RESULT] = "result",
	[ID_FUNCTION] = "function",
	[ID_METRIC] = "metric",
	[ID_UNIT] = "unit",
	[ID_PERFORMANCE] = "performance",
	[ID_CALLS] = "calls",
	[ID_STATUS] = "status",
	[ID_SAMPLES] = "samples",
	[ID_ARCH] = "gcnArchName",
	[ID_DEVICE] = "device",
	[ID_CUS] = "CUs",
	[ID_FLOPS] = "flopCnt",
	[ID_ROCBLAS] = "rocblas-Gflops",
	[ID_ROCBLAS_BYTES] = "rocblas-GB/s",
	[ID_ROCBLAS_US] = "rocblas-us",
	[ID_HIPBLASLT] = "hipblaslt-Gflops",
	[ID_HIPBLASLT_BYTES] = "hipblaslt-GB/s",
	[ID_BUSBW] = "busbw_GB/s",
};

/* Why rows were left out: how many, and where the first of them is. */
struct left {
	uint64_t n, line;
	uint32_t source;
};

/* What is at hand while rows become samples. */
struct maker {
	struct tm_lib_samples *a;
	struct tm_report *rep;
	uint32_t id[ID_N];
	uint32_t setting[TM_SETTINGS_MAX];
	size_t *measure; /* of each of rows.names: its place in measures[], tm_measures_n = none */
	uint32_t metric; /* the column the user asked for, TM_NAME_NONE */
	uint32_t *key;   /* nkey columns the user asked for */
	size_t nkey;
	struct tm_problem p;
	struct tm_buf text;
	struct tm_lib_comm_table table;
	struct left keyless, unmeasured, impossible, contrary, undirected, raw, mingled, untyped;
};

/* ---- texts ---- */

/* By value: the texts stay where they are, the list of them moves when it grows. */
static struct tm_name text_of(const struct tm_lib_samples *a, uint32_t id)
{
	return id == TM_NAME_NONE ? (struct tm_name) { .text = "" } : a->rows.texts.v[id];
}

const char *tm_lib_text(const struct tm_lib_samples *a, uint32_t id)
{
	return text_of(a, id).text;
}

static uint32_t value(const struct maker *m, const struct tm_lib_row *row, enum column_id id)
{
	return tm_lib_rows_text(&m->a->rows, row, m->id[id]);
}

static uint32_t intern(struct tm_lib_samples *a, const char *p, size_t n)
{
	return tm_names_add(&a->rows.texts, p ? p : "", n);
}

static void leave(struct left *l, const struct tm_lib_row *row)
{
	if (l->n++)
		return;
	l->line = row->line;
	l->source = row->source;
}

/* ---- which problem ---- */

/* Whose row it is: of a table, by the columns that hold something. */
static enum tm_bench_client client_of(const struct maker *m, const struct tm_lib_row *row)
{
	static const struct {
		enum column_id id;
		enum tm_bench_client client;
	} marks[] = {
		{ ID_ROCBLAS, TM_BENCH_ROCBLAS },           { ID_ROCBLAS_BYTES, TM_BENCH_ROCBLAS },
		{ ID_ROCBLAS_US, TM_BENCH_ROCBLAS },        { ID_HIPBLASLT, TM_BENCH_HIPBLASLT },
		{ ID_HIPBLASLT_BYTES, TM_BENCH_HIPBLASLT }, { ID_FLOPS, TM_BENCH_MIOPEN },
		{ ID_PARAMS, TM_BENCH_TUNABLEOP },          { ID_BUSBW, TM_BENCH_COMM },
	};

	if (row->client != TM_BENCH_TABLE || value(m, row, ID_CONFIG) != TM_NAME_NONE)
		return row->client;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (value(m, row, marks[i].id) != TM_NAME_NONE)
			return marks[i].client;
	if (strstr(tm_lib_text(m->a, value(m, row, ID_COMMAND)), "MIOpenDriver"))
		return TM_BENCH_MIOPEN;
	return TM_BENCH_TABLE;
}

static enum tm_lib lib_of(const struct maker *m, const struct tm_lib_row *row,
                          enum tm_bench_client client)
{
	static const enum tm_lib libs[] = { [TM_BENCH_ROCBLAS] = TM_LIB_ROCBLAS,
		                            [TM_BENCH_HIPBLASLT] = TM_LIB_HIPBLASLT,
		                            [TM_BENCH_MIOPEN] = TM_LIB_MIOPEN };
	const struct tm_name library = text_of(m->a, value(m, row, ID_LIBRARY)),
	                     solution = text_of(m->a, value(m, row, ID_SOLUTION));

	if (client < TM_BENCH_TUNABLEOP)
		return libs[client];
	if (client == TM_BENCH_TUNABLEOP)
		return strstr(solution.text, "Hipblaslt") ? TM_LIB_HIPBLASLT
		       : strstr(solution.text, "Rocblas") ? TM_LIB_ROCBLAS
		                                          : TM_LIB_N;
	return tm_lib_find(library.text, library.len);
}

/* Does the command line say the same size as the row?  Both have it. */
static bool says(const char *command, const char *option, struct tm_name size)
{
	const char *at = strstr(command, option);

	if (!at || !size.len)
		return true;
	at += strlen(option);
	return !strncmp(at, size.text, size.len) && (at[size.len] == ' ' || !at[size.len]);
}

/* What stands in a column that is not looked at often. */
static struct tm_name column(const struct maker *m, const struct tm_lib_row *row, const char *name)
{
	const struct tm_lib_rows *rows = &m->a->rows;

	return text_of(
	        m->a, tm_lib_rows_text(rows, row, tm_names_find(&rows->names, name, strlen(name))));
}

/* Of a row of MIOpenDriver: the command line it came from, for the direction that the row is about.
 */
static enum tm_status miopen_problem(struct maker *m, const struct tm_lib_row *row,
                                     struct tm_diag *d)
{
	static const struct {
		const char *begin, *option;
	} ways[] = {
		{ "fwd", " -F 1" },           { "bwdd", " -F 2" },
		{ "bwdw", " -F 4" },          { "Forward", " -F 1" },
		{ "Backward Data", " -F 2" }, { "Backward Weights", " -F 4" },
	};
	const struct tm_name command = text_of(m->a, value(m, row, ID_COMMAND)),
	                     name = text_of(m->a, value(m, row, ID_NAME));

	if (!command.len || !says(command.text, " -n ", column(m, row, "n")) ||
	    !says(command.text, " -c ", column(m, row, "c")))
		return TM_ST_SKIP;
	tm_buf_clear(&m->text);
	tm_buf_add(&m->text, command.text, command.len);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strncmp(name.text, ways[i].begin, strlen(ways[i].begin)) &&
		    strstr(command.text, "conv")) {
			tm_buf_str(&m->text, ways[i].option);
			break;
		}
	if (m->text.failed)
		return TM_ST_FATAL;
	return tm_problem_parse(&m->p, TM_LIB_MIOPEN, m->text.p, m->text.n, d);
}

/* What TunableOp calls a type. */
struct tunable_type {
	const char *word, *type;
	const char *compute; /* of a GEMM without scales */
};

static const struct tunable_type tunable_types[] = {
	{ "Half", "f16_r", "f32_r" },
	{ "BFloat16", "bf16_r", "f32_r" },
	{ "float", "f32_r", "f32_r" },
	{ "Float", "f32_r", "f32_r" }, /* of a bias */
	{ "tf32", "f32_r", "xf32_r" },
	{ "double", "f64_r", "f64_r" },
	{ "c10::Half", "f16_r", "f32_r" },
	{ "c10::BFloat16", "bf16_r", "f32_r" },
	{ "Float8_e4m3fn", "f8_r", "f32_r" },
	{ "Float8_e5m2", "bf8_r", "f32_r" },
	{ "Float8_e4m3fnuz", "f8_fnuz_r", "f32_r" },
	{ "Float8_e5m2fnuz", "bf8_fnuz_r", "f32_r" },
};

/* The type at *p, which ends with '_' or the text, and *p after that; NULL = none. */
static const struct tunable_type *tunable_type(const char **p)
{
	for (size_t i = 0; i < sizeof tunable_types / sizeof *tunable_types; i++) {
		size_t n = strlen(tunable_types[i].word);

		if (!strncmp(*p, tunable_types[i].word, n) && (!(*p)[n] || (*p)[n] == '_')) {
			*p += n + ((*p)[n] != '\0');
			return &tunable_types[i];
		}
	}
	return NULL;
}

static void put_text(struct maker *m, const char *name, const char *text)
{
	tm_problem_put(&m->p, name, strlen(name), text, strlen(text));
}

/* Numbers with '_' between them from `p` on; after them. */
static const char *put_numbers(struct maker *m, const char *p, const char *const *names)
{
	for (; *names; names++) {
		size_t n = strcspn(p, "_");

		tm_problem_put(&m->p, *names, strlen(*names), p, n);
		p += n + (p[n] != '\0');
	}
	return p;
}

/* What follows the sizes: "_B_96", "_ld_1_2_3", "_rw_1" and "_bias_None", in that order and each
 * where it is. rw 1: a scale for each row of A and column of B; 0: other scales, it does not say
 * which. */
static bool tunable_tail(struct maker *m, const char *p, bool scaled)
{
	static const char *const batch[] = { "batch_count", NULL }, *const leading[] = {
		"lda", "ldb", "ldc", NULL
	};
	const struct tunable_type *bias;
	bool rows = false;

	if (!strncmp(p, "B_", 2))
		p = put_numbers(m, p + 2, batch);
	if (!strncmp(p, "ld_", 3))
		p = put_numbers(m, p + 3, leading);
	if (scaled && !strncmp(p, "rw_", 3)) {
		rows = p[3] == '1';
		p += 4 + (p[3] && p[4] == '_');
	}
	if (scaled && !strncmp(p, "bias_", 5)) {
		p += 5;
		bias = tunable_type(&p);
		if (!bias && strcmp(p, "None") != 0)
			return false;
		if (bias) {
			put_text(m, "bias_vector", "1");
			put_text(m, "bias_type", bias->type);
		}
	}
	if (scaled) {
		put_text(m, "scaleA", rows ? "rows" : "other");
		put_text(m, "scaleB", rows ? "columns" : "other");
	}
	return true;
}

/* "GemmTunableOp_Half_TN" and "tn_28672_938_4096" or "tn_..._ld_4096_4096_28672"; of
 * ScaledGemmTunableOp three types, of A, B and C. */
static enum tm_status tunable_problem(struct maker *m, const struct tm_lib_row *row,
                                      struct tm_diag *d)
{
	static const char *const put[] = { "a_type", "b_type", "c_type", "d_type" };
	static const char *const sizes[] = { "m", "n", "k", NULL };
	static const char mark[] = "TunableOp_";
	const char *op = tm_lib_text(m->a, value(m, row, ID_OP)),
	           *p = tm_lib_text(m->a, value(m, row, ID_PARAMS)), *word = strstr(op, mark);
	bool scaled = !strncmp(op, "ScaledGemm", 10);
	const struct tunable_type *type[4] = { NULL };
	char trans[2];

	word = word ? word + sizeof mark - 1 : "";
	for (size_t i = 0; i < 4; i++) {
		type[i] = i && (!scaled || i == 3) ? type[i - 1] : tunable_type(&word);
		if (!type[i])
			return TM_ST_SKIP;
	}
	if (strlen(p) < 3 || p[2] != '_' || !strchr("ntc", p[0]) || !strchr("ntc", p[1]))
		return TM_ST_SKIP;
	tm_problem_begin(&m->p, TM_LIB_HIPBLASLT);
	for (size_t i = 0; i < 2; i++)
		trans[i] = (char)(p[i] - 'a' + 'A');
	tm_problem_put(&m->p, "transA", 6, &trans[0], 1);
	tm_problem_put(&m->p, "transB", 6, &trans[1], 1);
	p = put_numbers(m, p + 3, sizes);
	if (!strncmp(op, "GemmAndBias", 11))
		put_text(m, "bias_vector", "1");
	if (!tunable_tail(m, p, scaled))
		return TM_ST_SKIP;
	for (size_t i = 0; i < sizeof put / sizeof *put; i++)
		put_text(m, put[i], type[i]->type);
	put_text(m, "compute_type", scaled ? "f32_r" : type[0]->compute);
	return tm_problem_end(&m->p, d);
}

/* From the columns of a BLAS client. */
static enum tm_status column_problem(struct maker *m, const struct tm_lib_row *row,
                                     enum tm_bench_client client, enum tm_lib lib,
                                     struct tm_diag *d)
{
	const struct tm_lib_rows *rows = &m->a->rows;
	const struct tm_name command = text_of(m->a, value(m, row, ID_COMMAND));
	size_t sizes = 0;

	/* Without --log_function_name only the command line says which function it is. */
	if (lib == TM_LIB_ROCBLAS && value(m, row, ID_FUNCTION) == TM_NAME_NONE && command.len &&
	    says(command.text, " -m ", column(m, row, "M")) &&
	    says(command.text, " -n ", column(m, row, "N")) &&
	    says(command.text, " -k ", column(m, row, "K"))) {
		enum tm_status st = tm_problem_parse(&m->p, lib, command.text, command.len, d);

		if (st != TM_ST_SKIP)
			return st;
	}
	tm_problem_begin(&m->p, lib);
	for (size_t i = 0; i < row->nown; i++) {
		const struct tm_lib_value *v = &rows->v[row->from + i];
		const struct tm_name *name = &rows->names.v[v->name];
		const struct tm_name text = text_of(m->a, v->text);

		if (m->measure[v->name] == tm_measures_n &&
		    tm_problem_put(&m->p, name->text, name->len, text.text, text.len))
			sizes += name->len == 1 && strchr("mnkMNK", *name->text);
	}
	/* Any table may have a column n. */
	if (client == TM_BENCH_TABLE && sizes < 3 && value(m, row, ID_FUNCTION) == TM_NAME_NONE)
		return TM_ST_SKIP;
	return tm_problem_end(&m->p, d);
}

/* Of rccl-tests: operation, type and size.  The count follows from these; "none" and -1 say that an
 * operation has no reduction and no root. */
static enum tm_status comm_problem(struct maker *m, const struct tm_lib_row *row)
{
	static const struct {
		const char *column, *none;
	} parts[] = { { "ranks", "" }, { "redop", "none" }, { "root", "-1" }, { "place", "" } };
	const struct tm_name bytes = column(m, row, "bytes"), type = column(m, row, "type"),
	                     op = column(m, row, "operation");
	struct tm_buf *shape = &m->p.shape;

	if (!bytes.len || !type.len)
		return TM_ST_SKIP;
	tm_problem_begin(&m->p, TM_LIB_N);
	tm_buf_str(&m->p.op, op.len ? op.text : tm_lib_comm_name(&m->a->rows, row, &m->table));
	if (m->p.op.n && memchr(m->p.op.p, '/', m->p.op.n))
		leave(&m->mingled, row);
	tm_buf_add(&m->p.types, type.text, type.len);
	tm_buf_fmt(shape, "%s bytes", bytes.text);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct tm_name text = column(m, row, parts[i].column);

		if (text.len && strcmp(text.text, parts[i].none) != 0)
			tm_buf_fmt(shape, " %s=%s", parts[i].column, text.text);
	}
	/* The host has only started what the GPUs then do. */
	if (column(m, row, "cputime_us").len)
		tm_buf_str(shape, " cputime");
	return m->p.op.failed || m->p.types.failed || shape->failed ? TM_ST_FATAL : TM_ST_OK;
}

/* Every column that may name a configuration, as it stands there. */
static void raw_key(struct maker *m, const struct tm_lib_row *row, bool all)
{
	const struct tm_lib_rows *rows = &m->a->rows;

	tm_buf_clear(&m->text);
	for (size_t i = 0; i < row->nown; i++) {
		const struct tm_lib_value *v = &rows->v[row->from + i];
		const struct tm_name *name = &rows->names.v[v->name];
		const struct tm_name text = text_of(m->a, v->text);
		bool setting = false;

		for (size_t k = 0; tm_lib_settings[k].name && !all; k++)
			setting |= m->setting[k] == v->name;
		if (setting || m->measure[v->name] < tm_measures_n || v->name == m->metric ||
		    tm_column_is_about(name->text, name->len))
			continue;
		tm_buf_fmt(&m->text, "%s%s=", m->text.n ? " " : "", name->text);
		tm_buf_add(&m->text, text.text, text.len);
	}
}

/* The columns of --key; false when the row lacks one. */
static bool asked_key(struct maker *m, const struct tm_lib_row *row)
{
	const struct tm_lib_rows *rows = &m->a->rows;

	tm_buf_clear(&m->text);
	for (size_t i = 0; i < m->nkey; i++) {
		uint32_t text = tm_lib_rows_text(rows, row, m->key[i]);

		if (text == TM_NAME_NONE)
			return false;
		tm_buf_fmt(&m->text, "%s%s=", i ? " " : "", rows->names.v[m->key[i]].text);
		tm_buf_add(&m->text, text_of(m->a, text).text, text_of(m->a, text).len);
	}
	return true;
}

/* A text that is its own key. */
static bool plain_key(struct tm_lib_samples *a, struct tm_lib_sample *s, const struct tm_buf *text)
{
	s->key = s->problem = intern(a, text->p, text->n);
	s->op = s->types = TM_NAME_NONE;
	return !text->failed && s->key != TM_NAME_NONE;
}

static bool parsed_key(struct tm_lib_samples *a, struct tm_lib_sample *s,
                       const struct tm_problem *p, struct tm_buf *text)
{
	tm_buf_clear(text);
	if (!tm_problem_key(p, text))
		return false;
	s->key = intern(a, text->p, text->n);
	s->problem = intern(a, p->shape.p, p->shape.n);
	s->op = intern(a, p->op.p, p->op.n);
	s->types = intern(a, p->types.p, p->types.n);
	return s->key != TM_NAME_NONE && s->problem != TM_NAME_NONE && s->op != TM_NAME_NONE &&
	       s->types != TM_NAME_NONE;
}

/* What the row is about.  TM_ST_OK with s->key; *parsed = m->p is its problem; TM_ST_SKIP: nothing.
 * */
static enum tm_status find_key(struct maker *m, const struct tm_lib_row *row,
                               struct tm_lib_sample *s, bool *parsed)
{
	struct tm_lib_samples *a = m->a;
	enum tm_bench_client client = client_of(m, row);
	enum tm_lib lib = lib_of(m, row, client);
	const struct tm_name config = text_of(a, value(m, row, ID_CONFIG));
	const struct tm_name library = text_of(a, value(m, row, ID_LIBRARY));
	struct tm_diag d = { 0 };
	enum tm_status st = TM_ST_SKIP;

	if (config.len)
		st = tm_problem_parse(&m->p, lib, config.text, config.len, &d);
	else if (client == TM_BENCH_MIOPEN)
		st = miopen_problem(m, row, &d);
	else if (client == TM_BENCH_TUNABLEOP)
		st = tunable_problem(m, row, &d);
	else if (client == TM_BENCH_COMM)
		st = comm_problem(m, row);
	else if (value(m, row, ID_METRIC) == TM_NAME_NONE)
		st = column_problem(m, row, client, lib == TM_LIB_N ? TM_LIB_HIPBLASLT : lib, &d);
	if (st == TM_ST_FATAL)
		return TM_ST_FATAL;
	*parsed = st == TM_ST_OK && m->p.op.n;
	if (*parsed && client == TM_BENCH_ROCBLAS && !m->p.types.n)
		leave(&m->untyped, row);
	if (config.len && *parsed && lib == TM_LIB_N)
		lib = m->p.lib;
	s->library = library.len ? value(m, row, ID_LIBRARY) : TM_NAME_NONE;
	if (s->library == TM_NAME_NONE && lib != TM_LIB_N)
		s->library = intern(a, tm_lib_words[lib], strlen(tm_lib_words[lib]));
	else if (s->library == TM_NAME_NONE && client == TM_BENCH_TUNABLEOP)
		s->library = intern(a, "pytorch", 7);
	if (m->nkey) {
		if (!asked_key(m, row))
			return TM_ST_SKIP;
		return plain_key(a, s, &m->text) ? TM_ST_OK : TM_ST_FATAL;
	}
	if (!a->o->exact && *parsed)
		return parsed_key(a, s, &m->p, &m->text) ? TM_ST_OK : TM_ST_FATAL;
	if (a->o->exact && config.len) {
		tm_buf_clear(&m->text);
		tm_buf_add(&m->text, config.text, config.len);
	} else {
		raw_key(m, row, a->o->exact);
		if (!m->text.n)
			return m->text.failed ? TM_ST_FATAL : TM_ST_SKIP;
		if (!a->o->exact && value(m, row, ID_METRIC) == TM_NAME_NONE)
			leave(&m->raw, row);
	}
	return plain_key(a, s, &m->text) ? TM_ST_OK : TM_ST_FATAL;
}

bool tm_lib_samples_key(struct tm_lib_samples *a, const char *library, size_t nlibrary,
                        const char *config, size_t n, uint32_t *key)
{
	struct tm_problem p = { 0 };
	struct tm_buf text = { 0 };
	struct tm_lib_sample s = { .key = TM_NAME_NONE };
	struct tm_diag d;
	enum tm_status st = tm_problem_parse(&p, tm_lib_find(library, nlibrary), config, n, &d);
	bool ok = st != TM_ST_FATAL;

	if (ok && a->o->exact) {
		tm_buf_add(&text, config, n);
		ok = plain_key(a, &s, &text);
	} else if (ok && st == TM_ST_OK && p.op.n) {
		ok = parsed_key(a, &s, &p, &text);
	}
	*key = s.key;
	tm_problem_fini(&p);
	tm_buf_fini(&text);
	return ok;
}

/* ---- how good it is ---- */

/* The column to go by: that of --metric, else the first of measures[] that holds a measurement. */
static bool find_measure(struct maker *m, const struct tm_lib_row *row, struct tm_lib_sample *s,
                         double *scale)
{
	const struct tm_lib_rows *rows = &m->a->rows;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < row->n; i++) {
		const struct tm_lib_value *v = &rows->v[row->from + i];
		const struct tm_name text = text_of(m->a, v->text);
		size_t which = m->measure[v->name];
		double x;

		if (m->metric != TM_NAME_NONE ? v->name != m->metric
		                              : which >= tm_measures_n || which >= best)
			continue;
		if (!tm_num_real(text.text, text.len, &x) || !(x > 0))
			continue;
		best = which;
		s->measure = v->name;
		s->value = x;
		s->kind = which < tm_measures_n ? tm_measures[which].kind : TM_MEASURE_OTHER;
		*scale = which < tm_measures_n ? tm_measures[which].scale : 1;
	}
	return best != SIZE_MAX;
}

/* Whether less is better of a measure that is no time and no rate. */
static bool less_is_better(struct maker *m, const struct tm_lib_row *row,
                           const struct tm_lib_sample *s)
{
	const struct tm_name names[] = {
		text_of(m->a, value(m, row, ID_UNIT)),
		text_of(m->a, value(m, row, ID_METRIC)),
		m->a->rows.names.v[s->measure],
	};
	bool known = false, less = false;

	for (size_t i = 0; i < 3 && !known; i++)
		less = tm_measure_less_is_better(names[i].text, names[i].len, &known);
	if (!known)
		leave(&m->undirected, row);
	return less;
}

/* Time and cost.  False when no device is that fast. */
static bool judge(struct maker *m, const struct tm_lib_row *row, struct tm_lib_sample *s,
                  double scale, bool parsed)
{
	const struct tm_name arch = text_of(m->a, value(m, row, ID_ARCH)),
	                     types = text_of(m->a, s->types);
	double v = s->value * scale, flops = parsed && m->p.has_flops ? (double)m->p.flops : 0;
	double rate = 0;

	if (s->kind == TM_MEASURE_TIME) {
		s->has_us = true;
		s->us = v;
		rate = flops / v / 1e3;
	} else if (s->kind == TM_MEASURE_FLOPS) {
		rate = v;
		s->has_us = flops > 0;
		s->us = s->has_us ? flops / v / 1e3 : 0;
	}
	if (s->has_us)
		s->cost = s->us;
	else if (s->kind == TM_MEASURE_OTHER && less_is_better(m, row, s))
		s->cost = v;
	else
		s->cost = 1 / v;
	/* The client's own rate says it too, where the problem is not known. */
	if (!(rate > 0) && s->kind == TM_MEASURE_TIME)
		for (size_t i = 0; i < row->nown; i++) {
			const struct tm_lib_value *x = &m->a->rows.v[row->from + i];
			size_t which = m->measure[x->name];
			const struct tm_name text = text_of(m->a, x->text);

			if (which < tm_measures_n && tm_measures[which].kind == TM_MEASURE_FLOPS &&
			    tm_num_real(text.text, text.len, &rate))
				rate *= tm_measures[which].scale;
		}
	return rate <= tm_peak_gflops(arch.text, arch.len, types.text, types.len);
}

/* Does the rate that the row prints fit the problem we take it for? */
static bool rate_fits(const struct maker *m, const struct tm_lib_row *row,
                      const struct tm_lib_sample *s)
{
	for (size_t i = 0; i < row->nown; i++) {
		const struct tm_lib_value *x = &m->a->rows.v[row->from + i];
		const struct tm_name text = text_of(m->a, x->text);
		size_t which = m->measure[x->name];
		double rate, want = (double)m->p.flops / s->us / 1e3;

		if (which < tm_measures_n && tm_measures[which].kind == TM_MEASURE_FLOPS &&
		    tm_num_real(text.text, text.len, &rate) && rate > 0)
			/* Printed with six digits; MIOpen prints whole numbers. */
			return fabs(rate * tm_measures[which].scale - want) <= want / 100 + 1;
	}
	return true;
}

/* How it was solved. */
static bool find_choice(struct maker *m, const struct tm_lib_row *row, struct tm_lib_sample *s)
{
	static const enum column_id ids[] = { ID_SOLUTION_INDEX, ID_SOLUTION, ID_SOLUTION_NAME,
		                              ID_KERNEL_NAME, ID_RESULT };
	uint32_t config = value(m, row, ID_CONFIG);

	s->choice = s->config = TM_NAME_NONE;
	for (size_t i = 0; i < sizeof ids / sizeof *ids && s->choice == TM_NAME_NONE; i++) {
		uint32_t text = value(m, row, ids[i]);

		if (text == TM_NAME_NONE)
			continue;
		tm_buf_clear(&m->text);
		if (ids[i] == ID_SOLUTION_INDEX || ids[i] == ID_RESULT)
			tm_buf_fmt(&m->text, "%s=", id_names[ids[i]]);
		tm_buf_add(&m->text, tm_lib_text(m->a, text), text_of(m->a, text).len);
		s->choice = intern(m->a, m->text.p, m->text.n);
		if (m->text.failed || s->choice == TM_NAME_NONE)
			return false;
	}
	s->config = config != TM_NAME_NONE ? config : s->choice;
	return true;
}

/* The rate in operations that the row has beside its time. */
static uint32_t rate_of(const struct maker *m, const struct tm_lib_row *row)
{
	for (size_t i = 0; i < row->nown; i++) {
		const struct tm_lib_value *x = &m->a->rows.v[row->from + i];
		size_t which = m->measure[x->name];

		if (which < tm_measures_n && tm_measures[which].kind == TM_MEASURE_FLOPS)
			return x->text;
	}
	return TM_NAME_NONE;
}

/* What it computes, and what on. */
static void put_work(const struct maker *m, const struct tm_lib_row *row, bool parsed,
                     struct tm_lib_sample *s)
{
	s->has_flops = parsed && m->p.has_flops;
	s->has_bytes = parsed && m->p.has_bytes;
	s->flops = s->has_flops ? m->p.flops : 0;
	s->bytes = s->has_bytes ? m->p.bytes : 0;
	s->device = value(m, row, ID_DEVICE);
	s->arch = value(m, row, ID_ARCH);
	s->cus = value(m, row, ID_CUS);
	s->rate = rate_of(m, row);
}

static bool add_sample(struct maker *m, const struct tm_lib_row *row)
{
	struct tm_lib_samples *a = m->a;
	struct tm_lib_sample s = {
		.side = row->side, .source = row->source, .line = row->line, .winner = row->winner
	};
	const struct tm_name status = text_of(a, value(m, row, ID_STATUS)),
	                     calls = text_of(a, value(m, row, ID_CALLS));
	bool parsed = false, possible;
	double scale = 1;
	enum tm_status st;

	if (!find_measure(m, row, &s, &scale)) {
		leave(&m->unmeasured, row);
		return true;
	}
	st = find_key(m, row, &s, &parsed);
	if (st == TM_ST_FATAL)
		return false;
	if (st == TM_ST_SKIP) {
		leave(&m->keyless, row);
		return true;
	}
	put_work(m, row, parsed, &s);
	possible = judge(m, row, &s, scale, parsed);
	if (!possible) {
		leave(&m->impossible, row);
		return true;
	}
	/* With adaptive timing the rate is that of the mean, and a median is compared. */
	if (parsed && m->p.has_flops && s.has_us && value(m, row, ID_SAMPLES) == TM_NAME_NONE &&
	    !rate_fits(m, row, &s))
		leave(&m->contrary, row);
	/* What tm_lib_bench wrote says where it was from. */
	if (value(m, row, ID_SOURCE) != TM_NAME_NONE)
		s.source = value(m, row, ID_SOURCE);
	s.cumulative = row->client == TM_BENCH_TABLE && value(m, row, ID_METRIC) != TM_NAME_NONE &&
	               value(m, row, ID_PERFORMANCE) != TM_NAME_NONE;
	s.noisy = status.len == 5 && !memcmp(status.text, "noisy", 5);
	s.has_calls = tm_num_u64_any(calls.text, calls.len, &s.calls);
	/* With adaptive timing the client itself chooses hot_iters for each row. */
	for (size_t i = 0; tm_lib_settings[i].name; i++)
		s.setting[i] = !strcmp(tm_lib_settings[i].name, "hot_iters") &&
		                               value(m, row, ID_SAMPLES) != TM_NAME_NONE
		                       ? TM_NAME_NONE
		                       : tm_lib_rows_text(&a->rows, row, m->setting[i]);
	if (!find_choice(m, row, &s) || !tm_grow_array(&a->v, &a->cap, a->n + 1, sizeof *a->v))
		return false;
	a->v[a->n++] = s;
	return true;
}

/* ---- all of them ---- */

static bool find_key_columns(struct maker *m)
{
	const char *list = m->a->o->key;

	if (!list)
		return true;
	m->key = calloc(strlen(list) + 1, sizeof *m->key);
	for (const char *p = list; m->key; p += strcspn(p, ",") + 1) {
		size_t n = strcspn(p, ",");

		m->key[m->nkey] = tm_names_add(&m->a->rows.names, p, n);
		if (m->key[m->nkey++] == TM_NAME_NONE)
			return false;
		if (!p[n])
			break;
	}
	return m->key;
}

static bool begin(struct maker *m)
{
	struct tm_names *names = &m->a->rows.names;

	for (size_t i = 0; i < ID_N; i++) {
		m->id[i] = tm_names_add(names, id_names[i], strlen(id_names[i]));
		if (m->id[i] == TM_NAME_NONE)
			return false;
	}
	for (size_t i = 0; tm_lib_settings[i].name && i < TM_SETTINGS_MAX; i++)
		m->setting[i] = tm_names_find(names, tm_lib_settings[i].name,
		                              strlen(tm_lib_settings[i].name));
	m->metric = TM_NAME_NONE;
	if (m->a->o->metric) {
		m->metric = tm_names_add(names, m->a->o->metric, strlen(m->a->o->metric));
		if (m->metric == TM_NAME_NONE)
			return false;
	}
	if (!find_key_columns(m))
		return false;
	m->measure = calloc(names->n, sizeof *m->measure);
	for (uint32_t i = 0; m->measure && i < names->n; i++)
		m->measure[i] = tm_measure_find(names->v[i].text, names->v[i].len);
	return m->measure;
}

static void tell_left(struct maker *m, enum tm_severity severity, const struct left *l,
                      const char *one, const char *many)
{
	if (l->n)
		tm_report_add(m->rep, severity, tm_lib_text(m->a, l->source), l->line,
		              "%llu measurement%s (the first is here)", (unsigned long long)l->n,
		              l->n == 1 ? one : many);
}

bool tm_lib_samples_make(struct tm_lib_samples *a, struct tm_report *rep)
{
	struct maker m = { .a = a, .rep = rep };
	bool ok = begin(&m);

	for (size_t i = 0; ok && i < a->rows.n; i++)
		ok = add_sample(&m, &a->rows.row[i]);
	if (ok && m.mingled.n)
		ok = tm_lib_comm_settle(a);
	if (ok) {
		tell_left(&m, TM_SEV_SKIP, &m.keyless, " skipped: no problem named",
		          "s skipped: no problem named");
		tell_left(&m, TM_SEV_SKIP, &m.unmeasured, " skipped: not a positive number",
		          "s skipped: not a positive number");
		tell_left(&m, TM_SEV_SKIP, &m.impossible, " skipped: faster than any device",
		          "s skipped: faster than any device");
		tell_left(&m, TM_SEV_NOTE, &m.raw,
		          " of an unknown problem: identified by the text of its columns",
		          "s of an unknown problem: identified by the text of their columns");
		tell_left(&m, TM_SEV_NOTE, &m.contrary,
		          " whose printed rate does not match its problem and time",
		          "s whose printed rate does not match their problem and time");
		tell_left(&m, TM_SEV_NOTE, &m.untyped,
		          " whose types are not printed: alike ones cannot be told apart",
		          "s whose types are not printed: alike ones cannot be told apart");
		tell_left(&m, TM_SEV_NOTE, &m.mingled,
		          " whose operation is not printed: alike ones cannot be told apart",
		          "s whose operation is not printed: alike ones cannot be told apart");
		tell_left(&m, TM_SEV_NOTE, &m.undirected,
		          " of an unknown measure: higher is assumed to be better",
		          "s of an unknown measure: higher is assumed to be better");
	}
	tm_problem_fini(&m.p);
	tm_buf_fini(&m.text);
	free(m.measure);
	free(m.key);
	return ok;
}

void tm_lib_samples_fini(struct tm_lib_samples *a)
{
	tm_lib_rows_fini(&a->rows);
	free(a->v);
	*a = (struct tm_lib_samples) { 0 };
}
