/* SPDX-License-Identifier: MIT
 * Lists of databases: the index.yaml of an .rpdb folder, as `rocpd package` writes it. */
#ifndef TM_IO_LIST_H
#define TM_IO_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum {
	LIST_MAX = 4 * 1024 * 1024, /* bytes of a list that is believed to be one */
	LIST_HEAD = 4096,           /* ... in which its first key stands */
};

/* Called for each path of a list, as it stands there but without quotes; false stops.  NULL: memory
 * ran out, and there are more. */
typedef bool (*list_take)(void *arg, const char *path, size_t n);

/* Is p[0..n) such a list?  A YAML mapping with rocprofiler-sdk: rocpd: files: and a path, paths
 * line by line after dashes, or paths in brackets.  Each goes to `take`.  False: it is none, and
 * nothing was taken. */
bool tm_list_parse(const char *p, size_t n, list_take take, void *arg);

#endif
