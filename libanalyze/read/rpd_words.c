/* SPDX-License-Identifier: MIT */
#include "read/rpd_words.h"

#include "base/base.h"

#include <string.h>

static bool fits(const char *pattern, const char *text, size_t len)
{
	size_t n = strlen(pattern);

	if (*pattern == '*')
		return len >= n - 1 && !memcmp(text + len - (n - 1), pattern + 1, n - 1);
	if (pattern[n - 1] == '*')
		return len >= n - 1 && !memcmp(text, pattern, n - 1);
	return len == n && !memcmp(text, pattern, n);
}

enum rpd_operation tm_rpd_operation(const char *type, size_t n)
{
	static const struct {
		const char *pattern;
		enum rpd_operation class;
	} words[] = {
#define OPERATION(pattern, class) { pattern, RPD_##class },
#include "schemas/rpd.def"
	};
	size_t i = 0;

	while (!fits(words[i].pattern, type, n))
		i++;
	return words[i].class;
}

unsigned tm_rpd_call(const char *name, size_t n)
{
	enum { TM_DOMAIN_SELF = RPD_SELF };
	static const struct {
		const char *pattern;
		unsigned class;
	} words[] = {
#define CALL(pattern, class) { pattern, (unsigned)TM_DOMAIN_##class },
#include "schemas/rpd.def"
	};
	size_t i = 0;

	while (!fits(words[i].pattern, name, n))
		i++;
	return words[i].class;
}
