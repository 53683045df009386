/* SPDX-License-Identifier: MIT
 * From operands to the inputs of a drive: found, ranked, none twice. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/common.h"
#include "io/walk.h"
#include "stream/drive.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} before inputs_find. */
struct inputs {
	struct walk walk;
	struct input *v; /* n of them count */
	size_t n;
	struct rank_regex ranks;
	struct run_ranks order;
	/* private */
	char **runs;       /* of each file of the walk */
	uint64_t *given;   /* explicit rank of each operand, + 1; 0 = none */
	size_t *file;      /* file of the walk that v[i] is */
	bool **leave;      /* of each v[i] */
	struct twin *twin; /* traces that are there both as a file and in a database */
	size_t ntwins, twin_cap;
	char *here;
};

/* The inputs the operands of *c stand for ("-" where there are none, but not from a terminal), and
 * --rank-from.  What cannot be looked at, and what is there twice, is in *rep.  False with *d: the
 * command line is wrong, or out of memory. */
bool inputs_find(struct inputs *in, struct common *c, struct report *rep, struct diag *d);

/* A drive over them as the common options say: --from, -j, -v. */
struct drive inputs_drive(const struct inputs *in, const struct common *c, uint64_t want);

/* After the drive: an error for each directory in which nothing was a trace. */
void inputs_judge(const struct inputs *in, const struct common *c, struct report *rep);

/* "3=path": the path, and the number + 1 in *given; otherwise the operand itself, and 0. */
const char *operand_rank(const char *operand, uint64_t *given);

/* Free it. */
void inputs_fini(struct inputs *in);

#endif
