# Tables are filled by several threads that share results: the page and the first screen are the same for any -j,
# for traces with operators, markers, calls, copies and counters, and for two ranks.
sh "$ROOT/tests/cli/two_ranks"
same() {
	tracereport -q -j 1 "$@" >one && kstats -q -j 1 "$@" >first || echo "$* cannot be read"
	for j in 2 4 9; do
		tracereport -q -j "$j" "$@" >many && cmp one many || echo "$* has another page with -j $j"
		kstats -q -j "$j" "$@" >many && cmp first many || echo "$* has another first screen with -j $j"
	done
}
for d in kineto/2.9 kineto/7.0 rocprofv3/6.3 rocprofv3/7.1 rocprofv3/resnet rocpd/7.1 rpd/3 rocprofv1/6.2; do
	same "$TESTDATA/$d"
done
same rank0 rank1
