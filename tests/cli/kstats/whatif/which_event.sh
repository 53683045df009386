# A thread waits four times for the event of a, recorded two records before.  In three of the waits a and b end:
# always 5 us behind a the wait is over, of b it varies.  The third, of e and f, is short, as both had ended before it;
# that c ends in it is chance.  So without b all of the 186 us stay.  With half of a, which takes 40 us in three items,
# the host is 60 us earlier, at 111; then d waits for c, which ends at 120 as before, begins 1 us later (assumed) and
# takes 10: 131.  That a takes 40 whatever is beside it tells that kernels do not slow each other.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
kernel() { # stream, name, id, start, end
	echo "\"KERNEL_DISPATCH\",\"Agent 4\",$1,$1,7,$3,1,\"$2\",$3,$4,$5" >>two/a_kernel_trace.csv
}
call() { # name, id, start, end
	echo "\"HIP_RUNTIME_API\",\"$1\",1,7,$2,$3,$4" >>two/a_hip_api_trace.csv
}
mkdir two
echo "$head" >two/a_kernel_trace.csv
echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"' >two/a_hip_api_trace.csv
t=10000 id=1
item() { # length of a, start and end of b, end of the wait; from the start of the item; other names of a and b
	call hipLaunchKernel $((id)) $((t)) $((t + 3000))
	kernel 1 "${5:-a}" $((id)) $((t + 5000)) $((t + 5000 + $1))
	call hipEventRecord $((id + 1)) $((t + 3000)) $((t + 4000))
	call hipLaunchKernel $((id + 2)) $((t + 4000)) $((t + 7000))
	kernel 2 "${6:-b}" $((id + 2)) $((t + $2)) $((t + $3))
	call hipEventRecord $((id + 3)) $((t + 7000)) $((t + 8000))
	call hipEventSynchronize $((id + 4)) $((t + 8000)) $((t + $4))
	id=$((id + 5)) t=$((t + $4))
}
call hipLaunchKernel 90 0 3000
kernel 3 c 90 5000 120000
item 40000 9000 46000 50000
item 40000 9000 42000 50000
item 1000 6000 7000 11000 e f
item 40000 9000 47000 50000
call hipLaunchKernel 91 171000 174000
kernel 3 d 91 176000 186000
ask() {
	kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale "$1" two
}
ask /b/=0 || exit
ask /a/=0.5
