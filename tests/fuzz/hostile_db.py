#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_db.py TOOLS [WORD]: databases that no profiler writes, made from those of testdata/.

Bytes turned at random seldom leave an SQLite file that opens.  These open, and lie: about types, about
tables, about pages.  TOOLS is the folder of the (sanitized) tools; WORD picks cases."""
import glob
import os
import shutil
import sqlite3
import sys
import tempfile

from hostile import Judge

COMMANDS = (("kstats", "top", "--domain", "all"), ("tracecat",), ("tracecat", "info"), ("kstats", "gaps"),
            ("kstats", "regions"), ("kstats", "memory"))
SEEDS = ("rocpd/3.0.0/run/out_results.db", "rocpd/3.0.0/ranks/merged.db", "rpd/3/run/trace.rpd", "rocprofv1/6.2/database/trace.db")
VALUES = {"null": None, "negative": -1, "least": -2**63, "greatest": 2**63 - 1, "real": 1e300, "third": 1.5,
          "infinite": float("inf"), "text": "x", "empty": "", "digits": "9" * 400, "over": str(2**64),
          "blob": b"\x00\xff" * 8, "nul": "a\0b", "huge": "k" * 30000, "hugeblob": b"b" * 30000,
          "json": '{"message":"' + "\\u00e9" * 5000 + '"}'}


def q(name):
    return '"' + name.replace('"', '""') + '"'


def loose(c):
    """The tables again without a constraint or a type: then they take anything."""
    names = [r[0] for r in c.execute("SELECT name FROM sqlite_master WHERE type='table' "
                                     "AND name NOT LIKE 'sqlite%'")]
    c.execute("PRAGMA legacy_alter_table=ON")
    for v in [r[0] for r in c.execute("SELECT name FROM sqlite_master WHERE type='view'")]:
        c.execute(f"DROP VIEW {q(v)}")
    for t in names:
        columns = [r[1] for r in c.execute(f"PRAGMA table_info({q(t)})")]
        c.execute(f"ALTER TABLE {q(t)} RENAME TO was")
        c.execute(f"CREATE TABLE {q(t)}({','.join('id INTEGER PRIMARY KEY' if x == 'id' else q(x) for x in columns)})")
        c.execute(f"INSERT INTO {q(t)} SELECT * FROM was")
        c.execute("DROP TABLE was")
    return names


def columns_of(c, t):
    return [r[1] for r in c.execute(f"PRAGMA table_info({q(t)})")]


def full(c, t):
    return c.execute(f"SELECT count(*) FROM {q(t)}").fetchone()[0]


def of_values(c):
    """Every value in every column but the id, all at once."""
    for word, value in VALUES.items():
        def change(c, value=value):
            for t in loose(c):
                for x in columns_of(c, t):
                    if x != "id":
                        c.execute(f"UPDATE {q(t)} SET {q(x)}=?", (value,))
        yield "every cell " + word, change


def of_columns(c):
    """Each column of each table: other types in turn; and gone."""
    names = loose(c)
    mixed = list(VALUES.values())[:-3]
    for t in names:
        if not full(c, t):
            continue
        for i, x in enumerate(columns_of(c, t)):
            def mix(c, t=t, x=x, i=i):
                loose(c)
                for k, (row,) in enumerate(c.execute(f"SELECT rowid FROM {q(t)}").fetchall()):
                    if x != "id":
                        c.execute(f"UPDATE {q(t)} SET {q(x)}=? WHERE rowid=?",
                                  (mixed[(i + k) % len(mixed)], row))
            def gone(c, t=t, x=x):
                loose(c)
                left = ",".join(q(y) for y in columns_of(c, t) if y != x)
                if left:
                    c.execute(f"CREATE TABLE other AS SELECT {left} FROM {q(t)}")
                    c.execute(f"DROP TABLE {q(t)}")
                    c.execute(f"ALTER TABLE other RENAME TO {q(t)}")
            if x not in ("guid", "nid"):
                yield f"mixed {t[:24]}.{x}", mix
                yield f"without {t[:24]}.{x}", gone


def of_tables(c):
    """Each table: gone, empty, a view, in a circle, generated, without rowids, gaps, as a shadow."""
    for t in loose(c):
        def as_view(c, t=t):
            loose(c)
            c.execute(f"ALTER TABLE {q(t)} RENAME TO hidden")
            c.execute(f"CREATE VIEW {q(t)} AS SELECT * FROM hidden")
        def circle(c, t=t):
            loose(c)
            c.execute(f"DROP TABLE {q(t)}")
            c.execute(f"CREATE VIEW {q(t)} AS SELECT * FROM other")
            c.execute(f"CREATE VIEW other AS SELECT * FROM {q(t)}")
        def generated(c, t=t):
            loose(c)
            names = columns_of(c, t)
            c.execute(f"DROP TABLE {q(t)}")
            c.execute(f"CREATE TABLE {q(t)}(id INTEGER PRIMARY KEY," + ",".join(
                q(x) + " AS (length(zeroblob(1000000)))" for x in names if x != "id") + ",zz)")
            c.executemany(f"INSERT INTO {q(t)}(id) VALUES(?)", [(i,) for i in range(100)])
        def no_rowid(c, t=t):
            loose(c)
            names = columns_of(c, t)
            c.execute(f"ALTER TABLE {q(t)} RENAME TO was")
            c.execute(f"CREATE TABLE {q(t)}({','.join(map(q, names))},PRIMARY KEY({q(names[0])})) WITHOUT ROWID")
            c.execute(f"INSERT OR IGNORE INTO {q(t)} SELECT * FROM was WHERE {q(names[0])} IS NOT NULL")
            c.execute("DROP TABLE was")
        def gaps(c, t=t):
            loose(c)
            for k, (row,) in enumerate(c.execute(f"SELECT rowid FROM {q(t)}").fetchall()):
                c.execute(f"UPDATE {q(t)} SET rowid=? WHERE rowid=?", ((-1)**k * 2**(62 - k % 60), row))
        def trigger(c, t=t):
            c.execute(f"CREATE TRIGGER bang AFTER INSERT ON {q(t)} BEGIN DELETE FROM {q(t)}; END")
        def empty(c, t=t):
            loose(c)
            c.execute(f"DELETE FROM {q(t)}")
        def drop(c, t=t):
            loose(c)
            c.execute(f"DROP TABLE {q(t)}")
        def quoted(c, t=t):
            loose(c)
            c.execute(f"ALTER TABLE {q(t)} RENAME TO {q(t + chr(34) + ' JOIN')}")
        for name in ("as_view", "circle", "generated", "no_rowid", "gaps", "trigger", "empty", "drop", "quoted"):
            yield f"{name} {t[:24]}", locals()[name]


def of_schema(c):
    """The words of the schema are not what was parsed from them."""
    def strange(sql, *args):
        def change(c):
            c.execute("PRAGMA writable_schema=ON")
            c.execute(sql, args)
        return change
    yield "root 0", strange("UPDATE sqlite_master SET rootpage=0 WHERE type='table'")
    yield "one root", strange("UPDATE sqlite_master SET rootpage=2 WHERE type='table'")
    yield "far roots", strange("UPDATE sqlite_master SET rootpage=99999999 WHERE type='table'")
    yield "negative roots", strange("UPDATE sqlite_master SET rootpage=-5 WHERE type='table'")
    yield "no SQL", strange("UPDATE sqlite_master SET sql=NULL")
    yield "wrong SQL", strange("UPDATE sqlite_master SET sql='CREATE TABLE x('")
    yield "deep SQL", strange("UPDATE sqlite_master SET sql='CREATE TABLE x(a DEFAULT '||?||')'", "(" * 5000)
    yield "long names", strange("UPDATE sqlite_master SET name=name||?, tbl_name=tbl_name||?", "x" * 500000, "x" * 500000)
    yield "virtual", strange("UPDATE sqlite_master SET sql='CREATE VIRTUAL TABLE '||name||' USING fts3(a)'")

    def many(c):
        for i in range(500):
            c.execute(f"CREATE TABLE rocpd_string_{i}(id INTEGER PRIMARY KEY, string)")
            c.execute(f"CREATE TABLE rocpd_region_{i}(id INTEGER PRIMARY KEY, start, end, name_id, tid, pid, event_id)")
            c.execute(f"INSERT INTO rocpd_region_{i} VALUES(1,1,2,1,1,1,1)")
    yield "1000 tables", many


def of_bytes(path):
    """The file itself: headers of pages, its own header, cut."""
    data = open(path, "rb").read()
    size = int.from_bytes(data[16:18], "big") or 65536
    if size == 1:
        size = 65536
    for page in range(len(data) // size):
        at = page * size + (100 if page == 0 else 0)
        for name, patch in (("type", b"\x02"), ("type", b"\xff"), ("cells", b"\x0d\x00\x00\xff\xff"),
                            ("start", b"\x0d\x00\x00\x00\x05\x00\x00"), ("all", b"\xff" * 12),
                            ("inner", b"\x05\x00\x00\x00\x01\x00\x0c\x00" + (page + 1).to_bytes(4, "big")),
                            ("zero", b"\0" * size)):
            yield f"page {page + 1} {name}", data[:at] + patch[:size - at % size] + data[at + len(patch[:size - at % size]):]
    for n in (0, 15, 16, 99, 100, 101, 511, 512, size, size + 1, len(data) // 2, len(data) - 1):
        yield f"cut at {n}", data[:n]
    for at, patch in ((16, b"\x00\x03"), (16, b"\x00\x01"), (16, b"\x02\x00"), (16, b"\x80\x00"), (18, b"\x02\x02"),
                      (18, b"\x09\x09"), (20, b"\xff"), (21, b"\x01\x01\x01"), (28, b"\xff\xff\xff\xff"), (32, b"\0\0\0\2"),
                      (36, b"\xff\xff\xff\xff"), (44, b"\0\0\0\x63"), (52, b"\0\0\0\5"), (56, b"\0\0\0\2"),
                      (56, b"\0\0\0\x09"), (68, b"\x74\x6d\x72\x31")):
        yield f"header {at} {patch.hex()}", data[:at] + patch + data[at + len(patch):]


def cases(seed):
    """(name, bytes or function that changes a connection)"""
    c = sqlite3.connect(":memory:")
    sqlite3.connect(seed).backup(c)
    yield "as it is", lambda c: None
    for make in (of_values, of_columns, of_tables, of_schema):
        yield from make(c)
    yield from of_bytes(seed)


def build(seed, path, change):
    if isinstance(change, bytes):
        with open(path, "wb") as f:
            f.write(change)
        return
    shutil.copyfile(seed, path)
    os.chmod(path, 0o644)
    c = sqlite3.connect(path, isolation_level=None)
    c.execute("PRAGMA synchronous=OFF")
    c.execute("BEGIN")
    change(c)
    c.execute("COMMIT")
    c.close()


def utf16(seed, path):
    if os.path.exists(path):
        os.unlink(path)
    old, new = sqlite3.connect(seed), sqlite3.connect(path)
    new.execute("PRAGMA encoding='UTF-16le'")
    new.executescript("\n".join(x for x in old.iterdump() if "sqlite_sequence" not in x))
    new.close()


def main():
    judge, word = Judge(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    data = os.path.join(os.path.dirname(__file__), "..", "..", "testdata")
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "hostile.db")
        merged = os.path.join(d, "run.db")
        judge.run("run.db", ["tracemerge", "-q", "-o", merged, os.path.join(data, "rocprofv3/7.0/run")],
                  quiet_ok=True)
        for s in (*SEEDS, "tracemerge/3/run.db"):
            seed = merged if s.startswith("tracemerge/") else os.path.join(data, s)
            for name, change in cases(seed):
                what = f"{s.split('/')[0]} {s.split('/')[2]} {name}"
                if word not in what:
                    continue
                try:
                    build(seed, path, change)
                except sqlite3.Error as e:
                    print(f"not made {what}: {e}", flush=True)
                    continue
                for command in COMMANDS:
                    judge.run(what, [*command, path])
            if word in "utf16":
                utf16(seed, path)
                plain = judge.run("plain", ["tracecat", seed]).stdout
                if judge.run(s + " utf16", ["tracecat", path]).stdout != plain:
                    judge.fail(s + " utf16", "other events than in UTF-8", [path])
        for left in glob.glob(os.path.join(tempfile.gettempdir(), "tracemill-??????")):
            judge.fail("copies", "left behind", [left])
    return judge.end()


if __name__ == "__main__":
    sys.exit(main())
