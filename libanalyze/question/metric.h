/* SPDX-License-Identifier: MIT
 * A question: events in, a table out. */
#ifndef TM_QUESTION_METRIC_H
#define TM_QUESTION_METRIC_H

#include "model/model.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What --per can name; a bit each. */
enum tm_per {
	TM_PER_RANK = 1,
	TM_PER_AGENT = 2,
	TM_PER_QUEUE = 4,
	TM_PER_STREAM = 8,
	TM_PER_SHAPE = 16
};

/* What of a table depends on the window of a rank, from its first GPU work to its last, or that of
 * -w. */
enum tm_window_use {
	TM_WINDOW_UNUSED, /* nothing: runs just add up */
	TM_WINDOW_SOME,   /* some columns, absent where metric_opts.apart */
	TM_WINDOW_WHOLE,  /* all of it: without a window there is no answer */
};

/* Extents of one rank's trace, for windows given by share or distance. */
struct tm_rank_extent {
	uint64_t rank;
	struct tm_extent window;
};

struct tm_state; /* question/state.h */

/* The user's options that metrics need. */
struct tm_metric_opts {
	uint64_t domains; /* TM_EV_BIT(enum tm_domain): which domains count */
	bool all_domains; /* the user said "all": domain_stats rows count as well */
	enum tm_name_level level;
	bool by_class; /* group kernels by class instead of name */
	unsigned per;  /* bits of enum tm_per */
	const char *const
	        *columns; /* ncolumns names of columns to print, or NULL = the usual ones */
	size_t ncolumns;
	const char *const *sort; /* nsort names of columns, most important first */
	size_t nsort;
	uint64_t limit; /* rows that will be printed at most, 0 = all: without `sort` the first
	                 * ones; fill may leave out the others (tm_table.more) */
	bool aside;     /* findings and pages ask, which need no steps of single kernels, and of
	                 * more than `limit` steps only a picture (kstats steps) */
	bool strict;    /* kernels of unknown class are an error */
	const struct tm_classes *classes;
	bool windowed; /* then: only events that start inside; any other rank has none */
	bool selected; /* filters other than --rank choose: what is not seen may be in the input */
	bool some_ranks; /* which is as it may be: -w marker:NAME and step:N are not on every rank
	                  */
	const struct tm_rank_extent *window; /* by rank, ascending */
	size_t nwindow;
	struct tm_extent plain_window; /* nwindow == 0: for every rank, */
	bool plain_too;                /* otherwise: for those that are not in `window` */
	bool open_from, open_to;       /* -w leaves that edge to the trace */
	bool apart;       /* known when all is read: the runs of a rank have no common window
	                       (runs/apart.h) */
	const char *view; /* which of the metric's views, or NULL = the usual one */
	void *own; /* what the options of the metric say, see struct tm_metric_option; or what a
	            * tool and its metric share beside this */
	const struct tm_only *only; /* filters of what was read, or NULL */
	unsigned width; /* for people: columns that a line of the answer has; 0 = for machines */
	unsigned jobs;  /* threads that an answer may use beside; 0 = one */
	struct tm_state *state; /* of ranks whose events are not here (question/state.h), or where
	                         * to note what there is; NULL = nothing of the kind */
	const struct tm_diag
	        *why; /* where a sink says why it failed; NULL, empty = out of memory */
};

/* The part of a rank's trace that counts: all of it without a window.  False when windows of all
 * ranks were resolved and this one has none, so that it was not read; nothing of it counts. */
bool tm_metric_window(const struct tm_metric_opts *o, uint64_t rank, struct tm_extent *w);

/* For messages, where something was not found: "in the input", or the part of it that was searched;
 * `inside`: only what is inside the window, if there is one. */
const char *tm_metric_where(const struct tm_metric_opts *o, bool inside);

/* Put after it where the input has readings of sensors and nothing else. */
extern const char tm_metric_only_readings[];

/* A table that a metric can print. */
struct tm_metric_view {
	const char *option; /* "list": printed with --list; NULL = without such an option */
	const char *about;  /* what that option does, one clause */
	const struct tm_metric_option
	        *value; /* the option itself, where it takes a text or word; or NULL */
	const struct tm_column *columns; /* in order, ending with name NULL */
	/* Adds its rows, which need no input, to a table of these columns; it then takes no input.
	 * `own`: the options of the metric.  False with *d, empty when out of memory.  NULL = it is
	 * asked of inputs. */
	bool (*rows)(const void *own, struct tm_table *t, struct tm_diag *d);
	bool whole;                /* people see all of it too, unless -n says otherwise */
	enum tm_window_use window; /* where it is more than that of the metric */
	const char *no_name; /* why --name is refused: "it shows no names"; NULL = it is not */
	bool no_per;         /* --per is refused: its rows do not tell groups apart */
	bool shifted;        /* times count as TM_DRIVE_SHIFTED, whatever they do for the metric */
	bool sums; /* made of what files of totals have: sums (tm_metric.state_sums), or all that is
	            * kept for the usual table */
};

/* Sets of filters for tm_metric.whole: those that choose kernels, and parts of the work of an
 * agent. */
enum {
	TM_WHOLE_KERNELS = TM_ONLY_BIT(TM_ONLY_KERNEL) | TM_ONLY_BIT(TM_ONLY_CLASS),
	TM_WHOLE_AGENTS = TM_WHOLE_KERNELS | TM_ONLY_BIT(TM_ONLY_STREAM) |
	                  TM_ONLY_BIT(TM_ONLY_THREAD) | TM_ONLY_BIT(TM_ONLY_REGION),
	TM_WHOLE_RANKS = TM_WHOLE_AGENTS | TM_ONLY_BIT(TM_ONLY_AGENT),
};

/* The type that an option of a metric writes. */
enum tm_metric_option_type {
	TM_METRIC_FLAG,   /* bool: set to true; takes no value */
	TM_METRIC_U64,    /* uint64_t: decimal digits */
	TM_METRIC_FIXED,  /* uint64_t: in ten-thousandths ("1.5" is 15000) */
	TM_METRIC_TEXT,   /* const char *, which outlives the metric */
	TM_METRIC_CHOICE, /* const char *: the word of `choices` itself */
};

/* An option of a single metric.  The row is in the file that reads the value, as is the struct to
 * which the value is written: metric_opts.own points to one.  A table ends with { 0 }.  Begin a row
 * with TM_METRIC_TO_U64(struct total_own, least) or the like, which do not compile if the member
 * has another type. */
struct tm_metric_option {
	const char *name; /* "skip": --skip */
	enum tm_metric_option_type type;
	size_t at;         /* of the member */
	const char *arg;   /* what help calls the value; NULL for a flag */
	const char *about; /* one clause */
	/* U64: the value without the option, in decimal digits, as help shows it.  Without that a
	 * number that was not given is UINT64_MAX, a text NULL and a flag false. */
	const char *dflt;
	const char *const *choices; /* ending with NULL */
	uint64_t min, max;          /* of a number; max 0 = no upper bound */
	const char *view; /* the option of the only view that reads it, "" = the usual one; NULL =
	                   * all do */
	bool kept;        /* it changes nothing that files of totals keep (tm_metric.state) */
	bool limit; /* what is beyond it makes the exit status 1: not in rules of tracecheck, which
	             * have bounds of their own */
};

#define TM_METRIC_TO(own, member, kind, word)                                                      \
	.type = (word), .at = _Generic(((own *)0)->member, kind : offsetof(own, member))
#define TM_METRIC_TO_FLAG(own, member)   TM_METRIC_TO(own, member, bool, TM_METRIC_FLAG)
#define TM_METRIC_TO_U64(own, member)    TM_METRIC_TO(own, member, uint64_t, TM_METRIC_U64)
#define TM_METRIC_TO_FIXED(own, member)  TM_METRIC_TO(own, member, uint64_t, TM_METRIC_FIXED)
#define TM_METRIC_TO_TEXT(own, member)   TM_METRIC_TO(own, member, const char *, TM_METRIC_TEXT)
#define TM_METRIC_TO_CHOICE(own, member) TM_METRIC_TO(own, member, const char *, TM_METRIC_CHOICE)

/* Options that set members of metric_opts used in several rooms; a bit each. */
enum tm_metric_takes {
	TM_TAKES_NAME = 1,   /* --name full, short and base: level */
	TM_TAKES_CLASS = 8,  /* and class: by_class */
	TM_TAKES_DOMAIN = 2, /* --domain: domains, all_domains; without it kernels */
	TM_TAKES_WORK = 4,   /* the same of what GPUs do only: kernels, copies or all */
};

struct tm_top;        /* metric/top.h */
struct tm_work;       /* work/intervals.h */
struct tm_work_pool;  /* work/pool.h */
struct tm_stack;      /* stack/stack.h */
struct tm_stack_pool; /* stack/pool.h */

/* One metric: one file metric/<id>.c and one line in metric/metrics.def.  The accumulator is that
 * of an event_sink whose `arg` is the metric_opts, which outlive it. */
struct tm_metric {
	const char *name, *about;
	const char *group;                      /* the question under which help lists it */
	const char *examples;                   /* two command lines, each ends with \n */
	const struct tm_metric_view *views;     /* the usual one first, ending with columns NULL */
	const struct tm_metric_option *options; /* of its own, or NULL */
	const struct tm_metric_option *operand; /* the first operand is its text, not an input; or
	                                         * NULL */
	/* Is that text understood?  False with *d.  With `operand`. */
	bool (*understood)(const char *text, struct tm_diag *d);
	size_t own;                /* bytes of the struct they write to; 0 = none */
	unsigned takes;            /* bits of enum tm_metric_takes */
	unsigned per;              /* bits of enum tm_per that it can tell apart */
	bool files;                /* it is about files, also those whose run others hold */
	enum tm_drive_clock clock; /* what times count */
	enum tm_window_use window; /* of all its views, at least */
	unsigned whole;            /* filters after which its answer would mislead: TM_ONLY_BITs */
	const char *instead;       /* of those that choose kernels: what to choose; or NULL */
	unsigned state;  /* its fill can do without events, with what is kept of a rank in this form
	                  * (question/state.h): a number that goes up when rows or numbers change; 0
	                  * = it cannot */
	bool state_sums; /* besides that it takes the sums and statistics of such files */
	bool whole_sums; /* without --per and a window, what these add up to will do for it */
	bool state_views;   /* what is kept is not of its usual table, which they cannot answer, but
	                   * of its views with `sums` */
	bool keeps_host;    /* -k and --class choose among kernels only: what the host did stays */
	bool keeps_counted; /* and it leaves out counters of other kernels itself */
	struct tm_event_sink sink; /* .arg is left for the caller */

	/* The word of --per that a column needs, or NULL; without it the column is always empty.
	 * Optional. */
	const char *(*per_of)(const struct tm_metric_opts *o, const char *column);

	/* TM_EV_BIT mask of the columns it needs for these options. */
	tm_ev_set (*want)(const struct tm_metric_opts *o);

	/* The subset that changes nothing if no operator has TM_EVC_INPUTS.  Optional. */
	tm_ev_set (*want_with_inputs)(const struct tm_metric_opts *o);

	/* The store of work in an accumulator, which gets every row that the accumulator gets,
	 * except those of statistics files: several questions may share one (work/pool.h).
	 * Optional. */
	struct tm_work *(*work)(void *acc);

	/* The same of its stack of frames and calls (stack/pool.h); NULL where the options have
	 * none.  Optional. */
	struct tm_stack *(*stack)(void *acc);

	/* Make an accumulator use shared stores instead of its own.  Called when all have joined,
	 * before the first row.  The stores outlive it.  Optional. */
	void (*lend)(void *acc, const struct tm_work_pool *work,
	             const struct tm_stack_pool *stacks);

	/* The same of its sums of names (metric/top_join.h).  Optional. */
	struct tm_top *(*sums)(void *acc);

	/* Make an accumulator use the results of another of this metric, which gets the same rows
	 * and lives as long, if their options permit that.  Called before the first row.
	 * Optional. */
	void (*share)(void *acc, void *with);

	/* Write the answer to *t (initialized here with tm_table_init, freed by the caller; its
	 * texts may belong to the accumulator, so print it before that is freed), and caveats to
	 * *rep.  Other threads may fill from other accumulators at the same time, including those
	 * that share a store or results with this one.  TM_ST_OK; TM_ST_END when there is nothing
	 * to show (the table is there, empty, and *rep says why); TM_ST_FATAL when out of
	 * memory. */
	enum tm_status (*fill)(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
	                       struct tm_report *rep);

	/* The same for n > 0 runs side by side, each in an accumulator of its own; `run` has their
	 * names.  For --runs, an option of the metrics that have this function.  Optional. */
	enum tm_status (*fill_runs)(void *const *acc, const char *const *run, size_t n,
	                            const struct tm_metric_opts *o, struct tm_table *t,
	                            struct tm_report *rep);
};

/* Set the defaults of its options in the m->own zeroed bytes of *own; with `limits`, only those of
 * limits. */
void tm_metric_defaults(const struct tm_metric *m, void *own, bool limits);

/* Does *own have a value for that option other than its default? */
bool tm_metric_option_set(const struct tm_metric_option *p, const void *own);

/* The view that *o asks for. */
const struct tm_metric_view *tm_metric_view(const struct tm_metric *m,
                                            const struct tm_metric_opts *o);

/* The clock of times for the view that *o asks for. */
enum tm_drive_clock tm_metric_times(const struct tm_metric *m, const struct tm_metric_opts *o);

/* What of the view that *o asks for depends on a window. */
enum tm_window_use tm_metric_window_use(const struct tm_metric *m, const struct tm_metric_opts *o);

/* The words --per takes, ending with NULL; tm_per_words[i] is bit 1 << i. */
extern const char *const tm_per_words[];

#endif
