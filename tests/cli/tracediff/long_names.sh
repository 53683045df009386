# Names in the lines below the verdict: without what a kernel takes and returns, and of long ones the beginning with the
# tile and the end, so that two that differ at their end stay two, as those of Triton do by their numbers; no half characters.  What does not fit goes on deeper.
run() { # FILE NS: five kernels, each takes 20 us, or NS
	x=$(head -c 60 /dev/zero | tr '\0' x)
	{
		echo Kind,Agent_Id,Queue_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		at=1000
		for name in triton_red_fused_9 "void ns::k<int>(float*, $x)" "Cijk_Ailk_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT64x128x64_${x}_WG1" \
			"Cijk_Ailk_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT64x128x64_${x}_WG2" "ä${x}ööööööööööööööööööö"; do
			echo "KERNEL_DISPATCH,Agent 4,1,$at,$at,\"$name\",$at,$at,$((at + $2))"
			at=$((at + 50000 + $2))
		done
	} >"$1"
}
run a_kernel_trace.csv 20000
run b_kernel_trace.csv 40000
LC_ALL=C.UTF-8 python3 "$ROOT/tests/cli/term.py" 80 dumb tracediff -q a_kernel_trace.csv b_kernel_trace.csv | sed -n "2,/^$/p"
