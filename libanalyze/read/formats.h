/* SPDX-License-Identifier: MIT
 * The formats as objects, generated from formats.def. */
#ifndef TM_READ_FORMATS_H
#define TM_READ_FORMATS_H

#include "read/reader.h"

#define FORMAT(id, profilers, holds, times) extern const struct tm_reader_ops tm_reader_##id;
#define BYTES(id)                           extern const struct tm_bytes_ops tm_bytes_##id;
#include "read/formats.def"

#endif
