# Statistics and agents are no events: the header alone, and what was left out is said.  Status 2.
tracecat "$TESTDATA/rocprofv3/7.0/stats/app_kernel_stats.csv" "$TESTDATA/rocprofv3/7.0/run/app_agent_info.csv"
