# SPDX-License-Identifier: MIT
"""Tables of rocprof-sys and omnitrace, text and JSON, added up again in exact decimals: for each function the
calls, sum, smallest and largest that kstats top gives, of every file found and of random ones.  A row that stands
inside one of its own name and thread does not count, as its time is in the outer one's.
rocprofsys.py FOLDER..."""

import csv
import decimal
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import effort

D = decimal.Decimal
decimal.getcontext().prec = 60
UNITS = {"sec": 9, "msec": 6, "usec": 3, "nsec": 0}
LABEL = re.compile(r"((?:\|\d+)+)>>> +?( *)(\|_)?(.*)$")
HEADER = ["LABEL", "COUNT", "DEPTH", "METRIC"]


def to_ns(text, unit):
    return int((D(text).scaleb(UNITS[unit])).quantize(D(1), rounding=decimal.ROUND_HALF_UP))


def text_rows(path):
    """(label, count, depth, sum, min, max) in ns; None for a table without times."""
    columns = None
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            line = line.strip()
            if not (line.startswith("|") and line.endswith("|")) or line.startswith("|-"):
                continue
            cells = [c.strip() for c in line[1:-1].split("|")]
            if cells[:4] == HEADER:
                columns = cells
                continue
            if not columns or ">>> " not in line:
                continue
            tail = line[1:-1].rsplit("|", len(columns) - 1)
            row = dict(zip(columns, [c.strip() for c in tail]))
            if row.get("UNITS") not in UNITS:
                return None
            unit = row["UNITS"]
            yield row["LABEL"], int(row["COUNT"]), int(row["DEPTH"]), *(to_ns(row[c], unit) for c in ("SUM", "MIN", "MAX"))


def json_rows(path):
    with open(path, encoding="utf-8") as f:
        doc = json.load(f, parse_float=D)
    for metric in doc["timemory"].values():
        unit = metric["unit_repr"]
        scale = D(10) ** UNITS[unit] / metric["unit_value"]
        for rank in metric["ranks"]:
            for row in rank["graph"]:
                if "prefix" in row:
                    yield (row["prefix"], row["entry"]["laps"], row["depth"], int(row["entry"]["accum"] * scale),
                           to_ns(row["stats"]["min"], unit), to_ns(row["stats"]["max"], unit))


def added_up(rows):
    out, path = {}, []
    for label, count, depth, total, least, most in rows:
        thread, _, _, name = LABEL.match(label).groups()
        name = name.strip()
        del path[depth:]
        inside = (thread, name) in path
        path.append((thread, name))
        if inside or not count:
            continue
        calls, ns, low, high = out.get(name, (0, 0, least, most))
        out[name] = calls + count, ns + total, min(low, least), max(high, most)
    return out


def check(path, rows):
    want = added_up(rows)
    run = subprocess.run(["kstats", "top", "-q", "-f", "csv", "--domain", "marker", "--columns",
                          "name,calls,total_ns,min_ns,max_ns", path], capture_output=True, encoding="utf-8",
                         errors="surrogateescape")
    got = {r[0]: tuple(map(int, r[1:])) for r in list(csv.reader(io.StringIO(run.stdout)))[1:]}
    if got != want:
        print(f"{path}: {run.returncode} {run.stderr}")
        print("  ", sorted(set(want.items()) ^ set(got.items()))[:4])
    return got != want, len(got)


def tree(rng, depth, rows, thread):
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(["f", "g", "a || b", "void k<int, 3>(float*)", 'say "x"', "h"])
        who = thread if rng.random() < .9 else rng.randrange(20)
        indent = "" if depth == 0 else "  " * (depth - 1) + "|_"
        least, most = sorted(rng.randrange(10**rng.randrange(1, 12)) for _ in "ab")
        count = rng.randrange(1, 10**6)
        rows.append((f"|{who:02}>>> {indent}{name}", count, depth, rng.randrange(10**13), least, most))
        if depth < 7 and rng.random() < .6:
            tree(rng, depth + 1, rows, who)


def random_files(rng, folder):
    rows, unit = [], rng.choice(list(UNITS))
    tree(rng, 0, rows, 0)
    wide = max(len(r[0]) for r in rows)
    as_text = lambda ns: str(D(ns).scaleb(-UNITS[unit]).quantize(D("0.000001")))
    text = f"| {'LABEL':{wide}} | COUNT | DEPTH | METRIC | UNITS | SUM | MIN | MAX |\n|--|\n"
    for label, count, depth, *times in rows:
        cells = " | ".join(as_text(t) for t in times)
        text += f"| {label:{wide}} | {count} | {depth} | wall_clock | {unit} | {cells} |\n"
    real = lambda ns: float(D(ns).scaleb(-UNITS[unit]))
    graph = [{"prefix": label, "depth": depth, "entry": {"laps": count, "accum": total, "repr_data": real(total)},
              "stats": {"min": real(least), "max": real(most), "mean": 0.5}} for label, count, depth, total, least, most
             in rows]
    doc = {"timemory": {"wall_clock": {"unit_value": 10 ** UNITS[unit], "unit_repr": unit,
                                       "ranks": [{"rank": 0, "graph": graph}]}}}
    paths = [os.path.join(folder, "wall_clock" + e) for e in (".txt", ".json")]
    for path, what in zip(paths, (text, json.dumps(doc))):
        with open(path, "w", encoding="utf-8") as f:
            f.write(what)
    return paths


def check_ranks(rng, path):
    """Several ranks in one file: each has the rows of its own element, however long the others are."""
    want, elements = {}, []
    for rank in sorted(rng.sample(range(99), rng.randrange(2, 6))):
        rows = []
        for thread in range(rng.choice([1, 1, 40])):
            tree(rng, 0, rows, thread)
        elements.append({"rank": rank, "graph_size": len(rows), "graph": [
            {"prefix": label, "depth": depth, "entry": {"laps": count, "accum": total, "repr_data": 0.0},
             "stats": {"min": least / 10**9, "max": most / 10**9, "mean": 0.5}}
            for label, count, depth, total, least, most in rows]})
        for name, (calls, ns, _, _) in added_up(rows).items():
            want[str(rank), name] = calls, ns
    doc = {"timemory": {"wall_clock": {"unit_value": 10**9, "unit_repr": "sec", "mpi_size": 99, "num_ranks": 99,
                                       "ranks": elements}}}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(doc, f)
    run = subprocess.run(["kstats", "top", "-q", "-f", "csv", "--domain", "marker", "--per", "rank", "-n", "0", "--columns",
                          "rank,name,calls,total_ns", path], capture_output=True, encoding="utf-8")
    got = {(r[0], r[1]): (int(r[2]), int(r[3])) for r in list(csv.reader(io.StringIO(run.stdout)))[1:]}
    if got != want:
        print(f"ranks: {run.returncode} {run.stderr}")
        print("  ", sorted(set(want.items()) ^ set(got.items()))[:4])
    return got != want


def rows_of(path):
    """The rows of a file, None when it is no table of times."""
    with open(path, "rb") as f:
        head = f.read(1 << 16)
    try:
        if path.endswith(".json") and b'"timemory"' in head:
            return list(json_rows(path))
        if b"LABEL" in head and b">>> " in head:
            return list(text_rows(path) or []) or None
    except json.JSONDecodeError:
        pass
    return None


bad = files = functions = 0
with tempfile.TemporaryDirectory() as tmp:
    found = []
    for folder in sys.argv[1:]:
        for at, folders, names in os.walk(folder):
            folders.sort()
            found += [os.path.join(at, n) for n in sorted(names) if n.endswith((".txt", ".json"))
                      and os.path.getsize(os.path.join(at, n)) < 64 << 20]
    rng = random.Random(7)
    for i in effort.most(range(20)):
        os.mkdir(os.path.join(tmp, str(i)))
        found += random_files(rng, os.path.join(tmp, str(i)))
    for i in effort.most(range(20)):
        bad += check_ranks(rng, os.path.join(tmp, "ranks.json"))
    for path in found:
        rows = rows_of(path)
        if rows:
            wrong, n = check(path, rows)
            bad += wrong
            files += 1
            functions += n
print(f"{files} tables, {functions} functions, {bad} differ")
sys.exit(bad > 0 or files < effort.least({"files": 41})["files"])
