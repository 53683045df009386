# A folder of -d has each process's files and one of all of them. Two processes of 2610 ns each: 5220 in
# all, ranks 0 and 1; the whole's alone gives the same. A whole that is not the sum of its parts is an
# error, and so is a database of the same name beside them that holds other kernels.
mkdir run
for p in 7001 7002; do
	for f in hip_api hcc_ops; do
		sed "s/7001/$p/g" "$TESTDATA/rocprofv1/6.2/text_hip/7001_${f}_trace.txt" >run/${p}_${f}_trace.txt
		cat run/${p}_${f}_trace.txt >>run/${f}_trace.txt
	done
done
top() {
	kstats top -q "$@" -f csv --per rank --columns rank,name,calls,total_ns
	echo "status $?"
}
kstats top -f csv --per rank --columns rank,name,calls,total_ns run; echo "status $?"
mkdir whole
cp run/h*_trace.txt whole
top whole
cp "$TESTDATA/rocprofv1/6.2/database/trace.db" run/results.db
top -n 1 run
rm run/results.db
echo >>run/hcc_ops_trace.txt
top -n 1 run
