# SPDX-License-Identifier: MIT
"""passes.py: writes tables of counters of random programs into the directory it is in, and compares how many calls
kstats top counts with how many there are."""
import os
import random
import shutil
import subprocess
import sys

import effort

HEAD = ('"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
        '"Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name",'
        '"Counter_Value","Start_Timestamp","End_Timestamp"\n')
bad = []


def rows(program, ids, counters, execution):
    start = 10**9 * execution
    return ['%d,%d,2,1,%d,7,%d,1,"%s",64,0,0,8,0,16,"%s",%d,%d,%d\n'
            % (i, i, execution, program[i][1], program[i][0], c, i, start + i * 1000, start + i * 1000 + 100)
            for i in ids for c in counters]


def put(path, table):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as f:
        f.write(HEAD + "".join(table))


def calls(folder):
    """How many there are, or what is wrong with them."""
    p = subprocess.run(["kstats", "top", "-q", "-f", "csv", "--columns", "calls", folder], capture_output=True,
                       text=True, check=False)
    shutil.rmtree(folder)
    return sum(map(int, p.stdout.split()[1:])) if p.returncode == 0 else p.stderr


def check(what, seed, got, ok):
    if not ok:
        bad.append("%s, seed %d: %s" % (what, seed, got))


def lossy(r, program, passes):
    """What is left of the dispatches in each pass: of the largest, each other has one at least."""
    n = len(program) - 1
    while True:
        left = [sorted(r.sample(range(1, n + 1), max(8, int(n * r.uniform(.15, .6))))) for _ in range(passes)]
        if all(set(v) & set(max(left, key=len)) for v in left):
            return left


def one(seed):
    r = random.Random(seed)
    n = r.randrange(20, 400)
    program, other = ([None] + [("k%d" % r.randrange(12), r.choice((256, 512, 1024))) for _ in range(n)] for _ in range(2))
    left = lossy(r, program, r.randrange(2, 5))
    for i, ids in enumerate(left, 1):
        put("d/pass_%d/%d_counter_collection.csv" % (i, i), rows(program, ids, ["C%d" % i], i))
    got = calls("d")
    check("passes", seed, got, got == max(map(len, left)))
    for i, p in enumerate((program, other), 1):
        put("d/pass_%d/%d_counter_collection.csv" % (i, i), rows(p, left[i - 1], ["C%d" % i], i))
    got = calls("d")
    if any(program[i] != other[i] for i in set(left[0]) & set(left[1])):
        check("two programs", seed, got, got == len(left[0]) + len(left[1]))
    table = rows(program, range(1, n + 1), "ABC", 1)
    at = r.randrange(1, len(table))
    put("d/a_counter_collection.csv", table[:at])
    put("d/b_counter_collection.csv", table[at:])
    got = calls("d")
    check("cut at row %d" % at, seed, got, got == n if at % 3 == 0 else got == n or "contains a dispatch" in str(got))


rounds = effort.rounds(150)
for seed in range(rounds):
    one(seed)
for b in bad[:20]:
    print("not ok " + b)
print("%d programs, each as passes, beside another and as a table that was cut" % rounds)
sys.exit(bool(bad))
