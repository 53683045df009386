# One reading, several reports; the first rule fails, so the status is 1 for all of them.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
END
tracecheck -q --rule 'top.avg_us < 30' --rule 'inputs == 1' --report junit=j.xml --report tap=t.tap --report csv=c.csv \
	--report json=j.json --report text=t.txt -f github t.csv; echo $?
cat j.xml t.tap c.csv j.json t.txt
# Standard output is one file, too.
for o in '--report tap=-' '-o - --report tap=-' '-o x --report tap=- --report md=-' '-o x --report tap=x'; do
	# shellcheck disable=SC2086 # several words
	tracecheck -q --rule 'inputs == 1' $o t.csv; echo $?
done
tracecheck -q --rule 'inputs == 1' -o x --report tap=- t.csv
tracecheck -q --rule 'inputs == 1' --report tap=no/where t.csv
