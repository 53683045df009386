# SPDX-License-Identifier: MIT
"""JSON traces beside Python's json: see trace_json.sh.   trace_json.py FOLDER...

Every file whose content is a trace is read whole with json and decimal arithmetic, each dialect by a
few lines written from its description, and dump_events (the reader's interface as CSV) must give
the same rows with the same names, times, ids and sizes: no more, no fewer.  Sums by kernel so agree
to the nanosecond.  Broken files must be refused or read to their fault."""
import csv
import gzip
import io
import json
import re
import os
import subprocess
import sys
from collections import Counter
from decimal import ROUND_DOWN, Decimal

build = os.environ.get("BUILD", "build/bin")
bad = 0
files = 0
rows = 0

FIELDS = ("kind", "name", "domain", "start", "end", "agent", "queue", "stream", "pid", "tid", "corr",
          "lds", "sgpr", "wg", "grid", "wg_x", "wg_y", "wg_z", "grid_x", "grid_y", "grid_z", "bytes",
          "src", "dst", "counter", "value")
# Those that dump_events heads with another word.
HEAD = {"start": "start_ns", "end": "end_ns", "lds": "lds_bytes", "wg": "workgroup", "wg_x": "workgroup_x",
        "wg_y": "workgroup_y", "wg_z": "workgroup_z"}


def fail(text):
    global bad
    bad += 1
    print(text)


def events(path):
    run = subprocess.run([os.path.join(build, "dump_events"), path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    text = run.stdout.decode("utf-8", "surrogateescape")
    got = Counter()
    for r in csv.DictReader(io.StringIO(text, newline="")):
        if r["kind"] in ("kernel dispatch", "copy"):
            r["domain"] = ""
        if r["value"]:
            r["value"] = repr(float(r["value"]))
        got[tuple(r[HEAD.get(f, f)] for f in FIELDS)] += 1
    return got, run.returncode, run.stderr.decode("utf-8", "replace")


def ns(us):
    """Microseconds, a number or its text, cut to nanoseconds."""
    return int((Decimal(us) * 1000).to_integral_value(ROUND_DOWN))


def number(v):
    """An id as the events show it; "" where it is none."""
    try:
        n = int(v)
    except (TypeError, ValueError):
        return ""
    return str(n) if n >= 0 else ""


def row(kind, name, **more):
    r = dict.fromkeys(FIELDS, "")
    r.update(kind=kind, name=name)
    for k, v in more.items():
        r[k] = "" if v is None else str(v)
    return tuple(r[f] for f in FIELDS)


# ---- torch.profiler ----

BLOCKS = {"hipLaunchKernel", "hipModuleLaunchKernel", "hipExtLaunchKernel"}
ITEMS = {"hipExtModuleLaunchKernel"}
DOMAINS = {"cuda_runtime": "hip", "cuda_driver": "hip", "user_annotation": "marker"}


def items(sizes):
    return sizes[0] * sizes[1] * sizes[2]


def collective_bytes(a):
    """Elements that RCCL counts, by their size; None where the kernel is no collective."""
    name = a.get("Collective name", "")
    size = {"Float": 4, "Long": 8, "Int": 4, "BFloat16": 2, "Half": 2, "Double": 8, "Byte": 1, "Bool": 1, "Char": 1}
    if a.get("dtype") not in size:
        return None
    if "reduce_scatter" in name or name in ("scatter", "recv"):
        return a["Out msg nelems"] * size[a["dtype"]]
    n = a["In msg nelems"] * size[a["dtype"]]
    return n // a["Group size"] if name in ("all_to_all", "alltoall", "alltoall_base") else n if name else None


def architecture(device):
    """What major and minor version and multiprocessors of an AMD GPU are, of those sold."""
    if device["warpSize"] != 64:
        return ""
    version, n = (device["computeMajor"], device["computeMinor"]), device["numSms"]
    return {(9, 4): "gfx942", (9, 5): "gfx950"}.get(version) or {104: "gfx90a", 110: "gfx90a", 120: "gfx908"}.get(n, "")


def kineto(trace):
    base = int(trace.get("baseTimeNanoseconds", 0))
    keys = list(trace)
    head = keys[:keys.index("traceEvents")]
    gpu = "GPU " if "rocprofiler-sdk_version" in head else ""
    for d in trace["deviceProperties"] if "deviceProperties" in head else ():
        yield row("agent", architecture(d), agent=f"GPU {d['id']}" if gpu else "")
    launched = {}
    for e in trace["traceEvents"]:
        a = e.get("args") or {}
        ph, cat = e.get("ph"), e.get("cat")
        if ph not in ("X", "i"):
            continue
        start = base + ns(e["ts"])
        end = start + (ns(e["dur"]) if ph == "X" else 0)
        times = {"start": start, "end": end}
        thread = {"pid": number(e.get("pid")), "tid": number(e.get("tid"))}
        if cat == "cuda_runtime":
            launched[a.get("correlation")] = e["name"]
        if cat == "kernel" or cat in ("gpu_memcpy", "gpu_memset"):
            times.update(agent=gpu + str(a["device"]), stream=a["stream"], corr=a["correlation"],
                         queue=a.get("hsa_queue"))
        if cat == "kernel":
            if "grid" in a and items(a["block"]) > 1024 >= items(a["grid"]):
                # The two are the other way round: the block in `grid`, the grid in items in `block`.
                a["grid"], a["block"], a["correlation"] = a["block"], a["grid"], "swapped"
            if "block" in a:
                times.update(zip(("wg_x", "wg_y", "wg_z"), a["block"]))
            how = "hipExtModuleLaunchKernel" if a["correlation"] == "swapped" \
                else launched.get(a["correlation"])
            if "grid" in a and how in BLOCKS:
                times.update(zip(("grid_x", "grid_y", "grid_z"),
                                 (g * b for g, b in zip(a["grid"], a["block"]))))
            elif "grid" in a and how in ITEMS:
                times.update(zip(("grid_x", "grid_y", "grid_z"), a["grid"]))
            yield row("kernel dispatch", e["name"], bytes=collective_bytes(a), **times)
        elif cat in ("gpu_memcpy", "gpu_memset"):
            way = re.search(r"\b([HD]to[HD])\b", e["name"])[1] if "to" in e["name"] else None
            if way in ("HtoD", "DtoD"):
                times["dst"] = times["agent"]
            if way in ("DtoH", "DtoD"):
                times["src"] = times["agent"]
            yield row("copy", e["name"], bytes=a.get("bytes"), **times)
        elif cat == "gpu_user_annotation":
            yield row("API call", e["name"], domain="other", agent=gpu + str(e["pid"]),
                      stream=e["tid"], **times)
        elif cat == "cpu_instant_event" and e["name"] == "[memory]":
            n = a["Bytes"]
            agent = f"GPU {a['Device Id']}" if a["Device Type"] else ""
            for total in ("Total Allocated", "Total Reserved"):
                if total in a:
                    yield row("counter value", "", agent=agent, counter=total,
                              value=repr(float(a[total])), **times, **thread)
            yield row("allocation", "free" if n < 0 else "allocate", domain="alloc", agent=agent,
                      bytes=abs(n), **times, **thread)
        else:
            corr = a.get("correlation") if cat in ("cuda_runtime", "cuda_driver") else None
            yield row("API call", e["name"], domain=DOMAINS.get(cat, "other"), corr=corr, **times,
                      **thread)


# ---- rocprof v1 ----

V1 = {"grd": "grid", "wgr": "wg", "lds": "lds", "sgpr": "sgpr", "queue-id": "queue",
      "stream-id": "stream", "gpu-id": "agent", "dev-id": "agent"}
V1_NO_COUNTERS = set(V1) | {"KernelName", "queue-index", "pid", "tid", "scr", "vgpr", "arch_vgpr",
                            "accum_vgpr", "wave_size", "fbar", "sig", "obj", "DispatchNs",
                            "BeginNs", "EndNs", "CompleteNs", "DurationNs", "proc-id", "Data"}


def rocprofv1(trace):
    for e in trace["traceEvents"]:
        if e.get("ph") != "X":
            continue
        a = e["args"]
        section = int(e["pid"])
        more = {"start": a["BeginNs"], "end": a["EndNs"]}
        for k, column in V1.items():
            if k in a:
                more[column] = a[k]
        more["pid"] = a.get("proc-id", a.get("pid"))
        if "proc-id" not in a:
            more["tid"] = a.get("tid")
            if more["pid"] == str(section):
                more["pid"] = ""
        if section >= 6:
            yield row("kernel dispatch", e["name"], **more)
            if "KernelName" in a:
                for k, v in a.items():
                    if k not in V1_NO_COUNTERS:
                        yield row("counter value", e["name"], counter=k, value=repr(float(v)), **more)
        elif section == 1:
            yield row("copy", e["name"], **more)
        else:
            domain = {0: "marker", 2: "hip", 3: "hsa"}.get(section, "other")
            yield row("API call", e["name"], domain=domain, **more)


# ---- rpd2tracing ----

def rpd(trace):
    gpus = {}
    for e in trace if isinstance(trace, list) else trace["traceEvents"]:
        ph = e.get("ph")
        if ph == "M" and e["name"] == "process_name" and e["args"]["name"].startswith("GPU"):
            gpus[e["pid"]] = e["args"]["name"][3:]
        agent = gpus.get(e.get("pid"), "")
        if ph == "C":
            start = ns(e["ts"])
            for v in e["args"].values():
                yield row("counter value", "", start=start, end=start, agent=agent,
                          counter=e["name"], value=repr(float(v)))
        if ph != "X":
            continue
        desc = e["args"].get("desc", "")
        start = ns(e["ts"])
        more = {"start": start, "end": start + ns(e["dur"])}
        if agent:
            copy = desc.startswith("Copy") or desc == "FillBuffer"
            yield row("copy" if copy else "kernel dispatch", e["name"], agent=agent,
                      queue=e["tid"], **more)
            continue
        # The tracer records itself.
        if e["name"].endswith("::writeRows") or e["name"] in ("hcc_activity_callback", "rpdflush", "run_to_completion"):
            continue
        marker = e["name"] == "UserMarker"
        begins = (("hip", "hip"), ("__hip", "hip"), ("hsa_", "hsa"), ("nccl", "rccl"), ("rccl", "rccl"), ("roctx", "marker"))
        domain = "marker" if marker else next((d for word, d in begins if e["name"].startswith(word)), "other")
        yield row("API call", desc if marker else e["name"], domain=domain, pid=e["pid"],
                  tid=e["tid"], **more)


# ---- anybody's ----

def plain(trace):
    """Only complete events and instants: the rest has tests of its own."""
    for e in trace["traceEvents"]:
        if e.get("ph") not in ("X", "I", "i"):
            continue
        start = ns(e["ts"])
        mark = e["ph"] != "X"
        yield row("API call", e["name"], domain="marker" if mark else "other", start=start,
                  end=start + (0 if mark else ns(e["dur"])), pid=number(e["pid"]),
                  tid=number(e["tid"]))


# ---- rocprofv3 ----

def dims(info):
    out = {}
    for key, stem in (("workgroup_size", "wg"), ("grid_size", "grid")):
        for axis in "xyz":
            if key in info:
                out[f"{stem}_{axis}"] = info[key][axis]
    return out


def rocprofv3(trace):
    for p in trace["rocprofiler-sdk-tool"]:
        agents = {a["id"]["handle"]: a["logical_node_id"] for a in p["agents"]}
        symbols = {k["kernel_id"]: k for k in p["kernel_symbols"]}
        kinds = p["strings"]["buffer_records"]
        said = {m["key"]: m["value"] for m in p["strings"].get("marker_api", [])}
        counters = {c["id"]["handle"]: c["name"] for c in p.get("counters", [])}
        pid = p["metadata"]["pid"]
        for a in p["agents"]:
            yield row("agent", a.get("name", ""), agent=a["logical_node_id"])

        def common(r):
            out = {"start": r["start_timestamp"], "end": r["end_timestamp"], "pid": pid,
                   "tid": r.get("thread_id"), "corr": r.get("correlation_id", {}).get("internal"),
                   "stream": r.get("stream_id", {}).get("handle")}
            for key, column in (("agent_id", "agent"), ("src_agent_id", "src"),
                                ("dst_agent_id", "dst")):
                if key in r:
                    out[column] = agents.get(r[key]["handle"])
            if "queue_id" in r:
                out["queue"] = r["queue_id"]["handle"]
            return out

        def kernel(r, kind, **more):
            info = r["dispatch_info"]
            s = symbols.get(info["kernel_id"])
            out = common({**r, **{k: v for k, v in info.items() if k.endswith("_id")}})
            return row(kind, s["formatted_kernel_name"] if s else "(unnamed)", **out, **dims(info),
                       lds=info.get("group_segment_size"), sgpr=s.get("sgpr_count") if s else None,
                       **more)

        for r in p.get("callback_records", {}).get("counter_collection", []):
            total = Counter()
            for v in r["records"]:
                total[counters[v["counter_id"]["handle"]]] += float(v["value"])
            d = dict(r["dispatch_data"], thread_id=r.get("thread_id"))
            for name, v in total.items():
                yield kernel(d, "counter value", counter=name, value=repr(v))
        for key, records in p["buffer_records"].items():
            if key.startswith("pc_sample"):  # samples.py has these
                continue
            for r in records:
                if r["end_timestamp"] < r["start_timestamp"]:
                    continue
                if key == "kernel_dispatch":
                    yield kernel(r, "kernel dispatch")
                    continue
                kind = kinds[r["kind"]]
                name = kind["operations"][r["operation"]]
                if key == "memory_copy":
                    yield row("copy", name, bytes=r["bytes"], **common(r))
                elif key == "memory_allocation":
                    yield row("allocation", name, domain="alloc", bytes=r["allocation_size"],
                              **common(r))
                elif key == "scratch_memory":
                    yield row("allocation", name, domain="scratch", **common(r))
                elif key == "marker_api":
                    yield row("API call", said.get(r["correlation_id"]["internal"], name),
                              domain="marker", **common(r))
                else:
                    yield row("API call", name, domain=kind["kind"][:3].lower(), **common(r))


# ---- which ----

def dialect(trace, text):
    if isinstance(trace, list):
        return rpd if b'"Hip ' in text else None
    if "rocprofiler-sdk-tool" in trace:
        return rocprofv3
    if not isinstance(trace.get("traceEvents"), list):
        return None
    if "schemaVersion" in trace or any(e.get("cat") == "kernel" for e in trace["traceEvents"]):
        return kineto
    if any("BeginNs" in (e.get("args") or {}) for e in trace["traceEvents"]):
        return rocprofv1
    if all(e.get("ph") in ("X", "I") for e in trace["traceEvents"]):
        return plain
    return None


def constant(text):
    """What profilers write in place of numbers."""
    del text


def load(text):
    # "inf" is no word of Python's: torch writes it for a bandwidth of no time.
    return json.loads(text.replace(b": inf\n", b": null\n"), parse_float=Decimal,
                      parse_constant=constant)


def compare(path, want, got):
    global files, rows
    files += 1
    rows += sum(want.values())
    if want == got:
        return
    fail(f"{path}: {sum((want - got).values())} rows are missing or wrong, "
         f"{sum((got - want).values())} should not be")
    for title, diff in (("  expected", want - got), ("  got     ", got - want)):
        for r in list(diff)[:2]:
            print(title, {f: v[:60] for f, v in zip(FIELDS, r) if v})


def check(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        text = f.read()
    got, status, said = events(path)
    try:
        trace = load(text)
    except ValueError:
        if status == 0:
            fail(f"{path}: not valid JSON, but read without a word")
        return
    read = dialect(trace, text)
    if read is None:
        return
    if status and trace:
        fail(f"{path}: {said}")
    # Samples of the program counter are those of samples.py.
    compare(path, Counter(read(trace)), Counter({r: n for r, n in got.items() if r[FIELDS.index("kind")] != "PC sample"}))


def top(path, *more):
    run = subprocess.run([os.path.join(build, "kstats"), "top", "-q", "-f", "csv", *more, path],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return run.stdout


def same_run(where, names):
    """What rocprof v1 left beside its JSON: the same table of kernels, the same sums of calls."""
    for stem in [n[:-5] for n in names if n.endswith(".json")]:
        path = os.path.join(where, stem)
        with open(path + ".json", "rb") as f:
            kernels = b'"KernelName"' in f.read()
        if stem + ".csv" in names and kernels:
            if top(path + ".json") != top(path + ".csv"):
                fail(f"{path}: kstats top of .json and .csv differ")
        for table, domain in (("hip", "hip"), ("hsa", "hsa"), ("copy", "copy")):
            stats = f"{stem}.{table}_stats.csv"
            if stats not in names:
                continue
            with open(os.path.join(where, stats), newline="", encoding="utf-8") as f:
                # The statistics have a line of their own for dispatches.
                want = {(r["Name"], r["Calls"], r["TotalDurationNs"]) for r in csv.DictReader(f)
                        if r["Name"] != "hsa_dispatch"}
            got = top(path + ".json", "--domain", domain, "--columns", "name,calls,total_ns")
            if want != {tuple(r) for r in list(csv.reader(got.decode().splitlines()))[1:]}:
                fail(f"{path}: {stats} says otherwise")


for folder in sys.argv[1:]:
    for where, _, names in sorted(os.walk(folder)):
        same_run(where, names)
        for name in sorted(names):
            if name.endswith((".json", ".json.gz")):
                check(os.path.join(where, name))
print(f"{files} files, {rows} rows, {bad} differ")
sys.exit(bad > 0)
