# "checkpoint" is a mark: kstats regions lists it, but nothing can be launched inside it.  Of a text that is a mark once and
# a range once the range counts: the kernel at 20 is launched inside it.
cat >both.csv <<EOF
kind,rank,pid,tid,agent,corr,name,start_ns,end_ns,domain
marker,0,1,1,,,save,5,5,marker
marker,0,1,1,,,save,10,15,marker
api,0,1,1,,7,hipLaunchKernel,11,12,hip
kernel,0,1,,4,7,vecAdd,20,30,kernel
kernel,0,1,,4,,gemm,40,50,kernel
EOF
kstats top -q --region save -f csv --columns name,calls,total_ns both.csv
kstats top --region checkpoint "$TESTDATA/rocprofv3/7.0/run"
