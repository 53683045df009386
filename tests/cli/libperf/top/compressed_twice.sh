# A table next to itself compressed is one; two processes may leave the same log, under two names.
cp "$TESTDATA/madengine/2.0/library/library_trace.csv" a.csv && gzip -k a.csv && cp a.csv b.csv
libperf top -f csv --columns calls a.csv >one && libperf top -f csv --columns calls a.csv a.csv.gz | cmp - one &&
	libperf top -q -f csv -n 1 --columns calls a.csv && libperf top -f csv -n 1 --columns calls a.csv.gz b.csv
