/* SPDX-License-Identifier: MIT
 * Most bytes of a log are none of ours, so what decides about speed is to pass over them: pairs of
 * bytes that are rare in other text, and in every text we look for, are searched a vector at a
 * time. */
#include "read/library/lib_log.h"

#include "read/formats.h"
#include "model/model.h"
#include "read/library/rccl.h"
#include "read/lines.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
	READ_BYTES = 1024 * 1024,
	BEHIND_MAX = 4096,        /* bytes looked at in front of a mark */
	AHEAD_MAX = 64,           /* no mark is longer */
	RECORD_MAX = 1024 * 1024, /* bytes of a call */
};

/* What a call begins with, or has near its beginning. */
enum mark {
	MARK_ROCBLAS,
	MARK_HIPBLASLT,
	MARK_ROCBLAS_FUNCTION,
	MARK_MATMUL,
	MARK_MIOPEN,
	MARK_TENSILE,
	MARK_RCCL,
	MARK_ROCBLAS_TRACE,
	MARKS,
};

/* Each with the place of its pair in it. */
static const struct {
	const char *text;
	unsigned char n, pair;
} marks[MARKS] = {
#define MARK(text_, pair_)                                                                         \
	{                                                                                          \
		.text = text_, .n = sizeof text_ - 1, .pair = pair_                                \
	}
	[MARK_ROCBLAS] = MARK("rocblas-bench ", 7),
	[MARK_HIPBLASLT] = MARK("hipblaslt-bench ", 9),
	[MARK_ROCBLAS_FUNCTION] = MARK("rocblas_function: ", 15),
	[MARK_MATMUL] = MARK("function: matmul", 7),
	[MARK_MIOPEN] = MARK("Command [LogCmd", 11),
	[MARK_TENSILE] = MARK("Running kernel: ", 13),
	[MARK_RCCL] = MARK(TM_RCCL_MARK, 3),
	[MARK_ROCBLAS_TRACE] = MARK("rocblas_", 2),
};

struct scan {
	struct tm_lib_calls *calls;
	struct tm_source *src;
	struct tm_buf buf;
	size_t pos; /* what is before it was looked at */
	size_t seen,
	        newline; /* the end of the line at `pos` is not before `seen`; is `newline` > pos */
	bool eof, broken;
	struct tm_diag why;
	uint64_t lines; /* ends of lines so far */
	struct tm_buf text;
	uint64_t found; /* marks, whatever became of them */
	bool no_memory;
};

/* ---- marks ---- */

/* What every machine this is built for has in one register. */
typedef unsigned char vector __attribute__((vector_size(16)));

/* clang-format off */
#define ALL(c) { c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c }
/* clang-format on */

/* Ones where a pair begins: the byte there, and the next. */
static inline vector pairs_at(const char *p)
{
	static const vector hyphen = ALL('-'), b = ALL('b'), colon = ALL(':'), lower_n = ALL('n'),
	                    lower_l = ALL('l'), g = ALL('g'), upper_c = ALL('C'),
	                    lower_p = ALL('p'), c = ALL('c');
	vector here, next;

	memcpy(&here, p, sizeof here);
	memcpy(&next, p + 1, sizeof next);
	return (vector)((here == hyphen) & (next == b)) |
	       (vector)(((here == lower_n) | (here == lower_l)) & (next == colon)) |
	       (vector)(((here == g) | (here == lower_p)) & (next == upper_c)) |
	       (vector)((here == c) & (next == b));
}

static inline bool any(vector v)
{
	uint64_t w[2];

	memcpy(w, &v, sizeof w);
	return (w[0] | w[1]) != 0;
}

/* Where the first of the ones is. */
static inline size_t first(vector v)
{
	uint64_t w[2];

	memcpy(w, &v, sizeof w);
	return w[0] ? (size_t)__builtin_ctzll(le64toh(w[0])) / 8
	            : 8 + (size_t)__builtin_ctzll(le64toh(w[1])) / 8;
}

/* The first place from `i` where a pair of any mark may be; n when there is none before it.  p[n]
 * can be read. */
static size_t next_pair(const char *p, size_t i, size_t n)
{
	enum { STEP = sizeof(vector) };

	/* Where there are many, the next is near. */
	if (i + STEP < n && any(pairs_at(p + i)))
		return i + first(pairs_at(p + i));
	while (i + 4 * STEP < n && !any((pairs_at(p + i) | pairs_at(p + i + STEP)) |
	                                (pairs_at(p + i + 2 * STEP) | pairs_at(p + i + 3 * STEP))))
		i += 4 * STEP;
	for (; i + STEP < n; i += STEP)
		if (any(pairs_at(p + i)))
			return i + first(pairs_at(p + i));
	for (; i < n; i++) {
		char c = p[i], next = p[i + 1];

		if ((c == '-' && next == 'b') || ((c == 'n' || c == 'l') && next == ':') ||
		    ((c == 'g' || c == 'p') && next == 'C') || (c == 'c' && next == 'b'))
			return i;
	}
	return n;
}

/* What makes the name of a function a trace line: a comma, and after it what numbers, letters and
 * addresses begin with, or the mode of atomics where there is no argument.  p[n] is 0. */
static bool traced(const char *p, size_t n)
{
	static const char mode[] = "atomics_";
	const char *mark = marks[MARK_ROCBLAS_TRACE].text;
	size_t i = 0, most = AHEAD_MAX - marks[MARK_ROCBLAS_TRACE].n - sizeof mode;

	most = n < most ? n : most;
	while (i < most &&
	       ((p[i] >= 'a' && p[i] <= 'z') || (p[i] >= '0' && p[i] <= '9') || p[i] == '_'))
		i++;
	/* "rocblas_sgrocblas_saxpy," is the beginning of another line, and the mark is there. */
	if (!i || i == most || p[i] != ',' || memmem(p, i, mark, strlen(mark)))
		return false;
	i++;
	return (p[i] >= 'A' && p[i] <= 'Z') || (p[i] >= '0' && p[i] <= '9') || p[i] == '-' ||
	       !strncmp(p + i, mode, sizeof mode - 1);
}

/* The first mark that begins from `from` on, its pair before `limit`; *at is where it begins. */
static enum mark next_mark(const struct scan *s, size_t from, size_t limit, size_t *at)
{
	const char *p = s->buf.p;

	for (size_t i = from; i < limit && (i = next_pair(p, i, limit)) < limit; i++)
		for (int m = 0; m < MARKS; m++) {
			size_t begin = i - marks[m].pair;

			if (p[i] == marks[m].text[marks[m].pair] && i >= from + marks[m].pair &&
			    begin + marks[m].n <= s->buf.n &&
			    !memcmp(p + begin, marks[m].text, marks[m].n) &&
			    (m != MARK_ROCBLAS_TRACE ||
			     traced(p + begin + marks[m].n, s->buf.n - begin - marks[m].n))) {
				*at = begin;
				return (enum mark)m;
			}
		}
	return MARKS;
}

/* ---- calls ---- */

static void torn(struct scan *s)
{
	s->calls->torn++;
}

static void add(struct scan *s, enum tm_lib_call_kind kind, const char *p, size_t n, uint64_t calls)
{
	enum tm_status st = tm_lib_calls_add(s->calls, kind, p, n, calls);

	if (st == TM_ST_FATAL)
		s->no_memory = true;
	else if (st != TM_ST_OK)
		torn(s);
}

/* Does no control character stand in it?  Holes in a log are NULs. */
static bool printable(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] < ' ' && p[i] != '\t')
			return false;
	return true;
}

/* A command line; those seen before were found whole. */
static void add_command(struct scan *s, enum tm_lib_call_kind kind, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);

	if (tm_names_find(&s->calls->set[kind].texts, p, n) == TM_NAME_NONE &&
	    (!printable(p, n) || !tm_problem_whole(p, n)))
		torn(s);
	else
		add(s, kind, p, n, 1);
}

/* "+ ./rocblas-bench ...", "++ TIME=1 ./rocblas-bench ...": does a shell echo it?  Where a log has
 * something in front of its lines, only what is right before the program is seen. */
static bool is_echo(const char *line, const char *at)
{
	const char *p = line;

	while (p < at && *p == '+')
		p++;
	if (p > line && p < at && *p == ' ')
		return true;
	for (p = at; p > line && p[-1] != ' ';)
		p--;
	if (p - line < 2 || p[-2] != '+')
		return false;
	for (p -= 2; p > line && p[-1] == '+';)
		p--;
	return p == line || p[-1] == ' ';
}

static void take_bench(struct scan *s, enum tm_lib_call_kind kind, const char *line, const char *at,
                       const char *end)
{
	static const char chosen[] = " # source=", handed_on[] = "fallback_from=hipblaslt";

	if (is_echo(line, at)) {
		s->calls->echoes++;
		return;
	}
	if (kind == TM_CALL_ROCBLAS && at - line >= 2 && !memcmp(at - 2, "./", 2))
		at -= 2;
	s->calls->rocblas += kind == TM_CALL_ROCBLAS;
	if (kind == TM_CALL_ROCBLAS && memmem(at, (size_t)(end - at), chosen, sizeof chosen - 1)) {
		s->calls->chosen++;
		s->calls->handed_on += memmem(at, (size_t)(end - at), handed_on,
		                              sizeof handed_on - 1) != NULL;
	}
	add_command(s, kind, at, end);
}

/* "- { ... call_count: 3 }" around the mark. */
static void take_profile(struct scan *s, enum tm_lib_call_kind kind, const char *line,
                         const char *at, const char *end)
{
	const char *brace = memrchr(line, '{', (size_t)(at - line)),
	           *close = memchr(at, '}', (size_t)(end - at)), *rest;
	uint64_t calls;
	size_t front, n;

	if (!brace || !close) {
		torn(s);
		return;
	}
	if (brace - line >= 2 && !memcmp(brace - 2, "- ", 2))
		brace -= 2;
	n = (size_t)(close + 1 - brace);
	if (!tm_lib_calls_count(brace, n, &front, &calls, &rest) || !printable(brace, n)) {
		torn(s);
		return;
	}
	tm_buf_clear(&s->text);
	tm_buf_add(&s->text, brace, front);
	if (tm_buf_add(&s->text, rest, (size_t)(close + 1 - rest)))
		add(s, kind, s->text.p, s->text.n, calls);
	else
		s->no_memory = true;
}

/* "MIOpen(HIP): Command [LogCmdConvolution] ./bin/MIOpenDriver conv ..." */
static void take_miopen(struct scan *s, const char *line, const char *at, const char *end)
{
	static const char who[] = "MIOpen", tag[] = "Command [LogCmd", find[] = "Find",
	                  driver[] = "MIOpenDriver", bin[] = "./bin/";
	const char *bracket = memchr(at, ']', (size_t)(end - at)), *p;
	enum tm_lib_call_kind kind = TM_CALL_MIOPEN;

	if (!memmem(line, (size_t)(at - line), who, sizeof who - 1))
		return;
	p = bracket ? memmem(bracket, (size_t)(end - bracket), driver, sizeof driver - 1) : NULL;
	if (!p) {
		torn(s);
		return;
	}
	at += sizeof tag - 1;
	if ((size_t)(end - at) > sizeof find - 1 && !memcmp(at, find, sizeof find - 1))
		kind = TM_CALL_MIOPEN_FIND;
	if ((size_t)(p - bracket) >= sizeof bin - 1 &&
	    !memcmp(p - (sizeof bin - 1), bin, sizeof bin - 1))
		p -= sizeof bin - 1;
	add_command(s, kind, p, end);
}

/* "Running kernel: Cijk_..." is a line of its own; others say such things too. */
static void take_tensile(struct scan *s, const char *line, const char *at, const char *end)
{
	static const char usual[] = "Cijk_";
	const char *name = at + marks[MARK_TENSILE].n;
	size_t n = (size_t)(end - name);
	bool ours = n > sizeof usual - 1 && !memcmp(name, usual, sizeof usual - 1),
	     word = n && printable(name, n) && !memchr(name, ' ', n);

	if (word && (line == at || ours))
		add(s, TM_CALL_TENSILE, name, n, 1);
	else if (ours)
		torn(s);
}

static void take_rccl(struct scan *s, const char *line, const char *at, const char *end)
{
	static const struct {
		const char *word;
		enum tm_rccl_field field;
	} said[] = {
		{ .word = "count", .field = TM_RF_COUNT },
		{ .word = "datatype", .field = TM_RF_DATATYPE },
		{ .word = "op", .field = TM_RF_OP },
		{ .word = "root", .field = TM_RF_ROOT },
		{ .word = "nranks", .field = TM_RF_RANKS },
	};
	const char *info = tm_rccl_find_last(line, (size_t)(at - line), TM_RCCL_INFO);
	const char *name = info ? info + sizeof TM_RCCL_INFO - 1 : NULL;
	struct tm_rccl_origin o;
	struct tm_rccl_pairs v;

	while (end > at && end[-1] == ' ')
		end--;
	if (!info || !tm_rccl_origin_parse(line, info, &o) ||
	    !tm_rccl_collective_parse(name, at, end, &v)) {
		torn(s);
		return;
	}
	tm_buf_clear(&s->text);
	tm_buf_add(&s->text, name, (size_t)(at - name));
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (v.has & 1u << said[i].field) {
			tm_buf_chr(&s->text, ' ');
			tm_buf_str(&s->text, said[i].word);
			tm_buf_chr(&s->text, ' ');
			tm_buf_u64(&s->text, v.v[said[i].field]);
		}
	if (s->text.failed)
		s->no_memory = true;
	else
		add(s, TM_CALL_RCCL, s->text.p, s->text.n, 1);
}

/* "rocblas_sgemm,N,T,512,512,512,..." */
static void take_trace(struct scan *s, const char *at, const char *end)
{
	switch (tm_problem_trace(at, (size_t)(end - at), &s->text)) {
	case TM_TRACE_CALL:
		if (s->text.failed)
			s->no_memory = true;
		else
			add(s, TM_CALL_ROCBLAS_TRACE, s->text.p, s->text.n, 1);
		break;
	case TM_TRACE_TORN:
		torn(s);
		break;
	case TM_TRACE_UNKNOWN:
		s->calls->unknown++;
		break;
	case TM_TRACE_NO_CALL:
		break;
	}
}

/* Where p[at .. end) ends without the escape sequences that end a color. */
static size_t without_color(const char *p, size_t at, size_t end)
{
	enum { ESCAPE_MAX = 24 };

	for (;;) {
		size_t n = end - at < ESCAPE_MAX ? end - at : ESCAPE_MAX;
		const char *esc = memrchr(p + end - n, '\x1b', n);

		if (!esc || tm_line_escape(esc, p + end) != (size_t)(p + end - esc))
			return end;
		end = (size_t)(esc - p);
	}
}

/* The call at that mark, which ends before `end`. */
static void take(struct scan *s, enum mark m, size_t at, size_t end)
{
	const char *p = s->buf.p, *lowest = at > BEHIND_MAX ? p + at - BEHIND_MAX : p,
	           *line = p + at;

	end = without_color(p, at, end);
	while (line > lowest && line[-1] != '\n' && line[-1] != '\r')
		line--;
	line += tm_line_tag(line, (size_t)(p + at - line)).n;
	switch (m) {
	case MARK_ROCBLAS:
		take_bench(s, TM_CALL_ROCBLAS, line, p + at, p + end);
		break;
	case MARK_HIPBLASLT:
		take_bench(s, TM_CALL_HIPBLASLT, line, p + at, p + end);
		break;
	case MARK_ROCBLAS_FUNCTION:
		take_profile(s, TM_CALL_ROCBLAS_FUNCTION, line, p + at, p + end);
		break;
	case MARK_MATMUL:
		take_profile(s, TM_CALL_HIPBLASLT_FUNCTION, line, p + at, p + end);
		break;
	case MARK_MIOPEN:
		take_miopen(s, line, p + at, p + end);
		break;
	case MARK_TENSILE:
		take_tensile(s, line, p + at, p + end);
		break;
	case MARK_ROCBLAS_TRACE:
		take_trace(s, p + at, p + end);
		break;
	default:
		take_rccl(s, line, p + at, p + end);
		break;
	}
}

/* ---- bytes ---- */

static uint64_t count_lines(const char *p, size_t n)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += p[i] == '\n';
	return lines;
}

/* More bytes; all from `keep` on stay, and what stands in front of them for a while.  False at the
 * end. */
static bool fill(struct scan *s, size_t keep)
{
	size_t drop = keep > BEHIND_MAX ? keep - BEHIND_MAX : 0, got = 0;
	enum tm_status st;

	if (s->eof)
		return false;
	if (drop) {
		memmove(s->buf.p, s->buf.p + drop, s->buf.n - drop);
		s->buf.n -= drop;
		s->pos -= drop;
		s->seen = s->seen > drop ? s->seen - drop : 0;
		s->newline = s->newline > drop ? s->newline - drop : 0;
	}
	/* One byte more can be read after the last. */
	if (!tm_buf_reserve(&s->buf, READ_BYTES)) {
		s->no_memory = true;
		return false;
	}
	st = tm_source_read(s->src, s->buf.p + s->buf.n, READ_BYTES, &got, &s->why);
	s->lines += count_lines(s->buf.p + s->buf.n, got);
	s->buf.n += got;
	s->buf.p[s->buf.n] = 0;
	s->eof = st != TM_ST_OK;
	s->broken = st == TM_ST_FATAL;
	return true;
}

/* Where the line at `at` ends; false when that is not in the buffer. */
static bool line_end(struct scan *s, size_t at, size_t *end)
{
	const char *p = s->buf.p, *lf, *cr;
	size_t from = at > s->seen ? at : s->seen;

	if (s->newline > at) {
		*end = s->newline;
		return true;
	}
	lf = memchr(p + from, '\n', s->buf.n - from);
	cr = memchr(p + from, '\r', (size_t)((lf ? lf : p + s->buf.n) - (p + from)));
	s->seen = s->buf.n;
	if (!lf && !cr)
		return false;
	*end = s->seen = s->newline = (size_t)((cr ? cr : lf) - p);
	return true;
}

/* One mark, or the bytes at hand that have none.  False at the end. */
static bool step(struct scan *s)
{
	size_t limit = s->eof                 ? s->buf.n
	               : s->buf.n > AHEAD_MAX ? s->buf.n - AHEAD_MAX
	                                      : 0,
	       at, end, behind, other;
	enum mark m = next_mark(s, s->pos, limit, &at);
	bool open = false;

	if (m == MARKS) {
		/* A mark whose pair is after the limit may begin before it. */
		if (limit > s->pos + AHEAD_MAX)
			s->pos = limit - AHEAD_MAX;
		return fill(s, s->pos);
	}
	if (!line_end(s, at, &end)) {
		end = s->buf.n;
		if (!s->eof && s->buf.n - at < RECORD_MAX) {
			s->pos = at;
			return fill(s, at) || !s->no_memory;
		}
		if (!s->eof || s->broken) {
			s->found++;
			torn(s);
			s->pos = at + marks[m].n;
			return true;
		}
		open = true;
	}
	s->found++;
	behind = at + marks[m].n;
	if (behind < end && next_mark(s, behind, end, &other) != MARKS) {
		torn(s);
		s->pos = other;
		return true;
	}
	/* Its last number may not be whole; a profile line is, with its brace. */
	if (open && m != MARK_ROCBLAS_FUNCTION && m != MARK_MATMUL)
		s->calls->last.of[TM_LOSS_LINE_UNENDED].n++;
	else
		take(s, m, at, end);
	s->pos = end;
	return true;
}

enum tm_status tm_lib_log_read(struct tm_lib_calls *c, struct tm_source *src, struct tm_diag *d)
{
	struct scan s = { .calls = c, .src = src };
	bool more;

	c->last = (struct tm_loss) { 0 };
	more = fill(&s, 0);
	while (more && !s.no_memory)
		more = step(&s);
	if (c->last.of[TM_LOSS_LINE_UNENDED].n)
		c->last.of[TM_LOSS_LINE_UNENDED].at = s.lines + 1;
	else if (!s.no_memory && !s.broken && s.buf.n && s.buf.p[s.buf.n - 1] != '\n' &&
	         s.buf.p[s.buf.n - 1] != '\r')
		tm_loss_line(&c->last, TM_LOSS_LINE_OPEN_END, s.lines + 1);
	tm_buf_fini(&s.buf);
	tm_buf_fini(&s.text);
	if (s.no_memory) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	if (s.broken) {
		*d = s.why;
		return s.found ? TM_ST_WARN : TM_ST_SKIP;
	}
	if (!s.found)
		tm_diag_set(d, 0, "no GPU library calls found (how to log them: libperf(1))");
	return s.found ? TM_ST_OK : TM_ST_SKIP;
}

static bool has_calls(struct tm_source *s)
{
	struct tm_lib_calls c = { 0 };
	struct tm_diag none = { 0 };
	enum tm_status st = tm_lib_log_read(&c, s, &none);

	tm_lib_calls_fini(&c);
	return st == TM_ST_OK || st == TM_ST_WARN;
}

static bool log_is(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_bytes_try(p, n, has_calls);
}

const struct tm_bytes_ops tm_bytes_lib_log = {
	.name = "library-log",
	.about = "logs of rocBLAS, hipBLASLt, MIOpen, Tensile and RCCL, amid other output",
	.what = "a log of GPU libraries",
	.tool = "libperf",
	.is = log_is,
};
