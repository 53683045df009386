/* SPDX-License-Identifier: MIT
 * The vocabulary: what a trace holds, and the batches in which events travel. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "base/names.h"

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

/* Columns of an event.  Every column of a batch is an array of uint64_t; the comment says what
 * the number means.  "name" = id in batch.names; "real" = bits of a double, see cell_real(). */
enum ev_col {
	EVC_NAME,   /* name: kernel, API function, marker text, operation, copy direction */
	EVC_DOMAIN, /* enum domain */
	EVC_START,  /* ns on the producer's clock */
	EVC_END,    /* ns, never before EVC_START in the same row */
	EVC_AGENT,  /* agent_pack() */
	EVC_QUEUE,  /* queue id or handle */
	EVC_STREAM, /* HIP stream id */
	EVC_PID,
	EVC_TID,
	EVC_CORR, /* correlation id: joins an API call to the work it caused */
	EVC_DISPATCH_ID,
	EVC_KERNEL_ID,
	EVC_LDS,     /* bytes of LDS of a workgroup */
	EVC_SCRATCH, /* bytes of scratch of a work-item */
	EVC_VGPR,
	EVC_ACCUM_VGPR,
	EVC_SGPR,
	EVC_WG_X, /* workgroup size in work-items */
	EVC_WG_Y,
	EVC_WG_Z,
	EVC_GRID_X, /* grid size in work-items, not workgroups */
	EVC_GRID_Y,
	EVC_GRID_Z,
	EVC_WG,    /* x*y*z where the producer gives only the product */
	EVC_GRID,  /* x*y*z where the producer gives only the product */
	EVC_WAVE,  /* wave size */
	EVC_BYTES, /* size of a copy or an allocation */
	EVC_ADDRESS,
	EVC_SRC,     /* agent_pack(): source of a copy */
	EVC_DST,     /* agent_pack(): destination of a copy */
	EVC_FLAGS,   /* scratch allocation flags */
	EVC_COUNTER, /* name: which hardware counter */
	EVC_VALUE,   /* real: value of the counter, all instances added */
	EVC_CALLS,   /* EV_STAT: number of calls */
	EVC_TOTAL,   /* EV_STAT: sum of durations, ns; absent: only the calls were counted */
	EVC_AVG,     /* EV_STAT: real, as the producer printed it, ns */
	EVC_PCT,     /* EV_STAT: real, percent of its file as the producer printed it */
	EVC_PCT_ERR, /* EV_STAT: real, half a unit of the last printed digit of EVC_PCT */
	EVC_MIN,     /* EV_STAT: ns */
	EVC_MAX,     /* EV_STAT: ns */
	EVC_STDDEV,  /* EV_STAT: real, ns, as the producer printed it; with EVC_PCT in the same row
	              * it is rocprofv3's, see agg/moments.h */
	EVC_GRAPH_EXEC, /* HIP graph execution id */
	EVC_GRAPH_NODE, /* HIP graph node id */
	EVC_GUID,       /* name: rocpd's id of the process run */
	EVC_TYPE,       /* name: EV_AGENT "CPU" or "GPU"; EV_SAMPLE instruction type; EV_API
	                 * the producer's category of a row of DOMAIN_OTHER: "cpu_op" */
	EVC_PRODUCT,    /* name: EV_AGENT marketing name */
	EVC_NODE,       /* EV_AGENT: node id of the driver */
	EVC_CUS,        /* EV_AGENT: number of compute units */
	EVC_GFX,        /* EV_AGENT: gfx target version, decimal as the driver gives it */
	EVC_EXEC_MASK,  /* EV_SAMPLE: lanes that were active */
	EVC_COMMENT,    /* name: EV_SAMPLE file:line of the instruction */
	EVC_STALL,      /* name: EV_SAMPLE stall reason */
	EVC_TOTAL_HI,   /* EV_ROLLUP: EVC_TOTAL is the low half of the sum, this the high one */
	EVC_SQUARES_0,  /* EV_ROLLUP: sum of squares, 192 bits, the lowest 64 first */
	EVC_SQUARES_1,
	EVC_SQUARES_2,
	/* EV_ROLLUP: quantile_save() of the durations at batch.bytes; offset << 32 | length.  Who
	 * wants this column gets rollups in place of the events they stand for, where the input has
	 * them. */
	EVC_SKETCH,
	/* EV_API of a collective, as a log of RCCL has it; EVC_BYTES is then count * size of an
	   item. */
	EVC_COMM,        /* name: communicator; the same text is the same one, in any process */
	EVC_COMM_RANKS,  /* how many ranks it has */
	EVC_OP_COUNT,    /* opCount: counts the collectives of a communicator, not every call */
	EVC_GLOBAL_RANK, /* rank of the process in the job, as the row itself says */
	/* External id of Kineto: links the work of a device with the operator that it is of. */
	EVC_EXTERNAL,
	EVC_N,
};

static_assert(EVC_N < 64, "a column set is one 64-bit mask");

#define EV_BIT(col) (UINT64_C(1) << (col))
#define EV_ALL      (EV_BIT(EVC_N) - 1)

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
	uint64_t has, some;
	uint64_t *row_has;
	uint64_t *col[EVC_N];
	const struct names *names;
	const unsigned char *bytes; /* EVC_SKETCH points in here; lives as long as the arrays */
};

/* Does row i have column c? */
static inline bool batch_has(const struct batch *b, uint32_t i, enum ev_col c)
{
	uint64_t bit = EV_BIT(c);

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
