/* SPDX-License-Identifier: MIT */
#include "model/subject.h"

#include "model/name_base.h"
#include "model/name_scan.h"

#include <string.h>

/* Append a qualified name; inside template brackets without namespaces, and nowhere with lists of
 * arguments. */
static bool add_arguments(struct buf *out, const char *s, size_t n)
{
	struct scan k = { .s = s, .n = n };
	size_t inside = 0; /* depth of the list that is left out, plus one */
	size_t word = 0;   /* where the last word begins in `out` */
	enum token t;

	for (; (t = name_token(&k)) > T_BAD && out->n <= SUBJECT_MAX; k.before = t) {
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
		buf_add(out, s + k.at, k.next - k.at);
	}
	out->failed |= k.stack.failed;
	buf_fini(&k.stack);
	return !out->failed;
}

static void cut(struct buf *b)
{
	if (b->n > SUBJECT_MAX) {
		b->n = SUBJECT_MAX;
		b->p[b->n] = '\0';
	}
}

bool subject_take(struct subject *t, struct buf *name)
{
	struct buf closed = { 0 };
	struct slice r = { 0 };
	bool ok = true, bare;

	*t = (struct subject) { .name = *name };
	*name = (struct buf) { 0 };
	if (t->name.n && strpbrk(t->name.p, "(<:")) {
		ok = name_function(t->name.p, t->name.n, false, &r);
		bare = ok && r.from == r.to && name_close(&closed, t->name.p, t->name.n);
		if (bare) {
			buf_fini(&t->name);
			t->name = closed;
			ok = name_function(t->name.p, t->name.n, true, &r);
		}
		ok &= !closed.failed;
	}
	t->from = r.from;
	t->to = r.to;
	if (ok && r.from < r.to)
		ok = name_scope(&t->scope, t->name.p + r.from, r.to - r.from, &t->own);
	else if (ok)
		cut(&t->name);
	cut(&t->scope);
	if (t->own > t->scope.n)
		t->own = 0;
	return ok && (t->name.n || buf_add(&t->name, "", 0));
}

bool subject_is_function(const struct subject *t)
{
	return t->from < t->to;
}

char *subject_text(struct subject *t, enum class_seen *seen)
{
	if (!subject_is_function(t)) {
		*seen = SEEN_FUNCTION;
		return t->name.p;
	}
	if (*seen == SEEN_SCOPE && !t->own)
		*seen = SEEN_FUNCTION;
	if (*seen < SEEN_ARGUMENTS)
		return t->scope.p + (*seen == SEEN_FUNCTION ? t->own : 0);
	if (!t->args.n && !add_arguments(&t->args, t->name.p + t->from, t->to - t->from))
		return NULL;
	cut(&t->args);
	/* of "(anonymous namespace)" nothing is left */
	return t->args.n ? t->args.p : t->scope.p;
}

void subject_fini(struct subject *t)
{
	buf_fini(&t->name);
	buf_fini(&t->scope);
	buf_fini(&t->args);
}
