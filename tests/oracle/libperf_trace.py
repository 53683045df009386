# SPDX-License-Identifier: MIT
"""Calls of GPU libraries in logs, counted by madengine's expressions over whole lines, beside `libperf trace`:
logs that four processes and a program wrote at the same time, some lines torn by others; the same in
several files in any order; tables of the same; and real logs and tables of a folder where there is one.
libperf_trace.py [FOLDER]"""

import collections
import csv
import io
import os
import random
import re
import subprocess
import sys

HEADER = ["jobid", "created_date", "model", "library", "config", "calls"]
ORDER = ["rocblas", "hipblaslt", "rocblas_function", "miopen", "tensile", "hipblaslt_function", "miopen_find", "rccl",
         "rocblas_trace"]
COUNT = re.compile(r",? *call_count: *(\d+)")
RCCL = re.compile(r" NCCL INFO (\w+): opCount [0-9a-f]+ .* count (\d+) datatype (\d+) op (\d+) root (\d+) comm .*"
                  r"\[nranks=(\d+)\]")
# Functions of trace lines that are made here or known in real logs: where their addresses are.
TRACE = re.compile(r"rocblas_[a-z0-9_]+,[A-Z0-9-].*$")
ADDRESSES = {"sgemm": (7, 9, 12), "dgemm_strided_batched": (7, 10, 14), "gemm_ex": (7, 10, 14, 17),
             "gemm_batched_ex": (7, 10, 14, 17), "saxpy": (3, 5), "csscal": (3,), "cdotu": (2, 4), "dot_ex": (2, 5),
             "rot_ex": (2, 5, 8, 9), "scal_ex": (4,), "dsyr2k": (6, 8, 11), "sgemmt": (7, 9, 12), "gemm_ex3": (7, 10, 14, 17)}
bad = 0


def fail(text):
    global bad
    bad += 1
    print(text)


def count_line(line, rows):
    """madengine's search, the first that fits, with its counts put right."""
    m = re.search(r"Command \[(\w+)\] (\./bin/MIOpenDriver .*)$", line)
    if m:
        rows["miopen_find" if m[1].startswith("LogCmdFind") else "miopen", m[2]] += 1
        return
    for library, what in (("rocblas", r"\./rocblas-bench .*$"), ("hipblaslt", r"hipblaslt-bench .*$"),
                          ("tensile", r"^Running kernel: (.*)$")):
        m = re.search(what, line)
        if m:
            rows[library, m[m.lastindex or 0]] += 1
            return
    for library, what in (("rocblas_function", r"- \{ rocblas_function: .*?\}"),
                          ("hipblaslt_function", r"- \{function: matmul.*?\}")):
        m = re.search(what, line)
        if m:
            rows[library, COUNT.sub("", m[0])] += int(COUNT.search(m[0])[1])
            return
    m = TRACE.search(line)
    if m:
        args = m[0].split(",")
        addresses = ADDRESSES.get(args[0][len("rocblas_"):])
        if addresses:
            rows["rocblas_trace", ",".join("" if i in addresses else a for i, a in enumerate(args))] += 1
        return
    m = RCCL.search(line)
    if m:
        rows["rccl", "%s count %s datatype %s op %s root %s nranks %s" % m.groups()] += 1


def one_line(rng):
    m, n, k = rng.choice((512, 4096)), rng.choice((1, 7, 128)), rng.choice((64, 1024))
    kind = rng.randrange(11)
    if kind == 0:
        return (f"./rocblas-bench -f gemm_ex --transposeA T --transposeB N -m {m} -n {n} -k {k} --alpha 1 --a_type bf16_r "
                f"--lda {k} --b_type bf16_r --ldb {k} --beta 0 --compute_type f32_r --algo 0 --solution_index 0 --flags 0 ")
    if kind == 1:
        return (f"hipblaslt-bench --api_method c -m {m} -n {n} -k {k}  --alpha 1.000000 --transA T --batch_count 1  "
                f"--a_type bf16_r --scale_type f32_r   --compute_type f32_r --algo_method index --solution_index {m + n} ")
    if kind == 2:
        return (f"- {{ rocblas_function: \"rocblas_sgemm\", atomics_mode: atomics_allowed, transA: 'N', transB: 'T', M: {m}, "
                f"N: {n}, K: {k}, alpha: 1.0, ldc: {m}, call_count: {rng.randrange(1, 9)} }}")
    if kind == 3:
        return f"- {{function: matmul, M: {m}, N: {n}, K: {k}, transA: T, flush: false, call_count: {rng.randrange(1, 9)}}}"
    if kind == 4:
        prefix = rng.choice(("MIOpen(HIP): ", "node1 4711 MIOpen(HIP): ", "MIOpen(HIP)   6.425: ", "MIOpen: "))
        return (prefix + f"Command [LogCmd{rng.choice(('Find', ''))}Convolution] ./bin/MIOpenDriver convfp16 -n {n} -c 64 "
                f"-H 56 -W 56 -k {k} -y 3 -x 3 -p 1 -q 1 -m conv -g 1 -F {rng.choice((1, 2, 4))} -t 1")
    if kind == 5:
        return f"Running kernel: Cijk_Alik_Bljk_BBS_BH_MT{m}x{n}x{k}_MI32x32x8x1_SN"
    if kind == 6:
        return (f"node-4:{m}:{m} [0] NCCL INFO AllReduce: opCount {rng.randrange(99):x} sendbuff 0x7f8b recvbuff (nil) count "
                f"{n * k} datatype 6 op 0 root 0 comm 0xaef8a00 [nranks=8] stream 0xac16b80 task 0 globalrank 0")
    if kind in (7, 8):
        p = [hex(rng.randrange(1 << 44, 1 << 47)) for _ in range(4)]
        return rng.choice((
            f"rocblas_sgemm,N,T,{m},{n},{k},1,{p[0]},{m},{p[1]},{n},0,{p[2]},{m},atomics_allowed",
            f"rocblas_dgemm_strided_batched,N,T,{m},{n},{k},1.5,{p[0]},{m},{m * k},{p[1]},{n},{n * k},0,{p[2]},{m},{m * n},3,"
            "atomics_allowed",
            f"rocblas_gemm_ex,T,N,{m},{n},{k},1,{p[0]},bf16_r,{k},{p[1]},bf16_r,{k},0,{p[2]},bf16_r,{m},{p[3]},bf16_r,{m},"
            "f32_r,0,0,none,atomics_not_allowed",
            f"rocblas_saxpy,{m},-2.5e-05,{p[0]},1,{p[1]},-1,atomics_allowed", f"rocblas_csscal,{m},2,{p[0]},1,atomics_allowed",
            f"rocblas_cdotu,{m},{p[0]},1,{p[1]},-1,atomics_allowed",
            f"rocblas_dot_ex,{m},{p[0]},f16_r,1,{p[1]},f16_r,2,f16_r,f32_r,atomics_allowed",
            f"rocblas_rot_ex,{m},{p[0]},f32_r,1,{p[1]},f32_r,1,{p[2]},{p[3]},f32_r,f32_r,atomics_allowed",
            f"rocblas_scal_ex,{m},0.5,f32_r,{p[0]},f16_r,1,f32_r,atomics_allowed",
            f"rocblas_dsyr2k,U,T,{n},{k},1,{p[0]},{k},{p[1]},{k},0,{p[2]},{n},atomics_allowed",
            f"rocblas_sgemmt,L,N,T,{n},{k},1,{p[0]},{n},{p[1]},{n},0,{p[2]},{n},atomics_allowed",
            f"rocblas_gemm_ex3,T,N,{m},{n},{k},1,{p[0]},f8_r,{k},{p[1]},bf8_r,{k},0,{p[2]},f16_r,{m},{p[3]},f16_r,{m},"
            "f32,0,0,none,atomics_not_allowed",
            f"rocblas_nrm2_ex,{m},{p[0]},f32_r,1,f32_r,f32_r,atomics_allowed", f"rocblas_set_stream,{p[0]},atomics_allowed",
            "rocblas_create_handle,atomics_allowed"))
    return "step %d loss %.3f -bad function: x total: 7 Command [x] opCount rocblas_sgemm, callback rocblas_int" % (rng.randrange(999), rng.random())


def mark_end(line):
    """Where a line can no longer be taken for another program's; None: it is one."""
    m = re.search(r"rocblas-bench |hipblaslt-bench |rocblas_function: |function: matmul|Command \[LogCmd|"
                  r"Running kernel: Cijk_|: opCount |rocblas_(?:sgemm|gemm_ex|gemm_ex3|dgemm_strided_batched),[NT],|"
                  r"rocblas_(?:saxpy|csscal|cdotu|dot_ex|rot_ex|scal_ex),\d+,|rocblas_(?:dsyr2k|sgemmt),[UL],", line)
    return m and m.end()


def make_log(rng, lines):
    """The text of four processes, torn here and there, and what is whole in it: (text, rows, torn)."""
    rows, torn, out = collections.Counter(), 0, []
    for _ in range(lines):
        line, eol = one_line(rng), rng.choice(("\n", "\n", "\n", "\r\n"))
        if rng.random() < 0.05 and mark_end(line):
            cut = rng.randrange(mark_end(line), max(mark_end(line) + 1, len(line) - 20))
            other = one_line(rng)
            if other.startswith("Running kernel") or "call_count" in line[:cut]:
                continue
            count_line(other, rows)
            torn += 1
            out += [line[:cut], other, eol, line[cut:], eol]
            continue
        if rng.random() < 0.02:
            out += ["+ hipblaslt-bench -m 5 -n 5 -k 5", eol]
        if rng.random() < 0.02 and not line.startswith("Running"):
            out.append("Epoch 1: 10%\rEpoch 1: 20% ")
        count_line(line, rows)
        out += [line, eol]
    return "".join(out), rows, torn


def libperf(*args):
    run = subprocess.run(["libperf", "trace", *args], capture_output=True)
    if run.returncode not in (0, 2):
        sys.exit(f"libperf trace {args}: {run.returncode} {run.stderr!r}")
    return run.stdout, sum(map(int, re.findall(rb"(\d+) calls? skipped: broken", run.stderr)))


def write(rows, job="0", date="", model=""):
    """As Python writes such a file."""
    out = io.StringIO(newline="")
    w = csv.writer(out)
    w.writerow(HEADER)
    for (library, config), calls in sorted(rows.items(), key=lambda r: (ORDER.index(r[0][0]), -r[1], r[0][1].encode())):
        w.writerow([job, date, model, library, config, calls])
    return out.getvalue().encode()


def same(what, got, want):
    if got != want:
        a, b = got[0].decode().splitlines(), want[0].decode().splitlines()
        fail(f"{what}: torn {got[1]}, not {want[1]}; only there {sorted(set(a) - set(b))[:3]}; only here "
             f"{sorted(set(b) - set(a))[:3]}")


def random_logs():
    for seed in range(12):
        rng = random.Random(seed)
        texts, total, torn = [], collections.Counter(), 0
        for i in range(3):
            text, rows, lost = make_log(rng, rng.choice((5, 300, 4000)))
            texts.append(f"{seed}_{i}.log")
            with open(texts[-1], "w", newline="") as f:
                f.write(text)
            total.update(rows)
            torn += lost
        want = write(total), torn
        same(f"seed {seed}", libperf(*texts), want)
        same(f"seed {seed} backwards", libperf(*reversed(texts)), want)
        for name in texts:
            with open(name + ".csv", "wb") as f:
                f.write(libperf(name)[0])
        same(f"seed {seed} tables", libperf(*[name + ".csv" for name in texts]), (want[0], 0))
        same(f"seed {seed} a table and logs", (libperf(texts[0] + ".csv", *texts[1:])[0], 0), (want[0], 0))
    return 12


def tables(folder):
    """Files of madengine: counted again from the log they came from."""
    n = 0
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            path = os.path.join(at, name)
            with open(path, "rb") as f:
                if f.read(46) != b"jobid,created_date,model,library,config,calls\r":
                    continue
            rows, log, first = collections.Counter(), [], None
            with open(path, newline="") as f:
                for r in csv.DictReader(f):
                    first = first or r
                    prefix = {"miopen": "MIOpen(HIP): Command [LogCmdX] ", "tensile": "Running kernel: "}.get(r["library"], "")
                    log += [prefix + r["config"]] * int(r["calls"])
            for line in log:
                count_line(line, rows)
            random.Random(1).shuffle(log)
            with open("derived.log", "w") as f:
                f.write("\n".join(log) + "\n")
            about = first["jobid"], first["created_date"], first["model"]
            same(path, libperf(path), (write(rows, *about), 0))
            same(path + ", its log", libperf("--job", about[0], "--date", about[1], "--model", about[2], "derived.log"),
                 (write(rows, *about), 0))
            n += 1
    return n


def logs(folder):
    n = 0
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            path = os.path.join(at, name)
            if not name.endswith(".log"):
                continue
            rows = collections.Counter()
            with open(path, encoding="latin-1") as f:
                for line in f.read().splitlines():
                    count_line(line, rows)
            if rows:
                n += 1
                got = {(r["library"], r["config"]): int(r["calls"])
                       for r in csv.DictReader(io.StringIO(libperf(path)[0].decode(), newline=""))}
                if got != rows:
                    fail(f"{path}: {got} is not {rows}")
    return n


done = [random_logs()]
if len(sys.argv) > 1:
    done += [tables(sys.argv[1]), logs(sys.argv[1])]
    if not done[1] or not done[2]:
        fail(f"no tables or logs in {sys.argv[1]}: {done}")
print(f"{done} random logs, tables, logs; {bad} differ")
sys.exit(bad > 0)
