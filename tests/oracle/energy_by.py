# SPDX-License-Identifier: MIT
"""energy_by.py: powerstats --by step, region and op against the same in fractions."""
import collections
import datetime
import os
import random
import tempfile
from fractions import Fraction

import effort
import questions as q

BASE = 1000000000  # ns of the trace's clock at the first reading
START = datetime.datetime(2026, 3, 1, 10, 0, 0)
KERNELS = '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
CALLS = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'


class Run:
    """One process on two devices: regions of a thread, some nested, calls in them, kernels behind the calls."""

    def __init__(self, rng):
        self.step, self.gap_ns = 100000000, 350000000
        self.power = [[rng.randint(50, 700) for _ in range(rng.randint(3, 12))] for _ in range(2)]
        n = min(map(len, self.power))
        self.power = [p[:n] for p in self.power]
        self.end = (n - 1) * self.step
        self.regions, self.calls, self.kernels = [], [], []
        t = 0
        for i in range(rng.choice([2, 5, 12])):
            lo = t + rng.randint(0, 20000000)
            hi = lo + rng.randint(1000, 90000000)
            self.regions.append((f"step {i}", lo, hi))
            if rng.random() < 0.5:
                self.regions.append((rng.choice(["attn", "a;b", "<i>mlp, x"]), lo + 100, max(lo + 101, hi - 100)))
            t = hi
            for _ in range(rng.randint(1, 5)):
                at = rng.randint(lo - 5000000, hi)
                corr = len(self.kernels) + 1
                if rng.random() < 0.9:
                    self.calls.append((corr, max(0, at), max(0, at) + 300))
                start = max(0, at) + rng.randint(0, 40000000)
                self.kernels.append((corr, rng.randrange(2), start, start + rng.randint(1, 60000000)))

    def write(self, rng, folder, split):
        """Paths of the readings and of the trace."""
        rows = [f'"KERNEL_DISPATCH",{4 + d},1,0,7,"k{c % 3}",{c},{BASE + a},{BASE + b}\n' for c, d, a, b in self.kernels]
        calls = [f'"HIP_RUNTIME_API","hipLaunchKernel",7,7,{c},{BASE + a},{BASE + b}\n' for c, a, b in self.calls]
        marks = [f'"MARKER_CORE_RANGE_API","{name}",7,7,{900000 + i},{BASE + a},{BASE + b}\n'
                 for i, (name, a, b) in enumerate(self.regions)]
        if split:
            rng.shuffle(rows)
            cut = rng.randint(0, len(rows))
            trace = [q.put(folder, "b_kernel_trace.csv", KERNELS, rows[:cut]), q.put(folder, "c_kernel_trace.csv", KERNELS, rows[cut:]),
                     q.put(folder, "b_hip_api_trace.csv", CALLS, calls[::-1]), q.put(folder, "b_marker_api_trace.csv", CALLS, marks[::-1])]
        else:
            trace = [q.put(folder, "a_kernel_trace.csv", KERNELS, rows), q.put(folder, "a_hip_api_trace.csv", CALLS, calls),
                     q.put(folder, "a_marker_api_trace.csv", CALLS, marks)]
        lines = []
        for i, watts in enumerate(zip(*self.power)):
            at = START + datetime.timedelta(microseconds=i * self.step // 1000)
            lines.append(f"{at:%Y-%m-%d %H:%M:%S.%f}," + ",".join(f"{w}.0" for w in watts) + "\n")
        return q.put(folder, "power.csv", "time,Power(Watt) GPU0,Power(Watt) GPU1\n", lines), trace

    def region_of(self, corr):
        """The innermost region around the launch, without its numbers."""
        at = next((a for c, a, _ in self.calls if c == corr), None)
        around = [r for r in self.regions if at is not None and r[1] <= at < r[2]]
        if not around:
            return "(unattributed)"
        name = max(around, key=lambda r: r[1])[0]
        return "step *" if name.startswith("step ") else name

    def joules(self, device, lo, hi):
        """Exact integral of the power between two instants of one stretch."""
        i = min(lo // self.step, len(self.power[device]) - 2)
        p, a = self.power[device], i * self.step
        at = lambda x: p[i] + Fraction((p[i + 1] - p[i]) * (x - a), self.step)
        return (at(lo) + at(hi)) * (hi - lo) / 2 / 10**9

    def energy(self, by):
        """{part: joules}"""
        out = collections.defaultdict(Fraction)
        for device in range(2):
            if by == "step":
                pieces = [(a, b, name) for name, a, b in self.regions if name.startswith("step ")]
            else:
                pieces = [(a, b, self.region_of(c)) for c, d, a, b in self.kernels if d == device]
            if not pieces or not any(d == device for _, d, _, _ in self.kernels):
                continue
            first, last = min(p[0] for p in pieces), max(p[1] for p in pieces)
            edges = sorted({x for p in pieces for x in p[:2]} | set(range(0, self.end + 1, self.step)))
            edges = [x for x in edges if 0 <= x <= self.end]
            for lo, hi in zip(edges, edges[1:]):
                held = {name for a, b, name in pieces if a <= lo and hi <= b}
                rest = "outside" if by == "step" else "idle" if first <= lo < last else "untraced"
                for name in held or {rest}:
                    out[name] += self.joules(device, lo, hi) / len(held or {rest})
        return out


def ask(by, readings, trace, *more):
    options = [x for t in trace for x in ("--trace", "0=" + t)]
    return q.run("powerstats", "-q", "-f", "csv", "--offset", str(BASE), "--map", "4=0,5=1", "--by", by, *options, *more, readings)


def compare(number, rng, folder):
    run = Run(rng)
    readings, trace = run.write(rng, folder, False)
    devices = q.rows(q.run("powerstats", "-q", "-f", "csv", readings)[1])
    used = {d for _, d, _, _ in run.kernels}
    whole = sum(Fraction(r["energy_j"]) for r in devices if int(r["device"]) in used)
    db = os.path.join(folder, "run.db")
    q.run("tracemerge", "-q", "-o", db, *trace)
    for by in ("step", "region", "op"):
        status, text, err = ask(by, readings, trace)
        rows = q.rows(text)
        if status:
            if by != "step" and "overlaps" not in err:
                q.say(f"{number}: {by}: {err}")
            continue
        total = sum(Fraction(r["energy_j"] or 0) for r in rows)
        if abs(total - whole) > Fraction(len(rows) + 2, 10000):
            q.say(f"{number}: {by}: {float(total)} J of {float(whole)} J")
        q.compared["sums"] += 1
        if by == "step" and any(not r["part"].startswith(("step ", "outside")) for r in rows):
            continue  # repeats of kernels
        want = run.energy(by)
        have = {r["part"]: Fraction(r["energy_j"] or 0) for r in rows}
        if set(n for n, v in want.items() if v > Fraction(1, 1000)) - set(have) or any(
                abs(have[n] - want.get(n, 0)) > Fraction(1, 1000) for n in have):
            q.say(f"{number}: {by}: { {n: float(v) for n, v in have.items()} }, not { {n: float(v) for n, v in want.items()} }")
        q.compared["parts"] += len(have)
        for how, inputs in (("split", run.write(rng, folder, True)[1]), ("run.db", [db])):
            if ask(by, readings, inputs, "-j", "3")[1] != text:
                q.say(f"{number}: {by}: {how} differs")
            q.compared["laws"] += 1
    os.unlink(db)


rng = random.Random(189)
with tempfile.TemporaryDirectory() as tmp:
    for i in range(effort.rounds(60)):
        compare(i, rng, tmp)
q.finish({"sums": 100, "parts": 300, "laws": 200})
