# SPDX-License-Identifier: MIT
"""ranges.py ROOT GEN FOLDER...: every table of text and every pftrace below the folders, and a few generated ones, read
whole (-j 1) and in ranges (-j 2: pairs of them, where a format has pairs; -j 5): what is printed is the same, what
is said of it, and the bytes of a run.db of totals."""
import os
import re
import sys
import tempfile

import effort
import questions as q

LEAST, MOST = 16 << 10, 8 << 20  # bytes; of less there are no ranges
VIEWS = [["top", "--domain", "all"], ["gaps", "--list"], ["path", "--list"], ["timeline", "--chart"], ["launch", "--hist"],
         ["-w", "10%..90%"], ["kernel", "."], ["findings"]]


def questions_of(root):
    """Every question of kstats with all of its rows, and a few views of them."""
    with open(os.path.join(root, "libanalyze", "metric", "metrics.def"), encoding="utf-8") as f:
        words = re.findall(r"^METRIC\((\w+)\)", f.read(), re.M)
    return [[word, "-n", "0", "-f", "csv"] for word in words if word != "kernel"] + VIEWS


def files(folders):
    return [p for p in q.below(folders, (".csv", ".pftrace", ".proto")) if LEAST <= os.path.getsize(p) < MOST]


def generated(tools, work):
    """Traces with counters, agents, hardware queues as tracks; a table of which each row goes on with a dispatch."""
    for name, *command in (("plain.pftrace", "gen_pftrace", "300000"),
                           ("counters.pftrace", "gen_pftrace", "--pmc", "4", "--by-queue", "--agents", "2", "300000"),
                           ("nasty_kernel_trace.csv", "gen_csv", "--nasty", "200000")):
        path = os.path.join(work, name)
        with open(path, "wb") as f:
            f.write(q.subprocess.run([os.path.join(tools, command[0]), *command[1:]], stdout=q.subprocess.PIPE, check=True).stdout)
        yield path


def same(what, command):
    """command(jobs) -> what comes out."""
    whole = command("1")
    for jobs in ("2", "5"):
        if command(jobs) != whole:
            q.say(f"{what} with -j {jobs} differs from -j 1")
    q.compared["answers" if whole[0] == 0 else "refusals"] += 1


def totals(path, work):
    """The run.db of totals, byte for byte."""
    db = os.path.join(work, "totals.db")

    def made(jobs):
        if os.path.exists(db):
            os.remove(db)
        status, _, err = q.run("tracemerge", "-q", "--stats-only", "-j", jobs, "-o", db, path)
        return status, open(db, "rb").read() if os.path.exists(db) else None, err
    return made


def main():
    with tempfile.TemporaryDirectory() as work:
        made, turn, questions = list(generated(sys.argv[2], work)), 0, questions_of(sys.argv[1])
        for path in made + list(effort.sample(files(sys.argv[3:]))):
            same(f"tracereport {path}", lambda jobs: q.run("tracereport", "-j", jobs, path))
            same(f"tracemerge --stats-only {path}", totals(path, work))
            # Only what is one behind the other in a file can come in another order: of tables a few are asked.
            mixed = path.endswith((".pftrace", ".proto"))
            some = list(effort.most(questions)) if mixed else [questions[(turn + i) % len(questions)] for i in range(3)]
            for question in some:
                same(f"kstats {' '.join(question)} {path}", lambda jobs: q.run("kstats", *question, "-j", jobs, path))
            q.compared["traces" if mixed else "tables"] += 1
            turn += 3
    q.finish({"traces": 12, "tables": 50, "answers": 300} if len(sys.argv) > 4 else {"traces": 2, "answers": 20})


main()
