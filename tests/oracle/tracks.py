# SPDX-License-Identifier: MIT
"""tracks.py SCHEMA INPUT...: what tracecat --to pftrace and --to chrome write of each input (a trace or a folder), read
by a strict reader of its own:

    packets    times of a sequence never go down, every number of a text is told before, every track described; bundles
               below 512 KB; on a track nothing overlaps but what nests, every begin has its end
    slices     kernels, copies, calls and markers are those of tracecat, one by one: times, names, agent, queue, stream,
               correlation id
    states     tile the window of each agent, and their idle time and its causes are those of kstats gaps
    arrows     from a call to the first operation of its correlation id; through the kernels of each collective
    chrome     the same slices, valid JSON, one start and one end for each arrow
    read back  kstats timeline, ranks and top of what is written, in both formats, with few arguments and without, are
               those of the input; with all of them so are other tables
    round trip pftrace -> run.db -> pftrace: the same kernels; from run.db, with any -j, permuted: the same bytes
    budget     what is written is not larger, what is left out is said, and who reads it again counts it: what is there
               and what is lost are all kernels, copies, calls and markers of each rank
    protoc     with the schema counts the same slices, where there is a protoc"""
import collections
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import effort
import questions as q

OWN = "tm_"
RANKS = "rank,host,pid,agents,window_ns,busy_ns,compute_ns,exposed_comm_ns,idle_ns,sync_ns,wait_ns,move_ns"  # all but the clock
WHOLE = ["ops", "gaps", "launch", "sync", "copies", "classes", "occupancy", "roofline", "efficiency", "whatif"]  # where all is drawn
AGENT = {"agent", "src_agent", "dst_agent"}
DOMAINS = {"hip_api": "hip", "hsa_api": "hsa", "marker_api": "marker", "rccl_api": "rccl", "rocdecode_api": "rocdecode",
           "rocjpeg_api": "rocjpeg", "host_call": "other"}


# ---- protobuf ----


def varint(b, i):
    v = s = 0
    while True:
        c = b[i]
        i += 1
        v |= (c & 127) << s
        if c < 128:
            return v, i
        s += 7


def fields(b):
    i = 0
    while i < len(b):
        tag, i = varint(b, i)
        kind = tag & 7
        if kind == 0:
            v, i = varint(b, i)
        elif kind == 1:
            v, i = struct.unpack_from("<Q", b, i)[0], i + 8
        elif kind == 2:
            n, i = varint(b, i)
            v, i = b[i:i + n], i + n
            assert len(v) == n, "a field is cut"
        else:
            raise AssertionError(f"wire type {kind}")
        yield tag >> 3, v


def one(b, number, default=None):
    v = default
    for k, x in fields(b):
        if k == number:
            v = x
    return v


class Perfetto:
    def __init__(self, data):
        self.tracks = {}  # uuid -> (name, parent, pid, is_counter)
        self.slices = []
        self.values = []
        self.plain = bytearray()  # all packets, uncompressed
        self.ends = collections.defaultdict(list)  # flow -> [(leaves, slice)]
        self.texts = {}
        self.now = {}
        self.open = collections.defaultdict(list)
        for number, packet in fields(data):
            assert number == 1, "no packet"
            bundle = one(packet, 50)
            if bundle is None:
                self.take(packet, False)
                continue
            raw = zlib.decompress(bundle)
            assert len(raw) < 512000, f"a bundle of {len(raw)} bytes"
            for number, inner in fields(raw):
                assert number == 1
                self.take(inner, True)
        assert not any(self.open.values()), "begun and never ended"

    def take(self, packet, bundled):
        f = list(fields(packet))
        n = len(packet)
        head = bytearray(b"\n")
        while n > 127:
            head.append(n & 127 | 128)
            n >>= 7
        head.append(n)
        self.plain += head + packet
        d = dict(f)
        if 60 in d:
            self.describe(d[60])
            return
        seq = d[10]
        if d.get(13) == 1:
            self.texts[seq] = {1: {}, 2: {}, 3: {}, 29: {}, 43: {}}
            self.now[seq] = d[8]
            return
        assert bundled or len(packet) > 400000, "an event outside a bundle"
        for table, entry in fields(d.get(12, b"")):
            iid, text = one(entry, 1), one(entry, 2, b"")
            assert iid not in self.texts[seq][table], "a number told twice"
            self.texts[seq][table][iid] = text
        self.now[seq] += d[8]
        assert self.now[seq] >> 63 == 0, "time goes down"
        self.event(seq, self.now[seq], d[11])

    def describe(self, b):
        d = dict(fields(b))
        process = dict(fields(d[3])) if 3 in d else {}
        if d[1]:
            assert d[1] not in self.tracks, "described twice"
            assert d.get(5) is None or d[5] in self.tracks, "a parent that is not there"
            self.tracks[d[1]] = (process.get(6, d.get(2, b"")).decode(), d.get(5), process.get(1), 8 in d)

    def event(self, seq, at, b):
        text = self.texts[seq]
        d = dict(fields(b))
        assert d[11] in self.tracks, "an event on no track"
        if d[9] == 4:
            assert self.tracks[d[11]][3], "a value on a track of slices"
            self.values.append((d[11], at, d[30] if 30 in d else struct.unpack("<d", struct.pack("<Q", d[44]))[0]))
            return
        stack = self.open[d[11]]
        if d[9] == 2:
            assert stack, "an end without a begin"
            s = stack.pop()
            s["end"] = at
            assert all(s["end"] <= x.get("end", at) for x in stack)
            return
        s = {"track": d[11], "seq": seq, "start": at, "cat": text[1][d[3]].decode(), "args": {},
             "name": text[2][d[10]].decode("utf-8", "surrogateescape") if 10 in d else d[23].decode()}
        for k, v in fields(b):
            if k == 4:
                a = dict(fields(v))
                s["args"][text[3][a[1]].decode()] = a[3] if 3 in a else text[29][a[17]].decode("utf-8", "surrogateescape")
            elif k in (47, 48):
                self.ends[v].append((k == 47, s))
        if 54 in d:
            assert re.fullmatch(rb"[a-z]+ #[0-9]+", text[43][d[54]])
        stack.append(s)
        self.slices.append(s)

    def process(self, s):
        track = self.tracks[s["track"]]
        while track[1]:
            track = self.tracks[track[1]]
        return track

    def rank(self, s):
        m = re.match(r"rank ([0-9]+)", self.process(s)[0])
        return str(int(m[1])) if m else None


# ---- what there should be ----


def agent_text(v):
    return str(v)


def as_row(p, s):
    """The row of tracecat that a slice stands for."""
    a = s["args"]
    kind = {"kernel_dispatch": "kernel", "memory_copy": "copy"}.get(s["cat"], "api")
    row = {"kind": kind, "rank": p.rank(s), "start_ns": str(s["start"]), "end_ns": str(s["end"]),
           "name": a.get("Full Kernel Name", s["name"]), "corr": str(a.get("corr_id", ""))}
    if kind != "api":
        row |= {"agent": agent_text(a.get("agent", "")), "queue": str(a.get("queue", "")),
                "stream": str(a.get("stream_ID", "")), "bytes": str(a.get("copy_bytes", ""))}
    else:
        row["domain"] = DOMAINS[s["cat"]]
    return tuple(sorted(row.items()))


def wanted(events):
    for e in events:
        row = {k: e[k] for k in ("kind", "rank", "start_ns", "end_ns", "name", "corr")}
        if not e["start_ns"] or not e["end_ns"]:
            continue
        if e["kind"] in ("kernel", "copy"):
            row |= {k: e[k] for k in ("agent", "queue", "stream", "bytes")}
        else:
            row["kind"] = "api"
            row["domain"] = e["domain"]
        yield tuple(sorted(row.items()))


def look(what, p, path, inputs):
    """Of one file; the slices that are events."""
    events = [s for s in p.slices if not s["cat"].startswith(OWN) and s["cat"] not in ("memory_allocation", "scratch_memory")]
    have = collections.Counter(as_row(p, s) for s in events)
    want = collections.Counter(wanted(q.events("kernel,copy,api,marker", *inputs)))
    q.compared["slices"] += len(events)
    for row in list((have - want).items())[:2]:
        q.say(f"{what}: drawn and not there: {row}")
    for row in list((want - have).items())[:2]:
        q.say(f"{what}: there and not drawn: {row}")
    for v in p.ends.values():
        calls = [s for leaves, s in v if leaves]
        if len(v) == 2 and all(s["cat"] in DOMAINS for s in calls):
            q.compared["arrows"] += 1
            op = [s for leaves, s in v if not leaves][0]
            if op["args"].get("corr_id") != calls[0]["args"].get("corr_id") or p.rank(op) != p.rank(calls[0]):
                q.say(f"{what}: an arrow from {calls[0]} to {op}")
        elif any(s["cat"] != "kernel_dispatch" for _, s in v) or len({p.process(s) for _, s in v}) != len(v):
            q.say(f"{what}: an arrow through {v}")
        else:
            q.compared["collectives"] += 1


def states(what, p, inputs):
    """Idle time of each agent and its causes, as kstats gaps has them."""
    sums = collections.defaultdict(collections.Counter)
    last = {}
    for s in p.slices:
        if s["cat"] != "tm_state":
            continue
        key = (p.rank(s), p.tracks[p.tracks[s["track"]][1]][0])
        if last.get(key, s["start"]) != s["start"]:
            q.say(f"{what}: states of {key} leave out {last[key]} to {s['start']}")
        last[key] = s["end"]
        sums[key]["window"] += s["end"] - s["start"]
        if s["name"] != "busy":
            sums[key]["idle_ns"] += s["end"] - s["start"]
            sums[key]["gaps"] += 1
            for cause in ("sync_ns", "host_ns", "launch_ns", "device_ns"):
                sums[key][cause] += s["args"].get(cause, 0)
    status, text, _ = q.run("kstats", "gaps", "-q", "-f", "csv", *inputs)
    table = q.rows(text) if status == 0 else []
    q.compared["agents"] += len(table)
    if len(table) != len(sums):
        q.say(f"{what}: states of {len(sums)} agents, gaps of {len(table)}")
    for row in table:
        agent = row["agent"]
        name = "GPU" + (f" {agent[4:]}" if agent.startswith("GPU") else f" agent {agent}" if agent else "")
        have = sums[row["rank"], name]
        for k in ("gaps", "idle_ns", "sync_ns", "host_ns", "launch_ns", "device_ns"):
            if str(have[k]) != row[k]:
                q.say(f"{what}: {row['rank']} {name} {k}: {have[k]} drawn, {row[k]} in the table")


def chrome(what, p, path):
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    q.compared["chrome"] += len(slices)
    if len(slices) != len(p.slices):
        q.say(f"{what}: {len(slices)} slices as JSON, {len(p.slices)} as pftrace")
    origin = min([s["start"] for s in p.slices] + [v[1] for v in p.values])
    ns = lambda us: round(us * 1000)
    have = collections.Counter((e["cat"], ns(e["ts"]) + origin, ns(e["dur"])) for e in slices)
    if have != collections.Counter((s["cat"], s["start"], s["end"] - s["start"]) for s in p.slices):
        q.say(f"{what}: other slices as JSON than as pftrace")
    starts = collections.Counter(e["id"] for e in events if e["ph"] == "s")
    stops = collections.Counter(e["id"] for e in events if e["ph"] == "f")
    if starts != stops or set(starts.values()) - {1} or set(starts) != set(p.ends):
        q.say(f"{what}: arrows that do not begin or end once")
    lanes = collections.defaultdict(list)
    for e in slices:
        lanes[e["pid"], e["tid"]].append((ns(e["ts"]), -ns(e["dur"])))
    for lane in lanes.values():
        open_until = []
        for start, dur in lane:
            while open_until and open_until[-1] <= start:
                open_until.pop()
            if open_until and start - dur > open_until[-1]:
                q.say(f"{what}: slices of a lane overlap")
                break
            open_until.append(start - dur)


def draw(path, *words):
    status, _, err = q.run("tracecat", "-q", "-o", path, *words)
    if status:
        q.say(f"{' '.join(words)}: status {status} {err}")
        return b""
    with open(path, "rb") as f:
        return f.read()


def kernels(path):
    return sorted(q.run("tracecat", "-q", "--kind", "kernel", path)[1].splitlines())


def tables(inputs, args, form):
    """What a timeline must answer as its run does; without arguments kernels have short names, with few of them there is less to ask
    for, and times of JSON are of no clock."""
    names = ["timeline", "ranks"] + ["top"] * (args != "none") + WHOLE * (args == "all")
    clock = lambda t: ["--columns", RANKS] if t == "ranks" and form == "chrome" else []
    return {t: q.run("kstats", t, "-q", "-f", "csv", *clock(t), *inputs)[:2] for t in names}


def read_back(what, work, inputs):
    for form in ("pftrace", "chrome"):
        for args in ("all", "few", "none"):
            path = os.path.join(work, "again")
            draw(path, "--to", form, "--args", args, "--no-findings", *inputs)
            q.compared["read back"] += 1
            have, want = tables([path], args, form), tables(inputs, args, form)
            for t in have:
                if have[t] != want[t]:
                    q.say(f"{what}: kstats {t} of --to {form} --args {args} is {have[t]}, of the input {want[t]}")


def counted(path):
    """Events of each rank that can be left out."""
    return collections.Counter((e["rank"], e["kind"] in ("kernel", "copy")) for e in q.events("kernel,copy,api,marker", *path)
                               if e["start_ns"] and e["end_ns"])


def lost(path):
    """Those of each rank that tracecat info says are not there."""
    n = collections.Counter()
    for row in q.rows(q.run("tracecat", "info", "-q", "-f", "csv", path)[1]):
        for m in re.finditer(r"([0-9]+) (kernels? (?:and copies|or copy)|host calls?[a-z ]*) (?:is|are) missing", row["lost_why"]):
            n[row["rank"], m[2].startswith("kernel")] += int(m[1])
    return n


def budget(what, whole, work, inputs):
    want = counted(inputs)
    for form in ("pftrace", "chrome"):
        path = os.path.join(work, "small")
        draw(path, "--to", form, "--no-findings", *inputs)
        size = os.path.getsize(path) if form == "chrome" else len(Perfetto(whole).plain)
        for part in (2, 3, 5):
            status, _, err = q.run("tracecat", "-o", path, "--to", form, "--no-findings", "--budget", str(size // part), *inputs)
            if status == 2 and "bytes are needed" in err:
                continue
            q.compared["thinned"] += 1
            have = counted([path]) + lost(path)
            if +have != +want:
                q.say(f"{what}: --to {form} --budget {size // part}: {dict(have)} there and lost, {dict(want)} in the input")
            if lost(path) and q.run("kstats", "timeline", "--strict", path)[0] != 2:
                q.say(f"{what}: --to {form} --budget {size // part}: --strict does not end with 2")


def budget_bytes(what, whole, work, inputs):
    path = os.path.join(work, "small.pftrace")
    size = len(Perfetto(whole).plain)
    for part in (2, 5):
        status, _, err = q.run("tracecat", "-o", path, "--to", "pftrace", "--budget", str(size // part), *inputs)
        if status == 2 and "bytes are needed" in err:
            continue
        with open(path, "rb") as f:
            p = Perfetto(f.read())
        q.compared["budgets"] += 1
        if status or len(p.plain) > size // part or "--budget: " not in err:
            q.say(f"{what}: --budget {size // part}: status {status}, {len(p.plain)} bytes, said {err!r}")


def decoded(what, p, schema):
    tool = shutil.which("protoc") or shutil.which("protoc-c")
    if not tool:
        return
    r = subprocess.run([tool, "--decode=tm.Trace", f"-I{os.path.dirname(schema)}", schema], input=bytes(p.plain),
                       stdout=subprocess.PIPE, check=False)
    begins = r.stdout.count(b"    type: 1\n")
    q.compared["decoded"] += begins
    if r.returncode or begins != len(p.slices):
        q.say(f"{what}: protoc counts {begins} slices, status {r.returncode}")


def check(what, inputs, schema, work):
    path = os.path.join(work, "x.pftrace")
    data = draw(path, "--to", "pftrace", *inputs)
    if not data:
        return
    p = Perfetto(data)
    look(what, p, path, inputs)
    states(what, p, inputs)
    decoded(what, p, schema)
    draw(os.path.join(work, "x.json"), "--to", "chrome", *inputs)
    chrome(what, p, os.path.join(work, "x.json"))
    read_back(what, work, inputs)
    budget(what, data, work, inputs)
    budget_bytes(what, data, work, inputs)
    # Laws.
    again = os.path.join(work, "again.pftrace")
    q.compared["laws"] += 3
    if draw(again, "--to", "pftrace", "-j", "3", *inputs) != data:
        q.say(f"{what}: other bytes with -j 3")
    db = os.path.join(work, "run.db")
    q.run("tracemerge", "-q", "-o", db, path)
    if kernels(path) != kernels(db):
        q.say(f"{what}: other kernels in run.db than in its pftrace")
    draw(again, "--to", "pftrace", db)
    if kernels(path) != kernels(again):
        q.say(f"{what}: other kernels after pftrace -> run.db -> pftrace")


def main():
    schema, *inputs = sys.argv[1:]
    work = tempfile.mkdtemp()
    try:
        for group in inputs:
            paths = group.split(",")
            try:
                check(os.path.basename(paths[0]) or paths[0], paths, schema, work)
            except AssertionError as e:
                q.say(f"{group}: {e}")
    finally:
        shutil.rmtree(work)
    print(", ".join(f"{n} {what}" for what, n in q.compared.items()) + f", {len(q.failed)} differ")
    sys.exit(bool(q.failed) or not q.compared["slices"])


main()
