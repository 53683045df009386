/* SPDX-License-Identifier: MIT
 * A POSIX extended regular expression as a tree, for analysis without running it. */
#ifndef TM_MODEL_ERE_H
#define TM_MODEL_ERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a text consists of: its bytes, one symbol before the first and one after the last. */
enum { ERE_BEGIN = 256, ERE_END = 257, ERE_SYMBOLS = 258 };

enum { ERE_MANY = UINT8_MAX }; /* max of a node: any number */

enum ere_kind {
	ERE_SYMBOL, /* value is it: a byte, or an anchor as ERE_BEGIN or ERE_END */
	ERE_SET,    /* value is one of ere.set: any byte of it */
	ERE_CHOICE, /* of its branches */
	ERE_BRANCH, /* its items, one after the other */
};

/* 0 stands for "no node" in child and next: node 0 is the root, which is nobody's. */
struct ere_node {
	enum ere_kind kind;
	uint32_t value;
	uint32_t child, next; /* branch of a choice, item of a branch; the next of its siblings */
	uint8_t min, max;     /* how often, max >= 1 */
};

struct ere_set {
	uint64_t bit[256 / 64];
};

/* {0} is none. */
struct ere {
	struct ere_node *node; /* 0 is the whole: a choice */
	size_t n, cap;
	struct ere_set *set;
	size_t nsets, sets_cap;
};

/* Read an expression, as regcomp understands it in the C locale.  True when all of it is understood
 * beyond doubt: no back references, nothing of GNU's, nothing empty or repeated twice, at most a
 * few levels of groups.  False when not, or (*oom) out of memory; free it in any case. */
bool tm_ere_read(struct ere *e, const char *text, bool *oom);

/* Free it; {0} again. */
void tm_ere_fini(struct ere *e);

#endif
