#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scale.py BUILD [--most N] [AXIS...]: how the cost of each command grows with events, names, ranks, agents and
threads.  Traces are generated as they are needed; each command runs once in each size, its CPU time and its largest
memory are printed, and the exponent that fits the larger sizes.  Tables are Markdown: docs/scale.md has them."""
import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile

KERNEL_BYTES, EVENTS_A_KERNEL = 193, 3.52  # of gen_csv --short: a row, and rows of both traces
ENOUGH = 0.03  # seconds: below that the start weighs too much for a fit
MOST = 1.05  # the exponent that a command may have

# What reads each event once, what sorts or keeps operations, what builds the graph of causes: the more it keeps the
# smaller its largest trace.
READS = ["top", "classes", "gemm", "launch", "sync"]
KEEPS = ["timeline", "gaps", "ranks"]
CAUSES = ["summary", "findings", "whatif", "path", "efficiency"]


def measure(command, stdin=None):
    """CPU seconds and MiB of a command; its answer is thrown away."""
    with open(os.devnull, "w") as null:
        child = subprocess.Popen(command, stdin=stdin, stdout=null, stderr=subprocess.PIPE)
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        child.stderr.close()
    if status:
        sys.exit(f"{' '.join(command)}: status {status}: {said.decode(errors='replace')[:500]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Traces:
    """Generated ones, in a folder of their own each; the kernel and the HIP API trace of one run."""

    def __init__(self, build, work):
        self.gen, self.work = os.path.join(build, "gen_csv"), work

    def run(self, events, folder, *options):
        os.makedirs(folder, exist_ok=True)
        size = str(int(events / EVENTS_A_KERNEL * KERNEL_BYTES))
        for kind in "kernel", "hip":
            name = "kernel_trace" if kind == "kernel" else "hip_api_trace"
            with open(os.path.join(folder, f"1_{name}.csv"), "w") as out:
                subprocess.run([self.gen, "--short", "--kind", kind, *options, size], stdout=out, check=True)
        return folder

    def one(self, events, *options):
        return self.run(events, os.path.join(self.work, "one"), *options)

    def many(self, ranks, events):
        top = os.path.join(self.work, "many")
        for rank in range(ranks):
            folder = os.path.join(top, f"rank{rank}")
            if not os.path.isdir(folder):
                self.run(events, folder, "--rank", str(rank), "--seed", str(rank))
        return top

    def drop(self):
        for name in "one", "many":
            shutil.rmtree(os.path.join(self.work, name), ignore_errors=True)


def exponent(points):
    """Of seconds ~ size ** e, by least squares of the points that are long enough; None of fewer than two."""
    v = [(math.log(n), math.log(s)) for n, s in points if s >= ENOUGH][-3:]
    if len(v) < 2:
        return None
    x, y = sum(a for a, _ in v) / len(v), sum(b for _, b in v) / len(v)
    return sum((a - x) * (b - y) for a, b in v) / sum((a - x) ** 2 for a, _ in v)


def seconds(s):
    return f"{s:.3f}" if s < 1 else f"{s:.2f}" if s < 10 else f"{s:.0f}"


class Table:
    """Seconds, and MiB of the largest, of each command by size."""

    def __init__(self, what, sizes):
        self.what, self.sizes, self.rows = what, sizes, {}

    def add(self, command, size, cpu, mib):
        self.rows.setdefault(command, {})[size] = cpu, mib
        print(f"  {self.what} {size} {command}: {cpu:.3f} s, {mib:.0f} MiB", file=sys.stderr)

    def show(self):
        print(f"\n| CPU s by {self.what} | " + " | ".join(f"{n:,}".replace(",", " ") for n in self.sizes) + " | exponent | MiB |")
        print("|---|" + "---:|" * (len(self.sizes) + 2))
        over = []
        for command, of in self.rows.items():
            e = exponent([(n, of[n][0]) for n in self.sizes if n in of])
            cells = [seconds(of[n][0]) if n in of else "" for n in self.sizes]
            most = max(mib for _, mib in of.values())
            print(f"| {command} | " + " | ".join(cells) + f" | {'' if e is None else f'{e:.2f}'} | {most:.0f} |")
            if e is not None and round(e, 2) > MOST:
                over.append(f"{command} {e:.2f}")
        print(f"\nAbove {MOST}: {', '.join(over) or 'none'}.")
        sys.stdout.flush()


def kstats(build, sub, *files):
    return [os.path.join(build, "kstats"), sub, "-q", "-j", "1", "-f", "csv", *files]


def merge(build, out, *options):
    return [os.path.join(build, "tracemerge"), "-q", "-j", "1", *options[:-1], "-o", out, options[-1]]


def by_events(build, traces, most):
    table = Table("events", [n for n in (10**4, 10**5, 10**6, 10**7, 10**8) if n <= most])
    db = os.path.join(traces.work, "run.db")
    for n in table.sizes:
        where = traces.one(n)
        for sub in READS + KEEPS + (CAUSES if n <= 10**7 else []):
            table.add(f"kstats {sub}", n, *measure(kstats(build, sub, where)))
        table.add("tracecat", n, *measure([os.path.join(build, "tracecat"), "-q", "-j", "1", where]))
        table.add("tracemerge --stats-only", n, *measure(merge(build, db, "--stats-only", where)))
        table.add("kstats top stats.db", n, *measure(kstats(build, "top", db)))
        table.add("tracemerge", n, *measure(merge(build, db, where)))
        table.add("kstats top run.db", n, *measure(kstats(build, "top", db)))
        os.remove(db)
        if n <= 10**7:
            table.add("tracereport", n, *measure([os.path.join(build, "tracereport"), "-q", "-j", "1", where]))
        traces.drop()
    table.show()


def by_option(option, sizes, subs):
    def run(build, traces, most):
        table = Table(f"{option[2:]} (10^6 events)", sizes)
        for n in sizes:
            where = traces.one(min(most, 10**6), option, str(n))
            for sub in subs:
                table.add(f"kstats {sub}", n, *measure(kstats(build, sub, where)))
            traces.drop()
        table.show()
    return run


def by_ranks(build, traces, most):
    table = Table("ranks (2 000 events each)", [n for n in (1, 4, 16, 64, 256, 1024, 4096) if n * 2000 <= most])
    work = traces.work
    for n in table.sizes:
        where = traces.many(n, 2000)
        for sub in "top", "ranks", "collectives", "efficiency", "timeline", "summary":
            table.add(f"kstats {sub}", n, *measure(kstats(build, sub, where)))
        for rank in range(n):
            db = os.path.join(work, f"rank-{rank}.db")
            if not os.path.exists(db):
                subprocess.run(merge(build, db, "--stats-only", os.path.join(where, f"rank{rank}")), check=True)
        dbs = [os.path.join(work, f"rank-{rank}.db") for rank in range(n)]
        stats = os.path.join(work, "stats.db")
        table.add("tracemerge rank-*.db", n, *measure([os.path.join(build, "tracemerge"), "-q", "-j", "1", "-o", stats, *dbs]))
        for sub in "top", "ranks", "collectives", "efficiency", "summary":
            table.add(f"kstats {sub} stats.db", n, *measure(kstats(build, sub, stats)))
    traces.drop()
    table.show()


AXES = {
    "events": by_events,
    "names": by_option("--names", [10, 100, 1000, 10**4, 10**5], ["top", "timeline", "whatif", "findings"]),
    "agents": by_option("--agents", [1, 4, 16, 64], ["top", "timeline", "gaps", "whatif", "findings"]),
    "streams": by_option("--streams", [1, 4, 16, 64, 256], ["top", "timeline", "sync", "whatif", "findings"]),
    "ranks": by_ranks,
}


def main():
    args = argparse.ArgumentParser()
    args.add_argument("build")
    args.add_argument("--most", type=int, default=10**8, help="events of the largest trace")
    args.add_argument("axes", nargs="*", default=list(AXES))
    args = args.parse_args()
    with tempfile.TemporaryDirectory(prefix="scale") as work:
        for axis in args.axes:
            AXES[axis](args.build, Traces(args.build, work), args.most)


main()
