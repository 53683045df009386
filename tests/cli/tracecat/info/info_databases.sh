# What is in them, who wrote them, and what was left out.
cd "$TESTDATA" && tracecat info -f csv rocpd/3.0.0/run rocpd/3.0.5/processes rocpd/3.0.0/rocprof-sys rpd \
	rocprofv1/6.2/database rocprofv1/4.2
