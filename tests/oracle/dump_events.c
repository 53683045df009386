/* SPDX-License-Identifier: MIT
 * Every event of a file as CSV, through the interface of the readers: what the oracles compare with
 * what they worked out themselves.   dump_events [--want COLUMN,...] FILE
 * A column that a row does not have is empty.  Losses go to standard error. */
#include "base/buf.h"
#include "read/reader.h"
#include "stream/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct column {
	const char *name;
	enum ev_col col;
	char how; /* u number, n name, r real, a agent, d domain */
} columns[] = {
	{ "name", EVC_NAME, 'n' },
	{ "domain", EVC_DOMAIN, 'd' },
	{ "start", EVC_START, 'u' },
	{ "end", EVC_END, 'u' },
	{ "agent", EVC_AGENT, 'a' },
	{ "queue", EVC_QUEUE, 'u' },
	{ "stream", EVC_STREAM, 'u' },
	{ "pid", EVC_PID, 'u' },
	{ "tid", EVC_TID, 'u' },
	{ "corr", EVC_CORR, 'u' },
	{ "dispatch", EVC_DISPATCH_ID, 'u' },
	{ "kernel", EVC_KERNEL_ID, 'u' },
	{ "lds", EVC_LDS, 'u' },
	{ "scratch", EVC_SCRATCH, 'u' },
	{ "vgpr", EVC_VGPR, 'u' },
	{ "accum", EVC_ACCUM_VGPR, 'u' },
	{ "sgpr", EVC_SGPR, 'u' },
	{ "wg", EVC_WG, 'u' },
	{ "wg_x", EVC_WG_X, 'u' },
	{ "wg_y", EVC_WG_Y, 'u' },
	{ "wg_z", EVC_WG_Z, 'u' },
	{ "grid", EVC_GRID, 'u' },
	{ "grid_x", EVC_GRID_X, 'u' },
	{ "grid_y", EVC_GRID_Y, 'u' },
	{ "grid_z", EVC_GRID_Z, 'u' },
	{ "bytes", EVC_BYTES, 'u' },
	{ "src", EVC_SRC, 'a' },
	{ "dst", EVC_DST, 'a' },
	{ "counter", EVC_COUNTER, 'n' },
	{ "value", EVC_VALUE, 'r' },
};

enum { NCOLUMNS = sizeof columns / sizeof *columns };

static void quoted(const struct name *nm)
{
	putchar('"');
	for (uint32_t i = 0; i < nm->len; i++) {
		if (nm->text[i] == '"')
			putchar('"');
		putchar(nm->text[i]);
	}
	putchar('"');
}

static void cell(const struct batch *b, uint32_t i, const struct column *c)
{
	uint64_t v;
	char agent[16];

	putchar(',');
	if (!batch_has(b, i, c->col))
		return;
	v = b->col[c->col][i];
	switch (c->how) {
	case 'n':
		quoted(&b->names->v[v]);
		break;
	case 'r':
		printf("%.17g", cell_real(v));
		break;
	case 'a':
		fputs(agent_text(v, agent), stdout);
		break;
	case 'd':
		fputs(domain_text((enum domain)v), stdout);
		break;
	default:
		printf("%" PRIu64, v);
	}
}

static uint64_t columns_of(const char *list)
{
	uint64_t want = 0;

	for (int i = 0; i < NCOLUMNS; i++) {
		size_t n = strlen(columns[i].name);

		for (const char *p = strstr(list, columns[i].name); p;
		     p = strstr(p + 1, columns[i].name))
			if ((p == list || p[-1] == ',') && (!p[n] || p[n] == ','))
				want |= EV_BIT(columns[i].col);
	}
	return want;
}

int main(int argc, char **argv)
{
	uint64_t want = EV_ALL;
	struct diag d = { 0 };
	struct report rep = { 0 };
	const struct batch *b;
	struct source *src;
	struct reader *r;
	enum status st;

	if (argc == 4 && !strcmp(argv[1], "--want")) {
		want = columns_of(argv[2]);
		argv += 2;
	} else if (argc != 2) {
		return 2;
	}
	src = source_open(argv[1], &d);
	r = src ? reader_open(src, NULL, want, NULL, &d) : NULL;
	if (!r) {
		fprintf(stderr, "%s\n", d.text);
		source_close(src);
		return 2;
	}
	printf("kind");
	for (int i = 0; i < NCOLUMNS; i++)
		printf(",%s", columns[i].name);
	putchar('\n');
	while ((st = reader_next(r, &b, &d)) == ST_OK)
		for (uint32_t i = 0; i < b->n; i++) {
			fputs(ev_kind_text(b->kind, false), stdout);
			for (int c = 0; c < NCOLUMNS; c++)
				cell(b, i, &columns[c]);
			putchar('\n');
		}
	report_loss(&rep, NULL, &r->loss);
	for (size_t i = 0; i < rep.n; i++)
		fprintf(stderr, "%s\n", rep.v[i].text);
	if (st == ST_FATAL)
		fprintf(stderr, "%s\n", d.text);
	report_fini(&rep);
	reader_close(r);
	source_close(src);
	return st == ST_FATAL;
}
