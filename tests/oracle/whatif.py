# SPDX-License-Identifier: MIT
"""whatif.py FOLDER...: kstats whatif against a machine whose causes are known (simulate.py), and the laws of
the replay on every trace of the folders: without a change every time is the recorded one, at each level; the
pieces of the path fill the window; what changes nothing gives one point.

PROGRAMS (240) from FIRST (7000) on are simulated, half as many with contention; SHOW=1 prints each that is more than
2 % off; TABLE=1 sets the errors beside the definition's figures and does nothing else."""
import collections
import glob
import math
import os
import random
import shutil
import sys
import tempfile

import effort
import programs
import questions as q
from simulate import Change

KERNEL = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
          '"Correlation_Id","Start_Timestamp","End_Timestamp"\n')
API = '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
COPY = ('"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id",'
        '"Start_Timestamp","End_Timestamp"\n')
BASE = 5_000_000_000


def tables(sim, rank, pid=1, agent=4, before=0):
    """The tables of rocprofv3 of one rank.  Streams are recorded, but for queues without barriers."""
    kernel, copy, api, more = [], [], [], 1000 * (agent - 4)
    for r, tid, kind, name, stream, corr, start, end, way in sim.ops:
        if r != rank:
            continue
        at = f"{before + corr},{BASE + start},{BASE + end}\n"
        if kind == "copy":
            ends = f'"Agent 0","Agent {agent}"' if way == "HOST_TO_DEVICE" else f'"Agent {agent}","Agent 0"'
            copy.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",{stream},{ends},{at}')
        else:
            queue = 1 if not sim.barrier else 1 + stream
            kernel.append(f'"KERNEL_DISPATCH","Agent {agent}",{queue},{stream if sim.barrier else 0},{more + tid},{corr},1,"{name}",{at}')
    for r, tid, name, start, end, corr in sim.calls:
        if r == rank:
            api.append(f'"HIP_RUNTIME_API","{name}",{pid},{more + tid},{before + corr},{BASE + start},{BASE + end}\n')
    return {"kernel_trace": (KERNEL, kernel), "hip_api_trace": (API, api), "memory_copy_trace": (COPY, copy)}


def write(sim, folder, which=None, ranks=None):
    """Its files as operands."""
    out = []
    for rank in sim.gpus:
        if ranks is not None and rank not in ranks:
            continue
        for word, (head, lines) in tables(sim, rank).items():
            if lines and (which is None or word in which):
                out.append(f"{rank}=" + q.put(folder, f"r{rank}_{word}.csv", head, lines))
    return out


def balanced(sim):
    """What each kernel takes when ranks are balanced: the mean over ranks of the n-th of its name."""
    by = collections.defaultdict(list)
    for rank in sim.gpus:
        seen = collections.Counter()
        for r, _, kind, name, _, _, start, end, _ in sorted(sim.ops, key=lambda o: (o[0], o[6])):
            if r == rank and kind == "kernel" and not name.startswith("nccl"):
                by[name, seen[name]].append(end - start)
                seen[name] += 1
    return {(rank, name): [sum(by[name, i]) // len(by[name, i]) for i in range(n)]
            for rank in sim.gpus for name, n in
            collections.Counter(name for name, _ in by).items()}


def scenarios(sim):
    """Name: options, or the row of the usual table; and the change."""
    out = {
        "kern0.5": ("class gemm x 0.5", Change(kernel=0.5)),
        "nosync": ("no host syncs", Change(nosync=True)),
        "launch0": ("launches free", Change(launch=0)),
        "copy0": ("copies hidden", Change(copy=0)),
        "host0.5": (["--host", "0.5"], Change(host=0.5)),
        "kern2": (["--scale", "gemm=2"], Change(kernel=2)),
        # A class that is not in the trace cannot be asked for.
        "combo": ((["--scale", "gemm=0.5"] if any(o[3].startswith("Cijk") for o in sim.ops) else []) +
                  ["--no-sync", "--launch", "0"], Change(kernel=0.5, nosync=True, launch=0)),
    }
    if len(sim.gpus) > 1:
        out["comm0.7"] = ("collectives x 0.7", Change(comm=0.7))
        out["balance"] = ("ranks balanced", Change(balanced=balanced(sim)))
    return out


class Errors:
    """Of one scenario: error, inside with slack 1 % and 0.1 %, width, no model; all of the true total, in %."""

    def __init__(self, v=()):
        self.v = list(v)

    def add(self, row, true, was):
        predicted, low, high = (int(row[k]) for k in ("predicted_ns", "low_ns", "high_ns"))
        pct = 100 / true
        self.v.append((pct * (predicted - true), low * 0.99 <= true <= high * 1.01,
                       low * 0.999 <= true <= high * 1.001, pct * (high - low), pct * abs(was - true)))

    def mean(self):
        return sum(abs(v[0]) for v in self.v) / len(self.v)

    def least(self):
        """What the mean would be at least: two standard errors less."""
        n, mean = len(self.v), self.mean()
        return mean - 2 * (sum((abs(v[0]) - mean) ** 2 for v in self.v) / (n - 1) / n) ** 0.5

    def inside(self):
        return 100 * sum(v[1] for v in self.v) / len(self.v)

    def change(self):
        return sum(v[4] for v in self.v) / len(self.v)

    def p95(self):
        e = sorted(abs(v[0]) for v in self.v)
        return e[max(0, (95 * len(e) + 99) // 100 - 1)]

    def most(self):
        return max(abs(v[0]) for v in self.v)

    def text(self):
        n = len(self.v)
        return (f"{n:4} runs  mean {self.mean():5.2f}  bias {sum(v[0] for v in self.v) / n:5.2f}  p95 "
                f"{self.p95():6.2f}  max {self.most():6.2f}  inside {self.inside():5.1f} "
                f"{100 * sum(v[2] for v in self.v) / n:5.1f}  width {sum(v[3] for v in self.v) / n:5.2f}  no model "
                f"{self.change():5.2f}")

    def blocks(self, n):
        """As many programs in each as the definition's table has, in order of their seeds."""
        return [Errors(self.v[i:i + n]) for i in range(0, len(self.v) - n + 1, n)]


def predict(files, todo, was):
    """Rows of each scenario; the usual table is asked for once, and has none of what is not in the trace."""
    usual, same = None, {"window_ns": was, "predicted_ns": was, "low_ns": was, "high_ns": was, "predicted_pct": 100,
                         "low_pct": 100, "high_pct": 100}
    for name, (what, change) in todo.items():
        if isinstance(what, str):
            if usual is None:
                usual = {r["scenario"]: r for r in q.ask("whatif", *files)}
            row = usual.get(what)
        else:
            status, text, _ = q.run("kstats", "whatif", *what, "-q", "-f", "csv", *files)
            row = q.rows(text)[0] if status == 0 else None
        yield name, change, row or same


def simulated(work, seeds, what, share=0.0, kind=None):
    """Errors of every scenario over programs."""
    errors = collections.defaultdict(Errors)
    for seed in seeds:
        sim = programs.run(seed, None, share, kind)
        folder = os.path.join(work, f"{what}{seed}")
        os.mkdir(folder)
        files, was = write(sim, folder), sim.total()
        path = q.ask("path", *files)
        if sum(int(r["total_ns"]) for r in path) != was:
            q.say(f"{what} {seed}: the path is not as long as the window")
        if sim.full and not seed % 5:
            lawful(f"{what} {seed}", *files)
        else:
            alike(f"{what} {seed}", *files)
        for name, change, row in predict(files, scenarios(sim), was):
            true = programs.run(seed, change, share, kind).total()
            if int(row["window_ns"]) != was:
                q.say(f"{what} {seed}: window {row['window_ns']}, not {was}")
            errors[name].add(row, true, was)
            if os.environ.get("SHOW") and abs(errors[name].v[-1][0]) > 2:
                print(f"  {what} {seed} {(kind or programs.KINDS[seed % len(programs.KINDS)]).__name__} {name}: true {100 * true / was:.2f} % "
                      f"predicted {row['predicted_pct']} [{row['low_pct']}, {row['high_pct']}]")
            q.compared["predictions"] += 1
        shutil.rmtree(folder)
    for name, e in errors.items():
        print(f"{what:10} {name:8} {e.text()}")
    return errors


def in_one_rank(work, what, groups):
    """The same programs as parts of one rank, that do not share a stream, and as ranks, are predicted alike: only the usual latencies
    are of all, which rarely matters.  groups: of [(program, rank, process, GPU)]."""
    apart, compared = [], 0
    for number, group in enumerate(groups):
        if not all(s.barrier for s, *_ in group):
            continue
        folder = os.path.join(work, f"{what}{number}")
        os.mkdir(folder)
        parts = [tables(s, rank, pid, 4 + gpu, 1_000_000 * i) for i, (s, rank, pid, gpu) in enumerate(group)]
        one = ["0=" + q.put(folder, f"t_{word}.csv", head, [line for part in parts for line in part[word][1]])
               for word, (head, _) in parts[0].items() if any(part[word][1] for part in parts)]
        two = [f"{i}=" + q.put(folder, f"r{i}_{word}.csv", head, lines)
               for i, part in enumerate(parts) for word, (head, lines) in part.items() if lines]
        rows = [{r["scenario"]: r for r in q.ask("whatif --likely", *files)} for files in (one, two)]
        for name, row in rows[0].items():
            other = rows[1].get(name)
            if other and abs(int(row["predicted_ns"]) - int(other["predicted_ns"])) > 0.02 * int(row["window_ns"]):
                apart.append(f"{what} {number}: {name}: {row['predicted_pct']} % in one rank, {other['predicted_pct']} % in several")
            compared += other is not None
        shutil.rmtree(folder)
    if len(apart) > max(2, compared // 100):
        q.say("\n".join(apart))
    q.compared["in one rank"] += compared


def one_rank(work, seeds):
    """Programs two by two, that do not wait for each other, as processes with a GPU each or with one, or as threads of one process;
    ranks of a program that do, as threads of one process."""
    kinds = [kind for kind in programs.KINDS if kind is not programs.training]
    pairs = [[programs.run(seed, None, 0.0, kinds[seed % len(kinds)]),
              programs.run(seed + 1000, None, 0.0, kinds[seed // len(kinds) % len(kinds)])] for seed in seeds]
    for pids, gpus in (((1, 2), (0, 1)), ((1, 2), (0, 0)), ((1, 1), (0, 1))):
        in_one_rank(work, f"processes {pids} GPUs {gpus} ",
                    [[(s, rank, pid, gpu) for s, pid, gpu in zip(pair, pids, gpus) for rank in s.gpus] for pair in pairs])
    jobs = [programs.run(seed, None, 0.0, programs.training) for seed in seeds]
    in_one_rank(work, "GPUs ", [[(s, rank, 1, i) for i, rank in enumerate(s.gpus)] for s in jobs if len(s.gpus) > 1])


# The acceptance figures of the definition, without and with contention: programs; mean, p95 and largest error, and
# what is off when nothing changes, in % of the time.  Programs are of the kinds that it names, and what a change
# does to them is about as large as it is there.
FIGURES = {
    "easy": {
        "kern0.5": (240, 0.17, 0.87, 6.05, 15.01), "nosync": (240, 0.18, 0.45, 13.14, 11.73),
        "launch0": (240, 0.49, 2.30, 12.92, 4.20), "copy0": (240, 0.07, 0.41, 3.25, 2.97),
        "host0.5": (240, 0.23, 0.64, 13.33, 5.50), "kern2": (240, 0.20, 1.26, 6.83, 20.12),
        "combo": (240, 0.75, 3.23, 15.36, 28.12), "comm0.7": (39, 0.03, 0.13, 0.47, 3.44),
        "balance": (39, 0.01, 0.08, 0.10, 3.13)},
    "contention": {
        "kern0.5": (120, 0.58, 2.11, 10.13, 16.53), "nosync": (120, 0.42, 2.12, 8.97, 8.00),
        "launch0": (120, 0.53, 2.27, 10.18, 3.83), "copy0": (120, 0.08, 0.64, 1.33, 2.20),
        "host0.5": (120, 0.27, 2.10, 3.33, 5.01), "kern2": (120, 0.69, 2.67, 9.61, 21.27),
        "combo": (120, 0.87, 3.77, 6.96, 28.86), "comm0.7": (22, 0.04, 0.02, 0.66, 4.04),
        "balance": (22, 0.01, 0.02, 0.07, 2.75)}}
HALF = 0.005  # of their last digit
LEAST = {"easy": 95, "contention": 80, "joins": 80, "crowd": 80}  # inside, 1 % slack


def exact(work, seeds):
    """Where latencies do not vary, the ranks of a program say all that it takes: what it would take with other
    lengths of kernels is predicted to the nanosecond, and with shorter collectives but for how each is rounded."""
    for seed in seeds:
        sim = programs.run(seed, kind=programs.training, steady=True)
        todo = {name: v for name, v in scenarios(sim).items() if name in ("balance", "comm0.7")}
        folder = os.path.join(work, f"exact{seed}")
        os.mkdir(folder)
        for name, change, row in predict(write(sim, folder), todo, sim.total()) if todo else ():
            true = programs.run(seed, change, kind=programs.training, steady=True).total()
            off = abs(int(row["predicted_ns"]) - true)
            if off > (0 if name == "balance" else 20):
                q.say(f"exact {seed}: {name}: {off} ns off")
            q.compared["exact"] += 1
        shutil.rmtree(folder)


def chance(n, k, p):
    """That of n programs k or more are outside, each with chance p."""
    return sum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k, n + 1))


def judge(what, errors):
    """Means move with the seeds: they must not be more than the figures for certain.  Few programs say little of
    how many are inside: there it is a miss if chance makes so many in one of a hundred cases."""
    for name, e in errors.items():
        n, least = len(e.v), LEAST[what]
        most = FIGURES[what][name][1] + HALF if what in FIGURES else 0
        if what in FIGURES and n > 2 and e.least() > most:
            q.say(f"{what} {name}: mean error {e.mean():.3f} % of {n} programs, {e.least():.3f} % at least, more than "
                  f"{most:.3f} %")
        if e.inside() < least and (n >= 100 or chance(n, n - round(n * e.inside() / 100), 1 - least / 100) < 0.01):
            q.say(f"{what} {name}: {e.inside():.1f} % of {n} programs inside the interval, less than {least} %")


def median(v):
    v = sorted(v)
    return (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2


def table(what, errors):
    """Beside the definition's figures: mean of all, p95 and largest error as the median over blocks of as many
    programs as those are of, as a larger number of programs has a larger largest error.  What is more has a star."""
    print(f"{what:10}          programs      mean             p95             max           no model")
    for name, e in errors.items():
        runs, *figures = FIGURES[what][name]
        of = e.blocks(runs) or [e]
        got = (e.mean(), median([b.p95() for b in of]), median([b.most() for b in of]), e.change())
        print(f"{what:10} {name:8} {len(e.v):4} / {runs:3} " +
              "".join(f"  {g:6.3f} / {f:5.2f}{'*' if i < 3 and g >= f + HALF else ' '}"
                      for i, (g, f) in enumerate(zip(got, figures))))


# ---- laws ----

WORDS = ["kernel_trace", "api_trace", "memory_copy_trace", "json", "results"]
NAMES = ["hipLaunchKernel", "hipExtModuleLaunchKernel", "hipGraphLaunch", "hipDeviceSynchronize", "hipStreamSynchronize",
         "hipEventSynchronize", "hipStreamWaitEvent", "hipEventRecord", "hipMemcpy", "hipMemcpyAsync", "hipMalloc",
         "hipFree", "hipMemset", "hipHostFree", "hipCtxSynchronize", "hipMemcpyWithStream"]
KERNELS = ["Cijk_Alik", "softmax", "ncclDevKernel_AllReduce_Sum_f32", "__amd_rocclr_fillBufferAligned", "k,1", 'a""b']


def hostile(rng):
    """Tables that no machine would write: equal times, no length, repeated ids, calls across each other."""
    size, most = rng.randint(1, 40), rng.choice([5, 30, 300, 40_000, 3_000_000, 1 << 40])
    base = rng.choice([0, 1, 10**9, 2**62])

    def span():
        a, b = rng.randint(0, most), rng.choice([0, 0, rng.randint(0, most)])
        if rng.random() < 0.5:
            a, b = a // 10 * 10, b // 10 * 10
        return base + a, base + a + min(b, most // rng.choice([1, 3, 10]))
    kernel, copy, api = [], [], []
    streams, ids = rng.randint(1, 4), rng.choice([1, size // 2 + 1, 4 * size])
    has_stream = rng.random() < 0.6
    for i in range(size):
        lo, hi = span()
        name = rng.choice(KERNELS)
        kernel.append(f'"KERNEL_DISPATCH","Agent {rng.randint(4, 4 + rng.randint(0, 1))}",{rng.randint(1, streams)},'
                      f'{rng.randint(1, streams) if has_stream else 0},7,{i},1,"{name}",{rng.randint(0, ids)},{lo},{hi}\n')
    for i in range(rng.choice([0, size, 3 * size])):
        lo, hi = span()
        api.append(f'"HIP_RUNTIME_API","{rng.choice(NAMES)}",1,{rng.randint(7, 7 + rng.randint(0, 2))},'
                   f'{rng.randint(0, ids)},{lo},{hi}\n')
    for i in range(rng.choice([0, size // 2])):
        lo, hi = span()
        way, ends = rng.choice([("HOST_TO_DEVICE", '"Agent 0","Agent 4"'), ("DEVICE_TO_HOST", '"Agent 4","Agent 0"'),
                                ("DEVICE_TO_DEVICE", '"Agent 4","Agent 5"')])
        copy.append(f'"MEMORY_COPY","MEMORY_COPY_{way}",{rng.randint(1, streams)},{ends},{rng.randint(0, ids)},{lo},{hi}\n')
    return {"kernel_trace": (KERNEL, kernel), "hip_api_trace": (API, api), "memory_copy_trace": (COPY, copy)}


def alike(what, *files):
    """Predictions are the same without intervals, for which less of the graph is made."""
    plain, likely = (q.run("kstats", *words, "-n", "0", "-q", "-f", "csv", *files)
                     for words in (["whatif"], ["whatif", "--likely"]))
    both = [[{k: v for k, v in row.items() if not k.startswith(("low_", "high_", "edges_"))} for row in q.rows(text)]
            for _, text, _ in (plain, likely)]
    if plain[0] != likely[0] or both[0] != both[1]:
        q.say(f"{what}: with intervals {both[0]}, without {both[1]}")
    q.compared["likely"] += len(both[0])


def lawful(what, *files):
    """Identity, which the tool checks of every instant; collapse; partition."""
    alike(what, *files)
    status, text, err = q.run("kstats", "whatif", "-q", "-f", "csv", "--copy", "1", *files)
    if "internal error" in err or status not in (0, 2):
        q.say(f"{what}: {status}: {err}")
    window = None
    for row in q.rows(text):
        window = row["window_ns"]
        if {row["predicted_ns"], row["low_ns"], row["high_ns"]} != {window}:
            q.say(f"{what}: nothing is changed, and {row}")
        q.compared["laws"] += 1
    status, text, err = q.run("kstats", "path", "-q", "-f", "csv", *files)
    if "internal error" in err or status not in (0, 2):
        q.say(f"{what}: path: {status}: {err}")
    path = q.rows(text)
    if (window is not None or path) and str(sum(int(r["total_ns"]) for r in path)) != window:
        q.say(f"{what}: the path is not as long as the window {window}")
    if any(int(r["total_ns"]) < 0 for r in path):
        q.say(f"{what}: a piece of the path is negative")


def stepped(what, *files):
    """The steps of a rank cut the path: each adds up to its length, and all of them, with what is outside, to the
    path, also by resource and kind."""
    path = collections.Counter()
    for r in q.ask("path", *files):
        path[r["rank"], r["resource"], r["kind"]] += int(r["total_ns"])
    status, text, err = q.run("kstats", "path", "--steps", "-q", "-f", "csv", *files)
    if "internal error" in err or status not in (0, 2):
        q.say(f"{what}: path --steps: {status}: {err}")
    ranks, spans, sums, median = collections.defaultdict(collections.Counter), {}, collections.Counter(), {}
    for r in q.rows(text):
        step, ns = (r["rank"], r["step"]), int(r["total_ns"])
        ranks[r["rank"]][r["on_rank"], r["resource"], r["kind"]] += ns
        spans[step] = int(r["span_ns"])
        sums[step] += ns
        if r["median"] == "yes":
            median[r["rank"]] = spans[step]
    for rank, of in ranks.items():
        if +of != +path:
            q.say(f"{what}: steps of rank {rank} and what is outside are not the path")
        each = sorted(ns for (of, step), ns in spans.items() if of == rank and step)
        # Steps without length have no rows.
        if each and median.get(rank, each[0]) not in each:
            q.say(f"{what}: no step of rank {rank} has the median length {median[rank]}")
        q.compared["steps"] += len(each)
    for step, ns in sums.items():
        if ns != spans[step]:
            q.say(f"{what}: step {step} is {spans[step]} ns, what is in it {ns}")


def marked(rng):
    """The same with markers of steps, also of no length and outside of everything else."""
    tables = hostile(rng)
    times = [int(t) for line in tables["kernel_trace"][1] for t in line.rsplit(",", 2)[1:]]
    lo, hi, markers = max(0, min(times) - 5), max(times) + 5, []
    cuts = sorted(rng.randint(lo, hi) for _ in range(2 * rng.randint(1, 6)))
    for i in range(0, len(cuts), 2):
        markers.append(f'"MARKER_CORE_RANGE_API","step {i}",1,7,{1000 + i},{cuts[i]},{cuts[i + 1]}\n')
    tables["marker_api_trace"] = (API, markers)
    return tables


# What the definition's prototype found on real traces: file patterns below the shared data, window,
# options, predicted, low and high (or None), model error; in %.
MIXTRAL, R8S4 = "real/ROCm+vllm/*/gpt-fast/mixtral-moe/trace_?.rpd", "real/walkinglabs*/**/r8s4/2659034_[khm]*trace.csv"
LENS = "real/AMD-AGI+TraceLens/tests/"
REAL = [
    (MIXTRAL, "521101427328598..", "--balance", 97.6, 97.6, 97.6, -1.4),
    (MIXTRAL, "521101427328598..", "--no-sync", 97.8, 97.8, 97.8, -1.4),
    (MIXTRAL, "521101427328598..", "--comm 0.7", 98.9, 98.9, 98.9, -1.4),
    (MIXTRAL, "521101427328598..", "--host 0.5", 98.5, 98.5, 98.5, -1.4),
    # Of this one the prototype said 86.8, 92.3, 95.1 and 100: it took the delay of launches for gaps, 3.7 us.  After
    # the 19 kernels that were surely there when the one before them ended the usual gap is 84 ns.
    (R8S4, "3219595914327034..", "--launch 0", 81.2, 81.1, 90.6, -3.6),
    (R8S4, "3219595914327034..", "--host 0.5", 90.7, None, None, -3.6),
    (R8S4, "3219595914327034..", "--scale gemm=0.5", 95.2, None, None, -3.6),
    (R8S4, "3219595914327034..", "--no-sync", 100, None, None, -3.6),
    (LENS + "traces/inference/sglang_prefilldecode/*.gz", "", "--scale gemm=0.5", 78.7, None, None, None),
    (LENS + "traces/inference/vllm_decode_full/*.gz", "", "--scale moe_gemm=0.5", 83.2, None, None, 4.9),
    (LENS + "rocprof/908_results.json.gz", "", "--scale comm=0.5", 92.8, 92.8, 99.6, None),
    (LENS + "traces/mi300/ddp_resnet18_no_pool/*.gz", "", "--host 0.5", 96.7, 96.7, 99.7, -11.5),
    (LENS + "traces/mi210/gpu_only_trace/*.gz", "", "--host 0.5", 95.3, None, None, 0.03),
    ("real/ROCm+aorta/misc/*200691*.json", "", "--host 0.5", 65.4, 65.4, 83.0, 0.0),
]


def real(data):
    for pattern, window, options, *want in REAL:
        files = [p for p in sorted(glob.glob(os.path.join(data, pattern), recursive=True)) if "alloc" not in p]
        if not files:
            continue
        rows = q.ask("whatif " + options + (" -w " + window if window else ""), *files)
        got = [float(rows[0][k]) for k in ("predicted_pct", "low_pct", "high_pct", "model_error_pct")] if rows else []
        print(f"real {os.path.basename(os.path.dirname(files[0]))} {options}: {want}, here {got}")
        # Predictions within one part in a hundred, how far the model is off within a third of a percent.
        near = [want[0] / 100, 1, 1, 0.34]
        if not got or any(w is not None and abs(g - w) > most for g, w, most in zip(got, want, near)):
            q.say(f"{files[0]} {options}: {got}, not {want}")
        q.compared["real figures"] += 1


def random_ones(work, what, n, make, law):
    rng = random.Random(16)
    for i in range(n):
        folder = os.path.join(work, f"{what}{i}")
        os.mkdir(folder)
        law(f"{what} {i}", *[f"{rank}=" + q.put(folder, f"r{rank}_{word}.csv", head, lines)
                             for rank in range(rng.choice([1, 1, 2, 3]))
                             for word, (head, lines) in make(rng).items() if lines])
        q.compared[what + " traces"] += 1


def main():
    whole = effort.PERCENT == 100
    n = int(os.environ.get("PROGRAMS") or (240 if whole else max(6, 120 * effort.PERCENT // 100)))
    first = int(os.environ.get("FIRST") or 7000)
    with tempfile.TemporaryDirectory() as work:
        for what, programs_of, share in (("easy", n, 0.0), ("contention", n // 2, 0.5)):
            errors = simulated(work, range(first, first + programs_of), what, share)
            judge(what, errors)
            if os.environ.get("TABLE"):
                table(what, errors)
        if os.environ.get("TABLE"):
            sys.exit(bool(q.failed))
        one_rank(work, range(first, first + max(8, n // 6)))
        # Harder than those of the definition: what is predicted may be far off, the interval says so.
        judge("joins", simulated(work, range(first, first + n // 6), "joins", kind=programs.threads))
        judge("crowd", simulated(work, range(first, first + n // 6), "crowd", share=0.5, kind=programs.crowd))
        # The first were wrong once: waits that were over were taken for what held the collective back.
        exact(work, [7036, 7050, 7155, *range(first, first + n // 4)])
        random_ones(work, "random", 1000 if whole else 240 * effort.PERCENT // 100, hostile, lawful)
        random_ones(work, "marked", 1 + effort.PERCENT, marked, stepped)
        for one in effort.sample(list(q.traces(sys.argv[1:], WORDS)), effort.PERCENT if whole else effort.PERCENT // 2 or 1):
            lawful(" ".join(one), *one)
            stepped(" ".join(one), *one)
            q.compared["traces"] += 1
        for folder in sys.argv[2:]:
            real(folder)
        below = os.path.join(work, "laws")
        os.mkdir(below)
        questions = ["whatif", "whatif --no-sync --scale /./=0.5 --ranks", "path --list"]
        for one in q.laws(below, questions, hostile, effort.rounds(40)):
            lawful("laws", *one)
    q.finish({"predictions": 500, "traces": 60, "random traces": 240, "exact": 20, "marked traces": 100, "steps": 200, "laws": 200, "likely": 500, "in one rank": 400})


main()
