# SPDX-License-Identifier: MIT
"""Readings of power and memory beside the table of powerstats, worked out in fractions from the definitions of
powerstats(1); energy of kernel classes from slices between all ends there are.
power.py FOLDER..."""

import csv
import datetime
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import effort

EPOCH = datetime.datetime(1970, 1, 1)
bad = checked = 0


def complain(*what):
    global bad
    bad += 1
    print(*what)


def run(*args):
    p = subprocess.run(["powerstats", "-f", "csv", *args], capture_output=True, text=True)
    if p.returncode not in (0, 2):
        complain(args, "status", p.returncode, p.stderr)
    return list(csv.DictReader(p.stdout.splitlines())), p


def fixed(x):
    """Four decimals, half up."""
    n = math.floor(x * 10000 + Fraction(1, 2))
    return f"{n // 10000}.{n % 10000:04d}"


def load(path):
    with open(path, newline="", encoding="utf-8-sig") as f:
        rows = list(csv.reader(f))
    head = rows[0]
    kind = "vram" if "vram" in head[1] else "power"
    devices = {int(re.search(r"(\d+)$", h)[1]): i for i, h in enumerate(head) if i}
    out = []
    for r in rows[1:]:
        t = datetime.datetime.strptime(r[0], "%Y-%m-%d %H:%M:%S.%f") - EPOCH
        ns = ((t.days * 86400 + t.seconds) * 10**6 + t.microseconds) * 1000
        values = {}
        for d, i in devices.items():
            try:
                values[d] = Fraction(r[i])
            except ValueError:
                values[d] = None
            if kind == "vram" and values[d] == 0:
                values[d] = None
        out.append((ns, values))
    return kind, sorted(devices), out


def limit_of(rows):
    steps = sorted(b[0] - a[0] for a, b in zip(rows, rows[1:]) if b[0] > a[0])
    return Fraction(7, 2) * steps[(len(steps) - 1) // 2] if steps else 0


def covered(rows, device):
    """Stretches (t0, v0, t1, v1) that may be added up, readings, cells without one, gaps."""
    limit = limit_of(rows)
    out, readings, na, gaps, last = [], [], 0, 0, None
    for t, values in rows:
        v = values[device]
        if v is None:
            na += 1
            continue
        readings.append(v)
        if last is not None and t >= last[0]:
            if t - last[0] > limit:
                gaps += 1
            else:
                out.append((*last, t, v))
        last = (t, v)
    return out, readings, na, gaps


def expected(kind, device, rows):
    parts, readings, na, gaps = covered(rows, device)
    unit = "w" if kind == "power" else "pct"
    row = {"device": str(device), "samples": str(len(readings)), "na": str(na)}
    if kind == "power":
        row["gaps"] = str(gaps)
        row["energy_j"] = ""
    for name in ("duration_s", f"mean_{unit}", f"p95_{unit}", f"peak_{unit}"):
        row[name] = ""
    if not readings:
        return row
    ns = sum(t1 - t0 for t0, _, t1, _ in parts)
    total = sum((v0 + v1) / 2 * (t1 - t0) for t0, v0, t1, v1 in parts)
    row["duration_s"] = fixed(Fraction(ns, 10**9))
    row[f"p95_{unit}"] = fixed(sorted(readings)[math.ceil(Fraction(95, 100) * len(readings)) - 1])
    row[f"peak_{unit}"] = fixed(max(readings))
    if ns:
        row[f"mean_{unit}"] = fixed(total / ns)
        if kind == "power":
            row["energy_j"] = fixed(total / 10**9)
    return row


def check_file(path):
    global checked
    kind, devices, rows = load(path)
    got, p = run(path)
    want = [expected(kind, d, rows) for d in devices]
    checked += 1
    if got != want:
        complain(path, "\n  got ", got, "\n  want", want, p.stderr)


def random_file(path, rng, vram):
    """Steady or not, with cells missing, clocks set, times twice, and breaks."""
    devices = rng.sample(range(12), rng.randint(1, 5))
    title = "vram(%)" if vram else "Power(Watt)"
    t = datetime.datetime(rng.choice([1970, 1999, 2026, 2200]), rng.randint(1, 12), rng.randint(1, 28),
                          rng.randint(1, 23))
    step = rng.choice([1000, 100000, 3000000])
    lose = rng.choice([0, 0.02, 0.3, 1])
    with open(path, "w", newline="", encoding="ascii") as f:
        w = csv.writer(f)
        w.writerow(["time"] + [f"{title} GPU{d}" for d in sorted(devices)])
        for _ in range(rng.choice([1, 2, 3, 50, 400])):
            cells = []
            for _ in devices:
                v = rng.choice([f"{rng.uniform(0, 750):.{rng.randint(0, 6)}f}", str(rng.randint(0, 9))])
                cells.append(rng.choice(["N/A", ""]) if rng.random() < lose else v)
            w.writerow([t.strftime("%Y-%m-%d %H:%M:%S.%f")] + cells)
            what = rng.random()
            if what < 0.02:
                t -= datetime.timedelta(microseconds=rng.randint(1, 20) * step)
            elif what < 0.05:
                pass
            elif what < 0.08:
                t += datetime.timedelta(microseconds=rng.randint(2, 40) * step)
            else:
                t += datetime.timedelta(microseconds=step + rng.randint(0, step // 3))


def tall_of(path, wide, rng):
    """The same readings as amd-smi -w --csv writes them: a row for each device that has one, the header again and again,
    times in seconds since 1970."""
    kind, devices, rows = load(wide)
    name = rng.choice(["vram_percent"] if kind == "vram" else ["power_usage", "socket_power"])
    head = f"timestamp,gpu,gfx_clk,{name}\n"
    order = rng.sample(devices, len(devices))
    with open(path, "w", encoding="ascii") as f:
        if rng.random() < 0.5:
            f.write("'CTRL' + 'C' to stop watching output:\n")
        for i, (ns, values) in enumerate(rows):
            f.write(head if not i or rng.random() < 0.3 else rng.choice(["", "\n"]))
            for d in order:
                v = values[d]
                cell = "N/A" if v is None else f"{v.numerator * 10**6 // v.denominator / 10**6:.6f}"
                f.write(f"{ns // 10**9}.{ns % 10**9:09d},{d},2100,{cell}\n")


def check_tall(folder, wide, rng):
    global checked
    tall = os.path.join(folder, "tall.csv")
    tall_of(tall, wide, rng)
    kind, devices, rows = load(wide)
    got, p = run(tall)
    want = [expected(kind, d, rows) for d in devices]
    checked += 1
    if got != want:
        complain("tall", wide, "\n  got ", got, "\n  want", want, p.stderr)


KERNELS = {"gemm": "void gemm_tile<float, 64, 64>(float*, int)", "softmax": "softmax_forward(float*, int)",
           "elementwise": "vecAdd(float*, int)", "comm": "ncclDevKernel_Generic_1(ncclDevKernelArgs)"}
HEAD = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
        '"Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count",'
        '"Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X",'
        '"Grid_Size_Y","Grid_Size_Z"')


def integral(parts, lo, hi):
    """Exact energy of a device between two times."""
    total = Fraction(0)
    for t0, v0, t1, v1 in parts:
        a, b = max(lo, t0), min(hi, t1)
        if a < b:
            slope = (v1 - v0) / (t1 - t0)
            total += (2 * v0 + slope * (a - t0) + slope * (b - t0)) / 2 * (b - a)
    return total


def check_energy(folder, rng):
    """Random kernels beside random readings; shares out of every slice between two ends."""
    global checked
    power, trace = os.path.join(folder, "power.csv"), os.path.join(folder, "t_kernel_trace.csv")
    ndev = rng.randint(1, 3)
    start = datetime.datetime(2026, 3, 1, 10)
    t, rows = 0, []
    with open(power, "w", encoding="ascii") as f:
        f.write("time," + ",".join(f"Power(Watt) GPU{d}" for d in range(ndev)) + "\n")
        for _ in range(rng.randint(2, 30)):
            cells = [rng.choice([str(rng.randint(50, 750)), f"{rng.uniform(50, 750):.3f}", "N/A"])
                     for _ in range(ndev)]
            at = start + datetime.timedelta(microseconds=t // 1000)
            f.write(at.strftime("%Y-%m-%d %H:%M:%S.%f") + "," + ",".join(cells) + "\n")
            rows.append((t, {d: None if c == "N/A" else Fraction(c) for d, c in enumerate(cells)}))
            t += rng.choice([100, 110, 130, 400, 2000]) * 10**6
    offset = rng.randint(0, 10**12)
    kernels = []
    for _ in range(rng.randint(1, 60)):
        lo = rng.randint(-10**8, max(t, 1)) + offset
        lo = max(lo, 0)
        kernels.append((rng.randrange(ndev), rng.choice(sorted(KERNELS)), lo, lo + rng.choice([0, 7, 10**6, 3 * 10**8])))
    for d in range(ndev):
        kernels.append((d, "gemm", offset, offset + 10))
    with open(trace, "w", encoding="ascii") as f:
        f.write(HEAD + "\n")
        for i, (d, c, lo, hi) in enumerate(kernels):
            f.write(f'"KERNEL_DISPATCH","Agent {d + 4}",1,0,9,{i},1,"{KERNELS[c]}",{i},{lo},{hi},0,0,16,4,32,64,1,1,64,1,1\n')
    want, busy, full = {}, {}, {}
    for d in range(ndev):
        parts = covered(rows, d)[0]
        mine = [(c, lo - offset, hi - offset) for k, c, lo, hi in kernels if k == d]
        first, last = min(lo for _, lo, _ in mine), max(hi for _, _, hi in mine)
        ends = sorted({first, last} | {x for _, lo, hi in mine for x in (lo, hi)} |
                      {x for p in parts for x in (p[0], p[2])})
        for a, b in zip(ends, ends[1:]):
            e = integral(parts, a, b)
            ns = sum(max(0, min(b, p[2]) - max(a, p[0])) for p in parts)
            on = {c for c, lo, hi in mine if lo <= a and b <= hi}
            on = on or {"idle" if first <= a < last else "untraced"}
            for c in on:
                want[c] = want.get(c, 0) + e / len(on)
                full[c] = full.get(c, 0) + e
                busy[c] = busy.get(c, 0) + ns
    got, p = run("--offset", str(offset), "--trace", trace, power)
    checked += 1
    if not any(busy.get(c) for c in KERNELS):
        if p.returncode != 2 or got:
            complain("nothing meets, and", got, p.stderr)
        return
    whole = sum(e for c, e in want.items() if c != "untraced")
    seen = {r["class"]: r for r in got}
    for c in set(seen) | {c for c in want if busy[c] or c in KERNELS}:
        r = seen.get(c)
        if not r:
            complain(c, "is missing", got)
            continue
        if not busy.get(c):
            if (r["busy_ns"], r["energy_j"], r["mean_w"], r["share_pct"]) != ("0", "", "", ""):
                complain(c, r, "and nothing is known")
            continue
        e = want.get(c, Fraction(0)) / 10**9
        # Up to a bit a slice is cut off: half a unit of 1e-15 J.
        if abs(Fraction(r["energy_j"]) - e) > Fraction(1, 10000) * Fraction(51, 100):
            complain(c, r, "want", float(e))
        if int(r["busy_ns"]) != busy.get(c, 0):
            complain(c, r, "want busy", busy.get(c, 0))
        if busy.get(c) and abs(Fraction(r["mean_w"]) - full[c] / busy[c]) > Fraction(51, 10**6):
            complain(c, r, "want mean", float(full[c] / busy[c]))
        if c != "untraced" and whole and abs(Fraction(r["share_pct"]) - want.get(c, 0) * 100 / whole) > Fraction(51, 10**6):
            complain(c, r, "want share", float(want.get(c, 0) * 100 / whole))


for top in sys.argv[1:]:
    for at, _, files in sorted(os.walk(top)):
        for name in sorted(files):
            if name.startswith("gpu_info_"):
                check_file(os.path.join(at, name))
rng = random.Random(20260301)
with tempfile.TemporaryDirectory() as tmp:
    for i in range(effort.rounds(60)):
        random_file(os.path.join(tmp, "r.csv"), rng, i % 3 == 0)
        check_file(os.path.join(tmp, "r.csv"))
        check_tall(tmp, os.path.join(tmp, "r.csv"), rng)
    for i in range(effort.rounds(60)):
        check_energy(tmp, rng)
print(f"{checked} tables, {bad} wrong")
sys.exit(bad > 0)
