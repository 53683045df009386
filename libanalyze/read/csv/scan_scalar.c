/* SPDX-License-Identifier: MIT
 * The fast row loop without vector instructions, and what all variants share. */
#include "read/csv/scan.h"

#include "base/base.h"

#include <string.h>

struct masks {
	uint64_t quote, comma, newline;
};

/* Bit 7 of each byte that equals c. */
static inline uint64_t equal_bytes(uint64_t w, unsigned char c)
{
	uint64_t y = w ^ (UINT64_C(0x0101010101010101) * c);

	/* Exact: no borrow can run from byte to byte. */
	return ~(((y & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7f7f7f7f7f7f7f7f)) | y) &
	       UINT64_C(0x8080808080808080);
}

/* Eight bits, one for each byte, from the top bits of the bytes. */
static inline uint64_t gather(uint64_t w)
{
	return ((w >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

static inline struct masks masks_of(const unsigned char *p)
{
	struct masks m = { 0 };

	for (unsigned i = 0; i < 64; i += 8) {
		uint64_t w;

		memcpy(&w, p + i, sizeof w);
		m.quote |= gather(equal_bytes(w, '"')) << i;
		m.comma |= gather(equal_bytes(w, ',')) << i;
		m.newline |= gather(equal_bytes(w, '\n')) << i;
	}
	return m;
}

#define ISA
#define SCAN_ROWS tm_scan_rows_scalar
#include "read/csv/scan_rows.inc"

scan_rows_fn *tm_scan_rows_best(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("pclmul"))
		return tm_scan_rows_avx2;
	return tm_scan_rows_sse2;
#elif defined(__aarch64__)
	return scan_rows_neon;
#else
	return tm_scan_rows_scalar;
#endif
}

bool tm_scan_agent(const unsigned char *p, size_t n, uint64_t *agent)
{
	static const struct {
		const char *word;
		enum tm_agent_numbering how;
	} words[] = {
		{ "Agent ", TM_AGENT_NODE }, { "Agent-", TM_AGENT_NODE }, { "GPU ", TM_AGENT_GPU },
		{ "GPU-", TM_AGENT_GPU },    { "CPU ", TM_AGENT_CPU },    { "CPU-", TM_AGENT_CPU },
		{ "", TM_AGENT_NODE },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t w = strlen(words[i].word);
		uint64_t v;

		if (n <= w || memcmp(p, words[i].word, w) != 0)
			continue;
		if (!tm_num_u64(p + w, n - w, &v) || v > UINT32_MAX)
			return false;
		*agent = tm_agent_pack(words[i].how, (uint32_t)v);
		return true;
	}
	return false;
}

static bool cell_word(struct csv_scan *s, const struct scan_field *f, const unsigned char *p,
                      size_t n, uint64_t *v)
{
	struct scan_word *last = &s->word[f->col];

	if (n && n == last->len && !memcmp(last->text, p, n)) {
		*v = last->v;
		return true;
	}
	if (f->cell == CELL_DOMAIN)
		*v = tm_domain_of_producer((const char *)p, n);
	else if (!tm_scan_agent(p, n, v))
		return false;
	if (n <= SCAN_WORD) {
		memcpy(last->text, p, n);
		last->len = n;
		last->v = *v;
	}
	return true;
}

bool tm_scan_cell_text(struct csv_scan *s, const struct scan_field *f, const unsigned char *p,
                       size_t n, uint64_t *v)
{
	struct scan_guess *last = &s->last[f->col];

	if (f->cell == CELL_AGENT || f->cell == CELL_DOMAIN)
		return cell_word(s, f, p, n, v);
	if (!last->text || last->len != n || memcmp(last->text, p, n) != 0) {
		uint32_t id = tm_names_add(s->names, (const char *)p, n);

		if (id == TM_NAME_NONE) {
			s->oom = true;
			return false;
		}
		*last = (struct scan_guess) { s->names->v[id].text, (uint32_t)n, id };
	}
	*v = last->id;
	return true;
}
