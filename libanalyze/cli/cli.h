/* SPDX-License-Identifier: MIT
 * Options, operands, help, output: what the tools share. */
#ifndef TM_CLI_CLI_H
#define TM_CLI_CLI_H

#include "cli/ask.h"
#include "cli/ask_files.h"
#include "cli/ask_read.h"
#include "cli/beside.h"
#include "cli/check.h"
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/complete.h"
#include "cli/events_run.h"
#include "cli/files.h"
#include "cli/inputs.h"
#include "cli/lib_options.h"
#include "cli/look.h"
#include "cli/merge_run.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/place.h"
#include "cli/power_options.h"
#include "cli/power_run.h"
#include "cli/progress.h"
#include "cli/resolve.h"
#include "cli/runs.h"
#include "cli/show.h"
#include "cli/stats.h"
#include "cli/tool.h"

#endif
