#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shared_csv.py FOLDER: kstats top and csv_oracle.py agree on every file below it."""
import os
import random
import re
import sys
import tempfile

import effort
import csv_oracle as o

ASKED = ["kernel", "copy", "hip", "hsa", "marker", "rccl", "rocdecode", "rocjpeg", "alloc", "scratch"]


def candidates(top):
    for folder, dirs, files in os.walk(top):
        dirs.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if re.search(r'\.csv(?:\.(?:gz|zst|xz|bz2))?\Z', name):
                yield path
            elif re.search(r'\.(?:txt|log)\Z', name) and os.path.getsize(path) < 8 << 20:
                with open(path, encoding="latin-1") as f:
                    if any(o.RECORD.match(line) for line in f):
                        yield path


def check(path, shown, counts, left_out):
    """Differences of one file."""
    t = o.read_file(path)
    if t.why:
        left_out.setdefault(t.why, []).append(shown)
        a = o.Answer(["-f", "csv", "--domain", "all", path])
        bad = []
        if a.status != 2:
            bad.append("%s: nothing in it (%s), but status %d" % (shown, t.why, a.status))
        if a.rows:
            bad.append("%s: nothing in it (%s), but %d rows" % (shown, t.why, len(a.rows)))
        if not a.err:
            bad.append("%s: nothing in it (%s), and nothing is said" % (shown, t.why))
        return bad
    counts["files"] += 1
    bad = []
    for d, groups in sorted(o.domains(t).items()):
        if d not in ASKED:
            if d in ("domains", "other"):
                a = o.Answer(["-f", "csv", "--domain", "all", path])
                bad += o.compare(a, groups, "%s (%s)" % (shown, d))
                counts["rows"] += len(groups)
            else:
                bad.append("%s: domain %s cannot be asked for" % (shown, d))
            continue
        a = o.Answer(["-q", "-f", "csv", "--domain", d, path])
        cut = t.cut and a.status == 2
        if cut:
            a.status = 0
        bad += o.compare(a, groups, "%s (%s)" % (shown, d))
        counts["rows"] += len(groups)
        counts["calls"] += sum(g.n for g in groups.values())
        loud = o.Answer(["-f", "csv", "--domain", d, path])
        bad += losses(t, loud.err, shown)
        if re.search(r'\.csv\Z', path) and not (t.cut or t.malformed):
            bad += rewritten(path, d, loud.out, shown)
    return bad


def rewritten(path, domain, want, shown):
    """Other line ends and another order of the rows give the same bytes."""
    data = o.load(path)
    head, _, body = data.partition("\n")
    lines = [x for x in body.split("\n") if x.strip()]
    if not o.plain_lines(body, head.count(",") + 1):
        return []
    random.Random(1).shuffle(lines)
    bad = []
    forms = {"CRLF": data.replace("\r\n", "\n").replace("\n", "\r\n"), "rows shuffled": "\n".join([head, *lines, ""])}
    with tempfile.TemporaryDirectory() as tmp:
        copy = os.path.join(tmp, os.path.basename(path))
        for what, text in forms.items():
            with open(copy, "w", encoding="latin-1", newline="") as f:
                f.write(text)
            if o.Answer(["-q", "-f", "csv", "--domain", domain, copy]).out != want:
                bad.append("%s: %s: another answer" % (shown, what))
    return bad


def losses(t, err, shown):
    """What was left out must be said, with its number, and nothing else."""
    bad = []
    for count, pattern, word in ((t.malformed, r'(\d+) rows? skipped that', "that do not fit"),
                                 (t.reversed, r'(\d+) rows? skipped whose end', "whose end is first"),
                                 (t.rounded, r'(\d+) rows? (?:has a|have) fractional',
                                  "with fractions"),
                                 (t.untimed, r'(\d+) rows without start', "without times")):
        m = re.search(pattern, err)
        said = int(m.group(1)) if m else 0
        if said != count:
            bad.append("%s: says %d rows %s, should be %d" % (shown, said, word, count))
    if bool(t.cut) != ("ends inside this row" in err):
        bad.append("%s: cut %s" % (shown, "and does not say so" if t.cut else "is said, but it is not"))
    return bad


def main():
    top = sys.argv[1]
    counts = {"files": 0, "rows": 0, "calls": 0}
    left_out, bad, seen = {}, [], 0
    for path in effort.most(candidates(top)):
        seen += 1
        bad += check(path, os.path.relpath(path, top), counts, left_out)
    for line in bad:
        print("DIFFERS " + line)
    for why, files in sorted(left_out.items()):
        print("no events, %d files: %s" % (len(files), why))
        if len(files) <= 8:
            for f in files:
                print("    " + f)
    print("%d files: %d compared (%d rows, %d calls), %d without events; %d differences" %
          (seen, counts["files"], counts["rows"], counts["calls"],
           sum(len(f) for f in left_out.values()), len(bad)))
    if not counts["files"]:
        print("nothing was compared")
    sys.exit(1 if bad or not counts["files"] else 0)


main()
