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
