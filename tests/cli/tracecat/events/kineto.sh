# All that a trace of torch.profiler holds: ns since 1970, grids in work-items, the driver's device
# number.  The rank is that of distributedInfo, and info says so; a compressed file gives the same.
gzip -c "$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json" > worker.json.gz
tracecat info -f csv worker.json.gz
tracecat "$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json"
