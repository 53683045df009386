/* SPDX-License-Identifier: MIT
 * measure - run a command and say what the whole process cost: CPU, wall clock, peak memory.
 *
 *   measure [-n RUNS] [-s STATUS] [-o OUT] [-i IN] [-p] COMMAND [ARG...]
 *
 * Prints "cpu_us wall_us peak_kib", medians over RUNS (default 1), the last as maximum.  The
 * command's stdout goes to OUT (default: thrown away), its stdin comes from IN (default: ours, so
 * that a pipe can be measured from one end).  Exit: that of the first run that failed, else 0; up
 * to STATUS (default 0) is no failure.  With -p the kernel gives the command no large pages: its
 * peak is then what it asked for, not that rounded up.
 *
 * Not time(1), which is often not there; and a small C program, because the peak that the kernel
 * reports for a child begins with that of the process it was forked from. */

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint64_t us(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

static void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	_exit(125); /* also after fork: no buffers of the parent to flush */
}

static void redirect(const char *path, int flags, int to)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	if (fd < 0 || dup2(fd, to) < 0)
		die(path);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median(uint64_t *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	const char *out = "/dev/null", *in = NULL;
	uint64_t *cpu, *wall, peak = 0;
	size_t runs = 1;
	int c, accept = 0;

	while ((c = getopt(argc, argv, "+n:s:o:i:p")) != -1) {
		if (c == 'n')
			runs = strtoul(optarg, NULL, 10);
		else if (c == 's')
			accept = (int)strtol(optarg, NULL, 10);
		else if (c == 'o')
			out = optarg;
		else if (c == 'i')
			in = optarg;
		else if (c == 'p')
			prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
		else
			return 125;
	}
	if (optind >= argc || runs < 1 || runs > 100000) {
		fputs("usage: measure [-n RUNS] [-s STATUS] [-o OUT] [-i IN] [-p] COMMAND "
		      "[ARG...]\n",
		      stderr);
		return 125;
	}
	cpu = calloc(runs, sizeof *cpu);
	wall = calloc(runs, sizeof *wall);
	if (!cpu || !wall)
		die("memory");
	for (size_t i = 0; i < runs; i++) {
		uint64_t begin = now_us();
		struct rusage use;
		int status;
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0) {
			redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
			if (in)
				redirect(in, O_RDONLY, STDIN_FILENO);
			execvp(argv[optind], argv + optind);
			die(argv[optind]);
		}
		if (wait4(pid, &status, 0, &use) != pid)
			die("wait4");
		if (!WIFEXITED(status) || WEXITSTATUS(status) > accept)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		wall[i] = now_us() - begin;
		cpu[i] = us(use.ru_utime) + us(use.ru_stime);
		if ((uint64_t)use.ru_maxrss > peak)
			peak = (uint64_t)use.ru_maxrss;
	}
	printf("%llu %llu %llu\n", (unsigned long long)median(cpu, runs),
	       (unsigned long long)median(wall, runs), (unsigned long long)peak);
	free(cpu);
	free(wall);
	return 0;
}
