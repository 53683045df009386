# Ranks compute so many ms in each step and then meet for 1 ms.  With the work of all steps shared out evenly, or the late ones as
# fast as the others, the time from the one to the other is saved.
#
#   10 10 30 30 x 4           ranks 2 and 3 are late together: they share what they cause, and cost 20 ms a step
#   10 10 30 30.001, 30.001 30 in turn: the same, though another is last each time
#   10 30 30 30 x 4           three of four: rank 0 is early, and nobody late
#   30 10 10 10 in turn       nobody is late for most of it, and everybody waits in three of four steps: with 15 ms each 60 are saved
#   30 30.1, 30.1 30 in turn  the same, but what they wait for is transfer
events() {
	awk 'BEGIN { print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns" }
	{
		most = 0
		for (r = 1; r <= NF; r++)
			most = $r > most ? $r : most
		for (r = 1; r <= NF; r++) {
			who = r - 1 "," r ",7,4,1"
			printf "kernel,kernel,%s,Cijk_a,%d,%d\n", who, t * 1e6, (t + $r) * 1e6
			printf "kernel,kernel,%s,ncclDevKernel_x,%d,%d\n", who, (t + $r) * 1e6, (t + most + 1) * 1e6
		}
		t += most + 1
	}' >events.csv
}
ask() {
	kstats collectives -q -f csv --ranks --columns rank,caused_wait_ns,waited_ns,late_ns,late_pct,waited_pct events.csv
	kstats findings -q -f csv --columns rank,id,severity,saves_ns,title events.csv | grep 'rank,\|work,\|turn,'
}
for step in '10 10 30 30' '10 30 30 30'; do
	printf '%s\n' "$step" "$step" "$step" "$step" | events
	ask
done
printf '%s\n' '10 10 30 30.001' '10 10 30.001 30' '10 10 30 30.001' '10 10 30.001 30' | events
ask
printf '%s\n' '30 10 10 10' '10 30 10 10' '10 10 30 10' '10 10 10 30' | events
ask
printf '%s\n' '30 30.1' '30.1 30' '30 30.1' '30.1 30' | events
ask
