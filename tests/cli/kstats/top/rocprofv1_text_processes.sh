# A folder of -d has each process's files and one of all of them. Two processes of 2610 ns each: 5220 in
# all, ranks 0 and 1; the whole's alone gives the same. A whole that is not the sum of its parts is an
# error, and so is a database of the same name beside them that holds other kernels.  Members of an archive
# are no other.  Of a single process the whole is the same as its part, whatever is named first.
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
tar cf run.tar run && top run.tar
(cd run && tar cf ../bare.tar ./*) && top bare.tar && rm ./*.tar
mkdir one && cp run/7001_* one && for f in one/7001_*; do cp "$f" "one/${f#one/7001_}"; done
top one && top one/h* one/7001_* && top one one/h* && tar cf one.tar one && top -n 1 one.tar && rm -r one one.tar
mkdir whole
cp run/h*_trace.txt whole
top whole
cp "$TESTDATA/rocprofv1/6.2/database/trace.db" run/results.db
top -n 1 run
rm run/results.db
echo >>run/hcc_ops_trace.txt
top -n 1 run
