# Who wrote it is known by content: rocprof v1, rocprofv2, rocprofv3, rpd2tracing, torch.profiler, and
# trace events of somebody else.
ln -s "$TESTDATA" data
tracecat info -q -f csv --columns path,format,producer,agents,kinds data/rocprofv1/6.2/json data/rocprofv2/6.2/json data/rocprofv3/7.0/json data/rpd data/kineto data/chrome
