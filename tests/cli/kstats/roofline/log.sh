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
# MIOpen names no kernels: its convolutions and the kernels of that class go by order, where number and types fit; other kernels do not
# count, nor do other operations of it.  2 x 32 x 64 x 56 x 56 x 64 x 3 x 3 operations in 40 us: 184.9688 TFLOP/s.
conv() {
	echo "MIOpen(HIP): Command [LogCmd$1] ./bin/MIOpenDriver $2 -n 32 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3 -p 1 -q 1 -u 1 -v 1 -l 1 -j 1 -m conv -g 1 -F $3 -t 1"
}
{
	conv FindConvolution convfp16 1
	conv Convolution convfp16 1
	echo 'MIOpen(HIP): Command [LogCmdBNorm] ./bin/MIOpenDriver bnorm -n 32 -c 64 -H 56 -W 56 -m 1 --forw 1 -b 0 -s 1 -r 1'
	conv Convolution convbfp16 2
	call 512 512 512
} >miopen.log
trace c_kernel_trace.csv igemm_fwd_gtcx3_nhwc_fp16_bx0_ex0_bt128x64x32 1000 41000 "$(name $A)" 50000 51000 other_kernel 60000 61000 \
	igemm_bwd_gtcx3_nhwc_bf16_bx0_ex0_bt64x64x32 70000 150000
kstats roofline -q -f csv --columns name,op,problem,calls,total_ns,tflops,source,type --log miopen.log c_kernel_trace.csv || exit
sed -e s/convbfp16/convfp16/ miopen.log >types.log
kstats roofline -q -f csv --columns name,op,calls,note --log types.log c_kernel_trace.csv || exit
