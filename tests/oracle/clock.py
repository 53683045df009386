# SPDX-License-Identifier: MIT
"""clock.py RPD FOLDER...: kstats clock against its rules, computed here from what tracecat prints.

RPD is a database whose tables are filled anew."""
import collections
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from fractions import Fraction

import effort
import questions as q

ALL = "(all kernels)"
WAITING = {"comm", "memory", "sync"}  # classes of kernels that do not compute


def fixed(v):
    """Four decimals, half up, away from 0."""
    n = (abs(v) * 20000 + 1) // 2
    return f"{'-' if v < 0 and n else ''}{n // 10000}.{n % 10000:04d}"


def ns64(v):
    """Absent past 64 bits."""
    return str(v) if abs(v) < 1 << 64 else ""


def lower(v):
    return sorted(v)[(len(v) - 1) // 2]


# ---- readings ----

def sensor_of(gpu, gpus, readings):
    """Readings of the same rank: of the agent itself, of its number, or the only ones for the only GPU."""
    rank, agent = gpu
    here = {a: r for (k, a), r in readings.items() if k == rank}
    if agent in here and agent:
        return here[agent]
    same = [a for a in sorted(here, key=q.agent_key) if agent and a.split()[-1] == agent.split()[-1]]
    if same:
        return here[same[0]]
    if len(here) == 1 and sum(k == rank for k, _ in gpus) == 1:
        return next(iter(here.values()))
    return []


def by_readings(ops, readings):
    """{(rank, agent): (readings of all, {kernel: those that count, or how many met it alone})}"""
    out = {}
    for gpu in ops:
        every, rows, row = [], collections.defaultdict(list), None
        alone = collections.Counter()
        sensor = sorted(set(sensor_of(gpu, ops, readings)))
        last = -1
        for at, value in sensor:
            met = {name for start, end, name in ops[gpu] if start <= at < end}
            if row and any(name != row[0] for start, _, name in ops[gpu] if last < start <= at):
                row = None
            last = at
            if met:
                every.append(value)
            if len(met) != 1:
                continue
            name = met.pop()
            alone[name] += 1
            if not row or row[0] != name:
                row = (name, [])
                rows[name].append(row[1])
            row[1].append(value)
        good = {name: [v for r in rs if len(r) >= 3 for v in r] for name, rs in rows.items()}
        out[gpu] = (sensor, every, good, alone)
    return out


# ---- counters ----

def divisor(counts, most, xccs):
    long = [Fraction(c, ns) for ns, c in counts if ns >= 100000]
    if not long or not most:
        return 0
    khz = lower([v * 1000000 // 1 for v in long])
    one = khz <= most * 1050
    both = xccs > 1 and khz // xccs <= most * 1050 and khz // xccs >= most * 250
    if one != both:
        return 1 if one else xccs
    return 1 if one and xccs == 1 else 0


def clock_cells(clock, most, samples):
    """clock_mhz, max_mhz, slowdown_pct, samples"""
    if clock is None:
        return ["", str(most or ""), "", str(samples)]
    clock = Fraction((clock * 10000 + Fraction(1, 2)) // 1, 10000)
    return [fixed(clock), str(most or ""), fixed(max(most - clock, 0) * 100 / Fraction(most)) if most else "", str(samples)]


def cells(rows):
    got = {}
    for r in rows:
        key = (int(r["rank"]), r["agent"], r["name"], r["source"])
        if key in got:
            q.say(f"{key} twice")
        got[key] = [r[c] for c in ("dispatches", "total_ns", "clock_mhz", "max_mhz", "slowdown_pct", "samples")]
    return got


def compare(what, inputs, options=(), agents=None):
    """agents: {(rank, agent): (most, xccs)} where the input describes them."""
    ops, readings, counts = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(list)
    for e in q.events("kernel,counter", *inputs):
        gpu = int(e["rank"]), e["agent"]
        if e["kind"] == "kernel" and e["start_ns"] and e["end_ns"] and e["name"]:
            ops[gpu].append((int(e["start_ns"]), int(e["end_ns"]), e["name"]))
        elif e["counter"] == "sclk" and not e["name"] and e["agent"] and not e["agent"].startswith("CPU"):
            readings[gpu].append((int(e["start_ns"]), Fraction(e["value"])))
        elif e["counter"] == "GRBM_GUI_ACTIVE" and e["name"] and e["start_ns"] and e["end_ns"]:
            counts[gpu].append((int(e["end_ns"]) - int(e["start_ns"]), int(Fraction(e["value"])), e["name"]))
    want = {}
    for gpu, (sensor, every, good, alone) in by_readings(ops, readings).items():
        if not sensor:
            continue
        most = (agents or {}).get(gpu, (0, 0))[0] or -(-max(v for _, v in sensor) // 1)
        kernels = collections.defaultdict(list)
        for start, end, name in ops[gpu]:
            kernels[name].append(end - start)
        for name, ns in [(ALL, [n for v in kernels.values() for n in v]), *kernels.items()]:
            used = every if name == ALL else good.get(name, [])
            some = len(every) if name == ALL else alone[name]
            clock = sum(used) / Fraction(len(used)) if len(used) >= 3 else None
            want[(*gpu, name, "sclk")] = [str(len(ns)), ns64(sum(ns)),
                                          *clock_cells(clock, most, some if clock is None else len(used))]
    for gpu, rows in counts.items():
        most, xccs = (agents or {}).get(gpu, (0, 0))
        d = divisor([(ns, c) for ns, c, _ in rows], most, xccs)
        used = [r for r in rows if d and r[0] >= 100000 and r[1] * 100000 <= r[0] * d * most * 105]
        q.compared["division"] += d > 1
        q.compared["no division"] += d == 1
        for name in [ALL, *{r[2] for r in rows}]:
            mine = [r for r in used if name in (ALL, r[2])]
            every = [r for r in rows if name in (ALL, r[2])]
            clock = Fraction(sum(r[1] for r in mine) * 1000, d * sum(r[0] for r in mine)) if mine else None
            want[(*gpu, name, "grbm")] = [str(len(every)), str(sum(r[0] for r in every)), *clock_cells(clock, most, len(mine))]
    if not any(v[2] for v in want.values()):
        want = {}
    got = cells(q.ask("clock -n 0", *options, *inputs))
    for key in sorted(set(want) | set(got)):
        if want.get(key) != got.get(key):
            q.say(f"{what}: {key}: {got.get(key)}, not {want.get(key)}")
            break
    q.compared["clocks"] += sum(v[2] != "" for v in want.values())
    drift(what, inputs, ops)
    q.compared["traces"] += 1


# ---- drift ----

def weighted(pairs):
    """The ratio at which half of the time is reached."""
    whole, total = sum(w for _, w in pairs), 0
    for ratio, w in sorted(pairs):
        total += w
        if 2 * total >= whole:
            return ratio
    return None


def million(a, b):
    return (a * 1000000 + b // 2) // b


def percent(millionths):
    return fixed(Fraction(millionths - 1000000, 10000))


def drift(what, inputs, ops):
    launches = collections.defaultdict(list)
    for e in q.events("kernel", *inputs):
        if e["start_ns"] and e["end_ns"] and e["name"] and e["class"] not in WAITING:
            launches[e["name"], e["workgroup"], e["grid"], int(e["rank"]), e["agent"]].append(
                (int(e["start_ns"]), int(e["end_ns"]) - int(e["start_ns"])))
    medians = collections.defaultdict(list)
    for key, v in launches.items():
        if len(v) >= 5:
            medians[key[:3]].append(lower([ns for _, ns in v]))
    want, whole = collections.Counter(), collections.defaultdict(lambda: [0, 0, [], []])
    for key, v in launches.items():
        ns, n = [d for _, d in sorted(v)], len(v)
        median, total, others = lower(ns), sum(ns), medians[key[:3]]
        early, late = (lower(ns[:n // 4]), lower(ns[n - n // 4:])) if n >= 20 else ("", "")
        shared = len(others) > 1 and n >= 5
        middle = lower(others) if shared else 0
        gpu = whole[key[3:]]
        gpu[0] += n
        gpu[1] += total
        if early:
            gpu[2].append((million(late, early), total))
        if middle:
            gpu[3].append((million(median, middle), total))
        want[(key[3], key[4], key[0], str(n), ns64(total), str(median), str(early), str(late),
              percent(million(late, early)) if early else "", str(len(others)), str(middle or ""),
              percent(million(median, middle)) if middle else "")] += 1
    got, top = collections.Counter(), {}
    for r in q.ask("clock --drift -n 0", *inputs):
        if r["name"] == ALL:
            top[int(r["rank"]), r["agent"]] = r
            continue
        got[(int(r["rank"]), *(r[c] for c in ("agent", "name", "dispatches", "total_ns", "median_ns", "early_ns", "late_ns",
                                              "drift_pct", "gpus", "others_ns", "apart_pct")))] += 1
    if got != want:
        q.say(f"{what}: --drift: {list((got - want).items())[:1]}, not {list((want - got).items())[:1]}")
    if set(top) != set(whole):
        q.say(f"{what}: --drift: other GPUs")
        return
    for gpu, (n, total, drifts, aparts) in whole.items():
        r = top[gpu]
        middle = lower([v[1] for v in whole.values()])
        cell = {"dispatches": str(n), "total_ns": ns64(total), "drift_pct": percent(weighted(drifts)) if drifts else "",
                "apart_pct": percent(weighted(aparts)) if aparts else "",
                "behind_ns": ns64(total - middle) if len(whole) > 1 else ""}
        if r["basis"] == "durations" and aparts:
            expected = sum(len(v) * lower(medians[k[:3]]) for k, v in launches.items()
                           if k[3:] == gpu and len(v) >= 5 and len(medians[k[:3]]) > 1)
            factor = weighted(aparts)
            clock = (expected * abs(factor - 1000000) + 500000) // 1000000
            cell["clock_ns"] = ns64(-clock if factor < 1000000 else clock)
            q.compared["GPUs behind"] += 1
        for c, v in cell.items():
            if r[c] != v:
                q.say(f"{what}: --drift: {gpu}: {c} is {r[c]}, not {v}")
                return
    q.compared["drifts"] += sum(want.values())


# ---- random ----

def rpd(rng, path, empty, gpus):
    shutil.copyfile(empty, path)
    db = sqlite3.connect(path)
    for table in ("op", "monitor", "api", "api_ops", "counter", "copyapi", "kernelapi"):
        db.execute(f"DELETE FROM rocpd_{table}")
    names = ["Cijk_Ailk_Bljk_HHS_BH_MT64x64x32", "vectorized_elementwise_kernel", "softmax_warp_forward", "ncclDevKernel_AllReduce"]
    for i, name in enumerate(names):
        db.execute("INSERT INTO rocpd_string(id,string) VALUES (?,?)", (1000 + i, name))
    for gpu in range(gpus):
        t = 1000
        while t < 60000:
            for _ in range(rng.choice([1, 1, 3, 9])):
                start = t + rng.randint(0, 30)
                end = start + rng.randint(1, 900)
                db.execute("INSERT INTO rocpd_op(gpuId,queueId,sequenceId,start,\"end\",description_id,opType_id) VALUES (?,0,0,?,?,?,5)",
                           (gpu, start, end, 1000 + rng.choice([gpu % 4, rng.randrange(4)])))
                t = rng.choice([end, end, end + rng.randint(0, 900), start + (end - start) // 2])
        t = 900
        while t < 62000 and rng.random() < 0.999:
            db.execute("INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value) VALUES (?,?,'sclk',?,?,?)",
                       (rng.choice(["gpu"] * 30 + ["cpu"]), gpu, t, t, str(rng.randint(100, 2100))))
            t += rng.randint(1, 400)
    db.commit()
    db.close()


AGENTS = '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Max_Engine_Clk_Fcompute","Num_Xcc"\n'
COUNTERS = ('"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
            '"Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name",'
            '"Counter_Value","Start_Timestamp","End_Timestamp"\n')


def counters(rng, folder):
    agents, info, lines = {}, [], []
    for agent in range(rng.randint(1, 3)):
        most, xccs = rng.choice([1700, 2100]), rng.choice([1, 2, 6, 8, 8])
        agents[0, str(agent)] = (most, xccs)
        info.append(f'{agent},{agent},"GPU","gfx",304,90402,{most},{xccs}\n')
        summed = rng.choice([1, xccs, xccs])
        for i in range(rng.randint(1, 30)):
            ns = rng.choice([rng.randint(1, 99999), rng.randint(100000, 400000), 100000])
            cycles = int(ns * summed * rng.uniform(0.3, 1.1) * most / 1000) + rng.choice([0, 20000])
            start, one, kernel = 1000000 * i, len(lines), rng.randrange(3)
            for counter, value in (("GRBM_GUI_ACTIVE", cycles), ("SQ_WAVES", 5)):
                lines.append(f'{one},{one},{agent},1,1,1,64,1,"k{kernel}",64,0,0,8,0,16,'
                             f'"{counter}",{value},{start},{start + ns}\n')
    return agents, q.put(folder, "a_agent_info.csv", AGENTS, info), q.put(folder, "a_counter_collection.csv", COUNTERS, lines)


def dispatches(rng):
    head = ('"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X",'
            '"Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
    lines = []
    for i in range(rng.choice([10, 200, 400])):
        agent, t = rng.randrange(3), rng.randint(0, 100000)
        ns = int(rng.uniform(90, 110) * (10 + agent))
        lines.append(f'"KERNEL_DISPATCH",{agent},1,"{rng.choice(["a", "b", "ncclKernel_x"])}",{i},{t},{t + ns},64,1,1,'
                     f'{rng.choice([64, 128])},1,1\n')
    return {"kernel_trace": (head, lines)}


rng = random.Random(186)
with tempfile.TemporaryDirectory() as tmp:
    for number in range(effort.rounds(40)):
        gpus = rng.randint(1, 3)
        ranks = [f"{tmp}/trace_{i}.rpd" for i in range(rng.randint(1, 2))]
        for path in ranks:
            rpd(rng, path, sys.argv[1], gpus)
        inputs = [f"{i}={path}" for i, path in enumerate(ranks)]
        compare(f"random rpd {number}", inputs)
        for _ in range(6):
            agents, info, table = counters(rng, tmp)
            compare(f"random counters {number}", [info, table], agents=agents)
        for question in ("clock", "clock --drift"):
            for files in (inputs, [info, table]):
                q.run("tracemerge", "-q", "-o", f"{tmp}/run.db", *files)
                want = q.run("kstats", *question.split(), "-q", "-f", "csv", "-j", "1", *files)[1]
                for other in (["-j", "4", *files[::-1]], [f"{tmp}/run.db"]):
                    if q.run("kstats", *question.split(), "-q", "-f", "csv", *other)[1] != want:
                        q.say(f"random {number}: {question}: {other} differs")
                os.unlink(f"{tmp}/run.db")
    for inputs in q.laws(tmp, ["clock --drift"], dispatches, effort.rounds(40)):
        compare("random durations", inputs)
    for inputs in effort.sample(q.traces(sys.argv[2:], ("kernel_trace",))):
        compare(" ".join(inputs), inputs)
q.finish({"clocks": 200, "drifts": 1000, "division": 5, "no division": 5, "GPUs behind": 20, "traces": 40})
