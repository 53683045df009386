/* SPDX-License-Identifier: MIT
 * A header says what the values below it mean, until the next one.  In the output of a bench client
 * anything may stand between them, so a line is taken for values when it has as many fields as the
 * header and numbers where the client prints its performance; below the header of a table every
 * line is a row.
 *
 * A row is handed out only when a line comes that cannot belong to it: solution and kernel are
 * printed after the values.  Lines that a launcher put a tag in front of are a process's of its
 * own. */
#include "read/library/lib_bench.h"

#include "read/formats.h"
#include "base/base.h"
#include "read/library/lib_bench_parts.h"
#include "read/library/lib_columns.h"
#include "read/lines.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	SAID_MAX = 64, /* columns that stand around rows, at most */
};

static const struct {
	enum scope scope;
	const char *text, *name;
} says[] = {
#define SAYS(scope_, text_, name_) { .scope = SCOPE_##scope_, .text = (text_), .name = (name_) },
#include "schemas/lib_bench.def"
};

/* Did this voice say anything that lines after it may need? */
static bool speaks(const struct voice *v)
{
	return v->has_header || v->comm_csv || v->comm.ranks || v->comm.header || v->comm.named ||
	       v->waiting || v->winner || v->nsaid || v->target;
}

static void voice_fini(struct voice *v)
{
	tm_buf_fini(&v->header.text);
	tm_buf_fini(&v->values.text);
	tm_buf_fini(&v->elapsed);
	tm_buf_fini(&v->comm_line);
	tm_buf_fini(&v->comm_operation);
	tm_buf_fini(&v->comm_header.text);
	free(v->comm_header.v);
	free(v->header.v);
	free(v->values.v);
	free(v->row);
	for (size_t i = 0; i < v->nsaid; i++) {
		tm_buf_fini(&v->said[i].name);
		tm_buf_fini(&v->said[i].value);
	}
	free(v->said);
}

/* What the last line of a new tag said is kept, if it was anything. */
static bool keep_fresh(struct tm_bench *b)
{
	size_t had = b->tagged_cap;

	if (!b->fresh || !speaks(b->fresh))
		return true;
	if (!tm_grow_array(&b->tagged, &b->tagged_cap, (size_t)b->fresh_tag + 1, sizeof *b->tagged))
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
static bool tagged_voice(struct tm_bench *b, const struct tm_line_tag *tag)
{
	uint32_t id = tm_names_add(&b->tags, tag->who, tag->nwho);

	if (id == TM_NAME_NONE)
		return false;
	if (id < b->ntagged && b->tagged[id]) {
		b->v = b->tagged[id];
		return true;
	}
	if (!b->fresh)
		b->fresh = calloc(1, sizeof *b->fresh);
	if (!b->fresh)
		return false;
	b->fresh->measures = false;
	b->fresh->has_rank = tag->has_rank;
	b->fresh->rank_n = (size_t)(tm_num_put_u64(b->fresh->rank_text, tag->rank) -
	                            b->fresh->rank_text);
	b->fresh_tag = id;
	b->v = b->fresh;
	return true;
}

/* Where a command line of a client begins, or NULL. */
static const char *find_command(const char *p, size_t n)
{
	static const char *const programs[] = { "./rocblas-bench ", "rocblas-bench ",
		                                "hipblaslt-bench ", "./bin/MIOpenDriver ",
		                                "MIOpenDriver ",    "MIOpenDriver: " };
	const char *at = NULL;

	/* What MIOpen logs about its calls is no call of the client. */
	if ((!tm_text_find(p, n, "-bench") && !tm_text_find(p, n, "MIOpenDriver")) ||
	    tm_text_find(p, n, "Command ["))
		return NULL;
	for (size_t i = 0; i < sizeof programs / sizeof *programs && !at; i++)
		at = tm_text_find(p, n, programs[i]);
	return at;
}

/* Whose the line at hand is, and what it says without the tag.  What follows a carriage return is
 * its voice's who was at it, unless it has a tag. */
static void find_voice(struct tm_bench *b, bool follows)
{
	struct tm_line_tag tag = { 0 };

	/* A table has rows, whatever they begin with. */
	if (!b->plain.is_table)
		tag = tm_line_tag(b->p, b->n);
	if (!follows)
		b->v = &b->plain;
	if (!keep_fresh(b) || (tag.nwho && !tagged_voice(b, &tag)))
		b->no_memory = true;
	b->p += tag.n;
	b->n -= tag.n;
	if (!tag.nwho || b->no_memory)
		return;
	/* "test1: ./rocblas-bench ..." may be what a script says before lines without a tag, or
	 * what a process does before its first row: it is everybody's who may be meant. */
	if (!b->v->measures && !b->open_end && find_command(b->p, b->n)) {
		b->twin = b->v;
		b->v = &b->plain;
	}
}

/* Without escape sequences, which color text. */
static void drop_escapes(struct tm_bench *b)
{
	const char *p = b->p, *end = p + b->n, *esc;

	if (!memchr(p, '\x1b', b->n))
		return;
	tm_buf_clear(&b->uncolored);
	while ((esc = memchr(p, '\x1b', (size_t)(end - p)))) {
		size_t n = tm_line_escape(esc, end);

		tm_buf_add(&b->uncolored, p, (size_t)(esc - p) + !n);
		p = esc + (n ? n : 1);
	}
	b->no_memory |= !tm_buf_add(&b->uncolored, p, (size_t)(end - p));
	b->n = b->uncolored.n;
	b->p = b->n ? b->uncolored.p : "";
}

/* Up to the next carriage return, which begins the line anew on a terminal: progress bars are
 * before it.  In a table it may stand in quotes. */
static void cut_return(struct tm_bench *b)
{
	const char *cr = b->n ? memchr(b->p, '\r', b->n) : NULL;

	b->nrest = 0;
	if (!cr || (b->plain.is_table && cr + 1 < b->p + b->n))
		return;
	b->rest = cr + 1;
	b->nrest = b->n - (size_t)(b->rest - b->p);
	b->n = (size_t)(cr - b->p);
}

/* The next line.  False at the end of them, with b->end. */
bool tm_bench_next_line(struct tm_bench *b)
{
	enum tm_line_kind kind;

	if (b->again) {
		b->again = false;
		return true;
	}
	if (b->twin) {
		b->v = b->twin;
		b->twin = NULL;
		return true;
	}
	if (b->nrest) {
		b->p = b->rest;
		b->n = b->nrest;
		cut_return(b);
		b->open_end = b->cut && !b->nrest;
		find_voice(b, true);
		return true;
	}
	if (b->ended)
		return false;
	while ((kind = tm_lines_next(&b->lines, b->src, &b->p, &b->n)) == TM_LINE_LONG)
		if (!b->long_n++)
			b->long_line = b->lines.line;
	if (kind == TM_LINE_NONE) {
		b->ended = true;
		b->end = !b->lines.dead                       ? TM_ST_END
		         : b->lines.why.status == TM_ST_NOMEM ? TM_ST_FATAL
		                                              : TM_ST_WARN;
		return false;
	}
	b->cut = kind == TM_LINE_CUT;
	if (b->lines.line == 1 && b->n >= 3 && !memcmp(b->p, "\xef\xbb\xbf", 3)) {
		b->p += 3;
		b->n -= 3;
	}
	drop_escapes(b);
	cut_return(b);
	b->open_end = b->cut && !b->nrest;
	find_voice(b, false);
	return true;
}

/* ---- what stands around the rows ---- */

/* Remember, or with n 0 forget, what was said about a column. */
void tm_bench_said(struct tm_bench *b, enum scope scope, const char *name, size_t nname,
                   const char *p, size_t n)
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
		if (!tm_grow_array(&v->said, &v->said_cap, v->nsaid + 1, sizeof *v->said)) {
			b->no_memory = true;
			return;
		}
		v->said[v->nsaid++] = (struct said) { 0 };
		tm_buf_add(&v->said[i].name, name, nname);
	}
	s = &v->said[i];
	s->scope = scope;
	tm_buf_clear(&s->value);
	tm_buf_add(&s->value, p, n);
	b->no_memory |= s->name.failed || s->value.failed;
}

void tm_bench_say(struct tm_bench *b, enum scope scope, const char *name, const char *p, size_t n)
{
	tm_bench_said(b, scope, name, strlen(name), p, n);
}

static void forget(struct tm_bench *b, enum scope scope)
{
	for (size_t i = 0; i < b->v->nsaid; i++)
		if (b->v->said[i].scope == scope)
			tm_buf_clear(&b->v->said[i].value);
}

/* "Device ID 0 : AMD Instinct MI300X VF gfx942:sramecc+:xnack- (PCI Chip ID: ...)" */
static bool take_device(struct tm_bench *b, const char *p, size_t n)
{
	static const char front[] = "Device ID ";
	const char *end = p + n, *arch;
	uint64_t id;

	if (!tm_text_begins(p, n, front))
		return false;
	p = tm_text_number(p + sizeof front - 1, end, &id);
	p = p && id == b->v->target ? memchr(p, ':', (size_t)(end - p)) : NULL;
	if (!p)
		return true;
	p++;
	arch = tm_text_find(p, (size_t)(end - p), "gfx");
	if (arch) {
		const char *name = p, *stop = arch;
		size_t nname = (size_t)(arch - p);

		while (stop < end && !tm_text_blank(*stop))
			stop++;
		tm_text_trim(&name, &nname);
		tm_bench_say(b, SCOPE_INPUT, "device", name, nname);
		tm_bench_say(b, SCOPE_INPUT, "gcnArchName", arch, (size_t)(stop - arch));
	}
	return true;
}

/* A line that says something about the rows around it. */
static bool take_said(struct tm_bench *b, const char *p, size_t n)
{
	static const char target[] = "(Target device ID is ";
	const char *at;

	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		if (tm_text_begins(p, n, says[i].text)) {
			const char *value = p + strlen(says[i].text);
			size_t len = n - strlen(says[i].text);

			tm_text_trim(&value, &len);
			if (says[i].scope != SCOPE_ROW || b->v->waiting)
				tm_bench_say(b, says[i].scope, says[i].name, value, len);
			return true;
		}
	if (tm_text_begins(p, n, "Query device")) {
		/* A client begins; another one's device is not its own. */
		b->v->target = 0;
		tm_bench_say(b, SCOPE_INPUT, "device", "", 0);
		tm_bench_say(b, SCOPE_INPUT, "gcnArchName", "", 0);
		at = tm_text_find(p, n, target);
		if (at)
			tm_text_number(at + sizeof target - 1, p + n, &b->v->target);
		return true;
	}
	return take_device(b, p, n);
}

/* ---- rows ---- */

bool tm_bench_add_field(struct tm_bench *b, const char *name, size_t nname, const char *p, size_t n)
{
	struct tm_bench_row *row = &b->v->next;

	if (!tm_grow_array(&b->v->row, &b->v->row_cap, row->n + 1, sizeof *b->v->row)) {
		b->no_memory = true;
		return false;
	}
	b->v->row[row->n++] = (struct tm_bench_field) {
		.name = name, .nname = (uint32_t)nname, .p = p, .n = (uint32_t)n
	};
	return true;
}

/* The line at hand is a row.  False when it is not to be taken: its last number may not be whole.
 */
bool tm_bench_begin_row(struct tm_bench *b, enum tm_bench_client client)
{
	if (b->open_end) {
		tm_loss_line(&b->loss, TM_LOSS_LINE_UNENDED, b->lines.line);
		return false;
	}
	b->v->next = (struct tm_bench_row) { .client = client, .line = b->lines.line };
	b->v->waiting = true;
	b->v->measures = true;
	b->v->elapsed_only = false;
	b->loss.rows++;
	return true;
}

void tm_bench_misfit(struct tm_bench *b, uint64_t line)
{
	tm_loss_line(&b->loss, TM_LOSS_LINE_MALFORMED, line);
}

/* The row that waits, with what was said. */
static void hand_out(struct tm_bench *b, struct tm_bench_row *row)
{
	b->v->next.nown = b->v->next.n;
	for (size_t i = 0; i < b->v->nsaid; i++)
		if (b->v->said[i].value.n)
			tm_bench_add_field(b, b->v->said[i].name.p, b->v->said[i].name.n,
			                   b->v->said[i].value.p, b->v->said[i].value.n);
	if (b->v->has_rank)
		tm_bench_add_field(b, "rank", 4, b->v->rank_text, b->v->rank_n);
	b->v->next.who = b->v->who;
	b->v->next.v = b->v->row;
	*row = b->v->next;
	b->v->waiting = false;
	b->v->given = true;
}

/* ---- lines ---- */

/* A command line of a client, for the rows after it. */
static void take_command(struct tm_bench *b, const char *p, size_t n)
{
	const char *at = find_command(p, n);

	if (at)
		tm_bench_say(b, SCOPE_COMMAND, "command", at, n - (size_t)(at - p));
	else
		tm_bench_comm_command(b, p, n);
}

/* Does the line end what the row that waits can be told?  Whatever may change the header does: the
 * row has its names from there. */
static bool ends_row(const struct tm_bench *b, const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		if (tm_text_begins(p, n, says[i].text))
			return says[i].scope != SCOPE_ROW;
	if (b->v->elapsed_only && tm_text_begins(p, n, "stats:"))
		return false;
	if (tm_bench_comm_begins(p, n))
		return true;
	return b->v->is_table || tm_text_begins(p, n, "stats:") || tm_text_begins(p, n, "MIOpen") ||
	       tm_text_begins(p, n, "GPU Kernel Time") || tm_text_begins(p, n, "Winner:") ||
	       tm_text_begins(p, n, "Device ID ") || tm_text_begins(p, n, "Query device") ||
	       memchr(p, ',', n) || tm_text_find(p, n, "blas") || find_command(p, n);
}

/* A line without its newline: nothing that it says is taken, for want of the rest. */
static void last_line(struct tm_bench *b, const char *p, size_t n)
{
	if (tm_bench_miopen_stats(b, p, n) || tm_bench_miopen_elapsed(b, p, n) ||
	    tm_bench_tunable_row(b, p, n) || tm_bench_blas_values(b, p, n) ||
	    tm_bench_comm_values(b, p, n) || tm_bench_comm_record(b, p, n) ||
	    b->loss.of[TM_LOSS_LINE_UNENDED].n)
		return;
	tm_loss_line(&b->loss, TM_LOSS_LINE_OPEN_END, b->lines.line);
}

static void take_line(struct tm_bench *b, const char *p, size_t n)
{
	bool first = !b->v->seen_line && b->v == &b->plain;

	b->v->seen_line = true;
	if (b->open_end && !b->v->is_table) {
		last_line(b, p, n);
		return;
	}
	if (b->v->is_table && !tm_bench_blas_header(b, b->p, b->n)) {
		tm_bench_table_row(b);
		return;
	}
	if (b->v->is_table)
		return;
	if (tm_bench_comm_values(b, p, n) || tm_bench_comm_record(b, p, n))
		return;
	if (tm_text_begins(p, n, "Winner:")) {
		b->v->winner = true;
		return;
	}
	if (take_said(b, p, n) || tm_bench_miopen_stats(b, p, n) ||
	    tm_bench_miopen_elapsed(b, p, n) || tm_bench_miopen_algorithm(b, p, n) ||
	    tm_bench_tunable_validator(b, p, n) || tm_bench_tunable_row(b, p, n))
		return;
	if (tm_bench_blas_header(b, p, n) || (first && tm_bench_table_header(b, p, n)) ||
	    tm_bench_blas_values(b, p, n))
		return;
	take_command(b, p, n);
}

struct tm_bench *tm_bench_open(struct tm_source *s, const char *metric)
{
	struct tm_bench *b = calloc(1, sizeof *b);

	if (b) {
		b->src = s;
		b->v = &b->plain;
		b->lines.longest = TM_BENCH_LINE_MAX;
		b->metric = metric;
	}
	return b;
}

/* At the end of the input: the rows that wait, a voice after the other, and headers nothing came
 * after.  False when there is no more. */
static bool last_row(struct tm_bench *b, struct tm_bench_row *row)
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
			tm_bench_misfit(b, b->v->header_line);
		b->v->awaiting = false;
	}
	b->v = &b->plain;
	return false;
}

enum tm_status tm_bench_next(struct tm_bench *b, struct tm_bench_row *row, struct tm_diag *d)
{
	if (b->v->given)
		forget(b, SCOPE_ROW);
	b->v->given = false;
	while (!b->no_memory && (b->v->comm.left || tm_bench_next_line(b))) {
		const char *p = b->p;
		size_t n = b->n;

		if (b->v->comm.left) {
			tm_bench_comm_row(b);
			hand_out(b, row);
			if (b->no_memory)
				break;
			return TM_ST_OK;
		}
		/* A comment is nothing of a table; a kernel log has no such lines. */
		tm_text_trim(&p, &n);
		if (!b->v->is_table)
			tm_bench_drop_front(b, &p, &n);
		if ((!n || (*p == '#' && !b->v->is_table)) &&
		    !(b->v->waiting && tm_bench_comm_begins(p, n))) {
			if (b->open_end)
				last_line(b, p, n);
			else if (n)
				tm_bench_comm_comment(b, p, n);
			continue;
		}
		if (b->v->waiting && ends_row(b, p, n)) {
			b->again = true;
			hand_out(b, row);
			if (b->no_memory)
				break;
			return TM_ST_OK;
		}
		take_line(b, p, n);
	}
	b->no_memory |= !keep_fresh(b);
	if (!b->no_memory && b->end != TM_ST_FATAL && last_row(b, row))
		return TM_ST_OK;
	if (b->no_memory || b->end == TM_ST_FATAL) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	if (b->end == TM_ST_WARN)
		*d = b->lines.why;
	return b->end;
}

const struct tm_bench_comm *tm_bench_comm_facts(const struct tm_bench *b)
{
	return &b->comm;
}

const struct tm_loss *tm_bench_loss(const struct tm_bench *b)
{
	return &b->loss;
}

uint64_t tm_bench_long_lines(const struct tm_bench *b, uint64_t *first)
{
	*first = b->long_line;
	return b->long_n;
}

void tm_bench_close(struct tm_bench *b)
{
	if (!b)
		return;
	tm_lines_fini(&b->lines);
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
	tm_names_fini(&b->tags);
	tm_buf_fini(&b->scratch.text);
	tm_buf_fini(&b->uncolored);
	free(b->scratch.v);
	free(b);
}

/* Any table that names a time is a measurement, but most such tables are something else. */
static bool has_rows(struct tm_source *s)
{
	struct tm_bench *b = tm_bench_open(s, NULL);
	struct tm_bench_row row;
	struct tm_diag none = { 0 };
	bool found = false;

	while (b && !found && tm_bench_next(b, &row, &none) == TM_ST_OK)
		found = row.client != TM_BENCH_TABLE;
	tm_bench_close(b);
	return found;
}

static bool bench_is(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_bytes_try(p, n, has_rows);
}

const struct tm_bytes_ops tm_bytes_lib_bench = {
	.name = "library-bench",
	.about = "output of rocblas-bench, hipblaslt-bench, MIOpenDriver, rccl-tests, TunableOp",
	.what = "output of a benchmark of GPU libraries",
	.tool = "libperf bench",
	.is = bench_is,
};
