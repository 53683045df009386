# SPDX-License-Identifier: MIT
"""steps.py FOLDER...: see steps.sh

Written from the definition: time is cut wherever anything begins or ends, and each bit of it is asked what
it is; the tool walks unions of intervals."""
import collections
import gzip
import json
import os
import random
import re
import sys
import tempfile
from decimal import ROUND_DOWN, Decimal, localcontext

import effort
import questions as q

PARTS = ("compute", "comm", "copies", "wait", "move", "sync", "idle")
KERNELS = {"compute": "Cijk_Ailk_Bljk_HHS_BH_MT128x64x32", "comm": "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
           "wait": "__amd_rocclr_streamOpsWait", "move": "__amd_rocclr_copyBuffer.kd"}
LAUNCHES = ("hipLaunchKernel", "hipExtModuleLaunchKernel", "hipGraphLaunch")
Step = collections.namedtuple("Step", "number lo hi")
Op = collections.namedtuple("Op", "kind lo hi bytes")  # kind: a part, "sync" for a wait of the host, "on host" for a copy there


def parts_of(step, ops):
    """Each instant is the first of these that anything of it runs at."""
    mine = [o for o in ops if o.lo < step.hi and o.hi > step.lo]
    edges = sorted({step.lo, step.hi} | {t for o in mine for t in (o.lo, o.hi) if step.lo < t < step.hi})
    out = dict.fromkeys(PARTS, 0)
    out["waited"] = 0
    for lo, hi in zip(edges, edges[1:]):
        here = {o.kind for o in mine if o.lo <= lo and o.hi >= hi}
        out[next((k for k in ("compute", "comm", "move", "copies", "wait", "sync") if k in here), "idle")] += hi - lo
        out["waited"] += (hi - lo) * ("sync" in here)
    return out


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


def expect_rank(rank, steps, ops):
    work = [o for o in ops if o.kind not in ("sync", "launch", "on host")]
    copies = [o for o in ops if o.kind in ("copies", "on host")]
    calls = any(o.kind in ("sync", "launch") for o in ops)
    measured = [parts_of(s, ops) for s in steps]
    times = [s.hi - s.lo for s in steps]
    middle = lower_median(times)
    spread = lower_median([abs(t - middle) for t in times])
    usual = {p: lower_median([m[p] for m in measured]) for p in PARTS}
    usual_idle = lower_median([m["sync"] + m["idle"] for m in measured])
    usual_busy = lower_median([time - m["sync"] - m["idle"] for m, time in zip(measured, times)])
    usual_kernels = lower_median([sum(s.lo <= o.lo < s.hi for o in work if o.kind != "copies") for s in steps])
    first, last = min((o.lo for o in work), default=0), max((o.hi for o in work), default=0)
    out = []
    for s, m, time in zip(steps, measured, times):
        inside = [o for o in copies if s.lo <= o.lo < s.hi]
        row = {"rank": rank, "step": s.number, "start_ns": s.lo, "window_ns": time, "busy_ns": time - m["sync"] - m["idle"],
               "compute_ns": m["compute"], "exposed_comm_ns": m["comm"], "exposed_copy_ns": m["copies"],
               "idle_ns": m["sync"] + m["idle"], "kernels": sum(s.lo <= o.lo < s.hi for o in work if o.kind != "copies"),
               "sync_ns": m["waited"] if calls else "",
               "copied_bytes": sum(o.bytes for o in inside) if copies and all(o.bytes is not None for o in inside) else "",
               "slow": "", "wait_ns": m["wait"], "move_ns": m["move"], "sync_idle_ns": m["sync"] if calls else "",
               "over_ns": "", "grew_ns": "", "over_gpu_ns": 0 if work and len(steps) >= 5 else None,
               "launches": sum(o.kind == "launch" and s.lo <= o.lo < s.hi for o in ops) if calls else ""}
        if not work:
            row |= {k: "" for k in row if k not in ("rank", "step", "start_ns", "window_ns", "sync_ns", "slow", "over_ns", "launches",
                                                    "copied_bytes", "over_gpu_ns")}
        over = time - middle
        if len(steps) >= 5 and over > 5 * spread and 20 * over > middle:
            grown = {p: m[p] - usual[p] for p in PARTS}
            best = max(PARTS, key=lambda p: (grown[p], -PARTS.index(p)))
            row["over_ns"] = over
            # Idle time before the first work and after the last is no loss of the GPU, nor is work of other steps.
            outside = time - max(0, min(s.hi, last) - max(s.lo, first))
            lost = max(0, row["idle_ns"] - usual_idle - outside) if work else 0
            if work and row["kernels"] <= usual_kernels:
                lost += max(0, row["busy_ns"] - usual_busy)
            row["over_gpu_ns"] = min(over, lost) if work else None
            row["slow"] = "unknown" if not work else best if grown[best] > 0 else "several"
            row["grew_ns"] = grown[best] if work and grown[best] > 0 else ""
        out.append(row)
    return out


def total_of(rank, rows, judged):
    times = sorted(int(r["window_ns"]) for r in rows)
    n = len(times)
    row = {"rank": rank, "steps": n, "median_ns": times[(n - 1) // 2], "p95_ns": times[-(-95 * n // 100) - 1],
           "mean_ns": q.ratio(sum(times), n), "slow": sum(r["slow"] != "" for r in rows) if judged else "", "source": "marker",
           "over_ns": sum(int(r["over_ns"] or 0) for r in rows) if judged else ""}
    over = [r["over_gpu_ns"] for r in rows if r["over_gpu_ns"] is not None]
    row["over_gpu_ns"] = sum(over) if judged and over else ""
    row["later_ns"] = row["later_pct"] = ""
    if rank != "" and n >= 20:
        early, late = (sorted(int(r["window_ns"]) for r in part) for part in (rows[:n // 2], rows[n // 2:]))
        early, late = (v[(len(v) - 1) // 2] for v in (early, late))
        row["later_ns"] = max(0, late - early) * (n - n // 2)
        row["later_pct"] = q.ratio(100 * max(0, late - early), early)
    return row, times


def check(what, runs, inputs):
    """runs: rank -> (steps, ops)."""
    want = {rank: expect_rank(rank, *run) for rank, run in sorted(runs.items()) if run[0]}
    rows = [r for own in want.values() for r in own]
    shown = [{k: v for k, v in r.items() if k != "over_gpu_ns"} for r in rows]
    q.differ(f"kstats steps {what}", q.ask("steps", *inputs), shown)
    got = q.ask("steps --total", *inputs)
    totals = [total_of(rank, own, len(own) >= 5) for rank, own in want.items()]
    if len(want) > 1:
        totals.append(total_of("", rows, any(len(own) >= 5 for own in want.values())))
    for (_, times), row in zip(totals, got):
        said = row.pop("stddev_ns")
        n = len(times)
        if n < 2:
            if said:
                q.say(f"{what}: a deviation of one step")
            continue
        with localcontext() as c:
            c.prec = 60
            true = (Decimal(n * sum(t * t for t in times) - sum(times) ** 2) / (n * (n - 1))).sqrt()
        if abs(Decimal(said or "-1") - true) > Decimal("0.00006") + true * Decimal("1e-15"):
            q.say(f"{what}: deviation {said}, not {true}")
    q.differ(f"kstats steps --total {what}", got, [row for row, _ in totals])
    for row in q.ask("regions --steps", *inputs):
        same = next((r for r in rows if (str(r["rank"]), str(r["start_ns"])) == (row["rank"], row["start_ns"])), None)
        if not same or any(str(same[k]) != v for k, v in row.items()):
            q.say(f"{what}: regions --steps has another row for step {row['step']}")
    q.compared["tables"] += 1
    q.compared["slow steps"] += sum(r["slow"] != "" for r in rows)


# ---- random ones ----

def random_run(rng):
    """Steps that follow each other, most alike, with work in and between them."""
    steps, ops, at = [], [], 10**12 + rng.randrange(1000)
    usual = rng.choice([50, 1000, 200000])
    silent, idle_gpu = rng.random() < .2, rng.random() < .1
    unsized = rng.choice([0, 0, .1, 1])
    for i in range(rng.choice([1, 2, 4, 5, 9, 30])):
        length = usual + rng.randrange(usual // rng.choice([5, 50]) + 1)
        start = at
        kinds = [rng.choice(("compute", "compute", "comm", "copies", "wait", "move", "sync", "launch", "on host")) for _ in range(rng.randrange(8))]
        if rng.random() < .15:
            length += rng.randrange(1, usual)
        for kind in kinds:
            host = kind in ("sync", "launch")
            if host and silent or not host and kind != "on host" and idle_gpu:
                continue
            lo = start + rng.randrange(length)
            size = None if rng.random() < unsized else rng.choice([0, 1, 4096, 1 << 33, rng.randrange(1 << 20)])
            ops.append(Op(kind, lo, lo + rng.randrange(length // 2 + 2), size if kind in ("copies", "on host") else 0))
        steps.append(Step(3 + i, start, start + length))
        at = start + length + rng.choice([0, 0, rng.randrange(usual)])
    return steps, ops


def kineto(path, rank, steps, ops, rng):
    """Events in random order."""
    def event(cat, name, pid, tid, lo, hi, args):
        return '{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":%d,"ts":%d.%03d,"dur":%d.%03d,"args":%s}' % (
            cat, name, pid, tid, lo // 1000, lo % 1000, (hi - lo) // 1000, (hi - lo) % 1000, json.dumps(args))
    lines = [event("user_annotation", f"ProfilerStep#{s.number}", 1, 10, s.lo, s.hi, {}) for s in steps]
    for i, o in enumerate(ops):
        gpu = {"device": 0, "stream": 7, "correlation": 100 + i}
        if o.kind == "launch":
            lines.append(event("cuda_runtime", LAUNCHES[i % 3], 1, 10 + i % 2, o.lo, o.hi, {"correlation": 100 + i}))
        elif o.kind == "sync":
            lines.append(event("cuda_runtime", "hipDeviceSynchronize", 1, 10 + i % 2, o.lo, o.hi, {"correlation": 100 + i}))
        elif o.kind in ("copies", "on host"):
            size = {} if o.bytes is None else {"bytes": o.bytes}
            name = "Memcpy HtoD (Host -> Device)" if o.kind == "copies" else "Memcpy HtoH (Host -> Host)"
            lines.append(event("gpu_memcpy", name, 0, 7, o.lo, o.hi, gpu | size))
        else:
            lines.append(event("kernel", KERNELS[o.kind], 0, 7, o.lo, o.hi, gpu))
    rng.shuffle(lines)
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"schemaVersion":1,"deviceProperties":[],"distributedInfo":{"rank":%d},"traceEvents":[\n%s\n]}\n' % (rank, ",\n".join(lines)))
    return path


API = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
KERNEL = '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
COPY = '"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'


def tables(folder, stem, steps, ops, rng):
    """The same as CSV, which knows no sizes of copies.  Copies between two GPUs are on both."""
    lines = {"marker_api": (API, []), "hip_api": (API, []), "kernel": (KERNEL, []), "memory_copy": (COPY, [])}
    for s in steps:
        lines["marker_api"][1].append(f'"MARKER_CORE_RANGE_API","train_step {s.number}",7,1,{s.number},{s.lo},{s.hi}\n')
    for i, o in enumerate(ops):
        if o.kind == "launch":
            lines["hip_api"][1].append(f'"HIP_RUNTIME_API","{LAUNCHES[i % 3]}",7,{1 + i % 2},{100 + i},{o.lo},{o.hi}\n')
        elif o.kind == "sync":
            lines["hip_api"][1].append(f'"HIP_RUNTIME_API","hipStreamSynchronize",7,{1 + i % 2},{100 + i},{o.lo},{o.hi}\n')
        elif o.kind == "copies":
            lines["memory_copy"][1].append(f'"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_DEVICE",0,"Agent 4","Agent 5",{100 + i},{o.lo},{o.hi}\n')
        elif o.kind == "on host":
            lines["memory_copy"][1].append(f'"MEMORY_COPY","MEMORY_COPY_HOST_TO_HOST",0,"Agent 0","Agent 0",{100 + i},{o.lo},{o.hi}\n')
        else:
            lines["kernel"][1].append(f'"KERNEL_DISPATCH","Agent {4 + i % 2}",1,0,1,{i + 1},1,"{KERNELS[o.kind]}",{100 + i},{o.lo},{o.hi}\n')
    for word, (head, own) in lines.items():
        rng.shuffle(own)
        if own:
            yield q.put(folder, f"{stem}_{word}_trace.csv", head, own)


def same(what, question, want, *inputs):
    q.compared["laws"] += 1
    if q.run("kstats", *question.split(), "-q", *inputs)[:2] != want:
        q.say(f"{what}: {question} differs from -j 1")


def random_ones(work, rounds):
    rng = random.Random(23)
    for n in range(rounds):
        folder = os.path.join(work, str(n))
        os.mkdir(folder)
        runs = {rank: random_run(rng) for rank in range(rng.choice([1, 1, 3]))}
        if n % 2:
            runs = {rank: (s, [o._replace(bytes=None) if o.kind in ("copies", "on host") else o for o in ops]) for rank, (s, ops) in runs.items()}
        def write(stem):
            if n % 2:
                return [f"{rank}={p}" for rank, run in runs.items() for p in tables(folder, f"{stem}{rank}", *run, rng)]
            return [f"{rank}=" + kineto(os.path.join(folder, f"{stem}{rank}.json"), rank, *run, rng) for rank, run in runs.items()]
        one, other = write("a"), write("b")
        rng.shuffle(other)
        check(f"random {n}", runs, one)
        db = os.path.join(folder, "run.db")
        q.run("tracemerge", "-q", "--align", "none", "-o", db, *one)
        for question in "steps -f csv", "steps --total -f csv", "steps -f text", "steps -f csv -w 20%..70%", "steps -f csv --skip 1":
            want = q.run("kstats", *question.split(), "-q", "-j", "1", *one)[:2]
            for how, inputs in (("-j 4", ["-j", "4", *one]), ("permuted", other), ("run.db", [db])):
                same(f"random {n}, {how}", question, want, *inputs)


# ---- Kineto traces as they are ----

def ns(us):
    return int((Decimal(us) * 1000).to_integral_value(ROUND_DOWN))


def check_kineto(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        data = json.load(f, parse_float=str, parse_int=str)
    if isinstance(data, list):
        return
    base = int(data.get("baseTimeNanoseconds", 0))
    steps, work = [], []
    for e in data["traceEvents"]:
        if e.get("ph") != "X" or "ts" not in e:
            continue
        cat, lo = e.get("cat", "").lower(), base + ns(e["ts"])
        hi = lo + ns(e.get("dur", 0))
        named = re.fullmatch(r"ProfilerStep#(\d+)", e["name"])
        if named and cat in ("user_annotation", "cpu_op", "operator"):
            steps.append((lo, hi, int(named[1]), (e["pid"], e["tid"])))
        elif cat == "kernel" or cat in ("gpu_memcpy", "gpu_memset", "memcpy", "memset"):
            if "HtoH" not in e["name"]:
                work.append((lo, hi, cat == "kernel", (e.get("args") or {}).get("bytes")))
    steps.sort()
    if not steps or len({s[3] for s in steps}) > 1 or any(b[0] < a[1] for a, b in zip(steps, steps[1:])):
        return
    want = []
    copies = [w for w in work if not w[2]]
    for lo, hi, number, _ in steps:
        inside = [w for w in copies if lo <= w[0] < hi]
        row = {"step": number, "start_ns": lo, "window_ns": hi - lo}
        if work:
            row["busy_ns"] = q.length([(max(a, lo), min(b, hi)) for a, b, _, _ in work if max(a, lo) < min(b, hi)])
            row["idle_ns"] = hi - lo - row["busy_ns"]
            row["kernels"] = sum(lo <= w[0] < hi for w in work if w[2])
        row["copied_bytes"] = sum(int(w[3]) for w in inside) if copies and all(w[3] is not None for w in inside) else ""
        want.append(row)
    got = [{k: row[k] for k in want[0]} for row in q.ask("steps", path)]
    q.differ(f"kstats steps {path}", got, want)
    q.compared["Kineto traces"] += 1
    q.compared["steps of Kineto traces"] += len(want)


def kineto_traces(folders):
    for folder in folders:
        for at, dirs, files in os.walk(folder):
            dirs.sort()
            for file in sorted(files):
                path = os.path.join(at, file)
                if file.endswith((".json", ".json.gz")) and os.path.getsize(path) < q.LIMIT:
                    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
                        try:
                            if b'"traceEvents"' in f.read(1 << 16):
                                yield path
                        except (OSError, EOFError):
                            continue


found = list(kineto_traces(sys.argv[1:]))
some = set(effort.most(found))
for trace in found:
    if trace not in some and q.compared["Kineto traces"]:
        continue
    try:
        check_kineto(trace)
    except (ValueError, EOFError):
        q.compared["broken files passed over"] += 1
with tempfile.TemporaryDirectory() as tmp:
    random_ones(tmp, effort.rounds(60))
q.finish({"tables": 60, "slow steps": 40, "Kineto traces": 2, "laws": 800})
