# SPDX-License-Identifier: MIT
"""Sensors in traces, worked out in fractions from the definitions of powerstats(1): the monitor of databases of rocmProfileData
with sqlite3, tracks of rocprof-sys from a trace of Chrome; on made ones and on shared files.  And the identity: parts of the energy,
by whatever, add up to that of the sensors that something ran on.
sensors.py [SHARED]"""

import csv
import glob
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from fractions import Fraction

import effort

bad = 0
compared = {"sensors": 0, "energies": 0, "files": 0}
UNITS = {"power": "W", "sclk": "MHz", "mclk": "MHz", "temperature": "C", "busy": "%", "vram": "MB"}
TRACKS = {"power": "GPU Current Power [%d] (S)", "sclk": "GPU [%d] gfx_clock (S)", "temperature": "GPU Temperature [%d] (S)",
          "busy": "GPU GFX Busy [%d] (S)", "vram": "GPU Memory Usage [%d] (S)"}


def complain(*what):
    global bad
    bad += 1
    print(*what)


def run(*args):
    p = subprocess.run(["powerstats", "-q", "-f", "csv", *args], capture_output=True, text=True)
    if p.returncode not in (0, 2):
        complain(args, "status", p.returncode, p.stderr)
    return list(csv.DictReader(p.stdout.splitlines())), p


def fixed(x):
    """Four decimals, half up."""
    if x is None:
        return ""
    n = math.floor(x * 10000 + Fraction(1, 2))
    return f"{n // 10000}.{n % 10000:04d}"


def summed(pieces):
    """(duration, energy) of pieces (t0, v0, t1, v1)."""
    return sum(t1 - t0 for t0, _, t1, _ in pieces), sum((v0 + v1) / 2 * (t1 - t0) for t0, v0, t1, v1 in pieces)


def held(rows):
    """Rows (start, end, value) that hold: what a row of the table says."""
    rows = sorted(set(rows))
    pieces, gaps = [], 0
    # None holds for any time: each does until the next.
    if all(lo == hi for lo, hi, _ in rows):
        rows = [(lo, rows[i + 1][0] if i + 1 < len(rows) else hi, v) for i, (lo, hi, v) in enumerate(rows)]
    for i, (lo, hi, v) in enumerate(rows):
        if i + 1 < len(rows) and rows[i + 1][0] < hi:
            hi = max(lo, rows[i + 1][0])
        pieces.append((lo, v, hi, v))
        gaps += i + 1 < len(rows) and rows[i + 1][0] > hi
    whole = sum(p[2] - p[0] for p in pieces)
    values, upto, p95 = sorted((p[1], p[2] - p[0]) for p in pieces), 0, None
    for v, ns in values:
        upto += ns
        if whole and p95 is None and upto * 20 >= whole * 19:
            p95 = v
    return pieces, gaps, p95, [v for _, _, v in rows], rows[0][0], max(p[2] for p in pieces)


def points(rows, gap=None):
    """(time, value) of an instant each, by the trapezoid."""
    rows = sorted(set(rows))
    far = sorted(b[0] - a[0] for a, b in zip(rows, rows[1:]) if b[0] > a[0])
    limit = min(far[(len(far) - 1) // 2] * 7 // 2, 3600 * 10**9) if far else 0
    pieces, gaps = [], 0
    for (t0, v0), (t1, v1) in zip(rows, rows[1:]):
        if t1 - t0 > limit:
            gaps += 1
        else:
            pieces.append((t0, v0, t1, v1))
    values = sorted(v for _, v in rows)
    return pieces, gaps, values[-(-len(values) * 19 // 20) - 1], values, rows[0][0], rows[-1][0]


def expect(rank, agent, sensor, what):
    pieces, gaps, p95, values, first, last = what
    duration, energy = summed(pieces)
    return {"rank": str(rank), "agent": agent, "sensor": sensor, "unit": UNITS[sensor], "samples": str(len(values)), "na": "0",
            "gaps": str(gaps), "span_s": fixed(Fraction(last - first, 10**9)), "duration_s": fixed(Fraction(duration, 10**9)),
            "mean": fixed(Fraction(energy) / duration if duration else None), "min": fixed(min(values)), "p95": fixed(p95),
            "max": fixed(max(values)),
            "energy_j": fixed(Fraction(energy) / 10**9) if sensor == "power" and duration else "", "source": "trace"}


def compare(name, got, want):
    order = list(UNITS)
    want = sorted(want, key=lambda w: (int(w["rank"]), int(w["agent"].split()[-1]), order.index(w["sensor"])))
    if got != want:
        for g, w in zip(got + [None] * len(want), want + [None] * len(got)):
            if g != w and (g or w):
                complain(name, "is", g, "should be", w)
                return
    compared["sensors"] += len(want)


# ---- databases of rocmProfileData ----

def monitor(path, rank):
    c = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    sensors = {}
    for device, kind, lo, hi, v in c.execute("SELECT deviceId,monitorType,start,\"end\",value FROM rocpd_monitor WHERE deviceType='gpu'"):
        sensors.setdefault((device, kind), []).append((lo, hi, Fraction(v)))
    c.close()
    return [expect(rank, f"GPU {d}", k, held(rows)) for (d, k), rows in sensors.items() if k in UNITS]


def same_again(args, work):
    """From run.db, and with any number of threads, the same bytes."""
    db = os.path.join(work, "run.db")
    subprocess.run(["tracemerge", "-q", "-o", db, *args], check=True)
    a, b, c = run(*args)[1].stdout, run(db)[1].stdout, run("-j", "1", *args)[1].stdout
    if a != b or a != c:
        complain(args, "differs from run.db or with -j 1")


SCHEMA = """
CREATE TABLE rocpd_metadata(id integer PRIMARY KEY, tag text, value text);
INSERT INTO rocpd_metadata(tag,value) VALUES ('schema_version','2');
CREATE TABLE rocpd_string(id integer PRIMARY KEY, string text);
INSERT INTO rocpd_string VALUES (1,''),(2,'KernelExecution'),(3,'hipLaunchKernel'),(4,'UserMarker');
CREATE TABLE rocpd_monitor(id integer PRIMARY KEY, deviceType text, deviceId integer, monitorType text, start integer, "end" integer, value text);
CREATE TABLE rocpd_api(id integer PRIMARY KEY, pid integer, tid integer, start integer, "end" integer, apiName_id integer, args_id integer);
CREATE TABLE rocpd_api_ops(id integer PRIMARY KEY, api_id integer, op_id integer);
CREATE TABLE rocpd_op(id integer PRIMARY KEY, gpuId integer, queueId integer, sequenceId integer, completionSignal text, start integer, "end" integer, description_id integer, opType_id integer);
CREATE TABLE rocpd_kernelapi(api_ptr_id integer PRIMARY KEY, stream text, gridX integer, gridY integer, gridZ integer, workgroupX integer, workgroupY integer, workgroupZ integer, groupSegmentSize integer, privateSegmentSize integer, codeObject_id integer, kernelName_id integer, kernelArgAddress text);
CREATE TABLE rocpd_copyapi(api_ptr_id integer PRIMARY KEY, stream text, size integer, width integer, height integer, kind integer, dst text, src text, dstDevice integer, srcDevice integer, sync bool, pinned bool);
"""


def make_rpd(path, r):
    """Sensors of some GPUs, kernels on some of them, and steps."""
    c = sqlite3.connect(path)
    c.executescript(SCHEMA)
    for device in range(r.randint(1, 3)):
        for kind in ("power", "sclk", "temperature", "busy"):
            t = 10**9 + r.randint(0, 10**6)
            for _ in range(20 if kind == "power" else r.choice((0, 1, 2, 20))):
                end = t + r.choice((0, 1, 10**6, r.randint(1, 10**9)))
                c.execute("INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value) VALUES ('gpu',?,?,?,?,?)",
                          (device, kind, t, end, f"{r.randint(0, 9000) / 10:.1f}"))
                t = end + r.choice((0, 0, 0, r.randint(1, 10**7)))
    for i in range(4):
        c.execute("INSERT INTO rocpd_string VALUES (?,?)", (10 + i, f"kernel_{i}"))
        c.execute("INSERT INTO rocpd_string VALUES (?,?)", (20 + i, f"step {i}"))
    t = 10**9
    for i in range(12):
        lo = t + r.randint(0, 3 * 10**8)
        t = hi = lo + r.randint(1, 3 * 10**8)
        c.execute("INSERT INTO rocpd_op VALUES (?,?,0,0,'',?,?,?,2)", (i + 1, r.randint(0, 1), lo, hi, 10 + i % 4))
        c.execute("INSERT INTO rocpd_api VALUES (?,5,5,?,?,3,1)", (i + 100, lo - 1000, lo - 500))
        c.execute("INSERT INTO rocpd_api_ops(api_id,op_id) VALUES (?,?)", (i + 100, i + 1))
        if i % 3 == 0:
            c.execute("INSERT INTO rocpd_api VALUES (?,5,5,?,?,4,?)", (i + 200, lo - 2000, hi - 1, 20 + i // 3))
    c.commit()
    c.close()


def whole_of(path, used):
    """The exact energy of the power sensors of these GPUs."""
    c = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = {}
    for device, lo, hi, v in c.execute("SELECT deviceId,start,\"end\",value FROM rocpd_monitor WHERE deviceType='gpu' AND monitorType='power'"):
        rows.setdefault(device, []).append((lo, hi, Fraction(v)))
    n = len(rows)
    gpus = [g for g, in c.execute("SELECT DISTINCT gpuId FROM rocpd_op")]
    c.close()
    if n == 1 and len(gpus) == 1:
        used = list(rows)
    return sum(summed(held(rows[d])[0])[1] for d in used if d in rows) / Fraction(10**9), [d for d in used if d in rows]


def check_energy(path):
    c = sqlite3.connect(path)
    used = [g for g, in c.execute("SELECT DISTINCT gpuId FROM rocpd_op")]
    c.close()
    whole, there = whole_of(path, used)
    for by in ("class", "step", "region", "op"):
        got, p = run("--by", by, path)
        if p.returncode:
            if "nothing" not in p.stderr and "no " not in p.stderr and "overlap" not in p.stderr:
                complain(path, by, p.stderr)
            continue
        cells = [r["energy_j"] for r in got if r["energy_j"]]
        total = sum(Fraction(x) for x in cells)
        if abs(total - whole) > Fraction(len(cells), 20000):
            complain(path, by, "adds up to", float(total), "should be", float(whole))
        compared["energies"] += 1


# ---- tracks ----

def make_tracks(path, r):
    events, sensors = [{"ph": "X", "pid": 7, "tid": 1, "ts": 1000, "dur": 5, "name": "main", "cat": "host", "args": {}}], {}
    for device in range(r.randint(1, 2)):
        for kind in r.sample(list(TRACKS), 3):
            t, rows = 10**6 + r.randint(0, 99), []
            for _ in range(r.choice((1, 2, 3, 40))):
                v = r.randint(0, 8000) / 8
                rows.append((t * 1000, Fraction(v)))
                events.append({"ph": "C", "pid": 7, "ts": t, "name": TRACKS[kind] % device, "args": {"value": v}})
                t += r.choice((1000, 1000, 1500, 1, 90000))
            if r.random() < .5:
                events.append({"ph": "C", "pid": 7, "ts": t, "name": TRACKS[kind] % device, "args": {"value": 0}})
                rows.append((t * 1000, Fraction(0)))
            rows = sorted(set(rows))
            if rows[-1][1] == 0 and any(v for _, v in rows):
                rows.pop()
            sensors[device, kind] = rows
    r.shuffle(events)
    with open(path, "w") as f:
        json.dump(events, f)
    return [expect(0, f"GPU {d}", k, points(rows)) for (d, k), rows in sensors.items()]


def made(work):
    r = random.Random(1)
    for i in range(effort.rounds(60)):
        path = os.path.join(work, f"{i}.rpd")
        make_rpd(path, r)
        want = monitor(path, 0)
        compare(path, run(path)[0], want)
        check_energy(path)
        if want and i % 5 == 0:
            same_again([path], work)
        path = os.path.join(work, f"{i}.json")
        want = make_tracks(path, r)
        compare(path, run(path)[0], want)
        compared["files"] += 2
    a, b = os.path.join(work, "0.rpd"), os.path.join(work, "1.rpd")
    if monitor(a, 0) and monitor(b, 0):
        compare("ranks", run("0=" + a, "1=" + b)[0], monitor(a, 0) + monitor(b, 1))
        same_again(["0=" + a, "1=" + b], work)


def real(shared, work):
    files = sorted(f for f in glob.glob(shared + "/data/real/**/*.rpd", recursive=True))
    for path in effort.most(files):
        c = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            n = c.execute("SELECT count(*) FROM rocpd_monitor").fetchone()[0]
        except sqlite3.Error:
            n = 0
        c.close()
        if not n:
            continue
        compare(path, run("0=" + path)[0], monitor(path, 0))
        same_again(["0=" + path], work)
        compared["files"] += 1


def main():
    with tempfile.TemporaryDirectory() as work:
        made(work)
        if len(sys.argv) > 1:
            real(sys.argv[1], work)
    for what, n in effort.least({"sensors": 300, "energies": 60, "files": 100}).items():
        if compared[what] < n:
            complain("only", compared[what], what, "compared, not", n)
    print(", ".join(f"{n} {what}" for what, n in compared.items()), "compared,", bad, "wrong")
    sys.exit(bad != 0)


main()
