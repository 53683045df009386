# sync_each waits after every kernel: without the waits it takes 140 of 225 us (see whatif/sync_once), so that
# 85 us could be got back, 40.4762 % of the 210 us of the GPU.  Of sync_once, which does not wait, the GPU is
# still idle in launch calls.  A file without kernels has no findings, and says why.
cp -r "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_once" .
kstats findings -q -f csv sync_each --columns id,severity,saves_ns,saves_pct,title,evidence || exit
COLUMNS=80 kstats findings -q sync_each || exit
kstats findings -q --explain sync-waits sync_each || exit
cp sync_each/app_kernel_trace.csv "a'b c_kernel_trace.csv"
kstats findings -q -f csv --columns id,command "a'b c_kernel_trace.csv" || exit
kstats findings -q sync_once -n 1 || exit
kstats whatif -q -f csv --only "launches free;no host syncs" --columns scenario,saved_ns sync_each || exit
kstats findings -q --explain nothing sync_once 2>&1 | cut -c1-80
printf '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n' >a_hip_api_trace.csv
printf '"HIP_RUNTIME_API","hipFree",1,1,1,10,20\n' >>a_hip_api_trace.csv
kstats findings a_hip_api_trace.csv
