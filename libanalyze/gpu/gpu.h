/* SPDX-License-Identifier: MIT
 * What GPUs are: products, their peaks, how many waves fit. */
#ifndef TM_GPU_GPU_H
#define TM_GPU_GPU_H

#include "gpu/occupancy.h"
#include "gpu/product.h"
#include "gpu/roof.h"

#endif
