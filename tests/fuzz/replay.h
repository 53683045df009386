/* SPDX-License-Identifier: MIT
 * A main() for fuzz targets where there is no libFuzzer: with -DFUZZ_REPLAY,
 *     TARGET [--mutate N] [--cut N] FILE|DIRECTORY...
 * runs every file, then each of them cut at N places (at every byte, if it has no more), then N
 * inputs made from them by a fixed sequence of changes: the same on every machine and in every
 * build.  A child does the work; when it dies, the parent keeps the input it died of under
 * build/fuzz/ and says so. */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#ifdef FUZZ_REPLAY

#include "base/buf.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	REPLAY_SECONDS = 30,       /* for one input */
	REPLAY_MUTANT = 24 * 1024, /* bytes of a changed input, mostly */
	REPLAY_LARGE = 600 * 1024, /* ... now and then, to cross the blocks of the readers */
	REPLAY_KEEP = 4096 * 1024, /* bytes of an input that can be kept */
};

struct replay_seed {
	char *path;
	unsigned char *p;
	size_t n;
};

static struct {
	struct replay_seed *v;
	size_t n, cap;
} replay_seeds;

/* What the child is at, seen by the parent. */
static struct replay_now {
	size_t n;
	unsigned long number; /* of the mutant */
	char path[1024];
	unsigned char p[REPLAY_KEEP];
} * replay_now;

static uint64_t replay_rng;

static uint32_t replay_roll(size_t n)
{
	replay_rng ^= replay_rng << 13;
	replay_rng ^= replay_rng >> 7;
	replay_rng ^= replay_rng << 17;
	return n ? (uint32_t)((replay_rng >> 20) % n) : 0;
}

static int replay_load(const char *path, const struct stat *st, int flag, struct FTW *at)
{
	struct replay_seed s = { .path = strdup(path), .n = (size_t)st->st_size };
	FILE *f;

	(void)at;
	if (flag != FTW_F || !(f = fopen(path, "rb"))) {
		free(s.path);
		return 0;
	}
	s.p = malloc(s.n ? s.n : 1);
	s.n = fread(s.p, 1, s.n, f);
	fclose(f);
	if (!tm_grow_array(&replay_seeds.v, &replay_seeds.cap, replay_seeds.n + 1, sizeof s))
		abort();
	replay_seeds.v[replay_seeds.n++] = s;
	return 0;
}

static int replay_by_path(const void *a, const void *b)
{
	return strcmp(((const struct replay_seed *)a)->path, ((const struct replay_seed *)b)->path);
}

/* One input, copied to exactly its size so that a sanitizer sees a read past it. */
static void replay_one(const char *path, unsigned long number, const unsigned char *p, size_t n)
{
	unsigned char *copy = malloc(n ? n : 1);

	if (n)
		memcpy(copy, p, n);
	snprintf(replay_now->path, sizeof replay_now->path, "%s", path);
	replay_now->number = number;
	replay_now->n = n < REPLAY_KEEP ? n : REPLAY_KEEP;
	if (replay_now->n)
		memcpy(replay_now->p, p, replay_now->n);
	alarm(REPLAY_SECONDS);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

/* A place in the input: often where a line or a field begins. */
static size_t replay_place(const struct tm_buf *b)
{
	size_t at = replay_roll(b->n + 1);
	const char *q;

	if (at < b->n && replay_roll(2)) {
		q = memchr(b->p + at, replay_roll(2) ? '\n' : ',', b->n - at);
		at = q ? (size_t)(q - b->p) + replay_roll(2) : at;
	}
	return at;
}

/* Replace b[at, at + gone) by p[0..n). */
static void replay_splice(struct tm_buf *b, size_t at, size_t gone, const void *p, size_t n)
{
	struct tm_buf out = { 0 };

	gone = gone < b->n - at ? gone : b->n - at;
	tm_buf_add(&out, b->p, at);
	tm_buf_add(&out, p, n);
	tm_buf_add(&out, b->p + at + gone, b->n - at - gone);
	tm_buf_fini(b);
	*b = out;
}

static void replay_change(struct tm_buf *b)
{
	static const char *const token[] = {
		"\"",
		"\"\"",
		",",
		"\n",
		"\r\n",
		"\r",
		"\",\"",
		"\",",
		",\"",
		"\"\n",
		"\n\"",
		"\n\n",
		"0",
		"18446744073709551615",
		"18446744073709551616",
		"-1",
		"None",
		"nan",
		"1e308",
		"9223372036854775808",
		"0x",
		"0xffffffffffffffff",
		"12.0",
		"00000000000000000001",
		"Agent 4",
		"GPU 0",
		"CPU 4294967296",
		"\"Agent 1\"",
		"KERNEL_DISPATCH",
		"\xef\xbb\xbf",
		"\xff",
		"\xc3\xa9",
		"(",
		")",
		"), ",
		"Domain(",
		"[",
		"]",
		"#",
		".kd",
		" [clone .kd]",
		",,",
		",,,,,,,,",
		"                                                                ",
	};
	const struct replay_seed *other = &replay_seeds.v[replay_roll(replay_seeds.n)];
	size_t at = replay_place(b), n, from;
	const char *word;
	char *copy;

	switch (replay_roll(9)) {
	case 0:
		if (at < b->n)
			b->p[at] = (char)replay_roll(256);
		break;
	case 1:
		replay_splice(b, at, replay_roll(2) ? 1 : replay_roll(40), "", 0);
		break;
	case 2:
	case 3:
		word = token[replay_roll(sizeof token / sizeof *token)];
		replay_splice(b, at, replay_roll(3) ? 0 : replay_roll(12), word, strlen(word));
		break;
	case 4: /* a NUL, which no token can be */
		replay_splice(b, at, replay_roll(2), "", 1);
		break;
	case 5: /* a piece of the same input again, somewhere else */
	case 6:
		n = replay_roll(replay_roll(3) ? 80 : 2000);
		from = replay_place(b);
		n = n < b->n - from ? n : b->n - from;
		copy = malloc(n + 1);
		memcpy(copy, b->p + from, n);
		replay_splice(b, at, replay_roll(3) ? 0 : n, copy, n);
		free(copy);
		break;
	case 7: /* a piece of another */
		n = replay_roll(200);
		from = replay_roll(other->n + 1);
		n = n < other->n - from ? n : other->n - from;
		replay_splice(b, at, replay_roll(100), other->p + from, n);
		break;
	default:
		b->n = replay_roll(4) ? b->n : at;
		break;
	}
}

static void replay_mutate(unsigned long number)
{
	const struct replay_seed *s;
	struct tm_buf b = { 0 };
	size_t n, most;

	replay_rng = 88172645463325252u + number * 0x9e3779b97f4a7c15u;
	replay_roll(0);
	replay_roll(0);
	s = &replay_seeds.v[replay_roll(replay_seeds.n)];
	most = replay_roll(40) ? REPLAY_MUTANT : REPLAY_LARGE;
	n = s->n < most ? s->n : most;
	tm_buf_add(&b, s->p, n);
	/* Rows from further on after the first ones, so that not all mutants know only those. */
	if (s->n > n && replay_roll(2)) {
		size_t at = replay_roll(s->n - n);
		const unsigned char *nl = memchr(s->p + at, '\n', s->n - at);

		if (nl)
			tm_buf_add(&b, nl + 1,
			           s->n - (size_t)(nl + 1 - s->p) < n
			                   ? s->n - (size_t)(nl + 1 - s->p)
			                   : n);
	}
	if (b.p)
		for (uint32_t i = 1 + replay_roll(replay_roll(4) ? 4 : 40); i--;)
			replay_change(&b);
	replay_one(s->path, number, (unsigned char *)b.p, b.n);
	tm_buf_fini(&b);
}

/* Every beginning of an input, or `cuts` of them; the number is where it was cut. */
static void replay_cut(const struct replay_seed *s, unsigned long cuts)
{
	for (unsigned long i = 0; i < cuts; i++) {
		size_t n = s->n < cuts ? i : (size_t)((unsigned long long)s->n * i / cuts);

		if (n < s->n)
			replay_one(s->path, n, s->p, n);
	}
}

/* What the child died of, for whoever has to look into it. */
static void replay_report(const char *target, int status)
{
	const char *name = strrchr(target, '/');
	char out[1200];
	FILE *f;

	mkdir("build", 0777);
	mkdir("build/fuzz", 0777);
	snprintf(out, sizeof out, "build/fuzz/crash-%s-%lu", name ? name + 1 : target,
	         replay_now->number);
	f = fopen(out, "wb");
	if (f) {
		fwrite(replay_now->p, 1, replay_now->n, f);
		fclose(f);
	}
	fprintf(stderr, "%s: %s %d on %s, change %lu: kept as %s\n", target,
	        WIFSIGNALED(status) ? "signal" : "status",
	        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), replay_now->path,
	        replay_now->number, f ? out : "nothing");
}

int main(int argc, char **argv)
{
	unsigned long mutants = 0, cuts = 0;
	int status = 0;
	pid_t child;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--mutate") && i + 1 < argc)
			mutants = strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--cut") && i + 1 < argc)
			cuts = strtoul(argv[++i], NULL, 10);
		else if (nftw(argv[i], replay_load, 16, 0) != 0)
			fprintf(stderr, "%s: cannot look at %s\n", argv[0], argv[i]);
	}
	if (!replay_seeds.n) {
		fprintf(stderr, "%s: no files\n", argv[0]);
		return 2;
	}
	qsort(replay_seeds.v, replay_seeds.n, sizeof *replay_seeds.v, replay_by_path);
	replay_now = mmap(NULL, sizeof *replay_now, PROT_READ | PROT_WRITE,
	                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (replay_now == MAP_FAILED)
		return 2;
	child = fork();
	if (!child) {
		for (size_t i = 0; i < replay_seeds.n; i++)
			replay_one(replay_seeds.v[i].path, 0, replay_seeds.v[i].p,
			           replay_seeds.v[i].n);
		for (size_t i = 0; i < replay_seeds.n; i++)
			replay_cut(&replay_seeds.v[i], cuts);
		for (unsigned long i = 1; i <= mutants; i++)
			replay_mutate(i);
		/* exit, not _exit: a leak is looked for there. */
		replay_now->n = 0;
		snprintf(replay_now->path, sizeof replay_now->path, "the end");
		for (size_t i = 0; i < replay_seeds.n; i++) {
			free(replay_seeds.v[i].path);
			free(replay_seeds.v[i].p);
		}
		free(replay_seeds.v);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 2;
	if (status) {
		replay_report(argv[0], status);
		return 1;
	}
	printf("ok %s: %zu files, %lu changes\n", argv[0], replay_seeds.n, mutants);
	return 0;
}

#endif
#endif
