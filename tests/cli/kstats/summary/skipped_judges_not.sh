# Two kernels of 40 us, 20 us apart: 20 % idle, over the target of 10 %.  With a third row whose end is not a number, and which may have
# filled that time, nothing is judged: neither in the summary nor on the first screen.
{
	echo kind,name,rank,pid,agent,start_ns,end_ns
	echo kernel,a,0,1,4,0,40000
	echo kernel,a,0,1,4,60000,100000
} >all.csv
{ cat all.csv && echo kernel,a,0,1,4,41000,x; } >less.csv
for run in all less; do
	echo $run
	kstats summary -q -f csv $run.csv | grep -c ',missed\|,met'
	kstats summary -q -f csv --columns metric,value,verdict $run.csv | grep 'rows.skipped\|timeline.idle_pct'
	kstats -q $run.csv | grep '^target'
done
