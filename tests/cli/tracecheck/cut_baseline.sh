# A baseline that ends inside a row: --allow partial would not make it a run, so it is no advice; the reason is told once.
cat >good.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
KERNEL_DISPATCH,Agent 1,k,2,200000,230000
END
sed 's/0000/1000/g' good.csv | head -c -10 >cut.csv
tracecheck --rule 'top.avg_us <= baseline * 2' --baseline cut.csv good.csv; echo $?
tracecheck --rule 'top.avg_us <= baseline * 2' --baseline cut.csv --allow partial good.csv
