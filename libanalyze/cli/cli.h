/* SPDX-License-Identifier: MIT
 * Options, operands, help, output: what the tools share. */
#ifndef TM_CLI_CLI_H
#define TM_CLI_CLI_H

#include "cli/rules/rules.h"
#include "cli/operands/operands.h"
#include "cli/frame/frame.h"
#include "cli/tools/tools.h"

#endif
