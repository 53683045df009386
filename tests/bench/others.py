# SPDX-License-Identifier: MIT
"""Large traces of other formats, and their answers, for others.bash.

    others.py rocpd DISPATCHES FILE     an invented run as rocprofv3 7.1 writes it
    others.py kineto BYTES              one as torch.profiler does, to standard output
    others.py sums rocpd|kineto FILE    calls and ns of each kernel, by SQL or json.load and a loop"""
import importlib.util
import json
import os
import random
import sqlite3
import sys

NAMES = [f"void work<{i}, float, std::array<char*, 2> >(int, float*, float const*)" for i in range(60)]
BASE = 1759300074000000000


def times(n):
    """(kernel, start, end, queue) one after the other."""
    r, at = random.Random(1), 1000000000
    for _ in range(n):
        at += r.randrange(200, 9000)
        ns = r.randrange(1500, 90000)
        yield r.randrange(len(NAMES)), at, at + ns, r.randrange(1, 4)
        at += ns


def rocpd(n, path):
    gen = importlib.util.spec_from_file_location(
        "gen", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gen", "make_databases.py"))
    module = importlib.util.module_from_spec(gen)
    gen.loader.exec_module(module)
    if os.path.exists(path):
        os.remove(path)
    c = sqlite3.connect(path)
    c.execute("PRAGMA synchronous=OFF")
    r = module.Rocpd(c, "0000000a-0000-7000-8000-000000000001", 0, 70)
    r.thread(71)
    r.agent(4, "GPU", "gfx942", 0)
    for i, name in enumerate(NAMES):
        r.kernel(i + 1, name)
    kind = r.string("KERNEL_DISPATCH")
    for i, (k, start, end, queue) in enumerate(times(n), 1):
        c.execute(f'INSERT INTO "rocpd_event{r.x}"(id, category_id, stack_id, parent_stack_id, correlation_id) '
                  "VALUES(?,?,?,0,0)", (i, kind, i))
        c.execute(f'INSERT INTO "rocpd_kernel_dispatch{r.x}"(nid, pid, tid, agent_id, kernel_id, dispatch_id, '
                  "queue_id, stream_id, start, end, private_segment_size, group_segment_size, workgroup_size_x, "
                  "workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id) "
                  "VALUES(1,70,71,4,?,?,?,0,?,?,0,512,256,1,1,65536,1,1,1,?)", (k + 1, i, queue, start, end, i))
    c.commit()


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def kineto(size):
    """An operation of the host, its launch, the kernel, and the flow between them."""
    out, made = sys.stdout, 0
    out.write(' {\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {"id": 0, "name": "AMD Instinct MI300X"}\n  ],\n'
              '  "roctracer_version": 4.1,\n  "hip_runtime_version": 70051831,\n  "traceEvents": [\n')
    for i, (k, start, end, stream) in enumerate(times(size // 1000), 1):
        text = (
            f'  {{\n    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 70, "tid": 71,\n    "ts": {us(start - 9000)}, '
            f'"dur": 7.250,\n    "args": {{\n      "External id": {i}, "Record function id": 0, "Ev Idx": {i}, '
            f'"Input Dims": [[4096, 4096], [4096, 1024]], "Input type": ["float", "float"]\n    }}\n  }},\n'
            f'  {{\n    "ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 70, "tid": 71,\n'
            f'    "ts": {us(start - 6000)}, "dur": 3.125,\n    "args": {{\n      "External id": {i}, "cid": 210, "correlation": {i}, '
            f'"kernel": "{NAMES[k]}", "grid": [256, 1, 1], "block": [256, 1, 1], "shared memory": 0\n    }}\n  }},\n'
            f'  {{\n    "ph": "X", "cat": "kernel", "name": "{NAMES[k]}", "pid": 2, "tid": {stream},\n    "ts": {us(start)}, '
            f'"dur": {us(end - start)},\n    "args": {{\n      "External id": {i}, "device": 2, "stream": {stream}, "correlation": {i}, '
            f'"kind": "Dispatch Kernel", "grid": [256, 1, 1], "block": [256, 1, 1]\n    }}\n  }},\n'
            f'  {{\n    "ph": "f", "id": {i}, "pid": 2, "tid": {stream}, "ts": {us(start)},\n    "cat": "ac2g", "name": "ac2g", "bp": "e"\n  }},\n')
        made += len(text)
        if made > size:
            break
        out.write(text)
    out.write('  {\n    "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 1.000\n  }\n  ],\n'
              f'  "displayTimeUnit": "ms",\n  "baseTimeNanoseconds": {BASE}\n}}\n')


def sums(kind, path):
    found = {}
    if kind == "rocpd":
        c = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        for name, calls, ns in c.execute("SELECT display_name, count(*), sum(\"end\"-start) FROM rocpd_kernel_dispatch d "
                                         "JOIN rocpd_info_kernel_symbol k ON k.id=d.kernel_id GROUP BY 1"):
            found[name] = [calls, ns]
    else:
        with open(path, encoding="utf-8") as f:
            for e in json.load(f)["traceEvents"]:
                if e.get("cat") == "kernel":
                    s = found.setdefault(e["name"], [0, 0])
                    s[0] += 1
                    s[1] += round(e["dur"] * 1000)
    for name, (calls, ns) in sorted(found.items()):
        print(f'"{name}",{calls},{ns}')


if __name__ == "__main__":
    if sys.argv[1] == "rocpd":
        rocpd(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "kineto":
        kineto(int(sys.argv[2]))
    else:
        sums(sys.argv[2], sys.argv[3])
