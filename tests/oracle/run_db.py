#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_db.py TESTDATA [SHARED]: every question has the same answer whether it is asked of the traces, of their
run.db, or of a run.db of the run.dbs of each trace.  Not the clocks: --align none, for times of traces are as
recorded."""
import os
import re
import subprocess
import sys

import effort

LIMIT = 24_000_000  # bytes of a set
FILES = 40
NO_TRACE = (".md", ".py", ".sh", ".png", ".svg", ".html", ".tsv", ".rst")
QUESTIONS = [["kstats", *q.split()] for q in (
    "top --domain all --per rank,agent", "classes", "gemm", "timeline", "gaps", "gaps --list", "sync", "launch",
    "launch --graphs", "copies", "memory", "memory --list", "regions", "regions --steps",
    "steps", "steps --total", "ops", "ops --domain all", "ops --paths", "ranks",
    "ranks --imbalance", "ranks --collectives", "summary")]
QUESTIONS.append(["tracecat", "--sort", "start_ns"])
bad = []
counts = {"sets": 0, "answers": 0, "collectives": 0, "communicators": 0}


def ask(question, paths):
    """Status and bytes; of notes and errors nothing, for they name files."""
    form = ["-f", "csv"] if question[0] == "kstats" else []
    p = subprocess.run([*question, *form, "-q", "-j", "1", *paths], capture_output=True, check=False, timeout=300)
    # What to type next names files, too.
    return p.returncode, re.sub(rb"(?m)^finding\.[0-9]+\.command,.*\n", b"", p.stdout), p.stderr


def merge(out, paths):
    p = subprocess.run(["tracemerge", "-q", "--align", "none", "--no-index", "-o", out, *paths],
                       capture_output=True, check=False, timeout=300)
    return p.returncode < 3 and os.path.exists(out)


def differs(want, got):
    for a, b in zip(want.split(b"\n"), got.split(b"\n")):
        if a != b:
            return "%r, of traces %r" % (b[:150], a[:150])
    return "%d bytes, of traces %d" % (len(got), len(want))


def steps(name, paths):
    """A database of all, and one of a database of each."""
    parts = []
    for f in ("all.db", "two.db"):
        if os.path.exists(f):
            os.remove(f)
    if not merge("all.db", paths):
        return []
    for i, p in enumerate(paths):
        part = "part%d.db" % i
        if os.path.exists(part):
            os.remove(part)
        if merge(part, [p]):
            parts.append(part)
    if not parts or not merge("two.db", parts):
        bad.append("%s: the databases do not merge" % name)
        return ["all.db"]
    return ["all.db", "two.db"]


def check(name, paths):
    dbs = steps(name, paths)
    if not dbs:
        return
    counts["sets"] += 1
    # Of a small sample each set is asked some of the questions, the next one the others.
    every = max(1, 50 // effort.PERCENT)
    for q in QUESTIONS[counts["sets"] % every::every]:
        want = ask(q, paths)
        for db in dbs:
            got = ask(q, [db])
            counts["answers"] += 1
            # Of files that are no traces a database knows nothing, so it has no such status.
            if got[1] != want[1] or got[0] not in (want[0], 0):
                bad.append("%s: %s of %s (status %d, of traces %d): %s %s" % (
                    name, " ".join(q), db, got[0], want[0], differs(want[1], got[1]), got[2][:200]))
        if q[-1] == "--collectives":
            rows = want[1].split(b"\n")[1:-1]
            counts["collectives"] += len(rows)
            counts["communicators"] += sum(not r.startswith(b",") for r in rows)


def operand(path):
    """0_rccl.log and 0_kernel_trace.csv are of rank 0."""
    first = os.path.basename(path).split("_")[0]
    return "%s=%s" % (first, path) if first.isdigit() and len(first) < 3 else path


def sets(top):
    """Files of a directory together; of a directory of single examples each alone."""
    for where, _, names in sorted(os.walk(top)):
        paths = [os.path.join(where, n) for n in sorted(names) if not n.endswith(NO_TRACE)]
        paths = [p for p in paths if os.path.isfile(p)]
        if not paths:
            continue
        if len(paths) > FILES:
            for p in paths:
                yield p, [operand(p)]
        elif sum(os.path.getsize(p) for p in paths) <= LIMIT:
            yield where, [operand(p) for p in paths]


def main():
    for top in sys.argv[1:]:
        for name, paths in effort.sample(sets(top)):
            check(os.path.relpath(name, top), paths)
    for b in bad[:40]:
        print(b)
    print("%d answers of %d sets, %d wrong; %d collectives, %d of them of a known communicator" % (
        counts["answers"], counts["sets"], len(bad), counts["collectives"], counts["communicators"]))
    return bool(bad or effort.PERCENT == 100 and counts["communicators"] < 2)


if __name__ == "__main__":
    sys.exit(main())
