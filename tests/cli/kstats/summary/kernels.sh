# -n is the number of kernels on the first screen and among the rows of machine formats, and cuts nothing else.  Twelve
# kernels of 12, 11 ... 1 ns: 8 of them in text and 10 elsewhere if not asked for, all with -n 0.  Of 78 ns of kernels
# 2 and 1 are 2.5641 % and 1.2821 %.
{
	echo kind,name,start_ns,end_ns,agent
	for i in 12 11 10 9 8 7 6 5 4 3 2 1; do
		echo "kernel,gemm_$i,$((1000 - i * 30)),$((1000 - i * 30 + i)),1"
	done
} >run.csv
count() {
	kstats -q "$@" run.csv >page && grep -c gemm_ page
	kstats -q "$@" -f md run.csv >comment && grep -c gemm_ comment
	kstats -q "$@" -f csv run.csv >rows && grep -c '^top\.' rows
	kstats -q "$@" --columns metric,name run.csv >table && grep -c '^top\.' table
	# All other rows are the same.
	grep -v '^top\.' rows >rest.new; [ ! -f rest ] || cmp rest rest.new; mv rest.new rest
}
count
count -n 2
count -n 0
count -n 30
grep -e '^top\.1[012]*\.' rows
kstats summary --help | grep -A 1 -e --rows
