# SPDX-License-Identifier: MIT
"""Collectives in RCCL's logs, counted by one strict expression over whole lines: the same number of rows of
each name, process and size as tracecat gives; every other line with opCount is counted as left out.
rccl_log.py FOLDER..."""

import collections
import csv
import os
import re
import subprocess
import sys

SIZES = [1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1]
PTR = rb"(?:0x[0-9a-f]+|\(nil\))"
LINE = re.compile(
    rb"[\w.-]+:(\d+):(\d+) \[\d+\] NCCL INFO ([\w.-]+): opCount [0-9a-f]+ sendbuff " + PTR + rb" recvbuff " + PTR
    + rb"(?: acc " + PTR + rb")? count (\d+) datatype (\d+) op \d+ root \d+ comm " + PTR
    + rb" \[nranks=\d+\] stream " + PTR + rb"(?: task \d+ globalrank \d+)?\r?$")


def expected(path):
    rows, claims = collections.Counter(), 0
    with open(path, "rb") as f:
        for line in f.read().split(b"\n"):
            claims += line.count(b": opCount ")
            m = LINE.search(line)
            if m:
                kind = int(m[5])
                size = str(int(m[4]) * SIZES[kind]) if kind < len(SIZES) else ""
                rows["nccl" + m[3].decode(), m[1].decode(), m[2].decode(), size] += 1
    return rows, claims - sum(rows.values())


def given(path):
    run = subprocess.run(["tracecat", "--from", "rccl-log", "-f", "csv", path], capture_output=True, text=True)
    if run.returncode not in (0, 1, 2):
        sys.exit(f"{path}: tracecat: {run.returncode} {run.stderr}")
    rows = collections.Counter()
    for row in csv.DictReader(run.stdout.splitlines()):
        if row["domain"] == "rccl":
            rows[row["name"], row["pid"], row["tid"], row["bytes"]] += 1
            if row["start_ns"] or row["end_ns"]:
                sys.exit(f"{path}: a call with a time: {row}")
    lost = re.search(r"(\d+) rows? skipped that do", run.stderr)
    return rows, int(lost[1]) if lost else 0


bad = done = calls = 0
for folder in sys.argv[1:]:
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            path = os.path.join(at, name)
            if not name.endswith((".log", ".txt")) or os.path.getsize(path) > 64 << 20:
                continue
            with open(path, "rb") as f:
                if b" NCCL INFO " not in f.read():
                    continue
            want, got = expected(path), given(path)
            done += 1
            calls += sum(got[0].values())
            if want != got:
                bad += 1
                print(f"{path}: {sum(want[0].values())} calls and {want[1]} lost, not "
                      f"{sum(got[0].values())} and {got[1]}: {want[0] - got[0]} {got[0] - want[0]}")
if not done:
    bad = 1
print(f"{done} logs, {calls} calls, {bad} differ")
sys.exit(bad > 0)
