# A copy without a direction has an empty name in the trace and an empty cell in what tracecat writes of it: read again it is
# the same copy, not a row without times.  A sample of a counter, whose cell is empty as well, stays a sample.
cat >a_memory_copy_trace.csv <<'END'
"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","",0,"Agent 0","Agent 4",1,1000,2000
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE",0,"Agent 0","Agent 4",2,3000,4000
END
kstats copies -q -f csv a_memory_copy_trace.csv
for format in csv ndjson; do
	tracecat -f $format a_memory_copy_trace.csv >again.$format
	kstats copies -f csv --columns direction,src,dst,calls again.$format
	tracecat -f $format again.$format | cmp - again.$format && echo same
done
printf '%s\n' kind,name,agent,start_ns,end_ns,counter,value counter,,4,5,5,power,300 counter,gemm,4,5,6,SQ_WAVES,7 >counters.csv
tracecat --columns kind,name,counter,value counters.csv
powerstats -q -f csv --columns agent,sensor,samples counters.csv
