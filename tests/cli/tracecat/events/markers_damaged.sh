# Ranges of rocprofv2: one that ends before it begins, a row without a time, an end of nothing, and one that is whole.
cat >roctx_trace_7.csv <<'TABLE'
Domain,ROCTX_ID,Message,Timestamp

ROCTX_DOMAIN,1,"backwards",2000
ROCTX_DOMAIN,1,"",1000
ROCTX_DOMAIN,2,"no time",
ROCTX_DOMAIN,9,"",3000
ROCTX_DOMAIN,3,"whole",4000
ROCTX_DOMAIN,3,"",4500
TABLE
tracecat --columns name,start_ns,end_ns roctx_trace_7.csv; echo $?
