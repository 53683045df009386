#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples.py ROOT TESTDATA: what README.md and the manual pages show is what comes out.

A block of README.md that begins with "$ " is commands and what they print, to the byte; an sh block
is run: it must end with status 0 and print something (but for a gate).  Blocks about building, or
about files of the reader's own, are skipped.  A literal display of a manual page that begins with
"$ " is the same: commands and what they print, 80 columns wide, or, where all lines begin with "$ ",
commands that are run."""
import os
import re
import subprocess
import sys
import tempfile

OWN = re.compile(r'^\s*make |FILE|DIRECTORY', re.M)
failed = []
ran = [0, 0]


def shell(command):
    p = subprocess.run(["bash", "-c", "set -eu -o pipefail\n" + command], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    return p.returncode, p.stdout.decode("utf-8", "replace")


def bad(status, got):
    """Status 0 is wanted, and 1 of what says in its last line that a rule fails."""
    return status != 0 and not (status == 1 and "\nverdict: fail " in got)


def show(where, command, text):
    failed.append(where)
    print("%s: %s\n%s" % (where, command.strip(), text[:2000]))


def shown(where, block):
    """Commands, each with what it prints; a backslash at the end of a line continues one."""
    for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
        command, want = re.match(r'((?:.*\\\n)*.*)\n?((?:.|\n)*)', part).groups()
        ran[0] += 1
        status, got = shell(command)
        lines = [x.rstrip() for x in got.splitlines()]
        if bad(status, got) or lines != [x.rstrip() for x in want.splitlines()]:
            show(where, command, "status %d, prints\n%sinstead of\n%s" % (status, got, want))


def works(where, command):
    ran[1] += 1
    status, got = shell(command)
    if bad(status, got) or not (got or "exit bad" in command):
        show(where, command, "status %d, prints\n%s" % (status, got))


def readme(path):
    with open(path, encoding="utf-8") as f:
        for language, block in re.findall(r'^```(\w*)\n(.*?)^```$', f.read(), re.M | re.S):
            if block.startswith("$ "):
                shown("README.md", block)
            elif language == "sh" and not OWN.search(block):
                works("README.md", block)


def manual(path):
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as f:
        sections = re.findall(r'^\.Sh ([^\n]*)\n(.*?)(?=^\.Sh |\Z)', f.read(), re.M | re.S)
    for title, section in sections:
        for block in re.findall(r'^\.Bd -literal[^\n]*\n(.*?)^\.Ed$', section, re.M | re.S):
            lines = block.replace("\\&", "").replace("\\e", "\\").replace("\\-", "-").splitlines()
            if all(x.startswith("$ ") for x in lines):
                works(name, "\n".join(x[2:] for x in lines))
            elif lines[0].startswith("$ "):
                shown(name, "\n".join(lines))
            elif title.startswith("EXAMPLE") and name.endswith(".1"):
                show(name, block, "an example begins with \"$ command\"")


root, testdata = (os.path.abspath(p) for p in sys.argv[1:3])
with tempfile.TemporaryDirectory() as tmp:
    os.chdir(tmp)
    os.symlink(testdata, "testdata")
    os.symlink(root + "/schemas", "schemas")
    os.environ.pop("COLUMNS", None)
    readme(root + "/README.md")
    os.environ["COLUMNS"] = "80"
    for page in sorted(os.listdir(root + "/docs/man")):
        manual(root + "/docs/man/" + page)
    os.chdir("/")
print("%d commands compared, %d examples run, %d wrong" % (*ran, len(failed)))
sys.exit(1 if failed or not all(ran) else 0)
