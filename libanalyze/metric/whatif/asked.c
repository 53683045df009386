/* SPDX-License-Identifier: MIT
 * The scenario that options ask for. */
#include "metric/whatif/parts.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Is any name in the set? */
static bool any_in(const uint8_t *set, const struct tm_replay *r)
{
	for (uint32_t i = 0; i < r->rows->names.n; i++)
		if (set[i])
			return true;
	return false;
}

bool tm_whatif_asks(const struct whatif_own *o)
{
	return o->scale || o->launch || o->copy || o->comm || o->host || o->nosync ||
	       o->nosync_of || o->balance;
}

/* A decimal of at most six places, in millionths. */
static bool factor_of(const char *text, size_t n, uint64_t *out)
{
	uint64_t v = 0, places = 0;
	bool point = false, digits = false;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9' || (point && ++places > 6) ||
		    v > UINT64_MAX / 10000000)
			return false;
		v = v * 10 + (uint64_t)(text[i] - '0');
		digits = true;
	}
	for (; places < 6; places++)
		v *= 10;
	*out = v;
	return digits;
}

static enum tm_status refuse(struct tm_report *rep, const char *option, const char *why)
{
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "%s: %s", option, why);
	return TM_ST_END;
}

static const char bad_factor[] = "use a factor of at most 6 decimals, 0 or more: 0.5";

/* Kernels that match an extended regular expression, in set.  0; else what regcomp or regexec say.
 */
static int match_regex(const struct tm_replay *r, const char *text, uint8_t *set)
{
	const struct tm_names *names = &r->rows->names;
	regex_t re;
	int bad = regcomp(&re, text, REG_EXTENDED | REG_NOSUB);

	if (bad)
		return bad;
	for (uint32_t i = 0; i < names->n && (!bad || bad == REG_NOMATCH); i++) {
		bad = r->class_of[i] ? regexec(&re, names->v[i].text, 0, NULL, 0) : REG_NOMATCH;
		set[i] = !bad;
	}
	regfree(&re);
	return bad == REG_NOMATCH ? 0 : bad;
}

static void match_class(const struct tm_replay *r, const struct tm_classes *c, const char *text,
                        uint8_t *set)
{
	for (uint32_t i = 0; i < r->rows->names.n; i++)
		set[i] = r->class_of[i] && !strcmp(tm_classes_name(c, r->class_of[i] - 1u), text);
}

/* One of --scale: CLASS or /REGEX/, the n bytes of `what`. */
static enum tm_status scale_one(struct whatif_one *w, const struct tm_replay *r,
                                const struct tm_classes *c, const char *what, size_t n,
                                struct tm_replay_scale s, struct tm_report *rep)
{
	uint8_t *set = calloc((size_t)r->rows->names.n + 1, 1);
	char *text = strndup(what, n);
	bool regex = n > 1 && what[0] == '/' && what[n - 1] == '/', any;
	int bad = 0;

	if (!set || !text ||
	    !tm_grow_array(&w->sets, &w->sets_cap, w->nsets + 1, sizeof *w->sets)) {
		free(set);
		free(text);
		return TM_ST_FATAL;
	}
	s.set = w->sets[w->nsets++] = set;
	if (regex) {
		text[n - 1] = '\0';
		bad = match_regex(r, text + 1, set);
	} else {
		match_class(r, c, text, set);
	}
	free(text);
	any = any_in(set, r);
	if (bad == REG_ESPACE)
		return TM_ST_FATAL;
	if (bad || !any)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              bad     ? "--scale: not a regular expression: %.*s"
		              : regex ? "--scale: no kernel matches %.*s"
		                      : "--scale: no kernel of class %.*s",
		              (int)n, what);
	if (bad || !any)
		return TM_ST_END;
	return tm_whatif_add_scale(w, s) ? TM_ST_OK : TM_ST_FATAL;
}

/* --scale CLASS=F,/REGEX/=F */
static enum tm_status scale_all(struct whatif_one *w, const struct tm_replay *r,
                                const struct tm_classes *c, const char *list, struct tm_report *rep)
{
	if (!*list)
		return refuse(rep, "--scale", "use CLASS=F or /REGEX/=F");
	while (*list) {
		struct tm_replay_scale s = { .name = TM_REPLAY_NONE };
		const char *end = *list == '/' ? strstr(list + 1, "/=") : strchr(list, '=');
		const char *value = end ? end + 1 + (*list == '/') : NULL;
		size_t n = value ? strcspn(value, ",") : 0;
		enum tm_status st;

		if (!value)
			return refuse(rep, "--scale", "use CLASS=F or /REGEX/=F");
		if (!factor_of(value, n, &s.factor))
			return refuse(rep, "--scale", bad_factor);
		st = scale_one(w, r, c, list, (size_t)(value - 1 - list), s, rep);
		if (st != TM_ST_OK)
			return st;
		list = value + n;
		list += *list == ',';
	}
	return TM_ST_OK;
}

/* An option of one factor. */
static enum tm_status one_factor(struct whatif_one *w, const char *option, const char *text,
                                 const char *refused, uint64_t *out, struct tm_report *rep)
{
	if (!text)
		return TM_ST_OK;
	if (!factor_of(text, strlen(text), out))
		return refuse(rep, option, bad_factor);
	if (refused)
		return refuse(rep, option, refused);
	if (w->text.n)
		tm_buf_str(&w->text, ", ");
	tm_buf_str(&w->text, option + 2);
	tm_buf_str(&w->text, " x ");
	tm_buf_str(&w->text, text);
	return w->text.failed ? TM_ST_FATAL : TM_ST_OK;
}

static bool say(struct whatif_one *w, const char *text)
{
	if (w->text.n)
		tm_buf_str(&w->text, ", ");
	return tm_buf_str(&w->text, text);
}

static enum tm_status waits_asked(struct whatif_one *w, const struct tm_replay *r,
                                  const struct whatif_own *own, struct tm_report *rep)
{
	if (!own->nosync && !own->nosync_of)
		return TM_ST_OK;
	if (tm_whatif_no_host(r))
		return refuse(rep, "--no-sync", tm_whatif_no_host(r));
	if (!tm_whatif_nosync(w, r, own->nosync_of) || !say(w, "no host syncs"))
		return TM_ST_FATAL;
	if (own->nosync_of && !any_in(w->set, r))
		return refuse(rep, "--no-sync-of", "the input has no such waiting calls");
	return TM_ST_OK;
}

enum tm_status tm_whatif_asked(struct whatif_list *l, const struct tm_replay *r,
                               const struct tm_classes *c, const struct whatif_own *own,
                               struct tm_report *rep)
{
	const char *host = tm_whatif_no_host(r), *ranks = tm_whatif_no_ranks(r);
	const char *clocks = r->nrank > 1 ? ranks : NULL;
	struct whatif_one *w = tm_whatif_add(l, "");
	enum tm_status st;

	if (!w)
		return TM_ST_FATAL;
	if (!clocks && own->comm && !r->counts.comm_ops)
		clocks = "no kernels of class comm";
	st = own->scale ? scale_all(w, r, c, own->scale, rep) : TM_ST_OK;
	if (st == TM_ST_OK && own->scale && !(say(w, "scale ") && tm_buf_str(&w->text, own->scale)))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK)
		st = waits_asked(w, r, own, rep);
	if (st == TM_ST_OK)
		st = one_factor(w, "--launch", own->launch, host, &w->s.launch, rep);
	if (st == TM_ST_OK)
		st = one_factor(w, "--host", own->host, host, &w->s.host, rep);
	if (st == TM_ST_OK)
		st = one_factor(w, "--copy", own->copy, NULL, &w->s.copy, rep);
	if (st == TM_ST_OK)
		st = one_factor(w, "--comm", own->comm, clocks, &w->s.comm, rep);
	if (st != TM_ST_OK || !own->balance)
		return st;
	ranks = tm_whatif_no_balance(r);
	if (ranks)
		return refuse(rep, "--balance", ranks);
	w->s.balance = true;
	return say(w, "ranks balanced") ? TM_ST_OK : TM_ST_FATAL;
}
