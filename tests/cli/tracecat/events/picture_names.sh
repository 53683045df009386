# A marker that says what a kernel is called in full keeps its text; only kernels have short names.
cat >run.csv <<'EOF'
kind,rank,agent,tid,name,start_ns,end_ns
kernel,0,4,,gemm(float*),1000,2000
marker,0,,7,gemm(float*),1000,3000
kernel,0,4,,gemm(float*),3000,4000
EOF
for format in pftrace chrome; do
	tracecat --to $format --no-findings -o run.$format run.csv
	tracecat --columns kind,name run.$format
done
grep -o '"cat":"[km][a-z_]*","name":"[^"]*"' run.chrome
