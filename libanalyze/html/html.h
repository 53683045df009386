/* SPDX-License-Identifier: MIT
 * A self-contained HTML page: escaped text, tables, drawings, the page around them. */
#ifndef TM_HTML_HTML_H
#define TM_HTML_HTML_H

#include "html/draw.h"
#include "html/escape.h"
#include "html/page.h"
#include "html/table.h"

#endif
