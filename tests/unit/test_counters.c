/* SPDX-License-Identifier: MIT
 * Formulas over counters, and what the table says of architectures. */
#include "counters/counters.h"

#include "test.h"

#include <math.h>
#include <string.h>

/* The value of a formula whose inputs are 1, 2, 3 ... in the order in which they come. */
static double value(const char *text)
{
	struct tm_formula f;
	struct tm_diag d = { 0 };
	double in[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, work[64], v = NAN;

	if (tm_formula_parse(&f, text, strlen(text), &d)) {
		CHECK(f.depth <= 64 && f.inputs.n <= 8);
		v = tm_formula_value(&f, in, work);
	}
	tm_formula_fini(&f);
	return v;
}

static const char *refused(const char *text)
{
	static struct tm_diag d;
	struct tm_formula f;

	d = (struct tm_diag) { 0 };
	CHECK(!tm_formula_parse(&f, text, strlen(text), &d));
	tm_formula_fini(&f);
	return d.text;
}

TEST(formulas)
{
	CHECK(value("A + B * C") == 7);
	CHECK(value("(A + B) * C") == 9);
	CHECK(value("A - B - C") == -4);
	CHECK(value("8 / B / B") == 8); /* B is the first */
	CHECK(value("100*A/(A+B)") > 33.33 && value("100*A/(A+B)") < 33.34);
	CHECK(value("-A + --B") == 1);
	CHECK(value("min(A, B) + max(C, A)") == 4);
	CHECK(value("min + max") == 3); /* counters may have that name */
	CHECK(value("TCC_HIT[0] + TCC_HIT[15]") == 3);
	CHECK(value("1e3 * .5") == 500);
	CHECK(isnan(value("A / (A - A)")));
	CHECK(isnan(value("min(A / (A - A), B)")) && isnan(value("min(B, A / (A - A))")));
	CHECK(isnan(value("max(A / (A - A), B)")) && isnan(value("max(B, A / (A - A))")));
}

TEST(wrong_formulas)
{
	char deep[300];

	CHECK_STR(refused(""), "expected a counter, a number or '(' at byte 1 of the formula");
	CHECK_STR(refused("A B"), "expected an operator at byte 3 of the formula");
	CHECK_STR(refused("(A"), "')' expected at byte 3 of the formula");
	CHECK_STR(refused("min(A)"), "',' expected at byte 6 of the formula");
	CHECK_STR(refused("A["), "expected an instance number and ']' at byte 3 of the formula");
	CHECK_STR(refused("1.2.3"), "not a number at byte 1 of the formula");
	CHECK_STR(refused("A $ B"), "expected an operator at byte 3 of the formula");
	memset(deep, '(', sizeof deep - 1);
	deep[sizeof deep - 1] = '\0';
	CHECK_STR(refused(deep), "more than 100 nested parentheses at byte 102 of the formula");
}

/* Every line of the table is right, and every metric that a formula uses is there. */
TEST(table)
{
	struct tm_known k = { 0 };
	struct tm_diag d = { 0 };
	size_t n[TM_KNOWN_MOST + 1] = { 0 };

	CHECK(tm_known_builtin(&k, &d));
	for (size_t i = 0; i < k.n; i++) {
		n[k.v[i].kind]++;
		for (uint32_t in = 0; in < k.v[i].formula.inputs.n; in++) {
			const char *word = k.v[i].formula.inputs.v[in].text;
			bool found = strcspn(word, "abcdefghijklmnopqrstuvwxyz") > 2;

			for (size_t r = 0; !found && r < k.n; r++)
				found = !strcmp(k.v[r].name, word);
			CHECK(found);
		}
	}
	CHECK(n[TM_KNOWN_TOTAL] > 20 && n[TM_KNOWN_MEAN] > 30 && n[TM_KNOWN_WRONG] > 8);
	CHECK(!tm_known_wrong(&k, "FETCH_SIZE", 10, 90402, 304));
	CHECK(tm_known_wrong(&k, "FETCH_SIZE", 10, 90500, 256) != NULL);
	CHECK(!tm_known_wrong(&k, "SQ_WAVES", 8, 110501, 40));
	CHECK(tm_known_wrong(&k, "SQ_WAVES", 8, 110501, 32) != NULL);
	CHECK(tm_known_wrong(&k, "SQ_WAVES", 8, 110500, 0) != NULL);
	CHECK(!tm_known_wrong(&k, "FETCH_SIZE", 10, 0, 0));
	tm_known_fini(&k);
}

TEST(architectures)
{
	static const struct {
		const char *archs;
		uint64_t gfx, cus;
		bool fits;
	} v[] = {
		{ "gfx90a gfx942", 90402, 304, true },
		{ "gfx90a gfx942", 90010, 0, true },
		{ "gfx90a gfx942", 90400, 0, false },
		{ "gfx94*", 90400, 0, true },
		{ "gfx11*", 110501, 40, true },
		{ "gfx11*", 120001, 40, false },
		{ "*", 120001, 40, true },
		{ "*", 0, 0, true },
		{ "gfx942", 0, 0, false },
		{ "gfx1151/40", 110501, 40, true },
		{ "gfx1151/40", 110501, 0, false },
		{ "gfx1151/!40", 110501, 0, true },
		{ "gfx1151/!40", 110501, 40, false },
		{ "gfx94", 90402, 0, false },
		{ "", 90402, 0, false },
		{ "gfx9420", 90402, 0, false },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct tm_known_row r = { .archs = v[i].archs };

		CHECK(tm_known_fits(&r, v[i].gfx, v[i].cus) == v[i].fits);
	}
}

TEST_MAIN(T(formulas), T(wrong_formulas), T(table), T(architectures))
