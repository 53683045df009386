# SPDX-License-Identifier: MIT
"""Do all programs give the same answer?  same_answer.py REFERENCE OTHER...

Compares name, calls, total, min and max of every kernel, and the order of the rows.  Columns are
found by title; others are ignored.  With --sums compares column,sum tables: all columns that both
have, and a column of the reference that the other lacks is only allowed if it is Kind or Guid."""
import csv
import sys

KEYS = ("name", "calls", "total_ns", "min_ns", "max_ns")


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [tuple(row[key] for key in KEYS) for row in csv.DictReader(file)]


def sums(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {row["column"].lower(): row["sum"] for row in csv.DictReader(file)}


def differ_rows(want, got):
    if len(want) != len(got):
        return f"{len(got)} kernels instead of {len(want)}"
    for number, (a, b) in enumerate(zip(want, got), 1):
        if a != b:
            return f"kernel {number}: {b} instead of {a}"
    return None


def differ_sums(want, got):
    for column, value in want.items():
        if column in ("kind", "guid"):
            continue
        if got.get(column) != value:
            return f"column {column}: {got.get(column)} instead of {value}"
    return None


def main():
    args = sys.argv[1:]
    load, differ = (sums, differ_sums) if args[0] == "--sums" else (rows, differ_rows)
    if args[0] == "--sums":
        args = args[1:]
    csv.field_size_limit(1 << 30)
    want = load(args[0])
    bad = not want
    if bad:
        print(f"same_answer: {args[0]}: empty", file=sys.stderr)
    for path in args[1:]:
        reason = differ(want, load(path))
        if reason:
            bad = True
            print(f"same_answer: {path}: {reason}", file=sys.stderr)
    return 1 if bad else 0


sys.exit(main())
