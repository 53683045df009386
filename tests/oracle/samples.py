# SPDX-License-Identifier: MIT
"""samples.py FOLDER...: kstats samples against a count of the raw rows, which are read here with the csv module: every file of
PC samples in the folders, and random samples and thread traces with the laws (rows permuted, -j, run.db, JSON as CSV)."""
import collections
import csv
import json
import math
import os
import random
import sys
import tempfile

import effort
import questions as q

Z = 1.959963984540054
WHY = "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_"
HEAD = ('"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id","Wave_Issued_Instruction",'
        '"Instruction_Type","Stall_Reason","Wave_Count"\n')
KERNELS = '"Kind","Agent_Id","Queue_Id","Dispatch_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
TRACE = "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"


def interval(k, n):
    """Where the score test of p has the value Z: bisection, not the closed form."""
    def edge(lo, hi, sign):
        for _ in range(100):
            p = (lo + hi) / 2
            sd = math.sqrt(p * (1 - p) / n)
            inside = abs(k / n - p) <= Z * sd if sd else k / n == p
            lo, hi = (lo, p) if inside == (sign < 0) else (p, hi)
        return (lo + hi) / 2
    return (100 * edge(0, k / n, -1) if k else 0.0, 100 * edge(k / n, 1, 1) if k < n else 100.0)


def near(text, want):
    return text == "" if want is None else text != "" and abs(float(text) - want) <= 0.0000501


def expect(samples, view):
    """Rows of (kernel, dispatch's instruction, source, offset, issued, reason, lanes)."""
    groups, whole = collections.defaultdict(list), collections.Counter()
    for s in samples:
        kernel, inst, source, offset = s[:4]
        if not inst:
            inst, source, offset = "", "", ""
        place = {"": (inst or "(not decoded)", source, offset), "--lines": ("", source, ""), "--kernels": ("", "", "")}[view]
        groups[kernel, place].append(s)
        whole[kernel] += 1
    out = {}
    for (kernel, place), rows in groups.items():
        k, n = len(rows), whole[kernel]
        told = [r for r in rows if r[4] is not None]
        stalls = collections.Counter(r[5] for r in told if not r[4] and r[5])
        top = min(stalls, key=lambda w: (-stalls[w], w)) if stalls else ""
        lanes = [r[6] for r in rows if r[6] is not None]
        shares = n >= 100 and view != "--kernels"
        low, high = interval(k, n) if shares else (None, None)
        out[kernel, *place] = {"samples": str(k), "top_stall": top.removeprefix(WHY), "low": low, "high": high,
                               "pct": 100 * k / n if shares else None,
                               "issued": 100 * sum(r[4] for r in told) / len(told) if len(told) >= 100 else None,
                               "stall": 100 * stalls[top] / len(told) if top and len(told) >= 100 else None,
                               "lanes": sum(lanes) / len(lanes) if lanes else None}
    return out


def compare(what, text, samples, view):
    got = {(r["name"], r["instruction"], r["source"], r["offset"]): r for r in q.rows(text) if r["samples"]}
    want = expect(samples, view)
    if set(got) != set(want):
        q.say(f"{what}: other rows: {sorted(set(got) ^ set(want))[:4]}")
    for key in set(got) & set(want):
        g, w = got[key], want[key]
        q.compared["rows"] += 1
        q.compared["shares"] += w["pct"] is not None
        if (g["samples"], g["top_stall"]) != (w["samples"], w["top_stall"]) or not all(
                near(g[a], w[b]) for a, b in (("pct", "pct"), ("low_pct", "low"), ("high_pct", "high"), ("issued_pct", "issued"),
                                              ("top_stall_pct", "stall"), ("lanes", "lanes"))):
            q.say(f"{what}: {key}: {g} is not {w}")


def ask(view, *inputs):
    status, text, err = q.run("kstats", "samples", "-q", "-f", "csv", "-n", "0", *([view] if view else []), *inputs)
    if status:
        q.say(f"kstats samples {view} {inputs}: status {status}: {err}")
    return text


# ---- files of the data ----

def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    lines = list(csv.reader(text.splitlines(keepends=True)))
    if not text.endswith("\n"):
        lines = lines[:-1]  # it may be cut: so says kstats
    head = lines[0]
    for cells in lines[1:]:
        r = dict(zip(head, cells))
        issued = r.get("Wave_Issued_Instruction")
        yield (r["Dispatch_Id"], r["Instruction"], r["Instruction_Comment"], "", None if issued is None else int(issued),
               r.get("Stall_Reason"), bin(int(r["Exec_Mask"])).count("1"))


def shipped(folders):
    for folder in folders:
        for at, dirs, files in os.walk(folder):
            dirs.sort()
            for name in sorted(files):
                if "pc_sampling" in name and name.endswith(".csv"):
                    yield os.path.join(at, name)


def data(path, tmp):
    alone = f"{tmp}/{os.path.basename(path)}"
    with open(path, "rb") as f, open(alone, "wb") as to:
        to.write(f.read())
    for view in ("", "--lines", "--kernels"):
        compare(path, ask(view, alone), [("", *s[1:]) for s in read(path)], view)
    q.compared["files"] += 1


# ---- random ones ----

INSTRUCTIONS = ["s_waitcnt vmcnt(0)", "v_add_f32 v1, v2, v3", "s_barrier", "", "odd 'text', \\ and more"]
REASONS = [WHY + w for w in ("WAITCNT", "BARRIER_WAIT", "NONE")] + ["NEW"]


def random_samples(rng, tmp, as_json):
    kernels = {d: rng.choice(["a", "void b<int>(float*)", "c"]) for d in range(1, rng.randint(2, 9))}
    named = {d for d in kernels if rng.random() < 0.9}
    rows = []
    for _ in range(rng.choice([5, 99, 100, 400, 1500])):
        d, inst = rng.choice(list(kernels)), rng.choice(INSTRUCTIONS)
        rows.append((d, inst, rng.choice(["", "a.cpp:1", "dir/b.cpp:22"]) if inst else "PC:9", rng.choice([64, 128]), rng.random() < 0.3,
                     rng.choice(REASONS), rng.choice([1, 3, (1 << 64) - 1, 0xffff])))
    if as_json:
        texts = sorted({r[1:3] for r in rows if r[1]})
        records = [{"record": {"pc": {"code_object_id": 2, "code_object_offset": r[3]}, "exec_mask": r[6], "timestamp": 100 + i, "dispatch_id": r[0],
                               "wave_issued": int(r[4]), "snapshot": {"stall_reason": r[5]}},
                    "inst_index": texts.index(r[1:3]) if r[1] else -1} for i, r in enumerate(rows)]
        tool = {"metadata": {"pid": 7}, "strings": {"buffer_records": [], "pc_sample_instructions": [t[0] for t in texts],
                                                    "pc_sample_comments": [t[1] for t in texts]},
                "kernel_symbols": [{"kernel_id": d, "formatted_kernel_name": kernels[d]} for d in named],
                "buffer_records": {"kernel_dispatch": [{"start_timestamp": 10 * d, "end_timestamp": 10 * d + 5,
                                                        "dispatch_info": {"dispatch_id": d, "kernel_id": d}} for d in sorted(named)],
                                   "pc_sample_stochastic": records}}
        with open(f"{tmp}/a_results.json", "w", encoding="utf-8") as f:
            json.dump({"rocprofiler-sdk-tool": [tool]}, f)
        return [f"{tmp}/a_results.json"], [(kernels[r[0]] if r[0] in named else "", r[1], r[2], str(r[3]), int(r[4]), r[5], bin(r[6]).count("1"))
                                          for r in rows]
    with open(f"{tmp}/a_kernel_trace.csv", "w", encoding="utf-8") as f:
        f.write(KERNELS + "".join(f'"KERNEL_DISPATCH",2,1,{d},"{kernels[d]}",{d},{10 * d},{10 * d + 5}\n' for d in sorted(named)))
    with open(f"{tmp}/a_pc_sampling_stochastic.csv", "w", encoding="utf-8") as f:
        f.write(HEAD + "".join(f'{100 + i},{r[6]},{r[0]},"{r[1]}","{r[2]}",1,{int(r[4])},"T","{r[5]}",4\n' for i, r in enumerate(rows)))
    return ([f"{tmp}/a_kernel_trace.csv", f"{tmp}/a_pc_sampling_stochastic.csv"],
            [(kernels[r[0]] if r[0] in named else "", r[1], r[2], "", int(r[4]), r[5], bin(r[6]).count("1")) for r in rows])


def random_trace(rng, tmp):
    """A thread trace, and its cycles by (kernel, instruction, source, offset)."""
    want, lines = collections.defaultdict(lambda: [0, 0, 0, 0]), []
    for obj in range(1, rng.randint(2, 4)):
        at, kernel = 0, ""
        for _ in range(rng.randint(1, 30)):
            if rng.random() < 0.15:
                kernel = rng.choice(["a", "void b<int>(float*)"])
                lines.append(f'{obj},{at},"; mangled",0,0,0,0,"{kernel}"\n')
            inst, source, n = rng.choice(INSTRUCTIONS[:3]), rng.choice(["", "a.cpp:1", "f(int, int) at b.cpp:2"]), [rng.randint(0, 1 << 33) for _ in range(4)]
            lines.append(f'{obj},{at},"{inst}",{n[0]},{n[1]},{n[2]},{n[3]},"{source}"\n')
            for i, v in enumerate(n):
                want[kernel, inst, source, str(at)][i] += v
            at += 4
    path = f"{tmp}/stats_ui_output_agent_1_dispatch_1.csv"
    with open(path, "w", encoding="utf-8") as f:
        f.write(TRACE + "".join(lines))
    return path, want


def check_trace(rng, tmp):
    path, want = random_trace(rng, tmp)
    got = {(r["name"], r["instruction"], r["source"], r["offset"]): r for r in q.rows(ask("", path))}
    whole = collections.Counter()
    for (kernel, *_), n in want.items():
        whole[kernel] += n[1] + n[3]
    if set(got) != set(want):
        q.say(f"thread trace: other rows: {sorted(set(got) ^ set(want))[:4]}")
    for key in set(got) & set(want):
        g, n = got[key], want[key]
        q.compared["traced rows"] += 1
        if [g["hits"], g["latency"], g["stalled"], g["idle"], g["cycles"], g["pct"]] != \
                [*map(str, n), str(n[1] + n[3]), q.ratio(100 * (n[1] + n[3]), whole[key[0]])]:
            q.say(f"thread trace: {key}: {g} is not {n}")
    same(tmp, [path])


def same(tmp, inputs):
    want = ask("", "-j", "1", *inputs)
    q.run("tracemerge", "-q", "-o", f"{tmp}/run.db", *inputs)
    for how, other in (("-j 4", ["-j", "4", *inputs[::-1]]), ("run.db", [f"{tmp}/run.db"])):
        if ask("", *other) != want:
            q.say(f"{inputs}: other bytes with {how}")
        q.compared["laws"] += 1
    os.unlink(f"{tmp}/run.db")


rng = random.Random(29)
for i in range(effort.rounds(60)):
    with tempfile.TemporaryDirectory() as tmp:
        inputs, samples = random_samples(rng, tmp, i % 2)
        for view in ("", "--lines", "--kernels"):
            compare(f"random {i}", ask(view, *inputs), samples, view)
        same(tmp, inputs)
    with tempfile.TemporaryDirectory() as tmp:
        check_trace(rng, tmp)
for path in effort.most(shipped(sys.argv[1:])):
    with tempfile.TemporaryDirectory() as tmp:
        data(path, tmp)
q.finish({"rows": 800, "shares": 200, "traced rows": 500, "files": 4, "laws": 100})
