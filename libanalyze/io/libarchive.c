/* SPDX-License-Identifier: MIT
 * Loads libarchive when it is needed. */
#include "io/libarchive.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* The library of the headers this was built with: 13 since libarchive 3.0. */
static const char soname[] = "libarchive.so.13";

struct libarchive tm_la;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool loaded;

static const struct {
	const char *name;
	size_t at; /* of its pointer in struct libarchive */
} functions[] = {
#define LA(name) { #name, offsetof(struct libarchive, name) },
#include "io/libarchive.def"
#undef LA
};

/* False with *d. */
static bool load(struct tm_diag *d)
{
	void *lib = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

	if (!lib) {
		const char *why = dlerror();

		/* What the loader says where it has no memory. */
		if (!why || strstr(why, "annot create") || strstr(why, "annot allocate"))
			tm_diag_oom(d);
		else
			tm_diag_set(d, 0, "%s is needed for this and cannot be loaded: %s", soname,
			            why);
		return false;
	}
	/* It stays loaded: what it allocates lives as long as the process. */
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *p = dlsym(lib, functions[i].name);

		if (!p) {
			tm_diag_set(d, 0, "%s is too old: it has no %s", soname, functions[i].name);
			return false;
		}
		memcpy((char *)&tm_la + functions[i].at, &p, sizeof p);
	}
	return true;
}

bool tm_libarchive_load(struct tm_diag *d)
{
	bool ok;

	pthread_mutex_lock(&lock);
	ok = loaded || load(d);
	loaded = ok;
	pthread_mutex_unlock(&lock);
	return ok;
}
