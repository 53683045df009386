# SPDX-License-Identifier: MIT
"""copies.py FOLDER...: kstats copies against its definition, from the events that tracecat prints."""
import collections
import sys
import tempfile

import effort
import questions as q

WAYS = ["host_to_device", "device_to_host", "device_to_device", "host_to_host", "fill", ""]
ENDS = {"host_to_device": ("dst",), "device_to_host": ("src",), "fill": ("dst",), "host_to_host": ()}


def numbering(agent):
    return agent[:4] if agent[:4] in ("GPU ", "CPU ") else "node"


def hides(e, row):
    """Does kernel e count against copies of that row?"""
    if e["class"] == "sync":
        return False  # it only waits
    for end in ENDS.get(row["direction"], ("src", "dst")):
        if not e["agent"] or not row[end]:
            return True
        if numbering(row[end]) not in (numbering(e["agent"]), "CPU "):
            return True
    return not e["agent"] or e["agent"] in (row["src"], row["dst"])


def expect(copies, kernels):
    groups = collections.defaultdict(list)
    for e in copies:
        name = e["name"].lower()
        way = e["direction"] or ("fill" if "fill" in name or "memset" in name else "")
        src, dst = e["src"], e["dst"]
        if way == "device_to_host":
            src = src or e["agent"]
        if way in ("host_to_device", "fill"):
            dst = dst or e["agent"]
        groups[int(e["rank"]), way, src, dst].append(e)
    out = []
    for (rank, way, src, dst), v in sorted(groups.items(), key=lambda i: (
            i[0][0], WAYS.index(i[0][1]), q.agent_key(i[0][2]), q.agent_key(i[0][3]))):
        row = {"rank": rank, "direction": way, "src": src, "dst": dst, "calls": len(v)}
        own = [(e["lo"], e["hi"]) for e in v]
        cover = [(e["lo"], e["hi"]) for e in kernels if int(e["rank"]) == rank and hides(e, row)]
        sized = [e for e in v if e["bytes"]]
        size = sum(int(e["bytes"]) for e in sized)
        row |= {"bytes": size if sized else "", "total_ns": sum(hi - lo for lo, hi in own), "union_ns": q.length(own),
                "exposed_ns": q.minus(own, cover),
                "gb_per_s": q.ratio(size, sum(e["hi"] - e["lo"] for e in sized)) if sized else ""}
        out.append(row)
    return out


def check(inputs):
    every = [e for e in q.events("kernel,copy", *inputs) if e["start_ns"] and e["end_ns"]]
    for e in every:
        e["lo"], e["hi"] = int(e["start_ns"]), int(e["end_ns"])
    copies = [e for e in every if e["kind"] == "copy"]
    if not copies:
        return
    got = q.ask("copies", *inputs)
    q.differ(f"kstats copies {' '.join(inputs)}", got, expect(copies, [e for e in every if e["kind"] == "kernel"]))
    for row in got:
        if not int(row["exposed_ns"]) <= int(row["union_ns"]) <= int(row["total_ns"]):
            q.say(f"{inputs}: exposed, union and sum are not in order")
    q.compared["traces"] += 1


COPIES = '"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
KERNELS = '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
PAIRS = [("HOST_TO_DEVICE", 0, 4), ("HOST_TO_DEVICE", 0, 5), ("DEVICE_TO_HOST", 5, 0), ("DEVICE_TO_DEVICE", 4, 5),
         ("DEVICE_TO_DEVICE", 4, 4), ("HOST_TO_HOST", 0, 0), ("NONE", 4, 0)]
NAMES = ["k", "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", "__amd_rocclr_copyBuffer.kd", "__amd_rocclr_streamOpsWait"]


def tables(rng):
    def span():
        start = 10**12 + rng.randrange(10**rng.randint(2, 7))
        return start, start + (0 if rng.random() < .05 else rng.randrange(1, 10**rng.randint(1, 6)))
    copies = []
    for i in range(rng.randint(1, 200)):
        (way, src, dst), (lo, hi) = rng.choice(PAIRS), span()
        copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}","Agent {src}","Agent {dst}",{i + 1},{lo},{hi}\n')
    out = {"memory_copy_trace": (COPIES, copies)}
    if rng.random() < .9:
        out["kernel_trace"] = (KERNELS, [f'"KERNEL_DISPATCH","Agent {rng.choice([4, 5])}","{rng.choice(NAMES)}",{i + 1},{lo},{hi}\n'
                                         for i, (lo, hi) in enumerate(span() for _ in range(rng.randint(1, 300)))])
    return out


for trace in effort.sample(q.traces(sys.argv[1:], ("kernel_trace", "copy_trace", "ops_trace"))):
    check(trace)
with tempfile.TemporaryDirectory() as tmp:
    for files in q.laws(tmp, ("copies", "copies -w 20%..70%"), tables, effort.rounds(25)):
        check(files)
q.finish({"traces": 40, "laws": 150})
