# SPDX-License-Identifier: MIT
"""kernel_facts.py NAMES: kstats gemm --tiles and --types against regular expressions, for every real kernel name and for
random ones of Tensile's grammar."""
import collections
import random
import re
import sys
import tempfile

import effort
import questions as q

TYPES = {"4xi8": "i8", "F8": "f8", "B8": "f8", "I8": "i8", "I64": "i64", "I": "i32", "S": "f32", "D": "f64", "H": "f16", "B": "bf16",
         "X": "xf32", "C": "c32", "Z": "c64"}


def tensile(name):
    out = {"library": "tensile"}
    m = re.search(r"Cijk_A[a-zC]+_B[a-zC]+_(4xi8|F8|B8|I8|I64|[ISDHBXCZ])", name)
    if m:
        out["type"] = TYPES[m[1]]
        if m[1] == "S" and "_MX_" in name:
            out["type"] = "xf32"
    m = re.search(r"_MT(\d{1,7})x(\d{1,7})(?:x(\d{1,7}))?", name)
    if m:
        out["tile"] = "x".join(x for x in m.groups() if x)
        rest = name[m.start():]
        isa = re.search(r"_ISA(\d+)(?![0-9A-Za-z])", rest)
        if re.search(r"_MI\d+x", rest):
            out["instruction"] = "matrix" if not isa else "wmma" if int(isa[1]) > 999 else "mfma"
        elif re.search(r"_TT\d+_", rest):
            out["instruction"] = "valu"
        m = re.search(r"_GSU(\d+)(?![0-9A-Za-z])", rest)
        if m and m[1] != "0":
            out["split_k"] = m[1]
        m = re.search(r"_SK(\d+)(?![0-9A-Za-z])", rest)
        if m:
            out["stream_k"] = "no" if m[1] == "0" else "yes"
    m = re.search(r"_PostGSU(\d+)(?![0-9A-Za-z])", name)
    if m and int(m[1]) > 1:
        out["split_k"] = m[1]
    return out


def facts(name):
    if "Cijk_" in name:
        return tensile(name)
    m = re.search(r"igemm_\w+?_gtcx\d?_\w+?_(fp32|fp16|bf16)_\w*?_bt(\d+x\d+x\d+)_", name)
    if m:
        return {"library": "miopen", "type": m[1].replace("fp", "f"), "instruction": "mfma", "tile": m[2]}
    m = re.search(r"aiter::(f4|bf16|f8|[iI]8)gemm_\w*?_(\d+x\d+)(?!\w*_\d+x\d)", name)
    if m:
        return {"library": "aiter", "type": m[1].lower(), "instruction": "mfma", "tile": m[2], **({"split_k": "yes"} if "splitk" in name else {})}
    m = re.match(r"(?:miopenSp3AsmConv|ConvWinograd|MIOpenConv|naive_conv_)(?:.*_(fp32|fp16|bf16)_)?", name)
    if m:
        return {"library": "miopen", "instruction": "valu", **({"type": m[1].replace("fp", "f")} if m[1] else {})}
    m = re.match(r"aiter::(?:fmha_(?:fwd|bwd)_hd\d+_(bf16|fp16|fp8)|mla_|pa_)\w*$", name)
    if m and not re.search(r"_\d+x\d|reduce|splitk", name):
        return {"library": "aiter", "instruction": "mfma", **({"type": m[1].replace("fp", "f")} if m[1] else {})}
    if name.startswith("triton_tem_") and "BLOCK_SIZE_M_" not in name:
        return {"library": "triton", "instruction": "matrix"}
    if re.match(r"(void )?rocblas_gemv", name):
        return {"library": "rocblas", "instruction": "valu"}
    if re.match(r"[^<(]*\b(paged_attention|add_rmsnorm)\w*[<(]", name):
        return {}
    return None


def made(rng):
    types = rng.choice(["BBS_BH", "HHS_BH", "S_B", "SB", "DB", "HBH", "F8BS_BH", "I8II_BH", "B_BS_BH", "S_MX_B", "ZB"])
    name = f"Cijk_A{rng.choice(['ilk', 'lik'])}_B{rng.choice(['ljk', 'jlk'])}_{types}"
    if rng.random() < .05:
        return name + "_PostGSU%d_VW4" % rng.randint(1, 20)
    name += f"{rng.choice(['', '_Bias_HA_S_SAV_UserArgs'])}_MT{rng.choice([16, 64, 256])}x{rng.choice([1, 48, 224])}x{rng.choice([8, 32, 512])}"
    name += rng.choice(["", "_MI16x16x1", "_MI32x32x8x1"]) + "_SN"
    parts = [p for p in ("GSU" + str(rng.randint(0, 9)), "GSUAMB", "ISA" + rng.choice(["906", "942", "950", "1100", "1201"]),
                         "SK" + str(rng.randint(0, 3)), "SKXCCM" + str(rng.randint(0, 8)), "TT4_4", "WG16_16_1") if rng.random() < .6]
    return "_".join([name, *parts])


def check(names):
    with tempfile.TemporaryDirectory() as tmp:
        path = tmp + "/a_kernel_trace.csv"
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write('"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n')
            for i, n in enumerate(names):
                n = n.replace('"', '""')
                f.write(f'"KERNEL_DISPATCH",4,"{n}",{i},{100000 * i},{100000 * i + i % 977 + 1}\n')
        tiles, types = q.ask("gemm --tiles -n 0", path), q.ask("gemm --types -n 0", path)
    sums = collections.Counter()
    for r in tiles:
        want = facts(r["name"])
        sums[r["type"], r["instruction"]] += int(r["total_ns"])
        if want is None:
            continue
        q.compared["names"] += 1
        for k in ("library", "type", "instruction", "tile", "split_k", "stream_k"):
            if r[k] != want.get(k, ""):
                q.say(f"{r['name']}: {k} is {r[k]!r}, not {want.get(k, '')!r}")
    if {(r["type"], r["instruction"]): int(r["total_ns"]) for r in types} != sums:
        q.say("the types are not the sums of the tiles")


rng = random.Random(3)
names = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        names += [line.rstrip("\n").split("\t")[3] for line in list(f)[1:]]
if names:
    check(names)
check(["triton_tem_fused_mm_%d" % i for i in range(3)] + ["rocblas_gemvn_kernel_%d" % i for i in range(3)] +
      ["aiter::fmha_bwd_hd64_%s_causal" % t for t in ("bf16", "fp16")] + ["MIOpenConvUni_gemm", "ConvWinograd_fp32_a"])
check([made(rng) for _ in range(effort.rounds(1000))])
q.finish({"names": 200})
