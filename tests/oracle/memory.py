# SPDX-License-Identifier: MIT
"""memory.py FOLDER...: kstats memory against a replay of the allocations that tracecat prints."""
import collections
import os
import sys
import tempfile

import effort
import questions as q


def operations(events):
    """(rank, start) -> records of that instant, in order."""
    out = collections.defaultdict(list)
    for e in events:
        name = e["name"].upper().removeprefix("MEMORY_ALLOCATION_")
        if "FREE" in name or "ALLOC" in name:
            out[int(e["rank"]), int(e["start_ns"])].append(("FREE" in name, e))
    return sorted(out.items())


class Row:
    def __init__(self):
        self.allocs = self.frees = self.allocated = self.live = self.unmatched = 0
        self.peak, self.peak_at, self.at_peak = None, None, set()
        self.blocks = set()


def replay(events):
    """Rows by (rank, agent), and what ended each block."""
    rows, there, ended = collections.defaultdict(Row), {}, {}
    ids = {}

    def release(place, at):
        block = there.pop(place)
        row = rows[block[0], block[1]]
        row.live -= block[2]
        row.blocks.discard(block)
        ended[block] = at
        return row

    for (rank, start), mine in operations(events):
        def place(e):
            return (rank, e["pid"], e["address"])
        def key(e):
            return (e["address"] != "", int(e["address"] or 0), e["bytes"] != "", int(e["bytes"] or 0), q.agent_key(e["agent"]))

        # At one address allocations and frees take turns, beginning with a free where there is a block.
        turns, taken = [], collections.Counter()
        for free, e in sorted(mine, key=lambda i: key(i[1])):
            turn = 0 if free else 1
            if e["address"]:
                turn = 1 if not free else 0 if place(e) in there else 2
                turn += 2 * taken[free, place(e)]
                taken[free, place(e)] += 1
            turns.append((turn, key(e), free, e))
        for _, _, free, e in sorted(turns, key=lambda i: i[:2]):
            if not free:
                if e["address"] and place(e) in there:
                    release(place(e), start)
                ids[rank] = ids.get(rank, 0) + 1
                block = (rank, e["agent"], int(e["bytes"] or 0), e["bytes"], e["address"], start, ids[rank])
                row = rows[rank, e["agent"]]
                if e["address"]:
                    there[place(e)] = block
                row.blocks.add(block)
                row.allocs += 1
                row.allocated += block[2]
                row.live += block[2]
                if row.peak is None or row.live > row.peak:
                    row.peak, row.peak_at, row.at_peak = row.live, start, set(row.blocks)
            elif e["address"] and place(e) in there:
                release(place(e), start).frees += 1
            else:
                row = rows[rank, e["agent"]]
                row.frees += 1
                row.unmatched += 1
    return rows, ended


def stated(counters):
    """Of each agent the highest of the totals that torch's allocator states, and when it first was."""
    out = {}
    for e in counters:
        if e["counter"] in ("Total Allocated", "Total Reserved") and e["start_ns"] and e["value"]:
            key = (int(e["rank"]), e["agent"], e["counter"])
            out[key] = min(out.get(key, (1, 0)), (-int(e["value"]), int(e["start_ns"])))
    return out


def expect(rows, ended, totals):
    table, blocks = [], []
    for (rank, agent), r in sorted(rows.items(), key=lambda i: (i[0][0], q.agent_key(i[0][1]))):
        known = r.peak is not None
        table.append({"rank": rank, "agent": agent, "allocs": r.allocs, "frees": r.frees, "allocated_bytes": r.allocated,
                      "peak_bytes": r.peak if known else "", "peak_at_ns": r.peak_at if known else "",
                      "live_at_end_bytes": r.live if known else "", "unmatched_frees": r.unmatched})
        given, reserved = (totals.get((rank, agent, "Total " + w)) for w in ("Allocated", "Reserved"))
        table[-1].update({"stated_peak_bytes": -given[0] if given else "", "stated_peak_at_ns": given[1] if given else "",
                          "reserved_peak_bytes": -reserved[0] if reserved else ""})
        for b in sorted(r.at_peak, key=lambda b: (-b[2], b[5], int(b[4] or 0))):
            blocks.append({"rank": rank, "agent": agent, "bytes": b[3], "address": hex(int(b[4])) if b[4] else "",
                           "start_ns": b[5], "end_ns": ended.get(b, "")})
    return table, blocks


def check(inputs):
    events = [e for e in q.events("alloc", *inputs) if e["start_ns"] and e["domain"] == "alloc"]
    if not events:
        return
    table, blocks = expect(*replay(events), stated(q.events("counter", *inputs)))
    got = q.ask("memory", *inputs)
    q.differ(f"kstats memory {' '.join(inputs)}", got, table)
    q.differ(f"kstats memory --list {' '.join(inputs)}", q.ask("memory --list", *inputs), blocks)
    held = collections.Counter()
    for r in q.ask("memory --ops", *inputs):
        held[r["rank"], r["agent"]] += int(r["bytes"])
    if +held != +collections.Counter({(r["rank"], r["agent"]): int(r["peak_bytes"] or 0) for r in got}):
        q.say(f"{inputs}: memory --ops does not add up to the peaks")
    free = sum("FREE" in e["name"].upper() for e in events)
    if free != sum(int(r["frees"]) for r in got):
        q.say(f"{inputs}: frees do not add up")
    q.compared["traces"] += 1


HEAD = '"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"\n'


def tables(rng):
    """Few addresses and few instants, so that everything that can collide does."""
    lines, instants = [], 10**rng.randint(1, 6)
    for i in range(rng.randint(1, 300)):
        start, address = 10**12 + rng.randrange(instants), 4096 * rng.randint(1, 20)
        if rng.random() < .55:
            op, agent, size = rng.choice(["ALLOCATE", "VMEM_ALLOCATE"]), f"Agent {rng.choice([0, 4, 5])}", rng.choice([0, 64, 4096, 10**12])
        else:
            op, agent, size = rng.choice(["FREE", "VMEM_FREE"]), "", 0
        lines.append(f'"MEMORY_ALLOCATION","MEMORY_ALLOCATION_{op}","{agent}",{size},"0x{address:016x}",{i + 1},{start},{start + 5}\n')
    return {"memory_allocation_trace": (HEAD, lines)}


def with_totals(folders):
    """Traces of torch.profiler whose allocator states its totals."""
    for folder in folders:
        for at, dirs, files in os.walk(folder):
            dirs.sort()
            for path in (os.path.join(at, f) for f in sorted(files) if f.endswith(".json")):
                with open(path, "rb") as f:
                    if b'"Total Allocated"' in f.read(q.LIMIT):
                        yield [path]


for trace in [*effort.sample(q.traces(sys.argv[1:], ("alloc",))), *with_totals(sys.argv[1:])]:
    check(trace)
with tempfile.TemporaryDirectory() as tmp:
    for files in q.laws(tmp, ("memory", "memory --list", "memory -w 20%..70%", "memory --list -w 20%..70%"), tables, effort.rounds(40)):
        check(files)
q.finish({"traces": 40, "laws": 400})
