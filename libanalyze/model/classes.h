/* SPDX-License-Identifier: MIT
 * The built-in table of kernel_class.c, which the Makefile makes from schemas/kernel_classes.tsv,
 * and what its tests look at. */
#ifndef TM_MODEL_CLASSES_H
#define TM_MODEL_CLASSES_H

#include <stddef.h>

struct tm_classes;

/* The file's bytes without comments and empty lines, and a NUL. */
extern const char tm_kernel_classes_tsv[];

/* On how many names the rules were tried so far: once on each distinct name. */
size_t tm_classes_tried(const struct tm_classes *c);

#endif
