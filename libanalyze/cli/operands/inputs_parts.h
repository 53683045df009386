/* SPDX-License-Identifier: MIT
 * Finding inputs, step by step: for cli/operands/inputs*.c only. */
#ifndef TM_CLI_INPUTS_PARTS_H
#define TM_CLI_INPUTS_PARTS_H

#include "base/base.h"
#include "cli/operands/inputs.h"
#include "cli/operands/look.h"
#include "runs/runs.h"

/* Of files that are alike, count those that lie beside others of their run.  False when out of
 * memory. */
bool tm_inputs_judge_copies(struct inputs *in);

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
