/* SPDX-License-Identifier: MIT
 * The critical path and the texts of its pieces, and its tables. */
#ifndef METRIC_WHATIF_PATH_H
#define METRIC_WHATIF_PATH_H

#include "metric/whatif/parts.h"

/* The path, and the texts of its pieces: those of kernels as --name has them. */
struct path_told {
	const struct tm_replay *r;
	const struct tm_metric_opts *o;
	struct tm_replay_path path;
	struct tm_names texts;
	uint32_t *name, *resource; /* of each piece; name TM_NAME_NONE = none */
	struct tm_buf text;
};

/* Cells of a text of *p, TM_NAME_NONE for none, and of a kind. */
struct tm_cell tm_path_text_cell(struct tm_table *t, const struct path_told *p, uint32_t id);
struct tm_cell tm_path_kind_cell(enum tm_replay_piece_kind k);

/* The order of texts: none first. */
int tm_path_by_text(const struct path_told *p, uint32_t a, uint32_t b);

/* Columns of --steps, and its rows: the path cut where the steps of each rank begin and end.  False
 * when out of memory. */
extern const struct tm_column tm_path_step_columns[];
bool tm_path_put_steps(const struct path_told *p, const struct tm_steps *s, struct tm_table *t);

#endif
