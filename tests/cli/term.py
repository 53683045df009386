# SPDX-License-Identifier: MIT
# A command on a terminal: term.py COLUMNS TERM COMMAND...  What it shows goes to standard output, ESC
# spelt out; the status is that of the command.
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
