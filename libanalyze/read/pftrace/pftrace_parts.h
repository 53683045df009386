/* SPDX-License-Identifier: MIT
 * Internals of the pftrace reader.
 *
 *   pftrace.c         bytes to packets, and the reader itself
 *   pftrace_packet.c  the fields of a packet, and where they go
 *   pftrace_state.c   what a sequence of packets carries along: interned texts, defaults, clocks
 *   pftrace_tracks.c  tracks: agent, queue, stream, thread, process, out of names and parents
 *   pftrace_cold.c    messages that come seldom, unpacked by protobuf-c
 *   pftrace_decode.c  the fields of a track event and its annotations
 *   pftrace_events.c  track events to rows: begins and ends paired, tracks looked up, counters
 *
 * A function that returns bool returns false when out of memory, unless it says otherwise. */
#ifndef TM_READ_PFTRACE_PFTRACE_PARTS_H
#define TM_READ_PFTRACE_PFTRACE_PARTS_H

#include "base/base.h"
#include "read/batch.h"
#include "read/drawn.h"
#include "read/pftrace/wire.h"
#include "read/reader.h"

/* What a slice is, as its category or else its track says (schemas/pftrace.def). */
enum pf_class {
	PF_NONE,
	PF_KERNEL,
	PF_COPY,
	PF_API,
	PF_ALLOC,
	PF_MIXED,  /* a kernel or a copy */
	PF_OPS,    /* a copy, or a kernel that is there twice */
	PF_SAMPLE, /* no slice at all: a counter */
	PF_OURS,   /* no event: what tracemill draws beside the events */
};

enum { PF_HEADER = 16 }; /* a tag and a length, at most */
#define PF_PACKET_TAG 0x0a

enum {
	PF_SEQS =
	        1 << 16, /* sequences, tracks and lanes, at most: the file could name any number */
	PF_TRACKS = 1 << 18,
	PF_OPEN = 1 << 21,    /* words of all slices that have begun and not ended */
	PF_LATE = 1 << 20,    /* words of rows that wait for their track to be described */
	PF_PMC = 64,          /* counters of one dispatch */
	PF_ROOM = PF_PMC + 1, /* rows one packet may add to a batch */
	PF_CLOCKS = 8,        /* clocks of one sequence */
	PF_GLOBALS = 16,      /* clocks of the machine */
	PF_READINGS = PF_GLOBALS + PF_CLOCKS, /* clocks of one snapshot */
	PF_NO_TRACK = 0,
	PF_NEAR = 16, /* a power of two */
};

/* Numbers by number.  {0} is a valid empty table. */
struct pf_slot {
	uint64_t key;
	uint32_t val, used;
};

struct pf_table {
	struct pf_slot *slot;
	uint32_t n, bits;
};

/* A clock of one sequence.  The time of the trace is base + (own time - own_base). */
struct pf_clock {
	uint32_t id;
	bool incremental, known;
	uint64_t mult; /* ns of one unit */
	uint64_t run;  /* incremental: own time so far, ns */
	uint64_t own_base, base;
};

struct pf_seq {
	uint32_t gaps; /* places where packets of this sequence were dropped */
	bool cleared;  /* it has begun properly */
	bool has_default_track;
	uint32_t default_clock; /* 0 = none */
	uint64_t default_track;
	struct pf_table names;   /* iid -> id in reader.names << 1 | it launches kernels */
	struct pf_table cats;    /* iid -> category + 1, 0 = a category not known here */
	struct pf_table annots;  /* iid -> annotation, or PF_WORDS + id in reader.names */
	struct pf_table strings; /* iid -> id in pf.texts */
	struct pf_table lanes;   /* track uuid -> lane */
	uint16_t quick[128];     /* annots with small numbers: see below; 0 = look there */
	uint8_t quick_cat[128];  /* cats with small numbers: their value + 1, 0 = look there */
	struct {
		uint64_t uuid;
		uint32_t lane; /* + 1 */
	} near[PF_NEAR];       /* lanes used lately, by uuid */
	uint64_t ref_ns;       /* old writers: times count from here */
	unsigned nclock;
	struct pf_clock clock[PF_CLOCKS];
};

/* In pf_seq.quick: annotation + 1, and what is to be done with it. */
enum {
	PF_QUICK_WORD = 0xff,
	PF_QUICK_NUMBER = 0x2000, /* a plain number */
	PF_QUICK_WANTED = 0x4000, /* annot_wanted */
	PF_QUICK_KERNEL = 0x8000, /* annot_of_kernel */
};

/* A track, as far as it is described. */
struct pf_track {
	uint64_t uuid, parent;
	uint32_t name;    /* id in pf.texts + 1 */
	uint32_t counter; /* id in reader.names + 1 of its name as a counter */
	uint8_t class;
	bool described, own_device, is_counter, incremental, ours;
	double mult;
	tm_ev_set own_has, has; /* TM_EV_BIT mask of the columns it tells, own or inherited ... */
	uint64_t own[6], v[6];  /* ... and those, in the order of tm_pf_track_cols */
	uint64_t root;          /* uuid of the process */
	uint64_t epoch;         /* when `has`, `v` and `root` were worked out */
};

extern const enum tm_ev_col tm_pf_track_cols[6];

/* The slices of one track on one sequence.  Open ones lie in `w`, one after the other. */
struct pf_lane {
	uint32_t track;
	uint32_t excess; /* slices that had no room, on top of those in w */
	uint64_t *w;
	size_t n, cap;
	double sum; /* of an incremental counter */
};

/* A text of schemas/pftrace.def. */
struct pf_word {
	const char *text;
	uint32_t len;
	uint8_t a, b; /* category: class, domain; annotation: column, how */
	uint8_t by;   /* category: enum pf_by */
};

/* Who writes a category. */
enum pf_by { PF_BY_V3, PF_BY_SYS, PF_BY_OMNITRACE, PF_BY_V2, PF_BY_TM, PF_BYS };

enum pf_how { PF_NUMBER, PF_AGENT, PF_GPU, PF_SIZE, PF_TEXT, PF_IGNORE };
enum { PF_WORDS = 256 }; /* more than there are of either sort */

/* A list of 64-bit words that rows lie in, read from the front. */
struct pf_words {
	uint64_t *w;
	size_t n, cap, at;
};

enum pf_out {
	PF_OUT_DISPATCH,
	PF_OUT_COPY,
	PF_OUT_API,
	PF_OUT_ALLOC,
	PF_OUT_COUNTER,
	PF_OUT_AGENT, /* of a timeline that tracemill drew */
	PF_OUTS
};

struct pf_cold;

struct pf {
	struct tm_reader *r;
	struct pf_cold *cold; /* what unpacks, made when it is needed */
	tm_ev_set want;
	const struct tm_hash *hash;
	uint64_t at; /* where the packet at hand begins, for struct tm_lost */
	struct tm_names texts;

	struct pf_table seqs; /* machine << 32 | id -> index */
	struct pf_seq **seq;
	size_t nseq, seq_cap;
	uint64_t last_seq_key;
	struct pf_seq *last_seq;

	struct pf_table tracks; /* uuid -> index */
	struct pf_track *track;
	size_t ntrack, track_cap;
	uint64_t epoch;

	struct pf_lane *lane;
	size_t nlane, lane_cap;
	size_t open; /* words in all lanes */

	uint32_t trace_clock;
	unsigned nglobal;
	struct {
		uint32_t id;
		uint64_t offset; /* trace clock minus this one */
	} global[PF_GLOBALS];

	struct pf_words due, late; /* rows that are complete; rows that lack their track */
	struct tm_ev_rows out[PF_OUTS];
	struct tm_ev_row *row, rows[2]; /* the event at hand: one of two */
	struct {
		bool yes;
		uint32_t lane;
		uint64_t meta, at;
	} held;           /* a slice that has just begun, in the other row: most end at once */
	uint32_t unnamed; /* id in reader.names + 1 */
	uint64_t launches, launch_at, dispatches;
	uint64_t discarded, overwritten, lost; /* of the last statistics */
	uint64_t weight;                       /* bytes of texts and tracks that were described */
	bool summed;                           /* values of a counter were added up */
	bool part;                             /* a range of the file: the others know the rest */
	uint32_t npmc;
	uint64_t pmc[2 * PF_PMC];       /* name and value of each */
	bool annot_wanted[PF_WORDS];    /* an annotation speaks of a column that is wanted ... */
	bool annot_of_kernel[PF_WORDS]; /* ... of one that only kernels have */
	bool of_kernel;                 /* one of the event at hand did */
	uint8_t word_of[2][512];        /* categories, annotations by hash: index + 1 */

	/* what tells who wrote it */
	bool by[PF_BYS], by_inline; /* categories seen; one was spelt out in its event */
	bool annot_seen[PF_WORDS];  /* annotations seen, by name table */
	uint32_t node;              /* id in texts + 1 of the host it names */

	struct tm_drawn ranks; /* sequence TM_DRAWN_FIRST_RANK is the first */
	bool drawn; /* by tracemill: it has ranks, of which `ranks` of a part knows none */
};

/* When a packet was made, as it says. */
struct pf_stamp {
	uint64_t ts;
	uint32_t clock;
	bool has_ts, has_clock;
};

/* A packet that is an event and changes nothing else. */
struct pf_plain {
	struct pf_stamp time;
	uint32_t seq;
	struct tm_span event;
};

/* What plain packets have around their times and events, as the last one had it. */
struct pf_frame {
	bool known;
	uint64_t head, head_mask, tail,
	        tail_mask; /* the bytes, little-endian, and which they are */
	size_t nhead, ntail;
	uint32_t seq; /* what these bytes say */
	struct pf_stamp time;
};

/* The fields of a packet that matter. */
struct pf_packet {
	struct pf_stamp time;
	uint32_t other; /* number of a field that does not, 0 = none */
	uint32_t seq, machine;
	bool cleared, first, dropped, config;
	struct tm_span event, interned, defaults, snapshot, descriptor, stats, bundle;
	bool zstd;
};

/* ---- packets ---- */

/* All of a packet to *k; false when it is damaged. */
bool tm_pf_read_packet(struct pf_packet *k, struct tm_span m);

/* The same of a packet that is a struct pf_plain; false when it is not, or is damaged.  {0} is a
 * valid struct pf_frame. */
bool tm_pf_read_plain(struct pf_plain *k, struct pf_frame *c, struct tm_span m);

/* Packets from p on, whole ones before `end` that begin before `to`, which are plain and alike the
 * one c is known from, but for time and event: after them. */
const unsigned char *tm_pf_skip_alike(const struct pf_frame *c, const unsigned char *p,
                                      const unsigned char *to, const unsigned char *end);

/* What it says but for its event into the state: *s is its sequence, or NULL when there are too
 * many; *timed: *ns is its time. */
bool tm_pf_take_state(struct pf *f, const struct pf_packet *k, struct pf_seq **s, bool *timed,
                      uint64_t *ns);

/* What it says into the state and the rows. */
bool tm_pf_take_packet(struct pf *f, const struct pf_packet *k);
bool tm_pf_take_plain(struct pf *f, const struct pf_plain *k);

/* ---- messages that come seldom ---- */

/* A clock as a snapshot has it. */
struct pf_reading {
	uint32_t id;
	uint64_t ts, mult; /* mult: ns of one unit */
	bool incremental;
};

struct pf_clocks {
	uint32_t primary; /* 0 = it does not say */
	unsigned n;
	struct pf_reading v[PF_READINGS];
};

struct pf_packet_defaults {
	uint32_t clock; /* 0 = none */
	bool has_track;
	uint64_t track;
};

/* Sums over all buffers. */
struct pf_stats {
	uint64_t discarded, overwritten, lost;
};

/* A track, as one message describes it.  Texts: p NULL = none, or an empty one. */
struct pf_description {
	uint64_t uuid, parent; /* 0 = none */
	struct tm_span name, process_name, about;
	bool ours; /* a counter that tracemill drew */
	bool has_pid, has_tid, is_counter, has_incremental, incremental;
	uint32_t pid, tid;
	int64_t mult; /* of a counter; 0 = it does not say */
};

/* One message to *out.  TM_ST_OK, though messages in it may end where they are damaged; TM_ST_SKIP
 * when it is damaged itself, or takes more memory than a message that somebody meant; TM_ST_FATAL
 * when out of memory.  Texts live until the next is unpacked. */
enum tm_status tm_pf_unpack_clocks(struct pf *f, struct tm_span m, struct pf_clocks *out);
enum tm_status tm_pf_unpack_defaults(struct pf *f, struct tm_span m,
                                     struct pf_packet_defaults *out);
enum tm_status tm_pf_unpack_stats(struct pf *f, struct tm_span m, struct pf_stats *out);
enum tm_status tm_pf_unpack_descriptor(struct pf *f, struct tm_span m, struct pf_description *out);

/* Free it; NULL is fine. */
void tm_pf_cold_free(struct pf_cold *c);

/* ---- state ---- */

bool tm_pf_init(struct pf *f, struct tm_reader *r);

/* The same with what packets before have said: all that is in *from but events and rows. */
bool tm_pf_init_like(struct pf *f, struct tm_reader *r, const struct pf *from);
void tm_pf_fini(struct pf *f);

/* True with *val when the key is there. */
static inline bool pf_get(const struct pf *f, const struct pf_table *t, uint64_t key, uint32_t *val)
{
	uint32_t mask, i;

	if (!t->n)
		return false;
	mask = (1u << t->bits) - 1;
	for (i = (uint32_t)tm_hash_word(f->hash, key) & mask; t->slot[i].used; i = (i + 1) & mask)
		if (t->slot[i].key == key) {
			*val = t->slot[i].val;
			return true;
		}
	return false;
}

bool tm_pf_put(struct pf *f, struct pf_table *t, uint64_t key, uint32_t val);

/* The sequence of a packet; NULL when out of memory or, with *many, when there are too many. */
struct pf_seq *tm_pf_sequence(struct pf *f, uint32_t machine, uint32_t id, bool *many);

/* The words of schemas/pftrace.def: index, or -1. */
int tm_pf_category(const struct pf *f, struct tm_span text);
int tm_pf_annotation(const struct pf *f, struct tm_span text);
extern const struct pf_word tm_pf_categories[], tm_pf_annotations[];

/* Parts of a packet that change the state of its sequence. */
void tm_pf_clear(struct pf_seq *s);
bool tm_pf_interned(struct pf *f, struct pf_seq *s, struct tm_span m);
void tm_pf_defaults(struct pf_seq *s, const struct pf_packet_defaults *d);
void tm_pf_snapshot(struct pf *f, struct pf_seq *s, const struct pf_clocks *c);

/* Who wrote it, as far as what was read tells: see reader.producer. */
const char *tm_pf_producer(const struct pf *f);

/* The time of a packet on the clock of the trace; false when it is not known.  To be called once
 * for every packet with a timestamp, for incremental clocks to run. */
bool tm_pf_time(struct pf *f, struct pf_seq *s, const struct pf_stamp *p, uint64_t *ns);

/* Must it be called for that, with this stamp? */
bool tm_pf_time_counts(const struct pf_seq *s, const struct pf_stamp *p);

/* Packets are missing: incremental clocks have lost their time. */
void tm_pf_gap(struct pf_seq *s);

/* Is this the name of a call that launches a kernel? */
bool tm_pf_is_launch(const unsigned char *p, size_t n);

/* ---- tracks ---- */

/* Index of the track, made if new; UINT32_MAX when out of memory or there are too many. */
uint32_t tm_pf_track_of(struct pf *f, uint64_t uuid);

bool tm_pf_describe(struct pf *f, const struct pf_description *d);

/* The track with its inherited columns worked out. */
const struct pf_track *tm_pf_resolve(struct pf *f, uint32_t track);

/* The name of the counter a track shows, id in reader.names; TM_NAME_NONE when out of memory. */
uint32_t tm_pf_counter_name(struct pf *f, uint32_t track);

/* ---- events ---- */

enum pf_event_type { PF_TYPE_BEGIN = 1, PF_TYPE_END = 2, PF_TYPE_INSTANT = 3, PF_TYPE_COUNTER = 4 };

struct pf_track_event {
	unsigned type; /* enum pf_event_type or one that is not known here */
	bool has_track, has_name_iid, has_flow, has_value; /* else the field is not set */
	bool real;     /* value is bits of a double, not an int64_t */
	bool complete; /* PF_TYPE_INSTANT with a duration (legacy) */
	int category;  /* of tm_pf_categories, -1 = not known */
	uint64_t track, name_iid, flow, value, duration_ns;
	struct tm_span name, legacy;
};

/* The fields of a TrackEvent to *e, its annotations to *f->row, f->pmc and f->of_kernel.  *ok: it
 * is whole. */
bool tm_pf_read_event(struct pf *f, struct pf_seq *s, struct tm_span m, struct pf_track_event *e,
                      bool *ok);

/* `timed`: ns is the time of the packet. */
bool tm_pf_event(struct pf *f, struct pf_seq *s, struct tm_span m, bool timed, uint64_t ns);

/* How many packets are there room for in every batch, whatever they bring? */
size_t tm_pf_room(const struct pf *f);

/* Rows that had to wait into batches, while there is room. */
bool tm_pf_drain(struct pf *f);

/* Does nothing wait: no open slice, no row, no sum of a counter? */
bool tm_pf_idle(const struct pf *f);

/* The input has ended: what is still open or waiting becomes due, or is lost. */
bool tm_pf_end(struct pf *f);

#endif
