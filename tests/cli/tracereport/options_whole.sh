# No line of a sentence ends within an option, between a number and its "%", or after "<": browsers break after any hyphen.
printf '%s\n' kind,rank,agent,name,start_ns,end_ns kernel,0,4,k,1000,2000 kernel,0,4,k,9000,10000 >in.csv
tracereport -q in.csv >page
grep -o 'list it with kstats classes [^/]*/span>[^/]*/span>' page
grep -o 'timeline.idle_pct .[^)]*)' page
grep -o 'healthy: [^/]*&nbsp;[^/]*' page
# What only looks like one, and is long, is no reason for a page wider than the screen; what looks like markup stays text.
name=--$(printf '%060d' 0)
printf '%s\n' kind,rank,agent,name,start_ns,end_ns 'kernel,0,4,k,1000,2000' >"$name.csv"
tracereport -q -- "$name.csv" | sed -n "s,.*<span class=.o.>$name.*,too wide,p"
