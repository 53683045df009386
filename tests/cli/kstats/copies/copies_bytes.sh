# Sizes come from the pftrace; GB/s is bytes a nanosecond of the copies that tell theirs.  With rows of CSV
# beside them, 1 of 12 does not.
cat >p_memory_copy_trace.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 2",5,150,1150
END
ln -s "$TESTDATA" data
kstats copies -f csv data/perfetto-sdk/44/tiny/tiny.pftrace
kstats copies -f csv 0=data/perfetto-sdk/44/tiny/tiny.pftrace 0=p_memory_copy_trace.csv
tracecat -q --kind copy --columns bytes,direction,start_ns,end_ns data/perfetto-sdk/44/tiny/tiny.pftrace >c
awk -F, 'NR > 1 { b[$2] += $1; t[$2] += $4 - $3 } END { for (d in b) print d, b[d], t[d], b[d] / t[d] }' c | sort
