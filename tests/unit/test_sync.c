/* SPDX-License-Identifier: MIT
 * Which calls wait for the GPU, and whose they are. */
#include "work/cover.h"
#include "work/intervals.h"

#include "test.h"

TEST(waits)
{
	static const char *const hip[] = {
		"hipDeviceSynchronize",
		"hipStreamSynchronize",
		"hipStreamSynchronize_spt",
		"hipEventSynchronize",
		"hipStreamWaitValue32",
		"hipStreamWaitValue64",
		"hipMemcpy",
		"hipMemcpyWithStream",
		"hipMemcpyDtoH",
		"hipMemcpyHtoD",
		"hipMemcpyDtoD",
		"hipMemset",
		"hipFree",
		"hipHostFree",
		"cudaDeviceSynchronize",
		"cudaStreamSynchronize",
		"cudaMemcpy",
		"cudaFree",
	};
	enum tm_work_api api;

	for (size_t i = 0; i < sizeof hip / sizeof *hip; i++) {
		api = TM_WORK_HSA;
		CHECK(tm_work_is_wait(hip[i], &api));
		CHECK(api == TM_WORK_HIP);
	}
	api = TM_WORK_HIP;
	CHECK(tm_work_is_wait("hsa_signal_wait_scacquire", &api));
	CHECK(api == TM_WORK_HSA);
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
	enum tm_work_api api;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK_STR(tm_work_is_wait(names[i], &api) ? names[i] : "none", "none");
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
