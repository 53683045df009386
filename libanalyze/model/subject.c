/* SPDX-License-Identifier: MIT */
#include "model/subject.h"

#include "model/name_base.h"
#include "model/name_scan.h"

#include <string.h>

/* Append a qualified name; inside template brackets without namespaces, and nowhere with lists of
 * arguments. */
static bool add_arguments(struct tm_buf *out, const char *s, size_t n)
{
	struct scan k = { .s = s, .n = n };
	size_t inside = 0; /* depth of the list that is left out, plus one */
	size_t word = 0;   /* where the last word begins in `out` */
	enum token t;

	for (; (t = tm_name_token(&k)) > T_BAD && out->n <= SUBJECT_MAX; k.before = t) {
		if (inside) {
			inside = t == T_CLOSE && k.depth + 1 == inside ? 0 : inside;
			continue;
		}
		if (t == T_OPEN && s[k.at] == '(' && k.at &&
		    (k.before == T_IDENT || k.before == T_OPER || s[k.at - 1] == '>')) {
			inside = k.depth + 1;
			continue;
		}
		if (t == T_SCOPE && k.depth && k.before == T_IDENT) {
			out->n = word;
			continue;
		}
		if (t == T_ANON || (t == T_SCOPE && k.before == T_ANON))
			continue;
		word = out->n;
		tm_buf_add(out, s + k.at, k.next - k.at);
	}
	out->failed |= k.stack.failed;
	tm_buf_fini(&k.stack);
	return !out->failed;
}

static void cut(struct tm_buf *b)
{
	if (b->n > SUBJECT_MAX) {
		b->n = SUBJECT_MAX;
		b->p[b->n] = '\0';
	}
}

bool tm_subject_take(struct subject *t, struct tm_buf *name)
{
	struct tm_buf closed = { 0 };
	struct slice r = { 0 };
	bool ok = true, bare;

	*t = (struct subject) { .name = *name };
	*name = (struct tm_buf) { 0 };
	if (t->name.n && strpbrk(t->name.p, "(<:")) {
		ok = tm_name_function(t->name.p, t->name.n, false, &r);
		bare = ok && r.from == r.to && tm_name_close(&closed, t->name.p, t->name.n);
		if (bare) {
			tm_buf_fini(&t->name);
			t->name = closed;
			ok = tm_name_function(t->name.p, t->name.n, true, &r);
		}
		ok &= !closed.failed;
	}
	t->from = r.from;
	t->to = r.to;
	if (ok && r.from < r.to)
		ok = tm_name_scope(&t->scope, t->name.p + r.from, r.to - r.from, &t->own);
	else if (ok)
		cut(&t->name);
	cut(&t->scope);
	if (t->own > t->scope.n)
		t->own = 0;
	return ok && (t->name.n || tm_buf_add(&t->name, "", 0));
}

bool tm_subject_is_function(const struct subject *t)
{
	return t->from < t->to;
}

char *tm_subject_text(struct subject *t, enum tm_class_seen *seen)
{
	if (!tm_subject_is_function(t)) {
		*seen = TM_SEEN_FUNCTION;
		return t->name.p;
	}
	if (*seen == TM_SEEN_SCOPE && !t->own)
		*seen = TM_SEEN_FUNCTION;
	if (*seen < TM_SEEN_ARGUMENTS)
		return t->scope.p + (*seen == TM_SEEN_FUNCTION ? t->own : 0);
	if (!t->args.n && !add_arguments(&t->args, t->name.p + t->from, t->to - t->from))
		return NULL;
	cut(&t->args);
	/* of "(anonymous namespace)" nothing is left */
	return t->args.n ? t->args.p : t->scope.p;
}

void tm_subject_fini(struct subject *t)
{
	tm_buf_fini(&t->name);
	tm_buf_fini(&t->scope);
	tm_buf_fini(&t->args);
}
