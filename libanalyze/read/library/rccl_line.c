/* SPDX-License-Identifier: MIT */
#include "read/library/rccl.h"

#include "base/base.h"

#include <string.h>

enum how { HEX, DECIMAL, POINTER };

static const struct {
	const char *word;
	enum how how;
	bool needed;
} keys[TM_RF_N] = {
#define KEY(word_, how_, field_, needed_)                                                          \
	[TM_RF_##field_] = { .word = word_, .how = how_, .needed = needed_ },
#include "schemas/rccl_log.def"
};

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool of_host(char c)
{
	return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
	       c == '_' || c == '.';
}

bool tm_rccl_hex(const char *p, size_t n, uint64_t *v)
{
	*v = 0;
	if (!n || n > 16)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = p[i];
		unsigned d = digit(c)               ? (unsigned)(c - '0')
		             : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
		                                    : 16;

		if (d == 16)
			return false;
		*v = *v << 4 | d;
	}
	return true;
}

struct tm_small_field tm_rccl_word(const char **p, const char *end)
{
	struct tm_small_field w;

	while (*p < end && **p == ' ')
		++*p;
	w.p = *p;
	while (*p < end && **p != ' ')
		++*p;
	w.n = (size_t)(*p - w.p);
	return w;
}

bool tm_rccl_is_word(const struct tm_small_field *w, const char *text)
{
	return w->n == strlen(text) && !memcmp(w->p, text, w->n);
}

static bool begins(const struct tm_small_field *w, const char *text)
{
	return w->n >= strlen(text) && !memcmp(w->p, text, strlen(text));
}

static bool value_of(enum how how, const struct tm_small_field *w, uint64_t *v)
{
	switch (how) {
	case HEX:
		return tm_rccl_hex(w->p, w->n, v);
	case DECIMAL:
		return tm_num_u64(w->p, w->n, v);
	default:
		*v = 0;
		return tm_rccl_is_word(w, "(nil)") ||
		       (begins(w, "0x") && tm_rccl_hex(w->p + 2, w->n - 2, v));
	}
}

/* May this be a pair that is not in the table: letters, and a number or a pointer? */
static bool plain(const struct tm_small_field *key, const struct tm_small_field *value)
{
	bool negative = value->n > 1 && *value->p == '-';
	struct tm_small_field number = { value->p + negative, value->n - negative };
	size_t i = 0;
	uint64_t v;

	while (i < key->n && of_host(key->p[i]) && key->p[i] != '-' && key->p[i] != '.')
		i++;
	return i == key->n && !digit(*key->p) &&
	       (value_of(POINTER, &number, &v) || tm_rccl_hex(number.p, number.n, &v));
}

bool tm_rccl_pairs_parse(const char *p, const char *end, struct tm_rccl_pairs *out)
{
	memset(out, 0, sizeof *out);
	for (;;) {
		struct tm_small_field key = tm_rccl_word(&p, end), value;
		size_t k = 0;

		if (!key.n || tm_rccl_is_word(&key, "-"))
			return true;
		if (begins(&key, "[nranks=")) {
			k = TM_RF_RANKS;
			value = (struct tm_small_field) { key.p + 8, key.n - 8 };
			if (!value.n || value.p[--value.n] != ']')
				return false;
		} else {
			while (k < TM_RF_N && !tm_rccl_is_word(&key, keys[k].word))
				k++;
			value = tm_rccl_word(&p, end);
			if (!value.n)
				return false;
		}
		if (k == TM_RF_N) {
			/* The remains of a line that another was written over are no pair. */
			if (!plain(&key, &value))
				return false;
			out->counts |= tm_rccl_is_word(&key, "sendcounts");
			continue;
		}
		/* "-1" is the rank of nobody: none. */
		if (keys[k].how == DECIMAL && value.n > 1 && *value.p == '-' && digit(value.p[1]))
			continue;
		if (!value_of(keys[k].how, &value, &out->v[k]))
			return false;
		out->has |= 1u << k;
		out->text[k] = value;
	}
}

bool tm_rccl_origin_parse(const char *line, const char *at, struct tm_rccl_origin *o)
{
	const char *p = at, *pid, *tid;

	if (p == line || *--p != ']')
		return false;
	while (p > line && digit(p[-1]))
		p--;
	if (p - line < 2 || *--p != '[' || *--p != ' ')
		return false;
	tid = p;
	while (tid > line && digit(tid[-1]))
		tid--;
	if (tid == line || tid[-1] != ':' || !tm_num_u64(tid, (size_t)(p - tid), &o->tid))
		return false;
	pid = tid - 1;
	p = pid;
	while (pid > line && digit(pid[-1]))
		pid--;
	if (pid == line || pid[-1] != ':' || !tm_num_u64(pid, (size_t)(p - pid), &o->pid))
		return false;
	pid--;
	while (pid > line && of_host(pid[-1]))
		pid--;
	o->process = (struct tm_small_field) { pid, (size_t)(p - pid) };
	return *pid != ':';
}

const char *tm_rccl_find_last(const char *p, size_t n, const char *text)
{
	const char *found = NULL, *end = p + n;
	size_t len = strlen(text);

	while ((p = memmem(p, (size_t)(end - p), text, len)) != NULL) {
		found = p;
		p += len;
	}
	return found;
}

bool tm_rccl_collective_parse(const char *name, const char *colon, const char *end,
                              struct tm_rccl_pairs *out)
{
	for (const char *p = name; p < colon; p++)
		if (!of_host(*p))
			return false;
	if (name == colon || !tm_rccl_pairs_parse(colon + 1, end, out))
		return false;
	for (int f = 0; f < TM_RF_N; f++)
		if (keys[f].needed && !(out->has & 1u << f))
			return false;
	/* A line that has task goes on with globalrank; the rank count is in every release. */
	return out->has & 1u << TM_RF_RANKS && (out->counts || out->has & 1u << TM_RF_COUNT) &&
	       !(out->has & 1u << TM_RF_TASK && !(out->has & 1u << TM_RF_GLOBAL_RANK));
}
