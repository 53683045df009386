/* SPDX-License-Identifier: MIT
 * The text files rocprof (v1) makes its results from, and leaves behind with -d: one for each kind,
 * hip_api_trace.txt, hsa_api_trace.txt, hcc_ops_trace.txt, async_copy_trace.txt, roctx_trace.txt,
 * with or without a process id in front, and what its tracer prints to standard output without a
 * folder.  One record a line, ns:
 *
 *     <begin>:<end> <pid>:<tid> <name>(<arguments>)[ = <result>][ kernel=<kernel>][ :<correlation>]
 *     <begin>:<end> <device>:<queue> <operation>:<correlation>[:<pid>]
 *     <begin>:<end> async-copy:<correlation>:<pid>
 *     <time> <pid>:<tid> <what>:<range>:"<message>"       what: 0 mark, 1 push, 2 pop, 3 start, 4
 *     stop
 *
 * What an operation is called stands in another file: kernels are "KernelExecution" here (until
 * releases that write their short names), and the call of the same process and correlation id in
 * hip_api_trace.txt has the kernel's name, the thread and the stream.  So that file is looked for
 * beside this one.  Barriers that no call asked for are no events, as in rocprof's own results; a
 * mark is 1 ns long, as there.  Messages are not escaped: one ends where a line ends with a quote.
 * */
#include "read/batch.h"
#include "read/lines.h"
#include "read/open.h"
#include "read/text/rocprofv1.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BID_MAX = 100 };
enum { MARKER_MARK, MARKER_PUSH, MARKER_POP, MARKER_START, MARKER_STOP };
enum { OPEN_PUSHED, OPEN_STARTED };
enum { OUT_DISPATCH, OUT_API, OUT_COPY, OUT_N };

static const char *const form_tables[] = {
	[FORM_NONE] = "trace",
	[FORM_CALL] = "API trace",
	[FORM_OPERATION] = "operation trace",
	[FORM_COPY] = "copy trace",
	[FORM_MARKER] = "marker trace",
};

struct v1_text {
	struct tm_lines lines;
	struct tm_ev_rows out[OUT_N];
	struct open_set open;  /* ranges that have begun; key: pid << 32 | thread or range */
	size_t left;           /* next of those that never end; they are counted at the end */
	enum tm_domain domain; /* of calls whose name does not tell */

	/* Correlation ids of releases that have none: the number of the call in its process. */
	struct tm_names pids;
	uint64_t *calls_of; /* by id in pids */
	size_t calls_cap;

	/* What calls of the file beside this one say of operations: key correlation, domain pid,
	 * name the kernel or TM_NAME_NONE, tag the thread, start the stream. */
	struct open_set calls;
	struct tm_names streams; /* handles, in the order they came */
	bool looked;
	struct tm_diag unheard; /* why that file could not be read to its end; no text = it was */

	/* A message that goes on. */
	struct v1_record marker;
	struct tm_buf message;
	uint64_t marker_line, marker_at;
	bool pending;
};

/* ---- what the first bytes are ---- */

static unsigned evidence(const struct v1_record *rec)
{
	switch (rec->form) {
	case FORM_CALL:
		return tm_v1_domain(&rec->name) == TM_DOMAIN_N ? 40 : 72;
	case FORM_OPERATION:
	case FORM_MARKER:
		return 48;
	case FORM_COPY:
		return BID_MAX;
	case FORM_NONE:
		break;
	}
	return 0;
}

/* The record that says most of these first bytes, and the domain of the first call that tells. */
static unsigned look(const char *p, size_t n, bool whole, struct v1_record *best,
                     enum tm_domain *domain)
{
	const char *end = p + n;
	unsigned bits = 0;

	*domain = TM_DOMAIN_OTHER;
	best->form = FORM_NONE;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
		struct v1_record rec;

		if (stop > p && stop[-1] == '\r')
			stop--;
		/* A line of which the end is not seen says nothing, unless it is the only one. */
		if (tm_v1_begins(p, stop, false) && (nl || whole || !bits)) {
			unsigned b;

			tm_v1_parse(p, stop, &rec);
			b = evidence(&rec);
			if (b > bits) {
				bits = b;
				*best = rec;
			}
			if (rec.form == FORM_CALL && *domain == TM_DOMAIN_OTHER &&
			    tm_v1_domain(&rec.name) != TM_DOMAIN_N)
				*domain = tm_v1_domain(&rec.name);
		}
		p = nl ? nl + 1 : end;
	}
	return bits;
}

static unsigned v1_bid(const unsigned char *p, size_t n, bool whole)
{
	enum tm_domain domain;
	struct v1_record rec;

	return look((const char *)p, n, whole, &rec, &domain);
}

/* ---- what calls say of operations ---- */

/* The correlation id of a call: its own, or its number in its process.  False when out of memory.
 * */
static bool correlation(struct v1_text *t, struct v1_record *rec)
{
	uint32_t id = tm_names_add(&t->pids, (const char *)&rec->first, sizeof rec->first);

	if (id == TM_NAME_NONE ||
	    !tm_grow_zeroed(&t->calls_of, &t->calls_cap, (size_t)id + 1, sizeof *t->calls_of))
		return tm_lines_oom(&t->lines);
	t->calls_of[id]++;
	if (!rec->has_corr || !rec->corr)
		rec->corr = t->calls_of[id];
	rec->has_corr = true;
	return true;
}

/* The stream a call is for: 0 is the null stream, others are counted as they come. */
static bool stream_of(struct v1_text *t, const struct v1_record *rec, uint64_t *stream)
{
	struct tm_small_field value;
	uint32_t id;

	*stream = 0;
	if (!rec->args.p || (!tm_v1_argument(&rec->args, "stream", &value) &&
	                     !tm_v1_argument(&rec->args, "hStream", &value)))
		return true;
	if (value.n == 3 && !strncasecmp(value.p, "nil", 3))
		return true;
	id = tm_names_add(&t->streams, value.p, value.n);
	*stream = (uint64_t)id + 1;
	return id != TM_NAME_NONE || tm_lines_oom(&t->lines);
}

static bool learn_call(struct tm_reader *r, struct v1_record *rec)
{
	struct v1_text *t = r->priv;
	struct open_item item = { .name = TM_NAME_NONE, .tag = (uint32_t)rec->second };

	if (!correlation(t, rec) || !stream_of(t, rec, &item.start))
		return false;
	if ((!rec->kernel.p && !tm_v1_works(&rec->name)) || rec->first > UINT32_MAX ||
	    rec->second > UINT32_MAX)
		return true;
	if (rec->kernel.p) {
		item.name = tm_names_add(&r->names, rec->kernel.p, rec->kernel.n);
		if (item.name == TM_NAME_NONE)
			return tm_lines_oom(&t->lines);
	}
	item.key = rec->corr;
	item.domain = (uint32_t)rec->first;
	return tm_open_add(&t->calls, &item) || tm_lines_oom(&t->lines);
}

/* The path of the calls' file beside this one, in *path; false when there is none. */
static bool calls_beside(const char *name, struct tm_buf *path)
{
	static const char ops[] = "hcc_ops_trace", calls[] = "hip_api_trace";
	const char *base = strrchr(name, '/');
	const char *at = strstr(base ? base : name, ops);
	struct stat st;

	if (!at)
		return false;
	tm_buf_add(path, name, (size_t)(at - name));
	tm_buf_str(path, calls);
	tm_buf_str(path, at + sizeof ops - 1);
	if (path->failed)
		return false;
	/* Where that cannot be told, whoever opens it has the reason. */
	if (stat(path->p, &st))
		return errno != ENOENT && errno != ENOTDIR;
	return S_ISREG(st.st_mode);
}

/* Read that file.  What is wrong with its lines is for its own reading to tell.  False when out of
 * memory. */
static bool learn_calls(struct tm_reader *r)
{
	struct v1_text *t = r->priv;
	struct tm_lines lines = { 0 };
	struct tm_buf path = { 0 };
	struct tm_source *src = NULL;
	struct tm_diag why = { 0 };
	enum tm_line_kind kind;
	struct v1_record rec;
	const char *p;
	size_t n;
	bool ok = true;

	t->looked = true;
	if (calls_beside(tm_source_name(r->src), &path))
		src = tm_source_open(path.p, &why);
	if (src && tm_source_is_archive(src)) {
		tm_source_close(src);
		src = NULL;
	}
	while (ok && src && (kind = tm_lines_next(&lines, src, &p, &n)) != TM_LINE_NONE) {
		if (kind != TM_LINE_WHOLE)
			continue;
		if (n && p[n - 1] == '\r')
			n--;
		tm_v1_parse(p, p + n, &rec);
		ok = rec.form != FORM_CALL || learn_call(r, &rec);
	}
	if (lines.dead)
		why = lines.why;
	if (path.failed || why.status == TM_ST_NOMEM)
		ok = tm_lines_oom(&t->lines);
	else if (*why.text)
		tm_diag_set(&t->unheard, 0,
		            "its kernels have no names of their own: %.200s: %.200s", path.p,
		            why.text);
	tm_lines_fini(&lines);
	tm_source_close(src);
	tm_buf_fini(&path);
	return ok;
}

/* ---- events ---- */

/* One event out.  False when out of memory. */
static bool give(struct tm_reader *r, int which, struct tm_ev_row *row, uint64_t line)
{
	struct v1_text *t = r->priv;

	if (row->v[TM_EVC_END] < row->v[TM_EVC_START]) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_REVERSED, line);
		return true;
	}
	if (!tm_ev_rows_add(&t->out[which], row))
		return tm_lines_oom(&t->lines);
	r->loss.rows++;
	return true;
}

static bool put_name(struct tm_reader *r, struct tm_ev_row *row, const char *p, size_t n)
{
	uint32_t id = tm_names_add(&r->names, p, n);

	tm_ev_put(row, TM_EVC_NAME, id);
	return id != TM_NAME_NONE || tm_lines_oom(&((struct v1_text *)r->priv)->lines);
}

static struct tm_ev_row times(const struct v1_record *rec)
{
	struct tm_ev_row row = { .has = 0 };

	tm_ev_put(&row, TM_EVC_START, rec->begin);
	tm_ev_put(&row, TM_EVC_END, rec->end);
	if (rec->has_corr)
		tm_ev_put(&row, TM_EVC_CORR, rec->corr);
	if (rec->has_pid)
		tm_ev_put(&row, TM_EVC_PID, rec->pid);
	return row;
}

static bool take_call(struct tm_reader *r, struct v1_record *rec)
{
	struct v1_text *t = r->priv;
	enum tm_domain d = tm_v1_domain(&rec->name);
	struct tm_ev_row row;

	if (!correlation(t, rec))
		return false;
	row = times(rec);
	tm_ev_put(&row, TM_EVC_PID, rec->first);
	tm_ev_put(&row, TM_EVC_TID, rec->second);
	tm_ev_put(&row, TM_EVC_DOMAIN, d == TM_DOMAIN_N ? t->domain : d);
	return put_name(r, &row, rec->name.p, rec->name.n) && give(r, OUT_API, &row, t->lines.line);
}

static bool take_copy(struct tm_reader *r, const struct v1_record *rec)
{
	struct v1_text *t = r->priv;
	struct tm_ev_row row = times(rec);

	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_COPY);
	return put_name(r, &row, rec->name.p, rec->name.n) &&
	       give(r, OUT_COPY, &row, t->lines.line);
}

static bool take_operation(struct tm_reader *r, const struct v1_record *rec)
{
	static const char barrier[] = "<barrier packet>";
	struct v1_text *t = r->priv;
	struct tm_ev_row row = times(rec);
	enum v1_what what = tm_v1_operation(&rec->name);
	struct open_item call = { .name = TM_NAME_NONE };
	bool called;

	if (!t->looked && !learn_calls(r))
		return false;
	called = rec->pid <= UINT32_MAX &&
	         tm_open_find(&t->calls, rec->corr, (uint32_t)rec->pid, &call);
	/* A kernel may have any name, one with "Copy" in it, too. */
	if (call.name != TM_NAME_NONE)
		what = OP_OTHER;
	if (what == OP_BARRIER && !called)
		return true;
	if (called) {
		tm_ev_put(&row, TM_EVC_TID, call.tag);
		tm_ev_put(&row, TM_EVC_STREAM, call.start);
	}
	if (rec->first <= UINT32_MAX)
		tm_ev_put(&row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_NODE, (uint32_t)rec->first));
	tm_ev_put(&row, TM_EVC_QUEUE, rec->second);
	tm_ev_put(&row, TM_EVC_DOMAIN, what == OP_COPY ? TM_DOMAIN_COPY : TM_DOMAIN_KERNEL);
	if (what == OP_UNNAMED)
		tm_loss_count(&r->loss, TM_LOSS_OPERATION, 1, t->lines.at);
	if (call.name != TM_NAME_NONE)
		tm_ev_put(&row, TM_EVC_NAME, call.name);
	else if (what == OP_BARRIER ? !put_name(r, &row, barrier, sizeof barrier - 1)
	                            : !put_name(r, &row, rec->name.p, rec->name.n))
		return false;
	return give(r, what == OP_COPY ? OUT_COPY : OUT_DISPATCH, &row, t->lines.line);
}

/* A marker from `item` to `end`. */
static bool give_marker(struct tm_reader *r, const struct open_item *item, uint64_t end,
                        uint64_t line)
{
	struct tm_ev_row row = { .has = 0 };

	tm_ev_put(&row, TM_EVC_NAME, item->name);
	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_MARKER);
	tm_ev_put(&row, TM_EVC_START, item->start);
	tm_ev_put(&row, TM_EVC_END, end);
	tm_ev_put(&row, TM_EVC_PID, item->key >> 32);
	tm_ev_put(&row, TM_EVC_TID, item->tag);
	return give(r, OUT_API, &row, line);
}

static bool take_marker(struct tm_reader *r, const struct v1_record *rec, const char *message,
                        size_t n, uint64_t line, uint64_t at)
{
	struct v1_text *t = r->priv;
	bool ranged = rec->corr == MARKER_START || rec->corr == MARKER_STOP;
	struct open_item item = { .key = rec->first << 32 | (ranged ? rec->pid : rec->second),
		                  .start = rec->begin,
		                  .line = at,
		                  .domain = ranged ? OPEN_STARTED : OPEN_PUSHED,
		                  .tag = (uint32_t)rec->second };
	struct open_item begun;

	if (rec->corr > MARKER_STOP || rec->first > UINT32_MAX || rec->second > UINT32_MAX ||
	    (ranged && rec->pid > UINT32_MAX) || rec->begin == UINT64_MAX) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, line);
		return true;
	}
	if (rec->corr == MARKER_POP || rec->corr == MARKER_STOP) {
		if (tm_open_take(&t->open, item.key, item.domain, &begun))
			return give_marker(r, &begun, rec->begin, line);
		tm_loss_count(&r->loss, TM_LOSS_CLOSE, 1, at);
		return true;
	}
	item.name = tm_names_add(&r->names, message, n);
	if (item.name == TM_NAME_NONE)
		return tm_lines_oom(&t->lines);
	if (rec->corr == MARKER_MARK)
		return give_marker(r, &item, rec->begin + 1, line);
	return tm_open_add(&t->open, &item) || tm_lines_oom(&t->lines);
}

/* A line of a message that began before. */
static bool go_on(struct tm_reader *r, const char *p, size_t n)
{
	struct v1_text *t = r->priv;
	bool closed = n && p[n - 1] == '"';

	if (!tm_buf_chr(&t->message, '\n') || !tm_buf_add(&t->message, p, n - closed))
		return tm_lines_oom(&t->lines);
	if (!closed && t->message.n <= TM_LINE_MAX_BYTES)
		return true;
	t->pending = false;
	if (!closed) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, t->marker_line);
		return true;
	}
	return take_marker(r, &t->marker, t->message.p, t->message.n, t->marker_line, t->marker_at);
}

static bool begin_message(struct v1_text *t, const struct v1_record *rec)
{
	t->marker = *rec;
	t->marker_line = t->lines.line;
	t->marker_at = t->lines.at;
	t->pending = true;
	tm_buf_clear(&t->message);
	return tm_buf_add(&t->message, rec->name.p, rec->name.n) || tm_lines_oom(&t->lines);
}

/* One whole line.  False when out of memory. */
static bool take_line(struct tm_reader *r, const char *p, size_t n)
{
	struct v1_text *t = r->priv;
	struct v1_record rec;

	if (n && p[n - 1] == '\r')
		n--;
	tm_v1_parse(p, p + n, &rec);
	if (t->pending && rec.form == FORM_NONE)
		return go_on(r, p, n);
	if (t->pending) {
		t->pending = false;
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, t->marker_line);
	}
	switch (rec.form) {
	case FORM_CALL:
		return take_call(r, &rec);
	case FORM_OPERATION:
		return take_operation(r, &rec);
	case FORM_COPY:
		return take_copy(r, &rec);
	case FORM_MARKER:
		if (rec.unclosed)
			return begin_message(t, &rec);
		return take_marker(r, &rec, rec.name.p, rec.name.n, t->lines.line, t->lines.at);
	case FORM_NONE:
		break;
	}
	if (tm_v1_begins(p, p + n, false))
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, t->lines.line);
	return true;
}

/* At the end of the input: what has begun and does not end. */
static void tell_left(struct tm_reader *r)
{
	struct v1_text *t = r->priv;

	if (t->pending)
		tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, t->marker_line);
	t->pending = false;
	for (; t->left < t->open.n; t->left++)
		if (t->open.v[t->left].live)
			tm_loss_count(&r->loss, TM_LOSS_OPEN, 1, t->open.v[t->left].line);
}

static bool take(struct tm_reader *r, enum tm_line_kind kind, const char *p, size_t n)
{
	const struct v1_text *t = r->priv;

	if (kind == TM_LINE_WHOLE)
		return take_line(r, p, n);
	/* Nobody can tell whether the last number of a line that is cut is whole. */
	if (kind == TM_LINE_LONG && tm_v1_begins(p, p + n, false))
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, r->lines);
	else if (kind == TM_LINE_CUT && !t->lines.dead)
		tm_loss_line(&r->loss,
		             tm_v1_begins(p, p + n, true) ? TM_LOSS_LINE_CUT
		                                          : TM_LOSS_LINE_OPEN_END,
		             r->lines);
	return true;
}

/* One more line; false at the end or when dead. */
static bool step(struct tm_reader *r)
{
	struct v1_text *t = r->priv;

	if (tm_lines_step(&t->lines, r, take))
		return true;
	if (!t->lines.dead)
		tell_left(r);
	/* All is read, but not as it would have been. */
	if (!t->lines.dead && *t->unheard.text) {
		t->lines.dead = true;
		t->lines.why = t->unheard;
	}
	return false;
}

static enum tm_status v1_open(struct tm_reader *r, struct tm_diag *d)
{
	struct v1_text *t = r->priv;
	const unsigned char *p;
	struct v1_record rec;
	size_t n;

	if (tm_source_peek(r->src, &p, &n, d) == TM_ST_FATAL)
		return TM_ST_FATAL;
	look((const char *)p, n, n < TM_SOURCE_PEEK, &rec, &t->domain);
	t->out[OUT_DISPATCH].b.kind = TM_EV_DISPATCH;
	t->out[OUT_API].b.kind = TM_EV_API;
	t->out[OUT_COPY].b.kind = TM_EV_COPY;
	r->table = form_tables[rec.form];
	if (rec.form == FORM_CALL && t->domain == TM_DOMAIN_HIP)
		r->table = "HIP API trace";
	if (rec.form == FORM_CALL && t->domain == TM_DOMAIN_HSA)
		r->table = "HSA API trace";
	r->producer = "rocprof";
	return TM_ST_OK;
}

static enum tm_status v1_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct v1_text *t = r->priv;

	/* The kinds may take turns in the input: each fills a batch of its own. */
	while (tm_ev_rows_room(t->out, OUT_N, 1) && step(r))
		continue;
	return tm_ev_rows_next(t->out, OUT_N, &r->names, t->lines.dead ? &t->lines.why : NULL, b,
	                       d);
}

static void v1_close(struct tm_reader *r)
{
	struct v1_text *t = r->priv;

	tm_ev_rows_fini_all(t->out, OUT_N);
	tm_open_fini(&t->open);
	tm_open_fini(&t->calls);
	tm_names_fini(&t->pids);
	tm_names_fini(&t->streams);
	free(t->calls_of);
	tm_buf_fini(&t->message);
	tm_lines_fini(&t->lines);
}

const struct tm_reader_ops tm_reader_rocprofv1_text = {
	.name = "rocprofv1-text",
	.about = "text files of rocprof v1 (-d): hip_api_trace, hsa_api_trace, hcc_ops_trace, "
	         "async_copy_trace, roctx_trace",
	.bid = v1_bid,
	.priv_size = sizeof(struct v1_text),
	.open = v1_open,
	.next = v1_next,
	.close = v1_close,
};
