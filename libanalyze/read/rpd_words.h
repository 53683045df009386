/* SPDX-License-Identifier: MIT
 * The names of rows in rocmProfileData, from schemas/rpd.def: the same in its database and in the
 * output of rpd2tracing.py. */
#ifndef TM_READ_RPD_WORDS_H
#define TM_READ_RPD_WORDS_H

#include "model/model.h"

#include <stddef.h>

enum rpd_operation { RPD_KERNEL, RPD_COPY, RPD_MARKER };

/* A call's class: its domain, or that the tracer recorded itself. */
enum { RPD_SELF = TM_DOMAIN_N };

/* What an operation of that type is. */
enum rpd_operation tm_rpd_operation(const char *type, size_t n);

/* What a call of that name is: a domain (enum tm_domain), or RPD_SELF. */
unsigned tm_rpd_call(const char *name, size_t n);

#endif
