# What the small databases of each tool hold comes out of run.db as it went in.
for f in rocpd/3.0.5/processes/merged.db rocpd/3.0.0/rocprof-sys/rocpd-300.db rocpd/3.0.0/run/out_results.db \
	rpd/2/sessions/trace.rpd rpd/3/run/trace.rpd rpd/lite/trace_4321.db \
	rocprofv1/6.2/database/kernels.db rocprofv1/6.2/database/trace.db rocprofv1/4.2/database/trace.db; do
	tracemerge -q -o run.db "$TESTDATA/$f" || exit
	tracecat -q --sort start_ns "$TESTDATA/$f" >raw
	tracecat -q --sort start_ns run.db >merged
	cmp raw merged && echo "$f: $(wc -l <raw)"
	rm run.db
done
