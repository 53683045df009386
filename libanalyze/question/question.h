/* SPDX-License-Identifier: MIT
 * Questions about events and about bytes: options, windows, views. */
#ifndef TM_QUESTION_QUESTION_H
#define TM_QUESTION_QUESTION_H

#include "question/bytes.h"
#include "question/metric.h"
#include "question/state.h"
#include "question/state_bytes.h"

#endif
