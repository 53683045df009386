# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # part of bench.sh, which sets and uses the variables
# The part of the benchmark about logs of programs: libperf trace and bench beside grep, which only counts lines.

libperf=$BUILD/libperf
l_marks='\./rocblas-bench |hipblaslt-bench |MIOpen\(HIP\): Command \[LogCmd|^Running kernel: |: opCount |rocblas_sgemm,[NT],'
l_rows='^    [NTC],[NTC],'
declare -A l_input
declare -A l_ids=([mixed]='l_trace l_top l_grep' [calls]='l_trace l_top l_grep' [words]='l_trace l_top l_grep' \
	[bench]='l_bench l_best l_rows')

run_logs() {
	case $1 in
	l_trace) "$tools/measure" -o "$3" "$libperf" trace -q -f csv --columns calls "$2" ;;
	l_top) "$tools/measure" -o "$3" "$libperf" top -q -f csv --columns calls "$2" ;;
	l_bench) "$tools/measure" -o "$3" "$libperf" bench -q --columns us "$2" ;;
	l_best) "$tools/measure" -o "$3" "$libperf" best -q -f csv --columns us "$2" ;;
	l_rows) "$tools/measure" -o "$work/lines" grep -cE "$l_rows" "$2" ;;
	# Not to /dev/null: grep stops at the first line then.
	l_grep) "$tools/measure" -o "$work/lines" grep -cE "$l_marks" "$2" ;;
	esac
}

# log_block ALL WORDS
# A tenth of the lines are calls, or all; WORDS: the others are full of what calls begin with; 300 shapes.  One block again and again: what tells is the text.
log_block() {
	awk -v all="$1" -v words="$2" 'BEGIN {
		srand(7)
		n = split("epoch step loss lr grad-norm [rank0]: INFO vllm.worker model_runner.py:1024] loading total: 33" \
			(words ? " rocblas_handle rocblas_sgemm librocblas.so rocblas_status_success callback 0xcb12cbcb rocblas_dgemm," : ""), w, " ")
		for (bytes = 0; bytes < 32e6; bytes += length(line) + 1) {
			m = 1024 * int(1 + rand() * 10)
			k = 1024 * int(1 + rand() * 10)
			r = rand() * (all ? 1 : 10)
			if (r < .05)
				line = "rocblas_sgemm,N,T," m ",128," k ",1,0x7f8bccf79600," m ",0x7f8bccf79a00,128,0,0x7f8bccf7a600," m ",atomics_allowed"
			else if (r < .3)
				line = "./rocblas-bench -f gemm_ex --transposeA T --transposeB N -m " m " -n 128 -k " k " --alpha 1 --a_type bf16_r --lda " k " --b_type bf16_r --ldb " k " --beta 0 --c_type bf16_r --ldc " m " --d_type bf16_r --ldd " m " --compute_type f32_r --algo 0 --solution_index 0 --flags 0 "
			else if (r < .55)
				line = "hipblaslt-bench --api_method c -m " m " -n 8192 -k " k " --lda " k " --ldb " k " --ldc " m " --ldd " m "  --stride_a 0 --stride_b 0 --stride_c 0 --stride_d 0  --alpha 1.000000 --beta 0.000000 --transA T --transB N --batch_count 1  --a_type bf16_r --b_type bf16_r --c_type bf16_r --d_type bf16_r --scale_type f32_r --bias_type f32_r   --compute_type f32_r --algo_method index --solution_index 56073 "
			else if (r < .75)
				line = "MIOpen(HIP): Command [LogCmdConvolution] ./bin/MIOpenDriver convfp16 -n 128 -c 64 -H 56 -W 56 -k " k " -y 3 -x 3 -p 1 -q 1 -u 1 -v 1 -l 1 -j 1 -m conv -g 1 -F 1 -t 1"
			else if (r < .9)
				line = "Running kernel: Cijk_Alik_Bljk_BBS_BH_MT128x128x64_MI32x32x8x1_SN_K" k
			else if (r < 1)
				line = "node4:52937:52937 [0] NCCL INFO AllReduce: opCount 3 sendbuff 0x7f8bccf79600 recvbuff 0x7f8bccf79600 count " m * k " datatype 6 op 0 root 0 comm 0xaef8a00 [nranks=8] stream 0xac16b80 task 0 globalrank 0"
			else {
				line = "2026-11-20 23:10:59,123"
				for (i = 4 + int(rand() * 14); i; i--)
					line = line " " w[1 + int(rand() * n)]
			}
			print line
		}
	}'
}

# Results of hipblaslt-bench, nine of ten bytes of the file being something else.
bench_block() {
	awk 'BEGIN {
		srand(7)
		header = "transA,transB,grouped_gemm,batch_count,m,n,k,alpha,lda,stride_a,beta,ldb,stride_b,ldc,stride_c,ldd,stride_d,a_type,b_type,c_type,d_type,compute_type,scaleA,scaleB,scaleC,scaleD,amaxD,swizzle_a,swizzle_b,activation_type,bias_vector,bias_type,aux_type,rotating_buffer,flush,use_gpu_timer,hipblaslt-Gflops,hipblaslt-GB/s,us"
		for (bytes = 0; bytes < 8e6; bytes += 7000) {
			m = 128 * int(1 + rand() * 10)
			k = 128 * int(1 + rand() * 10)
			us = sprintf("%.6g", 1000 + rand() * 50)
			print "[0]:" header
			printf "    T,N,0,1,%d,128,%d,1,%d,%d,0,%d,%d,%d,%d,%d,%d,bf16_r,bf16_r,bf16_r,bf16_r,f32_r,0,0,0,0,0,0,0,none,0,bf16_r,bf16_r,512,0,1,%.6g,1,%s\n", m, k, k, m * k, k, 128 * k, m, m * 128, m, m * 128, 256 * m * k / us / 1e3, us
			print "    --Solution index: 1001\n    --Solution name:  Cijk_Alik_Bljk\n    --kernel name:    Cijk_Alik_Bljk"
			for (i = 0; i < 60; i++)
				print "2026-11-20 23:10:59,123 INFO vllm.worker epoch " i " step 17, loss 2.5, lr 0.0001 grad-norm 1.25 total: 33"
		}
	}'
}

# log_file BYTES BLOCK [WORD...]
log_file() {
	"$2" "${@:3}" >"$data/block"
	awk -v n="$1" -v one="$(wc -c <"$data/block")" 'BEGIN { print int(n / one) + 1 }' | {
		read -r times
		for ((; times; times--)); do cat "$data/block"; done
	}
	rm "$data/block"
}

make_logs() {
	have[l_trace]=1 have[l_top]=1 have[l_grep]=1 have[l_bench]=1 have[l_best]=1 have[l_rows]=1
	label[l_bench]='libperf bench' label[l_best]='libperf best' label[l_rows]='grep -cE'
	label[l_trace]='libperf trace' label[l_top]='libperf top' label[l_grep]='grep -cE'
	l_input[mixed]=$data/mixed-$SIZE.log
	l_input[calls]=$data/calls-$SIZE.log
	l_input[words]=$data/words-$SIZE.log
	l_input[bench]=$data/bench-$SIZE.log
	make_file "${l_input[mixed]}" log_file "$SIZE" log_block 0 0
	make_file "${l_input[calls]}" log_file "$SIZE" log_block 1 0
	make_file "${l_input[words]}" log_file "$SIZE" log_block 0 1
	make_file "${l_input[bench]}" log_file "$SIZE" bench_block
}

# Calls that libperf adds up are the lines of grep.
check_logs() {
	local set calls lines

	for set in mixed calls words; do
		calls=$("$libperf" trace -q -f csv --columns calls "${l_input[$set]}" | awk '/^[0-9]/ { n += $1 } END { print n }')
		lines=$(grep -cE "$l_marks" "${l_input[$set]}")
		if [ "$calls" != "$lines" ]; then
			note "WRONG: libperf trace counts $calls calls in ${l_input[$set]}, grep $lines"
			wrong=1
		fi
	done
	calls=$("$libperf" bench -q --columns line "${l_input[bench]}" | grep -c '^[0-9]')
	lines=$(grep -cE "$l_rows" "${l_input[bench]}")
	if [ "$calls" != "$lines" ]; then
		note "WRONG: libperf bench finds $calls rows in ${l_input[bench]}, grep $lines"
		wrong=1
	fi
}

measure_logs() {
	local set

	for set in mixed calls words bench; do
		# shellcheck disable=SC2086 # a list of words
		rounds "l$set" "${l_input[$set]}" "$ROUNDS" ${l_ids[$set]}
	done
}

table_logs() {
	local set id

	for set in mixed calls words bench; do
		printf '\n%-36s %9s %9s %9s\n' "log, $set, $(($(wc -c <"${l_input[$set]}") / 1000000)) MB" 'cpu s' 'MB/cpu-s' 'RSS MiB'
		for id in ${l_ids[$set]}; do
			awk -v name="${label[$id]}" -v cpu="$(median "l$set" "$id" 1)" -v rss="$(median "l$set" "$id" 3)" \
				-v bytes="$(wc -c <"${l_input[$set]}")" 'BEGIN {
					printf "%-36s %9.3f %9.0f %9.1f\n", name, cpu, bytes / 1e6 / cpu, rss
				}'
		done
	done
}

targets_logs() {
	local set

	for set in mixed calls words; do
		target "log, $set: libperf trace per CPU second" \
			"$(ratio "$(wc -c <"${l_input[$set]}" | awk '{ print $1 / 1e6 }')" "$(median "l$set" l_trace 1)")" '>=' 500 ' MB'
	done
}
