/* SPDX-License-Identifier: MIT
 * One line of RCCL's log: who printed it, and the words and values of a collective.  The reader of
 * events (rccl_log.c) and the counter of calls (lib_log.c) share it. */
#ifndef TM_READ_LIBRARY_RCCL_H
#define TM_READ_LIBRARY_RCCL_H

#include "io/io.h"
#include "read/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_rccl_field {
#define KEY(word, how, field, needed) TM_RF_##field,
#include "schemas/rccl_log.def"
	TM_RF_N,
};

#define TM_RCCL_INFO " NCCL INFO "
#define TM_RCCL_MARK ": opCount " /* after the name of a collective */

/* The words and values of a line. */
struct tm_rccl_pairs {
	unsigned has; /* a bit each */
	bool counts;  /* AllToAllv: a count for each rank, in memory */
	uint64_t v[TM_RF_N];
	struct tm_small_field text[TM_RF_N];
};

/* Who printed a line: host:pid:tid [device] NCCL INFO. */
struct tm_rccl_origin {
	struct tm_small_field process; /* "host:pid" */
	uint64_t pid, tid;
};

/* Parse what is before TM_RCCL_INFO at `at`; false when it is not what RCCL prints there. */
bool tm_rccl_origin_parse(const char *line, const char *at, struct tm_rccl_origin *o);

/* Parse words and values up to the end or a word "-".  False: something does not fit. */
bool tm_rccl_pairs_parse(const char *p, const char *end, struct tm_rccl_pairs *out);

/* Parse the call of a collective: its name and the text after the colon.  False when it is
 * incomplete. */
bool tm_rccl_collective_parse(const char *name, const char *colon, const char *end,
                              struct tm_rccl_pairs *out);

/* Is there a line of RCCL in the rest of a source?  *line: its 1-based number.  The source is read
 * up to it.  False with *d when out of memory. */
bool tm_rccl_log_begins(struct tm_source *src, uint64_t *line, struct tm_diag *d);

/* The last place of `text` in p[0..n), or NULL. */
const char *tm_rccl_find_last(const char *p, size_t n, const char *text);

/* The next word, and *p after it; n 0 at the end. */
struct tm_small_field tm_rccl_word(const char **p, const char *end);

/* Is that word this text? */
bool tm_rccl_is_word(const struct tm_small_field *w, const char *text);

/* Hexadecimal digits without 0x. */
bool tm_rccl_hex(const char *p, size_t n, uint64_t *v);

#endif
