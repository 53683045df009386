# SPDX-License-Identifier: MIT
"""sync.py FOLDER...: kstats sync against its definition, from the calls that tracecat prints."""
import collections
import fnmatch
import os
import re
import sys
import tempfile

import questions as q

DEF = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../schemas/sync_calls.def")
WAITS = collections.defaultdict(list)
with open(DEF, encoding="utf-8") as f:
    for api, pattern in re.findall(r'^WAIT\((\w+), "([^"]+)"\)', f.read(), re.M):
        WAITS[api.lower()].append(pattern)
APIS = {"hip", "hsa", "rccl", "rocdecode", "rocjpeg"}


def waits(e, api):
    return e["domain"] == api and any(fnmatch.fnmatchcase(e["name"], p) for p in WAITS[api])


def number(text):
    return (text != "", int(text or 0))


def parts(intervals, busy, during):
    """Of each interval, how much is asked for."""
    for lo, hi in intervals:
        inside = sum(max(0, min(hi, b[1]) - max(lo, b[0])) for b in busy if b[0] < hi and b[1] > lo)
        yield {"": hi - lo, "busy": inside, "idle": hi - lo - inside}[during]


def stats(intervals, busy, during, window):
    whole = sum(parts(q.union(intervals), busy, during))
    each = sorted(n for n in parts(intervals, busy, during) if n or not during)
    p99 = each[(990 * len(each) + 999) // 1000 - 1] if each else ""
    return {"calls": len(each), "total_ns": whole, "window_pct": q.ratio(100 * whole, window),
            "avg_ns": q.ratio(sum(each), len(each)), "p99_ns": p99, "max_ns": each[-1] if each else ""}


def expect(calls, work, during):
    out = []
    processes = collections.defaultdict(list)
    for e in calls:
        processes[int(e["rank"]), number(e["pid"])].append(e)
    for (rank, pid), mine in sorted(processes.items()):
        if not any(e["domain"] in ("hip", "hsa") for e in mine):
            continue
        api = "hip" if any(e["domain"] == "hip" and int(e["rank"]) == rank for e in calls) else "hsa"
        window = max(e["hi"] for e in mine) - min(e["lo"] for e in mine)
        busy = q.union((e["lo"], e["hi"]) for e in work if int(e["rank"]) == rank)
        by = collections.defaultdict(list)
        for e in mine:
            if waits(e, api):
                by[number(e["tid"]), e["name"]].append((e["lo"], e["hi"]))
        head = {"rank": rank, "pid": pid[1] if pid[0] else ""}
        out.append(head | {"tid": "", "function": ""} | stats([i for v in by.values() for i in v], busy, during, window))
        rows = []
        for (tid, name), v in by.items():
            row = head | {"tid": tid[1] if tid[0] else "", "function": name} | stats(v, busy, during, window)
            if row["calls"] or row["total_ns"]:
                rows.append((-row["total_ns"], tid, name.encode("utf-8", "surrogateescape"), row))
        out += [r[3] for r in sorted(rows, key=lambda r: r[:3])]
    return out


def close(got, want):
    """Quantiles of more than 1024 calls are within 1/128."""
    for g, w in zip(got, want):
        if int(w["calls"]) > 1024 and g["p99_ns"] and abs(int(g["p99_ns"]) - w["p99_ns"]) * 128 <= w["p99_ns"]:
            w["p99_ns"] = g["p99_ns"]


def check(inputs):
    every = [e for e in q.events("kernel,copy,api", *inputs) if e["start_ns"] and e["end_ns"]]
    for e in every:
        e["lo"], e["hi"] = int(e["start_ns"]), int(e["end_ns"])
    calls = [e for e in every if e["kind"] == "api" and e["domain"] in APIS]
    work = [e for e in every if e["kind"] in ("kernel", "copy")]
    if not any(e["domain"] in ("hip", "hsa") for e in calls):
        return
    totals = []
    for during in ("", "busy", "idle") if len(work) < 3000 else ("",):
        got = q.ask("sync" + (" --during " + during if during else ""), *inputs)
        want = expect(calls, work, during)
        close(got, want)
        q.differ(f"kstats sync {during} {' '.join(inputs)}", got, want)
        totals.append({(r["rank"], r["pid"], r["tid"], r["function"]): int(r["total_ns"]) for r in got})
        q.compared["traces"] += 1
    for key, whole in totals[0].items() if len(totals) == 3 else ():
        if totals[1].get(key, 0) + totals[2].get(key, 0) != whole:
            q.say(f"{inputs}: {key}: busy and idle do not make the whole")


CALLS = ["hipLaunchKernel", "hipMemcpy", "hipMemcpyAsync", "hipDeviceSynchronize", "hipStreamSynchronize", "hipFree",
         "hipMalloc", "hipMemcpyDtoH", "hipMemcpyDtoHAsync", "hipStreamWaitValue32"]
HSA = ["hsa_signal_wait_scacquire", "hsa_signal_wait_relaxed", "hsa_queue_create"]
API = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
KERNELS = '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'


def tables(rng):
    out = {}

    def span():
        start = 10**12 + rng.randrange(10**rng.randint(2, 7))
        return start, start + (0 if rng.random() < .05 else rng.randrange(1, 10**rng.randint(1, 6)))

    def api(domain, names):
        return [f'"{domain}","{rng.choice(names)}",{rng.choice([7, 7, 8])},{rng.randint(1, 3)},{i + 1},{lo},{hi}\n'
                for i, (lo, hi) in enumerate(span() for _ in range(rng.randint(1, 200)))]
    if rng.random() < .8:
        out["hip_api_trace"] = (API, api("HIP_RUNTIME_API_EXT", CALLS))
    if not out or rng.random() < .5:
        out["hsa_api_trace"] = (API, api("HSA_CORE_API", HSA))
    if rng.random() < .3:
        out["rccl_api_trace"] = (API, api("RCCL_API", ["ncclAllReduce"]))
    if rng.random() < .8:
        out["kernel_trace"] = (KERNELS, [f'"KERNEL_DISPATCH","Agent {rng.choice([4, 5])}","k",{i + 1},{lo},{hi}\n'
                                         for i, (lo, hi) in enumerate(span() for _ in range(rng.randint(1, 200)))])
    return out


for trace in q.traces(sys.argv[1:], ("kernel_trace", "api_trace", "copy_trace", "regions_trace", "runtime_trace")):
    check(trace)
with tempfile.TemporaryDirectory() as tmp:
    for files in q.laws(tmp, ("sync", "sync --during busy", "sync --during idle", "sync -w 20%..70%",
                              "sync -w 20%..70% --during busy"), tables, 25):
        check(files)
q.finish({"traces": 100, "laws": 300})
