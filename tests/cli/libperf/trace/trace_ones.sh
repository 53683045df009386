# Rows of MIOpen of an old madengine: 1 each, and nobody knows the true count.  Rows that make no sense: a library
# nobody knows, no number of calls.
cat >library_trace.csv <<'END'
jobid,created_date,model,library,config,calls
0,,m,miopen,./bin/MIOpenDriver conv -n 1 -F 1,1
0,,m,miopen,./bin/MIOpenDriver conv -n 2 -F 1,1
0,,m,tensile,Cijk_A,3
0,,m,cublas,cublasSgemm,1
0,,m,tensile,Cijk_B,many
END
libperf trace -f csv --columns library,config,calls library_trace.csv
