/* SPDX-License-Identifier: MIT
 *
 * What part of a demangled name is the function?  Answered by tokens and brackets, not by a C++
 * grammar: a name that does not balance, or does not look like a function, is left as it is. */
#include "model/kernel_name.h"

#include "base/base.h"
#include "model/name_base.h"
#include "model/name_scan.h"

#include <inttypes.h>
#include <string.h>

/* Longest mark as it is; longer ones are hashed. */
enum { MARK = 16 };

/* Length of a versioned inline namespace at s[at..n), "ROCPRIM_400000_NS::", or 0. */
static size_t inline_namespace(const char *s, size_t n, size_t at)
{
	static const char *const lib[] = { "ROCPRIM_", "HIPCUB_", "THRUST_", "CUB_" };

	if (at > 0 && tm_name_is_ident(s[at - 1]))
		return 0;
	for (size_t i = 0; i < sizeof lib / sizeof *lib; i++) {
		size_t end = at + strlen(lib[i]);

		if (!tm_name_looking_at(s, n, at, lib[i]) || end >= n || !name_is_digit(s[end]))
			continue;
		while (end < n && (name_is_digit(s[end]) ||
		                   (s[end] == '_' && end + 1 < n && name_is_digit(s[end + 1]))))
			end++;
		if (tm_name_looking_at(s, n, end, "_NS::"))
			return end + 5 - at;
	}
	return 0;
}

/* The numbers of a name's lambdas, in their order.  They count the lambdas of a function: one more
 * above renumbers all below, so they are no part of the stable text; but they tell kernels apart.
 */
struct numbers {
	struct tm_buf text; /* "3.12.1" */
	bool all_first;
};

static void note_number(struct numbers *k, const char *digits, size_t n, unsigned plus)
{
	uint64_t number;

	if (k->text.n)
		tm_buf_chr(&k->text, '.');
	if (tm_num_u64(digits, n, &number) && number < UINT64_MAX - plus) {
		tm_buf_fmt(&k->text, "%" PRIu64, number + plus);
		k->all_first &= number + plus == 1;
	} else {
		tm_buf_add(&k->text, digits, n);
		k->all_first = false;
	}
}

/* Length of a lambda's number that begins at s[at..n), which is noted: {lambda(int)#2},
 * 'lambda0'(int), foo::$_3.  The second spelling leaves the first one's number out and counts from
 * the next. */
static size_t lambda_number(const char *s, size_t n, size_t at, struct numbers *k)
{
	size_t end = at, from = at;

	if (s[at] == '#' && at > 0 && s[at - 1] == ')')
		from = ++end;
	while (end < n && name_is_digit(s[end]))
		end++;
	if (from > at) {
		if (end == from || end == n || s[end] != '}')
			return 0;
		note_number(k, s + from, end - from, 0);
	} else if (at >= 7 && memcmp(s + at - 7, "'lambda", 7) == 0) {
		if (end == n || s[end] != '\'')
			return 0;
		note_number(k, end > at ? s + at : "1", end > at ? end - at : 1, end > at ? 2 : 0);
	} else if (end > at && at >= 2 && memcmp(s + at - 2, "$_", 2) == 0 &&
	           (at == 2 || s[at - 3] == ':')) {
		note_number(k, s + at, end - at, 1);
	} else {
		return 0;
	}
	return end - at;
}

/* A mark that keeps kernels apart which differ in their lambdas' numbers only.  Most have but first
 * ones, and no mark. */
static void add_mark(struct tm_buf *out, const struct numbers *k)
{
	uint32_t hash = 2166136261u;

	if (!k->text.n || k->all_first)
		return;
	if (k->text.n <= MARK) {
		tm_buf_fmt(out, "#%s", k->text.p);
		return;
	}
	for (size_t i = 0; i < k->text.n; i++)
		hash = (hash ^ (unsigned char)k->text.p[i]) * 16777619u;
	tm_buf_fmt(out, "#x%08" PRIx32, hash);
}

/* Copy without what changes from build to build, and a mark. */
static bool add_stable(struct tm_buf *out, const char *s, size_t n)
{
	struct numbers numbers = { .all_first = true };
	size_t i = 0, copied = 0;

	while (i < n) {
		size_t skip = 0;

		if (s[i] == '(' && tm_name_looking_at(s, n, i, NAME_ANON "::"))
			skip = sizeof NAME_ANON - 1 + 2;
		else if (s[i] == '<' && tm_name_looking_at(s, n, i, "<unnamed>::"))
			skip = 11;
		else if (s[i] == 'R' || s[i] == 'H' || s[i] == 'T' || s[i] == 'C')
			skip = inline_namespace(s, n, i);
		else if (name_is_digit(s[i]) || s[i] == '#' || s[i] == '\'')
			skip = lambda_number(s, n, i, &numbers);
		if (!skip && name_is_digit(s[i])) {
			/* one look per number, however long */
			while (i < n && name_is_digit(s[i]))
				i++;
			continue;
		}
		if (!skip) {
			i++;
			continue;
		}
		tm_buf_add(out, s + copied, i - copied);
		i += skip;
		copied = i;
	}
	tm_buf_add(out, s + copied, n - copied);
	if (out->n)
		add_mark(out, &numbers);
	out->failed |= numbers.text.failed;
	tm_buf_fini(&numbers.text);
	return !out->failed;
}

/* Inductor and Triton number the kernels of a compilation: triton_poi_fused_add_7. */
static size_t triton_length(const char *s, size_t n)
{
	size_t end = n;

	if (!tm_name_looking_at(s, n, 0, "triton_"))
		return n;
	while (end > 0 && name_is_digit(s[end - 1]))
		end--;
	return end < n && end > 7 && s[end - 1] == '_' ? end - 1 : n;
}

const char *tm_kernel_name_trim(const char *name, size_t len, size_t *n)
{
	static const char *const tail[] = { ".kd", " [clone .kd]", " (.kd)", "(.kd)" };
	bool again = true;

	while (again) {
		again = false;
		if (len > 2 && name[0] == '"' && name[len - 1] == '"') {
			name++;
			len -= 2;
			again = true;
		}
		for (size_t i = 0; i < sizeof tail / sizeof *tail; i++) {
			size_t t = strlen(tail[i]);

			if (len > t && memcmp(name + len - t, tail[i], t) == 0) {
				len -= t;
				again = true;
			}
		}
	}
	*n = len;
	return name;
}

/* Append the short form of a full name, or the base form. */
static bool add_shorter(struct tm_buf *out, const char *s, size_t n, enum tm_name_level level)
{
	struct tm_buf base = { 0 };
	size_t start = out->n;
	struct slice r;
	bool ok;

	if (!memchr(s, '(', n) && !memchr(s, '<', n) && !memchr(s, ':', n) && !memchr(s, ' ', n))
		return tm_buf_add(out, s, triton_length(s, n));
	if (!tm_name_function(s, n, false, &r)) {
		out->failed = true;
		return false;
	}
	if (r.from == r.to)
		return tm_buf_add(out, s, n);
	if (level == TM_NAME_BASE)
		ok = tm_name_base(&base, s + r.from, r.to - r.from) &&
		     add_stable(out, base.p, base.n);
	else
		ok = add_stable(out, s + r.from, r.to - r.from);
	tm_buf_fini(&base);
	if (!ok)
		out->failed = true;
	return ok && (out->n > start || tm_buf_add(out, s, n));
}

bool tm_kernel_name(struct tm_buf *out, const char *name, size_t len, enum tm_name_level level)
{
	struct tm_buf full = { 0 };
	size_t n;
	bool ok;

	name = tm_kernel_name_trim(name, len, &n);
	if (level == TM_NAME_FULL)
		return tm_demangle(out, name, n) || (!out->failed && tm_buf_add(out, name, n));
	if (tm_demangle(&full, name, n)) {
		name = full.p;
		n = full.n;
	}
	ok = !full.failed;
	if (!ok)
		out->failed = true;
	else
		ok = add_shorter(out, name, n, level);
	tm_buf_fini(&full);
	return ok;
}

size_t tm_kernel_name_unmarked(const char *name, size_t len)
{
	size_t at = len;

	while (at > 0 && (name_is_digit(name[at - 1]) || strchr(".xabcdef", name[at - 1])) &&
	       len - at <= MARK)
		at--;
	return at > 1 && at < len && name[at - 1] == '#' ? at - 1 : len;
}
