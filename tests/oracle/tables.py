#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables.py some|all FOLDER: dump_events gives the dispatches and counters that csv_oracle.py finds in
the tables below FOLDER, and those that were written into random tables."""
import collections
import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import csv_oracle as o

SOME = 40               # real files, beside those of folders/
RANDOM = {"some": 150, "all": 4000}
bad = []


def dump(path):
    """(Counter of events, standard error)"""
    run = subprocess.run([os.path.join(os.environ["BUILD"], "dump_events"), path], capture_output=True,
                         check=False)
    got = collections.Counter()
    for r in csv.DictReader(io.StringIO(run.stdout.decode("latin-1"), newline="")):
        if r["kind"] in ("kernel dispatch", "counter value"):
            got[r["kind"], r["name"], r["start_ns"], r["end_ns"], r["counter"],
                repr(float(r["value"])) if r["value"] else ""] += 1
    return got, run.stderr.decode("latin-1")


def shown(events):
    """As dump() has them."""
    def text(v):
        return "" if v is None else repr(v) if isinstance(v, float) else str(v)
    return collections.Counter(tuple(text(x) for x in e) for e in events)


def differ(what, got, want):
    for e in list((want - got).elements())[:3]:
        bad.append("%s: missing: %s" % (what, str(e)[:300]))
    for e in list((got - want).elements())[:3]:
        bad.append("%s: not in it: %s" % (what, str(e)[:300]))


# ---------------------------------------------------------------- real tables

def real(top, some):
    paths = []
    for folder, dirs, files in os.walk(top):
        dirs.sort()
        paths += [os.path.join(folder, f) for f in sorted(files) if f.endswith(".csv")]
    if some:
        sure = [p for p in paths if os.sep + "folders" + os.sep in p]
        rest = [p for p in paths if p not in sure and os.path.getsize(p) < 300000]
        paths = sure + random.Random(7).sample(rest, min(SOME, len(rest)))
    tables = events = 0
    for p in paths:
        t = o.read_file(p)
        if not t.events or t.kind not in ("kernel trace", "counters"):
            continue
        got, _ = dump(p)
        want = shown(t.events)
        differ(os.path.relpath(p, top), got, want)
        tables += 1
        events += sum(want.values())
        values = [e for e in t.events if e[4] is not None and e[5] is not None]
        if "long" in p and "rocprof-compute" in p:
            ns = sum(e[3] - e[2] for e in t.events if e[0] == "kernel dispatch")
            if (len(t.events) - len(values), ns) != (36, 247652):
                bad.append("%s: %d dispatches of %d ns" % (p, len(t.events) - len(values), ns))
    print("%d real tables, %d events" % (tables, events))
    return tables


# ---------------------------------------------------------------- random tables

V1 = ["Index", "KernelName", "gpu-id", "queue-id", "queue-index", "pid", "grd", "sig", "obj"]
V2 = ["Dispatch_ID", "GPU_ID", "Queue_ID", "PID", "Grid_Size", "Wave_Size"]
V3 = ["Kind", "Agent_Id", "Queue_Id", "Dispatch_Id", "Kernel_Id"]


class Column:
    def __init__(self, name, what, quoted=False):
        self.name, self.what, self.quoted = name, what, quoted


def number(r):
    return r.choice([str(r.randrange(10)), str(r.randrange(1 << 40)), "%.6f" % (r.random() * 1e6),
                     "%.10f" % r.random(), "%.8e" % (r.random() * 1e-3), "-%d.5" % r.randrange(99),
                     "1e%d" % r.randrange(30), repr(r.random()), "0.0"])


def time_text(r, near, fractions):
    """A time, and what it is rounded to."""
    at = near + r.randrange(1000)
    if not fractions or r.random() < 0.3:
        text = str(at) + r.choice(["", ".0", ".", ".000"] if fractions else [""])
    else:
        text = str(at) + "." + r.choice(["5", "50", "5000000000000000001", "4999999999999999999999", "75", "25",
                                         str(r.randrange(1000))])
        if r.random() < 0.2:
            digits = text.replace(".", "")
            text = "%s.%se%s%d" % (digits[0], digits[1:], r.choice(["", "+"]), text.index(".") - 1)
    return text, round(Fraction(text))


def name_text(r):
    parts = ["f", "gemm<", "int, ", "a b", ">", "(float*)", "'", "x" * r.randrange(60), "::", "\xe4", "{", "%s",
             ".kd", "7", "[0]"]
    return "".join(r.choice(parts) for _ in range(r.randrange(1, 8))).strip() or "k"


class Table:
    """A random table: its text, its events, and what is to be said of it."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.form = r.choice(["v1", "v2", "v2", "v3", "long"])
        self.events, self.malformed, self.rounded, self.joined = [], 0, 0, 0
        self.quote_words = self.form == "v3" and r.random() < 0.7
        self.names_quoted = self.form != "v1" or r.random() < 0.7
        self.columns = self.make_columns()
        self.fractions = r.random() < 0.4
        names = [name_text(r) for _ in range(5)]
        if not self.names_quoted:
            names = ["k" + re.sub(r'[,"]', "_", n) for n in names]
        self.rows = [self.make_row(i, names) for i in range(r.randrange(1, 12 if self.form != "long" else 60))]

    def make_columns(self):
        r = self.r
        if self.form == "long":
            out = [Column(n, "id") for n in V2[:5]]
            r.shuffle(out)
            out.insert(r.randrange(6), Column("Kernel_Name", "name", True))
            return out + [Column("Start_Timestamp", "start"), Column("End_Timestamp", "end"),
                          Column("Kernel_ID", "id"), Column("Counter_Name", "counter"),
                          Column("Counter_Value", "value")]
        width = r.choice([0, 1, 2, 5, 20, 100, 300, 300, 1100 if r.random() < 0.2 else 3])
        if self.form == "v3":
            width = max(width, 1)
        counters = [Column("SQ_C%d_%s" % (i, r.choice(["sum", "avr", "X", "[3]"])), "value") for i in range(width)]
        times = {"v1": ["BeginNs", "EndNs"]}.get(self.form, ["Start_Timestamp", "End_Timestamp"])
        times = [Column(times[0], "start"), Column(times[1], "end")]
        if self.form == "v1":
            ids = [Column(n, "name" if n == "KernelName" else "hex" if n in ("sig", "obj") else "id",
                          n == "KernelName" and self.names_quoted) for n in V1]
            if r.random() < 0.3:
                ids += [Column("wave_size_1", "id"), Column("obj_2", "hex")]
            return ids + counters + [Column("DispatchNs", "id"), *times, Column("CompleteNs", "id")]
        if self.form == "v2":
            ids = [Column(n, "id") for n in V2] + [Column("Kernel_Name", "name", True)]
            if r.random() < 0.5:
                return ids + times + [Column("Correlation_ID", "id")] + counters
            return ids + counters + [Column("Kernel_ID_1", "id")] + times
        ids = [Column("Kind", "word", self.quote_words)] + [Column(n, "id") for n in V3[1:]]
        return ids + [Column("Kernel_Name", "name", True), Column("Correlation_Id", "id"), *times] + counters

    def make_row(self, i, names):
        r = self.r
        cells, row = [], {"value": []}
        near = 10 ** r.choice([3, 9, 15, 17]) + i * 5000
        for c in self.columns:
            if c.what == "name":
                text = r.choice(names)
                row["name"] = text
                text = '"%s"' % text if c.quoted else text
            elif c.what == "start":
                text, row["start"] = time_text(r, near, self.fractions)
                row["inexact"] = Fraction(text).denominator != 1
            elif c.what == "end":
                text, row["end"] = time_text(r, near + 1000, self.fractions)
                row["inexact"] |= Fraction(text).denominator != 1
            elif c.what == "value":
                text = number(r) if r.random() < 0.9 or self.form == "long" else r.choice(["", "None", "nan"])
                row["value"].append((c.name, text))
            elif c.what == "counter":
                text = row["counter"] = r.choice(["SQ_WAVES", "TCC_HIT[0]", "A"])
            elif c.what == "word":
                text = '"KERNEL_DISPATCH"' if c.quoted else "KERNEL_DISPATCH"
            elif c.what == "hex":
                text = "0x%x" % r.randrange(1 << 44)
            else:
                text = str(r.randrange(1, 5))
            cells.append(text)
        row["cells"] = cells
        return row

    def spoil(self, row, at):
        """A cell that is nobody's."""
        c = self.columns[at]
        if c.what in ("start", "end", "name"):
            row["lost"] = True
            row["inexact"] = False
        elif c.what == "value":
            k = sum(x.what == "value" for x in self.columns[:at])
            row["value"][k] = (row["value"][k][0], "")
        row["cells"][at] = ""

    def join(self, a, b):
        """The newline between rows a and b goes."""
        left, right = self.columns[-1], self.columns[0]
        if a["cells"][-1].endswith('"') or right.quoted:
            return True
        if left.what in ("id", "start", "end", "value") and right.what == "word" and \
                re.match(r'\d+\.?\d*\Z', a["cells"][-1]):
            return True
        if not o.is_number(a["cells"][-1] + b["cells"][0]):
            return False
        self.spoil(a, len(self.columns) - 1)
        self.spoil(b, 0)
        return True

    def text(self):
        r = self.r
        names = [c.name for c in self.columns]
        raw = self.form == "v3" and self.quote_words
        head = ",".join('"%s"' % n for n in names) if raw else ",".join(names)
        plain = [",".join(row["cells"]) for row in self.rows]
        ends = ["\n"] * len(plain)
        # An unquoted name at the beginning or at the end has no bounds of its own.
        fit = len(self.columns) >= 4 and self.columns[0].what != "name" and not any(
            row["cells"][-1] in ("", "None", "nan") for row in self.rows)
        if fit and r.random() < 0.5:
            for i in range(len(plain) - 1):
                if r.random() < 0.3 and self.join(self.rows[i], self.rows[i + 1]):
                    ends[i] = ""
                    self.joined += 1
        body = "".join(p + e for p, e in zip(plain, ends))
        text = head + "\n" + ("\n" if self.form == "v2" else "") + body
        if r.random() < 0.3:
            text = text.replace("\n", "\r\n")
        return r.choice(["", "", "\n", "\r\n \n"]) + text

    def count(self):
        """The events, after text()."""
        seen = set()
        for row in self.rows:
            if row.get("lost"):
                self.malformed += 1
                continue
            self.rounded += row["inexact"]
            if row["end"] < row["start"]:
                continue
            key = (row["name"], row["start"], row["end"])
            if self.form == "long":
                v = o.value(row["value"][0][1])
                rest = tuple(x if c.what not in ("start", "end") else row[c.what]
                             for c, x in zip(self.columns, row["cells"]) if c.what not in ("counter", "value"))
                if rest not in seen:
                    seen.add(rest)
                    self.events.append(("kernel dispatch", *key, None, None))
                self.events.append(("counter value", *key, row["counter"], v if isinstance(v, float) else None))
                continue
            self.events.append(("kernel dispatch", *key, None, None))
            for n, text in row["value"]:
                if isinstance(o.value(text), float):
                    self.events.append(("counter value", *key, n, o.value(text)))


def said(err, pattern):
    m = re.search(pattern, err)
    return int(m.group(1)) if m else 0


def made(count):
    events = 0
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "table.csv")
        for seed in range(count):
            t = Table(seed)
            text = t.text()
            t.count()
            form = random.Random(-seed).choice(["", "", "", "mark", "utf-16-le", "utf-16-be"])
            data = text.encode("utf-8")
            if form == "mark":
                data = b"\xef\xbb\xbf" + data
            elif form:
                data = ("\ufeff" + text).encode(form)
            with open(path, "wb") as f:
                f.write(data)
            got, err = dump(path)
            want = shown(tuple(x.encode("utf-8").decode("latin-1") if isinstance(x, str) else x for x in e)
                         for e in t.events)
            what = "random table %d (%s%s)" % (seed, t.form, ", " + form if form else "")
            before = len(bad)
            differ(what, got, want)
            for n, pattern in ((t.malformed, r'(\d+) rows? skipped that'), (t.joined, r'(\d+) newlines? between'),
                               (t.rounded, r'(\d+) rows? (?:has a|have) fractional')):
                if said(err, pattern) != n:
                    bad.append("%s: says %d, should be %d: %s" % (what, said(err, pattern), n, pattern))
            if len(bad) > before and os.environ.get("KEEP"):
                with open(os.path.join(os.environ["KEEP"], "%d.csv" % seed), "wb") as f:
                    f.write(data)
            events += sum(want.values())
    print("%d random tables, %d events" % (count, events))


def main():
    if os.path.isdir(sys.argv[2]):
        if not real(sys.argv[2], sys.argv[1] == "some"):
            bad.append("no real table was compared")
    else:
        print("shared data absent: random tables only")
    made(RANDOM[sys.argv[1]])
    for line in bad[:40]:
        print("DIFFERS " + line)
    print("%d differences" % len(bad))
    sys.exit(1 if bad else 0)


main()
