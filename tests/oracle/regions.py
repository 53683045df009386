# SPDX-License-Identifier: MIT
"""regions.py FOLDER...: see regions.sh"""
import collections
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

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
        self.thread, self.depth, self.group = thread_of(event), 0, None

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
    ops = [e for e in events if e["kind"] in ("kernel", "copy")]
    for op in ops:
        at, launched_by, found = int(op["start_ns"]), None, sorted(calls.get(op["corr"], []))
        if op["pid"] in pids:
            found = [c for c in found if c[1][0] == number(op["pid"])]
        if found:
            at, launched_by = ([c for c in found if c[0] <= at] or found[:1])[-1]
        every = [r for t in threads.values() for r in t]
        if launched_by and launched_by[1][0]:
            sets = [[r for r in every if r.thread == launched_by], [r for r in every if not r.thread[1][0]]]
        else:
            sets = [every]
        length = int(op["end_ns"]) - int(op["start_ns"])
        seen = set()
        for ranges in sets:
            held = [r for r in ranges if r.holds(at)]
            if len(sets) == 1 or not ranges or not ranges[0].thread[1][0]:
                held.sort(key=lambda r: (r.start, -r.end, groups[r.group]))
            else:
                held.sort(key=lambda r: (r.start, -r.end, backwards(r.name)))
            if held:
                own[held[-1].group] += length
            for r in held:
                if r.group not in seen:
                    seen.add(r.group)
                    work[r.group].append(op)
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
        if not ops:
            row |= {"gpu_total_ns": "", "gpu_busy_ns": "", "self_gpu_ns": "", "kernels": ""}
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


def check(what, *inputs):
    _, text, _ = run("tracecat", "-q", "--kind", "kernel,copy,api,marker", *inputs)
    events = [e for e in rows(text) if e["start_ns"] and e["end_ns"]]
    want = []
    for rank in sorted({int(e["rank"]) for e in events}):
        want += expect_rank(rank, [e for e in events if int(e["rank"]) == rank])
    _, got, _ = run("kstats", "regions", "-q", "-f", "csv", *inputs)
    differ(f"kstats regions {what}", rows(got), want)
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


def random_run(rng):
    """Lines of (markers, calls, kernels, copies): ranges that nest, overlap and coincide, marks, lost calls."""
    markers, calls, kernels, copies = [], [], [], []
    base, span = 10**12, 10**rng.randint(2, 5)
    names = ["step", "load", "a, b", "forward", "step 2"]
    for i in range(rng.randint(1, 40)):
        start = base + rng.randrange(span)
        end = start + (0 if rng.random() < .1 else rng.randrange(max(1, span // rng.choice([1, 3, 10]))))
        markers.append(f'"MARKER_CORE_RANGE_API","{rng.choice(names)}",7,{rng.choice([1, 1, 2, 3])},{9000 + i},{start},{end}\n')
        if rng.random() < .1:
            markers.append(markers[-1].replace(",7,1,", ",7,2,"))
    for i in range(1, rng.randint(1, 150)):
        at = base + rng.randrange(span)
        if rng.random() < .85:
            domain = "HSA_CORE_API" if rng.random() < .1 else "HIP_RUNTIME_API"
            calls.append(f'"{domain}","hipLaunchKernel",7,{rng.choice([1, 2, 3, 4])},{i},{at},{at + 5}\n')
        start = at + rng.randrange(span // 5 + 1)
        end = start + rng.randrange(span // 20 + 2)
        if rng.random() < .7:
            kernels.append(f'"KERNEL_DISPATCH","Agent {rng.choice([4, 5])}",1,0,1,{i},1,"k{i % 3}",{i},{start},{end}\n')
        else:
            way, src, dst = rng.choice([("HOST_TO_DEVICE", 0, 4), ("DEVICE_TO_DEVICE", 4, 5)])
            copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",0,"Agent {src}","Agent {dst}",{i},{start},{end}\n')
    return markers, calls, kernels, copies


def write(base, stem, tables, cut=None):
    """The tables as files; with `cut` each as two.  Names of what was written."""
    out = []
    heads = (("marker_api", API), ("hip_api", API), ("kernel", KERNELS), ("memory_copy", COPIES))
    for (word, head), lines in zip(heads, tables):
        for part, own in enumerate([lines] if cut is None else [lines[:len(lines) // cut], lines[len(lines) // cut:]]):
            if own:
                path = os.path.join(base, f"{stem}{part}_{word}_trace.csv")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(head + "".join(own))
                out.append("0=" + path)
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
        tables = random_run(rng)
        one = write(base, "a", tables)
        check(f"random {n}", *one)
        mixed = [rng.sample(lines, len(lines)) for lines in tables]
        parts = write(base, "b", mixed, cut=rng.choice([2, 3]))
        rng.shuffle(parts)
        db = os.path.join(base, "run.db")
        run("tracemerge", "-q", "-o", db, *one)
        for command in (["regions"], ["regions", "-w", "20%..70%"]):
            want = run("kstats", *command, "-q", "-f", "csv", "-j", "1", *one)
            for how, inputs in (("-j 4", ["-j", "4", *one]), ("permuted and split", parts), ("run.db", [db])):
                same(f"random {n}: {' '.join(command)}: {how} ({base})", command, want, *inputs)


for folder in sys.argv[1:]:
    for trace in traces(folder):
        check(trace, trace)
with tempfile.TemporaryDirectory() as tmp:
    laws(tmp, 40)
print(", ".join(f"{n} {what}" for what, n in sorted(compared.items())) + " compared")
if compared["regions"] < 45 or compared["laws"] < 200:
    say("too few comparisons: the data is not there, or nothing was read")
sys.exit(bad != 0)
