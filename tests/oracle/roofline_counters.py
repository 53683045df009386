# SPDX-License-Identifier: MIT
"""roofline_counters.py FOLDER...: the rows of kstats roofline that follow from counters, against the raw rows of files of counters.

Operations, bytes and peaks are written once more here, of each dispatch in exact fractions."""
import collections
import fractions
import math
import os
import random
import sys
import tempfile

import effort
import questions as q
from counter_files import files, load

F = fractions.Fraction
# Compute units x MHz, GB/s of memory, operations per clock and compute unit; of MOPS counters by type, of vector units by type.
GPUS = {
    "MI210": ("gfx90a", 104 * 1700, F(16384, 10), {"F64": 256, "F32": 256, "F16": 1024, "BF16": 1024, "I8": 1024}, {"F64": 128, "F32": 256}),
    "MI300X": ("gfx942", 304 * 2100, F(5300), {"F64": 256, "F32": 256, "XF32": 1024, "F16": 2048, "BF16": 2048, "F8": 4096, "I8": 4096},
               {"F64": 128, "F32": 256}),
    "MI355X": ("gfx950", 256 * 2400, F(8000), {"F64": 128, "F32": 256, "F16": 4096, "BF16": 4096, "F8": 8192, "F6F4": 16384, "I8": 8192},
               {"F64": 128, "F32": 256}),
}
NAMED = {"F6F4": "f6"}
VECTOR = ("F64", "F32", "F16")


def find(v, name):
    return v.get(name, v.get(name + "_sum"))


def total(v, *terms):
    """Sum of factor x counter; None where one is missing, or the sum makes no sense."""
    values = [(f, find(v, name)) for f, name in terms]
    if any(x is None for _, x in values):
        return None
    out = sum(f * x for f, x in values)
    return out if math.isfinite(out) and 0 <= out < 2.0 ** 90 else None


def moved(arch, v, names):
    """Bytes read, bytes written: of raw counters where the file has them all, or else as the profiler computes them."""
    ea = "TCC_EA" if arch == "gfx90a" else "TCC_EA0"
    big = {"gfx90a": (), "gfx942": ((64, "TCC_BUBBLE"),), "gfx950": ((64, ea + "_RDREQ_128B"),)}[arch]
    read = ((64, ea + "_RDREQ"), (-32, ea + "_RDREQ_32B"), *big)
    write = ((32, ea + "_WRREQ"), (32, ea + "_WRREQ_64B"))
    out = []
    for raw, profiler in ((read, "FETCH_SIZE"), (write, "WRITE_SIZE")):
        if all(n in names or n + "_sum" in names for _, n in raw):
            out.append(total(v, *raw))
        else:
            out.append(None if arch == "gfx950" and profiler == "FETCH_SIZE" else total(v, (1024, profiler)))
    return out


def dispatch(arch, types, v, names):
    """{(type, vector): operations}, bytes or None, lanes are known"""
    threads, active = find(v, "SQ_THREAD_CYCLES_VALU"), find(v, "SQ_ACTIVE_INST_VALU")
    share = threads / (64 * active) if active and threads is not None else None
    share = min(share, 1) if share is not None and share >= 0 else None
    ops = {}
    for t in types:
        x = total(v, (512, "SQ_INSTS_VALU_MFMA_MOPS_" + t))
        if x is not None:
            ops[t, False] = x
    for t in VECTOR:
        x = total(v, *((64 if w != "FMA" else 128, f"SQ_INSTS_VALU_{w}_{t}") for w in ("ADD", "MUL", "TRANS", "FMA")))
        if x is not None:
            ops[t, True] = x if share is None else x * share
    ops = {k: int(x + 0.5) for k, x in ops.items()}
    rw = moved(arch, v, names)
    return ops, int(rw[0] + rw[1] + 0.5) if None not in rw else None, share is not None


def ratio(x):
    v = (2 * x * 10000 + 1) // 2
    return f"{v // 10000}.{v % 10000:04d}"


def row_of(gpu, ops, moved_bytes, every, ns, calls):
    """The cells of a row; ns None: no times."""
    _, clock, gb, matrix, vector = GPUS[gpu]
    flops = sum(ops.values())
    known = every or flops
    peak = {k: F(clock * (vector if k[1] else matrix).get(k[0], 0), 1000) for k in ops}  # operations a ns
    took = {k: math.ceil(x / peak[k]) for k, x in ops.items() if x and peak[k]}
    unit = [sum(t for k, t in took.items() if k[1] == u) for u in (False, True)]
    longest = max(took, key=lambda k: took[k]) if took else None
    out = {"calls": calls, "total_ns": ns, "flops": flops if known else "", "bytes": moved_bytes, "tflops": "", "gb_per_s": "", "peak": "",
           "peak_pct": "", "lost_ns": "", "bound": "", "memory_pct": ""}
    if ns:
        if known:
            out["tflops"] = ratio(F(flops, ns * 1000))
        if longest:
            t, valu = longest
            word = "matrix" if not valu else "vector, packed" if t == "F32" else "vector"
            out["peak"] = f"{NAMED.get(t, t.lower())} {word}"
            out["peak_pct"] = ratio(100 * F(ops[longest], ns) / peak[longest])
        if moved_bytes is not None:
            out["gb_per_s"] = ratio(F(moved_bytes, ns))
            out["memory_pct"] = ratio(100 * F(moved_bytes, ns) / gb)
            if known and (longest or not flops):
                compute, memory = max(unit), math.ceil(moved_bytes / gb)
                out["lost_ns"] = max(0, ns - max(compute, memory))
                sure = every and all(peak[k] for k, x in ops.items() if x)
                out["bound"] = "compute" if compute >= memory else "memory" if sure else ""
    return {k: "" if x is None else str(x) for k, x in out.items()}


def check(path, gpu, tmp, laws=False):
    arch, types = GPUS[gpu][0], [*GPUS[gpu][3]]
    db = load(path)
    dispatches = collections.defaultdict(dict)
    for d, k, c, v in db.execute("SELECT d, k, c, v FROM one"):
        dispatches[d, k][c] = v
    if not dispatches:
        return
    names = {c for v in dispatches.values() for c in v}
    took = {(d, k): int(ns) for d, k, ns in db.execute("SELECT d, k, ns FROM took")}
    groups = {}
    for at, v in dispatches.items():
        ops, moved_bytes, lanes = dispatch(arch, types, v, names)
        ns = took.get(at)
        key = at[1], tuple(sorted(ops)), moved_bytes is None, lanes, ns is None
        g = groups.setdefault(key, [dict.fromkeys(ops, 0), 0, 0, 0])
        for k, x in ops.items():
            g[0][k] += x
        g[1] += moved_bytes or 0
        g[2] += ns or 0
        g[3] += 1
    want = collections.Counter()
    for (kernel, kinds, no_bytes, _, no_time), (ops, moved_bytes, ns, calls) in groups.items():
        every = len(kinds) == len(types) + len(VECTOR)
        if (kinds and (every or sum(ops.values()))) or not no_bytes:
            row = row_of(gpu, ops, None if no_bytes else moved_bytes, every, None if no_time else ns, calls)
            want[kernel, *row.items()] += 1
            q.compared["with both" if row["flops"] and row["bytes"] else "with one"] += 1
    options = ["-q", "-f", "csv", "-n", "0", "--name", "full", "--gpu", gpu]
    status, text, err = q.run("kstats", "roofline", *options, path)
    got = collections.Counter()
    for r in q.rows(text) if status != 2 else []:
        if r["source"] == "counters":
            if not r["total_ns"].strip("0"):
                r["total_ns"] = ""
            kernel = r["name"].encode("utf-8", "surrogateescape").decode("latin-1")
            got[kernel, *[(c, r[c]) for c in ("calls", "total_ns", "flops", "bytes", "tflops", "gb_per_s", "peak", "peak_pct", "lost_ns",
                                              "bound", "memory_pct")]] += 1
    for r in got - want:
        q.say(f"{path} on {gpu}: {r} is not to be expected; {err}")
    for r in want - got:
        q.say(f"{path} on {gpu}: {r} is missing; {err}")
    q.compared["rows"] += sum(want.values())
    q.compared["files"] += 1
    if want and laws:
        q.run("tracemerge", "-q", "-o", f"{tmp}/run.db", path)
        if q.run("kstats", "roofline", *options, f"{tmp}/run.db")[1] != text:
            q.say(f"{path}: run.db answers otherwise")
        os.unlink(f"{tmp}/run.db")
        q.compared["laws"] += 1


HEAD = ('"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
        '"Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value",'
        '"Start_Timestamp","End_Timestamp"\n')
SETS = [["SQ_INSTS_VALU_MFMA_MOPS_" + t for t in ("F16", "BF16", "F32", "F64", "F8", "XF32", "F6F4", "I8")],
        *[[f"SQ_INSTS_VALU_{w}_{t}" for w in ("ADD", "MUL", "TRANS", "FMA")] for t in VECTOR],
        ["SQ_THREAD_CYCLES_VALU", "SQ_ACTIVE_INST_VALU"], ["FETCH_SIZE"], ["WRITE_SIZE"],
        ["TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_EA0_RDREQ_128B_sum", "TCC_BUBBLE_sum"], ["TCC_EA0_WRREQ_sum", "TCC_EA0_WRREQ_64B_sum"],
        ["TCC_EA_RDREQ", "TCC_EA_RDREQ_32B"], ["TCC_EA_WRREQ", "TCC_EA_WRREQ_64B"]]


def random_file(rng, path):
    """Kernels of several kinds; most dispatches have all counters of a set, some lack one."""
    sets = [s for s in SETS if rng.random() < 0.8]
    lines = []
    for d in range(1, rng.randint(2, 30)):
        kernel, start = f"k{rng.randint(0, 3)}", 1000000 * d
        end = start + rng.choice([0, 5000, 99999, 250000])
        for s in sets:
            for name in s:
                if rng.random() < 0.02:
                    continue
                value = rng.choice([0, 0, rng.randint(1, 1 << 20), rng.randint(1, 1 << 30)])
                lines.append(f'{d},{d},2,1,7,7,256,1,"{kernel}",64,0,0,8,0,16,"{name}",{value:.6f},{start},{end}\n')
    rng.shuffle(lines)
    with open(path, "w", encoding="ascii") as f:
        f.write(HEAD + "".join(lines))


rng = random.Random(184)
with tempfile.TemporaryDirectory() as tmp:
    for _ in range(effort.rounds(60)):
        path = f"{tmp}/a_counter_collection.csv"
        random_file(rng, path)
        for gpu in GPUS:
            check(path, gpu, tmp, True)
    for path in effort.sample(files(sys.argv[1:])):
        for gpu in effort.sample(GPUS, max(34, effort.PERCENT)):
            check(path, gpu, tmp)
q.finish({"files": 100, "rows": 500, "with both": 100, "with one": 100, "laws": 50})
