# Packets of this trace were dropped, nobody knows how many: there are no verdicts, in the head, in the summary table of the
# page, in the data of its script and in the machine formats; targets stay.  Before, nine rows were "met".
{ cat "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"; printf '\012\005\320\002\001\120\001'; } >dropped.pftrace
tracereport -q -o page.html dropped.pftrace || exit
grep -o 'Targets: [^<]*' page.html
grep -c '>met<\|>missed<\|"met"\|"missed"' page.html
for format in csv tsv json; do
	kstats summary -q -f $format -o out dropped.pftrace
	grep -c 'met\b\|missed' out
done
# The same trace with nothing lost has verdicts, next to a baseline in doubt, which has none.
tracereport -q -o page.html --baseline dropped.pftrace --allow partial,self "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"
echo "status $?"
grep -c '>met<' page.html
grep -c 'A: met' page.html
kstats summary -q -f csv -o out --columns metric,target,verdict "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"
grep 'met\b' out
