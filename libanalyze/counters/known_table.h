/* SPDX-License-Identifier: MIT
 * The table that the Makefile makes from schemas/counters.tsv. */
#ifndef TM_COUNTERS_KNOWN_TABLE_H
#define TM_COUNTERS_KNOWN_TABLE_H

/* The file's bytes without comments and empty lines, and a NUL. */
extern const char tm_counters_tsv[];

#endif
