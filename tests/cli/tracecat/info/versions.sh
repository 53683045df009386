# Which release wrote a header: no finer than the header proves.
cd "$TESTDATA" || exit
for d in rocprofv3/6.2 rocprofv3/6.3 rocprofv3/7.0/run rocprofv3/7.0/pmc rocprofv3/7.1 rocpd/7.1/run rocprofv2 \
	rocprofv1; do
	tracecat info -q -f tsv --columns format,table,producer $d | tail -n +2 | sort -u
done
