# SPDX-License-Identifier: MIT
"""folded.py FOLDER...: the lines of tracecat --to folded, of every trace there, are what other questions say:

    all lines of a kernel     its total_ns in kstats top, all lines together that of the table
    all lines of a path       the row of kstats ops --paths (its own oracle is ops.py)
    host time                 the union, thread by thread, of the ranges that tracecat prints, where these are all there is
                              (traces without operators of a framework)
    -j, permuted, run.db      the same bytes"""
import collections
import csv
import io
import os
import sys
import tempfile

import effort
import questions as q

ENDS = (".json", ".json.gz", ".pftrace", ".pftrace.zst", ".proto", ".db", ".rpd", ".csv", ".csv.gz", ".txt")
CONTROL = {i: " " for i in [*range(32), 127]} | {ord(";"): ":"}


def clean(name):
    return name.translate(CONTROL) or "(no name)"


def folded(*inputs):
    status, text, _ = q.run("tracecat", "-q", "--to", "folded", *inputs)
    return status, [(line.rpartition(" ")[0], int(line.rpartition(" ")[2])) for line in text.split("\n")[:-1]]


def kernels(*inputs):
    """Of each name its time, summed where cleaned names are the same."""
    out = collections.Counter()
    for r in q.ask("top --name full --columns name,total_ns,class", *inputs):
        out[clean(r["name"])] += int(r["total_ns"])
    return out


def by_path(*inputs):
    out = collections.Counter()
    for r in q.ask("ops --paths", *inputs):
        path = f"(unattributed: {r['reason']})" if r["reason"] else r["path"]
        out[path.translate(CONTROL | {ord(";"): ";"})] += int(r["self_ns"])
    return out


def host(*inputs):
    threads = collections.defaultdict(list)
    for e in q.events("marker", *inputs):
        if e["start_ns"] and e["end_ns"]:
            threads[e["rank"], e["pid"], e["tid"]].append((int(e["start_ns"]), int(e["end_ns"])))
    return sum(q.length(v) for v in threads.values())


def is_framework(path):
    """Traces of frameworks hold ranges that tracecat calls api, so that their union is of no use here."""
    return ".json" in path


def check(path):
    if any(not r["total_ns"] for r in q.ask("top --columns name,total_ns", path)):
        q.compared["sums past 64 bits"] += 1
        return
    status, lines = folded(path)
    if status == 2 and not lines:
        q.compared["without kernels"] += 1
        return
    if [w for _, w in lines] != sorted((w for _, w in lines), reverse=True) or len({s for s, _ in lines}) != len(lines):
        q.say(f"{path}: lines are not in order, or come twice")
    want = kernels(path)
    # Statistics files hold sums, not events: top counts them where nothing else is.
    if sum(w for _, w in lines) != sum(want.values()):
        q.say(f"{path}: folded {sum(w for _, w in lines)}, top {sum(want.values())}")
    leaves, paths = collections.Counter(), collections.Counter()
    for stack, weight in lines:
        above, _, leaf = stack.rpartition(";")
        leaves[leaf] += weight
        paths[above] += weight
    if leaves != want:
        q.say(f"{path}: kernels differ from top: {list((leaves - want) + (want - leaves))[:3]}")
    # Where a name holds ';' the two write the path differently.
    wanted = +by_path(path)
    if not any(";" in r["region"] for r in q.ask("regions", path)) and +paths != wanted:
        q.say(f"{path}: paths differ from ops --paths: {list((paths - wanted) + (wanted - paths))[:3]}")
    if not is_framework(path):
        got = sum(int(line.rpartition(" ")[2]) for line in
                  q.run("tracecat", "-q", "--to", "folded", "--weight", "host", path)[1].split("\n")[:-1])
        if got != host(path):
            q.say(f"{path}: host time {got}, not {host(path)}")
        q.compared["host times"] += got > 0
    q.compared["traces"] += 1


def all_bytes(*inputs):
    return [q.run("tracecat", "-q", "--to", "folded", "--weight", w, *inputs)[1] for w in ("gpu", "host", "bytes")]


def laws(path, work):
    db = os.path.join(work, "run.db")
    if q.run("tracemerge", "-q", "-o", db, path)[0]:
        return
    want = all_bytes("-j", "1", path)
    for how, inputs in {"-j 4": ["-j", "4", path], "run.db": [db]}.items():
        if all_bytes(*inputs) != want:
            q.say(f"{path}: folded of {how} differs")
        q.compared["laws"] += 1
    os.remove(db)


def permuted(path, work):
    """A table of kernels and its rows from the last to the first."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
        table = list(csv.reader(io.StringIO(f.read(), newline="")))
    other = os.path.join(work, "kernel_trace.csv")
    with open(other, "w", encoding="utf-8", errors="surrogateescape", newline="") as f:
        csv.writer(f, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(table[:1] + table[:0:-1])
    if all_bytes("0=" + path) != all_bytes("0=" + other):
        q.say(f"{path}: folded of permuted rows differs")
    q.compared["permuted"] += 1


found = []
for folder in sys.argv[1:]:
    for at, dirs, files in os.walk(folder):
        dirs.sort()
        found += [os.path.join(at, f) for f in sorted(files) if f.endswith(ENDS) and os.path.getsize(os.path.join(at, f)) < q.LIMIT]
found = [p for p in found if q.run("tracecat", "info", "-q", "-f", "csv", p)[1].count("\n") > 1] if effort.PERCENT == 100 else found
with tempfile.TemporaryDirectory() as tmp:
    for number, trace in enumerate(effort.sample(found)):
        check(trace)
        if number % 3 == 0:
            laws(trace, tmp)
        if trace.endswith("kernel_trace.csv") and "hostile" not in trace:
            permuted(trace, tmp)
# Host times are those of the shared traces.
q.finish({"traces": 100, "laws": 60, "permuted": 4} | ({"host times": 8} if len(sys.argv) > 2 else {}))
