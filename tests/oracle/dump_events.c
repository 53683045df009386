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

static void cell(const struct batch *b, uint32_t i, enum ev_col c)
{
	uint64_t v;
	char agent[16];

	putchar(',');
	if (!batch_has(b, i, c))
		return;
	v = b->col[c][i];
	switch (ev_columns[c].type) {
	case EVT_NAME:
		quoted(&b->names->v[v]);
		break;
	case EVT_REAL:
		printf("%.17g", cell_real(v));
		break;
	case EVT_AGENT:
		fputs(agent_text(v, agent), stdout);
		break;
	case EVT_DOMAIN:
		fputs(domain_text((enum domain)v), stdout);
		break;
	default:
		printf("%" PRIu64, v);
	}
}

static uint64_t columns_of(const char *list)
{
	uint64_t want = 0;

	for (int i = 0; i < EVC_N; i++) {
		size_t n = strlen(ev_columns[i].word);

		for (const char *p = strstr(list, ev_columns[i].word); p;
		     p = strstr(p + 1, ev_columns[i].word))
			if ((p == list || p[-1] == ',') && (!p[n] || p[n] == ','))
				want |= EV_BIT(i);
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
	for (int i = 0; i < EVC_N; i++)
		printf(",%s", ev_columns[i].word);
	putchar('\n');
	while ((st = reader_next(r, &b, &d)) == ST_OK)
		for (uint32_t i = 0; i < b->n; i++) {
			fputs(ev_kind_text(b->kind, false), stdout);
			for (int c = 0; c < EVC_N; c++)
				cell(b, i, (enum ev_col)c);
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
