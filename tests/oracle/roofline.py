# SPDX-License-Identifier: MIT
"""roofline.py FOLDER...: kstats roofline against formulas that are written again here.

Random traces of torch.profiler (products with tiles and grids of any size, convolutions, attention); real ones in the folders,
whose operators are found here in the JSON; and the table of peaks from data sheets."""
import collections
import fractions
import gzip
import json
import os
import random
import sys
import tempfile

import effort
import questions as q

TYPES = {"double": ("f64", 8), "float": ("f32", 4), "c10::Half": ("f16", 2), "c10::BFloat16": ("bf16", 2), "signed char": ("i8", 1)}
# MI300X as its data sheet has it: TFLOP/s of matrix units without sparsity, to a tenth.
SHEETS = {("MI300X", "f64", "vector"): 81.7, ("MI300X", "f64", "matrix"): 163.4, ("MI300X", "xf32", "matrix"): 653.7,
          ("MI300X", "f16", "matrix"): 1307.4, ("MI300X", "f8", "matrix"): 2614.9, ("MI300X", "i8", "matrix"): 2614.9,
          ("MI355X", "bf16", "matrix"): 2516.6, ("MI355X", "f4", "matrix"): 10066.3, ("MI350X", "f8", "matrix"): 4613.7,
          ("MI250X", "f16", "matrix"): 191.5, ("MI210", "f32", "vector, packed"): 45.3, ("MI100", "f32", "matrix"): 46.1,
          ("RX 7900 XTX", "f32", "vector, packed"): 61.4, ("RX 9070 XT", "bf16", "matrix"): 194.6, ("MI300A", "f16", "matrix"): 980.6,
          ("Radeon 8060S", "f16", "matrix"): 59.4, ("MI325X", "bf16", "matrix"): 1307.4, ("R9700", "f8", "matrix"): 382.7}
PUBLISHED = {("MI300X", "f16"): 654, ("MI300X", "bf16"): 708, ("MI300X", "f8"): 1273, ("MI325X", "f16"): 794, ("MI325X", "bf16"): 843,
             ("MI325X", "f8"): 1519}


def peaks():
    table = q.ask("roofline --peaks")
    seen = {}
    for r in table:
        key = r["gpu"], r["type"], r["unit"]
        if r["theory_tflops"]:
            exact = fractions.Fraction(int(r["cus"]) * int(r["max_mhz"]) * int(r["ops_per_clock"]), 10 ** 6)
            if r["theory_tflops"] != decimals(exact):
                q.say(f"peak of {key}: {r['theory_tflops']}, not {exact}")
            seen[key] = float(r["theory_tflops"])
        want = PUBLISHED.get(key[:2]) if key[2] == "matrix" else None
        if r["published_tflops"] != (f"{want}.0000" if want else ""):
            q.say(f"published maximum of {key}: {r['published_tflops']}")
        q.compared["peaks"] += 1
    for key, value in SHEETS.items():
        if key not in seen or abs(seen[key] - value) > 0.0501:
            q.say(f"peak of {key}: {seen.get(key)}, the data sheet has {value}")


def decimals(x):
    """Four of them, half up."""
    v = (2 * x * 10000 + 1) // 2
    return f"{v // 10000}.{v % 10000:04d}"


def prod(v):
    out = 1
    for x in v:
        out *= x
    return out


def numbers(text):
    return [int(x) for x in text.strip("[]").split(",") if x.strip()]


def work(name, types, dims, values):
    """(flops, bytes or None, type) of an operator; None: not known."""
    def dim(i):
        return dims[i] if i < len(dims) and dims[i] and all(isinstance(x, int) for x in dims[i]) else None

    def value(i):
        return values[i] if i < len(values) else ""

    def size(i):
        return TYPES[types[i]][1]
    short = name.removeprefix("aten::")
    if short in ("mm", "addmm", "bmm", "baddbmm"):
        a = short.startswith(("add", "badd"))
        x, y, more = dim(a), dim(a + 1), dim(0) if a else None
        if not x or not y or types[a] not in TYPES or types[a + 1] not in TYPES or x[-1] != y[-2]:
            return None
        batch = prod(x[:-2])
        m, k, n = x[-2], x[-1], y[-1]
        moved = batch * (m * k * size(a) + k * n * size(a + 1) + m * n * size(a))
        if more and not (value(a + 2) and float(value(a + 2)) == 0):
            moved += prod(more) * size(0)
        return 2 * batch * m * n * max(k, 1), moved, TYPES[types[a]][0]
    if short in ("convolution_backward", "miopen_convolution", "convolution", "_convolution", "conv2d"):
        back = short == "convolution_backward"
        i, w = dim(back), dim(back + 1)
        at = {"stride": 4, "padding": 3, "dilation": 5, "groups": 6} if short == "miopen_convolution" else \
            {"stride": 3 + back, "padding": 4 + back, "dilation": 5 + back, "groups": 6 if short == "conv2d" else 8 + back}
        if not i or not w or not value(at["stride"]) or (short in ("convolution", "_convolution") and value(6) != "False") or \
                (back and value(7) != "False"):
            return None
        stride, pad, dil = (numbers(value(at[x])) for x in ("stride", "padding", "dilation"))
        groups = int(value(at["groups"]))
        out = [(i[d + 2] + 2 * pad[d] - dil[d] * (w[d + 2] - 1) - 1) // stride[d] + 1 for d in range(len(stride))]
        ways = value(10).strip("[]").split(", ")[:2].count("True") if back else 1
        flops = 2 * i[0] * w[0] * prod(out) * prod(w[1:]) * ways
        moved = (prod(i) + prod(w) + i[0] * w[0] * prod(out)) * size(back) * ways
        if w[1] * groups != i[1]:
            return None
        if any(s > d * (x - 1) + 1 for s, d, x in zip(stride, dil, w[2:])):
            moved = None
        return (flops, moved, TYPES[types[back]][0]) if ways else None
    if short == "_scaled_dot_product_flash_attention":
        a, b, c = dim(0), dim(1), dim(2)
        if not a or not b or not c or value(4) not in ("True", "False") or types[0] not in TYPES:
            return None
        flops = 4 * prod(a) * b[2] // (2 if value(4) == "True" else 1)
        return flops, (2 * prod(a) + prod(b) + prod(c)) * size(0), TYPES[types[0]][0]
    return None


def innermost(events):
    """Of each External id the operators around it, innermost first: those that hold its start on its thread."""
    ops = [e for e in events if e.get("ph") == "X" and e.get("cat") == "cpu_op" and e.get("args", {}).get("External id")]
    threads = collections.defaultdict(list)
    for e in ops:
        threads[e["pid"], e["tid"]].append(e)
    out = {}
    for list_ in threads.values():
        list_.sort(key=lambda e: (e["ts"], -e["dur"], e["args"]["External id"]))
        open_ = []
        for e in list_:
            while open_ and open_[-1]["ts"] + open_[-1]["dur"] <= e["ts"]:
                open_.pop()
            open_.append(e)
            out[e["args"]["External id"]] = open_[::-1]
    return out


def real(path):
    """Operators of a real trace, by what they computed: calls and time."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        try:
            events = json.load(f).get("traceEvents", [])
        except (ValueError, AttributeError):
            return  # what the reader makes of broken files is its own test
    kernels = [e for e in events if e.get("ph") == "X" and e.get("cat") == "kernel"]
    if not kernels:
        return
    classes = {r["name"]: r["class"] for r in q.ask("top -n 0", path)}
    around = innermost(events)
    found = collections.defaultdict(lambda: [0, 0])
    ops = collections.defaultdict(int)
    for k in kernels:
        # Mangled names are not in the table.
        if classes.get(k["name"], "conv" if "conv" in k["name"] else None) not in ("gemm", "gemv", "moe_gemm", "conv", "attention"):
            continue
        for e in around.get(k["args"].get("External id"), []):
            args = e["args"]
            w = work(e["name"], args.get("Input type", []), args.get("Input Dims", []), args.get("Concrete Inputs", []))
            if w:
                ops[id(e), e["name"], w] += round(k["dur"] * 1000)
                break
    for (_, name, w), ns in ops.items():
        found[name, w][0] += 1
        found[name, w][1] += ns
    got = collections.defaultdict(lambda: [0, 0])
    for r in q.ask("roofline", path):
        if r["name"] != "(unmatched)" and r["source"] == "kineto":
            n = int(r["calls"])
            w = int(r["flops"]) // n, int(r["bytes"]) // n if r["bytes"] else None, r["type"]
            got[r["op"], w][0] += n
            got[r["op"], w][1] += int(r["total_ns"])
    for key in set(found) | set(got):
        if key not in found or key not in got or found[key][0] != got[key][0] or abs(found[key][1] - got[key][1]) > found[key][0] * 3:
            q.say(f"{path}: {key}: {dict(got).get(key)}, not {dict(found).get(key)}")
        q.compared["operators of real traces"] += 1


def operator(rng, number):
    kind = rng.choice(["mm", "mm", "mm", "addmm", "bmm", "baddbmm", "conv", "attention"])
    word = rng.choice(["c10::BFloat16", "c10::Half", "float"])
    n = [rng.choice([1, 7, 32, 100, 256, 1000, 4096, rng.randint(1, 20000)]) for _ in range(3)]
    batch = rng.randint(1, 40)
    if kind in ("mm", "addmm"):
        dims = [[n[0], n[1]], [n[1], n[2]]]
        if kind == "addmm":
            dims.insert(0, rng.choice([[n[2]], [n[0], n[2]], [1, n[2]], [n[0], 1], [1]]))
    elif kind in ("bmm", "baddbmm"):
        dims = [[batch, n[0], n[1]], [batch, n[1], n[2]]]
        if kind == "baddbmm":
            dims.insert(0, rng.choice([[batch, n[0], n[2]], [1, n[0], n[2]], [batch, 1, n[2]], [n[2]]]))
    elif kind == "conv":
        groups = rng.choice([1, 1, 2])
        fil = rng.choice([1, 3, 5])
        stride, pad, dil = rng.choice([1, 2]), rng.choice([0, 1, 2]), rng.choice([1, 2])
        c = groups * rng.randint(1, 30)
        dims = [[batch, c, 20, 31], [groups * rng.randint(1, 20), c // groups, fil, fil], []]
        values = ["", "", "", f"[{stride}, {stride}]", f"[{pad}, {pad}]", f"[{dil}, {dil}]", "False", "[0, 0]", str(groups)]
        return "aten::convolution", [word, word, ""], dims, values, number
    else:
        word = rng.choice(["c10::BFloat16", "c10::Half"])
        causal = rng.random() < 0.5
        d, nq = rng.choice([64, 128]), rng.choice([128, 1000])
        nk = nq if causal else rng.choice([64, 333])
        h = rng.choice([2, 8])
        dims = [[batch, h, nq, d], [batch, h, nk, d], [batch, h, nk, d], [], []]
        return "aten::_scaled_dot_product_flash_attention", [word] * 3 + ["Scalar"] * 2, dims, ["", "", "", "0.", str(causal)], number
    beta = [rng.choice(["1", "0", "0.", "0.5"])] if "add" in kind else []
    return "aten::" + kind, [word] * len(dims) + ["Scalar"] * len(beta), dims + [[]] * len(beta), [""] * len(dims) + beta, number


GPUS = {"AMD Instinct MI300X": (9, 4, 304, 2100, 5300, {"f16": 2048, "bf16": 2048, "f32": 256}),
        "AMD Instinct MI250X": (9, 0, 110, 1700, fractions.Fraction(16384, 10), {"f16": 1024, "bf16": 1024, "f32": 256})}


def expect(gpu, w, mine, tile, groups, stream_k):
    """The figures of a row."""
    major, minor, cus, mhz, gb, rates = GPUS[gpu]
    flops, moved, kind = w[0] * len(mine), w[1] * len(mine) if w[1] is not None else None, w[2]
    total = sum(mine)
    peak = fractions.Fraction(cus * mhz * rates[kind], 1000)  # operations a ns
    out = {"calls": len(mine), "total_ns": total, "flops": flops, "tflops": decimals(fractions.Fraction(flops, total * 1000)),
           "peak": kind + " matrix", "peak_pct": decimals(100 * fractions.Fraction(flops, total) / peak), "bytes": "", "lost_ns": "",
           "memory_pct": "", "bound": "", "gb_per_s": "", "intensity": "", "tile_pct": "", "round_pct": ""}
    if moved is not None:
        t = -(-flops // peak), -(-moved // fractions.Fraction(gb))
        out.update(bytes=moved, gb_per_s=decimals(fractions.Fraction(moved, total)),
                   intensity=decimals(fractions.Fraction(flops, moved)), lost_ns=max(0, total - max(t)),
                   bound="compute" if t[0] >= t[1] else "memory", memory_pct=decimals(100 * fractions.Fraction(moved, total) / gb))
    if tile and not stream_k:
        out["round_pct"] = decimals(fractions.Fraction(100 * groups, -(-groups // cus) * cus))
    if tile:
        # Columns of the operator are rows of BLAS.
        (x, y), (rows, columns) = tile, w[3]
        out["tile_pct"] = decimals(fractions.Fraction(100 * rows * columns, -(-columns // x) * x * -(-rows // y) * y))
    return out


def synthetic(rng, folder):
    gpu = rng.choice(sorted(GPUS))
    major, minor, cus = GPUS[gpu][:3]
    events, rows, at = [], {}, 0
    for number in range(1, 61):
        name, types, dims, values, _ = operator(rng, number)
        w = work(name, types, dims, values)
        if not w:
            continue
        is_product = name in ("aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm")
        tile = (16 * rng.randint(1, 20), 16 * rng.randint(1, 20)) if is_product else None
        stream_k = rng.random() < 0.2
        groups = rng.choice([1, cus - 1, cus, cus + 1, rng.randint(1, 5000)])
        kernel = f"Cijk_Ailk_Bljk_HHS_BH_MT{tile[0]}x{tile[1]}x32_MI16x16x1_SN_K{number}_SK{3 if stream_k else 0}" if tile else \
            f"ck_conv_fwd_k{number}" if name == "aten::convolution" else f"fmha_fwd_k{number}"
        if is_product:
            a = name in ("aten::addmm", "aten::baddbmm")
            w = w + ((dims[a][-2], dims[a + 1][-1]),)
        times = [rng.randint(1, 9000000) for _ in range(rng.choice([1, 1, 3]))]
        rows[kernel] = expect(gpu, w, times, tile, groups, stream_k)
        for ns in times:
            n = len(events) + 1
            events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 50,
                           "args": {"External id": n, "Concrete Inputs": values, "Input type": types, "Input Dims": dims}})
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "hipExtModuleLaunchKernel", "pid": 1, "tid": 1, "ts": at + 5,
                           "dur": 1, "args": {"correlation": n}})
            events.append({"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 3, "ts": at + 100, "dur": ns / 1000,
                           "args": {"External id": n, "device": 0, "stream": 3, "correlation": n, "grid": [groups * 256, 1, 1],
                                    "block": [256, 1, 1]}})
            at += 10100
    path = os.path.join(folder, "t.pt.trace.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "roctracer_version": 4.1,
                   "deviceProperties": [{"id": 0, "name": gpu, "computeMajor": major, "computeMinor": minor, "warpSize": 64, "numSms": cus}],
                   "traceEvents": events}, f)
    status, text, err = q.run("kstats", "roofline", "-f", "csv", "-q", path)
    got = {r["name"]: r for r in q.rows(text)}
    if status or set(got) != set(rows):
        q.say(f"random: status {status} {err}: {set(got) ^ set(rows)}")
        return
    for name, want in rows.items():
        for column, value in want.items():
            if (column != "round_pct" or name.startswith("Cijk")) and got[name][column] != str(value):
                q.say(f"random {name}: {column} {got[name][column]}, not {value}")
            q.compared["figures"] += 1
    db = os.path.join(folder, "run.db")
    q.run("tracemerge", "-q", "-o", db, path)
    if q.run("kstats", "roofline", "-f", "csv", "-q", db)[1] != text or q.run("kstats", "roofline", "-f", "csv", "-q", "-j", "4", path)[1] != text:
        q.say("random: run.db or -j 4 answers otherwise")
    os.unlink(db)
    q.compared["databases"] += 1


def known(path):
    """What the trace of a prefill of Qwen3-8B is known to hold."""
    rates = {r["problem"]: r["tflops"] for r in q.ask("roofline", path)}
    for problem, want in (("15360x4096x24576", "456.9208"), ("15360x4096x4096", "629.1313")):
        if rates.get(problem) != want:
            q.say(f"{path}: {problem}: {rates.get(problem)} TFLOP/s, not {want}")


def client(path):
    """Rates are those that the clients print, with six digits of the rate and of the time."""
    for r in q.rows(q.run("libperf", "roofline", "-q", "-f", "csv", path)[1]):
        if not r["printed_gflops"]:
            continue
        flops, us, printed = int(r["flops"]), float(r["us"]), float(r["printed_gflops"])
        if r["op"] == "gemm" and "grouped" not in r["problem"]:
            m, n, k = (int(x) for x in r["problem"].split(" ")[1].split("+")[0].split("x"))
            batch = int(([x[6:] for x in r["problem"].split(" ") if x.startswith("batch=")] or ["1"])[0])
            if flops != (8 if "_c" in r["types"] else 2) * m * n * max(k, 1) * batch:
                q.say(f"{path}: {r['problem']}: {flops} operations")
        if abs(float(r["gflops"]) - printed) > printed * 1e-5 + 0.0001:
            q.say(f"{path}:{r['line']}: {r['gflops']} GFLOP/s, the client prints {printed}")
        if abs(flops / us / 1000 - float(r["gflops"])) > float(r["gflops"]) * 1e-4 / us + 0.0001:
            q.say(f"{path}:{r['line']}: {r['gflops']} of {flops} in {us} us")
        q.compared["rates of clients"] += 1


peaks()
rng = random.Random(18)
with tempfile.TemporaryDirectory() as tmp:
    for _ in range(effort.rounds(60)):
        synthetic(rng, tmp)
paths = [os.path.join(at, f) for folder in sys.argv[1:] for at, _, files in sorted(os.walk(folder)) for f in sorted(files)
         if ".json" in f and (".pt.trace" in f or "traces" in at or "aorta" in at)]
small = [p for p in paths if os.path.getsize(p) < 64 << 10]
for path in small + list(effort.most([p for p in paths if p not in small])):
    real(path)
for folder in sys.argv[1:]:
    for name in ("libraries/rocblas", "libraries/hipblaslt", "libraries/raw_logs"):
        for at, _, files in os.walk(os.path.join(folder, name)):
            for f in sorted(files):
                client(os.path.join(at, f))
for path in paths:
    if "prefilldecode" in path:
        known(path)
least = {"peaks": 148, "figures": 10000, "databases": 50}
if len(sys.argv) > 2:
    least.update({"operators of real traces": 20, "rates of clients": 20})
q.finish(least)
