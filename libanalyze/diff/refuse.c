/* SPDX-License-Identifier: MIT */
#include "diff/refuse.h"

#include "base/base.h"
#include "gpu/gpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const tm_allow_words[] = { "self", "agents", "arch", "partial", NULL };

struct refuser {
	struct tm_refusal *r;
	const struct tm_pairs *k;
	struct tm_report *rep;
	struct tm_buf text;
	const char *told; /* the rest of the reason, which an error of the reading tells; or NULL */
	bool ok;
};

/* What f->text says is a reason: an error unless that bit is allowed; bit 0 never is.  To allow it
 * is no advice where an error remains. */
static void refuse_for(struct refuser *f, unsigned bit, const char *where)
{
	bool allowed = bit && f->k->o->allow & bit;
	bool advise = bit && !f->told;
	const char *word = "";

	for (unsigned i = 0; bit && tm_allow_words[i]; i++)
		if (bit == 1u << i)
			word = tm_allow_words[i];
	if (allowed)
		tm_report_add(f->rep, TM_SEV_NOTE, where, 0, "%s", f->text.p ? f->text.p : "");
	else
		tm_report_add(f->rep, TM_SEV_ERROR, where, 0, "cannot be compared: %s%s%s%s",
		              f->text.p ? f->text.p : "", advise ? " (--allow " : "",
		              advise ? word : "", advise ? " to compare anyway)" : "");
	if (!allowed && !f->r->why) {
		if (f->told)
			tm_buf_fmt(&f->text, ": %s", f->told);
		f->r->why = f->text.p ? strdup(f->text.p) : NULL;
		f->ok &= f->r->why != NULL;
	}
	f->r->partial = !allowed && bit == TM_ALLOW_PARTIAL && (f->r->partial || !f->r->any);
	f->r->any |= !allowed;
	f->ok &= !f->text.failed;
	tm_buf_clear(&f->text);
}

/* A history has no sides. */
static const char *side_name(const struct tm_pairs *k, size_t run)
{
	return k->o->history ? "a run" : tm_pair_side_of(k, run) ? "B" : "A";
}

static void look_for_empty(struct refuser *f)
{
	for (size_t r = 0; r < f->k->nruns; r++) {
		const struct tm_digest *d = &f->k->runs[r];

		if (d->kernels)
			continue;
		tm_buf_fmt(&f->text, "%s has no kernels", side_name(f->k, r));
		refuse_for(f, 0, d->path);
	}
}

static void look_for_partial(struct refuser *f)
{
	for (size_t r = 0; r < f->k->nruns; r++) {
		const struct tm_digest *d = &f->k->runs[r];

		if (!d->broken || !d->kernels)
			continue;
		tm_buf_fmt(&f->text, "%s is incomplete", side_name(f->k, r));
		if (d->failed)
			f->told = d->broken;
		else
			tm_buf_fmt(&f->text, ": %s", d->broken);
		refuse_for(f, TM_ALLOW_PARTIAL, d->path);
		f->told = NULL;
	}
}

/* Each once, with the first run that it is the same as. */
static void look_for_self(struct refuser *f)
{
	for (size_t i = 1; i < f->k->nruns; i++)
		for (size_t k = 0; k < i; k++) {
			const struct tm_digest *a = &f->k->runs[k], *b = &f->k->runs[i];

			if (!tm_digest_same_run(a, b))
				continue;
			tm_buf_fmt(&f->text, "it is the same run as %s", a->path);
			f->r->same |= (f->k->o->allow & TM_ALLOW_SELF) != 0;
			refuse_for(f, TM_ALLOW_SELF, b->path);
			break;
		}
}

static void look_for_agents(struct refuser *f)
{
	const struct tm_digest *a = &f->k->runs[0];

	for (size_t r = 1; r < f->k->nruns; r++) {
		const struct tm_digest *b = &f->k->runs[r];
		bool totals = a->totals || b->totals;
		uint64_t x = totals ? a->kernel_gpus : a->agents,
		         y = totals ? b->kernel_gpus : b->agents;

		if (!x || !y || x == y)
			continue;
		tm_buf_fmt(&f->text, "%" PRIu64 " GPU%s busy here, %" PRIu64 " in %s", y,
		           y == 1 ? "" : "s", x, a->path);
		refuse_for(f, TM_ALLOW_AGENTS, b->path);
	}
}

/* ---- architectures ---- */

/* The version that kernels were built for, as their names say: "gfx942", or "ISA942" of Tensile;
 * all of them, ascending. */
struct built_for {
	uint64_t *v;
	size_t n, cap;
};

static bool add_built(struct built_for *b, uint64_t v)
{
	size_t i = 0;

	while (i < b->n && b->v[i] < v)
		i++;
	if (i < b->n && b->v[i] == v)
		return true;
	if (!tm_grow_array(&b->v, &b->cap, b->n + 1, sizeof *b->v))
		return false;
	memmove(b->v + i + 1, b->v + i, (b->n - i) * sizeof *b->v);
	b->v[i] = v;
	b->n++;
	return true;
}

static unsigned hex_of(char c)
{
	return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
	       : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
	                              : 16;
}

/* "942", "90a", "1100" after a mark: two hexadecimal digits after one or two decimal ones. */
static bool parse_version(const char *p, uint64_t *v)
{
	size_t n = 0;
	uint64_t major;

	while (n < 5 && hex_of(p[n]) < 16)
		n++;
	if (n < 3 || n > 4 || !tm_num_u64(p, n - 2, &major) || !major)
		return false;
	*v = major * 10000 + hex_of(p[n - 2]) * 100 + hex_of(p[n - 1]);
	return true;
}

static bool find_built(const struct tm_digest *d, struct built_for *b)
{
	static const char *const marks[] = { "gfx", "_ISA" };
	uint64_t v;

	for (size_t i = 0; i < d->n; i++)
		for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
			const char *text = d->names.v[d->v[i].name].text,
			           *p = strstr(text, marks[m]);

			if (d->v[i].domain == TM_DOMAIN_KERNEL && p &&
			    parse_version(p + strlen(marks[m]), &v) && !add_built(b, v))
				return false;
		}
	return true;
}

static bool disjoint(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
	for (size_t i = 0; i < na; i++)
		for (size_t k = 0; k < nb; k++)
			if (a[i] == b[k])
				return false;
	return na && nb;
}

/* Of all runs beside the first: other GPUs, or, where the GPUs are not known, kernels built for
 * others. */
static bool look_for_arch(struct refuser *f)
{
	const struct tm_digest *a = &f->k->runs[0];
	struct built_for x = { 0 };
	bool ok = find_built(a, &x);

	for (size_t r = 1; ok && r < f->k->nruns; r++) {
		const struct tm_digest *b = &f->k->runs[r];
		struct built_for y = { 0 };
		bool gpus = a->ngfx && b->ngfx;

		ok = find_built(b, &y);
		if (ok && (gpus ? disjoint(a->gfx, a->ngfx, b->gfx, b->ngfx)
		                : disjoint(x.v, x.n, y.v, y.n))) {
			tm_buf_str(&f->text, gpus ? "it ran on " : "its kernels are built for ");
			tm_gpu_put_gfx(&f->text, gpus ? b->gfx[0] : y.v[0]);
			tm_buf_str(&f->text, ", and not ");
			tm_gpu_put_gfx(&f->text, gpus ? a->gfx[0] : x.v[0]);
			tm_buf_fmt(&f->text, " as %s", a->path);
			refuse_for(f, TM_ALLOW_ARCH, b->path);
		}
		free(y.v);
	}
	free(x.v);
	return ok;
}

static void look_for_common(struct refuser *f)
{
	size_t matched = 0;

	for (size_t i = 0; i < f->k->n; i++)
		matched += tm_pair_matched(&f->k->v[i]);
	if (matched || f->r->any)
		return;
	tm_buf_str(&f->text, "no kernel is in both A and B");
	refuse_for(f, 0, NULL);
}

bool tm_refuse(struct tm_refusal *r, const struct tm_pairs *kernels, struct tm_report *rep)
{
	struct refuser f = { .r = r, .k = kernels, .rep = rep, .ok = true };

	look_for_empty(&f);
	look_for_partial(&f);
	look_for_self(&f);
	look_for_agents(&f);
	f.ok &= look_for_arch(&f);
	look_for_common(&f);
	tm_buf_fini(&f.text);
	return f.ok;
}
