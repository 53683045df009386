# torch.profiler: a copy within a device has that device for both ends, so the kernel of device 3 beside the copy of
# device 2 hides nothing of it: all of its 10 us are exposed, and 4 of the 10 of the copy on device 3.
k() {
	printf '{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":1,"ts":%d,"dur":%d,"args":{"device":%d,"stream":1,"bytes":%d}}' "$@"
}
{
	printf '{"schemaVersion":1,"deviceProperties":[],"roctracer_version":4.1,"traceEvents":['
	k kernel work 3 100 6 3 0
	printf ,
	k gpu_memcpy 'Memcpy DtoD (Device -> Device)' 2 100 10 2 4096
	printf ,
	k gpu_memcpy 'Memcpy DtoD (Device -> Device)' 3 100 10 3 4096
	printf ,
	k kernel other 2 200 1 2 0
	printf ']}'
} >trace.json
kstats copies -f csv --columns direction,src,dst,calls,bytes,total_ns,exposed_ns trace.json
tracemerge -q -o run.db trace.json
kstats copies -f csv --columns direction,src,dst,calls,bytes,total_ns,exposed_ns run.db
