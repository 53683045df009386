/* SPDX-License-Identifier: MIT
 * Finding inputs, step by step: for cli/inputs*.c only. */
#ifndef TM_CLI_INPUTS_PARTS_H
#define TM_CLI_INPUTS_PARTS_H

#include "base/base.h"
#include "cli/operands/inputs.h"
#include "cli/operands/look.h"
#include "runs/runs.h"

/* What files of single processes add up to. */
struct whole {
	size_t parts;
	uint64_t bytes;
};

/* Files that rocprof v1 puts together from those of single processes next to them.  {0} is a valid
 * empty one. */
struct wholes {
	struct tm_names paths;
	struct whole *v; /* of each */
	size_t cap;
};

/* Find them by their names.  False when out of memory; tm_wholes_fini it in any case. */
bool tm_wholes_find(struct wholes *w, const struct tm_walk *walk);

/* Is this file one?  Its parts count then: *rep says so, or that it is not what they add up to. */
bool tm_wholes_has(const struct wholes *w, const struct tm_walk_file *f, struct tm_report *rep);

void tm_wholes_fini(struct wholes *w);

/* Which traces of databases are given as files, too.  False when out of memory. */
bool tm_inputs_find_twins(struct inputs *in, const struct common *c);

/* The rank of a file's twin, if a stronger rule gave it than v->rule. */
bool tm_inputs_rank_of_twin(const struct inputs *in, size_t file, struct tm_input *v);

/* in->leave: the traces of databases that are somewhere else, too.  False when out of memory. */
bool tm_inputs_leave_known(struct inputs *in, struct tm_report *rep);

/* Which traces are of one run, and what of them counts: in->v[].pick; what is to be said of it is
 * in->told.  Archives are read for it only with `archives`.  False when out of memory. */
bool tm_inputs_choose(struct inputs *in, const struct common *c, bool archives);

/* All ranks: those that inputs have, then numbers that are left for the others.  False when out of
 * memory. */
bool tm_inputs_set_ranks(struct inputs *in);

/* The number + 1 that RANK=FILE gives an input, 0 = none. */
uint64_t tm_inputs_given(const struct inputs *in, size_t input);

#endif
