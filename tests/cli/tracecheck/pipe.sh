# Standard input is read once for all rules of one window; two windows need a file.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
END
tracecheck -q --rule 'top.avg_us <= 30' --rule 'timeline.busy_pct == 100' --rule 'inputs == 1' <t.csv
head -n 2 t.csv | tracecheck -q --rule 'top.avg_us <= 30' --rule 'timeline(-w 100000..110000).busy_pct == 100' -; echo $?
tracecheck -q -w 0..1000 --rule 'top.avg_us <= 30' t.csv
