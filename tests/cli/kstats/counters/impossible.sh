# Nothing built in is below 0: what is, of all dispatches or of some, is not shown, and warned of.  More requests of 32 bytes
# than requests, more misses than accesses, -5 waves (-5 + 9 in all), more bank conflicts than cycles.  A formula of the user
# may be negative.  A value that is no number is a skipped one, in rows and in columns; an empty one, or None, is absent.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
counted() { # DISPATCH COUNTER=VALUE...
	d=$1; shift
	for v; do
		echo "$d,$d,2,1,7,7,256,1,\"k\",64,0,0,8,0,16,\"${v%=*}\",${v#*=},${d}000000,${d}200000"
	done
}
{
	echo "$head"
	counted 1 TCC_EA_RDREQ_sum=100 TCC_EA_RDREQ_32B_sum=300 TCP_TCC_READ_REQ_sum=200 TCP_TCC_WRITE_REQ_sum=50 \
		TCP_TCC_ATOMIC_WITH_RET_REQ_sum=0 TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum=0 TCP_TOTAL_CACHE_ACCESSES_sum=100 \
		SQ_LDS_BANK_CONFLICT=500 SQ_LDS_IDX_ACTIVE=400 SQ_WAVES=-5
	counted 2 SQ_WAVES=9
} >a.csv
printf 'lead\ttotal\tbytes\t*\tTCC_EA_RDREQ_sum - TCC_EA_RDREQ_32B_sum\tmay be negative\n' >own.tsv
ask() {
	kstats counters -f csv --columns counter,dispatches,sum,mean,min,max,note "$@"
}
ask --arch gfx90a --cus 104 --formulas own.tsv a.csv || exit
{
	echo "$head"
	counted 1 SQ_WAVES=4
	counted 2 SQ_WAVES=nan
	counted 3 SQ_WAVES=-inf
	counted 4 SQ_WAVES=None
	counted 5 SQ_WAVES=
} >b.csv
ask b.csv || exit
kstats counters -q --strict b.csv; echo $?
sed '/nan/d; /inf/d' b.csv >c.csv
kstats counters -q --strict -f csv --columns counter,dispatches,sum c.csv || exit
{
	echo 'Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,SQ_WAVES,DispatchNs,BeginNs,EndNs,CompleteNs'
	for v in 4 nan inf None ''; do
		i=$((i + 1))
		echo "$i,\"k.kd\",0,0,0,1,1,256,64,0,0,8,0,16,64,0x0,0x0,$v,${i}000,${i}000,${i}500,${i}500"
	done
} >d.csv
ask d.csv
