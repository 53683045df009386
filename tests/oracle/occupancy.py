# SPDX-License-Identifier: MIT
"""occupancy.py FOLDER...: kstats occupancy against a simulation that places waves one by one.

Ten thousand random launches on every architecture, as kernel_trace.csv with an agent_info.csv; and the traces in the
folders, whose launches are added up here from what tracecat prints, raw and from run.db."""
import collections
import os
import random
import sys
import tempfile

import effort
import questions as q

# By architecture: compute units a workgroup is placed on, SIMDs and wave slots of one of these units, registers of a
# lane and their granule, separate or shared accumulation registers, SGPRs, LDS of a unit and its granule, workgroups.
GFX9 = {"units": 1, "simds": 4, "slots": 8, "regs": 512, "granule": 8, "accum": "shared", "sgprs": 800,
        "lds": 64 << 10, "lds_granule": 512, "groups": 16, "wave": 64, "most_lds": 64 << 10}
OLD = {**GFX9, "slots": 10, "regs": 256, "granule": 4}
RDNA = {"units": 2, "simds": 2, "slots": 16, "regs": 1024, "granule": 16, "accum": "none", "sgprs": 0, "lds": 64 << 10,
        "lds_granule": 1024, "groups": 16, "wave": 32, "most_lds": 64 << 10}
WIDE = {**RDNA, "regs": 1536, "granule": 24}
ARCH = {90006: {**OLD, "accum": "none"}, 90008: {**OLD, "accum": "apart"}, 90010: GFX9, 90400: GFX9, 90401: GFX9, 90402: GFX9,
        90500: {**GFX9, "lds": 160 << 10, "lds_granule": 1280, "most_lds": 160 << 10},
        100100: {**RDNA, "slots": 20, "granule": 8, "lds_granule": 512}, 100300: RDNA, 110000: WIDE, 110001: WIDE, 110002: RDNA,
        110003: RDNA, 110500: RDNA, 110501: WIDE, 110502: RDNA, 110503: RDNA, 120000: WIDE, 120001: WIDE}
WORDS = ["vgpr", "sgpr", "lds", "barriers"]


def up(n, granule):
    return -(-n // granule) * granule


class Unit:
    """What holds a workgroup together, filled one after the other."""

    def __init__(self, a, allowed=None):
        self.a = a
        self.allowed = allowed or {"slots", *WORDS}
        n = a["units"] * a["simds"]
        self.slots, self.regs, self.sgprs = [a["slots"]] * n, [a["regs"]] * n, [a["sgprs"]] * n
        self.lds, self.groups = a["lds"] * a["units"], a["groups"] * a["units"]

    def wave(self, need):
        """Onto the SIMD with most slots left of those with room."""
        best = None
        for i, slots in enumerate(self.slots):
            if "slots" in self.allowed and not slots:
                continue
            if "vgpr" in self.allowed and self.regs[i] < need["regs"]:
                continue
            if "sgpr" in self.allowed and self.a["sgprs"] and self.sgprs[i] < need["sgprs"]:
                continue
            if best is None or slots > self.slots[best]:
                best = i
        if best is None:
            return False
        self.slots[best] -= 1
        self.regs[best] -= need["regs"]
        self.sgprs[best] -= need["sgprs"]
        return True

    def place(self, need):
        if "lds" in self.allowed and self.lds < need["lds"]:
            return False
        if "barriers" in self.allowed and need["waves"] > 1 and not self.groups:
            return False
        if not all(self.wave(need) for _ in range(need["waves"])):
            return False
        self.lds -= need["lds"]
        self.groups -= 1
        return True


def hold(a, need, allowed=None, most=1000):
    unit, n = Unit(a, allowed), 0
    while n < most and unit.place(need):
        n += 1
    return n


def figures(gfx, cus, groups, items, vgprs, accums, sgprs, lds):
    """Cells of a row; None: no such GPU runs it."""
    a = ARCH[gfx]
    n = -(-items // a["wave"])
    regs = {"shared": up(vgprs, 4) + accums, "apart": max(vgprs, accums), "none": vgprs}[a["accum"]]
    need = {"waves": n, "regs": up(regs, a["granule"]), "sgprs": up(sgprs, 16) if a["sgprs"] else 0,
            "lds": up(lds, a["lds_granule"])}
    if not 0 < items <= 1024 or vgprs > 256 or (a["accum"] == "none" and accums) or (a["accum"] == "apart" and accums > 256):
        return None
    if lds > a["most_lds"] or (a["accum"] == "shared" and regs > 512):
        return None
    blocks = hold(a, need)
    if not blocks:
        return None
    most = a["slots"] * a["simds"] * a["units"]
    bare = hold(a, need, {"slots"})
    if blocks < bare:
        limits = [w for w in WORDS if hold(a, need, {w}, blocks + 1) == blocks]
    else:
        limits = ["slots" if blocks * n == most else "workgroup size"]
    free = ""
    if limits == ["vgpr"]:
        for r in range(need["regs"] - a["granule"], 0, -a["granule"]):
            if hold(a, {**need, "regs": r}) > blocks:
                free = need["regs"] - r
                break
    units = cus // a["units"]
    rounds = len(range(0, groups, units * blocks))
    return {"waves": blocks * n, "max_waves": most, "occupancy_pct": q.ratio(100 * blocks * n, most), "limiter": " and ".join(limits),
            "workgroups": groups, "slots": units * blocks, "rounds": rounds,
            "tail_pct": q.ratio(100 * groups, rounds * units * blocks), "vgprs_to_free": free}


# ---- random launches ----

AGENTS = '"Node_Id","Logical_Node_Id","Agent_Type","Name","Product_Name","Cu_Count","Gfx_Target_Version"\n'
KERNELS = ('"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Group_Segment_Size",'
           '"VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z",'
           '"Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')


def launch(rng):
    gfx = rng.choice(list(ARCH))
    a = ARCH[gfx]
    wg = rng.choice([(rng.choice([32, 64, 128, 256, 512, 1024]), 1, 1), (rng.randint(1, 1024), 1, 1),
                     (rng.randint(1, 32), rng.randint(1, 8), rng.randint(1, 4)), (16, 16, 1), (rng.randint(1, 1100), 1, 1)])
    vgprs = rng.choice([rng.randrange(4, 260, 4), 8 * rng.randint(1, 33), rng.randint(1, 260)])
    accums = rng.choice([0, 4, rng.randrange(0, 260, 4)]) if a["accum"] != "none" else rng.choice([0] * 19 + [4])
    if a["accum"] == "shared" and gfx == 90500 and not accums:
        accums = 4  # half registers have a case of their own
    lds = rng.choice([0, rng.randint(1, 4096), rng.randint(1, 66000), 512 * rng.randint(0, 128), rng.randint(1, a["most_lds"] + 500)])
    grid = [rng.choice([rng.randint(1, 5000), n * rng.randint(1, 300)]) for n in wg]
    return gfx, rng.choice([1, 4, 38, 60, 104, 110, 304, 96]) * 2, wg, grid, vgprs, accums, 16 * rng.randint(1, 8), lds


def random_cases(rng, n, tmp):
    cases = [launch(rng) for _ in range(n)]
    kinds = {}
    with open(f"{tmp}/a_kernel_trace.csv", "w", encoding="ascii") as f:
        f.write(KERNELS)
        for i, (gfx, cus, wg, grid, vgprs, accums, sgprs, lds) in enumerate(cases):
            agent = kinds.setdefault((gfx, cus), len(kinds) + 1)
            sizes = ",".join(map(str, (*wg, *grid)))
            f.write(f'"KERNEL_DISPATCH",{agent},1,"k{i}",{i},{1000 * i},{1000 * i + 10},{lds},{vgprs},{accums},{sgprs},{sizes}\n')
    with open(f"{tmp}/a_agent_info.csv", "w", encoding="ascii") as f:
        f.write(AGENTS)
        for (gfx, cus), agent in kinds.items():
            f.write(f'{agent},{agent},"GPU","gfx","unknown",{cus},{gfx}\n')
    got = {r["name"]: r for r in q.ask("occupancy -n 0", f"{tmp}/a_kernel_trace.csv", f"{tmp}/a_agent_info.csv")}
    for i, (gfx, cus, wg, grid, vgprs, accums, sgprs, lds) in enumerate(cases):
        groups = 1
        for size, items in zip(grid, wg):
            groups *= -(-size // items)
        want = figures(gfx, cus, groups, wg[0] * wg[1] * wg[2], vgprs, accums, sgprs, lds)
        row = got[f"k{i}"]
        q.compared["launches"] += 1
        q.compared["impossible"] += want is None
        want = want or {"workgroups": groups, **dict.fromkeys(("waves", "occupancy_pct", "limiter", "rounds"), "")}
        for name, value in want.items():
            if row[name] != str(value):
                q.say(f"{cases[i]}: {name} is {row[name]}, not {value}")
                break


# ---- traces ----

def trace(inputs, tmp):
    gpu = ["--arch", "gfx90a", "--cus", "110"]  # where a trace does not say
    status, text, _ = q.run("kstats", "occupancy", "-q", "-f", "csv", *gpu, *inputs)
    if status:
        return
    got = collections.Counter()
    for r in q.rows(text):
        got[r["name"]] += int(r["calls"])
        got[r["name"], "ns"] += int(r["total_ns"] or 0)  # absent past 64 bits
        if r["waves"] and not 0 < int(r["waves"]) <= int(r["max_waves"]):
            q.say(f"{inputs}: {r}")
        q.compared["figures"] += r["waves"] != ""
    top = {r["name"]: r for r in q.ask("top -n 0", *inputs)}
    if {n for n in got if isinstance(n, str)} != set(top):
        q.say(f"{inputs}: other kernels than those of kstats top")
    for name, r in top.items():
        if int(r["calls"]) != got[name] or int(r["total_ns"] or 0) != got[name, "ns"]:
            q.say(f"{inputs}: {name}: not the calls and time of kstats top")
    q.run("tracemerge", "-q", "-o", f"{tmp}/run.db", *inputs)
    if q.run("kstats", "occupancy", "-q", "-f", "csv", *gpu, f"{tmp}/run.db")[1] != text:
        q.say(f"{inputs}: run.db answers otherwise")
    os.unlink(f"{tmp}/run.db")
    q.compared["traces"] += 1


rng = random.Random(18)
with tempfile.TemporaryDirectory() as tmp:
    for _ in range(effort.rounds(10)):
        random_cases(rng, 1000, tmp)
    for inputs in effort.sample(q.traces(sys.argv[1:], ("kernel_trace",))):
        trace(inputs, tmp)
q.finish({"launches": 10000, "impossible": 500, "traces": 20, "figures": 100})
