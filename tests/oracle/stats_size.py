#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stats_size.py BUILD: what tracemerge --stats-only keeps of a rank of a million events is less than 300 KB, and has the
answers of the traces; merging many such ranks takes less than 64 MiB and 5 ms of CPU time each."""
import os
import subprocess
import sys

import effort

EVENTS = 10**6
MOST = 300_000  # bytes
MEMORY = 64 << 10  # KiB
SECONDS = 5 / 1024  # a rank, of CPU time
# Events in a byte of the kernel trace, as gen_csv and gen_pftrace write it with their options.
SHAPES = [
    ("kernels, long names", [("kernel_trace.csv", "gen_csv", "--names", "330")], 1 / 556),
    ("kernels and calls, short names", [("kernel_trace.csv", "gen_csv", "--short"),
                                        ("hip_api_trace.csv", "gen_csv", "--short", "--kind", "hip")], 3.52 / 194),
    ("kernels and calls, long names", [("kernel_trace.csv", "gen_csv"), ("hip_api_trace.csv", "gen_csv", "--kind", "hip")],
     3.52 / 555),
    ("a pftrace of four streams", [("results.pftrace", "gen_pftrace")], 1 / 200),
    ("two agents, 16 streams", [("kernel_trace.csv", "gen_csv", "--names", "200", "--agents", "2", "--streams", "16"),
                                ("hip_api_trace.csv", "gen_csv", "--names", "200", "--agents", "2", "--streams", "16", "--kind", "hip")],
     3.52 / 555),
]
bad = []


def generate(build, folder, parts, events, rate):
    os.makedirs(folder)
    for name, gen, *options in parts:
        with open(os.path.join(folder, "1_" + name), "wb") as out:
            subprocess.run([os.path.join(build, gen), *options, str(int(events / rate))], stdout=out, check=True)


def top(path):
    return subprocess.run(["kstats", "top", "-q", "-f", "csv", path], capture_output=True, check=False).stdout


def many(db, ranks):
    """Merge so many copies of a file, as ranks of one run."""
    paths = []
    for rank in range(ranks):
        os.link(db, "copy%d.db" % rank)
        paths.append("%d=copy%d.db" % (rank, rank))
    p = subprocess.Popen(["tracemerge", "-q", "--stats-only", "-o", "all.db", *paths])
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = status
    seconds = usage.ru_utime + usage.ru_stime
    page = subprocess.run(["sqlite3", "all.db", "PRAGMA page_size"], capture_output=True, check=True).stdout.strip()
    if page != b"4096":
        bad.append("merging %d ranks: pages of %s bytes" % (ranks, page.decode()))
    print("merging %d: %.2f s, %d KiB" % (ranks, seconds, usage.ru_maxrss))
    if status or usage.ru_maxrss > MEMORY:
        bad.append("merging %d ranks: status %d, %d KiB" % (ranks, status, usage.ru_maxrss))
    # Twice the time, for machines are busy and slow; what a rank costs is in docs/scale.md.
    if seconds > 2 * SECONDS * ranks + 0.5:
        bad.append("merging %d ranks: %.2f s" % (ranks, seconds))


def main():
    build = sys.argv[1]
    quick = effort.PERCENT <= 5  # with sanitizers
    for i, (name, parts, rate) in enumerate(SHAPES[:1] if quick else SHAPES):
        folder, db = "shape%d" % i, "shape%d.db" % i
        generate(build, folder, parts, EVENTS // 20 if quick else EVENTS, rate)
        subprocess.run(["tracemerge", "-q", "--stats-only", "-o", db, folder], check=True)
        events = int(subprocess.run(["sqlite3", db, "SELECT sum(events) FROM input"], capture_output=True, check=True).stdout)
        size = os.path.getsize(db)
        print("%s: %d events, %d bytes" % (name, events, size))
        if size > MOST or (events < EVENTS * 0.95 and not quick):
            bad.append("%s: %d bytes for %d events" % (name, size, events))
        if top(folder) != top(db):
            bad.append("%s: another table" % name)
    if not quick:
        many("shape2.db", 128)
    for b in bad:
        print(b)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
