/* SPDX-License-Identifier: MIT
 * deviceProperties of torch.profiler: what HIP or CUDA says of each device.  The architecture is
 * told as major and minor only, and without a clock; gpu/product.h says which one that is. */
#include "gpu/gpu.h"
#include "read/json/kineto.h"

#include <stdlib.h>

/* Of one device; a text is a name of the reader + 1. */
struct kineto_device {
	uint64_t id, major, minor, processors, lanes;
	uint32_t name;
};

/* To its end in any case, for the text goes on after it.  False when out of memory. */
static bool read_device(struct tm_reader *r, struct json *c, struct kineto_device *d)
{
	static const struct {
		const char *key;
		size_t n, at;
	} numbers[] = {
#define NUMBER(k, m) { k, sizeof(k) - 1, offsetof(struct kineto_device, m) }
		NUMBER("id", id),
		NUMBER("computeMajor", major),
		NUMBER("computeMinor", minor),
		NUMBER("numSms", processors),
		NUMBER("warpSize", lanes),
#undef NUMBER
	};
	struct json_item key, v;
	bool first = true, ok = true;
	uint64_t n;

	*d = (struct kineto_device) { .id = UINT64_MAX };
	while (tm_json_member(c, &first, &key)) {
		v = tm_json_value(c);
		if (v.kind == JSON_NONE || !tm_json_skip_rest(c, v.kind))
			return ok;
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			if (json_is(&key, numbers[i].key, numbers[i].n) && tm_json_u64(&v, &n))
				memcpy((char *)d + numbers[i].at, &n, sizeof n);
		if (json_is(&key, "name", 4) && v.kind == JSON_STRING && v.n) {
			uint32_t id = tm_names_add(&r->names, (const char *)v.p, v.n);

			ok &= id != TM_NAME_NONE;
			d->name = id + 1;
		}
	}
	return ok;
}

bool tm_kineto_devices_read(struct kineto_devices *k, struct tm_reader *r, struct json *c)
{
	bool first = true, ok = true;

	k->n = 0;
	while (tm_json_element(c, &first)) {
		struct json_item v = tm_json_value(c);

		if (v.kind == JSON_NONE)
			break;
		ok = ok && tm_grow_array(&k->v, &k->cap, k->n + 1, sizeof *k->v);
		if (v.kind != JSON_OBJECT || !ok) {
			if (!tm_json_skip_rest(c, v.kind))
				break;
			continue;
		}
		ok = read_device(r, c, &k->v[k->n]);
		k->n++;
		if (c->state != JSON_GOOD)
			break;
	}
	return ok;
}

static bool put_text(struct tm_reader *r, struct tm_ev_row *row, enum tm_ev_col col,
                     const char *text, size_t n)
{
	uint32_t id = tm_names_add(&r->names, text, n);

	if (id != TM_NAME_NONE)
		tm_ev_put(row, col, id);
	return id != TM_NAME_NONE;
}

static bool put_gfx(struct tm_reader *r, struct tm_ev_row *row, const struct kineto_device *d)
{
	struct tm_buf text = { 0 };
	uint64_t cus = 0, gfx = 0;
	bool ok = true;

	/* CUDA counts its versions too; a warp of gfx9 is 64 lanes, of the others 32. */
	if ((d->major == 9) == (d->lanes == 64))
		gfx = tm_gpu_gfx_of(d->major, d->minor, d->processors, &cus);
	if (gfx) {
		tm_ev_put(row, TM_EVC_GFX, gfx);
		tm_ev_put(row, TM_EVC_CUS, cus);
		tm_gpu_put_gfx(&text, gfx);
		ok = !text.failed && put_text(r, row, TM_EVC_NAME, text.p, text.n);
	}
	tm_buf_fini(&text);
	return ok;
}

bool tm_kineto_devices_put(struct kineto_devices *k, struct chrome *t, bool numbered)
{
	static const tm_ev_set use = TM_EV_BIT(TM_EVC_PRODUCT) | TM_EV_BIT(TM_EVC_GFX);
	struct tm_reader *r = t->r;

	for (size_t i = 0; r->want & use && i < k->n; i++) {
		const struct kineto_device *d = &k->v[i];
		struct tm_ev_row row = { .has = 0 };

		/* Else events number it as the driver does, and here it is counted from 0. */
		if (numbered && d->id <= UINT32_MAX)
			tm_ev_put(&row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_GPU, (uint32_t)d->id));
		if (d->name)
			tm_ev_put(&row, TM_EVC_PRODUCT, d->name - 1);
		if (!put_gfx(r, &row, d) || !put_text(r, &row, TM_EVC_TYPE, "GPU", 3) ||
		    !tm_chrome_add(t, OUT_AGENT, &row))
			return false;
	}
	k->n = 0;
	return true;
}

void tm_kineto_devices_fini(struct kineto_devices *k)
{
	free(k->v);
	*k = (struct kineto_devices) { 0 };
}
