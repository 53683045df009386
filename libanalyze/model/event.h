/* SPDX-License-Identifier: MIT
 * The vocabulary: what a trace holds, and the batches in which events travel. */
#ifndef TM_MODEL_EVENT_H
#define TM_MODEL_EVENT_H

#include "base/base.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum ev_kind {
	EV_DISPATCH, /* one launch of a kernel on a queue */
	EV_COPY,     /* one asynchronous memory copy */
	EV_API,      /* one host API call, or a marker (EV_DOMAIN tells) */
	EV_ALLOC,    /* one allocation or free of device memory; scratch too (EV_DOMAIN tells) */
	EV_COUNTER,  /* one hardware counter of one dispatch; without EVC_NAME: one sample of a
	              * counter over time (EVC_START = EVC_END) */
	EV_SAMPLE,   /* one program-counter sample */
	EV_STAT,     /* one row of a statistics file: many calls, already added up */
	EV_AGENT,    /* one agent of the machine */
	EV_ROLLUP,   /* many events of a domain, already added up without loss: what run.db keeps
	              * beside its events.  Events of counters have EVC_COUNTER, those without start
	              * and end no EVC_TOTAL.  Only for callers that want EVC_SKETCH; see there. */
	EV_NKINDS,
};

/* Domain: class of traced work.  The order is that of every listing. */
enum domain {
	DOMAIN_KERNEL,
	DOMAIN_COPY,
	DOMAIN_HIP,
	DOMAIN_HSA,
	DOMAIN_MARKER,
	DOMAIN_RCCL,
	DOMAIN_ROCDECODE,
	DOMAIN_ROCJPEG,
	DOMAIN_ALLOC,
	DOMAIN_SCRATCH,
	DOMAIN_OTHER,   /* a domain this version does not know */
	DOMAIN_DOMAINS, /* rows of a domain_stats file: each stands for a whole domain */
	DOMAIN_N,
};

/* What the number in a column is. */
enum ev_type {
	EVT_NAME,   /* id in batch.names */
	EVT_NUMBER, /* as it is */
	EVT_REAL,   /* bits of a double, see cell_real() */
	EVT_AGENT,  /* agent_pack() */
	EVT_DOMAIN, /* enum domain */
	EVT_TIME,   /* ns on the producer's clock */
	EVT_SUM,    /* part of a sum of EV_ROLLUP that takes several columns */
};

/* Columns of an event: model/columns.def says what each means. */
enum ev_col {
#define EV_COLUMN(id, type, word, about) EVC_##id,
#include "model/columns.def"
#undef EV_COLUMN
	EVC_N,
};

/* A set of columns.  It may stand where any 64-bit number may: not every allocator gives more. */
__extension__ typedef unsigned __int128 ev_set __attribute__((aligned(8)));

static_assert(EVC_N < 127, "a set of columns has 128 bits, of which readers use the last");

#define EV_BIT(col) ((ev_set)1 << (col))
#define EV_ALL      (EV_BIT(EVC_N) - 1)

/* One of a small set of anything else, 64 at most: domains, kinds. */
#define MASK_BIT(i) (UINT64_C(1) << (i))

/* For each column of a set, in order.  By halves: one word is cheaper to walk than two. */
#define EV_EACH(col, set)                                                                          \
	for (unsigned ev_at_ = 0; ev_at_ < 128; ev_at_ += 64)                                      \
		for (uint64_t ev_left_ = (uint64_t)((set) >> ev_at_);                              \
		     ev_left_ &&                                                                   \
		     ((col) = (enum ev_col)(ev_at_ + (unsigned)__builtin_ctzll(ev_left_)), true);  \
		     ev_left_ &= ev_left_ - 1)

/* How many columns are in it. */
static inline unsigned ev_count(ev_set set)
{
	uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);

	return (unsigned)__builtin_popcountll(low) +
	       (high ? (unsigned)__builtin_popcountll(high) : 0);
}

/* The columns of one type. */
static inline ev_set ev_of_type(enum ev_type t)
{
#define EV_COLUMN(id, type, word, about) | (t == EVT_##type ? EV_BIT(EVC_##id) : 0)
	return (ev_set)0
#include "model/columns.def"
	        ;
#undef EV_COLUMN
}

/* A column, of which there is one for each below EVC_N. */
struct ev_column {
	enum ev_type type;
	const char *word, *about; /* columns.def */
};
extern const struct ev_column ev_columns[EVC_N];

/* Up to BATCH_ROWS events of one kind.  The reader owns the arrays; they are valid until the next
 * call on that reader, the texts of `names` until it is closed.
 *   has        columns that every row of the batch has
 *   some       columns that at least one row has; a superset of `has`
 *   row_has[i] columns row i has: only looked at for columns in `some` but not in `has`
 * A column that is not in `some` has no meaningful array: absent is a bit, never 0 or -1. */
enum { BATCH_ROWS = 1024 };

struct batch {
	enum ev_kind kind;
	uint32_t n;
	ev_set has, some;
	ev_set *row_has;
	uint64_t *col[EVC_N];
	const struct names *names;
	const unsigned char *bytes; /* EVC_SKETCH points in here; lives as long as the arrays */
};

/* Does row i have column c? */
static inline bool batch_has(const struct batch *b, uint32_t i, enum ev_col c)
{
	ev_set bit = EV_BIT(c);

	return (b->has & bit) || ((b->some & bit) && (b->row_has[i] & bit));
}

static inline uint64_t real_bits(double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof u);
	return u;
}

/* The number of a "real" column. */
static inline double cell_real(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* An agent and how it is numbered: rocprofv3 gives a plain number or "Agent N" (both the runtime's
 * logical or absolute node number, as the run chose), or "GPU N" / "CPU N" counted by type. */
enum agent_numbering { AGENT_NODE, AGENT_GPU, AGENT_CPU };

static inline uint64_t agent_pack(enum agent_numbering how, uint32_t number)
{
	return (uint64_t)how << 32 | number;
}

/* "4", "GPU 0" or "CPU 1": text of at most 16 bytes with the NUL, in `out`; returns `out`. */
const char *agent_text(uint64_t agent, char out[16]);

/* "dispatch", "copy" ...; plural for n != 1.  Never NULL. */
const char *ev_kind_text(enum ev_kind k, bool plural);

/* The domain of events of that kind whose batch has no EVC_DOMAIN. */
enum domain ev_kind_domain(enum ev_kind k);

/* "kernel", "copy", "hip" ... as the user types it after --domain.  Never NULL. */
const char *domain_text(enum domain d);

/* The domain of that word; DOMAIN_N if it is none. */
enum domain domain_find(const char *text, size_t len);

/* "host_to_device", "device_to_host", "device_to_device" or "host_to_host": what a copy's name, in
 * any producer's spelling ("MEMORY_COPY_HOST_TO_DEVICE", "CopyHostToDevice", "Memcpy HtoD"), says
 * of its direction; NULL = nothing. */
const char *copy_direction(const char *text, size_t len);

/* The domain a producer's word stands for: "HIP_RUNTIME_API_EXT", "HSA_CORE_API", "RCCL_API",
 * "MARKER_CORE_RANGE_API", "ROCTX_DOMAIN", "KERNEL_DISPATCH" ...  DOMAIN_OTHER if unknown. */
enum domain domain_of_producer(const char *text, size_t len);

#endif
