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

static void quoted(const struct tm_name *nm)
{
	putchar('"');
	for (uint32_t i = 0; i < nm->len; i++) {
		if (nm->text[i] == '"')
			putchar('"');
		putchar(nm->text[i]);
	}
	putchar('"');
}

static void cell(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	uint64_t v;
	char agent[16];

	putchar(',');
	if (!tm_batch_has(b, i, c))
		return;
	v = b->col[c][i];
	switch (tm_ev_columns[c].type) {
	case TM_EVT_NAME:
		quoted(&b->names->v[v]);
		break;
	case TM_EVT_REAL:
		printf("%.17g", tm_cell_real(v));
		break;
	case TM_EVT_AGENT:
		fputs(tm_agent_text(v, agent), stdout);
		break;
	case TM_EVT_DOMAIN:
		fputs(tm_domain_text((enum tm_domain)v), stdout);
		break;
	default:
		printf("%" PRIu64, v);
	}
}

static tm_ev_set columns_of(const char *list)
{
	tm_ev_set want = 0;

	for (int i = 0; i < TM_EVC_N; i++) {
		size_t n = strlen(tm_ev_columns[i].word);

		for (const char *p = strstr(list, tm_ev_columns[i].word); p;
		     p = strstr(p + 1, tm_ev_columns[i].word))
			if ((p == list || p[-1] == ',') && (!p[n] || p[n] == ','))
				want |= TM_EV_BIT(i);
	}
	return want;
}

int main(int argc, char **argv)
{
	tm_ev_set want = TM_EV_ALL;
	struct tm_diag d = { 0 };
	struct tm_report rep = { 0 };
	const struct tm_batch *b;
	struct tm_source *src;
	struct tm_reader *r;
	enum tm_status st;

	if (argc == 4 && !strcmp(argv[1], "--want")) {
		want = columns_of(argv[2]);
		argv += 2;
	} else if (argc != 2) {
		return 2;
	}
	src = tm_source_open(argv[1], &d);
	r = src ? tm_reader_open(src, NULL, want, NULL, &d) : NULL;
	if (!r) {
		fprintf(stderr, "%s\n", d.text);
		tm_source_close(src);
		return 2;
	}
	printf("kind");
	for (int i = 0; i < TM_EVC_N; i++)
		printf(",%s", tm_ev_columns[i].word);
	putchar('\n');
	while ((st = tm_reader_next(r, &b, &d)) == TM_ST_OK)
		for (uint32_t i = 0; i < b->n; i++) {
			fputs(tm_ev_kind_text(b->kind, false), stdout);
			for (int c = 0; c < TM_EVC_N; c++)
				cell(b, i, (enum tm_ev_col)c);
			putchar('\n');
		}
	tm_report_loss(&rep, NULL, &r->loss);
	for (size_t i = 0; i < rep.n; i++)
		fprintf(stderr, "%s\n", rep.v[i].text);
	if (st == TM_ST_FATAL)
		fprintf(stderr, "%s\n", d.text);
	tm_report_fini(&rep);
	tm_reader_close(r);
	tm_source_close(src);
	return st == TM_ST_FATAL;
}
