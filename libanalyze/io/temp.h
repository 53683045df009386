/* SPDX-License-Identifier: MIT
 * Temporary files for what is too large for memory. */
#ifndef TM_IO_TEMP_H
#define TM_IO_TEMP_H

/* Where temporary files go: TMPDIR, or /tmp. */
const char *tm_temp_place(void);

/* Open an unnamed file for reading and writing, so that nothing remains however the program ends.
 * -1 with errno. */
int tm_temp_open(void);

#endif
