/* SPDX-License-Identifier: MIT
 * What torch.profiler records about collectives besides their kernels, about operators and
 * devices. */
#ifndef TM_READ_JSON_KINETO_H
#define TM_READ_JSON_KINETO_H

#include "read/json/chrome.h"

/* Arguments of a kernel that torch.distributed started; JSON_NONE = not there. */
struct kineto_comm {
	struct json_item what;     /* "allreduce" */
	struct json_item in, out;  /* elements sent and received */
	struct json_item type;     /* of an element: "BFloat16" */
	struct json_item size;     /* ranks of the process group */
	struct json_item name;     /* of the process group: "0" */
	struct json_item about;    /* "default_pg" */
	struct json_item ranks;    /* "[0, 1, 2, 3]", as text */
	struct json_item seq;      /* its number in the group */
	struct json_item from, to; /* of all ranks that which sends, and that which receives */
};

/* The columns that come of it. */
tm_ev_set tm_kineto_comm_columns(void);

/* Put what is wanted of it into a row; nothing where it is no collective.  False when out of
 * memory. */
bool tm_kineto_comm_put(struct tm_reader *r, const struct kineto_comm *c, struct tm_ev_row *row);

/* Put what is wanted of an operator or annotation into a row.  False when out of memory. */
bool tm_kineto_op_put(struct tm_reader *r, const struct chrome_event *e, struct tm_ev_row *row);

/* What the header says of devices; {0} is none. */
struct kineto_devices {
	struct kineto_device *v; /* n of them */
	size_t n, cap;
};

/* Read the array whose bracket is consumed; what was there goes.  False when out of memory;
 * c->state says whether it was whole. */
bool tm_kineto_devices_read(struct kineto_devices *k, struct tm_reader *r, struct json *c);

/* An agent for each, with its number where events use the same; then there are none.  False when
 * out of memory. */
bool tm_kineto_devices_put(struct kineto_devices *k, struct chrome *t, bool numbered);

void tm_kineto_devices_fini(struct kineto_devices *k);

#endif
