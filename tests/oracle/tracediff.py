# SPDX-License-Identifier: MIT
"""tracediff beside a comparison that shares nothing with it: random runs are written as CSV, every sum, p, part and
verdict is worked out from the same events by hand, and simulated pairs are judged by the hundred.

tracediff.py [PAIRS]    so many simulated pairs of each kind (default: few)"""
import csv
import io
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction

import significance

bad = 0
CAUSES = ("sync", "host", "launch", "device", "unknown")


def wrong(text):
    global bad
    bad += 1
    print(text)


def tracediff(*args, status=(0,)):
    p = subprocess.run(("tracediff",) + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if p.returncode not in status:
        wrong("tracediff %s: status %d: %s" % (" ".join(args), p.returncode, p.stderr.decode()[:400]))
    return p.stdout.decode()


def table(*args, status=(0,)):
    return list(csv.DictReader(io.StringIO(tracediff("-q", "-f", "csv", *args, status=status))))


# ---- runs ----

class Run:
    """Kernels (name, agent, start, end, corr), copies (direction, agent, start, end, corr), calls (function, start,
    end, corr) of one thread and steps (start, end), all in ns."""

    def __init__(self):
        self.kernels, self.copies, self.calls, self.steps = [], [], [], []

    def write(self, folder):
        os.makedirs(folder)
        with open(os.path.join(folder, "app_kernel_trace.csv"), "w", encoding="utf-8") as f:
            f.write('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
                    '"Correlation_Id","Start_Timestamp","End_Timestamp"\n')
            for i, (name, agent, start, end, corr) in enumerate(self.kernels):
                f.write('"KERNEL_DISPATCH","Agent %d",1,0,1,%d,1,"%s",%d,%d,%d\n'
                        % (agent, i + 1, name, corr, start, end))
        if self.copies:
            with open(os.path.join(folder, "app_memory_copy_trace.csv"), "w", encoding="utf-8") as f:
                f.write('"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
                        '"Start_Timestamp","End_Timestamp"\n')
                for way, agent, start, end, corr in self.copies:
                    f.write('"MEMORY_COPY","MEMORY_COPY_%s",0,"Agent 0","Agent %d",%d,%d,%d\n'
                            % (way, agent, corr, start, end))
        for name, kind, rows in (("hip_api", "HIP_RUNTIME_API", self.calls),
                                 ("marker_api", "MARKER_CORE_RANGE_API",
                                  [("step %d" % i, a, b, 90000 + i) for i, (a, b) in enumerate(self.steps)])):
            if rows:
                with open(os.path.join(folder, "app_%s_trace.csv" % name), "w", encoding="utf-8") as f:
                    f.write('"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp",'
                            '"End_Timestamp"\n')
                    for function, start, end, corr in rows:
                        f.write('"%s","%s",1,1,%d,%d,%d\n' % (kind, function, corr, start, end))
        return folder


def random_run(rng, names, steps, marked):
    """A thread that launches and waits; operations overlap, reach over steps, lack calls."""
    run = Run()
    now, corr, busy = 1000, 0, {1: 0, 2: 0}
    agents = (1,) if rng.random() < 0.6 else (1, 2)
    for _ in range(steps):
        begin = now
        for _ in range(rng.randint(3, 12)):
            corr += 1
            agent = rng.choice(agents)
            start = now
            now += rng.randint(1, 40)
            run.calls.append(("hipLaunchKernel" if rng.random() < 0.9 else "hipMemcpyAsync", start, now, corr))
            at = max(now + rng.randint(-20, 60), busy[agent] + rng.randint(-40, 30), 1)
            length = int(rng.lognormvariate(4, 0.6))
            if rng.random() < 0.15:
                run.copies.append((rng.choice(("HOST_TO_DEVICE", "HOST_TO_DEVICE")), agent, at, at + length, corr))
            else:
                run.kernels.append((rng.choice(names), agent, at, at + length,
                                    corr if rng.random() < 0.95 else corr + 50000))
            busy[agent] = max(busy[agent], at + length)
            now += rng.randint(0, 30)
            if rng.random() < 0.2:
                start = now
                now = max(now, *busy.values()) + rng.randint(0, 15)
                corr += 1
                run.calls.append(("hipDeviceSynchronize", start, now, corr))
        now += rng.randint(1, 50)
        if marked:
            run.steps.append((begin, now))
        now += rng.randint(1, 20)
    rng.shuffle(run.kernels)
    rng.shuffle(run.calls)
    return run


# ---- what is said of them ----

def half_up(x):
    """A fraction to the nearest whole number, halves away from zero."""
    return -half_up(-x) if x < 0 else math.floor(x + Fraction(1, 2))


def covered(spans, lo, hi):
    """Disjoint stretches in [lo, hi) that the spans cover, and those between."""
    busy, edge = [], None
    for a, b in sorted(spans):
        a, b = max(a, lo), min(b, hi)
        if a >= b:
            continue
        if edge is not None and a <= edge:
            busy[-1][1] = edge = max(edge, b)
        else:
            busy.append([a, b])
            edge = b
    idle, at = [], lo
    for a, b in busy:
        if a > at:
            idle.append((at, a))
        at = b
    if at < hi:
        idle.append((at, hi))
    return busy, idle


def causes_of(run, ops, gap, lo, hi):
    """Split [lo, hi), a part of the gap, by the call of the operation that ends the gap."""
    follow = [o for o in ops if o[1] == gap[1]]
    if not follow:
        return {"unknown": hi - lo}
    # Of several the first in order of kinds: kernels that do not communicate before copies.
    corr = min(follow, key=lambda o: (o[0], o[1], o[2]))[3]
    calls = [c for c in run.calls if c[3] == corr]
    if not calls:
        return {"unknown": hi - lo}
    _, a0, a1, _ = calls[-1]
    waits = [(s, e) for f, s, e, _ in run.calls if f == "hipDeviceSynchronize" and e <= a0]
    split = dict.fromkeys(CAUSES, 0)
    begun, done = min(max(a0, lo), hi), min(max(a1, lo), hi)
    split["sync"] = sum(b - a for a, b in covered(waits, lo, begun)[0])
    split["host"] = begun - lo - split["sync"]
    split["launch"] = done - begun
    split["device"] = hi - done
    return split


def budget(run, stretches):
    """Sums over agents and stretches: (units, window, {part: ns}, {name: (calls, ns)})."""
    parts, names = dict.fromkeys(CAUSES + ("concurrent", "edge"), 0), {}
    units = window = 0
    for agent in sorted({k[1] for k in run.kernels} | {c[1] for c in run.copies}):
        ops = [(0, s, e, c, n) for n, a, s, e, c in run.kernels if a == agent]
        ops += [(1, s, e, c, "host_to_device") for n, a, s, e, c in run.copies if a == agent]
        first, last = min(o[1] for o in ops), max(o[2] for o in ops)
        spans = [(o[1], o[2]) for o in ops]
        mine = stretches or [(first, last)]
        low, high = min(first, mine[0][0]), max(last, mine[-1][1])
        gaps = covered(spans, low, high)[1]
        for lo, hi in mine:
            units += 1
            window += hi - lo
            busy = sum(b - a for a, b in covered(spans, lo, hi)[0])
            inside = sum(max(0, min(e, hi) - max(s, lo)) for s, e in spans)
            full = 0
            for _, s, e, _, n in ops:
                if lo <= s < hi:
                    full += e - s
                    calls, ns = names.get(n, (0, 0))
                    names[n] = calls + 1, ns + e - s
            parts["concurrent"] += busy - inside
            parts["edge"] += inside - full
            for gap in gaps:
                a, b = max(gap[0], lo), min(gap[1], hi)
                if a < b:
                    for cause, ns in causes_of(run, ops, gap, a, b).items():
                        parts[cause] += ns
    return units, window, parts, names


def account_of(a, b):
    """{(part, name, cause): exact ns} of two budgets, the deciding times, and delta."""
    ua, wa, pa, na = a
    ub, wb, pb, nb = b
    out = {}
    for name in set(na) | set(nb):
        (ca, ta), (cb, tb) = na.get(name, (0, 0)), nb.get(name, (0, 0))
        delta = Fraction(tb, ub) - Fraction(ta, ua)
        calls = (Fraction(cb, ub) - Fraction(ca, ua)) * Fraction(ta, ca) if ca and cb else delta
        out["busy", name, "calls"] = calls
        out["busy", name, "mean"] = delta - calls
    for cause in pa:
        part = "idle" if cause in CAUSES else "overlap"
        out[part, "", cause] = Fraction(pb[cause], ub) - Fraction(pa[cause], ua)
    return out, half_up(Fraction(wa, ua)), half_up(Fraction(wb, ub))


def check_account(what, args, a, b, verdict):
    want, va, vb = account_of(a, b)
    rows = table("--account", *args)
    got = {(r["part"], r["name"], r["cause"]): int(r["delta_ns"]) for r in rows}
    if len(got) != len(rows):
        wrong("%s: a part twice" % what)
    if sum(got.values()) != vb - va or int(verdict["delta_ns"]) != vb - va:
        wrong("%s: parts add up to %d, verdict says %s, not %d"
              % (what, sum(got.values()), verdict["delta_ns"], vb - va))
    if (int(verdict["total_a_ns"]), int(verdict["total_b_ns"])) != (va, vb):
        wrong("%s: %s, not %d %d" % (what, verdict, va, vb))
    for key in set(want) | set(got):
        # Each part is the difference of two rounded levels, of which the effect of calls is taken.
        if abs(got.get(key, 0) - want.get(key, 0)) >= 2:
            wrong("%s: %s is %s, not %s" % (what, key, got.get(key, 0), float(want.get(key, 0))))


def series(run, name):
    """Durations in the order of their starts, agent by agent."""
    return [float(e - s) for _, s, e in sorted((a, s, e) for n, a, s, e, _ in run.kernels if n == name)]


def check_rows(what, rows, a, b):
    names = sorted({k[0] for k in a.kernels} | {k[0] for k in b.kernels})
    tests, found = [], {r["name"]: r for r in rows if not r["name"].startswith("(")}
    if sorted(found) != names:
        wrong("%s: rows %s, not %s" % (what, sorted(found), names))
        return
    for name in names:
        x, y = series(a, name), series(b, name)
        row = found[name]
        status = "matched" if x and y else "added" if y else "removed"
        delta = int(sum(y) - sum(x))
        calls = half_up(Fraction(int((len(y) - len(x)) * sum(x)), len(x))) if x and y else delta
        want = [status, len(x), len(y), int(sum(x)), int(sum(y)), delta, calls, delta - calls]
        got = [row["status"]] + [int(row[c]) for c in ("calls_a", "calls_b", "total_a_ns", "total_b_ns", "delta_ns",
                                                       "calls_effect_ns", "mean_effect_ns")]
        if got != want:
            wrong("%s: %s: %s, not %s" % (what, name, got, want))
        p = significance.compare(x, y, series=True, means=False) if x and y else (1.0, None, 0, 0, 0, False)
        tests.append((name, x, y, p))
        if bool(row["p_value"]) != bool(p[1]) or (p[1] and abs(float(row["p_value"]) - p[0]) > 1e-6):
            wrong("%s: %s: p %s, not %r" % (what, name, row["p_value"], p))
    rates = significance.adjust([p[0] if p[1] else None for _, _, _, p in tests])
    for (name, x, y, p), rate in zip(tests, rates):
        mark = ""
        if x and y:
            mark = "~"
            change = statistics.median(y) / statistics.median(x)
            floor = 1.05 if min(statistics.fmean(x), statistics.fmean(y)) < 20000 else 1.03
            if p[5] and rate <= significance.ALPHA and max(change, 1 / change) > floor and \
                    p[4] == (1 if change < 1 else -1):
                mark = "yes"
        if found[name]["significant"] != mark:
            wrong("%s: %s: significant %s, not %s" % (what, name, found[name]["significant"], mark))
    ratios = [statistics.fmean(y) / statistics.fmean(x) for _, x, y, _ in tests if x and y]
    geo = [r for r in rows if r["name"] == "(geomean)"]
    if ratios and abs(float(geo[0]["delta_pct"]) - 100 * (statistics.geometric_mean(ratios) - 1)) > 2e-4:
        wrong("%s: geomean %s" % (what, geo))


def check_random(rng, number):
    """One pair of random runs, by steps and by window."""
    names = ["alpha", "beta<int>", "gamma", "delta"]
    marked = rng.random() < 0.6
    runs = [random_run(rng, names[:rng.randint(2, 4)], rng.randint(4, 14), marked) for _ in range(2)]
    what = "pair %d" % number
    with tempfile.TemporaryDirectory() as tmp:
        folders = [run.write(os.path.join(tmp, side)) for run, side in zip(runs, "ab")]
        args = folders + ["--skip", "0", "--allow", "agents"]
        for on in ("steps", "window") if marked else ("window",):
            rows = table("--on", on, *args)
            check_rows(what, rows, *runs)
            verdict = [r for r in rows if r["name"] == "(verdict)"][0]
            budgets = [budget(run, run.steps if on == "steps" else None) for run in runs]
            check_account(what + " by " + on, ["--on", on] + args, *budgets, verdict)
            line = tracediff("-q", "--on", on, *args).splitlines()[-1].split()
            if line[:2] != ["verdict:", verdict["status"]] or "delta_ns=" + verdict["delta_ns"] not in line:
                wrong("%s: %s, verdict %s" % (what, line, verdict["status"]))
            if on == "steps":
                x, y = [[float(b - a) for a, b in run.steps] for run in runs]
                p = significance.compare(x, y, series=True)
                if bool(verdict["p_value"]) != bool(p[1]) or (p[1] and abs(float(verdict["p_value"]) - p[0]) > 1e-6):
                    wrong("%s: steps p %s, not %r" % (what, verdict["p_value"], p))
        # The same run in a database, and in another order of its rows.
        db = os.path.join(tmp, "b.db")
        subprocess.run(["tracemerge", "-q", "-o", db, folders[1]], check=True, stderr=subprocess.PIPE)
        if tracediff("-q", "-f", "csv", folders[0], db, "--allow", "agents") != \
                tracediff("-q", "-f", "csv", folders[0], folders[1], "--allow", "agents"):
            wrong("%s: another answer from a database" % what)
        if tracediff("-q", folders[1], db, status=(2,)).splitlines()[-1] != "verdict: inconclusive reason=refused":
            wrong("%s: the same run in two formats is not refused" % what)
        same = tracediff("-q", "--allow-self", folders[1], db).splitlines()[-1].split()
        if same[1] != "neutral":
            wrong("%s: against itself %s" % (what, same))


# ---- kernel by kernel ----

def of_kernels(a, b, rows, floor, scale):
    """What a run of B says against one of A, if B is so many times as long."""
    sure = calls = total = 0
    shown, found = set(), False
    for row in rows:
        x, y = ([int(v) for v in series(run, row["name"])] for run in (a, b))
        effect = Fraction(sum(y)) / scale - sum(x)
        total += effect
        mean = 0
        if x and y:
            was, now = Fraction(sum(x), len(x)), Fraction(sum(y), len(y))
            whole, effect = effect, (len(y) / scale - len(x)) * min(was, now)
            found = found or row["significant"] == "yes"
            up = statistics.median(y) > statistics.median(x)
            if row["significant"] == "yes" and was != now and (now > was) == up:
                shown.add(up)
                mean = whole - effect
        sure += effect + mean
        calls += effect
    low = min(sum(int(v) for row in rows for v in series(a, row["name"])),
              sum(int(v) for row in rows for v in series(b, row["name"])) / scale)
    large = abs(total) > floor * low
    if sure * total > 0 and (((sure > 0) in shown) or (large and calls * sure > 0 and abs(calls) > floor * low)):
        return "regression" if sure > 0 else "improvement"
    tested = any(row["p_value"] for row in rows)
    return "inconclusive" if large or found or not tested else "neutral"


def lengths(a, b, rows, floor):
    """How many times as often B calls nearly all kernels, by calls and by time: the least and the most that are left
    after leaving out those that differ most from the heaviest; 1 if that is no run of another length."""
    def weight(row):
        of = [series(run, row["name"]) for run in (a, b)]
        return sum(sum(map(int, v)) for v in of), sum(map(len, of))

    def often(row):
        x, y = (len(series(run, row["name"])) for run in (a, b))
        return Fraction(y, x) if x and y else Fraction(0)

    def far(row):
        x = often(row)
        return max(x / first, first / x) if x else math.inf

    rows = sorted(rows, key=lambda r: r["name"].encode())
    first = often(max(rows, key=lambda r: weight(r)[0]))
    if not first or max(first, 1 / first) - 1 <= floor:
        return {Fraction(1)}
    left = sorted(rows, key=lambda r: (-far(r), weight(r)[0]))
    whole = [sum(weight(r)[part] for r in rows) for part in (0, 1)]
    while len(left) > 1 and all(10 * sum(weight(r)[part] for r in left[1:]) >= 9 * whole[part] for part in (0, 1)):
        left = left[1:]
    low, high = min(map(often, left)), max(map(often, left))
    if not low or high > 2 * low or (low - 1 <= floor and 1 / high - 1 <= floor):
        return {Fraction(1)}
    return {Fraction(1), low, high}


def by_kernel(a, b, rows):
    """The verdict of --on kernel, with exact fractions, of which rows are significant and what the events say."""
    low = min(sum(e - s for _, _, s, e, _ in run.kernels) for run in (a, b))
    floor = Fraction(5 if low < 20000 else 3, 100)
    said = {of_kernels(a, b, rows, floor, scale) for scale in lengths(a, b, rows, floor)}
    return said.pop() if len(said) == 1 else "inconclusive"


def check_by_kernel(rng, number):
    """Two runs of kernels that are called more or less, take longer or not, with outliers: both ways."""
    runs = Run(), Run()
    for name in ("alpha", "beta", "gamma", "delta")[:rng.randint(1, 4)]:
        mean = rng.choice((100, 3000, 100000))
        for run in runs:
            factor = rng.choice((1, 1, 0.7, 1.4))
            for _ in range(rng.choice((1, 2, 20, 21, 30))):
                ns = max(1, int(mean * factor * rng.lognormvariate(0, 0.05) * (40 if rng.random() < 0.01 else 1)))
                at = run.kernels[-1][3] + 10 if run.kernels else 1000
                run.kernels.append((name, 1, at, at + ns, len(run.kernels) + 1))
    with tempfile.TemporaryDirectory() as tmp:
        folders = [run.write(os.path.join(tmp, side)) for run, side in zip(runs, "ab")]
        said = []
        for (a, b), pair in ((runs, folders), (runs[::-1], folders[::-1])):
            rows = table("--on", "kernel", *pair)
            said.append([r for r in rows if r["name"] == "(verdict)"][0]["status"])
            want = by_kernel(a, b, [r for r in rows if not r["name"].startswith("(")])
            if said[-1] != want:
                wrong("kernels %d: %s, not %s" % (number, said, want))
        if said[1] != {"regression": "improvement", "improvement": "regression"}.get(said[0], said[0]):
            wrong("kernels %d: %s, and turned %s" % (number, said[0], said[1]))
    return said[0]


# ---- simulated pairs ----

SHARES = {"gemm_nt": 0.30, "attention_fwd": 0.25, "layer_norm": 0.15, "gelu": 0.15, "softmax": 0.10, "copy_kernel": 0.05}


def simulated(rng, kind, steps=40, factor=None, clock=1.0):
    """Steps of 1 ms of six kernels on one stream, with noise of a kind."""
    run, now, last = Run(), 10 ** 6, rng.gauss(0, 1) / math.sqrt(0.75)
    slope = rng.choice((-1, 1)) * 0.03
    for i in range(steps):
        begin = now
        last = 0.5 * last + rng.gauss(0, 1)
        common = {"normal": 1.0, "heavy": 1.0, "drift": 1 + slope * (i / steps - 0.5), "auto": 1 + 0.03 * last,
                  "clock": 1.0}[kind]
        for name, share in SHARES.items():
            for part in range(4):
                noise = 1 + 0.02 * rng.gauss(0, 1)
                if kind == "heavy" and rng.random() < 0.05:
                    noise += 0.3 / math.sqrt(1 - rng.random())
                ns = share / 4 * 1e6 * common * noise * clock * ((factor or {}).get(name, 1.0))
                run.kernels.append((name, 1, now, now + max(1, int(ns)), len(run.kernels) + 1))
                now += max(1, int(ns)) + 1000
        now += 20000
        run.steps.append((begin, now))
    return run


def check_simulated(rng, pairs):
    with tempfile.TemporaryDirectory() as tmp:
        def judged(number, a, b):
            folders = [run.write(os.path.join(tmp, "%d%s" % (number, side))) for run, side in ((a, "a"), (b, "b"))]
            rows = table(*folders)
            for folder in folders:
                subprocess.run(["rm", "-r", folder], check=True)
            return {r["name"]: r for r in rows}
        for kind in ("normal", "heavy", "drift", "auto", "clock"):
            words = []
            alarms = tested = 0
            for i in range(pairs):
                clock = 1.01 if kind == "clock" else 1.0
                rows = judged(i, simulated(rng, kind), simulated(rng, kind, clock=clock))
                words.append(rows["(verdict)"]["status"])
                tested += sum(r["p_value"] != "" for r in rows.values())
                alarms += sum(r["significant"] == "yes" for r in rows.values())
            print("%s: of %d pairs without a difference %d regressions, %d improvements; %d of %d rows significant"
                  % (kind, pairs, words.count("regression"), words.count("improvement"), alarms, tested))
            most = max(1, math.ceil(0.005 * pairs))
            if words.count("regression") > most or words.count("improvement") > most:
                wrong("%s: too many false alarms" % kind)
        found = slower = 0
        for i in range(pairs):
            rows = judged(i, simulated(rng, "normal"), simulated(rng, "normal", factor={"gemm_nt": 1.05}))
            found += rows["gemm_nt"]["significant"] == "yes"
            rows = judged(i, simulated(rng, "auto", 60), simulated(rng, "auto", 60, factor=dict.fromkeys(SHARES, 1.08)))
            slower += rows["(verdict)"]["status"] == "regression"
        print("a kernel of 30 %% of the time 5 %% slower: found in %d of %d; all 8 %% slower: regression in %d"
              % (found, pairs, slower))
        if found < 0.95 * pairs or slower < 0.9 * pairs:
            wrong("too little found")


def check_history(rng, rounds):
    """60 runs of 6 steps, from the 41st on slower by 10 %, or not."""
    right = alarms = 0
    for i in range(rounds):
        with tempfile.TemporaryDirectory() as tmp:
            for planted in (True, False):
                folders = [simulated(rng, "auto", 6, factor={"gemm_nt": 1.35} if planted and r >= 40 else None)
                           .write(os.path.join(tmp, "%s%02d" % ("ab"[planted], r))) for r in range(60)]
                rows = table("--history", *folders)
                changes = [k for k, r in enumerate(rows[:60]) if r["change"]]
                if len([r for r in rows if r["name"] == "(steps)"]) != 60:
                    wrong("history: %d rows" % len(rows))
                if planted:
                    right += any(abs(k - 40) <= 1 for k in changes)
                    kernels = {r["name"] for r in rows[60:]}
                    if kernels - {"gemm_nt"}:
                        alarms += 1
                else:
                    alarms += len(changes)
    print("history: change at run 41 of 60 found within 1 in %d of %d, %d false alarms in %d runs"
          % (right, rounds, alarms, 120 * rounds))
    if right < 0.95 * rounds or alarms > max(1, 0.12 * rounds):
        wrong("history")


def main():
    rng = random.Random(2)
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for i in range(max(30, pairs // 4)):
        check_random(rng, i)
    apart = random.Random(3)
    words = [check_by_kernel(apart, i) for i in range(max(60, pairs))]
    print("kernel by kernel: " + ", ".join("%d %s" % (words.count(w), w) for w in sorted(set(words))))
    check_simulated(rng, pairs or 10)
    check_history(rng, max(1, pairs // 10))
    print("%d wrong" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
