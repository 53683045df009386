# Times up to the last that there is: busy from 2 us on, drawn at once; and times beyond 2^63 come back from Perfetto's
# format, of which only what others wrote may lie before the epoch.
cat >last.csv <<'EOF'
kind,rank,agent,corr,name,start_ns,end_ns
kernel,0,4,1,a,0,1000
kernel,0,4,2,b,2000,18446744073709551615
EOF
tracecat --to chrome --no-findings last.csv | grep -e tm_state -e tm_own
late=$TESTDATA/rocprofv3/7.0/hostile/uint64_kernel_trace.csv
for run in last.csv "$late"; do
	tracecat --to pftrace --no-findings -o far.pftrace "$run"
	tracecat --columns name,start_ns,end_ns --kind kernel "$run" >before
	tracecat --columns name,start_ns,end_ns --kind kernel far.pftrace | cmp - before && echo same
done
