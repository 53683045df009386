# SPDX-License-Identifier: MIT
"""report.py: see report.sh.

    structure   every element is closed, ids are unique, no style=, on...= or address of elsewhere, the policy comes
                first and its hashes are those of the script and the style as they stand in the page
    cells       every cell of every table of the page is that of `kstats ... -f json`, exact in the script's data and as
                people read it in the table; what is left out is counted
    invented    random frames of all kinds, of which each question counts others
    text        hostile names are text, in the page and in the data, and make no element
    bytes       the same twice, for any -j, and the same tables from run.db; no more than so many"""
import base64
import csv
import hashlib
import html.parser
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from fractions import Fraction

import effort

VOID = {"meta", "link", "br", "input"}
MIB = 1 << 20
failed = []
counted = {"pages": 0, "tables": 0, "cells": 0, "histograms": 0, "sensors": 0, "invented": 0, "compared": 0}


def wrong(where, what):
    failed.append(f"{where}: {what}")
    print(failed[-1])


def run(*words, ok=(0,), cwd=None):
    p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
    if p.returncode not in ok:
        wrong(" ".join(words), f"status {p.returncode}: {p.stderr.decode(errors='replace')[:300]}")
    return p.stdout


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.tags, self.trouble = [], [], [], []
        self.tables, self.table, self.row, self.cell = {}, None, None, None
        self.text = {"script": [], "style": []}
        self.kept, self.quiet = None, 0
        self.before, self.columns = [], []
        self.csp = None
        self.feed(text)
        self.close()
        if self.open:
            self.trouble.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.tags.append((tag, a))
        if tag not in VOID:
            self.open.append(tag)
        if len(a) != len(attrs):
            self.trouble.append(f"<{tag}> has an attribute twice")
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy":
            self.csp = a["content"]
            if self.text["style"] or self.text["script"]:
                self.trouble.append("the policy comes late")
        if tag in self.text:
            self.text[tag].append((a, []))
            self.kept = self.text[tag][-1][1]
        if tag == "table":
            self.table = self.tables[a["id"][2:]] = {"head": [], "rows": [], "columns": []}
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th"):
            self.cell = []
            self.row.append(self.cell)
            if tag == "th":
                self.table["columns"].append((int(a["data-c"]), a["title"]))
                if a.get("scope") != "col":
                    self.trouble.append("a heading without scope")
        elif self.cell is not None and tag in ("small", "svg", "dl", "figure", "code"):
            self.quiet += 1
            if tag == "small":
                self.before.append(([*self.open].count("table") and self.table, self.row, len(self.row) - 1, []))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.trouble.append(f"</{tag}> closes something else")
        if tag in self.text:
            self.kept = None
        if tag == "tr":
            (self.table["rows"] if self.table["head"] else self.table["head"]).append(self.row)
        elif tag in ("td", "th"):
            self.cell = None
        elif self.cell is not None and tag in ("small", "svg", "dl", "figure", "code"):
            self.quiet -= 1

    def handle_data(self, data):
        if self.cell is not None and self.open[-1] == "small":
            self.before[-1][3].append(data)
        if self.kept is not None:
            self.kept.append(data)
        elif self.cell is not None and self.open[-1] == "title" and "figure" in self.open:
            self.columns.append((self.table, len(self.table["rows"]), data))
        elif self.cell is not None and not self.quiet and data != "\n":  # the line behind a figure
            self.cell.append(data)

    def handle_comment(self, data):
        self.trouble.append(f"a comment: {data[:50]!r}")


def structure(name, text):
    page = Page(text)
    for t in page.trouble:
        wrong(name, t)
    if len(set(page.ids)) != len(page.ids):
        wrong(name, "an id twice")
    for tag, a in page.tags:
        for key in a:
            if key == "style" or key.startswith("on"):
                wrong(name, f"<{tag} {key}=>")
        for key in ("src", "href", "action", "data", "srcset"):
            if a.get(key) and not re.match(r"#[a-z-]+$|data:,$", a[key]):
                wrong(name, f"<{tag} {key}={a[key]}>")
        if tag in ("img", "iframe", "object", "embed", "base", "form", "template", "foreignobject"):
            wrong(name, f"<{tag}>")
    for kind in ("script", "style"):
        found = [("".join(t)) for a, t in page.text[kind] if a.get("type") != "application/json"]
        if len(found) != 1:
            wrong(name, f"{len(found)} elements {kind}")
        want = "'sha256-" + base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode() + "'"
        if f"{kind}-src {want};" not in page.csp:
            wrong(name, f"the policy does not know its {kind}")
    if not page.csp.startswith("default-src 'none';"):
        wrong(name, "the policy allows more than nothing")
    if sum(t == "h1" for t, _ in page.tags) != 1 or sum(t == "main" for t, _ in page.tags) != 1:
        wrong(name, "not one h1, one main")
    level = 1
    for tag, _ in page.tags:
        if re.match("h[1-6]$", tag):
            if int(tag[1]) > level + 1:
                wrong(name, f"<{tag}> below h{level}")
            level = int(tag[1])
    for tag, a in page.tags:
        if tag == "a" and a["href"][1:] not in page.ids:
            wrong(name, f"{a['href']} leads nowhere")
    return page


STEPS = {"ns": [(1, "ns"), (10**3, "us"), (10**6, "ms"), (10**9, "s"), (60 * 10**9, "min"), (3600 * 10**9, "h")],
         "bytes": [(1 << 10 * i, u) for i, u in enumerate(("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"))]}


def people(value, unit):
    """A number as people read it, from its exact decimal text."""
    whole, _, part = value.lstrip("-").partition(".")
    if len(part) not in (0, 4):  # as a file or a metric has it
        return value
    v = int(whole) * 10**4 + int((part + "0000")[:4])  # in ten-thousandths
    sign = "-" if value.startswith("-") and (v >= 50 if unit == "pct" else v > 0) else ""
    if unit == "pct":
        q = (v + 50) // 100
        return f"{sign}{q // 100}.{q % 100:02}%"
    if unit not in STEPS:
        return sign + (f"{v // 10**4}.{v % 10**4:04}" if part else whole)
    for i, (size, word) in enumerate(STEPS[unit]):
        later = STEPS[unit][i + 1][0] if i + 1 < len(STEPS[unit]) else None
        if size == 1 and not (part and v):
            if later is None or v < later * 10**4:
                return f"{sign}{v // 10**4} {word}"
            continue
        for places in (4, 3, 2, 1, 0):
            q = (v * 10**places + size * 5000) // (size * 10**4)
            if q < 10**4 or not places:
                break
        if later is None or q < later // size * 10**places:
            break
        v = max(v, later * 10**4)
    digits = f"{q // 10**places}" + (f".{q % 10**places:0{places}}" if places else "")
    return f"{sign}{digits} {word}"


def unsafe(c):
    return ord(c) < 32 or 0x7f <= ord(c) < 0xa0 or not c.isprintable()


def shown(cell):
    return "".join(cell)


class Exact(str):
    pass


def exact_json(text):
    return json.loads(text, parse_int=Exact, parse_float=Exact)


def check_cell(where, cell, value, unit, own):
    counted["cells"] += 1
    got = shown(cell)
    if value is None:
        want = "\u2013"
    elif isinstance(value, Exact):
        want = people(value, own or unit)
    else:
        # Names that need escapes are looked at elsewhere; long ones have their middle left out, and then all of it.
        if any(unsafe(c) for c in value) or "\ufffd" in value:
            return
        if not got.endswith(value):
            wrong(where, f"{got!r}, not {value!r}")
        return
    if got.strip() != want:
        wrong(where, f"{got!r}, not {want!r}")


def check_time(where, cell, value, began):
    """A time is counted from the beginning of its rank, which all times of the page agree on: the bounds of it are
    narrowed by what is shown to four digits.  Where it is not known, what the clock read is shown."""
    counted["cells"] += 1
    got = shown(cell).strip()
    if got == str(value):
        return began
    at = re.fullmatch(r"([+-]?)([\d.]+) (ns|us|ms|s|min|h)", got)
    if not at or (not at[1] and at[2] != "0"):
        wrong(where, f"{got!r} for {value}")
        return began
    size = next(s for s, word in STEPS["ns"] if word == at[3])
    places = len(at[2].partition(".")[2])
    # Exactly: a nanosecond of today is more than a float holds.
    near = Fraction(int(at[2].replace(".", "")) * int(size), 10**places)
    off = Fraction(int(size), 10**places) if at[3] != "ns" else 0
    sign = -1 if at[1] == "-" else 1
    low, high = max(began[0], value - sign * near - off), min(began[1], value - sign * near + off)
    if low > high:
        wrong(where, f"{got!r} for {value} is counted from elsewhere than the others")
    return low, high


def tables(name, page, cwd):
    data = [("".join(t)) for a, t in page.text["script"] if a.get("type") == "application/json"]
    if len(data) != 1 or re.search("[<>&]", data[0]):
        wrong(name, "not one block of data, or one that could end early")
    data = exact_json(data[0])
    of_ranks = {}
    for key, table in data["tables"].items():
        counted["tables"] += 1
        where = f"{name} {key}"
        words = shlex.split(table["command"])
        text = run(*words, "-q", "-f", "json", ok=(0, 1, 2), cwd=cwd)
        try:
            rows = exact_json(text)["rows"]
        except ValueError:
            wrong(where, f"no such table: {table['command']}")
            continue
        if key == "summary":  # the findings stand in a table of their own
            rows = [r for r in rows if not r["metric"].startswith("finding.")]
        if len(rows) != int(table["all"]) or not table["rows"]:
            wrong(where, f"{table['all']} rows, not {len(rows)}")
        for i, row in enumerate(table["rows"]):
            if dict(zip(table["columns"], row)) != rows[i]:
                wrong(where, f"row {i}: {row}, not {list(rows[i].values())}")
        on_page = page.tables[key]
        if len(on_page["rows"]) != len(table["rows"]):
            wrong(where, "rows of the page are not those of the data")
        for n, title in on_page["columns"]:
            if title.split(":")[0] != table["columns"][n]:
                wrong(where, f"the heading of {table['columns'][n]} says {title!r}")
        # The critical path goes over all ranks, and has a beginning of its own.
        began = {} if words[1] == "path" else of_ranks
        for i, row in enumerate(on_page["rows"]):
            for (n, _), cell in zip(on_page["columns"], row):
                column = table["columns"][n]
                if table["units"][n] == "time" and table["rows"][i][n] is not None:
                    rank = rows[i].get("rank")
                    began[rank] = check_time(f"{where}.{column}[{i}]", cell, int(table["rows"][i][n]),
                                             began.get(rank, (-2**70, 2**70)))
                    continue
                own = rows[i].get("unit") if key == "summary" and column == "value" else None
                check_cell(f"{where}.{column}[{i}]", cell, table["rows"][i][n], table["units"][n], own)
    return data["tables"]


def histograms(name, page, mine):
    """The columns beside a kernel are all its calls, where single calls are known."""
    top, sums = mine.get("top"), {}
    for table, row, text in page.columns:
        if table is page.tables.get("top"):
            sums[row] = sums.get(row, 0) + int(text.rsplit(": ", 1)[1])
    for row, n in sums.items():
        calls = int(top["rows"][row][top["columns"].index("calls")])
        counted["histograms"] += 1
        if n != calls:
            wrong(name, f"histogram of row {row}: {n} calls of {calls}")


def sensors(name, raw, cwd):
    """The columns of the section on power are the means of powerstats --chart, of the first 16 sensors of power and clock."""
    found = re.search(rb'<section id="power".*?</section>', raw, re.S)
    if not found:
        return
    text = run("powerstats", "-q", "-f", "csv", "--what", "sensors", "--chart", "run", cwd=cwd).decode()
    rows = [r for r in csv.DictReader(text.splitlines()) if r["sensor"] in ("power", "sclk")]
    order = list(dict.fromkeys((r["rank"], r["agent"], r["sensor"]) for r in rows))[:16]
    # Zeros at the end only align the columns of tables.
    want = [people(r["mean"], "ratio").rstrip("0").rstrip(".") for k in order for r in rows if (r["rank"], r["agent"], r["sensor"]) == k and float(r["mean"] or 0)]
    got = [t.decode().rsplit(": ", 1)[1] for t in re.findall(rb"<title>(.*?)</title>", found[0])]
    counted["sensors"] += len(got)
    if got != want or not got:
        wrong(name, f"sensors over time: {got[:5]} ({len(got)}), not {want[:5]} ({len(want)})")


def one(path):
    name = os.path.basename(path)
    with tempfile.TemporaryDirectory() as d:
        os.symlink(path, os.path.join(d, "run"))
        raw = run("tracereport", "-q", "run", ok=(0, 2), cwd=d)  # 2: not all of it could be read
        page = structure(name, raw.decode("utf-8"))
        mine = tables(name, page, d)
        histograms(name, page, mine)
        sensors(name, raw, d)
        counted["pages"] += 1
        ranks = max(len(mine.get("ranks", {}).get("rows", [])), 1)
        if len(raw) > (MIB if ranks == 1 else 8 * MIB):
            wrong(name, f"{len(raw)} bytes")
        if run("tracereport", "-q", "-j", "3", "run", ok=(0, 2), cwd=d) != raw:
            wrong(name, "another page with -j 3")
        os.makedirs(os.path.join(d, "db"))
        p = subprocess.run(["tracemerge", "-q", "-o", "db/run", "run"], cwd=d, stderr=subprocess.PIPE)
        if p.returncode:
            return
        other = structure(name + " as run.db", run("tracereport", "-q", "run", cwd=os.path.join(d, "db")).decode())
        theirs = tables(name + " as run.db", other, os.path.join(d, "db"))
        # tracemerge put the ranks on one clock: what compares them is another, and more exact.
        ranks = theirs.get("ranks", {"columns": [], "rows": []})
        if "clock_error_ns" in ranks["columns"]:
            at = ranks["columns"].index("clock_error_ns")
            if any(r[at] for r in ranks["rows"]):
                return
        # How many inputs there were is said of the files, and so is what was read of them only.
        for key in mine:
            rows = [[r for r in t.get(key, {}).get("rows", []) if r[0] not in ("inputs", "rows.skipped", "producer")]
                    for t in (mine, theirs)]
            if rows[0] != rows[1]:
                wrong(name, f"table {key} is another from run.db")


# What the rows of each table are about.
NAMES = {key: names.split() for key, names in {
    "summary": "metric", "timeline": "rank agent", "top": "rank agent queue stream grid workgroup name class", "classes": "class",
    "gemm": "share", "gaps": "rank agent queue stream", "gaps-list": "rank agent queue stream prev next",
    "gaps-hist": "rank agent queue stream from_ns to_ns", "sync": "rank function", "launch": "name", "steps-total": "rank",
    "steps": "rank step", "ranks": "rank host", "ranks-imbalance": "metric", "collectives": "op comm bytes",
    "collectives-ranks": "rank", "efficiency": "run metric", "copies": "rank direction src dst", "memory": "rank agent",
    "roofline": "name op problem", "sensors": "rank agent sensor unit", "energy-step": "part rank", "energy": "class",
    "ops-paths": "rank path", "ops": "rank op shape", "regions": "rank region"}.items()}


def compared(a, b, ok=(0,)):
    """Numbers of the baseline stand beside those of the run, where they are others: of the one row of the same name and
    the same column of its table."""
    name = f"{os.path.basename(a)} -> {os.path.basename(b)}"
    with tempfile.TemporaryDirectory() as d:
        os.symlink(a, os.path.join(d, "a"))
        os.symlink(b, os.path.join(d, "b"))
        page = structure(name, run("tracereport", "-q", "--baseline", "a", "b", cwd=d, ok=ok).decode("utf-8"))
        data = tables(name, page, d)
        if "tracediff" not in data:
            wrong(name, "no comparison")
        got = {}
        for table, row, at, words in page.before:
            got[id(table), table["rows"].index(row), at] = shown(words)
        for key in NAMES.keys() & data.keys():
            t, table = data[key], page.tables[key]
            sides = [exact_json(run(*shlex.split(t["command"])[:-1], side, "-q", "-f", "json", ok=(0, 1, 2), cwd=d)
                                or "{\"rows\":[]}")["rows"] for side in "ab"]
            for n, row in enumerate(table["rows"]):
                mine = dict(zip(t["columns"], t["rows"][n]))
                found = [[r for r in rows if all(r[c] == mine[c] for c in NAMES[key] if c in mine)] for rows in sides]
                for at, (place, _) in enumerate(table["columns"]):
                    column, unit = t["columns"][place], t["units"][place]
                    was = found[0][0][column] if [len(f) for f in found] == [1, 1] else None
                    want = None
                    if isinstance(was, Exact) and was != mine[column] and unit not in ("id", "time"):
                        want = "A: " + people(was, (found[0][0]["unit"] if key == "summary" and column == "value" else None) or unit)
                        counted["compared"] += 1
                    if got.pop((id(table), n, at), None) != want:
                        wrong(name, f"{key}.{column}[{n}]: not {want}")
        if got:
            wrong(name, f"numbers of the baseline in tables that have no names: {list(got.values())[:5]}")
        if not page.before and a != b:
            wrong(name, "no number of the baseline")


def stepping(path, slow, gap):
    """A run of six steps, one of them slow, with such a gap in each."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("kind,rank,pid,tid,agent,stream,corr,name,start_ns,end_ns,domain\n")
        at = 1000000
        for step in range(1, 7):
            work = 50000 if step == slow else 10000
            f.write(f"marker,0,7,70,,,,step {step},{at},{at + work + 2000},marker\n"
                    f"api,0,7,70,,,{step},hipLaunchKernel,{at + 100},{at + 600},hip\n"
                    f"kernel,0,7,,GPU 0,1,{step},gemm(float*),{at + 1000},{at + 2000},kernel\n"
                    f"kernel,0,7,,GPU 0,1,,gemm(float*),{at + 2000 + gap},{at + work - 2000},kernel\n"
                    f"api,0,7,70,,,,hipDeviceSynchronize,{at + 700},{at + work},hip\n")
            at += work + 3000


HOSTILE = ["</script><img src=x onerror=\"window.pwned=1\">", "\"><svg onload=alert(1)>", "<!--<script>", "]]>",
           "a\u202eb\x07`${1}`", "&lt;b&gt;&amp;", "'onmouseover='x", "=cmd|'/c calc'!A0", "{{constructor}}", "\\u003c"]


def hostile():
    with tempfile.TemporaryDirectory() as d:
        os.mkdir(os.path.join(d, '<b>&lt;"run'))
        with open(os.path.join(d, '<b>&lt;"run', "1_kernel_trace.csv"), "w", newline="") as f:
            w = csv.writer(f, quoting=csv.QUOTE_ALL)
            w.writerow(["Kind", "Agent_Id", "Queue_Id", "Kernel_Name", "Correlation_Id", "Start_Timestamp", "End_Timestamp"])
            for i, k in enumerate(HOSTILE):
                w.writerow(["KERNEL_DISPATCH", "Agent 1", "1", k, i, 1000 + 100 * i, 1050 + 100 * i + i])
        text = run("tracereport", "-q", '<b>&lt;"run', cwd=d).decode("utf-8")
        page = structure("hostile", text)
        data = tables("hostile", page, d)
        names = {r[data["top"]["columns"].index("name")] for r in data["top"]["rows"]}
        if names != set(HOSTILE):
            wrong("hostile", f"names are not what they were: {names ^ set(HOSTILE)}")
        if any(unsafe(c) and c != "\n" for c in re.sub("<script>.*?</script>", "", text, flags=re.S).replace("\t", "")):
            wrong("hostile", "a control character is in the page")
        if sum(t in ("b", "img") for t, _ in page.tags):
            wrong("hostile", "a name became an element")


def host_rows(rng, thread, ids):
    """Operators, annotations with and without length, functions of Python: nested and side by side."""
    out, at = [], 0
    while at < 4000:
        cat = rng.choice(["cpu_op", "user_annotation", "python_function"])
        dur = rng.choice([0, 1, 200, 900]) if cat == "user_annotation" else rng.choice([5, 200, 900])
        args = {"External id": next(ids)} if cat != "python_function" else {}
        out.append({"cat": cat, "name": f"{cat} {rng.randrange(3)}", "pid": thread[0], "tid": thread[1], "ts": at,
                    "dur": dur, "args": args})
        at += rng.choice([0, 1, 150, 400])
    return out


def invented(folder, rng):
    """Whose work it was, where frames of all kinds ask one store (stack/pool.h): a question alone has its own."""
    ids, events = iter(range(1, 10**6)), []
    threads = [(7, 70), (7, 71), (rng.choice([7, 8]), 72)]
    for thread in threads[:rng.randint(1, 3)]:
        events += host_rows(rng, thread, ids)
    most = next(ids)
    for corr in range(1, 150):
        pid, tid = rng.choice(threads)
        at = rng.randrange(4000)
        if rng.random() < .8:
            events.append({"cat": "cuda_runtime", "name": rng.choice(["hipLaunchKernel"] * 5 + ["hipGraphLaunch"]),
                           "pid": pid, "tid": tid, "ts": at, "dur": 2, "args": {"correlation": corr}})
        args = {"device": 0, "stream": rng.randrange(2), "correlation": corr}
        if rng.random() < .4:
            args["External id"] = rng.randrange(most)
        events.append({"cat": rng.choice(["kernel", "kernel", "gpu_memcpy"]), "name": rng.choice(["Cijk_a", "softmax", "Memcpy HtoD"]),
                       "pid": 0, "tid": rng.choice([0, 70, 72]), "ts": at + 3, "dur": rng.randint(0, 40), "args": args})
    rng.shuffle(events)
    with open(os.path.join(folder, "one.json"), "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X"}],
                   "traceEvents": [{"ph": "X", **e} for e in events]}, f)
    raw = run("tracereport", "-q", "one.json", cwd=folder)
    found = tables("invented", structure("invented", raw.decode("utf-8")), folder)
    for key in ("ops", "regions"):
        if key not in found:
            wrong("invented", f"no table of {key}")
    counted["invented"] += 1


def main():
    hostile()
    for seed in range(effort.rounds(20)):
        with tempfile.TemporaryDirectory() as d:
            invented(d, random.Random(seed))
    data = os.path.dirname(os.path.abspath(sys.argv[1]))
    compared(os.path.join(data, "sync_each"), os.path.join(data, "sync_once"))
    compared(os.path.join(data, "run"), os.path.join(data, "run"), ok=(2,))
    with tempfile.TemporaryDirectory() as d:
        stepping(os.path.join(d, "slow.csv"), 3, 400)
        stepping(os.path.join(d, "even.csv"), 0, 900)
        compared(os.path.join(d, "slow.csv"), os.path.join(d, "even.csv"))
    for path in effort.most(sys.argv[1:]):
        one(os.path.abspath(path))
    print(", ".join(f"{n} {what}" for what, n in counted.items()))
    return 1 if failed or not counted["cells"] else 0


sys.exit(main())
