# SPDX-License-Identifier: MIT
"""Text files of rocprof v1 (-d), read by regular expressions in the manner of rocprof's own script: the same
events as tracecat gives, for every file found and for random runs. Where the script's own results lie beside,
kstats top says the same of them, byte for byte.
rocprofv1_text.py FOLDER..."""

import collections
import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile

import effort

OPS = re.compile(r"(\d+):(\d+) (\d+):(\d+) (.*):(\d+):(\d+)$")
COPY = re.compile(r"(\d+):(\d+) (async-copy):(\d+)[: ](\d+)$")
CALL = re.compile(r"(\d+):(\d+) (\d+):(\d+) ([^( ]+)(\(.*)?$")
MARK = re.compile(r'(\d+) (\d+):(\d+) (\d+):(\d+):"(.*?)"\n(?=\d+ \d+:\d+ \d:\d+:"|\Z)', re.S | re.M)
WORKS = re.compile(r"^hipMemcpy|^hipMemset|hipGraphLaunch|WaitEvent|hipStreamSynchronize|hipDeviceSynchronize"
                   r"|hipStreamWaitValue|hipStreamWriteValue")
KINDS = ("hip_api", "hsa_api", "hcc_ops", "async_copy", "roctx")
COLUMNS = "kind,pid,tid,agent,queue,stream,corr,name,start_ns,end_ns,domain"


def lines(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        return f.read().split("\n")[:-1]


def calls_of(path):
    """Each call: its process, thread, correlation, name, kernel, times; and the stream it is for."""
    count, streams = collections.Counter(), {}
    for line in lines(path):
        body, corr = re.subn(r" :\d+$", "", line), None
        if body[1]:
            corr = int(line.rsplit(":", 1)[1])
        m = CALL.match(body[0])
        if not m or (not m[6] and m[5] != "unknown"):
            continue
        count[m[3]] += 1
        args, _, kernel = (m[6] or "").partition(" kernel=")
        found = re.findall(r"[( ](stream|hStream)=([^,)]*)", args)
        value = [v for k, v in found if k == "stream"] or [v for k, v in found if k == "hStream"]
        stream = 0
        if value and value[-1].lower() != "nil":
            stream = streams.setdefault(value[-1], len(streams) + 1)
        yield m[3], m[4], str(corr or count[m[3]]), m[5], kernel if " kernel=" in line else None, m[1], m[2], stream


def operations(path):
    calls, beside = {}, path.replace("hcc_ops_trace", "hip_api_trace")
    if os.path.exists(beside):
        for pid, tid, corr, name, kernel, _, _, stream in calls_of(beside):
            if kernel is not None or WORKS.search(name):
                calls[pid, corr] = tid, stream, kernel
    for line in lines(path):
        m = OPS.match(line)
        if not m:
            continue
        start, end, dev, queue, name, corr, pid = m.groups()
        tid, stream, kernel = calls.get((pid, corr), ("", "", None))
        copy = kernel is None and re.search("Memcpy|Copy|Fill", name)
        if kernel is None and not copy and "Marker" in name:
            if tid == "":
                continue
            name = "<barrier packet>"
        yield ("copy" if copy else "kernel", pid, tid, dev, queue, str(stream), corr,
               # Names are shown without what the compiler put behind them.
               (name if kernel is None else kernel).removesuffix(" [clone .kd]"), start, end, "copy" if copy else "kernel")


def markers(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        text = f.read()
    pushed, started = collections.defaultdict(list), collections.defaultdict(list)
    for start, pid, tid, what, key, message in MARK.findall(text):
        begun = pushed[pid, tid] if what in "12" else started[pid, key]
        if what == "0":
            yield "marker", pid, tid, "", "", "", "", message, start, str(int(start) + 1), "marker"
        elif what in "13":
            begun.append((tid, message, start))
        elif what in "24" and begun:
            tid, message, from_ns = begun.pop()
            if int(start) >= int(from_ns):
                yield "marker", pid, tid, "", "", "", "", message, from_ns, start, "marker"


def expected(path, kind):
    if kind == "hcc_ops":
        return operations(path)
    if kind == "roctx":
        return markers(path)
    if kind == "async_copy":
        found = (COPY.match(line) for line in lines(path))
        return (("copy", m[5], "", "", "", "", m[4], m[3], m[1], m[2], "copy") for m in found if m)
    domain = kind[:3]
    return (("api", pid, tid, "", "", "", corr, name, start, end, domain)
            for pid, tid, corr, name, _, start, end, _ in calls_of(path))


def tool(*words):
    run = subprocess.run(words, capture_output=True, encoding="utf-8", errors="surrogateescape")
    if run.returncode not in (0, 2):
        sys.exit(f"{words}: {run.returncode} {run.stderr}")
    return run.stdout


def check(path, kind):
    want = collections.Counter(expected(path, kind))
    out = tool("tracecat", "-q", "-f", "csv", "--columns", COLUMNS, path)
    got = collections.Counter(map(tuple, list(csv.reader(io.StringIO(out)))[1:]))
    if want != got:
        print(f"{path}: differs\n  missing {list((want - got).items())[:3]}\n  too much {list((got - want).items())[:3]}")
    return want == got, sum(got.values())


def random_run(rng, folder):
    """A run of one or two processes: calls with and without kernels, what they made, ranges."""
    kernels = ["void k<a, b>(float*)", "CopyAll(int)", "plain", "f(x) [clone .kd]"]
    files = {kind: [] for kind in KINDS}
    for pid in rng.sample(range(100, 40000), rng.choice((1, 2))):
        now, tids, depth = rng.randrange(10**9, 10**15), [pid, pid + 1], collections.Counter()
        for corr in range(1, rng.randrange(2, 60)):
            now += rng.randrange(1, 10**4)
            head = f"{now}:{now + rng.randrange(10**4)} {pid}:{rng.choice(tids)}"
            stream = rng.choice(["0xa", "0xb", "nil", "0xc1"])
            name = rng.choice(["hipLaunchKernel", "hipMemcpyAsync", "hipEventRecord", "hipGraphLaunch", "hipFree"])
            kernel = " kernel=" + rng.choice(kernels) if name == "hipLaunchKernel" else ""
            args = f"(x={{1, 2}}, stream={stream})" if name != "hipFree" else "(ptr=0x1)"
            files["hip_api"].append(f"{head} {name}{args}{kernel} :{corr}")
            for _ in range(rng.randrange(3) if name != "hipFree" else 0):
                what = {"hipLaunchKernel": "KernelExecution", "hipMemcpyAsync": "CopyHostToDevice",
                        "hipEventRecord": "Marker"}.get(name, rng.choice(["KernelExecution", "FillBuffer", "Marker"]))
                end = now + rng.randrange(10**5)
                files["hcc_ops"].append(f"{now}:{end} {rng.randrange(2)}:{rng.randrange(3)} {what}:{corr}:{pid}")
            tid = rng.choice(tids)
            what = rng.choice([0, 1, 2]) if depth[tid] else rng.choice([0, 1])
            depth[tid] += (0, 1, -1)[what]
            message = "" if what == 2 else rng.choice(["a", "two\nlines", 'say "x"', "b,c"])
            files["roctx"].append(f'{now} {pid}:{tid} {what}:0:"{message}"')
            files["hsa_api"].append(f"{head} hsa_f(a={{h=1}}, b=2) = 0 :{corr}")
            files["async_copy"].append(f"{now}:{now + 9} async-copy:{corr}:{pid}")
    for kind, rows in files.items():
        with open(os.path.join(folder, kind + "_trace.txt"), "w", encoding="utf-8") as f:
            f.write("".join(row + "\n" for row in rows))


def results_beside(folder):
    """The inputs of rocprof's script, and what it made of them."""
    pairs = [("inputs_hip", "hip_trace", ("kernel", "copy", "hip", "marker")),
             ("inputs_kernel", "kernel_stats", ("kernel",))]
    bad = 0
    for inputs, results, domains in pairs:
        for domain in domains:
            for name in ("results.db", "results.json", "results.csv"):
                other = os.path.join(folder, results, name)
                if not os.path.exists(other):
                    continue
                words = ["kstats", "top", "-q", "-f", "csv", "--domain", domain, "--per", "rank,agent,queue"]
                if inputs == "inputs_hip":
                    words[-1] += ",stream"
                ours, theirs = tool(*words, os.path.join(folder, inputs)), tool(*words, other)
                if ours != theirs or ours.count("\n") < 2:
                    bad += 1
                    print(f"{other}: {domain} differs from its text files:\n{theirs}{ours}")
    return bad


bad = files = events = 0
for folder in sys.argv[1:]:
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            kind = next((k for k in KINDS if name.endswith(k + "_trace.txt")), None)
            path = os.path.join(at, name)
            if not kind or not re.match(r"\d+[: ]\d+[: ]", "".join(lines(path)[:1])):
                continue
            good, n = check(path, kind)
            bad += not good
            files += 1
            events += n
        if "inputs_hip" in folders:
            bad += results_beside(at)
rng = random.Random(1)
with tempfile.TemporaryDirectory() as tmp:
    for run in effort.most(range(25)):
        folder = os.path.join(tmp, str(run))
        os.mkdir(folder)
        random_run(rng, folder)
        for kind in KINDS:
            good, n = check(os.path.join(folder, kind + "_trace.txt"), kind)
            bad += not good
            files += 1
            events += n
print(f"{files} files, {events} events, {bad} differ")
sys.exit(bad > 0 or not files)
