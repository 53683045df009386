# Ranks that a run.db has on one clock are on one clock in a picture of it, with the same errors: ten collectives of two ranks,
# whose clocks are 500 ns apart (tests/cli/tracemerge/collectives.sh).  So are ranks of one host that count one clock, also in
# JSON, where times count from the first event; and ranks whose clocks are not known to compare do not.
for r in 0 1; do
	awk -v r=$r 'BEGIN {
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\""
		for (i = 1; i <= 10; i++) {
			end = 10000 + 1000 * i - 500 * r
			printf "\"KERNEL_DISPATCH\",4,1,1,\"ncclDevKernel_Generic(ncclDevKernelArgs)\",%d,%d,%d\n", i, end - 100 - 10 * r, end
		}
	}' >rank$r.csv
	cp "$TESTDATA/rocpd/3.0.5/small/70_results.db" host$r.db
	suffix=$(sqlite3 host$r.db "SELECT substr(name, length('rocpd_string') + 1) FROM sqlite_schema WHERE name LIKE 'rocpd\_string%' ESCAPE '\\' LIMIT 1")
	sqlite3 host$r.db "CREATE TABLE \"rocpd_info_node$suffix\"(id INTEGER, hostname TEXT)" "INSERT INTO \"rocpd_info_node$suffix\" VALUES (1, 'node-1')"
done
tracemerge -q --align collectives -o aligned.db 0=rank0.csv 1=rank1.csv
ask() { # FORMAT INPUT...
	echo "$1"
	shift
	kstats ranks -q -f csv --columns rank,clock_error_ns "$@"
	kstats -q -f csv "$@" | grep -o clocks-apart
}
for inputs in aligned.db '0=host0.db 1=host1.db' '0=rank0.csv 1=rank1.csv'; do
	# shellcheck disable=SC2086 # several words
	ask "$inputs" $inputs
	for to in pftrace chrome; do
		# shellcheck disable=SC2086
		tracecat -q --to $to -o once.$to $inputs
		tracecat -q --to $to -o twice.$to once.$to
		ask $to once.$to >once
		ask $to twice.$to | cmp - once && cat once
	done
done
# Who came last, and how late, is as in the database.
kstats collectives -q -f csv --list --columns index,arrival_skew_ns,last_rank aligned.db >want
tracecat -q --to pftrace -o once.pftrace aligned.db
kstats collectives -q -f csv --list --columns index,arrival_skew_ns,last_rank once.pftrace | cmp - want && tail -n 1 want
