/* SPDX-License-Identifier: MIT
 * A symbol with a declaration in its template arguments is written anew with all its other parts as
 * they were: each part of the grammar beside such a declaration.  That it is one the demangler
 * knows is the demangler's word. */
#include "base/demangle.h"
#include "base/mangled.h"
#include "test.h"

#include <string.h>

/* Sanitizers have an allocator of their own, which nothing may stand in front of. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
        __has_feature(memory_sanitizer)
#define NO_FAULTS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define NO_FAULTS
#endif

#ifndef NO_FAULTS
static bool no_memory; /* nothing grows any more */

void *__libc_realloc(void *p, size_t n);

void *realloc(void *p, size_t n)
{
	return no_memory ? NULL : __libc_realloc(p, n);
}
#endif

/* Template arguments. */
static const char *const args[] = {
	"i",
	"Pi",
	"PKc",
	"RKi",
	"OVi",
	"Dn",
	"Dh",
	"DF16_",
	"Dv4_f",
	"A3_i",
	"A_i",
	"FviE",
	"PFvifE",
	"KFvvRE",
	"FvvOE",
	"FYvvE",
	"M1Ai",
	"M1AFvvE",
	"MK1AFvvE",
	"1A",
	"N1A1BE",
	"St6vectorIiSaIiEE",
	"NSt6vectorIiSaIiEE4iterE",
	"Ss",
	"Sa",
	"1AIiE",
	"PU3AS1i",
	"u7__dummy",
	"N1AB5cxx11E",
	"CPf",
	"JifE",
	"JE",
	/* values */
	"Lb1E",
	"Lin5E",
	"Lf3f800000E",
	"L_Z1gvE",
	"L_ZN1A1gEvE",
	"L_ZNK1A1gEvE",
	"L_ZNKR1A1gEvE",
	"L_ZN1AplEiE",
	"L_ZN1AcviEvE",
	"L_Zli2_wyE",
	"L_ZN1AC1EvE",
	"L_ZN1AD0EvE",
	"L_ZL1gvE",
	"L_ZStplE",
	/* what stands in a function, and what has no name */
	"Z1gvE1A",
	"Z1gvE1A_0",
	"Z1gvE1A__12_",
	"Z1gvEUlvE_",
	"Z1gvEUliE0_",
	"Z1gvEUt_",
	"Z1gvEUt0_",
	"N1AUt_E",
	"Z1gvEUlTyT_E_",
	"Z1gvEUlTniiE_",
	"Z1gvEUlTtTyET_IiEE_",
	"Z1gvEUlTpTyDpT_E_",
	/* expressions */
	"XplLi1ELi2EE",
	"XngLi1EE",
	"XquLb1ELi1ELi2EE",
	"XcvfLi1EE",
	"Xcvi_Li1ELi2EEE",
	"XclL_Z1gvELi1EEE",
	"XtliLi1EEE",
	"XilLi1ELi2EEE",
	"XscPiLi0EE",
	"XstiE",
	"XszLi1EE",
	"Xpp_Li1EE",
	"Xmm_Li1EE",
	"XsrN1A1BE1xE",
	"XaaLb1ELb0EE",
	"XltLi1ELi2EE",
	"X1gE",
	"X1gIiEE",
	"XclonplLi1ELi2EEE",
	"XptL_Z1gE1xE",
	"XdtL_Z1gE1xE",
	"XsP1AiEE",
};

/* After the arguments: the types of the function. */
static const char *const types[] = {
	"vT_",
	"vT0_",
	"vPT_",
	"vS_",
	"vDTplfp_Li1EE",
	"vDTclL_Z1gvEfp_EE",
	"vDTdtfp_1xE",
	"vDTptfp_1xIiEE",
	"vDTsrT0_1xE",
	"vDTszT0_E",
	"vDtfp_E",
	"vDTfp0_E",
	"vDpT_",
	"vDTquLb1Efp_fp_E",
	"vN1A1BE",
	"vDTflplT0_E",
	"vDTfLplT0_Li1EE",
	"vDTcvT0_fp_E",
	"vDTrsfp_fp_E",
	"vA3_T0_",
	"vT0_.kd",
};

static const char mark[] = "J" MANGLED_MARK "iLi1EE";

/* Does the demangler know it, and is it copied as it is? */
static void copied(const char *arg, const char *type)
{
	struct tm_buf plain = { 0 }, text = { 0 }, in = { 0 }, want = { 0 }, out = { 0 };

	tm_buf_fmt(&plain, "_Z1fI%sLi1EE%s", arg, type);
	tm_buf_fmt(&in, "_Z1fI%sTniLi1EE%s", arg, type);
	tm_buf_fmt(&want, "_Z1fI%s%sE%s", arg, mark, type);
	if (!tm_demangle(&text, plain.p, plain.n))
		CHECK_STR("the demangler does not know it", plain.p);
	if (!tm_mangled_rewrite(&out, in.p, in.n))
		CHECK_STR("cannot be read", in.p);
	else
		CHECK_STR(out.p, want.p);
	/* Cut anywhere it is another symbol or none; a sanitizer sees what is read after its end.
	 */
	for (size_t n = 0; n < in.n; n++) {
		char *part = malloc(n + 1);

		CHECK(part != NULL);
		if (!part)
			break;
		memcpy(part, in.p, n);
		part[n] = '\0';
		tm_buf_clear(&out);
		(void)tm_mangled_rewrite(&out, part, n);
		free(part);
	}
	tm_buf_fini(&plain);
	tm_buf_fini(&text);
	tm_buf_fini(&in);
	tm_buf_fini(&want);
	tm_buf_fini(&out);
}

TEST(arguments)
{
	for (size_t i = 0; i < sizeof args / sizeof *args; i++)
		copied(args[i], "vi");
}

TEST(signatures)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		copied("i", types[i]);
}

/* Each kind of declaration. */
TEST(declarations)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{ "_Z1fITyiEvv", "_Z1fIiEvv" },
		{ "_Z1fITniLi1EEvv", "_Z1fIJLi@EiLi1EEEvv" },
		{ "_Z1fITtTyE1AEvv", "_Z1fI1AEvv" },
		{ "_Z1fITtTyTyE1AEvv", "_Z1fI1AEvv" },
		{ "_Z1fITk1CiEvv", "_Z1fIJLi@E1CiEEvv" },
		{ "_Z1fITpTniJLi1ELi2EEEvv", "_Z1fIJLi@EiJLi1ELi2EEEEvv" },
		{ "_Z1fIiEvv", NULL },
		{ "_Z1fITEvv", NULL },
		{ "_Z1fITtTniE1AEvv", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_buf out = { 0 };
		bool ok = tm_mangled_rewrite(&out, cases[i].in, strlen(cases[i].in));

		CHECK_STR(ok ? out.p : "", cases[i].want ? cases[i].want : "");
		tm_buf_fini(&out);
	}
}

#ifndef NO_FAULTS
/* Memory for so many bytes more and no others: it says so, wherever it happens; then what there is
 * memory for is as it was. */
static void starve(const char *arg, const char *type)
{
	struct tm_buf in = { 0 }, want = { 0 };

	tm_buf_fmt(&in, "_Z1fI%sTniLi1EE%s", arg, type);
	tm_buf_fmt(&want, "_Z1fI%s%sE%s", arg, mark, type);
	for (size_t room = 0; room <= want.n + 1; room++) {
		struct tm_buf out = { 0 };
		bool ok;

		CHECK(tm_buf_reserve(&out, 2 * want.n));
		memset(out.p, '.', out.cap);
		out.n = out.cap - room;
		no_memory = true;
		ok = tm_mangled_rewrite(&out, in.p, in.n);
		no_memory = false;
		CHECK(ok == !out.failed);
		CHECK(ok || room <= want.n);
		CHECK(!ok || !memcmp(out.p + out.cap - room, want.p, want.n));
		tm_buf_fini(&out);
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

TEST(memory)
{
	for (size_t i = 0; i < sizeof args / sizeof *args; i++)
		starve(args[i], "vi");
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		starve("i", types[i]);
}
#else
TEST(memory)
{
}
#endif

TEST_MAIN(T(memory), T(arguments), T(signatures), T(declarations))
