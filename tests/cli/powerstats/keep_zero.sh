# --keep-zero counts the 0 % of GPU 1 beside a trace as it does alone: (.1*.125 + .1*.125 + .1*.5 + .1*.5) / .4 = .3125 %, not
# (.2*.25 + .1*.5 + .1*.5) / .4 = .375 % with a note.  Where no VRAM, or for --scale no power, is shown, the option does nothing,
# and is told so.
cd "$TESTDATA" || exit
p=madengine/2.0/power/gpu_info_power_profiler_output.csv
v=madengine/2.0/power/gpu_info_vram_profiler_output.csv
trace=rocpd/3.0.0/rocprof-sys/rocpd-300.db
two() { powerstats -f csv --columns agent,sensor,samples,na,mean "$@"; }
two $trace $v
two --keep-zero --scale 2 $trace $v
for o in --keep-zero '--what power --keep-zero' '--what vram --keep-zero' '--what vram --scale 2' '--scale 2' \
	'--what sensors --keep-zero' '--chart --keep-zero' '--by class --keep-zero'; do
	for f in $p $v $trace "$trace $v"; do
		echo "# $o $f"
		# shellcheck disable=SC2086 # several words
		powerstats $o $f 2>&1 | grep -e ' does nothing'
	done
done
powerstats --keep-zero --trace $trace --offset 0 $p 2>&1 | grep -e ' does nothing'
tracecheck --rule 'powerstats(--keep-zero)[0].mean_w < 300' $p 2>&1 | grep -e keep-zero
