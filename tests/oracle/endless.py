#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace of any size in each format that is read as a stream, to standard output, and a database of any
size: what ships of it, with its rows again and again.

    endless.py --list           formats
    endless.py FORMAT BYTES
    endless.py --databases      databases
    endless.py DATABASE BYTES FILE"""
import json
import os
import shutil
import sqlite3
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


# What is there again and again, and which columns of it name rows of which of these tables.
EVENT = {"event_id": "rocpd_event"}
DATABASES = {
    "rocpd": ("rocpd/3.0.0/run/out_results.db",
              {"rocpd_event": {}, "rocpd_kernel_dispatch": EVENT, "rocpd_memory_copy": EVENT,
               "rocpd_memory_allocate": EVENT, "rocpd_region": EVENT, "rocpd_sample": EVENT}),
    "rpd": ("rpd/2/sessions/trace.rpd",
            {"rocpd_api": {}, "rocpd_op": {}, "rocpd_monitor": {},
             "rocpd_api_ops": {"api_id": "rocpd_api", "op_id": "rocpd_op"},
             "rocpd_kernelapi": {"api_ptr_id": "rocpd_api"}, "rocpd_copyapi": {"api_ptr_id": "rocpd_api"}}),
    "rocprofv1_db": ("rocprofv1/6.2/database/trace.db", {"KERN": {}, "OPS": {}, "COPY": {}, "HIP": {}, "rocTX": {}}),
}


def repeat(c, tables, part):
    """As many rows again, or a part of them; what they name is repeated with them."""
    most = {t: c.execute('SELECT max(rowid) FROM "%s"' % name).fetchone()[0] or 0 for t, (name, _) in tables.items()}
    for t, (name, refers) in tables.items():
        columns, values = [], []
        for column, key in c.execute('SELECT name, pk FROM pragma_table_info(?)', (name,)).fetchall():
            of = refers.get(column, t if key else None)
            columns.append('"%s"' % column)
            values.append('"%s" + %d' % (column, most[of]) if of else '"%s"' % column)
        c.execute('INSERT INTO "%s"(%s) SELECT %s FROM "%s" WHERE rowid <= %d' %
                  (name, ",".join(columns), ",".join(values), name, int(most[t] * part)))
        c.commit()


def database(ships, refers, size, path):
    shutil.copyfile(os.path.join(DATA, ships), path)
    c = sqlite3.connect(path)
    c.executescript("PRAGMA page_size=4096; VACUUM; PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF")
    names = [row[0] for row in c.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    # rocpd_event, or rocpd_event_GUID.
    tables = {t: (next(n for n in names if n == t or n.startswith(t + "_0")), columns) for t, columns in refers.items()}
    had = 0
    while True:
        now = c.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
        if now >= size or now - had < 0.1 * had:
            break
        # A small one is mostly something else than rows.
        repeat(c, tables, 1 if now < 1 << 20 else min(1, (size - now) / now))
        had = now if now >= 1 << 20 else 0
    c.close()


def main():
    if sys.argv[1] in ("--list", "--databases"):
        print("\n".join(FORMATS if sys.argv[1] == "--list" else DATABASES))
        return
    if sys.argv[1] in DATABASES:
        database(*DATABASES[sys.argv[1]], int(sys.argv[2]), sys.argv[3])
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
