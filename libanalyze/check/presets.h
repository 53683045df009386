/* SPDX-License-Identifier: MIT
 * Rules that come with the tool: schemas/presets/NAME.rules, put into the program by the Makefile.
 */
#ifndef TM_CHECK_PRESETS_H
#define TM_CHECK_PRESETS_H

struct tm_check_preset {
	const char *name, *text; /* a file of rules */
};

/* All of them in the order of their names, ending with name NULL. */
extern const struct tm_check_preset tm_check_presets[];

#endif
