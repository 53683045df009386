/* SPDX-License-Identifier: MIT */
#include "check/units.h"

#include <string.h>
#include <strings.h>

static const struct check_unit units[] = {
	{ "ns", "ns", FAMILY_TIME, 1, "1" },
	{ "us", "us", FAMILY_TIME, 1000, "0.001" },
	{ "ms", "ms", FAMILY_TIME, 1000000, "0.000001" },
	{ "s", "s", FAMILY_TIME, 1000000000, "0.000000001" },
	{ "min", "min", FAMILY_TIME, UINT64_C(60000000000), NULL },
	{ "bytes", "B", FAMILY_BYTES, 1, "1" },
	{ "kb", "kB", FAMILY_BYTES, 1000, "0.001" },
	{ "mb", "MB", FAMILY_BYTES, 1000000, "0.000001" },
	{ "gb", "GB", FAMILY_BYTES, 1000000000, "0.000000001" },
	{ "kib", "KiB", FAMILY_BYTES, 1 << 10, "0.0009765625" },
	{ "mib", "MiB", FAMILY_BYTES, 1 << 20, "0.00000095367431640625" },
	{ "gib", "GiB", FAMILY_BYTES, 1 << 30, "0.000000000931322574615478515625" },
	{ "pct", "%", FAMILY_PCT, 1, "1" },
	{ "w", "W", FAMILY_POWER, 1, "1" },
	{ "kw", "kW", FAMILY_POWER, 1000, "0.001" },
	{ "j", "J", FAMILY_ENERGY, 1, "1" },
	{ "kj", "kJ", FAMILY_ENERGY, 1000, "0.001" },
	{ "wh", "Wh", FAMILY_ENERGY, 3600, NULL },
	{ "kwh", "kWh", FAMILY_ENERGY, 3600000, NULL },
};
enum { UNITS = sizeof units / sizeof *units };

const struct check_unit *unit_of_word(const char *word, size_t n)
{
	for (size_t i = 0; i < UNITS; i++)
		if ((strlen(units[i].word) == n && !strncasecmp(units[i].word, word, n)) ||
		    (strlen(units[i].sign) == n && !strncasecmp(units[i].sign, word, n)))
			return &units[i];
	return NULL;
}

const struct check_unit *unit_of_column(const char *name, size_t *stem)
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

bool unit_same_column(const char *a, const char *b)
{
	size_t na, nb;
	const struct check_unit *ua = unit_of_column(a, &na), *ub = unit_of_column(b, &nb);

	return !strcmp(a, b) ||
	       (ua && ub && ua->family == ub->family && na == nb && !strncmp(a, b, na));
}

static bool times(struct decimal *r, const struct decimal *x, const char *by)
{
	struct decimal f = { 0 };
	bool ok = decimal_read(&f, by, strlen(by)) == ST_OK && decimal_mul(r, x, &f);

	decimal_fini(&f);
	return ok;
}

bool unit_to_base(struct decimal *r, const struct decimal *x, const struct check_unit *u)
{
	struct buf factor = { 0 };
	bool ok;

	if (!u)
		return decimal_copy(r, x);
	ok = buf_u64(&factor, u->factor) && times(r, x, factor.p);
	buf_fini(&factor);
	return ok;
}

bool unit_from_base(struct decimal *r, const struct decimal *x, const struct check_unit *u)
{
	return u && u->inverse ? times(r, x, u->inverse) : decimal_copy(r, x);
}
