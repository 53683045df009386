#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""databases.py FOLDER...: what SQL finds in every SQLite trace below them, tracecat and kstats find."""
import collections
import csv
import gzip
import io
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

SELF = ("hcc_activity_callback", "rpdflush", "run_to_completion")
ROCPD_DOMAINS = (("HIP_", "hip"), ("HSA_", "hsa"), ("MARKER_", "marker"), ("RCCL_", "rccl"),
                 ("ROCDECODE_", "rocdecode"), ("ROCJPEG_", "rocjpeg"), ("rocm_hip_api", "hip"),
                 ("rocm_hsa_api", "hsa"), ("rocm_marker_api", "marker"))
csv.field_size_limit(1 << 30)


def text(v):
    return "" if v is None or v == "" else str(v)


def number(v):
    """A number as tracecat prints it, or nothing where there is none."""
    if v is None or v == "" or v == "None":
        return ""
    if isinstance(v, str):
        v = int(v, 16) if v.lower().startswith("0x") else int(v)
    return str(int(v)) if v >= 0 else ""


def sizes(*v):
    v = [number(x) for x in v]
    return "x".join(v) if all(v) else ""


def run(*args, ok=(0,)):
    p = subprocess.run(args, capture_output=True, check=False)
    if p.returncode not in ok:
        raise RuntimeError(f"{' '.join(args)}: status {p.returncode}: {p.stderr.decode()[:400]}")
    return p.stdout.decode("utf-8", "surrogateescape")


def rows_of(*args):
    return list(csv.DictReader(io.StringIO(run(*args), newline="")))


class Database:
    def __init__(self, path):
        self.c = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.c.row_factory = sqlite3.Row
        self.tables = [r[0] for r in self.c.execute("SELECT name FROM sqlite_master WHERE type='table'")]

    def has(self, table, column):
        return table in self.tables and any(
            r[1] == column for r in self.c.execute(f'PRAGMA table_info("{table}")'))

    def rows(self, table):
        if table not in self.tables:
            return []
        return [dict(r) for r in self.c.execute(f'SELECT * FROM "{table}"')]

    def by_id(self, table, key="id"):
        return {r[key]: r for r in self.rows(table)}


def event(kind, domain, name, start, end, **more):
    return dict({"kind": kind, "domain": domain, "name": text(name), "start_ns": str(start),
                 "end_ns": str(end)}, **{k: text(v) for k, v in more.items()})


def rocpd_domain(word):
    for beginning, domain in ROCPD_DOMAINS:
        if word and word.startswith(beginning):
            return domain
    return "other"


def rocpd(d):
    """Events of the tables, process by process; joined in Python, so that nothing can vanish."""
    import json
    for anchor in sorted(t for t in d.tables if t.startswith("rocpd_string")):
        x = anchor[len("rocpd_string"):]
        strings = {k: r["string"] for k, r in d.by_id("rocpd_string" + x).items()}
        events = d.by_id("rocpd_event" + x)
        symbols = d.by_id("rocpd_info_kernel_symbol" + x)
        agents = {k: r.get("logical_index", r.get("absolute_index", k))
                  for k, r in d.by_id("rocpd_info_agent" + x).items()}
        pids = {k: r["pid"] for k, r in d.by_id("rocpd_info_process" + x).items()}
        tids = {k: r["tid"] for k, r in d.by_id("rocpd_info_thread" + x).items()}
        tracks = d.by_id("rocpd_track" + x)
        of_event = {}

        def who(r):
            return {"pid": number(pids.get(r.get("pid"))), "tid": number(tids.get(r.get("tid"))),
                    "corr": number(events.get(r.get("event_id"), {}).get("stack_id"))}

        def call(r, name, track):
            e = events.get(r.get("event_id"), {})
            domain = rocpd_domain(strings.get(e.get("category_id")))
            if domain == "marker":
                name = json.loads(e.get("extdata") or "{}").get("message") or name
            return domain, name, dict(who(track), corr=number(e.get("stack_id")))

        for r in d.rows("rocpd_kernel_dispatch" + x):
            s = symbols.get(r["kernel_id"], {})
            of_event.setdefault(r.get("event_id"), r)
            yield event("kernel", "kernel", s.get("display_name") or s.get("kernel_name") or "(unnamed)",
                        r["start"], r["end"], agent=number(agents.get(r["agent_id"])),
                        queue=number(r["queue_id"]), stream=number(r["stream_id"]),
                        dispatch_id=number(r["dispatch_id"]), kernel_id=number(r["kernel_id"]),
                        lds_bytes=number(r.get("group_segment_size")),
                        scratch_bytes=number(r.get("private_segment_size")),
                        vgpr=number(s.get("arch_vgpr_count")), accum_vgpr=number(s.get("accum_vgpr_count")),
                        sgpr=number(s.get("sgpr_count")),
                        workgroup=sizes(*(r["workgroup_size_" + a] for a in "xyz")),
                        grid=sizes(*(r["grid_size_" + a] for a in "xyz")),
                        graph_exec=number(r.get("graph_exec_id")),
                        graph_node=number(r.get("graph_node_id")), **who(r))
        for r in d.rows("rocpd_memory_copy" + x):
            yield event("copy", "copy", strings.get(r["name_id"], "(unnamed)"), r["start"], r["end"],
                        src=number(agents.get(r["src_agent_id"])), dst=number(agents.get(r["dst_agent_id"])),
                        bytes=number(r["size"]), queue=number(r.get("queue_id")),
                        stream=number(r.get("stream_id")), **who(r))
        for r in d.rows("rocpd_memory_allocate" + x):
            yield event("alloc", "scratch" if r["level"] == "SCRATCH" else "alloc", None, r["start"], r["end"],
                        agent=number(agents.get(r["agent_id"])), bytes=number(r["size"]), **who(r))
        for r in d.rows("rocpd_region" + x):
            domain, name, more = call(r, strings.get(r["name_id"], "(unnamed)"), r)
            yield event("api", domain, name, r["start"], r["end"], **more)
        pmc = d.rows("rocpd_pmc_event" + x)
        counted = {r["event_id"] for r in pmc}
        streamed = {r.get("sample_id") for r in pmc} - {None}
        for r in d.rows("rocpd_sample" + x):
            track = tracks.get(r["track_id"], {})
            domain, name, more = call(r, strings.get(track.get("name_id"), "(unnamed)"), track)
            if domain != "other" or (r.get("event_id") not in counted and r["id"] not in streamed):
                yield event("api", domain, name, r["timestamp"], r["timestamp"], **more)
        sums = collections.defaultdict(float)
        names = {k: r["name"] for k, r in d.by_id("rocpd_info_pmc" + x).items()}
        moments = d.by_id("rocpd_sample" + x)
        of_sample = {r.get("event_id"): r for r in moments.values() if r.get("event_id") is not None}
        for r in pmc:
            sums[r["event_id"], r.get("sample_id"), names.get(r["pmc_id"])] += r["value"]
        for (e, moment, counter), value in sums.items():
            r, m = of_event.get(e), moments.get(moment) or of_sample.get(e)
            if m:
                yield event("counter", "kernel", None, m["timestamp"], m["timestamp"], counter=counter,
                            value=repr(value))
            elif r:
                s = symbols.get(r["kernel_id"], {})
                yield event("counter", "kernel", s.get("display_name") or "(unnamed)", r["start"], r["end"],
                            counter=counter, value=repr(value), dispatch_id=number(r["dispatch_id"]))
        for r in d.rows("rocpd_graph_launch" + x):
            yield event("api", "other", "graph launch", r["start"], r["end"], agent=number(agents.get(r["agent_id"])),
                        graph_exec=number(r["graph_exec_id"]), **who(r))


def rpd(d):
    strings = {r["id"]: r["string"] for r in d.rows("rocpd_string")}
    args = {r["id"]: r["string"] for r in d.rows("rocpd_ustring")} or strings
    api = d.by_id("rocpd_api")
    key = "api_id" if d.has("rocpd_kernelapi", "api_id") else "api_ptr_id"
    launches, copies = d.by_id("rocpd_kernelapi", key), d.by_id("rocpd_copyapi", key)
    call_of = {}
    for r in d.rows("rocpd_api_ops"):
        call_of.setdefault(r["op_id"], r["api_id"])
    meta = {r["tag"]: r["value"] for r in d.rows("rocpd_metadata")}
    pid = meta.get("pid") if key == "api_id" else None
    for r in d.rows("rocpd_op"):
        a = call_of.get(r["id"])
        call, k, c = api.get(a, {}), launches.get(a, {}), copies.get(a, {})
        kind, what = strings[r["opType_id"]], strings[r["description_id"]]
        more = {"agent": number(r["gpuId"]), "queue": number(r["queueId"]), "corr": number(a),
                "pid": number(call.get("pid", pid)), "tid": number(call.get("tid")),
                "stream": number(k.get("stream", c.get("stream")))}
        if kind.startswith("Copy") or kind == "FillBuffer":
            size = number(c.get("size"))
            if not size and number(c.get("width")) and number(c.get("height")):
                size = str(c["width"] * c["height"])
            if not size and ":" in what:
                size = what.split(":")[1]
            yield event("copy", "copy", kind, r["start"], r["end"], bytes=size, **more)
        elif kind == "UserMarker":
            yield event("api", "marker", what or kind, r["start"], r["end"], **dict(more, agent="", queue=""))
        else:
            wg = [k.get("workgroup" + x) for x in "XYZ"]
            grid = [k.get("grid" + x) for x in "XYZ"]
            if k and strings.get(call.get("apiName_id")) not in ("hipExtModuleLaunchKernel",
                                                                 "hipHccModuleLaunchKernel"):
                grid = [g * w for g, w in zip(grid, wg)]
            yield event("kernel", "kernel", what or kind, r["start"], r["end"], workgroup=sizes(*wg),
                        grid=sizes(*grid), lds_bytes=number(k.get("groupSegmentSize")), **more)
    for r in d.rows("rocpd_api"):
        name = strings[r["apiName_id"]]
        if name in SELF or name.endswith("::writeRows"):
            continue
        domain = ("hip" if name.startswith(("hip", "__hip")) else "hsa" if name.startswith("hsa_") else
                  "marker" if name == "UserMarker" else "rccl" if name.startswith(("nccl", "rccl")) else "other")
        if domain == "marker":
            name = args.get(r["args_id"]) or name
        yield event("api", domain, name, r["start"], r["end"], pid=number(r["pid"]), tid=number(r["tid"]),
                    corr=number(r["id"]))
    ops = d.by_id("rocpd_op")
    for r in d.rows("rocpd_counter"):
        o = ops[r["op_id"]]
        yield event("counter", "kernel", strings[o["description_id"]], o["start"], o["end"],
                    counter=strings[r["name_id"]], value=repr(r["value"]))
    for r in d.rows("rocpd_monitor"):
        agent = r["deviceType"].upper() + " " + str(r["deviceId"]) if r["deviceType"] in ("gpu", "cpu") else ""
        yield event("counter", "kernel", None, r["start"], r["end"], counter=r["monitorType"],
                    value=repr(float(r["value"])), agent=agent)


def unquoted(name):
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


def rocprofv1(d):
    ops = d.rows("OPS")
    known = {"Index", "KernelName", "gpu-id", "queue-id", "queue-index", "pid", "tid", "grd", "wgr", "lds",
             "scr", "arch_vgpr", "vgpr", "accum_vgpr", "sgpr", "fbar", "wave_size", "sig", "obj", "DispatchNs",
             "BeginNs", "EndNs", "CompleteNs", "DurationNs"}
    for r in d.rows("KERN" if "KERN" in d.tables else "A"):
        e = dict(agent=number(r["gpu-id"]), queue=number(r["queue-id"]), pid=number(r["pid"]),
                 tid=number(r["tid"]), workgroup=number(r["wgr"]), grid=number(r["grd"]),
                 lds_bytes=number(r["lds"]), scratch_bytes=number(r["scr"]), sgpr=number(r["sgpr"]),
                 vgpr=number(r.get("arch_vgpr", r.get("vgpr"))), dispatch_id=number(r["Index"]))
        if not ops:
            yield event("kernel", "kernel", unquoted(r["KernelName"]), r["BeginNs"], r["EndNs"], **e)
        for name, v in r.items():
            if name not in known and v not in (None, "None"):
                yield event("counter", "kernel", unquoted(r["KernelName"]), r["BeginNs"], r["EndNs"],
                            counter=name, value=repr(float(v)), **e)
    for table, kind in (("OPS", "kernel"), ("COPY", "copy")):
        for r in d.rows(table):
            old = "__section" not in r
            yield event(kind, kind, unquoted(r["Name"]), r["BeginNs"], r["EndNs"], corr=number(r["Index"]),
                        agent=number(r.get("dev-id")), queue=number(r.get("queue-id")),
                        pid=number(r["proc-id"] if old else r["pid"]), tid="" if old else number(r["tid"]),
                        stream=number(r["tid"] if old else r.get("stream-id")))
    for table in ("HIP", "HSA", "rocTX"):
        for r in d.rows(table):
            old = "__section" not in r
            yield event("api", "marker" if table == "rocTX" else table.lower(),
                        unquoted(r["Name"]) if table == "rocTX" and old else r["Name"], r["BeginNs"],
                        r["EndNs"], tid=number(r["tid"]), pid="" if old else number(r["pid"]),
                        corr="" if table == "rocTX" else number(r["Index"]))


def dialect(d):
    if d.c.execute("PRAGMA application_id").fetchone()[0]:
        return None
    if "rocpd_op" in d.tables:
        return rpd
    if any(t.startswith("rocpd_kernel_dispatch") for t in d.tables):
        return rocpd
    if "KERN" in d.tables or "HIP" in d.tables:
        return rocprofv1
    return None


def bare(name):
    """A kernel's name as far as it says the same before and after tidying."""
    name = re.sub(r'( \[clone \.kd\]|\.kd)$', "", name)
    return None if name.startswith("_Z") else name


def compare(path, want, got):
    """Events of both sides by their times; cell by cell for what SQL told."""
    key = lambda e: (e["kind"], e["domain"], e["start_ns"], e["end_ns"], e.get("counter", ""))
    mine = sorted(got, key=lambda e: (key(e), e["name"], e["corr"], e["tid"], e["dispatch_id"]))
    theirs = sorted(want, key=lambda e: (key(e), e["name"], e.get("corr", ""), e.get("tid", ""),
                                         e.get("dispatch_id", "")))
    if len(mine) != len(theirs):
        return f"{len(mine)} events, SQL finds {len(theirs)}"
    groups = collections.defaultdict(lambda: ([], []))
    for side, events in enumerate((theirs, mine)):
        for e in events:
            groups[key(e)][side].append(e)
    for where, (a, b) in groups.items():
        if len(a) != len(b):
            return f"{where}: {len(b)} events, SQL finds {len(a)}"
        for cell in sorted({c for e in a for c in e}):
            if cell == "name":
                if where[0] == "alloc":
                    continue
                x = sorted(bare(e["name"]) for e in a if bare(e["name"]) is not None)
                if len(x) < len(a):
                    continue
                y = sorted(e["name"] for e in b)
            elif cell == "value":
                x = sorted(float(e[cell]) for e in a)
                y = sorted(float(e[cell] or "nan") for e in b)
            else:
                x = sorted(e.get(cell, "") for e in a)
                y = sorted(e.get(cell) or "" for e in b)
            if x != y:
                return f"{where}: {cell}: {y[:3]}, SQL finds {x[:3]}"
    return None


def check_top(path, want):
    sums = collections.Counter()
    calls = collections.Counter()
    for e in want:
        if e["kind"] != "counter" and not (e["kind"] == "alloc" and not e["name"]):
            sums[e["domain"]] += int(e["end_ns"]) - int(e["start_ns"])
            calls[e["domain"]] += 1
    for domain in ("kernel", "copy", "hip", "hsa", "marker"):
        if not calls[domain]:
            continue
        rows = rows_of("kstats", "top", "-q", "-f", "csv", "--domain", domain, path)
        got = sum(int(r["calls"]) for r in rows), sum(int(r["total_ns"]) for r in rows)
        if got != (calls[domain], sums[domain]):
            return f"kstats --domain {domain}: {got}, SQL finds {(calls[domain], sums[domain])}"
    return None


def check(path, tmp):
    plain = path
    if path.endswith(".gz"):
        plain = os.path.join(tmp, "unpacked")
        with gzip.open(path) as f, open(plain, "wb") as out:
            out.write(f.read())
    d = Database(plain)
    reader = dialect(d)
    if not reader:
        return None, 0
    # What ends before it begins, or has no time, is left out, and counted.
    want = [e for e in reader(d) if e["start_ns"].isdigit() and int(e["start_ns"]) <= int(e["end_ns"])]
    if not want:
        return None, 0
    got = rows_of("tracecat", "-q", path)
    for e in got:
        e["kind"] = "api" if e["kind"] == "marker" else e["kind"]
    return compare(path, want, got) or check_top(path, want), len(want)


def magic(path):
    op = gzip.open if path.endswith(".gz") else open
    try:
        with op(path, "rb") as f:
            return f.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def check_ranks(paths, tmp):
    """tracemerge keeps every rank apart, with the sums it had alone."""
    out = os.path.join(tmp, "run.db")
    run("tracemerge", "-q", "-o", out, *paths)
    rows = rows_of("kstats", "top", "-q", "-f", "csv", "--per", "rank", out)
    for i, path in enumerate(paths):
        c = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        want = c.execute("SELECT count(*), sum(o.end-o.start) FROM rocpd_op o JOIN rocpd_string s ON "
                         "s.id=o.opType_id WHERE s.string NOT LIKE 'Copy%' AND s.string<>'FillBuffer'").fetchone()
        mine = [r for r in rows if r["rank"] == str(i)]
        got = sum(int(r["calls"]) for r in mine), sum(int(r["total_ns"]) for r in mine)
        if got != want:
            return f"rank {i} merged: {got}, alone {want}"
    return None


def main(folders):
    bad = files = events = 0
    ranks = []
    with tempfile.TemporaryDirectory() as tmp:
        for folder in folders:
            for place, _, names in sorted(os.walk(folder)):
                for name in sorted(names):
                    path = os.path.join(place, name)
                    if not os.path.isfile(path) or not magic(path):
                        continue
                    try:
                        problem, n = check(path, tmp)
                    except (RuntimeError, sqlite3.Error, KeyError) as e:
                        problem, n = f"{type(e).__name__}: {e}", 0
                    files += n > 0
                    events += n
                    if re.match(r'trace_\d+\.rpd$', name) and n:
                        ranks.append(path)
                    if problem:
                        bad += 1
                        print(f"{path}: {problem}")
        if ranks:
            problem = check_ranks(ranks, tmp)
            if problem:
                bad += 1
                print(problem)
    print(f"{files} databases, {events} events, {len(ranks)} ranks merged, {bad} wrong")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
