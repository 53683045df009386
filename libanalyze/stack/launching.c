/* SPDX-License-Identifier: MIT */
#include "stack/launching.h"

#include <stddef.h>
#include <string.h>

bool tm_name_like(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	return pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1) : !strcmp(pattern, name);
}

enum tm_call_kind tm_call_kind_of_text(const char *name)
{
	static const struct {
		enum tm_call_kind kind;
		const char *name;
	} launches[] = {
#define TM_CALL_KERNEL     TM_CALL_LAUNCH
#define LAUNCH(kind, name) { TM_CALL_##kind, name },
#include "schemas/launch_calls.def"
#undef LAUNCH
#undef TM_CALL_KERNEL
	};

	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
		if (tm_name_like(launches[i].name, name))
			return launches[i].kind;
	return TM_CALL_OTHER;
}
