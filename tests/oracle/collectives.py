# SPDX-License-Identifier: MIT
"""collectives.py DATA: what is known of real communication from elsewhere, and who was late in random jobs.

    Four ranks of one job: rank 3 caused 62 % of the waiting, and tracemerge aligns by all 512 collectives.
    Logs of RCCL beside what rccl-tests printed in the same run: no kernel trace of these runs was kept, so each
    call of the log gets a kernel of as long as rccl-tests says that one of its size took.  kstats then joins the log and the
    kernels, and its bus bandwidth of each size is the one that rccl-tests printed, to the digits that it printed."""
import collections
import math
import os
import random
import re
import sys
import tempfile

import effort
import questions as q

REAL = os.path.join(sys.argv[1], "real")
JOB = os.path.join(REAL, "ROCm+vllm/Mixtral-8x7B-Instruct-v0.1/gpt-fast/mixtral-moe")
RUNS = os.path.join(REAL, "Ahalperin+amd-dev/results")


def four_ranks(work):
    inputs = [f"{i}={JOB}/trace_{i}.rpd" for i in range(4)]
    db = os.path.join(work, "run.db")
    _, _, err = q.run("tracemerge", "--align", "collectives", "-o", db, *inputs)
    if "aligned by 512 collectives" not in err:
        q.say(f"tracemerge --align collectives: {err}")
    _, _, err = q.run("kstats", "collectives", *inputs)
    if "matched by their order" not in err:
        q.say(f"kstats collectives does not say that it matched by order: {err}")
    for how, given in {"as recorded": inputs, "backwards": inputs[::-1], "aligned": [db]}.items():
        rows = q.ask("collectives --ranks", *given)
        most = max(rows, key=lambda r: float(r["caused_wait_pct"]))
        if (most["rank"], int(float(most["caused_wait_pct"]))) != ("3", 62):
            q.say(f"four ranks, {how}: rank {most['rank']} with {most['caused_wait_pct']} %, not 3 with 62")
        if sum(int(r["last"]) for r in rows) > 512 or len(q.ask("collectives --list", *given)) != 512:
            q.say(f"four ranks, {how}: not 512 collectives")
        q.compared["four ranks"] += 1


def printed(path):
    """{bytes: (microseconds, bus bandwidth)} out of place, as rccl-tests printed them."""
    out = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            v = line.split()
            if len(v) == 13 and v[0].isdigit() and int(v[0]):
                out[int(v[0])] = (v[5], v[7])
    return out


def bandwidths(run, work):
    log, table = (os.path.join(RUNS, run, n) for n in ("nccl_debug.log", "command_output.log"))
    took = printed(table)
    calls = q.rows(q.run("tracecat", "-q", "-f", "csv", log)[1])
    whole = max({c["global_rank"] for c in calls}, key=lambda r: sum(c["global_rank"] == r for c in calls))
    at, lines = 1000, []
    for c in calls:
        us = took.get(int(c["bytes"]), ("1.00", ""))[0] if c["global_rank"] == whole else None
        if us:
            ns = int(us.replace(".", "")) * (10 if re.search(r"\.\d\d$", us) else 100 if "." in us else 1000)
            lines.append(f"kernel,{whole},{c['pid']},GPU 0,ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>),{at},{at + ns}\n")
            at += ns + 1000
    trace = q.put(work, run + ".csv", "kind,rank,pid,agent,name,start_ns,end_ns\n", lines)
    rows = {int(r["bytes"]): r for r in q.ask("collectives", f"{whole}={trace}", f"{whole}={log}") if r["bytes"]}
    for size, (us, busbw) in took.items():
        row = rows.get(size)
        if not row:
            q.say(f"{run}: no row of {size} bytes")
            continue
        half = 0.5 / 10 ** len(us.partition(".")[2])
        got = float(row["busbw_gb_per_s"] or 0)
        digits = 0.5 / 10 ** len(busbw.partition(".")[2])
        # A single rank sends nothing: rccl-tests prints 0, kstats nothing.
        if abs(got - float(busbw)) > digits + 0.0001 + got * half / float(us):
            q.say(f"{run}: {size} bytes in {us} us: {got} GB/s, rccl-tests says {busbw}")
        q.compared["bus bandwidths"] += 1
    q.compared["logs"] += 1


def percent(part, whole):
    return f"{(2000000 * part + whole) // (2 * whole) / 10000:.4f}" if whole else ""


def by_chance(w, ranks):
    """Are all ranks likely to be late as often, and is this one by no more than one of so many may be?"""
    if w["late"] <= w["fair"] or not w["fair"]:
        return False
    s, p, n = w["late"] / w["behind"], w["fair"] / w["behind"], w["behind"] ** 2 / w["squares"]
    return n * (s * math.log(s / p) + ((1 - s) * math.log((1 - s) / (1 - p)) if s < 1 else 0)) < 2 * math.log(ranks / 2)


def lateness(rng, work, number):
    """Ranks of one or two agents that come at random, often together; all leave a collective at the same time."""
    agents = {rank: rng.choice([1, 1, 2]) for rank in range(rng.randint(2, 7))}
    lines, want = [], {r: collections.Counter() for r in agents}
    spent, sent = collections.defaultdict(list), collections.defaultdict(list)
    for i in range(rng.randint(1, 9)):
        at = {r: [i * 1000 + rng.choice([0, 0, 7, 7, rng.randrange(100)]) for _ in range(n)] for r, n in agents.items()}
        lines += [f"kernel,{r},{r},GPU {k},ncclDevKernel_x,{t},{i * 1000 + 200}\n" for r, v in at.items() for k, t in enumerate(v)]
        came = {r: max(v) for r, v in at.items()}
        first, last = min(min(v) for v in at.values()), max(came.values())
        half = sorted(came.values())[(len(came) + 1) // 2 - 1]
        lasts = [r for r in sorted(came) if came[r] == last]
        for r, v in at.items():
            for k, t in enumerate(v):
                spent[r, k].append(i * 1000 + 200 - t)
                sent[r, k].append(i * 1000 + 200 - last)
            want[r]["waited"] += last - min(v)
            want[r]["late"] += max(0, came[r] - half)
            want[r]["late_max"] = max(want[r]["late_max"], came[r] - half)
            want[r]["behind"] += last - half
            want[r]["fair"] += (last - half) // len(came)
            want[r]["squares"] += (last - half) ** 2
            want[r]["held"] += i * 1000 + 200 - min(v)
        for k, r in enumerate(lasts):
            want[r]["caused"] += (last - first + len(lasts) - 1 - k) // len(lasts)
    trace = q.put(work, f"late{number}.csv", "kind,rank,pid,agent,name,start_ns,end_ns\n", lines)
    got = {int(r["rank"]): r for r in q.ask("collectives --ranks", trace)}
    whole = sum(w["caused"] for w in want.values())
    # Nothing computes: all of it is exposed.
    exposed = {r: max(sum(spent[r, k]) for k in range(n)) for r, n in agents.items()}
    transfer = {r: min(max(sum(sent[r, k]) for k in range(n)), min(exposed.values())) for r, n in agents.items()}
    once = {r for r, w in want.items() if w["behind"] and w["late_max"] * 100 >= 60 * w["behind"]}
    often = {r for r, w in want.items() if w["behind"] and w["late"] * 100 >= 60 * w["behind"] and not by_chance(w, len(want))} - once
    turns = not once | often and all(w["held"] and w["waited"] * 10 >= w["held"] for w in want.values())
    for r, w in want.items():
        cells = {"caused_wait_ns": str(w["caused"]), "caused_wait_pct": percent(w["caused"], whole), "waited_ns": str(w["waited"]),
                 "late_ns": str(w["late"]), "late_pct": percent(w["late"], w["behind"]), "waited_pct": percent(w["waited"], w["held"]),
                 "late_max_ns": str(w["late_max"]), "late_max_pct": percent(w["late_max"], w["behind"]),
                 "transfer_ns": str(transfer[r]), "pattern": "once" if r in once else "often" if r in often else "turns" if turns else ""}
        have = {k: got[r][k] for k in cells}
        if have != cells:
            q.say(f"random job {number}: rank {r} is {have}, not {cells}")
    q.compared["random jobs"] += 1


with tempfile.TemporaryDirectory() as tmp:
    for seed in range(effort.rounds(300)):
        lateness(random.Random(seed), tmp, seed)
    four_ranks(tmp)
    for name in ("scale_1gpu_all_reduce", "scale_2x1gpu_all_reduce", "scale_4gpu_all_reduce"):
        bandwidths(name, tmp)
q.finish({"random jobs": 300, "four ranks": 3, "logs": 3, "bus bandwidths": 90})
