/* SPDX-License-Identifier: MIT
 * Bytes: files, pipes, compression, archives, folders. */
#ifndef TM_IO_IO_H
#define TM_IO_IO_H

#include "io/deflate.h"
#include "io/head.h"
#include "io/inflate.h"
#include "io/pack.h"
#include "io/source.h"
#include "io/temp.h"
#include "io/walk.h"

#endif
