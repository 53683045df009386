# A trace that is empty is worth a word: its rank is missing.  Not so what is no trace by its name.
sh "$ROOT/tests/cli/two_ranks"
: >rank0/m_kernel_trace.csv && : >rank0/log.txt && : >rank0/hcc_ops_trace.txt && gzip -c rank0/log.txt >rank0/x_results.db.gz
kstats top -f csv --columns name,calls . && kstats top -q -f csv --columns name,calls . && tar cf ranks.tar rank* &&
	kstats top -f csv --columns name,calls ranks.tar
