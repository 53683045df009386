/* SPDX-License-Identifier: MIT
 * gen_pftrace - a Perfetto trace as rocprofv3 7.x writes it, of any size, from a seed.
 *
 * As there, one packet begins a slice and carries all its annotations, the next one ends it;
 * domains come one after the other: HIP API, copies, kernels, counters.  Texts are interned where
 * they are used first; all is on one sequence, with explicit times.  Kernels lie on the track of
 * their stream, or with
 * --by-queue on that of their queue; a queue works one dispatch after the other, copies overlap
 * them.
 *
 * --csv writes the kernel trace of the same run instead, as rocprofv3's CSV: what readers of both
 * must agree on.  The same options give the same bytes on every machine. */

#include "tests/gen/model.h"
#include "tests/gen/perfetto.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BYTES_PER_KERNEL = 397, /* with its API call, without names; measured */
	AGENT = 4,              /* node of the first GPU; CPUs come before */
};

static struct {
	uint64_t bytes, seed, names, queues, agents, streams, rank, pmc;
	bool by_queue, csv;
} opt = { .seed = 42, .names = 320, .queues = 4, .agents = 1, .streams = 4 };

/* ---- tracks ---- */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return (x ^ x >> 29) | 1;
}

static uint64_t pid(void)
{
	return 2659034 + 131 * opt.rank;
}

static uint64_t process_track(void)
{
	return mix(pid());
}

static uint64_t tid(uint64_t thread)
{
	return pid() + 17 * thread;
}

enum track { T_THREAD = 1, T_STREAM, T_QUEUE, T_COPY, T_BYTES };

static uint64_t track(enum track what, uint64_t number)
{
	return mix(process_track() ^ (uint64_t)what << 56 ^ number << 8);
}

static void describe_tracks(void)
{
	uint64_t up = process_track();

	describe_process(up, track(T_THREAD, 0), pid(), "train");
	for (uint64_t s = 1; s < opt.streams; s++)
		describe_track(track(T_THREAD, s), up, false, "THREAD # (#)", s, tid(s));
	for (uint64_t a = 0; a <= opt.agents; a++)
		describe_track(track(T_COPY, a), up, false,
		               a ? "COPY to Agent [#] THREAD [0] (GPU)"
		                 : "COPY to Agent [#] THREAD [0] (CPU)",
		               a ? AGENT + a - 1 : 0, 0);
	for (uint64_t q = 0; q < opt.agents * opt.queues; q++)
		describe_track(track(T_QUEUE, q), up, false, "COMPUTE Agent [#] QUEUE [#] GPU",
		               AGENT + q / opt.queues, q % opt.queues);
	for (uint64_t s = 0; s < opt.streams; s++)
		describe_track(track(T_STREAM, s), up, false, "STREAM [\" # \"] ", s, 0);
	for (uint64_t a = 0; a < opt.agents; a++)
		describe_track(track(T_BYTES, a), up, true, "COPY BYTES to Agent [#] (GPU)",
		               AGENT + a, 0);
}

/* ---- annotations ---- */

/* clang-format off */
enum note {
	BEGIN_NS, END_NS, DELTA_NS, TID, KIND, OPERATION, CORR, ANCESTOR, STREAM, SRC, DST, BYTES,
	AGENT_ID, AGENT_TYPE, QUEUE, KERNEL_ID, SCRATCH, LDS, VGPR, ACCUM, SGPR, WORKGROUP, GRID,
	NOTES
};

static struct word notes[NOTES] = {
	[BEGIN_NS] = WORD("begin_ns"), [END_NS] = WORD("end_ns"), [DELTA_NS] = WORD("delta_ns"),
	[TID] = WORD("tid"), [KIND] = WORD("kind"), [OPERATION] = WORD("operation"),
	[CORR] = WORD("corr_id"), [ANCESTOR] = WORD("ancestor_id"), [STREAM] = WORD("stream_ID"),
	[SRC] = WORD("src_agent"), [DST] = WORD("dst_agent"), [BYTES] = WORD("copy_bytes"),
	[AGENT_ID] = WORD("agent"), [AGENT_TYPE] = WORD("agent_type"), [QUEUE] = WORD("queue"),
	[KERNEL_ID] = WORD("kernel_id"), [SCRATCH] = WORD("Scratch_Size"),
	[LDS] = WORD("LDS_Block_Size"), [VGPR] = WORD("VGPR_Count"),
	[ACCUM] = WORD("Accum_VGPR_Count"), [SGPR] = WORD("SGPR_Count"),
	[WORKGROUP] = WORD("workgroup_size"), [GRID] = WORD("grid_size"),
};

static struct word pmcs[] = {
	WORD("SQ_WAVES"), WORD("TCC_HIT_sum"), WORD("GRBM_GUI_ACTIVE"), WORD("FETCH_SIZE"),
	WORD("SQ_INSTS_VALU"), WORD("OccupancyPercent"), WORD("TCC_MISS_sum"), WORD("WRITE_SIZE"),
};
/* clang-format on */

static struct word cat_kernel = WORD("kernel_dispatch"), cat_copy = WORD("memory_copy"),
                   cat_hip = WORD("hip_api");

static void note_agent(struct word *name, uint64_t node)
{
	char text[32];

	snprintf(text, sizeof text, "Agent-%llu", (unsigned long long)node);
	note_text(name, text);
}

static void note_times(uint64_t start, uint64_t end)
{
	note_u64(&notes[BEGIN_NS], start);
	note_u64(&notes[END_NS], end);
	note_u64(&notes[DELTA_NS], end - start);
}

/* ---- the run ---- */

enum { SHAPES = 4 };

struct kernel {
	struct word name;
	uint32_t octave16, spread, id, lds, scratch, vgpr, accum, sgpr, wg[3], grid[SHAPES][3];
};

struct dispatch {
	const struct kernel *k;
	const uint32_t *grid;
	uint64_t start, end, corr, id, stream, agent, queue;
};

static struct kernel *make_kernels(void)
{
	struct kernel *v = alloc(opt.names, sizeof *v);
	struct tm_seen seen = seen_new(opt.names);
	struct rng r;

	rng_init(&r, opt.seed);
	for (uint32_t i = 0; i < opt.names; i++) {
		struct text t = name_new(i, false, false, &r, &seen);
		struct kernel *k = &v[i];
		bool flat = below(&r, 4);

		k->name = (struct word) { .text = t.p, .n = t.n };
		k->id = 11 + 3 * i;
		k->octave16 = 16 * 11 + below(&r, 16 * 4) + (below(&r, 4) ? 0 : below(&r, 16 * 6));
		k->spread = 1 + below(&r, 3) + (below(&r, 8) ? 0 : 5);
		k->lds = below(&r, 2) ? 512 * below(&r, 128) : 0;
		k->scratch = below(&r, 12) ? 0 : 16 + 16 * below(&r, 20);
		k->vgpr = 8 + 8 * below(&r, 31);
		k->accum = below(&r, 3) ? 0 : 4 + 4 * below(&r, 63);
		k->sgpr = 16 + 16 * below(&r, 7);
		k->wg[0] = flat ? 64U << below(&r, 5) : 16;
		k->wg[1] = flat ? 1 : 16;
		k->wg[2] = 1;
		for (int s = 0; s < SHAPES; s++) {
			k->grid[s][0] = k->wg[0] * (1 + below(&r, UINT64_C(1) << below(&r, 14)));
			k->grid[s][1] = k->wg[1] * (1 + below(&r, flat ? 3 : 64));
			k->grid[s][2] = 1;
		}
	}
	free(seen.v);
	return v;
}

static void write_kernel(const struct dispatch *d)
{
	struct kernel *k = (struct kernel *)(uintptr_t)d->k;
	uint64_t on = opt.by_queue ? track(T_QUEUE, (d->agent - AGENT) * opt.queues + d->queue)
	                           : track(T_STREAM, d->stream);

	slice_begin(&cat_kernel, &k->name, on, d->corr ^ process_track());
	note_times(d->start, d->end);
	note_i64(&notes[KIND], 11);
	note_agent(&notes[AGENT_ID], d->agent);
	note_text(&notes[AGENT_TYPE], "GPU");
	note_u64(&notes[CORR], d->corr);
	note_u64(&notes[QUEUE], d->queue);
	note_u64(&notes[TID], tid(d->stream));
	note_u64(&notes[KERNEL_ID], k->id);
	note_u64(&notes[SCRATCH], k->scratch);
	note_u64(&notes[LDS], k->lds);
	note_u64(&notes[VGPR], k->vgpr);
	note_u64(&notes[ACCUM], k->accum);
	note_u64(&notes[SGPR], k->sgpr);
	note_u64(&notes[WORKGROUP], (uint64_t)k->wg[0] * k->wg[1] * k->wg[2]);
	note_u64(&notes[GRID], (uint64_t)d->grid[0] * d->grid[1] * d->grid[2]);
	note_u64(&notes[STREAM], d->stream);
	for (uint64_t i = 0; i < opt.pmc; i++) {
		note_double(&pmcs[i], (double)(mix(d->id + i) % 1000003));
	}
	slice_finish(d->start, d->end, on);
}

static void csv_header(void)
{
	puts("\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\","
	     "\"Kernel_Id\","
	     "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_"
	     "Size\","
	     "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_"
	     "X\","
	     "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_"
	     "Size_Z\"");
}

static void csv_kernel(const struct dispatch *d)
{
	const struct kernel *k = d->k;

	printf("\"KERNEL_DISPATCH\",\"Agent %llu\",%llu,%llu,%llu,%llu,%u,\"",
	       (unsigned long long)d->agent, (unsigned long long)d->queue,
	       (unsigned long long)d->stream, (unsigned long long)tid(d->stream),
	       (unsigned long long)d->id, k->id);
	fwrite(k->name.text, 1, k->name.n, stdout);
	printf("\",%llu,%llu,%llu,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u\n", (unsigned long long)d->corr,
	       (unsigned long long)d->start, (unsigned long long)d->end, k->lds, k->scratch,
	       k->vgpr, k->accum, k->sgpr, k->wg[0], k->wg[1], k->wg[2], d->grid[0], d->grid[1],
	       d->grid[2]);
}

/* A HIP call of the thread of a stream. */
static void write_call(struct word *name, uint64_t stream, uint64_t corr, uint64_t start,
                       uint64_t end)
{
	slice_begin(&cat_hip, name, track(T_THREAD, stream), corr ^ process_track());
	note_times(start, end);
	note_u64(&notes[TID], tid(stream));
	note_i64(&notes[KIND], 2);
	note_i64(&notes[OPERATION], 220);
	note_u64(&notes[CORR], corr);
	note_u64(&notes[ANCESTOR], 0);
	note_u64(&notes[STREAM], stream);
	slice_finish(start, end, track(T_THREAD, stream));
}

static void write_copy(uint64_t stream, uint64_t corr, uint64_t start, uint64_t end, uint64_t agent,
                       uint64_t size)
{
	static struct word name = WORD("MEMORY_COPY_HOST_TO_DEVICE");
	uint64_t on = opt.by_queue ? track(T_COPY, agent - AGENT + 1) : track(T_STREAM, stream);

	slice_begin(&cat_copy, &name, on, corr ^ process_track());
	note_times(start, end);
	note_i64(&notes[KIND], 10);
	note_i64(&notes[OPERATION], 2);
	note_agent(&notes[SRC], 0);
	note_agent(&notes[DST], agent);
	note_u64(&notes[BYTES], size);
	note_u64(&notes[CORR], corr);
	note_u64(&notes[TID], tid(stream));
	note_u64(&notes[STREAM], stream);
	slice_finish(start, end, on);
}

enum pass { CALLS, COPIES, KERNELS, COUNTERS, PASSES };

/* The run from its beginning, of which one domain is written. */
static void simulate(enum pass pass, struct kernel *kernel, const struct zipf *zipf,
                     uint64_t kernels, uint64_t boot)
{
	static struct word launch = WORD("hipLaunchKernel"), query = WORD("hipEventQuery"),
	                   copy = WORD("hipMemcpyAsync");
	uint64_t *host = alloc(opt.streams, sizeof *host), corr = 0;
	uint64_t *free_at = alloc(opt.agents * opt.queues, sizeof *free_at);
	struct rng r;

	rng_init(&r, opt.seed * 1000003 + opt.rank);
	for (uint64_t i = 0; i < kernels; i++) {
		uint64_t u = rng_next(&r), s = (u >> 32) % opt.streams, began = boot + host[s];
		uint64_t a = s % opt.agents, q = s / opt.agents % opt.queues;
		uint64_t *ready = &free_at[a * opt.queues + q];
		struct kernel *k = &kernel[zipf_pick(zipf, &r)];
		struct dispatch d = { .k = k,
			              .grid = k->grid[u & 3],
			              .id = i + 1,
			              .stream = s,
			              .agent = AGENT + a,
			              .queue = q };
		uint64_t took = 1700 + (u >> 40 & 4095);

		if ((u >> 8 & 63) == 0) {
			if (pass == CALLS)
				write_call(&query, s, corr + 1, began, began + 400);
			corr++;
			began += 500;
		}
		if ((u >> 14 & 255) == 0) {
			uint64_t size = UINT64_C(4096) << (u >> 22 & 7), from = began + 6000,
			         to = from + 900 + size / 16;

			corr++;
			if (pass == CALLS)
				write_call(&copy, s, corr, began, began + 4000);
			if (pass == COPIES)
				write_copy(s, corr, from, to, AGENT + a, size);
			if (pass == COUNTERS) {
				counter_sample(from, track(T_BYTES, a), size / 1024);
				counter_sample(to, track(T_BYTES, a), 0);
			}
			began += 4200;
		}
		d.corr = ++corr;
		d.start = *ready + 600 + (u >> 20 & 1023);
		if (d.start < began + 2500)
			d.start = began + 2500 + (u >> 30 & 1023);
		d.end = d.start + duration(k->octave16, k->spread, &r);
		*ready = d.end;
		if (pass == CALLS)
			write_call(&launch, s, d.corr, began, began + took);
		if (pass == KERNELS)
			opt.csv ? csv_kernel(&d) : write_kernel(&d);
		host[s] = began + took + 80 - boot;
		if (host[s] + boot + 20000000 < *ready) /* the host waits for a full queue */
			host[s] = *ready - 10000000 - boot;
	}
	free(host);
	free(free_at);
}

static void write_run(void)
{
	struct kernel *kernel = make_kernels();
	uint64_t boot = UINT64_C(431999124226662) + opt.rank * 40961, names = 0, kernels;
	struct zipf zipf;

	for (uint64_t i = 0; i < opt.names; i++)
		names += kernel[i].name.n + 12;
	kernels = opt.bytes > names ? (opt.bytes - names) / (BYTES_PER_KERNEL + 14 * opt.pmc) : 0;
	zipf_init(&zipf, (uint32_t)opt.names);
	if (opt.csv) {
		csv_header();
		simulate(KERNELS, kernel, &zipf, kernels, boot);
	} else {
		perfetto_begin(boot - 500000, track(T_THREAD, 0));
		describe_tracks();
		for (int pass = 0; pass < PASSES; pass++)
			simulate((enum pass)pass, kernel, &zipf, kernels, boot);
	}
	for (uint64_t i = 0; i < opt.names; i++)
		free((char *)(uintptr_t)kernel[i].name.text);
	free(kernel);
	free(zipf.keep);
	free(zipf.other);
}

/* ---- command line ---- */

static void usage(FILE *to)
{
	fputs("usage: gen_pftrace [options] BYTES > trace.pftrace\n"
	      "  --seed N      which run (42)\n"
	      "  --names N     distinct kernels (320)\n"
	      "  --queues N    queues of an agent (4)\n"
	      "  --agents N    agents (1)\n"
	      "  --streams N   HIP streams, one host thread each (4)\n"
	      "  --rank N      another process of the same job: pid, times (0)\n"
	      "  --pmc N       hardware counters of each dispatch, up to 8 (0)\n"
	      "  --by-queue    kernels on the track of their queue, not of their stream\n"
	      "  --csv         the kernel trace of the same run as CSV\n"
	      "BYTES is about the size of the pftrace, whichever is written\n",
	      to);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "names", required_argument, NULL, 'n' },
		{ "queues", required_argument, NULL, 'q' },
		{ "agents", required_argument, NULL, 'a' },
		{ "streams", required_argument, NULL, 't' },
		{ "rank", required_argument, NULL, 'r' },
		{ "pmc", required_argument, NULL, 'p' },
		{ "by-queue", no_argument, NULL, 'Q' },
		{ "csv", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
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
		case 'p':
			opt.pmc = number(optarg, 0, sizeof pmcs / sizeof *pmcs, "--pmc");
			break;
		case 'Q':
			opt.by_queue = true;
			break;
		case 'c':
			opt.csv = true;
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
	opt.bytes = number(argv[optind], 0, UINT64_C(1) << 50, "BYTES");
	write_run();
	if (fflush(stdout) || ferror(stdout))
		die("cannot write");
	return 0;
}
