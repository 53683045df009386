# A pattern alone is for the column that names the rows, whatever text is before it or whichever
# column that is with an option.
d=$TESTDATA/rocprofv3/7.0
tracecheck -q -f csv --columns verdict,value,rule,row,rows "$d/run" \
	--rule 'efficiency[parallel].value > 0.9' \
	--rule 'efficiency["host_*"].value > 0.5' \
	--rule 'efficiency[metric=load_balance].value > 0.5' \
	--rule 'gaps(--by call)["hipLaunch*"].gaps < 9' \
	--rule 'gaps(--by next)["vecAdd*"].gaps < 9' \
	--rule 'gaps(--by prev)["vecAdd*"].gaps < 9' \
	--rule 'gaps(--by step)[1].gaps < 9' \
	--rule 'path(--list)["hipLaunchKernel"].duration_ns < 3000'
tracecheck -q -f csv --columns verdict,value,row --rule 'libperf.best["gemm f32_r*"].us < 9' \
	"$TESTDATA/hipblaslt/6.3/bench/all_solutions.txt"
