# One timeline of two ranks: read again it has their kernels, by rank, and nothing of what was drawn beside them.
ranks=$TESTDATA/rocprofv3/7.0/ranks
tracecat --to pftrace -o two.pftrace "$ranks"
tracecat info -f csv --columns rank,rank_rule,producer,agents,kinds two.pftrace
kstats top -f csv --per rank two.pftrace >two
kstats top -f csv --per rank "$ranks" | cmp - two
tracecat --to pftrace -o again.pftrace two.pftrace
kstats top -f csv --per rank again.pftrace | cmp - two
# The same bytes with any -j, and permuted.
tracecat -q -j 3 --to pftrace 1="$ranks/rank1" 0="$ranks/rank0" | cmp - two.pftrace
# As JSON; a window; kinds.
tracecat -q --to chrome --kind kernel -w +0..+10us "$ranks/rank0"
# What agents hold, up to the peak that kstats memory says.
tracecat -q --to chrome "$TESTDATA/rocprofv3/7.0/run" | grep '"bytes held'
kstats memory -q -f csv --columns rank,agent,peak "$TESTDATA/rocprofv3/7.0/run"
# Names in full and correlation ids are kept with few arguments, names as they are drawn with none.
for args in few none; do
	tracecat --to pftrace --args $args -o $args.pftrace "$TESTDATA/rocprofv3/7.0/names"
	tracecat --kind kernel --columns name,start_ns,corr,workgroup $args.pftrace | head -n 4
	tracecat -q --to chrome --args $args --kind kernel "$ranks/rank0" | grep '"cat":"kernel' | head -n 1
done
# What does not apply, and what is too little.
tracecat --to pftrace -s start_ns "$ranks"
tracecat --to chrome --budget 12x "$ranks"
tracecat --to chrome --budget 100 "$ranks"
tracecat --budget 1M "$ranks"
tracecat --args few "$ranks"
tracecat --to folded --args none "$ranks"
tracecat --to chrome --args some "$ranks"
tracecat --to chrome --kind copy "$ranks"
