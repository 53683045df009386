# SPDX-License-Identifier: MIT
"""trimmed.py FOLDER...: what tracecat wrote, as NDJSON and as CSV, is read again as the trace that it was: the same bytes of
tables, of each trace there, of two and three ranks in one file, in whatever order, from a file and from a pipe."""
import os
import random
import subprocess
import sys
import tempfile

import effort
import questions as q

LIMIT = 30 << 20
ENDS = (".json", ".json.gz", ".pftrace", ".pftrace.zst", ".proto", ".db", ".rpd", ".csv", ".csv.gz", ".txt")
TABLES = ("top --domain all --name full", "timeline", "copies", "gaps", "launch", "sync", "memory", "classes", "top --per rank,agent,stream")


def some():
    """Every table where everything is tried; of a sample two."""
    return TABLES if effort.PERCENT == 100 else random_order.sample(TABLES, 2)


def tables(asked, inputs, stdin=None):
    out = {}
    for t in asked:
        p = subprocess.run(["kstats", *t.split(), "-q", "-f", "csv", *inputs], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           stdin=open(stdin, "rb") if stdin else subprocess.DEVNULL, check=False)
        out[t] = p.stdout if p.returncode in (0, 2) else f"status {p.returncode}: {p.stderr}"
    return out


def differ(what, want, inputs, stdin=None):
    got = tables(want, inputs, stdin)
    for t in want:
        if got[t] != want[t]:
            a, b = got[t].splitlines() if isinstance(got[t], bytes) else [got[t]], want[t].splitlines()
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            q.say(f"{what}: kstats {t}: line {at + 1}: {(a[at:at + 1] or ['none'])[0]} not {(b[at:at + 1] or ['none'])[0]}")
            return
        q.compared["tables"] += 1


def written(work, name, form, inputs):
    path = os.path.join(work, name)
    status, _, _ = q.run("tracecat", "-q", "-f", form, "-o", path, *inputs)
    return path if status in (0, 2) and os.path.exists(path) else None


def carried(path):
    """What the rows do not carry: sums without events, several traces of one rank, bytes that are no UTF-8."""
    info = q.rows(q.run("tracecat", "info", "-q", "-f", "csv", path)[1])
    if not info or any("statist" in r["kinds"] or "sum" in r["kinds"] or "sample" in r["kinds"] for r in info):
        return False
    return True


def check(path, work):
    if not carried(path):
        q.compared["not carried"] += 1
        return False
    want = tables(some(), [path])
    for form in ("ndjson", "csv"):
        again = written(work, "a." + form, form, [path])
        if not again:
            q.compared["without events"] += 1
            return False
        with open(again, "rb") as f:
            if form == "ndjson" and b"\\ufffd" in f.read():
                q.compared["with bytes that are no UTF-8"] += 1
                continue
        differ(f"{path} as {form}", want, [again])
        os.remove(again)
    q.compared["traces"] += 1
    return True


def several(paths, work, rng):
    inputs = [f"{i}={p}" for i, p in enumerate(paths)]
    want = tables(some(), inputs)
    for form in ("ndjson", "csv"):
        one = written(work, "several." + form, form, inputs + rng.choice([[], ["-s", "start_ns"]]))
        differ(f"{inputs} as {form}", want, [one])
        differ(f"{inputs} as {form} from a pipe", want, ["-"], one)
        if form == "ndjson":
            with open(one, "rb") as f:
                lines = f.readlines()
            first = lines.pop(0)
            with open(one, "wb") as f:
                f.writelines([*reversed(lines), first])
            differ(f"{inputs} as {form}, backwards", want, [one])
        os.remove(one)
        q.compared["several"] += 1


found = []
for folder in sys.argv[1:]:
    for at, dirs, files in os.walk(folder):
        dirs.sort()
        found += [os.path.join(at, f) for f in sorted(files) if f.endswith(ENDS) and os.path.getsize(os.path.join(at, f)) < LIMIT]
random_order = random.Random(3)
with tempfile.TemporaryDirectory() as tmp:
    good = [p for p in effort.sample(found, max(1, effort.PERCENT // 2) if effort.PERCENT < 100 else 100) if check(p, tmp)]
    for number in range(effort.rounds(20)):
        several(random_order.sample(good, min(len(good), random_order.choice([2, 3]))), tmp, random_order)
q.finish({"traces": 60, "several": 20})
