# Ten collectives of each of three ranks, one every 1000 ns, that all ranks leave together.  The clock of
# rank 1 is 500 behind that of rank 0, but for two ends that came 7 late, and that of rank 2 is 100
# ahead: it stays, rank 0 is 100 later, rank 1 600.  Half of the ends and more agree, so nothing is left but what
# a drift of up to 200 ppm, which ten ends do not rule out, adds from the middle to the ends: 1 ns; for rank 1, which is
# compared with rank 0, 1 more, and 1 for the rounding of either end.
for r in 0 1 2; do
	awk -v r=$r 'BEGIN {
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\""
		for (i = 1; i <= 10; i++) {
			end = 10000 + 1000 * i + (r == 1 ? -500 + (i < 3 ? 7 : 0) : r == 2 ? 100 : 0)
			printf "\"KERNEL_DISPATCH\",4,1,1,\"ncclDevKernel_Generic(ncclDevKernelArgs)\",%d,%d,%d\n", i, end - 100 - 10 * r, end
		}
	}' > rank$r.csv
done
tracemerge -o run.db rank0.csv rank1.csv rank2.csv 2> err
sed 's/, [0-9]* bytes.*//' err
sqlite3 run.db 'SELECT method, offset_ns, residual_ns FROM clock; SELECT rank, min("end"), max("end") FROM kernels GROUP BY rank'
# Durations are what they were.
kstats top -f csv --per rank --columns rank,calls,total_ns -s name rank0.csv rank1.csv rank2.csv > want
kstats top -f csv --per rank --columns rank,calls,total_ns -s name run.db | cmp - want
# One less on one rank.
sed -i '$d' rank2.csv
tracemerge --align collectives -o never.db rank0.csv rank1.csv rank2.csv; echo $?
tracemerge --align realtime -o never.db rank0.csv rank1.csv rank2.csv; echo $?
tracemerge -o run.db rank0.csv rank1.csv rank2.csv 2> err
sed 's/, [0-9]* bytes.*//' err
sqlite3 run.db 'SELECT DISTINCT method, offset_ns, residual_ns FROM clock'
ls
