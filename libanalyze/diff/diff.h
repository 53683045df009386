/* SPDX-License-Identifier: MIT
 * Two sides of runs compared. */
#ifndef TM_DIFF_DIFF_H
#define TM_DIFF_DIFF_H

#include "diff/account.h"
#include "diff/compare.h"
#include "diff/decide.h"
#include "diff/length.h"
#include "diff/digest.h"
#include "diff/pair.h"
#include "diff/problems.h"
#include "diff/refuse.h"
#include "diff/remark.h"
#include "diff/words.h"

#endif
