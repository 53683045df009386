# SPDX-License-Identifier: MIT
"""regions.py FOLDER...: see regions.sh"""
import collections
import csv
import fnmatch
import io
import os
import random
import re
import subprocess
import sys
import tempfile

import effort

csv.field_size_limit(1 << 30)
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


def union_length(intervals):
    total, end = 0, None
    for lo, hi in sorted(intervals):
        if end is None or lo > end:
            total += hi - lo
            end = hi
        elif hi > end:
            total += hi - end
            end = hi
    return total


def number(text):
    return (1, int(text)) if text else (0, 0)


def thread_of(event):
    return number(event["pid"]), number(event["tid"])


def backwards(name):
    """Sorts texts from Z to A, a longer one before the shorter it begins with."""
    return tuple(255 - b for b in name.encode("utf-8", "surrogateescape")) + (256,)


class Range:
    def __init__(self, event):
        self.start, self.end, self.name = int(event["start_ns"]), int(event["end_ns"]), event["name"]
        self.thread, self.depth, self.group, self.launched = thread_of(event), 0, None, 0

    def holds(self, at):
        return self.start <= at < self.end


def find_groups(events):
    """Ranges by thread, outer before inner, each with its depth and its group; groups in order."""
    threads = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "marker":
            threads[thread_of(e)].append(Range(e))
    groups = {}
    for thread in sorted(threads):
        own = threads[thread]
        own.sort(key=lambda r: (r.start, -r.end, backwards(r.name)))
        for i, r in enumerate(own):
            for outer in reversed(own[:i]):
                if outer.end > r.start and outer.end >= r.end:
                    r.depth = outer.depth + 1
                    break
            r.group = (thread, r.name, r.depth)
            groups.setdefault(r.group, len(groups))
    return threads, groups


def expect_rank(rank, events):
    threads, groups = find_groups(events)
    calls = collections.defaultdict(list)
    every_call = [e for e in events if e["kind"] == "api"]
    domain = "hip" if any(e["domain"] == "hip" for e in every_call) else "hsa"
    for e in every_call:
        if e["domain"] == domain and e["corr"] not in ("", "0"):
            calls[e["corr"]].append((int(e["start_ns"]), thread_of(e)))
    pids = {e["pid"] for e in every_call if e["domain"] == domain and e["pid"]}
    work = collections.defaultdict(list)
    own = collections.Counter()
    host = {thread_of(e) for e in events if e["kind"] == "marker" or
            e["kind"] == "api" and e["domain"] in ("hip", "hsa", "rccl", "rocdecode", "rocjpeg")}
    ops = [e for e in events if e["kind"] in ("kernel", "copy")]
    tids = any(e["tid"] for e in every_call if e["domain"] == domain) or any(e["tid"] for e in ops)
    for op in ops:
        at, launched_by, found = int(op["start_ns"]), None, sorted(calls.get(op["corr"], []))
        if op["pid"] in pids:
            found = [c for c in found if c[1][0] == number(op["pid"])]
        if found:
            at, launched_by = ([c for c in found if c[0] <= at] or found[:1])[-1]
        every = [r for t in threads.values() for r in t]
        threads_of = [t for t in host if op["tid"] and t[1] == number(op["tid"]) and
                      (not t[0][0] or not op["pid"] or t[0] == number(op["pid"]))]
        names_one = op["tid"] and len(threads_of) < 2
        loose = [r for r in every if not r.thread[1][0]]
        if launched_by and launched_by[1][0]:
            sets = [[r for r in every if r.thread == launched_by], loose]
        elif names_one:
            sets = [[r for r in every if r.thread in threads_of], loose]
        else:
            # Where threads are known, a call of an unknown one says nothing.
            at = int(op["start_ns"]) if tids else at
            sets = [every]
        length = int(op["end_ns"]) - int(op["start_ns"])
        seen, given = set(), False
        for ranges in sets:
            held = [r for r in ranges if r.holds(at)]
            if len(sets) == 1 or not ranges or not ranges[0].thread[1][0]:
                held.sort(key=lambda r: (r.start, -r.end, r.depth, groups[r.group]))
            else:
                held.sort(key=lambda r: (r.start, -r.end, backwards(r.name)))
            if held and not given:
                own[held[-1].group] += length
                given = True
            for r in reversed(held):  # of ranges of one group, the one that began last
                if r.group not in seen:
                    seen.add(r.group)
                    work[r.group].append(op)
                    r.launched += length
    out = []
    for group in groups:
        (_, tid), name, depth = group
        mine = [r for r in threads[group[0]] if r.group == group]
        spans = [(int(o["start_ns"]), int(o["end_ns"])) for o in work[group]]
        row = {"rank": rank, "tid": tid[1] if tid[0] else "", "region": name, "depth": depth, "count": len(mine),
               "host_ns": sum(r.end - r.start for r in mine),
               "gpu_total_ns": sum(hi - lo for lo, hi in spans), "gpu_busy_ns": union_length(spans),
               "self_gpu_ns": own[group], "kernels": sum(o["kind"] == "kernel" for o in work[group]),
               "first_ns": min((lo for lo, _ in spans), default=""), "last_ns": max((hi for _, hi in spans), default="")}
        for column, values in ("", [r.end - r.start for r in mine]), ("gpu_", [r.launched for r in mine]):
            for percent in 50, 99:
                row["%sp%d_ns" % (column, percent)] = sorted(values)[-(-len(values) * percent // 100) - 1]
        if not ops:
            row |= {"gpu_total_ns": "", "gpu_busy_ns": "", "self_gpu_ns": "", "kernels": "", "gpu_p50_ns": "", "gpu_p99_ns": ""}
        out.append({key: str(v) for key, v in row.items()})
    return out


# ---- steps ----

WAITS = collections.defaultdict(list)
with open(os.path.join(os.path.dirname(__file__), "../../schemas/sync_calls.def"), encoding="utf-8") as f:
    for api, pattern in re.findall(r'^WAIT\((\w+), "([^"]+)"\)', f.read(), re.M):
        WAITS[api.lower()].append(pattern)


KIND = {"comm": "C", "memory": "V", "sync": "S"}  # by class; K is every other


def agents_of(event):
    if event["kind"] == "kernel" or event["agent"]:
        return [event["agent"]]
    return {"device_to_host": [event["src"]], "host_to_host": [],
            "device_to_device": sorted({event["src"], event["dst"]})}.get(event["direction"], [event["dst"]])


def span_of(event):
    return int(event["start_ns"]), int(event["end_ns"])


def clipped(events, lo, hi):
    return [(max(a, lo), min(b, hi)) for a, b in map(span_of, events) if max(a, lo) < min(b, hi)]


def use_of(events, lo, hi):
    """How [lo, hi) was used, all agents together."""
    by = collections.defaultdict(list)
    for e in events:
        if e["kind"] in ("kernel", "copy"):
            by["M" if e["kind"] == "copy" else KIND.get(e["class"], "K")].append(e)
    # Each is what it adds to the union of those before it.
    so_far, part, before = [], {}, 0
    for kind in "KCVMS":
        new = clipped(by[kind], lo, hi)
        so_far += new
        now = union_length(so_far) if new else before
        part[kind], before = now - before, now
    return {"window_ns": hi - lo, "busy_ns": before, "compute_ns": part["K"], "exposed_comm_ns": part["C"],
            "exposed_copy_ns": part["M"], "idle_ns": hi - lo - before, "wait_ns": part["S"], "move_ns": part["V"]}


def waited(events, lo, hi):
    """None without API calls."""
    calls = [e for e in events if e["kind"] == "api" and e["domain"] in ("hip", "hsa")]
    if not calls:
        return ""
    api = "hip" if any(e["domain"] == "hip" for e in calls) else "hsa"
    waits = [e for e in calls if e["domain"] == api and any(fnmatch.fnmatchcase(e["name"], p) for p in WAITS[api])]
    return union_length(clipped(waits, lo, hi))


def numbers_in(text):
    """The text with * for each number, and these."""
    pattern, numbers, digits = "", [], ""
    for ch in text + "\0":
        if ch in "0123456789":
            digits += ch
            continue
        if digits:
            pattern += "*"
            numbers.append(int(digits))
            digits = ""
        pattern += ch
    return pattern[:-1], numbers[:4]


def names_a_step(pattern):
    """All of it is the word, or a number follows the word, which is not the end of a longer one."""
    if re.fullmatch("step|iter|iteration", pattern, re.I):
        return True
    follow = r"[ _#:=\-./\[(]*\*"
    return bool(re.search("(?<![A-Za-z])(?i:step|iter|iteration)" + follow, pattern) or
                re.search("(?<=[a-z])(?:S(?i:tep)|I(?i:ter)|I(?i:teration))" + follow, pattern))


def marker_series(events):
    """(pattern, rank, thread) -> ranges in order, of those that can be steps."""
    series = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "marker" and e["start_ns"] != e["end_ns"]:
            series[numbers_in(e["name"])[0], int(e["rank"]), thread_of(e)].append(e)
    fit = {}
    for key, own in series.items():
        own.sort(key=span_of)
        spans = [span_of(e) for e in own]
        total, first, last = sum(b - a for a, b in spans), spans[0][0], max(b for _, b in spans)
        if any(b[0] < a[1] for a, b in zip(spans, spans[1:])):
            continue
        if names_a_step(key[0]) or (len(own) > 1 and total > (last - first) // 2):
            fit[key] = (total, own)
    return fit


def shortest_period(names):
    """(p, from, to), looking at every one."""
    n = len(names)
    for p in range(1, n // 2 + 1):
        best = None
        start = 0
        for i in range(n - p + 1):
            if i < n - p and names[i] == names[i + p]:
                continue
            size = i + p - start
            if size >= 2 * p and size > n // 2 and (not best or size > best[2] - best[1]):
                best = (p, start, i + p)
            start = i + 1
        if best:
            return best
    return None


def sequence_steps(events):
    agents = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "kernel":
            agents[e["agent"]].append(e)
    if not agents:
        return []
    lead = sorted(agents.values(), key=lambda own: (-len(own), agent_key(own[0]["agent"])))[0]
    lead.sort(key=lambda e: (int(e["start_ns"]), "KCVS".index(KIND.get(e["class"], "K")), int(e["end_ns"]), e["name"].encode()))
    found = shortest_period([e["name"] for e in lead])
    if not found:
        return []
    p, lo, hi = found
    starts = [int(e["start_ns"]) for e in lead]
    done = []
    for e in lead:
        done.append(max(int(e["end_ns"]), done[-1] if done else 0))
    first = lo
    if lo:
        def idle(i):
            return sum(max(0, starts[k] - done[k - 1]) for k in range(i, i + (hi - lo) // p * p, p) if k < hi)
        places = [i for i in range(lo, lo + p) if i + 2 * p <= hi]
        first = max(places, key=lambda i: (idle(i), -i))
    return [(i // p + 1, starts[first + i], starts[first + i + p] if first + i + p < hi else done[first + i + p - 1])
            for i in range(0, hi - first - p + 1, p)]


def agent_key(agent):
    return (0, 0) if not agent else (2, int(agent[4:])) if agent.startswith("GPU ") else (1, int(agent))


def expect_steps(events):
    ranks = sorted({int(e["rank"]) for e in events})
    fit = marker_series(events)
    out = []
    if fit:
        def worth(pattern):
            total = sum(t for (p, _, _), (t, _) in fit.items() if p == pattern)
            step = "step" in pattern.lower() or "iter" in pattern.lower()
            return (pattern != "ProfilerStep#*", not step, -total, pattern)
        pattern = min({p for p, _, _ in fit}, key=worth)
    for rank in ranks:
        own = [e for e in events if int(e["rank"]) == rank]
        if fit:
            here = sorted(((-t, th, s) for (p, r, th), (t, s) in fit.items() if p == pattern and r == rank),
                          key=lambda i: i[:2])
            series = here[0][2] if here else []
            numbers = [numbers_in(e["name"])[1] for e in series]
            going = [k for k in range(len(numbers[0]) if numbers else 0)
                     if all(a[k] < b[k] for a, b in zip(numbers, numbers[1:]))]
            steps = [(numbers[i][going[0]] if going else i + 1, *span_of(e)) for i, e in enumerate(series)]
        else:
            steps = sequence_steps(own)
        for number_of, lo, hi in steps:
            row = {"rank": rank, "step": number_of, "start_ns": lo} | use_of(own, lo, hi)
            row["kernels"] = sum(e["kind"] == "kernel" and lo <= int(e["start_ns"]) < hi for e in own)
            if not any(e["kind"] in ("kernel", "copy") for e in own):
                row |= {key: "" for key in row if key.endswith("_ns") and key not in ("start_ns", "window_ns")}
                row["kernels"] = ""
            row["sync_ns"] = waited(own, lo, hi)
            out.append({key: str(v) for key, v in row.items()})
    return out


# ---- ranks ----

MEASURES = ("window_ns", "busy_ns", "compute_ns", "exposed_comm_ns", "idle_ns", "sync_ns", "wait_ns", "move_ns")


def expect_ranks(events):
    out = []
    events = [e for e in events if e["kind"] in ("kernel", "copy") or e["domain"] in ("hip", "hsa")]
    for rank in sorted({int(e["rank"]) for e in events}):
        own = [e for e in events if int(e["rank"]) == rank]
        ops = [e for e in own if e["kind"] in ("kernel", "copy")]
        row = {key: "" for key in MEASURES}
        if ops:
            window = min(span_of(e)[0] for e in ops), max(span_of(e)[1] for e in ops)
            use = use_of(ops, *window)
            row |= {key: use[key] for key in MEASURES if key in use}
        row["sync_ns"] = waited(own, *(window if ops else (0, 1 << 64)))
        row["agents"] = len({a for e in ops for a in agents_of(e)} - {""}) or ""
        out.append({"rank": str(rank)} | {key: str(v) for key, v in row.items()})
    return out


def expect_imbalance(ranks):
    out = []
    for metric in MEASURES:
        have = [(int(r[metric]), int(r["rank"])) for r in ranks if r[metric]]
        row = {"metric": metric, "min": "", "median": "", "mean": "", "max": "", "max_over_mean": "", "argmax_rank": ""}
        if have:
            values = sorted(v for v, _ in have)
            n, total, most = len(values), sum(values), values[-1]
            who = [r for v, r in have if v == most]
            row |= {"min": values[0], "median": values[(n - 1) // 2], "mean": fixed(total, n), "max": most,
                    "max_over_mean": fixed(most * n, total), "argmax_rank": who[0] if len(who) == 1 else ""}
        out.append({key: str(v) for key, v in row.items()})
    return out


def fixed(part, whole):
    if not whole:
        return ""
    v = (20000 * part + whole) // (2 * whole)
    if v >= 1 << 64:
        v = (2 * part + whole) // (2 * whole)
        return v if v < 1 << 64 else ""
    return f"{v // 10000}.{v % 10000:04d}"


def expect_collectives(events):
    members = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "kernel" and e["class"] == "comm":
            members[int(e["rank"]), agent_key(e["agent"])].append(e)
    lists = []
    for key in sorted(members):
        lists.append((key[0], sorted(members[key], key=lambda e: (*span_of(e), e["name"].encode()))))
    matched = []
    for n in range(max((len(own) for _, own in lists), default=0)):
        matched.append([(rank, own[n]) for rank, own in lists if len(own) > n])
    many = [m for m in matched if len(m) > 1]
    overlap = sum(max(span_of(e)[0] for _, e in m) < min(span_of(e)[1] for _, e in m) for m in many)
    clocks = bool(many) and overlap * 10 >= len(many) * 9
    out = []
    for n, m in enumerate(matched):
        starts = [span_of(e)[0] for _, e in m]
        lengths = [b - a for a, b in (span_of(e) for _, e in m)]
        row = {"comm": "", "index": n + 1, "name": m[0][1]["name"], "ranks": len(m), "bytes": "", "arrival_skew_ns": "",
               "min_dur_ns": min(lengths), "max_wait_ns": max(lengths) - min(lengths) if len(m) > 1 else "",
               "last_rank": "", "busbw_gb_per_s": ""}
        if clocks and len(m) > 1:
            row["arrival_skew_ns"] = max(starts) - min(starts)
            row["last_rank"] = min(rank for rank, e in m if span_of(e)[0] == max(starts))
        out.append({key: str(v) for key, v in row.items()})
    return out


def differ(what, got, want):
    if got == want:
        return
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            say(f"{what}: row {i}: " + ", ".join(f"{k} {g.get(k)} not {w.get(k)}" for k in w if g.get(k) != w[k]))
            return
    say(f"{what}: {len(got)} rows, not {len(want)}")


def answer(*command):
    return rows(run("kstats", command[0], "-q", "-f", "csv", *command[1:])[1])


def check(what, *inputs):
    _, text, _ = run("tracecat", "-q", "--kind", "kernel,copy,api,marker", *inputs)
    events = [e for e in rows(text)
              if e["start_ns"] and e["end_ns"] and e["direction"] != "host_to_host"]  # which is no GPU's
    want = []
    for rank in sorted({int(e["rank"]) for e in events}):
        want += expect_rank(rank, [e for e in events if int(e["rank"]) == rank])
    _, got, _ = run("kstats", "regions", "-q", "-f", "csv", *inputs)
    differ(f"kstats regions {what}", rows(got), want)
    steps = expect_steps(events)
    differ(f"kstats regions --steps {what}", answer("regions", "--steps", *inputs), steps)
    for row in steps:
        parts = [row[key] for key in ("compute_ns", "wait_ns", "move_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns")]
        if parts[0] and sum(map(int, parts)) != int(row["window_ns"]):
            say(f"{what}: parts of step {row['step']} do not add up")
    ranks = expect_ranks(events)
    got = [{key: row[key] for key in ranks[0]} for row in answer("ranks", *inputs)] if ranks else []
    differ(f"kstats ranks {what}", got, ranks)
    if ranks:
        differ(f"kstats ranks --imbalance {what}", answer("ranks", "--imbalance", *inputs), expect_imbalance(ranks))
    collectives = expect_collectives(events)
    differ(f"kstats ranks --collectives {what}", answer("ranks", "--collectives", *inputs), collectives)
    compared["steps"] += bool(steps)
    compared["ranks"] += bool(ranks)
    compared["collectives"] += bool(collectives)
    for row in want:
        if row["gpu_total_ns"] and int(row["gpu_busy_ns"]) > int(row["gpu_total_ns"]):
            say(f"{what}: busy is more than the sum in region {row['region']}")
    compared["regions"] += bool(want)


def traces(folder):
    """Folders with marker tables, and Perfetto traces."""
    for at, dirs, files in os.walk(folder):
        dirs.sort()
        if any("marker_api_trace" in f or f.startswith("roctx_trace") for f in files) and len(files) < 30:
            yield at
        for name in sorted(files):
            path = os.path.join(at, name)
            if "marker_api_trace" in name and len(files) >= 30:
                yield path
            if name.removesuffix(".zst").endswith((".pftrace", ".proto")) and os.path.getsize(path) < 8 << 20:
                yield path


API = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
KERNELS = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
           '"Correlation_Id","Start_Timestamp","End_Timestamp"\n')
COPIES = ('"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
          '"Start_Timestamp","End_Timestamp"\n')


COMM = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"


def random_run(rng):
    """Lines of (markers, calls, kernels, copies): ranges that nest, overlap and coincide, marks, lost calls; or
    no markers, and kernels that repeat now and then."""
    repeats = rng.random() < .4
    markers, calls, kernels, copies = [], [], [], []
    base, span = 10**12, 10**rng.randint(2, 5)
    names = ["step", "load", "a, b", "forward", "step 2"]
    cycle = [rng.choice(["k0", "k1", "k2", COMM, "ncclDevKernel_AllReduce", "__amd_rocclr_streamOpsWait",
                         "__amd_rocclr_copyBuffer.kd"]) for _ in range(rng.randint(1, 9))]
    slip = rng.choice([0, .01, .3])
    # How often ranges and calls do not know their threads.
    loose, lost = rng.choice([0, 0, .2, 1]), rng.choice([0, 0, 0, .2, 1])

    mute = rng.choice([0, .5, 1, 1])  # and operations

    def thread(unknown, of):
        return "" if rng.random() < unknown else rng.choice(of)

    for i in range(0 if repeats else rng.randint(1, 40)):
        start = base + rng.randrange(span)
        end = start + (0 if rng.random() < .1 else rng.randrange(max(1, span // rng.choice([1, 3, 10]))))
        markers.append(f'"MARKER_CORE_RANGE_API","{rng.choice(names)}",7,{thread(loose, [1, 1, 2, 3])},{9000 + i},{start},{end}\n')
        if rng.random() < .1:
            markers.append(markers[-1].replace(",7,1,", ",7,2,"))
    for i in range(1, rng.randint(1, 150)):
        at = base + (i * span // 150 if repeats else rng.randrange(span))
        name = rng.choice(cycle) if not repeats or rng.random() < slip else cycle[i % len(cycle)]
        if rng.random() < .85:
            domain = "HSA_CORE_API" if rng.random() < .1 else "HIP_RUNTIME_API"
            call = rng.choice(["hipLaunchKernel", "hipLaunchKernel", "hipFree", "hipStreamSynchronize"])
            calls.append(f'"{domain}","{call}",7,{thread(lost, [1, 2, 3, 4])},{i},{at},{at + rng.randrange(1, span // 9 + 9)}\n')
        start = at if repeats else at + rng.randrange(span // 5 + 1)
        end = start + rng.randrange(span // 20 + 2)
        if repeats or rng.random() < .7:
            agent = 4 if repeats else rng.choice([4, 5])
            kernels.append(f'"KERNEL_DISPATCH","Agent {agent}",1,0,{thread(mute, [1, 2, 3, 9])},{i},1,"{name}",{i},{start},{end}\n')
        else:
            way, src, dst = rng.choice([("HOST_TO_DEVICE", 0, 4), ("DEVICE_TO_DEVICE", 4, 5), ("HOST_TO_HOST", 0, 0)])
            copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",0,"Agent {src}","Agent {dst}",{i},{start},{end}\n')
    return markers, calls, kernels, copies


def write(base, stem, tables, cut=None, rank=0):
    """The tables as files; with `cut` each as two.  Operands for what was written."""
    out = []
    heads = (("marker_api", API), ("hip_api", API), ("kernel", KERNELS), ("memory_copy", COPIES))
    for (word, head), lines in zip(heads, tables):
        for part, own in enumerate([lines] if cut is None else [lines[:len(lines) // cut], lines[len(lines) // cut:]]):
            if own:
                path = os.path.join(base, f"{stem}{rank}{part}_{word}_trace.csv")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(head + "".join(own))
                out.append(f"{rank}={path}")
    return out


def same(what, command, want, *inputs):
    got = run("kstats", *command, "-q", "-f", "csv", *inputs)
    compared["laws"] += 1
    if got[:2] != want[:2]:
        say(f"{what} differs")


def laws(work, rounds):
    """The same bytes, however the same rows are arranged."""
    rng = random.Random(11)
    for n in range(rounds):
        base = os.path.join(work, str(n))
        os.mkdir(base)
        one, parts = [], []
        for rank in range(rng.choice([1, 2, 3])):
            tables = random_run(rng)
            one += write(base, "a", tables, rank=rank)
            mixed = [rng.sample(lines, len(lines)) for lines in tables]
            parts += write(base, "b", mixed, cut=rng.choice([2, 3]), rank=rank)
        check(f"random {n}", *one)
        rng.shuffle(parts)
        db = os.path.join(base, "run.db")
        run("tracemerge", "-q", "-o", db, *one)
        for command in (["regions"], ["regions", "-w", "20%..70%"], ["regions", "--steps", "--skip", "1"],
                        ["ranks"], ["ranks", "--imbalance", "-w", "10%.."], ["top", "-w", "marker:load/1"],
                        ["timeline", "-w", "step:2..3"], ["regions", "-w", "marker:step"]):
            want = run("kstats", *command, "-q", "-f", "csv", "-j", "1", *one)
            for how, inputs in (("-j 4", ["-j", "4", *one]), ("permuted and split", parts), ("run.db", [db])):
                same(f"random {n}: {' '.join(command)}: {how} ({base})", command, want, *inputs)


for folder in sys.argv[1:]:
    for trace in effort.sample(traces(folder)):
        check(trace, trace)
with tempfile.TemporaryDirectory() as tmp:
    laws(tmp, effort.rounds(16))
print(", ".join(f"{n} {what}" for what, n in sorted(compared.items())) + " compared")
if any(compared[k] < n for k, n in effort.least({"regions": 12, "steps": 10, "collectives": 10, "laws": 300}).items()):
    say("too few comparisons: the data is not there, or nothing was read")
sys.exit(bad != 0)
