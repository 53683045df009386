/* SPDX-License-Identifier: MIT */
#include "question/state_bytes.h"

#include "io/io.h"

#include <stdlib.h>

struct tm_state_bytes tm_state_bytes(const void *p, size_t n)
{
	const unsigned char *at = p;

	return (struct tm_state_bytes) { at, at + n, false };
}

uint64_t tm_state_number(struct tm_state_bytes *b)
{
	uint64_t v = 0;

	if (b->bad || !tm_num_get_varint(&b->p, b->end, &v)) {
		b->bad = true;
		return 0;
	}
	return v;
}

uint64_t tm_state_up_to(struct tm_state_bytes *b, uint64_t most)
{
	uint64_t v = tm_state_number(b);

	b->bad |= v > most;
	return b->bad ? 0 : v;
}

size_t tm_state_many(struct tm_state_bytes *b)
{
	return (size_t)tm_state_up_to(b, (uint64_t)(b->end - b->p));
}

const char *tm_state_text(struct tm_state_bytes *b, size_t *len)
{
	const char *text;

	*len = (size_t)tm_state_up_to(b, (uint64_t)(b->end - b->p));
	/* A varint was read: there may be fewer bytes now. */
	b->bad |= *len > (size_t)(b->end - b->p) || *len >= UINT32_MAX;
	if (b->bad) {
		*len = 0;
		return "";
	}
	text = (const char *)b->p;
	b->p += *len;
	return text;
}

void tm_state_put_text(struct tm_buf *out, const char *text, size_t len)
{
	tm_num_put_varint(out, len);
	if (len)
		tm_buf_add(out, text, len);
}

bool tm_state_put_planes(struct tm_buf *out, const uint64_t *v, size_t n)
{
	unsigned char *plane = malloc(n + 1);
	struct tm_buf packed = { 0 };
	uint64_t all = 0;
	unsigned planes = 1;

	for (size_t i = 0; i < n; i++)
		all |= v[i];
	while (planes < sizeof all && all >> 8 * planes)
		planes++;
	out->failed |= !plane;
	tm_num_put_varint(out, planes);
	for (unsigned k = 0; plane && k < planes; k++) {
		for (size_t i = 0; i < n; i++)
			plane[i] = (unsigned char)(v[i] >> 8 * k);
		tm_buf_clear(&packed);
		out->failed |= !tm_pack(&packed, plane, n, TM_PACK_SMALL);
		tm_state_put_text(out, packed.p, packed.n);
	}
	free(plane);
	tm_buf_fini(&packed);
	return !out->failed;
}

uint64_t *tm_state_get_planes(struct tm_state_bytes *b, size_t n)
{
	const unsigned planes = (unsigned)tm_state_up_to(b, sizeof(uint64_t));
	uint64_t *v = NULL;

	b->bad |= !planes;
	for (unsigned k = 0; k < planes && !b->bad; k++) {
		size_t len, size;
		const char *packed = tm_state_text(b, &len);
		unsigned char *plane = b->bad ? NULL : tm_unpack(packed, len, &size, &b->bad);

		/* Memory for n of them once there are so many bytes. */
		b->bad |= plane && size != n;
		if (plane && !b->bad && !k)
			v = calloc(n + 1, sizeof *v);
		for (size_t i = 0; v && plane && !b->bad && i < n; i++)
			v[i] |= (uint64_t)plane[i] << 8 * k;
		free(plane);
		if (!plane || !v)
			break;
	}
	if (!b->bad)
		return v;
	free(v);
	return NULL;
}

bool tm_state_dict_init(struct tm_state_dict *d, const struct tm_names *names)
{
	*d = (struct tm_state_dict) { .names = names,
		                      .of = calloc((size_t)names->n + 1, sizeof *d->of) };
	return d->of != NULL;
}

uint32_t tm_state_dict_of(struct tm_state_dict *d, uint32_t name)
{
	if (name == TM_NAME_NONE)
		return 0;
	if (!d->of[name]) {
		d->of[name] = ++d->n;
		tm_state_put_text(&d->text, d->names->v[name].text, d->names->v[name].len);
	}
	return d->of[name];
}

void tm_state_dict_put(struct tm_state_dict *d, struct tm_buf *out)
{
	tm_num_put_varint(out, d->n);
	if (d->text.n)
		tm_buf_add(out, d->text.p, d->text.n);
	out->failed |= d->text.failed;
}

void tm_state_dict_fini(struct tm_state_dict *d)
{
	free(d->of);
	tm_buf_fini(&d->text);
	*d = (struct tm_state_dict) { 0 };
}

uint32_t *tm_state_dict_get(struct tm_state_bytes *b, struct tm_names *names, size_t *n)
{
	size_t many = tm_state_many(b);
	uint32_t *id = malloc((many + 1) * sizeof *id);

	*n = 1;
	if (!id)
		return NULL;
	id[0] = TM_NAME_NONE;
	for (size_t i = 0; i < many && !b->bad; i++) {
		size_t len;
		const char *text = tm_state_text(b, &len);

		if (b->bad)
			break;
		id[*n] = tm_names_add(names, text, len);
		if (id[(*n)++] != TM_NAME_NONE)
			continue;
		free(id);
		return NULL;
	}
	return id;
}
