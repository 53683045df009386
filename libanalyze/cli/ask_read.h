/* SPDX-License-Identifier: MIT
 * Reading the inputs of one side for all tables that rules ask for. */
#ifndef TM_CLI_ASK_READ_H
#define TM_CLI_ASK_READ_H

#include "cli/ask.h"
#include "diff/diff.h"
#include "stream/stream.h"

/* One side: the run, or the baseline. */
struct ask_side {
	const struct common *c; /* its operands are the side's */
	int side;               /* ASK_NOW, ASK_BASE */
	const struct classes *classes;
	bool compared;           /* the run is to be digested, too */
	struct digest digest;    /* if so */
	struct report rep;       /* what there is to say of the inputs */
	struct ask_group *group; /* private: ngroups of them, which the tables borrow from */
	size_t ngroups;
};

/* Read them and fill the tables of *p.  ST_OK; ST_SKIP with *d: the command line is wrong; ST_FATAL
 * when out of memory. */
enum status ask_read(struct ask_side *s, struct ask_pages *p, struct diag *d);

/* Free it, after the tables; {0} again. */
void ask_side_fini(struct ask_side *s);

#endif
