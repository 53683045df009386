/* SPDX-License-Identifier: MIT
 * Storage of executions, for the files of this directory. */
#ifndef TM_COUNTERS_GATHER_PARTS_H
#define TM_COUNTERS_GATHER_PARTS_H

#include "counters/gather.h"

/* Words of the keys of tm_counters.runs, .passes and .executed. */
enum { RUN_RANK, RUN_NAME, RUN_WORDS };
enum { PASS_RUN, PASS_PATH, PASS_HAS_PID, PASS_PID, PASS_WORDS };
enum {
	EXEC_PASS,
	EXEC_KERNEL,
	EXEC_HAS, /* bits: which of the words after are there */
	EXEC_ID,
	EXEC_AGENT,
	EXEC_START,
	EXEC_END,
	EXEC_LOOSE, /* a number of its own, where neither id nor start is there */
	EXEC_WORDS
};

static inline const uint64_t *exec_key(const struct tm_counters *c, uint32_t at)
{
	return c->executed.key + (size_t)at * EXEC_WORDS;
}

static inline const uint64_t *pass_key(const struct tm_counters *c, uint64_t pass)
{
	return c->passes.key + pass * PASS_WORDS;
}

static inline bool exec_has(const uint64_t *key, unsigned word)
{
	return key[EXEC_HAS] >> word & 1;
}

#endif
