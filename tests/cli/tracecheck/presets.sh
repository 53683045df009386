# Each preset can be printed, copied and read back, with the same answer.
tracecheck --list-presets
for p in $(tracecheck --list-presets); do
	tracecheck --preset "$p" --print-rules >"$p.rules"
	tracecheck -q -f csv --columns verdict,value,rule --preset "$p" "$TESTDATA/rocprofv3/7.0/run" >one
	echo "$p $?"
	tracecheck -q -f csv --columns verdict,value,rule --rules "$p.rules" "$TESTDATA/rocprofv3/7.0/run" >two
	cmp one two
done
cat one
# They have the targets of "kstats summary", and that nothing is lost.
for p in training prefill decode hpc; do
	kstats -q -f csv --preset $p "$TESTDATA/rocprofv3/7.0/run" | awk -F, '$4 ~ /^[<>]/ { sub(/ %$/, "", $4); print $1, $4 }' | sort >targets
	tracecheck --preset $p --print-rules | grep -v '^#' | grep -v -e '^$' -e '^records.lost == 0$' | sort | diff targets - || echo "$p differs"
done
