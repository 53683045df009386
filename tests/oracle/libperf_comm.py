# SPDX-License-Identifier: MIT
"""libperf bench on logs of rccl-tests beside a reading that shares nothing with it: by the places of the columns in the
line, where libperf goes by the words.  The average of all bus bandwidths is what the test says it is.

libperf_comm.py FOLDER"""
import csv
import io
import os
import re
import subprocess
import sys

FACTOR = {"all_reduce": lambda n: 2 * (n - 1) / n, "all_gather": lambda n: (n - 1) / n,
          "alltoall": lambda n: (n - 1) / n}
bad = 0


def wrong(text):
    global bad
    bad += 1
    print(text)


def ours(path):
    p = subprocess.run(("libperf", "bench", "-f", "csv", path), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    if p.returncode or p.stderr:
        wrong("%s: status %d: %s" % (path, p.returncode, p.stderr.decode()[:200]))
    return list(csv.DictReader(io.StringIO(p.stdout.decode(), newline="")))


def theirs(lines):
    """Rows as dictionaries: where there are as many fields as titles, each has its own; else a field belongs to the
    title whose end is nearest to its own (numbers that are too wide move what is behind them)."""
    titles, op, ranks = None, None, set()
    for number, line in enumerate(lines, 1):
        m = re.match(r"# Collective test starting: (\w+)_perf", line)
        op = m.group(1) if m else op
        m = re.match(r"#\s+Rank\s+(\d+) ", line)
        if m:
            ranks.add(int(m.group(1)))
        if line.startswith("#") and "busbw" in line:
            titles = [(m.end(), m.group()) for m in re.finditer(r"[^\s#]\S*|#wrong", line)]
            continue
        if not titles or not re.match(r"\s*\d+\s+\d+\s+[a-z]", line):
            continue
        halves = [{}, {}]
        fields = list(re.finditer(r"\S+", line))
        for at, m in enumerate(fields):
            nearest = at if len(fields) == len(titles) else min(range(len(titles)), key=lambda i, m=m: abs(titles[i][0] - m.end()))
            name = titles[nearest][1]
            first = [i for i, t in enumerate(titles) if t[1] == "time"]
            for h, row in enumerate(halves):
                if nearest < first[0] or (nearest >= first[1]) == (h == 1):
                    row[name] = m.group()
        for place, row in zip(("out", "in"), halves):
            row.update(line=str(number), place=place, op=op, ranks=str(len(ranks)))
            yield row


def same(path, a, b):
    names = {"size": "bytes", "count": "count", "type": "type", "redop": "redop", "root": "root", "time": "time_us",
             "algbw": "algbw_GB/s", "busbw": "busbw_GB/s", "#wrong": "wrong", "error": "error", "line": "line",
             "place": "place", "op": "operation", "ranks": "ranks"}
    for mine, name in names.items():
        if (b.get(mine) or "") != (a.get(name) or ""):
            wrong("%s:%s: %s is %r, not %r" % (path, b["line"], name, a.get(name), b.get(mine)))


def rates(path, row):
    """The digits that were printed are those of size, time and ranks."""
    us, size = row["time_us"], int(row["bytes"])
    half = 0.5 / 10 ** len(us.partition(".")[2])
    if float(us) <= half:
        return
    for name, factor in (("algbw_GB/s", 1), ("busbw_GB/s", FACTOR.get(row.get("operation"),
                                                                     lambda n: None)(int(row["ranks"])))):
        if factor is None:
            continue
        low, high = (size * factor / 1000 / (float(us) + s * half) for s in (1, -1))
        if not low - 0.005001 <= float(row[name]) <= high + 0.005001:
            wrong("%s:%s: %s %s of %d bytes in %s us" % (path, row["line"], name, row[name], size, us))


def main():
    files = rows = 0
    for at, dirs, names in os.walk(sys.argv[1]):
        dirs.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            if not name.endswith((".log", ".txt", ".out")) or os.path.getsize(path) > 1 << 22:
                continue
            text = open(path, encoding="utf-8", errors="replace").read()
            if not re.search(r"(?m)^#\s+size\s+count\s+type.*algbw\s+busbw", text):
                continue
            got, want = ours(path), list(theirs(text.split("\n")))
            if len(got) != len(want):
                wrong("%s: %d rows, not %d" % (path, len(got), len(want)))
            for a, b in zip(got, want):
                same(path, a, b)
                rates(path, a)
            average = re.findall(r"# Avg bus bandwidth\s*:\s*([\d.]+)", text)
            if len(average) == 1 and got:
                mean = sum(float(r["busbw_GB/s"]) for r in got) / len(got)
                if abs(mean - float(average[0])) > 0.0051:
                    wrong("%s: the bus bandwidths are %.4f on average, the test says %s" % (path, mean, average[0]))
            files += 1
            rows += len(got)
    print("%d rows of %d files, %d wrong" % (rows, files, bad))
    return 1 if bad or not rows else 0


sys.exit(main())
