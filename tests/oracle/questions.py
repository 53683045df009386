# SPDX-License-Identifier: MIT
"""What the oracles of single questions share: events as tracecat prints them, unions, and the laws that
the arrangement of the input must not matter."""
import collections
import csv
import io
import os
import random
import subprocess
import sys

import effort

csv.field_size_limit(1 << 30)
LIMIT = 8 << 20
compared = collections.Counter()
failed = []


def copy_agents(row):
    """Whose work a copy or fill is: of both ends between two GPUs; "" = nobody says."""
    way, src, dst = row["direction"], row["src"], row["dst"]
    if row["agent"]:
        return [row["agent"]]
    if way == "host_to_host":
        return []  # no GPU's
    if way == "device_to_host":
        return [src]
    if way == "host_to_device":
        return [dst]
    if way == "device_to_device":
        return [dst or src] + [src] * (dst != "" and src not in ("", dst))
    ends = {end for end in (src, dst) if end and not end.startswith("CPU ")}
    return [*ends] if len(ends) == 1 else [""]


def say(text):
    failed.append(text)
    print("not ok", text)


def run(*command):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return p.returncode, p.stdout.decode("utf-8", "surrogateescape"), p.stderr.decode("utf-8", "replace")


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def events(kinds, *inputs):
    return rows(run("tracecat", "-q", "--kind", kinds, *inputs)[1])


def union(intervals):
    """Disjoint and ascending."""
    out = []
    for lo, hi in sorted(i for i in intervals if i[0] < i[1]):
        if out and lo <= out[-1][1]:
            out[-1][1] = max(out[-1][1], hi)
        else:
            out.append([lo, hi])
    return out


def length(intervals):
    return sum(hi - lo for lo, hi in union(intervals))


def minus(a, b):
    """|a \\ b|, from |a or b| - |b|."""
    return length(list(a) + list(b)) - length(b)


def ratio(part, whole):
    if not whole:
        return ""
    v = (20000 * part + whole) // (2 * whole)
    return f"{v // 10000}.{v % 10000:04d}"


def agent_key(agent):
    """The order of tables: absent, nodes, GPU n, CPU n."""
    if not agent:
        return (0, 0)
    for at, word in ((2, "GPU "), (3, "CPU ")):
        if agent.startswith(word):
            return (at, int(agent[4:]))
    return (1, int(agent))


def differ(what, got, want):
    want = [{k: str(v) for k, v in row.items()} for row in want]
    if got == want:
        return
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            say(f"{what}: row {i}: " + ", ".join(f"{k} {g.get(k)!r} not {w[k]!r}" for k in w if g.get(k) != w[k]))
            return
    say(f"{what}: {len(got)} rows, not {len(want)}")


def ask(question, *inputs):
    """Rows of a kstats question."""
    status, text, err = run("kstats", *question.split(), "-q", "-f", "csv", *inputs)
    if status not in (0, 2):
        say(f"kstats {question} {' '.join(inputs)}: status {status}: {err}")
    return rows(text)


def below(folders, endings):
    """Files below the folders whose names end so, in order."""
    for folder in folders:
        for at, dirs, names in os.walk(folder):
            dirs.sort()
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.join(at, name)


def traces(folders, words):
    """Traces below the folders whose names hold one of the words, and folders of several of them."""
    for folder in folders:
        for at, dirs, files in os.walk(folder):
            dirs.sort()
            found = []
            for name in sorted(files):
                path = os.path.join(at, name)
                plain = name.removesuffix(".gz").removesuffix(".zst")
                csvs = plain.endswith(".csv") and any(w in plain for w in words)
                if (csvs or plain.endswith((".pftrace", ".proto", ".db", ".rpd"))) and os.path.getsize(path) < LIMIT:
                    found.append(path)
                    yield [path]
            csvs = [p for p in found if ".csv" in p]
            if len(csvs) > 1:
                yield ["0=" + p for p in csvs]


def laws(work, questions, tables, rounds, seed=5):
    """tables(rng) -> {"hip_api_trace": (head, lines)}: the same bytes, however the rows are arranged.  Gives
    every arrangement of files as it is to be compared with the oracle, too."""
    rng = random.Random(seed)
    for number in range(rounds):
        base = os.path.join(work, str(number))
        os.mkdir(base)
        one, parts = [], []
        for word, (head, lines) in tables(rng).items():
            one.append(put(base, f"a_{word}.csv", head, lines))
            mixed = lines[:]
            rng.shuffle(mixed)
            cut = rng.randint(0, len(mixed))
            parts.append(put(base, f"b_{word}.csv", head, mixed[:cut]))
            parts.append(put(base, f"c_{word}.csv", head, mixed[cut:]))
        one = ["0=" + p for p in one]
        rng.shuffle(parts)
        parts = ["0=" + p for p in parts]
        db = os.path.join(base, "run.db")
        run("tracemerge", "-q", "-o", db, *one)
        yield one
        for question in questions:
            status, want, err = run("kstats", *question.split(), "-q", "-f", "csv", "-j", "1", *one)
            if status not in (0, 2):
                say(f"random {number}: {question}: status {status}: {err}")
            for how, inputs in (("-j 4", ["-j", "4", *one]), ("permuted and split", parts), ("run.db", [db])):
                if run("kstats", *question.split(), "-q", "-f", "csv", *inputs)[1] != want:
                    say(f"random {number}: {question} of {how} differs from -j 1")
                compared["laws"] += 1


def put(folder, name, head, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(head + "".join(lines))
    return path


def finish(least):
    print(", ".join(f"{n} {what}" for what, n in sorted(compared.items())) + " compared")
    for what, n in effort.least(least).items():
        if compared[what] < n:
            say(f"too few comparisons: {compared[what]} {what}, not {n}")
    sys.exit(bool(failed))
