/* SPDX-License-Identifier: MIT
 * Shared by the parts of the problem parser: words and values before normalization (gathered by
 * problem.c), and after it (problem_blas.c, problem_miopen.c). */
#ifndef TM_MODEL_PROBLEM_PARTS_H
#define TM_MODEL_PROBLEM_PARTS_H

#include "model/problem.h"

/* A field of a BLAS problem or, after those, of a convolution. */
enum problem_field {
#define FIELD(id, word, how) PF_##id,
#include "schemas/problem.def"
	PF_BLAS_N,
	PF_CONV_FIRST = PF_BLAS_N - 1,
#define FIELD(id, word, how)
#define CONV(id, letter, name, dflt) PF_##id,
#include "schemas/problem.def"
	PF_FIELDS,
};

/* Those that each part of a grouped GEMM has its own of: a run of fields. */
enum {
	PF_PART_FIRST = PF_M,
	PF_PART_N = PF_STRIDE_E - PF_M + 1,
};

/* A piece of problem_fields.text; n = TEXT_NONE: there is none. */
struct problem_text {
	uint32_t at, n;
};

#define TEXT_NONE UINT32_MAX

struct problem_pair {
	struct problem_text name, value;
};

struct problem_pairs {
	struct problem_pair *v;
	size_t n, cap;
};

/* The values of one part of a grouped GEMM. */
struct problem_part {
	struct problem_text v[PF_PART_N];
};

struct tm_problem_fields {
	struct tm_buf text;
	struct problem_text v[PF_FIELDS];
	struct problem_pairs settings, others; /* others: in no table */
	struct problem_part *part;             /* those before the one in v[] */
	size_t nparts, part_cap;
	bool command; /* a command line: what is left out is what the client assumes */
	bool suffix;  /* after a '#': how it was computed */
	bool failed;  /* out of memory */
};

/* An exact product or sum that may get too large. */
struct amount {
	tm_u128 v;
	bool known;
};

static inline bool problem_has(const struct tm_problem_fields *f, enum problem_field id)
{
	return f->v[id].n != TEXT_NONE;
}

static inline const char *problem_text(const struct tm_problem_fields *f, struct problem_text t)
{
	return f->text.p + t.at;
}

/* Is it that word, whatever the case? */
bool tm_problem_is(const struct tm_problem_fields *f, enum problem_field id, const char *word);

/* Is it absent, one of the words for nothing (none, 0, 0.0, false, N/A), or an empty column? */
bool tm_problem_off(const struct tm_problem_fields *f, enum problem_field id);

/* Is it a whole number that fits? */
bool tm_problem_number(const struct tm_problem_fields *f, enum problem_field id, uint64_t *v);

/* A whole number without leading zeros or ".0", anything else as it is. */
void tm_problem_put_number(struct tm_buf *b, const struct tm_problem_fields *f,
                           struct problem_text t);

/* Give a field this value. */
void tm_problem_set(struct tm_problem_fields *f, enum problem_field id, const char *value,
                    size_t n);

/* Keep a name and a value in a list. */
void tm_problem_keep(struct tm_problem_fields *f, struct problem_pairs *l, const char *name,
                     size_t nname, const char *value, size_t nvalue);

/* Move all pairs of `from` after those of `to`. */
void tm_problem_move(struct tm_problem_fields *f, struct problem_pairs *to,
                     struct problem_pairs *from);

/* Append " name=value" (the name alone where the value is empty) of each, sorted; without the first
 * blank where b is empty. */
void tm_problem_put_pairs(struct tm_buf *b, struct tm_problem_fields *f, struct problem_pairs *l);

/* Bits of an item of that type, and whether it is complex; 0 = not known. */
unsigned tm_problem_type_bits(const char *type, size_t n, bool *is_complex);

/* The name of the type that text stands for: the text itself where it is no alias. */
const char *tm_problem_type_name(const char *text, size_t n, size_t *len);

/* a *= b, a += b; not known where it does not fit. */
void tm_amount_mul(struct amount *a, tm_u128 b);
void tm_amount_add(struct amount *a, const struct amount *b);

/* Fold a name and a value of their dialect into the fields.  False: neither a part of a problem nor
 * a setting. */
bool tm_blas_put(struct tm_problem *p, const char *name, size_t nname, const char *value,
                 size_t nvalue);
bool tm_miopen_put(struct tm_problem *p, const char *name, size_t nname, const char *value,
                   size_t nvalue);

/* May a BLAS command line end with this option: one that has no value, or one nobody knows that is
 * not the beginning of a known one? */
bool tm_blas_may_end(const char *name, size_t n);

/* What a function of rocBLAS is called, without "rocblas_". */
struct blas_function {
	const char *op;
	bool ex; /* it is told the types; else a letter of its name is one */
	bool strided, batched;
};

/* False: no function of an operation that is in the table. */
bool tm_blas_function(const char *name, size_t n, struct blas_function *fn);

/* Put what a trace line says.  False: it is none, or not whole. */
bool tm_trace_put(struct tm_problem *p, const char *s, size_t n);

/* Op, types, shape, flops and bytes from the fields.  NULL, or why there is no problem in them. */
const char *tm_blas_finish(struct tm_problem *p);
const char *tm_miopen_finish(struct tm_problem *p);

#endif
