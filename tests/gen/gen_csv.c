/* SPDX-License-Identifier: MIT
 * gen_csv - a rocprofv3 kernel trace (or the HIP API trace of the same run) of any size, from a
 * seed.
 *
 * A small model of a run, not random rows: host threads launch kernels of a Zipf-distributed set on
 * queues that work one dispatch after the other, and rows come out as dispatches complete, so they
 * are not sorted by start.  The same options give the same bytes on every machine: one PRNG,
 * integer arithmetic only, no libm, no locale, no clock.
 *
 * BYTES is always the size of the kernel trace of the run, so `--kind kernel` and `--kind hip` with
 * otherwise equal options describe one run and their correlation ids match. */

#include "tests/gen/model.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum dialect { D62, D63, D70, DROCPD };
enum kind { KIND_KERNEL, KIND_HIP };

static struct {
	uint64_t bytes, seed, names, queues, agents, streams, rank;
	bool brief; /* --short */
	bool nasty; /* half of the rows have quotes, commas and newlines in the name */
	bool raw;   /* ... which stand unescaped, as rocprofv3 itself writes them */
	bool crlf;
	enum kind kind;
	enum dialect dialect;
} opt = { .seed = 42, .names = 320, .queues = 3, .agents = 1, .streams = 4, .dialect = D70 };

/* ---- kernels: what of a row depends on the kernel only, ready to copy ---- */

enum { SHAPES = 4 };

struct kernel {
	struct text mid;          /* Kernel_Id,"Kernel_Name", */
	struct text tail[SHAPES]; /* columns after End_Timestamp, with the line end */
	uint32_t octave16;        /* log2 of the typical duration in ns, times 16 */
	uint32_t spread;          /* 1 .. 8: how much durations vary */
	uint32_t call;            /* which API call launches it: index in launch_calls */
};

static const char *const launch_calls[] = { "hipLaunchKernel", "hipModuleLaunchKernel",
	                                    "hipExtModuleLaunchKernel" };

static void kernel_tails(struct kernel *k, struct rng *r)
{
	unsigned lds = below(r, 2) ? 512 * below(r, 128) : 0;
	unsigned scratch = below(r, 12) ? 0 : 16 + 16 * below(r, 20);
	unsigned vgpr = 8 + 8 * below(r, 31);
	unsigned accum = below(r, 3) ? 0 : 4 + 4 * below(r, 63);
	unsigned sgpr = 16 + 16 * below(r, 7);
	bool flat = below(r, 4);
	unsigned x = flat ? 64U << below(r, 5) : 16, y = flat ? 1 : 16;

	for (int i = 0; i < SHAPES; i++) {
		unsigned magnitude = below(r, 14);
		unsigned groups_x = 1 + below(r, UINT64_C(1) << magnitude);
		unsigned groups_y = 1 + below(r, flat ? 3 : 64);
		unsigned groups_z = below(r, 4) ? 1 : 1 + below(r, 32);
		unsigned dynamic = 4 * below(r, 3);
		struct text *t = &k->tail[i];

		if (opt.dialect == D70 || opt.dialect == DROCPD)
			text_fmt(t, ",%u,%u,%u,%u,%u", lds, scratch, vgpr, accum, sgpr);
		else
			text_fmt(t, ",%u,%u", scratch, lds + dynamic);
		text_fmt(t, ",%u,%u,1,%u,%u,%u%s\n", x, y, x * groups_x, y * groups_y, groups_z,
		         opt.crlf ? "\r" : "");
	}
}

static struct kernel *make_kernels(void)
{
	struct kernel *v = alloc(opt.names, sizeof *v);
	uint32_t *id = alloc(opt.names, sizeof *id);
	struct tm_seen seen = seen_new(opt.names);
	uint64_t all = 0, bad = 0; /* weights: which part of the rows has nasty names so far */
	struct rng r;

	rng_init(&r, opt.seed);
	for (uint32_t i = 0; i < opt.names; i++) {
		uint32_t j = below(&r, i + 1);

		id[i] = id[j];
		id[j] = i;
	}
	for (uint32_t i = 0; i < opt.names; i++) {
		uint64_t weight = (UINT64_C(1) << 40) / (i + 1);
		bool nasty = opt.nasty && bad * 2 <= all;
		struct text name = name_new(i, opt.brief, nasty, &r, &seen);
		struct kernel *k = &v[i];

		all += weight;
		bad += nasty ? weight : 0;
		text_fmt(&k->mid, "%u,\"", 11 + 3 * id[i] + id[i] % 2);
		for (size_t c = 0; c < name.n; c++) {
			if (name.p[c] == '"' && !opt.raw)
				text_mem(&k->mid, "\"", 1);
			text_mem(&k->mid, name.p + c, 1);
		}
		text_str(&k->mid, "\",");
		free(name.p);
		kernel_tails(k, &r);
		k->octave16 = 16 * 11 + below(&r, 16 * 4) + (below(&r, 4) ? 0 : below(&r, 16 * 6));
		k->spread = 1 + below(&r, 3) + (below(&r, 8) ? 0 : 5);
		k->call = below(&r, 3);
	}
	free(seen.v);
	free(id);
	return v;
}

/* ---- output ---- */

static struct {
	char *p;
	size_t n, cap, row_max;
	bool drop; /* the other kind is wanted: count, do not write */
	uint64_t kernel_bytes;
} out;

static void out_flush(void)
{
	for (size_t at = 0; at < out.n;) {
		ssize_t n = write(STDOUT_FILENO, out.p + at, out.n - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die(strerror(errno));
		at += (size_t)n;
	}
	out.n = 0;
}

/* Room for one row, and where it goes. */
static char *out_row(void)
{
	if (out.cap - out.n < out.row_max)
		out_flush();
	return out.p + out.n;
}

static char *put(char *p, const struct text *t)
{
	memcpy(p, t->p, t->n);
	return p + t->n;
}

/* ---- the run ---- */

struct dispatch {
	const struct kernel *kernel;
	const struct text *head, *tail;
	uint64_t id, corr, start, end;
};

struct lane {                /* one queue of one agent */
	struct dispatch now; /* what it works on; completes at now.end */
	struct text *head;   /* row beginnings, one per stream that uses the queue */
	uint32_t *stream;
	uint32_t nstreams;
};

struct thread { /* one host thread per stream */
	uint64_t now;
	struct text ids; /* ,pid,tid, of its API rows */
};

struct run {
	struct rng r;
	struct zipf zipf;
	struct kernel *kernel;
	struct lane *lane;
	uint32_t nlanes;
	struct thread *thread;
	uint64_t corr, ids;
	struct dispatch held; /* a row that waits to come out of order; kernel NULL = none */
};

static void emit_dispatch(const struct dispatch *d)
{
	char *from = out_row(), *p = put(from, d->head);

	if (opt.dialect != D62) {
		p = put_u64(p, d->id);
		*p++ = ',';
	}
	p = put(p, &d->kernel->mid);
	p = put_u64(p, d->corr);
	*p++ = ',';
	p = put_u64(p, d->start);
	*p++ = ',';
	p = put_u64(p, d->end);
	p = put(p, d->tail);
	out.kernel_bytes += (size_t)(p - from);
	out.n += out.drop ? 0 : (size_t)(p - from);
}

/* One API call of a thread; takes a correlation id whether its row is wanted or not. */
static uint64_t api_call(struct run *g, struct thread *t, const char *function, uint64_t until)
{
	uint64_t corr = ++g->corr;
	char *p;

	if (opt.kind == KIND_HIP) {
		bool old = opt.dialect == D62 || opt.dialect == D63;
		const char *domain = old ? "\"HIP_RUNTIME_API\",\"" : "\"HIP_RUNTIME_API_EXT\",\"";

		p = out_row();
		p = stpcpy(stpcpy(stpcpy(p, domain), function), "\"");
		p = put_u64(put(p, &t->ids), corr);
		*p++ = ',';
		p = put_u64(p, t->now);
		*p++ = ',';
		p = stpcpy(put_u64(p, until), opt.crlf ? "\r\n" : "\n");
		out.n = (size_t)(p - out.p);
	}
	t->now = until + 80;
	return corr;
}

static void launch(struct run *g, struct lane *l)
{
	static const char *const idle_calls[] = { "hipSetDevice",
		                                  "hipGetLastError",
		                                  "hipGetDevice",
		                                  "hipEventRecord",
		                                  "__hipPushCallConfiguration",
		                                  "__hipPopCallConfiguration",
		                                  "hipEventQuery",
		                                  "hipPeekAtLastError" };
	uint64_t u = rng_next(&g->r), ready = l->now.end, begin;
	uint32_t which = l->nstreams > 1 ? (uint32_t)(u >> 48) % l->nstreams : 0;
	struct thread *t = &g->thread[l->stream[which]];
	struct dispatch *d = &l->now;

	for (unsigned n = u & 3; n; n--)
		api_call(g, t, idle_calls[u >> (8 + 3 * n) & 7],
		         t->now + 90 + (u >> (10 * n) & 511));
	if ((u >> 32 & 63) == 0) { /* the host waits for the queue */
		uint64_t until = (ready > t->now ? ready : t->now) + 2900;

		api_call(g, t, "hipStreamSynchronize", until);
	}
	d->kernel = &g->kernel[zipf_pick(&g->zipf, &g->r)];
	begin = t->now;
	d->corr = api_call(g, t, launch_calls[d->kernel->call], begin + 1700 + (u >> 40 & 4095));
	d->id = ++g->ids;
	d->head = &l->head[which];
	d->tail = &d->kernel->tail[u >> 60 & 3];
	/* Mostly a gap of about a microsecond; 1 in 64 starts just before the end of the one
	 * before, as device clocks show it. */
	d->start = (u >> 54 & 63) == 0 ? ready - 39 : ready + 600 + (u >> 20 & 1023);
	if (d->start < begin + 2500)
		d->start = begin + 2500 + (u >> 30 & 1023);
	d->end = d->start + duration(d->kernel->octave16, d->kernel->spread, &g->r);
}

/* The lane whose dispatch completes next; rows come out in that order, but 1 in 128 one late. */
static void step(struct run *g, bool more)
{
	struct lane *l = NULL;

	for (uint32_t i = 0; i < g->nlanes; i++)
		if (g->lane[i].now.kernel && (!l || g->lane[i].now.end < l->now.end))
			l = &g->lane[i];
	if (l && !g->held.kernel && more && (rng_next(&g->r) & 127) == 0) {
		g->held = l->now;
	} else {
		if (l)
			emit_dispatch(&l->now);
		if (g->held.kernel)
			emit_dispatch(&g->held);
		g->held.kernel = NULL;
	}
	if (l && more)
		launch(g, l);
	else if (l)
		l->now.kernel = NULL;
}

static void lane_init(struct lane *l, uint32_t agent, uint32_t queue, uint64_t pid)
{
	uint32_t streams = (uint32_t)opt.streams;

	l->head = alloc(streams, sizeof *l->head);
	l->stream = alloc(streams, sizeof *l->stream);
	for (uint32_t s = 0; s < streams; s++) {
		struct text *t = &l->head[l->nstreams];
		uint64_t node = 1 + agent + opt.rank % 8 * opt.agents;

		if (s % opt.queues != queue && !(streams < opt.queues && s == queue % streams))
			continue;
		l->stream[l->nstreams++] = s;
		if (opt.dialect == DROCPD)
			text_fmt(t, "\"%08x-00d1-70d1-a5cb-%012llx\",", (unsigned)opt.rank + 25609,
			         (unsigned long long)pid * 52361);
		text_str(t, "\"KERNEL_DISPATCH\",");
		if (opt.dialect == D62)
			text_fmt(t, "%llu,%llu,", (unsigned long long)node,
			         139690710949888ULL + queue * 1572864ULL + agent * 67108864ULL);
		else if (opt.dialect == D63)
			text_fmt(t, "%llu,%u,%llu,", (unsigned long long)node, queue + 1,
			         (unsigned long long)(pid + 17 * s));
		else
			text_fmt(t, "\"Agent %llu\",%u,%u,%llu,", (unsigned long long)node,
			         queue + 1, s, (unsigned long long)(pid + 17 * s));
	}
}

static void write_header(void)
{
	static const char dims[] = "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
	                           "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"";
	static const char name[] = "\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_"
	                           "Timestamp\",\"End_Timestamp\"";
	static const char *const front[] = {
		[D62] = "\"Kind\",\"Agent_Id\",\"Queue_Id\"",
		[D63] = "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\"",
		[D70] = "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_"
		        "Id\"",
		[DROCPD] = "\"Guid\",\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_"
		           "Id\",\"Dispatch_Id\"",
	};
	static const char *const sizes[] = {
		[D62] = "\"Private_Segment_Size\",\"Group_Segment_Size\"",
		[D63] = "\"Private_Segment_Size\",\"Group_Segment_Size\"",
		[D70] = "\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\","
		        "\"SGPR_Count\"",
		[DROCPD] = "\"Lds_Block_Size\",\"Scratch_Size\",\"Vgpr_Count\",\"Accum_Vgpr_"
		           "Count\",\"Sgpr_Count\"",
	};
	struct text t = { 0 };

	if (opt.kind == KIND_HIP)
		text_str(&t,
		         "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","
		         "\"Start_Timestamp\",\"End_Timestamp\"");
	else
		text_fmt(&t, "%s,%s,%s,%s", front[opt.dialect], name, sizes[opt.dialect], dims);
	text_str(&t, opt.crlf ? "\r\n" : "\n");
	out.n = (size_t)(put(out_row(), &t) - out.p);
	free(t.p);
}

static void simulate(void)
{
	static struct run g; /* static: lives as long as the process, nothing to free */
	uint64_t pid = 2659034 + 131 * opt.rank;
	/* Boot time of another host every eight ranks. */
	uint64_t base = UINT64_C(3219595902503262) + opt.rank / 8 * UINT64_C(950400000000000) +
	                opt.rank % 8 * 40961;

	g.nlanes = (uint32_t)(opt.agents * opt.queues);
	g.kernel = make_kernels();
	zipf_init(&g.zipf, (uint32_t)opt.names);
	rng_init(&g.r, opt.seed * 1000003 + opt.rank);
	g.thread = alloc(opt.streams, sizeof *g.thread);
	for (uint32_t s = 0; s < opt.streams; s++) {
		g.thread[s].now = base + 1000 * s;
		text_fmt(&g.thread[s].ids, ",%llu,%llu,", (unsigned long long)pid,
		         (unsigned long long)(pid + 17 * s));
	}
	for (uint32_t i = 0; i < opt.names; i++)
		if (out.row_max < g.kernel[i].mid.n)
			out.row_max = g.kernel[i].mid.n;
	out.row_max += 1024; /* head, numbers, tail; the header */
	out.cap = out.row_max + (1 << 20);
	out.p = alloc(out.cap, 1);
	out.drop = opt.kind == KIND_HIP;
	write_header();
	g.lane = alloc(g.nlanes, sizeof *g.lane);
	for (uint32_t i = 0; i < g.nlanes; i++) {
		lane_init(&g.lane[i], i / (uint32_t)opt.queues, i % (uint32_t)opt.queues, pid);
		g.lane[i].now.end = base;
		launch(&g, &g.lane[i]);
	}
	while (out.kernel_bytes < opt.bytes)
		step(&g, true);
	for (uint32_t i = 0; i <= g.nlanes; i++) /* what is still running completes */
		step(&g, false);
	out_flush();
}

/* ---- command line ---- */

static unsigned choice(const char *s, const char *const *list, unsigned n, const char *what)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(s, list[i]))
			return i;
	fprintf(stderr, "gen_csv: %s: unknown '%s'\n", what, s);
	exit(2);
}

static void usage(FILE *to)
{
	fputs("usage: gen_csv [options] BYTES > trace.csv\n"
	      "  --seed N        which run (42)\n"
	      "  --names N       distinct kernels (320)\n"
	      "  --short         short names, about 64 bytes instead of about 420\n"
	      "  --nasty         half of the rows have quotes, commas and newlines in the name, "
	      "escaped\n"
	      "  --raw           nasty names as rocprofv3 writes them: not escaped\n"
	      "  --queues N      queues of an agent (3)\n"
	      "  --agents N      agents (1)\n"
	      "  --streams N     HIP streams, one host thread each (4)\n"
	      "  --rank N        another process of the same job: pid, agents, clock (0)\n"
	      "  --kind K        kernel, or hip: the HIP API trace of the same run (kernel)\n"
	      "  --dialect D     6.2, 6.3, 7.0, or rocpd: what `rocpd convert -f csv` writes "
	      "(7.0)\n"
	      "  --crlf          lines end with CR LF\n"
	      "BYTES is the size of the kernel trace, whichever kind is written\n",
	      to);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "names", required_argument, NULL, 'n' },
		{ "short", no_argument, NULL, 'S' },
		{ "nasty", no_argument, NULL, 'N' },
		{ "raw", no_argument, NULL, 'R' },
		{ "queues", required_argument, NULL, 'q' },
		{ "agents", required_argument, NULL, 'a' },
		{ "streams", required_argument, NULL, 't' },
		{ "rank", required_argument, NULL, 'r' },
		{ "kind", required_argument, NULL, 'k' },
		{ "dialect", required_argument, NULL, 'd' },
		{ "crlf", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const kinds[] = { [KIND_KERNEL] = "kernel", [KIND_HIP] = "hip" };
	static const char *const dialects[] = {
		[D62] = "6.2", [D63] = "6.3", [D70] = "7.0", [DROCPD] = "rocpd"
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (c) {
		case 's':
			opt.seed = number(optarg, 0, UINT64_MAX, "--seed");
			break;
		case 'n':
			opt.names = number(optarg, 1, 1000000, "--names");
			break;
		case 'S':
			opt.brief = true;
			break;
		case 'N':
			opt.nasty = true;
			break;
		case 'R':
			opt.raw = opt.nasty = true;
			break;
		case 'q':
			opt.queues = number(optarg, 1, 64, "--queues");
			break;
		case 'a':
			opt.agents = number(optarg, 1, 64, "--agents");
			break;
		case 't':
			opt.streams = number(optarg, 1, 256, "--streams");
			break;
		case 'r':
			opt.rank = number(optarg, 0, 100000, "--rank");
			break;
		case 'k':
			opt.kind = (enum kind)choice(optarg, kinds, 2, "--kind");
			break;
		case 'd':
			opt.dialect = (enum dialect)choice(optarg, dialects, 4, "--dialect");
			break;
		case 'c':
			opt.crlf = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (argc - optind != 1) {
		usage(stderr);
		return 2;
	}
	if (opt.kind == KIND_HIP && opt.dialect == DROCPD)
		die("rocpd has no HIP API table of this form; choose --dialect 7.0");
	opt.bytes = number(argv[optind], 0, UINT64_C(1) << 50, "BYTES");
	simulate();
	return 0;
}
