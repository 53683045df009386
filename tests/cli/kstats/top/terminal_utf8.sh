# In a UTF-8 locale units and bars are as they should be; where the line is narrow (56) the bars
# go and names are shortened, with one character for what is left out.
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
export LC_ALL=C.UTF-8
python3 term.py 80 dumb kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
python3 term.py 56 dumb kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
