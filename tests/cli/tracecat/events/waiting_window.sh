# Three operations are launched by 0.3 us and begin at 1, 2 and 8 us: three wait until 1 us.  In a window from 1 us on their
# launches are not there, and without copies one of the three is not: then nothing is drawn rather than too few.
{
	echo kind,rank,pid,tid,agent,queue,corr,name,start_ns,end_ns
	echo kernel,0,7,8,4,1,1,work,1000,2000
	echo copy,0,7,8,4,,2,HOST_TO_DEVICE,2000,8000
	echo kernel,0,7,8,4,1,3,work,8000,9000
	for i in 1 2 3; do echo "api,0,7,8,,,$i,hipLaunchKernel,${i}00,${i}50"; done
} >in.csv
most() { grep -o '"waiting[^}]*' | sed 's/.*://' | sort -n | tail -n 1; }
tracecat --to chrome in.csv | most
tracecat --to chrome --kind kernel,api in.csv | most
tracecat --to chrome -w 150ns..9us in.csv | most
# One that was launched there: the note does not depend on what the window shows.
tracecat --to chrome -w 250ns..9us in.csv | most
# The end of the last work is drawn once.
tracecat -q --to chrome in.csv | grep -c '"busy agents[^}]*0}'
