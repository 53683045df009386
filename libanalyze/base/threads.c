/* SPDX-License-Identifier: MIT */
#include "base/threads.h"

#include "base/buf.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- loops ---- */

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

bool tm_each(bool (*do_one)(void *arg, size_t i), void *arg, size_t n, unsigned jobs)
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

/* ---- results ---- */

enum { UNMADE, MAKING, MADE };

/* One lock for all: waiting is rare. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

bool tm_once_begin(struct tm_once *o)
{
	bool mine;

	if (__atomic_load_n(&o->state, __ATOMIC_ACQUIRE) == MADE)
		return false;
	pthread_mutex_lock(&lock);
	while (o->state == MAKING)
		pthread_cond_wait(&ended, &lock);
	mine = o->state == UNMADE;
	if (mine)
		__atomic_store_n(&o->state, MAKING, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	return mine;
}

static void set(struct tm_once *o, unsigned char state)
{
	pthread_mutex_lock(&lock);
	__atomic_store_n(&o->state, state, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&ended);
	pthread_mutex_unlock(&lock);
}

void tm_once_end(struct tm_once *o)
{
	set(o, MADE);
}

void tm_once_again(struct tm_once *o)
{
	set(o, UNMADE);
}
