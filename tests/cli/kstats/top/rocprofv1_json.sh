# results.json of rocprof v1: nanoseconds out of the arguments (1050), not the microseconds (1).
kstats top -f csv --columns name,calls,total_ns "$TESTDATA/rocprofv1/6.2/json/results.json"
