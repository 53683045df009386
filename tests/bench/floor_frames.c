/* SPDX-License-Identifier: MIT
 * floor_frames - what it costs to find the packets of a Perfetto trace at all: read() 256 KB at a
 * time, follow the lengths, count.  No program that reads packets can be faster than this. */

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 256 * 1024, HEAD = 11 };

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "floor_frames: %s: %s\n", path, why);
	return 2;
}

/* Bytes of the packet at p, its head included; 0 = it is none. */
static uint64_t packet(const unsigned char *p)
{
	uint64_t len = 0;
	unsigned i = 1;

	if (*p != 0x0a)
		return 0;
	for (unsigned shift = 0; i < HEAD; shift += 7) {
		len |= (uint64_t)(p[i] & 0x7f) << shift;
		if (!(p[i++] & 0x80))
			return i + len;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static unsigned char block[BLOCK + HEAD];
	uint64_t packets = 0, skip = 0;
	size_t had = 0;
	ssize_t n;
	int fd;

	if (argc != 2)
		return fail("usage", "floor_frames FILE");
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(argv[1], strerror(errno));
	while ((n = read(fd, block + had, BLOCK - had)) > 0) {
		uint64_t at = skip, end = had + (uint64_t)n;

		while (at + HEAD <= end) {
			uint64_t bytes = packet(block + at);

			if (!bytes)
				return fail(argv[1], "not a packet");
			packets++;
			at += bytes;
		}
		/* The rest of a packet is passed over, the beginning of one is kept. */
		skip = at < end ? 0 : at - end;
		had = at < end ? (size_t)(end - at) : 0;
		memmove(block, block + end - had, had);
	}
	if (n < 0)
		return fail(argv[1], strerror(errno));
	for (size_t at = 0; at < had;) {
		uint64_t bytes = packet(block + at);

		if (!bytes)
			return fail(argv[1], "not a packet");
		packets++;
		at += bytes;
	}
	close(fd);
	printf("%llu\n", (unsigned long long)packets);
	return 0;
}
