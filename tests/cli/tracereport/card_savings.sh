# Cards of findings: a doubt and what it could save are two statements, and a saving of 0 is none: the softmax runs
# while a longer kernel does.
{
	echo 'kind,rank,agent,stream,name,start_ns,end_ns,domain'
	for at in 1 2 3 4; do
		echo "kernel,0,GPU 0,1,gemm,${at}000000,${at}600000,kernel"
		echo "kernel,0,GPU 0,2,softmax,${at}100000,${at}500000,kernel"
	done
} >idle.csv
tracereport -q -o page.html idle.csv || exit
sed -n 's/<[^>]*>//g; /^doubt/p; /^high/p; /^medium/p; /^note[^:]/p; /^note$/p' page.html
kstats findings -q -f csv --columns id,severity,saves_ns idle.csv
