# What rpd2tracing.py makes of a .rpd file has the same calls as the file: rows in which the tracer
# recorded itself (hcc_activity_callback) are skipped, with a note, and nccl calls are RCCL's.
sed '/hcc_activity/p; s/hcc_activity_callback/ncclAllReduce/' "$TESTDATA/rpd/2/json/run.json" >run.json
kstats top -f csv --domain all --columns name,class,calls,total_ns run.json
