# One run, as rocpd and as the CSV files that `rocpd convert` makes of it: the same answer in every domain.
for d in kernel copy hip hsa marker alloc scratch all; do
	kstats top -q -f csv --domain $d "$TESTDATA/rocpd/7.1/run" >csv.out
	kstats top -q -f csv --domain $d "$TESTDATA/rocpd/3.0.0/run/out_results.db" >db.out
	cmp csv.out db.out && echo "$d: $(wc -l <db.out) lines"
done
