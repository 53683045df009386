# Every event of text files of rocprof v1, and what info says of them: who wrote them, one run of rank 0
# by order, and what was left out.
ln -s "$TESTDATA" data
tracecat -q -f csv --columns kind,pid,tid,agent,queue,stream,corr,name,start_ns,end_ns,direction,domain data/rocprofv1/6.2/text_hip
tracecat info -q -f csv --columns format,table,producer,rank,rank_rule,pids,kinds,skipped,skipped_why,path data/rocprofv1/6.2/text_hip
tracecat info -q -f csv --columns format,table,producer,rank,rank_rule,pids,kinds,skipped,skipped_why,path data/rocprofv1/6.2/text_hsa
