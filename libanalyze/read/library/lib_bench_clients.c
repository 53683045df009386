/* SPDX-License-Identifier: MIT
 * What the lines of each client say: headers and values of the BLAS clients, of tables, of
 * MIOpenDriver and of TunableOp. */
#include "base/base.h"
#include "read/library/lib_bench_parts.h"
#include "read/library/lib_columns.h"

#include <stdlib.h>
#include <string.h>

enum {
	RECORD_MAX = 1024 * 1024,   /* bytes of a row of a table whose quotes hold newlines */
	HEADER_COLUMNS_MAX = 16384, /* of a table */
	BLAS_COLUMNS_MAX = 1024,    /* of a client's header; there are not 60 */
};

/* What was cut into b->scratch is the values of the row at hand. */
static void keep_values(struct tm_bench *b)
{
	struct fields f = b->v->values;

	b->v->values = b->scratch;
	b->scratch = f;
}

/* Names of the header with the values that were cut. */
static void put_values(struct tm_bench *b)
{
	if (!tm_bench_begin_row(b, b->v->client))
		return;
	keep_values(b);
	b->v->next.winner = b->v->winner;
	b->v->winner = b->v->awaiting = false;
	for (size_t i = 0; i < b->v->header.n; i++)
		tm_bench_add_field(b, b->v->header.v[i].p, b->v->header.v[i].n, b->v->values.v[i].p,
		                   b->v->values.v[i].n);
	/* Most problems have one, and it needs no number. */
	if (b->v->client == TM_BENCH_HIPBLASLT && b->v->result) {
		char digits[20];

		tm_bench_say(b, SCOPE_ROW, "result", digits,
		             (size_t)(tm_num_put_u64(digits, b->v->result) - digits));
	}
}

/* ---- headers ---- */

static void take_header(struct tm_bench *b, enum tm_bench_client client, bool table)
{
	static const char misspelt[] = "soulution_index", spelt[] = "solution_index";

	if (b->v->awaiting)
		tm_bench_misfit(b, b->v->header_line);
	b->v->client = client;
	b->v->has_header = true;
	b->v->measures = true;
	b->v->is_table = table;
	b->v->awaiting = !table;
	b->v->prefixed = false;
	b->v->header_line = b->lines.line;
	b->v->flop_col = SIZE_MAX;
	for (size_t i = 0; i < b->v->header.n; i++) {
		struct field_of_line *f = &b->v->header.v[i];

		if (tm_field_is(f, "flopCnt"))
			b->v->flop_col = i;
		/* As hipBLASLt's Winner has it. */
		if (tm_field_is(f, misspelt))
			*f = (struct field_of_line) { spelt, sizeof spelt - 1 };
	}
}

/* A first field without output of other programs, or a tag of an unknown kind, in front of it:
 * "INFO N", "INFO:root:N".  How many bytes that is. */
static uint32_t drop_prefix(struct field_of_line *f)
{
	uint32_t k = f->n;

	while (k && !tm_text_blank(f->p[k - 1]) && f->p[k - 1] != ':')
		k--;
	f->p += k;
	f->n -= k;
	return k;
}

/* "10:00:00 node1 [0]:transA": the name alone, and the number of the result. */
static void find_prefix(struct voice *v)
{
	struct field_of_line *f = &v->header.v[0];
	uint32_t front = drop_prefix(f), number = 0;
	const char *p;
	size_t n;

	if (front > 2 && f->p[-1] == ':' && f->p[-2] == ']')
		for (number = 2; number < front && f->p[-(int)number] != '[';)
			number++;
	f->p -= number;
	f->n += number;
	v->prefixed = front > number;
	if (!v->prefixed)
		return;
	p = f->p;
	n = f->n;
	v->result = tm_text_strip_number(&p, &n);
	*f = (struct field_of_line) { p, (uint32_t)n };
}

/* A header of a BLAS client: its name is in that of a column. */
bool tm_bench_blas_header(struct tm_bench *b, const char *p, size_t n)
{
	static const struct {
		const char *name;
		enum tm_bench_client client;
	} marks[] = {
		{ "rocblas-Gflops", TM_BENCH_ROCBLAS },
		{ "rocblas-GB/s", TM_BENCH_ROCBLAS },
		{ "rocblas-us", TM_BENCH_ROCBLAS },
		{ "hipblaslt-Gflops", TM_BENCH_HIPBLASLT },
		{ "hipblaslt-GB/s", TM_BENCH_HIPBLASLT },
	};

	uint64_t result = tm_text_strip_number(&p, &n);

	if (!tm_text_find(p, n, "blas") || !memchr(p, ',', n) ||
	    tm_text_count(p, n, ',') >= BLAS_COLUMNS_MAX)
		return false;
	if (!tm_fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (b->scratch.n > 2 && tm_fields_have(&b->scratch, marks[i].name)) {
			struct fields f = b->v->header;

			b->v->header = b->scratch;
			b->scratch = f;
			take_header(b, marks[i].client, tm_fields_have(&b->v->header, "source"));
			b->v->result = result;
			if (b->v->is_table)
				b->v->client = TM_BENCH_TABLE;
			else
				find_prefix(b->v);
			return true;
		}
	return false;
}

/* The header of a table: names, all different from numbers, and among them something to compare by.
 */
bool tm_bench_table_header(struct tm_bench *b, const char *p, size_t n)
{
	bool good = false;
	size_t commas = tm_text_count(p, n, ',');
	double v;

	if (!commas || commas >= HEADER_COLUMNS_MAX)
		return false;
	if (!tm_fields_cut(&b->v->header, p, n)) {
		b->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < b->v->header.n; i++) {
		const struct field_of_line *f = &b->v->header.v[i];

		if (tm_num_real(f->p, f->n, &v))
			return false;
		good |= (b->metric && tm_field_is(f, b->metric)) ||
		        tm_measure_find(f->p, f->n) < tm_measures_n;
	}
	if (good)
		take_header(b, TM_BENCH_TABLE, true);
	return good;
}

/* ---- values ---- */

/* Numbers where the client prints how fast it was? */
static bool plausible(const struct tm_bench *b)
{
	bool any = false;

	for (size_t i = 0; i < b->v->header.n; i++)
		if (tm_measure_find(b->v->header.v[i].p, b->v->header.v[i].n) < tm_measures_n) {
			any = true;
			if (!tm_text_numberish(b->scratch.v[i].p, b->scratch.v[i].n))
				return false;
		}
	return any;
}

/* MIOpen's 3D backward line lacks the comma before flopCnt: "256  309237645312". */
static bool mend_flops(struct tm_bench *b)
{
	struct fields *f = &b->scratch;
	size_t k = b->v->flop_col - 1;
	const char *gap;

	if (b->v->flop_col == SIZE_MAX || !b->v->flop_col || f->n + 1 != b->v->header.n ||
	    !(gap = memchr(f->v[k].p, ' ', f->v[k].n)))
		return false;
	if (!tm_grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v)) {
		b->no_memory = true;
		return false;
	}
	memmove(&f->v[k + 1], &f->v[k], (f->n - k) * sizeof *f->v);
	f->n++;
	f->v[k].n = (uint32_t)(gap - f->v[k].p);
	f->v[k + 1].n -= f->v[k].n;
	f->v[k + 1].p = gap;
	while (tm_text_blank(*f->v[k + 1].p)) {
		f->v[k + 1].p++;
		f->v[k + 1].n--;
	}
	return true;
}

/* Values of a BLAS client, or what is left of them. */
bool tm_bench_blas_values(struct tm_bench *b, const char *p, size_t n)
{
	size_t commas = tm_text_count(p, n, ',');
	bool fresh = b->v->awaiting && b->lines.line == b->v->header_line + 1;

	if (commas < 2)
		return false;
	if (b->v->has_header && !b->v->is_table && b->v->client != TM_BENCH_MIOPEN &&
	    commas + 1 >= b->v->header.n) {
		if (!tm_fields_cut(&b->scratch, p, n)) {
			b->no_memory = true;
			return false;
		}
		if (b->scratch.n == b->v->header.n && plausible(b)) {
			if (b->v->prefixed)
				drop_prefix(&b->scratch.v[0]);
			put_values(b);
			return true;
		}
	}
	if (tm_text_like_values(p, n) ||
	    (fresh && b->v->client != TM_BENCH_MIOPEN && commas >= VALUES_COMMAS)) {
		tm_bench_misfit(b, b->lines.line);
		b->v->winner = b->v->awaiting = false;
	}
	return false;
}

/* Is the last field of the row that was cut a number, and `last` the quote after it? */
static bool quoted_number(const struct tm_bench *b, char last)
{
	const struct field_of_line *f = &b->scratch.v[b->scratch.n - 1];

	return last == '"' && tm_text_numberish(f->p, f->n);
}

/* A row of a table, whose quotes may hold newlines. */
void tm_bench_table_row(struct tm_bench *b)
{
	uint64_t line = b->lines.line;
	struct tm_buf text = { 0 };
	const char *p = b->p;
	size_t n = b->n;
	bool odd = tm_text_count(p, n, '"') & 1;
	char last;

	if (odd && !tm_buf_add(&text, p, n))
		b->no_memory = true;
	/* The next line with a tag may be another's. */
	while (odd && b->v == &b->plain && !b->no_memory && !b->ended && text.n < RECORD_MAX) {
		if (!tm_bench_next_line(b))
			break;
		odd ^= tm_text_count(b->p, b->n, '"') & 1;
		b->no_memory |= !tm_buf_chr(&text, '\n') || !tm_buf_add(&text, b->p, b->n);
		p = text.p;
		n = text.n;
	}
	if (!b->no_memory && !tm_fields_cut(&b->scratch, p, n))
		b->no_memory = true;
	last = n ? p[n - 1] : 0;
	tm_buf_fini(&text);
	if (b->no_memory)
		return;
	/* The same header again: files run together. */
	if (tm_fields_same(&b->v->header, &b->scratch))
		return;
	if (b->open_end && (odd || b->scratch.n < b->v->header.n)) {
		tm_loss_line(&b->loss, TM_LOSS_LINE_CUT, line);
		return;
	}
	if (odd || b->scratch.n != b->v->header.n) {
		tm_bench_misfit(b, line);
		return;
	}
	/* A number in quotes is whole with the second of them. */
	if (b->open_end && quoted_number(b, last)) {
		b->open_end = false;
		tm_loss_line(&b->loss, TM_LOSS_LINE_OPEN_END, line);
	}
	put_values(b);
	if (!b->open_end)
		b->v->next.line = line;
}

/* ---- MIOpenDriver ---- */

static void miopen_names(struct tm_bench *b, const char *names)
{
	if (!tm_fields_cut(&b->v->header, names, strlen(names)))
		b->no_memory = true;
	else
		take_header(b, TM_BENCH_MIOPEN, false);
}

/* "stats: ...": a header or values.  Batch normalization has seven values and no header. */
bool tm_bench_miopen_stats(struct tm_bench *b, const char *p, size_t n)
{
	static const char front[] = "stats:";

	if (!tm_text_begins(p, n, front))
		return false;
	p += sizeof front - 1;
	n -= sizeof front - 1;
	if (!tm_fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return true;
	}
	if (tm_field_is(&b->scratch.v[0], "name")) {
		struct fields f = b->v->header;

		b->v->header = b->scratch;
		b->scratch = f;
		take_header(b, TM_BENCH_MIOPEN, false);
		return true;
	}
	if (b->scratch.n == 7 &&
	    (b->v->client != TM_BENCH_MIOPEN || b->v->header.n != 7 || !b->v->has_header)) {
		b->v->awaiting = false;
		miopen_names(b, "name,flopCnt,bytesRead,bytesWritten,GFLOPs,GB/s,timeMs");
	}
	if (b->no_memory)
		return true;
	if (!b->v->has_header || b->v->client != TM_BENCH_MIOPEN ||
	    (b->scratch.n != b->v->header.n && !mend_flops(b)) || !plausible(b)) {
		tm_bench_misfit(b, b->lines.line);
		b->v->awaiting = false;
		return true;
	}
	put_values(b);
	return true;
}

/* "GPU Kernel Time Forward Conv. Elapsed: 2.539060 ms (average)": all there is where no stats
 * follow. */
bool tm_bench_miopen_elapsed(struct tm_bench *b, const char *p, size_t n)
{
	static const char front[] = "GPU Kernel Time ", mark[] = "Elapsed:";
	const char *at, *end = p + n, *value;
	size_t name;
	double v;

	if (!tm_text_begins(p, n, front) || !(at = tm_text_find(p, n, mark)))
		return false;
	p += sizeof front - 1;
	name = at > p ? (size_t)(at - p) : 0;
	tm_text_trim(&p, &name);
	value = at + sizeof mark - 1;
	while (value < end && tm_text_blank(*value))
		value++;
	for (at = value; at < end && !tm_text_blank(*at);)
		at++;
	if (!tm_text_begins(at, (size_t)(end - at), " ms") ||
	    !tm_num_real(value, (size_t)(at - value), &v))
		return false;
	if (!tm_bench_begin_row(b, TM_BENCH_MIOPEN))
		return true;
	b->v->elapsed_only = true;
	tm_buf_clear(&b->v->elapsed);
	if (!tm_buf_add(&b->v->elapsed, p, name) ||
	    !tm_buf_add(&b->v->elapsed, value, (size_t)(at - value))) {
		b->no_memory = true;
		return true;
	}
	tm_bench_add_field(b, "name", 4, b->v->elapsed.p, name);
	tm_bench_add_field(b, "timeMs", 6, b->v->elapsed.p + name, (size_t)(at - value));
	return true;
}

/* "MIOpen Forward Conv. Algorithm: 3, Solution: 139/ConvWinoFuryRxS<2-3>" */
bool tm_bench_miopen_algorithm(struct tm_bench *b, const char *p, size_t n)
{
	static const char mark[] = "Algorithm:", second[] = "Solution:";
	const char *at, *end = p + n, *comma, *value;
	size_t len;

	if (!tm_text_begins(p, n, "MIOpen ") || !(at = tm_text_find(p, n, mark)))
		return false;
	value = at + sizeof mark - 1;
	comma = memchr(value, ',', (size_t)(end - value));
	len = (size_t)((comma ? comma : end) - value);
	tm_text_trim(&value, &len);
	tm_bench_say(b, SCOPE_ROW, "algorithm", value, len);
	at = comma ? tm_text_find(comma, (size_t)(end - comma), second) : NULL;
	if (at) {
		value = at + sizeof second - 1;
		len = (size_t)(end - value);
		tm_text_trim(&value, &len);
		tm_bench_say(b, SCOPE_ROW, "solution", value, len);
	}
	return true;
}

/* ---- TunableOp ---- */

/* "Validator,KEY,VALUE" */
bool tm_bench_tunable_validator(struct tm_bench *b, const char *p, size_t n)
{
	static const char front[] = "Validator,";
	const char *key = p + sizeof front - 1, *comma;
	size_t left, nkey;

	if (!tm_text_begins(p, n, front))
		return false;
	left = n - (sizeof front - 1);
	comma = memchr(key, ',', left);
	if (!comma)
		return false;
	nkey = (size_t)(comma - key);
	left -= nkey + 1;
	if (nkey == 13 && !memcmp(key, "GCN_ARCH_NAME", nkey))
		tm_bench_say(b, SCOPE_INPUT, "gcnArchName", comma + 1, left);
	else
		tm_bench_said(b, SCOPE_INPUT, key, nkey, comma + 1, left);
	return true;
}

/* "GemmTunableOp_Half_TN,tn_28672_938_4096,Gemm_Hipblaslt_TN_9683,0.401578" */
bool tm_bench_tunable_row(struct tm_bench *b, const char *p, size_t n)
{
	static const char *const names[] = { "op", "params", "solution", "time_ms", "blas" };
	const char *comma = memchr(p, ',', n), *mark;

	if (!comma || !(mark = tm_text_find(p, (size_t)(comma - p), "TunableOp_")))
		return false;
	if (!tm_fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return false;
	}
	if (b->scratch.n < 4 || !tm_text_numberish(b->scratch.v[3].p, b->scratch.v[3].n)) {
		tm_bench_misfit(b, b->lines.line);
		return true;
	}
	if (!tm_bench_begin_row(b, TM_BENCH_TUNABLEOP))
		return true;
	keep_values(b);
	for (size_t i = 0; i < b->v->values.n && i < sizeof names / sizeof *names; i++)
		tm_bench_add_field(b, names[i], strlen(names[i]), b->v->values.v[i].p,
		                   b->v->values.v[i].n);
	return true;
}
