#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The n-th call of some kind fails: nth_call.c has the kinds and how.

    each.py [--preload LIBRARY | --tools DIR] [--effort P] [--match TEXT] [--kinds A,B] COMMANDS

COMMANDS is a file of command lines; a last word |FILE stands for a pipe with what is in FILE.  Each is run once for every n, with the n-th call failing, and with
it and all after it; P percent tries a sample of that, always the same one.  The law:

  * it ends by itself, and no sanitizer complains;
  * status 0: the bytes on stdout, and in the file of -o, are those of a run without the fault;
  * status 2: stderr says why, and the file of -o is what it was or a whole answer: where a write or a
    rename failed, what it was;
  * nothing else is left behind.

Of tracecheck status 2 is an answer, too: a rule that cannot be judged.
"""
import argparse
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import zlib

KINDS = ["alloc", "open", "read", "write", "close", "stat", "dir", "seek", "sync", "rename", "link", "cut", "thread"]
MOST = 20  # of a sample's allocations, for each command, were it whole; a fifth of it of the other kinds
OLD = b"what was there before\n"
# An answer that differs from the right one, and says so.
TOLD = (b"TMPDIR has no room to look ahead",)
# Where these run out of memory they end the program themselves, and say so.
THEIRS = (b"Fatal Internal Error in libarchive", b"out of memory")

# libarchive 3.6.2 crashes where liblzma has no memory to begin with: so many allocations.
CRASHES = {"packed_kernel_trace.csv.xz": 3}


class Sweep:
    def __init__(self, args):
        self.args = args
        self.env = dict(os.environ)
        if args.tools:
            self.env["PATH"] = f"{args.tools}:{self.env['PATH']}"
            self.env["ASAN_OPTIONS"] = "exitcode=134:allocator_may_return_null=1:handle_sigill=1"
            self.env["UBSAN_OPTIONS"] = "exitcode=134:halt_on_error=1:print_stacktrace=1"
            self.env["LSAN_OPTIONS"] = "exitcode=134"
        self.runs = 0
        self.broken = {}
        self.crashes = {}

    def run(self, words, **fault):
        """(status, stdout, stderr, bytes of the file of -o or None)"""
        for d in ("out", "tmp"):
            shutil.rmtree(d, ignore_errors=True)
            os.mkdir(d)
        if "out/file" in words:
            with open("out/file", "wb") as f:
                f.write(OLD)
        env = {**self.env, **fault, "TMPDIR": os.path.abspath("tmp")}
        if self.args.preload:
            env["LD_PRELOAD"] = self.args.preload
        with open("stdout", "w+b") as out, open("stderr", "w+b") as err:
            first = None
            if words[-1][0] == "|":
                first = subprocess.Popen(["cat", words[-1][1:]], stdout=subprocess.PIPE)
                words = words[:-1]
            p = subprocess.Popen(words, stdin=first.stdout if first else subprocess.DEVNULL, stdout=out, stderr=err, env=env)
            if first:
                first.stdout.close()
            try:
                status = p.wait(timeout=60)
            except subprocess.TimeoutExpired:
                p.kill()
                status = p.wait()
            if first:
                first.wait()
            out.seek(0)
            err.seek(0)
            said = out.read(), err.read()
        self.runs += 1
        written = None
        if os.path.exists("out/file"):
            with open("out/file", "rb") as f:
                written = f.read()
        return status, *said, written

    def left(self, words):
        names = set(os.listdir("tmp")) | set(os.listdir("out"))
        return sorted(names - ({"file"} if "out/file" in words else set()))

    def wrong(self, words, kind, right, got):
        """What is wrong with a run, or nothing."""
        status, out, err, written = got
        if status == -signal.SIGKILL:
            return "hangs"
        if status in (1, 127, 134) and any(text in err for text in THEIRS) and kind == "alloc" and b"Sanitizer" not in err:
            return None
        if status == -signal.SIGSEGV and kind == "alloc" and self.crashes.get(words[-1], 0):
            self.crashes[words[-1]] -= 1
            return None
        if status not in (0, 1, 2) or b"Sanitizer" in err or b"runtime error" in err:
            return f"status {status}"
        if self.left(words):
            return f"leaves {' '.join(self.left(words))}"
        if status == right[0] and status != 2:
            if out != right[1] and not any(text in err for text in TOLD):
                return "same status, another answer"
            if written != right[3]:
                return "same status, another file"
            return None
        if status != 2:
            return f"status {status}"
        if not err.startswith(words[0].encode() + b": "):
            return "status 2 without a reason"
        if written == right[3] or written == OLD:
            return None
        if kind in ("write", "rename", "link", "sync", "cut"):
            return "the file is neither the old one nor the new one"
        return None if self.whole(written) else "half a file"

    @staticmethod
    def whole(written):
        if not (written or b"").startswith(b"SQLite format 3\0"):
            return (written or b"").endswith(b"\n")
        try:
            db = sqlite3.connect("out/file")
            ok = db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            db.close()
        except sqlite3.Error:
            ok = False
        return ok

    def numbers(self, line, kind, count):
        """Which calls fail, and how: all of them, or a sample that is not the same for each command."""
        if self.args.effort >= 100:
            return [(n, how) for n in range(1, count + 1) for how in ("", " and all after")]
        place = os.environ.get("ROOT", "")
        mark = zlib.crc32(f"{line.replace(place, '') if place else line} {kind}".encode())
        want = self.args.effort / 100 * (MOST if kind == "alloc" else MOST / 5)
        most = min(count, int(want + mark % 997 / 997))
        step = count / max(1, most)
        first = mark % 1009 / 1009 * step
        return [(1 + int(first + i * step), "" if (mark + i) % 3 else " and all after") for i in range(most)]

    def command(self, line):
        words = line.split()
        self.crashes = dict(CRASHES)
        if len(words) > 2 and words[0] != "libperf" and not words[-1].startswith("--"):
            at = 1 + (words[0] == "kstats" or words[1] == "info")
            words[at:at] = ["-j", "1"] + ["--classes", "rules.tsv"] * (
                words[0] != "tracemerge" and words[1] != "info" and "problem" not in words and
                words[-1] not in ("sums.db", "comm.db", "ops.db") and
                (words[0] != "powerstats" or "--trace" in words))
        right = self.run(words, FAULT_CALLS=os.path.abspath("counts"))
        if right[0] not in (0, 1, 2) or (right[0] == 2 and words[0] != "tracecheck"):
            self.report(line, "without a fault", f"status {right[0]}", 0, right[2])
            return
        with open("counts") as f:
            counts = {k: int(n) for k, n in (row.split() for row in f)}
        for kind in self.args.kinds.split(",") if self.args.kinds else KINDS:
            for n, how in self.numbers(line, kind, counts[kind]):
                got = self.run(words, FAULT_CALL=f"{kind}:{n}", **({"FAULT_CALL_ALL": "1"} if how else {}))
                what = self.wrong(words, kind, right, got)
                if what:
                    self.report(line, kind + how, what, n, got[2])

    def report(self, line, kind, what, n, err):
        self.broken.setdefault((line, kind, what), []).append((n, err))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preload")
    parser.add_argument("--tools")
    parser.add_argument("--effort", type=int, default=100)
    parser.add_argument("--match", default="")
    parser.add_argument("--kinds")
    parser.add_argument("commands")
    args = parser.parse_args()
    sweep = Sweep(args)
    with open(args.commands) as f:
        lines = [line.strip() for line in f if args.match in line]
    for line in lines:
        sweep.command(line)
    for (line, kind, what), found in sweep.broken.items():
        print(f"{kind} {','.join(str(n) for n, _ in found[:8])}{'...' if len(found) > 8 else ''}: {what}: {line}")
        print("    " + found[0][1].decode(errors="replace").strip()[:400].replace("\n", "\n    "))
    print(f"{len(lines)} commands, {sweep.runs} runs, {sum(map(len, sweep.broken.values()))} against the law")
    sys.exit(bool(sweep.broken))


main()
