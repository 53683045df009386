# A run against itself, under another name, in another order of its rows, as a database, and as a
# trace-event JSON, whose times count from its first event: refused.
sed -n '1p; 4,$p; 2,3p' "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" >again.csv
tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/run"
ln -s "$TESTDATA/rocprofv3/7.0/run" run
tracediff run run; echo $?
tracediff run/app_kernel_trace.csv again.csv; echo $?
tracediff -q run run.db; echo $?
tracecat -q --to chrome -o run.json run
tracediff -q run run.json; echo $?
# Once more on one side makes no second run of it.
ln -s "$TESTDATA/rocprofv3/7.0/sync_each" other
tracediff -q run run.db -- other
# A kernel that takes as long at another time is another run: one duration may be the same by chance.
for at in 1 2; do
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\nKERNEL_DISPATCH,Agent 1,k,1,%s000,%s400\n' $at $at >at$at.csv
done
tracediff -q at1.csv at2.csv | tail -n 1
