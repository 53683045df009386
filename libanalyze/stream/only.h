/* SPDX-License-Identifier: MIT
 * Filters of events: -k, --class, --rank, --agent, --stream, --thread and --region.
 *
 * The result is as if the trace contained only:
 *     -k, --class        kernels of that name or class, and their counters and statistics; no other
 *                        event
 *     --agent, --stream  work of these agents or streams, a copy also by the agents that it goes
 *                        between.  Calls and markers of the host are of no agent and stay
 *     --thread           events of these threads, also work that says which thread launched it
 *     --rank             traces of these ranks; others are not read
 *     --region           what was launched, or begins, inside such a region; the same of -w marker
 * With several filters, an event must pass all.  An event that lacks the information for a filter
 * is skipped, and counted. */
#ifndef TM_STREAM_FILTER_H
#define TM_STREAM_FILTER_H

#include "model/model.h"
#include "stream/parts.h"
#include "stream/report.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_only_by {
	TM_ONLY_AGENT,
	TM_ONLY_STREAM,
	TM_ONLY_THREAD,
	TM_ONLY_RANK,
	TM_ONLY_LISTS,
	TM_ONLY_KERNEL = TM_ONLY_LISTS,
	TM_ONLY_CLASS,
	TM_ONLY_REGION,
	TM_ONLY_N,
};
#define TM_ONLY_BIT(by) (1u << (by))

struct tm_piece;

/* The options, as given; NULL = not given.  All borrowed. */
struct tm_only_words {
	const char *word[TM_ONLY_N];
	const char *classes; /* file of the rules that say which class; NULL = the built-in ones */
};

/* "-k", "--class" ...; never NULL. */
const char *tm_only_option(enum tm_only_by by);

/* The options that were given, a TM_ONLY_BIT each. */
unsigned tm_only_given(const struct tm_only_words *w);

/* Numbers from lo to hi; of agents as tm_agent_pack has them. */
struct tm_only_range {
	uint64_t lo, hi;
};

/* Was an event launched inside a region? */
enum tm_only_inside {
	TM_ONLY_OUTSIDE,
	TM_ONLY_INSIDE,
	TM_ONLY_GUESSED, /* inside, by when it ran: nobody knows who launched it */
	TM_ONLY_UNKNOWN, /* it has no time */
};

struct tm_only {
	unsigned by; /* 0 = everything is kept */
	bool host; /* set by the caller: -k and --class leave what the host did, and samples, which
	            * do not say of which kernel they are: that is up to who takes them */
	bool counted; /* the same: they leave counters of other kernels, which tell what passes over
	               * the same dispatches have in common; these are not counted as kept */
	struct tm_only_words words;
	struct tm_only_list {
		struct tm_only_range *v; /* n of them */
		size_t n, cap;
	} list[TM_ONLY_LISTS];
	regex_t kernel;
	struct tm_classes *classes;
	bool *class_kept; /* by the number of the class */
	/* With TM_ONLY_REGION in `by`: who knows, set by the caller (tm_only_ask_inside); asked by
	 * several threads at a time. */
	enum tm_only_inside (*inside)(const void *arg, const struct tm_piece *p,
	                              const struct tm_batch *b, uint32_t i);
	const void *inside_arg;
	tm_ev_set inside_want; /* the columns that this needs */
};

/* Parse the options.  False with *d.  Call tm_only_fini in any case; {0} keeps everything. */
bool tm_only_init(struct tm_only *f, const struct tm_only_words *w, struct tm_diag *d);

/* In addition, keep only what `inside` accepts. */
void tm_only_ask_inside(struct tm_only *f,
                        enum tm_only_inside (*inside)(const void *arg, const struct tm_piece *p,
                                                      const struct tm_batch *b, uint32_t i),
                        const void *arg, tm_ev_set want);

/* Free it; {0} again. */
void tm_only_fini(struct tm_only *f);

/* Is a trace of that rank kept?  f may be NULL. */
bool tm_only_rank(const struct tm_only *f, uint64_t rank);

/* Is work of that agent kept?  A copy between two is kept for either of them.  f may be NULL. */
bool tm_only_agent(const struct tm_only *f, uint64_t agent);

/* Is a kernel of that name kept by -k and --class?  f may be NULL.  False when out of memory. */
bool tm_only_kernel(const struct tm_only *f, const char *name, size_t len, bool *kept);

/* The columns to read for a caller that wants these: adds those that the filters need and, for
 * filters of agents, streams or threads, removes sums over all of them.  f may be NULL. */
tm_ev_set tm_only_want(const struct tm_only *f, tm_ev_set want);

/* How much was read and kept. */
struct tm_only_count {
	uint64_t rows, kept;
	uint64_t blind[TM_ONLY_LISTS]; /* left out for not saying it */
	uint64_t unknown, guessed;     /* left out, and kept: TM_ONLY_UNKNOWN, _GUESSED */
	unsigned totals; /* TM_ONLY_BITs: sums of events that may have said it were left out */
	uint64_t traces, ranks; /* traces, and those of them that are of a rank kept */
};

/* Add the counts of another part of the input. */
void tm_only_count_add(struct tm_only_count *into, const struct tm_only_count *c);

/* State of filtering a reader's rows; {0} before the first. */
struct tm_only_rows {
	struct tm_sieve sieve;
	unsigned char *known; /* of each name of the reader: 0 = not looked at, 1 = out, 2 = kept */
	size_t n, cap;
	struct tm_buf text;
	const struct tm_piece *piece; /* that the rows are of, set by the caller */
};

/* Set *out to the batch with only the rows that are kept.  It may be b itself; NULL: no row is
 * left.  Valid until the next call.  False when out of memory. */
bool tm_only_batch(const struct tm_only *f, struct tm_only_rows *s, const struct tm_batch *b,
                   const struct tm_batch **out, struct tm_only_count *count);

/* Free it; {0} again. */
void tm_only_rows_fini(struct tm_only_rows *s);

/* Report in *rep what was skipped for lack of information; an error when nothing was kept. */
void tm_only_tell(const struct tm_only *f, const struct tm_only_count *c, struct tm_report *rep);

#endif
