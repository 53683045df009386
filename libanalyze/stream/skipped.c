/* SPDX-License-Identifier: MIT */
#include "stream/skipped.h"

#include "stream/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* How the names of traces end.  Not the text files of rocprof (v1): it leaves empty ones, too. */
static const char *const endings[] = {
	".pftrace",     ".proto",        ".db",
	".rpd",         "_trace.csv",    "_counter_collection.csv",
	"_results.csv", "_results.json", ".trace.json",
};

static bool named_as_trace(const char *path)
{
	size_t n = tm_watch_unpacked(path);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t k = strlen(endings[i]);

		if (n > k && !strncasecmp(path + n - k, endings[i], k))
			return true;
	}
	return false;
}

/* Remember it if another tool reads it. */
static void note_other(const char *path, const unsigned char *p, size_t n,
                       struct tm_skipped_other *other)
{
	const struct tm_bytes_ops *ops = memchr(p, 0, n)
	                                         ? NULL
	                                         : tm_bytes_choose(p, n, n < TM_SOURCE_PEEK);

	if (!ops)
		return;
	other->tool = ops->tool;
	snprintf(other->path, sizeof other->path, "%s", path);
}

/* A journal of SQLite with something in it, whose database does not report it: that can only see a
 * file next to itself. */
static bool lone_journal(const char *path, const unsigned char *p, size_t n)
{
	static const struct {
		const char *tail, *magic;
		size_t length;
	} kinds[] = {
		{ "-wal", "\x37\x7f\x06\x82", 4 },
		{ "-wal", "\x37\x7f\x06\x83", 4 },
		{ "-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8 },
	};
	enum { HEADER = 32 };

	for (size_t i = 0; n > HEADER && i < sizeof kinds / sizeof *kinds; i++) {
		const size_t length = strlen(path), tail = strlen(kinds[i].tail);
		char *database;
		bool there = false;

		if (memcmp(p, kinds[i].magic, kinds[i].length) != 0)
			continue;
		if (length <= tail || strcmp(path + length - tail, kinds[i].tail) != 0)
			return true;
		database = strndup(path, length - tail);
		there = database && !access(database, F_OK);
		free(database);
		return !there;
	}
	return false;
}

void tm_skipped_tell(struct tm_source *src, bool verbose, struct tm_skipped_other *other,
                     struct tm_report *rep)
{
	const char *path = tm_source_name(src);
	struct tm_diag d = { 0 };
	const unsigned char *p;
	size_t n = 0;
	const bool seen = tm_source_peek(src, &p, &n, NULL) == TM_ST_OK;

	if (seen && n && other && !other->tool)
		note_other(path, p, n, other);
	if (seen && !n && named_as_trace(path))
		tm_report_add(rep, TM_SEV_WARN, path, 0,
		              "empty file with the name of a trace; skipped");
	else if (seen && lone_journal(path, p, n))
		tm_report_add(rep, TM_SEV_SKIP, path, 0,
		              "the journal of a database that is still being written or was not "
		              "closed: the rows in it are not read");
	else if (seen && n && tm_reader_almost(p, n, &d))
		tm_report_add(rep, TM_SEV_WARN, path, 0, "skipped: %s", d.text);
	else if (verbose)
		tm_report_add(rep, TM_SEV_NOTE, path, 0, "not a trace; skipped");
}

void tm_skipped_empty(struct tm_report *rep, const char *path, const char *table,
                      const struct tm_loss *l)
{
	if (!l->rows && !tm_loss_any(l))
		tm_report_add(rep, TM_SEV_NOTE, path, 0, "%s%s without rows",
		              tm_reader_article(table), table);
}

void tm_skipped_archive(const char *path, uint64_t files, const struct tm_skipped_other *other,
                        struct tm_report *rep)
{
	const size_t n = strlen(path);
	const char *name = other->path;

	/* "p.tar:logs/a.log": the member alone */
	name += strncmp(name, path, n) ? 0 : n;
	name += strspn(name, ":");
	tm_report_add(rep, TM_SEV_ERROR, path, 0,
	              "no trace in this archive (%" PRIu64 " file%s looked at)%s%s%s%s", files,
	              files == 1 ? "" : "s", other->tool ? "; " : "", other->tool ? name : "",
	              other->tool ? " is an input of " : "", other->tool ? other->tool : "");
}
