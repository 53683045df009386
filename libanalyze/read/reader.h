/* SPDX-License-Identifier: MIT
 * Bytes to events: one reader for each input format. */
#ifndef TM_READ_READER_H
#define TM_READ_READER_H

#include "base/base.h"
#include "io/io.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_reader;
struct tm_reader_ops;
struct tm_sqlite_file;

enum { TM_HEADER_NAME = 40 }; /* bytes of a column's name in a message */

/* How well the clock of an input was compared with the others in one part of the time. */
struct tm_clock_part {
	uint64_t from_ns, to_ns; /* as recorded */
	uint64_t error_ns;       /* how far times of this part may be off the common clock */
};

/* The producer of timelines that tracecat drew, known at open: the traces they were drawn from may
 * be next to them. */
#define TM_DRAWN_BY "tracemill"

/* The trace that events belong to, in an input with several traces: a run.db, or processes of
 * several ranks in one rocpd database. */
struct tm_origin {
	struct tm_trace_id id; /* bytes: of the file it was */
	uint64_t content;      /* hash of its events, has_content */
	bool has_content;
	const char *method; /* how its clock was aligned: "none", "shared", "realtime",
	                     * "collectives"; NULL = nobody tried */
	struct tm_clock_line
	        line; /* from its times, which are as recorded, to those that compare with
	               * other ranks */
	bool has_residual;
	uint64_t residual_ns; /* what may be left then, at worst; and of parts of the time: */
	const struct tm_clock_part *part; /* in order; borrowed from the reader */
	size_t parts;
	struct tm_loss loss; /* what was left out when it was read first */
	bool live;  /* it is read first now: loss is whole at its end, and content is not known */
	bool drawn; /* a rank of a picture of ours */
	const char *problem; /* why it could not be read to its end, or NULL */
	const char *totals;  /* the file in which its events are added up and not kept; NULL = they
	                      * are there */
};

/* Who writes a format; a bit each. */
enum tm_profiler {
	TM_BY_ROCPROFV1 = 1,
	TM_BY_ROCPROFV2 = 2,
	TM_BY_ROCPROFV3 = 4,
	TM_BY_ROCPROFSYS = 8,
	TM_BY_RPD = 16,
	TM_BY_TORCH = 32,
	TM_BY_RCCL = 64,
	TM_BY_ANY = 127,
};

/* What files of a format contain. */
enum tm_format_holds {
	TM_HOLDS_EVENTS,
	TM_HOLDS_SUMS,  /* statistics: no single events */
	TM_HOLDS_ASIDE, /* what goes with any other: markers alone, a library's own log */
	TM_HOLDS_GPUS,  /* so do agents, which add nothing up: every run has its own, and those of
	                 * one machine are alike */
	TM_HOLDS_RUNS,  /* traces that once were files of other formats: a run.db */
};

/* How exactly a format keeps the times that the profiler recorded, best first. */
enum tm_format_times {
	TM_TIMES_EXACT,
	TM_TIMES_CLIPPED, /* of kernels that overlap on a queue the common part is halved between
	                   * them
	                   */
	TM_TIMES_ROUNDED, /* to a microsecond at worst */
	TM_TIMES_MOVED,   /* the same, and counted from any moment: the first event, say */
};

/* What formats.def says about a format besides its reader. */
struct tm_format_facts {
	unsigned profilers; /* bits of enum tm_profiler */
	enum tm_format_holds holds;
	enum tm_format_times times;
	unsigned place; /* its line */
};

/* One format.  The table of them is read/formats.def. */
struct tm_reader_ops {
	const char *name;  /* what --from takes: "rocprofv3-csv" */
	const char *about; /* one line for --list-formats */

	/* Bits of evidence that p[0..n) (`whole` = that is all there is) is this format; 0 = it is
	 * not.  A header of a table bids 8 for each column it needs and finds.  Pure. */
	unsigned (*bid)(const unsigned char *p, size_t n, bool whole);

	/* Optional, if no format bid: do these bytes lack only one column to be this format?  Then
	 * the label of the table and the name of the missing column.  Pure. */
	bool (*nearly)(const unsigned char *p, size_t n, const char **label,
	               char missing[TM_HEADER_NAME]);

	/* Optional.  Formats with the same first bytes share this function, which resolves a tie
	 * among them.  TM_ST_OK with *ops; TM_ST_SKIP with *d: none of them; TM_ST_FATAL with *d.
	 * What it opens may stay in r->file. */
	enum tm_status (*dialect)(struct tm_reader *r, const struct tm_reader_ops **ops,
	                          struct tm_diag *d);

	bool ranks; /* open may find the rank of the process */

	size_t priv_size; /* zeroed memory for r->priv */

	/* Bind to the source; TM_ST_OK, TM_ST_FATAL with *d, or TM_ST_SKIP with *d when it is not a
	 * trace of this format, but another file of the same family. */
	enum tm_status (*open)(struct tm_reader *r, struct tm_diag *d);

	/* See tm_reader_next. */
	enum tm_status (*next)(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d);

	/* Free what open and next made, not priv itself; called once, also after a failed open. */
	void (*close)(struct tm_reader *r);

	bool mixed; /* with split: events of several kinds, one kind after the other */

	/* With split: the cost of finding where and how the next range begins, in percent of
	 * reading a range, if it takes more than a look at that place; each range then costs that
	 * for the one after it, and pairs of ranges may pay (struct tm_reader, pairs). */
	unsigned ahead;

	/* Optional, with split: can this reader be split?  It was opened and not read. */
	bool (*splits)(const struct tm_reader *r);

	/* Optional, with split: see tm_reader_joined. */
	bool (*joined)(struct tm_reader *r, struct tm_loss *loss);

	/* Optional.  See tm_reader_split. */
	struct tm_reader *(*split)(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
	                           bool exact, struct tm_diag *d);
};

/* A format without events: bytes for a question of libperf or powerstats.  The table of them is
 * read/formats.def. */
struct tm_bytes_ops {
	const char *name;  /* "library-log" */
	const char *about; /* one line for --list-formats */
	const char *what;  /* one of them: "a log of GPU libraries" */
	const char *tool;  /* that reads it */

	/* Is there something of this format in p[0..n), the first bytes of an input or (`whole`)
	 * all of them?  False when out of memory.  Pure. */
	bool (*is)(const unsigned char *p, size_t n, bool whole);
};

/* All of them, ending with NULL, in the order of formats.def. */
extern const struct tm_bytes_ops *const tm_bytes_formats[];

/* The first of these formats that matches the bytes, or NULL.  A trace may match, too: a log of
 * RCCL is both. */
const struct tm_bytes_ops *tm_bytes_choose(const unsigned char *p, size_t n, bool whole);

/* For such formats: does take(source) find something in these bytes?  False when out of memory. */
bool tm_bytes_try(const unsigned char *p, size_t n, bool (*take)(struct tm_source *s));

/* The contents of an input that no reader uses, by name: gathered if `want` has TM_UNUSED_WANT, and
 * complete when the input was read to its end.  A column of a database is "table.column". */
enum tm_unused_kind {
	TM_UNUSED_TABLE,
	TM_UNUSED_COLUMN,
	TM_UNUSED_DOMAIN,
	TM_UNUSED_KEY,
	TM_UNUSED_KINDS
};
#define TM_UNUSED_WANT ((tm_ev_set)1 << 127)
enum {
	TM_UNUSED_MOST = 1000
}; /* domains and keys that are named; "(more)" stands for the others */

struct tm_unused {
	struct tm_names of[TM_UNUSED_KINDS];
};

/* Public part of an open reader; the rest belongs to the reader. */
struct tm_reader {
	const struct tm_reader_ops *ops;
	struct tm_source *src; /* borrowed; NULL in a split */
	tm_ev_set want;        /* TM_EV_BIT mask: columns the caller will look at */
	struct tm_names names; /* every text of the input */
	struct tm_loss loss;
	struct tm_unused unused;
	const char *table; /* which table of the format: "kernel trace"; static */
	/* Known at open if a header says so, otherwise only after reading. */
	const char *producer; /* who wrote it, as far as its header tells: "rocprofv3 6.3-6.4";
	                       * static, NULL = nobody knows */
	const char *clock;    /* what its times count: "boottime"; static, NULL = nobody knows */
	uint64_t rank;        /* of the process, where the trace itself says so: has_rank */
	bool has_rank;
	const uint32_t
	        *guid; /* ids that the profiler gave its processes, as far as it says so before
	                       * its events: nguids names; lives as long as the reader */
	size_t nguids;
	const char *host; /* machine it was made on; lives as long as the reader, NULL = unknown */
	bool hosts;       /* ... for it names several; see tm_reader_host */
	struct tm_realtime realtime; /* how that clock relates to CLOCK_REALTIME */
	uint64_t begin, stop;        /* splits: where the first row began, where reading stopped */
	bool pairs; /* set by who splits, before the first split and for all of them: every second
	             * range begins exactly where the one before it stopped, which was read, and
	             * only the others at a guess */
	/* Set by the caller before the first event: the sums of the rollups of all origins are
	 * enough; they are given as those of the first origin, if the input has them. */
	bool whole;
	uint64_t lines;       /* lines consumed so far */
	struct tm_batch less; /* what was delivered, where that is not all of a batch */
	/* NULL, or the origin of the last batch; another pointer = another trace.  Lives as long as
	 * the reader, which has all of them in the array `origins`, in order. */
	const struct tm_origin *origin, *origins;
	size_t norigins;
	struct tm_sqlite_file
	        *file; /* read/sqlite/sqlite_file.h; NULL, or closed with the reader */
	void *priv;
};

/* The article for the name of a table: "a ", "an " or, for plurals, "". */
const char *tm_reader_article(const char *table);

/* All formats, ending with NULL, in the order of formats.def. */
extern const struct tm_reader_ops *const tm_reader_formats[];

/* The format of that name, or NULL. */
const struct tm_reader_ops *tm_reader_find(const char *name);

/* The facts of the format of that name; for an unknown one (from a newer run.db), what is true of
 * any. */
struct tm_format_facts tm_reader_facts(const char *name);

/* Do traces of that format and producer (either may be NULL) record only the LDS that a kernel
 * declares, without what the launch adds? */
bool tm_reader_static_lds(const char *format, const char *producer);

/* Is it a table of ours that cannot be read, as its rows are split otherwise, or a piece of one?
 * Then *d says so; out of memory, too. */
bool tm_reader_almost(const unsigned char *p, size_t n, struct tm_diag *d);

/* Choose the format of these bytes.  NULL with *d: none ("not a trace this tool knows ...")  or
 * several with equal evidence ("could be A or B; choose with --from").  *bits, if not NULL, gets
 * the winning bid. */
const struct tm_reader_ops *tm_reader_choose(const unsigned char *p, size_t n, bool whole,
                                             unsigned *bits, struct tm_diag *d);

/* The same for a source with these first bytes.  Text of unknown format is searched further,
 * because an RCCL log may begin after other output.  Such a log is chosen if the source can be
 * opened again (tm_source_again); otherwise NULL with *d and *unknown false: the source was read,
 * and the user must name the format.  *unknown: no format matches. */
const struct tm_reader_ops *tm_reader_choose_in(struct tm_source *src, const unsigned char *p,
                                                size_t n, bool *unknown, struct tm_diag *d);

/* Open a reader for a source that is not an archive.  `ops` NULL = choose by content.  `want` says
 * which columns the caller will look at; a reader parses nothing else, but may deliver more.  It is
 * unspecified whether a row with an invalid value in an unwanted column is delivered.  NULL with *d
 * filled; *unknown, if not NULL, is then true when the bytes are no known trace (as opposed to a
 * damaged one).  The source still belongs to the caller. */
struct tm_reader *tm_reader_open(struct tm_source *src, const struct tm_reader_ops *ops,
                                 tm_ev_set want, bool *unknown, struct tm_diag *d);

/* Next events, in the order the file has them, which is not always time order.  TM_ST_OK with *b
 * (at least one row, all of one kind), whose arrays the caller may write to: the next call rebuilds
 * them; TM_ST_END; TM_ST_FATAL with *d: nothing more can be read, what came before is valid.  Rows
 * that cannot be used are skipped and counted in r->loss. */
enum tm_status tm_reader_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d);

/* A reader for a range of the same file, so that workers can share one large file.  It reads the
 * rows whose first byte lies in [begin, end) of the regular file fd.  With `exact`, begin is the
 * start of a row; otherwise it is a guess, and the format chooses the first row: in a text the one
 * after the first newline at or after begin - 1, which may be inside a quoted name.  The guess was
 * right if and only if the reader of the preceding range stopped (r->stop) exactly where this one
 * began (r->begin).  NULL with *d when out of memory.  `r` can be split (tm_reader_can_split), and
 * must have been opened and not read. */
struct tm_reader *tm_reader_split(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
                                  bool exact, struct tm_diag *d);

/* Can tm_reader_split work on this reader? */
bool tm_reader_can_split(const struct tm_reader *r);

/* Call after all ranges of r were read, with their total `loss`: adds what only the whole input
 * shows to it and to r (producer, clock, host, realtime).  False when out of memory. */
bool tm_reader_joined(struct tm_reader *r, struct tm_loss *loss);

/* For readers: set the machine that the trace says it was made on.  With two different ones, it has
 * none.  False when out of memory. */
bool tm_reader_host(struct tm_reader *r, const char *name, size_t len);

/* For readers: note something that they do not use, by name.  False when out of memory; does
 * nothing if not wanted. */
bool tm_reader_unused(struct tm_reader *r, enum tm_unused_kind kind, const char *name, size_t len);

/* Close; NULL is fine.  The source stays open. */
void tm_reader_close(struct tm_reader *r);

#endif
