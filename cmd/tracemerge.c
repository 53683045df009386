/* SPDX-License-Identifier: MIT
 * tracemerge - many ranks, one dataset.
 *
 * Reads any mix of the formats of tracemill-formats(5), run.db included, and writes one SQLite
 * database with every event, its rank, and sums that make `kstats top run.db` quick.
 * Exit 0, or 2 when something could not be read or written whole. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct merge_own own = MERGE_OWN;

/* The output, for a signal to take away. */
static struct place place;

static void on_signal(int sig)
{
	static const char said[] = "tracemerge: error: interrupted; nothing was written\n";
	ssize_t n;

	if (place.finished)
		return;
	n = write(STDERR_FILENO, said, sizeof said - 1);
	(void)n;
	tm_place_abandon(&place);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_signals(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct sigaction old;

		/* nohup, and shells starting things in the background, mean it. */
		if (!sigaction(all[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(all[i], &act, NULL);
	}
}

static void options(const struct tool_command *cmd, struct option *out)
{
	(void)cmd;
	tm_merge_options(&own, out);
}

static int run(struct common *c, const struct tool_command *cmd)
{
	(void)cmd;
	return tm_merge_run(c, &own, &place, watch_signals);
}

int main(int argc, char **argv)
{
	static const struct tool tool = {
		.name = "tracemerge",
		.updates = tm_store_is,
		.self = { .usage = "tracemerge [options] [FILE|DIR|RANK=FILE|-]... > run.db",
		          .about = "Merge profiler traces of many ranks into one SQLite database.",
		          .examples = "tracemerge -o run.db results_*.pftrace\n"
		                      "tracemerge --align collectives traces/ > run.db\n",
		          .in = IN_TRACEMERGE },
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read "
		           "completely, or\nthe output not written.\nSee tracemerge(1) and "
		           "tracemill-formats(5).\n",
		.options = options,
		.run = run,
	};

	return tm_tool_main(&tool, argc, argv);
}
