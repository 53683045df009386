#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_fields.py TOOLS [N [WORD [FIRST]]]: run.db and pftraces whose structure is right and whose fields lie.

Bytes turned at random are refused early.  Here a trace is decoded, some of its fields are changed, moved
or taken from elsewhere, and it is encoded again: N times for each seed, the same ones every time.
TOOLS is the folder of the (sanitized) tools, WORD picks seeds or is the path of a pftrace to begin with, FIRST is
the number of the first case."""
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

from hostile import ENV, Judge

HERE = os.path.dirname(os.path.abspath(__file__))
TESTDATA = os.path.join(HERE, "..", "..", "testdata")
COMMANDS = (("tracecat",), ("tracecat", "info"), ("kstats", "top", "--domain", "all", "--per", "rank"), ("kstats", "gaps"),
            ("kstats", "regions"), ("kstats", "memory"), ("kstats", "ranks"), ("kstats", "summary"), ("kstats", "launch"))
NUMBERS = (0, 1, 2, 3, 6, 63, 64, 127, 128, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**62, 2**63 - 1, 2**63,
           2**64 - 2, 2**64 - 1)
TEXTS = (b"", b"\0", b"a\0b", b"\xff\xfe", b"x" * 70000, b"(1,2,3)", b"18446744073709551616", b"-1", b"Agent 4", b"begin_ns",
         b"\xed\xa0\x80", b"\"\n,", b"KERNEL_DISPATCH", b"STREAM ['9']")


# ---- pftrace: the messages of schemas/perfetto.proto ----

def schema(path):
    """{message: {number: (type, message or None)}}, names of nested messages with those around them."""
    found, stack = {}, []
    with open(path, encoding="utf-8") as f:
        for line in re.sub(r"//[^\n]*", "", f.read()).replace("{", "{\n").replace("}", "\n}\n").replace(";", ";\n").splitlines():
            m = re.match(r"\s*message (\w+)", line)
            if m:
                stack.append(m[1])
                found[m[1]] = {}
            elif line.strip() == "}":
                stack.pop()
            m = re.match(r"\s*(?:optional|repeated) (\w+) \w+ = (\d+)", line)
            if m:
                found[stack[-1]][int(m[2])] = m[1]
    return found


def varint(v):
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    return bytes(out + bytes([v]))


def decode(data, message, types):
    """[number, wire, value] of each field; value is a list where the schema knows its message."""
    fields, i = [], 0

    def number():
        nonlocal i
        v = shift = 0
        while True:
            b = data[i]
            i += 1
            v |= (b & 127) << shift
            shift += 7
            if b < 128:
                return v & 2**64 - 1
    while i < len(data):
        key = number()
        n, wire = key >> 3, key & 7
        if wire == 0:
            v = number()
        elif wire == 2:
            size = number()
            v = data[i:i + size]
            i += size
            kind = types.get(message, {}).get(n)
            if kind in types:
                v = decode(v, kind, types)
        else:
            size = 8 if wire == 1 else 4
            v = data[i:i + size]
            i += size
        fields.append([n, wire, v])
    return fields


def encode(fields):
    out = []
    for n, wire, v in fields:
        out.append(varint(n << 3 | wire))
        if wire == 0:
            out.append(varint(v))
        elif wire == 2:
            v = encode(v) if isinstance(v, list) else v
            out += [varint(len(v)), v]
        else:
            out.append(v)
    return b"".join(out)


def places(fields, path=()):
    """(list, index) of every field at any depth."""
    for i, (_, _, v) in enumerate(fields):
        yield fields, i, path
        if isinstance(v, list):
            yield from places(v, path + (fields[i][0],))


def copied(v):
    return [[n, w, copied(x)] for n, w, x in v] if isinstance(v, list) else v


class Pftrace:
    def __init__(self, name, data):
        self.name = name
        self.types = schema(os.path.join(HERE, "..", "..", "schemas", "perfetto.proto"))
        self.packets = decode(data, "Trace", self.types)

    def change(self, r, packets):
        packet = r.randrange(len(packets))
        spots = list(places(packets[packet][2])) if isinstance(packets[packet][2], list) else []
        what = r.randrange(14)
        if what < 3 or not spots:
            other = r.randrange(len(packets))
            if what == 0:
                packets[packet], packets[other] = packets[other], packets[packet]
            elif what == 1:
                packets.insert(other, copied([packets[packet]])[0])
            else:
                del packets[packet:packet + r.choice((1, 1, 1, 20))]
            return
        fields, i, path = r.choice(spots)
        field = fields[i]
        if what == 3:
            del fields[i]
        elif what == 4:
            fields.insert(r.randrange(len(fields) + 1), copied([field])[0])
        elif what == 5:
            # Another one of the same message: iids, uuids and sequences of somebody else.
            near = [f for p in r.sample(packets, min(30, len(packets))) if isinstance(p[2], list)
                    for fs, k, where in places(p[2]) if where == path for f in [fs[k]]]
            if near:
                fields[i] = copied([r.choice(near)])[0]
        elif what == 6:
            fields.append(r.choice(([19999, 0, 2**64 - 1], [15, 1, b"\xff" * 8], [14, 5, b"\0" * 4], [13, 2, b"\x08" * 9],
                                    [field[0], 0, 1], [field[0], 2, b""], [field[0], 5, b"abcd"], [field[0], 2, b"\x80"])))
        elif field[1] == 0:
            near = field[2] + r.choice((-1, 1, -1000, 1000, 2**32))
            field[2] = (r.choice(NUMBERS) if r.randrange(3) else near) & 2**64 - 1
        elif isinstance(field[2], list):
            field[2] = [] if r.randrange(3) == 0 else field[2] * r.choice((2, 2, 3, 50))
        elif field[1] == 2:
            field[2] = r.choice(TEXTS)
        else:
            field[2] = r.choice((b"\xff" * 8, b"\0" * 8, struct.pack("<d", 1e300), struct.pack("<d", float("nan"))))[:len(field[2])]

    def write(self, r, path):
        packets = copied(self.packets)
        # A part of them is enough, and quicker; descriptors come first.
        if len(packets) > 400:
            at = r.randrange(len(packets) - 200)
            packets = packets[:150] + packets[at:at + 250]
        for _ in range(r.choice((1, 1, 2, 4, 30))):
            if packets:
                self.change(r, packets)
        with open(path, "wb") as f:
            f.write(encode(packets))


# ---- run.db ----

def q(name):
    return '"' + name.replace('"', '""') + '"'


class RunDb:
    name = "run.db"

    def __init__(self, path):
        """The tables again without a constraint: then they take anything."""
        self.path = path
        c = sqlite3.connect(path, isolation_level=None)
        c.execute("PRAGMA legacy_alter_table=ON")
        for kind in ("view", "index"):
            for (v,) in c.execute("SELECT name FROM sqlite_master WHERE type=? AND sql NOT NULL", (kind,)).fetchall():
                c.execute(f"DROP {kind} {q(v)}")
        self.tables = {}
        for (t,) in c.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite%'").fetchall():
            columns = [x[1] for x in c.execute(f"PRAGMA table_info({q(t)})")]
            c.execute(f"ALTER TABLE {q(t)} RENAME TO was")
            c.execute(f"CREATE TABLE {q(t)}({','.join('id INTEGER PRIMARY KEY' if x == 'id' else q(x) for x in columns)})")
            c.execute(f"INSERT INTO {q(t)} SELECT * FROM was")
            c.execute("DROP TABLE was")
            if c.execute(f"SELECT count(*) FROM {q(t)}").fetchone()[0]:
                self.tables[t] = columns
        c.close()

    def change(self, r, c):
        # The small tables say where the rows of the large ones are.
        t = r.choice(list(self.tables) + ["extent", "input", "rank", "clock", "rollup"])
        x = r.choice(self.tables[t])
        rows = [v for (v,) in c.execute(f"SELECT rowid FROM {q(t)}")]
        if not rows:
            return
        row = r.choice(rows)
        what = r.randrange(10)
        if what == 0:
            c.execute(f"DELETE FROM {q(t)} WHERE rowid=?", (row,))
        elif what == 1:
            rest = [y for y in self.tables[t] if y != "id"]
            c.execute(f"INSERT INTO {q(t)}({','.join(map(q, rest))}) SELECT {','.join(map(q, rest))} FROM {q(t)} WHERE rowid=?", (row,))
        elif what == 2:
            c.execute(f"UPDATE OR REPLACE {q(t)} SET rowid=? WHERE rowid=?",
                      (r.choice((-1, 0, row + 1, 2**31, 2**32, 2**63 - 1, -2**63)), row))
        elif what == 3 and len(rows) > 1:
            other = c.execute(f"SELECT {q(x)} FROM {q(t)} WHERE rowid=?", (r.choice(rows),)).fetchone()[0]
            if x != "id":
                c.execute(f"UPDATE {q(t)} SET {q(x)}=? WHERE rowid=?", (other, row))
        elif x != "id":
            old = c.execute(f"SELECT {q(x)} FROM {q(t)} WHERE rowid=?", (row,)).fetchone()[0]
            if isinstance(old, bytes):
                new = bytearray(old)
                for _ in range(r.choice((1, 1, 4))):
                    if new:
                        new[r.randrange(len(new))] = r.choice((0, 1, 127, 128, 255, r.randrange(256)))
                new = bytes(new[:r.choice((len(new), len(new), len(new) // 2, len(new) - 1))])
            elif isinstance(old, int) and r.randrange(5):
                new = r.choice(NUMBERS) if r.randrange(2) else old + r.choice((-1, 1, 2, -1000, 2**32))
                new = (new + 2**63) % 2**64 - 2**63
            else:
                new = r.choice((None, 0, -1, 1.5, 1e300, "", "x", "y" * 5000, b"", b"\0\xff", "order", "given", "trace", "api", "gpu"))
            c.execute(f"UPDATE {q(t)} SET {q(x)}=? WHERE " + ("rowid=?" if r.randrange(8) else "rowid>=?"), (new, row))

    def write(self, r, path):
        shutil.copyfile(self.path, path)
        c = sqlite3.connect(path, isolation_level=None)
        c.execute("PRAGMA synchronous=OFF")
        c.execute("BEGIN")
        for _ in range(r.choice((1, 1, 2, 3, 12))):
            self.change(r, c)
        c.execute("COMMIT")
        c.close()


def packets_of(data, size):
    """The whole packets among the first bytes."""
    at = 0
    while at < len(data):
        n = shift = 0
        i = at + 1
        while True:
            n |= (data[i] & 127) << shift
            shift += 7
            i += 1
            if data[i - 1] < 128:
                break
        if i + n > size:
            break
        at = i + n
    return data[:at]


def seeds(tools, folder, word):
    if os.path.exists(word):
        with open(word, "rb") as f:
            yield Pftrace(os.path.basename(word), packets_of(f.read(1 << 20), 1 << 18))
        return
    for name in ("tiny", "tiny_unknown"):
        if word in name:
            with open(os.path.join(TESTDATA, "perfetto-sdk/44/tiny", name + ".pftrace"), "rb") as f:
                yield Pftrace(name, f.read())
    if word not in RunDb.name:
        return
    path = os.path.join(folder, "seed.db")
    parts = ("rocprofv3/7.1/run", "rocpd/3.0.5/processes", "kineto/7.0/step", "rccl/2.18/two_ranks", "rpd/3/run",
             "rocprofv3/7.0/stats", "rocprofv3/7.0/ranks")
    subprocess.run([os.path.join(tools, "tracemerge"), "-q", "-o", path, *(os.path.join(TESTDATA, p) for p in parts)],
                   check=False, env=ENV)
    yield RunDb(path)


def main():
    tools, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    word, first = sys.argv[3] if len(sys.argv) > 3 else "", int(sys.argv[4]) if len(sys.argv) > 4 else 0
    judge = Judge(tools)
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, "merged.db")
        for seed in seeds(tools, d, word):
            path = os.path.join(d, "hostile" + os.path.splitext(seed.name)[1])
            for i in range(first, first + n):
                r = random.Random(f"{seed.name} {i}")
                seed.write(r, path)
                before = judge.bad
                for command in (COMMANDS[0], COMMANDS[2], r.choice(COMMANDS)):
                    judge.run(f"{seed.name} {i}", [*command, path])
                if i % 8 == 0:
                    judge.run(f"{seed.name} {i}", ["tracemerge", "-o", out, path], quiet_ok=True)
                    if os.path.exists(out):
                        os.unlink(out)
                if judge.bad > before:
                    keep = os.path.join(tempfile.gettempdir(), f"hostile-{seed.name}-{i}")
                    shutil.copyfile(path, keep)
                    print(f"    kept as {keep}", flush=True)
    return judge.end()


if __name__ == "__main__":
    sys.exit(main())
