/* SPDX-License-Identifier: MIT
 * The built-in table on the names of kernel_names.tsv, family by family, on those of
 * kernel_names_unseen.tsv, which it was measured on before its rules knew them, and on the corpus
 * of real names with a reference class where that is at hand. */
#include "test.h"

#include "model/kernel_class.h"
#include "model/kernel_name.h"

#include <regex.h>

/* A line of a table with tabs: its fields, NULL after the last. */
struct line {
	char *text;
	size_t cap;
	char *field[4];
};

/* The next line that is neither empty nor a comment; false at the end. */
static bool next_line(FILE *f, struct line *l)
{
	ssize_t n;

	while ((n = getline(&l->text, &l->cap, f)) > 0) {
		char *rest = l->text;

		if (l->text[n - 1] == '\n')
			l->text[n - 1] = '\0';
		if (l->text[0] == '\0' || l->text[0] == '#')
			continue;
		for (size_t i = 0; i < 4; i++)
			l->field[i] = i < 3 ? strsep(&rest, "\t") : rest;
		return true;
	}
	free(l->text);
	return false;
}

/* A file of the source tree; a test started elsewhere than by run.sh looks in the working
 * directory. */
static FILE *open_source(const char *path)
{
	const char *root = getenv("ROOT");
	char full[4096];
	FILE *f;

	snprintf(full, sizeof full, "%s/%s", root ? root : ".", path);
	f = fopen(full, "r");
	if (!f)
		printf("not run: %s is not there\n", full);
	return f;
}

static const char families_tsv[] = "tests/unit/kernel_names.tsv";
static const char unseen_tsv[] = "tests/unit/kernel_names_unseen.tsv";

/* Every name has its class, and each family has its share. */
TEST(names_by_family)
{
	FILE *f = open_source(families_tsv);
	struct tm_classes *c = tm_classes_builtin(NULL);
	struct line l = { 0 };
	char family[32] = "";
	unsigned n = 0, families = 0;

	CHECK(c != NULL);
	while (f && c && next_line(f, &l)) {
		struct tm_class_match m;

		CHECK(l.field[2] != NULL && l.field[3] == NULL);
		if (!l.field[2] || !tm_classes_match(c, l.field[2], &m))
			break;
		if (strcmp(family, l.field[0]) != 0) {
			CHECK(!families || n >= 10);
			snprintf(family, sizeof family, "%s", l.field[0]);
			families++;
			n = 0;
		}
		n++;
		if (strcmp(m.class_name, l.field[1]) != 0)
			fprintf(stderr, "%s, by rule %zu: %s\n", l.field[0], m.rule, l.field[2]);
		CHECK_STR(m.class_name, l.field[1]);
	}
	CHECK(!f || families >= 20);
	if (f)
		fclose(f);
	tm_classes_free(c);
}

/* Is a class one of those in "a|b"? */
static bool one_of(const char *class_name, const char *list)
{
	size_t n = strlen(class_name);

	for (const char *at = list; (at = strstr(at, class_name)); at += n)
		if ((at == list || at[-1] == '|') && (at[n] == '\0' || at[n] == '|'))
			return true;
	return false;
}

/* Every name has a class that suits it, or the one that the note beside it says, which does not. */
TEST(names_unseen)
{
	FILE *f = open_source(unseen_tsv);
	struct tm_classes *c = tm_classes_builtin(NULL);
	unsigned n = 0, suits = 0;
	struct line l = { 0 };

	CHECK(c != NULL);
	while (f && c && next_line(f, &l)) {
		const char *note = l.field[2], *why = note ? strstr(note, ": ") : NULL;
		const char *class_name;
		bool ok, said;

		CHECK(l.field[3] != NULL && (*note == '\0' || why));
		if (!l.field[3])
			break;
		class_name = tm_classes_of(c, l.field[3], NULL);
		ok = one_of(class_name, l.field[1]);
		said = why && strlen(class_name) == (size_t)(why - note) &&
		       strncmp(class_name, note, strlen(class_name)) == 0;
		if (ok ? why != NULL : !said)
			fprintf(stderr, "%s, not %s as in line: %s %s %s\n", class_name, l.field[1],
			        l.field[0], note, l.field[3]);
		CHECK(ok ? !why : said);
		n++;
		suits += ok;
	}
	printf("# %u of %u names have a class that suits them\n", suits, n);
	CHECK(!f || n > 1000);
	if (f)
		fclose(f);
	tm_classes_free(c);
}

/* Which rules decide the names in a field of a table. */
static void count_hits(const struct tm_classes *c, const char *path, size_t field, unsigned *hits)
{
	FILE *f = open_source(path);
	struct line l = { 0 };

	while (f && next_line(f, &l)) {
		struct tm_class_match m;

		if (l.field[field] && tm_classes_match(c, l.field[field], &m))
			hits[m.rule]++;
	}
	if (f)
		fclose(f);
}

/* A rule that decides no name is not tested. */
TEST(every_rule_decides)
{
	struct tm_classes *c = tm_classes_builtin(NULL);
	unsigned *hits = c ? calloc(tm_classes_rules(c) + 1, sizeof *hits) : NULL;
	unsigned names = 0;

	CHECK(hits != NULL);
	if (!hits)
		return;
	count_hits(c, families_tsv, 2, hits);
	count_hits(c, unseen_tsv, 3, hits);
	for (size_t i = 0; i <= tm_classes_rules(c); i++)
		names += hits[i];
	for (size_t i = 1; names && i <= tm_classes_rules(c); i++) {
		if (!hits[i])
			fprintf(stderr, "no name for rule %zu: %s\n", i,
			        tm_classes_rule(c, i).regex);
		CHECK(hits[i] > 0);
	}
	free(hits);
	tm_classes_free(c);
}

/* How a profiler decorates a name does not matter. */
TEST(decorations)
{
	static const char *const form[] = { "%s.kd", "%s [clone .kd]", "%s (.kd)", "\"%s\"" };
	FILE *f = open_source(families_tsv);
	struct tm_classes *c = tm_classes_builtin(NULL);
	struct line l = { 0 };
	char name[2048];

	while (f && c && next_line(f, &l)) {
		const char *want = tm_classes_of(c, l.field[2], NULL);

		if (strchr(l.field[2], '"') || strstr(l.field[2], ".kd"))
			continue;
		for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(name, sizeof name, form[i], l.field[2]);
#pragma GCC diagnostic pop
			CHECK_STR(tm_classes_of(c, name, NULL), want);
		}
	}
	if (f)
		fclose(f);
	tm_classes_free(c);
}

/*
 * Where the table disagrees with the reference of the corpus of real names, on purpose.  (The
 * reference was made by rules and read by eye; it is coarser: moe_gemm is its moe, gemv its gemm.)
 * Every name on which they differ is one of these, and each of these has so many.
 */
static const struct {
	const char *reference, *class_name, *names; /* names = regular expression */
	unsigned n;
	const char *why;
} differ[] = {
	{ "layout", "elementwise", "^SubTensorOpWithScalar", 1,
	  "sets or scales in place: nothing moves" },
	{ "layout", "elementwise", "^triton_poi_fused_", 9,
	  "layout only where all its operations are; these compute" },
	{ "layout", "reduce", "^triton_(red|per)_fused_", 6,
	  "red and per are reductions, whatever they feed" },
	{ "layout", "norm", "^triton_.*mean_mul_pow_rsqrt", 3,
	  "mean, pow and rsqrt are an RMS norm" },
	{ "layout", "gemm", "matrix_multiplication_matrix_core", 1, "a matrix core is no layout" },
	{ "attention", "elementwise", "^triton_poi_fused_.*fmha", 2,
	  "an Inductor kernel lists the attention beside it, and does none" },
	{ "attention", "norm", "^triton_red_fused_.*fmha.*mean_mul_neg_pow_rsqrt", 1,
	  "likewise: it normalizes what goes in" },
	{ "moe", "elementwise", "^triton_poi_fused_.*moe_forward", 1,
	  "likewise: it pads what goes in" },
	{ "memory", "sync", "^__amd_rocclr_initHeap", 1, "moves no data of the program's" },
	{ "reduce", "elementwise", "rocprim.*transform_(kernel|impl)", 2,
	  "a transform is pointwise" },
	{ "norm", "reduce", "lpnorm_cleanup", 1, "the norm of a vector is no normalization layer" },
	{ "gemm", "blas", "trsm_batch", 2, "a triangular solve is no product" },
	{ "gemm", "blas", "^void dot_kernel", 1, "cuBLAS' product of two vectors" },
	{ "gemm", "reduce", "^void reduce_1Block_kernel", 1, "adds up what that left" },
	{ "elementwise", "random", "distribution_elementwise", 3, "draws random numbers" },
	{ "elementwise", "activation", "op_softplus|elu_kernel", 3,
	  "activation functions, as relu and gelu are" },
	{ "other", "elementwise", "(addition|divide|multiply|subtract)_kernel", 6,
	  "the obvious class" },
	{ "other", "embedding", "partial_segments|partials_per_segment", 2,
	  "backward of an embedding" },
	{ "other", "layout", "repeat_interleave|cpy_scalar", 2, "moves data and computes nothing" },
	{ "other", "pooling", "[Pp]ool|upsample", 4, "the reference has no such class" },
	{ "other", "solver", "pivot|ipiv|xxtrf4", 5, "the reference has no such class" },
	{ "other", "reduce", "^(reduction|sort)_kernel$", 2, "the obvious class" },
};

enum { DIFFER = sizeof differ / sizeof *differ };

static const char *coarse(const char *class_name)
{
	if (strcmp(class_name, "moe_gemm") == 0)
		return "moe";
	return strcmp(class_name, "gemv") == 0 ? "gemm" : class_name;
}

/* The entry of `differ` that covers a name, or -1. */
static int covered(regex_t *re, const char *reference, const char *class_name, const char *name)
{
	for (int i = 0; i < DIFFER; i++)
		if (!strcmp(differ[i].reference, reference) &&
		    !strcmp(differ[i].class_name, class_name) &&
		    regexec(&re[i], name, 0, NULL, 0) == 0)
			return i;
	return -1;
}

TEST(agrees_with_reference)
{
	const char *shared = getenv("TRACEMILL_SHARED");
	struct tm_classes *c = tm_classes_builtin(NULL);
	unsigned n = 0, same = 0, seen[DIFFER] = { 0 };
	double uses = 0, same_uses = 0;
	regex_t re[DIFFER];
	char path[4096];
	struct line l = { 0 };
	FILE *f = NULL;

	CHECK(c != NULL);
	if (shared) {
		snprintf(path, sizeof path, "%s/data/kernel_names.tsv", shared);
		f = fopen(path, "r");
	}
	if (!f || !c) {
		printf("not run: shared data absent: agreement of kernel classes with the "
		       "reference\n");
		tm_classes_free(c);
		return;
	}
	for (int i = 0; i < DIFFER; i++)
		CHECK(regcomp(&re[i], differ[i].names, REG_EXTENDED | REG_NOSUB) == 0);
	while (next_line(f, &l)) {
		const char *class_name, *reference = l.field[0], *name = l.field[3];
		double w;
		int i;

		if (!name || strcmp(reference, "reference_class") == 0)
			continue;
		class_name = coarse(tm_classes_of(c, name, NULL));
		w = strtod(l.field[2], NULL);
		n++;
		uses += w;
		if (strcmp(class_name, reference) == 0) {
			same++;
			same_uses += w;
			continue;
		}
		i = covered(re, reference, class_name, name);
		if (i >= 0)
			seen[i]++;
		else
			fprintf(stderr, "%s, not %s as in the reference: %s\n", class_name,
			        reference, name);
		CHECK(i >= 0);
	}
	for (int i = 0; i < DIFFER; i++) {
		if (seen[i] != differ[i].n)
			fprintf(stderr, "%u names, not %u: %s -> %s %s\n", seen[i], differ[i].n,
			        differ[i].reference, differ[i].class_name, differ[i].names);
		CHECK(seen[i] == differ[i].n);
		CHECK(differ[i].why[0] != '\0');
		regfree(&re[i]);
	}
	printf("# agreement: %u of %u names, %.2f %% of uses\n", same, n, 100 * same_uses / uses);
	CHECK(n == 974);
	fclose(f);
	tm_classes_free(c);
}

/* ---- short names ---- */

struct short_name {
	struct tm_buf full, brief;
};

struct short_names {
	struct short_name *v;
	size_t n, cap;
};

static void add_names(struct short_names *all, FILE *f, size_t field)
{
	struct line l = { 0 };

	while (f && next_line(f, &l)) {
		struct short_name *s;

		if (!l.field[field] ||
		    !tm_grow_array(&all->v, &all->cap, all->n + 1, sizeof *all->v))
			continue;
		s = &all->v[all->n++];
		*s = (struct short_name) { 0 };
		CHECK(tm_kernel_name(&s->full, l.field[field], strlen(l.field[field]),
		                     TM_NAME_FULL));
		CHECK(tm_kernel_name(&s->brief, l.field[field], strlen(l.field[field]),
		                     TM_NAME_SHORT));
	}
	if (f)
		fclose(f);
}

static int by_brief(const void *pa, const void *pb)
{
	const struct short_name *a = pa, *b = pb;
	int c = strcmp(a->brief.p, b->brief.p);

	return c ? c : strcmp(a->full.p, b->full.p);
}

/* The template arguments of a full name, found by hand where its short name has them, without what
 * a short name leaves out. */
static void arguments_of(const struct short_name *s, char *out, size_t size)
{
	const char *end = strchr(s->brief.p, '<'), *begin = end, *p = NULL;
	size_t depth = 0, n = 0;
	char head[512];

	while (begin && begin > s->brief.p && begin[-1] != ':')
		begin--;
	if (begin && (size_t)(end - begin) < sizeof head - 1) {
		snprintf(head, sizeof head, "%.*s<", (int)(end - begin), begin);
		p = strstr(s->full.p, head);
		p = p ? strchr(p, '<') : NULL;
	}
	for (; p && *p && n + 1 < size; p++) {
		if (!strncmp(p, "(anonymous namespace)::", 23)) {
			p += 22;
			continue;
		}
		if (!strncmp(p, "ROCPRIM_", 8) && strstr(p, "_NS::")) {
			p = strstr(p, "_NS::") + 4;
			continue;
		}
		depth += *p == '<';
		out[n++] = *p;
		if (*p == '>' && p[-1] != '-' && !--depth)
			break;
	}
	out[n] = '\0';
}

/* Of all names there are here, two that differ in their template arguments differ in their short
 * names, which are not longer than the names but for the mark. */
TEST(short_names_tell_apart)
{
	const char *shared = getenv("TRACEMILL_SHARED");
	struct short_names all = { 0 };
	static char a[1 << 16], b[1 << 16];
	char path[4096];

	add_names(&all, open_source(families_tsv), 2);
	add_names(&all, open_source(unseen_tsv), 3);
	if (shared) {
		snprintf(path, sizeof path, "%s/data/kernel_names.tsv", shared);
		add_names(&all, fopen(path, "r"), 3);
	}
	if (all.n)
		qsort(all.v, all.n, sizeof *all.v, by_brief);
	for (size_t i = 0; i < all.n; i++) {
		const struct short_name *s = &all.v[i];

		CHECK(s->brief.n <= s->full.n);
		if (!i || strcmp(s->brief.p, s[-1].brief.p) != 0 ||
		    !strcmp(s->full.p, s[-1].full.p))
			continue;
		arguments_of(s, a, sizeof a);
		arguments_of(s - 1, b, sizeof b);
		CHECK_STR(a, b);
	}
	for (size_t i = 0; i < all.n; i++) {
		tm_buf_fini(&all.v[i].full);
		tm_buf_fini(&all.v[i].brief);
	}
	free(all.v);
}

TEST_MAIN(T(names_by_family), T(names_unseen), T(every_rule_decides), T(decorations),
          T(agrees_with_reference), T(short_names_tell_apart))
