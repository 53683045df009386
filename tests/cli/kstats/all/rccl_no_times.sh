# The calls of an RCCL log have no times: one note for all logs says what they can give, and no command is proposed that
# cannot show them.  With a kernel trace the calls are joined by their order, which needs no note; tracecat takes all there is.
call() {
	echo "h:40:40 [0] NCCL INFO AllReduce: opCount $1 sendbuff (nil) recvbuff 0x7 count 10 datatype 7 op 0 root 0 comm 0x1 [nranks=2] stream (nil) task 0 globalrank 0"
}
call 0 >one.log
{ call 0 && call 1; } >two.log
cat >k_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",1,1000,1100
END
for c in "top one.log" "top --domain rccl one.log" "gaps one.log two.log" "top -f csv --columns name,calls k_kernel_trace.csv one.log" \
	"ranks --collectives -f csv --columns comm,bytes 0=k_kernel_trace.csv 0=one.log"; do
	echo "-- $c"
	# shellcheck disable=SC2086
	kstats $c 2>&1
done
tracecat -f csv --columns name,bytes one.log
tracecat info -f csv --columns path,rows one.log
tracemerge -q -o run.db one.log
tracecat info -f csv --columns path,rows run.db
