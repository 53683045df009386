/* SPDX-License-Identifier: MIT
 * What rocprofv2 prints when it is given no output file (cli plugin, ROCm 5.7 and later), the text
 * files of 5.5 and 5.6, and the results.txt rocprof v1 leaves behind with -d: one record a line, in
 * between whatever the program itself printed.  Times are ns on the HSA system clock.
 *
 * What it cannot say: markers carry no thread and no kind.  Id 0 is a mark, a push or a pop, other
 * ids start and stop a range.  A record without a message closes the last open one of its id; what
 * is never closed is a mark.  So a mark between a push and its pop takes the pop for its own.  Of a
 * message with newlines only the first line can be told from what the program printed. */
#include "base/base.h"
#include "read/batch.h"
#include "read/instances.h"
#include "read/lines.h"
#include "read/open.h"

#include <stdlib.h>
#include <string.h>

enum { BID_MAX = 100 };

/* How a record begins: '#' digits, '@' capital letters and '_'. */
static const char *const forms[] = {
	"Dispatch_ID(#), ",
	"Domain(@_DOMAIN), ",
	"Record [#], Domain(@_DOMAIN), ",
	"Record(#), Domain(@_DOMAIN), ",
	"dispatch[#], gpu",
};

enum key { K_NUMBER, K_AGENT, K_TEXT, K_DOMAIN, K_ROCTX, K_TIME, K_XCC, K_IGNORE, K_COUNTER };
enum text { TEXT_KERNEL, TEXT_FUNCTION, TEXT_OPERATION, TEXT_MESSAGE, TEXT_N };

/* The words before the brackets: case-blind, '-' and ' ' as '_'.  Anything else is a counter. */
static const struct key_def {
	const char *names; /* between and around them one blank */
	enum key key;
	int what; /* enum tm_ev_col or enum text */
} keys[] = {
	{ .names = " dispatch_id dispatch ", .key = K_NUMBER, .what = TM_EVC_DISPATCH_ID },
	{ .names = " gpu_id ", .key = K_AGENT, .what = TM_EVC_AGENT },
	{ .names = " queue_id ", .key = K_NUMBER, .what = TM_EVC_QUEUE },
	{ .names = " process_id pid ", .key = K_NUMBER, .what = TM_EVC_PID },
	{ .names = " thread_id tid ", .key = K_NUMBER, .what = TM_EVC_TID },
	{ .names = " grid_size grd ", .key = K_NUMBER, .what = TM_EVC_GRID },
	{ .names = " workgroup_size wgr ", .key = K_NUMBER, .what = TM_EVC_WG },
	{ .names = " lds_per_workgroup lds ", .key = K_NUMBER, .what = TM_EVC_LDS },
	{ .names = " scratch_per_workitem scratch_size scr ",
	  .key = K_NUMBER,
	  .what = TM_EVC_SCRATCH },
	{ .names = " arch_vgpr vgpr ", .key = K_NUMBER, .what = TM_EVC_VGPR },
	{ .names = " accum_vgpr accumulative_vgpr ", .key = K_NUMBER, .what = TM_EVC_ACCUM_VGPR },
	{ .names = " sgpr ", .key = K_NUMBER, .what = TM_EVC_SGPR },
	{ .names = " wave_size ", .key = K_NUMBER, .what = TM_EVC_WAVE },
	{ .names = " begin_timestamp start_timestamp begin start_time timestamp ",
	  .key = K_NUMBER,
	  .what = TM_EVC_START },
	{ .names = " end_timestamp end end_time ", .key = K_NUMBER, .what = TM_EVC_END },
	{ .names = " time ", .key = K_TIME },
	{ .names = " correlation_id ", .key = K_NUMBER, .what = TM_EVC_CORR },
	{ .names = " kernel_name ", .key = K_TEXT, .what = TEXT_KERNEL },
	{ .names = " function ", .key = K_TEXT, .what = TEXT_FUNCTION },
	{ .names = " operation_name ", .key = K_TEXT, .what = TEXT_OPERATION },
	{ .names = " roctx_message ", .key = K_TEXT, .what = TEXT_MESSAGE },
	{ .names = " domain ", .key = K_DOMAIN },
	{ .names = " roctx_id ", .key = K_ROCTX },
	{ .names = " xcc_index ", .key = K_XCC },
	{ .names = " record queue_index fbar sig obj ", .key = K_IGNORE },
};

/* What may follow a kernel's name. */
static const char *const behind_name[] = { "Begin_Timestamp(", "Start_Timestamp(", "start_time(",
	                                   "time(" };

/* A record as it is read. */
struct record {
	struct tm_ev_row row;
	struct tm_small_field text[TEXT_N]; /* p NULL: not there */
	enum tm_domain domain;
	bool has_domain, has_roctx;
	bool has_xcc; /* the dispatch has a record for each XCC of the GPU */
	uint64_t roctx;
	size_t counters; /* where the first one is, 0 = none */
	bool corr_last;  /* the line ends after the bracket of its Correlation_ID */
};

enum { OUT_DISPATCH, OUT_API, OUT_COPY, OUT_COUNTER, OUT_N };

struct text_reader {
	struct tm_lines lines;
	bool ended;
	struct tm_ev_rows out[OUT_N];
	struct tm_ev_row dispatch; /* the last one, for the counters after it */
	bool counting;             /* counter lines may follow */
	bool per_xcc;              /* they are of an XCC: added up in ... */
	struct tm_instances xccs;
	uint32_t of;                 /* ... which dispatch of these */
	const char *rest, *rest_end; /* counters of this line that are still to be taken */
	struct open_set open;
	size_t left; /* 1 + index of the next unclosed item to give out; 0 = input not at its end */
};

/* ------------------------------------------------------------------------ */

static bool capital(char c)
{
	return (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Fixed characters of the form that the line begins with: all of them, or 0.  *partly is set when
 * the line ends before they do. */
static unsigned form_matches(const char *form, const char *p, size_t n, bool *partly)
{
	unsigned fixed = 0;
	size_t i = 0;

	for (; *form; form++) {
		size_t run = i;

		if (*form == '@') {
			while (i < n && capital(p[i]))
				i++;
			/* The word's own end is fixed text. */
			if (i < n && (i - run <= 7 || memcmp(p + i - 7, "_DOMAIN", 7) != 0))
				return 0;
			if (i < n) {
				form += 7;
				fixed += 7;
			}
		} else if (*form == '#') {
			while (i < n && digit(p[i]))
				i++;
			if (i < n && i == run)
				return 0;
		} else if (i < n) {
			if (p[i++] != *form)
				return 0;
			fixed++;
		}
		if (i >= n && form[1]) {
			*partly = fixed >= 4;
			return 0;
		}
	}
	return fixed;
}

/* The same for any form. */
static unsigned line_matches(const char *p, size_t n, bool *partly)
{
	unsigned best = 0;

	*partly = false;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		bool cut = false;
		unsigned fixed = form_matches(forms[i], p, n, &cut);

		if (fixed > best)
			best = fixed;
		*partly |= cut;
	}
	return best;
}

static unsigned text_bid(const unsigned char *bytes, size_t n, bool whole)
{
	const char *p = (const char *)bytes, *end = p + n;
	unsigned best = 0;

	(void)whole;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		bool partly;
		unsigned fixed = line_matches(p, (size_t)((nl ? nl : end) - p), &partly);

		if (fixed > best)
			best = fixed;
		p = nl ? nl + 1 : end;
	}
	return best * 8 < BID_MAX ? best * 8 : BID_MAX;
}

/* ------------------------------------------------------------------------ */

static const struct key_def *key_find(const char *p, size_t n)
{
	char word[34] = " ";

	if (n > 31)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		word[i + 1] = p[i];
		if (p[i] >= 'A' && p[i] <= 'Z')
			word[i + 1] = (char)(p[i] | 0x20);
		if (p[i] == '-' || p[i] == ' ')
			word[i + 1] = '_';
		if (!p[i])
			return NULL;
	}
	word[n + 1] = ' ';
	word[n + 2] = '\0';
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strstr(keys[i].names, word))
			return &keys[i];
	return NULL;
}

static bool before_times(const char *p, const char *end)
{
	if (end - p < 2 || p[0] != ',' || p[1] != ' ')
		return false;
	for (size_t i = 0; i < sizeof behind_name / sizeof *behind_name; i++) {
		size_t n = strlen(behind_name[i]);

		if ((size_t)(end - p) >= n + 2 && !memcmp(p + 2, behind_name[i], n))
			return true;
	}
	return false;
}

/* The bracket that closes a text which began at p; NULL when there is none.  Names hold brackets,
 * commas and quotes themselves, so a kernel's name ends at the last place where it can: before the
 * times, or with the line. */
static const char *text_close(enum text what, const char *p, const char *end)
{
	bool quoted = p < end && *p == '"';

	if (what == TEXT_MESSAGE)
		return end > p && end[-1] == ')' ? end - 1 : end;
	if (what != TEXT_KERNEL)
		return p < end ? memchr(p, ')', (size_t)(end - p)) : NULL;
	for (const char *q = end; q-- > p + quoted;)
		if (*q == ')' && (!quoted || (q > p + 1 && q[-1] == '"')) &&
		    before_times(q + 1, end))
			return q;
	if (end - p < 1 + 2 * quoted || end[-1] != ')' || (quoted && end[-2] != '"'))
		return NULL;
	return end - 1;
}

/* time(begin,end), or rocprof v1's time(dispatched,begin,end,completed). */
static bool take_time(const char *p, size_t n, struct tm_ev_row *row)
{
	uint64_t v[4];
	size_t count = 0;

	while (count < 4) {
		const char *comma = n ? memchr(p, ',', n) : NULL;
		size_t len = comma ? (size_t)(comma - p) : n;

		if (!tm_num_u64(p, len, &v[count++]))
			return false;
		if (!comma)
			break;
		p += len + 1;
		n -= len + 1;
	}
	if (count != 2 && count != 4)
		return false;
	tm_ev_put(row, TM_EVC_START, v[count == 4]);
	tm_ev_put(row, TM_EVC_END, v[1 + (count == 4)]);
	return true;
}

static bool take_value(const struct key_def *def, const char *p, size_t n, struct record *rec)
{
	bool negative;
	uint64_t v;

	switch (def->key) {
	case K_TEXT:
		if (def->what == TEXT_KERNEL && n >= 2 && *p == '"' && p[n - 1] == '"') {
			p++;
			n -= 2;
		}
		rec->text[def->what] = (struct tm_small_field) { .p = p, .n = n };
		return true;
	case K_DOMAIN:
		rec->domain = tm_domain_of_producer(p, n);
		rec->has_domain = true;
		return true;
	case K_TIME:
		return take_time(p, n, &rec->row);
	case K_XCC:
		rec->has_xcc = true;
		return true;
	case K_ROCTX:
		/* Negative, and memory never written, on records that are no markers. */
		negative = n && *p == '-';
		rec->has_roctx = tm_num_u64(p + negative, n - negative, &rec->roctx);
		if (negative)
			rec->roctx = 0 - rec->roctx;
		return true;
	case K_NUMBER:
	case K_AGENT:
		/* 5.5 says "Correlation ID( 7)". */
		while (n && *p == ' ') {
			p++;
			n--;
		}
		if (!tm_num_u64(p, n, &v))
			return false;
		if (def->key == K_NUMBER)
			tm_ev_put(&rec->row, (enum tm_ev_col)def->what, v);
		else if (v <= UINT32_MAX)
			tm_ev_put(&rec->row, TM_EVC_AGENT,
			          tm_agent_pack(TM_AGENT_NODE, (uint32_t)v));
		return true;
	default:
		return true;
	}
}

/* A line that begins like a record, in its fields.  False: it is none after all. */
static bool record_parse(const char *line, const char *end, struct record *rec)
{
	const char *p = line;

	memset(rec, 0, sizeof *rec);
	while (p < end) {
		const char *open = p, *close;
		const struct key_def *def;
		size_t len;

		while (open < end && *open != '(' && (p > line || *open != '['))
			open++;
		if (open == end || open == p)
			return false;
		len = (size_t)(open - p);
		while (len && p[len - 1] == ' ')
			len--;
		def = key_find(p, len);
		if (!def && !rec->counters)
			rec->counters = (size_t)(p - line);
		if (def && def->key == K_TEXT)
			close = text_close((enum text)def->what, open + 1, end);
		else
			close = memchr(open, *open == '[' ? ']' : ')', (size_t)(end - open));
		if (!close || (def && !take_value(def, open + 1, (size_t)(close - open - 1), rec)))
			return false;
		p = close < end ? close + 1 : end;
		rec->corr_last = p == end && def && def->key == K_NUMBER &&
		                 def->what == TM_EVC_CORR;
		if (p < end && *p++ != ',')
			return false;
		while (p < end && *p == ' ')
			p++;
	}
	return true;
}

/* ------------------------------------------------------------------------ */

/* One event out.  False when out of memory. */
static bool give(struct tm_reader *r, int which, struct tm_ev_row *row, uint64_t line)
{
	struct text_reader *t = r->priv;

	if ((row->has & TM_EV_BIT(TM_EVC_START)) && (row->has & TM_EV_BIT(TM_EVC_END)) &&
	    row->v[TM_EVC_END] < row->v[TM_EVC_START]) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_REVERSED, line);
		return true;
	}
	if (!tm_ev_rows_add(&t->out[which], row))
		return tm_lines_oom(&t->lines);
	r->loss.rows++;
	return true;
}

static bool put_name(struct tm_reader *r, struct tm_ev_row *row, const struct tm_small_field *text)
{
	uint32_t id = tm_names_add(&r->names, text->p, text->n);

	tm_ev_put(row, TM_EVC_NAME, id);
	return id != TM_NAME_NONE || tm_lines_oom(&((struct text_reader *)r->priv)->lines);
}

static bool give_marker(struct tm_reader *r, const struct open_item *item, uint64_t end)
{
	struct tm_ev_row row = { 0 };

	tm_ev_put(&row, TM_EVC_NAME, item->name);
	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_MARKER);
	tm_ev_put(&row, TM_EVC_START, item->start);
	tm_ev_put(&row, TM_EVC_END, end);
	return give(r, OUT_API, &row, item->line);
}

/* What became of a line. */
enum fate { FATE_TAKEN, FATE_MISFIT, FATE_OOM };

static enum fate take_marker(struct tm_reader *r, struct record *rec)
{
	struct text_reader *t = r->priv;
	const struct tm_small_field *text = &rec->text[TEXT_MESSAGE];
	struct open_item item = { .key = rec->roctx,
		                  .start = rec->row.v[TM_EVC_START],
		                  .line = r->lines,
		                  .domain = TM_DOMAIN_MARKER };

	if (!(rec->row.has & TM_EV_BIT(TM_EVC_START)) || !rec->has_roctx)
		return FATE_MISFIT;
	if (text->n) {
		if (!put_name(r, &rec->row, text))
			return FATE_OOM;
		item.name = (uint32_t)rec->row.v[TM_EVC_NAME];
		return tm_open_add(&t->open, &item) || tm_lines_oom(&t->lines) ? FATE_TAKEN
		                                                               : FATE_OOM;
	}
	if (!tm_open_take(&t->open, rec->roctx, TM_DOMAIN_MARKER, &item))
		return FATE_MISFIT;
	return give_marker(r, &item, rec->row.v[TM_EVC_START]) ? FATE_TAKEN : FATE_OOM;
}

/* A call of which this record has one end only. */
static enum fate take_half(struct tm_reader *r, struct record *rec)
{
	struct text_reader *t = r->priv;
	struct tm_ev_row *row = &rec->row;
	struct open_item item;

	if (!(row->has & TM_EV_BIT(TM_EVC_CORR)))
		return FATE_MISFIT;
	if (row->has & TM_EV_BIT(TM_EVC_START)) {
		item = (struct open_item) { .key = row->v[TM_EVC_CORR],
			                    .start = row->v[TM_EVC_START],
			                    .line = r->lines,
			                    .domain = rec->domain,
			                    .name = (uint32_t)row->v[TM_EVC_NAME] };
		return tm_open_add(&t->open, &item) || tm_lines_oom(&t->lines) ? FATE_TAKEN
		                                                               : FATE_OOM;
	}
	if (!(row->has & TM_EV_BIT(TM_EVC_END)) ||
	    !tm_open_take(&t->open, row->v[TM_EVC_CORR], rec->domain, &item))
		return FATE_MISFIT;
	tm_ev_put(row, TM_EVC_START, item.start);
	return give(r, OUT_API, row, r->lines) ? FATE_TAKEN : FATE_OOM;
}

static enum fate take_record(struct tm_reader *r, const char *p, const char *end)
{
	const tm_ev_set both = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	static const struct tm_small_field copy = { .p = "COPY", .n = 4 };
	struct text_reader *t = r->priv;
	const struct tm_small_field *name;
	struct record rec;
	bool timed, fresh = true;
	int which;

	if (!record_parse(p, end, &rec))
		return FATE_MISFIT;
	timed = (rec.row.has & both) == both;
	if (rec.has_domain && rec.domain == TM_DOMAIN_MARKER)
		return take_marker(r, &rec);
	if (!rec.has_domain || (rec.domain == TM_DOMAIN_KERNEL && rec.text[TEXT_KERNEL].n)) {
		which = OUT_DISPATCH;
		name = &rec.text[TEXT_KERNEL];
		rec.domain = TM_DOMAIN_KERNEL;
		/* rocprof v1 gives times only where asked to; every other form always does. */
		if (!timed && (rec.has_domain || *p != 'd'))
			return FATE_MISFIT;
	} else if (rec.domain == TM_DOMAIN_KERNEL || rec.domain == TM_DOMAIN_COPY) {
		which = OUT_COPY;
		name = rec.text[TEXT_OPERATION].p ? &rec.text[TEXT_OPERATION]
		                                  : &rec.text[TEXT_FUNCTION];
		rec.domain = TM_DOMAIN_COPY;
		/* 5.5 names no operation, later ones name this one. */
		if (!name->p)
			name = &copy;
	} else {
		which = OUT_API;
		name = &rec.text[TEXT_FUNCTION];
	}
	if (!name->p || (which == OUT_COPY && !timed))
		return FATE_MISFIT;
	if (!put_name(r, &rec.row, name))
		return FATE_OOM;
	tm_ev_put(&rec.row, TM_EVC_DOMAIN, rec.domain);
	if (which == OUT_API && !timed)
		return take_half(r, &rec);
	rec.has_xcc &= which == OUT_DISPATCH && !rec.has_domain;
	if (rec.has_xcc) {
		t->of = tm_instances_of(&t->xccs, &rec.row, &fresh);
		if (t->of == TM_NAME_NONE) {
			tm_lines_oom(&t->lines);
			return FATE_OOM;
		}
	}
	if (fresh && !give(r, which, &rec.row, r->lines))
		return FATE_OOM;
	if (which == OUT_DISPATCH && !rec.has_domain) {
		t->per_xcc = rec.has_xcc;
		t->dispatch = rec.row;
		t->counting = *p == 'd';
		if (rec.counters) {
			t->rest = p + rec.counters;
			t->rest_end = end;
		}
	}
	return FATE_TAKEN;
}

/* Counters "NAME(value), NAME(value)" until the line or the room for them ends.  False when out of
 * memory. */
static bool take_counters(struct tm_reader *r)
{
	struct text_reader *t = r->priv;

	while (t->rest < t->rest_end && tm_ev_rows_n(&t->out[OUT_COUNTER]) < TM_BATCH_ROWS) {
		const char *p = t->rest, *end = t->rest_end;
		const char *open = memchr(p, '(', (size_t)(end - p));
		const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
		struct tm_ev_row row = t->dispatch;
		uint32_t id;
		double v;

		if (!close) {
			t->rest = end;
			break;
		}
		t->rest = close + 1;
		while (t->rest < end && (*t->rest == ',' || *t->rest == ' '))
			t->rest++;
		while (open > p && open[-1] == ' ')
			open--;
		if (key_find(p, (size_t)(open - p)))
			continue;
		id = tm_names_add(&r->names, p, (size_t)(open - p));
		if (id == TM_NAME_NONE)
			return tm_lines_oom(&t->lines);
		while (*open != '(')
			open++;
		if (!tm_num_real(open + 1, (size_t)(close - open - 1), &v)) {
			tm_loss_count(&r->loss, TM_LOSS_VALUES, 1, r->lines); /* nan */
			continue;
		}
		if (t->per_xcc && !tm_instances_add(&t->xccs, t->of, id, v))
			return tm_lines_oom(&t->lines);
		if (t->per_xcc)
			continue;
		tm_ev_put(&row, TM_EVC_COUNTER, id);
		tm_ev_put(&row, TM_EVC_VALUE, tm_real_bits(v));
		if (!give(r, OUT_COUNTER, &row, r->lines))
			return false;
	}
	return true;
}

/* "  GRBM_COUNT (21840)" or ", GRBM_COUNT (21840)" after a dispatch: its name, or NULL. */
static const char *counter_line(const char *p, const char *end)
{
	const char *q;

	if (end - p < 5 || (*p != ',' && *p != ' ') || p[1] != ' ' || end[-1] != ')')
		return NULL;
	for (p += 2, q = p; q < end; q++)
		if (!capital(*q) && !digit(*q) && !strchr("abcdefghijklmnopqrstuvwxyz[].:", *q))
			break;
	return q > p && end - q > 3 && q[0] == ' ' && q[1] == '(' ? p : NULL;
}

/* One line.  False when out of memory. */
static bool take_line(struct tm_reader *r, const char *p, const char *end)
{
	struct text_reader *t = r->priv;
	const char *counter;
	enum fate fate = FATE_TAKEN;
	bool partly;

	while (end > p && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	if (line_matches(p, (size_t)(end - p), &partly)) {
		t->counting = false;
		fate = take_record(r, p, end);
	} else if (t->counting && (counter = counter_line(p, end))) {
		t->rest = counter;
		t->rest_end = end;
	} else {
		t->counting = false;
	}
	if (fate == FATE_MISFIT)
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, r->lines);
	return fate != FATE_OOM;
}

/* The last line, without a newline.  Taken is only what ends after a bracket that nothing follows:
 * a counter, and a call with its Correlation_ID; of other records the next field may be missing.
 * False when out of memory. */
static bool take_last(struct tm_reader *r, const char *p, const char *end)
{
	struct text_reader *t = r->priv;
	bool partly, any = p < end, whole = false;
	struct record rec;

	while (end > p && end[-1] == ' ')
		end--;
	if (line_matches(p, (size_t)(end - p), &partly)) {
		if (!record_parse(p, end, &rec))
			tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, r->lines);
		else if (!rec.corr_last || !rec.text[TEXT_FUNCTION].n)
			tm_loss_line(&r->loss, TM_LOSS_LINE_UNENDED, r->lines);
		else
			whole = true;
	} else if (t->counting && counter_line(p, end)) {
		whole = true;
	} else if (partly) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, r->lines);
	} else if (any && !t->lines.dead) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, r->lines);
	}
	if (!whole || t->lines.dead)
		return true;
	tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, r->lines);
	return take_line(r, p, end);
}

/* ------------------------------------------------------------------------ */

static bool take(struct tm_reader *r, enum tm_line_kind kind, const char *p, size_t n)
{
	bool partly;

	if (kind != TM_LINE_LONG)
		return kind == TM_LINE_WHOLE ? take_line(r, p, p + n) : take_last(r, p, p + n);
	/* No record is that long: its beginning is looked at, that is all. */
	if (line_matches(p, n, &partly))
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, r->lines);
	return true;
}

/* The next line; false at the end or when dead. */
static bool next_line(struct tm_reader *r)
{
	struct text_reader *t = r->priv;

	t->ended = t->ended || !tm_lines_step(&t->lines, r, take);
	return !t->ended;
}

/* At the end of the input: open messages were marks, open calls never returned.  False when out of
 * memory or nothing is left. */
static bool next_left(struct tm_reader *r)
{
	struct text_reader *t = r->priv;

	if (!t->left)
		t->left = 1;
	while (t->left <= t->open.n) {
		const struct open_item *item = &t->open.v[t->left++ - 1];

		if (item->live && item->domain != TM_DOMAIN_MARKER)
			tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, item->line);
		else if (item->live)
			return give_marker(r, item, item->start);
	}
	return false;
}

/* Then the counters that were added up.  False when out of memory or nothing is left. */
static bool next_sum(struct tm_reader *r)
{
	struct text_reader *t = r->priv;
	struct tm_ev_row row;

	return tm_instances_next(&t->xccs, &row) && give(r, OUT_COUNTER, &row, r->lines);
}

static enum tm_status text_open(struct tm_reader *r, struct tm_diag *d)
{
	struct text_reader *t = r->priv;
	const unsigned char *p;
	size_t n;

	if (tm_source_peek(r->src, &p, &n, d) == TM_ST_FATAL)
		return TM_ST_FATAL;
	t->out[OUT_DISPATCH].b.kind = TM_EV_DISPATCH;
	t->out[OUT_API].b.kind = TM_EV_API;
	t->out[OUT_COPY].b.kind = TM_EV_COPY;
	t->out[OUT_COUNTER].b.kind = TM_EV_COUNTER;
	r->table = "rocprofv2 text";
	r->producer = "rocprofv2";
	r->clock = "boottime";
	/* rocprofv2 says gpu_id there. */
	if (memmem(p, n, "], gpu-id(", 10)) {
		r->table = "kernel results";
		r->producer = "rocprof";
		r->clock = NULL;
	}
	return TM_ST_OK;
}

static enum tm_status text_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct text_reader *t = r->priv;
	bool more = true;

	/* The kinds take turns in the input: each fills a batch of its own. */
	while (more && tm_ev_rows_room(t->out, OUT_N, 1)) {
		if (t->rest < t->rest_end)
			more = take_counters(r);
		else
			more = next_line(r) || (t->ended && (next_left(r) || next_sum(r)));
	}
	return tm_ev_rows_next(t->out, OUT_N, &r->names, t->lines.dead ? &t->lines.why : NULL, b,
	                       d);
}

static void text_free(struct tm_reader *r)
{
	struct text_reader *t = r->priv;

	tm_ev_rows_fini_all(t->out, OUT_N);
	tm_open_fini(&t->open);
	tm_instances_fini(&t->xccs);
	tm_lines_fini(&t->lines);
}

const struct tm_reader_ops tm_reader_rocprofv2_text = {
	.name = "rocprofv2-text",
	.about = "text output of rocprofv2, also mixed with the program's output (and rocprof v1 "
	         "results.txt)",
	.bid = text_bid,
	.priv_size = sizeof(struct text_reader),
	.open = text_open,
	.next = text_next,
	.close = text_free,
};
