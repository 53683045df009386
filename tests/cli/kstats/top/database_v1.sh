# results.db of rocprof: names without their quotes; kernels that are in KERN and in OPS count once; before
# 4.3 the table has another name.
cd "$TESTDATA" || exit
kstats top -f csv --columns name,calls,total_ns rocprofv1/6.2/database/kernels.db
kstats top -f csv --domain all --columns name,calls,total_ns rocprofv1/6.2/database/trace.db
kstats top -f csv --domain all --columns name,calls,total_ns rocprofv1/4.2/database/trace.db
