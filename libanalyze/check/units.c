/* SPDX-License-Identifier: MIT */
#include "check/units.h"

#include <string.h>
#include <strings.h>

static const struct tm_check_unit units[] = {
	{ "ns", "ns", TM_FAMILY_TIME, 1, "1" },
	{ "us", "us", TM_FAMILY_TIME, 1000, "0.001" },
	{ "ms", "ms", TM_FAMILY_TIME, 1000000, "0.000001" },
	{ "s", "s", TM_FAMILY_TIME, 1000000000, "0.000000001" },
	{ "min", "min", TM_FAMILY_TIME, UINT64_C(60000000000), NULL },
	{ "h", "h", TM_FAMILY_TIME, UINT64_C(3600000000000), NULL },
	{ "bytes", "B", TM_FAMILY_BYTES, 1, "1" },
	{ "kb", "kB", TM_FAMILY_BYTES, 1000, "0.001" },
	{ "mb", "MB", TM_FAMILY_BYTES, 1000000, "0.000001" },
	{ "gb", "GB", TM_FAMILY_BYTES, 1000000000, "0.000000001" },
	{ "kib", "KiB", TM_FAMILY_BYTES, 1 << 10, "0.0009765625" },
	{ "mib", "MiB", TM_FAMILY_BYTES, 1 << 20, "0.00000095367431640625" },
	{ "gib", "GiB", TM_FAMILY_BYTES, 1 << 30, "0.000000000931322574615478515625" },
	{ "pct", "%", TM_FAMILY_PCT, 1, "1" },
	{ "w", "W", TM_FAMILY_POWER, 1, "1" },
	{ "kw", "kW", TM_FAMILY_POWER, 1000, "0.001" },
	{ "j", "J", TM_FAMILY_ENERGY, 1, "1" },
	{ "kj", "kJ", TM_FAMILY_ENERGY, 1000, "0.001" },
	{ "wh", "Wh", TM_FAMILY_ENERGY, 3600, NULL },
	{ "kwh", "kWh", TM_FAMILY_ENERGY, 3600000, NULL },
};
enum { UNITS = sizeof units / sizeof *units };

const struct tm_check_unit *tm_unit_of_word(const char *word, size_t n)
{
	for (size_t i = 0; i < UNITS; i++)
		if ((strlen(units[i].word) == n && !strncasecmp(units[i].word, word, n)) ||
		    (strlen(units[i].sign) == n && !strncasecmp(units[i].sign, word, n)))
			return &units[i];
	return NULL;
}

const struct tm_check_unit *tm_unit_of_column(const char *name, size_t *stem)
{
	const char *bar = strrchr(name, '_'), *dot = strrchr(name, '.');
	const char *word = bar && (!dot || bar > dot) ? bar + 1 : dot ? dot + 1 : name;

	*stem = (size_t)(word - name);
	if (*stem >= 5 && !strncmp(word - 5, "_per_", 5))
		return NULL;
	for (size_t i = 0; i < UNITS; i++)
		if (units[i].inverse && !strcmp(units[i].word, word))
			return &units[i];
	return NULL;
}

bool tm_unit_same_column(const char *a, const char *b)
{
	size_t na, nb;
	const struct tm_check_unit *ua = tm_unit_of_column(a, &na), *ub = tm_unit_of_column(b, &nb);

	return !strcmp(a, b) ||
	       (ua && ub && ua->family == ub->family && na == nb && !strncmp(a, b, na));
}

static bool times(struct tm_decimal *r, const struct tm_decimal *x, const char *by)
{
	struct tm_decimal f = { 0 };
	bool ok = tm_decimal_read(&f, by, strlen(by)) == TM_ST_OK && tm_decimal_mul(r, x, &f);

	tm_decimal_fini(&f);
	return ok;
}

bool tm_unit_to_base(struct tm_decimal *r, const struct tm_decimal *x,
                     const struct tm_check_unit *u)
{
	struct tm_buf factor = { 0 };
	bool ok;

	if (!u)
		return tm_decimal_copy(r, x);
	ok = tm_buf_u64(&factor, u->factor) && times(r, x, factor.p);
	tm_buf_fini(&factor);
	return ok;
}

bool tm_unit_from_base(struct tm_decimal *r, const struct tm_decimal *x,
                       const struct tm_check_unit *u)
{
	return u && u->inverse ? times(r, x, u->inverse) : tm_decimal_copy(r, x);
}
