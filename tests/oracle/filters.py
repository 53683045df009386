# SPDX-License-Identifier: MIT
"""filters.py TESTDATA: what -k, --class, --rank, --agent, --stream and --thread keep, against the rules
applied here to the rows of tracecat without them, and the tops that follow."""
import collections
import glob
import os
import random
import re
import sys
import tempfile

import effort
import questions as q

LISTS = {"--agent": "agent", "--stream": "stream", "--thread": "tid", "--rank": "rank"}
AGAIN = ("top", "top --domain all", "classes", "gemm", "timeline", "gaps", "gaps --list", "launch", "copies",
         "memory", "regions", "sync", "ranks", "collectives", "summary", "ops")


def ranges(text):
    return [tuple(int(n) for n in (p.split("-") * 2)[:2]) for p in text.split(",")]


def has(spec, value):
    """Is the cell of a table in the list?"""
    word = re.fullmatch(r"(?:(GPU|CPU) )?(\d+)", value)
    kind = re.match(r"(?:(GPU|CPU) )?", spec).group(1)
    return bool(word) and word.group(1) == kind and any(
        lo <= int(word.group(2)) <= hi for lo, hi in ranges(spec[4:] if kind else spec))


def judge(row, option, spec):
    """True, False, or None: the row does not say."""
    if option in ("-k", "--class"):
        if row["kind"] not in ("kernel", "counter") or not row["name"]:
            return False
        return bool(re.search(spec, row["name"])) if option == "-k" else row["class"] in spec.split(",")
    host = row["kind"] in ("api", "marker")
    if option in ("--agent", "--stream") and host:
        return True
    cells = [row[LISTS[option]]]
    if option == "--agent" and row["kind"] == "copy":
        cells += [row["src"], row["dst"]]
    cells = [c for c in cells if c]
    return any(has(spec, c) for c in cells) if cells else None


def choose(rnd, rows):
    """Options that choose something and leave something, mostly."""
    out = {}
    for option in rnd.sample(["-k", "--class", *LISTS], rnd.choice((1, 1, 1, 2, 3))):
        row = rnd.choice(rows)
        if option == "-k":
            names = [r["name"] for r in rows if r["kind"] == "kernel" and re.match(r"\w\w\w", r["name"])]
            if names:
                out[option] = rnd.choice(("^", "")) + re.match(r"\w+", rnd.choice(names)).group(0)[:8]
        elif option == "--class":
            classes = sorted({r["class"] for r in rows if r["class"]})
            if classes:
                out[option] = ",".join(rnd.sample(classes, min(len(classes), rnd.choice((1, 2)))))
        else:
            cell = row[LISTS[option]]
            if cell.isdigit():
                out[option] = rnd.choice((cell, f"{cell}-{int(cell) + 1}", f"{cell},99"))
            elif cell:
                out[option] = cell
    return out


def tops(rows):
    by = collections.defaultdict(list)
    for r in rows:
        if r["kind"] == "kernel" and r["start_ns"] and r["end_ns"]:
            by[r["name"]].append(int(r["end_ns"]) - int(r["start_ns"]))
    return {n: (str(len(v)), str(sum(v)), str(max(v))) for n, v in by.items()}


def check(path, rows, options):
    words = [w for o in options.items() for w in o]
    what = " ".join([path, *words])
    blind = collections.Counter()
    kept = []
    for r in rows:
        for option in ("-k", "--class", "--agent", "--stream", "--thread", "--rank"):
            if option in options:
                j = judge(r, option, options[option])
                blind[option] += j is None
                if not j:
                    break
        else:
            kept.append(r)
    status, out, err = q.run("tracecat", *words, path)
    if q.rows(out) != kept:
        q.say(f"{what}: tracecat kept {len(q.rows(out))} rows, not {len(kept)}")
    if (status == 0) != bool(kept) and status != 2:
        q.say(f"{what}: status {status}")
    for option, n in blind.items():
        told = re.search(rf"(\d+) events? without .* skipped \({option}\)", err)
        if "--rank" not in options and int(told.group(1) if told else 0) != n:
            q.say(f"{what}: {n} rows do not say {option}; told: {err}")
    if not any(r["kind"] == "kernel" for r in rows):
        return  # top takes them from counters then
    status, out, err = q.run("kstats", "top", "-q", "-f", "csv", "--name", "full", *words, path)
    mine = tops(kept)
    got = {r["name"]: (r["calls"], r["total_ns"], r["max_ns"]) for r in q.rows(out)}
    if got != mine:
        q.say(f"{what}: top has {got}, not {mine}")
    if "-k" in options or "--class" in options:
        for command in ("gaps", "timeline", "gemm", "summary", "sync", "steps", "findings"):
            if q.run("kstats", command, *words, path)[0] != 2:
                q.say(f"{what}: {command} is not refused")
                break
        q.compared["refused"] += 1
    q.compared["filters"] += 1
    q.compared["rows kept"] += len(kept)


def lacks(text):
    """Is there no verdict, as rows were skipped?"""
    return any(r.get("metric") == "rows.skipped" and r["value"] != "0" for r in q.rows(text))


def told(text, verdicts):
    """An answer without what events do not tell: clock, host, how many files there were and what they lost."""
    out = q.rows(text)
    for r in out:
        for column in ("clock", "clock_error_ns", "host") + (() if verdicts else ("verdict",)):
            r.pop(column, None)
    return [r for r in out if r.get("metric") not in ("inputs", "rows.skipped", "producer", "gpu", "hosts")
            and not r.get("metric", "").startswith("finding.")]  # the replay looks at more than tracecat writes


def again(path, rows):
    """What tracecat wrote, read again, answers as the trace does."""
    if len({r["rank"] for r in rows}) != 1:
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = folder + "/events.csv"
        if "not events" in q.run("tracecat", "-o", copy, path)[2] or not os.path.exists(copy):
            return  # statistics: tracecat has none of them
        if q.run("tracecat", "-q", copy)[1] != q.run("tracecat", "-q", path)[1]:
            q.say(f"{path}: tracecat of what tracecat wrote differs")
        for command in AGAIN:
            if command == "ops" and "kineto" in path:
                continue  # External ids are not printed
            command = ["kstats", *command.split(), "-q", "-f", "csv"]
            a, b = q.run(*command, path), q.run(*command, copy)
            verdicts = not lacks(a[1])
            if a[0] != b[0] or told(a[1], verdicts) != told(b[1], verdicts):
                q.say(f"{path}: {' '.join(command)} differs for what tracecat wrote")
            q.compared["read again"] += 1


def main():
    root = sys.argv[1]
    rnd = random.Random(15)
    paths = sorted(glob.glob(root + "/rocprofv3/7.[01]/*/") + glob.glob(root + "/rocprofv3/6.3/*/") +
                   glob.glob(root + "/rocprofv[12]/*/*/") +
                   [p for d in ("kineto", "rocpd", "rpd", "pytorch")
                    for p in glob.glob(f"{root}/{d}/**/*.*", recursive=True) if os.path.isfile(p)])
    for path in effort.most(paths):
        if "hostile" in path:
            continue
        status, out, err = q.run("tracecat", path)
        rows = q.rows(out)
        if status or "not events" in err or not rows or len(rows) > 20000:
            continue
        again(path, rows)
        for _ in range(effort.rounds(8)):
            options = choose(rnd, rows)
            if options:
                check(path, rows, options)
    print(", ".join(f"{n} {what}" for what, n in q.compared.items()))
    return bool(q.failed)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
