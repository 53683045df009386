/* SPDX-License-Identifier: MIT
 * A header says what the values below it mean, until the next one.  In the output of a bench client
 * anything may stand between them, so a line is taken for values when it has as many fields as the header
 * and numbers where the client prints its performance; below the header of a table every line is a row.
 *
 * A row is handed out only when a line comes that cannot belong to it: solution and kernel are printed
 * behind the values.  Lines that a launcher put a tag in front of are a process's of its own. */
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

/* One process among those whose lines the input holds: what it said last is true of its own rows only. */
struct voice {
	bool has_rank;
	char rank_text[20];
	size_t rank_n;
	size_t who; /* bench_row.who */

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
	struct bench_field *row;
	size_t row_cap;
	struct bench_row next;
	bool waiting, elapsed_only;
	struct buf elapsed; /* texts of a row that is only MIOpen's "Elapsed" */

	bool given; /* it was handed out: what was said of it is over */

	struct said *said;
	size_t nsaid, said_cap;
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
	struct fields
	        scratch; /* a line that may be values, or not: a row that waits keeps its text */

	struct voice *v;     /* of the line at hand */
	struct voice plain;  /* of lines without a tag */
	struct voice *fresh; /* of a tag that has not said anything yet, or NULL */
	uint32_t fresh_tag;
	struct names tags;
	struct voice **tagged; /* by id in tags; NULL: said nothing */
	size_t ntagged, tagged_cap, voices;
	size_t left; /* at the end: 1 + the next of tagged[], 0 = plain */
};

/* Did this voice say anything that lines behind it may need? */
static bool speaks(const struct voice *v)
{
	return v->has_header || v->waiting || v->winner || v->nsaid || v->target;
}

static void voice_fini(struct voice *v)
{
	buf_fini(&v->header.text);
	buf_fini(&v->values.text);
	buf_fini(&v->elapsed);
	free(v->header.v);
	free(v->values.v);
	free(v->row);
	for (size_t i = 0; i < v->nsaid; i++) {
		buf_fini(&v->said[i].name);
		buf_fini(&v->said[i].value);
	}
	free(v->said);
}

/* What the last line of a new tag said is kept, if it was anything. */
static bool keep_fresh(struct bench *b)
{
	size_t had = b->tagged_cap;

	if (!b->fresh || !speaks(b->fresh))
		return true;
	if (!grow_array(&b->tagged, &b->tagged_cap, (size_t)b->fresh_tag + 1, sizeof *b->tagged))
		return false;
	for (; had < b->tagged_cap; had++)
		b->tagged[had] = NULL;
	b->tagged[b->fresh_tag] = b->fresh;
	b->fresh->who = ++b->voices;
	b->ntagged = b->fresh_tag >= b->ntagged ? (size_t)b->fresh_tag + 1 : b->ntagged;
	b->fresh = NULL;
	return true;
}

/* The voice of a line with that tag.  False when out of memory. */
static bool tagged_voice(struct bench *b, const struct line_tag *tag)
{
	uint32_t id = names_add(&b->tags, tag->who, tag->nwho);

	if (id == NAME_NONE)
		return false;
	if (id < b->ntagged && b->tagged[id]) {
		b->v = b->tagged[id];
		return true;
	}
	if (!b->fresh)
		b->fresh = calloc(1, sizeof *b->fresh);
	if (!b->fresh)
		return false;
	b->fresh->has_rank = tag->has_rank;
	b->fresh->rank_n = (size_t)(num_put_u64(b->fresh->rank_text, tag->rank) -
	                            b->fresh->rank_text);
	b->fresh_tag = id;
	b->v = b->fresh;
	return true;
}

/* Whose the line at hand is, and what it says without the tag. */
static void find_voice(struct bench *b)
{
	struct line_tag tag = { 0 };

	/* A table has rows, whatever they begin with. */
	if (!b->plain.is_table)
		tag = line_tag(b->p, b->n);
	b->v = &b->plain;
	if (!keep_fresh(b) || (tag.n && !tagged_voice(b, &tag)))
		b->no_memory = true;
	b->p += tag.n;
	b->n -= tag.n;
}

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
	find_voice(b);
	return true;
}

/* ---- what stands around the rows ---- */

/* Remember, or with n 0 forget, what was said about a column. */
static void said(struct bench *b, enum scope scope, const char *name, size_t nname, const char *p,
                 size_t n)
{
	struct voice *v = b->v;
	struct said *s;
	size_t i = 0;

	while (i < v->nsaid &&
	       (v->said[i].name.n != nname || memcmp(v->said[i].name.p, name, nname) != 0))
		i++;
	if (i == v->nsaid) {
		if (!n || !nname || v->nsaid == SAID_MAX)
			return;
		if (!grow_array(&v->said, &v->said_cap, v->nsaid + 1, sizeof *v->said)) {
			b->no_memory = true;
			return;
		}
		v->said[v->nsaid++] = (struct said) { 0 };
		buf_add(&v->said[i].name, name, nname);
	}
	s = &v->said[i];
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
	for (size_t i = 0; i < b->v->nsaid; i++)
		if (b->v->said[i].scope == scope)
			buf_clear(&b->v->said[i].value);
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
	p = p && id == b->v->target ? memchr(p, ':', (size_t)(end - p)) : NULL;
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
			if (says[i].scope != SCOPE_ROW || b->v->waiting)
				say(b, says[i].scope, says[i].name, value, len);
			return true;
		}
	if (text_begins(p, n, "Query device")) {
		/* A client begins; another one's device is not its own. */
		b->v->target = 0;
		say(b, SCOPE_INPUT, "device", "", 0);
		say(b, SCOPE_INPUT, "gcnArchName", "", 0);
		at = text_find(p, n, target);
		if (at)
			text_number(at + sizeof target - 1, p + n, &b->v->target);
		return true;
	}
	return take_device(b, p, n);
}

/* ---- rows ---- */

static bool add_field(struct bench *b, const char *name, size_t nname, const char *p, size_t n)
{
	struct bench_row *row = &b->v->next;

	if (!grow_array(&b->v->row, &b->v->row_cap, row->n + 1, sizeof *b->v->row)) {
		b->no_memory = true;
		return false;
	}
	b->v->row[row->n++] = (struct bench_field) {
		.name = name, .nname = (uint32_t)nname, .p = p, .n = (uint32_t)n
	};
	return true;
}

/* The row that waits, with what was said. */
static void hand_out(struct bench *b, struct bench_row *row)
{
	b->v->next.nown = b->v->next.n;
	for (size_t i = 0; i < b->v->nsaid; i++)
		if (b->v->said[i].value.n)
			add_field(b, b->v->said[i].name.p, b->v->said[i].name.n,
			          b->v->said[i].value.p, b->v->said[i].value.n);
	if (b->v->has_rank)
		add_field(b, "rank", 4, b->v->rank_text, b->v->rank_n);
	b->v->next.who = b->v->who;
	b->v->next.v = b->v->row;
	*row = b->v->next;
	b->v->waiting = false;
	b->v->given = true;
}

static void begin_row(struct bench *b, enum bench_client client)
{
	b->v->next = (struct bench_row) { .client = client, .line = b->lines.line };
	b->v->waiting = true;
	b->v->elapsed_only = false;
	b->loss.rows++;
}

static void misfit(struct bench *b, uint64_t line)
{
	loss_line(&b->loss.malformed, &b->loss.malformed_line, line);
}

/* What was cut into b->scratch is the values of the row at hand. */
static void keep_values(struct bench *b)
{
	struct fields f = b->v->values;

	b->v->values = b->scratch;
	b->scratch = f;
}

/* Names of the header with the values that were cut. */
static void put_values(struct bench *b)
{
	keep_values(b);
	begin_row(b, b->v->client);
	b->v->next.winner = b->v->winner;
	b->v->winner = b->v->awaiting = false;
	for (size_t i = 0; i < b->v->header.n; i++)
		add_field(b, b->v->header.v[i].p, b->v->header.v[i].n, b->v->values.v[i].p,
		          b->v->values.v[i].n);
	/* Most problems have one, and it needs no number. */
	if (b->v->client == BENCH_HIPBLASLT && b->v->result) {
		char digits[20];

		say(b, SCOPE_ROW, "result", digits,
		    (size_t)(num_put_u64(digits, b->v->result) - digits));
	}
}

/* ---- headers ---- */

static void take_header(struct bench *b, enum bench_client client, bool table)
{
	static const char misspelt[] = "soulution_index", spelt[] = "solution_index";

	if (b->v->awaiting)
		misfit(b, b->v->header_line);
	b->v->client = client;
	b->v->has_header = true;
	b->v->is_table = table;
	b->v->awaiting = !table;
	b->v->header_line = b->lines.line;
	b->v->flop_col = SIZE_MAX;
	for (size_t i = 0; i < b->v->header.n; i++) {
		struct field_of_line *f = &b->v->header.v[i];

		if (field_is(f, "flopCnt"))
			b->v->flop_col = i;
		/* As hipBLASLt's Winner has it. */
		if (field_is(f, misspelt))
			*f = (struct field_of_line) { spelt, sizeof spelt - 1 };
	}
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

	uint64_t result = text_strip_number(&p, &n);

	if (!text_find(p, n, "blas") || !memchr(p, ',', n) ||
	    text_count(p, n, ',') >= BLAS_COLUMNS_MAX)
		return false;
	if (!fields_cut(&b->scratch, p, n)) {
		b->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (b->scratch.n > 2 && fields_have(&b->scratch, marks[i].name)) {
			struct fields f = b->v->header;

			b->v->header = b->scratch;
			b->scratch = f;
			take_header(b, marks[i].client, fields_have(&b->v->header, "source"));
			if (b->v->is_table)
				b->v->client = BENCH_TABLE;
			b->v->result = result;
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
	if (!fields_cut(&b->v->header, p, n)) {
		b->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < b->v->header.n; i++) {
		const struct field_of_line *f = &b->v->header.v[i];

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

	for (size_t i = 0; i < b->v->header.n; i++)
		if (measure_find(b->v->header.v[i].p, b->v->header.v[i].n) < measures_n) {
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
	size_t k = b->v->flop_col - 1;
	const char *gap;

	if (b->v->flop_col == SIZE_MAX || !b->v->flop_col || f->n + 1 != b->v->header.n ||
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

/* Values of a BLAS client, or what is left of them. */
static bool blas_values(struct bench *b, const char *p, size_t n)
{
	size_t commas = text_count(p, n, ',');
	bool fresh = b->v->awaiting && b->lines.line == b->v->header_line + 1;

	if (commas < 2)
		return false;
	if (b->v->has_header && !b->v->is_table && b->v->client != BENCH_MIOPEN &&
	    commas + 1 >= b->v->header.n) {
		if (!fields_cut(&b->scratch, p, n)) {
			b->no_memory = true;
			return false;
		}
		if (b->scratch.n == b->v->header.n && plausible(b)) {
			put_values(b);
			return true;
		}
	}
	if (text_like_values(p, n) ||
	    (fresh && b->v->client != BENCH_MIOPEN && commas >= VALUES_COMMAS)) {
		misfit(b, b->lines.line);
		b->v->winner = b->v->awaiting = false;
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
	/* The next line with a tag may be another's. */
	while (odd && b->v == &b->plain && !b->no_memory && !b->ended && text.n < RECORD_MAX) {
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
	if (fields_same(&b->v->header, &b->scratch))
		return;
	if (odd || b->scratch.n != b->v->header.n) {
		misfit(b, line);
		return;
	}
	put_values(b);
	b->v->next.line = line;
}

/* ---- MIOpenDriver ---- */

static void miopen_names(struct bench *b, const char *names)
{
	if (!fields_cut(&b->v->header, names, strlen(names)))
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
		struct fields f = b->v->header;

		b->v->header = b->scratch;
		b->scratch = f;
		take_header(b, BENCH_MIOPEN, false);
		return true;
	}
	if (b->scratch.n == 7 &&
	    (b->v->client != BENCH_MIOPEN || b->v->header.n != 7 || !b->v->has_header)) {
		b->v->awaiting = false;
		miopen_names(b, "name,flopCnt,bytesRead,bytesWritten,GFLOPs,GB/s,timeMs");
	}
	if (b->no_memory)
		return true;
	if (!b->v->has_header || b->v->client != BENCH_MIOPEN ||
	    (b->scratch.n != b->v->header.n && !mend_flops(b)) || !plausible(b)) {
		misfit(b, b->lines.line);
		b->v->awaiting = false;
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
	b->v->elapsed_only = true;
	buf_clear(&b->v->elapsed);
	if (!buf_add(&b->v->elapsed, p, name) ||
	    !buf_add(&b->v->elapsed, value, (size_t)(at - value))) {
		b->no_memory = true;
		return true;
	}
	add_field(b, "name", 4, b->v->elapsed.p, name);
	add_field(b, "timeMs", 6, b->v->elapsed.p + name, (size_t)(at - value));
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
	for (size_t i = 0; i < b->v->values.n && i < sizeof names / sizeof *names; i++)
		add_field(b, names[i], strlen(names[i]), b->v->values.v[i].p, b->v->values.v[i].n);
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
	if (b->v->elapsed_only && text_begins(p, n, "stats:"))
		return false;
	return b->v->is_table || text_begins(p, n, "stats:") || text_begins(p, n, "MIOpen") ||
	       text_begins(p, n, "GPU Kernel Time") || text_begins(p, n, "Winner:") ||
	       text_begins(p, n, "Git Version") || text_begins(p, n, "Query device") ||
	       memchr(p, ',', n) || text_find(p, n, "blas");
}

static void take_line(struct bench *b, const char *p, size_t n)
{
	bool first = !b->v->seen_line && b->v == &b->plain;

	b->v->seen_line = true;
	if (b->v->is_table && !blas_header(b, b->p, b->n)) {
		table_row(b);
		return;
	}
	if (b->v->is_table)
		return;
	if (text_begins(p, n, "Winner:")) {
		b->v->winner = true;
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
		b->v = &b->plain;
		b->lines.longest = BENCH_LINE_MAX;
		b->metric = metric;
	}
	return b;
}

/* At the end of the input: the rows that wait, a voice after the other, and headers nothing came behind.  False
 * when there is no more. */
static bool last_row(struct bench *b, struct bench_row *row)
{
	for (; b->left <= b->ntagged; b->left++) {
		b->v = b->left ? b->tagged[b->left - 1] : &b->plain;
		if (!b->v)
			continue;
		if (b->v->waiting) {
			hand_out(b, row);
			return !b->no_memory;
		}
		if (b->v->awaiting)
			misfit(b, b->v->header_line);
		b->v->awaiting = false;
	}
	b->v = &b->plain;
	return false;
}

enum status bench_next(struct bench *b, struct bench_row *row, struct diag *d)
{
	if (b->v->given)
		forget(b, SCOPE_ROW);
	b->v->given = false;
	while (!b->no_memory && next_line(b)) {
		const char *p = b->p;
		size_t n = b->n;

		/* A comment is nothing of a table; a kernel log has no such lines. */
		text_trim(&p, &n);
		if (!n || (*p == '#' && !b->v->is_table))
			continue;
		if (b->v->waiting && ends_row(b, p, n)) {
			b->again = true;
			hand_out(b, row);
			if (b->no_memory)
				break;
			return ST_OK;
		}
		take_line(b, p, n);
	}
	b->no_memory |= !keep_fresh(b);
	if (!b->no_memory && b->end != ST_FATAL && last_row(b, row))
		return ST_OK;
	if (b->no_memory || b->end == ST_FATAL) {
		diag_oom(d);
		return ST_FATAL;
	}
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
	voice_fini(&b->plain);
	for (size_t i = 0; i < b->ntagged; i++) {
		if (b->tagged[i])
			voice_fini(b->tagged[i]);
		free(b->tagged[i]);
	}
	free(b->tagged);
	if (b->fresh)
		voice_fini(b->fresh);
	free(b->fresh);
	names_fini(&b->tags);
	buf_fini(&b->scratch.text);
	free(b->scratch.v);
	free(b);
}
