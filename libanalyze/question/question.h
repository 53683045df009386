/* SPDX-License-Identifier: MIT
 * What a question is: options, windows, views; over events and over bytes. */
#ifndef TM_QUESTION_QUESTION_H
#define TM_QUESTION_QUESTION_H

#include "question/bytes.h"
#include "question/metric.h"
#include "question/state.h"
#include "question/state_bytes.h"

#endif
