# shellcheck disable=SC2086 # lists of counters are words
# Work that was counted.  MI300X: 1307.4432 TFLOP/s of bf16 matrix, 163.4304 of packed f32, 5300 GB/s.
# `g`, twice in 10 us each: 512 x 2^23 operations of bf16 matrix are 4294967296; 64 x (2^16 + 2 x 2^16) of f32 vector are 12582912,
# and half of the lanes worked: 6291456.  8589934592 + 12582912 in 20 us are 430.1259 TFLOP/s; of bf16 matrix 429.4967, 32.8501 % of
# its peak; 2 x 12 MiB a dispatch are 1258.2912 GB/s, 23.7413 %.  Under the roof it takes 6570.03 ns (matrix), so 13429 are lost.
# `e` has no operations, and moves 24 MiB in 10 us: 2516.5824 GB/s, 4748.27 ns, 5251 are lost.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
begin() { # DIR/FILE
	mkdir -p "${1%/*}"
	echo "$head" >"$1"
	f=$1
}
counted() { # ID KERNEL START END COUNTER=VALUE...
	id=$1 name=$2 start=$3 end=$4; shift 4
	for c; do
		echo "$id,$id,2,1,7,7,256,1,\"$name\",64,0,0,8,0,16,\"${c%=*}\",${c#*=},$start,$end" >>"$f"
	done
}
gpu() { # DIR ARCH CUS VERSION MHZ
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Num_Xcc","Max_Engine_Clk_Fcompute"\n2,2,"GPU","%s",%d,%d,8,%d\n' \
		"$2" "$3" "$4" "$5" >"$1/a_agent_info.csv"
}
none=
for t in F16 F32 F64 F8 XF32 I8; do
	none="$none SQ_INSTS_VALU_MFMA_MOPS_$t=0"
done
for t in F16 F64; do
	none="$none SQ_INSTS_VALU_ADD_$t=0 SQ_INSTS_VALU_MUL_$t=0 SQ_INSTS_VALU_TRANS_$t=0 SQ_INSTS_VALU_FMA_$t=0"
done
lanes='SQ_THREAD_CYCLES_VALU=3200 SQ_ACTIVE_INST_VALU=100'
work="$none SQ_INSTS_VALU_MFMA_MOPS_BF16=8388608 SQ_INSTS_VALU_ADD_F32=0 SQ_INSTS_VALU_MUL_F32=65536 SQ_INSTS_VALU_TRANS_F32=0 SQ_INSTS_VALU_FMA_F32=65536"
zero="$none SQ_INSTS_VALU_MFMA_MOPS_BF16=0 SQ_INSTS_VALU_ADD_F32=0 SQ_INSTS_VALU_MUL_F32=0 SQ_INSTS_VALU_TRANS_F32=0 SQ_INSTS_VALU_FMA_F32=0"
begin x/a_counter_collection.csv
counted 1 g 100000 110000 $work $lanes FETCH_SIZE=8192 WRITE_SIZE=4096
counted 2 g 200000 210000 $work $lanes FETCH_SIZE=8192 WRITE_SIZE=4096
counted 3 e 300000 310000 $zero $lanes FETCH_SIZE=16384 WRITE_SIZE=8192
gpu x gfx942 304 90402 2100
kstats roofline -f csv --gpu MI300X x || exit
for w in 80 120 200; do
	COLUMNS=$w kstats roofline -q --gpu MI300X x || exit
done
kstats roofline -q -f csv --gpu MI300X x >raw
tracemerge -q -o run.db x && kstats roofline -q -f csv --gpu MI300X run.db | cmp - raw || exit
# Without the GPU: rates, and no shares.
kstats roofline -f csv --columns name,tflops,gb_per_s,peak,note x/a_counter_collection.csv || exit
kstats kernel -q -f csv g x | grep -e ^roofline -e 'missing,roof'
kstats kernel -q g x | grep -e ^roofline
# Part of it: operations of one type, bytes alone, reads alone, and no counter that tells work.
begin p/a_counter_collection.csv
counted 1 matrix 100000 110000 SQ_INSTS_VALU_MFMA_MOPS_BF16=8388608
counted 2 moves 200000 210000 FETCH_SIZE=16384 WRITE_SIZE=8192
counted 3 reads 300000 310000 FETCH_SIZE=16384
counted 4 other 400000 410000 SQ_INSTS_VALU_MFMA_MOPS_BF16=0
counted 5 lanes 500000 510000 SQ_INSTS_VALU_ADD_F32=65536 SQ_INSTS_VALU_MUL_F32=0 SQ_INSTS_VALU_TRANS_F32=0 SQ_INSTS_VALU_FMA_F32=0
gpu p gfx942 304 90402 2100
kstats roofline -f csv --columns name,calls,flops,bytes,tflops,gb_per_s,peak,peak_pct,bound,lost_ns,source,type,memory_pct,note --gpu MI300X p || exit
kstats roofline -q -w 90000ns..150000ns -f csv --columns name,calls --gpu MI300X p || exit
begin w/a_counter_collection.csv
counted 1 waves 100000 110000 SQ_WAVES=9
kstats roofline w; echo $?
# gfx950 counts half of some reads with FETCH_SIZE, and has counters that do not: 100 x 128 + (300 - 100 - 50) x 64 + 50 x 32 = 24000 read,
# 30 x 64 + 10 x 32 = 2240 written.
begin n/a_counter_collection.csv
counted 1 half 100000 110000 FETCH_SIZE=16384 WRITE_SIZE=8192
counted 2 whole 200000 210000 TCC_EA0_RDREQ_sum=300 TCC_EA0_RDREQ_128B_sum=100 TCC_EA0_RDREQ_32B_sum=50 TCC_EA0_WRREQ_sum=40 TCC_EA0_WRREQ_64B_sum=30
gpu n gfx950 256 90500 2400
kstats roofline -f csv --columns name,calls,bytes,gb_per_s,memory_pct,note n || exit
begin h/a_counter_collection.csv
counted 1 half 100000 110000 FETCH_SIZE=16384 WRITE_SIZE=8192
gpu h gfx950 256 90500 2400
kstats roofline h; echo $?
# Passes: operations of one, bytes of another, and times of a third, which has the trace.
begin o/pmc_1/a_counter_collection.csv
counted 1 g 100000 110000 $work $lanes
begin o/pmc_2/a_counter_collection.csv
counted 1 g 1100000 1130000 FETCH_SIZE=8192 WRITE_SIZE=4096
mkdir o/pmc_3
printf '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n"KERNEL_DISPATCH",2,1,7,1,1,"g",1,2100000,2120000,64,1,1,256,1,1\n' >o/pmc_3/a_kernel_trace.csv
gpu o/pmc_3 gfx942 304 90402 2100
kstats roofline -q -f csv --columns name,calls,total_ns,flops,bytes,tflops,gb_per_s,lost_ns,note --gpu MI300X o || exit
# Without any times, and with a log: both what was asked for and what was done.
name=Cijk_Ailk_Bljk_BBS_BH_MT128x128x32_MI16x16x1_SN
begin l/pmc_1/a_counter_collection.csv
counted 1 $name 0 0 $work $lanes FETCH_SIZE=8192 WRITE_SIZE=4096
sed -e 's/,[^,]*,[^,]*$//' $f >l/pmc_1/b && mv l/pmc_1/b $f
kstats roofline -q -f csv --columns name,calls,total_ns,flops,bytes,intensity,tflops,gb_per_s,note --gpu MI300X l || exit
mkdir l/pmc_2
sed -e "s/\"g\"/\"$name\"/" o/pmc_3/a_kernel_trace.csv >l/pmc_2/a_kernel_trace.csv
gpu l/pmc_2 gfx942 304 90402 2100
call="./rocblas-bench -f gemm_ex --transposeA N --transposeB N -m 1024 -n 1024 -k 2048 --alpha 1 --a_type bf16_r --lda 1024 --b_type bf16_r --ldb 2048 --beta 0 --c_type bf16_r --ldc 1024 --d_type bf16_r --ldd 1024 --compute_type f32_r --algo 0 --solution_index 0 --flags 0"
printf '%s\nRunning kernel: %s\n' "$call" $name >run.log
kstats roofline -q -f csv --columns problem,calls,total_ns,flops,bytes,tflops,lost_ns,source --gpu MI300X --log run.log l || exit
kstats roofline -q -f csv --columns problem,calls,total_ns,flops,bytes,tflops,lost_ns,source --gpu MI300X l || exit
