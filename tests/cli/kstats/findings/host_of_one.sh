# Of twelve ranks eleven launch 40 kernels of 100 us ahead.  The host of the last works for 100 us before each launch, with its
# GPU idle: 50 us less of it save 39 * 50 = 1950 us of 39 * 206 + 100 = 8134 us, 24.0 %.  In the mean of all ranks
# that is 39 * 100 us of 8134 + 11 * 4039 us, 7.4 %; in that rank, with the 5 us of its calls, 39 * 105 of 8134 us, 50.3 %.
# Without its waits one kernel of the last follows the next after 105 us of its host: 39 * (206 - 105) us.
#
#   launch   0 ... 5            kernel  6 ... 106       hipDeviceSynchronize  5 ... 106
#
# Then it works for 5 us between launches, but its calls take 40: 39 * 45 of 39 * 146 + 100 us, 30.3 %.  Calls that take no time
# save up to 39 * 40 us, more than half of the work between them.
#
#   launch   0 ... 40           kernel 41 ... 141       hipDeviceSynchronize 40 ... 141
for work in 100 5; do
	set --
	call=$((work == 100 ? 5 : 40))
	for rank in 0 1 2 3 4 5 6 7 8 9 10 11; do
		awk -v rank=$rank -v work=$work -v call=$call 'BEGIN {
			own = rank == 11 ? call : 5
			step = rank == 11 ? (own + 101 + work) * 1000 : 6000
			api = rank "_hip_api_trace.csv"
			kernel = rank "_kernel_trace.csv"
			print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
			print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
			for (i = 0; i < 40; i++) {
				t = 1000000 + i * step
				s = rank == 11 ? t + (own + 1) * 1000 : 1006000 + i * 101000
				printf "HIP_RUNTIME_API,hipLaunchKernel,%d,1,%d,%d,%d\n", rank + 1, 2 * i + 1, t, t + own * 1000 >api
				printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 2 * i + 1, s, s + 100000 >kernel
				if (rank == 11)
					printf "HIP_RUNTIME_API,hipDeviceSynchronize,12,1,%d,%d,%d\n", 2 * i + 2, t + own * 1000, s + 100000 >api
			}
		}'
		set -- "$@" $rank=${rank}_hip_api_trace.csv $rank=${rank}_kernel_trace.csv
	done
	kstats summary -q -f csv "$@" | grep host_pct
	kstats findings -q -f csv --columns rank,id,severity,saves_ns,title "$@"
done
