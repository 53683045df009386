# SPDX-License-Identifier: MIT
"""Programs of seven kinds for simulate.py, drawn by a seed."""
import functools
import itertools
import random

import simulate as s

US = s.US
NAMES = ["Cijk_Ailk_Bljk", "vectorized_elementwise_kernel", "softmax_warp_forward", "layer_norm_kernel"]


def kernels(r, n, lo, hi):
    """Two of five are GEMMs."""
    return [(r.choices(NAMES, (2, 1, 1, 1))[0], round(r.uniform(lo, hi) * US)) for _ in range(n)]


def inference(sim, r):
    """Small kernels, one stream: the launches take as long."""
    steps, body = r.randint(4, 14), kernels(r, r.randint(6, 18), 2, 14)
    pause, ns = r.uniform(1, 4) * US, r.uniform(3, 8) * US
    each = r.random() < 0.5

    def program(_):
        for _ in range(steps):
            yield s.launch(0, "copy", r0["copy"], 4 * US, kind="copy", direction="HOST_TO_DEVICE")
            for name, dur in body:
                yield s.launch(0, name, dur, ns)
                yield s.gap(pause)
            if each:
                yield s.wait("hipStreamSynchronize", s.one_stream(0))
                yield s.gap(8 * US)
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)
    r0 = {"copy": round(r.uniform(3, 30) * US)}
    sim.rank(0)
    s.Thread(sim, 0, 100, program).start()


def training(sim, r):
    """1 to 8 ranks: compute on stream 0, collectives on stream 1, with events between them."""
    ranks = r.choice([1, 2, 2, 4, 4, 8])
    steps, layers = r.randint(2, 5), r.randint(3, 8)
    body = kernels(r, layers, 15, 90)
    ns, transfer = r.uniform(3, 7) * US, [round(r.uniform(5, 40) * US) for _ in range(layers)]
    lag = [round(r.uniform(0, 30) * US) for _ in range(ranks)]  # they are not started at one time
    skew = [r.uniform(0.92, 1.08) for _ in range(ranks)]
    awaited = r.random() < 0.5
    meetings = {}

    def program_of(rank):
        def program(t):
            yield s.gap(5 * US)
            for step in range(steps):
                for i, (name, dur) in enumerate(body):
                    done = []
                    yield s.launch(0, name, round(dur * skew[rank]), ns, end=done)
                    if ranks > 1:
                        yield s.record_event()
                        yield s.await_event()
                        key = (step, i)
                        if key not in meetings:
                            meetings[key] = s.Meeting(sim.m, ranks)
                        reduced = []
                        yield s.launch(1, "ncclDevKernel_AllReduce_Sum_f32", transfer[i], ns, after=done, end=reduced,
                                       meeting=meetings[key])
                    yield s.gap(2 * US)
                if ranks > 1:
                    yield s.record_event()
                    yield s.await_event()
                    yield s.launch(0, "multi_tensor_apply_kernel", 20 * US, ns, after=reduced)
                else:
                    yield s.launch(0, "multi_tensor_apply_kernel", 20 * US, ns)
                if awaited:
                    yield s.wait("hipDeviceSynchronize", s.device)
                yield s.gap(12 * US)
            yield s.wait("hipDeviceSynchronize", s.device, keep=True)
        return program
    for rank in range(ranks):
        sim.rank(rank)
        s.Thread(sim, rank, 100 + rank, program_of(rank)).start(lag[rank])


def pipeline(sim, r):
    """Copy in, compute, copy out on three streams, with events between them and the host two items ahead.  Not all
    compute with GEMMs, as not all changes of the definition's programs are as large as that would make them."""
    items, up, work, down = r.randint(6, 24), r.uniform(5, 30), r.uniform(20, 80), r.uniform(5, 25)
    name = kernels(r, 1, 1, 1)[0][0]

    def program(_):
        ends = []
        for i in range(items):
            if i > 1:
                yield s.wait("hipEventSynchronize", lambda t, e=ends[i - 2]: [e])
            a, b, c = [], [], []
            yield s.launch(0, "copy", round(up * US), 4 * US, kind="copy", direction="HOST_TO_DEVICE", end=a)
            yield s.record_event()
            yield s.await_event()
            yield s.launch(1, name, round(work * US), 5 * US, after=a, end=b)
            yield s.record_event()
            yield s.await_event()
            yield s.launch(2, "copy", round(down * US), 4 * US, kind="copy", direction="DEVICE_TO_HOST", after=b, end=c)
            yield s.record_event()
            ends.append(c[0])
            yield s.gap(3 * US)
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)
    sim.rank(0)
    s.Thread(sim, 0, 100, program).start()


def solver(sim, r):
    """Blocking copies and frees between kernels."""
    steps, body = r.randint(5, 20), kernels(r, r.randint(2, 6), 5, 60)
    free, back = r.random() < 0.6, round(r.uniform(3, 20) * US)

    def program(_):
        for _ in range(steps):
            yield s.call("hipMalloc", 2 * US)
            for name, dur in body:
                yield s.launch(0, name, dur, 5 * US)
                yield s.gap(2 * US)
            yield s.copy_blocking(0, "DEVICE_TO_HOST", back)
            yield s.gap(15 * US)
            yield s.launch(0, body[0][0], body[0][1], 5 * US)
            if free:
                yield s.wait("hipFree", s.device, keep=True)
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)
    sim.rank(0)
    s.Thread(sim, 0, 100, program).start()


def graphs(sim, r):
    """Graphs of two branches on two streams, joined on the first."""
    rounds, n = r.randint(4, 16), r.randint(2, 5)
    nodes = [(0, NAMES[1], round(r.uniform(5, 15) * US), [])]
    for i in range(n):
        nodes.append((0, r.choice(NAMES), round(r.uniform(5, 40) * US), []))
        nodes.append((1, r.choice(NAMES), round(r.uniform(5, 40) * US), [0] if i == 0 else []))
    nodes.append((0, NAMES[2], round(r.uniform(5, 15) * US), [len(nodes) - 1]))
    each = r.random() < 0.5

    def program(_):
        for _ in range(rounds):
            yield s.graph(nodes, 18 * US)
            yield s.gap(10 * US)
            if each:
                yield s.wait("hipStreamSynchronize", s.one_stream(0))
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)
    sim.rank(0)
    s.Thread(sim, 0, 100, program).start()


def threads(sim, r):
    """Two threads with a stream each; the second takes up what the first has finished, by a lock that no trace
    records."""
    items, a, b, parts = r.randint(5, 18), r.uniform(10, 60), r.uniform(10, 60), r.randint(2, 5)
    ready = [s.Signal(sim.m) for _ in range(items)]

    def first(_):
        for i in range(items):
            yield s.launch(0, "Cijk_Ailk_Bljk", round(a * US), 5 * US)
            yield s.wait("hipStreamSynchronize", s.one_stream(0), keep=True)
            yield s.gap(4 * US)

            def hand_over(t, i=i):
                ready[i].fire()
                t.step()
            yield hand_over

    def second(_):
        yield s.call("hipSetDevice", 1 * US)
        for i in range(items):
            yield s.join(ready[i])
            for _ in range(parts):
                yield s.launch(1, "softmax_warp_forward", round(b * US / parts), 5 * US)
                yield s.gap(1 * US)
        yield s.wait("hipStreamSynchronize", s.one_stream(1), keep=True)
    sim.rank(0)
    s.Thread(sim, 0, 100, first).start()
    s.Thread(sim, 0, 101, second).start()


def teams(sim, r):
    """Two threads with a stream each; the first goes on when the second is through, by a join that no trace
    records."""
    ns = r.uniform(3, 7) * US
    bodies = [kernels(r, r.randint(*n), 5, 40) for n in ((12, 40), (4, 12))]
    tail, over = kernels(r, r.randint(4, 12), 5, 40), s.Signal(sim.m)

    def work(stream, body):
        for name, dur in body:
            yield s.launch(stream, name, dur, ns)
            yield s.gap(2 * US)
        yield s.wait("hipStreamSynchronize", s.one_stream(stream))

    def first(_):
        yield from work(0, bodies[0])
        yield s.join(over)
        yield from work(0, tail)
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)

    def second(_):
        yield from work(1, bodies[1])

        def end(t):
            over.fire()
            t.step()
        yield end
    sim.rank(0)
    for tid, program in enumerate((first, second)):
        s.Thread(sim, 0, 100 + tid, program).start()


def loose(sim, r):
    """One queue without barriers: what it holds runs side by side, which is little, as the host is hardly
    faster.  (With less host work than this a combination changed 42 % of the time over all kinds; of the
    definition's programs it is 28.)"""
    sim.barrier = False
    steps, body = r.randint(3, 10), kernels(r, r.randint(4, 12), 5, 15)
    pause, ns = r.uniform(4, 9) * US, r.uniform(1, 3) * US

    def program(_):
        for _ in range(steps):
            for name, dur in body:
                yield s.launch(0, name, dur, ns)
                yield s.gap(pause)
            yield s.wait("hipDeviceSynchronize", s.device)
            yield s.gap(10 * US)
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)
    sim.rank(0)
    s.Thread(sim, 0, 100, program).start()


def crowd(sim, r):
    """One queue without barriers: all that it holds runs side by side, of one stream, too."""
    sim.barrier = False
    steps, body = r.randint(3, 10), kernels(r, r.randint(4, 12), 5, 40)

    def program(_):
        for _ in range(steps):
            for name, dur in body:
                yield s.launch(0, name, dur, 5 * US)
                yield s.gap(1 * US)
            yield s.wait("hipDeviceSynchronize", s.device)
            yield s.gap(10 * US)
        yield s.wait("hipDeviceSynchronize", s.device, keep=True)
    sim.rank(0)
    s.Thread(sim, 0, 100, program).start()


KINDS = [inference, training, pipeline, solver, graphs, loose, teams]


# The definition's programs have so many rows.
ROWS = range(80, 1701)


def simulated(seed, draw, change, share, kind, steady=False):
    sim = s.Sim(seed, change, share, steady)
    kind(sim, random.Random(repr((seed, "program") + ((draw,) if draw else ()))))
    sim.m.run()
    return sim


@functools.lru_cache(maxsize=16)
def first_draw(seed, kind):
    """A program that is shorter or longer than the definition's is drawn again, whatever comes out of it; how often.
    Its rows are the same on every machine."""
    for draw in itertools.count():
        sim = simulated(seed, draw, None, 0.0, kind)
        if len(sim.calls) + len(sim.ops) in ROWS:
            return draw


def run(seed, change=None, share=0.0, kind=None, steady=False):
    """The simulation of program `seed`."""
    kind = kind or KINDS[seed % len(KINDS)]
    return simulated(seed, first_draw(seed, kind), change, share, kind, steady)
