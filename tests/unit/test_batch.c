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

/* Of a copy that goes `way`, with these cells, 0 = absent: the agents, 100 * first + second. */
static uint64_t agents(const char *way, uint64_t agent, uint64_t src, uint64_t dst)
{
	const uint64_t cell[] = { agent, src, dst };
	static const enum tm_ev_col cols[] = { TM_EVC_AGENT, TM_EVC_SRC, TM_EVC_DST };
	uint64_t col[3][1];
	tm_ev_set has = 0;
	struct tm_batch b = { .kind = TM_EV_COPY, .n = 1 };
	const uint64_t *of[2];
	unsigned n;

	for (int k = 0; k < 3; k++) {
		col[k][0] = cell[k];
		b.col[cols[k]] = col[k];
		has |= cell[k] ? TM_EV_BIT(cols[k]) : 0;
	}
	b.has = b.some = has;
	b.row_has = &has;
	n = tm_copy_agents(&b, 0, way, of);
	return n == 2 ? 100 * *of[0] + *of[1] : n == 1 ? 100 * *of[0] : 0;
}

TEST(agents_of_copies)
{
	const uint64_t cpu = tm_agent_pack(TM_AGENT_CPU, 1);

	CHECK_U64(agents("host_to_device", 0, 1, 4), 400);
	CHECK_U64(agents("device_to_host", 0, 4, 1), 400);
	CHECK_U64(agents("device_to_device", 0, 4, 5), 504);
	CHECK_U64(agents("device_to_device", 0, 4, 4), 400);
	CHECK_U64(agents("device_to_device", 0, 4, 0), 400);
	CHECK_U64(agents("device_to_device", 0, 0, 5), 500);
	CHECK_U64(agents("device_to_device", 6, 4, 5), 600); /* the producer says */
	CHECK_U64(agents("host_to_host", 0, 1, 1), 0);
	CHECK_U64(agents("host_to_device", 0, 1, 0), 0); /* to which, nobody says */
	/* A fill, and what does not say which way. */
	CHECK_U64(agents(NULL, 0, 0, 4), 400);
	CHECK_U64(agents(NULL, 0, 4, 0), 400);
	CHECK_U64(agents(NULL, 0, 4, 4), 400);
	CHECK_U64(agents(NULL, 0, cpu, 4), 400);
	CHECK_U64(agents(NULL, 0, 0, cpu), 0);
	CHECK_U64(agents(NULL, 0, 4, 5), 0);
	CHECK_U64(agents(NULL, 6, 0, 4), 600);
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

TEST_MAIN(T(agents_of_copies), T(column), T(one_domain), T(domains), T(kernels))
