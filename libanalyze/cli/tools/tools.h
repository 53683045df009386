/* SPDX-License-Identifier: MIT
 * The work of each tool on its inputs. */
#ifndef TM_CLI_TOOLS_H
#define TM_CLI_TOOLS_H

#include "cli/tools/compare.h"
#include "cli/tools/events_run.h"
#include "cli/tools/lib_options.h"
#include "cli/tools/merge_run.h"
#include "cli/tools/power_options.h"
#include "cli/tools/power_run.h"
#include "cli/tools/stats.h"

#endif
