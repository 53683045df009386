#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of the profilers' CSV and text files, written for the tests: slow and plain, Python's
csv module where quotes are doubled and a parser by hand where they are not.  It shares nothing with the
C code, so that a mistake in one of them shows.

    csv_oracle.py FILE...     what each file holds, as JSON
"""
import csv
import fractions
import io
import json
import math
import re
import subprocess
import shutil
import sys

csv.field_size_limit(1 << 30)
Fraction = fractions.Fraction
WRAP = 1 << 64


class Table:
    """One file: what it is, its rows as (domain, name, nanoseconds, start), its statistics rows."""

    def __init__(self, kind):
        self.kind = kind        # "kernel trace", "statistics", ...; "" = not for kstats
        self.why = ""           # why there is nothing in it
        self.rows = []
        self.stats = []         # dicts
        self.malformed = 0
        self.reversed = 0
        self.cut = 0
        self.untimed = 0
        self.rounded = 0        # rows with times that are no whole numbers
        self.wide = []
        self.events = []        # ("kernel dispatch" or "counter value", name, start, end, counter, value)


# ---------------------------------------------------------------- names

def trim(name):
    """A kernel's name without the producer's decoration."""
    while True:
        before = name
        if len(name) > 2 and name[0] == name[-1] == '"':
            name = name[1:-1]
        for tail in (" [clone .kd]", " (.kd)", ".kd"):
            if name.endswith(tail) and len(name) > len(tail):
                name = name[:-len(tail)]
                break
        if name == before:
            return name


def can_demangle():
    return shutil.which("c++filt") is not None


_demangled = {}


def demangle_all(names):
    """Fill the cache for every mangled name, with one run of c++filt."""
    todo = [n for n in set(names) if n.startswith("_Z") and n not in _demangled and "\n" not in n]
    if todo and can_demangle():
        out = subprocess.run(["c++filt", "-r"], input="\n".join(todo) + "\n", capture_output=True,
                             encoding="latin-1", check=True).stdout.split("\n")
        for name, plain in zip(todo, out):
            _demangled[name] = plain
    return _demangled


def identities(names):
    """Name as written -> name as kstats should print it."""
    cut = {n: trim(n) for n in names}
    known = demangle_all(cut.values())
    return {n: known.get(t, t) for n, t in cut.items()}


# ---------------------------------------------------------------- statistics of values

def rank(values, permille):
    """Nearest rank: the ceil(q n)-th smallest."""
    return sorted(values)[max(1, -(-permille * len(values) // 1000)) - 1]


def deviation(n, total, squares):
    """Sample deviation from exact sums."""
    if n < 2:
        return None
    return root((Fraction(squares) - Fraction(total) * total / n) / (n - 1))


def root(x):
    """Square root of a fraction, to double precision."""
    if x <= 0:
        return 0.0
    shift = 1 << 80
    return math.isqrt(int(x * shift * shift)) / shift


class Group:
    """What kstats should print of one name."""

    def __init__(self):
        self.n = self.total = 0
        self.squares = Fraction(0)
        self.low = self.high = None
        self.values = []
        self.sealed = self.no_extremes = self.no_deviation = False
        self.loose = False      # the deviation went through the repair: judged elsewhere

    def add(self, ns):
        self.values.append(ns)
        self.n += 1
        self.total += ns
        self.squares += ns * ns
        self.low = ns if self.low is None else min(self.low, ns)
        self.high = ns if self.high is None else max(self.high, ns)

    def add_stat(self, row):
        n, total = row["calls"], row["total"]
        if not n:
            return
        self.sealed = True
        self.n += n
        self.total += total
        if row["min"] is None or row["max"] is None:
            self.no_extremes = True
        else:
            self.low = row["min"] if self.low is None else min(self.low, row["min"])
            self.high = row["max"] if self.high is None else max(self.high, row["max"])
        if n < 2:
            self.squares += Fraction(total) * total
        elif row["sd"] is None:
            self.no_deviation = True
        else:
            self.loose |= total >= 1 << 32
            self.squares += row["sd"] ** 2 * (n - 1) + Fraction(total) * total / n

    def sd(self):
        return None if self.no_deviation else deviation(self.n, self.total, self.squares)


# ---------------------------------------------------------------- splitting rows

NUMBER = re.compile(r'\s*(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|0[xX][0-9a-fA-F]+|'
                    r'[-+]?(?:nan|inf|infinity)|None|)\s*\Z', re.I)


def is_number(text):
    return NUMBER.match(text) is not None


def split_line(line):
    """Fields of a header, whatever its quoting."""
    return next(csv.reader([line]), [])


def plain_lines(body, ncols):
    """Is every line a row of ncols fields whose quotes, if any, only stand around them?"""
    cell = r'(?:"[^"\n]*"|[^",\n]*)'
    row = re.compile(cell + (r'(?:,' + cell + r'){%d}' % (ncols - 1) if ncols > 1 else "") + r'\r?\Z')
    return all(not line.strip() or row.match(line) for line in body.split("\n"))


def rows_by_module(body):
    """(fields, whether the row's last line was ended) by the csv module."""
    for fields in csv.reader(io.StringIO(body, newline="")):
        if fields:
            yield fields


def rows_by_hand(body, ncols, text, numeric):
    """Rows of a table that escapes nothing: known by the columns before and behind the free text.
    Yields a list of fields, or None for a line that is no row."""
    def cell(i):
        if i in numeric:
            return r'\s*(?:"[-+.\w]*"|[-+.\w]*)'
        return r'(?:"[^"\n]*"|[^",\n]*)'
    head = re.compile("".join(cell(i) + "," for i in range(text)) + '"')
    tail = re.compile('"' + "".join("," + cell(i) for i in range(text + 1, ncols)) + r'\r?\Z')
    lines = body.split("\n")
    i = 0
    while i < len(lines):
        line = lines[i]
        opened = head.match(line)
        if not line.strip():
            i += 1
            continue
        if not opened:
            fields = split_line(line.rstrip("\r"))
            if len(fields) < ncols or '"' in ",".join(fields):
                yield None
            else:
                behind = ncols - text - 1
                yield (fields[:text] + [",".join(fields[text:len(fields) - behind])] +
                       fields[len(fields) - behind:])
            i += 1
            continue
        j = i
        start = opened.end()
        got = None
        while j < len(lines):
            if j > i and text > 0 and head.match(lines[j]):
                break
            from_ = start if j == i else 0
            # The tail ends the line; of all quotes that could begin it, the rightmost.
            at = lines[j].rfind('"', from_)
            while at >= from_:
                if tail.match(lines[j], at):
                    got = at
                    break
                at = lines[j].rfind('"', from_, at)
            if got is not None:
                break
            j += 1
        if got is None:
            yield None
            if j == len(lines) and lines[-1]:
                return              # the input ends inside this row
            i += 1
            continue
        name = "\n".join([line[start:]] + lines[i + 1:j] + [lines[j][:got]]) if j > i \
            else line[start:got]
        front = split_line(line[:start - 1])[:text] if text else []
        back = split_line("x" + lines[j][got + 1:].rstrip("\r"))[1:]
        yield front + [name] + back
        i = j + 1


# ---------------------------------------------------------------- tables

WORDS = {"kind", "agent_id", "kernel_name", "kernelname", "function", "direction", "operation", "domain",
         "source_agent_id", "destination_agent_id", "counter_name", "guid", "message", "instruction",
         "instruction_comment", "name", "gpu_id", "gpu-id", "xcc_index"}
# What kstats knows to be a number; a cell of these that is none spoils its row.
NUMBERS = {"start_timestamp", "end_timestamp", "beginns", "endns", "begin_timestamp", "stop_timestamp",
           "timestamp", "queue_id", "queue-id", "stream_id", "process_id", "pid", "thread_id", "tid",
           "correlation_id", "dispatch_id", "index", "kernel_id", "grid_size", "workgroup_size", "grd",
           "wgr", "counter_value", "allocation_size", "calls", "totaldurationns", "averagens",
           "percentage", "minns", "maxns", "stddev", "private_segment_size", "group_segment_size",
           "lds_block_size", "scratch_size", "vgpr_count", "accum_vgpr_count", "sgpr_count",
           "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y",
           "grid_size_z", "lds", "scr", "arch_vgpr", "accum_vgpr", "sgpr", "wave_size"}

API = [("HIP_OPS", "kernel"), ("HSA_OPS", "copy"), ("HIP_", "hip"), ("HSA_", "hsa"), ("MARKER_", "marker"),
       ("ROCTX", "marker"), ("RCCL_", "rccl"), ("ROCDECODE_", "rocdecode"), ("ROCJPEG_", "rocjpeg"),
       ("KERNEL_DISPATCH", "kernel"), ("MEMORY_COPY", "copy"), ("MEMORY_ALLOCATION", "alloc"),
       ("SCRATCH_MEMORY", "scratch")]


def domain_of(word):
    for stem, domain in API:
        if word.startswith(stem):
            return domain
    return "other"


DOMAIN_ROWS = {"HSA_API", "HIP_API", "MARKER_API", "MARKER", "KERNEL_DISPATCH", "MEMORY_COPY",
               "COUNTER_COLLECTION", "SCRATCH_MEMORY", "RCCL_API", "MEMORY_ALLOCATION", "ROCDECODE_API",
               "ROCJPEG_API"}


def stats_domain(names, path):
    """What the rows of a statistics file are."""
    def every(pattern):
        return names and all(re.match(pattern + r'\Z', n) for n in names)
    if names and all(n in DOMAIN_ROWS for n in names):
        return "domains"
    if every(r'(?:__)?hip[A-Z]\w*'):
        return "hip"
    if every(r'hsa_\w+'):
        return "hsa"
    if every(r'MEMORY_COPY_\w+|(?:HOST|DEVICE)_TO_(?:HOST|DEVICE)|Copy(?:Host|Device)To\w+|FillBuffer|'
             r'async-copy'):
        return "copy"
    if every(r'MEMORY_ALLOCATION_\w+'):
        return "alloc"
    if every(r'SCRATCH_MEMORY_\w+'):
        return "scratch"
    if every(r'(?:nccl|rccl|msccl)(?!Kernel|Dev)[A-Z]\w*'):
        return "rccl"
    return "marker" if "marker" in path.rsplit("/", 1)[-1].lower() else "kernel"


def what_is(cols):
    """(kind, domain, name column, start, end) of a header, lower case."""
    has = set(cols)

    def first(*names):
        return next((cols.index(n) for n in names if n in has), None)
    start = first("start_timestamp", "beginns", "begin_timestamp")
    end = first("end_timestamp", "endns", "stop_timestamp")
    kernel = first("kernel_name", "kernelname")
    if {"name", "calls", "totaldurationns"} <= has:
        return "statistics", None, cols.index("name"), None, None
    if "sample_timestamp" in has and "exec_mask" in has:
        return "PC samples", None, first("instruction"), None, None
    if {"node_id", "agent_type"} <= has:
        return "agents", None, None, None, None
    if "counter_name" in has and "counter_value" in has:
        return "counters", "kernel", kernel, start, end
    if kernel is not None and {"dispatch_id", "index"} & has and ("gpu_id" in has or "gpu-id" in has):
        return "kernel trace", "kernel", kernel, start, end
    if kernel is not None and start is not None and end is not None and "domain" not in has:
        return "kernel trace", "kernel", kernel, start, end
    if "direction" in has and start is not None:
        return "copies", "copy", cols.index("direction"), start, end
    if "operation" in has and "allocation_size" in has and "address" in has:
        return "allocations", "alloc", cols.index("operation"), start, end
    if "operation" in has and "alloc_flags" in has:
        return "scratch", "scratch", cols.index("operation"), start, end
    if "domain" in has and "function" in has:
        return "API trace", "", cols.index("function"), start, end
    return "", None, None, None, None


def whole(text):
    """A count: decimal digits, behind which pandas may have put ".0"."""
    text = text.strip()
    return int(text.split(".")[0]) if re.match(r'\d+(?:\.0*)?\Z', text) else None


def moment(text):
    """A time or a duration: the nearest whole number, of two as near the even one."""
    text = text.strip()
    if not re.match(r'(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\Z', text):
        return None
    v = round(Fraction(text))
    return v if v < WRAP else None


def inexact(*texts):
    return any(Fraction(x.strip()).denominator != 1 for x in texts)


# Columns that are no counter, beside those above.
OTHERS = {"queue-index", "queue_index", "sig", "obj", "fbar", "dispatchns", "completens", "durationns",
          "duration", "duration_ns"}


def counter_columns(header):
    """Which columns of a table of dispatches are counters, by their names."""
    low = [c.lower() for c in header]
    known = WORDS | NUMBERS | OTHERS | {"lds_per_workgroup", "scratch_per_workitem", "stream-id",
                                        "address", "starting_address", "alloc_flags", "graph_exec_id",
                                        "graph_node_id", "exec_mask", "stall_reason", "instruction_type",
                                        "sample_timestamp", "vgpr", "sgpr"}
    old = ("index" in low and "kernelname" in low) or ("dispatch_id" in low and "gpu_id" in low)
    out = []
    for i, c in enumerate(header):
        copy = re.match(r'(.+)[_.]\d+\Z', c.lower())
        if not c or c.lower() in known or (copy and copy.group(1) in known):
            continue
        words = re.split(r'[_-]', c)
        if len(words) > 1 and any(re.match(r'[A-Z][a-z]+\Z', w) for w in words):
            continue
        if old or "A" <= c[0] <= "Z":
            out.append(i)
    return out


def value(text):
    """What a cell of a counter is: a number, None = nothing there, or False."""
    if re.match(r'[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z', text):
        v = float(text)
        return v if math.isfinite(v) else False
    return None if is_number(text) else False


def real(text):
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        return None


def read_table(path, data):
    """One CSV file.  data: its text."""
    if data.startswith("\xef\xbb\xbf"):
        data = data[3:]
    line, _, body = data.partition("\n")
    line = line.rstrip("\r")
    raw_header = re.match(r'(?:"[^"]*")(?:,"[^"]*")*\Z', line) is not None
    cols = [c.strip().lower() for c in split_line(line)]
    kind, domain, name, start, end = what_is(cols)
    t = Table(kind)
    if not kind:
        t.why = "no profiler's table (" + (",".join(cols)[:40] or "empty") + ")"
        return t
    if kind in ("PC samples", "agents"):
        t.why = kind + " hold no durations"
        return t
    numeric = {i for i, c in enumerate(cols) if c in NUMBERS}
    first = next((x for x in body.split("\n") if x.strip()), "")
    cells = re.findall(r'(?:^|,)("[^"]*"|[^",]*)', first.rstrip("\r"))
    quoted_numbers = len(cells) == len(cols) and bool(numeric) and all(cells[i][:1] == '"' for i in numeric)
    own = raw_header and not quoted_numbers and "guid" not in cols     # rocprofv3 itself: no escapes
    ragged = kind == "kernel trace" and "dispatch_id" in cols and "index" not in cols and "gpu_id" in cols
    if own and not plain_lines(body, len(cols)):
        rows = rows_by_hand(body, len(cols), name, numeric)
    else:
        rows = rows_by_module(body)
    dispatches = set()
    executions = set()
    long = kind == "counters" and "gpu_id" in cols and "dispatch_id" in cols and kind
    wide = counter_columns([c.strip() for c in split_line(line)]) if kind == "kernel trace" else []
    unfinished = not data.endswith("\n")
    pending = list(rows)
    for number, f in enumerate(pending):
        last = number == len(pending) - 1
        good = f is not None and (len(f) == len(cols) or (ragged and len(f) > max(name, start or 0, end or 0)))
        if good and last and unfinished and f[-1] == "":
            good = False
        if good:
            good = all(is_number(f[i]) for i in numeric if i < len(f))
        if not good:
            if last and unfinished:
                t.cut += 1
            else:
                t.malformed += 1
            continue
        if last and unfinished and not has_its_end(cols, f, raw_header, data, start, end):
            continue
        if kind == "statistics":
            take_stat(t, cols, f)
            continue
        timed = start is not None and end is not None
        a, b = (moment(f[start]), moment(f[end])) if timed else (None, None)
        if timed and (a is None or b is None):
            t.malformed += 1
            continue
        if timed and inexact(f[start], f[end]):
            t.rounded += 1
        if timed and b < a:
            t.reversed += 1
            continue
        take_events(t, kind, long, cols, f, (f[name] if name is not None else None, a, b), wide, executions)
        if not timed:
            t.untimed += 1
            continue
        if kind == "counters":
            key = tuple(f[cols.index(c)] for c in ("process_id", "agent_id", "dispatch_id") if c in cols)
            key += (f[name], a, b)
            if key in dispatches:
                continue
            dispatches.add(key)
        d = domain or domain_of(f[cols.index("domain")])
        t.rows.append((d, f[name], b - a, a))
    wide_events(t, [c.strip() for c in split_line(line)], wide)
    if kind == "statistics":
        d = stats_domain([r["name"] for r in t.stats], path)
        for r in t.stats:
            r["domain"] = d
    if not t.rows and not t.stats:
        t.why = "rows without times" if t.untimed else "a header and no rows" if not t.malformed \
            else "no row that fits"
    return t


def take_events(t, kind, long, cols, f, row, wide, executions):
    """The dispatch of a row, and its counters."""
    if kind == "counters":
        n, v = f[cols.index("counter_name")], value(f[cols.index("counter_value")])
        rest = tuple(x for c, x in zip(cols, f) if c not in ("counter_name", "counter_value"))
        if long and rest not in executions:
            executions.add(rest)
            t.events.append(("kernel dispatch", *row, None, None))
        t.events.append(("counter value", *row, n, None if v is False else v))
    elif kind == "kernel trace":
        t.events.append(("kernel dispatch", *row, None, None))
        if len(f) == len(cols):
            t.wide.append((row, [f[i].strip() for i in wide]))


def wide_events(t, header, wide):
    """Counters out of the columns that hold numbers, as far as the first rows tell."""
    for k, i in enumerate(wide):
        first = [value(cells[k]) for _, cells in t.wide[:60]]
        if False in first and not any(isinstance(v, float) for v in first):
            continue
        for row, cells in t.wide:
            v = value(cells[k])
            if isinstance(v, float):
                t.events.append(("counter value", *row, header[i], v))


def take_stat(t, cols, f):
    def cell(*names):
        for n in names:
            if n in cols:
                return f[cols.index(n)].strip()
        return ""
    calls, total = whole(cell("calls")), moment(cell("totaldurationns"))
    if calls is None or total is None:
        t.malformed += 1
        return
    t.stats.append({"name": f[cols.index("name")], "calls": calls, "total": total, "min": moment(cell("minns")),
                    "max": moment(cell("maxns")), "sd": real(cell("stddev")), "avg": cell("averagens"),
                    "pct": cell("percentage"), "sd_text": cell("stddev")})


def has_its_end(cols, f, raw_header, data, start, end):
    """A last row without its newline: is its last value known to be whole?"""
    if data.endswith(('"', "\r")):
        return True
    if end == len(cols) - 1 and start is not None and start < end:
        return len(f[end]) == len(f[start]) >= 13 and f[end].isdigit() and f[end] >= f[start]
    return cols[-1] == "stddev" and raw_header and \
        re.fullmatch(r"\d+\.\d{6}|\d\.\d{8}e[-+]\d\d", f[-1]) is not None


# ---------------------------------------------------------------- rocprofv2's text

RECORD = re.compile(r'(?:Dispatch_ID\(\d+\), |Record ?[\[(]\d+[\])], Domain\(|Domain\([A-Z_]+_DOMAIN\), |'
                    r'dispatch\[\d+\], gpu)')


def read_text(data):
    """Lines of records among anything else."""
    t = Table("text")
    marks = []

    def number(line, *keys):
        for k in keys:
            m = re.search(r'(?:^|, )' + k + r'\( ?(\d+)\)', line)
            if m:
                return int(m.group(1))
        return None
    calls = {}
    lines = data.split("\n")
    # What ends without a newline is whole only where a call ends with its correlation.
    if not re.search(r', Function\([^)]*\).*, Correlation_ID\(\d+\)\Z', lines[-1]):
        lines.pop()
    for line in lines:
        line = line.rstrip("\r ")
        if not RECORD.match(line):
            continue
        m = re.search(r'(?:^|, )Domain\((\w+)\)', line)
        domain = domain_of(m.group(1)) if m else "kernel"
        a = number(line, "Begin_Timestamp", "Start_Timestamp", "Begin", "start_time")
        b = number(line, "End_Timestamp", "End", "end_time")
        if domain == "marker":
            ident = number(line, "ROCTX_ID", "ROCTX ID")
            at = number(line, "Timestamp", "Begin")
            m = re.search(r'ROCTX[_ ]Message\((.*)\)$', line)
            if ident is None or at is None:
                t.malformed += 1
            elif m and m.group(1):
                marks.append([ident, at, m.group(1)])
            else:
                k = next((i for i in range(len(marks) - 1, -1, -1) if marks[i][0] == ident), None)
                if k is None:
                    t.malformed += 1
                else:
                    _, begin, text = marks.pop(k)
                    t.rows.append(("marker", text, at - begin, begin))
            continue
        m = re.search(r', time\((?:\d+,(\d+),(\d+),\d+|(\d+),(\d+))\)', line)
        if m:
            a, b = int(m.group(1) or m.group(3)), int(m.group(2) or m.group(4))
        m = re.search(r'(?:^|, )[Kk]ernel[-_ ][Nn]ame\((.*)\), (?:Begin_Timestamp|Start_Timestamp|'
                      r'start_time|time)\(', line) or \
            re.search(r'(?:^|, )[Kk]ernel[-_ ][Nn]ame\((.*)\)$', line)
        name = m.group(1) if m else None
        if name and len(name) >= 2 and name[0] == '"' == name[-1]:
            name = name[1:-1]
        if domain == "kernel" and not name:
            domain = "copy"
        if domain != "kernel":
            m = re.search(r'(?:^|, )(?:Function|Operation_Name)\(([^)]*)\)', line)
            name = m.group(1) if m else "COPY" if domain == "copy" else None
        corr = number(line, "Correlation_ID", "Correlation ID")
        if domain not in ("kernel", "copy") and name is not None and (a is None) != (b is None):
            # Two records of one call.
            if b is None:
                calls.setdefault((domain, corr), []).append(a)
            elif calls.get((domain, corr)):
                a = calls[domain, corr].pop()
                t.rows.append((domain, name, b - a, a))
            else:
                t.malformed += 1
        elif name is None or a is None or b is None:
            t.malformed += 1
        elif b < a:
            t.reversed += 1
        else:
            t.rows.append((domain, name, b - a, a))
    t.malformed += sum(len(v) for v in calls.values())
    for _, begin, text in marks:
        t.rows.append(("marker", text, 0, begin))
    if not t.rows:
        t.why = "no records"
    return t


# ---------------------------------------------------------------- whole files

def load(path):
    with open(path, "rb") as f:
        data = f.read()
    if path.endswith((".zst", ".gz", ".xz", ".bz2")):
        tool = {"zst": "zstd", "gz": "gzip", "xz": "xz", "bz2": "bzip2"}[path.rsplit(".", 1)[1]]
        data = subprocess.run([tool, "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data.decode("latin-1")


def read_file(path):
    data = load(path)
    if not re.search(r'\.csv\b', path) and any(RECORD.match(x) for x in data.split("\n")):
        return read_text(data)
    if not data:
        t = Table("")
        t.why = "empty"
        return t
    return read_table(path, data)


def domains(t):
    """Domain -> {identity: Group}."""
    out = {}
    names = {name for d, name, _, _ in t.rows if d == "kernel"} | \
            {r["name"] for r in t.stats if r["domain"] == "kernel"}
    ident = identities(names)
    for d, name, ns, _ in t.rows:
        key = ident[name] if d == "kernel" else name
        out.setdefault(d, {}).setdefault(key, Group()).add(ns)
    for r in t.stats:
        key = ident[r["name"]] if r["domain"] == "kernel" else r["name"]
        out.setdefault(r["domain"], {}).setdefault(key, Group()).add_stat(r)
    return out


# ---------------------------------------------------------------- kstats and its answers

class Answer:
    def __init__(self, args, env=None, stdin=None):
        p = subprocess.run(["kstats", "top", *args], capture_output=True, env=env, stdin=stdin, check=False)
        self.args, self.status, self.out = args, p.returncode, p.stdout
        self.err = p.stderr.decode("latin-1")
        self.rows = []
        if "csv" in args and self.out:
            text = self.out.decode("latin-1")
            self.rows = list(csv.DictReader(io.StringIO(text, newline="")))


def fixed4(x):
    """A fraction as kstats prints it: 4 decimals, half up."""
    v = int(x * 10000 * 2 + 1) // 2
    return "%d.%04d" % (v // 10000, v % 10000)


def compare_group(row, g, name):
    """Lines that say how kstats' row differs from the group."""
    bad = []

    def same(column, want):
        want = "" if want is None else str(want)
        if row[column] != want:
            bad.append("%s: %s is %s, should be %s" % (name[:70], column, row[column] or "(absent)",
                                                      want or "(absent)"))
    same("calls", g.n)
    same("total_ns", g.total)
    # Four decimals in 64 bits reach to 1.8e15 ns; a longer average is a whole number.
    fits = g.n and Fraction(g.total, g.n) * 10000 < WRAP - 1
    same("avg_ns", fixed4(Fraction(g.total, g.n)) if fits else (2 * g.total + g.n) // (2 * g.n) if g.n else None)
    same("min_ns", None if g.no_extremes else g.low)
    same("max_ns", None if g.no_extremes else g.high)
    sd = g.sd() if g.n else None
    if g.loose:
        pass
    elif sd is None or row["stddev_ns"] == "":
        same("stddev_ns", None if sd is None else "%.4f" % sd)
    elif abs(float(row["stddev_ns"]) - sd) > (1e-4 if sd < 1.8e15 else 1) + 1e-9 * sd:
        bad.append("%s: stddev_ns is %s, should be %.4f" % (name[:70], row["stddev_ns"], sd))
    for column, permille in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990)):
        if g.sealed:
            same(column, None)
            continue
        want = rank(g.values, permille)
        if g.n <= 1024 or row[column] == "":
            same(column, want)
        elif abs(int(row[column]) - want) > want / 125:
            bad.append("%s: %s is %s, should be %d within 0.8 %%" % (name[:70], column, row[column], want))
    return bad


def compare(answer, groups, what):
    """Lines of differences between an answer in csv and {identity: Group}."""
    bad = []
    got = {}
    if answer.status != 0:
        bad.append("status %d: %s" % (answer.status, answer.err.strip()[:300]))
    for row in answer.rows:
        if row["name"] in got:
            bad.append("%s stands twice" % row["name"][:70])
        got[row["name"]] = row
    mangled = not can_demangle() and any(n.startswith("_Z") for n in groups)
    if mangled:
        for column, want in (("calls", sum(g.n for g in groups.values())),
                             ("total_ns", sum(g.total for g in groups.values()))):
            have = sum(int(r[column]) for r in answer.rows)
            if have != want:
                bad.append("sum of %s is %d, should be %d" % (column, have, want))
    else:
        # Names of compilers newer than c++filt: the same kernel is the one whose calls and time are the same.
        for n in [n for n in groups if n.startswith("_Z") and "Tn" in n and n not in got]:
            twins = [name for name, row in got.items() if name not in groups and not name.startswith("_Z") and
                     (row["calls"], row["total_ns"]) == (str(groups[n].n), str(groups[n].total))]
            if len(twins) == 1:
                groups = {twins[0] if k == n else k: g for k, g in groups.items()}
        bad += ["%s: missing, %d calls" % (n[:90], groups[n].n) for n in groups if n not in got]
        bad += ["%s: not in the file" % n[:90] for n in got if n not in groups]
        for n, g in groups.items():
            if n in got:
                bad += compare_group(got[n], g, n)
    return [what + ": " + b.replace("\n", "\\n") for b in bad]


def main():
    for path in sys.argv[1:]:
        t = read_file(path)
        out = {"file": path, "kind": t.kind, "why": t.why, "malformed": t.malformed, "reversed": t.reversed,
               "cut": t.cut, "untimed": t.untimed, "domains": {}}
        for d, groups in domains(t).items():
            out["domains"][d] = {
                n: {"calls": g.n, "sum": g.total, "min": g.low, "max": g.high,
                    "mean": g.total / g.n if g.n else None, "stddev": g.sd() if g.n else None,
                    "p50": rank(g.values, 500) if g.values else None,
                    "p90": rank(g.values, 900) if g.values else None,
                    "p99": rank(g.values, 990) if g.values else None}
                for n, g in groups.items()}
        json.dump(out, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
