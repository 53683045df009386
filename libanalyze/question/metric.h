/* SPDX-License-Identifier: MIT
 * A question and how it is answered: events in, a table out. */
#ifndef TM_QUESTION_METRIC_H
#define TM_QUESTION_METRIC_H

#include "model/model.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What --per can name; a bit each. */
enum per { PER_RANK = 1, PER_AGENT = 2, PER_QUEUE = 4, PER_STREAM = 8, PER_SHAPE = 16 };

/* Which part of a call --during asks for: while the GPU was working, or was not. */
enum during { DURING_ALL, DURING_BUSY, DURING_IDLE };

/* What a table relates to the window of a rank, from its first GPU work to its last or what -w
 * says. */
enum window_use {
	WINDOW_UNUSED, /* nothing: runs just add up */
	WINDOW_SOME,   /* some columns, absent where metric_opts.apart */
	WINDOW_WHOLE,  /* all of it: without a window there is no answer */
};

/* Extents of one rank's trace, for windows given by share or distance. */
struct rank_extent {
	uint64_t rank;
	struct extent window;
};

/* What the user asked for, as far as metrics care. */
struct metric_opts {
	uint64_t domains; /* EV_BIT(enum domain): which domains count */
	bool all_domains; /* the user said "all": domain_stats rows count as well */
	enum name_level level;
	bool by_class; /* group kernels by class instead of name */
	unsigned per;  /* bits of enum per */
	const char *const
	        *columns; /* ncolumns names of columns to print, or NULL = the usual ones */
	size_t ncolumns;
	const char *const *sort; /* nsort words of top_sort_words, most important first */
	size_t nsort;
	uint64_t limit;   /* rows at most, 0 = all */
	bool limit_usual; /* the limit is not the user's wish: say what it hides */
	bool strict;      /* kernels of unknown class are an error */
	const struct classes *classes;
	bool windowed;   /* then: only events that start inside; any other rank has none */
	bool some_ranks; /* which is as it may be: -w marker:NAME and step:N are not on every rank
	                  */
	const struct rank_extent *window; /* by rank, ascending */
	size_t nwindow;
	struct extent plain_window; /* nwindow == 0: for every rank, */
	bool plain_too;             /* otherwise: for those that are not in `window` */
	bool open_from, open_to;    /* -w leaves that edge to the trace */
	bool apart;         /* known when all is read: the runs of a rank have no common window
	                       (runs/apart.h) */
	const char *view;   /* which of the metric's views, or NULL = the usual one */
	uint64_t short_ns;  /* --short: kernels below are short */
	enum during during; /* --during */
	uint64_t skip;      /* --skip: warm-up steps left out */
	uint64_t max_unclassified; /* ten-thousandths of a percent; UINT64_MAX = no limit */
	void *own;                 /* what a tool and its metric share beside this */
	const struct diag *why; /* where a sink says why it failed; NULL, empty = out of memory */
};

/* What counts of a rank's trace: all of it without a window.  False when windows of every rank were
 * resolved and this one has none, so that it was not read then; nothing of it counts. */
bool metric_window(const struct metric_opts *o, uint64_t rank, struct extent *w);

/* A table that a metric can print. */
struct metric_view {
	const char *option; /* "list": printed with --list; NULL = without such an option */
	const char *about;  /* what that option does, one clause */
	const struct column *columns; /* in order, ending with name NULL */
	bool whole;                   /* people see all of it too, unless -n says otherwise */
	enum window_use window;       /* where it is more than that of the metric */
};

/* One metric: one file metric/<id>.c and one line in metric/metrics.def.
 * The accumulator is an event_sink whose `arg` is the metric_opts, which outlive it. */
struct metric {
	const char *name, *about;
	const char *group;               /* the question under which help lists it */
	const char *examples;            /* two command lines, each ends with \n */
	const struct metric_view *views; /* the usual one first, ending with columns NULL */
	const char *const *options;      /* names of what kstats offers with it, ending with NULL */
	unsigned per;                    /* bits of enum per that it can tell apart */
	const char *const *sort_words;   /* NULL = any column, see `by_itself` */
	bool by_itself; /* fill obeys columns, sort and limit; otherwise whoever prints it does */
	bool files;     /* it is about files, also those whose run others hold */
	enum drive_clock clock; /* what times count */
	enum window_use window; /* of all its views, at least */
	struct event_sink sink; /* .arg is left for the caller */

	/* The word of --per without which a column is always empty, or NULL.  Optional. */
	const char *(*per_of)(const struct metric_opts *o, const char *column);

	/* EV_BIT mask of the columns it needs for these options. */
	ev_set (*want)(const struct metric_opts *o);

	/* The accumulator's answer as rows of *t (made here with table_init, the caller's to fini;
	 * its texts may be the accumulator's, so print it before the accumulator goes), and caveats
	 * into *rep.  ST_OK; ST_END when there is nothing to show (the table is there, empty, and
	 * *rep says why); ST_FATAL when out of memory. */
	enum status (*fill)(void *acc, const struct metric_opts *o, struct table *t,
	                    struct report *rep);
};

/* The view that *o asks for. */
const struct metric_view *metric_view(const struct metric *m, const struct metric_opts *o);

/* What the view that *o asks for relates to a window. */
enum window_use metric_window_use(const struct metric *m, const struct metric_opts *o);

/* The words --per and -s of `top` take, ending with NULL; per_words[i] is bit 1 << i. */
extern const char *const per_words[];
extern const char *const top_sort_words[];

#endif
