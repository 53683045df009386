# A value that is not there is a failure named so, and status 2: no row, no column of that name in this run, no table.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
END
tracecheck -q --rule 'top["nothing"].avg_us < 30' t.csv; echo $?
tracecheck -q --rule 'sync.idle_pct < 5' --rule 'inputs == 1' t.csv; echo $?
tracecheck -q --rule 'copies.bytes < 5' --rule 'regions[forward].count > 0' -f csv t.csv; echo $?
tracecheck -q --rule 'top.2.kernel_pct < 50' t.csv; echo $?
# What fails still fails, and what has no value makes it inconclusive.
tracecheck -q --rule 'top.avg_us < 30' --rule 'sync.idle_pct < 5' t.csv; echo $?
# A row without a value among others: the idle time between copies of nothing.
tracecheck -q --rule 'launch.queue_avg_us < 5' t.csv
