# SPDX-License-Identifier: MIT
"""counters.py FOLDER...: kstats counters against SQL over the raw rows of files of counters.

The metrics are written once more here, as SQL over the sums."""
import os
import random
import re
import sys
import tempfile

import effort
import questions as q
from counter_files import files, load

GUI = "(GRBM_GUI_ACTIVE / :xccs)"
TCP = "TCP_TCC_READ_REQ + TCP_TCC_WRITE_REQ + TCP_TCC_ATOMIC_WITH_RET_REQ + TCP_TCC_ATOMIC_WITHOUT_RET_REQ"


def vector(t):
    return f"64 * (SQ_INSTS_VALU_ADD_{t} + SQ_INSTS_VALU_MUL_{t} + SQ_INSTS_VALU_TRANS_{t} + 2 * SQ_INSTS_VALU_FMA_{t})"


def matrix(*types):
    return "512 * (" + " + ".join("SQ_INSTS_VALU_MFMA_MOPS_" + t for t in types) + ")"


SAME = {  # on gfx90a, gfx942, gfx950
    "gpu_clock": (f"{GUI} / :seconds / 1e9", "long"),
    "l2_hit_pct": ("100 * TCC_HIT / (TCC_HIT + TCC_MISS)", "mean"),
    "l2_bytes": ("TCC_REQ * 128", "total"),
    "vl1d_hit_pct": (f"100 * (TCP_TOTAL_CACHE_ACCESSES - ({TCP})) / TCP_TOTAL_CACHE_ACCESSES", "mean"),
    "valu_busy_pct": (f"100 * SQ_ACTIVE_INST_VALU / {GUI} / :cus", "mean"),
    "mfma_busy_pct": (f"25 * SQ_VALU_MFMA_BUSY_CYCLES / {GUI} / :cus", "mean"),
    "mfma_i8_ops": ("512 * SQ_INSTS_VALU_MFMA_MOPS_I8", "total"),
    "valu_flops_f16": (vector("F16"), "total"), "valu_flops_f32": (vector("F32"), "total"), "valu_flops_f64": (vector("F64"), "total"),
    "valu_flops": (" + ".join(vector(t) for t in ("F16", "F32", "F64")), "total"),
    "lane_use_pct": ("100 * SQ_THREAD_CYCLES_VALU / 64 / SQ_ACTIVE_INST_VALU", "mean"),
    "waves_per_cu": (f"4 * SQ_WAVE_CYCLES / {GUI} / :cus", "mean"),
    "occupancy_pct": (f"400 * SQ_WAVE_CYCLES / {GUI} / :cus / 32", "mean"),
    "waves": ("SQ_WAVES", "total"),
    "lds_conflict_pct": (f"100 * SQ_LDS_BANK_CONFLICT / {GUI} / :cus", "mean"),
    "lds_conflicts_per_access": ("SQ_LDS_BANK_CONFLICT / (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT)", "mean"),
    "lds_busy_pct": (f"100 * SQ_LDS_IDX_ACTIVE / {GUI} / :cus", "mean"),
    "wait_pct": ("100 * SQ_WAIT_ANY / SQ_WAVE_CYCLES", "mean"),
    "issue_wait_pct": ("100 * SQ_WAIT_INST_ANY / SQ_WAVE_CYCLES", "mean"),
    "active_pct": ("100 * SQ_ACTIVE_INST_ANY / SQ_WAVE_CYCLES", "mean"),
    "ipc": ("SQ_INSTS / SQ_BUSY_CU_CYCLES", "mean"),
    "vmem_latency": ("SQ_INST_LEVEL_VMEM_ACCUM / SQ_INSTS_VMEM", "mean"),
    "lds_latency": ("SQ_INST_LEVEL_LDS_ACCUM / SQ_INSTS_LDS", "mean"),
    "gpu_busy_pct": ("100 * GRBM_GUI_ACTIVE / GRBM_COUNT", "mean"),
    "active_cus": (f"4 * SQ_BUSY_CU_CYCLES / {GUI}", "mean"),
    "salu_busy_pct": (f"100 * SQ_INST_CYCLES_SALU / {GUI} / :cus", "mean"),
    "scalar_l1_hit_pct": ("100 * SQC_DCACHE_HITS / SQC_DCACHE_REQ", "mean"),
    "instruction_hit_pct": ("100 * SQC_ICACHE_HITS / SQC_ICACHE_REQ", "mean"),
    **{t.lower() + "_per_wave": (f"SQ_INSTS_{t} / SQ_WAVES", "mean") for t in ("VALU", "SALU", "VMEM", "SMEM", "LDS")},
}


def has(names, formula):
    """Are all counters of a formula there?"""
    return all(w in names or w + "_sum" in names for w in re.findall(r"\b[A-Z][A-Z0-9]*_[A-Za-z0-9_]*", formula))


def fabric(names, ea, *more):
    """Bytes of raw counters, or else those of the profiler."""
    reads, writes = f"TCC_{ea}_RDREQ", f"TCC_{ea}_WRREQ"
    big = more[0] if more else "0"
    r = f"({big} * 128 + ({reads} - {big} - {reads}_32B) * 64 + {reads}_32B * 32)"
    w = f"({writes}_64B * 32 + {writes} * 32)"
    r = r if has(names, r) else "(FETCH_SIZE * 1024)"
    w = w if has(names, w) else "(WRITE_SIZE * 1024)"
    flops = " + ".join(vector(t) for t in ("F16", "F32", "F64"))
    return {"fabric_read_bytes": (r, "total"), "fabric_write_bytes": (w, "total"),
            "fabric_read_latency": (f"{reads}_LEVEL / {reads}", "mean"),
            "hbm_gb_per_s" if ea == "EA" else "fabric_gb_per_s": (f"({r} + {w}) / :seconds / 1e9", "mean"),
            **({"local_read_pct": (f"100 * {reads}_DRAM / {reads}", "mean")} if ea == "EA0" else {}),
            "intensity": (f"(:mfma + {flops}) / ({r} + {w})", "mean")}


TYPES = {"gfx90a": ("F16", "BF16", "F32", "F64"), "gfx942": ("F16", "BF16", "F32", "F64", "F8", "XF32"),
         "gfx950": ("F16", "BF16", "F32", "F64", "F8", "F6F4")}
MORE = {"gfx90a": ("EA",), "gfx942": ("EA0", "TCC_BUBBLE"), "gfx950": ("EA0", "TCC_EA0_RDREQ_128B")}


def metrics(arch, names):
    """name -> (formula, kind), of an architecture and where these counters are there"""
    if arch == "gfx1151":
        return {**GFX1151, "fabric_read_bytes": ("FETCH_SIZE * 1024", "total"), "fabric_write_bytes": ("WRITE_SIZE * 1024", "total"),
                "fabric_gb_per_s": ("(FETCH_SIZE * 1024 + WRITE_SIZE * 1024) / :seconds / 1e9", "mean")}
    of = {**SAME, **fabric(names, *MORE[arch]), "mfma_flops": (matrix(*TYPES[arch]), "total"),
          **{"mfma_flops_" + t.lower(): (matrix(t), "part") for t in TYPES[arch]},
          "vl1d_bytes": (f"TCP_TOTAL_CACHE_ACCESSES * {64 if arch == 'gfx90a' else 128}", "total"),
          "lds_bytes": (f"(SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT) * {256 if arch == 'gfx950' else 128}", "total")}
    of["intensity"] = (of["intensity"][0].replace(":mfma", matrix(*TYPES[arch])), "mean")
    return of


GFX1151 = {
    "waves": SAME["waves"], "gpu_busy_pct": SAME["gpu_busy_pct"], "wait_pct": SAME["wait_pct"], "issue_wait_pct": SAME["issue_wait_pct"],
    "gpu_clock": SAME["gpu_clock"], "l2_hit_pct": ("100 * GL2C_HIT / (GL2C_HIT + GL2C_MISS)", "mean"),
    "waves_per_cu": (f"SQ_WAVE_CYCLES / {GUI} / :cus", "mean"), "occupancy_pct": (f"100 * SQ_WAVE_CYCLES / {GUI} / :cus / 32", "mean"),
    "valu_ops_at_most": ("64 * SQ_INSTS_VALU", "total"),
    **{t + "_per_wave": SAME[t + "_per_wave"] for t in ("valu", "salu", "vmem", "smem", "lds")}}
CUS = {"gfx90a": (104, 1), "gfx942": (304, 8), "gfx950": (256, 8), "gfx1151": (40, 1)}
MOST = {"waves_per_cu": 32}  # of a metric; percent are 100 at most


def most(arch, name):
    if name == "active_cus":
        return CUS[arch][0]
    if name == "valu_busy_pct" and arch == "gfx90a":
        return 200
    if name == "gpu_clock" and arch == "gfx1151":
        return 1.05 * 2.9  # of the only product of that architecture
    return MOST.get(name, 100 if name.endswith("_pct") else float("inf"))


WRONG = {"gfx950": {"FETCH_SIZE", "MfmaFlops"}, "gfx942": {"BANDWIDTH_EA", "MfmaFlops"}, "gfx1151": {"FETCH_SIZE"}, "gfx90a": set()}


def metric(db, names, arch, formula, kind):
    """kernel -> (dispatches, value, min, max)"""
    words = sorted(set(re.findall(r"\b(?:[A-Z][A-Z0-9]*_)[A-Za-z0-9_]*", formula)))
    have = {w: w if w in names else w + "_sum" for w in words}
    if not all(n in names for n in have.values()):
        return {}
    cus, xccs = CUS[arch]
    plain = formula.replace(":xccs", str(float(xccs))).replace(":cus", str(float(cus)))
    timed = kind == "long" or ":seconds" in formula
    one = re.sub("|".join(rf"\b{w}\b" for w in sorted(words, key=len, reverse=True)), lambda m: f"x{words.index(m[0])}.v", plain)
    sums = re.sub("|".join(rf"\b{w}\b" for w in sorted(words, key=len, reverse=True)), lambda m: f"sum(x{words.index(m[0])}.v)", plain)
    one, sums = one.replace(":seconds", "(t.ns / 1e9)"), sums.replace(":seconds", "(sum(t.ns) / 1e9)")
    joins = " ".join(f"JOIN one x{i} ON x{i}.c = '{have[w]}' AND x{i}.d = x0.d AND x{i}.k = x0.k" for i, w in enumerate(words) if i)
    if timed:
        joins += " JOIN took t ON t.d = x0.d AND t.k = x0.k" + (" AND t.ns >= 100000" if kind == "long" else "")
    value = f"CASE WHEN count({one}) = count(*) THEN sum({one}) END" if kind in ("total", "part") else sums
    sql = f"SELECT x0.k, count(*), {value}, min({one}), max({one}) FROM one x0 {joins} WHERE x0.c = '{have[words[0]]}' GROUP BY x0.k"
    return {k: (n, v, lo, hi) for k, n, v, lo, hi in db.execute(sql)}


def close(text, want):
    if want is None:
        return text == ""
    return text != "" and abs(float(text) - want) <= 0.0000501 + 1e-11 * abs(want)


# What the profiler computes of a dispatch as a share or a mean does not add up.
AVERAGES = re.compile(r"(Mean\w+|\w+(Percent|Busy|Hit|Stalled|Conflict|Utilization|Util|Insts))$")


def compare(what, row, n, total, mean, lo, hi):
    if row["derived"] == "0" and AVERAGES.match(row["counter"]):
        total = None
    q.compared["rows"] += 1
    if row["dispatches"] != str(n) or not (close(row["sum"], total) and close(row["mean"], mean) and close(row["min"], lo) and close(row["max"], hi)):
        q.say(f"{what}: {row} is not {n, total, mean, lo, hi}")


def check(path, arch, tmp):
    db = load(path)
    names = {c for c, in db.execute("SELECT DISTINCT c FROM one")}
    if not names:
        return
    cus, xccs = CUS[arch]
    options = ["--arch", arch, "--cus", str(cus), "--xccs", str(xccs)]
    status, text, err = q.run("kstats", "counters", "-q", "-f", "csv", "-n", "0", "--name", "full", *options, path)
    if status:
        q.say(f"{path}: status {status}: {err}")
        return
    got = {}
    for r in q.rows(text):
        got[r["name"].encode("utf-8", "surrogateescape").decode("latin-1"), r["counter"]] = r
    for k, c, n, total, lo, hi in db.execute("SELECT k, c, count(*), sum(v), min(v), max(v) FROM one GROUP BY k, c"):
        row = got.pop((k, c), None)
        if not row:
            q.say(f"{path}: no row of {k} {c}")
        elif c in WRONG[arch]:
            q.compared["refused"] += 1
            if row["mean"] or not row["note"].startswith("wrong: "):
                q.say(f"{path}: {row}: known to be wrong")
        else:
            compare(f"{path}: {k} {c}", row, n, total, total / n, lo, hi)
    for name, (formula, kind) in metrics(arch, names).items():
        wrong = any(re.search(rf"\b{w}\b", formula) for w in WRONG[arch])
        for k, (n, v, lo, hi) in metric(db, names, arch, formula, kind).items():
            if kind == "part" and hi <= 0:
                q.compared["parts of nothing"] += 1
                continue  # a row would be one too many
            row = got.pop((k, name), None)
            if row and wrong:
                q.compared["refused"] += 1
                if row["mean"] or not row["note"].startswith("wrong: "):
                    q.say(f"{path}: {row}: of counters known to be wrong")
                continue
            if not row:
                q.say(f"{path}: no row of {k} {name} on {arch}")
            else:
                limit = most(arch, name) * (1 + 1e-9)
                above = [x is not None and x > limit for x in (v, hi)]
                below = [x is not None and x < 0 for x in (v, lo, hi)]
                q.compared["impossible" if any(above + below) else "metrics"] += 1
                if any(above + below) != ("impossible" in row["note"]):
                    q.say(f"{path}: {arch}: {row}: {v, lo, hi} of 0 to {limit}")
                if above[0] or any(below):
                    v = lo = None
                hi = None if any(above) or below[2] else hi
                adds = kind in ("total", "part")
                compare(f"{path}: {arch}: {k} {name}", row, n, v if adds else None, v / n if adds and v is not None else v, lo, hi)
    for (k, c), r in got.items():
        if not r["note"].startswith("unknown"):
            q.say(f"{path}: {arch}: {k}: nothing follows as {c}")
    q.run("tracemerge", "-q", "-o", f"{tmp}/run.db", path)
    if q.run("kstats", "counters", "-q", "-f", "csv", "-n", "0", "--name", "full", *options, f"{tmp}/run.db")[1] != text:
        q.say(f"{path}: run.db answers otherwise")
    os.unlink(f"{tmp}/run.db")
    q.compared["files"] += 1


# ---- the laws ----

HEAD = ('"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
        '"Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value",'
        '"Start_Timestamp","End_Timestamp"\n')
NAMES = ["SQ_WAVES", "TCC_HIT_sum", "TCC_MISS_sum", "GRBM_GUI_ACTIVE", "SQ_WAVE_CYCLES", "SQ_WAIT_ANY", "L2CacheHit", "FETCH_SIZE", "WRITE_SIZE", "SQ_INSTS_VALU_MFMA_MOPS_F16"]


def random_file(rng, path):
    lines = []
    for d in range(1, rng.randint(2, 40)):
        kernel, start = f"k{rng.randint(0, 3)}", 1000000 * d
        end = start + rng.choice([0, 5000, 99999, 100000, 250000])
        for name in rng.sample(NAMES, rng.randint(1, len(NAMES))):
            value = rng.choice([0, rng.randint(0, 99), rng.randint(0, 1 << 40), rng.random() * 100])
            lines.append(f'{d},{d},2,1,7,7,256,1,"{kernel}",64,0,0,8,0,16,"{name}",{value:.6f},{start},{end}\n')
    rng.shuffle(lines)
    with open(path, "w", encoding="ascii") as f:
        f.write(HEAD + "".join(lines))
    return lines


def xccs_law(rng, tmp):
    """Counts of GRBM_GUI_ACTIVE of one XCC, and sums over all, are told apart by the clock, and what follows from them is the same.
    Dispatches of 100 us or more; a clock of a quarter of the largest or more, with more than 4 XCCs."""
    xccs, cus, lines, dirs = rng.choice([5, 6, 8]), rng.choice([38, 228, 304]), {1: [], 0: []}, {}
    for d in range(1, rng.randint(2, 20)):
        start = 1000000 * d
        end = start + rng.randint(100000, 900000)
        one = (end - start) * rng.randint(600, 2100) // 1000
        for name, value in (("GRBM_GUI_ACTIVE", one), ("SQ_ACTIVE_INST_VALU", one * cus * rng.random() // 1),
                            ("SQ_VALU_MFMA_BUSY_CYCLES", one * cus * 4 * rng.random() // 1), ("SQ_BUSY_CU_CYCLES", one * cus * rng.random() // 4)):
            for k in (1, 0):
                v = value * xccs if k and name == "GRBM_GUI_ACTIVE" else value
                lines[k].append(f'{d},{d},2,1,7,7,256,1,"k{d % 3}",64,0,0,8,0,16,"{name}",{v:.6f},{start},{end}\n')
    for k in (1, 0):
        dirs[k] = f"{tmp}/law{k}"
        os.makedirs(dirs[k], exist_ok=True)
        with open(f"{dirs[k]}/a_agent_info.csv", "w", encoding="ascii") as f:
            f.write('"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Max_Engine_Clk_Fcompute","Num_Xcc"\n'
                    f'2,2,"GPU","gfx942",{cus},90402,2100,{xccs}\n')
        with open(f"{dirs[k]}/a_counter_collection.csv", "w", encoding="ascii") as f:
            f.write(HEAD + "".join(lines[k]))
    got = {k: [r for r in q.rows(q.run("kstats", "counters", "-q", "-f", "csv", "-n", "0", dirs[k])[1]) if r["counter"] != "GRBM_GUI_ACTIVE"]
           for k in (1, 0)}
    if got[1] != got[0] or len(got[1]) < 7 or not all(r["mean"] for r in got[1]):
        q.say(f"counts of one of {xccs} XCCs answer otherwise than their sum: {got}")
    q.compared["laws"] += 1


rng = random.Random(18)
with tempfile.TemporaryDirectory() as tmp:
    for _ in range(effort.rounds(30)):
        path = f"{tmp}/a_counter_collection.csv"
        lines = random_file(rng, path)
        for arch in CUS:
            check(path, arch, tmp)
        want = q.run("kstats", "counters", "-q", "-f", "csv", "-j", "1", path)[1]
        with open(path, "w", encoding="ascii") as f:
            f.write(HEAD + "".join(sorted(lines)))
        if q.run("kstats", "counters", "-q", "-f", "csv", "-j", "4", path)[1] != want:
            q.say("other bytes when the rows are in another order")
        q.compared["laws"] += 1
        xccs_law(rng, tmp)
    for path in effort.sample(files(sys.argv[1:])):
        for arch in effort.sample(CUS, max(25, effort.PERCENT)):
            check(path, arch, tmp)
q.finish({"rows": 3000, "metrics": 600, "refused": 60, "files": 100, "laws": 20})
