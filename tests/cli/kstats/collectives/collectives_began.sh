# Collectives from 0 to 100 and from 300 to 400 ns; a kernel computes from 80 to 90.  From 50 on the first is
# exposed for 40 ns and the second for 100, as timeline says; only the second is counted.  From 50 to 60 and from 310 to 350
# nothing begins: 10 and 40 ns, and nothing is counted.  Between them there is none.  Ranks and collectives are what begins.
cat >began.csv <<EOF
kind,rank,agent,name,start_ns,end_ns
kernel,0,4,ncclDevKernel_AllReduce(x),0,100
kernel,0,4,vecAdd,80,90
kernel,0,4,vecAdd,200,220
kernel,0,4,ncclDevKernel_AllReduce(x),300,400
EOF
kstats timeline -q -f csv --columns window_ns,exposed_comm_ns -w 50.. began.csv
kstats collectives -q -f csv --columns op,ranks,count,total_ns,exposed_ns -w 50.. began.csv
kstats collectives -q -f csv --columns op,ranks,count,total_ns,exposed_ns -w 50..60 began.csv
kstats collectives -q -f csv --columns op,ranks,count,total_ns,exposed_ns -w 310..350 began.csv
kstats collectives -q --list -f csv --columns index,ranks,min_dur_ns -w 50.. began.csv
kstats collectives -q --list -f csv -w 310..350 began.csv
kstats collectives -q --ranks -f csv -w 310..350 began.csv
kstats collectives -f csv -w 110..250 began.csv
