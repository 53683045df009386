# A name that takes a line of its own leaves no blank at the end of the line before.
name=$(printf 'a%.0s' $(seq 70))
for side in A B; do
	{
		echo Kind,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp
		[ $side = A ] && end=2000 || end=9000
		echo "KERNEL_DISPATCH,Agent 1,$name,1000,$end"
		echo "KERNEL_DISPATCH,Agent 1,b,10000,10100"
	} >$side.csv
done
python3 "$ROOT/tests/cli/term.py" 80 xterm tracediff -q --color never --allow self A.csv B.csv >shown
grep -c ' $' shown
grep -A1 '+7' shown | head -n 2
