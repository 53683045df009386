# An archive that holds a table more than the directory: of one run, so that this table counts and nothing twice.
sh "$ROOT/tests/cli/two_ranks"
rm -r rank1
cat >rank0/m_hip_api_trace.csv <<'T'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,10,1,900,950
T
tar cf run.tar rank0 && rm rank0/m_hip_api_trace.csv
kstats top -q -f csv --name base --columns name,calls . && kstats top -q -f csv --domain hip --columns name,calls . &&
	kstats ranks -q -f csv --columns rank,agents . && kstats launch -q -f csv --columns name,calls .
# Another version of a table that is packed, too: the same launches, other kernels.
tar xf run.tar && sed 's/1200,1500/1200,1501/' rank0/m_kernel_trace.csv >x && mv x rank0/m_kernel_trace.csv
kstats top -f csv .
