/* SPDX-License-Identifier: MIT */
#include "cli/operands/inputs.h"

#include "base/base.h"
#include "cli/operands/backups.h"
#include "cli/operands/inputs_parts.h"

#include <inttypes.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "host:/where/we/are/": names on two hosts, and in two directories, are not the same names. */
static char *where_we_are(void)
{
	char host[HOST_NAME_MAX + 1] = "", *out = NULL, *dir;
	struct tm_buf b = { 0 };

	if (gethostname(host, sizeof host - 1))
		*host = '\0';
	dir = getcwd(NULL, 0);
	if ((dir || errno != ENOMEM) && tm_buf_fmt(&b, "%s:%s/", host, dir ? dir : ""))
		out = b.p;
	else
		tm_buf_fini(&b);
	free(dir);
	return out;
}

/* The input that a file is was named by the user. */
static void name_input(struct inputs *in, size_t file)
{
	size_t lo = 0, hi = in->n;

	TM_BISECT(lo, hi, mid, in->file[mid] < file);
	if (lo < in->n && in->file[lo] == file)
		in->v[lo].optional = false;
}

/* Files that are put together from others are ignored: before duplicates are looked for, as that of
 * a single process is the same as its part. */
static bool ignore_merged(struct inputs *in, struct tm_report *rep)
{
	struct tm_wholes m = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < in->walk.n; i++)
		ok = tm_wholes_add(&m, in->walk.v[i].path, in->walk.v[i].size);
	for (size_t i = 0; ok && i < in->walk.n; i++)
		in->walk.v[i].ignored |= tm_wholes_has(&m, in->walk.v[i].path, in->walk.v[i].size,
		                                       rep);
	tm_wholes_fini(&m);
	return ok;
}

/* The files that count: no content twice. */
static void drop_duplicates(struct inputs *in)
{
	for (size_t i = 0; i < in->walk.n; i++) {
		struct tm_walk_file *f = &in->walk.v[i];

		if (f->ignored || f->duplicate)
			continue;
		in->file[in->n] = i;
		in->v[in->n++] = (struct tm_input) { .path = f->path,
			                             .size = f->size,
			                             .head = tm_walk_head(f),
			                             .optional = f->in_dir };
	}
	/* Whoever names a file, and not only its directory, wants it to be a trace. */
	for (size_t i = 0; i < in->walk.n; i++)
		if (in->walk.v[i].duplicate && !in->walk.v[i].in_dir)
			name_input(in, in->walk.v[i].same_as);
}

/* Is a file of the walk a copy of one that is not a trace, and was found in a directory?  Then it
 * is skipped as that one is. */
static bool copies_no_trace(const struct inputs *in, size_t file)
{
	const struct tm_walk_file *f = &in->walk.v[file];
	size_t lo = 0, hi = in->n;

	if (!f->duplicate || f->ignored || !f->in_dir)
		return false;
	TM_BISECT(lo, hi, mid, in->file[mid] < f->same_as);
	return lo < in->n && in->file[lo] == f->same_as && !in->look[lo].trace;
}

/* After a look at each input: which files do not count because others have the same content. */
static void tell_duplicates(const struct inputs *in, const struct common *c, struct tm_report *rep)
{
	size_t twice = 0;

	for (size_t i = 0; i < in->walk.n; i++) {
		if (!in->walk.v[i].duplicate || in->walk.v[i].ignored)
			continue;
		if (copies_no_trace(in, i)) {
			if (c->say.verbose)
				tm_report_add(rep, TM_SEV_NOTE, in->walk.v[i].path, 0,
				              "not a trace; skipped");
		} else if (!twice++ || c->say.verbose) {
			tm_operand_twice(&in->walk, i, "content", rep);
		}
	}
	if (twice > 1 && !c->say.verbose)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%zu more duplicate files (-v lists them)",
		              twice - 1);
}

uint64_t tm_inputs_given(const struct inputs *in, size_t input)
{
	return in->operand[in->walk.v[in->file[input]].operand].side;
}

/* Room for what is known of each file. */
static bool make_room(struct inputs *in)
{
	size_t n = in->walk.n ? in->walk.n : 1;

	in->v = calloc(n, sizeof *in->v);
	in->runs = calloc(n, sizeof *in->runs);
	in->file = calloc(n, sizeof *in->file);
	in->leave = calloc(n, sizeof *in->leave);
	in->look = calloc(n, sizeof *in->look);
	in->picks = calloc(n, sizeof *in->picks);
	in->sources = calloc(1, sizeof *in->sources);
	in->here = where_we_are();
	return in->v && in->runs && in->file && in->leave && in->look && in->picks && in->sources &&
	       in->here;
}

/* One look at each, which tells what it is and where it may belong.  One file alone has nothing to
 * be compared with, nor to be dealt a rank beside, unless this process has one; a number for all
 * that a database holds may make one of two. */
static bool look_at_all(struct inputs *in, const struct common *c)
{
	struct tm_launched as;
	bool ok = true,
	     alone = in->walk.n == 1 && !tm_launched_here(&as) && !tm_inputs_given(in, 0);

	for (size_t i = 0; ok && i < in->n; i++) {
		const struct tm_walk_file *f = &in->walk.v[in->file[i]];

		in->runs[i] = tm_run_identity(in->here, f->path);
		in->v[i].run = in->v[i].own_run = in->runs[i];
		ok = in->runs[i] != NULL;
		if (!ok || alone)
			continue;
		ok = tm_look_at(&in->look[i], f, in->runs[i], c, &in->watch);
		in->v[i].looked = f->size && !in->look[i].archive;
	}
	return ok;
}

/* The traces of databases may belong to each other and to files as well. */
static bool watch_origins(struct inputs *in)
{
	bool ok = true;

	for (size_t i = 0; i < in->n; i++) {
		const struct look *l = &in->look[i];

		for (size_t j = 0; ok && j < l->norigins; j++)
			if (!in->leave[i][j] && !l->origin[j].drawn)
				ok = tm_watch_add(
				        &in->watch,
				        &(struct tm_watched) { .run = l->origin[j].id.own_run,
				                               .format = l->origin[j].id.format,
				                               .input = i,
				                               .table = l->origin[j].id.table });
	}
	return ok && tm_watch_all_seen(&in->watch);
}

/* What is wrong with an operand goes into the report. */
static void fault(void *arg, size_t operand, const char *path, const struct tm_diag *d)
{
	(void)operand;
	tm_report_diag(arg, path, d);
}

/* What files are `of`, while it is found out which are there twice. */
struct described {
	struct inputs *in;
	struct tm_names runs;
};

static uint64_t number_of(void *arg, size_t operand)
{
	return tm_operand_number(((struct described *)arg)->in->operand, operand);
}

/* Every process of a machine describes the same GPUs, and it is asked of each which it ran on: only
 * of one run a description is there twice. */
static bool describes_run(void *arg, struct tm_walk_file *f)
{
	struct described *of = arg;
	bool gpus = false;
	char *run;
	uint32_t id;

	if (!tm_look_gpus(f, &gpus))
		return false;
	if (!gpus)
		return true;
	run = tm_run_identity(of->in->here, f->path);
	id = run ? tm_names_add(&of->runs, run, strlen(run)) : TM_NAME_NONE;
	free(run);
	f->of = (uint64_t)id + 1;
	return id != TM_NAME_NONE;
}

static bool mark_duplicates(struct inputs *in)
{
	struct described of = { .in = in };
	bool ok = tm_walk_mark_duplicates(&in->walk, number_of, describes_run, &of);

	tm_names_fini(&of.runs);
	return ok;
}

static bool find_files(struct inputs *in, struct common *c, struct tm_report *rep)
{
	const struct option_list *words = &c->operands;

	in->operand = calloc(words->n, sizeof *in->operand);
	if (!in->operand)
		return false;
	for (size_t i = 0; i < words->n; i++)
		in->operand[i] = tm_operand_of(words->v[i]);
	if (!tm_operands_walk(in->operand, words->n, false, &in->walk, fault, rep) ||
	    !tm_backups_ignore(&in->walk, rep) || !ignore_merged(in, rep) || !make_room(in) ||
	    !mark_duplicates(in) || !tm_inputs_judge_copies(in))
		return false;
	drop_duplicates(in);
	if (!look_at_all(in, c))
		return false;
	tell_duplicates(in, c, rep);
	return tm_inputs_find_twins(in, c) && tm_inputs_leave_known(in, rep) && watch_origins(in) &&
	       tm_inputs_choose(in, c, false) && tm_inputs_set_ranks(in);
}

bool tm_inputs_of_operators(const struct inputs *in, const struct common *c)
{
	bool may = false;

	for (size_t i = 0; i < in->n && !may; i++)
		may = in->look[i].trace ? in->look[i].inputs
		                        : tm_look_inputs(&in->walk.v[in->file[i]], c);
	return may;
}

static unsigned cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

uint64_t tm_inputs_jobs(const struct common *c)
{
	return c->in.jobs_given ? c->in.jobs : cores();
}

/* Is the file of -o a trace that is read, and would be gone: in a directory, or the one that
 * another is compared with?  An operand is refused before anything is looked at; of what tracecat
 * made in a directory there are the traces. */
static bool replaces_trace(const struct inputs *in, const struct common *c, struct tm_diag *d)
{
	const char *path = c->out.output;

	if (!path || !strcmp(path, "-") || access(path, F_OK) ||
	    (c->out.updates && c->out.updates(path)))
		return false;
	for (size_t i = 0; i < in->n; i++) {
		struct tm_walk_file *f = &in->walk.v[in->file[i]];
		bool trace = in->look[i].trace && (!f->in_dir || !in->look[i].made);

		if (!tm_output_same(path, f->path))
			continue;
		if ((in->v[i].looked || in->look[i].archive || tm_look_trace(f, &trace)) && !trace)
			continue;
		tm_output_lost(d, "-o", path);
		return true;
	}
	return false;
}

bool tm_inputs_find(struct inputs *in, struct common *c, struct tm_report *rep, struct tm_diag *d)
{
	struct tm_only_words words = c->in.filter;

	c->in.jobs = tm_inputs_jobs(c);
	if (!tm_operands_some(c->operands.n, d))
		return false;
	if (!c->operands.n && !tm_option_list_add(&c->operands, "-")) {
		tm_diag_oom(d);
		return false;
	}
	in->ranks.use = &in->rank_use;
	if (c->in.rank_from && !tm_rank_regex_init(&in->ranks, c->in.rank_from, d))
		return false;
	words.classes = c->in.classes;
	if (!tm_only_init(&in->filter, &words, d))
		return false;
	in->processes = tm_processes_new();
	if (in->processes && find_files(in, c, rep))
		return !replaces_trace(in, c, d);
	tm_diag_oom(d);
	return false;
}

bool tm_inputs_need_twice(const struct common *c, const struct tm_window *w)
{
	return c->in.filter.word[TM_ONLY_REGION] || (c->in.window && tm_window_relative(w));
}

bool tm_inputs_twice(const struct inputs *in, struct tm_diag *d)
{
	for (size_t i = 0; i < in->walk.n; i++) {
		struct stat st;
		const char *path = in->walk.v[i].path;

		if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode))) {
			tm_diag_set(d, 0,
			            "-w with '+', '%%', a marker or steps, and --region, read the "
			            "input twice: give a file instead of a pipe");
			return false;
		}
	}
	return true;
}

/* Is there a database, and something else that may have kernels of it?  Sums do not tell. */
static bool need_events(const struct inputs *in)
{
	bool store = false;
	size_t traces = 0;

	for (size_t i = 0; i < in->n && in->n > 1; i++) {
		const struct look *l = &in->look[i];

		store |= l->store;
		traces += l->store || l->archive || (l->trace && !l->gpus);
	}
	return store && traces > 1;
}

struct tm_drive tm_inputs_drive(const struct inputs *in, const struct common *c, tm_ev_set want)
{
	if (want & TM_EV_BIT(TM_EVC_SKETCH) && need_events(in))
		want &= ~TM_EV_BIT(TM_EVC_SKETCH);
	return (struct tm_drive) { .want = want,
		                   .jobs = (unsigned)c->in.jobs,
		                   .from = c->in.from ? tm_reader_find(c->in.from) : NULL,
		                   .ranks = &in->ranks,
		                   .order = &in->order,
		                   .here = in->here,
		                   .processes = in->processes,
		                   .filter = in->filter.by ? &in->filter : NULL,
		                   .verbose = c->say.verbose };
}

/* What was not to be read at a look, or when it was compared with others, and told by nobody. */
static void tell_unread(const struct inputs *in, struct tm_report *rep)
{
	for (size_t i = 0; i < in->walk.n; i++)
		if (in->walk.v[i].unread)
			tm_report_unread(rep, in->walk.v[i].path,
			                 "cannot read: ", strerror(in->walk.v[i].unread));
	for (size_t i = 0; i < in->n; i++)
		if (*in->look[i].why.text)
			tm_report_unread(rep, in->v[i].path, "", in->look[i].why.text);
}

/* A rank that is of this process says so: the next one would call the same trace another rank. */
static void tell_environment(const struct inputs *in, struct tm_report *rep)
{
	struct tm_launched as;

	for (size_t i = 0; i < in->n; i++)
		if (in->v[i].rule == TM_RANK_ENVIRONMENT && tm_launched_here(&as)) {
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "rank %llu%s%s, from %s: the trace names none",
			              (unsigned long long)in->v[i].rank,
			              in->v[i].host ? " of host " : "",
			              in->v[i].host ? in->v[i].host : "", as.variable);
			return;
		}
}

/* There is no trace in the directory of an operand; the first input of another tool is named. */
static void tell_no_trace(struct inputs *in, size_t op, const char *path, uint64_t files,
                          struct tm_report *rep)
{
	const struct tm_bytes_ops *ops = NULL;
	const char *many = files == 1 ? "" : "s", *other = path;
	const size_t n = strlen(path);

	for (size_t i = 0; i < in->n && !ops; i++) {
		struct tm_walk_file *f = &in->walk.v[in->file[i]];

		if (f->operand == op) {
			ops = tm_look_other(f);
			other = f->path;
		}
	}
	if (!ops) {
		tm_report_add(rep, TM_SEV_ERROR, path, 0,
		              "no trace found in this directory (%" PRIu64 " file%s looked at)",
		              files, many);
		return;
	}
	other += strncmp(other, path, n) ? 0 : n;
	other += strspn(other, "/");
	tm_report_add(rep, TM_SEV_ERROR, path, 0,
	              "no trace found in this directory (%" PRIu64
	              " file%s looked at); %.200s is an input of %s",
	              files, many, other, ops->tool);
}

void tm_inputs_judge(struct inputs *in, const struct common *c, struct tm_report *rep)
{
	if (in->replaced)
		return;
	tm_report_move(rep, &in->told);
	tell_environment(in, rep);
	if (in->rank_use == TM_RANK_APPLIED)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "--rank-from '%s': no number in any path; ranks are as without it "
		              "(a POSIX extended regular expression: [0-9]+, not \\d+)",
		              c->in.rank_from);
	tell_unread(in, rep);
	if (in->sources->refused)
		return;
	for (size_t op = 0; op < c->operands.n; op++) {
		uint64_t files = 0, traces = 0;
		bool in_dir = false;
		struct stat st;
		const char *path = tm_operand_of(c->operands.v[op]).path;

		for (size_t i = 0; i < in->n; i++)
			if (in->walk.v[in->file[i]].operand == op) {
				in_dir |= in->walk.v[in->file[i]].in_dir;
				files++;
				traces += in->v[i].traces;
			}
		/* What was counted under another name was found all the same. */
		for (size_t i = 0; i < in->walk.n; i++) {
			const struct tm_walk_file *f = &in->walk.v[i];
			bool no_trace = f->operand == op && copies_no_trace(in, i);

			files += no_trace;
			in_dir |= no_trace;
			traces += f->operand == op && f->duplicate && !no_trace;
		}
		/* One that cannot be read has been told of. */
		if (!files)
			in_dir = !stat(path, &st) && S_ISDIR(st.st_mode) &&
			         !access(path, R_OK | X_OK);
		if (in_dir && !traces)
			tell_no_trace(in, op, path, files, rep);
	}
}

void tm_inputs_fini(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->runs[i]);
		free(in->leave[i]);
		free(in->picks[i]);
		tm_look_fini(&in->look[i]);
	}
	free(in->runs);
	free(in->leave);
	free(in->picks);
	free(in->look);
	if (in->sources)
		tm_sources_fini(in->sources);
	free(in->sources);
	tm_watch_fini(&in->watch);
	tm_report_fini(&in->told);
	free(in->twin);
	free(in->file);
	free(in->v);
	free(in->operand);
	free(in->here);
	tm_walk_fini(&in->walk);
	tm_rank_regex_fini(&in->ranks);
	tm_only_fini(&in->filter);
	tm_inside_free(in->inside);
	tm_processes_free(in->processes);
	tm_run_ranks_fini(&in->order);
}
