# The same dispatches measured in passes are one dispatch with more counters: those of Omniperf in one folder, and
# rocprofv3's pass_1, pass_2 (or pmc_1, pmc_2).  The times of one pass count, which is noted: that without counters, else the first.  What
# counts the same is another run.
mkdir -p omni
echo 'Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,vgpr,sgpr,fbar,sig,obj,DispatchNs,BeginNs,EndNs,CompleteNs' >omni/timestamps.csv
row() {
	for i in 0 1 2; do
		printf '%d,"k%d",0,0,0,%d,7,%d,64,0,0,4,32,0,0x0,0x0%s,%d,%d,%d,%d\n' $i $((i % 2)) "$1" $((64 * (i + 1))) "$2" \
			$(($3 + i * 1000)) $(($3 + i * 1000 + 10)) $(($3 + i * 1000 + 10 + $4 + i)) $(($3 + i * 1000 + 900))
	done
}
row 100 '' 50000 300 >>omni/timestamps.csv
for c in SQ_WAVES SQ_INSTS SQ_CYCLES; do
	echo "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,vgpr,sgpr,fbar,sig,obj,$c,DispatchNs,BeginNs,EndNs,CompleteNs" >omni/$c.csv
	row 201 ,17 90000 400 >>omni/$c.csv
done
top() {
	kstats top -f csv --columns name,calls,total_ns "$@"
	echo "status $?"
}
# k0: 300 and 302, k1: 301.
top omni
top omni/SQ_WAVES.csv omni/timestamps.csv omni/SQ_INSTS.csv omni/SQ_CYCLES.csv
kstats timeline -q -f csv --columns rank,window_ns,kernels omni
tar czf omni.tgz omni
top omni.tgz
# Without it: 400, 402 and 401, of the first by name.
top omni/SQ_WAVES.csv omni/SQ_INSTS.csv omni/SQ_CYCLES.csv
tracemerge -q -o omni.db omni
sqlite3 omni.db 'SELECT count(*), sum(end_ns - start_ns) FROM kernel' \
	'SELECT text, count(*), count(start_ns), sum(value) FROM counter JOIN name n ON n.id = counter.counter GROUP BY text'
top omni.db
# The same counters under another name: a second run.
cp -r omni twice
sed 's/,201,/,202,/' twice/SQ_WAVES.csv >twice/SQ_WAVES_again.csv
kstats top -q -f csv --columns name,calls,total_ns twice
# rocprofv3 starts the program once for every pass: two processes each, of four dispatches.
pass() {
	mkdir -p "$1"
	echo '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"' >"$1/$2_counter_collection.csv"
	for i in 1 2 3 4; do
		for c in $4; do
			printf '%d,%d,"Agent 4",1,%d,7,%d,1,"void k%d(int*)",64,0,0,4,0,16,"%s",%d,%d,%d\n' $i $i "$2" $((64 * i)) \
				$((i % 2)) "$c" $((i + $3)) $(($3 + i * 1000)) $(($3 + i * 1000 + 100 + i + $3 / 100000))
		done >>"$1/$2_counter_collection.csv"
	done
}
for p in 1 2; do
	pass pmc/pmc_1/host 10$p 100000 'SQ_WAVES SQ_INSTS'
	pass pmc/pmc_2/host 20$p 200000 'SQ_CYCLES GRBM_COUNT'
	pass pmc/pmc_3/host 30$p 300000 'SQ_WAVES TCC_HIT'
done
# k0: 103 + 105, k1: 102 + 104, of two processes.
top pmc
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns pmc
tracemerge -q -o pmc.db pmc
sqlite3 pmc.db 'SELECT text, count(*), count(start_ns), sum(value) FROM counter JOIN name n ON n.id = counter.counter GROUP BY text'
top pmc.db
kstats top -q -f csv --columns name,calls,total_ns pmc/pmc_2 | tail -1
cp -r pmc pass && for i in 1 2 3; do mv pass/pmc_$i pass/pass_$i; done && top pass
# Other dispatches are another run.
sed -i 's/"void k1(int/"void other(int/' pmc/pmc_2/host/*
kstats top -q -f csv --columns name,calls,total_ns pmc
