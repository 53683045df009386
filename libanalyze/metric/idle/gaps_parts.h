/* SPDX-License-Identifier: MIT
 * The views of `gaps`, shared by gaps.c and gaps_list.c. */
#ifndef TM_METRIC_GAPS_PARTS_H
#define TM_METRIC_GAPS_PARTS_H

#include "metric/idle/gaps.h"

#include <limits.h>

/* The first columns of every view. */
enum { COL_RANK, COL_AGENT, COL_QUEUE, COL_STREAM, COL_OWN };

#define WHOSE                                                                                      \
	[COL_RANK] = { .name = "rank",                                                             \
		       .title = "RANK",                                                            \
		       .unit = TM_UNIT_ID,                                                         \
		       .about = "rank of the process" },                                           \
	[COL_AGENT] = { .name = "agent",                                                           \
		        .title = "AGENT",                                                          \
		        .unit = TM_UNIT_TEXT,                                                      \
		        .about = "agent as the producer numbers it" },                             \
	[COL_QUEUE] = { .name = "queue",                                                           \
		        .title = "QUEUE",                                                          \
		        .unit = TM_UNIT_ID,                                                        \
		        .about = "queue, with --per queue" },                                      \
	[COL_STREAM] = { .name = "stream",                                                         \
		         .title = "STREAM",                                                        \
		         .unit = TM_UNIT_ID,                                                       \
		         .about = "stream, with --per stream" }

/* Tracks that differ in their process only. */
struct gaps_lane {
	const struct tm_work_track *t;
	size_t n;
};

/* An operation beside a gap. */
struct gaps_beside {
	unsigned list; /* of tm_work_pieces_same, or GAPS_NONE */
	size_t i;
};

#define GAPS_NONE UINT_MAX

/* lo < hi. */
struct gap {
	struct tm_extent at;
	struct gaps_beside prev, next;
};

struct gaps_walk {
	struct tm_pieces p;
	const struct tm_work_piece *kept; /* n of them; NULL = walk */
	size_t at, n;
	uint64_t edge; /* end of what was busy so far */
	struct gaps_beside last;
	bool done;
};

static inline const struct tm_intervals *gaps_ops(const struct gaps_lane *l, struct gaps_beside b)
{
	return &l->t[b.list % l->n].op[b.list / l->n];
}

/* TM_NAME_NONE where nothing lies on that side of the gap. */
static inline uint32_t gaps_name_beside(const struct gaps_lane *l, struct gaps_beside b)
{
	return b.list != GAPS_NONE ? tm_interval_name(gaps_ops(l, b), b.i) : TM_NAME_NONE;
}

static inline uint64_t gaps_length(const struct gap *g)
{
	return g->at.hi - g->at.lo;
}

/* That from w->track[i] on. */
static inline struct gaps_lane gaps_lane(const struct tm_work *w, size_t i)
{
	return (struct gaps_lane) { &w->track[i], tm_work_same(w, i) };
}

/* Walk the gaps of a lane, in order of time. */
struct gaps_walk tm_gaps_walk(const struct gaps_lane *l);

/* Where the first kernel of a lane begins (tm_work_first_kernel); 0 = there is none. */
uint64_t tm_gaps_first_kernel(const struct gaps_lane *l);

/* The gaps of a lane before its first kernel: their sum, and the longest. */
struct gaps_before {
	uint64_t idle, longest;
};
struct gaps_before tm_gaps_before(const struct gaps_lane *l, uint64_t first);

/* The longest of the others, where `longest` is that of all. */
uint64_t tm_gaps_later(const struct gaps_lane *l, uint64_t longest);

/* The next one; false after the last. */
bool tm_gaps_next(struct gaps_walk *w, struct gap *g);

/* The next one longer than `least`; false after the last.  The others are counted in *passed. */
bool tm_gaps_longer(struct gaps_walk *w, uint64_t least, struct tm_pieces_passed *passed,
                    struct gap *g);

enum { GAPS_SOME = 256 };

/* The lengths of the next gaps, some at a time: how many are in out[]; 0 behind the last.  For
 * those who ask for nothing else; not to be mixed with tm_gaps_next in one walk. */
size_t tm_gaps_lengths(struct gaps_walk *w, uint64_t out[GAPS_SOME]);

/* What all of it is worked out with. */
struct gaps_fill {
	struct tm_work *w;
	const struct tm_names *homes; /* hosts of the ranks (metric/homes.h); --shared */
	const struct tm_metric_opts *o;
	struct tm_table *t;
	unsigned char place[TM_TABLE_COLUMNS]; /* column of the view -> cell of a row */
	uint64_t rank;                         /* whose calls and causes these are */
	bool ready;
	bool names;            /* tm_causes_call will be asked */
	struct tm_report *rep; /* for what there is to say of steps */
	bool no_steps;         /* they are asked for and there are none, which is said */
	struct tm_calls calls;
	struct tm_causes causes;
	uint64_t lanes, few;  /* agents (queues, streams), and those with too few calls found */
	uint64_t told, early; /* gaps split by a call, and those that end before it begins */
};

/* Make f->calls and f->causes those of a rank, if they are not.  False when out of memory. */
bool tm_gaps_rank_ready(struct gaps_fill *f, uint64_t rank);

/* Free what is of the rank. */
void tm_gaps_fill_fini(struct gaps_fill *f);

/* The causes of a gap, of a rank that is ready.  *thread is where the operation after it came
 * from, in work.thread; TM_CALL_NONE = not known.  False when out of memory. */
bool tm_gaps_split(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g,
                   uint64_t out[TM_CAUSES], size_t *thread);

/* The same of those parts of it that lie in f->causes.inside. */
bool tm_gaps_split_inside(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g,
                          uint64_t out[TM_CAUSES]);

/* The thread alone that tm_gaps_split finds. */
size_t tm_gaps_thread(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g);

/* Operations that start inside the window, and those whose call is known; count the lane in *f. */
void tm_gaps_count_found(struct gaps_fill *f, const struct gaps_lane *l, struct tm_calls_found *n);

/* A row with its first cells; NULL when out of memory. */
struct tm_cell *tm_gaps_row(struct gaps_fill *f, const struct gaps_lane *l);

extern const struct tm_column tm_gaps_list_columns[];

/* What the options of `gaps` alone say. */
struct gaps_own {
	uint64_t short_us; /* of --fuse: kernels shorter than this are short */
	const char *by;    /* of tm_gaps_by_words, or NULL */
};

/* What --by takes, ending with NULL. */
extern const char *const tm_gaps_by_words[];

extern const struct tm_column tm_gaps_by_columns[];

/* What a struct tm_work must keep for --by, beside TM_GAPS_KEEP. */
unsigned tm_gaps_by_keep(const struct tm_metric_opts *o);

/* The rows of --by, of each lane those with most idle time first; false when out of memory. */
bool tm_gaps_fill_by(struct gaps_fill *f);

extern const struct tm_column tm_gaps_fuse_columns[];

/* The rows of --fuse for a lane, those with most idle time first; false when out of memory. */
bool tm_gaps_fill_fuse(struct gaps_fill *f, const struct gaps_lane *l);

extern const struct tm_column tm_gaps_shared_columns[];

/* The rows of --shared, of all lanes if any of them is; false when out of memory. */
bool tm_gaps_fill_shared(struct gaps_fill *f);

/* The rows of --list; false when out of memory. */
bool tm_gaps_fill_list(struct gaps_fill *f);

#endif
