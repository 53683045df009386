# Four ranks, each collective ends at 53.001 us.  First ranks 2 and 3 start 3 us later than the others, together: each of
# them caused half of that, and both are late for all of it.  Then rank 2 also is 1 ns later than rank 3, and the other
# way round: who caused it is another each time, who is late remains the same.  Of 1 us that three share, rank 1 has the
# odd ns, and nobody is late: half had come by then.
#
#   start, in ns after rank 0:   rank 1      2      3      caused, rank 1    2     3      late, rank 2      3
#                                     0   3000   3000                   0 1500  1500              3000   3000
#                                     0   3001   3000                   0 3001     0              3001   3000
#                                     0   3000   3001                   0    0  3001              3000   3001
#                                  1000   1000   1000                 334  333   333                 0      0
n=0
while read -r starts; do
	n=$((n + 1))
	rank=0
	for start in $starts; do
		echo "kernel,kernel,$rank,$rank,4,ncclDevKernel_x,$((n * 100000 + start)),$((n * 100000 + 53001))"
		rank=$((rank + 1))
	done
done >rows <<'EOF'
0 0 3000 3000
0 0 3001 3000
0 0 3000 3001
0 1000 1000 1000
EOF
{
	echo "kind,domain,rank,pid,agent,name,start_ns,end_ns"
	cat rows
} >all.csv
for w in ..150000 400000.. ..; do
	kstats collectives -q --ranks -f csv -w "$w" all.csv
done
COLUMNS=80 kstats collectives -q --ranks all.csv
