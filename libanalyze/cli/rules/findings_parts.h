/* SPDX-License-Identifier: MIT
 * Shared by the table of findings and the first screen: evaluated rules and findings. */
#ifndef TM_CLI_FINDINGS_PARTS_H
#define TM_CLI_FINDINGS_PARTS_H

#include "check/check.h"
#include "cli/rules/ask_read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WHERES = 4, SAVED_BY = 3, FINDING_RULES = 128, FINDING_LIMITS = 19 };

/* Windows: the longest of a GPU, the longest of the GPUs of a rank together, that of the replay. */
enum { WINDOW_AGENTS, WINDOW_RANKS, WINDOW_REPLAY, FINDING_WINDOWS };

/* Shares of the window, in percent, from which on a saving is more than a note. */
enum { HIGH = 10, MEDIUM = 2 };

enum finding_kind { TRUST, TRUST_ABSENT, COST, HINT };

/* A row of schemas/findings.def. */
struct finding_rule {
	const char *id;
	enum finding_kind kind;
	const char *held, *where, *saves, *title, *advice, *command, *page;
};

enum severity { SEV_TRUST, SEV_HIGH, SEV_MEDIUM, SEV_NOTE };

/* What is asked for a row of defs: places in job.asked; SIZE_MAX = nothing. */
struct asked_for {
	size_t held, where[WHERES];
	/* Before that condition: '?' it holds as well where nothing is known of it; '!' it does not
	 * hold, or nothing is known; 0 = none. */
	char mark[WHERES];
	size_t who;             /* the same of each rank, where `held` is a total of all */
	size_t saves[SAVED_BY]; /* the first that is known, or the larger */
};

struct finding_job {
	struct common *c;
	struct tm_classes *classes;
	struct tm_rules rules;
	struct asked_rule *asked; /* of each of rules */
	struct asked_for of[FINDING_RULES];
	size_t window[FINDING_WINDOWS];
	size_t limit[FINDING_LIMITS]; /* what savings are limited to */
	size_t ranks;
	bool apart;    /* each rank is replayed by itself ... */
	bool many;     /* ... of several: savings are those of the rank that gains most */
	bool events;   /* what could be saved is not in files of totals: events are needed */
	size_t judged; /* rules of which the number was there, or would have been */
	struct ask_pages pages;
	struct ask_side side;
	struct tm_buf scenarios; /* of the replay, that something found could save */
	struct tm_report rep;
	struct show show;
	bool silent; /* it is no error that the operands are none that all rules can be asked of */
};

/* One that was found. */
struct found {
	const struct finding_rule *def;
	size_t asked; /* place of what it asks in job.asked */
	size_t who;   /* the same of each rank; SIZE_MAX: its own rows say which */
	struct tm_check_result held;
	bool saved;
	bool replayed; /* `saves` is from the replay */
	bool little;   /* it is limited to less than half of that */
	uint64_t saves;
	enum severity severity;
};

/* What is done with them. */
struct finding_use {
	/* The tables are known and nothing is read yet; NULL = nothing to do.  TM_ST_SKIP with *d:
	 * the command line is wrong. */
	enum tm_status (*ready)(struct finding_job *j, void *arg, struct tm_diag *d);
	/* All is read.  Returns the exit status. */
	int (*answer)(struct finding_job *j, void *arg);
	/* What cannot be without events, as a message names it: where an input holds none that is
	 * an error, and `answer` not asked.  NULL = it can, but where j->events says so. */
	const char *needs;
};

/* Read the operands once for all rules and have them answered; j->c and the first members of
 * j->show are there.  Returns the exit status. */
int tm_findings_drive(struct finding_job *j, const struct finding_use *use, void *arg);

/* Say that an input holds no events, which `what` needs.  Returns the exit status. */
int tm_findings_refuse(struct finding_job *j, const char *what);

/* The table of the summary, which is asked for in any case. */
struct ask_page *tm_findings_summary(const struct finding_job *j);

/* Hold a rule against its table; without rows, or such a column, nothing is known.  False when out
 * of memory. */
bool tm_findings_judge(struct finding_job *j, size_t at, struct tm_check_result *r);

/* Have the replay answer for the rule of that name, (*v)->def, of which *place in j->of says what
 * is asked; *v is to be freed with tm_findings_free.  False when out of memory. */
bool tm_findings_one(struct finding_job *j, const char *id, struct found **v, size_t *place);

/* All that was found, worst first, *n in *v, to be freed with tm_findings_free; *window is what
 * savings are shares of, 0 = not known.  After tm_ask_read.  False when out of memory. */
bool tm_findings_all(struct finding_job *j, struct found **v, size_t *n, uint64_t *window);
void tm_findings_free(struct found *v);

/* Start the table of findings and fill it with v[0..n).  False when out of memory. */
bool tm_findings_table(struct finding_job *j, const struct found *v, size_t n, uint64_t window,
                       struct tm_table *t);

/* Append a word as a shell reads it back, with what cannot be shown as it is escaped: what is not
 * ASCII too, without `utf8`. */
void tm_findings_word(struct tm_buf *b, const char *word, bool utf8);

/* The same of an input: what begins as an option does is none. */
void tm_findings_operand(struct tm_buf *b, const char *path, bool utf8);

/* May what is printed hold more than ASCII? */
bool tm_findings_utf8(const struct common *c);

/* Of how many rules the numbers would have been asked, were all of them in the input. */
size_t tm_findings_asked(const struct finding_job *j);

/* The ranks that a finding is about: those that are about as bad as the worst. */
struct finding_who {
	uint64_t *v; /* n of them, by number, of `of` that there are */
	size_t n, of;
	bool one; /* there is a single rank, or not all are alike, and then this is the worst: */
	uint64_t rank;
	const struct tm_cell *agent; /* of a single rank: the one GPU of several it is about, or
	                              * NULL */
};

/* Find them, *w to be freed with tm_findings_who_fini; {0} where the table knows no ranks, or the
 * finding is of all in any case.  False when out of memory, with *w {0}. */
bool tm_findings_who(const struct finding_job *j, const struct found *f, struct finding_who *w);
void tm_findings_who_fini(struct finding_who *w);

/* Append the words of a finding: what it is, with the value, the row and the ranks put in where the
 * title says so, or else the ranks behind it; the number behind it; what to type next. */
void tm_findings_title(struct tm_buf *b, const struct finding_job *j, const struct found *f);
void tm_findings_evidence(struct tm_buf *b, const struct found *f);

/* Append the options that say what is read and how, each as a shell reads it, after a blank: a
 * command of kstats ("gaps --list") without them would be about something else.  Filters that it
 * does not take are left out. */
void tm_findings_options(struct tm_buf *b, const struct common *c, const char *command);

/* Append the inputs as a shell reads them, each after a blank; of many " FILE...". */
void tm_findings_operands(struct tm_buf *b, const struct common *c);
void tm_findings_command(struct tm_buf *b, struct finding_job *j, const char *command);

#endif
