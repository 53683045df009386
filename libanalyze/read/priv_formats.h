/* SPDX-License-Identifier: MIT
 * The formats as objects: made from formats.def. */
#ifndef READ_PRIV_FORMATS_H
#define READ_PRIV_FORMATS_H

#include "read/reader.h"

#define FORMAT(id, profilers, holds, times) extern const struct reader_ops reader_##id;
#include "read/formats.def"
#undef FORMAT

#endif
