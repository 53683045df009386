/* SPDX-License-Identifier: MIT
 * The longest dispatch of a trace, and how long all of them took together.
 *
 *   cc -o longest longest.c $(pkg-config --cflags --libs tracemill) && ./longest trace.csv */
#include <inttypes.h>
#include <stdio.h>
#include <tracemill.h>

int main(int argc, char **argv)
{
	const ev_set want = EV_BIT(EVC_NAME) | EV_BIT(EVC_START) | EV_BIT(EVC_END);
	uint64_t longest = 0, total = 0, dispatches = 0, name = 0;
	struct diag why = { .text = "usage: longest TRACE" };
	struct source *file = argc == 2 ? source_open(argv[1], &why) : NULL;
	struct reader *trace = file ? reader_open(file, NULL, want, NULL, &why) : NULL;
	enum status st = ST_FATAL;
	const struct batch *b;

	while (trace && (st = reader_next(trace, &b, &why)) == ST_OK)
		for (uint32_t i = 0; b->kind == EV_DISPATCH && i < b->n; i++) {
			uint64_t ns;

			if (!batch_has(b, i, EVC_START) || !batch_has(b, i, EVC_END))
				continue;
			ns = b->col[EVC_END][i] - b->col[EVC_START][i];
			dispatches++;
			total += ns;
			if (ns > longest && batch_has(b, i, EVC_NAME)) {
				longest = ns;
				name = b->col[EVC_NAME][i];
			}
		}
	if (st != ST_END)
		fprintf(stderr, "longest: error: %s\n", why.text);
	else if (longest)
		printf("%" PRIu64 " dispatches, %" PRIu64 " ns; longest: %" PRIu64 " ns, %.*s\n",
		       dispatches, total, longest, (int)trace->names.v[name].len,
		       trace->names.v[name].text);
	reader_close(trace);
	source_close(file);
	return st == ST_END ? 0 : 2;
}
