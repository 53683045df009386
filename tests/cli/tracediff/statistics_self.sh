# The statistics of a run are that run: not compared with its trace, nor with themselves, unless asked
# for.  One call more is another run.
# shellcheck source=/dev/null
. "$ROOT/tests/cli/two_ranks"
a=rank0/m_kernel_trace.csv
n='ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)'
{
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo '"k",2,700,350.000000,63.636364,300,400,70.710678'
	echo "\"$n\",1,400,400.000000,36.363636,400,400,0.000000"
} >s_kernel_stats.csv
sed 's/"k",2,700/"k",3,700/' s_kernel_stats.csv >o_kernel_stats.csv
cp s_kernel_stats.csv copy_kernel_stats.csv
for b in s o; do
	tracediff -q -f csv --columns name,status,calls_a,calls_b $a ${b}_kernel_stats.csv
	echo $?
	tracediff -q -f csv --columns name,status,calls_a,calls_b ${b}_kernel_stats.csv $a
	echo $?
done
tracediff -q s_kernel_stats.csv copy_kernel_stats.csv
echo $?
tracediff -q -f csv --columns name,status,calls_a,calls_b --allow-self $a s_kernel_stats.csv
echo $?
tracecheck -q --baseline $a --rule 'top["k"].calls <= baseline' s_kernel_stats.csv
