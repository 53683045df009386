# The answer does not depend on how many work on it: 80 MB, so three parts. 650000 rows of eight
# names, durations 1 + i mod 1000 us: name j ran 81250 times, 650 times each of 1+j, 9+j ... 993+j
# us.
python3 - <<'END'
with open("big_kernel_trace.csv", "w") as f:
    f.write('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
            '"Correlation_Id","Start_Timestamp","End_Timestamp"\n')
    for i in range(650000):
        f.write('"KERNEL_DISPATCH","Agent 4",1,0,9001,%d,%d,"kernel_%d(int, long, %s)",%d,%d,%d\n' %
                (i, i % 8, i % 8, "x" * 30, i, i * 2000000, i * 2000000 + 1000 * (1 + i % 1000)))
END
set -e
for j in 1 2 7; do
	kstats top -f csv --columns calls,total_ns,min_ns,max_ns -j $j big_kernel_trace.csv >out.$j
done
cmp out.1 out.2
cmp out.1 out.7
cat out.1
