/* SPDX-License-Identifier: MIT
 * The built-in table of kernel_class.c; the Makefile makes it from schemas/kernel_classes.tsv. */
#ifndef MODEL_PRIV_CLASSES_H
#define MODEL_PRIV_CLASSES_H

/* The file's bytes and a NUL. */
extern const char kernel_classes_tsv[];

#endif
