# A browser connects before it knows what it will ask for: who asks is not made to wait for those who do not, whom the tool
# gives up after 5 s.  The port of Perfetto is taken, by this test if by nobody else: the page is served on another.
command -v python3 >/dev/null || exit 77
# There is one port on a machine, and this is a file that all checkouts on it share.
exec 9</bin/sh
flock 9
unset DISPLAY WAYLAND_DISPLAY
cat >idle.py <<'END'
import re, socket, subprocess, time

taken = socket.socket()
taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
try:
    taken.bind(("127.0.0.1", 9001))
    taken.listen(1)
except OSError:
    pass
tool = subprocess.Popen(["tracereport", "--open", "in.csv"], stderr=subprocess.PIPE, text=True)
said = ""
while "127.0.0.1:" not in said:
    said = tool.stderr.readline()
port = int(re.search(r"127\.0\.0\.1:(\d+)/", said).group(1))
print("another port:", port != 9001)
idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
begin = time.monotonic()
asks = socket.create_connection(("127.0.0.1", port))
asks.sendall(b"GET /report.html HTTP/1.1\r\n\r\n")
print(asks.recv(15))
while asks.recv(1 << 16):
    pass
print("at once:", time.monotonic() - begin < 4, "status:", tool.wait())
END
printf '%s\n' kind,rank,agent,name,start_ns,end_ns kernel,0,4,k,1000,2000 >in.csv
python3 idle.py
