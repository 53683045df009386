#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stats_vs_trace.py FOLDER: kstats top of a trace prints what the producer's own statistics of the same
run say, and both files together are the trace alone."""
import os
import re
import sys
from fractions import Fraction

import csv_oracle as o

V3 = re.compile(r'(.*_)(kernel|hip_api|hsa_api|marker_api|rccl_api|memory_copy|memory_allocation|'
                r'scratch_memory)_stats\.csv\Z')
DOMAIN = {"kernel": "kernel", "hip_api": "hip", "hsa_api": "hsa", "marker_api": "marker", "rccl_api": "rccl",
          "memory_copy": "copy", "memory_allocation": "alloc", "scratch_memory": "scratch"}


def pairs(top):
    """(trace, statistics, domain)"""
    for folder, dirs, files in os.walk(top):
        dirs.sort()
        for name in sorted(files):
            m = V3.match(name)
            trace = m.group(1) + m.group(2) + "_trace.csv" if m else \
                name[:-len(".stats.csv")] + ".csv" if name.endswith(".stats.csv") else None
            if trace and trace in files:
                yield (os.path.join(folder, trace), os.path.join(folder, name),
                       DOMAIN[m.group(2)] if m else "kernel")


def close_to(printed, have, text):
    """Is `have` (4 decimals) what the producer printed, to its digits?"""
    m = re.match(r'-?\d+(?:\.(\d+))?(?:e([-+]\d+))?\Z', text)
    half = Fraction(1, 2) * Fraction(10) ** (int(m.group(2) or 0) - len(m.group(1) or ""))
    return abs(printed - Fraction(have)) <= half + Fraction(1, 20000) + abs(printed) / 10 ** 12


def check(trace, stats, domain, shown):
    a = o.Answer(["-q", "-f", "csv", "--domain", domain, trace])
    bad = []
    if a.status:
        return [shown + ": status %d: %s" % (a.status, a.err)], 0
    want = o.read_file(stats).stats
    ident = o.identities({r["name"] for r in want}) if domain == "kernel" else \
        {r["name"]: r["name"] for r in want}
    got = {r["name"]: r for r in a.rows}
    names = [ident[r["name"]] for r in want]
    if len(set(names)) != len(names):
        return [shown + ": two rows of the statistics have one name"], 0
    if set(names) != set(got):
        return [shown + ": other names: " + repr(sorted(set(names) ^ set(got))[:4])], 0
    for r in want:
        g = got[ident[r["name"]]]
        v1 = r["min"] is None
        for column, value in (("calls", r["calls"]), ("total_ns", r["total"]), ("min_ns", r["min"]),
                              ("max_ns", r["max"])):
            if value is not None and g[column] != str(value):
                bad.append("%s: %s: %s %s, producer %d" % (shown, r["name"][:60], column, g[column], value))
        avg = Fraction(g["avg_ns"])
        if v1 and int(avg) != int(r["avg"]):        # integer division
            bad.append("%s: %s: avg %s, producer %s" % (shown, r["name"][:60], g["avg_ns"], r["avg"]))
        if not v1 and not close_to(Fraction(r["avg"]), g["avg_ns"], r["avg"]):
            bad.append("%s: %s: avg %s, producer %s" % (shown, r["name"][:60], g["avg_ns"], r["avg"]))
        pct = Fraction(r["pct"])
        if not close_to(pct, g["pct"], r["pct"] if not v1 else "0.0000"):
            bad.append("%s: %s: pct %s, producer %s" % (shown, r["name"][:60], g["pct"], r["pct"]))
        if v1 or r["total"] >= 1 << 32:
            continue
        sd = g["stddev_ns"] if r["calls"] > 1 else "0"
        if not sd or not close_to(r["sd"], sd, r["sd_text"]):
            bad.append("%s: %s: stddev %s, producer %s" % (shown, r["name"][:60], sd, r["sd_text"]))
    totals = [int(r["total_ns"]) for r in a.rows]
    if totals != sorted(totals, reverse=True) or totals != [r["total"] for r in want]:
        bad.append(shown + ": other order")
    for order in ([trace, stats], [stats, trace]):
        both = o.Answer(["-f", "csv", "--domain", domain, *order])
        if both.out != a.out or both.status:
            bad.append(shown + ": together with the trace it is not the trace alone")
        if "the trace of the same run" not in both.err:
            bad.append(shown + ": together with the trace: nothing is said: " + both.err)
    return bad, len(want)


def main():
    top = sys.argv[1]
    n = rows = 0
    bad = []
    kinds = {}
    for trace, stats, domain in pairs(top):
        t = o.read_file(trace)
        shown = os.path.relpath(stats, top)
        if not t.rows:
            print("no times in the trace of " + shown)
            continue
        more, k = check(trace, stats, domain, shown)
        bad += more
        n += 1
        rows += k
        kinds[domain] = kinds.get(domain, 0) + 1
    for line in bad:
        print("DIFFERS " + line.replace("\n", "\\n"))
    print("%d runs with trace and statistics (%s), %d rows; %d differences" %
          (n, ", ".join("%s %d" % k for k in sorted(kinds.items())), rows, len(bad)))
    sys.exit(1 if bad or not n else 0)


main()
