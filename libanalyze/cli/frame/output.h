/* SPDX-License-Identifier: MIT
 * The output of a tool: standard output, or a file that is written atomically. */
#ifndef TM_CLI_OUTPUT_H
#define TM_CLI_OUTPUT_H

#include "base/base.h"
#include "cli/frame/option.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* {.path = what -o says} is an output that nothing was written to yet.  A regular file is written
 * without a name where the system can do that, else as PATH.tmp-PID, and takes its name at the end;
 * devices and pipes are written as they are.  Links are followed, and stay. */
struct output {
	const char *path; /* NULL or "-" = standard output; borrowed */
	/* private */
	bool open, named;
	bool atomic;
	int fd;
	char *tmp, real[PATH_MAX];
};

/* Write; arg is the struct output.  False with *d, which says where and why. */
bool tm_output_put(void *arg, const void *p, size_t n, struct tm_diag *d);

/* Close, checked.  With `keep` the file takes its name, empty if nothing was written; without, it
 * is gone.  False with *d. */
bool tm_output_close(struct output *o, bool keep, struct tm_diag *d);

/* The regular file that `path`, which is one or is not there yet, leads to: into `real`, so that a
 * new file takes the place of that and not of a link.  *standard: it is the one that standard
 * output goes to, as with -o /dev/stdout > FILE, which must not be another one then.  False with
 * *d: it leads nowhere. */
bool tm_output_follow(const char *path, char real[PATH_MAX], bool *standard, struct tm_diag *d);

/* Are both one regular file, which is there? */
bool tm_output_same(const char *path, const char *other);

/* Is it one of the operands: FILE, or NUMBER=FILE? */
bool tm_output_is_one_of(const char *path, const struct option_list *operands);

/* *d: the file of that option is read, and would be gone. */
void tm_output_lost(struct tm_diag *d, const char *option, const char *path);

#endif
