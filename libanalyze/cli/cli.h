/* SPDX-License-Identifier: MIT
 * Options, operands, help and output, shared by the tools. */
#ifndef TM_CLI_CLI_H
#define TM_CLI_CLI_H

#include "cli/rules/rules.h"
#include "cli/operands/operands.h"
#include "cli/frame/frame.h"
#include "cli/tools/tools.h"

#endif
