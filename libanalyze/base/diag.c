/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <stdio.h>

const char diag_no_memory[] = "out of memory";

void diag_vset(struct diag *d, uint64_t line, const char *fmt, va_list ap)
{
	if (!d)
		return;
	d->line = line;
	d->status = ST_OK;
	if (vsnprintf(d->text, sizeof d->text, fmt, ap) < 0)
		d->text[0] = '\0';
}

void diag_set(struct diag *d, uint64_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_vset(d, line, fmt, ap);
	va_end(ap);
}

void diag_oom(struct diag *d)
{
	diag_set(d, 0, "%s", diag_no_memory);
	if (d)
		d->status = ST_NOMEM;
}
