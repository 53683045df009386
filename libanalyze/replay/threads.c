/* SPDX-License-Identifier: MIT */
#include "replay/threads.h"

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct work {
	bool (*do_one)(void *arg, size_t i);
	void *arg;
	size_t n;
	atomic_size_t next;
	atomic_bool failed;
};

static void *go(void *arg)
{
	struct work *w = arg;

	for (size_t i; !w->failed && (i = w->next++) < w->n;)
		if (!w->do_one(w->arg, i))
			w->failed = true;
	return NULL;
}

bool tm_replay_each(bool (*do_one)(void *arg, size_t i), void *arg, size_t n, unsigned jobs)
{
	struct work w = { .do_one = do_one, .arg = arg, .n = n };
	size_t want = jobs < n ? jobs : n, made = 0;
	pthread_t *id = want > 1 ? tm_array(want, sizeof *id) : NULL;

	while (id && made + 1 < want && !pthread_create(&id[made], NULL, go, &w))
		made++;
	go(&w);
	while (made)
		pthread_join(id[--made], NULL);
	free(id);
	return !w.failed;
}
