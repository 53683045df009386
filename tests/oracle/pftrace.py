# SPDX-License-Identifier: MIT
"""Perfetto traces against the truth: see pftrace.sh.   pftrace.py DATA

dump_events (the reader's interface as CSV) must give every kernel, slice and counter sample of the
truth files, no more and no fewer; variants with losses must give a part of them that is right in
every field.  Where a run exists as CSV too, `kstats top` of both must agree but for what rocprofv3
is known to write differently."""
import csv
import glob
import io
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

data = sys.argv[1]
build = os.environ.get("BUILD", "build/bin")
bad = 0


def fail(text):
    global bad
    bad += 1
    print(text)


def unpacked(path, folder):
    """The file, out of zstd; the tools would read it as it is, the comparison wants plain bytes."""
    if not path.endswith(".zst"):
        return path
    out = os.path.join(folder, os.path.basename(path)[:-4])
    if not os.path.exists(out):
        subprocess.run(["zstd", "-qdk", path, "-o", out], check=True)
    return out


def table(path):
    with open(path, newline="", encoding="utf-8", errors="surrogateescape") as f:
        return list(csv.DictReader(f))


def events(path):
    run = subprocess.run([os.path.join(build, "dump_events"), path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    if run.returncode:
        fail(f"{path}: dump_events: status {run.returncode}: {run.stderr.decode()}")
    text = run.stdout.decode("utf-8", "surrogateescape")
    return list(csv.DictReader(io.StringIO(text, newline=""))), run.stderr.decode()


def last_number(text):
    """Agent-2, Agent 2, GPU 2, 2"""
    m = re.search(r"(\d+)$", text)
    return m.group(1) if m else text


def size(e, what):
    if e[what]:
        return e[what]
    if e[what + "_x"]:
        return str(int(e[what + "_x"]) * int(e[what + "_y"]) * int(e[what + "_z"]))
    return ""


DISPATCH, COPY, API, SAMPLE = "kernel dispatch", "copy", "API call", "counter value"
SAME = {"name": "name", "start_ns": "start_ns", "end_ns": "end_ns", "queue": "queue", "corr_id": "corr",
        "kernel_id": "kernel_id", "lds": "lds_bytes", "scratch": "scratch_bytes"}
# What a style does not write is in the truth files all the same.
V7 = {"stream": "stream", "tid": "tid", "vgpr": "vgpr", "accum_vgpr": "accum_vgpr", "sgpr": "sgpr"}
STYLE = {"rocm62": {"tid": "tid"}, "sys": {"stream": "stream"}}


def style_of(name):
    return "rocm62" if "rocm62" in name else "sys" if "sys_" in name else "v7"


def kernels_of_truth(rows, fields):
    return Counter(tuple(last_number(r["agent"]) if k == "agent" else r[k]
                         for k in list(fields) + ["agent", "workgroup_size", "grid_size"]) for r in rows)


def kernels_of_events(rows, fields):
    return Counter(tuple(e[c] for c in fields.values()) +
                   (last_number(e["agent"]), size(e, "workgroup"), size(e, "grid"))
                   for e in rows if e["kind"] == DISPATCH)


KIND = {DISPATCH: "kernel_dispatch", COPY: "memory_copy"}


def slices_of_events(rows):
    out = Counter()
    for e in rows:
        if e["kind"] in (DISPATCH, COPY, API):
            cat = KIND.get(e["kind"]) or e["domain"] + "_api"
            out[cat, e["name"], e["start_ns"], e["end_ns"], e["corr"], e["tid"]] += 1
    return out


def slices_of_truth(rows):
    return Counter((r["category"], r["name"], r["start_ns"], r["end_ns"], r["corr_id"], r["tid"])
                   for r in rows)


def samples_of_events(rows):
    return Counter((e["counter"], e["start_ns"], float(e["value"]))
                   for e in rows if e["kind"] == SAMPLE and not e["name"])


def samples_of_truth(rows):
    # The file has values as written; the track says they count in units of 1024 bytes.
    return Counter((r["track"], r["ts"], float(r["value"]) * (1024 if "BYTES" in r["track"] else 1))
                   for r in rows)


def equal(path, what, got, want):
    if not want:
        fail(f"{path}: no {what} in the truth file")
    if got != want:
        more, fewer = got - want, want - got
        fail(f"{path}: {what}: {sum(got.values())}, truth has {sum(want.values())}; "
             f"{sum(more.values())} too many, such as {str(list(more)[:1])[:400]}, "
             f"{sum(fewer.values())} missing, such as {str(list(fewer)[:1])[:400]}")


def part(path, what, got, want, at_least):
    if got - want:
        fail(f"{path}: {what} that are not so: {list(got - want)[:2]}")
    if sum(got.values()) < at_least * sum(want.values()):
        fail(f"{path}: only {sum(got.values())} of {sum(want.values())} {what}")


def check(path, truth, partial, at_least, must_say):
    name = os.path.basename(path)
    fields = dict(SAME, **STYLE.get(style_of(name), V7))
    rows, said = events(path)
    compare = (lambda p, w, g, t: part(p, w, g, t, at_least)) if partial else equal
    compare(name, "kernels", kernels_of_events(rows, fields),
            kernels_of_truth(truth["truth"], fields))
    if "slices" in truth:
        compare(name, "slices", slices_of_events(rows), slices_of_truth(truth["slices"]))
    if "counters" in truth:
        if partial:
            at_least = 0  # they come last
        compare(name, "counter samples", samples_of_events(rows), samples_of_truth(truth["counters"]))
    if must_say not in said or bool(must_say) != bool(said):
        fail(f"{name}: said {said!r}, not {must_say!r}")


# Variants of a trace: whose truth they have, and what is lost: share that must be left, message.
VARIANT = {
    "tiny_nul": ("tiny", 1, ""), "tiny_unknown": ("tiny", 1, ""), "tiny_deflate_one": ("tiny", 1, ""),
    "small_deflate": ("small", 1, ""),
    "small_trunc": ("small", 0.5, "the file ends inside a packet"),
    "small_loss": ("small", 0.98, "packets were dropped"),
}


def sdk_traces(folder):
    truths, seen = {}, 0
    shared = os.path.join(data, "sdk_traces")
    for path in sorted(glob.glob(os.path.join(shared, "*.csv*"))):
        stem, kind = re.match(r"(.*?)\.(?:pftrace|proto)\.(\w+)\.csv", os.path.basename(path)).groups()
        truths.setdefault(stem, {})[kind] = table(unpacked(path, folder))
    files = [p for p in sorted(glob.glob(os.path.join(shared, "*")))
             if re.search(r"\.(pftrace|proto)(\.zst)?$", p)]
    for path in files:
        stem = re.match(r"(.*)\.(pftrace|proto)", os.path.basename(path)).group(1)
        of, left, say = VARIANT.get(stem, (stem, 1, ""))
        if of not in truths:
            fail(f"{path}: no truth file")
            continue
        check(unpacked(path, folder), truths[of], left < 1, left, say)
        seen += 1
    if seen < 10:
        fail(f"{shared}: only {seen} traces")
    # Two ranks in one file, with the stray byte rocprof-sys leaves between them.
    both = os.path.join(folder, "ranks.pftrace")
    with open(both, "wb") as out:
        for rank in ("rank0", "rank1"):
            with open(os.path.join(folder, rank + ".pftrace"), "rb") as f:
                out.write(f.read() + b"\0")
    check(both, {"truth": truths["rank0"]["truth"] + truths["rank1"]["truth"]}, False, 1, "")


def top(path, domain):
    columns = "name,calls,total_ns,min_ns,max_ns,p50_ns,stddev_ns"
    run = subprocess.run([os.path.join(build, "kstats"), "top", "-q", "-f", "csv", "--domain", domain,
                          "--columns", columns, path], stdout=subprocess.PIPE, check=False)
    return run.stdout


def clipped(path, out):
    """The kernels of a CSV with their times as rocprofv3 7.0 and later write them into a pftrace: where
    two of one queue overlap, both are cut in the middle of the overlap."""
    rows, last, moved = table(path), {}, 0
    for r in sorted(rows, key=lambda r: int(r["Start_Timestamp"])):
        prev = last.get((r["Agent_Id"], r["Queue_Id"]))
        if prev and int(prev["End_Timestamp"]) > int(r["Start_Timestamp"]):
            start = int(r["Start_Timestamp"])
            middle = str(start + (int(prev["End_Timestamp"]) - start) // 2)
            prev["End_Timestamp"] = r["Start_Timestamp"] = middle
            moved += 1
        last[r["Agent_Id"], r["Queue_Id"]] = r
    with open(out, "w", newline="", encoding="utf-8", errors="surrogateescape") as f:
        w = csv.DictWriter(f, rows[0].keys(), quoting=csv.QUOTE_NONNUMERIC)
        w.writeheader()
        for r in rows:
            w.writerow({k: int(v) if v.isdigit() else v for k, v in r.items()})
    return moved


def both_forms(folder):
    """A run of rocprofv3 7.1 as CSV set and as pftrace.  Known differences: names of kernels end in .kd
    in the pftrace (kstats takes that off); kernels of one queue that overlap are clipped there; the
    queue counts from 0 there; LDS is what the dispatch asked for, rounded otherwise than in the CSV."""
    run = os.path.join(data, "real/walkinglabs+microLLM-rocm/docs/optimization-log/experiments/"
                       "099-data/profile/r8s4/2659034_")
    if not os.path.exists(run + "results.pftrace"):
        fail("the run with both forms is missing")
        return
    kernel_csv = os.path.join(folder, "clipped_kernel_trace.csv")
    if not clipped(run + "kernel_trace.csv", kernel_csv):
        fail("no kernels overlap: the clipping is not tried")
    for domain, file in (("kernel", kernel_csv), ("hip", run + "hip_api_trace.csv"),
                         ("copy", run + "memory_copy_trace.csv")):
        a, b = top(run + "results.pftrace", domain), top(file, domain)
        if a != b or a.count(b"\n") < 2:
            fail(f"kstats top --domain {domain}: pftrace and CSV differ:\n"
                 f"{a.decode()[:600]}\n{b.decode()[:600]}")
    fields = ("name", "start_ns", "end_ns", "agent", "stream", "tid", "corr", "kernel_id", "scratch_bytes",
              "vgpr", "accum_vgpr", "sgpr")
    kernels = []
    for file in (run + "results.pftrace", kernel_csv):
        rows, _ = events(file)
        kernels.append(Counter(tuple(re.sub(r"( \[clone \.kd\]|\.kd)$", "", e[c]) for c in fields) +
                               (size(e, "workgroup"), size(e, "grid"))
                               for e in rows if e["kind"] == DISPATCH))
    equal("2659034", "kernels", kernels[0], kernels[1])


with tempfile.TemporaryDirectory() as tmp:
    sdk_traces(tmp)
    both_forms(tmp)
sys.exit(1 if bad else 0)
