# SPDX-License-Identifier: MIT
"""timeline.py FOLDER...: see timeline.sh"""
import collections
import csv
import io
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import effort
import questions as q

csv.field_size_limit(1 << 30)
SHORT_NS = 10000
GEMM = {
    "gemm": {"gemm", "gemv"},
    "gemm+moe": {"gemm", "gemv", "moe_gemm"},
    "matrix": {"gemm", "gemv", "moe_gemm", "conv", "attention"},
    "unclassified": {"other"},
}
bad = 0
compared = collections.Counter()


def say(text):
    global bad
    bad += 1
    print("not ok", text)


def run(*command):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return p.returncode, p.stdout.decode("utf-8", "surrogateescape"), p.stderr.decode("utf-8", "replace")


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def union(intervals):
    """Disjoint and ascending."""
    out = []
    for lo, hi in sorted(i for i in intervals if i[0] < i[1]):
        if out and lo <= out[-1][1]:
            out[-1][1] = max(out[-1][1], hi)
        else:
            out.append([lo, hi])
    return out


def length(u):
    return sum(hi - lo for lo, hi in u)


KIND = {"comm": "C", "memory": "V", "sync": "S"}  # by class; K is every other
FIRST = (("K", "compute"), ("C", "exposed_comm"), ("V", "move"), ("M", "exposed_copy"), ("S", "wait"))


def parts(track):
    """Whose every nanosecond is: each stretch between two edges goes to the first of FIRST that holds it."""
    every = [i for v in track.values() for i in v]
    edges = sorted({t for i in every for t in i})
    at = {t: n for n, t in enumerate(edges)}
    deep = {kind: [0] * len(edges) for kind, _ in FIRST}
    for kind, v in track.items():
        for lo, hi in v:
            deep[kind][at[lo]] += 1
            deep[kind][at[hi]] -= 1
    out, now = collections.Counter(), collections.Counter()
    for n, (lo, hi) in enumerate(zip(edges, edges[1:])):
        for kind, _ in FIRST:
            now[kind] += deep[kind][n]
        out[next((what for kind, what in FIRST if now[kind]), "idle")] += hi - lo
    return out


def deepest(intervals):
    edges = sorted([(lo, 1) for lo, hi in intervals if lo < hi] + [(hi, -1) for lo, hi in intervals if lo < hi])
    now = most = 0
    for _, step in edges:
        now += step
        most = max(most, now)
    return most


def pct(part, whole):
    return ratio(100 * part, whole)


def ratio(part, whole):
    if not whole:
        return ""
    v = (20000 * part + whole) // (2 * whole)
    return f"{v // 10000}.{v % 10000:04d}"


def agents_of(row):
    return [row["agent"]] if row["kind"] == "kernel" else q.copy_agents(row)


def agent_key(agent):
    """The order of tables: absent, nodes, GPU n, CPU n."""
    if not agent:
        return (0, 0)
    if agent.startswith("GPU "):
        return (2, int(agent[4:]))
    if agent.startswith("CPU "):
        return (3, int(agent[4:]))
    return (1, int(agent))


def expect_timeline(events):
    tracks = collections.defaultdict(lambda: {kind: [] for kind, _ in FIRST})
    for e in events:
        kind = "M" if e["kind"] == "copy" else KIND.get(e["class"], "K")
        for agent in agents_of(e):
            tracks[int(e["rank"]), agent][kind].append((int(e["start_ns"]), int(e["end_ns"])))
    out = []
    for (rank, agent), t in sorted(tracks.items(), key=lambda i: (i[0][0], agent_key(i[0][1]))):
        c, m = union(t["C"]), union(t["M"])
        every = [i for v in t.values() for i in v]
        kernels = [hi - lo for kind in "KCVS" for lo, hi in t[kind]]
        short = [d for d in kernels if d < SHORT_NS]
        window = max(hi for _, hi in every) - min(lo for lo, _ in every)
        busy = length(union(every))
        part = parts(t)
        exposed = part["exposed_comm"]
        row = {
            "rank": rank, "agent": agent, "window_ns": window, "busy_ns": busy, "compute_ns": part["compute"],
            "exposed_comm_ns": exposed, "exposed_copy_ns": part["exposed_copy"], "idle_ns": window - busy,
            "busy_pct": pct(busy, window), "idle_pct": pct(window - busy, window), "comm_ns": length(c),
            "overlap_comm_pct": pct(length(c) - exposed, length(c)), "copy_ns": length(m),
            "kernels": len(kernels), "short_kernels": len(short), "short_pct": pct(sum(short), sum(kernels)),
            "concurrency_avg": ratio(sum(hi - lo for lo, hi in every), busy), "concurrency_max": deepest(every),
            "wait_ns": part["wait"], "move_ns": part["move"],
        }
        begin = min(lo for lo, _ in every)
        until = min((lo for kind in "KC" for lo, _ in t[kind]), default=begin)
        first = parts({k: [(lo, min(hi, until)) for lo, hi in v if lo < until] for k, v in t.items()})
        row["before_ns"] = until - begin
        row["before_pct"] = pct(until - begin, window)
        row["later_copy_ns"] = part["exposed_copy"] - first["exposed_copy"]
        if sum(part.values()) != window or part["idle"] != window - busy:
            say(f"the oracle itself: parts do not add up for rank {rank} agent {agent}")
        out.append({key: str(v) for key, v in row.items()})
    return out


def wholes(events):
    busy = window = 0
    for row in expect_timeline(events):
        busy += int(row["busy_ns"])
        window += int(row["window_ns"])
    return busy, window


def covered(events, wanted):
    by = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "kernel" and e["class"] in wanted:
            by[e["rank"], e["agent"]].append((int(e["start_ns"]), int(e["end_ns"])))
    return sum(length(union(v)) for v in by.values())


def share(events, wanted):
    busy, window = wholes(events)
    kernels = [e for e in events if e["kind"] == "kernel"]
    whole = sum(int(e["end_ns"]) - int(e["start_ns"]) for e in kernels)
    own = [e for e in kernels if e["class"] in wanted]
    total = sum(int(e["end_ns"]) - int(e["start_ns"]) for e in own)
    union_ns = covered(events, wanted)
    return own, total, {"total_ns": str(total) if total < 2**64 else "", "kernel_pct": pct(total, whole),
                        "busy_pct": pct(union_ns, busy), "window_pct": pct(union_ns, window)}


def expect_classes(events):
    out = []
    for name in {e["class"] for e in events if e["kind"] == "kernel"}:
        own, total, cells = share(events, {name})
        row = {"class": name, "kernels": str(len({e["name"] for e in own})), "calls": str(len(own))}
        out.append((-total, name, row | cells))
    return [row for _, _, row in sorted(out, key=lambda i: i[:2])]


# What the name of a kernel does not tell: it may be of that class, or, if it is, may not be.
DOUBT = {"triton_poi_fused_bmm_3": "gemm", "triton_per_fused__softmax_bmm_6": "gemm", "triton_red_fused_convolution_2": "conv",
         "lstm_forward(float*)": "gemm"}


def in_doubt(event, wanted):
    """1: counts, and may not; 2: does not count, and may."""
    doubt, own = DOUBT.get(event["name"]), event["class"] in wanted
    if event["kind"] != "kernel" or not doubt:
        return 0
    return (1 if own else 0) if doubt == event["class"] else 2 if doubt in wanted and not own else 0


def expect_gemm(events):
    out = []
    whole = sum(int(e["end_ns"]) - int(e["start_ns"]) for e in events if e["kind"] == "kernel")
    for name, wanted in GEMM.items():
        row = {"share": name} | share(events, wanted)[2]
        parts = {1: 0, 2: 0, 0: 0}
        for e in events:
            parts[in_doubt(e, wanted)] += int(e["end_ns"]) - int(e["start_ns"])
        row["low_pct"] = row["high_pct"] = ""
        if name != "unclassified":
            row["low_pct"] = pct(int(row["total_ns"]) - parts[1], whole)
            row["high_pct"] = pct(int(row["total_ns"]) + parts[2], whole)
        out.append(row)
    return out


def check_summary(what, events, *inputs):
    """Every number of the page is that of another table."""
    _, text, _ = run("kstats", "summary", "-q", "-f", "csv", *inputs)
    got = {r["metric"]: r["value"] for r in rows(text)}
    lines = expect_timeline(events)
    window = sum(int(r["window_ns"]) for r in lines)
    want = {"timeline.window_ns": str(max(int(r["window_ns"]) for r in lines)), "agents": str(len([r for r in lines if r["agent"]])),
            "kernels.calls": str(len([e for e in events if e["kind"] == "kernel"]))}
    for part in ("busy", "compute", "exposed_comm", "exposed_copy", "move", "wait", "idle"):
        want[f"timeline.{part}_pct"] = pct(sum(int(r[part + "_ns"]) for r in lines), window)
    for row in expect_gemm(events):
        want[row["share"] + ".kernel_pct"] = row["kernel_pct"]
    compute = [e for e in events if e["kind"] == "kernel" and e["class"] not in KIND]
    want["gemm.compute_pct"] = pct(*(sum(int(e["end_ns"]) - int(e["start_ns"]) for e in group) for group in (
        [e for e in compute if e["class"] in GEMM["gemm"]], compute)))
    gaps = rows(run("kstats", "gaps", "-q", "-f", "csv", *inputs)[1])
    want["gaps.count"] = str(sum(int(r["gaps"]) for r in gaps))
    known = got["gaps.matched_pct"] not in ("", "0.0000")
    for part in ("sync", "host", "launch", "device", "unknown"):
        ns = sum(int(r[part + "_ns"]) for r in gaps)
        want[f"gaps.{part}_pct"] = pct(ns, window) if known or part == "unknown" else ""
    for i, row in enumerate(rows(run("kstats", "top", "-q", "-f", "csv", "-n", "10", *inputs)[1])):
        want[f"top.{i + 1}.kernel_pct"] = row["pct"]
    for name, value in want.items():
        if got.get(name, "none") != value and (value or got.get(name)):
            say(f"kstats summary {what}: {name} is {got.get(name)}, not {value}")
    compared["summary"] += 1


def host_time(calls, windows):
    """Threads that call, their time from the first call to the last inside the window of the rank, and the
    part of it outside calls."""
    hip = {e["rank"] for e in calls if e["domain"] == "hip"}
    threads = collections.defaultdict(list)
    for e in calls:
        if e["domain"] == ("hip" if e["rank"] in hip else "hsa") and e["rank"] in windows:
            threads[e["rank"], e["pid"], e["tid"]].append((int(e["start_ns"]), int(e["end_ns"])))
    n = present = useful = 0
    for (rank, _, _), v in threads.items():
        lo = max(min(s for s, _ in v), windows[rank][0])
        hi = min(max(t for _, t in v), windows[rank][1])
        n += 1
        if lo < hi:
            present += hi - lo
            useful += hi - lo - length(union([(max(s, lo), min(t, hi)) for s, t in v]))
    return n, present, useful


def check_efficiency(what, events, *inputs):
    """Quotients of integers; the parts multiply to the whole, exactly."""
    got = {r["metric"]: r for r in rows(run("kstats", "efficiency", "-q", "-f", "csv", *inputs)[1])}
    lines = expect_timeline(events)
    u = [int(r["compute_ns"]) for r in lines]
    a = [int(r["busy_ns"]) for r in lines]
    windows = {}
    for e in events:
        for _ in agents_of(e):
            lo, hi = windows.get(e["rank"], (1 << 64, 0))
            windows[e["rank"]] = (min(lo, int(e["start_ns"])), max(hi, int(e["end_ns"])))
    if len(windows) != 1:
        return
    (lo, hi), = windows.values()
    t, g = hi - lo, len(lines)
    api = [e for e in rows(run("tracecat", "-q", "--kind", "api", *inputs)[1]) if e["start_ns"] and e["end_ns"]]
    n, present, useful = host_time(api, windows)
    want = {"parallel": (sum(u), g * t, g), "load_balance": (sum(u), g * max(u), g), "communication": (max(u), max(a), 1),
            "orchestration": (max(a), t, 1)}
    if n:
        want |= {"host_hybrid": (useful, n * t, n), "host_offload": (useful, present, n), "host_presence": (present, n * t, n)}
    differ_quotients(what, got, want, n)


def differ_quotients(what, got, want, n):
    """got: rows by metric; want: numerators, denominators, and over how many they are sums; n: host threads."""
    if set(got) != set(want):
        say(f"kstats efficiency {what}: {sorted(got)}, not {sorted(want)}")
        return
    exact = {}
    lost = {}
    for name, (num, den, of) in want.items():
        v = (2000000 * num + den) // (2 * den) if den else 0
        lost[name] = math.ceil(Fraction(den, of)) - math.ceil(Fraction(num, of))
        cells = (f"{v // 10**6}.{v % 10**6:06d}", str(num), str(den), str(lost[name])) if den else ("",) * 4
        have = tuple(got[name][k] for k in ("value", "num_ns", "den_ns", "lost_ns"))
        if have != cells:
            say(f"kstats efficiency {what}: {name} is {have}, not {cells}")
        exact[name] = Fraction(int(got[name]["num_ns"]), int(got[name]["den_ns"])) if have[2] else None
    parts = [exact[k] for k in ("load_balance", "communication", "orchestration")]
    if all(p is not None for p in parts) and parts[0] * parts[1] * parts[2] != exact["parallel"]:
        say(f"kstats efficiency {what}: the parts do not multiply to the whole")
    if n and exact["host_offload"] is not None and exact["host_offload"] * exact["host_presence"] != exact["host_hybrid"]:
        say(f"kstats efficiency {what}: the parts of the host do not multiply to the whole")
    if lost["parallel"] != sum(lost[k] for k in ("load_balance", "communication", "orchestration")):
        say(f"kstats efficiency {what}: what the parts lose is not what the whole does")
    compared["efficiency"] += 1
    compared["efficiency with a host"] += bool(n)


def check_efficiency_window(what, events, rng, *inputs):
    """With -w, whose ends may be left to the work of the rank: an agent that does nothing there is idle, and a thread
    is there from its first call to its last, wherever those are."""
    edges = [int(e[k]) for e in events for k in ("start_ns", "end_ns")]
    lo = rng.randrange(min(edges), max(edges) + 1)
    hi = lo + 1 + rng.randrange(max(1, (max(edges) - lo) // rng.choice([1, 3])))
    spec = rng.choice(["{lo}..{hi}", "{lo}..", "..{hi}", "{lo}..{hi}"]).format(lo=lo, hi=hi)
    first, last = (0 if spec.startswith("..") else lo), (1 << 64 if spec.endswith("..") else hi)
    live = [e for e in events if int(e["start_ns"]) < last and (int(e["end_ns"]) > first or int(e["start_ns"]) >= first)]
    live = [e for e in live if agents_of(e)]
    text = run("kstats", "efficiency", "-q", "-f", "csv", "-w", spec, *inputs)[1]
    got = {r["metric"]: r for r in rows(text)}
    if not live:
        if got:
            say(f"kstats efficiency -w {spec} {what}: {sorted(got)}, but nothing ran")
        return
    if spec.startswith(".."):
        lo = min(int(e["start_ns"]) for e in live)
    if spec.endswith(".."):
        hi = max(int(e["end_ns"]) for e in live)
    used = collections.defaultdict(lambda: ([], []))  # of each agent what computes, and all
    for e in events:
        for agent in agents_of(e):
            computes, every = used[e["rank"], agent]
            clipped = max(int(e["start_ns"]), lo), min(int(e["end_ns"]), hi)
            every.append(clipped)
            if e["kind"] == "kernel" and e["class"] not in KIND:
                computes.append(clipped)
    u = [length(union(computes)) for computes, _ in used.values()]
    a = [length(union(every)) for _, every in used.values()]
    g, t = len(used), hi - lo
    api = [e for e in rows(run("tracecat", "-q", "--kind", "api", *inputs)[1]) if e["start_ns"] and e["end_ns"]]
    n, present, useful = host_time(api, {e["rank"]: (lo, hi) for e in events})
    want = {"parallel": (sum(u), g * t, g), "load_balance": (sum(u), g * max(u), g), "communication": (max(u), max(a), 1),
            "orchestration": (max(a), t, 1)}
    if n:
        want |= {"host_hybrid": (useful, n * t, n), "host_offload": (useful, present, n), "host_presence": (present, n * t, n)}
    differ_quotients(f"-w {spec} {what}", got, want, n)
    compared["efficiency -w"] += 1


def check_agents(what, *inputs):
    """--agent leaves the rows of these agents as they are."""
    command = ("kstats", "timeline", "-q", "-f", "csv")
    every = rows(run(*command, *inputs)[1])
    for agent in sorted({r["agent"] for r in every} - {""}):
        differ(f"kstats timeline --agent {agent} {what}", rows(run(*command, "--agent", agent, *inputs)[1]),
               [r for r in every if r["agent"] == agent])
        compared["timeline --agent"] += 1


def differ(what, got, want):
    if got == want:
        return
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            say(f"{what}: row {i}: " + ", ".join(f"{k} {g.get(k)} not {w.get(k)}" for k in w if g.get(k) != w[k]))
            return
    say(f"{what}: {len(got)} rows, not {len(want)}")


def check_window(what, events, rng, *inputs):
    """classes with -w: what starts inside counts, what runs inside covers."""
    edges = [int(e[k]) for e in events for k in ("start_ns", "end_ns")]
    lo = rng.randrange(min(edges), max(edges) + 1)
    hi = lo + 1 + rng.randrange(max(1, (max(edges) - lo) // rng.choice([1, 3, 30])))
    lanes = {(e["rank"], a) for e in events for a in agents_of(e)}
    live = [(e, max(int(e["start_ns"]), lo), min(int(e["end_ns"]), hi)) for e in events
            if int(e["start_ns"]) < hi and (int(e["end_ns"]) > lo or int(e["start_ns"]) >= lo)]

    def covers(wanted):
        return sum(length(union([(s, t) for e, s, t in live if e["rank"] == r and a in agents_of(e) and wanted(e)]))
                   for r, a in lanes)
    busy, window = covers(lambda e: True), len(lanes) * (hi - lo)
    kernels = [e for e, _, _ in live if e["kind"] == "kernel"]
    counted = [e for e in kernels if lo <= int(e["start_ns"]) < hi]
    whole = sum(int(e["end_ns"]) - int(e["start_ns"]) for e in counted)
    want = []
    for name in {e["class"] for e in kernels}:
        own = [e for e in counted if e["class"] == name]
        total = sum(int(e["end_ns"]) - int(e["start_ns"]) for e in own)
        cover = covers(lambda e, name=name: e["kind"] == "kernel" and e["class"] == name)
        want.append((-total, name, {"class": name, "kernels": str(len({e["name"] for e in own})), "calls": str(len(own)),
                                    "total_ns": str(total), "kernel_pct": pct(total, whole),
                                    "busy_pct": pct(cover, busy), "window_pct": pct(cover, window)}))
    got = rows(run("kstats", "classes", "-q", "-f", "csv", "-w", f"{lo}..{hi}", *inputs)[1])
    differ(f"kstats classes -w {lo}..{hi} {what}", got, [row for _, _, row in sorted(want, key=lambda i: i[:2])])
    compared["classes -w"] += 1
    compared["classes -w, nothing starts"] += bool(want) and not counted


def check(what, *inputs):
    _, text, _ = run("tracecat", "-q", "--kind", "kernel,copy", *inputs)
    events = [e for e in rows(text) if e["start_ns"] and e["end_ns"]]
    if not events:
        return False
    for command, expect in (("timeline", expect_timeline), ("classes", expect_classes), ("gemm", expect_gemm)):
        if command != "timeline" and not any(e["kind"] == "kernel" for e in events):
            continue
        _, got, _ = run("kstats", command, "-q", "-f", "csv", *inputs)
        got, want = rows(got), expect(events)
        if command == "gemm":
            suspects = {r["name"] for r in rows(run("kstats", "gemm", "-q", "--suspects", "-f", "csv", *inputs)[1])}
            known = {e["name"] for e in events if e["kind"] == "kernel"} & DOUBT.keys()
            if suspects - DOUBT.keys():
                # Doubts of real names are the matter of the tests of the table; the rest is compared.
                got, want = ([{k: v for k, v in r.items() if k not in ("low_pct", "high_pct")} for r in t] for t in (got, want))
            elif suspects != known:
                say(f"kstats gemm --suspects {what}: {sorted(suspects)}, not {sorted(known)}")
        differ(f"kstats {command} {what}", got, want)
        compared[command] += 1
    if any(e["kind"] == "kernel" for e in events):
        check_summary(what, events, *inputs)
    check_efficiency(what, events, *inputs)
    return True


def traces(folder):
    for at, dirs, files in os.walk(folder):
        dirs.sort()
        for name in sorted(files):
            path = os.path.join(at, name)
            plain = name.removesuffix(".gz").removesuffix(".zst")
            if "kernel_trace" in plain and plain.endswith(".csv") or plain.endswith((".pftrace", ".proto")):
                if os.path.getsize(path) < 8 << 20:
                    yield path


KERNELS = ["Cijk_Ailk_Bljk_HHS_BH_MT128x64x32", "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
           "__amd_rocclr_streamOpsWait.kd", "__amd_rocclr_fillBufferAligned", "my_kernel(float*)", "void at::native::vectorized_elementwise_kernel<4>(int)", "igemm_fwd_gtcx3_nhwc",
           "rocblas_gemvt_kernel", *DOUBT]
CALLS = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
HEAD = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id",'
        '"Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count",'
        '"Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
COPIES = '"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'


def random_rows(rng):
    kernels, copies = [], []
    for i in range(rng.randint(1, 400)):
        start = 10**12 + rng.randrange(10**rng.randint(2, 7))
        end = start + (0 if rng.random() < .05 else rng.randrange(1, 10**rng.randint(1, 5)))
        if rng.random() < .01:
            end = start + 5 * 10**9
        if rng.random() < .8:
            name = rng.choice(KERNELS)
            kernels.append(f'"KERNEL_DISPATCH","Agent {rng.choice([4, 4, 5])}",{rng.randint(1, 3)},{rng.randint(0, 2)},1,{i + 1},'
                           f'{KERNELS.index(name) + 1},"{name}",{i + 1},{start},{end},0,0,8,0,16,64,1,1,640,1,1\n')
        else:
            way, src, dst = rng.choice([("HOST_TO_DEVICE", 0, 4), ("DEVICE_TO_HOST", 5, 0), ("DEVICE_TO_DEVICE", 4, 5),
                                        ("DEVICE_TO_DEVICE", 4, 4), ("HOST_TO_HOST", 0, 0)])
            copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",0,"Agent {src}","Agent {dst}",{i + 1},{start},{end}\n')
    return kernels, copies


def random_calls(rng, kernels):
    """Of two threads and two APIs, in and far around the time of the kernels."""
    out = []
    spread = 10**rng.randint(2, 7)
    for i in range(rng.randint(1, 40)):
        start = 10**12 + rng.randrange(-spread, 2 * spread)
        domain, name = rng.choice([("HIP_RUNTIME_API", "hipLaunchKernel"), ("HIP_RUNTIME_API", "hipDeviceSynchronize"),
                                   ("HSA_CORE_API", "hsa_signal_wait_scacquire")])
        out.append(f'"{domain}","{name}",7,{rng.randint(1, 2)},{len(kernels) + i},{start},{start + rng.randrange(spread // 8 + 2)}\n')
    return out


def write(path, head, lines):
    with open(path, "w", encoding="utf-8") as f:
        f.write(head + "".join(lines))
    return path


def laws(work, rounds):
    """The same bytes, however the same rows are arranged."""
    rng = random.Random(7)
    for number in range(rounds):
        kernels, copies = random_rows(rng)
        base = os.path.join(work, str(number))
        os.mkdir(base)
        one = [write(os.path.join(base, "a_kernel_trace.csv"), HEAD, kernels)]
        if copies:
            one.append(write(os.path.join(base, "a_memory_copy_trace.csv"), COPIES, copies))
        check(f"random {number}", *one)
        events = [e for e in rows(run("tracecat", "-q", "--kind", "kernel,copy", *one)[1]) if e["start_ns"]]
        for _ in range(4 if len(events) < 100 else 1):
            check_window(f"random {number}", events, rng, *one)
        check_agents(f"random {number}", *one)
        calls = write(os.path.join(base, "a_hip_api_trace.csv"), CALLS, random_calls(rng, kernels))
        for _ in range(4 if len(events) < 100 else 1):
            check_efficiency_window(f"random {number}", events, rng, *one, calls)
        rng.shuffle(kernels)
        rng.shuffle(copies)
        cut = len(kernels) // 2
        parts = [write(os.path.join(base, "b_kernel_trace.csv"), HEAD, kernels[:cut]),
                 write(os.path.join(base, "c_kernel_trace.csv"), HEAD, kernels[cut:])]
        if copies:
            parts.append(write(os.path.join(base, "b_memory_copy_trace.csv"), COPIES, copies))
        db = os.path.join(base, "run.db")
        run("tracemerge", "-q", "-o", db, *("0=" + p for p in one))
        for command in ("timeline", "classes", "gemm", "classes --explain", "timeline -w 20%..70%", "summary", "efficiency"):
            _, want, _ = run("kstats", *command.split(), "-q", "-f", "csv", "-j", "1", *("0=" + p for p in one))
            for how, inputs in (("-j 4", ["-j", "4"] + ["0=" + p for p in one]),
                                ("permuted and split", ["0=" + p for p in parts]), ("run.db", [db])):
                _, got, _ = run("kstats", *command.split(), "-q", "-f", "csv", *inputs)
                if command == "summary":  # two files more are two inputs more
                    got, want = (re.sub(r"(?m)^(inputs|finding.[0-9]+.command),.*", "", text) for text in (got, want))
                if got != want:
                    say(f"random {number}: {command} {how} differs from -j 1 ({base})")
                compared["laws"] += 1


for folder in sys.argv[1:]:
    for trace in effort.sample(traces(folder)):
        check(trace, trace)
with tempfile.TemporaryDirectory() as tmp:
    laws(tmp, effort.rounds(25))
print(", ".join(f"{n} {what}" for what, n in sorted(compared.items())) + " compared")
if any(compared[k] < n for k, n in effort.least({"timeline": 30, "laws": 300, "classes -w, nothing starts": 8,
                                                           "efficiency -w": 20, "timeline --agent": 20}).items()):
    say("too few comparisons: the data is not there, or nothing was read")
sys.exit(bad != 0)
