# Host: what the traces of a rank say; two of one rank have no common window.  A merged database as the traces.
for r in a b; do
	cp "$TESTDATA/rocpd/3.0.5/small/70_results.db" $r.db
	suffix=$(sqlite3 $r.db "SELECT substr(name, length('rocpd_string') + 1) FROM sqlite_schema WHERE name LIKE 'rocpd\_string%' ESCAPE '\\' LIMIT 1")
	sqlite3 $r.db "CREATE TABLE \"rocpd_info_node$suffix\"(id INTEGER, hostname TEXT)" \
		"INSERT INTO \"rocpd_info_node$suffix\" VALUES (1, 'node-$r')"
done
facts=rank,host,pid,clock,clock_error_ns
kstats ranks -q -f csv --columns $facts 0=a.db 1=b.db
kstats ranks -q -f csv --columns $facts 0=a.db 0=b.db
tracemerge -q --align none -o run.db 0=a.db 1=b.db
kstats ranks -q -f csv --columns $facts run.db
# So has the summary, and the first screen where there are several ranks; of a rank that does not say it is not known.
hosts() {
	kstats summary -q -f csv "$@" | grep ^hosts
	kstats -q "$@" | sed -n 's/.*\([0-9] rank[^G]*\) GPU.*/\1/p'
}
hosts 0=a.db 1=b.db
hosts 0=a.db 1=a.db
hosts run.db
cp "$TESTDATA/rocpd/3.0.5/small/70_results.db" plain.db
kstats summary -q -f csv 0=a.db 1=plain.db 2=plain.db | grep ^hosts
# A log of RCCL names its host as well; and a file that does not takes nothing away.
echo 'node-c:70:70 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm 0x3 [nranks=1] stream 0x4 task 0 globalrank 0' >c.log
head='"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
{
	echo "$head"
	echo '"KERNEL_DISPATCH",4,1,1,"ncclDevKernel_Generic(ncclDevKernelArgs)",1,10,20'
} >c.csv
kstats ranks -q -f csv --columns $facts 0=c.csv 0=c.log
# Error of the clock: ten collectives, of which rank 1 leaves the i-th i ns late.  Differences -1 ... -10, mean
# -6 (-5.5, down), distances from it 5 4 3 2 1 0 1 2 3 4, median 2; a deviation of one is 3, three of the mean of ten 3,
# and a drift of 200 ppm, the most there is, 1 in half of 9 us: together 6 and at the end 7.  So the clocks may be one, as
# nobody says that the hosts are two, and are taken for that; then the 6 are added to the error (less what the middle
# of the ten is off, which is 0).  Raw traces are not aligned.
for r in 0 1; do
	awk -v r=$r -v head="$head" 'BEGIN {
		print head
		for (i = 1; i <= 10; i++) {
			end = 10000 + 1000 * i + r * i
			printf "\"KERNEL_DISPATCH\",4,1,1,\"ncclDevKernel_Generic(ncclDevKernelArgs)\",%d,%d,%d\n", i, end - 100, end
		}
	}' >rank$r.csv
done
kstats ranks -q -f csv --columns $facts rank0.csv rank1.csv
tracemerge -q -o run.db rank0.csv rank1.csv
kstats ranks -q -f csv --columns $facts run.db
# A trace of rank 1 that is not aligned: nothing is known of the rank.
{
	echo "$head"
	echo '"KERNEL_DISPATCH",4,1,1,"ncclDevKernel_Generic(ncclDevKernelArgs)",1,10890,10930'
} >d.csv
kstats ranks -q -f csv --columns $facts run.db 1=d.csv
tracemerge -q --align none -o run.db rank0.csv rank1.csv
kstats ranks -q -f csv --columns $facts run.db
