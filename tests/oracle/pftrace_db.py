# SPDX-License-Identifier: MIT
"""Databases of pftraces: see pftrace_db.sh.   pftrace_db.py [TRACES]

Losses are made here, by taking packets out of a whole trace or putting some behind it, so that the
number of what is lost is known.  All reasons of a pftrace but "excess", which takes millions of slices
that are open at a time."""
import csv
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

bad = 0


def fail(text):
    global bad
    bad += 1
    print("DIFFERS " + text)


def expect(got, want, what):
    if got != want:
        fail("%s: %r, should be %r" % (what, got, want))


def tool(*args):
    p = subprocess.run(args, capture_output=True, check=False)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def ask(db, sql):
    """Rows of the sqlite3 shell, as lists of texts."""
    p = subprocess.run(["sqlite3", "-batch", "-csv", db, sql], capture_output=True, check=False)
    if p.returncode:
        fail("%s: %s: %s" % (db, sql, p.stderr.decode()))
    return list(csv.reader(p.stdout.decode("utf-8", "surrogateescape").splitlines()))


def generate(path, *options):
    with open(path, "wb") as f:
        subprocess.run(["gen_pftrace", *options], stdout=f, check=True)
    return path


def kernels_of_csv(path):
    """(name, agent, queue, stream) -> calls, and sums that no single wrong field survives."""
    sums = {}
    with open(path, newline="", encoding="utf-8", errors="surrogateescape") as f:
        for r in csv.DictReader(f):
            s = sums.setdefault((r["Kernel_Name"], r["Agent_Id"].replace("Agent ", ""), r["Queue_Id"],
                                 r["Stream_Id"]), [0] * 6)
            start, end = int(r["Start_Timestamp"]), int(r["End_Timestamp"])
            s[0] += 1
            s[1] += end - start
            s[2] += start
            s[3] += int(r["Correlation_Id"]) + int(r["Thread_Id"]) + int(r["Kernel_Id"])
            s[4] += sum(int(r[c]) for c in ("LDS_Block_Size", "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count",
                                            "SGPR_Count"))
            s[5] += int(r["Grid_Size_X"]) * int(r["Grid_Size_Y"]) * int(r["Grid_Size_Z"]) + \
                int(r["Workgroup_Size_X"]) * int(r["Workgroup_Size_Y"]) * int(r["Workgroup_Size_Z"])
    return {k: [str(x) for x in v] for k, v in sums.items()}


def kernels_of_db(db, rank):
    rows = ask(db, """
        SELECT n.text, k.agent, k.queue, k.stream, count(*), sum(k.end_ns - k.start_ns), sum(k.start_ns),
               sum(k.corr + k.tid + k.kernel_id),
               sum(k.lds_bytes + k.scratch_bytes + k.vgpr + k.accum_vgpr + k.sgpr), sum(k.grid + k.workgroup)
        FROM kernel k JOIN rank r ON r.id = k.rank_id JOIN name n ON n.id = k.name
        WHERE r.rank = %d GROUP BY 1, 2, 3, 4""" % rank)
    return {tuple(r[:4]): r[4:] for r in rows}


def four_ranks():
    options = {r: ["--rank", str(r), "--seed", str(r), "--names", "50", "--agents", "2", "1500000"]
               for r in range(4)}
    for r, o in options.items():
        generate("rank%d.pftrace" % r, *o)
        generate("truth%d.csv" % r, "--csv", *o)
    for inputs, db in (([], "four.db"), (["-j", "1", "--no-index"], "one.db")):
        status, _, said = tool("tracemerge", "-q", *inputs, "-o", db, *("rank%d.pftrace" % r for r in options))
        expect((status, said), (0, ""), db)
        expect(ask(db, "PRAGMA integrity_check"), [["ok"]], db + ": integrity_check")
        for r in options:
            expect(kernels_of_db(db, r) == kernels_of_csv("truth%d.csv" % r), True,
                   "%s: sums of rank %d" % (db, r))
        for table in ("kernel", "copy", "api", "counter"):
            rows = ask(db, "SELECT count(*), count(r.rank), count(r.pid), count(DISTINCT r.rank), "
                           "sum(r.rank <> (r.pid - 2659034) / 131) "
                           "FROM %s e LEFT JOIN rank r ON r.id = e.rank_id" % table)[0]
            # The generator's pids follow from the rank, so this says that no event has another's.
            expect(rows[1:], [rows[0], rows[0], "4", "0"], "%s: every event of %s has its rank" % (db, table))
        for view in ("kernels", "memory_copies", "regions_and_samples", "counters_collection"):
            expect(ask(db, "SELECT count(*), count(DISTINCT rank) FROM %s WHERE rank IS NULL" % view),
                   [["0", "0"]], "%s: %s have a rank" % (db, view))
        expect(ask(db, "SELECT count(*), sum(events), sum(skipped), sum(lost) FROM input")[0][0::2], ["4", "0"],
               db + ": inputs")
        expect(ask(db, "SELECT count(*) FROM loss"), [["0"]], db + ": nothing is lost")
    a, b = (subprocess.run(["kstats", "top", "-q", "-f", "csv", "--per", "rank,agent", *inputs],
                           capture_output=True, check=False).stdout
            for inputs in (["four.db"], ["rank%d.pftrace" % r for r in options]))
    expect(a == b and a.count(b"\n") > 100, True, "kstats top --per rank,agent of the database")


# ---- losses ----

def varint(v):
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def field(number, value):
    """A varint, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    body = b"".join(field(*f) for f in fields)
    return b"\x0a" + varint(len(body)) + body


def split(data):
    out, at = [], 0
    while at < len(data):
        p = at + 1
        n = shift = 0
        while True:
            n |= (data[p] & 127) << shift
            shift += 7
            p += 1
            if data[p - 1] < 128:
                break
        out.append(data[at:p + n])
        at = p + n
    return out


def has(p, *fields):
    return all(field(*f) in p for f in fields)


SEQ = 77    # of the packets made here
TRACK = 9001


def sequence(*packets):
    """A sequence of packets with its own thread, category 1 = hip_api and name 1 = call."""
    words = field(1, field(1, 1) + field(2, b"hip_api")) + field(2, field(1, 1) + field(2, b"call")) + \
        field(3, field(1, 1) + field(2, b"begin_ns")) + field(3, field(1, 2) + field(2, b"end_ns"))
    track = field(1, TRACK) + field(4, field(1, 5) + field(2, 6))
    return packet((10, SEQ), (13, 1), (12, words)) + packet((10, SEQ), (13, 2), (60, track)) + b"".join(packets)


def event(kind, ts, name=1, track=TRACK, clock=6, flags=2, more=b"", extra=()):
    body = field(9, kind) + field(11, track) + more
    if kind == 1:
        body += field(3, 1) + field(10, name)
    return packet((8, ts), (58, clock), (13, flags), (10, SEQ), (11, body), *extra)


def call(ts, **more):
    return event(1, ts, **more) + event(2, ts + 5, **{k: v for k, v in more.items() if k in ("track", "clock")})


def times(begin, end):
    return field(4, field(1, 1) + field(3, begin)) + field(4, field(1, 2) + field(3, end))


def losses(base):
    """name -> (trace, {reason: count}, kernels lost, status; None = 0, with --strict too)"""
    packets = split(base)
    last_kernel = max(i for i, p in enumerate(packets) if has(p, (6, b"GPU")))
    calls = [call(10 ** 15 + 100 * i) for i in range(3)]
    out = {
        "cut": (b"".join(packets[:last_kernel]) + packets[last_kernel][:40], {"cut_bytes": 40}, 1, 2),
        "discarded": (base + packet((10, 1), (35, field(1, field(18, 31818)))), {"discarded": 31818}, 0, 0),
        "overwritten": (base + packet((10, 1), (35, field(1, field(3, 12)) + field(1, field(3, 5)))),
                        {"overwritten": 17}, 0, 0),
        "dropped": (base + sequence(calls[0], event(1, 10 ** 15 + 900, extra=((42, 1),)),
                                    event(2, 10 ** 15 + 950), calls[1], event(1, 10 ** 15 + 1900,
                                                                             extra=((42, 1),)),
                                    event(2, 10 ** 15 + 1950)), {"dropped": 2}, 0, 0),
        "damaged": (b"".join(packets[:last_kernel]) + packet((10, SEQ), (11, b"\x0b\xff\xff\xff\xff")) +
                    packet((11, b"\xff" * 12)) + b"".join(packets[last_kernel:]), {"damaged": 2}, 0, 0),
        "compressed": (base + packet((50, zlib.compress(base[:5000])[:-700])), {"compressed": 1}, 0, 0),
        "open": (base + sequence(*calls, event(1, 10 ** 15 + 800), event(1, 10 ** 15 + 810)), {"open": 2}, 0, 0),
        "close": (base + sequence(*(event(2, 10 ** 15 + i) for i in range(3)), *calls), {"close": 3}, 0, 0),
        "reversed": (base + sequence(*calls, event(1, 10 ** 15, more=times(500, 400)), event(2, 10 ** 15)),
                     {"reversed_events": 1}, 0, 0),
        "untimed": (base + sequence(*calls, call(55, clock=99), call(66, clock=99)), {"untimed": 2}, 0, 0),
        "unnamed": (base + sequence(*calls, call(10 ** 15, name=44), call(10 ** 15 + 7, name=45)),
                    {"unnamed": 2}, 0, None),
        "trackless": (base + sequence(*calls, call(10 ** 15, track=4711)), {"trackless": 1}, 0, None),
    }
    # No kernel at all, though some were launched.
    none = b"".join(p for i, p in enumerate(packets) if not has(p, (6, b"GPU")) and
                    not (i and has(packets[i - 1], (6, b"GPU"))))
    out["kernels"] = (none, {"kernels": 0}, None, None)
    return out


def said_numbers(said):
    """The numbers that stand in messages, one for each; "1" is written as a number too."""
    return [int(n) for n in re.findall(r"(?:^|[ ,])(\d+) (?:damaged )?(?:bytes?|packets?|chunks?|places?|events?|compressed|"
                                       r"kernels?)\b", re.sub(r"\(.*?at byte \d+\)", "", said))]


def check_loss(name, trace, want, lost_kernels, status, truth):
    path, db = name + ".pftrace", name + ".db"
    with open(path, "wb") as f:
        f.write(trace)
    normal = status or 0
    got_status, _, said = tool("tracemerge", "-o", db, path)
    expect(got_status, normal, name + ": status of tracemerge, which said " + said)
    expect(ask(db, "PRAGMA integrity_check"), [["ok"]], name + ": integrity_check")
    table = {r[0]: int(r[1]) for r in ask(db, "SELECT reason, rows FROM loss ORDER BY 1")}
    kernels = int(ask(db, "SELECT count(*) FROM kernel")[0][0])
    if name == "kernels":
        want = {"kernels": sum(int(v[0]) for v in truth.values())}
        lost_kernels = want["kernels"]
    expect(table, want, name + ": table loss, said " + said)
    expect(kernels, sum(int(v[0]) for v in truth.values()) - lost_kernels, name + ": kernels that are read")
    if not lost_kernels:
        expect(kernels_of_db(db, 0) == truth, True, name + ": kernels are those of the whole trace")
    for line in said.splitlines()[:-1]:
        if not re.match(r"tracemerge: (error|warning|note): %s: " % re.escape(path), line):
            fail("%s: said %s" % (name, line))
    expect(sorted(said_numbers("\n".join(x.split(": ", 3)[3] for x in said.splitlines()[:-1]))),
           sorted(want.values()), name + ": numbers said in " + said)
    skipped, lost = ask(db, "SELECT skipped, lost FROM input")[0]
    lost_ones = {"discarded", "overwritten", "dropped"}
    left_out = set(want) - lost_ones - {"cut_bytes", "unnamed", "trackless", "kernels"}
    expect(int(lost), sum(want[k] for k in set(want) & lost_ones), name + ": input.lost")
    expect(int(skipped), sum(want[k] for k in left_out), name + ": input.skipped")
    expect("%s skipped, %s lost" % (skipped, lost) in said, True, name + ": last line of " + said)
    # The same is told of the trace and of the database, by every tool, with the same status.
    if name != "kernels":
        a, b = (tool("kstats", "top", "-f", "csv", p) for p in (path, db))
        notes = re.sub(r"(?m)^kstats: \w+: [^:]*: ", "", a[2])
        # What only matters when it is asked for is not told then.
        if name != "trackless":
            expect(notes, re.sub(r"(?m)^kstats: \w+: [^:]*: ", "", b[2]), name + ": messages of kstats")
        expect((a[0], b[0], a[1] == b[1]), (normal, normal, True), name + ": kstats top of trace and database")
    expect(tool("tracecat", path)[0], normal, name + ": status of tracecat")
    strict = tool("tracemerge", "-q", "--strict", "-o", "strict.db", path)[0]
    expect(strict, 0 if status is None else 2, name + ": status of --strict")


def all_losses():
    generate("base.pftrace", "--names", "30", "600000")
    generate("base.csv", "--csv", "--names", "30", "600000")
    truth = kernels_of_csv("base.csv")
    with open("base.pftrace", "rb") as f:
        base = f.read()
    cases = losses(base)
    for name, case in cases.items():
        check_loss(name, *case, truth)
    return len(cases)


def real_ones(shared):
    """Traces of the shared folder that lost something: table and message say the same."""
    for name, reason in (("small_trunc", "cut_bytes"), ("small_loss", "dropped")):
        path = name + ".pftrace"
        with open(path, "wb") as f:
            subprocess.run(["zstd", "-qdc", os.path.join(shared, path + ".zst")], stdout=f, check=True)
        status, _, said = tool("tracemerge", "-o", name + ".db", path)
        rows = ask(name + ".db", "SELECT reason, rows, at_byte FROM loss")
        expect(status, 2 if reason == "cut_bytes" else 0, name + ": status")
        expect([r[0] for r in rows], [reason], name + ": reason")
        expect("%s at byte %s)" % ("", rows[0][2]) in said.replace("(at", "( at"), True, name + ": place")
        expect(said_numbers(said.splitlines()[0].split(": ", 2)[2]), [int(rows[0][1])], name + ": number said")


def main():
    shared = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        four_ranks()
        tried = all_losses()
        if shared:
            real_ones(shared)
        os.chdir("/")
    print("4 ranks, %d kinds of loss; %d differences" % (tried, bad))
    sys.exit(1 if bad else 0)


main()
