/* SPDX-License-Identifier: MIT */
#include "cli/operands/operand.h"

#include "base/base.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct operand tm_operand_of(const char *word)
{
	const char *eq = strchr(word, '=');
	uint64_t number;

	if (!eq || !tm_num_u64(word, (size_t)(eq - word), &number) || number == UINT64_MAX ||
	    !eq[1])
		return (struct operand) { .path = word };
	return (struct operand) { .path = eq + 1, .side = number + 1 };
}

bool tm_operand_pattern(const char *path, glob_t *g)
{
	struct stat st;

	*g = (glob_t) { 0 };
	if (!strcmp(path, "-") || !lstat(path, &st))
		return false;
	if (!glob(path, GLOB_NOMAGIC, NULL, g))
		return true;
	globfree(g);
	*g = (glob_t) { 0 };
	return false;
}

bool tm_operands_some(size_t n, struct tm_diag *d)
{
	if (n || !isatty(STDIN_FILENO))
		return true;
	tm_diag_set(d, 0, "no input: give a file, a directory, or - for standard input");
	return false;
}

bool tm_operands_walk(const struct operand *v, size_t n, bool patterns, struct tm_walk *w,
                      void (*fault)(void *arg, size_t operand, const char *path,
                                    const struct tm_diag *d),
                      void *arg)
{
	bool no_memory = false;
	size_t stdins = 0;

	for (size_t i = 0; i < n && !no_memory; i++) {
		char *alone = (char *)(uintptr_t)v[i].path, **path = &alone;
		size_t paths = 1;
		glob_t g = { 0 };
		struct tm_diag d = { 0 };

		if (!strcmp(alone, "-") && stdins++) {
			tm_diag_set(&d, 0, "standard input can be read only once");
			fault(arg, i, alone, &d);
			continue;
		}
		if (patterns && tm_operand_pattern(alone, &g)) {
			path = g.gl_pathv;
			paths = g.gl_pathc;
		}
		for (size_t k = 0; k < paths && !no_memory; k++) {
			if (tm_walk_add(w, path[k], i, &d))
				continue;
			no_memory = d.status == TM_ST_NOMEM;
			if (!no_memory)
				fault(arg, i, path[k], &d);
		}
		globfree(&g);
	}
	return !no_memory;
}

uint64_t tm_operand_number(void *arg, size_t operand)
{
	return ((const struct operand *)arg)[operand].side;
}

uint64_t tm_operand_side(void *arg, size_t operand)
{
	return ((const struct operand *)arg)[operand].side + 1;
}

void tm_operand_twice(const struct tm_walk *w, size_t file, const char *same, struct tm_report *rep)
{
	const char *path = w->v[file].path, *other = w->v[w->v[file].same_as].path;

	if (!strcmp(path, other))
		tm_report_add(rep, TM_SEV_NOTE, path, 0, "given twice; counted once");
	else
		tm_report_add(rep, TM_SEV_NOTE, path, 0, "same %s as %s; counted once", same,
		              other);
}
