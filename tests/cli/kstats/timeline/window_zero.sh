# 0 is an edge like others, on a clock that begins there: kernels [10,20) and [30,40) in [0,50) leave 30 of 50 idle,
# and the gaps are 10 before, between and behind them.  An edge that is left open is that of the work: [10,50) and [0,40).
cat >1_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",1,1,"k",1,10,20
"KERNEL_DISPATCH",1,1,"k",2,30,40
END
for w in 0..50 ..50 0.. ..; do
	kstats timeline -q -f csv --columns window_ns,idle_ns,idle_pct -w $w 1_kernel_trace.csv
done
kstats gaps -q -f csv --columns gaps,idle_ns,p50_ns -w 0..50 1_kernel_trace.csv
kstats classes -q -f csv --columns window_pct -w 0..50 1_kernel_trace.csv
