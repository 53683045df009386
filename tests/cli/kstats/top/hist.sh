# How many calls of a name took how long.  Edges are powers of two and three between each and the next: 1000 ns is in
# 896..1024, 1024 in 1024..1280, 1279 too, 1280 in the next.  Counts of very many calls are as exact.
f=k_kernel_trace.csv
{
	echo '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for ns in 3 1000 1024 1279 1280; do
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",\"gemm_tile\",1,100000,$((100000 + ns))"
	done
	echo '"KERNEL_DISPATCH","Agent 4","other_tile",1,100000,100001'
} >$f
kstats top --hist gemm -f csv $f | grep -v ,0,0.0000 || exit
kstats top --hist tile -n 2 $f || exit
awk -F, 'NR == 1 || /gemm/ { print } /gemm/ { for (i = 1; i < 400; i++) print }' $f >many_kernel_trace.csv
kstats top --hist gemm -f csv --columns from_ns,calls many_kernel_trace.csv | grep -v ',0$' || exit
kstats top -q --unit us --columns name,total_ns,avg_ns,min_ns $f || exit
kstats top -q --unit auto --columns name,total_ns $f || exit
kstats top -q --unit ns -f csv --columns name,total_ns $f || exit
kstats top --hist nothing $f
