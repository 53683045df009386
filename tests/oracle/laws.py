#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""laws.py GENERATOR: the same events give the same bytes, whatever they are wrapped in, in whatever order
and pieces they come and however many threads read them; and windows and ranks choose what they say."""
import bz2
import csv
import gzip
import io
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from fractions import Fraction

import csv_oracle as o
import effort

GEN = sys.argv[1]
SCALE = float(os.environ.get("ORACLE_SCALE") or max(.05, effort.PERCENT / 100))
SMALL = int(700_000 * SCALE)
ROW = re.compile(rb'(?:[^"\n]|"(?:[^"]|"")*")*\n')
HEAD70 = (b'"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
          b'"Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count",'
          b'"Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z",'
          b'"Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
bad = []
counts = {"comparisons": 0, "files": 0}
absent = set()


def gen(*args):
    return subprocess.run([GEN, *args], stdout=subprocess.PIPE, check=True).stdout


def run(args, **more):
    """Bytes of an answer; of json only the rows, for it names its inputs."""
    p = subprocess.run(["kstats", "top", "-q", *args], capture_output=True, check=False, **more)
    out = p.stdout
    if "json" in args:
        at = out.find(b'"rows":')
        out = out[at:] if at >= 0 else out
    return out if p.returncode == 0 else b"status %d: " % p.returncode + p.stderr + out


def first_difference(a, b):
    la, lb = a.split(b"\n"), b.split(b"\n")
    for x, y in zip(la, lb):
        if x != y:
            return "%r\n        should be %r" % (x[-150:], y[-150:])
    return "%d lines, should be %d" % (len(la), len(lb))


def same(got, want, what):
    counts["comparisons"] += 1
    if got != want:
        bad.append(what + ": " + first_difference(got, want))


def put(name, data):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as f:
        f.write(data)
    counts["files"] += 1
    return name


class Kind:
    """One sort of trace: its header, its rows, and the questions asked of it."""

    def __init__(self, name, data, domain="kernel", escaped=True, rows=None):
        self.name, self.domain, self.escaped = name, domain, escaped
        at = data.index(b"\n") + 1
        self.head = data[:at]
        self.rows = rows if rows is not None else ROW.findall(data[at:])
        assert self.head + b"".join(self.rows) == data
        self.data = data
        self.questions = [["-f", "csv"], ["-f", "json"], ["-f", "tsv"]]
        if domain == "kernel":
            self.questions.append(["-f", "csv", "--per", "agent,queue,stream,shape", "--name", "short"])
        for q in self.questions:
            q += ["--domain", domain]
        self.path = put("%s/t_kernel_trace.csv" % name, data)
        self.want = [run([*q, "-j", "1", self.path]) for q in self.questions]
        bad.extend("%s: %r" % (name, w[:200]) for w in self.want if w.startswith(b"status"))

    def law(self, what, *paths, stdin=None, few=False):
        for q, want in list(zip(self.questions, self.want))[:1 if few else None]:
            more = {"input": stdin} if stdin is not None else {}
            same(run([*q, *paths], **more), want, "%s: %s (%s)" % (self.name, what, " ".join(q)))


def truth(k):
    """What the reader of the tests finds in it."""
    t = o.read_table(k.path, k.data.decode("latin-1"))
    if len(t.rows) != len(k.rows) or t.malformed:
        bad.append("%s: the oracle itself reads %d of %d rows" % (k.name, len(t.rows), len(k.rows)))
    groups = o.domains(t)[k.domain]
    bad.extend(o.compare(o.Answer(["-q", "-f", "csv", "--domain", k.domain, k.path]), groups, k.name))
    counts["comparisons"] += len(groups)


def jobs(k):
    for j in ("1", "2", "7"):
        k.law("-j " + j, "-j", j, k.path)


def orders(k):
    for seed in range(3):
        rows = k.rows[:]
        random.Random(seed).shuffle(rows)
        k.law("rows shuffled, seed %d" % seed, put("s/t_kernel_trace.csv", k.head + b"".join(rows)))
    k.law("rows backwards", put("s/t_kernel_trace.csv", k.head + b"".join(k.rows[::-1])))


def pieces(k):
    for n in (2, 10):
        paths = [put("%s.%d/%c_kernel_trace.csv" % (k.name, n, 97 + i),
                     k.head + b"".join(k.rows[len(k.rows) * i // n:len(k.rows) * (i + 1) // n]))
                 for i in range(n)]
        k.law("split in %d" % n, *paths)
        k.law("split in %d, backwards, -j 3" % n, "-j", "3", *paths[::-1])
        k.law("split in %d, their folder" % n, os.path.dirname(paths[0]))
    k.law("the folder", k.name)
    k.law("the file twice", k.path, k.path)


def wrappings(k):
    name = "t_kernel_trace.csv"
    half = len(k.rows) // 2
    k.law("gz", put("w/t.csv.gz", gzip.compress(k.data, 1)))
    k.law("gz in two members", put("w/t2.csv.gz", gzip.compress(k.data[:4000], 1) + gzip.compress(k.data[4000:], 1)))
    k.law("xz", put("w/t.csv.xz", lzma.compress(k.data, preset=0)))
    k.law("bz2", put("w/t.csv.bz2", bz2.compress(k.data, 1)))

    def tar(mode, members):
        b = io.BytesIO()
        with tarfile.open(fileobj=b, mode=mode) as f:
            for n, data in members:
                info = tarfile.TarInfo(n)
                info.size = len(data)
                f.addfile(info, io.BytesIO(data))
        return b.getvalue()
    parts = [("run/a_kernel_trace.csv", k.head + b"".join(k.rows[:half])),
             ("run/b_kernel_trace.csv", k.head + b"".join(k.rows[half:])), ("run/README", b"hello\n")]
    k.law("tar", put("w/t.tar", tar("w:", parts)))
    k.law("tar.gz", put("w/t.tar.gz", tar("w:gz", parts)))
    k.law("gz inside tar", put("w/tg.tar", tar("w:", [(n + ".gz", gzip.compress(d, 1)) for n, d in parts[:2]])))
    k.law("tar.gz by pipe", "-", stdin=tar("w:gz", parts), few=True)
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as f:
        for n, data in parts:
            f.writestr(n, data)
    k.law("zip", put("w/t.zip", b.getvalue()))
    if shutil.which("zstd"):
        z = subprocess.run(["zstd", "-1", "-q"], input=k.data, stdout=subprocess.PIPE, check=True).stdout
        k.law("zst", put("w/t.csv.zst", z))
        k.law("zst by pipe", "-", stdin=z, few=True)
    else:
        absent.add("zstd")
    if shutil.which("7z"):
        put("w/7/" + name, k.data)
        if os.path.exists("w/t.7z"):
            os.unlink("w/t.7z")
        subprocess.run(["7z", "a", "-mx=1", "w/t.7z", "./w/7/" + name], stdout=subprocess.DEVNULL, check=True)
        k.law("7z", "w/t.7z")
    else:
        absent.add("7z")
    k.law("pipe", "-", stdin=k.data)
    k.law("pipe, no operand", stdin=k.data, few=True)
    with subprocess.Popen(["cat", k.path], stdout=subprocess.PIPE) as cat:
        same(run([*k.questions[0], "-j", "4", "-"], stdin=cat.stdout), k.want[0], k.name + ": slow pipe")
    with open(k.path, "rb") as f:
        same(run([*k.questions[0], "-"], stdin=f), k.want[0], k.name + ": < file")
    counts["comparisons"] += 2


def spellings(k):
    crlf = b"".join(r[:-1] + b"\r\n" for r in [k.head, *k.rows])
    k.law("CRLF", put("c/t_kernel_trace.csv", crlf))
    k.law("CRLF by pipe", "-", stdin=crlf, few=True)
    k.law("BOM", put("c/t_kernel_trace.csv", b"\xef\xbb\xbf" + k.data))
    k.law("BOM and CRLF", put("c/t_kernel_trace.csv", b"\xef\xbb\xbf" + crlf), few=True)
    for what, head in (("lower", k.head.lower()), ("upper", k.head.upper()), ("title", k.head.title())):
        k.law("header in %s case" % what, put("c/t_kernel_trace.csv", head + b"".join(k.rows)))
    k.law("empty line behind the header",
          put("c/t_kernel_trace.csv", k.head + b"\n" + b"".join(k.rows)), few=True)
    if not k.escaped:
        return
    table = list(csv.reader(io.StringIO(k.data.decode("latin-1"), newline="")))
    words = [i for i, c in enumerate(table[0]) if c in ("Guid", "Kind", "Agent_Id", "Kernel_Name", "Domain",
                                                         "Function") and not table[1][i].isdigit()]

    def write(what, order, quoting, extra=False):
        b = io.StringIO(newline="")
        w = csv.writer(b, quoting=quoting, lineterminator="\n")
        for n, fields in enumerate(table):
            out = [fields[i] if n == 0 or i in words or quoting != csv.QUOTE_NONNUMERIC else int(fields[i])
                   for i in order]
            if extra:
                out = ["Wave_Hint" if n == 0 else n, *out[:3], "Remark" if n == 0 else "as is", *out[3:],
                       "Checksum" if n == 0 else "0xbeef"]
            w.writerow(out)
        k.law(what, put("c/t_kernel_trace.csv", b.getvalue().encode("latin-1")))
    plain = list(range(len(table[0])))
    # Names that hold newlines are known by the columns behind them, so those stay behind.
    for seed in range(2):
        order = plain[:]
        random.Random(seed).shuffle(order)
        write("columns shuffled, seed %d" % seed, order, csv.QUOTE_NONNUMERIC)
    write("unknown columns", plain, csv.QUOTE_NONNUMERIC, extra=True)
    write("every field quoted", plain, csv.QUOTE_ALL)
    write("quotes only where needed", plain, csv.QUOTE_MINIMAL)


def rocprof_raw(k):
    """The rows of an escaped rocpd table as rocprofv3 itself writes them: nothing escaped, no Guid."""
    rows = [re.sub(rb'^"[^"]*",', b"", r).replace(b'""', b'"') for r in k.rows]
    return HEAD70 + b"".join(rows), rows


# ---------------------------------------------------------------- large files

def large():
    """Ranges of one file: where the edge of a range falls inside a name, it is read again."""
    size = int(66 * 1024 * 1024 + 200_000)
    for name, flags in (("large plain", []), ("large raw", ["--raw", "--names", "40"])):
        data = gen("--seed", "7", *flags, str(size))
        path = put("l/t_kernel_trace.csv", data)
        want = None
        for j in ("1", "2", "5"):
            got = run(["-f", "csv", "-j", j, path])
            want = want or got
            same(got, want, "%s: -j %s" % (name, j))
        with open(path, "rb") as f, subprocess.Popen(["cat"], stdin=f, stdout=subprocess.PIPE) as cat:
            same(run(["-f", "csv", "-j", "5", "-"], stdin=cat.stdout), want, name + ": pipe")
        if not flags:
            continue
        # Make the first row longer, so that a newline inside a name stands just at the edge.
        edge = 32 * 1024 * 1024
        inside = [m.start() for m in re.finditer(rb'\n(?!"KERNEL_DISPATCH",")', data[edge - 60000:edge])]
        begin = data.index(b'"KERNEL_DISPATCH","', 0)
        at = begin + re.match(rb'(?:[^,]*,){7}"', data[begin:]).end()
        for shift in (-1, 0, 1, 2) if inside else ():
            pad = 60000 - inside[len(inside) // 2] + shift
            with open(path, "wb") as f:
                f.write(data[:at] + b"x" * pad + data[at:])
            counts["files"] += 1
            same(run(["-f", "csv", "-j", "4", path]), run(["-f", "csv", "-j", "1", path]),
                 "%s: a newline of a name %d bytes from the edge of a range" % (name, shift))
        if not inside:
            bad.append("no name with a newline near the edge of a range")


# ---------------------------------------------------------------- windows and ranks

def groups_of(rows, key=lambda r: ()):
    """rows: (name, ns, start, ...) -> {(key, name): Group}"""
    out = {}
    ident = o.identities({r[0] for r in rows})
    for r in rows:
        out.setdefault(key(r) + (ident[r[0]],), o.Group()).add(r[1])
    return out


def check(args, groups, what, keys=()):
    """An answer against groups by (keys..., name)."""
    a = o.Answer(["-q", "-f", "csv", *args])
    counts["comparisons"] += 1
    if not groups:
        if a.status != 2 or a.rows:
            bad.append("%s: nothing is inside, but status %d" % (what, a.status))
        return
    if a.status:
        bad.append("%s: status %d: %s" % (what, a.status, a.err))
        return
    got = {tuple(r[c] for c in keys) + (r["name"],): r for r in a.rows}
    if set(got) != set(groups):
        odd = sorted(set(got) ^ set(groups))
        bad.append("%s: %d rows, should be %d: %r" % (what, len(got), len(groups), odd[0]))
        return
    for key, g in groups.items():
        bad.extend(what + ": " + b for b in o.compare_group(got[key], g, " ".join(key)))


def table(path, domain="kernel"):
    return [(name, ns, start) for d, name, ns, start in o.read_file(path).rows if d == domain]


def inside(rows, lo, hi):
    return [r for r in rows if (lo is None or r[2] >= lo) and (hi is None or r[2] < hi)]


def span(rows):
    return min(r[2] for r in rows), max(r[2] + r[1] for r in rows)


def edges(text, first, last):
    """What a window means, in Fractions."""
    units = {"": 1, "ns": 1, "us": 10 ** 3, "ms": 10 ** 6, "s": 10 ** 9}
    out = []
    for e in text.split(".."):
        m = re.match(r'(\+?)([\d.]+)(%|ns|us|ms|s|)\Z', e)
        if not e:
            out.append(None)
        elif m.group(3) == "%":
            out.append(first + Fraction(m.group(2)) * (last - first) / 100)
        elif m.group(1):
            out.append(first + Fraction(m.group(2)) * units[m.group(3)])
        else:
            out.append(Fraction(m.group(2)))
    return out


def windows():
    path = put("v/t_kernel_trace.csv", gen("--seed", "3", "--names", "60", str(SMALL)))
    hip = put("v/t_hip_api_trace.csv", gen("--seed", "3", "--names", "60", "--kind", "hip", str(SMALL)))
    rows, calls = table(path), table(hip, "hip")
    first, last = span(rows)
    middle = sorted(r[2] for r in rows)[len(rows) // 2]
    texts = ["%d..%d" % (first + 1000, middle), "%d..%d" % (middle, middle + 1), "..%d" % middle,
             "%d.." % middle, "%d..%d" % (first, first + 1), "%d..%d" % (first + 1, last), "..", "1..2",
             "25%..75%", "0%..100%", "..10%", "90%..", "12.5%..12.75%", "33.3333%..33.3334%",
             "+0..+1ms", "+1ms..+2.5ms", "+100us..", "..+0.001s", "+5000..+9000", "10%..+3ms",
             "%d..50%%" % middle]
    for w in texts:
        lo, hi = edges(w, first, last)
        check(["-w", w, path], groups_of(inside(rows, lo, hi)), "-w " + w)
    # Relative edges are those of GPU work where there is any, else of all events.
    for w in ("25%..75%", "+1ms..+2ms"):
        lo, hi = edges(w, first, last)
        check(["-w", w, "--domain", "hip", hip, path], groups_of(inside(calls, lo, hi)), "-w %s of HIP calls" % w)
        lo, hi = edges(w, *span(calls))
        check(["-w", w, "--domain", "hip", hip], groups_of(inside(calls, lo, hi)), "-w %s of HIP calls alone" % w)
    parts = [o.Answer(["-q", "-f", "csv", "-w", w, path]).rows for w in ("..30%", "30%..60%", "60%..")]
    if sum(int(r["calls"]) for p in parts for r in p) != len(rows):
        bad.append("three windows that meet do not hold every kernel once")


def ranks():
    made = {}
    for rank in (0, 3, 10):
        data = gen("--seed", "5", "--names", "40", "--rank", str(rank), str(SMALL // 4))
        made[rank] = (put("r/rank%d/t_kernel_trace.csv" % rank, data),
                      put("r2/job7-node%d-x/t_kernel_trace.csv" % rank, data))
    rows = {rank: table(paths[0]) for rank, paths in made.items()}
    every = [r + (str(rank),) for rank, part in rows.items() for r in part]
    want = groups_of(every, lambda r: (r[3],))
    per = ["--per", "rank"]
    check([*per, "r"], want, "rank folders", ["rank"])
    check([*per, *[p[0] for p in made.values()]], want, "files of rank folders", ["rank"])
    check(["r"], groups_of(every), "rank folders together")
    check([*per, *["%d=%s" % (k, p[1]) for k, p in made.items()]], want, "RANK=PATH", ["rank"])
    check([*per, *["%d=%s" % (k, os.path.dirname(p[1])) for k, p in made.items()]], want, "RANK=FOLDER", ["rank"])
    check([*per, "--rank-from", "node([0-9]+)", "r2"], want, "--rank-from", ["rank"])
    check([*per, "--rank-from", "(job|none)x|node([0-9]+)", "r2"], want, "--rank-from, second group", ["rank"])
    order = groups_of([r + (str(sorted(made, key=str).index(rank)),) for rank, part in rows.items() for r in part],
                      lambda r: (r[3],))
    check([*per, *[made[k][1] for k in sorted(made, key=str)]], order, "by the order of the runs", ["rank"])
    # The same file as two ranks counts twice.
    twice = groups_of([r + (k,) for k in ("4", "5") for r in rows[0]], lambda r: (r[3],))
    check([*per, "4=" + made[0][0], "5=" + made[0][0]], twice, "one file as two ranks", ["rank"])
    # Relative windows are taken for each rank on its own clock.
    for w in ("25%..50%", "+1ms..+2ms"):
        part = []
        for rank, mine in rows.items():
            lo, hi = edges(w, *span(mine))
            part += [r + (str(rank),) for r in inside(mine, lo, hi)]
        check([*per, "-w", w, "r"], groups_of(part, lambda r: (r[3],)), "-w %s of ranks" % w, ["rank"])
        check(["-w", w, "r"], groups_of(part), "-w %s of ranks together" % w)


def choices(k):
    """Columns, rows and levels of names choose from one answer."""
    full = o.Answer([*k.questions[0], "-q", k.path]).rows
    some = ["max_ns", "name", "p90_ns", "calls", "cum_pct"]
    got = o.Answer([*k.questions[0], "-q", "--columns", ",".join(some), k.path]).rows
    same(repr([[r[c] for c in some] for r in got]).encode(), repr([[r[c] for c in some] for r in full]).encode(),
         k.name + ": --columns")
    got = o.Answer([*k.questions[0], "-q", "-n", "7", k.path]).rows
    same(repr(got).encode(), repr(full[:7]).encode(), k.name + ": -n 7")
    want = [sum(int(r[c]) for r in full) for c in ("calls", "total_ns")]
    for level in ("short", "base", "class"):
        got = o.Answer([*k.questions[0], "-q", "--name", level, k.path]).rows
        same(repr([sum(int(r[c]) for r in got) for c in ("calls", "total_ns")]).encode(), repr(want).encode(),
             "%s: --name %s" % (k.name, level))


def sets():
    """All tables of a run: a folder, an archive, every domain at once."""
    files = {}
    for rank in ("0", "2"):
        args = ["--seed", "8", "--names", "30", "--rank", rank]
        for n, kind in (("kernel_trace", "kernel"), ("hip_api_trace", "hip")):
            files["rank_%s/9_%s.csv" % (rank, n)] = gen(*args, "--kind", kind, str(SMALL // 4))
        # What the producer's own statistics of that trace would be.
        t = o.read_table("x", files["rank_%s/9_kernel_trace.csv" % rank].decode("latin-1"))
        lines = ['"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"']
        for (name,), g in groups_of([(n, ns) for _, n, ns, _ in t.rows]).items():
            lines.append('"%s",%d,%d,%.6f,1.00,%d,%d,%.6f' % (name, g.n, g.total, g.total / g.n, g.low, g.high,
                                                              g.sd() or 0))
        files["rank_%s/9_kernel_stats.csv" % rank] = "\n".join(lines + [""]).encode("latin-1")
    for name, data in files.items():
        put("z/" + name, data)
    with tarfile.open("z.tar.gz", "w:gz") as f:
        f.add("z")
    with zipfile.ZipFile("z.zip", "w", zipfile.ZIP_DEFLATED) as f:
        for name, data in files.items():
            f.writestr("z/" + name, data)
    traces = ["z/" + n for n in files if n.endswith("_trace.csv")]
    stats = ["z/" + n for n in files if n.endswith("_stats.csv")]
    for domain in ("kernel", "hip", "all"):
        for per in ([], ["--per", "rank"]):
            ask = ["-f", "csv", "--domain", domain, *per]
            want = run([*ask, *traces])
            for what, paths in (("folder", ["z"]), ("tar.gz", ["z.tar.gz"]), ("zip", ["z.zip"]),
                                ("statistics first", stats + traces), ("twice", traces + ["z"])):
                same(run([*ask, *paths]), want, "a set, %s (%s)" % (what, " ".join(ask)))
    one = {d: o.Answer(["-q", "-f", "csv", "--domain", d, *traces]).rows for d in ("kernel", "hip", "all")}
    columns = ("name", "calls", "total_ns", "p50_ns", "stddev_ns")
    same(repr(sorted([r[c] for c in columns] for r in one["all"])).encode(),
         repr(sorted([r[c] for c in columns] for r in one["kernel"] + one["hip"])).encode(), "--domain all")
    # Statistics alone say the same as the trace, but for the quantiles.
    got = o.Answer(["-q", "-f", "csv", *stats]).rows
    columns = ("name", "class", "calls", "total_ns", "avg_ns", "min_ns", "max_ns")
    same(repr([[r[c] for c in columns] for r in got]).encode(),
         repr([[r[c] for c in columns] for r in one["kernel"]]).encode(), "statistics of the same runs")
    for a, b in zip(got, one["kernel"]):
        if abs(float(a["stddev_ns"] or 0) - float(b["stddev_ns"] or 0)) > 1e-4:
            bad.append("statistics of the same runs: deviation %s, of the trace %s" % (a["stddev_ns"], b["stddev_ns"]))


def main():
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        nasty = Kind("nasty", gen("--nasty", "--dialect", "rocpd", "--names", "90", str(SMALL)))
        data, rows = rocprof_raw(nasty)
        raw = Kind("raw", data, escaped=False, rows=rows)
        same(raw.want[0], nasty.want[0], "raw: the same names as escaped ones")
        kinds = [Kind("plain", gen(str(SMALL))), nasty, raw,
                 Kind("short", gen("--short", "--agents", "3", "--queues", "5", "--names", "900", str(SMALL // 2))),
                 Kind("6.2", gen("--dialect", "6.2", "--agents", "2", str(SMALL // 2))),
                 Kind("6.3", gen("--dialect", "6.3", str(SMALL // 2))),
                 Kind("hip", gen("--kind", "hip", "--seed", "9", str(SMALL)), domain="hip")]
        # Of a small sample each kind has some of the laws, the next one the others.
        every = 1 if effort.PERCENT >= 20 else 3
        for i, k in enumerate(kinds):
            for law in (truth, jobs, orders, pieces, wrappings, spellings, choices)[i % every::every]:
                law(k)
        large()
        windows()
        ranks()
        sets()
        os.chdir("/")
    for line in bad[:60]:
        print("DIFFERS " + line[:900])
    if absent:
        print("not tried, no such program: " + " ".join(sorted(absent)))
    print("%d kinds of trace, %d files, %d comparisons, %d differences" %
          (len(kinds), counts["files"], counts["comparisons"], len(bad)))
    sys.exit(1 if bad else 0)


main()
