# The same bytes whatever the file came in: plain, LF, with a byte order mark, quoted, gzip, zstd, tar, a pipe.
f=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv
powerstats -q -f csv "$f" >want && cat want
tr -d '\r' <"$f" >lf.csv
{ printf '\357\273\277'; cat "$f"; } >bom.csv
sed 's/\([^,\r]*\)/"\1"/g' lf.csv >quoted.csv
gzip -c "$f" >p.csv.gz
zstd -q -c "$f" >p.csv.zst
tar cf p.tar -C "$TESTDATA/madengine/2.0/power" gpu_info_power_profiler_output.csv
for g in lf.csv bom.csv quoted.csv p.csv.gz p.csv.zst p.tar; do
	powerstats -q -f csv $g | cmp - want || echo "$g differs"
done
powerstats -q -f csv <"$f" | cmp - want
powerstats -q -f csv - <p.csv.gz | cmp - want
# Columns in another order, and ones that mean nothing.
awk -F, -v OFS=, '{ print "x", $3, $1, $2 }' lf.csv >order.csv
powerstats -q -f csv order.csv | cmp - want
