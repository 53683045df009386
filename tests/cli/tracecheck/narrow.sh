# Where the terminal is narrow, a rule goes on in the next line, but not between "<" and its bound.
{
	echo 'kind,rank,agent,stream,name,start_ns,end_ns,domain'
	echo 'kernel,0,GPU 0,1,gemm,0,600,kernel'
	echo 'kernel,0,GPU 0,1,gemm,1000,1600,kernel'
} >t.csv
COLUMNS=40 tracecheck -q --rule 'timeline.idle_pct < 10' --rule 'unclassified.kernel_pct < 5' t.csv
