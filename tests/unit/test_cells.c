/* SPDX-License-Identifier: MIT
 * What the columns that tracecat writes mean when they are read again. */
#include "read/cells.h"

#include "test.h"

#include <string.h>

static unsigned find(const char *name)
{
	return tm_cell_find(name, strlen(name));
}

TEST(columns)
{
	static const char *const needed[] = { "kind", "name", "start_ns", "end_ns" };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		CHECK(tm_cell_needed(find(needed[i])));
	for (unsigned code = 0; code <= TM_CELL_UNKNOWN; code++)
		n += tm_cell_needed(code);
	CHECK_U64(n, TM_CELLS_NEED);
	CHECK_U64(find("kind"), TM_CELL_KIND);
	CHECK_U64(find("rank"), TM_CELL_RANK);
	CHECK_U64(find("start_ns"), TM_EVC_START);
	CHECK_U64(find("end_ns"), TM_EVC_END);
	CHECK_U64(find("corr"), TM_EVC_CORR);
	CHECK_U64(find("tid"), TM_EVC_TID);
	/* The class follows from the name. */
	CHECK_U64(find("class"), TM_CELL_DERIVED);
	CHECK_U64(find("nothing"), TM_CELL_UNKNOWN);
	CHECK_U64(find(""), TM_CELL_UNKNOWN);
	CHECK_U64(find("start_nsx"), TM_CELL_UNKNOWN);
	CHECK_U64(tm_cell_find("start_ns", 5), TM_CELL_UNKNOWN);
}

TEST_MAIN(T(columns))
