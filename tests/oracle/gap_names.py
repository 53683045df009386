# SPDX-License-Identifier: MIT
"""gap_names.py FOLDER...: see gap_names.sh."""
import collections
import csv
import glob
import os
import re
import sys

import effort
import questions as q

csv.field_size_limit(1 << 30)
# Markers, operators of a framework and functions of Python.
TRACES = ["kineto/*/*/*.json", "rocprofv3/*/*", "real/AMD-AGI+TraceLens/tests/traces/mi300/ddp_resnet18_no_pool/*.gz",
          "real/ROCm+aorta/misc/*200691*.json"]


def folded(text):
    return re.sub(r"[0-9]+", "*", text)


def opened(files):
    """Rows of each thread that are no calls: what a host can be in."""
    rows = collections.defaultdict(list)
    # Calls of libraries are no frames; torch.profiler has its operators and functions as such rows.
    kinds = "marker" if "rocprofv3" in files[0] else "api,marker"
    status, text, _ = q.run("tracecat", "-q", "--kind", kinds, *files)
    for r in q.rows(text) if not status else []:
        if r["domain"] not in ("hip", "hsa") and r["end_ns"] and r["end_ns"] != r["start_ns"]:
            rows[r["rank"], r["pid"], r["tid"]].append((int(r["start_ns"]), int(r["end_ns"]), r["name"]))
    return rows


def innermost(rows, at):
    """Names that the innermost row can have: several where rows have the same times."""
    here = [r for r in rows if r[0] <= at < r[1]]
    if not here:
        return {""}
    start, end, _ = max(here, key=lambda r: (r[0], -r[1]))
    return {folded(r[2]) for r in here if r[:2] == (start, end)}


def compare(files):
    status, text, _ = q.run("kstats", "path", "-q", "--list", "-f", "csv", *files)
    rows = opened(files) if not status else {}
    for p in q.rows(text) if rows else []:
        thread = re.fullmatch(r"thread (\d+)/(\d+)", p["resource"])
        if p["kind"] != "host_gap" or not thread:
            continue
        start, end = int(p["start_ns"]), int(p["end_ns"])
        names = innermost(rows.get((p["rank"], *thread.groups()), []), start + (end - start) // 2)
        q.compared["gaps"] += 1
        q.compared["named gaps"] += names != {""}
        if folded(p["name"]) not in names:
            q.say(f"{files}: the gap from {start} is {p['name']}, and the rows say {sorted(names)}")


def main():
    for folder in sys.argv[1:]:
        for pattern in TRACES:
            found = sorted(glob.glob(os.path.join(folder, pattern)))
            for one in found if "real" in pattern else effort.most(found):
                compare([one])
    q.finish({"gaps": 1000, "named gaps": 1000} if len(sys.argv) > 2 else {})


main()
