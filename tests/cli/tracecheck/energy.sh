# Energy by kernel class, from readings and a trace among the operands; the figures are those of powerstats/energy:
# gemm 70.3125 J, 87.5 W, 40.1786 %, elementwise 57.8125 J, softmax 195 W.
cp -r "$TESTDATA/madengine/2.0/energy" run
check() {
	tracecheck -q -f csv --columns verdict,value,op,bound,unit,baseline,rule,row,rows,reason "$@" | tail -n +2
}
for from in run "run/app_kernel_trace.csv run/gpu_info_power_profiler_output.csv"; do
	# shellcheck disable=SC2086
	check --rule 'powerstats.energy(--offset 1000000000)["gemm"].energy_j < 71' \
		--rule 'powerstats.energy(--offset 1000000000)["*"].mean_w < 190' \
		--rule 'powerstats.energy(--offset 1000000000 --scale 2)["gemm"].energy_j == 140.625' \
		--rule 'powerstats.energy_j < 351' --rule 'top["*"].calls > 0' $from
done
# A baseline has readings and a trace of its own.  Where GPU0 goes to 300 W, E(t) = 100 t + 100 t^2: gemm has 31.25 alone,
# 43.75/2 shared, 25 on GPU1, 78.125 in all; 1.03 times 70.3125 is 72.42.
mkdir hot
cp run/*.csv hot
sed -i 's/,200.0,/,300.0,/' hot/gpu_info_power_profiler_output.csv
check --rule 'powerstats.energy(--offset 1000000000)["gemm"].energy_j <= baseline * 1.03' --baseline hot run
check --rule 'powerstats.energy(--offset 1000000000)["gemm"].energy_j <= baseline * 1.03' --baseline run hot
# No trace; no readings; clocks that nobody can lay beside each other; a number no class has; what is not in a rule.
check --rule 'powerstats.energy["gemm"].energy_j < 71' run/gpu_info_power_profiler_output.csv
check --rule 'powerstats.energy["gemm"].energy_j < 71' run/app_kernel_trace.csv
check --rule 'powerstats.energy["gemm"].energy_j < 71' run
check --rule 'powerstats.energy(--offset 1000000000)["conv"].energy_j < 71' run
check --rule 'powerstats.energy["gemm"].peak_w < 71' run
check --rule 'powerstats.energy(--trace x).energy_j < 71' --rule 'powerstats(--offset 3).energy_j < 71' run
check --rule 'powerstats.energy["gemm"].energy_j < 71' - <run/app_kernel_trace.csv
tracecheck -q --rule 'powerstats.energy(--offset 1000000000)["gemm"].energy_j < 70' run
