# A profiler left one run as CSV and as a pftrace: every kernel counts once, in any order, from an archive, through a
# pipe and by single files; the CSV is made of the pftrace, so all ways give what the pftrace gives.  What is used is
# noted, status 0.  (rocprofv3 does not escape quotes.)  Copies have more columns in the pftrace, so those are its; HIP calls only it has.
t="$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"
kstats top -q -f csv --columns name,calls,total_ns "$t" >want
kstats top -q -f csv --domain hip --columns name,calls,total_ns "$t" >want.hip
kstats timeline -q -f csv "$t" >want.timeline
tracemerge -q -o t.db "$t"
mkdir one
cp "$t" one/7_results.pftrace
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
	sqlite3 -csv t.db "SELECT 'KERNEL_DISPATCH', 'Agent ' || agent, queue, coalesce(stream, 0), coalesce(tid, 0), k.id, 1, text, coalesce(corr, 0), start_ns, end_ns, 0, 0, 4, 4, 16, 64, 1, 1, 64, 1, 1 FROM kernel k JOIN name n ON n.id = k.name ORDER BY k.id" | sed 's/""/"/g'
} >one/7_kernel_trace.csv
{
	echo '"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	sqlite3 -csv t.db "SELECT 'MEMORY_COPY', text, 1, 'Agent 0', 'Agent 4', 1, start_ns, end_ns FROM copy k JOIN name n ON n.id = k.name"
} >one/7_memory_copy_trace.csv
same() {
	want=$1
	shift
	kstats "$@" -q -f csv >got
	printf '%s: status %d, ' "$*" $?
	diff "$want" got && echo the same
}
totals() {
	same want top --columns name,calls,total_ns "$@"
}
kstats top -n 1 -f csv --columns name,calls,total_ns one; echo "status $?"
totals one
same want.hip top --columns name,calls,total_ns --domain hip one
totals one/7_results.pftrace one/7_kernel_trace.csv
totals one/7_kernel_trace.csv one/7_results.pftrace
totals -j 1 one/7_memory_copy_trace.csv one/7_results.pftrace one/7_kernel_trace.csv
tar cf one.tar one
tar czf one.tar.gz one
totals one.tar
totals one.tar.gz
totals - <one.tar.gz
tar cz one | kstats top -q -f csv --columns name,calls,total_ns - | cmp - want && echo through a pipe too
tar cz one | kstats top -q -f csv --columns name,calls,total_ns | cmp - want
kstats top -f csv --columns name,calls,total_ns one.tar 2>&1 >/dev/null | sed 's/.*: several/several/'
# A database made of both, and beside them.
tracemerge -o run.db one 2>err; echo "status $?"
sed 's/[0-9]* bytes, [0-9.]* seconds/B bytes, S seconds/' err
tracemerge -q -o tar.db one.tar
tar cz one | tracemerge -q -o pipe.db
for db in run.db tar.db pipe.db; do
	totals "$db"
	sqlite3 $db 'SELECT count(*) FROM kernel' 'SELECT count(*) FROM copy' 'SELECT count(*) FROM api'
done
sqlite3 t.db 'SELECT count(*) FROM kernel' 'SELECT count(*) FROM copy' 'SELECT count(*) FROM api'
totals run.db one
totals run.db one/7_results.pftrace
totals run.db one/7_kernel_trace.csv
tracecat -q -o all.csv one
tracecat -q -o tar.csv one.tar
cmp all.csv tar.csv && grep -c ^kernel all.csv
tar c one | tracecat -q - | cmp - all.csv
tracecat info -f csv --columns rows,path one
