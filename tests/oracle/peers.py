#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Defects of other tools, one function each, asked of kstats top.  The numbers are worked out by hand
in the functions or by csv_oracle.py.

Which defect is tested where: T = p.. here, of top; M = p.. in peers_metrics.py, of the other sub-commands;
other files by name.

     1  columns in a unit that they do not say                  T01 M01
     2  cumulative shares before the sort                       T02; only top has such a column
     3  one process of many                                     T03 (CSV) M03 (JSON)
     4  the life of the process as the time of the GPU          M04 (timeline, gaps, summary)
     5  overlaps beyond the whole, short kernels, digits        T05 M05
     6  classes that nothing reaches                            M06
     7  many kernels lumped together                            T07 M07 (launch, classes)
     8  gaps under a long kernel                                M08 (gaps, timeline)
     9  stream 0, hip is no collective, generic collectives     T09 M09
    10  means and deviations added up                           T10 M10 (sync)
    11  NaN of one call                                         T11 M11 (all, all forms)
    12  trouble with status 0                                   T12 M12 (all)
    13  64-bit sums of squares of 5 s                           T13 M13
    14  ten inputs at most                                      T14 M14 (64 ranks, also through tracemerge)
    15  identical rows lumped together                          T15 M15 (also through tracemerge).  The second half,
        a kernel of the second run only, waits for the comparison of runs
    16  sums of gaps in bins                                    M16 (gaps --hist); the misspelt rule: M06
    17  empty is a success, columns that a schema lacks,        T17 M17 (all); schemas of rocpd and rpd: databases.py;
        negative times clamped                                  M17 (launch, causes of gaps); that an empty candidate
        passes waits for the comparison of runs
    18  count and sum of different sets, streams as devices     M18
    19  a table unlike the SQL of the same database             M19, pftrace_db.py, databases.py
    20  order of rows by hash or plan                           T19 M20 (all), laws.py
"""
import json
import math
import os
import random
import re
import shutil
import sys
import tempfile

import effort
from fractions import Fraction

import csv_oracle as o

HEAD = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
        '"Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count",'
        '"Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z",'
        '"Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
STATS = '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n'
bad = []
checks = 0


def expect(got, want, what):
    global checks
    checks += 1
    if got != want:
        bad.append("%s: %s: %r, should be %r" % (sys._getframe(1).f_code.co_name, what, got, want))


def rows(events, stream=1, agent=4):
    """events: (name, start, duration)"""
    return "".join('"KERNEL_DISPATCH","Agent %d",1,%d,9,%d,%d,"%s",%d,%d,%d,0,0,8,0,16,64,1,1,1024,1,1\n' %
                   (agent, stream, i + 1, i + 1, name, i + 1, start, start + ns)
                   for i, (name, start, ns) in enumerate(events))


def put(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="latin-1", newline="") as f:
        f.write(text)
    return path


def trace(events, path="t_kernel_trace.csv", **more):
    return put(path, HEAD + rows(events, **more))


def top(*args):
    return o.Answer(["-q", "-f", "csv", *args])


def p01_units():
    """A column said to hold microseconds holds microseconds."""
    scale = {"ns": 1, "us": 10 ** 3, "ms": 10 ** 6, "s": 10 ** 9}
    for ns in (1, 10, 999, 1000, 10_000, 999_999, 10_000_000, 10_000_000_000):
        path = trace([("k", 1000, ns)])
        r = top(path).rows[0]
        for c in ("total_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns"):
            expect(r[c], str(ns), "csv %s of %d ns" % (c, ns))
        expect(r["avg_ns"], "%d.0000" % ns, "csv avg_ns")
        j = json.loads(o.Answer(["-q", "-f", "json", path]).out)["rows"][0]
        expect([j[c] for c in ("total_ns", "avg_ns", "p50_ns", "max_ns")], [ns] * 4, "json of %d ns" % ns)
        for form in ("text", "md"):
            out = o.Answer(["-q", "--unit", "each", "-f", form, path]).out.decode()
            seen = re.findall(r'(\d+(?:\.\d+)?) (ns|us|ms|s)\b', out)
            lines = o.Answer(["-q", "-f", form, path]).out.decode().splitlines()
            heads, cells = ([x.strip() for x in re.split(r'\s{2,}|\|', line.strip(" |"))]
                            for line in (lines[0], lines[-1 if form == "md" else 1]))
            below = [(cell, head.split()[-1]) for head, cell in zip(heads, cells) if head.split()[-1] in scale]
            expect((len(seen) >= 7, len(below) >= 7), (True, True), form + ": times in the row")
            for number, unit in seen + below:
                have = Fraction(number) * scale[unit]
                expect(abs(have - ns) * 1000 <= ns, True, "%s: %d ns is shown as %s %s" % (form, ns, number, unit))
    out = o.Answer(["-q", "--unit", "each", trace([("k", 5, 10_000)])]).out.decode()
    expect("10.00 us" in out and "10.00 ms" not in out and "10.00 ns" not in out, True, "text of 10 us")


def p02_cumulative():
    """cum_pct is summed in the order of the rows, whatever that is, and ends at 100."""
    r = random.Random(2)
    path = trace([("k%d" % r.randrange(40), i * 10, r.randrange(1, 10 ** r.randrange(1, 8)))
                  for i in range(3000)])
    for key in ("total", "calls", "avg", "max", "p99", "name", "min", "stddev"):
        a = top("-s", key, path)
        cum = [Fraction(x["cum_pct"]) for x in a.rows]
        expect(cum, sorted(cum), "-s %s: monotone" % key)
        expect(a.rows[-1]["cum_pct"], "100.0000", "-s %s: the last" % key)
        whole, so_far = sum(int(x["total_ns"]) for x in a.rows), 0
        for x in a.rows:
            so_far += int(x["total_ns"])
            expect(x["pct"], o.fixed4(Fraction(int(x["total_ns"]) * 100, whole)), "-s %s: pct" % key)
            expect(x["cum_pct"], o.fixed4(Fraction(so_far * 100, whole)), "-s %s: cum_pct" % key)
    few, all_ = top("-n", "5", path), top(path)
    expect(few.rows, all_.rows[:5], "-n 5: the same five, shares of the whole")


def p03_processes():
    """Every process of a file counts."""
    head = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
    body = "".join('"HIP_RUNTIME_API","hipMalloc",%d,%d,%d,%d,%d\n' % (pid, pid, i, i * 100, i * 100 + 30)
                   for pid in (100, 200) for i in range(1, 6))
    r = top("--domain", "hip", put("x_hip_api_trace.csv", head + body)).rows
    expect([(x["calls"], x["total_ns"]) for x in r], [("10", "300")], "two processes")


def p05_names_and_short_kernels():
    """Digits tell kernels apart, and kernels of 1 us are work too."""
    path = trace([("gemm_256x128", 0, 3000), ("gemm_128x256", 5000, 2000), ("tiny", 9000, 1000),
                  ("tiny", 11000, 1), ("zero", 12000, 0)])
    for level in ("full", "short", "base"):
        got = [(x["name"], x["calls"], x["total_ns"]) for x in top("--name", level, path).rows]
        expect(got, [("gemm_256x128", "1", "3000"), ("gemm_128x256", "1", "2000"), ("tiny", "2", "1001"),
                     ("zero", "1", "0")], "--name " + level)


def p07_many_names():
    """More kernels than any table of another tool holds: nothing is lumped together."""
    n = 20_000
    a = top(trace([("kernel_%d" % (i % n), i * 100, i % n + 1) for i in range(2 * n)]))
    expect(len(a.rows), n, "rows")
    expect(sum(int(x["total_ns"]) for x in a.rows), n * (n + 1), "sum")
    expect({(x["calls"], x["stddev_ns"]) for x in a.rows}, {("2", "0.0000")}, "calls and deviations")
    expect(all(x["min_ns"] == x["max_ns"] == str(int(x["name"][7:]) + 1) for x in a.rows), True, "extremes")


def p09_stream_0():
    """The null stream and generic collectives are there."""
    path = put("s_kernel_trace.csv", HEAD + rows([("a", 0, 10)], stream=0) + rows([("a", 20, 5)], stream=3) +
               rows([("ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", 50, 7)], stream=0))
    a = top("--per", "stream", path)
    expect([(x["stream"], x["name"][:5], x["total_ns"]) for x in a.rows],
           [("0", "a", "10"), ("0", "ncclD", "7"), ("3", "a", "5")], "--per stream")
    expect([x["class"] for x in a.rows if x["name"].startswith("nccl")], ["comm"], "class of a collective")


def p10_pooling():
    """Two kernels, and one kernel from two files: worked out by hand."""
    a = top(trace([("a", 0, 10), ("a", 20, 20), ("a", 50, 60), ("b", 200, 5), ("b", 300, 5)]))
    # a: sum 90, mean 30, squared differences 400 + 100 + 900 = 1400, deviation sqrt(700) = 26.4575
    expect([list(x.values())[2:] for x in a.rows],
           [["3", "90", "90.0000", "90.0000", "30.0000", "10", "20", "60", "60", "60", "26.4575"],
            ["2", "10", "10.0000", "100.0000", "5.0000", "5", "5", "5", "5", "5", "0.0000"]], "trace")
    # 2 calls of mean 10, deviation sqrt(2) (9 and 11); 3 calls 10, 20, 60: together
    # 9 + 11 + 10 + 20 + 60 = 110, mean 22, squares 81 + 121 + 100 + 400 + 3600 = 4302,
    # (4302 - 110^2 / 5) / 4 = 470.5, deviation 21.6910
    one = put("p/1_kernel_stats.csv", STATS + '"a",2,20,10.000000,100.00,9,11,1.414214\n')
    two = put("p/2_kernel_stats.csv", STATS + '"a",3,90,30.000000,100.00,10,60,26.457513\n')
    expect([list(x.values())[2:] for x in top(one, two).rows],
           [["5", "110", "100.0000", "100.0000", "22.0000", "9", "", "", "", "60", "21.6910"]], "two files")
    mixed = top(one, trace([("a", 0, 10), ("a", 20, 20), ("a", 50, 60)], "q/9_kernel_trace.csv"))
    expect([list(x.values())[2:] for x in mixed.rows],
           [["5", "110", "100.0000", "100.0000", "22.0000", "9", "", "", "", "60", "21.6910"]],
           "statistics of one run and trace of another")
    per_domain = put("d_domain_stats.csv", STATS + '"KERNEL_DISPATCH",5,110,22.000000,55.00,9,60,21.691013\n'
                     '"HIP_API",2,90,45.000000,45.00,40,50,7.071068\n')
    got = top("--domain", "all", per_domain).rows
    expect([(x["name"], x["calls"], x["total_ns"], x["avg_ns"], x["stddev_ns"]) for x in got],
           [("KERNEL_DISPATCH", "5", "110", "22.0000", "21.6910"), ("HIP_API", "2", "90", "45.0000", "7.0711")],
           "totals per domain are not added up anew")


def p11_one_call():
    """No deviation of one call; nothing is ever NaN."""
    paths = [trace([("one", 0, 7)], "n1/a_kernel_trace.csv"), trace([("zero", 0, 0)], "n1/b_kernel_trace.csv"),
             put("n1/c_kernel_stats.csv", STATS + '"one",1,7,7.000000,100.00,7,7,0.00000000e+00\n'),
             put("n1/d_kernel_stats.csv", STATS + '"zero",3,0,0.00000000e+00,nan,0,0,0.00000000e+00\n'),
             put("n1/e_kernel_stats.csv", STATS + '"zero",3,0,0.00000000e+00,-nan,0,0,-nan\n'),
             put("n1/f_kernel_stats.csv", STATS + '"none",0,0,-nan,-nan,0,0,-nan\n"a",1,5,5,100.00,5,5,0\n')]
    for p in paths:
        for form in ("csv", "tsv", "json", "text", "md"):
            a = o.Answer(["-q", "-f", form, p])
            expect(a.status, 0, p + " -f " + form + ": status")
            expect(re.findall(rb'(?i)\bnan\b|\binf\b', a.out), [], p + " -f " + form)
            if form == "json":
                json.loads(a.out)
    expect(top(paths[0]).rows[0]["stddev_ns"], "", "csv")
    expect(top(paths[2]).rows[0]["stddev_ns"], "", "csv of statistics")
    expect(json.loads(o.Answer(["-q", "-f", "json", paths[0]]).out)["rows"][0]["stddev_ns"], None, "json")
    expect(top(paths[5]).rows[-1]["name"] in ("a", "none"), True, "a row of no calls")


def p12_status():
    """Trouble is a status above 1 and a word on stderr."""
    good = trace([("a", 0, 10)])
    for args in (["missing.csv"], [good, "missing.csv"], ["--no-such", good], ["-s", "nonsense", good],
                 ["-f", "xls", good], ["--domain", "gpu", good], ["--domain", "hip", good], ["-j", "0", good],
                 ["-n", "many", good], ["--per", "planet", good], ["--columns", "nme", good],
                 ["-w", "x..y", good], ["-w", "500..600", good], ["--classes", "missing", good],
                 ["--rank-from", "(", good], ["-o", "missing/dir/x", good], ["--from", "rocprof-stats", good]):
        a = o.Answer(["-q", *args])
        expect(a.status, 2, " ".join(args))
        expect(a.err.startswith("kstats: error: "), True, " ".join(args) + ": says why")
    with open("/dev/full", "wb") as full:
        p = o.subprocess.run(["kstats", "top", good], stdout=full, stderr=o.subprocess.PIPE, check=False)
    expect((p.returncode, p.stderr != b""), (2, True), "a full disk")
    # What can be read of the good one is there.
    expect([x["name"] for x in top(good, "missing.csv").rows], ["a"], "one of two files")


def p13_long_kernels():
    """Squares of 5 s in ns do not fit 64 bits."""
    values = [5_000_000_000, 5_000_001_000, 4_999_999_000]
    r = top(trace([("long", 10 ** 10 * i, v) for i, v in enumerate(values)])).rows[0]
    expect(r["stddev_ns"], "1000.0000", "three of 5 s")
    values = [331_000_000_000, 1, 86_400_000_000_000, 2 ** 50]
    r = top(trace([("long", 10 + i, v) for i, v in enumerate(values)])).rows[0]
    want = o.deviation(4, sum(values), sum(v * v for v in values))
    expect(abs(float(r["stddev_ns"]) - want) <= 1e-4 + 1e-9 * want, True, "days and a nanosecond: " + r["stddev_ns"])
    expect(r["total_ns"], str(sum(values)), "total")


def p14_many_inputs():
    """64 files and more."""
    paths = [trace([("k%d" % (i % 7), i, i + 1)], "many/rank%d_kernel_trace.csv" % i) for i in range(200)]
    for n in (64, 200):
        a = top(*paths[:n])
        expect(sum(int(x["calls"]) for x in a.rows), n, "%d files: calls" % n)
        expect(sum(int(x["total_ns"]) for x in a.rows), n * (n + 1) // 2, "%d files: total" % n)
        expect(len(top("--per", "rank", *paths[:n]).rows), n, "%d files: ranks" % n)
    expect(top("many").out == top(*paths).out, True, "their directory")


def p15_identical_rows():
    """Two rows that are the same are two events; two files that are the same are one."""
    path = trace([("a", 100, 10)] * 2, "i/1_kernel_trace.csv")
    put("i/2_kernel_trace.csv", HEAD + rows([("a", 100, 10)]) * 2)
    expect([(x["calls"], x["total_ns"]) for x in top(path).rows], [("2", "20")], "in one file")
    twin = put("j/9_kernel_trace.csv", HEAD + rows([("a", 100, 10)]))
    other = put("j/8_kernel_trace.csv", HEAD + rows([("a", 100, 10)]) + rows([("b", 1, 1)]))
    expect([(x["name"], x["calls"]) for x in top(twin, other).rows], [("a", "2"), ("b", "1")],
           "the same row in two files")
    copy = shutil.copy(twin, "j/7_kernel_trace.csv")
    a = o.Answer(["-f", "csv", twin, copy])
    expect([x["calls"] for x in a.rows], ["1"], "a copy of a file")
    expect("same content" in a.err, True, "a copy of a file: said")
    expect([x["calls"] for x in top("0=" + twin, "1=" + copy).rows], ["2"], "a copy as another rank")


def p17_empty():
    """Nothing is trouble, never an answer."""
    os.makedirs("void", exist_ok=True)
    for path in (put("e1_kernel_trace.csv", ""), put("e2_kernel_trace.csv", HEAD), put("e3.csv", "\n\n"),
                 put("e4_kernel_stats.csv", STATS), "void", "/dev/null",
                 put("e5_kernel_trace.csv", HEAD + "garbage\n"), put("e6_kernel_trace.csv", HEAD[:100])):
        a = o.Answer(["-q", "-f", "csv", path])
        expect((a.status, len(a.rows), a.err != ""), (2, 0, True), path)
    a = o.Answer(["-q", "-f", "csv", trace([("a", 0, 10)]), "e1_kernel_trace.csv"])
    expect((a.status, len(a.rows)), (2, 1), "an empty file beside a good one")


def p19_order():
    """The same rows in any order give the same bytes; ties stand in the order of their names."""
    r = random.Random(19)
    events = [("tie_%s" % c, 10, 100) for c in "zyxwvutsrqponmlkjihgfedcba"] * 3
    events += [("k%d" % r.randrange(9), 5, r.randrange(1, 5)) for _ in range(500)]
    first = None
    for seed in range(8):
        random.Random(seed).shuffle(events)
        path = trace(events)
        outs = {(f, k): o.Answer(["-q", "-f", f, "-s", k, path]).out for f in ("csv", "tsv", "md", "text")
                for k in ("total", "calls", "avg", "max", "p99", "name")}
        first = first or outs
        for key, out in outs.items():
            expect(out == first[key], True, "seed %d, -f %s -s %s" % (seed, *key))
    for key in ("total", "calls", "avg", "max", "p99", "stddev"):
        names = [x["name"] for x in top("-s", key, path).rows if x["name"].startswith("tie_")]
        expect(names, sorted(names), "-s %s: ties" % key)
    names = [x["name"] for x in top("-s", "name", path).rows]
    expect(names, sorted(names), "-s name")
    # The order of the answer is total, then name.
    got = [(-int(x["total_ns"]), x["name"]) for x in top(path).rows]
    expect(got, sorted(got), "total, then name")


def p21_quantiles():
    """Nearest rank, exact up to 1024 calls, 0.8 % beyond."""
    r = random.Random(21)
    for n in (1, 2, 3, 10, 100, 999, 1000, 1023, 1024, 1025, 3000):
        values = [int(math.exp(r.gauss(9, 2))) for _ in range(n)]
        x = top(trace([("k", i, v) for i, v in enumerate(values)])).rows[0]
        for c, permille in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990)):
            want, have = o.rank(values, permille), int(x[c])
            expect(have == want if n <= 1024 else abs(have - want) * 125 <= want, True,
                   "n %d: %s %d, exact %d" % (n, c, have, want))


def main():
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        cases = [f for name, f in sorted(globals().items()) if re.match(r'p\d\d_', name)]
        for case in effort.most(cases):
            try:
                case()
            except (IndexError, KeyError, ValueError) as why:
                bad.append("%s: no such answer: %r" % (case.__name__, why))
        os.chdir("/")
    for line in bad[:60]:
        print("DIFFERS " + line.replace("\n", "\\n")[:600])
    print("%d defects of others tried, %d checks, %d differences" % (len(cases), checks, len(bad)))
    sys.exit(1 if bad else 0)


main()
