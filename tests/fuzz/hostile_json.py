#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_json.py TOOLS [WORD]: JSON traces that no profiler writes, in every dialect of testdata/.

TOOLS is the folder of the (sanitized) tools; WORD picks cases.  hostile_json.py --large DIALECT MIB writes
a large trace of a dialect to standard output."""
import json
import os
import sys
import tempfile

from hostile import Judge

COMMANDS = (("kstats", "top", "--domain", "all"), ("tracecat",), ("tracecat", "info"), ("kstats", "gaps"),
            ("kstats", "regions"), ("kstats", "memory"), ("kstats", "samples"))
SEEDS = {"chrome": "chrome/plain/phases.json", "kineto": "kineto/7.0/step/worker_77.pt.trace.json",
         "rocprofv1": "rocprofv1/6.2/json/results.json", "rocprofv2": "rocprofv2/6.2/json/4141_output.json",
         "rocprofv3": "rocprofv3/7.0/json/1234_results.json",
         "rocprofv3 samples": "rocprofv3/7.1/samples_json/7272_results.json", "rpd": "rpd/2/json/run.json"}
SCALARS = ("9" * 400, "-1", "1e400", "1e-400", "0." + "1" * 400, "18446744073709551615", "18446744073709551616",
           "9223372036854775807", "9223372036854775808", "-9223372036854775808", "4294967296", "null", "true", "NaN", "-Infinity",
           '""', '"\\ud800"', '"\\udc00\\ud800x"', '"\\u0000"', '"\\u0061"', '"0x' + "f" * 40 + '"', '"1e5"',
           "[]", "{}", "[" * 600 + "]" * 600, '{"a":' * 600 + "1" + "}" * 600)
BYTES = {"utf8": b'"\xff\xfe"', "overlong": b'"\xc0\x80"', "surrogate": b'"\xed\xa0\x80"', "nul": b'"a\0b"',
         "bare nul": b"\0", "long": b'"' + b"x" * 10000000 + b'"', "escapes": b'"' + b"\\u00e9" * 1000000 + b'"'}


def places(data):
    """(begin, end) of every scalar that is a value."""
    found, i, n = [], 0, len(data)
    while i < n:
        ch = data[i:i + 1]
        begin = i
        if ch == b'"':
            i += 1
            while data[i:i + 1] != b'"':
                i += 2 if data[i:i + 1] == b"\\" else 1
            i += 1
            k = i
            while data[k:k + 1].isspace():
                k += 1
            if data[k:k + 1] != b":":
                found.append((begin, i))
        elif ch in b"-0123456789tfn":
            while i < n and data[i:i + 1] not in b",]} \n\r\t":
                i += 1
            found.append((begin, i))
        else:
            i += 1
    return found


def keys(v):
    if isinstance(v, dict):
        for k, x in v.items():
            yield k
            yield from keys(x)
    elif isinstance(v, list):
        for x in v:
            yield from keys(x)


def parse(data):
    """What the profilers write that is no JSON, Python does not take."""
    return json.loads(data.replace(b": nan", b": null").replace(b": -nan", b": null").replace(b": inf", b": null"))


def few(data):
    """(name, bytes), each worth every command."""
    text = data.decode()
    yield "as it is", data
    for ch in ("[", '{"a":', '{"traceEvents":[', '[{"a":'):
        yield f"deep {ch}", (ch * 100000).encode()
    i = data.index(b"{") + 1
    yield "deep inside", data[:i] + b'"deep":' + b"[" * 100000 + b"]" * 100000 + b"," + data[i:]
    yield "deep objects inside", data[:i] + b'"deep":' + b'{"":' * 100000 + b"1" + b"}" * 100000 + b"," + data[i:]
    for name, b in BYTES.items():
        yield f"{name} inside", data[:i] + b'"x":' + b + b"," + data[i:]
        yield f"{name} as key", data[:i] + b + b":1," + data[i:]
    yield "bom", b"\xef\xbb\xbf" + data
    yield "two boms", b"\xef\xbb\xbf" * 2 + data
    yield "utf16", text.encode("utf-16")
    yield "trailing", data + b"garbage"
    yield "trailing nul", data + b"\0" * 100
    yield "twice", data + data
    yield "lines", data + b"\n" + data
    yield "in an array", b"[" + data + b"," + data + b"]"
    yield "blanks", b" " * 200000 + data
    for k in dict.fromkeys(keys(parse(data))):
        whole = json.dumps(k)
        if text.count(whole) == 0 or not k:
            continue
        yield f"escaped key {k}", text.replace(whole + ":", f'"\\u{ord(k[0]):04x}{k[1:]}":').replace(
            whole + " :", f'"\\u{ord(k[0]):04x}{k[1:]}" :').encode()
        yield f"key {k} twice", text.replace(whole + ":", f"{whole}:[1],{whole}:").encode()
        yield f"key {k} gone", text.replace(whole + ":", '"zz":').encode()
    for s in SCALARS:
        v = s.encode()
        out, last = [], 0
        for a, b in places(data):
            if data[a:a + 1] != b'"':
                out += [data[last:a], v]
                last = b
        yield f"every number {s[:20]}", b"".join(out) + data[last:]
        out, last = [], 0
        for a, b in places(data):
            if data[a:a + 1] == b'"' and b"name" in data[max(0, a - 12):a].lower():
                out += [data[last:a], v]
                last = b
        yield f"every name {s[:20]}", b"".join(out) + data[last:]


def many(data):
    """(name, bytes), by the thousand."""
    for n in range(len(data)):
        yield f"cut at {n}", data[:n]
    for k, (a, b) in enumerate(places(data)):
        for s in SCALARS[(k % 3)::3]:
            yield f"value {k} {s[:20]}", data[:a] + s.encode() + data[b:]


def large(dialect, mib):
    """Events of the seed, over and over, with other times."""
    data = open(os.path.join(os.path.dirname(__file__), "..", "..", "testdata", SEEDS[dialect]), "rb").read()
    v = parse(data)
    mark, lists = "@@@", []

    def widen(x):
        """The longest list of objects becomes the one that is repeated."""
        for k, y in (x.items() if isinstance(x, dict) else enumerate(x)):
            if isinstance(y, list) and y and isinstance(y[0], dict):
                lists.append((len(json.dumps(y)), x, k))
            if isinstance(y, (dict, list)):
                widen(y)
    widen({"": v})
    if dialect == "rocprofv3":
        lists = [x for x in lists if x[2] == "kernel_dispatch"] or lists
    _, where, k = max(lists, key=lambda x: x[0])
    rows, where[k] = where[k], mark
    out = sys.stdout.buffer
    whole = mark if where is not v and where.get("") == mark else None
    head, tail = ("", "") if whole else json.dumps(v).split(f'"{mark}"')
    out.write((head + "[").encode())
    block = ",\n".join(json.dumps(x) for x in rows)
    block = (",\n" + block) * (1 + (1 << 20) // len(block))
    out.write(block[2:].encode())
    for _ in range(mib):
        out.write(block.encode())
    out.write(("]" + tail).encode())


def main():
    if sys.argv[1] == "--large":
        return large(sys.argv[2], int(sys.argv[3]))
    judge, word = Judge(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    data = os.path.join(os.path.dirname(__file__), "..", "..", "testdata")
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "hostile.json")
        for dialect, seed in SEEDS.items():
            with open(os.path.join(data, seed), "rb") as f:
                text = f.read()
            for cases, commands in ((few, COMMANDS), (many, COMMANDS[1:2])):
                for name, b in cases(text):
                    if word not in f"{dialect} {name}":
                        continue
                    with open(path, "wb") as f:
                        f.write(b)
                    for command in commands:
                        judge.run(f"{dialect} {name}", [*command, path])
    return judge.end()


if __name__ == "__main__":
    sys.exit(main())
