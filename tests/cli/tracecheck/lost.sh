# An input that is not whole is never judged well, although every rule holds.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
KERNEL_DISPATCH,Agent 1,k,2,300000,200000
END
tracecheck --rule 'top.avg_us < 31' t.csv; echo $?
tracecheck --rule 'top.avg_us < 31' --allow partial t.csv; echo $?
tracecheck -q --rule 'top.avg_us < 31' -f junit t.csv; echo $?
gzip -c t.csv | head -c 80 >cut.csv.gz
tracecheck --rule 'inputs >= 0' cut.csv.gz; echo $?
tracecheck --rule 'inputs >= 0' nothing.csv
