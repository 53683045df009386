# SPDX-License-Identifier: MIT
"""kernel.py FOLDER...: kstats kernel against kstats top -k, kstats regions --kernels and what tracecat prints."""
import collections
import os
import random
import re
import sys
import tempfile

import effort
import questions as q


def page(regex, *inputs):
    status, text, err = q.run("kstats", "kernel", regex, "-q", "-f", "csv", *inputs)
    out = collections.defaultdict(list)
    for r in q.rows(text):
        out[r["section"]].append(r)
    return status, text, err, out


def sums(what, got, top, key):
    """Time and dispatches by something are those of top."""
    want = collections.defaultdict(lambda: [0, 0])
    for r in top:
        want[key(r)][0] += int(r["calls"])
        want[key(r)][1] += int(r["total_ns"] or 0)
    have = {r["metric"]: [int(r["calls"]), int(r["value"] or 0)] for r in got}
    if have != want:
        q.say(f"{what}: {have}, not {dict(want)}")


def size(text):
    """As a shape has it: without ones at the end."""
    parts = text.split("x")
    while len(parts) > 1 and parts[-1] == "1":
        parts.pop()
    return "x".join(parts)


def shape(r):
    return " ".join(f"{w} {size(r[c])}" for w, c in (("wg", "workgroup"), ("grid", "grid")) if r[c]) or "unknown"


def compare(what, regex, inputs):
    top = q.ask("top -n 0 --per rank,agent,stream,shape", "-k", regex, *inputs)
    status, text, err, got = page(regex, *inputs)
    if not top:
        if q.rows(text) or status != 2:
            q.say(f"{what}: a page of nothing: {err}")
        return
    whole = q.ask("top -n 0 --name class", "-k", regex, *inputs)
    calls, total = sum(int(r["calls"]) for r in whole), sum(int(r["total_ns"] or 0) for r in whole)
    if total >> 64 or any(not r["total_ns"] for r in whole):
        return
    head = {r["metric"]: r["value"] for r in got["total"]}
    if head != {"calls": str(calls), "total_ns": str(total)}:
        q.say(f"{what}: {head}, not {calls} calls of {total} ns")
    sums(f"{what}: kernel", got["kernel"], top, lambda r: r["name"])
    sums(f"{what}: rank", got["rank"], top, lambda r: r["rank"] or "unknown")
    sums(f"{what}: agent", got["agent"], top, lambda r: r["agent"] or "unknown")
    sums(f"{what}: stream", got["stream"], top, lambda r: r["stream"] or "unknown")
    sums(f"{what}: shape", got["shape"], top, shape)
    durations = {r["metric"]: r["value"] for r in got["durations"]}
    for c, pick in (("min_ns", min), ("max_ns", max)):
        if all(r[c] for r in top) and durations.get(c) != str(pick(int(r[c]) for r in top)):
            q.say(f"{what}: {c} {durations.get(c)}")
    if got["histogram"] and sum(int(r["value"]) for r in got["histogram"]) != calls:
        q.say(f"{what}: the histogram has other calls")
    for section in ("op", "region"):
        if got[section] and (sum(int(r["calls"]) for r in got[section]), sum(int(r["value"]) for r in got[section])) != (calls, total):
            q.say(f"{what}: {section} is not all of it")
        q.compared["launched"] += bool(got[section])
    q.compared["pages"] += 1


def neighbors(what, regex, inputs):
    """Of kernels alone, on streams and agents that they state; ties in time are left out."""
    events = [e for e in q.events("kernel,copy", *inputs) if e["start_ns"] and e["end_ns"]]
    if any(e["kind"] == "copy" for e in events):
        return
    lanes = collections.defaultdict(list)
    for e in events:
        lanes[e["rank"], e["agent"], e["stream"]].append((int(e["start_ns"]), int(e["end_ns"]), e["name"]))
    want = collections.defaultdict(lambda: [0, 0])
    for lane in lanes.values():
        lane.sort()
        if any(a[0] == b[0] for a, b in zip(lane, lane[1:])):
            return
        end = 0
        for (s, e, name), (start, _, after) in zip(lane, lane[1:]):
            end = max(end, e)
            gap = max(start - end, 0)
            for section, mine, other in (("gap before", after, name), ("gap after", name, after)):
                if re.search(regex, mine):
                    want[section, other][0] += 1
                    want[section, other][1] += gap
    got = page(regex, *inputs)[3]
    have = {(s, r["metric"]): (int(r["calls"]), r["value"]) for s in ("gap before", "gap after") for r in got[s]}
    mean = {k: (n, f"{(20000 * gap + n) // (2 * n) // 10000}.{(20000 * gap + n) // (2 * n) % 10000:04d}") for k, (n, gap) in want.items()}
    if have != mean:
        q.say(f"{what}: neighbors {have}, not {mean}")
    q.compared["neighbors"] += len(mean)


HEAD = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp",'
        '"Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
NAMES = ["k1", "k2<int>", "void k1::run(float*, int)", 'a,b', "<i>k</i>", "Cijk_MT64x64x32"]


def tables(rng):
    lines, at = [], set()
    for i in range(rng.choice([5, 50, 300])):
        start = rng.randint(1000, 90000)
        while start in at:
            start += 1
        at.add(start)
        lines.append(f'"KERNEL_DISPATCH",{rng.randrange(2)},1,{rng.randrange(3)},"{rng.choice(NAMES)}",{i},{start},'
                     f'{start + rng.randint(1, 700)},64,{rng.choice([1, 2])},1,{rng.choice([64, 128])},2,1\n')
    return {"kernel_trace": (HEAD, lines)}


rng = random.Random(182)
with tempfile.TemporaryDirectory() as tmp:
    for inputs in q.laws(tmp, ["kernel k1", "kernel ^(a|Cijk)"], tables, effort.rounds(40)):
        for regex in ("k", "k1", "^<i>"):
            compare(f"random {regex}", regex, inputs)
            neighbors(f"random {regex}", regex, inputs)
    for inputs in effort.sample(q.traces(sys.argv[1:], ("kernel_trace", "counter_collection"))):
        for regex in (".", "a.*e"):
            compare(f"{inputs} {regex}", regex, inputs)
        if rng.random() < 0.3:
            q.run("tracemerge", "-q", "-o", f"{tmp}/run.db", *inputs)
            if page(".", f"{tmp}/run.db")[1] != page(".", *inputs)[1]:
                q.say(f"{inputs}: run.db answers otherwise")
            os.unlink(f"{tmp}/run.db")
            q.compared["databases"] += 1
# Launches are those of the shared traces.
q.finish({"laws": 200, "pages": 200, "neighbors": 500, "databases": 10} | ({"launched": 5} if len(sys.argv) > 2 else {}))
