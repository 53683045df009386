# In md, a word between colons is no picture, as GitHub and GitLab draw :thread: in std::thread::id, and an
# address is no link.
{
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	n=0
	for name in 'std::thread::id' 'a:smile:b' ':+1::-1:' 'x:y' 'a::B::c' 'e::f' 'http://h:80/x' 'www.h.x' 'w.h'; do
		echo "KERNEL_DISPATCH,Agent 1,$name,$n,$((n * 1000)),$((n * 1000 + 900 - n))"
		n=$((n + 1))
	done
} >t.csv
kstats top -q -f md --columns name t.csv
