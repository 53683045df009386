/* SPDX-License-Identifier: MIT */
#include "cli/beside.h"

#include "cli/inputs.h"
#include "cli/progress.h"

#include <string.h>

enum status beside_read(const struct common *c, const struct option_list *paths, uint64_t want,
                        const struct event_sink *sink, void *acc, struct report *rep,
                        struct diag *d)
{
	struct common as_operands = *c;
	struct inputs in = { 0 };
	struct progress progress;
	enum status st = ST_SKIP;

	as_operands.operands = *paths;
	progress_init(&progress, c->tool, !c->no_progress && !c->quiet);
	if (inputs_find(&in, &as_operands, rep, d)) {
		struct drive drive = inputs_drive(&in, &as_operands, want);

		drive.clock = DRIVE_RECORDED;
		drive.progress = progress_tell;
		drive.progress_arg = &progress;
		st = inputs_read(&in, &as_operands, &drive, sink, acc, rep);
		progress_done(&progress);
		inputs_judge(&in, &as_operands, rep);
	} else if (d->status == ST_NOMEM) {
		st = ST_FATAL;
	}
	inputs_fini(&in);
	return st;
}
