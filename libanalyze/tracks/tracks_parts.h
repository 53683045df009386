/* SPDX-License-Identifier: MIT
 * Internals of tracks.h.
 *
 *   store.c    events and what tracemill draws itself as rows, each on a track
 *   derive.c   states, depths, collectives, steps, clocks
 *   links.c    which call launched it, who waited for whom: arrows
 *   order.c    all rows by track and time
 *   lanes.c    the rows of a rank as lanes that go up in time, and all of them as one walk
 *   draw.c     what is left out when there is a budget, and a walk over all ranks into a pen
 *   words.c    what a slice says, for the pens
 *   pftrace.c, chrome.c   the pens
 *
 * A function that returns bool returns false when out of memory, unless it says otherwise. */
#ifndef TM_TRACKS_TRACKS_PARTS_H
#define TM_TRACKS_TRACKS_PARTS_H

#include "agg/agg.h"
#include "metric/idle/idle.h"
#include "metric/metric.h"
#include "metric/ranks/ranks.h"
#include "tracks/tracks.h"
#include "work/work.h"

enum track_sort {
#define TRACK_SORT(id, group, form) TRACK_##id,
#include "tracks/tracks.def"
	TRACK_SORTS,
};

enum track_group { GROUP_JOB, GROUP_GPU, GROUP_HOST, GROUP_MARKERS };
enum track_form { FORM_FLAT, FORM_NESTED, FORM_COUNTER };

struct track_kind {
	enum track_group group;
	enum track_form form;
};
extern const struct track_kind tm_track_kinds[TRACK_SORTS];

/* A number that a slice says beside its name: a column of an event, or of args.def. */
enum {
	ARG_EVENT = 0, /* and the columns that schemas/pftrace.def has an annotation for */
	ARG_OWN = 40,
#define ARG(id, name) ARG_##id##_,
	ARG_BEFORE_ = ARG_OWN - 1,
#include "tracks/args.def"
	ARGS,
	ARG_CORR_ = ARGS, /* what every row may have: its correlation id, its name in full, */
	ARG_FULL_,
	ARG_END_,   /* until when a value holds, where that is known */
	ARG_NAMES_, /* how many names of args there are */
};

/* What an arg below ARG_OWN is; TM_EVC_N after the last. */
extern const enum tm_ev_col tm_track_cols[ARG_OWN];

/* What it is called: as schemas/pftrace.def has it first for that column; that of GRID_Z and WG_Z
 * stands for three numbers.  NULL = it has none. */
const char *tm_track_arg_name(unsigned arg);

/* Is it a text: the number in a row is that of a name in store.names? */
bool tm_track_is_text(unsigned arg);

enum track_what { WHAT_KERNEL, WHAT_COPY, WHAT_API, WHAT_ALLOC, WHAT_COUNTER, WHAT_OWN };

/* A slice or, on a track of that form, a value from `start` on. */
struct track_row {
	uint64_t start, end;
	uint64_t corr;  /* or bits of a double: the value */
	uint64_t cells; /* where what it says begins in store.cells: a set of args, then numbers */
	uint32_t name;  /* in store.names, or TM_NAME_NONE */
	uint32_t track; /* in store.tracks */
	uint8_t what;   /* enum track_what */
	uint8_t domain; /* enum tm_domain */
	bool has_corr;
	uint32_t run; /* that it is of, should it name no process: struct tm_whose */
};

/* The words of a key in store.tracks. */
enum { KEY_SORT, KEY_RANK, KEY_HAS, KEY_WHO, KEY_ID, KEY_WORDS };
enum { HAS_WHO = 1, HAS_ID = 2 }; /* who: agent or process; id: stream, queue, thread, a name */

/* What the inputs of a rank lost. */
struct track_lost {
	uint64_t rank;
	struct tm_loss loss; /* as tm_drawn_add_loss has it */
};

struct track_store {
	struct tm_names names;
	struct tm_names machines; /* agents, each once: its rank, 8 bytes, and what
	                           * tm_drawn_put_agent says of it */
	struct tm_groups tracks;
	struct track_row *row;
	size_t n, cap;
	struct tm_buf cells;
	struct tm_whose whose;
	uint64_t untimed, outside, other_kind, of_dispatch; /* rows left out */
	uint64_t no_events[TM_EV_NKINDS]; /* rows that are not events; not agents */
	uint64_t events;                  /* taken, of those that are not ours */
	struct track_lost *lost;          /* of ranks of which something is: nlost of them */
	size_t nlost, lost_cap;
};

/* What a batch is taken with. */
struct track_take {
	const struct tm_tracks *asked;
	const struct tm_metric_opts *o;
	uint64_t rank;
	struct tm_extent window;
	struct tm_clock_line line; /* drift to be added */
	bool static_lds;           /* kernels have the LDS they declare */
	uint32_t *known;           /* id of a name of the piece -> in store.names */
	size_t nknown, known_cap;
};

bool tm_track_take(struct track_store *s, struct track_take *t, const struct tm_batch *b);
bool tm_track_merge(struct track_store *s, const struct track_store *from);
void tm_track_store_fini(struct track_store *s);

/* An input of a rank is at its end: what it lost, and was it read to its end? */
bool tm_track_lose(struct track_store *s, uint64_t rank, const struct tm_loss *l, bool whole);

/* What the inputs of a rank lost; NULL = nothing. */
const struct tm_loss *tm_track_lost(const struct track_store *s, uint64_t rank);

/* The name of the state in which an agent works. */
#define TRACK_BUSY "busy"

/* A row of our own, and what it says: numbers of n of the ARG_*_, ascending. */
struct track_say {
	unsigned arg;
	uint64_t v;
};
bool tm_track_own(struct track_store *s, const uint64_t key[KEY_WORDS], uint64_t start,
                  uint64_t end, const char *name, const struct track_say *say, size_t n);

/* A value. */
bool tm_track_value(struct track_store *s, const uint64_t key[KEY_WORDS], uint64_t at, double v);

/* The numbers of a row, one after the other: false after the last. */
struct track_cells {
	const unsigned char *p;
	uint64_t set;
};
struct track_cells tm_track_cells(const struct track_store *s, const struct track_row *r);
bool tm_track_cell(struct track_cells *c, unsigned *arg, uint64_t *v);

/* ---- what is drawn beside events ---- */

/* A kernel of a collective. */
struct track_member {
	uint64_t rank, agent, at;
	bool has_agent, first, last; /* to come, of all of them */
	uint64_t nth;                /* which collective */
};

struct track_members {
	struct track_member *v;
	size_t n, cap;
};

/* Rows of our own; kernels of collectives into *m.  Of agents only with `whole`: all of their work
 * is there. */
bool tm_track_derive(struct track_store *s, struct ranks *r, const struct tm_tracks *asked,
                     bool whole, struct track_members *m, struct tm_report *rep);

/* What each agent holds, from what the question about memory gathered. */
bool tm_track_held(struct track_store *s, const struct ranks *r, void *memory);

/* ---- arrows ---- */

/* An end of an arrow, or a place that it goes through. */
struct track_link {
	uint32_t row;
	bool leaves, ends; /* leaves here; nothing goes on from here */
	uint64_t id;
};

struct track_links {
	struct track_link *v; /* by row */
	size_t n, cap;
	size_t waits; /* operations that began after their launch */
};

/* From calls to what they launched, and through collectives; with `whole`, how many operations
 * waited meanwhile becomes rows: all of them, and their calls, are there. */
bool tm_track_link(struct track_links *l, struct track_store *s, const struct track_members *m,
                   bool whole);
void tm_track_links_fini(struct track_links *l);

/* ---- in order ---- */

/* The rows of all tracks: by track, then start. */
struct track_order {
	uint32_t *row;   /* store.n of them, places in store.row */
	uint32_t *track; /* the tracks in order */
	size_t *from;    /* where each begins in `row`; one more at the end */
	size_t tracks;
	uint32_t *name_place; /* of each name among all texts */
	uint64_t first, last; /* of all times */
};
bool tm_track_sort(struct track_order *o, const struct track_store *s);
void tm_track_order_fini(struct track_order *o);

/* ---- what is left out ---- */

/* How much is drawn: everything with 0, less with each higher one. */
enum { TRACK_LEVELS = 52 };
struct track_level {
	bool no_flows;
	enum tm_tracks_args args;
	uint64_t host_ns, device_ns; /* shorter calls are left out; shorter work is put together */
	uint64_t value_ns;           /* of a counter, only the least and the most in so much time */
};
struct track_level tm_track_level(unsigned level);

/* What that did. */
struct track_left {
	uint64_t calls;                /* left out */
	uint64_t ops, merges;          /* kernels and copies put together, and into how many */
	uint64_t states, state_merges; /* the same of states of agents */
	uint64_t values, own_values;   /* left out, of counters in the input and of ours */
	uint64_t bare;                 /* events drawn with fewer arguments than they have */
};

/* ---- lanes ---- */

/* A slice as it is drawn. */
struct track_item {
	uint64_t start, end;
	uint64_t busy;       /* on tracks of agents: how long the agent works in it */
	uint32_t row, count; /* the first row; how many are in it */
};

struct track_lane {
	uint32_t track; /* in store.tracks */
	uint32_t nth;   /* of its track, from 0 */
	uint64_t uuid;
	size_t from, to; /* of track_lanes.item */
};

/* Lanes of some tracks. */
struct track_lanes {
	struct track_lane *lane;
	size_t n, cap;
	struct track_item *item;
	size_t items, item_cap;
};

/* The lanes of a track, after those that are there. */
bool tm_track_lanes(struct track_lanes *l, const struct track_store *s, const struct track_order *o,
                    size_t nth, const struct track_level *level);

/* Add what is left out of a track; lanes that are there stay as they are. */
bool tm_track_count_left(struct track_lanes *l, const struct track_store *s,
                         const struct track_order *o, size_t nth, const struct track_level *level,
                         struct track_left *left);
void tm_track_lanes_fini(struct track_lanes *l);

/* ---- pens ---- */

struct track_pen;

enum track_node { NODE_PROCESS, NODE_GROUP, NODE_SLICES, NODE_COUNTER };

/* What a counter counts in: one of Perfetto's units, or a word; {0} = unknown. */
enum { UNIT_NONE, UNIT_NS, UNIT_COUNT, UNIT_BYTES };
struct track_unit {
	unsigned unit;
	const char *word;
};

/* What a pen is told; uuids are not 0, a parent comes before its children, in their order. */
struct track_node_of {
	enum track_node node;
	uint64_t uuid, parent;    /* 0 = none */
	const char *name, *about; /* about: for readers of ours, or NULL */
	struct track_unit unit;   /* of NODE_COUNTER */
	uint64_t rank, pid;       /* of NODE_PROCESS, and of the process it is in */
	unsigned place;           /* among its siblings */
	bool ours, job;           /* drawn by us; a track of the job, not of a rank */
};

struct track_slice {
	const struct track_lane *lane;
	const struct track_item *item;
	const struct track_row *row;
	const struct track_link *link; /* nlink of them */
	size_t nlink;
	enum tm_tracks_args args;
	uint64_t pid; /* of the process it is drawn in */
};

struct track_pen_ops {
	/* A pen for this store; every walk begins with it. */
	struct track_pen *(*begin)(const struct track_store *s, const struct tm_metric_opts *o,
	                           uint64_t origin);
	bool (*node)(struct track_pen *p, const struct track_node_of *n);
	/* After the nodes of all processes, the tracks of the next of them: sections from 0. */
	bool (*section)(struct track_pen *p, size_t nth, uint64_t first);
	bool (*open)(struct track_pen *p, uint64_t at, const struct track_slice *s);
	bool (*close)(struct track_pen *p, uint64_t at, const struct track_slice *s);
	/* Until `end`, where that is later. */
	bool (*value)(struct track_pen *p, uint64_t at, uint64_t end, const struct track_lane *lane,
	              double v);
	bool (*end)(struct track_pen *p);
	void (*free)(struct track_pen *p);
};
extern const struct track_pen_ops tm_pen_pftrace, tm_pen_chrome;

/* What a slice is filed under: a domain, or one of: */
enum { CATEGORY_MERGED = TM_DOMAIN_N, CATEGORY_OWN, CATEGORIES = CATEGORY_OWN + TRACK_SORTS };
unsigned tm_track_category(const struct track_store *s, const struct track_slice *x);
const char *tm_track_category_text(unsigned category);

/* Who is told what a slice says. */
struct track_saying {
	void *pen;
	bool (*number)(void *pen, unsigned arg, const char *name, uint64_t v);
	bool (*text)(void *pen, unsigned arg, const char *name, const char *text, size_t n);
};
bool tm_track_tell(const struct track_store *s, const struct track_slice *x,
                   struct track_saying *to);

/* What every pen begins with: what is ready to be written, and how much there was in all. */
struct track_pen {
	struct tm_buf out;
	uint64_t bytes; /* before compression, what was written with it */
	bool compress;  /* otherwise only `bytes` matters */
};

/* What a row is called: a kernel in short, for the eye, or in full; in *text, which is used again.
 * NULL when out of memory. */
const char *tm_track_name(struct tm_buf *text, const struct track_store *s,
                          const struct track_row *r, enum tm_name_level level);

/* A number for that name, below tm_track_name_ids(s): a kernel has another than a marker of the
 * same text, which is not shortened. */
size_t tm_track_name_id(const struct track_store *s, const struct track_row *r);
size_t tm_track_name_ids(const struct track_store *s);

/* ---- all of it ---- */

struct track_drawing {
	const struct track_store *s;
	const struct track_order *order;
	const struct track_links *links;
	const struct ranks *ranks;
	const struct tm_agents *agents;
	const struct tm_metric_opts *o;
	struct tm_tracks *asked;
};

/* Draw at a level.  With `measure` nothing is written; *bytes: before compression.  False when out
 * of memory, or with asked->why. */
bool tm_track_draw(const struct track_drawing *d, const struct track_level *level, bool measure,
                   uint64_t *bytes, struct track_left *left);

#endif
