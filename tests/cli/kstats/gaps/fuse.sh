# Three times a (2 us), after 1 us b (3 us), after 0.5 us long (50 us): a and b are short and always follow each other, 3 runs of
# 5 us with 1 us between; b and long do, but long is not short.  p q p q p q p q, 0.2 us apart, is four runs of two: 4 x 0.2 us
# within them, not the 3 x 0.2 us from one to the next.  f follows only itself.  c is followed by d, or by e: d and e always come
# after c, but not three times.  A copy is no kernel.
i=0 t=100000
op() { # NAME US-TENTHS GAP-TENTHS
	i=$((i + 1)) t=$((t + $3 * 100))
	echo "\"KERNEL_DISPATCH\",2,1,1,\"$1\",$i,$t,$((t + $2 * 100))"
	echo "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",7,7,$i,$((t - 900)),$((t - 600))" >&3
	t=$((t + $2 * 100))
}
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"' >&3
	for _ in 1 2 3; do op 'void a<int>(float*, int)' 20 40; op b 30 10; op long 500 5; done
	for _ in 1 2 3 4; do op p 10 2; op q 10 2; done
	op long 500 3
	for _ in 1 2 3 4; do op f 10 2; done
	op long 500 3
	op c 10 3; op d 10 2; op long 500 3; op c 10 3; op e 10 2
} >t_kernel_trace.csv 3>t_hip_api_trace.csv
kstats gaps --fuse -f csv t_*.csv || exit
COLUMNS=120 kstats gaps --fuse -q t_*.csv || exit
COLUMNS=80 kstats gaps --fuse -q t_*.csv || exit
kstats gaps --fuse -q -f csv --short 51 --columns kernels,runs,gap_ns,sequence t_kernel_trace.csv || exit
tracemerge -q -o run.db t_*.csv || exit
kstats gaps --fuse -q -f csv --per stream t_*.csv >raw
kstats gaps --fuse -q -f csv --per stream -j 3 run.db | cmp - raw || exit
kstats gaps --fuse --short 1 t_kernel_trace.csv
