# madengine writes a header and no row where nothing was called.
printf 'jobid,created_date,model,library,config,calls\r\n' >library_trace.csv
libperf trace library_trace.csv
