# SPDX-License-Identifier: MIT
"""Traces of ranks with clocks apart, written here, through tracemerge and back.

True time is counted from an epoch that nobody sees.  The clock of rank r is ahead of it by AHEAD[r];
CLOCK_REALTIME of every host is ahead by WALL.  So CLOCK_REALTIME - clock is WALL - AHEAD[r], and the
common clock, the one that is furthest ahead, is that of rank 2: rank r is shifted by
AHEAD[2] - AHEAD[r]."""
import csv
import glob
import io
import os
import random
import sqlite3
import subprocess
import sys

WALL = 1_790_000_000_000_000_000
AHEAD = [5_000_000_000, 77_000_000_123, 9_000_000_000_000, 1_000_000_001]
SHIFT = [max(AHEAD) - a for a in AHEAD]
GENERIC = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"
OTHER = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
bad = 0


def wrong(*what):
    global bad
    bad = 1
    print(*what)


def check(what, got, want):
    if got != want:
        wrong(f"{what}: {got!r}, not {want!r}")


# ---- writing traces ----

def varint(v):
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def num(field, v):
    return varint(field << 3) + varint(v)


def sub(field, b):
    return varint(field << 3 | 2) + varint(len(b)) + b


def packet(b):
    return sub(1, b)


def snapshot(boottime, realtime):
    return packet(num(10, 1) + sub(6, sub(1, num(1, 6) + num(2, boottime)) + sub(1, num(1, 1) + num(2, realtime)) +
                                   num(2, 6)))


def pftrace(path, kernels, readings):
    """kernels: (name, start, end) on the rank's clock; readings: (clock, CLOCK_REALTIME)."""
    out = [snapshot(*r) for r in readings]
    out.append(packet(num(10, 1) + num(13, 1) + num(87, 1) + sub(12, sub(1, num(1, 1) + sub(2, b"kernel_dispatch")))))
    out.append(packet(num(10, 1) + sub(60, num(1, 9) + sub(2, b"COMPUTE AGENT [4] QUEUE [1] (GPU)"))))
    for name, start, end in kernels:
        out.append(packet(num(10, 1) + num(8, start) + num(58, 6) +
                          sub(11, num(9, 1) + num(11, 9) + num(3, 1) + sub(23, name.encode()))))
        out.append(packet(num(10, 1) + num(8, end) + num(58, 6) + sub(11, num(9, 2) + num(11, 9))))
    with open(path, "wb") as f:
        f.write(b"".join(out))


def table(path, kernels):
    with open(path, "w", newline="") as f:
        w = csv.writer(f, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        w.writerow(["Kind", "Agent_Id", "Queue_Id", "Kernel_Id", "Kernel_Name", "Correlation_Id", "Start_Timestamp",
                    "End_Timestamp"])
        for i, (name, start, end) in enumerate(kernels):
            w.writerow(["KERNEL_DISPATCH", 4, 1, 1, name, i, start, end])


def job(collectives, jitter, seed):
    """The kernels of each rank on its own clock, in an order of their own, and the true ends."""
    rnd = random.Random(seed)
    ends = [10_000_000 + 50_000 * i for i in range(collectives)]
    ranks = []
    for r in range(4):
        v = []
        for i, e in enumerate(ends):
            late = e + rnd.randint(-jitter, jitter)
            v.append((OTHER if i % 3 == 0 else GENERIC, late - rnd.randint(2000, 30000), late))
            v.append((f"gemm_{i % 5}", e + 1000, e + 9000 + rnd.randint(0, 9000)))
        rnd.shuffle(v)
        ranks.append([(n, s + AHEAD[r], t + AHEAD[r]) for n, s, t in v])
    return ranks


# ---- asking tools ----

def run(*args):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if p.returncode not in (0, 2):
        wrong(" ".join(args), "status", p.returncode, p.stderr.decode())
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def ask(db, sql):
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as c:
        return c.execute(sql).fetchall()


def clocks(db):
    return ask(db, "SELECT i.rank, c.method, c.offset_ns, c.residual_ns FROM clock c JOIN input i ON i.id = c.input "
                   "ORDER BY i.rank, i.path")


def merge(db, *args, status=0):
    st, _, err = run("tracemerge", "-o", db, *args)
    check(f"status of tracemerge {' '.join(args)} ({err.strip()})", st, status)
    if status and os.path.exists(db):
        wrong(f"tracemerge {' '.join(args)} fails and leaves {db}")
    return err


def facts(db):
    """All that a merge may depend on, without ids."""
    out = []
    for sql in ("SELECT i.rank, i.path, i.events, i.content, i.producer, c.clock, c.readings, c.real_low_ns, "
                "c.real_high_ns, c.method, c.offset_ns, c.residual_ns FROM input i JOIN clock c ON c.input = i.id",
                "SELECT r.rank, r.host, r.pid, n.text, k.start_ns, k.end_ns, k.agent, k.queue FROM kernel k "
                "JOIN rank r ON r.id = k.rank_id JOIN name n ON n.id = k.name",
                "SELECT rank, name, start, \"end\", duration FROM kernels"):
        out.append(sorted(map(repr, ask(db, sql))))
    return out


def times(*args):
    """(rank, name) -> sorted starts, of tracecat."""
    _, out, _ = run("tracecat", "-q", "--kind", "kernel", "--columns", "rank,name,start_ns,end_ns", *args)
    v = {}
    for row in csv.DictReader(io.StringIO(out)):
        v.setdefault((int(row["rank"]), row["name"]), []).append((int(row["start_ns"]), int(row["end_ns"])))
    return {k: sorted(x) for k, x in v.items()}


def median(v):
    v = sorted(v)
    a, b = v[(len(v) - 1) // 2], v[len(v) // 2]
    return a + (b - a) // 2


# ---- tests ----

def shifted(db, ranks, shift):
    """Readers, and views, give the times of rank r later by shift[r]; the tables give them as they were."""
    want = {}
    for r, kernels in enumerate(ranks):
        for name, s, e in kernels:
            want.setdefault((r, name), []).append((s + shift[r], e + shift[r]))
    want = {k: sorted(v) for k, v in want.items()}
    check(f"times of {db}", times(db) == want, True)
    view = {}
    for rank, name, s, e in ask(db, 'SELECT rank, name, start, "end" FROM kernels'):
        view.setdefault((rank, name), []).append((s, e))
    check(f"views of {db}", {k: sorted(v) for k, v in view.items()} == want, True)
    raw = sorted(ask(db, "SELECT r.rank, n.text, start_ns, end_ns FROM kernel k JOIN rank r ON r.id = k.rank_id "
                         "JOIN name n ON n.id = k.name"))
    check(f"rows of {db}", raw == sorted((r, *k) for r, v in enumerate(ranks) for k in v), True)


def same_sums(db, *inputs):
    for opts in ([], ["--per", "rank"], ["-w", "+1ms..+2ms"], ["--per", "queue"]):
        a, b = run("kstats", "top", "-q", "-f", "csv", *opts, db), run("kstats", "top", "-q", "-f", "csv", *opts, *inputs)
        check(f"kstats top {' '.join(opts)} of {db}", a[:2], b[:2])


def by_realtime():
    ranks = job(40, 100, 1)
    noise = [[0], [-250, 250], [-20, -3, 20], [-1000, 400, 1000]]
    for r, kernels in enumerate(ranks):
        at = [1_000_000 + i * 10_000_000 for i in range(len(noise[r]))]
        pftrace(f"rank{r}.pftrace", kernels, [(t + AHEAD[r], t + WALL + n) for t, n in zip(at, noise[r])])
    files = [f"rank{r}.pftrace" for r in range(4)]
    # How well it was read says nothing of how well hosts keep it: only collectives do.
    want = [(r, "realtime", SHIFT[r]) for r in range(4)]
    few = [[k for k in v if not k[0].startswith("nccl")] for v in ranks]
    for how in ("realtime", "auto"):
        if how == "auto":
            for r, kernels in enumerate(few):
                pftrace(f"few{r}.pftrace", kernels, [(t + AHEAD[r], t + WALL + n) for t, n in
                                                     zip(range(1_000_000, 10**9, 10_000_000), noise[r])])
        err = merge("rt.db", "--align", how, *(files if how == "realtime" else [f"{r}=few{r}.pftrace" for r in range(4)]))
        v = clocks("rt.db")
        check(f"--align {how}", [c[:3] for c in v], want)
        left = {c[3] for c in v}
        if how == "realtime":
            # Collectives end within 100 of each other, readings lie within 1000.
            check("one for all", len(left), 1)
            left = left.pop()
            check("what is said", f"clocks aligned by CLOCK_REALTIME; residual at most {left} ns by the collectives" in err, True)
            if not left or left > 500:
                wrong(f"by CLOCK_REALTIME {left} ns may be left")
        else:
            check("nothing cross-checks", left, {None})
            check("what is said", "clocks aligned by CLOCK_REALTIME; residual unknown" in err, True)
        shifted("rt.db", ranks if how == "realtime" else few, SHIFT)
    err = merge("auto.db", *files)
    check("--align auto", {c[1] for c in clocks("auto.db")}, {"collectives"})
    check("what is said", "; CLOCK_REALTIME would be" in err, True)
    left = {c[0]: c[3] for c in clocks("auto.db")}
    for r, _, shift, _ in clocks("auto.db"):
        if abs(shift - SHIFT[r]) > left[r]:
            wrong(f"rank {r} is {abs(shift - SHIFT[r])} ns off, and {left[r]} may be left")
    merge("rt.db", "--align", "realtime", *files)
    err = merge("rt23.db", "--align", "realtime", *files[1:])
    check("what is said", "clocks aligned by CLOCK_REALTIME (read to 1000 ns); residual at most" in err, True)
    same_sums("rt.db", *files)
    merge("none.db", "--align", "none", *files)
    check("--align none", clocks("none.db"), [(r, "none", 0, None) for r in range(4)])
    shifted("none.db", ranks, [0] * 4)

    # The same in two steps, in other orders, and once more; databases that are aligned, or not.
    merge("ab.db", "--align", "realtime", files[3], files[0])
    check("two of them", [c[2] for c in clocks("ab.db")], [0, AHEAD[0] - AHEAD[3]])
    merge("cd.db", "--align", "none", files[2], files[1])
    merge("two.db", "--align", "realtime", "ab.db", "cd.db")
    merge("again.db", "--align", "realtime", "-j", "1", "two.db")
    merge("mixed.db", "--align", "realtime", "ab.db", files[1], files[2])
    for db in ("two.db", "again.db", "mixed.db"):
        check(f"{db} holds what rt.db does", facts(db) == facts("rt.db"), True)
    merge("off.db", "--align", "none", "rt.db")
    check("none of an aligned one", facts("off.db") == facts("none.db"), True)

    # One rank: nothing to align, nothing said, whatever is asked for.
    for how in ("realtime", "collectives", "auto"):
        err = merge("one.db", "--align", how, files[1])
        check("one rank", (clocks("one.db"), "clock" in err), ([(1, "none", 0, None)], False))

    # A table of a rank goes with its trace: it is of the same run, which counts once, and of the same clock.
    os.makedirs("more/rank3")
    table("more/rank3/x_kernel_trace.csv", ranks[3])
    merge("more.db", "--align", "realtime", *files, "more")
    check("a table and a trace", [c[:3] for c in clocks("more.db")], want)
    # A rank that has no snapshot.
    table("rank7.csv", ranks[3])
    err = merge("fail.db", "--align", "realtime", *files, "rank7.csv", status=2)
    check("why not", "--align realtime is not possible: rank 7 has no snapshot of CLOCK_REALTIME (rank7.csv)" in err, True)
    # Sums have no clock.
    err = merge("sums.db", "--stats-only", *files)
    check("sums", (clocks("sums.db"), "clock" in err), ([(r, "none", 0, None) for r in range(4)], False))
    merge("sums2.db", "--stats-only", "rt.db")
    check("what sums know of clocks", ask("sums2.db", "SELECT * FROM clock"), ask("sums.db", "SELECT * FROM clock"))


def by_collectives():
    jitter = 300
    ranks = job(61, jitter, 2)
    for r, kernels in enumerate(ranks):
        os.makedirs(f"c/rank{r}", exist_ok=True)
        table(f"c/rank{r}/x_kernel_trace.csv", kernels)
    for how in ("collectives", "auto"):
        err = merge("co.db", "--align", how, "c")
        want = clocks("co.db")
        check("what is said", "clocks aligned by 61 collectives of each rank, matched by order" in err, True)
        check("what is said", f"residual at most {max(w[3] for w in want)} ns" in err, True)
    for r in range(4):
        gap = abs(want[r][2] - SHIFT[r])
        if gap > 2 * jitter or gap > want[r][3] or want[r][3] > 8 * jitter:
            wrong(f"rank {r} is {gap} ns off, and {want[r][3]} may be left")
    shifted("co.db", ranks, [w[2] for w in want])
    same_sums("co.db", "c")
    merge("cab.db", "c/rank0", "c/rank2")
    merge("ccd.db", "c/rank3", "c/rank1")
    merge("ctwo.db", "--align", "auto", "cab.db", "ccd.db")
    check("ctwo.db holds what co.db does", facts("ctwo.db") == facts("co.db"), True)

    # One less of one of two kinds: evenly spaced as they are, those of the other kind have to do.
    few = [k for k in ranks[3] if k != max(k for k in ranks[3] if k[0] == OTHER)]
    table("c/rank3/x_kernel_trace.csv", few)
    err = merge("less.db", "--align", "collectives", "c")
    check("what is said", "clocks aligned by 40 collectives" in err, True)
    # And of the other; auto goes without and says why.
    table("c/rank3/x_kernel_trace.csv", [k for k in few if k != max(k for k in few if k[0] == GENERIC)])
    why = f"rank 0 has 40 and rank 3 39 of {GENERIC}"[:40]
    err = merge("fail.db", "--align", "collectives", "c", status=2)
    check("why not", "--align collectives is not possible: " + why in err, True)
    err = merge("auto.db", "c")
    check("why not", "tracemerge: note: clocks not aligned" in err and why in err and "no snapshot" in err, True)
    check("auto", clocks("auto.db"), [(r, "none", 0, None) for r in range(4)])
    for r in range(4):
        table(f"c/rank{r}/x_kernel_trace.csv", sorted(k for k in ranks[r] if k[0] == OTHER)[:7])
    err = merge("fail.db", "--align", "collectives", "c", status=2)
    check("why not", "rank 0 has 7 collectives that ranks end together; alignment needs at least 8" in err, True)
    merge("sums.db", "--stats-only", "--align", "collectives", "c")


def hostile():
    """Snapshots that cannot be: said, or passed over, never an offset out of nowhere."""
    k = [("gemm", 1000, 2000)]
    pftrace("rank0.pf", k, [(10, WALL)])
    pftrace("rank1.pf", k, [(WALL + 5, WALL)])  # before 1970
    err = merge("h.db", "rank0.pf", "rank1.pf")
    check("before 1970", "rank 1 has no snapshot" in err, True)
    pftrace("rank1.pf", [("gemm", 2**62, 2**62 + 5)], [(1, 0x7fffffffffffffff)])
    err = merge("h.db", "rank0.pf", "rank1.pf")
    check("far away", "rank 1 are centuries away" in err, True)
    check("far away", [c[1:3] for c in clocks("h.db")], [("none", 0)] * 2)
    pftrace("rank1.pf", k, [(1, 2**64 - 1), (2**64 - 1, 1), (0, 0), (5, 5)])
    err = merge("h.db", "rank0.pf", "rank1.pf")
    check("two good ones", ask("h.db", "SELECT readings, real_low_ns, real_high_ns FROM clock WHERE input = 2"),
          [(2, 0, 0)])
    # A database that lies about its clock.
    for sql in ("UPDATE clock SET offset_ns = NULL", "UPDATE clock SET real_low_ns = 5, real_high_ns = 3, readings = 2",
                "DELETE FROM clock", "UPDATE clock SET method = 'later', offset_ns = -1", "DROP TABLE clock"):
        subprocess.run(["cp", "h.db", "lie.db"], check=True)
        with sqlite3.connect("lie.db") as c:
            try:
                c.execute(sql)
            except sqlite3.Error:
                continue
        c.close()
        for cmd in (["kstats", "top", "--per", "queue"], ["tracecat", "info"], ["tracecat"], ["tracemerge", "-o", "x.db"]):
            run(*cmd, "lie.db")


def real(data):
    """The SDK's traces of two ranks of one machine: their clocks are one, so nearly nothing is to be shifted."""
    files = [os.path.join(data, "sdk_traces", f"rank{r}.pftrace.zst") for r in (0, 1)]
    if not all(map(os.path.exists, files)):
        return
    err = merge("sdk.db", *files)
    v = clocks("sdk.db")
    check("two ranks of one machine", [c[1:] for c in v], [("shared", 0, 0)] * 2)
    check("what is said", "all ranks share one clock" in err, True)
    shift = {c[0]: c[2] for c in v}
    for r, f in enumerate(files):
        text = subprocess.run(["zstd", "-dc", f.replace(".pftrace.zst", ".pftrace.truth.csv.zst")],
                              stdout=subprocess.PIPE, check=True).stdout.decode()
        want = sorted((int(x["start_ns"]) + shift[r], int(x["end_ns"]) + shift[r])
                      for x in csv.DictReader(io.StringIO(text)))
        got = sorted(ask("sdk.db", f'SELECT start, "end" FROM kernels WHERE rank = {r}'))
        check(f"kernels of {f}", got == want, True)
    same_sums("sdk.db", *files)


def main():
    os.chdir(sys.argv[1])
    by_realtime()
    by_collectives()
    hostile()
    real(sys.argv[2])
    for left in glob.glob("*.tmp*"):
        wrong("left behind:", left)
    sys.exit(bad)


if __name__ == "__main__":
    main()
