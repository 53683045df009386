# 120 databases in one command, more than SQLite can attach to one another.  Each has its own clock, so that
# none is a copy: 120 times 100 and 300 ns.
for i in $(seq 120); do
	cp "$TESTDATA/rocpd/3.0.0/small/70_results.db" "$i.db"
	sqlite3 "$i.db" "UPDATE rocpd_kernel_dispatch_0000000a_0000_7000_8000_000000000000 SET start=start+$i,\"end\"=\"end\"+$i"
done
kstats top -f csv --columns name,calls,total_ns ./*.db
