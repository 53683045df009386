/* SPDX-License-Identifier: MIT
 * The vocabulary: what a trace contains, and the batches that carry events. */
#ifndef TM_MODEL_EVENT_H
#define TM_MODEL_EVENT_H

#include "base/base.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum tm_ev_kind {
	TM_EV_DISPATCH, /* one launch of a kernel on a queue */
	TM_EV_COPY,     /* one asynchronous memory copy */
	TM_EV_API,      /* one host API call, or a marker (EV_DOMAIN tells) */
	TM_EV_ALLOC,    /* one allocation or free of device memory; scratch too (EV_DOMAIN tells) */
	TM_EV_COUNTER, /* one hardware counter of one dispatch; without TM_EVC_NAME: one sample of a
	                * counter over time: at TM_EVC_START, and where TM_EVC_END is later, the
	                * value holds until then */
	TM_EV_SAMPLE,  /* one program-counter sample */
	TM_EV_STAT,    /* one row of a statistics file: many calls, already added up */
	TM_EV_AGENT,   /* one agent of the machine */
	TM_EV_ROLLUP,  /* many events of a domain, already added up without loss: what run.db keeps
	                * beside its events.  Events of counters have TM_EVC_COUNTER, those
	                * without start and end no TM_EVC_TOTAL.  Only for callers that want
	                * TM_EVC_SKETCH; see there. */
	TM_EV_STATE, /* what a question keeps of a rank where no events are kept: TM_EVC_NAME is the
	              * question, TM_EVC_STATE what it keeps (question/state.h) */
	TM_EV_NKINDS,
};

/* Domain: class of traced work.  The order is that of every listing. */
enum tm_domain {
	TM_DOMAIN_KERNEL,
	TM_DOMAIN_COPY,
	TM_DOMAIN_HIP,
	TM_DOMAIN_HSA,
	TM_DOMAIN_MARKER,
	TM_DOMAIN_RCCL,
	TM_DOMAIN_ROCDECODE,
	TM_DOMAIN_ROCJPEG,
	TM_DOMAIN_ALLOC,
	TM_DOMAIN_SCRATCH,
	TM_DOMAIN_OTHER,   /* a domain this version does not know */
	TM_DOMAIN_DOMAINS, /* rows of a domain_stats file: each stands for a whole domain */
	TM_DOMAIN_N,
};

/* What the number in a column is. */
enum tm_ev_type {
	TM_EVT_NAME,   /* id in batch.names */
	TM_EVT_NUMBER, /* as it is */
	TM_EVT_REAL,   /* bits of a double, see tm_cell_real() */
	TM_EVT_AGENT,  /* tm_agent_pack() */
	TM_EVT_DOMAIN, /* enum tm_domain */
	TM_EVT_TIME,   /* ns on the producer's clock */
	TM_EVT_SUM,    /* part of a sum of TM_EV_ROLLUP that takes several columns */
	TM_EVT_STATE,  /* offset << 32 | length in batch.bytes */
};

/* Columns of an event: model/columns.def says what each means. */
enum tm_ev_col {
#define EV_COLUMN(id, type, word, about) TM_EVC_##id,
#include "model/columns.def"
#undef EV_COLUMN
	TM_EVC_N,
};

/* A set of columns.  Aligned like a 64-bit number: not every allocator aligns to more. */
__extension__ typedef unsigned __int128 tm_ev_set __attribute__((aligned(8)));

static_assert(TM_EVC_N < 127, "a set of columns has 128 bits, of which readers use the last");

#define TM_EV_BIT(col) ((tm_ev_set)1 << (col))
#define TM_EV_ALL      (TM_EV_BIT(TM_EVC_N) - 1)

/* A member of a small set of anything else, 64 at most: domains, kinds. */
#define TM_MASK_BIT(i) (UINT64_C(1) << (i))

/* For each column of a set, in order.  By halves: 64 bits are faster to walk than 128. */
#define TM_EV_EACH(col, set)                                                                       \
	for (unsigned ev_at_ = 0; ev_at_ < 128; ev_at_ += 64)                                      \
		for (uint64_t ev_left_ = (uint64_t)((set) >> ev_at_);                              \
		     ev_left_ &&                                                                   \
		     ((col) = (enum tm_ev_col)(ev_at_ + (unsigned)__builtin_ctzll(ev_left_)),      \
		     true);                                                                        \
		     ev_left_ &= ev_left_ - 1)

/* How many columns are in it. */
static inline unsigned tm_ev_count(tm_ev_set set)
{
	uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);

	return (unsigned)__builtin_popcountll(low) +
	       (high ? (unsigned)__builtin_popcountll(high) : 0);
}

/* The columns of one type. */
static inline tm_ev_set tm_ev_of_type(enum tm_ev_type t)
{
#define EV_COLUMN(id, type, word, about) | (t == TM_EVT_##type ? TM_EV_BIT(TM_EVC_##id) : 0)
	return (tm_ev_set)0
#include "model/columns.def"
	        ;
#undef EV_COLUMN
}

/* A column, of which there is one for each below TM_EVC_N. */
struct tm_ev_column {
	enum tm_ev_type type;
	const char *word, *about; /* columns.def */
};
extern const struct tm_ev_column tm_ev_columns[TM_EVC_N];

/* Up to TM_BATCH_ROWS events of one kind.  The reader owns the arrays; they are valid until the
 * next call on that reader, and may be written to, the texts of `names` until it is closed.
 *   has        columns that every row of the batch has
 *   some       columns that at least one row has; a superset of `has`
 *   row_has[i] columns row i has: only looked at for columns in `some` but not in `has`
 * A column that is not in `some` has no meaningful array: absent is a bit, never 0 or -1. */
enum { TM_BATCH_ROWS = 1024 };

/* The domains of a batch, computed once for many uses. */
struct tm_batch_domains {
	uint32_t rows[TM_DOMAIN_N]; /* of each */
	bool one;                   /* they have the same, for sure: `domain` */
	enum tm_domain domain;
};

struct tm_batch {
	enum tm_ev_kind kind;
	uint32_t n;
	tm_ev_set has, some;
	tm_ev_set *row_has;
	uint64_t *col[TM_EVC_N];
	const struct tm_names *names;
	const unsigned char
	        *bytes; /* TM_EVC_SKETCH and TM_EVC_STATE point in here; lives as long as the
	                 * arrays */
	const struct tm_batch_domains *domains; /* of its rows; NULL = nobody has looked */
};

/* Does row i have column c? */
static inline bool tm_batch_has(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	tm_ev_set bit = TM_EV_BIT(c);

	return (b->has & bit) || ((b->some & bit) && (b->row_has[i] & bit));
}

/* Its cell; NULL = it has none. */
static inline const uint64_t *tm_batch_cell(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	return tm_batch_has(b, i, c) ? &b->col[c][i] : NULL;
}

/* Has it all of these columns? */
static inline bool tm_batch_has_all(const struct tm_batch *b, uint32_t i, tm_ev_set need)
{
	return (b->has & need) == need || (b->row_has[i] & need & ~b->has) == (need & ~b->has);
}

/* The column if every row has it, NULL if none has; false if only some have. */
static inline bool tm_batch_column(const struct tm_batch *b, enum tm_ev_col c, const uint64_t **out)
{
	*out = b->has & TM_EV_BIT(c) ? b->col[c] : NULL;
	return *out || !(b->some & TM_EV_BIT(c));
}

/* Do all rows certainly have v in that column?  A quick test before looking at each row. */
static inline bool tm_batch_all(const struct tm_batch *b, enum tm_ev_col c, uint64_t v)
{
	uint64_t differ = 0;

	if (!(b->has & TM_EV_BIT(c)))
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		differ |= b->col[c][i] ^ v;
	return !differ;
}

/* Has a column one value in all of n rows?  So has one that is NULL. */
static inline bool tm_column_same(const uint64_t *column, uint32_t n)
{
	uint64_t differ = 0;

	if (!column || !n || column[0] != column[n / 2] || column[0] != column[n - 1])
		return !column || !n;
	for (uint32_t i = 0; i < n; i++)
		differ |= column[i] ^ column[0];
	return !differ;
}

static inline uint64_t tm_real_bits(double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof u);
	return u;
}

/* The number of a "real" column. */
static inline double tm_cell_real(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* An agent and how it is numbered: rocprofv3 gives a plain number or "Agent N" (both the runtime's
 * logical or absolute node number, as the run chose), or "GPU N" / "CPU N" counted by type. */
enum tm_agent_numbering { TM_AGENT_NODE, TM_AGENT_GPU, TM_AGENT_CPU };

static inline uint64_t tm_agent_pack(enum tm_agent_numbering how, uint32_t number)
{
	return (uint64_t)how << 32 | number;
}

/* "4", "GPU 0" or "CPU 1": text of at most 16 bytes with the NUL, in `out`; returns `out`. */
const char *tm_agent_text(uint64_t agent, char out[16]);

/* "dispatch", "copy" ...; plural for n != 1.  Never NULL. */
const char *tm_ev_kind_text(enum tm_ev_kind k, bool plural);

/* The domain of events of that kind whose batch has no TM_EVC_DOMAIN. */
enum tm_domain tm_ev_kind_domain(enum tm_ev_kind k);

/* The domain of row i. */
static inline enum tm_domain tm_batch_domain(const struct tm_batch *b, uint32_t i)
{
	return tm_batch_has(b, i, TM_EVC_DOMAIN) ? (enum tm_domain)b->col[TM_EVC_DOMAIN][i]
	                                         : tm_ev_kind_domain(b->kind);
}

/* The domain of all rows of a batch in *d, as in tables with only one; false if rows may differ. */
bool tm_batch_one_domain(const struct tm_batch *b, enum tm_domain *d);

/* Count the rows of each domain, and find whether all have the same. */
void tm_batch_see_domains(const struct tm_batch *b, struct tm_batch_domains *out);

/* Are all rows kernels with those columns? */
bool tm_batch_kernels(const struct tm_batch *b, tm_ev_set need);

/* "kernel", "copy", "hip" ... as the user types it after --domain.  Never NULL. */
const char *tm_domain_text(enum tm_domain d);

/* The domain of that word; TM_DOMAIN_N if it is none. */
enum tm_domain tm_domain_find(const char *text, size_t len);

/* "host_to_device", "device_to_host", "device_to_device" or "host_to_host": the direction in a
 * copy's name, in any producer's spelling ("MEMORY_COPY_HOST_TO_DEVICE", "CopyHostToDevice",
 * "Memcpy HtoD"); NULL = none. */
const char *tm_copy_direction(const char *text, size_t len);

/* The agents of copy or fill i of a batch with direction `way` (tm_copy_direction; NULL = unknown).
 * Sets of[0 .. n) to cells of the batch and returns n.  It is the agent that the producer names;
 * else, of source and destination, the device that is written, or that is read in a copy to the
 * host; for two devices both, the one that is written first; if the direction is unknown, the only
 * device that is named.  0: no agent (host to host), or unknown. */
unsigned tm_copy_agents(const struct tm_batch *b, uint32_t i, const char *way,
                        const uint64_t *of[2]);

/* The domain a producer's word stands for: "HIP_RUNTIME_API_EXT", "HSA_CORE_API", "RCCL_API",
 * "MARKER_CORE_RANGE_API", "ROCTX_DOMAIN", "KERNEL_DISPATCH" ...  TM_DOMAIN_OTHER if unknown. */
enum tm_domain tm_domain_of_producer(const char *text, size_t len);

#endif
