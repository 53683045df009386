/* SPDX-License-Identifier: MIT
 * Traces and tables in plain text. */
#ifndef TM_READ_TEXT_TEXT_H
#define TM_READ_TEXT_TEXT_H

#include "read/text/rocprofsys.h"

#endif
