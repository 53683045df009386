/* SPDX-License-Identifier: MIT
 *
 * libiberty rather than __cxa_demangle: libstdc++'s gives up above 1024 characters, which the names
 * of Composable Kernel exceed, and cannot be bounded.  Parsing and printing are separate calls here
 * because the tree in between has to be judged first.  Three things in the library's printer are
 * unbounded in ways no output limit catches:
 *   - it searches below every pack expansion for a parameter pack, following shared
 *     substitutions again and again: 2^n steps for n bytes, without a byte of output;
 *   - it puts an array of (templates x references to template parameters) on the stack;
 *   - some kinds of nodes keep other things than children where the search expects children.
 */
#include "base/demangle.h"

#include "base/mangled.h"

#include <errno.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

/* The recursion limit of the library refuses every symbol above 1 KiB; ours are in this file. */
#define OPTIONS (DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT)

#define MAX_DEPTH 1000       /* of the tree; the printer itself gives up at 1024 */
#define MAX_PACK  1024       /* nodes under a pack expansion, every sharing counted again */
#define MAX_CROSS 16384      /* templates times references: at most 1 MiB of stack */
#define MAX_RETRY 8          /* template arguments of a parameter in a symbol with conversions */
#define OPEN      UINT32_MAX /* weight of a node whose children are being looked at */

typedef struct demangle_component node;

struct judge {
	const node *base; /* the library's array of nodes, n of them */
	size_t n;
	uint32_t *weight; /* nodes below, itself included, as a tree; 0 = not seen; stops at 2^30 */
	uint32_t templates, references;
	bool sizeof_pack; /* the symbol may hold sizeof...() */
	bool rewritten;   /* by tm_mangled_rewrite() */
};

/* The (up to two) children of a node; false for a kind that is not to be printed. */
static bool children(const node *d, node *kid[2])
{
	kid[0] = kid[1] = NULL;
	switch (d->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_NUMBER:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
		return true;
	case DEMANGLE_COMPONENT_FIXED_TYPE:
		return false; /* embedded C only, and the pack search takes its flags for a pointer
		               */
	case DEMANGLE_COMPONENT_CTOR:
		kid[0] = d->u.s_ctor.name;
		return true;
	case DEMANGLE_COMPONENT_DTOR:
		kid[0] = d->u.s_dtor.name;
		return true;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		kid[0] = d->u.s_extended_operator.name;
		return true;
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		kid[0] = d->u.s_unary_num.sub;
		return true;
	default:
		kid[0] = d->u.s_binary.left;
		kid[1] = d->u.s_binary.right;
		return true;
	}
}

/* The pack into which tm_mangled_rewrite() made a declaration and its argument: that argument
 * again.
 */
static void drop_declaration(node *list)
{
	const node *pack = list->u.s_binary.left, *mark;

	if (!pack || pack->type != DEMANGLE_COMPONENT_TEMPLATE_ARGLIST)
		return;
	mark = pack->u.s_binary.left;
	if (!mark || mark->type != DEMANGLE_COMPONENT_LITERAL)
		return;
	mark = mark->u.s_binary.right;
	pack = pack->u.s_binary.right;
	if (!mark || mark->type != DEMANGLE_COMPONENT_NAME || mark->u.s_name.len != 1 ||
	    mark->u.s_name.s[0] != MANGLED_MARK[2])
		return;
	/* the type, then the argument */
	if (pack && pack->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST && pack->u.s_binary.right)
		list->u.s_binary.left = pack->u.s_binary.right->u.s_binary.left;
}

/* Weigh the tree below `d`; false if it should not be printed. */
static bool weigh(struct judge *j, node *d, unsigned depth)
{
	node *kid[2];
	uint32_t w = 1;
	size_t at;

	if (depth > MAX_DEPTH || d < j->base || d >= j->base + j->n)
		return false;
	at = (size_t)(d - j->base);
	if (j->weight[at])
		return j->weight[at] != OPEN; /* a cycle */
	if (j->rewritten && d->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST)
		drop_declaration(d);
	if (!children(d, kid))
		return false;
	j->weight[at] = OPEN;
	for (int i = 0; i < 2; i++) {
		if (!kid[i])
			continue;
		if (!weigh(j, kid[i], depth + 1))
			return false;
		w += j->weight[kid[i] - j->base];
		if (w > (uint32_t)1 << 30)
			w = (uint32_t)1 << 30;
	}
	j->weight[at] = w;
	j->templates += d->type == DEMANGLE_COMPONENT_TEMPLATE;
	j->references += d->type == DEMANGLE_COMPONENT_REFERENCE ||
	                 d->type == DEMANGLE_COMPONENT_RVALUE_REFERENCE;
	if (d->type == DEMANGLE_COMPONENT_PACK_EXPANSION ||
	    (d->type == DEMANGLE_COMPONENT_UNARY && j->sizeof_pack))
		return w <= MAX_PACK;
	return true;
}

/* After a conversion operator the parser reads "T_I...E" twice, as arguments of the parameter and
 * as arguments of the operator; nested, that is 2^n readings. */
static bool parse_explodes(const char *s)
{
	unsigned n = 0;

	if (!strstr(s, "cv"))
		return false;
	for (const char *p = strstr(s, "_I"); p; p = strstr(p + 1, "_I")) {
		const char *q = p;

		while (q > s && q[-1] >= '0' && q[-1] <= '9')
			q--;
		n += q > s && q[-1] == 'T';
	}
	return n > MAX_RETRY;
}

struct sink {
	struct tm_buf *out;
	size_t left; /* bytes that may still come */
	jmp_buf enough;
};

static void take(const char *s, size_t n, void *opaque)
{
	struct sink *k = opaque;

	/* The library has no way to be told to stop.  It holds nothing but stack while printing. */
	if (n > k->left || !tm_buf_add(k->out, s, n))
		longjmp(k->enough, 1);
	k->left -= n;
}

static bool print(struct tm_buf *out, node *tree)
{
	struct sink k = { .out = out, .left = TM_DEMANGLE_MAX_OUT };

	if (setjmp(k.enough))
		return false;
	return cplus_demangle_print_callback(OPTIONS, tree, take, &k) != 0;
}

/* The tree of a symbol, which lives in *mem; NULL when it is none, or with *oom. */
static node *parse(const char *s, void **mem, bool *oom)
{
	node *tree;

	errno = 0; /* the only way to tell "no memory" from "no symbol" */
	tree = cplus_demangle_v3_components(s, OPTIONS, mem);
	*oom = !tree && errno == ENOMEM;
	return tree;
}

/* The same of one that the library knows when its declarations are written another way. */
static node *parse_rewritten(struct tm_buf *rewritten, const char *s, void **mem, bool *oom)
{
	*oom = false;
	if (!tm_mangled_rewrite(rewritten, s, strlen(s)) || parse_explodes(rewritten->p)) {
		*oom = rewritten->failed;
		return NULL;
	}
	return parse(rewritten->p, mem, oom);
}

bool tm_demangle(struct tm_buf *out, const char *name, size_t len)
{
	struct judge j = { 0 };
	struct tm_buf rewritten = { 0 };
	void *mem = NULL;
	size_t start = out->n;
	node *tree = NULL;
	char *s;
	bool ok = false, oom = false;

	if (len < 3 || len > TM_DEMANGLE_MAX_IN || name[0] != '_' || name[1] != 'Z' ||
	    memchr(name, '\0', len))
		return false;
	s = malloc(len + 1);
	oom = !s;
	if (s) {
		memcpy(s, name, len);
		s[len] = '\0';
		if (parse_explodes(s))
			goto done;
		tree = parse(s, &mem, &oom);
	}
	if (!tree && !oom) {
		tree = parse_rewritten(&rewritten, s, &mem, &oom);
		j.rewritten = tree != NULL;
	}
	/* The library sizes its array as two nodes per byte. */
	j.n = 2 * (j.rewritten ? rewritten.n : len);
	j.weight = tree ? calloc(j.n, sizeof *j.weight) : NULL;
	oom |= tree && !j.weight;
	if (tree && !oom) {
		j.base = mem;
		j.sizeof_pack = strstr(s, "sZ");
		ok = weigh(&j, tree, 0) && (uint64_t)j.templates * j.references <= MAX_CROSS &&
		     print(out, tree);
	}
	if (!ok && out->p) {
		out->n = start;
		out->p[start] = '\0';
	}
done:
	out->failed |= oom;
	tm_buf_fini(&rewritten);
	free(mem);
	free(j.weight);
	free(s);
	return ok;
}
