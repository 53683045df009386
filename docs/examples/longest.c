/* SPDX-License-Identifier: MIT
 * The longest dispatch of a trace, and how long all of them took together.
 *
 *   cc -o longest longest.c $(pkg-config --cflags --libs tracemill) && ./longest trace.csv
 *
 * After make install PREFIX=DIR, with a DIR where neither pkg-config nor the loader looks:
 *
 *   export PKG_CONFIG_PATH=DIR/lib/pkgconfig LD_LIBRARY_PATH=DIR/lib */
#include <inttypes.h>
#include <stdio.h>
#include <tracemill.h>

int main(int argc, char **argv)
{
	const tm_ev_set want = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	uint64_t longest = 0, total = 0, dispatches = 0, name = 0;
	struct tm_diag why = { .text = "usage: longest TRACE" };
	struct tm_source *file = argc == 2 ? tm_source_open(argv[1], &why) : NULL;
	struct tm_reader *trace = file ? tm_reader_open(file, NULL, want, NULL, &why) : NULL;
	enum tm_status st = TM_ST_FATAL;
	const struct tm_batch *b;

	while (trace && (st = tm_reader_next(trace, &b, &why)) == TM_ST_OK)
		for (uint32_t i = 0; b->kind == TM_EV_DISPATCH && i < b->n; i++) {
			uint64_t ns;

			if (!tm_batch_has(b, i, TM_EVC_START) || !tm_batch_has(b, i, TM_EVC_END))
				continue;
			ns = b->col[TM_EVC_END][i] - b->col[TM_EVC_START][i];
			dispatches++;
			total += ns;
			if (ns > longest && tm_batch_has(b, i, TM_EVC_NAME)) {
				longest = ns;
				name = b->col[TM_EVC_NAME][i];
			}
		}
	if (st != TM_ST_END)
		fprintf(stderr, "longest: error: %s\n", why.text);
	else if (longest)
		printf("%" PRIu64 " dispatches, %" PRIu64 " ns; longest: %" PRIu64 " ns, %.*s\n",
		       dispatches, total, longest, (int)trace->names.v[name].len,
		       trace->names.v[name].text);
	tm_reader_close(trace);
	tm_source_close(file);
	return st == TM_ST_END ? 0 : 2;
}
