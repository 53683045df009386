/* SPDX-License-Identifier: MIT
 * Which collective did a test of rccl-tests run that does not print its name? */
#ifndef TM_LIBPERF_LIB_COMPARE_COMM_H
#define TM_LIBPERF_LIB_COMPARE_COMM_H

/* Texts of a row, as printed; "" where there is none. */
struct tm_lib_comm {
	const char *bytes, *count, *type, *ranks, *redop, *root, *algbw, *busbw;
};

/* Its name; several that cannot be told apart, with "/" between them; or "collective". */
const char *tm_lib_comm_name(const struct tm_lib_comm *c);

#endif
