# SPDX-License-Identifier: MIT
"""Files of counters, long and wide, read with the csv module, and their raw rows in SQL."""
import csv
import decimal
import functools
import os
import re
import sqlite3
import subprocess

import questions as q

# What is no counter in a table that has a column for each of them.
KNOWN = {c.lower() for c in """Index KernelName Kernel_Name gpu-id GPU_ID queue-id queue-index Queue_ID Queue_Index pid tid PID TID grd wgr lds scr
    GRD WGR LDS SCR vgpr sgpr arch_vgpr accum_vgpr SGPR Arch_VGPR Accum_VGPR wave_size Wave_Size fbar sig obj DispatchNs BeginNs EndNs CompleteNs
    DurationNs Dispatch_ID Grid_Size Workgroup_Size LDS_Per_Workgroup Scratch_Per_Workitem Start_Timestamp End_Timestamp Correlation_ID Kernel_ID
    XCC_Index Counter_Name Counter_Value Correlation_Id Dispatch_Id Agent_Id Queue_Id Process_Id Thread_Id Kernel_Id LDS_Block_Size Scratch_Size
    VGPR_Count Accum_VGPR_Count SGPR_Count""".split()}


def pick(row, *names):
    for n in names:
        if row.get(n) not in (None, ""):
            return row[n]
    return None


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


@functools.cache
def plain_name(name):
    name = re.sub(r"(\.kd| \[clone \.kd\]| \(\.kd\))$", "", name).strip('"')
    return subprocess.run(["c++filt", name], capture_output=True, text=True, check=True).stdout[:-1] if name.startswith("_Z") else name


def rows_of(path):
    """(dispatch, kernel, start, end, counter, value) of each value."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
        reader = csv.reader(f)
        head = next(reader, [])
        long = "Counter_Name" in head
        if long == ("Counter_Value" not in head) or not {"Kernel_Name", "KernelName"} & set(head) or \
                not {"Dispatch_Id", "Dispatch_ID", "Index"} & set(head):
            return
        for cells in reader:
            if len(cells) != len(head):
                q.compared["ragged rows"] += 1
                continue
            row = dict(zip(head, cells))
            kernel = plain_name(pick(row, "Kernel_Name", "KernelName") or "")
            times = [int(decimal.Decimal(t).to_integral_value(decimal.ROUND_HALF_EVEN)) if t and number(t) is not None else None for t in
                     (pick(row, "Start_Timestamp", "BeginNs"), pick(row, "End_Timestamp", "EndNs"))]
            if number(pick(row, "Dispatch_Id", "Dispatch_ID", "Index")) is None:
                q.compared["rows without a number"] += 1
                continue
            key = (int(float(pick(row, "Dispatch_Id", "Dispatch_ID", "Index"))), kernel, *times)
            if long:
                yield (*key, row["Counter_Name"], number(row["Counter_Value"]))
            else:
                for name, cell in zip(head, cells):
                    if re.sub(r"_\d+$", "", name.lower()) not in KNOWN and name.lower() not in KNOWN and number(cell) is not None:
                        yield (*key, name, number(cell))


def load(path):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE raw(d INTEGER, k TEXT, s INTEGER, e INTEGER, c TEXT, v REAL)")
    db.executemany("INSERT INTO raw VALUES(?,?,?,?,?,?)", [tuple(x.encode("utf-8", "surrogateescape").decode("latin-1") if isinstance(x, str) else x
                                                                for x in r) for r in rows_of(path)])
    # The first value of a counter that a dispatch has twice; the duration of its first execution that has one.
    db.execute("""CREATE TABLE one AS SELECT d, k, c, v FROM (SELECT *, row_number() OVER
        (PARTITION BY d, k, c ORDER BY s, e, v) n FROM raw) WHERE n = 1""")
    db.execute("CREATE INDEX by_c ON one(c, d, k)")
    db.execute("""CREATE TABLE took AS SELECT d, k, CAST(e - s AS REAL) ns FROM (SELECT *, row_number() OVER
        (PARTITION BY d, k ORDER BY s, e) n FROM raw WHERE s < e) WHERE n = 1""")
    db.execute("CREATE INDEX by_d ON took(d, k)")
    return db


def files(folders):
    for path in q.below(folders, ".csv"):
        if os.path.getsize(path) < q.LIMIT:
            with open(path, "rb") as f:
                head = f.read(1 << 16).split(b"\n")[0]
            if b"Counter_Name" in head and b"Kernel_Name" in head or (b"SQ_" in head and b"Kernel" in head):
                yield path
