#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seeds for libFuzzer from real files: small ones that still hold each sort of row.

    seeds.py OUT FILE|DIR ...

Files are unpacked; of a table or a log the first lines and some from the middle are kept, of JSON the
first elements of every list, of a database the first rows of every table, of anything else its
beginning.  A seed is named after its bytes, so those that are the same are one.
"""
import bz2
import gzip
import hashlib
import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

MOST = 24 * 1024  # bytes of a seed
LARGE = 64 << 20  # no more than that is unpacked


def unpacked(path):
    """Its bytes, without the packing; None where that cannot be had."""
    openers = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
    end = os.path.splitext(path)[1]
    try:
        if end == ".zst":
            if not shutil.which("zstd"):
                return None
            with subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
                data = p.stdout.read(LARGE)
                p.stdout.close()
            return data
        with openers.get(end, open)(path, "rb") as f:
            return f.read(LARGE)
    except (OSError, EOFError, lzma.LZMAError):
        return None


def shorter(value, keep):
    if isinstance(value, list):
        return [shorter(v, keep) for v in value[:keep] + (value[-1:] if len(value) > keep else [])]
    if isinstance(value, dict):
        return {k: shorter(v, keep) for k, v in list(value.items())[:400]}
    return value


def of_json(data):
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return []
    out = []
    for keep in (40, 12, 4, 1):
        text = json.dumps(shorter(value, keep)).encode()
        if len(text) <= MOST:
            out.append(text)
        if len(out) == 2:
            break
    return out


def of_database(data):
    """All tables, with few rows."""
    out = []
    with tempfile.TemporaryDirectory() as d:
        for keep in (4, 1):
            path = f"{d}/{keep}.db"
            with open(path, "wb") as f:
                f.write(data)
            try:
                db = sqlite3.connect(path)
                tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite%'")]
                for name in tables:
                    quoted = '"' + name.replace('"', '""') + '"'
                    db.execute(f"DELETE FROM {quoted} WHERE rowid NOT IN (SELECT rowid FROM {quoted} LIMIT {keep})")
                db.execute("PRAGMA journal_mode=DELETE")
                db.execute("PRAGMA page_size=512")
                db.commit()
                db.execute("VACUUM")
                db.close()
            except sqlite3.Error:
                continue
            with open(path, "rb") as f:
                out.append(f.read())
    return [text for text in out if len(text) <= 8 * MOST]


def of_lines(data):
    lines = data.splitlines(keepends=True)
    out = []
    for first, more in ((40, 20), (6, 4)):
        middle = len(lines) // 2
        part = lines[:first] + (lines[max(first, middle):max(first, middle) + more] if len(lines) > first else [])
        out.append(b"".join(part)[:MOST])
    return out


def seeds_of(data):
    if not data:
        return []
    if len(data) <= MOST // 3:
        return [data]
    if data.startswith(b"SQLite format 3\0"):
        return of_database(data)
    if data.lstrip()[:1] in (b"{", b"["):
        return of_json(data) + [data[:MOST // 4]]
    if b"\0" in data[:4096]:
        return [data[:4096], data[:MOST]]
    return of_lines(data)


def files(args):
    for arg in args:
        if not os.path.isdir(arg):
            yield arg
        for folder, _, names in os.walk(arg):
            yield from (os.path.join(folder, name) for name in names)


def main():
    out, args = sys.argv[1], sys.argv[2:]
    os.makedirs(out, exist_ok=True)
    seeds = set()
    for path in files(args):
        for data in seeds_of(unpacked(path)):
            name = hashlib.sha1(data).hexdigest()
            seeds.add(name)
            with open(f"{out}/{name}", "wb") as f:
                f.write(data)
    print(f"{len(seeds)} seeds in {out}")


main()
