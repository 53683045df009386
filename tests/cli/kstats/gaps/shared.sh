# Two processes launch 40 kernels each, 5 us apart, before anything runs.  On one GPU the first runs for 100 us every
# 200 us, and the second from 10 us after that for 90 us.  So 39 gaps of the first, of 100 us, hold 90 us of the second,
# and 39 gaps of the second, of 110 us, hold 100 us of the first: 3510 of 7900 us and 3900 of 7890 us, and 390 us of
# each are left in which neither works: more than that cannot be saved on this GPU.
processes() {
	awk -v begin="$1" -v agent="$2" 'BEGIN {
		for (p = 1; p <= 2; p++) {
			api = p "_hip_api_trace.csv"
			kernel = p "_kernel_trace.csv"
			print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
			print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
			for (i = 0; i < 40; i++) {
				printf "HIP_RUNTIME_API,hipLaunchKernel,%d,1,%d,%d,%d\n", p, i + 1, 500000 + i * 5000, 504000 + i * 5000 >api
				t = 1000000 + i * 200000 + (p == 2 ? begin : 0)
				printf "KERNEL_DISPATCH,Agent %d,1,Cijk_a,%d,%d,%d\n", p == 2 ? agent : 4, i + 1, t, \
					t + (p == 2 ? 90000 : 100000) >kernel
			}
		}
	}'
	kstats gaps -q -f csv --shared .
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
}
processes 110000 4
# They work at once: it was two GPUs, or one that did both; and then two GPUs for certain.
processes 50000 4
processes 110000 5
# The first pair again, of which the database says that they ran on two hosts: two GPUs for certain, whatever their number.
processes 110000 4 >one
tracemerge -q -o pair.db ./*_trace.csv
sqlite3 pair.db "UPDATE rank SET host = 'node' || rank"
kstats gaps -q -f csv --shared pair.db
sqlite3 pair.db "UPDATE rank SET host = 'node0'"
kstats gaps -q -f csv --shared pair.db >again
head -n 3 one | cmp - again && echo the same
