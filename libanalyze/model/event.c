/* SPDX-License-Identifier: MIT */
#include "model/event.h"

#include <stdio.h>
#include <strings.h>

const struct ev_column ev_columns[EVC_N] = {
#define EV_COLUMN(id, type, word, about) { EVT_##type, word, about },
#include "model/columns.def"
#undef EV_COLUMN
};

const char *agent_text(uint64_t agent, char out[16])
{
	static const char *const word[] = {
		[AGENT_NODE] = "", [AGENT_GPU] = "GPU ", [AGENT_CPU] = "CPU "
	};

	snprintf(out, 16, "%s%u", word[agent >> 32], (unsigned)(uint32_t)agent);
	return out;
}

const char *ev_kind_text(enum ev_kind k, bool plural)
{
	static const char *const word[EV_NKINDS][2] = {
		[EV_DISPATCH] = { "kernel dispatch", "kernel dispatches" },
		[EV_COPY] = { "copy", "copies" },
		[EV_API] = { "API call", "API calls" },
		[EV_ALLOC] = { "allocation", "allocations" },
		[EV_COUNTER] = { "counter value", "counter values" },
		[EV_SAMPLE] = { "PC sample", "PC samples" },
		[EV_STAT] = { "statistics row", "statistics rows" },
		[EV_AGENT] = { "agent", "agents" },
		[EV_ROLLUP] = { "rollup", "rollups" },
	};

	return word[k][plural];
}

enum domain ev_kind_domain(enum ev_kind k)
{
	return k == EV_COPY    ? DOMAIN_COPY
	       : k == EV_ALLOC ? DOMAIN_ALLOC
	       : k == EV_API   ? DOMAIN_OTHER
	                       : DOMAIN_KERNEL;
}

const char *domain_text(enum domain d)
{
	static const char *const word[DOMAIN_N] = {
		[DOMAIN_KERNEL] = "kernel",
		[DOMAIN_COPY] = "copy",
		[DOMAIN_HIP] = "hip",
		[DOMAIN_HSA] = "hsa",
		[DOMAIN_MARKER] = "marker",
		[DOMAIN_RCCL] = "rccl",
		[DOMAIN_ROCDECODE] = "rocdecode",
		[DOMAIN_ROCJPEG] = "rocjpeg",
		[DOMAIN_ALLOC] = "alloc",
		[DOMAIN_SCRATCH] = "scratch",
		[DOMAIN_OTHER] = "other",
		[DOMAIN_DOMAINS] = "domains",
	};

	return word[d];
}

enum domain domain_find(const char *text, size_t len)
{
	for (int d = 0; d < DOMAIN_N; d++) {
		const char *word = domain_text((enum domain)d);

		if (strlen(word) == len && !memcmp(word, text, len))
			return (enum domain)d;
	}
	return DOMAIN_N;
}

const char *copy_direction(const char *text, size_t len)
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

enum domain domain_of_producer(const char *text, size_t len)
{
	/* Prefixes: 7.0 added _EXT, 7.1 _RANGE, rocprofv2 says _DOMAIN, all after the same stem. */
	static const struct {
		const char *stem;
		enum domain domain;
	} map[] = {
		{ "HIP_OPS", DOMAIN_KERNEL },
		{ "HSA_OPS", DOMAIN_COPY },
		{ "HIP_", DOMAIN_HIP },
		{ "HSA_", DOMAIN_HSA },
		{ "MARKER", DOMAIN_MARKER },
		{ "ROCTX", DOMAIN_MARKER },
		{ "RCCL_", DOMAIN_RCCL },
		{ "ROCDECODE_", DOMAIN_ROCDECODE },
		{ "ROCJPEG_", DOMAIN_ROCJPEG },
		{ "KERNEL_DISPATCH", DOMAIN_KERNEL },
		{ "MEMORY_COPY", DOMAIN_COPY },
		{ "MEMORY_ALLOCATION", DOMAIN_ALLOC },
		{ "SCRATCH_MEMORY", DOMAIN_SCRATCH },
	};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
		size_t n = strlen(map[i].stem);

		if (len >= n && !memcmp(text, map[i].stem, n))
			return map[i].domain;
	}
	return DOMAIN_OTHER;
}
