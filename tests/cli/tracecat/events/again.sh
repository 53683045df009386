# What tracecat wrote is read again and written as it was, names with quotes, commas and newlines
# included; the rank is that of the column.
tracecat --columns "$(head -1 "$TESTDATA/tracecat/0.2/events.csv")" "$TESTDATA/tracecat/0.2/events.csv" >again.csv
cmp again.csv "$TESTDATA/tracecat/0.2/events.csv" && echo same
kstats top -f csv --columns rank,name,calls,total_ns --per rank again.csv # 250 and 100 ns
tracecat -k gemm --kind kernel again.csv >gemm.csv
kstats top -f csv --columns name,calls,total_ns <gemm.csv
# Rows that are none are left out; so is a last row without its newline; a row of
# another rank is one of another trace.
head=kind,name,start_ns,end_ns,rank
printf '%s\n' $head kernel,a,10,30,1 kernel,b,30,20,1 kernel,c,x,20,1 kernel,d,1,2 walk,e,1,2,1 >bad.csv
printf kernel,f,40,50,1 >>bad.csv
kstats top -f csv --columns name,calls,total_ns bad.csv # a 20; c has no start, d no rank
printf '%s\n' $head kernel,a,10,30,1 kernel,b,30,40,2 >two.csv
kstats top -f csv --per rank --columns rank,name,calls,total_ns two.csv
printf '%s\n' $head kernel,a,10,30,1 kernel,b,30,40, kernel,c,30,45,2 kernel,d,50,60,1 >three.csv
kstats top -f csv --per rank --columns rank,name,calls,total_ns three.csv # b says no rank
tracecat info -f csv --columns path,rank,rows,skipped three.csv
