# Which filters each sub-command refuses: numbers of all work of an agent take none that leaves some of it out, those
# of a whole rank no --agent either.  findings asks what sync, collectives and whatif do.  Only what chooses kernels, and
# shows each by itself (top, occupancy, counters, samples), takes all of them.
in=$TESTDATA/rocprofv3/7.0/sync_each
for m in $(kstats --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
	printf '%s:' "$m"
	for o in -kgemm --class=gemm --stream=0 --thread=6161 --region=x --agent=4 --rank=0; do
		kstats "$m" -q "$o" gemm "$in" >out 2>&1
		grep -q "does not take" out && printf ' %s' "$(grep -o 'does not take [-a-z]*' out | sed 's/.* //')"
	done
	echo
done
kstats findings -q -k gemm "$in"
