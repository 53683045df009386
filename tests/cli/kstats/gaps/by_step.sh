# One gap from 2000 to 10000, around step 1 from 4000 to 6000: it counts once in the step, with 2000, and once outside, with
# the 6000 before and behind it together.
cat >a.csv <<'EOF'
kind,domain,rank,pid,tid,agent,corr,name,start_ns,end_ns
kernel,kernel,0,7,,4,1,a,1000,2000
kernel,kernel,0,7,,4,2,b,10000,11000
marker,marker,0,7,7,,,step 1,4000,6000
EOF
columns=step,gaps,idle_ns,avg_ns,max_ns
kstats gaps -q --by step -f csv --columns $columns a.csv
# Two processes share an agent, which repeats k77 of the one and k78 of the other.  Steps are those of the agent, as kstats
# steps has them, and not of one of its processes, or of one of its queues.
mkdir rank0
for p in 77 78; do
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' >rank0/${p}_kernel_trace.csv
	for i in 1 2 3 4 5 6; do
		echo "\"KERNEL_DISPATCH\",4,$p,\"k$p\",$i,$((i * 100 + p)),$((i * 100 + p + 1))"
	done >>rank0/${p}_kernel_trace.csv
done
kstats steps -q -f csv --columns step,start_ns,window_ns rank0
kstats gaps -f csv --by step --columns $columns rank0
kstats gaps -f csv --by step --per queue --columns queue,$columns rank0 | head -n 3
