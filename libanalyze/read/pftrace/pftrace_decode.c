/* SPDX-License-Identifier: MIT
 * The fields of a track event, and its annotations: these go straight to the row being made. */
#include "read/pftrace/pftrace_parts.h"

#include "base/base.h"
#include "read/batch.h"
#include "read/csv/csv.h"

#include <math.h>

/* ---- annotations ---- */

/* "(64,1,1)", "64 (x=64, y=1, z=1)", "64": the last three numbers, or the only one. */
static void put_size(struct tm_ev_row *row, enum tm_ev_col product, const unsigned char *p,
                     size_t n)
{
	enum tm_ev_col x = product == TM_EVC_WG ? TM_EVC_WG_X : TM_EVC_GRID_X;
	uint64_t v[4];
	unsigned k = 0;

	for (size_t i = 0; i < n && k < 4;) {
		size_t from = i;

		while (i < n && p[i] >= '0' && p[i] <= '9')
			i++;
		if (i > from && tm_num_u64(p + from, i - from, &v[k]))
			k++;
		i += i == from;
	}
	if (k == 1)
		tm_ev_put(row, product, v[0]);
	for (unsigned i = 0; i < 3 && k >= 3; i++)
		tm_ev_put(row, (enum tm_ev_col)(x + i), v[k - 3 + i]);
}

struct value {
	bool number, real;
	uint64_t v; /* bits of a double if real */
	struct tm_span text;
};

static bool put_value(struct pf *f, const struct pf_word *a, const struct value *v)
{
	enum tm_ev_col col = (enum tm_ev_col)a->a;
	uint64_t n = v->v;

	if (v->real) {
		double x = tm_cell_real(v->v);

		if (!(x >= 0 && x < 9e15) || x != floor(x))
			return true;
		n = (uint64_t)x;
	}
	switch ((enum pf_how)a->b) {
	case PF_NUMBER:
		if (!v->text.p || tm_num_u64_any(v->text.p, v->text.n, &n))
			tm_ev_put(f->row, col, n);
		break;
	case PF_AGENT:
	case PF_GPU:
		if (v->text.p) {
			if (tm_scan_agent(v->text.p, v->text.n, &n))
				tm_ev_put(f->row, col, n);
		} else if (n <= UINT32_MAX) {
			tm_ev_put(f->row, col,
			          tm_agent_pack(a->b == PF_GPU ? TM_AGENT_GPU : TM_AGENT_NODE,
			                        (uint32_t)n));
		}
		break;
	case PF_SIZE:
		if (v->text.p)
			put_size(f->row, col, v->text.p, v->text.n);
		else
			tm_ev_put(f->row, col, n);
		break;
	case PF_TEXT:
		if (v->text.p && v->text.n) {
			uint32_t id = tm_names_add(&f->r->names, (const char *)v->text.p,
			                           v->text.n);

			if (id == TM_NAME_NONE)
				return false;
			tm_ev_put(f->row, col, id);
		}
		break;
	case PF_IGNORE:
		break;
	}
	return true;
}

/* A double under a name of its own: a counter of this dispatch. */
static bool put_pmc(struct pf *f, uint32_t known, struct tm_span name, uint64_t bits)
{
	uint64_t id = known - PF_WORDS;

	if (!(f->want & (TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE))) ||
	    f->npmc == PF_PMC || !isfinite(tm_cell_real(bits)))
		return true;
	if (!known) {
		id = tm_names_add(&f->r->names, (const char *)name.p, name.n);
		if (id == TM_NAME_NONE)
			return false;
	}
	f->pmc[2 * f->npmc] = id;
	f->pmc[2 * f->npmc + 1] = bits;
	f->npmc++;
	return true;
}

/* The value that follows the name in an annotation. */
static bool annotation_value(struct pf *f, struct pf_seq *s, struct wire *w, struct value *v)
{
	struct wire_field fd;
	uint32_t id;

	*v = (struct value) { 0 };
	while (wire_next(w, &fd) > 0) {
		switch (fd.tag) {
		case WIRE_TAG(2, WIRE_VARINT): /* bool */
		case WIRE_TAG(3, WIRE_VARINT): /* uint */
		case WIRE_TAG(7, WIRE_VARINT): /* pointer */
			v->number = true;
			v->v = fd.v;
			break;
		case WIRE_TAG(4, WIRE_VARINT): /* int: a negative one stands for "none" */
			v->number = (int64_t)fd.v >= 0;
			v->v = fd.v;
			break;
		case WIRE_TAG(5, WIRE_I64):
			v->real = true;
			v->v = fd.v;
			break;
		case WIRE_TAG(6, WIRE_BYTES):
			v->text = wire_span(&fd);
			break;
		case WIRE_TAG(17, WIRE_VARINT):
			if (pf_get(f, &s->strings, fd.v, &id))
				v->text = (struct tm_span) {
					(const unsigned char *)f->texts.v[id].text,
					f->texts.v[id].len
				};
			break;
		default:
			break;
		}
	}
	return v->number || v->real || v->text.p;
}

/* Annotations {name_iid: small, value} as the SDK writes them, one after the other, as long as
 * nobody wants them or they are plain numbers.  Returns after the last of them. */
static inline const unsigned char *annotations_quick(struct pf *f, const struct pf_seq *s,
                                                     const unsigned char *p,
                                                     const unsigned char *end)
{
	enum { HEAD = 4, LEAST = 4 }; /* tag and length, tag and number of the name; its bytes */

	while (end - p >= HEAD && p[0] == WIRE_TAG(4, WIRE_BYTES) && p[1] >= LEAST &&
	       p[1] <= end - p - 2 && p[2] == WIRE_TAG(1, WIRE_VARINT) && p[3] < 0x80) {
		const unsigned char *next = p + 2 + p[1];
		unsigned q = s->quick[p[3]];
		uint64_t v;

		if (!q)
			break;
		if (q & PF_QUICK_WANTED) {
			if (!(q & PF_QUICK_NUMBER) || p[4] != WIRE_TAG(3, WIRE_VARINT) ||
			    wire_varint(p + 5, &v) != next)
				break;
			tm_ev_put(f->row,
			          (enum tm_ev_col)tm_pf_annotations[(q & PF_QUICK_WORD) - 1].a, v);
		}
		f->of_kernel |= (q & PF_QUICK_KERNEL) != 0;
		p = next;
	}
	return p;
}

static bool annotation(struct pf *f, struct pf_seq *s, struct tm_span m)
{
	struct wire w = wire_of(m), rest;
	struct wire_field fd;
	struct tm_span name = { 0 };
	uint32_t word = 0;
	bool known = false;
	struct value v;
	int i;

	/* The name is the first field in what every writer writes, but need not be. */
	rest = w;
	while (!known && !name.p && wire_next(&rest, &fd) > 0) {
		if (fd.tag == WIRE_TAG(1, WIRE_VARINT)) {
			known = pf_get(f, &s->annots, fd.v, &word);
			if (!known)
				return true;
		} else if (fd.tag == WIRE_TAG(10, WIRE_BYTES)) {
			name = wire_span(&fd);
		}
	}
	if (name.p) {
		i = tm_pf_annotation(f, name);
		word = i < 0 ? PF_WORDS : (uint32_t)i;
	} else if (!known) {
		return true;
	}
	if (word < PF_WORDS) {
		const struct pf_word *a = &tm_pf_annotations[word];

		f->of_kernel |= f->annot_of_kernel[word];
		if (!f->annot_wanted[word] || !annotation_value(f, s, &w, &v))
			return true;
		return put_value(f, a, &v);
	}
	if (!(f->want & (TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE))) ||
	    !annotation_value(f, s, &w, &v) || !v.real)
		return true;
	return put_pmc(f, known ? word : 0, name, v.v);
}

/* ---- the event ---- */

static void read_legacy(struct pf_track_event *e, struct tm_span m)
{
	struct wire w = wire_of(m);
	struct wire_field fd;

	while (wire_next(&w, &fd) > 0) {
		if (fd.tag == WIRE_TAG(1, WIRE_VARINT)) {
			e->name_iid = fd.v;
			e->has_name_iid = true;
		} else if (fd.tag == WIRE_TAG(2, WIRE_VARINT) && !e->type) {
			e->complete = fd.v == 'X';
			e->type = fd.v == 'B'                                 ? PF_TYPE_BEGIN
			          : fd.v == 'E'                               ? PF_TYPE_END
			          : fd.v == 'X' || fd.v == 'I' || fd.v == 'i' ? PF_TYPE_INSTANT
			                                                      : 0;
		} else if (fd.tag == WIRE_TAG(3, WIRE_VARINT) && fd.v < UINT64_MAX / 2000) {
			e->duration_ns = fd.v * 1000;
		}
	}
}

static void category_iid(const struct pf *f, const struct pf_seq *s, struct pf_track_event *e,
                         uint64_t iid)
{
	uint32_t val;

	if (e->category < 0 && pf_get(f, &s->cats, iid, &val))
		e->category = (int)val - 1;
}

static void category_iids(const struct pf *f, const struct pf_seq *s, struct pf_track_event *e,
                          struct tm_span m)
{
	const unsigned char *p = m.p;
	uint64_t iid;

	while (p && p < m.p + m.n && (p = wire_varint(p, &iid)))
		category_iid(f, s, e, iid);
}

/* The first fields of an event as the SDK writes them, each at most once: type, category, name,
 * track, flow, annotations.  Returns after the last one that was read; the general loop goes on.
 */
static const unsigned char *event_quick(struct pf *f, const struct pf_seq *s,
                                        struct pf_track_event *e, const unsigned char *p,
                                        const unsigned char *end)
{
	enum { ROOM = 16 };                  /* at least, for a field in the middle */
	enum { FLOW = 0xf9, FLOW_2 = 0x02 }; /* WIRE_TAG(47, WIRE_I64), a varint of two bytes */
	uint64_t v;

	if (end - p > 2 && p[0] == WIRE_TAG(9, WIRE_VARINT) && p[1] < 0x80) {
		e->type = p[1] > 9 ? 9 : p[1];
		p += 2;
	}
	if (end - p >= ROOM && p[0] == WIRE_TAG(3, WIRE_VARINT) && p[1] < 0x80 &&
	    s->quick_cat[p[1]]) {
		e->category = s->quick_cat[p[1]] - 2;
		p += 2;
	}
	if (end - p >= ROOM && p[0] == WIRE_TAG(10, WIRE_VARINT)) {
		const unsigned char *next = wire_varint(p + 1, &v);

		if (!next)
			return p;
		e->name_iid = v;
		e->has_name_iid = true;
		p = next;
	}
	if (p < end && p[0] == WIRE_TAG(11, WIRE_VARINT)) {
		const unsigned char *next = wire_varint(p + 1, &v);

		if (!next || next > end)
			return p;
		e->track = v;
		e->has_track = true;
		p = next;
	}
	if (end - p >= ROOM && p[0] == FLOW && p[1] == FLOW_2) {
		memcpy(&e->flow, p + 2, 8);
		e->flow = le64toh(e->flow);
		e->has_flow = true;
		p += 10;
	}
	return annotations_quick(f, s, p, end);
}

bool tm_pf_read_event(struct pf *f, struct pf_seq *s, struct tm_span m, struct pf_track_event *e,
                      bool *ok)
{
	struct wire w = wire_of(m);
	struct wire_field fd;
	int more;

	/* By hand: setting all of it costs more than reading a small event. */
	e->type = 0;
	e->has_track = e->has_name_iid = e->has_flow = e->has_value = false;
	e->complete = false;
	e->category = -1;
	e->duration_ns = 0;
	e->name.p = e->legacy.p = NULL;
	f->row->has = 0;
	f->of_kernel = false;
	f->npmc = 0;
	w.p = event_quick(f, s, e, w.p, w.end);
	while ((more = wire_next(&w, &fd)) > 0) {
		switch (fd.tag) {
		case WIRE_TAG(4, WIRE_BYTES):
			if (!annotation(f, s, wire_span(&fd)))
				return false;
			w.p = annotations_quick(f, s, w.p, w.end);
			break;
		case WIRE_TAG(9, WIRE_VARINT):
			e->type = fd.v > 9 ? 9 : (unsigned)fd.v;
			break;
		case WIRE_TAG(11, WIRE_VARINT):
			e->track = fd.v;
			e->has_track = true;
			break;
		case WIRE_TAG(10, WIRE_VARINT):
			e->name_iid = fd.v;
			e->has_name_iid = true;
			break;
		case WIRE_TAG(23, WIRE_BYTES):
			e->name = wire_span(&fd);
			break;
		case WIRE_TAG(3, WIRE_VARINT):
			category_iid(f, s, e, fd.v);
			break;
		case WIRE_TAG(3, WIRE_BYTES):
			category_iids(f, s, e, wire_span(&fd));
			break;
		case WIRE_TAG(22, WIRE_BYTES):
			if (e->category >= 0)
				break;
			e->category = tm_pf_category(f, wire_span(&fd));
			if (e->category >= 0)
				f->by[tm_pf_categories[e->category].by] = f->by_inline = true;
			break;
		case WIRE_TAG(47, WIRE_I64):
		case WIRE_TAG(48, WIRE_I64):
		case WIRE_TAG(36, WIRE_VARINT):
		case WIRE_TAG(42, WIRE_VARINT):
			e->flow = fd.v;
			e->has_flow = true;
			break;
		case WIRE_TAG(47, WIRE_BYTES): /* packed */
			if (fd.v >= 8) {
				memcpy(&e->flow, fd.p, 8);
				e->flow = le64toh(e->flow);
				e->has_flow = true;
			}
			break;
		case WIRE_TAG(30, WIRE_VARINT):
		case WIRE_TAG(44, WIRE_I64):
			e->value = fd.v;
			e->real = fd.tag == WIRE_TAG(44, WIRE_I64);
			e->has_value = true;
			break;
		case WIRE_TAG(6, WIRE_BYTES):
			e->legacy = wire_span(&fd);
			break;
		default:
			break;
		}
	}
	if (e->legacy.p)
		read_legacy(e, e->legacy);
	*ok = more == 0;
	return true;
}
