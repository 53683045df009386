# SPDX-License-Identifier: MIT
"""timeline.py FOLDER...: see timeline.sh"""
import collections
import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile

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


def minus(a, b):
    """|a \\ b|, from |a| + |b| - |a or b|."""
    return length(union([tuple(i) for i in a] + [tuple(i) for i in b])) - length(b)


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
    if row["kind"] == "kernel" or row["agent"]:
        return [row["agent"]]
    way = row["direction"]
    if way == "device_to_host":
        return [row["src"]]
    if way == "host_to_host":
        return [""]
    if way == "device_to_device" and row["src"] and row["dst"] and row["src"] != row["dst"]:
        return [row["dst"], row["src"]]
    return [row["dst"]]


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
    tracks = collections.defaultdict(lambda: {"K": [], "C": [], "M": []})
    for e in events:
        kind = "M" if e["kind"] == "copy" else "C" if e["class"] == "comm" else "K"
        for agent in agents_of(e):
            tracks[int(e["rank"]), agent][kind].append((int(e["start_ns"]), int(e["end_ns"])))
    out = []
    for (rank, agent), t in sorted(tracks.items(), key=lambda i: (i[0][0], agent_key(i[0][1]))):
        k, c, m = union(t["K"]), union(t["C"]), union(t["M"])
        every = t["K"] + t["C"] + t["M"]
        kernels = [hi - lo for lo, hi in t["K"] + t["C"]]
        short = [d for d in kernels if d < SHORT_NS]
        window = max(hi for _, hi in every) - min(lo for lo, _ in every)
        busy = length(union(every))
        kc = union(t["K"] + t["C"])
        exposed = minus(c, k)
        row = {
            "rank": rank, "agent": agent, "window_ns": window, "busy_ns": busy, "compute_ns": length(k),
            "exposed_comm_ns": exposed, "exposed_copy_ns": minus(m, kc), "idle_ns": window - busy,
            "busy_pct": pct(busy, window), "idle_pct": pct(window - busy, window), "comm_ns": length(c),
            "overlap_comm_pct": pct(length(c) - exposed, length(c)), "copy_ns": length(m),
            "kernels": len(kernels), "short_kernels": len(short), "short_pct": pct(sum(short), sum(kernels)),
            "concurrency_avg": ratio(sum(hi - lo for lo, hi in every), busy), "concurrency_max": deepest(every),
        }
        if row["compute_ns"] + exposed + row["exposed_copy_ns"] + row["idle_ns"] != window:
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


def expect_gemm(events):
    return [{"share": name} | share(events, wanted)[2] for name, wanted in GEMM.items()]


def check_summary(what, events, *inputs):
    """Every number of the page is that of another table."""
    _, text, _ = run("kstats", "summary", "-q", "-f", "csv", *inputs)
    got = {r["metric"]: r["value"] for r in rows(text)}
    lines = expect_timeline(events)
    window = sum(int(r["window_ns"]) for r in lines)
    want = {"timeline.window_ns": str(window), "agents": str(len([r for r in lines if r["agent"]])),
            "kernels.calls": str(len([e for e in events if e["kind"] == "kernel"]))}
    for part in ("busy", "compute", "exposed_comm", "exposed_copy", "idle"):
        want[f"timeline.{part}_pct"] = pct(sum(int(r[part + "_ns"]) for r in lines), window)
    for row in expect_gemm(events):
        want[row["share"] + ".kernel_pct"] = row["kernel_pct"]
    gaps = rows(run("kstats", "gaps", "-q", "-f", "csv", *inputs)[1])
    want["gaps.count"] = str(sum(int(r["gaps"]) for r in gaps))
    known = got["gaps.matched_pct"] not in ("", "0.0000")
    for part in ("sync", "host", "launch", "device", "unknown"):
        ns = sum(int(r[part + "_ns"]) for r in gaps)
        want[f"gaps.{part}_pct"] = pct(ns, window) if known or part == "unknown" else ""
    for i, row in enumerate(rows(run("kstats", "top", "-q", "-f", "csv", "-n", "10", *inputs)[1])):
        want[f"top.{i + 1}.kernel_pct"] = row["pct"]
    if window >= 2**64:
        want["timeline.window_ns"] = ""
    for name, value in want.items():
        if got.get(name, "none") != value and (value or got.get(name)):
            say(f"kstats summary {what}: {name} is {got.get(name)}, not {value}")
    compared["summary"] += 1


def differ(what, got, want):
    if got == want:
        return
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            say(f"{what}: row {i}: " + ", ".join(f"{k} {g.get(k)} not {w.get(k)}" for k in w if g.get(k) != w[k]))
            return
    say(f"{what}: {len(got)} rows, not {len(want)}")


def check(what, *inputs):
    _, text, _ = run("tracecat", "-q", "--kind", "kernel,copy", *inputs)
    events = [e for e in rows(text) if e["start_ns"] and e["end_ns"]]
    if not events:
        return False
    for command, expect in (("timeline", expect_timeline), ("classes", expect_classes), ("gemm", expect_gemm)):
        if command != "timeline" and not any(e["kind"] == "kernel" for e in events):
            continue
        _, got, _ = run("kstats", command, "-q", "-f", "csv", *inputs)
        differ(f"kstats {command} {what}", rows(got), expect(events))
        compared[command] += 1
    if any(e["kind"] == "kernel" for e in events):
        check_summary(what, events, *inputs)
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
           "my_kernel(float*)", "void at::native::vectorized_elementwise_kernel<4>(int)", "igemm_fwd_gtcx3_nhwc",
           "rocblas_gemvt_kernel"]
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
                                        ("DEVICE_TO_DEVICE", 4, 4)])
            copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",0,"Agent {src}","Agent {dst}",{i + 1},{start},{end}\n')
    return kernels, copies


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
        rng.shuffle(kernels)
        rng.shuffle(copies)
        cut = len(kernels) // 2
        parts = [write(os.path.join(base, "b_kernel_trace.csv"), HEAD, kernels[:cut]),
                 write(os.path.join(base, "c_kernel_trace.csv"), HEAD, kernels[cut:])]
        if copies:
            parts.append(write(os.path.join(base, "b_memory_copy_trace.csv"), COPIES, copies))
        db = os.path.join(base, "run.db")
        run("tracemerge", "-q", "-o", db, *("0=" + p for p in one))
        for command in ("timeline", "classes", "gemm", "classes --explain", "timeline -w 20%..70%", "summary"):
            _, want, _ = run("kstats", *command.split(), "-q", "-f", "csv", "-j", "1", *("0=" + p for p in one))
            for how, inputs in (("-j 4", ["-j", "4"] + ["0=" + p for p in one]),
                                ("permuted and split", ["0=" + p for p in parts]), ("run.db", [db])):
                _, got, _ = run("kstats", *command.split(), "-q", "-f", "csv", *inputs)
                if command == "summary":  # two files more are two inputs more
                    got, want = (re.sub(r"(?m)^inputs,.*", "", text) for text in (got, want))
                if got != want:
                    say(f"random {number}: {command} {how} differs from -j 1 ({base})")
                compared["laws"] += 1


for folder in sys.argv[1:]:
    for trace in traces(folder):
        check(trace, trace)
with tempfile.TemporaryDirectory() as tmp:
    laws(tmp, 25)
print(", ".join(f"{n} {what}" for what, n in sorted(compared.items())) + " compared")
if compared["timeline"] < 30 or compared["laws"] < 300:
    say("too few comparisons: the data is not there, or nothing was read")
sys.exit(bad != 0)
