/* SPDX-License-Identifier: MIT
 * A demangled name as tokens and brackets, without C++ grammar: only brackets give structure. */
#ifndef TM_MODEL_NAME_SCAN_H
#define TM_MODEL_NAME_SCAN_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

#define NAME_ANON "(anonymous namespace)"

enum token {
	T_END,   /* end of the text, all brackets closed */
	T_BAD,   /* brackets that do not balance, or out of memory (stack.failed) */
	T_IDENT, /* identifier, keyword or number */
	T_OPER,  /* "operator" with what makes its name: symbol, (), [], conversion type */
	T_ANON,  /* "(anonymous namespace)" */
	T_OPEN,  /* one of ( < [ { */
	T_CLOSE, /* its counterpart */
	T_SCOPE, /* :: */
	T_SPACE, /* one space */
	T_OTHER, /* anything else */
};

/* {.s, .n} begins; free the stack in the end, which one scan may take over from another. */
struct scan {
	const char *s;
	size_t n;
	size_t at;    /* where the token begins */
	size_t next;  /* and where the following one does */
	size_t depth; /* open brackets around the token; a bracket counts as outside itself */
	struct tm_buf stack; /* the opening brackets */
	enum token before;   /* the previous token */
};

/* A part of a name; empty = there is none. */
struct slice {
	size_t from, to;
};

static inline bool name_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool tm_name_is_ident(char c);

/* Does the text at s[at..n) begin with that word? */
bool tm_name_looking_at(const char *s, size_t n, size_t at, const char *word);

/* The next token. */
enum token tm_name_token(struct scan *k);

/* *r = the function's qualified name, with its template arguments, within
 * "type name<...>(...) qualifiers [with ...]"; empty when the text is not like that.  With `bare`,
 * "type name<...>" without a list of arguments is enough.  False when out of memory. */
bool tm_name_function(const char *s, size_t n, bool bare, struct slice *r);

/* Profilers cut long names off.  If that is all that is wrong with this one, append it to `out`
 * with the brackets closed that are open at its end.  False with nothing appended if it is not so;
 * out->failed when out of memory. */
bool tm_name_close(struct tm_buf *out, const char *s, size_t n);

#endif
