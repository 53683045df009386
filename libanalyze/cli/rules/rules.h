/* SPDX-License-Identifier: MIT
 * The tables that rules of tracecheck use, and the verdict. */
#ifndef TM_CLI_RULES_H
#define TM_CLI_RULES_H

#include "cli/rules/ask.h"
#include "cli/rules/ask_files.h"
#include "cli/rules/ask_read.h"
#include "cli/rules/check.h"
#include "cli/rules/findings.h"
#include "cli/rules/pins.h"
#include "cli/rules/report.h"
#include "cli/rules/screen.h"

#endif
