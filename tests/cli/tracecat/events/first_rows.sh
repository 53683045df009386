# -n counts rows, not lines: a name with a newline and quotes in it is one row; --to is --format.
printf '%s\n' '"Kind","Agent_Id","Kernel_Name","Start_Timestamp","End_Timestamp"' \
	'"KERNEL_DISPATCH",1,"a(""x' 'y"")",300,400' '"KERNEL_DISPATCH",1,"b",100,200' \
	'"KERNEL_DISPATCH",1,"c",200,300' >k_kernel_trace.csv
for n in 0 1 2; do
	echo "-n $n"
	tracecat -q -n $n --columns start_ns,name k_kernel_trace.csv
done
tracecat -q -s start --columns name -n 2 k_kernel_trace.csv
tracecat -q -f ndjson --columns name -n 1 k_kernel_trace.csv
tracecat -q --to ndjson --columns name -n 1 k_kernel_trace.csv
tracecat -q --format=csv --to ndjson --columns name -n 1 -o out.ndjson k_kernel_trace.csv
cat out.ndjson
# info is a table like those of the other tools.
cp k_kernel_trace.csv j_kernel_trace.csv
sed -i 3,4d j_kernel_trace.csv
echo '"KERNEL_DISPATCH",1,"d",700,900' >>j_kernel_trace.csv
tracecat info -q -f csv --columns rows,format -s rows j_kernel_trace.csv k_kernel_trace.csv
tracecat info -q -f csv --columns rows,format -s rows -n 1 j_kernel_trace.csv k_kernel_trace.csv
