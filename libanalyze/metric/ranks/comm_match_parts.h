/* SPDX-License-Identifier: MIT
 * Shared by what matches collectives and what is said of that. */
#ifndef TM_METRIC_COMM_MATCH_PARTS_H
#define TM_METRIC_COMM_MATCH_PARTS_H

#include "metric/ranks/comm_match.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel that communicates, and the call it was started by, if that is known. */
struct item {
	uint32_t comm; /* place of its communicator among all, from 1; 0 = not known */
	uint32_t at;   /* in the list of its track */
	enum tm_comm_lane lane;
	bool inside; /* the window; what is outside counts for the places of what follows */
	const struct tm_comm_call *call;
};

/* The collectives of one agent. */
struct tm_member {
	const struct tm_work_track *track;
	struct item *item; /* n of them, by communicator and start */
	size_t n;
	const struct rank_facts *facts; /* NULL = nothing is known of the rank */
	bool silent;                    /* nobody told its calls: what those of others say goes */
	bool own;                       /* kernels say themselves what they do */
};

/* Those of one communicator. */
struct part {
	uint32_t comm;
	enum tm_comm_lane lane;
	uint32_t member; /* of members.v */
	size_t from, to;
};

/* What a member has to do with the next collective. */
struct pick {
	const struct tm_member *one;
	const struct item *item;
};

/* What speaks against the rows. */
struct doubts {
	uint64_t differ;    /* rows with kernels of different names */
	uint64_t cut;       /* rows that the window cuts */
	uint64_t small;     /* rows whose skew is below the error of the clocks */
	uint64_t compared;  /* rows of several agents whose arrivals are compared */
	uint64_t unmet;     /* rows of which one agent ended before another one began */
	uint64_t several;   /* the same, whatever the clocks say */
	uint64_t by_order;  /* of those rows that name no communicator, where others do */
	uint64_t lacking;   /* numbered collectives that some agents have not */
	uint64_t unpaired;  /* sends and receives that are matched with nothing */
	uint64_t uneven;    /* communicators of which agents have unlike numbers of collectives: */
	size_t least, most; /* of the first of them */
};

struct comm_match {
	struct ranks *r;
	const struct tm_comm_calls *calls;
	const struct tm_names *names; /* of kernels */
	struct tm_member *v;          /* n of them, by rank and agent */
	struct part *part;            /* nparts of them, by communicator and member */
	struct part *now;             /* nnow of them: what is left of those of a communicator */
	struct pick *pick;            /* n of them: room for who has the next collective */
	struct comm_part *row;        /* n of them: room for a row, and for */
	struct comm_part *before;     /* its kernels that began before the window */
	bool reach;                   /* rows of nothing but these are asked for */
	size_t n, nparts, parts_cap, nnow;
	struct tm_comm_join join;
	uint64_t inside;          /* kernels inside the window */
	bool by_class;            /* kernels have no names of their own */
	uint64_t own;             /* members whose kernels say what they do */
	uint64_t joined, unequal; /* members with calls: as many as kernels, or not */
	uint64_t unlike;          /* as many, but of other collectives */
	uint64_t left_out; /* calls that may start no kernel, where that makes them as many */
	uint64_t calls_of, kernels_of, rank_of; /* of the first unequal one */
	bool apart;                             /* communicators are told apart by name */
	bool pointers;  /* some have no names that mean the same elsewhere */
	bool ambiguous; /* a rank has several */

	/* arrivals */
	uint64_t matched,
	        overlap;  /* collectives of several agents that end together, or others if there
	                   * are none; those whose kernels all overlap */
	bool pairs;       /* there are none, and these are sends with their receives */
	bool one_clock;   /* all count the same, as far as they say */
	bool clocks;      /* arrivals can be compared */
	bool guessed;     /* for some pair of ranks the error is not known, but this: */
	uint64_t ends_ns; /* median difference between the ends of a collective */

	/* the next row: of the communicator whose parts begin at `at` */
	size_t at, parts, place;
	bool numbered; /* its collectives are matched by their number; else: */
	bool uneven;   /* agents have unlike numbers of them */
	struct doubts doubts;
};

#endif
