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
LEAST = 16


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
    """Both tails: the share of sin^(df-1) up to atan(sqrt df / t).  With an angle of w^k there is no pole at 0."""
    k = max(1.0, 4 / df)

    def area(top, n=2000):
        def f(w):
            if w == 0:
                return 0.0 if k * df > 1 else 1.0
            log = math.log(top) + k * math.log(w)
            sine = math.log(math.sin(math.exp(log))) if log > -30 else log
            return math.exp((df - 1) * sine + math.log(k * top) + (k - 1) * math.log(w))
        return sum(f(i / n) * (1 if i in (0, n) else 4 if i % 2 else 2) for i in range(n + 1)) / n / 3
    return area(math.atan2(math.sqrt(df), abs(t))) / area(math.pi / 2)


def ranks_of(v):
    order = sorted(v)
    place = {}
    for i, a in enumerate(order):
        place.setdefault(a, []).append(i + 1)
    return [sum(place[a]) / len(place[a]) for a in v]


def mean_variance(n, r):
    """n times the variance of the mean of n values of variance 1; n need not be whole."""
    whole = int(n)
    if n == whole and n < 500:
        return 1 + 2 * sum((1 - k / n) * r ** k for k in range(1, whole))
    return (1 + r) / (1 - r) - 2 * r * (1 - r ** n) / (n * (1 - r) ** 2)


def scales_of(x, y):
    """Of means of 1, 2, 4 ... consecutive ranks: (inflation, correlation, how many, effective n of both, whether
    chance would hardly make it)."""
    ranks = ranks_of(x + y)
    sides = [ranks[:len(x)], ranks[len(x):]]
    size, one, out = 1, None, []
    while True:
        df = squares = product = count = samples = 0
        for v in sides:
            s2 = statistics.variance(v) if len(v) > 1 else 0
            if s2:
                mean = statistics.fmean(v)
                samples += 1
                count += len(v)
                df += len(v) - 1
                squares += s2 * (len(v) - 1)
                product += sum((a - mean) * (b - mean) for a, b in zip(v, v[1:])) / s2
        if not df:
            return out
        one = one or squares / df
        bias = samples / count
        r = min(1.0, max(0.0, (product / df + bias) / max(1 - 4 * bias, 0.5)))
        n = [len(x) / size, len(y) / size]
        shown = product > 3.0902 * math.sqrt(count)
        if r > 1 - 1e-6:
            out.append((math.inf, r, count, [1.0] * 2, shown))
        else:
            times = size * squares / df / one
            g = [mean_variance(a, r) for a in n]
            f = times * (g[0] / n[0] + g[1] / n[1]) / (1 / n[0] + 1 / n[1]) * (sum(n) - 2) / (sum(n) - sum(g))
            out.append((f, r, count, [size * a / (times * b) for a, b in zip(n, g)], shown))
        if min(map(len, sides)) < 2 * LEAST:
            return out
        sides = [[(v[2 * i] + v[2 * i + 1]) / 2 for i in range(len(v) // 2)] for v in sides]
        size *= 2


def welch(x, y, series=None):
    d = statistics.fmean(x) - statistics.fmean(y)
    worth, var = [len(x), len(y)], [statistics.variance(x), statistics.variance(y)]
    if not sum(var):
        return None
    if series:
        worth = [min(a, b) for a, b in zip(series[3], worth)]
        if min(worth) <= 1:
            return 1.0
        # The sum of squares over n less what the mean took of it.
        var = [s2 * (len(v) - 1) / (len(v) - len(v) / w) for s2, v, w in zip(var, (x, y), worth)]
    a, b = var[0] / worth[0], var[1] / worth[1]
    df = (a + b) ** 2 / (a * a / (worth[0] - 1) + b * b / (worth[1] - 1))
    return student(d / math.sqrt(a + b), min(df, known(series)) if series else df)


def known(series):
    _, r, count, _, _ = series
    return count * (1 - r * r) ** 4 / 4


def rank_welch(x, y, u, series):
    """Student's t of the ranks, pooled, with the distance of U less its correction for continuity."""
    n, m = len(x), len(y)
    distance = abs(u - n * m / 2) - 0.5
    if distance <= 0 or math.isinf(series[0]):
        return 1.0
    ranks = ranks_of(x + y)
    mean = statistics.fmean(ranks)
    total = sum((a - mean) ** 2 for a in ranks)
    apart = distance * (n + m) / (n * m)
    within = total - apart ** 2 * n * m / (n + m)
    if within <= 1e-9 * total:
        return 0.0
    t = apart / math.sqrt(max(series[0], 1) * within / (n + m - 2) * (1 / n + 1 / m))
    return student(t, min(n + m - 2, known(series)))


def compare(x, y, series=False, alpha=ALPHA, means=True):
    """p, what it is by ("u", "means", None), the two effective n, which tends to be larger (1: the first), and whether
    p is at most alpha, and could be."""
    n, m = len(x), len(y)
    if min(n, m) < (4 if series and means else 2) or len(set(x + y)) == 1:
        return 1.0, None, n, m, 0, False
    u = u_of(x, y)
    scales = scales_of(x, y)
    dependent = bool(scales) and (series or any(s[4] for s in scales))
    p, best, worst, worth = p_of_u(x, y, u), 2 / math.comb(n + m, n), None, (n, m)
    by_ranks = p if best <= alpha else 0

    def p_at(scale, distance):
        f, r, count, _, _ = scale
        if distance <= 0.5 or math.isinf(f):
            return 1.0
        return student((distance - 0.5) / deviation_of(x, y) / math.sqrt(f), count * (1 - r * r) / 2)

    if dependent:
        ps = [p_at(s, abs(u - n * m / 2)) if s[0] > 1 else 0 for s in scales]
        at = ps.index(max(ps))
        worst = scales[at]
        if worst[0] > 1:
            best = max(best, p_at(worst, n * m / 2))
            p = max(p, ps[at])
            worth = tuple(min(a, b) for a, b in zip(worst[3], (n, m)))
    sign = (u > n * m / 2) - (u < n * m / 2)
    by_means = best > alpha or (dependent and min(n, m) < LEAST)
    if not by_means or not (means or (dependent and by_ranks)):
        return (p, "u") + worth + (sign, best <= alpha and p <= alpha)
    p = welch(x, y, worst)
    a, b = statistics.fmean(x), statistics.fmean(y)
    if p is None:
        return 1.0, None, n, m, 0, False
    of_ranks = rank_welch(x, y, u, worst) if dependent else 1.0
    if of_ranks < p:
        p = max(of_ranks, by_ranks)
        return (p, "u") + worth + (sign, p <= alpha)
    p = max(p, by_ranks)
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
        p, by, n, m, _, _ = compare(x, y, series=min(len(x), len(y)) >= LEAST)
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
