# SPDX-License-Identifier: MIT
"""fuse.py FOLDER...: kstats gaps --fuse against its rules, and against kstats gaps."""
import collections
import random
import sys
import tempfile

import effort
import questions as q

CAUSES = ["sync_ns", "host_ns", "launch_ns", "device_ns", "unknown_ns"]
OTHERS = {"comm", "memory", "sync"}  # classes of kernels that do not compute


def lanes_of(inputs):
    """(rank, agent): operations by start, None where the order of those that start together is open."""
    lanes = collections.defaultdict(list)
    for e in q.events("kernel,copy", *inputs):
        if not e["start_ns"] or not e["end_ns"]:
            continue
        if e["kind"] == "copy":
            return None  # which agent's it is takes rules of its own
        computes = e["class"] not in OTHERS
        lanes[e["rank"], e["agent"]].append((int(e["start_ns"]), int(e["end_ns"]), e["name"] if computes else None))
    for lane in lanes.values():
        lane.sort(key=lambda o: o[0])
        if any(a[0] == b[0] for a, b in zip(lane, lane[1:])):
            return None
    return lanes


def shortest(names):
    """The shortest p with which names repeats."""
    return next(p for p in range(1, len(names) + 1) if all(a == b for a, b in zip(names, names[p:])))


def runs_of(lane, short, waited):
    """{sequence: [runs, total, gap]}; the host waited in the gaps that begin at one of these times."""
    pair, after, before = collections.Counter(), collections.Counter(), collections.Counter()
    for (_, _, a), (_, _, b) in zip(lane, lane[1:]):
        pair[a, b] += 1
        after[a] += 1
        before[b] += 1
    rows, end, row = [], 0, []
    for i, (lo, hi, name) in enumerate(lane):
        fits = name is not None and hi - lo < short
        a = lane[i - 1][2] if i else None
        linked = (row and fits and i and end not in waited and (pair[a, name] == after[a] or pair[a, name] == before[name]))
        if not linked:
            rows.append(row)
            row = []
        if fits:
            row.append((name, hi - lo, max(0, lo - end)))
        end = max(end, hi)
    rows.append(row)
    out = collections.defaultdict(lambda: [0, 0, 0])
    for row in rows:
        if len(row) < 2:
            continue
        p = shortest([r[0] for r in row])
        p = len(row) if p > len(row) // 2 else p
        for k in range(0, len(row) - p + 1, p):
            unit = row[k:k + p]
            if p > 1:
                sums = out[" > ".join(r[0] for r in unit)]
                sums[0] += 1
                sums[1] += sum(r[1] for r in unit)
                sums[2] += sum(r[2] for r in unit[1:])
    return {k: v for k, v in out.items() if v[0] >= 3}


def compare(what, inputs, short):
    got = q.ask(f"gaps --fuse -n 0 --short {short}", *inputs)
    idle = {(r["rank"], r["agent"]): r for r in q.ask("gaps", *inputs)}
    gaps = collections.Counter()
    for r in got:
        if sum(int(r[c]) for c in CAUSES) != int(r["gap_ns"]) or int(r["runs"]) < 3 or int(r["kernels"]) < 2:
            q.say(f"{what}: {r}")
        gaps[r["rank"], r["agent"]] += int(r["gap_ns"])
    for lane, ns in gaps.items():
        if ns > int(idle[lane]["idle_ns"]):
            q.say(f"{what}: {lane}: {ns} ns of {idle[lane]['idle_ns']}")
    q.compared["bounds"] += len(gaps)
    lanes = lanes_of(inputs)
    if lanes is None:
        return
    waited = collections.defaultdict(set)
    for r in q.ask("gaps --list -n 0", *inputs):
        if int(r["sync_ns"] or 0):
            waited[r["rank"], r["agent"]].add(int(r["start_ns"]))
    want = {(*lane, seq): v for lane, ops in lanes.items()
            for seq, v in runs_of(ops, short * 1000, waited[lane]).items()}
    have = {(r["rank"], r["agent"], r["sequence"]): [int(r["runs"]), int(r["total_ns"]), int(r["gap_ns"])] for r in got}
    if want != have or len(have) != len(got):
        q.say(f"{what}: {sorted(have.items())[:3]}, not {sorted(want.items())[:3]}")
    q.compared["sequences"] += len(want)


HEAD = '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'


def tables(rng):
    """Layers of a few kernels, with now and then another one, a longer one, a pause."""
    lines, t, i = [], 1000, 0
    layer = [rng.choice("abcdefg") + rng.choice(["", "<1>"]) for _ in range(rng.randint(1, 6))]
    odd = rng.choice([0, 0.01, 0.03])
    for _ in range(rng.choice([3, 30, 100])):
        agent = rng.choice([1, 1, 1, 2])
        for name in layer if rng.random() < 0.98 else layer[::-1]:
            if rng.random() < odd:
                name = rng.choice(["a", "x", "ncclKernel"])
            t += rng.choice([0, 0, 300, rng.randint(0, 3000)])
            ns = rng.choice([500, rng.randint(1, 9000), 20000 if rng.random() < 0.02 else 700])
            lines.append(f'"KERNEL_DISPATCH",{agent},1,"{name}",{i},{t},{t + ns}\n')
            i += 1
            t += rng.choice([ns, ns, ns, ns // 2 + 1])
    return {"kernel_trace": (HEAD, lines)}


rng = random.Random(188)
with tempfile.TemporaryDirectory() as tmp:
    for inputs in q.laws(tmp, ["gaps --fuse"], tables, effort.rounds(100)):
        compare("random", inputs, 10)
        compare("random", inputs, rng.choice([1, 3, 100]))
    for inputs in effort.sample(q.traces(sys.argv[1:], ("kernel_trace", "hip_api"))):
        compare(" ".join(inputs), inputs, rng.choice([1, 10, 100]))
q.finish({"sequences": 100, "bounds": 60, "laws": 300})
