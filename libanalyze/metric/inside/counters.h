/* SPDX-License-Identifier: MIT
 * The state of `counters`, shared by the file that gathers and the files that print. */
#ifndef TM_METRIC_COUNTERS_H
#define TM_METRIC_COUNTERS_H

#include "agg/agg.h"
#include "counters/counters.h"
#include "question/question.h"

struct counters {
	const struct tm_metric_opts *o;
	struct tm_counters c;
	uint64_t dispatches, stats; /* rows: of dispatches, whose counters are rows of their own; of
	                             * sums */
	/* Some are of rocprofv2 5.7, which may give one counter the name of another; of rocpd
	 * convert's pftrace, which may add up the dispatches before. */
	bool swapped, running;
};

/* What the options say; a number that is UINT64_MAX was not given. */
struct counters_own {
	const char *arch;     /* "gfx942", or NULL */
	const char *formulas; /* a file, or NULL */
	uint64_t cus, xccs, ses;
};

enum {
	CNT_NAME,
	CNT_COUNTER,
	CNT_DISPATCHES,
	CNT_SUM,
	CNT_MEAN,
	CNT_MIN,
	CNT_MAX,
	CNT_UNIT,
	CNT_DERIVED,
	CNT_ARCH,
	CNT_NOTE,
	CNT_FORMULA,
	CNT_ABOUT,
	CNT_COLUMNS,
};
extern const struct tm_metric tm_metric_counters;
extern const struct tm_column tm_counters_columns[CNT_FORMULA + 1];
extern const struct tm_column tm_counters_explained[CNT_COLUMNS + 1];

/* struct tm_metric's fill. */
enum tm_status tm_counters_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep);

/* ---- for the files that print ---- */

/* What formulas need of a GPU; 0 = not known. */
struct counters_gpu {
	uint64_t gfx, cus, xccs, ses, max_mhz;
	uint64_t
	        one_xcc; /* counts of GRBM_* are of one XCC, where formulas take the sum over all */
};

/* A metric on a kind of GPU: a line of the table, with its counters found. */
struct counters_plan {
	const struct tm_known_row *row;
	/* Of each input of the formula one of them is known: */
	struct counters_input {
		uint32_t leaf;               /* number of a counter, or UINT32_MAX */
		struct counters_plan *inner; /* a metric */
		double constant;             /* of the GPU */
		bool seconds;
	} * input;
	double *in, *work;
};

enum counters_lack { LACK_NOTHING, LACK_COUNTERS, LACK_GPU, LACK_CHOICE };

/* A metric and all that it is made of. */
struct counters_metric {
	struct counters_plan *plan; /* NULL: it cannot be computed, for the lack of ... */
	enum counters_lack lack;
	const struct tm_known_row *row;   /* that is used, or, for the lack, would be */
	const struct tm_known_row *wrong; /* why it must not be shown, or NULL */
	struct counters_leaf {
		uint32_t id[2]; /* of X and X_sum; TM_NAME_NONE = was not counted */
		double times;   /* what the formula takes is so many times the count */
	} * leaf;
	size_t nleaves, cap;
	bool seconds, gui;  /* it needs durations; GRBM_GUI_ACTIVE */
	double least, most; /* what is less, or more, is wrong */
};

/* All metrics on a kind of GPU, in the order of the table; to be freed with
 * tm_counters_metrics_fini.  False when out of memory. */
struct counters_metrics {
	struct counters_metric *v;
	size_t n, cap;
};
bool tm_counters_metrics(struct counters_metrics *m, const struct tm_known *k,
                         const struct tm_names *names, const struct counters_gpu *gpu);
void tm_counters_metrics_fini(struct counters_metrics *m);

/* Its value, leaf[i] being that of counter i; not finite where it divides by zero. */
double tm_counters_value(const struct counters_plan *p, const double *leaf, double seconds);

/* What a metric that has a plan is made of in one dispatch, leaf[0..m->nleaves); false where
 * something is missing.  *ns: how long that took, of the execution that all is of, or else of the
 * dispatch; 0 = not known.  *across: it is of several executions. */
bool tm_counters_leaves(const struct counters_metric *m, const struct tm_counted_dispatch *d,
                        double *leaf, uint64_t *ns, bool *across);

/* The metric of that name, or NULL. */
const struct counters_metric *tm_counters_metric(const struct counters_metrics *m,
                                                 const char *name);

/* Append " A B": counters that the metric can be made of on such a GPU, as few as that takes, of
 * none that is known to be wrong; nothing where the table has none. */
void tm_counters_put_needed(struct tm_buf *b, const struct tm_known *k,
                            const struct counters_gpu *gpu, const char *name);

/* ---- for those who ask more of the same dispatches ---- */

/* Is a dispatch in the window?  Without times it is, unless there is one. */
enum counters_where { COUNTED_INSIDE, COUNTED_OUTSIDE, COUNTED_UNTIMED };
enum counters_where tm_counters_where(const struct tm_metric_opts *o,
                                      const struct tm_counted_dispatch *d);

/* Report "FETCH_SIZE on gfx950 is not shown: why", once.  False when out of memory. */
bool tm_counters_say_once(struct tm_report *rep, enum tm_severity severity, const char *what,
                          uint64_t gfx, const char *how, const char *why);

/* Report values that were left out. */
void tm_counters_say_repeated(const struct tm_counted *d, struct tm_report *rep);

/* Report what was lost where passes were joined. */
void tm_counters_say_passes(const struct tm_counters *c, const struct tm_counted *d, bool across,
                            struct tm_report *rep);

/* Report why counters may be wrong as a whole; rdna: some are of RDNA 3 or 4. */
void tm_counters_say_doubts(const struct counters *a, bool rdna, struct tm_report *rep);

#endif
