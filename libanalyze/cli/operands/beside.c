/* SPDX-License-Identifier: MIT */
#include "cli/operands/beside.h"

#include "cli/operands/inputs.h"
#include "cli/frame/frame.h"

#include <string.h>

enum tm_status tm_beside_read(const struct common *c, const struct option_list *paths,
                              tm_ev_set want, const struct tm_event_sink *sink, void *acc,
                              struct tm_report *rep, struct tm_diag *d)
{
	struct common as_operands = *c;
	struct inputs in = { 0 };
	struct progress progress;
	enum tm_status st = TM_ST_SKIP;

	as_operands.operands = *paths;
	tm_progress_init(&progress, c->tool, !c->say.no_progress && !c->say.quiet);
	if (tm_inputs_find(&in, &as_operands, rep, d)) {
		struct tm_drive drive = tm_inputs_drive(&in, &as_operands, want);

		drive.clock = TM_DRIVE_RECORDED;
		drive.progress = tm_progress_tell;
		drive.progress_arg = &progress;
		st = tm_inputs_read(&in, &as_operands, &drive, sink, acc, rep);
		tm_progress_done(&progress);
		tm_inputs_judge(&in, &as_operands, rep);
	} else if (d->status == TM_ST_NOMEM) {
		st = TM_ST_FATAL;
	}
	tm_inputs_fini(&in);
	return st;
}
