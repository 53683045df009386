# One process drives two GPUs.  Both collectives are matched over its agents, as kstats collectives does: the first from
# 20 us, when agent 4 comes, to 50 us; agent 5 comes 5 us later, and an arrow goes from 4 to 5.  There is no last rank.
{
	echo kind,rank,pid,tid,agent,queue,corr,name,start_ns,end_ns
	for i in 0 1; do
		t=$((i * 100000))
		for g in 4 5; do
			echo "kernel,0,7,8,$g,1,1,work,$((t + 1000)),$((t + 20000 + (g - 4) * 5000))"
			echo "kernel,0,7,8,$g,2,2,ncclDevKernel_AllReduce_Sum_f32(x),$((t + 20000 + (g - 4) * 5000)),$((t + 50000))"
		done
	done
} >one.csv
kstats collectives -q -f csv --columns count,ranks one.csv
tracecat -q --to chrome -o one.json one.csv || exit
grep -c '"cat":"tm_collective"' one.json
grep -o '"cat":"tm_collective".*' one.json | head -n 1
# Of each, one end that an arrow leaves and one where it ends.
grep -o '"ph":"[stf]"' one.json | sort | uniq -c
