# HSA calls lie inside HIP calls: where there are HIP rows the wait of 90 inside the one of 100 is not
# counted again, but the host window, 1000..2000, is that of all calls.  Alone, HSA waits count.
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipStreamSynchronize",7,1,1,1500,1600
END
cat >p_hsa_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HSA_CORE_API","hsa_signal_create",7,1,2,1000,1010
"HSA_CORE_API","hsa_signal_wait_scacquire",7,1,3,1505,1595
"HSA_CORE_API","hsa_signal_destroy",7,1,4,1990,2000
END
kstats sync -f csv .
kstats sync -f csv p_hsa_api_trace.csv
