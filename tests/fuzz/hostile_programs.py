#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_programs.py TOOLS [FROM [RUNS]]: runs of random programs, some of them damaged, through every question.

Loops of host threads launch, copy, wait, poll and free on queues of some depth, on one to three ranks, so that every
rule of the replay has something to find; run N is the same on every machine.  TOOLS is the folder of the (sanitized)
tools."""
import os
import random
import sys
import tempfile

from hostile import Judge
from hostile_events import HEADERS, block, call, copy, kernel, mark, write

COMMANDS = ("kstats -f csv", "kstats", "kstats whatif -n 0", "kstats whatif --likely --ranks", "kstats whatif --steps",
            "kstats path --list", "kstats path --steps", "kstats efficiency", "kstats gaps --by call", "kstats gaps --by pair",
            "kstats gaps --by step", "kstats gaps --fuse", "kstats launch", "kstats launch --graphs", "kstats sync --during idle",
            "kstats steps", "kstats collectives --ranks", "kstats collectives --list", "kstats ranks --imbalance",
            "kstats findings -n 0", "kstats timeline --chart", "kstats regions --kernels", "kstats kernel gemm", "tracereport",
            "tracecat --to pftrace", "tracecat --to chrome", "tracecat --to folded")
WINDOWS = ("20%..70%", "step:1..2", "..50%", "+1us..+1ms")
EACH_RUN = 8  # commands, and the first screen

KERNELS = ("gemm_kernel", "softmax_fwd", "elementwise_kernel", "__amd_rocclr_fillBufferAligned", "reduce_kernel", "attn_fwd",
           "Cijk_Ailk_Bljk_HHS_BH_MT128x192x16_MI16x16x1", "layernorm", "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
           "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
           "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)")
LAUNCHES = ("hipLaunchKernel", "hipExtModuleLaunchKernel", "hipModuleLaunchKernel") * 3 + (
    "hipGraphLaunch", "hipMemcpyAsync", "hipMemsetAsync")
FOR_DEVICE = ("hipDeviceSynchronize", "hipFree", "hipHostFree")
FOR_STREAM = ("hipStreamSynchronize", "hipEventSynchronize")
COPIES = ("hipMemcpy", "hipMemcpyWithStream", "hipMemcpyDtoH")
OTHERS = ("hipMemset", "hipEventQuery", "hipStreamQuery", "hipStreamWaitEvent", "hipEventRecord", "hipMalloc", "hipMallocAsync",
          "hipFreeAsync", "hipModuleLoadData", "hipGraphInstantiate", "hipLaunchHostFunc", "hipSetDevice")
WAYS = ("MEMORY_COPY_DEVICE_TO_HOST", "MEMORY_COPY_HOST_TO_DEVICE", "MEMORY_COPY_DEVICE_TO_DEVICE")
SPOILED = ("Correlation_Id", "Start_Timestamp", "End_Timestamp", "Stream_Id", "Thread_Id", "Queue_Id")


class Program:
    """One process: what its host threads and queues did, as rows of tables."""

    def __init__(self, rnd):
        self.rnd, self.rows = rnd, []
        self.latency, self.gap = rnd.choice((0, 1, 500, 3000, 20000)), rnd.choice((0, 1, 300, 2000))
        self.depth = rnd.choice((0, 0, 1, 2, 4, 8, 9, 64))  # launches that a queue has room for; 0 = any number
        self.jitter = rnd.choice((0, 0, 0.1, 1))
        self.gpus, self.corr, self.end, self.starts = rnd.choice((1, 1, 1, 2)), 0, {}, {}
        begin = rnd.choice((1, 1000, 10**9, 3219595902506262, 2**62))
        self.host = [begin + rnd.choice((0, rnd.randrange(5000))) for _ in range(rnd.choice((1, 1, 1, 2, 3)))]

    def about(self, ns):
        return max(0, int(ns * (1 + self.jitter * (self.rnd.random() - 0.5))))

    def work(self, queue, ready, ns):
        """An operation that is ready then: when it runs."""
        start = max(self.end.get(queue, 0) + self.gap, ready + self.latency)
        self.end[queue] = start + self.about(ns)
        self.starts.setdefault(queue, []).append(start)
        return start, self.end[queue]

    def copy(self, queue, ready, ns):
        start, end = self.work(queue, ready, ns)
        self.rows.append(copy(start, end, 0, queue % self.gpus + 1, self.corr, self.rnd.choice(WAYS)))
        return end

    def wait(self, thread, queue, name, takes, ns):
        """A call that waits, or does something else than launching."""
        start, end = self.host[thread], self.host[thread] + self.about(takes)
        if name in FOR_DEVICE:
            end = max(end, *self.end.values()) if self.end else end
        elif name in FOR_STREAM:
            end = max(end, self.end.get(queue, 0))
        elif name in COPIES:
            end = max(end, self.copy(queue, start, ns))
        elif name.startswith("hipMalloc"):
            self.rows.append(block(start, end, address=4096 * self.corr, agent=queue % self.gpus + 1, corr=self.corr))
        self.rows.append(call(start, end, name, thread + 1, self.corr))
        self.host[thread] = end

    def launch(self, thread, queue, name, takes, ns, work):
        start, end = self.host[thread], self.host[thread] + self.about(takes)
        queued = self.starts.get(queue, ())
        if self.depth and len(queued) >= self.depth:
            end = max(end, queued[-self.depth] + self.rnd.choice((0, 100)))
        for _ in range(self.rnd.randrange(1, 6) if name == "hipGraphLaunch" else 1):
            if name == "hipMemcpyAsync":
                self.copy(queue, start, ns)
                continue
            first, last = self.work(queue, self.rnd.choice((start, end)), ns)
            self.rows.append(kernel(first, last, work, queue % self.gpus + 1, queue + 1, queue + 1, thread + 1, self.corr))
        self.rows.append(call(start, end, name, thread + 1, self.corr))
        self.host[thread] = end

    def run(self):
        rnd = self.rnd
        queues, waits = rnd.choice((1, 1, 2, 3, 5)), rnd.choice((0, 0.05, 0.3, 0.6, 0.95))
        kernels = KERNELS[:rnd.randrange(1, len(KERNELS) + 1)]
        body = [(rnd.randrange(len(self.host)), rnd.randrange(queues), rnd.random() < waits, rnd.choice(LAUNCHES),
                 rnd.choice(FOR_DEVICE + FOR_STREAM + COPIES + OTHERS), rnd.choice((0, 1, 100, 1000, 5000, 50000)),
                 rnd.choice((1, 500, 2000, 10000)), rnd.choice((1, 10, 1000, 20000, 200000)), rnd.choice(kernels))
                for _ in range(rnd.randrange(1, rnd.choice((4, 12, 40))))]
        for i in range(rnd.choice((1, 2, 5, 10, 30, 80))):
            begin = min(self.host)
            for thread, queue, is_wait, launch, wait, pause, takes, ns, work in body:
                self.host[thread] += self.about(pause)
                self.corr += 1
                if is_wait:
                    self.wait(thread, queue, wait, takes, ns)
                elif rnd.random() < 0.99:
                    self.launch(thread, queue, launch, takes, ns, work)
            if rnd.random() < 0.9:
                self.rows.append(mark(begin, max(self.host), rnd.choice(("step", f"ProfilerStep#{i}", "iter"))))
        return self.rows


def spoil(rnd, rows):
    """Drop rows, repeat them, put them elsewhere, or change what they say."""
    for _ in range(rnd.randrange(1, 6) if rows else 0):
        at, how = rnd.randrange(len(rows)), rnd.randrange(5)
        if how == 0 and len(rows) > 1:
            rows.pop(at)
        elif how == 1:
            rows.append(rows[at])
        elif how == 2:
            rnd.shuffle(rows)
        else:
            table, cells = rows[at][0], list(rows[at][1])
            header = HEADERS[table].split(",")
            column = header.index(rnd.choice([c for c in SPOILED if c in header]))
            cells[column] = rnd.choice((0, 1, max(0, int(cells[column]) + rnd.randrange(-10000, 10000)), 2**63, 2**64 - 1, ""))
            rows[at] = table, tuple(cells)
            return


def main():
    judge = Judge(sys.argv[1])
    first, runs = (int(a) for a in (sys.argv[2:] + ["1", "200"][len(sys.argv) - 2:])[:2])
    for n in range(first, first + runs):
        rnd = random.Random(n)
        with tempfile.TemporaryDirectory() as d:
            ranks, alike = rnd.choice((1, 1, 1, 2, 3)), rnd.random() < 0.5
            for rank in range(ranks):
                own = random.Random(n if alike else f"{n} {rank}")
                rows = Program(own).run()
                if own.random() < 0.35:
                    spoil(rnd, rows)
                where = os.path.join(d, f"rank{rank}") if ranks > 1 else d
                os.makedirs(where, exist_ok=True)
                write(where, rows)
            for command in (COMMANDS[0], *rnd.sample(COMMANDS[1:], EACH_RUN)):
                tool, *words = command.split()
                if words and words[0] in ("whatif", "path", "gaps", "sync", "steps") and rnd.random() < 0.2:
                    words += ["-w", rnd.choice(WINDOWS)]
                judge.run(f"program {n}", [tool, *words, d], slow=5.0)
    return judge.end()


if __name__ == "__main__":
    sys.exit(main())
