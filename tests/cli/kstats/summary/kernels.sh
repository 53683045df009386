# -n is the number of kernels on the first screen and among the rows of machine formats, and cuts nothing else.  Twelve
# kernels of 12, 11 ... 1 ns and 10 ns apart: 8 of them in text and 10 elsewhere if not asked for, all with -n 0.  Of
# 78 ns of kernels 2 and 1 are 2.5641 % and 1.2821 %.
{
	echo kind,name,start_ns,end_ns,agent
	for i in 12 11 10 9 8 7 6 5 4 3 2 1; do
		echo "kernel,gemm_$i,$((1000 - i * 30)),$((1000 - i * 30 + i)),1"
	done
} >run.csv
for n in '' '-n 2' '-n 0' '-n 30'; do
	kstats -q $n run.csv >text && grep -c 'gemm_' text
	kstats -q $n -f md run.csv >md && grep -c 'gemm_' md
	kstats -q $n -f csv run.csv >csv && grep -c '^top\.' csv
	kstats -q $n --columns metric,name run.csv >rows && grep -c '^top\.' rows
	# All other rows are the same.
	grep -v '^top\.' csv >rest.new; [ ! -f rest ] || cmp rest rest.new; mv rest.new rest
done
grep -e '^top\.1[012]*\.' csv
kstats summary --help | grep -A 1 -e --rows
