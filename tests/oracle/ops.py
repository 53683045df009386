# SPDX-License-Identifier: MIT
"""ops.py FOLDER...: kstats ops against a computation straight from the JSON of every Kineto trace there,
and of random ones in every arrangement.

Written from the definition: what is open at an instant is found by going through time once, not by
links from frame to frame as the tool does it."""
import collections
import functools
import gzip
import json
import os
import random
import re
import sys
import tempfile
from decimal import ROUND_DOWN, Decimal

import effort
import questions as q

OPERATORS = {"cpu_op", "operator"}
HOST = {"cuda_runtime", "cuda_driver", "hip_runtime", "hip_driver", "runtime"}
COPIES = {"gpu_memcpy", "gpu_memset", "memcpy", "memset"}
GRAPHS = ("hipGraphLaunch", "cudaGraphLaunch", "cuGraphLaunch")
REASONS = ("no launch in the trace", "launched outside any operator", "graph launched outside any operator")


def ns(us):
    return int((Decimal(us) * 1000).to_integral_value(ROUND_DOWN))


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        d = json.load(f, parse_float=str, parse_int=str)
    if isinstance(d, list):
        return d, 0
    return d["traceEvents"], int(d.get("baseTimeNanoseconds", 0))


def number(v):
    return int(v) if v is not None and re.fullmatch(r"\d+", str(v)) else 0


def inputs(args):
    """c10::Half[64,512], Scalar, -"""
    types, dims = args.get("Input type"), args.get("Input Dims")
    types, dims = types if isinstance(types, list) else [], dims if isinstance(dims, list) else []
    out = []
    for i in range(max(len(types), len(dims))):
        kind, sizes = types[i] if i < len(types) else "", dims[i] if i < len(dims) else None
        text = re.sub(r"[\s\"]", "", json.dumps(sizes)) if isinstance(sizes, list) else ""
        if text == "[]" and (not kind or kind.startswith("Scalar")):
            text = ""
        out.append(kind + text or "-")
    return ", ".join(out)


def pair(args):
    """Sequence number, None = none, and the id of the forward thread."""
    v = str(args.get("Sequence number", ""))
    return (int(v), number(args.get("Fwd thread id"))) if v.isdigit() else (None, 0)


Frame = collections.namedtuple("Frame", "start end kind name external thread inputs sequence forward", defaults=("", None, 0))
Call = collections.namedtuple("Call", "start thread graph")
Work = collections.namedtuple("Work", "start ns corr external")


@functools.lru_cache(maxsize=1)
def read(paths):
    """Frames and functions by thread, calls by correlation id, kernels, copies."""
    frames, functions = collections.defaultdict(list), collections.defaultdict(list)
    calls, kernels, copies = collections.defaultdict(list), [], []
    for path in paths:
        events, base = load(path)
        for e in events:
            if e.get("ph") != "X" or "ts" not in e:
                continue
            cat, args = e.get("cat", "").lower(), e.get("args") or {}
            start = base + ns(e["ts"])
            end = start + ns(e.get("dur", 0))
            thread = (e.get("pid"), e.get("tid"))
            external, corr = number(args.get("External id")), number(args.get("correlation"))
            old_step = cat in OPERATORS and e["name"].startswith("ProfilerStep#")
            if cat == "user_annotation" or old_step:
                if end > start:
                    frames[thread].append(Frame(start, end, 0, e["name"], external, thread, inputs(args), *pair(args)))
            elif cat in OPERATORS:
                frames[thread].append(Frame(start, end, 1, e["name"], external, thread, inputs(args), *pair(args)))
            elif cat == "python_function":
                functions[thread].append(Frame(start, end, 2, e["name"], 0, thread))
            elif cat in HOST:
                if corr:
                    calls[corr].append(Call(start, thread, e["name"].startswith(GRAPHS)))
            elif cat == "kernel":
                kernels.append(Work(start, end - start, corr, external))
            elif cat in COPIES:
                copies.append(Work(start, end - start, corr, external))
    return frames, functions, calls, kernels, copies


def order(f):
    """Outermost first."""
    return (f.start, f.start - f.end, f.external, f.kind, f.name)


def chosen(of, start, key):
    """The last that starts not after, else the first; of several at a time the last, by `key`."""
    of = sorted(of, key=key)
    before = [c for c in of if c.start <= start]
    return before[-1] if before else of[0]


def open_at(frames, wanted):
    """{(thread, instant): frames open then, innermost first}."""
    out = {}
    for thread, mine in frames.items():
        mine = sorted(mine, key=order)
        begun, at = [], 0
        for when in sorted(t for th, t in wanted if th == thread):
            while at < len(mine) and mine[at].start <= when:
                begun.append(mine[at])
                at += 1
            begun = [f for f in begun if f.end > when]
            out[thread, when] = begun[::-1]
    return out


def thread_key(thread):
    pid, tid = thread
    return tuple((0, 0) if not re.fullmatch(r"\d+", str(v)) else (1, int(v)) for v in (pid, tid))


NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]+(?![A-Za-z0-9])")


def folded(f):
    return NUMBER.sub("*", f.name) if f.kind == 0 else f.name


def numbers_of(names):
    """What each * of texts that fold to one stands for."""
    out = []
    for values in zip(*map(NUMBER.findall, names)):
        lo, hi = min(values, key=lambda v: (int(v), len(v))), max(values, key=lambda v: (int(v), len(v)))
        out.append(lo if lo == hi else f"{lo}..{hi}")
    return out


def expect(files, domain, lo=0, hi=1 << 64, shapes=False):
    frames, functions, calls, kernels, copies = read(tuple(files))

    def key(f):
        return (folded(f), f.inputs if shapes else "")

    work = (kernels if domain != "copy" else []) + (copies if domain != "kernel" else [])
    work = [w for w in work if lo <= w.start < hi]
    by_id = collections.defaultdict(list)
    for mine in frames.values():
        for f in mine:
            if f.external:
                by_id[f.external].append(f)
    placed, wanted = [], set()
    for w in work:
        call = None
        if w.corr in calls and w.corr:
            call = chosen(calls[w.corr], w.start, lambda c: (c.start, thread_key(c.thread), c.graph))
        frame = chosen(by_id[w.external], w.start, lambda f: (f.start, thread_key(f.thread), order(f))) if w.external in by_id else None
        placed.append((w, frame, call))
        if call and not frame:
            wanted.add((call.thread, call.start))
        if frame:
            wanted.add((frame.thread, frame.start))
    around, within = open_at(frames, wanted), open_at(functions, wanted)
    rows = collections.defaultdict(lambda: [0, 0, 0, 0, 0])  # calls, kernels, self, total, host
    lost, names = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(set)
    total = sum(w.ns for w in work)
    by_function = set()
    for w, frame, call in placed:
        if frame:
            chain = [frame] + [f for f in around.get((frame.thread, frame.start), []) if order(f) < order(frame)]
        elif call:
            chain = around.get((call.thread, call.start), [])
            if not chain:
                chain = within.get((call.thread, call.start), [])[:1]
                by_function.update(f.name for f in chain)
        else:
            chain = []
        if not chain:
            why = lost[REASONS[0 if not call else 2 if call.graph else 1]]
            why[0] += 1
            why[1] += w.ns
            continue
        mine = rows[key(chain[0])]
        mine[1] += 1
        mine[2] += w.ns
        for name in {key(f) for f in chain}:
            rows[name][3] += w.ns
    for of in (frames, functions):
        for mine in of.values():
            for f in mine:
                if lo <= f.start < hi and (f.kind != 2 or f.name in by_function):
                    rows[key(f)][0] += 1
                    rows[key(f)][4] += f.end - f.start
                    if f.kind == 0:
                        names[key(f)].add(f.name)
    table = [{"op": name, "shape": shape, "calls": r[0], "kernels": r[1], "self_ns": r[2], "total_ns": r[3], "pct": q.ratio(100 * r[2], total),
              "host_ns": r[4], "reason": "", "numbers": " ".join(numbers_of(names[name, shape]))}
             for (name, shape), r in sorted(rows.items(), key=lambda i: (-i[1][2], -i[1][3], i[0][0].encode(), i[0][1].encode()))]
    for why in REASONS:
        if lost[why][0]:
            table.append({"op": "(unattributed)", "shape": "", "calls": "", "kernels": lost[why][0], "self_ns": lost[why][1], "total_ns": "",
                          "pct": q.ratio(100 * lost[why][1], total), "host_ns": "", "reason": why, "numbers": ""})
    if not any(lost[why][0] for why in REASONS):
        table.append({"op": "(unattributed)", "shape": "", "calls": "", "kernels": 0, "self_ns": 0, "total_ns": "", "pct": q.ratio(0, total),
                      "host_ns": "", "reason": "", "numbers": ""})
    for row in table if not shapes else []:
        del row["shape"]
    return table if work else []


def forwards(frames):
    """Where operators with a sequence number are, and the forward thread that each id most often means."""
    at, fits, ends = collections.defaultdict(list), collections.Counter(), {}
    for thread, mine in frames.items():
        for f in mine:
            if f.sequence is not None and not f.forward:
                at[thread[0], f.sequence].append((f.start, thread))
    for thread, mine in frames.items():
        for f in mine:
            if f.sequence is None or not f.forward:
                continue
            threads = {th for _, th in at[thread[0], f.sequence]}
            if len(threads) == 1:
                fits[thread[0], f.forward, threads.pop()] += 1
            key = (thread, f.start, f.end)
            ends[key] = max(ends.get(key, (0, 0)), (f.sequence, f.forward))
    return at, fits, ends


def forward_of(f, at, fits, ends):
    """(start, thread) of the forward operator of one; None where it has none, or nobody knows."""
    sequence, forward = ends.get((f.thread, f.start, f.end), (None, 0))
    pid = f.thread[0]
    by_thread = collections.defaultdict(list)
    for start, thread in at.get((pid, sequence), []) if forward and f.kind == 1 else []:
        if fits[pid, forward, thread]:
            by_thread[thread].append(start)
    if not by_thread:
        return None
    most = max(fits[pid, forward, th] for th in by_thread)
    best = [th for th in by_thread if fits[pid, forward, th] == most]
    return (max(by_thread[best[0]]), best[0]) if len(best) == 1 else None


def in_order(frames, functions):
    return sorted(list(frames) + list(functions), key=lambda f: (f.start, -f.end, f.kind != 2, order(f)))


def paths(files):
    """Rows of --paths: all that is around a launch."""
    frames, functions, calls, kernels, copies = read(tuple(files))
    by_id = collections.defaultdict(list)
    for mine in frames.values():
        for f in mine:
            by_id[f.external].append(f)
    known = forwards(frames)
    open_frames, open_functions = {}, {}
    rows, lost, parts = collections.Counter(), collections.Counter(), {}
    ns_of, total = collections.Counter(), 0

    def at(of, thread, when):
        seen = open_frames if of is frames else open_functions
        if (thread, when) not in seen:
            seen[thread, when] = sorted((f for f in of.get(thread, []) if f.start <= when < f.end), key=order, reverse=True)
        return seen[thread, when]

    for w in kernels + copies:
        total += w.ns
        call, frame = None, None
        if w.external and w.external in by_id:
            frame = chosen(by_id[w.external], w.start, lambda f: (f.start, thread_key(f.thread), order(f)))
            thread, when = frame.thread, frame.start
            own = [frame] + [f for f in at(frames, thread, when) if order(f) < order(frame)]
        elif w.corr and w.corr in calls:
            call = chosen(calls[w.corr], w.start, lambda c: (c.start, thread_key(c.thread), c.graph))
            thread, when = call.thread, call.start
            own = at(frames, thread, when)
        else:
            own = []
        steps = in_order(own, at(functions, thread, when)) if frame or call else []
        if not steps:
            why = REASONS[0 if not call else 2 if call.graph else 1]
            lost[why] += 1
            ns_of[why] += w.ns
            continue
        partner = next(filter(None, (forward_of(f, *known) for f in steps)), None)
        if partner:
            start, thread = partner
            steps = [f for f in in_order(at(frames, thread, start), at(functions, thread, start)) if f.kind != 1] + steps
            q.compared["backward operations"] += 1
        path = ";".join(folded(f) for f in steps)
        rows[path] += 1
        own = parts.setdefault(path, [set() for _ in steps])
        for names, f in zip(own, steps):
            names.add(f.name if f.kind == 0 else "")
        ns_of["", path] += w.ns
    table = [{"path": p, "kernels": n, "self_ns": ns_of["", p], "pct": q.ratio(100 * ns_of["", p], total), "reason": "",
              "numbers": " ".join(n for names in parts[p] for n in numbers_of(names))}
             for p, n in sorted(rows.items(), key=lambda i: (-ns_of["", i[0]], i[0].encode()))]
    for why in REASONS:
        if lost[why]:
            table.append({"path": "(unattributed)", "kernels": lost[why], "self_ns": ns_of[why], "pct": q.ratio(100 * ns_of[why], total),
                          "reason": why, "numbers": ""})
    if not lost:
        table.append({"path": "(unattributed)", "kernels": 0, "self_ns": 0, "pct": q.ratio(0, total), "reason": "", "numbers": ""})
    return table if kernels or copies else []


def without_rank(rows):
    return [{k: v for k, v in r.items() if k != "rank"} for r in rows]


def check(files, inputs, domains=("kernel", "copy", "all"), windows=((0, 1 << 64),)):
    for domain in domains:
        for lo, hi in windows:
            question = f"ops --domain {domain}" + (f" -w {lo}..{hi}" if hi < 1 << 64 else "")
            want, got = expect(files, domain, lo, hi), without_rank(q.ask(question, *inputs))
            q.differ(f"kstats {question} {' '.join(inputs)}", got, want)
            if domain == "kernel" and hi == 1 << 64 and want:
                top = sum(int(r["total_ns"]) for r in q.ask("top", *inputs))
                if top != sum(int(r["self_ns"]) for r in got):
                    q.say(f"{inputs}: ops and top do not add up to the same")
                sums = [sum(int(r["total_ns"] or 0) for r in q.ask("classes", *inputs))]
                if any(f.kind == 0 for thread in read(tuple(files))[0].values() for f in thread):
                    sums.append(sum(int(r["self_gpu_ns"] or 0) for r in q.ask("regions", *inputs)))
                    sums.append(sum(int(r["total_ns"]) for r in q.ask("regions --kernels", *inputs)))
                    q.compared["sums of regions"] += 1
                if set(sums) != {top}:
                    q.say(f"{inputs}: classes, regions, kernels of regions and top do not add up to the same: {sums} {top}")
            q.compared["tables"] += 1
    question = "ops --domain all --per shape"
    q.differ(f"kstats {question} {' '.join(inputs)}", without_rank(q.ask(question, *inputs)), expect(files, "all", shapes=True))
    q.differ(f"kstats ops --paths {' '.join(inputs)}", without_rank(q.ask("ops --paths --domain all", *inputs)), paths(files))
    q.compared["tables"] += 2


# ---- random ones ----

def us(v):
    return Decimal(v) / 1000


def nest(rng, out, thread, lo, hi, depth, ids):
    """Ranges inside [lo, hi): nested, and now and then overlapping or of the same ends."""
    at = lo
    while at < hi and depth < 7:
        start = at + rng.randrange(0, 1 + (hi - at) // 3)
        end = start + rng.randrange(0, 1 + hi - start) if rng.random() < .95 else hi + rng.randrange(50)
        if rng.random() < .1:
            start, end = lo, hi
        cat = rng.choice(["cpu_op", "cpu_op", "user_annotation", "python_function"])
        name = {"cpu_op": ["aten::conv2d", "aten::mm", "MmBackward0", "aten::to"],
                "user_annotation": ["ProfilerStep#%d" % rng.randint(1, 4), "execute_context_1(512)_generation_%d(3)" % rng.randint(1, 3), "fp16 2", "x"],
                "python_function": ["a.py(1): f", "nn.Module: L_0", "aten::mm"]}[cat]
        event = {"ph": "X", "cat": cat, "name": rng.choice(name), "pid": thread[0], "tid": thread[1], "ts": us(start),
                 "dur": us(end - start), "args": {"Ev Idx": 1}}
        if cat != "python_function" and rng.random() < .9:
            ids[0] += 1 if rng.random() < .95 else 0
            event["args"] = {"External id": ids[0], "Ev Idx": 1}
        if cat == "cpu_op" and rng.random() < .5:
            if rng.random() < .7:
                event["args"].update({"Sequence number": rng.randrange(8), "Fwd thread id": rng.choice([0, 0, 1, 2])})
            event["args"].update(rng.choice([{"Input Dims": [[2, 3], []], "Input type": ["c10::Half", "Scalar"]}, {"Input Dims": [[], [[1], []], []]},
                                             {"Input type": ["float", "", "ScalarList"], "Input Dims": [[], [], []]}, {"Input Dims": []},
                                             {"Input type": ["c10::Half", "TensorList"], "Input Dims": [[2, 3], [[4], [5, 6]], [7]]}]))
        out.append(event)
        if rng.random() < .7 and start + 2 < end <= hi:
            nest(rng, out, thread, start, end, depth + 1, ids)
        at = max(end, at + 1)


def trace(rng):
    host, device, ids = [], [], [0]
    span = 10 ** rng.randint(2, 6)
    threads = [(7, 7 + i) for i in range(rng.randint(1, 3))]
    for thread in threads:
        if rng.random() < .9:
            nest(rng, host, thread, 0, span, 0, ids)
    for corr in range(1, rng.randint(2, 60)):
        thread, start = rng.choice(threads), rng.randrange(span)
        graph = rng.random() < .15
        if rng.random() < .9:
            host.append({"ph": "X", "cat": "cuda_runtime", "name": "hipGraphLaunch" if graph else "hipLaunchKernel",
                         "pid": thread[0], "tid": thread[1], "ts": us(start), "dur": us(rng.randrange(50)),
                         "args": {"External id": 3, "correlation": corr if rng.random() < .95 else corr // 2}})
        for _ in range(rng.randint(2, 9) if graph else rng.randint(0, 2)):
            args = {"device": 0, "stream": 0}
            if rng.random() < .95:
                args["correlation"] = corr
            if rng.random() < .5:
                args = {"External id": rng.randint(0, ids[0] + 3), **args}
            swapped = rng.random() < .2
            args["grid"], args["block"] = ([256, 1, 1], [524288, 1, 1]) if swapped else ([8, 1, 1], [256, 1, 1])
            cat = "kernel" if rng.random() < .85 else rng.choice(["gpu_memcpy", "gpu_memset"])
            device.append({"ph": "X", "cat": cat, "name": {"kernel": "k", "gpu_memcpy": "Memcpy HtoD", "gpu_memset": "Memset (Device)"}[cat],
                           "pid": 0, "tid": 0, "ts": us(start + rng.randrange(-20, 200)), "dur": us(rng.randrange(1000)), "args": args})
    return host, device


def put(folder, name, events):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"schemaVersion": 1, "deviceProperties": [], "baseTimeNanoseconds": 1000000000000, "traceEvents": [\n')
        f.write(",\n".join(json.dumps(e, default=str).replace('"ts": "', '"ts": ').replace('", "dur": "', ', "dur": ').replace('", "args"', ', "args"') for e in events))
        f.write("\n]}\n")
    return path


def laws(work, rounds):
    rng = random.Random(11)
    base = 10 ** 12
    for number_of in range(rounds):
        folder = os.path.join(work, str(number_of))
        os.mkdir(folder)
        host, device = trace(rng)
        one = put(folder, "one.json", host + device)
        mixed = host + device
        rng.shuffle(mixed)
        half = rng.randint(0, len(mixed))
        parts = [put(folder, "b.json", mixed[:half]), put(folder, "c.json", mixed[half:])]
        db = os.path.join(folder, "run.db")
        q.run("tracemerge", "-q", "-o", db, "0=" + one)
        check([one], ["0=" + one], windows=((0, 1 << 64), (base + 20, base + 300)))
        ask = ["kstats", "ops", "-q", "-f", "csv", "--domain", "all", *rng.choice([["--per", "rank"], ["--per", "rank,shape"], ["--paths"]])]
        want = q.run(*ask, "-j", "1", "0=" + one)[1]
        arrangements = {"permuted": ["0=" + put(folder, "d.json", mixed)], "-j 4 and split": ["-j", "4", *("0=" + p for p in parts)],
                        "run.db": [db]}
        for how, inputs in arrangements.items():
            if q.run(*ask, *inputs)[1] != want:
                q.say(f"random {number_of}: ops of {how} differs from one file")
            q.compared["laws"] += 1


def is_kineto(path):
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
            head = f.read(1 << 16)
    except OSError:
        return False
    return b'"traceEvents"' in head and (b'"cuda_runtime"' in head or b'"cpu_op"' in head or b'"python_function"' in head or b'"Operator"' in head)


for folder in sys.argv[1:]:
    for at, dirs, files in os.walk(folder):
        dirs.sort()
        for file in sorted(files):
            path = os.path.join(at, file)
            if not file.endswith((".json", ".json.gz")) or os.path.getsize(path) > q.LIMIT or not is_kineto(path):
                continue
            try:
                read((path,))
            except (ValueError, EOFError):
                q.compared["broken files passed over"] += 1
                continue
            check([path], [path], ("kernel", "all") if effort.PERCENT >= 25 else ("all",))
            q.compared["traces"] += 1
with tempfile.TemporaryDirectory() as tmp:
    laws(tmp, effort.rounds(60))
q.finish({"tables": 100, "laws": 100})
