# SPDX-License-Identifier: MIT
"""The test of significance once more, from its definition in docs/metrics.md and nothing else: pairs are counted,
exact distributions enumerated, Student's t integrated.  As a program: libperf compare beside it, and on 1,000 pairs
of samples that differ and 1,000 that do not."""
import csv
import functools
import io
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction

ALPHA = 0.005
OVERLAP = 1.5


def u_of(x, y):
    return sum(1.0 if a > b else 0.5 if a == b else 0.0 for a in x for b in y)


@functools.lru_cache(maxsize=None)
def arrangements(n, m, u):
    """Of n values among n + m different ones: how many choices have U = u?"""
    if u < 0:
        return 0
    if n == 0 or m == 0:
        return 1 if u == 0 else 0
    # The largest of all is one of the n, above all m others, or is not.
    return arrangements(n - 1, m, u - m) + arrangements(n, m - 1, u)


def ties_of(v):
    count = {}
    for a in v:
        count[a] = count.get(a, 0) + 1
    return sum(t ** 3 - t for t in count.values())


def deviation_of(x, y):
    n, m, all_ = len(x), len(y), len(x) + len(y)
    return math.sqrt(n * m / 12 * float(all_ + 1 - Fraction(ties_of(x + y), all_ * (all_ - 1))))


def p_of_u(x, y, u):
    n, m = len(x), len(y)
    if min(n, m) <= 8 and not ties_of(x + y):
        least = int(min(u, n * m - u))
        return min(1.0, float(2 * Fraction(sum(arrangements(n, m, k) for k in range(least + 1)), math.comb(n + m, n))))
    return min(1.0, math.erfc((abs(u - n * m / 2) - 0.5) / deviation_of(x, y) / math.sqrt(2)))


def student(t, df):
    """Both tails: the share of cos^(df-1) beyond atan(t / sqrt df)."""
    def area(lo, hi, n=2000):
        h = (hi - lo) / n
        f = lambda a: max(math.cos(a), 0.0) ** (df - 1)
        return h / 3 * sum(f(lo + i * h) * (1 if i in (0, n) else 4 if i % 2 else 2) for i in range(n + 1))
    lo = math.atan(abs(t) / math.sqrt(df))
    return area(lo, math.pi / 2) / area(0, math.pi / 2)


def ranks_of(v):
    order = sorted(v)
    place = {}
    for i, a in enumerate(order):
        place.setdefault(a, []).append(i + 1)
    return [sum(place[a]) / len(place[a]) for a in v]


def series_of(x, y):
    """Inflation of the variance by dependence, its degrees of freedom, and the correlation with the value before in
    standard errors; of the ranks of both samples."""
    ranks = ranks_of(x + y)
    inflation = df = lag = 0.0
    for v in (ranks[:len(x)], ranks[len(x):]):
        n = len(v)
        s2 = statistics.variance(v) if n > 1 else 0
        if not s2:
            continue
        mean = statistics.fmean(v)
        batches = min(16, int(math.sqrt(n)))
        k = 1 if batches < 2 else n // batches
        means = [statistics.fmean(v[i:i + k]) for i in range(n - k + 1)]
        of = n * k / ((n - k) * (n - k + 1)) * sum((a - mean) ** 2 for a in means) / s2
        d = OVERLAP * (n / k - 1)
        inflation += of * d
        df += d
        lag += sum((a - mean) * (b - mean) for a, b in zip(v, v[1:])) / s2
    if not df:
        return 1.0, 0.0, 0.0
    return max(1.0, inflation / df), df, lag / math.sqrt(len(x) + len(y))


def depends(inflation, df, lag):
    w = 2 / (9 * df)
    return lag > 3.0902 or inflation > (1 - w + 3.0902 * math.sqrt(w)) ** 3


def welch(x, y, series=None):
    a, b = statistics.variance(x) / len(x), statistics.variance(y) / len(y)
    d = statistics.fmean(x) - statistics.fmean(y)
    if not a + b:
        return None
    if series:
        return student(d / math.sqrt(series[0] * (a + b)), series[1] / OVERLAP)
    return student(d / math.sqrt(a + b), (a + b) ** 2 / (a * a / (len(x) - 1) + b * b / (len(y) - 1)))


def compare(x, y, series=False, alpha=ALPHA, means=True):
    """p, what it is by ("u", "means", None), the two effective n, which tends to be larger (1: the first), and whether
    p is at most alpha, and could be."""
    n, m = len(x), len(y)
    if min(n, m) < (4 if series else 2) or len(set(x + y)) == 1:
        return 1.0, None, n, m, 0, False
    u = u_of(x, y)
    of = series_of(x, y)
    dependent = of[1] > 0 and (series or depends(*of))

    def dependent_p(distance):
        return student((distance - 0.5) / deviation_of(x, y) / math.sqrt(of[0]), of[1]) if distance > 0.5 else 1.0

    p = dependent_p(abs(u - n * m / 2)) if dependent else p_of_u(x, y, u)
    best = dependent_p(n * m / 2) if dependent else 2 / math.comb(n + m, n)
    worth = (n / of[0], m / of[0]) if dependent else (n, m)
    sign = (u > n * m / 2) - (u < n * m / 2)
    if best <= alpha or not means:
        return (p, "u") + worth + (sign, best <= alpha and p <= alpha)
    p = welch(x, y, of if dependent else None)
    a, b = statistics.fmean(x), statistics.fmean(y)
    if p is None:
        return 1.0, None, n, m, 0, False
    return (p, "means") + worth + ((a > b) - (a < b), p <= alpha)


def adjust(p):
    """Benjamini and Hochberg's rates, None for None."""
    known = sorted(v for v in p if v is not None)
    rate = lambda v: min([1.0] + [q * len(known) / (i + 1) for i, q in enumerate(known) if q >= v and
                                  (i + 1 == len(known) or known[i + 1] > q)])
    return [None if v is None else rate(v) for v in p]


# ---- libperf ----

bad = 0


def wrong(text):
    global bad
    bad += 1
    print(text)


def libperf(sides):
    """What libperf compare says of {problem: costs} on both sides."""
    with tempfile.TemporaryDirectory() as tmp:
        paths = [os.path.join(tmp, name) for name in "ab"]
        for path, side in zip(paths, sides):
            with open(path, "w", encoding="utf-8") as f:
                f.write("kernel,us\n" + "".join("%s,%r\n" % (k, u) for k, v in side.items() for u in v))
        p = subprocess.run(["libperf", "compare", "-q", "-f", "csv", "--key", "kernel"] + paths,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if p.returncode:
        wrong("libperf compare: status %d: %s" % (p.returncode, p.stderr.decode()[:300]))
    return {r["problem"].split("=")[1]: r for r in csv.DictReader(io.StringIO(p.stdout.decode())) if r["problem"] != "(total)"}


def check_p(rng, rounds):
    """The p of the note, of samples of all sizes, with ties, that depend on each other or not."""
    try:
        import scipy.stats as scipy
    except ImportError:
        scipy = None
    sides = ({}, {})
    for i in range(rounds):
        steps = rng.choice((0, 4, 20, 1000))
        for side in sides:
            level = 100 * rng.choice((1, 1, 1.03, 1.2))
            walk, v = 0.0, []
            for _ in range(rng.choice((2, 3, 4, 5, 6, 7, 8, 9, 12, 30, 60))):
                walk = walk * rng.choice((0, 0, 0.9)) + rng.gauss(0, 3)
                v.append(max(level + walk, 1.0))
            side["k%d" % i] = [round(a * steps) / steps if steps else a for a in v]
    got = libperf(sides)
    tested = scipys = 0
    for key, row in got.items():
        x, y = sides[0][key], sides[1][key]
        p, by, n, m, _, _ = compare(x, y)
        if len(set(x)) == 1 and len(set(y)) == 1:
            by = None
        note = re.search(r"p=([0-9.e+-]+)( by means)?", row["note"])
        if not note or by is None:
            if note or by:
                wrong("%s: %s, not %s" % (key, row["note"], p))
            continue
        tested += 1
        if abs(float(note.group(1)) - p) > 1e-12 + 0.006 * p or bool(note.group(2)) != (by == "means"):
            wrong("%s: %s, not p=%g by %s: %s %s" % (key, row["note"], p, by, x, y))
        worth = re.search(r"effective n=([0-9.]+) and ([0-9.]+)", row["note"])
        if bool(worth) != (n < len(x)) or (worth and abs(float(worth.group(1)) - n) > 0.051):
            wrong("%s: %s, not worth %g and %g" % (key, row["note"], n, m))
        if scipy and by == "u" and n == len(x):
            scipys += 1
            if abs(scipy.mannwhitneyu(x, y).pvalue - p) > 1e-9:
                wrong("%s: SciPy says %r, not %r" % (key, scipy.mannwhitneyu(x, y).pvalue, p))
    print("%d of libperf's p as counted by pairs%s" % (tested, ", %d as SciPy's" % scipys if scipy else ""))


def draw(rng, shape, n):
    if shape == "heavy":
        return [max(1.0, 100 + 2 * rng.gauss(0, 1) / math.sqrt(1 - rng.random())) for _ in range(n)]
    return [max(1.0, 100 + rng.gauss(0, 2 if shape == "normal" else 20)) for _ in range(n)]


def check_simulated(rng):
    """1,000 problems: none differs, then all by 5 %."""
    for shape in ("normal", "heavy", "noisy"):
        for n in (5, 30):
            same = libperf([{"k%d" % i: draw(rng, shape, n) for i in range(1000)} for _ in range(2)])
            alarms = sum(r["significant"] == "yes" for r in same.values())
            if len(same) != 1000 or alarms > 10:
                wrong("%s, %d repeats: %d false alarms of %d" % (shape, n, alarms, len(same)))
            print("%s noise, %d repeats: %d of 1,000 without a difference are called one" % (shape, n, alarms))
    last = 0
    for n in (4, 8, 30):
        shifted = libperf([{"k%d" % i: [factor * v for v in draw(rng, "normal", n)] for i in range(1000)}
                           for factor in (1, 1.05)])
        found = sum(r["status"] == "slower" for r in shifted.values())
        print("5 %% slower, %d repeats: %d of 1,000 found" % (n, found))
        if found <= last or (n == 30 and found < 990):
            wrong("power: %d of 1,000 at %d repeats" % (found, n))
        last = found


def main():
    rng = random.Random(14)
    check_p(rng, int(sys.argv[1]) if len(sys.argv) > 1 else 400)
    check_simulated(rng)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
