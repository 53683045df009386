/* SPDX-License-Identifier: MIT
 * Perfetto traces as the SDK in rocprofv3 writes them, to stdout, packet by packet: one sequence,
 * explicit times, texts interned where they are used first, one packet that begins a slice and one
 * that ends it.
 *
 * Packets of events are put together by hand, in the SDK's order of fields, the others by
 * protobuf-c. */
#ifndef GEN_PERFETTO_H
#define GEN_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that is written once and then named by number; it lives as long as the trace is written.
 */
struct word {
	const char *text;
	size_t n;
	uint32_t iid; /* 0 = not written yet */
};

#define WORD(s)                                                                                    \
	{                                                                                          \
		.text = (s), .n = sizeof(s) - 1                                                    \
	}

/* The beginning of the file: clocks of the machine, and of the sequence that all else is on.  boot:
 * ns since boot; thread: uuid of the track of the main thread. */
void perfetto_begin(uint64_t boot, uint64_t thread);

/* The tracks of a process and of its main thread. */
void describe_process(uint64_t uuid, uint64_t thread, uint64_t pid, const char *name);

/* A track below `parent`; each # in fmt is a number: the first a, the second b.  counter: of bytes,
 * in units of 1024. */
void describe_track(uint64_t uuid, uint64_t parent, bool counter, const char *fmt, uint64_t a,
                    uint64_t b);

/* A slice: begin, then its annotations, then finish. */
void slice_begin(struct word *category, struct word *name, uint64_t track, uint64_t flow);
void slice_finish(uint64_t start, uint64_t end, uint64_t track);

/* Annotations: an unsigned number, a signed one, a double, a text. */
void note_u64(struct word *name, uint64_t v);
void note_i64(struct word *name, uint64_t v);
void note_double(struct word *name, double v);
void note_text(struct word *name, const char *text);

/* A value of a counter track. */
void counter_sample(uint64_t ns, uint64_t track, uint64_t value);

#endif
