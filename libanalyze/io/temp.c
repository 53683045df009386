/* SPDX-License-Identifier: MIT */
#include "io/temp.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *tm_temp_place(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int tm_temp_open(void)
{
	char path[4096];
	int fd = open(tm_temp_place(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	snprintf(path, sizeof path, "%s/tracemill.XXXXXX", tm_temp_place());
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}
