/* SPDX-License-Identifier: MIT
 * Internals of the rocprofv3 JSON reader.
 *
 *   rocprofv3_json.c      the walk through the file, and the reader
 *   rocprofv3_records.c   what the elements of its lists are
 */
#ifndef TM_READ_JSON_ROCPROFV3_H
#define TM_READ_JSON_ROCPROFV3_H

#include "read/batch.h"
#include "read/json/json_stream.h"
#include "read/reader.h"

/* What the elements of a list are; tables before records. */
enum v3_what {
	WHAT_AGENT,
	WHAT_COUNTER,
	WHAT_SYMBOL,
	WHAT_KIND,
	WHAT_MESSAGE,
	WHAT_INSTRUCTION, /* texts, known by their place */
	WHAT_COMMENT,
	WHAT_COLLECTION,
	WHAT_DISPATCH,
	WHAT_COPY,
	WHAT_ALLOCATION,
	WHAT_CALL,
	WHAT_MARKER,
	WHAT_SAMPLE,
};

enum v3_out {
	OUT_DISPATCH,
	OUT_COPY,
	OUT_API,
	OUT_ALLOC,
	OUT_COUNTER,
	OUT_AGENT,
	OUT_SAMPLE,
	V3_OUTS
};

enum {
	V3_ROOM = 256, /* rows an ordinary record may add to a batch */
	V3_REGISTERS = 3,
};

/* Where the walk is: inside what. */
enum v3_level {
	V3_TOP,     /* the outermost object */
	V3_TOOLS,   /* the list of processes */
	V3_PROCESS, /* a process */
	V3_SECTION, /* an object of lists in it */
	V3_LIST,    /* a list */
	V3_AFTER,   /* after the outermost object */
	V3_LEVELS,
};

/* What a number of the file stands for. */
struct v3_meaning {
	uint32_t name;                    /* id in reader.names, or TM_NAME_NONE */
	uint64_t number;                  /* of an agent: tm_agent_pack() */
	uint64_t registers[V3_REGISTERS]; /* of a kernel: scalar, vector, accumulation */
	bool has_registers[V3_REGISTERS];
	enum tm_domain domain; /* of an operation */
	double sum; /* of a counter, in the record it was last seen in: number `record` */
	uint64_t record;
};

struct v3 {
	struct tm_reader *r;
	struct json_stream in;
	enum v3_level level;
	enum v3_level outer;   /* of the list at hand */
	bool first[V3_LEVELS]; /* of tm_json_member, tm_json_element */
	bool skipping, done, dead;
	bool lone; /* one process, not in a list */
	char section[24];
	enum v3_what what;
	struct json_skip skip;
	struct tm_diag why;

	struct tm_names keys; /* a letter and a number -> index in meaning */
	struct v3_meaning *meaning;
	size_t cap;
	uint64_t records; /* that had counters, so far */
	size_t *counter;  /* counters of the record at hand: indices in meaning */
	size_t counter_cap;
	size_t version;                  /* index of who wrote it */
	uint64_t kinds;                  /* of records, so far */
	uint64_t instructions, comments; /* texts, so far */
	uint64_t pid;
	bool has_pid;
	char *host; /* of all processes so far; "" = they differ */
	struct tm_ev_rows out[V3_OUTS];
	struct tm_buf text;
};

/* A member of an object: its key, and the value whole; of an object its "handle" in place of it.
 * False at the end of the object, and where c->state is not JSON_GOOD. */
bool tm_v3_member(struct json *c, bool *first, struct json_item *key, struct json_item *v);

/* An element of the list at hand, whose opening brace is consumed; it is consumed.  False when out
 * of memory; whether it was whole says c->state. */
bool tm_v3_take(struct v3 *t, struct json *c, uint64_t at);

/* The same of a text that is an element. */
bool tm_v3_take_text(struct v3 *t, const struct json_item *v);

/* Another process: forget the tables of the one before. */
void tm_v3_next_process(struct v3 *t);

#endif
