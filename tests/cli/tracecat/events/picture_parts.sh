# Of a part of the work of an agent nobody knows when it was idle: with filters that choose one (here 1 ms between two
# gemm belongs to another kernel) only events are drawn, and a note says so. Other filters change nothing.
cat >run.csv <<'EOF'
kind,rank,agent,stream,corr,name,start_ns,end_ns
kernel,0,4,1,1,gemm(float*),1000,2000
kernel,0,4,1,2,other(int),2000,9000
kernel,0,4,1,3,gemm(float*),9000,10000
EOF
tracecat --to chrome --no-findings -k gemm run.csv | grep -c -e tm_state -e tm_own # 0
for part in --kernel=gemm --class=gemm --stream=1; do
	tracecat --to pftrace --no-findings -o part.pftrace "$part" run.csv
	kstats top -f csv --columns name,calls part.pftrace
done
tracecat --to chrome --no-findings --agent 4 --rank 0 run.csv | grep tm_state
