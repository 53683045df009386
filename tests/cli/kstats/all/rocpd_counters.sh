# Counters by kernel: both instances of SQ_WAVES on fill are one value, 10 + 32; the streaming sample of 3
# within gemm is no value of its dispatch.
tracecat -q --kind counter --columns name,start_ns,end_ns,counter,value,dispatch_id \
	"$TESTDATA/rocpd/3.0.5/processes/merged.db"
