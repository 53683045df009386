/* SPDX-License-Identifier: MIT */
#include "libperf/lib_kernels.h"

#include "base/base.h"
#include "model/model.h"
#include "read/read.h"

#include <stdlib.h>

/* One row; false when out of memory. */
static bool add(struct lib_kernels *k, const struct tm_name *name, uint64_t calls, uint64_t ns)
{
	size_t n;
	const char *text = tm_kernel_name_trim(name->text, name->len, &n);
	uint32_t before = k->names.n, id = tm_names_add(&k->names, text, n);

	if (id == TM_NAME_NONE || !tm_grow_array(&k->v, &k->cap, (size_t)id + 1, sizeof *k->v))
		return false;
	if (id == before)
		k->v[id] = (struct lib_kernel) { 0 };
	k->v[id].calls = calls > UINT64_MAX - k->v[id].calls ? UINT64_MAX : k->v[id].calls + calls;
	k->v[id].ns += ns;
	return true;
}

static bool take_batch(struct lib_kernels *k, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct tm_name *name;
		uint64_t calls = 1, ns;

		if (!tm_batch_has(b, i, TM_EVC_NAME))
			continue;
		name = &b->names->v[b->col[TM_EVC_NAME][i]];
		if (b->kind == TM_EV_STAT) {
			if (tm_batch_has(b, i, TM_EVC_DOMAIN) &&
			    b->col[TM_EVC_DOMAIN][i] != TM_DOMAIN_KERNEL)
				continue;
			calls = b->col[TM_EVC_CALLS][i];
			ns = b->col[TM_EVC_TOTAL][i];
		} else if (tm_batch_has(b, i, TM_EVC_START) && tm_batch_has(b, i, TM_EVC_END) &&
		           b->col[TM_EVC_END][i] >= b->col[TM_EVC_START][i]) {
			ns = b->col[TM_EVC_END][i] - b->col[TM_EVC_START][i];
		} else {
			continue;
		}
		if (!add(k, name, calls, ns))
			return false;
	}
	return true;
}

enum tm_status tm_lib_kernels_read(struct lib_kernels *k, struct tm_source *s,
                                   struct tm_report *rep, struct tm_diag *d)
{
	const tm_ev_set want = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
	                       TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_DOMAIN) |
	                       TM_EV_BIT(TM_EVC_CALLS) | TM_EV_BIT(TM_EVC_TOTAL);
	struct tm_reader *r = tm_reader_open(s, NULL, want, NULL, d);
	const struct tm_batch *b;
	enum tm_status st;
	bool ok = true;

	if (!r)
		return TM_ST_SKIP;
	while (ok && (st = tm_reader_next(r, &b, d)) == TM_ST_OK)
		if (b->kind == TM_EV_DISPATCH || b->kind == TM_EV_STAT)
			ok = take_batch(k, b);
	tm_report_loss(rep, tm_source_name(s), &r->loss);
	tm_reader_close(r);
	if (!ok)
		return TM_ST_FATAL;
	return st == TM_ST_END ? TM_ST_OK : TM_ST_WARN;
}

const struct lib_kernel *tm_lib_kernels_find(const struct lib_kernels *k, const char *name,
                                             size_t n)
{
	uint32_t id = tm_names_find(&k->names, name, n);

	return id == TM_NAME_NONE ? NULL : &k->v[id];
}

void tm_lib_kernels_fini(struct lib_kernels *k)
{
	tm_names_fini(&k->names);
	free(k->v);
	*k = (struct lib_kernels) { 0 };
}
