/* SPDX-License-Identifier: MIT
 * Room on disk for what is too much to keep in memory. */
#ifndef TM_IO_TEMP_H
#define TM_IO_TEMP_H

/* Where temporary files go: TMPDIR, or /tmp. */
const char *tm_temp_place(void);

/* A file without a name, for reading and writing, so that nothing is left behind however the
 * program ends.  -1 with errno. */
int tm_temp_open(void);

#endif
