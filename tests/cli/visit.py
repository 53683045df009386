# SPDX-License-Identifier: MIT
"""visit.py REQUEST [SAID]: ask whoever serves on 127.0.0.1:9001, or on the port in the file SAID, wait until somebody does,
and print what it answers: the status, whether ui.perfetto.dev may read it, and how many bytes, which go to the file got."""

import re
import socket
import sys
import time


def port():
    if len(sys.argv) < 3:
        return 9001
    return int(re.search(r"127\.0\.0\.1:(\d+)/", open(sys.argv[2]).read()).group(1))


for _ in range(200):
    try:
        s = socket.create_connection(("127.0.0.1", port()))
        break
    except (OSError, AttributeError):
        time.sleep(0.05)
s.sendall(sys.argv[1].encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n")
got = b""
while True:
    part = s.recv(65536)
    if not part:
        break
    got += part
head, _, body = got.partition(b"\r\n\r\n")
print(head.split(b"\r\n")[0].decode(), b"Allow-Origin: https://ui.perfetto.dev\r\n" in head, len(body))
open("got", "wb").write(body)
