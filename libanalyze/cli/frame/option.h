/* SPDX-License-Identifier: MIT
 * The one list of options of a tool: it drives parsing, --help, the man-page lint and completions.
 */
#ifndef TM_CLI_OPTION_H
#define TM_CLI_OPTION_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
	OPT_FLAG = 0, /* value is bool *, set to true; takes no value on the command line */
	OPT_U64,      /* uint64_t *: decimal digits and nothing else, within min .. max */
	OPT_FIXED,    /* uint64_t *, in ten-thousandths ("1.5" is 15000), within min .. max */
	OPT_TEXT,     /* const char **: points into argv */
	OPT_CHOICE,   /* const char **: the word of `choices` itself */
	OPT_INDEX,    /* unsigned *: the place of the word in `choices` */
	OPT_LIST,     /* struct option_list *: one more each time the option is given */
};

/* Words of the command line; {0} is a valid empty list.  The words point into argv. */
struct option_list {
	const char **v; /* n words */
	size_t n;
	size_t cap;
	bool parted;   /* by tm_option_parse: there was a "--" ... */
	size_t before; /* ... after so many of them */
};

/* One option.  A table is an array of these, written with designated initializers, that ends with
 * { 0 }.  Given twice, the last one counts, except OPT_LIST. */
struct option {
	char letter;      /* 'n' for -n; 0 = none */
	const char *name; /* "top" for --top; every option has one */
	enum option_type type;
	bool last;       /* stop here, look at no further words: --help, --version */
	bool refused;    /* understood, for an error that says why; help does not offer it */
	bool *by_letter; /* OPT_FLAG: also set when it was given by its letter; NULL = nothing is */
	void *value;     /* see option_type; what stands there before is the default */
	unsigned *given; /* how many times it was given is added here; NULL = not asked */
	const char *arg; /* what --help calls the value: "N"; NULL for a flag */
	const char *about;          /* one clause for people */
	const char *dflt;           /* shown as "(default: X)"; NULL = not shown */
	const char *const *choices; /* OPT_CHOICE, OPT_INDEX: words, ending with NULL */
	const char *const *words; /* OPT_TEXT: completions of a list with commas, ending with NULL;
	                           * NULL = file names */
	uint64_t min, max;        /* OPT_U64, OPT_FIXED; max 0 = no upper bound */
};

/* The type of a row and where its value goes, .type and .value: what points to something else than
 * the type takes does not compile.   */
#define OPT_TO(place, kind, word) .type = (word), .value = _Generic((place), kind * : (place))
#define OPT_TO_FLAG(place)        OPT_TO(place, bool, OPT_FLAG)
#define OPT_TO_U64(place)         OPT_TO(place, uint64_t, OPT_U64)
#define OPT_TO_FIXED(place)       OPT_TO(place, uint64_t, OPT_FIXED)
#define OPT_TO_TEXT(place)        OPT_TO(place, const char *, OPT_TEXT)
#define OPT_TO_CHOICE(place)      OPT_TO(place, const char *, OPT_CHOICE)
#define OPT_TO_INDEX(place)       OPT_TO(place, unsigned, OPT_INDEX)
#define OPT_TO_LIST(place)        OPT_TO(place, struct option_list, OPT_LIST)

/* Every call below takes a list of tables that ends with NULL, say a sub-command's own and the
 * common one.  Where two options share a name or a letter the earlier one has it. */

/* Read argv[1] .. argv[argc-1] (argv[0] is not looked at).  Options and operands may be mixed;
 * "--" ends the options, "-" is an operand.  -n5, -n 5, --top=5, --top 5, -qv; long names must be
 * written out.  `operands` is added to; it and every OPT_LIST are the caller's to free, also
 * after a failure.  False with *d ("unknown option --colums; did you mean --columns?"). */
bool tm_option_parse(int argc, char *const *argv, const struct option *const *tables,
                     struct option_list *operands, struct tm_diag *d);

/* Is the word an option whose value is the word after it? */
bool tm_option_takes_next(const char *word, const struct option *const *tables);

/* Add a word to a list.  False when out of memory. */
bool tm_option_list_add(struct option_list *l, const char *word);

/* Free the list, not the words; {0} again. */
void tm_option_list_fini(struct option_list *l);

/* The word of `known` (ending with NULL) that `word` is most likely a misspelling of, or the only
 * one it begins; NULL when nothing is near. */
const char *tm_option_nearest(const char *word, const char *const *known);

/* A sub-command as --help and completions show it; lists end with { 0 }. */
struct option_command {
	const char *name;
	const char *about;    /* one clause */
	const char *examples; /* as struct option_page has them, or NULL */
	const char *group;    /* heading above it, where the one before has another; NULL = none */
};

/* What --help says. */
struct option_page {
	const char *usage;                     /* "kstats top [options] FILE..." */
	const char *about;                     /* paragraphs, wrapped here; NULL = none */
	const struct option_command *commands; /* NULL = none */
	const struct option *const *tables;
	const char *trailer;  /* printed as it stands, ends with \n; NULL = none */
	const char *examples; /* command lines, each ends with \n; NULL = none */
	/* How to get all of it: then of the options only those of tables[0] are shown, and no
	 * trailer. NULL = this is all of it. */
	const char *more;
};

/* Append the help text, at most 80 columns wide.  False when out of memory. */
bool tm_option_help(struct tm_buf *out, const struct option_page *page);

/* Does an earlier table or row own this row's name, or is it refused (the row is dead), or only its
 * letter?  For whoever walks the tables: help and completions show what parsing would do. */
enum option_owner { OPTION_OWN, OPTION_NO_LETTER, OPTION_DEAD };
enum option_owner tm_option_owner(const struct option *const *tables, const struct option *o);

#endif
