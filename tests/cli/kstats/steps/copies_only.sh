# Without markers and kernels there are no steps, whatever asks for them.
f=$TESTDATA/rocpd/7.1/run/out_memory_copy_trace.csv
for what in 'steps' 'path --steps' 'gaps --by step' 'whatif --steps'; do
	echo "# $what"
	# shellcheck disable=SC2086
	kstats $what -q "$f" 2>&1
	echo $?
done
