#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace of any size in each format that is read as a stream, to standard output: what ships of it, with
its rows again and again.

    endless.py --list           formats
    endless.py FORMAT BYTES"""
import json
import os
import sys

DATA = os.environ["TESTDATA"]
BLOCK = 1 << 20


def read(path):
    with open(os.path.join(DATA, path), "rb") as f:
        return f.read()


def lines(path, head):
    """head lines, then all others again and again."""
    all_lines = read(path).splitlines(keepends=True)
    return b"".join(all_lines[:head]), b"".join(all_lines[head:]), b"", b""


def array(path, *keys, without=""):
    """The elements of an array in a JSON file, but for those of a name: a range that never ends is kept."""
    doc = json.loads(read(path))
    at = doc
    for key in keys[:-1]:
        at = at[key]
    rows = [row for row in (at[keys[-1]] if keys else doc) if not without or row.get("name") != without]
    body = ",\n".join(json.dumps(row) for row in rows).encode()
    if not keys:
        return b"[", body, b",\n", b"]"
    at[keys[-1]] = ["@@"]
    head, tail = json.dumps(doc).split('"@@"')
    return head.encode(), body, b",\n", tail.encode()


FORMATS = {
    "rocprofv3_csv": lambda: lines("rocprofv3/7.0/demo/1234_hip_api_trace.csv", 1),
    "rocprofv2_csv": lambda: lines("rocprofv2/6.1/run/hip_api_trace_4141.csv", 1),
    "rocprofv1_csv": lambda: lines("rocprofv1/6.2/stats/results.csv", 1),
    "rocprofv2_text": lambda: lines("rocprofv2/6.1/cli/kernels.txt", 0),
    "rocprofv1_text": lambda: lines("rocprofv1/6.2/text_hip/7001_hip_api_trace.txt", 0),
    "pftrace": lambda: (b"", read("perfetto-sdk/44/tiny/tiny.pftrace"), b"", b""),
    "rocprofv3_json": lambda: array("rocprofv3/7.0/json/1234_results.json", "rocprofiler-sdk-tool", 0,
                                    "buffer_records", "kernel_dispatch"),
    "kineto_json": lambda: array("kineto/2.9/train/worker_40.pt.trace.json", "traceEvents"),
    "rocprofv1_json": lambda: array("rocprofv1/6.2/json/results.json", "traceEvents"),
    "rocprofv2_json": lambda: array("rocprofv2/6.2/json/4141_output.json", "traceEvents"),
    "rpd_json": lambda: array("rpd/2/json/run.json"),
    "chrome_json": lambda: array("chrome/plain/phases.json", "traceEvents", without="never ends"),
    "tracecat_csv": lambda: lines("tracecat/0.2/events.csv", 1),
    "tracecat_ndjson": lambda: lines("tracecat/0.2/events.ndjson", 0),
    "rccl_log": lambda: lines("rccl/releases/kernels.log", 0),
}


def main():
    if sys.argv[1] == "--list":
        print("\n".join(FORMATS))
        return
    head, body, between, tail = FORMATS[sys.argv[1]]()
    left = int(sys.argv[2]) - len(head) - len(tail)
    unit = between.join([body] * max(1, BLOCK // len(body)))
    out = sys.stdout.buffer
    out.write(head + unit)
    while left > len(unit):
        left -= out.write(between + unit)
    out.write(tail)


main()
