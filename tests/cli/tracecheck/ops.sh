# Operators and units, exactly.  One kernel k of 30,000 and 30,001 ns: mean 30,000.5, max 30,001 ns, total 60.001 us.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
KERNEL_DISPATCH,Agent 1,k,2,200000,230001
END
check() {
	tracecheck -q -f tsv --columns verdict,value,op,bound,unit --rule "$1" t.csv | head -n 2 | tail -n 1
}
check 'top[k].avg_ns < 30000.5'
check 'top[k].avg_ns <= 30000.5'
check 'top[k].avg_us < 30.0005'
check 'top[k].avg_us <= 30.0005'
check 'top[k].avg_us < 30.00050000000000000000000000000000000000000000001'
check 'top[k].avg_us == 30000.5 ns'
check 'top[k].avg_us != 30000.5 ns'
check 'top[k].max_us > 0.03 ms'
check 'top[k].max_us >= 0.030001 ms'
check 'top[k].total_ms < 1 s - 999939.999 us'
check 'top[k].total_ms == 1 s - 999939.999 us'
check 'top[k].calls == 2'
check 'top[k].calls >= 2e0'
check 'top[k].calls > 20e-1'
check 'top[k].pct == 100 %'
check 'top[k].min_ns > -1'
check 'kernels.total_us < 60.001'
check 'kernels.total_s <= 0.000060001 s'
check 'timeline.window_ns == 2.1666833333333333 min'
check 'timeline.window_us == 130001 ns'
# 52.9232... %: 60001 of 130001 ns idle are 70000 / 130001 = 53.8457 %.
check 'timeline.idle_pct == 53.8457'
# A place in time is a number, too: the only gap begins at 130,000 ns.
check 'gaps(--list).start_us == 130'
