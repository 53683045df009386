# Work and peaks.  MI300X: 304 CUs x 2100 MHz x 2048 = 1307.4432 TFLOP/s of bf16 matrix, 708 published, 5300 GB/s.
# mm 1024^3, twice in 20 us: 2 x 2^31 / 20 us = 214.7484 TFLOP/s, 16.4251 % of theory, 30.3317 % of the published maximum; 6 MiB each,
# 341.3333 FLOP a byte; under the roof it takes 3285.01 ns, so 16714 are lost.  Its 32 tiles of 256x128 fill the result, and
# 32 of 304 CUs.  mm 300x64x200 with tiles of 128x64 (columns are rows for BLAS): 200 x 300 of 256 x 320, 73.2422 %.
# bmm of f32: VALU by its name, so packed vectors: 163.4304.  addmm has a bias of N; kernels of no matrix class do nothing of it.
# Both kernels of convolution_backward did its work: 2 x 2 x N K Ho Wo C Y X = 4 x 8 x 16 x 6 x 6 x 4 x 3 x 3 = 663552.
# Causal attention: half of 4 B H N N D = 4 x 2 x 4 x 128 x 128 x 64.  A convolution that skips input has no least bytes.
n=0 k=0
begin() {
	printf '{"schemaVersion": 1, "roctracer_version": 4.1, "deviceProperties": [{"id": 0, "name": "%s", "computeMajor": 9, "computeMinor": 4, "warpSize": 64, "numSms": 304}], "traceEvents": [' "$1"
	n=0
}
op() { # NAME SECONDS_FROM LENGTH TYPES DIMS VALUES
	n=$((n + 1))
	[ $n -eq 1 ] || printf ','
	printf '\n{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 7, "tid": 7, "ts": %d, "dur": %d, "args": {"External id": %d%s%s%s}}' \
		"$1" "$2" "$3" $n "${4:+, \"Input type\": [$4]}" "${5:+, \"Input Dims\": [$5]}" "${6:+, \"Concrete Inputs\": [$6]}"
}
kernel() { # NAME FROM LENGTH GROUPS [OP]
	k=$((k + 1))
	printf ',\n{"ph": "X", "cat": "cuda_runtime", "name": "hipExtModuleLaunchKernel", "pid": 7, "tid": 7, "ts": %d, "dur": 1, "args": {"correlation": %d}}' \
		$(($2 - 8)) $k
	printf ',\n{"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 3, "ts": %d, "dur": %d, "args": {"External id": %d, "device": 0, "stream": 3, "correlation": %d, "grid": [%d, 1, 1], "block": [256, 1, 1]}}' \
		"$1" "$2" "$3" "${5:-$n}" $k $(($4 * 256))
}
B='"c10::BFloat16"'
MT=Cijk_Alik_Bljk_BBS_BH_MT256x128x64_MI16x16x1_SN
{
	begin "AMD Instinct MI300X"
	op aten::mm 0 5 "$B, $B" "[1024, 1024], [1024, 1024]" '"", ""'
	kernel $MT 10 8 32
	op aten::mm 20 5 "$B, $B" "[1024, 1024], [1024, 1024]" '"", ""'
	kernel $MT 30 12 32
	op aten::mm 50 5 "$B, $B" "[300, 64], [64, 200]"
	kernel Cijk_Alik_Bljk_BBS_BH_MT128x64x32_MI16x16x1_SN 60 4 10
	op aten::bmm 70 5 '"float", "float"' "[8, 64, 32], [8, 32, 16]"
	kernel Cijk_Ailk_Bljk_SB_MT64x16x8_TT4_4_SN 80 5 8
	op aten::addmm 100 5 "$B, $B, $B, \"Scalar\", \"Scalar\"" "[48], [64, 32], [32, 48], [], []" '"", "", "", "1", "1"'
	kernel "void at::native::vectorized_elementwise_kernel<4, f>(int)" 110 3 8
	kernel my_own_product 120 2 8
	op aten::convolution_backward 130 20 "$B, $B, $B, \"ScalarList\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\", \"ScalarList\", \"Scalar\", \"ScalarList\"" \
		"[8, 16, 6, 6], [8, 4, 6, 6], [16, 4, 3, 3], [], [], [], [], [], [], [], []" \
		'"", "", "", "[0]", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[True, True, False]"'
	kernel igemm_bwd_gtcx3_nhwc_bf16_bx0_ex0_bt64x64x16 140 6 8
	kernel igemm_wrw_gtcx3_nhwc_bf16_bx0_ex0_bt64x64x16 150 4 8
	op aten::_scaled_dot_product_flash_attention 160 5 "$B, $B, $B, \"Scalar\", \"Scalar\", \"Scalar\", \"\"" \
		"[2, 4, 128, 64], [2, 4, 128, 64], [2, 4, 128, 64], [], [], [], []" '"", "", "", "0.", "True", "False", ""'
	kernel attn_fwd 170 5 8
	op aten::convolution 200 5 "$B, $B, \"\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\", \"ScalarList\", \"Scalar\"" \
		"[2, 4, 8, 8], [16, 4, 1, 1], [], [], [], [], [], [], []" '"", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "1"'
	kernel miopenSp3AsmConv_v30_3_1_gfx9_fp16_f2x3_stride2 210 5 8
	# Nobody knows: another operator, no sizes, values that do not tell, two kernels without a class, none at all.
	op vllm::fused_moe 220 5 "$B" "[64, 32]"
	kernel fused_moe_kernel 230 7 8
	op aten::mm 240 5
	kernel $MT 250 3 32
	op aten::_scaled_dot_product_flash_attention 260 5 "$B, $B, $B, \"Scalar\", \"Scalar\", \"Scalar\", \"\"" \
		"[2, 4, 128, 64], [2, 4, 128, 64], [2, 4, 128, 64], [], [], [], []"
	kernel attn_fwd 270 2 8
	op aten::mm 280 5 "$B, $B" "[8, 8], [8, 8]"
	kernel mine 290 2 8
	kernel yours 295 2 8
	kernel $MT 300 1 32 999
	echo ']}'
} >t.pt.trace.json
kstats roofline -f csv t.pt.trace.json || exit
COLUMNS=150 kstats roofline -q t.pt.trace.json || exit
kstats roofline -q -f csv t.pt.trace.json >raw
tracemerge -q -o run.db t.pt.trace.json || exit
kstats roofline -q -f csv run.db | cmp - raw || exit
# gfx942 with 304 CUs may be MI300X or MI325X: --gpu says.
{
	begin ""
	op aten::mm 0 5 "$B, $B" "[1024, 1024], [1024, 1024]" '"", ""'
	kernel $MT 10 8 32
	echo ']}'
} >u.pt.trace.json
kstats roofline -f csv --columns tflops,peak,peak_pct,lost_ns,gpu,note u.pt.trace.json || exit
kstats roofline -q -f csv --columns published_pct,gpu --gpu MI325X u.pt.trace.json || exit
kstats roofline --gpu MI999 u.pt.trace.json; echo $?
# A build of the profiler that writes the workgroup as grid and work-items as block: 32 workgroups of 256 all the same.  What is added
# with a factor of 0 is not read: 3 x 32 x 32 x 2 bytes.
n=0
{
	begin "AMD Instinct MI300X" | sed 's/"roctracer_version": 4.1/"rocprofiler-sdk_version": "1.0"/'
	op aten::addmm 0 5 "$B, $B, $B, \"Scalar\", \"Scalar\"" "[32, 32], [32, 32], [32, 32], [], []" '"", "", "", "0", "1"'
	k=2000 # a pipe counts for itself
	kernel $MT 10 8 32 | sed 's/"grid": \[8192, 1, 1\], "block": \[256, 1, 1\]/"grid": [256, 1, 1], "block": [8192, 1, 1]/'
	op aten::addmm 30 5 "$B, $B, $B, \"Scalar\", \"Scalar\"" "[32, 32], [32, 32], [32, 32], [], []" '"", "", "", "1", "1"'
	kernel $MT 40 8 32
	echo ']}'
} >s.pt.trace.json
kstats roofline -q -f csv --columns op,calls,bytes,round_pct s.pt.trace.json || exit
# No operators, no matrix kernels, only sums.
ln -s "$TESTDATA" data
kstats roofline -f csv --columns name,calls,note data/rocprofv3/7.0/demo || exit
kstats roofline data/rocprofv3/7.0/run/app_hip_api_trace.csv; echo $?
kstats roofline data/rocprofv3/7.0/stats; echo $?
kstats roofline -w 1ns..2ns t.pt.trace.json; echo $?
