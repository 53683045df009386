/* SPDX-License-Identifier: MIT */
#include "metric/attributed.h"

#include <inttypes.h>

const char tm_unattributed[] = "(unattributed)";

struct tm_cell tm_unattributed_cell(void)
{
	return tm_cell_text(tm_unattributed, sizeof tm_unattributed - 1);
}

void tm_attributed_share(struct tm_buf *out, tm_u128 part, tm_u128 all)
{
	uint64_t share = (uint64_t)((part * 20000 + all) / (2 * all));

	if (share == 10000 && part < all)
		share--;
	tm_buf_fmt(out, "%" PRIu64 ".%02" PRIu64 " %%", share / 100, share % 100);
}
