# More than a second of work on a terminal shows progress, which is gone in the end: the last
# thing on its line is the erasing. --no-progress shows none. The input comes slowly through a
# pipe.
ln -s "$TESTDATA" data
cat >term.py <<'END'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 25, int(sys.argv[1]), 0, 0))
    os.environ["TERM"] = sys.argv[2]
    os.execvp(sys.argv[3], sys.argv[3:])
out = b""
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    out += part
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(out.decode().replace("\r\n", "\n").replace("\033", "ESC"))
sys.stdout.flush()
sys.exit(status)
END
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
python3 term.py 80 xterm python3 slow.py >shown
python3 -c '
import re, sys
s = open("shown", newline="").read()
print("progress" if "kstats: " in s and "MB/s" in s else "none", "erased" if s.endswith("\rESC[K") else repr(s[-20:]))
'
python3 term.py 80 xterm python3 slow.py --no-progress >shown
wc -c <shown
