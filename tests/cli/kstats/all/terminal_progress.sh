# More than a second of work on a terminal shows progress, which is gone in the end: the last
# thing on its line is the erasing. It ends before the last of 18 columns, with the last part that fits:
# a line that wraps cannot be drawn over. --no-progress shows none. The input comes slowly through a
# pipe.
ln -s "$TESTDATA" data
cat >slow.py <<'END'
import subprocess, sys, time
p = subprocess.Popen(["kstats", "top", "-f", "csv", "-o", "out"] + sys.argv[1:], stdin=subprocess.PIPE)
head, rows = open("data/rocprofv3/7.0/run/app_kernel_trace.csv", "rb").read().split(b"\n", 1)
p.stdin.write(head + b"\n")
for i in range(30):
    p.stdin.write(rows * 200)
    p.stdin.flush()
    time.sleep(0.05)
p.stdin.close()
sys.exit(p.wait())
END
set -e
python3 "$ROOT/tests/cli/term.py" 18 xterm python3 slow.py >shown
python3 -c '
import re, sys
s = open("shown", newline="").read()
print("progress" if re.search(r"kstats: \d+ MBESC", s) else "none", "erased" if s.endswith("\rESC[K") else repr(s[-20:]))
print(max(len(line) for line in re.findall(r"\r([^\r]*)ESC\[K", s)))
'
python3 "$ROOT/tests/cli/term.py" 80 xterm python3 slow.py --no-progress >shown
wc -c <shown
