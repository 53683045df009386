# SPDX-License-Identifier: MIT
"""Jobs of many ranks whose clocks are made up here, through tracemerge: is what it says may be left as much
as is left?

True time runs from 0.  The clock of host h shows T + ahead + T * drift; ranks of a host share it.  Ranks
form a grid of tensor, data and pipeline groups; each step they compute, wait for one another in the
collectives of their groups and leave these together, but for some jitter.  Traces may lack some
collectives, or begin late, or end early.

Truth: the clock table gives for each rank a line onto the common clock.  Of two ranks both lines are applied
to what their clocks show at the same true time; the difference is the error, and it may not exceed the
residuals of the two together."""
import json
import os
import random
import sqlite3
import subprocess
import sys

import effort
from align import num, packet, snapshot, sub

GENERIC = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"
CUSTOM = "void vllm::cross_device_reduce_2stage<__hip_bfloat16, 8>(vllm::RankData*, int)"
WALL = 1_790_000_000_000_000_000
bad = 0


def wrong(*what):
    global bad
    bad = 1
    print(*what)


class Clock:
    def __init__(self, ahead, drift):
        self.ahead, self.drift = ahead, drift

    def at(self, t):
        return t + self.ahead + t * self.drift // 10**12  # drift in 1e-12


class Job:
    """A random one."""

    def __init__(self, rnd, form):
        self.rnd, self.form = rnd, form
        self.tp, self.dp, self.pp = rnd.choice([(2, 1, 1), (4, 1, 1), (2, 2, 1), (1, 3, 1), (2, 2, 2), (4, 2, 1), (1, 2, 1)])
        if form in ("csv", "pftrace"):
            # Where nothing names communicators, groups are told apart by nothing but their ends.
            self.tp, self.dp, self.pp = rnd.choice([(2, 1, 1), (3, 1, 1), (4, 1, 1), (6, 1, 1), (2, 2, 1), (2, 3, 1),
                                                    (4, 2, 1), (2, 2, 2)])
        self.n = self.tp * self.dp * self.pp
        per_host = rnd.choice([1, 1, 2, 4, self.tp])
        self.host = [r // per_host for r in range(self.n)]
        self.drifts = rnd.random() < 0.6
        self.clock = [Clock(rnd.randrange(1 << 44) if form != "kineto" else WALL + rnd.randrange(-10**10, 10**10),
                            rnd.randrange(-10**8, 10**8) if self.drifts else 0) for _ in range(self.n)]
        self.jitter = int(10 ** rnd.uniform(1.5, 3.7))
        self.shape = rnd.choice(["even", "normal", "late", "outliers"])
        self.lost = rnd.choice([0, 0, 0, 0.02, 0.05])
        self.cut = rnd.random() < 0.2
        self.steps = rnd.choice([3, 6, 12, 25])
        self.layers = rnd.choice([4, 8, 16])
        self.gap = int(10 ** rnd.uniform(5, 7.5))
        # Some jobs compute as long each time, so that ends come nearly evenly.
        self.even = rnd.random() < 0.2
        # One kernel for all, or one of the framework's own within a tensor group.
        self.kernels = rnd.choice(["one", "custom", "both"])
        self.run()

    def exit(self):
        r, j = self.rnd, self.jitter
        if self.shape == "even":
            return r.randint(-j, j)
        if self.shape == "normal":
            return int(r.gauss(0, j))
        if self.shape == "late":
            return int(r.expovariate(1 / j))
        return int(r.gauss(0, j)) + (r.randint(0, 300 * j) if r.random() < 0.07 else 0)

    def groups(self):
        """(name, members) of all communicators, once."""
        tp, dp, pp = self.tp, self.dp, self.pp
        rank = lambda p, d, t: (p * dp + d) * tp + t
        tps = [[rank(p, d, t) for t in range(tp)] for p in range(pp) for d in range(dp)]
        dps = [[rank(p, d, t) for d in range(dp)] for p in range(pp) for t in range(tp)]
        return tps, dps, [list(range(self.n))]

    def meet(self, comms, kind):
        for g in comms:
            if len(g) < 2:
                continue
            most = self.gap // 50 if self.even else self.gap
            arrive = {r: self.now[r] + self.gap - most + self.rnd.randint(0, most) for r in g}
            end = max(arrive.values()) + self.rnd.randint(20_000, 60_000) + 2 * self.jitter
            self.seq[tuple(g)] = self.seq.get(tuple(g), 0) + 1
            for r in g:
                out = max(arrive[r] + 1, end + self.exit())
                self.ops[r].append((kind, tuple(g), self.seq[tuple(g)], arrive[r], out))
                self.now[r] = out

    def run(self):
        tps, dps, world = self.groups()
        self.now, self.ops, self.seq = [10**9] * self.n, [[] for _ in range(self.n)], {}
        for _ in range(self.steps):
            for _ in range(self.layers):
                self.meet(tps, "tp")
                if self.tp == 1:
                    self.meet(dps, "dp")
            self.meet(dps, "dp")
            self.meet(world, "world")
        self.last = max(self.now)
        for r in range(self.n):
            v = [o for o in self.ops[r] if self.rnd.random() >= self.lost]
            if self.cut and self.rnd.random() < 0.5:
                v = v[self.rnd.randrange(len(v) // 5 + 1):len(v) - self.rnd.randrange(len(v) // 5 + 1)]
            self.ops[r] = v
        self.first = 10**9

    def rows(self, r):
        c = self.clock[self.host[r]]
        v = [(o, c.at(o[3]), c.at(o[4])) for o in self.ops[r]]
        self.rnd.shuffle(v)
        return v

    # ---- writing ----

    def write(self, where):
        os.makedirs(where, exist_ok=True)
        files = []
        for r in range(self.n):
            d = f"{where}/rank{r}"
            os.makedirs(d, exist_ok=True)
            files.append(getattr(self, "write_" + self.form)(d, r))
        return files

    def name(self, kind):
        return CUSTOM if self.kernels == "custom" or (self.kernels == "both" and kind == "tp") else GENERIC

    def write_csv(self, d, r):
        path = f"{d}/x_kernel_trace.csv"
        with open(path, "w") as f:
            f.write('"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp",'
                    '"End_Timestamp"\n')
            for i, (o, s, e) in enumerate(self.rows(r)):
                f.write(f'"KERNEL_DISPATCH",4,1,1,"{self.name(o[0])}",{i},{s},{e}\n')
        return path

    def write_pftrace(self, d, r):
        c, out = self.clock[self.host[r]], []
        for k, t in enumerate((self.first, (self.first + self.last) // 2, self.last)):
            # Snapshots a host takes of CLOCK_REALTIME, which it keeps as well as it does, and may set.
            real = WALL + t + self.wall[self.host[r]] + self.rnd.randint(-300, 300) + self.set[self.host[r]] * (k > 0)
            out.append(snapshot(c.at(t), real))
        out.append(packet(num(10, 1) + num(13, 1) + num(87, 1) +
                          sub(12, sub(1, num(1, 1) + sub(2, b"kernel_dispatch")))))
        process = f"Node: host{self.host[r]} x".encode()
        out.append(packet(num(10, 1) + sub(60, num(1, 5) + sub(3, num(1, 100 + r) + sub(6, process)))))
        out.append(packet(num(10, 1) + sub(60, num(1, 9) + num(5, 5) + sub(2, b"COMPUTE AGENT [4] QUEUE [1] (GPU)"))))
        for o, s, e in self.rows(r):
            out.append(packet(num(10, 1) + num(8, s) + num(58, 6) +
                              sub(11, num(9, 1) + num(11, 9) + num(3, 1) + sub(23, self.name(o[0]).encode()))))
            out.append(packet(num(10, 1) + num(8, e) + num(58, 6) + sub(11, num(9, 2) + num(11, 9))))
        path = f"{d}/x.pftrace"
        with open(path, "wb") as f:
            f.write(b"".join(out))
        return path

    def write_kineto(self, d, r):
        base = self.clock[self.host[r]].at(self.first) - 10**9
        us = lambda ns: json.loads(f"{ns // 1000}.{ns % 1000:03}", parse_float=Raw)
        events = []
        for (kind, g, seq, _, _), s, e in self.rows(r):
            args = {"device": 0, "stream": 3, "Collective name": "allreduce", "In msg nelems": 4096, "dtype": "BFloat16",
                    "Group size": len(g), "Process Group Name": kind, "Process Group Ranks": str(list(g))}
            if self.jitter % 3:
                args["Seq"] = seq
            s, e = s - base, e - base
            events.append({"ph": "X", "cat": "kernel", "name": GENERIC, "pid": 0, "tid": 3, "ts": us(s), "dur": us(e - s),
                           "args": args})
        path = f"{d}/trace.json"
        head = {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": r, "world_size": self.n},
                "baseTimeNanoseconds": base, "roctracer_version": 1, "traceEvents": events}
        with open(path, "w") as f:
            f.write(dump(head))
        return path


class Raw(str):
    pass


def dump(v):
    """JSON with decimals as they are."""
    if isinstance(v, Raw):
        return str(v)
    if isinstance(v, dict):
        return "{" + ",".join(json.dumps(k) + ":" + dump(x) for k, x in v.items()) + "}"
    if isinstance(v, list):
        return "[" + ",\n".join(map(dump, v)) + "]"
    return json.dumps(v)


# ---- what tracemerge makes of it ----

def lines(db):
    """rank -> (origin, offset, rate, residual), method."""
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as c:
        v = c.execute("SELECT i.rank, c.origin_ns, c.offset_ns, c.rate, c.residual_ns, c.method FROM clock c "
                      "JOIN input i ON i.id = c.input").fetchall()
    return {r[0]: r[1:5] for r in v}, v[0][5]


def common(line, t):
    origin, offset, rate, _ = line
    return t + offset + ((t - origin) * rate >> 44)


def judge(job, db):
    """(method, (pair, worst error, what was told of it)), of the pair that is worst off what was told; the pair is None
    where nothing was told of any."""
    line, method = lines(db)
    worst = (None, 0, 0)
    for a in range(job.n):
        for b in range(a):
            if job.host[a] == job.host[b] and job.form == "pftrace" and line[a][:3] != line[b][:3]:
                wrong(f"{db}: ranks {a} and {b} share a clock and are moved apart:", line[a], line[b])
            if line[a][3] is None or line[b][3] is None:
                continue
            told = line[a][3] + line[b][3]
            for k in range(9):
                t = job.first + (job.last - job.first) * k // 8
                err = abs(common(line[a], job.clock[job.host[a]].at(t)) - common(line[b], job.clock[job.host[b]].at(t)))
                if worst[0] is None or err - told > worst[1] - worst[2]:
                    worst = ((a, b), err, told)
    return method, worst


def case(seed, verbose):
    rnd = random.Random(seed)
    job = Job(rnd, ["csv", "kineto", "pftrace", "kineto"][seed % 4])
    # How well hosts keep CLOCK_REALTIME.
    job.wall = [rnd.choice([0, 200, 10**6]) * rnd.randint(-10, 10) // 10 for _ in range(job.n)]
    job.set = [rnd.choice([0, 0, 0, 10**4, 10**7]) * rnd.choice([-1, 1]) for _ in range(job.n)]
    where = f"case{seed}"
    files = job.write(where)
    db = f"{where}.db"
    p = subprocess.run(["tracemerge", "-o", db, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        wrong(f"case {seed}: status {p.returncode}", p.stderr.decode())
        return None
    method, (pair, err, told) = judge(job, db)
    if verbose:
        print(f"case {seed} {job.form} {job.tp}x{job.dp}x{job.pp} hosts {len(set(job.host))} steps {job.steps}x{job.layers} "
              f"{job.shape} {'even' if job.even else 'odd'} {job.kernels} jitter {job.jitter} gap {job.gap} lost {job.lost} cut {job.cut} drift {job.drifts}: {method} {pair} error {err} "
              f"told {told}{'  TOO LITTLE' if err > told else ''}")
        if method == "none":
            print("    ", p.stderr.decode())
    if seed % 7 == 0:
        again(files, where, db)
    for f in files:
        os.unlink(f)
    os.unlink(db)
    return method, pair, err, told, job.jitter


def again(files, where, db):
    """Permuted, in two steps, and once more: the same lines."""
    want = lines(db)
    half = len(files) // 2
    steps = [["-o", "a.db", *reversed(files)], ["-o", "b.db", "-j", "1", *files[half:]], ["-o", "c.db", *files[:half]],
             ["-o", "d.db", "b.db", "c.db"], ["-o", "e.db", "d.db"]]
    for args in steps:
        subprocess.run(["tracemerge", "-q", *args], check=True, stderr=subprocess.DEVNULL)
    for other in ("a.db", "d.db", "e.db"):
        if lines(other) != want:
            wrong(f"{where}: {other} has other clocks:", lines(other), "not", want)


def main():
    os.chdir(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else effort.rounds(200)
    verbose = len(sys.argv) > 3
    few = unaligned = unknown = 0
    ratio = []
    for seed in range(count):
        r = case(seed, verbose)
        if not r:
            continue
        method, pair, err, told, jitter = r
        few += err > told
        unaligned += method == "none"
        unknown += method != "none" and pair is None
        if method == "collectives":
            ratio.append(told / jitter)
    # One case of a few says nothing about shares.
    if few > max(1, count // 20):
        wrong(f"{few} of {count} cases have more error than was told")
    if unaligned + unknown > max(1, count // 10):
        wrong(f"{unaligned + unknown} of {count} cases were not aligned, or nobody knows how well")
    ratio.sort()
    print(f"{count} cases: {few} with more error than told, {unaligned} not aligned, {unknown} by CLOCK_REALTIME alone, "
          f"told / jitter {ratio[len(ratio) // 2]:.1f} in the middle")
    sys.exit(bad)


if __name__ == "__main__":
    main()
