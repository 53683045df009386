/* SPDX-License-Identifier: MIT
 * How many waves fit: examples worked out by hand, and what no GPU runs.  tests/oracle/occupancy.py
 * has the random cases. */
#include "gpu/gpu.h"

#include "test.h"

struct example {
	uint64_t gfx, vgprs, accums, sgprs, lds, items;
	uint64_t blocks, waves, most;
	const char *limit;
};

static void check(const struct example *e)
{
	struct tm_gpu_launch l = { e->gfx, 0, e->items, e->vgprs, e->accums, e->sgprs, e->lds };
	struct tm_gpu_occupancy o;
	struct tm_buf b = { 0 };

	CHECK(tm_gpu_occupancy(&l, &o) == TM_GPU_FITS);
	CHECK_U64(o.blocks, e->blocks);
	CHECK_U64(o.waves, e->waves);
	CHECK_U64(o.most, e->most);
	CHECK(tm_gpu_put_limits(&b, o.limits));
	CHECK_STR(b.p, e->limit);
	tm_buf_fini(&b);
}

TEST(examples)
{
	static const struct example v[] = {
		{ 90010, 20, 4, 48, 0, 256, 8, 32, 32, "slots" },
		{ 90010, 128, 128, 112, 33792, 256, 1, 4, 32, "lds" },
		{ 90010, 96, 0, 100, 16640, 512, 2, 16, 32, "vgpr" },
		{ 90402, 128, 152, 80, 65536, 256, 1, 4, 32, "vgpr and lds" },
		{ 90402, 64, 64, 96, 25600, 256, 2, 8, 32, "lds" },
		{ 90402, 24, 0, 64, 1024, 320, 6, 30, 32, "workgroup size" },
		{ 110000, 72, 0, 128, 0, 256, 8, 64, 64, "slots" },
		{ 110000, 256, 0, 128, 29696, 128, 4, 16, 64, "lds" },
		{ 110000, 96, 0, 128, 33000, 512, 3, 48, 64, "lds" },
		/* The fourth on gfx950: 65536 bytes are 66560, of which two fit. */
		{ 90500, 128, 152, 80, 65536, 256, 1, 4, 32, "vgpr" },
		/* Two files: 128 and 128 are not 256, and the larger counts. */
		{ 90008, 128, 128, 32, 0, 256, 2, 8, 40, "vgpr" },
		{ 90008, 64, 128, 32, 0, 256, 2, 8, 40, "vgpr" },
		/* What profilers give for 128 registers of a wave that has the whole file. */
		{ 90402, 128, 384, 112, 65536, 256, 1, 4, 32, "vgpr and lds" },
		/* Above 96 SGPRs seven waves fit. */
		{ 90402, 24, 0, 112, 0, 64, 28, 28, 32, "sgpr" },
		/* 2 waves each: 16 groups of 20 for barriers, of which one wave takes none. */
		{ 90402, 24, 0, 32, 0, 128, 16, 32, 32, "slots" },
		{ 90006, 24, 0, 32, 0, 128, 16, 32, 40, "barriers" },
		{ 90006, 24, 0, 32, 0, 64, 40, 40, 40, "slots" },
		/* 72 registers are a granule of 24, but not of 16: 80 of 1024 are 12 waves. */
		{ 110002, 72, 0, 128, 0, 32, 48, 48, 64, "vgpr" },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		check(&v[i]);
}

TEST(wave64_of_rdna)
{
	struct tm_gpu_launch l = { 110000, 64, 256, 100, 0, 128, 0 };
	struct tm_gpu_occupancy o;

	/* 768 / 108 = 7 waves a SIMD, 28 of four, 7 workgroups of four. */
	CHECK(tm_gpu_occupancy(&l, &o) == TM_GPU_FITS);
	CHECK_U64(o.blocks, 7);
	CHECK_U64(o.wave, 64);
}

TEST(registers_to_free)
{
	struct tm_gpu_launch l = { 90402, 0, 256, 128, 8, 64, 0 };
	struct tm_gpu_occupancy o;

	/* 136 registers: 3 waves; 128 make 4. */
	CHECK(tm_gpu_occupancy(&l, &o) == TM_GPU_FITS);
	CHECK_U64(o.blocks, 3);
	CHECK_U64(o.to_free, 8);
	/* Workgroups of 16 waves: 5 a SIMD hold one, two need 8, so 64 registers. */
	l = (struct tm_gpu_launch) { 90402, 0, 1024, 96, 0, 64, 0 };
	CHECK(tm_gpu_occupancy(&l, &o) == TM_GPU_FITS);
	CHECK_U64(o.blocks, 1);
	CHECK_U64(o.to_free, 32);
	l.lds = 65536; /* a tie: registers alone change nothing */
	CHECK(tm_gpu_occupancy(&l, &o) == TM_GPU_FITS);
	CHECK_U64(o.limits, TM_GPU_BY_VGPRS | TM_GPU_BY_LDS);
	CHECK_U64(o.to_free, 0);
}

TEST(impossible)
{
	static const struct tm_gpu_launch v[] = {
		{ 90402, 0, 0, 24, 0, 32, 0 },           { 90402, 0, 1025, 24, 0, 32, 0 },
		{ 90402, 32, 256, 24, 0, 32, 0 },        { 90402, 0, 256, 264, 0, 32, 0 },
		{ 90402, 0, 256, 24, 0, 32, 65537 },     { 110000, 0, 256, 24, 4, 128, 0 },
		{ 110000, 0, 256, 24, 0, 128, 65537 },   { 90402, 0, 1024, 200, 0, 32, 0 },
		{ 90402, 7, 256, 24, 0, 32, 0 },         { 90402, 0, 256, 128, 392, 32, 0 },
		{ 90402, 0, 256, UINT64_MAX, 0, 32, 0 }, { 90402, 0, UINT64_MAX, 24, 0, 32, 0 },
	};
	struct tm_gpu_launch unknown = { 120500, 0, 256, 24, 0, 128, 0 };
	struct tm_gpu_occupancy o;

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		CHECK(tm_gpu_occupancy(&v[i], &o) == TM_GPU_INCONSISTENT);
	CHECK(tm_gpu_occupancy(&unknown, &o) == TM_GPU_NO_LIMITS);
	unknown.gfx = 90000;
	CHECK(tm_gpu_occupancy(&unknown, &o) == TM_GPU_NO_LIMITS);
}

static void fill(uint64_t units, uint64_t cus, uint64_t blocks, uint64_t groups, uint64_t rounds,
                 uint64_t permille)
{
	struct tm_gpu_occupancy o = { .units = units, .blocks = blocks };
	struct tm_gpu_rounds r;

	CHECK(tm_gpu_rounds(&o, cus, groups, &r));
	CHECK_U64(r.rounds, rounds);
	CHECK_U64((groups * 1000 + r.capacity / 2) / r.capacity, permille);
}

TEST(rounds)
{
	struct tm_gpu_occupancy o = { .units = 1, .blocks = 2 };
	struct tm_gpu_rounds r;

	fill(1, 304, 2, 1024, 2, 842);
	fill(1, 110, 8, 1000, 2, 568);
	fill(2, 96, 4, 256, 2, 667);
	fill(1, 304, 1, 320, 2, 526);
	fill(1, 304, 2, 1, 1, 2);
	CHECK(!tm_gpu_rounds(&o, 0, 5, &r));
	CHECK(!tm_gpu_rounds(&o, 304, 0, &r));
	CHECK(!tm_gpu_rounds(&o, UINT64_MAX, 5, &r));
	CHECK(!tm_gpu_rounds(&o, 304, UINT64_MAX, &r));
}

TEST_MAIN(T(examples), T(wave64_of_rdna), T(registers_to_free), T(impossible), T(rounds))
