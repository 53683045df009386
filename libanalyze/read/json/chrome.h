/* SPDX-License-Identifier: MIT
 * Trace events as JSON ("Chrome trace"), which half a dozen profilers write, each in its own words.
 *
 *   chrome.c         the envelope, one event after the other, begins and ends paired, the reader
 *   <dialect>.c      what the events of one producer mean: a struct chrome_dialect
 *
 * One pass, with memory only for what has begun and not ended, not for the events.  So what follows
 * the events in the file is unknown while they are read; tm_chrome_tail() reads it first if the
 * input permits that.
 *
 * A function that returns bool returns false when out of memory, unless it says otherwise. */
#ifndef TM_READ_JSON_CHROME_H
#define TM_READ_JSON_CHROME_H

#include "read/batch.h"
#include "read/json/json_stream.h"
#include "read/open.h"
#include "read/reader.h"

enum {
	CHROME_KEY = 32,       /* bytes of a key of the envelope that a dialect may ask for */
	CHROME_OPEN = 1 << 20, /* events that have begun and not ended, at most */
	CHROME_ROOM = 512,     /* rows an ordinary event may add to a batch */
	CHROME_TAIL = 64 * 1024,
};

enum chrome_out { OUT_DISPATCH, OUT_COPY, OUT_API, OUT_ALLOC, OUT_COUNTER, OUT_AGENT, CHROME_OUTS };

/* One element of traceEvents.  An item that is not there has kind JSON_NONE. */
struct chrome_event {
	unsigned char ph; /* 0 = none */
	struct json_item name, cat, pid, tid, ts, dur, id, scope;
	struct json_item
	        args; /* JSON_OBJECT: the bytes of the whole object, which are valid JSON */
	uint64_t at;  /* byte of the input where it begins */
};

struct chrome {
	struct tm_reader *r;
	const struct chrome_dialect *dialect;
	struct json_stream in;
	enum {
		CHROME_TOP,
		CHROME_MEMBERS,
		CHROME_VALUE, /* of a key the dialect asked for */
		CHROME_SKIP,
		CHROME_EVENTS,
		CHROME_END, /* after the outermost value */
		CHROME_DONE,
	} phase;
	bool bare;  /* the outermost value is the array itself */
	bool first; /* of tm_json_member, tm_json_element */
	bool inner; /* ... of the outermost object, while the events are read */
	bool dead;
	bool holding; /* the event at hand is to be read again, once all rows were given out */
	char key[CHROME_KEY];
	struct json_skip skip;
	struct tm_diag why;
	struct tm_diag
	        tail; /* why the end could not be read first; no text = it was, or nobody looked */

	uint64_t base; /* ns added to every time */
	struct tm_ev_rows out[CHROME_OUTS];
	struct tm_buf text;
	struct tm_names lanes; /* what begins and ends are paired by */
	struct open_set open;
	uint64_t launches, launch_at, dispatches;
};

/* How one producer's events are read. */
struct chrome_dialect {
	const char *table;
	/* Is the value of that key of the envelope wanted?  Optional. */
	bool (*wants)(const char *key);
	/* That value at t->in.c, to be consumed whole; called again from its beginning when
	 * t->in.c.state is JSON_MORE.  Optional. */
	void (*value)(struct chrome *t);
	/* The array of events is about to be read.  Optional. */
	bool (*begin)(struct chrome *t);
	/* An event.  Where rows of another trace are to be given out before it, it sets t->holding
	 * and gets the event again. */
	bool (*event)(struct chrome *t, const struct chrome_event *e);
	/* Must more events be read before the reader is open?  Optional. */
	bool (*head)(const struct chrome *t);
	/* All is read, and well.  Optional. */
	void (*end)(struct chrome *t);
};

/* Bits of evidence that these bytes are trace events at all: 16, or 0.  Pure. */
unsigned tm_chrome_bid(const unsigned char *p, size_t n);

/* Is there "key" : value among the bytes?  `value` as it stands, with its quotes; "" = any.  Pure.
 */
bool tm_chrome_has(const unsigned char *p, size_t n, const char *key, const char *value);

/* The functions of a reader whose priv begins with a struct chrome. */
enum tm_status tm_chrome_open(struct tm_reader *r, const struct chrome_dialect *dialect,
                              struct tm_diag *d);
enum tm_status tm_chrome_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d);
void tm_chrome_close(struct tm_reader *r);

/* The last bytes of the input: without what is before them (a plain file), by reading it twice (a
 * compressed one), or by way of a copy on disk (tm_json_aside).  None where there is no room for
 * that.
 */
bool tm_chrome_tail(struct chrome *t, struct tm_buf *out);

/* Start and end of an event with `ts` and, unless that is left out, `dur`, into the row.  False and
 * counted where they make no sense. */
bool tm_chrome_times(struct chrome *t, const struct chrome_event *e, struct tm_ev_row *row);

/* A text as a name: id in reader.names. */
bool tm_chrome_intern(struct chrome *t, const struct json_item *text, uint32_t *id);

/* TM_EVC_NAME of the event; "(unnamed)", and counted, where it has none. */
bool tm_chrome_name(struct chrome *t, const struct chrome_event *e, struct tm_ev_row *row);

/* TM_EVC_PID and TM_EVC_TID of the event, where they are numbers. */
void tm_chrome_thread(const struct chrome_event *e, struct tm_ev_row *row);

/* Put a number into the row if it is one. */
void tm_chrome_put(struct tm_ev_row *row, enum tm_ev_col c, const struct json_item *v);

/* An event out of batches: begins, ends, marks and samples, whose phase says what they are.  *done:
 * it was one of those; else it is for the dialect.  `domain` is that of a range or mark. */
bool tm_chrome_phase(struct chrome *t, const struct chrome_event *e, enum tm_domain domain,
                     bool *done);

/* A counter of phase C: one sample for each number among its arguments, until `dur` later where it
 * has that. */
bool tm_chrome_sample(struct chrome *t, const struct chrome_event *e, const struct tm_ev_row *more);

/* A row into its batch. */
bool tm_chrome_add(struct chrome *t, enum chrome_out out, const struct tm_ev_row *row);

/* A cursor over the arguments of an event: members follow, as after JSON_OBJECT.  Only where the
 * event has an object of arguments. */
static inline struct json chrome_args(const struct chrome_event *e)
{
	/* The bytes after the object are those of the event, so there is no padding to add. */
	return (struct json) { .p = e->args.n ? e->args.p + 1 : NULL,
		               .end = e->args.n ? e->args.p + e->args.n : NULL };
}

#endif
