# SPDX-License-Identifier: MIT
"""The same question to pandas: pandas_top.py FILE

The fastest way found: C engine, three columns only, names as categories, no search for NA."""
import sys

import pandas

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    titles = [field.strip('"\r\n') for field in file.readline().split(",")]
want = {title.lower(): title for title in titles}
name, start, end = (want[key] for key in ("kernel_name", "start_timestamp", "end_timestamp"))

table = pandas.read_csv(
    sys.argv[1],
    engine="c",
    usecols=[name, start, end],
    dtype={name: "category", start: "int64", end: "int64"},
    na_filter=False,
)
table["ns"] = table[end] - table[start]
top = table.groupby(name, observed=True)["ns"].agg(["count", "sum", "min", "max"]).reset_index()
top.columns = ["name", "calls", "total_ns", "min_ns", "max_ns"]
top["name"] = top["name"].astype(str)
top = top.sort_values(["total_ns", "name"], ascending=[False, True])
top.to_csv(sys.stdout, index=False)
