# --unit chooses the unit of kernel time, which only `libperf top --trace` prints: two dispatches of 1,000 ns and
# 3,000 ns are 4000 ns or 0.004 ms.  Times of bench clients are microseconds, whatever they are; there the option
# did nothing and is an error now.
printf 'jobid,created_date,model,library,config,calls\n,,,tensile,Cijk_A,2\n' >library_trace.csv
printf 'kind,name,start_ns,end_ns,agent\nkernel,Cijk_A,0,1000,1\nkernel,Cijk_A,2000,5000,1\n' >kernels.csv
for unit in ns ms; do
	libperf top -q --unit $unit --trace kernels.csv --columns kernel_ns,problem library_trace.csv
done
m=$TESTDATA/hipblaslt/7.0/bench
for command in best roofline bench trace; do
	libperf $command -q --unit ms "$m/default.txt"; echo $?
done
libperf compare -q --unit ms "$m/default.txt" "$m/tuned.txt"
