# SPDX-License-Identifier: MIT
"""findings.py: see findings.sh.

A small machine makes the traces: one host thread that calls, streams that run what they are given in
order.  Each rule of schemas/findings.def has a program with one fault; the healthy ones have none."""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import effort

HERE = os.path.dirname(os.path.abspath(__file__))
DEF = os.path.join(HERE, "../../schemas/findings.def")
failed = []

GEMM = "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_SE"
ATTENTION = "ck_fmha_fwd_kernel"
ADD = "void at::native::vectorized_elementwise_kernel<4, add>(int)"
COMM = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"
MIX = (GEMM, GEMM, ATTENTION, GEMM, ADD)
US = 1000
HEAD = {
    "kernel": '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
              '"Correlation_Id","Start_Timestamp","End_Timestamp"',
    "hip_api": '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"',
    "memory_copy": '"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
                   '"Start_Timestamp","End_Timestamp"',
    "marker_api": '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"',
    "memory_allocation": '"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id",'
                         '"Start_Timestamp","End_Timestamp"',
}


class Program:
    def __init__(self, seed=1):
        self.rng = random.Random(seed)
        self.t = 10**12
        self.busy = {}
        self.corr = 0
        self.rows = {k: [] for k in HEAD}

    def call(self, name, ns):
        self.corr += 1
        self.rows["hip_api"].append(f'"HIP_RUNTIME_API_EXT","{name}",7,7,{self.corr},{self.t},{self.t + ns}')
        self.t += ns
        return self.corr

    def op(self, stream, ns, latency=8 * US):
        start = max(self.t - 2 * US + latency, self.busy.get(stream, 0) + US)
        self.busy[stream] = start + ns
        return start, start + ns

    def launch(self, name, ns, stream=0, call=4 * US, corr=None, agent=4, by="hipLaunchKernel", **more):
        own = self.call(by, call)
        start, end = self.op(stream, ns, **more)
        n = len(self.rows["kernel"]) + 1
        self.rows["kernel"].append(f'"KERNEL_DISPATCH","Agent {agent}",{stream + 1},{stream},7,{n},1,"{name}",'
                                   f"{own if corr is None else corr},{start},{end}")

    def copy(self, way, ns, name="hipMemcpyAsync", stream=0, call=4 * US, blocks=False):
        src, dst = {"HOST_TO_DEVICE": (0, 4), "DEVICE_TO_HOST": (4, 0)}[way]
        begin = self.t
        corr = self.call(name, call)
        start, end = self.op(stream, ns)
        self.rows["memory_copy"].append(f'"MEMORY_COPY","MEMORY_COPY_{way}",{stream},"Agent {src}","Agent {dst}",{corr},{start},{end}')
        if name == "hipMemcpy" or blocks:
            self.t = end + 3 * US
            self.rows["hip_api"][-1] = f'"HIP_RUNTIME_API_EXT","{name}",7,7,{corr},{begin},{self.t}'

    def wait(self, name="hipStreamSynchronize", extra=3 * US):
        end = max(self.t + 2 * US, max(self.busy.values(), default=0) + extra)
        self.call(name, end - self.t)

    def host(self, ns):
        self.t += ns

    def mark(self, name, begin):
        self.corr += 1
        self.rows["marker_api"].append(f'"MARKER_CORE_RANGE_API","{name}",7,7,{self.corr},{begin},{self.t}')

    def work(self, n=50, mix=MIX, ns=100 * US, **more):
        for i in range(n):
            self.launch(mix[i % len(mix)], ns + self.rng.randrange(ns // 5), **more)

    def write(self, d, prefix="app"):
        os.makedirs(d, exist_ok=True)
        for kind, rows in self.rows.items():
            if rows:
                with open(os.path.join(d, f"{prefix}_{kind}_trace.csv"), "w", encoding="utf-8") as f:
                    f.write("\n".join([HEAD[kind], *rows]) + "\n")
        return [d]


def kstats(*args):
    p = subprocess.run(["kstats", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    return p.returncode, p.stdout, p.stderr


def rows(*args):
    status, out, err = kstats("findings", "-q", "-f", "csv", *args)
    if status:
        fail(f"findings {' '.join(args)}: status {status}: {err.strip()[:300]}")
    return list(csv.DictReader(io.StringIO(out)))


def fail(text):
    failed.append(text)
    print("not ok", text)


# ---- healthy programs ----

def healthy(seed=1, n=60):
    p = Program(seed)
    p.work(n)
    p.wait()
    return p


def healthy_at_random(seed):
    """Steps with enough work ahead, copies beside it, one wait at the end."""
    rng = random.Random(seed)
    p = Program(seed)
    steps = rng.randint(3, 6)
    for step in range(steps):
        begin = p.t
        for i in range(rng.randint(12, 20)):
            p.launch(MIX[i % len(MIX)], rng.randint(60, 200) * US, call=rng.randint(2, 6) * US)
            if rng.random() < .1:
                p.copy(rng.choice(["HOST_TO_DEVICE", "DEVICE_TO_HOST"]), rng.randint(5, 40) * US, stream=1)
        p.mark(f"step {step}", begin)
    p.wait(rng.choice(["hipStreamSynchronize", "hipDeviceSynchronize"]))
    return p


# ---- planted faults, one for each rule ----

def class_of(name):
    """A program in which kernels of that name have most of the time."""
    def make(d):
        p = Program()
        p.work(60, mix=(name, name, name, GEMM))
        p.wait()
        return p.write(d)
    return make


def some_comm(d):
    """A quarter of the kernel time, all of it exposed."""
    p = Program()
    for _ in range(30):
        for name in (GEMM, GEMM, GEMM, COMM):
            p.launch(name, 100 * US)
    p.wait()
    return p.write(d)


def long_gap(d):
    """Warm-up: after the first kernel the host does something else, for a third of the time."""
    p = Program()
    p.launch(GEMM, 100 * US)
    p.host(2000 * US)
    p.work(60)
    p.wait()
    return p.write(d)


def of_calls(name, ns, n=1):
    """Healthy, but for calls of that name at its start."""
    def make(d):
        p = Program()
        p.launch(GEMM, (ns * n) + 500 * US)
        for _ in range(n):
            p.call(name, ns)
        p.work(60)
        p.wait()
        return p.write(d)
    return make


def calls_between(name):
    """The host is in such a call for longer than the GPU has work."""
    def make(d):
        p = Program()
        for _ in range(40):
            p.launch(GEMM, 50 * US)
            p.call(name, 100 * US)
        p.wait()
        return p.write(d)
    return make


def stalls(name, ns):
    """The host waits for each kernel before it prepares the next, in a call that itself takes no time."""
    def make(d):
        p = Program()
        for _ in range(40):
            p.launch(GEMM, ns)
            p.wait(name, extra=US)
            p.host(ns * 3 // 5)
        p.wait()
        return p.write(d)
    return make


def polling_stalls(d):
    """The host asks for each kernel every 25 us whether it is done, in a call that itself takes no time."""
    p = Program()
    for _ in range(40):
        p.launch(GEMM, 100 * US, call=20 * US)
        for _ in range(4):
            p.host(25 * US)
            p.call("hipEventQuery", 500)
        p.host(40 * US)
    p.wait()
    return p.write(d)


def staging_stalls(d):
    """A copy from the device after each kernel, to pageable memory: its call returns when it is done."""
    p = Program()
    for _ in range(40):
        p.launch(GEMM, 100 * US)
        p.copy("DEVICE_TO_HOST", 10 * US, blocks=True)
        p.host(60 * US)
    p.wait()
    return p.write(d)


def queues_in_turn(d):
    """Two streams, each kernel waits for that of the other."""
    p = Program()
    for i in range(80):
        p.call("hipStreamWaitEvent", US)
        p.busy[i % 2] = max(p.busy.values(), default=p.t)
        p.launch(GEMM, 100 * US, stream=i % 2)
    p.wait()
    return p.write(d)


def shared_gpu(d):
    """Two processes launch ahead, and the GPU runs their kernels in turn."""
    out = []
    for rank in range(2):
        p = Program()
        first = p.t + 1000 * US
        for i in range(40):
            p.busy[0] = first + (200 * i + 100 * rank) * US
            p.launch(GEMM, 98 * US)
        p.wait()
        out.append(rank_of(p, d, rank))
    return out


def waits(d):
    """The host waits for each kernel, and then frees, which waits as well."""
    p = Program()
    for _ in range(40):
        p.launch(GEMM, 500 * US)
        p.wait("hipStreamSynchronize", extra=US)
        p.wait("hipFree", extra=US)
        p.host(300 * US)
    p.wait()
    return p.write(d)


def launch_latency(d):
    """Kernels end long before the next, which is launched, can start."""
    p = Program()
    for _ in range(200):
        p.launch(GEMM, 12 * US, call=20 * US, latency=30 * US)
    p.wait()
    return p.write(d)


def blocking(name, n=20):
    """A call that waits for the GPU after every other kernel, and then takes 60 us more."""
    def make(d):
        p = Program()
        for _ in range(n):
            p.work(2)
            p.wait(name, extra=60 * US)
        return p.write(d)
    return make


def launch_bound(d):
    p = Program()
    for _ in range(80):
        p.launch(GEMM, 20 * US, call=30 * US)
    p.wait()
    return p.write(d)


def first_launches(d):
    p = Program()
    for i in range(80):
        p.launch(GEMM.replace("MT128", f"MT{i % 4 + 1}"), 100 * US, call=1000 * US if i < 4 else 4 * US)
    p.wait()
    return p.write(d)


def graph_launches(d):
    p = Program()
    for _ in range(80):
        p.launch(GEMM, 20 * US, call=30 * US, by="hipGraphLaunch")
    p.wait()
    return p.write(d)


def sync_waits(d):
    p = Program()
    for _ in range(40):
        p.launch(GEMM, 100 * US)
        p.wait(extra=20 * US)
    return p.write(d)


def host_bound(d):
    p = Program()
    for _ in range(40):
        p.launch(GEMM, 50 * US)
        p.host(100 * US)
    p.wait()
    return p.write(d)


def host_stalls(d):
    """Twelve ranks: after collectives at the start, the host of one is late with every kernel."""
    out = []
    for rank in range(12):
        p = Program()
        for i in range(10):
            p.launch(COMM, 20 * US)
        for _ in range(60):
            p.launch(GEMM, 100 * US)
            p.host(200 * US if rank == 11 else 0)
        p.wait()
        out.append(rank_of(p, d, rank))
    db = os.path.join(d, "run.db")
    subprocess.run(["tracemerge", "-q", "--align", "collectives", "-o", db, *out], check=True, stderr=subprocess.DEVNULL)
    return [db]


def late_starts(d):
    """Work is there, and the GPU does not take it up: 30 us behind the kernel before."""
    p = Program()
    for _ in range(60):
        p.busy[0] = p.busy.get(0, p.t) + 30 * US
        p.launch(GEMM, 50 * US)
    p.wait()
    return p.write(d)


def no_api(d):
    p = Program()
    for _ in range(40):
        p.launch(GEMM, 50 * US)
        p.host(100 * US)
    p.rows["hip_api"] = []
    return p.write(d)


def calls_unknown(d):
    p = healthy()
    p.rows["kernel"] = [re.sub(r'",(\d+),(\d+),(\d+)$', lambda m: f'",{int(m[1]) + (900000 if int(m[1]) % 3 == 0 else 0)},{m[2]},{m[3]}', r)
                        for r in p.rows["kernel"]]
    return p.write(d)


def model_late(d):
    """Most launches take long to start, and one in five does not: the usual latency is too long for it."""
    p = Program()
    for i in range(60):
        p.launch(GEMM, 30 * US, latency=(100 if i % 5 else 4) * US)
        p.wait()
    return p.write(d)


def model_early(d):
    p = Program()
    for i in range(40):
        p.launch(GEMM, 50 * US, latency=(600 if i % 9 == 8 else 8) * US)
        p.wait()
    return p.write(d)


def rank_of(p, d, rank):
    return f"{rank}={p.write(os.path.join(d, str(rank)))[0]}"


def ranks(d, work, host=None, turns=False, once=False, ahead=0):
    """Two ranks that meet in collectives; work[rank] ns before each, exchanged before each second one where they take
    turns, and equal before all but the fifth where one is late once.  The clock of the second is so much ahead.  Of one host
    and clock unless told not to."""
    out = []
    for rank in range(2):
        p = Program()
        p.t += rank * ahead
        end = 10**12 + 8 * US + rank * ahead
        for i in range(12):
            same = once and i != 4
            p.launch(GEMM, work[0 if same else rank ^ (turns and i % 2)])
            p.launch(COMM, 0)
            start = p.busy[0]
            # the transfer begins when the last has come
            end += (work[0] if same else max(work)) + 12 * US
            row = p.rows["kernel"][-1].rsplit(",", 2)
            p.rows["kernel"][-1] = f"{row[0]},{start},{end}"
            p.busy[0] = end
        p.wait()
        out.append(rank_of(p, d, rank))
    if host is None:
        return out
    db = os.path.join(d, "run.db")
    subprocess.run(["tracemerge", "-q", "--align", "collectives", "-o", db, *out], check=True, stderr=subprocess.DEVNULL)
    return [db]


def ranks_absent(d):
    """The first and the third rank of three, whose clocks are one."""
    return [o.replace("1=", "2=", 1) for o in ranks(d, (100 * US, 100 * US))]


def slow_steps(d):
    p = Program()
    for step in range(12):
        begin = p.t
        p.work(6, mix=(GEMM,) * 5 + (ATTENTION,), ns=(900 if step == 7 else 100) * US)
        p.wait()
        p.mark(f"step {step}", begin)
    return p.write(d)


def later_steps(d):
    """All steps but the first twelve take longer."""
    p = Program()
    for step in range(25):
        begin = p.t
        p.work(6, mix=(GEMM,) * 5 + (ATTENTION,), ns=(100 if step < 12 else 150) * US)
        p.wait()
        p.mark(f"step {step}", begin)
    return p.write(d)


def blocking_copies(d):
    p = Program()
    for _ in range(20):
        p.work(2)
        p.copy("HOST_TO_DEVICE", 2 * US, name="hipMemcpy")
        row = p.rows["hip_api"][-1].rsplit(",", 1)[0]
        p.t += 60 * US
        p.rows["hip_api"][-1] = f"{row},{p.t}"
    return p.write(d)


def uneven_work(d):
    """One rank computes half as much more; the collectives hide behind it, so that nobody waits in them."""
    out = []
    for rank, ns in enumerate((100 * US, 150 * US)):
        p = Program()
        for i in range(20):
            p.launch(GEMM, ns)
            n = len(p.rows["kernel"]) + 1
            at = 10**12 + 20 * US + i * 101 * US
            p.rows["kernel"].append(f'"KERNEL_DISPATCH","Agent 4",3,2,7,{n},1,"{COMM}",{p.call("hipLaunchKernel", US)},{at},{at + 30 * US}')
        p.wait()
        out.append(rank_of(p, d, rank))
    db = os.path.join(d, "run.db")
    subprocess.run(["tracemerge", "-q", "--align", "collectives", "-o", db, *out], check=True, stderr=subprocess.DEVNULL)
    return [db]


def slow_comm(d):
    """One of two communicators has a quarter of the other's bandwidth; then all meet."""
    os.makedirs(d, exist_ok=True)
    out, end = [], 910 * US
    for rank in range(4):
        out.append(f"{rank}={os.path.join(d, f'{rank}.csv')}")
        with open(os.path.join(d, f"{rank}.csv"), "w", encoding="utf-8") as f:
            f.write("kind,pid,agent,name,type,comm,comm_ranks,bytes,start_ns,end_ns\n")
            for i in range(10):
                at, met = i * end, i * end + 500 * US + (400 if rank // 2 else 100) * US
                f.write(f"kernel,{rank + 1},4,{GEMM},,,,,{at},{at + 500 * US}\n")
                f.write(f"kernel,{rank + 1},4,{COMM},ncclAllReduce,pair {rank // 2},2,1000000,{at + 500 * US},{met}\n")
                f.write(f"kernel,{rank + 1},4,{COMM},ncclAllReduce,all,4,1000000,{met},{at + end}\n")
    db = os.path.join(d, "run.db")
    subprocess.run(["tracemerge", "-q", "--align", "collectives", "-o", db, *out], check=True, stderr=subprocess.DEVNULL)
    return [db]


def slow_stage(d):
    """Three stages of a pipeline, of which the second computes 300 us for each of 12 batches, the others 200; then all meet."""
    rows, free = [[], [], []], [0, 0, 0]
    for _ in range(12):
        for stage, ns in enumerate((200 * US, 300 * US, 200 * US)):
            if stage:
                end = max(free[stage - 1], free[stage]) + 20 * US
                rows[stage - 1].append((COMM, "ncclSend", "pp", free[stage - 1], end))
                rows[stage].append((COMM, "ncclRecv", "pp", free[stage], end))
                free[stage - 1] = free[stage] = end
            rows[stage].append((GEMM, "", "", free[stage], free[stage] + ns))
            free[stage] += ns
    met = max(free)
    out = []
    for stage, own in enumerate(rows):
        own.append((COMM, "ncclAllReduce", "all", free[stage], met + 10 * US))
        own += ((COMM, "ncclAllReduce", "all", met + i * 10 * US, met + (i + 1) * 10 * US) for i in range(1, 10))
        out.append(f"{stage}={os.path.join(d, f'{stage}.csv')}")
        with open(os.path.join(d, f"{stage}.csv"), "w", encoding="utf-8") as f:
            f.write("kind,pid,agent,name,type,comm,comm_ranks,start_ns,end_ns\n")
            for name, call, comm, start, end in own:
                f.write(f"kernel,{stage + 1},4,{name},{call},{comm},{3 if comm else ''},{start},{end}\n")
    db = os.path.join(d, "run.db")
    subprocess.run(["tracemerge", "-q", "--align", "collectives", "-o", db, *out], check=True, stderr=subprocess.DEVNULL)
    return [db]


def uneven_gpus(d):
    """Of two GPUs of one process the second computes a third as long."""
    p = Program()
    for _ in range(30):
        p.launch(GEMM, 300 * US)
        p.launch(GEMM, 100 * US, stream=1, agent=5)
        p.launch(COMM, 0)
        p.launch(COMM, 0, stream=1, agent=5)
        # both leave the collective together, 10 us behind the last
        ends = [int(r.rsplit(",", 1)[1]) + 10 * US for r in p.rows["kernel"][-2:]]
        for i in (-2, -1):
            p.rows["kernel"][i] = f"{p.rows['kernel'][i].rsplit(',', 1)[0]},{max(ends)}"
        p.busy = {0: max(ends), 1: max(ends)}
    p.wait()
    return p.write(d)


def gpus_apart(d):
    """The second of two GPUs of one process has its first work when the first is through."""
    p = Program()
    for gpu in range(2):
        p.work(40, stream=gpu, agent=4 + gpu)
        p.wait()
    return p.write(d)


def idle_after(d):
    """Long after the kernels one of which no call is known."""
    p = healthy()
    p.host(4000 * US)
    p.launch(GEMM, 100 * US, corr=900000)
    p.rows["hip_api"].pop()
    return p.write(d)


def copies(way, ns, gap=0, n=20):
    def make(d):
        p = Program()
        for _ in range(n):
            p.copy(way, ns)
            p.work(2)
            p.host(gap)
        p.wait()
        return p.write(d)
    return make


def first_copies(n):
    """n copies of 80 us, and then kernels."""
    def make(d):
        p = Program()
        for _ in range(n):
            p.copy("HOST_TO_DEVICE", 80 * US)
        p.work(20)
        p.wait()
        return p.write(d)
    return make


def slow_copies(way, ns):
    """Copies of 64 KiB that take long; sizes are in tables of tracecat."""
    def make(d):
        one = copies(way, ns)(os.path.join(d, "raw"))
        text = subprocess.run(["tracecat", "-q", *one], stdout=subprocess.PIPE, check=True, text=True).stdout
        table = list(csv.reader(io.StringIO(text)))
        at, kind = table[0].index("bytes"), table[0].index("kind")
        for row in table[1:]:
            if row[kind] == "copy":
                row[at] = "65536"
        path = os.path.join(d, "events.csv")
        with open(path, "w", encoding="utf-8", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows(table)
        return [path]
    return make


def slivers(d):
    p = Program()
    for i in range(200):
        p.launch(MIX[i % 5], 6 * US, call=7 * US)
    p.wait()
    return p.write(d)


def not_freed(d):
    p = healthy()
    p.rows["memory_allocation"] = [f'"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",4294967296,"0x7f0000000000",1,{10**12},{10**12 + 10}']
    return p.write(d)


def skipped(d):
    out = healthy().write(d)
    with open(os.path.join(d, "app_kernel_trace.csv"), "a", encoding="utf-8") as f:
        f.write('"KERNEL_DISPATCH","Agent 4",1,0,7,900,1,"k",900,17,5\n')
    return out


def records_lost(d):
    """A trace of Perfetto that says that packets were dropped before one of them."""
    path = os.path.join(d, "trace.pftrace")
    subprocess.run(["tracecat", "-q", "--to", "pftrace", "-o", path, *healthy().write(os.path.join(d, "raw"))], check=True)
    with open(path, "ab") as f:
        f.write(bytes([0x0A, 5, 0xD0, 2, 1, 0x50, 1]))  # packet { previous_packet_dropped, trusted_packet_sequence_id: 1 }
    return [path]


def kernels_lost(d):
    """Of a second rank the launches alone."""
    path = os.path.join(d, "lost.json")
    one = healthy().write(os.path.join(d, "raw"))[0]
    calls = [{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 2,
              "args": {"correlation": i}} for i in range(1, 40)]
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [], "traceEvents": calls}, f)
    return ["0=" + one, "1=" + path]


PLANTED = {
    "records-lost": records_lost,
    "kernels-lost": kernels_lost,
    "rows-skipped": skipped,
    "ranks-absent": ranks_absent,
    "clocks-apart": lambda d: ranks(d, (100 * US, 100 * US), ahead=300 * US),
    "calls-unknown": calls_unknown,
    "unclassified": class_of("zq17(float*)"),
    "model-late": model_late,
    "model-early": model_early,
    "launch-bound": launch_bound,
    "first-launches": first_launches,
    "sync-waits": sync_waits,
    "host-bound": host_bound,
    "host-stalls": host_stalls,
    "late-starts": late_starts,
    "idle-unknown": no_api,
    "idle-after": idle_after,
    "blocking-copies": blocking_copies,
    "blocking-frees": blocking("hipFree"),
    "host-frees": blocking("hipHostFree"),
    "blocking-fills": blocking("hipMemset"),
    "allocations": calls_between("hipMalloc"),
    "pinning": calls_between("hipHostMalloc"),
    "loading": calls_between("hipModuleLoadData"),
    "streams-events": calls_between("hipStreamCreate"),
    "polling": of_calls("hipEventQuery", 400 * US, 20),
    "polling-stalls": polling_stalls,
    "staging-stalls": staging_stalls,
    "queues-in-turn": queues_in_turn,
    "shared-gpu": shared_gpu,
    "staging": calls_between("hipMemcpyAsync"),
    "sync-stalls": stalls("hipStreamSynchronize", 100 * US),
    "copy-stalls": stalls("hipMemcpy", 500 * US),
    "free-stalls": stalls("hipFree", 500 * US),
    "host-free-stalls": stalls("hipHostFree", 500 * US),
    "fill-stalls": stalls("hipMemset", 500 * US),
    "launch-latency": launch_latency,
    "waits": waits,
    "graph-launches": graph_launches,
    "graph-capture": calls_between("hipGraphInstantiate"),
    "comm-heavy": class_of(COMM),
    "exposed-comm": some_comm,
    "long-gap": long_gap,
    "fused-bmm": class_of("triton_red_fused_bmm_10"),
    "slow-comm": slow_comm,
    "late-rank": lambda d: ranks(d, (100 * US, 130 * US), host="one"),
    "slow-stage": slow_stage,
    "late-once": lambda d: ranks(d, (100 * US, 400 * US), host="one", once=True),
    "late-in-turn": lambda d: ranks(d, (100 * US, 130 * US), host="one", turns=True),
    "uneven-work": uneven_work,
    "uneven-gpus": uneven_gpus,
    "gpus-apart": gpus_apart,
    "exposed-copy": copies("HOST_TO_DEVICE", 80 * US),
    "start-up": first_copies(5),
    "pageable-in": slow_copies("HOST_TO_DEVICE", 20 * US),
    "pageable-out": slow_copies("DEVICE_TO_HOST", 20 * US),
    "moves": class_of("__amd_rocclr_copyBuffer"),
    "spinning": class_of("__amd_rocclr_streamOpsWait.kd"),
    "slivers": slivers,
    "naive-conv": class_of("naive_conv_fwd_nchw_float_double_float"),
    "elementwise": class_of(ADD),
    "reductions": class_of("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(int)"),
    "norms": class_of("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)"),
    "softmax": class_of("void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, false>(int)"),
    "layouts": class_of("batched_transpose_32x32_half"),
    "casts": class_of("void vllm::scaled_fp8_quant_kernel<c10::Half>(int)"),
    "optimizer": class_of("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<AdamFunctor>(int)"),
    "embeddings": class_of("void at::native::(anonymous namespace)::embedding_bag_kernel<float>(int)"),
    "gemv": class_of("rocblas_gemvt_kernel"),
    "double-gemm": class_of("Cijk_Ailk_Bljk_DB_MT64x64x16_SE"),
    "single-gemm": class_of("Cijk_Ailk_Bljk_SB_MT64x64x16_SE"),
    "slow-steps": slow_steps,
    "later-steps": later_steps,
    "not-freed": not_freed,
}


# Savings that the program tells to the nanosecond.
EXACT = {
    "late-in-turn": 6 * 30 * US,  # 115 us each instead of 100 and 130
    "late-once": 300 * US,  # 400 us before the fifth collective instead of 100
    "late-rank": 12 * 30 * US,  # 130 us before each collective instead of 100
    "slow-stage": 12 * 100 * US,  # 300 us a batch instead of 200
    "uneven-gpus": 30 * 100 * US,  # 200 us each instead of 300 and 100
}


def interval(reference, inputs):
    """Of a saving that is a scenario's: the least that the replay says it is of the GPU's time, which may be none, and
    the most."""
    m = re.fullmatch(r'whatif\["(.*)"\]\.saved_gpu_ns', reference.replace('\\"', '"'))
    if not m:
        return None
    status, out, _ = kstats("whatif", "-q", "-f", "csv", *inputs)
    for r in csv.DictReader(io.StringIO(out)) if not status else []:
        if r["scenario"] == m[1]:
            w = int(r["window_ns"])
            return 0, w - int(r["low_ns"])
    return None


def rules():
    """The table: id -> (kind, saves)."""
    with open(DEF, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    out = {}
    for m in re.finditer(r"FINDING\((.*?)\)\n(?=FINDING|\Z|\n)", text, re.S):
        fields = next(csv.reader(io.StringIO(re.sub(r'"\s*\n\s*"', "", m[1]).replace('\\"', "''").replace("\n", " ")), skipinitialspace=True))
        fields = [f.strip() for f in fields]
        out[fields[0]] = (fields[1], fields[4].replace("''", '"'))
    return out


def main():
    table = rules()
    shown = 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, (kind, saves) in effort.sample(sorted(table.items())):
            make = PLANTED.get(name)
            if not make:
                fail(f"{name}: no program is planted with it")
                continue
            d = os.path.join(tmp, name)
            os.makedirs(d)
            inputs = make(d)
            got = rows(*inputs)
            first = got[0]["id"] if got else "nothing"
            if first != name:
                fail(f"{name}: first is {first}: " + "; ".join(f"{r['id']} {r['severity']} {r['saves_pct']}" for r in got[:6]))
                continue
            shown += 1
            between = interval(saves, inputs)
            if got[0]["saves_ns"] and between and not between[0] <= int(got[0]["saves_ns"]) <= between[1]:
                fail(f"{name}: saves {got[0]['saves_ns']}, not within {between}")
            if name in EXACT and got[0]["saves_ns"] != str(EXACT[name]):
                fail(f"{name}: saves {got[0]['saves_ns']}, not {EXACT[name]}")
            if kind == "COST" and not got[0]["saves_ns"]:
                fail(f"{name}: no saving")
        for seed in range(effort.rounds(40)):
            p = healthy_at_random(seed)
            bad = [r["id"] for r in rows(*p.write(os.path.join(tmp, f"healthy{seed}"))) if r["severity"] != "note"]
            if bad:
                fail(f"healthy {seed}: {', '.join(bad)}")
    print(f"{shown} planted faults found first")
    sys.exit(bool(failed))


main()
