# A fill that names only where it writes is work of that agent, as is a copy of no direction that names one end, or twice
# the same; a CPU is no agent.  Of two ends that differ nobody says which.  Agent 4: 10 + 20 + 10 of 0..100; agent 5: 20.
cat >events.csv <<'END_OF_CSV'
kind,rank,agent,name,start_ns,end_ns,direction,src,dst
kernel,0,4,k,0,10,,,
copy,0,,Memset (Device),20,40,,,4
copy,0,,CopyBuffer,50,60,,4,
copy,0,,CopyBuffer,90,100,,4,4
copy,0,,CopyBuffer,70,90,,CPU 0,5
copy,0,,CopyBuffer,300,400,,4,5
END_OF_CSV
kstats timeline -q -f csv --columns agent,window_ns,busy_ns,copy_ns events.csv &&
	kstats gaps -q -f csv --columns agent,gaps,idle_ns events.csv && kstats copies -q -f csv --columns direction,src,dst,calls,total_ns,exposed_ns events.csv
