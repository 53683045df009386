/* SPDX-License-Identifier: MIT */
#include "work/work_time.h"

void tm_work_put_ns(struct tm_buf *b, uint64_t ns)
{
	tm_buf_ns(b, ns);
}
