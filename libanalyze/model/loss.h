/* SPDX-License-Identifier: MIT
 * Losses of an input: what a reader could not use, and what was missing before. */
#ifndef TM_MODEL_LOSS_H
#define TM_MODEL_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reasons: model/losses.def says what each means. */
enum tm_loss_reason {
#define LOSS(id, word, kind, severity, place, one, many) TM_LOSS_##id,
#include "model/losses.def"
#undef LOSS
	TM_LOSS_REASONS,
};

/* What a loss means for the events. */
enum tm_loss_kind {
	TM_LOSS_IS_NONE,     /* no event is missing or lacks a value of its own */
	TM_LOSS_IS_PARTLY,   /* events are kept, a part of them is missing or changed */
	TM_LOSS_IS_SKIPPED,  /* events left out, each counted */
	TM_LOSS_IS_BROKEN,   /* pieces of the input left out: how many events is not known */
	TM_LOSS_IS_ENDED,    /* bytes at the end that are no whole piece */
	TM_LOSS_IS_GONE,     /* places where events were missing before the file was read */
	TM_LOSS_IS_UNTRACED, /* events that others show to have been, none of which was recorded */
	TM_LOSS_IS_THINNED, /* events left out on purpose when the file was written, each counted */
	TM_LOSS_IS_STRIPPED, /* events are kept, what tells them apart was left out on purpose */
};

/* Where the first one is. */
enum tm_loss_place {
	TM_LOSS_LINE,    /* a line, which stands in front of the message */
	TM_LOSS_AT_LINE, /* a line, named in the message */
	TM_LOSS_AT_BYTE, /* a byte of the unpacked input, from 0 */
	TM_LOSS_AT_ID,   /* the id of a row of a database */
	TM_LOSS_NOWHERE, /* the place says nothing */
};

struct tm_loss_about {
	const char *word; /* in run.db */
	enum tm_loss_kind kind;
	enum tm_loss_place place;
	const char *one, *many; /* message; %N = how many; "" = it is not reported */
};
extern const struct tm_loss_about tm_losses[TM_LOSS_REASONS];

/* Is the place of such a loss a line? */
static inline bool tm_loss_has_line(enum tm_loss_reason why)
{
	return tm_losses[why].place <= TM_LOSS_AT_LINE;
}

/* How many, and where the first one is.  Lines count from 1; line 0 is none. */
struct tm_lost {
	uint64_t n, at;
};

struct tm_loss {
	uint64_t rows; /* rows delivered, for comparison */
	struct tm_lost of[TM_LOSS_REASONS];
};

/* One more, on that line; the first one stays the first. */
static inline void tm_lost_line(struct tm_lost *l, uint64_t line)
{
	if (!l->n++)
		l->at = line;
}

/* One more row lost for a reason that counts lines. */
static inline void tm_loss_line(struct tm_loss *l, enum tm_loss_reason why, uint64_t line)
{
	tm_lost_line(&l->of[why], line);
}

/* n more losses for a reason; the first of them is at `at`, but an earlier place is kept. */
void tm_loss_count(struct tm_loss *l, enum tm_loss_reason why, uint64_t n, uint64_t at);

/* Add what a later part of the same input lost; its lines are counted from `lines` on. */
void tm_loss_add(struct tm_loss *into, const struct tm_loss *from, uint64_t lines);

/* Was anything lost at all? */
bool tm_loss_any(const struct tm_loss *l);

/* Only the losses of some kinds (bits 1 << enum tm_loss_kind); rows is 0. */
struct tm_loss tm_loss_of_kinds(const struct tm_loss *l, unsigned kinds);

/* How many losses of some kinds there are. */
uint64_t tm_loss_sum(const struct tm_loss *l, unsigned kinds);

/* How many events the reader skipped, and how many were missing before: events, or places if only
 * those are known. */
uint64_t tm_loss_skipped(const struct tm_loss *l);
uint64_t tm_loss_lost(const struct tm_loss *l);

#endif
