/* SPDX-License-Identifier: MIT
 * Names are few and rows are many: what a name looks like in a row is worked out once, for all
 * pieces and all workers. */
#include "events/events_parts.h"

#include <stdlib.h>
#include <string.h>

/* One block: the struct, then the bytes of its texts. */
static struct event_name *make(const struct tm_events *e, enum name_sort sort,
                               const struct tm_name *nm, const struct tm_classes *classes)
{
	const char *class_name = NULL, *direction = NULL;
	struct event_name *en = NULL;
	struct tm_buf b = { 0 };
	size_t at[4];
	char *p;

	if (sort == NAME_IS_KERNEL && !tm_kernel_name(&b, nm->text, nm->len, TM_NAME_FULL))
		b.failed = true;
	if (sort != NAME_IS_KERNEL)
		tm_buf_add(&b, nm->text, nm->len);
	tm_buf_reserve(&b, 0);
	at[0] = b.n;
	if (!b.failed && sort == NAME_IS_KERNEL) {
		class_name = tm_classes_of(classes, b.n ? b.p : "", NULL);
		b.failed = !class_name;
	}
	if (sort == NAME_IS_COPY)
		direction = tm_copy_direction(nm->text, nm->len);
	if (!b.failed) {
		struct tm_buf text = { 0 };

		/* A copy: appending moves what is copied from. */
		tm_buf_add(&text, b.p, b.n);
		if (text.failed || !e->form.text(&b, text.p, text.n))
			b.failed = true;
		tm_buf_fini(&text);
	}
	at[1] = b.n;
	if (class_name)
		e->form.text(&b, class_name, strlen(class_name));
	at[2] = b.n;
	if (direction)
		e->form.text(&b, direction, strlen(direction));
	at[3] = b.n;
	if (!b.failed && at[3] < UINT32_MAX)
		en = malloc(sizeof *en + b.n);
	if (en) {
		p = (char *)(en + 1);
		memcpy(p, b.p, b.n);
		*en = (struct event_name) {
			.text = { p, (uint32_t)at[0] },
			.cell = { p + at[0], (uint32_t)(at[1] - at[0]) },
			.class_name = { p + at[1], (uint32_t)(at[2] - at[1]) },
			.direction = { p + at[2], (uint32_t)(at[3] - at[2]) },
			.unknown = class_name && !strcmp(class_name, TM_CLASS_UNKNOWN),
		};
	}
	tm_buf_fini(&b);
	return en;
}

const struct event_name *tm_event_name(struct tm_events *e, enum name_sort sort,
                                       const struct tm_name *nm, const struct tm_classes *classes)
{
	struct event_names *ns = &e->names[sort];
	struct event_name *en = NULL;
	uint32_t id;

	pthread_mutex_lock(&e->lock);
	id = tm_names_find(&ns->raw, nm->text, nm->len);
	if (id != TM_NAME_NONE) {
		en = ns->v[id];
	} else if (tm_grow_array(&ns->v, &ns->cap, (size_t)ns->raw.n + 1,
	                         sizeof(struct event_name *)) &&
	           (en = make(e, sort, nm, classes))) {
		id = tm_names_add(&ns->raw, nm->text, nm->len);
		if (id == TM_NAME_NONE) {
			free(en);
			en = NULL;
		} else {
			ns->v[id] = en;
		}
	}
	pthread_mutex_unlock(&e->lock);
	return en;
}
