# Names with quotes, commas, newlines and markup come out quoted, so that any CSV reader gets them
# back.  In JSON what a terminal would obey is escaped: only the word with an accent is not ASCII.
cd "$TESTDATA/rocprofv3/7.0/hostile" || exit
LC_ALL=C; export LC_ALL
tracecat -q --to ndjson --columns name quotes_kernel_trace.csv newline_kernel_trace.csv \
	markup_kernel_trace.csv latin1_kernel_trace.csv
for f in quotes newline markup latin1; do
	tracecat -q --columns name,start_ns "${f}_kernel_trace.csv"
done
