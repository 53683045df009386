/* SPDX-License-Identifier: MIT
 * Which calls wait for the GPU, and whose they are. */
#include "work/cover.h"
#include "work/intervals.h"

#include "test.h"

TEST(waits)
{
	static const struct {
		const char *name, *kind;
	} hip[] = {
		{ "hipDeviceSynchronize", "sync" },
		{ "hipStreamSynchronize", "sync" },
		{ "hipStreamSynchronize_spt", "sync" },
		{ "hipEventSynchronize", "sync" },
		{ "hipStreamWaitValue32", "sync" },
		{ "hipStreamWaitValue64", "sync" },
		{ "hipMemcpy", "copy" },
		{ "hipMemcpyWithStream", "copy" },
		{ "hipMemcpyDtoH", "copy" },
		{ "hipMemcpyHtoD", "copy" },
		{ "hipMemcpyDtoD", "copy" },
		{ "hipMemset", "fill" },
		{ "hipFree", "free" },
		{ "hipHostFree", "host_free" },
		{ "cudaDeviceSynchronize", "sync" },
		{ "cudaStreamSynchronize", "sync" },
		{ "cudaMemcpy", "copy" },
		{ "cudaFree", "free" },
		{ "hipFreeHost", "host_free" },
		{ "cuMemFreeHost", "host_free" },
		{ "hipMemcpyToSymbol", "copy" },
	};
	const struct tm_wait *wait;

	for (size_t i = 0; i < sizeof hip / sizeof *hip; i++) {
		wait = tm_wait_of(hip[i].name);
		CHECK(wait && wait->api == TM_WORK_HIP);
		CHECK_STR(wait ? tm_wait_words[wait->kind] : "none", hip[i].kind);
	}
	wait = tm_wait_of("hsa_signal_wait_scacquire");
	CHECK(wait && wait->api == TM_WORK_HSA && wait->kind == TM_WAIT_SYNC);
}

TEST(others_do_not_wait)
{
	static const char *const names[] = {
		"",
		"hip",
		"hipMemcpyAsync",
		"hipMemcpyDtoHAsync",
		"hipMemcpyHtoDAsync",
		"hipMemcpyPeerAsync",
		"hipMemsetAsync",
		"hipFreeAsync",
		"hipStreamWaitEvent", /* makes a stream wait, not the host */
		"hipStreamQuery",
		"hipEventRecord",
		"hipLaunchKernel",
		"hipMalloc",
		"cudaMemcpyAsync",
		"hsa_signal_create",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK_STR(tm_wait_of(names[i]) ? names[i] : "none", "none");
}

/* Two agents of rank 3: 10..20 and 15..40, 60..70; of rank 4: 0..100.  Busy: 10..40, 60..70. */
TEST(cover)
{
	struct tm_work_track track[3] = { { .rank = 3, .window = { 10, 70 } },
		                          { .rank = 3, .window = { 15, 70 } },
		                          { .rank = 4, .window = { 0, 100 } } };
	struct tm_work w = { .track = track, .ntrack = 3 };
	struct tm_cover c = { 0 };

	CHECK(tm_intervals_add(&track[0].op[TM_WORK_KERNEL], 10, 20, 0, 0));
	CHECK(tm_intervals_add(&track[1].op[TM_WORK_KERNEL], 15, 40, 0, 0));
	CHECK(tm_intervals_add(&track[1].op[TM_WORK_COPY], 60, 70, 0, 0));
	CHECK(tm_intervals_add(&track[2].op[TM_WORK_COMM], 0, 100, 0, 0));
	CHECK(tm_cover_make(&c, &w, 3));
	CHECK_U64(tm_cover_busy(&c, 0, 100), 40);
	CHECK_U64(tm_cover_busy(&c, 0, 10), 0);
	CHECK_U64(tm_cover_busy(&c, 30, 65), 15);
	CHECK_U64(tm_cover_busy(&c, 45, 45), 0);
	CHECK_U64(tm_cover_busy(&c, 40, 60), 0);
	CHECK_U64(tm_cover_busy(&c, 69, UINT64_MAX), 1);
	CHECK(tm_cover_make(&c, &w, 4));
	CHECK_U64(tm_cover_busy(&c, 0, 50), 50);
	CHECK(tm_cover_make(&c, &w, 5));
	CHECK_U64(tm_cover_busy(&c, 0, UINT64_MAX), 0);
	tm_cover_fini(&c);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < TM_WORK_KINDS; k++)
			tm_intervals_fini(&track[i].op[k]);
}

TEST_MAIN(T(waits), T(others_do_not_wait), T(cover))
