#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tracecheck.py TESTDATA: random rules, judged by tracecheck and again from what kstats, powerstats and libperf print.

A rule picks a table, options, rows, a column in some unit, an operator and a bound near a value that is there, with or
without a baseline.  Many rules of different tables go into one file, so that tables read together are compared with tables
read alone.  Everything is done with fractions, from the csv of each sub-command."""
import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import effort  # noqa: E402

DATA = os.path.join(sys.argv[1], "rocprofv3", "7.0")
bad = 0
counted = {"rules": 0, "pass": 0, "fail": 0, "absent": 0, "baseline": 0, "several rows": 0, "other tools": 0, "open": 0}

# Options of a table, and its leading columns that are not numbers but for those of one run only.
TABLES = [
    ("top", "", ("name", "class")), ("top", "--per rank,agent", ("rank", "agent", "name", "class")),
    ("top", "--name base", ("name", "class")), ("top", "--domain hip", ("name", "class")),
    ("top", "-w 0%..50%", ("name", "class")), ("classes", "", ("class",)), ("gemm", "", ("share",)),
    ("timeline", "", ("rank", "agent")), ("timeline", "--short 3", ("rank", "agent")),
    ("timeline", "-w 20%..90%", ("rank", "agent")), ("gaps", "", ("rank", "agent")),
    ("gaps", "--per stream", ("rank", "agent", "stream")), ("gaps", "--list", ()), ("sync", "", ()),
    ("sync", "--during idle", ()), ("launch", "", ("name",)), ("copies", "", ()), ("memory", "", ("rank", "agent")),
    ("regions", "", ()), ("steps", "", ("rank", "step")), ("steps", "--total", ("rank",)), ("ranks", "", ()), ("summary", "", ("metric",)),
]
# The same of files that are no traces; ways to read them; columns that are numbers.
POWER, LIBRARY, BENCH = (os.path.join(sys.argv[1], *d.split("/")) for d in (
    "madengine/2.0/power/gpu_info_power_profiler_output.csv", "madengine/2.0/library/library_trace.csv",
    "hipblaslt/7.0/bench/default.txt"))
FILE_TABLES = {
    POWER: [("powerstats", "", ("device",)), ("powerstats", "--gap 0.05", ("device",)), ("powerstats", "-w +0.2s..", ("device",)),
            ("powerstats", "--scale 3", ("device",))],
    LIBRARY: [("libperf.trace", "", ()), ("libperf.top", "", ("library", "op", "types", "problem")),
              ("libperf.top", "--libraries", ("library", "op", "types", "problem"))],
    BENCH: [("libperf.bench", "", ()), ("libperf.best", "", ()), ("libperf.best", "--exact", ())],
}
POWER_BASE = os.path.join(sys.argv[1], "madengine", "2.0", "energy", "gpu_info_power_profiler_output.csv")
BASES = {POWER: POWER_BASE}
NUMBERS = ("samples", "na", "gaps", "duration_s", "mean_w", "p95_w", "peak_w", "energy_j", "calls", "flops", "total_flops", "pct",
           "m", "n", "k", "us", "line", "margin_pct", "runner_up_us")
NAMES = ("name", "region", "function", "class", "share", "metric")
UNITS = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9, "bytes": 1, "kb": 1000, "kib": 1024, "mib": 2**20, "pct": 1}
FAMILY = {"ns": "time", "us": "time", "ms": "time", "s": "time", "bytes": "bytes", "kb": "bytes", "kib": "bytes",
          "mib": "bytes", "pct": "pct"}
OPS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
       "==": lambda a, b: a == b, "!=": lambda a, b: a != b}


def wrong(text):
    global bad
    bad += 1
    if bad < 20:
        print(text)


def rows_of(path, table, options, cache={}):
    key = path, table, options
    if key not in cache:
        command = table.split(".") if table.startswith(("powerstats", "libperf")) else ["kstats", table]
        p = subprocess.run(command + ["-q", "-f", "csv"] + options.split() + [path], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False)
        cache[key] = list(csv.DictReader(io.StringIO(p.stdout.decode("utf-8", "replace"), newline="")))
    return cache[key]


def unit_of(column):
    word = re.split(r"[_.]", column)[-1]
    return word if word in UNITS and not column.endswith("_per_s") else None


def decimal(x):
    """The shortest decimal of a fraction that has one."""
    sign, x, digits = "-" if x < 0 else "", abs(x), 0
    while x.denominator != 1:
        x *= 10
        digits += 1
    text = str(x.numerator).rjust(digits + 1, "0")
    return sign + (text[:-digits] + "." + text[-digits:] if digits else text)


def glob(pattern):
    return re.compile("".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern) + r"\Z", re.S)


class Rule:
    def __init__(self, rng, path, base, files=()):
        while True:
            file = rng.choice(files) if files else None
            self.table, self.options, keys = rng.choice(FILE_TABLES.get(file, TABLES))
            if file:
                path, base = file, BASES.get(file)
            self.rows = rows_of(path, self.table, self.options)
            if self.rows:
                break
        self.path, self.base_path = path, base
        columns = list(self.rows[0])
        self.metric = None
        if self.table == "summary":
            self.metric = rng.choice([r for r in self.rows if not r["metric"].startswith("finding.")])["metric"]
            self.column, name = "value", self.metric
        elif path in FILE_TABLES:
            self.column = name = rng.choice([c for c in columns if c in NUMBERS])
        else:
            first = next(i for i, c in enumerate(columns) if c in ("calls", "kernels", "total_ns", "window_ns", "gaps", "depth",
                                                                   "bytes", "allocs", "agents", "start_ns", "steps"))
            texts = ("prev", "next", "host_call", "clock", "source", "numbers", "reason") + (("slow",) if "step" in columns else ())
            self.column = rng.choice([c for c in columns[first:] if c not in texts])
            name = self.column
        unit = unit_of(name)
        self.factor = Fraction(UNITS.get(unit, 1))
        if unit:
            self.unit = rng.choice([u for u in UNITS if FAMILY[u] == FAMILY[unit]])
            stem = name[:len(name) - len(unit)]
            name = stem + self.unit
        else:
            self.unit = None
        self.select, text = self.choose(rng, columns)
        self.op = rng.choice(list(OPS))
        self.based = bool(base and keys and rng.random() < 0.4)
        self.keys, self.base = keys, rows_of(base, self.table, self.options) if self.based else []
        self.bound(rng)
        if self.metric:
            self.text = name
        else:
            self.text = self.table + ("(" + self.options + ")" if self.options else "") + text + "." + name
            if not text and not self.options:
                self.text = self.table + '["*"].' + name
                self.select = [(next((c for c in columns if c in NAMES), columns[0]), "*")]
        self.text += " " + self.op + " " + self.bound_text

    def choose(self, rng, columns):
        if self.metric or rng.random() < 0.3:
            return [], ""
        named = [c for c in columns if c in NAMES]
        column = named[0] if named and rng.random() < 0.7 else columns[0]
        value = rng.choice(self.rows)[column]
        cut = rng.randrange(len(value) + 1)
        pattern = rng.choice([value, value[:cut] + "*", "*" + value[cut:], "*", value[:cut] + "?" + value[cut + 1:], "nothing"])
        if "\n" in pattern or '"' in pattern or "\\" in pattern:
            pattern = "*"
        return [(column, pattern)], '[%s="%s"]' % (column, pattern)

    def bound(self, rng):
        near = [self.value(r) for r in self.rows if self.meant(r) and r[self.column]] or [Fraction(1000)]
        scale = Fraction(UNITS.get(self.unit, 1))
        target = rng.choice(near) * rng.choice([1, 1, Fraction(1, 2), 2, Fraction(999, 1000), Fraction(1001, 1000)])
        target += rng.choice([0, 0, Fraction(1, 10000)])
        if self.based:
            self.times = rng.choice([Fraction(1), Fraction(103, 100), Fraction(97, 100), Fraction(3, 2)])
            self.plus = rng.choice([Fraction(0), scale, scale * Fraction(1, 1000)])
            text = "baseline" if self.times == 1 and rng.random() < 0.5 else "baseline * " + decimal(self.times)
            self.bound_text = text + (" + " + decimal(self.plus / scale) if self.plus else "")
            return
        self.times = Fraction(0)
        unit = rng.choice([u for u in UNITS if self.unit and FAMILY[u] == FAMILY[self.unit]] or [None])
        x = target / (UNITS[unit] if unit else 1)
        x = Fraction(round(x * 10**12), 10**12)
        self.plus = x * (UNITS[unit] if unit else 1)
        self.bound_text = decimal(x) + (" " + (unit if unit != "pct" else "%") if unit else "")

    def value(self, row):
        return Fraction(row[self.column]) * self.factor

    def most(self, row, rows):
        """What the value may be at most: a cause of idle time, of an agent of which few API calls are known, may be that of
        all the time without a cause."""
        v = self.value(row)
        if self.table != "gaps" or not re.match("(sync|host|launch|device)_", self.column):
            return v
        few = any(r["matched_pct"] and Fraction(r["matched_pct"]) < 90 for r in rows)
        if "matched_pct" in row:
            few = row["matched_pct"] and Fraction(row["matched_pct"]) < 90
        return v + Fraction(row["unknown_ns"]) if few else v

    def meant(self, row):
        if self.metric:
            return row["metric"] == self.metric
        return all(glob(p).match(row[c]) for c, p in self.select)

    def judge(self):
        """The verdict, counts, and the values that may be shown."""
        rows = [r for r in self.rows if self.meant(r)]
        absent = failed = 0
        worst = []
        for r in rows:
            if not r[self.column]:
                absent += 1
                continue
            least = most = self.plus
            if self.based:
                like = [b for b in self.base if all(b[k] == r[k] for k in self.keys)]
                if len(like) != 1 or not like[0][self.column]:
                    absent += 1
                    continue
                least += self.value(like[0]) * self.times
                most += self.most(like[0], rows_of(self.base_path, "gaps", "")) * self.times
            v, bound = self.value(r), least
            high = self.most(r, rows_of(self.path, "gaps", ""))
            ends = OPS[self.op](v, most), OPS[self.op](high, least)
            if ends[0] != ends[1] or (v < most and high > least and self.op in ("==", "!=")):
                absent += 1
                counted["open"] += 1
                continue
            failed += not OPS[self.op](v, bound)
            excess = {"<": v - bound, "<=": v - bound, ">": bound - v, ">=": bound - v, "==": abs(v - bound),
                      "!=": -abs(v - bound)}[self.op]
            worst.append((excess, v, bound))
        verdict = "fail" if failed else "absent" if absent or not rows else "pass"
        top = max((w[0] for w in worst), default=None)
        scale = Fraction(UNITS.get(self.unit, 1))
        shown = {(v / scale, b / scale) for e, v, b in worst if e == top} if verdict != "absent" else {(None, None)}
        return verdict, len(rows), failed, absent, shown


def check(rng, path, base, n, files=()):
    """One file of rules; `files`: the run is these, of different tables."""
    rules = [Rule(rng, path, base, files) for _ in range(n)]
    bases = [base] if base else [POWER_BASE] if any(r.based for r in rules) else []
    with tempfile.NamedTemporaryFile("w", suffix=".rules", encoding="utf-8") as f:
        f.write("".join(r.text + "\n" for r in rules))
        f.flush()
        args = ["tracecheck", "-q", "-f", "csv", "--rules", f.name, "-j", rng.choice("13"), "--allow", "self,agents,arch,partial"]
        for b in bases:
            args += ["--baseline", b]
        p = subprocess.run(args + list(files or [path]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    got = list(csv.DictReader(io.StringIO(p.stdout.decode("utf-8", "replace"), newline="")))
    if len(got) != n + 1:
        wrong("%s: status %d, %d rows: %s" % (path, p.returncode, len(got), p.stderr.decode()[:2000]))
        return
    unsure = anything = False
    for r, g in zip(rules, got):
        verdict, rows, failed, absent, shown = r.judge()
        mine = (g["verdict"], int(g["rows"]), int(g["failed"]), int(g["absent"]))
        value = tuple(Fraction(g[k]) if g[k] else None for k in ("value", "bound"))
        # Without a row in the table nothing is looked at.
        if mine != (verdict, rows, failed, absent) or value not in shown:
            wrong("%s: %s\n  %s %s\n  not %s %s" % (path, r.text, mine, value, (verdict, rows, failed, absent), shown))
        unsure |= verdict == "absent" or absent > 0
        anything |= failed > 0
        counted["rules"] += 1
        counted[verdict] += 1
        counted["baseline"] += r.based
        counted["several rows"] += rows > 1
    want = 2 if unsure else 1 if anything else 0
    if p.returncode != want or got[-1]["verdict"] != ("pass", "fail", "inconclusive")[want]:
        wrong("%s: status %d and %s instead of %d" % (path, p.returncode, got[-1]["verdict"], want))


def main():
    rng = random.Random(5)
    with tempfile.TemporaryDirectory() as tmp:
        runs = [os.path.join(DATA, d) for d in ("run", "ranks", "sync_each", "sync_once", "demo")]
        for name in ("run", "ranks"):
            subprocess.run(["tracemerge", "-q", "-o", os.path.join(tmp, name + ".db"), os.path.join(DATA, name)], check=True)
            runs.append(os.path.join(tmp, name + ".db"))
        trace = os.path.join(DATA, "run", "app_kernel_trace.csv")
        for _ in range(effort.rounds(12)):
            files = [trace, POWER, LIBRARY, BENCH]
            rng.shuffle(files)
            # Each has a rule, or it is an input of no table.
            while True:
                state = rng.getstate()
                rules = [Rule(rng, trace, None, files) for _ in range(30)]
                if {r.path for r in rules} == set(files):
                    break
            rng.setstate(state)
            check(rng, trace, None, 30, files)
            counted["other tools"] += sum(r.path in FILE_TABLES for r in rules)
        pairs = [(runs[2], runs[3]), (runs[3], runs[2]), (runs[0], runs[5])]
        for _ in range(effort.rounds(40)):
            path, base = rng.choice([(r, None) for r in runs] + pairs + pairs)
            check(rng, path, base, rng.choice((1, 5, 20, 60)))
    print("%s, %d wrong" % (", ".join("%d %s" % (v, k) for k, v in counted.items()), bad))
    # What is open is rare: a whole sweep has some.
    if min(n for what, n in counted.items() if what != "open" or effort.PERCENT == 100) == 0:
        print("something was never compared")
        sys.exit(1)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
