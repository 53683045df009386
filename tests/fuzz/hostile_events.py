#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_events.py TOOLS [WORD]: events that fit their format and nothing else, through every question.

TOOLS is the folder of the (sanitized) tools; WORD picks cases.  What takes longer than some seconds
where there are 100000 events is quadratic."""
import csv
import os
import sys
import tempfile

from hostile import Judge

N = int(os.environ.get("HOSTILE_EVENTS", "100000"))
COMMANDS = ("top --domain all", "classes", "gemm", "timeline", "timeline -w 1000", "gaps", "gaps --list", "gaps --hist",
            "gaps --per queue", "gaps --per stream", "sync", "launch", "launch --graphs", "copies", "memory", "memory --list",
            "regions", "regions --steps", "ranks", "ranks --imbalance", "ranks --collectives", "collectives", "collectives --ranks",
            "summary")
HEADERS = {
    "kernel_trace": "Kind,Agent_Id,Queue_Id,Stream_Id,Thread_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,"
                    "Start_Timestamp,End_Timestamp,LDS_Block_Size,Scratch_Size,VGPR_Count,Accum_VGPR_Count,SGPR_Count,"
                    "Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z",
    "hip_api_trace": "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp",
    "marker_api_trace": "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp",
    "memory_copy_trace": "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,"
                         "End_Timestamp",
    "memory_allocation_trace": "Kind,Operation,Agent_Id,Allocation_Size,Address,Correlation_Id,Start_Timestamp,End_Timestamp",
}
SYNCS = ("hipDeviceSynchronize", "hipStreamSynchronize", "hipMemcpy", "hipEventSynchronize", "hipLaunchKernel", "hipGraphLaunch")
FAR, MOST = 2**63, 2**64 - 1


def kernel(start, end, name="k", agent=1, queue=1, stream=1, tid=1, corr=1):
    return "kernel_trace", ("KERNEL_DISPATCH", f"Agent {agent}", queue, stream, tid, corr, 1, name, corr, start, end, 0, 0, 8, 0, 16,
                            64, 1, 1, 64, 1, 1)


def call(start, end, name="hipLaunchKernel", tid=1, corr=1):
    return "hip_api_trace", ("HIP_RUNTIME_API", name, 1, tid, corr, start, end)


def mark(start, end, name="step", tid=1, corr=0):
    return "marker_api_trace", ("MARKER_CORE_RANGE_API", name, 1, tid, corr, start, end)


def copy(start, end, src=0, dst=1, corr=1, way="MEMORY_COPY_HOST_TO_DEVICE"):
    return "memory_copy_trace", ("MEMORY_COPY", way, 1, f"Agent {src}", "" if dst is None else f"Agent {dst}", corr, start, end)


def block(start, end, size=4096, address=4096, agent=1, free=False, corr=1):
    return "memory_allocation_trace", ("MEMORY_ALLOCATION", "MEMORY_ALLOCATION_FREE" if free else "MEMORY_ALLOCATION_ALLOCATE",
                                       f"Agent {agent}", size, hex(address), corr, start, end)


def all_of(i, start, end, **more):
    """An event of each kind."""
    yield kernel(start, end, f"k{i % 7}", corr=i, **more)
    yield call(start, end, SYNCS[i % 6], corr=i)
    yield mark(start, end, f"step {i}", corr=i)
    yield copy(start, end, corr=i)
    yield block(start, end, address=4096 * (i + 1), free=i % 2 == 1, corr=i)


def times():
    edges = (0, 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, FAR - 2, FAR - 1, FAR, FAR + 1, MOST - 1, MOST)
    for i, a in enumerate(edges):
        for b in edges[i:]:
            yield from all_of(i, a, b)


def same():
    for i in range(N // 5):
        yield from all_of(i + 1, 1000, 1000 + i % 2)


def names():
    for i, s in enumerate(("a\nb", 'a"b', "a|b", "", " ", "\t", "a\0b", "\x1b[31m", "\u202e", "x" * 524288, "(" * 20000, "<" * 20000,
                           "_Z" + "N" * 5000, "_Z" + "P" * 20000 + "i", "=1+1", "a,b", "\\", "%s%n", "step " * 1000)):
        for k in (0, 1):
            yield kernel(100 * i + 10 * k, 100 * i + 10 * k + 5, s, corr=i + 1)
            yield mark(100 * i + 10 * k, 100 * i + 10 * k + 8, s, corr=i + 1)
            yield call(100 * i + 10 * k, 100 * i + 10 * k + 8, s, corr=i + 1)


CASES = {
    "no length": lambda: (e for i in range(1000) for e in all_of(i, 10 * i, 10 * i)),
    "edges of time": times,
    "near 2^63": lambda: (e for i in range(1000) for e in all_of(i, FAR - 10000 + 9 * i, FAR - 9995 + 9 * i)),
    "long": lambda: (e for i in range(1000) for e in all_of(i, i << 34, (i << 34) + (1 << 33) + i)),
    "sum over 2^64": lambda: (e for i in range(100) for e in all_of(i, i, FAR - 100 + i)),
    "correlation over 2^32": lambda: (e for i in range(1000) for e in all_of((1 << 33) * i, 10 * i, 10 * i + 5)),
    "correlation 0": lambda: (e for i in range(N // 2) for e in (kernel(10 * i + 5, 10 * i + 8, corr=0), call(10 * i, 10 * i + 2, corr=0))),
    "correlation all 1": lambda: (e for i in range(N // 2) for e in (kernel(10 * i + 5, 10 * i + 8), call(10 * i, 10 * i + 2))),
    "all at once": same,
    "kernels all at once": lambda: (kernel(1000, 2000, corr=i + 1) for i in range(N)),
    "agents": lambda: (e for i in range(N // 2) for e in (kernel(i, i + 1, agent=i, corr=i + 1), copy(i, i + 1, i, i + 1, i + 1))),
    "agents of blocks": lambda: (block(i, i + 1, agent=i, address=i + 1) for i in range(N)),
    "queues": lambda: (kernel(i, i + 1, queue=i, stream=i, corr=i + 1) for i in range(N)),
    "threads": lambda: (e for i in range(N // 3) for e in (call(i, i + 9, SYNCS[i % 6], i, i + 1), mark(i, i + 9, "r", i),
                                                          kernel(i, i + 5, corr=i + 1))),
    "regions": lambda: (e for i in range(N // 2) for e in (mark(10 * i, 10 * i + 9, f"r{i}"), kernel(10 * i, 10 * i + 5, corr=i + 1))),
    "steps": lambda: (e for i in range(N // 3) for e in (mark(10 * i, 10 * i + 9, f"step {i}"), call(10 * i, 10 * i + 2, corr=i + 1),
                                                        kernel(10 * i + 3, 10 * i + 5, corr=i + 1))),
    "nested": lambda: (e for i in range(N // 5) for e in (mark(i, 10 * N - i, f"r{i}"), call(N + i, N + i + 1, corr=i + 1),
                                                         kernel(2 * N + i, 2 * N + i + 1, corr=i + 1))),
    "nested steps": lambda: (e for i in range(N // 5) for e in (mark(i, 10 * N - i, f"step {i}"),
                                                               kernel(2 * N + i, 2 * N + i + 1, corr=i + 1))),
    "overlapping": lambda: (e for i in range(N) for e in (mark(i, N + i, f"step {i % 3}"),)),
    "overlapping kernels": lambda: (kernel(i, N + i, queue=i % 100, corr=i + 1) for i in range(N)),
    "overlapping calls": lambda: (e for i in range(N // 2) for e in (call(i, N + i, SYNCS[i % 6], corr=i + 1),
                                                                    kernel(i, i + 1, corr=i + 1))),
    "long calls and gaps": lambda: (e for i in range(N // 2) for e in (call(i, 20 * N, "hipDeviceSynchronize", i),
                                                                      kernel(10 * i, 10 * i + 5, corr=i + 1))),
    "nested calls": lambda: (e for i in range(N // 2) for e in (call(i, 20 * N - i, "hipDeviceSynchronize"),
                                                               kernel(10 * i, 10 * i + 5, corr=i + 1))),
    "gaps over all calls": lambda: (e for i in range(N // 4) for e in (
        kernel(i, i + 1, agent=i, queue=i, stream=i, corr=N + i), call(9 * N - 2, 9 * N - 1, corr=i + 1),
        call(N + 3 * i, N + 3 * i + 2, "hipStreamSynchronize", corr=2 * N + i),
        kernel(10 * N + i, 10 * N + i + 1, agent=i, queue=i, stream=i, corr=i + 1))),
    "copies to one agent": lambda: (e for i in range(N // 2) for e in (kernel(10 * i, 10 * i + 5, corr=i + 1),
                                                                      copy(10 * i, 10 * N, i + 2, 1, i + 1))),
    "copies that do not say": lambda: (e for i in range(N // 2) for e in (kernel(10 * i, 10 * i + 5, agent=i, corr=i + 1),
                                                                         copy(10 * i, 10 * N, i + 2, None, i + 1, ""))),
    "copies at once": lambda: (copy(i, N + i, i % 300, i % 299, i + 1) for i in range(N)),
    "one address": lambda: (block(i, i + 1, free=i % 3 == 2) for i in range(N)),
    "never freed": lambda: (block(i, i + 1, address=4096 * i, size=2**62) for i in range(N)),
    "kernel names": lambda: (kernel(i, i + 1, f"void f<{i}>(int)", corr=i + 1) for i in range(N)),
    "backwards": lambda: (e for i in range(N // 5, 0, -1) for e in all_of(i, 10 * i, 10 * i + 5)),
    "names": names,
    "rccl": lambda: (kernel(i, i + 3, f"ncclDevKernel_Generic_{i % 5}(x)", queue=i % 3, corr=i + 1) for i in range(N)),
}


def write(folder, events):
    files, out = {}, {}
    for table, row in events:
        if table not in out:
            files[table] = open(os.path.join(folder, f"1_{table}.csv"), "w", newline="", encoding="utf-8", errors="surrogateescape")
            files[table].write(HEADERS[table] + "\n")
            out[table] = csv.writer(files[table], quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        out[table].writerow(row)
    for f in files.values():
        f.close()


def main():
    judge, word = Judge(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    for name, events in CASES.items():
        if word not in name:
            continue
        with tempfile.TemporaryDirectory() as d:
            ranks = [os.path.join(d, f"rank{i}") for i in (0, 1)]
            os.mkdir(ranks[0])
            write(ranks[0], events())
            os.mkdir(ranks[1])
            write(ranks[1], (e for i in range(20) for e in all_of(i, 10 * i, 10 * i + 5)))
            for command in COMMANDS:
                judge.run(name, ["kstats", *command.split(), ranks[0]] + (ranks[1:] if "ranks" in command or "collectives" in command else []))
    return judge.end()


if __name__ == "__main__":
    sys.exit(main())
