# A comment of GitHub holds 65,536 characters: with 3,000 rules that fail it is cut, and says how many it left out.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
END
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "top[k].avg_us < %d.%d\n", i % 25, i }' >r.rules
tracecheck -q --rules r.rules -f md t.csv >out; echo $?
awk '{ n += length($0) + 1 } END { print (n <= 65536 ? "fits" : n) }' out
head -n 5 out
tail -n 4 out
tracecheck -q --rules r.rules -f github t.csv | tail -n 3
