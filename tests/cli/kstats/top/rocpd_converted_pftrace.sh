# The pftrace that rocpd convert makes of several databases has no ids of their processes: it is known by its kernels, which are
# those of all databases in its directory, in one above or in those beside it, and counts once: three calls of k (450 ns) of two
# processes.  One with a process more (a call of 30 ns) is refused: it has the kernels of the others, too.  That of one database
# (a call of 100 ns) counts once, too, where it is made beside the directory of the machine.
PYTHONPATH=$ROOT/tests/gen python3 -B - <<'P'
import os
import make_databases as M
B = 10**12
KERNELS = {71: [(1000, 1100)], 72: [(1050, 1200), (1300, 1500)]}


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, v):
    if isinstance(v, int):
        return varint(number << 3) + varint(v)
    v = v.encode() if isinstance(v, str) else v
    return varint(number << 3 | 2) + varint(len(v)) + v


def packet(*fields):
    return field(1, b"".join(field(*f) for f in fields))


def event(at, kind, track, *more):
    return packet((8, at), (58, 6), (10, 1), (11, b"".join(field(*f) for f in ((9, kind), (11, track)) + more)))


def pftrace(path, kernels):
    out = b""
    for pid, spans in kernels.items():
        out += packet((60, field(1, pid) + field(3, field(1, pid))))
        out += packet((60, field(1, 1000 + pid) + field(5, pid) + field(2, "STREAM [0]")))
        for s, e in spans:
            out += event(B + s, 1, 1000 + pid, (22, "kernel_dispatch"), (23, "k"), (4, field(10, "agent") + field(6, "Agent-4")))
            out += event(B + e, 2, 1000 + pid)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(out)


for d, pids in ("beside", KERNELS), ("above", KERNELS), ("other", KERNELS), ("run/host", KERNELS), ("one/host", [71]):
    os.makedirs(d)
    for i, pid in enumerate(pids):
        c = M.create(f"{d}/{pid}_results.db")
        r = M.Rocpd(c, f"0000000a-0000-7000-8000-0000000000e{i}", 0, pid)
        r.thread(pid)
        r.agent(4, "GPU", "gfx90a", 4)
        r.kernel(1, "k")
        for n, (s, e) in enumerate(KERNELS[pid]):
            r.dispatch(n + 1, 1, B + s, B + e, n + 1, tid=pid)
        M.close(c, f"{d}/{pid}_results.db")
pftrace("beside/out_results.pftrace", KERNELS)
pftrace("above/rocpd-output-data/out_results.pftrace", KERNELS)
pftrace("run/rocpd-output-data/out_results.pftrace", KERNELS)
pftrace("one/rocpd-output-data/out_results.pftrace", {71: KERNELS[71]})
pftrace("other/out_results.pftrace", {**KERNELS, 73: [(1600, 1630)]})
P
ask() { kstats top -q "$@" -f csv --columns calls,total_ns; echo "$?"; }
ask beside && ask above && ask beside/out_results.pftrace beside/72_results.db beside/71_results.db
tar cf all.tar beside && ask all.tar && ask beside/out_results.pftrace && ask other
kstats top -f csv --columns calls,total_ns --per rank above
ask run && ask run/rocpd-output-data run/host/72_results.db run/host && ask one && ask one/host one/rocpd-output-data/out_results.pftrace
