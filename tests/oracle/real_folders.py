# SPDX-License-Identifier: MIT
"""Real folders: see real_folders.sh.   real_folders.py TABLE DATA [--write]

A line a folder: folder, status, calls and ns of all kernels, the files that an independent reading adds up to them (all below the
folder; "-" = none of the readings here can), or the words of the refusal.  --write makes the table anew: look at it."""
import csv
import gzip
import io
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
from fractions import Fraction

import effort

MOST = 12  # files that are tried together, with --write


# ---- independent readings: (calls, ns) of the kernels of one file, or None ----

def of_csv(path):
    with open(path, newline="", encoding="utf-8-sig", errors="replace") as f:
        rows = list(csv.DictReader(f))
    have = set(rows[0]) if rows else set()
    if {"Start_Timestamp", "End_Timestamp", "Kernel_Name"} <= have:
        each = {(r.get("Dispatch_Id"), r["Kernel_Name"], r["Start_Timestamp"]): r for r in rows}
        return len(each), sum(Fraction(r["End_Timestamp"]) - Fraction(r["Start_Timestamp"]) for r in each.values())
    if {"BeginNs", "EndNs"} <= have:
        return len(rows), sum(int(r["EndNs"]) - int(r["BeginNs"]) for r in rows)
    if {"Calls", "TotalDurationNs", "Name"} <= have:
        return sum(int(r["Calls"]) for r in rows), sum(int(r["TotalDurationNs"]) for r in rows)
    return None


def of_database(path):
    c = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    there = {r[0] for r in c.execute("SELECT name FROM sqlite_schema")}
    for table, query in (
            ("KERN", "SELECT count(*), sum(EndNs - BeginNs) FROM KERN"),
            ("rocpd_kernel_dispatch", 'SELECT count(*), sum("end" - start) FROM rocpd_kernel_dispatch'),
            ("rocpd_op", "SELECT count(*), sum(o.end - o.start) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.opType_id "
                         "WHERE s.string IN ('KernelExecution', 'Kernel', 'KernelDispatch')")):
        if table in there:
            return tuple(c.execute(query).fetchone())
    return None


def ns(text):
    v = Fraction(str(text)) * 1000
    return (v.numerator * 2 + v.denominator) // (2 * v.denominator)


def of_json(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace") as f:
        trace = json.load(f, parse_float=str)
    if not isinstance(trace, dict) or "traceEvents" not in trace:
        return None
    v = [e["dur"] for e in trace["traceEvents"] if isinstance(e, dict) and e.get("cat") == "kernel" and "dur" in e]
    return len(v), sum(map(ns, v))


def reading(path):
    try:
        if path.endswith((".csv", ".CSV")):
            return of_csv(path)
        if path.endswith((".db", ".rpd")):
            return of_database(path)
        if path.endswith((".json", ".json.gz")):
            return of_json(path)
    except (ValueError, KeyError, TypeError, OSError, sqlite3.Error):
        pass
    return None


# ---- folders ----

def folders(data):
    for top in ("folders", "real"):
        for d, _, names in sorted(os.walk(os.path.join(data, top))):
            if set(names) - {"README.md", "INDEX.tsv"}:
                yield os.path.relpath(d, data)


def files(folder):
    return [os.path.relpath(os.path.join(d, n), folder) for d, _, names in sorted(os.walk(folder)) for n in sorted(names)]


def ask(folder):
    p = subprocess.run(["kstats", "top", "-f", "csv", "-n", "0", "--columns", "calls,total_ns", folder], capture_output=True, check=False)
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode("utf-8", "surrogateescape"), newline="")))
    calls, total = (sum(int(r[c]) for r in rows if r[c]) for c in ("calls", "total_ns"))
    said = p.stderr.decode("utf-8", "surrogateescape").splitlines() or [""]
    return p.returncode, calls, total, said


def reason(folder, said):
    """The first words of what was said last, without paths."""
    text = re.sub(r"^kstats: (error|warning|note): ", "", said[-1]).replace(folder, "")
    return re.sub(r"[^ ]*/[^ ]*", "", text).strip(" :/")[:60].strip()


def adds_up(folder, want):
    known = [(f, reading(os.path.join(folder, f))) for f in files(folder)]
    known = [(f, v) for f, v in known if v and v[0]]
    for k in range(1, min(len(known), MOST) + 1):
        for some in itertools.islice(itertools.combinations(known, k), 3000):
            if same((sum(v[0] for _, v in some), sum(v[1] for _, v in some)), want):
                return [f for f, _ in some]
    return None


def same(got, want):
    """Fractions of a ns are rounded row by row."""
    return got[0] == want[0] and (got[1] == want[1] or Fraction(got[1]).denominator > 1 and abs(got[1] - want[1]) <= got[0])


def write(table, data):
    with open(table, "w", encoding="utf-8") as f:
        print("folder\tstatus\tcalls\ttotal_ns\tverified by", file=f)
        for d in folders(data):
            status, calls, total, said = ask(os.path.join(data, d))
            why = reason(os.path.join(data, d), said) if status else \
                "|".join(adds_up(os.path.join(data, d), (calls, total)) or ["-"])
            print(d, status, calls, total, why, sep="\t", file=f)


def main():
    table, data = sys.argv[1:3]
    if len(sys.argv) > 3:
        write(table, data)
    with open(table, newline="", encoding="utf-8") as f:
        want = {r["folder"]: r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
    bad = verified = refused = 0
    for d in folders(data):
        if d not in want:
            bad += 1
            print(f"{d}: not in the table")
    for d, r in effort.most(want.items()):
        folder = os.path.join(data, d)
        if not os.path.isdir(folder):
            bad += 1
            print(f"{d}: is not there")
            continue
        status, calls, total, said = ask(folder)
        if [str(v) for v in (status, calls, total)] != [r["status"], r["calls"], r["total_ns"]]:
            bad += 1
            print(f"{d}: {status} {calls} {total} instead of {r['status']} {r['calls']} {r['total_ns']}: {said[-1]}")
        elif status:
            refused += 1
            if reason(folder, said) != r["verified by"]:
                bad += 1
                print(f"{d}: refused for another reason: {said[-1]}")
        elif r["verified by"] != "-":
            got = [reading(os.path.join(folder, f)) for f in r["verified by"].split("|")]
            if None in got or not same((sum(v[0] for v in got), sum(v[1] for v in got)), (calls, total)):
                bad += 1
                print(f"{d}: {got} instead of {calls} calls, {total} ns")
            verified += 1
    print(f"{len(want)} folders: {verified} verified, {refused} refused, {bad} differ")
    sys.exit(bad != 0)


main()
