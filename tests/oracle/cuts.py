#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A text input cut anywhere gives what its whole lines give, and says so, or is refused.

    cuts.py [--files N --cuts N --seed N] DIR...   (default: all files, every place in the last line)

Each text file below the directories is cut at places inside its last line and elsewhere.  The answer must be that
of the lines before the cut, byte for byte, with a message that names the file; or no answer and status 2.  A row
of which the cut took nothing but the newline may count where that can be told: then the answer is that of the row
with its newline.  Which tools read a file is found by asking them about all of it."""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

TOOLS = [
    ["tracecat", "-j", "1"],
    ["kstats", "top", "-j", "1", "-f", "csv", "--domain", "all"],
    ["libperf", "trace", "-f", "csv", "--columns", "library,config,calls"],
    ["libperf", "bench", "-f", "csv"],
    ["powerstats", "-f", "csv"],
]
LARGE = 200_000  # bytes; of larger files only the end is read
BOUND = b'"\r|}])'  # what can close a last field


def run(cmd, path, data):
    with open(path, "wb") as f:
        f.write(data)
    p = subprocess.run(cmd + [os.path.basename(path)], cwd=os.path.dirname(path), stdin=subprocess.DEVNULL,
                       capture_output=True)
    if p.returncode not in (0, 1, 2):
        sys.exit(f"{cmd}: {path} of {len(data)} bytes: status {p.returncode}")
    return p.returncode, p.stdout, p.stderr


def rows(out):
    """The answer without a heading over nothing."""
    return out if out.count(b"\n") > 1 else b""


def text_files(dirs):
    for top in dirs:
        for d, sub, files in sorted(os.walk(top)):
            sub.sort()
            for name in sorted(files):
                path = os.path.join(d, name)
                if os.path.getsize(path) > 20 * LARGE:
                    continue
                with open(path, "rb") as f:
                    data = f.read()
                # A cut JSON is always told, and is a test of its own.
                if data and b"\0" not in data and data.count(b"\n") > 1 and data.lstrip()[:1] not in b"{[":
                    yield path, data


def shorten(data):
    """A large file's head and the lines of its end."""
    if len(data) <= LARGE:
        return data
    head = data.rfind(b"\n", 0, LARGE // 2) + 1
    return data[:head] + data[data.find(b"\n", len(data) - LARGE // 2) + 1:]


def places(data, rnd, few, every):
    end = len(data) - (data[-1:] == b"\n")
    last = data.rfind(b"\n", 0, end) + 1
    inside = list(range(last + 1, end + 1))
    if every and len(inside) > every:
        inside = rnd.sample(inside, every - 1) + [end]
    elsewhere = [rnd.randrange(1, len(data)) for _ in range(few)]
    return sorted(set(inside + elsewhere))


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--files", type=int)
    args.add_argument("--cuts", type=int)
    args.add_argument("--seed", type=int, default=20)
    args.add_argument("dirs", nargs="+")
    args = args.parse_args()
    every = args.cuts
    rnd = random.Random(args.seed)
    work = tempfile.mkdtemp()
    cuts = bad = files = quiet = 0
    try:
        paths = text_files(args.dirs)
        if args.files:
            paths = list(paths)
            paths = rnd.sample(paths, min(args.files, len(paths)))
        for path, data in paths:
            data = shorten(data)
            name = os.path.join(work, os.path.basename(path))
            users = []
            for tool in TOOLS:
                # Of a sample the first tool that reads it.
                if not (users and args.files) and rows(run(tool, name, data)[1]):
                    users.append(tool)
            files += bool(users)
            for tool in users:
                known = {}
                for at in places(data, rnd, 2, every):
                    cut = data[:at]
                    cuts += 1
                    code, out, err = run(tool, name, cut)
                    if cut.endswith(b"\n"):
                        continue
                    if code == 2 and not rows(out) and err:
                        continue
                    before = data.rfind(b"\n", 0, at) + 1
                    if before not in known:
                        known[before] = rows(run(tool, name, data[:before])[1]) if before else b""
                    told = os.path.basename(path).encode() + b":" in err or cut.endswith(b"\r")
                    same = rows(out) == known[before]
                    if not same and (cut[-1:] in BOUND or data[at:at + 1] in b"\r\n"):
                        same = rows(out) == rows(run(tool, name, cut + b"\n")[1])
                    if same and told:
                        continue
                    quiet += not told
                    bad += 1
                    if bad <= 40:
                        print(f"{' '.join(tool[:2])} {path} cut at {at} of {len(data)}, behind {cut[-30:]!r}: "
                              f"{'' if same else 'other rows '}{'' if told else 'nothing is said '}"
                              f"status {code} {err[-200:]!r}")
            os.unlink(name)
    finally:
        shutil.rmtree(work)
    print(f"{files} files, {cuts} cuts: {bad} wrong, {quiet} of them without a word")
    sys.exit(bad != 0)


main()
