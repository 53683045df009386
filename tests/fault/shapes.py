#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a row costs must not depend on how many there are of anything.

KEYS is the table: each row makes an input that holds n different ones of one thing (processes, agents,
kernel names, files ...), and says which commands are asked: first those that group by it, which are
always tried, then whether all others are in a sweep.  Every pair is run with n and with 4n; CPU time,
not time on the clock, so that a busy machine does not matter.  A row may cost twice as much where
there are four times as many (sorting, caches that are too small), not more:
    time(4n) - time(0) <= 8 (time(n) - time(0)) + NOISE
where time(0) is that of a run that reads nothing.  A pair that fails is measured again, the least
of several runs counts.

    shapes.py DIR                        n = QUICK, the commands that group by the key; DIR is written to
    shapes.py DIR --table [N] [KEY ...]  n = N (default: 10^4, 4 * 10^4, ... 10^6), the same commands; every figure is printed
    shapes.py DIR --sweep [N] [KEY ...]  the same with all commands
"""
import ctypes
import gzip
import io
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tarfile

QUICK = 5000
SWEEP = (10_000, 40_000, 250_000)
NOISE = 0.03
TRIES = 4
LONG = 120  # seconds of CPU that no run may take
PR_SET_THP_DISABLE = 41

# ---- tables of rocprofv3 -------------------------------------------------------------------------

T0 = 1_000_000_000
STEP = 1000  # ns from row to row

HEADS = {
    "kernel": '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id",'
    '"Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"',
    "api": '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"',
    "copy": '"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
    '"Start_Timestamp","End_Timestamp"',
    "alloc": '"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id",'
    '"Start_Timestamp","End_Timestamp"',
    "counter": '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size",'
    '"Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count",'
    '"Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"',
}


def table(path, kind, rows):
    with open(path, "w") as f:
        f.write(HEADS[kind] + "\n")
        f.writelines(rows)


def kernels(n, agent=lambda i: 4, queue=lambda i: 1, stream=lambda i: 0, tid=lambda i: 7, name=lambda i: f"kernel_{i % 9}",
            corr=lambda i: i + 1, start=lambda i: T0 + i * STEP, dur=lambda i: 600):
    for i in range(n):
        s = start(i)
        yield (f'"KERNEL_DISPATCH","Agent {agent(i)}",{queue(i)},{stream(i)},{tid(i)},{i},{i},"{name(i)}",'
               f"{corr(i)},{s},{s + dur(i)}\n")


def calls(n, domain="HIP_RUNTIME_API_EXT", name=lambda i: "hipLaunchKernel" if i % 3 else "hipDeviceSynchronize",
          pid=lambda i: 7, tid=lambda i: 7, corr=lambda i: i + 1, start=lambda i: T0 + i * STEP - 500, dur=lambda i: 300):
    for i in range(n):
        s = start(i)
        yield f'"{domain}","{name(i)}",{pid(i)},{tid(i)},{corr(i)},{s},{s + dur(i)}\n'


def markers(n, name=lambda i: f"region_{i % 5}", **more):
    more.setdefault("start", lambda i: T0 + i * STEP - 700)
    more.setdefault("dur", lambda i: 900)
    return calls(n, "MARKER_CORE_RANGE_API", name, **more)


def copies(n, src=lambda i: 0, dst=lambda i: 4, start=lambda i: T0 + i * STEP, way=lambda i: "HOST_TO_DEVICE"):
    for i in range(n):
        s = start(i)
        yield f'"MEMORY_COPY","MEMORY_COPY_{way(i)}",1,"Agent {src(i)}","Agent {dst(i)}",{i + 1},{s},{s + 500}\n'


def allocs(n, agent=lambda i: 4, address=lambda i: 0x7F0000000000 + 4096 * i, what=lambda i: "ALLOCATE"):
    for i in range(n):
        s = T0 + i * STEP
        yield (f'"MEMORY_ALLOCATION","MEMORY_ALLOCATION_{what(i)}","Agent {agent(i)}",4096,"0x{address(i):016x}",'
               f"{i + 1},{s},{s + 100}\n")


def counters(n, counter=lambda i: "SQ_WAVES", pid=lambda i: 7, name=lambda i: "kernel"):
    for i in range(n):
        s = T0 + i * STEP
        yield f'{i},{i},"Agent 4",1,{pid(i)},7,64,1,"{name(i)}",64,0,0,16,32,"{counter(i)}",1.0,{s},{s + 600}\n'


def folder(d, **tables):
    os.makedirs(d, exist_ok=True)
    names = {"kernel": "kernel_trace", "hip": "hip_api_trace", "marker": "marker_api_trace", "copy": "memory_copy_trace",
             "alloc": "memory_allocation_trace", "counter": "counter_collection", "hsa": "hsa_api_trace"}
    for what, rows in tables.items():
        kind = {"hip": "api", "marker": "api", "hsa": "api"}.get(what, what)
        table(f"{d}/app_{names[what]}.csv", kind, rows)
    return [d]


def it(i):
    return i


def of(k):
    return lambda i: i % k


# ---- inputs: n different ones of something -------------------------------------------------------

def processes(d, n):
    return folder(d, kernel=kernels(n, tid=it), hip=calls(n, pid=it, tid=it), marker=markers(n, pid=it, tid=it))


def agents(d, n):
    return folder(d, kernel=kernels(n, agent=it), hip=calls(n), copy=copies(n, dst=it),
                  marker=markers(n // 10, dur=lambda i: 9000, start=lambda i: T0 + 10 * i * STEP))


def agents_steps(d, n):
    """As many agents as operations, and a marker for each hundred."""
    return folder(d, kernel=kernels(n, agent=it, name=lambda i: "ncclDevKernel_Generic(x)"), hip=calls(n),
                  marker=markers(n // 100, name=lambda i: f"step {i}", dur=lambda i: 90000, start=lambda i: T0 + 100 * i * STEP))


def queues(d, n):
    return folder(d, kernel=kernels(n, queue=it), hip=calls(n))


def streams(d, n):
    return folder(d, kernel=kernels(n, stream=it), hip=calls(n))


def threads(d, n):
    return folder(d, kernel=kernels(n, tid=it), hip=calls(n, tid=it), marker=markers(n, tid=it))


def kernel_names(d, n):
    return folder(d, kernel=kernels(n, name=lambda i: f"void ns::kernel_{i}<float, {i}>(float*, int)"), hip=calls(n))


def kernel_names_gemm(d, n):
    return folder(d, kernel=kernels(n, name=lambda i: f"Cijk_Ailk_Bljk_HHS_BH_MT{i}x64x32"), hip=calls(n))


def crafted_names(d, n):
    """Names that met in one slot of a table once, whatever its seed was."""
    zero = [v.to_bytes(8, "little") for v in (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)]
    os.makedirs(d, exist_ok=True)
    with open(f"{d}/app_kernel_trace.csv", "wb") as f:
        f.write(HEADS["kernel"].encode() + b"\n")
        for row in kernels(n, name=lambda i: f"k{i:07}@@@@"):
            before, name, after = row.encode().partition(b"@@@@")
            f.write(before + zero[0] + b"01234567" + zero[1] + after)
    return [d]


def region_names(d, n):
    return folder(d, kernel=kernels(n), hip=calls(n), marker=markers(n, name=lambda i: f"region {i}x"))


def region_depth(d, n):
    """Each lies in all before it."""
    return folder(d, kernel=kernels(n), hip=calls(n),
                  marker=markers(n, name=lambda i: f"region {i}x", start=lambda i: T0 - 2 * n + i, dur=lambda i: 2 * n * STEP - 2 * i))


def regions_overlap(d, n):
    """Each begins in the one before and ends behind it, on a thread of its own."""
    return folder(d, kernel=kernels(n), hip=calls(n),
                  marker=markers(n, tid=it, start=lambda i: T0 + i, dur=lambda i: n * STEP))


def call_names(d, n):
    return folder(d, kernel=kernels(n), hip=calls(n, name=lambda i: f"hipFunction{i}"), hsa=calls(n, "HSA_CORE_API", lambda i: f"hsa_f{i}"))


def call_depth(d, n):
    return folder(d, kernel=kernels(n), hip=calls(n, start=lambda i: T0 - 2 * n + i, dur=lambda i: 2 * n * STEP - 2 * i))


def waits(d, n):
    """Every thread waits all the time."""
    return folder(d, kernel=kernels(n), hip=calls(n, name=lambda i: "hipDeviceSynchronize", tid=it, start=lambda i: T0 + i,
                                                  dur=lambda i: n * STEP - 2 * i))


def corr_same(d, n):
    return folder(d, kernel=kernels(n, corr=lambda i: 5), hip=calls(n, corr=lambda i: 5, pid=it), marker=markers(n))


def corr_spread(d, n):
    return folder(d, kernel=kernels(n, corr=lambda i: i * 0x9E3779B97F4A7C15 % 2**63 + 1),
                  hip=calls(n, corr=lambda i: i * 0x9E3779B97F4A7C15 % 2**63 + 1))


def same_times(d, n):
    at = {"start": lambda i: T0, "dur": lambda i: 1000}
    return folder(d, kernel=kernels(n, **at), hip=calls(n, **at), marker=markers(n, **at), copy=copies(n, start=lambda i: T0))


def overlapping(d, n):
    return folder(d, kernel=kernels(n, start=lambda i: T0 + i, dur=lambda i: 3 * n - 2 * i, queue=it), hip=calls(n),
                  copy=copies(n, start=lambda i: T0 + n - i))


def backwards(d, n):
    return folder(d, kernel=kernels(n, start=lambda i: T0 + (n - i) * STEP), hip=calls(n, start=lambda i: T0 + (n - i) * STEP),
                  marker=markers(n, start=lambda i: T0 + (n - i) * STEP))


def directions(d, n):
    return folder(d, copy=copies(n, src=it, dst=lambda i: i + 1, way=lambda i: "DEVICE_TO_DEVICE"), kernel=kernels(9))


def addresses(d, n):
    return folder(d, alloc=allocs(n), kernel=kernels(9))


def addresses_reused(d, n):
    """Every one is given out twice, then freed."""
    return folder(d, kernel=kernels(9), alloc=allocs(3 * n, address=lambda i: 4096 * (1 + i % n), what=lambda i: "ALLOCATE" if i < 2 * n else "FREE"))


def alloc_agents(d, n):
    return folder(d, alloc=allocs(n, agent=it), kernel=kernels(9))


def counter_names(d, n):
    return folder(d, counter=counters(n, counter=lambda i: f"COUNTER_{i}"))


def counter_kernels(d, n):
    return folder(d, counter=counters(n, counter=lambda i: f"COUNTER_{i % 7}", name=lambda i: f"kernel_{i}"))


def counter_processes(d, n):
    return folder(d, counter=counters(n, pid=it))


def steps(d, n):
    return folder(d, kernel=kernels(n), hip=calls(n), marker=markers(n, name=lambda i: f"step {i}"))


def steps_by_name(d, n):
    """A marker that comes n times, and one kernel that does."""
    return folder(d, kernel=kernels(n, name=lambda i: "ncclDevKernel_Generic(x)"), hip=calls(n), marker=markers(n, name=lambda i: "iteration"))


def graphs(d, n):
    """A launch of a graph of its own for each kernel."""
    folder(d, hip=calls(n, name=lambda i: "hipGraphLaunch"))
    with open(f"{d}/app_kernel_trace.csv", "w") as f:
        f.write(HEADS["kernel"] + ',"Graph_Exec_Id","Graph_Node_Id"\n')
        f.writelines(f"{row[:-1]},{i + 1},{i % 7}\n" for i, row in enumerate(kernels(n)))
    return [d]


def counter_columns(d, n):
    """A table of rocprof v1 with a column for each counter."""
    n //= 10
    os.makedirs(d, exist_ok=True)
    with open(f"{d}/results.csv", "w") as f:
        f.write("Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,"
                + ",".join(f"COUNTER_{i}" for i in range(n)) + ",DispatchNs,BeginNs,EndNs,CompleteNs\n")
        for k in range(10):
            at = T0 + k * STEP
            f.write(f'{k},"kernel_{k}",0,0,{k},7,7,64,64,0,0,16,4,32,64,0x0,0x7f,' + "1.5," * n + f"{at},{at + 100},{at + 600},{at + 700}\n")
    return [d]


def gaps_all(d, n):
    """A gap behind every operation, each with another kernel behind it, on another queue."""
    return folder(d, kernel=kernels(n, start=lambda i: T0 + 20 * i * STEP, name=lambda i: f"kernel_{i}x", queue=of(50)),
                  hip=calls(n, start=lambda i: T0 + 20 * i * STEP - 900))


# ---- many files ----

def files(d, n):
    """Files are dear: a hundredth as many."""
    os.makedirs(d, exist_ok=True)
    for i in range(n // 20):
        table(f"{d}/{i}_kernel_trace.csv", "kernel", kernels(5))
    return [d]


def files_as_ranks(d, n):
    os.makedirs(d, exist_ok=True)
    for i in range(n // 20):
        table(f"{d}/{i}_kernel_trace.csv", "kernel", kernels(5, start=lambda k: T0 + i + k * STEP))
    # Not a word each: a command line has a limit.
    return ["--rank-from", "([0-9]+)_kernel_trace", d]


def stats_files(d, n):
    os.makedirs(d, exist_ok=True)
    for i in range(n // 20):
        with open(f"{d}/{i}_kernel_stats.csv", "w") as f:
            f.write('"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n')
            f.write(f'"kernel_{i}",2,{2000 + 2 * i},{1000 + i}.0,100.0,{900 + i},{1100 + i},100.0\n')
    return [d]


def counter_files(d, n):
    for i in range(n // 20):
        os.makedirs(f"{d}/pass_{i}", exist_ok=True)
        table(f"{d}/pass_{i}/{i}_counter_collection.csv", "counter", counters(3, counter=lambda k: f"C{i}"))
    return [d]


def members(d, n):
    os.makedirs(d, exist_ok=True)
    with tarfile.open(f"{d}/run.tar", "w") as tar:
        for i in range(n // 20):
            data = (HEADS["kernel"] + "\n" + "".join(kernels(2, start=lambda k: T0 + 10 * i + k * STEP))).encode()
            info = tarfile.TarInfo(f"{i}/{i}_kernel_trace.csv")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return [f"{d}/run.tar"]


# ---- JSON ----

def json_rows(rows):
    return '{"traceEvents": [\n' + ",\n".join(rows) + "\n]}\n"


def one(d, name, text):
    os.makedirs(d, exist_ok=True)
    with open(f"{d}/{name}", "w" if isinstance(text, str) else "wb") as f:
        f.write(text)
    return [f"{d}/{name}"]


def json_members(d, n):
    """A text of 25 n bytes, in gzip members of four."""
    def packed(text):
        return gzip.compress(text.encode(), 1, mtime=0)
    return one(d, "x.json.gz", packed('{"traceEvents": [\n{"name": "') + packed("name") * (25 * n // 4) +
               packed('", "ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 1}]}\n'))


def csv_members(d, n):
    """A table in gzip members of a row."""
    rows = [HEADS["kernel"] + "\n", *kernels(n)]
    return one(d, "x_kernel_trace.csv.gz", b"".join(gzip.compress(row.encode(), 1, mtime=0) for row in rows))


def json_lanes(d, n):
    return one(d, "x.json", json_rows(f'{{"name": "a", "ph": "X", "ts": {i}, "dur": 1, "pid": {i}, "tid": {i}}}' for i in range(n)))


def json_open(d, n):
    """Ranges that begin and never end."""
    return one(d, "x.json", json_rows(f'{{"name": "a{i % 7}", "ph": "B", "ts": {i}, "pid": 1, "tid": {i % 3}}}' for i in range(n)))


def json_nested(d, n):
    rows = [f'{{"name": "a{i}", "ph": "B", "ts": {i}, "pid": 1, "tid": 1}}' for i in range(n)]
    return one(d, "x.json", json_rows(rows + [f'{{"ph": "E", "ts": {n + i}, "pid": 1, "tid": 1}}' for i in range(n)]))


def json_async(d, n):
    rows = [f'{{"name": "a", "cat": "c", "id": {i}, "ph": "b", "ts": {i}, "pid": 1, "tid": 1}}' for i in range(n)]
    rows += [f'{{"name": "a", "cat": "c", "id": {i}, "ph": "e", "ts": {n + i}, "pid": 1, "tid": 1}}' for i in range(n)]
    return one(d, "x.json", json_rows(rows))


def kineto(d, n):
    rows = []
    for i in range(n):
        rows.append(f'{{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 7, "tid": {i % 9}, "ts": {i}.5, "dur": 0.2,'
                    f' "args": {{"External id": {i}, "correlation": {i}}}}}')
        rows.append(f'{{"ph": "X", "cat": "kernel", "name": "kernel_{i}", "pid": 0, "tid": {i % 4}, "ts": {i}.6, "dur": 0.3,'
                    f' "args": {{"device": {i % 8}, "stream": {i % 4}, "correlation": {i}, "grid": [1, 1, 1], "block": [64, 1, 1]}}}}')
        rows.append(f'{{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{i}", "pid": 7, "tid": 7, "ts": {i}.1, "dur": 0.9}}')
    head = '{"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 1}, "traceEvents": [\n'
    return one(d, "w.pt.trace.json", head + ",\n".join(rows) + "\n]}\n")


# ---- databases ----

def database(d, n):
    """A run.db of the tables above with n of most things at once."""
    os.makedirs(f"{d}/in", exist_ok=True)
    folder(f"{d}/in", kernel=kernels(n, agent=it, queue=it, stream=it, tid=it, name=lambda i: f"kernel {i}"),
           hip=calls(n, pid=it, tid=it), marker=markers(n, name=lambda i: f"region {i}", pid=it, tid=it),
           alloc=allocs(n), copy=copies(n, dst=it))
    subprocess.run(["tracemerge", "-q", "-o", f"{d}/run.db", f"{d}/in"], check=True)
    shutil.rmtree(f"{d}/in")
    return [f"{d}/run.db"]


def rank_database(d, n):
    """Every rank on a host of its own, with an operation of every sort."""
    os.makedirs(d, exist_ok=True)
    schema = subprocess.run(["tracemerge", "--schema"], stdout=subprocess.PIPE, check=True, text=True).stdout
    db = sqlite3.connect(f"{d}/run.db")
    db.execute("PRAGMA synchronous=OFF")
    db.executescript(schema)
    db.execute("INSERT INTO meta VALUES('tool','tracemill')")
    names = ["ncclDevKernel_Generic(x)", "gemm", "hipLaunchKernel", "hipDeviceSynchronize", "step", "MEMORY_COPY_HOST_TO_DEVICE", "ALLOCATE"]
    db.executemany("INSERT INTO name VALUES(?,?)", enumerate(names))
    all_ = range(1, n + 1)
    rows = {
        "input": ("id,path,run,rank,rule,format,kind,events,skipped,lost,stats_only,content",
                  ((i, f"p{i}", f"h{i}:p{i}", i, "given", "rocprofv3-csv", "trace", 8, 0, 0, 0, i) for i in all_)),
        "rank": ("id,input,rank,host,pid", ((i, i, i, f"h{i}", i) for i in all_)),
        "clock": ("input,clock,readings,method,offset_ns,origin_ns,rate", ((i, "boottime", 0, "none", 0, 0, 0) for i in all_)),
        "kernel": ("rank_id,name,start_ns,end_ns,agent,queue,stream,tid,corr",
                   ((i, k, T0 + 2000 * k + i % 100, T0 + 2000 * k + 900, 4, 1, 1, i, k + 1) for i in all_ for k in (0, 1))),
        "api": ("rank_id,domain,name,start_ns,end_ns,tid,corr",
                ((i, "hip", k, T0 + 2000 * k - 9000, T0 + 2000 * k - 8000, i, k - 1) for i in all_ for k in (2, 3))),
        "marker": ("rank_id,name,start_ns,end_ns,tid", ((i, 4, T0 + 2000 * k - 5000, T0 + 2000 * k - 3100, i) for i in all_ for k in (2, 3))),
        "copy": ("rank_id,name,start_ns,end_ns,agent,src,dst,bytes", ((i, 5, T0 + 50, T0 + 100, 4, 0, 4, 64) for i in all_)),
        "alloc": ("rank_id,domain,name,start_ns,end_ns,agent,bytes,address", ((i, "alloc", 6, T0, T0 + 1, 4, 64, 4096) for i in all_)),
        "extent": ("input,tbl,first,rows", ((i, t, (i - 1) * k + 1, k) for i in all_ for t, k in
                                            (("kernel", 2), ("api", 2), ("marker", 2), ("copy", 1), ("alloc", 1)))),
    }
    for name, (columns, values) in rows.items():
        marks = ",".join("?" * (columns.count(",") + 1))
        db.executemany(f"INSERT INTO {name}({columns}) VALUES({marks})", values)
    db.commit()
    db.close()
    return [f"{d}/run.db"]


# ---- pftraces ----

def varint(v):
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    return field(1, b"".join(fields))


def tracks(d, n):
    """A track of its own for each slice, of a sequence of its own, with a name of its own."""
    out = []
    for i in range(n):
        seq = field(10, i % 1000 + 1)
        out.append(packet(seq, field(60, field(1, i + 1) + field(2, f"track {i}"))))
        for kind, at in ((1, 2 * i), (2, 2 * i + 1)):
            event = field(9, kind) + field(11, i + 1) + (field(23, f"slice {i}") + field(22, "hip_api") if kind == 1 else b"")
            out.append(packet(seq, field(8, T0 + at), field(11, event)))
    return one(d, "x.pftrace", b"".join(out))


def slices_open(d, n):
    out = [packet(field(10, 1), field(60, field(1, 1) + field(2, "track")))]
    for i in range(n):
        out.append(packet(field(10, 1), field(8, T0 + i), field(11, field(9, 1) + field(11, 1) + field(23, f"s{i}") + field(22, "hip_api"))))
    return one(d, "x.pftrace", b"".join(out))


# ---- logs of RCCL ----

def rccl_line(i, host=0, comm=0, op=None):
    return (f"node-{host}:{100 + host}:{200 + host} [0] NCCL INFO AllReduce: opCount {i if op is None else op:x} sendbuff 0x7f8b00000000 "
            f"recvbuff 0x7f8b00000000 count 262144 datatype 7 op 0 root 0 comm {0xAE08A00 + comm:#x} [nranks=4] stream (nil) task 0 "
            f"globalrank {host}\n")


def communicators(d, n):
    text = []
    for i in range(n):
        text.append(f"node-1:4200:4200 [0] NCCL INFO ncclCommInitRank comm {0xAE08A00 + i:#x} rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1c000 "
                    f"commId {0x9892861237396B9F + i:#x} - Init COMPLETE\n")
        text.append(rccl_line(i, 0, i, 0))
    os.makedirs(d, exist_ok=True)
    table(f"{d}/0_kernel_trace.csv", "kernel", kernels(n, name=lambda i: "ncclDevKernel_Generic(x)"))
    return [f"0={p}" for p in one(d, "0_rccl.log", "".join(text))] + [f"0={d}/0_kernel_trace.csv"]


def hosts(d, n):
    os.makedirs(d, exist_ok=True)
    table(f"{d}/0_kernel_trace.csv", "kernel", kernels(n, name=lambda i: "ncclDevKernel_Generic(x)"))
    return [f"0={p}" for p in one(d, "0_rccl.log", "".join(rccl_line(i, i) for i in range(n)))] + [f"0={d}/0_kernel_trace.csv"]


def collectives(d, n):
    args = []
    for r in range(2):
        os.makedirs(d, exist_ok=True)
        table(f"{d}/{r}_kernel_trace.csv", "kernel", kernels(n, name=lambda i: "ncclDevKernel_Generic(x)"))
        args += [f"{r}={p}" for p in one(d, f"{r}_rccl.log", "".join(rccl_line(i) for i in range(n)))] + [f"{r}={d}/{r}_kernel_trace.csv"]
    return args


# ---- libraries and power ----

def library_log(d, n):
    return one(d, "x.log", "".join(
        f"./rocblas-bench -f gemm_ex --transposeA T --transposeB N -m {i + 1} -n 128 -k 4096 --alpha 1 --a_type bf16_r --lda 4096 "
        f"--b_type bf16_r --ldb 4096 --beta 0 --c_type bf16_r --ldc 4096 --d_type bf16_r --ldd 4096 --compute_type f32_r "
        f"--algo 0 --solution_index 0 --flags 0\n" for i in range(n)))


def bench_rows(d, n, same=False):
    head = "transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us\n"
    return one(d, "bench.txt", "".join(
        f"{head}N,N,{1 if same else i + 1},128,64,1,128,0,128,128,{100 + i % 17}.5,{20 + i % 11}.25\n" for i in range(n)))


def bench_two(d, n):
    return bench_rows(f"{d}/a", n) + bench_rows(f"{d}/b", n)


def bench_same(d, n):
    return bench_rows(f"{d}/a", n, True) + bench_rows(f"{d}/b", n, True)


def power_rows(d, n):
    text = "time,Power(Watt) GPU0,Power(Watt) GPU1\n" + "".join(
        f"2026-03-01 {i // 36000 % 24:02}:{i // 600 % 60:02}:{i // 10 % 60:02}.{i % 10}00000,100.0,50.5\n" for i in range(n))
    return one(d, "gpu_info_power_profiler_output.csv", text)


def power_devices(d, n):
    n //= 10
    head = "time," + ",".join(f"Power(Watt) GPU{i}" for i in range(n)) + "\n"
    row = ",".join(["100.5"] * n)
    return one(d, "gpu_info_power_profiler_output.csv",
               head + "".join(f"2026-03-01 10:00:00.{k}00000,{row}\n" for k in range(4)))


# ---- what is asked -------------------------------------------------------------------------------

EVENTS = [
    "kstats top --per rank,agent,queue,stream,shape", "kstats top --domain all --name short", "kstats classes",
    "kstats classes --explain", "kstats gemm", "kstats timeline", "kstats gaps", "kstats gaps --list", "kstats gaps --hist --per queue",
    "kstats sync", "kstats sync --during idle", "kstats launch", "kstats launch --graphs", "kstats copies", "kstats memory",
    "kstats memory --list", "kstats regions", "kstats ops", "kstats regions --steps", "kstats ranks", "kstats ranks --imbalance",
    "kstats ranks --collectives", "kstats collectives", "kstats collectives --ranks", "kstats summary", "tracediff --allow self", "kstats top -w 10%..90%", "tracecat", "tracecat --sort start_ns --to ndjson", "tracecat info",
    "tracemerge", "tracemerge --stats-only", "kstats whatif", "kstats path", "kstats efficiency", "kstats findings",
]
LOGS = ["libperf trace", "libperf top"]
BENCH = ["libperf bench", "libperf best", "libperf compare"]
KERNELS = [c for c in EVENTS if "regions" not in c and "memory" not in c]

KEYS = {
    "process": (processes, ["tracemerge", "kstats regions", "kstats sync"], EVENTS),
    "agent": (agents, ["kstats regions --steps", "kstats copies", "kstats timeline", "tracediff --allow self"], EVENTS),
    "agent and step": (agents_steps, ["kstats regions --steps", "kstats ranks --collectives", "tracediff --allow self"], EVENTS),
    "queue": (queues, ["kstats gaps --hist --per queue"], KERNELS),
    "stream": (streams, ["kstats top --per stream"], KERNELS),
    "thread": (threads, ["kstats sync", "kstats launch"], EVENTS),
    "kernel name": (kernel_names, ["kstats classes", "tracediff --allow self"], KERNELS),
    "crafted name": (crafted_names, ["kstats top"], KERNELS),
    "gemm name": (kernel_names_gemm, ["kstats gemm"], KERNELS),
    "region name": (region_names, ["kstats regions", "kstats ops"], EVENTS),
    "region depth": (region_depth, ["kstats regions", "kstats ops"], EVENTS),
    "region overlap": (regions_overlap, ["kstats regions", "kstats ops"], EVENTS),
    "call name": (call_names, ["kstats top --domain all"], KERNELS),
    "call depth": (call_depth, ["kstats gaps"], KERNELS),
    "wait": (waits, ["kstats sync --during idle"], KERNELS),
    "one correlation id": (corr_same, ["kstats launch"], EVENTS),
    "correlation id": (corr_spread, ["kstats gaps"], EVENTS),
    "same time": (same_times, ["kstats gaps --list"], EVENTS),
    "overlap": (overlapping, ["kstats timeline"], EVENTS),
    "backwards": (backwards, ["tracecat --sort start_ns"], EVENTS),
    "direction": (directions, ["kstats copies"], EVENTS),
    "address": (addresses, ["kstats memory"], EVENTS),
    "address again": (addresses_reused, ["kstats memory --list"], EVENTS),
    "allocating agent": (alloc_agents, ["kstats memory"], EVENTS),
    "counter": (counter_names, ["kstats top"], EVENTS),
    "counted kernel": (counter_kernels, ["kstats top"], EVENTS),
    "counted process": (counter_processes, ["tracemerge"], EVENTS),
    "step": (steps, ["kstats regions --steps"], EVENTS),
    "iteration": (steps_by_name, ["kstats regions --steps"], EVENTS),
    "gap": (gaps_all, ["kstats gaps --list"], EVENTS),
    "graph": (graphs, ["kstats launch --graphs"], KERNELS),
    "counter column": (counter_columns, ["tracecat"], ["kstats top", "tracecat", "tracecat info", "tracemerge"]),
    "file": (files, ["kstats top"], EVENTS),
    "rank": (files_as_ranks, ["kstats ranks"], EVENTS),
    "statistics file": (stats_files, ["kstats top"], EVENTS),
    "counter file": (counter_files, ["kstats top"], EVENTS),
    "archive member": (members, ["tracecat info"], EVENTS),
    "gzip member of JSON": (json_members, ["kstats top --domain all"], EVENTS),
    "gzip member of CSV": (csv_members, ["kstats top"], EVENTS),
    "lane of JSON": (json_lanes, ["tracemerge"], EVENTS),
    "open range of JSON": (json_open, ["tracecat"], EVENTS),
    "nested range of JSON": (json_nested, ["tracecat"], EVENTS),
    "asynchronous range of JSON": (json_async, ["tracecat"], EVENTS),
    "Kineto": (kineto, ["kstats gaps"], EVENTS),
    "database": (database, ["kstats classes", "kstats gemm"], EVENTS),
    "rank of a database": (rank_database, [], EVENTS),
    "track": (tracks, ["tracecat"], EVENTS),
    "open slice": (slices_open, ["tracecat"], EVENTS),
    "communicator": (communicators, ["kstats ranks --collectives", "kstats collectives"], EVENTS),
    "host": (hosts, ["tracemerge"], EVENTS),
    "collective": (collectives, ["kstats ranks --collectives"], EVENTS),
    "library problem": (library_log, ["libperf top", "tracediff --per problem --allow self"], LOGS),
    "measured problem": (bench_two, ["libperf bench", "tracediff --per problem --allow self"], BENCH),
    "repeated problem": (bench_same, ["libperf best"], BENCH),
    "reading of power": (power_rows, ["powerstats"], ["powerstats"]),
    "device": (power_devices, ["powerstats"], ["powerstats"]),
}


def run(words, where):
    """CPU seconds, and what is wrong with how it ended, if anything."""
    if words[0] == "tracemerge":
        words = [words[0], "-o", f"{where}/out.db", *words[1:]]
    pid = os.fork()
    if not pid:
        resource.setrlimit(resource.RLIMIT_CPU, (LONG, LONG))
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        try:
            os.execvp(words[0], words)
        finally:
            os._exit(127)
    _, status, used = os.wait4(pid, 0)
    how = "killed" if os.WIFSIGNALED(status) else "" if os.WEXITSTATUS(status) in (0, 1, 2) else "crash"
    return used.ru_utime + used.ru_stime, how


def measure(command, inputs, where, base, known=(9e9, 9e9)):
    """The least CPU seconds of the two inputs so far; None when one took longer than any may."""
    words = command.split() + (["-n", "3"] if command.startswith("kstats") else [])
    out = []
    for paths, least in zip(inputs, known):
        # A run beside itself.
        again = ["--", *(paths[2:] if paths[0].startswith("--") else paths)] if words[0] == "tracediff" else []
        used, how = run([*words, *paths, *again], where)
        if how == "crash":
            sys.exit(f"{' '.join(words)}: {how}")
        if how:
            return None
        out.append(min(least, max(used - base, 0.0001)))
    return out


def steep(t):
    return t[1] > 8 * t[0] + NOISE


def try_key(d, key, commands, n, base, show):
    """Lines of what grows too fast."""
    if not commands:
        return []
    inputs = []
    for k in (n, 4 * n):
        shutil.rmtree(f"{d}/{k}", ignore_errors=True)
        inputs.append(KEYS[key][0](f"{d}/{k}", k))
    bad = []
    for command in commands:
        t = measure(command, inputs, d, base)
        for _ in range(TRIES):
            if t and steep(t):
                t = measure(command, inputs, d, base, t)
        if not t:
            bad.append(f"{key:28} {command:48} {n:8} more than {LONG} s")
            continue
        line = f"{key:28} {command:48} {n:8} {t[0]:8.3f} {t[1]:8.3f} {t[1] / t[0]:6.1f} {1e6 * t[1] / 4 / n:8.2f} us"
        if steep(t):
            bad.append(line)
        if show:
            print(line + ("  GROWS" if steep(t) else ""), flush=True)
    for k in (n, 4 * n):
        shutil.rmtree(f"{d}/{k}", ignore_errors=True)
    return bad


def main():
    d, args = sys.argv[1], sys.argv[2:]
    sweep, show = args[:1] == ["--sweep"], args[:1] in (["--sweep"], ["--table"])
    del args[:show]
    sizes = (int(args.pop(0)),) if args and args[0].isdigit() else SWEEP if show else (QUICK,)
    os.makedirs(d, exist_ok=True)
    # Whether the kernel has a large page free at the moment is a matter of luck, and of threefold CPU time.
    ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
    base = min(run(["kstats", "top", "--version"], d)[0] for _ in range(5))
    bad = []
    for n in sizes:
        for key in args or KEYS:
            bad += try_key(d, key, KEYS[key][2 if sweep else 1], n, base, show)
    for line in bad:
        print(line)
    print(f"{len(KEYS)} things counted, {len(bad)} grow faster than their number")
    sys.exit(bool(bad))


main()
