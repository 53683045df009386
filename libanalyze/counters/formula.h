/* SPDX-License-Identifier: MIT
 * Formulas over counters: + - * /, min(a, b), max(a, b), parentheses, numbers, and names, with an
 * optional instance number: TCC_HIT[0]. */
#ifndef TM_COUNTERS_FORMULA_H
#define TM_COUNTERS_FORMULA_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_formula_op;

/* {0} is valid, and has no value. */
struct tm_formula {
	struct tm_names inputs; /* every name in it, once */
	/* private */
	struct tm_formula_op *op;
	size_t n, cap, depth;
};

/* Parse text[0..len).  False with *d: where it is wrong, or out of memory; tm_formula_fini in any
 * case. */
bool tm_formula_parse(struct tm_formula *f, const char *text, size_t len, struct tm_diag *d);

/* Its value, in[i] being that of input i.  `work` has room for f->depth numbers.  Not finite where
 * it divides by zero. */
double tm_formula_value(const struct tm_formula *f, const double *in, double *work);

/* Free it; {0} again. */
void tm_formula_fini(struct tm_formula *f);

#endif
