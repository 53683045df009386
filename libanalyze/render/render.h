/* SPDX-License-Identifier: MIT
 * Prints tables: text, CSV, TSV, JSON, Markdown. */
#ifndef TM_RENDER_RENDER_H
#define TM_RENDER_RENDER_H

#include "render/chart.h"
#include "render/palette.h"
#include "render/roofline.h"
#include "render/row.h"
#include "render/table.h"

#endif
