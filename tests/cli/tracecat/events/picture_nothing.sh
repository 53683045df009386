# There are events, but none that can be drawn: it says which.
cat >run.csv <<'EOF'
kind,rank,agent,name,start_ns,end_ns,value,counter
counter,0,4,gemm,1000,2000,5,SQ_WAVES
counter,0,4,gemm,3000,4000,5,SQ_WAVES
EOF
tracecat run.csv >rows && wc -l <rows
tracecat --to pftrace run.csv
