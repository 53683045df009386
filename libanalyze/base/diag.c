/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <stdio.h>

const char tm_diag_no_memory[] = "out of memory";

void tm_diag_vset(struct tm_diag *d, uint64_t line, const char *fmt, va_list ap)
{
	if (!d)
		return;
	d->line = line;
	d->status = TM_ST_OK;
	if (vsnprintf(d->text, sizeof d->text, fmt, ap) < 0)
		d->text[0] = '\0';
}

void tm_diag_set(struct tm_diag *d, uint64_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tm_diag_vset(d, line, fmt, ap);
	va_end(ap);
}

void tm_diag_oom(struct tm_diag *d)
{
	tm_diag_set(d, 0, "%s", tm_diag_no_memory);
	if (d)
		d->status = TM_ST_NOMEM;
}
