# SPDX-License-Identifier: MIT
"""A small machine with known causes: host threads that call, streams that work off what was submitted.
Programs are generators of steps; every duration is drawn by its place in the program, so that a program with
a change is the same program.  What really waits for what is known here and only partly recorded.

Nothing here works with graphs: events happen one after the other, in order of time."""
import heapq
import itertools
import random

US = 1000


class Machine:
    """Time, and what happens next."""

    def __init__(self, seed):
        self.seed, self.now = seed, 0
        self.heap, self.count = [], itertools.count()

    def at(self, time, what):
        heapq.heappush(self.heap, (time, next(self.count), what))

    def run(self):
        while self.heap:
            self.now, _, what = heapq.heappop(self.heap)
            what()

    def draw(self, *place):
        """A random source of one place in the program, the same whatever else happens."""
        return random.Random(repr((self.seed,) + place))


class Signal:
    """Something that happens once; others may wait for it."""

    def __init__(self, m):
        self.m, self.done, self.waiting = m, False, []

    def fire(self):
        self.done = True
        for what in self.waiting:
            self.m.at(self.m.now, what)
        self.waiting = []

    def then(self, what):
        if self.done:
            self.m.at(self.m.now, what)
        else:
            self.waiting.append(what)


class Meeting:
    """A collective: it goes on when all have come."""

    def __init__(self, m, ranks):
        self.left, self.all_here = ranks, Signal(m)

    def arrive(self):
        self.left -= 1
        if not self.left:
            self.all_here.fire()


class Stream:
    """Packets in order.  With `barrier` off the next may begin while one is running."""

    def __init__(self, gpu, number, barrier=True):
        self.gpu, self.m, self.number, self.barrier = gpu, gpu.m, number, barrier
        self.queue, self.head, self.busy_until, self.drained = [], False, 0, Signal(gpu.m)
        self.drained.done = True
        self.pending, self.room = 0, []

    def submit(self, packet):
        self.pending += 1
        if self.drained.done:
            self.drained = Signal(self.m)
        self.queue.append(packet)
        if not self.barrier:
            self.m.at(self.m.now + packet["wake"], self.next)
        elif not self.head:
            self.head = True
            # A stream that was idle takes notice of the doorbell only after a while.
            self.m.at(self.m.now + packet["wake"], self.next)

    def next(self):
        if not self.queue:
            self.head = False
            return
        p = self.queue.pop(0)
        if self.room and len(self.queue) < 32:
            self.room.pop(0).fire()
        todo = list(p.get("after", ()))

        def ready():
            if todo:
                s = todo.pop(0)
                late = not s.done
                s.then(lambda: self.m.at(self.m.now + (p["event"] if late else 0), ready))
            else:
                p["go"](lambda: self.over(p), self)
        ready()

    def over(self, p):
        p["end"].fire()
        self.pending -= 1
        if not self.pending:
            self.drained.fire()
        if self.barrier:
            if self.queue:
                self.m.at(self.m.now + p["gap"], self.next)
            else:
                self.head = False


class Gpu:
    """The streams of one rank; with `share`, what runs side by side is slower."""

    def __init__(self, m, rank, trace, share):
        self.m, self.rank, self.trace, self.share = m, rank, trace, share
        self.streams, self.running = {}, []
        self.engine = {}

    def stream(self, n, barrier=True):
        if n not in self.streams:
            self.streams[n] = Stream(self, n, barrier)
        return self.streams[n]

    # Work is done at rate 1 / (1 + share (k - 1)) when k run.
    def settle(self):
        rate = 1 / (1 + self.share * (len(self.running) - 1)) if self.running else 1
        for r in self.running:
            r["left"] -= (self.m.now - r["seen"]) * rate
            r["seen"] = self.m.now

    def plan(self):
        rate = 1 / (1 + self.share * (len(self.running) - 1)) if self.running else 1
        for r in self.running:
            r["version"] += 1
            v = r["version"]
            self.m.at(self.m.now + max(0, round(r["left"] / rate)), lambda r=r, v=v: self.finish(r, v))

    def finish(self, r, version):
        if version != r["version"] or r not in self.running:
            return
        self.settle()
        self.running.remove(r)
        self.plan()
        r["done"]()

    def work(self, ns, done):
        if not self.share:
            self.m.at(self.m.now + ns, done)
            return
        self.settle()
        self.running.append({"left": ns, "seen": self.m.now, "version": 0, "done": done})
        self.plan()


class Change:
    """What is different from the recorded program."""

    def __init__(self, **change):
        self.kernel = change.get("kernel", 1)
        self.copy, self.comm, self.host = change.get("copy", 1), change.get("comm", 1), change.get("host", 1)
        self.launch, self.nosync = change.get("launch", 1), change.get("nosync", False)
        self.balanced = change.get("balanced")


class Thread:
    """A host thread: runs a program, records its calls."""

    def __init__(self, sim, rank, tid, program):
        self.sim, self.m, self.rank, self.tid = sim, sim.m, rank, tid
        self.program, self.place, self.last = program(self), 0, None
        self.over = Signal(self.m)

    def draw(self, what):
        return self.m.draw(self.rank, self.tid, self.place, what)

    def jitter(self, what, ns, spread=0.15):
        if self.sim.steady and what in ("wake", "pgap", "event"):
            return max(1, round(ns))
        return max(1, round(ns * (1 + self.draw(what).uniform(-spread, spread))))

    def start(self, at=0):
        self.m.at(at, self.step)

    def step(self):
        self.place += 1
        try:
            todo = next(self.program)
        except StopIteration:
            self.over.fire()
            return
        todo(self)

    # ---- steps ----

    def record(self, name, start, corr):
        self.sim.calls.append((self.rank, self.tid, name, start, self.m.now, corr))


def gap(ns):
    """The host computes."""
    def go(t):
        t.m.at(t.m.now + round(t.jitter("gap", ns, 0.3) * t.sim.change.host), t.step)
    return go


def call(name, ns):
    """A call that has to do with nothing."""
    def go(t):
        start, corr = t.m.now, t.sim.corr()

        def end():
            t.record(name, start, corr)
            t.step()
        t.m.at(start + t.jitter("call", ns), end)
    return go


def packet(t, kind, name, ns, corr, after=(), meeting=None, direction=None):
    """Work for a stream, that records itself."""
    sim = t.sim

    def go(over, stream):
        gpu, start = stream.gpu, t.m.now

        def end():
            sim.ops.append((t.rank, t.tid, kind, name, stream.number, corr, start, t.m.now, direction))
            over()
        if meeting:
            meeting.arrive()
            meeting.all_here.then(lambda: t.m.at(t.m.now + ns + tail, end))
        elif kind == "copy":
            # One engine for each direction: copies of two streams do not overlap.
            free = max(gpu.engine.get(direction, 0), t.m.now)
            gpu.engine[direction] = free + ns
            start = free
            t.m.at(free, lambda: t.m.at(t.m.now + ns, end))
        else:
            gpu.work(ns, end)
    # Ranks do not come out of a collective at one time.
    tail = int(t.draw("tail").randrange(0, 300) * sim.change.comm)
    return {"go": go, "end": Signal(t.m), "after": after, "wake": t.jitter("wake", sim.wake),
            "gap": t.jitter("pgap", sim.gap), "event": t.jitter("event", sim.event)}


def scaled(t, kind, name, ns):
    c = t.sim.change
    if kind == "copy":
        return int(ns * c.copy)
    if name.startswith("nccl"):
        return int(ns * c.comm)
    if c.balanced:
        key = (t.rank, name)
        n = t.sim.nth[key] = t.sim.nth.get(key, -1) + 1
        return c.balanced[t.rank, name][n]
    return int(ns * c.kernel) if name.startswith("Cijk") else ns


def launch(stream, name, ns, ns_call, after=(), end=None, meeting=None, kind="kernel", direction=None, fn=None):
    """Submit one kernel or copy somewhere inside the call; blocks while the queue of the stream is full."""
    def go(t):
        start, corr, sim = t.m.now, t.sim.corr(), t.sim
        is_launch = kind == "kernel"
        length = t.jitter("call", ns_call)
        length = round(length * (sim.change.launch if is_launch else 1))
        inside = round(length * t.draw("inside").uniform(*sim.inside))
        dur = scaled(t, kind, name, t.jitter("dur", ns, 0.1))
        q = sim.gpus[t.rank].stream(stream, sim.barrier)
        p = packet(t, kind, name, dur, corr, [s for s in after], meeting, direction)
        if end is not None:
            end.append(p["end"])

        def submit():
            if sim.full and len(q.queue) >= 32:
                room = Signal(t.m)
                q.room.append(room)
                room.then(submit)
                return
            q.submit(p)
            t.m.at(t.m.now + length - inside, done)

        def done():
            t.record(fn or ("hipLaunchKernel" if is_launch else "hipMemcpyAsync"), start, corr)
            t.step()
        t.m.at(start + inside, submit)
    return go


def graph(nodes, ns_call):
    """One call, many kernels: (stream, name, ns, [numbers of nodes to wait for])."""
    def go(t):
        start, corr = t.m.now, t.sim.corr()
        length = t.jitter("call", ns_call)

        def submit():
            ends = []
            for i, (stream, name, ns, after) in enumerate(nodes):
                dur = scaled(t, "kernel", name, max(1, round(ns * (1 + t.draw(f"dur{i}").uniform(-0.1, 0.1)))))
                p = packet(t, "kernel", name, dur, corr, [ends[k] for k in after])
                ends.append(p["end"])
                t.sim.gpus[t.rank].stream(stream, t.sim.barrier).submit(p)
            t.m.at(t.m.now + length // 10, done)

        def done():
            t.record("hipGraphLaunch", start, corr)
            t.step()
        t.m.at(start + length - length // 10, submit)
    return go


def wait(name, what, ns=1500, keep=False):
    """A call that returns when every signal of what() has fired, a little later; `keep`: it stays when waits
    are removed."""
    def go(t):
        sim = t.sim
        if sim.change.nosync and not keep and name != "hipFree":
            t.step()
            return
        start, corr, left = t.m.now, sim.corr(), [s for s in what(t) if not s.done]
        waited = bool(left)

        def go_on():
            if left:
                left.pop().then(go_on)
            else:
                t.m.at(t.m.now + (t.jitter("return", sim.back) if waited else 0), end)

        def end():
            t.record(name, start, corr)
            t.step()
        t.m.at(start + t.jitter("own", ns), go_on)
    return go


def device(t):
    return [s.drained for s in t.sim.gpus[t.rank].streams.values()]


def one_stream(n):
    return lambda t: [t.sim.gpus[t.rank].stream(n, t.sim.barrier).drained]


def copy_blocking(stream, direction, ns):
    """hipMemcpy: submits and waits for its own copy, and so for what is before it."""
    def go(t):
        start, corr, sim = t.m.now, t.sim.corr(), t.sim
        dur = scaled(t, "copy", "copy", t.jitter("dur", ns, 0.1))
        p = packet(t, "copy", "copy", dur, corr, direction=direction)

        def end():
            t.record("hipMemcpy", start, corr)
            t.step()
        t.m.at(start + t.jitter("inside", 2 * US),
               lambda: (sim.gpus[t.rank].stream(stream, sim.barrier).submit(p),
                        p["end"].then(lambda: t.m.at(t.m.now + t.jitter("return", sim.back), end))))
    return go


def join(signal):
    """No call: goes on when that has happened, a little later if it waited."""
    def go(t):
        if signal.done:
            gap(1 * US)(t)
        else:
            signal.then(lambda: t.m.at(t.m.now + t.jitter("woken", 5 * US), t.step))
    return go


def record_event():
    return call("hipEventRecord", 900)


def await_event():
    return call("hipStreamWaitEvent", 900)


class Sim:
    """One run of a program; `steady`: streams take as long to go on each time."""

    def __init__(self, seed, change=None, share=0.0, steady=False):
        self.m, self.change, self.calls, self.ops, self.nth = Machine(seed), change or Change(), [], [], {}
        r = random.Random(repr((seed, "machine")))
        self.wake, self.gap = round(r.uniform(2.5, 7) * US), round(r.uniform(0.6, 2.5) * US)
        self.event, self.back = round(r.uniform(1.5, 4) * US), round(r.uniform(4, 9) * US)
        lo = r.uniform(0.75, 0.95)
        self.inside, self.full, self.barrier = (lo, min(1, lo + 0.08)), r.random() < 0.5, True
        self.share, self.gpus, self.last_corr, self.steady = share, {}, 0, steady

    def corr(self):
        self.last_corr += 1
        return self.last_corr

    def rank(self, rank):
        self.gpus[rank] = Gpu(self.m, rank, self, self.share)

    def total(self):
        """From the first instant to the last."""
        ends = [c[4] for c in self.calls] + [o[7] for o in self.ops]
        starts = [c[3] for c in self.calls] + [o[6] for o in self.ops]
        return max(ends) - min(starts)
