#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Defects of other tools, one function each, asked of every sub-command of kstats but top (peers.py has
that one, and the table of which row is tested where).  The numbers are worked out by hand in the
functions."""
import csv
import io
import itertools
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

import effort

KERNEL_HEAD = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
               '"Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count",'
               '"Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z",'
               '"Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
CALL_HEAD = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
COPY_HEAD = ('"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
             '"Start_Timestamp","End_Timestamp"\n')
ALLOC_HEAD = ('"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp",'
              '"End_Timestamp"\n')
SUBS = ["classes", "gemm", "timeline", "gaps", "gaps --list", "gaps --hist", "sync", "launch", "copies",
        "memory", "regions", "ranks", "summary"]
RCCL = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"
bad = []
checks = 0


def expect(got, want, what):
    global checks
    checks += 1
    if got != want:
        bad.append("%s: %s: %r, should be %r" % (sys._getframe(1).f_code.co_name, what, got, want))


def kernel(name, start, ns, stream=1, agent=4, corr=0):
    return '"KERNEL_DISPATCH","Agent %d",1,%d,9,1,1,"%s",%d,%d,%d,0,0,8,0,16,64,1,1,1024,1,1\n' % (
        agent, stream, name, corr, start, start + ns)


def call(name, start, ns, corr=0, tid=9, pid=9, domain="HIP_RUNTIME_API"):
    return '"%s","%s",%d,%d,%d,%d,%d\n' % (domain, name, pid, tid, corr, start, start + ns)


def copy(start, ns, way="HOST_TO_DEVICE"):
    return '"MEMORY_COPY","MEMORY_COPY_%s",1,"Agent 0","Agent 4",0,%d,%d\n' % (way, start, start + ns)


def alloc(start, address, size):
    return '"MEMORY_ALLOCATION","MEMORY_ALLOCATION_%s","Agent 4",%d,"0x%x",1,%d,%d\n' % (
        "ALLOCATE" if size else "FREE", size, address, start, start + 10)


def put(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="latin-1", newline="") as f:
        f.write(text)
    return path


def trace(where, kernels, calls=(), copies=(), markers=(), allocs=()):
    """A directory with the files of one run."""
    for name, head, rows in (("kernel", KERNEL_HEAD, kernels), ("hip_api", CALL_HEAD, calls),
                             ("memory_copy", COPY_HEAD, copies), ("marker_api", CALL_HEAD, markers),
                             ("memory_allocation", ALLOC_HEAD, allocs)):
        if rows:
            put("%s/1_%s_trace.csv" % (where, name), head + "".join(rows))
    return where


def kstats(sub, *args, form="csv"):
    """Status, standard output, standard error."""
    p = subprocess.run(["kstats", *sub.split(), "-f", form, *args], capture_output=True, check=False)
    return p.returncode, p.stdout.decode("latin-1"), p.stderr.decode("latin-1")


def rows(sub, *args):
    return list(csv.DictReader(io.StringIO(kstats(sub, "-q", *args)[1], newline="")))


def pick(row, *columns):
    return [row[c] for c in columns]


def whole(where="whole"):
    """A run that every sub-command has something to say about; two ties, two streams, two agents."""
    k = [kernel("gemm_tie_b", 10000, 2000, corr=1), kernel("gemm_tie_a", 10000, 2000, stream=2, corr=2),
         kernel(RCCL, 13000, 4000, stream=0, corr=3), kernel("norm", 20000, 1000, corr=4),
         kernel("gemm_tie_a", 30000, 2000, agent=5, corr=5), kernel("gemm_tie_b", 40000, 2000, agent=5, corr=6)]
    c = [call("hipLaunchKernel", 1000 * i, 400, corr=i) for i in range(1, 7)]
    c += [call("hipDeviceSynchronize", 9000, 9000, corr=7), call("hipStreamSynchronize", 9000, 9000, corr=8, tid=10)]
    m = [call("step", 500, 40000, domain="MARKER_CORE_API")]
    return trace(where, k, c, [copy(15000, 3000), copy(45000, 3000)], m,
                 [alloc(100, 4096, 1000), alloc(200, 8192, 3000), alloc(9000, 4096, 0), alloc(9500, 1 << 20, 0)])


def p01_units():
    """10 us is 10 us, and the threshold of a short kernel is in the unit it is said to be in."""
    t = trace("u", [kernel("a", 100000, 9999), kernel("b", 200000, 10000), kernel("c", 300000, 10001)])
    expect(pick(rows("timeline", t)[0], "window_ns", "busy_ns", "kernels", "short_kernels"),
           ["210001", "30000", "3", "1"], "timeline: below 10 us is short")
    expect(pick(rows("gaps", t)[0], "idle_ns", "p50_ns", "max_ns"), ["180001", "90000", "90001"], "gaps")
    for sub, seen in (("timeline", "210.0 us"), ("gaps", "180.0 us"), ("classes", "30.00 us")):
        expect(seen in kstats(sub, "-q", "--unit", "each", t, form="text")[1], True, "%s in text: %s" % (sub, seen))
    j = json.loads(kstats("timeline", "-q", t, form="json")[1])["rows"][0]
    expect((j["window_ns"], j["idle_ns"]), (210001, 180001), "json")


def p03_processes():
    """Every process of a JSON counts, each with its own GPU."""
    def event(pid, start):
        return {"ph": "X", "cat": "kernel", "name": "k", "pid": pid, "tid": 1, "ts": start, "dur": 5,
                "args": {"device": pid, "stream": 1, "correlation": 0}}
    text = {"schemaVersion": 1, "traceEvents": [event(p, 10 * p + 100 * i) for p in (0, 1) for i in range(3)]}
    one = put("j1/a.pt.trace.json", json.dumps(text))
    got = [pick(r, "agent", "kernels", "busy_ns") for r in rows("timeline", one)]
    expect(got, [["0", "3", "15000"], ["1", "3", "15000"]], "timeline of two processes")
    expect([pick(r, "calls", "total_ns") for r in rows("classes", one)], [["6", "30000"]], "classes")


def p04_span():
    """10 s of host before the first kernel are not idle time of the GPU."""
    second = 10 ** 9
    t = trace("s", [kernel("a", 11 * second, 1000, corr=1), kernel("b", 11 * second + 3000, 1000, corr=2)],
              [call("hipMalloc", second, 1000, corr=9), call("hipLaunchKernel", 10 * second, 1000, corr=1),
               call("hipLaunchKernel", 10 * second + 2000, 1000, corr=2)])
    expect(pick(rows("timeline", t)[0], "window_ns", "idle_ns", "idle_pct"), ["4000", "2000", "50.0000"], "timeline")
    expect(pick(rows("gaps", t)[0], "gaps", "idle_ns"), ["1", "2000"], "gaps")
    expect({r["metric"]: r["value"] for r in rows("summary", t)}["timeline.idle_pct"], "50.0000", "summary")


def p05_overlap():
    """Two streams: what is hidden of communication is at most all of it; digits are part of a name."""
    # comm [100, 200); compute [120, 160) and [140, 180) on other streams: 60 hidden, 40 exposed
    t = trace("o", [kernel(RCCL, 100, 100), kernel("gemm_256x128", 120, 40, stream=2),
                    kernel("gemm_128x256", 140, 40, stream=3)])
    expect(pick(rows("timeline", t)[0], "comm_ns", "exposed_comm_ns", "compute_ns", "overlap_comm_pct",
                "concurrency_max", "kernels"), ["100", "40", "60", "60.0000", "3", "3"], "timeline")
    t = trace("o2", [kernel("gemm_256x128", 100, 40, corr=1), kernel("gemm_128x256", 200, 1, corr=2)],
              [call("hipLaunchKernel", 10, 10, corr=1), call("hipLaunchKernel", 30, 10, corr=2)])
    expect(sorted(r["name"] for r in rows("launch", t)), ["gemm_128x256", "gemm_256x128"], "launch")
    expect([r["kernels"] for r in rows("classes", t)], ["2"], "classes counts both")


def p06_classes():
    """Every class of the table can be had, and time of none is told."""
    table = {}
    schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../schemas/kernel_classes.tsv")
    with open(schema, encoding="ascii") as f:
        # "?class" is a doubt about a class, and that must be one, too.
        wanted = {line.split("\t")[0].lstrip("?") for line in f if "\t" in line and line[0] != "#"}
    for name in ("Cijk_Ailk_Bljk_SB_MT64x64x8", "ncclDevKernel_AllReduce", "layer_norm_kernel", "softmax_warp_forward",
                 "MIOpenConvUni", "gemv_kernel", "moe_gemm_kernel", "topk_gating_moe", "rotary_embedding_rope",
                 "embedding_lookup", "reshape_and_cache_kernel", "flash_fwd_kernel", "MIOpenPoolingForward",
                 "rocrand_philox", "dynamic_quant_kernel", "reduce_kernel", "silu_and_mul", "elementwise_kernel",
                 "fft_rtc_fwd", "csrmv_spmv_kernel", "getrf_panel", "rocblas_axpy_kernel", "transpose_kernel",
                 "adam_optimizer_kernel", "__amd_rocclr_copyBuffer", "barrier_sync_kernel", "rocsparse_csrmv",
                 "rocsolver_getf2", "multi_tensor_apply_adam", "__amd_rocclr_gwsInit", "somethingelse"):
        t = trace("c/" + re.sub(r'\W', '_', name), [kernel(name, 100, 10)])
        table.setdefault(rows("classes", t)[0]["class"], name)
    expect(sorted(wanted - set(table)), [], "classes that no name reaches")
    t = trace("c2", [kernel("Cijk_Ailk_MT64", 100, 30), kernel("somethingelse", 200, 10)])
    expect([pick(r, "share", "total_ns", "kernel_pct") for r in rows("gemm", t)][-1],
           ["unclassified", "10", "25.0000"], "gemm: the rest is said")


def p07_many_names():
    """Nothing is lumped together: 5000 kernels, two calls each."""
    n = 5000
    k = [kernel("k%d" % (i % n), 1000 + i * 100, i % n % 90 + 1, corr=i + 1) for i in range(2 * n)]
    c = [call("hipLaunchKernel", i * 100, 10, corr=i + 1) for i in range(2 * n)]
    t = trace("many", k, c)
    got = rows("launch", "-n", "0", t)
    expect(len(got), n, "rows of launch")
    expect({r["kernel_avg_ns"] == "%d.0000" % (int(r["name"][1:]) % 90 + 1) for r in got}, {True}, "their means")
    expect({(r["calls"], r["api_avg_ns"]) for r in got}, {("2", "10.0000")}, "calls")
    expect([pick(r, "kernels", "calls") for r in rows("classes", t)], [[str(n), str(2 * n)]], "classes")


def p08_running_end():
    """A long kernel under two short ones: no gap between the short ones."""
    t = trace("r", [kernel("long", 100, 1000), kernel("short", 150, 50, stream=2), kernel("short", 400, 50, stream=2),
                    kernel("next", 1300, 10)])
    expect([pick(r, "start_ns", "gap_ns", "prev", "next") for r in rows("gaps --list", t)],
           [["1100", "200", "long", "next"]], "gaps --list")
    expect(pick(rows("timeline", t)[0], "busy_ns", "idle_ns"), ["1010", "200"], "timeline")


def p09_stream_0():
    """Stream 0 is a stream; what begins with hip is not communication, a generic collective is."""
    t = trace("z", [kernel("a", 100, 10, stream=0), kernel("a", 200, 10, stream=0), kernel("hipThing", 300, 10, stream=3),
                    kernel(RCCL, 400, 7, stream=0)])
    expect([pick(r, "stream", "gaps", "idle_ns") for r in rows("gaps --per stream", t)][0], ["0", "2", "280"], "gaps")
    expect(pick(rows("timeline", t)[0], "comm_ns", "kernels"), ["7", "4"], "timeline")
    expect(sorted(pick(r, "class", "calls") for r in rows("classes", t)), [["comm", "1"], ["other", "3"]], "classes")


def p10_pooling():
    """Means are of all calls, never sums or means of means; union is not sum."""
    t = trace("m", [kernel("a", 0, 4000)],
              [call("hipDeviceSynchronize", 0, 100), call("hipDeviceSynchronize", 50, 100, tid=10),
               call("hipDeviceSynchronize", 1000, 400), call("hipStreamSynchronize", 3000, 1000)])
    got = [pick(r, "tid", "function", "calls", "total_ns", "window_pct", "avg_ns") for r in rows("sync", t)]
    # The process: [0, 150), [1000, 1400), [3000, 4000) of 4000 ns.  Thread 9, device: 100 + 400, mean 250.
    expect(got[0], ["", "", "4", "1550", "38.7500", "400.0000"], "the process")
    expect(["9", "hipDeviceSynchronize", "2", "500", "12.5000", "250.0000"] in got, True, "one thread")


def p11_never_nan():
    """One kernel, also of no length: no sub-command divides by nothing."""
    for ns, form in itertools.product((0, 7), ("csv", "json", "text", "md", "tsv")):
        t = trace("n%d" % ns, [kernel("k", 50, ns, corr=1)], [call("hipDeviceSynchronize", 10, 0, corr=1)],
                  [copy(50, 0)], [call("r", 10, 0, domain="MARKER_CORE_API")], [alloc(5, 4096, 1), alloc(7, 4096, 0)])
        for sub in SUBS:
            status, out, _ = kstats(sub, t, form=form)
            expect(status in (0, 2), True, "%s -f %s: status" % (sub, form))
            expect(re.findall(r'(?i)\bnan\b|\binf\b', out), [], "%s -f %s" % (sub, form))


def p12_status():
    """Trouble is status 2 and a word on stderr, in each of them."""
    good = whole("st")
    for sub in SUBS:
        for args in (["missing.csv"], [good, "missing.csv"], ["--no-such", good], ["-f", "xls", good],
                     ["--columns", "nme", good], ["-w", "x..y", good], ["-j", "0", good]):
            status, _, err = kstats(sub, "-q", *args)
            expect((status, err.startswith("kstats: error: ")), (2, True), "%s %s" % (sub, " ".join(args)))
        expect(kstats(sub, "-q", good)[0], 0, sub + " of a good one")
        # What to type next names the operands.
        both, one = (re.sub(r"(?m)^finding\.[0-9]*\.command,.*\n", "", kstats(sub, "-q", *words)[1])
                     for words in ([good, "missing.csv"], [good]))
        expect(both, one, sub + ": what can be read")


def p13_long():
    """5 s and days fit; sums of them do as well."""
    s = 10 ** 9
    t = trace("l", [kernel("a", s, 5 * s, corr=1), kernel("a", 90 * s, 86400 * s, corr=2)],
              [call("hipLaunchKernel", 10, 10, corr=1), call("hipDeviceSynchronize", s, 86489 * s, corr=2)])
    expect(pick(rows("timeline", t)[0], "window_ns", "busy_ns"), [str(86489 * s), str(86405 * s)], "timeline")
    expect(pick(rows("gaps", t)[0], "idle_ns", "max_ns"), [str(84 * s), str(84 * s)], "gaps")
    expect(pick(rows("launch", t)[0], "kernel_avg_ns"), ["%d.0000" % (86405 * s // 2) + ""], "launch")
    expect(pick(rows("sync", t)[0], "total_ns", "max_ns"), [str(86489 * s)] * 2, "sync")


def p14_many_inputs():
    """64 ranks: a row each, and one database of them all."""
    paths = ["%d=%s" % (i, put("p14/%d_kernel_trace.csv" % i, KERNEL_HEAD + kernel("k", 100, i + 1)))
             for i in range(64)]
    expect([pick(r, "rank", "busy_ns") for r in rows("timeline", *paths)],
           [[str(i), str(i + 1)] for i in range(64)], "timeline")
    subprocess.run(["tracemerge", "-q", "-o", "p14.db", *paths], check=False)
    with sqlite3.connect("p14.db") as db:
        expect(db.execute("SELECT count(DISTINCT rank), count(*), sum(duration) FROM kernels").fetchall(),
               [(64, 64, 64 * 65 // 2)], "tracemerge")
    for sub in ("timeline", "ranks", "classes"):
        expect(rows(sub, "p14.db"), rows(sub, *paths), sub + " of the database")


def p15_identical_rows():
    """Two rows that are the same are two events, merged or not; two copies of a file are one."""
    t = trace("i", [kernel("a", 100, 10), kernel("a", 100, 10)])
    subprocess.run(["tracemerge", "-q", "-o", "i.db", t], check=False)
    for source in (t, "i.db"):
        expect(pick(rows("timeline", source)[0], "kernels", "busy_ns", "concurrency_max"), ["2", "10", "2"], source)
        expect(pick(rows("classes", source)[0], "calls", "total_ns"), ["2", "20"], source)
    put("i/2_kernel_trace.csv", open("i/1_kernel_trace.csv", encoding="ascii").read())
    expect(pick(rows("timeline", "i/1_kernel_trace.csv", "i/2_kernel_trace.csv")[0], "kernels"), ["2"], "a copy")


def p16_per_gap():
    """Each gap in the bin of its own length, not of a sum."""
    t = trace("g", [kernel("a", 0, 10), kernel("a", 20, 10), kernel("a", 40, 10), kernel("a", 1050, 10)])
    got = [pick(r, "from_ns", "to_ns", "gaps", "total_ns") for r in rows("gaps --hist", t) if r["gaps"] != "0"]
    expect(got, [["8", "16", "2", "20"], ["512", "1024", "1", "1000"]], "gaps --hist")


def p17_nothing_and_negative():
    """Nothing is trouble; a kernel that starts before its call ends has no queue time, not a negative one."""
    os.makedirs("void", exist_ok=True)
    for path in (put("e1_kernel_trace.csv", ""), put("e2_kernel_trace.csv", KERNEL_HEAD), "void", "/dev/null"):
        for sub in SUBS:
            status, out, err = kstats(sub, "-q", path)
            expect((status, len(out.splitlines()) <= 1, err != ""), (2, True, True), "%s of %s" % (sub, path))
    t = trace("neg", [kernel("a", 150, 10, corr=1), kernel("b", 50, 10, corr=2), kernel("c", 300, 10, corr=3)],
              [call("hipLaunchKernel", 100, 100, corr=1), call("hipLaunchKernel", 90, 10, corr=2),
               call("hipLaunchKernel", 200, 50, corr=3)])
    got = {r["name"]: pick(r, "calls", "qcalls", "queue_avg_ns") for r in rows("launch", t)}
    expect(got, {"a": ["1", "0", ""], "b": ["1", "0", ""], "c": ["1", "1", "50.0000"]}, "launch")
    for r in rows("gaps --list", t):
        expect(sum(int(r[c + "_ns"]) for c in ("sync", "host", "launch", "device", "unknown")), int(r["gap_ns"]),
               "causes of a gap")


def p18_one_population():
    """What a line counts is what it sums, whatever is shown; two streams of a device are not added up."""
    t = trace("t", [kernel("a", 0, 100), kernel("b", 50, 100, stream=2), kernel("c", 200, 5)])
    expect(pick(rows("timeline", t)[0], "busy_ns", "idle_ns", "window_ns"), ["155", "50", "205"], "timeline")
    expect(pick(rows("gaps", t)[0], "gaps", "idle_ns"), ["1", "50"], "gaps of the device")
    expect([pick(r, "stream", "gaps", "idle_ns") for r in rows("gaps --per stream", t)],
           [["1", "1", "100"], ["2", "0", "0"]], "gaps of its streams")
    expect("gaps are per stream" in kstats("gaps --per stream", t)[2], True, "gaps of streams: said")
    all_, few = rows("gaps --list", "-n", "0", whole("t2")), rows("gaps --list", "-n", "1", "t2")
    expect(few, all_[:1], "-n shows less and changes nothing")


def p19_sql():
    """The same database, asked by kstats and in SQL."""
    t = whole("sql")
    subprocess.run(["tracemerge", "-q", "-o", "sql.db", t], check=False)
    with sqlite3.connect("sql.db") as db:
        want = db.execute("SELECT count(*), sum(duration) FROM kernels").fetchone()
        spans = {}
        for agent, start, end in db.execute('SELECT agent_abs_index, start, "end" FROM kernels'):
            spans.setdefault(agent, []).append((start, end))
    got = rows("classes", "sql.db")
    expect((sum(int(r["calls"]) for r in got), sum(int(r["total_ns"]) for r in got)), want, "kernels")
    expect([(int(r["agent"]), int(r["kernels"])) for r in rows("timeline", "sql.db")],
           [(a, len(s)) for a, s in sorted(spans.items())], "kernels of the agents")
    for sub in SUBS:
        if sub != "summary":  # which says how many inputs there were
            expect(rows(sub, "sql.db"), rows(sub, t), sub)


def p20_order():
    """Rows in any order, the same bytes; ties stand in an order of their own."""
    whole("ord")
    files = {}
    for name in os.listdir("ord"):
        with open("ord/" + name, encoding="ascii") as f:
            files[name] = f.readlines()
    first = {(s, f): kstats(s, "-q", "ord", form=f)[1] for s in SUBS for f in ("csv", "text", "json")}
    for seed in range(4):
        for name, lines in files.items():
            body = lines[1:]
            random.Random(seed).shuffle(body)
            put("ord/" + name, lines[0] + "".join(body))
        for (sub, form), out in first.items():
            expect(kstats(sub, "-q", "ord", form=form)[1], out, "seed %d: %s -f %s" % (seed, sub, form))


def main():
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        cases = [f for name, f in sorted(globals().items()) if re.match(r'p\d\d_', name)]
        for case in effort.most(cases):
            try:
                case()
            except (IndexError, KeyError, ValueError, sqlite3.Error) as why:
                bad.append("%s: no such answer: %r" % (case.__name__, why))
        os.chdir("/")
    for line in bad[:60]:
        print("DIFFERS " + line.replace("\n", "\\n")[:600])
    print("%d defects of others tried, %d checks, %d differences" % (len(cases), checks, len(bad)))
    sys.exit(1 if bad else 0)


main()
