# SPDX-License-Identifier: MIT
"""One run in two formats: see formats.sh.   formats.py TESTDATA [DATA]

kstats top, domain by domain, is the same byte for byte, or differs by what the producer is known to do to the
second format:
  cut     rocprofv3 of 7.0 and later ends kernels of a pftrace where the next one of their queue begins: the same
          calls, durations no longer than in the CSV; allocations are counters there
  us      rpd2tracing of old wrote whole microseconds: the same calls, up to 1 us shorter each"""
import csv
import glob
import io
import os
import shutil
import subprocess
import sys
import tempfile

DOMAINS = ("kernel", "copy", "hip", "hsa", "marker", "rccl", "alloc", "scratch")
COLUMNS = "name,class,calls,total_ns,pct,avg_ns,min_ns,p50_ns,p99_ns,max_ns,stddev_ns"
bad = compared = 0


def top(paths, domain, *more):
    p = subprocess.run(["kstats", "top", "-q", "-f", "csv", "--domain", domain, *more, *paths], capture_output=True, check=False)
    if b"nothing to show" in p.stderr:
        return ""
    if p.returncode:
        raise RuntimeError(f"{paths}: {p.stderr.decode()}")
    return p.stdout.decode("utf-8", "surrogateescape")


def rows(text):
    return {r["name"]: r for r in csv.DictReader(io.StringIO(text, newline=""))}


def fail(text):
    global bad
    bad += 1
    print(text)


def bounded(what, a, b, least, most):
    """The same names and calls; by how much b's durations may be longer."""
    a, b = rows(a), rows(b)
    if a.keys() != b.keys() or any(a[n]["calls"] != b[n]["calls"] for n in a):
        fail(f"{what}: other names or numbers of calls")
        return
    for n, r in a.items():
        calls = int(r["calls"])
        for column, k in (("total_ns", calls), ("max_ns", 1), ("min_ns", 1)):
            d = int(b[n][column]) - int(r[column])
            if not least * k <= d <= most * k:
                fail(f"{what}: {n[:60]}: {column} differs by {d} ns in {calls} calls")


def pair(first, second, rule=""):
    global compared
    for domain in DOMAINS:
        a, b = (top(x, domain, "--columns", COLUMNS) for x in (first, second))
        what = f"{first[0]} and {second[0]}, {domain}"
        n = len(rows(a))
        if rule == "cut" and domain == "kernel":
            bounded(what, a, b, -10**18, 0)
        elif rule == "cut" and domain == "alloc":
            if rows(b):
                fail(what + ": allocations in a pftrace")
        elif rule == "us":
            bounded(what, a, b, -1000, 0)
        elif a != b:
            fail(what + ": another kstats top")
        compared += n


def of_rocprofv1(data):
    """A results.db, .json and .csv beside one another.  Kernels of the CSV, if it has their times."""
    n = 0
    for folder, _, names in sorted(os.walk(data)):
        for name in sorted(names):
            stem, kind = os.path.splitext(os.path.join(folder, name))
            if kind != ".db" or not name.startswith("results"):
                continue
            other = [p for p in (stem + ".json", stem + ".csv") if os.path.exists(p)]
            for p in other:
                with open(p, "rb") as f:
                    timed = p.endswith(".json") or b"BeginNs" in f.readline()
                # One of no events has nothing to compare.
                if timed and os.path.getsize(p) > 200:
                    pair([stem + ".db"], [p])
                    n += 1
    return n


def main(testdata, data=None):
    pairs = 0
    pair([os.path.join(testdata, "rocpd/7.1/run")], [os.path.join(testdata, "rocpd/3.0.0/run/out_results.db")])
    pairs += 1
    if data:
        pairs += of_rocprofv1(data)
        with tempfile.TemporaryDirectory() as tmp:
            for pftrace in glob.glob(os.path.join(data, "real/*/docs/optimization-log/experiments/*/profile/*/*_results.pftrace")):
                for table in glob.glob(pftrace.replace("_results.pftrace", "_*_trace.csv")):
                    shutil.copy(table, tmp)
                pair([tmp], [pftrace], "cut")
                pairs += 1
        for rpd in glob.glob(os.path.join(data, "real/*/examples/*/results/*.rpd")):
            pair([rpd], [rpd[:-4] + ".json"], "us")
            pairs += 1
    print(f"{pairs} runs in two formats, {compared} rows, {bad} differences")
    return 1 if bad or pairs < (12 if data else 1) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
