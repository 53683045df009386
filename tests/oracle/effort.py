# SPDX-License-Identifier: MIT
"""How much of a sweep is tried: EFFORT percent (default: all of it).  `make check` tries a sample, the
same one each time; `make fuzz` all."""
import os

PERCENT = max(1, min(100, int(os.environ.get("EFFORT") or 100)))


def rounds(n):
    """So many of n random cases; at least two."""
    return max(min(n, 2), n * PERCENT // 100)


def sample(items, percent=PERCENT):
    """Every so many of the items in their order, the first among them."""
    for i, item in enumerate(items):
        if i * percent // 100 != (i - 1) * percent // 100:
            yield item


def most(items):
    """All of the items where a quarter of the sweep is tried, and a sample of them where less is: of what
    costs little but under a sanitizer."""
    return sample(items, min(100, 4 * PERCENT))


def least(counts):
    """What must have been compared at least, for a sample: {what: how many of a whole sweep}."""
    return {what: max(1, n * PERCENT // 200) if PERCENT < 100 else n for what, n in counts.items()}
