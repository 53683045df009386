# Calls of a log and kernels of a trace.  B runs for one problem only, so every B is that; A runs for two problems, as often as the log
# has it: the first A is 512^3 (2^28 operations in 1 us: 268.4355 TFLOP/s), the second 256x512x128.  C is not in the log; of D and of
# E nobody knows which of the two calls before it they are for; F was run three times and logged once for each of two problems.
trace() { # FILE, then NAME START END
	f=$1; shift
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"' >"$f"
	while [ $# -gt 0 ]; do
		echo "\"KERNEL_DISPATCH\",2,1,\"$1\",$2,$2,$3,256,1,1,4096,1,1" >>"$f"
		shift 3
	done
}
name() {
	echo "Cijk_Ailk_Bljk_HHS_BH_MT${1}_MI16x16x1_SN"
}
call() {
	echo "./rocblas-bench -f gemm_ex --transposeA N --transposeB N -m $1 -n $2 -k $3 --alpha 1 --a_type f16_r --lda $1 --b_type f16_r --ldb $3 --beta 0 --c_type f16_r --ldc $1 --d_type f16_r --ldd $1 --compute_type f32_r --algo 0 --solution_index 0 --flags 0${4:+ # source=tensile kernel=$4 tensile_index=4}"
}
run() {
	echo "Running kernel: $(name "$1")"
}
A=128x128x32 B=64x64x32 C=32x32x32 D=16x16x16 F=96x96x16
printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Max_Engine_Clk_Fcompute"\n2,2,"GPU","gfx942",304,90402,2100\n' >a_agent_info.csv
trace a_kernel_trace.csv "$(name $A)" 1000 2000 "$(name $B)" 3000 3500 "$(name $A)" 4000 4100 "$(name $B)" 5000 5700 \
	"$(name $C)" 6000 6100 "$(name $D)" 7000 7200 other_kernel 8000 8100 "$(name $F)" 9000 9010 "$(name $F)" 9100 9120 "$(name $F)" 9200 9230
{
	call 512 512 512; run $A
	call 64 64 4096; run $B
	echo 'some other line'
	call 256 512 128 "$(name $A)"
	call 64 64 4096; run $B
	call 32 32 32; call 16 16 16; run $D
	call 100 100 100; run $F
	call 200 200 200; run $F
} >run.log
kstats roofline -f csv --gpu MI300X --log run.log a_*.csv || exit
# Without names of kernels: by order, where number and types fit.
trace b_kernel_trace.csv "$(name $A)" 1000 2000 other_kernel 2100 2200 "$(name $B)" 3000 3500
{ call 512 512 512; call 64 64 4096; } >order.log
kstats roofline -q -f csv --columns name,op,problem,calls,total_ns,tflops,source --log order.log b_kernel_trace.csv || exit
call 8 8 8 >>order.log
kstats roofline -q -f csv --columns name,calls,note --log order.log b_kernel_trace.csv || exit
{ call 512 512 512; call 64 64 4096 | sed 's/f16_r/f32_r/g'; } >types.log
kstats roofline -q -f csv --columns name,calls,note --log types.log b_kernel_trace.csv || exit
# Two processes, and one log: which of them wrote it?
kstats roofline -q -f csv --columns name,calls,total_ns,source --log run.log 0=a_kernel_trace.csv 1=b_kernel_trace.csv || exit
tracemerge -q -o run.db a_*.csv || exit
kstats roofline -q -f csv --log run.log a_*.csv >raw
kstats roofline -q -f csv --log run.log run.db | cmp - raw || exit
kstats roofline --log no.log b_kernel_trace.csv; echo $?
echo nothing >empty.log
kstats roofline --log empty.log b_kernel_trace.csv; echo $?
