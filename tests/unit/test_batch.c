/* SPDX-License-Identifier: MIT
 * What batches say of all their rows at once. */
#include "model/model.h"

#include "test.h"

enum { ROWS = 5 };

struct made {
	struct tm_batch b;
	uint64_t domain[ROWS], start[ROWS];
	tm_ev_set row_has[ROWS];
};

/* A batch whose rows all are of that domain. */
static void make(struct made *m, enum tm_ev_kind kind, enum tm_domain d)
{
	const tm_ev_set has = TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_START);

	*m = (struct made) { .b = { .kind = kind, .n = ROWS, .has = has, .some = has } };
	m->b.row_has = m->row_has;
	m->b.col[TM_EVC_DOMAIN] = m->domain;
	m->b.col[TM_EVC_START] = m->start;
	for (int i = 0; i < ROWS; i++) {
		m->domain[i] = d;
		m->row_has[i] = has;
	}
}

TEST(column)
{
	struct made m;
	const uint64_t *c;

	make(&m, TM_EV_API, TM_DOMAIN_HIP);
	CHECK(tm_batch_column(&m.b, TM_EVC_START, &c) && c == m.start);
	m.b.has &= ~TM_EV_BIT(TM_EVC_START); /* some rows have it */
	CHECK(!tm_batch_column(&m.b, TM_EVC_START, &c));
	m.b.some &= ~TM_EV_BIT(TM_EVC_START); /* no row has it */
	CHECK(tm_batch_column(&m.b, TM_EVC_START, &c) && !c);
}

TEST(one_domain)
{
	struct made m;
	enum tm_domain d;

	make(&m, TM_EV_API, TM_DOMAIN_HIP);
	CHECK(tm_batch_one_domain(&m.b, &d) && d == TM_DOMAIN_HIP);
	m.domain[ROWS - 1] = TM_DOMAIN_HSA;
	CHECK(!tm_batch_one_domain(&m.b, &d));
	make(&m, TM_EV_API, TM_DOMAIN_HIP);
	m.b.has &= ~TM_EV_BIT(TM_EVC_DOMAIN);
	CHECK(!tm_batch_one_domain(&m.b, &d));
	/* Without the column they are what the kind says. */
	m.b.some &= ~TM_EV_BIT(TM_EVC_DOMAIN);
	CHECK(tm_batch_one_domain(&m.b, &d) && d == TM_DOMAIN_OTHER);
	m.b.kind = TM_EV_COPY;
	CHECK(tm_batch_one_domain(&m.b, &d) && d == TM_DOMAIN_COPY);
}

TEST(domains)
{
	struct tm_batch_domains found;
	struct made m;
	enum tm_domain d;

	make(&m, TM_EV_API, TM_DOMAIN_HIP);
	tm_batch_see_domains(&m.b, &found);
	CHECK(found.one && found.domain == TM_DOMAIN_HIP);
	CHECK_U64(found.rows[TM_DOMAIN_HIP], ROWS);
	m.b.domains = &found;
	CHECK(tm_batch_one_domain(&m.b, &d) && d == TM_DOMAIN_HIP);
	m.b.domains = NULL;
	m.domain[ROWS - 1] = TM_DOMAIN_RCCL;
	tm_batch_see_domains(&m.b, &found);
	CHECK(!found.one);
	CHECK_U64(found.rows[TM_DOMAIN_HIP], ROWS - 1);
	CHECK_U64(found.rows[TM_DOMAIN_RCCL], 1);
	m.b.domains = &found;
	CHECK(!tm_batch_one_domain(&m.b, &d));
}

TEST(kernels)
{
	const tm_ev_set start = TM_EV_BIT(TM_EVC_START), end = TM_EV_BIT(TM_EVC_END);
	struct made m;

	make(&m, TM_EV_DISPATCH, TM_DOMAIN_KERNEL);
	CHECK(tm_batch_kernels(&m.b, start));
	CHECK(!tm_batch_kernels(&m.b, start | end));
	m.domain[2] = TM_DOMAIN_OTHER;
	CHECK(!tm_batch_kernels(&m.b, start));
	make(&m, TM_EV_API, TM_DOMAIN_KERNEL);
	CHECK(!tm_batch_kernels(&m.b, start));
}

TEST_MAIN(T(column), T(one_domain), T(domains), T(kernels))
