# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # part of bench.sh, which sets and uses the variables
# The part of the benchmark about logs of programs: libperf trace beside grep, which only counts lines.

libperf=$BUILD/libperf
l_marks='\./rocblas-bench |hipblaslt-bench |MIOpen\(HIP\): Command \[LogCmd|^Running kernel: |: opCount |rocblas_sgemm,[NT],'
declare -A l_input

run_logs() {
	case $1 in
	l_trace) "$tools/measure" -o "$3" "$libperf" trace -q -f csv --columns calls "$2" ;;
	l_top) "$tools/measure" -o "$3" "$libperf" top -q -f csv --columns calls "$2" ;;
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

# log_file ALL WORDS BYTES
log_file() {
	log_block "$1" "$2" >"$data/block"
	awk -v n="$3" -v one="$(wc -c <"$data/block")" 'BEGIN { print int(n / one) + 1 }' | {
		read -r times
		for ((; times; times--)); do cat "$data/block"; done
	}
	rm "$data/block"
}

make_logs() {
	have[l_trace]=1 have[l_top]=1 have[l_grep]=1
	label[l_trace]='libperf trace' label[l_top]='libperf top' label[l_grep]='grep -cE'
	l_input[mixed]=$data/mixed-$SIZE.log
	l_input[calls]=$data/calls-$SIZE.log
	l_input[words]=$data/words-$SIZE.log
	make_file "${l_input[mixed]}" log_file 0 0 "$SIZE"
	make_file "${l_input[calls]}" log_file 1 0 "$SIZE"
	make_file "${l_input[words]}" log_file 0 1 "$SIZE"
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
}

measure_logs() {
	local set

	for set in mixed calls words; do
		rounds "l$set" "${l_input[$set]}" "$ROUNDS" l_trace l_top l_grep
	done
}

table_logs() {
	local set id

	for set in mixed calls words; do
		printf '\n%-36s %9s %9s %9s\n' "log, $set, $(($(wc -c <"${l_input[$set]}") / 1000000)) MB" 'cpu s' 'MB/cpu-s' 'RSS MiB'
		for id in l_trace l_top l_grep; do
			awk -v name="${label[$id]}" -v cpu="$(median "l$set" $id 1)" -v rss="$(median "l$set" $id 3)" \
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
