#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tracecat.py FOLDER...: tracecat writes what an independent reader finds in every CSV below them."""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import csv_oracle as o

import effort

COLUMNS = ["kind", "rank", "pid", "tid", "agent", "queue", "stream", "corr", "name", "start_ns", "end_ns",
           "bytes", "direction", "src", "dst", "workgroup", "grid", "lds_bytes", "scratch_bytes", "vgpr",
           "accum_vgpr", "sgpr", "value", "class"]
NUMBERS = {
    "pid": ["process_id", "pid"], "tid": ["thread_id", "tid"], "queue": ["queue_id", "queue-id"],
    "stream": ["stream_id", "stream-id"], "corr": ["correlation_id"], "bytes": ["allocation_size"],
    "lds_bytes": ["lds_block_size", "group_segment_size", "lds_per_workgroup", "lds"],
    "scratch_bytes": ["scratch_size", "private_segment_size", "scratch_per_workitem", "scr"],
    "vgpr": ["vgpr_count", "arch_vgpr", "vgpr"], "accum_vgpr": ["accum_vgpr_count", "accum_vgpr"],
    "sgpr": ["sgpr_count", "sgpr"], "dispatch_id": ["dispatch_id", "index"], "kernel_id": ["kernel_id"],
    "address": ["address"], "alloc_flags": ["alloc_flags"], "wave": ["wave_size"],
}
AGENTS = {"agent": ["agent_id", "gpu_id", "gpu-id"], "src": ["source_agent_id"],
          "dst": ["destination_agent_id"]}
DIRECTION = re.compile(r'(host|device)_?to_?(host|device)', re.I)


def run(*args, stdin=None):
    p = subprocess.run(["tracecat", "-q", *args], input=stdin, capture_output=True, check=False)
    return p.returncode, p.stdout, p.stderr.decode("latin-1")


def number(text):
    """What a cell says, as tracecat prints it."""
    text = text.strip()
    if text in ("", "None"):
        return ""
    if text.lower().startswith("0x"):
        return str(int(text, 16))
    return str(int(text.split(".")[0]))


def agent(text):
    if text == '"':     # rocpd's converter, where there is none
        return ""
    m = re.match(r'(?:Agent[ -])?(\d+)\Z', text)
    return m.group(1) if m else text


def table_of(cols):
    """Kind and name column of a header."""
    has = set(cols)
    kind, domain, name, start, end = o.what_is(cols)
    if not kind and {"domain", "operation"} <= has and start is None:
        start = cols.index("start_timestamp")
        end = cols.index("stop_timestamp") if "stop_timestamp" in has else cols.index("end_timestamp")
        if "kernel_name" in has:
            return "operations", "", cols.index("kernel_name"), start, end
        return "copies", "copy", cols.index("operation"), start, end
    return kind, domain, name, start, end


def split(data):
    """(columns as written, rows) of a file, with None for a row that does not fit."""
    if data.startswith("\xef\xbb\xbf"):
        data = data[3:]
    line, _, body = data.partition("\n")
    line = line.rstrip("\r")
    raw = re.match(r'(?:"[^"]*")(?:,"[^"]*")*\Z', line) is not None
    cols = [c.strip().lower() for c in o.split_line(line)]
    kind, _, name, start, end = table_of(cols)
    numeric = {i for i, c in enumerate(cols) if c in o.NUMBERS}
    first = next((x for x in body.split("\n") if x.strip()), "")
    cells = re.findall(r'(?:^|,)("[^"]*"|[^",]*)', first.rstrip("\r"))
    quoted = numeric and all(c.startswith('"') for i, c in enumerate(cells) if i in numeric)
    own = raw and not quoted and "guid" not in cols
    ragged = kind == "kernel trace" and "gpu_id" in cols and "index" not in cols
    if own and name is not None and not o.plain_lines(body, len(cols)):
        rows = list(o.rows_by_hand(body, len(cols), name, numeric))
    else:
        rows = list(o.rows_by_module(body))
    for i, f in enumerate(rows):
        good = f is not None and (len(f) == len(cols) or (ragged and len(f) > name))
        if good and i + 1 == len(rows) and not data.endswith("\n") and f[-1] == "":
            good = False
        if good:
            good = all(o.is_number(f[k]) for k in numeric if k < len(f))
        if good and i + 1 == len(rows) and not data.endswith("\n"):
            good = o.has_its_end(cols, f, raw, data, start, end)
        if not good:
            rows[i] = None
    return [c.strip() for c in o.split_line(line)], rows


def counter_cells(header, rows):
    """Of a table of dispatches: the columns that are counters, as far as the first rows tell."""
    out = []
    for i in o.counter_columns(header):
        first = [o.value(f[i].strip()) for f in rows[:60] if len(f) == len(header)]
        if False not in first or any(isinstance(v, float) for v in first):
            out.append(i)
    return out


def with_counters(header, table, out, fields):
    """Dispatches and their counters, one after the other, out of rows that are one of them."""
    cols = [c.lower() for c in header]
    if table == "kernel trace":
        columns = counter_cells(header, fields)
        for row, f in zip(list(out), fields):
            for i in columns if len(f) == len(header) else []:
                v = o.value(f[i].strip())
                if isinstance(v, float):
                    out.append({**row, "kind": "counter", "counter": header[i], "value": v})
    elif table == "counters" and "gpu_id" in cols:
        seen = set()
        for row, f in zip(list(out), fields):
            rest = tuple(x for c, x in zip(cols, f) if c not in ("counter_name", "counter_value"))
            if rest not in seen:
                seen.add(rest)
                out.append({**row, "kind": "kernel", "counter": "", "value": ""})
    return out


def expected(header, rows):
    """The rows tracecat should write; names of kernels as they stand."""
    cols = [c.lower() for c in header]
    fields = []
    table, domain, name, start, end = table_of(cols)
    at = {c: i for i, c in reversed(list(enumerate(cols)))}
    out = []

    def cell(f, names, how):
        for n in names:
            if n in at:
                return how(f[at[n]]) if at[n] < len(f) else ""
        return ""

    def shape(f, stem, products):
        parts = [cell(f, [stem + "_" + a], number) for a in "xyz"]
        if parts[0]:
            return "x".join(p for p in parts if p)
        return cell(f, products, number)
    for f in rows:
        if f is None:
            continue
        row = {c: cell(f, names, number) for c, names in NUMBERS.items()}
        row.update({c: cell(f, names, agent) for c, names in AGENTS.items()})
        row["start_ns"] = time(f[start]) if start is not None else ""
        row["end_ns"] = time(f[end]) if end is not None else ""
        if start is not None and end is not None:
            if not row["start_ns"] or not row["end_ns"] or int(row["end_ns"]) < int(row["start_ns"]):
                continue
        row["name"] = f[name] if name is not None else ""
        row["workgroup"] = shape(f, "workgroup_size", ["workgroup_size", "wgr"])
        row["grid"] = shape(f, "grid_size", ["grid_size", "grd"])
        row["direction"] = row["value"] = row["counter"] = ""
        d = domain or o.domain_of(f[at["domain"]])
        kind = {"copies": "copy", "allocations": "alloc", "scratch": "alloc", "counters": "counter",
                "API trace": "marker" if d == "marker" else "api"}.get(table, "kernel")
        if table == "operations":
            kind = d = "kernel" if row["name"] else "copy"
            row["name"] = row["name"] or f[at["operation"]]
        if kind == "copy":
            m = DIRECTION.search(row["name"])
            row["direction"] = "%s_to_%s" % (m.group(1).lower(), m.group(2).lower()) if m else ""
        if kind == "counter":
            row["value"] = float(f[at["counter_value"]])
            row["counter"] = f[at["counter_name"]]
        row["kind"], row["domain"] = kind, d
        out.append(row)
        fields.append(f)
    out = with_counters(header, table, out, fields)
    ident = o.identities({r["name"] for r in out if r["kind"] in ("kernel", "counter")})
    for r in out:
        if r["kind"] in ("kernel", "counter"):
            r["name"] = ident[r["name"]]
    return out


def time(text):
    """A time, to the nearest nanosecond."""
    v = o.moment(text)
    return "" if v is None else str(v)


def compare(got, want, shown):
    """Kinds may take turns; of each the rows are in the order of the file."""
    got = sorted(got, key=lambda r: r["kind"])
    want = sorted(want, key=lambda r: r["kind"])
    if len(got) != len(want):
        return ["%s: %d rows, should be %d" % (shown, len(got), len(want))]
    for i, (g, w) in enumerate(zip(got, want)):
        for c, v in w.items():
            have = g[c]
            if c == "value" and have:
                have = float(have)
            if c == "name" and v.startswith("_Z") and not o.can_demangle():
                continue
            if have != v:
                return ["%s: row %d, %s is %r, should be %r" % (shown, i + 1, c, have, v)]
    return []


def same_json(path, got, shown):
    """NDJSON holds what CSV holds."""
    _, out, _ = run("--to", "ndjson", path)
    lines = out.decode("utf-8").split("\n")[:-1]
    if len(lines) != len(got):
        return ["%s: %d objects for %d rows" % (shown, len(lines), len(got))]
    for i, (line, row) in enumerate(zip(lines, got)):
        j = json.loads(line)
        if list(j) != list(row):
            return ["%s: object %d has other columns" % (shown, i + 1)]
        for c, v in row.items():
            # CSV has the bytes as they are; what is no UTF-8 is replaced in JSON.
            text = v.encode("latin-1").decode("utf-8", "replace")
            have = "" if j[c] is None else j[c]
            if isinstance(have, float):
                have, text = have, float(text)
            elif isinstance(have, int):
                have = str(have)
            if have != text and "\ufffd" not in text:
                return ["%s: object %d, %s is %r, in csv %r" % (shown, i + 1, c, have, text)]
    return []


def same_classes(path, got, shown):
    """The class of a kernel is the one kstats gives."""
    p = subprocess.run(["kstats", "top", "-q", "-f", "csv", "--columns", "name,class", path],
                       capture_output=True, check=False)
    known = dict(list(csv.reader(io.StringIO(p.stdout.decode("latin-1"), newline="")))[1:])
    for g in got:
        want = known.get(g["name"], g["class"]) if g["kind"] in ("kernel", "counter") else ""
        if g["class"] != want or (g["kind"] == "kernel" and not g["class"]):
            return ["%s: class of %s is %r, in kstats %r" % (shown, g["name"][:60], g["class"], want)]
    return []


def shuffled(data, shown, folder):
    """Rows in another order sort to the same bytes.  Only tables of one row a line."""
    head, _, body = data.partition("\n")
    lines = [x for x in body.split("\n") if x]
    if not data.endswith("\n") or '""' in body or len(lines) < 2:
        return []
    random.Random(1).shuffle(lines)
    path = os.path.join(folder, "shuffled.csv")
    with open(path, "w", encoding="latin-1", newline="") as f:
        f.write("\n".join([head] + lines) + "\n")
    return path


def check(path, shown, counts, folder):
    data = o.load(path)
    line = data.partition("\n")[0].rstrip("\r")
    cols = [c.strip().lower() for c in o.split_line(line.replace("\xef\xbb\xbf", ""))] if line else []
    kind = table_of(cols)[0] if cols else ""
    if not kind or kind in ("statistics", "agents", "PC samples"):
        counts["other"] += 1
        return []
    header, rows = split(data)
    want = expected(header, rows)
    status, out, err = run(path)
    got = list(csv.DictReader(io.StringIO(out.decode("latin-1"), newline="")))
    bad = []
    if want and (not got or list(got[0])[:len(COLUMNS)] != COLUMNS):
        bad.append("%s: other columns" % shown)
        return bad
    if want and status and "ends inside" not in err and None not in rows:
        bad.append("%s: status %d: %s" % (shown, status, err[:200]))
    bad += compare(got, want, shown)
    bad += same_json(path, got, shown)
    bad += same_classes(path, got, shown)
    counts["files"] += 1
    counts["rows"] += len(got)
    if None not in rows and o.plain_lines(data.partition("\n")[2], len(cols)) and len(rows) < 200000:
        other = shuffled(data, shown, folder)
        if other:
            one, two = run("-s", "start_ns", path)[1], run("-s", "start_ns", "-j", "1", other)[1]
            # A path may name a rank; the copy's does not.
            rank = run("--columns", "rank", path)[1].split(b"\n")[1]
            if rank == b"0":
                counts["sorted"] += 1
                if one != two:
                    bad.append("%s: shuffled, it sorts to something else" % shown)
    return bad


def candidates(top):
    for folder, dirs, files in os.walk(top):
        dirs.sort()
        for name in sorted(files):
            if re.search(r'\.csv(?:\.(?:gz|zst|xz|bz2))?\Z', name):
                yield os.path.join(folder, name)


def main():
    counts = {"files": 0, "rows": 0, "other": 0, "sorted": 0}
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        for top in sys.argv[1:]:
            for path in effort.sample(candidates(top)):
                bad += check(path, os.path.relpath(path, top), counts, folder)
    for line in bad:
        print("DIFFERS " + line.replace("\n", "\\n"))
    print("%d files compared (%d rows), %d of them shuffled, %d without events; %d differences" %
          (counts["files"], counts["rows"], counts["sorted"], counts["other"], len(bad)))
    sys.exit(1 if bad or not counts["files"] else 0)


main()
