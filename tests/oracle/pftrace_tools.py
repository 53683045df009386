# SPDX-License-Identifier: MIT
"""The tools on Perfetto traces: see pftrace_tools.sh.   pftrace_tools.py [TRACES]

`tracecat -f csv` must have every kernel, copy, call and counter sample of the truth files, with every field
that the truth and tracecat both have; of a trace with losses, a part of them that is right in every
field.  `kstats top` and `tracecat` of a generated run must be the same from pftrace and from CSV.  A trace
that several threads read in ranges has the answer that one has."""
import csv
import glob
import io
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

import csv_oracle as o

bad = 0
compared = 0


def fail(text):
    global bad
    bad += 1
    print("DIFFERS " + text)


def tool(*args):
    p = subprocess.run(args, capture_output=True, check=False)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.decode("utf-8", "surrogateescape"), newline="")))


def table(path):
    with open(path, newline="", encoding="utf-8", errors="surrogateescape") as f:
        return list(csv.DictReader(f))


def unpacked(path, folder):
    if not path.endswith(".zst"):
        return path
    out = os.path.join(folder, os.path.basename(path)[:-4])
    subprocess.run(["zstd", "-qdkf", path, "-o", out], check=True)
    return out


def last_number(text):
    """Agent-2, Agent 2, GPU 2, 2"""
    m = re.search(r"(\d+)$", text)
    return m.group(1) if m else text


def size(text):
    """256, 64x4x1"""
    n = 1
    for part in text.split("x"):
        n *= int(part)
    return str(n)


# Field of the truth file -> column of tracecat; what a style of producer does not write stands in the truth
# file all the same, and is left out.
FIELDS = {"name": "name", "start_ns": "start_ns", "end_ns": "end_ns", "agent": "agent", "queue": "queue",
          "stream": "stream", "corr_id": "corr", "kernel_id": "kernel_id", "tid": "tid",
          "workgroup_size": "workgroup", "grid_size": "grid", "lds": "lds_bytes", "scratch": "scratch_bytes",
          "vgpr": "vgpr", "accum_vgpr": "accum_vgpr", "sgpr": "sgpr"}
NO_COLUMN = {"category": "all are of --kind kernel", "track": "tracecat has no column for it",
             "dur_ns": "compared as end_ns - start_ns"}
NOT_WRITTEN = {"rocm62": ["stream", "vgpr", "accum_vgpr", "sgpr"],
               "sys_": ["tid", "vgpr", "accum_vgpr", "sgpr"], "": []}
# Variant -> whose truth it has, the least share that is left, what must be said, status.
VARIANT = {
    "tiny_nul": ("tiny", 1, "", 0), "tiny_unknown": ("tiny", 1, "", 0), "tiny_deflate_one": ("tiny", 1, "", 0),
    "small_deflate": ("small", 1, "", 0),
    "small_trunc": ("small", 0.5, "the file ends inside a packet", 2),
    "small_loss": ("small", 0.98, "packets were dropped", 0),
}


def fields_of(stem):
    style = next(s for s in NOT_WRITTEN if s in stem)
    return {k: v for k, v in FIELDS.items() if k not in NOT_WRITTEN[style]}, NOT_WRITTEN[style]


def same(what, got, want, at_least):
    """Equal multisets; if at_least is below 1, a part."""
    global compared
    more, fewer = got - want, want - got
    compared += sum(got.values())
    if not want:
        fail(what + ": the truth file is empty")
    elif more or (fewer and at_least == 1) or sum(got.values()) < at_least * sum(want.values()):
        fail("%s: %d rows, truth has %d; not in the truth: %s; missing: %s" %
             (what, sum(got.values()), sum(want.values()), str(list(more)[:1])[:500],
              str(list(fewer)[:1])[:500]))


def kernels(path, stem, truth, at_least):
    fields, absent = fields_of(stem)
    status, out, said = tool("tracecat", "--kind", "kernel", "-f", "csv", path)
    got = Counter()
    for e in rows_of(out):
        row = {k: e[c] for k, c in fields.items()}
        row["agent"] = last_number(row["agent"])
        row["workgroup_size"], row["grid_size"] = size(e["workgroup"]), size(e["grid"])
        got[(e["kind"], int(e["end_ns"]) - int(e["start_ns"])) + tuple(row.values())] += 1
    ident = o.identities({r["name"].encode("utf-8", "surrogateescape").decode("latin-1") for r in truth})
    ident = {k.encode("latin-1").decode("utf-8", "surrogateescape"):
             v.encode("latin-1").decode("utf-8", "surrogateescape") for k, v in ident.items()}
    want = Counter()
    for r in truth:
        row = {k: r[k] for k in fields}
        row["name"], row["agent"] = ident[r["name"]], last_number(r["agent"])
        want[("kernel", int(r["dur_ns"])) + tuple(row.values())] += 1
    same(stem + ": kernels", got, want, at_least)
    left = sorted(set(truth[0]) - set(fields) - {"dur_ns"})
    print("%s: %d kernels, compared %s; LEFT OUT: %s" % (stem, sum(got.values()), " ".join(fields), ", ".join(
        "%s (%s)" % (k, "this producer does not write it" if k in absent else NO_COLUMN[k]) for k in left)))
    return status, said


def others(path, stem, truth, at_least):
    """Slices that are no kernels, and samples of counters."""
    if "slices" in truth:
        _, out, _ = tool("tracecat", "-q", "--kind", "copy,api,marker", "-f", "csv", path)
        got = Counter((e["domain"] if e["kind"] == "copy" else e["domain"] + "_api", e["name"], e["start_ns"],
                       e["end_ns"], e["corr"], e["tid"]) for e in rows_of(out))
        want = Counter((re.sub("^memory_", "", r["category"]), r["name"], r["start_ns"], r["end_ns"],
                        r["corr_id"], r["tid"]) for r in truth["slices"] if r["category"] != "kernel_dispatch")
        same(stem + ": copies and calls", got, want, at_least)
    if "counters" in truth:
        _, out, _ = tool("tracecat", "-q", "--kind", "counter", "-f", "csv", path)
        got = Counter((e["counter"], e["start_ns"], float(e["value"])) for e in rows_of(out))
        # The file has values as written; the track says they count in units of 1024 bytes.
        want = Counter((r["track"], r["ts"], float(r["value"]) * (1024 if "BYTES" in r["track"] else 1))
                       for r in truth["counters"])
        # They come last, so a cut or damaged file may have none.
        same(stem + ": counter samples", got, want, 1 if at_least == 1 else 0)


def sdk_traces(shared, folder):
    truths, seen = {}, set()
    for path in sorted(glob.glob(os.path.join(shared, "*.csv*"))):
        stem, kind = re.match(r"(.*?)\.(?:pftrace|proto)\.(\w+)\.csv", os.path.basename(path)).groups()
        truths.setdefault(stem, {})[kind] = table(unpacked(path, folder))
    for path in sorted(glob.glob(os.path.join(shared, "*"))):
        m = re.match(r"(.*)\.(?:pftrace|proto)(\.zst)?$", os.path.basename(path))
        if not m:
            continue
        stem = m.group(1)
        of, at_least, must_say, must_be = VARIANT.get(stem, (stem, 1, "", 0))
        if of not in truths:
            fail(stem + ": no truth file")
            continue
        plain = unpacked(path, folder)
        status, said = kernels(plain, stem, truths[of]["truth"], at_least)
        if must_say not in said or bool(must_say) != bool(said) or status != must_be:
            fail("%s: status %d, said %r" % (stem, status, said))
        others(plain, stem, truths[of], at_least)
        seen.add(of)
    for stem in truths:
        if stem not in seen:
            fail(stem + ": a truth file and no trace")
    if len(seen) < 7:
        fail("only %d traces with a truth file" % len(seen))


# Columns that a pftrace has otherwise than the CSV: it gives products of sizes; the id of a dispatch and
# the id of the process are not in both.
ALIKE = ("kind,tid,agent,queue,stream,corr,name,start_ns,end_ns,lds_bytes,scratch_bytes,vgpr,accum_vgpr,"
         "sgpr,class,domain,kernel_id")


def both_forms(folder):
    """A generated run as pftrace and as CSV: the same answers.  No kernels of a queue overlap in it, so
    nothing is clipped, and no name has a suffix: these differences are tried on a real run in pftrace.py."""
    for i, options in enumerate((["1500000"], ["--by-queue", "--agents", "2", "2000000"],
                                 ["--pmc", "3", "--names", "40", "1000000"],
                                 ["--streams", "16", "--agents", "4", "--rank", "3", "--seed", "9", "3000000"])):
        pftrace, plain = (os.path.join(folder, "run%d%s" % (i, end)) for end in (".pftrace", "_kernel_trace.csv"))
        for path, more in ((pftrace, []), (plain, ["--csv"])):
            with open(path, "wb") as f:
                subprocess.run(["gen_pftrace", *more, *options], stdout=f, check=True)
        rank = options[options.index("--rank") + 1] if "--rank" in options else "0"
        for per in ("", "rank", "agent", "agent,queue", "stream", "agent,queue,stream"):
            args = ["kstats", "top", "-q", "-f", "csv", *(["--per", per] if per else [])]
            a, b = tool(*args, "%s=%s" % (rank, pftrace)), tool(*args, "%s=%s" % (rank, plain))
            if a != b or a[0] or a[1].count(b"\n") < 10:
                fail("kstats top --per '%s', gen_pftrace %s: pftrace and CSV differ: %r %r" %
                     (per, " ".join(options), a[1][:200], b[1][:200]))
        args = ["tracecat", "-q", "--kind", "kernel", "--sort", "start_ns"]
        a, b = (tool(*args, "--columns", ALIKE, p)[1] for p in (pftrace, plain))
        if a != b or a.count(b"\n") < 100:
            fail("tracecat, gen_pftrace %s: pftrace and CSV differ" % " ".join(options))
        a, b = ([(size(r["workgroup"]), size(r["grid"])) for r in
                 rows_of(tool(*args, "--columns", "workgroup,grid", p)[1])] for p in (pftrace, plain))
        if a != b:
            fail("tracecat, gen_pftrace %s: sizes differ" % " ".join(options))


def in_ranges(folder):
    """A trace large enough to be read in ranges: pairs of them by two threads, ranges of one size by more.
    Whole, two runs one behind the other, with a slice that is open where ranges end, and cut short."""
    run, open_one = os.path.join(folder, "large.pftrace"), os.path.join(folder, "open.pftrace")
    for options in (["70000000"], ["--by-queue", "--agents", "2", "--pmc", "2", "35000000"]):
        with open(run, "ab" if options[0] == "--by-queue" else "wb") as f:
            subprocess.run(["gen_pftrace", *options], stdout=f, check=True)
        if options[0] == "--by-queue":
            os.truncate(run, os.path.getsize(run) - 1234567)
        for more in ([], ["--per", "agent,queue", "-k", "Cijk", "--domain", "all"]):
            said = [tool("kstats", "top", "-f", "csv", "-j", jobs, *more, run) for jobs in "123"]
            if said[1] != said[0] or said[2] != said[0] or said[0][1].count(b"\n") < 5:
                fail("kstats top %s of %s: -j 1, 2 and 3 differ: %r" %
                     (" ".join(more), " ".join(options), [(s[0], len(s[1]), s[2][:200]) for s in said]))
    # TracePacket {timestamp, track_event {type BEGIN, track 7, name}, sequence 9}: it never ends.
    event = bytes.fromhex("48015807") + b"\xba\x01\x04open"
    packet = b"\x40\x05\x5a" + bytes([len(event)]) + event + b"\x50\x09"
    with open(open_one, "wb") as f, open(run, "rb") as g:
        f.write(b"\x0a" + bytes([len(packet)]) + packet)
        f.write(g.read(80000000))
    said = [tool("kstats", "top", "-f", "csv", "-j", jobs, open_one) for jobs in "123"]
    if said[1] != said[0] or said[2] != said[0] or said[0][1].count(b"\n") < 5:
        fail("kstats top with an open slice: -j 1, 2 and 3 differ: %r" % [(s[0], len(s[1]), s[2][:200]) for s in said])


def two_executions(real):
    """A program traced twice by rocprofv3 of 6.2 or 6.3, as pftrace and as CSV.  Times differ, for they are
    not of one run; which kernels were launched, where and in which shapes does not."""
    folder = os.path.join(real, "csc-training+hip-programming/demos/rocprofv3-tracing")
    seen = []
    for name in ("results.pftrace", "kernel_trace.csv"):
        _, out, _ = tool("tracecat", "-q", "--kind", "kernel", os.path.join(folder, name))
        seen.append(Counter((e["name"], e["agent"], e["queue"], e["corr"], e["kernel_id"], size(e["workgroup"]),
                             size(e["grid"]), e["lds_bytes"], e["scratch_bytes"]) for e in rows_of(out)))
    same("rocprofv3 6.2/6.3, two executions: kernels", seen[0], seen[1], 1)


with tempfile.TemporaryDirectory() as tmp:
    if len(sys.argv) > 1:
        sdk_traces(sys.argv[1], tmp)
        two_executions(os.path.join(sys.argv[1], "..", "real"))
    both_forms(tmp)
    in_ranges(tmp)
print("%d rows compared, %d differences" % (compared, bad))
sys.exit(1 if bad else 0)
