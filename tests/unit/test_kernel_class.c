/* SPDX-License-Identifier: MIT
 * Tables of kernel classes: the user's, wrong ones, and what hostile names cost.  What the built-in
 * table says is the matter of test_kernel_names.c. */
#include "test.h"

#include "base/buf.h"
#include "model/classes.h"
#include "model/kernel_class.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

/* Load a table with that content; its error, or "" */
static const char *load(const char *text, size_t n, struct tm_classes **c, uint64_t *line)
{
	static struct tm_diag d;
	char path[] = "/tmp/test_kernel_class.XXXXXX";
	int fd = mkstemp(path);

	d = (struct tm_diag) { 0 };
	*c = NULL;
	CHECK(fd >= 0);
	if (fd < 0)
		return "";
	CHECK(write(fd, text, n) == (ssize_t)n);
	close(fd);
	*c = tm_classes_load(path, &d);
	unlink(path);
	CHECK((*c == NULL) == (d.text[0] != '\0'));
	*line = d.line;
	return d.text;
}

TEST(own_table)
{
	static const char good[] =
	        "\xef\xbb\xbfgemm\t^my_\r\n# note\r\n\r\nmine\tstep<[0-9]+>\nlast\tz$";
	struct tm_classes *c;
	const char *rule;
	uint64_t line;

	CHECK_STR(load(good, sizeof good - 1, &c, &line), "");
	if (!c)
		return;
	CHECK_STR(tm_classes_of(c, "my_z", &rule), "gemm");
	CHECK_STR(rule, "^my_");
	CHECK_STR(tm_classes_of(c, "void (anonymous namespace)::my_kernel(int)", NULL), "gemm");
	CHECK_STR(tm_classes_of(c, "_Z4stepILi4EEvv", &rule), "mine");
	CHECK_STR(rule, "step<[0-9]+>");
	CHECK_STR(tm_classes_of(c, "\"baz.kd\"", NULL), "last");
	CHECK_STR(tm_classes_of(c, "Cijk_", &rule), TM_CLASS_UNKNOWN);
	CHECK(rule == NULL);
	tm_classes_free(c);

	/* A rule for mangled names finds those that cannot be demangled, and no others. */
	CHECK_STR(load("m\t^_ZN3sim\n", 11, &c, &line), "");
	CHECK_STR(tm_classes_of(c, "_ZN3sim4stepEv.kd", NULL), TM_CLASS_UNKNOWN);
	CHECK_STR(tm_classes_of(c, "_ZN3sim4stepQ", NULL), "m");
	tm_classes_free(c);
}

/* A rule sees the function; with "::" its namespaces; with "<" its template arguments.  Functions
 * that no rule knows are looked at again. */
TEST(what_rules_see)
{
	static const char table[] = "fft\tlib_fft::\ncopy\tcopy\nmap\t^apply$\tinside\ngemm\tgemm\n"
	                            "pair\tdual<int, 2>\n?gemm\tdot\ta dot\n??gemm\tmma\tan mma\n";
	static const struct {
		const char *name, *class_name, *doubt;
		enum tm_class_seen seen;
	} v[] = {
		{ "void lib_fft::copy(int)", "fft", "", TM_SEEN_FUNCTION },
		{ "void ns::copy<gemm>(gemm_args)", "copy", "", TM_SEEN_FUNCTION },
		{ "void ns::apply<4, lib::copy_op>(gemm*)", "map", "", TM_SEEN_FUNCTION },
		{ "void ns::apply<4, lib::gemm_op<int> >(copy*)", "gemm", "", TM_SEEN_ARGUMENTS },
		{ "void ns::apply<4, gemm::op<int> >(copy*)", "map", "", TM_SEEN_FUNCTION },
		{ "void lib::gemm::run(int)", "gemm", "", TM_SEEN_SCOPE },
		{ "void gemm_lib::run(int)", "other", "", TM_SEEN_FUNCTION },
		{ "void lib::run<4, op::gemm>(int)", "gemm", "", TM_SEEN_ARGUMENTS },
		{ "void lib::run<4, gemm(int)::{lambda(int)#1}>(int)", "gemm", "",
		  TM_SEEN_ARGUMENTS },
		{ "void lib::run<4, f(gemm)::{lambda(gemm)#1}>(int)", "other", "",
		  TM_SEEN_FUNCTION },
		{ "void lib::run<4, f(gemm)::op>(gemm)", "other", "", TM_SEEN_FUNCTION },
		{ "void lib::dual<int, 2>(int)", "pair", "", TM_SEEN_FUNCTION },
		{ "void lib::copy_dot(int)", "copy", "a dot", TM_SEEN_FUNCTION },
		{ "void lib::run_mma(int)", "other", "an mma", TM_SEEN_FUNCTION },
		{ "void lib::copy_mma(int)", "copy", "", TM_SEEN_FUNCTION },
		{ "void (anonymous namespace)::gemm(int", "gemm", "", TM_SEEN_FUNCTION },
		{ "void gemm_lib::copy_all<gemm, 4, ge", "copy", "", TM_SEEN_FUNCTION },
		{ "(anonymous namespace", "other", "", TM_SEEN_FUNCTION },
		{ "(anonymous namespace)::", "other", "", TM_SEEN_FUNCTION },
		{ "", "other", "", TM_SEEN_FUNCTION },
	};
	struct tm_classes *c;
	uint64_t line;

	CHECK_STR(load(table, sizeof table - 1, &c, &line), "");
	for (size_t i = 0; c && i < sizeof v / sizeof *v; i++) {
		struct tm_class_match m;
		struct tm_class_doubt d;

		CHECK(tm_classes_match(c, v[i].name, &m));
		CHECK_STR(m.class_name, v[i].class_name);
		CHECK(!m.rule || m.seen == v[i].seen);
		CHECK(tm_classes_doubt(c, v[i].name, &m, &d));
		CHECK_STR(d.reason ? d.reason : "", v[i].doubt);
	}
	tm_classes_free(c);
}

/* Demangled by c++filt. */
TEST(twins)
{
	static const char *const pairs[][2] = {
		{ "_Z15addition_kernelIfEvPT_PKfS3_ii.kd",
		  "void addition_kernel<float>(float*, float const*, float const*, int, int) "
		  "[clone .kd]" },
		{ "_ZN5aiter28bf16gemm_outf32_tn_32x64_pf3E",
		  "aiter::bf16gemm_outf32_tn_32x64_pf3" },
		{ "_ZN5aiter19fmha_fwd_hd128_bf16E", "aiter::fmha_fwd_hd128_bf16" },
		{ "_ZN7ck_tile6kentryILi256ENS_10GemmKernelIfEEEEvPv",
		  "void ck_tile::kentry<256, ck_tile::GemmKernel<float> >(void*)" },
		{ "_ZN12_GLOBAL__N_112rope_forwardIfEEvPT_i",
		  "void (anonymous namespace)::rope_forward<float>(float*, int)" },
		{ "_Z37mscclKernel_Sum_hip_bfloat16_LL_falseP11ncclDevComm",
		  "mscclKernel_Sum_hip_bfloat16_LL_false(ncclDevComm*)" },
		{ "_ZN2at6native19triu_tril_cuda_implIbEEvPT_",
		  "void at::native::triu_tril_cuda_impl<bool>(bool*)" },
		{ "_Z4moveE", "_Z4moveE" },
	};
	/* Rules that only one of the two spellings fits, and none. */
	static const char table[] = "z\t^_Z\nlength\t[0-9]+(gemm|rope|step|triu)\nkd\tkd\n"
	                            "end\tE(E|v|Pv)\nspaced\t, float const\nnested\t<.*>.*\\(\n";
	struct tm_classes *own, *builtin = tm_classes_builtin(NULL);
	uint64_t line;

	CHECK_STR(load(table, sizeof table - 1, &own, &line), "");
	for (size_t i = 0; own && builtin && i < sizeof pairs / sizeof *pairs; i++) {
		struct tm_class_match a, b;

		CHECK(tm_classes_match(builtin, pairs[i][0], &a));
		CHECK(tm_classes_match(builtin, pairs[i][1], &b));
		CHECK_U64(a.rule, b.rule);
		CHECK(tm_classes_match(own, pairs[i][0], &a));
		CHECK(tm_classes_match(own, pairs[i][1], &b));
		CHECK_U64(a.rule, b.rule);
	}
	tm_classes_free(own);
	tm_classes_free(builtin);
}

/* A match tells the class, its number, the rule and its text. */
static void check_match(const struct tm_classes *c, const char *name, const char *class_name,
                        size_t id, size_t rule, const char *regex)
{
	struct tm_class_match m;

	CHECK(tm_classes_match(c, name, &m));
	CHECK_STR(m.class_name, class_name);
	CHECK_STR(tm_classes_name(c, m.id), class_name);
	CHECK_U64(m.id, id);
	CHECK_U64(m.rule, rule);
	CHECK((m.regex != NULL) == (regex != NULL));
	if (m.regex && regex)
		CHECK_STR(m.regex, regex);
}

TEST(rules_and_classes)
{
	/* Rules 1 to 5; a class may have several, and "other" may have one: it is last all the
	 * same. */
	static const char text[] = "b\t^x\n# note\n\nother\tskip\na\ty$\nb\tz\na\tw+\n";
	static const char *const class_name[] = { "b", "a", "other" };
	static const char *const regex[] = { "^x", "skip", "y$", "z", "w+" };
	static const size_t of_rule[] = { 0, 2, 1, 0, 1 };
	struct tm_classes *c;
	uint64_t line;

	CHECK_STR(load(text, sizeof text - 1, &c, &line), "");
	if (!c)
		return;
	CHECK_U64(tm_classes_count(c), 3);
	for (size_t i = 0; i < 3; i++)
		CHECK_STR(tm_classes_name(c, i), class_name[i]);
	CHECK_U64(tm_classes_rules(c), 5);
	for (size_t i = 0; i < 5; i++) {
		struct tm_class_match m = tm_classes_rule(c, i + 1);

		CHECK_U64(m.rule, i + 1);
		CHECK_U64(m.id, of_rule[i]);
		CHECK_STR(m.class_name, class_name[of_rule[i]]);
		CHECK_STR(m.regex, regex[i]);
	}
	check_match(c, "xz", "b", 0, 1, "^x");
	check_match(c, "az", "b", 0, 4, "z");
	check_match(c, "aww.kd", "a", 1, 5, "w+");
	check_match(c, "void skip_y", "other", 2, 2, "skip");
	check_match(c, "nothing", "other", 2, 0, NULL);
	check_match(c, "", "other", 2, 0, NULL);
	check_match(c, "_Zbroken", "other", 2, 0, NULL);
	tm_classes_free(c);

	/* one class, never "other": that is there nevertheless */
	CHECK_STR(load("a\tb\n", 4, &c, &line), "");
	if (!c)
		return;
	CHECK_U64(tm_classes_count(c), 2);
	CHECK_STR(tm_classes_name(c, 1), TM_CLASS_UNKNOWN);
	tm_classes_free(c);
	tm_classes_free(NULL);
}

/* The built-in table has the classes that are asked for by name, communication first. */
TEST(builtin_classes)
{
	static const char *const known[] = { "gemm", "gemv", "moe_gemm", "conv", "attention" };
	struct tm_classes *c = tm_classes_builtin(NULL);

	CHECK(c != NULL);
	if (!c)
		return;
	CHECK_STR(tm_classes_name(c, 0), "comm");
	CHECK_STR(tm_classes_name(c, tm_classes_count(c) - 1), TM_CLASS_UNKNOWN);
	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		bool found = false;

		for (size_t i = 0; i < tm_classes_count(c); i++)
			found |= strcmp(tm_classes_name(c, i), known[k]) == 0;
		CHECK(found);
	}
	tm_classes_free(c);
}

TEST(bad_tables)
{
	static const struct {
		const char *text;
		size_t n;
		uint64_t line;
		const char *says;
	} v[] = {
		{ "", 0, 0, "no rules" },
		{ "# a\n\n", 5, 0, "no rules" },
		{ "a\tb\n\nc d\n", 9, 3, "no tab" },
		{ "a\tb\n\tx\n", 7, 2, "class before the tab is empty" },
		{ "a\t\n", 3, 1, "after the tab is empty" },
		{ "a\t\r\n", 4, 1, "after the tab is empty" },
		{ "\tx\n", 3, 1, "class before the tab is empty" },
		{ "a b c\n", 6, 1, "no tab" },
		{ "a\tok\na\t[z\n", 10, 2, "bad regular expression \"[z\": " },
		{ "# x\r\na\tb(\r\n", 11, 2, "bad regular expression \"b(\": " },
		{ "a\tb\0c\n", 6, 0, "NUL byte" },
		{ "a\tb\tc\n", 6, 1, "\"c\" after the second tab" },
		{ "a\tb\t\n", 5, 1, "\"\" after the second tab" },
		{ "a\tb\n?a\tb\n", 9, 2, "needs a reason after a second tab" },
		{ "a\tb\n?a\tb\t\n", 10, 2, "needs a reason after a second tab" },
		{ "a\tb\n??\tb\tc\n", 11, 2, "class before the tab is empty" },
		{ "?a\tb\tc\n", 7, 0, "no rules" },
		{ "a\tx{100}y{1,100}\nb\t(x{99}){0,102}\n", 34, 2, "exceeds 10000" },
	};
	struct tm_classes *c;
	struct tm_diag d = { 0 };
	uint64_t line;
	char *big = malloc((size_t)3 << 20);

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		const char *text = load(v[i].text, v[i].n, &c, &line);

		if (!strstr(text, v[i].says))
			fprintf(stderr, "\"%s\" lacks \"%s\"\n", text, v[i].says);
		CHECK(strstr(text, v[i].says) != NULL);
		CHECK_U64(line, v[i].line);
	}
	CHECK(!tm_classes_load("/nonexistent/table", &d));
	CHECK(strstr(d.text, "cannot open") != NULL);
	CHECK(!tm_classes_load("/", &d));
	CHECK(strstr(d.text, "cannot read") != NULL);
	CHECK(!tm_classes_load("/nonexistent/table", NULL));
	CHECK(big != NULL);
	if (big) {
		memset(big, 'x', (size_t)3 << 20);
		CHECK(strstr(load(big, (size_t)3 << 20, &c, &line), "1 MiB") != NULL);
	}
	free(big);
}

/* What a table costs that was made to cost much: so much that it is refused, or little. */
TEST(hostile_tables)
{
	struct tm_classes *c;
	uint64_t line;
	struct tm_buf b = { 0 };
	clock_t start = clock();

	/* brackets, each of which regcomp calls itself for */
	tm_buf_str(&b, "a\tx\nb\t");
	for (int i = 0; i < 200000; i++)
		tm_buf_chr(&b, '(');
	for (int i = 0; i < 200000; i++)
		tm_buf_chr(&b, ')');
	CHECK(strstr(load(b.p, b.n, &c, &line), "longer than 8192 bytes: it has 400000"));
	CHECK_U64(line, 2);
	tm_buf_clear(&b);
	tm_buf_str(&b, "a\t");
	for (int i = 0; i < 4000; i++)
		tm_buf_chr(&b, '(');
	tm_buf_chr(&b, 'x');
	for (int i = 0; i < 4000; i++)
		tm_buf_chr(&b, ')');
	CHECK_STR(load(b.p, b.n, &c, &line), "");
	tm_classes_free(c);
	/* a hundred thousand classes; many counts */
	tm_buf_clear(&b);
	for (int i = 0; i < 100000; i++)
		tm_buf_fmt(&b, "%x\tb\n", i);
	CHECK_STR(load(b.p, b.n, &c, &line), "");
	CHECK_STR(tm_classes_of(c, "b", NULL), "0");
	CHECK_U64(c ? tm_classes_count(c) : 0, 100001);
	tm_classes_free(c);
	tm_buf_clear(&b);
	for (int i = 0; i < 2000; i++)
		tm_buf_str(&b, "a\tx{9999}\n");
	CHECK(strstr(load(b.p, b.n, &c, &line), "those of the rules above exceed") != NULL);
	CHECK_U64(line, 11);
	/* references to what matched */
	CHECK(strstr(load("a\t(a*)*b\\1\n", 11, &c, &line), "back-references") != NULL);
	CHECK_STR(load("a\t[\\1]\\\\1[^]\\2]\n", 16, &c, &line), "");
	tm_classes_free(c);
	CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 10);
	tm_buf_fini(&b);
}

/* A name is decided once, however it is decorated and whoever asks. */
static void *ask(void *arg)
{
	static const char *const name[] = { "gemm_tile", "gemm_tile.kd", "\"gemm_tile\"", "vecAdd",
		                            "" };
	const struct tm_classes *c = arg;

	for (size_t i = 0; i < 5000; i++)
		if (!tm_classes_of(c, name[i % 5], NULL))
			return NULL;
	return arg;
}

TEST(once_per_name)
{
	struct tm_classes *c = tm_classes_builtin(NULL);
	pthread_t thread[4];
	void *done;

	CHECK(c != NULL);
	if (!c)
		return;
	CHECK_U64(tm_classes_tried(c), 0);
	for (size_t i = 0; i < 4; i++)
		CHECK(pthread_create(&thread[i], NULL, ask, c) == 0);
	for (size_t i = 0; i < 4; i++) {
		CHECK(pthread_join(thread[i], &done) == 0);
		CHECK(done == c);
	}
	CHECK_U64(tm_classes_tried(c), 3);
	tm_classes_free(c);
}

/* Half a megabyte of what rules with ".*" look for. */
TEST(hostile_names)
{
	static const char *const piece[] = {
		"mean",
		"rsqrt",
		"adaptive_",
		"twoshot",
		"a_",
		"nchw",
		"triton_poi_fused_view_",
		"(",
		"\xff",
		"rocprim",
		"gather_x_",
		"gemm_x_",
		"init_a_",
		"transform_",
		"thrust",
	};
	struct tm_classes *c = tm_classes_builtin(NULL);
	size_t n = (size_t)512 << 10;
	char *s = malloc(n + 1);
	clock_t start = clock();

	CHECK(c && s);
	for (size_t i = 0; c && s && i < sizeof piece / sizeof *piece; i++) {
		for (size_t k = 0; k < n; k++)
			s[k] = piece[i][k % strlen(piece[i])];
		s[n] = '\0';
		CHECK(tm_classes_of(c, s, NULL) != NULL);
	}
	CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 5);
	free(s);
	tm_classes_free(c);
}

TEST_MAIN(T(own_table), T(what_rules_see), T(twins), T(rules_and_classes), T(builtin_classes),
          T(bad_tables), T(hostile_tables), T(once_per_name), T(hostile_names))
