# Two passes over the same dispatches, which count the same: only the names of their directories tell that they are passes.
# k ran once, 100 ns, also where one pass or both are in archives, with or without a directory of their own and "./".
pass() { # DIR NS
	mkdir -p "$1"
	{
		echo 'Correlation_Id,Dispatch_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size,Kernel_Id,Kernel_Name,Workgroup_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp'
		echo "1,1,4,1,77,77,64,1,k,64,SQ_WAVES,8,$((1000 + $2)),$((1000 + 2 * $2))"
	} >"$1/out_counter_collection.csv"
}
ask() { kstats top -q -f csv --columns name,calls,total_ns "$1" | sed 1d; }
pass a/pmc_1 100 && pass a/pmc_2 110 && ask a
tar -C a -czf a.tgz pmc_1 pmc_2 && ask a.tgz
tar -C a -czf dot.tgz ./pmc_1 ./pmc_2 && ask dot.tgz
packed() { # DIR MEMBER
	rm -rf b
	mkdir b
	cp -r a/pmc_1 b
	tar -C "$1" -czf b/pmc_2.tgz "$2"
	ask b
}
packed a pmc_2
packed a ./pmc_2
packed a/pmc_2 out_counter_collection.csv
packed a/pmc_2 .
# In directories of other names they are two executions.
mkdir c && cp -r a/pmc_1 c/first && cp -r a/pmc_2 c/second && ask c
tar -C c -czf c.tgz first second && ask c.tgz
