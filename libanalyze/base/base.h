/* SPDX-License-Identifier: MIT
 * Memory, text, numbers, names, status. */
#ifndef TM_BASE_BASE_H
#define TM_BASE_BASE_H

#include "base/buf.h"
#include "base/demangle.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/names.h"
#include "base/num.h"
#include "base/sort.h"
#include "base/status.h"
#include "base/threads.h"
#include "base/wide.h"

#endif
