#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines and branches that were run, from what llvm-cov exports.

    coverage.py LCOV           a table: a row for each room of libanalyze, and each file below the aim
    coverage.py --lines LCOV   the lines that nobody ran, as FILE:LINE: TEXT, and branches never taken

A line of a header counts once, wherever it is included; a branch is one way out of one condition.
"""
import collections
import os
import sys

LINES, BRANCHES = 95, 85  # the aim, in percent


def read(path):
    """{file: ({line: runs}, {(line, block, branch): runs})}"""
    files = {}
    name = None
    with open(path) as f:
        for row in f:
            key, _, rest = row.strip().partition(":")
            if key == "SF":
                at = rest.rfind("libanalyze/")
                name = rest[at:] if at >= 0 else None
                if name:
                    files.setdefault(name, (collections.Counter(), collections.Counter()))
            elif name and key == "DA":
                line, runs = rest.split(",")[:2]
                files[name][0][int(line)] += int(runs)
            elif name and key == "BRDA":
                line, block, branch, runs = rest.split(",")
                files[name][1][int(line), block, branch] += 0 if runs == "-" else int(runs)
    return files


def share(counts):
    ran = sum(n > 0 for n in counts.values())
    return ran, len(counts), 100 * ran / len(counts) if counts else 100


def row(name, lines, branches):
    a, b = share(lines), share(branches)
    return f"| `{name}` | {a[0]} of {a[1]} | {a[2]:.1f} | {b[0]} of {b[1]} | {b[2]:.1f} |"


def merged(files, names, which):
    return {(name, key): runs for name in names for key, runs in files[name][which].items()}


def table(files):
    rooms = collections.defaultdict(list)
    for name in files:
        rooms[name.split("/")[1]].append(name)
    print("| room | lines run | % | branches taken | % |\n|---|---|---|---|---|")
    for room in sorted(rooms):
        print(row(room, merged(files, rooms[room], 0), merged(files, rooms[room], 1)))
    print(row("all", merged(files, files, 0), merged(files, files, 1)))
    below = [name for name in sorted(files) if share(files[name][0])[2] < LINES or share(files[name][1])[2] < BRANCHES]
    print(f"\nBelow {LINES} % of lines or {BRANCHES} % of branches: {len(below)} of {len(files)} files\n")
    for name in sorted(below, key=lambda name: share(files[name][1])[2]):
        print(row(name[len("libanalyze/"):], *files[name]))


def lines(files):
    for name in sorted(files):
        text = []
        if os.path.exists(name):
            with open(name, errors="replace") as f:
                text = f.read().split("\n")
        ways = collections.Counter(line for (line, *_), runs in files[name][1].items() if not runs)
        for line in sorted(set(ways) | {line for line, runs in files[name][0].items() if not runs}):
            what = "never" if not files[name][0].get(line, 1) else f"{ways[line]} way{'s' * (ways[line] > 1)} never"
            print(f"{name}:{line}: {what}: {text[line - 1].strip() if line <= len(text) else ''}")


def main():
    files = read(sys.argv[-1])
    (lines if sys.argv[1] == "--lines" else table)(files)


main()
