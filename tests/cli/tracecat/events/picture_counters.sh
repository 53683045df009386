# A viewer of Chrome's knows a counter by its process and name: those of two GPUs, or of two CPUs, have two names.
cat >run.csv <<'EOF'
kind,rank,pid,tid,agent,corr,name,start_ns,end_ns,bytes,address,value,counter
api,0,1,1,,1,hipLaunchKernel,100,200,,,,
api,0,1,1,,2,hipLaunchKernel,300,400,,,,
kernel,0,1,,GPU 0,1,a,1000,2000,,,,
kernel,0,1,,GPU 1,2,b,500,600,,,,
counter,0,1,,GPU 0,,,700,700,,,5,power
counter,0,1,,GPU 1,,,700,700,,,6,power
counter,0,1,,CPU 0,,,700,700,,,7,power
counter,0,1,,CPU 1,,,700,700,,,8,power
EOF
tracecat --to chrome --no-findings run.csv | grep '"ph":"C"' | grep -v 'busy agents'
# In Perfetto's they come back, each of its agent.
tracecat --to pftrace --no-findings -o run.pftrace run.csv
tracecat --kind counter --columns agent,counter,value run.pftrace
