# What is said about the baseline as a whole names it: its copies have no kernels, the run has kernels and no copies.
printf 'kind,rank,agent,name,start_ns,end_ns,bytes,direction\ncopy,0,4,HOST_TO_DEVICE,100,200,8,host_to_device\n' >copies.csv
printf 'kind,rank,agent,queue,name,start_ns,end_ns\nkernel,0,4,1,work,100,200\nkernel,0,4,1,work,300,400\n' >kernels.csv
tracereport --baseline copies.csv -o page.html kernels.csv
echo "status $?"
# Both have no copies.
printf 'kind,rank,agent,queue,name,start_ns,end_ns\nkernel,0,4,1,work,100,210\nkernel,0,4,1,work,300,400\n' >more.csv
tracereport --baseline kernels.csv -o page.html more.csv
echo "status $?"
