# SPDX-License-Identifier: MIT
"""What the hostile_*.py have in common: run a tool on an input made to break it, and judge how it ended."""
import os
import re
import resource
import subprocess
import time

LIMIT = float(os.environ.get("HOSTILE_SECONDS", "10"))
BAD = re.compile(rb"Sanitizer|runtime error|Assertion|core dumped")
ENV = dict(os.environ, TRACEMILL_PROGRESS="0",
           ASAN_OPTIONS="exitcode=99:detect_leaks=1:allocator_may_return_null=1",
           UBSAN_OPTIONS="exitcode=99:print_stacktrace=1")


class Judge:
    """Counts runs; prints those that ended badly, and those that took long."""

    def __init__(self, tools):
        self.tools, self.runs, self.bad, self.slowest = tools, 0, 0, (0.0, "")

    def run(self, what, args, slow=2.0, quiet_ok=False):
        """Run a tool: status 0, 1 or 2, in time, no sanitizer, and never nothing without a word."""
        name = f"{what}: {' '.join(args[:-1])}"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        self.runs += 1
        try:
            p = subprocess.run([os.path.join(self.tools, args[0]), *args[1:]], env=ENV, check=False,
                               capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return self.fail(name, f"more than {LIMIT} s", args)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.slowest = max(self.slowest, (took, name))
        if took > slow:
            print(f"slow {name}: {took:.1f} s of CPU, {time.monotonic() - began:.1f} s", flush=True)
        if p.returncode not in (0, 1, 2) or BAD.search(p.stderr):
            self.fail(name, f"status {p.returncode}: {p.stderr[-1500:].decode(errors='replace')}", args)
        elif p.returncode == 2 and not p.stderr.strip():
            self.fail(name, "status 2 without a message", args)
        elif p.returncode == 0 and not quiet_ok and not p.stderr.strip() and not p.stdout.strip():
            self.fail(name, "nothing read, and nothing said", args)
        return p

    def fail(self, name, why, args):
        self.bad += 1
        print(f"not ok {name}: {why}\n    {' '.join(args)}", flush=True)

    def end(self):
        print(f"{'not ok' if self.bad else 'ok'}: {self.runs} runs, {self.bad} bad; "
              f"the slowest took {self.slowest[0]:.1f} s: {self.slowest[1]}")
        return self.bad != 0
