# Agent 4 works in 0..200, agent 5 only in 0..100: in the second half it is idle, whether the window ends where the
# work of the rank does (50%..), or at 100%: 100 of 200 are idle.
cat >p_kernel_trace.csv <<'END_OF_CSV'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,0,100
"KERNEL_DISPATCH",5,1,"k",2,0,100
"KERNEL_DISPATCH",4,1,"k",3,100,200
END_OF_CSV
kstats summary -q -f csv -w 50%.. p_kernel_trace.csv >open && kstats summary -q -f csv -w 50%..100% p_kernel_trace.csv >closed &&
	grep -e '^agents' -e '^timeline' -e '^gaps.count' -e '^gaps.longest' open || exit
grep -v '^finding.*command' open >a
grep -v '^finding.*command' closed >b
cmp a b || exit
# So are the other tables the same.
same() {
	kstats "$@" -q -f csv -w 50%.. p_kernel_trace.csv >open && kstats "$@" -q -f csv -w 50%..100% p_kernel_trace.csv >closed && cmp open closed
}
same timeline && same timeline --chart && same gaps && same gaps --list && same classes && same gemm && same ranks
