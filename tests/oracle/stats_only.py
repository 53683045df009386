#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stats_only.py TESTDATA [SHARED]: a file of tracemerge --stats-only has the answers of the traces, byte for byte, in
every format; of several ranks too, whose files were merged in any order, by any tree.  What it cannot answer is an
error with status 2 that says so, and no row.  A damaged one is an error that names the file and the table.  What all
ranks add up to (table packed_whole) is what adding them up gives, and is not read where it is of other inputs."""
import os
import random
import re
import sqlite3
import subprocess
import sys

import effort
import run_db

# As tm_metric.state has it.
KEPT = ["classes", "gemm", "timeline", "gaps", "copies", "memory", "sync", "launch", "ranks", "collectives", "efficiency",
        "summary", "regions", "steps", "ops"]
SUMS = ["top", "classes --unclassified", "gemm --suspects", "gemm --tiles", "ranks --imbalance", "collectives --ranks",
        "collectives --list", "steps --total", "whatif --apart"]
REFUSED = ["roofline", "path", "whatif", "occupancy", "counters", "samples", "clock"]
OPTIONS = [("top", "--per", "queue"), ("top", "--per", "rank,stream"), ("top", "--per", "shape"), ("top", "-w", "1.."),
           ("timeline", "-w", "1.."), ("timeline", "--chart"), ("timeline", "--short", "3"), ("gaps", "--list"),
           ("gaps", "--hist"), ("ranks", "--collectives"), ("regions", "--steps"), ("regions", "--list"), ("steps", "--skip", "1"), ("collectives", "-w", "1.."), ("classes", "--explain"), ("sync", "--during", "idle"), ("launch", "--graphs"),
           ("gaps", "--per", "stream"), ("ops", "--paths"), ("ops", "--per", "rank"), ("memory", "--list"), ("copies", "-w", "0%..50%")]
FORMATS = ["csv", "json", "text"]
bad = []
counts = {"sets": 0, "answers": 0, "rows": 0, "merged": 0, "aligned": 0, "refused": 0, "damaged": 0, "wholes": 0}


def run(*args):
    p = subprocess.run(args, capture_output=True, check=False, timeout=300,
                       env=dict(os.environ, COLUMNS="200", TZ="UTC"))
    if p.returncode < 0:
        bad.append("%s: killed by signal %d" % (" ".join(args)[:200], -p.returncode))
    return p


def ask(question, form, paths):
    """Status and bytes; not the names of the inputs, which only JSON has, and what is noted of one of them."""
    p = run("kstats", *question.split(), "-f", form, *paths)
    out = re.sub(rb'"inputs":\[[^]]*\],', b"", p.stdout)
    # The first screen is more than the summary: findings need events, and say so.
    out = re.sub(rb'(?m)^finding\.[0-9]+\..*\n', b"", out)
    out = re.sub(rb'"(/|part|all|moved|totals)[^"]*: [^"]*",?', b"", out).replace(b",]", b"]")
    return p.returncode, out, p.stderr


def merge(out, *paths):
    if os.path.exists(out):
        os.remove(out)
    return run("tracemerge", "-q", "--align", "none", "--no-index", "--stats-only", "-o", out, *paths).returncode < 3 \
        and os.path.exists(out)


def compare(name, paths, *dbs):
    for i, question in enumerate(SUMS + KEPT):
        # Of a sample each set is asked one question in four, or (under a sanitizer) in sixteen, in two of the formats.
        few = 1 if effort.PERCENT == 100 else 4 if effort.PERCENT > 5 else 16
        if (i + counts["sets"]) % few:
            continue
        forms = FORMATS if few == 1 else [FORMATS[0], FORMATS[1 + (i // few + counts["sets"]) % 2]]
        for form in forms:
            want, got = ask(question, form, paths), ask(question, form, dbs)
            if question == "summary" and form != "csv":
                continue
            # Chosen over all ranks, so totals of some are no answer.
            if len(dbs) > 1 and question.startswith("steps"):
                if got[0] != 2 or b"chosen over all ranks" not in got[2]:
                    bad.append("%s: steps of totals and events: %d %s" % (name, got[0], got[2][:200]))
                continue
            # Errors about files that are no traces are noted there, and keep others from being said.
            if form == "json" and want[0]:
                continue
            counts["answers"] += 1
            counts["rows"] += max(0, want[1].count(b"\n") - 1) if form == "csv" else 0
            # Of files that are no traces a database knows nothing, so it has no such status.
            if got[1] != want[1] or got[0] not in (want[0], 0):
                bad.append("%s: %s -f %s (status %d, of traces %d): %s %s" % (
                    name, question, form, got[0], want[0], run_db.differs(want[1], got[1]), got[2][:300]))


def aligned(name, rng, paths):
    """A run.db whose clocks were moved, each rank by another line, and its totals."""
    for f in ("moved.db", "totals.db"):
        if os.path.exists(f):
            os.remove(f)
    run("tracemerge", "-q", "--no-index", "--align", "none", "-o", "moved.db", *paths)
    if not os.path.exists("moved.db"):
        return
    con = sqlite3.connect("moved.db")
    for (rank,) in list(con.execute("SELECT DISTINCT rank FROM input")):
        con.execute("UPDATE clock SET method = 'collectives', offset_ns = ?, origin_ns = 0, rate = ?, residual_ns = ? "
                    "WHERE input IN (SELECT id FROM input WHERE rank = ?)",
                    (rng.randrange(10**6), rng.choice((0, 0, 1 << 20)), rng.randrange(1000), rank))
    con.commit()
    con.close()
    if merge("totals.db", "moved.db"):
        counts["aligned"] += 1
        compare(name + ", aligned", ["moved.db"], "totals.db")


def refuses(name, db):
    for words in [(q,) for q in REFUSED] + OPTIONS:
        p = run("kstats", *words, "-f", "csv", db)
        counts["refused"] += 1
        says = words[-1] if len(words) < 2 else next(w for w in words if w.startswith("-"))
        if p.returncode != 2 or p.stdout.count(b"\n") > 1 or b"contains totals only" not in p.stderr or \
                says.encode() not in p.stderr:
            bad.append("%s: %s is not refused: %d %r" % (name, " ".join(words), p.returncode, p.stderr[:200]))


def damages(name, rng, db):
    """Bytes changed or cut: an error, or an answer, and never a crash."""
    # The names of questions are packed there, and rows in a database of another sort.
    run("tracemerge", "-q", "-o", "rows.db", db)
    con = sqlite3.connect("rows.db")
    questions = dict(con.execute("SELECT s.bytes, n.text FROM state s JOIN name n ON n.id = s.question"))
    con.close()
    for i in range(effort.rounds(40)):
        with open(db, "rb") as f, open("broken.db", "wb") as g:
            g.write(f.read())
        con = sqlite3.connect("broken.db")
        ident, blob = rng.choice(list(con.execute("SELECT id, bytes FROM state")))
        question = questions[blob]
        new = bytearray(blob)
        if i % 2:
            del new[rng.randrange(len(new)):]
        else:
            for _ in range(rng.randrange(1, 4)):
                new[rng.randrange(len(new))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        con.execute("UPDATE state SET bytes = ? WHERE id = ?", (bytes(new), ident))
        con.commit()
        con.close()
        # Of this one a view is kept.
        view = ["--apart"] if question == "whatif" else []
        p = run("kstats", *question.split(), *view, "-f", "csv", "broken.db")
        counts["damaged"] += 1
        if i % 2 and (p.returncode != 2 or b"broken.db: table state" not in p.stderr):
            bad.append("%s: %s cut to %d bytes: %d %r" % (name, question, len(new), p.returncode, p.stderr[:200]))
    for i in range(effort.rounds(20)):
        table = ("packed_rollup", "packed_name")[i % 2]
        with open(db, "rb") as f, open("broken.db", "wb") as g:
            g.write(f.read())
        con = sqlite3.connect("broken.db")
        rowid, blob = rng.choice(list(con.execute("SELECT rowid, bytes FROM %s" % table)))
        new = bytearray(blob)
        at = rng.randrange(len(new))
        if i % 4 < 2:
            del new[at:]
        else:
            new[at] ^= 1 << rng.randrange(8)
        con.execute("UPDATE %s SET bytes = ? WHERE rowid = ?" % table, (bytes(new), rowid))
        con.commit()
        con.close()
        p = run("kstats", "top", "--per", "rank", "-f", "csv", "broken.db")
        counts["damaged"] += 1
        # In the head of a frame are bits that say nothing.
        if (p.returncode != 2 or b"broken.db" not in p.stderr) and (i % 4 < 2 or p.stdout != run("kstats", "top", "--per", "rank", "-f", "csv", db).stdout):
            bad.append("%s: %s broken at %d of %d: %d %r" % (name, table, at, len(blob), p.returncode, p.stderr[:200]))


def tree(rng, files):
    """One file of all of them, by random merges."""
    n = 0
    while len(files) > 1:
        some = rng.sample(files, min(len(files), rng.randrange(2, 4)))
        out = "merged%d.db" % n
        n += 1
        if not merge(out, *some):
            bad.append("%s do not merge" % some)
            return files[0]
        files = [f for f in files if f not in some] + [out]
    return files[0]


WHOLE = ["top", "top --domain all", "top --name short", "top --name class", "top --domain all --hist e"]


def execute(db, sql):
    con = sqlite3.connect(db)
    n = con.execute(sql).fetchone() if sql.startswith("SELECT") else con.execute(sql)
    con.commit()
    con.close()
    return n


def copy(db, to):
    with open(db, "rb") as f, open(to, "wb") as g:
        g.write(f.read())


def whole(name, rng, files):
    """Sums of all ranks: those of each added up, by any tree and in a run.db of rows; nothing else is read for them."""
    dbs = [tree(rng, list(files)), "other.db", "rows.db"]
    copy(dbs[0], "first.db")
    dbs[0] = "first.db"
    copy(tree(rng, list(files)), "other.db")
    if os.path.exists("rows.db"):
        os.remove("rows.db")
    run("tracemerge", "-q", "--align", "none", "-o", "rows.db", *rng.sample(files, len(files)))
    for db in dbs:
        rows, = execute(db, "SELECT count(*) FROM packed_whole")
        if not rows:
            continue
        counts["wholes"] += 1
        questions = rng.sample(WHOLE, len(WHOLE) if effort.PERCENT == 100 else 2)
        table = "rollup" if db == "rows.db" else "packed_rollup"
        got = [ask(q, "csv", [db]) for q in questions]
        # Only it is read ...
        copy(db, "alone.db")
        execute("alone.db", "DELETE FROM " + table)
        if [ask(q, "csv", ["alone.db"]) for q in questions] != got:
            bad.append("%s: %s: rollups are read besides what they add up to" % (name, db))
        # ... and not where it is of others, or not there.
        for sql in ("DELETE FROM packed_whole", "UPDATE packed_whole SET inputs = inputs + 1",
                    "UPDATE packed_whole SET rollups = rollups - 1"):
            copy(db, "none.db")
            execute("none.db", sql)
            for q, one in zip(questions, got):
                want = ask(q, "csv", ["none.db"])
                if want != one:
                    bad.append("%s: %s: %s: %s: %s" % (name, db, sql, q, run_db.differs(want[1], one[1])))
        # Ranks are told apart, and other inputs come on top, as if it were not there.
        for more in (["--per", "rank"], ["--per", "agent"], ["--rank", "0-9"], ["-k", "e"], ["77=" + files[0]], ["88="]):
            a, b = (run("kstats", "top", "-f", "csv", *(m + x if m == "88=" else m for m in more), x)
                    for x in (db, "none.db"))
            if (a.returncode, a.stdout) != (b.returncode, b.stdout):
                bad.append("%s: %s: top %s: %s" % (name, db, more, run_db.differs(b.stdout, a.stdout)))
        copy(db, "broken.db")
        execute("broken.db", "UPDATE packed_whole SET bytes = substr(bytes, 1, length(bytes) - 1)")
        p = run("kstats", "top", "broken.db")
        if p.returncode != 2 or b"broken.db" not in p.stderr:
            bad.append("%s: %s: cut: %d %r" % (name, db, p.returncode, p.stderr[:200]))


def wholes(rng, pool):
    """Sets that have neither statistics nor counters nor several runs, each as two ranks."""
    plain = []
    rng.shuffle(pool)
    for name, paths in pool:
        files = ["plain%d.db" % (2 * len(plain) + k) for k in range(2)]
        if not all(merge(f, *["%d=%s" % (int(f[5:-3]), p.split("=")[-1]) for p in paths]) for f in files) or \
                not merge("both.db", *files) or not execute("both.db", "SELECT count(*) FROM packed_whole")[0]:
            continue
        plain.append((name, files))
        if len(plain) == effort.rounds(16):
            break
    for i in range(0, len(plain), 2):
        whole([n for n, _ in plain[i:i + 2]], rng, sum((f for _, f in plain[i:i + 2]), []))


def several(rng, pool):
    """Ranks of some sets together; of a small sample there may be few."""
    for _ in range(effort.rounds(12)):
        chosen = rng.sample(pool, min(rng.randrange(2, 5), len(pool)))
        ranks = rng.sample(range(20), len(chosen))
        paths, parts = [], []
        for rank, (_, files) in zip(ranks, chosen):
            own = ["%d=%s" % (rank, f.split("=")[-1]) for f in files]
            part = "part%d.db" % rank
            if merge(part, *own):
                paths += own
                parts.append(part)
        rng.shuffle(parts)
        if len(parts) < 2:
            continue
        counts["merged"] += 1
        # Some ranks as totals, the others as events.
        compare("rank %s of totals, of %s" % (parts[0], [n for n, _ in chosen]), paths, parts[0],
                *[p for p in paths if "part%s.db" % p.split("=")[0] != parts[0]])
        aligned("ranks %s" % ranks, rng, paths)
        compare("ranks %s of %s" % (ranks, [n for n, _ in chosen]), paths, tree(rng, parts))


def main():
    rng = random.Random(19)
    pool = []
    for top in sys.argv[1:]:
        for name, paths in effort.sample(run_db.sets(top)):
            name = os.path.relpath(name, top)
            if not merge("all.db", *paths):
                continue
            counts["sets"] += 1
            if counts["sets"] == 1:
                refuses(name, "all.db")
                damages(name, rng, "all.db")
            compare(name, paths, "all.db")
            aligned(name, rng, paths)
            # One rank each, so that they can be given another.
            con = sqlite3.connect("all.db")
            if len(list(con.execute("SELECT DISTINCT rank FROM input"))) == 1:
                pool.append((name, paths))
            con.close()
    several(rng, pool)
    wholes(rng, pool)
    for b in bad[:40]:
        print(b)
    print(", ".join("%d %s" % (n, what) for what, n in counts.items()) + ", %d wrong" % len(bad))
    return bool(bad or not counts["wholes"] and counts["merged"] or effort.PERCENT == 100 and counts["rows"] < 1000)


if __name__ == "__main__":
    sys.exit(main())
