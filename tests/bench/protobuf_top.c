/* SPDX-License-Identifier: MIT
 * protobuf_top - what a careful C programmer gets from protobuf-c in an afternoon: every packet of
 * a Perfetto trace unpacked by schemas/perfetto.proto into an arena that is emptied for the next.
 *
 * Groups the kernels of a trace as gen_pftrace writes it (one sequence, texts interned, times in
 * annotations) and prints name,calls,total_ns,min_ns,max_ns as CSV, most time first.  Shares no
 * code with the reader of tracemill. */
#include "gen/perfetto.pb-c.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 1 << 20, PACKET = 1 << 20, ARENA = 8 << 20, HEAD = 11, BEGIN = 1 };

struct text {
	char *p;
	size_t n;
	uint64_t calls, total, min, max; /* of the kernel of that name */
};

/* Interned texts by number: names of events, categories, names of annotations. */
static struct table {
	struct text *v;
	size_t n;
} names, cats, notes;

static struct {
	unsigned char *p;
	size_t n;
} arena;

static uint64_t kernel_cat, begin_note, end_note;

static void die(const char *what)
{
	fprintf(stderr, "protobuf_top: %s\n", what);
	exit(2);
}

static void *check(void *p)
{
	if (!p)
		die("out of memory");
	return p;
}

static void *take(void *unused, size_t n)
{
	void *p = arena.p + arena.n;

	(void)unused;
	n = (n + 15) & ~(size_t)15;
	if (n > ARENA - arena.n)
		return NULL;
	arena.n += n;
	return p;
}

static void give(void *unused, void *p)
{
	(void)unused;
	(void)p;
}

static void intern(struct table *t, const Tm__InternedText *e)
{
	struct text *x;

	if (e->iid > 1 << 24)
		die("a number that gen_pftrace does not write");
	if (e->iid >= t->n) {
		size_t n = 2 * (size_t)e->iid + 64;

		t->v = check(realloc(t->v, n * sizeof *t->v));
		memset(t->v + t->n, 0, (n - t->n) * sizeof *t->v);
		t->n = n;
	}
	x = &t->v[e->iid];
	*x = (struct text) { .p = check(malloc(e->text.len + 1)), .n = e->text.len };
	memcpy(x->p, e->text.data, e->text.len);
	x->p[x->n] = '\0';
}

static void learn(const Tm__InternedData *d)
{
	for (size_t i = 0; i < d->n_event_names; i++)
		intern(&names, d->event_names[i]);
	for (size_t i = 0; i < d->n_event_categories; i++) {
		intern(&cats, d->event_categories[i]);
		if (!strcmp(cats.v[d->event_categories[i]->iid].p, "kernel_dispatch"))
			kernel_cat = d->event_categories[i]->iid;
	}
	for (size_t i = 0; i < d->n_debug_annotation_names; i++) {
		uint64_t iid = d->debug_annotation_names[i]->iid;

		intern(&notes, d->debug_annotation_names[i]);
		if (!strcmp(notes.v[iid].p, "begin_ns"))
			begin_note = iid;
		else if (!strcmp(notes.v[iid].p, "end_ns"))
			end_note = iid;
	}
}

static void count(const Tm__TrackEvent *e)
{
	uint64_t start = 0, end = 0, ns;
	struct text *k;

	if (e->type != BEGIN || !e->n_category_iids || !kernel_cat ||
	    e->category_iids[0] != kernel_cat || e->name_iid >= names.n)
		return;
	for (size_t i = 0; i < e->n_debug_annotations; i++) {
		const Tm__DebugAnnotation *a = e->debug_annotations[i];

		if (a->name_iid == begin_note)
			start = a->uint_value;
		else if (a->name_iid == end_note)
			end = a->uint_value;
	}
	k = &names.v[e->name_iid];
	ns = end - start;
	k->min = k->calls++ && k->min < ns ? k->min : ns;
	k->max = k->max > ns ? k->max : ns;
	k->total += ns;
}

static void packet(const unsigned char *p, size_t n)
{
	static ProtobufCAllocator in_arena = { .alloc = take, .free = give };
	const Tm__TracePacket *k;

	arena.n = 0;
	k = tm__trace_packet__unpack(&in_arena, n, p);
	if (!k)
		die("a packet that protobuf-c does not unpack");
	if (k->interned_data)
		learn(k->interned_data);
	if (k->track_event)
		count(k->track_event);
}

/* Bytes of the packet's head at p, and *len of the packet; 0 = more are needed. */
static size_t head(const unsigned char *p, size_t n, size_t *len)
{
	size_t i = 1;

	*len = 0;
	if (n && *p != 0x0a)
		die("not a packet");
	for (unsigned shift = 0; i < n && i < HEAD; shift += 7) {
		*len |= (size_t)(p[i] & 0x7f) << shift;
		if (!(p[i++] & 0x80))
			return i;
	}
	return 0;
}

static int by_total(const void *a, const void *b)
{
	const struct text *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x->p && y->p ? strcmp(x->p, y->p) : 0;
}

static void print_kernels(void)
{
	qsort(names.v, names.n, sizeof *names.v, by_total);
	puts("name,calls,total_ns,min_ns,max_ns");
	for (size_t i = 0; i < names.n && names.v[i].calls; i++) {
		const struct text *k = &names.v[i];

		csv_fwrite(stdout, k->p, k->n);
		printf(",%llu,%llu,%llu,%llu\n", (unsigned long long)k->calls,
		       (unsigned long long)k->total, (unsigned long long)k->min,
		       (unsigned long long)k->max);
	}
}

int main(int argc, char **argv)
{
	static unsigned char window[WINDOW + PACKET];
	size_t n = 0;
	ssize_t got;
	int fd;

	if (argc != 2)
		die("usage: protobuf_top FILE");
	arena.p = check(malloc(ARENA));
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die(strerror(errno));
	while ((got = read(fd, window + n, sizeof window - n)) > 0) {
		size_t at = 0, len, h;

		n += (size_t)got;
		while (at < n && (h = head(window + at, n - at, &len)) && len <= n - at - h) {
			packet(window + at + h, len);
			at += h + len;
		}
		if (!at && n == sizeof window)
			die("a packet longer than gen_pftrace writes");
		memmove(window, window + at, n - at);
		n -= at;
	}
	if (got < 0)
		die(strerror(errno));
	if (n)
		die("the file ends in a packet");
	print_kernels();
	close(fd);
	return 0;
}
