/* SPDX-License-Identifier: MIT
 * Where operations belong: folded texts, places and paths. */
#include "stack/stack.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers of texts ---- */

static void check_fold(const char *text, const char *folded, const char *numbers)
{
	struct tm_buf out = { 0 }, list = { 0 };
	size_t n = strlen(text), len;

	CHECK(tm_fold(&out, text, n));
	CHECK_STR(tm_buf_chr(&out, '\0') ? out.p : "", folded);
	for (size_t at = 0; tm_fold_next(text, n, &at, &len); at += len) {
		struct tm_fold_range r = { 0 };

		tm_fold_widen(&r, text + at, len);
		tm_fold_put(&list, &r);
	}
	CHECK_STR(tm_buf_chr(&list, '\0') ? list.p : "", numbers);
	tm_buf_fini(&out);
	tm_buf_fini(&list);
}

TEST(numbers)
{
	check_fold("", "", "");
	check_fold("forward", "forward", "");
	check_fold("ProfilerStep#3", "ProfilerStep#*", "3");
	check_fold("execute_context_1(512)_generation_3(3)", "execute_context_*(*)_generation_*(*)",
	           "1 512 3 3");
	/* Part of a name. */
	check_fold("conv2d", "conv2d", "");
	check_fold("2d fp16 7", "2d fp16 *", "7");
	check_fold("12", "*", "12");
	/* Longer than 64 bits, and not numbers of ASCII. */
	check_fold("18446744073709551616000 \xd9\xa1", "* \xd9\xa1", "18446744073709551616000");
	check_fold("1.5e3", "*.5e3", "1");
}

TEST(ranges)
{
	static const char *const digits[] = { "10", "9", "007", "7", "18446744073709551616" };
	struct tm_fold_range r = { 0 }, same = { 0 };
	struct tm_buf out = { 0 };

	tm_fold_put(&out, &r);
	CHECK_U64(out.n, 0);
	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
		tm_fold_widen(&r, digits[i], strlen(digits[i]));
	tm_fold_put(&out, &r);
	tm_fold_widen(&same, "3", 1);
	tm_fold_widen(&same, "3", 1);
	tm_fold_put(&out, &same);
	CHECK_STR(tm_buf_chr(&out, '\0') ? out.p : "", "7..18446744073709551616 3");
	tm_buf_fini(&out);
}

/* ---- places ---- */

enum { THREADS = 3 };

static uint32_t label_of(struct tm_stack *s, enum tm_stack_kind kind, const char *text)
{
	struct tm_stack_label l = { .kind = kind,
		                    .name = tm_names_add(&s->names, text, strlen(text)),
		                    .inputs = TM_NAME_NONE,
		                    .values = TM_NAME_NONE };
	const uint64_t key[] = { (uint64_t)kind << 32 | l.name, l.inputs, l.values };
	uint32_t i = tm_groups_item(&s->labels, key, &s->label, &s->label_cap, sizeof *s->label,
	                            NULL);

	CHECK(i != TM_GROUP_NONE);
	s->label[i] = l;
	return i;
}

static void frame(struct tm_stack *s, size_t thread, enum tm_stack_kind kind, const char *text,
                  uint64_t start, uint64_t end, uint64_t external)
{
	enum tm_stack_list k = kind == TM_STACK_PYTHON ? TM_STACK_FUNCTIONS : TM_STACK_FRAMES;

	CHECK(tm_intervals_add(&s->thread[thread].frame[k], start, end, external,
	                       label_of(s, kind, text)));
}

static void call(struct tm_stack *s, size_t thread, uint64_t corr, uint64_t start, bool graph)
{
	struct tm_stack_thread *t = &s->thread[thread];

	t->calls[TM_STACK_HIP]++;
	CHECK(tm_intervals_add(&t->call[TM_STACK_HIP], start, start + 1, corr, graph));
}

/* Thread 0 is nobody's, 1 and 2 are those of process 7.
 *
 *     0   all 0................1000
 *     1   step 100....500, mm (External id 9) 110..150 in it, function f 600..700
 *     2   eval 100..200 */
static bool make(struct tm_stack *s, const struct tm_stack_opts *o, bool loose)
{
	if (!tm_stack_init(s, o))
		return false;
	s->thread = calloc(THREADS, sizeof *s->thread);
	s->nthread = s->thread_cap = s->thread ? THREADS : 0;
	if (!s->thread)
		return false;
	for (size_t i = 0; i < THREADS; i++)
		s->thread[i] = (struct tm_stack_thread) {
			.pid = i ? 7 : 0, .tid = i, .has_pid = i != 0, .has_tid = i != 0
		};
	if (loose)
		frame(s, 0, TM_STACK_ANNOTATION, "all", 0, 1000, 0);
	frame(s, 1, TM_STACK_ANNOTATION, "step", 100, 500, 0);
	frame(s, 1, TM_STACK_OPERATOR, "mm", 110, 150, 9);
	frame(s, 1, TM_STACK_PYTHON, "f", 600, 700, 0);
	frame(s, 2, TM_STACK_ANNOTATION, "eval", 100, 200, 0);
	call(s, 1, 1, 120, false);
	call(s, 1, 2, 300, true);
	call(s, 1, 3, 650, false);
	call(s, 1, 4, 800, true);
	call(s, 2, 5, 150, false);
	call(s, 0, 6, 160, false);
	return tm_stack_settle(s);
}

/* Texts of what is open, innermost first. */
static void check_place(const struct tm_stack_rank *r, const struct tm_stack_op *op,
                        enum tm_stack_how how, const char *want)
{
	struct tm_stack_place p = { .deep = false };
	struct tm_buf b = { 0 };

	tm_stack_find_op(r, op, &p);
	CHECK(!p.unshared && !p.deep);
	CHECK_U64(p.how, how);
	for (size_t i = 0; i < p.n; i++) {
		const struct tm_stack_label *l = &r->s->label[p.open[i].label];

		tm_buf_fmt(&b, "%s%s", i ? " " : "", r->s->names.v[l->name].text);
	}
	CHECK_STR(b.p ? b.p : "", want);
	tm_buf_fini(&b);
}

static const struct tm_stack_opts plain = { .one_by_one = true },
                                  timed = { .one_by_one = true, .by_time = true };

TEST(places)
{
	struct tm_stack s;
	struct tm_stack_rank r;
	size_t thread = 0, track = 0;
	bool done;

	CHECK(make(&s, &plain, false));
	CHECK(tm_stack_rank_next(&r, &s, &thread, &track, &done) && tm_stack_rank_share(&r));
#define OP(...) (&(struct tm_stack_op) { __VA_ARGS__ })
	check_place(&r, OP(.corr = 1, .start = 900), TM_STACK_BY_CALL, "mm step");
	check_place(&r, OP(.corr = 2, .start = 900), TM_STACK_BY_CALL, "step");
	check_place(&r, OP(.corr = 3, .start = 900), TM_STACK_BY_FUNCTION, "f");
	check_place(&r, OP(.corr = 4, .start = 900), TM_STACK_GRAPH_OUTSIDE, "");
	check_place(&r, OP(.corr = 5, .start = 900), TM_STACK_BY_CALL, "eval");
	/* The External id says more than the call. */
	check_place(&r, OP(.corr = 5, .external = 9, .start = 900), TM_STACK_BY_EXTERNAL,
	            "mm step");
	/* A call of no known thread: any. */
	check_place(&r, OP(.corr = 6, .tid = 2, .has_tid = true, .start = 900), TM_STACK_BY_CALL,
	            "eval step");
	check_place(&r, OP(.corr = 6, .start = 900), TM_STACK_BY_CALL, "eval step");
	/* Nobody knows, and nobody guesses. */
	check_place(&r, OP(.corr = 99, .start = 120), TM_STACK_NO_LAUNCH, "");
	check_place(&r, OP(.start = 120), TM_STACK_NO_LAUNCH, "");
	/* Another process has no calls here, so these count; its own id is not there. */
	check_place(&r, OP(.corr = 1, .pid = 7, .has_pid = true, .start = 900), TM_STACK_BY_CALL,
	            "mm step");
	tm_stack_rank_fini(&r);
	tm_stack_fini(&s);
}

TEST(by_time)
{
	struct tm_stack s;
	struct tm_stack_rank r;
	size_t thread = 0, track = 0;
	bool done;

	CHECK(make(&s, &timed, true));
	CHECK(tm_stack_rank_next(&r, &s, &thread, &track, &done) && tm_stack_rank_share(&r));
	/* What nobody's thread holds is around everything. */
	check_place(&r, OP(.corr = 1, .start = 900), TM_STACK_BY_CALL, "mm step all");
	/* A call of no known thread: that of the operation, or any. */
	check_place(&r, OP(.corr = 6, .tid = 2, .has_tid = true, .start = 900), TM_STACK_BY_CALL,
	            "eval all");
	check_place(&r, OP(.corr = 6, .tid = 5, .has_tid = true, .start = 900), TM_STACK_BY_CALL,
	            "all");
	check_place(&r, OP(.corr = 6, .start = 900), TM_STACK_BY_CALL, "eval step all");
	check_place(&r, OP(.corr = 99, .tid = 1, .has_tid = true, .start = 400), TM_STACK_BY_TIME,
	            "step all");
	check_place(&r, OP(.tid = 5, .has_tid = true, .start = 400), TM_STACK_BY_TIME, "all");
	check_place(&r, OP(.start = 400), TM_STACK_BY_TIME, "step all");
	check_place(&r, OP(.start = 1000), TM_STACK_NO_LAUNCH, "");
	tm_stack_rank_fini(&r);
	tm_stack_fini(&s);
}

TEST(paths)
{
	struct tm_stack s;
	struct tm_stack_rank r;
	struct tm_stack_place p = { .deep = false };
	struct tm_stack_path path;
	size_t thread = 0, track = 0;
	bool done;

	CHECK(make(&s, &plain, true));
	CHECK(tm_stack_rank_next(&r, &s, &thread, &track, &done) && tm_stack_rank_share(&r));
	tm_stack_find_op(&r, OP(.corr = 1, .start = 900), &p);
	tm_stack_path(&r, &p, &path);
	CHECK_U64(path.n, 3);
	CHECK(!path.backward);
	for (size_t i = 0; i < 3 && path.n == 3; i++) {
		static const char *const want[] = { "all", "step", "mm" };

		CHECK_STR(s.names.v[s.label[path.label[i]].name].text, want[i]);
	}
	tm_stack_rank_fini(&r);
	tm_stack_fini(&s);
}

/* ---- backward ---- */

static const struct tm_stack_opts paired = { .one_by_one = true, .pairs = true };

/* An operator with a sequence number; id: of the forward thread, 0 = it is a forward one. */
static void paired_op(struct tm_stack *s, size_t thread, const char *text, uint64_t start,
                      uint64_t end, uint64_t external, uint64_t sequence, uint32_t id)
{
	frame(s, thread, TM_STACK_OPERATOR, text, start, end, external);
	CHECK(tm_intervals_add(&s->thread[thread].pair, start, end, sequence, id));
}

static void check_path(const struct tm_stack_rank *r, uint64_t external, bool backward,
                       const char *want)
{
	struct tm_stack_place p = { .deep = false };
	struct tm_stack_path path;
	struct tm_buf b = { 0 };

	tm_stack_find_op(r, OP(.external = external, .start = 9000), &p);
	CHECK_U64(p.how, TM_STACK_BY_EXTERNAL);
	tm_stack_path(r, &p, &path);
	CHECK(path.backward == backward);
	for (size_t i = 0; i < path.n; i++)
		tm_buf_fmt(&b, "%s%s", i ? " " : "",
		           r->s->names.v[r->s->label[path.label[i]].name].text);
	CHECK_STR(b.p ? b.p : "", want);
	tm_buf_fini(&b);
}

/* Threads 0 and 1 go forward, 2 and 3 backward; 4 is of another process.
 *
 *     0   step 0..1000: layer1 10..100 with mm 20..30 (seq 1) and again 40..50 (seq 1),
 *         layer2 100..200 with mm 110..120 (seq 2), add 150..160 (seq 4)
 *     1   eval 0..1000: mm 20..30 (seq 3), add 150..160 (seq 4)
 *     2   MmBackward of 2, 1, 3 and AddBackward of 4 for id 1; MmBackward of 9, which no forward
 *         one has; inside that of 2 mm, without a number
 *     3   AddBackward of 4 for id 2, of which nothing else is known
 *     4   MmBackward of 1 for id 1: no process of its own has that */
static void make_backward(struct tm_stack *s)
{
	enum { N = 5 };

	CHECK(tm_stack_init(s, &paired));
	s->thread = calloc(N, sizeof *s->thread);
	CHECK(s->thread != NULL);
	if (!s->thread)
		return;
	s->nthread = s->thread_cap = N;
	for (size_t i = 0; i < N; i++)
		s->thread[i] = (struct tm_stack_thread) {
			.pid = i < 4 ? 7 : 8, .tid = i + 1, .has_pid = true, .has_tid = true
		};
	frame(s, 0, TM_STACK_ANNOTATION, "step", 0, 1000, 0);
	frame(s, 0, TM_STACK_PYTHON, "layer1", 10, 100, 0);
	frame(s, 0, TM_STACK_PYTHON, "layer2", 100, 200, 0);
	paired_op(s, 0, "mm", 20, 30, 1, 1, 0);
	paired_op(s, 0, "mm", 40, 50, 2, 1, 0);
	paired_op(s, 0, "mm", 110, 120, 3, 2, 0);
	paired_op(s, 0, "add", 150, 160, 4, 4, 0);
	frame(s, 1, TM_STACK_ANNOTATION, "eval", 0, 1000, 0);
	paired_op(s, 1, "mm", 20, 30, 5, 3, 0);
	paired_op(s, 1, "add", 150, 160, 6, 4, 0);
	paired_op(s, 2, "MmBackward", 500, 540, 11, 2, 1);
	frame(s, 2, TM_STACK_OPERATOR, "mm", 510, 520, 12);
	paired_op(s, 2, "MmBackward", 550, 560, 13, 1, 1);
	paired_op(s, 2, "AddBackward", 570, 580, 14, 4, 1);
	paired_op(s, 2, "MmBackward", 590, 595, 15, 9, 1);
	paired_op(s, 3, "AddBackward", 570, 580, 16, 4, 2);
	paired_op(s, 4, "MmBackward", 550, 560, 17, 1, 1);
	CHECK(tm_stack_settle(s));
}

TEST(backward_paths)
{
	struct tm_stack s;
	struct tm_stack_rank r;
	size_t thread = 0, track = 0;
	bool done;

	make_backward(&s);
	CHECK(tm_stack_rank_next(&r, &s, &thread, &track, &done));
	check_path(&r, 1, false, "step layer1 mm");
	check_path(&r, 5, false, "eval mm");
	/* What is around the forward one, but for operators, comes before. */
	check_path(&r, 11, true, "step layer2 MmBackward");
	check_path(&r, 12, true, "step layer2 MmBackward mm");
	check_path(&r, 13, true, "step layer1 MmBackward");
	/* Number 4 is on two threads: the others say which one id 1 is. */
	check_path(&r, 14, true, "step layer2 AddBackward");
	/* No forward one; two that may be it; those of another process. */
	check_path(&r, 15, false, "MmBackward");
	check_path(&r, 16, false, "AddBackward");
	check_path(&r, 17, false, "MmBackward");
	tm_stack_rank_fini(&r);
	tm_stack_fini(&s);
}

TEST_MAIN(T(numbers), T(ranges), T(places), T(by_time), T(paths), T(backward_paths))
