# This trace read CLOCK_REALTIME beside its own clock: its work begins at 2026-11-25 22:32:04.376 UTC and takes 13.27 ms.
# At 1000 W from 04.3 to 04.4 s and 12201638 ns busy (kstats timeline) that is 12.2016 J of work, 1.0665 J idle.
t=$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace
p() {
	printf 'time,Power(Watt) GPU%s\n' "$2"
	for s in 04.200000 04.300000 04.400000 04.500000; do echo "2026-11-$1:32:$s,1000.0"; done
}
p '25 22' 0 >utc.csv
p '26 00' 0 >east.csv
p '25 17' 0 >west.csv
powerstats -f csv --columns class,busy_ns,energy_j --trace "$t" utc.csv
kstats timeline -q -f csv --columns agent,window_ns,busy_ns,idle_ns "$t"
powerstats -q -f csv --trace "$t" utc.csv >want
# Local time, two hours ahead and five behind: only with the zone; the hint is right.
powerstats -q --trace "$t" east.csv; echo $?
powerstats -q --trace "$t" west.csv; echo $?
powerstats -q -f csv --trace "$t" --zone +02:00 east.csv | cmp - want
powerstats -q -f csv --trace "$t" --zone -0500 west.csv | cmp - want
# The database that tracemerge makes of it knows as much.
tracemerge -q -o run.db "$t" && powerstats -q -f csv --trace run.db utc.csv | cmp - want
# torch.profiler's times are CLOCK_REALTIME, 2025-10-01 06:27:54.000990 UTC and on; 128372 ns of work at 1000 W are .1284 J.
printf 'time,Power(Watt) GPU5\n2025-10-01 06:27:53.9,1000\n2025-10-01 06:27:54.1,1000\n' >k.csv
powerstats -f csv --zone UTC --map 2=5 --trace "$TESTDATA/kineto/7.0/step" k.csv
kstats timeline -q -f csv --columns agent,window_ns,busy_ns "$TESTDATA/kineto/7.0/step"
