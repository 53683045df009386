/* SPDX-License-Identifier: MIT */
#include "model/event.h"

#include <stdio.h>
#include <strings.h>

const struct tm_ev_column tm_ev_columns[TM_EVC_N] = {
#define EV_COLUMN(id, type, word, about) { TM_EVT_##type, word, about },
#include "model/columns.def"
#undef EV_COLUMN
};

const char *tm_agent_text(uint64_t agent, char out[16])
{
	static const char *const word[] = {
		[TM_AGENT_NODE] = "", [TM_AGENT_GPU] = "GPU ", [TM_AGENT_CPU] = "CPU "
	};

	snprintf(out, 16, "%s%u", word[agent >> 32], (unsigned)(uint32_t)agent);
	return out;
}

const char *tm_ev_kind_text(enum tm_ev_kind k, bool plural)
{
	static const char *const word[TM_EV_NKINDS][2] = {
		[TM_EV_DISPATCH] = { "kernel dispatch", "kernel dispatches" },
		[TM_EV_COPY] = { "copy", "copies" },
		[TM_EV_API] = { "API call", "API calls" },
		[TM_EV_ALLOC] = { "allocation", "allocations" },
		[TM_EV_COUNTER] = { "counter value", "counter values" },
		[TM_EV_SAMPLE] = { "PC sample", "PC samples" },
		[TM_EV_STAT] = { "statistics row", "statistics rows" },
		[TM_EV_AGENT] = { "agent", "agents" },
		[TM_EV_ROLLUP] = { "rollup", "rollups" },
		[TM_EV_STATE] = { "state", "states" },
	};

	return word[k][plural];
}

enum tm_domain tm_ev_kind_domain(enum tm_ev_kind k)
{
	return k == TM_EV_COPY    ? TM_DOMAIN_COPY
	       : k == TM_EV_ALLOC ? TM_DOMAIN_ALLOC
	       : k == TM_EV_API   ? TM_DOMAIN_OTHER
	                          : TM_DOMAIN_KERNEL;
}

bool tm_batch_one_domain(const struct tm_batch *b, enum tm_domain *d)
{
	const uint64_t *domain;
	uint64_t differ = 0;

	if (b->domains) {
		*d = b->domains->domain;
		return b->domains->one;
	}
	*d = tm_ev_kind_domain(b->kind);
	if (!tm_batch_column(b, TM_EVC_DOMAIN, &domain))
		return false;
	if (!domain || !b->n)
		return true;
	for (uint32_t i = 1; i < b->n; i++)
		differ |= domain[i] ^ domain[0];
	*d = (enum tm_domain)domain[0];
	return !differ;
}

void tm_batch_see_domains(const struct tm_batch *b, struct tm_batch_domains *out)
{
	memset(out, 0, sizeof *out);
	out->one = tm_batch_one_domain(b, &out->domain);
	if (out->one)
		out->rows[out->domain] = b->n;
	for (uint32_t i = 0; !out->one && i < b->n; i++)
		out->rows[tm_batch_domain(b, i)]++;
}

bool tm_batch_kernels(const struct tm_batch *b, tm_ev_set need)
{
	enum tm_domain d;

	return b->kind == TM_EV_DISPATCH && (b->has & need) == need && tm_batch_one_domain(b, &d) &&
	       d == TM_DOMAIN_KERNEL;
}

const char *tm_domain_text(enum tm_domain d)
{
	static const char *const word[TM_DOMAIN_N] = {
		[TM_DOMAIN_KERNEL] = "kernel",
		[TM_DOMAIN_COPY] = "copy",
		[TM_DOMAIN_HIP] = "hip",
		[TM_DOMAIN_HSA] = "hsa",
		[TM_DOMAIN_MARKER] = "marker",
		[TM_DOMAIN_RCCL] = "rccl",
		[TM_DOMAIN_ROCDECODE] = "rocdecode",
		[TM_DOMAIN_ROCJPEG] = "rocjpeg",
		[TM_DOMAIN_ALLOC] = "alloc",
		[TM_DOMAIN_SCRATCH] = "scratch",
		[TM_DOMAIN_OTHER] = "other",
		[TM_DOMAIN_DOMAINS] = "domains",
	};

	return word[d];
}

enum tm_domain tm_domain_find(const char *text, size_t len)
{
	for (int d = 0; d < TM_DOMAIN_N; d++) {
		const char *word = tm_domain_text((enum tm_domain)d);

		if (strlen(word) == len && !memcmp(word, text, len))
			return (enum tm_domain)d;
	}
	return TM_DOMAIN_N;
}

const char *tm_copy_direction(const char *text, size_t len)
{
	static const struct {
		const char *word, *direction;
	} map[] = {
		{ "host_to_device", "host_to_device" },
		{ "device_to_host", "device_to_host" },
		{ "device_to_device", "device_to_device" },
		{ "host_to_host", "host_to_host" },
		{ "hosttodevice", "host_to_device" },
		{ "devicetohost", "device_to_host" },
		{ "devicetodevice", "device_to_device" },
		{ "hosttohost", "host_to_host" },
		{ "htod", "host_to_device" },
		{ "dtoh", "device_to_host" },
		{ "dtod", "device_to_device" },
		{ "ptop", "device_to_device" },
		{ "htoh", "host_to_host" },
	};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
		size_t n = strlen(map[i].word);

		for (size_t k = 0; k + n <= len; k++)
			if (!strncasecmp(text + k, map[i].word, n))
				return map[i].direction;
	}
	return NULL;
}

/* The end of a copy, unless it is known to be no GPU. */
static const uint64_t *device_end(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	const uint64_t *end = tm_batch_cell(b, i, c);

	return end && *end >> 32 == TM_AGENT_CPU ? NULL : end;
}

unsigned tm_copy_agents(const struct tm_batch *b, uint32_t i, const char *way,
                        const uint64_t *of[2])
{
	const uint64_t *agent = tm_batch_cell(b, i, TM_EVC_AGENT),
	               *src = tm_batch_cell(b, i, TM_EVC_SRC),
	               *dst = tm_batch_cell(b, i, TM_EVC_DST);
	bool between = way && !strcmp(way, "device_to_device");

	if (way && !strcmp(way, "host_to_host"))
		return 0;
	if (!way) {
		src = device_end(b, i, TM_EVC_SRC);
		dst = device_end(b, i, TM_EVC_DST);
	}
	if (agent)
		of[0] = agent;
	else if (!way && src && dst)
		of[0] = *src == *dst ? dst : NULL;
	else if (!way || between)
		of[0] = dst ? dst : src;
	else
		of[0] = strcmp(way, "device_to_host") != 0 ? dst : src;
	if (agent || !between || !src || !dst || *src == *dst)
		return of[0] != NULL;
	of[1] = src;
	return 2;
}

enum tm_domain tm_domain_of_producer(const char *text, size_t len)
{
	/* Prefixes: 7.0 added _EXT, 7.1 _RANGE, rocprofv2 says _DOMAIN, all after the same stem. */
	static const struct {
		const char *stem;
		enum tm_domain domain;
	} map[] = {
		{ "HIP_OPS", TM_DOMAIN_KERNEL },
		{ "HSA_OPS", TM_DOMAIN_COPY },
		{ "HIP_", TM_DOMAIN_HIP },
		{ "HSA_", TM_DOMAIN_HSA },
		{ "MARKER", TM_DOMAIN_MARKER },
		{ "ROCTX", TM_DOMAIN_MARKER },
		{ "RCCL_", TM_DOMAIN_RCCL },
		{ "ROCDECODE_", TM_DOMAIN_ROCDECODE },
		{ "ROCJPEG_", TM_DOMAIN_ROCJPEG },
		{ "KERNEL_DISPATCH", TM_DOMAIN_KERNEL },
		{ "MEMORY_COPY", TM_DOMAIN_COPY },
		{ "MEMORY_ALLOCATION", TM_DOMAIN_ALLOC },
		{ "SCRATCH_MEMORY", TM_DOMAIN_SCRATCH },
	};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
		size_t n = strlen(map[i].stem);

		if (len >= n && !memcmp(text, map[i].stem, n))
			return map[i].domain;
	}
	return TM_DOMAIN_OTHER;
}
