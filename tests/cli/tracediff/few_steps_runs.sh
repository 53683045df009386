# Three runs of a side with one step each, and more work behind it: steps are too few to decide, of several runs too.
# Step 100 us in all; window 200 us in A, 300 us in B, each run 1 us apart.
run() { # FOLDER us
	mkdir "$1"
	cat >"$1/app_kernel_trace.csv" <<-END
		Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		KERNEL_DISPATCH,Agent 1,k,1,1000000,1090000
		KERNEL_DISPATCH,Agent 1,k,2,1110000,$((1000000 + $2 * 1000))
	END
	cat >"$1/app_marker_api_trace.csv" <<-END
		Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp
		MARKER_CORE_RANGE_API,step 0,1,1,3,1000000,1100000
	END
}
for i in 1 2 3; do
	run a$i $((199 + i))
	run b$i $((299 + i))
done
tracediff a1 a2 a3 -- b1 b2 b3 >out 2>err; echo $?
head -n 2 out
tail -n 1 out
cat err
# Who asks for them gets them.
tracediff -q --on steps a1 a2 a3 -- b1 b2 b3 | head -n 1
