/* SPDX-License-Identifier: MIT
 * A question about files without events (library logs, bench outputs, power readings): bytes in, a
 * table out.  The counterpart of struct tm_metric for traces. */
#ifndef TM_QUESTION_BYTES_H
#define TM_QUESTION_BYTES_H

#include "base/base.h"
#include "io/io.h"
#include "model/model.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>

/* One question: one file metric/<id>.c. */
struct tm_question {
	const char *name, *about;
	const struct tm_column *columns; /* in order, ending with name NULL */
	bool grows;    /* `columns` are the first ones only, the files bring more: columns[0] of the
	              * filled table points to all of them, in order, ending with name NULL */
	bool whole;    /* people see all of it too, unless -n says otherwise */
	bool numbered; /* operands may be RANK=PATH: their side is the number + 1, and 0 no side of
	                * its own but "none was given" */
	bool tables; /* its files are tables: two of the same bytes are one file and its copy.  Logs
	              * are not: ranks of one job may log the same calls */
	const char *format; /* -f unless the user says one; NULL = text */
	bool crlf;   /* csv as Python's csv.writer has it, for the readers of such a file: lines end
	              * with CR LF, blanks are no reason for quotes */
	size_t size; /* of the accumulator */

	/* `acc` is `size` zeroed bytes; `o` is what the tool and its question share, and outlives
	 * it.  False when out of memory; fini is then not called. */
	bool (*init)(void *acc, const void *o);

	/* Read the source to its end.  `side` distinguishes the tool's operands: 0 unless it says
	 * otherwise.  TM_ST_OK; TM_ST_SKIP with *d when the question does not know this input
	 * (nothing of it was used); TM_ST_WARN with *d when the rest could not be read, and what
	 * came before counts; TM_ST_FATAL when out of memory.  Skipped rows and other findings are
	 * reported in *rep. */
	enum tm_status (*take)(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
	                       struct tm_diag *d);

	/* Write the answer to *t (initialized here with tm_table_init, freed by the caller; its
	 * texts may belong to the accumulator), and caveats to *rep.  TM_ST_OK; TM_ST_END when
	 * there is nothing to show (the table is there, empty, and *rep says why); TM_ST_FATAL when
	 * out of memory. */
	enum tm_status (*fill)(void *acc, struct tm_table *t, struct tm_report *rep);

	/* Free what the accumulator holds. */
	void (*fini)(void *acc);
};

#endif
