# SPDX-License-Identifier: MIT
"""Counts by strace what a tool does with its inputs: opens of each, and bytes of its head that are read."""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, DATA = (os.path.abspath(p) for p in sys.argv[1:3])
HEAD, OPENS = 64 * 1024, 2
CALL = re.compile(r"(openat|open|read|pread64|lseek|close|readv|preadv|mmap|dup|fcntl)\((.*)\) += (-?\d+)(?:<(.*)>)?")
FILE = re.compile(r"(\d+)<(/[^>]*)>")


class Seen:
    """What was done with one file."""

    def __init__(self):
        self.opens = self.head = self.reads = 0

    def read(self, at, n):
        self.reads += 1
        self.head += max(0, min(at + n, HEAD) - at)


def calls(prefix):
    """Of each thread its calls, in order."""
    for name in glob.glob(prefix + ".*"):
        with open(name, errors="surrogateescape") as f:
            for line in f:
                m = CALL.match(line)
                if m and int(m[3]) >= 0:
                    yield m[1], m[2], int(m[3]), m[4]


def watch(argv, cwd):
    """{path: Seen} of a command."""
    with tempfile.TemporaryDirectory() as tmp:
        env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C", TMPDIR=tmp)
        done = subprocess.run(["strace", "-qq", "-ff", "-y", "-e",
                               "trace=open,openat,read,pread64,readv,preadv,lseek,mmap",
                               "-o", tmp + "/t", os.path.join(BUILD, argv[0]), *argv[1:]], cwd=cwd, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              check=False)
        # A rule about a value that these inputs do not have is no fault here.
        if done.returncode > (2 if argv[0] == "tracecheck" else 1):
            sys.exit(f"{' '.join(argv)}: {done.stderr.decode(errors='replace')}")
        seen, at = collections.defaultdict(Seen), {}
        for what, args, result, path in calls(tmp + "/t"):
            if what.startswith("open"):
                seen[path].opens += 1
                at[result] = 0
                continue
            m = FILE.match(args)
            if what == "mmap":
                m = FILE.search(args)
                if m:
                    seen[m[2]].read(int(args.rsplit(", ", 1)[1], 0), int(args.split(", ")[1]))
                continue
            if not m:
                continue
            fd = int(m[1])
            if what == "lseek":
                at[fd] = result
            elif what.startswith("pread"):
                seen[m[2]].read(int(args.rsplit(", ", 1)[1]), result)
            else:
                seen[m[2]].read(at.get(fd, 0), result)
                at[fd] = at.get(fd, 0) + result
        return seen


HEADER = ('"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id",'
          '"Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X",'
          '"Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')


def make_trace(path, rank, rows):
    """Ranks of as many rows have files of one size that differ in their thread and their last row."""
    with open(path, "w") as f:
        f.write(HEADER)
        for i in range(rows):
            end = 105000 + i * 100 + (rank if i + 1 == rows else 0)
            f.write(f'"KERNEL_DISPATCH","Agent 4",1,{100 + rank},{i},7,"k{i % 5}",{i},{100000 + i * 100:09},{end:09},'
                    '0,0,64,1,1,64,1,1\n')


def make_inputs(work):
    os.mkdir(work + "/ranks")
    os.mkdir(work + "/dbs")
    os.mkdir(work + "/power")
    for folder in "kineto/2.9/steps", "rocprofv1/6.2/text_hip":  # read their end, or a file next to them, too
        shutil.copytree(f"{DATA}/{folder}", f"{work}/{folder}")
    with open(work + "/kineto/notes.txt", "w") as f:  # no format begins so: read on, for RCCL's lines
        f.writelines(f"line {i} of some other program\n" for i in range(4000))
    for folder in os.listdir(DATA):  # one of each producer
        files = sorted(p for p in glob.glob(f"{DATA}/{folder}/**", recursive=True) if os.path.isfile(p))
        if files:
            os.makedirs(f"{work}/all/{folder}")
            shutil.copy(files[0], f"{work}/all/{folder}/")
    for rank in range(3):
        make_trace(f"{work}/ranks/{rank}_kernel_trace.csv", rank, 2000)
    for name in "ab":
        make_trace(f"{work}/{name}.csv", ord(name), 2000 + ord(name))
        subprocess.run([BUILD + "/tracemerge", "-q", "-o", f"{work}/dbs/{name}.db", f"{work}/{name}.csv"],
                       check=True)
    with open(work + "/large.csv", "w") as f:
        subprocess.run([BUILD + "/gen_csv", "--names", "2000", "30000000"], stdout=f, check=True)
    subprocess.run([BUILD + "/tracemerge", "-q", "--stats-only", "-o", work + "/totals.db", work + "/large.csv"], check=True)
    os.remove(work + "/large.csv")
    shutil.copy(glob.glob(DATA + "/rocpd/3.0.0/run/out_results.db")[0], work + "/rocpd.db")
    with open(work + "/power/power.csv", "w") as f:
        f.write("time,Power(Watt) GPU0\n")
        f.writelines(f"2026-03-01 {10 + i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}.000000,{100 + i % 7}.0\n"
                     for i in range(6000))
    with open(work + "/rocblas.log", "w") as f:
        for i in range(1500):
            f.write(f"./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB N -m {i + 1} -n 64 -k 64 "
                    "--alpha 1 --lda 64 --ldb 64 --beta 0 --ldc 64\n")


def commands():
    yield "kstats", "top", "a.csv"
    yield "kstats", "top", "-j", "1", "a.csv"
    yield "kstats", "top", "ranks"
    yield "kstats", "gaps", "-w", "10%..90%", "a.csv"
    yield "kstats", "gaps", "-j", "3", "-w", "10%..90%", "ranks"
    yield "kstats", "top", "dbs/a.db"
    yield "kstats", "top", "dbs"
    yield "kstats", "top", "rocpd.db"
    yield "tracemerge", "-o", "out.db", "ranks"
    yield "tracemerge", "-o", "out.db", "dbs/a.db", "dbs/b.db"
    yield "tracemerge", "--stats-only", "-o", "out.db", "totals.db"  # of small pages: not one by one
    yield "tracediff", "a.csv", "b.csv"
    yield "tracediff", "dbs/a.db", "dbs/b.db"
    yield "tracediff", "--history", "a.csv", "b.csv", "ranks/0_kernel_trace.csv"
    yield "tracecat", "a.csv"
    yield "tracecat", "ranks"
    yield "tracecat", "info", "ranks"
    yield "libperf", "trace", "rocblas.log"
    yield "libperf", "top", "."  # all that is here
    yield "powerstats", "power/power.csv"
    yield "powerstats", "--offset", "0", "--trace", "a.csv", "power/power.csv"
    yield "powerstats", "power"
    for rules in (["top.calls > 0", "timeline.window_ms > 0", "classes.calls > 0"],
                  ["top.calls > 0", "top(-w 10%..90%).calls > 0"],
                  ["libperf.top.calls > 0", "libperf.trace.calls > 0", "top.calls > 0"],
                  ["powerstats.samples > 0", "powerstats.energy(--offset 0).kernels > 0", "top.calls > 0"]):
        yield ("tracecheck", *(w for r in rules for w in ("--rule", r)), "a.csv",
               *(["rocblas.log"] if "libperf" in rules[0] else ["power/power.csv"] if "power" in rules[0] else []))
    yield "kstats", "top", "kineto"
    yield "kstats", "gaps", "-w", "10%..90%", "kineto/2.9/steps"
    yield "kstats", "top", "rocprofv1"
    yield "kstats", "top", "all"
    yield "tracecat", "info", "all"
    yield "tracecheck", "--rule", "top.calls >= baseline", "--baseline", "b.csv", "a.csv"


def main():
    bad = checked = 0
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        make_inputs(work)
        inputs = {os.path.join(d, f) for d, _, names in os.walk(work) for f in names}
        for argv in commands():
            seen = watch(argv, work)
            mine = {p: s for p, s in seen.items() if p in inputs}
            if not mine:
                print(f"{' '.join(argv)}: opened no input")
                bad += 1
            for path, s in sorted(mine.items()):
                checked += 1
                size = min(os.path.getsize(path), HEAD)
                # Whether an operand is a trace or a table decides what is asked of all of them.
                looks = 2 if argv[0] == "powerstats" else 1
                if s.opens > OPENS or s.head > looks * size:
                    print(f"{' '.join(argv)}: {os.path.relpath(path, work)}: opened {s.opens} times, "
                          f"{s.head} bytes of the first {size} read")
                    bad += 1
                if path.endswith("totals.db") and s.reads > 16 + os.path.getsize(path) // 8192:
                    print(f"{' '.join(argv)}: totals.db: {s.reads} reads of {os.path.getsize(path)} bytes")
                    bad += 1
    print(f"{checked} inputs looked at, {bad} of them too often")
    return 1 if bad else 0


sys.exit(main())
