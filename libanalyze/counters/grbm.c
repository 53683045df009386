/* SPDX-License-Identifier: MIT */
#include "counters/grbm.h"

#include <inttypes.h>

void tm_grbm_gpu(struct tm_grbm_gpu *g, const struct tm_agents *a, uint64_t rank, bool has_agent,
                 uint64_t agent, const struct tm_grbm_given *given)
{
	struct tm_gpu_seen seen = { 0 };
	const struct tm_gpu_product *p;
	uint64_t xccs = 0;

	tm_agents_find(a, rank, has_agent ? agent : UINT64_MAX, &seen, &xccs);
	seen.gfx = seen.gfx ? seen.gfx : given->gfx;
	if (!seen.cus && given->cus != UINT64_MAX)
		seen.cus = given->cus;
	p = tm_gpu_product(&seen);
	*g = (struct tm_grbm_gpu) { .gfx = seen.gfx,
		                    .cus = seen.cus,
		                    .max_mhz = seen.mhz,
		                    .xccs = xccs,
		                    .stated = given->xccs != UINT64_MAX };
	if (!g->max_mhz)
		g->max_mhz = given->max_mhz != UINT64_MAX ? given->max_mhz : p ? p->mhz : 0;
	if (g->stated)
		g->xccs = given->xccs;
	/* Of a part of a product it is not known how many it has. */
	if (!g->xccs && p && p->cus == g->cus)
		g->xccs = p->xccs;
	/* Only these have several. */
	if (!g->xccs && g->gfx && (g->gfx < 90400 || g->gfx >= 100000))
		g->xccs = 1;
}

uint64_t tm_grbm_khz(uint64_t cycles, uint64_t ns)
{
	tm_u128 khz = ns ? (tm_u128)cycles * 1000000 / ns : 0;

	return khz > UINT64_MAX ? UINT64_MAX : (uint64_t)khz;
}

/* Is it a clock of one XCC; of all, added up? */
static void possible(const struct tm_grbm_gpu *g, uint64_t khz, bool brief, bool *one, bool *sum)
{
	const tm_u128 most = (tm_u128)g->max_mhz * 1050, least = (tm_u128)g->max_mhz * 250;

	*one = g->max_mhz && khz <= most;
	*sum = g->max_mhz && g->xccs > 1 && khz / g->xccs >= least &&
	       (brief || khz / g->xccs <= most);
	if (brief && g->max_mhz && !*sum)
		*one = true;
}

uint64_t tm_grbm_divide(const struct tm_grbm_gpu *g, uint64_t khz, bool brief)
{
	bool one, sum;

	possible(g, khz, brief, &one, &sum);
	if (khz && one != sum)
		return one ? 1 : g->xccs;
	return g->stated ? g->xccs : 0;
}

void tm_grbm_tell(struct tm_report *rep, uint64_t rank, bool has_agent, uint64_t agent,
                  const struct tm_grbm_gpu *g, uint64_t khz, bool brief)
{
	const uint64_t divide = tm_grbm_divide(g, khz, brief);
	struct tm_buf b = { 0 };
	bool one, sum;
	char text[16];

	possible(g, khz, brief, &one, &sum);
	if (one != sum && divide > 1)
		tm_buf_fmt(&b, "the sum of %" PRIu64 " XCCs, divided by %" PRIu64, divide, divide);
	else if (one != sum)
		tm_buf_fmt(&b, "the value of one XCC, not the sum of %" PRIu64, g->xccs);
	else if (g->xccs > 1)
		tm_buf_fmt(&b,
		           one ? "the value of one XCC or the sum of %" PRIu64
		               : "neither the value of one XCC nor the sum of %" PRIu64,
		           g->xccs);
	else
		tm_buf_str(&b, "impossible");
	if (one == sum && g->stated)
		tm_buf_fmt(&b, "; divided by %" PRIu64 " (--xccs)", divide);
	else if (one == sum)
		tm_buf_str(&b, "; results based on it are not shown (set --xccs)");
	if (b.p)
		tm_report_add(rep, one == sum ? TM_SEV_WARN : TM_SEV_NOTE, NULL, 0,
		              "rank %" PRIu64 ", agent %s: GRBM_GUI_ACTIVE / duration is %" PRIu64
		              " MHz, maximum %" PRIu64 ": %s",
		              rank, has_agent ? tm_agent_text(agent, text) : "unknown",
		              (khz + 500) / 1000, g->max_mhz, b.p);
	rep->lost |= b.failed;
	tm_buf_fini(&b);
}
