# SPDX-License-Identifier: MIT
"""sync.py FOLDER...: kstats sync against its definition, from the calls that tracecat prints."""
import collections
import fnmatch
import functools
import os
import re
import sys
import tempfile

import effort
import questions as q

DEF = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../schemas/sync_calls.def")
WAITS = collections.defaultdict(list)
KINDS = {}  # of each pattern
with open(DEF, encoding="utf-8") as f:
    for api, kind, pattern in re.findall(r'^WAIT\((\w+), (\w+), "([^"]+)"\)', f.read(), re.M):
        WAITS[api.lower()].append(pattern)
        KINDS[pattern] = kind.lower()
APIS = {"hip", "hsa", "rccl", "rocdecode", "rocjpeg"}


@functools.lru_cache(maxsize=None)
def is_wait(api, name):
    return any(fnmatch.fnmatchcase(name, p) for p in WAITS[api])


def waits(e, api):
    return e["domain"] == api and is_wait(api, e["name"])


@functools.lru_cache(maxsize=None)
def kind_of(api, name):
    return next(KINDS[p] for p in WAITS[api] if fnmatch.fnmatchcase(name, p))


def number(text):
    return (text != "", int(text or 0))


def clip(intervals, window):
    return [(max(lo, window[0]), min(hi, window[1])) for lo, hi in intervals if max(lo, window[0]) < min(hi, window[1])]


def asked(intervals, busy, during):
    """Of a set of intervals, how much is asked for, and how much of that the GPU was idle."""
    whole, idle = q.length(intervals), q.minus(intervals, busy)
    return {"": (whole, idle), "busy": (whole - idle, 0), "idle": (idle, idle)}[during]


def stats(intervals, busy, during, gpu, host, idle_known):
    """gpu, host: windows; gpu None: there is none."""
    inside = clip(intervals, gpu) if gpu else intervals
    total, idle = asked(inside, busy, during)
    each = []
    for lo, hi in intervals:
        if not gpu or gpu[0] <= lo < gpu[1]:
            n = asked(clip([(lo, hi)], gpu) if gpu else [(lo, hi)], busy, during)[0] if during else hi - lo
            each += [n] if n or not during else []
    each.sort()
    size = gpu[1] - gpu[0] if gpu else 0
    p99 = each[(990 * len(each) + 999) // 1000 - 1] if each else ""
    return {"calls": len(each), "total_ns": total, "window_pct": q.ratio(100 * total, size) if gpu else "",
            "host_pct": q.ratio(100 * asked(clip(intervals, host), busy, during)[0], host[1] - host[0]),
            "idle_ns": idle if idle_known else "", "idle_pct": q.ratio(100 * idle, size) if idle_known else "",
            "avg_ns": q.ratio(sum(each), len(each)), "p99_ns": p99, "max_ns": each[-1] if each else ""}


def first_of(work, rank, window):
    """When the first kernel of a rank that computes or communicates begins; 0 = there is none, or somebody chose the window."""
    of = [e["lo"] for e in work if int(e["rank"]) == rank and e["kind"] == "kernel" and e["class"] not in ("memory", "sync")]
    return 0 if window and window[0] else min(of, default=0)


def by_kind(head, by, api, how, first, out):
    """Rows of --kinds: the union over threads of the calls of a kind; the call that is idle longest in all threads."""
    busy, during, gpu = how[:3]
    for kind in ("sync", "copy", "fill", "free", "host_free"):
        mine = {k: v for k, v in by.items() if kind_of(api, k[1]) == kind}
        weights = collections.defaultdict(lambda: [0, 0])
        for (_, name), v in mine.items():
            total, idle = asked(clip(v, gpu) if gpu else v, busy, during)
            weights[name][0] += idle
            weights[name][1] += total
        most = min(((-idle, -total, name) for name, (idle, total) in weights.items() if total), default=(0, 0, ""))
        every = [i for v in mine.values() for i in v]
        row = stats(every, *how)
        inside = clip(every, (max(first, gpu[0]), gpu[1])) if gpu else []
        out.append(head | {"kind": kind, "call": most[2]} |
                   {c: row[c] for c in ("calls", "total_ns", "window_pct", "idle_ns", "idle_pct")} |
                   {"later_idle_ns": asked(inside, busy, during)[1] if row["idle_ns"] != "" else ""})


def expect(calls, work, during, window=None, kinds=False):
    out = []
    processes, named = collections.defaultdict(list), collections.defaultdict(set)
    for e in calls + work:
        named[int(e["rank"])].update([e["pid"]] if e["pid"] else [])
    for e in calls:
        known = named[int(e["rank"])]
        pid = e["pid"] or (min(known) if len(known) == 1 else "")  # what all that is named names
        processes[int(e["rank"]), number(pid)].append(e)
    for (rank, pid), mine in sorted(processes.items()):
        if not any(e["domain"] in ("hip", "hsa") for e in mine):
            continue
        api = "hip" if any(e["domain"] == "hip" and int(e["rank"]) == rank for e in calls) else "hsa"
        host = min(e["lo"] for e in mine), max(e["hi"] for e in mine)
        ops = [(e["lo"], e["hi"]) for e in work if int(e["rank"]) == rank]
        gpu = window or ((min(lo for lo, _ in ops), max(hi for _, hi in ops)) if ops else None)
        gpu = gpu if gpu and gpu[0] < gpu[1] else None
        if window:
            host = max(host[0], window[0]), min(host[1], window[1])
            if host[0] >= host[1]:
                continue
        busy = [tuple(i) for i in q.union(ops)]
        by = collections.defaultdict(list)
        for e in mine:
            if waits(e, api) and (not window or e["lo"] < window[1] and (e["hi"] > window[0] or e["lo"] >= window[0])):
                by[number(e["tid"]), e["name"]].append((e["lo"], e["hi"]))
        head = {"rank": rank, "pid": pid[1] if pid[0] else ""}
        how = busy, during, gpu, host, gpu is not None and ops != []
        if kinds:
            by_kind(head, by, api, how, first_of(work, rank, window), out)
            continue
        out.append(head | {"tid": "", "function": ""} | stats([i for v in by.values() for i in v], *how))
        rows = []
        for (tid, name), v in by.items():
            row = head | {"tid": tid[1] if tid[0] else "", "function": name} | stats(v, *how)
            if row["calls"] or row["total_ns"] or asked(clip(v, host), busy, during)[0]:
                rows.append((-row["total_ns"], tid, name.encode("utf-8", "surrogateescape"), row))
        out += [r[3] for r in sorted(rows, key=lambda r: r[:3])]
    return out


def pooled(calls, work):
    """sync.idle_pct and sync.window_pct of the summary: threads of a rank in one union, over ranks with both sides."""
    whole = waited = idle = 0
    for rank in {e["rank"] for e in calls if e["domain"] in ("hip", "hsa")} & {e["rank"] for e in work}:
        own = [e for e in calls if e["rank"] == rank]
        ops = [(e["lo"], e["hi"]) for e in work if e["rank"] == rank]
        api = "hip" if any(e["domain"] == "hip" for e in own) else "hsa"
        window = min(lo for lo, _ in ops), max(hi for _, hi in ops)
        inside = clip([(e["lo"], e["hi"]) for e in own if waits(e, api)], window)
        whole += window[1] - window[0]
        waited += q.length(inside)
        idle += q.minus(inside, ops)
    return q.ratio(100 * idle, whole), q.ratio(100 * waited, whole)


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
    work = [e for e in every if e["kind"] == "kernel" or e["kind"] == "copy" and e["direction"] != "host_to_host"]
    if not any(e["domain"] in ("hip", "hsa") for e in calls):
        return
    totals = []
    for during in ("", "busy", "idle") if len(work) < 3000 else ("",):
        got = q.ask("sync" + (" --during " + during if during else ""), *inputs)
        want = expect(calls, work, during)
        close(got, want)
        q.differ(f"kstats sync {during} {' '.join(inputs)}", got, want)
        got = q.ask("sync --kinds" + (" --during " + during if during else ""), *inputs)
        q.differ(f"kstats sync --kinds {during} {' '.join(inputs)}", got, expect(calls, work, during, kinds=True))
        q.compared["kinds"] += 1
        totals.append({(r["rank"], r["pid"], r["tid"], r["function"]): int(r["total_ns"]) for r in want})
        q.compared["traces"] += 1
    if any(e["kind"] == "kernel" for e in work):
        page = {r["metric"]: r["value"] for r in q.ask("summary", *inputs)}
        if (page["sync.idle_pct"], page["sync.window_pct"]) != pooled(calls, work):
            q.say(f"kstats summary {inputs}: {page['sync.idle_pct']} and {page['sync.window_pct']}, "
                  f"not {pooled(calls, work)}")
        q.compared["summaries"] += 1
    lo, hi = min(e["lo"] for e in calls), max(e["hi"] for e in calls)
    window = lo + (hi - lo) // 4, lo + (hi - lo) * 5 // 8
    if window[0] < window[1] and len(work) < 3000:
        for during in ("", "idle"):
            got = q.ask(f"sync -w {window[0]}..{window[1]}" + (" --during " + during if during else ""), *inputs)
            want = expect(calls, work, during, window)
            close(got, want)
            q.differ(f"kstats sync {during} -w {window} {' '.join(inputs)}", got, want)
    for key, whole in totals[0].items() if len(totals) == 3 else ():
        if totals[1].get(key, 0) + totals[2].get(key, 0) != whole:
            q.say(f"{inputs}: {key}: busy and idle do not make the whole")


CALLS = ["hipLaunchKernel", "hipMemcpy", "hipMemcpyAsync", "hipDeviceSynchronize", "hipStreamSynchronize", "hipFree",
         "hipMalloc", "hipMemcpyDtoH", "hipMemcpyDtoHAsync", "hipStreamWaitValue32"]
HSA = ["hsa_signal_wait_scacquire", "hsa_signal_wait_relaxed", "hsa_queue_create"]
API = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
COPIES = '"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
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
    if rng.random() < .5:
        ways = [("HOST_TO_HOST", 0, 0), ("HOST_TO_DEVICE", 0, 4), ("DEVICE_TO_HOST", 5, 0)]
        copies = []
        for i in range(rng.randint(1, 20)):
            (way, src, dst), (lo, hi) = rng.choice(ways), span()
            copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}","Agent {src}","Agent {dst}",{i + 1},{lo},{hi}\n')
        out["memory_copy_trace"] = (COPIES, copies)
    return out


for trace in effort.sample(q.traces(sys.argv[1:], ("kernel_trace", "api_trace", "copy_trace", "regions_trace", "runtime_trace"))):
    check(trace)
with tempfile.TemporaryDirectory() as tmp:
    for files in q.laws(tmp, ("sync", "sync --kinds", "sync --during busy", "sync --during idle", "sync -w 20%..70%",
                              "sync -w 20%..70% --during busy"), tables, effort.rounds(25)):
        check(files)
q.finish({"traces": 100, "laws": 300, "summaries": 50})
