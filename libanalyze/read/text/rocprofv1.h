/* SPDX-License-Identifier: MIT
 * Internals of the reader of rocprof v1's text files: parsing of a line.  The forms are described
 * in rocprofv1_text.c, the words in schemas/rocprofv1_text.def. */
#ifndef TM_READ_TEXT_ROCPROFV1_H
#define TM_READ_TEXT_ROCPROFV1_H

#include "model/model.h"
#include "read/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum v1_form { FORM_NONE, FORM_CALL, FORM_OPERATION, FORM_COPY, FORM_MARKER };
enum v1_what { OP_OTHER, OP_COPY, OP_BARRIER, OP_UNNAMED };

/* A line as its parts. */
struct v1_record {
	enum v1_form form;
	uint64_t begin, end;    /* a marker has begin only */
	uint64_t first, second; /* pid and tid, or device and queue */
	uint64_t corr, pid;     /* of a marker: what it is, and its range */
	bool has_corr, has_pid;
	struct tm_small_field name;         /* or message */
	struct tm_small_field args, kernel; /* of a call; p NULL = none */
	bool unclosed;                      /* the message goes on in the next line */
};

/* A line in its parts; rec->form is FORM_NONE when it is none of these. */
void tm_v1_parse(const char *p, const char *end, struct v1_record *rec);

/* Does the line begin as records do?  `cut`: nothing follows, so it may be the beginning of one. */
bool tm_v1_begins(const char *p, const char *end, bool cut);

/* The domain of a call by its name; TM_DOMAIN_N when that does not tell. */
enum tm_domain tm_v1_domain(const struct tm_small_field *name);

/* Does a call without a kernel make operations? */
bool tm_v1_works(const struct tm_small_field *name);

/* The value of the last argument of that name: "(stream=0x1, ...)".  False: there is none. */
bool tm_v1_argument(const struct tm_small_field *args, const char *name,
                    struct tm_small_field *value);

/* What an operation of that name is. */
enum v1_what tm_v1_operation(const struct tm_small_field *name);

#endif
