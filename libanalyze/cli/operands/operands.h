/* SPDX-License-Identifier: MIT
 * From operands to inputs: files, runs, ranks, windows. */
#ifndef TM_CLI_OPERANDS_H
#define TM_CLI_OPERANDS_H

#include "cli/operands/backups.h"
#include "cli/operands/beside.h"
#include "cli/operands/files.h"
#include "cli/operands/holds.h"
#include "cli/operands/inputs.h"
#include "cli/operands/look.h"
#include "cli/operands/operand.h"
#include "cli/operands/resolve.h"
#include "cli/operands/runs.h"

#endif
