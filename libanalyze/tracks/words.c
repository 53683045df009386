/* SPDX-License-Identifier: MIT
 * What a slice says, in the words that the readers of AMD's traces know (schemas/pftrace.def): both
 * pens use the same. */
#include "read/read.h"
#include "tracks/tracks_parts.h"

#include <string.h>

unsigned tm_track_category(const struct track_store *s, const struct track_slice *x)
{
	if (x->item->count > 1)
		return CATEGORY_MERGED;
	if (x->row->what == WHAT_OWN)
		return CATEGORY_OWN +
		       (unsigned)s->tracks.key[(size_t)x->row->track * KEY_WORDS + KEY_SORT];
	if (x->row->what == WHAT_KERNEL)
		return TM_DOMAIN_KERNEL;
	return x->row->what == WHAT_COPY ? TM_DOMAIN_COPY : x->row->domain;
}

const char *tm_track_category_text(unsigned category)
{
	static const char *const own[TRACK_SORTS] = {
		[TRACK_ABOUT] = TM_DRAWN_OWN "about",
		[TRACK_FINDINGS] = TM_DRAWN_OWN "finding",
		[TRACK_STEPS] = TM_DRAWN_OWN "step",
		[TRACK_COLLECTIVES] = TM_DRAWN_OWN "collective",
		[TRACK_STATE] = TM_DRAWN_OWN "state",
	};
	static const struct {
		const char *text;
		unsigned domain;
	} words[] = {
#define CATEGORY(text, class, domain, by) { text, TM_DOMAIN_##domain },
#include "schemas/pftrace.def"
	};

	if (category == CATEGORY_MERGED)
		return TM_DRAWN_OWN "merged";
	if (category >= CATEGORY_OWN)
		return own[category - CATEGORY_OWN] ? own[category - CATEGORY_OWN] : TM_DRAWN_AXIS;
	/* The first is that of rocprofv3. */
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].domain == category && category != TM_DOMAIN_OTHER)
			return words[i].text;
	return "host_call";
}

/* Three numbers as one text. */
static bool put_size(struct track_saying *to, unsigned arg, const uint64_t v[3])
{
	char text[80] = "(", *end = text + 1;

	for (int i = 0; i < 3; i++) {
		end = tm_num_put_u64(end, v[i]);
		*end++ = i < 2 ? ',' : ')';
	}
	return to->text(to->pen, arg, tm_track_arg_name(arg), text, (size_t)(end - text));
}

static bool put_agent(struct track_saying *to, unsigned arg, uint64_t agent)
{
	char text[16];

	tm_agent_text(agent, text);
	if (text[0] >= '0' && text[0] <= '9')
		return to->number(to->pen, arg, tm_track_arg_name(arg), agent);
	return to->text(to->pen, arg, tm_track_arg_name(arg), text, strlen(text));
}

bool tm_track_tell(const struct track_store *s, const struct track_slice *x,
                   struct track_saying *to)
{
	struct track_cells c = tm_track_cells(s, x->row);
	uint64_t v, size[3];
	bool ok = x->args == TM_TRACKS_NONE || !x->row->has_corr ||
	          to->number(to->pen, ARG_CORR_, "corr_id", x->row->corr);
	unsigned arg;

	for (unsigned of = 0; ok && tm_track_cell(&c, &arg, &v);) {
		const enum tm_ev_col col = arg < ARG_OWN ? tm_track_cols[arg] : TM_EVC_N;

		/* Without its agent the work of one GPU would hide the idle time of another. */
		if (x->args != TM_TRACKS_ALL && col != TM_EVC_AGENT && col != TM_EVC_SRC &&
		    col != TM_EVC_DST)
			continue;
		switch (col) {
		case TM_EVC_PID:
			ok = v == x->pid || to->number(to->pen, arg, tm_track_arg_name(arg), v);
			break;
		case TM_EVC_AGENT:
		case TM_EVC_SRC:
		case TM_EVC_DST:
			ok = put_agent(to, arg, v);
			break;
		case TM_EVC_WG_X:
		case TM_EVC_GRID_X:
			of = 0;
			/* fall through */
		case TM_EVC_WG_Y:
		case TM_EVC_WG_Z:
		case TM_EVC_GRID_Y:
		case TM_EVC_GRID_Z:
			size[of++] = v;
			ok = of < 3 || put_size(to, arg, size);
			of %= 3;
			break;
		default:
			if (tm_track_is_text(arg))
				ok = to->text(to->pen, arg, tm_track_arg_name(arg),
				              s->names.v[v].text, s->names.v[v].len);
			else
				ok = to->number(to->pen, arg, tm_track_arg_name(arg), v);
		}
	}
	return ok;
}
