# A kernel name of 512 KiB is a name like others: whole in csv, shortened in text.
set -e
python3 - <<'END'
name = "k" + "x" * (512 * 1024 - 1)
with open("long_kernel_trace.csv", "w") as f:
    f.write('"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n')
    for i, ns in enumerate((3000, 1000, 2000)):
        f.write('"KERNEL_DISPATCH",4,1,1,"%s",%d,%d,%d\n' % (name, i, i * 10000, i * 10000 + ns))
END
kstats top -f csv --columns name,calls,total_ns long_kernel_trace.csv >out
head -n 1 out
tail -n 1 out | cut -c 1-3,524287-
kstats top long_kernel_trace.csv >text
awk '{ if (length($0) > 120) print "line of " length($0) }' text
