/* SPDX-License-Identifier: MIT
 * A header says what the values below it mean, until the next one.  In the output of a bench client
 * anything may stand between them, so a line is taken for values when it has as many fields as the header
 * and numbers where the client prints its performance; below the header of a table every line is a row.
 *
 * A row is handed out only when a line comes that cannot belong to it: solution and kernel are printed
 * behind the values. */
#include "read/lib_bench.h"

#include "base/num.h"
#include "read/lib_columns.h"
#include "read/lines.h"
#include "read/priv_lib_bench.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	SAID_MAX = 64,              /* columns that stand around rows, at most */
	RECORD_MAX = 1024 * 1024,   /* bytes of a row of a table whose quotes hold newlines */
	VALUES_COMMAS = 8,          /* a line of so many, and more, may be values */
	HEADER_COLUMNS_MAX = 16384, /* of a table */
	BLAS_COLUMNS_MAX = 1024,    /* of a client's header; there are not 60 */
};

/* How long what a line says is true. */
enum scope { SCOPE_INPUT, SCOPE_COMMAND, SCOPE_ROW };

struct said {
	enum scope scope;
	struct buf name, value; /* value empty: not said */
};

static const struct {
	enum scope scope;
	const char *text, *name;
} says[] = {
#define SAYS(scope_, text_, name_) { .scope = SCOPE_##scope_, .text = (text_), .name = (name_) },
#include "schemas/lib_bench.def"
};

struct bench {
	struct source *src;
	struct lines lines;
	const char *metric;
	struct loss loss;
	bool no_memory;

	/* The line at hand; `again` = it was not looked at yet. */
	const char *p;
	size_t n;
	bool again, ended;
	uint64_t long_n, long_line; /* lines that were passed over, and the first of them */
	enum status end;

	struct fields header;
	enum bench_client client;
	bool has_header, is_table, awaiting; /* no values behind the header yet */
	uint64_t header_line;
	uint64_t result; /* "[1]:": which of several solutions of a problem, from 0 */
	size_t flop_col; /* of "flopCnt" in the header, or SIZE_MAX */
	bool winner, seen_line;
	uint64_t target; /* device the client runs on */

	/* The row that waits for what may be said about it. */
	struct fields values;
	struct fields scratch; /* a line that may be one, or not: a row that waits keeps its text */
	struct bench_field *row;
	size_t row_cap;
	struct bench_row next;
	bool waiting, elapsed_only;
	struct buf elapsed; /* texts of a row that is only MIOpen's "Elapsed" */

	bool given; /* it was handed out: what was said of it is over */

	struct said said[SAID_MAX];
	size_t nsaid;
};

/* The next line.  False at the end of them, with b->end. */
static bool next_line(struct bench *b)
{
	enum line_kind kind;

	if (b->again) {
		b->again = false;
		return true;
	}
	if (b->ended)
		return false;
	while ((kind = lines_next(&b->lines, b->src, &b->p, &b->n)) == LINE_LONG)
		if (!b->long_n++)
			b->long_line = b->lines.line;
	if (kind == LINE_NONE) {
		b->ended = true;
		b->end = !b->lines.dead                               ? ST_END
		         : !strcmp(b->lines.why.text, diag_no_memory) ? ST_FATAL
		                                                      : ST_WARN;
		return false;
	}
	if (b->n && b->p[b->n - 1] == '\r')
		b->n--;
	if (b->lines.line == 1 && b->n >= 3 && !memcmp(b->p, "\xef\xbb\xbf", 3)) {
		b->p += 3;
		b->n -= 3;
	}
	return true;
}

/* ---- what stands around the rows ---- */

/* Remember, or with n 0 forget, what was said about a column. */
static void said(struct bench *b, enum scope scope, const char *name, size_t nname, const char *p,
                 size_t n)
{
	struct said *s = b->said, *end = b->said + b->nsaid;

	while (s < end && (s->name.n != nname || memcmp(s->name.p, name, nname) != 0))
		s++;
	if (s == end) {
		if (!n || !nname || b->nsaid == SAID_MAX)
			return;
		*s = (struct said) { 0 };
		b->nsaid++;
		buf_add(&s->name, name, nname);
	}
	s->scope = scope;
	buf_clear(&s->value);
	buf_add(&s->value, p, n);
	b->no_memory |= s->name.failed || s->value.failed;
}

static void say(struct bench *b, enum scope scope, const char *name, const char *p, size_t n)
{
	said(b, scope, name, strlen(name), p, n);
}

static void forget(struct bench *b, enum scope scope)
{
	for (size_t i = 0; i < b->nsaid; i++)
		if (b->said[i].scope == scope)
			buf_clear(&b->said[i].value);
}

/* "Device ID 0 : AMD Instinct MI300X VF gfx942:sramecc+:xnack- (PCI Chip ID: ...)" */
static bool take_device(struct bench *b, const char *p, size_t n)
{
	static const char front[] = "Device ID ";
	const char *end = p + n, *arch;
	uint64_t id;

	if (!text_begins(p, n, front))
		return false;
	p = text_number(p + sizeof front - 1, end, &id);
	p = p && id == b->target ? memchr(p, ':', (size_t)(end - p)) : NULL;
	if (!p)
		return true;
	p++;
	arch = text_find(p, (size_t)(end - p), "gfx");
	if (arch) {
		const char *name = p, *stop = arch;
		size_t nname = (size_t)(arch - p);

		while (stop < end && !text_blank(*stop))
			stop++;
		text_trim(&name, &nname);
		say(b, SCOPE_INPUT, "device", name, nname);
		say(b, SCOPE_INPUT, "gcnArchName", arch, (size_t)(stop - arch));
	}
	return true;
}

/* A line that says something about the rows around it. */
static bool take_said(struct bench *b, const char *p, size_t n)
{
	static const char target[] = "(Target device ID is ";
	const char *at;

	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		if (text_begins(p, n, says[i].text)) {
			const char *value = p + strlen(says[i].text);
			size_t len = n - strlen(says[i].text);

			text_trim(&value, &len);
			if (says[i].scope != SCOPE_ROW || b->waiting)
				say(b, says[i].scope, says[i].name, value, len);
			return true;
		}
	if (text_begins(p, n, "Query device")) {
		/* A client begins; another one's device is not its own. */
		b->target = 0;
		say(b, SCOPE_INPUT, "device", "", 0);
		say(b, SCOPE_INPUT, "gcnArchName", "", 0);
		at = text_find(p, n, target);
		if (at)
			text_number(at + sizeof target - 1, p + n, &b->target);
		return true;
	}
	return take_device(b, p, n);
}

/* ---- rows ---- */

static bool add_field(struct bench *b, const char *name, size_t nname, const char *p, size_t n)
{
	struct bench_row *row = &b->next;

	if (!grow_array(&b->row, &b->row_cap, row->n + 1, sizeof *b->row)) {
		b->no_memory = true;
		return false;
	}
	b->row[row->n++] = (struct bench_field) {
		.name = name, .nname = (uint32_t)nname, .p = p, .n = (uint32_t)n
	};
	return true;
}

/* The row that waits, with what was said. */
static void hand_out(struct bench *b, struct bench_row *row)
{
	b->next.nown = b->next.n;
	for (size_t i = 0; i < b->nsaid; i++)
		if (b->said[i].value.n)
			add_field(b, b->said[i].name.p, b->said[i].name.n, b->said[i].value.p,
			          b->said[i].value.n);
	b->next.v = b->row;
	*row = b->next;
	b->waiting = false;
	b->given = true;
}

static void begin_row(struct bench *b, enum bench_client client)
{
	b->next = (struct bench_row) { .client = client, .line = b->lines.line };
	b->waiting = true;
	b->elapsed_only = false;
	b->loss.rows++;
}

static void misfit(struct bench *b, uint64_t line)
{
	loss_line(&b->loss.malformed, &b->loss.malformed_line, line);
}

/* What was cut into b->scratch is the values of the row at hand. */
static void keep_values(struct bench *b)
{
	struct fields f = b->values;

	b->values = b->scratch;
	b->scratch = f;
}

/* Names of the header with the values that were cut. */
static void put_values(struct bench *b)
{
	keep_values(b);
	begin_row(b, b->client);
	b->next.winner = b->winner;
	b->winner = b->awaiting = false;
	for (size_t i = 0; i < b->header.n; i++)
		add_field(b, b->header.v[i].p, b->header.v[i].n, b->values.v[i].p,
		          b->values.v[i].n);
	/* Most problems have one, and it needs no number. */
	if (b->client == BENCH_HIPBLASLT && b->result) {
		char digits[20];

		say(b, SCOPE_ROW, "result", digits,
		    (size_t)(num_put_u64(digits, b->result) - digits));
	}
}

/* ---- headers ---- */

static void take_header(struct bench *b, enum bench_client client, bool table)
{
	static const char misspelt[] = "soulution_index", spelt[] = "solution_index";

	if (b->awaiting)
		misfit(b, b->header_line);
	b->client = client;
	b->has_header = true;
	b->is_table = table;
	b->awaiting = !table;
	b->header_line = b->lines.line;
	b->flop_col = SIZE_MAX;
	for (size_t i = 0; i < b->header.n; i++) {
		struct field_of_line *f = &b->header.v[i];

		if (field_is(f, "flopCnt"))
			b->flop_col = i;
		/* As hipBLASLt's Winner has it. */
		if (field_is(f, misspelt))
			*f = (struct field_of_line) { spelt, sizeof spelt - 1 };
	}
}

/* "[1]:transA,...": the number, and *p behind it; 0 where there is none. */
static uint64_t strip_number(const char **p, size_t *n)
{
	const char *q = *p, *end = q + *n;
	uint64_t v;

	q = q < end && *q == '[' ? text_number(q + 1, end, &v) : NULL;
	if (!q || q == end || *q != ']')
		return 0;
	q++;
	q += q < end && *q == ':';
	*n = (size_t)(end - q);
	*p = q;
	return v;
}

/* A header of a BLAS client: its name is in that of a column. */
static bool blas_header(struct bench *b, const char *p, size_t n)
{
	static const struct {
		const char *name;
		enum bench_client client;
	} marks[] = {
		{ "rocblas-Gflops", BENCH_ROCBLAS },   { "rocblas-GB/s", BENCH_ROCBLAS },
		{ "rocblas-us", BENCH_ROCBLAS },       { "hipblaslt-Gflops", BENCH_HIPBLASLT },
		{ "hipblaslt-GB/s", BENCH_HIPBLASLT },
	};

	uint64_t result = strip_number(&p, &n);

	if (!text_find(p, n, "blas") || !memchr(p, ',', n) ||
	    text_count(p, n, ',') >= BLAS_COLUMNS_MAX)
		return false;
	if (!fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (b->scratch.n > 2 && fields_have(&b->scratch, marks[i].name)) {
			struct fields f = b->header;

			b->header = b->scratch;
			b->scratch = f;
			take_header(b, marks[i].client, fields_have(&b->header, "source"));
			if (b->is_table)
				b->client = BENCH_TABLE;
			b->result = result;
			return true;
		}
	return false;
}

/* The header of a table: names, all different from numbers, and among them something to compare by. */
static bool table_header(struct bench *b, const char *p, size_t n)
{
	bool good = false;
	size_t commas = text_count(p, n, ',');
	double v;

	if (!commas || commas >= HEADER_COLUMNS_MAX)
		return false;
	if (!fields_cut(&b->header, p, n)) {
		b->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < b->header.n; i++) {
		const struct field_of_line *f = &b->header.v[i];

		if (num_real(f->p, f->n, &v))
			return false;
		good |= (b->metric && field_is(f, b->metric)) ||
		        measure_find(f->p, f->n) < measures_n;
	}
	if (good)
		take_header(b, BENCH_TABLE, true);
	return good;
}

/* ---- values ---- */

/* Numbers where the client prints how fast it was? */
static bool plausible(const struct bench *b)
{
	bool any = false;

	for (size_t i = 0; i < b->header.n; i++)
		if (measure_find(b->header.v[i].p, b->header.v[i].n) < measures_n) {
			any = true;
			if (!text_numberish(b->scratch.v[i].p, b->scratch.v[i].n))
				return false;
		}
	return any;
}

/* MIOpen's 3D backward line lacks the comma before flopCnt: "256  309237645312". */
static bool mend_flops(struct bench *b)
{
	struct fields *f = &b->scratch;
	size_t k = b->flop_col - 1;
	const char *gap;

	if (b->flop_col == SIZE_MAX || !b->flop_col || f->n + 1 != b->header.n ||
	    !(gap = memchr(f->v[k].p, ' ', f->v[k].n)))
		return false;
	if (!grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v)) {
		b->no_memory = true;
		return false;
	}
	memmove(&f->v[k + 1], &f->v[k], (f->n - k) * sizeof *f->v);
	f->n++;
	f->v[k].n = (uint32_t)(gap - f->v[k].p);
	f->v[k + 1].n -= f->v[k].n;
	f->v[k + 1].p = gap;
	while (text_blank(*f->v[k + 1].p)) {
		f->v[k + 1].p++;
		f->v[k + 1].n--;
	}
	return true;
}

/* "T,N,..." or "[NTC],[NTC]": how the values of a matrix product begin. */
static bool like_values(const char *p, size_t n)
{
	return n > 4 && memchr("NTC", p[0], 3) && p[1] == ',' && memchr("NTC", p[2], 3) &&
	       p[3] == ',' && text_count(p, n, ',') >= VALUES_COMMAS;
}

/* Values of a BLAS client, or what is left of them. */
static bool blas_values(struct bench *b, const char *p, size_t n)
{
	size_t commas = text_count(p, n, ',');
	bool fresh = b->awaiting && b->lines.line == b->header_line + 1;

	if (commas < 2)
		return false;
	if (b->has_header && !b->is_table && b->client != BENCH_MIOPEN &&
	    commas + 1 >= b->header.n) {
		if (!fields_cut(&b->scratch, p, n)) {
			b->no_memory = true;
			return false;
		}
		if (b->scratch.n == b->header.n && plausible(b)) {
			put_values(b);
			return true;
		}
	}
	if (like_values(p, n) || (fresh && b->client != BENCH_MIOPEN && commas >= VALUES_COMMAS)) {
		misfit(b, b->lines.line);
		b->winner = b->awaiting = false;
	}
	return false;
}

/* A row of a table, whose quotes may hold newlines. */
static void table_row(struct bench *b)
{
	uint64_t line = b->lines.line;
	struct buf text = { 0 };
	const char *p = b->p;
	size_t n = b->n;
	bool odd = text_count(p, n, '"') & 1;

	if (odd && !buf_add(&text, p, n))
		b->no_memory = true;
	while (odd && !b->no_memory && !b->ended && text.n < RECORD_MAX) {
		if (!next_line(b))
			break;
		odd ^= text_count(b->p, b->n, '"') & 1;
		b->no_memory |= !buf_chr(&text, '\n') || !buf_add(&text, b->p, b->n);
		p = text.p;
		n = text.n;
	}
	if (!b->no_memory && !fields_cut(&b->scratch, p, n))
		b->no_memory = true;
	buf_fini(&text);
	if (b->no_memory)
		return;
	/* The same header again: files run together. */
	if (fields_same(&b->header, &b->scratch))
		return;
	if (odd || b->scratch.n != b->header.n) {
		misfit(b, line);
		return;
	}
	put_values(b);
	b->next.line = line;
}

/* ---- MIOpenDriver ---- */

static void miopen_names(struct bench *b, const char *names)
{
	if (!fields_cut(&b->header, names, strlen(names)))
		b->no_memory = true;
	else
		take_header(b, BENCH_MIOPEN, false);
}

/* "stats: ...": a header or values.  Batch normalisation has seven values and no header. */
static bool miopen_stats(struct bench *b, const char *p, size_t n)
{
	static const char front[] = "stats:";

	if (!text_begins(p, n, front))
		return false;
	p += sizeof front - 1;
	n -= sizeof front - 1;
	if (!fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return true;
	}
	if (field_is(&b->scratch.v[0], "name")) {
		struct fields f = b->header;

		b->header = b->scratch;
		b->scratch = f;
		take_header(b, BENCH_MIOPEN, false);
		return true;
	}
	if (b->scratch.n == 7 &&
	    (b->client != BENCH_MIOPEN || b->header.n != 7 || !b->has_header)) {
		b->awaiting = false;
		miopen_names(b, "name,flopCnt,bytesRead,bytesWritten,GFLOPs,GB/s,timeMs");
	}
	if (b->no_memory)
		return true;
	if (!b->has_header || b->client != BENCH_MIOPEN ||
	    (b->scratch.n != b->header.n && !mend_flops(b)) || !plausible(b)) {
		misfit(b, b->lines.line);
		b->awaiting = false;
		return true;
	}
	put_values(b);
	return true;
}

/* "GPU Kernel Time Forward Conv. Elapsed: 2.539060 ms (average)": all there is where no stats follow. */
static bool miopen_elapsed(struct bench *b, const char *p, size_t n)
{
	static const char front[] = "GPU Kernel Time ", mark[] = "Elapsed:";
	const char *at, *end = p + n, *value;
	size_t name;
	double v;

	if (!text_begins(p, n, front) || !(at = text_find(p, n, mark)))
		return false;
	p += sizeof front - 1;
	name = at > p ? (size_t)(at - p) : 0;
	text_trim(&p, &name);
	value = at + sizeof mark - 1;
	while (value < end && text_blank(*value))
		value++;
	for (at = value; at < end && !text_blank(*at);)
		at++;
	if (!text_begins(at, (size_t)(end - at), " ms") ||
	    !num_real(value, (size_t)(at - value), &v))
		return false;
	begin_row(b, BENCH_MIOPEN);
	b->elapsed_only = true;
	buf_clear(&b->elapsed);
	if (!buf_add(&b->elapsed, p, name) || !buf_add(&b->elapsed, value, (size_t)(at - value))) {
		b->no_memory = true;
		return true;
	}
	add_field(b, "name", 4, b->elapsed.p, name);
	add_field(b, "timeMs", 6, b->elapsed.p + name, (size_t)(at - value));
	return true;
}

/* "MIOpen Forward Conv. Algorithm: 3, Solution: 139/ConvWinoFuryRxS<2-3>" */
static bool miopen_algorithm(struct bench *b, const char *p, size_t n)
{
	static const char mark[] = "Algorithm:", second[] = "Solution:";
	const char *at, *end = p + n, *comma, *value;
	size_t len;

	if (!text_begins(p, n, "MIOpen ") || !(at = text_find(p, n, mark)))
		return false;
	value = at + sizeof mark - 1;
	comma = memchr(value, ',', (size_t)(end - value));
	len = (size_t)((comma ? comma : end) - value);
	text_trim(&value, &len);
	say(b, SCOPE_ROW, "algorithm", value, len);
	at = comma ? text_find(comma, (size_t)(end - comma), second) : NULL;
	if (at) {
		value = at + sizeof second - 1;
		len = (size_t)(end - value);
		text_trim(&value, &len);
		say(b, SCOPE_ROW, "solution", value, len);
	}
	return true;
}

/* ---- TunableOp ---- */

/* "Validator,KEY,VALUE" */
static bool tunable_validator(struct bench *b, const char *p, size_t n)
{
	static const char front[] = "Validator,";
	const char *key = p + sizeof front - 1, *comma;
	size_t left, nkey;

	if (!text_begins(p, n, front))
		return false;
	left = n - (sizeof front - 1);
	comma = memchr(key, ',', left);
	if (!comma)
		return false;
	nkey = (size_t)(comma - key);
	left -= nkey + 1;
	if (nkey == 13 && !memcmp(key, "GCN_ARCH_NAME", nkey))
		say(b, SCOPE_INPUT, "gcnArchName", comma + 1, left);
	else
		said(b, SCOPE_INPUT, key, nkey, comma + 1, left);
	return true;
}

/* "GemmTunableOp_Half_TN,tn_28672_938_4096,Gemm_Hipblaslt_TN_9683,0.401578" */
static bool tunable_row(struct bench *b, const char *p, size_t n)
{
	static const char *const names[] = { "op", "params", "solution", "time_ms", "blas" };
	const char *comma = memchr(p, ',', n), *mark;

	if (!comma || !(mark = text_find(p, (size_t)(comma - p), "TunableOp_")))
		return false;
	if (!fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return false;
	}
	if (b->scratch.n < 4 || !text_numberish(b->scratch.v[3].p, b->scratch.v[3].n)) {
		misfit(b, b->lines.line);
		return true;
	}
	keep_values(b);
	begin_row(b, BENCH_TUNABLEOP);
	for (size_t i = 0; i < b->values.n && i < sizeof names / sizeof *names; i++)
		add_field(b, names[i], strlen(names[i]), b->values.v[i].p, b->values.v[i].n);
	return true;
}

/* ---- lines ---- */

/* A command line of a client, for the rows behind it. */
static void take_command(struct bench *b, const char *p, size_t n)
{
	static const char *const programs[] = { "./rocblas-bench ", "rocblas-bench ",
		                                "hipblaslt-bench ", "./bin/MIOpenDriver ",
		                                "MIOpenDriver ",    "MIOpenDriver: " };

	/* What MIOpen logs about its calls is no call of the client. */
	if ((!text_find(p, n, "-bench") && !text_find(p, n, "MIOpenDriver")) ||
	    text_find(p, n, "Command ["))
		return;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		const char *at = text_find(p, n, programs[i]);

		if (!at)
			continue;
		say(b, SCOPE_COMMAND, "command", at, n - (size_t)(at - p));
		return;
	}
}

/* Does the line end what the row that waits can be told?  Whatever may change the header does: the row has
 * its names from there. */
static bool ends_row(const struct bench *b, const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		if (says[i].scope == SCOPE_ROW && text_begins(p, n, says[i].text))
			return false;
	if (b->elapsed_only && text_begins(p, n, "stats:"))
		return false;
	return b->is_table || text_begins(p, n, "stats:") || text_begins(p, n, "MIOpen") ||
	       text_begins(p, n, "GPU Kernel Time") || text_begins(p, n, "Winner:") ||
	       text_begins(p, n, "Git Version") || text_begins(p, n, "Query device") ||
	       memchr(p, ',', n) || text_find(p, n, "blas");
}

static void take_line(struct bench *b, const char *p, size_t n)
{
	bool first = !b->seen_line;

	b->seen_line = true;
	if (b->is_table && !blas_header(b, b->p, b->n)) {
		table_row(b);
		return;
	}
	if (b->is_table)
		return;
	if (text_begins(p, n, "Winner:")) {
		b->winner = true;
		return;
	}
	if (take_said(b, p, n) || miopen_stats(b, p, n) || miopen_elapsed(b, p, n) ||
	    miopen_algorithm(b, p, n) || tunable_validator(b, p, n) || tunable_row(b, p, n))
		return;
	if (blas_header(b, p, n) || (first && table_header(b, p, n)) || blas_values(b, p, n))
		return;
	take_command(b, p, n);
}

struct bench *bench_open(struct source *s, const char *metric)
{
	struct bench *b = calloc(1, sizeof *b);

	if (b) {
		b->src = s;
		b->lines.longest = BENCH_LINE_MAX;
		b->metric = metric;
	}
	return b;
}

enum status bench_next(struct bench *b, struct bench_row *row, struct diag *d)
{
	if (b->given)
		forget(b, SCOPE_ROW);
	b->given = false;
	while (!b->no_memory && next_line(b)) {
		const char *p = b->p;
		size_t n = b->n;

		/* A comment is nothing of a table; a kernel log has no such lines. */
		text_trim(&p, &n);
		if (!n || (*p == '#' && !b->is_table))
			continue;
		if (b->waiting && ends_row(b, p, n)) {
			b->again = true;
			hand_out(b, row);
			if (b->no_memory)
				break;
			return ST_OK;
		}
		take_line(b, p, n);
	}
	if (b->no_memory || b->end == ST_FATAL) {
		diag_oom(d);
		return ST_FATAL;
	}
	if (b->waiting) {
		hand_out(b, row);
		return ST_OK;
	}
	if (b->awaiting)
		misfit(b, b->header_line);
	b->awaiting = false;
	if (b->end == ST_WARN)
		*d = b->lines.why;
	return b->end;
}

const struct loss *bench_loss(const struct bench *b)
{
	return &b->loss;
}

uint64_t bench_long_lines(const struct bench *b, uint64_t *first)
{
	*first = b->long_line;
	return b->long_n;
}

void bench_close(struct bench *b)
{
	if (!b)
		return;
	lines_fini(&b->lines);
	buf_fini(&b->header.text);
	buf_fini(&b->values.text);
	buf_fini(&b->scratch.text);
	buf_fini(&b->elapsed);
	free(b->header.v);
	free(b->values.v);
	free(b->scratch.v);
	free(b->row);
	for (size_t i = 0; i < b->nsaid; i++) {
		buf_fini(&b->said[i].name);
		buf_fini(&b->said[i].value);
	}
	free(b);
}
