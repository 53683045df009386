# Ranks 0 to 5 run "a b" four times over, ranks 6 to 11 four kernels that never come back, and ranks 12 to 17 only
# once twice.  What is to be said of ranks is said of the first four, and of how many more.
for r in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
	case $((r / 6)) in
	0) names="a b a b a b a b" ;;
	1) names="a b c d" ;;
	2) names="a b a b" ;;
	esac
	{
		echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
		i=0
		for n in $names; do
			i=$((i + 1))
			echo "\"KERNEL_DISPATCH\",1,1,\"$n\",$i,${i}00,${i}50"
		done
	} >$r.csv
	set -- "$@" "$r=$r.csv"
done
kstats regions --steps -n 1 -f csv --columns rank,step,kernels "$@"
echo "status $?"
kstats top -w step:3 -f csv --columns calls,name "$@"
