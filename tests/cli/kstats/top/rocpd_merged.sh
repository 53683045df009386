# What rocpd merge and rocpd convert make of databases is told by the ids of their processes, and counts once wherever it
# lies: three calls of k (450 ns) of two processes.  What holds some of the processes only, or tells other events of them,
# is refused.
PYTHONPATH=$ROOT/tests/gen python3 -B - <<'P'
import os
import make_databases as M
H = '"Guid","Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
KERNELS = {1: [(1000, 1100)], 2: [(1050, 1200), (1300, 1500)]}


def guid(i):
    return f"0000000a-0000-7000-8000-0000000000e{i}"


def process(c, i, rank):
    r = M.Rocpd(c, guid(i), 0, 70 + i, environment={"OMPI_COMM_WORLD_RANK": str(i), "OMPI_COMM_WORLD_SIZE": "2"} if rank else None)
    r.thread(70 + i)
    r.agent(4, "GPU", "gfx90a", 4)
    r.kernel(1, "k")
    for n, (s, e) in enumerate(KERNELS[i]):
        r.dispatch(n + 1, 1, s, e, n + 1, tid=70 + i)


def database(path, *which, rank=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    c = M.create(path)
    for i in which:
        process(c, i, rank)
    M.close(c, path)


def table(path, *which):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(H)
        for i in which:
            for s, e in KERNELS[i]:
                f.write(f'"{guid(i)}","KERNEL_DISPATCH","Agent 4","k",1,{s},{e}\n')


for d in ("a", "r"):
    database(f"{d}/n1/71_results.db", 1, rank=d == "r")
    database(f"{d}/n2/72_results.db", 2, rank=d == "r")
    database(f"{d}/merged.db", 1, 2, rank=d == "r")
table("t/out_kernel_trace.csv", 1, 2)
table("one/out_kernel_trace.csv", 2)
P
ask() { kstats top -q "$@" -f csv --columns calls,total_ns --per rank; echo "$?"; }
kstats top -f csv --columns calls,total_ns a
# The folder: a merged database, a table of all, both, in archives; then with ranks that the processes say.
ask a/n1 a/n2 t && ask a t && ask t a/merged.db && tar cf a.tar a && ask a.tar && ask a.tar a && ask r && ask r t
# One of them, with its own table.
ask a/n2 one
kstats top a/merged.db a/n1 >out; echo "$?"
sed -i s/1500/1600/ t/out_kernel_trace.csv && kstats top a/n1 a/n2 t >out; echo "$?"
