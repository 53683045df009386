/* SPDX-License-Identifier: MIT
 * The parts of a name that the rules of kernel_class.h see: first the function's own name, then
 * what is around it and in it, never the types of its arguments. */
#ifndef TM_MODEL_SUBJECT_H
#define TM_MODEL_SUBJECT_H

#include "base/base.h"
#include "model/kernel_class.h"

#include <stdbool.h>
#include <stddef.h>

/* Of what is seen no more than so much is looked at: what a kernel does is said early in its name,
 * and "a.*b" may take time quadratic in the text when a hostile name repeats "a". */
#define SUBJECT_MAX ((size_t)8 << 10)

struct subject {
	struct tm_buf name;  /* full */
	size_t from, to;     /* the function in it; from == to when it is not like one */
	struct tm_buf scope; /* "ns::step", of what is launched in the end */
	size_t own;          /* where "step" begins in it */
	struct tm_buf args;  /* "ns::step<4, Add<float>>", of whose template arguments neither
	                        namespaces nor lists of arguments are there; made on demand */
};

/* Take a full name apart, trimmed and demangled; the buffer is taken over.  False when out of
 * memory; to be freed in any case. */
bool tm_subject_take(struct subject *t, struct tm_buf *name);

/* Is the name like a function's? */
bool tm_subject_is_function(const struct subject *t);

/* The text of which *seen tells.  If that is no more than a lower one has, *seen becomes that. NULL
 * when out of memory. */
char *tm_subject_text(struct subject *t, enum tm_class_seen *seen);

/* Free it. */
void tm_subject_fini(struct subject *t);

#endif
