#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gaps.py TESTDATA DATA: kstats gaps and launch beside a naive implementation of docs/metrics.md."""
import bisect
import csv
import fnmatch
import glob
import io
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict

import effort
import questions as q

COLUMNS = ("kind,domain,rank,pid,tid,agent,queue,stream,corr,name,start_ns,end_ns,direction,src,dst,"
           "class,graph_node")
ALL = 1 << 64
CAUSES = ("sync", "host", "launch", "device", "unknown")
HERE = os.path.dirname(os.path.abspath(__file__))
failed = []


def fail(text):
    failed.append(text)
    print(text)


def patterns(path, wanted):
    """The names of a table in schemas/."""
    out = []
    for line in open(os.path.join(HERE, "../../schemas", path), encoding="ascii"):
        head, _, rest = line.partition("(")
        if head.isupper() and rest:
            kind, name = rest.split(",", 1)
            if kind in wanted:
                out.append(name.split('"')[1])
    return out


WAITS = {"hip": patterns("sync_calls.def", ("HIP",)), "hsa": patterns("sync_calls.def", ("HSA",))}
GRAPHS = patterns("launch_calls.def", ("GRAPH",))
LAUNCHES = patterns("launch_calls.def", ("KERNEL", "GRAPH"))


def like(name, pats):
    return any(fnmatch.fnmatchcase(name, p) for p in pats)


def run(*args, bad=False):
    p = subprocess.run(args, capture_output=True, check=False)
    if p.returncode and not bad:
        fail(f"{' '.join(args)}: status {p.returncode}: {p.stderr.decode('latin-1')}")
    return p.stdout.decode("latin-1"), p.stderr.decode("latin-1")


def kstats(*args, bad=False):
    return run("kstats", *args, "-f", "csv", bad=bad)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


# ---- the naive implementation ----

class Trace:
    """Operations by rank and agent, calls by rank."""

    def __init__(self, files, per=None, window=None):
        text, _ = run("tracecat", "-q", "--columns", COLUMNS, *files)
        self.window = window
        self.lo, self.hi = window or (0, ALL)
        self.ops = defaultdict(list)
        self.all_ops = defaultdict(list)  # outside the window, too
        self.calls = defaultdict(lambda: {"hip": [], "hsa": []})
        csv.field_size_limit(1 << 30)
        for r in rows_of(text):
            if not r["start_ns"] or not r["end_ns"]:
                continue
            r["s"], r["e"] = int(r["start_ns"]), int(r["end_ns"])
            r["corr"] = int(r["corr"]) if r["corr"] else 0
            r["thread"] = tuple((1, int(r[k])) if r[k] else (0, 0) for k in ("pid", "tid"))
            if r["kind"] in ("kernel", "copy"):
                self.add_op(r, per)
            elif r["domain"] in ("hip", "hsa"):
                self.calls[r["rank"]][r["domain"]].append(r)
        for lane in list(self.all_ops) if window and self.ops else []:
            self.ops.setdefault(lane, [])  # idle for all of the window
        self.api, self.by_corr, self.threads = {}, {}, {}
        for rank, c in self.calls.items():
            self.api[rank] = "hip" if c["hip"] else "hsa"
            corr, threads = defaultdict(list), defaultdict(list)
            for r in c[self.api[rank]]:
                corr[r["corr"]].append(r)
                threads[r["thread"]].append(r)
            self.by_corr[rank], self.threads[rank] = corr, threads
        # What to look at for a gap: waits of a thread, and its calls by start with the longest of them.
        self.waits, self.by_start, self.host, self.parts = {}, {}, {}, {}
        for rank, threads in self.threads.items():
            pats = WAITS[self.api[rank]]
            for k, calls in threads.items():
                calls.sort(key=lambda c: c["s"])
                self.waits[rank, k] = [c for c in calls if like(c["name"], pats)]
                self.by_start[rank, k] = ([c["s"] for c in calls], max(c["e"] - c["s"] for c in calls))

    def add_op(self, r, per):
        agents = [r["agent"]]
        if r["kind"] == "copy" and not r["agent"]:
            agents = q.copy_agents(r)
        r["sort"] = "copy" if r["kind"] == "copy" else SORT.get(r["class"], "kernel")
        for a in agents:
            self.all_ops[r["rank"], a, r[per] if per else ""].append(r)
        if not (r["s"] < self.hi and (r["e"] > self.lo or r["s"] >= self.lo)):
            return
        for a in agents:
            self.ops[r["rank"], a, r[per] if per else ""].append(r)

    def lanes(self, ops=None):
        def key(lane):
            return tuple((0, 0, "") if k == "" else (1, int(k.split()[-1]), k) if k else () for k in lane)
        return sorted(self.ops if ops is None else ops, key=lambda l: (int(l[0]),) + key(l[1:]))

    def call_of(self, op):
        rank = op["rank"]
        if not op["corr"] or rank not in self.by_corr:
            return None
        all_of = self.by_corr[rank].get(op["corr"], [])
        pid = op["thread"][0]
        if pid[0] and any(t[0] == pid for t in self.threads[rank]):
            all_of = [c for c in all_of if c["thread"][0] == pid]
        early = [c for c in all_of if c["s"] <= op["s"]]
        order = lambda c: (c["s"], c["e"], c["thread"])
        if early:
            return max(early, key=order)
        return min(all_of, key=order) if all_of else None

    def span(self, ops):
        lo = self.lo or min((o["s"] for o in ops), default=0)
        hi = self.hi if self.hi != ALL else max((o["e"] for o in ops), default=0)
        return lo, max(lo, hi)

    def inside(self, op):
        return self.lo <= op["s"] < self.hi


def union(spans):
    total, end = 0, None
    for s, e in sorted(x for x in spans if x[0] < x[1]):
        if end is None or s > end:
            total, end = total + e - s, e
        elif e > end:
            total, end = total + e - end, e
    return total


SORT = {"comm": "kernel comm", "memory": "kernel move", "sync": "kernel wait"}
KIND = ("kernel", "kernel comm", "kernel move", "kernel wait", "copy")


def gaps_of(t, ops):
    """(start, end, op that ended last before, op that ends it), in order."""
    lo, hi = t.span(ops)
    edge, prev, out = lo, None, []
    live = [o for o in ops if o["s"] < o["e"] and o["e"] > lo and o["s"] < hi]
    for o in sorted(live, key=lambda o: (o["s"], KIND.index(o["sort"]), o["e"], o["corr"], o["thread"][0],
                                         o["name"])):
        if o["s"] > edge:
            out.append((edge, o["s"], prev, o))
        if prev is None or o["e"] > edge:
            edge, prev = max(edge, min(o["e"], hi)), o
    if edge < hi:
        out.append((edge, hi, prev, None))
    return out


def first_of(t, ops):
    """When the first kernel that computes or communicates begins; 0 = there is none, or somebody chose the window."""
    return 0 if t.lo else min((o["s"] for o in ops if o["sort"] in ("kernel", "kernel comm")), default=0)


def split(t, s, e, op):
    """Asked for each table anew, and slow: once is enough."""
    whose = (id(op), s, e)
    if whose not in t.parts:
        t.parts[whose] = causes_of(t, s, e, op)
    return t.parts[whose]


def causes_of(t, s, e, op):
    call = op and t.call_of(op)
    if not call:
        return dict.fromkeys(CAUSES, 0) | {"unknown": e - s}, None
    a0, a1 = call["s"], call["e"]
    clip = lambda x: min(max(x, s), e)
    waits = [(clip(w["s"]), clip(min(w["e"], a0))) for w in t.waits[op["rank"], call["thread"]]
             if s < w["e"] <= a0]
    sync = union(waits)
    out = {"sync": sync, "host": clip(a0) - s - sync, "launch": clip(a1) - clip(a0),
           "device": e - clip(a1), "unknown": 0}
    if sum(out.values()) != e - s or min(out.values()) < 0:
        fail(f"the oracle does not add up: {out} of {e - s}")
    return out, call


def host_call(t, s, e, call):
    """Asked for each table anew, and slow: once is enough."""
    whose = (call["rank"], call["thread"], s, e)
    if whose not in t.host:
        t.host[whose] = longest_call(t, s, e, call)
    return t.host[whose]


def longest_call(t, s, e, call):
    best, key = None, None
    starts, longest = t.by_start[call["rank"], call["thread"]]
    from_, to = bisect.bisect_left(starts, s - longest), bisect.bisect_left(starts, e)
    for c in t.threads[call["rank"]][call["thread"]][from_:to]:
        covers = min(c["e"], e) - max(c["s"], s)
        k = (covers, c["e"], -c["s"])
        if covers > 0 and (key is None or k > key or (k == key and c["name"] < best["name"])):
            best, key = c, k
    return best["name"] if best else ""


def calls_in(t, s, e, call):
    """How long the thread was in each call during [s, e), and in none (""): of calls that are open at a moment the
    one that began first, of equals the one that ends last, then by name."""
    whose = (call["rank"], call["thread"], s, e, "all")
    if whose not in t.host:
        starts, longest = t.by_start[call["rank"], call["thread"]]
        from_, to = bisect.bisect_left(starts, s - longest), bisect.bisect_left(starts, e)
        here = [c for c in t.threads[call["rank"]][call["thread"]][from_:to] if c["e"] > s and c["e"] > c["s"]]
        here.sort(key=lambda c: (c["s"], -c["e"], c["name"].encode()))
        edges = sorted({s, e, *(x for c in here for x in (c["s"], c["e"]) if s < x < e)})
        out = defaultdict(int)
        for a, b in zip(edges, edges[1:]):
            out[next((c["name"] for c in here if c["s"] <= a < c["e"]), "")] += b - a
        t.host[whose] = dict(out)
    return t.host[whose]


def dec(num, den):
    if not den:
        return ""
    q = (num * 20000 + den) // (2 * den)
    return f"{q // 10000}.{q % 10000:04d}"


def nearest(values, q):
    return str(sorted(values)[-(-len(values) * q // 100) - 1]) if values else ""


def whose(lane, per):
    return {"rank": lane[0], "agent": lane[1], **({per: lane[2]} if per else {})}


def late(lengths, parts, window, known):
    """Work that was launched and does not start: less than 10 us in a gap, or more, but for the longest gap; and what the host
    takes.  Absent if the calls of too few operations are known, and of an agent that runs no kernels."""
    if not known:
        return dict.fromkeys(("latency_ns", "latency_pct", "late_ns", "late_pct", "host_launch_pct"), "")
    device = [p["device"] for p in parts]
    own = sum(p["host"] + p["launch"] for p in parts)
    soon = sum(d for d in device if d < 10000)
    most = lengths.index(max(lengths)) if lengths else None
    rest = sum(d for i, d in enumerate(device) if d >= 10000 and i != most)
    return {"latency_ns": str(soon), "latency_pct": dec(100 * soon, window), "late_ns": str(rest), "late_pct": dec(100 * rest, window),
            "host_launch_pct": dec(100 * own, window)}


def usual(t, per):
    out = []
    for lane in t.lanes():
        ops = t.ops[lane]
        gaps = gaps_of(t, ops)
        lo, hi = t.span(ops)
        lengths = [e - s for s, e, _, _ in gaps]
        parts = [split(t, s, e, n)[0] for s, e, _, n in gaps]
        counted = [o for o in ops if t.inside(o)]
        found = sum(t.call_of(o) is not None for o in counted)
        known = found * 100 >= len(counted) * 90 and (per or any(o["kind"] == "kernel" for o in ops))
        out.append({**whose(lane, per), "gaps": str(len(gaps)), "idle_ns": str(sum(lengths)),
                    "idle_pct": dec(100 * sum(lengths), hi - lo),
                    **{f"p{q}_ns": nearest(lengths, q) for q in (50, 90, 99)},
                    "max_ns": nearest(lengths, 100),
                    **{c + "_ns": str(sum(p[c] for p in parts)) for c in CAUSES},
                    "matched_pct": dec(100 * found, len(counted)),
                    **late(lengths, parts, hi - lo, known),
                    "later_max_ns": str(max((e - s for s, e, _, _ in gaps if e > first_of(t, ops)), default=0)) if gaps else ""})
    return out


def listed(t, per):
    out = []
    for i, lane in enumerate(t.lanes()):
        for s, e, prev, op in gaps_of(t, t.ops[lane]):
            part, call = split(t, s, e, op)
            out.append((-(e - s), i, s, {
                **whose(lane, per), "start_ns": str(s), "gap_ns": str(e - s),
                "prev": prev["name"] if prev else "", "next": op["name"] if op else "",
                **{c + "_ns": str(part[c]) for c in CAUSES},
                "host_call": host_call(t, s, e, call) if call else ""}))
    return [x[3] for x in sorted(out, key=lambda x: x[:3])]


BY = {"call": ("host_call",), "prev": ("prev",), "next": ("next",), "pair": ("prev", "next")}


def summed(t, per, by):
    """Rows of --by: of each lane those with most idle time first, of equals in order of the names, none last."""
    out = []
    for i, lane in enumerate(t.lanes()):
        groups, later, first = defaultdict(list), defaultdict(int), first_of(t, t.ops[lane])
        for s, e, prev, op in gaps_of(t, t.ops[lane]):
            _, call = split(t, s, e, op)
            if by == "call":
                for name, ns in (calls_in(t, s, e, call) if call else {"": e - s}).items():
                    groups["", "", name].append(ns)
                    later["", "", name] += ns * (e > first)
                continue
            around = {"prev": prev["name"] if prev else "", "next": op["name"] if op else ""}
            key = tuple(around.get(k, "") if k in BY[by] else "" for k in ("prev", "next", "host_call"))
            groups[key].append(e - s)
            later[key] += (e - s) * (e > first)
        lo, hi = t.span(t.ops[lane])
        for key, lengths in groups.items():
            out.append(((i, -sum(lengths), [(not k, k.encode()) for k in key]), {
                **whose(lane, per), "prev": key[0], "next": key[1], "host_call": key[2], "step": "", "gaps": str(len(lengths)),
                "idle_ns": str(sum(lengths)), "idle_pct": dec(100 * sum(lengths), hi - lo),
                "avg_ns": dec(sum(lengths), len(lengths)), "max_ns": str(max(lengths)), "later_idle_ns": str(later[key])}))
    return [x[1] for x in sorted(out, key=lambda x: x[0])]


def by_step(t, steps):
    """Rows of --by step: nanosecond ranges of gaps cut at the edges of the steps of their rank.  A gap counts
    once for a step, and once outside of all, with all of its parts there."""
    out = []
    for i, lane in enumerate(t.lanes()):
        groups, later, first = defaultdict(list), defaultdict(int), first_of(t, t.ops[lane])
        mine = [(int(s["start_ns"]), int(s["start_ns"]) + int(s["window_ns"]), s["step"]) for s in steps if s["rank"] == lane[0]]
        edges = sorted({x for a, b, _ in mine for x in (a, b)})
        for s, e, _, _ in gaps_of(t, t.ops[lane]):
            cuts = [s, *(x for x in edges if s < x < e), e]
            parts = defaultdict(int)
            for a, b in zip(cuts, cuts[1:]):
                inside = [k for k, (lo, hi, _) in enumerate(mine) if lo <= a < hi]
                parts[inside[0] if inside else -1] += b - a
            for k, part in parts.items():
                groups[k].append(part)
                later[k] += part * (e > first)
        lo, hi = t.span(t.ops[lane])
        for k, lengths in groups.items():
            out.append(((i, -sum(lengths), k), {
                **whose(lane, None), "prev": "", "next": "", "host_call": "", "step": mine[k][2] if k >= 0 else "",
                "gaps": str(len(lengths)), "idle_ns": str(sum(lengths)), "idle_pct": dec(100 * sum(lengths), hi - lo),
                "avg_ns": dec(sum(lengths), len(lengths)), "max_ns": str(max(lengths)), "later_idle_ns": str(later[k])}))
    return [x[1] for x in sorted(out, key=lambda x: x[0])]


def histogram(t, per):
    out = []
    for lane in t.lanes():
        lengths = [e - s for s, e, _, _ in gaps_of(t, t.ops[lane])]
        if not lengths:
            continue
        for b in range(min(lengths).bit_length() - 1, max(lengths).bit_length()):
            here = [x for x in lengths if x.bit_length() - 1 == b]
            out.append({**whose(lane, per), "from_ns": str(1 << b), "to_ns": str(2 << b),
                        "gaps": str(len(here)), "total_ns": str(sum(here))})
    return out


def launched(t):
    """Rows of launch, and what is said of kernels and launches without each other."""
    of_call, names, lonely, kernels = defaultdict(list), defaultdict(list), 0, 0
    for lane in t.lanes(t.all_ops):
        for sort in KIND[:-1]:
            for pid in sorted({o["thread"][0] for o in t.all_ops[lane]}):
                ops = [o for o in t.all_ops[lane] if o["sort"] == sort and o["thread"][0] == pid]
                for o in sorted(ops, key=lambda o: (o["s"], o["e"], o["corr"], o["name"])):
                    kernels += t.inside(o)
                    call = t.call_of(o)
                    if call is None:
                        lonely += t.inside(o)
                    else:
                        of_call[id(call)].append((o, call))
    for group in of_call.values():
        n, ns = len(group), group[0][1]["e"] - group[0][1]["s"]
        for i, (o, call) in enumerate(group):
            if t.inside(o):
                names[o["name"]].append((o, call, ns // n + (i < ns % n)))
    rows = []
    for name, group in names.items():
        q = [o["s"] - c["e"] for o, c, _ in group if o["s"] > c["e"]]
        total = sum(max(o["e"], c["e"]) - c["s"] for o, c, _ in group)
        rows.append((-total, name.encode("latin-1"), {
            "name": name, "calls": str(len(group)), "qcalls": str(len(q)),
            "api_avg_ns": dec(sum(a for _, _, a in group), len(group)),
            "queue_avg_ns": dec(sum(q), len(q)),
            "kernel_avg_ns": dec(sum(o["e"] - o["s"] for o, _, _ in group), len(group)),
            "total_avg_ns": dec(total, len(group)),
            "queue_p50_ns": nearest(q, 50), "queue_p99_ns": nearest(q, 99),
            "queue_max_ns": nearest(q, 100)}))
    launches = [c for rank, api in t.api.items() for c in t.calls[rank][api]
                if like(c["name"], LAUNCHES) and t.inside(c)]
    idle = sum(id(c) not in of_call for c in launches)
    said = f"{lonely} of {kernels} kernels without launch, {idle} of {len(launches)} launches without kernel"
    return [r[2] for r in sorted(rows, key=lambda r: r[:2])], said


def graphs(t):
    """Rows of launch --graphs."""
    of_call, rows = defaultdict(list), defaultdict(list)
    for lane in t.lanes(t.all_ops):
        for o in t.all_ops[lane]:
            call = t.call_of(o)
            if o["sort"] != "copy" and call and like(call["name"], GRAPHS):
                of_call[id(call)].append(o)
    for group in of_call.values():
        group.sort(key=lambda o: (o["s"], o["e"], o["name"], int(o["graph_node"] or 0)))
        for i, o in enumerate(group):
            node = o["graph_node"]
            if t.inside(o):
                rows[int(o["rank"]), node != "", int(node or i + 1), o["name"]].append((o, group[0]["s"]))
    return [{"rank": str(rank), "node": str(place) if has else "", "position": "" if has else str(place),
             "name": name, "calls": str(len(g)), "total_ns": str(sum(o["e"] - o["s"] for o, _ in g)),
             "avg_ns": dec(sum(o["e"] - o["s"] for o, _ in g), len(g)),
             "start_avg_ns": dec(sum(o["s"] - first for o, first in g), len(g))}
            for (rank, has, place, name), g in sorted(rows.items())]


# ---- comparing ----

def close(got, want):
    """Equal but for quantiles of more than 128, which come from buckets."""
    if got == want:
        return True
    if got.keys() != want.keys():
        return False
    for k, v in want.items():
        if got[k] != v and not (k in ("queue_p50_ns", "queue_p99_ns") and int(want["qcalls"]) > 128 and
                                abs(int(got[k]) - int(v)) * 128 <= int(v)):
            return False
    return True


def same(what, got, want):
    if len(got) != len(want):
        fail(f"{what}: {len(got)} rows, the oracle has {len(want)}")
    for i, (g, w) in enumerate(zip(got, want)):
        if not close(g, w):
            fail(f"{what}: row {i}: {({k: (v, w.get(k)) for k, v in g.items() if v != w.get(k)})}")
            return


def identities(what, files, options):
    """Idle is that of timeline; the causes add up, to the nanosecond."""
    gaps = rows_of(kstats("gaps", *options, *files)[0])
    timeline = rows_of(kstats("timeline", *options, *files)[0])
    same(f"{what}: idle of timeline", [{k: r[k] for k in ("rank", "agent", "idle_ns", "idle_pct")} for r in gaps],
         [{k: r[k] for k in ("rank", "agent", "idle_ns", "idle_pct")} for r in timeline])
    for r in gaps + rows_of(kstats("gaps", "--list", *options, *files, bad=True)[0]):
        if sum(int(r[c + "_ns"]) for c in CAUSES) != int(r.get("idle_ns") or r["gap_ns"]):
            fail(f"{what}: the causes do not add up: {r}")


def check(what, files, window=None, launches=True, pers=(None, "queue", "stream")):
    options = ["-w", f"{window[0]}..{window[1]}"] if window else []
    for per in pers:
        t = Trace(files, per, window)
        if not t.ops:
            return
        more = options + (["--per", per] if per else [])
        same(f"{what} {per}", rows_of(kstats("gaps", *more, *files)[0]), usual(t, per))
        same(f"{what} {per} --hist", rows_of(kstats("gaps", "--hist", *more, *files, bad=True)[0]),
             histogram(t, per))
        for by in BY:
            same(f"{what} {per} --by {by}", rows_of(kstats("gaps", "--by", by, *more, *files, bad=True)[0]), summed(t, per, by))
        want = listed(t, per)
        same(f"{what} {per} --list", rows_of(kstats("gaps", "--list", *more, *files, bad=True)[0]), want)
        same(f"{what} {per} --list -n", rows_of(kstats("gaps", "--list", "-n", "7", *more, *files, bad=True)[0]),
             want[:7])
    identities(what, files, options)
    t = Trace(files, None, window)
    steps = rows_of(kstats("steps", *files, bad=True)[0])
    same(f"{what} --by step", rows_of(kstats("gaps", "--by", "step", *options, *files, bad=True)[0]), by_step(t, steps) if steps else [])
    rows, said = launched(t)
    out, err = kstats("launch", *options, *files, bad=not rows)
    same(f"{what} launch", rows_of(out), rows)
    if rows and said not in err:
        fail(f"{what} launch: said {err!r}, not {said!r}")
    same(f"{what} launch --graphs", rows_of(kstats("launch", "--graphs", *options, *files, bad=True)[0]),
         graphs(t))
    if launches and not rows:
        fail(f"{what}: nothing launched")


VIEWS = (["gaps"], ["gaps", "--list"], ["gaps", "--hist"], ["gaps", "--by", "call"], ["gaps", "--by", "pair"], ["gaps", "--per", "stream"], ["launch"],
         ["launch", "--name", "class"], ["launch", "--graphs"])


def answers(files, *options):
    return [kstats(*v, *options, *files, bad=True)[0] for v in VIEWS]


# ---- random traces ----

KERNEL = ("Process_Id,Kind,Agent_Id,Queue_Id,Stream_Id,Thread_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,"
          "Start_Timestamp,End_Timestamp,LDS_Block_Size,Scratch_Size,VGPR_Count,Accum_VGPR_Count,SGPR_Count,"
          "Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z")
COPY = "Process_Id,Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
API = "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
NAMES = ["gemm_a", "vec_b", "ncclDevKernel_Generic", "void f<int, 2>(float*)", "fill", "__amd_rocclr_streamOpsWait.kd",
         "__amd_rocclr_fillBufferAligned"]
CALLS = ["hipLaunchKernel", "hipGraphLaunch", "hipStreamSynchronize", "hipMemcpy", "hipSetDevice",
         "hipDeviceSynchronize", "hipExtModuleLaunchKernel", "hipMalloc"]


def quoted(header):
    return ",".join(f'"{c}"' for c in header.split(","))


def random_run(rng, wild):
    """Rows of kernels, copies, HIP and HSA calls.  Wild: nothing makes sense, all of it may happen."""
    base, n = rng.choice((1000, 7 * 10**12, 2**63)), rng.randrange(1, 60)
    long = rng.choice((20, 1000, 3 * 10**9))
    kernels, copies, hip, hsa = [], [], [], []
    clock = {1: base, 2: base}
    ready = base
    # Several processes that share the agents: their ids repeat, and much starts at the same time.
    pids = rng.choice(([77], [77, 78, 79]))
    if len(pids) > 1:
        long = rng.choice((20, 200))
    ids = list(range(1, n + 3)) if not wild else [rng.randrange(0, n) for _ in range(n + 2)]
    for i in range(n):
        tid = rng.choice((1, 2))
        corr = ids[i] * (2**34 if wild and rng.random() < 0.1 else 1)
        if wild:
            a0 = base + rng.randrange(long)
            s = base + rng.randrange(long)
            clock[tid] = base + rng.randrange(long)
        else:
            for _ in range(rng.randrange(3)):
                end = clock[tid] + rng.randrange(long // 8 + 1)
                hip.append((rng.choice(CALLS[2:6]), pids[0], tid, 10**6 + len(hip), clock[tid], end))
                clock[tid] = end + rng.randrange(long // 20 + 1)
            a0 = clock[tid]
        a1 = a0 + rng.randrange(long // 10 + 1)
        clock[tid] = max(clock[tid], a1)
        if not wild:
            s = max(ready, a1) + rng.randrange(long // 10 + 1)
        e = s + rng.choice((0, rng.randrange(long // 5 + 1)))
        if rng.random() < 0.8:
            ready = e
        if rng.random() < (0.7 if wild else 0.95):
            hip.append((rng.choice(CALLS if wild else CALLS[:2]), rng.choice(pids), tid, corr, a0, a1))
        if rng.random() < 0.3:
            hsa.append((rng.choice(("hsa_signal_wait_scacquire", "hsa_queue_create")), pids[0], tid, corr, a0, a1))
        for _ in range(rng.choice((1, 1, 1, 3))):
            pid = rng.choice(pids)
            agent = rng.choice(("Agent 4", "Agent 4", "Agent 5"))
            if rng.random() < 0.8:
                kernels.append(f'{pid},"KERNEL_DISPATCH","{agent}",{rng.randrange(1, 3)},{rng.randrange(3)},{tid},1,1,'
                               f'"{rng.choice(NAMES)}",{corr},{s},{e},0,0,16,4,32,256,1,1,512,1,1')
            else:
                way = rng.choice((("HOST_TO_DEVICE", "Agent 0", agent), ("DEVICE_TO_HOST", agent, "Agent 0"),
                                  ("DEVICE_TO_DEVICE", "Agent 4", "Agent 5"), ("HOST_TO_HOST", "Agent 0", "Agent 0")))
                copies.append(f'{pid},"MEMORY_COPY","MEMORY_COPY_{way[0]}",{rng.randrange(3)},"{way[1]}","{way[2]}",{corr},'
                              f'{s},{e}')
            if rng.random() < 0.5:
                s, e = e, e + rng.randrange(long // 5 + 1)
    if wild and rng.random() < 0.3:
        hip = []
    api = lambda d, rows: [f'"{d}","{f}",{p},{t},{c},{a},{b}' for f, p, t, c, a, b in rows]
    return {"kernel_trace": (KERNEL, kernels), "memory_copy_trace": (COPY, copies),
            "hip_api_trace": (API, api("HIP_RUNTIME_API_EXT", hip)),
            "hsa_api_trace": (API, api("HSA_CORE_API", hsa))}


def write(folder, tables, stem="x"):
    files = []
    for kind, (header, rows) in tables.items():
        if rows:
            files.append(os.path.join(folder, f"{stem}_{kind}.csv"))
            with open(files[-1], "w", encoding="ascii", newline="") as f:
                f.write("\n".join([quoted(header), *rows, ""]))
    return files


def random_traces(rng, folder, count):
    for i in range(count):
        where = os.path.join(folder, f"r{i}")
        os.mkdir(where)
        tables = random_run(rng, i % 2 == 1)
        if not tables["kernel_trace"][1]:
            continue
        files = write(where, tables)
        starts = [int(r.split(",")[-13]) for r in tables["kernel_trace"][1]]
        check(f"random {i}", files, launches=False)
        if i % 4 == 0 and max(starts) > min(starts):
            lo = rng.randrange(min(starts), max(starts))
            check(f"random {i} with a window", files, (lo, lo + 1 + rng.randrange(max(starts) - lo)),
                  launches=False)
        if failed:
            return
        if i % 5 == 0:
            laws(rng, f"random {i}", where, tables, files)


def laws(rng, what, where, tables, files):
    want = answers(files)
    for k in ("permuted", "db"):
        os.mkdir(os.path.join(where, k))
    mixed = {k: (h, rng.sample(r, len(r))) for k, (h, r) in tables.items()}
    if answers(write(os.path.join(where, "permuted"), mixed)) != want:
        fail(f"{what}: rows in another order, another answer")
    parts = [{k: (h, r[p::3]) for k, (h, r) in tables.items()} for p in range(3)]
    split_files = []
    for p, part in enumerate(parts):
        os.mkdir(os.path.join(where, f"s{p}"))
        split_files += ["0=" + f for f in write(os.path.join(where, f"s{p}"), part)]
    for jobs in ("1", "4"):
        if answers(split_files, "-j", jobs) != want:
            fail(f"{what}: split into files, -j {jobs}: another answer")
    db = os.path.join(where, "db/run.db")
    run("tracemerge", "-q", "-o", db, *files)
    if answers([db]) != want:
        fail(f"{what}: another answer from run.db")


# ---- files ----

def shipped(testdata, folder):
    n = 0
    for pattern in ("rocprofv3/*/run", "rocprofv3/*/demo", "rocprofv3/7.0/sync_*", "rocprofv3/7.0/ranks",
                    "perfetto-sdk/44/tiny/tiny.pftrace"):
        for path in effort.sample(sorted(glob.glob(os.path.join(testdata, pattern)))):
            check(path, [path], launches=False)
            n += 1
    if n < effort.least({"traces": 6})["traces"]:
        fail(f"{testdata}: only {n} traces")


def real(data, folder):
    r8s4 = glob.glob(os.path.join(data, "real/*/docs/optimization-log/experiments/099-data/profile/r8s4"))
    prefill = sorted(glob.glob(os.path.join(data, "real/*/tests/fixtures/prefill_*_trace.csv")))
    lumi = glob.glob(os.path.join(data, "real/*/demos/rocprofv3-tracing/results.pftrace"))
    if len(r8s4) != 1 or len(prefill) != 2 or len(lumi) != 1:
        fail(f"{data}: the real runs are not where they were")
        return
    tables = [os.path.join(r8s4[0], f"2659034_{k}_trace.csv") for k in ("kernel", "hip_api", "memory_copy")]
    pftrace = os.path.join(r8s4[0], "2659034_results.pftrace")
    whole = effort.PERCENT == 100
    check("one run, csv", tables, pers=(None, "stream") if whole else ("stream",))
    others = (("the same, pftrace", [pftrace]), ("a graph", prefill), ("an older run", lumi))
    for what, files in effort.sample(others):
        check(what, files, pers=(None,))
    if effort.PERCENT >= 20:
        for path in glob.glob(os.path.join(data, "real/*/raptor/tests/mytrace.rpd.gz")):
            check("graphs, a database", [path], pers=(None,))
    check("no calls", tables[:1], launches=False, pers=("queue",))
    # The two containers differ by a few nanoseconds in some times, not in what they mean.
    a, b = (rows_of(kstats("gaps", *f)[0])[0] for f in (tables, [pftrace]))
    if (a["gaps"], a["idle_ns"], a["matched_pct"]) != (b["gaps"], b["idle_ns"], b["matched_pct"]):
        fail(f"one run in two containers: {a} and {b}")
    for what, files in (("csv", tables), *effort.sample((("pftrace", [pftrace]), ("graph", prefill)))):
        db = os.path.join(folder, what + ".db")
        run("tracemerge", "-q", "-o", db, *files)
        if answers([db]) != answers(files):
            fail(f"{what}: another answer from run.db")
    if whole:
        check("run.db", [os.path.join(folder, "csv.db")], pers=(None,))
    for path in effort.sample(sorted(glob.glob(os.path.join(data, "sdk_traces/*.pftrace*")))):
        if path.endswith((".pftrace", ".pftrace.zst")) and os.path.getsize(path) < 300000:
            check(path, [path], launches=False, pers=(None,))


def main():
    testdata, data = sys.argv[1:]
    rng = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        shipped(testdata, folder)
        random_traces(rng, folder, effort.rounds(20))
        if os.path.isdir(data):
            real(data, folder)
    sys.exit(1 if failed else 0)


main()
