# SPDX-License-Identifier: MIT
"""regions.py FOLDER...: see regions.sh"""
import collections
import csv
import fnmatch
import functools
import io
import os
import random
import re
import subprocess
import sys
import tempfile

import effort
import questions as q

csv.field_size_limit(1 << 30)
bad = 0
compared = collections.Counter()


def say(text):
    global bad
    bad += 1
    print("not ok", text)


def run(*command):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return p.returncode, p.stdout.decode("utf-8", "surrogateescape"), p.stderr.decode("utf-8", "replace")


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def union_length(intervals):
    total, end = 0, None
    for lo, hi in sorted(intervals):
        if end is None or lo > end:
            total += hi - lo
            end = hi
        elif hi > end:
            total += hi - end
            end = hi
    return total


def number(text):
    return (1, int(text)) if text else (0, 0)


def thread_of(event):
    return number(event["pid"]), number(event["tid"])


NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]+(?![A-Za-z0-9])")


def escaped(text):
    return text.replace("\\", "\\\\").replace("/", "\\/")


class Range:
    def __init__(self, event):
        self.start, self.end, self.name = int(event["start_ns"]), int(event["end_ns"]), event["name"]
        self.thread, self.path, self.group, self.launched = thread_of(event), None, None, 0
        self.around = []  # those that hold it wholly, outermost first, and itself

    def holds(self, at):
        return self.start <= at < self.end


def find_groups(events):
    """Ranges by thread, outer before inner, each with its path and its group; groups as in a tree."""
    threads = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "marker":
            threads[thread_of(e)].append(Range(e))
    groups = []
    for thread in sorted(threads):
        own, inside = threads[thread], {}
        own.sort(key=lambda r: (r.start, -r.end, r.name.encode("utf-8", "surrogateescape")))
        for i, r in enumerate(own):
            r.around = [outer for outer in own[:i] if outer.end > r.start and outer.end >= r.end] + [r]
            r.path = tuple(NUMBER.sub("*", one.name) for one in r.around)
            for k in range(len(r.path)):
                inside.setdefault(r.path[:k], {})[r.path[:k + 1]] = True
            r.group = (thread, r.path)
        some = {r.path for r in own}  # others are parts of paths alone

        def down(path):
            for child in inside.get(path, ()):
                if child in some:
                    groups.append((thread, child))
                down(child)
        down(())
    return threads, groups


def numbers_of(ranges, group):
    """Of each part of the path, over all ranges that are that part of a path."""
    out = []
    for i in range(len(group[1])):
        columns = [NUMBER.findall(r.around[i].name) for r in ranges if r.path[:i + 1] == group[1][:i + 1]]
        for values in zip(*columns):
            lo, hi = min(values, key=lambda v: (int(v), len(v))), max(values, key=lambda v: (int(v), len(v)))
            out.append(lo if lo == hi else f"{lo}..{hi}")
    return " ".join(out)


def add_all(row, spans, ops):
    row["gpu_total_ns"] = row.get("gpu_total_ns", sum(hi - lo for lo, hi in spans))
    row["gpu_busy_ns"] = union_length(spans)
    row["kernels"] = sum(o["kind"] == "kernel" for o in ops)
    row["first_ns"], row["last_ns"] = min((lo for lo, _ in spans), default=""), max((hi for _, hi in spans), default="")


class Rank:
    """Who launched what."""

    def __init__(self, events, ops):
        self.ops = ops
        self.threads, self.groups = find_groups(events)
        self.every = [r for t in sorted(self.threads) for r in self.threads[t]]
        self.loose = [r for r in self.every if not r.thread[1][0]]
        self.calls = collections.defaultdict(list)
        every_call = [e for e in events if e["kind"] == "api"]
        domain = "hip" if any(e["domain"] == "hip" for e in every_call) else "hsa"
        for e in every_call:
            if e["domain"] == domain and e["corr"] not in ("", "0"):
                self.calls[e["corr"]].append((int(e["start_ns"]), thread_of(e), "raphLaunch" in e["name"]))
        self.host = {thread_of(e) for e in events if e["kind"] == "marker" or e["kind"] == "api" and e["domain"] in ("hip", "hsa")}
        self.pids = {t[0][1] for t in self.host if t[0][0]}

    def where(self, op):
        """The ranges around it, innermost first, and why there are none."""
        at, found = int(op["start_ns"]), sorted(self.calls.get(op["corr"], []), key=lambda c: c[:2])
        if op["pid"] and int(op["pid"]) in self.pids:
            found = [c for c in found if c[1][0] == number(op["pid"])]
        call = ([c for c in found if c[0] <= at] or found[:1])[-1] if found else None
        threads_of = [t for t in self.host if op["tid"] and t[1] == number(op["tid"]) and
                      (not t[0][0] or not op["pid"] or t[0] == number(op["pid"]))]
        at = call[0] if call else at
        if call and call[1][1][0]:
            sets = [self.threads.get(call[1], []), self.loose]
        elif op["tid"] and len(threads_of) < 2:
            sets = [self.threads.get(threads_of[0], []) if threads_of else [], self.loose]
        else:
            sets = [self.every]
        held = []
        for ranges in sets:
            # Of the same ends the first is the outer one.
            now = sorted((r for r in ranges if r.holds(at)), key=lambda r: (r.start, -r.end))
            held += [r for r in reversed(now) if r not in held]
        why = "no launch in the trace" if not call else "graph launched outside any region" if call[2] else "launched outside any region"
        return held, why


KINDS = {"kernel": ("kernel",), "all": ("kernel", "copy")}


def expect_rank(rank, events, domain="kernel"):
    """Rows, what is in no region apart, and kernels by region."""
    ops = [e for e in events if e["kind"] in KINDS[domain]]
    r = Rank(events, ops)
    work, own, lost = collections.defaultdict(list), collections.Counter(), collections.defaultdict(list)
    pairs = collections.Counter()
    for op in ops:
        held, why = r.where(op)
        length = int(op["end_ns"]) - int(op["start_ns"])
        name = (op["name"], op["class"])
        if held:
            own[held[0].group] += length
            pairs["/".join(map(escaped, held[0].path)), *name, ""] += length
        else:
            lost[why].append(op)
            pairs["(unattributed)", *name, why] += length
        seen = set()
        for range_of in held:  # once for a group, and for each range that was open
            range_of.launched += length
            if range_of.group not in seen:
                seen.add(range_of.group)
                work[range_of.group].append(op)
    out, groups_of = [], collections.defaultdict(list)
    for one in r.every:
        groups_of[one.group].append(one)
    for group in r.groups:
        (_, tid), path = group
        mine = groups_of[group]
        spans = [(int(o["start_ns"]), int(o["end_ns"])) for o in work[group]]
        row = {"rank": rank, "tid": tid[1] if tid[0] else "", "region": "/".join(map(escaped, path)), "depth": len(path) - 1,
               "count": len(mine), "host_ns": sum(m.end - m.start for m in mine), "self_gpu_ns": own[group],
               "numbers": numbers_of(r.threads[group[0]], group), "reason": ""}
        add_all(row, spans, work[group])
        for column, values in ("", [m.end - m.start for m in mine]), ("gpu_", [m.launched for m in mine]):
            for percent in 50, 99:
                row["%sp%d_ns" % (column, percent)] = sorted(values)[-(-len(values) * percent // 100) - 1]
        if not ops:
            row |= {"gpu_total_ns": "", "gpu_busy_ns": "", "self_gpu_ns": "", "kernels": "", "gpu_p50_ns": "", "gpu_p99_ns": ""}
        out.append({key: str(v) for key, v in row.items()})
    rest = []
    for why in ("no launch in the trace", "launched outside any region", "graph launched outside any region"):
        if why in lost:
            spans = [(int(o["start_ns"]), int(o["end_ns"])) for o in lost[why]]
            row = {key: "" for key in REGION_COLUMNS} | {"rank": rank, "region": "(unattributed)", "reason": why}
            add_all(row, spans, lost[why])
            rest.append({key: str(v) for key, v in (row | {"self_gpu_ns": row["gpu_total_ns"]}).items()})
    return out, rest, pairs, bool(ops)


REGION_COLUMNS = ("tid", "depth", "count", "host_ns", "p50_ns", "p99_ns", "gpu_p50_ns", "gpu_p99_ns", "numbers")


def expect_regions(events, domain):
    """The table, and kernels by region."""
    want, rest, pairs, with_work, ops = [], [], collections.Counter(), [], False
    for rank in sorted({int(e["rank"]) for e in events}):
        rows_of, lost, own, ops = expect_rank(rank, [e for e in events if int(e["rank"]) == rank], domain)
        want += rows_of
        rest += lost
        pairs += own
        with_work += [rank] if ops else []
    if not want:
        return [], collections.Counter()
    if not rest and with_work:
        none = {key: "" for key in REGION_COLUMNS} | {"rank": with_work[0] if len(with_work) == 1 else "", "region": "(unattributed)", "reason": ""}
        add_all(none, [], [])
        rest = [{key: str(v) for key, v in (none | {"self_gpu_ns": 0}).items()}]
    return want + rest, pairs


# ---- steps ----

WAITS = collections.defaultdict(list)
with open(os.path.join(os.path.dirname(__file__), "../../schemas/sync_calls.def"), encoding="utf-8") as f:
    for api, pattern in re.findall(r'^WAIT\((\w+), \w+, "([^"]+)"\)', f.read(), re.M):
        WAITS[api.lower()].append(pattern)


KIND = {"comm": "C", "memory": "V", "sync": "S"}  # by class; K is every other


def agents_of(event):
    return [event["agent"]] if event["kind"] == "kernel" else q.copy_agents(event)


def span_of(event):
    return int(event["start_ns"]), int(event["end_ns"])


def clipped(events, lo, hi):
    return [(max(a, lo), min(b, hi)) for a, b in map(span_of, events) if max(a, lo) < min(b, hi)]


def use_of(events, lo, hi):
    """How [lo, hi) was used, all agents together."""
    by = collections.defaultdict(list)
    for e in events:
        if e["kind"] in ("kernel", "copy"):
            by["M" if e["kind"] == "copy" else KIND.get(e["class"], "K")].append(e)
    # Each is what it adds to the union of those before it.
    so_far, part, before = [], {}, 0
    for kind in "KCVMS":
        new = clipped(by[kind], lo, hi)
        so_far += new
        now = union_length(so_far) if new else before
        part[kind], before = now - before, now
    return {"window_ns": hi - lo, "busy_ns": before, "compute_ns": part["K"], "exposed_comm_ns": part["C"],
            "exposed_copy_ns": part["M"], "idle_ns": hi - lo - before, "wait_ns": part["S"], "move_ns": part["V"]}


@functools.lru_cache(maxsize=None)
def is_wait(api, name):
    return any(fnmatch.fnmatchcase(name, p) for p in WAITS[api])


def waits_of(events):
    """None without API calls."""
    calls = [e for e in events if e["kind"] == "api" and e["domain"] in ("hip", "hsa")]
    if not calls:
        return None
    api = "hip" if any(e["domain"] == "hip" for e in calls) else "hsa"
    return [e for e in calls if e["domain"] == api and is_wait(api, e["name"])]


def waited(waits, lo, hi):
    return "" if waits is None else union_length(clipped(waits, lo, hi))


def numbers_in(text):
    """The text with * for each number, and these."""
    pattern, numbers, digits = "", [], ""
    for ch in text + "\0":
        if ch in "0123456789":
            digits += ch
            continue
        if digits:
            pattern += "*"
            numbers.append(int(digits))
            digits = ""
        pattern += ch
    return pattern[:-1], numbers[:4]


def names_a_step(pattern):
    """All of it is the word, or a number follows the word, which is not the end of a longer one."""
    if re.fullmatch("step|iter|iteration", pattern, re.I):
        return True
    follow = r"[ _#:=\-./\[(]*\*"
    return bool(re.search("(?<![A-Za-z])(?i:step|iter|iteration)" + follow, pattern) or
                re.search("(?<=[a-z])(?:S(?i:tep)|I(?i:ter)|I(?i:teration))" + follow, pattern))


def marker_series(events):
    """(pattern, rank, thread) -> ranges in order, of those that can be steps."""
    series = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "marker" and e["start_ns"] != e["end_ns"]:
            series[numbers_in(e["name"])[0], int(e["rank"]), thread_of(e)].append(e)
    fit = {}
    for key, own in series.items():
        own.sort(key=span_of)
        spans = [span_of(e) for e in own]
        total, first, last = sum(b - a for a, b in spans), spans[0][0], max(b for _, b in spans)
        if any(b[0] < a[1] for a, b in zip(spans, spans[1:])):
            continue
        if names_a_step(key[0]) or (len(own) > 1 and total > (last - first) // 2):
            fit[key] = (total, own)
    return fit


def shortest_period(names):
    """(p, from, to), looking at every one."""
    n = len(names)
    for p in range(1, n // 2 + 1):
        best = None
        start = 0
        for i in range(n - p + 1):
            if i < n - p and names[i] == names[i + p]:
                continue
            size = i + p - start
            if size >= 2 * p and size > n // 2 and (not best or size > best[2] - best[1]):
                best = (p, start, i + p)
            start = i + 1
        if best:
            return best
    return None


def sequence_steps(events):
    agents = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "kernel":
            agents[e["agent"]].append(e)
    if not agents:
        return []
    lead = sorted(agents.values(), key=lambda own: (-len(own), agent_key(own[0]["agent"])))[0]
    lead.sort(key=lambda e: (int(e["start_ns"]), "KCVS".index(KIND.get(e["class"], "K")), int(e["end_ns"]), e["name"].encode()))
    found = shortest_period([e["name"] for e in lead])
    if not found:
        return []
    p, lo, hi = found
    starts = [int(e["start_ns"]) for e in lead]
    done = []
    for e in lead:
        done.append(max(int(e["end_ns"]), done[-1] if done else 0))
    first = lo
    if lo:
        def idle(i):
            return sum(max(0, starts[k] - done[k - 1]) for k in range(i, i + (hi - lo) // p * p, p) if k < hi)
        places = [i for i in range(lo, lo + p) if i + 2 * p <= hi]
        first = max(places, key=lambda i: (idle(i), -i))
    return [(i // p + 1, starts[first + i], starts[first + i + p] if first + i + p < hi else done[first + i + p - 1])
            for i in range(0, hi - first - p + 1, p)]


def agent_key(agent):
    return (0, 0) if not agent else (2, int(agent[4:])) if agent.startswith("GPU ") else (1, int(agent))


def expect_steps(events):
    ranks = sorted({int(e["rank"]) for e in events})
    fit = marker_series(events)
    out = []
    if fit:
        def worth(pattern):
            total = sum(t for (p, _, _), (t, _) in fit.items() if p == pattern)
            step = "step" in pattern.lower() or "iter" in pattern.lower()
            return (pattern != "ProfilerStep#*", not step, -total, pattern)
        pattern = min({p for p, _, _ in fit}, key=worth)
    for rank in ranks:
        own = [e for e in events if int(e["rank"]) == rank]
        if fit:
            here = sorted(((-t, th, s) for (p, r, th), (t, s) in fit.items() if p == pattern and r == rank),
                          key=lambda i: i[:2])
            series = here[0][2] if here else []
            numbers = [numbers_in(e["name"])[1] for e in series]
            going = [k for k in range(len(numbers[0]) if numbers else 0)
                     if all(a[k] < b[k] for a, b in zip(numbers, numbers[1:]))]
            steps = [(numbers[i][going[0]] if going else i + 1, *span_of(e)) for i, e in enumerate(series)]
        else:
            steps = sequence_steps(own)
        waits = waits_of(own)
        starts = [int(e["start_ns"]) for e in own if e["kind"] == "kernel"]
        works = any(e["kind"] in ("kernel", "copy") for e in own)
        for number_of, lo, hi in steps:
            row = {"rank": rank, "step": number_of, "start_ns": lo} | use_of(own, lo, hi)
            row["kernels"] = sum(lo <= at < hi for at in starts)
            if not works:
                row |= {key: "" for key in row if key.endswith("_ns") and key not in ("start_ns", "window_ns")}
                row["kernels"] = ""
            row["sync_ns"] = waited(waits, lo, hi)
            out.append({key: str(v) for key, v in row.items()})
    return out


# ---- ranks ----

MEASURES = ("window_ns", "busy_ns", "compute_ns", "exposed_comm_ns", "idle_ns", "sync_ns", "wait_ns", "move_ns")


def expect_ranks(events):
    out = []
    events = [e for e in events if e["kind"] in ("kernel", "copy") or e["domain"] in ("hip", "hsa")]
    for rank in sorted({int(e["rank"]) for e in events}):
        own = [e for e in events if int(e["rank"]) == rank]
        ops = [e for e in own if e["kind"] in ("kernel", "copy")]
        row = {key: "" for key in MEASURES}
        if ops:
            window = min(span_of(e)[0] for e in ops), max(span_of(e)[1] for e in ops)
            use = use_of(ops, *window)
            row |= {key: use[key] for key in MEASURES if key in use}
        row["sync_ns"] = waited(waits_of(own), *(window if ops else (0, 1 << 64)))
        row["agents"] = len({a for e in ops for a in agents_of(e)} - {""}) or ""
        out.append({"rank": str(rank)} | {key: str(v) for key, v in row.items()})
    return out


def expect_imbalance(ranks):
    out = []
    for metric in MEASURES:
        have = [(int(r[metric]), int(r["rank"])) for r in ranks if r[metric]]
        row = {"metric": metric, "min": "", "median": "", "mean": "", "max": "", "max_over_mean": "", "argmax_rank": "", "over_mean_ns": ""}
        if have:
            values = sorted(v for v, _ in have)
            n, total, most = len(values), sum(values), values[-1]
            who = [r for v, r in have if v == most]
            row |= {"min": values[0], "median": values[(n - 1) // 2], "mean": fixed(total, n), "max": most,
                    "max_over_mean": fixed(most * n, total), "argmax_rank": who[0] if len(who) == 1 else "",
                    "over_mean_ns": (most * n - total) // n}
        out.append({key: str(v) for key, v in row.items()})
    return out


def fixed(part, whole):
    if not whole:
        return ""
    v = (20000 * part + whole) // (2 * whole)
    if v >= 1 << 64:
        v = (2 * part + whole) // (2 * whole)
        return v if v < 1 << 64 else ""
    return f"{v // 10000}.{v % 10000:04d}"


def expect_collectives(events):
    members = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "kernel" and e["class"] == "comm":
            members[int(e["rank"]), agent_key(e["agent"])].append(e)
    lists = []
    for key in sorted(members):
        lists.append((key[0], sorted(members[key], key=lambda e: (*span_of(e), e["name"].encode()))))
    matched = []
    for n in range(max((len(own) for _, own in lists), default=0)):
        matched.append([(rank, own[n]) for rank, own in lists if len(own) > n])
    many = [m for m in matched if len(m) > 1]
    overlap = sum(max(span_of(e)[0] for _, e in m) < min(span_of(e)[1] for _, e in m) for m in many)
    clocks = bool(many) and overlap * 10 >= len(many) * 9
    out = []
    for n, m in enumerate(matched):
        starts = [span_of(e)[0] for _, e in m]
        lengths = [b - a for a, b in (span_of(e) for _, e in m)]
        row = {"comm": "", "index": n + 1, "name": m[0][1]["name"], "ranks": len(m), "bytes": "", "arrival_skew_ns": "",
               "min_dur_ns": min(lengths), "max_wait_ns": max(lengths) - min(lengths) if len(m) > 1 else "",
               "last_rank": "", "busbw_gb_per_s": ""}
        if clocks and len(m) > 1 and max(starts) <= min(span_of(e)[1] for _, e in m):
            row["arrival_skew_ns"] = max(starts) - min(starts)
            row["last_rank"] = min(rank for rank, e in m if span_of(e)[0] == max(starts))
        out.append({key: str(v) for key, v in row.items()})
    return out


def differ(what, got, want):
    if got == want:
        return
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            say(f"{what}: row {i}: " + ", ".join(f"{k} {g.get(k)} not {w.get(k)}" for k in w if g.get(k) != w[k]))
            return
    say(f"{what}: {len(got)} rows, not {len(want)}")


def answer(*command):
    return rows(run("kstats", command[0], "-q", "-f", "csv", *command[1:])[1])


def check_inside(what, events, inputs):
    """-w marker:NAME and --region PATH keep the kernels that were launched inside."""
    placed, ranges = [], []
    for rank in sorted({int(e["rank"]) for e in events}):
        own = [e for e in events if int(e["rank"]) == rank]
        r = Rank(own, own)
        ranges += [one for one in r.every if one.end > one.start]
        placed += [(op["name"], r.where(op)[0]) for op in own if op["kind"] == "kernel"]
    for one in ranges[::max(1, len(ranges) // 3)][:3]:
        path = "/" + "/".join(map(escaped, one.path))
        for option, inside in (("-w", lambda r: r.name == one.name), ("--region", lambda r: r.path == one.path)):
            if option == "-w" and re.search(r"/[0-9]+$", one.name):
                continue
            want = collections.Counter(name for name, held in placed if any(map(inside, held)))
            got = {r["name"]: int(r["calls"]) for r in answer("top", option, "marker:" + one.name if option == "-w" else path, *inputs)}
            if got != want:
                say(f"kstats top {option} of {path} {what}: {got} not {dict(want)}")
            compared["inside"] += 1


def check(what, *inputs):
    _, text, _ = run("tracecat", "-q", "--kind", "kernel,copy,api,marker", *inputs)
    timed = [e for e in rows(text) if e["start_ns"] and e["end_ns"]]
    events = [e for e in timed if e["direction"] != "host_to_host"]  # which is no GPU's
    for domain in ("kernel", "all"):
        want, pairs = expect_regions(timed, domain)
        got = answer("regions", "--domain", domain, *inputs)
        differ(f"kstats regions --domain {domain} {what}", got, want)
        if not want:
            continue
        kernels = answer("regions", "--kernels", "--domain", domain, *inputs)
        found = collections.Counter()
        for row in kernels:
            found[row["region"], row["name"], row["class"], row["reason"]] += int(row["total_ns"])
        if found != pairs:
            say(f"kstats regions --kernels --domain {domain} {what}: {list((pairs - found).items())[:3]} not {list((found - pairs).items())[:3]}")
        totals = [sum(int(r["self_gpu_ns"] or 0) for r in got), sum(found.values())]
        top = sum(int(r["total_ns"]) for d in KINDS[domain] for r in answer("top", "--domain", d, *inputs) if r["calls"])
        if totals != [top, top]:
            say(f"{what}: regions, its kernels and top: {totals} {top}")
        compared["sums"] += 1
    check_inside(what, timed, inputs)
    steps = expect_steps(events)
    differ(f"kstats regions --steps {what}", answer("regions", "--steps", *inputs), steps)
    for row in steps:
        parts = [row[key] for key in ("compute_ns", "wait_ns", "move_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns")]
        if parts[0] and sum(map(int, parts)) != int(row["window_ns"]):
            say(f"{what}: parts of step {row['step']} do not add up")
    ranks = expect_ranks(events)
    got = [{key: row[key] for key in ranks[0]} for row in answer("ranks", *inputs)] if ranks else []
    differ(f"kstats ranks {what}", got, ranks)
    if ranks:
        differ(f"kstats ranks --imbalance {what}", answer("ranks", "--imbalance", *inputs), expect_imbalance(ranks))
    collectives = expect_collectives(events)
    differ(f"kstats ranks --collectives {what}", answer("ranks", "--collectives", *inputs), collectives)
    compared["steps"] += bool(steps)
    compared["ranks"] += bool(ranks)
    compared["collectives"] += bool(collectives)
    for row in want:
        if row["gpu_total_ns"] and int(row["gpu_busy_ns"]) > int(row["gpu_total_ns"]):
            say(f"{what}: busy is more than the sum in region {row['region']}")
    compared["regions"] += bool(want)


def traces(folder):
    """Folders with marker tables, and Perfetto traces."""
    for at, dirs, files in os.walk(folder):
        dirs.sort()
        if any("marker_api_trace" in f or f.startswith("roctx_trace") for f in files) and len(files) < 30:
            yield at
        for name in sorted(files):
            path = os.path.join(at, name)
            if "marker_api_trace" in name and len(files) >= 30:
                yield path
            if name.removesuffix(".zst").endswith((".pftrace", ".proto")) and os.path.getsize(path) < 8 << 20:
                yield path


API = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
KERNELS = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
           '"Correlation_Id","Start_Timestamp","End_Timestamp"\n')
COPIES = ('"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
          '"Start_Timestamp","End_Timestamp"\n')


COMM = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"


def random_run(rng):
    """Lines of (markers, calls, kernels, copies): ranges that nest, overlap and coincide, marks, lost calls; or
    no markers, and kernels that repeat now and then."""
    repeats = rng.random() < .4
    markers, calls, kernels, copies = [], [], [], []
    base, span = 10**12, 10**rng.randint(2, 5)
    names = ["step", "load", "a, b", "forward", "step 2"]
    cycle = [rng.choice(["k0", "k1", "k2", COMM, "ncclDevKernel_AllReduce", "__amd_rocclr_streamOpsWait",
                         "__amd_rocclr_copyBuffer.kd"]) for _ in range(rng.randint(1, 9))]
    slip = rng.choice([0, .01, .3])
    # How often ranges and calls do not know their threads.
    loose, lost = rng.choice([0, 0, .2, 1]), rng.choice([0, 0, 0, .2, 1])

    mute = rng.choice([0, .5, 1, 1])  # and operations

    def thread(unknown, of):
        return "" if rng.random() < unknown else rng.choice(of)

    for i in range(0 if repeats else rng.randint(1, 40)):
        start = base + rng.randrange(span)
        end = start + (0 if rng.random() < .1 else rng.randrange(max(1, span // rng.choice([1, 3, 10]))))
        markers.append(f'"MARKER_CORE_RANGE_API","{rng.choice(names)}",7,{thread(loose, [1, 1, 2, 3])},{9000 + i},{start},{end}\n')
        if rng.random() < .1:
            markers.append(markers[-1].replace(",7,1,", ",7,2,"))
    for i in range(1, rng.randint(1, 150)):
        at = base + (i * span // 150 if repeats else rng.randrange(span))
        name = rng.choice(cycle) if not repeats or rng.random() < slip else cycle[i % len(cycle)]
        if rng.random() < .85:
            domain = "HSA_CORE_API" if rng.random() < .1 else "HIP_RUNTIME_API"
            call = rng.choice(["hipLaunchKernel", "hipLaunchKernel", "hipFree", "hipStreamSynchronize"])
            calls.append(f'"{domain}","{call}",7,{thread(lost, [1, 2, 3, 4])},{i},{at},{at + rng.randrange(1, span // 9 + 9)}\n')
        start = at if repeats else at + rng.randrange(span // 5 + 1)
        end = start + rng.randrange(span // 20 + 2)
        if repeats or rng.random() < .7:
            agent = 4 if repeats else rng.choice([4, 5])
            kernels.append(f'"KERNEL_DISPATCH","Agent {agent}",1,0,{thread(mute, [1, 2, 3, 9])},{i},1,"{name}",{i},{start},{end}\n')
        else:
            way, src, dst = rng.choice([("HOST_TO_DEVICE", 0, 4), ("DEVICE_TO_DEVICE", 4, 5), ("HOST_TO_HOST", 0, 0)])
            copies.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",0,"Agent {src}","Agent {dst}",{i},{start},{end}\n')
    return markers, calls, kernels, copies


def write(base, stem, tables, cut=None, rank=0):
    """The tables as files; with `cut` each as two.  Operands for what was written."""
    out = []
    heads = (("marker_api", API), ("hip_api", API), ("kernel", KERNELS), ("memory_copy", COPIES))
    for (word, head), lines in zip(heads, tables):
        for part, own in enumerate([lines] if cut is None else [lines[:len(lines) // cut], lines[len(lines) // cut:]]):
            if own:
                path = os.path.join(base, f"{stem}{rank}{part}_{word}_trace.csv")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(head + "".join(own))
                out.append(f"{rank}={path}")
    return out


def same(what, command, want, *inputs):
    got = run("kstats", *command, "-q", "-f", "csv", *inputs)
    compared["laws"] += 1
    if got[:2] != want[:2]:
        say(f"{what} differs")


def laws(work, rounds):
    """The same bytes, however the same rows are arranged."""
    rng = random.Random(11)
    for n in range(rounds):
        base = os.path.join(work, str(n))
        os.mkdir(base)
        one, parts = [], []
        for rank in range(rng.choice([1, 2, 3])):
            tables = random_run(rng)
            one += write(base, "a", tables, rank=rank)
            mixed = [rng.sample(lines, len(lines)) for lines in tables]
            parts += write(base, "b", mixed, cut=rng.choice([2, 3]), rank=rank)
        check(f"random {n}", *one)
        rng.shuffle(parts)
        db = os.path.join(base, "run.db")
        run("tracemerge", "-q", "-o", db, *one)
        for command in (["regions"], ["regions", "--domain", "all", "-w", "20%..70%"], ["regions", "--list"], ["regions", "--kernels", "--name", "short"], ["regions", "--steps", "--skip", "1"],
                        ["ranks"], ["ranks", "--imbalance", "-w", "10%.."], ["top", "-w", "marker:load/1"], ["ops", "-w", "marker:step"], ["top", "--region", "load"],
                        ["timeline", "-w", "window:load/1"],
                        ["timeline", "-w", "step:2..3"], ["regions", "-w", "marker:step"]):
            want = run("kstats", *command, "-q", "-f", "csv", "-j", "1", *one)
            for how, inputs in (("-j 4", ["-j", "4", *one]), ("permuted and split", parts), ("run.db", [db])):
                same(f"random {n}: {' '.join(command)}: {how} ({base})", command, want, *inputs)


# What each of two processes of a rank has alone: rows that are of one of them, and what those of ops, which are
# of both, add up to.
ALONE = {"launch": "name", "regions --domain all": "region", "regions --list": "region",
         "gaps --columns agent,gaps,idle_ns,sync_ns,host_ns,launch_ns,device_ns,unknown_ns": "agent",
         "ops --paths --columns path,kernels,self_ns": "path", "top --region load --columns name,calls,total_ns": "name"}


def as_process(tables, pid):
    """The same of another process: agents, kernels and most markers are its own, ids and threads are not."""
    markers, calls, kernels, copies = tables
    return ([re.sub('_API","(?!load")', f'_API","p{pid} ', line).replace('",7,', f'",{pid},') for line in markers],
            [line.replace('",7,', f'",{pid},') for line in calls],
            [re.sub('"Agent (.)"(.*),1,"', rf'"Agent {pid}\1"\2,1,"p{pid}_', line) for line in kernels],
            [re.sub('"Agent ([45])"', rf'"Agent {pid}\1"', line) for line in copies])


def rows_alone(command, *inputs):
    """Rows and how often; None where there is no answer."""
    status, text, _ = run("kstats", *command.split(), "-q", "-f", "csv", *inputs)
    key, out = ALONE[command], collections.Counter()
    for row in rows(text):
        if row[key] == "(unattributed)":
            continue
        if key != "path":
            out[tuple(row.items())] += 1
        for column in ("kernels", "self_ns") if key == "path" else ():
            out[row[key], column] += int(row[column])
    return None if status else out


def processes(work, rounds):
    """Two processes in one rank have what each has alone, though their correlation ids are the same and their kernels
    name no process."""
    rng = random.Random(12)
    for n in range(rounds):
        two = [as_process(random_run(rng), pid) for pid in (7, 8)]
        if not all(any("HIP_RUNTIME" in line for line in calls) for _, calls, _, _ in two):
            continue
        where = os.path.join(work, f"two{n}")
        folders = [os.path.join(where, name, "rank0") for name in ("a", "b", "both")]
        for folder in folders:
            os.makedirs(folder)
        stem = rng.choice([["7_", "8_"], ["x_", "y_"]])
        files = []
        for i, tables in enumerate(two):
            write(folders[i], stem[i], tables)
            files += [path.split("=", 1)[1] for path in write(folders[2], stem[i], tables)]
        rng.shuffle(files)
        db = os.path.join(where, "run.db")
        run("tracemerge", "-q", "-o", db, folders[2])
        for command in ALONE:
            alone = [rows_alone(command, folder) for folder in folders[:2]]
            if None in alone:
                continue
            want = alone[0] + alone[1]
            for how, inputs in (("", folders[2:]), ("in another order", ["-j", "4", *files]), ("run.db", [db])):
                got = rows_alone(command, *inputs)
                if got is None:  # they are apart
                    continue
                compared["processes"] += 1
                if got != want:
                    say(f"two processes: kstats {command} {how} ({where}): {list((got - want).items())[:2]} not {list((want - got).items())[:2]}")


for folder in sys.argv[1:]:
    for trace in effort.sample(traces(folder)):
        check(trace, trace)
with tempfile.TemporaryDirectory() as tmp:
    laws(tmp, effort.rounds(16))
    processes(tmp, effort.rounds(60))
print(", ".join(f"{n} {what}" for what, n in sorted(compared.items())) + " compared")
if any(compared[k] < n for k, n in effort.least({"regions": 12, "sums": 20, "inside": 20, "steps": 10, "collectives": 10, "laws": 300, "processes": 200}).items()):
    say("too few comparisons: the data is not there, or nothing was read")
sys.exit(bad != 0)
