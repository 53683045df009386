/* SPDX-License-Identifier: MIT
 * Perfetto traces: what rocprofv3, rocprofv2's perfetto plugin, rocprof-sys, omnitrace and `rocpd
 * convert` write.  A file is "0x0A <varint length> <TracePacket>" again and again, nothing else:
 * two files one after the other are a file.
 *
 * Packets are taken from a window that slides over the input, or over a bundle of compressed
 * packets in it; memory does not grow with the number of events. */
#include "io/io.h"
#include "read/drawn.h"
#include "read/pftrace/pftrace_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WINDOW = 256 * 1024,
	PACKET_MAX = 32 * 1024 * 1024, /* a longer packet is taken for a damaged length */
	BID_BYTES = 4096,
	BID_PACKETS = 8,
	CHECK_FIELDS = 32, /* of a packet, when looking for one amid damage */
	UNKNOWN = 8,       /* fields that are no packets, one after the other */
};

/* ---- is this a packet? ---- */

/* Wire type of a field of TracePacket that every trace may have, or -1. */
static int known_type(uint32_t number)
{
	switch (number) {
	case 3:  /* trusted_uid */
	case 8:  /* timestamp */
	case 10: /* trusted_packet_sequence_id */
	case 13: /* sequence_flags */
	case 41: /* incremental_state_cleared */
	case 42: /* previous_packet_dropped */
	case 58: /* timestamp_clock_id */
	case 79: /* trusted_pid */
	case 87: /* first_packet_on_sequence */
	case 98: /* machine_id */
		return WIRE_VARINT;
	case 6:   /* clock_snapshot */
	case 11:  /* track_event */
	case 12:  /* interned_data */
	case 33:  /* trace_config */
	case 35:  /* trace_stats */
	case 36:  /* synchronization_marker */
	case 43:  /* process_descriptor */
	case 44:  /* thread_descriptor */
	case 45:  /* system_info */
	case 50:  /* compressed_packets */
	case 59:  /* trace_packet_defaults */
	case 60:  /* track_descriptor */
	case 69:  /* service_event */
	case 89:  /* trace_uuid */
	case 133: /* zstd_compressed_packets */
		return WIRE_BYTES;
	default:
		return -1;
	}
}

/* Known fields among the first ones of a packet; -1 when it is none.  `whole`: all of it is there.
 */
static int plausible(struct tm_span m, bool whole)
{
	struct wire w = wire_of(m);
	struct wire_field fd = { 0 };
	int known = 0, more = 0;

	for (int i = 0; i < CHECK_FIELDS && (more = wire_next(&w, &fd)) > 0; i++) {
		int type = known_type(fd.tag >> 3);

		if ((type >= 0 && type != (int)(fd.tag & 7)) || fd.tag >> 3 > 2000)
			return -1;
		known += type >= 0;
	}
	/* Cut off by the end of what is seen: a last field that is known and began well counts. */
	if (more < 0)
		return whole || known_type(fd.tag >> 3) != (int)(fd.tag & 7) ? -1 : known + 1;
	return known;
}

/* No text has such bytes, every packet has. */
static bool binary(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < ' ' && !memchr("\t\n\v\f\r\033", p[i], 6))
			return true;
	return false;
}

static unsigned pftrace_bid(const unsigned char *bytes, size_t n, bool whole)
{
	unsigned char copy[BID_BYTES + WIRE_PAD] = { 0 };
	size_t at = 0, seen = n < BID_BYTES ? n : BID_BYTES;
	unsigned known = 0;

	memcpy(copy, bytes, seen);
	whole = whole && n <= BID_BYTES;
	if (!binary(copy, seen))
		return 0;
	while (at < seen && at < 8 && !copy[at])
		at++;
	for (int i = 0; i < BID_PACKETS && at < seen; i++) {
		const unsigned char *p = copy + at;
		uint64_t len;
		size_t left;
		int k;

		/* What is no packet counts for nothing, and is passed over after one. */
		if (*p != PF_PACKET_TAG && known) {
			struct wire w = { p, copy + seen };
			struct wire_field fd;

			if (wire_next(&w, &fd) <= 0)
				return whole ? 0 : 8 * known;
			at = (size_t)(w.p - copy);
			continue;
		}
		if (*p != PF_PACKET_TAG || !(p = wire_varint(p + 1, &len)) || len > PACKET_MAX)
			return 0;
		if (p > copy + seen)
			break;
		left = seen - (size_t)(p - copy);
		k = plausible((struct tm_span) { p, len < left ? (size_t)len : left }, len <= left);
		if (k < 0)
			return 0;
		known += (unsigned)k;
		if (len > left)
			break;
		at = (size_t)(p - copy) + (size_t)len;
		while (at < seen && !copy[at])
			at++;
	}
	return 8 * known;
}

/* ---- windows ---- */

/* What a range reads, it reads at its place. */
static enum tm_status fill_from_file(struct pftrace *t, struct tm_window *w)
{
	size_t n = w->cap - w->end < WINDOW ? w->cap - w->end : WINDOW;
	ssize_t k;

	do
		k = pread(t->fd, w->p + w->end, n, (off_t)(w->base + w->end));
	while (k < 0 && errno == EINTR);
	if (k > 0) {
		w->end += (size_t)k;
		return TM_ST_OK;
	}
	w->eof = true;
	if (k < 0) {
		t->broken = true;
		tm_diag_set(&t->why, 0, "cannot read: %s", strerror(errno));
	}
	return TM_ST_END;
}

static enum tm_status fill_from_source(struct pftrace *t, struct tm_window *w)
{
	struct tm_diag why = { 0 };
	size_t got;

	if (t->range)
		return fill_from_file(t, w);
	if (tm_source_read(t->f.r->src, w->p + w->end, w->cap - w->end, &got, &why) == TM_ST_OK) {
		w->end += got;
		return TM_ST_OK;
	}
	w->eof = true;
	if (why.text[0]) {
		t->broken = true;
		t->why = why;
	}
	return TM_ST_END;
}

static enum tm_status fill_from_bundle(struct pftrace *t, struct tm_window *w)
{
	size_t got;
	enum tm_status st = tm_inflate_read(t->z, w->p + w->end, w->cap - w->end, &got, &t->why);

	if (st == TM_ST_FATAL)
		return st;
	w->end += got;
	w->eof = st != TM_ST_OK;
	if (st == TM_ST_SKIP) {
		tm_loss_count(&t->f.r->loss, TM_LOSS_COMPRESSED, 1, t->f.at);
		t->bundle_torn = true;
	}
	return st == TM_ST_OK ? TM_ST_OK : TM_ST_END;
}

/* `need` bytes from w->at on, or as many as there are.  TM_ST_FATAL when out of memory.  The window
 * grows with what has come, not with what a length claims. */
static enum tm_status have(struct pftrace *t, struct tm_window *w, size_t need)
{
	while (w->end - w->at < need && !w->eof) {
		enum tm_status st;

		if (!w->keep && w->at && (w->at == w->end || w->end == w->cap)) {
			memmove(w->p, w->p + w->at, w->end - w->at);
			w->base += w->at;
			w->end -= w->at;
			w->at = 0;
		}
		if (w->end == w->cap) {
			size_t cap = w->cap ? 2 * w->cap : WINDOW;
			unsigned char *p = realloc(w->p, cap + WIRE_PAD);

			if (!p) {
				tm_diag_oom(&t->why);
				return TM_ST_FATAL;
			}
			memset(p + cap, 0, WIRE_PAD);
			w->p = p;
			w->cap = cap;
		}
		st = w == &t->in ? fill_from_source(t, w) : fill_from_bundle(t, w);
		/* Bytes after the end are looked at (WIRE_PAD), so they shall have a value. */
		memset(w->p + w->end, 0,
		       WIRE_PAD < w->cap + WIRE_PAD - w->end ? WIRE_PAD
		                                             : w->cap + WIRE_PAD - w->end);
		if (st == TM_ST_FATAL)
			return st;
	}
	return TM_ST_OK;
}

/* The byte after a packet: can another one begin there? */
static bool seam(const struct tm_window *w, size_t at)
{
	return at == w->end || w->p[at] == PF_PACKET_TAG || !w->p[at];
}

/* A damaged stretch begins at w->at: go to the next thing that looks like a packet, or to the end.
 */
static enum tm_status resync(struct pftrace *t, struct tm_window *w)
{
	tm_loss_count(&t->f.r->loss, TM_LOSS_DAMAGED, 1, w == &t->in ? w->base + w->at : t->f.at);
	w->at++;
	for (;;) {
		const unsigned char *p;
		uint64_t len;
		size_t head;

		if (have(t, w, PF_HEADER) == TM_ST_FATAL)
			return TM_ST_FATAL;
		p = w->end > w->at ? memchr(w->p + w->at, PF_PACKET_TAG, w->end - w->at) : NULL;
		if (!p) {
			w->at = w->end;
			if (w->eof)
				return TM_ST_END;
			continue;
		}
		w->at = (size_t)(p - w->p);
		if (have(t, w, PF_HEADER) == TM_ST_FATAL)
			return TM_ST_FATAL;
		p = wire_varint(w->p + w->at + 1, &len);
		head = p ? (size_t)(p - w->p) - w->at : 0;
		if (p && len && len <= PACKET_MAX) {
			if (have(t, w, head + (size_t)len + 1) == TM_ST_FATAL)
				return TM_ST_FATAL;
			if (w->end - w->at >= head + len &&
			    plausible((struct tm_span) { w->p + w->at + head, (size_t)len }, true) >
			            0 &&
			    seam(w, w->at + head + (size_t)len))
				return TM_ST_OK;
		}
		w->at++;
	}
}

/* Bytes of the field at w->at + off, which is no packet; 0 = it is no field.  TM_ST_FATAL when out
 * of memory. */
static enum tm_status unknown_field(struct pftrace *t, struct tm_window *w, size_t off, size_t *n)
{
	const unsigned char *p;
	uint64_t tag, len = 0;

	*n = 0;
	if (have(t, w, off + PF_HEADER) == TM_ST_FATAL)
		return TM_ST_FATAL;
	p = wire_varint(w->p + w->at + off, &tag);
	if (!p || tag < 8 || tag > UINT32_MAX)
		return TM_ST_OK;
	switch (tag & 7) {
	case WIRE_VARINT:
	case WIRE_BYTES:
		p = wire_varint(p, &len);
		if (!p || ((tag & 7) == WIRE_BYTES && len > PACKET_MAX))
			return TM_ST_OK;
		len = (tag & 7) == WIRE_BYTES ? len : 0;
		break;
	case WIRE_I64:
		len = 8;
		break;
	case WIRE_I32:
		len = 4;
		break;
	default:
		return TM_ST_OK;
	}
	len += (size_t)(p - w->p) - w->at - off;
	if (have(t, w, off + (size_t)len + 1) == TM_ST_FATAL)
		return TM_ST_FATAL;
	if (w->end - w->at >= off + len)
		*n = (size_t)len;
	return TM_ST_OK;
}

/* Fields of the file that are no packets: skip them.  A few of them and then a packet or the end;
 * anything else is damage (TM_ST_SKIP). */
static enum tm_status skip_unknown(struct pftrace *t, struct tm_window *w)
{
	size_t off = 0, n;

	for (int i = 0; i < UNKNOWN; i++) {
		if (unknown_field(t, w, off, &n) == TM_ST_FATAL)
			return TM_ST_FATAL;
		if (!n)
			return TM_ST_SKIP;
		off += n;
		if (seam(w, w->at + off)) {
			w->at += off;
			return TM_ST_OK;
		}
	}
	return TM_ST_SKIP;
}

static void cut(struct pftrace *t, struct tm_window *w)
{
	if (w == &t->in && !t->broken)
		tm_loss_count(&t->f.r->loss, TM_LOSS_CUT, w->end - w->at, w->base + w->at);
	else if (w != &t->in && !t->bundle_torn)
		tm_loss_count(&t->f.r->loss, TM_LOSS_DAMAGED, 1, t->f.at);
	w->at = w->end;
}

enum tm_status tm_pf_frame(struct pftrace *t, struct tm_window *w, struct tm_span *m)
{
	for (;;) {
		const unsigned char *p;
		enum tm_status st = TM_ST_OK;
		uint64_t tag, len;
		size_t head;

		if (w->end - w->at < PF_HEADER && have(t, w, PF_HEADER) == TM_ST_FATAL)
			return TM_ST_FATAL;
		if (w->at == w->end)
			return TM_ST_END;
		if (!w->p[w->at]) { /* padding: rocprof-sys leaves a NUL byte after its data */
			w->at++;
			continue;
		}
		p = wire_varint(w->p + w->at, &tag);
		if (p && tag == PF_PACKET_TAG && (p = wire_varint(p, &len)) && len <= PACKET_MAX) {
			head = (size_t)(p - w->p) - w->at;
			if (w->end - w->at < head + len &&
			    have(t, w, head + (size_t)len) == TM_ST_FATAL)
				return TM_ST_FATAL;
			if (w->end - w->at < head + len) {
				cut(t, w);
				return TM_ST_END;
			}
			*m = (struct tm_span) { w->p + w->at + head, (size_t)len };
			if (w == &t->in)
				t->f.at = w->base + w->at;
			w->at += head + (size_t)len;
			return TM_ST_OK;
		}
		if (w->eof && w->end - w->at < PF_HEADER) {
			cut(t, w);
			return TM_ST_END;
		}
		st = p && tag != PF_PACKET_TAG ? skip_unknown(t, w) : TM_ST_SKIP;
		if (st == TM_ST_SKIP)
			st = resync(t, w);
		if (st != TM_ST_OK)
			return st;
	}
}

/* ---- bundles and ranks ---- */

static enum tm_status open_bundle(struct pftrace *t, const struct pf_packet *k)
{
	if (t->inside) { /* they never hold one another */
		tm_loss_count(&t->f.r->loss, TM_LOSS_DAMAGED, 1, t->f.at);
		return TM_ST_OK;
	}
	if (!t->z)
		t->z = tm_inflate_new();
	if (!t->z) {
		tm_diag_oom(&t->why);
		return TM_ST_FATAL;
	}
	t->bundle.at = t->bundle.end = 0;
	t->bundle.eof = t->bundle_torn = false;
	t->bundled = true;
	t->inside = true;
	return tm_inflate_start(t->z, k->zstd ? TM_INFLATE_ZSTD : TM_INFLATE_ZLIB, k->bundle.p,
	                        k->bundle.n, &t->why);
}

/* Does the packet belong to a rank after that at hand?  Of one before it nothing is expected. */
static bool other_rank(const struct pftrace *t, const struct pf_packet *k)
{
	const struct tm_reader *r = t->f.r;

	return r->norigins && k->seq >= TM_DRAWN_FIRST_RANK &&
	       k->seq - TM_DRAWN_FIRST_RANK<r->norigins && &
	                                    r->origins[k->seq - TM_DRAWN_FIRST_RANK]>
	                        r->origin;
}

/* Plain packets of the file, at most `room` of them and as long as no row waits: nearly all of a
 * trace goes through here.  TM_ST_SKIP when the next one is not plain, or not in the window. */
static enum tm_status run_plain(struct pftrace *t, size_t room)
{
	struct tm_window *w = &t->in;
	struct pf_plain k;

	if (t->inside || t->f.r->norigins)
		return TM_ST_SKIP;
	do {
		const unsigned char *p, *m;
		uint64_t len;

		if (w->end - w->at < PF_HEADER || w->base + w->at >= t->limit)
			return TM_ST_SKIP;
		p = w->p + w->at;
		if (*p != PF_PACKET_TAG || !(m = wire_varint(p + 1, &len)) ||
		    len > (size_t)(w->p + w->end - m) ||
		    !tm_pf_read_plain(&k, &t->plain, (struct tm_span) { m, (size_t)len }))
			return TM_ST_SKIP;
		t->f.at = w->base + w->at;
		w->at = (size_t)(m - w->p) + (size_t)len;
		if (!tm_pf_take_plain(&t->f, &k)) {
			tm_diag_oom(&t->why);
			return TM_ST_FATAL;
		}
	} while (--room && !t->f.due.n && !t->f.late.n);
	return TM_ST_OK;
}

/* One packet, or the end. */
static enum tm_status step(struct pftrace *t)
{
	struct pf_packet k;
	struct tm_span m;
	enum tm_status st = tm_pf_frame(t, t->inside ? &t->bundle : &t->in, &m);

	if (st == TM_ST_END && t->inside) {
		t->inside = false;
		return TM_ST_OK;
	}
	if (st == TM_ST_END) {
		t->done = true;
		st = TM_ST_OK;
		if (!tm_pf_end(&t->f) || (t->range && !tm_pf_range_ended(t, UINT64_MAX)))
			st = TM_ST_FATAL;
	} else if (st == TM_ST_OK && !tm_pf_read_packet(&k, m)) {
		t->edge = PF_EDGE_OTHER;
		tm_loss_count(&t->f.r->loss, TM_LOSS_DAMAGED, 1, t->f.at);
	} else if (st == TM_ST_OK && !t->inside && t->f.at >= t->limit && tm_pf_edge(t, &k) &&
	           tm_pf_range_may_end(t)) {
		t->done = true;
		st = tm_pf_range_ended(t, t->f.at) ? TM_ST_OK : TM_ST_FATAL;
	} else if (st == TM_ST_OK) {
		if (k.bundle.p && open_bundle(t, &k) != TM_ST_OK)
			return TM_ST_FATAL;
		if (other_rank(t, &k)) {
			t->held = k;
			t->holding = true;
			return TM_ST_OK;
		}
		if (!tm_pf_take_packet(&t->f, &k))
			st = TM_ST_FATAL;
	}
	if (st == TM_ST_FATAL)
		tm_diag_oom(&t->why);
	return st;
}

/* ---- the reader ---- */

/* The descriptor in the packet `*at` bytes after what has been read, and where the next packet is.
 * TM_ST_END: there is none. */
static enum tm_status look_ahead(struct pftrace *t, size_t *at, struct pf_description *d)
{
	struct tm_window *w = &t->in;
	const unsigned char *p;
	struct pf_packet k;
	uint64_t len;
	size_t head;

	if (have(t, w, *at + PF_HEADER) == TM_ST_FATAL)
		return TM_ST_FATAL;
	if (w->end - w->at < *at + PF_HEADER || w->p[w->at + *at] != PF_PACKET_TAG ||
	    !(p = wire_varint(w->p + w->at + *at + 1, &len)) || len > PACKET_MAX)
		return TM_ST_END;
	head = (size_t)(p - w->p) - w->at - *at;
	if (have(t, w, *at + head + (size_t)len) == TM_ST_FATAL)
		return TM_ST_FATAL;
	if (w->end - w->at < *at + head + len ||
	    !tm_pf_read_packet(&k, (struct tm_span) { w->p + w->at + *at + head, (size_t)len }) ||
	    !k.descriptor.p || k.event.p)
		return TM_ST_END;
	*at += head + (size_t)len;
	return tm_pf_unpack_descriptor(&t->f, k.descriptor, d) == TM_ST_OK ? TM_ST_OK : TM_ST_END;
}

/* Which ranks there are, in a trace that tracemill wrote: it begins with the root, a track that
 * says so, and the processes.  Nothing is consumed.  False when out of memory. */
static bool find_ranks(struct pftrace *t)
{
	struct tm_drawn *m = &t->f.ranks;
	struct pf_description d;
	enum tm_status st;
	bool is_rank;
	size_t at = 0;

	for (int i = 0; (st = look_ahead(t, &at, &d)) == TM_ST_OK; i++) {
		if (i == 1 && (d.about.n != strlen(TM_DRAWN_MARK) ||
		               memcmp(d.about.p, TM_DRAWN_MARK, d.about.n) != 0))
			return true;
		if (i > 1 && !d.process_name.p)
			break;
		if (i > 1 &&
		    !tm_drawn_add(m, t->f.r, (const char *)d.process_name.p, d.process_name.n,
		                  (const char *)d.about.p, d.about.n, &is_rank))
			return false;
	}
	t->f.drawn = m->n > 0;
	if (st == TM_ST_FATAL)
		return false;
	/* Without ranks it may be somebody else's, cut short. */
	return !t->f.drawn || tm_drawn_know(m, t->f.r, &t->f.out[PF_OUT_AGENT]);
}

static enum tm_status pftrace_open(struct tm_reader *r, struct tm_diag *d)
{
	struct pftrace *t = r->priv;

	r->table = "Perfetto trace";
	t->limit = UINT64_MAX;
	t->ranges = tm_pf_ranges_new();
	if (t->ranges && tm_pf_init(&t->f, r) && find_ranks(t))
		return TM_ST_OK;
	tm_diag_oom(d);
	return TM_ST_FATAL;
}

/* All of a rank has been given out: on with the packet that was held.  False when out of memory. */
static bool go_on(struct pftrace *t)
{
	t->holding = false;
	return tm_drawn_next(&t->f.ranks, t->f.r, t->held.seq - TM_DRAWN_FIRST_RANK,
	                     &t->f.out[PF_OUT_AGENT]) &&
	       tm_pf_take_packet(&t->f, &t->held);
}

static enum tm_status pftrace_next(struct tm_reader *r, const struct tm_batch **b,
                                   struct tm_diag *d)
{
	struct pftrace *t = r->priv;
	enum tm_status st;
	size_t room;

	while (!t->dead && (room = tm_pf_room(&t->f)) > 0 &&
	       !(t->done && t->f.due.at == t->f.due.n)) {
		if (t->f.due.n || t->f.late.n) {
			if (!tm_pf_drain(&t->f)) {
				tm_diag_oom(&t->why);
				t->dead = true;
				break;
			}
			room = tm_pf_room(&t->f);
			if (!room || t->done)
				continue;
		}
		if (t->holding && tm_ev_rows_any(t->f.out, PF_OUTS))
			break;
		if (t->holding && !go_on(t)) {
			tm_diag_oom(&t->why);
			t->dead = true;
		} else if (!t->dead) {
			enum tm_status plain = run_plain(t, room);

			if (plain == TM_ST_FATAL || (plain == TM_ST_SKIP && step(t) == TM_ST_FATAL))
				t->dead = true;
		}
	}
	st = tm_ev_rows_next(t->f.out, PF_OUTS, &r->names, t->dead || t->broken ? &t->why : NULL, b,
	                     d);
	r->stop = t->in.base + t->in.at;
	if (st == TM_ST_OK) {
		r->loss.rows += (*b)->n;
	} else if (t->range) {
		r->stop = st == TM_ST_END ? t->stopped : UINT64_MAX;
	} else {
		r->producer = tm_pf_producer(&t->f);
		tm_drawn_end(&t->f.ranks, r);
	}
	return st;
}

static void pftrace_close(struct tm_reader *r)
{
	struct pftrace *t = r->priv;

	if (!t->range)
		tm_pf_ranges_free(t->ranges);
	tm_drawn_fini(&t->f.ranks);
	tm_pf_fini(&t->f);
	tm_inflate_free(t->z);
	tm_pf_range_window(t);
	free(t->in.p);
	free(t->bundle.p);
}

const struct tm_reader_ops tm_reader_pftrace = {
	.name = "pftrace",
	.about = "Perfetto trace of rocprofv3, rocprofv2, rocprof-sys, omnitrace or rocpd convert",
	.bid = pftrace_bid,
	.ranks = true,
	.priv_size = sizeof(struct pftrace),
	.open = pftrace_open,
	.next = pftrace_next,
	.close = pftrace_close,
	.mixed = true,
	.ahead = 23,
	.splits = tm_pftrace_splits,
	.split = tm_pftrace_split,
	.joined = tm_pftrace_joined,
};
