# Which rows a rule means: each has to hold; the row that breaks the rule most is named, or the one nearest to the bound.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,gemm_a,1,0,10000
KERNEL_DISPATCH,Agent 1,gemm_b,2,10000,50000
KERNEL_DISPATCH,Agent 2,gemm_b,3,10000,30000
KERNEL_DISPATCH,Agent 2,"vec*add[x]",4,50000,53000
END
tracecheck -q -f csv --columns verdict,value,rule,row,rows,failed t.csv \
	--rule 'top.avg_us < 20' \
	--rule 'top["gemm_*"].avg_us < 20' \
	--rule 'top[gemm_?].avg_us < 40' \
	--rule 'top["gemm_a"].avg_us > 10' \
	--rule 'top["vec\*add[x]"].calls == 1' \
	--rule 'top["vec\?add[x]"].calls == 1' \
	--rule 'top(--per agent)[agent=2].max_us <= 20' \
	--rule 'top(--per agent)[agent=2, name="gemm*"].max_us < 20' \
	--rule 'top(--per rank,agent)[name=gemm_b,rank=0].max_us < 20' \
	--rule 'top(--name base)[class=gemm].calls > 1' \
	--rule 'timeline[rank=0].busy_us > 23' \
	--rule 'timeline[1].busy_us >= 50' \
	--rule 'gaps(--list).gap_ns < 20001' \
	--rule 'gemm[gemm].kernel_pct > 0'
