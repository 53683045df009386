/* SPDX-License-Identifier: MIT
 * Which product it is, and its peaks: those of AMD's data sheets. */
#include "gpu/gpu.h"

#include "test.h"

static struct tm_gpu_seen seen(uint64_t gfx, uint64_t cus, uint64_t device, uint64_t mhz,
                               const char *name)
{
	return (struct tm_gpu_seen) { gfx, cus, device, mhz, name, name ? strlen(name) : 0 };
}

static const char *name_of(struct tm_gpu_seen s)
{
	static char text[128];
	struct tm_buf b = { 0 };
	bool known = tm_gpu_put_name(&b, &s);

	snprintf(text, sizeof text, "%s", known ? b.p : "unknown");
	tm_buf_fini(&b);
	return text;
}

/* What real agent tables hold. */
TEST(agents)
{
	CHECK_STR(name_of(seen(90402, 304, 29857, 2100, "AMD Instinct MI300X")), "MI300X");
	CHECK_STR(name_of(seen(90402, 228, 29856, 2100, "AMD Instinct MI300A")), "MI300A");
	CHECK_STR(name_of(seen(90500, 256, 30115, 2400, "AMD Radeon Graphics")), "MI355X");
	CHECK_STR(name_of(seen(90500, 256, 30112, 2200, "unknown")), "MI350X");
	CHECK_STR(name_of(seen(90402, 304, 29877, 0, "")), "MI300X");
	CHECK_STR(name_of(seen(90000, 64, 26751, 1630, "Radeon RX Vega")), "Radeon RX Vega");
	CHECK_STR(name_of(seen(120500, 256, 30145, 2400, "AMD Radeon Graphics")), "gfx1250");
	CHECK_STR(name_of(seen(90402, 38, 29857, 2100, "AMD Instinct MI300X")),
	          "MI300X (38 of 304 compute units)");
}

/* Without a device, by name; without both, only what is the only one. */
TEST(names)
{
	CHECK_STR(name_of(seen(90402, 304, 0, 0, "AMD Instinct MI300X VF")), "MI300X");
	CHECK_STR(name_of(seen(90402, 304, 0, 0, "AMD Instinct MI300X-HF")), "MI300X-HF");
	CHECK_STR(name_of(seen(90010, 110, 0, 0, "AMD Instinct MI250X/MI250")), "MI250X");
	CHECK_STR(name_of(seen(90010, 104, 0, 0, "AMD Instinct MI250X/MI250")), "MI250");
	CHECK_STR(name_of(seen(90010, 0, 0, 0, "AMD Instinct MI250X/MI250")),
	          "AMD Instinct MI250X/MI250");
	CHECK_STR(name_of(seen(110000, 84, 0, 0, "AMD Radeon RX 7900 XT")),
	          "AMD Radeon RX 7900 XT");
	CHECK_STR(name_of(seen(110501, 40, 0, 2900, "AMD Radeon 8060S")), "Radeon 8060S");
	CHECK_STR(name_of(seen(90402, 304, 0, 2100, NULL)), "gfx942"); /* or MI325X */
	CHECK_STR(name_of(seen(90402, 228, 0, 0, NULL)), "MI300A");
	CHECK_STR(name_of(seen(90500, 256, 0, 0, NULL)), "gfx950");
	CHECK_STR(name_of(seen(90500, 256, 0, 2400, NULL)), "MI355X");
	CHECK_STR(name_of(seen(90500, 256, 0, 2200, "AMD Radeon Graphics")), "MI350X");
	CHECK_STR(name_of(seen(90010, 104, 0, 0, NULL)), "gfx90a"); /* MI210, or half a MI250 */
	/* More compute units than it has: it is something else. */
	CHECK_STR(name_of(seen(90010, 108, 29711, 1700, "Example GPU, 64 GB")),
	          "Example GPU, 64 GB");
	CHECK_STR(name_of(seen(90402, 304, 29711, 2100, NULL)), "gfx942");
	CHECK_STR(name_of(seen(0, 0, 0, 0, "unknown")), "unknown");
	CHECK_STR(name_of(seen(0, 0, 0, 0, NULL)), "unknown");
}

TEST(kineto)
{
	uint64_t cus = 7;

	CHECK_U64(tm_gpu_gfx_of(9, 0, 110, &cus), 90010);
	CHECK_U64(cus, 110);
	CHECK_U64(tm_gpu_gfx_of(9, 0, 120, &cus), 90008);
	CHECK_U64(tm_gpu_gfx_of(9, 4, 80, &cus), 90402);
	CHECK_U64(tm_gpu_gfx_of(9, 4, 38, &cus), 90402);
	CHECK_U64(cus, 38);
	CHECK_U64(tm_gpu_gfx_of(9, 5, 256, &cus), 90500);
	CHECK_U64(tm_gpu_gfx_of(11, 0, 48, &cus), 110000);
	CHECK_U64(cus, 96);
	cus = 7;
	CHECK_U64(tm_gpu_gfx_of(9, 0, 64, &cus), 0); /* gfx900, gfx906 */
	CHECK_U64(tm_gpu_gfx_of(9, 0, 132, &cus), 0);
	CHECK_U64(tm_gpu_gfx_of(10, 0, 148, &cus), 0);
	CHECK_U64(tm_gpu_gfx_of(9, 4, UINT64_MAX, &cus), 0);
	CHECK_U64(tm_gpu_gfx_of(UINT64_MAX, 4, 80, &cus), 0);
	CHECK_U64(cus, 7);
}

/* Tenths of TFLOP/s, as data sheets print them; 0 = not known. */
static uint64_t tenths(struct tm_gpu_seen s, enum tm_gpu_type t, enum tm_gpu_unit u)
{
	uint64_t mops;

	return tm_gpu_peak(&s, t, u, &mops) ? (mops + 50000) / 100000 : 0;
}

TEST(peaks)
{
	static const struct {
		const char *name;
		uint64_t f64v, f64m, f32v, f32p, f32m, xf32, f16, bf16, f8, i8, f4, i4;
	} sheet[] = {
		{ "MI100", 115, 0, 231, 0, 461, 0, 1846, 923, 0, 1846, 0, 0 },
		{ "MI210", 226, 453, 226, 453, 453, 0, 1810, 1810, 0, 1810, 0, 0 },
		{ "MI250X", 239, 479, 239, 479, 479, 0, 1915, 1915, 0, 1915, 0, 0 },
		{ "MI300A", 613, 1226, 0, 1226, 1226, 4903, 9806, 9806, 19612, 19612, 0, 0 },
		{ "MI300X", 817, 1634, 0, 1634, 1634, 6537, 13074, 13074, 26149, 26149, 0, 0 },
		{ "MI325X", 817, 1634, 0, 1634, 1634, 6537, 13074, 13074, 26149, 26149, 0, 0 },
		{ "MI350X", 721, 721, 0, 1442, 1442, 0, 23069, 23069, 46137, 46137, 92275, 0 },
		{ "MI355X", 786, 786, 0, 1573, 1573, 0, 25166, 25166, 50332, 50332, 100663, 0 },
		{ "RX 7900 XTX", 0, 0, 307, 614, 0, 0, 1229, 1229, 0, 1229, 0, 2458 },
		{ "W7900", 0, 0, 307, 613, 0, 0, 1226, 1226, 0, 1226, 0, 2453 },
		{ "RX 9070 XT", 8, 0, 243, 487, 0, 0, 1946, 1946, 3893, 3893, 0, 7786 },
		{ "R9700", 7, 0, 239, 478, 0, 0, 1914, 1914, 3827, 3827, 0, 7655 },
		{ "8060S", 0, 0, 148, 297, 0, 0, 594, 594, 0, 594, 0, 1188 },
		{ "MI308X", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "nothing", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof sheet / sizeof *sheet; i++) {
		struct tm_gpu_seen s = seen(0, 0, 0, 0, sheet[i].name);

		CHECK_U64(tenths(s, TM_GPU_F64, TM_GPU_VECTOR), sheet[i].f64v);
		CHECK_U64(tenths(s, TM_GPU_F64, TM_GPU_MATRIX), sheet[i].f64m);
		CHECK_U64(tenths(s, TM_GPU_F32, TM_GPU_VECTOR), sheet[i].f32v);
		CHECK_U64(tenths(s, TM_GPU_F32, TM_GPU_PACKED), sheet[i].f32p);
		CHECK_U64(tenths(s, TM_GPU_F32, TM_GPU_MATRIX), sheet[i].f32m);
		CHECK_U64(tenths(s, TM_GPU_XF32, TM_GPU_MATRIX), sheet[i].xf32);
		CHECK_U64(tenths(s, TM_GPU_F16, TM_GPU_MATRIX), sheet[i].f16);
		CHECK_U64(tenths(s, TM_GPU_BF16, TM_GPU_MATRIX), sheet[i].bf16);
		CHECK_U64(tenths(s, TM_GPU_F8, TM_GPU_MATRIX), sheet[i].f8);
		CHECK_U64(tenths(s, TM_GPU_I8, TM_GPU_MATRIX), sheet[i].i8);
		CHECK_U64(tenths(s, TM_GPU_F4, TM_GPU_MATRIX), sheet[i].f4);
		CHECK_U64(tenths(s, TM_GPU_I4, TM_GPU_MATRIX), sheet[i].i4);
	}
}

/* A part has its share; the clock of the file counts; what is reached is apart from theory. */
TEST(parts)
{
	struct tm_gpu_seen s = seen(90402, 38, 29857, 2100, NULL);
	uint64_t mops;
	double gb;

	CHECK_U64(tenths(s, TM_GPU_BF16, TM_GPU_MATRIX), 1634); /* 1307.4 / 8 */
	CHECK(tm_gpu_reached(&s, TM_GPU_BF16, TM_GPU_MATRIX, &mops));
	CHECK_U64(mops, 88500000); /* 708 / 8 TFLOP/s */
	CHECK(!tm_gpu_reached(&s, TM_GPU_F64, TM_GPU_MATRIX, &mops));
	CHECK(tm_gpu_memory(&s, &gb) && gb > 662.49 && gb < 662.51);
	s = seen(90402, 80, 29858, 1500, NULL); /* MI308X: only by its own clock */
	CHECK_U64(tenths(s, TM_GPU_F16, TM_GPU_MATRIX), 2458);
	CHECK(!tm_gpu_memory(&s, &gb));
	CHECK(!tm_gpu_reached(&s, TM_GPU_F16, TM_GPU_MATRIX, &mops));
	for (int t = 0; t < TM_GPU_TYPES; t++)
		CHECK(strlen(tm_gpu_type_text((enum tm_gpu_type)t)) >= 2);
	for (int u = 0; u < TM_GPU_UNITS; u++)
		CHECK(strlen(tm_gpu_unit_text((enum tm_gpu_unit)u)) >= 6);
}

TEST_MAIN(T(agents), T(names), T(kineto), T(peaks), T(parts))
