# Every event of the small databases of each tool.
for f in rocpd/3.0.5/processes/merged.db rocpd/3.0.0/rocprof-sys/rocpd-300.db rocpd/3.0.2/small/70_results.db \
	rpd/2/sessions/trace.rpd rpd/3/run/trace.rpd rpd/lite/trace_4321.db \
	rocprofv1/6.2/database/kernels.db rocprofv1/6.2/database/trace.db rocprofv1/4.2/database/trace.db; do
	echo "$f"
	tracecat -q "$TESTDATA/$f"
done
