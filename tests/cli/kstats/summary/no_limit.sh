# COLUMNS=0 disables the limit of a line: time has as many parts as it may have, 100, not the least, 10, and a list is one
# line.
{
	echo 'kind,rank,agent,stream,name,start_ns,end_ns,domain'
	echo 'kernel,0,GPU 0,1,gemm,0,5000,kernel'
	echo 'kernel,0,GPU 0,1,gemm,7000,10000,kernel'
} >t.csv
COLUMNS=0 kstats -q -o page t.csv
sed -n '/^time/,/^$/p' page
