# No markers: kernels w w | a b c | a b c | a b c | a b, warm-up first, the end cut.  Each takes 10 ns; gaps
# are 5 ns, but for 50 ns before each a.  The repeats begin with the first a and step 3 ends where the cut
# one begins:
#
#   w 1000..1010  w 1015..1025
#   a 1075..1085  b 1090..1100  c 1105..1115    step 1 1075..1165 = 90, busy 30, idle 60
#   a 1165..                                    step 2
#   a 1255..                                    step 3, to 1345
#   a 1345..1355  b 1360..1370                  cut
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	i=0
	for k in w:1000 w:1015 a:1075 b:1090 c:1105 a:1165 b:1180 c:1195 a:1255 b:1270 c:1285 a:1345 b:1360; do
		i=$((i + 1))
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$i,1,\"${k%:*}\",$i,${k#*:},$((${k#*:} + 10))"
	done
} >m_kernel_trace.csv
kstats regions --steps -f csv m_kernel_trace.csv && kstats regions --steps --skip 1 -q -f csv m_kernel_trace.csv &&
	kstats regions --steps --skip 3 -q -f csv m_kernel_trace.csv
