/* SPDX-License-Identifier: MIT
 * Packets: their fields, and what of a packet goes where. */
#include "read/pftrace/pftrace_parts.h"

#include <inttypes.h>
#include <stdio.h>

bool tm_pf_read_packet(struct pf_packet *k, struct tm_span m)
{
	struct wire w = wire_of(m);
	struct wire_field fd;
	int more;

	*k = (struct pf_packet) { 0 };
	while ((more = wire_next(&w, &fd)) > 0) {
		switch (fd.tag) {
		case WIRE_TAG(8, WIRE_VARINT):
			k->time.ts = fd.v;
			k->time.has_ts = true;
			break;
		case WIRE_TAG(58, WIRE_VARINT):
			k->time.clock = (uint32_t)fd.v;
			k->time.has_clock = true;
			break;
		case WIRE_TAG(10, WIRE_VARINT):
			k->seq = (uint32_t)fd.v;
			break;
		case WIRE_TAG(98, WIRE_VARINT):
			k->machine = (uint32_t)fd.v;
			break;
		case WIRE_TAG(13, WIRE_VARINT):
			k->cleared |= fd.v & 1;
			break;
		case WIRE_TAG(41, WIRE_VARINT):
			k->cleared |= fd.v != 0;
			break;
		case WIRE_TAG(42, WIRE_VARINT):
			k->dropped = fd.v != 0;
			break;
		case WIRE_TAG(87, WIRE_VARINT):
			k->first = fd.v != 0;
			break;
		case WIRE_TAG(11, WIRE_BYTES):
			k->event = wire_span(&fd);
			break;
		case WIRE_TAG(12, WIRE_BYTES):
			k->interned = wire_span(&fd);
			break;
		case WIRE_TAG(59, WIRE_BYTES):
			k->defaults = wire_span(&fd);
			break;
		case WIRE_TAG(6, WIRE_BYTES):
			k->snapshot = wire_span(&fd);
			break;
		case WIRE_TAG(60, WIRE_BYTES):
			k->descriptor = wire_span(&fd);
			break;
		case WIRE_TAG(33, WIRE_BYTES):
			k->config = true;
			break;
		case WIRE_TAG(35, WIRE_BYTES):
			k->stats = wire_span(&fd);
			break;
		case WIRE_TAG(50, WIRE_BYTES):
		case WIRE_TAG(133, WIRE_BYTES):
			k->bundle = wire_span(&fd);
			k->zstd = fd.tag == WIRE_TAG(133, WIRE_BYTES);
			break;
		case WIRE_TAG(3, WIRE_VARINT):  /* trusted_uid */
		case WIRE_TAG(79, WIRE_VARINT): /* trusted_pid */
		case WIRE_TAG(36, WIRE_BYTES):  /* synchronization_marker */
		case WIRE_TAG(89, WIRE_BYTES):  /* trace_uuid */
			break;
		default:
			k->other = (uint32_t)(fd.tag >> 3);
			break;
		}
	}
	return more == 0;
}

enum { TS = WIRE_TAG(8, WIRE_VARINT), EVENT = WIRE_TAG(11, WIRE_BYTES) };

/* What stood before the event, after the time, and what after it.  A writer repeats both. */
static void remember(struct pf_frame *c, const struct pf_plain *k, const unsigned char *head,
                     const unsigned char *event, const unsigned char *end)
{
	const unsigned char *tail = k->event.p + k->event.n;
	size_t nhead = (size_t)(event - head), ntail = (size_t)(end - tail);

	c->known = false;
	if (!head || head > event || nhead > sizeof c->head || ntail > sizeof c->tail)
		return;
	c->head_mask = nhead ? UINT64_MAX >> (64 - 8 * nhead) : 0;
	c->tail_mask = ntail ? UINT64_MAX >> (64 - 8 * ntail) : 0;
	c->head = wire_word(head) & c->head_mask;
	c->tail = wire_word(tail) & c->tail_mask;
	c->nhead = nhead;
	c->ntail = ntail;
	c->seq = k->seq;
	c->time = k->time;
	c->known = true;
}

/* The packet when it begins with its time, and is but for that and its event like the last one;
 * false when it is not. */
static inline bool read_alike(struct pf_plain *k, const struct pf_frame *c, struct tm_span m)
{
	const unsigned char *p = m.p, *end = m.p + m.n;
	uint64_t ts, n;

	if (!c->known || m.n < 4 || *p != TS || !(p = wire_varint(p + 1, &ts)))
		return false;
	/* Not past the end: what lies after it is not all readable. */
	if (p + c->nhead >= end || (wire_word(p) & c->head_mask) != c->head ||
	    p[c->nhead] != EVENT || !(p = wire_varint(p + c->nhead + 1, &n)))
		return false;
	if (p > end || (size_t)(end - p) < c->ntail || n != (size_t)(end - p) - c->ntail ||
	    (wire_word(p + n) & c->tail_mask) != c->tail)
		return false;
	k->time = c->time;
	k->time.ts = ts;
	k->seq = c->seq;
	k->event = (struct tm_span) { p, (size_t)n };
	return true;
}

/* Nearly every packet of a trace is an event with its time and a few words about its writer.  Such
 * a one is read here, without asking for anything else; whatever is unusual is left to
 * tm_pf_read_packet.  The first byte of a tag tells the field; those of two bytes have a second
 * one that must be right. */
bool tm_pf_read_plain(struct pf_plain *k, struct pf_frame *c, struct tm_span m)
{
	enum { FLAGS = WIRE_TAG(13, WIRE_VARINT), UID = WIRE_TAG(3, WIRE_VARINT) };
	enum { SEQ = WIRE_TAG(10, WIRE_VARINT) };
	enum { CLOCK = 0xd0, CLOCK_2 = 0x03, PID = 0xf8, PID_2 = 0x04 };
	const unsigned char *p = m.p, *end = m.p + m.n, *head = NULL, *event = NULL;
	uint64_t v;

	if (read_alike(k, c, m))
		return true;
	k->time = (struct pf_stamp) { 0 };
	k->seq = 0;
	k->event.p = NULL;
	while (p < end) {
		switch (*p) {
		case TS:
			head = p == m.p ? wire_varint(p + 1, &v) : NULL;
			p = wire_varint(p + 1, &k->time.ts);
			k->time.has_ts = true;
			break;
		case FLAGS:
			p = wire_varint(p + 1, &v);
			if (v & 1)
				return false;
			break;
		case EVENT:
			event = p;
			p = wire_varint(p + 1, &v);
			if (!p || p > end || v > (size_t)(end - p))
				return false;
			k->event = (struct tm_span) { p, (size_t)v };
			p += v;
			break;
		case UID:
			p = wire_varint(p + 1, &v);
			break;
		case SEQ:
			p = wire_varint(p + 1, &v);
			k->seq = (uint32_t)v;
			break;
		case CLOCK:
			if (p[1] != CLOCK_2)
				return false;
			p = wire_varint(p + 2, &v);
			k->time.clock = (uint32_t)v;
			k->time.has_clock = true;
			break;
		case PID:
			if (p[1] != PID_2)
				return false;
			p = wire_varint(p + 2, &v);
			break;
		default:
			return false;
		}
		if (!p)
			return false;
	}
	if (p != end || !k->event.p)
		return false;
	remember(c, k, head, event, end);
	return true;
}

/* A varint of up to eight bytes, which most are short: after it, or NULL. */
static inline const unsigned char *short_varint(const unsigned char *p, uint64_t *v)
{
	if (p[0] < 0x80) {
		*v = p[0];
		return p + 1;
	}
	if (p[1] < 0x80) {
		*v = (uint64_t)(p[0] & 0x7f) | (uint64_t)p[1] << 7;
		return p + 2;
	}
	return wire_varint(p, v);
}

const unsigned char *tm_pf_skip_alike(const struct pf_frame *frame, const unsigned char *p,
                                      const unsigned char *to, const unsigned char *end)
{
	const struct pf_frame c = *frame;

	while (p < to && end - p >= PF_HEADER && *p == PF_PACKET_TAG) {
		const unsigned char *m, *q, *next;
		uint64_t len, stop, n;

		if (!(m = short_varint(p + 1, &len)) || len < 4 || m > end ||
		    len > (size_t)(end - m) || *m != TS)
			break;
		next = m + len;
		stop = ~wire_word(m + 1) & UINT64_C(0x8080808080808080);
		if (!stop && m[9] >= 0x80)
			break;
		q = stop ? m + 2 + __builtin_ctzll(stop) / 8 : m + 10;
		if (q + c.nhead >= next || (wire_word(q) & c.head_mask) != c.head ||
		    q[c.nhead] != EVENT || !(q = short_varint(q + c.nhead + 1, &n)))
			break;
		if (q > next || (size_t)(next - q) < c.ntail || n != (size_t)(next - q) - c.ntail ||
		    (wire_word(q + n) & c.tail_mask) != c.tail)
			break;
		p = next;
	}
	return p;
}

/* What a packet holds that nobody reads, for who asks.  False when out of memory. */
static bool note_unused(struct pf *f, const struct pf_packet *k)
{
	static const struct {
		uint32_t number;
		const char *name;
	} known[] = {
		{ 1, "ftrace_events" },      { 2, "process_tree" },
		{ 7, "sys_stats" },          { 9, "process_stats" },
		{ 37, "profile_packet" },    { 39, "android_log" },
		{ 40, "power_rails" },       { 43, "process_descriptor" },
		{ 44, "thread_descriptor" }, { 45, "system_info" },
		{ 52, "gpu_counter_event" }, { 53, "gpu_render_stage_event" },
		{ 65, "vulkan_api_event" },  { 66, "perf_sample" },
		{ 67, "cpu_info" },          { 69, "service_event" },
	};
	char text[32];

	if (!(f->r->want & TM_UNUSED_WANT) || !k->other)
		return true;
	snprintf(text, sizeof text, "packet field %" PRIu32, k->other);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].number == k->other)
			snprintf(text, sizeof text, "%s", known[i].name);
	return tm_reader_unused(f->r, TM_UNUSED_KEY, text, strlen(text));
}

/* The statistics count from the beginning of their trace, and are repeated. */
static void count_up(struct pf *f, enum tm_loss_reason why, uint64_t *before, uint64_t now)
{
	if (now > *before)
		tm_loss_count(&f->r->loss, why, now - *before, f->at);
	*before = now;
}

/* What a packet says beside its event.  TM_ST_SKIP: some of it is damaged and left out;
 * TM_ST_FATAL: out of memory. */
static enum tm_status take_cold(struct pf *f, struct pf_seq *s, const struct pf_packet *k)
{
	struct pf_clocks clocks;
	struct pf_packet_defaults defaults;
	struct pf_stats stats;
	enum tm_status st, worst = TM_ST_OK;

	if (k->snapshot.p) {
		worst = st = tm_pf_unpack_clocks(f, k->snapshot, &clocks);
		if (st == TM_ST_OK)
			tm_pf_snapshot(f, s, &clocks);
	}
	if (k->defaults.p) {
		st = tm_pf_unpack_defaults(f, k->defaults, &defaults);
		if (st == TM_ST_OK)
			tm_pf_defaults(s, &defaults);
		worst = st < worst ? st : worst;
	}
	if (k->config)
		f->discarded = f->overwritten = f->lost = 0;
	if (k->stats.p) {
		st = tm_pf_unpack_stats(f, k->stats, &stats);
		if (st == TM_ST_OK) {
			count_up(f, TM_LOSS_DISCARDED, &f->discarded, stats.discarded);
			count_up(f, TM_LOSS_OVERWRITTEN, &f->overwritten, stats.overwritten);
			count_up(f, TM_LOSS_DROPPED, &f->lost, stats.lost);
		}
		worst = st < worst ? st : worst;
	}
	return worst;
}

/* The same for a track that it describes. */
static enum tm_status take_descriptor(struct pf *f, const struct pf_packet *k)
{
	struct pf_description d;
	enum tm_status st = k->descriptor.p ? tm_pf_unpack_descriptor(f, k->descriptor, &d)
	                                    : TM_ST_OK;

	if (st == TM_ST_OK && k->descriptor.p && !tm_pf_describe(f, &d))
		return TM_ST_FATAL;
	return st;
}

bool tm_pf_take_state(struct pf *f, const struct pf_packet *k, struct pf_seq **seq, bool *timed,
                      uint64_t *ns)
{
	bool many;
	struct pf_seq *s;
	enum tm_status cold, track;

	*seq = s = tm_pf_sequence(f, k->machine, k->seq, &many);
	if (!s) {
		if (many)
			tm_loss_count(&f->r->loss, TM_LOSS_EXCESS_TRACKS, 1, f->at);
		return many;
	}
	/* The first packet of a sequence always says that something was dropped before it. */
	if (k->dropped && !k->first && !(k->cleared && !s->cleared)) {
		tm_pf_gap(s);
		tm_loss_count(&f->r->loss, TM_LOSS_DROPPED, 1, f->at);
	}
	if (k->cleared)
		tm_pf_clear(s);
	cold = take_cold(f, s, k);
	if (cold == TM_ST_FATAL || (k->interned.p && !tm_pf_interned(f, s, k->interned)))
		return false;
	*timed = tm_pf_time(f, s, &k->time, ns);
	track = take_descriptor(f, k);
	if (track == TM_ST_FATAL)
		return false;
	if (cold == TM_ST_SKIP || track == TM_ST_SKIP)
		tm_loss_count(&f->r->loss, TM_LOSS_DAMAGED, 1, f->at);
	f->weight += k->interned.n + k->descriptor.n;
	return true;
}

bool tm_pf_take_plain(struct pf *f, const struct pf_plain *k)
{
	uint64_t ns = 0;
	bool many, timed;
	struct pf_seq *s = tm_pf_sequence(f, 0, k->seq, &many);

	if (!s) {
		if (many)
			tm_loss_count(&f->r->loss, TM_LOSS_EXCESS_TRACKS, 1, f->at);
		return many;
	}
	timed = tm_pf_time(f, s, &k->time, &ns);
	return tm_pf_event(f, s, k->event, timed, ns);
}

bool tm_pf_take_packet(struct pf *f, const struct pf_packet *k)
{
	bool timed = false;
	uint64_t ns = 0;
	struct pf_seq *s;

	return tm_pf_take_state(f, k, &s, &timed, &ns) &&
	       (!s || !k->event.p || tm_pf_event(f, s, k->event, timed, ns)) &&
	       (!k->other || note_unused(f, k));
}
