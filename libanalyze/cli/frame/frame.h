/* SPDX-License-Identifier: MIT
 * What every tool has: options, help, completion, lists, output, progress. */
#ifndef TM_CLI_FRAME_H
#define TM_CLI_FRAME_H

#include "cli/frame/answer.h"
#include "cli/frame/common.h"
#include "cli/frame/complete.h"
#include "cli/frame/option.h"
#include "cli/frame/output.h"
#include "cli/frame/place.h"
#include "cli/frame/progress.h"
#include "cli/frame/serve.h"
#include "cli/frame/show.h"
#include "cli/frame/tool.h"

#endif
