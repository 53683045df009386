# Rules about tables of powerstats and libperf: which operand is read for which table, its content decides.
cat >power.csv <<'END'
time,Power(Watt) GPU0,Power(Watt) GPU1
2025-01-01 00:00:00.000000,100,40
2025-01-01 00:00:01.000000,300,40
2025-01-01 00:00:02.000000,200,40
END
sed 's/300/310/' power.csv >more.csv
cat >library_trace.csv <<'END'
jobid,created_date,model,library,config,calls
1,d,m,rocblas,"rocblas-bench -f gemm_ex --transposeA T --transposeB N -m 4096 -n 64 -k 128 --a_type bf16_r --b_type bf16_r --c_type bf16_r --d_type bf16_r --compute_type f32_r",7
1,d,m,rocblas,"rocblas-bench -f gemm_ex --transposeA N --transposeB N -m 8 -n 64 -k 128 --a_type bf16_r --b_type bf16_r --c_type bf16_r --d_type bf16_r --compute_type f32_r",2
END
cat >bench.txt <<'END'
transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us
N,N,128,128,128,1,128,0,128,128,419.4,10.0
N,T,256,256,256,1,256,0,256,256,1677,20.0
END
sed 's/20.0$/25.0/' bench.txt >slow.txt
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
END
mkdir all && cp power.csv library_trace.csv bench.txt t.csv all
check() {
	tracecheck -q -f csv --columns verdict,value,op,bound,unit,baseline,rule,row,rows,failed,absent,reason "$@" | tail -n +2
}
for from in all "power.csv bench.txt library_trace.csv t.csv"; do
	# shellcheck disable=SC2086
	check --rule 'powerstats[0].peak_w < 500' --rule 'powerstats.energy_j < 410' --rule 'powerstats(-w +1s..)[1].duration_s <= 1000 ms' \
		--rule 'libperf.top["TN 4096x*"].calls == 7' --rule 'libperf.trace[library=rocblas].calls > 2' \
		--rule 'libperf.bench[M=256].us <= 0.02 ms' --rule 'libperf.best.us < 15' --rule 'top[k].avg_us < 31' $from
done
# With a baseline: the table's own comparison, or row by row.
check --baseline bench.txt --rule 'libperf.compare.speedup > 0.9' --rule 'libperf.compare(--threshold 50)["*256x*"].new_us < 30' slow.txt
check --baseline power.csv --rule 'powerstats.peak_w <= baseline * 1.03' more.csv
check --baseline power.csv --rule 'powerstats.peak_w <= baseline' power.csv
check --baseline power.csv --rule 'powerstats.peak_w <= baseline' --allow self power.csv
# Nothing for a table, something for none, and what is not there.
check --rule 'powerstats.peak_w < 500' bench.txt
check --rule 'powerstats.peak_w < 500' --rule 'top.calls < 9' power.csv
check --rule 'powerstats.peak_w < 500' power.csv bench.txt t.csv
check --rule 'powerstats.peak_w < 500' --rule 'libperf.bench.ns < 9' missing.csv all
check --rule 'libperf.bench.nothing < 9' all
check --rule 'powerstats.peak_w < 500' <power.csv
check --rule 'powerstats.peak_w < 500' --rule 'top.calls < 9' - <power.csv
check --rule 'powerstats.peak < 500' --rule 'libperf.tops.calls < 5' --rule 'libperf.compare.speedup > 1' all
check --rule 'powerstats(--trace t.csv).peak_w < 500' --rule 'powerstats.peak_w < 500 W' --rule 'libperf.top(--per rank).calls < 5' all
check --baseline all --rule 'libperf.bench.us < baseline' --rule 'libperf.compare.speedup > baseline' all
