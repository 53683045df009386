/* SPDX-License-Identifier: MIT
 * Several ranks in one trace, as tracks/tracks.h writes them: each is a sequence of packets, one
 * behind the other, and its process is called "rank N". */
#include "read/merged.h"
#include "read/pftrace/pftrace_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number behind "rank "; false when there is none. */
static bool rank_of(struct tm_span name, uint64_t *rank)
{
	size_t n = 5;

	if (name.n <= n || memcmp(name.p, "rank ", n) != 0)
		return false;
	while (n < name.n && name.p[n] >= '0' && name.p[n] <= '9')
		n++;
	return tm_num_u64(name.p + 5, n - 5, rank);
}

/* The host behind that word. */
static struct tm_span host_of(struct tm_span about)
{
	const size_t n = strlen(TM_MERGED_HOST);
	const unsigned char *p = about.p ? memmem(about.p, about.n, TM_MERGED_HOST, n) : NULL;

	return p ? (struct tm_span) { p + n, about.n - (size_t)(p - about.p) - n }
	         : (struct tm_span) { 0 };
}

static const char *keep(struct pf *f, const char *p, size_t n)
{
	uint32_t id = tm_names_add(&f->host, p, n);

	return id == TM_NAME_NONE ? NULL : f->host.v[id].text;
}

bool tm_pf_add_process(struct pf *f, const struct pf_description *d)
{
	struct tm_origin o = { .id.format = f->r->ops->name,
		               .id.table = f->r->table,
		               .id.producer = "tracemill",
		               .id.rule = TM_RANK_TRACE,
		               .live = true };
	const struct tm_span host = host_of(d->about);
	struct tm_buf b = { 0 };
	uint64_t size;
	int fd;

	if (!rank_of(d->process_name, &o.id.rank))
		return true;
	if (tm_source_regular(f->r->src, &fd, &size))
		o.id.bytes = size;
	tm_buf_fmt(&b, "%s:rank %" PRIu64, tm_source_name(f->r->src), o.id.rank);
	o.id.path = o.id.run = b.failed ? NULL : keep(f, b.p, b.n);
	o.id.host = host.n ? keep(f, (const char *)host.p, host.n) : NULL;
	tm_buf_fini(&b);
	if (!o.id.path || (host.n && !o.id.host) ||
	    !tm_grow_array(&f->origin, &f->origin_cap, f->norigins + 1, sizeof *f->origin))
		return false;
	f->origin[f->norigins++] = o;
	return true;
}

bool tm_pf_know_ranks(struct pf *f)
{
	struct tm_reader *r = f->r;

	if (f->norigins == 1) {
		r->has_rank = true;
		r->rank = f->origin->id.rank;
		return !f->origin->id.host ||
		       tm_reader_host(r, f->origin->id.host, strlen(f->origin->id.host));
	}
	r->origins = r->origin = f->origin;
	r->norigins = f->norigins;
	return true;
}

/* What was lost of the rank at hand. */
static void end_rank(struct pf *f)
{
	struct tm_reader *r = f->r;

	f->origin[r->origin - r->origins].loss = r->loss;
	r->loss = (struct tm_loss) { 0 };
}

void tm_pf_next_rank(struct pf *f, size_t nth)
{
	end_rank(f);
	f->r->origin = &f->r->origins[nth];
}

void tm_pf_end_ranks(struct pf *f)
{
	if (!f->r->norigins || f->ended)
		return;
	end_rank(f);
	f->ended = true;
	/* All together, for who does not ask for ranks. */
	for (size_t i = 0; i < f->norigins; i++)
		tm_loss_add(&f->r->loss, &f->origin[i].loss, 0);
}

void tm_pf_free_ranks(struct pf *f)
{
	free(f->origin);
	tm_names_fini(&f->host);
}
