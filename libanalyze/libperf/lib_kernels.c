/* SPDX-License-Identifier: MIT */
#include "libperf/lib_kernels.h"

#include "base/base.h"
#include "model/model.h"
#include "read/read.h"

#include <stdlib.h>

/* One row; false when out of memory. */
static bool add(struct lib_kernels *k, const struct name *name, uint64_t calls, uint64_t ns)
{
	size_t n;
	const char *text = kernel_name_trim(name->text, name->len, &n);
	uint32_t before = k->names.n, id = names_add(&k->names, text, n);

	if (id == NAME_NONE || !grow_array(&k->v, &k->cap, (size_t)id + 1, sizeof *k->v))
		return false;
	if (id == before)
		k->v[id] = (struct lib_kernel) { 0 };
	k->v[id].calls = calls > UINT64_MAX - k->v[id].calls ? UINT64_MAX : k->v[id].calls + calls;
	k->v[id].ns += ns;
	return true;
}

static bool take_batch(struct lib_kernels *k, const struct batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct name *name;
		uint64_t calls = 1, ns;

		if (!batch_has(b, i, EVC_NAME))
			continue;
		name = &b->names->v[b->col[EVC_NAME][i]];
		if (b->kind == EV_STAT) {
			if (batch_has(b, i, EVC_DOMAIN) && b->col[EVC_DOMAIN][i] != DOMAIN_KERNEL)
				continue;
			calls = b->col[EVC_CALLS][i];
			ns = b->col[EVC_TOTAL][i];
		} else if (batch_has(b, i, EVC_START) && batch_has(b, i, EVC_END) &&
		           b->col[EVC_END][i] >= b->col[EVC_START][i]) {
			ns = b->col[EVC_END][i] - b->col[EVC_START][i];
		} else {
			continue;
		}
		if (!add(k, name, calls, ns))
			return false;
	}
	return true;
}

enum status lib_kernels_read(struct lib_kernels *k, struct source *s, struct report *rep,
                             struct diag *d)
{
	const ev_set want = EV_BIT(EVC_NAME) | EV_BIT(EVC_START) | EV_BIT(EVC_END) |
	                    EV_BIT(EVC_DOMAIN) | EV_BIT(EVC_CALLS) | EV_BIT(EVC_TOTAL);
	struct reader *r = reader_open(s, NULL, want, NULL, d);
	const struct batch *b;
	enum status st;
	bool ok = true;

	if (!r)
		return ST_SKIP;
	while (ok && (st = reader_next(r, &b, d)) == ST_OK)
		if (b->kind == EV_DISPATCH || b->kind == EV_STAT)
			ok = take_batch(k, b);
	report_loss(rep, source_name(s), &r->loss);
	reader_close(r);
	if (!ok)
		return ST_FATAL;
	return st == ST_END ? ST_OK : ST_WARN;
}

const struct lib_kernel *lib_kernels_find(const struct lib_kernels *k, const char *name, size_t n)
{
	uint32_t id = names_find(&k->names, name, n);

	return id == NAME_NONE ? NULL : &k->v[id];
}

void lib_kernels_fini(struct lib_kernels *k)
{
	names_fini(&k->names);
	free(k->v);
	*k = (struct lib_kernels) { 0 };
}
