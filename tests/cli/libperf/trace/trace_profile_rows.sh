# A row of madengine counts processes: 2 lines that say 3 calls are 6.  A comma and a quote in a text.
cat >library_trace.csv <<'END'
jobid,created_date,model,library,config,calls
0,,m,rocblas_function,"- { rocblas_function: ""rocblas_sgemm"", transA: 'N', transB: 'T', M: 4, N: 4, K: 4, call_count: 3 }",2
0,,m,rocblas_function,"- { rocblas_function: ""rocblas_sgemm"", transA: 'N', transB: 'T', M: 4, N: 4, K: 4, call_count: 5 }",1
END
libperf trace -q library_trace.csv >out; echo $?
tr '\r' '!' <out
libperf top -f csv library_trace.csv
