# What a launcher puts in front of the lines of RCCL changes nothing: who printed them stands in the line.
log=$TESTDATA/rccl/2.18/two_ranks/0_rccl.log
tracecat -q --to ndjson "$log" >plain || exit
[ "$(wc -l <plain)" -gt 0 ] || exit
sed 's/^/ 0: /' "$log" | tracecat -q --to ndjson >srun && cmp plain srun
sed 's/^/[1,0]<stdout>:/' "$log" | tracecat -q --to ndjson >mpirun && cmp plain mpirun
sed 's/^/[default0]:/' "$log" | tracecat -q --to ndjson >torchrun && cmp plain torchrun
