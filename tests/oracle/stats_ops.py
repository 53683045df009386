#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stats_ops.py: ranks with functions of Python, operators and numbered annotations at random, of which one rank has what
another launched nothing in: `kstats ops` of their traces and of totals merged by any tree, byte for byte and message for
message."""
import json
import os
import random
import re
import subprocess
import sys

import effort

bad = []


def run(*args):
    p = subprocess.run(args, capture_output=True, check=False, timeout=300)
    return p.returncode, p.stdout, sorted(p.stderr.split(b"\n"))


def without_files(out):
    """JSON names its inputs."""
    return re.sub(rb'"inputs":\[[^]]*\],', b"", out)


def range_of(rng, kind, tid, start, end):
    name = {"python_function": "f%d" % rng.randrange(6), "cpu_op": rng.choice(["aten::mm", "f1", "x #*"]),
            "user_annotation": "step#%d of %d" % (rng.randrange(1, 300), rng.randrange(5))}[kind]
    return {"ph": "X", "cat": kind, "name": name, "pid": 7, "tid": tid, "ts": start, "dur": end - start, "args": {}}


def thread(rng, tid, events, corr):
    """Ranges inside each other, with or without a launch in the innermost."""
    at = 1000
    for _ in range(rng.randrange(1, 15)):
        lo, hi = at, at + rng.randrange(50, 400)
        end = hi
        for _ in range(rng.randrange(4)):
            lo, hi = lo + rng.randrange(1, 5), hi - rng.randrange(1, 5)
            kind = rng.choice(["python_function", "python_function", "cpu_op", "user_annotation"])
            events.append(range_of(rng, kind, tid, lo, hi))
        if rng.random() < 0.8:
            corr += 1
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 7, "tid": tid, "ts": lo + 0.2,
                           "dur": 0.5, "args": {"correlation": corr}})
            known = {"correlation": corr} if rng.random() < 0.9 else {}
            events.append({"ph": "X", "cat": "kernel", "name": "k%d" % rng.randrange(4), "pid": 0, "tid": tid,
                           "ts": end + rng.randrange(50), "dur": rng.randrange(1, 30),
                           "args": {"device": 0, "stream": tid, **known}})
        at = end + rng.randrange(1, 50)
    return corr


def trace(rng, path):
    events, corr = [], 0
    for tid in range(rng.randrange(1, 3)):
        corr = thread(rng, tid, events, corr)
    with open(path, "w", encoding="ascii") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)


def merge(out, *paths):
    if os.path.exists(out):
        os.remove(out)
    if run("tracemerge", "-q", "--stats-only", "--align", "none", "-o", out, *paths)[0]:
        bad.append("%s do not merge" % (paths,))


def tree(rng, dbs):
    while len(dbs) > 1:
        rng.shuffle(dbs)
        out = "merged%d.db" % len(dbs)
        merge(out, dbs.pop(), dbs.pop())
        dbs.append(out)
    return dbs[0]


def main():
    rng = random.Random(5)
    rows = 0
    for i in range(effort.rounds(120)):
        paths = []
        for rank in range(rng.randrange(1, 5)):
            trace(rng, "rank%d.pt.trace.json" % rank)
            paths.append("%d=rank%d.pt.trace.json" % (rank, rank))
            merge("rank%d.db" % rank, paths[-1])
        db = tree(rng, ["rank%d.db" % rank for rank in range(len(paths))])
        for form in ("csv", "json", "text"):
            want, got = run("kstats", "ops", "-f", form, *paths), run("kstats", "ops", "-f", form, db)
            if form == "json":
                want, got = [(a, without_files(b), c) for a, b, c in (want, got)]
            rows += want[1].count(b"\n") if form == "csv" else 0
            if want != got:
                bad.append("round %d, %s of %d ranks: %s, not %s" % (i, form, len(paths), got, want))
    for b in bad[:5]:
        print(b[:3000])
    print("%d rows, %d wrong" % (rows, len(bad)))
    return bool(bad or not rows)


if __name__ == "__main__":
    sys.exit(main())
