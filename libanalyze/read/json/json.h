/* SPDX-License-Identifier: MIT
 * Traces in JSON. */
#ifndef TM_READ_JSON_JSON_H
#define TM_READ_JSON_JSON_H

#include "read/json/json_stream.h"

#endif
