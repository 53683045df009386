# A timeline of tracecat as JSON is known by its first event; sizes and threads of other programs' JSON mean what they
# always did: the product, and the id of the track.
slice='"ph":"X","ts":1,"dur":2,"cat":"kernel_dispatch","name":"k","args":{"agent":4,"workgroup_size":"(16,16,1)","tid":851}'
call='"ph":"X","ts":1,"dur":2,"cat":"host_call","name":"c","args":{"tid":851}'
mark='{"ph":"M","pid":0,"tid":0,"name":"process_name","args":{"name":"tracemill","about":"tracemill 1"}}'
rank() {
	printf '{"ph":"M","pid":%s,"name":"process_name","args":{"name":"rank %s","about":"%s"}}' "$1" "$2" "$3"
}
columns=kind,rank,name,agent,pid,tid,workgroup
echo "{\"traceEvents\":[{\"pid\":7,\"tid\":11,$slice},{\"pid\":7,\"tid\":11,$call}]}" >other.json
tracecat --columns $columns other.json
echo "{\"traceEvents\":[$mark,$(rank 7 3 " on h on x"),{\"pid\":7,\"tid\":11,$slice},{\"pid\":7,\"tid\":11,$call}]}" >ours.json
tracecat --columns $columns ours.json
# What was left out is of its rank, and what nobody knows is no reason to say nothing of the rest.
echo "{\"traceEvents\":[$mark,$(rank 7 0 "made-up pid without merged=3 more=4 omitted=1 on h"),$(rank 8 1 "made-up pid"),
{\"pid\":7,\"tid\":11,$slice},{\"pid\":8,\"tid\":12,$slice}]}" >two.json
tracecat --columns $columns two.json
tracecat info -q -f csv --columns rank,host,lost,lost_why two.json ours.json
kstats timeline -q -f csv --columns rank,agent,busy_ns - <two.json
# A rank that comes again, or a process that is none, would be counted in another's time.
echo "{\"traceEvents\":[$mark,$(rank 7 0 ""),$(rank 8 1 ""),{\"pid\":8,\"tid\":1,$slice},{\"pid\":7,\"tid\":2,$slice}]}" >order.json
echo "{\"traceEvents\":[$mark,$(rank 7 0 ""),{\"pid\":9,\"tid\":1,$slice}]}" >none.json
kstats timeline -f csv --columns rank,agent,busy_ns order.json
kstats timeline -f csv --columns rank,agent,busy_ns none.json
