# A file that is read in ranges: the same bytes whatever -j, in both forms, sorted or not; and the
# guess that a range begins with a row is wrong where names hold newlines.
"$GEN" --short 36000000 >a.csv
"$GEN" --short --nasty --seed 7 36000000 >b.csv
tracecat -q -j 1 --to ndjson a.csv b.csv >one
tracecat -q -j 3 --to ndjson a.csv b.csv >three
cmp one three
# Compressed files cannot be cut: a worker that is early waits with what it has.
gzip -1 -k a.csv b.csv
tracecat -q -j 2 --to ndjson a.csv.gz b.csv.gz >three
cmp one three
tracecat -q -j 1 --sort start_ns --columns start_ns,end_ns,name,grid b.csv >one
tracecat -q -j 3 --sort start_ns --columns start_ns,end_ns,name,grid b.csv >three
cmp one three
# As many rows as the input has.
tracecat -q -j 3 --columns kind a.csv | tail -n +2 | sort | uniq -c >n
wc -l <a.csv | awk '{ print $1 - 1, "kernel" }' >want
awk '{ print $1, $2 }' n | cmp - want
tracecat info -q -j 3 -f csv --columns rows,first_ns,last_ns,skipped,lost a.csv >three
tracecat info -q -j 1 -f csv --columns rows,first_ns,last_ns,skipped,lost a.csv | cmp - three
