/* SPDX-License-Identifier: MIT */
#include "stream/window.h"

#include "base/base.h"

#include <string.h>

enum { PCT_ONE = 10000, DIGITS = 9 };

/* A decimal with up to nine digits after the point, times `scale` (a power of ten up to 1e9, or a
 * multiple of 1e9). */
static bool decimal(const char *p, size_t n, uint64_t scale, uint64_t *v)
{
	const char *dot = memchr(p, '.', n);
	uint64_t whole = 0, part = 0, unit = scale;
	size_t nwhole = dot ? (size_t)(dot - p) : n;

	if (!tm_num_u64(p, nwhole, &whole) || __builtin_mul_overflow(whole, scale, &whole))
		return false;
	if (dot) {
		size_t k = n - nwhole - 1;

		if (!k || k > DIGITS)
			return false;
		for (size_t i = 1; i <= k; i++) {
			unsigned d = (unsigned)(dot[i] - '0');

			unit /= 10;
			if (d > 9 || (!unit && d))
				return false;
			part += d * unit;
		}
	}
	return !__builtin_add_overflow(whole, part, v);
}

static bool duration(const char *p, size_t n, uint64_t *v)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },         { "us", 1000 },         { "ms", 1000000 },
		{ "s", 1000000000 }, { "min", 60000000000 }, { "h", 3600000000000 },
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t k = strlen(units[i].suffix);

		if (n > k && !memcmp(p + n - k, units[i].suffix, k))
			return decimal(p, n - k, units[i].ns, v);
	}
	return decimal(p, n, 1, v);
}

static bool edge_parse(struct tm_edge *e, const char *p, size_t n)
{
	e->v = 0;
	if (!n) {
		e->kind = TM_EDGE_OPEN;
		return true;
	}
	if (p[n - 1] == '%') {
		e->kind = TM_EDGE_PCT;
		return decimal(p, n - 1, PCT_ONE, &e->v) && e->v <= 100 * PCT_ONE;
	}
	if (*p == '+') {
		e->kind = TM_EDGE_AFTER;
		return duration(p + 1, n - 1, &e->v);
	}
	e->kind = TM_EDGE_NS;
	return duration(p, n, &e->v);
}

static bool edges_parse(struct tm_window *w, const char *text, struct tm_diag *d)
{
	const char *dots = strstr(text, "..");

	w->kind = TM_WINDOW_EDGES;
	if (dots && edge_parse(&w->from, text, (size_t)(dots - text)) &&
	    edge_parse(&w->to, dots + 2, strlen(dots + 2))) {
		if (w->from.kind != w->to.kind || w->from.kind == TM_EDGE_OPEN ||
		    w->from.v < w->to.v)
			return true;
		tm_diag_set(d, 0, "-w '%s': the window %s", text,
		            w->from.v > w->to.v ? "ends before it begins"
		                                : "is empty: it ends where it begins");
		return false;
	}
	tm_diag_set(
	        d, 0,
	        "-w '%s' is not a window: use FROM..TO, each a time in ns, +DURATION (ns us ms "
	        "s min h), PERCENT%% or nothing; or marker:NAME[/INDEX], window:NAME[/INDEX], or "
	        "step:N..M",
	        text);
	return false;
}

/* What follows "marker:" or "window:".  Digits after the last slash are the index. */
static bool marker_parse(struct tm_window *w, enum tm_window_kind kind, const char *text,
                         const char *name, struct tm_diag *d)
{
	const char *slash = strrchr(name, '/');

	*w = (struct tm_window) { .kind = kind, .name = name, .name_len = strlen(name) };
	if (slash && tm_num_u64(slash + 1, strlen(slash + 1), &w->index)) {
		w->name_len = (size_t)(slash - name);
		if (!w->index) {
			tm_diag_set(d, 0, "-w '%s': markers are counted from 1", text);
			return false;
		}
	}
	if (!w->name_len)
		tm_diag_set(d, 0, "-w '%s': use %.7sNAME or %.7sNAME/INDEX", text, text, text);
	return w->name_len != 0;
}

/* What follows "step:". */
static bool steps_parse(struct tm_window *w, const char *text, const char *p, struct tm_diag *d)
{
	const char *dots = strstr(p, ".."), *to = dots ? dots + 2 : p;
	size_t n = dots ? (size_t)(dots - p) : strlen(p);

	*w = (struct tm_window) { .kind = TM_WINDOW_STEPS, .last = UINT64_MAX };
	if ((!dots && !n) || (n && !tm_num_u64(p, n, &w->first)) ||
	    (*to && !tm_num_u64(to, strlen(to), &w->last))) {
		tm_diag_set(d, 0, "-w '%s': use step:N or step:N..M, numbers of steps", text);
		return false;
	}
	if (w->first > w->last)
		tm_diag_set(d, 0, "-w '%s': the window ends before it begins", text);
	return w->first <= w->last;
}

bool tm_window_parse(struct tm_window *w, const char *text, struct tm_diag *d)
{
	static const char marker[] = "marker:", window[] = "window:", step[] = "step:";

	*w = (struct tm_window) { 0 };
	if (!strncmp(text, marker, sizeof marker - 1))
		return marker_parse(w, TM_WINDOW_LAUNCHED, text, text + sizeof marker - 1, d);
	if (!strncmp(text, window, sizeof window - 1))
		return marker_parse(w, TM_WINDOW_MARKER, text, text + sizeof window - 1, d);
	if (!strncmp(text, step, sizeof step - 1))
		return steps_parse(w, text, text + sizeof step - 1, d);
	return edges_parse(w, text, d);
}

bool tm_window_relative(const struct tm_window *w)
{
	return w->kind != TM_WINDOW_EDGES || w->from.kind == TM_EDGE_AFTER ||
	       w->from.kind == TM_EDGE_PCT || w->to.kind == TM_EDGE_AFTER ||
	       w->to.kind == TM_EDGE_PCT;
}

static uint64_t edge_at(const struct tm_edge *e, uint64_t first, uint64_t last, uint64_t open)
{
	uint64_t at;

	switch (e->kind) {
	case TM_EDGE_NS:
		return e->v;
	case TM_EDGE_AFTER:
		return __builtin_add_overflow(first, e->v, &at) ? UINT64_MAX : at;
	case TM_EDGE_PCT:
		return first + (uint64_t)((tm_u128)(last - first) * e->v / (100 * PCT_ONE));
	case TM_EDGE_OPEN:
		break;
	}
	return open;
}

struct tm_extent tm_window_resolve(const struct tm_window *w, uint64_t first, uint64_t last)
{
	return (struct tm_extent) { .lo = edge_at(&w->from, first, last, 0),
		                    .hi = edge_at(&w->to, first, last, UINT64_MAX) };
}
